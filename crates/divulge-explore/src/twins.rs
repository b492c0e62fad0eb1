//! Runs side by side: what happened, and what the observer takes it for or could still take it for.

use divulge::{
    explain::{Breach, Explanation, RuledOut, Twin, Why},
    formula::{Logic, Predicate},
    graph::follow,
    problem::{Label, LabelMap, PGraph, Problem, Vertex},
    sets::BitSet,
    verdict::QuestionError,
};
use serde::Serialize;

use crate::{
    observer::Posed,
    situation::{Situation, patient},
    words::{count, listed, phrase, sentence},
};

/// One run: its events, and where it is before the first and after each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The events' labels.
    pub events: Vec<String>,
    /// What the observer sees of each.
    pub images: Vec<String>,
    /// The world vertices where it may be, before the first event and after each.
    pub places: Vec<Vec<u32>>,
}

/// Two runs side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// What is compared, in a sentence.
    pub title: String,
    /// What happened.
    pub run: Run,
    /// What might have happened instead.
    pub other: Run,
    /// The number of the event, from 1, at which the two begin to look different; none if they look alike to the end.
    pub parts_at: Option<usize>,
    /// Why the observer can or cannot take the one for the other, in a sentence.
    pub why: String,
}

struct Teller<'a> {
    problem: &'a Problem,
    map: &'a LabelMap,
}

impl Teller<'_> {
    fn run(&self, events: &[Label], places: Vec<Vec<u32>>) -> Run {
        let name = |&l: &Label| self.problem.alphabet.name(l).to_owned();
        let image = |&l: &Label| self.map.shown(l).to_owned();
        Run { events: events.iter().map(name).collect(), images: events.iter().map(image).collect(), places }
    }

    fn itself(&self, events: &[Label]) -> Run {
        let mut at = self.problem.world.graph.initial().to_vec();
        let mut places = vec![ids(&at)];
        for &label in events {
            at = follow(&self.problem.world.graph, &at, label);
            places.push(ids(&at));
        }
        self.run(events, places)
    }

    fn twin(&self, twin: &Twin) -> Run {
        self.run(&twin.execution, twin.path.iter().map(|v| vec![v.0]).collect())
    }

    fn name(&self, label: Label) -> String {
        format!("“{}”", self.problem.alphabet.name(label))
    }

    fn names(&self, labels: &[Label]) -> String {
        let names: Vec<String> = labels.iter().map(|&l| self.name(l)).collect();
        listed(&names, "or")
    }
}

fn ids(set: &[Vertex]) -> Vec<u32> {
    set.iter().map(|v| v.0).collect()
}

/// The twin runs of a violation, the most telling ones first.
pub(crate) fn of_violation(
    problem: &Problem,
    map: &LabelMap,
    events: &[Label],
    told: &Explanation,
) -> Vec<Comparison> {
    let teller = Teller { problem, map };
    let Some(Breach { missed, met, .. }) = &told.breach else { return Vec::new() };
    let mut all = Vec::new();
    for missed in missed {
        if let Some(last) = missed.ruled_out.last() {
            all.push(ruled_out(&teller, events, &missed.predicate, last));
        }
    }
    for met in met {
        let run = teller.itself(events);
        // The very same run beside itself shows nothing, unless it may end in several places.
        if met.itself && run.places.last().is_some_and(|ends| ends.len() == 1) {
            continue;
        }
        let why = match (met.itself, met.same_image) {
            (true, _) => {
                "These are the same events, so the robot cannot tell the difference either.".to_owned()
            }
            (_, true) => "Event by event, both runs look the same to the observer.".to_owned(),
            (_, false) => {
                "The two runs look different, but the observer no longer remembers the difference.".to_owned()
            }
        };
        all.push(Comparison {
            title: format!("Why the observer cannot rule out that {}", phrase(&met.predicate)),
            run,
            other: teller.twin(&met.twin),
            parts_at: None,
            why,
        });
    }
    all
}

/// What is to be said of what no run could show: "no run of 3 events …".
pub(crate) fn remarks(events: &[Label], told: &Explanation) -> Vec<String> {
    let Some(breach) = &told.breach else { return Vec::new() };
    let never = breach.missed.iter().filter(|missed| missed.ruled_out.is_empty());
    never
        .map(|missed| {
            let events = count(events.len(), "event");
            match &missed.predicate {
                Logic::Not(q) => {
                    format!("As far as the observer knows, {} after every run of {events}.", phrase(q))
                }
                p => format!(
                    "As far as the observer knows, after no run of {events} could it be that {}.",
                    phrase(p)
                ),
            }
        })
        .collect()
}

