//! One step of the subset construction: where each label leads from a set of vertices.

use crate::{
    graph::Shifts,
    problem::{Image, Label, PGraph, Vertex},
    sets::{HybridStore, Members, bits::ones},
};

/// Targets are put in order by sorting if they are spread over more words of bits than this for each of them.
const WORDS: usize = 2;

/// Arcs are grouped by how far they lead once each was followed so often, on average: then it pays.
const OFTEN: usize = 4;

/// Following an arc by itself takes as long as this many words of arcs that lead equally far.
const WORDS_PER_ARC: usize = 8;

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
    /// The arcs by how far they lead, once that was looked at and if it helps.
    shifts: Option<Option<Shifts>>,
    /// A set as bits that is kept as a list; clear between two uses.
    set: Vec<u64>,
    /// How many arcs were followed one by one.
    followed: usize,
}

impl<'g> Steps<'g> {
    /// Steps in this graph.
    pub fn new(graph: &'g PGraph) -> Self {
        Self {
            graph,
            targets: Vec::new(),
            used: Vec::new(),
            bits: vec![0; graph.len().div_ceil(64)],
            next: Vec::new(),
            shifts: None,
            set: Vec::new(),
            followed: 0,
        }
    }

    /// Calls `each` with every label that some member of `set` bears, or every member, if `by_all`, ascending, and with the set of vertices
    /// that it leads to, in the form in which sets are stored. The set must not be empty.
    #[inline]
    pub fn each(&mut self, set: Members<'_>, by_all: bool, each: impl FnMut(Label, Members<'_>)) {
        if let Members::List(&[one]) = set {
            return self.of_one(one, each);
        }
        let members = set.count();
        let wanted = if by_all { members } else { 1 };
        if self.shifts_help(members) {
            self.together(set, wanted, each);
        } else {
            self.collect(set, by_all);
            self.apart(wanted, each);
        }
    }

    /// The same for a set of one vertex, whose arcs are in order already.
    #[inline]
    fn of_one(&mut self, one: u32, mut each: impl FnMut(Label, Members<'_>)) {
        let mut rest = self.graph.arcs(Vertex(one));
        while let [first, others @ ..] = rest {
            rest = others;
            if others.first().is_none_or(|other| other.label != first.label) {
                each(first.label, Members::List(&[first.to.0]));
                continue;
            }
            self.next.clear();
            self.next.push(first.to.0);
            while let [other, others @ ..] = rest
                && other.label == first.label
            {
                self.next.push(other.to.0);
                rest = others;
            }
            as_stored(&self.next, &mut self.bits, |set| each(first.label, set));
        }
    }

    /// Whether arcs of so many vertices are followed sooner by how far they lead.
    fn shifts_help(&mut self, members: usize) -> bool {
        let arcs = self.graph.arc_count();
        if self.shifts.is_none() && self.followed > OFTEN * arcs {
            // Every label looks like itself.
            let labels = self.graph.all_arcs().map(|(_, arc)| arc.label.0 + 1).max();
            let image_of: Vec<Image> = (0..labels.unwrap_or(0)).map(Image).collect();
            self.shifts = Some(Shifts::new(self.graph, &image_of));
        }
        let words = WORDS_PER_ARC * members * (arcs / self.graph.len() + 1);
        matches!(&self.shifts, Some(Some(shifts)) if shifts.words() <= words)
    }

    /// Follows arcs that lead equally far together.
    fn together(&mut self, set: Members<'_>, wanted: usize, mut each: impl FnMut(Label, Members<'_>)) {
        let Self { shifts: Some(Some(shifts)), set: as_bits, bits, next, .. } = self else { return };
        let set = match set {
            Members::Bits(set) => set,
            Members::List(list) => {
                as_bits.resize(bits.len(), 0);
                as_bits.fill(0);
                mark(list, as_bits);
                as_bits
            }
        };
        for image in shifts.images(set) {
            if wanted == 1 || shifts.borne_by_all(image, set) {
                shifts.follow(image, set, bits);
                let count = Members::Bits(bits).count();
                if HybridStore::as_bits(64 * bits.len(), count) && count > 1 {
                    each(Label(image.0), Members::Bits(bits));
                    bits.fill(0);
                } else {
                    next.clear();
                    take(0, bits, next);
                    each(Label(image.0), Members::List(next));
                }
            }
        }
    }

    /// Tells what was collected.
    fn apart(&mut self, wanted: usize, mut each: impl FnMut(Label, Members<'_>)) {
        self.used.sort_unstable();
        for label in self.used.drain(..) {
            let (targets, borne) = &mut self.targets[label.index()];
            if *borne as usize >= wanted {
                order(targets, &mut self.bits);
                as_stored(targets, &mut self.bits, |set| each(label, set));
            }
            targets.clear();
            *borne = 0;
        }
    }

    /// Collects the targets of arcs by label.
    fn collect(&mut self, set: Members<'_>, by_all: bool) {
        let Self { graph, targets, used, followed, .. } = self;
        let mut before = 0;
        set.for_each(|v| {
            let (mut last, mut kept) = (None, false);
            let arcs = graph.arcs(Vertex(v));
            *followed += arcs.len();
            for arc in arcs {
                if arc.label.index() >= targets.len() {
                    targets.resize(arc.label.index() + 1, (Vec::new(), 0));
                }
                let (targets, borne) = &mut targets[arc.label.index()];
                if last != Some(arc.label) {
                    last = Some(arc.label);
                    // What a member before did not bear is not borne by all.
                    kept = !by_all || *borne == before;
                    if kept && *borne == 0 {
                        used.push(arc.label);
                    }
                    *borne += u32::from(kept);
                }
                if kept {
                    targets.push(arc.to.0);
                }
            }
            before += 1;
        });
    }
}

