// The words of an answer on a narrow screen: sentences break where the screen ends; tables keep their columns, and scroll.

// A line with a gap between its columns, or far to the right, belongs to a table.
const isRow = (line) => /\S {3,}\S/.test(line) || /^ {12,}\S/.test(line);

const indent = (line) => /^ */.exec(line)[0].length;

// Words that were broken after `columns` letters, whole again: a list of { table: lines } and of { text, indent }. A line goes on in the next
// one if the first word of that one did not fit on it.
export function unbroken(words, columns) {
  const parts = [];
  let before = "";
  for (const line of words.trimEnd().split("\n")) {
    const last = parts.at(-1);
    const full = [...before].length + 1 + [...line.trim().split(" ")[0]].length > columns;
    if (isRow(line)) {
      if (last?.table) last.table.push(line);
      else parts.push({ table: [line] });
    } else if (before && !last.table && line.trim() && full && indent(line) >= last.indent) {
      last.text += ` ${line.trim()}`;
    } else {
      parts.push({ text: line.trim(), indent: indent(line) });
    }
    before = line;
  }
  return parts;
}
