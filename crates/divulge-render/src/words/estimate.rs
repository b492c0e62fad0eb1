//! Sets of world vertices in few words.

use std::borrow::Cow;

use divulge::{
    formula::{Comparison, Formula, Logic, Predicate, Test},
    problem::{Problem, Value, Vertex, World},
};

use super::layout::{columns, cut, few, few_of, glue};

/// How many vertices or values are named before the rest is counted.
const HANDFUL: usize = 5;

/// A list of vertex names that takes no more columns than this says more than properties do.
const SHORT: usize = 32;

/// Longer names are cut.
const LONG: usize = 48;

/// Describes sets of vertices of one world, naming first the properties that the stipulations speak of.
pub(super) struct Describer<'a> {
    world: &'a World,
    /// The properties that stipulations speak of.
    asked: Vec<&'a str>,
    /// Those of them that are compared with single values.
    compared: Vec<&'a str>,
    /// The other properties that are not the same everywhere.
    others: Vec<&'a str>,
}

impl<'a> Describer<'a> {
    pub fn new(problem: &'a Problem) -> Self {
        let world = &problem.world;
        let asked = asked(problem, |_| true);
        let single = |test: &Test| {
            matches!(test, Test::Flag(..) | Test::Compare(_, Comparison::Eq | Comparison::Ne, ..))
        };
        let compared = self::asked(problem, single);
        let varies = |name: &&str| {
            let code = |v| world.props.column(name).and_then(|column| column.code(v));
            world.graph.vertices().any(|v| code(v) != code(Vertex(0)))
        };
        let others = world.props.names().iter().filter(|name| !asked.contains(name)).filter(varies).collect();
        Self { world, asked, compared, others }
    }

    /// The properties that stipulations compare with single values.
    pub fn compared(&self) -> &[&'a str] {
        &self.compared
    }

    /// Whether a property is true or is not, and there is no third.
    pub fn is_flag(&self, name: &str) -> bool {
        let Some(column) = self.world.props.column(name) else { return false };
        let lacking = || self.world.graph.vertices().any(|v| column.code(v).is_none());
        match column.values() {
            [Value::Bool(_), Value::Bool(_)] => !lacking(),
            [Value::Bool(true)] => true,
            [Value::Bool(false)] => !lacking(),
            _ => false,
        }
    }

    /// The properties that stipulations speak of, or else all that vary.
    pub fn telling(&self) -> &[&'a str] {
        if self.asked.is_empty() { &self.others } else { &self.asked }
    }

    /// One vertex, with the properties that stipulations speak of if its name does not show them.
    pub fn vertex(&self, v: Vertex) -> String {
        let name = cut(self.world.name(v), LONG);
        let told = self.asked.iter().filter_map(|property| {
            let value = self.world.props.column(property)?.get(v)?;
            let shown = matches!(value, Value::Text(text) if name.contains(text.as_str()));
            (!shown).then(|| format!("{} = {value}", called(property)))
        });
        let told: Vec<String> = told.collect();
        if told.is_empty() { name } else { format!("{name} ({})", told.join(", ")) }
    }

    /// A set of vertices: by name if there are few, else by their properties.
    pub fn set(&self, set: &[Vertex]) -> String {
        match self.told(set) {
            Ok(listed) => listed,
            Err(properties) => format!("{} vertices: {properties}", set.len()),
        }
    }

    /// A set of vertices within a sentence.
    pub fn within(&self, set: &[Vertex]) -> String {
        match self.told(set) {
            Ok(listed) => listed,
            Err(properties) => format!("{} vertices ({properties})", set.len()),
        }
    }

