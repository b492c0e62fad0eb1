// Completion: what the session suggests at a place, with skeletons for the words that begin whole blocks.

import { snippetCompletion } from "@codemirror/autocomplete";

const SKELETONS = {
  world: ["world {\n  ${x}: 0..${3} = 0\n\n  action ${go} when ${x} < ${3} { ${x} := ${x} + 1 }\n\n  observe { ${quiet} otherwise }\n\n  goal ${x} = ${3}\n}", "a world by rules"],
  observer: ["observer ${name} {\n  knows world\n  sees others as themselves\n  stipulate ${secret}: always !knows(${x})\n}", "somebody who watches"],
  plan: ["plan {\n  ${go}\n}", "what the robot does"],
  action: ["action ${name} when ${condition} { ${x} := ${value} }", "what the robot can do"],
  observe: ["observe {\n  ${label} when ${condition}\n  ${nothing} otherwise\n}", "what the robot observes"],
  stipulate: ["stipulate ${name}: always !knows(${x})", "what must hold of what it knows"],
};

// How an editor calls what a name stands for; a word of the language has no sort.
const TYPES = { action: "function", observation: "event", event: "event", variable: "variable", parameter: "variable", value: "enum", constant: "constant", type: "type", definition: "function", plan: "class", observer: "class" };

function option({ text, sort, detail, meaning }) {
  const info = meaning ? { info: meaning.replaceAll("`", "") } : {};
  // Names come before words of the language.
  if (sort) return { label: text, type: TYPES[sort] ?? "text", detail, boost: 1 };
  const skeleton = SKELETONS[text];
  if (skeleton) return snippetCompletion(skeleton[0], { label: text, detail: skeleton[1], type: "keyword", ...info });
  return { label: text, type: "keyword", ...info };
}

// A source of completions; `suggested` promises what the session suggests at a place of a text, or nothing.
export function completions(suggested) {
  return async (context) => {
    const word = context.matchBefore(/"?[\p{L}_][\p{L}\p{N}_]*/u);
    if (!word && !context.explicit) return null;
    const found = await suggested(context.state.doc.toString(), context.pos);
    if (!found?.length || context.aborted) return null;
    return { from: word?.from ?? context.pos, options: found.map(option), validFor: /^[\p{L}_][\p{L}\p{N}_]*$/u };
  };
}
