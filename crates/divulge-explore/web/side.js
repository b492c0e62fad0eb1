// One observer: what it saw, every place that it thinks possible, what it knows, and what is asked of it.

import { h } from "./dom.js";
import { renderDemand } from "./demand.js";

export function variables(list, side, caption, why, chosen, key = "") {
  if (!list.length) return null;
  const row = (variable) => {
    const known = side === "robot" ? variable.robot_knows : variable.observer_knows;
    const chips = variable.values.map((v) => {
      const state = !v[side] ? "out" : known ? "known" : "possible";
      const said = { out: "ruled out", known: "known", possible: "possible" }[state];
      const sign = { out: "", known: "✓ ", possible: "" }[state];
      const attributes = { class: `chip ${state}`, title: `${v.value}: ${said}` };
      const text = [h("span", { "aria-hidden": "true" }, sign), v.value, h("span", { class: "unseen" }, `, ${said}`)];
      if (side !== "observer" || state !== "possible") return h("span", attributes, text);
      const pressed = chosen?.[0] === variable.name && chosen?.[1] === v.value;
      return h("button", { ...attributes, type: "button", "aria-pressed": pressed ? "true" : "false", title: `Why could ${variable.name} be ${v.value}?`,
        "data-key": `why-${key}${variable.name}-${v.value}`, onclick: () => why(pressed ? null : [variable.name, v.value]) }, text);
    });
    const more = variable.unlisted ? h("span", { class: "chip" }, `of ${variable.unlisted + variable.values.length}`) : null;
    return h("tr", { class: variable.asked ? "asked" : null }, h("th", { scope: "row" }, variable.name), h("td", {}, chips, more));
  };
  return h("table", { class: "variables" }, h("caption", { class: "unseen" }, caption), h("tbody", {}, list.map(row)));
}

// What just happened, as this observer has it.
function saw(moment, number) {
  const last = moment.events.at(-1);
  if (!last) return h("p", { class: "saw-now" }, "It has seen nothing yet.");
  const { image } = last.seen[number];
  if (image === null) return h("p", { class: "saw-now nothing" }, h("span", { "aria-hidden": "true" }, "⊘ "), "Saw nothing at all");
  return h("p", { class: "saw-now" }, "Saw ", h("strong", {}, `“${image}”`));
}

// `place`: which of those that are shown it is; `single`: whether nobody else watches.
export function renderSide({ about, moment, number, place, single, picture, why, chosen, verdict, actions }) {
  const watcher = about.observers[number];
  const side = moment.sides[number];
  const id = `observer-title${single ? "" : `-${place}`}`;
  const key = single ? "" : `${watcher.name}-`;
  const classes = ["card side observer-side", place === 1 ? "second" : "", side.unseen ? "still" : ""];
  const still = side.unseen ? h("p", { class: "under still-words" }, side.words) : null;
  const hint = side.estimate && side.variables.some((v) => !v.observer_knows)
    ? h("p", { class: "hint" }, "Press a value that is still possible to see a run that has it and looks the same.") : null;
  return h("section", { class: classes.join(" ").trim(), "aria-labelledby": id, "data-observer": watcher.name },
    h("h2", { id }, watcher.title),
    single ? null : h("p", { class: "under" }, watcher.words),
    single && !side.unseen ? null : saw(moment, number),
    still ?? h("p", { class: "under" }, side.words),
    picture, variables(side.variables, "observer", `What ${single ? "the observer" : watcher.title} knows`, why, chosen, key),
    hint,
    single ? null : h("ul", { class: "demands" }, watcher.demands.map((demand, i) =>
      renderDemand(demand, side.stipulations[i], verdict.observer === number && verdict.stipulation === i, { level: "h3", key, jump: actions.jumpTo }))));
}

// Of more than two observers, which two are shown.
export function renderChooser(about, moment, pair, choose) {
  if (about.observers.length < 3) return null;
  const one = (watcher, number) => {
    const broken = moment.sides[number].stipulations.filter((s) => s.state === "broken").map((s) => s.name);
    const last = moment.events.at(-1)?.seen[number];
    const shown = pair.includes(number);
    return h("li", {}, h("button", { type: "button", class: "watcher", "aria-pressed": shown ? "true" : "false", "data-key": `watcher-${watcher.name}`,
      title: shown ? `${watcher.name} is shown in full` : `Show ${watcher.name} in full`, onclick: () => shown || choose(number) },
    h("strong", {}, watcher.name), h("span", { class: "aside" }, !last ? "" : last.image === null ? " saw nothing at all" : ` saw “${last.image}”`),
    h("span", { class: broken.length ? "badge broken" : "badge holds" }, broken.length ? `✗ broken: ${broken.join(", ")}` : "✓ nothing broken")));
  };
  return h("div", { class: "card chooser", role: "group", "aria-labelledby": "chooser-title" },
    h("h2", { id: "chooser-title" }, "Who watches"),
    h("p", { class: "under" }, "Two observers are shown in full. Press another to see it in place of the one chosen first."),
    h("ul", { class: "watchers" }, about.observers.map(one)));
}
