// The page: a text on one side, its answer on the other, and the engines between them.

import { byId, h, replace, rich } from "./dom.js";
import { decodeLink, encodeLink } from "./link.js";
import { Drafts } from "./drafts.js";
import { decoded, Engine, unpacked } from "./engine.js";
import { closing, drawGallery } from "./gallery.js";
import { download, drawFiles, ending } from "./files.js";
import { Question } from "./question.js";
import { drawProblems } from "./problems.js";
import { AnswerView, drawVerdict } from "./answer.js";

// What a new visitor sees, and what a new model begins with.
const START = "lessons/corridor.divulge";
const EMPTY = "world {\n  x: 0..3 = 0\n\n  action forward when x < 3 { x := x + 1 }\n\n  observe { nothing otherwise }\n\n  goal x = 3\n}\n\nobserver watcher {\n  knows world\n  sees others as themselves\n  stipulate hidden: always !knows(x = 2)\n}\n";

const LARGEST_FILE = 16 * 2 ** 20;

// A text is read again when nothing was typed for so long, in milliseconds, and reading that takes longer than the second is begun anew.
const PAUSE = 150;
const TOO_LONG = 3000;

let editor = null;
let gallery = {};
let current = { name: "", example: null };
let reading = { text: null, since: 0, next: null };
let timer = null;
let saving = null;

const drafts = new Drafts();
const notice = (text) => {
  byId("notice").hidden = !text;
  replace(byId("notice"), rich(text ?? ""), text ? h("button", { type: "button", class: "small", onclick: () => notice("") }, "Dismiss") : null);
};

function files() {
  return { ...gallery, ...Object.fromEntries(drafts.list().map(({ name, text }) => [name, text])) };
}

