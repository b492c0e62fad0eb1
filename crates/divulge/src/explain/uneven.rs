//! Why a stipulation broke, where runs that look alike need not have equally many events: some are unseen, or the past counts too. Such
//! runs cannot stand side by side, event by event; they are told one after the other.

use rustc_hash::FxHashSet;

use crate::{
    explain::{
        hindsight::Recall,
        replay::{EXPLAINING, Expected, Pair, Replay, satisfying},
        twin::Twin,
    },
    formula::{PlainClause, Predicate},
    limit::Limit,
    problem::{Image, Label, LabelMap},
    sets::BitSet,
    setting::Setting,
    verdict::QuestionError,
};

/// What the observer should hold possible, now or of an earlier moment, and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// What the observer has ruled out.
    pub predicate: Predicate,
    /// The number of events after which it was last possible; `None` if it never was.
    pub last_possible: Option<usize>,
    /// A shortest run that made it so then, and looked like the execution up to there.
    pub twin: Option<Twin>,
}

/// A broken stipulation, taken apart without setting runs side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uneven {
    /// The number of the stipulation.
    pub stipulation: usize,
    /// A clause that it implies and that is false: of the last estimate, or of what is made of an earlier moment.
    pub clause: PlainClause,
    /// What the observer has ruled out and should not have.
    pub gone: Vec<Gone>,
    /// What it cannot rule out and should, each with a shortest run that makes it so, at that moment, and looks like the execution.
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
    let apart = Apart { setting, map, expected: Expected::new(setting)?, execution };
    let last_possible = |mask: &BitSet| replay.last_possible(mask);
    apart.told(stipulation, clause, None, last_possible)
}

/// Takes the clause of a stipulation apart that is false of what the observer makes of the moment after so many events.
pub(super) fn later(
    setting: &Setting<'_>,
    map: &LabelMap,
    execution: &[Label],
    (stipulation, moment): (usize, usize),
) -> Result<Option<Uneven>, QuestionError> {
    let Some(tracked) = &setting.divulged()?.tracked else { return Ok(None) };
    let recall = Recall::new(tracked, map, execution, setting.monitor())?;
    let (starts, seen) = (recall.moments().collect::<Vec<_>>(), seen(map, &execution[..moment]));
    // What is made of the moment, now and before.
    let mut made = Vec::new();
    for now in seen..starts.len() {
        made.extend(recall.at(now, setting.monitor())?.into_iter().nth(seen));
    }
    let compiled = setting.stipulations();
    let broken = || {
        let signature = compiled.signature_of(made.last()?.iter().copied());
        Some(compiled.plain(&compiled.all().get(stipulation)?.broken_clause(&signature)?))
    };
    let Some(clause) = broken() else { return Ok(None) };
    let apart = Apart { setting, map, expected: Expected::new(setting)?, execution };
    let last_possible = |mask: &BitSet| {
        let last = made.iter().rposition(|made| made.iter().any(|v| mask.contains(v.index())))?;
        // Until the next image is seen.
        Some(starts.get(seen + last + 1).map_or(execution.len(), |next| next - 1))
    };
    apart.told(stipulation, &clause, Some(seen), last_possible).map(Some)
}

/// How many of these events are seen.
fn seen(map: &LabelMap, events: &[Label]) -> usize {
    events.iter().filter(|&&label| map.image(label).is_some()).count()
}

/// An execution, and what the observer takes for it.
struct Apart<'a, 'p> {
    setting: &'a Setting<'p>,
    map: &'a LabelMap,
    expected: Expected<'a>,
    execution: &'a [Label],
}

impl Apart<'_, '_> {
    /// Of the moment after so many images; `None` is the last one.
    fn told(
        &self,
        stipulation: usize,
        clause: &PlainClause,
        moment: Option<usize>,
        last_possible: impl Fn(&BitSet) -> Option<usize>,
    ) -> Result<Uneven, QuestionError> {
        let alike = |events: usize, mask: &BitSet| {
            let images: Vec<Image> =
                self.execution[..events].iter().filter_map(|&label| self.map.image(label)).collect();
            self.run(&images, moment.unwrap_or(images.len()), mask)
        };
        let mut gone = Vec::new();
        for predicate in &clause.positive {
            let mask = satisfying(self.setting.world(), predicate);
            let last_possible = last_possible(&mask);
            let twin = last_possible.map(|events| alike(events, &mask)).transpose()?.flatten();
            gone.push(Gone { predicate: predicate.clone(), last_possible, twin });
        }
        let mut left = Vec::new();
        for predicate in &clause.negative {
            let mask = satisfying(self.setting.world(), predicate);
            if let Some(twin) = alike(self.execution.len(), &mask)? {
                left.push((predicate.clone(), twin));
            }
        }
        Ok(Uneven { stipulation, clause: clause.clone(), gone, left })
    }

    /// A shortest run that the observer expects, that looks like `images` and is in `mask` at some time when `moment` of them have been seen.
    fn run(&self, images: &[Image], moment: usize, mask: &BitSet) -> Result<Option<Twin>, Limit> {
        let met = |pair: Pair, seen: usize| seen == moment && mask.contains(pair.0.index());
        let start = self.expected.start().into_iter();
        let mut all: Vec<Reached> = start
            .map(|pair| Reached { pair, seen: 0, met: met(pair, 0), from: usize::MAX, label: Label(0) })
            .collect();
        let mut known: FxHashSet<(Pair, usize, bool)> = all.iter().map(|r| (r.pair, r.seen, r.met)).collect();
        let mut at = 0;
        while at < all.len() {
            if at % 1024 == 0 {
                self.setting.monitor().poll(&EXPLAINING)?;
            }
            let Reached { pair, seen, met: before, .. } = all[at];
            if before && seen == images.len() {
                return Ok(Some(way(&all, at)));
            }
            for (label, to) in self.expected.next(pair) {
                let seen = match self.map.image(label) {
                    None => seen,
                    Some(image) if images.get(seen) == Some(&image) => seen + 1,
                    Some(_) => continue,
                };
                let met = before || met(to, seen);
                if known.insert((to, seen, met)) {
                    all.push(Reached { pair: to, seen, met, from: at, label });
                }
            }
            at += 1;
        }
        Ok(None)
    }
}

/// How a pair was reached: from which entry, and by which event.
#[derive(Clone, Copy)]
struct Reached {
    pair: Pair,
    /// How many images have been seen.
    seen: usize,
    /// Whether it was where it had to be, when it had to.
    met: bool,
    from: usize,
    label: Label,
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
