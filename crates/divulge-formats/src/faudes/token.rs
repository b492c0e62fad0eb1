//! The tokens of a libFAUDES file.

use crate::{
    Fault, FaultKind, Faults,
    text::{Word, place},
};

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    /// `<Name>`; what is inside.
    Open(Word<'a>),
    /// `</Name>`.
    Close(Word<'a>),
    /// A name or a number, without its quotes.
    Name(Word<'a>),
    /// `+attributes+`, without the signs.
    Flags(Word<'a>),
}

/// All tokens in order.
pub(super) fn tokens<'a>(text: &'a str, faults: &mut Faults) -> Vec<Token<'a>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() && !faults.is_full() {
        let rest = &text[at..];
        let until = |end: char| rest[1..].find(end).map(|i| i + 1);
        match bytes[at] {
            b'%' => at += rest.find('\n').unwrap_or(rest.len()),
            b'"' => match until('"') {
                Some(end) => {
                    found.push(Token::Name(Word { text: &rest[1..end], start: at + 1 }));
                    at += end + 1;
                }
                None => {
                    unclosed(at, rest, "the text in quotes does not end", "add the closing quote", faults);
                    break;
                }
            },
            b'<' => match until('>') {
                Some(end) => {
                    let inside = rest[1..end].trim();
                    let word = |name: &'a str| Word {
                        text: name,
                        start: at + (name.as_ptr() as usize - rest.as_ptr() as usize),
                    };
                    found.push(match inside.strip_prefix('/') {
                        Some(name) => Token::Close(word(name.trim())),
                        None => {
                            let name = inside.split_whitespace().next().unwrap_or(inside);
                            Token::Open(word(name.trim_end_matches('/')))
                        }
                    });
                    at += end + 1;
                }
                None => {
                    unclosed(at, rest, "the tag does not end", "add the closing `>`", faults);
                    break;
                }
            },
            b if b.is_ascii_whitespace() => at += 1,
            _ => {
                let len = rest
                    .find(|c: char| c.is_whitespace() || matches!(c, '<' | '"' | '%'))
                    .unwrap_or(rest.len());
                // Some other kind of blank: nothing stands here.
                if len == 0 {
                    at += rest.chars().next().map_or(1, char::len_utf8);
                    continue;
                }
                let word = Word { text: &rest[..len], start: at };
                let flags = word.text.strip_prefix('+').and_then(|text| text.strip_suffix('+'));
                found.push(match flags {
                    Some(text) => Token::Flags(Word { text, start: at + 1 }),
                    None => Token::Name(word),
                });
                at += len;
            }
        }
    }
    found
}

fn unclosed(at: usize, rest: &str, message: &str, help: &str, faults: &mut Faults) {
    let end = at + rest.lines().next().map_or(1, str::len);
    faults.push(Fault::new(FaultKind::Syntax, message).at(place(at, end), "it starts here").help(help));
}
