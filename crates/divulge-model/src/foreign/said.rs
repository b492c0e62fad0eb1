//! What is said besides a file of another tool: where it starts, what the goal is, what to keep away from, what is secret.
//!
//! The program takes these as options, the playground as fields; both understand them alike.

use divulge::{
    formula::{Comparison, FormulaError, Predicate, Test},
    problem::{Problem, Value},
    sets::BitSet,
};

use super::{Fixed, Foreign, dead_ends, start_at, states};
use crate::options::condition;

/// What is said besides the file, each a condition on a state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said<'a> {
    /// How these are called: `--` before options, nothing before fields.
    pub prefix: &'a str,
    /// Where it starts; `all` is everywhere.
    pub initial: Option<&'a str>,
    /// The goal.
    pub goal: Option<&'a str>,
    /// What to keep away from, in place of what the file itself says; `none` is nothing.
    pub avoid: Option<&'a str>,
}

/// Why something that was said does not fit the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// What is wrong, after the name of what was said.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Unfit {
    fn new(message: String, help: String) -> Self {
        Self { message, help: Some(help) }
    }

    /// A condition that cannot be read, or speaks of what is not there.
    fn wrong(option: &str, e: FormulaError) -> Self {
        Self { message: format!("{option}: {e}"), help: e.help }
    }
}

impl Said<'_> {
    /// The names of what is said: `--goal`, `--initial`.
    pub fn names(&self) -> Vec<String> {
        let all = [("initial", self.initial), ("goal", self.goal), ("avoid", self.avoid)];
        all.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| self.named(name)).collect()
    }

    fn named(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}

impl Foreign {
    /// Puts what is said into the problem. What the file itself says to keep away from counts unless something else is said.
    ///
    /// # Errors
    /// If it does not fit the file.
    pub fn take(&mut self, said: &Said<'_>) -> Result<(), Unfit> {
        if let Some(text) = said.initial {
            let text = if text == "all" { "true" } else { text };
            let chosen = self.chosen(&said.named("initial"), text)?;
            self.facts.initial = chosen.count();
            start_at(&mut self.problem, &chosen);
        }
        let own = self.avoid.take().map(|label| format!("\"{label}\""));
        if let Some(text) = said.avoid.map(str::to_owned).or(own).filter(|text| text != "none") {
            let avoided = self.named(&said.named("avoid"), &text)?;
            dead_ends(&mut self.problem, &avoided);
        }
        if let Some(text) = said.goal {
            self.problem.world.goal = self.chosen(&said.named("goal"), text)?;
        }
        Ok(())
    }

    /// The states that are named: at least one.
    fn chosen(&self, option: &str, text: &str) -> Result<BitSet, Unfit> {
        let chosen = self.named(option, text)?;
        if chosen.is_empty() {
            let message = format!("{option}: no state is like this: {text}");
            return Err(Unfit::new(message, properties(&self.problem)));
        }
        Ok(chosen)
    }

    fn named(&self, option: &str, text: &str) -> Result<BitSet, Unfit> {
        let condition = condition(text).map_err(|e| Unfit::wrong(option, e))?;
        fits(&self.problem, &self.fixed, option, &condition)?;
        states(&self.problem, &condition).map_err(|e| Unfit::wrong(option, e))
    }
}

/// A value that no state has is a slip, and would be overlooked among others. A fact that never changes is nothing that could be found out.
///
/// # Errors
/// If the condition has such a value or fact.
fn fits(problem: &Problem, fixed: &Fixed, option: &str, condition: &Predicate) -> Result<(), Unfit> {
    for test in condition.atoms() {
        match test {
            Test::Initially(inner) | Test::Was(inner) => fits(problem, fixed, option, inner)?,
            Test::Flag(name, _) | Test::Compare(name, ..) if problem.world.props.column(name).is_none() => {
                if let Some(so) = fixed.value(name) {
                    let always = if so { "true" } else { "false" };
                    return Err(Unfit::new(
                        format!("{option}: `{name}` never changes: it is {always} at every state"),
                        format!("put {always} in its place; {}", properties(problem)),
                    ));
                }
            }
            Test::Compare(name, Comparison::Eq | Comparison::Ne, value, _) => {
                let Some(column) = problem.world.props.column(name) else { continue };
                if !column.values().contains(value) {
                    let known: Vec<String> = column.values().iter().map(ToString::to_string).collect();
                    let near = match known.iter().any(|known| *known == value.to_string()) {
                        true if matches!(value, Value::Text(_)) => {
                            Some(format!("in quotes it is a text: write {name} = {value}"))
                        }
                        true => Some(format!("as a text it is written {name} = \"{value}\"")),
                        false => divulge::did_you_mean(&value.to_string(), known.iter().map(String::as_str)),
                    };
                    let some = || format!("its values are {}", known[..known.len().min(20)].join("; "));
                    return Err(Unfit::new(
                        format!("{option}: no state has {name} = {}", quoted(value)),
                        near.unwrap_or_else(some),
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// What must stay secret must be possible to find out about. `file` is what the file is called.
///
/// # Errors
/// If it is not.
pub fn secret(
    problem: &Problem,
    fixed: &Fixed,
    file: &str,
    option: &str,
    secret: &Predicate,
) -> Result<(), Unfit> {
    if secret.any(&|test| matches!(test, Test::Is(..))) {
        return Err(Unfit::new(
            format!("{option}: is(…) names one vertex, and a state has two: itself and the way to it"),
            "compare the property instead, as in `state = 3`".to_owned(),
        ));
    }
    fits(problem, fixed, option, secret)?;
    if !secret.is_past() && states(problem, secret).map_err(|e| Unfit::wrong(option, e))?.is_empty() {
        return Err(Unfit::new(
            format!("{option}: no state of {file} is secret, so nothing could be found out"),
            properties(problem),
        ));
    }
    Ok(())
}

/// What can be said of a state, in words.
pub fn properties(problem: &Problem) -> String {
    let names: Vec<&str> = problem.world.props.names().iter().take(20).collect();
    format!("the properties of states are: {}", names.join(", "))
}

/// A value as it is written in a condition; a word needs no quotes.
fn quoted(value: &Value) -> String {
    match value {
        Value::Text(text) if text.parse::<i64>().is_ok() => format!("\"{text}\""),
        other => other.to_string(),
    }
}
