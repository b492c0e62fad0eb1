//! What the client tells: texts opened, changed, closed.

use lsp_server::{ErrorCode, Notification, RequestId};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, NumberOrString,
    notification::{
        Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders,
        DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification as Told,
    },
};

use super::{Server, models::Model};
use crate::text::{Document, name_of};

impl Server {
    pub fn notified(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        // What cannot be understood is left alone: there is nobody to answer.
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value(params) {
                    self.opened(params);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value(params) {
                    self.edited(params);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value(params) {
                    self.closed(params);
                }
            }
            // A file that somebody includes may be another one now.
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => self.changed(),
            DidChangeWorkspaceFolders::METHOD => {
                if let Ok(DidChangeWorkspaceFoldersParams { event }) = serde_json::from_value(params) {
                    let removed: Vec<String> = event.removed.iter().map(|f| name_of(&f.uri)).collect();
                    self.folders.retain(|folder| !removed.contains(folder));
                    self.folders.extend(event.added.iter().map(|folder| name_of(&folder.uri)));
                }
            }
            Cancel::METHOD => {
                if let Ok(CancelParams { id }) = serde_json::from_value(params) {
                    self.cancelled(match id {
                        NumberOrString::Number(id) => id.into(),
                        NumberOrString::String(id) => id.into(),
                    });
                }
            }
            _ => {}
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let name = name_of(&document.uri);
        self.texts.put(name.clone(), Document::new(document.uri, document.version, document.text));
        self.models.insert(name, Model::default());
        self.changed();
    }

    fn edited(&mut self, params: DidChangeTextDocumentParams) {
        let name = name_of(&params.text_document.uri);
        let Some(document) = self.texts.get(&name) else { return };
        let mut document = Document::clone(document);
        document.change(params.text_document.version, params.content_changes);
        self.texts.put(name, document);
        self.changed();
    }

    fn closed(&mut self, params: DidCloseTextDocumentParams) {
        let name = name_of(&params.text_document.uri);
        self.texts.close(&name);
        if let Some(model) = self.models.remove(&name) {
            model.stop.stop();
        }
        self.drop_questions(|asked| asked.model == name);
        self.changed();
    }

    /// Some text is another one now: whatever is at work begins anew.
    fn changed(&mut self) {
        self.generation += 1;
        self.models.values_mut().for_each(Model::changed);
        self.restart_questions();
        for name in self.texts.names().map(str::to_owned).collect::<Vec<_>>() {
            if self.is_root(&name) {
                self.read(name);
            }
        }
        if self.models.is_empty() {
            self.publish();
        }
    }

    fn cancelled(&mut self, id: RequestId) {
        if let Some(i) = self.waiting.iter().position(|(waiting, _)| *waiting == id) {
            let (_, asked) = self.waiting.remove(i);
            self.refuse(id.clone(), ErrorCode::RequestCanceled, "cancelled");
            if !self.waiting.iter().any(|(_, other)| *other == asked) {
                self.drop_questions(|other| *other == asked);
            }
        }
        if let Some(i) = self.pages.iter().position(|(waiting, _)| *waiting == id) {
            let (_, stop) = self.pages.remove(i);
            stop.stop();
            self.refuse(id, ErrorCode::RequestCanceled, "cancelled");
        }
    }
}
