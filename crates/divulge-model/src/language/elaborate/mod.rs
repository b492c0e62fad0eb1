//! From a model to the core's problem.

mod choice;
mod describe;
mod drawn;
mod explore;
mod family;
mod foreign;
mod labels;
mod observer;
mod program;
mod rules;
mod states;
mod stipulation;
mod suspicious;
mod waves;

use super::ast::{
    Attribute, Clause, ExprKind, Graph, GraphItem, GraphRef, Knows, Name, PlanBody, Rule, Type, TypeKind,
    When, WorldBody,
};
use super::check::Typed;
use super::facts::Facts;
use super::formula::Derived;
use super::model::Model;
use super::scope::{Checked, Domain, Failed, Scope, Within};
use super::term::Term;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, SourceId, Span, did_you_mean, listed};
use crate::lint::{self, Places};
use choice::{Choice, set_parameters};
use divulge::{
    Limit,
    problem::{Grid, Kind, Label, Plan, Problem, Value, World},
    sets::BitSet,
};
use drawn::{LabelSource, Purpose, draw};
use explore::{Explored, Vertices};
use labels::Labels;
use std::sync::Arc;

/// The problem, unless there are errors. With `anybody`, nothing is asked yet, so that several observers may lack a map.
pub(super) fn elaborate<'m>(
    model: &'m Model,
    overrides: &[(String, String)],
    anybody: bool,
    root: SourceId,
    within: Within<'m>,
    diagnostics: &'m mut Diagnostics,
) -> Elaborated {
    let mut scope = Scope::new(model, within, &mut *diagnostics);
    let choice = set_parameters(overrides, anybody, &mut scope);
    let made = Elaborator { scope: &mut scope, labels: Labels::default(), root }.problem(&choice);
    let (facts, stopped) = (Facts::of(&scope), scope.stopped);
    let problem = made.ok().and_then(|(problem, places)| linted(problem, &places, model, diagnostics));
    Elaborated { problem, facts, stopped }
}

/// What comes of a model.
pub(super) struct Elaborated {
    /// The problem, unless there are errors.
    pub problem: Option<Problem>,
    pub facts: Facts,
    /// Why it was given up, if it was.
    pub stopped: Option<Limit>,
}

/// Warns of probable mistakes in a problem without errors.
fn linted(
    problem: Problem,
    places: &Places,
    model: &Model,
    diagnostics: &mut Diagnostics,
) -> Option<Problem> {
    if diagnostics.has_errors() {
        return None;
    }
    // A file without a goal is there to be audited.
    let from_file = matches!(model.world.as_ref().map(|world| &world.body), Some(WorldBody::From(_)));
    let look = if from_file && problem.world.goal.is_empty() { lint::lint_for_audit } else { lint::lint };
    look(&problem, places, diagnostics);
    Some(problem)
}

struct Elaborator<'s, 'm> {
    scope: &'s mut Scope<'m>,
    labels: Labels,
    root: SourceId,
}

/// The plans of a model, compiled.
#[derive(Default)]
pub(super) struct Plans(Vec<(Option<String>, Plan)>);

impl Plans {
    fn find(&self, name: &Name, scope: &mut Scope) -> Checked<&Plan> {
        let model = scope.model;
        let found = self.0.iter().find(|(n, _)| n.as_deref() == Some(&name.text));
        if let Some((_, plan)) = found {
            scope.used.insert(format!("plan {}", name.text));
            return Ok(plan);
        }
        let known: Vec<&str> =
            model.plans.iter().filter_map(|p| p.name.as_ref()).map(|n| n.text.as_str()).collect();
        if known.contains(&name.text.as_str()) {
            return Err(Failed);
        }
        let fallback = match known.len() {
            0 => "the model names no plan".to_owned(),
            _ => format!("the plans are {}", listed(known.iter().copied())),
        };
        let advice = did_you_mean(&name.text, known.iter().copied()).unwrap_or(fallback.into());
        let message = format!("no plan is called `{}`", name.text);
        scope.fail(Diagnostic::new(Code::UnknownReference, message).at(name.span, "").help(advice))
    }
}

