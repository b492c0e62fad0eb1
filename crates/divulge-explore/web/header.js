// Whether what is asked is kept; for a single observer also what that is, and how it stands at this moment.

import { h, replace, rich } from "./dom.js";
import { renderDemand, showLatest, SIGNS } from "./demand.js";

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

export function renderHeader(root, about, moment, { changed, note, actions }) {
  const facts = about.observers.map(({ facts, because }) => [facts.map((fact) => h("p", { class: "fact" }, fact)), facts.length && because ? h("p", { class: "because" }, because) : null]);
  const single = about.observers.length === 1;
  replace(root,
    note ? h("div", { class: "card note" }, h("h2", {}, note[0]), h("pre", {}, note[1])) : null,
    about.note ? h("p", { class: "card note" }, rich(about.note)) : null,
    h("div", { class: "answers" }, verdict(about, changed, actions),
      about.observers.some((observer) => observer.facts.length) ? h("div", { class: "facts" }, facts) : null),
    // Of several, each has its own on its side.
    single ? h("ul", { class: "demands" }, about.observers[0].demands.map((d, i) =>
      renderDemand(d, moment.sides[0].stipulations[i], about.verdict.stipulation === i, { level: "h2", key: "", jump: actions.jumpTo }))) : null);
  showLatest(root);
}
