//! Findings, as an editor underlines them.

use divulge_model::diagnostic::{Diagnostic as Finding, Severity};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    NumberOrString, Range,
};

use crate::{
    analysis::{Places, Read},
    text::Texts,
};

/// What is said of one file: the file's name and the finding.
pub type Located = (String, Diagnostic);

/// Everything that was found out about a model, by file.
pub fn all(read: &Read, places: &Places, texts: &Texts) -> Vec<Located> {
    let mut found: Vec<Located> =
        read.diagnostics.iter().map(|finding| located(finding, places, texts)).collect();
    if read.too_large
        && let Some(model) = places.names().next()
    {
        found.push((model.to_owned(), too_large()));
    }
    found
}

fn located(finding: &Finding, places: &Places, texts: &Texts) -> Located {
    let root = places.names().next().unwrap_or_default().to_owned();
    match finding.span {
        Some(span) => {
            (places.name(span.source).to_owned(), shown(finding, places.range(span), places, texts))
        }
        None => (root, shown(finding, Range::default(), places, texts)),
    }
}

fn shown(finding: &Finding, range: Range, places: &Places, texts: &Texts) -> Diagnostic {
    let id = finding.code.id();
    let mut message = finding.message.clone();
    let related = finding.notes.iter().filter_map(|note| {
        let location = places.location(note.span?, texts)?;
        Some(DiagnosticRelatedInformation { location, message: note.text.clone() })
    });
    let related: Vec<_> = related.collect();
    for note in finding.notes.iter().filter(|note| note.span.is_none()) {
        message.push_str(&format!("\nnote: {}", note.text));
    }
    for help in &finding.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    Diagnostic {
        range,
        severity: Some(match finding.severity() {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(id.to_owned())),
        code_description: explained(id),
        source: Some("divulge".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        tags: (id == "W0107").then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

/// The address of what `divulge explain CODE` prints; the editor's extension knows how to show it.
fn explained(id: &str) -> Option<CodeDescription> {
    format!("divulge-explain:{id}").parse().ok().map(|href| CodeDescription { href })
}

fn too_large() -> Diagnostic {
    Diagnostic {
        severity: Some(DiagnosticSeverity::INFORMATION),
        source: Some("divulge".to_owned()),
        message: "the world is too large to be explored in the editor, so only the text was looked at\n\
                  help: `divulge info` on the command line has no such limit"
            .to_owned(),
        ..Diagnostic::default()
    }
}
