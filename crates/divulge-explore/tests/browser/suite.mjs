// Runs tests in a browser, one after the other, and looks after each whether the page complained or asked for something.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { Browser } from "./driver.mjs";

// A second opinion on accessibility, where it could be had: what it finds wrong.
export async function axe(b, folder) {
  const file = join(folder, "axe.min.js");
  if (!existsSync(file)) return [];
  await b.run(`(() => { window.found = undefined; ${readFileSync(file, "utf8")}; return true; })()`);
  await b.run("void axe.run().then((found) => { window.found = found; })");
  await b.until("window.found !== undefined");
  return b.run("window.found.violations.map((v) => v.id + ': ' + v.help + ' ' + v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(', '))");
}

// Ends the process, with status 1 if a test failed. `only` is a part of the names of those to run.
export async function suite(title, tests, folder, only) {
  const browser = await Browser.start();
  let failed = 0;
  try {
    await browser.requests();
    for (const [name, test] of Object.entries(tests)) {
      if (only && !name.includes(only)) continue;
      const begin = Date.now();
      try {
        await test(browser);
        const outside = (await browser.requests()).filter((url) => /^(https?|wss?|ftp):/.test(url));
        assert.deepEqual(outside, [], "nothing is asked of the network");
        assert.deepEqual(await browser.complaints(), [], "nothing is complained of");
        console.log(`  ok    ${name} (${Date.now() - begin} ms)`);
      } catch (error) {
        failed += 1;
        console.log(`  FAIL  ${name}\n${String(error.stack).replace(/^/gm, "        ")}`);
        await browser.screenshot(join(folder, "failed.png")).catch(() => {});
        await browser.complaints().catch(() => {});
        await browser.requests().catch(() => {});
      }
    }
  } finally {
    await browser.close();
  }
  console.log(failed ? `${failed} failed` : `${title}: all passed`);
  process.exit(failed ? 1 : 0);
}
