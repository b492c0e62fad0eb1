//! SEEK a plan that the observer knows (case I).

mod bounded;
mod evaluate;
mod fixpoint;
mod game;
pub(crate) mod moments;
mod read_off;
mod relaxed;
mod settled;
mod sparing;
mod table;
mod usable;

pub use bounded::Bounded;
pub use fixpoint::Fixpoint;
pub use game::{EstimateGame, Stop};
pub use read_off::strategy;
pub use settled::Settled;
use sparing::{Effort, Plain, deterministic};
pub use usable::{Budget, Ground, START, Safe, Usable};

use crate::{
    formula::Stipulations,
    limit::Monitor,
    maps::space::PartialMap,
    problem::LabelMap,
    seek::{
        irredundant::found,
        options::{Minimize, Offers, SeekOptions},
    },
    setting::Setting,
    verdict::{FoundPlan, QuestionError, SoFar},
};

/// At least this much effort goes into leaving choices out.
const LEAST: u64 = 10_000;

/// Seeks a plan that keeps the stipulations although the observer knows it; its worst case is the least there is.
///
/// # Errors
/// If the monitor stops the search.
pub(crate) fn seek_plan(
    setting: &Setting<'_>,
    map: &LabelMap,
    options: &SeekOptions,
) -> Result<Option<FoundPlan>, QuestionError> {
    if options.offers == Offers::Deterministic && options.minimize == Minimize::Cost {
        return moments::seek_plan(setting, map, options);
    }
    let (stipulations, problem) = (setting.stipulations(), setting.problem());
    let ground = &Safe::new(setting.expansion()?, stipulations);
    let decided = &PartialMap::decided_by(&problem.alphabet, &problem.world_labels, map);
    Sought { setting, ground, stipulations, decided, map, options }.best()
}

/// What is played on, and what those who know the plan see and stipulate.
struct Sought<'a, 'p, G> {
    setting: &'a Setting<'p>,
    ground: &'a G,
    stipulations: &'a Stipulations,
    /// What those who know the plan see.
    decided: &'a PartialMap,
    /// The map of the observer that is looked at.
    map: &'a LabelMap,
    options: &'a SeekOptions,
}

impl<G: Ground> Sought<'_, '_, G> {
    fn best(&self) -> Result<Option<FoundPlan>, QuestionError> {
        match (self.shortest(None)?, self.options.minimize) {
            ((Some(shortest), _), Minimize::Cost) => self.cheapest(shortest).map(Some),
            ((shortest, _), _) => Ok(shortest),
        }
    }

    /// The shortest plan within a budget, and what one beyond it costs at least.
    fn shortest(&self, budget: Option<Budget<'_>>) -> Result<(Option<FoundPlan>, u64), QuestionError> {
        let usable = Usable::new(self.ground, self.stipulations, budget);
        let (monitor, decided) = (self.setting.monitor(), self.decided);
        let Some((events, played)) = least_events(&usable, decided, monitor)? else {
            return Ok((None, usable.beyond));
        };
        let new = || Bounded::new(EstimateGame::decided(&usable, decided.clone()), monitor);
        let mut bounded = played.unwrap_or_else(new);
        let strategy = match self.options.offers {
            Offers::Permissive => strategy(&mut bounded, events)?,
            Offers::Sparing => {
                let start = bounded.game.table.intern(&[START]);
                bounded.family(start, events)?;
                let effort = bounded.game.effort.max(LEAST);
                let effort = Effort { single: effort, all: 2 * effort };
                sparing::strategy(&mut Plain::new(&mut bounded), (start, events), effort)?
            }
            Offers::Deterministic => match deterministic(&usable, decided, events, monitor)? {
                Some(strategy) => strategy,
                None => return Ok((None, usable.beyond)),
            },
        };
        let found = found(self.setting, self.map, strategy, self.options.offers)?;
        Ok((Some(found), usable.beyond))
    }

    /// The cheapest plan, given one that is not. Budgets grow from what single nodes require, because with much to spare
    /// there are many sums that may have been spent.
    fn cheapest(&self, mut best: FoundPlan) -> Result<FoundPlan, QuestionError> {
        let costs = self.setting.problem().all_costs();
        let needed = self.ground.needed(&costs, self.setting.monitor())?;
        let least = needed[self.ground.initial().index()];
        // No plan costs less than this.
        let mut floor = least;
        while floor < best.worst_case.cost {
            self.setting.report(SoFar::Plan(best.clone()));
            // Trying again must be made up for by what is new.
            let more = floor.saturating_add((floor - least).saturating_mul(2));
            let most = more.min(best.worst_case.cost - 1);
            match self.shortest(Some(Budget { costs: &costs, needed: &needed, most }))? {
                (Some(better), _) => best = better,
                (None, beyond) => floor = beyond,
            }
        }
        Ok(best)
    }
}

