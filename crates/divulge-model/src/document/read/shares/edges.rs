//! A long list of edges.

use divulge::{
    limit::together,
    problem::{Alphabet, Arc, Kind, Label, Names, Vertex},
};

use super::{
    super::{
        edges::Batch,
        index::{Index, Lookup},
        json::{Reader, Token},
    },
    MUCH, item_after, ranges,
};

/// Labels in the order in which they are met: those of events with their kinds, or images.
#[derive(Clone)]
pub enum Words {
    Events(Alphabet),
    Images(Names),
}

impl Words {
    /// A label of an edge whose source is of that kind; `None` if it is of the other one elsewhere.
    fn get(&mut self, name: &str, kind: Kind) -> Option<Label> {
        match self {
            Words::Events(alphabet) => alphabet.declare(name, kind).ok(),
            Words::Images(names) => Some(Label(names.intern(name).0)),
        }
    }
}

/// What one thread has read.
pub struct Share {
    pub arcs: Vec<(Vertex, Arc)>,
    pub words: Words,
    /// Where it ended: before an item of the list, or after the list.
    pub end: usize,
    pub over: bool,
}

/// Where threads may begin to read the list that the reader stands before; the first is right, the others are guesses.
pub fn starts(r: &Reader<'_>) -> Vec<usize> {
    let bytes = r.text.as_bytes();
    super::starts(r, r.at + 1, bytes.len(), |from| item_after(bytes, from, from + MUCH, b'{'))
}

/// Reads the shares that begin there, each up to the next one or the end of the list; `None` where something needs a word.
pub fn read(
    r: &Reader<'_>,
    starts: &[usize],
    index: &Index,
    kind: impl Fn(Vertex) -> Kind + Sync,
    words: &Words,
) -> Vec<Option<Share>> {
    let mut shares: Vec<_> = ranges(starts).map(|(start, end)| (start, end, None)).collect();
    let done: Result<(), ()> = together(&mut shares, |(start, end, share)| {
        let mut reading = Reading {
            r: r.beside(*start),
            index,
            lookup: Lookup::default(),
            share: Share { arcs: Vec::new(), words: words.clone(), end: *start, over: false },
        };
        *share = reading.run(*end, &kind).map(|()| reading.share);
        Ok(())
    });
    debug_assert!(done.is_ok());
    shares.into_iter().map(|(.., share)| share).collect()
}

/// A share as it is read.
struct Reading<'t, 'i> {
    r: Reader<'t>,
    index: &'i Index,
    lookup: Lookup,
    share: Share,
}

impl Reading<'_, '_> {
    /// Reads up to there, or to the end of the list.
    fn run(&mut self, end: usize, kind: &impl Fn(Vertex) -> Kind) -> Option<()> {
        let mut batch = Batch::default();
        loop {
            batch.read_edge(&mut self.r).ok()?;
            self.share.over = !self.r.goes_on(b']', "`,` or `]`").ok()?;
            if !self.share.over {
                self.r.peek();
            }
            let ends = self.share.over || self.r.at >= end;
            if batch.is_full() || ends {
                self.take(&mut batch, kind)?;
            }
            if ends {
                self.share.end = self.r.at;
                return Some(());
            }
        }
    }

