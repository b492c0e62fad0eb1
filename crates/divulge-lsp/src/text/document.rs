//! One text that is being edited.

use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::Lines;

/// An open document.
#[derive(Clone, Debug)]
pub struct Document {
    /// As the client writes it.
    pub uri: Uri,
    /// The client's number for this state of it.
    pub version: i32,
    /// What is in it now, saved or not.
    pub text: Arc<str>,
    /// Its lines.
    pub lines: Lines,
}

impl Document {
    /// A document as it was opened.
    pub fn new(uri: Uri, version: i32, text: String) -> Self {
        let lines = Lines::new(&text);
        Document { uri, version, text: text.into(), lines }
    }

    /// Carries out changes one after the other. One without a place replaces everything.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        self.version = version;
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let start = self.lines.offset(&self.text, range.start);
                    let end = self.lines.offset(&self.text, range.end).max(start);
                    [&self.text[..start], &change.text, &self.text[end..]].concat()
                }
            };
            self.lines = Lines::new(&text);
            self.text = text.into();
        }
    }
}
