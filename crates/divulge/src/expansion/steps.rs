//! One step of the subset construction: where each label leads from a set of vertices.

use crate::problem::{Label, PGraph, Vertex};

/// Up to so many targets, and one for so many words of bits, are put in order by sorting.
const FEW: usize = 16;
const WORDS: usize = 4;

/// Scratch room for the sets that follow one set at a time.
#[derive(Debug)]
pub(super) struct Steps<'g> {
    graph: &'g PGraph,
    /// By label: the targets of its arcs, and how many members of the set bear it.
    targets: Vec<(Vec<u32>, u32)>,
    /// The labels with targets.
    used: Vec<Label>,
    /// One for each vertex, clear between two uses.
    bits: Vec<u64>,
    next: Vec<u32>,
    /// The set, if it has but one member.
    one: Option<u32>,
    /// How many members must bear a label.
    wanted: u32,
}

impl<'g> Steps<'g> {
    /// Steps in this graph.
    pub fn new(graph: &'g PGraph) -> Self {
        let bits = vec![0; graph.len().div_ceil(64)];
        Self { graph, targets: Vec::new(), used: Vec::new(), bits, next: Vec::new(), one: None, wanted: 1 }
    }

    /// Finds where the labels lead that some member of `set` bears, or every member, if `by_all`. The set must not be empty.
    pub fn of(&mut self, set: &[u32], by_all: bool) -> &mut Self {
        self.one = (set.len() == 1).then_some(set[0]);
        self.wanted = if by_all { set.len() as u32 } else { 1 };
        if self.one.is_none() {
            self.collect(set, by_all);
        }
        self
    }

    /// Calls `each` with every one of these labels, ascending, and the vertices that it leads to, ascending.
    pub fn each(&mut self, mut each: impl FnMut(Label, &[u32])) {
        if let Some(one) = self.one {
            // Its arcs are in order already.
            for arcs in self.graph.arcs(Vertex(one)).chunk_by(|a, b| a.label == b.label) {
                self.next.clear();
                self.next.extend(arcs.iter().map(|arc| arc.to.0));
                each(arcs[0].label, &self.next);
            }
            return;
        }
        self.used.sort_unstable();
        for label in self.used.drain(..) {
            let (targets, borne) = &mut self.targets[label.index()];
            if *borne >= self.wanted {
                order(targets, &mut self.bits);
                each(label, targets);
            }
            targets.clear();
            *borne = 0;
        }
    }

    /// Collects the targets of arcs by label.
    fn collect(&mut self, set: &[u32], by_all: bool) {
        for (i, &v) in (0..).zip(set) {
            let (mut last, mut kept) = (None, false);
            for arc in self.graph.arcs(Vertex(v)) {
                if arc.label.index() >= self.targets.len() {
                    self.targets.resize(arc.label.index() + 1, (Vec::new(), 0));
                }
                let (targets, borne) = &mut self.targets[arc.label.index()];
                if last != Some(arc.label) {
                    last = Some(arc.label);
                    // What a member before did not bear is not borne by all.
                    kept = !by_all || *borne == i;
                    if kept && *borne == 0 {
                        self.used.push(arc.label);
                    }
                    *borne += u32::from(kept);
                }
                if kept {
                    targets.push(arc.to.0);
                }
            }
        }
    }
}

/// Sorts numbers and keeps each once, with the help of bits, which must be clear and are so afterwards.
fn order(numbers: &mut Vec<u32>, bits: &mut [u64]) {
    if numbers.windows(2).all(|pair| pair[0] < pair[1]) {
        return;
    }
    if numbers.len() <= FEW + bits.len() / WORDS {
        numbers.sort_unstable();
        numbers.dedup();
        return;
    }
    let (mut first, mut last) = (bits.len(), 0);
    for n in numbers.drain(..) {
        let word = n as usize / 64;
        bits[word] |= 1 << (n % 64);
        (first, last) = (first.min(word), last.max(word));
    }
    for (i, word) in (first..).zip(&mut bits[first..=last]) {
        let mut rest = std::mem::take(word);
        while rest != 0 {
            numbers.push(i as u32 * 64 + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::problem::{Kind, PGraphBuilder};

    #[test]
    fn labels_lead_where_their_arcs_do() {
        let n = 4000_u32;
        let mut b = PGraphBuilder::new();
        for v in 0..n {
            b.vertex(if v % 2 == 0 { Kind::Action } else { Kind::Observation });
        }
        b.initial(Vertex(0));
        for v in 0..n {
            for i in 0..8 + v % 5 {
                let to = (v * v + i * 97) % n;
                b.arc(Vertex(v), Label((i + v % 3) % 9), Vertex(to - to % 2 + 1 - v % 2));
            }
        }
        let graph = b.build().expect("a p-graph");
        let mut steps = Steps::new(&graph);
        for (stride, count) in [(2, 1), (2, 2), (6, 30), (2, 1500), (4, 400), (10, 3)] {
            for (first, by_all) in [(0, true), (0, false), (1, true), (1, false)] {
                let set: Vec<u32> = (0..count).map(|i| first + i * stride).filter(|&v| v < n).collect();
                let expected = (0..9).map(Label).filter_map(|label| {
                    let borne = set.iter().filter(|&&v| graph.bears(Vertex(v), label)).count();
                    let arcs = set.iter().flat_map(|&v| graph.step(Vertex(v), label));
                    let to: BTreeSet<u32> = arcs.map(|arc| arc.to.0).collect();
                    let kept = if by_all { borne == set.len() } else { borne > 0 };
                    kept.then(|| (label, to.into_iter().collect::<Vec<_>>()))
                });
                let expected: Vec<_> = expected.collect();
                let mut found = Vec::new();
                steps.of(&set, by_all).each(|label, next| found.push((label, next.to_vec())));
                assert_eq!(found, expected);
            }
        }
    }
}
