//! The first tier of OR nodes: what each vertex of an estimate does.

use crate::{
    problem::{Kind, Label},
    seek::self_divulged::Usable,
};

/// What the vertices of an estimate do, in their order: the labels taken, or `None` for stopping.
pub(super) type Choice = Vec<Option<Vec<Label>>>;

/// All choices at an estimate, one after the other: a vertex stops, if it may, or takes any non-empty set of its actions; the
/// observations are not chosen, but all must be foreseen.
pub(super) struct Choices<'g> {
    vertices: Vec<Options<'g>>,
    /// Which option each vertex takes; `None` when there are no more.
    at: Option<Vec<u64>>,
}

struct Options<'g> {
    stops: bool,
    kind: Kind,
    arcs: &'g [(Label, u32)],
}

impl Options<'_> {
    fn count(&self) -> u64 {
        let going = match (self.arcs.len(), self.kind) {
            (0, _) => 0,
            (_, Kind::Observation) => 1,
            // Nobody sees the end of so many.
            (63.., _) => u64::MAX - 1,
            (n, _) => (1 << n) - 1,
        };
        going + u64::from(self.stops)
    }

    fn option(&self, number: u64) -> Option<Vec<Label>> {
        let number = number.checked_sub(u64::from(self.stops))?;
        let labels = self.arcs.iter().map(|&(label, _)| label);
        match self.kind {
            Kind::Observation => Some(labels.collect()),
            Kind::Action => Some(
                labels
                    .enumerate()
                    .filter(|&(i, _)| i < 64 && (number + 1) >> i & 1 == 1)
                    .map(|(_, label)| label)
                    .collect(),
            ),
        }
    }
}

impl<'g> Choices<'g> {
    /// The choices at these vertices; `may_end` tells whether the `end` stipulations hold of their estimate.
    pub fn new(usable: &'g Usable<'_>, vertices: &[u32], may_end: bool) -> Self {
        let options = |&v: &u32| Options {
            stops: may_end && usable.goal.contains(v as usize),
            kind: usable.kind(v),
            arcs: usable.arcs(v),
        };
        let vertices: Vec<Options<'g>> = vertices.iter().map(options).collect();
        let hopeless = vertices.iter().any(|options| options.count() == 0);
        let at = (!hopeless).then(|| vec![0; vertices.len()]);
        Self { vertices, at }
    }
}

impl Iterator for Choices<'_> {
    type Item = Choice;

    fn next(&mut self) -> Option<Choice> {
        let at = self.at.as_mut()?;
        let choice = at.iter().zip(&self.vertices).map(|(&n, options)| options.option(n)).collect();
        let more = at.iter_mut().zip(&self.vertices).any(|(n, options)| {
            *n = (*n + 1) % options.count();
            *n != 0
        });
        if !more {
            self.at = None;
        }
        Some(choice)
    }
}
