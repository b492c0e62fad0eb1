//! Pictures and pages.

use divulge_explore::page::{LARGEST, Opening, TooLarge, page};
use pyo3::prelude::*;

use crate::{error::plain, problem::Problem};

/// The explorer for a problem with a plan and a map filled in, as one HTML page. `note`: a headline and a text to begin with.
#[pyfunction]
pub fn explore(
    py: Python<'_>,
    problem: &Problem,
    events: Option<Vec<String>>,
    note: Option<(String, String)>,
) -> PyResult<String> {
    if problem.inner.observer.map.is_some() {
        problem.total_map(py)?;
    }
    let opening = Opening { events, note };
    py.detach(|| page(&problem.inner, &opening)).map_err(|TooLarge(bytes)| {
        let (bytes, most) = (bytes >> 20, LARGEST >> 20);
        let message = format!("the problem is too large for a page: {bytes} MB, and {most} MB is the most");
        plain(py, &message, Some("explore a smaller one of its kind"))
    })
}
