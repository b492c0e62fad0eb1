// What if: which events look alike, and what the observer knows. The verdict follows at once.

import { h, replace } from "./dom.js";

const KINDS = { action: "What the robot does", observation: "What the robot observes" };

let picked = null;

function merged(groups) {
  return groups.filter((group) => group.labels.length > 1).map((group) => group.labels);
}

function canonical(groups) {
  return JSON.stringify(groups.map((group) => [...group].sort()).sort());
}

// The groups with these labels taken out, each on its own again.
function without(groups, labels) {
  return groups.map((group) => group.filter((label) => !labels.includes(label))).filter((group) => group.length > 1);
}

// The groups with these labels, and all that look like one of them, in one.
function joined(groups, labels) {
  const touched = groups.filter((group) => group.some((label) => labels.includes(label)));
  return [...groups.filter((group) => !touched.includes(group)), [...new Set([...labels, ...touched.flat()])]];
}

export function renderWhatIf(root, { about, given, place, change, sought }) {
  const groups = merged(about.groups);
  const base = merged(given.groups);
  const set = (next) => {
    picked = null;
    change({ alike: canonical(next) === canonical(base) ? null : next });
  };
  const repaint = () => renderWhatIf(root, { about, given, place, change, sought });
  const fixed = about.fixed_map;
  const switches = base.map((labels) => {
    const on = groups.some((group) => labels.every((label) => group.includes(label)));
    const id = `merge-${labels.join("-")}`;
    return h("li", {}, h("label", { class: "switch" },
      h("input", { type: "checkbox", role: "switch", checked: on, disabled: Boolean(fixed), "data-key": id,
        onchange: () => set(on ? without(groups, labels) : joined(groups, labels)) }),
      h("span", { class: "track", "aria-hidden": "true" }),
      h("span", {}, h("strong", {}, labels.join(", ")), " look alike")));
  });
  const chip = (label, group) => {
    const waits = picked && picked.label !== label && picked.kind === group.kind;
    const press = () => {
      if (group.labels.length > 1 && !waits) set(without(groups, [label]));
      else if (waits) set(joined(groups, [picked.label, label]));
      else {
        picked = picked?.label === label ? null : { label, kind: group.kind };
        repaint();
      }
    };
    const says = waits ? `make ${picked.label} look like ${label}` : group.labels.length > 1 ? `make ${label} look different from the others`
      : picked?.label === label ? "cancel" : `choose ${label} to make it look like another event`;
    return h("button", { type: "button", class: "label-chip", title: says, disabled: Boolean(fixed), "data-key": `label-${label}`,
      "aria-pressed": picked?.label === label ? "true" : "false", "aria-label": `${label}: ${says}`, onclick: press }, label);
  };
  const kinds = Object.entries(KINDS).map(([kind, title]) => h("div", { class: "map-kind" },
    h("h4", {}, title),
    h("div", { class: "groups" }, about.groups.filter((group) => group.kind === kind).map((group) =>
      h("div", { class: group.labels.length > 1 ? "group many" : "group" },
        group.labels.length > 1 ? h("span", { class: "group-image" }, `all seen as “${group.image}”`) : null,
        h("div", { class: "chips" }, group.labels.map((label) => chip(label, group))))))));
  const current = place.knows ?? about.knows.find((choice) => choice.given)?.key;
  const knows = about.knows.map((choice) => h("label", { class: "radio" },
    h("input", { type: "radio", name: "knows", value: choice.key, checked: choice.key === current, "data-key": `knows-${choice.key}`,
      onchange: () => change({ knows: choice.given ? null : choice.key }) }),
    h("span", {}, choice.words, choice.given ? h("span", { class: "aside" }, " (given)") : null)));
  replace(root,
    h("h2", { id: "whatif-title" }, "What if …"),
    h("p", { class: "under" }, "Change what the observer sees or knows, and see at once whether the plan still keeps every stipulation."),
    h("div", { class: `verdict small ${about.verdict.verdict}` }, h("span", { class: "sign", "aria-hidden": "true" }, { holds: "✓", violated: "✗" }[about.verdict.verdict] ?? "?"), h("p", {}, about.verdict.short)),
    h("h3", {}, "Events that look alike to the observer"),
    fixed ? h("p", { class: "hint" }, fixed) : null,
    switches.length ? h("ul", { class: "switches" }, switches) : null,
    kinds,
    h("p", { class: "hint", "aria-live": "polite" }, picked ? `${picked.label} is chosen. Now press the event it should look like.` : fixed ? "" : "Press an event in a group to make it look different. Press one outside a group and then another to make them look alike."),
    h("fieldset", {}, h("legend", {}, "The observer knows …"), knows),
    sought ? h("p", { class: "buttons" }, h("button", { type: "button", "data-key": "seek", disabled: place.sought, onclick: () => change({ sought: true }) }, "Find a plan for this"),
      place.sought ? h("button", { type: "button", class: "quiet", "data-key": "unseek", onclick: () => change({ sought: false }) }, "Back to the given plan") : null) : null);
}
