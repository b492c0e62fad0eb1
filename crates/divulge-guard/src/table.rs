//! Where plan, world and observers are together, and what events lead to.
//!
//! *Background.* After some events the plan may be at any of a set of its vertices, and the world at any of a set of its own: both
//! are nondeterministic, and nothing but the events connects them. Each observer is in one state, and its divulged plan at any of a
//! set of vertices: that something looks like what it expects does not mean that it expects it. So a *place* is some sets and a
//! state for each observer, and an event leads from one place to exactly one other.
//!
//! *Practical.* Places are stored once, and what an event leads to is worked out once; then it is looked up. When there are too many
//! places, all but one are forgotten.

use divulge::{
    observer::{Admits, StateId, Tracker},
    problem::{Kind, Label, LabelMap, PGraph, Plan, Problem, Vertex},
    setting::Setting,
    verdict::QuestionError,
};
use rustc_hash::FxHashMap;

/// What is against an event, or against ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The plan does not foresee it here.
    Unforeseen,
    /// The world does not allow it here.
    Impossible,
    /// Something else was chosen.
    NotTold,
    /// This observer's divulged plan does not admit it.
    Outside {
        /// The number of the observer.
        observer: u32,
    },
    /// It would break a stipulation.
    Broken {
        /// The number of the observer.
        observer: u32,
        /// The number of the stipulation among that observer's.
        stipulation: u32,
    },
    /// The plan does not stop here.
    EarlyEnd,
    /// The world need not be at a goal.
    OffGoal,
}

/// What an event leads to, and what is against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Next {
    pub to: u32,
    pub refusal: Option<Refusal>,
}

/// A place; where something did not follow the events, its set is empty or its state missing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    plan: u32,
    world: u32,
    minds: Box<[Mind]>,
}

/// An observer's state, and the set of vertices of its divulged plan, if that is anything else than plan or world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Mind {
    state: Option<StateId>,
    divulged: Option<u32>,
}

/// Sets of vertices, each once.
#[derive(Debug, Default)]
struct Sets {
    all: Vec<Box<[u32]>>,
    number: FxHashMap<Box<[u32]>, u32>,
    members: usize,
}

impl Sets {
    fn intern(&mut self, mut set: Vec<u32>) -> u32 {
        set.sort_unstable();
        set.dedup();
        let Self { all, number, members } = self;
        *number.entry(set.into_boxed_slice()).or_insert_with_key(|set| {
            *members += set.len();
            all.push(set.clone());
            all.len() as u32 - 1
        })
    }

    fn vertices(&self, set: u32) -> impl Iterator<Item = Vertex> + Clone + '_ {
        self.all[set as usize].iter().map(|&v| Vertex(v))
    }
}

pub(crate) struct Table<'s> {
    pub problem: &'s Problem,
    pub plan: &'s Plan,
    pub maps: Vec<&'s LabelMap>,
    /// Nobody where nothing whatever is expected.
    trackers: Vec<Option<Tracker<'s>>>,
    /// Their divulged plans, where those are anything else than plan or world.
    divulged: Vec<Option<&'s PGraph>>,
    sets: Sets,
    places: Vec<Place>,
    number: FxHashMap<Place, u32>,
    next: Vec<Vec<(Label, Next)>>,
    most: usize,
    /// With so many places it is time to find out how many bytes they take.
    look_at: usize,
}

impl<'s> Table<'s> {
    /// With the first place, which is number 0. About `most` bytes are kept.
    pub fn new<'p: 's>(setting: &'s Setting<'p>, most: usize) -> Result<Self, QuestionError> {
        let plan = setting.plan().ok_or(QuestionError::NeedsPlan("a guard needs one"))?;
        let mut maps = Vec::new();
        for posed in setting.observers() {
            maps.push(posed.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?);
        }
        let trackers = maps.iter().enumerate().map(|(number, map)| setting.tracker_of(number, map));
        let trackers = trackers.collect::<Result<Vec<_>, _>>()?;
        let mut sets = Sets::default();
        let initial = |graph: &PGraph| graph.initial().iter().map(|v| v.0).collect();
        let (mut divulged, mut minds) = (Vec::new(), Vec::new());
        for (number, tracker) in trackers.iter().enumerate() {
            let graph = match &setting.divulged_to(number)?.admits {
                Admits::Graph(graph) => Some(graph),
                Admits::Everything | Admits::Nothing => None,
            };
            divulged.push(graph);
            minds.push(Mind {
                state: tracker.as_ref().map(Tracker::initial),
                divulged: graph.map(|graph| sets.intern(initial(graph))),
            });
        }
        let minds = minds.into_boxed_slice();
        let (plan_set, world) =
            (sets.intern(initial(&plan.graph)), sets.intern(initial(&setting.world().graph)));
        let mut table = Self {
            problem: setting.problem(),
            plan,
            maps,
            trackers,
            divulged,
            sets,
            places: Vec::new(),
            number: FxHashMap::default(),
            next: Vec::new(),
            most,
            look_at: 0,
        };
        table.enter(Place { plan: plan_set, world, minds });
        Ok(table)
    }

