//! Names and types: from what is written to what can be computed.

use rustc_hash::FxHashMap;

use super::{
    ast::{Constant, Expr, ExprKind, Function, Name, Operator, Type},
    code::{Code, Val},
    parse::parse_expression,
};
use crate::{Fault, FaultKind, Faults, Place};

/// Formulas within formulas may grow an expression beyond all bounds: so many parts are made in all.
const MOST_PARTS: usize = 5_000_000;

/// Formulas within formulas, at most so deep.
const DEEPEST: usize = 500;

/// Other names for names, where a module is another one renamed.
pub(super) type Renaming<'a> = FxHashMap<&'a str, &'a str>;

/// What names mean.
pub(super) struct Scope<'m, 'a> {
    constants: FxHashMap<&'a str, (&'m Constant<'a>, Standing)>,
    formulas: FxHashMap<&'a str, &'m Expr<'a>>,
    labels: FxHashMap<&'a str, &'m Expr<'a>>,
    /// Variables with their numbers, and whether they are boolean.
    pub variables: FxHashMap<&'a str, (u32, bool)>,
    /// The formulas and labels that are being put in.
    within: Vec<(Named, &'a str)>,
    given: FxHashMap<&'a str, Val>,
    parts: usize,
    pub faults: Faults,
}

/// What a name in an expression stands for a definition of.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    Formula,
    Label,
}

#[derive(Clone, Copy)]
enum Standing {
    Unknown,
    InWork,
    Known(Option<Val>),
}

/// A typed expression; `None` if something is wrong with it, which has been said.
type Made = Option<(Code, Type)>;

