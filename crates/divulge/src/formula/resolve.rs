//! Formulas tied to a world: each predicate becomes the set of the vertices that satisfy it.

use crate::{
    formula::{Atom, Formula, FormulaError, Logic, Predicate, Span, Test},
    problem::{Value, Vertex, World},
    sets::BitSet,
};

/// The vertices of `world` that satisfy `predicate`.
///
/// # Errors
/// If it names a vertex or a property that the world does not have, or uses a property bare that is never boolean.
pub fn vertices(world: &World, predicate: &Predicate) -> Result<BitSet, FormulaError> {
    let n = world.graph.len();
    Ok(match predicate {
        Logic::Const(true) => BitSet::full(n),
        Logic::Const(false) => BitSet::new(n),
        Logic::Atom(test) => self::test(world, test)?,
        Logic::Not(p) => vertices(world, p)?.complement(),
        Logic::And(parts) => fold(world, parts, BitSet::full(n), |a, b| a & b)?,
        Logic::Or(parts) => fold(world, parts, BitSet::new(n), |a, b| a | b)?,
        Logic::Implies(parts) => {
            let mut masks = all(world, parts)?.into_iter().rev();
            let last = masks.next().unwrap_or_else(|| BitSet::full(n));
            masks.fold(last, |right, left| left.combined(&right, |a, b| !a | b))
        }
        Logic::Iff(parts) => {
            let mut masks = all(world, parts)?.into_iter();
            let first = masks.next().unwrap_or_else(|| BitSet::full(n));
            masks.fold(first, |left, right| left.combined(&right, |a, b| !(a ^ b)))
        }
    })
}

/// Checks every name in a formula against the world.
///
/// # Errors
/// The first name that does not fit.
pub fn check(world: &World, formula: &Formula) -> Result<(), FormulaError> {
    match formula {
        Logic::Const(_) => Ok(()),
        Logic::Atom(Atom::State(v, span)) => vertex(world, v, *span).map(|_| ()),
        Logic::Atom(Atom::Possible(p) | Atom::Knows(p)) => names(world, p),
        Logic::Atom(Atom::Temporal(t)) => t.operands().try_for_each(|f| check(world, f)),
        Logic::Not(f) => check(world, f),
        Logic::And(fs) | Logic::Or(fs) | Logic::Implies(fs) | Logic::Iff(fs) => {
            fs.iter().try_for_each(|f| check(world, f))
        }
    }
}

/// Checks every name in a predicate against the world.
fn names(world: &World, predicate: &Predicate) -> Result<(), FormulaError> {
    predicate.atoms().into_iter().try_for_each(|test| match test {
        Test::Goal | Test::Kind(..) => Ok(()),
        Test::Is(name, span) => vertex(world.base(), name, *span).map(|_| ()),
        Test::Compare(name, _, _, span) => column(world.base(), name, *span).map(|_| ()),
        Test::Flag(name, span) => flag(world.base(), name, *span).map(|_| ()),
        Test::Initially(p) | Test::Was(p) => names(world, p),
    })
}

pub(crate) fn vertex(world: &World, name: &str, span: Span) -> Result<Vertex, FormulaError> {
    world.vertex(name).ok_or_else(|| {
        let e = FormulaError::new(span, format!("the world has no vertex called `{name}`"));
        match crate::nearest::did_you_mean(name, world.names.iter()) {
            Some(advice) => e.help(advice),
            None => e,
        }
    })
}

/// The vertices with the name that people gave them.
pub(crate) fn called(world: &World, name: &str, span: Span) -> Result<BitSet, FormulaError> {
    test(world, &Test::Is(name.to_owned(), span))
}

fn test(world: &World, test: &Test) -> Result<BitSet, FormulaError> {
    let n = world.graph.len();
    if let Some(past) = &world.past {
        // What is so of a vertex is so whatever the way there was. Values that only unreachable vertices have are values too.
        return Ok(match test {
            Test::Initially(_) | Test::Was(_) => each(n, |v| past.holds(test, v)),
            now => {
                let set = self::test(&past.base, now)?;
                each(n, |v| set.contains(past.of[v.index()].index()))
            }
        });
    }
    match test {
        Test::Goal => Ok(each(n, |v| world.is_goal(v))),
        Test::Kind(kind, same) => Ok(each(n, |v| (world.graph.kind(v) == *kind) == *same)),
        Test::Is(name, span) => {
            let mut set = BitSet::new(n);
            set.insert(vertex(world, name, *span)?.index());
            Ok(set)
        }
        Test::Initially(_) | Test::Was(_) => {
            Err(FormulaError::new(Span::default(), "a vertex alone does not tell what the way to it was"))
        }
        Test::Compare(name, op, value, span) => {
            let column = column(world, name, *span)?;
            let holds: Vec<bool> = column.values().iter().map(|have| op.test(have, value)).collect();
            Ok(column.mask(n, &holds))
        }
        Test::Flag(name, span) => {
            let column = flag(world, name, *span)?;
            let holds: Vec<bool> = column.values().iter().map(|value| *value == Value::Bool(true)).collect();
            Ok(column.mask(n, &holds))
        }
    }
}

fn each(n: usize, mut keep: impl FnMut(Vertex) -> bool) -> BitSet {
    BitSet::from_fn(n, |v| keep(Vertex(v as u32)))
}

/// The column of a property that stands alone.
fn flag<'w>(world: &'w World, name: &str, span: Span) -> Result<&'w crate::problem::Column, FormulaError> {
    let column = column(world, name, span)?;
    if column.values().iter().any(|v| matches!(v, Value::Bool(_))) {
        return Ok(column);
    }
    let example = column.values().first().map_or(String::new(), |v| format!(" = {v}"));
    let message = format!("the property `{name}` is not boolean, so it cannot stand alone");
    Err(FormulaError::new(span, message).help(format!("compare it with a value, as in `{name}{example}`")))
}

fn column<'w>(world: &'w World, name: &str, span: Span) -> Result<&'w crate::problem::Column, FormulaError> {
    world.props.column(name).ok_or_else(|| {
        let e = FormulaError::new(span, format!("no vertex has a property called `{name}`"));
        let is_value = |property: &&str| {
            let values = world.props.column(property).map(|column| column.values()).unwrap_or_default();
            values.iter().any(|value| matches!(value, Value::Text(text) if **text == *name))
        };
        let value = world.props.names().iter().find(is_value);
        match value.map(|property| format!("it is a value: write `{property} = {name}`")) {
            Some(advice) => e.help(advice),
            None => match crate::nearest::did_you_mean(name, world.props.names().iter()) {
                Some(advice) => e.help(advice),
                None => e,
            },
        }
    })
}

fn all(world: &World, parts: &[Predicate]) -> Result<Vec<BitSet>, FormulaError> {
    parts.iter().map(|p| vertices(world, p)).collect()
}

fn fold(
    world: &World,
    parts: &[Predicate],
    start: BitSet,
    op: fn(u64, u64) -> u64,
) -> Result<BitSet, FormulaError> {
    parts.iter().try_fold(start, |mask, p| Ok(mask.combined(&vertices(world, p)?, op)))
}
