//! Colours by meaning.

use std::collections::HashMap;

use divulge_model::language::{Mention, Shape, Sort, tokens};
use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType};

use crate::{analysis::Names, text::Lines};

/// The kinds of tokens, in the order of their numbers.
pub const TYPES: [SemanticTokenType; 15] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::COMMENT,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::METHOD,
    SemanticTokenType::EVENT,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::CLASS,
    SemanticTokenType::STRUCT,
];

/// What they may be besides, each a bit.
pub const MODIFIERS: [SemanticTokenModifier; 2] =
    [SemanticTokenModifier::DEFINITION, SemanticTokenModifier::READONLY];

/// The tokens of a model's own text, each relative to the one before.
pub fn all(names: &Names) -> Vec<SemanticToken> {
    let text = &*names.text;
    let lines = Lines::new(text);
    let own = names.survey.mentions.iter().filter(|m| m.span.source == names.survey.root());
    let mentions: HashMap<usize, &Mention> = own.map(|m| (m.span.start, m)).collect();
    let mut found = Vec::new();
    let (mut line, mut character) = (0, 0);
    for token in tokens(text) {
        let (kind, modifiers) = match (mentions.get(&token.start), token.shape) {
            (Some(mention), Shape::Word | Shape::Quoted) => coloured(mention),
            (_, Shape::Word) => (SemanticTokenType::KEYWORD, 0),
            (_, Shape::Comment) => (SemanticTokenType::COMMENT, 0),
            (_, Shape::Quoted) => (SemanticTokenType::STRING, 0),
            (_, Shape::Number) => (SemanticTokenType::NUMBER, 0),
            (_, Shape::Sign) if "{}()[],;".contains(&text[token.start..token.end]) => continue,
            (_, Shape::Sign) => (SemanticTokenType::OPERATOR, 0),
        };
        let start = lines.position(text, token.start);
        let delta_line = start.line - line;
        let delta_start = if delta_line == 0 { start.character - character } else { start.character };
        found.push(SemanticToken {
            delta_line,
            delta_start,
            length: text[token.start..token.end].encode_utf16().count() as u32,
            token_type: TYPES.iter().position(|known| *known == kind).unwrap_or(0) as u32,
            token_modifiers_bitset: modifiers,
        });
        (line, character) = (start.line, start.character);
    }
    found
}

fn coloured(mention: &Mention) -> (SemanticTokenType, u32) {
    let (kind, constant) = match mention.sort {
        Sort::Constant => (SemanticTokenType::VARIABLE, 2),
        Sort::Type => (SemanticTokenType::TYPE, 0),
        Sort::Definition => (SemanticTokenType::FUNCTION, 0),
        Sort::Parameter => (SemanticTokenType::PARAMETER, 0),
        Sort::Variable => (SemanticTokenType::VARIABLE, 0),
        Sort::Value => (SemanticTokenType::ENUM_MEMBER, 0),
        Sort::Action => (SemanticTokenType::METHOD, 0),
        Sort::Observation | Sort::Label => (SemanticTokenType::EVENT, 0),
        Sort::Image | Sort::Stipulation => (SemanticTokenType::PROPERTY, 0),
        Sort::Vertex | Sort::Graph => (SemanticTokenType::STRUCT, 0),
        Sort::Plan | Sort::Observer => (SemanticTokenType::CLASS, 0),
    };
    (kind, constant | u32::from(mention.defines))
}
