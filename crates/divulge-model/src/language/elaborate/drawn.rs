//! Graphs drawn by hand: kinds are inferred from what is said, from the labels, and from alternation.

use super::super::ast::{Attribute, Graph, GraphItem, Name};
use super::super::check::Typed;
use super::super::scope::{Checked, Failed, Scope};
use crate::diagnostic::{Code, Diagnostic, Span};
use divulge::{
    problem::{Kind, Label, Names, PGraph, PGraphBuilder, Props, Value, Vertex},
    sets::BitSet,
};

/// What a graph is drawn for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    World,
    Plan,
    Divulged,
    Filter,
}

/// How a graph's labels are found: their kind if it is known beforehand, and their number once the kind is.
pub(super) trait LabelSource {
    fn kind(&self, name: &str) -> Option<Kind>;
    fn label(&mut self, name: &Name, kind: Kind, scope: &mut Scope) -> Checked<Label>;
}

pub(super) struct Drawn {
    pub graph: PGraph,
    pub names: Names,
    pub goal: BitSet,
    pub terminal: BitSet,
    pub props: Props,
}

struct Edge<'g> {
    from: usize,
    to: usize,
    labels: &'g [Name],
    span: Span,
}

struct Drawing<'g> {
    names: Names,
    spans: Vec<Span>,
    kinds: Vec<Option<Kind>>,
    start: Vec<usize>,
    goal: Vec<usize>,
    terminal: Vec<usize>,
    props: Vec<(usize, &'g Name, Value)>,
    edges: Vec<Edge<'g>>,
}

/// Builds the graph. Vertices whose kind nothing tells start with `default`, or are action vertices.
pub(super) fn draw(
    graph: &Graph,
    purpose: Purpose,
    default: Kind,
    labels: &mut dyn LabelSource,
    scope: &mut Scope,
) -> Checked<Drawn> {
    let mut drawing = Drawing {
        names: Names::new(),
        spans: Vec::new(),
        kinds: Vec::new(),
        start: Vec::new(),
        goal: Vec::new(),
        terminal: Vec::new(),
        props: Vec::new(),
        edges: Vec::new(),
    };
    let before = scope.diagnostics.errors();
    for item in &graph.items {
        match item {
            GraphItem::Labels(..) => {}
            GraphItem::Vertices(names, attributes) => {
                for name in names {
                    let v = drawing.vertex(name);
                    for attribute in attributes {
                        drawing.attribute(v, attribute, purpose, scope);
                    }
                }
            }
            GraphItem::Edges(first, steps) => {
                let mut from = drawing.vertex(first);
                for (names, target) in steps {
                    let to = drawing.vertex(target);
                    let span = names.first().map_or(target.span, |n| n.span);
                    drawing.edges.push(Edge { from, to, labels: names, span });
                    from = to;
                }
            }
        }
    }
    drawing.infer(default, labels, scope);
    if scope.diagnostics.errors() > before {
        return Err(Failed);
    }
    drawing.build(graph.span, default, labels, scope)
}

impl<'g> Drawing<'g> {
    fn vertex(&mut self, name: &Name) -> usize {
        let (v, new) = self.names.intern(&name.text);
        if new {
            self.spans.push(name.span);
            self.kinds.push(None);
        }
        v as usize
    }

    fn attribute(&mut self, v: usize, attribute: &'g Attribute, purpose: Purpose, scope: &mut Scope) {
        let misplaced = |word: &str, of: &str, span: Span| {
            Diagnostic::new(Code::MisplacedAttribute, format!("only vertices of {of} can be `{word}`"))
                .at(span, "")
                .help("remove it")
        };
        match attribute {
            Attribute::Start => self.start.push(v),
            Attribute::Goal(_) if purpose == Purpose::World => self.goal.push(v),
            Attribute::Goal(span) => scope.diagnostics.push(misplaced("goal", "a world", *span)),
            Attribute::Terminal(_) if purpose == Purpose::Plan => self.terminal.push(v),
            Attribute::Terminal(span) => scope.diagnostics.push(misplaced("terminal", "a plan", *span)),
            Attribute::Kind(kind, span) => self.set_kind(v, *kind, *span, scope),
            Attribute::Prop(name, _) | Attribute::Quoted(name, _) if purpose != Purpose::World => {
                let finding =
                    Diagnostic::new(Code::MisplacedAttribute, "only vertices of a world have properties");
                scope.diagnostics.push(finding.at(name.span, "").help("remove it"));
            }
            Attribute::Prop(name, value) | Attribute::Quoted(name, value) => {
                if let Some(value) = property_value(value.as_ref(), scope) {
                    self.props.push((v, name, value));
                }
            }
        }
    }

    fn set_kind(&mut self, v: usize, kind: Kind, span: Span, scope: &mut Scope) {
        match self.kinds[v] {
            Some(old) if old != kind => {
                let name = self.names.name(v as u32);
                scope.diagnostics.push(
                    Diagnostic::new(
                        Code::NotAlternating,
                        format!("`{name}` is both an action vertex and an observation vertex"),
                    )
                    .at(span, format!("an {kind} vertex here"))
                    .note_at(self.spans[v], format!("an {old} vertex here"))
                    .help(
                        "actions lead from action vertices to observation vertices, and observations lead back; an automaton, whose events need not alternate, is best read from a file: `world from \"FILE.fsm\"`",
                    ),
                );
            }
            _ => self.kinds[v] = Some(kind),
        }
    }

