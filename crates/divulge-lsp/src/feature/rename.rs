//! Renaming, in all files that a name stands in. What would mean something else afterwards is refused.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use divulge::Unlimited;
use divulge_model::{
    diagnostic::{Severity, spelt},
    language::{Depth, Mention, Shape, Sort, Survey, is_reserved, read, survey, tokens},
};
use lsp_types::{Position, Range, TextEdit, Uri, WorkspaceEdit};

use crate::{analysis::Names, text::Texts};

/// The place of the name that would be renamed, and the name.
pub fn prepare(names: &Names, position: Position) -> Result<(Range, String), String> {
    let mention = names.at(position).ok_or("there is no name here that could be changed")?;
    renamable(names, mention)?;
    Ok((names.places.range(mention.span), mention.name.clone()))
}

/// The changes that give the thing at a place another name.
// The protocol's own type has addresses as keys; nothing changes them.
#[allow(clippy::mutable_key_type)]
pub fn rename(
    names: &Names,
    position: Position,
    new: &str,
    texts: &Texts,
    folders: &[String],
) -> Result<WorkspaceEdit, String> {
    let mention = names.at(position).ok_or("there is no name here that could be changed")?;
    renamable(names, mention)?;
    let models = Names::around(&names.name, texts, folders);
    let mut edits = Edits::new();
    for model in &models {
        for m in model.mentions_of(&names.name, mention.span.start) {
            let written = model.places.slice(m.span);
            let file = model.places.name(m.span.source).to_owned();
            let text = fitting(new, m.sort, written)?;
            edits.entry(file).or_default().insert((m.span.start, m.span.end), text);
        }
    }
    let after = texts.with(changed(&edits, texts));
    for model in &models {
        same_meaning(model, mention, new, texts, &after)?;
    }
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (file, edits) in edits {
        let (Some(uri), Some(text)) = (texts.uri(&file), texts.text(&file)) else {
            return Err(format!("{file} cannot be changed"));
        };
        let lines = crate::text::Lines::new(&text);
        let edits =
            edits.into_iter().map(|((start, end), new)| TextEdit::new(lines.range(&text, start, end), new));
        changes.insert(uri, edits.collect());
    }
    Ok(WorkspaceEdit::new(changes))
}

fn renamable(names: &Names, mention: &Mention) -> Result<(), String> {
    if names.survey.of(mention.symbol).any(|m| m.defines) {
        return Ok(());
    }
    Err(format!("`{}` is not defined in this model, so it cannot be renamed", mention.name))
}

/// The new name as it is written where the old one stands.
fn fitting(new: &str, sort: Sort, written: &str) -> Result<String, String> {
    let quoted = written.starts_with('"');
    let word = spelt(new) == new;
    if new.is_empty() || new.chars().any(char::is_control) {
        return Err("a name cannot be empty, nor have line breaks in it".to_owned());
    }
    if is_reserved(new) && !quoted {
        return Err(format!("`{new}` is a reserved word"));
    }
    const TIMELY: [&str; 8] =
        ["always", "eventually", "next", "until", "unless", "hindsight", "was", "initially"];
    if sort == Sort::Definition && TIMELY.contains(&new) {
        return Err(format!("`{new}` means something in stipulations"));
    }
    if !word && !quoted {
        return Err(format!(
            "`{new}` is no name: names have letters, digits and underscores, and do not start with a digit"
        ));
    }
    // What stood in quotes keeps them.
    Ok(if quoted { quotes(new) } else { new.to_owned() })
}

fn quotes(text: &str) -> String {
    let plain = spelt(text);
    if plain.starts_with('"') { plain } else { format!("\"{plain}\"") }
}

type Edits = BTreeMap<String, BTreeMap<(usize, usize), String>>;

/// The texts as they would be.
fn changed(edits: &Edits, texts: &Texts) -> BTreeMap<String, Arc<str>> {
    let mut after = BTreeMap::new();
    for (file, edits) in edits {
        let Some(text) = texts.text(file) else { continue };
        let mut text = text.to_string();
        for ((start, end), new) in edits.iter().rev() {
            text.replace_range(*start..*end, new);
        }
        after.insert(file.clone(), text.into());
    }
    after
}

