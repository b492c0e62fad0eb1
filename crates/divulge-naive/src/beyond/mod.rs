//! Several observers, unseen events, stipulations over runs, hindsight and the past, by their definitions.
//!
//! *Background.* The estimate after s is the set of world vertices, each with what is asked of its past, that some s' in L(D) with
//! h(s') = h(s) reaches; h leaves unseen events out. What an observer makes of s is a function of h(s), so the moments of a run and what is
//! known in hindsight are too, and every observer whose divulged plan is fixed can be followed along an execution ([`watcher`],
//! [`follow`]). An observer who knows the plan sought cannot, and [`known`] tries all plans of so many events, [`single`] those that never choose.
//!
//! *Practical.* [`check`](check::check), [`audit`](audit::audit), [`seek_plan`](seek::seek_plan) and [`seek_maps`](maps::seek_maps) take
//! problems with any number of observers, with or without any of the additions; [`witness`] replays what engines show.

pub mod audit;
pub mod check;
pub mod follow;
pub mod hindsight;
pub mod known;
pub mod maps;
pub mod past;
pub mod runs;
pub mod seek;
pub mod single;
pub mod watcher;
pub mod witness;

use std::collections::{BTreeMap, VecDeque};

use crate::Refusal;

/// Nodes beyond this many are too many for brute force.
const MOST: usize = 50_000;

/// Everything that can be reached, each with the least number of steps.
pub(crate) fn reach<N: Ord + Clone>(
    start: impl IntoIterator<Item = N>,
    next: impl Fn(&N) -> Vec<N>,
) -> Result<BTreeMap<N, usize>, Refusal> {
    let mut found: BTreeMap<N, usize> = start.into_iter().map(|node| (node, 0)).collect();
    let mut queue: VecDeque<(N, usize)> = found.iter().map(|(node, &n)| (node.clone(), n)).collect();
    while let Some((node, steps)) = queue.pop_front() {
        for after in next(&node) {
            if !found.contains_key(&after) {
                found.insert(after.clone(), steps + 1);
                queue.push_back((after, steps + 1));
            }
        }
        if found.len() > MOST {
            return Err(Refusal::TooLarge);
        }
    }
    Ok(found)
}
