//! The game over estimates, for a plan that the observer knows.
//!
//! *Background.* An estimate is a set of expanded vertices, of one kind. It wins within k events if it keeps the `always` clauses and
//! each of its vertices either terminates (at a goal, with the `end` clauses kept) or goes on, such that what goes on looks
//! like sets that win within k − 1 events. The choice is over the next sets, one for each image; a vertex then takes *all* its
//! actions into them. Only maximal winning subsets of what can follow matter, and they are found by shrinking from the top:
//! a broken clause is repaired by dropping the vertices that meet one of its negative literals, and a vertex that nothing covers is
//! dropped, once for each combination of maximal sets that could follow.
//!
//! *Practical.* [`Game::evaluate`] looks at one candidate; [`Game::maximal`] shrinks until only winners are left. What the maximal sets of
//! the successors are is asked of a [`Lookup`]: bounded in `bounded.rs`, unbounded in `fixpoint.rs`.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::ground::Ground;
use crate::{
    expansion::{SetId, SetStore},
    problem::{Kind, Label, Scope},
    question::{
        Limit, QuestionError,
        seek::maps::{Pairs, PartialMap, Undecided},
    },
};

/// The maximal winning subsets of some set, as ids in the game's store.
pub type Family = Rc<[SetId]>;

/// Why an evaluation ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It depends on whether two labels look alike.
    Undecided(Undecided),
    /// The monitor said so.
    Limit(Limit),
}

impl From<Undecided> for Stop {
    fn from(pair: Undecided) -> Self {
        Stop::Undecided(pair)
    }
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Stop::Limit(limit)
    }
}

impl From<Stop> for QuestionError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Limit(limit) => QuestionError::Limit(limit),
            Stop::Undecided(_) => unreachable!("a whole map leaves nothing undecided"),
        }
    }
}

/// Gives the maximal winning subsets of what may follow.
pub trait Lookup<'g> {
    /// The game that is played.
    fn game(&mut self) -> &mut Game<'g>;
    /// Whether any more event is allowed.
    fn may_go_on(&self) -> bool;
    /// The maximal winning subsets of a successor set.
    fn follow(&mut self, set: &[u32]) -> Result<Family, Stop>;
}

/// The labels that look alike at an estimate, and where they lead together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The labels, ascending.
    pub labels: Vec<Label>,
    /// The vertices that they lead to, ascending.
    pub post: Vec<u32>,
}

/// A set that may contain winning subsets, and what is known of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The vertices.
    pub set: Vec<u32>,
    /// The observation vertices among them that may go on.
    pub going: Vec<u32>,
    /// Whether goal vertices may terminate, so that the `end` clauses must be kept.
    pub ending: bool,
}

/// How a winning set goes on.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What may follow, image by image, each with the set chosen to follow.
    pub next: Vec<(Group, Vec<u32>)>,
    /// The vertices that go on, ascending; the others terminate.
    pub going: Vec<u32>,
}

/// What came of a candidate.
pub enum Outcome {
    /// All of it wins.
    Wins(Choice),
    /// Whatever wins in it is in one of these.
    Within(Vec<Candidate>),
}

/// The ground, the sets met so far and the map being tried.
#[derive(Debug)]
pub struct Game<'g> {
    /// What is played on.
    pub ground: &'g Ground<'g>,
    /// Sets of expanded vertices.
    pub sets: SetStore,
    /// The map, as far as it is decided.
    pub map: PartialMap,
    /// The pairs of labels that the evaluations under way have looked at.
    pub looked: Vec<Pairs>,
    /// How many candidates were evaluated.
    pub effort: u64,
}

impl<'g> Game<'g> {
    /// A game on `ground` under `map`.
    pub fn new(ground: &'g Ground<'g>, map: PartialMap) -> Self {
        let looked = vec![Pairs::new(map.index().len())];
        Self { ground, sets: SetStore::new(), map, looked, effort: 0 }
    }

    /// What may follow some vertices, grouped by what looks alike.
    fn groups(&mut self, set: &[u32]) -> Result<Vec<Group>, Stop> {
        let mut steps: Vec<(Label, u32)> = set.iter().flat_map(|&v| self.ground.arcs(v)).copied().collect();
        steps.sort_unstable();
        steps.dedup();
        let mut groups: Vec<Group> = Vec::new();
        for step in steps.chunk_by(|a, b| a.0 == b.0) {
            let label = step[0].0;
            let mut home = None;
            for (i, group) in groups.iter().enumerate() {
                let other = group.labels[0];
                let alike = self.map.alike(label, other)?;
                self.looked.last_mut().expect("one at least").insert(self.map.index().number(label, other));
                if alike {
                    home = Some(i);
                    break;
                }
            }
            let group = match home {
                Some(i) => &mut groups[i],
                None => {
                    groups.push(Group { labels: Vec::new(), post: Vec::new() });
                    groups.last_mut().expect("just pushed")
                }
            };
            group.labels.push(label);
            group.post.extend(step.iter().map(|(_, to)| to));
        }
        for group in &mut groups {
            group.post.sort_unstable();
            group.post.dedup();
        }
        Ok(groups)
    }

