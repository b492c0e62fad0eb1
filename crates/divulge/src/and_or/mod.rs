//! The paper's own searches, for comparison and as cross-checks: AND–OR search, the plan divulged or not.
//!
//! *Background.* Where D is fixed, the paper searches trees on the triple graph (world, D, observer): an action vertex is an OR
//! node, an observation vertex an AND node, and no tree need be deeper than there are triples. Where the plan divulges itself, it searches over
//! estimates: OR over what each vertex does, OR over partial label maps, AND over groups of events that look alike.
//!
//! *Practical.* [`seek_plan`] and [`seek_both`] answer as the native engines do, with some plan that holds, not the shortest.
//! `triple` builds the triple graph, `tree` searches it; `generalised` is the search over estimates, with `choices` and
//! `partitions` for its two tiers of OR nodes.

mod choices;
mod generalised;
mod partitions;
mod tree;
mod triple;

pub use triple::{Triple, TripleGraph, triple_graph};

use crate::{
    game::strategy::countable,
    maps::{ImageCount, PartialMap, coarsest, demanded, finest, images, merge_cost, named, possible_images},
    problem::{Knows, LabelMap},
    seek::{
        self_divulged::{Safe, Usable},
        strongest,
    },
    setting::Setting,
    verdict::{FoundMap, FoundPlan, QuestionError},
};

/// Seeks a plan through `map` by AND–OR search: any plan that holds. `None` is a proof that there is none.
///
/// # Errors
/// If the input is bad, if an observer who knows the sought plan has another filter than the strongest, or if the monitor
/// stops the search.
pub fn seek_plan(setting: &Setting<'_>, map: &LabelMap) -> Result<Option<FoundPlan>, QuestionError> {
    let problem = setting.problem();
    plain(setting, Some(map))?;
    if setting.observer().knows != Knows::Plan {
        let graph = TripleGraph::explore(setting, map)?;
        let strategy = tree::search(&graph, setting.monitor())?;
        let expansion = setting.expansion()?;
        return strategy.map(|strategy| countable(strategy.found(problem, expansion))).transpose();
    }
    let whole = PartialMap::decided_by(&problem.alphabet, &problem.world_labels, map);
    generalised(setting, &whole, &|_| true)?.map(|(found, _)| countable(found)).transpose()
}

/// Seeks a plan and a map together for an observer who knows the plan, by generalised AND–OR search: any that hold. `None` is
/// a proof that there are none.
///
/// # Errors
/// If the observer does not know the plan, if the input is bad, or if the monitor stops the search.
pub fn seek_both(setting: &Setting<'_>) -> Result<Option<FoundMap>, QuestionError> {
    if setting.observer().knows != Knows::Plan {
        return Err(QuestionError::Refused(
            "the and-or engine seeks a map and a plan together only for an observer who knows the plan; use \
             `\"knows\": \"plan\"`, give a map and seek a plan, or use the native engine"
                .to_owned(),
        ));
    }
    plain(setting, None)?;
    let (problem, constraints) = (setting.problem(), &setting.observer().constraints);
    possible_images(constraints)?;
    let Some(start) = demanded(&problem.alphabet, &problem.world_labels, constraints) else {
        return Ok(None);
    };
    let images = ImageCount::of(constraints);
    let suits = |map: &PartialMap| so_many_images(map, images).is_some();
    let Some((found, map)) = generalised(setting, &start, &suits)? else { return Ok(None) };
    let FoundPlan { plan, worst_case, choices } = countable(found)?;
    let map = so_many_images(&map, images).unwrap_or(map);
    let merge_cost = merge_cost(constraints, &map);
    let map = named(&problem.alphabet, constraints, &map);
    Ok(Some(FoundMap { map, plan, worst_case, choices, merge_cost }))
}

/// Refuses what the paper does not know of.
fn plain(setting: &Setting<'_>, map: Option<&LabelMap>) -> Result<(), QuestionError> {
    if setting.is_plain(map) {
        return Ok(());
    }
    Err(QuestionError::Refused(
        "the and-or engine is the paper's: one observer, who sees every event, and stipulations of scope `always` and `end`; \
         use the native engine"
            .to_owned(),
    ))
}

/// A whole map that agrees with this one and has so many images.
fn so_many_images(map: &PartialMap, wanted: ImageCount) -> Option<PartialMap> {
    let fine = finest(map);
    if images(&fine) < wanted.least {
        return None;
    }
    if wanted.most == usize::MAX {
        return Some(fine);
    }
    let coarse = coarsest(map).into_iter().find(|map| images(map) <= wanted.most)?;
    if images(&coarse) >= wanted.least {
        return Some(coarse);
    }
    // From the finest map to a coarsest: what is merged next takes one image away at most.
    let mut between = map.clone();
    for pair in coarse.merged().iter() {
        if images(&between) <= wanted.most {
            break;
        }
        let (a, b) = map.index().pair(pair);
        between = between.with(a, b, true)?;
    }
    Some(finest(&between)).filter(|map| wanted.allows(images(map)))
}

/// A plan and what it needed of the map to be decided, such that `suits` holds of that.
fn generalised(
    setting: &Setting<'_>,
    start: &PartialMap,
    suits: &dyn Fn(&PartialMap) -> bool,
) -> Result<Option<(FoundPlan, PartialMap)>, QuestionError> {
    strongest(setting.observer())?;
    let (expansion, stipulations) = (setting.expansion()?, setting.stipulations());
    let usable = Usable::new(&Safe::new(expansion, stipulations), stipulations, None);
    let found = generalised::search(&usable, stipulations, start, suits, setting.monitor())?;
    Ok(found.map(|(strategy, map)| (strategy.found(setting.problem(), expansion), map)))
}
