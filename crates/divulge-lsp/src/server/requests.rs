//! What the client asks for and gets at once.

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::{
    CompletionResponse, DocumentSymbolResponse, GotoDefinitionResponse, PrepareRenameResponse,
    SemanticTokens, SemanticTokensResult, TextDocumentPositionParams, Uri,
    request::{
        CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest,
        ExecuteCommand, FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest, PrepareRenameRequest,
        References, Rename, Request as Asked, SemanticTokensFullRequest,
    },
};
use serde::de::DeserializeOwned;

use super::Server;
use crate::{
    analysis::Names,
    feature::{actions, completion, folding, format, hover, lenses, navigate, rename, symbols, tokens},
    text::name_of,
};

/// Why there is no answer.
type Refusal = (ErrorCode, String);

impl Server {
    pub fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match method.as_str() {
            HoverRequest::METHOD => {
                self.reply::<HoverRequest>(id, params, |s, p| s.hover(&p.text_document_position_params))
            }
            Completion::METHOD => self.reply::<Completion>(id, params, |s, p| {
                let at = &p.text_document_position;
                let name = name_of(&at.text_document.uri);
                let facts = s.models.get(&name).and_then(|model| model.facts.as_ref());
                let items = s.names(&name).map(|names| completion::at(&names, at.position, facts));
                Ok(items.map(CompletionResponse::Array))
            }),
            GotoDefinition::METHOD => self.reply::<GotoDefinition>(id, params, |s, p| {
                let at = &p.text_document_position_params;
                let found = s.named(at, |names| navigate::definition(names, at.position, &s.texts));
                Ok(found.map(GotoDefinitionResponse::Array))
            }),
            References::METHOD => self.reply::<References>(id, params, |s, p| {
                let (at, all) = (&p.text_document_position, p.context.include_declaration);
                Ok(s.named(at, |names| navigate::references(names, at.position, all, &s.texts, &s.folders)))
            }),
            DocumentHighlightRequest::METHOD => self.reply::<DocumentHighlightRequest>(id, params, |s, p| {
                let at = &p.text_document_position_params;
                Ok(s.named(at, |names| navigate::highlights(names, at.position)))
            }),
            PrepareRenameRequest::METHOD => self.reply::<PrepareRenameRequest>(id, params, |s, at| {
                let found = s.named(&at, |names| rename::prepare(names, at.position));
                let (range, placeholder) = found.ok_or_else(unknown)?.map_err(failed)?;
                Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
            }),
            Rename::METHOD => self.reply::<Rename>(id, params, |s, p| {
                let at = &p.text_document_position;
                let change = s
                    .named(at, |names| rename::rename(names, at.position, &p.new_name, &s.texts, &s.folders));
                change.ok_or_else(unknown)?.map(Some).map_err(failed)
            }),
            Formatting::METHOD => self.reply::<Formatting>(id, params, |s, p| {
                Ok(s.texts.get(&name_of(&p.text_document.uri)).map(|document| format::edits(document)))
            }),
            FoldingRangeRequest::METHOD => self.reply::<FoldingRangeRequest>(id, params, |s, p| {
                Ok(s.texts.get(&name_of(&p.text_document.uri)).map(|document| folding::folds(document)))
            }),
            DocumentSymbolRequest::METHOD => self.reply::<DocumentSymbolRequest>(id, params, |s, p| {
                let names = s.names_of(&p.text_document.uri);
                Ok(names.map(|names| DocumentSymbolResponse::Nested(symbols::outline(&names))))
            }),
            SemanticTokensFullRequest::METHOD => {
                self.reply::<SemanticTokensFullRequest>(id, params, |s, p| {
                    let data = s.names_of(&p.text_document.uri).map(|names| tokens::all(&names));
                    Ok(data
                        .map(|data| SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data })))
                })
            }
            CodeActionRequest::METHOD => self.reply::<CodeActionRequest>(id, params, |s, p| {
                let file = name_of(&p.text_document.uri);
                let found = s.about(&file).map(|(read, places)| {
                    actions::at(&file, p.range, read, places, &p.context.diagnostics, &s.texts)
                });
                Ok(found)
            }),
            CodeLensRequest::METHOD => self.reply::<CodeLensRequest>(id, params, |s, p| {
                let uri = p.text_document.uri.as_str();
                let standing = |asked: &_| s.questions.get(asked).map(|(standing, _)| standing.clone());
                Ok(s.names_of(&p.text_document.uri).map(|names| lenses::all(&names, uri, &standing)))
            }),
            ExecuteCommand::METHOD => match serde_json::from_value(params) {
                Ok(params) => self.command(id, params),
                Err(error) => self.refuse(id, ErrorCode::InvalidParams, error.to_string()),
            },
            _ => self.refuse(id, ErrorCode::MethodNotFound, format!("there is no `{method}` here")),
        }
    }

    /// Answers a request, whatever it is like.
    fn reply<R: Asked>(
        &mut self,
        id: RequestId,
        params: serde_json::Value,
        answer: impl FnOnce(&mut Self, R::Params) -> Result<R::Result, Refusal>,
    ) where
        R::Params: DeserializeOwned,
    {
        let answered = match serde_json::from_value(params) {
            Ok(params) => answer(self, params),
            Err(error) => Err((ErrorCode::InvalidParams, error.to_string())),
        };
        match answered {
            Ok(result) => self.send(Response::new_ok(id, result)),
            Err((code, message)) => self.refuse(id, code, message),
        }
    }

    fn names_of(&self, uri: &Uri) -> Option<std::rc::Rc<Names>> {
        self.names(&name_of(uri))
    }

    fn named<T>(&self, at: &TextDocumentPositionParams, look: impl FnOnce(&Names) -> T) -> Option<T> {
        self.names_of(&at.text_document.uri).map(|names| look(&names))
    }

    fn hover(&self, at: &TextDocumentPositionParams) -> Result<Option<lsp_types::Hover>, Refusal> {
        let name = name_of(&at.text_document.uri);
        let Some(names) = self.names(&name) else { return Ok(None) };
        let known = self.models.get(&name).map(|model| model.known()).unwrap_or_default();
        Ok(hover::at(&names, at.position, known))
    }
}

fn unknown() -> Refusal {
    (ErrorCode::InvalidParams, "this is no model that is open".to_owned())
}

fn failed(reason: String) -> Refusal {
    (ErrorCode::RequestFailed, reason)
}
