// The playground in a real browser. Usage: node run.mjs FOLDER [NAME], where FOLDER holds the page that scripts/test-browser makes;
// pictures of what was seen are put beside it.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

import { KEYS } from "../../../divulge-explore/tests/browser/driver.mjs";
import { axe, suite } from "../../../divulge-explore/tests/browser/suite.mjs";

const folder = resolve(process.argv[2] ?? "target/pages");
const page = join(folder, "playground.html");

const MODEL = `world {
  x: 0..3 = 0
  action forward when x < 3 { x := x + 1 }
  action back when x > 0 { x := x - 1 }
  observe { quiet otherwise }
  goal x = 3
}

observer watcher {
  knows world
  sees forward, back as steps; others as themselves
  stipulate open: always possible(x = 1) | possible(x = 0) | possible(x = 2)
}
`;

// Opens the page as somebody who was never here, unless drafts are to stay.
async function open(b, hash = "", { stay = false } = {}) {
  await b.open(page, hash);
  if (!stay) {
    await b.run("localStorage.clear()");
    // Nothing may be written again when the page is left.
    await b.run("localStorage.__proto__.setItem = () => {}");
    await b.open(page, hash);
  }
  await b.until("document.documentElement.dataset.read !== undefined");
}

// Does something and waits until the text was read anew.
async function read(b, act) {
  const before = await b.run("document.documentElement.dataset.read");
  await act();
  await b.until(`document.documentElement.dataset.read !== ${JSON.stringify(before)}`, 20);
}

async function write(b, text) {
  await b.click(".cm-content");
  await b.chord(KEYS.control, "a");
  await read(b, () => b.type(text));
}

async function ask(b, what, act = () => b.click("#ask")) {
  if (what) await choose(b, "#q-what", what);
  const before = await b.run("document.documentElement.dataset.answered ?? null");
  await act();
  await b.until(`(document.documentElement.dataset.answered ?? null) !== ${JSON.stringify(before)}`, 60);
  return b.run("document.querySelector('[data-verdict]').dataset.verdict");
}

function choose(b, selector, value) {
  return b.run("((e, value) => { e.value = value; e.dispatchEvent(new Event('change', { bubbles: true })); e.dispatchEvent(new Event('input', { bubbles: true })); return true; })(document.querySelector(arguments[0]), arguments[1])", selector, value);
}

const model = (b) => b.run("document.querySelector('.cm-content').cmTile?.view?.state.doc.toString() ?? document.querySelector('.cm-content').cmView.view.state.doc.toString()");

