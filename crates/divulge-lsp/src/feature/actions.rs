//! Fixes: what the advice of a finding says, carried out.

use std::collections::HashMap;

use divulge_model::diagnostic::{Diagnostic as Finding, Fix};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, Diagnostic, NumberOrString, Range, TextEdit,
    Uri, WorkspaceEdit,
};
use serde_json::json;

use crate::{
    analysis::{Places, Read},
    text::Texts,
};

/// The fixes of all findings that touch a range of a file, and for each kind of finding what explains it.
pub fn at(
    file: &str,
    range: Range,
    read: &Read,
    places: &Places,
    shown: &[Diagnostic],
    texts: &Texts,
) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    let touching = read.diagnostics.iter().filter(|finding| {
        finding
            .span
            .is_some_and(|span| places.name(span.source) == file && touches(places.range(span), range))
    });
    let touching: Vec<&Finding> = touching.collect();
    for finding in &touching {
        for (i, fix) in finding.fixes.iter().enumerate() {
            let preferred = i == 0 && finding.fixes.len() == 1;
            actions.extend(action(finding, fix, preferred, places, shown, texts));
        }
    }
    let mut ids: Vec<&str> = touching.iter().map(|finding| finding.code.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    actions.extend(ids.into_iter().map(explanation));
    actions
}

fn touches(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

// The protocol's own type has addresses as keys; nothing changes them.
#[allow(clippy::mutable_key_type)]
fn action(
    finding: &Finding,
    fix: &Fix,
    preferred: bool,
    places: &Places,
    shown: &[Diagnostic],
    texts: &Texts,
) -> Option<CodeActionOrCommand> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for edit in &fix.edits {
        let location = places.location(edit.span, texts)?;
        changes.entry(location.uri).or_default().push(TextEdit::new(location.range, edit.text.clone()));
    }
    let code = NumberOrString::String(finding.code.id().to_owned());
    let range = finding.span.map(|span| places.range(span));
    let mended = shown.iter().filter(|d| d.code.as_ref() == Some(&code) && Some(d.range) == range);
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title: capital(&fix.title),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(mended.cloned().collect()),
        edit: Some(WorkspaceEdit::new(changes)),
        is_preferred: Some(preferred),
        ..CodeAction::default()
    }))
}

fn explanation(id: &str) -> CodeActionOrCommand {
    let title = format!("Explain {id}");
    CodeActionOrCommand::CodeAction(CodeAction {
        title: title.clone(),
        command: Some(Command::new(title, "divulge.explain".to_owned(), Some(vec![json!(id)]))),
        ..CodeAction::default()
    })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
