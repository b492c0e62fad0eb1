//! Text to tokens, one at a time: a huge input costs no more memory than what is read of it.

use super::foreign;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Edit, Fix, SourceId, Span};

/// What a token is. Words and numbers are read from the source by their span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Int,
    Text,
    Sign(&'static str),
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
    /// Whether it is the first on its line.
    pub first: bool,
}

/// A `//` comment, without its line break.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment {
    pub span: Span,
    /// Whether nothing but space stands before it on its line.
    pub own_line: bool,
}

/// Longest first, so that the first that fits is the right one.
const SIGNS: [&str; 26] = [
    "<->", ":=", "..", "!=", "<=", ">=", "->", "{", "}", "(", ")", "[", "]", ",", ";", ":", "=", "<", ">",
    "+", "-", "*", "/", "%", "&", "|",
];

/// More tokens than this are refused, so that the memory for a model is bounded.
const MAX_TOKENS: usize = 10_000_000;

pub(super) struct Lexer<'t> {
    text: &'t str,
    source: SourceId,
    at: usize,
    tokens: usize,
    keep_comments: bool,
    /// The end of the line where the last unreadable thing stands: what seems missing there need not be reported too.
    pub unreadable: usize,
    /// Whether the text was too large to be read to its end.
    pub gave_up: bool,
    /// Whether space that is no ordinary one was reported.
    odd_space: bool,
    pub comments: Vec<Comment>,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str, source: SourceId, keep_comments: bool) -> Self {
        Lexer {
            text,
            source,
            at: 0,
            tokens: 0,
            keep_comments,
            unreadable: 0,
            gave_up: false,
            odd_space: false,
            comments: Vec::new(),
        }
    }

    /// Goes on from a place between two tokens.
    pub fn skip_to(&mut self, at: usize) {
        self.at = at;
    }

    /// The next token; the end again and again once it is reached, or once there are too many errors.
    pub fn next(&mut self, diagnostics: &mut Diagnostics) -> Token {
        let mut first = self.at == 0;
        loop {
            if diagnostics.is_full() {
                self.at = self.text.len();
            }
            first |= self.space(first);
            let start = self.at;
            let Some(c) = self.text[start..].chars().next() else {
                return self.token(Kind::End, start, first);
            };
            self.tokens += 1;
            if self.tokens > MAX_TOKENS {
                self.too_large(start, diagnostics);
                continue;
            }
            if c == '_' || c.is_alphabetic() {
                self.skip(|c| c == '_' || c.is_alphanumeric());
                return self.token(Kind::Word, start, first);
            }
            if c.is_ascii_digit() {
                self.skip(|c| c == '_' || c.is_alphanumeric());
                return self.token(Kind::Int, start, first);
            }
            if c == '"' {
                self.string(diagnostics);
                return self.token(Kind::Text, start, first);
            }
            if let Some(length) = foreign::text(self.text, start) {
                self.at += length;
                self.other_quotes(start, diagnostics);
                return self.token(Kind::Text, start, first);
            }
            if self.text[start..].starts_with("/*") {
                self.other_comment(start, diagnostics);
                continue;
            }
            if foreign::is_space(c) {
                self.other_space(start, diagnostics);
                continue;
            }
            if foreign::is_word(self.text, start) {
                self.unknown(start, diagnostics);
                continue;
            }
            if let Some(kind) = self.sign(diagnostics) {
                return self.token(kind, start, first);
            }
            self.unknown(start, diagnostics);
        }
    }

    fn token(&self, kind: Kind, start: usize, first: bool) -> Token {
        Token { kind, span: self.source.span(start, self.at), first }
    }

    /// Skips space and comments; tells whether a line ended.
    fn space(&mut self, at_line_start: bool) -> bool {
        let mut broken = false;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            match rest {
                [b'\n', ..] => {
                    broken = true;
                    self.at += 1;
                }
                [b' ' | b'\t' | b'\r', ..] => self.at += 1,
                [b'/', b'/', ..] => {
                    let length = self.text[self.at..].find('\n').unwrap_or(rest.len());
                    if self.keep_comments {
                        let span = self.source.span(self.at, self.at + length);
                        self.comments.push(Comment { span, own_line: broken || at_line_start });
                    }
                    self.at += length;
                }
                _ => return broken,
            }
        }
    }

    fn skip(&mut self, keep: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.find(|c| !keep(c)).unwrap_or(rest.len());
    }

    fn sign(&mut self, diagnostics: &mut Diagnostics) -> Option<Kind> {
        let rest = &self.text[self.at..];
        if let Some((foreign, ours)) = foreign::sign(self.text, self.at) {
            let span = self.source.span(self.at, self.at + foreign.len());
            self.at += foreign.len();
            diagnostics.push(
                Diagnostic::new(Code::ForeignSign, format!("`{foreign}` is written `{ours}` here"))
                    .at(span, "")
                    .help(format!("write `{ours}`"))
                    .fix(Fix::replace(format!("write `{ours}`"), span, ours)),
            );
            return Some(Kind::Sign(ours));
        }
        let sign = SIGNS.iter().chain(&["!"]).find(|sign| rest.starts_with(**sign))?;
        self.at += sign.len();
        Some(Kind::Sign(sign))
    }

    /// A text in quotes ends on its line; escapes are looked at when it is read.
    fn string(&mut self, diagnostics: &mut Diagnostics) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        self.at += 1;
        while let Some(&b) = bytes.get(self.at) {
            match b {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\n' => break,
                b'\\' if bytes.get(self.at + 1).is_some_and(|&b| b != b'\n') => self.at += 2,
                _ => self.at += 1,
            }
        }
        // An escape may have stepped into the middle of a character.
        self.at = self.text.ceil_char_boundary(self.at);
        let end = start + self.text[start..self.at].trim_end().len();
        diagnostics.push(
            Diagnostic::new(Code::UnclosedText, "the closing quote is missing")
                .at(self.source.span(start, self.at), "")
                .help("add the closing `\"` on the same line")
                .fix(Fix::replace("add the closing quote", self.source.span(end, end), "\"")),
        );
    }

    /// One finding for a whole run of characters that start no token.
    fn unknown(&mut self, start: usize, diagnostics: &mut Diagnostics) {
        let odd = |c: char| {
            !c.is_whitespace()
                && !c.is_alphanumeric()
                && c != '_'
                && c != '"'
                && !c.is_ascii_punctuation()
                && !foreign::is_sign(c)
        };
        let first = self.text[start..].chars().next().map_or(1, char::len_utf8);
        self.at = start + first;
        let word = foreign::word(self.text, start);
        if let Some((length, _)) = word {
            self.at = start + length;
        } else if foreign::in_fraction(self.text, start) {
            return self.fraction(start, diagnostics);
        } else {
            self.skip(odd);
        }
        self.unreadable(start);
        let shown: String = self.text[start..self.at].chars().take(20).collect();
        let span = self.source.span(start, self.at);
        let finding = Diagnostic::new(Code::UnknownCharacter, format!("`{shown}` has no meaning in a model"))
            .at(span, "");
        if let Some((_, ours)) = word {
            let fix = Fix::replace(format!("write `{ours}`"), span, self.spaced(span, ours));
            diagnostics.push(finding.help(format!("write `{ours}`")).fix(fix));
            return;
        }
        diagnostics.push(match shown.chars().next() {
            Some('#') => finding.help("comments start with `//`").fix(Fix::replace("write `//`", span, "//")),
            Some('\'') if self.after_word(start) => {
                finding.help("`:=` gives a variable its next value: write `x := x + 1`, without the `'`")
            }
            Some(c) if foreign::is_quote(c) => {
                finding.help("a text stands between two straight double quotes")
            }
            _ => finding
                .help("remove it, or put it in double quotes if it is part of a name")
                .fix(Fix::replace(format!("remove `{shown}`"), span, "")),
        });
    }

    /// What seems missing on this line need not be reported too.
    fn unreadable(&mut self, start: usize) {
        self.unreadable = self.text[start..].find('\n').map_or(self.text.len(), |i| start + i);
    }

    fn after_word(&self, at: usize) -> bool {
        self.text[..at].ends_with(|c: char| c == '_' || c.is_alphanumeric())
    }

    /// A word in the place of a sign, with space around it where a name would run into it.
    fn spaced(&self, sign: Span, word: &str) -> String {
        let before = if self.after_word(sign.start) { " " } else { "" };
        let joins = |c: char| c == '_' || c.is_alphanumeric() || c == '!';
        let after = if self.text[sign.end..].starts_with(joins) { " " } else { "" };
        format!("{before}{word}{after}")
    }

    /// `2.5`, of which the first digits have been read.
    fn fraction(&mut self, start: usize, diagnostics: &mut Diagnostics) {
        self.skip(|c| c.is_ascii_digit());
        self.unreadable(start);
        let digits = self.text[..start].bytes().rev().take_while(u8::is_ascii_digit).count();
        diagnostics.push(
            Diagnostic::new(Code::BadNumber, "numbers are whole in a model")
                .at(self.source.span(start - digits, self.at), "")
                .help("count in a smaller unit, as in centimetres where there are fractions of a metre"),
        );
    }

    /// A text in quotes of another kind, which is read as if it had the right ones.
    fn other_quotes(&mut self, start: usize, diagnostics: &mut Diagnostics) {
        let text = &self.text[start..self.at];
        let open = text.chars().next().map_or(1, char::len_utf8);
        let close = text.chars().next_back().map_or(1, char::len_utf8);
        let quote = |from: usize, to: usize| Edit { span: self.source.span(from, to), text: "\"".to_owned() };
        let edits = vec![quote(start, start + open), quote(self.at - close, self.at)];
        diagnostics.push(
            Diagnostic::new(Code::UnknownCharacter, "a text stands in straight double quotes")
                .at(self.source.span(start, self.at), "these quotes are others")
                .help(format!("write `\"{}\"`", &text[open..text.len() - close]))
                .fix(Fix { title: "use straight double quotes".to_owned(), edits }),
        );
    }

    /// `/* … */`, which is skipped.
    fn other_comment(&mut self, start: usize, diagnostics: &mut Diagnostics) {
        let rest = &self.text[start..];
        let line = rest.find('\n').unwrap_or(rest.len());
        let end = rest.find("*/").map(|i| i + 2);
        self.at = start + end.unwrap_or(line);
        let at = self.source.span(start, start + 2);
        let mut finding =
            Diagnostic::new(Code::UnknownCharacter, "comments do not start with `/*` in a model")
                .at(at, "")
                .help("a comment starts with `//` and ends with its line");
        // What stands after it on its line would become a part of it.
        if let Some(end) = end.filter(|&end| end <= line && rest[end..line].trim().is_empty()) {
            let inner = rest[..end - 2].trim_end().len();
            let edits = vec![
                Edit { span: at, text: "//".to_owned() },
                Edit { span: self.source.span(start + inner.max(2), start + end), text: String::new() },
            ];
            finding = finding.fix(Fix { title: "write `//`".to_owned(), edits });
        }
        diagnostics.push(finding);
    }

    /// Space that looks like any other and was perhaps pasted: one finding for all of it in a text.
    fn other_space(&mut self, start: usize, diagnostics: &mut Diagnostics) {
        self.skip(foreign::is_space);
        if std::mem::replace(&mut self.odd_space, true) {
            return;
        }
        let ordinary = |from: usize, to: usize| {
            let space: String =
                self.text[from..to].chars().filter(|c| c.is_whitespace()).map(|_| ' ').collect();
            Edit { span: self.source.span(from, to), text: space }
        };
        // That of the other lines' beginnings is mended with it; within a line it might be part of a text in quotes.
        let mut edits = vec![ordinary(start, self.at)];
        for (newline, _) in self.text[self.at..].match_indices('\n') {
            let from = self.at + newline + 1;
            let line = &self.text[from..];
            let space = |c: char| c == ' ' || c == '\t' || foreign::is_space(c);
            let to = from + line.find(|c| !space(c)).unwrap_or(line.len());
            if self.text[from..to].contains(foreign::is_space) {
                edits.push(ordinary(from, to));
            }
        }
        diagnostics.push(
            Diagnostic::new(Code::UnknownCharacter, "this is not an ordinary space")
                .at(self.source.span(start, self.at), "pasted from a page, perhaps")
                .help("write ordinary spaces")
                .fix(Fix { title: "write ordinary spaces".to_owned(), edits }),
        );
    }

    fn too_large(&mut self, start: usize, diagnostics: &mut Diagnostics) {
        self.at = self.text.len();
        self.gave_up = true;
        diagnostics.push(
            Diagnostic::new(
                Code::ModelTooLarge,
                format!("the model has more than {MAX_TOKENS} words and signs"),
            )
            .at(self.source.span(start, start), "reading stopped here")
            .help("write a graph this large as a JSON document"),
        );
    }
}

