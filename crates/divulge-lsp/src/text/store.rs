//! All open documents, and the files that they include.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use divulge_host::{Files, short};
use divulge_model::language::{Included, Loader};
use lsp_types::Uri;

use super::{Document, uri_of};

/// The open documents by name. Copies share the texts, so that a thread may keep the state that it began with.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    open: BTreeMap<String, Arc<Document>>,
    /// Texts that take the place of others, to see what would come of a change.
    instead: BTreeMap<String, Arc<str>>,
}

impl Texts {
    /// An open document.
    pub fn get(&self, name: &str) -> Option<&Arc<Document>> {
        self.open.get(name)
    }

    /// The names of all open documents.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.open.keys().map(String::as_str)
    }

    /// Opens a document, or replaces it.
    pub fn put(&mut self, name: String, document: Document) {
        self.open.insert(name, Arc::new(document));
    }

    /// Forgets a document: from now on its file counts.
    pub fn close(&mut self, name: &str) {
        self.open.remove(name);
    }

    /// The same texts, with others in some places.
    pub fn with(&self, instead: BTreeMap<String, Arc<str>>) -> Texts {
        Texts { open: self.open.clone(), instead }
    }

    /// What is in a document or a file.
    pub fn text(&self, name: &str) -> Option<Arc<str>> {
        if let Some(text) = self.instead.get(name) {
            return Some(text.clone());
        }
        match self.open.get(name) {
            Some(document) => Some(document.text.clone()),
            None => Files.load(name, "").ok().map(|file| file.text.into()),
        }
    }

    /// The address of a document, in the client's spelling if it is open.
    pub fn uri(&self, name: &str) -> Option<Uri> {
        self.open.get(name).map(|document| document.uri.clone()).or_else(|| uri_of(name))
    }
}

impl Loader for Texts {
    fn load(&self, path: &str, from: &str) -> Result<Included, String> {
        let folder = Path::new(from).parent().unwrap_or(Path::new(""));
        let name = short(&folder.join(path));
        if let Some(text) = self.instead.get(&name) {
            return Ok(Included { name, text: text.to_string() });
        }
        match self.open.get(&name) {
            Some(document) => Ok(Included { name, text: document.text.to_string() }),
            None => Files.load(path, from),
        }
    }
}
