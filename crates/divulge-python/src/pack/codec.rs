//! Numbers and texts as bytes.

use pyo3::{PyErr, Python};

use crate::error::plain;

/// Bytes that are not as they were written.
#[derive(Clone, Copy, Debug)]
pub struct Torn;

impl Torn {
    /// As an exception.
    pub fn raise(self, py: Python<'_>, what: &str) -> PyErr {
        let help = "send it again, and use the same version of divulge on both sides";
        plain(py, &format!("these bytes are not a {what} that this version of divulge can read"), Some(help))
    }
}

/// What may have gone wrong while reading.
pub type Read<T> = Result<T, Torn>;

/// Writes bytes.
#[derive(Default)]
pub struct Writer {
    /// The bytes.
    pub out: Vec<u8>,
}

impl Writer {
    /// Seven bits a byte, the lowest first.
    pub fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.out.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.out.push(n as u8);
    }

    /// A number that may be negative; near 0 it is short.
    pub fn signed(&mut self, n: i64) {
        self.number(((n << 1) ^ (n >> 63)) as u64);
    }

    /// A number of 128 bits.
    pub fn wide(&mut self, n: u128) {
        self.number(n as u64);
        self.number((n >> 64) as u64);
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Something that may be missing.
    pub fn maybe<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.out.push(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    /// Several of a kind.
    pub fn each<T>(&mut self, all: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(all.len() as u64);
        all.iter().for_each(|one| write(self, one));
    }
}

/// Reads what [`Writer`] wrote; nothing is taken on trust.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// From the beginning, which must be this mark.
    pub fn new(bytes: &'a [u8], mark: &[u8]) -> Read<Self> {
        bytes.strip_prefix(mark).map(|rest| Self { rest }).ok_or(Torn)
    }

    /// That nothing is left.
    pub fn end(&self) -> Read<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(Torn) }
    }

    /// So many bytes.
    pub fn bytes(&mut self, count: usize) -> Read<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Torn)?;
        self.rest = rest;
        Ok(taken)
    }

    /// One byte.
    pub fn byte(&mut self) -> Read<u8> {
        Ok(self.bytes(1)?[0])
    }

    /// A number.
    pub fn number(&mut self) -> Read<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err(Torn)
    }

    /// A number of 32 bits.
    pub fn short(&mut self) -> Read<u32> {
        u32::try_from(self.number()?).map_err(|_| Torn)
    }

    /// A count of things of at least one byte each, or of none: never more than there are bytes.
    pub fn count(&mut self) -> Read<usize> {
        let count = usize::try_from(self.number()?).map_err(|_| Torn)?;
        if count <= self.rest.len() { Ok(count) } else { Err(Torn) }
    }

    /// A number that may be negative.
    pub fn signed(&mut self) -> Read<i64> {
        let n = self.number()?;
        Ok((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// A number of 32 bits that was told by how it differs from another.
    pub fn after(&mut self, before: u32) -> Read<u32> {
        let found = i64::from(before).checked_add(self.signed()?).ok_or(Torn)?;
        u32::try_from(found).map_err(|_| Torn)
    }

    /// A number of 128 bits.
    pub fn wide(&mut self) -> Read<u128> {
        Ok(u128::from(self.number()?) | u128::from(self.number()?) << 64)
    }

    /// A text.
    pub fn text(&mut self) -> Read<&'a str> {
        let count = self.count()?;
        std::str::from_utf8(self.bytes(count)?).map_err(|_| Torn)
    }

    /// A yes or no.
    pub fn flag(&mut self) -> Read<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Torn),
        }
    }

    /// Something that may be missing.
    pub fn maybe<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        if self.flag()? { read(self).map(Some) } else { Ok(None) }
    }

    /// Several of a kind.
    pub fn each<T>(&mut self, mut read: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.count()?;
        (0..count).map(|_| read(self)).collect()
    }
}