    /// The vertices' names, if they say enough, else their properties.
    fn told(&self, set: &[Vertex]) -> Result<String, String> {
        if let [one] = set {
            return Ok(self.vertex(*one));
        }
        // More names are never needed: a longer list is not short, and at most a handful is named.
        let names: Vec<String> = set.iter().take(SHORT).map(|&v| cut(self.world.name(v), LONG)).collect();
        let listed = names.join(", ");
        let short = columns(&listed) <= SHORT;
        if self.asked.is_empty() && (short || self.others.is_empty()) {
            return Ok(format!("{{{}}}", few_of(&names, HANDFUL, set.len())));
        }
        let mut parts: Vec<String> = self.asked.iter().map(|name| self.property(name, set)).collect();
        if short {
            parts.push(format!("{{{listed}}}"));
        } else {
            parts.extend(self.others.iter().map(|name| self.property(name, set)));
        }
        Err(parts.join(", "))
    }

    fn property(&self, name: &str, set: &[Vertex]) -> String {
        let Some(column) = self.world.props.column(name) else { return String::new() };
        let mut held = vec![false; column.values().len()];
        let mut lacking = false;
        for &v in set {
            match column.code(v) {
                Some(code) => held[code] = true,
                None => lacking = true,
            }
        }
        let values = column.values().iter().zip(held).filter(|(_, held)| *held).map(|(value, _)| Some(value));
        let mut values: Vec<Option<&Value>> = lacking.then_some(None).into_iter().chain(values).collect();
        values.sort_unstable();
        glue(&values_of(name, &values))
    }
}

/// A property's name, which may be a condition of a model: in parentheses if there is more than one word to it.
fn called(name: &str) -> Cow<'_, str> {
    if name.contains(' ') { format!("({name})").into() } else { name.into() }
}

/// The values that a property may have, ascending; `None` stands for vertices without it.
pub(super) fn values_of(name: &str, values: &[Option<&Value>]) -> String {
    let name = called(name);
    if let [one] = values {
        return match one {
            Some(value) => format!("{name} = {value}"),
            None => format!("no {name}"),
        };
    }
    if let [Some(Value::Int(first)), .., Some(Value::Int(last))] = values
        && values.len() > 2
        && values.iter().all(|value| matches!(value, Some(Value::Int(_))))
        && last.checked_sub(*first) == i64::try_from(values.len() - 1).ok()
    {
        return format!("{name} ∈ {first}..{last}");
    }
    format!("{name} ∈ {{{}}}", values_list(values))
}

/// The values themselves, at most a handful.
pub(super) fn values_list(values: &[Option<&Value>]) -> String {
    let texts: Vec<String> =
        values.iter().map(|value| value.map_or("none".to_owned(), |value| value.to_string())).collect();
    few(&texts, HANDFUL)
}

/// The properties that the stipulations speak of in tests that count, in the order of the world's.
fn asked(problem: &Problem, counts: impl Fn(&Test) -> bool) -> Vec<&str> {
    let mut named = std::collections::BTreeSet::new();
    for stipulation in &problem.observer.stipulations {
        predicates(&stipulation.formula, &mut |predicate| {
            tests(predicate, &mut |test| match test {
                Test::Compare(name, ..) | Test::Flag(name, _) if counts(test) => {
                    _ = named.insert(name.clone())
                }
                _ => {}
            });
        });
    }
    problem.world.props.names().iter().filter(|name| named.contains(*name)).collect()
}

fn predicates(formula: &Formula, see: &mut impl FnMut(&Predicate)) {
    formula.predicates().into_iter().for_each(see);
}

/// Every test of a predicate, from left to right.
pub(super) fn tests<'p>(predicate: &'p Predicate, see: &mut impl FnMut(&'p Test)) {
    atoms(predicate, see);
}

/// Every atom of a formula, from left to right.
fn atoms<'f, A>(formula: &'f Logic<A>, see: &mut impl FnMut(&'f A)) {
    let mut todo = vec![formula];
    while let Some(next) = todo.pop() {
        match next {
            Logic::Const(_) => {}
            Logic::Atom(a) => see(a),
            Logic::Not(part) => todo.push(part),
            Logic::And(parts) | Logic::Or(parts) | Logic::Implies(parts) | Logic::Iff(parts) => {
                todo.extend(parts.iter().rev());
            }
        }
    }
}
