//! A world as an automaton again, to be written: every observation must be the dummy that follows an event.

use std::collections::BTreeMap;

use divulge::problem::{Kind, Label, Problem, Value, Vertex};

/// An automaton, by names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// A title.
    pub name: Option<String>,
    /// The states, the initial ones first, and whether each is marked.
    pub states: Vec<(String, bool)>,
    /// How many of them are initial.
    pub initial: usize,
    /// The events, and whether each is seen.
    pub events: Vec<(String, bool)>,
    /// From which state which event leads where: sorted.
    pub steps: Vec<(usize, usize, usize)>,
}

/// Why a problem cannot be written in some form, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// Why.
    pub reason: String,
    /// What to do.
    pub help: String,
}

impl Unwritable {
    pub(crate) fn new(reason: impl Into<String>, help: impl Into<String>) -> Self {
        Self { reason: reason.into(), help: help.into() }
    }
}

const DOCUMENT: &str = "write a problem document: --to json";

impl Automaton {
    /// The automaton that a problem's world is made of. States have the mark if they have the property `marked`, or, where no vertex has it, if they are
    /// goals; events are seen if the first observer, who must have a map, sees them.
    ///
    /// # Errors
    /// If the robot observes something in this world, if there are several observers, or if events look alike: an automaton has no counterpart.
    pub fn of(problem: &Problem) -> Result<Self, Unwritable> {
        let world = &problem.world;
        let graph = &world.graph;
        if graph.initial_kind() == Kind::Observation {
            return Err(Unwritable::new(
                "the world starts with an observation, which an automaton has not",
                DOCUMENT,
            ));
        }
        let mut dummy: Option<Label> = None;
        for y in graph.vertices().filter(|&v| graph.kind(v) == Kind::Observation) {
            match graph.arcs(y) {
                [arc] if *dummy.get_or_insert(arc.label) == arc.label => {}
                _ => {
                    let reason = format!(
                        "the robot observes something at `{}`, and an automaton has events only",
                        world.name(y)
                    );
                    return Err(Unwritable::new(reason, DOCUMENT));
                }
            }
        }
        let map = problem.observer.map.as_ref();
        let unseen = |label: Label| map.is_some_and(|map| map.image(label).is_none());
        if dummy.is_some_and(|label| map.is_some() && !unseen(label)) {
            let reason = "the observer sees that something follows each event, which an automaton cannot say";
            return Err(Unwritable::new(reason, DOCUMENT));
        }
        if !problem.others.is_empty() {
            return Err(Unwritable::new(
                "there are several observers, and an automaton has one",
                "choose one: --observer NAME",
            ));
        }
        let events: Vec<Label> = problem.alphabet.of_kind(Kind::Action).collect();
        let mut looks: BTreeMap<&str, Label> = BTreeMap::new();
        for (&event, look) in events.iter().filter_map(|event| Some((event, map?.look(*event)?))) {
            if let Some(other) = looks.insert(look, event) {
                let [one, two] = [other, event].map(|event| problem.alphabet.name(event));
                let reason =
                    format!("`{one}` and `{two}` look alike to the observer, which an automaton cannot say");
                return Err(Unwritable::new(reason, DOCUMENT));
            }
        }
        let marks = world.props.column("marked");
        let marked = |v: Vertex| match marks {
            Some(column) => column.get(v) == Some(&Value::Bool(true)),
            None => world.is_goal(v),
        };
        let acting = graph.vertices().filter(|&v| graph.kind(v) == Kind::Action);
        let (first, rest): (Vec<Vertex>, Vec<Vertex>) = acting.partition(|v| graph.initial().contains(v));
        let initial = first.len();
        let order: Vec<Vertex> = first.into_iter().chain(rest).collect();
        let number: BTreeMap<Vertex, usize> = order.iter().enumerate().map(|(i, &v)| (v, i)).collect();
        let mut steps = Vec::new();
        for (i, &v) in order.iter().enumerate() {
            for arc in graph.arcs(v) {
                let event = events.binary_search(&arc.label).unwrap_or_default();
                steps.extend(graph.arcs(arc.to).iter().map(|next| (i, event, number[&next.to])));
            }
        }
        steps.sort_unstable();
        steps.dedup();
        Ok(Self {
            name: problem.name.clone(),
            states: order.iter().map(|&v| (world.name(v).to_owned(), marked(v))).collect(),
            initial,
            events: events.iter().map(|&l| (problem.alphabet.name(l).to_owned(), !unseen(l))).collect(),
            steps,
        })
    }
}
