//! JSON as a stream: a cursor over the text that the readers of the document's parts pull values from.
//!
//! Nothing is built for a value that nobody asks for, and every token knows its bytes. The cursor itself never recurses;
//! skipping a value keeps its own bounded stack.

use std::borrow::Cow;

use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, SourceId, Span},
    document::quotes::plain,
};

/// How deeply values may nest. A sound document needs less than a dozen levels.
pub const MAX_DEPTH: usize = 64;

/// Reading cannot go on; why has been reported.
#[derive(Debug)]
pub struct Stop;

/// What a step of reading gives: `Err` only where the rest of the text cannot be read either.
pub type Step<T> = Result<T, Stop>;

/// A text in quotes: the bytes between them.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub start: usize,
    pub end: usize,
    escaped: bool,
}

impl Token {
    /// The place of the text with its quotes.
    pub fn span(self) -> Span {
        span(self.start - 1, self.end + 1)
    }
}

/// A place in the document, which is the only source of its diagnostics.
pub fn span(start: usize, end: usize) -> Span {
    SourceId::default().span(start, end)
}

/// The cursor, and what was found wrong so far.
pub struct Reader<'t> {
    pub text: &'t str,
    pub at: usize,
    pub found: Diagnostics,
    /// How many threads may read; 0 for as many as there are processors.
    pub threads: usize,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0, found: Diagnostics::new(), threads: 1 }
    }

    /// Another reader of the text, which begins somewhere in it.
    pub fn beside(&self, at: usize) -> Self {
        Self { at, ..Self::new(self.text) }
    }

    /// Reports a mistake after which reading goes on, unless there are too many.
    pub fn report(&mut self, diagnostic: Diagnostic) -> Step<()> {
        self.found.push(diagnostic);
        if self.found.is_full() { Err(Stop) } else { Ok(()) }
    }

    /// Reports a mistake after which the rest of the text has no meaning.
    pub fn fatal(&mut self, diagnostic: Diagnostic) -> Stop {
        self.found.push(diagnostic);
        Stop
    }

    /// The next byte that is not white space; 0 at the end.
    pub fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while let Some(&b) = bytes.get(self.at) {
            if !matches!(b, b' ' | b'\n' | b'\r' | b'\t') {
                return b;
            }
            self.at += 1;
        }
        0
    }

    /// Whether nothing but white space is left.
    pub fn at_end(&mut self) -> bool {
        self.peek() == 0 && self.at == self.text.len()
    }

    /// The text is not JSON here: `wanted` says what would be.
    pub fn syntax(&mut self, wanted: &str) -> Stop {
        if self.at_end() {
            let end = self.text.len();
            return self.fatal(
                Diagnostic::new(Code::DocTruncated, "the document ends too early")
                    .at(span(end, end), format!("expected {wanted}"))
                    .help("is the file complete?"),
            );
        }
        let rest = &self.text[self.at..];
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
        let len = if word > 0 { word.min(80) } else { rest.chars().next().map_or(0, char::len_utf8) };
        let end = self.text.ceil_char_boundary(self.at + len);
        let found = self.text[self.at..end].to_owned();
        let help = match found.as_str() {
            "NaN" | "Infinity" | "-Infinity" | "-NaN" => Some("JSON has no such number"),
            "'" => Some("JSON puts strings in double quotes"),
            "}" | "]" => Some("JSON allows no comma after the last item"),
            "None" | "True" | "False" => Some("JSON writes null, true and false in lower case"),
            "/" => Some("JSON has no comments"),
            _ => None,
        };
        let message = format!("this is not JSON: expected {wanted}, found `{found}`");
        self.fatal(
            Diagnostic::new(Code::DocSyntax, message)
                .at(span(self.at, end), format!("expected {wanted}"))
                .help_opt(help.map(str::to_owned)),
        )
    }

    /// Takes the sign `b` after white space.
    pub fn sign(&mut self, b: u8, wanted: &str) -> Step<()> {
        if self.peek() != b {
            return Err(self.syntax(wanted));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads an object; `each` gets every key and must read the value. `false`: there is no object here.
    pub fn object(&mut self, mut each: impl FnMut(&mut Self, Token) -> Step<()>) -> Step<bool> {
        if self.peek() != b'{' {
            return Ok(false);
        }
        self.at += 1;
        if self.peek() == b'}' {
            self.at += 1;
            return Ok(true);
        }
        self.entries(&mut each)?;
        Ok(true)
    }

    /// Reads the entries of an object from here to its end; `each` gets every key and must read the value.
    pub fn entries(&mut self, mut each: impl FnMut(&mut Self, Token) -> Step<()>) -> Step<()> {
        loop {
            let key = self.key()?;
            each(self, key)?;
            if !self.goes_on(b'}', "`,` or `}`")? {
                return Ok(());
            }
        }
    }

    /// The key of an entry of an object, and the colon after it.
    #[inline]
    pub fn key(&mut self) -> Step<Token> {
        if self.peek() != b'"' {
            return Err(self.syntax("a field's name in quotes"));
        }
        let key = self.token()?;
        self.sign(b':', "`:`")?;
        Ok(key)
    }

    /// Reads a list; `each` must read one item. `false`: there is no list here.
    pub fn list(&mut self, each: impl FnMut(&mut Self) -> Step<()>) -> Step<bool> {
        if self.peek() != b'[' {
            return Ok(false);
        }
        self.at += 1;
        if self.peek() == b']' {
            self.at += 1;
            return Ok(true);
        }
        self.items(each)?;
        Ok(true)
    }

    /// Reads the items of a list from here to its end; `each` must read one item.
    pub fn items(&mut self, mut each: impl FnMut(&mut Self) -> Step<()>) -> Step<()> {
        loop {
            each(self)?;
            if !self.goes_on(b']', "`,` or `]`")? {
                return Ok(());
            }
        }
    }

    /// Whether another item follows of what ends with `close`; the reader stands after one, then before the next or after the end.
    pub fn goes_on(&mut self, close: u8, wanted: &str) -> Step<bool> {
        let sign = self.peek();
        if sign != b',' && sign != close {
            return Err(self.syntax(wanted));
        }
        self.at += 1;
        Ok(sign == b',')
    }

    /// The text in quotes that begins here; the cursor must stand on its first quote.
    pub fn token(&mut self) -> Step<Token> {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let end = start + plain(&bytes[start..]);
        if bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Token { start, end, escaped: false });
        }
        self.token_with_escapes(start, end)
    }

    /// The text in quotes that begins at `start` and is not over at `i`.
    #[cold]
    fn token_with_escapes(&mut self, start: usize, mut i: usize) -> Step<Token> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(i) {
                Some(b'"') => break,
                Some(b'\\') => {
                    i = self.escape(i)?;
                    i += plain(&bytes[i..]);
                }
                Some(_) => {
                    self.at = i;
                    return Err(self.fatal(
                        Diagnostic::new(
                            Code::DocSyntax,
                            "this is not JSON: a control character inside quotes",
                        )
                        .at(span(i, i + 1), "")
                        .help("write it as an escape, such as \\n; or is a closing quote missing?"),
                    ));
                }
                None => {
                    let end = self.text.len();
                    return Err(self.fatal(
                        Diagnostic::new(Code::DocTruncated, "the document ends inside quotes")
                            .at(span(start - 1, start), "this string does not end")
                            .note_at(span(end, end), "the document ends here")
                            .help("is the file complete?"),
                    ));
                }
            }
        }
        self.at = i + 1;
        Ok(Token { start, end: i, escaped: true })
    }

    /// Checks the escape whose backslash is at `i`; gives the place after it.
    fn escape(&mut self, i: usize) -> Step<usize> {
        let bytes = self.text.as_bytes();
        match bytes.get(i + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => return Ok(i + 2),
            Some(b'u') => {
                if let Some((_, len)) = unicode(&bytes[i..]) {
                    return Ok(i + len);
                }
            }
            _ => {}
        }
        let end = self.text.ceil_char_boundary((i + 6).min(self.text.len()));
        let end = self.text[i..end].find('"').filter(|&q| q > 1).map_or(end, |q| i + q);
        Err(self.fatal(
            Diagnostic::new(Code::DocSyntax, "this is not JSON: an unknown escape sequence")
                .at(span(i, end), "")
                .help(
                    "the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits",
                )
                .help("characters above \\uffff take two \\u escapes, a high and a low surrogate"),
        ))
    }

    /// What a token says.
    pub fn say(&self, token: Token) -> Cow<'t, str> {
        let raw = &self.text[token.start..token.end];
        if token.escaped { Cow::Owned(unescape(raw).0) } else { Cow::Borrowed(raw) }
    }

    /// Whether two tokens say the same.
    pub fn same(&self, a: Token, b: Token) -> bool {
        if a.escaped || b.escaped {
            return self.say(a) == self.say(b);
        }
        self.text.as_bytes()[a.start..a.end] == self.text.as_bytes()[b.start..b.end]
    }

    /// The place in the document of the bytes `start..end` of what a token says.
    pub fn inside(&self, token: Token, start: usize, end: usize) -> Span {
        if !token.escaped {
            return span(token.start + start, token.start + end);
        }
        let (_, places) = unescape(&self.text[token.start..token.end]);
        let raw = |at: usize| {
            let i = places.partition_point(|&(said, _)| said <= at).saturating_sub(1);
            let (said, raw) = places[i];
            token.start + raw + (at - said)
        };
        span(raw(start).min(token.end), raw(end).min(token.end))
    }

    /// Passes over one value of any kind, checking that it is JSON.
    pub fn skip(&mut self) -> Step<()> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            match self.peek() {
                b @ (b'{' | b'[') => {
                    if open.len() == MAX_DEPTH {
                        return Err(self.fatal(
                            Diagnostic::new(
                                Code::DocTooDeep,
                                format!("values are nested more than {MAX_DEPTH} levels deep"),
                            )
                            .at(span(self.at, self.at + 1), "")
                            .help("a problem document needs fewer than a dozen levels"),
                        ));
                    }
                    self.at += 1;
                    let close = if b == b'{' { b'}' } else { b']' };
                    if self.peek() != close {
                        open.push(close);
                        if close == b'}' {
                            self.key()?;
                        }
                        continue;
                    }
                    self.at += 1;
                }
                _ => self.skip_scalar()?,
            }
            // A value has ended: close what ends with it, then go to the next one.
            loop {
                let Some(&close) = open.last() else { return Ok(()) };
                match self.peek() {
                    b',' => {
                        self.at += 1;
                        if close == b'}' {
                            self.key()?;
                        }
                        break;
                    }
                    b if b == close => {
                        self.at += 1;
                        open.pop();
                    }
                    _ => return Err(self.syntax(if close == b'}' { "`,` or `}`" } else { "`,` or `]`" })),
                }
            }
        }
    }

    fn skip_scalar(&mut self) -> Step<()> {
        match self.peek() {
            b'"' => self.token().map(|_| ()),
            b'-' | b'0'..=b'9' => self.number().map(|_| ()),
            _ => self.word().map(|_| ()),
        }
    }

    /// `true`, `false` or `null`.
    pub fn word(&mut self) -> Step<&'static str> {
        self.peek();
        for word in ["true", "false", "null"] {
            let rest = &self.text.as_bytes()[self.at..];
            if rest.starts_with(word.as_bytes())
                && !rest.get(word.len()).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
            {
                self.at += word.len();
                return Ok(word);
            }
        }
        Err(self.syntax("a value"))
    }

    /// The text of a number.
    pub fn number(&mut self) -> Step<&'t str> {
        self.peek();
        let start = self.at;
        let bytes = self.text.as_bytes();
        let digits = |mut i: usize| {
            while bytes.get(i).is_some_and(u8::is_ascii_digit) {
                i += 1;
            }
            i
        };
        let first = start + usize::from(bytes.get(start) == Some(&b'-'));
        let mut end = digits(first);
        let mut sound = end > first && (bytes[first] != b'0' || end == first + 1);
        if bytes.get(end) == Some(&b'.') {
            let from = end + 1;
            end = digits(from);
            sound &= end > from;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let from = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            end = digits(from);
            sound &= end > from;
        }
        if end == self.text.len() && !sound {
            self.at = end;
            return Err(self.syntax("the rest of a number"));
        }
        if !sound || bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
            return Err(self.syntax("a number"));
        }
        self.at = end;
        Ok(&self.text[start..end])
    }
}

