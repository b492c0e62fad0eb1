//! Lines and words with their places.

use crate::Place;

/// A word and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub text: &'a str,
    pub start: usize,
}

impl Word<'_> {
    pub fn place(self) -> Place {
        place(self.start, self.start + self.text.len())
    }
}

/// A place in the first text.
pub(crate) fn place(start: usize, end: usize) -> Place {
    Place { text: 0, start, end }
}

/// The lines of a text that have something on them, with where they start.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let left = line.trim_start();
        let start = start + (line.len() - left.len());
        let text = left.trim_end();
        (!text.is_empty()).then_some(Word { text, start })
    })
}

/// The words of a line.
pub(crate) fn words(line: Word<'_>) -> Vec<Word<'_>> {
    let base = line.text.as_ptr() as usize;
    line.text
        .split_whitespace()
        .map(|text| Word { text, start: line.start + (text.as_ptr() as usize - base) })
        .collect()
}

/// `1 state`, `2 states`.
pub(crate) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// A few names in backquotes; of many, how many more there are.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(8).map(|name| format!("`{name}`")).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
