//! SEEK a map, both, and every map: all pairs of partitions, one after another.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Filter, Kind, Label, LabelMap, MapConstraints, Problem};

use crate::{
    Refusal,
    check::{WorstCase, verify_plan},
    seek_plan::seek_plan,
};

/// A set of labels that look alike.
pub type Block = BTreeSet<Label>;

/// A label map as far as verdicts can tell: a partition of the world's actions and one of its observations, as one set of
/// blocks.
pub type Partition = BTreeSet<Block>;

/// Every map that meets the constraints, and which of them are feasible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maps {
    /// How many maps meet the constraints.
    pub total: usize,
    /// The feasible ones, each with the least worst case of a plan for it (or the worst case of the plan given).
    pub feasible: BTreeMap<Partition, WorstCase>,
}

impl Maps {
    /// The feasible maps that refine no other: no feasible map tells less apart.
    pub fn coarsest(&self) -> BTreeMap<&Partition, WorstCase> {
        self.such_that(refines)
    }

    /// The feasible maps that no other refines: no feasible map tells more apart.
    pub fn finest(&self) -> BTreeMap<&Partition, WorstCase> {
        self.such_that(|map, other| refines(other, map))
    }

    /// The least worst cases over all feasible maps, events and cost each by itself.
    pub fn least(&self) -> Option<WorstCase> {
        let events = self.feasible.values().map(|w| w.events).min();
        let cost = self.feasible.values().map(|w| w.cost).min();
        events.zip(cost).map(|(events, cost)| WorstCase { events, cost })
    }

    fn such_that(
        &self,
        beaten_by: impl Fn(&Partition, &Partition) -> bool,
    ) -> BTreeMap<&Partition, WorstCase> {
        let others = |map| self.feasible.keys().filter(move |other| *other != map);
        self.feasible
            .iter()
            .filter(|(map, _)| !others(*map).any(|other| beaten_by(map, other)))
            .map(|(map, &worst)| (map, worst))
            .collect()
    }
}

/// All maps for the problem: with its plan if it has one, else with some plan for each.
///
/// # Errors
/// If the filter speaks of images, which have no names yet, or as [`seek_plan`].
pub fn seek_maps(problem: &Problem) -> Result<Maps, Refusal> {
    if matches!(problem.observer.filter, Filter::Graph(_)) {
        return Err(Refusal::FilterOfSoughtMap);
    }
    let mut maps = Maps { total: 0, feasible: BTreeMap::new() };
    for map in partitions_of(problem) {
        if !allowed(problem, &map) {
            continue;
        }
        maps.total += 1;
        let mapped = with_map(problem, &map);
        let worst = match &problem.plan {
            Some(plan) => verify_plan(&mapped, plan)?,
            None => seek_plan(&mapped)?,
        };
        maps.feasible.extend(worst.map(|worst| (map, worst)));
    }
    Ok(maps)
}

/// All pairs of a partition of the world's actions and one of its observations.
pub fn partitions_of(problem: &Problem) -> Vec<Partition> {
    let labels = |kind| {
        let all = problem.alphabet.of_kind(kind);
        all.filter(|l| problem.world_labels.contains(l.index())).collect::<Vec<_>>()
    };
    let observations = partitions(&labels(Kind::Observation));
    partitions(&labels(Kind::Action))
        .iter()
        .flat_map(|actions| observations.iter().map(move |obs| actions | obs))
        .collect()
}

/// All partitions of some labels.
fn partitions(labels: &[Label]) -> Vec<Partition> {
    let Some((&first, rest)) = labels.split_first() else { return vec![Partition::new()] };
    let mut all = Vec::new();
    for partition in partitions(rest) {
        for block in &partition {
            let mut joined = partition.clone();
            joined.remove(block);
            joined.insert(block | &Block::from([first]));
            all.push(joined);
        }
        all.push(&partition | &Partition::from([Block::from([first])]));
    }
    all
}

/// Whether the first tells apart whatever the second tells apart.
pub fn refines(fine: &Partition, coarse: &Partition) -> bool {
    fine.iter().all(|block| coarse.iter().any(|whole| block.is_subset(whole)))
}

/// Whether a map meets the problem's constraints.
pub fn allowed(problem: &Problem, map: &Partition) -> bool {
    let constraints = &problem.observer.constraints;
    let fixed = |(l, x): &(Label, String), (m, y): &(Label, String)| alike(problem, map, *l, *m, x == y);
    constraints.merge.iter().all(|group| each_pair(group, |l, m| alike(problem, map, *l, *m, true)))
        && constraints
            .separate
            .iter()
            .all(|group| each_pair(group, |l, m| alike(problem, map, *l, *m, false)))
        && each_pair(&constraints.fixed, fixed)
        && constraints.max_images.is_none_or(|most| map.len() <= most)
        && constraints.min_images.is_none_or(|least| map.len() >= least)
}

fn each_pair<T>(items: &[T], test: impl Fn(&T, &T) -> bool) -> bool {
    items.iter().enumerate().all(|(i, left)| items[..i].iter().all(|right| test(left, right)))
}

/// Whether two labels look alike (or different) as wanted. Nothing can be wrong with an action and an observation,
/// nor with a label that is not the world's: such pairs have no place in the partitions.
fn alike(problem: &Problem, map: &Partition, l: Label, m: Label, wanted: bool) -> bool {
    let ours = |l: Label| problem.world_labels.contains(l.index());
    let comparable = ours(l) && ours(m) && problem.alphabet.kind(l) == problem.alphabet.kind(m);
    !comparable || together(map, l, m) == wanted
}

fn together(map: &Partition, l: Label, m: Label) -> bool {
    map.iter().any(|block| block.contains(&l) && block.contains(&m))
}

/// What the merges of a map cost: the sum over the pairs that have a cost and look alike.
pub fn merge_cost(constraints: &MapConstraints, map: &Partition) -> u64 {
    constraints.merge_cost.iter().filter(|(l, m, _)| together(map, *l, *m)).map(|(_, _, cost)| cost).sum()
}

/// The problem with this map. Labels that are not the world's own are their own images: they never happen.
pub fn with_map(problem: &Problem, map: &Partition) -> Problem {
    let image = |l: Label| match map.iter().position(|block| block.contains(&l)) {
        Some(block) => format!("image {block}"),
        None => format!("label {}", l.0),
    };
    let mut mapped = problem.clone();
    mapped.observer.map = Some(LabelMap::from_fn(&problem.alphabet, image));
    mapped
}

/// The map of a problem as the partition that it makes of the world's labels.
pub fn partition_of(problem: &Problem, map: &LabelMap) -> Partition {
    let mut blocks: BTreeMap<(Kind, Option<u32>), Block> = BTreeMap::new();
    for l in problem.alphabet.labels().filter(|l| problem.world_labels.contains(l.index())) {
        blocks.entry((problem.alphabet.kind(l), map.image(l).map(|image| image.0))).or_default().insert(l);
    }
    blocks.into_values().collect()
}
