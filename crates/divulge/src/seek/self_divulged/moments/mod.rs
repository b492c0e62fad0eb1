//! SEEK a plan that observers know who do not see every event, remember moments, or are not alone.
//!
//! *Practical.* `field` is what is played on, `game` has the sets of its nodes, `estimates` what is made of them, `shrink` tells which of them win given what
//! follows, `search` whether the start does and within how much.
//! Where every event is seen and nothing is remembered, the sets are estimates as [`EstimateGame`](super::EstimateGame) plays on them, on the nodes of the
//! field: many times faster, since they are of one kind and learn from one another.

mod estimates;
mod field;
mod game;
mod read_off;
mod recall;
mod search;
mod shrink;
mod single;
mod sparing;
mod stages;
mod ways;

use std::{cell::OnceCell, sync::Arc};

use crate::{
    expansion::Expansion,
    formula::Stipulations,
    game::{Robot, Strategy},
    limit::{Aside, Monitor, threads, worth},
    maps::space::PartialMap,
    problem::{Knows, LabelMap, Scope},
    seek::{
        irredundant::found,
        options::{Minimize, Offers, SeekOptions, strongest},
        self_divulged::{Ground, LEAST, Sought, Stop},
    },
    sets::SetId,
    setting::Setting,
    verdict::{FoundPlan, QuestionError, SoFar},
};
use field::{Explorer, Field};
use game::{Budget, Game};
use recall::Recall;
use search::{Bounded, Existence, look};
use stages::{FEW, STAGES, Stages};

/// How much effort is made at first before looking for a plan and proving that there is none change places.
const FIRST_TURN: u64 = 256;

/// After so many members of sets were looked at it is worth while to do two things at the same time.
const MUCH: usize = 1 << 15;

/// Seeks a plan that keeps everybody's stipulations although some observers know it; its worst case is the least there is.
///
/// # Errors
/// If observers who know the plan see differently or look back, if the input is bad, or if the monitor stops the search.
pub(crate) fn seek_plan(
    setting: &Setting<'_>,
    map: &LabelMap,
    options: &SeekOptions,
) -> Result<Option<FoundPlan>, QuestionError> {
    let never_choosing = options.offers == Offers::Deterministic;
    let (knowing, fixed) = askable(setting, never_choosing)?;
    let seen = alike(setting, map, &knowing)?;
    let stipulations = stipulations(setting, &knowing)?;
    let others = match &fixed[..] {
        [] => None,
        fixed => match setting.together(fixed, map)? {
            None => return Ok(None),
            others => others,
        },
    };
    let (tracker, together) = others.map_or((None, None), |(tracker, map)| (Some(tracker), Some(map)));
    let others = tracker.zip(together.as_deref());
    let Some(robot) = Robot::of(setting)? else { return Ok(None) };
    let aside = &Aside::new(setting.monitor());
    let on: (&Expansion, &dyn Monitor) = (setting.expansion()?, aside);
    let Some(mut explorer) = Explorer::new(on, &robot, others, seen, &stipulations) else {
        return Ok(None);
    };
    // What has been spent must not count as something that the robot knows, as it does there.
    let apart = never_choosing && options.minimize == Minimize::Cost;
    let plain = stipulations.are_momentary() && !seen.hides() && !apart;
    let costs = setting.problem().all_costs();
    let fields: [OnceCell<Field>; STAGES] = Default::default();
    let in_stages = !plain && !never_choosing && options.minimize == Minimize::Events;
    explorer.explore(if in_stages { worth(FEW) } else { usize::MAX })?;
    if !explorer.is_done() {
        let mut stages = Stages::new(&mut explorer, &fields)?;
        let (field, stipulations, offers) = (stages.field, &*stipulations, options.offers);
        return Seeking { setting, aside, field, stipulations, costs, map, offers }.within(&mut stages, None);
    }
    let field = explorer.field();
    drop(explorer);
    if field.rank[0] == u32::MAX {
        return Ok(None);
    }
    if plain {
        // Every event makes a moment, and nothing is remembered: what `EstimateGame` plays, on other nodes.
        let problem = setting.problem();
        let decided = &PartialMap::decided_by(&problem.alphabet, &problem.world_labels, seen);
        let stipulations = &*stipulations;
        return Sought { setting, ground: &field, stipulations, decided, map, options }.best();
    }
    let stipulations = &*stipulations;
    // How few events can do is not a matter of what is offered.
    let offers = if never_choosing { Offers::Permissive } else { options.offers };
    let seeking = Seeking { setting, aside, field: &field, stipulations, costs, map, offers };
    let Some(mut shortest) = seeking.shortest(None)? else { return Ok(None) };
    if never_choosing {
        match seeking.never_choosing(shortest.worst_case.events, None)?.0 {
            Some(found) => shortest = found,
            None => return Ok(None),
        }
    }
    match (options.minimize, never_choosing) {
        (Minimize::Events, _) => Ok(Some(shortest)),
        (Minimize::Cost, false) => seeking.cheapest(shortest).map(Some),
        (Minimize::Cost, true) => seeking.cheapest_never_choosing(shortest).map(Some),
    }
}

