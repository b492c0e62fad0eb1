//! One record of a journal.

use std::io::Write;

use serde::Deserialize;

use crate::{
    held::{Held, Reason},
    lines::{self, object},
};

/// A record has fewer bytes than this: more than a line of input can be, with every byte escaped.
pub(super) const MOST: u64 = 16 * lines::MOST as u64;

/// What the robot was told: `None` to go on observing, else the action, or nothing where it was to stop.
pub(crate) type ToldName = Option<Option<String>>;

/// What a journal is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    pub digest: String,
    pub mode: String,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    Start(Start, ToldName),
    Event {
        name: String,
        told: ToldName,
        would_hold: Option<Reason>,
    },
    /// How many images each observer had been shown, at least, and how many beats had come, where they are counted.
    Shown(Vec<u64>, Option<u64>),
    Held(Held),
    Ended {
        would_hold: Option<Reason>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    n: u64,
    journal: Option<String>,
    digest: Option<String>,
    mode: Option<String>,
    event: Option<String>,
    #[serde(rename = "do")]
    told: Option<Vec<String>>,
    would_hold: Option<String>,
    shown: Option<Vec<u64>>,
    beats: Option<u64>,
    held: Option<String>,
    message: Option<String>,
    ended: Option<bool>,
}

impl Record {
    /// Reads the record of this number.
    pub fn read(line: &[u8], number: u64) -> Result<Self, String> {
        let sound = line.len() > 9 && line[8] == b' ';
        let text = std::str::from_utf8(line).ok().filter(|_| sound).ok_or("it is no record")?;
        let (sum, text) = (&text[..8], &text[9..]);
        if format!("{:08x}", crc32fast::hash(text.as_bytes())) != sum {
            return Err("its checksum is wrong".to_owned());
        }
        let fields: Fields = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if fields.n != number {
            return Err(format!("it is record {} where record {number} should be", fields.n));
        }
        fields.record().ok_or_else(|| "its fields do not go together".to_owned())
    }

    /// Appends the line of the record, which is the one of this number.
    pub fn write(&self, number: u64, out: &mut Vec<u8>) {
        let text = object(|j| {
            j.plain_field("n", number)?;
            match self {
                Record::Start(start, told) => {
                    j.text_field("journal", lines::FORMAT)?;
                    j.text_field("digest", &start.digest)?;
                    j.text_field("mode", &start.mode)?;
                    told.as_ref().map_or(Ok(()), |told| j.texts_field("do", told.as_deref()))
                }
                Record::Event { name, told, would_hold } => {
                    j.text_field("event", name)?;
                    told.as_ref().map_or(Ok(()), |told| j.texts_field("do", told.as_deref()))?;
                    would_hold.map_or(Ok(()), |reason| j.text_field("would_hold", reason.word()))
                }
                Record::Shown(counts, beats) => {
                    j.key("shown")?;
                    let inline = divulge_model::document::write::Layout::Inline;
                    j.list(inline, |j| counts.iter().try_for_each(|&count| j.plain(count)))?;
                    beats.map_or(Ok(()), |beats| j.plain_field("beats", beats))
                }
                Record::Held(held) => {
                    j.text_field("held", held.reason.word())?;
                    held.event.as_ref().map_or(Ok(()), |event| j.text_field("event", event))?;
                    j.text_field("message", &held.message)
                }
                Record::Ended { would_hold } => {
                    j.plain_field("ended", true)?;
                    would_hold.map_or(Ok(()), |reason| j.text_field("would_hold", reason.word()))
                }
            }
        });
        let _ = write!(out, "{:08x} ", crc32fast::hash(&text));
        out.extend_from_slice(&text);
        out.push(b'\n');
    }
}

impl Fields {
    fn record(self) -> Option<Record> {
        let told = match self.told {
            None => None,
            Some(mut names) if names.len() <= 1 => Some(names.pop()),
            Some(_) => return None,
        };
        let would_hold = match &self.would_hold {
            None => None,
            Some(word) => Some(Reason::from_word(word)?),
        };
        Some(match (self.journal, self.held, self.shown, self.ended, self.event) {
            (Some(format), None, None, None, None) if format == lines::FORMAT => {
                Record::Start(Start { digest: self.digest?, mode: self.mode? }, told)
            }
            (None, Some(word), None, None, event) => {
                Record::Held(Held { event, reason: Reason::from_word(&word)?, message: self.message? })
            }
            (None, None, Some(counts), None, None) => Record::Shown(counts, self.beats),
            (None, None, None, Some(true), None) => Record::Ended { would_hold },
            (None, None, None, None, Some(name)) => Record::Event { name, told, would_hold },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written_and_not_if_a_byte_differs() {
        let start = Start { digest: "ab".to_owned(), mode: "enforce".to_owned() };
        let held =
            Held { event: Some("x".to_owned()), reason: Reason::NotTold, message: "no \"y\"\n".to_owned() };
        let all = [
            Record::Start(start, Some(Some("a".to_owned()))),
            Record::Event { name: "a ä\u{1}".to_owned(), told: None, would_hold: None },
            Record::Event { name: "b".to_owned(), told: Some(None), would_hold: Some(Reason::Stipulation) },
            Record::Shown(vec![3, 0], None),
            Record::Shown(vec![3, 1], Some(17)),
            Record::Held(held),
            Record::Held(Held::new(Reason::NoHeartbeat, "none")),
            Record::Ended { would_hold: None },
        ];
        for (number, record) in (0..).zip(&all) {
            let mut line = Vec::new();
            record.write(number, &mut line);
            assert_eq!(line.pop(), Some(b'\n'));
            assert_eq!(Record::read(&line, number).as_ref(), Ok(record));
            assert!(Record::read(&line, number + 1).is_err());
            for at in 0..line.len() {
                for bit in [1, 32] {
                    let mut other = line.clone();
                    other[at] ^= bit;
                    assert!(Record::read(&other, number).is_err(), "{at} of {record:?}");
                }
                assert!(Record::read(&line[..at], number).is_err(), "cut at {at}");
            }
        }
    }
}
