//! Lines, lists and tables.

use std::borrow::Cow;

use super::style::Style;

/// How many columns a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// The text without what would break its line or command the terminal: names may hold anything.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(char::is_control) {
        return Cow::Borrowed(text);
    }
    let each = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(each).collect())
}

/// The text, cut to so many columns with an ellipsis if it is longer.
pub(super) fn cut(text: &str, width: usize) -> String {
    let text = clean(text);
    if columns(&text) <= width {
        return text.into_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept.trim_end().to_owned() + "…"
}

/// "1 event", "2 events".
pub(super) fn count(n: usize, what: &str) -> String {
    match (n, what.strip_suffix("ex")) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{n} {stem}ices"),
        (_, None) => format!("{n} {what}s"),
    }
}

/// "a", "a or b", "a, b or c".
pub(super) fn list<S: AsRef<str>>(items: &[S], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [most @ .., last] => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} {word} {}", most.join(", "), last.as_ref())
        }
    }
}

/// The first few of `items`, then how many more there are.
pub(super) fn few<S: AsRef<str>>(items: &[S], most: usize) -> String {
    few_of(items, most, items.len())
}

/// The first few of `all` items, of which at least those are given, then how many more there are.
pub(super) fn few_of<S: AsRef<str>>(items: &[S], most: usize, all: usize) -> String {
    let shown: Vec<&str> = items.iter().take(most).map(AsRef::as_ref).collect();
    match all.saturating_sub(most) {
        0 => shown.join(", "),
        more => format!("{}, … and {more} more", shown.join(", ")),
    }
}

/// A space at which no line is broken.
pub(super) const GLUE: char = '\u{a0}';

/// What is longer than this may be broken after all.
const GLUED: usize = 44;

/// The text as one word, which no line is broken in, unless it is long.
pub(super) fn glue(text: &str) -> String {
    if columns(text) <= GLUED { text.replace(' ', &GLUE.to_string()) } else { text.to_owned() }
}

/// The text broken between words into lines of at most `width` columns; a longer word stands alone. Spaces at the
/// start are kept.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let text = clean(text);
    let words = text.trim_start_matches(' ');
    let start = " ".repeat(text.len() - words.len());
    let mut lines = broken(words, width.saturating_sub(start.len()));
    lines[0].insert_str(0, &start);
    lines
}

fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let last = lines.last_mut().expect("there is a line");
        if last.is_empty() {
            last.push_str(word);
        } else if columns(last) + 1 + columns(word) <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.iter().map(|line| line.replace(GLUE, " ")).collect()
}

/// A paragraph beside a word of the margin, which is `margin` columns wide.
pub(super) fn beside(word: &str, margin: usize, text: &str, style: Style) -> String {
    let lines = wrap(text, style.width.saturating_sub(margin).max(20));
    let each = lines.iter().enumerate();
    each.map(|(i, line)| format!("{:margin$}{line}\n", if i == 0 { word } else { "" })).collect()
}

/// A heading with an empty line before it.
pub(super) fn heading(text: &str, style: Style) -> String {
    let lines = wrap(text, style.width);
    lines.iter().fold("\n".to_owned(), |out, line| out + &style.strong(line) + "\n")
}

/// A paragraph whose lines after the first are indented further.
pub(super) fn paragraph(text: &str, first: usize, rest: usize, style: Style) -> String {
    let width = style.width.saturating_sub(first.max(rest)).max(20);
    let mut out = String::new();
    for (i, line) in wrap(text, width).iter().enumerate() {
        let indent = if i == 0 { first } else { rest };
        out.push_str(&" ".repeat(indent));
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// A table with a heading. Cells are plain text; the last column is wrapped, the others are cut.
pub(super) struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// No column but the last is wider than this.
const WIDEST: usize = 40;

/// The last column has at least this much room, and no column need be narrower than that for it.
const ROOM: usize = 28;
const NARROWEST: usize = 12;

impl Table {
    pub fn new<S: AsRef<str>>(heading: &[S]) -> Self {
        Self { heading: heading.iter().map(|h| h.as_ref().to_owned()).collect(), rows: Vec::new() }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.heading.len());
        self.rows.push(cells);
    }

    /// Whether no word of the heading is cut.
    pub fn heads_fit(&self, style: Style) -> bool {
        self.heading.iter().zip(self.widths(style)).all(|(head, width)| columns(head) <= width)
    }

    /// How wide the columns before the last are.
    fn widths(&self, style: Style) -> Vec<usize> {
        let last = self.heading.len() - 1;
        let mut widths: Vec<usize> = (0..last)
            .map(|c| self.rows.iter().chain([&self.heading]).map(|row| columns(&row[c])).max().unwrap_or(0))
            .map(|width| width.min(WIDEST))
            .collect();
        // The last column keeps some room, at the cost of the widest others.
        while before(&widths) + ROOM > style.width
            && let Some(widest) = widths.iter_mut().max().filter(|w| **w > NARROWEST)
        {
            *widest -= 1;
        }
        widths
    }

    /// The table, indented by two.
    pub fn text(&self, style: Style) -> String {
        let (last, widths) = (self.heading.len() - 1, self.widths(style));
        let room = style.width.saturating_sub(before(&widths)).max(ROOM);
        let mut out = String::new();
        for (i, row) in [&self.heading].into_iter().chain(&self.rows).enumerate() {
            for (n, part) in wrap(&row[last], room).iter().enumerate() {
                let mut line = String::from("  ");
                for (cell, &width) in row.iter().zip(&widths) {
                    let cell = if n == 0 { cut(&cell.replace(GLUE, " "), width) } else { String::new() };
                    line.push_str(&format!("{cell:width$}   "));
                }
                line.push_str(part);
                let line = line.trim_end();
                out.push_str(&if i == 0 { style.faint(line) } else { line.to_owned() });
                out.push('\n');
            }
        }
        out
    }
}

/// How much room columns take that stand before another.
fn before(widths: &[usize]) -> usize {
    2 + widths.iter().map(|w| w + 3).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_and_listed() {
        assert_eq!((count(1, "vertex"), count(3, "vertex")), ("1 vertex".into(), "3 vertices".into()));
        assert_eq!((count(0, "event"), count(1, "event")), ("0 events".into(), "1 event".into()));
        assert_eq!(list(&["a", "b", "c"], "or"), "a, b or c");
        assert_eq!(few(&["a", "b", "c"], 2), "a, b, … and 1 more");
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(wrap("a\x1b[2Jb\nc d", 20), ["a\\u{1b}[2Jb\\nc d"]);
    }

    #[test]
    fn heads_that_are_cut_are_noticed() {
        let style = Style { colour: false, width: 60 };
        assert!(Table::new(&["n", "knows(a)", "so far"]).heads_fit(style));
        let long = "knows(a = 1 & b = 2 & c = 3)";
        assert!(!Table::new(&["n", long, long, "so far"]).heads_fit(style));
        assert!(Table::new(&["n", long, long, "so far"]).heads_fit(Style { colour: false, width: 120 }));
    }

    #[test]
    fn long_cells_are_wrapped_in_the_last_column() {
        let mut table = Table::new(&["n", "text"]);
        table.row(vec!["1".into(), "word ".repeat(12)]);
        let text = table.text(Style { colour: false, width: 40 });
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().all(|line| columns(line) <= 40), "{text}");
    }
}
