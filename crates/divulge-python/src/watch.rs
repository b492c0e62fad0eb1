//! The observer at work, image by image.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use divulge::{
    limit::Monitor,
    problem::{Image, Label},
    setting::{self, Here, Setting},
    verdict::QuestionError,
};
use pyo3::prelude::*;

use crate::{
    course::{At, Course, Deviation},
    limits::{Given, Limits, compute},
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
}

/// Where the observer is, and where the execution itself; `None` once that has left its course.
#[derive(Clone)]
struct Now {
    here: Here,
    at: Option<At>,
}

/// Whether what was seen is expected by the observer, and how the execution itself has left its course, if it has now.
type Seen = (bool, Option<Deviation>);

fn start(problem: &Arc<divulge::Problem>, monitor: &dyn Monitor) -> Result<Shared, QuestionError> {
    let setting = Setting::pose(problem, problem.plan.as_ref(), monitor)?;
    let watch = setting::Watch::new(&setting, setting.map()?)?;
    let tracked = setting.divulged()?.tracked.as_ref();
    let course = Course::new(problem, tracked.map(|tracked| Arc::new(tracked.graph.clone().into_owned())));
    Ok(Shared { watch, course })
}

impl Shared {
    fn first(&self) -> Now {
        Now { here: self.watch.start(), at: Some(self.course.start()) }
    }

    fn after(&self, here: &Here, image: Option<Image>) -> Here {
        image.map_or(Here::Lost, |image| self.watch.after(here, Some(image)))
    }
}

impl Watch {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// Before the first event. The limits are for setting it up; one step of it is as short as the belief is small.
    #[new]
    fn new(py: Python<'_>, problem: &Problem, given: Given) -> PyResult<Self> {
        problem.total_map(py)?;
        let inner = Arc::clone(&problem.inner);
        let limits = Limits::read(py, given)?;
        let shared = compute(py, &problem.inner, &limits, move |monitor| start(&inner, monitor))?;
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
        let map = self.shared.watch.map();
        let image = map.get(image);
        py.detach(|| self.take(image, &|label| image.is_some() && map.image(label) == image))
    }

    /// An event happened, of which the observer sees the image.
    fn event(&self, py: Python<'_>, event: u32) -> Seen {
        let image = (event as usize) < self.shared.course.labels();
        let image = image.then(|| self.shared.watch.map().image(Label(event))).flatten();
        py.detach(|| self.take(image, &|label| label.0 == event))
    }

    /// If the plan cannot have terminated here: the events that it goes on with.
    fn unfinished(&self) -> Option<Vec<u32>> {
        self.now().at.as_ref().and_then(|at| self.shared.course.unfinished(at))
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
        Some(estimate.into_iter().map(|v| v.0).collect())
    }

    /// Whether each stipulation holds of the estimate, whatever its scope; `None` without an estimate.
    fn standing(&self) -> Option<Vec<bool>> {
        self.shared.watch.standing(&self.now().here)
    }
}
