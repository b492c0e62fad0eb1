// Completion: the words of the language where they may stand, and the names of the model.

import { snippetCompletion } from "@codemirror/autocomplete";
import { FORMULA, FUNCTIONS, ITEMS, OBSERVER, PROGRAM, WORLD } from "./language.js";

const skeletons = [
  snippetCompletion("world {\n  ${x}: 0..${3} = 0\n\n  action ${go} when ${x} < ${3} { ${x} := ${x} + 1 }\n\n  observe { ${quiet} otherwise }\n\n  goal ${x} = ${3}\n}", { label: "world", detail: "a world by rules", type: "keyword" }),
  snippetCompletion("observer ${name} {\n  knows world\n  sees others as themselves\n  stipulate ${secret}: always !knows(${x})\n}", { label: "observer", detail: "somebody who watches", type: "keyword" }),
  snippetCompletion("plan {\n  ${go}\n}", { label: "plan", detail: "what the robot does", type: "keyword" }),
  snippetCompletion("action ${name} when ${condition} { ${x} := ${value} }", { label: "action", detail: "what the robot can do", type: "keyword" }),
  snippetCompletion("observe {\n  ${label} when ${condition}\n  ${nothing} otherwise\n}", { label: "observe", detail: "what the robot observes", type: "keyword" }),
  snippetCompletion("stipulate ${name}: always !knows(${x})", { label: "stipulate", detail: "what must hold of what it knows", type: "keyword" }),
];

const options = (list, boost) => list.map((label) => ({ label, type: "keyword", boost }));

// The innermost block around a place: the word that opens it.
function around(text) {
  const stack = [];
  const plain = text.replace(/\/\/.*$/gm, "").replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  for (const [piece] of plain.matchAll(/[{}]|[^{}\n;]+/g)) {
    if (piece === "{") stack.push(/\b(world|observer|plan|observe|action|graph)\b/.exec(stack.before ?? "")?.[1] ?? "block");
    else if (piece === "}") stack.pop();
    else if (piece.trim()) stack.before = piece;
  }
  return stack;
}

// Names that a text declares, even where it is broken.
function declared(text) {
  const plain = text.replace(/\/\/.*$/gm, "").replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  const found = new Map();
  const add = (pattern, type, detail) => {
    for (const [, name] of plain.matchAll(pattern)) if (!found.has(name)) found.set(name, { label: name, type, detail });
  };
  add(/\baction\s+([\p{L}_][\p{L}\p{N}_]*)/gu, "function", "action");
  add(/\b(?:const|let)\s+([\p{L}_][\p{L}\p{N}_]*)/gu, "constant", "constant");
  add(/\bdef\s+([\p{L}_][\p{L}\p{N}_]*)/gu, "function", "definition");
  add(/\btype\s+([\p{L}_][\p{L}\p{N}_]*)/gu, "type", "type");
  add(/\bplan\s+(?!graph\b)([\p{L}_][\p{L}\p{N}_]*)/gu, "class", "plan");
  add(/\bobserver\s+([\p{L}_][\p{L}\p{N}_]*)/gu, "class", "observer");
  add(/^\s*([\p{L}_][\p{L}\p{N}_]*)\s*:(?!=)/gmu, "variable", "variable");
  return [...found.values()];
}

const TYPES = { action: "function", observation: "event", variable: "variable", value: "enum" };

// A source of completions; `names` gives those of the model as it was last read.
export function completions(names) {
  return (context) => {
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
    if (!word && !context.explicit) return null;
    const before = context.state.sliceDoc(0, word?.from ?? context.pos);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    if (/\/\//.test(line) || (line.match(/"/g) ?? []).length % 2) return null;
    const stack = around(before);
    const block = stack.at(-1);
    const first = /^\s*$|[;{]\s*$/.test(line);
    let words = [];
    if (!block) words = first ? skeletons.slice(0, 3).concat(options(ITEMS, 1)) : options(["graph", "from"], 0);
    else if (stack.includes("observer")) words = first ? skeletons.slice(5).concat(options(["knows", "sees", "filter", "merge", "separate", "fixed", "max images", "min images", "unseen"], 1)) : options(FORMULA.concat(OBSERVER), 0);
    else if (stack.includes("plan")) words = options(PROGRAM, 0);
    else if (first && block === "world") words = skeletons.slice(3, 5).concat(options(["action", "observe", "goal", "start", "picture grid"], 1));
    else words = options(WORLD.concat(["in", "not", "and", "or", "if", "then", "else", "true", "false"], FUNCTIONS), -1);
    const known = names().map(({ text, kind, detail }) => ({ label: text, type: TYPES[kind] ?? "text", detail: detail === kind ? kind : detail }));
    const seen = new Set();
    const all = words.concat(known, declared(context.state.doc.toString())).filter(({ label }) => !seen.has(label) && seen.add(label));
    return { from: word?.from ?? context.pos, options: all, validFor: /^[\p{L}_][\p{L}\p{N}_]*$/u };
  };
}
