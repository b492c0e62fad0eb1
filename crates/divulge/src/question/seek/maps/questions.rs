//! SEEK a map, SEEK both, and every map that would do.

use super::{
    beliefs::Beliefs,
    constraints::{demanded, merge_cost, named},
    count::{Counter, coarsest, finest},
    divulged::Divulged as KnownPlan,
    fixed::Fixed,
    given::Given,
    guess::Guesses,
    one_by_one::OneByOne,
    partial::PartialMap,
    search::{MapGame, Search, Statistics},
    symmetry::Symmetries,
};
use crate::{
    answer::{Classified, FoundMap, FoundPlan, Frontier, SoFar},
    expansion::{Actions, expand_within},
    formula::Stipulations,
    graph::separating_execution,
    observer::{Admits, Divulged},
    problem::{Filter, Knows, LabelMap, Plan, Problem},
    question::{
        Joint, Monitor, QuestionError,
        seek::{
            SeekOptions,
            divulged::{Ground, Stop},
            fixed::Robot,
            seek_plan_with, worst_case,
        },
        solves,
    },
};

/// Which map is wanted, if there are several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Prefer {
    /// The first that is found.
    #[default]
    First,
    /// One that hides least: no finer map will do, and among those one with the most images.
    Finest,
    /// One that hides most: no coarser map will do, and among those one with the fewest images.
    Coarsest,
    /// One whose merges cost least in all.
    Cheapest,
}

/// How a map is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapOptions {
    /// Which map is wanted.
    pub prefer: Prefer,
    /// Whether the plan must be the shortest that there is under any map.
    pub shortest: bool,
    /// The work, in nodes of games, that splitting regions of maps gets at first before whole maps are guessed, ten times that if there are few
    /// labels; 0 if maps are to be guessed only. It changes how long a search takes, and perhaps which of several maps is found.
    pub patience: u64,
    /// How plans are sought.
    pub plan: SeekOptions,
}

impl Default for MapOptions {
    fn default() -> Self {
        let (prefer, plan) = (Prefer::default(), SeekOptions::default());
        Self { prefer, shortest: false, patience: 2_000, plan }
    }
}

/// Seeks a map under which the problem's plan keeps the stipulations; `None` is a proof that there is none.
///
/// # Errors
/// If there is no plan, if the filter is a graph or, with a plan that the observer knows, any but the strongest, if the input is
/// bad, or if the monitor stops the search.
pub fn seek_map(
    problem: &Problem,
    options: &MapOptions,
    monitor: &dyn Monitor,
) -> Result<Option<FoundMap>, QuestionError> {
    let plan = problem.plan.as_ref().ok_or(QuestionError::NeedsPlan("`seek map` seeks a map for one"))?;
    ask(problem, Some(plan), monitor, |asked| asked.one(options))
}

/// Seeks a plan and a map together; `None` is a proof that there are none.
///
/// # Errors
/// If the filter is a graph or, with a plan that the observer knows, any but the strongest, if the input is bad, or if the monitor
/// stops the search.
pub fn seek_both(
    problem: &Problem,
    options: &MapOptions,
    monitor: &dyn Monitor,
) -> Result<Option<FoundMap>, QuestionError> {
    ask(problem, None, monitor, |asked| asked.one(options))
}

/// Counts the maps under which `plan`, or some plan if none is given, keeps the stipulations, and finds the finest and the coarsest of them.
///
/// # Errors
/// If the filter is a graph or, with a plan that the observer knows, any but the strongest, if the input is bad, or if the monitor
/// stops the search.
pub fn seek_maps(
    problem: &Problem,
    plan: Option<&Plan>,
    options: &MapOptions,
    monitor: &dyn Monitor,
) -> Result<Frontier, QuestionError> {
    ask(problem, plan, monitor, |asked| asked.all(options))
}

/// A question about maps, ready to be searched.
struct Asked<'a> {
    problem: &'a Problem,
    plan: Option<&'a Plan>,
    start: Option<PartialMap>,
    game: &'a mut dyn MapGame,
    symmetries: &'a Symmetries,
    monitor: &'a dyn Monitor,
}

