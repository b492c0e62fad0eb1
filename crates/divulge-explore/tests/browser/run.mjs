// The explorer in a real browser. Usage: node run.mjs FOLDER, where FOLDER holds the pages that scripts/test-browser makes; pictures
// of what was seen are put beside them.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";

import { KEYS } from "./driver.mjs";
import { inspect } from "./inspect.mjs";
import { observers } from "./observers.mjs";
import { axe, suite } from "./suite.mjs";

const folder = resolve(process.argv[2] ?? "target/pages");
const page = (name) => join(folder, `${name}.html`);
const only = process.argv[3];

const tests = {
  async "opens on the start, and says what can never be found out"(b) {
    await b.open(page("nuclear"));
    assert.match(await b.text("#verdict"), /Both stipulations are kept/);
    assert.match(await b.text(".facts"), /can never find out facility: whatever happens, it thinks both breeder and pebble possible after every step/);
    assert.match(await b.text(".facts"), /always knows whether rad is high or low/);
    const demands = await b.texts(".demand-words");
    assert.deepEqual(demands, ["The observer must know whether rad is high or low as soon as the robot may be at a goal.",
      "The observer must never find out whether facility is breeder or pebble."]);
    assert.equal(await b.count(".stream li"), 1);
    assert.equal(await b.count(".of-robot .mark"), 1);
    assert.match(await b.text(".of-robot desc"), /row 0, col 0/);
    await b.screenshot(join(folder, "start.png"));
  },

  async "steps forward and back, and jumps"(b) {
    await b.open(page("nuclear"));
    await b.drawn(() => b.click("[data-key=forward]"));
    await b.drawn(() => b.click("[data-key=forward]"));
    assert.equal(await b.hash(), "#events=right,nothing");
    assert.equal(await b.count(".stream li"), 3);
    assert.match(await b.text(".stream .current"), /sees nothing/);
    // To somebody who knows nothing of the plan, any move looks like this one.
    assert.equal(await b.count(".of-observer .mark"), 2);
    await b.drawn(() => b.click("[data-key=back]"));
    assert.equal(await b.hash(), "#events=right,nothing&at=1");
    assert.equal(await b.count(".stream .ahead"), 1);
    await b.drawn(() => b.click("[data-key=event-0]"));
    assert.match(await b.text(".stream .current"), /start/);
    await b.drawn(() => b.click("[data-key=event-2]"));
    assert.match(await b.text(".stream .current"), /sees nothing/);
    assert.match(await b.text("#live"), /Step 2\. The robot observed nothing/);
  },

  async "chooses outcomes at a branch, and the browser's own buttons go back"(b) {
    await b.open(page("nuclear"), "#events=right,nothing,down");
    assert.deepEqual(await b.texts(".choice-label"), ["blue", "dark"]);
    assert.deepEqual(await b.texts(".choice-seen"), ["seen as light", "seen as light"]);
    await b.drawn(() => b.click("[data-key=outcome-1]"));
    assert.equal(await b.hash(), "#events=right,nothing,down,dark");
    // The robot knows now, the observer does not.
    assert.equal(await b.count(".robot-side .asked .chip.known"), 1);
    assert.deepEqual(await b.texts(".observer-side tr:first-child .chip.possible"), ["breeder, possible", "pebble, possible"]);
    await b.drawn(() => b.back());
    assert.equal(await b.hash(), "#events=right,nothing,down");
    await b.drawn(() => b.forward());
    assert.match(await b.text(".stream .current"), /dark/);
    await b.screenshot(join(folder, "branch.png"));
  },

  async "follows a shared address, changes and all"(b) {
    await b.open(page("nuclear"), "#events=right,nothing,down,blue,up,nothing,right,high,down,nothing,down,exit&at=8&alike=left~right~up~down&knows=plan");
    assert.match(await b.text("#verdict"), /“hide” is broken/);
    assert.match(await b.text(".stream .current"), /high/);
    assert.equal(await b.count(".stream li"), 13);
    assert.equal(await b.run("document.querySelector('[data-key=knows-plan]').checked"), true);
    assert.equal(await b.run("document.querySelector('[data-key=\"merge-blue-dark\"]').checked"), false);
    assert.match(await b.text(".demand.broken"), /must not know that facility is pebble, but it knows that facility is pebble/);
  },

  async "an address with events that cannot happen ends before them"(b) {
    await b.open(page("nuclear"), "#events=right,nothing,left,nothing");
    assert.equal(await b.count(".stream li"), 3);
    assert.match(await b.text("#live"), /cannot happen here/);
    await b.open(page("nuclear"), "#events=%zz,,&at=99999999999&alike=nobody&why=x");
    assert.match(await b.text("#promise"), /there is no event `nobody`/);
  },

  async "switches a merge off and on: the verdict follows"(b) {
    await b.open(page("nuclear"));
    await b.drawn(() => b.click(".switches li:nth-child(2) .track"));
    assert.match(await b.text("#verdict"), /What if“hide” is broken/);
    assert.match(await b.hash(), /alike=left~right~up~down/);
    await b.screenshot(join(folder, "what-if.png"));
    await b.drawn(() => b.click("[data-key=show]"));
    assert.equal(await b.count(".demand.broken"), 1);
    assert.equal(await b.run("document.querySelector('#twins').hidden"), false);
    await b.drawn(() => b.click(".switches li:nth-child(2) .track"));
    assert.match(await b.text("#verdict"), /^✓Both stipulations are kept/);
    // An event that stands alone, and another one: these look alike now.
    await b.click("[data-key=label-high]");
    assert.match(await b.text("#whatif"), /high is chosen/);
    await b.drawn(() => b.click("[data-key=label-low]"));
    assert.match(await b.text("#verdict"), /“learn” is broken/);
    assert.match(await b.hash(), /high~low/);
    await b.drawn(() => b.click("[data-key=reset]"));
    assert.match(await b.text("#verdict"), /^✓Both stipulations are kept/);
  },

  async "changes what the observer knows"(b) {
    await b.open(page("pentagon"));
    assert.match(await b.text("#verdict"), /The stipulation is kept/);
    await b.drawn(() => b.click("[data-key=knows-world]"));
    assert.match(await b.hash(), /knows=world/);
    assert.match(await b.text("#lead"), /nothing about the plan/);
    await b.drawn(() => b.click("[data-key=knows-plan]"));
    assert.doesNotMatch(await b.hash(), /knows/);
  },

  async "a violated check opens on the violation, with the twin runs side by side"(b) {
    await b.open(page("nuclear_hasty_violated"));
    assert.match(await b.text("#verdict"), /“hide” is broken/);
    assert.match(await b.text(".stream .current"), /high/);
    assert.equal(await b.count("#twins figure"), 2);
    assert.match(await b.text("#twins h2"), /How the observer comes to know that facility is pebble/);
    assert.match(await b.text("#twins .parting"), /^4high \(differs\)high ≠ nothingnothing \(differs\)$/);
    assert.equal(await b.count("#twins figure .mark"), 2);
    assert.match(await b.text(".demand.broken"), /Now: broken/);
    await b.screenshot(join(folder, "violation.png"));
  },

  async "a violation of what must be known shows runs that look alike"(b) {
    await b.open(page("nuclear_shy_violated"));
    assert.match(await b.text("#verdict"), /“learn” is broken/);
    assert.ok((await b.count("#twins .twins")) >= 1);
    assert.match(await b.text("#twins"), /cannot rule out/);
  },

  async "runs side by side are drawn where they are, and the row that tells them apart is in sight"(b) {
    for (const [name, where] of [["far-grid", /row 30, col 60/], ["far-graph", /lane 30, place 60/]]) {
      await b.open(page(name));
      assert.match(await b.text("#verdict"), /“hide” is broken/, name);
      const marks = await b.run("[...document.querySelectorAll('#twins figure')].map((f) => f.querySelectorAll('.mark').length)");
      assert.deepEqual(marks, [1, 1], name);
      assert.match(await b.text("#twins figure:last-child"), where, name);
      const seen = `((row) => { const [inner, outer] = [row, row.closest('.twins-table')].map((e) => e.getBoundingClientRect());
        return inner.top >= outer.top && inner.bottom <= outer.bottom; })(document.querySelector(arguments[0]))`;
      assert.match(await b.text("#twins .parting"), /^120red \(differs\)red ≠ green/, name);
      assert.equal(await b.run(seen, "#twins .parting"), true, "the row that tells is in sight");
      assert.equal(await b.run(seen, "#twins tbody tr:first-child"), false, "the table is longer than its frame");
      // Stepping back moves the pictures and the table along.
      await b.drawn(() => b.click("[data-key=event-40]"));
      assert.match(await b.text("#twins figure:last-child"), name === "far-grid" ? /row 30, col 20/ : /lane 30, place 20/, name);
      assert.equal(await b.run(seen, "#twins tr.current"), true, "the row of this moment is in sight");
      assert.ok((await b.run("document.documentElement.scrollHeight - document.querySelector('.foot').getBoundingClientRect().bottom - scrollY")) < 200, "nothing but the page is scrolled");
      await b.screenshot(join(folder, `${name}.png`));
    }
  },

  async "a document of many megabytes is opened and walked through"(b) {
    assert.ok(statSync(join(folder, "huge.json")).size > 40e6, "it is as large as it should be");
    assert.ok(statSync(page("huge")).size < 20e6, "it is packed");
    const begin = Date.now();
    await b.open(page("huge"), "#start", 120);
    const opened = Date.now() - begin;
    await b.drawn(() => b.press(KEYS.right), 60);
    assert.equal(await b.hash(), "#events=go");
    console.log(`    opened in ${opened} ms, a step in ${Date.now() - begin - opened} ms`);
  },

  async "a value that is still possible shows its look-alike run"(b) {
    await b.open(page("nuclear"), "#events=right,nothing,down,blue,up,nothing,right,high");
    await b.drawn(() => b.click("[data-key=why-facility-breeder]"));
    assert.match(await b.text("#twins h2"), /Why facility could still be breeder/);
    assert.match(await b.text("#twins"), /Event by event, both runs look the same/);
    const rows = await b.run("[...document.querySelectorAll('#twins tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))");
    assert.equal(rows.length, 8);
    assert.ok(rows.some((row) => row[1] !== row[3]), "the two runs differ somewhere");
    await b.screenshot(join(folder, "look-alike.png"));
    await b.drawn(() => b.press(KEYS.escape));
    assert.equal(await b.run("document.querySelector('#twins').hidden"), true);
  },

  async "a step of the plan can be gone to"(b) {
    await b.open(page("nuclear"));
    const last = await b.run("Math.max(...[...document.querySelectorAll('.plan .node')].map((n) => Number(n.dataset.key.slice(5))))");
    assert.equal(await b.count(".plan .node.lit"), 1);
    await b.drawn(() => b.run("document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', { bubbles: true }))", `[data-key="plan-${last}"]`));
    assert.equal(await b.run("document.querySelector('.plan .node.lit').dataset.key"), `plan-${last}`);
    assert.ok((await b.count(".stream li")) > 3);
  },

  async "everything can be done with the keyboard"(b) {
    await b.open(page("nuclear"));
    await b.drawn(() => b.press(KEYS.right));
    await b.drawn(() => b.press("j"));
    await b.drawn(() => b.press(KEYS.right));
    await b.drawn(() => b.press("2"));
    assert.equal(await b.hash(), "#events=right,nothing,down,dark");
    await b.drawn(() => b.press("k"));
    await b.drawn(() => b.press(KEYS.home));
    await b.drawn(() => b.press(KEYS.end));
    assert.match(await b.text(".stream .current"), /dark/);
    await b.press("?");
    await b.until("document.querySelector('dialog').open");
    await b.press(KEYS.escape);
    await b.until("!document.querySelector('dialog').open");
    // At a branch, forward leads to the choices, and Enter takes one.
    await b.open(page("nuclear"), "#events=right,nothing,down");
    await b.press(KEYS.right);
    await b.until("document.activeElement.matches('.choice')");
    await b.drawn(() => b.press(KEYS.enter));
    assert.match(await b.hash(), /blue/);
    // A switch by Tab and Space alone.
    await b.run("document.querySelector('.plan .node.lit').focus()");
    for (let i = 0; i < 12 && !(await b.run("document.activeElement.matches('[role=switch]')")); i += 1) await b.press(KEYS.tab);
    await b.drawn(() => b.press(KEYS.space));
    assert.match(await b.hash(), /alike=/);
    assert.equal(await b.run("document.activeElement.matches('[role=switch]')"), true);
  },

  async "the focus stays where it was"(b) {
    await b.open(page("nuclear"));
    await b.drawn(() => b.click("[data-key=forward]"));
    assert.equal(await b.run("document.activeElement.dataset.key"), "forward");
    await b.drawn(() => b.press(KEYS.enter));
    assert.equal(await b.hash(), "#events=right,nothing");
  },

  async "light and dark, as the machine prefers and as the button says"(b) {
    await b.open(page("nuclear"));
    const ground = () => b.run("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await b.devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
    const dark = await ground();
    assert.notEqual(light, dark);
    await b.until("document.querySelector('#theme').textContent === 'Light'");
    assert.deepEqual(await inspect(b), []);
    await b.screenshot(join(folder, "dark.png"));
    await b.click("#theme");
    assert.equal(await ground(), light);
    await b.devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
    await b.press("t");
    assert.equal(await ground(), dark);
  },

  async "names, roles and contrasts are in order"(b) {
    for (const [name, hash] of [["nuclear", "#events=right,nothing,down"], ["nuclear_hasty_violated", ""], ["pentagon", "#events=a1,o2"], ["medicine", ""],
      ["hospital_hasty_violated", ""], ["hospital", "#events=ann,go,quiet,to_ann,quiet,give"], ["wards", ""]]) {
      await b.open(page(name), hash);
      assert.deepEqual(await inspect(b), [], name);
      assert.deepEqual(await axe(b, folder), [], name);
    }
  },

  async "fits a telephone"(b) {
    await b.resize(420, 900);
    try {
      await b.devtools("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 1, mobile: true });
      await b.open(page("nuclear"), "#events=right,nothing,down");
      assert.ok((await b.run("document.documentElement.scrollWidth")) <= 390, "nothing sticks out at the side");
      await b.screenshot(join(folder, "telephone.png"));
    } finally {
      await b.devtools("Emulation.clearDeviceMetricsOverride", {});
      await b.resize(1400, 1000);
    }
  },

  async "a world that is no grid is drawn in layers"(b) {
    await b.open(page("medicine"), "#events=right,asks_pills");
    assert.ok((await b.count(".of-robot .node")) > 10);
    assert.equal(await b.count(".of-robot .mark"), 1);
    assert.ok((await b.count(".of-observer .mark")) > 1);
    await b.screenshot(join(folder, "layers.png"));
  },

  async "where there is no plan, the page says why"(b) {
    await b.open(page("none"));
    assert.match(await b.text(".note h2"), /No plan keeps all of this/);
    assert.match(await b.text(".note pre"), /none keeps all of these/);
    assert.ok((await b.count(".choice")) >= 1);
    assert.match(await b.text("#plan"), /There is no plan/);
    await b.screenshot(join(folder, "none.png"));
  },

  async "another plan is found in the page"(b) {
    await b.open(page("nuclear_hasty_violated"));
    await b.drawn(() => b.click("[data-key=seek]"));
    assert.match(await b.text("#verdict"), /Both stipulations are kept/);
    assert.match(await b.hash(), /plan=sought/);
  },

  async "a thousand vertices without a hang, and beyond that a part"(b) {
    for (const [name, partial] of [["grid-thousand", false], ["grid-large", true], ["rooms-large", true]]) {
      const begin = Date.now();
      await b.open(page(name));
      const opened = Date.now() - begin;
      const steps = Date.now();
      for (let i = 0; i < 4; i += 1) await b.drawn(() => b.press("1"));
      const each = (Date.now() - steps) / 4;
      console.log(`    ${name}: opened in ${opened} ms, ${Math.round(each)} ms a step`);
      assert.ok(opened < 10_000 && each < 2_000);
      assert.equal((await b.count(".partial")) > 0, partial, name);
    }
    await b.screenshot(join(folder, "large.png"));
  },

  ...observers(page, folder),
};

await suite("the explorer", tests, folder, only);
