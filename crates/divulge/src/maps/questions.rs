//! SEEK a map, SEEK both, and every map that would do.

use crate::{
    check::solves,
    game::Robot,
    graph::separating_execution,
    maps::{
        games::{Beliefs, Decided, GivenDivulgedGame, GivenPlanGame, MapGame, OneByOne, SelfDivulgedGame},
        posed::MapQuestion,
        space::{ImageCount, Pairs, PartialMap, Symmetries, demanded, mapped},
    },
    observer::Admits,
    problem::{Alphabet, Filter, Knows, Label, MapConstraints, Observer},
    seek::{
        Offers, SeekOptions,
        self_divulged::{Safe, Stop, Usable, moments::askable as knowing_the_plan},
        strongest,
    },
    setting::Setting,
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

/// Seeks a map under which the setting's plan keeps the stipulations or, if it has none, some plan does; `None` is a proof that there is none.
///
/// # Errors
/// If the filter is a graph or, with a plan that the observer knows, any but the strongest, if the input is
/// bad, or if the monitor stops the search.
pub fn seek_one(setting: &Setting<'_>, options: &MapOptions) -> Result<Option<FoundMap>, QuestionError> {
    prepared(setting, options, |question| question.one(options))
}

/// Counts the maps under which the setting's plan, or some plan if it has none, keeps the stipulations, and finds the finest and the coarsest
/// of them.
///
/// # Errors
/// As [`seek_one`].
pub fn seek_all(setting: &Setting<'_>, options: &MapOptions) -> Result<Frontier, QuestionError> {
    prepared(setting, options, |question| question.all(options))
}

/// Prepares the game that fits the question and hands it on.
fn prepared<T>(
    setting: &Setting<'_>,
    options: &MapOptions,
    answer: impl FnOnce(&mut MapQuestion<'_, '_>) -> Result<T, QuestionError>,
) -> Result<T, QuestionError> {
    let (problem, observer, plan) = (setting.problem(), setting.observer(), setting.plan());
    let (stipulations, monitor) = (setting.stipulations(), setting.monitor());
    askable(observer, &problem.alphabet)?;
    if plan.is_none() {
        let (knowing, _) = knowing_the_plan(setting)?;
        if knowing.len() > 1 && knowing.contains(&setting.focus()) {
            return Err(QuestionError::Refused(format!(
                "{} and others know the plan that is sought, and must then see the same as they do: give it their map",
                problem.called(setting.focus())
            )));
        }
    }
    let labels = mapped(problem, &observer.constraints);
    let start = demanded(&problem.alphabet, &labels, &observer.constraints);
    let open = PartialMap::open(&problem.alphabet, &labels);
    // What is more than one momentary observer who sees everything is judged map by map.
    let plain = setting.is_plain(None);
    // What else is divulged, or remembered, need not be as symmetric as the expanded world is.
    let symmetries = match (plan, &observer.knows) {
        (None, Knows::Plan | Knows::World | Knows::GoalDirected)
            if plain && observer.filter == Filter::Strongest =>
        {
            Symmetries::new(problem, setting.whole_expansion()?, stipulations, &open)
        }
        _ => Symmetries::default(),
    };
    let offers = options.plan.offers;
    let go = |game: &mut dyn MapGame| {
        answer(&mut MapQuestion { setting, start, game, symmetries: &symmetries, offers })
    };
    // So are plans that must not choose: nothing is learnt from maps that have none.
    let single = offers == Offers::Deterministic && plan.is_none() && observer.knows == Knows::Plan;
    if !plain || single {
        return go(&mut OneByOne::new(setting, single));
    }
    if plan.is_none() && observer.knows == Knows::Plan {
        let usable = Usable::new(&Safe::new(setting.expansion()?, stipulations), stipulations, None);
        return go(&mut SelfDivulgedGame::new(&usable, open, monitor));
    }
    let divulged = setting.divulged()?;
    let Some(tracked) = &divulged.tracked else { return go(&mut Hopeless) };
    if let Some(plan) = plan {
        let joint = setting.joint()?;
        let admitted = match &divulged.admits {
            Admits::Everything => true,
            Admits::Graph(graph) => separating_execution(&joint.graph, graph, monitor)?.is_none(),
            Admits::Nothing => false,
        };
        if !admitted || solves(joint, plan, &problem.world).is_some() {
            return go(&mut Hopeless);
        }
        if observer.filter != Filter::Strongest {
            return go(&mut OneByOne::new(setting, false));
        }
        return go(&mut GivenPlanGame::new(joint, plan, tracked, stipulations, monitor));
    }
    if observer.filter != Filter::Strongest {
        return go(&mut OneByOne::new(setting, false));
    }
    let Some(robot) = Robot::of(setting)? else { return go(&mut Hopeless) };
    let beliefs = Beliefs::new(tracked, stipulations);
    go(&mut GivenDivulgedGame::new(&robot, setting.expansion()?, stipulations, beliefs, monitor))
}

/// Refuses constraints that ask for more images than they allow.
///
/// # Errors
/// If they do.
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

/// Refuses what no map can be sought for.
fn askable(observer: &Observer, alphabet: &Alphabet) -> Result<(), QuestionError> {
    let refused = |why: &str| Err(QuestionError::Refused(why.to_owned()));
    possible_images(&observer.constraints)?;
    if observer.knows == Knows::Plan {
        strongest(observer)?;
    }
    if matches!(observer.filter, Filter::Graph(_)) {
        return refused(
            "a filter that is a graph names the images, so no map can be sought for it: give the map, or use the filter \
             `strongest` or `image`",
        );
    }
    both_kinds(observer, alphabet)?;
    let mut merge_costs = observer.constraints.merge_cost.iter().map(|&(_, _, cost)| cost);
    if merge_costs.try_fold(0, u64::checked_add).is_none() {
        return refused(
            "the costs in `merge_cost` add up to more than 18446744073709551615, which cannot be counted: give smaller ones",
        );
    }
    Ok(())
}

/// Refuses an image that is fixed for an action and for an observation if some events are unseen: then it matters.
fn both_kinds(observer: &Observer, alphabet: &Alphabet) -> Result<(), QuestionError> {
    let MapConstraints { fixed, unseen, .. } = &observer.constraints;
    if unseen.is_empty() {
        return Ok(());
    }
    for (i, (a, image)) in fixed.iter().enumerate() {
        let other = |(b, other): &&(Label, String)| other == image && alphabet.kind(*a) != alphabet.kind(*b);
        if let Some((b, _)) = fixed[..i].iter().find(other) {
            let (a, b) = (alphabet.name(*a), alphabet.name(*b));
            return Err(QuestionError::Refused(format!(
                "`{b}` and `{a}` are both to be seen as `{image}`, but a map that is sought never makes an action and an \
                 observation look alike where some events are unseen: fix them to different images, or give the whole map"
            )));
        }
    }
    Ok(())
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
