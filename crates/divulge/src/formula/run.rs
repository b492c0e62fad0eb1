//! Temporal formulas over the moments of a run, followed moment by moment.
//!
//! *Background.* A formula that must hold from the next moment on is *unfolded* there: its atoms become true or false, and what is
//! left speaks of the moments to come. `t until u` becomes u, or t now and the same again from the next moment on, of which there must be one;
//! `t unless u` becomes the same, but there need not be a next moment. So what is left is always a combination of *duties*: parts
//! of the formula that must hold from the next moment on, and that either demand a next moment or do not. A run may end if the duties
//! that demand one are not needed; nothing can mend it if no duties can be fulfilled whatever is seen.
//!
//! *Practical.* [`Run`] is a formula without negations but of atoms, its parts numbered. [`Courses`](super::Courses) keeps its states.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Atom, Formula, Logic, RunStanding, Temporal};

/// A part of a formula; its operands are numbers of parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    Const(bool),
    /// Whether the atom with this number is as said.
    Literal(u32, bool),
    And(Vec<u32>),
    Or(Vec<u32>),
    /// From the next moment on; whether there must be one.
    Next(u32, bool),
    Until(u32, u32),
    Unless(u32, u32),
}

/// A temporal formula, ready to be followed.
#[derive(Clone, Debug)]
pub struct Run {
    atoms: Vec<Atom>,
    parts: Vec<Part>,
    root: u32,
}

/// What must be so from the next moment on: a part of the formula, and whether there must be a next moment. Where nothing is
/// known of the present moment, also that an atom is as said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Duty {
    From { part: u32, demanded: bool },
    Now(u32, bool),
}

/// Duties all of which must be fulfilled.
pub(super) type Duties = BTreeSet<Duty>;

/// What is left of the formula: any of these will do. None of them asks for all that another one asks for.
pub(super) type Rest = BTreeSet<Duties>;

impl Run {
    /// A formula made ready. Its names need not be a world's.
    pub fn new(formula: &Formula) -> Self {
        let mut making = Making { atoms: Vec::new(), parts: Vec::new(), known: FxHashMap::default() };
        let root = making.part(formula, true);
        Self { atoms: making.atoms, parts: making.parts, root }
    }

    /// The atoms, all different; a moment is told by which of them hold, in this order.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// How it stands after each of these moments, each told by which of the atoms hold.
    pub fn standings(&self, moments: &[Vec<bool>]) -> Vec<RunStanding> {
        let mut rest = self.start();
        let each = moments.iter().map(|truth| {
            rest = self.advance(&rest, truth);
            RunStanding { may_end: Self::may_end(&rest), can_be_mended: self.can_be_mended(&rest) }
        });
        each.collect()
    }

    /// In how many ways a moment may fulfil it at most, none of them compared with the others.
    pub(super) fn ways(&self) -> u64 {
        let mut ways: Vec<u64> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            // Operands are numbered before what they are part of.
            let of = |number: &u32| ways[*number as usize];
            ways.push(match part {
                Part::Const(_) | Part::Literal(..) | Part::Next(..) => 1,
                Part::And(parts) => parts.iter().map(of).fold(1, u64::saturating_mul),
                Part::Or(parts) => parts.iter().map(of).fold(0, u64::saturating_add),
                Part::Until(t, u) | Part::Unless(t, u) => of(t).saturating_add(of(u)),
            });
        }
        ways.iter().copied().max().unwrap_or(1)
    }

    /// What is left before the first moment.
    pub(super) fn start(&self) -> Rest {
        Rest::from([Duties::from([Duty::From { part: self.root, demanded: true }])])
    }

    /// What is left after one more moment, in which these atoms are true.
    pub(super) fn advance(&self, rest: &Rest, truth: &[bool]) -> Rest {
        let mut unfolding = Unfolding { run: self, truth: Some(truth), known: vec![None; self.parts.len()] };
        any(rest.iter().map(|duties| unfolding.all(duties)))
    }

    /// Whether the run may end here.
    pub(super) fn may_end(rest: &Rest) -> bool {
        rest.iter().any(may_end)
    }

    /// Whether some moments to come, whatever they are like, would fulfil what is left.
    pub(super) fn can_be_mended(&self, rest: &Rest) -> bool {
        let mut unfolding = Unfolding { run: self, truth: None, known: vec![None; self.parts.len()] };
        let mut seen: FxHashSet<Duties> = rest.iter().cloned().collect();
        let mut todo: Vec<Duties> = rest.iter().cloned().collect();
        while let Some(duties) = todo.pop() {
            if may_end(&duties) {
                return true;
            }
            for next in unfolding.all(&duties) {
                // What must be so of the present moment can be, unless it contradicts itself.
                let later: Duties = next.into_iter().filter(|d| matches!(d, Duty::From { .. })).collect();
                if seen.insert(later.clone()) {
                    todo.push(later);
                }
            }
        }
        false
    }
}

