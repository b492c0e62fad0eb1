// The page: the address says where one is, the engine what is so there, and everything is drawn from that.

import { byId, h, replace } from "./dom.js";
import { decode, encode } from "./address.js";
import { start, unpacked } from "./engine.js";
import { planPicture, worldPicture } from "./picture.js";
import { renderHeader } from "./header.js";
import { renderWalk } from "./walk.js";
import { renderWhatIf } from "./whatif.js";
import { renderTwins } from "./twins.js";

const data = JSON.parse(byId("problem").textContent);
let ask = null;
let place = null;
let now = null;
let world = { view: null, scene: null };
let plan = { key: null, picture: null };
let abouts = new Map();
let opened = null;

function what() {
  return { observers: place.changes, sought: place.sought };
}

function changed() {
  return Object.keys(place.changes).length > 0 || place.sought;
}

// Changes something about an observer; what is as it was given is not mentioned.
function changeOf(name, next) {
  const change = Object.fromEntries(Object.entries({ ...place.changes[name], ...next }).filter(([, value]) => value));
  const { [name]: _, ...others } = place.changes;
  return Object.keys(change).length ? { ...others, [name]: change } : others;
}

// The numbers of the observers that are shown in full: as the address says, or the first two, or the one that something is wrong about.
function pair(answer) {
  const count = answer.observers.length;
  if (count < 3) return [...answer.observers.keys()];
  const asked = (place.shows ?? []).map((name) => answer.observers.findIndex((one) => one.name === name)).filter((n) => n >= 0);
  const wrong = answer.verdict.observer;
  const order = [...asked, ...(wrong === null ? [] : [wrong]), 0, 1, 2];
  return [...new Set(order)].slice(0, 2).sort((a, b) => a - b);
}

function about() {
  if (!changed()) return data.about;
  const key = JSON.stringify(what());
  if (!abouts.has(key)) {
    if (abouts.size > 50) abouts = new Map();
    abouts.set(key, ask({ do: "about", what: what() }));
  }
  return abouts.get(key);
}

// Where the address leads; an address that says nothing leads to the violation, or to the start.
function here() {
  const found = decode(location.hash);
  if (found.events) return found;
  place = { ...found, events: [], at: 0 };
  const answer = about();
  const violated = answer.verdict?.verdict === "violated" ? answer.verdict.execution : [];
  const events = data.events ?? violated;
  return { ...found, events, at: events.length };
}

function go(next) {
  const to = { ...place, ...next };
  const hash = encode(to);
  if (hash !== location.hash) location.hash = hash;
}

const actions = {
  jump: (events) => go({ events, at: events.length, why: null }),
  jumpTo: (at) => go({ at, why: null }),
  back: () => place.at > 0 && go({ at: place.at - 1, why: null }),
  forward() {
    const { outcomes } = now.moment;
    const next = now.all[place.at]?.label ?? (outcomes.length === 1 ? outcomes[0].label : null);
    if (next !== null) actions.choose(next);
    else byId("walk").querySelector(".choice")?.focus();
  },
  choose(label) {
    const kept = now.all[place.at]?.label === label;
    const events = kept ? place.events : [...place.events.slice(0, place.at), label];
    go({ events, at: place.at + 1, why: null });
  },
  why: (why) => go({ why }),
  // Another observer in place of the one that was chosen first.
  show(number) {
    const { observers } = about();
    const now = place.shows ?? pair(about()).map((n) => observers[n].name);
    go({ shows: [now.at(-1), observers[number].name], why: null });
  },
  reset: () => go({ changes: {}, sought: false, why: null }),
};

function drawWorld(view) {
  if (world.view === view) return;
  const scene = ask({ do: "scene", view });
  world = { view, scene, robot: worldPicture(scene, "robot"), observers: [worldPicture(scene, "observer"), worldPicture(scene, "observer", "second")] };
}

function drawPlan(lit) {
  const key = place.sought ? JSON.stringify(what()) : "given";
  const drawn = plan.key === key && (!lit.length || lit.some((id) => plan.picture?.ids.has(id)));
  if (!drawn) {
    const answer = ask({ do: "plan", what: what(), here: lit[0] });
    const jump = (id) => {
      const way = ask({ do: "route", what: what(), to: id });
      if (way.events) actions.jump(way.events);
    };
    plan = { key, partial: answer.plan?.partial, picture: answer.plan ? planPicture(answer.plan, jump) : null };
    replace(byId("plan"), h("h2", { id: "plan-title" }, "The plan"),
      h("p", { class: "under" }, plan.picture ? "What the robot does, step by step. Press a step to go there." : "There is no plan, so this page shows whatever the robot may do."),
      plan.partial ? h("p", { class: "partial" }, plan.partial) : null, plan.picture?.element);
  }
  plan.picture?.light(lit, lit.length ? "The current step is marked." : "");
}

function spoken(marks) {
  if (!marks) return "Nothing is thought possible.";
  const some = marks.marks.slice(0, 12).map((mark) => mark.words);
  const more = marks.marks.length - some.length;
  if (more) some.push(`and ${more} more`);
  if (marks.outside) some.push(`${more || marks.marks.length ? "and " : ""}${marks.outside} outside the part that is drawn`);
  return `${some.join("; ")}.`;
}

function twinsHere(answer) {
  if (place.why) {
    const [variable, value, name] = place.why;
    const observer = Math.max(0, answer.observers.findIndex((one) => one.name === name));
    const found = ask({ do: "twin", what: what(), events: place.events.slice(0, place.at), observer, variable, value }).twin;
    return { key: JSON.stringify([what(), place.events.slice(0, place.at), place.why]), twins: found ? [found] : [], close: () => actions.why(null) };
  }
  const { twins, execution } = answer.verdict;
  const on = execution.every((label, i) => place.events[i] === label);
  return { key: JSON.stringify(["violation", what()]), twins: on ? twins : [], close: null };
}

