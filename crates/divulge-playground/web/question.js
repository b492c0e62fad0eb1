// The question: what is asked, with the options that the command line has.

import { h, replace } from "./dom.js";

const QUESTIONS = [
  ["check", "Check the plan", []],
  ["plan", "Seek a plan", ["minimize", "offers", "after", "shortest", "engine"]],
  ["map", "Seek a map", ["prefer", "any-map", "shortest"]],
  ["both", "Seek a plan and a map", ["minimize", "offers", "prefer", "any-map", "shortest", "engine"]],
  ["maps", "Seek all maps", ["any-plan", "any-map"]],
  ["audit", "Audit: whatever the robot does", ["opacity", "steps", "secret"]],
  ["info", "Sizes and clauses", ["clauses"]],
];

// What a file of another tool leaves open, whatever is asked.
const OPEN = ["goal", "avoid", "initial"];

const FIELDS = {
  minimize: ["Make least", [["", "the number of events"], ["cost", "the cost of the events"]]],
  offers: ["Actions offered", [["", "a choice only where one is needed"], ["permissive", "every action that works"], ["deterministic", "never a choice"]]],
  after: ["Go on after these events", "right, nothing"],
  shortest: ["Prove that it has the fewest events"],
  prefer: ["Which map", [["", "the first one found"], ["finest", "the finest: hides least"], ["coarsest", "the coarsest: hides most"], ["cheapest", "the cheapest merges"]]],
  "any-map": ["Set the model's map aside"],
  "any-plan": ["Set the model's plan aside"],
  engine: ["Engine", [["", "native"], ["and-or", "the paper's AND–OR search"]]],
  opacity: ["Opacity", [["", "no: the model's stipulations"], ["current", "current-state"], ["initial", "initial-state"], ["k-step", "K-step"], ["infinite", "infinite-step"]]],
  steps: ["K, for K-step", "3"],
  secret: ["What must stay secret", "room = clinic"],
  goal: ["Goal", "a condition, such as s = 3"],
  avoid: ["Keep away from", "a condition, or none"],
  initial: ["Start", "a condition, or all"],
  clauses: ["Clauses", [["", "no"], ["predicates", "over predicates"], ["vertices", "over vertices"]]],
};

