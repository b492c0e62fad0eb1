//! From places in the sources of a model to places in the client's documents.

use std::sync::Arc;

use divulge_model::diagnostic::{Diagnostics, SourceId, Span};
use lsp_types::{Location, Range};

use crate::text::{Lines, Texts};

/// The sources of a model, with their lines.
#[derive(Clone, Debug, Default)]
pub struct Places {
    sources: Vec<(String, Arc<str>, Lines)>,
}

impl Places {
    /// Those that findings point into.
    pub fn new(diagnostics: &Diagnostics) -> Self {
        let sources = diagnostics.sources().iter();
        Places { sources: sources.map(|s| (s.name.clone(), s.text.clone(), Lines::new(&s.text))).collect() }
    }

    /// The name of a source.
    pub fn name(&self, source: SourceId) -> &str {
        &self.sources[source.index()].0
    }

    /// All names; the model's own is the first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|(name, ..)| name.as_str())
    }

    /// The range of a span within its source.
    pub fn range(&self, span: Span) -> Range {
        let (_, text, lines) = &self.sources[span.source.index()];
        lines.range(text, span.start, span.end)
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.sources[span.source.index()].1.get(span.start..span.end).unwrap_or_default()
    }

    /// Where a span is, for the client.
    pub fn location(&self, span: Span, texts: &Texts) -> Option<Location> {
        Some(Location::new(texts.uri(self.name(span.source))?, self.range(span)))
    }
}
