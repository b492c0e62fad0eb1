//! Maps that are sought, by engines and by their twins.

use std::collections::{BTreeMap, BTreeSet};

use divulge::{Answer, Question, Verdict, ask, ask::What, limit::Unlimited, problem::Problem};
use divulge_naive::{
    Refusal,
    beyond::{
        check::verify_plan,
        maps::{candidates, partition_of, seek_maps, sought, with_map},
        seek::Plans,
    },
    maps::{Partition, refines},
    random::{KnowsKind, Profile},
};

use crate::{Compared, MOST, Which, common, compare, confirmed, plans::known_plans, refused};

/// Which maps are feasible, with the least worst case where the twin knows it. Where it does not, the engine that seeks plans decides.
fn feasible(p: &Problem, twin: &BTreeMap<Partition, Plans>) -> Result<BTreeMap<Partition, u64>, String> {
    let number = sought(p).map_err(|refusal| refusal.to_string())?;
    let mut feasible = BTreeMap::new();
    for (map, plans) in twin {
        let events = match plans {
            Plans::Least(least) => least.map(|w| w.events),
            Plans::Events(events) => Some(*events),
            Plans::NoneWithin(_) => {
                let answer = ask(&with_map(p, number, map)).seek_plan().within(&Unlimited);
                answer.map_err(|e| e.to_string())?.found().map(|found| found.worst_case.events)
            }
        };
        feasible.extend(events.map(|events| (map.clone(), events)));
    }
    Ok(feasible)
}

fn maps_one(p: &Problem) -> Compared {
    let twin = seek_maps(p, MOST);
    if twin == Err(Refusal::TooLarge) {
        return Ok("too large");
    }
    let impatient = ask(p).question(Question { patience: 0, ..Question::new(What::Maps) }).within(&Unlimited);
    let (answer, twin) = match (ask(p).seek_maps().within(&Unlimited), twin) {
        (Err(error), twin) => return refused(error, twin.err()),
        (Ok(answer), Err(refusal)) => return Err(format!("refused ({refusal}), but {:?}", answer.verdict)),
        (Ok(answer), Ok(twin)) => (answer, twin),
    };
    let counts = |answer: &Answer| match &answer.verdict {
        Verdict::Frontier { frontier, .. } => (frontier.feasible, frontier.maps),
        Verdict::None { maps, .. } => (0, maps.unwrap_or(0)),
        other => unreachable!("{other:?}"),
    };
    let (impatient, patient) = (impatient.as_ref().map(counts), counts(&answer));
    if impatient != Ok(patient) {
        return Err(format!("{impatient:?} without patience, but {patient:?} with it"));
    }
    let number = sought(p).expect("the twin found out");
    let feasible = feasible(p, &twin)?;
    one_map(p, number, &feasible)?;
    let frontier = match &answer.verdict {
        Verdict::None { maps, .. } if feasible.is_empty() && *maps == Some(twin.len() as u128) => {
            return Ok("none");
        }
        Verdict::Frontier { frontier, .. } => frontier,
        other => return Err(format!("{other:?}, but {} of {}", feasible.len(), twin.len())),
    };
    if (frontier.feasible, frontier.maps) != (feasible.len() as u128, twin.len() as u128) {
        return Err(format!("{frontier:?}, but {} of {}", feasible.len(), twin.len()));
    }
    let extreme = |beaten: &dyn Fn(&Partition, &Partition) -> bool| -> BTreeMap<&Partition, u64> {
        let is = |map: &Partition| !feasible.keys().any(|other| other != map && beaten(map, other));
        feasible.iter().filter(|(map, _)| is(map)).map(|(map, &events)| (map, events)).collect()
    };
    for (said, expected) in [
        (&frontier.finest, extreme(&|map, other| refines(other, map))),
        (&frontier.coarsest, extreme(&|map, other| refines(map, other))),
    ] {
        let mut maps = BTreeMap::new();
        for found in said {
            let map = partition_of(p, number, &found.map).ok_or("not a map to be sought")?;
            let worst = verify_plan(&with_map(p, number, &map), &found.plan).map_err(|r| r.to_string())?;
            let worst = worst.ok_or_else(|| format!("{found:?} fails"))?;
            maps.insert(map, worst.events);
        }
        let maps: BTreeMap<&Partition, u64> = maps.iter().map(|(map, &events)| (map, events)).collect();
        if maps != expected {
            return Err(format!("{maps:?}, but {expected:?}"));
        }
    }
    Ok(if feasible.len() == twin.len() { "all" } else { "some" })
}

/// One map, any and with the least worst case.
fn one_map(p: &Problem, number: usize, feasible: &BTreeMap<Partition, u64>) -> Result<(), String> {
    let sought = || if p.plan.is_some() { ask(p).seek_map() } else { ask(p).seek_both() };
    let allowed: BTreeSet<Partition> = candidates(p, number).into_iter().collect();
    for (asking, shortest) in [(sought(), false), (sought().shortest(), true)] {
        let answer = asking.within(&Unlimited).map_err(|e| e.to_string())?;
        let Some((found, filled)) = confirmed(p, &answer)? else {
            if feasible.is_empty() {
                continue;
            }
            return Err(format!("no map, but {feasible:?}"));
        };
        let map = filled.observers().nth(number).and_then(|o| o.map.as_ref()).ok_or("no map")?;
        let partition = partition_of(p, number, map).ok_or("not a map to be sought")?;
        if !allowed.contains(&partition) || !feasible.contains_key(&partition) {
            return Err(format!("{partition:?} is not feasible"));
        }
        if shortest && Some(&found.worst_case.events) != feasible.values().min() {
            return Err(format!("{:?}, but {feasible:?}", found.worst_case));
        }
    }
    Ok(())
}

/// Whoever asks why gets the same verdict, and every violation is explained.
#[test]
fn maps_for_a_plan() {
    let profile = Profile { vertices: 3..=6, actions: 1..=3, observations: 1..=2, ..Profile::maps(true) };
    let tallies = compare(500, Which::MapsMatter, 20, |_| profile.clone(), maps_one);
    common(&tallies, &["none", "some"], 0, 10);
}

#[test]
fn maps_and_plans() {
    let profile = |features| {
        let maps = Profile { vertices: 3..=5, actions: 1..=3, observations: 1..=2, ..Profile::maps(false) };
        let Profile { mut knows, .. } = known_plans(features);
        knows.extend([KnowsKind::World, KnowsKind::GoalDirected]);
        Profile { knows, ..maps }
    };
    let tallies = compare(600, Which::MapsMatter, 40, profile, maps_one);
    common(&tallies, &["none", "some"], 0, 10);
}
