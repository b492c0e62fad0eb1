//! The items of a model sorted by what they are, each name once.

use super::ast::{Binding, Def, Expr, Graph, Item, Labels, Name, Observer, Plan, Role, Type, World};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, SourceId, Span};
use rustc_hash::FxHashMap;

/// What a name at the top level stands for: an index into the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    /// A constant (`true`: one that `--set` may change) or a `let`.
    Value(usize),
    Type(usize),
    Def(usize),
}

pub(super) struct ValueDecl {
    pub binding: Binding,
    pub settable: bool,
}

/// A whole model, nothing resolved.
#[derive(Default)]
pub(super) struct Model {
    pub title: Option<Name>,
    pub globals: FxHashMap<String, Global>,
    pub values: Vec<ValueDecl>,
    pub types: Vec<(Name, Type)>,
    pub defs: Vec<Def>,
    pub world: Option<World>,
    pub graphs: Vec<(Name, Graph)>,
    pub plans: Vec<Plan>,
    pub observers: Vec<Observer>,
    pub costs: Vec<(Vec<Labels>, Expr)>,
    pub used_plan: Option<Name>,
    pub used_observer: Option<Name>,
}

/// Sorts items. Of an included file and the file that includes it, the including one's title and choices count.
pub(super) fn collect(items: Vec<Item>, root: SourceId, diagnostics: &mut Diagnostics) -> Model {
    let mut model = Model::default();
    let mut collector = Collector { model: &mut model, root, diagnostics };
    for item in items {
        collector.item(item);
    }
    model
}

struct Collector<'m> {
    model: &'m mut Model,
    root: SourceId,
    diagnostics: &'m mut Diagnostics,
}

impl Collector<'_> {
    fn item(&mut self, item: Item) {
        match item {
            Item::Include(_) => {}
            Item::Title(name) => {
                let old = self.model.title.take();
                self.model.title = self.once("title", name, old);
            }
            Item::Const(binding) => self.value(binding, true),
            Item::Let(binding) => self.value(binding, false),
            Item::Type(name, domain) => {
                if self.global(&name, Global::Type(self.model.types.len())) {
                    self.model.types.push((name, domain));
                }
            }
            Item::Def(def) => {
                if self.global(&def.name, Global::Def(self.model.defs.len())) {
                    self.model.defs.push(def);
                }
            }
            Item::World(world) => match &self.model.world {
                Some(first) => {
                    let first = first.span;
                    self.twice("a second world", world.span, first, "a model has one world");
                }
                None => self.model.world = Some(world),
            },
            Item::Graph(name, graph) => {
                let first = self.model.graphs.iter().find(|(n, _)| n.text == name.text).map(|(n, _)| n.span);
                if self.fresh("graph", &name, first) {
                    self.model.graphs.push((name, graph));
                }
            }
            Item::Plan(plan) => self.plan(plan),
            Item::Observer(observer) => self.observer(observer),
            Item::Cost(labels, cost) => self.model.costs.push((labels, cost)),
            Item::Use(Role::Plan, name) => {
                let old = self.model.used_plan.take();
                self.model.used_plan = self.once("choice of a plan", name, old);
            }
            Item::Use(Role::Observer, name) => {
                let old = self.model.used_observer.take();
                self.model.used_observer = self.once("choice of an observer", name, old);
            }
        }
    }

    fn value(&mut self, binding: Binding, settable: bool) {
        if self.global(&binding.name, Global::Value(self.model.values.len())) {
            self.model.values.push(ValueDecl { binding, settable });
        }
    }

    fn plan(&mut self, plan: Plan) {
        let name = plan.name.as_ref().map(|n| n.text.as_str());
        let same = self.model.plans.iter().find(|p| p.name.as_ref().map(|n| n.text.as_str()) == name);
        if let Some(first) = same.map(|p| p.name.as_ref().map_or(p.span, |n| n.span)) {
            let at = plan.name.as_ref().map_or(plan.span, |n| n.span);
            let what = name
                .map_or("a second plan without a name".to_owned(), |n| format!("a second plan called `{n}`"));
            return self.twice(&what, at, first, "give each plan a name of its own");
        }
        self.model.plans.push(plan);
    }

    fn observer(&mut self, observer: Observer) {
        let name = observer.name.as_ref().map(|n| n.text.as_str());
        let same = self.model.observers.iter().find(|p| p.name.as_ref().map(|n| n.text.as_str()) == name);
        if let Some(first) = same.map(|p| p.name.as_ref().map_or(p.span, |n| n.span)) {
            let at = observer.name.as_ref().map_or(observer.span, |n| n.span);
            let what = name.map_or("a second observer without a name".to_owned(), |n| {
                format!("a second observer called `{n}`")
            });
            return self.twice(&what, at, first, "give each observer a name of its own");
        }
        self.model.observers.push(observer);
    }

    /// The including file overrides what it includes; within one file, once is enough.
    fn once(&mut self, what: &str, new: Name, old: Option<Name>) -> Option<Name> {
        match old {
            Some(old) if old.span.source == new.span.source => {
                self.twice(&format!("a second {what}"), new.span, old.span, "keep one of them");
                Some(old)
            }
            Some(old) if old.span.source == self.root => Some(old),
            _ => Some(new),
        }
    }

    fn global(&mut self, name: &Name, global: Global) -> bool {
        let first = self.model.globals.get(&name.text).map(|g| self.model.global_span(*g));
        let fresh = self.fresh("name", name, first);
        if fresh {
            self.model.globals.insert(name.text.clone(), global);
        }
        fresh
    }

    fn fresh(&mut self, what: &str, name: &Name, first: Option<Span>) -> bool {
        if let Some(first) = first {
            let message = format!("the {what} `{}` is defined twice", name.text);
            self.diagnostics.push(twice(message, name.span, first, "rename one of them"));
        }
        first.is_none()
    }

    fn twice(&mut self, what: &str, at: Span, first: Span, help: &str) {
        self.diagnostics.push(twice(format!("this is {what}"), at, first, help));
    }
}

/// The finding that something is there already.
pub(super) fn twice(message: String, at: Span, first: Span, help: &str) -> Diagnostic {
    Diagnostic::new(Code::DefinedTwice, message).at(at, "").note_at(first, "the first is here").help(help)
}

impl Model {
    /// Where a top-level name is defined.
    pub fn global_span(&self, global: Global) -> Span {
        match global {
            Global::Value(i) => self.values[i].binding.name.span,
            Global::Type(i) => self.types[i].0.span,
            Global::Def(i) => self.defs[i].name.span,
        }
    }
}