    /// The candidates to begin with for the winning subsets of `set`.
    pub fn candidates(&self, set: Vec<u32>) -> Vec<Candidate> {
        let going = self.may_go_on(&set);
        if !self.ground.has_end {
            return vec![Candidate { set, going, ending: true }];
        }
        vec![
            Candidate { set: set.clone(), going: going.clone(), ending: false },
            Candidate { set, going, ending: true },
        ]
    }

    fn may_go_on(&self, set: &[u32]) -> Vec<u32> {
        set.iter().copied().filter(|&v| !self.ground.arcs(v).is_empty()).collect()
    }

    /// Candidates for repairing a broken clause; `None` if none of the candidate's clauses is broken.
    fn repairs(&self, candidate: &Candidate) -> Option<Vec<Candidate>> {
        let mut signature = Vec::new();
        self.ground.estimate(&candidate.set, &mut signature);
        let mut broken = self.ground.broken(Scope::Always, &signature);
        if broken.is_none() && candidate.ending && self.ground.has_end {
            broken = self.ground.broken(Scope::End, &signature);
        }
        let clause = broken?;
        let misses =
            |v: &u32, mask: u32| self.ground.signature(*v)[mask as usize / 64] >> (mask % 64) & 1 == 0;
        let drop = |all: &[u32], mask: u32| all.iter().copied().filter(|v| misses(v, mask)).collect();
        let repaired = clause.negative.iter().map(|&mask| Candidate {
            set: drop(&candidate.set, mask),
            going: drop(&candidate.going, mask),
            ending: candidate.ending,
        });
        Some(repaired.filter(|c| !c.set.is_empty()).collect())
    }
}

/// Looks at one candidate.
pub fn evaluate<'g>(lookup: &mut impl Lookup<'g>, candidate: &Candidate) -> Result<Outcome, Stop> {
    let game = lookup.game();
    game.effort += 1;
    if let Some(repaired) = game.repairs(candidate) {
        return Ok(Outcome::Within(repaired));
    }
    if !lookup.may_go_on() {
        let set = stays(lookup.game().ground, candidate, &[]);
        if set.len() == candidate.set.len() {
            return Ok(Outcome::Wins(Choice { next: Vec::new(), going: Vec::new() }));
        }
        let rest = Candidate { set, going: Vec::new(), ending: candidate.ending };
        return Ok(Outcome::Within(if rest.set.is_empty() { Vec::new() } else { vec![rest] }));
    }
    let groups = lookup.game().groups(&candidate.going)?;
    let mut families: Vec<Vec<Vec<u32>>> = Vec::with_capacity(groups.len());
    for group in &groups {
        let family = lookup.follow(&group.post)?;
        let store = &lookup.game().sets;
        families.push(family.iter().map(|&id| store.get(id).to_vec()).collect());
    }
    let observing = lookup.game().ground.kind(candidate.set[0]) == Kind::Observation;
    let ground = lookup.game().ground;
    if observing {
        return Ok(observation(ground, candidate, groups, &families));
    }
    Ok(action(ground, candidate, groups, &families))
}

/// Nothing is chosen at observation vertices but which goals terminate: what follows must win as a whole.
fn observation(
    ground: &Ground<'_>,
    candidate: &Candidate,
    groups: Vec<Group>,
    families: &[Vec<Vec<u32>>],
) -> Outcome {
    let whole = groups.iter().zip(families).all(|(g, f)| f.len() == 1 && f[0] == g.post);
    if whole && stays(ground, candidate, &candidate.going).len() == candidate.set.len() {
        let next = groups.into_iter().map(|g| (g.clone(), g.post)).collect();
        return Outcome::Wins(Choice { next, going: candidate.going.clone() });
    }
    let mut within = Vec::new();
    for chosen in Combinations::new(families) {
        let into = |label: Label, to: u32| leads_into(&groups, &chosen, label, to);
        let going: Vec<u32> = candidate
            .going
            .iter()
            .copied()
            .filter(|&v| ground.arcs(v).iter().all(|&(label, to)| into(label, to)))
            .collect();
        let set = stays(ground, candidate, &going);
        if !set.is_empty() {
            within.push(Candidate { set, going, ending: candidate.ending });
        }
    }
    Outcome::Within(within)
}

