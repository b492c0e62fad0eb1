//! What really happened, beside what the observer sees of it: whether the world, the plan and what the observer knows of the
//! plan have an execution like that.

use std::sync::Arc;

use divulge::problem::{Label, PGraph, Vertex};

/// The graphs that an execution is followed in.
pub struct Course {
    problem: Arc<divulge::Problem>,
    /// The plan, without the edges out of terminal vertices.
    plan: Option<PGraph>,
    /// The executions in L(W) ∩ L(D); `None` where nothing is expected.
    known: Option<Arc<PGraph>>,
}

/// Where an execution of which all or some events are known may be.
#[derive(Clone)]
pub struct At {
    world: Vec<u32>,
    /// Pairs of a plan vertex and a world vertex.
    plan: Vec<(u32, u32)>,
    known: Vec<u32>,
}

/// An event that should not have happened: what does not have it (`world`, `plan` or `known`), and the events that would have
/// been expected.
pub type Deviation = (&'static str, Vec<u32>);

fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort_unstable();
    all.dedup();
    all
}

fn step(graph: &PGraph, at: &[u32], fits: &dyn Fn(Label) -> bool) -> Vec<u32> {
    let arcs = at.iter().flat_map(|&v| graph.arcs(Vertex(v)));
    sorted(arcs.filter(|arc| fits(arc.label)).map(|arc| arc.to.0).collect())
}

fn labels(graph: &PGraph, at: &[u32]) -> Vec<u32> {
    sorted(at.iter().flat_map(|&v| graph.arcs(Vertex(v))).map(|arc| arc.label.0).collect())
}

impl Course {
    /// In a problem, its plan included if it has one; `known` is what the observer reckons with.
    pub fn new(problem: &Arc<divulge::Problem>, known: Option<Arc<PGraph>>) -> Self {
        let plan = problem.plan.as_ref().map(|plan| plan.effective());
        Self { problem: Arc::clone(problem), plan, known }
    }

    /// How many labels the problem has.
    pub fn labels(&self) -> usize {
        self.problem.alphabet.len()
    }

    /// Before the first event.
    pub fn start(&self) -> At {
        let initial = |graph: &PGraph| graph.initial().iter().map(|v| v.0).collect::<Vec<_>>();
        let world = initial(&self.problem.world.graph);
        let plan = self.plan.as_ref().map(initial).unwrap_or_default();
        let pairs = plan.iter().flat_map(|&p| world.iter().map(move |&w| (p, w))).collect();
        At { plan: pairs, known: self.known.as_deref().map(initial).unwrap_or_default(), world }
    }

    /// After an event that `fits`, which is one label, or all that have the image that was seen.
    pub fn after(&self, at: &At, fits: &dyn Fn(Label) -> bool) -> Result<At, Deviation> {
        let world_graph = &self.problem.world.graph;
        let world = step(world_graph, &at.world, fits);
        if world.is_empty() {
            return Err(("world", self.expected(at)));
        }
        let next = sorted(self.together(at).filter(|(l, _)| fits(*l)).map(|(_, pair)| pair).collect());
        if self.plan.is_some() && next.is_empty() {
            return Err(("plan", self.expected(at)));
        }
        let known = self.known.as_ref().map(|graph| step(graph, &at.known, fits)).unwrap_or_default();
        if known.is_empty() {
            return Err(("known", self.expected(at)));
        }
        Ok(At { world, plan: next, known })
    }

    /// Wherever events that fit may have led meanwhile: those that nobody sees, where only images are known.
    pub fn meanwhile(&self, at: &At, fits: &dyn Fn(Label) -> bool) -> At {
        let mut now = at.clone();
        loop {
            let before = (now.world.len(), now.plan.len(), now.known.len());
            let world = step(&self.problem.world.graph, &now.world, fits);
            let plan: Vec<_> = self.together(&now).filter(|(l, _)| fits(*l)).map(|(_, pair)| pair).collect();
            let known = self.known.as_ref().map(|graph| step(graph, &now.known, fits)).unwrap_or_default();
            now = At {
                world: sorted([now.world, world].concat()),
                plan: sorted([now.plan, plan].concat()),
                known: sorted([now.known, known].concat()),
            };
            if before == (now.world.len(), now.plan.len(), now.known.len()) {
                return now;
            }
        }
    }

    /// What may happen next in the world, whatever the plan.
    pub fn possible(&self, at: &At) -> Vec<u32> {
        labels(&self.problem.world.graph, &at.world)
    }

    /// If the plan cannot have terminated here: what it goes on with.
    pub fn unfinished(&self, at: &At) -> Option<Vec<u32>> {
        let plan = self.problem.plan.as_ref()?;
        let done = at.plan.iter().any(|&(p, _)| plan.is_terminal(Vertex(p)));
        (!done).then(|| self.expected(at))
    }

    /// What may happen next: in the plan, or as far as the observer knows, or else in the world.
    fn expected(&self, at: &At) -> Vec<u32> {
        match (&self.plan, &self.known) {
            (Some(_), _) => sorted(self.together(at).map(|(label, _)| label.0).collect()),
            (None, Some(known)) => labels(known, &at.known),
            (None, None) => labels(&self.problem.world.graph, &at.world),
        }
    }

    /// The steps that plan and world take together: the label, and the pair that it leads to.
    fn together<'a>(&'a self, at: &'a At) -> impl Iterator<Item = (Label, (u32, u32))> + 'a {
        let world = &self.problem.world.graph;
        at.plan.iter().flat_map(move |&(p, w)| {
            let arcs = self.plan.iter().flat_map(move |plan| plan.arcs(Vertex(p)));
            arcs.flat_map(move |mine| {
                let there = world.arcs(Vertex(w)).iter().filter(move |arc| arc.label == mine.label);
                there.map(move |arc| (arc.label, (mine.to.0, arc.to.0)))
            })
        })
    }
}
