//! AUDIT, for any number of observers: is anything broken after some execution in L(W) ∩ L(D), whatever the robot does?

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Label, Problem};

use super::{
    check::choices,
    follow::{End, Follow, Follower},
    reach,
    watcher::Watcher,
};
use crate::{Refusal, graph::Set};

/// For each observer and each of its stipulations that is broken, the length of a shortest execution that breaks it. An audit has no ends:
/// scope `end` demands nothing, and a run is broken by what leaves no hope.
///
/// # Errors
/// If the problem lacks a map, or a plan that an observer knows, or a filter does not fit, or it is too large.
pub fn audit(problem: &Problem) -> Result<BTreeMap<(usize, usize), usize>, Refusal> {
    let count = problem.observers().count();
    let watchers: Vec<Watcher<'_>> =
        (0..count).map(|i| Watcher::new(problem, i)).collect::<Result<_, _>>()?;
    let mut shortest = BTreeMap::new();
    for (i, watcher) in watchers.into_iter().enumerate() {
        let follower = Follower::new(watcher)?;
        for j in 0..follower.stipulations().len() {
            shortest.extend(broken(&follower, j)?.map(|length| ((i, j), length)));
        }
    }
    Ok(shortest)
}

fn broken(follower: &Follower<'_>, j: usize) -> Result<Option<usize>, Refusal> {
    let (which, world) = ([j], &follower.watcher.world);
    let reached =
        reach([(world.initial.clone(), follower.start(&which))], |(at, follow): &(Set, Follow)| {
            if follow.divulged.is_empty() {
                return Vec::new();
            }
            let events: BTreeSet<Label> = at.iter().flat_map(|&w| world.labels(w)).collect();
            let after = |event| {
                let at = world.after(at, &event);
                choices(follower, &which, follow, event).into_iter().map(move |f| (at.clone(), f))
            };
            events.into_iter().flat_map(after).collect()
        })?;
    let admitted = reached.into_iter().filter(|((_, follow), _)| !follow.divulged.is_empty());
    let breaks = |follow: &Follow| {
        follower.breaks(j, &follow.standing[0], &follower.watcher.estimate(&follow.memory), End::Hope)
    };
    Ok(admitted.filter(|((_, follow), _)| breaks(follow)).map(|(_, length)| length).min())
}
