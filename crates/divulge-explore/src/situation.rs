//! The problem as it is being looked at: as it was given, or with what somebody changed in the page.

use divulge::{
    ask::{Verdict, ask},
    limit::{Both, Monitor, Polls},
    problem::{Filter, Kind, Knows, Label, LabelMap, Problem},
};
use serde::{Deserialize, Serialize};

/// What is changed; nothing, by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct What {
    /// Which labels look alike, in groups; labels in no group look like nothing else.
    pub alike: Option<Vec<Vec<String>>>,
    /// What the observer knows: one of the keys of [`choices`].
    pub knows: Option<String>,
    /// Whether another plan is sought for all this.
    pub sought: bool,
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

/// What the observer may be said to know, what the problem says first.
pub fn choices(problem: &Problem) -> Vec<KnowsChoice> {
    let given = key(&problem.observer.knows);
    let mut all = vec![(given, known(&problem.observer.knows))];
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

/// A problem with a map, and with a plan unless whatever the robot may do is looked at.
#[derive(Clone, Debug)]
pub struct Situation {
    /// The problem; the map is always there.
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
        if let Some(groups) = &what.alike {
            problem.observer.map = Some(regrouped(given, groups)?);
        } else if problem.observer.map.is_none() {
            problem.observer.map = Some(LabelMap::identity(&problem.alphabet));
        }
        if let Some(key) = &what.knows {
            problem.observer.knows = knowing(given, key)?;
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
        if problem.plan.is_none() && problem.observer.knows == Knows::Plan {
            problem.observer.knows = Knows::World;
            note.get_or_insert_with(|| {
                "There is no plan to know, so the observer is shown knowing only the world.".to_owned()
            });
        }
        Ok(Self { problem, note })
    }

    /// The map: [`Situation::new`] gives every problem one, and nothing takes it away.
    pub fn map(&self) -> &LabelMap {
        self.problem.observer.map.as_ref().expect("a situation has a map")
    }
}

fn knowing(given: &Problem, key: &str) -> Result<Knows, String> {
    Ok(match key {
        "world" => Knows::World,
        "goal-directed" => Knows::GoalDirected,
        "plan" => Knows::Plan,
        key if key == self::key(&given.observer.knows) => given.observer.knows.clone(),
        other => return Err(format!("the observer cannot be said to know `{other}`")),
    })
}

/// The map under which these groups look alike. An image keeps its name where its group is the same.
fn regrouped(given: &Problem, groups: &[Vec<String>]) -> Result<LabelMap, String> {
    let alphabet = &given.alphabet;
    if matches!(given.observer.filter, Filter::Graph(_)) {
        return Err(
            "this observer remembers through a filter on what it sees, so the map cannot be changed here"
                .to_owned(),
        );
    }
    let mut group_of: Vec<Vec<Label>> = alphabet.labels().map(|l| vec![l]).collect();
    for group in groups {
        let mut labels = Vec::new();
        for name in group {
            labels.push(alphabet.get(name).ok_or_else(|| format!("there is no event `{name}`"))?);
        }
        labels.sort_unstable();
        labels.dedup();
        for kind in [Kind::Action, Kind::Observation] {
            // Actions and observations are never taken for one another, whatever they look like.
            let alike: Vec<Label> = labels.iter().copied().filter(|&l| alphabet.kind(l) == kind).collect();
            for &l in &alike {
                group_of[l.index()].clone_from(&alike);
            }
        }
    }
    let name = |label: Label| {
        let group = &group_of[label.index()];
        // What was not seen stays so, unless it is made to look like something that was.
        let unseen = |l: &Label| given.observer.map.as_ref().is_some_and(|map| map.image(*l).is_none());
        if group.iter().all(unseen) {
            return None;
        }
        let old = given.observer.map.as_ref().and_then(|map| {
            let image = map.image(label)?;
            let alike = map.preimage(image).filter(|&l| alphabet.kind(l) == alphabet.kind(label));
            alike.eq(group.iter().copied()).then(|| map.name(image).to_owned())
        });
        let made = || group.iter().map(|&l| alphabet.name(l)).collect::<Vec<_>>().join("|");
        Some(old.unwrap_or_else(made))
    };
    Ok(LabelMap::seen_from_fn(alphabet, name))
}
