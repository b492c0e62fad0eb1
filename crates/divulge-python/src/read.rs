//! Models and documents, from files or from texts.

use std::path::PathBuf;

use divulge_host::{Files, short};
use divulge_model::{
    diagnostic::{self, decode},
    document,
    language::{self, looks_like_json},
};
use pyo3::{prelude::*, types::PyString};

use crate::{
    error::{self, plain},
    problem::Problem,
};

/// A problem, and warnings about it.
type Read<'py> = (Problem, Vec<Bound<'py, PyAny>>);

/// Reads a model or a document from a file. `set` gives constants of a model other values.
#[pyfunction]
pub fn load<'py>(py: Python<'py>, path: PathBuf, set: Vec<(String, String)>) -> PyResult<Read<'py>> {
    let name = short(&path);
    // Python's own errors for files that cannot be read: FileNotFoundError and its kin.
    let bytes = std::fs::read(&path).map_err(|e| {
        let e: PyErr = e.into();
        let _ = e.value(py).setattr("filename", name.as_str());
        e
    })?;
    let text = decode(&name, bytes).map_err(|found| error::input(py, &found))?;
    read(py, &name, &text, &set)
}

/// Reads a model or a document from a text; `name` is what it is called in messages, and where includes start from.
#[pyfunction]
pub fn loads<'py>(
    py: Python<'py>,
    text: &str,
    name: &str,
    set: Vec<(String, String)>,
) -> PyResult<Read<'py>> {
    read(py, name, text, &set)
}

/// What the code of a diagnostic means, at length.
#[pyfunction]
pub fn explain_code(code: &str) -> Option<&'static str> {
    diagnostic::explain(code)
}

/// Advice for a name that is not known, if one is near. Texts that are no valid Unicode are compared as they would be shown.
#[pyfunction]
pub fn did_you_mean(name: &Bound<'_, PyString>, known: Vec<Bound<'_, PyString>>) -> Option<String> {
    let known: Vec<_> = known.iter().map(|text| text.to_string_lossy()).collect();
    diagnostic::did_you_mean(&name.to_string_lossy(), known.iter().map(|text| &**text))
}

fn read<'py>(py: Python<'py>, name: &str, text: &str, set: &[(String, String)]) -> PyResult<Read<'py>> {
    if !looks_like_json(text) {
        let (problem, found) = py.detach(|| language::load(name, text, &Files, set));
        return match problem {
            Some(problem) => Ok((Problem::of(problem, None), error::list(py, &found)?)),
            None => Err(error::input(py, &found)),
        };
    }
    if let Some((constant, _)) = set.first() {
        let message =
            format!("`{constant}` would be a constant of a model, and {name} is a problem document");
        return Err(plain(py, &message, Some("leave `set` out, or load the model that it was made from")));
    }
    match py.detach(|| document::read(name, text)) {
        Ok(document) => {
            let (gap, warnings) = (document.total_map().err(), error::list(py, &document.warnings)?);
            Ok((Problem::of(document.problem, gap), warnings))
        }
        Err(found) => Err(error::input(py, &found)),
    }
}
