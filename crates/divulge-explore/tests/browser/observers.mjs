// Several observers, unseen events, runs and hindsight in a real browser.

import assert from "node:assert/strict";
import { join } from "node:path";

import { KEYS } from "./driver.mjs";
import { inspect } from "./inspect.mjs";

const GIVEN = "#events=ann,go,quiet,to_ann,quiet,give";
const side = (name) => `.observer-side[data-observer="${name}"]`;

export const observers = (page, folder) => ({
  async "two observers stand beside each other, each with its own"(b) {
    await b.open(page("hospital"), GIVEN);
    assert.match(await b.text("#verdict"), /All 3 stipulations of both observers are kept/);
    assert.deepEqual(await b.texts(".observer-side h2"), ["visitors", "nurse"]);
    assert.deepEqual(await b.texts(".stream-head span"), ["", "the robot", "visitors saw", "nurse saw", ""]);
    assert.match(await b.text(".stream li:nth-child(5)"), /to_annvisitors: seen as doornurse: not seen/);
    assert.deepEqual(await b.texts(`${side("visitors")} .demand-name`), ["discreet"]);
    assert.deepEqual(await b.texts(`${side("nurse")} .demand-name`), ["informed", "in_time"]);
    assert.match(await b.text(".facts"), /“nurse” always knows that given is true/);
    assert.equal(await b.count("#promise .demand"), 0);
    await b.screenshot(join(folder, "observers.png"));
  },

  async "an event that is not seen leaves an observer where it was"(b) {
    await b.open(page("hospital"), GIVEN);
    const held = (name) => b.texts(`${side(name)} .mark title`);
    const [visitors, nurse] = [await held("visitors"), await held("nurse")];
    assert.match(await b.text(`${side("visitors")} .saw-now`), /Saw nothing at all/);
    assert.match(await b.text(`${side("visitors")} .still-words`), /It did not notice event 6 \(give\)\. What it thinks possible is as before/);
    assert.equal(await b.count(`${side("visitors")}.still`), 1);
    assert.match(await b.text(`${side("nurse")} .saw-now`), /Saw “lamp”/);
    assert.equal(await b.count(`${side("nurse")}.still`), 0);
    await b.drawn(() => b.press(KEYS.left));
    assert.deepEqual(await held("visitors"), visitors);
    assert.notDeepEqual(await held("nurse"), nurse);
    await b.drawn(() => b.press(KEYS.right));
    assert.match(await b.text("#live"), /“visitors” did not notice; “nurse” saw lamp/);
  },

  async "a stipulation on a run is told moment by moment"(b) {
    await b.open(page("hospital"), "#events=ann,go,quiet,to_ann");
    const informed = `${side("nurse")} .demand:first-child`;
    assert.match(await b.text(`${informed} .badge`), /Now: still owed/);
    await b.open(page("hospital"), GIVEN);
    assert.match(await b.text(`${informed} .badge`), /Now: satisfied/);
    assert.deepEqual(await b.texts(`${informed} .run tbody tr`), ["startno… still owed", "6 lampyes✓ satisfied"]);
    // A row leads to its moment.
    await b.drawn(() => b.click(`${informed} .run tbody tr:first-child button`));
    assert.match(await b.text(".stream .current"), /start/);
    // Without the lamp, it fails at the start, by both of its parts.
    await b.open(page("hospital"), "#start&unseen@nurse=go~to_ann~to_ben~give~to_sink~wash~leave~return~ann~ben~quiet");
    assert.match(await b.text("#verdict"), /“in_time” is broken for “nurse”/);
    assert.equal(await b.count(`${side("nurse")} .run .failed .culprit`), 2);
    assert.match(await b.text(`${side("nurse")} .demand.broken`), /can be broken.*At the start it was broken: it thinks it possible that at is hall, and it does not know that given is true/);
  },

  async "a moment that is given away later changes its row"(b) {
    await b.open(page("hospital_hasty_violated"));
    assert.match(await b.text("#verdict"), /“discreet” is broken for “visitors”.*in hindsight: what was seen since gives event 4 away/);
    assert.match(await b.text(".stream .recalled"), /4to_ann.*↶ visitors: given away by event 10 \(back\)/);
    const ground = (selector) => b.run("getComputedStyle(document.querySelector(arguments[0])).backgroundColor", selector);
    assert.notEqual(await ground(".stream .recalled .event"), await ground(".stream li:nth-child(3) .event"));
    assert.match(await b.text(`${side("visitors")} .demand`), /Looking back at event 4: then it thought that at could be ann or ben; event 10 \(seen as back\) gives away that at was ann/);
    await b.screenshot(join(folder, "hindsight.png"));
    // One step before, nothing is given away yet.
    await b.drawn(() => b.press(KEYS.left));
    assert.equal(await b.count(".stream .recalled"), 0);
    await b.drawn(() => b.press("v"));
    assert.equal(await b.count(".stream .recalled"), 1);
    assert.match(await b.text("#live"), /Event 4 is given away by event 10 \(back\)/);
  },

  async "what if an event were not seen at all, for each observer by itself"(b) {
    await b.open(page("hospital"), "#start");
    assert.deepEqual(await b.texts(".whose button"), ["visitors", "nurse"]);
    await b.click("[data-key=whose-nurse]");
    await b.until("document.querySelector('[data-key=whose-nurse]').ariaPressed === 'true'");
    // The lamp stands alone: chosen, then made unseen, by the keyboard.
    await b.click("[data-key=label-give]");
    assert.match(await b.text("#whatif"), /give is chosen\. Now press the event it should look like, or “not seen at all”/);
    await b.run("document.querySelector('[data-key=hide]').focus()");
    await b.drawn(() => b.press(KEYS.enter));
    assert.match(await b.hash(), /unseen@nurse=/);
    assert.match(await b.text("#verdict"), /What if“in_time” is broken for “nurse”/);
    assert.match(await b.text(".whose"), /nurse \(changed\)/);
    // And back again, by pressing it where it is now.
    await b.drawn(() => b.click("[data-key=label-give]"));
    assert.equal(await b.hash(), "#start");
    assert.match(await b.text("#verdict"), /^✓All 3 stipulations/);
    // Let the visitors see what the file hides from them.
    await b.click("[data-key=whose-visitors]");
    await b.drawn(() => b.click("[data-key=label-ann]"));
    assert.match(await b.hash(), /unseen@visitors=/);
    assert.match(await b.text("#verdict"), /“discreet” is broken for “visitors”/);
    await b.drawn(() => b.click("[data-key=reset]"));
    await b.drawn(() => b.click("[data-key=unseen] + .track"));
    assert.match(await b.hash(), /unseen@visitors=($|&)/);
    await b.drawn(() => b.back());
    assert.equal(await b.hash(), "#start");
  },

  async "a single observer may be made not to see, too"(b) {
    await b.open(page("nuclear"));
    assert.equal(await b.count(".group.out"), 0);
    await b.click("[data-key=label-exit]");
    await b.drawn(() => b.click("[data-key=hide]"));
    assert.match(await b.hash(), /unseen=exit/);
    assert.match(await b.text(".group.out"), /not seen at allexit/);
    await b.drawn(() => b.click("[data-key=label-exit]"));
    assert.doesNotMatch(await b.hash(), /unseen/);
  },

  async "a value that is still possible shows a run of another length"(b) {
    await b.open(page("hospital"), GIVEN);
    await b.drawn(() => b.click(`${side("visitors")} [data-key="why-visitors-given-false"]`));
    assert.match(await b.hash(), /why=given~false~visitors/);
    assert.match(await b.text("#twins h2"), /Why given could still be false, given what “visitors” has seen/);
    assert.match(await b.text("#twins"), /the observer sees the same; the rest it does not see at all/);
    const rows = await b.run("[...document.querySelectorAll('#twins tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))");
    assert.deepEqual(rows.filter((row) => row[2] === "door").length, 1);
    assert.ok(rows.some((row) => row[3] === "–"), "one of the runs is longer");
    await b.drawn(() => b.press(KEYS.escape));
  },

  async "of three observers, two are shown in full"(b) {
    await b.open(page("wards"));
    assert.equal(await b.count(".watcher"), 3);
    assert.deepEqual(await b.texts(".observer-side h2"), ["nurse", "visitor 1"]);
    await b.drawn(() => b.click('[data-key="watcher-visitor 2"]'));
    assert.deepEqual(await b.texts(".observer-side h2"), ["visitor 1", "visitor 2"]);
    assert.match(await b.hash(), /shows=visitor%201~visitor%202/);
    await b.drawn(() => b.press("1"));
    assert.deepEqual(await b.texts(".observer-side h2"), ["visitor 1", "visitor 2"]);
    await b.screenshot(join(folder, "watchers.png"));
  },

  async "several observers fit a telephone, a desk and the dark"(b) {
    try {
      for (const [width, dark] of [[390, false], [390, true], [1000, true], [1900, true]]) {
        await b.devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
        await b.devtools("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 });
        await b.open(page("hospital_hasty_violated"));
        assert.ok((await b.run("document.documentElement.scrollWidth")) <= width, `nothing sticks out at the side of ${width}`);
        assert.deepEqual(await inspect(b), [], `${width}`);
        await b.screenshot(join(folder, `hindsight-${width}${dark ? "-dark" : ""}.png`));
      }
    } finally {
      await b.devtools("Emulation.clearDeviceMetricsOverride", {});
      await b.devtools("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
    }
  },
});