/// A search that is taken up again and again.
struct Turns<'a> {
    /// The work that splitting regions may still take.
    patience: u64,
    guesses: Option<Guesses<'a>>,
}

impl Turns<'_> {
    fn new(patience: u64) -> Self {
        Self { patience, guesses: None }
    }
}

/// Prepares the game that fits the question and hands it on.
fn ask<T>(
    problem: &Problem,
    plan: Option<&Plan>,
    monitor: &dyn Monitor,
    answer: impl FnOnce(&mut Asked<'_>) -> Result<T, QuestionError>,
) -> Result<T, QuestionError> {
    let observer = &problem.observer;
    if observer.knows == Knows::Plan && observer.filter != Filter::Strongest {
        return Err(QuestionError::Refused(
            "an observer who knows the plan must have the filter `strongest` when something is sought"
                .to_owned(),
        ));
    }
    if matches!(observer.filter, Filter::Graph(_)) {
        return Err(QuestionError::Refused(
            "a filter that is a graph names the images, so no map can be sought for it: give the map, or use the filter \
             `strongest` or `image`"
                .to_owned(),
        ));
    }
    let start = demanded(&problem.alphabet, &problem.world_labels, &observer.constraints);
    let open = PartialMap::open(&problem.alphabet, &problem.world_labels);
    let stipulations = Stipulations::compile(&problem.world, &observer.stipulations)
        .map_err(|(i, e)| QuestionError::Formula(i, e))?;
    // What else is divulged, or remembered, need not be as symmetric as the expanded world is.
    let symmetries = match (plan, &observer.knows) {
        (None, Knows::Plan | Knows::World | Knows::GoalDirected) if observer.filter == Filter::Strongest => {
            Symmetries::new(problem, &stipulations, &open, monitor)?
        }
        _ => Symmetries::default(),
    };
    let go = |game: &mut dyn MapGame| {
        answer(&mut Asked { problem, plan, start, game, symmetries: &symmetries, monitor })
    };
    let divulged = match (plan, &observer.knows) {
        (None, Knows::Plan) => {
            let expansion = expand_within(&problem.world, Actions::Safe, monitor)?;
            let ground = Ground::new(&expansion, &stipulations, None);
            return go(&mut KnownPlan::new(&ground, open, monitor));
        }
        _ => Divulged::new(problem, plan)?,
    };
    let Some(tracked) = &divulged.tracked else { return go(&mut Hopeless) };
    if let Some(plan) = plan {
        let joint = joint(problem, plan)?;
        if !admits(&divulged.admits, &joint) || solves(&joint, plan, &problem.world).is_some() {
            return go(&mut Hopeless);
        }
        if observer.filter != Filter::Strongest {
            return go(&mut OneByOne::new(problem, Some(plan), monitor));
        }
        return go(&mut Given::new(&joint, plan, tracked, &stipulations, monitor));
    }
    if observer.filter != Filter::Strongest {
        return go(&mut OneByOne::new(problem, None, monitor));
    }
    let expansion = expand_within(&problem.world, Actions::Safe, monitor)?;
    let own_vertices = observer.knows == Knows::GoalDirected;
    let Some(robot) = Robot::new(&expansion, &divulged.admits, own_vertices, monitor)? else {
        return go(&mut Hopeless);
    };
    let beliefs = Beliefs::new(tracked, &stipulations);
    go(&mut Fixed::new(&robot, &expansion, &stipulations, beliefs, monitor))
}

fn joint(problem: &Problem, plan: &Plan) -> Result<Joint, QuestionError> {
    if plan.graph.initial_kind() != problem.world.graph.initial_kind() {
        return Err(QuestionError::OtherKind("the plan"));
    }
    Ok(Joint::new(plan, &problem.world))
}

fn admits(admits: &Admits, joint: &Joint) -> bool {
    match admits {
        Admits::Everything => true,
        Admits::Graph(graph) => separating_execution(&joint.graph, graph).is_none(),
        Admits::Nothing => false,
    }
}

/// A question that has no solution under any map.
struct Hopeless;

impl MapGame for Hopeless {
    fn least(&self) -> Option<u32> {
        None
    }

    fn decide(&mut self, map: &PartialMap, _: Option<u32>, _: u64) -> Result<super::Decided, Stop> {
        Ok(super::Decided { feasible: false, looked: super::Pairs::new(map.index().len()) })
    }

    fn effort(&self) -> u64 {
        0
    }
}

/// The work that looking for plans of some length gets before a proof that there is none is tried; both then double.
const FIRST_EFFORT: u64 = 10_000;

/// So many pairs of labels are few: there is not much to guess.
const FEW_PAIRS: usize = 40;

/// How much less work goes into the proof that there is no plan at all than into plans of some length, which are games of less depth.
const PROOF_SHARE: u64 = 4;

/// How much more patience there is with visiting all regions than with looking for one, if there are few labels.
const VISITS: u64 = 100;

impl<'a> Asked<'a> {
    fn one(&mut self, options: &MapOptions) -> Result<Option<FoundMap>, QuestionError> {
        let Some(start) = self.start.clone() else { return Ok(None) };
        let region = match options.prefer {
            Prefer::First => self.first(&start, options.shortest, options.patience)?,
            prefer => {
                let within =
                    if options.shortest { self.least_events(&start, options.patience)? } else { None };
                if options.shortest && within.is_none() {
                    return Ok(None);
                }
                match self.best(&start, prefer, within, options.patience) {
                    Err(Stop::Effort) => self.best_guess(&start, prefer, within, options.patience)?,
                    best => best?,
                }
            }
        };
        region.map(|region| self.found(&finest(&region), &options.plan)).transpose()
    }

    /// Some region with a solution, with a shortest one if that is wanted.
    fn first(
        &mut self,
        start: &PartialMap,
        shortest: bool,
        patience: u64,
    ) -> Result<Option<PartialMap>, QuestionError> {
        let Some(mut events) = self.game.least() else { return Ok(None) };
        let (mut effort, mut exists) = (FIRST_EFFORT, false);
        let patience = if start.index().len() > FEW_PAIRS { patience } else { 10 * patience };
        let (mut any, mut short) = (Turns::new(patience / PROOF_SHARE), Turns::new(patience));
        loop {
            let begin = self.game.effort();
            // A try counts as work too: one that is lost at the start costs the game nothing, whatever its length.
            let mut tries = 0;
            while exists || self.game.effort() - begin + tries < effort {
                match self.turn(start, Some(events), &mut short, effort) {
                    Ok(Some(region)) => return Ok(Some(region)),
                    Ok(None) => {
                        events += 1;
                        short = Turns::new(patience);
                    }
                    Err(Stop::Effort) if exists => effort *= 2,
                    Err(Stop::Effort) => break,
                    Err(stop) => return Err(stop.into()),
                }
                tries += 1;
            }
            match self.turn(start, None, &mut any, effort / PROOF_SHARE) {
                Ok(Some(region)) if !shortest => return Ok(Some(region)),
                Ok(Some(region)) => {
                    exists = true;
                    self.monitor.found(&SoFar::Map(self.found(&finest(&region), &SeekOptions::default())?));
                }
                Ok(None) => return Ok(None),
                Err(Stop::Effort) => {}
                Err(stop) => return Err(stop.into()),
            }
            effort *= 2;
        }
    }

    /// A region with a solution of at most `within` events, if that is given: regions are split for some time, then whole maps are guessed.
    fn turn(
        &mut self,
        start: &PartialMap,
        within: Option<u32>,
        turns: &mut Turns<'a>,
        effort: u64,
    ) -> Result<Option<PartialMap>, Stop> {
        let max_images = self.problem.observer.constraints.max_images;
        let mut search = Search::new(self.game, within, max_images, self.symmetries, self.monitor);
        if turns.patience > 0 {
            search.give_up_after(turns.patience);
            // Regions are split anew each time, which is a waste where each is a large game.
            turns.patience = if within.is_some() { turns.patience.saturating_mul(2) } else { 0 };
            match search.exists(start) {
                Ok(found) => return Ok(found.ok()),
                Err(Stop::Effort) => {}
                Err(stop) => return Err(stop),
            }
        }
        let guesses = turns.guesses.get_or_insert_with(|| {
            let mut guesses = Guesses::new(start, false, within, self.symmetries, self.monitor);
            max_images.into_iter().for_each(|most| guesses.rules.at_most_images(most));
            guesses
        });
        guesses.exists(self.game, effort)
    }

    /// The least number of events of any solution under any map; `None` if there is none.
    fn least_events(&mut self, start: &PartialMap, patience: u64) -> Result<Option<u32>, QuestionError> {
        let Some(region) = self.first(start, true, patience)? else { return Ok(None) };
        let found = self.found(&finest(&region), &SeekOptions::default())?;
        Ok(u32::try_from(found.worst_case.events).ok())
    }

    /// The region with the best map, all regions compared.
    fn best(
        &mut self,
        start: &PartialMap,
        prefer: Prefer,
        within: Option<u32>,
        patience: u64,
    ) -> Result<Option<PartialMap>, Stop> {
        let constraints = &self.problem.observer.constraints;
        let asked = Answering { problem: self.problem, plan: self.plan, monitor: self.monitor };
        let mut search =
            Search::new(self.game, within, constraints.max_images, self.symmetries, self.monitor);
        let visits = if start.index().len() > FEW_PAIRS { 1 } else { VISITS };
        search.give_up_after(patience.saturating_mul(visits));
        let mut best: Option<(u64, PartialMap)> = None;
        search.classify(start, &mut |region, feasible| {
            if !feasible {
                return Ok(());
            }
            let candidates = if prefer == Prefer::Coarsest { coarsest(region) } else { vec![finest(region)] };
            for map in candidates {
                let images = images(&map) as u64;
                let score = match prefer {
                    Prefer::First | Prefer::Finest => u64::MAX - images,
                    Prefer::Coarsest => images,
                    Prefer::Cheapest => merge_cost(constraints, &map),
                };
                let least = best.as_ref().map(|(least, _)| *least);
                let better = best
                    .as_ref()
                    .is_none_or(|(least, other)| (score, map.merged()) < (*least, other.merged()));
                if better {
                    if least.is_none_or(|least| score < least) {
                        asked.report(&map)?;
                    }
                    best = Some((score, map));
                }
            }
            Ok(())
        })?;
        Ok(best.map(|(_, map)| map))
    }

    /// A best map, found by guessing better ones until there is none.
    fn best_guess(
        &mut self,
        start: &PartialMap,
        prefer: Prefer,
        within: Option<u32>,
        patience: u64,
    ) -> Result<Option<PartialMap>, QuestionError> {
        let constraints = &self.problem.observer.constraints;
        let asked = Answering { problem: self.problem, plan: self.plan, monitor: self.monitor };
        let coarse = prefer == Prefer::Coarsest;
        let mut guesses = Guesses::new(start, coarse, within, self.symmetries, self.monitor);
        constraints.max_images.into_iter().for_each(|most| guesses.rules.at_most_images(most));
        // Some map is found soon, with a plan of any length; better ones are compared with it.
        let mut next = match within {
            Some(_) => guesses.exists(self.game, u64::MAX)?,
            None => self.first(start, false, patience)?.map(|region| finest(&region)),
        };
        let mut best: Option<PartialMap> = None;
        while let Some(map) = next {
            asked.report(&map)?;
            match prefer {
                Prefer::First | Prefer::Finest => guesses.rules.more_images_than(images(&map)),
                Prefer::Coarsest => guesses.rules.at_most_images(images(&map) - 1),
                Prefer::Cheapest => guesses.rules.cheaper_than(constraints, merge_cost(constraints, &map)),
            }
            best = Some(map);
            next = guesses.exists(self.game, u64::MAX)?;
        }
        Ok(best)
    }

    fn all(&mut self, options: &MapOptions) -> Result<Frontier, QuestionError> {
        let too_many = || QuestionError::Refused("there are too many labels to count all maps".to_owned());
        let max_images = self.problem.observer.constraints.max_images;
        let mut counter = Counter::default();
        let Some(start) = self.start.clone() else { return Ok(Frontier::default()) };
        let maps = counter.completions(&start, max_images).ok_or_else(too_many)?;
        let mut search = Search::new(self.game, None, max_images, self.symmetries, self.monitor);
        let (mut fine, mut coarse): (Vec<PartialMap>, Vec<PartialMap>) = (Vec::new(), Vec::new());
        let mut counts = Some([0u128; 2]);
        let monitor = self.monitor;
        search.classify(&start, &mut |region, feasible| {
            // Counting takes time, and what is infeasible is only counted for those who stop the search.
            if !feasible && !Counter::is_quick(region) {
                return Ok(());
            }
            let more = counter.completions(region, max_images);
            counts = counts.zip(more).and_then(|(mut counts, more)| {
                let count = &mut counts[usize::from(feasible)];
                *count = count.checked_add(more)?;
                Some(counts)
            });
            if feasible {
                fine.push(finest(region));
                coarse.extend(coarsest(region));
            }
            if let Some([infeasible, feasible]) = counts {
                monitor.found(&SoFar::Maps(Classified { feasible, infeasible, maps }));
            }
            Ok(())
        })?;
        let feasible = counts.map(|[_, feasible]| feasible);
        let Statistics { decided, .. } = search.statistics;
        let below =
            |a: &PartialMap, b: &PartialMap| a.merged() != b.merged() && a.merged().is_subset(b.merged());
        let least = fine.iter().filter(|m| !fine.iter().any(|n| below(n, m)));
        let most = coarse.iter().filter(|m| !coarse.iter().any(|n| below(m, n)));
        let (mut least, mut most): (Vec<PartialMap>, Vec<PartialMap>) =
            (least.cloned().collect(), most.cloned().collect());
        for list in [&mut least, &mut most] {
            list.sort_by(|a, b| a.merged().cmp(b.merged()));
            list.dedup_by(|a, b| a.merged() == b.merged());
        }
        let each = |list: Vec<PartialMap>| {
            list.iter().map(|map| self.found(map, &options.plan)).collect::<Result<Vec<_>, _>>()
        };
        Ok(Frontier {
            feasible: feasible.ok_or_else(too_many)?,
            maps,
            finest: each(least)?,
            coarsest: each(most)?,
            regions: decided,
        })
    }

    /// A whole map as an answer, with a shortest plan for it.
    fn found(&self, map: &PartialMap, options: &SeekOptions) -> Result<FoundMap, QuestionError> {
        Answering { problem: self.problem, plan: self.plan, monitor: self.monitor }.found(map, options)
    }
}

/// What turns maps into answers.
struct Answering<'a> {
    problem: &'a Problem,
    plan: Option<&'a Plan>,
    monitor: &'a dyn Monitor,
}

