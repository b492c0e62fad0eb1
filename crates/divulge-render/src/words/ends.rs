//! What the observer can and cannot know where a program stops.

use std::collections::{BTreeMap, BTreeSet};

use divulge::{
    explain::{Ending, Known, Sure},
    formula::{Comparison, Logic, Predicate, Test},
    problem::{Problem, Value, Vertex},
};

use super::{
    estimate::{Describer, tests},
    layout::{few, glue, list},
};

/// What is said at the ends: what is so at all of them, and what else at each.
#[derive(Default)]
pub(super) struct Notes {
    /// What the observer can and cannot tell wherever the plan stops.
    pub common: Option<String>,
    /// What else is said; the first is nothing.
    pub texts: Vec<String>,
    /// Which of the texts belongs to each terminal vertex of the spelled plan.
    at: BTreeMap<Vertex, usize>,
}

impl Notes {
    pub fn new(problem: &Problem, ends: &[Ending]) -> Self {
        let describer = Describer::new(problem);
        let facts: Vec<Vec<Fact>> = ends.iter().map(|end| facts(&describer, end)).collect();
        let mut common: Vec<Fact> = facts.first().cloned().unwrap_or_default();
        common.retain(|fact| facts.iter().all(|others| others.contains(fact)));
        let mut notes = Self { common: said(&common), texts: vec![String::new()], at: BTreeMap::new() };
        let mut number: BTreeMap<String, usize> = BTreeMap::new();
        for (end, mut facts) in ends.iter().zip(facts) {
            facts.retain(|fact| !common.contains(fact));
            let text = said(&facts).unwrap_or_default();
            let next = notes.texts.len();
            let at = match text.is_empty() {
                true => 0,
                false => *number.entry(text.clone()).or_insert(next),
            };
            if at == next {
                notes.texts.push(text);
            }
            notes.at.insert(end.at, at);
        }
        notes
    }

    /// The number of the text that belongs to a terminal vertex of the spelled plan.
    pub fn number(&self, v: Vertex) -> usize {
        self.at.get(&v).copied().unwrap_or(0)
    }
}

/// What the observer can and cannot tell in the end, whichever it is.
pub(super) fn at_all_ends(problem: &Problem, ending: &Ending) -> Option<String> {
    said(&facts(&Describer::new(problem), ending))
}

/// How the observer stands to something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stands {
    Knows,
    RulesOut,
    CannotTell,
    CannotTellWhether,
    HoldsPossible,
    MayKnow,
    MayKnowWhether,
    MayHoldPossible,
}

impl Stands {
    const ALL: [(Stands, &str); 8] = [
        (Stands::Knows, "knows"),
        (Stands::RulesOut, "rules out"),
        (Stands::CannotTell, "cannot tell"),
        (Stands::CannotTellWhether, "cannot tell whether"),
        (Stands::HoldsPossible, "holds possible"),
        (Stands::MayKnow, "may or may not know"),
        (Stands::MayKnowWhether, "may or may not know whether"),
        (Stands::MayHoldPossible, "may or may not hold possible"),
    ];
}

/// What is said of one thing.
#[derive(Clone, PartialEq, Eq)]
struct Fact {
    stands: Stands,
    what: String,
}

fn fact(stands: Stands, what: impl Into<String>) -> Fact {
    Fact { stands, what: what.into() }
}

/// How many things are named of each kind.
const NAMED: usize = 5;

