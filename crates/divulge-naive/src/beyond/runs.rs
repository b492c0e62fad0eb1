//! Runs: temporal formulas over the moments of a run, by the table that defines them, and as automata.
//!
//! *Background.* The automaton's states say what is still owed: alternatives, each a set of formulas owed to the next moment, either for sure
//! (there must be one) or in case there is one. A valuation of the atoms takes one state to the next by the expansion laws. There are finitely
//! many, and a prefix is bad if no accepting state can be reached from where it leads.

use std::collections::{BTreeMap, BTreeSet};

use divulge::formula::{Atom, Formula, Logic, Temporal};

use super::past::{Asked, Estimate};
use crate::{Refusal, formula::value};

/// Whether a formula holds at moment `i` of a run of these moments; `is` says whether an atom holds at a moment.
pub fn holds_at<M>(formula: &Formula, moments: &[M], i: usize, is: &impl Fn(&Atom, &M) -> bool) -> bool {
    let at = |f: &Formula, j: usize| holds_at(f, moments, j, is);
    let until = |t: &Formula, u: &Formula| (i..moments.len()).any(|j| at(u, j) && (i..j).all(|k| at(t, k)));
    value(formula, &|atom| match atom {
        Atom::Temporal(temporal) => match &**temporal {
            Temporal::Always(t) => (i..moments.len()).all(|j| at(t, j)),
            Temporal::Eventually(t) => (i..moments.len()).any(|j| at(t, j)),
            Temporal::Next(t) => i + 1 < moments.len() && at(t, i + 1),
            Temporal::Until(t, u) => until(t, u),
            Temporal::Unless(t, u) => until(t, u) || (i..moments.len()).all(|j| at(t, j)),
        },
        atom => is(atom, &moments[i]),
    })
}

/// The atoms of a formula that are not temporal, each once.
pub fn atoms_of(formula: &Formula) -> Vec<Atom> {
    let mut found = Vec::new();
    let mut todo = vec![formula];
    while let Some(formula) = todo.pop() {
        for atom in formula.atoms() {
            match atom {
                Atom::Temporal(temporal) => todo.extend(temporal.operands()),
                atom if !found.contains(atom) => found.push(atom.clone()),
                _ => {}
            }
        }
    }
    found
}

/// A formula in negation normal form, over numbered atoms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Const(bool),
    Is(usize, bool),
    And(Vec<Form>),
    Or(Vec<Form>),
    /// At the next moment; with `true` there must be one.
    Next(bool, Box<Form>),
    Until(Box<Form>, Box<Form>),
    /// The second at every moment up to and with the first at which the first holds, or for ever.
    Release(Box<Form>, Box<Form>),
}

/// The formula, or its negation.
fn form(atoms: &[Atom], formula: &Formula, positive: bool) -> Form {
    let all = |parts: Vec<Form>, and: bool| if and { Form::And(parts) } else { Form::Or(parts) };
    let each = |parts: &[Formula], p| parts.iter().map(|f| form(atoms, f, p)).collect::<Vec<_>>();
    match formula {
        Logic::Const(b) => Form::Const(*b == positive),
        Logic::Not(f) => form(atoms, f, !positive),
        Logic::And(fs) => all(each(fs, positive), positive),
        Logic::Or(fs) => all(each(fs, positive), !positive),
        Logic::Implies(fs) => match fs.split_last() {
            None => Form::Const(positive),
            Some((last, before)) => {
                let mut parts = each(before, !positive);
                parts.push(form(atoms, last, positive));
                all(parts, !positive)
            }
        },
        Logic::Iff(fs) => match fs.split_last() {
            None => Form::Const(positive),
            Some((only, [])) => form(atoms, only, positive),
            Some((last, rest)) => {
                let rest = Logic::Iff(rest.to_vec());
                let both = |l, r| Form::And(vec![form(atoms, &rest, l), form(atoms, last, r)]);
                Form::Or(vec![both(true, positive), both(false, !positive)])
            }
        },
        Logic::Atom(Atom::Temporal(temporal)) => moments(atoms, temporal, positive),
        Logic::Atom(atom) => {
            Form::Is(atoms.iter().position(|a| a == atom).expect("every atom is listed"), positive)
        }
    }
}

fn moments(atoms: &[Atom], temporal: &Temporal, positive: bool) -> Form {
    let part = |f| Box::new(form(atoms, f, positive));
    let constant = |b: bool| Box::new(Form::Const(b == positive));
    let until = |t, u| if positive { Form::Until(t, u) } else { Form::Release(t, u) };
    let release = |t, u| if positive { Form::Release(t, u) } else { Form::Until(t, u) };
    match temporal {
        Temporal::Always(t) => release(constant(false), part(t)),
        Temporal::Eventually(t) => until(constant(true), part(t)),
        Temporal::Next(t) => Form::Next(positive, part(t)),
        Temporal::Until(t, u) => until(part(t), part(u)),
        Temporal::Unless(t, u) => {
            let parts = vec![until(part(t), part(u)), release(constant(false), part(t))];
            if positive { Form::Or(parts) } else { Form::And(parts) }
        }
    }
}

