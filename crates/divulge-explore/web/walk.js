// The walk: the robot, the events, the observer.

import { h, replace } from "./dom.js";

function variables(list, side, why, chosen) {
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
        "data-key": `why-${variable.name}-${v.value}`, onclick: () => why(pressed ? null : [variable.name, v.value]) }, text);
    });
    const more = variable.unlisted ? h("span", { class: "chip" }, `of ${variable.unlisted + variable.values.length}`) : null;
    return h("tr", { class: variable.asked ? "asked" : null }, h("th", { scope: "row" }, variable.name), h("td", {}, chips, more));
  };
  const caption = side === "robot" ? "What the robot knows" : "What the observer knows";
  return h("table", { class: "variables" }, h("caption", { class: "unseen" }, caption),
    h("tbody", {}, list.map(row)));
}

function event(e, n, at, jump) {
  const did = e.kind === "action" ? e.label : h("span", {}, h("span", { class: "aside" }, "sees "), e.label);
  const state = n === at ? "current" : n > at ? "ahead" : "";
  return h("li", { class: state },
    h("button", { type: "button", class: "event", "aria-current": n === at ? "step" : null, "data-key": `event-${n}`, onclick: () => jump(n) },
      h("span", { class: "n" }, String(n)),
      h("span", { class: "did" }, did),
      h("span", { class: "saw" }, h("span", { class: "unseen" }, "seen as "), h("span", { class: e.image === e.label ? "image" : "image blurred" }, e.image)),
      h("span", { class: "count" }, e.broken ? h("span", { class: "broken-sign", title: "A stipulation is broken here" }, "✗", h("span", { class: "unseen" }, " a stipulation is broken")) : "")));
}

function stream(moment, all, at, jump) {
  const start = h("li", { class: at === 0 ? "current" : "" },
    h("button", { type: "button", class: "event", "aria-current": at === 0 ? "step" : null, "data-key": "event-0", onclick: () => jump(0) },
      h("span", { class: "n" }, "0"), h("span", { class: "did" }, "start"), h("span", { class: "saw" }, ""), h("span", { class: "count" }, "")));
  return h("ol", { class: "stream", "aria-label": "Events: what happened, and what was seen" },
    start, all.map((e, i) => event(e, i + 1, at, jump)));
}

function outcomes(moment, at, ahead, choose) {
  if (!moment.outcomes.length) {
    const words = moment.stops ? (moment.goal ? "The robot stops here, at its goal." : "The robot stops here.") : "Nothing more can happen.";
    return h("p", { class: "end" }, words);
  }
  const acts = moment.outcomes[0].kind === "action";
  const several = moment.outcomes.length > 1;
  const title = acts ? (several ? "What does the robot do next?" : "Next, the robot does") : several ? "What does the robot observe next?" : "Next, the robot observes";
  return h("div", { class: "outcomes" },
    h("p", { class: "outcomes-title", id: "outcomes-title" }, title, moment.stops ? " (it may also stop here)" : ""),
    h("div", { class: "choices", role: "group", "aria-labelledby": "outcomes-title" }, moment.outcomes.map((o, i) =>
      h("button", { type: "button", class: o.label === ahead ? "choice ahead" : "choice", "data-key": `outcome-${i}`, onclick: () => choose(o.label) },
        several && i < 9 ? h("kbd", { "aria-hidden": "true" }, String(i + 1)) : null,
        h("span", { class: "choice-label" }, o.label),
        h("span", { class: "choice-seen" }, o.image === o.label ? "seen as it is" : `seen as ${o.image}`)))));
}

export function renderWalk(root, view) {
  const { moment, all, at, robotPicture, observerPicture, scene, marks, actions, why } = view;
  const several = moment.robot.length > 1 && marks.robot.marks.length > 1;
  const ahead = all[at]?.label;
  replace(root,
    h("section", { class: "card side robot-side", "aria-labelledby": "robot-title" },
      h("h2", { id: "robot-title" }, "The robot"),
      h("p", { class: "under" }, several ? "Where it may be, as far as it knows." : "Where it is, and what it knows."),
      robotPicture, variables(moment.variables, "robot")),
    h("section", { class: "card middle", "aria-labelledby": "stream-title" },
      h("h2", { id: "stream-title" }, "What happens"),
      h("div", { class: "stream-head", "aria-hidden": "true" }, h("span", {}, ""), h("span", {}, "the robot"), h("span", {}, "looks like"), h("span", {})),
      h("div", { class: "stream-box", tabindex: -1 }, stream(moment, all, at, actions.jumpTo)),
      outcomes(moment, at, ahead, actions.choose),
      h("div", { class: "controls", role: "group", "aria-label": "Steps" },
        h("button", { type: "button", "data-key": "first", disabled: at === 0, onclick: () => actions.jumpTo(0) }, "Start"),
        h("button", { type: "button", "data-key": "back", disabled: at === 0, onclick: actions.back }, "← Back"),
        h("button", { type: "button", class: "main", "data-key": "forward", disabled: !moment.outcomes.length, onclick: actions.forward }, "Forward →"))),
    h("section", { class: "card side observer-side", "aria-labelledby": "observer-title" },
      h("h2", { id: "observer-title" }, "The observer"),
      h("p", { class: "under" }, moment.estimate ? "Every place it thinks possible." : "It did not expect this."),
      observerPicture, variables(moment.variables, "observer", actions.why, why),
      moment.estimate && moment.variables.some((v) => !v.observer_knows) ? h("p", { class: "hint" }, "Press a value that is still possible to see a run that has it and looks the same.") : null),
    scene.partial ? h("p", { class: "partial" }, scene.partial,
      marks.estimate?.outside ? ` The observer thinks ${marks.estimate.outside} more ${marks.estimate.outside === 1 ? "place" : "places"} possible, outside this part.` : "") : null);
  const box = root.querySelector(".stream-box");
  const current = root.querySelector(".stream .current");
  if (current) box.scrollTop = current.offsetTop - box.clientHeight / 2;
}
