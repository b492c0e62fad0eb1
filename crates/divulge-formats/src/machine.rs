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

/// Facts that are the same at every state, and therefore no properties.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// What is always so.
    pub so: Names,
    /// Predicates: a fact about one of them that is neither a property nor always so never is.
    pub predicates: Vec<String>,
}

impl Fixed {
    /// Whether a fact that is no property is always so (`true`) or never (`false`); `None` if it is no fact.
    pub fn value(&self, name: &str) -> Option<bool> {
        let predicate = name.split_whitespace().next()?;
        let known = self.predicates.iter().any(|known| known == predicate);
        known.then(|| self.so.get(name).is_some())
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
    /// What never changes.
    pub fixed: Fixed,
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
    /// Transitions, as the file has them; of a PRISM model with a loop for each state without a way out, as PRISM counts.
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
            fixed: Fixed::default(),
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
        let deadlocks = goes_on.iter().filter(|&&on| !on).count();
        // PRISM and Storm add a loop to each state that is stuck, and count it.
        let loops = if self.format == Format::Prism { deadlocks } else { 0 };
        Facts {
            format: self.format,
            states: self.states.len(),
            initial: self.initial.len(),
            transitions: self.transitions + loops,
            events: self.events.len(),
            deadlocks,
        }
    }

    /// The world, watched by somebody who knows it and sees all events but those that go unseen; nothing is stipulated.
    ///
    /// # Errors
    /// If there is no initial state, or if there are too many vertices.
    pub fn problem(mut self) -> Result<Problem, Fault> {
        let mut alphabet = Alphabet::new();
        let conflict = |e: KindConflict| Fault::new(FaultKind::Name, e.to_string());
        let mut unseen = Vec::with_capacity(self.events.len() + self.observations.len());
        for (name, &hidden) in self.events.iter().zip(&self.unseen) {
            alphabet.declare(name, Kind::Action).map_err(conflict)?;
            unseen.push(hidden);
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
            observations.push(declare_free(&mut alphabet, name));
            unseen.push(number == 0);
        }
        let name = self.name.take();
        let world = self.world(&observations)?;
        let map =
            LabelMap::seen_from_fn(&alphabet, |label| (!unseen[label.index()]).then(|| alphabet.name(label)));
        let observer = Observer { map: Some(map), ..Observer::new(Knows::World) };
        let mut problem = Problem::new(alphabet, world, observer);
        problem.name = name;
        Ok(problem)
    }

    /// What is no longer needed is given back on the way: a machine may be as large as memory allows.
    fn world(self, observations: &[Label]) -> Result<World, Fault> {
        let Self { states: mut names, initial, first, observations: seen, steps, properties, goal, .. } =
            self;
        let mut graph = PGraphBuilder::new();
        for _ in 0..names.len() {
            graph.vertex(Kind::Action);
        }
        let mut ways = Ways::new(names.len());
        let arrivals = steps.iter().map(|step| (step.to, step.seen));
        for (to, what) in arrivals.chain(initial.iter().copied().zip(first.iter().copied())) {
            if ways.add(to, what, &mut graph) {
                name_free(&mut names, to, seen.name(what));
            }
        }
        drop(seen);
        if first.is_empty() {
            initial.iter().for_each(|&state| graph.initial(Vertex(state)));
        }
        for (&state, &what) in initial.iter().zip(&first) {
            graph.initial(ways.to(state, what));
        }
        in_pieces(steps, |step| graph.arc(Vertex(step.from), Label(step.event), ways.to(step.to, step.seen)));
        for (way, &(to, what)) in ways.all() {
            graph.arc(way, observations[what as usize], Vertex(to));
        }
        let graph = graph.build().map_err(|e| Fault::new(FaultKind::TooLarge, e.to_string()))?;
        let mut props = Props::new();
        for Property { name, values, of } in properties {
            let column = props.column_mut(&name);
            let codes: Vec<usize> = values.into_iter().map(|value| column.intern(value)).collect();
            let all = of.iter().copied().chain(ways.list.iter().map(|&(to, _)| of[to as usize]));
            // The last one first, so that room is made once.
            let mut all: Vec<u32> = all.collect();
            while let Some(code) = all.pop() {
                if code != Property::NONE {
                    column.set_code(Vertex(all.len() as u32), codes[code as usize]);
                }
            }
        }
        let mut goals = BitSet::new(graph.len());
        for (state, _) in goal.iter().flatten().enumerate().filter(|&(_, &is)| is) {
            goals.insert(state);
        }
        Ok(World { graph, names, goal: goals, props, past: None })
    }
}

/// Takes a long list from its end, and gives back the room that it had.
fn in_pieces<T>(mut list: Vec<T>, mut act: impl FnMut(T)) {
    const PIECE: usize = 1 << 18;
    while let Some(last) = list.pop() {
        act(last);
        if list.len().is_multiple_of(PIECE) {
            list.shrink_to_fit();
        }
    }
}

/// The observation vertices, one for each state and what is observed on the way to it. Most states have one way.
struct Ways {
    states: u32,
    /// For each state, one past the number of its first way; 0 if there is none.
    first: Vec<u32>,
    others: FxHashMap<(u32, u32), u32>,
    /// The state, and what is observed, of each way.
    list: Vec<(u32, u32)>,
}

impl Ways {
    fn new(states: usize) -> Self {
        Self { states: states as u32, first: vec![0; states], others: FxHashMap::default(), list: Vec::new() }
    }

    /// Makes a vertex for a way, unless there is one; whether it is new.
    fn add(&mut self, to: u32, seen: u32, graph: &mut PGraphBuilder) -> bool {
        let next = self.list.len() as u32;
        let new = match self.first[to as usize] {
            0 => {
                self.first[to as usize] = next + 1;
                true
            }
            first if self.list[first as usize - 1].1 == seen => false,
            _ => *self.others.entry((to, seen)).or_insert(next) == next,
        };
        if new {
            graph.vertex(Kind::Observation);
            self.list.push((to, seen));
        }
        new
    }

    /// The vertex of a way that was added.
    fn to(&self, to: u32, seen: u32) -> Vertex {
        let first = self.first[to as usize] - 1;
        let way = if self.list[first as usize].1 == seen { first } else { self.others[&(to, seen)] };
        Vertex(self.states + way)
    }

    fn all(&self) -> impl Iterator<Item = (Vertex, &(u32, u32))> {
        (self.states..).map(Vertex).zip(&self.list)
    }
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
fn name_free(names: &mut Names, state: u32, seen: &str) {
    let mut name = format!("to {}", names.name(state));
    if names.intern(&name).1 {
        return;
    }
    name += &format!(" ({seen})");
    while !names.intern(&name).1 {
        name.push('\'');
    }
}
