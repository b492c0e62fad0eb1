//! Commands: asking a question, opening the explorer, explaining a code.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use divulge::problem::Problem;
use divulge_explore::page::{Opening, page};
use divulge_model::diagnostic::Code;
use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::{
    ExecuteCommandParams, MessageType, ShowDocumentParams, ShowMessageParams, notification::ShowMessage,
    request::ShowDocument,
};
use serde_json::{Value, json};

use super::{Server, work::Done};
use crate::{
    analysis::{Asked, Stop, Told},
    feature::lenses::{self, Standing},
    text::{name_of, uri_of},
};

impl Server {
    pub fn command(&mut self, id: RequestId, params: ExecuteCommandParams) {
        let argument = params.arguments.into_iter().next().unwrap_or_default();
        match params.command.as_str() {
            "divulge.explain" => self.explain(id, &argument),
            "divulge.ask" => match self.asked(&argument) {
                Some(asked) => self.ask(id, asked),
                None => self.refuse(id, ErrorCode::InvalidParams, "this is no question about an open model"),
            },
            "divulge.explore" => match self.asked(&argument) {
                Some(asked) => self.explore(id, &asked),
                None => self.refuse(id, ErrorCode::InvalidParams, "this is no question about an open model"),
            },
            other => self.refuse(id, ErrorCode::InvalidParams, format!("there is no command `{other}`")),
        }
    }

    /// The question that an argument is.
    fn asked(&self, argument: &Value) -> Option<Asked> {
        let model = name_of(&argument["uri"].as_str()?.parse().ok()?);
        self.texts.get(&model)?;
        lenses::asked(argument, model)
    }

    /// Asks a question; the request is answered when the question is.
    fn ask(&mut self, id: RequestId, asked: Asked) {
        self.waiting.push((id, asked.clone()));
        if !matches!(self.questions.get(&asked), Some((Standing::Asking, _))) {
            self.start(&asked);
        }
        self.refresh();
    }

    /// Opens the explorer on the answer to a question.
    fn explore(&mut self, id: RequestId, asked: &Asked) {
        let told = match self.questions.get(asked) {
            Some((Standing::Told(told), _)) => told,
            _ => return self.refuse(id, ErrorCode::RequestFailed, "ask first: there is no answer yet"),
        };
        let Some(problem) = told.problem.clone() else {
            return self.refuse(id, ErrorCode::RequestFailed, told.headline.clone());
        };
        let opening = opening(told);
        let stem = Path::new(&asked.model).file_stem().map_or("model".into(), |stem| stem.to_string_lossy());
        let name = format!("{stem}-{}-{}.html", asked.name.as_deref().unwrap_or("plan"), asked.ask.id());
        let (stop, done) = (Stop::default(), self.done.clone());
        self.pages.push((id.clone(), stop.clone()));
        thread::spawn(move || {
            let path = written(&problem, &opening, &name, &stop);
            let _ = done.send(Done::Page { id, path });
        });
    }

    pub fn page_made(&mut self, id: RequestId, path: Result<PathBuf, String>) {
        let Some(i) = self.pages.iter().position(|(waiting, _)| *waiting == id) else { return };
        self.pages.remove(i);
        let path = match path {
            Ok(path) => path,
            Err(reason) => return self.refuse(id, ErrorCode::RequestFailed, reason),
        };
        self.show(&path, true);
        self.send(Response::new_ok(id, json!({"path": path})));
    }

    /// Shows a file, or says where it is.
    fn show(&mut self, path: &Path, external: bool) {
        let Some(uri) = uri_of(&path.display().to_string()) else { return };
        if self.shows {
            let wanted =
                ShowDocumentParams { uri, external: Some(external), take_focus: Some(true), selection: None };
            return self.ask_client::<ShowDocument>(wanted);
        }
        let message = format!("{}: open it{}", path.display(), if external { " in a browser" } else { "" });
        self.notify::<ShowMessage>(ShowMessageParams { typ: MessageType::INFO, message });
    }

    /// Shows what `divulge explain CODE` prints.
    fn explain(&mut self, id: RequestId, argument: &Value) {
        let Some(code) = argument.as_str().and_then(Code::from_id) else {
            return self.refuse(id, ErrorCode::InvalidParams, "there is no such code");
        };
        let text = format!("# {}: {}\n\n{}", code.id(), code.title(), code.explanation());
        match file(&format!("{}.md", code.id()), &text) {
            Ok(path) => {
                self.show(&path, false);
                self.send(Response::new_ok(id, json!({"text": text, "path": path})));
            }
            Err(_) => self.send(Response::new_ok(id, json!({"text": text}))),
        }
    }
}

/// What a page says first.
fn opening(told: &Told) -> Opening {
    let note = (told.verdict == "none").then(|| {
        let words = told.words.trim_start_matches("none").trim();
        ("No plan keeps all of this".to_owned(), words.to_owned())
    });
    Opening { events: None, note }
}

fn written(problem: &Arc<Problem>, opening: &Opening, name: &str, stop: &Stop) -> Result<PathBuf, String> {
    let text = page(problem, opening, stop).map_err(|e| e.to_string())?;
    file(name, &text)
}

/// Writes a file of that name into a folder for such things.
fn file(name: &str, text: &str) -> Result<PathBuf, String> {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let folder = std::env::temp_dir().join(format!("divulge-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}
