//! Small random problems, of every kind that the definitions allow.

mod formulas;
mod observers;
mod plans;
mod rng;
mod sketch;

use std::ops::RangeInclusive;

use divulge::problem::{
    Alphabet, BitSet, Filter, Kind, Knows, Label, MapConstraints, Observer, Problem, Props, Value, Vertex,
    World,
};

use crate::expansion::Robot;

pub use rng::Rng;
pub use sketch::Sketch;

/// The kinds of [`Knows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum KnowsKind {
    Plan,
    Plans,
    GoalDirected,
    World,
    Graph,
}

/// The kinds of [`Filter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FilterKind {
    Strongest,
    Image,
    Graph,
}

/// What problems to make.
#[derive(Clone, Debug)]
pub struct Profile {
    /// How many vertices the world has.
    pub vertices: RangeInclusive<usize>,
    /// How many actions there are; the world may list some that it does not bear.
    pub actions: RangeInclusive<usize>,
    /// How many observations there are.
    pub observations: RangeInclusive<usize>,
    /// How many vertices a plan has that is not made from a strategy.
    pub plan_vertices: RangeInclusive<usize>,
    /// How many stipulations there are.
    pub stipulations: RangeInclusive<usize>,
    /// Worlds and plans have one initial vertex and bear no label twice at a vertex.
    pub deterministic: bool,
    /// How often in a hundred worlds without a plan that solves them, or solved by doing nothing, are passed over.
    pub solvable: u32,
    /// Whether a plan is given.
    pub plan: bool,
    /// Whether a map is given; if not, there may be constraints on it.
    pub map: bool,
    /// How often in a hundred a plan made from a strategy is changed so that it may fail.
    pub broken_plans: u32,
    /// What the observer may know.
    pub knows: Vec<KnowsKind>,
    /// The filters it may have.
    pub filters: Vec<FilterKind>,
    /// Whether a filter's graph may fail to trace the world.
    pub bad_filters: bool,
    /// Whether a plan may begin with the other kind than the world.
    pub odd_kinds: bool,
    /// Whether plans and divulged graphs may bear labels that the world lacks.
    pub foreign_labels: bool,
}

impl Default for Profile {
    /// Everything that `check` and `audit` may be asked.
    fn default() -> Self {
        Self {
            vertices: 2..=7,
            actions: 1..=3,
            observations: 1..=3,
            plan_vertices: 1..=6,
            stipulations: 0..=3,
            deterministic: false,
            solvable: 80,
            plan: true,
            map: true,
            broken_plans: 35,
            knows: vec![
                KnowsKind::Plan,
                KnowsKind::Plans,
                KnowsKind::GoalDirected,
                KnowsKind::World,
                KnowsKind::Graph,
            ],
            filters: vec![FilterKind::Strongest, FilterKind::Image, FilterKind::Graph],
            bad_filters: true,
            odd_kinds: true,
            foreign_labels: true,
        }
    }
}

impl Profile {
    /// Problems of which a plan is sought, whose divulged plan does not depend on it.
    pub fn seek_fixed() -> Self {
        let mut profile = Self { plan: false, bad_filters: false, stipulations: 1..=3, ..Self::default() };
        profile.knows.retain(|&k| k != KnowsKind::Plan);
        profile
    }

    /// Problems of which a plan is sought that is itself divulged; small enough for brute force over sets of choices.
    pub fn seek_divulged() -> Self {
        Self {
            vertices: 3..=8,
            knows: vec![KnowsKind::Plan],
            filters: vec![FilterKind::Strongest],
            plan: false,
            stipulations: 1..=3,
            ..Self::default()
        }
    }

    /// Problems of which a map is sought, with two to four actions and observations.
    pub fn maps(plan: bool) -> Self {
        Self {
            vertices: 3..=6,
            actions: 2..=4,
            observations: 2..=4,
            broken_plans: 5,
            plan,
            map: false,
            bad_filters: false,
            filters: vec![FilterKind::Strongest],
            stipulations: 1..=2,
            ..Self::default()
        }
    }
}

/// Labels by kind.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    actions: Vec<Label>,
    observations: Vec<Label>,
}

impl Labels {
    /// These actions and observations.
    pub fn new(actions: Vec<Label>, observations: Vec<Label>) -> Self {
        Self { actions, observations }
    }

    /// The labels of a kind.
    pub fn of(&self, kind: Kind) -> &[Label] {
        match kind {
            Kind::Action => &self.actions,
            Kind::Observation => &self.observations,
        }
    }
}

