//! Twin runs: executions that the observer takes for one another, and those that it could still take for one another
//! until some event.

use rustc_hash::FxHashMap;

use super::replay::{Expected, Filtered, Pair};
use crate::problem::{BitSet, Image, Label, LabelMap, PGraph, Vertex};

/// An execution of the world that the divulged plan admits, and the world vertices that it passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twin {
    /// Its events.
    pub execution: Vec<Label>,
    /// The vertex before the first event, and the one after each.
    pub path: Vec<Vertex>,
}

impl Twin {
    /// Where it ends.
    pub fn end(&self) -> Vertex {
        *self.path.last().expect("a run has a start")
    }
}

/// Why a run that looked right so far is no alternative any more. The labels are those that would have kept it one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It would go on with one of these events, which look different from what was seen.
    LooksDifferent(Vec<Label>),
    /// The world would let it go on with one of these, but the divulged plan does something else there.
    NotDivulged(Vec<Label>),
    /// The divulged plan ends there.
    PlanStops,
    /// The world has nothing more there.
    WorldStops,
}

/// Alternatives that one event ruled out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuledOut {
    /// The number of the event, the first being 1.
    pub event: usize,
    /// The world vertices where they were before that event, ascending.
    pub vertices: Vec<Vertex>,
    /// One of them: it looked like the execution up to the event before.
    pub twin: Twin,
    /// Why it cannot go on.
    pub why: Why,
}

/// What looks like one execution, event by event.
pub(super) struct LookAlikes<'a> {
    expected: &'a Expected<'a>,
    map: &'a LabelMap,
    images: Vec<Image>,
    layers: Vec<Vec<Reached>>,
}

/// A pair, and how it was reached: a position in the layer before, and the event.
#[derive(Clone, Copy)]
struct Reached {
    pair: Pair,
    from: usize,
    label: Label,
}

impl<'a> LookAlikes<'a> {
    /// The pairs that runs reach that look like the prefixes of `execution`.
    pub fn new(expected: &'a Expected<'a>, map: &'a LabelMap, execution: &[Label]) -> Self {
        let start = expected.start().into_iter().map(|pair| Reached { pair, from: 0, label: Label(0) });
        let mut layers: Vec<Vec<Reached>> = vec![start.collect()];
        for &event in execution {
            let mut next = Vec::new();
            for (from, before) in layers[layers.len() - 1].iter().enumerate() {
                let go_on = expected.next(before.pair).filter(|(l, _)| map.image(*l) == map.image(event));
                next.extend(go_on.map(|(label, pair)| Reached { pair, from, label }));
            }
            // Of several ways to a pair, the one whose last event is the execution's own reads best.
            next.sort_unstable_by_key(|r| (r.pair, r.label != event, r.from, r.label));
            next.dedup_by_key(|r| r.pair);
            layers.push(next);
        }
        Self { expected, map, images: execution.iter().map(|&l| map.image(l)).collect(), layers }
    }

    /// A run that looks like the whole execution and ends in `mask`, by preference at one of `near`.
    pub fn ending_in(&self, mask: &BitSet, near: &[Vertex]) -> Option<Twin> {
        let last = self.layers.len() - 1;
        let inside = |r: &&Reached| mask.contains(r.pair.0.index());
        let found = self.layers[last].iter().enumerate().filter(|(_, r)| inside(r));
        found.min_by_key(|(_, r)| !near.contains(&r.pair.0)).map(|(i, _)| self.run(last, i))
    }

    /// For a mask that no look-alike of the whole execution ends in: which events ruled out the runs that would.
    pub fn ruled_out(&self, mask: &BitSet) -> Vec<RuledOut> {
        let bound = Bound::new(self.expected.world(), mask, self.images.len());
        let alive: Vec<Vec<bool>> = self
            .layers
            .iter()
            .enumerate()
            .map(|(n, layer)| layer.iter().map(|r| self.alternative(&bound, mask, n, r.pair)).collect())
            .collect();
        (1..self.layers.len()).filter_map(|n| self.ruled_out_at(&bound, &alive, n)).collect()
    }

    /// Whether a pair reached after `n` events can still be of those that end in the mask, or has ended there.
    fn alternative(&self, bound: &Bound, mask: &BitSet, n: usize, pair: Pair) -> bool {
        bound.reaches(n, pair.0)
            || (mask.contains(pair.0.index()) && self.expected.next(pair).next().is_none())
    }

