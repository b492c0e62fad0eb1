//! A PRISM model as written.

use crate::Place;

/// A name and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    pub text: &'a str,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Implies,
    Iff,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Min,
    Max,
    Floor,
    Ceil,
    Round,
    Pow,
    Mod,
    Log,
}

impl Function {
    /// The names that functions go by.
    pub const ALL: [(&'static str, Function); 8] = [
        ("min", Function::Min),
        ("max", Function::Max),
        ("floor", Function::Floor),
        ("ceil", Function::Ceil),
        ("round", Function::Round),
        ("pow", Function::Pow),
        ("mod", Function::Mod),
        ("log", Function::Log),
    ];
}

#[derive(Clone, Debug)]
pub(super) struct Expr<'a> {
    pub kind: ExprKind<'a>,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind<'a> {
    Int(i64),
    Double(f64),
    Bool(bool),
    Name(&'a str),
    /// `"busy"`: what a label says.
    Label(&'a str),
    Not(Box<Expr<'a>>),
    Neg(Box<Expr<'a>>),
    Binary(Operator, Box<[Expr<'a>; 2]>),
    If(Box<[Expr<'a>; 3]>),
    Call(Function, Vec<Expr<'a>>),
}

#[derive(Clone, Debug)]
pub(super) enum Domain<'a> {
    Bool,
    Int,
    Range(Expr<'a>, Expr<'a>),
}

#[derive(Clone, Debug)]
pub(super) struct Variable<'a> {
    pub name: Name<'a>,
    pub domain: Domain<'a>,
    pub init: Option<Expr<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Double,
    Bool,
}

#[derive(Clone, Debug)]
pub(super) struct Constant<'a> {
    pub name: Name<'a>,
    pub kind: Type,
    pub value: Option<Expr<'a>>,
}

/// One outcome of a command: its probability, unless it is 1, and what it assigns.
#[derive(Clone, Debug)]
pub(super) struct Outcome<'a> {
    pub probability: Option<Expr<'a>>,
    pub assigns: Vec<(Name<'a>, Expr<'a>)>,
}

#[derive(Clone, Debug)]
pub(super) struct Command<'a> {
    /// Without a name it belongs to its module alone.
    pub action: Option<&'a str>,
    pub guard: Expr<'a>,
    pub outcomes: Vec<Outcome<'a>>,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub(super) enum Body<'a> {
    Written {
        variables: Vec<Variable<'a>>,
        commands: Vec<Command<'a>>,
    },
    /// Another module with other names.
    Renamed {
        base: Name<'a>,
        names: Vec<(Name<'a>, Name<'a>)>,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Module<'a> {
    pub name: Name<'a>,
    pub body: Body<'a>,
}

/// What is said of models, in whatever order.
#[derive(Clone, Debug, Default)]
pub(super) struct Model<'a> {
    pub kind: Option<Name<'a>>,
    pub constants: Vec<Constant<'a>>,
    pub formulas: Vec<(Name<'a>, Expr<'a>)>,
    pub labels: Vec<(Name<'a>, Expr<'a>)>,
    pub globals: Vec<Variable<'a>>,
    pub modules: Vec<Module<'a>>,
    /// Variables that are observed, and expressions that are.
    pub observed: Vec<Name<'a>>,
    pub observables: Vec<(Name<'a>, Expr<'a>)>,
    pub init: Option<Expr<'a>>,
    pub rewards: bool,
    /// The modules that `system … endsystem` puts side by side.
    pub system: Option<(Vec<&'a str>, Place)>,
}
