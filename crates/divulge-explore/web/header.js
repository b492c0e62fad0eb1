// What is asked, in plain words, whether it is kept, and how it stands at this moment.

import { h, replace, rich } from "./dom.js";

const SIGNS = { holds: "✓", broken: "✗", later: "…", violated: "✗", unknown: "?" };
const NOW = { holds: "kept", broken: "broken", later: "not yet asked" };

function verdict(about, changed, actions) {
  const { verdict, short, words, execution } = about.verdict;
  const buttons = [];
  if (verdict === "violated") {
    buttons.push(h("button", { type: "button", "data-key": "show", onclick: () => actions.jump(execution) }, "Show me how"));
  }
  if (changed) buttons.push(h("button", { type: "button", class: "quiet", "data-key": "reset", onclick: actions.reset }, "Undo changes"));
  return h("div", { class: `verdict ${verdict}`, id: "verdict", role: "status" },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
    h("div", {},
      h("p", { class: "verdict-short" }, changed ? h("span", { class: "tag" }, "What if") : null, short),
      h("p", {}, rich(words)),
      buttons.length ? h("p", { class: "buttons" }, buttons) : null));
}

function demand(demand, now, broken) {
  const state = now?.state ?? "later";
  return h("li", { class: `demand ${state}` },
    h("div", { class: "demand-head" }, h("h2", { class: "demand-name" }, demand.name), broken ? h("span", { class: "tag bad" }, "can be broken") : null),
    h("p", { class: "demand-words" }, rich(demand.words)),
    h("p", { class: "now" },
      h("span", { class: `badge ${state}` }, h("span", { "aria-hidden": "true" }, SIGNS[state] + " "), "Now: " + (now ? NOW[state] : "unknown")),
      " ", rich(now?.why ?? "The observer did not expect this, so it thinks nothing possible.")),
    h("details", {}, h("summary", {}, "formula"), h("code", {}, demand.formula)));
}

export function renderHeader(root, about, moment, { changed, note, actions }) {
  const facts = about.facts.map((fact) => h("p", { class: "fact" }, fact));
  replace(root,
    note ? h("div", { class: "card note" }, h("h2", {}, note[0]), h("pre", {}, note[1])) : null,
    about.note ? h("p", { class: "card note" }, rich(about.note)) : null,
    h("div", { class: "answers" }, verdict(about, changed, actions),
      facts.length ? h("div", { class: "facts" }, facts, about.because ? h("p", { class: "because" }, about.because) : null) : null),
    h("ul", { class: "demands" },
      about.demands.map((d, i) => demand(d, moment.stipulations[i], about.verdict.stipulation === i))));
}