/// Refuses a change after which names stand for other things than before, or which brings errors.
fn same_meaning(
    model: &Names,
    mention: &Mention,
    new: &str,
    before: &Texts,
    after: &Texts,
) -> Result<(), String> {
    let old = &model.survey;
    if let Some(clash) = looks_alike(old, mention, new) {
        return Err(clash);
    }
    if matches!(mention.sort, Sort::Variable | Sort::Value | Sort::Vertex) && in_a_formula(old, &mention.name)
    {
        return Err(format!(
            "`{}` also stands in a formula in quotes, which has to be changed by hand",
            mention.name
        ));
    }
    let Some(text) = after.text(&model.name) else { return Ok(()) };
    let renamed = survey(&model.name, &text, after);
    if !same_things(old, &renamed) {
        let taken =
            old.mentions.iter().find(|m| m.name == new).map_or("something else", |m| m.sort.described());
        return Err(format!("`{new}` is already the name of {taken}"));
    }
    let errors = |texts: &Texts| -> Option<Vec<String>> {
        let text = texts.text(&model.name)?;
        let reading = read(&model.name, &text, texts, &[], Depth::Text, &Unlimited);
        let errors = reading.diagnostics.iter().filter(|finding| finding.severity() == Severity::Error);
        Some(errors.map(|finding| finding.message.clone()).collect())
    };
    let (Some(was), Some(is)) = (errors(before), errors(after)) else { return Ok(()) };
    match is.iter().find(|error| !was.contains(error)) {
        Some(error) if is.len() > was.len() => Err(format!("that would be an error: {error}")),
        _ => Ok(()),
    }
}

/// Whether the same mentions stand for the same things in both.
fn same_things(old: &Survey, new: &Survey) -> bool {
    let mut there: HashMap<usize, usize> = HashMap::new();
    let mut back: HashMap<usize, usize> = HashMap::new();
    old.mentions.len() == new.mentions.len()
        && old.mentions.iter().zip(&new.mentions).all(|(a, b)| {
            *there.entry(a.symbol).or_insert(b.symbol) == b.symbol
                && *back.entry(b.symbol).or_insert(a.symbol) == a.symbol
                && a.sort == b.sort
        })
}

/// Whether a formula in quotes mentions the name: such formulas have names of their own.
fn in_a_formula(survey: &Survey, name: &str) -> bool {
    let part_of_word = |c: char| c == '_' || c.is_alphanumeric();
    let mentions = |text: &str| {
        text.match_indices(name).any(|(at, _)| {
            !text[..at].ends_with(part_of_word) && !text[at + name.len()..].starts_with(part_of_word)
        })
    };
    let formula = |text: &str| {
        ["knows", "possible", "state"].iter().any(|atom| text.contains(atom)) && text.contains('(')
    };
    survey.diagnostics.sources().iter().any(|source| {
        let quoted = tokens(&source.text).into_iter().filter(|token| token.shape == Shape::Quoted);
        quoted.map(|token| &source.text[token.start..token.end]).any(|text| formula(text) && mentions(text))
    })
}

/// An event that is seen as itself has an image of its own name: the two must not come together or apart.
fn looks_alike(survey: &Survey, mention: &Mention, new: &str) -> Option<String> {
    let event = |sort: Sort| matches!(sort, Sort::Action | Sort::Observation | Sort::Label | Sort::Value);
    let named = |name: &str, wanted: &dyn Fn(Sort) -> bool| {
        survey.mentions.iter().any(|m| m.name == name && wanted(m.sort))
    };
    let image = |sort: Sort| sort == Sort::Image;
    for name in [mention.name.as_str(), new] {
        if image(mention.sort) && named(name, &event) {
            return Some(format!("`{name}` is also an event, which may be seen as itself"));
        }
        if event(mention.sort) && named(name, &image) {
            return Some(format!("`{name}` is also what an event looks like to an observer"));
        }
    }
    None
}
