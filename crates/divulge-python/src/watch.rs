//! The observer at work, image by image.

use std::sync::{Arc, Mutex, PoisonError};

use divulge::{
    formula::Stipulations,
    observer::{Divulged, StateId, Tracker},
    problem::{Image, LabelMap, PGraph, Vertex},
    verdict::QuestionError,
};
use pyo3::prelude::*;

use crate::{error, problem::Problem};

/// How the observer remembers.
enum Mind {
    /// Nothing is expected, not even the start.
    Nothing,
    /// Perfect recall over W ⊗ D, whose vertices stand for world vertices.
    Recall { graph: PGraph, stands_for: Vec<Vec<u32>> },
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
    map: LabelMap,
    mind: Mind,
    stipulations: Stipulations,
    here: Mutex<Here>,
}

/// What is needed to start.
type Start = (LabelMap, Mind, Stipulations);

fn start(problem: &divulge::Problem) -> Result<Start, QuestionError> {
    let map = problem.observer.map.clone().ok_or(QuestionError::NeedsMap)?;
    let stipulations = Stipulations::compile(&problem.world, &problem.observer.stipulations)
        .map_err(|(i, e)| QuestionError::Formula(i, e))?;
    let divulged = Divulged::new(problem, problem.plan.as_ref())?;
    let Some(tracked) = &divulged.tracked else { return Ok((map, Mind::Nothing, stipulations)) };
    let mind = match tracked.recalled_by(&problem.observer.filter) {
        true => Mind::Recall {
            graph: tracked.graph.clone().into_owned(),
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
    Ok((map, mind, stipulations))
}

impl Watch {
    fn first(&self) -> Here {
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

    fn here(&self) -> std::sync::MutexGuard<'_, Here> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn believed(&self) -> Option<Vec<u32>> {
        match (&*self.here(), &self.mind) {
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

#[pymethods]
impl Watch {
    /// Before the first event.
    #[new]
    fn new(py: Python<'_>, problem: &Problem) -> PyResult<Self> {
        problem.total_map(py)?;
        let inner = Arc::clone(&problem.inner);
        let (map, mind, stipulations) =
            py.detach(|| start(&inner)).map_err(|e| error::question(py, &inner, &e))?;
        let watch = Self { map, mind, stipulations, here: Mutex::new(Here::Lost) };
        *watch.here() = watch.first();
        Ok(watch)
    }

    /// Back to before the first event.
    fn restart(&self) {
        let first = self.first();
        *self.here() = first;
    }

    /// An image was seen. False, and nothing changes, if no expected execution looks like that.
    fn see(&self, py: Python<'_>, image: &str) -> bool {
        let image = self.map.get(image);
        py.detach(|| {
            let mut here = self.here();
            let next = self.after(&here, image);
            let expected = !matches!(next, Here::Lost);
            if expected {
                *here = next;
            }
            expected
        })
    }

    /// The images that may be seen next.
    fn expected(&self) -> Vec<String> {
        let mut images: Vec<Image> = match (&*self.here(), &self.mind) {
            (Here::Belief(belief), Mind::Recall { graph, .. }) => {
                let arcs = belief.iter().flat_map(|&v| graph.arcs(Vertex(v)));
                arcs.map(|arc| self.map.image(arc.label)).collect()
            }
            (Here::State(state), Mind::Table { next, .. }) => {
                next[*state as usize].iter().map(|(image, _)| *image).collect()
            }
            _ => Vec::new(),
        };
        images.sort_unstable();
        images.dedup();
        images.into_iter().map(|image| self.map.name(image).to_owned()).collect()
    }

    /// The estimate; `None` if no expected execution looks like what was seen.
    fn estimate(&self) -> Option<Vec<u32>> {
        self.believed()
    }

    /// Whether each stipulation holds of the estimate, whatever its scope; `None` without an estimate.
    fn standing(&self) -> Option<Vec<bool>> {
        let estimate = self.believed()?;
        let signature = self.stipulations.signature_of(estimate.into_iter().map(Vertex));
        Some(self.stipulations.all().iter().map(|s| s.holds(&signature)).collect())
    }
}