    /// Spreads what is known of kinds along the edges, then the default, then spreads again.
    fn infer(&mut self, default: Kind, labels: &dyn LabelSource, scope: &mut Scope) {
        let edges = std::mem::take(&mut self.edges);
        for edge in &edges {
            for name in edge.labels {
                if let Some(kind) = labels.kind(&name.text) {
                    self.set_kind(edge.from, kind, name.span, scope);
                    self.set_kind(edge.to, kind.other(), name.span, scope);
                }
            }
        }
        let mut touching = vec![Vec::new(); self.kinds.len()];
        for (i, edge) in edges.iter().enumerate() {
            touching[edge.from].push(i);
            touching[edge.to].push(i);
        }
        let known: Vec<usize> = (0..self.kinds.len()).filter(|&v| self.kinds[v].is_some()).collect();
        self.spread(known, &edges, &touching);
        for v in self.start.clone() {
            self.assume(v, default, &edges, &touching);
        }
        for v in 0..self.kinds.len() {
            self.assume(v, Kind::Action, &edges, &touching);
        }
        for edge in &edges {
            if let Some(kind) = self.kinds[edge.from] {
                let before = scope.diagnostics.errors();
                self.set_kind(edge.to, kind.other(), edge.span, scope);
                if scope.diagnostics.errors() > before {
                    break;
                }
            }
        }
        self.edges = edges;
    }

    fn assume(&mut self, v: usize, kind: Kind, edges: &[Edge], touching: &[Vec<usize>]) {
        if self.kinds[v].is_none() {
            self.kinds[v] = Some(kind);
            self.spread(vec![v], edges, touching);
        }
    }

    fn spread(&mut self, mut todo: Vec<usize>, edges: &[Edge], touching: &[Vec<usize>]) {
        while let Some(v) = todo.pop() {
            for &i in &touching[v] {
                let other = edges[i].from + edges[i].to - v;
                if self.kinds[other].is_none() {
                    self.kinds[other] = self.kinds[v].map(Kind::other);
                    todo.push(other);
                }
            }
        }
    }

    fn build(
        self,
        span: Span,
        default: Kind,
        labels: &mut dyn LabelSource,
        scope: &mut Scope,
    ) -> Checked<Drawn> {
        let n = self.names.len();
        let kinds: Vec<Kind> = self.kinds.iter().map(|k| k.unwrap_or(default)).collect();
        let mut builder = PGraphBuilder::new();
        for &kind in &kinds {
            builder.vertex(kind);
        }
        for &v in &self.start {
            if kinds[v] != kinds[self.start[0]] {
                return scope.fail(
                    Diagnostic::new(Code::NotAlternating, "all vertices to start from must be of one kind")
                        .at(self.spans[v], format!("an {} vertex", kinds[v]))
                        .note_at(self.spans[self.start[0]], format!("an {} vertex", kinds[self.start[0]])),
                );
            }
            builder.initial(Vertex(v as u32));
        }
        if self.start.is_empty() {
            return scope.fail(
                Diagnostic::new(Code::NoInitial, "the graph has no vertex to start from")
                    .at(span, "")
                    .help("mark one with `start`, as in `u0: start`"),
            );
        }
        for edge in &self.edges {
            for name in edge.labels {
                if let Ok(label) = labels.label(name, kinds[edge.from], scope) {
                    builder.arc(Vertex(edge.from as u32), label, Vertex(edge.to as u32));
                }
            }
        }
        if scope.diagnostics.has_errors() {
            return Err(Failed);
        }
        let set = |members: &[usize]| {
            let mut set = BitSet::new(n);
            for &v in members {
                set.insert(v);
            }
            set
        };
        let mut props = Props::new();
        for (v, name, value) in self.props {
            props.set(Vertex(v as u32), &name.text, value);
        }
        match builder.build() {
            Ok(graph) => {
                let (goal, terminal) = (set(&self.goal), set(&self.terminal));
                Ok(Drawn { graph, names: self.names, goal, terminal, props })
            }
            Err(error) => scope.fail(Diagnostic::new(Code::NotAlternating, error.to_string()).at(span, "")),
        }
    }
}

/// A bare property is `true`; a word that nothing defines is itself.
fn property_value(value: Option<&super::super::ast::Expr>, scope: &mut Scope) -> Option<Value> {
    let Some(expr) = value else { return Some(Value::Bool(true)) };
    let typed = scope.constant(expr).ok()?;
    match typed {
        Typed::Int(term) => term.constant().map(Value::Int),
        Typed::Bool(term) => term.constant().map(|b| Value::Bool(b != 0)),
        Typed::Word(term) => term.constant().map(|w| Value::Text(scope.words.name(w as u32).to_owned())),
        Typed::Tuple(_) => {
            let finding = Diagnostic::new(
                Code::TypeMismatch,
                "a property must be an integer, a word, `true` or `false`",
            );
            scope.diagnostics.push(finding.at(expr.span, "this is a tuple"));
            None
        }
    }
}