/// A random problem.
pub fn problem(rng: &mut Rng, profile: &Profile) -> Problem {
    let mut alphabet = Alphabet::new();
    let own = labels(rng, profile, &mut alphabet);
    let foreign = foreign(rng, profile, &mut alphabet, &own);
    let mut problem = blank(alphabet, world(rng, profile, &own));
    if rng.chance(profile.solvable) {
        let mut patience = 12;
        while patience > 0 && !worthwhile(&problem) {
            problem.world = world(rng, profile, &own);
            patience -= 1;
        }
    }
    problem.world_labels = world_labels(rng, &problem, &own);
    for label in problem.alphabet.labels() {
        if rng.chance(30) {
            problem.costs.push((label, rng.below(4) as u64));
        }
    }
    if profile.plan {
        problem.plan = Some(plans::plan(rng, &problem, profile, &foreign));
    }
    if profile.map {
        problem.observer.map = Some(observers::map(rng, &problem));
    } else {
        problem.observer.constraints = observers::constraints(rng, &own);
    }
    let (knows, filter) = (*rng.pick(&profile.knows), *rng.pick(&profile.filters));
    problem.observer.knows = observers::knows(rng, knows, &problem, profile, &foreign);
    problem.observer.filter = observers::filter(rng, filter, &problem, profile);
    let count = rng.within(&profile.stipulations);
    problem.observer.stipulations = formulas::stipulations(rng, &problem.world, count);
    problem
}

/// The world with an observer who knows it and of whom nothing is stipulated.
fn blank(alphabet: Alphabet, world: World) -> Problem {
    Problem {
        name: None,
        world_labels: BitSet::new(alphabet.len()),
        alphabet,
        world,
        plan: None,
        costs: Vec::new(),
        observer: Observer {
            name: None,
            map: None,
            constraints: MapConstraints::default(),
            filter: Filter::Strongest,
            knows: Knows::World,
            stipulations: Vec::new(),
        },
        grid: None,
    }
}

/// Whether some plan solves the world and must do something for it.
fn worthwhile(problem: &Problem) -> bool {
    let robot = Robot::new(problem);
    robot.ranks().get(&robot.start()).is_some_and(|&events| events > 0)
}

fn labels(rng: &mut Rng, profile: &Profile, alphabet: &mut Alphabet) -> Labels {
    let mut declare = |letter: char, kind, count: usize| -> Vec<Label> {
        (1..=count)
            .map(|i| alphabet.declare(&format!("{letter}{i}"), kind).expect("names are distinct"))
            .collect()
    };
    let actions = declare('a', Kind::Action, rng.within(&profile.actions));
    Labels::new(actions, declare('o', Kind::Observation, rng.within(&profile.observations)))
}

/// The labels that plans may bear: the world's own, and perhaps others.
fn foreign(rng: &mut Rng, profile: &Profile, alphabet: &mut Alphabet, own: &Labels) -> Labels {
    let mut labels = own.clone();
    if profile.foreign_labels && rng.chance(20) {
        labels.actions.push(alphabet.declare("b1", Kind::Action).expect("the name is new"));
        labels.observations.push(alphabet.declare("r1", Kind::Observation).expect("the name is new"));
    }
    labels
}

fn world(rng: &mut Rng, profile: &Profile, labels: &Labels) -> World {
    let first = if rng.chance(60) { Kind::Action } else { Kind::Observation };
    let n = rng.within(&profile.vertices);
    let sketch = Sketch::random(rng, n, first, labels, profile.deterministic);
    let mut props = Props::new();
    for v in (0..n).map(|v| Vertex(v as u32)) {
        if rng.chance(75) {
            props.set(v, "room", *rng.pick(&["lab", "hall"]));
        }
        if rng.chance(75) {
            // Now and then a value of another type than its neighbours'.
            let odd = rng.chance(5);
            props.set(v, "x", if odd { Value::from("far") } else { Value::Int(rng.below(3) as i64) });
        }
        if rng.chance(75) {
            props.set(v, "wet", rng.chance(50));
        }
    }
    sketch.world(props)
}

/// The labels that the world bears, and others that it merely lists.
fn world_labels(rng: &mut Rng, problem: &Problem, own: &Labels) -> BitSet {
    let mut labels = BitSet::new(problem.alphabet.len());
    for (_, arc) in problem.world.graph.all_arcs() {
        labels.insert(arc.label.index());
    }
    for label in own.actions.iter().chain(&own.observations) {
        if rng.chance(50) {
            labels.insert(label.index());
        }
    }
    labels
}