/// Hands over a set in the form in which it is stored. The bits must be clear and are so afterwards.
pub(super) fn as_stored(list: &[u32], bits: &mut [u64], give: impl FnOnce(Members<'_>)) {
    if list.len() > 1 && HybridStore::as_bits(64 * bits.len(), list.len()) {
        mark(list, bits);
        give(Members::Bits(bits));
        bits.fill(0);
    } else {
        give(Members::List(list));
    }
}

/// Sets the bits of some numbers.
fn mark(numbers: &[u32], bits: &mut [u64]) {
    numbers.iter().for_each(|n| bits[*n as usize / 64] |= 1 << (n % 64));
}

/// Sorts numbers and keeps each once, with the help of bits, which must be clear and are so afterwards.
fn order(numbers: &mut Vec<u32>, bits: &mut [u64]) {
    let (mut least, mut most, mut ascending) = (u32::MAX, 0, true);
    for &n in &*numbers {
        ascending &= n > most || least == u32::MAX;
        (least, most) = (least.min(n), most.max(n));
    }
    if ascending {
        return;
    }
    let (first, last) = (least as usize / 64, most as usize / 64);
    if last - first > WORDS * numbers.len() {
        numbers.sort_unstable();
        numbers.dedup();
        return;
    }
    mark(numbers, bits);
    numbers.clear();
    take(first, &mut bits[first..=last], numbers);
}

/// Adds the numbers whose bits are set in these words, the first of which has this number, and clears them.
fn take(first: usize, words: &mut [u64], numbers: &mut Vec<u32>) {
    for (i, word) in (first..).zip(words) {
        numbers.extend(ones(std::mem::take(word)).map(|bit| (i * 64 + bit) as u32));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::problem::{Kind, PGraphBuilder};

    /// Vertices of alternating kinds, with these labels and targets of each.
    fn graph(n: u32, arcs: impl Fn(u32) -> Vec<(u32, u32)>) -> PGraph {
        let mut b = PGraphBuilder::new();
        for v in 0..n {
            b.vertex(if v % 2 == 0 { Kind::Action } else { Kind::Observation });
        }
        b.initial(Vertex(0));
        for v in 0..n {
            for (label, to) in arcs(v).into_iter().filter(|(_, to)| *to < n) {
                b.arc(Vertex(v), Label(label), Vertex(to));
            }
        }
        b.build().expect("a p-graph")
    }

    #[test]
    fn labels_lead_where_their_arcs_do() {
        let n = 4000;
        let graph = graph(n, |v| {
            let to = |i| (v * v + i * 97) % n;
            (0..8 + v % 5).map(|i| ((i + v % 3) % 9, to(i) - to(i) % 2 + 1 - v % 2)).collect()
        });
        assert!(
            compare(&graph, 1).shifts.is_none_or(|shifts| shifts.is_none()),
            "its arcs lead every which way"
        );
    }

    #[test]
    fn arcs_that_lead_equally_far_are_followed_together() {
        for n in [64, 200, 1000] {
            let graph = graph(n, |v| {
                let far = [1, -1, 33, -63, 65, -127].into_iter().enumerate();
                let far = far.filter(|(i, _)| !(v as usize / 7 + i).is_multiple_of(11));
                far.map(|(i, d)| (i as u32 / 2, v.wrapping_add_signed(d))).collect()
            });
            assert!(matches!(compare(&graph, 50).shifts, Some(Some(_))), "its arcs lead few distances");
        }
    }

    /// Steps are what following every arc gives, however often they were asked for.
    fn compare(graph: &PGraph, times: usize) -> Steps<'_> {
        let n = graph.len() as u32;
        let mut steps = Steps::new(graph);
        let sets = [(2, 1), (2, 2), (6, 30), (2, 1500), (4, 400), (10, 3)];
        for (stride, count) in sets.repeat(times) {
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
                // Sets come in both forms, and go out in the one in which they are stored.
                as_stored(&set, &mut vec![0; graph.len().div_ceil(64)], |set| {
                    let mut found = Vec::new();
                    steps.each(set, by_all, |label, next| {
                        let many = next.count() > 1 && HybridStore::as_bits(graph.len(), next.count());
                        assert_eq!(matches!(next, Members::Bits(_)), many);
                        found.push((label, next.iter().collect::<Vec<_>>()));
                    });
                    assert_eq!(found, expected);
                });
            }
        }
        steps
    }
}
