// Takes the pictures of the manual. Usage: node pictures.mjs FOLDER-OF-PAGES FOLDER-OF-PICTURES

import { join, resolve } from "node:path";

import { Browser } from "./driver.mjs";

const [pages, pictures] = process.argv.slice(2).map((path) => resolve(path));
const browser = await Browser.start();
try {
  await browser.resize(1280, 1000);
  await browser.open(join(pages, "nuclear.html"), "#events=right,nothing,down,blue,up,nothing,right,high");
  await browser.screenshot(join(pictures, "explore.webp"), { quality: 72, height: await browser.run("document.querySelector('.below').offsetTop") });
  await browser.open(join(pages, "nuclear_hasty_violated.html"));
  await browser.screenshot(join(pictures, "explore-violation.webp"), { quality: 72, height: await browser.run("document.querySelector('#walk').offsetTop") });
  // Two observers: the walk alone, with its rows and both sides.
  await browser.open(join(pages, "hospital_hasty_violated.html"));
  const [top, bottom] = await browser.run("[document.querySelector('#verdict').offsetTop - 16, document.querySelector('.below').offsetTop]");
  await browser.screenshot(join(pictures, "explore-observers.webp"), { quality: 72, top, height: bottom - top });
} finally {
  await browser.close();
}
