// Pictures: a world as a grid or as a graph, with marks on its places, and a plan as a graph.

import { h, s } from "./dom.js";

const CELL = 104;
const PAD = 16;

let patterns = 0;

// A picture of the world. `side` is "robot" or "observer"; `show(marks, words)` marks places on it. The lines of a `second` observer lean
// the other way.
export function worldPicture(scene, side, second) {
  return scene.kind === "grid" ? gridPicture(scene, side, second) : graphPicture(scene, side, second);
}

// The text equivalent: what the picture shows, read aloud.
function describe(svg, title, words) {
  svg.querySelector("title").textContent = title;
  svg.querySelector("desc").textContent = words;
}

function canvas(width, height, className) {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, class: className, role: "img" }, s("title"), s("desc"));
}

// Lines at an angle: what is possible is told by them, not by the colour alone.
function hatch(svg, second) {
  const id = `hatch-${(patterns += 1)}`;
  const lines = s("pattern", { id, width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: second ? "rotate(-45)" : "rotate(45)" },
    s("rect", { width: 9, height: 9, class: "hatch-ground" }),
    s("line", { x1: 0, y1: 0, x2: 0, y2: 9, class: "hatch-line" }));
  svg.append(s("defs", {}, lines));
  return `url(#${id})`;
}

function robot(x, y, size, faint) {
  const r = size / 2;
  return s("g", { class: faint ? "robot faint" : "robot", transform: `translate(${x} ${y})` },
    s("line", { x1: 0, y1: -r, x2: 0, y2: -r * 1.35 }),
    s("circle", { cx: 0, cy: -r * 1.45, r: r * 0.16 }),
    s("rect", { x: -r, y: -r, width: 2 * r, height: 1.7 * r, rx: r * 0.45 }),
    s("circle", { class: "eye", cx: -r * 0.4, cy: -r * 0.2, r: r * 0.2 }),
    s("circle", { class: "eye", cx: r * 0.4, cy: -r * 0.2, r: r * 0.2 }));
}

// A text in the middle of a cell, as large as there is room for.
function fitted(text, x, y, className) {
  return s("text", { x, y, class: className, style: `font-size: ${Math.min(13.5, (CELL - 14) / (text.length * 0.56)).toFixed(1)}px` }, text);
}

function gridPicture(scene, side, second) {
  const [rows, cols] = scene.size;
  const width = cols * CELL + 2 * PAD;
  const svg = canvas(width, rows * CELL + 2 * PAD, `picture grid of-${side}`);
  const fill = hatch(svg, second);
  const corner = (cell) => [(cell.at[1] - scene.origin[1]) * CELL + PAD, (cell.at[0] - scene.origin[0]) * CELL + PAD];
  const ground = s("g");
  const marks = s("g");
  const text = s("g");
  scene.cells.forEach((cell) => {
    const [x, y] = corner(cell);
    ground.append(s("rect", { x, y, width: CELL, height: CELL, class: cell.goal ? "cell goal" : "cell" }));
    if (cell.goal) ground.append(s("rect", { x: x + 5, y: y + 5, width: CELL - 10, height: CELL - 10, class: "goal-line" }));
    const names = [cell.start && "start", ...cell.names.map((name) => name.replaceAll("_", " ")), cell.goal && "goal"].filter(Boolean);
    if (names.length) text.append(fitted(names.slice(0, 2).join(" · "), x + CELL / 2, y + 21, "cell-name"));
    const seen = cell.seen.slice(0, 3);
    if (seen.length) text.append(fitted(seen.join(" / "), x + CELL / 2, y + CELL - 11, "landmark"));
  });
  for (const [a, b] of scene.walls) {
    const [x, y] = corner(scene.cells[b]);
    const across = scene.cells[a].at[0] === scene.cells[b].at[0];
    ground.append(s("line", { x1: x, y1: y, x2: across ? x : x + CELL, y2: across ? y + CELL : y, class: "wall" }));
  }
  svg.append(ground, marks, text);
  const show = (found, title, words) => {
    marks.replaceChildren(...(found?.marks ?? []).map((mark) => gridMark(mark, corner(scene.cells[mark.place]), side, fill, found)));
    describe(svg, title, words);
  };
  // A cell stays as large as is useful, however few there are.
  svg.style.maxWidth = `${Math.max(width, 300)}px`;
  return { element: h("div", { class: "frame" }, svg), show };
}

