//! All that does not depend on a moment: who watches, what is stipulated, and whether it is kept.

use divulge::{
    Monitor,
    problem::{Filter, Image, Kind, Label, Problem, Stipulation},
};
use serde::Serialize;

use crate::{
    overview::{Fact, facts, sentences},
    situation::{KnowsChoice, Situation, known},
    verdict::{Verdict, verdict},
    words::{demand, listed},
};

/// All that does not depend on a moment.
#[derive(Debug, Serialize)]
pub(crate) struct About {
    title: String,
    lead: String,
    verdict: Verdict,
    observers: Vec<Watcher>,
    plan: Option<usize>,
    places: usize,
    note: Option<String>,
}

/// An observer.
#[derive(Debug, Serialize)]
struct Watcher {
    /// Its name, by which requests call it; nothing for a single one.
    name: String,
    /// The title of its side.
    title: String,
    /// What it knows, how it remembers and what it sees, in a few sentences.
    words: String,
    demands: Vec<Stipulated>,
    facts: Vec<String>,
    because: Option<String>,
    groups: Vec<Group>,
    fixed_map: Option<&'static str>,
    knows: Vec<KnowsChoice>,
}

/// Labels that look alike, or that are not seen at all.
#[derive(Debug, Serialize)]
struct Group {
    kind: &'static str,
    image: Option<String>,
    labels: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Stipulated {
    name: String,
    words: String,
    formula: String,
}

/// What is said of a situation; `knows` is what each observer may be said to know.
pub(crate) fn about(situation: &Situation, knows: Vec<Vec<KnowsChoice>>, monitor: &dyn Monitor) -> About {
    let problem = &situation.problem;
    let verdict = verdict(situation, monitor);
    // Facts about estimates mean something where the plan works and observers expect it.
    let telling =
        verdict.verdict != "unknown" && (verdict.verdict != "violated" || verdict.stipulation.is_some());
    let each = knows.into_iter().enumerate();
    let observers: Vec<Watcher> = each
        .map(|(number, knows)| {
            let facts = match telling {
                true => facts(situation, number, monitor).unwrap_or_default(),
                false => Vec::new(),
            };
            watcher(situation, number, &facts, knows)
        })
        .collect();
    About {
        title: problem.name.clone().unwrap_or_else(|| "A robot and its observer".to_owned()),
        lead: lead(problem, &observers),
        verdict,
        observers,
        plan: problem.plan.as_ref().map(|plan| plan.graph.len()),
        places: problem.world.graph.len(),
        note: situation.note.clone(),
    }
}

fn watcher(situation: &Situation, number: usize, facts: &[Fact], knows: Vec<KnowsChoice>) -> Watcher {
    let (problem, observer) = (&situation.problem, situation.observer(number));
    let groups = groups(situation, number);
    let single = problem.others.is_empty();
    let memory = match observer.filter {
        Filter::Strongest => "remembers everything it sees",
        Filter::Image | Filter::Graph(_) => "remembers only part of what it sees",
    };
    let who = if single { "The observer" } else { "It" };
    let told = |s: &Stipulation| Stipulated {
        name: s.name.clone(),
        words: demand(&problem.world, s),
        formula: s.formula.to_string(),
    };
    Watcher {
        name: if single { String::new() } else { problem.observer_name(number) },
        title: if single { "The observer".to_owned() } else { problem.observer_name(number) },
        words: format!("{who} knows {}, and {memory}. {}", known(&observer.knows), sees(&groups)),
        demands: observer.stipulations.iter().map(told).collect(),
        because: because(facts, &groups).filter(|_| observer.filter == Filter::Strongest),
        facts: sentences(facts, &situation.who(number)),
        fixed_map: matches!(observer.filter, Filter::Graph(_)).then_some(
            "This observer remembers through a filter on what it sees, so the map cannot be changed here.",
        ),
        groups,
        knows,
    }
}

/// The groups of labels that look alike, those of several labels first, what is not seen at all last.
fn groups(situation: &Situation, number: usize) -> Vec<Group> {
    let (problem, map) = (&situation.problem, situation.map(number));
    let mut all = Vec::new();
    for kind in [Kind::Action, Kind::Observation] {
        let of_world = |l: &Label| problem.world_labels.contains(l.index());
        let mut done: Vec<Option<Image>> = Vec::new();
        for label in problem.alphabet.of_kind(kind).filter(of_world) {
            let image = map.image(label);
            if done.contains(&image) {
                continue;
            }
            done.push(image);
            let alike = problem.alphabet.of_kind(kind).filter(of_world).filter(|&l| map.image(l) == image);
            let labels = alike.map(|l| problem.alphabet.name(l).to_owned()).collect();
            all.push(Group { kind: kind.word(), image: map.look(label).map(str::to_owned), labels });
        }
    }
    all.sort_by_key(|group| (group.kind, group.image.is_none(), group.labels.len() == 1));
    all
}

/// Who watches, and what they know, for somebody who has never heard of it.
fn lead(problem: &Problem, observers: &[Watcher]) -> String {
    let doing = if problem.plan.is_some() { "carries out a plan" } else { "moves" };
    match observers {
        [one] => {
            let name = problem.observer.name.as_ref().map_or(String::new(), |name| format!(" (“{name}”)"));
            format!("A robot {doing}, and an observer{name} watches. {}", one.words)
        }
        several => {
            let names: Vec<String> = several.iter().map(|one| format!("“{}”", one.title)).collect();
            format!(
                "A robot {doing}, and {} observers watch, each for itself: {}.",
                several.len(),
                listed(&names, "and")
            )
        }
    }
}

/// What looks alike to the observer, and what it does not see, in a sentence or two.
fn sees(groups: &[Group]) -> String {
    let seen = || groups.iter().filter(|g| g.image.is_some());
    let merged: Vec<String> =
        seen().filter(|g| g.labels.len() > 1).map(|g| listed(&g.labels, "and")).collect();
    let unseen: Vec<&str> =
        groups.iter().filter(|g| g.image.is_none()).flat_map(|g| &g.labels).map(String::as_str).collect();
    let hidden = match unseen.len() {
        0 => String::new(),
        _ => format!(" It does not see these at all: {}.", listed(&unseen, "and")),
    };
    match (seen().next(), merged.len()) {
        (None, _) => "It sees nothing at all.".to_owned(),
        (_, 0) if hidden.is_empty() => "It sees every event as it is.".to_owned(),
        (_, 0) => hidden.trim_start().to_owned(),
        _ => format!("These events look alike to it: {}.{hidden}", merged.join("; ")),
    }
}

/// Why something is never found out: what hides it.
fn because(facts: &[Fact], groups: &[Group]) -> Option<String> {
    if facts.iter().all(|fact| fact.known_once) {
        return None;
    }
    let alike = |g: &Group| {
        let image = g.image.as_ref()?;
        (g.labels.len() > 1).then(|| format!("{} (seen as “{image}”)", listed(&g.labels, "and")))
    };
    let merged: Vec<String> = groups.iter().filter_map(alike).collect();
    let unseen: Vec<&str> =
        groups.iter().filter(|g| g.image.is_none()).flat_map(|g| &g.labels).map(String::as_str).collect();
    let mut reasons = Vec::new();
    if !merged.is_empty() {
        reasons.push(format!("these events look alike: {}", merged.join("; ")));
    }
    if !unseen.is_empty() {
        reasons.push(format!("these are not seen at all: {}", listed(&unseen, "and")));
    }
    (!reasons.is_empty()).then(|| {
        format!(
            "Why? For every run there is another one with the other answer that looks exactly the same, because {}. Step through the run, or press a value on the observer's side to see such a run.",
            reasons.join(", and ")
        )
    })
}