    /// Adds the edges of a batch and empties it.
    fn take(&mut self, batch: &mut Batch, kind: &impl Fn(Vertex) -> Kind) -> Option<()> {
        let Self { r, index, lookup, share } = self;
        if !r.found.is_empty() {
            return None;
        }
        index.find(r, &batch.ends, lookup);
        for (i, edge) in batch.edges.iter().enumerate() {
            let (source, to) = (lookup.found[2 * i]?, lookup.found[2 * i + 1]?);
            let labels: &[Token] = &batch.labels[edge.labels.clone()];
            if kind(source) == kind(to) || labels.is_empty() {
                return None;
            }
            for &token in labels {
                let label = share.words.get(&r.say(token), kind(source))?;
                share.arcs.push((source, Arc { label, to }));
            }
        }
        batch.clear();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::document::{Whom, read_with, to_string};

    /// A ring of rooms whose names look like the ends of edges.
    fn ring(rooms: usize) -> String {
        let odd = ["", "}, {", r#"\"}, {\"from\": \""#, "]", "\u{e9}", "  }\n,{ "];
        let name = |kind: &str, i: usize| {
            format!("\"{kind}{}{}\"", i % rooms, odd[i % rooms % odd.len()].replace('\n', "\\n"))
        };
        let (mut vertices, mut edges) = (String::new(), String::new());
        for i in 0..rooms {
            let comma = if i == 0 { "" } else { ", " };
            let (u, y) = (name("u", i), name("y", i));
            write!(
                vertices,
                "{comma}{u}: {{\"kind\": \"action\"}}, {y}: {{\"kind\": \"observation\", \"goal\": true}}"
            )
            .unwrap();
            write!(
                edges,
                "{comma}{{\"from\": {u}, \"to\": {y}, \"labels\": [\"go{}\"]}}\n , {{\"labels\": [\"see\", \"s{}\"], \"to\": {}, \"from\": {y}}}",
                i % 7,
                i % 5,
                name("u", i + 1),
            )
            .unwrap();
        }
        let world = format!(
            "{{\"vertices\": {{{vertices}}}, \"initial\": [{}], \"edges\": [{edges}]}}",
            name("u", 0)
        );
        format!(
            "{{\"format\": \"divulge/1\", \"world\": {world}, \"observers\": [{{\"knows\": \"world\", \"map\": {{}}, \"stipulations\": []}}]}}"
        )
    }

    /// What is read, or what is said to be wrong.
    fn outcome(text: &str, threads: usize) -> Result<String, String> {
        match read_with("it", text, Whom::Everybody, threads) {
            Ok(read) => Ok(format!("{}{}", to_string(&read.problem), read.warnings.render(false))),
            Err(found) => Err(found.render(false)),
        }
    }

    #[test]
    fn it_does_not_matter_how_many_read() {
        let text = ring(100);
        let list = text.find("\"edges\": [").unwrap() + 9;
        let reader = Reader { at: list, threads: 8, ..Reader::new(&text) };
        assert_eq!(starts(&reader).len(), 8);
        let object = text.find("\"vertices\": {").unwrap() + 12;
        let reader = Reader { at: object, threads: 8, ..Reader::new(&text) };
        assert_eq!(super::super::vertices::starts(&reader).len(), 8);
        let alone = outcome(&text, 1);
        assert!(alone.is_ok(), "{alone:?}");
        for threads in [2, 3, 8] {
            assert_eq!(outcome(&text, threads), alone);
        }
    }

    #[test]
    fn a_list_may_be_empty_before_a_long_one() {
        let one = r#"{"format": "divulge/1", "world": {"vertices": {"u": {"kind": "action"}}, "initial": ["u"], "edges": []}, "plan": "#;
        let text = ring(40).replacen("\"world\": ", "\"plan\": ", 1).replace("\"goal\"", "\"terminal\"");
        let text = one.to_owned() + text.split_once("\"plan\": ").unwrap().1;
        let alone = outcome(&text, 1);
        assert!(alone.is_ok(), "{alone:?}");
        for empty in ["[]", "[ \n ]"] {
            let text = text.replacen("[]", empty, 1);
            for threads in [2, 3, 8] {
                assert_eq!(outcome(&text, threads), alone);
            }
        }
    }

    #[test]
    fn what_is_wrong_is_told_in_the_same_words() {
        let text = ring(40);
        let list = text.find("\"vertices\"").unwrap();
        let mut wrong = 0;
        for (i, at) in (list..text.len()).step_by(13).filter(|&at| text.is_char_boundary(at)).enumerate() {
            let end = text.ceil_char_boundary(at + 1);
            let instead = ["", "\"", "}", "x", "see", "{", "]", ", ", "\\"][i % 9];
            let mut changed = format!("{}{instead}{}", &text[..at], &text[end..]);
            if i % 40 == 0 {
                changed.truncate(at);
            }
            let alone = outcome(&changed, 1);
            wrong += usize::from(alone.is_err());
            for threads in [2, 5] {
                assert_eq!(outcome(&changed, threads), alone, "{instead} at {at}");
            }
        }
        assert!(wrong > 100);
    }
}
