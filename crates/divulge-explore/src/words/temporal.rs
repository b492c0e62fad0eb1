//! Stipulations on runs as sentences.

use divulge::{
    formula::{Atom, Formula, Logic, Temporal},
    problem::World,
};

use super::{demand::asked, predicate::atom, sentence};

/// What is asked of every run. What has no words is shown as the formula.
pub(super) fn demand(world: &World, formula: &Formula) -> String {
    let parts = match formula {
        Logic::And(parts) => &parts[..],
        one => std::slice::from_ref(one),
    };
    let told: Option<Vec<String>> = parts.iter().map(|part| of(world, part)).collect();
    match told {
        Some(told) => told.iter().map(|text| sentence(text)).collect::<Vec<_>>().join(" "),
        None => format!("Every run must meet this condition: `{formula}`."),
    }
}

/// One part of it, in a sentence.
fn of(world: &World, formula: &Formula) -> Option<String> {
    let momentary = |f: &Formula| !f.is_temporal();
    Some(match formula {
        f if momentary(f) => format!("at the start, the observer must {}.", asked(world, f, false)),
        Logic::Not(inner) => match temporal(inner)? {
            Temporal::Eventually(f) if momentary(f) => {
                let never = Logic::Not(Box::new(f.clone()));
                format!("the observer must {}.", asked(world, &never, true))
            }
            _ => return None,
        },
        f => match temporal(f)? {
            Temporal::Always(f) if momentary(f) => format!("the observer must {}.", asked(world, f, true)),
            Temporal::Always(f) => whenever(world, f)?,
            Temporal::Eventually(f) if momentary(f) => {
                format!("sooner or later, the observer must {}.", asked(world, f, false))
            }
            Temporal::Next(f) if momentary(f) => {
                format!("there must be a next moment, and then the observer must {}.", asked(world, f, false))
            }
            Temporal::Until(f, g) if momentary(f) && momentary(g) => format!(
                "the observer must {} until {}, and that must come.",
                asked(world, f, false),
                condition(g)?
            ),
            Temporal::Unless(f, g) if momentary(f) && momentary(g) => {
                format!("the observer must {} until {}, if ever.", asked(world, f, false), condition(g)?)
            }
            _ => return None,
        },
    })
}

/// `always (a -> next b)`, `always (a -> eventually b)`.
fn whenever(world: &World, formula: &Formula) -> Option<String> {
    let Logic::Implies(parts) = formula else { return None };
    let [when, then] = &parts[..] else { return None };
    let (when, duty) = (condition(when)?, temporal(then)?);
    match duty {
        Temporal::Next(f) if !f.is_temporal() => {
            Some(format!("whenever {when}, the observer must {} at its next moment.", asked(world, f, false)))
        }
        Temporal::Eventually(f) if !f.is_temporal() => {
            Some(format!("whenever {when}, the observer must {}, then or later.", asked(world, f, false)))
        }
        _ => None,
    }
}

fn temporal(formula: &Formula) -> Option<&Temporal> {
    match formula {
        Logic::Atom(Atom::Temporal(t)) => Some(t),
        _ => None,
    }
}

/// What is so at one moment: "it knows that …".
fn condition(formula: &Formula) -> Option<String> {
    let joined = |parts: &[Formula], word: &str| {
        let each: Option<Vec<String>> = parts.iter().map(literal).collect();
        each.map(|each| each.join(word))
    };
    match formula {
        Logic::And(parts) => joined(parts, " and "),
        Logic::Or(parts) => joined(parts, " or "),
        one => literal(one),
    }
}

fn literal(formula: &Formula) -> Option<String> {
    match formula {
        Logic::Atom(Atom::Temporal(_)) => None,
        Logic::Atom(one) => Some(atom(one, true)),
        Logic::Not(inner) => match &**inner {
            Logic::Atom(Atom::Temporal(_)) => None,
            Logic::Atom(one) => Some(atom(one, false)),
            _ => None,
        },
        _ => None,
    }
}
