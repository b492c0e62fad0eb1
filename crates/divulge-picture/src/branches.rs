//! The branches of a plan: which observations lead to which part of it.
//!
//! *Background.* A picture of a plan has a colour for each branch. Where what the robot observes decides what it does
//! next, each outcome begins a branch. Where branches come together again, what follows belongs to the last branch that they
//! have in common. A choice among actions begins none: all are drawn alike.

use std::collections::BTreeMap;

use divulge::{
    graph::Joint,
    problem::{Kind, Label, Plan, Vertex},
};

use crate::pace::{Limit, Monitor, Pace};

/// A branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// The branch that it begins in; none for the first.
    pub parent: Option<usize>,
    /// The observations that it begins with, ascending.
    pub labels: Vec<Label>,
    /// How many branches it lies within.
    pub depth: usize,
    /// Its actions in turn, if there is no choice among them.
    pub actions: Option<Vec<Label>>,
    /// Whether the plan terminates after these.
    pub stops: bool,
    /// The actions after the branches that begin in it have come together again, if there is no choice among them, and
    /// whether the plan then terminates.
    pub after: Option<(Vec<Label>, bool)>,
}

/// All branches of a plan, as far as joint executions take them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches {
    /// The branches, each after the one it begins in.
    pub all: Vec<Branch>,
    /// The branch of each vertex of the plan; none if no joint execution reaches it.
    pub of: Vec<Option<usize>>,
    /// For each edge of the plan that is taken, the branch that it leads into, before branches come together.
    into: BTreeMap<(Vertex, Vertex), usize>,
}

/// The edges of a plan that joint executions take: for each vertex the next ones, with the labels.
type Taken = BTreeMap<Vertex, BTreeMap<Vertex, Vec<Label>>>;

impl Branches {
    /// The branches of a plan, as its joint executions with the world take them.
    ///
    /// # Errors
    /// The limit that `monitor` says was hit.
    pub fn new(plan: &Plan, joint: &Joint, monitor: &dyn Monitor) -> Result<Self, Limit> {
        let pace = Pace::new(monitor);
        pace.work(joint.graph.arc_count())?;
        let next = taken(joint);
        let mut branches =
            Self { all: vec![Branch::default()], of: vec![None; plan.graph.len()], into: BTreeMap::new() };
        let mut known: BTreeMap<(usize, Vec<Label>), usize> = BTreeMap::new();
        let mut entered: BTreeMap<Vertex, usize> = plan.graph.initial().iter().map(|&v| (v, 0)).collect();
        for v in in_order(plan, &next) {
            let own = entered.get(&v).copied().unwrap_or(0);
            branches.of[v.index()] = Some(own);
            let Some(targets) = next.get(&v) else { continue };
            let decides = plan.graph.kind(v) == Kind::Observation && targets.len() > 1;
            pace.work(targets.len())?;
            for (&to, labels) in targets {
                let branch = match decides {
                    true => *known.entry((own, labels.clone())).or_insert_with(|| {
                        let depth = branches.all[own].depth + 1;
                        branches.all.push(Branch {
                            parent: Some(own),
                            labels: labels.clone(),
                            depth,
                            ..Branch::default()
                        });
                        branches.all.len() - 1
                    }),
                    false => own,
                };
                branches.into.insert((v, to), branch);
                let common = entered.get(&to).map_or(branch, |&other| branches.common(branch, other));
                entered.insert(to, common);
            }
        }
        branches.drop_empty();
        branches.find_actions(plan, &next, &pace)?;
        Ok(branches)
    }

    /// The branch that an edge of the plan leads into.
    pub(crate) fn entered(&self, from: Vertex, to: Vertex) -> usize {
        self.into.get(&(from, to)).copied().or(self.of[to.index()]).unwrap_or(0)
    }

