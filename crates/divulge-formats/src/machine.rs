//! What every reader makes: states, events that lead from one to another, and what a robot observes on the way.
//!
//! # Background
//! In a world, actions and observations alternate. A state q becomes an action vertex of the same name. An event that leads from p to
//! q is an edge from p to an observation vertex `to q`, which already has the properties of q, and from there the observation leads on to q. Where
//! nothing is observed, as in an automaton, that observation is a dummy that nobody sees.

use divulge::{
    problem::{
        Alphabet, Kind, KindConflict, Knows, Label, LabelMap, Names, Observer, PGraphBuilder, Problem, Props,
        Value, Vertex, World,
    },
    sets::BitSet,
};
use rustc_hash::FxHashMap;

use crate::{Fault, FaultKind, Format};

/// What the observation is called that says nothing, and that nobody sees.
pub const THEN: &str = "then";

/// One transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// The state that it leaves.
    pub from: u32,
    /// The event.
    pub event: u32,
    /// The state that it leads to.
    pub to: u32,
    /// What the robot observes then.
    pub seen: u32,
}

/// A property of the states: its values, and for each state which of them it has ([`Property::NONE`]: none).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// What it is called.
    pub name: String,
    /// The values.
    pub values: Vec<Value>,
    /// Which value each state has.
    pub of: Vec<u32>,
}

impl Property {
    /// The state lacks the property.
    pub const NONE: u32 = u32::MAX;

    /// A property that is true of some states and false of the others.
    pub fn flag(name: &str, of: impl Iterator<Item = bool>) -> Self {
        let values = vec![Value::Bool(false), Value::Bool(true)];
        Self { name: name.to_owned(), values, of: of.map(u32::from).collect() }
    }

    /// The same without the values that no state has.
    pub fn occurring(mut self) -> Self {
        let mut used = vec![false; self.values.len()];
        self.of.iter().filter(|&&code| code != Self::NONE).for_each(|&code| used[code as usize] = true);
        let mut next = 0;
        let renumbered: Vec<u32> = used
            .iter()
            .map(|&used| {
                next += u32::from(used);
                next.wrapping_sub(1)
            })
            .collect();
        self.of
            .iter_mut()
            .filter(|code| **code != Self::NONE)
            .for_each(|code| *code = renumbered[*code as usize]);
        let mut at = 0;
        self.values.retain(|_| {
            at += 1;
            used[at - 1]
        });
        self
    }

    /// The states' own names: numbers where they are written as numbers.
    pub fn names(name: &str, states: &Names) -> Self {
        let values = states.iter().map(value).collect();
        Self { name: name.to_owned(), values, of: (0..states.len() as u32).collect() }
    }
}

/// A word as a value: an integer if it is written as one, else a text.
pub(crate) fn value(word: &str) -> Value {
    match word.parse::<i64>() {
        Ok(number) if number.to_string() == word => Value::Int(number),
        _ => Value::Text(word.to_owned()),
    }
}

/// A file, read: states and transitions with their names.
#[derive(Clone, Debug)]
pub struct Machine {
    /// What it was read from.
    pub format: Format,
    /// Its title, if the file has one.
    pub name: Option<String>,
    /// The states.
    pub states: Names,
    /// Where it starts.
    pub initial: Vec<u32>,
    /// What is observed before the first action, for each initial state; empty if nothing is.
    pub first: Vec<u32>,
    /// The events.
    pub events: Names,
    /// Whether each event goes unseen.
    pub unseen: Vec<bool>,
    /// What the robot may observe. Number 0 is the dummy that nobody sees.
    pub observations: Names,
    /// The transitions.
    pub steps: Vec<Step>,
    /// Transitions as the format counts them, where that differs: one that is there twice counts twice.
    pub transitions: usize,
    /// Properties of the states.
    pub properties: Vec<Property>,
    /// The states that are a goal, if the file tells.
    pub goal: Option<Vec<bool>>,
    /// The property of states that a plan is to keep away from, if the file tells.
    pub avoid: Option<String>,
    /// What was taken for what, and what was dropped: a sentence each, without a final full stop.
    pub notes: Vec<String>,
}

/// How large a file's content is, as people of its field count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The format.
    pub format: Format,
    /// States.
    pub states: usize,
    /// Initial states.
    pub initial: usize,
    /// Transitions, as the file has them.
    pub transitions: usize,
    /// Events.
    pub events: usize,
    /// States without a way out.
    pub deadlocks: usize,
}

impl Machine {
    /// Nothing yet; the dummy observation is there.
    pub fn new(format: Format) -> Self {
        Self {
            format,
            name: None,
            states: Names::new(),
            initial: Vec::new(),
            first: Vec::new(),
            events: Names::new(),
            unseen: Vec::new(),
            observations: [THEN].into_iter().collect(),
            steps: Vec::new(),
            transitions: 0,
            properties: Vec::new(),
            goal: None,
            avoid: None,
            notes: Vec::new(),
        }
    }

