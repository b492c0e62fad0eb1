//! What fits on a screen.

use std::io::{self, IsTerminal};

/// How large the screen is, in lines and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    pub rows: usize,
    pub cols: usize,
}

/// What a pipe gets: about what a large terminal shows.
const PIPE: Screen = Screen { rows: 40, cols: 100 };

/// However small a screen is, so much is shown.
const LEAST: Screen = Screen { rows: 24, cols: 80 };

impl Screen {
    /// The terminal that standard output is, or what `LINES` and `COLUMNS` say, or a page for whoever reads a pipe.
    pub fn found() -> Self {
        let said = |name: &str| std::env::var(name).ok().and_then(|value| value.trim().parse().ok());
        let size = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
        let found = match size {
            Some((cols, rows)) => Self { rows: rows.0.into(), cols: cols.0.into() },
            None => {
                Self { rows: said("LINES").unwrap_or(PIPE.rows), cols: said("COLUMNS").unwrap_or(PIPE.cols) }
            }
        };
        Self { rows: found.rows.max(LEAST.rows), cols: found.cols.max(LEAST.cols) }
    }
}

/// The text, cut with an ellipsis if it is longer than that.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Lines of at most so many characters, broken at spaces; those after the first are indented.
pub fn wrap(text: &str, most: usize, indent: usize) -> Vec<String> {
    let room = most.max(indent + 8);
    let mut lines: Vec<String> = Vec::new();
    // What the text begins with stays, and so do columns within it.
    let begin = text.len() - text.trim_start_matches(' ').len();
    let mut last = " ".repeat(begin);
    for (i, word) in text[begin..].split(' ').enumerate() {
        let full = !last.trim().is_empty() && last.chars().count() + 1 + word.chars().count() > room;
        if full {
            lines.push(std::mem::replace(&mut last, " ".repeat(indent)));
        } else if i > 0 {
            last.push(' ');
        }
        last.push_str(word);
        // What has no spaces is broken anywhere.
        while last.chars().count() > room {
            let rest: String = last.chars().skip(room).collect();
            lines.push(last.chars().take(room).collect());
            last = " ".repeat(indent) + &rest;
        }
    }
    lines.push(last);
    lines
}

/// How many lines each of some parts gets of `room`, if they would like to have `wanted`: whoever wants less than an equal share
/// leaves the rest to the others.
pub fn shares(wanted: &[usize], room: usize) -> Vec<usize> {
    let mut got = vec![0; wanted.len()];
    let mut left = room;
    loop {
        let open: Vec<usize> = (0..wanted.len()).filter(|&i| got[i] < wanted[i]).collect();
        if open.is_empty() || left < open.len() {
            return got;
        }
        let each = left / open.len();
        for i in open {
            let more = each.min(wanted[i] - got[i]);
            got[i] += more;
            left -= more;
        }
    }
}

/// The first lines, and how many are left out if they are too many for the room.
pub fn some(mut lines: Vec<String>, room: usize, what: &str) -> Vec<String> {
    if lines.len() > room {
        let left_out = lines.len() + 1 - room.max(1);
        lines.truncate(room.max(1) - 1);
        lines.push(format!("  … {left_out} more {what}; a shows all"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces_and_keep_their_indent() {
        assert_eq!(wrap("one two three", 40, 2), ["one two three"]);
        assert_eq!(wrap("  one two three", 10, 4), ["  one two", "    three"]);
        assert_eq!(wrap("  one   two", 40, 4), ["  one   two"]);
        assert_eq!(wrap("", 10, 0), [""]);
        assert_eq!(wrap("abcdefghijklmnop", 10, 2), ["abcdefghij", "  klmnop"]);
        assert!(wrap(&"word ".repeat(50), 30, 3).iter().all(|line| line.chars().count() <= 30));
        assert_eq!((cut("abcdef", 4), cut("abc", 4)), ("abc…".to_owned(), "abc".to_owned()));
    }

    #[test]
    fn room_is_shared_fairly() {
        assert_eq!(shares(&[3, 4], 10), [3, 4]);
        assert_eq!(shares(&[100, 2, 100], 20), [9, 2, 9]);
        assert_eq!(shares(&[100, 100, 100], 2), [0, 0, 0]);
        assert_eq!(
            some(vec!["a".into(), "b".into(), "c".into()], 2, "things"),
            ["a", "  … 2 more things; a shows all"]
        );
        assert_eq!(some(vec!["a".into(), "b".into()], 2, "things"), ["a", "b"]);
    }
}