function render() {
  place = here();
  const answer = about();
  if (answer.error) return fail(answer.error);
  const events = place.events;
  const at = (list) => ask({ do: "at", what: what(), events: list, view: world.view ?? "" });
  const found = at(events.slice(0, place.at));
  if (found.error) return fail(found.error);
  const whole = place.at < events.length ? at(events) : found;
  const all = whole.error ? found.moment.events : whole.moment.events;
  // An event that cannot happen here, in an old or a mistyped address, ends the walk before it.
  const lost = events.length - all.length;
  place = { ...place, events: events.slice(0, all.length), at: Math.min(place.at, all.length) };
  now = { moment: found.moment, all };
  drawWorld(found.view);
  const marks = { robot: found.robotMarks, estimates: found.estimateMarks };
  world.robot.show(marks.robot, "Where the robot is", spoken(marks.robot));
  const shown = pair(answer);
  shown.forEach((number, i) => {
    const who = answer.observers.length === 1 ? "the observer" : answer.observers[number].title;
    world.observers[i].show(marks.estimates[number], `Every place ${who} thinks possible`, spoken(marks.estimates[number]));
  });
  byId("lead").textContent = answer.lead;
  renderHeader(byId("promise"), answer, found.moment, { changed: changed(), note: data.note, actions });
  renderWalk(byId("walk"), { about: answer, pair: shown, moment: found.moment, all, at: place.at, robotPicture: world.robot.element,
    pictures: world.observers.map((one) => one.element), scene: world.scene, marks, actions, why: place.why });
  renderTwins(byId("twins"), { ...twinsHere(answer), at: place.at, world: {
    view: () => world.view, look: (vertices, view) => ask({ do: "look", view, vertices }), draw: (view) => ask({ do: "scene", view }) } });
  if (place.why && place.why.join() !== opened) byId("twins").scrollIntoView({ block: "nearest" });
  opened = place.why?.join();
  drawPlan(found.moment.plan);
  renderWhatIf(byId("whatif"), { about: answer, given: data.about, place, pair: shown, sought: answer.plan !== null,
    change: (name, next) => go({ changes: changeOf(name, next), why: null }), seek: (sought) => go({ sought, why: null }) });
  const broken = (side, i) => side.stipulations.filter((s) => s.state === "broken").map((s) => `Broken${side.several ? ` for ${answer.observers[i].title}` : ""}: ${s.name}.`);
  const told = found.moment.sides.flatMap((side, i) => broken({ ...side, several: found.moment.sides.length > 1 }, i));
  const missed = lost > 0 ? " Some events in this address cannot happen here and were left out." : "";
  byId("live").textContent = [found.moment.words, ...told].join(" ") + missed;
  document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready ?? 0) + 1);
}

function fail(error) {
  byId("promise").replaceChildren(h("div", { class: "card note", role: "alert" }, h("p", {}, error),
    h("p", {}, h("button", { type: "button", onclick: () => { location.hash = ""; } }, "Start again"))));
  document.documentElement.dataset.ready = "failed";
}

const KEYS = [["→ or j", "one step forward"], ["← or k", "one step back"], ["1 … 9", "choose what happens next"],
  ["Home, End", "to the start, or to the last event"], ["v", "to where a stipulation breaks"],
  ["t", "light or dark"], ["Esc", "close what is open"], ["?", "this list"]];

function helpDialog() {
  const dialog = byId("help");
  dialog.replaceChildren(h("h2", { id: "help-title" }, "Keys"),
    h("dl", {}, KEYS.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h("form", { method: "dialog" }, h("button", { class: "main" }, "Close")));
  byId("help-open").addEventListener("click", () => dialog.showModal());
}

function theme() {
  const root = document.documentElement;
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const button = byId("theme");
  const label = () => { button.textContent = dark() ? "Light" : "Dark"; };
  const flip = () => {
    root.dataset.theme = dark() ? "light" : "dark";
    label();
  };
  button.addEventListener("click", flip);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();
  return flip;
}

function keyboard(flip) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea") && event.target.type !== "checkbox";
    if (event.ctrlKey || event.metaKey || event.altKey || typing || byId("help").open || !now) return;
    // A frame that scrolls keeps its arrows.
    if (event.key.startsWith("Arrow") && event.target.matches(".scrolls")) return;
    const outcome = /^[1-9]$/.test(event.key) ? now.moment.outcomes[Number(event.key) - 1] : null;
    const act = { ArrowRight: actions.forward, j: actions.forward, ArrowLeft: actions.back, k: actions.back,
      Home: () => actions.jumpTo(0), End: () => actions.jumpTo(now.all.length), t: flip, "?": () => byId("help").showModal(),
      Escape: () => place.why && actions.why(null),
      v: () => about().verdict.verdict === "violated" && actions.jump(about().verdict.execution) }[event.key];
    if (outcome) actions.choose(outcome.label);
    else if (act) act();
    else return;
    event.preventDefault();
  });
}

async function main() {
  helpDialog();
  const flip = theme();
  byId("title").textContent = data.about.title;
  document.querySelector("[data-skip]").addEventListener("click", (event) => {
    event.preventDefault();
    byId("walk").focus();
  });
  try {
    ask = await start(await unpacked(byId("engine").textContent));
    const opened = ask({ do: "open", grid: data.grid }, await unpacked(byId("document").textContent));
    if (opened.error) return fail(opened.error);
  } catch (error) {
    return fail(`This browser cannot run the page: ${error.message}`);
  }
  addEventListener("hashchange", render);
  keyboard(flip);
  render();
}

main();