function isModel(name, text) {
  return !/\.(json|fsm|gen|aut|prism|nm|pm|sm|pddl)$/.test(name) && !/^\s*[{[]/.test(text);
}

// ---- the text

function shownText(name, text, example = null) {
  flush();
  current = { name, example };
  byId("name").value = name;
  editor.open(text, isModel(name, text));
  question.fresh();
  answers.clear();
  replace(byId("verdict"));
  byId("kept").textContent = example ? "an example" : "";
  document.title = `${name} · divulge playground`;
  reader.send({ do: "files", files: files() }).catch(() => {});
  asker.send({ do: "files", files: files() }).catch(() => {});
  read();
}

// What is changed becomes a draft, of a name of its own if it was an example.
function changed(text) {
  if (current.example) {
    const name = drafts.fresh(current.name, Object.keys(gallery));
    current = { name, example: null };
    byId("name").value = name;
  }
  // The address led to the text as it was: whoever loads the page again wants it as it is.
  if (/^#(v\d+|example)=/.test(location.hash)) history.replaceState(null, "", "#");
  byId("kept").textContent = "…";
  clearTimeout(saving);
  saving = setTimeout(() => keep(text), 400);
  clearTimeout(timer);
  timer = setTimeout(read, PAUSE);
}

function keep(text) {
  saving = null;
  const name = drafts.put(current.name, text);
  if (name !== current.name) {
    notice(`Another window has changed the draft ${current.name}: what you write here is kept as ${name}.`);
    current = { name, example: null };
    byId("name").value = name;
  }
  byId("kept").textContent = drafts.works ? "kept in this browser" : "not kept: download it";
  if (!drafts.works) notice("This browser does not let the page keep drafts: download what you want to keep.");
}

function flush() {
  if (saving === null) return;
  clearTimeout(saving);
  keep(editor.text());
}

// ---- what is wrong with it

async function read() {
  const text = editor.text();
  if (reading.text !== null) {
    reading.next = true;
    if (performance.now() - reading.since > TOO_LONG) reader.stop();
    return;
  }
  reading = { text, since: performance.now(), next: false };
  let reply;
  try {
    reply = await reader.send({ do: "read", name: current.name, text, set: isModel(current.name, text) ? [] : question.asked().set }, { seconds: 30, bytes: 2 ** 30 });
  } catch (why) {
    reply = why.stopped ? null : { error: "the model could not be read: it is too large for this page" };
  }
  const again = reading.next || text !== editor.text();
  reading.text = null;
  if (reply && !again) shownReading(reply);
  document.documentElement.dataset.read = String(Number(document.documentElement.dataset.read ?? 0) + 1);
  if (again) read();
}

function shownReading(reply) {
  if (reply.error) {
    editor.problems([]);
    return replace(byId("problems"), h("h2", {}, rich(reply.error)), reply.help ? h("p", { class: "soft" }, rich(reply.help)) : null);
  }
  editor.problems(reply.problems.filter((found) => found.from !== null));
  const line = (at) => editor.view.state.doc.lineAt(Math.min(at, editor.view.state.doc.length)).number;
  drawProblems(byId("problems"), reply, line, { show: (found) => found.from !== null && editor.show(found.from, found.to), mend: (fix) => editor.mend(fix.edits), explain });
  question.knows({ ...reply.outline, foreign: reply.foreign }, reply.about?.suggested ?? question.suggested);
}

// What may be written at a place; nothing while the engine is busy elsewhere or breaks down.
function suggested(text, at) {
  return reader.send({ do: "complete", name: current.name, text, at }).then(({ suggestions }) => suggestions, () => null);
}

async function explain(code) {
  const { text, error } = await reader.send({ do: "explain", code }).catch(() => ({ error: "This cannot be looked up just now." }));
  const dialog = byId("explain");
  replace(dialog, h("div", { class: "head" }, h("h2", { id: "explain-title" }, code), closing(dialog)), h("pre", { class: "words", tabindex: "0" }, text ?? error));
  dialog.showModal();
}

async function layOut() {
  const before = editor.text();
  const { text, findings, error } = await reader.send({ do: "format", name: current.name, text: before }).catch(() => ({ error: "It cannot be laid out just now." }));
  if (text === undefined) return notice(findings ? "The model has errors, so it is not laid out." : error);
  if (text !== before && editor.text() === before) editor.replace(text);
}

// ---- asking

async function ask() {
  flush();
  const text = editor.text();
  const asked = question.asked();
  const name = current.name;
  answers.clear();
  replace(byId("verdict"));
  question.running(true);
  progress({ doing: "asking" }, performance.now());
  const begin = performance.now();
  const limits = question.limits();
  const room = columns();
  // Reading a model does not look at the clock; nobody waits much longer than was said.
  const late = limits.seconds ? setTimeout(() => asker.fail({ late: true }), limits.seconds * 1000 + 4000) : null;
  let reply;
  try {
    if (!isExample()) await asker.send({ do: "files", files: files() });
    reply = await asker.send({ do: "ask", name, text, question: asked, columns: room.asked }, { ...limits, progress: (p) => progress(p, begin) });
  } catch (why) {
    reply = why.stopped ? { verdict: "stopped" } : why.late ? { error: "the time limit was hit first", limit: "time" } : { verdict: "crashed" };
  }
  clearTimeout(late);
  byId("progress").hidden = true;
  question.running(false);
  if (!reply.verdict) reply = { ...reply, verdict: reply.limit ? "unknown" : "error" };
  drawVerdict(byId("verdict"), reply);
  if (!["stopped", "crashed"].includes(reply.verdict)) answers.show({ ...reply, columns: room }, name);
  document.documentElement.dataset.answered = String(Number(document.documentElement.dataset.answered ?? 0) + 1);
}

// How many letters to a line are asked for: as many as fit, but so many that no table is cut short. Whether the screen has room for fewer.
function columns() {
  const probe = h("pre", { class: "words", style: "position: absolute; visibility: hidden; width: auto; padding: 0; border: 0" }, "0".repeat(100));
  byId("answer").append(probe);
  const each = probe.getBoundingClientRect().width / 100;
  probe.remove();
  const fit = Math.floor((byId("answer").clientWidth - 34) / each);
  return { asked: Math.max(76, Math.min(120, fit)), narrow: fit < 64 };
}

const isExample = () => current.example !== null;

function progress({ doing, explored, stored, maps, learnt, adding, found, bytes }, begin) {
  const counted = (n, what) => (n ? [`${Math.round(n).toLocaleString("en").replaceAll(",", "\u202f")} ${what}`] : []);
  const parts = [adding ? `finding out why: ${doing}` : doing, ...counted(explored, "explored"), ...counted(stored, "estimates stored"), ...counted(maps, "regions of maps decided"), ...counted(learnt, "lessons learnt")];
  if (found?.events !== undefined) parts.push(`best so far ${found.events} events`);
  if (found?.feasible !== undefined) parts.push(`${found.feasible} maps would do, ${found.infeasible} would not`);
  if (bytes) parts.push(`${bytes >>> 20} MB`);
  parts.push(`${Math.round((performance.now() - begin) / 1000)} s`);
  byId("progress").hidden = false;
  replace(byId("progress"), h("span", { class: "spinner", "aria-hidden": "true" }), h("span", {}, parts.join(", ")));
}

const session = {
  draw: (width) => asker.send({ do: "draw", theme: dark() ? "dark" : "light", width }, { seconds: 20, bytes: 2 ** 31 }),
  async explore() {
    const found = await asker.send({ do: "explore" }, { seconds: 20, bytes: 2 ** 31 });
    if (found.error) return found;
    const stream = new Blob([found.document]).stream().pipeThrough(new CompressionStream("gzip"));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    let bytes = "";
    for (const byte of packed) bytes += String.fromCharCode(byte);
    const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
    const blanks = { title: escaped(found.title), summary: "", data: JSON.stringify(found.data).replace(/</g, "\\u003c"), document: btoa(bytes), engine: byId("packed-engine").textContent.trim() };
    const themed = explorer.replace("<html", `<html data-theme="${dark() ? "dark" : "light"}"`);
    return { html: themed.replace(/\{\{(\w+)\}\}/g, (_, name) => blanks[name] ?? "") };
  },
};

// ---- sharing and saving

async function share() {
  const fragment = await encodeLink({ name: current.name, text: editor.text(), question: question.asked() });
  const dialog = byId("link");
  if (!fragment) {
    replace(dialog, h("div", { class: "head" }, h("h2", { id: "link-title" }, "Share"), closing(dialog)), h("p", {}, "The model is too large for a link: download it, and send the file."));
    return dialog.showModal();
  }
  history.replaceState(null, "", fragment);
  const address = location.href;
  const input = h("input", { id: "link-text", readonly: true, value: address, "aria-label": "Link" });
  const done = h("span", { role: "status" });
  const copy = async () => {
    input.select();
    try {
      await navigator.clipboard.writeText(address);
      done.textContent = "Copied.";
    } catch {
      done.textContent = document.execCommand("copy") ? "Copied." : "Copy it yourself: it is selected.";
    }
  };
  const about = location.protocol === "file:" ? " It leads to this file: a colleague needs the same page, and can put what follows # after its own address." : "";
  replace(dialog, h("div", { class: "head" }, h("h2", { id: "link-title" }, "Share"), closing(dialog)),
    h("p", {}, `This link carries the whole model and the question, ${address.length.toLocaleString("en")} characters. Whoever opens it sees the same; nothing is stored anywhere.${about}`),
    h("p", {}, input), h("p", {}, h("button", { type: "button", class: "main", onclick: copy }, "Copy"), " ", done));
  dialog.showModal();
  input.select();
}

function save() {
  const dialog = byId("save");
  const one = (id, title, about, act, off) => h("li", {}, h("button", { type: "button", class: "entry", id: `save-${id}`, disabled: off, onclick: async () => { dialog.close(); await act(); } }, h("strong", {}, title), h("span", {}, about)));
  const converted = async (to, end, type) => {
    const { text, error, findings } = await reader.send({ do: "convert", name: current.name, text: editor.text(), to, question: question.asked() }).catch(() => ({ error: "This cannot be made just now." }));
    if (text === undefined) return notice(findings ? "The model has errors, so nothing is downloaded." : error);
    download(ending(current.name, end), text, type);
  };
  const filled = async () => {
    const { text, error } = await asker.send({ do: "document" }).catch(() => ({ error: "This cannot be made just now." }));
    if (text === undefined) return notice(error);
    download(ending(current.name, ".filled.json"), text, "application/json");
  };
  const exported = async (to, end, type) => {
    const { text, note, error, help } = await asker.send({ do: "export", to }, { seconds: 20, bytes: 2 ** 31 }).catch(() => ({ error: "this cannot be made just now" }));
    if (text === undefined) return notice(`Nothing is downloaded: ${error}${help ? ` (${help})` : ""}.`);
    download(ending(current.name, end), text, type);
    notice(note ?? "");
  };
  const drawn = async () => {
    const { all, error } = await session.draw(720).catch(() => ({ error: "This cannot be drawn just now." }));
    if (all === undefined) return notice(error);
    download(ending(current.name, ".svg"), all, "image/svg+xml");
  };
  const answered = answers.reply !== null && !answers.reply.error;
  const own = isModel(current.name, editor.text());
  replace(dialog, h("div", { class: "head" }, h("h2", { id: "save-title" }, "Download"), closing(dialog)), h("ul", { class: "entries" },
    own ? one("model", "The model", "as it is written, .divulge", () => download(ending(current.name, ".divulge"), editor.text()))
      : one("text", "The file", "as it is", () => download(current.name.slice(current.name.lastIndexOf("/") + 1), editor.text())),
    own ? null : one("written", "A model", "the same problem in the language, its graphs drawn", () => converted("model", ".divulge", "text/plain")),
    one("json", "The problem document", "JSON, for other programs", () => converted("json", ".json", "application/json")),
    one("filled", "The document with the answer filled in", "JSON that `divulge check` accepts", filled, !answered),
    one("answer", "The answer", "the object that --json prints", () => download(ending(current.name, ".answer.json"), answers.reply.json, "application/json"), !answered || !answers.reply.json),
    one("svg", "The pictures", "one SVG", drawn, !answered),
    one("bt", "The plan as a behavior tree", "XML, for BehaviorTree.CPP 4 and Groot", () => exported("bt", ".xml", "application/xml"), !answered || !answers.reply.plan),
    one("itf", "The violation as a trace", "Informal Trace Format (ITF), for Apalache and the like", () => exported("itf", ".itf.json", "application/json"), !answered || answers.reply.verdict !== "violated"),
    one("dot-plan", "The plan as a graph", "DOT, for Graphviz", () => exported("dot-plan", "-plan.dot", "text/vnd.graphviz"), !answered || !answers.reply.plan),
    one("dot-world", "The world as a graph", "DOT, for Graphviz", () => exported("dot-world", "-world.dot", "text/vnd.graphviz"), !answered)));
  dialog.showModal();
}

async function openFile(file) {
  if (file.size > LARGEST_FILE) return notice(`${file.name} is too large for the playground: ${LARGEST_FILE >> 20} MB are the most. The program itself takes it.`);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return notice(`${file.name} is not a text in UTF-8, so it is not opened.`);
  }
  taken(file.name, text);
}

// A text from elsewhere becomes a draft, and takes no other draft's place.
function taken(name, text) {
  flush();
  if (drafts.works) drafts.look();
  const same = drafts.all[name]?.text === text;
  const fresh = same ? name : drafts.fresh(name, Object.keys(gallery));
  shownText(fresh, text);
  keep(text);
}

function rename() {
  const wanted = byId("name").value.trim().replace(/^\/+|[\u0000-\u001f]/g, "");
  if (!wanted || wanted === current.name) {
    byId("name").value = current.name;
    return;
  }
  const text = editor.text();
  const name = drafts.fresh(wanted, Object.keys(gallery));
  if (!current.example) drafts.remove(current.name);
  current = { name, example: null };
  byId("name").value = name;
  keep(text);
  read();
}

// ---- the page

const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function theme(next) {
  if (next) document.documentElement.dataset.theme = next;
  byId("theme").textContent = dark() ? "Light" : "Dark";
  if (answers.reply) answers.show(answers.reply, answers.name);
}

function help() {
  const dialog = byId("help");
  const key = (keys, what) => h("tr", {}, h("td", {}, keys.map((k) => h("kbd", {}, k))), h("td", {}, what));
  replace(dialog, h("div", { class: "head" }, h("h2", { id: "help-title" }, "Help"), closing(dialog)),
    h("p", {}, "Write a model on the left: a world, somebody who watches, what they must or must not come to know, and a plan if you have one. What is wrong is underlined as you type; a press mends it where it can be mended. Then ask."),
    h("p", {}, "Every answer is exact: “none” is a proof, and whatever is found has been checked. Questions run in a thread of their own; Stop ends them, and so do the limits under Options."),
    h("table", { class: "keys" }, h("tbody", {}, key(["Ctrl", "Enter"], "ask; while a question runs, stop it"), key(["Ctrl", "Space"], "complete a word"), key(["Ctrl", "."], "what mends the problem here"), key(["F8"], "the next problem"), key(["Ctrl", "Shift", "M"], "the list of problems"),
      key(["Ctrl", "F"], "find"), key(["Ctrl", "]"], "indent; Tab leaves the editor"), key(["Ctrl", "Z"], "undo"))),
    h("p", {}, "A model may `include` any example or draft by its name."));
  dialog.showModal();
}

async function arrive() {
  const found = await decodeLink(location.hash);
  if (found.error) notice(`${found.error} Your drafts are all there.`);
  if (found.carried) {
    taken(found.carried.name || "shared.divulge", found.carried.text);
    question.take(found.carried.question);
    return true;
  }
  if (found.example !== undefined) {
    const path = gallery[found.example] === undefined ? `${found.example}.divulge` : found.example;
    if (gallery[path] === undefined) {
      notice(`There is no example called \`${found.example}\`. The examples are listed under Examples.`);
      return false;
    }
    shownText(path, gallery[path], path);
    question.take({ what: found.what });
    return true;
  }
  return false;
}

const explorer = decoded(await unpacked("explorer"));
gallery = JSON.parse(decoded(await unpacked("gallery")));
document.head.append(h("script", {}, decoded(await unpacked("editor"))));
const module = await WebAssembly.compile(await unpacked("engine"));
const worker = URL.createObjectURL(new Blob([await unpacked("worker")], { type: "text/javascript" }));
// One engine reads while one types, another answers: neither waits for the other.
const reader = new Engine(module, worker, files);
const asker = new Engine(module, worker, files);
const question = new Question(byId("ask-form"), ask, () => asker.stop(), () => isModel(current.name, editor.text()) || read());
const answers = new AnswerView(byId("answer"), session);
editor = window.Editor.create({ parent: byId("editor"), text: "", label: "The model", suggested, changed, run: () => (question.busy ? asker.stop() : ask()) });

drawGallery(byId("gallery"), gallery, (path) => shownText(path, gallery[path], path));
byId("gallery-open").onclick = () => byId("gallery").showModal();
byId("files-open").onclick = () => {
  flush();
  if (drafts.works) drafts.look();
  drawFiles(byId("files"), drafts, { open: (name) => { shownText(name, drafts.take(name)); drafts.keep(); }, remove: (name) => drafts.remove(name), fresh: () => taken("model.divulge", EMPTY), opened: openFile });
  byId("files").showModal();
};
byId("share").onclick = share;
byId("save-open").onclick = save;
byId("theme").onclick = () => theme(dark() ? "light" : "dark");
byId("help-open").onclick = help;
byId("format").onclick = layOut;
byId("name").onchange = rename;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme());
addEventListener("hashchange", arrive);
addEventListener("pagehide", flush);
theme();

if (!(await arrive())) {
  if (drafts.open) shownText(drafts.open, drafts.take(drafts.open));
  else shownText(START, gallery[START], START);
}
document.documentElement.dataset.ready = "1";
