//! JSON as it is written: the same value gives the same bytes.

use std::io::{self, Write};

use crate::document::quotes::plain;

/// So many bytes are passed on at once.
const PIECE: usize = 1 << 12;

/// Writes values one after another; every object and list says whether it takes a line for each item.
#[derive(Debug)]
pub struct Json<W> {
    out: W,
    /// What has not been passed on yet.
    waiting: Vec<u8>,
    open: Vec<Open>,
    after_key: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    lines: bool,
    empty: bool,
}

/// How an object or a list is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Every item on a line of its own, unless something around it is [`Inline`](Layout::Inline).
    Lines,
    /// Everything on one line.
    Inline,
}

impl<W: Write> Json<W> {
    /// Writes to `out`, in large pieces; the last one when it is [finished](Self::finish).
    pub fn new(out: W) -> Self {
        Self { out, waiting: Vec::with_capacity(PIECE), open: Vec::new(), after_key: false }
    }

    /// Writes an object; `fields` writes its keys and values.
    pub fn object(
        &mut self,
        layout: Layout,
        fields: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.enclose(layout, [b"{", b"}"], fields)
    }

    /// Writes a list; `items` writes its values.
    pub fn list(
        &mut self,
        layout: Layout,
        items: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.enclose(layout, [b"[", b"]"], items)
    }

    fn enclose(
        &mut self,
        layout: Layout,
        [open, close]: [&[u8]; 2],
        inside: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.place()?;
        self.put(open)?;
        let lines = layout == Layout::Lines && self.open.last().is_none_or(|o| o.lines);
        self.open.push(Open { lines, empty: true });
        inside(self)?;
        if self.open.pop().is_some_and(|o| o.lines && !o.empty) {
            self.line()?;
        }
        self.put(close)
    }

    /// Writes a key; its value must follow.
    pub fn key(&mut self, key: &str) -> io::Result<()> {
        self.place()?;
        self.quoted(key)?;
        self.put(b": ")?;
        self.after_key = true;
        Ok(())
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.place()?;
        self.quoted(text)
    }

    /// Writes a number or a boolean, which print as JSON does.
    pub fn plain(&mut self, value: impl Plain) -> io::Result<()> {
        self.place()?;
        write!(self.waiting, "{value}")
    }

    /// Writes a key and a text.
    pub fn text_field(&mut self, key: &str, text: &str) -> io::Result<()> {
        self.key(key)?;
        self.text(text)
    }

    /// Writes a key and a text, or `null`.
    pub fn text_or_null_field(&mut self, key: &str, text: Option<&str>) -> io::Result<()> {
        match text {
            Some(text) => self.text_field(key, text),
            None => {
                self.key(key)?;
                self.place()?;
                self.put(b"null")
            }
        }
    }

    /// Writes a key and a number or a boolean.
    pub fn plain_field(&mut self, key: &str, value: impl Plain) -> io::Result<()> {
        self.key(key)?;
        self.plain(value)
    }

    /// Writes a key and a list of texts on one line.
    pub fn texts_field<'a>(&mut self, key: &str, texts: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        self.key(key)?;
        self.texts(texts)
    }

    /// Writes a list of texts on one line.
    pub fn texts<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        self.list(Layout::Inline, |j| texts.into_iter().try_for_each(|text| j.text(text)))
    }

    /// Ends the text with a line break and gives back what was written to.
    pub fn finish(mut self) -> io::Result<W> {
        debug_assert!(self.open.is_empty() && !self.after_key);
        self.put(b"\n")?;
        self.pass_on()?;
        Ok(self.out)
    }

    /// What stands before an item: nothing after a key, else a comma and the right distance.
    fn place(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.after_key) {
            return Ok(());
        }
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        let Open { lines, empty } = *open;
        open.empty = false;
        match (lines, empty) {
            (true, true) => self.line(),
            (true, false) => {
                self.put(b",")?;
                self.line()
            }
            (false, true) => Ok(()),
            (false, false) => self.put(b", "),
        }
    }

    fn line(&mut self) -> io::Result<()> {
        self.put(b"\n")?;
        (0..self.open.len()).try_for_each(|_| self.put(b"  "))
    }

    fn quoted(&mut self, text: &str) -> io::Result<()> {
        self.put(b"\"")?;
        let mut rest = text.as_bytes();
        loop {
            let (said, odd) = rest.split_at(plain(rest));
            self.put(said)?;
            let Some((byte, after)) = odd.split_first() else { break };
            match byte {
                b'"' => self.put(b"\\\"")?,
                b'\\' => self.put(b"\\\\")?,
                b'\n' => self.put(b"\\n")?,
                b'\r' => self.put(b"\\r")?,
                b'\t' => self.put(b"\\t")?,
                _ => write!(self.waiting, "\\u{byte:04x}")?,
            }
            rest = after;
        }
        self.put(b"\"")
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() < PIECE { Ok(()) } else { self.pass_on() }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}

/// Types whose display is their JSON.
pub trait Plain: std::fmt::Display {}

impl Plain for bool {}
impl Plain for i64 {}
impl Plain for u64 {}
impl Plain for u128 {}
impl Plain for usize {}
