// What if: which events look alike to an observer, which it does not see at all, and what it knows. The verdict follows at once.

import { h, replace } from "./dom.js";

const KINDS = { action: "What the robot does", observation: "What the robot observes" };

let picked = null;
let whose = null;

function merged(groups) {
  return groups.filter((group) => group.image !== null && group.labels.length > 1).map((group) => group.labels);
}

function hidden(groups) {
  return groups.filter((group) => group.image === null).flatMap((group) => group.labels);
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

function flip(text, on, disabled, key, act) {
  return h("li", {}, h("label", { class: "switch" },
    h("input", { type: "checkbox", role: "switch", checked: on, disabled, "data-key": key, onchange: act }),
    h("span", { class: "track", "aria-hidden": "true" }), h("span", {}, text)));
}

// What one observer sees: pressed together to look alike, or not seen at all. `set(alike, unseen)` changes it; null is as it was given.
function eyes(now, given, set, repaint) {
  const [groups, unseen] = [merged(now.groups), hidden(now.groups)];
  const [base, blind] = [merged(given.groups), hidden(given.groups)];
  const change = (alike, out) => {
    picked = null;
    const seen = without(alike, out);
    set(canonical(seen) === canonical(base) ? null : seen, canonical([out]) === canonical([blind]) ? null : out);
  };
  const hide = (labels) => change(groups, [...unseen, ...labels]);
  // Seen again: as it was given, or by itself if it was not seen then either.
  const unhide = (labels) => {
    const rest = unseen.filter((label) => !labels.includes(label));
    const home = base.filter((group) => group.some((label) => labels.includes(label))).map((group) => group.filter((label) => !rest.includes(label)));
    change(home.reduce((all, group) => joined(all, group), groups), rest);
  };
  const fixed = Boolean(now.fixed_map);
  const switches = base.map((labels) => {
    const on = groups.some((group) => labels.every((label) => group.includes(label)));
    return flip([h("strong", {}, labels.join(", ")), " look alike"], on, fixed, `merge-${labels.join("-")}`,
      () => change(on ? without(groups, labels) : joined(groups, labels), unseen.filter((label) => on || !labels.includes(label))));
  });
  if (blind.length) {
    const on = blind.every((label) => unseen.includes(label));
    switches.push(flip([h("strong", {}, blind.join(", ")), " not seen at all"], on, fixed, "unseen",
      () => (on ? unhide(blind) : hide(blind.filter((label) => !unseen.includes(label))))));
  }
  const chip = (label, group) => {
    const waits = picked && picked.label !== label && picked.kind === group.kind;
    const out = group.image === null;
    const many = !out && group.labels.length > 1;
    const press = () => {
      if (out && !waits) unhide([label]);
      else if (many && !waits) change(without(groups, [label]), unseen);
      else if (waits) change(joined(groups, [picked.label, label]), unseen.filter((one) => one !== label));
      else {
        picked = picked?.label === label ? null : { label, kind: group.kind };
        repaint();
      }
    };
    const says = waits ? `make ${picked.label} look like ${label}` : out ? `let ${label} be seen` : many ? `make ${label} look different from the others`
      : picked?.label === label ? "cancel" : `choose ${label} to make it look like another event, or unseen`;
    return h("button", { type: "button", class: "label-chip", title: says, disabled: fixed, "data-key": `label-${label}`,
      "aria-pressed": picked?.label === label ? "true" : "false", "aria-label": `${label}: ${says}`, onclick: press }, label);
  };
  const box = (group) => {
    const out = group.image === null;
    const many = group.labels.length > 1 || out;
    return h("div", { class: out ? "group many out" : many ? "group many" : "group" },
      many ? h("span", { class: "group-image" }, out ? "not seen at all" : `all seen as “${group.image}”`) : null,
      h("div", { class: "chips" }, group.labels.map((label) => chip(label, group)),
        out && picked?.kind === group.kind ? target() : null));
  };
  const target = () => h("button", { type: "button", class: "label-chip target", "data-key": "hide", onclick: () => hide([picked.label]) }, `${picked.label}: not seen at all`);
  const kinds = Object.entries(KINDS).map(([kind, title]) => {
    const own = now.groups.filter((group) => group.kind === kind);
    const nowhere = picked?.kind === kind && own.every((group) => group.image !== null);
    return h("div", { class: "map-kind" }, h("h4", {}, title),
      h("div", { class: "groups" }, own.map(box), nowhere ? h("div", { class: "group many out" }, h("div", { class: "chips" }, target())) : null));
  });
  const hint = picked ? `${picked.label} is chosen. Now press the event it should look like, or “not seen at all”.`
    : fixed ? "" : "Press an event in a group to make it look different. Press one outside a group and then another to make them look alike.";
  return [now.fixed_map ? h("p", { class: "hint" }, now.fixed_map) : null, switches.length ? h("ul", { class: "switches" }, switches) : null, kinds,
    h("p", { class: "hint", "aria-live": "polite" }, hint)];
}

export function renderWhatIf(root, view) {
  const { about, given, place, pair, change, seek, sought } = view;
  const several = about.observers.length > 1;
  const number = several && whose !== null && whose < about.observers.length ? whose : pair[0];
  const now = about.observers[number];
  const repaint = () => renderWhatIf(root, view);
  const choose = (n) => {
    whose = n;
    picked = null;
    repaint();
  };
  const current = place.changes[now.name]?.knows ?? now.knows.find((choice) => choice.given)?.key;
  const knows = now.knows.map((choice) => h("label", { class: "radio" },
    h("input", { type: "radio", name: "knows", value: choice.key, checked: choice.key === current, "data-key": `knows-${choice.key}`,
      onchange: () => change(now.name, { knows: choice.given ? null : choice.key }) }),
    h("span", {}, choice.words, choice.given ? h("span", { class: "aside" }, " (given)") : null)));
  const tabs = several ? h("div", { class: "whose", role: "group", "aria-label": "Whose eyes are changed" }, about.observers.map((one, n) =>
    h("button", { type: "button", "aria-pressed": n === number ? "true" : "false", "data-key": `whose-${one.name}`, onclick: () => choose(n) },
      one.name, place.changes[one.name] ? h("span", { class: "aside" }, " (changed)") : null))) : null;
  const who = several ? now.title : "the observer";
  replace(root,
    h("h2", { id: "whatif-title" }, "What if …"),
    h("p", { class: "under" }, `Change what ${several ? "an observer" : "the observer"} sees or knows, and see at once whether the plan still keeps every stipulation.`),
    h("div", { class: `verdict small ${about.verdict.verdict}` }, h("span", { class: "sign", "aria-hidden": "true" }, { holds: "✓", violated: "✗" }[about.verdict.verdict] ?? "?"), h("p", {}, about.verdict.short)),
    tabs,
    h("h3", {}, `Events that look alike to ${who}`),
    eyes(now, given.observers[number], (alike, unseen) => change(now.name, { alike, unseen }), repaint),
    h("fieldset", {}, h("legend", {}, several ? `${now.title} knows …` : "The observer knows …"), knows),
    sought ? h("p", { class: "buttons" }, h("button", { type: "button", "data-key": "seek", disabled: place.sought, onclick: () => seek(true) }, "Find a plan for this"),
      place.sought ? h("button", { type: "button", class: "quiet", "data-key": "unseek", onclick: () => seek(false) }, "Back to the given plan") : null) : null);
}
