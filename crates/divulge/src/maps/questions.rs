//! SEEK a map, SEEK both, and every map that would do.

use crate::{
    maps::{
        games::Field,
        posed::MapQuestion,
        space::{ImageCount, PartialMap, Symmetries, demanded, mapped},
        tasks::{Crew, Hands, Keep, Sharing, Watched},
    },
    observer::check_filter,
    problem::{Alphabet, Filter, Knows, Label, MapConstraints, Observer},
    seek::{SeekOptions, self_divulged::moments::askable as knowing_the_plan, strongest},
    setting::{PosedObserver, Setting},
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
    /// How a long search is shared out. It changes how long a search takes, and perhaps which of several maps is found; not the number of
    /// threads does.
    pub sharing: Sharing,
    /// How plans are sought.
    pub plan: SeekOptions,
}

impl Default for MapOptions {
    fn default() -> Self {
        let (prefer, plan) = (Prefer::default(), SeekOptions::default());
        Self { prefer, shortest: false, patience: 2_000, sharing: Sharing::default(), plan }
    }
}

/// Who helps to search.
#[derive(Clone, Copy, Default)]
pub struct Helpers<'a> {
    /// Who carries out the tasks of long searches; without it, threads do.
    pub crew: Option<&'a dyn Crew>,
    /// What remembers the tasks that threads have carried out.
    pub keep: Option<&'a dyn Keep>,
}

/// Seeks a map under which the setting's plan keeps the stipulations or, if it has none, some plan does; `None` is a proof that there is none.
///
/// # Errors
/// If the filter is a graph or, with a plan that the observer knows, any but the strongest, if the input is
/// bad, or if the monitor stops the search.
pub fn seek_one(
    setting: &Setting<'_>,
    options: &MapOptions,
    helpers: Helpers<'_>,
) -> Result<Option<FoundMap>, QuestionError> {
    prepared(setting, options, helpers, |mut question, _| question.one(options))
}

/// Counts the maps under which the setting's plan, or some plan if it has none, keeps the stipulations, and finds the finest and the coarsest
/// of them.
///
/// # Errors
/// As [`seek_one`].
pub fn seek_all(
    setting: &Setting<'_>,
    options: &MapOptions,
    helpers: Helpers<'_>,
) -> Result<Frontier, QuestionError> {
    prepared(setting, options, helpers, |mut question, _| question.all(options))
}

/// Hands that carry out tasks of a question that somebody else asks; the setting and the options must be the same as there.
///
/// # Errors
/// As [`seek_one`], and those of `work`.
pub fn with_hands<T>(
    setting: &Setting<'_>,
    options: &MapOptions,
    work: impl FnOnce(&Hands<'_, '_>) -> Result<T, QuestionError>,
) -> Result<T, QuestionError> {
    prepared(setting, options, Helpers::default(), |_, hands| work(hands))
}

/// Prepares what is needed for the question and hands it on.
fn prepared<T>(
    setting: &Setting<'_>,
    options: &MapOptions,
    helpers: Helpers<'_>,
    answer: impl FnOnce(MapQuestion<'_, '_>, &Hands<'_, '_>) -> Result<T, QuestionError>,
) -> Result<T, QuestionError> {
    let (problem, observer, plan) = (setting.problem(), setting.observer(), setting.plan());
    let monitor = setting.monitor();
    askable(observer, &problem.alphabet)?;
    everybody_can_watch(setting)?;
    if plan.is_none() {
        let (knowing, _) = knowing_the_plan(setting, false)?;
        if knowing.len() > 1 && knowing.contains(&setting.focus()) {
            return Err(QuestionError::Refused(format!(
                "{} and others know the plan that is sought, and must then see the same as they do: give it their map",
                problem.called(setting.focus())
            )));
        }
    }
    let labels = mapped(problem, &observer.constraints);
    let start = demanded(&problem.alphabet, &labels, &observer.constraints);
    let open = &PartialMap::open(&problem.alphabet, &labels);
    let symmetries = &symmetries(setting, open)?;
    let offers = options.plan.offers;
    let (field, watched) = (&Field::new(setting, offers)?, &Watched::new(monitor));
    let images = ImageCount::of(&observer.constraints);
    let (threads, keep) = (options.plan.threads, helpers.keep);
    let hands = &Hands { field, open, images, symmetries, monitor: watched, threads, keep };
    let crew = helpers.crew.unwrap_or(hands);
    let game = field.game(open, watched);
    let sharing = options.sharing.at_pace(field.pace());
    answer(
        MapQuestion {
            setting,
            start,
            open,
            field,
            game,
            symmetries,
            offers,
            crew,
            watched,
            sharing,
            threads,
        },
        hands,
    )
}

/// Looks whether all observers can follow what they see, or may see: bad input is bad whatever map is sought, and would otherwise count against each.
///
/// # Errors
/// If one of them knows something that cannot be, or its filter cannot trace what it may see.
fn everybody_can_watch(setting: &Setting<'_>) -> Result<(), QuestionError> {
    let world = &setting.world().base().graph;
    for (number, PosedObserver { observer, .. }) in setting.observers().iter().enumerate() {
        if observer.knows != Knows::Plan || setting.plan().is_some() {
            setting.divulged_to(number)?;
        }
        if let Some(map) = observer.map.as_ref().filter(|_| number != setting.focus()) {
            check_filter(world, &observer.filter, map, setting.monitor())?;
        }
    }
    Ok(())
}

/// Labels that can be exchanged. What else is divulged, or remembered, need not be as symmetric as the expanded world is.
fn symmetries(setting: &Setting<'_>, open: &PartialMap) -> Result<Symmetries, QuestionError> {
    let observer = setting.observer();
    Ok(match (setting.plan(), &observer.knows) {
        (None, Knows::Plan | Knows::World | Knows::GoalDirected)
            if setting.is_plain(None) && observer.filter == Filter::Strongest =>
        {
            Symmetries::new(setting.problem(), setting.whole_expansion()?, setting.stipulations(), open)
        }
        _ => Symmetries::default(),
    })
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
