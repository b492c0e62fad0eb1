//! What those who know the plan make of earlier moments, where each node does one thing.
//!
//! *Background.* Of an earlier moment it counts which vertices the stipulations in hindsight can tell apart, and where each class of them
//! may have led by now. The executions that look like what was seen are those of the plan; if each node does one thing, they are known as
//! soon as that is decided. So what is recalled is a function of the images, as the set of nodes is, and a game on both decides what there is.
//! (A plan that may choose would have to be known as a whole: what is best recalled is not what a larger set recalls.)
//!
//! *Practical.* A recollection belongs to a moment's beginning; [`Recall::after`] takes it through a moment whose moves are decided.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use rustc_hash::FxHashMap;

use super::ways::Move;
use crate::{
    expansion::Expansion,
    formula::Stipulations,
    problem::{Image, PGraph, Scope, Vertex},
};

/// Nothing is recalled before the first moment.
pub(super) const NOTHING: u32 = 0;

/// A node of the field, and a world vertex that the robot thinks possible there.
type Pair = (u32, u32);

/// Where the vertices of each class of an earlier moment may have led by now.
type Recollection = BTreeMap<u32, BTreeSet<Pair>>;

/// Recollections of all moments that still count, each with how many images ago the youngest was of which they are.
type Recollections = BTreeMap<Recollection, u32>;

/// What follows each image.
pub(super) type After = BTreeMap<Image, u32>;

#[derive(Clone)]
pub(super) struct Recall<'a> {
    expansion: &'a Expansion,
    world: &'a PGraph,
    stipulations: &'a Stipulations,
    /// The expanded vertex of each node.
    at: &'a [Vertex],
    /// More images ago than any limit tells apart.
    oldest: u32,
    known: Vec<Arc<Recollections>>,
    number: FxHashMap<Arc<Recollections>, u32>,
}

impl<'a> Recall<'a> {
    /// For nodes at these expanded vertices; `None` if nothing is stipulated in hindsight.
    pub fn new(
        expansion: &'a Expansion,
        world: &'a PGraph,
        stipulations: &'a Stipulations,
        at: &'a [Vertex],
    ) -> Option<Self> {
        let limits = |scope: Scope| match scope {
            Scope::Hindsight { within } => Some(within),
            _ => None,
        };
        let limits: Vec<Option<u32>> =
            stipulations.all().iter().filter_map(|one| limits(one.scope)).collect();
        if limits.is_empty() {
            return None;
        }
        let oldest = limits.iter().flatten().max().map_or(0, |most| most.saturating_add(1));
        let nothing = Arc::new(Recollections::new());
        let number = FxHashMap::from_iter([(Arc::clone(&nothing), NOTHING)]);
        Some(Self { expansion, world, stipulations, at, oldest, known: vec![nothing], number })
    }

    /// What is recalled after each image that may follow a moment with these moves, which begins with these nodes; `None` if something does not hold of
    /// what is made of an earlier moment, or of this one.
    pub fn after(&mut self, before: u32, begun: &[u32], moves: &[(u32, Move)]) -> Option<After> {
        let moves: FxHashMap<u32, &Move> = moves.iter().map(|(node, own)| (*node, own)).collect();
        let pairs = |&node: &u32| {
            let members = self.expansion.members(self.at[node as usize]).iter();
            members.map(move |w| (node, w)).collect::<Vec<Pair>>()
        };
        let (classes, _) = self.stipulations.classes();
        let mut present = Recollection::new();
        for pair in self.closed(&moves, begun.iter().flat_map(pairs).collect()) {
            present.entry(classes[pair.1 as usize]).or_default().insert(pair);
        }
        let before = Arc::clone(&self.known[before as usize]);
        let mut all = Recollections::new();
        for (recollection, age) in
            std::iter::once((&present, 0)).chain(before.iter().map(|(r, &age)| (r, age)))
        {
            let reached = recollection.iter().map(|(&class, at)| (class, self.closed(&moves, at.clone())));
            younger(&mut all, reached.collect(), age);
        }
        if all.iter().any(|(recollection, &age)| !self.holds(recollection, age)) {
            return None;
        }
        let mut next: BTreeMap<Image, Recollections> = BTreeMap::new();
        for (recollection, &age) in all.iter().filter(|(_, age)| self.still_counts(**age)) {
            for (image, made) in self.seen(&moves, recollection) {
                younger(next.entry(image).or_default(), made, (age + 1).min(self.oldest));
            }
        }
        Some(next.into_iter().map(|(image, made)| (image, self.intern(made))).collect())
    }

    fn intern(&mut self, made: Recollections) -> u32 {
        let Self { known, number, .. } = self;
        let made = Arc::new(made);
        *number.entry(Arc::clone(&made)).or_insert_with(|| {
            known.push(made);
            known.len() as u32 - 1
        })
    }

    /// Whether what is made of a moment of so many images ago is still asked about after one more.
    fn still_counts(&self, age: u32) -> bool {
        let counts =
            |scope| matches!(scope, Scope::Hindsight { within } if within.is_none_or(|most| age < most));
        self.stipulations.all().iter().any(|one| counts(one.scope))
    }

    /// Whether everything that is asked holds of what is made of a moment of so many images ago.
    fn holds(&self, recollection: &Recollection, age: u32) -> bool {
        let (words, (_, table)) = (self.stipulations.words(), self.stipulations.classes());
        let mut signature = vec![0; words];
        for &class in recollection.keys() {
            let own = &table[class as usize * words..][..words];
            signature.iter_mut().zip(own).for_each(|(word, bits)| *word |= bits);
        }
        let asked =
            |scope| matches!(scope, Scope::Hindsight { within } if within.is_none_or(|most| age <= most));
        self.stipulations.all().iter().filter(|one| asked(one.scope)).all(|one| one.holds(&signature))
    }

    /// Where these moves lead from a pair, and how that looks.
    fn steps<'s>(
        &'s self,
        moves: &'s FxHashMap<u32, &Move>,
        (node, w): Pair,
    ) -> impl Iterator<Item = (Image, Pair)> + 's {
        let steps = moves.get(&node).into_iter().flat_map(|own| own.iter());
        steps.flat_map(move |step| {
            let arcs = self.world.step(Vertex(w), step.label).iter();
            arcs.map(move |arc| (step.image, (step.to, arc.to.0)))
        })
    }

    /// Adds what unseen events lead to.
    fn closed(&self, moves: &FxHashMap<u32, &Move>, mut all: BTreeSet<Pair>) -> BTreeSet<Pair> {
        let mut todo: Vec<Pair> = all.iter().copied().collect();
        while let Some(pair) = todo.pop() {
            let unseen = self.steps(moves, pair).filter(|(image, _)| *image == Image::UNSEEN);
            todo.extend(unseen.map(|(_, to)| to).filter(|&to| all.insert(to)));
        }
        all
    }

    /// What is made of a moment after each image that may be seen.
    fn seen(
        &self,
        moves: &FxHashMap<u32, &Move>,
        recollection: &Recollection,
    ) -> BTreeMap<Image, Recollection> {
        let mut next: BTreeMap<Image, Recollection> = BTreeMap::new();
        for (&class, at) in recollection {
            for (image, to) in at.iter().flat_map(|&pair| self.steps(moves, pair)) {
                if image != Image::UNSEEN {
                    next.entry(image).or_default().entry(class).or_default().insert(to);
                }
            }
        }
        next
    }
}

/// Adds a recollection; of equal ones the youngest is asked about for longest.
fn younger(all: &mut Recollections, made: Recollection, age: u32) {
    let youngest = all.entry(made).or_insert(age);
    *youngest = (*youngest).min(age);
}
