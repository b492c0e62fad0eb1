// The answer: the verdict, then words, pictures, the walk-through and the object that `--json` prints, each behind a tab.

import { h, replace, rich } from "./dom.js";
import { download, ending } from "./files.js";
import { unbroken } from "./words.js";

const VERDICTS = {
  holds: ["✓", "holds", "It holds"], found: ["✓", "holds", "Found"], violated: ["✕", "violated", "Violated"], none: ["✕", "violated", "There is none, and that is proven"],
  unknown: ["?", "unknown", "Unknown"], info: ["i", "unknown", "Sizes"], error: ["!", "unknown", "This cannot be asked"], stopped: ["■", "unknown", "Stopped"],
  crashed: ["!", "violated", "The engine gave up"],
};

const LIMITS = { time: "the time limit was hit first", memory: "the memory limit was hit first", interrupt: "it was stopped" };

// What a reply says first, apart from the verdict: a sentence.
function first(reply) {
  const rest = (reply.words ?? "").replace(/^(holds|violated.*|found|none|unknown)\n/, "").trim();
  const lines = rest.split(/\n\s*\n/)[0].split("\n");
  const until = lines.findIndex((line) => /^\s{2,}\S/.test(line));
  const text = lines.slice(0, until < 0 ? lines.length : until).join(" ");
  return /^.*?[.:](?=\s[A-Z]|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

export function drawVerdict(place, reply) {
  const [sign, look, title] = VERDICTS[reply.verdict];
  const said = reply.limit ? LIMITS[reply.limit] : reply.error ?? "";
  const head = said ? `${title}: ${said}` : title;
  const about = { error: reply.help, stopped: "Nothing is lost: change the model or the question, and ask again.",
    crashed: "It ran out of memory, or into something that it could not cope with. Your model is as it was, and the engine has been started again. Try a smaller problem, or the program itself." }[reply.verdict];
  replace(place, h("div", { class: `verdict ${look}`, "data-verdict": reply.verdict },
    h("span", { class: "sign", "aria-hidden": "true" }, sign),
    h("div", {}, h("h2", {}, rich(head)), h("p", {}, rich(about ?? (reply.verdict === "info" ? "" : first(reply)))))));
}

const TABS = { words: "In words", pictures: "Pictures", walk: "Walk through", json: "JSON" };

export class AnswerView {
  // `session` asks more of the last answer: draw(width) and explore() give promises.
  constructor(place, session) {
    Object.assign(this, { place, session, tab: "words", reply: null, name: "", made: {} });
  }

  clear() {
    this.reply = null;
    this.made = {};
    replace(this.place);
  }

  show(reply, name) {
    Object.assign(this, { reply, name, made: {} });
    const tabs = ["words", "pictures", ...(reply.verdict === "info" ? [] : ["walk"]), ...(reply.json ? ["json"] : [])];
    if (reply.findings || reply.error) return replace(this.place, reply.findings ? h("pre", { class: "words", tabindex: "0" }, reply.findings) : null);
    if (!tabs.includes(this.tab)) this.tab = "words";
    this.tabs = tabs;
    this.draw();
  }

  choose(tab, focus) {
    this.tab = tab;
    this.draw();
    if (focus) this.place.querySelector(`[data-key=tab-${tab}]`)?.focus();
  }

  draw() {
    const { tabs } = this;
    const step = (e) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!by) return;
      e.preventDefault();
      this.choose(tabs[(tabs.indexOf(this.tab) + by + tabs.length) % tabs.length], true);
    };
    const tab = (name) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "data-key": `tab-${name}`, "aria-selected": String(name === this.tab), "aria-controls": "shown",
      tabindex: name === this.tab ? "0" : "-1", onclick: () => this.choose(name) }, TABS[name]);
    const shown = h("div", { id: "shown", role: "tabpanel", "aria-labelledby": `tab-${this.tab}`, tabindex: "-1" }, this.panel());
    replace(this.place, h("div", { role: "tablist", class: "tabs", "aria-label": "The answer", onkeydown: step }, tabs.map(tab)), shown);
    document.documentElement.dataset.shown = String(Number(document.documentElement.dataset.shown ?? 0) + 1);
  }

  panel() {
    if (this.tab === "words") return this.words();
    if (this.tab === "json") return this.json();
    if (!this.made[this.tab]) {
      this.made[this.tab] = h("p", { class: "soft" }, this.tab === "walk" ? "The walk-through is being made…" : "The pictures are being drawn…");
      this.make(this.tab);
    }
    return this.made[this.tab];
  }

  words() {
    const { reply } = this;
    return [reply.notes.length ? h("ul", { class: "notes" }, reply.notes.map((note) => h("li", {}, rich(note)))) : null,
      this.said(reply),
      reply.warnings ? h("details", {}, h("summary", {}, "Warnings about the model"), h("pre", { class: "words", tabindex: "0" }, reply.warnings)) : null];
  }

  // The words as they are, or so that a narrow screen need not scroll to read a sentence.
  said({ words, columns }) {
    if (!words) return h("pre", { class: "words", tabindex: "0" }, "There is nothing more to say.");
    if (!columns?.narrow) return h("pre", { class: "words", tabindex: "0" }, words);
    const part = ({ table, text, indent }) => (table ? h("pre", { class: "table", tabindex: "0" }, table.join("\n")) : h("div", { style: `padding-left: ${indent + 2}ch; text-indent: -2ch` }, text || "\u00a0"));
    return h("div", { class: "words narrow" }, unbroken(words, columns.asked).map(part));
  }

  json() {
    return [h("p", {}, h("button", { type: "button", class: "small", onclick: () => download(ending(this.name, ".answer.json"), this.reply.json, "application/json") }, "Download")),
      h("pre", { class: "words", tabindex: "0" }, pretty(this.reply.json))];
  }

  async make(tab) {
    const { reply } = this;
    let made;
    try {
      made = tab === "walk" ? await this.walk() : await this.pictures();
    } catch (e) {
      made = h("p", { class: "soft" }, e.stopped ? "This was stopped." : e.crashed ? "This is too large to be shown here." : String(e.message ?? e));
    }
    if (this.reply !== reply) return;
    this.made[tab] = made;
    if (this.tab === tab) this.draw();
  }

  async pictures() {
    const found = await this.session.draw(Math.max(300, this.place.clientWidth - 24));
    if (found.error) return h("p", { class: "soft" }, `There is no picture: ${found.error}.`);
    this.all = found.all;
    const one = ({ title, description, svg }, i) => h("figure", { class: "picture" },
      h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": title }, h("img", { alt: description, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` })),
      h("button", { type: "button", class: "small", "aria-label": `Download SVG: ${title}`, onclick: () => download(ending(this.name, found.pictures.length > 1 ? `-${i + 1}.svg` : ".svg"), svg, "image/svg+xml") }, "Download SVG"));
    return h("div", {}, found.pictures.map(one));
  }

  async walk() {
    const page = await this.session.explore();
    if (page.error) return h("p", { class: "soft" }, `There is nothing to walk through: ${page.error}.`);
    return h("div", {},
      h("p", {}, h("button", { type: "button", class: "small", onclick: () => download(ending(this.name, ".html"), page.html, "text/html") }, "Download this page")),
      h("iframe", { class: "walk", title: "Walk through the plan beside its observer", srcdoc: page.html }));
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
