//! SEEK a map, SEEK both, and every map that would do.

use crate::{
    check::solves,
    expansion::{Actions, expand_within},
    formula::Stipulations,
    game::Robot,
    graph::{Joint, separating_execution},
    limit::Monitor,
    maps::{
        games::{Beliefs, Decided, GivenDivulgedGame, GivenPlanGame, MapGame, OneByOne, SelfDivulgedGame},
        posed::MapQuestion,
        space::{ImageCount, Pairs, PartialMap, Symmetries, demanded},
    },
    observer::{Admits, Divulged},
    problem::{Filter, Knows, MapConstraints, Plan, Problem},
    seek::{
        SeekOptions,
        self_divulged::{Stop, Usable},
    },
    verdict::{FoundMap, Frontier, QuestionError},
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
    /// One whose merges cost least in all; of those one that hides little.
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

/// Prepares the game that fits the question and hands it on.
fn ask<T>(
    problem: &Problem,
    plan: Option<&Plan>,
    monitor: &dyn Monitor,
    answer: impl FnOnce(&mut MapQuestion<'_>) -> Result<T, QuestionError>,
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
    possible_images(&observer.constraints)?;
    let mut merge_costs = observer.constraints.merge_cost.iter().map(|&(_, _, cost)| cost);
    if merge_costs.try_fold(0, u64::checked_add).is_none() {
        return Err(QuestionError::Refused(
            "the costs in `merge_cost` add up to more than 18446744073709551615, which cannot be counted: give smaller ones"
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
        answer(&mut MapQuestion { problem, plan, start, game, symmetries: &symmetries, monitor })
    };
    let divulged = match (plan, &observer.knows) {
        (None, Knows::Plan) => {
            let expansion = expand_within(&problem.world, Actions::Safe, monitor)?;
            let usable = Usable::new(&expansion, &stipulations, None);
            return go(&mut SelfDivulgedGame::new(&usable, open, monitor));
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
        return go(&mut GivenPlanGame::new(&joint, plan, tracked, &stipulations, monitor));
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
    go(&mut GivenDivulgedGame::new(&robot, &expansion, &stipulations, beliefs, monitor))
}

/// Refuses constraints that ask for more images than they allow.
pub fn possible_images(constraints: &MapConstraints) -> Result<(), QuestionError> {
    let ImageCount { least, most } = ImageCount::of(constraints);
    if least <= most {
        return Ok(());
    }
    Err(QuestionError::Refused(format!(
        "the map must have at least {least} and at most {most} images, which no map has: lower `min_images` or raise \
         `max_images`"
    )))
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

    fn decide(&mut self, map: &PartialMap, _: Option<u32>, _: u64) -> Result<Decided, Stop> {
        Ok(Decided { feasible: false, looked: Pairs::new(map.index().len()) })
    }

    fn effort(&self) -> u64 {
        0
    }
}
