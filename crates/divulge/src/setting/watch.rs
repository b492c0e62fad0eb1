//! An observer at work, event by event, that borrows nothing: for programs that follow a robot as it runs.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    formula::Stipulations,
    limit::Progress,
    observer::{StateId, Successors},
    problem::{Image, LabelMap, PGraph, Vertex},
    sets::Members,
    setting::Setting,
    verdict::QuestionError,
};

/// How the observer remembers.
enum Mind {
    /// Nothing is expected, not even the start.
    Nothing,
    /// Perfect recall over W ⊗ D, whose vertices stand for world vertices.
    Recall { graph: PGraph, stands_for: Vec<Vec<u32>>, successors: Box<Mutex<Successors>> },
    /// The states of a filter, all of them: their estimates, and where images lead.
    Table { estimates: Vec<Vec<Vertex>>, next: Vec<Vec<(Image, StateId)>> },
}

/// Where the observer is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Here {
    /// It holds these vertices of what it reckons with possible, ascending.
    Belief(Vec<u32>),
    /// Its filter is in this state.
    State(StateId),
    /// No expected execution looks like what it saw.
    Lost,
}

/// Follows what an observer sees.
pub struct Watch {
    map: LabelMap,
    mind: Mind,
    stipulations: Arc<Stipulations>,
}

impl Watch {
    /// The observer of a setting, behind a map.
    ///
    /// # Errors
    /// As [`Setting::tracker`].
    pub fn new(setting: &Setting<'_>, map: &LabelMap) -> Result<Self, QuestionError> {
        let mind = match &setting.divulged()?.tracked {
            None => Mind::Nothing,
            Some(tracked)
                if tracked.recalled_by(&setting.observer().filter, &setting.world().base().graph) =>
            {
                Mind::Recall {
                    graph: tracked.graph.clone().into_owned(),
                    stands_for: tracked
                        .graph
                        .vertices()
                        .map(|v| tracked.world_vertices(v).map(|w| w.0).collect())
                        .collect(),
                    successors: Box::new(Mutex::new(Successors::new(
                        &tracked.graph,
                        map.images(),
                        map.len(),
                    ))),
                }
            }
            Some(_) => {
                let Some(mut tracker) = setting.tracker(map)? else { return Self::nothing(setting, map) };
                // States are found as they are asked for.
                let mut asked = 0;
                while asked < tracker.len() {
                    setting.poll(&Progress::default())?;
                    tracker.successors(StateId(asked as u32));
                    asked += 1;
                }
                let states = || (0..tracker.len() as u32).map(StateId);
                Mind::Table {
                    estimates: states().map(|s| tracker.estimate(s)).collect(),
                    next: states().map(|s| tracker.known_successors(s).to_vec()).collect(),
                }
            }
        };
        Ok(Self { map: map.clone(), mind, stipulations: setting.shared_stipulations() })
    }

    fn nothing(setting: &Setting<'_>, map: &LabelMap) -> Result<Self, QuestionError> {
        Ok(Self { map: map.clone(), mind: Mind::Nothing, stipulations: setting.shared_stipulations() })
    }

    /// What the observer sees through.
    pub fn map(&self) -> &LabelMap {
        &self.map
    }

    /// Before the first event.
    pub fn start(&self) -> Here {
        match &self.mind {
            Mind::Nothing => Here::Lost,
            Mind::Recall { graph, successors, .. } => {
                let mut start: Vec<u32> = graph.initial().iter().map(|v| v.0).collect();
                successors.lock().unwrap_or_else(PoisonError::into_inner).close(&mut start);
                Here::Belief(start)
            }
            Mind::Table { .. } => Here::State(StateId(0)),
        }
    }

    /// All images that may be seen next, ascending, with where they lead.
    pub fn next(&self, here: &Here) -> Vec<(Image, Here)> {
        match (here, &self.mind) {
            (Here::Belief(belief), Mind::Recall { graph, successors, .. }) => {
                let mut successors = successors.lock().unwrap_or_else(PoisonError::into_inner);
                successors.compute(graph, Members::List(belief));
                let found = successors.found();
                found.map(|(image, to)| (image, Here::Belief(to.iter().collect()))).collect()
            }
            (Here::State(state), Mind::Table { next, .. }) => {
                next[state.index()].iter().map(|&(image, to)| (image, Here::State(to))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// After an event that looks like `image`; if it is not seen at all, nothing has changed.
    pub fn after(&self, here: &Here, image: Option<Image>) -> Here {
        let Some(image) = image else { return here.clone() };
        let next = self.next(here);
        let found = next.into_iter().find(|(seen, _)| *seen == image);
        found.map_or(Here::Lost, |(_, here)| here)
    }

    /// The estimate, ascending; `None` if no expected execution looks like what was seen.
    pub fn estimate(&self, here: &Here) -> Option<Vec<Vertex>> {
        match (here, &self.mind) {
            (Here::Belief(belief), Mind::Recall { stands_for, .. }) => {
                let mut all: Vec<Vertex> =
                    belief.iter().flat_map(|&v| &stands_for[v as usize]).map(|&w| Vertex(w)).collect();
                all.sort_unstable();
                all.dedup();
                Some(all)
            }
            (Here::State(state), Mind::Table { estimates, .. }) => Some(estimates[state.index()].clone()),
            _ => None,
        }
    }

    /// Whether each stipulation holds of the estimate, whatever its scope; `None` without an estimate.
    pub fn standing(&self, here: &Here) -> Option<Vec<bool>> {
        let signature = self.stipulations.signature_of(self.estimate(here)?);
        Some(self.stipulations.all().iter().map(|s| s.holds(&signature)).collect())
    }
}
