// Two runs side by side: what happened, and what the observer takes it for, or could no longer take it for.

import { h, replace } from "./dom.js";
import { worldPicture } from "./picture.js";

function places(run, n) {
  return run.places[Math.min(n, run.places.length - 1)];
}

// One comparison with its own position; `mark(vertices)` finds places on the picture.
function comparison(twin, scene, mark, close) {
  const length = Math.max(twin.run.events.length, twin.other.events.length);
  const titles = ["What happened", "What might have happened instead"];
  const runs = [twin.run, twin.other];
  const pictures = runs.map(() => worldPicture(scene, "robot"));
  const rows = [...Array(length).keys()].map((i) => {
    const n = i + 1;
    const seen = runs.map((run) => run.images[i]);
    const parts = twin.parts_at === n;
    const cell = (k) => {
      const label = runs[k].events[i];
      if (label === undefined) return h("td", {}, "–");
      const differs = runs[0].events[i] !== runs[1].events[i];
      return h("td", { class: differs ? "differs" : "" }, label, differs ? h("span", { class: "unseen" }, " (differs)") : null);
    };
    const after = twin.parts_at !== null && n > twin.parts_at;
    const saw = parts ? [seen[0] ?? "–", " ≠ ", seen[1] ?? "nothing"] : after ? seen[0] ?? "–" : seen[0] ?? seen[1] ?? "–";
    return h("tr", { class: parts ? "parting" : null },
      h("th", { scope: "row" }, h("button", { type: "button", class: "row-number", "data-key": `twin-${n}`, onclick: () => at(n) }, String(n))),
      cell(0), h("td", { class: "twin-saw" }, saw), cell(1));
  });
  let now = -1;
  const at = (n) => {
    now = n;
    rows.forEach((row, i) => row.classList.toggle("current", i + 1 === n));
    runs.forEach((run, k) => {
      const found = mark(places(run, n));
      pictures[k].show(found, `${titles[k]}, after ${n} events`, found.marks.map((m) => m.words).join("; "));
      words[k].textContent = scene.kind === "graph" ? "" : found.marks.slice(0, 4).map((m) => m.words).join("; ");
    });
  };
  const words = runs.map(() => h("p", { class: "hint" }));
  const element = h("div", { class: "card twins" },
    h("div", { class: "twins-head" }, h("h2", {}, twin.title), close ? h("button", { type: "button", class: "quiet", "data-key": "twins-close", onclick: close }, "Close") : null),
    h("p", { class: "under" }, twin.why),
    h("div", { class: "twins-body" },
      h("figure", {}, h("figcaption", {}, titles[0]), pictures[0].element, words[0]),
      h("div", { class: "twins-table" }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "n"), h("th", { scope: "col" }, "this run"), h("th", { scope: "col" }, "the observer sees"), h("th", { scope: "col" }, "the other run"))),
        h("tbody", {}, rows))),
      h("figure", {}, h("figcaption", {}, titles[1]), pictures[1].element, words[1])));
  return { element, at, length };
}

let shown = null;

// Shows comparisons, the first one at the moment that is being looked at; `key` says which they are.
export function renderTwins(root, { key, twins, scene, mark, at, close }) {
  root.hidden = twins.length === 0;
  if (!twins.length) {
    shown = null;
    root.replaceChildren();
    return;
  }
  if (shown?.key !== key) {
    const built = twins.slice(0, 3).map((twin) => comparison(twin, scene, mark, close));
    shown = { key, built };
    replace(root, built.map((one) => one.element));
  }
  shown.built.forEach((one) => one.at(Math.min(at, one.length)));
}
