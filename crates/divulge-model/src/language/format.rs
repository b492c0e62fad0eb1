//! The canonical layout of a model.
//!
//! Lines stay lines and comments stay where they are; spaces, indentation and blank lines are made uniform, neighbouring
//! rules are aligned, and the words `and`, `or`, `not`, `implies`, `iff` become their signs. The tokens and which of them are first on a
//! line do not change otherwise, so the model means the same, and formatting twice changes nothing more.

use super::lexer::{Comment, Kind, Lexer, Token};
use super::parser::{self, Layout};
use crate::diagnostic::Diagnostics;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// What the parser knows of a token and its spelling does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It starts an item: a line that starts with any other token continues one.
    Item = 1,
    /// `!` and `-` before their operand.
    Prefix = 2,
    /// The `->` that ends an edge's labels.
    Arrow = 4,
    /// The parenthesis of a call.
    Call = 8,
    /// The brace of a set of values.
    Tight = 16,
    /// A connective, which may be written as a word.
    Operator = 32,
    /// Neighbouring lines are aligned here.
    Cell = 64,
    /// No space on either side.
    Join = 128,
}

/// The marks of all tokens, by the byte where a token starts.
#[derive(Default)]
pub(super) struct Marks(FxHashMap<usize, u8>);

impl Marks {
    pub fn set(&mut self, start: usize, mark: Mark) {
        *self.0.entry(start).or_default() |= mark as u8;
    }

    fn has(&self, token: Token, mark: Mark) -> bool {
        self.0.get(&token.span.start).is_some_and(|m| m & mark as u8 != 0)
    }
}

/// A model in canonical layout.
///
/// # Errors
/// The findings, if the text is not a well-formed model. Names and types are not looked at.
pub fn format(name: &str, text: &str) -> Result<String, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let source = diagnostics.add_source(name, text);
    let layout = parser::parse_layout(source, text, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let mut lexer = Lexer::new(text, source, false);
    let mut printer = Printer { text, layout: &layout, lines: Vec::new(), braces: Vec::new(), line_end: 0 };
    let mut comments = layout.comments.iter().copied().peekable();
    let mut line: Vec<Token> = Vec::new();
    loop {
        let token = lexer.next(&mut diagnostics);
        if token.first || token.kind == Kind::End {
            let before = |c: &Comment| c.span.start < token.span.start;
            let trailing = comments.next_if(|c| before(c) && !c.own_line);
            printer.line(&line, trailing);
            line.clear();
            while let Some(comment) = comments.next_if(before) {
                printer.comment(comment);
            }
        }
        if token.kind == Kind::End {
            return Ok(printer.finish());
        }
        line.push(token);
    }
}

/// A line of the output before alignment: parts that may be aligned, and a comment.
struct Line {
    blank_before: bool,
    indent: usize,
    cells: Vec<String>,
    comment: Option<String>,
    /// Only neighbours that start alike are aligned.
    starts_action: bool,
}

struct Printer<'t> {
    text: &'t str,
    layout: &'t Layout,
    lines: Vec<Line>,
    /// Open braces, and whether each encloses a set of values.
    braces: Vec<bool>,
    /// Where the last line printed ended in the source.
    line_end: usize,
}

impl<'t> Printer<'t> {
    fn line(&mut self, tokens: &[Token], comment: Option<Comment>) {
        let (Some(&first), Some(&last)) = (tokens.first(), tokens.last()) else { return };
        let closes = first.kind == Kind::Sign("}");
        let opens = first.kind == Kind::Sign("{") && !self.layout.marks.has(first, Mark::Tight);
        let continues = !closes && !opens && !self.layout.marks.has(first, Mark::Item);
        let depth = self.braces.len().saturating_sub(usize::from(closes));
        let indent = 2 * depth + if continues { 4 } else { 0 };
        let blank_before = self.blank_before(first.span.start, closes);
        let ends_open = last.kind == Kind::Sign("{");
        let mut cells = vec![String::new()];
        let mut before: Option<(Token, bool)> = None;
        for (i, &token) in tokens.iter().enumerate() {
            let closing_set = token.kind == Kind::Sign("}") && self.braces.pop().unwrap_or(false);
            let cell = self.layout.marks.has(token, Mark::Cell)
                && i > 0
                && !(ends_open && token.kind == Kind::Sign("{"));
            if cell {
                cells.push(String::new());
            } else if let Some((previous, tight)) = before
                && !tight
                && self.space(previous, token, closing_set)
                && let Some(out) = cells.last_mut()
            {
                out.push(' ');
            }
            let opening_set = self.layout.marks.has(token, Mark::Tight);
            if token.kind == Kind::Sign("{") {
                self.braces.push(opening_set);
            }
            let spelling = self.spelling(token);
            if let Some(out) = cells.last_mut() {
                out.push_str(spelling);
            }
            before = Some((token, opening_set));
        }
        let starts_action = &self.text[first.span.start..first.span.end] == "action";
        let comment_text = comment.map(|c| self.comment_text(c));
        self.lines.push(Line { blank_before, indent, cells, comment: comment_text, starts_action });
        self.line_end = comment.map_or(last.span.end, |c| c.span.end);
    }

