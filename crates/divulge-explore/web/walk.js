// The walk: the robot, the events, whoever watches.

import { h, replace } from "./dom.js";
import { showLatest } from "./demand.js";
import { renderChooser, renderSide, variables } from "./side.js";

// What an observer saw of an event.
function image(seen, label) {
  if (seen.image === null) return h("span", { class: "image nothing" }, "not seen");
  return [h("span", { class: "unseen" }, "seen as "), h("span", { class: seen.image === label ? "image" : "image blurred" }, seen.image)];
}

// Earlier moments that can be told now: what gave them away.
function afterwards(n, watchers) {
  return watchers.flatMap(({ title, recalled, several }) => recalled.filter((row) => row.events === n).map((row) =>
    h("span", { class: "afterwards", title: row.words }, h("span", { "aria-hidden": "true" }, "↶ "), several ? `${title}: ` : "", row.short)));
}

function eventRow(n, at, jump, did, saw, sign, watchers) {
  const later = n <= at ? afterwards(n, watchers) : [];
  const state = [n === at ? "current" : n > at ? "ahead" : "", later.length ? "recalled" : ""].join(" ").trim();
  return h("li", { class: state },
    h("button", { type: "button", class: "event", "aria-current": n === at ? "step" : null, "data-key": `event-${n}`, onclick: () => jump(n) },
      h("span", { class: "n" }, String(n)), h("span", { class: "did" }, did), saw, h("span", { class: "count" }, sign), later));
}

function event(e, n, at, jump, watchers) {
  const did = e.kind === "action" ? e.label : h("span", {}, h("span", { class: "aside" }, "sees "), e.label);
  const several = watchers.length > 1;
  const saw = watchers.map(({ number, title }, place) => h("span", { class: place === 1 ? "saw second" : "saw" },
    several ? h("span", { class: "unseen" }, `${title}: `) : null, image(e.seen[number], e.label)));
  // Also what is broken for somebody who is not shown.
  const broken = e.seen.some((seen) => seen.broken);
  const sign = broken ? h("span", { class: "broken-sign", title: "A stipulation is broken here" }, "✗", h("span", { class: "unseen" }, " a stipulation is broken")) : "";
  return eventRow(n, at, jump, did, saw, sign, watchers);
}

function stream(all, at, jump, watchers) {
  const none = watchers.map(() => h("span", { class: "saw" }, ""));
  return h("ol", { class: "stream", "aria-label": "Events: what happened, and what was seen" },
    eventRow(0, at, jump, "start", none, "", watchers), all.map((e, i) => event(e, i + 1, at, jump, watchers)));
}

// What those that are shown would see of an outcome.
function looks(outcome, watchers) {
  const one = ({ number }) => {
    const { image } = outcome.seen[number];
    return image === null ? "not seen" : image === outcome.label ? "seen as it is" : `seen as ${image}`;
  };
  if (watchers.length === 1) return one(watchers[0]);
  return watchers.map((watcher) => `${watcher.title}: ${one(watcher)}`).join("; ");
}

function outcomes(moment, at, ahead, choose, watchers) {
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
        h("span", { class: "choice-seen" }, looks(o, watchers))))));
}

function happenings(view, watchers) {
  const { moment, all, at, actions } = view;
  const heads = watchers.length === 1 ? ["looks like"] : watchers.map(({ title }) => `${title} saw`);
  return h("section", { class: "card middle", "aria-labelledby": "stream-title" },
    h("h2", { id: "stream-title" }, "What happens"),
    h("div", { class: "stream-head", "aria-hidden": "true" }, h("span", {}, ""), h("span", {}, "the robot"), heads.map((head) => h("span", {}, head)), h("span", {})),
    h("div", { class: "stream-box", tabindex: -1 }, stream(all, at, actions.jumpTo, watchers)),
    outcomes(moment, at, all[at]?.label, actions.choose, watchers),
    h("div", { class: "controls", role: "group", "aria-label": "Steps" },
      h("button", { type: "button", "data-key": "first", disabled: at === 0, onclick: () => actions.jumpTo(0) }, "Start"),
      h("button", { type: "button", "data-key": "back", disabled: at === 0, onclick: actions.back }, "← Back"),
      h("button", { type: "button", class: "main", "data-key": "forward", disabled: !moment.outcomes.length, onclick: actions.forward }, "Forward →")));
}

function partly(scene, marks, about, pair) {
  if (!scene.partial) return null;
  const outside = pair.filter((number) => marks.estimates[number]?.outside).map((number) => {
    const n = marks.estimates[number].outside;
    const who = about.observers.length === 1 ? "The observer" : about.observers[number].title;
    return ` ${who} thinks ${n} more ${n === 1 ? "place" : "places"} possible, outside this part.`;
  });
  return h("p", { class: "partial" }, scene.partial, outside);
}

export function renderWalk(root, view) {
  const { about, pair, moment, robotPicture, pictures, scene, marks, actions, why } = view;
  const may = moment.robot.length > 1 && marks.robot.marks.length > 1;
  const single = about.observers.length === 1;
  const watchers = pair.map((number) => ({ number, title: about.observers[number].title, recalled: moment.sides[number].recalled, several: !single }));
  root.classList.toggle("several", !single);
  replace(root,
    renderChooser(about, moment, pair, actions.show),
    h("section", { class: "card side robot-side", "aria-labelledby": "robot-title" },
      h("h2", { id: "robot-title" }, "The robot"),
      h("p", { class: "under" }, may ? "Where it may be, as far as it knows." : "Where it is, and what it knows."),
      robotPicture, variables(single ? moment.sides[0].variables : moment.variables, "robot", "What the robot knows")),
    happenings(view, watchers),
    pair.map((number, place) => {
      const { name } = about.observers[number];
      const chosen = single || why?.[2] === name ? why : null;
      const ask = (what) => actions.why(what && !single ? [...what, name] : what);
      return renderSide({ about, moment, number, place, single, picture: pictures[place], why: ask, chosen, verdict: about.verdict, actions });
    }),
    partly(scene, marks, about, pair));
  const box = root.querySelector(".stream-box");
  const current = root.querySelector(".stream .current");
  if (current) box.scrollTop = current.offsetTop - box.clientHeight / 2;
  showLatest(root);
}
