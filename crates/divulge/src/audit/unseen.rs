//! Unseen events, backwards: what they make of a demand.
//!
//! *Background.* Beliefs contain whatever unseen events lead to. So a belief that lies within a set lies within what unseen events do not lead out of,
//! and one that contains a vertex from which they lead to a set meets that set. A demand that says so already is *settled*. What becomes a settled
//! demand by an image is found from the arcs that bear the image alone; then it is settled in turn.

use crate::{
    problem::{Image, Kind, LabelMap, PGraph, Vertex},
    sets::{BitSet, bits::ones},
};

/// The unseen arcs between the places of reachable vertices.
#[derive(Debug)]
pub(crate) struct Unseen {
    before: Arcs,
    after: Arcs,
}

/// For each place, some others.
#[derive(Debug)]
struct Arcs {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Arcs {
    fn new(count: usize, arcs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0_u32; count + 2];
        arcs.iter().for_each(|&(from, _)| starts[from as usize + 2] += 1);
        for v in 1..starts.len() {
            starts[v] += starts[v - 1];
        }
        let mut ends = vec![0; arcs.len()];
        for &(from, to) in arcs {
            let at = &mut starts[from as usize + 1];
            ends[*at as usize] = to;
            *at += 1;
        }
        Self { starts, ends }
    }

    fn of(&self, place: u32) -> &[u32] {
        &self.ends[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }
}

fn has(set: &[u64], place: u32) -> bool {
    set[place as usize / 64] >> (place % 64) & 1 == 1
}

fn members(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    set.iter().enumerate().flat_map(|(i, &word)| ones(word).map(move |bit| (i * 64 + bit) as u32))
}

impl Unseen {
    /// The unseen arcs out of the vertices reached, which have these places, all below `count`.
    pub fn new(
        graph: &PGraph,
        map: &LabelMap,
        reached: &BitSet,
        place: impl Fn(Vertex) -> u32,
        count: usize,
    ) -> Self {
        let mut arcs: Vec<(u32, u32)> = Vec::new();
        for v in reached.iter().map(|v| Vertex(v as u32)) {
            let hidden = graph.arcs(v).iter().filter(|arc| map.images()[arc.label.index()] == Image::UNSEEN);
            arcs.extend(hidden.map(|arc| (place(v), place(arc.to))));
        }
        let after = Arcs::new(count, &arcs);
        arcs.iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
        Self { before: Arcs::new(count, &arcs), after }
    }

    /// Adds to a set whatever comes to it by unseen events; tells how much work it was.
    pub fn come_before(&self, set: &mut [u64]) -> u64 {
        self.spread(set, |_| true)
    }

    /// Settles a demand: what the belief is to be within, then sets to be met, of so many words each. Tells how much work it was.
    pub fn settle(&self, demand: &mut [u64], words: usize) -> u64 {
        let (within, to_meet) = demand.split_at_mut(words);
        let mut work = 0;
        let mut out: Vec<u32> = Vec::new();
        let size: usize = within.iter().map(|word| word.count_ones() as usize).sum();
        if size > words * 32 {
            // What leads out is found sooner from there.
            for (i, &word) in within.iter().enumerate() {
                out.extend(ones(!word).map(|bit| (i * 64 + bit) as u32));
            }
            work += (words * 64 - size) as u64;
        } else {
            for i in 0..words {
                for bit in ones(within[i]) {
                    let v = (i * 64 + bit) as u32;
                    let after = self.after.of(v);
                    work += 1 + after.len() as u64;
                    if after.iter().any(|&to| !has(within, to)) {
                        within[i] &= !(1 << bit);
                        out.push(v);
                    }
                }
            }
        }
        while let Some(v) = out.pop() {
            for &from in self.before.of(v) {
                work += 1;
                if has(within, from) {
                    within[from as usize / 64] &= !(1 << (from % 64));
                    out.push(from);
                }
            }
        }
        for set in to_meet.chunks_mut(words.max(1)) {
            set.iter_mut().zip(&*within).for_each(|(met, within)| *met &= within);
            work += self.spread(set, |v| has(within, v));
        }
        work
    }

    /// Adds to a set whatever comes to it by unseen events from where it may; tells how much work it was.
    fn spread(&self, set: &mut [u64], may: impl Fn(u32) -> bool) -> u64 {
        let mut work = 0;
        let mut todo: Vec<u32> = members(set).collect();
        while let Some(at) = todo.pop() {
            let before = self.before.of(at);
            work += 1 + before.len() as u64;
            for &from in before {
                let (word, bit) = (from as usize / 64, 1 << (from % 64));
                if set[word] & bit == 0 && may(from) {
                    set[word] |= bit;
                    todo.push(from);
                }
            }
        }
        work
    }
}

/// To which kind of vertices each image leads; nothing if one is that of an action and of an observation.
pub(crate) fn leads_to(graph: &PGraph, map: &LabelMap) -> Option<Vec<Kind>> {
    let mut leads_to: Vec<Option<Kind>> = vec![None; map.len()];
    for v in graph.vertices() {
        let to = graph.kind(v).other();
        for arc in graph.arcs(v) {
            if let Some(image) = map.image(arc.label)
                && leads_to[image.index()].replace(to).is_some_and(|other| other != to)
            {
                return None;
            }
        }
    }
    Some(leads_to.into_iter().map(|kind| kind.unwrap_or(Kind::Action)).collect())
}
