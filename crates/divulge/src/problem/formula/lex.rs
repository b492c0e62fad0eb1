//! The words and signs of formulas.

use std::fmt::{Display, Formatter};

use super::{FormulaError, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Not,
    And,
    Or,
    Implies,
    Iff,
    Open,
    Close,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Longer signs before their beginnings.
const SIGNS: [(&str, Sign); 13] = [
    ("<->", Sign::Iff),
    ("->", Sign::Implies),
    ("!=", Sign::Ne),
    ("<=", Sign::Le),
    (">=", Sign::Ge),
    ("!", Sign::Not),
    ("&", Sign::And),
    ("|", Sign::Or),
    ("(", Sign::Open),
    (")", Sign::Close),
    ("=", Sign::Eq),
    ("<", Sign::Lt),
    (">", Sign::Gt),
];

impl Sign {
    pub fn text(self) -> &'static str {
        SIGNS.iter().find(|(_, s)| *s == self).map_or("", |(t, _)| t)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(String),
    Text(String),
    Int(i64),
    Sign(Sign),
    End,
}

impl Display for Token {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(w) => write!(f, "`{w}`"),
            Token::Text(t) => write!(f, "{t:?}"),
            Token::Int(i) => write!(f, "`{i}`"),
            Token::Sign(s) => write!(f, "`{}`", s.text()),
            Token::End => f.write_str("the end"),
        }
    }
}

/// All tokens with their places; the last is [`Token::End`].
pub fn lex(text: &str) -> Result<Vec<(Token, Span)>, FormulaError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (token, end) = one(text, at, c)?;
        tokens.push((token, Span { start: at, end }));
        at = end;
    }
    tokens.push((Token::End, Span { start: text.len(), end: text.len() }));
    Ok(tokens)
}

fn one(text: &str, at: usize, c: char) -> Result<(Token, usize), FormulaError> {
    let rest = &text[at..];
    if c == '"' {
        return string(text, at);
    }
    let digits = rest.strip_prefix('-').unwrap_or(rest);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        let sign = rest.len() - digits.len();
        let len = sign + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let span = Span { start: at, end: at + len };
        let value = rest[..len]
            .parse()
            .map_err(|_| FormulaError::new(span, format!("{} is too large for an integer", &rest[..len])))?;
        return Ok((Token::Int(value), at + len));
    }
    if c.is_alphabetic() || c == '_' {
        let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        let token = match &rest[..len] {
            "not" => Token::Sign(Sign::Not),
            "and" => Token::Sign(Sign::And),
            "or" => Token::Sign(Sign::Or),
            "implies" => Token::Sign(Sign::Implies),
            "iff" => Token::Sign(Sign::Iff),
            word => Token::Word(word.to_owned()),
        };
        return Ok((token, at + len));
    }
    match SIGNS.iter().find(|(t, _)| rest.starts_with(t)) {
        Some((t, sign)) => Ok((Token::Sign(*sign), at + t.len())),
        None => Err(FormulaError::new(
            Span { start: at, end: at + c.len_utf8() },
            format!("`{c}` has no meaning in a formula"),
        )
        .help("the signs are ! & | -> <-> = != < <= > >= ( )")),
    }
}

/// A quoted text with JSON's escapes.
fn string(text: &str, start: usize) -> Result<(Token, usize), FormulaError> {
    let mut out = String::new();
    let mut chars = text[start + 1..].char_indices();
    let bad = |end: usize, what: &str| FormulaError::new(Span { start, end }, what.to_owned());
    while let Some((i, c)) = chars.next() {
        let here = start + 1 + i;
        match c {
            '"' => return Ok((Token::Text(out), here + 1)),
            '\\' => match chars.next().map(|(_, e)| e) {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some('t') => out.push('\t'),
                Some('b') => out.push('\u{8}'),
                Some('f') => out.push('\u{c}'),
                Some(c @ ('"' | '\\' | '/')) => out.push(c),
                Some('u') => {
                    let mut unit = || {
                        let hex: String = chars.by_ref().take(4).map(|(_, c)| c).collect();
                        u32::from_str_radix(&hex, 16).ok().filter(|_| hex.len() == 4)
                    };
                    let c = unit().and_then(|high| match high {
                        0xD800..0xDC00 => {
                            let low =
                                chars.next().zip(chars.next()).filter(|(a, b)| (a.1, b.1) == ('\\', 'u'));
                            let mut unit = || {
                                let hex: String = chars.by_ref().take(4).map(|(_, c)| c).collect();
                                u32::from_str_radix(&hex, 16).ok()
                            };
                            low.and_then(|_| unit()).filter(|low| (0xDC00..0xE000).contains(low)).and_then(
                                |low| char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)),
                            )
                        }
                        other => char::from_u32(other),
                    });
                    out.push(c.ok_or_else(|| bad(here + 2, "this is not a \\u escape of a character"))?);
                }
                _ => return Err(bad(here + 1, "a backslash must be followed by one of \" \\ / b f n r t u")),
            },
            c => out.push(c),
        }
    }
    Err(bad(text.len(), "the text in quotes does not end"))
}