/// Alternatives, each a set of what is owed to the next moment; `true` if there must be one.
type Owed = BTreeSet<BTreeSet<(bool, Form)>>;

fn either(left: Owed, right: Owed) -> Owed {
    let all: Owed = left.union(&right).cloned().collect();
    // An alternative that owes more than another is none.
    all.iter().filter(|a| !all.iter().any(|b| b != *a && b.is_subset(a))).cloned().collect()
}

fn both(left: &Owed, right: &Owed) -> Owed {
    let all = left.iter().flat_map(|l| right.iter().map(move |r| l | r)).collect();
    either(all, Owed::new())
}

fn truth(b: bool) -> Owed {
    if b { Owed::from([BTreeSet::new()]) } else { Owed::new() }
}

/// What is owed to the next moment if the form is to hold at this one.
fn owed(form: &Form, valuation: &[bool]) -> Owed {
    let later = |sure: bool, form: &Form| Owed::from([BTreeSet::from([(sure, form.clone())])]);
    match form {
        Form::Const(b) => truth(*b),
        Form::Is(atom, b) => truth(valuation[*atom] == *b),
        Form::And(parts) => parts.iter().fold(truth(true), |all, p| both(&all, &owed(p, valuation))),
        Form::Or(parts) => parts.iter().fold(truth(false), |all, p| either(all, owed(p, valuation))),
        Form::Next(sure, part) => later(*sure, part),
        Form::Until(t, u) => either(owed(u, valuation), both(&owed(t, valuation), &later(true, form))),
        Form::Release(t, u) => both(&owed(u, valuation), &either(owed(t, valuation), later(false, form))),
    }
}

/// A stipulation over runs, as an automaton over valuations of its atoms.
#[derive(Clone, Debug)]
pub struct Run {
    atoms: Vec<Atom>,
    /// For each state where each valuation leads; state 0 is before the first moment.
    next: Vec<Vec<usize>>,
    accepting: Vec<bool>,
    bad: Vec<bool>,
}

/// Automata with more states, or formulas with more atoms, are too large for brute force.
const MOST_STATES: usize = 600;
const MOST_ATOMS: usize = 5;

impl Run {
    /// The automaton of a formula.
    ///
    /// # Errors
    /// If it is too large.
    pub fn new(formula: &Formula) -> Result<Self, Refusal> {
        let atoms = atoms_of(formula);
        if atoms.len() > MOST_ATOMS {
            return Err(Refusal::TooLarge);
        }
        let start = Owed::from([BTreeSet::from([(true, form(&atoms, formula, true))])]);
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut next: Vec<Vec<usize>> = Vec::new();
        while next.len() < states.len() {
            let state = states[next.len()].clone();
            let row = (0..1 << atoms.len()).map(|bits| {
                let valuation: Vec<bool> = (0..atoms.len()).map(|i| bits >> i & 1 == 1).collect();
                let after = step(&state, &valuation);
                *numbers.entry(after.clone()).or_insert_with(|| {
                    states.push(after);
                    states.len() - 1
                })
            });
            next.push(row.collect());
            if states.len() > MOST_STATES {
                return Err(Refusal::TooLarge);
            }
        }
        let done = |state: &Owed| state.iter().any(|owed| owed.iter().all(|(sure, _)| !sure));
        let accepting: Vec<bool> = states.iter().map(done).collect();
        let bad = hopeless(&next, &accepting);
        Ok(Self { atoms, next, accepting, bad })
    }

    /// The state after one more moment; 0 is the state before the first.
    pub fn after(&self, asked: &Asked<'_>, state: usize, estimate: &Estimate) -> usize {
        self.after_where(state, |atom| asked.atom(atom, estimate))
    }

    /// The state after a moment at which atoms hold as `is` says.
    pub fn after_where(&self, state: usize, is: impl Fn(&Atom) -> bool) -> usize {
        let bits = self.atoms.iter().enumerate().map(|(i, atom)| usize::from(is(atom)) << i).sum::<usize>();
        self.next[state][bits]
    }

    /// Whether a run may end here.
    pub fn accepts(&self, state: usize) -> bool {
        self.accepting[state]
    }

    /// Whether nothing that could follow makes a run that satisfies the formula.
    pub fn is_bad(&self, state: usize) -> bool {
        self.bad[state]
    }
}

fn step(state: &Owed, valuation: &[bool]) -> Owed {
    let alternative = |all: &BTreeSet<(bool, Form)>| {
        all.iter().fold(truth(true), |sum, (_, form)| both(&sum, &owed(form, valuation)))
    };
    state.iter().fold(truth(false), |sum, all| either(sum, alternative(all)))
}

/// The states from which no accepting one can be reached.
fn hopeless(next: &[Vec<usize>], accepting: &[bool]) -> Vec<bool> {
    let mut hope = accepting.to_vec();
    loop {
        let more: Vec<bool> = (0..next.len()).map(|s| hope[s] || next[s].iter().any(|&t| hope[t])).collect();
        if more == hope {
            return hope.into_iter().map(|h| !h).collect();
        }
        hope = more;
    }
}
