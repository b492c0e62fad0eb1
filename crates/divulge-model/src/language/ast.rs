//! A model as written: nothing is resolved yet.

use crate::diagnostic::{SourceId, Span};

/// A word, or a text in quotes, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

pub(super) use divulge::formula::Comparison;

/// Chains of `&`, `|`, `->` and `<->` are flat, so that long ones are not deep.
#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Int(i64),
    Bool(bool),
    Text(String),
    Name(String),
    Call(Name, Vec<Expr>),
    Tuple(Vec<Expr>),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Arith(Arith, Box<Expr>, Box<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    In(Box<Expr>, Box<Set>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Implies(Vec<Expr>),
    Iff(Vec<Expr>),
    If(Box<[Expr; 3]>),
    /// A word of time, with its place and the one or two formulas that it is about.
    Time(Time, Span, Vec<Expr>),
}

/// The words of time that formulas about a run have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    Always,
    Eventually,
    Next,
    Until,
    Unless,
}

impl Time {
    /// `always`, `eventually` or `next`: what stands before a formula.
    pub fn before(word: &str) -> Option<Time> {
        [Time::Always, Time::Eventually, Time::Next].into_iter().find(|time| time.word() == word)
    }

    /// `until` or `unless`: what stands between two.
    pub fn between(word: &str) -> Option<Time> {
        [Time::Until, Time::Unless].into_iter().find(|time| time.word() == word)
    }

    pub fn word(self) -> &'static str {
        match self {
            Time::Always => "always",
            Time::Eventually => "eventually",
            Time::Next => "next",
            Time::Until => "until",
            Time::Unless => "unless",
        }
    }
}

/// What may stand after `in`.
#[derive(Clone, Debug)]
pub(super) enum Set {
    Range(Expr, Expr),
    List(Vec<Expr>),
}

#[derive(Clone, Debug)]
pub(super) enum TypeKind {
    Bool,
    Range(Expr, Expr),
    Enum(Vec<Name>),
    Named(String),
}

#[derive(Clone, Debug)]
pub(super) struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub name: Name,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub(super) struct Def {
    pub name: Name,
    pub params: Vec<Name>,
    pub body: Expr,
}

/// A label, or all labels of a family: those that show certain variables.
#[derive(Clone, Debug)]
pub(super) enum Labels {
    One(Name),
    Family(Family),
}

/// `order=*` or `(order=ann, med=*)`.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// Variables, each with the value that is meant if not any.
    pub parts: Vec<(Name, Option<Name>)>,
    pub span: Span,
}

/// A top-level item.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Title(Name),
    Include(Name),
    Const(Binding),
    Let(Binding),
    Type(Name, Type),
    Def(Def),
    World(World),
    Graph(Name, Graph),
    Plan(Plan),
    Observer(Observer),
    Cost(Vec<Labels>, Expr),
    /// `use plan NAME`, `use observer NAME`.
    Use(Role, Name),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plan,
    Observer,
}

#[derive(Clone, Debug)]
pub(super) struct World {
    pub span: Span,
    pub body: WorldBody,
}

#[derive(Clone, Debug)]
pub(super) enum WorldBody {
    Rules(Vec<Rule>),
    Drawn(Graph),
    From(Box<Files>),
}

/// `world from "maze.prism" { const N = 4 }`: files of another tool, and what they leave open.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub files: Vec<File>,
    pub constants: Vec<Binding>,
    pub start: Option<Expr>,
    pub goal: Option<Expr>,
    pub avoid: Option<Expr>,
}

/// A file by its name, and its text once it has been read.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub name: Name,
    pub source: Option<SourceId>,
}

/// Which kinds of vertices are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Acting,
    Observing,
    Anywhere,
}

impl When {
    /// Whether it speaks of vertices of this kind.
    pub fn is_at(self, kind: divulge::problem::Kind) -> bool {
        use divulge::problem::Kind;
        match self {
            When::Acting => kind == Kind::Action,
            When::Observing => kind == Kind::Observation,
            When::Anywhere => true,
        }
    }
}

/// An item of a world given by rules.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    Variable { name: Name, domain: Type, value: Option<Expr> },
    Action { name: Name, guard: Option<Expr>, outcomes: Vec<Block> },
    Observe(Vec<Observation>),
    Start { when: When, condition: Option<Expr>, span: Span },
    Goal { when: When, condition: Expr },
    Picture { row: Name, col: Name },
}