impl<'m, 'a> Scope<'m, 'a> {
    pub fn new(
        constants: &'m [Constant<'a>],
        formulas: &'m [(Name<'a>, Expr<'a>)],
        labels: &'m [(Name<'a>, Expr<'a>)],
        given: &[(String, String)],
        faults: Faults,
    ) -> Self {
        let mut scope = Scope {
            constants: FxHashMap::default(),
            formulas: FxHashMap::default(),
            labels: FxHashMap::default(),
            variables: FxHashMap::default(),
            within: Vec::new(),
            given: FxHashMap::default(),
            parts: 0,
            faults,
        };
        for constant in constants {
            if scope.constants.insert(constant.name.text, (constant, Standing::Unknown)).is_some() {
                scope.twice(constant.name, "constant");
            }
        }
        for (name, body) in formulas {
            if scope.constants.contains_key(name.text) || scope.formulas.insert(name.text, body).is_some() {
                scope.twice(*name, "formula");
            }
        }
        for (name, body) in labels {
            if scope.labels.insert(name.text, body).is_some() {
                scope.twice(*name, "label");
            }
        }
        scope.set(constants, given);
        scope
    }

    pub fn twice(&mut self, name: Name<'_>, what: &str) {
        let fault = Fault::new(
            FaultKind::Name,
            format!("the {what} `{}` is not the first thing of this name", name.text),
        );
        self.faults.push(fault.at(name.place, "here again").help("rename one of them"));
    }

    /// Constants whose values come from outside.
    fn set(&mut self, constants: &'m [Constant<'a>], given: &[(String, String)]) {
        for (name, text) in given {
            let Some(constant) = constants.iter().find(|constant| constant.name.text == name) else {
                let fault = Fault::new(
                    FaultKind::Name,
                    format!("the model has no constant `{name}` that could be set"),
                );
                let near = divulge::did_you_mean(name, constants.iter().map(|c| c.name.text));
                let known = || match constants.is_empty() {
                    true => "it has no constants at all".to_owned(),
                    false => {
                        let all: Vec<&str> = constants.iter().map(|c| c.name.text).collect();
                        format!("its constants are {}", all.join(", "))
                    }
                };
                self.faults.push(fault.help(near.unwrap_or_else(known)));
                continue;
            };
            let mut nothing = Faults::new();
            let value = parse_expression(text, &mut nothing).and_then(|expr| literal(&expr));
            match value.and_then(|value| fitting(value, constant.kind)) {
                Some(value) => drop(self.given.insert(constant.name.text, value)),
                None => {
                    let message =
                        format!("`{text}` is no value for `{name}`, which is {}", article(constant.kind));
                    let help = given_help(name, text);
                    let fault =
                        Fault::new(FaultKind::Value, message).at(constant.name.place, "this constant");
                    self.faults.push(fault.help_opt(help));
                    // That it has no value then is not said again.
                    self.constants.insert(constant.name.text, (constant, Standing::Known(None)));
                }
            }
        }
    }

    /// The value of a constant.
    pub fn constant(&mut self, name: &'a str) -> Option<Val> {
        let &(constant, standing) = self.constants.get(name)?;
        match standing {
            Standing::Known(value) => return value,
            Standing::InWork => {
                let fault =
                    Fault::new(FaultKind::Value, format!("the constant `{name}` is defined by itself"));
                self.faults.push(fault.at(constant.name.place, "").help("give it a value of its own"));
                return None;
            }
            Standing::Unknown => {}
        }
        self.constants.insert(name, (constant, Standing::InWork));
        let value = match (self.given.get(name), &constant.value) {
            (Some(&value), _) => Some(value),
            (None, Some(expr)) => self.fixed(expr, &Renaming::default(), constant.kind),
            (None, None) => {
                let fault = Fault::new(FaultKind::Value, format!("the constant `{name}` has no value"));
                let example = match constant.kind {
                    Type::Int => "4",
                    Type::Double => "0.5",
                    Type::Bool => "true",
                };
                self.faults.push(
                    fault
                        .at(constant.name.place, "left open here")
                        .help(format!("give it one, such as --set {name}={example}")),
                );
                None
            }
        };
        self.constants.insert(name, (constant, Standing::Known(value)));
        value
    }

    /// The value of an expression without variables.
    pub fn fixed(&mut self, expr: &Expr<'a>, renaming: &Renaming<'a>, kind: Type) -> Option<Val> {
        let code = self.typed(expr, renaming, kind)?;
        if let Some(value) = code.constant() {
            return fitting(value, kind);
        }
        let fault = Fault::new(FaultKind::Value, "this must not depend on variables");
        self.faults.push(fault.at(expr.place, "").help("use constants and numbers"));
        None
    }

    /// An expression of a certain type; integers are numbers, too.
    pub fn typed(&mut self, expr: &Expr<'a>, renaming: &Renaming<'a>, kind: Type) -> Option<Code> {
        let (code, found) = self.code(expr, renaming)?;
        if found == kind || (kind == Type::Double && found == Type::Int) {
            return Some(code);
        }
        self.mismatch(expr.place, found, article(kind));
        None
    }

    /// An expression of any type.
    pub fn any(&mut self, expr: &Expr<'a>, renaming: &Renaming<'a>) -> Option<Code> {
        self.code(expr, renaming).map(|(code, _)| code)
    }

    fn mismatch(&mut self, place: Place, found: Type, wanted: &str) {
        let fault = Fault::new(FaultKind::Value, format!("expected {wanted}, found {}", article(found)));
        let help = match found {
            Type::Double => "`/` always gives a real number: write floor(…) for an integer",
            Type::Int => "compare it with something, as in `x=1`",
            Type::Bool => "write `c ? 1 : 0` for a number that depends on a condition",
        };
        self.faults.push(fault.at(place, "").help(help));
    }

    fn code(&mut self, expr: &Expr<'a>, renaming: &Renaming<'a>) -> Made {
        self.parts += 1;
        if self.parts == MOST_PARTS {
            let fault = Fault::new(FaultKind::TooLarge, "formulas within formulas make this too large");
            self.faults.push(fault.at(expr.place, "").help("write fewer formulas within formulas"));
        }
        if self.parts >= MOST_PARTS || self.faults.is_full() {
            return None;
        }
        let (code, kind) = match &expr.kind {
            ExprKind::Int(i) => (Code::Value(Val::Int(*i)), Type::Int),
            ExprKind::Double(d) => (Code::Value(Val::Double(*d)), Type::Double),
            ExprKind::Bool(b) => (Code::Value(Val::Bool(*b)), Type::Bool),
            ExprKind::Name(name) => return self.named(name, expr.place, renaming),
            ExprKind::Label(name) => return self.labelled(name, expr.place),
            ExprKind::Not(part) => (Code::Not(Box::new(self.typed(part, renaming, Type::Bool)?)), Type::Bool),
            ExprKind::Neg(part) => {
                let (code, kind) = self.number(part, renaming)?;
                (Code::Neg(Box::new(code)), kind)
            }
            ExprKind::Binary(operator, parts) => self.binary(*operator, parts, renaming)?,
            ExprKind::If(parts) => {
                let [test, yes, no] = &**parts;
                let test = self.typed(test, renaming, Type::Bool);
                let (yes, kind) = self.code(yes, renaming)?;
                let (other, second) = self.code(no, renaming)?;
                let kind = match (kind, second) {
                    (a, b) if a == b => a,
                    (Type::Int | Type::Double, Type::Int | Type::Double) => Type::Double,
                    (first, second) => {
                        self.mismatch(no.place, second, article(first));
                        return None;
                    }
                };
                (Code::If(Box::new([test?, yes, other])), kind)
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, renaming)?,
        };
        Some((folded(code), kind))
    }

    fn number(&mut self, expr: &Expr<'a>, renaming: &Renaming<'a>) -> Made {
        let (code, kind) = self.code(expr, renaming)?;
        if kind == Type::Bool {
            self.mismatch(expr.place, kind, "a number");
            return None;
        }
        Some((code, kind))
    }

    fn binary(&mut self, operator: Operator, [left, right]: &[Expr<'a>; 2], renaming: &Renaming<'a>) -> Made {
        use Operator::{Add, And, Div, Eq, Iff, Implies, Mul, Ne, Or, Sub};
        let (a, b, kind) = match operator {
            And | Or | Implies | Iff => {
                let a = self.typed(left, renaming, Type::Bool);
                (a?, self.typed(right, renaming, Type::Bool)?, Type::Bool)
            }
            Eq | Ne => {
                let (a, first) = self.code(left, renaming)?;
                let (b, second) = self.code(right, renaming)?;
                if (first == Type::Bool) != (second == Type::Bool) {
                    self.mismatch(right.place, second, article(first));
                    return None;
                }
                (a, b, Type::Bool)
            }
            _ => {
                let (a, first) = self.number(left, renaming)?;
                let (b, second) = self.number(right, renaming)?;
                let kind = match operator {
                    Div => Type::Double,
                    Add | Sub | Mul if first == second => first,
                    Add | Sub | Mul => Type::Double,
                    _ => Type::Bool,
                };
                (a, b, kind)
            }
        };
        Some((Code::Binary(operator, Box::new([a, b])), kind))
    }

    fn call(&mut self, function: Function, arguments: &[Expr<'a>], renaming: &Renaming<'a>) -> Made {
        let mut all = Vec::new();
        let mut kind = Type::Int;
        for argument in arguments {
            let (code, found) = self.number(argument, renaming)?;
            all.push(code);
            if found == Type::Double {
                kind = Type::Double;
            }
        }
        let kind = match function {
            Function::Floor | Function::Ceil | Function::Round | Function::Mod => Type::Int,
            Function::Log => Type::Double,
            Function::Min | Function::Max | Function::Pow => kind,
        };
        Some((Code::Call(function, all), kind))
    }

    /// A formula or a label in place of its name.
    fn put_in(
        &mut self,
        named: (Named, &'a str),
        body: &Expr<'a>,
        place: Place,
        renaming: &Renaming<'a>,
    ) -> Made {
        if self.within.contains(&named) || self.within.len() >= DEEPEST {
            let what = match named.0 {
                Named::Formula => format!("the formula `{}`", named.1),
                Named::Label => format!("the label \"{}\"", named.1),
            };
            let fault = Fault::new(FaultKind::Value, format!("{what} is defined by itself"));
            self.faults.push(fault.at(place, "").help("take its name out of what it stands for"));
            return None;
        }
        self.within.push(named);
        let made = self.code(body, renaming);
        self.within.pop();
        made
    }

    /// A label means the same in every module: what it says is not renamed.
    fn labelled(&mut self, name: &'a str, place: Place) -> Made {
        if let Some(&body) = self.labels.get(name) {
            let made = self.put_in((Named::Label, name), body, place, &Renaming::default())?;
            if made.1 == Type::Bool {
                return Some(made);
            }
            self.mismatch(body.place, made.1, article(Type::Bool));
            return None;
        }
        let fault = Fault::new(FaultKind::Name, format!("there is no label \"{name}\""));
        let near = divulge::did_you_mean(name, self.labels.keys().copied());
        let help = near.unwrap_or_else(|| format!("declare it: label \"{name}\" = …;"));
        self.faults.push(fault.at(place, "").help(help));
        None
    }

    fn named(&mut self, name: &'a str, place: Place, renaming: &Renaming<'a>) -> Made {
        // It is the content of a formula that is renamed.
        if let Some(&body) = self.formulas.get(name) {
            return self.put_in((Named::Formula, name), body, place, renaming);
        }
        let name = renaming.get(name).copied().unwrap_or(name);
        if let Some(&(number, boolean)) = self.variables.get(name) {
            return Some(if boolean {
                (Code::Bool(number), Type::Bool)
            } else {
                (Code::Int(number), Type::Int)
            });
        }
        if self.constants.contains_key(name) {
            let value = self.constant(name)?;
            return Some((Code::Value(value), value.kind()));
        }
        let fault = Fault::new(FaultKind::Name, format!("`{name}` is no variable, constant or formula"));
        let known = self.variables.keys().chain(self.constants.keys()).chain(self.formulas.keys());
        let near = divulge::did_you_mean(name, known.copied());
        let help = near.unwrap_or_else(|| "declare it, or correct the name".to_owned());
        self.faults.push(fault.at(place, "").help(help));
        None
    }
}

/// What is made of values alone is a value, unless it has none.
fn folded(code: Code) -> Code {
    let value = |part: &Code| part.constant().is_some();
    let fixed = match &code {
        Code::Value(_) | Code::Int(_) | Code::Bool(_) => false,
        Code::Not(part) | Code::Neg(part) => value(part),
        Code::Binary(_, parts) => parts.iter().all(value),
        Code::If(parts) => parts.iter().all(value),
        Code::Call(_, parts) => parts.iter().all(value),
    };
    match fixed.then(|| code.value(&[])) {
        Some(Ok(found)) => Code::Value(found),
        _ => code,
    }
}

/// The value as a constant of some type has it.
fn fitting(value: Val, kind: Type) -> Option<Val> {
    match (value, kind) {
        (Val::Int(i), Type::Double) => Some(Val::Double(i as f64)),
        (value, kind) => (value.kind() == kind).then_some(value),
    }
}

fn literal(expr: &Expr<'_>) -> Option<Val> {
    match &expr.kind {
        ExprKind::Int(i) => Some(Val::Int(*i)),
        ExprKind::Double(d) => Some(Val::Double(*d)),
        ExprKind::Bool(b) => Some(Val::Bool(*b)),
        ExprKind::Neg(part) => match literal(part)? {
            Val::Int(i) => i.checked_neg().map(Val::Int),
            Val::Double(d) => Some(Val::Double(-d)),
            Val::Bool(_) => None,
        },
        ExprKind::Binary(Operator::Div, parts) => {
            Some(Val::Double(literal(&parts[0])?.double() / literal(&parts[1])?.double()))
        }
        _ => None,
    }
}

/// PRISM's own option takes several constants at once.
fn given_help(name: &str, text: &str) -> Option<String> {
    let (first, others) = text.split_once(',')?;
    let others: Vec<String> = others.split(',').map(|one| format!("--set {}", one.trim())).collect();
    others.iter().all(|one| one.contains('=')).then(|| {
        format!("each constant has an option of its own: --set {name}={} {}", first.trim(), others.join(" "))
    })
}

fn article(kind: Type) -> &'static str {
    match kind {
        Type::Int => "an integer",
        Type::Double => "a real number",
        Type::Bool => "a condition",
    }
}
