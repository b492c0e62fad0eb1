// Elements from data: h("p", { class: "x" }, "text", child) for HTML, s(…) for SVG.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

// A text in which what stands in backticks is a formula or a name.
export function rich(text) {
  return text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
}

export function byId(id) {
  return document.getElementById(id);
}

// Puts new children into an element and keeps the focus where it was, by the key that an element carries.
export function replace(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (focused === undefined) return;
  const again = [...element.querySelectorAll("[data-key]")].find((e) => e.dataset.key === focused && !e.disabled);
  again?.focus({ preventScroll: true });
}
