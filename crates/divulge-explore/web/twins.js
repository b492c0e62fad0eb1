// Two runs side by side: what happened, and what the observer takes it for, or could no longer take it for.

import { h, replace } from "./dom.js";
import { worldPicture } from "./picture.js";

const TITLES = ["What happened", "What might have happened instead"];

// One run on a picture of its own, which moves to where the run is. `look(vertices, view)` finds them on the picture, and
// which part of the world that is; `draw(view)` gets that part.
function picture(run, title, { look, draw, view }) {
  let drawn = { view: null };
  const frame = h("div", {});
  const words = h("p", { class: "hint" });
  const show = (n) => {
    // Of a run that the observer rules out, the last event may lead nowhere in particular.
    const known = Math.min(n, run.places.length - 1);
    const found = look(run.places[known] ?? [], drawn.view ?? view());
    if (found.view !== drawn.view) {
      const scene = draw(found.view);
      drawn = { view: found.view, scene, ...worldPicture(scene, "robot") };
      frame.replaceChildren(drawn.element);
    }
    const places = found.marks.marks.map((mark) => mark.words);
    const where = places.slice(0, 4).join("; ") + (places.length > 4 ? `; and ${places.length - 4} more` : "");
    drawn.show(found.marks, `${title}, after event ${known}`, places.join("; "));
    const told = drawn.scene.kind === "graph" ? "" : `${where}${known < n ? `, before event ${known + 1}` : ""}.`;
    const outside = found.marks.outside ? `It may also be at ${found.marks.outside} more, outside this part.` : "";
    words.textContent = [told, outside, drawn.scene.partial].filter(Boolean).join(" ");
  };
  return { element: h("figure", {}, h("figcaption", {}, title), frame, words), show };
}

// A row of the table: the events of both runs that stand side by side.
function row(twin, i, at) {
  const [a, b] = twin.rows[i];
  const [here, there] = [a === null ? undefined : twin.run.events[a], b === null ? undefined : twin.other.events[b]];
  const [saw, other] = [a === null ? undefined : twin.run.images[a], b === null ? undefined : twin.other.images[b]];
  const parts = a !== null && twin.parts_at === a + 1;
  const after = twin.parts_at !== null && a !== null && a + 1 > twin.parts_at;
  const differs = here !== there;
  const cell = (event) => event === undefined ? h("td", {}, "–")
    : h("td", { class: differs ? "differs" : "" }, event, differs ? h("span", { class: "unseen" }, " (differs)") : null);
  // What is not seen at all is nothing to tell runs apart by.
  const unseen = (saw ?? null) === null && (other ?? null) === null;
  const seen = parts ? [saw ?? "–", " ≠ ", other ?? "nothing"] : after ? saw ?? "–" : unseen ? h("span", { class: "image nothing" }, "not seen") : saw ?? other;
  return h("tr", { class: parts ? "parting" : null },
    h("th", { scope: "row" }, h("button", { type: "button", class: "row-number", "data-key": `twin-${i + 1}`, onclick: () => at(i + 1) }, String(i + 1))),
    cell(here), h("td", { class: "twin-saw" }, seen), cell(there));
}

// Scrolls a frame, and not the page, so that a row is in its middle, unless it can be seen already.
function reveal(frame, row) {
  const [outer, inner] = [frame.getBoundingClientRect(), row.getBoundingClientRect()];
  const head = frame.querySelector("thead").getBoundingClientRect().height;
  if (inner.top >= outer.top + head && inner.bottom <= outer.bottom) return;
  frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}

// One comparison with its own position.
function comparison(twin, world, close) {
  const length = twin.rows.length;
  // How many events of a run have happened after a row.
  const come = (k, n) => twin.rows.slice(0, n).filter((pair) => pair[k] !== null).length;
  const pictures = [twin.run, twin.other].map((run, k) => picture(run, TITLES[k], world));
  const at = (n) => {
    rows.forEach((row, i) => row.classList.toggle("current", i + 1 === n));
    pictures.forEach((one, k) => one.show(come(k, n)));
    if (rows[n - 1]) reveal(table, rows[n - 1]);
  };
  const rows = [...Array(length).keys()].map((i) => row(twin, i, at));
  const table = h("div", { class: "twins-table", tabindex: 0, role: "group", "aria-label": "Events of both runs" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "n"), h("th", { scope: "col" }, "this run"), h("th", { scope: "col" }, "the observer sees"), h("th", { scope: "col" }, "the other run"))),
    h("tbody", {}, rows)));
  const element = h("div", { class: "card twins" },
    h("div", { class: "twins-head" }, h("h2", {}, twin.title), close ? h("button", { type: "button", class: "quiet", "data-key": "twins-close", onclick: close }, "Close") : null),
    h("p", { class: "under" }, twin.why),
    h("div", { class: "twins-body" }, pictures[0].element, table, pictures[1].element));
  // What tells the runs apart: where they begin to look different, or else where they first differ.
  const telling = rows.find((row) => row.classList.contains("parting")) ?? rows.find((row) => row.querySelector(".differs"));
  // After so many events of this run.
  const after = (events) => at(events === 0 ? 0 : twin.rows.findIndex((pair) => pair[0] === Math.min(events, twin.run.events.length) - 1) + 1);
  return { element, after, length, tell: () => telling && reveal(table, telling) };
}

let shown = null;

// Shows comparisons, the first one at the moment that is being looked at; `key` says which they are.
export function renderTwins(root, { key, twins, world, at, close }) {
  root.hidden = twins.length === 0;
  if (!twins.length) {
    shown = null;
    root.replaceChildren();
    return;
  }
  const fresh = shown?.key !== key;
  if (fresh) {
    const built = twins.slice(0, 3).map((twin) => comparison(twin, world, close));
    shown = { key, built };
    replace(root, built.map((one) => one.element));
  }
  shown.built.forEach((one) => one.after(at));
  if (fresh) shown.built.forEach((one) => one.tell());
}
