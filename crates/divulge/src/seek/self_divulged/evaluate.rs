//! Candidates looked at one by one, until only those are left of which all wins.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{
    maps::space::Undecided,
    problem::{Kind, Label},
    seek::self_divulged::{
        game::{Candidate, Continuation, EstimateGame, Family, Group, Lookup, Outcome, Stop, Verdict},
        relaxed::relaxed,
    },
    sets::SetId,
};

/// Looks at one candidate; what it depends on is added to `followed`.
pub fn evaluate<'g>(
    lookup: &mut impl Lookup<'g>,
    candidate: &Candidate,
    followed: &mut Vec<(SetId, Family)>,
) -> Result<Outcome, Stop> {
    let game = lookup.game();
    game.effort += 1;
    if let Some(repaired) = game.repairs(candidate) {
        return Ok(Outcome::Within(repaired));
    }
    if !lookup.may_go_on() {
        let game = lookup.game();
        let none = game.table.intern(&[]);
        let set = game.stays(candidate, none);
        if set == candidate.set {
            return Ok(Outcome::Wins(Continuation { next: Vec::new(), going: none }));
        }
        let rest = Candidate { set, going: none, ending: candidate.ending };
        return Ok(Outcome::Within(if set == none { Vec::new() } else { vec![rest] }));
    }
    let groups = match lookup.game().groups(candidate.going) {
        Ok(groups) => groups,
        Err(Stop::Undecided(_)) if lookup.relaxed() => return relaxed(lookup, candidate, followed),
        Err(Stop::Undecided(pair)) => return whatever_is_decided(lookup, candidate, pair, followed),
        Err(stop) => return Err(stop),
    };
    let mut families: Vec<Family> = Vec::with_capacity(groups.len());
    for group in groups.iter() {
        families.push(lookup.follow(group.post)?);
    }
    followed.extend(groups.iter().zip(&families).map(|(g, f)| (g.post, f.clone())));
    let game = lookup.game();
    let first = game.table.get(candidate.set)[0];
    match game.usable.kind(first) {
        Kind::Observation => Ok(observation(game, candidate, &groups, &families)),
        Kind::Action => Ok(action(game, candidate, &groups, &families)),
    }
}

/// What a candidate is within although it is not decided which of its labels look alike.
///
/// Whatever wins among what one group of labels leads to is among what all labels lead to, and wins there as well. So what no
/// set covers that wins among all of that is covered under no map, and a map need not be chosen to drop it.
fn whatever_is_decided<'g>(
    lookup: &mut impl Lookup<'g>,
    candidate: &Candidate,
    pair: Undecided,
    followed: &mut Vec<(SetId, Family)>,
) -> Result<Outcome, Stop> {
    let game = lookup.game();
    let parts = game.table.parts(game.usable, candidate.going);
    let all = game.table.join(candidate.going, (0..parts.len() as u32).collect());
    let family = match lookup.follow(all) {
        Err(Stop::Undecided(_)) => return Err(pair.into()),
        other => other?,
    };
    followed.push((all, family.clone()));
    let game = lookup.game();
    let mut winning: Vec<u32> = family.iter().flat_map(|&id| game.table.get(id)).copied().collect();
    winning.sort_unstable();
    winning.dedup();
    let usable = game.usable;
    let into = |&(_, to): &(Label, u32)| winning.binary_search(&to).is_ok();
    let chooses = usable.kind(game.table.get(candidate.set)[0]) == Kind::Action;
    let covered =
        |v: u32| if chooses { usable.arcs(v).iter().any(into) } else { usable.arcs(v).iter().all(into) };
    let going = game.table.retain(candidate.going, covered);
    let set = game.stays(candidate, going);
    if set == candidate.set && going == candidate.going {
        return Err(pair.into());
    }
    let empty = game.table.get(set).is_empty();
    let rest = Candidate { set, going, ending: candidate.ending };
    Ok(Outcome::Within(if empty { Vec::new() } else { vec![rest] }))
}