/// The numbers of the observers who know the plan that is sought, and of the others.
///
/// # Errors
/// If one of those who know it has another filter than the strongest, or looks back at a plan that may choose, or if they see differently.
pub(crate) fn askable(
    setting: &Setting<'_>,
    never_choosing: bool,
) -> Result<(Vec<usize>, Vec<usize>), QuestionError> {
    let (knowing, fixed): (Vec<usize>, Vec<usize>) =
        (0..setting.observers().len()).partition(|&n| setting.observers()[n].observer.knows == Knows::Plan);
    for &number in &knowing {
        let observer = &setting.observers()[number].observer;
        strongest(observer)?;
        let who = setting.problem().called(number);
        let looks_back = observer.stipulations.iter().any(|s| matches!(s.scope, Scope::Hindsight { .. }));
        if looks_back && !never_choosing {
            return Err(QuestionError::Refused(format!(
                "{who} knows the plan that is sought, and no way is known to seek one that may choose and keeps a stipulation in \
                 hindsight; seek a plan alone that never chooses (`seek plan --deterministic`), use another `knows` or the scope `always`, or \
                 check a plan that is given"
            )));
        }
    }
    // A map that is sought is looked at when there is one.
    let given = knowing.iter().filter_map(|&n| Some((n, setting.observers()[n].observer.map.as_ref()?)));
    same(setting, &given.collect::<Vec<_>>())?;
    Ok((knowing, fixed))
}

/// What those who know the plan see, who must all see the same.
fn alike<'m>(
    setting: &'m Setting<'_>,
    map: &'m LabelMap,
    knowing: &[usize],
) -> Result<&'m LabelMap, QuestionError> {
    let maps = setting.maps(map)?;
    let seen: Vec<(usize, &LabelMap)> = knowing.iter().map(|&number| (number, maps[number])).collect();
    same(setting, &seen)?;
    Ok(maps[knowing[0]])
}

/// Refuses maps that are not all the same.
fn same(setting: &Setting<'_>, seen: &[(usize, &LabelMap)]) -> Result<(), QuestionError> {
    let Some(((first, map), others)) = seen.split_first() else { return Ok(()) };
    match others.iter().find(|(_, other)| !other.sees_like(map)) {
        None => Ok(()),
        Some((other, _)) => Err(QuestionError::Refused(format!(
            "{} and {} both know the plan that is sought, and see differently: what one of them believes then depends on \
             what the plan does after executions that the other tells apart, and no way is known to seek such a plan; \
             let both see the same, let one of them know less (`knows goal-directed` or `knows world`), or seek a plan for one of them \
             (`--observer NAME`) and check it for both",
            setting.problem().called(*first),
            setting.problem().called(*other)
        ))),
    }
}

/// What all those who know the plan stipulate.
fn stipulations(setting: &Setting<'_>, knowing: &[usize]) -> Result<Arc<Stipulations>, QuestionError> {
    if let &[one] = knowing {
        return Ok(Arc::clone(&setting.observers()[one].stipulations));
    }
    let all = knowing.iter().flat_map(|&n| setting.observers()[n].observer.stipulations.iter().cloned());
    let wrong = |(number, e)| QuestionError::Formula { observer: knowing[0], number, e };
    Stipulations::compile(setting.world(), &all.collect::<Vec<_>>()).map(Arc::new).map_err(wrong)
}

struct Seeking<'a, 'p> {
    setting: &'a Setting<'p>,
    /// What may turn out not to be needed is done under this monitor.
    aside: &'a Aside<'a>,
    field: &'a Field,
    stipulations: &'a Stipulations,
    costs: Vec<u64>,
    /// The map of the observer that is looked at.
    map: &'a LabelMap,
    offers: Offers,
}

