//! The game over estimates, for a plan that the observer knows.
//!
//! *Background.* An estimate is a set of expanded vertices, of one kind. It wins within k events if it keeps the `always` clauses and
//! each of its vertices either terminates (at a goal, with the `end` clauses kept) or goes on, such that what goes on looks
//! like sets that win within k − 1 events. The choice is over the next sets, one for each image; a vertex then takes *all* its
//! actions into them. Only maximal winning subsets of what can follow matter, and they are found by shrinking from the top:
//! a broken clause is repaired by dropping the vertices that meet one of its negative literals, and a vertex that nothing covers is
//! dropped, once for each combination of maximal sets that could follow.
//!
//! *Practical.* `evaluate.rs` looks at one candidate, and shrinks until only winners are left. What the maximal sets of
//! the successors are is asked of a [`Lookup`]: bounded in `bounded.rs`, unbounded in `fixpoint.rs`.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::{
    limit::Limit,
    maps::space::{Pairs, PartialMap, Undecided},
    problem::Label,
    seek::self_divulged::{
        sparing::images,
        table::{Few, Table},
        usable::Usable,
    },
    sets::SetId,
    verdict::QuestionError,
};

/// For so many groups of labels, what was chosen for each is marked; for the others it is searched.
const MARKED: usize = 64;

/// The maximal winning subsets of some set.
pub type Family = Rc<[SetId]>;

/// Why an evaluation ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It depends on whether two labels look alike.
    Undecided(Undecided),
    /// The monitor said so.
    Limit(Limit),
    /// The effort allowed is used up.
    Effort,
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
            Stop::Effort => unreachable!("effort is limited only where that is caught"),
        }
    }
}

/// Gives the maximal winning subsets of what may follow.
pub trait Lookup<'g> {
    /// The game that is played.
    fn game(&mut self) -> &mut EstimateGame<'g>;
    /// Whether any more event is allowed.
    fn may_go_on(&self) -> bool;
    /// Whether what is undecided may be chosen anew at every estimate.
    fn relaxed(&self) -> bool {
        false
    }
    /// The maximal winning subsets of a successor set.
    fn follow(&mut self, set: SetId) -> Result<Family, Stop>;
    /// What came of a candidate before, if nothing that it depends on has changed: all of it wins, or it all is within others.
    fn recall(&mut self, _candidate: &Candidate) -> Option<Verdict> {
        None
    }
    /// Takes note of what came of a candidate, given what followed.
    fn note(&mut self, _candidate: &Candidate, _followed: &[(SetId, Family)], _verdict: &Verdict) {}
}

/// What came of a candidate, without how it wins: `None` if all of it does.
pub type Verdict = Option<Rc<[Candidate]>>;

/// The labels that look alike at an estimate, and where they lead together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The labels, ascending.
    pub labels: SmallVec<[Label; 4]>,
    /// The vertices that they lead to.
    pub post: SetId,
}

/// A set that may contain winning subsets, and what is known of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The vertices.
    pub set: SetId,
    /// Those among them that may go on.
    pub going: SetId,
    /// Whether goal vertices may terminate, so that the `end` clauses must be kept.
    pub ending: bool,
}

/// How a winning set goes on.
#[derive(Clone, Debug)]
pub struct Continuation {
    /// What may follow, image by image, each with the set chosen to follow, if any.
    pub next: Vec<(Group, Option<SetId>)>,
    /// The vertices that go on, ascending; the others terminate.
    pub going: SetId,
}

/// What came of a candidate.
pub enum Outcome {
    /// All of it wins.
    Wins(Continuation),
    /// Whatever wins in it is in one of these.
    Within(Vec<Candidate>),
}

/// The usable, the sets met so far and the map being tried.
#[derive(Debug)]
pub struct EstimateGame<'g> {
    /// What is played on.
    pub usable: &'g Usable<'g>,
    /// The sets of vertices met so far.
    pub table: Table,
    /// The map, as far as it is decided.
    pub map: PartialMap,
    /// The pairs of labels that the evaluations under way have looked at.
    pub looked: Vec<Pairs>,
    /// How many candidates were evaluated.
    pub effort: u64,
    /// For each label the first that looks like it, if the map is a whole one and stays as it is; what was looked at is then of no interest.
    class: Option<Vec<u32>>,
    /// For each label, its group.
    group_of: Vec<u32>,
    /// For each vertex, nothing but while it is looked which vertices are covered.
    chosen_for: Vec<u64>,
    /// What may follow the sets met under this map, and the pairs looked at for that.
    grouped: FxHashMap<SetId, (Rc<[Group]>, Pairs)>,
}

impl<'g> EstimateGame<'g> {
    /// A game on `usable` under `map`.
    pub fn new(usable: &'g Usable<'g>, map: PartialMap) -> Self {
        let looked = vec![Pairs::new(map.index().len())];
        let group_of = vec![0; map.alphabet_len()];
        Self {
            usable,
            table: Table::default(),
            map,
            looked,
            effort: 0,
            class: None,
            group_of,
            chosen_for: Vec::new(),
            grouped: FxHashMap::default(),
        }
    }

    /// A game on `usable` under a whole map, which stays as it is.
    pub(super) fn decided(usable: &'g Usable<'g>, map: PartialMap) -> Self {
        let class = Some(images(&map));
        // Nobody asks which pairs of a map that stays as it is were looked at.
        Self { class, looked: vec![Pairs::new(0)], ..Self::new(usable, map) }
    }

    /// No pairs of labels, with room for those that are looked at.
    pub(super) fn no_pairs(&self) -> Pairs {
        Pairs::new(if self.class.is_some() { 0 } else { self.map.index().len() })
    }

