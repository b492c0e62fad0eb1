//! The problem as it is being looked at: as it was given, or with what somebody changed in the page.

use std::collections::BTreeMap;

use divulge::{
    ask::{Verdict, ask},
    limit::{Both, Monitor, Polls},
    problem::{Filter, Knows, LabelMap, Observer, Problem},
};
use serde::{Deserialize, Serialize};

use crate::regroup::regrouped;

/// What is changed; nothing, by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct What {
    /// What is changed about each observer, by its name; a single observer may be called by the empty one.
    pub observers: BTreeMap<String, Change>,
    /// Whether another plan is sought for all this.
    pub sought: bool,
}

/// What is changed about one observer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Change {
    /// Which labels look alike, in groups; labels in no group look like nothing else.
    pub alike: Option<Vec<Vec<String>>>,
    /// Which labels are not seen at all.
    pub unseen: Option<Vec<String>>,
    /// What the observer knows: one of the keys of [`choices`].
    pub knows: Option<String>,
}

impl What {
    /// One change about one observer.
    pub fn of(observer: &str, change: Change) -> Self {
        Self { observers: BTreeMap::from([(observer.to_owned(), change)]), sought: false }
    }
}

/// Something that the observer may be said to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnowsChoice {
    /// How requests call it.
    pub key: &'static str,
    /// In words.
    pub words: String,
    /// Whether the problem says so.
    pub given: bool,
}

/// What an observer may be said to know, what the problem says first.
pub fn choices(problem: &Problem, observer: &Observer) -> Vec<KnowsChoice> {
    let given = key(&observer.knows);
    let mut all = vec![(given, known(&observer.knows))];
    all.extend([("world", known(&Knows::World)), ("goal-directed", known(&Knows::GoalDirected))]);
    if problem.plan.is_some() {
        all.push(("plan", known(&Knows::Plan)));
    }
    let mut out: Vec<KnowsChoice> = Vec::new();
    for (key, words) in all {
        if out.iter().all(|choice| choice.key != key) {
            out.push(KnowsChoice { key, words, given: key == given });
        }
    }
    out
}

fn key(knows: &Knows) -> &'static str {
    match knows {
        Knows::Plan => "plan",
        Knows::Plans(_) => "plans",
        Knows::GoalDirected => "goal-directed",
        Knows::World => "world",
        Knows::Graph(_) => "graph",
    }
}

/// What the observer knows of the plan, as the end of a sentence.
pub(crate) fn known(knows: &Knows) -> String {
    match knows {
        Knows::Plan => "the robot's plan".to_owned(),
        Knows::Plans(plans) => format!("that the plan is one of {}", plans.len()),
        Knows::GoalDirected => "only that the robot is heading for its goal".to_owned(),
        Knows::World => "the world, but nothing about the plan".to_owned(),
        Knows::Graph(_) => "what the robot may do, as a graph says".to_owned(),
    }
}

/// Enough effort for what should be seen at once: a second or two in a page. Whoever makes the page has more time.
pub(crate) fn brief() -> Polls {
    Polls::new(if cfg!(target_family = "wasm") { 1_500 } else { 20_000 })
}

/// Enough effort for a search that somebody asked for.
pub(crate) fn patient() -> Polls {
    Polls::new(10_000)
}

/// A problem with everybody's maps, and with a plan unless whatever the robot may do is looked at.
#[derive(Clone, Debug)]
pub struct Situation {
    /// The problem; every observer has a map.
    pub problem: Problem,
    /// What had to be said differently from what was asked.
    pub note: Option<String>,
}

impl Situation {
    /// The problem with the changes made.
    ///
    /// # Errors
    /// In words, if the changes make no sense or no plan was found.
    pub fn new(given: &Problem, what: &What, monitor: &dyn Monitor) -> Result<Self, String> {
        let mut problem = given.clone();
        let alphabet = &given.alphabet;
        problem.observers_mut().for_each(|observer| {
            observer.map.get_or_insert_with(|| LabelMap::identity(alphabet));
        });
        for (name, change) in &what.observers {
            let number = called(given, name)?;
            self::change(given, problem.observer_mut(number), change)?;
        }
        let mut note = None;
        if what.sought {
            let patient = patient();
            let answer = ask(&problem).seek_plan().within(&Both(&patient, monitor));
            note = match answer.map(|answer| answer.verdict) {
                Ok(Verdict::Found { found, .. }) => {
                    problem.plan = Some(found.plan);
                    None
                }
                Ok(Verdict::Unknown { .. }) => {
                    Some("The search takes too long here; try `divulge seek plan`.".to_owned())
                }
                Ok(_) => Some("With these settings, no plan keeps the stipulations.".to_owned()),
                Err(e) => Some(e.to_string()),
            };
        }
        let no_plan = problem.plan.is_none();
        let several = !problem.others.is_empty();
        for observer in problem.observers_mut().filter(|o| no_plan && o.knows == Knows::Plan) {
            observer.knows = Knows::World;
            let who = match &observer.name {
                Some(name) if several => format!("“{name}”"),
                _ => "the observer".to_owned(),
            };
            note.get_or_insert_with(|| {
                format!("There is no plan to know, so {who} is shown knowing only the world.")
            });
        }
        Ok(Self { problem, note })
    }

    /// An observer.
    pub fn observer(&self, number: usize) -> &Observer {
        self.problem.observers().nth(number).expect("there is an observer of this number")
    }

    /// An observer's map: [`Situation::new`] gives everybody one, and nothing takes it away.
    pub fn map(&self, number: usize) -> &LabelMap {
        self.observer(number).map.as_ref().expect("a situation has maps")
    }

    /// How many observers there are.
    pub fn observers(&self) -> usize {
        1 + self.problem.others.len()
    }

    /// What sentences call an observer: the only one is "the observer".
    pub fn who(&self, number: usize) -> String {
        who(&self.problem, number)
    }
}

/// What sentences call an observer.
pub(crate) fn who(problem: &Problem, number: usize) -> String {
    match problem.others.is_empty() {
        true => "the observer".to_owned(),
        false => format!("“{}”", problem.observer_name(number)),
    }
}

/// The number of the observer that is called so.
fn called(problem: &Problem, name: &str) -> Result<usize, String> {
    if name.is_empty() && problem.others.is_empty() {
        return Ok(0);
    }
    let found = (0..=problem.others.len()).find(|&number| problem.observer_name(number) == name);
    found.ok_or_else(|| format!("there is no observer `{name}`"))
}

/// Changes an observer of the problem as it was given.
fn change(given: &Problem, observer: &mut Observer, change: &Change) -> Result<(), String> {
    if change.alike.is_some() || change.unseen.is_some() {
        if matches!(observer.filter, Filter::Graph(_)) {
            return Err(
                "this observer remembers through a filter on what it sees, so the map cannot be changed here"
                    .to_owned(),
            );
        }
        let map = observer.map.take().unwrap_or_else(|| LabelMap::identity(&given.alphabet));
        observer.map =
            Some(regrouped(&given.alphabet, &map, change.alike.as_deref(), change.unseen.as_deref())?);
    }
    if let Some(wanted) = &change.knows {
        observer.knows = match wanted.as_str() {
            "world" => Knows::World,
            "goal-directed" => Knows::GoalDirected,
            "plan" => Knows::Plan,
            same if same == key(&observer.knows) => return Ok(()),
            other => return Err(format!("the observer cannot be said to know `{other}`")),
        };
    }
    Ok(())
}