impl Seeking<'_, '_> {
    /// A plan with the fewest events in the worst case among those that cost no more than this.
    fn shortest(&self, cost: Option<u64>) -> Result<Option<FoundPlan>, QuestionError> {
        self.within(&mut Stages::of(self.field), cost)
    }

    /// The same, on a field that is found as it is needed.
    ///
    /// Looking for a plan of a certain length and proving that there is none of any length take turns, of which each is twice as long as the one before; the two may be
    /// done at the same time. Sets without a budget can be many times larger than those with one, so it is members that are counted for the proof, not sets. It begins
    /// when all of the field is known; until then its turns find more of that.
    fn within<'a>(
        &'a self,
        stages: &mut Stages<'a, '_, '_>,
        cost: Option<u64>,
    ) -> Result<Option<FoundPlan>, QuestionError> {
        let needed = self.needed(cost.is_some())?;
        let mut game = self.game(stages.field, &needed);
        let mut proof: Option<(Game<'_>, Existence<'_>)> = None;
        let mut bounded = Bounded::new(self.setting.monitor());
        let (mut events, mut turn) = (stages.least(0), FIRST_TURN);
        while !stages.is_hopeless() {
            bounded.until = turn;
            // About as much as there will have been when this turn of the search is over.
            let until = u128::from(game.work) * u128::from(turn) / u128::from(game.effort.max(1));
            let (until, most) = (u64::try_from(until).unwrap_or(u64::MAX), stages.most);
            let at_once = turn != u64::MAX && self.at_once(&game);
            let needs = |came: &Result<_, Stop>| matches!(came, Ok(None) | Err(Stop::Effort));
            let came;
            if let Some(explorer) = stages.explorer() {
                let until = usize::try_from(until / 2).unwrap_or(usize::MAX);
                let search = || self.fewest(&mut game, &mut bounded, &mut events, most, cost);
                let looked;
                (came, looked) = self.aside.run(at_once, search, needs, || explorer.look_about(until));
                if looked.is_some() {
                    explorer.poll()?;
                }
                if let Some(field) = looked.transpose()?.flatten() {
                    stages.complete(field);
                    game.field = stages.field;
                }
            } else {
                let (any, existence) = proof.get_or_insert_with(|| {
                    let mut any = self.game(stages.field, &needed);
                    let existence = Existence::new(&mut any, cost, self.aside);
                    (any, existence)
                });
                let search = || self.fewest(&mut game, &mut bounded, &mut events, most, cost);
                let proven;
                (came, proven) = self.aside.run(at_once, search, needs, || existence.run(any, until));
                if proven.is_some() {
                    look(any, self.setting.monitor())?;
                }
                match proven.transpose()?.flatten() {
                    Some(false) => return Ok(None),
                    // There is one, so it will be found.
                    Some(true) => turn = u64::MAX,
                    None => {}
                }
            }
            match came {
                Ok(Some(start)) => {
                    bounded.until = u64::MAX;
                    drop(proof);
                    let strategy = self.sparing(&mut game, &mut bounded, start)?;
                    return found(self.setting, self.map, strategy, self.offers).map(Some);
                }
                Ok(None) => {
                    stages.further()?;
                    game.field = stages.field;
                    events = stages.least(events);
                }
                Err(Stop::Effort) => turn = turn.saturating_mul(2),
                Err(stop) => return Err(stop.into()),
            }
        }
        Ok(None)
    }

    /// Whether to do two things at the same time.
    fn at_once(&self, game: &Game<'_>) -> bool {
        let work = usize::try_from(game.work).unwrap_or(usize::MAX);
        threads(self.setting.limits().0, work, MUCH) > 1
    }

    /// The strategy from a start that wins: one that never chooses, if that is found soon; else one that offers no choice without need, or all that wins.
    fn sparing<'a>(
        &'a self,
        game: &mut Game<'_>,
        bounded: &mut Bounded<'a>,
        start: SetId,
    ) -> Result<Strategy, Stop> {
        if self.offers == Offers::Permissive {
            return read_off::strategy(bounded, game, start, None);
        }
        let effort = game.effort.max(LEAST);
        let (at_once, until) = (self.at_once(game), game.effort.saturating_add(effort));
        let (monitor, aside) = (self.setting.monitor(), self.aside);
        // Neither can tell whether the other was there.
        let mut other = game.clone();
        let single = || {
            let single = single::with_effort(&mut other, start, effort, monitor);
            drop(other);
            single
        };
        let needs = |single: &Result<_, Stop>| matches!(single, Ok(None));
        let (single, choosing) = aside.run(at_once, single, needs, || {
            bounded.monitor = aside;
            read_off::strategy(bounded, game, start, Some(until))
        });
        match (single?, choosing) {
            (None, Some(choosing)) => {
                look(game, monitor)?;
                choosing
            }
            (single, _) => Ok(single.expect("the other is done where there is none")),
        }
    }

    /// The start with the fewest events that wins; no fewer than `events`, which grow as it is found that they do not suffice.
    /// `None` if it takes more than `most`.
    fn fewest(
        &self,
        game: &mut Game<'_>,
        bounded: &mut Bounded<'_>,
        events: &mut u32,
        most: u32,
        cost: Option<u64>,
    ) -> Result<Option<SetId>, Stop> {
        while *events <= most {
            let start = game.start(Budget { events: Some(*events), cost });
            if !bounded.family(game, start, 0)?.is_empty() {
                return Ok(Some(start));
            }
            *events += 1;
        }
        Ok(None)
    }

    fn game<'a>(&'a self, field: &'a Field, needed: &'a [u64]) -> Game<'a> {
        Game::new(field, self.stipulations, &self.costs, needed)
    }

    /// Whether some plan costs no more than this; if none does, what one costs at least.
    fn exists(&self, cost: u64, needed: &[u64]) -> Result<(bool, u64), QuestionError> {
        let mut game = self.game(self.field, needed);
        let found = Existence::new(&mut game, Some(cost), self.setting.monitor()).run(&mut game, u64::MAX)?;
        Ok((found == Some(true), cost.saturating_add(game.beyond)))
    }

    /// The cheapest plan, given one that need not be.
    fn cheapest(&self, mut best: FoundPlan) -> Result<FoundPlan, QuestionError> {
        let needed = self.needed(true)?;
        let mut cost = needed[0];
        while cost < best.worst_case.cost {
            self.setting.report(SoFar::Plan(best.clone()));
            match self.exists(cost, &needed)? {
                (true, _) => {
                    best = self.shortest(Some(cost))?.unwrap_or(best);
                    break;
                }
                (false, more) => cost = more,
            }
        }
        Ok(best)
    }

    /// The shortest plan that never chooses and costs no more than this, and how much more one would cost at least; no plan at all has fewer
    /// events than `least`.
    fn never_choosing(
        &self,
        least: u64,
        cost: Option<u64>,
    ) -> Result<(Option<FoundPlan>, u64), QuestionError> {
        let needed = self.needed(cost.is_some())?;
        let (mut any, mut game) = (self.game(self.field, &needed), self.game(self.field, &needed));
        (any.recall, game.recall) = (self.recall()?, self.recall()?);
        let least = u32::try_from(least).unwrap_or(u32::MAX);
        let strategy = single::never_choosing(&mut game, &mut any, least, cost, self.setting.monitor())?;
        let found = strategy.map(|strategy| found(self.setting, self.map, strategy, Offers::Deterministic));
        Ok((found.transpose()?, any.beyond))
    }

    fn recall(&self) -> Result<Option<Recall<'_>>, QuestionError> {
        let (expansion, world) = (self.setting.expansion()?, &self.setting.world().graph);
        Ok(Recall::new(expansion, world, self.stipulations, &self.field.at))
    }

    /// The cheapest plan that never chooses, given one that need not be the cheapest.
    fn cheapest_never_choosing(&self, mut best: FoundPlan) -> Result<FoundPlan, QuestionError> {
        let mut cost = self.needed(true)?[0];
        while cost < best.worst_case.cost {
            self.setting.report(SoFar::Plan(best.clone()));
            match self.never_choosing(u64::from(self.field.rank[0]), Some(cost))? {
                (Some(found), _) => best = found,
                (None, more) => cost = cost.saturating_add(more),
            }
        }
        Ok(best)
    }

    /// What is still to be spent at least at each node; nothing if that is not counted.
    fn needed(&self, counted: bool) -> Result<Vec<u64>, QuestionError> {
        match counted {
            true => Ok(self.field.needed(&self.costs, self.setting.monitor())?),
            false => Ok(Vec::new()),
        }
    }
}