    /// Tries another map.
    pub fn set_map(&mut self, map: PartialMap) {
        self.looked = vec![Pairs::new(map.index().len())];
        if self.map.decided() != map.decided() || self.map.merged() != map.merged() {
            self.grouped.clear();
        }
        self.map = map;
    }

    /// What may follow some vertices, grouped by what looks alike.
    pub(super) fn groups(&mut self, set: SetId) -> Result<Rc<[Group]>, Stop> {
        if let Some((groups, looked)) = self.grouped.get(&set) {
            self.looked.last_mut().expect("one at least").add(looked);
            return Ok(groups.clone());
        }
        if let Some(class) = &self.class {
            let found = self.table.classes(self.usable, set, class).into_iter();
            let groups: Rc<[Group]> = found.map(|(labels, post)| Group { labels, post }).collect();
            self.grouped.insert(set, (groups.clone(), self.no_pairs()));
            return Ok(groups);
        }
        let parts = self.table.parts(self.usable, set);
        let mut looked = Pairs::new(self.map.index().len());
        let mut groups: Vec<(Group, Few)> = Vec::with_capacity(parts.len());
        'parts: for (i, &(label, post)) in parts.iter().enumerate() {
            for (group, members) in &mut groups {
                let other = group.labels[0];
                let alike = self.map.alike(label, other)?;
                looked.insert(self.map.index().number(label, other));
                if alike {
                    group.labels.push(label);
                    members.push(i as u32);
                    continue 'parts;
                }
            }
            groups.push((Group { labels: smallvec![label], post }, smallvec![i as u32]));
        }
        self.looked.last_mut().expect("one at least").add(&looked);
        let groups: Rc<[Group]> = groups
            .into_iter()
            .map(|(group, members)| match members.len() {
                1 => group,
                _ => Group { post: self.table.join(set, members), ..group },
            })
            .collect();
        self.grouped.insert(set, (groups.clone(), looked));
        Ok(groups)
    }

    /// The candidates to begin with for the winning subsets of `set`.
    pub fn candidates(&mut self, set: SetId) -> Vec<Candidate> {
        let usable = self.usable;
        let going = self.table.retain(set, |v| !usable.arcs(v).is_empty());
        let candidate = Candidate { set, going, ending: true };
        if usable.has_end {
            vec![Candidate { ending: false, ..candidate }, candidate]
        } else {
            vec![candidate]
        }
    }

    /// Whether a candidate may end but has nothing that could. It is within the one that may not, which has fewer clauses to keep.
    pub(super) fn in_vain(&self, candidate: &Candidate) -> bool {
        let ends = |&v: &u32| self.usable.goal.contains(v as usize);
        self.usable.has_end && candidate.ending && !self.table.get(candidate.set).iter().any(ends)
    }

    /// Candidates for repairing a broken clause; `None` if none of the candidate's clauses is broken.
    pub(super) fn repairs(&mut self, candidate: &Candidate) -> Option<Vec<Candidate>> {
        let usable = self.usable;
        let masks = self.table.broken(usable, candidate.set, candidate.ending)?;
        let misses = |v: u32, mask: u32| usable.signature(v)[mask as usize / 64] >> (mask % 64) & 1 == 0;
        let mut repaired = Vec::with_capacity(masks.len());
        for &mask in masks.iter() {
            let set = self.table.retain(candidate.set, |v| misses(v, mask));
            if !self.table.get(set).is_empty() {
                let going = self.table.retain(candidate.going, |v| misses(v, mask));
                repaired.push(Candidate { set, going, ending: candidate.ending });
            }
        }
        Some(repaired)
    }

    /// What is left of a candidate when only `going` goes on: that, and the goals if they may terminate.
    pub(crate) fn stays(&mut self, candidate: &Candidate, going: SetId) -> SetId {
        if going == candidate.set {
            return going;
        }
        let usable = self.usable;
        let ends = |v: u32| candidate.ending && usable.goal.contains(v as usize);
        let mut next = 0;
        self.table.retain_in_order(candidate.set, |table, v| {
            let goes = table.get(going).get(next) == Some(&v);
            next += usize::from(goes);
            goes || ends(v)
        })
    }

    /// Which of the candidate's vertices have an arc (or all their arcs, if `every`) into the sets chosen for the groups.
    pub(crate) fn covered(
        &mut self,
        candidate: &Candidate,
        groups: &[Group],
        chosen: &[Option<SetId>],
        every: bool,
    ) -> SetId {
        let usable = self.usable;
        for (i, group) in groups.iter().enumerate() {
            group.labels.iter().for_each(|l| self.group_of[l.index()] = i as u32);
        }
        // By vertex: in which groups' sets it is, as far as a word has bits for them.
        self.chosen_for.resize(usable.base.len(), 0);
        let (table, chosen_for) = (&mut self.table, &mut self.chosen_for);
        let bit = |group: usize| if group < MARKED { 1u64 << group } else { 0 };
        for (i, &id) in chosen.iter().enumerate().take(MARKED) {
            id.iter().flat_map(|&id| table.get(id)).for_each(|&v| chosen_for[v as usize] |= bit(i));
        }
        let covered = table.retain_in_order(candidate.going, |table, v| {
            let into = |&(label, to): &(Label, u32)| match self.group_of[label.index()] as usize {
                group if group < MARKED => chosen_for[to as usize] & bit(group) != 0,
                group => chosen[group].is_some_and(|id| table.get(id).binary_search(&to).is_ok()),
            };
            if every { usable.arcs(v).iter().all(into) } else { usable.arcs(v).iter().any(into) }
        });
        for &id in chosen.iter().take(MARKED) {
            id.iter().flat_map(|&id| table.get(id)).for_each(|&v| chosen_for[v as usize] = 0);
        }
        covered
    }
}
