//! How a stipulation stands at a moment, and why.

use divulge::{
    formula::{Clause, Compiled, Logic, Predicate, Stipulations, Test, resolve},
    problem::{Scope, Value, Vertex, World},
};

use super::{
    count, listed,
    predicate::{equation, phrase},
    sentence,
};

/// How a stipulation stands, and the reason in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// `None` where it is not asked for, at a moment that is not the end.
    pub holds: Option<bool>,
    /// Why.
    pub why: String,
}

/// How many reasons are given before the rest is counted.
const REASONS: usize = 3;

/// How the stipulation stands of an estimate; `ends` says whether the robot may stop now.
pub fn standing(
    world: &World,
    all: &Stipulations,
    stipulation: &Compiled,
    estimate: &[Vertex],
    ends: bool,
) -> Told {
    if stipulation.scope == Scope::End && !ends {
        return Told {
            holds: None,
            why: "It matters when the robot stops; the robot is still going.".to_owned(),
        };
    }
    let teller = Teller { world, masks: all.masks(), estimate };
    let signature = all.signature_of(estimate.iter().copied());
    if stipulation.holds(&signature) {
        return Told { holds: Some(true), why: teller.kept(stipulation, &signature) };
    }
    let clause = stipulation.broken_clause(&signature).unwrap_or_default();
    Told { holds: Some(false), why: teller.broken(&clause) }
}

struct Teller<'a> {
    world: &'a World,
    masks: &'a [Predicate],
    estimate: &'a [Vertex],
}

fn met(signature: &[u64], mask: u32) -> bool {
    signature[mask as usize / 64] >> (mask % 64) & 1 == 1
}

impl Teller<'_> {
    /// What makes each clause true, each thing said once.
    fn kept(&self, stipulation: &Compiled, signature: &[u64]) -> String {
        let Some(clauses) = stipulation.clauses() else {
            return "It holds for everything the observer thinks possible.".to_owned();
        };
        let mut reasons: Vec<String> = Vec::new();
        for clause in clauses {
            let positive = clause.positive.iter().find(|&&m| met(signature, m)).map(|&m| self.meets(m));
            let negative = || clause.negative.iter().find(|&&m| !met(signature, m)).map(|&m| self.misses(m));
            reasons.extend(positive.or_else(negative).filter(|reason| !reasons.contains(reason)));
        }
        match reasons.len() {
            0 => "Nothing is asked for here.".to_owned(),
            n if n > REASONS => {
                let (told, more) = (&reasons[..REASONS - 1], n + 1 - REASONS);
                sentence(&format!("it {}; and there are {more} more reasons.", told.join("; it ")))
            }
            _ => sentence(&format!("it {}.", reasons.join("; it "))),
        }
    }

    /// A literal that is true because something seems possible: "still thinks …".
    fn meets(&self, mask: u32) -> String {
        match &self.masks[mask as usize] {
            Logic::Not(q) => match equation(q) {
                Some((name, _)) => format!("still thinks that {name} could be {}", self.held(name)),
                None => format!("cannot be sure that {}", phrase(q)),
            },
            p => match equation(p) {
                Some((name, _)) => format!("still thinks that {name} could be {}", self.held(name)),
                None => format!("still thinks it possible that {}", phrase(p)),
            },
        }
    }

    /// A literal that is true because something is ruled out.
    fn misses(&self, mask: u32) -> String {
        match &self.masks[mask as usize] {
            Logic::Not(q) => format!("knows that {}", phrase(q)),
            p => self.absent(p),
        }
    }

    /// Why nothing that seems possible satisfies `p`; of a conjunction, the first part that already fails.
    fn absent(&self, p: &Predicate) -> String {
        if let Logic::And(parts) = p
            && let Some(part) = parts.iter().find(|part| !self.possible(part))
        {
            return self.absent(part);
        }
        match p {
            Logic::Atom(Test::Goal) => "knows that the robot is not at a goal yet".to_owned(),
            p => match equation(p) {
                Some((name, value)) => format!("has ruled out that {name} is {value}"),
                None => format!("has ruled out that {}", phrase(p)),
            },
        }
    }

    fn broken(&self, clause: &Clause) -> String {
        let duty = |mask: &u32, positive: bool| match (&self.masks[*mask as usize], positive) {
            (Logic::Not(q), true) => {
                (format!("not know that {}", phrase(q)), format!("it knows that {}", phrase(q)))
            }
            (Logic::Not(q), false) => {
                (format!("know that {}", phrase(q)), format!("it cannot be sure that {}", phrase(q)))
            }
            (p, true) => (
                format!("think it possible that {}", phrase(p)),
                format!("it has ruled out that {}", phrase(p)),
            ),
            (p, false) => {
                (format!("rule out that {}", phrase(p)), format!("it thinks it possible that {}", phrase(p)))
            }
        };
        let literals: Vec<(String, String)> = clause
            .positive
            .iter()
            .map(|m| duty(m, true))
            .chain(clause.negative.iter().map(|m| duty(m, false)))
            .take(REASONS)
            .collect();
        if literals.is_empty() {
            return "Nothing an observer could think would satisfy it.".to_owned();
        }
        let (duties, failures): (Vec<String>, Vec<String>) = literals.into_iter().unzip();
        let places = count(self.estimate.len(), "possibility").replace("ys", "ies");
        format!(
            "The observer must {}, but {} (it is left with {places}).",
            duties.join(", or "),
            failures.join(", and "),
        )
    }

    /// The values of a property that seem possible.
    fn held(&self, name: &str) -> String {
        let Some(column) = self.world.props.column(name) else { return "anything".to_owned() };
        let mut values: Vec<&Value> = self.estimate.iter().filter_map(|&v| column.get(v)).collect();
        values.sort_unstable();
        values.dedup();
        let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
        listed(&texts, "or")
    }

    /// Whether something that seems possible satisfies `p`.
    fn possible(&self, p: &Predicate) -> bool {
        let Ok(set) = resolve::vertices(self.world, p) else { return true };
        self.estimate.iter().any(|v| set.contains(v.index()))
    }
}
