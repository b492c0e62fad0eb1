//! What a plan does step by step, cut into parts that are trees.

use std::collections::BTreeMap;

use divulge::{
    limit::{Monitor, Progress},
    problem::{Kind, Label, Plan, Vertex},
};

use super::{NoTree, Way};

/// More steps than this have no tree.
const MOST: usize = 10_000_000;
/// How many branchings stand inside one another before a new part begins: readers of XML do not take any depth.
const DEEPEST: usize = 12;

/// One place in the plan.
pub struct Step {
    /// What it is called.
    pub name: String,
    /// Whether it acts or observes.
    pub kind: Kind,
    /// Whether the plan terminates here.
    pub stops: bool,
    /// What may happen, by where it leads.
    pub ways: Vec<Way>,
}

/// All places that can be reached; the plan starts at the first.
pub struct Steps {
    all: Vec<Step>,
    /// The number of the part that begins at a step, from 1; 0 if none does.
    part: Vec<usize>,
}

impl Steps {
    /// Follows a plan along all of its executions.
    pub fn new(plan: &Plan, monitor: &dyn Monitor) -> Result<Self, NoTree> {
        let all = followed(plan, monitor)?;
        let starts = cut(&all);
        let mut part = vec![0; all.len()];
        for (number, &step) in starts.iter().enumerate() {
            part[step] = number + 1;
        }
        Ok(Self { all, part })
    }

    /// A step.
    pub fn step(&self, number: usize) -> &Step {
        &self.all[number]
    }

    /// The part that begins at a step, if one does.
    pub fn part(&self, step: usize) -> Option<usize> {
        Some(self.part[step]).filter(|&part| part > 0)
    }

    /// Where parts begin, in the order of their numbers.
    pub fn parts(&self) -> Vec<usize> {
        let mut starts: Vec<usize> = (0..self.all.len()).filter(|&step| self.part[step] > 0).collect();
        starts.sort_unstable_by_key(|&step| self.part[step]);
        starts
    }

    /// Whether one tree is not enough: there are several parts, or the only one begins again.
    pub fn joined(&self) -> bool {
        self.part.iter().filter(|&&part| part > 0).count() > 1
            || self.all.iter().any(|s| s.ways.iter().any(|(_, to)| *to == 0))
    }

    /// Every label that is borne somewhere.
    pub fn labels(&self) -> impl Iterator<Item = Label> + '_ {
        self.all.iter().flat_map(|step| &step.ways).flat_map(|(labels, _)| labels.iter().copied())
    }

    /// At how many steps there are several actions.
    pub fn choices(&self) -> usize {
        let several = |step: &&Step| step.ways.iter().map(|(labels, _)| labels.len()).sum::<usize>() > 1;
        self.all.iter().filter(|step| step.kind == Kind::Action).filter(several).count()
    }
}

/// The subset construction: which vertices the plan may be at.
fn followed(plan: &Plan, monitor: &dyn Monitor) -> Result<Vec<Step>, NoTree> {
    let mut known: BTreeMap<Vec<Vertex>, usize> = BTreeMap::new();
    let mut sets: Vec<Vec<Vertex>> = Vec::new();
    let mut number = |set: Vec<Vertex>, sets: &mut Vec<Vec<Vertex>>| {
        *known.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            sets.len() - 1
        })
    };
    let mut first = plan.graph.initial().to_vec();
    first.sort_unstable();
    first.dedup();
    number(first, &mut sets);
    let mut all = Vec::new();
    while all.len() < sets.len() {
        if all.len() % 1024 == 0 {
            monitor.poll(&Progress { explored: all.len() as u64, ..Progress::default() })?;
        }
        let set = sets[all.len()].clone();
        let stops = set.iter().any(|&v| plan.is_terminal(v));
        if let Some(&end) = set.iter().find(|&&v| plan.is_terminal(v))
            && set.iter().any(|&v| !plan.is_terminal(v))
        {
            return Err(NoTree::Undecided(plan.name(end).to_owned()));
        }
        let mut next: BTreeMap<Label, Vec<Vertex>> = BTreeMap::new();
        for arc in set.iter().filter(|_| !stops).flat_map(|&v| plan.graph.arcs(v)) {
            next.entry(arc.label).or_default().push(arc.to);
        }
        let mut ways: Vec<Way> = Vec::new();
        for (label, mut to) in next {
            to.sort_unstable();
            to.dedup();
            let to = number(to, &mut sets);
            match ways.iter_mut().find(|(_, there)| *there == to) {
                Some((labels, _)) => labels.push(label),
                None => ways.push((vec![label], to)),
            }
        }
        let names: Vec<&str> = set.iter().map(|&v| plan.name(v)).collect();
        let kind = set.first().map_or(Kind::Action, |&v| plan.graph.kind(v));
        all.push(Step { name: names.join(" or "), kind, stops, ways });
        if sets.len() > MOST {
            return Err(NoTree::TooLarge);
        }
    }
    Ok(all)
}

/// Where parts begin: at the start, where branches join, and where too many branchings would stand inside one another.
fn cut(all: &[Step]) -> Vec<usize> {
    let mut ways_in = vec![0_usize; all.len()];
    ways_in[0] = 1;
    for (_, to) in all.iter().flat_map(|step| &step.ways) {
        ways_in[*to] += 1;
    }
    let mut starts = vec![0];
    starts.extend((1..all.len()).filter(|&step| ways_in[step] > 1 && !all[step].stops));
    let mut begins: Vec<bool> = vec![false; all.len()];
    starts.iter().for_each(|&step| begins[step] = true);
    let mut next = 0;
    while next < starts.len() {
        let mut todo = vec![(starts[next], 0)];
        next += 1;
        while let Some((step, depth)) = todo.pop() {
            let deeper = depth + usize::from(all[step].ways.len() > 1);
            for &(_, to) in &all[step].ways {
                if begins[to] {
                    continue;
                }
                if deeper > DEEPEST && !all[to].stops {
                    begins[to] = true;
                    starts.push(to);
                } else {
                    todo.push((to, deeper));
                }
            }
        }
    }
    starts
}