const tests = {
  async "opens on the first lesson, and answers it"(b) {
    await open(b);
    assert.match(await model(b), /Lesson 1/);
    assert.equal(await b.text("#problems"), "No problems");
    assert.equal(await b.run("document.querySelector('#q-what').value"), "check", "it has a plan, so that is what to check");
    assert.equal(await ask(b), "holds");
    assert.match(await b.text("#verdict"), /It holds.*solves the world/);
    assert.match(await b.text(".words"), /The stipulation holds of everything/);
    await b.screenshot(join(folder, "playground.png"));
  },

  async "a model is typed, its mistakes are underlined and mended, and a plan is found"(b) {
    await open(b);
    await write(b, MODEL.replace("possible(x = 1)", "possible(x == 1)").replace("goal x = 3", "goal y = 3"));
    // What is no text of the language hides what else is wrong.
    await b.until("document.querySelectorAll('.cm-lintRange-error').length > 0");
    assert.match(await b.text("#problems h2"), /^1 error$/);
    assert.match(await b.text(".findings"), /E0104.*Help: write =/);
    await b.screenshot(join(folder, "playground-problem.png"));
    await read(b, () => b.click(".findings .fix"));
    assert.match(await model(b), /possible\(x = 1\)/);
    assert.match(await b.text(".findings"), /y.*E0201/);
    await b.click(".findings .code");
    await b.until("document.querySelector('#explain').open");
    assert.match(await b.text("#explain"), /E0201/);
    await b.click("#explain button");
    await write(b, MODEL.replace("back as steps", "bak as steps"));
    // The editor's own list offers the same.
    await b.click(".cm-content");
    await b.chord(KEYS.control, KEYS.shift, "m");
    await b.until("document.querySelector('.cm-panel-lint .cm-diagnosticAction') !== null");
    assert.match(await b.text(".cm-panel-lint"), /bak.*write `back`/);
    await read(b, () => b.click(".cm-panel-lint .cm-diagnosticAction"));
    assert.equal(await b.text("#problems h2"), "No problems");
    assert.equal(await model(b), MODEL);
    assert.equal(await b.run("document.querySelector('#q-what').value"), "plan", "there is no plan, so one is sought");
    assert.equal(await ask(b), "found");
    assert.match(await b.text("#verdict"), /Found.*plan of \d+ vertices/);
  },

  async "completes words and names"(b) {
    await open(b);
    await write(b, MODEL.replace("goal x = 3", "goal x = 3\n  ac"));
    await b.run("(() => { const view = (document.querySelector('.cm-content').cmTile ?? document.querySelector('.cm-content').cmView).view; const at = view.state.doc.toString().indexOf('  ac\\n') + 4; view.dispatch({ selection: { anchor: at } }); view.focus(); return true; })()");
    await b.chord(KEYS.control, " ");
    await b.until("document.querySelector('.cm-tooltip-autocomplete') !== null");
    assert.ok((await b.texts(".cm-tooltip-autocomplete li")).some((text) => /^action.*what the robot can do/.test(text)));
    await b.press(KEYS.escape);
    // The values of the variable that is compared, and then the names that come before words.
    for (const [broken, wanted] of [["goal x = ", ["0", "1", "2", "3"]], ["sees forward, ", ["back", "forward", "quiet"]]]) {
      // A text that is the same in the end need not be read anew.
      await write(b, `${MODEL}${broken.startsWith("goal") ? "" : "\n"}`);
      const at = await b.run("((view, text) => { const doc = view.state.doc.toString(); const from = doc.indexOf(text) + text.length; view.dispatch({ selection: { anchor: from } }); view.focus(); return from; })((document.querySelector('.cm-content').cmTile ?? document.querySelector('.cm-content').cmView).view, arguments[0])", broken);
      assert.ok(at > 20);
      await b.chord(KEYS.control, " ");
      await b.until("document.querySelector('.cm-tooltip-autocomplete') !== null");
      const offered = await b.run("[...document.querySelectorAll('.cm-tooltip-autocomplete .cm-completionLabel')].map((e) => e.textContent)");
      assert.deepEqual(wanted.filter((text) => !offered.includes(text)), [], `${broken}: ${offered}`);
      await b.press(KEYS.escape);
    }
  },

  async "words, pictures, the walk-through and JSON belong to an answer"(b) {
    await open(b, "#example=nuclear.divulge");
    assert.equal(await ask(b, "plan"), "found");
    await b.click("[data-key=tab-pictures]");
    await b.until("document.querySelectorAll('.picture img').length >= 3");
    await b.until("[...document.querySelectorAll('.picture img')].every((i) => i.complete && i.naturalWidth > 100)");
    assert.ok((await b.run("document.querySelector('.picture img').alt.length")) > 30, "a picture has words in its place");
    await b.screenshot(join(folder, "playground-pictures.png"));
    await b.click("[data-key=tab-walk]");
    await b.until("document.querySelector('iframe.walk')?.contentDocument?.documentElement?.dataset.ready !== undefined", 30);
    const inside = (selector) => b.run("document.querySelector('iframe.walk').contentDocument.querySelector(arguments[0]).textContent", selector);
    assert.match(await inside("#verdict"), /Both stipulations are kept/);
    await b.run("document.querySelector('iframe.walk').contentDocument.querySelector('[data-key=forward]').click()");
    await b.until("document.querySelector('iframe.walk').contentDocument.querySelectorAll('.stream li').length === 2");
    await b.screenshot(join(folder, "playground-walk.png"));
    await b.click("[data-key=tab-json]");
    const object = JSON.parse(await b.run("document.querySelector('.words').textContent"));
    assert.equal(object.verdict, "found");
    assert.equal(object.worst_case.events, 12);
    // The arrow keys go from tab to tab.
    await b.press(KEYS.left);
    assert.equal(await b.run("document.activeElement.id"), "tab-walk");
  },

  async "every question and its options"(b) {
    await open(b, "#example=nuclear.divulge");
    assert.equal(await ask(b, "check"), "holds");
    await choose(b, "#q-set-plan", "hasty");
    assert.equal(await ask(b, "check"), "violated");
    assert.match(await b.text(".words"), /How the observer comes to know that `facility = pebble`/);
    await choose(b, "#q-set-plan", "");
    assert.equal(await ask(b, "audit"), "violated");
    await choose(b, "#q-opacity", "infinite");
    assert.equal(await ask(b), "error");
    assert.match(await b.text("#verdict"), /say what must stay secret/);
    await choose(b, "#q-secret", "facility = breeder & row = 1 & col = 1");
    assert.match(await ask(b), /holds|violated/);
    await choose(b, "#q-opacity", "k-step");
    await choose(b, "#q-steps", "two");
    assert.equal(await ask(b), "error");
    assert.match(await b.text("#verdict"), /say how many steps/);
    await choose(b, "#q-steps", "2");
    assert.match(await ask(b), /holds|violated/);
    await choose(b, "#q-const-cols", "5");
    await choose(b, "#q-what", "plan");
    await choose(b, "#q-offers", "deterministic");
    assert.match(await ask(b), /found|none/);
    await choose(b, "#q-after", "right, nowhere");
    assert.equal(await ask(b), "error");
    assert.match(await b.text("#verdict"), /there is no event nowhere/);
    await choose(b, "#q-after", "");
    assert.equal(await ask(b, "map"), "error");
    assert.match(await b.text("#verdict"), /the observer has a map/);
    await b.run("(document.querySelector('details').open = true)");
    await b.click("#q-any-map");
    await choose(b, "#q-const-cols", "");
    await choose(b, "#q-prefer", "coarsest");
    assert.equal(await ask(b, "map"), "found");
    assert.equal(await ask(b, "both"), "found");
    assert.match(await b.text("#answer .notes"), /set aside, since one is sought/);
    assert.equal(await ask(b, "maps"), "found");
    assert.match(await b.text(".words"), /maps, .* would do/);
    await choose(b, "#q-what", "info");
    await choose(b, "#q-clauses", "predicates");
    assert.equal(await ask(b), "info");
    assert.match(await b.text(".words"), /dual-Horn/);
  },

  async "a file of another tool takes its goal, what to keep away from, and where it starts"(b) {
    await open(b, "#example=formats/lab.fsm");
    assert.equal(await ask(b, "plan"), "error");
    assert.match(await b.text("#verdict"), /does not say what the goal is.*field “Goal”.*state/);
    await b.run("(document.querySelector('details').open = true)");
    await choose(b, "#q-goal", "state = vault");
    assert.match(await ask(b), /found|none/);
    await choose(b, "#q-goal", "state = valt");
    assert.equal(await ask(b), "error");
    assert.match(await b.text("#verdict"), /goal: no state has state = valt.*did you mean/);
    await open(b, "#example=lessons/corridor");
    assert.equal(await b.count("#q-goal"), 0, "a model says it itself");
  },

  async "a long question is stopped, by hand and by its limits, and the next one is answered"(b) {
    await open(b, "#example=nuclear.divulge");
    await b.run("(document.querySelector('details').open = true)");
    for (const [field, value] of [["const-rows", "24"], ["const-cols", "26"]]) await choose(b, `#q-${field}`, value);
    await choose(b, "#q-what", "maps");
    await b.click("#q-any-map");
    await b.click("#q-any-plan");
    await b.click("#ask");
    await b.until("/explored|s$/.test(document.querySelector('#progress').textContent) && !document.querySelector('#progress').hidden", 30);
    assert.equal(await b.text("#ask"), "Stop");
    // The editor stays usable meanwhile.
    await read(b, async () => { await b.click(".cm-content"); await b.type(" "); });
    await b.screenshot(join(folder, "playground-busy.png"));
    assert.equal(await ask(b, null), "stopped");
    assert.equal(await b.text("#ask"), "Ask");
    await choose(b, "#q-seconds", "1");
    assert.equal(await ask(b, null), "unknown");
    assert.match(await b.text("#verdict"), /the time limit was hit first/);
    await choose(b, "#q-seconds", "60");
    await choose(b, "#q-const-rows", "");
    await choose(b, "#q-const-cols", "");
    assert.equal(await ask(b, "check"), "holds");
  },

  async "a link carries the model and the question to somebody else"(b) {
    await open(b);
    await write(b, MODEL);
    await choose(b, "#q-what", "plan");
    await choose(b, "#q-offers", "deterministic");
    await b.click("#share");
    await b.until("document.querySelector('#link').open");
    const link = await b.run("document.querySelector('#link-text').value");
    assert.ok(link.length < 1500, `${link.length} characters`);
    await open(b, link.slice(link.indexOf("#")));
    assert.equal(await model(b), MODEL);
    assert.equal(await b.run("document.querySelector('#q-what').value"), "plan");
    assert.equal(await b.run("document.querySelector('#q-offers').value"), "deterministic");
    assert.equal(await ask(b), "found");
    // What is changed then is what a reload shows.
    await write(b, `${MODEL}// mine\n`);
    assert.equal(await b.hash(), "");
  },

  async "a bad link says so, and loses nothing"(b) {
    await open(b);
    await b.open(page);
    await write(b, MODEL);
    await b.until("document.querySelector('#kept').textContent === 'kept in this browser'");
    for (const [hash, said] of [["#v1=abc", /damaged/], ["#v9=abc", /newer playground/], ["#example=nowhere", /no example called nowhere/]]) {
      await open(b, hash, { stay: true });
      assert.match(await b.text("#notice"), said);
      assert.equal(await model(b), MODEL);
    }
  },

  async "drafts are kept, and a browser that keeps nothing is said so"(b) {
    await open(b);
    await b.open(page);
    await write(b, MODEL);
    await b.until("document.querySelector('#kept').textContent === 'kept in this browser'");
    const name = await b.run("document.querySelector('#name').value");
    assert.notEqual(name, "lessons/corridor.divulge", "an example that is changed gets a name of its own");
    await open(b, "", { stay: true });
    assert.equal(await model(b), MODEL);
    assert.equal(await b.run("document.querySelector('#name').value"), name);
    await b.click("#files-open");
    assert.match(await b.text("#files"), new RegExp(name.replace(/[.\/]/g, ".")));
    await b.click("#new-model");
    assert.notEqual(await model(b), MODEL);
    await b.click("#files-open");
    assert.equal(await b.count("#files .draft"), 2);
    await b.click("#files .head button");
    const { identifier } = await b.devtools("Page.addScriptToEvaluateOnNewDocument", { source: "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });" });
    try {
      await b.open(page);
      await write(b, MODEL);
      await b.until("/does not let the page keep drafts/.test(document.querySelector('#notice').textContent)");
      assert.equal(await ask(b), "found");
    } finally {
      await b.devtools("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    }
  },

  async "an engine that breaks down is started again"(b) {
    const source = `window.Worker = class extends Worker {
      postMessage(message) {
        if (message.request?.do === "ask" && window.broken) this.onmessage({ data: { id: message.id, crashed: "RuntimeError: unreachable" } });
        else super.postMessage(message);
      }
    };`;
    const { identifier } = await b.devtools("Page.addScriptToEvaluateOnNewDocument", { source });
    try {
      await open(b);
      await b.run("window.broken = true");
      assert.equal(await ask(b), "crashed");
      assert.match(await b.text("#verdict"), /Your model is as it was/);
      assert.match(await model(b), /Lesson 1/);
      await b.run("window.broken = false, true");
      assert.equal(await ask(b), "holds");
    } finally {
      await b.devtools("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    }
  },

  async "every example opens without an error"(b) {
    await open(b);
    await b.click("#gallery-open");
    const paths = await b.run("[...document.querySelectorAll('#gallery [data-path]')].map((e) => e.dataset.path)");
    assert.ok(paths.length > 35, `${paths.length} examples`);
    await b.screenshot(join(folder, "playground-gallery.png"));
    await b.click("#gallery .head button");
    for (const path of paths.filter((path) => !path.endsWith("-domain.pddl"))) {
      await b.click("#gallery-open");
      await read(b, () => b.click(`[data-path="${path}"]`));
      await b.until(`document.querySelector('#name').value === ${JSON.stringify(path)}`);
      // This one leaves a constant open, and has an error until it is given.
      if (path === "formats/lamps.prism") await read(b, () => choose(b, "#q-const-N", "2"));
      assert.doesNotMatch(await b.text("#problems h2"), /error/, path);
    }
  },

  async "downloads the model, the document, the answer and the pictures"(b) {
    await b.devtools("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
    await open(b, "#example=nuclear.divulge");
    await b.click("#save-open");
    assert.equal(await b.run("document.querySelector('#save-svg').disabled"), true, "there are no pictures yet");
    await b.click("#save .head button");
    assert.equal(await ask(b, "plan"), "found");
    for (const kind of ["model", "json", "filled", "answer", "svg", "bt", "dot-plan", "dot-world"]) {
      await b.click("#save-open");
      await b.click(`#save-${kind}`);
    }
    const wanted = ["nuclear.divulge", "nuclear.json", "nuclear.filled.json", "nuclear.answer.json", "nuclear.svg", "nuclear.xml", "nuclear-plan.dot", "nuclear-world.dot"];
    for (let i = 0; i < 100 && !wanted.every((name) => readdirSync(folder).includes(name)); i += 1) await new Promise((done) => setTimeout(done, 100));
    assert.deepEqual(wanted.filter((name) => !readdirSync(folder).includes(name)), []);
  },

  async "the keyboard is enough: ask, leave the editor, lay out"(b) {
    await open(b);
    await b.click(".cm-content");
    assert.equal(await ask(b, null, () => b.chord(KEYS.control, KEYS.enter)), "holds");
    await b.press(KEYS.tab);
    assert.equal(await b.run("document.activeElement.closest('.cm-editor') === null"), true, "Tab leaves the editor");
    await write(b, MODEL.replace("action back when", "action   back   when"));
    await read(b, () => b.click("#format"));
    assert.match(await model(b), /action back {4}when x > 0 {2}|action back {3,}when/);
  },

  async "names, roles and contrasts are in order, light and dark"(b) {
    for (const value of ["light", "dark"]) {
      await b.devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
      await open(b, "#example=nuclear_hasty_violated");
      await write(b, `${MODEL}\nplan { forwrd }\n`);
      assert.deepEqual(await axe(b, folder), [], `${value}, with a problem`);
      await open(b, "#example=nuclear_hasty_violated");
      assert.equal(await ask(b), "violated");
      assert.deepEqual(await axe(b, folder), [], value);
      await b.click("[data-key=tab-pictures]");
      await b.until("document.querySelectorAll('.picture img').length >= 3");
      assert.deepEqual(await axe(b, folder), [], `${value}, pictures`);
      await b.screenshot(join(folder, `playground-${value}.png`));
    }
    await b.devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
  },

  async "fits a telephone, a tablet and a large screen"(b) {
    for (const [name, width, height] of [["telephone", 390, 844], ["tablet", 820, 1180], ["screen", 1920, 1080]]) {
      await b.devtools("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: name !== "screen" });
      try {
        await open(b, "#example=nuclear.divulge");
        assert.equal(await ask(b, "plan"), "found");
        assert.ok((await b.run("document.documentElement.scrollWidth")) <= width, `${name}: nothing sticks out at the side`);
        await b.screenshot(join(folder, `playground-${name}.png`));
        await b.click("[data-key=tab-pictures]");
        await b.until("document.querySelectorAll('.picture img').length >= 3");
        assert.ok((await b.run("document.documentElement.scrollWidth")) <= width, `${name}: nor do pictures`);
        await b.screenshot(join(folder, `playground-${name}-pictures.png`));
      } finally {
        await b.devtools("Emulation.clearDeviceMetricsOverride", {});
      }
    }
  },
};

await suite("the playground", tests, folder, process.argv[3]);