    fn enter(&mut self, place: Place) -> u32 {
        let Self { places, number, next, .. } = self;
        *number.entry(place).or_insert_with_key(|place| {
            places.push(place.clone());
            next.push(Vec::new());
            places.len() as u32 - 1
        })
    }

    /// How many places have been met.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// About how many bytes are kept.
    pub fn bytes(&self) -> usize {
        let place = 2 * size_of::<Place>() + 2 * size_of::<Mind>() * self.trackers.len() + 64;
        let trackers: usize = self.trackers.iter().flatten().map(Tracker::bytes).sum();
        self.places.len() * place + 2 * size_of::<u32>() * self.sets.members + trackers
    }

    /// What an event leads to from a place.
    pub fn step(&mut self, place: u32, label: Label) -> Next {
        let known = &self.next[place as usize];
        if let Some(&(_, next)) = known.iter().find(|(l, _)| *l == label) {
            return next;
        }
        let next = self.work_out(place, label);
        self.next[place as usize].push((label, next));
        next
    }

    fn work_out(&mut self, place: u32, label: Label) -> Next {
        let Place { plan, world, mut minds } = self.places[place as usize].clone();
        let going = self.sets.vertices(plan).filter(|&v| !self.plan.is_terminal(v));
        let plan = after(&self.plan.graph, going, label);
        let world = after(&self.problem.world.graph, self.sets.vertices(world), label);
        let refusal = match (plan.is_empty(), world.is_empty()) {
            (true, _) => Some(Refusal::Unforeseen),
            (false, true) => Some(Refusal::Impossible),
            (false, false) => None,
        };
        for (number, mind) in minds.iter_mut().enumerate() {
            *mind = self.mind_after(number, *mind, label);
        }
        let refusal = refusal
            .or_else(|| (0..minds.len()).find_map(|number| self.against(number, minds[number], false)));
        let (plan, world) = (self.sets.intern(plan), self.sets.intern(world));
        Next { to: self.enter(Place { plan, world, minds }), refusal }
    }

    fn mind_after(&mut self, number: usize, mind: Mind, label: Label) -> Mind {
        let image = self.maps[number].image(label);
        let tracker = self.trackers[number].as_mut();
        let state = tracker.zip(mind.state).and_then(|(tracker, state)| tracker.step(state, image));
        let divulged = self.divulged[number].zip(mind.divulged).map(|(graph, set)| {
            let next = after(graph, self.sets.vertices(set), label);
            self.sets.intern(next)
        });
        Mind { state, divulged }
    }

    /// What an observer's state is against; at the end, more is asked for.
    fn against(&self, number: usize, mind: Mind, ends: bool) -> Option<Refusal> {
        let observer = number as u32;
        let Some((tracker, state)) = self.follows(number, mind) else {
            return Some(Refusal::Outside { observer });
        };
        tracker.course(state).broken(ends)?;
        Some(Refusal::Broken { observer, stipulation: tracker.broken(state, ends).unwrap_or(0) as u32 })
    }

    fn follows(&self, number: usize, mind: Mind) -> Option<(&Tracker<'s>, StateId)> {
        let admitted = mind.divulged.is_none_or(|set| !self.sets.all[set as usize].is_empty());
        self.trackers[number].as_ref().zip(mind.state).filter(|_| admitted)
    }

    /// An observer's tracker and its state at a place, unless nothing that it expects, or admits, leads there.
    pub fn mind(&self, place: u32, number: usize) -> Option<(&Tracker<'s>, StateId)> {
        self.follows(number, self.places[place as usize].minds[number])
    }