/// "knows rad = high; cannot tell facility (breeder or pebble)".
fn said(facts: &[Fact]) -> Option<String> {
    let mut parts = Vec::new();
    for (stands, words) in Stands::ALL {
        let those = facts.iter().filter(|fact| fact.stands == stands);
        let mut those: Vec<&str> = those.map(|fact| fact.what.as_str()).collect();
        // "knows rad = high and that the world is at v", not the other way round.
        those.sort_by_key(|what| what.starts_with("that ") || what.starts_with("whether "));
        match those.len() {
            0 => {}
            1..=NAMED => parts.push(format!("{words} {}", list(&those, "and"))),
            _ => parts.push(format!("{words} {}", few(&those, NAMED))),
        }
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// What the observer can tell of what the stipulations speak of: properties by their values, places, and predicates as they
/// are written where the values alone do not tell. If nothing is stipulated, of all the properties.
fn facts(describer: &Describer<'_>, ending: &Ending) -> Vec<Fact> {
    let telling = if ending.facts.is_empty() { describer.telling() } else { describer.compared() };
    let known = |name: &&str| ending.known.iter().find(|(n, _)| n == name).map(|(_, known)| known);
    let mut out = Vec::new();
    // Properties of which more values are possible than can be listed, and those that are not known.
    let (mut wide, mut open) = (BTreeSet::new(), BTreeSet::new());
    for name in telling {
        let Some(known) = known(name) else { continue };
        if !known.confused.is_empty() {
            open.insert(*name);
        }
        let long = known.confused.iter().any(|values| values.len() > NAMED) && !ending.facts.is_empty();
        if long {
            wide.insert(*name);
        }
        // Of what is spoken of together with other things, those things together tell more.
        let alone = ending.facts.is_empty() || ending.facts.iter().any(|(p, _)| single(p) == Some(name));
        if long || open.contains(name) && !alone {
            continue;
        } else if describer.is_flag(name) {
            out.push(whether(&format!("`{name}`"), flag(known)));
        } else {
            out.push(property(name, known));
        }
    }
    for (predicate, sure) in &ending.facts {
        let told = match predicate {
            Logic::Const(_) => true,
            Logic::Atom(Test::Flag(name, _) | Test::Compare(name, Comparison::Eq | Comparison::Ne, ..)) => {
                !wide.contains(name.as_str())
            }
            Logic::Atom(Test::Is(v, _)) => {
                out.push(place(v, *sure));
                true
            }
            _ => match single(predicate) {
                Some(name) => !wide.contains(name),
                None => implied(predicate, &open, describer),
            },
        };
        if !told {
            out.push(whether(&glue(&format!("`{predicate}`")), *sure));
        }
    }
    out
}

/// The property that the predicate compares with a single value, if it does nothing else.
fn single(predicate: &Predicate) -> Option<&str> {
    match predicate {
        Logic::Atom(Test::Flag(name, _) | Test::Compare(name, Comparison::Eq | Comparison::Ne, ..)) => {
            Some(name)
        }
        _ => None,
    }
}

/// Whether what is known of single properties tells what is known of the predicate.
fn implied(predicate: &Predicate, open: &BTreeSet<&str>, describer: &Describer<'_>) -> bool {
    let mut implied = !matches!(predicate, Logic::Atom(_));
    tests(predicate, &mut |test| match test {
        Test::Compare(name, ..) | Test::Flag(name, _) => {
            let name = name.as_str();
            implied &= !open.contains(name) && describer.compared().contains(&name);
        }
        Test::Is(..) | Test::Initially(_) | Test::Was(_) => implied = false,
        Test::Goal | Test::Kind(..) => {}
    });
    implied
}

fn whether(what: &str, sure: Sure) -> Fact {
    match (sure.yes, sure.no, sure.unsure) {
        (true, false, false) => fact(Stands::Knows, what),
        (false, true, false) => fact(Stands::RulesOut, what),
        (true, true, false) => fact(Stands::Knows, format!("whether {what}")),
        (false, false, _) => fact(Stands::CannotTellWhether, what),
        (true, false, true) => fact(Stands::MayKnow, what),
        (false, true, true) => fact(Stands::MayHoldPossible, what),
        (true, true, true) => fact(Stands::MayKnowWhether, what),
    }
}

fn place(name: &str, sure: Sure) -> Fact {
    let at = format!("the world is at {name}");
    match (sure.yes, sure.no, sure.unsure) {
        (true, false, false) => fact(Stands::Knows, format!("that {at}")),
        (false, true, false) => fact(Stands::RulesOut, name),
        (true, true, false) => fact(Stands::Knows, format!("whether {at}")),
        (false, false, _) => fact(Stands::HoldsPossible, name),
        (true, false, true) => fact(Stands::MayKnow, format!("that {at}")),
        (false, true, true) => fact(Stands::MayHoldPossible, name),
        (true, true, true) => fact(Stands::MayKnowWhether, at),
    }
}

/// Of a property that is true or is not.
fn flag(known: &Known) -> Sure {
    let yes = |value: &Option<Value>| *value == Some(Value::Bool(true));
    Sure {
        yes: known.told.iter().any(yes),
        no: known.told.iter().any(|value| !yes(value)),
        unsure: !known.confused.is_empty(),
    }
}

fn property(name: &str, known: &Known) -> Fact {
    let told = alternatives(&known.told);
    let mut confused: Vec<String> = known.confused.iter().map(alternatives).collect();
    if confused.len() > 3 {
        confused.truncate(3);
        confused.push("…".to_owned());
    }
    let confused = confused.join("; ");
    match (known.told.len(), known.confused.is_empty()) {
        (1, true) => match known.told.first() {
            Some(Some(value)) => fact(Stands::Knows, glue(&format!("{name} = {value}"))),
            _ => fact(Stands::Knows, format!("that {name} has no value")),
        },
        (_, true) => fact(Stands::Knows, format!("{name}, whichever it is ({told})")),
        (0, false) => fact(Stands::CannotTell, format!("{name} ({confused})")),
        (_, false) => fact(Stands::MayKnow, format!("{name} (sure: {told}; unsure: {confused})")),
    }
}

/// "a, b or c".
fn alternatives(values: &BTreeSet<Option<Value>>) -> String {
    let texts: Vec<String> = values
        .iter()
        .map(|value| value.as_ref().map_or("no value".to_owned(), ToString::to_string))
        .collect();
    if texts.len() > NAMED { few(&texts, NAMED) } else { list(&texts, "or") }
}
