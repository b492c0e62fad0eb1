// The extension for VS Code, as it is packed, against a stand-in for VS Code: it is activated, starts the server, passes a model on, shows what is
// wrong with it, and leaves nothing running. Usage: node vscode.cjs FOLDER PROGRAM, where FOLDER holds the unpacked extension.
//
// VS Code itself cannot be had on every machine. The stand-in has what the extension and its client use; whatever else they touch is an empty
// function or class.

const assert = require("node:assert/strict");
const Module = require("node:module");
const { join, resolve } = require("node:path");

const [folder, program] = process.argv.slice(2).map((path) => resolve(path));
const MODEL = "world {\n  x: 0..3 = 0\n  action go when x < 3 { x := x + 1 }\n  observe { quiet otherwise }\n  goal x == 3\n}\n";
const about = require(join(folder, "package.json"));

class Disposable {
  constructor(end) { this.dispose = end ?? (() => {}); }
  static from(...all) { return new Disposable(() => all.forEach((one) => one.dispose())); }
}

class EventEmitter {
  constructor() {
    this.heard = new Set();
    this.event = (hear, self) => {
      const bound = self ? hear.bind(self) : hear;
      this.heard.add(bound);
      return new Disposable(() => this.heard.delete(bound));
    };
  }
  fire(what) { return Promise.all([...this.heard].map((hear) => hear(what))); }
  dispose() { this.heard.clear(); }
}

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
  constructor(a, b, c, d) {
    Object.assign(this, typeof a === "number" ? { start: new Position(a, b), end: new Position(c, d) } : { start: a, end: b });
  }
}
class Uri {
  constructor(text) { Object.assign(this, { text, scheme: text.split(":")[0], path: text.slice(text.indexOf(":") + 1).replace(/^\/\//, ""), fsPath: text.replace(/^file:\/\//, "") }); }
  static parse(text) { return new Uri(text); }
  static file(path) { return new Uri(`file://${path}`); }
  toString() { return this.text; }
}
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }

class CancellationTokenSource {
  constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event }; }
  cancel() { this.token.isCancellationRequested = true; }
  dispose() {}
}

// Anything: a function, a class, an object with anything in it; but no promise.
const anything = () => new Proxy(class {}, {
  get: (made, name) => (name in made || typeof name === "symbol" || name === "then" ? made[name] : (made[name] = anything())),
  apply: () => anything(),
});
const lenient = (known) => new Proxy(known, {
  get: (made, name) => {
    if (name in made || typeof name === "symbol") return made[name];
    if (/^on[A-Z]/.test(name)) return (made[name] = new EventEmitter().event);
    if (/^(register|create)/.test(name)) return (made[name] = () => new Disposable());
    return (made[name] = anything());
  },
});

// What the client writes into its channel: what went wrong, if something did.
const log = (text) => process.env.TELL && console.error(text);
const shown = new Map();
const commands = new Map();
const contents = new Map();
const events = Object.fromEntries(["open", "change", "close", "settings"].map((name) => [name, new EventEmitter()]));
const uri = Uri.parse("untitled:model.divulge");
const lines = () => document.text.split("\n");
const document = {
  uri, languageId: "divulge", version: 1, text: MODEL, isClosed: false, fileName: "model.divulge",
  getText: () => document.text, get lineCount() { return lines().length; },
};

const vscode = lenient({
  CancellationTokenSource, Diagnostic, Disposable, EventEmitter, Position, Range, Uri,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  version: "1.85.0",
  env: lenient({ language: "en", appName: "stand-in" }),
  workspace: lenient({
    textDocuments: [document], workspaceFolders: undefined, notebookDocuments: [],
    getConfiguration: () => ({ get: (name, otherwise) => (name === "path" ? program : otherwise), inspect: () => undefined }),
    onDidOpenTextDocument: events.open.event, onDidChangeTextDocument: events.change.event, onDidCloseTextDocument: events.close.event,
    onDidChangeConfiguration: events.settings.event,
    createFileSystemWatcher: () => lenient({ dispose() {} }),
    registerTextDocumentContentProvider: (scheme, provider) => (contents.set(scheme, provider), new Disposable()),
  }),
  window: lenient({
    createOutputChannel: () => ({ append: log, appendLine: log, show() {}, dispose() {}, clear() {}, replace() {}, hide() {} }),
    showErrorMessage: (text) => assert.fail(`VS Code would show: ${text}`),
    visibleTextEditors: [], tabGroups: lenient({ all: [] }),
  }),
  languages: lenient({
    match: (selector, doc) => Number([selector].flat().some((one) => one.language === doc.languageId)) * 10,
    createDiagnosticCollection: () => ({ set: (at, list) => shown.set(at.toString(), list), delete: (at) => shown.delete(at.toString()), clear: () => shown.clear(), dispose() {} }),
  }),
  commands: lenient({
    registerCommand: (name, act) => (assert.ok(!commands.has(name), `${name} is registered twice`), commands.set(name, act), new Disposable(() => commands.delete(name))),
    executeCommand: async (name, ...args) => commands.get(name)?.(...args),
  }),
});

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

async function until(what, so) {
  for (let i = 0; i < 600; i += 1) {
    if (so()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`${what} did not happen; shown: ${JSON.stringify([...shown])}`);
}

async function run() {
  const extension = require(join(folder, about.main));
  const context = { subscriptions: [], extensionPath: folder };
  await extension.activate(context);
  const own = about.contributes.commands.map(({ command }) => command);
  assert.deepEqual(own.filter((name) => !commands.has(name)), [], "commands that are offered, but do nothing");
  assert.ok(commands.has("divulge.ask"), "lenses can ask");
  await until("the mistake is shown", () => shown.get(uri.toString())?.length === 1);
  const [wrong] = shown.get(uri.toString());
  assert.match(wrong.message, /`==` is written `=` here/);
  assert.equal(wrong.range.start.line, 4);
  const explained = await contents.get("divulge-explain").provideTextDocumentContent(Uri.parse("divulge-explain:E0104"));
  assert.match(explained, /E0104/);
  document.text = MODEL.replace("==", "=");
  document.version = 2;
  await events.change.fire({ document, contentChanges: [{ range: new Range(4, 9, 4, 11), rangeOffset: 0, rangeLength: 2, text: "=" }], reason: undefined });
  await until("what was mended is gone", () => !(shown.get(uri.toString()) ?? []).some(({ message }) => /==/.test(message)));
  await commands.get("divulge.restart")();
  await extension.deactivate();
  console.log("vscode: activated, told what is wrong, followed a change, restarted, left");
}

run().then(() => setTimeout(() => { console.error("vscode: error: something is still running"); process.exit(1); }, 5000).unref(), (error) => { console.error(error); process.exit(1); });