impl Elaborator<'_, '_> {
    fn problem(mut self, choice: &Choice) -> Checked<(Problem, Places)> {
        let model = self.scope.model;
        self.words();
        let Some(world) = &model.world else {
            self.scope.check_all_values();
            let end = self.scope.diagnostics.source(self.root).text.len();
            return self.scope.fail(
                Diagnostic::new(Code::MissingWorld, "the model has no world")
                    .at(self.root.span(end, end), "the file ends here")
                    .help("add `world { ... }`, or `world graph { ... }` to draw it by hand"),
            );
        };
        let mut places = Places { world: Some(world.span), ..Places::default() };
        let mut explored = None;
        let mut grid = None;
        let world = match &world.body {
            WorldBody::Rules(rules) => {
                let (world, kept, picture) = self.rules(rules, world.span, &mut places)?;
                explored = kept;
                grid = picture.map(|(row, col)| {
                    let landmarks = self.landmarks(&row, &col);
                    Grid { row, col, landmarks }
                });
                world
            }
            WorldBody::Drawn(graph) => Some(self.drawn_world(graph, &mut places)?),
            // Nothing is known of such a world before its file has been read.
            WorldBody::From(_) if !self.scope.within.world => return Err(Failed),
            WorldBody::From(from) => Some(self.foreign_world(from, &mut places)?),
        };
        // Without a world, plans and observers are still looked at for their own mistakes.
        let start = world.as_ref().map_or_else(|| self.said_to_start(), |w| w.graph.initial_kind());
        let mut world_labels = BitSet::full(self.labels.alphabet.len());
        places.labels = self.labels.spans.clone();
        self.outside();
        world_labels.grow(self.labels.alphabet.len());
        let plans = self.plans(start);
        let around = observer::Around { labels: &self.labels, plans: &plans, world: world.as_ref(), start };
        let mut derived = Derived::default();
        let each = model.observers.iter();
        let observers: Vec<_> =
            each.map(|o| observer::compile(o, &around, &mut derived, self.scope)).collect();
        let costs = self.costs();
        let plan = self.choose_plan(&plans, choice);
        let observers = self.choose_observers(observers, choice, &mut places);
        let (mut world, plan, (mut observers, aside), costs) =
            (world.ok_or(Failed)?, plan?, observers?, costs?);
        self.vertices(&world)?;
        self.unused();
        if let Some(explored) = &explored {
            add_derived(&mut world, &derived, explored, self.scope)?;
        }
        let name = model.title.as_ref().map(|t| t.text.clone());
        let alphabet = self.labels.alphabet;
        let (observer, others) = (observers.remove(0), observers);
        Ok((
            Problem { name, alphabet, world_labels, world, plan, costs, observer, others, aside, grid },
            places,
        ))
    }

    /// Whether a world that could not be made would start with an action.
    fn said_to_start(&self) -> Kind {
        let rules = match self.scope.model.world.as_ref().map(|world| &world.body) {
            Some(WorldBody::Rules(rules)) => rules.as_slice(),
            _ => &[],
        };
        let observing = |rule: &Rule| matches!(rule, Rule::Start { when: When::Observing, .. });
        if rules.iter().any(observing) { Kind::Observation } else { Kind::Action }
    }

    /// The constants that are places of the picture: pairs of a row and a column.
    fn landmarks(&mut self, row: &str, col: &str) -> Vec<(String, i64, i64)> {
        let model = self.scope.model;
        let inside = |variable: &str, value: i64, scope: &mut Scope| {
            scope.variable(variable).is_some_and(|v| scope.variables[v].domain.contains(value))
        };
        let mut found = Vec::new();
        for (i, value) in model.values.iter().enumerate() {
            let name = &value.binding.name;
            if let Ok(Typed::Tuple(parts)) = self.scope.global_value(i, name.span)
                && let [Typed::Int(Term::Const(r)), Typed::Int(Term::Const(c))] = parts[..]
                && inside(row, r, self.scope)
                && inside(col, c, self.scope)
            {
                found.push((name.text.clone(), r, c));
            }
        }
        found
    }

    /// Values of enumerations are words that expressions may mention; they must be known before any expression.
    fn words(&mut self) {
        let model = self.scope.model;
        let mut enumeration = |ty: &Type| {
            if let TypeKind::Enum(names) = &ty.kind {
                self.scope.add_words(names);
            }
        };
        model.types.iter().for_each(|(_, ty)| enumeration(ty));
        match model.world.as_ref().map(|w| &w.body) {
            Some(WorldBody::Rules(rules)) => {
                for rule in rules {
                    if let Rule::Variable { domain, .. } = rule {
                        enumeration(domain);
                    }
                }
            }
            Some(WorldBody::Drawn(graph)) => {
                for (_, value) in properties(graph) {
                    if let Some(ExprKind::Name(word)) = value.map(|e| &e.kind)
                        && !model.globals.contains_key(word)
                    {
                        self.scope.words.intern(word);
                    }
                }
            }
            // The words of a file are known once it has been read.
            Some(WorldBody::From(_)) | None => {}
        }
    }

    #[allow(clippy::type_complexity)]
    fn rules(
        &mut self,
        rules: &[Rule],
        span: Span,
        places: &mut Places,
    ) -> Checked<(Option<World>, Option<Arc<Vertices>>, Option<(String, String)>)> {
        rules::declare(rules, self.scope);
        self.scope.check_all_values();
        let compiled = rules::compile(rules, self.scope, &mut self.labels);
        places.goal = compiled.goal_span;
        if self.scope.diagnostics.has_errors() || !self.scope.within.world {
            return Ok((None, None, None));
        }
        let Explored { world, vertices } = explore::explore(&compiled, &mut self.labels, self.scope, span)?;
        suspicious::look(rules, &compiled, self.scope);
        Ok((Some(world), Some(vertices), compiled.picture))
    }

