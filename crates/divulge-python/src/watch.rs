//! The observer at work, image by image.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use divulge::{
    formula::{self, Courses, Stipulations},
    limit::Monitor,
    problem::{Image, Label, Vertex},
    setting::{self, Here},
    verdict::QuestionError,
};
use pyo3::prelude::*;

use crate::{
    course::{At, Course, Deviation},
    hindsight::{Recall, Recollections},
    limits::{Given, Limits, compute},
    look::looking,
    problem::Problem,
};

/// Follows what an observer sees.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Watch {
    shared: Arc<Shared>,
    now: Mutex<Now>,
}

/// What does not change while it watches.
struct Shared {
    watch: setting::Watch,
    course: Course,
    /// The observer's stipulations, and what their runs have become as far as that was met.
    stipulations: Arc<Stipulations>,
    runs: Mutex<Courses>,
    recall: Option<Recall>,
    /// Vertices of the world, by those of the unfolded one where stipulations ask about the past.
    base: Option<Vec<Vertex>>,
}

/// Where the observer is, what has become of its stipulations, and where the execution itself is; `None` once that has left its course.
#[derive(Clone)]
struct Now {
    here: Here,
    run: Option<formula::Course>,
    recollected: Option<Recollections>,
    at: Option<At>,
}

/// Whether what was seen is expected by the observer, and how the execution itself has left its course, if it has now.
type Seen = (bool, Option<Deviation>);

fn start(
    problem: &Arc<divulge::Problem>,
    observer: usize,
    monitor: &dyn Monitor,
) -> Result<Shared, QuestionError> {
    looking(problem, observer, monitor, |setting, map| {
        let tracked = setting.divulged()?.tracked.as_ref();
        let known = tracked.map(|tracked| Arc::new(tracked.graph.clone().into_owned()));
        let world = setting.world();
        let base =
            world.past.is_some().then(|| world.graph.vertices().map(|v| world.base_vertex(v)).collect());
        Ok(Shared {
            watch: setting::Watch::new(setting, map)?,
            course: Course::new(problem, known),
            runs: Mutex::new(Courses::new(setting.stipulations())),
            stipulations: setting.shared_stipulations(),
            recall: Recall::new(setting, map)?,
            base,
        })
    })
}

impl Shared {
    fn first(&self) -> Now {
        let here = self.watch.start();
        let recollected = self.recall.as_ref().map(Recall::start);
        Now { run: self.advanced(None, &here), here, recollected, at: Some(self.course.start()) }
    }

    fn unseen(&self, label: Label) -> bool {
        self.watch.map().image(label).is_none()
    }

    /// The runs of the stipulations after one more moment.
    fn advanced(&self, before: Option<formula::Course>, here: &Here) -> Option<formula::Course> {
        let signature = self.stipulations.signature_of(self.watch.estimate(here)?);
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        Some(match before {
            None => runs.begin(&self.stipulations, &signature),
            Some(before) => runs.after(&self.stipulations, before, &signature),
        })
    }

    /// After an event with this image, the execution itself being here.
    fn after(&self, now: &Now, image: Image, at: Option<At>) -> Option<Now> {
        let here = self.watch.after(&now.here, Some(image));
        let run = self.advanced(now.run, &here)?;
        let recollected = self.recall.as_ref().zip(now.recollected.as_ref());
        let recollected = recollected.and_then(|(recall, before)| recall.after(before, image));
        Some(Now { here, run: Some(run), recollected, at })
    }
}

impl Watch {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Watch {
    /// Before the first event. The limits are for setting it up; one step of it is as short as the belief is small.
    #[new]
    fn new(py: Python<'_>, problem: &Problem, observer: usize, given: Given) -> PyResult<Self> {
        problem.total_map(py)?;
        problem.observer(py, observer)?;
        let inner = Arc::clone(&problem.inner);
        let limits = Limits::read(py, given)?;
        let shared = compute(py, &problem.inner, &limits, move |monitor| start(&inner, observer, monitor))?;
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
        let Some(image) = self.shared.watch.map().get(image) else { return (false, None) };
        py.detach(|| {
            let (shared, mut now) = (&*self.shared, self.now());
            let fits = |label| shared.watch.map().image(label) == Some(image);
            // Whatever nobody sees may have happened before.
            let meanwhile = |at| shared.course.meanwhile(at, &|label| shared.unseen(label));
            let next = now.at.as_ref().map(|at| shared.course.after(&meanwhile(at), &fits));
            let deviation = next.as_ref().and_then(|next| next.as_ref().err().cloned());
            let after = shared.after(&now, image, next.and_then(Result::ok));
            let expected = after.is_some();
            *now = after.unwrap_or_else(|| now.clone());
            (expected, deviation)
        })
    }

    /// An event happened, of which the observer sees the image, if it sees it at all.
    fn event(&self, py: Python<'_>, event: u32) -> Seen {
        if event as usize >= self.shared.course.labels() {
            return (false, None);
        }
        py.detach(|| {
            let (shared, mut now) = (&*self.shared, self.now());
            let next = now.at.as_ref().map(|at| shared.course.after(at, &|label| label.0 == event));
            let deviation = next.as_ref().and_then(|next| next.as_ref().err().cloned());
            let at = next.and_then(Result::ok);
            let after = match shared.watch.map().image(Label(event)) {
                Some(image) => shared.after(&now, image, at),
                None => Some(Now { at, ..now.clone() }).filter(|now| now.run.is_some()),
            };
            let expected = after.is_some();
            *now = after.unwrap_or_else(|| now.clone());
            (expected, deviation)
        })
    }

    /// If the plan cannot have terminated here: the events that it goes on with. `images`: events that nobody sees may have happened.
    fn unfinished(&self, images: bool) -> Option<Vec<u32>> {
        let (shared, now) = (&*self.shared, self.now());
        let at = now.at.as_ref()?;
        let unfinished = |at| shared.course.unfinished(at);
        if images { unfinished(&shared.course.meanwhile(at, &|l| shared.unseen(l))) } else { unfinished(at) }
    }

    /// The images that may be seen next.
    fn expected(&self) -> Vec<String> {
        let watch = &self.shared.watch;
        let next = watch.next(&self.now().here);
        next.into_iter().map(|(image, _)| watch.map().name(image).to_owned()).collect()
    }

    /// The estimate; `None` if no expected execution looks like what was seen.
    fn estimate(&self) -> Option<Vec<u32>> {
        let estimate = self.shared.watch.estimate(&self.now().here)?;
        let mut all: Vec<u32> = match &self.shared.base {
            Some(base) => estimate.into_iter().map(|v| base[v.index()].0).collect(),
            None => estimate.into_iter().map(|v| v.0).collect(),
        };
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// Of each stipulation, whether it holds now, whatever its scope, and whether it is broken for good if it is about a run; `None`
    /// without an estimate.
    fn standing(&self) -> Option<Vec<(bool, bool)>> {
        let now = self.now();
        let mut all: Vec<(bool, bool)> =
            self.shared.watch.standing(&now.here)?.into_iter().map(|holds| (holds, !holds)).collect();
        let runs = self.shared.runs.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, stands) in all.iter_mut().enumerate() {
            if let Some(run) = now.run.and_then(|run| runs.standing(number, run)) {
                *stands = (run.may_end, !run.can_be_mended);
            }
        }
        let recalled = self.shared.recall.as_ref().zip(now.recollected.as_ref());
        for broken in recalled.map(|(recall, now)| recall.broken(now)).unwrap_or_default() {
            all[broken] = (false, true);
        }
        Some(all)
    }
}
