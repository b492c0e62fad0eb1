// The gallery: the examples, by folder, with the first words that each says of itself.

import { h, replace } from "./dom.js";

const FOLDERS = {
  lessons: "Lessons", recipes: "Recipes", "": "First examples", observers: "Several observers", opacity: "Opacity", theory: "For the theory",
  formats: "Files of other tools", robot: "With a robot",
};

function folder(path) {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

// The comment that a text begins with, as one line.
export function opening(text) {
  const lines = [];
  for (const line of text.split("\n")) {
    const said = /^\s*(?:\/\/|;+)\s?(.*)$/.exec(line);
    if (!said) break;
    lines.push(said[1]);
  }
  return lines.join(" ").trim();
}

export function drawGallery(dialog, files, choose) {
  const groups = new Map(Object.keys(FOLDERS).map((name) => [name, []]));
  for (const path of Object.keys(files)) {
    if (!groups.has(folder(path))) groups.set(folder(path), []);
    groups.get(folder(path)).push(path);
  }
  const entry = (path) => h("li", {},
    h("button", { type: "button", class: "entry", "data-path": path, onclick: () => { dialog.close(); choose(path); } },
      h("strong", {}, path.slice(path.lastIndexOf("/") + 1)), h("span", {}, opening(files[path]))));
  // Lessons come in the order in which they are numbered.
  const order = (path) => (/^Lesson \d/.test(opening(files[path])) ? opening(files[path]) : path);
  const shown = [...groups].filter(([, paths]) => paths.length);
  replace(dialog,
    h("div", { class: "head" }, h("h2", { id: "gallery-title" }, "Examples"), closing(dialog)),
    shown.map(([name, paths]) => h("section", {}, h("h3", {}, FOLDERS[name] ?? name), h("ul", { class: "entries" }, paths.sort((a, b) => (order(a) < order(b) ? -1 : 1)).map(entry)))));
}

export function closing(dialog) {
  return h("button", { type: "button", class: "small", onclick: () => dialog.close() }, "Close");
}