fn may_end(duties: &Duties) -> bool {
    !duties.iter().any(|duty| matches!(duty, Duty::From { demanded: true, .. }))
}

/// Makes parts of a formula.
struct Making {
    atoms: Vec<Atom>,
    parts: Vec<Part>,
    known: FxHashMap<Part, u32>,
}

impl Making {
    fn number(&mut self, part: Part) -> u32 {
        let Self { parts, known, .. } = self;
        *known.entry(part).or_insert_with_key(|part| {
            parts.push(part.clone());
            parts.len() as u32 - 1
        })
    }

    fn each(&mut self, formulas: &[Formula], sense: bool) -> Vec<u32> {
        formulas.iter().map(|f| self.part(f, sense)).collect()
    }

    /// The part that says that the formula is true, or that it is false.
    fn part(&mut self, formula: &Formula, sense: bool) -> u32 {
        let part = match formula {
            Logic::Const(b) => Part::Const(*b == sense),
            Logic::Atom(Atom::Temporal(t)) => return self.temporal(t, sense),
            Logic::Atom(atom) => {
                let number = self.atoms.iter().position(|known| known == atom).unwrap_or_else(|| {
                    self.atoms.push(atom.clone());
                    self.atoms.len() - 1
                });
                Part::Literal(number as u32, sense)
            }
            Logic::Not(f) => return self.part(f, !sense),
            Logic::And(fs) if sense => Part::And(self.each(fs, true)),
            Logic::And(fs) => Part::Or(self.each(fs, false)),
            Logic::Or(fs) if sense => Part::Or(self.each(fs, true)),
            Logic::Or(fs) => Part::And(self.each(fs, false)),
            Logic::Implies(fs) => {
                // To the right: a -> b -> c is false if a and b are true and c is false.
                let Some((last, before)) = fs.split_last() else { return self.number(Part::Const(sense)) };
                let mut parts = self.each(before, !sense);
                parts.push(self.part(last, sense));
                if sense { Part::Or(parts) } else { Part::And(parts) }
            }
            Logic::Iff(fs) => return self.equivalence(fs, sense),
        };
        self.number(part)
    }

    fn equivalence(&mut self, fs: &[Formula], sense: bool) -> u32 {
        let Some((first, others)) = fs.split_first() else { return self.number(Part::Const(sense)) };
        let mut left = [false, true].map(|sense| self.part(first, sense));
        for f in others {
            let right = [false, true].map(|sense| self.part(f, sense));
            left = [false, true].map(|sense| {
                let pairs = [(left[1], right[usize::from(sense)]), (left[0], right[usize::from(!sense)])];
                let both = pairs.map(|(a, b)| self.number(Part::And(vec![a, b])));
                self.number(Part::Or(both.to_vec()))
            });
        }
        left[usize::from(sense)]
    }