impl Answering<'_> {
    /// Tells of a map that will do while the search for a better one goes on.
    fn report(&self, map: &PartialMap) -> Result<(), Stop> {
        match self.found(map, &SeekOptions::default()) {
            Ok(found) => self.monitor.found(&SoFar::Map(found)),
            Err(QuestionError::Limit(limit)) => return Err(limit.into()),
            // The question was found askable before the search began.
            Err(_) => {}
        }
        Ok(())
    }

    fn found(&self, map: &PartialMap, options: &SeekOptions) -> Result<FoundMap, QuestionError> {
        let constraints = &self.problem.observer.constraints;
        let merge_cost = merge_cost(constraints, map);
        let map: LabelMap = named(&self.problem.alphabet, constraints, map);
        let FoundPlan { plan, worst_case } = match self.plan {
            Some(plan) => FoundPlan {
                plan: plan.clone(),
                worst_case: worst_case(self.problem, plan).unwrap_or_default(),
            },
            None => seek_plan_with(self.problem, &map, options, self.monitor)?.expect("the map is feasible"),
        };
        Ok(FoundMap { map, plan, worst_case, merge_cost })
    }
}

fn images(map: &PartialMap) -> usize {
    use crate::problem::Kind;
    map.classes(Kind::Action).len() + map.classes(Kind::Observation).len()
}
