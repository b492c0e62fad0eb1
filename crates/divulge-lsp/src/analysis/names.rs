//! The names of one model, with all that it includes.

use std::{path::Path, sync::Arc};

use divulge_model::{
    diagnostic::SourceId,
    language::{Mention, Part, Region, Survey, looks_like_json, survey},
};
use lsp_types::Position;

use super::Places;
use crate::text::Texts;

/// How many files of a folder are looked at for includes.
const MAX_FILES: usize = 500;

/// How many entries of folders are looked at in all.
const MAX_ENTRIES: usize = 20_000;

/// A model's names, and where they are.
#[derive(Debug)]
pub struct Names {
    /// What the model's own text is called.
    pub name: String,
    /// The model's own text.
    pub text: Arc<str>,
    /// The names themselves.
    pub survey: Survey,
    /// Where they are.
    pub places: Places,
}

impl Names {
    /// Looks at a text that is open or in a file; `None` if there is none, or it is a document in JSON.
    pub fn of(name: &str, texts: &Texts) -> Option<Names> {
        let text = texts.text(name).filter(|text| !looks_like_json(text))?;
        let survey = survey(name, &text, texts);
        let places = Places::new(&survey.diagnostics);
        Some(Names { name: name.to_owned(), text, survey, places })
    }

    /// The byte at a place of the model's own text.
    pub fn offset(&self, position: Position) -> usize {
        crate::text::Lines::new(&self.text).offset(&self.text, position)
    }

    /// The name at a place of the model's own text.
    pub fn at(&self, position: Position) -> Option<&Mention> {
        self.survey.at(self.survey.root(), self.offset(position))
    }

    /// The part of the model that is called so.
    pub fn part(&self, region: Region, name: Option<&str>) -> Option<&Part> {
        self.survey.parts.iter().find(|part| part.region == region && part.name.as_deref() == name)
    }

    /// Whether a file is among those that the model consists of.
    pub fn includes(&self, name: &str) -> bool {
        self.places.names().any(|other| other == name)
    }

    /// The source of that name.
    fn source(&self, name: &str) -> Option<SourceId> {
        let i = self.places.names().position(|other| other == name)?;
        self.survey.mentions.iter().map(|m| m.span.source).find(|source| source.index() == i)
    }

    /// All mentions of what stands at some bytes of a file.
    pub fn mentions_of(&self, file: &str, start: usize) -> Vec<&Mention> {
        let Some(source) = self.source(file) else { return Vec::new() };
        let here = |m: &&Mention| m.span.source == source && m.span.start == start;
        let Some(mention) = self.survey.mentions.iter().find(here) else { return Vec::new() };
        self.survey.of(mention.symbol).collect()
    }

    /// The models that a file belongs to: itself, the open ones, and those beside it and in `folders` that include it.
    pub fn around(file: &str, texts: &Texts, folders: &[String]) -> Vec<Names> {
        let mut candidates: Vec<String> = texts.names().map(str::to_owned).collect();
        candidates.push(file.to_owned());
        let beside = Path::new(file).parent().map(|folder| folder.display().to_string());
        let mut looked_at = 0;
        for folder in folders {
            models(Path::new(folder), 6, &mut candidates, &mut looked_at);
        }
        if let Some(folder) = beside.filter(|folder| !folder.is_empty()) {
            models(Path::new(&folder), 0, &mut candidates, &mut looked_at);
        }
        candidates.sort();
        candidates.dedup();
        let all = candidates.iter().filter_map(|name| Names::of(name, texts));
        all.filter(|names| names.includes(file)).collect()
    }
}

/// The models in a folder and so many levels below it.
fn models(folder: &Path, depth: usize, found: &mut Vec<String>, looked_at: &mut usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        *looked_at += 1;
        if *looked_at > MAX_ENTRIES {
            return;
        }
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let skipped = name.starts_with('.') || name == "target" || name == "node_modules";
        if found.len() >= MAX_FILES || skipped {
            continue;
        }
        if path.extension().is_some_and(|extension| extension == "divulge") {
            found.push(divulge_host::short(&path));
        } else if depth > 0 && path.is_dir() {
            models(&path, depth - 1, found, looked_at);
        }
    }
}