    /// Whether the world may be anywhere but at a goal, at a place.
    pub fn may_be_off_goal(&self, place: u32) -> bool {
        // Where the world is, only the robot can tell; a plan that solves it stops at goals alone.
        self.sets.vertices(self.places[place as usize].world).any(|w| !self.problem.world.is_goal(w))
    }

    /// What is against ending at a place.
    pub fn end(&self, place: u32) -> Option<Refusal> {
        if !self.may_stop(place) {
            return Some(Refusal::EarlyEnd);
        }
        if self.may_be_off_goal(place) {
            return Some(Refusal::OffGoal);
        }
        self.places[place as usize]
            .minds
            .iter()
            .enumerate()
            .find_map(|(number, mind)| self.against(number, *mind, true))
    }

    /// The first stipulation of an observer that is broken at a place, or that nothing it expects leads there.
    pub fn broken(&self, place: u32, number: usize) -> Option<Refusal> {
        self.against(number, self.places[place as usize].minds[number], false)
    }

    /// Whether the plan may be anywhere at all.
    pub fn is_on_plan(&self, place: u32) -> bool {
        !self.sets.all[self.places[place as usize].plan as usize].is_empty()
    }

    /// Whether the world may be anywhere at all.
    pub fn is_in_world(&self, place: u32) -> bool {
        !self.sets.all[self.places[place as usize].world as usize].is_empty()
    }

    /// Whether the plan may stop at a place.
    pub fn may_stop(&self, place: u32) -> bool {
        let mut plan = self.sets.vertices(self.places[place as usize].plan);
        plan.any(|v| self.plan.is_terminal(v))
    }

    /// What the plan foresees at a place, ascending: actions that it offers, or observations.
    pub fn foreseen(&self, place: u32) -> Vec<Label> {
        let plan =
            self.sets.vertices(self.places[place as usize].plan).filter(|&v| !self.plan.is_terminal(v));
        let mut labels: Vec<Label> = plan.flat_map(|v| self.plan.graph.labels(v)).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// Whether the world can do something at a place.
    pub fn allows(&self, place: u32, label: Label) -> bool {
        self.sets
            .vertices(self.places[place as usize].world)
            .any(|w| self.problem.world.graph.bears(w, label))
    }

    /// Whether the robot acts or observes next; `None` once the plan was left.
    pub fn kind(&self, place: u32) -> Option<Kind> {
        self.sets.vertices(self.places[place as usize].plan).next().map(|v| self.plan.graph.kind(v))
    }

    /// What an observer holds possible at a place: vertices of the world, ascending; `None` once it is lost.
    pub fn estimate(&self, place: u32, observer: usize) -> Option<Vec<Vertex>> {
        let state = self.places[place as usize].minds[observer].state?;
        Some(self.trackers[observer].as_ref()?.estimate(state))
    }

    /// Whether so much is kept that it is time to forget.
    pub fn is_full(&mut self) -> bool {
        if self.places.len() < self.look_at {
            return false;
        }
        // It takes a while to find out.
        self.look_at = self.places.len() + 64;
        self.bytes() > self.most
    }

    /// Forgets every place but one; gives its new number.
    pub fn forget_all_but(&mut self, place: u32) -> u32 {
        let Place { plan, world, mut minds } = self.places[place as usize].clone();
        let old = std::mem::take(&mut self.sets);
        let mut moved = |set: u32| self.sets.intern(old.all[set as usize].to_vec());
        let [plan, world] = [plan, world].map(&mut moved);
        for (tracker, mind) in self.trackers.iter_mut().zip(&mut minds) {
            mind.state =
                tracker.as_mut().zip(mind.state).map(|(tracker, state)| tracker.forget_all_but(state));
            mind.divulged = mind.divulged.map(&mut moved);
        }
        (self.places, self.next, self.look_at) = (Vec::new(), Vec::new(), 0);
        self.number = FxHashMap::default();
        self.enter(Place { plan, world, minds })
    }
}

fn after(graph: &PGraph, from: impl Iterator<Item = Vertex>, label: Label) -> Vec<u32> {
    from.flat_map(|v| graph.step(v, label)).map(|arc| arc.to.0).collect()
}
