//! Runs side by side: what happened, and what the observer takes it for or could still take it for.

use divulge::{
    explain::{Breach, Explanation, RuledOut, Twin, Why},
    formula::{Logic, Predicate},
    graph::follow,
    problem::{Label, LabelMap, Problem, Vertex},
};
use serde::Serialize;

use crate::words::{count, listed, phrase, sentence};

/// One run: its events, and where it is before the first and after each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The events' labels.
    pub events: Vec<String>,
    /// What the observer sees of each; nothing of those that it does not see at all.
    pub images: Vec<Option<String>>,
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
    /// The rows of a table: the events, by number from 0, that stand side by side. What is seen stands beside what looks like it.
    pub rows: Vec<(Option<usize>, Option<usize>)>,
    /// The number of the event, from 1, at which the two begin to look different; none if they look alike to the end.
    pub parts_at: Option<usize>,
    /// Why the observer can or cannot take the one for the other, in a sentence.
    pub why: String,
}

pub(crate) struct Teller<'a> {
    pub problem: &'a Problem,
    pub map: &'a LabelMap,
}

/// Which events of two runs stand side by side.
fn rows(run: &Run, other: &Run) -> Vec<(Option<usize>, Option<usize>)> {
    let (mut rows, mut at) = (Vec::new(), [0, 0]);
    while at[0] < run.events.len() || at[1] < other.events.len() {
        let unseen = |run: &Run, at: usize| run.images.get(at).is_some_and(Option::is_none);
        let there = [at[0] < run.events.len(), at[1] < other.events.len()];
        // While one has events that are not seen, the other waits with what is.
        let go = match (unseen(run, at[0]), unseen(other, at[1])) {
            (true, false) => [true, false],
            (false, true) => [false, true],
            _ => there,
        };
        rows.push((go[0].then_some(at[0]), go[1].then_some(at[1])));
        at = [at[0] + usize::from(go[0]), at[1] + usize::from(go[1])];
    }
    rows
}

impl Teller<'_> {
    pub fn comparison(
        &self,
        title: String,
        run: Run,
        other: Run,
        parts_at: Option<usize>,
        why: String,
    ) -> Comparison {
        let rows = rows(&run, &other);
        Comparison { title, run, other, rows, parts_at, why }
    }

    fn run(&self, events: &[Label], places: Vec<Vec<u32>>) -> Run {
        let name = |&l: &Label| self.problem.alphabet.name(l).to_owned();
        let image = |&l: &Label| self.map.look(l).map(str::to_owned);
        Run { events: events.iter().map(name).collect(), images: events.iter().map(image).collect(), places }
    }

    pub fn itself(&self, events: &[Label]) -> Run {
        let mut at = self.problem.world.graph.initial().to_vec();
        let mut places = vec![ids(&at)];
        for &label in events {
            at = follow(&self.problem.world.graph, &at, label);
            places.push(ids(&at));
        }
        self.run(events, places)
    }

    pub fn twin(&self, twin: &Twin) -> Run {
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
        let title = format!("Why the observer cannot rule out that {}", phrase(&met.predicate));
        all.push(teller.comparison(title, run, teller.twin(&met.twin), None, why));
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
    let why = sentence(&format!("{why}."));
    teller.comparison(title, teller.itself(events), other, Some(out.event), why)
}
