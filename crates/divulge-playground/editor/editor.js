// The editor: CodeMirror with the language, findings underlined with what mends them, and completion.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, foldService, HighlightStyle, indentOnInput, indentService, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completions } from "./complete.js";
import { divulge } from "./language.js";

const colours = HighlightStyle.define([
  { tag: tags.lineComment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.keyword, color: "var(--keyword)", fontWeight: "600" },
  { tag: tags.modifier, color: "var(--modal)" },
  { tag: tags.atom, color: "var(--number)" },
  { tag: tags.definition(tags.variableName), color: "var(--defined)", fontWeight: "600" },
]);

// Two more spaces within each bracket that is open.
const indentation = indentService.of((context, at) => {
  const before = context.state.doc.lineAt(at);
  if (before.number === 1) return 0;
  const last = context.state.doc.line(before.number - 1).text.replace(/\/\/.*$/, "");
  const depth = /^\s*/.exec(last)[0].length;
  const opened = (last.match(/[{([]/g) ?? []).length - (last.match(/[})\]]/g) ?? []).length;
  const closes = /^\s*[})\]]/.test(before.text) ? 2 : 0;
  return Math.max(0, depth + (opened > 0 ? 2 : opened < 0 && !/^\s*[})\]]/.test(last) ? -2 : 0) - closes);
});

// A block folds from its opening brace to the one that closes it.
const folding = foldService.of((state, from, to) => {
  const line = state.sliceDoc(from, to).replace(/\/\/.*$/, "");
  if (!/\{\s*$/.test(line)) return null;
  let depth = 0;
  for (let n = state.doc.lineAt(from).number; n <= state.doc.lines; n += 1) {
    const each = state.doc.line(n);
    const text = each.text.replace(/\/\/.*$/, "");
    depth += (text.match(/\{/g) ?? []).length - (text.match(/\}/g) ?? []).length;
    if (depth === 0) return { from: from + line.trimEnd().length, to: each.from + text.lastIndexOf("}") };
  }
  return null;
});

function said({ code, message, label, notes, help }) {
  const lines = [`${message[0].toUpperCase()}${message.slice(1)}${label ? ` (${label})` : ""}.`];
  lines.push(...notes.map((note) => `${note}.`), ...help.map((text) => `Help: ${text}`));
  return `${lines.join("\n")}\n[${code}]`;
}

// The editor in `parent`. `changed` is called with every new text, `run` by Ctrl-Enter; `suggested` promises what may be written at a place of a text.
export function create({ parent, text, changed, run, suggested, label }) {
  const language = new Compartment();
  let quiet = false;
  const extensions = [
    lineNumbers(), highlightActiveLineGutter(), foldGutter(), drawSelection(), history(), indentOnInput(), bracketMatching(), closeBrackets(),
    highlightActiveLine(), highlightSelectionMatches(), search({ top: true }), lintGutter(), indentUnit.of("  "), indentation, folding,
    autocompletion({ override: [completions(suggested)], icons: false }),
    language.of(divulge), syntaxHighlighting(colours), EditorState.tabSize.of(2), EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
    EditorView.updateListener.of((update) => update.docChanged && !quiet && changed(update.state.doc.toString())),
    keymap.of([
      { key: "Mod-Enter", run: () => (run(), true), preventDefault: true },
      // Tab leaves the editor, as it leaves every other field; these two indent.
      { key: "Mod-]", run: indentMore }, { key: "Mod-[", run: indentLess },
      ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap,
    ]),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  const clamp = (at) => Math.max(0, Math.min(at ?? 0, view.state.doc.length));
  return {
    view,
    text: () => view.state.doc.toString(),
    // Another text, whose history begins anew.
    open(next, isModel) {
      quiet = true;
      view.setState(EditorState.create({ doc: next, extensions }));
      view.dispatch({ effects: language.reconfigure(isModel ? divulge : []) });
      quiet = false;
    },
    // The same text, changed: this can be undone.
    replace(next) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    mend(edits) {
      view.dispatch({ changes: edits.map(({ from, to, insert }) => ({ from: clamp(from), to: clamp(to), insert })), userEvent: "input.fix" });
      view.focus();
    },
    show(from, to) {
      view.dispatch({ selection: { anchor: clamp(from), head: clamp(to) }, scrollIntoView: true });
      view.focus();
    },
    problems(list) {
      const diagnostics = list.map((found) => {
        const from = clamp(found.from);
        const to = Math.max(from, clamp(found.to));
        return {
          from, to, severity: found.severity, source: found.code, message: said(found),
          actions: found.fixes.map((fix) => ({ name: fix.title, apply: () => this.mend(fix.edits) })),
        };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    focus: () => view.focus(),
  };
}
