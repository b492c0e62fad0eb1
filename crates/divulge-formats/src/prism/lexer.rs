//! The words and signs of PRISM's language.

use crate::{Fault, FaultKind, Faults, Place};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Int(i64),
    Double(f64),
    /// What stands between quotes.
    Text(&'a str),
    Sign(&'static str),
    End,
}

impl std::fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Int(number) => write!(f, "`{number}`"),
            Token::Double(number) => write!(f, "`{number}`"),
            Token::Text(text) => write!(f, "`\"{text}\"`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// Longer signs first.
const SIGNS: [&str; 30] = [
    "<=>", "->", "=>", "<=", ">=", "!=", "..", "=", "<", ">", "&", "|", "!", "+", "-", "*", "/", "?", ":",
    ";", ",", "(", ")", "[", "]", "'", "{", "}", "^", "#",
];

/// A token and its place.
pub(super) type Placed<'a> = (Token<'a>, Place);

/// All tokens; the last is [`Token::End`].
pub(super) fn lex<'a>(text: &'a str, number: usize, faults: &mut Faults) -> Vec<Placed<'a>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let place = |len: usize| Place { text: number, start: at, end: at + len };
        let (token, len) = if c.is_alphabetic() || c == '_' {
            let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            (Token::Word(&rest[..len]), len)
        } else if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            match numeral(rest) {
                Some(found) => found,
                None => {
                    let message = "this number is too large";
                    faults.push(
                        Fault::new(FaultKind::Value, message).at(place(1), "").help("take one below 2^63"),
                    );
                    // Whatever it was, an expression goes on after it.
                    (Token::Int(0), rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))
                }
            }
        } else if c == '"' {
            match rest[1..].find(['"', '\n']).filter(|&end| rest.as_bytes()[end + 1] == b'"') {
                Some(end) => (Token::Text(&rest[1..=end]), end + 2),
                None => {
                    let fault = Fault::new(FaultKind::Syntax, "the text in quotes does not end");
                    faults.push(fault.at(place(1), "it starts here").help("add the closing quote"));
                    at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
            }
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            let fault = Fault::new(
                FaultKind::Syntax,
                format!("`{}` means nothing in a PRISM model", c.escape_debug()),
            );
            faults.push(fault.at(place(c.len_utf8()), "").help("leave it out"));
            at += c.len_utf8();
            if faults.is_full() {
                break;
            }
            continue;
        };
        tokens.push((token, place(len)));
        at += len;
    }
    tokens.push((Token::End, Place { text: number, start: text.len(), end: text.len() }));
    tokens
}

/// An integer, or a number with a point or an exponent. `0..3` is an integer before a range.
fn numeral(text: &str) -> Option<(Token<'static>, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut len = digits(0);
    let mut double = false;
    if bytes.get(len) == Some(&b'.') && bytes.get(len + 1) != Some(&b'.') {
        double = true;
        len += 1 + digits(len + 1);
    }
    if matches!(bytes.get(len), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
        let exponent = digits((len + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            double = true;
            len += 1 + sign + exponent;
        }
    }
    let token =
        if double { Token::Double(text[..len].parse().ok()?) } else { Token::Int(text[..len].parse().ok()?) };
    Some((token, len))
}
