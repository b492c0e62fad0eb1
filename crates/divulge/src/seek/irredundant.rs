//! Plans of which no offered action can be left out, proven by leaving out each; before that, branches are joined from which the same can follow.

use crate::{
    check::check,
    expansion::Expansion,
    game::{
        Strategy,
        joined::{Holds, InWorld, joined},
    },
    problem::LabelMap,
    seek::options::Offers,
    setting::Setting,
    verdict::{Choices, FoundPlan, QuestionError},
};

/// Each offered action is left out in turn if their number times the number of the plan's vertices is at most this.
const MOST: usize = 10_000;

/// At most this many vertices are checked in all.
const WORK: usize = 5 * MOST;

/// To join branches, at most this many vertices are checked in all.
const JOINED: usize = 512;

/// The plan of a strategy that wins. If it is not too large, and not to be permissive, branches are joined, and each action that it offers beside others is left out in
/// turn, and all but one of those at a place, until without any of them something would break. `map` is that of the observer that is
/// looked at.
pub(crate) fn found(
    setting: &Setting<'_>,
    map: &LabelMap,
    strategy: Strategy,
    offers: Offers,
) -> Result<FoundPlan, QuestionError> {
    let (problem, expansion) = (setting.problem(), setting.expansion()?);
    let mut strategy = strategy.compact(expansion);
    if offers == Offers::Sparing {
        strategy = with_branches_joined(setting, map, strategy)?;
    }
    let mut found = strategy.found(problem, expansion);
    let mut work = 0;
    'again: while found.choices == Choices::Open && offers != Offers::Permissive {
        let size = found.plan.graph.len();
        let Some(candidates) = candidates(&strategy, expansion, MOST / size) else { break };
        let mut holds = None;
        for fewer in candidates {
            work += size;
            if work > WORK {
                break 'again;
            }
            let candidate = fewer.found(problem, expansion);
            match keeps(setting, map, &candidate) {
                Ok(true) => {
                    holds = Some((fewer, candidate));
                    break;
                }
                Ok(false) => {}
                // There is a plan, though it is not known what it could do without.
                Err(QuestionError::Limit(_)) => break 'again,
                Err(other) => return Err(other),
            }
        }
        match holds {
            Some(fewer) => (strategy, found) = fewer,
            None => found.choices = Choices::Needed,
        }
    }
    Ok(found)
}

/// Whether a plan solves the world and keeps everything.
fn keeps(setting: &Setting<'_>, map: &LabelMap, found: &FoundPlan) -> Result<bool, QuestionError> {
    Ok(check(&setting.with_plan(&found.plan)?, map)?.is_none())
}

/// The strategy with branches joined from which the same can follow; each time, the whole is checked.
fn with_branches_joined(
    setting: &Setting<'_>,
    map: &LabelMap,
    strategy: Strategy,
) -> Result<Strategy, QuestionError> {
    let (problem, expansion) = (setting.problem(), setting.expansion()?);
    let mut work = 0;
    let holds = |fewer: &Strategy| -> Holds {
        let candidate = fewer.found(problem, expansion);
        work += candidate.plan.graph.len();
        if work > JOINED { Ok(None) } else { keeps(setting, map, &candidate).map(Some) }
    };
    let places = &mut InWorld::new(expansion, setting.monitor());
    joined(strategy, expansion, &problem.all_costs(), places, holds)
}

/// The strategy with one action alone at a place, then without one of them; `None` if these are more than so many.
fn candidates<'s>(
    strategy: &'s Strategy,
    expansion: &Expansion,
    most: usize,
) -> Option<impl Iterator<Item = Strategy> + 's> {
    let offered = strategy.offered(expansion);
    let each: Vec<(usize, usize)> =
        offered.iter().enumerate().flat_map(|(at, (_, own))| (0..own.len()).map(move |i| (at, i))).collect();
    // Of two, leaving one out is to have the other alone.
    let alone: Vec<(usize, usize)> =
        each.iter().copied().filter(|&(at, _)| offered[at].1.len() > 2).collect();
    (each.len() + alone.len() <= most).then(|| {
        let alone = alone.into_iter().map(|place| (place, true));
        alone.chain(each.into_iter().map(|place| (place, false))).map(move |((at, i), alone)| {
            let (nodes, actions) = &offered[at];
            strategy.keeping(nodes, |label| (label == actions[i]) == alone)
        })
    })
}
