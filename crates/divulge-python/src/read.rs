//! Models and documents, from files or from texts.

use std::path::{Path, PathBuf};

use divulge_host::{Files, short};
use divulge_model::{
    diagnostic::{self, decode},
    document::{self, Whom},
    foreign,
    language::{self, looks_like_json},
};
use pyo3::{exceptions::PyOSError, prelude::*, types::PyString};

use crate::{
    error::{self, plain},
    limits::{Given, Limits, make},
    problem::{Problem, lint},
};

/// A problem, warnings about it, and how a file of another tool was understood.
type Read<'py> = (Problem, Vec<Bound<'py, PyAny>>, Vec<String>);

/// Reads a model or a document from a file. `set` gives constants of a model other values.
#[pyfunction]
pub fn load<'py>(
    py: Python<'py>,
    path: PathBuf,
    set: Vec<(String, String)>,
    given: Given,
) -> PyResult<Read<'py>> {
    let (name, limits) = (short(&path), Limits::read(py, given)?);
    let from = path.clone();
    let bytes = make(py, &limits, move |_| Ok(std::fs::read(from)))?.map_err(|e| cannot_read(&path, e))?;
    let text = decode(&name, bytes).map_err(|found| error::input(py, &found))?;
    read(py, name, text, set, &limits)
}

/// Python's own error for a file that cannot be read: with its number, OSError becomes FileNotFoundError and its kin.
fn cannot_read(path: &Path, e: std::io::Error) -> PyErr {
    let Some(number) = e.raw_os_error() else { return e.into() };
    let whole = e.to_string();
    let said = whole.strip_suffix(&format!(" (os error {number})")).unwrap_or(&whole).to_owned();
    PyOSError::new_err((number, said, path.as_os_str().to_owned()))
}

/// Reads a model or a document from a text; `name` is what it is called in messages, and where includes start from.
#[pyfunction]
pub fn loads<'py>(
    py: Python<'py>,
    text: String,
    name: String,
    set: Vec<(String, String)>,
    given: Given,
) -> PyResult<Read<'py>> {
    read(py, name, text, set, &Limits::read(py, given)?)
}

/// Refuses what no number would mend of the values that constants of a model are to be set to: names that it lacks, values of another kind.
#[pyfunction]
pub fn settable(py: Python<'_>, path: PathBuf, points: Vec<Vec<(String, String)>>) -> PyResult<()> {
    let name = short(&path);
    let bytes = std::fs::read(&path).map_err(|e| cannot_read(&path, e))?;
    let text = decode(&name, bytes).map_err(|found| error::input(py, &found))?;
    if looks_like_json(&text) {
        return points.iter().take(1).try_for_each(|set| no_constants(py, &name, set));
    }
    let found = language::misset(&name, &text, &Files, points.iter().map(Vec::as_slice));
    found.map_or(Ok(()), |found| Err(error::input(py, &found)))
}

/// A document has no constants to set.
fn no_constants(py: Python<'_>, name: &str, set: &[(String, String)]) -> PyResult<()> {
    let Some((constant, _)) = set.iter().find(|(name, _)| name != "observer") else { return Ok(()) };
    let message = format!("`{constant}` is set as a constant of a model, but {name} is a problem document");
    Err(plain(py, &message, Some("leave `set` out, or load the model that it was made from")))
}

/// Which format of another tool a file is in, by its name or else by its content: a word such as `fsm`, or `refused` for one that is known but not read.
#[pyfunction]
pub fn recognised(path: PathBuf) -> Option<&'static str> {
    // What cannot be read is told by whoever reads it.
    let bytes = std::fs::read(&path).ok()?;
    foreign::recognised(&path.to_string_lossy(), &String::from_utf8_lossy(&bytes))
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
    divulge::did_you_mean(&name.to_string_lossy(), known.iter().map(|text| &**text))
}

/// Nothing polls while it is read: where a limit is hit, or Ctrl-C, whoever asked goes on, and the reader ends by itself.
fn read<'py>(
    py: Python<'py>,
    name: String,
    text: String,
    set: Vec<(String, String)>,
    limits: &Limits,
) -> PyResult<Read<'py>> {
    if !looks_like_json(&text) {
        let (problem, found) = make(py, limits, move |_| Ok(language::load(&name, &text, &Files, &set)))?;
        return match problem {
            Some(problem) => Ok((Problem::of(problem), error::list(py, &found)?, found.remarks().to_vec())),
            None => Err(error::input(py, &found)),
        };
    }
    no_constants(py, &name, &set)?;
    let document = make(py, limits, move |_| {
        let whom = set.first().map_or(Whom::Everybody, |(_, observer)| Whom::Named(observer));
        Ok(document::read_with(&name, &text, whom, 0).map(|mut document| {
            lint(&document.problem, false, &mut document.warnings);
            document
        }))
    })?;
    match document {
        Ok(document) => {
            let (gap, warnings) = (document.total_map().err(), error::list(py, &document.warnings)?);
            Ok((Problem::read(document.problem, gap), warnings, Vec::new()))
        }
        Err(found) => Err(error::input(py, &found)),
    }
}
