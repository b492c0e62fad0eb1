// What is wrong with the text, as a list: what the editor underlines, for those who do not see it, and what mends it.

import { h, replace, rich } from "./dom.js";

export function drawProblems(place, { problems, notes }, lines, actions) {
  const errors = problems.filter((found) => found.severity === "error").length;
  const warnings = problems.length - errors;
  const count = (n, what) => (n ? [`${n} ${what}${n > 1 ? "s" : ""}`] : []);
  const heading = [...count(errors, "error"), ...count(warnings, "warning")].join(", ");
  const one = (found, i) => h("li", { class: found.severity },
    h("div", { class: "finding" },
      h("button", { type: "button", class: "goto", "data-key": `goto-${i}`, onclick: () => actions.show(found) },
        h("span", { class: "sign", "aria-hidden": "true" }, found.severity === "error" ? "✕" : "!"),
        h("span", { class: "unseen" }, `${found.severity}: `),
        h("span", {}, rich(found.message), found.where ? ` (${found.where})` : found.from === null ? "" : ` (line ${lines(found.from)})`)),
      h("button", { type: "button", class: "code", "data-key": `code-${i}`, "aria-label": `What ${found.code} means`, onclick: () => actions.explain(found.code) }, found.code)),
    found.notes.map((text) => h("p", { class: "soft" }, rich(text))),
    found.help.map((text) => h("p", { class: "soft" }, "Help: ", rich(text))),
    found.fixes.length ? h("p", { class: "fixes" }, found.fixes.map((fix, n) => h("button", { type: "button", class: "small fix", "data-key": `fix-${i}-${n}`, onclick: () => actions.mend(fix) }, rich(fix.title[0].toUpperCase() + fix.title.slice(1))))) : null);
  replace(place,
    h("h2", { class: problems.length ? "" : "fine" }, problems.length ? heading : "No problems"),
    notes.length ? h("ul", { class: "notes" }, notes.map((text) => h("li", {}, rich(text)))) : null,
    problems.length ? h("ul", { class: "findings" }, problems.map(one)) : null);
}
