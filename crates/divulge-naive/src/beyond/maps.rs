//! SEEK a map, both, and every map, for any number of observers: all pairs of partitions of what is seen, one after another.

use std::collections::BTreeMap;

use divulge::problem::{Filter, Kind, Label, LabelMap, Problem};

use super::{
    check::verify_plan,
    seek::{Plans, refuse, seek_plan},
};
use crate::{
    Refusal,
    maps::{Block, Partition, allowed, partitions_of},
};

/// Every map that meets the constraints, with what there is to know about plans for it (or about the plan given).
pub type Maps = BTreeMap<Partition, Plans>;

/// The number of the observer whose map is sought.
///
/// # Errors
/// If there are two, or none.
pub fn sought(problem: &Problem) -> Result<usize, Refusal> {
    let lacking: Vec<usize> =
        problem.observers().enumerate().filter(|(_, o)| o.map.is_none()).map(|(i, _)| i).collect();
    match lacking[..] {
        [one] => Ok(one),
        [] => Err(Refusal::NoMap),
        _ => Err(Refusal::TwoMaps),
    }
}

/// All maps for the observer who lacks one: with the problem's plan if it has one, else with some plan for each.
///
/// # Errors
/// If two lack a map, or a search refuses the problem, or it is too large.
pub fn seek_maps(problem: &Problem, most: u64) -> Result<Maps, Refusal> {
    let number = sought(problem)?;
    let about = problem.clone().about(number);
    if matches!(about.observer.filter, Filter::Graph(_)) {
        return Err(Refusal::FilterOfSoughtMap);
    }
    if problem.plan.is_none() {
        refuse(problem)?;
    }
    let mut maps = Maps::new();
    for map in candidates(problem, number) {
        let mapped = with_map(problem, number, &map);
        let plans = match &problem.plan {
            Some(plan) => Plans::Least(verify_plan(&mapped, plan)?),
            None => seek_plan(&mapped, most)?,
        };
        maps.insert(map, plans);
    }
    Ok(maps)
}

/// The partitions of the labels that are seen, actions and observations apart, that meet the constraints.
pub fn candidates(problem: &Problem, number: usize) -> Vec<Partition> {
    let mut about = problem.clone().about(number);
    for label in std::mem::take(&mut about.observer.constraints.unseen) {
        about.world_labels.remove(label.index());
    }
    partitions_of(&about).into_iter().filter(|map| allowed(&about, map)).collect()
}

/// The problem with this map for one of its observers. Labels that are not the world's own are their own images: they never happen.
pub fn with_map(problem: &Problem, number: usize, map: &Partition) -> Problem {
    let mut mapped = problem.clone();
    let observer = mapped.observers_mut().nth(number).expect("there is such an observer");
    let unseen = std::mem::take(&mut observer.constraints).unseen;
    let image = |l: Label| match map.iter().position(|block| block.contains(&l)) {
        _ if unseen.contains(&l) => None,
        Some(block) => Some(format!("image {block}")),
        None => Some(format!("label {}", l.0)),
    };
    observer.map = Some(LabelMap::seen_from_fn(&problem.alphabet, image));
    mapped
}

/// The partition that a map makes of the labels that it shows. `None` if it hides other labels than the constraints do or if, where it
/// hides any, an action and an observation share an image: who sees every event tells them apart all the same.
pub fn partition_of(problem: &Problem, number: usize, map: &LabelMap) -> Option<Partition> {
    let unseen = &problem.observers().nth(number)?.constraints.unseen;
    let mut blocks: BTreeMap<(&str, Kind), Block> = BTreeMap::new();
    for l in problem.alphabet.labels().filter(|l| problem.world_labels.contains(l.index())) {
        if map.look(l).is_none() != unseen.contains(&l) {
            return None;
        }
        if let Some(image) = map.look(l) {
            blocks.entry((image, problem.alphabet.kind(l))).or_default().insert(l);
        }
    }
    let shared = |image: &str| {
        [Kind::Action, Kind::Observation].iter().all(|&kind| blocks.contains_key(&(image, kind)))
    };
    if !unseen.is_empty() && blocks.keys().any(|(image, _)| shared(image)) {
        return None;
    }
    Some(blocks.into_values().collect())
}
