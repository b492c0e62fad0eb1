// The colours of the language: comments, texts, numbers, words and signs, line by line.

import { StreamLanguage } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const ITEMS = ["model", "include", "const", "let", "type", "def", "world", "graph", "plan", "observer", "cost", "use"];
const WORLD = ["action", "observe", "goal", "start", "picture", "when", "otherwise", "by", "or", "anywhere", "observing", "acting", "where", "avoid", "from"];
const OBSERVER = ["knows", "sees", "filter", "stipulate", "merge", "separate", "fixed", "max images", "min images", "unseen", "others", "themselves", "not at all",
  "as", "goal-directed", "strongest", "image", "plans"];
const FORMULA = ["always", "at end", "eventually", "next", "until", "unless", "hindsight", "run", "knows", "knows_whether", "possible", "state", "was", "initially",
  "is", "kind", "in", "not", "and", "implies", "iff", "true", "false"];
const PROGRAM = ["if", "else", "while", "repeat", "choose", "stop", "then"];

const heads = new Set(ITEMS.concat(["action", "observe", "goal", "stipulate", "sees", "filter", "start", "picture", "merge", "separate", "fixed", "unseen"]));
const words = new Set(WORLD.concat(OBSERVER, PROGRAM, ["images", "end", "at", "all", "bool", "grid"]).flatMap((text) => text.split(" ")));
const modal = new Set(FORMULA.flatMap((text) => text.split(" ")));
const values = new Set(["true", "false", "bool"]);

function token(stream, state) {
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
  if (stream.match(/^\d[\w]*/)) return "number";
  if (stream.match(/^(<->|:=|\.\.|!=|<=|>=|->|[-+*/%&|!=<>])/)) return "operator";
  if (stream.match(/^[{}()[\]]/)) return "bracket";
  const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u);
  if (!word) {
    stream.next();
    return null;
  }
  const text = word[0];
  const before = state.last;
  state.last = text;
  if (["action", "plan", "observer", "stipulate", "def", "type", "const", "let"].includes(before) && !words.has(text)) return "definition";
  if (values.has(text)) return "atom";
  if (heads.has(text)) return "keyword";
  if (modal.has(text)) return "modal";
  if (words.has(text)) return "keyword";
  return "name";
}

export const divulge = StreamLanguage.define({
  name: "divulge",
  startState: () => ({ last: "" }),
  token,
  indent(state, textAfter, context) {
    return null;
  },
  languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  tokenTable: {
    comment: tags.lineComment,
    string: tags.string,
    number: tags.number,
    operator: tags.operator,
    bracket: tags.bracket,
    definition: tags.definition(tags.variableName),
    atom: tags.atom,
    keyword: tags.keyword,
    modal: tags.modifier,
    name: tags.variableName,
  },
});
