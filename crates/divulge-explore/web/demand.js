// What is asked of an observer, in plain words, and how it stands at this moment.

import { h, rich } from "./dom.js";

export const SIGNS = { holds: "✓", broken: "✗", later: "…", violated: "✗", unknown: "?", satisfied: "✓", kept: "✓", owed: "…" };

// A stipulation on a run, moment by moment. What it failed by is marked.
function runTable(run, name, jump) {
  const [failed, by] = run.failed ?? [null, []];
  const row = (moment, i) => h("tr", { class: [moment.state, failed === i ? "failed" : ""].join(" ") },
    h("th", { scope: "row" }, h("button", { type: "button", class: "row-number", "data-key": `run-${name}-${i}`, onclick: () => jump(moment.events) },
      moment.events === 0 ? "start" : `${moment.events} ${moment.saw}`)),
    moment.holds.map((holds, k) => h("td", { class: failed === i && by.includes(k) ? "culprit" : null },
      holds ? "yes" : "no", failed === i && by.includes(k) ? h("span", { class: "unseen" }, " (it fails by this)") : null)),
    h("td", { class: "run-state" }, h("span", { "aria-hidden": "true" }, SIGNS[moment.state] + " "), moment.words));
  return h("div", { class: "run-box", tabindex: 0, role: "group", "aria-label": `${name}, moment by moment` },
    h("table", { class: "run" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "moment"), run.parts.map((part) => h("th", { scope: "col" }, h("code", {}, part))), h("th", { scope: "col" }, "so far"))),
      h("tbody", {}, run.moments.map(row))));
}

// `level` is that of its heading.
export function renderDemand(demand, now, broken, { level, key, jump }) {
  const state = now?.state ?? "later";
  return h("li", { class: `demand ${state}` },
    h("div", { class: "demand-head" }, h(level, { class: "demand-name" }, demand.name), broken ? h("span", { class: "tag bad" }, "can be broken") : null),
    h("p", { class: "demand-words" }, rich(demand.words)),
    h("p", { class: "now" },
      h("span", { class: `badge ${state}` }, h("span", { "aria-hidden": "true" }, SIGNS[state] + " "), "Now: " + (now?.now ?? "unknown")),
      " ", rich(now?.why ?? "The observer did not expect this, so it thinks nothing possible.")),
    now?.run ? runTable(now.run, `${key}${demand.name}`, jump) : null,
    h("details", {}, h("summary", {}, "formula"), h("code", {}, demand.formula)));
}

// A table that is longer than its frame shows its end: the present moment.
export function showLatest(root) {
  root.querySelectorAll(".run-box").forEach((box) => { box.scrollTop = box.scrollHeight; });
}
