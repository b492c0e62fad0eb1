// The book in a real browser: it opens from a file, search finds, exercises open in the playground, a telephone shows all of it.
// Usage: node browser.mjs SITE FOLDER   (pictures of what was seen are put into FOLDER)

import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { suite } from "../../../crates/divulge-explore/tests/browser/suite.mjs";

const [site, folder] = process.argv.slice(2).map((path) => resolve(path));

// A page of the book is there once it is loaded.
async function open(b, path) {
  await b.devtools("Page.navigate", { url: "about:blank" });
  await b.devtools("Page.navigate", { url: `file://${join(site, path)}` });
  await b.until("document.readyState === 'complete' && document.querySelector('main') !== null");
}

const tests = {
  async "opens with pictures and colours"(b) {
    await open(b, "lessons/corridor.html");
    assert.match(await b.text("main h1"), /A corridor/);
    await b.until("[...document.images].every((image) => image.complete && image.naturalWidth > 100)");
    assert.ok((await b.count("code.language-divulge .hljs-keyword")) > 10, "models are coloured");
    assert.match(await b.text("main"), /The plan \(10 vertices\) solves the world/);
    await b.screenshot(join(folder, "book.png"), { height: 1800 });
  },

  async "search finds what is written"(b) {
    await open(b, "index.html");
    await b.press("s");
    await b.until("document.activeElement.id === 'mdbook-searchbar' || document.activeElement.id === 'searchbar'");
    await b.type("covert channel");
    // The index is loaded when search is first used, so what was typed before may have to be looked up again.
    const found = "[...document.querySelectorAll('#mdbook-searchresults a, #searchresults a')].some((a) => /channel/.test(a.href))";
    for (let i = 0; i < 20 && !(await b.run(found)); i += 1) {
      await b.press(" ");
      await sleep(300);
    }
    assert.ok(await b.run(found), "the lesson is found");
    await b.screenshot(join(folder, "book-search.png"), { height: 1000 });
  },

  async "an exercise opens in the playground"(b) {
    await open(b, "lessons/longer.html");
    const href = await b.run("document.querySelector('main a[href*=\"playground.html\"]').href");
    assert.match(href, /#example=lessons\/longer&ask=plan$/);
    await b.open(join(site, "playground.html"), href.slice(href.indexOf("#")));
    await b.until("document.querySelector('#name').value === 'lessons/longer.divulge'");
    assert.equal(await b.run("document.querySelector('#q-what').value"), "plan");
  },

  async "fits a telephone, and prints"(b) {
    await b.devtools("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 1, mobile: true });
    try {
      for (const path of ["index.html", "lessons/window.html", "recipes/cloud.html", "concepts/plainly.html", "docs/language.html", "docs/benchmarks.html"]) {
        await open(b, path);
        await sleep(100);
        assert.ok((await b.run("document.documentElement.scrollWidth")) <= 391, `${path} sticks out at the side`);
      }
      await open(b, "lessons/window.html");
      await b.screenshot(join(folder, "book-telephone.png"), { height: 2400 });
    } finally {
      await b.devtools("Emulation.clearDeviceMetricsOverride", {});
    }
    await open(b, "print.html");
    const { data } = await b.devtools("Page.printToPDF", { pageRanges: "1-3" });
    assert.ok(data.length > 20_000, "three pages on paper");
  },
};

await suite("the book", tests, folder);