/// The character of the `\u` escape (or pair of them) that `bytes` begins with, and how many bytes it takes.
fn unicode(bytes: &[u8]) -> Option<(char, usize)> {
    let unit = |at: usize| -> Option<u32> {
        let digits = bytes.get(at + 2..at + 6).filter(|_| bytes[at..].starts_with(b"\\u"))?;
        digits.iter().try_fold(0, |n, &b| Some(n * 16 + char::from(b).to_digit(16)?))
    };
    match unit(0)? {
        high @ 0xD800..0xDC00 => {
            let low = unit(6).filter(|low| (0xDC00..0xE000).contains(low))?;
            Some((char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))?, 12))
        }
        other => Some((char::from_u32(other)?, 6)),
    }
}

/// What a checked text says, and where pieces of it stand: pairs of an offset in what is said and one in the raw text.
fn unescape(raw: &str) -> (String, Vec<(usize, usize)>) {
    let mut said = String::with_capacity(raw.len());
    let mut places = vec![(0, 0)];
    let mut at = 0;
    while let Some(next) = raw[at..].find('\\') {
        said.push_str(&raw[at..at + next]);
        at += next;
        places.push((said.len(), at));
        let (c, len) = match raw.as_bytes().get(at + 1) {
            Some(b'u') => unicode(&raw.as_bytes()[at..]).unwrap_or((char::REPLACEMENT_CHARACTER, 2)),
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(&b) => (char::from(b), 2),
            None => (char::REPLACEMENT_CHARACTER, 1),
        };
        said.push(c);
        at += len;
        places.push((said.len(), at));
    }
    said.push_str(&raw[at..]);
    (said, places)
}
