//! The observer at work, image by image.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use divulge::{
    formula::{self, Courses, Stipulations},
    limit::Monitor,
    problem::{Image, Label, Vertex},
    setting::{self, Here},
    verdict::QuestionError,
};
use divulge_render::look::looking;
use pyo3::prelude::*;

use crate::{
    course::{At, Course, Deviation},
    hindsight::{Recall, Recollections},
    limits::{Given, Limits, compute, make},
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
    /// How many steps were taken.
    steps: u64,
}

/// What is told: an image that was seen, or an event.
#[derive(Clone, Copy)]
enum Step {
    Seen(Image),
    Happened(Label),
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
        Now { run: self.advanced(None, &here), here, recollected, at: Some(self.course.start()), steps: 0 }
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
        Some(Now { here, run: Some(run), recollected, at, steps: now.steps + 1 })
    }

    /// After one more step, if the observer expects it; and how the execution itself leaves its course, if it does.
    fn step(&self, now: &Now, step: Step) -> (Option<Now>, Option<Deviation>) {
        let next = now.at.as_ref().map(|at| match step {
            // Whatever nobody sees may have happened before.
            Step::Seen(image) => {
                let meanwhile = self.course.meanwhile(at, &|label| self.unseen(label));
                self.course.after(&meanwhile, &|label| self.watch.map().image(label) == Some(image))
            }
            Step::Happened(event) => self.course.after(at, &|label| label == event),
        });
        let deviation = next.as_ref().and_then(|next| next.as_ref().err().cloned());
        let at = next.and_then(Result::ok);
        let image = match step {
            Step::Seen(image) => Some(image),
            Step::Happened(event) => self.watch.map().image(event),
        };
        let after = match image {
            Some(image) => self.after(now, image, at),
            None => Some(Now { at, steps: now.steps + 1, ..now.clone() }).filter(|now| now.run.is_some()),
        };
        (after, deviation)
    }
}

impl Watch {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a step. One without limits is taken at once; one that was stopped changes nothing.
    fn take(&self, py: Python<'_>, step: Step, given: Given) -> PyResult<Seen> {
        let limits = Limits::read(py, given)?;
        let limited = limits.time.is_some() || limits.memory.is_some();
        if !limited {
            return Ok(py.detach(|| {
                let mut now = self.now();
                let (after, deviation) = self.shared.step(&now, step);
                let expected = after.is_some();
                *now = after.unwrap_or_else(|| now.clone());
                (expected, deviation)
            }));
        }
        loop {
            let (shared, before) = (Arc::clone(&self.shared), self.now().clone());
            let steps = before.steps;
            let (after, deviation) = make(py, &limits, move |_| Ok(shared.step(&before, step)))?;
            let mut now = self.now();
            // Another thread may have been faster: then the step is taken from where it left off.
            if now.steps == steps {
                let expected = after.is_some();
                *now = after.unwrap_or_else(|| now.clone());
                return Ok((expected, deviation));
            }
        }
    }
}

#[pymethods]
impl Watch {
    /// Before the first event. The limits are for setting it up; each step has its own.
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
    fn see(&self, py: Python<'_>, image: &str, given: Given) -> PyResult<Seen> {
        match self.shared.watch.map().get(image) {
            Some(image) => self.take(py, Step::Seen(image), given),
            None => Ok((false, None)),
        }
    }

    /// An event happened, of which the observer sees the image, if it sees it at all.
    fn event(&self, py: Python<'_>, event: u32, given: Given) -> PyResult<Seen> {
        if event as usize >= self.shared.course.labels() {
            return Ok((false, None));
        }
        self.take(py, Step::Happened(Label(event)), given)
    }

    /// The events that the world has where the execution is; `None` once that has left its course.
    fn possible(&self) -> Option<Vec<u32>> {
        let now = self.now();
        Some(self.shared.course.possible(now.at.as_ref()?))
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
