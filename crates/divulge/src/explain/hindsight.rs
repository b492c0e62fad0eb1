//! What an observer makes of each of its earlier moments, once it has seen more.
//!
//! *Background.* Of a moment's belief those vertices are left from which something goes on that looks like all that was seen since. They are
//! found backwards, straight from the definition: the vertices of one belief from which events that are not seen, and then one that looks
//! like the next image, lead to what is left of the next.

use crate::{
    formula::Stipulations,
    limit::{Limit, Monitor},
    observer::Tracked,
    problem::{Image, Label, LabelMap, Scope, Vertex},
    sets::BitSet,
};

use super::replay::{EXPLAINING, POLL};

/// A moment of which a stipulation in hindsight does not hold later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAway {
    /// The number of the stipulation.
    pub stipulation: usize,
    /// The number of the moment.
    pub moment: usize,
    /// The number of the first moment at which it does not hold of that one: the same, or a later one.
    pub since: usize,
    /// What is made of it then: world vertices, ascending.
    pub estimate: Vec<Vertex>,
    /// Whether it does not hold of it at the last moment either.
    pub now: bool,
}

/// The moments of an execution, as an observer with perfect recall goes through them.
pub struct Recall<'a> {
    tracked: &'a Tracked<'a>,
    map: &'a LabelMap,
    /// How many events have happened when each moment begins, and what is believed then, ascending.
    moments: Vec<(usize, Vec<u32>)>,
    /// The images between the moments.
    images: Vec<Image>,
}

impl<'a> Recall<'a> {
    /// Follows an execution through what an observer reckons with, as far as that is expected.
    ///
    /// # Errors
    /// The limit that `monitor` says was hit.
    pub fn new(
        tracked: &'a Tracked<'a>,
        map: &'a LabelMap,
        execution: &[Label],
        monitor: &dyn Monitor,
    ) -> Result<Self, Limit> {
        let start = tracked.graph.initial().iter().map(|v| v.0);
        let mut all = Self { tracked, map, moments: Vec::new(), images: Vec::new() };
        all.moments.push((0, all.closed(start)));
        for (n, &label) in (1..).zip(execution) {
            monitor.poll(&EXPLAINING)?;
            let Some(image) = map.image(label) else { continue };
            let (_, before) = &all.moments[all.moments.len() - 1];
            let arcs = before.iter().flat_map(|&v| tracked.graph.arcs(Vertex(v)));
            let next = arcs.filter(|arc| map.image(arc.label) == Some(image)).map(|arc| arc.to.0);
            let belief = all.closed(next);
            if belief.is_empty() {
                break;
            }
            all.moments.push((n, belief));
            all.images.push(image);
        }
        Ok(all)
    }

    /// How many events have happened when each moment begins.
    pub fn moments(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.moments.iter().map(|(events, _)| *events)
    }

    /// What is thought possible at a moment, when that has come: world vertices, ascending.
    pub fn estimate(&self, moment: usize) -> Vec<Vertex> {
        let belief = self.moments[moment].1.iter();
        sorted(belief.flat_map(|&v| self.tracked.world_vertices(Vertex(v))).collect())
    }

    /// The moments that what is seen later gives away, for each stipulation in hindsight.
    ///
    /// # Errors
    /// The limit that `monitor` says was hit.
    pub fn given_away(&self, of: &Stipulations, monitor: &dyn Monitor) -> Result<Vec<GivenAway>, Limit> {
        let mut found: Vec<GivenAway> = Vec::new();
        let last = self.moments.len() - 1;
        for since in 0..=last {
            let made = self.at(since, monitor)?;
            for (stipulation, compiled) in of.all().iter().enumerate() {
                let Scope::Hindsight { within } = compiled.scope else { continue };
                let oldest = within.map_or(0, |most| since.saturating_sub(most as usize));
                for (moment, estimate) in made.iter().enumerate().skip(oldest) {
                    if compiled.holds(&of.signature_of(estimate.iter().copied())) {
                        continue;
                    }
                    let known = found.iter_mut().find(|g| (g.stipulation, g.moment) == (stipulation, moment));
                    let now = since == last;
                    match known {
                        Some(known) => known.now |= now,
                        None => {
                            let estimate = estimate.clone();
                            found.push(GivenAway { stipulation, moment, since, estimate, now });
                        }
                    }
                }
            }
        }
        found.sort_by_key(|given| (given.stipulation, given.moment));
        Ok(found)
    }

    /// What is made of each moment up to the one of number `now`, once that has come: world vertices, ascending.
    ///
    /// # Errors
    /// The limit that `monitor` says was hit.
    pub fn at(&self, now: usize, monitor: &dyn Monitor) -> Result<Vec<Vec<Vertex>>, Limit> {
        let (graph, map) = (&self.tracked.graph, self.map);
        let mut left = BitSet::new(graph.len());
        self.moments[now].1.iter().for_each(|&v| _ = left.insert(v as usize));
        let mut estimates = vec![self.worlds(&left)];
        monitor.poll(&EXPLAINING)?;
        let mut work = 0;
        for moment in (0..now).rev() {
            let belief = &self.moments[moment].1;
            work += belief.len();
            if work > POLL {
                monitor.poll(&EXPLAINING)?;
                work = 0;
            }
            let goes_on = |&&v: &&u32| {
                let looks = graph.arcs(Vertex(v)).iter();
                let mut looks = looks.filter(|arc| map.image(arc.label) == Some(self.images[moment]));
                looks.any(|arc| left.contains(arc.to.index()))
            };
            let mut todo: Vec<u32> = belief.iter().filter(goes_on).copied().collect();
            let unseen = belief.iter().flat_map(|&v| graph.arcs(Vertex(v)).iter().map(move |arc| (v, arc)));
            let mut unseen: Vec<(u32, u32)> = unseen
                .filter(|(_, arc)| map.image(arc.label).is_none())
                .map(|(from, arc)| (arc.to.0, from))
                .collect();
            unseen.sort_unstable();
            let mut before = BitSet::new(graph.len());
            todo.iter().for_each(|&v| _ = before.insert(v as usize));
            while let Some(v) = todo.pop() {
                let first = unseen.partition_point(|&(to, _)| to < v);
                for &(_, from) in unseen[first..].iter().take_while(|&&(to, _)| to == v) {
                    if before.insert(from as usize) {
                        todo.push(from);
                    }
                }
            }
            estimates.push(self.worlds(&before));
            left = before;
        }
        estimates.reverse();
        Ok(estimates)
    }

    fn worlds(&self, set: &BitSet) -> Vec<Vertex> {
        sorted(set.iter().flat_map(|v| self.tracked.world_vertices(Vertex(v as u32))).collect())
    }

    /// With what unseen events lead to, ascending.
    fn closed(&self, from: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut all = BitSet::new(self.tracked.graph.len());
        let mut todo: Vec<u32> = from.filter(|&v| all.insert(v as usize)).collect();
        while let Some(v) = todo.pop() {
            let arcs = self.tracked.graph.arcs(Vertex(v)).iter();
            let unseen = arcs.filter(|arc| self.map.image(arc.label).is_none()).map(|arc| arc.to.0);
            todo.extend(unseen.filter(|&to| all.insert(to as usize)));
        }
        all.iter().map(|v| v as u32).collect()
    }
}

fn sorted(mut all: Vec<Vertex>) -> Vec<Vertex> {
    all.sort_unstable();
    all.dedup();
    all
}