    fn ruled_out_at(&self, bound: &Bound, alive: &[Vec<bool>], n: usize) -> Option<RuledOut> {
        let mut goes_on = vec![false; self.layers[n - 1].len()];
        let after: FxHashMap<Pair, bool> =
            self.layers[n].iter().zip(&alive[n]).map(|(r, &a)| (r.pair, a)).collect();
        for (i, before) in self.layers[n - 1].iter().enumerate() {
            goes_on[i] = self.expected.next(before.pair).any(|(label, to)| {
                self.map.image(label) == self.images[n - 1] && after.get(&to).copied().unwrap_or(false)
            });
        }
        let gone: Vec<usize> = (0..goes_on.len()).filter(|&i| alive[n - 1][i] && !goes_on[i]).collect();
        let mut vertices: Vec<Vertex> = gone.iter().map(|&i| self.layers[n - 1][i].pair.0).collect();
        vertices.dedup();
        let why = |i: usize| self.why(bound, n, self.layers[n - 1][i].pair);
        let (why, i) = gone.iter().map(|&i| (why(i), i)).min_by_key(|(why, i)| (kind(why), *i))?;
        Some(RuledOut { event: n, vertices, twin: self.run(n - 1, i), why })
    }

    /// Why a pair after `n - 1` events, an alternative then, is none after event `n`.
    fn why(&self, bound: &Bound, n: usize, pair: Pair) -> Why {
        let world = self.expected.world();
        if world.arcs(pair.0).is_empty() {
            return Why::WorldStops;
        }
        let mut wanted: Vec<Label> =
            world.arcs(pair.0).iter().filter(|arc| bound.reaches(n, arc.to)).map(|arc| arc.label).collect();
        wanted.dedup();
        let divulged: Vec<Label> =
            wanted.iter().copied().filter(|&l| !self.expected.follow(pair.1, l).is_empty()).collect();
        if !divulged.is_empty() {
            Why::LooksDifferent(divulged)
        } else if self.expected.next(pair).next().is_none() {
            Why::PlanStops
        } else {
            Why::NotDivulged(wanted)
        }
    }

    fn run(&self, mut layer: usize, mut at: usize) -> Twin {
        let (mut execution, mut path) = (Vec::new(), vec![self.layers[layer][at].pair.0]);
        while layer > 0 {
            let Reached { from, label, .. } = self.layers[layer][at];
            (layer, at) = (layer - 1, from);
            execution.push(label);
            path.push(self.layers[layer][at].pair.0);
        }
        execution.reverse();
        path.reverse();
        Twin { execution, path }
    }
}

fn kind(why: &Why) -> u8 {
    match why {
        Why::LooksDifferent(_) => 0,
        Why::NotDivulged(_) => 1,
        Why::PlanStops => 2,
        Why::WorldStops => 3,
    }
}

/// A shortest run that brings a filter into the state that `execution` brings it into and ends in `mask`; its image may differ.
pub(super) fn same_memory(filter: &Filtered<'_>, execution: &[Label], mask: &BitSet) -> Option<Twin> {
    let state = execution.iter().try_fold(0, |state, &label| filter.follow(state, label))?;
    let (_, number) = filter.reaching(state).find(|(w, _)| mask.contains(w.index()))?;
    let (execution, path) = filter.run(number);
    Some(Twin { execution, path })
}

/// From which world vertices the mask can be reached in exactly as many events as are left.
struct Bound {
    /// For each number of events left, from 0 on; beyond the end the last two alternate, or the only one stays.
    left: Vec<BitSet>,
    events: usize,
}

impl Bound {
    fn new(world: &PGraph, mask: &BitSet, events: usize) -> Self {
        let mut bound = Self { left: vec![mask.clone()], events };
        // What never changes along an edge needs no looking ahead, and its alternatives may stop early.
        let lasting = |(v, arc): (Vertex, crate::problem::Arc)| {
            mask.contains(v.index()) == mask.contains(arc.to.index())
        };
        if world.all_arcs().all(lasting) {
            return bound;
        }
        while bound.left.len() <= events {
            let n = bound.left.len();
            let after = &bound.left[n - 1];
            let next = BitSet::from_fn(world.len(), |v| {
                world.arcs(Vertex(v as u32)).iter().any(|arc| after.contains(arc.to.index()))
            });
            let settled = n >= 3 && next == bound.left[n - 2] && bound.left[n - 1] == bound.left[n - 3];
            if settled {
                break;
            }
            bound.left.push(next);
        }
        bound
    }

    /// Whether a vertex after `n` events can be in the mask after all of them.
    fn reaches(&self, n: usize, v: Vertex) -> bool {
        let (left, last) = (self.events - n, self.left.len() - 1);
        let at = match last {
            0 => 0,
            _ if left <= last => left,
            _ => last - (left - last) % 2,
        };
        self.left[at].contains(v.index())
    }
}
