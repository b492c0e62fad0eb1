//! Which runs would be in a mask after as many events as an execution has.

use rustc_hash::FxHashMap;

use crate::{
    explain::replay::{EXPLAINING, Expected, POLL, Pair},
    limit::{Limit, Monitor},
    problem::{Label, Vertex},
    sets::BitSet,
};

/// The runs that count as alternatives.
pub(crate) enum Alternatives<'a> {
    /// Being in the mask never changes along an edge: whoever is in it stays, and may stop early.
    Lasting(&'a Expected<'a>, &'a BitSet),
    /// Runs that the observer expects.
    Expected(Box<Joint>, Bound),
    /// Runs of the world, whatever the divulged plan does.
    World(&'a Expected<'a>, Bound),
}

/// The reachable part of W ⊗ D.
pub(crate) struct Joint {
    pairs: Vec<Pair>,
    number: FxHashMap<Pair, u32>,
    arcs: Vec<Vec<(Label, u32)>>,
}

impl Joint {
    fn new(expected: &Expected<'_>, monitor: &dyn Monitor) -> Result<Self, Limit> {
        let pairs = expected.start();
        let number = (0..).zip(&pairs).map(|(i, &pair)| (pair, i)).collect();
        let mut joint = Self { pairs, number, arcs: Vec::new() };
        while let Some(&pair) = joint.pairs.get(joint.arcs.len()) {
            if joint.arcs.len().is_multiple_of(POLL) {
                monitor.poll(&EXPLAINING)?;
            }
            let mut arcs = Vec::new();
            for (label, to) in expected.next(pair) {
                let fresh = joint.pairs.len() as u32;
                let number = *joint.number.entry(to).or_insert(fresh);
                if number == fresh {
                    joint.pairs.push(to);
                }
                arcs.push((label, number));
            }
            joint.arcs.push(arcs);
        }
        Ok(joint)
    }
}

impl<'a> Alternatives<'a> {
    /// The expected runs of `events` events that end in `mask`.
    pub fn expected(
        expected: &'a Expected<'a>,
        mask: &'a BitSet,
        events: usize,
        monitor: &dyn Monitor,
    ) -> Result<Self, Limit> {
        if lasting(expected, mask) {
            return Ok(Self::Lasting(expected, mask));
        }
        let joint = Joint::new(expected, monitor)?;
        let inside = BitSet::from_fn(joint.pairs.len(), |i| mask.contains(joint.pairs[i].0.index()));
        let after = |i: usize, set: &BitSet| joint.arcs[i].iter().any(|(_, to)| set.contains(*to as usize));
        let bound = Bound::new(inside, events, after, monitor)?;
        Ok(Self::Expected(Box::new(joint), bound))
    }

    /// The runs of the world of `events` events that end in `mask`.
    pub fn of_world(
        expected: &'a Expected<'a>,
        mask: &'a BitSet,
        events: usize,
        monitor: &dyn Monitor,
    ) -> Result<Self, Limit> {
        if lasting(expected, mask) {
            return Ok(Self::Lasting(expected, mask));
        }
        let arcs = |v: usize| expected.world().arcs(Vertex(v as u32));
        let after = |v: usize, set: &BitSet| arcs(v).iter().any(|arc| set.contains(arc.to.index()));
        Ok(Self::World(expected, Bound::new(mask.clone(), events, after, monitor)?))
    }

    /// Whether a run that has come to `pair` after `n` events can still be an alternative.
    pub fn reaches(&self, n: usize, pair: Pair) -> bool {
        match self {
            Self::Lasting(_, mask) => mask.contains(pair.0.index()),
            Self::World(_, bound) => bound.reaches(n, pair.0.index()),
            Self::Expected(joint, bound) => {
                joint.number.get(&pair).is_some_and(|&i| bound.reaches(n, i as usize))
            }
        }
    }

    /// The labels of event `n` by which a run at `pair` stays an alternative, ascending.
    pub fn wanted(&self, n: usize, pair: Pair) -> Vec<Label> {
        let of_world = |expected: &Expected<'_>, inside: &dyn Fn(usize) -> bool| -> Vec<Label> {
            let arcs = expected.world().arcs(pair.0).iter();
            arcs.filter(|arc| inside(arc.to.index())).map(|arc| arc.label).collect()
        };
        let mut labels = match self {
            Self::Lasting(expected, mask) => of_world(expected, &|v| mask.contains(v)),
            Self::World(expected, bound) => of_world(expected, &|v| bound.reaches(n, v)),
            Self::Expected(joint, bound) => {
                let arcs = joint.number.get(&pair).map(|&i| &joint.arcs[i as usize]);
                let arcs = arcs.into_iter().flatten();
                arcs.filter(|(_, to)| bound.reaches(n, *to as usize)).map(|(label, _)| *label).collect()
            }
        };
        labels.dedup();
        labels
    }

    /// How an expected run at `pair` after `n` events goes on until all events are over: events and world vertices.
    pub fn onward(&self, n: usize, pair: Pair) -> Option<(Vec<Label>, Vec<Vertex>)> {
        let Self::Expected(joint, bound) = self else { return None };
        let mut at = *joint.number.get(&pair)?;
        let (mut labels, mut path) = (Vec::new(), Vec::new());
        for n in n + 1..=bound.events {
            let &(label, to) =
                joint.arcs[at as usize].iter().find(|(_, to)| bound.reaches(n, *to as usize))?;
            labels.push(label);
            path.push(joint.pairs[to as usize].0);
            at = to;
        }
        Some((labels, path))
    }
}

fn lasting(expected: &Expected<'_>, mask: &BitSet) -> bool {
    expected.world().all_arcs().all(|(v, arc)| mask.contains(v.index()) == mask.contains(arc.to.index()))
}

/// From where a set can be reached in exactly as many events as are left.
pub(crate) struct Bound {
    /// For each number of events left, from 0 on; beyond the end the last two alternate.
    left: Vec<BitSet>,
    events: usize,
}

impl Bound {
    /// `after` tells whether some event leads from a vertex into a set.
    fn new(
        inside: BitSet,
        events: usize,
        after: impl Fn(usize, &BitSet) -> bool,
        monitor: &dyn Monitor,
    ) -> Result<Self, Limit> {
        let size = inside.bound();
        let mut left = vec![inside];
        while left.len() <= events {
            monitor.poll(&EXPLAINING)?;
            let n = left.len();
            let next = BitSet::from_fn(size, |v| after(v, &left[n - 1]));
            if n >= 3 && next == left[n - 2] && left[n - 1] == left[n - 3] {
                break;
            }
            left.push(next);
        }
        Ok(Self { left, events })
    }

    fn reaches(&self, n: usize, v: usize) -> bool {
        let (left, last) = (self.events - n, self.left.len() - 1);
        let at = if left <= last { left } else { last - (left - last) % 2 };
        self.left[at].contains(v)
    }
}