/// The text between the quotes of a [`Kind::Text`] token, its escapes replaced; or where a bad escape is, within it.
pub(super) fn unescape(raw: &str) -> Result<String, (usize, usize)> {
    let inner = raw.strip_prefix(foreign::is_quote).unwrap_or(raw);
    let quote = raw.len() - inner.len();
    let inner = inner.strip_suffix(foreign::is_quote).unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.char_indices();
    while let Some((i, c)) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some((_, 'n')) => out.push('\n'),
            Some((_, 't')) => out.push('\t'),
            Some((_, c @ ('"' | '\\'))) => out.push(c),
            other => return Err((i + quote, i + quote + 1 + other.map_or(0, |(_, c)| c.len_utf8()))),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> (Vec<String>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let source = diagnostics.add_source("t", text);
        let mut lexer = Lexer::new(text, source, true);
        let mut out = Vec::new();
        loop {
            let token = lexer.next(&mut diagnostics);
            if token.kind == Kind::End {
                return (out, diagnostics);
            }
            let mark = if token.first { "^" } else { "" };
            out.push(format!("{mark}{}", &text[token.span.start..token.span.end]));
        }
    }

    #[test]
    fn tokens() {
        let (found, diagnostics) = words("u0 -a,b-> y0 // why\n0..rows-1:=!x<->\"a\\\"b\" <=3");
        let expected = [
            "^u0",
            "-",
            "a",
            ",",
            "b",
            "->",
            "y0",
            "^0",
            "..",
            "rows",
            "-",
            "1",
            ":=",
            "!",
            "x",
            "<->",
            "\"a\\\"b\"",
            "<=",
            "3",
        ];
        assert_eq!(found, expected);
        assert!(diagnostics.is_empty());
    }

    #[test]
    fn rubbish_is_reported_once_for_each_run() {
        let (found, diagnostics) = words("a €€ b == \"open\n'");
        assert_eq!(found, ["^a", "b", "==", "\"open"]);
        assert_eq!(diagnostics.errors(), 4);
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape(r#""a\n\"é\\""#).unwrap(), "a\n\"é\\");
        assert_eq!(unescape(r#""a\x""#), Err((2, 4)));
        assert_eq!(unescape("\"a\\"), Err((2, 3)));
    }
}
