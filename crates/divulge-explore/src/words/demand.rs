//! A stipulation as a sentence: what the observer must, or must never, come to know.

use divulge::{
    formula::{Atom, Formula, Logic, Predicate, Test},
    problem::{Scope, Stipulation, Value, World},
};

use super::{
    listed,
    predicate::{equation, phrase, values},
    sentence, temporal,
};

/// How many parts of a stipulation are told.
const MOST: usize = 4;

/// What the stipulation asks, in a sentence or two. What has no words is shown as the formula.
pub fn demand(world: &World, stipulation: &Stipulation) -> String {
    let formula = &stipulation.formula;
    match stipulation.scope {
        Scope::Always => sentence(&format!("the observer must {}.", asked(world, formula, true))),
        Scope::End => {
            sentence(&format!("when the robot stops, the observer must {}.", asked(world, formula, false)))
        }
        Scope::Run => temporal::demand(world, formula),
        Scope::Hindsight { within } => {
            let later = match within {
                None => "later".to_owned(),
                Some(most) => format!("up to {} later", super::count(most as usize, "moment")),
            };
            let now = sentence(&format!("the observer must {}.", asked(world, formula, true)));
            format!("{now} This must still be so when it looks back at that moment {later}.")
        }
    }
}

/// What a formula of one estimate asks of an observer, after "must".
pub(super) fn asked(world: &World, formula: &Formula, always: bool) -> String {
    let mut conjuncts = Vec::new();
    flatten(formula, true, &mut conjuncts);
    let duties = duties(world, &conjuncts, always);
    let more = match duties.len().saturating_sub(MOST) {
        0 => String::new(),
        n => format!(", and {n} more things like this"),
    };
    let some: Vec<String> = duties.into_iter().take(MOST).collect();
    format!("{}{more}", some.join(", and must "))
}

/// A formula, or its negation.
type Signed<'f> = (&'f Formula, bool);

/// The parts that must all be so. Formulas are read with bounded nesting, so recursion is bounded.
fn flatten<'f>(f: &'f Formula, sign: bool, out: &mut Vec<Signed<'f>>) {
    match (f, sign) {
        (Logic::Not(inner), _) => flatten(inner, !sign, out),
        (Logic::And(parts), true) | (Logic::Or(parts), false) => {
            parts.iter().for_each(|part| flatten(part, sign, out));
        }
        _ => out.push((f, sign)),
    }
}

