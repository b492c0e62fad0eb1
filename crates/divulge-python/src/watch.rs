//! The observer at work, image by image.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use divulge::{
    formula::Stipulations,
    observer::{Divulged, StateId, Tracker},
    problem::{Image, Label, LabelMap, PGraph, Vertex},
    verdict::QuestionError,
};
use pyo3::prelude::*;

use crate::{
    course::{At, Course, Deviation},
    error,
    problem::Problem,
};

/// How the observer remembers.
enum Mind {
    /// Nothing is expected, not even the start.
    Nothing,
    /// Perfect recall over W ⊗ D, whose vertices stand for world vertices.
    Recall { graph: Arc<PGraph>, stands_for: Vec<Vec<u32>> },
    /// The states of a filter, all of them: their estimates, and where images lead.
    Table { estimates: Vec<Vec<u32>>, next: Vec<Vec<(Image, u32)>> },
}

/// Where the observer is.
#[derive(Clone)]
enum Here {
    Belief(Vec<u32>),
    State(u32),
    /// No expected execution looks like that.
    Lost,
}

/// Follows what an observer sees.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Watch {
    shared: Arc<Shared>,
    now: Mutex<Now>,
}

/// What does not change while it watches.
struct Shared {
    map: LabelMap,
    mind: Mind,
    stipulations: Stipulations,
    course: Course,
}

/// Where the observer is, and where the execution itself; `None` once that has left its course.
#[derive(Clone)]
struct Now {
    here: Here,
    at: Option<At>,
}

/// Whether what was seen is expected by the observer, and how the execution itself has left its course, if it has now.
type Seen = (bool, Option<Deviation>);

fn start(problem: &Arc<divulge::Problem>) -> Result<Shared, QuestionError> {
    let map = problem.observer.map.clone().ok_or(QuestionError::NeedsMap)?;
    let stipulations = Stipulations::compile(&problem.world, &problem.observer.stipulations)
        .map_err(|(i, e)| QuestionError::Formula(i, e))?;
    let divulged = Divulged::new(problem, problem.plan.as_ref())?;
    let Some(tracked) = &divulged.tracked else {
        let course = Course::new(problem, None);
        return Ok(Shared { map, mind: Mind::Nothing, stipulations, course });
    };
    let graph = Arc::new(tracked.graph.clone().into_owned());
    let course = Course::new(problem, Some(Arc::clone(&graph)));
    let mind = match tracked.recalled_by(&problem.observer.filter) {
        true => Mind::Recall {
            graph,
            stands_for: tracked
                .graph
                .vertices()
                .map(|v| tracked.world_vertices(v).map(|w| w.0).collect())
                .collect(),
        },
        false => {
            let tracker = Tracker::new(problem, &map, tracked, &stipulations)?;
            let states = || (0..tracker.len() as u32).map(StateId);
            let estimate = |s| tracker.estimate(s).iter().map(|v| v.0).collect();
            let next = |s| tracker.known_successors(s).iter().map(|&(image, to)| (image, to.0)).collect();
            Mind::Table { estimates: states().map(estimate).collect(), next: states().map(next).collect() }
        }
    };
    Ok(Shared { map, mind, stipulations, course })
}

impl Shared {
    fn first(&self) -> Now {
        Now { here: self.imagined(), at: Some(self.course.start()) }
    }

    fn imagined(&self) -> Here {
        match &self.mind {
            Mind::Nothing => Here::Lost,
            Mind::Recall { graph, .. } => Here::Belief(graph.initial().iter().map(|v| v.0).collect()),
            Mind::Table { .. } => Here::State(0),
        }
    }

    fn after(&self, here: &Here, image: Option<Image>) -> Here {
        let (Some(image), mind) = (image, &self.mind) else { return Here::Lost };
        match (here, mind) {
            (Here::Belief(belief), Mind::Recall { graph, .. }) => {
                let arcs = belief.iter().flat_map(|&v| graph.arcs(Vertex(v)));
                let mut next: Vec<u32> =
                    arcs.filter(|arc| self.map.image(arc.label) == image).map(|arc| arc.to.0).collect();
                next.sort_unstable();
                next.dedup();
                if next.is_empty() { Here::Lost } else { Here::Belief(next) }
            }
            (Here::State(state), Mind::Table { next, .. }) => {
                let next = &next[*state as usize];
                next.binary_search_by_key(&image, |(i, _)| *i)
                    .map_or(Here::Lost, |at| Here::State(next[at].1))
            }
            _ => Here::Lost,
        }
    }