    fn drawn_world(&mut self, graph: &Graph, places: &mut Places) -> Checked<World> {
        self.scope.check_all_values();
        for item in &graph.items {
            if let GraphItem::Labels(kind, names) = item {
                for name in names {
                    self.labels.declare(name, *kind, self.scope);
                }
            }
        }
        let drawn = draw(graph, Purpose::World, Kind::Action, &mut Declaring(&mut self.labels), self.scope)?;
        for (name, _) in properties(graph) {
            if self.scope.variable(&name.text).is_none()
                && let Some(column) = drawn.props.column(&name.text)
            {
                let domain = property_domain(name, column.values(), self.scope)?;
                self.scope.add_variable(name, domain, true);
                // What the world says of its vertices needs no use.
                self.scope.used.insert(name.text.clone());
            }
        }
        let goal = graph.items.iter().find_map(|item| match item {
            GraphItem::Vertices(_, attributes) => attributes.iter().find_map(|a| match a {
                Attribute::Goal(span) => Some(*span),
                _ => None,
            }),
            _ => None,
        });
        places.goal = goal;
        Ok(World { graph: drawn.graph, names: drawn.names, goal: drawn.goal, props: drawn.props, past: None })
    }

    /// Labels that plans and divulged graphs declare, and that the world does not have.
    fn outside(&mut self) {
        let model = self.scope.model;
        let drawn = model.plans.iter().filter_map(|plan| match &plan.body {
            PlanBody::Drawn(graph) => Some(graph),
            PlanBody::Program(_) => None,
        });
        let known = model.observers.iter().flat_map(|o| &o.clauses).filter_map(|clause| match clause {
            Clause::Knows(Knows::Graph(GraphRef::Drawn(graph)), _) => Some(graph),
            Clause::Knows(Knows::Graph(GraphRef::Named(name)), _) => {
                model.graphs.iter().find(|(n, _)| n.text == name.text).map(|(_, graph)| graph)
            }
            _ => None,
        });
        for item in drawn.chain(known).flat_map(|graph| &graph.items) {
            if let GraphItem::Labels(kind, names) = item {
                for name in names {
                    self.labels.declare(name, *kind, self.scope);
                }
            }
        }
    }

    fn plans(&mut self, start: Kind) -> Plans {
        let model = self.scope.model;
        let mut plans = Plans::default();
        for plan in &model.plans {
            let compiled = match &plan.body {
                PlanBody::Program(statements) => {
                    program::compile(statements, plan.span, start, &self.labels, self.scope)
                }
                PlanBody::Drawn(graph) => {
                    draw(graph, Purpose::Plan, start, &mut Alphabetical(&self.labels), self.scope)
                        .map(|d| Plan { graph: d.graph, names: d.names, terminal: d.terminal })
                }
            };
            if let Ok(compiled) = compiled {
                plans.0.push((plan.name.as_ref().map(|n| n.text.clone()), compiled));
            }
        }
        plans
    }

    fn costs(&mut self) -> Checked<Vec<(Label, u64)>> {
        let model = self.scope.model;
        let mut costs: Vec<(Label, u64)> = Vec::new();
        for (names, cost) in &model.costs {
            let names = &self.labels.named(names, self.scope)?;
            let found = self.labels.find_all(names, None, self.scope);
            let value = self.scope.constant_int(cost, "a cost")?;
            let Ok(value) = u64::try_from(value) else {
                let finding = Diagnostic::new(Code::BadCount, format!("a cost of {value} is negative"));
                return self.scope.fail(finding.at(cost.span, "").help("a cost is an integer from 0 up"));
            };
            for (label, name) in found?.into_iter().zip(names) {
                if costs.iter().any(|(l, _)| *l == label) {
                    let message = format!("the cost of `{}` is given twice", name.text);
                    let finding = Diagnostic::new(Code::DefinedTwice, message).at(name.span, "");
                    return self.scope.fail(finding.help("keep one of them"));
                }
                costs.push((label, value));
            }
        }
        Ok(costs)
    }

    /// The vertices that formulas mention must be there.
    fn vertices(&mut self, world: &World) -> Checked<()> {
        let mentioned = std::mem::take(&mut self.scope.vertices);
        let mut result = Ok(());
        for name in mentioned.iter().filter(|n| world.vertex(&n.text).is_none()) {
            let advice = did_you_mean(&name.text, world.names.iter());
            let example = world.names.iter().next().unwrap_or("u0");
            let message = format!("the world has no vertex `{}`", name.text);
            let finding = Diagnostic::new(Code::UnknownVertex, message).at(name.span, "");
            let advice = advice.unwrap_or_else(|| format!("vertices have names such as `{example}`").into());
            result = self.scope.fail(finding.help(advice));
        }
        result
    }

