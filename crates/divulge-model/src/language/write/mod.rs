//! Problems as models: graphs drawn by hand, observers, stipulations.
//!
//! *Practical.* [`write`] gives a model that reads back as the same problem, which is made sure of by reading it. `text` lays it out,
//! `names` puts names into quotes where they need it.

mod names;
mod text;

use divulge::problem::{Observer, Problem};

use self::text::Model;
use super::{NoIncludes, format, load_all};
use crate::{diagnostic::Severity, document};

/// Why a problem cannot be written as a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the problem cannot be written as a model: {0}")]
pub struct Unwritable(String);

/// A problem as a model in canonical layout, which [`load`](super::load) reads as the same problem, up to the numbering of labels. Its world
/// and plans are drawn, not given by rules. How a picture may be laid out has no place in it.
///
/// ```
/// use divulge_model::language::{NoIncludes, load, write};
/// let model = "world graph { u: start; u -a, b-> y; y: goal, room = lab }\nobserver { knows world; stipulate s: !knows(room = lab) }";
/// let (problem, _) = load("small", model, &NoIncludes, &[]);
/// let problem = problem.expect("a model");
/// let written = write(&problem)?;
/// assert_eq!(load("again", &written, &NoIncludes, &[]).0, Some(problem));
/// # Ok::<(), divulge_model::language::Unwritable>(())
/// ```
///
/// # Errors
/// If it holds something that the language cannot say, with what that is: a cost beyond 64-bit integers, say, or two stipulations of one
/// name.
pub fn write(problem: &Problem) -> Result<String, Unwritable> {
    countable(problem)?;
    let wanted = document::to_string(problem);
    // Formulas are written as the language has them, and in quotes where it would understand them otherwise.
    let plain = |_: usize, _: usize| false;
    let quoted: Vec<Vec<bool>> = match attempt(problem, &plain) {
        Ok((text, read)) => {
            if document::to_string(&read) == wanted {
                return Ok(text);
            }
            all(problem).zip(all(&read)).map(|(o, again)| differing(o, again)).collect()
        }
        Err(_) => all(problem).map(|o| vec![true; o.stipulations.len()]).collect(),
    };
    let (text, read) = attempt(problem, &|observer, stipulation| quoted[observer][stipulation])?;
    match document::to_string(&read) == wanted {
        true => Ok(text),
        false => Err(Unwritable("it would not be read as the same problem".to_owned())),
    }
}

fn all(problem: &Problem) -> impl Iterator<Item = &Observer> {
    problem.observers().chain(&problem.aside)
}

fn differing(given: &Observer, read: &Observer) -> Vec<bool> {
    let again = |i: usize| read.stipulations.get(i).map(|s| (s.scope, s.formula.to_string()));
    let each = given.stipulations.iter().enumerate();
    each.map(|(i, s)| again(i) != Some((s.scope, s.formula.to_string()))).collect()
}

/// The model with these stipulations in quotes, and what it is read as.
fn attempt(
    problem: &Problem,
    quoted: &dyn Fn(usize, usize) -> bool,
) -> Result<(String, Problem), Unwritable> {
    let text = Model::of(problem, quoted);
    let reason = |found: &crate::diagnostic::Diagnostics| {
        let first = found.iter().find(|d| d.severity() == Severity::Error);
        Unwritable(first.map_or_else(String::new, |d| d.message.clone()))
    };
    let text = format("written", &text).map_err(|found| reason(&found))?;
    let (read, found) = load_all("written", &text, &NoIncludes, &[]);
    match read {
        Some(read) => Ok((text, read)),
        None => Err(reason(&found)),
    }
}

/// Numbers in the language are 64-bit integers, those of a problem may be larger.
fn countable(problem: &Problem) -> Result<(), Unwritable> {
    let too_large = |what: String, n: u64| match i64::try_from(n) {
        Ok(_) => Ok(()),
        Err(_) => Err(Unwritable(format!("{what} is {n}, and the language counts up to {}", i64::MAX))),
    };
    let name = |l| problem.alphabet.name(l);
    for &(label, cost) in &problem.costs {
        too_large(format!("the cost of `{}`", name(label)), cost)?;
    }
    for observer in all(problem).filter(|o| o.map.is_none()) {
        for &(a, b, cost) in &observer.constraints.merge_cost {
            too_large(format!("the cost of merging `{}` and `{}`", name(a), name(b)), cost)?;
        }
        let bounds = [observer.constraints.max_images, observer.constraints.min_images];
        for images in bounds.into_iter().flatten() {
            too_large("a number of images".to_owned(), images as u64)?;
        }
    }
    Ok(())
}