/// Nothing is chosen at observation vertices but which goals terminate: what follows must win as a whole.
fn observation(
    game: &mut EstimateGame<'_>,
    candidate: &Candidate,
    groups: &[Group],
    families: &[Family],
) -> Outcome {
    let whole = groups.iter().zip(families).all(|(g, f)| **f == [g.post]);
    if whole && game.stays(candidate, candidate.going) == candidate.set {
        let next = groups.iter().map(|g| (g.clone(), Some(g.post))).collect();
        return Outcome::Wins(Continuation { next, going: candidate.going });
    }
    let none = game.table.intern(&[]);
    let mut within = Vec::new();
    for chosen in Combinations::new(families) {
        let going = game.covered(candidate, groups, &chosen, true);
        let set = game.stays(candidate, going);
        if set != none {
            within.push(Candidate { set, going, ending: candidate.ending });
        }
    }
    Outcome::Within(within)
}

/// At action vertices each combination of sets that may follow covers some vertices; the others are dropped.
fn action(
    game: &mut EstimateGame<'_>,
    candidate: &Candidate,
    groups: &[Group],
    families: &[Family],
) -> Outcome {
    let none = game.table.intern(&[]);
    let mut within = Vec::new();
    for chosen in Combinations::new(families) {
        let going = game.covered(candidate, groups, &chosen, false);
        let set = game.stays(candidate, going);
        if set == candidate.set {
            return Outcome::Wins(Continuation { next: groups.iter().cloned().zip(chosen).collect(), going });
        }
        if set != none {
            let usable = game.usable;
            let going = game.table.retain(set, |v| !usable.arcs(v).is_empty());
            within.push(Candidate { set, going, ending: candidate.ending });
        }
    }
    Outcome::Within(within)
}

/// All ways of picking one member of each family; nothing where a family is empty.
struct Combinations<'f> {
    families: &'f [Family],
    at: Option<Vec<usize>>,
}

impl<'f> Combinations<'f> {
    fn new(families: &'f [Family]) -> Self {
        Self { families, at: Some(vec![0; families.len()]) }
    }
}

impl Iterator for Combinations<'_> {
    type Item = Vec<Option<SetId>>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at.as_mut()?;
        let picked = at.iter().zip(self.families).map(|(&i, family)| family.get(i).copied()).collect();
        let step = (0..at.len()).find(|&i| {
            at[i] += 1;
            let more = at[i] < self.families[i].len();
            if !more {
                at[i] = 0;
            }
            more
        });
        if step.is_none() {
            self.at = None;
        }
        Some(picked)
    }
}

/// What came of a candidate, now or before.
fn verdict<'g>(lookup: &mut impl Lookup<'g>, candidate: &Candidate) -> Result<Verdict, Stop> {
    if let Some(verdict) = lookup.recall(candidate) {
        return Ok(verdict);
    }
    let mut followed = Vec::new();
    let verdict = match evaluate(lookup, candidate, &mut followed)? {
        Outcome::Within(within) => Some(Rc::from(within)),
        Outcome::Wins(_) => None,
    };
    lookup.note(candidate, &followed, &verdict);
    Ok(verdict)
}

/// The maximal winning subsets of `set`, by id.
pub fn maximal<'g>(lookup: &mut impl Lookup<'g>, set: SetId) -> Result<Vec<SetId>, Stop> {
    let mut winners: Vec<SetId> = Vec::new();
    let mut todo = lookup.game().candidates(set);
    let mut seen: FxHashSet<Candidate> = FxHashSet::default();
    while let Some(candidate) = todo.pop() {
        let game = lookup.game();
        let known = winners.iter().any(|&w| game.table.is_subset(candidate.set, w));
        if known || game.in_vain(&candidate) || !seen.insert(candidate) {
            continue;
        }
        match verdict(lookup, &candidate)? {
            Some(within) => todo.extend(within.iter()),
            None => {
                let table = &lookup.game().table;
                winners.retain(|&w| !table.is_subset(w, candidate.set));
                winners.push(candidate.set);
            }
        }
    }
    winners.sort_unstable();
    Ok(winners)
}

/// How `set`, which wins, goes on.
pub fn choice<'g>(lookup: &mut impl Lookup<'g>, set: SetId) -> Result<Option<Continuation>, Stop> {
    let mut todo = lookup.game().candidates(set);
    let mut seen: FxHashSet<Candidate> = FxHashSet::default();
    while let Some(candidate) = todo.pop() {
        if candidate.set != set || !seen.insert(candidate) {
            continue;
        }
        match evaluate(lookup, &candidate, &mut Vec::new())? {
            Outcome::Within(within) => todo.extend(within),
            Outcome::Wins(choice) => return Ok(Some(choice)),
        }
    }
    Ok(None)
}