fn ruled_out(teller: &Teller<'_>, events: &[Label], predicate: &Predicate, out: &RuledOut) -> Comparison {
    let title = match predicate {
        Logic::Not(q) => format!("How the observer comes to know that {}", phrase(q)),
        p => format!("How the observer comes to rule out that {}", phrase(p)),
    };
    let event = events[out.event - 1];
    let saw = teller.map.shown(event);
    let why = match &out.why {
        Why::LooksDifferent(labels) => {
            let look = labels.iter().map(|&l| teller.map.shown(l).to_owned());
            let mut look: Vec<String> = look.collect();
            look.dedup();
            format!(
                "the other run would go on with {}, which the observer would see as {}; it saw “{saw}”",
                teller.names(labels),
                listed(&look, "or"),
            )
        }
        Why::NotDivulged(labels) => format!(
            "the other run would go on with {}, but the observer knows that the plan does not",
            teller.names(labels)
        ),
        Why::PlanStops => {
            "the observer knows that the plan would have stopped there in the other run".to_owned()
        }
        Why::WorldStops => "nothing more could have happened in the other run".to_owned(),
    };
    let mut other = teller.twin(out.whole.as_ref().unwrap_or(&out.twin));
    if let (None, Why::LooksDifferent(labels) | Why::NotDivulged(labels)) = (&out.whole, &out.why)
        && let Some(&label) = labels.first()
    {
        // How it would have gone on is not known to the end, but the next event is.
        let next = teller.run(&[label], Vec::new());
        other.events.extend(next.events);
        other.images.extend(next.images);
    }
    Comparison {
        title,
        run: teller.itself(events),
        other,
        parts_at: Some(out.event),
        why: sentence(&format!("{why}.")),
    }
}

/// A run that looks exactly like `events` to the observer and ends at one of `places`, with as few other events as can be.
///
/// # Errors
/// As [`divulge::check::check`].
pub fn look_alike(
    situation: &Situation,
    events: &[Label],
    places: &BitSet,
) -> Result<Option<Comparison>, QuestionError> {
    let effort = patient();
    let posed = Posed::new(situation, &effort)?;
    let Some(tracked) = posed.tracked() else { return Ok(None) };
    let map = situation.map();
    let layers = layers(&tracked.graph, map, events);
    let last = layers.len() - 1;
    let ends_at = |v: Vertex| tracked.world_vertices(v).find(|w| places.contains(w.index()));
    let found = layers[last].iter().enumerate().filter_map(|(i, r)| Some((r.differs, i, ends_at(r.vertex)?)));
    let Some((_, at, end)) = found.min() else { return Ok(None) };
    let labels = back(&layers, at);
    let Some(path) = path(&situation.problem.world.graph, &labels, end) else { return Ok(None) };
    let teller = Teller { problem: &situation.problem, map };
    let why = match labels == events {
        true => "These are the same events: even the robot cannot tell the difference.".to_owned(),
        false => "Event by event, both runs look the same to the observer.".to_owned(),
    };
    Ok(Some(Comparison {
        title: "Two runs the observer cannot tell apart".to_owned(),
        run: teller.itself(events),
        other: teller.twin(&Twin { execution: labels, path }),
        parts_at: None,
        why,
    }))
}

/// A vertex that a look-alike reaches, and the way to it that differs from the events in the fewest places.
struct Reached {
    vertex: Vertex,
    differs: usize,
    from: usize,
    label: Label,
}

fn layers(graph: &PGraph, map: &LabelMap, events: &[Label]) -> Vec<Vec<Reached>> {
    let start = graph.initial().iter();
    let mut layers: Vec<Vec<Reached>> =
        vec![start.map(|&vertex| Reached { vertex, differs: 0, from: 0, label: Label(0) }).collect()];
    for &event in events {
        let mut next = Vec::new();
        for (from, before) in layers[layers.len() - 1].iter().enumerate() {
            let alike =
                graph.arcs(before.vertex).iter().filter(|arc| map.image(arc.label) == map.image(event));
            next.extend(alike.map(|arc| Reached {
                vertex: arc.to,
                differs: before.differs + usize::from(arc.label != event),
                from,
                label: arc.label,
            }));
        }
        next.sort_unstable_by_key(|r| (r.vertex, r.differs, r.from, r.label));
        next.dedup_by_key(|r| r.vertex);
        layers.push(next);
    }
    layers
}

fn back(layers: &[Vec<Reached>], mut at: usize) -> Vec<Label> {
    let mut labels = Vec::new();
    for layer in layers[1..].iter().rev() {
        labels.push(layer[at].label);
        at = layer[at].from;
    }
    labels.reverse();
    labels
}

/// The world vertices that a run with these events passes if it ends at `end`.
fn path(world: &PGraph, events: &[Label], end: Vertex) -> Option<Vec<Vertex>> {
    let mut layers = vec![world.initial().to_vec()];
    for &label in events {
        layers.push(follow(world, &layers[layers.len() - 1], label));
    }
    let mut path = vec![end];
    for (layer, &label) in layers.iter().zip(events).rev() {
        let to = path[path.len() - 1];
        path.push(*layer.iter().find(|&&v| world.step(v, label).iter().any(|arc| arc.to == to))?);
    }
    path.reverse();
    Some(path)
}