fn duties(world: &World, conjuncts: &[Signed<'_>], always: bool) -> Vec<String> {
    let (never, at_all_times) = if always { ("never", "always ") } else { ("not", "") };
    let mut out: Vec<String> = Vec::new();
    let mut done = vec![false; conjuncts.len()];
    for i in 0..conjuncts.len() {
        if std::mem::replace(&mut done[i], true) {
            continue;
        }
        let (f, sign) = conjuncts[i];
        out.push(match (f, sign) {
            (Logic::Atom(Atom::Knows(p)), false) => {
                let like = same_property(conjuncts, i);
                like.iter().for_each(|&j| done[j] = true);
                not_know(world, conjuncts, &like, p, never)
            }
            (Logic::Atom(Atom::Knows(p)), true) => format!("{at_all_times}know that {}", phrase(p)),
            (Logic::Atom(Atom::Possible(p)), true) => {
                format!("{at_all_times}think it possible that {}", phrase(p))
            }
            (Logic::Atom(Atom::Possible(p)), false) => {
                format!("{never} think it possible that {}", phrase(p))
            }
            (Logic::Atom(Atom::State(v, _)), true) => {
                format!("{at_all_times}think it possible that the robot is at {v}")
            }
            (Logic::Atom(Atom::State(v, _)), false) => {
                format!("{never} think it possible that the robot is at {v}")
            }
            (Logic::And(parts), false) => tell_apart(parts),
            (Logic::Or(parts), true) => know_which(world, parts, at_all_times),
            (Logic::Iff(parts), true) => together(parts),
            (Logic::Implies(parts), true) => whenever(parts),
            (f, true) => formula(&f.to_string()),
            (f, false) => formula(&format!("!({f})")),
        });
    }
    out
}

fn formula(text: &str) -> String {
    format!("meet this condition: `{text}`")
}

/// The parts from `i` on that say "must not know" of the same property.
fn same_property(conjuncts: &[Signed<'_>], i: usize) -> Vec<usize> {
    let property = |j: usize| match conjuncts[j] {
        (Logic::Atom(Atom::Knows(p)), false) => within(p).map(|(common, name, _)| (common, name)),
        _ => None,
    };
    match property(i) {
        Some(same) => (i..conjuncts.len()).filter(|&j| property(j).as_ref() == Some(&same)).collect(),
        None => vec![i],
    }
}

/// A predicate that ends with `name = value`: what stands before, the name, the value.
fn within(p: &Predicate) -> Option<(Vec<&Predicate>, &str, &Value)> {
    let mut parts = conjunction(p);
    let (name, value) = equation(parts.pop()?)?;
    Some((parts, name, value))
}

fn not_know(
    world: &World,
    conjuncts: &[Signed<'_>],
    like: &[usize],
    first: &Predicate,
    never: &str,
) -> String {
    let Some((common, name, _)) = within(first) else {
        return format!("{never} know that {}", phrase(first));
    };
    let value = |&j: &usize| match conjuncts[j] {
        (Logic::Atom(Atom::Knows(p)), _) => within(p).map(|(_, _, value)| value),
        _ => None,
    };
    let mut hidden: Vec<&Value> = like.iter().filter_map(value).collect();
    hidden.sort_unstable();
    hidden.dedup();
    let texts: Vec<String> = hidden.iter().map(ToString::to_string).collect();
    if !common.is_empty() {
        let given: Vec<String> = common.iter().map(|p| phrase(p)).collect();
        return match hidden.len() {
            1 => format!("{never} know that {}", phrase(first)),
            _ => format!(
                "{never} know both that {} and whether {name} is {}",
                given.join(" and "),
                listed(&texts, "or")
            ),
        };
    }
    if hidden.len() > 1 && hidden == values(world, name) {
        format!("{never} find out whether {name} is {}", listed(&texts, "or"))
    } else {
        format!("{never} know that {name} is {}", listed(&texts, "or that it is"))
    }
}

/// `!(possible(a) & possible(b))`: of these at most one may seem possible.
fn tell_apart(parts: &[Formula]) -> String {
    let predicates: Option<Vec<Vec<&Predicate>>> = parts
        .iter()
        .map(|part| match part {
            Logic::Atom(Atom::Possible(p)) => Some(conjunction(p)),
            _ => None,
        })
        .collect();
    let Some(all) = predicates else {
        let texts: Vec<String> = parts.iter().map(ToString::to_string).collect();
        return formula(&format!("!({})", texts.join(" & ")));
    };
    let common: Vec<&Predicate> =
        all[0].iter().copied().filter(|p| all.iter().all(|other| other.contains(p))).collect();
    let rest: Vec<Vec<&Predicate>> =
        all.iter().map(|one| one.iter().copied().filter(|p| !common.contains(p)).collect()).collect();
    let property = |one: &Vec<&Predicate>| match one[..] {
        [p] => equation(p).map(|(name, value)| (name.to_owned(), value.to_string())),
        _ => None,
    };
    let named: Option<Vec<(String, String)>> = rest.iter().map(property).collect();
    if let Some(named) = named.filter(|named| named.iter().all(|(name, _)| *name == named[0].0)) {
        let values: Vec<String> = named.iter().map(|(_, value)| value.clone()).collect();
        let which = format!("whether {} is {}", named[0].0, listed(&values, "or"));
        return match &common[..] {
            [] => format!("be able to tell {which}"),
            [Logic::Atom(Test::Goal)] => format!("know {which} as soon as the robot may be at a goal"),
            common => {
                let given: Vec<String> = common.iter().map(|p| phrase(p)).collect();
                format!("be able to tell {which} when {}", given.join(" and "))
            }
        };
    }
    let texts: Vec<String> = all
        .iter()
        .map(|one| one.iter().map(|p| phrase(p)).collect::<Vec<_>>().join(" and "))
        .map(|text| format!("that {text}"))
        .collect();
    format!("not think all of these possible at once: {}", texts.join("; "))
}

fn conjunction(p: &Predicate) -> Vec<&Predicate> {
    match p {
        Logic::And(parts) => parts.iter().collect(),
        other => vec![other],
    }
}

/// `knows(x = a) | knows(x = b)`: one of these must be known.
fn know_which(world: &World, parts: &[Formula], always: &str) -> String {
    let known: Option<Vec<&Predicate>> = parts
        .iter()
        .map(|part| match part {
            Logic::Atom(Atom::Knows(p)) => Some(p),
            _ => None,
        })
        .collect();
    let Some(known) = known else {
        let texts: Vec<String> = parts.iter().map(ToString::to_string).collect();
        return formula(&texts.join(" | "));
    };
    if let [p, Logic::Not(q)] = known[..]
        && *p == **q
    {
        return format!("{always}know whether {}", phrase(p));
    }
    let named: Option<Vec<(&str, &Value)>> = known.iter().map(|p| equation(p)).collect();
    if let Some(named) = named.filter(|named| named.iter().all(|(name, _)| *name == named[0].0)) {
        let mut told: Vec<&Value> = named.iter().map(|(_, value)| *value).collect();
        told.sort_unstable();
        let texts: Vec<String> = told.iter().map(ToString::to_string).collect();
        if told == values(world, named[0].0) {
            return format!("{always}know whether {} is {}", named[0].0, listed(&texts, "or"));
        }
    }
    let texts: Vec<String> = known.iter().map(|p| format!("that {}", phrase(p))).collect();
    format!("{always}know one of these: {}", texts.join("; "))
}

/// `possible(a) -> possible(b) & possible(c)`: what seems possible must not seem so alone.
fn whenever(parts: &[Formula]) -> String {
    let possible = |f: &Formula| match f {
        Logic::Atom(Atom::Possible(p)) => Some(phrase(p)),
        Logic::Atom(Atom::State(v, _)) => Some(format!("the robot is at {v}")),
        _ => None,
    };
    let said = match parts {
        [when, Logic::And(then)] => {
            possible(when).zip(then.iter().map(possible).collect::<Option<Vec<String>>>())
        }
        [when, then] => possible(when).zip(possible(then).map(|then| vec![then])),
        _ => None,
    };
    match said {
        Some((when, then)) => format!(
            "think it possible that {}, whenever it thinks it possible that {when}",
            then.join(", and that ")
        ),
        None => {
            let texts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            formula(&texts.join(" -> "))
        }
    }
}

/// `possible(a) <-> possible(b)`: none of these may be ruled out while another seems possible.
fn together(parts: &[Formula]) -> String {
    let texts: Option<Vec<String>> = parts
        .iter()
        .map(|part| match part {
            Logic::Atom(Atom::Possible(p)) => Some(phrase(p)),
            Logic::Atom(Atom::State(v, _)) => Some(format!("the robot is at {v}")),
            _ => None,
        })
        .collect();
    match texts.as_deref() {
        Some([a, b]) => {
            format!("never be able to tell whether {a} or {b}: it must think both possible, or neither")
        }
        _ => {
            let texts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            formula(&texts.join(" <-> "))
        }
    }
}