    fn comment(&mut self, comment: Comment) {
        let blank_before = self.blank_before(comment.span.start, false);
        let cells = vec![self.comment_text(comment)];
        let indent = 2 * self.braces.len();
        self.lines.push(Line { blank_before, indent, cells, comment: None, starts_action: false });
        self.line_end = comment.span.end;
    }

    fn comment_text(&self, comment: Comment) -> String {
        self.text[comment.span.start..comment.span.end].trim_end().to_owned()
    }

    /// One blank line where there were some, but none at the edges of a block or of the file.
    fn blank_before(&self, start: usize, closes: bool) -> bool {
        let breaks = self.text[self.line_end..start].bytes().filter(|&b| b == b'\n').count();
        let opens = self.lines.last().is_none_or(|l| l.cells.last().is_some_and(|c| c.ends_with('{')));
        breaks > 1 && !closes && !opens
    }

    fn spelling(&self, token: Token) -> &'t str {
        let text = &self.text[token.span.start..token.span.end];
        let has = |mark| self.layout.marks.has(token, mark);
        match text {
            "and" if has(Mark::Operator) => "&",
            "or" if has(Mark::Operator) => "|",
            "implies" if has(Mark::Operator) => "->",
            "iff" if has(Mark::Operator) => "<->",
            "not" if has(Mark::Prefix) => "!",
            _ => text,
        }
    }

    fn space(&self, before: Token, token: Token, closing_set: bool) -> bool {
        let marks = &self.layout.marks;
        if marks.has(before, Mark::Prefix) || marks.has(before, Mark::Join) || marks.has(token, Mark::Join) {
            return false;
        }
        if marks.has(token, Mark::Arrow) || marks.has(token, Mark::Call) || closing_set {
            return false;
        }
        !matches!(before.kind, Kind::Sign("(" | "[" | ".."))
            && !matches!(token.kind, Kind::Sign(")" | "]" | "," | ";" | ":" | ".."))
    }

    fn finish(mut self) -> String {
        self.align_cells();
        let mut out = String::new();
        let mut start = 0;
        while start < self.lines.len() {
            let end = self.group_end(start, |line| line.comment.is_some());
            let width =
                |line: &Line| line.indent + line.cells.iter().map(|c| c.chars().count()).sum::<usize>();
            let column = self.lines[start..end].iter().map(width).max().unwrap_or(0);
            for line in &self.lines[start..end] {
                if line.blank_before {
                    out.push('\n');
                }
                let _ = write!(out, "{:1$}{2}", "", line.indent, line.cells.concat());
                if let Some(comment) = &line.comment {
                    let _ = write!(out, "{:1$}  {comment}", "", column - width(line));
                }
                out.push('\n');
            }
            start = end;
        }
        out
    }

    /// Pads the parts of neighbouring lines to common widths.
    fn align_cells(&mut self) {
        let mut start = 0;
        while start < self.lines.len() {
            let end = self.group_end(start, |line| line.cells.len() > 1);
            let group = &mut self.lines[start..end];
            let parts = group.iter().map(|l| l.cells.len()).max().unwrap_or(1);
            for part in 0..parts.saturating_sub(1) {
                let wide =
                    |l: &Line| if part + 1 < l.cells.len() { l.cells[part].chars().count() } else { 0 };
                let width = group.iter().map(wide).max().unwrap_or(0) + 1;
                for line in group.iter_mut().filter(|l| part + 1 < l.cells.len()) {
                    let missing = width - line.cells[part].chars().count();
                    line.cells[part].extend(std::iter::repeat_n(' ', missing));
                }
            }
            start = end;
        }
    }

    /// One past the last of the lines from `start` on that belong together; `start` alone if it is not `aligned`.
    fn group_end(&self, start: usize, aligned: impl Fn(&Line) -> bool) -> usize {
        let first = &self.lines[start];
        if !aligned(first) {
            return start + 1;
        }
        let together = |line: &Line| {
            aligned(line)
                && !line.blank_before
                && line.indent == first.indent
                && line.starts_action == first.starts_action
        };
        start + 1 + self.lines[start + 1..].iter().take_while(|line| together(line)).count()
    }
}
