//! Every name of a model, with what it stands for.

use super::super::ast::{
    Attribute, Binding, Block, Clause, Def, Family, Filter, Graph, GraphItem, GraphRef, Guard, Item, Knows,
    Labels, Look, Name, Observer, Plan, PlanBody, Role, Rule, Scope, Seen, Statement, StatementKind, Type,
    TypeKind, WorldBody,
};
use super::declared::Declared;
use super::{Mention, Sort};
use crate::diagnostic::{Diagnostics, Span};
use rustc_hash::FxHashMap;

/// What tells things apart: their names within the space that they belong to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    /// Constants, types, definitions and variables.
    Names,
    Values,
    Events,
    Plans,
    Observers,
    Graphs,
    /// Of the definition with this number.
    Parameters(usize),
    /// Of the observer with this number.
    Images(usize),
    Stipulations(usize),
    /// Of the graph with this number; the world's is 0.
    Vertices(usize),
}

pub(super) struct Walker<'a> {
    pub declared: &'a Declared,
    pub diagnostics: &'a Diagnostics,
    pub symbols: FxHashMap<(Space, String), usize>,
    pub mentions: Vec<Mention>,
    /// How many graphs, definitions and observers there were.
    pub graphs: usize,
    pub defs: usize,
    pub observers: usize,
}

