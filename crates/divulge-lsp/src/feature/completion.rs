//! What may stand at a place, as an editor lists it.

use divulge_model::language::{Facts, Sort, Suggestion, suggestions};
use lsp_types::{CompletionItem, CompletionItemKind, Documentation, Position};

use crate::analysis::Names;

/// Everything that may be written at a place.
pub fn at(names: &Names, position: Position, facts: Option<&Facts>) -> Vec<CompletionItem> {
    let found = suggestions(&names.text, names.offset(position), &names.survey, facts);
    found.into_iter().map(item).collect()
}

fn item(found: Suggestion) -> CompletionItem {
    let Suggestion { text, sort, detail, meaning } = found;
    CompletionItem {
        // Names come before words of the language.
        sort_text: Some(format!("{}{text}", u8::from(sort.is_none()))),
        documentation: meaning.map(|text| Documentation::String(text.replace('`', ""))),
        label: text,
        kind: Some(sort.map_or(CompletionItemKind::KEYWORD, kind)),
        detail,
        ..CompletionItem::default()
    }
}

fn kind(sort: Sort) -> CompletionItemKind {
    match sort {
        Sort::Constant => CompletionItemKind::CONSTANT,
        Sort::Type => CompletionItemKind::ENUM,
        Sort::Definition => CompletionItemKind::FUNCTION,
        Sort::Parameter | Sort::Variable => CompletionItemKind::VARIABLE,
        Sort::Value => CompletionItemKind::ENUM_MEMBER,
        Sort::Action => CompletionItemKind::METHOD,
        Sort::Observation | Sort::Label => CompletionItemKind::EVENT,
        Sort::Image | Sort::Stipulation => CompletionItemKind::PROPERTY,
        Sort::Vertex | Sort::Graph => CompletionItemKind::STRUCT,
        Sort::Plan => CompletionItemKind::CLASS,
        Sort::Observer => CompletionItemKind::INTERFACE,
    }
}
