//! What the names of a model stand for, as far as that can be told before anything is resolved.

use super::super::ast::{
    Attribute, Clause, ExprKind, Graph, GraphItem, GraphRef, Item, Knows, Observation, Plan, PlanBody, Rule,
    Type, TypeKind, World, WorldBody,
};
use super::Sort;
use divulge::problem::Kind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Names by their kinds.
#[derive(Default)]
pub(super) struct Declared {
    /// Constants, types, definitions and variables, which share one space of names.
    pub names: FxHashMap<String, Sort>,
    /// Values of enumerations.
    pub values: FxHashSet<String>,
    /// Events that are written out.
    pub labels: FxHashMap<String, Sort>,
}

impl Declared {
    pub fn of(items: &[Item]) -> Self {
        let mut declared = Declared::default();
        // An observation may be called like a variable that is declared after it.
        items.iter().for_each(|item| declared.name(item));
        items.iter().for_each(|item| declared.events(item));
        declared
    }

    fn name(&mut self, item: &Item) {
        let (name, sort) = match item {
            Item::Const(binding) | Item::Let(binding) => (&binding.name, Sort::Constant),
            Item::Def(def) => (&def.name, Sort::Definition),
            Item::Type(name, ty) => {
                self.enumeration(ty);
                (name, Sort::Type)
            }
            Item::World(World { body: WorldBody::Rules(rules), .. }) => {
                for rule in rules {
                    if let Rule::Variable { name, domain, .. } = rule {
                        self.names.insert(name.text.clone(), Sort::Variable);
                        self.enumeration(domain);
                    }
                }
                return;
            }
            Item::World(World { body: WorldBody::Drawn(graph), .. }) => return self.properties(graph),
            _ => return,
        };
        self.names.insert(name.text.clone(), sort);
    }

    fn properties(&mut self, graph: &Graph) {
        let attributes = graph.items.iter().filter_map(|item| match item {
            GraphItem::Vertices(_, attributes) => Some(attributes),
            _ => None,
        });
        for attribute in attributes.flatten() {
            if let Attribute::Prop(name, value) = attribute {
                self.names.entry(name.text.clone()).or_insert(Sort::Variable);
                if let Some(ExprKind::Name(word) | ExprKind::Text(word)) = value.as_ref().map(|v| &v.kind) {
                    self.values.insert(word.clone());
                }
            }
        }
    }

    fn enumeration(&mut self, ty: &Type) {
        if let TypeKind::Enum(names) = &ty.kind {
            self.values.extend(names.iter().map(|name| name.text.clone()));
        }
    }

    fn events(&mut self, item: &Item) {
        match item {
            Item::World(World { body: WorldBody::Rules(rules), .. }) => {
                for rule in rules {
                    match rule {
                        Rule::Action { name, .. } => {
                            self.labels.insert(name.text.clone(), Sort::Action);
                        }
                        Rule::Observe(lines) => lines.iter().for_each(|line| self.observed(line)),
                        _ => {}
                    }
                }
            }
            Item::World(World { body: WorldBody::Drawn(graph), .. }) => {
                self.drawn(graph);
                for item in &graph.items {
                    if let GraphItem::Edges(_, edges) = item {
                        for label in edges.iter().flat_map(|(labels, _)| labels) {
                            self.labels.entry(label.text.clone()).or_insert(Sort::Label);
                        }
                    }
                }
            }
            Item::Plan(Plan { body: PlanBody::Drawn(graph), .. }) | Item::Graph(_, graph) => {
                self.drawn(graph)
            }
            Item::Observer(observer) => {
                for clause in &observer.clauses {
                    if let Clause::Knows(Knows::Graph(GraphRef::Drawn(graph)), _) = clause {
                        self.drawn(graph);
                    }
                }
            }
            _ => {}
        }
    }

    fn observed(&mut self, line: &Observation) {
        if !self.shows(line) {
            let names = line.labels.iter().map(|name| (name.text.clone(), Sort::Observation));
            self.labels.extend(names);
        }
    }

    /// Whether the names of a line are those of variables whose values are shown.
    pub fn shows(&self, line: &Observation) -> bool {
        let variable = |name: &str| self.names.get(name) == Some(&Sort::Variable);
        line.shows || matches!((line.labels.as_slice(), &line.by), ([name], None) if variable(&name.text))
    }

    /// `actions a, b` and `observations o`.
    fn drawn(&mut self, graph: &Graph) {
        for item in &graph.items {
            if let GraphItem::Labels(kind, names) = item {
                let sort = if *kind == Kind::Action { Sort::Action } else { Sort::Observation };
                self.labels.extend(names.iter().map(|name| (name.text.clone(), sort)));
            }
        }
    }
}
