//! Why a stipulation broke, where runs that look alike need not have equally many events: some are unseen, or the past counts too. Such
//! runs cannot stand side by side, event by event; they are told one after the other.

use rustc_hash::FxHashSet;

use crate::{
    explain::{
        replay::{EXPLAINING, Expected, Pair, Replay, satisfies},
        twin::Twin,
    },
    formula::{PlainClause, Predicate},
    limit::Limit,
    problem::{Image, Label, LabelMap, Vertex},
    sets::BitSet,
    setting::Setting,
    verdict::QuestionError,
};

/// What the observer should hold possible and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// What the observer has ruled out.
    pub predicate: Predicate,
    /// The number of events after which it was last possible; `None` if it never was.
    pub last_possible: Option<usize>,
    /// A shortest run that made it so then, and looked like the execution.
    pub twin: Option<Twin>,
}

/// A broken stipulation, taken apart without setting runs side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uneven {
    /// The number of the stipulation.
    pub stipulation: usize,
    /// A clause that it implies and that is false: of the last estimate, or of what is made of an earlier moment.
    pub clause: PlainClause,
    /// What the observer has ruled out and should not have. Of an earlier moment this is not told.
    pub gone: Vec<Gone>,
    /// What it cannot rule out and should, each with a shortest run that makes it so and looks like the execution.
    pub left: Vec<(Predicate, Twin)>,
}

/// Takes the clause of a stipulation apart that is false of the last estimate.
pub(super) fn uneven(
    setting: &Setting<'_>,
    map: &LabelMap,
    replay: &Replay,
    execution: &[Label],
    (stipulation, clause): (usize, &PlainClause),
) -> Result<Uneven, QuestionError> {
    let expected = Expected::new(setting)?;
    let alike = |events: usize, mask: &BitSet| {
        let images: Vec<Image> = execution[..events].iter().filter_map(|&label| map.image(label)).collect();
        run(setting, &expected, map, &images, mask)
    };
    let members = |predicate: &Predicate| {
        let world = setting.world();
        BitSet::from_fn(world.graph.len(), |v| satisfies(world, predicate, Vertex(v as u32)))
    };
    let mut gone = Vec::new();
    for predicate in &clause.positive {
        let mask = members(predicate);
        let possible = |w: &Vertex| mask.contains(w.index());
        let last_possible =
            replay.moments.iter().rposition(|moment| moment.estimate.iter().flatten().any(possible));
        let twin = last_possible.map(|events| alike(events, &mask)).transpose()?.flatten();
        gone.push(Gone { predicate: predicate.clone(), last_possible, twin });
    }
    let mut left = Vec::new();
    for predicate in &clause.negative {
        if let Some(twin) = alike(execution.len(), &members(predicate))? {
            left.push((predicate.clone(), twin));
        }
    }
    Ok(Uneven { stipulation, clause: clause.clone(), gone, left })
}

/// How a pair was reached: from which entry, and by which event.
struct Reached {
    pair: Pair,
    /// How many images have been seen.
    seen: usize,
    from: usize,
    label: Label,
}

/// A shortest run that the observer expects, that looks like `images` and ends in `mask`.
fn run(
    setting: &Setting<'_>,
    expected: &Expected<'_>,
    map: &LabelMap,
    images: &[Image],
    mask: &BitSet,
) -> Result<Option<Twin>, Limit> {
    let start = expected.start().into_iter();
    let mut all: Vec<Reached> =
        start.map(|pair| Reached { pair, seen: 0, from: usize::MAX, label: Label(0) }).collect();
    let mut known: FxHashSet<(Pair, usize)> = all.iter().map(|r| (r.pair, r.seen)).collect();
    let mut at = 0;
    while at < all.len() {
        if at % 1024 == 0 {
            setting.monitor().poll(&EXPLAINING)?;
        }
        let (pair, seen) = (all[at].pair, all[at].seen);
        if seen == images.len() && mask.contains(pair.0.index()) {
            return Ok(Some(way(&all, at)));
        }
        for (label, to) in expected.next(pair) {
            let seen = match map.image(label) {
                None => seen,
                Some(image) if images.get(seen) == Some(&image) => seen + 1,
                Some(_) => continue,
            };
            if known.insert((to, seen)) {
                all.push(Reached { pair: to, seen, from: at, label });
            }
        }
        at += 1;
    }
    Ok(None)
}

fn way(all: &[Reached], mut at: usize) -> Twin {
    let (mut execution, mut path) = (Vec::new(), vec![all[at].pair.0]);
    while all[at].from != usize::MAX {
        execution.push(all[at].label);
        at = all[at].from;
        path.push(all[at].pair.0);
    }
    execution.reverse();
    path.reverse();
    Twin { execution, path }
}