    /// How large it is.
    pub fn facts(&self) -> Facts {
        let mut goes_on = vec![false; self.states.len()];
        for step in &self.steps {
            goes_on[step.from as usize] = true;
        }
        Facts {
            format: self.format,
            states: self.states.len(),
            initial: self.initial.len(),
            transitions: self.transitions,
            events: self.events.len(),
            deadlocks: goes_on.iter().filter(|&&on| !on).count(),
        }
    }

    /// The world, watched by somebody who knows it and sees all events but those that go unseen; nothing is stipulated.
    ///
    /// # Errors
    /// If there is no initial state, or if there are too many vertices.
    pub fn problem(self) -> Result<Problem, Fault> {
        let mut alphabet = Alphabet::new();
        let mut unseen = Vec::new();
        let conflict = |e: KindConflict| Fault::new(FaultKind::Name, e.to_string());
        for (name, &hidden) in self.events.iter().zip(&self.unseen) {
            let label = alphabet.declare(name, Kind::Action).map_err(conflict)?;
            if hidden {
                unseen.push(label);
            }
        }
        let mut used = vec![false; self.observations.len()];
        self.steps.iter().for_each(|step| used[step.seen as usize] = true);
        self.first.iter().for_each(|&seen| used[seen as usize] = true);
        let mut observations = Vec::with_capacity(self.observations.len());
        for (number, name) in self.observations.iter().enumerate() {
            if !used[number] {
                observations.push(Label(0));
                continue;
            }
            let label = declare_free(&mut alphabet, name);
            if number == 0 {
                unseen.push(label);
            }
            observations.push(label);
        }
        let world = self.world(&observations)?;
        let map = LabelMap::seen_from_fn(&alphabet, |label| {
            (!unseen.contains(&label)).then(|| alphabet.name(label).to_owned())
        });
        let observer = Observer { map: Some(map), ..Observer::new(Knows::World) };
        let mut problem = Problem::new(alphabet, world, observer);
        problem.name = self.name;
        Ok(problem)
    }

    fn world(&self, observations: &[Label]) -> Result<World, Fault> {
        let count = self.states.len();
        let mut graph = PGraphBuilder::new();
        for _ in 0..count {
            graph.vertex(Kind::Action);
        }
        let mut names = self.states.clone();
        let mut reached = Reached { of: FxHashMap::default(), state: Vec::new() };
        let mut on_the_way = |graph: &mut PGraphBuilder, names: &mut Names, to: u32, seen: u32| {
            let Reached { of, state } = &mut reached;
            *of.entry((to, seen)).or_insert_with(|| {
                let v = graph.vertex(Kind::Observation);
                graph.arc(v, observations[seen as usize], Vertex(to));
                state.push(to);
                name_free(names, self.states.name(to), self.observations.name(seen));
                v
            })
        };
        for step in &self.steps {
            let to = on_the_way(&mut graph, &mut names, step.to, step.seen);
            graph.arc(Vertex(step.from), Label(step.event), to);
        }
        if self.first.is_empty() {
            self.initial.iter().for_each(|&state| graph.initial(Vertex(state)));
        }
        for (&state, &seen) in self.initial.iter().zip(&self.first) {
            let v = on_the_way(&mut graph, &mut names, state, seen);
            graph.initial(v);
        }
        let graph = graph.build().map_err(|e| Fault::new(FaultKind::TooLarge, e.to_string()))?;
        let mut props = Props::new();
        for property in &self.properties {
            let column = props.column_mut(&property.name);
            let codes: Vec<usize> =
                property.values.iter().map(|value| column.intern(value.clone())).collect();
            let all =
                property.of.iter().copied().chain(reached.state.iter().map(|&q| property.of[q as usize]));
            for (v, code) in all.enumerate().filter(|&(_, code)| code != Property::NONE) {
                column.set_code(Vertex(v as u32), codes[code as usize]);
            }
        }
        let mut goal = BitSet::new(graph.len());
        for (state, _) in self.goal.iter().flatten().enumerate().filter(|&(_, &is)| is) {
            goal.insert(state);
        }
        Ok(World { graph, names, goal, props, past: None })
    }
}

/// The observation vertices, by the state that they lead to and what is observed there.
struct Reached {
    of: FxHashMap<(u32, u32), Vertex>,
    state: Vec<u32>,
}

/// Declares an observation; if an event has its name, it gets another.
fn declare_free(alphabet: &mut Alphabet, name: &str) -> Label {
    let mut name = name.to_owned();
    loop {
        match alphabet.declare(&name, Kind::Observation) {
            Ok(label) => return label,
            Err(_) => name.push('\''),
        }
    }
}

/// A name that nothing has yet for the vertex on the way to a state.
fn name_free(names: &mut Names, state: &str, seen: &str) {
    if names.intern(&format!("to {state}")).1 {
        return;
    }
    let mut name = format!("to {state} ({seen})");
    while !names.intern(&name).1 {
        name.push('\'');
    }
}
