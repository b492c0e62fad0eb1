//! Questions above plans and observers, and their answers in place.

use divulge_model::language::{Part, Region};
use lsp_types::{CodeLens, Command, Diagnostic, DiagnosticSeverity, NumberOrString};
use serde_json::{Value, json};

use crate::analysis::{Ask, Asked, Names, Told};

/// How a question stands.
#[derive(Clone, Debug)]
pub enum Standing {
    /// It is wanted, and will be asked once the text makes sense.
    Waiting,
    /// It is being asked.
    Asking,
    /// It was answered.
    Told(Box<Told>),
}

/// The questions that can be asked of a model, with their answers.
pub fn all(names: &Names, uri: &str, standing: &dyn Fn(&Asked) -> Option<Standing>) -> Vec<CodeLens> {
    let parts = names.survey.parts.iter().filter(|p| matches!(p.region, Region::Plan | Region::Observer));
    parts.flat_map(|part| above(part, names, uri, standing)).collect()
}

/// What can be asked of a part.
fn questions(part: &Part, names: &Names) -> Vec<Ask> {
    let planned = names.survey.parts.iter().any(|part| part.region == Region::Plan);
    match (part.region, part.sees, planned) {
        (Region::Plan, ..) => vec![Ask::Check],
        (_, true, true) => vec![Ask::Check, Ask::Plan, Ask::Audit],
        (_, true, false) => vec![Ask::Plan, Ask::Audit],
        (_, false, true) => vec![Ask::Map, Ask::Both],
        (_, false, false) => vec![Ask::Both],
    }
}

fn above(
    part: &Part,
    names: &Names,
    uri: &str,
    standing: &dyn Fn(&Asked) -> Option<Standing>,
) -> Vec<CodeLens> {
    let range = names.places.range(part.head);
    let lens = |title: String, command: &str, asked: &Asked| CodeLens {
        range,
        command: Some(Command::new(title, command.to_owned(), Some(vec![argument(uri, asked)]))),
        data: None,
    };
    let mut lenses = Vec::new();
    for ask in questions(part, names) {
        let asked = Asked {
            model: names.name.clone(),
            of_plan: part.region == Region::Plan,
            name: part.name.clone(),
            ask,
        };
        match standing(&asked) {
            None => lenses.push(lens(ask.title().to_owned(), "divulge.ask", &asked)),
            Some(Standing::Waiting | Standing::Asking) => {
                lenses.push(lens(format!("{} …", ask.title()), "divulge.ask", &asked));
            }
            Some(Standing::Told(told)) => {
                let title = format!("{} {}: {}", sign(&told), ask.title(), told.headline);
                let command = if told.problem.is_some() { "divulge.explore" } else { "divulge.ask" };
                lenses.push(lens(title, command, &asked));
            }
        }
    }
    lenses
}

fn sign(told: &Told) -> &'static str {
    match told.verdict {
        "holds" | "found" => "✓",
        "violated" | "none" => "✗",
        _ => "?",
    }
}

/// A question as the argument of a command.
fn argument(uri: &str, asked: &Asked) -> Value {
    json!({"uri": uri, "of": if asked.of_plan { "plan" } else { "observer" }, "name": asked.name, "ask": asked.ask.id()})
}

/// The question that the argument of a command is, of the model `model`.
pub fn asked(argument: &Value, model: String) -> Option<Asked> {
    let ask = Ask::ALL.into_iter().find(|ask| argument["ask"] == ask.id())?;
    let of_plan = argument["of"] == "plan";
    Some(Asked { model, of_plan, name: argument["name"].as_str().map(str::to_owned), ask })
}

/// An answer, in place: for clients that show no lenses.
pub fn verdict(asked: &Asked, told: &Told, names: &Names) -> Option<Diagnostic> {
    let part = names.part(asked.region(), asked.name.as_deref())?;
    let severity = match told.verdict {
        "violated" | "none" => DiagnosticSeverity::WARNING,
        _ => DiagnosticSeverity::INFORMATION,
    };
    Some(Diagnostic {
        range: names.places.range(part.head),
        severity: Some(severity),
        code: Some(NumberOrString::String(told.verdict.to_owned())),
        source: Some("divulge".to_owned()),
        message: format!("{}: {}", asked.ask.title(), told.headline),
        ..Diagnostic::default()
    })
}
