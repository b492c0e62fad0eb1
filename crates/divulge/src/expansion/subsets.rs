//! The subset construction of any p-graph, on one thread or several.
//!
//! *Practical.* Sets are expanded in the order of their numbers, some at a time. Several threads find what follows them, and which of that is stored
//! already; then what is new is stored in order, so that all sets have the numbers that one thread would have given them.

use std::{
    ops::Range,
    sync::{PoisonError, RwLock},
};

use super::{expand::Actions, steps::Steps};
use crate::{
    limit::{Limit, Monitor, Progress, Team, with_team, worth},
    problem::{InOrder, Kind, Label, PGraph, Vertex},
    sets::{SetId, SetStore},
};

/// What is said to be done while the vertices of the expanded world are found.
pub const EXPANDING: &str = "expanding the world";

/// How many sets are expanded at a time, and how many members they have in all.
const BLOCK: usize = 1 << 12;
const MEMBERS: usize = 1 << 18;

/// So many arcs are worth a thread.
const MUCH: usize = 1 << 12;

/// What was found by now.
struct Found {
    sets: SetStore,
    expanded: InOrder,
}

impl Found {
    /// Whether only what every member bears is followed there.
    fn by_all(&self, set: usize, actions: Actions) -> bool {
        self.expanded.kind(Vertex(set as u32)) == Kind::Action && actions == Actions::Safe
    }

    /// Adds an arc to the set that is being expanded.
    fn arc(&mut self, kind: Kind, label: Label, to: SetId) {
        if to.index() == self.expanded.len() {
            self.expanded.vertex(kind.other());
        }
        self.expanded.arc(label, Vertex(to.0));
    }

    /// Ends the set that is being expanded.
    fn end(&mut self) -> Result<(), Limit> {
        // As many arcs as this would not fit into memory either.
        self.expanded.end().map_err(|_| Limit::Memory)
    }
}

/// Where a label leads.
enum To {
    Known(SetId),
    /// To a set that is not stored: its hash, and where its members end.
    New(u32, usize),
}

/// Somebody's share of the sets that are expanded at a time, and what follows them.
struct Share<'g> {
    steps: Steps<'g>,
    sets: Range<usize>,
    arcs: Vec<(Label, To)>,
    /// Where the arcs of each set end.
    ends: Vec<usize>,
    members: Vec<u32>,
}

impl<'g> Share<'g> {
    fn new(graph: &'g PGraph) -> Self {
        Self { steps: Steps::new(graph), sets: 0..0, arcs: Vec::new(), ends: Vec::new(), members: Vec::new() }
    }

    /// Finds what follows.
    fn look(&mut self, found: &Found, actions: Actions) {
        let Self { steps, sets, arcs, ends, members } = self;
        for set in sets.clone() {
            steps.of(found.sets.get(SetId(set as u32)), found.by_all(set, actions)).each(|label, next| {
                let to = found.sets.find_or_hash(next).map_or_else(
                    |hash| {
                        members.extend_from_slice(next);
                        To::New(hash, members.len())
                    },
                    To::Known,
                );
                arcs.push((label, to));
            });
            ends.push(arcs.len());
        }
    }

    /// Writes down what follows, and forgets it.
    fn write_down(&mut self, found: &mut Found) -> Result<(), Limit> {
        let mut arcs = self.arcs.drain(..);
        let (mut at, mut begin) = (0, 0);
        for (set, end) in self.sets.clone().zip(self.ends.drain(..)) {
            let kind = found.expanded.kind(Vertex(set as u32));
            for (label, to) in arcs.by_ref().take(end - at) {
                let to = match to {
                    To::Known(to) => to,
                    To::New(hash, end) => {
                        let members = &self.members[begin..end];
                        begin = end;
                        found.sets.intern_hashed(members, hash)
                    }
                };
                found.arc(kind, label, to);
            }
            at = end;
            found.end()?;
        }
        drop(arcs);
        self.members.clear();
        Ok(())
    }
}

/// The subset construction of any p-graph.
///
/// # Errors
/// The limit that was hit.
pub(super) fn subsets(
    graph: &PGraph,
    actions: Actions,
    threads: usize,
    monitor: &dyn Monitor,
) -> Result<(PGraph, SetStore), Limit> {
    let mut found = Found { sets: SetStore::new(), expanded: InOrder::new(graph.initial_kind(), 1) };
    found.sets.intern(&graph.initial().iter().map(|v| v.0).collect::<Vec<_>>());
    // Small worlds are done before a team has come together.
    let threads = if graph.arc_count() < worth(MUCH) { 1 } else { threads };
    let shared = RwLock::new(found);
    with_team(
        threads,
        |share: &mut Share<'_>| share.look(&shared.read().unwrap_or_else(PoisonError::into_inner), actions),
        |team| run(graph, actions, &shared, team, monitor),
    )?;
    let found = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((found.expanded.build(), found.sets))
}

fn run<'g>(
    graph: &'g PGraph,
    actions: Actions,
    shared: &RwLock<Found>,
    team: &Team<'_, Share<'g>>,
    monitor: &dyn Monitor,
) -> Result<(), Limit> {
    let arcs_each = 1 + graph.arc_count() / graph.len();
    let mut shares = vec![Share::new(graph)];
    let mut at = 0;
    loop {
        let mut found = shared.write().unwrap_or_else(PoisonError::into_inner);
        if at == found.sets.len() {
            return Ok(());
        }
        let members = found.sets.members(0..found.sets.len()) as u64;
        monitor.poll(&Progress { doing: EXPANDING, explored: at as u64, members, ..Progress::default() })?;
        let end = found.sets.some(at, MEMBERS).min(at + BLOCK);
        let count = team.pieces(arcs_each * found.sets.members(at..end), MUCH).min(end - at);
        if count == 1 {
            alone(&mut shares[0].steps, &mut found, at..end, actions)?;
        } else {
            drop(found);
            shares.resize_with(shares.len().max(count), || Share::new(graph));
            let rest = shares.split_off(count);
            for (i, share) in shares.iter_mut().enumerate() {
                let first = |i: usize| at + (end - at) * i / count;
                share.sets = first(i)..first(i + 1);
            }
            team.round(&mut shares);
            let mut found = shared.write().unwrap_or_else(PoisonError::into_inner);
            shares.iter_mut().try_for_each(|share| share.write_down(&mut found))?;
            shares.extend(rest);
        }
        at = end;
    }
}

/// Expands some sets as they come.
fn alone(
    steps: &mut Steps<'_>,
    found: &mut Found,
    sets: Range<usize>,
    actions: Actions,
) -> Result<(), Limit> {
    for set in sets {
        let (kind, by_all) = (found.expanded.kind(Vertex(set as u32)), found.by_all(set, actions));
        steps.of(found.sets.get(SetId(set as u32)), by_all).each(|label, next| {
            let to = found.sets.intern(next);
            found.arc(kind, label, to);
        });
        found.end()?;
    }
    Ok(())
}
