// Drafts to open, files to open and to save.

import { h, replace } from "./dom.js";
import { closing } from "./gallery.js";

export function drawFiles(dialog, drafts, { open, remove, fresh, opened }) {
  const when = (at) => new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  const again = () => drawFiles(dialog, drafts, { open, remove, fresh, opened });
  const draft = ({ name, at }) => h("li", { class: "draft" },
    h("button", { type: "button", class: "entry", onclick: () => { dialog.close(); open(name); } }, h("strong", {}, name), h("span", {}, when(at))),
    h("button", { type: "button", class: "small", "aria-label": `Delete ${name}`, onclick: () => { if (confirm(`Delete the draft ${name}? This cannot be undone.`)) { remove(name); again(); } } }, "Delete"));
  const input = h("input", { type: "file", id: "open-file", accept: ".divulge,.json,.fsm,.gen,.aut,.prism,.nm,.pm,.sm,.pddl,.txt", onchange: async () => {
    const [file] = input.files;
    if (!file) return;
    dialog.close();
    opened(file);
  } });
  replace(dialog,
    h("div", { class: "head" }, h("h2", { id: "files-title" }, "Files"), closing(dialog)),
    h("p", {}, h("button", { type: "button", id: "new-model", class: "main", onclick: () => { dialog.close(); fresh(); } }, "New model")),
    h("p", {}, h("label", { for: "open-file" }, "Open a file of this computer: "), input),
    h("h3", {}, "Drafts in this browser"),
    drafts.works ? null : h("p", { class: "soft" }, "This browser does not let the page keep anything: download what you want to keep."),
    drafts.list().length ? h("ul", { class: "entries" }, drafts.list().map(draft)) : h("p", { class: "soft" }, "None yet: whatever you change is kept here."));
}

// Hands a text to the browser as a file to save.
export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// The name of a file with another ending.
export function ending(name, other) {
  const base = name.slice(name.lastIndexOf("/") + 1).replace(/\.(divulge|json|fsm|gen|aut|prism|nm|pm|sm|pddl|txt)$/, "");
  return `${base || "model"}${other}`;
}
