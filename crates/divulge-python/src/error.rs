//! Errors as the exceptions of `divulge.errors`, with their diagnostics.

use divulge::{Limit, formula::FormulaError, verdict::QuestionError};
use divulge_model::diagnostic::{Code, Diagnostic, Diagnostics, Severity, Span};
use divulge_render::{json::limit_word, words};
use pyo3::{prelude::*, types::PyDict};

/// Bad input, with all that is known about where and why.
pub fn input(py: Python<'_>, found: &Diagnostics) -> PyErr {
    let message = found.render(false);
    raise(py, message.trim_end(), None, found)
}

/// Bad input or usage of which there is no text to point at.
pub fn plain(py: Python<'_>, message: &str, help: Option<&str>) -> PyErr {
    raise(py, message, help, &Diagnostics::new())
}

/// A limit that was hit where there is no answer to say so. An interrupt has an exception of its own already.
pub fn limit(py: Python<'_>, limit: Limit) -> PyErr {
    let made = || py.import("divulge.errors")?.getattr("LimitReached")?.call1((limit_word(limit),));
    made().map_or_else(|e| e, PyErr::from_value)
}

/// A question that cannot be asked, or something that a limit stopped.
pub fn question(py: Python<'_>, problem: &divulge::Problem, e: &QuestionError) -> PyErr {
    let (message, help) = words::refusal(e);
    let help = match e {
        QuestionError::Formula { observer, number, e } => {
            let observer = problem.observers().nth(*observer);
            let Some(stipulation) = observer.and_then(|o| o.stipulations.get(*number)) else {
                return plain(py, &message, help.as_deref());
            };
            let text = stipulation.formula.to_string();
            return formula(py, &stipulation.name, &text, e, Code::DocFormulaWorld);
        }
        QuestionError::Limit(hit) => return limit(py, *hit),
        // In Python's own words.
        QuestionError::NeedsMap => {
            Some("give the observer a map, or seek one with `seek_map` or `seek_both`")
        }
        QuestionError::NeedsPlan(_) => Some("give a plan, or seek one with `seek_plan`"),
        _ => help.as_deref(),
    };
    plain(py, &message, help)
}

/// A formula that cannot be read, or does not fit its world.
pub fn formula(py: Python<'_>, name: &str, text: &str, e: &FormulaError, code: Code) -> PyErr {
    let mut found = Diagnostics::new();
    let source = found.add_source(format!("<stipulation {name}>"), text.to_owned());
    let place = source.span(e.span.start.min(text.len()), e.span.end.min(text.len()));
    found.push(Diagnostic::new(code, e.message.clone()).at(place, "").help_opt(e.help.clone()));
    input(py, &found)
}

fn raise(py: Python<'_>, message: &str, help: Option<&str>, found: &Diagnostics) -> PyErr {
    let made = || -> PyResult<Bound<'_, PyAny>> {
        let class = py.import("divulge.errors")?.getattr("DivulgeError")?;
        class.call1((message, help, list(py, found)?))
    };
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        Err(e) => e,
    }
}

/// Findings as objects of `divulge.errors.Diagnostic`.
pub fn list<'py>(py: Python<'py>, found: &Diagnostics) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let class = py.import("divulge.errors")?.getattr("_diagnostic")?;
    found.iter().map(|one| diagnostic(py, &class, found, one)).collect()
}

fn diagnostic<'py>(
    py: Python<'py>,
    class: &Bound<'py, PyAny>,
    found: &Diagnostics,
    one: &Diagnostic,
) -> PyResult<Bound<'py, PyAny>> {
    let mut alone = Diagnostics::new();
    for source in found.sources() {
        alone.add_source(source.name.clone(), source.text.clone());
    }
    alone.push(one.clone());
    let fields = PyDict::new(py);
    fields.set_item("code", one.code.id())?;
    fields.set_item("severity", if one.severity() == Severity::Error { "error" } else { "warning" })?;
    fields.set_item("message", &one.message)?;
    fields.set_item("span", one.span.map(|span| place(found, span)))?;
    fields.set_item("label", &one.label)?;
    fields.set_item("notes", one.notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>())?;
    fields.set_item("help", one.help.clone())?;
    // The last line counts the findings, which means nothing of one of them.
    fields.set_item("rendered", alone.render(false))?;
    class.call((), Some(&fields))
}

/// A span as the source's name, the line and column where it starts, and its first and last byte.
fn place(found: &Diagnostics, span: Span) -> (String, usize, usize, usize, usize) {
    let at = found.position(span);
    (found.source(span.source).name.clone(), at.line, at.column, span.start, span.end)
}