    /// The last branch that two branches have in common.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            let deeper = if self.all[a].depth >= self.all[b].depth { &mut a } else { &mut b };
            *deeper = self.all[*deeper].parent.unwrap_or(0);
        }
        a
    }

    /// Branches that came together at once are none.
    fn drop_empty(&mut self) {
        let mut used = vec![false; self.all.len()];
        used[0] = true;
        // A stop belongs to the branch that leads to it.
        for branch in self.of.iter().flatten().chain(self.into.values()) {
            let mut at = Some(*branch);
            while let Some(b) = at.filter(|&b| !std::mem::replace(&mut used[b], true)) {
                at = self.all[b].parent;
            }
        }
        let mut number = vec![0; self.all.len()];
        let mut count = 0;
        for (i, &keep) in used.iter().enumerate() {
            number[i] = count;
            count += usize::from(keep);
        }
        let mut keep = used.iter();
        self.all.retain(|_| *keep.next().unwrap_or(&false));
        self.all.iter_mut().for_each(|b| b.parent = b.parent.map(|p| number[p]));
        self.of.iter_mut().flatten().chain(self.into.values_mut()).for_each(|b| *b = number[*b]);
    }

    fn find_actions(&mut self, plan: &Plan, next: &Taken, pace: &Pace<'_>) -> Result<(), Limit> {
        let mut starts: Vec<Vec<Vertex>> = vec![Vec::new(); self.all.len()];
        for &v in plan.graph.initial() {
            starts[0].push(v);
        }
        for (&(v, to), &b) in &self.into {
            if self.of[v.index()].is_some_and(|a| self.all[b].parent == Some(a)) && !starts[b].contains(&to) {
                starts[b].push(to);
            }
        }
        let mut joined: Vec<Vec<Vertex>> = vec![Vec::new(); self.all.len()];
        for (&(_, to), &entered) in &self.into {
            if let Some(own) = self.of[to.index()].filter(|&own| own != entered && !plan.is_terminal(to))
                && !joined[own].contains(&to)
            {
                joined[own].push(to);
            }
        }
        for (branch, start) in joined.iter().enumerate() {
            if let [start] = start[..] {
                self.all[branch].after = self.straight(branch, start, plan, next, pace)?;
            }
        }
        for (branch, start) in starts.iter().enumerate() {
            let [start] = start[..] else { continue };
            if let Some((actions, stops)) = self.straight(branch, start, plan, next, pace)? {
                self.all[branch].actions = Some(actions);
                self.all[branch].stops = stops;
            }
        }
        Ok(())
    }

    /// The actions of a branch from where it begins, and whether the plan then terminates; `None` if there is a choice.
    fn straight(
        &self,
        branch: usize,
        start: Vertex,
        plan: &Plan,
        next: &Taken,
        pace: &Pace<'_>,
    ) -> Result<Option<(Vec<Label>, bool)>, Limit> {
        let mut actions = Vec::new();
        let mut v = start;
        for _ in 0..=self.of.len() {
            pace.work(1)?;
            if plan.is_terminal(v) {
                return Ok(Some((actions, true)));
            }
            let Some(targets) = next.get(&v) else { return Ok(Some((actions, false))) };
            let mut go_on = targets.iter().filter(|(to, _)| self.entered(v, **to) == branch);
            let (Some((&to, labels)), rest) = (go_on.next(), go_on.next()) else {
                return Ok(Some((actions, false)));
            };
            if rest.is_some() || (plan.graph.kind(v) == Kind::Action && labels.len() > 1) {
                return Ok(None);
            }
            if plan.graph.kind(v) == Kind::Action {
                actions.push(labels[0]);
            }
            if self.of[to.index()] != Some(branch) {
                return Ok(Some((actions, plan.is_terminal(to))));
            }
            v = to;
        }
        Ok(None)
    }
}

/// What joint executions take of a plan.
pub(crate) fn taken(joint: &Joint) -> Taken {
    let mut next = Taken::new();
    for (pair, arc) in joint.graph.all_arcs() {
        let (from, to) = (joint.pairs[pair.index()].0, joint.pairs[arc.to.index()].0);
        let labels = next.entry(from).or_default().entry(to).or_default();
        if let Err(at) = labels.binary_search(&arc.label) {
            labels.insert(at, arc.label);
        }
    }
    next
}

/// The vertices that joint executions reach, each after those before it; where there is a cycle, as they are met.
fn in_order(plan: &Plan, next: &Taken) -> Vec<Vertex> {
    let mut done = vec![false; plan.graph.len()];
    let mut order = Vec::new();
    for &root in plan.graph.initial() {
        let mut walk: Vec<(Vertex, Vec<Vertex>)> = Vec::new();
        let children = |v: Vertex| next.get(&v).map(|t| t.keys().copied().collect()).unwrap_or_default();
        if !std::mem::replace(&mut done[root.index()], true) {
            walk.push((root, children(root)));
        }
        while let Some((v, rest)) = walk.last_mut() {
            match rest.pop() {
                Some(to) => {
                    if !std::mem::replace(&mut done[to.index()], true) {
                        walk.push((to, children(to)));
                    }
                }
                None => {
                    order.push(*v);
                    walk.pop();
                }
            }
        }
    }
    order.reverse();
    order
}