/// The least number of events within which the start wins; `None` if it never does. The game comes with it if nothing but these events was tried, so that it
/// is as if it had been played for them alone.
///
/// Looking for a plan of a certain length and proving that there is none of any length take turns, each getting about as much
/// effort as the other.
fn least_events<'g, 'm>(
    usable: &'g Usable<'g>,
    map: &PartialMap,
    monitor: &'m dyn Monitor,
) -> Result<Option<(u32, Option<Bounded<'g, 'm>>)>, Stop> {
    let lower = usable.rank[START as usize];
    if lower == u32::MAX {
        return Ok(None);
    }
    let mut bounded = Bounded::new(EstimateGame::decided(usable, map.clone()), monitor);
    let start = bounded.game.table.intern(&[START]);
    let mut fixpoint = Fixpoint::new(EstimateGame::decided(usable, map.clone()), START, monitor);
    let mut exists = false;
    for events in lower.. {
        if !bounded.family(start, events)?.is_empty() {
            return Ok(Some((events, (events == lower).then_some(bounded))));
        }
        let behind = bounded.game.effort.saturating_sub(fixpoint.game.effort);
        if !exists && behind > 0 {
            match fixpoint.run(behind)? {
                Some(false) => return Ok(None),
                Some(true) => exists = true,
                None => {}
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        check::check,
        formula::Formula,
        limit::Unlimited,
        problem::{Alphabet, Builder, Knows, Observer, Problem, Scope, Stipulation},
    };

    /// The paper's pentagon, with n places.
    fn ngon(n: usize, stipulated: bool) -> Problem {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        for i in 0..n {
            for lane in ["none", "one", "two"] {
                b.actions([format!("u{i}{lane}").as_str()]).observations([format!("y{i}{lane}").as_str()]);
            }
        }
        b.actions(["uC1", "uC2"]).observations(["yC1", "yC2"]).mark("uC1").mark("uC2").initial("u0none");
        for i in 0..n {
            for lane in ["none", "one", "two"] {
                b.edge(&format!("u{i}{lane}"), ["a1"], &format!("y{}{lane}", (i + 1) % n));
                if (i, lane) == (0, "none") {
                    b.edge("y0none", ["o1"], "u0one").edge("y0none", ["o3"], "u0two");
                } else {
                    b.edge(&format!("y{i}{lane}"), ["o2"], &format!("u{i}{lane}"));
                }
            }
        }
        b.edge("yC1", ["o1"], "uC1").edge("yC2", ["o3"], "uC2");
        b.edge("u1none", ["a2"], "yC1").edge("u1one", ["a2"], "yC1").edge("u1two", ["a3"], "yC2");
        let world = b.world().unwrap();
        let formula: Formula = "(state(uC1) <-> state(uC2)) & (state(yC1) <-> state(yC2))".parse().unwrap();
        let alike = Stipulation { name: "alike".to_owned(), scope: Scope::Always, formula };
        let stipulations = if stipulated { vec![alike] } else { Vec::new() };
        Problem::new(alphabet, world, Observer { stipulations, ..Observer::new(Knows::Plan) })
    }

    fn seek(problem: &Problem, merged: &[(&str, &str)]) -> Option<u64> {
        let image = |l| {
            let name = problem.alphabet.name(l).to_owned();
            merged.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| (*to).to_owned())
        };
        let map = LabelMap::from_fn(&problem.alphabet, image);
        let setting = Setting::pose(problem, None, &Unlimited).unwrap();
        let found = seek_plan(&setting, &map, &SeekOptions::default()).unwrap()?;
        assert_eq!(check(&setting.with_plan(&found.plan).unwrap(), &map), Ok(None));
        Some(found.worst_case.events)
    }

    #[test]
    fn the_pentagon_goes_round_once_before_it_exits() {
        let merged = [("a3", "a2"), ("o3", "o1")];
        assert_eq!(seek(&ngon(5, true), &merged), Some(14));
        assert_eq!(seek(&ngon(5, false), &merged), Some(4));
        assert_eq!(seek(&ngon(5, true), &[]), None);
        assert_eq!(seek(&ngon(101, true), &merged), Some(206));
    }
}
