//! Small random problems, of every kind that the definitions allow.

mod beyond;
mod formulas;
mod observers;
mod odd;
mod plans;
mod rng;
mod runs;
mod sketch;

use std::ops::RangeInclusive;

use divulge::{
    problem::{
        Alphabet, Filter, Kind, Knows, Label, MapConstraints, Observer, Plan, Problem, Props, Value, Vertex,
        World,
    },
    sets::BitSet,
};

use crate::expansion::Robot;

pub use beyond::{Features, beyond, temporal};
pub use odd::odd;
pub use rng::Rng;
pub use runs::{effort, fits, seed};
pub use sketch::{Shape, Sketch};

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
    /// What worlds look like.
    pub world: Shape,
    /// What plans and other graphs look like that are not made from a strategy.
    pub graph: Shape,
    /// How often in a hundred a world has two lanes: two copies of a smaller one that differ here and there.
    pub lanes: u32,
    /// How often in a hundred worlds are passed over that no plan solves in so many events or more.
    pub solvable: (u32, usize),
    /// How many formulas are tried, of which the one is taken that holds of most of some likely estimates.
    pub lenience: usize,
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
            world: Shape { arcs: 1..=3, deterministic: 20, dead_ends: 12, marks: 35 },
            graph: Shape { arcs: 1..=3, deterministic: 20, dead_ends: 12, marks: 35 },
            lanes: 15,
            solvable: (80, 1),
            lenience: 3,
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
        let mut profile = Self { plan: false, bad_filters: false, ..Self::seek() };
        profile.knows.retain(|&k| k != KnowsKind::Plan);
        profile
    }

    /// Problems of which a plan is sought that is itself divulged; small enough for brute force over sets of choices.
    pub fn seek_divulged() -> Self {
        let (knows, filters) = (vec![KnowsKind::Plan], vec![FilterKind::Strongest]);
        Self { plan: false, knows, filters, ..Self::seek() }
    }

    /// Problems of which a map is sought, with two to four actions and observations.
    pub fn maps(plan: bool) -> Self {
        let filters = vec![FilterKind::Strongest];
        let profile = Self { vertices: 4..=8, plan, map: false, filters, ..Self::seek() };
        Self { actions: 2..=4, observations: 2..=4, broken_plans: 5, stipulations: 1..=2, ..profile }
    }

    /// Worlds that take some doing.
    fn seek() -> Self {
        Self {
            vertices: 4..=9,
            stipulations: 1..=2,
            world: Shape { arcs: 2..=4, deterministic: 70, dead_ends: 4, marks: 15 },
            lanes: 50,
            solvable: (97, 2),
            lenience: 1,
            ..Self::default()
        }
    }

    /// The same with worlds and plans that have one initial vertex and bear no label twice at a vertex.
    pub fn deterministic(mut self) -> Self {
        self.world.deterministic = 100;
        self.graph.deterministic = 100;
        self
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
    if rng.chance(profile.solvable.0) {
        let mut patience = 30;
        while patience > 0 && !worthwhile(&problem, profile.solvable.1) {
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
    problem.observer.stipulations = formulas::stipulations(rng, &problem.world, count, profile.lenience);
    problem
}

/// A random problem that is as wanted, or the last of so many tries.
pub fn problem_where(
    rng: &mut Rng,
    profile: &Profile,
    tries: usize,
    wanted: impl Fn(&Problem) -> bool,
) -> Problem {
    let mut made = problem(rng, profile);
    for _ in 1..tries {
        if wanted(&made) {
            break;
        }
        made = problem(rng, profile);
    }
    made
}

/// A random plan for a problem's world, of the sort that the profile gives.
pub fn plan(rng: &mut Rng, problem: &Problem, profile: &Profile) -> Plan {
    let of = |kind| problem.alphabet.of_kind(kind).collect();
    plans::plan(rng, problem, profile, &Labels::new(of(Kind::Action), of(Kind::Observation)))
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
        others: Vec::new(),
        aside: Vec::new(),
        grid: None,
    }
}

/// Whether some plan solves the world, and the shortest takes at least so many events.
fn worthwhile(problem: &Problem, least: usize) -> bool {
    let robot = Robot::new(problem);
    robot.ranks().get(&robot.start()).is_some_and(|&events| events >= least)
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
    if n < 4 || !rng.chance(profile.lanes) {
        let sketch = Sketch::random(rng, n, first, labels, &profile.world);
        let props = props(rng, n);
        return sketch.world(props);
    }
    let lane = Sketch::random(rng, n / 2, first, labels, &profile.world);
    let mut sketch = lane.doubled(rng, labels);
    if profile.world.deterministic == 100 {
        sketch.determine();
    }
    let mut props = props(rng, sketch.kinds.len());
    for v in 0..n / 2 * 2 {
        props.set(Vertex(v as u32), "lane", Value::Int(1 + (v / (n / 2)) as i64));
    }
    sketch.world(props)
}

fn props(rng: &mut Rng, n: usize) -> Props {
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
    props
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