impl Walker<'_> {
    pub fn mention(&mut self, text: &str, span: Span, space: Space, sort: Sort, defines: bool) {
        let next = self.symbols.len();
        let symbol = *self.symbols.entry((space, text.to_owned())).or_insert(next);
        self.mentions.push(Mention { name: text.to_owned(), span, sort, defines, symbol });
    }

    fn name(&mut self, name: &Name, space: Space, sort: Sort, defines: bool) {
        self.mention(&name.text, name.span, space, sort, defines);
    }

    /// An event: one that is written out, or the value of a variable that it shows.
    fn event(&mut self, name: &Name, defines: bool) {
        match self.declared.labels.get(&name.text) {
            Some(&sort) => self.name(name, Space::Events, sort, defines),
            None if self.declared.values.contains(&name.text) => {
                self.name(name, Space::Values, Sort::Value, false);
            }
            None => self.name(name, Space::Events, Sort::Label, false),
        }
    }

    fn events(&mut self, names: &[Name]) {
        names.iter().for_each(|name| self.event(name, false));
    }

    fn variable(&mut self, name: &Name) {
        let sort = self.declared.names.get(&name.text).copied().unwrap_or(Sort::Variable);
        self.name(name, Space::Names, sort, false);
    }

    pub fn item(&mut self, item: &Item) {
        match item {
            Item::Title(_) | Item::Include(_) => {}
            Item::Const(Binding { name, value }) | Item::Let(Binding { name, value }) => {
                self.name(name, Space::Names, Sort::Constant, true);
                self.expr(value, &[]);
            }
            Item::Type(name, ty) => {
                self.name(name, Space::Names, Sort::Type, true);
                self.domain(ty);
            }
            Item::Def(def) => self.definition(def),
            Item::World(world) => match &world.body {
                WorldBody::Rules(rules) => rules.iter().for_each(|rule| self.rule(rule)),
                WorldBody::Drawn(graph) => self.graph(graph, 0, None),
                WorldBody::From(from) => {
                    let conditions = [&from.start, &from.goal, &from.avoid];
                    conditions.into_iter().flatten().for_each(|condition| self.expr(condition, &[]));
                    from.constants.iter().for_each(|constant| self.expr(&constant.value, &[]));
                }
            },
            Item::Graph(name, graph) => {
                self.name(name, Space::Graphs, Sort::Graph, true);
                self.new_graph(graph, None);
            }
            Item::Plan(plan) => self.plan(plan),
            Item::Observer(observer) => self.observer(observer),
            Item::Cost(labels, cost) => {
                self.label_sets(labels);
                self.expr(cost, &[]);
            }
            Item::Use(Role::Plan, name) if name.text == "none" => {}
            Item::Use(Role::Plan, name) => self.name(name, Space::Plans, Sort::Plan, false),
            Item::Use(Role::Observer, name) => self.name(name, Space::Observers, Sort::Observer, false),
        }
    }

    fn definition(&mut self, def: &Def) {
        self.name(&def.name, Space::Names, Sort::Definition, true);
        self.defs += 1;
        let params: Vec<&str> = def.params.iter().map(|param| param.text.as_str()).collect();
        for param in &def.params {
            self.name(param, Space::Parameters(self.defs), Sort::Parameter, true);
        }
        self.expr(&def.body, &params);
    }

    fn domain(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Bool => {}
            TypeKind::Range(low, high) => [low, high].into_iter().for_each(|bound| self.expr(bound, &[])),
            TypeKind::Enum(names) => {
                names.iter().for_each(|name| self.name(name, Space::Values, Sort::Value, true));
            }
            TypeKind::Named(name) => self.mention(name, ty.span, Space::Names, Sort::Type, false),
        }
    }

    fn rule(&mut self, rule: &Rule) {
        match rule {
            Rule::Variable { name, domain, value } => {
                self.name(name, Space::Names, Sort::Variable, true);
                self.domain(domain);
                value.iter().for_each(|value| self.expr(value, &[]));
            }
            Rule::Action { name, guard, outcomes } => {
                self.event(name, true);
                guard.iter().for_each(|guard| self.expr(guard, &[]));
                self.outcomes(outcomes);
            }
            Rule::Observe(lines) => {
                for line in lines {
                    let shows = self.declared.shows(line);
                    for name in &line.labels {
                        if shows { self.variable(name) } else { self.event(name, true) }
                    }
                    line.by.iter().for_each(|by| self.expr(by, &[]));
                    if let Guard::When(guard) = &line.guard {
                        self.expr(guard, &[]);
                    }
                    self.outcomes(&line.outcomes);
                }
            }
            Rule::Start { condition, .. } => condition.iter().for_each(|c| self.expr(c, &[])),
            Rule::Goal { condition, .. } => self.expr(condition, &[]),
            Rule::Picture { row, col } => {
                self.variable(row);
                self.variable(col);
            }
        }
    }

    fn outcomes(&mut self, outcomes: &[Block]) {
        for assignment in outcomes.iter().flatten() {
            assignment.targets.iter().for_each(|target| self.variable(target));
            self.expr(&assignment.value, &[]);
        }
    }

    fn new_graph(&mut self, graph: &Graph, images: Option<usize>) {
        self.graphs += 1;
        self.graph(graph, self.graphs, images);
    }

    /// `images`: the observer whose images the edges bear, if these are no events of the world.
    fn graph(&mut self, graph: &Graph, number: usize, images: Option<usize>) {
        let vertices = Space::Vertices(number);
        for item in &graph.items {
            match item {
                GraphItem::Labels(_, names) => names.iter().for_each(|name| match images {
                    Some(observer) => self.name(name, Space::Images(observer), Sort::Image, false),
                    None => self.event(name, true),
                }),
                GraphItem::Vertices(names, attributes) => {
                    for name in names {
                        self.name(name, vertices.clone(), Sort::Vertex, true);
                    }
                    attributes.iter().for_each(|attribute| self.attribute(attribute));
                }
                GraphItem::Edges(first, edges) => {
                    self.name(first, vertices.clone(), Sort::Vertex, false);
                    for (labels, to) in edges {
                        for label in labels {
                            match images {
                                Some(observer) => {
                                    self.name(label, Space::Images(observer), Sort::Image, false);
                                }
                                None => self.event(label, number == 0),
                            }
                        }
                        self.name(to, vertices.clone(), Sort::Vertex, false);
                    }
                }
            }
        }
    }

    fn attribute(&mut self, attribute: &Attribute) {
        if let Attribute::Prop(name, value) = attribute {
            self.name(name, Space::Names, Sort::Variable, true);
            value.iter().for_each(|value| self.property_value(value));
        }
    }

    fn plan(&mut self, plan: &Plan) {
        plan.name.iter().for_each(|name| self.name(name, Space::Plans, Sort::Plan, true));
        match &plan.body {
            PlanBody::Drawn(graph) => self.new_graph(graph, None),
            PlanBody::Program(statements) => self.statements(statements),
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Act(names) => self.events(names),
                StatementKind::If(tests, otherwise) => {
                    for (Seen { labels, .. }, inner) in tests {
                        self.events(labels);
                        self.statements(inner);
                    }
                    self.statements(otherwise);
                }
                StatementKind::While(Seen { labels, .. }, inner) => {
                    self.events(labels);
                    self.statements(inner);
                }
                StatementKind::Repeat(count, inner) => {
                    self.expr(count, &[]);
                    self.statements(inner);
                }
                StatementKind::Choose(options) => options.iter().for_each(|option| self.statements(option)),
                StatementKind::Stop => {}
            }
        }
    }

    fn observer(&mut self, observer: &Observer) {
        self.observers += 1;
        observer.name.iter().for_each(|name| self.name(name, Space::Observers, Sort::Observer, true));
        observer.clauses.iter().for_each(|clause| self.clause(clause, self.observers));
    }

    fn clause(&mut self, clause: &Clause, number: usize) {
        let images = Space::Images(number);
        match clause {
            Clause::Knows(Knows::Plans(names), _) => {
                names.iter().for_each(|name| self.name(name, Space::Plans, Sort::Plan, false));
            }
            Clause::Knows(Knows::Graph(graph), _) => self.graph_ref(graph, None),
            Clause::Filter(Filter::Graph(graph), _) => self.graph_ref(graph, Some(number)),
            Clause::Knows(..) | Clause::Filter(..) | Clause::SeesFrom(_) => {}
            Clause::Sees(labels, look) => {
                self.label_sets(labels);
                if let Look::As(image) = look {
                    self.name(image, images, Sort::Image, false);
                }
            }
            Clause::Others(Some(Look::As(image)), _) => self.name(image, images, Sort::Image, false),
            Clause::Others(..) => {}
            Clause::Merge(labels) | Clause::Separate(labels) | Clause::Unseen(labels) => {
                self.label_sets(labels)
            }
            Clause::Fixed(labels, image) => {
                self.label_sets(labels);
                self.name(image, images, Sort::Image, false);
            }
            Clause::MaxImages(number) | Clause::MinImages(number) => self.expr(number, &[]),
            Clause::MergeCost(labels, cost) => {
                self.label_sets(labels);
                self.expr(cost, &[]);
            }
            Clause::Stipulate(stipulation) => {
                self.name(&stipulation.name, Space::Stipulations(number), Sort::Stipulation, true);
                if let Scope::Hindsight(Some(bound)) = &stipulation.scope {
                    self.expr(bound, &[]);
                }
                self.expr(&stipulation.formula, &[]);
            }
        }
    }

    fn graph_ref(&mut self, graph: &GraphRef, images: Option<usize>) {
        match graph {
            GraphRef::Drawn(graph) => self.new_graph(graph, images),
            GraphRef::Named(name) => self.name(name, Space::Graphs, Sort::Graph, false),
        }
    }

    fn label_sets(&mut self, labels: &[Labels]) {
        for label in labels {
            match label {
                Labels::One(name) => self.event(name, false),
                Labels::Family(Family { parts, .. }) => {
                    for (variable, value) in parts {
                        self.variable(variable);
                        if let Some(value) = value
                            && self.declared.values.contains(&value.text)
                        {
                            self.name(value, Space::Values, Sort::Value, false);
                        }
                    }
                }
            }
        }
    }
}
