// A browser, driven by the WebDriver protocol: no libraries, so that a fresh machine needs Chromium, its driver and Node alone.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--force-device-scale-factor=1",
  // A browser reserves far more memory than it uses, so what a page may take is limited here.
  "--js-flags=--max-old-space-size=1024"];

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export const KEYS = { right: "\uE014", left: "\uE012", up: "\uE013", down: "\uE015", enter: "\uE007", tab: "\uE004", space: "\uE00D",
  escape: "\uE00C", control: "\uE009", shift: "\uE008", home: "\uE011", end: "\uE010" };

async function send(url, method, body) {
  const signal = AbortSignal.timeout(120_000);
  const answer = await fetch(url, { method, body: body && JSON.stringify(body), headers: { "content-type": "application/json" }, signal });
  const { value } = await answer.json();
  if (value?.error) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

export class Browser {
  // Starts a driver on a free port, and a browser with an empty profile.
  static async start() {
    const driver = spawn(process.env.CHROMEDRIVER ?? "chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
    const port = await new Promise((found, failed) => {
      let said = "";
      driver.on("error", failed);
      driver.on("exit", (code) => failed(new Error(`chromedriver ended with ${code}`)));
      driver.stdout.on("data", (text) => {
        said += text;
        const port = /on port (\d+)/.exec(said.replace(/--port|port 0/g, ""));
        if (port) found(port[1]);
      });
    });
    const profile = mkdtempSync(join(tmpdir(), "divulge-browser-"));
    const options = { args: [...FLAGS, `--user-data-dir=${profile}`, "--window-size=1400,1000"] };
    if (process.env.CHROMIUM) options.binary = process.env.CHROMIUM;
    const capabilities = { alwaysMatch: { "goog:chromeOptions": options, "goog:loggingPrefs": { browser: "ALL", performance: "ALL" } } };
    const base = `http://127.0.0.1:${port}/session`;
    const { sessionId } = await send(base, "POST", { capabilities });
    return new Browser(driver, profile, `${base}/${sessionId}`);
  }

  constructor(driver, profile, url) {
    Object.assign(this, { driver, profile, url });
  }

  async close() {
    await send(this.url, "DELETE").catch(() => {});
    this.driver.removeAllListeners("exit");
    this.driver.kill();
    await sleep(200);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  // Opens a page and waits until it is drawn. An address of the page that is open already would not load it again.
  async open(page, hash = "", seconds = 15) {
    await send(`${this.url}/url`, "POST", { url: "about:blank" });
    await send(`${this.url}/url`, "POST", { url: `file://${page}${hash}` });
    await this.until("document.documentElement.dataset.ready !== undefined", seconds);
  }

  run(script, ...args) {
    return send(`${this.url}/execute/sync`, "POST", { script: `return (${script})`, args });
  }

  async until(condition, seconds = 15) {
    for (let i = 0; i < seconds * 20; i += 1) {
      if (await this.run(condition)) return;
      await sleep(50);
    }
    throw new Error(`it never came to be that ${condition}`);
  }

  // Does something and waits until the page has drawn what follows from it.
  async drawn(act, seconds = 15) {
    const before = await this.run("document.documentElement.dataset.ready");
    await act();
    await this.until(`document.documentElement.dataset.ready !== ${JSON.stringify(before)}`, seconds);
  }

  async find(selector) {
    return (await send(`${this.url}/element`, "POST", { using: "css selector", value: selector }))[ELEMENT];
  }

  async click(selector) {
    const element = await this.find(selector);
    await this.run("arguments[0].scrollIntoView({ block: 'center' })", { [ELEMENT]: element });
    await send(`${this.url}/element/${element}/click`, "POST", {});
  }

  async press(...keys) {
    const actions = keys.flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    await send(`${this.url}/actions`, "POST", { actions: [{ type: "key", id: "keys", actions }] });
  }

  // Keys that are held down together, such as Ctrl and Enter.
  async chord(...keys) {
    const actions = [...keys.map((value) => ({ type: "keyDown", value })), ...keys.toReversed().map((value) => ({ type: "keyUp", value }))];
    await send(`${this.url}/actions`, "POST", { actions: [{ type: "key", id: "keys", actions }] });
  }

  // Text as if it came from a keyboard, all at once.
  type(text) {
    return this.devtools("Input.insertText", { text });
  }

  text(selector) {
    return this.run("document.querySelector(arguments[0])?.textContent.replace(/\\s+/g, ' ').trim() ?? null", selector);
  }

  texts(selector) {
    return this.run("[...document.querySelectorAll(arguments[0])].map((e) => e.textContent.replace(/\\s+/g, ' ').trim())", selector);
  }

  count(selector) {
    return this.run("document.querySelectorAll(arguments[0]).length", selector);
  }

  hash() {
    return this.run("location.hash");
  }

  back() {
    return send(`${this.url}/back`, "POST", {});
  }

  forward() {
    return send(`${this.url}/forward`, "POST", {});
  }

  // Through the browser's own protocol: what no page can do, such as to prefer dark colours.
  devtools(cmd, params) {
    return send(`${this.url}/goog/cdp/execute`, "POST", { cmd, params });
  }

  resize(width, height) {
    return send(`${this.url}/window/rect`, "POST", { width, height });
  }

  // What the page complained of since this was last asked.
  async complaints() {
    const all = await send(`${this.url}/se/log`, "POST", { type: "browser" });
    return all.filter((entry) => ["SEVERE", "WARNING"].includes(entry.level)).map((entry) => entry.message);
  }

  // The addresses that were asked for since this was last asked.
  async requests() {
    const all = await send(`${this.url}/se/log`, "POST", { type: "performance" });
    const messages = all.map((entry) => JSON.parse(entry.message).message);
    return messages.filter((m) => m.method === "Network.requestWillBeSent").map((m) => m.params.request.url);
  }

  // The whole page, or a part of its height, as PNG; with a quality, as WebP.
  async screenshot(path, { quality, top = 0, height } = {}) {
    const { contentSize } = await this.devtools("Page.getLayoutMetrics", {});
    const clip = { x: 0, y: top, width: contentSize.width, height: height ?? contentSize.height, scale: 1 };
    const form = quality ? { format: "webp", quality } : {};
    const { data } = await this.devtools("Page.captureScreenshot", { clip, captureBeyondViewport: true, ...form });
    writeFileSync(path, Buffer.from(data, "base64"));
  }
}
