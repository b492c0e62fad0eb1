//! Definitions, references, and all places of the same name.

use divulge_model::language::{Mention, Sort};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Range};

use crate::{analysis::Names, text::Texts};

/// Where the thing at a place is defined; of a file's name, the file.
pub fn definition(names: &Names, position: Position, texts: &Texts) -> Vec<Location> {
    let offset = names.offset(position);
    let file =
        names.survey.files.iter().find(|(span, _)| {
            span.source == names.survey.root() && span.start <= offset && offset <= span.end
        });
    if let Some((_, source)) = file {
        let uri = texts.uri(names.places.name(*source));
        return uri.map(|uri| Location::new(uri, Range::default())).into_iter().collect();
    }
    let Some(mention) = names.at(position) else { return Vec::new() };
    let defined = names.survey.of(mention.symbol).filter(|m| m.defines);
    let mut found: Vec<Location> = defined.filter_map(|m| names.places.location(m.span, texts)).collect();
    // A label that a drawn world mentions again and again is defined where it stands first.
    if mention.sort == Sort::Label {
        found.truncate(1);
    }
    found
}

/// Every mention of the thing at a place, in all models that the file belongs to.
pub fn references(
    names: &Names,
    position: Position,
    with_definitions: bool,
    texts: &Texts,
    folders: &[String],
) -> Vec<Location> {
    let Some(mention) = names.at(position) else { return Vec::new() };
    let mut found: Vec<Location> = Vec::new();
    for model in Names::around(&names.name, texts, folders) {
        let wanted = |m: &&&Mention| with_definitions || !m.defines;
        let mentions = model.mentions_of(&names.name, mention.span.start);
        found.extend(mentions.iter().filter(wanted).filter_map(|m| model.places.location(m.span, texts)));
    }
    found.sort_by(|a, b| (a.uri.as_str(), a.range.start).cmp(&(b.uri.as_str(), b.range.start)));
    found.dedup();
    found
}

/// The mentions in the same text.
pub fn highlights(names: &Names, position: Position) -> Vec<DocumentHighlight> {
    let Some(mention) = names.at(position) else { return Vec::new() };
    let here = names.survey.of(mention.symbol).filter(|m| m.span.source == names.survey.root());
    let kind =
        |m: &Mention| if m.defines { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ };
    here.map(|m| DocumentHighlight { range: names.places.range(m.span), kind: Some(kind(m)) }).collect()
}
