//! What is known of each open document, and what is said of its files.

use std::{cell::OnceCell, collections::BTreeMap, rc::Rc};

use divulge_model::language::Facts;
use lsp_types::{Diagnostic, PublishDiagnosticsParams, notification::PublishDiagnostics};

use super::Server;
use crate::{
    analysis::{Names, Places, Read, Stop},
    feature::{diagnostics, hover::Known, lenses},
};

/// An open document, as a model of its own.
#[derive(Default)]
pub struct Model {
    /// Its names as the texts are now, looked at when they are first wanted.
    names: OnceCell<Option<Rc<Names>>>,
    /// What was read of it last, and where that is; perhaps of an earlier state.
    read: Option<(Read, Places)>,
    /// Whether that is of the texts as they are now.
    current: bool,
    /// What its names stood for when it made sense last: good enough for suggestions.
    pub facts: Option<Facts>,
    /// Stops what is being read.
    pub stop: Stop,
}

impl Model {
    /// Forgets what the texts no longer say.
    pub fn changed(&mut self) {
        self.names = OnceCell::new();
        self.current = false;
        self.stop.stop();
        self.stop = Stop::default();
    }

    /// The texts as they are now have been read.
    pub fn has_read(&mut self, read: Read) {
        if read.facts != Facts::default() {
            self.facts = Some(read.facts.clone());
        }
        let places = Places::new(&read.diagnostics);
        self.read = Some((read, places));
        self.current = true;
    }

    /// What was read of the texts as they are now.
    fn read_now(&self) -> Option<&(Read, Places)> {
        self.read.as_ref().filter(|_| self.current)
    }

    /// What is known beside names, of the texts as they are now.
    pub fn known(&self) -> Known<'_> {
        match self.read_now() {
            Some((read, _)) => Known { facts: Some(&read.facts), problem: read.problem.as_deref() },
            None => Known::default(),
        }
    }
}

impl Server {
    /// The names of an open document.
    pub fn names(&self, name: &str) -> Option<Rc<Names>> {
        let look = || Names::of(name, &self.texts).map(Rc::new);
        self.models.get(name)?.names.get_or_init(look).clone()
    }

    /// Open documents that no other open one includes: what is said of the others comes from these.
    fn roots(&self) -> Vec<String> {
        // One document alone need not be looked at to know that.
        if self.models.len() < 2 {
            return self.texts.names().map(str::to_owned).collect();
        }
        let all: Vec<(String, Option<Rc<Names>>)> =
            self.texts.names().map(|name| (name.to_owned(), self.names(name))).collect();
        let includes = |a: &Option<Rc<Names>>, b: &str| a.as_ref().is_some_and(|names| names.includes(b));
        let included = |name: &str, own: &Option<Rc<Names>>| {
            all.iter().any(|(other, names)| other != name && includes(names, name) && !includes(own, other))
        };
        all.iter().filter(|(name, own)| !included(name, own)).map(|(name, _)| name.clone()).collect()
    }

    /// Whether what is said of a document is said of it as a model of its own.
    pub fn is_root(&self, name: &str) -> bool {
        self.roots().iter().any(|root| root == name)
    }

    /// The open model whose findings are about a file: its own, or that of one that includes it.
    pub fn about(&self, file: &str) -> Option<&(Read, Places)> {
        let roots = self.roots();
        let own = roots.iter().find(|root| *root == file);
        let other = roots.iter().find(|root| {
            let read = self.models.get(*root).and_then(Model::read_now);
            read.is_some_and(|(_, places)| places.names().any(|name| name == file))
        });
        self.models.get(own.or(other)?)?.read_now()
    }

    /// Says everything that there is to say of all files.
    pub fn publish(&mut self) {
        let mut said: BTreeMap<String, Vec<Diagnostic>> =
            self.texts.names().map(|name| (name.to_owned(), Vec::new())).collect();
        // Of what is still being read nothing is said yet: the places would be those of an earlier text.
        let mut waiting = Vec::new();
        for root in self.roots() {
            let Some((read, places)) = self.models.get(&root).and_then(Model::read_now) else {
                waiting.push(root.clone());
                waiting.extend(self.names(&root).iter().flat_map(|n| n.places.names()).map(str::to_owned));
                continue;
            };
            for (file, finding) in diagnostics::all(read, places, &self.texts) {
                let list = said.entry(file).or_default();
                if !list.contains(&finding) {
                    list.push(finding);
                }
            }
        }
        for (asked, (standing, _)) in &self.questions {
            if let (lenses::Standing::Told(told), Some(names)) = (standing, self.names(&asked.model)) {
                let list = said.entry(asked.model.clone()).or_default();
                list.extend(lenses::verdict(asked, told, &names));
            }
        }
        let before = std::mem::replace(&mut self.told, said.keys().cloned().collect());
        for file in before {
            said.entry(file).or_default();
        }
        for (file, diagnostics) in said {
            if waiting.contains(&file) {
                continue;
            }
            let Some(uri) = self.texts.uri(&file) else { continue };
            let version = self.texts.get(&file).map(|document| document.version);
            self.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
        }
    }
}
