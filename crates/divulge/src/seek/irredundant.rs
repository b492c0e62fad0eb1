//! Plans of which no offered action can be left out, proven by leaving out each.

use crate::{
    check::check,
    expansion::Expansion,
    game::Strategy,
    problem::LabelMap,
    seek::options::Offers,
    setting::Setting,
    verdict::{Choices, FoundPlan, QuestionError},
};

/// Each offered action is left out in turn if their number times the number of the plan's vertices is at most this.
const MOST: usize = 10_000;

/// At most this many vertices are checked in all.
const WORK: usize = 5 * MOST;

/// The plan of a strategy that wins. If it is not too large, and not to be permissive, each action that it offers beside others is left out in
/// turn, and all but one of those at a place, until without any of them something would break. `map` is that of the observer that is
/// looked at.
pub(crate) fn found(
    setting: &Setting<'_>,
    map: &LabelMap,
    mut strategy: Strategy,
    offers: Offers,
) -> Result<FoundPlan, QuestionError> {
    let (problem, expansion) = (setting.problem(), setting.expansion()?);
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
            match setting.with_plan(&candidate.plan).and_then(|setting| check(&setting, map)) {
                Ok(None) => {
                    holds = Some((fewer, candidate));
                    break;
                }
                Ok(Some(_)) => {}
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
