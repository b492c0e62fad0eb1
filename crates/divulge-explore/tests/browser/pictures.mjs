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
} finally {
  await browser.close();
}
