//! A plan and a world run together: the pairs that joint executions reach, and what can be wrong with one.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Kind, Label, Plan, Problem};

use crate::{
    graph::{Graph, Set, plain, trimmed},
    observer::pairs,
};

/// A pair (v of the plan, w of the world) reached by one joint execution.
pub type Pair = (usize, usize);

/// What can be wrong with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The plan bears an action that the world lacks there.
    UnsafeAction,
    /// The world bears an observation that the plan lacks there.
    UnforeseenObservation,
    /// The plan terminates and the world is not at the goal.
    TerminatesOffGoal,
    /// The plan does not terminate, and nothing can happen.
    Stuck,
    /// Joint executions grow without bound.
    Unbounded,
    /// A joint execution that the divulged plan does not admit.
    OutsideDivulged,
    /// A stipulation does not hold.
    Stipulation,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 7] = [
        Reason::UnsafeAction,
        Reason::UnforeseenObservation,
        Reason::TerminatesOffGoal,
        Reason::Stuck,
        Reason::Unbounded,
        Reason::OutsideDivulged,
        Reason::Stipulation,
    ];

    /// The word used for it in answers.
    pub fn word(self) -> &'static str {
        match self {
            Reason::UnsafeAction => "unsafe-action",
            Reason::UnforeseenObservation => "unforeseen-observation",
            Reason::TerminatesOffGoal => "terminates-off-goal",
            Reason::Stuck => "stuck",
            Reason::Unbounded => "unbounded",
            Reason::OutsideDivulged => "outside-divulged",
            Reason::Stipulation => "stipulation",
        }
    }

    /// The stage at which a check comes to it: first whether the plan solves, then whether it is admitted, then what is
    /// stipulated.
    pub fn stage(self) -> usize {
        match self {
            Reason::OutsideDivulged => 1,
            Reason::Stipulation => 2,
            _ => 0,
        }
    }
}

/// A plan and a world that run together.
#[derive(Clone, Debug)]
pub struct Joint {
    plan: Graph<Label>,
    world: Graph<Label>,
    terminal: Set,
    goal: Set,
    acts: BTreeMap<Label, bool>,
}

impl Joint {
    /// The problem's world with this plan.
    pub fn new(problem: &Problem, plan: &Plan) -> Self {
        let acts = |l| problem.alphabet.kind(l) == Kind::Action;
        Self {
            plan: trimmed(plan),
            world: plain(&problem.world.graph),
            terminal: plan.terminal.iter().collect(),
            goal: problem.world.goal.iter().collect(),
            acts: problem.alphabet.labels().map(|l| (l, acts(l))).collect(),
        }
    }

    /// The pairs before the first event.
    pub fn start(&self) -> BTreeSet<Pair> {
        pairs(&self.plan.initial, &self.world.initial)
    }

    /// Whether the plan terminates in this pair.
    pub fn terminates(&self, (v, _): Pair) -> bool {
        self.terminal.contains(&v)
    }

    /// The pairs that follow: none after termination, for the plan's graph is trimmed.
    pub fn next(&self, (v, w): Pair) -> BTreeSet<(Label, Pair)> {
        let both = &self.plan.labels(v) & &self.world.labels(w);
        both.into_iter()
            .flat_map(|l| {
                pairs(&self.plan.step(v, &l), &self.world.step(w, &l)).into_iter().map(move |p| (l, p))
            })
            .collect()
    }

    /// The pairs after one more event.
    pub fn after(&self, at: &BTreeSet<Pair>, event: Label) -> BTreeSet<Pair> {
        at.iter().flat_map(|&p| self.next(p)).filter(|&(l, _)| l == event).map(|(_, p)| p).collect()
    }

    /// The pairs after a whole execution: none if it is not a joint execution.
    pub fn reached(&self, execution: &[Label]) -> BTreeSet<Pair> {
        execution.iter().fold(self.start(), |at, &event| self.after(&at, event))
    }

    /// The actions that the plan bears here and the world lacks.
    pub fn unsafe_actions(&self, (v, w): Pair) -> BTreeSet<Label> {
        let missing = &self.plan.labels(v) - &self.world.labels(w);
        missing.into_iter().filter(|l| self.acts[l]).collect()
    }

    /// The observations that the world bears here and the plan lacks.
    pub fn unforeseen_observations(&self, (v, w): Pair) -> BTreeSet<Label> {
        let missing = &self.world.labels(w) - &self.plan.labels(v);
        missing.into_iter().filter(|l| !self.acts[l]).collect()
    }

    /// Whether this pair shows the reason, one of those for not solving.
    pub fn faulty(&self, pair: Pair, reason: Reason) -> bool {
        let going = !self.terminates(pair);
        match reason {
            Reason::UnsafeAction => going && !self.unsafe_actions(pair).is_empty(),
            Reason::UnforeseenObservation => going && !self.unforeseen_observations(pair).is_empty(),
            Reason::TerminatesOffGoal => !going && !self.goal.contains(&pair.1),
            Reason::Stuck => going && self.next(pair).is_empty(),
            Reason::Unbounded => self.recurs(pair),
            Reason::OutsideDivulged | Reason::Stipulation => false,
        }
    }

    /// Whether the pair lies on a cycle.
    fn recurs(&self, pair: Pair) -> bool {
        let mut seen = BTreeSet::new();
        let mut todo = vec![pair];
        while let Some(at) = todo.pop() {
            for (_, next) in self.next(at) {
                if next == pair {
                    return true;
                }
                if seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        false
    }
}