    fn temporal(&mut self, t: &Temporal, sense: bool) -> u32 {
        let part = match (t, sense) {
            (Temporal::Always(f), true) | (Temporal::Eventually(f), false) => {
                let never = self.number(Part::Const(false));
                Part::Unless(self.part(f, sense), never)
            }
            (Temporal::Eventually(f), true) | (Temporal::Always(f), false) => {
                let always = self.number(Part::Const(true));
                Part::Until(always, self.part(f, sense))
            }
            (Temporal::Next(f), _) => Part::Next(self.part(f, sense), sense),
            (Temporal::Until(f, g), true) => Part::Until(self.part(f, true), self.part(g, true)),
            (Temporal::Unless(f, g), true) => Part::Unless(self.part(f, true), self.part(g, true)),
            // Whichever comes first, u does not, up to where t does not either; for `unless` that must come.
            (Temporal::Until(f, g) | Temporal::Unless(f, g), false) => {
                let (not_f, not_g) = (self.part(f, false), self.part(g, false));
                let neither = self.number(Part::And(vec![not_f, not_g]));
                match t {
                    Temporal::Until(..) => Part::Unless(not_g, neither),
                    _ => Part::Until(not_g, neither),
                }
            }
        };
        self.number(part)
    }
}

/// Parts of a formula at the present moment.
struct Unfolding<'r> {
    run: &'r Run,
    /// Which atoms are true; if nothing is known, that is left too.
    truth: Option<&'r [bool]>,
    known: Vec<Option<Rest>>,
}

impl Unfolding<'_> {
    /// What is left of duties now that the next moment has come.
    fn all(&mut self, duties: &Duties) -> Rest {
        let each = duties.iter().map(|duty| match duty {
            Duty::From { part, .. } => self.part(*part),
            Duty::Now(..) => certain(),
        });
        let each: Vec<Rest> = each.collect();
        all(each)
    }

    fn part(&mut self, number: u32) -> Rest {
        if let Some(known) = &self.known[number as usize] {
            return known.clone();
        }
        let run = self.run;
        let again = |demanded| Rest::from([Duties::from([Duty::From { part: number, demanded }])]);
        let rest = match &run.parts[number as usize] {
            Part::Const(b) => {
                if *b {
                    certain()
                } else {
                    Rest::new()
                }
            }
            Part::Literal(atom, sense) => match self.truth {
                Some(truth) if truth[*atom as usize] == *sense => certain(),
                Some(_) => Rest::new(),
                None => Rest::from([Duties::from([Duty::Now(*atom, *sense)])]),
            },
            Part::And(parts) => all(parts.iter().map(|&p| self.part(p)).collect::<Vec<_>>()),
            Part::Or(parts) => any(parts.iter().map(|&p| self.part(p)).collect::<Vec<_>>()),
            &Part::Next(part, demanded) => Rest::from([Duties::from([Duty::From { part, demanded }])]),
            &Part::Until(t, u) => any([self.part(u), all([self.part(t), again(true)])]),
            &Part::Unless(t, u) => any([self.part(u), all([self.part(t), again(false)])]),
        };
        self.known[number as usize] = Some(rest.clone());
        rest
    }
}

/// Nothing is left.
fn certain() -> Rest {
    Rest::from([Duties::new()])
}

/// One of each.
fn all(each: impl IntoIterator<Item = Rest>) -> Rest {
    let mut joined = certain();
    for rest in each {
        let pairs = joined.iter().flat_map(|a| rest.iter().map(move |b| a | b));
        joined = least(pairs.filter_map(consistent).collect());
    }
    joined
}

/// Any of all.
fn any(each: impl IntoIterator<Item = Rest>) -> Rest {
    least(each.into_iter().flatten().collect())
}

/// Without what follows from the rest; `None` if an atom would have to be true and false.
fn consistent(mut duties: Duties) -> Option<Duties> {
    let contradicts =
        |duty: &Duty| matches!(duty, Duty::Now(atom, true) if duties.contains(&Duty::Now(*atom, false)));
    if duties.iter().any(contradicts) {
        return None;
    }
    let doubled: Vec<Duty> =
        duties.iter().filter(|&&duty| weakened(duty).is_some_and(|d| duties.contains(&d))).copied().collect();
    for duty in doubled {
        duties.extend([duty]);
        if let Some(weak) = weakened(duty) {
            duties.remove(&weak);
        }
    }
    Some(duties)
}

/// A duty that follows from this one.
fn weakened(duty: Duty) -> Option<Duty> {
    match duty {
        Duty::From { part, demanded: true } => Some(Duty::From { part, demanded: false }),
        _ => None,
    }
}

