//! Twin runs: executions that the observer takes for one another, and those that it could still take for one another
//! until some event.

use rustc_hash::FxHashSet;

use crate::{
    explain::{
        alternatives::Alternatives,
        replay::{EXPLAINING, Expected, Filtered, Pair},
    },
    limit::{Limit, Monitor},
    problem::{Image, Label, LabelMap, Vertex},
    sets::BitSet,
};

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
    /// How it would have gone on, if the observer expects it to: a run of as many events as the execution.
    pub whole: Option<Twin>,
}

/// What looks like one execution, event by event.
pub(crate) struct LookAlikes<'a> {
    expected: &'a Expected<'a>,
    map: &'a LabelMap,
    images: Vec<Option<Image>>,
    layers: Vec<Vec<Reached>>,
    monitor: &'a dyn Monitor,
}

/// A pair, and the way to it that differs from the execution in the fewest events: a position in the layer before, and the
/// last event.
#[derive(Clone, Copy)]
struct Reached {
    pair: Pair,
    differs: usize,
    from: usize,
    label: Label,
}

impl<'a> LookAlikes<'a> {
    /// The pairs that runs reach that look like the prefixes of `execution`.
    pub fn new(
        expected: &'a Expected<'a>,
        map: &'a LabelMap,
        execution: &[Label],
        monitor: &'a dyn Monitor,
    ) -> Result<Self, Limit> {
        let start =
            expected.start().into_iter().map(|pair| Reached { pair, differs: 0, from: 0, label: Label(0) });
        let mut layers: Vec<Vec<Reached>> = vec![start.collect()];
        for &event in execution {
            monitor.poll(&EXPLAINING)?;
            let mut next = Vec::new();
            for (from, before) in layers[layers.len() - 1].iter().enumerate() {
                let go_on = expected.next(before.pair).filter(|(l, _)| map.image(*l) == map.image(event));
                next.extend(go_on.map(|(label, pair)| {
                    let differs = before.differs + usize::from(label != event);
                    Reached { pair, differs, from, label }
                }));
            }
            next.sort_unstable_by_key(|r| (r.pair, r.differs, r.from, r.label));
            next.dedup_by_key(|r| r.pair);
            layers.push(next);
        }
        let images = execution.iter().map(|&l| map.image(l)).collect();
        Ok(Self { expected, map, images, layers, monitor })
    }

    /// A run that looks like the whole execution and ends in `mask`, with as few other events as can be.
    pub fn ending_in(&self, mask: &BitSet) -> Option<Twin> {
        let last = self.layers.len() - 1;
        let inside = |r: &&Reached| mask.contains(r.pair.0.index());
        let found = self.layers[last].iter().enumerate().filter(|(_, r)| inside(r));
        found.min_by_key(|(_, r)| r.differs).map(|(i, _)| self.run(last, i))
    }

    /// For a mask that no look-alike of the whole execution ends in: which events ruled out the runs that would. Those that
    /// the observer expects count, or, if there are none, those of the world.
    pub fn ruled_out(&self, mask: &BitSet) -> Result<Vec<RuledOut>, Limit> {
        let events = self.images.len();
        let among = Alternatives::expected(self.expected, mask, events, self.monitor)?;
        let found = self.ruled_out_among(mask, &among)?;
        if !found.is_empty() {
            return Ok(found);
        }
        self.ruled_out_among(mask, &Alternatives::of_world(self.expected, mask, events, self.monitor)?)
    }

    fn ruled_out_among(&self, mask: &BitSet, among: &Alternatives<'_>) -> Result<Vec<RuledOut>, Limit> {
        // A run that can do nothing more has ended in the mask for good.
        let stands = |pair: Pair| mask.contains(pair.0.index()) && self.expected.next(pair).next().is_none();
        let counts = |n: usize, pair: Pair| among.reaches(n, pair) || stands(pair);
        let alive: Vec<Vec<bool>> = (0..)
            .zip(&self.layers)
            .map(|(n, layer)| layer.iter().map(|r| counts(n, r.pair)).collect())
            .collect();
        let mut found = Vec::new();
        for n in 1..self.layers.len() {
            self.monitor.poll(&EXPLAINING)?;
            found.extend(self.ruled_out_at(among, &alive, n));
        }
        Ok(found)
    }

    fn ruled_out_at(&self, among: &Alternatives<'_>, alive: &[Vec<bool>], n: usize) -> Option<RuledOut> {
        let before = &self.layers[n - 1];
        let after: FxHashSet<Pair> =
            self.layers[n].iter().zip(&alive[n]).filter(|(_, a)| **a).map(|(r, _)| r.pair).collect();
        let goes_on = |pair: Pair| {
            let mut next = self.expected.next(pair);
            next.any(|(label, to)| self.map.image(label) == self.images[n - 1] && after.contains(&to))
        };
        let gone: Vec<usize> =
            (0..before.len()).filter(|&i| alive[n - 1][i] && !goes_on(before[i].pair)).collect();
        let mut vertices: Vec<Vertex> = gone.iter().map(|&i| before[i].pair.0).collect();
        vertices.dedup();
        let told = gone.iter().map(|&i| (self.why(among, n, before[i].pair), i));
        let (why, i) = told.min_by_key(|(why, i)| (kind(why), before[*i].differs))?;
        let twin = self.run(n - 1, i);
        let whole = among.onward(n - 1, before[i].pair).map(|(labels, path)| Twin {
            execution: [&twin.execution[..], &labels].concat(),
            path: [&twin.path[..], &path].concat(),
        });
        Some(RuledOut { event: n, vertices, twin, why, whole })
    }

    /// Why a pair after `n - 1` events, an alternative then, is none after event `n`.
    fn why(&self, among: &Alternatives<'_>, n: usize, pair: Pair) -> Why {
        if self.expected.world().arcs(pair.0).is_empty() {
            return Why::WorldStops;
        }
        let wanted = among.wanted(n, pair);
        let divulged: Vec<Label> =
            wanted.iter().copied().filter(|&l| self.expected.follow(pair.1, l).next().is_some()).collect();
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
pub(crate) fn same_memory(filter: &Filtered<'_>, execution: &[Label], mask: &BitSet) -> Option<Twin> {
    let state = execution.iter().try_fold(0, |state, &label| filter.follow(state, label))?;
    let (_, number) = filter.reaching(state).find(|(w, _)| mask.contains(w.index()))?;
    let (execution, path) = filter.run(number);
    Some(Twin { execution, path })
}
