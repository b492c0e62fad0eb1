//! The subset construction of any p-graph, on one thread or several.
//!
//! *Practical.* Sets are expanded in the order of their numbers, some at a time, all of one kind. Where that is worth it, several threads take some of them each and
//! find what follows (`share.rs`), then each stores what belongs to it; whoever leads gives what is new the numbers that one thread would have given.

use std::ops::Range;

use super::{
    expand::Actions,
    known::Sets,
    share::{Front, Ground, Task},
};
use crate::{
    limit::{Limit, Monitor, Progress, Team, threads, together, with_team, worth},
    problem::{Arc, InOrder, Label, PGraph, Vertex},
};

/// What is said to be done while the vertices of the expanded world are found.
pub const EXPANDING: &str = "expanding the world";

/// More threads than this are of no use.
const MOST: usize = 1 << 10;

/// How many sets are expanded at a time, and how many members they have in all.
const BLOCK: usize = 1 << 12;
const MEMBERS: usize = 1 << 18;

/// So many arcs are worth a thread.
const MUCH: usize = 1 << 9;

/// So many sets that are to be stored are worth a thread.
const STORED: usize = 1 << 7;

/// The subset construction of any p-graph, on so many threads, 0 for all there are.
///
/// # Errors
/// The limit that was hit.
pub(super) fn subsets(
    graph: &PGraph,
    actions: Actions,
    allowed: usize,
    monitor: &dyn Monitor,
) -> Result<(PGraph, Sets), Limit> {
    // Small worlds are done before a team has come together.
    let small = graph.arc_count() < worth(4 * MUCH);
    let threads = if small { 1 } else { threads(allowed, usize::MAX, 1).min(MOST) };
    let ground = Ground::new(graph, threads);
    let mut front = Front::new(graph.initial_kind(), actions);
    let mut found = Found { offsets: Vec::with_capacity(graph.len() + 1), parts: Vec::new() };
    found.offsets.push(0);
    ground.start(graph.initial());
    with_team(
        threads,
        |task: &mut Task| ground.work(task),
        |team| run(&ground, &mut front, &mut found, team, monitor),
    )?;
    let (places, keepers, arcs) = ground.into_parts();
    let arcs = whole(arcs, &found.parts);
    Ok((InOrder::whole(front.kinds, 1, found.offsets, arcs).build(), Sets::new(places, keepers)))
}

/// What is known of the expanded world, besides its arcs and its sets.
struct Found {
    offsets: Vec<u32>,
    /// By which share some arcs were found, and how many.
    parts: Vec<(usize, usize)>,
}

impl Found {
    /// Adds how many arcs each of the sets has that a share has expanded.
    fn add(&mut self, share: usize, counts: &[u32]) -> Result<(), Limit> {
        let before = self.offsets.last().map_or(0, |&end| end as usize);
        let mut end = before;
        self.offsets.extend(counts.iter().map(|&count| {
            end += count as usize;
            end as u32
        }));
        match self.parts.last_mut() {
            Some(last) if last.0 == share => last.1 += end - before,
            _ => self.parts.push((share, end - before)),
        }
        // As many arcs as this would not fit into memory either.
        u32::try_from(end).map(|_| ()).map_err(|_| Limit::Memory)
    }
}

fn run(
    ground: &Ground<'_>,
    front: &mut Front,
    found: &mut Found,
    team: &Team<'_, Task>,
    monitor: &dyn Monitor,
) -> Result<(), Limit> {
    // How many members a set has on average, and how many sets and members were known when the wave began.
    let (mut each, mut before) = (1, (0, 0));
    loop {
        let (known, members) = ground.known();
        if front.at == front.end && front.at < known {
            front.turn(known);
        }
        // The last that is told does not depend on who did how much at a time.
        let explored = front.begin as u64;
        monitor.poll(&Progress { doing: EXPANDING, explored, members, ..Progress::default() })?;
        if front.at == known {
            return Ok(());
        }
        if !ground.fits(known) {
            return Err(Limit::Memory);
        }
        if known > before.0 {
            each = ((members - before.1) as usize).div_ceil(known - before.0);
            before = (known, members);
        }
        let most = (MEMBERS / each).clamp(1, BLOCK);
        let sets = front.at..front.end.min(front.at + most);
        let pieces = team.pieces(each * ground.arcs_each() * sets.len(), MUCH).min(sets.len());
        if pieces == 1 {
            // Waves that follow may be as small.
            let few = if ground.keepers() == 1 {
                usize::MAX
            } else {
                2 * worth(MUCH) / (each * ground.arcs_each())
            };
            ground.one_by_one(front, most, few);
        } else {
            front.at = sets.end;
            shared_out(ground, sets, front.by_all(), pieces, team);
        }
        (0..pieces).try_for_each(|share| ground.counts(share, |counts| found.add(share, counts)))?;
    }
}

