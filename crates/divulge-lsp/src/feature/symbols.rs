//! The outline of a model.

use divulge_model::language::{Part, Region};
use lsp_types::{DocumentSymbol, SymbolKind};

use crate::analysis::Names;

/// The parts of a model.
pub fn outline(names: &Names) -> Vec<DocumentSymbol> {
    names.survey.parts.iter().map(|part| symbol(part, names)).collect()
}

fn symbol(part: &Part, names: &Names) -> DocumentSymbol {
    let (kind, word) = match part.region {
        Region::Constant => (SymbolKind::CONSTANT, "const"),
        Region::Type => (SymbolKind::ENUM, "type"),
        Region::Definition => (SymbolKind::FUNCTION, "def"),
        Region::World => (SymbolKind::MODULE, "world"),
        Region::Variable => (SymbolKind::VARIABLE, "variable"),
        Region::Action => (SymbolKind::METHOD, "action"),
        Region::Observe => (SymbolKind::EVENT, "observe"),
        Region::Start => (SymbolKind::CONSTRUCTOR, "start"),
        Region::Goal => (SymbolKind::BOOLEAN, "goal"),
        Region::Graph => (SymbolKind::STRUCT, "graph"),
        Region::Plan => (SymbolKind::CLASS, "plan"),
        Region::Observer => (SymbolKind::INTERFACE, "observer"),
        Region::Stipulation => (SymbolKind::PROPERTY, "stipulation"),
    };
    // An empty name would be refused by the client.
    let name = part.name.clone().filter(|name| !name.trim().is_empty());
    #[allow(deprecated)]
    DocumentSymbol {
        detail: name.as_ref().map(|_| word.to_owned()),
        name: name.unwrap_or_else(|| word.to_owned()),
        kind,
        tags: None,
        deprecated: None,
        range: names.places.range(part.span),
        selection_range: names.places.range(part.head),
        children: Some(part.parts.iter().map(|part| symbol(part, names)).collect()),
    }
}
