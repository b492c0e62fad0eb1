//! What the robot knows: sets of world vertices that it cannot tell apart, and from which of them it can force the goal.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Kind, Label, Problem, Vertex};

use crate::graph::{Graph, Set, plain};

/// The world as the robot meets it.
#[derive(Clone, Debug)]
pub struct Robot {
    /// The world's graph.
    pub world: Graph<Label>,
    kinds: Vec<Kind>,
    goal: Set,
}

impl Robot {
    /// The robot of a problem.
    pub fn new(problem: &Problem) -> Self {
        let graph = &problem.world.graph;
        Self {
            world: plain(graph),
            kinds: graph.vertices().map(|v| graph.kind(v)).collect(),
            goal: graph
                .vertices()
                .filter(|&v: &Vertex| problem.world.is_goal(v))
                .map(Vertex::index)
                .collect(),
        }
    }

    /// What the robot knows before the first event.
    pub fn start(&self) -> Set {
        self.world.initial.clone()
    }

    /// Whether the robot acts next (else the world answers).
    pub fn acts(&self, known: &Set) -> bool {
        known.iter().all(|&w| self.kinds[w] == Kind::Action)
    }

    /// Whether a plan may terminate: all that is possible is goal.
    pub fn may_terminate(&self, known: &Set) -> bool {
        known.is_subset(&self.goal)
    }

    /// The events that may or must come next: the actions that every possible vertex has, or the observations that some
    /// possible vertex has.
    pub fn events(&self, known: &Set) -> BTreeSet<Label> {
        let borne = known.iter().map(|&w| self.world.labels(w));
        if self.acts(known) {
            borne.reduce(|all, some| &all & &some).unwrap_or_default()
        } else {
            borne.flatten().collect()
        }
    }

    /// Whether something happens for sure if the plan goes on: there is an action to take, or the world answers wherever
    /// it may be. (Where one possible vertex bears nothing, a plan that waits there is stuck.)
    pub fn may_go_on(&self, known: &Set) -> bool {
        if self.acts(known) {
            !self.events(known).is_empty()
        } else {
            known.iter().all(|&w| !self.world.labels(w).is_empty())
        }
    }

    /// What the robot knows after one more event.
    pub fn after(&self, known: &Set, event: Label) -> Set {
        self.world.after(known, &event)
    }

    /// Everything the robot may come to know by safe actions.
    pub fn reachable(&self) -> BTreeSet<Set> {
        let mut found = BTreeSet::from([self.start()]);
        let mut todo = vec![self.start()];
        while let Some(known) = todo.pop() {
            for event in self.events(&known) {
                let next = self.after(&known, event);
                if found.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        found
    }

    /// Where the goal can be forced, with the least worst-case number of events that takes.
    pub fn ranks(&self) -> BTreeMap<Set, usize> {
        let reachable = self.reachable();
        let mut ranks: BTreeMap<Set, usize> = BTreeMap::new();
        for round in 0.. {
            let won: Vec<Set> = reachable
                .iter()
                .filter(|known| !ranks.contains_key(*known) && self.wins(known, &ranks))
                .cloned()
                .collect();
            if won.is_empty() {
                break;
            }
            ranks.extend(won.into_iter().map(|known| (known, round)));
        }
        ranks
    }

    fn wins(&self, known: &Set, won: &BTreeMap<Set, usize>) -> bool {
        let mut outcomes = self.events(known).into_iter().map(|e| won.contains_key(&self.after(known, e)));
        let forced = if self.acts(known) { outcomes.any(|wins| wins) } else { outcomes.all(|wins| wins) };
        self.may_terminate(known) || self.may_go_on(known) && forced
    }

    /// The union of all plans that solve the world: winning vertices with the safe actions that stay winning; a winning
    /// observation vertex keeps its edges only if all its successors are winning and it is sure to have one. If the goal cannot be forced there
    /// is no such plan, and the graph has no initial vertex.
    pub fn goal_directed(&self) -> Graph<Label> {
        let winning: Vec<Set> = self.ranks().into_keys().collect();
        let number = |known: &Set| winning.iter().position(|s| s == known);
        let mut graph = Graph::empty();
        graph.initial = number(&self.start()).into_iter().collect();
        for (i, known) in winning.iter().enumerate() {
            let next: Vec<(Label, Option<usize>)> =
                self.events(known).into_iter().map(|e| (e, number(&self.after(known, e)))).collect();
            if self.acts(known) || self.may_go_on(known) && next.iter().all(|(_, to)| to.is_some()) {
                for (event, to) in next {
                    to.into_iter().for_each(|to| graph.arc(i, event, to));
                }
            }
        }
        graph
    }
}