/// Assignments that happen together.
pub(super) type Block = Vec<Assignment>;

#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub targets: Vec<Name>,
    pub value: Expr,
    pub span: Span,
}

/// A line of an `observe` block.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    pub labels: Vec<Name>,
    /// Whether these are variables whose values are shown: `(order, med)`.
    pub shows: bool,
    pub by: Option<Expr>,
    pub guard: Guard,
    pub outcomes: Vec<Block>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Guard {
    Always,
    When(Expr),
    Otherwise,
}

/// A graph drawn by hand.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub span: Span,
    pub items: Vec<GraphItem>,
}

#[derive(Clone, Debug)]
pub(super) enum GraphItem {
    /// `actions a, b` and `observations o`.
    Labels(divulge::problem::Kind, Vec<Name>),
    Vertices(Vec<Name>, Vec<Attribute>),
    /// `u0 -a-> y0 -o-> u1`: a first vertex, then labels and the next vertex.
    Edges(Name, Vec<(Vec<Name>, Name)>),
}

#[derive(Clone, Debug)]
pub(super) enum Attribute {
    Kind(divulge::problem::Kind, Span),
    Start,
    Goal(Span),
    Terminal(Span),
    Prop(Name, Option<Expr>),
    /// A property whose name stands in quotes: one that only quoted formulas speak of.
    Quoted(Name, Option<Expr>),
}

#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub name: Option<Name>,
    pub span: Span,
    pub body: PlanBody,
}

#[derive(Clone, Debug)]
pub(super) enum PlanBody {
    Program(Vec<Statement>),
    Drawn(Graph),
}

#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

/// A test of the last observation: one of these labels, or none of them.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub labels: Vec<Name>,
    pub negated: bool,
}

#[derive(Clone, Debug)]
pub(super) enum StatementKind {
    /// One of these actions, whichever.
    Act(Vec<Name>),
    /// Tests in turn; the last part is `else`.
    If(Vec<(Seen, Vec<Statement>)>, Vec<Statement>),
    While(Seen, Vec<Statement>),
    Repeat(Expr, Vec<Statement>),
    Choose(Vec<Vec<Statement>>),
    Stop,
}

#[derive(Clone, Debug)]
pub(super) struct Observer {
    pub name: Option<Name>,
    pub span: Span,
    /// The brace that opens it.
    pub open: Span,
    pub clauses: Vec<Clause>,
}

/// An item of an observer.
#[derive(Clone, Debug)]
pub(super) enum Clause {
    Knows(Knows, Span),
    Filter(Filter, Span),
    /// What actions look like, as a file has it.
    SeesFrom(File),
    /// Labels and what they look like.
    Sees(Vec<Labels>, Look),
    /// `others as themselves`, or as they are said to look.
    Others(Option<Look>, Span),
    Merge(Vec<Labels>),
    Separate(Vec<Labels>),
    Fixed(Vec<Labels>, Name),
    MaxImages(Expr),
    MinImages(Expr),
    MergeCost(Vec<Labels>, Expr),
    Unseen(Vec<Labels>),
    Stipulate(Stipulation),
}

/// `as x`, or `not at all`.
#[derive(Clone, Debug)]
pub(super) enum Look {
    As(Name),
    /// Each as itself.
    Themselves(Span),
    Unseen(Span),
}

#[derive(Clone, Debug)]
pub(super) enum Knows {
    Plan,
    Plans(Vec<Name>),
    GoalDirected,
    World,
    Graph(GraphRef),
}

#[derive(Clone, Debug)]
pub(super) enum Filter {
    Strongest,
    Image,
    Graph(GraphRef),
}

/// A graph drawn on the spot or elsewhere.
#[derive(Clone, Debug)]
pub(super) enum GraphRef {
    Drawn(Graph),
    Named(Name),
}

#[derive(Clone, Debug)]
pub(super) struct Stipulation {
    pub name: Name,
    pub scope: Scope,
    pub formula: Expr,
}

/// The scope that stands before a formula.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    /// None: the formula tells.
    Open,
    End,
    Run,
    /// Perhaps with the number of images after which it ends.
    Hindsight(Option<Expr>),
}