/// At action vertices each combination of sets that may follow covers some vertices; the others are dropped.
fn action(
    ground: &Ground<'_>,
    candidate: &Candidate,
    groups: Vec<Group>,
    families: &[Vec<Vec<u32>>],
) -> Outcome {
    let mut within = Vec::new();
    for chosen in Combinations::new(families) {
        let into = |label: Label, to: u32| leads_into(&groups, &chosen, label, to);
        let going: Vec<u32> = candidate
            .going
            .iter()
            .copied()
            .filter(|&v| ground.arcs(v).iter().any(|&(label, to)| into(label, to)))
            .collect();
        let set = stays(ground, candidate, &going);
        if set.len() == candidate.set.len() {
            let chosen: Vec<Vec<u32>> = chosen.into_iter().map(|c| c.cloned().unwrap_or_default()).collect();
            return Outcome::Wins(Choice { next: groups.into_iter().zip(chosen).collect(), going });
        }
        if !set.is_empty() {
            let going = set.iter().copied().filter(|v| candidate.going.binary_search(v).is_ok()).collect();
            within.push(Candidate { set, going, ending: candidate.ending });
        }
    }
    Outcome::Within(within)
}

/// What is left of a candidate when only `going` goes on: that, and the goals if they may terminate.
fn stays(ground: &Ground<'_>, candidate: &Candidate, going: &[u32]) -> Vec<u32> {
    let ends = |v: &u32| candidate.ending && ground.goal.contains(*v as usize);
    candidate.set.iter().copied().filter(|v| ends(v) || going.binary_search(v).is_ok()).collect()
}

fn leads_into(groups: &[Group], chosen: &[Option<&Vec<u32>>], label: Label, to: u32) -> bool {
    let at = groups.iter().position(|g| g.labels.binary_search(&label).is_ok());
    at.and_then(|i| chosen[i]).is_some_and(|set| set.binary_search(&to).is_ok())
}

/// All ways of picking one member of each family; nothing where a family is empty.
struct Combinations<'f> {
    families: &'f [Vec<Vec<u32>>],
    at: Option<Vec<usize>>,
}

impl<'f> Combinations<'f> {
    fn new(families: &'f [Vec<Vec<u32>>]) -> Self {
        Self { families, at: Some(vec![0; families.len()]) }
    }
}

impl<'f> Iterator for Combinations<'f> {
    type Item = Vec<Option<&'f Vec<u32>>>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at.as_mut()?;
        let picked = at.iter().zip(self.families).map(|(&i, family)| family.get(i)).collect();
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

/// The maximal winning subsets of `set`, ascending.
pub fn maximal<'g>(lookup: &mut impl Lookup<'g>, set: Vec<u32>) -> Result<Vec<Vec<u32>>, Stop> {
    let mut winners: Vec<Vec<u32>> = Vec::new();
    let mut todo = lookup.game().candidates(set);
    let mut seen: FxHashSet<Candidate> = FxHashSet::default();
    while let Some(candidate) = todo.pop() {
        if winners.iter().any(|w| is_subset(&candidate.set, w)) || !seen.insert(candidate.clone()) {
            continue;
        }
        match evaluate(lookup, &candidate)? {
            Outcome::Within(within) => todo.extend(within),
            Outcome::Wins(_) => {
                winners.retain(|w| !is_subset(w, &candidate.set));
                winners.push(candidate.set);
            }
        }
    }
    winners.sort_unstable();
    Ok(winners)
}

/// How `set`, which wins, goes on.
pub fn choice<'g>(lookup: &mut impl Lookup<'g>, set: &[u32]) -> Result<Option<Choice>, Stop> {
    let mut todo = lookup.game().candidates(set.to_vec());
    let mut seen: FxHashSet<Candidate> = FxHashSet::default();
    while let Some(candidate) = todo.pop() {
        if candidate.set.len() < set.len() || !seen.insert(candidate.clone()) {
            continue;
        }
        match evaluate(lookup, &candidate)? {
            Outcome::Within(within) => todo.extend(within),
            Outcome::Wins(choice) => return Ok(Some(choice)),
        }
    }
    Ok(None)
}

fn is_subset(small: &[u32], large: &[u32]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|v| rest.by_ref().any(|w| w == v))
}
