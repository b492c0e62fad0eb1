//! Findings as text for people.
//!
//! The layout is that of most compilers: a headline, the place, the line with the place underlined, remarks, advice.
//! Whatever the input holds, the output is bounded and free of control characters: long lines are shown as a window
//! around the place, tabs become spaces, other control characters a replacement sign.

use super::{Diagnostic, Diagnostics, Severity, Source, Span};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// The widest part of a source line to show, in columns.
const WINDOW: usize = 100;
/// How much of the window may stand before the place, in characters.
const BEFORE: usize = 40;
const TAB: &str = "    ";

pub(super) fn render(diagnostics: &Diagnostics, colour: bool) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter() {
        one(&mut out, diagnostics, diagnostic, &Paint { colour });
        out.push('\n');
    }
    for (found, limit, what) in [
        (diagnostics.errors, Diagnostics::MAX_ERRORS, "error"),
        (diagnostics.warnings, Diagnostics::MAX_WARNINGS, "warning"),
    ] {
        if found > limit {
            let _ = writeln!(
                out,
                "… and {} more {what}{}\n",
                found - limit,
                if found - limit > 1 { "s" } else { "" }
            );
        }
    }
    // No blank line at the very end.
    out.truncate(out.trim_end_matches('\n').len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn one(out: &mut String, diagnostics: &Diagnostics, diagnostic: &Diagnostic, paint: &Paint) {
    let severity = diagnostic.severity();
    let word = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let head = format!("{word}[{}]", diagnostic.code.id());
    let _ = writeln!(out, "{}: {}", paint.severity(severity, &head), paint.bold(&clean(&diagnostic.message)));
    let places = diagnostic.span.iter().chain(diagnostic.notes.iter().filter_map(|n| n.span.as_ref()));
    let gutter = places.map(|&s| diagnostics.position(s).line.to_string().len()).max().unwrap_or(1);
    if let Some(span) = diagnostic.span {
        let source = diagnostics.source(span.source);
        snippet(out, source, span, &diagnostic.label, gutter, paint, Some(severity));
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "{:gutter$} {} note: {}", "", paint.frame("="), clean(&note.text));
        if let Some(span) = note.span {
            snippet(out, diagnostics.source(span.source), span, "", gutter, paint, None);
        }
    }
    for help in &diagnostic.help {
        let _ = writeln!(out, "{:gutter$} {} help: {}", "", paint.frame("="), clean(help));
    }
}

fn snippet(
    out: &mut String,
    source: &Source,
    span: Span,
    label: &str,
    gutter: usize,
    paint: &Paint,
    severity: Option<Severity>,
) {
    let position = source.position(span.start);
    let Shown { text, indent, width } = window(source, span);
    let bar = paint.frame("|");
    let (name, line, column) = (clean(&source.name), position.line, position.column);
    let _ = writeln!(out, "{:gutter$}{} {name}:{line}:{column}", "", paint.frame("-->"));
    let _ = writeln!(out, "{:gutter$} {bar}", "");
    let _ = writeln!(out, "{} {bar} {text}", paint.frame(&format!("{line:gutter$}")));
    let mark = if severity.is_some() { "^" } else { "-" }.repeat(width);
    let mark = match severity {
        Some(severity) => paint.severity(severity, format!("{mark} {}", clean(label)).trim_end()),
        None => paint.frame(&mark),
    };
    let _ = writeln!(out, "{:gutter$} {bar} {:indent$}{mark}", "", "");
}

/// The part of a line that is printed, and where its marks go, in columns.
struct Shown {
    text: String,
    indent: usize,
    width: usize,
}

fn window(source: &Source, span: Span) -> Shown {
    let (line_start, line_end) = source.line_range(span.start);
    let start = source.floor(span.start).min(line_end);
    let end = source.floor(span.end).clamp(start, line_end);
    let first = source.text[line_start..start]
        .char_indices()
        .rev()
        .take(BEFORE)
        .last()
        .map_or(start, |(i, _)| line_start + i);
    // A line that fits is shown from its beginning.
    let whole = source.text[line_start..line_end].chars().take(WINDOW + 1).count() <= WINDOW;
    let first = if whole { line_start } else { first };
    let mut text = String::from(if first > line_start { "…" } else { "" });
    let (mut column, mut indent, mut mark_end) = (text.chars().count(), None, None);
    let limit = if whole { usize::MAX } else { WINDOW };
    for (i, c) in source.text[first..line_end].char_indices() {
        let at = first + i;
        if at >= start && indent.is_none() {
            indent = Some(column);
        }
        if at >= end && mark_end.is_none() {
            mark_end = Some(column);
        }
        if column >= limit {
            text.push('…');
            break;
        }
        column += push_clean(&mut text, c);
    }
    let indent = indent.unwrap_or(column);
    Shown { text, indent, width: mark_end.unwrap_or(column).saturating_sub(indent).max(1) }
}