/// Without duties that ask for all that others ask for.
fn least(rest: Rest) -> Rest {
    let asks_for = |a: &Duties, duty: &Duty| {
        let stronger = match *duty {
            Duty::From { part, demanded: false } => Some(Duty::From { part, demanded: true }),
            _ => None,
        };
        a.contains(duty) || stronger.is_some_and(|stronger| a.contains(&stronger))
    };
    let asks_all = |a: &Duties, b: &Duties| b.iter().all(|duty| asks_for(a, duty));
    rest.iter().filter(|a| !rest.iter().any(|b| b != *a && asks_all(a, b))).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the formula holds of the moments from `at` on, by the definition.
    fn holds(f: &Formula, moments: &[Vec<bool>], at: usize, atoms: &[Atom]) -> bool {
        f.evaluate(&|atom| match atom {
            Atom::Temporal(t) => match &**t {
                Temporal::Always(f) => (at..moments.len()).all(|j| holds(f, moments, j, atoms)),
                Temporal::Eventually(f) => (at..moments.len()).any(|j| holds(f, moments, j, atoms)),
                Temporal::Next(f) => at + 1 < moments.len() && holds(f, moments, at + 1, atoms),
                Temporal::Until(f, g) => until(f, g, moments, at, atoms),
                Temporal::Unless(f, g) => {
                    until(f, g, moments, at, atoms)
                        || (at..moments.len()).all(|j| holds(f, moments, j, atoms))
                }
            },
            atom => moments[at][atoms.iter().position(|a| a == atom).expect("an atom of the formula")],
        })
    }

    fn until(f: &Formula, g: &Formula, moments: &[Vec<bool>], at: usize, atoms: &[Atom]) -> bool {
        (at..moments.len())
            .any(|j| holds(g, moments, j, atoms) && (at..j).all(|k| holds(f, moments, k, atoms)))
    }

    #[test]
    fn followed_runs_are_what_the_definition_says() {
        for text in [
            "always knows(a)",
            "eventually knows(a)",
            "next next knows(a)",
            "!next knows(a)",
            "knows(a) until knows(b)",
            "!(knows(a) until knows(b))",
            "knows(a) unless knows(b)",
            "!(knows(a) unless knows(b)) | always next true",
            "always (knows(a) -> next knows(a))",
            "always eventually knows(a) & eventually always knows(b)",
            "eventually (knows(a) & !knows(a))",
            "(knows(a) <-> eventually knows(b)) <-> next knows(a)",
            "always (knows(a) -> eventually knows(b)) -> knows(b) -> next true",
            "always ((knows(a) until knows(b)) unless next !knows(a))",
            "next true until !next true",
        ] {
            let f: Formula = text.parse().expect("a formula");
            let run = Run::new(&f);
            let n = run.atoms().len();
            let moment = |bits: u32| (0..n).map(|i| bits >> i & 1 == 1).collect::<Vec<bool>>();
            // Every sequence of up to five moments, as a tree.
            let mut todo = vec![(Vec::new(), run.start())];
            while let Some((moments, rest)) = todo.pop() {
                for bits in 0..1 << n {
                    let longer = [&moments[..], &[moment(bits)]].concat();
                    let rest = run.advance(&rest, &moment(bits));
                    let truth = holds(&f, &longer, 0, run.atoms());
                    assert_eq!(Run::may_end(&rest), truth, "{text} of {longer:?}");
                    assert!(!truth || run.can_be_mended(&rest), "{text} of {longer:?}");
                    // What cannot be mended is not mended by two more moments, and what can be is by some three, in these formulas.
                    let mended = extended(&f, &longer, 3, n, run.atoms());
                    assert_eq!(run.can_be_mended(&rest), mended, "{text} after {longer:?}");
                    if longer.len() < 3 {
                        todo.push((longer, rest));
                    }
                }
            }
        }
    }

    fn extended(f: &Formula, moments: &[Vec<bool>], more: usize, n: usize, atoms: &[Atom]) -> bool {
        holds(f, moments, 0, atoms)
            || more > 0
                && (0..1_u32 << n).any(|bits| {
                    let next = (0..n).map(|i| bits >> i & 1 == 1).collect::<Vec<bool>>();
                    extended(f, &[moments, &[next]].concat(), more - 1, n, atoms)
                })
    }
}
