//! What takes time, on threads of its own: reading models, answering questions, making pages.

use std::{path::PathBuf, thread};

use lsp_server::{ErrorCode, RequestId, Response};
use serde_json::json;

use super::Server;
use crate::{
    analysis::{Asked, Read, Reader, Stop, Told},
    feature::lenses::Standing,
};

/// What a thread has to say.
pub enum Done {
    /// A model was read.
    Read {
        /// Its name.
        name: String,
        /// The state of the texts that it was read in.
        generation: u64,
        /// What was read.
        read: Box<Read>,
    },
    /// A question was answered.
    Answered {
        /// The question.
        asked: Asked,
        /// The state of the texts that it was asked in.
        generation: u64,
        /// The answer; none if it was stopped.
        told: Option<Box<Told>>,
    },
    /// A page was made, or why it was not.
    Page {
        /// Who wants it.
        id: RequestId,
        /// Where it is.
        path: Result<PathBuf, String>,
    },
}

impl Server {
    /// Begins to read a model.
    pub fn read(&mut self, name: String) {
        let Some(model) = self.models.get(&name) else { return };
        let (stop, texts, done, generation) =
            (model.stop.clone(), self.texts.clone(), self.done.clone(), self.generation);
        thread::spawn(move || {
            let show = |read| {
                let _ = done.send(Done::Read { name: name.clone(), generation, read: Box::new(read) });
            };
            Reader { stop: &stop, show: &show }.read(&name, &texts);
        });
    }

    /// Begins to answer a question.
    pub fn start(&mut self, asked: &Asked) {
        let stop = Stop::default();
        self.questions.insert(asked.clone(), (Standing::Asking, stop.clone()));
        let (asked, texts, done, generation) =
            (asked.clone(), self.texts.clone(), self.done.clone(), self.generation);
        thread::spawn(move || {
            let told = asked.answer(&texts, &stop).map(Box::new);
            let _ = done.send(Done::Answered { asked, generation, told });
        });
    }

    /// The text has changed: what was asked is asked again once it makes sense.
    pub fn restart_questions(&mut self) {
        for (standing, stop) in self.questions.values_mut() {
            stop.stop();
            *standing = Standing::Waiting;
        }
        for (id, _) in std::mem::take(&mut self.waiting) {
            self.refuse(id, ErrorCode::ContentModified, "the text has changed");
        }
    }

    /// Forgets questions.
    pub fn drop_questions(&mut self, which: impl Fn(&Asked) -> bool) {
        self.questions.retain(|asked, (_, stop)| {
            let dropped = which(asked);
            if dropped {
                stop.stop();
            }
            !dropped
        });
    }

    pub fn finished(&mut self, done: Done) {
        match done {
            Done::Read { name, generation, read } => {
                if generation == self.generation {
                    self.has_read(&name, *read);
                }
            }
            Done::Answered { asked, generation, told } => {
                if generation == self.generation
                    && let Some(told) = told
                {
                    self.answered(&asked, *told);
                }
            }
            Done::Page { id, path } => self.page_made(id, path),
        }
    }

    fn has_read(&mut self, name: &str, read: Read) {
        let Some(model) = self.models.get_mut(name) else { return };
        let whole = !read.partial && !read.diagnostics.has_errors();
        model.has_read(read);
        self.publish();
        if whole {
            let waiting = |(asked, (standing, _)): (&Asked, &(Standing, Stop))| {
                (asked.model == name && matches!(standing, Standing::Waiting)).then(|| asked.clone())
            };
            let again: Vec<Asked> = self.questions.iter().filter_map(waiting).collect();
            again.iter().for_each(|asked| self.start(asked));
        }
        self.refresh();
    }

    fn answered(&mut self, asked: &Asked, told: Told) {
        let Some((standing, _)) = self.questions.get_mut(asked) else { return };
        let answer = json!({"verdict": told.verdict, "headline": told.headline, "words": told.words});
        *standing = Standing::Told(Box::new(told));
        let (now, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|(_, other)| other == asked);
        self.waiting = later;
        for (id, _) in now {
            self.send(Response::new_ok(id, answer.clone()));
        }
        self.publish();
        self.refresh();
    }

    /// Has the client ask for lenses again.
    pub fn refresh(&mut self) {
        if self.refreshes && !self.questions.is_empty() {
            self.ask_client::<lsp_types::request::CodeLensRefresh>(());
        }
    }
}