function gridMark(mark, [x, y], side, fill, found) {
  const group = s("g", { class: "mark" }, s("title", {}, mark.words));
  if (side === "robot") {
    group.append(s("rect", { x: x + 3, y: y + 3, width: CELL - 6, height: CELL - 6, class: "here" }));
    group.append(robot(x + CELL / 2, y + CELL / 2 + 6, 40, found.marks.length > 1));
    return group;
  }
  group.append(s("rect", { x: x + 3, y: y + 3, width: CELL - 6, height: CELL - 6, fill, class: "possible" }));
  const lines = mark.values.map((values) => values.join(", ")).filter((line) => line && line.length < 22);
  lines.slice(0, 3).forEach((line, i) => {
    const dy = (i - (Math.min(lines.length, 3) - 1) / 2) * 17;
    group.append(fitted(line, x + CELL / 2, y + CELL / 2 + 5 + dy, "held"));
  });
  if (!lines.length) group.append(s("text", { x: x + CELL / 2, y: y + CELL / 2 + 9, class: "question" }, "?"));
  return group;
}

const ARROW = "M0 0 L8 4 L0 8 z";

function arrowhead(svg) {
  const id = `arrow-${(patterns += 1)}`;
  const attributes = { id, viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" };
  svg.append(s("defs", {}, s("marker", attributes, s("path", { d: ARROW, class: "arrow" }))));
  return `url(#${id})`;
}

function drawing(scene, className) {
  const [width, height] = [scene.size[0] + 2 * PAD, scene.size[1] + 2 * PAD];
  const svg = s("svg", { viewBox: `${-PAD} ${-PAD} ${width} ${height}`, class: className, role: "img" }, s("title"), s("desc"));
  const head = arrowhead(svg);
  const edges = s("g");
  for (const edge of scene.edges) {
    edges.append(s("path", { d: edge.path, class: "edge", "marker-end": head }));
    if (edge.text) edges.append(s("text", { x: edge.at[0], y: edge.at[1] + 4, class: "edge-text" }, edge.text));
  }
  svg.append(edges);
  // Never smaller than can be read: what does not fit is scrolled.
  svg.style.width = `${width}px`;
  svg.style.minWidth = `${Math.min(width, Math.max(280, width * 0.6))}px`;
  return svg;
}

function outline(node, grow = 0, className = "") {
  const [x, y] = node.at;
  const [w, h] = [node.size[0] + 2 * grow, node.size[1] + 2 * grow];
  if (node.round) return s("ellipse", { cx: x, cy: y, rx: w / 2, ry: h / 2, class: className });
  return s("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 5, class: className });
}

function nodeShape(node) {
  const group = s("g", { class: "node" }, outline(node, 0, "node-line"));
  if (node.marked) group.append(outline(node, 4, "node-goal"));
  group.append(s("text", { x: node.at[0], y: node.at[1] + 4, class: "node-text" }, node.text));
  group.append(s("title", {}, node.words));
  return group;
}

function startSigns(scene) {
  return scene.nodes.filter((node) => node.start).map((node) =>
    s("text", { x: node.at[0], y: node.at[1] - node.size[1] / 2 - 9, class: "node-start" }, "start"));
}

function graphPicture(scene, side, second) {
  const svg = drawing(scene, `picture graph of-${side}`);
  const fill = hatch(svg, second);
  const marks = s("g");
  const badges = s("g");
  svg.append(marks, s("g", {}, scene.nodes.map(nodeShape)), s("g", {}, startSigns(scene)), badges);
  let here = [];
  const centred = () => here.length && centre(frame, svg, middle(here, frame), scene.size);
  const { frame, look, element } = scrolling(svg, "", centred);
  const show = (found, title, words) => {
    const drawn = (found?.marks ?? []).map((mark) => {
      const node = scene.nodes[mark.place];
      const shape = outline(node, 5, side === "robot" ? "here" : "possible");
      if (side === "observer") shape.setAttribute("fill", fill);
      return s("g", { class: "mark" }, s("title", {}, mark.words), shape);
    });
    marks.replaceChildren(...drawn);
    const at = (found?.marks ?? []).map((mark) => scene.nodes[mark.place]);
    if (side === "robot") badges.replaceChildren(...at.map((node) => robot(node.at[0] - node.size[0] / 2 - 7, node.at[1] - 2, 22, at.length > 1)));
    describe(svg, title, words);
    text.textContent = words;
    here = at;
    requestAnimationFrame(() => {
      centred();
      look();
    });
  };
  const text = h("p", { class: "places" });
  return { element: h("div", {}, element, text), show };
}

// A frame that scrolls, with a button that shows all at once or a part that can be read.
function scrolling(svg, className, zoomed) {
  const frame = h("div", { class: `frame scrolls ${className}`, tabindex: 0, role: "group", "aria-label": "Picture, scroll to see all of it" }, svg);
  const button = h("button", { type: "button", class: "zoom quiet", onclick: () => {
    const all = frame.classList.toggle("all");
    button.textContent = all ? "Zoom in" : "Show all";
    if (!all) zoomed();
  } }, "Show all");
  // Only where something is out of sight.
  const look = () => {
    const all = frame.classList.contains("all");
    button.hidden = !all && frame.scrollWidth <= frame.clientWidth + 4 && frame.scrollHeight <= frame.clientHeight + 4;
  };
  return { frame, look, element: h("div", { class: "zooms" }, frame, button) };
}

// The middle of some nodes if they are near to each other, else the first of them.
function middle(nodes, frame) {
  const [xs, ys] = [nodes.map((node) => node.at[0]), nodes.map((node) => node.at[1])];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const near = right - left < frame.clientWidth * 0.7 && bottom - top < frame.clientHeight * 0.8;
  return near ? [(left + right) / 2, (top + bottom) / 2] : nodes[0].at;
}

// Scrolls a frame, and not the page, so that a point of its picture is in the middle.
function centre(frame, svg, [x, y], [width, height]) {
  const box = svg.getBoundingClientRect();
  frame.scrollLeft = ((x + PAD) / (width + 2 * PAD)) * box.width - frame.clientWidth / 2;
  frame.scrollTop = ((y + PAD) / (height + 2 * PAD)) * box.height - frame.clientHeight / 2;
}

// The plan: `jump(id)` is called for a vertex that somebody chooses; `light(ids)` lights where the plan is.
export function planPicture(scene, jump) {
  const svg = drawing(scene, "picture graph plan");
  svg.setAttribute("role", "group");
  const groups = scene.nodes.map((node, i) => {
    const group = nodeShape(node);
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "-1");
    group.setAttribute("aria-label", `${node.text}, ${node.words}`);
    group.dataset.key = `plan-${node.id}`;
    group.addEventListener("click", () => jump(node.id));
    group.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Enter" || event.key === " ") jump(node.id);
      else if (step) groups[(i + step + groups.length) % groups.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return group;
  });
  svg.append(...groups, s("g", {}, startSigns(scene)));
  let first = null;
  const centred = () => first && centre(frame, svg, first.at, scene.size);
  const { frame, look, element } = scrolling(svg, "plan-frame", centred);
  const light = (ids, words) => {
    const lit = new Set(ids);
    first = null;
    scene.nodes.forEach((node, i) => {
      const here = lit.has(node.id);
      groups[i].classList.toggle("lit", here);
      groups[i].setAttribute("tabindex", here && !first ? "0" : "-1");
      if (here) groups[i].setAttribute("aria-current", "step");
      else groups[i].removeAttribute("aria-current");
      first ??= here ? node : null;
    });
    if (!first) groups[0]?.setAttribute("tabindex", "0");
    describe(svg, "The plan", words);
    requestAnimationFrame(() => {
      centred();
      look();
    });
  };
  return { element, light, ids: new Set(scene.nodes.map((node) => node.id)) };
}