/// Expands some sets in so many pieces.
fn shared_out(ground: &Ground<'_>, sets: Range<usize>, by_all: bool, pieces: usize, team: &Team<'_, Task>) {
    let first = |piece: usize| sets.start + sets.len() * piece / pieces;
    let look = |piece| Task::Look { share: piece, sets: first(piece)..first(piece + 1), by_all };
    team.round(&mut (0..pieces).map(look).collect());
    let keepers = ground.keepers();
    let mut keep: Vec<_> = (0..keepers).map(|keeper| Task::Keep { keeper, shares: pieces }).collect();
    if team.pieces(ground.given(pieces), STORED) < keepers {
        keep.iter().for_each(|task| ground.work(task));
    } else {
        team.round(&mut keep);
    }
    ground.number(pieces);
}

/// The arcs that shares have found, one part after the other.
fn whole(mut arcs: Vec<Vec<Arc>>, parts: &[(usize, usize)]) -> Vec<Arc> {
    if let [(share, _)] = *parts {
        return std::mem::take(&mut arcs[share]);
    }
    let count = arcs.iter().map(Vec::len).sum();
    // Room that is zero need not be written to before the threads do.
    let mut all = vec![(0, 0); count];
    let mut shares: Vec<Copies<'_>> = arcs.into_iter().map(|arcs| (arcs, Vec::new())).collect();
    let mut rest = &mut all[..];
    for &(share, count) in parts {
        let (own, others) = rest.split_at_mut(count);
        shares[share].1.push(own);
        rest = others;
    }
    let done: Result<(), ()> = together(&mut shares, |(from, to)| {
        let mut rest = &from[..];
        for to in to {
            let (own, others) = rest.split_at(to.len());
            to.iter_mut().zip(own).for_each(|(to, arc)| *to = (arc.label.0, arc.to.0));
            rest = others;
        }
        *from = Vec::new();
        Ok(())
    });
    debug_assert!(done.is_ok(), "nothing goes wrong");
    all.into_iter().map(|(label, to)| Arc { label: Label(label), to: Vertex(to) }).collect()
}

/// What a share has found, and where that is to go.
type Copies<'a> = (Vec<Arc>, Vec<&'a mut [(u32, u32)]>);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        limit::Unlimited,
        problem::{Kind, PGraphBuilder},
    };

    /// A floor on which a robot slides, so that it often knows where it is in the end, with `rows` rows, from so many places.
    fn floor(rows: u32, starts: u32) -> PGraph {
        let (mut b, n) = (PGraphBuilder::new(), rows * rows);
        for v in 0..2 * n {
            b.vertex(if v % 2 == 0 { Kind::Action } else { Kind::Observation });
        }
        (0..starts).for_each(|v| b.initial(Vertex(v * 2)));
        for v in 0..n {
            let (row, col) = (v / rows, v % rows);
            let next = [
                (row.saturating_sub(1), col),
                (row, (col + 1 + row % 3).min(rows - 1)),
                ((row + 2).min(rows - 1), col),
                (row, col.saturating_sub(1)),
            ];
            for (label, (row, col)) in (0..).zip(next) {
                b.arc(Vertex(2 * v), Label(label), Vertex(2 * (row * rows + col) + 1));
            }
            // What it sees tells little.
            b.arc(Vertex(2 * v + 1), Label(4 + u32::from(row == 0)), Vertex(2 * v));
        }
        b.build().expect("a p-graph")
    }

    #[test]
    fn it_does_not_matter_how_many_expand() {
        for (rows, starts) in [(40, 1), (21, 2), (4, 16)] {
            let world = floor(rows, starts);
            for actions in [Actions::Some, Actions::Safe] {
                let expand = |threads| subsets(&world, actions, threads, &Unlimited).expect("no limit");
                let (graph, sets) = expand(1);
                confirm(&world, actions, &graph, &sets);
                for threads in [2, 3, 8] {
                    let (other, others) = expand(threads);
                    assert_eq!(other, graph);
                    assert!((0..graph.len()).all(|set| others.get(set).iter().eq(sets.get(set).iter())));
                }
            }
        }
    }

    /// Every set is there once, and leads where its members do.
    fn confirm(world: &PGraph, actions: Actions, graph: &PGraph, sets: &Sets) {
        let members = |set: usize| sets.get(set).iter().collect::<Vec<_>>();
        let all: BTreeSet<Vec<u32>> = (0..graph.len()).map(members).collect();
        assert_eq!(all.len(), graph.len());
        for set in graph.vertices() {
            let own = members(set.index());
            assert!(own.iter().all(|&v| world.kind(Vertex(v)) == graph.kind(set)));
            let mut arcs = graph.arcs(set).iter();
            for label in (0..7).map(Label) {
                let mut to: Vec<u32> =
                    own.iter().flat_map(|&v| world.step(Vertex(v), label)).map(|arc| arc.to.0).collect();
                to.sort_unstable();
                to.dedup();
                let all_bear = own.iter().all(|&v| world.bears(Vertex(v), label));
                if !to.is_empty() && (all_bear || actions == Actions::Some || graph.kind(set) != Kind::Action)
                {
                    let arc = arcs.next().expect("an arc for each label");
                    assert_eq!((arc.label, members(arc.to.index())), (label, to));
                }
            }
            assert_eq!(arcs.next(), None);
        }
    }
}
