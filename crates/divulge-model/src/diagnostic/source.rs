//! Texts and places in them.

use std::sync::Arc;

/// The number of a registered [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub(super) u32);

impl SourceId {
    /// Its place in [`Diagnostics::sources`](super::Diagnostics::sources).
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The bytes `start..end` of this source.
    pub fn span(self, start: usize, end: usize) -> Span {
        Span { source: self, start, end }
    }
}

/// A range of bytes in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Which text.
    pub source: SourceId,
    /// The first byte.
    pub start: usize,
    /// One past the last byte; may equal `start`, for a place between two characters.
    pub end: usize,
}

impl Span {
    /// From the start of this span to the end of `other`, which must be in the same source.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start, end: other.end.max(self.start) }
    }
}

/// A text and the name that people know it by.
#[derive(Clone, Debug)]
pub struct Source {
    /// Usually a path.
    pub name: String,
    /// The whole text, shared.
    pub text: Arc<str>,
}

/// A place as people count: from one, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line number.
    pub line: usize,
    /// The character within the line.
    pub column: usize,
}

impl Source {
    /// A named text.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Source { name: name.into(), text: text.into() }
    }

    /// The nearest place at or before `offset` that is between two characters of the text.
    pub fn floor(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset.min(self.text.len()))
    }

    /// The line and column of a byte. Linear in the offset: meant for the few places that are printed.
    pub fn position(&self, offset: usize) -> Position {
        let before = &self.text[..self.floor(offset)];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        Position { line, column: before[line_start..].chars().count() + 1 }
    }

    /// The range of the line around a byte, without its line break.
    pub fn line_range(&self, offset: usize) -> (usize, usize) {
        let at = self.floor(offset);
        let start = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        let end = self.text[at..].find('\n').map_or(self.text.len(), |i| at + i);
        let end =
            if end > start && self.text.as_bytes()[end - 1] == b'\r' && at < end { end - 1 } else { end };
        (start, end)
    }
}
