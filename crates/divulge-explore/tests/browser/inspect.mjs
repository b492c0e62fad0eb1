// What a screen reader and weak eyes need, looked at in the page as it is drawn: names, labels, roles, contrasts.

function look() {
  const found = [];
  const say = (element, what) => found.push(`${what}: ${element.outerHTML.slice(0, 90)}`);
  const seen = (element) => element.getClientRects().length > 0;
  const name = (element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
  if (!document.documentElement.lang) found.push("the language is not told");
  if (document.querySelectorAll("h1").length !== 1) found.push("there is not exactly one h1");
  if (!document.querySelector("[aria-live]")) found.push("nothing announces steps");
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) => found.push(`the id ${id} is there twice`));
  for (const button of document.querySelectorAll("button, [role=button], summary, a[href]")) {
    if (seen(button) && !name(button)) say(button, "no name");
  }
  for (const input of document.querySelectorAll("input, select")) {
    if (!input.closest("label")?.textContent.trim()) say(input, "no label");
  }
  for (const svg of document.querySelectorAll("svg")) {
    if (!seen(svg)) continue;
    if (!svg.getAttribute("role")) say(svg, "no role");
    if (!svg.querySelector("title")?.textContent.trim()) say(svg, "no text in its place");
  }
  for (const element of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
    for (const id of (element.getAttribute("aria-labelledby") ?? element.getAttribute("aria-describedby")).split(" ")) {
      if (!document.getElementById(id)) say(element, `refers to ${id}, which is not there`);
    }
  }
  let level = 1;
  for (const heading of document.querySelectorAll("main h1, main h2, main h3, main h4")) {
    if (!seen(heading)) continue;
    const now = Number(heading.tagName[1]);
    if (now > level + 1 && level > 1) say(heading, "a level of headings is skipped");
    level = now;
  }
  return found.concat(contrasts(seen));

  // Text must stand out by 4.5 to 1; by 3 to 1 if it is large.
  function contrasts(seen) {
    const parse = (text) => {
      const [r, g, b, a = 1] = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
      return { r, g, b, a };
    };
    const over = (top, ground) => ({ r: top.r * top.a + ground.r * (1 - top.a), g: top.g * top.a + ground.g * (1 - top.a), b: top.b * top.a + ground.b * (1 - top.a), a: 1 });
    const light = ({ r, g, b }) => {
      const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const ground = (element) => {
      const above = [];
      for (let e = element; e; e = e.parentElement) above.push(parse(getComputedStyle(e).backgroundColor));
      return above.reduceRight((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
    };
    const poor = new Set();
    for (const element of document.querySelectorAll("body *:not(svg, svg *, script, style)")) {
      const own = [...element.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
      if (!own || !seen(element) || element.closest(":disabled, .unseen, .skip, dialog:not([open])")) continue;
      const style = getComputedStyle(element);
      let opacity = 1;
      for (let e = element; e; e = e.parentElement) opacity *= Number(getComputedStyle(e).opacity);
      const below = ground(element);
      const text = over({ ...parse(style.color), a: parse(style.color).a * opacity }, below);
      const [a, b] = [light(text), light(below)].sort((x, y) => y - x);
      const size = parseFloat(style.fontSize);
      const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < needed - 0.01) poor.add(`contrast ${ratio.toFixed(2)} of .${element.className} “${element.textContent.trim().slice(0, 30)}”`);
    }
    return [...poor];
  }
}

export function inspect(browser) {
  return browser.run(`(${look.toString()})()`);
}