    fn believed(&self, here: &Here) -> Option<Vec<u32>> {
        match (here, &self.mind) {
            (Here::Belief(belief), Mind::Recall { stands_for, .. }) => {
                let mut all: Vec<u32> =
                    belief.iter().flat_map(|&v| stands_for[v as usize].iter().copied()).collect();
                all.sort_unstable();
                all.dedup();
                Some(all)
            }
            (Here::State(state), Mind::Table { estimates, .. }) => Some(estimates[*state as usize].clone()),
            _ => None,
        }
    }
}

impl Watch {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn believed(&self) -> Option<Vec<u32>> {
        self.shared.believed(&self.now().here)
    }

    /// The observer sees an image, which the events that `fit` have. Nothing changes if it does not expect that.
    fn take(&self, image: Option<Image>, fits: &dyn Fn(Label) -> bool) -> Seen {
        let mut now = self.now();
        let here = self.shared.after(&now.here, image);
        let next = now.at.as_ref().map(|at| self.shared.course.after(at, fits));
        let deviation = next.as_ref().and_then(|next| next.as_ref().err().cloned());
        let expected = !matches!(here, Here::Lost);
        if expected {
            *now = Now { here, at: next.and_then(Result::ok) };
        }
        (expected, deviation)
    }
}

#[pymethods]
impl Watch {
    /// Before the first event.
    #[new]
    fn new(py: Python<'_>, problem: &Problem) -> PyResult<Self> {
        problem.total_map(py)?;
        let inner = Arc::clone(&problem.inner);
        let shared = py.detach(|| start(&inner)).map_err(|e| error::question(py, &inner, &e))?;
        let now = Mutex::new(shared.first());
        Ok(Self { shared: Arc::new(shared), now })
    }

    /// Another one that is where this one is now.
    fn copy(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), now: Mutex::new(self.now().clone()) }
    }

    /// Back to before the first event.
    fn restart(&self) {
        *self.now() = self.shared.first();
    }

    /// An image was seen. False, and nothing changes, if no expected execution looks like that.
    fn see(&self, py: Python<'_>, image: &str) -> Seen {
        let map = &self.shared.map;
        let image = map.get(image);
        py.detach(|| self.take(image, &|label| Some(map.image(label)) == image))
    }

    /// An event happened, of which the observer sees the image.
    fn event(&self, py: Python<'_>, event: u32) -> Seen {
        let image = (event as usize) < self.shared.course.labels();
        let image = image.then(|| self.shared.map.image(Label(event)));
        py.detach(|| self.take(image, &|label| label.0 == event))
    }

    /// If the plan cannot have terminated here: the events that it goes on with.
    fn unfinished(&self) -> Option<Vec<u32>> {
        self.now().at.as_ref().and_then(|at| self.shared.course.unfinished(at))
    }

    /// The images that may be seen next.
    fn expected(&self) -> Vec<String> {
        let shared = &self.shared;
        let mut images: Vec<Image> = match (&self.now().here, &shared.mind) {
            (Here::Belief(belief), Mind::Recall { graph, .. }) => {
                let arcs = belief.iter().flat_map(|&v| graph.arcs(Vertex(v)));
                arcs.map(|arc| shared.map.image(arc.label)).collect()
            }
            (Here::State(state), Mind::Table { next, .. }) => {
                next[*state as usize].iter().map(|(image, _)| *image).collect()
            }
            _ => Vec::new(),
        };
        images.sort_unstable();
        images.dedup();
        images.into_iter().map(|image| shared.map.name(image).to_owned()).collect()
    }

    /// The estimate; `None` if no expected execution looks like what was seen.
    fn estimate(&self) -> Option<Vec<u32>> {
        self.believed()
    }

    /// Whether each stipulation holds of the estimate, whatever its scope; `None` without an estimate.
    fn standing(&self) -> Option<Vec<bool>> {
        let (estimate, stipulations) = (self.believed()?, &self.shared.stipulations);
        let signature = stipulations.signature_of(estimate.into_iter().map(Vertex));
        Some(stipulations.all().iter().map(|s| s.holds(&signature)).collect())
    }
}