export class Question {
  // `set` is called when a constant is given another value.
  constructor(form, ask, stop, set) {
    Object.assign(this, { form, told: set, values: { what: "" }, set: {}, seconds: "60", megabytes: "1024", outline: { plans: [], observers: [], constants: [] }, suggested: "check", busy: false, open: false });
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      if (this.busy) stop();
      else ask();
    });
    this.draw();
  }

  get what() {
    return this.values.what || this.suggested;
  }

  // The fields that belong to the question.
  own() {
    const fields = QUESTIONS.find(([what]) => what === this.what)[2];
    return [...OPEN.filter((name) => this.outline.foreign || this.values[name]), ...fields];
  }

  // What the session is asked: only what belongs to the question and is said.
  asked() {
    const own = this.own();
    const said = Object.fromEntries(own.filter((name) => this.values[name]).map((name) => [name, this.values[name]]));
    if (!said.opacity) delete said.secret;
    if (said.opacity === "k-step") said.opacity = `k-step=${(said.steps ?? "3").trim()}`;
    delete said.steps;
    const known = new Set([...this.outline.constants.map(([name]) => name), "plan", "observer"]);
    const set = Object.entries(this.set).filter(([name, value]) => known.has(name) && value.trim()).map(([name, value]) => [name, value.trim()]);
    return { what: this.what, set, ...said };
  }

  // How long and how much memory it may take; nothing said is no limit of time, and what a page can have.
  limits() {
    const number = (text) => (Number(text) > 0 ? Number(text) : 0);
    return { seconds: number(this.seconds), bytes: number(this.megabytes) * 2 ** 20 };
  }

  // Another text: what was said of the last one does not belong to it.
  fresh() {
    this.outline = { plans: [], observers: [], constants: [] };
    this.take({});
  }

  // Takes a question over, such as from a link; whatever it does not know is left out.
  take(asked) {
    this.values = { what: QUESTIONS.some(([what]) => what === asked.what) ? asked.what : "" };
    for (const name of Object.keys(FIELDS)) if (["string", "boolean"].includes(typeof asked[name])) this.values[name] = asked[name];
    const steps = /^k-step=(.*)$/.exec(this.values.opacity ?? "");
    if (steps) Object.assign(this.values, { opacity: "k-step", steps: steps[1] });
    this.set = Object.fromEntries((Array.isArray(asked.set) ? asked.set : []).filter((pair) => Array.isArray(pair) && pair.every((text) => typeof text === "string")));
    this.open = Object.keys(asked).some((name) => name in FIELDS) || Object.keys(this.set).length > 0;
    this.draw();
  }

  // What can be chosen in the model as it is now.
  knows(outline, suggested) {
    const same = JSON.stringify([outline, suggested]) === JSON.stringify([this.outline, this.suggested]);
    Object.assign(this, { outline, suggested });
    if (!same) this.draw();
  }

  running(busy) {
    this.busy = busy;
    this.draw();
  }

  field(name, label, kind, value, change) {
    const id = `q-${name}`;
    const options = { id, "data-key": id };
    let input;
    if (Array.isArray(kind)) {
      input = h("select", { ...options, onchange: () => change(input.value) }, kind.map(([each, text]) => h("option", { value: each, selected: each === (value ?? "") }, text)));
    } else if (kind === undefined) {
      input = h("input", { ...options, type: "checkbox", checked: Boolean(value), onchange: () => change(input.checked) });
      return h("p", { class: "field tick" }, input, h("label", { for: id }, label));
    } else {
      input = h("input", { ...options, type: "text", value: value ?? "", placeholder: kind, spellcheck: "false", autocomplete: "off", oninput: () => change(input.value) });
    }
    return h("p", { class: "field" }, h("label", { for: id }, label), input);
  }

  draw() {
    const { values, outline } = this;
    const own = this.own();
    const option = (name) => this.field(name, FIELDS[name][0], FIELDS[name][1], values[name], (value) => {
      values[name] = value;
      if (name === "opacity") this.draw();
    });
    const choice = (name, label, list) => (list.length > (name === "plan" ? 0 : 1)
      ? this.field(`set-${name}`, label, [["", "as the model says"], ...list.map((each) => [each, each]), ...(name === "plan" ? [["none", "none"]] : [])], this.set[name], (value) => { this.set[name] = value; })
      : null);
    const constants = outline.constants.map(([name, text]) => this.field(`const-${name}`, name, text, this.set[name], (value) => {
      this.set[name] = value;
      this.told();
    }));
    const details = h("details", { open: this.open, ontoggle: () => { this.open = details.open; } },
      h("summary", { "data-key": "options" }, "Options and limits"),
      h("div", { class: "fields" }, own.filter((name) => (name !== "secret" || values.opacity) && (name !== "steps" || values.opacity === "k-step")).map(option),
        choice("observer", "Observer", outline.observers), choice("plan", "Plan", outline.plans), constants,
        this.field("seconds", "Time limit in seconds", "no limit", this.seconds, (value) => { this.seconds = value; }),
        this.field("megabytes", "Memory limit in MB", "4096", this.megabytes, (value) => { this.megabytes = value; })));
    replace(this.form,
      h("div", { class: "ask-line" },
        h("label", { class: "unseen", for: "q-what" }, "Question"),
        h("select", { id: "q-what", "data-key": "q-what", onchange: (e) => { values.what = e.target.value; this.draw(); } },
          QUESTIONS.map(([what, title]) => h("option", { value: what, selected: what === this.what }, title))),
        h("button", { type: "submit", id: "ask", "data-key": "ask", class: this.busy ? "stop" : "main" }, this.busy ? "Stop" : "Ask")),
      details);
  }
}