/// Appends a character as it can safely be printed; returns its width in columns.
fn push_clean(out: &mut String, c: char) -> usize {
    match c {
        '\t' => {
            out.push_str(TAB);
            TAB.len()
        }
        _ if c.is_control() || is_layout(c) => {
            out.push(char::REPLACEMENT_CHARACTER);
            1
        }
        _ => {
            out.push(c);
            c.width().unwrap_or(1)
        }
    }
}

/// Characters that reorder or hide what is printed around them.
fn is_layout(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A message quotes the input, so it is cleaned and kept to a bounded length as well.
fn clean(text: &str) -> String {
    const LONGEST: usize = 1000;
    let mut out = String::new();
    for (n, c) in text.chars().enumerate() {
        if n >= LONGEST {
            out.push('…');
            break;
        }
        push_clean(&mut out, c);
    }
    out
}

struct Paint {
    colour: bool,
}

impl Paint {
    fn with(&self, style: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn severity(&self, severity: Severity, text: &str) -> String {
        let style = match severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
        };
        self.with(style, text)
    }

    fn frame(&self, text: &str) -> String {
        self.with("1;34", text)
    }

    fn bold(&self, text: &str) -> String {
        self.with("1", text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Code;
    use super::*;

    fn shown(text: &str, start: usize, end: usize) -> String {
        let mut diagnostics = Diagnostics::new();
        let source = diagnostics.add_source("m.divulge", text);
        diagnostics.push(Diagnostic::new(Code::UnknownName, "what").at(source.span(start, end), "here"));
        diagnostics.render(false)
    }

    #[test]
    fn layout() {
        let mut diagnostics = Diagnostics::new();
        let source = diagnostics.add_source("m.divulge", "const a = 1\r\n\tlet b = é + c\n");
        diagnostics.push(
            Diagnostic::new(Code::UnknownName, "`c` is not known here")
                .at(source.span(27, 28), "no such name")
                .note_at(source.span(6, 7), "`a` is")
                .help("did you mean `a`?"),
        );
        let expected = "\
error[E0201]: `c` is not known here
 --> m.divulge:2:14
  |
2 |     let b = é + c
  |                 ^ no such name
  = note: `a` is
 --> m.divulge:1:7
  |
1 | const a = 1
  |       -
  = help: did you mean `a`?
";
        assert_eq!(diagnostics.render(false), expected);
        assert!(diagnostics.render(true).contains("\x1b[1;31merror[E0201]\x1b[0m"));
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}HERE{}", "é".repeat(5_000_000), "z".repeat(5_000_000));
        let out = shown(&text, 10_000_000, 10_000_004);
        assert!(out.len() < 1000 && out.contains("HERE") && out.contains(":1:5000001"), "{out}");
        let line = out.lines().nth(3).unwrap();
        let marks = out.lines().nth(4).unwrap();
        let column = |l: &str, c| l.chars().position(|x| x == c).unwrap();
        assert_eq!(column(line, 'H'), column(marks, '^'));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let out = shown("\x1b[2Jab\u{202e}c\r\x07", 4, 6);
        assert!(!out.contains(|c: char| c.is_control() && c != '\n') && !out.contains('\u{202e}'), "{out:?}");
    }

    #[test]
    fn any_place_can_be_shown() {
        for text in ["", "\n", "é\r\n日本\n", "a\n\n"] {
            for start in 0..text.len() + 2 {
                for end in start..text.len() + 3 {
                    let out = shown(text, start, end);
                    assert!(out.contains('^'), "{out}");
                }
            }
        }
        let out = shown("日本 x", 7, 8);
        assert!(out.ends_with("  |      ^ here\n"), "{out}");
    }

    #[test]
    fn errors_beyond_the_limit_are_counted() {
        let mut diagnostics = Diagnostics::new();
        for _ in 0..25 {
            diagnostics.push(Diagnostic::new(Code::UnknownName, "x"));
        }
        assert!(diagnostics.is_full());
        assert!(diagnostics.render(false).ends_with("\n… and 5 more errors\n"));
    }
}
