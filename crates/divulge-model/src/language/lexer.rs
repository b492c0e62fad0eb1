//! Text to tokens, one at a time: a huge input costs no more memory than what is read of it.

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

/// What people write from habit, and what it is called here.
const FOREIGN: [(&str, &str); 6] =
    [("==", "="), ("&&", "&"), ("||", "|"), ("=>", "->"), ("<=>", "<->"), ("<>", "!=")];

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
        // `<=>` before `<=`, but `=` `>` never stand together otherwise.
        if let Some((foreign, ours)) = FOREIGN.iter().rev().find(|(foreign, _)| rest.starts_with(foreign)) {
            let span = self.source.span(self.at, self.at + foreign.len());
            self.at += foreign.len();
            diagnostics.push(
                Diagnostic::new(Code::ForeignSign, format!("`{foreign}` is written `{ours}` here"))
                    .at(span, "")
                    .help(format!("write `{ours}`"))
                    .fix(Fix::replace(format!("write `{ours}`"), span, *ours)),
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
            !c.is_whitespace() && !c.is_alphanumeric() && c != '_' && c != '"' && !c.is_ascii_punctuation()
        };
        let first = self.text[start..].chars().next().map_or(1, char::len_utf8);
        self.at = start + first;
        self.skip(odd);
        self.unreadable = self.text[start..].find('\n').map_or(self.text.len(), |i| start + i);
        let shown: String = self.text[start..self.at].chars().take(20).collect();
        let span = self.source.span(start, self.at);
        let finding = Diagnostic::new(Code::UnknownCharacter, format!("`{shown}` has no meaning in a model"))
            .at(span, "");
        diagnostics.push(match shown.chars().next() {
            Some('\'') => self.double_quotes(finding.help("use double quotes"), start),
            Some('#') => finding.help("comments start with `//`").fix(Fix::replace("write `//`", span, "//")),
            _ => finding
                .help("remove it, or put it in double quotes if it is part of a name")
                .fix(Fix::replace(format!("remove `{shown}`"), span, "")),
        });
    }

    /// Offers to write `"` for both of a pair of single quotes on one line.
    fn double_quotes(&self, finding: Diagnostic, start: usize) -> Diagnostic {
        let rest = &self.text[start + 1..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let Some(length) = line.find('\'') else { return finding };
        let quote = |at: usize| Edit { span: self.source.span(at, at + 1), text: "\"".to_owned() };
        let edits = vec![quote(start), quote(start + 1 + length)];
        finding.fix(Fix { title: "use double quotes".to_owned(), edits })
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
    let inner = raw.strip_prefix('"').unwrap_or(raw);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
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
            other => return Err((i + 1, i + 2 + other.map_or(0, |(_, c)| c.len_utf8()))),
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
