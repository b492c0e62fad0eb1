//! Formulas as text that reads back as the same formula; with `{:#}` as people write them, where properties that a model's conditions became are not quoted.

use std::fmt::{Display, Formatter, Result};

use super::{Atom, Logic, Temporal, Test};
use crate::problem::Value;

/// What connectives join.
trait Leaf: Display {
    /// Whether it binds more loosely than every connective, as `t until u` does.
    fn is_loose(&self) -> bool {
        false
    }

    /// Whether people write it as a comparison, although it is a name.
    fn is_condition(&self) -> bool {
        false
    }
}

impl Leaf for Atom {
    fn is_loose(&self) -> bool {
        matches!(self, Atom::Temporal(t) if matches!(**t, Temporal::Until(..) | Temporal::Unless(..)))
    }
}

impl Leaf for Test {
    fn is_condition(&self) -> bool {
        matches!(self, Test::Flag(name, _) if is_condition(name))
    }
}

/// Whether a property is named by a condition: the variables of a model compared with one another, as in `row + col > 3`.
fn is_condition(name: &str) -> bool {
    !is_plain_word(name)
        && [" = ", " != ", " < ", " <= ", " > ", " >= "].iter().any(|sign| name.contains(sign))
}

/// The rank of `!`, of the temporal words that bind like it, and of all that needs no parentheses.
const TIGHT: u8 = 5;

/// How tightly a node binds: a child that binds less tightly than its place needs parentheses.
fn rank<A: Leaf>(f: &Logic<A>) -> u8 {
    match f {
        Logic::Atom(a) if a.is_loose() => 0,
        Logic::Iff(_) => 1,
        Logic::Implies(_) => 2,
        Logic::Or(_) => 3,
        Logic::And(_) => 4,
        Logic::Not(_) | Logic::Const(_) | Logic::Atom(_) => TIGHT,
    }
}

fn operand<A: Leaf>(f: &mut Formatter<'_>, child: &Logic<A>, above: u8) -> Result {
    let condition = matches!(child, Logic::Atom(a) if f.alternate() && above == TIGHT && a.is_condition());
    if !condition && (rank(child) > above || (above == TIGHT && rank(child) == TIGHT)) {
        child.fmt(f)
    } else {
        f.write_str("(")?;
        child.fmt(f)?;
        f.write_str(")")
    }
}

fn chain<A: Leaf>(f: &mut Formatter<'_>, children: &[Logic<A>], sign: &str, above: u8) -> Result {
    for (i, child) in children.iter().enumerate() {
        if i > 0 {
            write!(f, " {sign} ")?;
        }
        operand(f, child, above)?;
    }
    Ok(())
}

impl<A: Leaf> Display for Logic<A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Logic::Const(b) => write!(f, "{b}"),
            Logic::Atom(a) => a.fmt(f),
            Logic::Not(inner) => {
                f.write_str("!")?;
                operand(f, inner, TIGHT)
            }
            Logic::And(all) | Logic::Implies(all) | Logic::Iff(all) if all.is_empty() => f.write_str("true"),
            Logic::Or(any) if any.is_empty() => f.write_str("false"),
            Logic::And(all) => chain(f, all, "&", 4),
            Logic::Or(any) => chain(f, any, "|", 3),
            Logic::Implies(parts) => chain(f, parts, "->", 2),
            Logic::Iff(parts) => chain(f, parts, "<->", 1),
        }
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Atom::State(v, _) => write!(f, "state({})", Quoted(v)),
            Atom::Possible(p) => inside(f, "possible", p),
            Atom::Knows(p) => inside(f, "knows", p),
            Atom::Temporal(t) => t.fmt(f),
        }
    }
}

/// A word with a condition in parentheses.
fn inside(f: &mut Formatter<'_>, word: &str, condition: &impl Display) -> Result {
    write!(f, "{word}(")?;
    condition.fmt(f)?;
    f.write_str(")")
}

impl Display for Temporal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Temporal::Always(t) | Temporal::Eventually(t) | Temporal::Next(t) => {
                write!(f, "{} ", self.word())?;
                operand(f, t, TIGHT)
            }
            Temporal::Until(t, u) | Temporal::Unless(t, u) => {
                operand(f, t, 0)?;
                write!(f, " {} ", self.word())?;
                operand(f, u, 0)
            }
        }
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Test::Compare(name, op, value, _) => {
                write!(f, "{} {} ", Name(name), op.sign())?;
                match value {
                    Value::Text(s) if is_plain_word(s) => f.write_str(s),
                    Value::Text(s) => write!(f, "{}", Quoted(s)),
                    other => write!(f, "{other}"),
                }
            }
            Test::Flag(name, _) if f.alternate() && is_condition(name) => f.write_str(name),
            Test::Flag(name, _) => write!(f, "{}", Name(name)),
            Test::Is(v, _) => write!(f, "is({})", Quoted(v)),
            Test::Goal => f.write_str("goal"),
            Test::Kind(kind, same) => write!(f, "kind {} {kind}", if *same { "=" } else { "!=" }),
            Test::Initially(p) => inside(f, "initially", p),
            Test::Was(p) => inside(f, "was", p),
        }
    }
}

/// Words that mean something, so they cannot stand for themselves.
const RESERVED: [&str; 10] = ["true", "false", "not", "and", "or", "implies", "iff", "goal", "is", "kind"];

/// Whether a text may be written without quotes.
pub fn is_plain_word(s: &str) -> bool {
    let mut chars = s.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '.')
        && !RESERVED.contains(&s)
}

struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if is_plain_word(self.0) { f.write_str(self.0) } else { write!(f, "{}", Quoted(self.0)) }
    }
}

/// A text in double quotes, with JSON's escapes.
pub struct Quoted<'a>(pub &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if (c as u32) < 0x20 => write!(f, "\\u{:04x}", c as u32)?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}