    /// Definitions that nothing uses. Those of included files may be meant for others.
    fn unused(&mut self) {
        let model = self.scope.model;
        let values = model.values.iter().map(|v| ("constant", &v.binding.name));
        let types = model.types.iter().map(|(name, _)| ("type", name));
        let defs = model.defs.iter().map(|d| ("definition", &d.name));
        let named: Vec<(&str, &Name)> = values.chain(types).chain(defs).collect();
        let variables =
            self.scope.variables.iter().map(|v| ("variable", Name { text: v.name.clone(), span: v.span }));
        let graphs = model.graphs.iter().map(|(name, _)| ("graph", name));
        let mut idle: Vec<(&str, Name)> =
            named.into_iter().map(|(what, name)| (what, name.clone())).collect();
        idle.extend(variables);
        idle.retain(|(_, name)| !self.scope.used.contains(&name.text));
        idle.extend(
            graphs
                .filter(|(_, n)| !self.scope.used.contains(&format!("graph {}", n.text)))
                .map(|(w, n)| (w, n.clone())),
        );
        idle.retain(|(_, name)| name.span.source == self.root);
        idle.sort_by_key(|(_, name)| name.span);
        for (what, name) in idle {
            self.scope.diagnostics.push(
                Diagnostic::new(Code::UnusedDefinition, format!("nothing uses the {what} `{}`", name.text))
                    .at(name.span, "")
                    .help("use it or remove it"),
            );
        }
    }
}

fn add_derived(world: &mut World, derived: &Derived, explored: &Vertices, scope: &mut Scope) -> Checked<()> {
    let Vertices { states, codec } = explored;
    for (name, term) in &derived.properties {
        if let Some(column) = describe::truth(term, codec, states, scope.within.threads) {
            *world.props.column_mut(name) = column;
            continue;
        }
        // One by one, to tell of the first state in which it has no value.
        let mut state = vec![0; codec.len()];
        for v in 0..states.len() {
            codec.decode(states.key(v), &mut state);
            if let Err(fault) = term.holds(&state) {
                return explore::fault(scope, fault, &state);
            }
        }
    }
    Ok(())
}

fn properties(graph: &Graph) -> impl Iterator<Item = (&Name, Option<&super::ast::Expr>)> {
    let attributes = graph.items.iter().filter_map(|item| match item {
        GraphItem::Vertices(_, attributes) => Some(attributes),
        _ => None,
    });
    attributes.flatten().filter_map(|attribute| match attribute {
        Attribute::Prop(name, value) => Some((name, value.as_ref())),
        _ => None,
    })
}

/// The type of a property, from its values.
fn property_domain(name: &Name, values: &[Value], scope: &mut Scope) -> Checked<Domain> {
    let mut ints = Vec::new();
    let mut words = Vec::new();
    let mut bools = 0;
    for value in values {
        match value {
            Value::Int(i) => ints.push(*i),
            Value::Text(text) => words.push(scope.word(text)),
            Value::Bool(_) => bools += 1,
        }
    }
    match (ints.is_empty(), words.is_empty(), bools) {
        (true, true, _) => Ok(Domain::Bool),
        (false, true, 0) => Ok(Domain::SomeInts(ints)),
        (true, false, 0) => Ok(Domain::Enum(words)),
        _ => scope.fail(
            Diagnostic::new(
                Code::TypeMismatch,
                format!("the property `{}` has values of different types", name.text),
            )
            .at(name.span, "")
            .help("give it integers, words or booleans, but the same type everywhere"),
        ),
    }
}

/// Labels of a world drawn by hand are declared as they come.
struct Declaring<'l>(&'l mut Labels);

impl LabelSource for Declaring<'_> {
    fn kind(&self, name: &str) -> Option<Kind> {
        self.0.alphabet.get(name).map(|label| self.0.alphabet.kind(label))
    }

    fn label(&mut self, name: &Name, kind: Kind, scope: &mut Scope) -> Checked<Label> {
        self.0.declare(name, kind, scope).ok_or(Failed)
    }
}

/// Labels of plans and divulged graphs are the world's.
pub(super) struct Alphabetical<'l>(&'l Labels);

impl LabelSource for Alphabetical<'_> {
    fn kind(&self, name: &str) -> Option<Kind> {
        self.0.alphabet.get(name).map(|label| self.0.alphabet.kind(label))
    }

    fn label(&mut self, name: &Name, kind: Kind, scope: &mut Scope) -> Checked<Label> {
        self.0.find(name, Some(kind), scope)
    }
}
