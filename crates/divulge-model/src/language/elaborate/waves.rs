//! What states lead to, found by several threads: pure, so whoever finds it finds the same.
//!
//! *Background.* States are numbered as they are mentioned, state by state. A round takes some states that are numbered and not yet looked at, and gives each thread a piece of
//! them. Whatever was known when the round began is named by its number, the others by their place among those mentioned in the piece; these are numbered after the
//! round, piece by piece, and the arcs to them get their numbers in the next one. So numbers do not depend on the pieces.

use super::super::term::Fault;
use super::rules::{Assign, Line, Offer, Rules};
use super::states::{Codec, States, code};
use divulge::problem::{Arc, Kind, Label, Vertex};
use std::ops::Range;

/// Set where an arc leads to a state that was not known when the round began.
const FRESH: u32 = 1 << 31;

/// A state in which an expression has no value, or a variable would leave its range.
pub(super) struct Trouble;

impl From<Fault> for Trouble {
    fn from(_: Fault) -> Self {
        Trouble
    }
}

/// What some states lead to.
#[derive(Default)]
pub(super) struct Piece {
    /// The states.
    pub states: Range<usize>,
    /// Where the arcs of each of them end.
    pub ends: Vec<u32>,
    pub arcs: Vec<Arc>,
    /// States that were not known, as they are mentioned.
    pub fresh: Vec<u128>,
    /// Their numbers, when they have them.
    pub numbers: Vec<u32>,
    /// Whether something is wrong with what these states lead to.
    pub trouble: bool,
}

impl Piece {
    /// Starts again with other states.
    pub fn begin(&mut self, states: Range<usize>) {
        self.states = states;
        self.ends.clear();
        self.arcs.clear();
        self.fresh.clear();
        self.numbers.clear();
    }

    /// Gives arcs the numbers of what they lead to, and puts those of each state in order, each once.
    pub fn settle(&mut self) {
        let (mut start, mut kept) = (0, 0);
        for end in &mut self.ends {
            let own = start as usize..*end as usize;
            start = *end;
            let first = kept;
            for arc in &mut self.arcs[own.clone()] {
                if arc.to.0 & FRESH != 0 {
                    arc.to = Vertex(self.numbers[(arc.to.0 & !FRESH) as usize]);
                }
            }
            self.arcs[own.clone()].sort_unstable();
            for i in own {
                if kept == first || self.arcs[kept - 1] != self.arcs[i] {
                    self.arcs[kept] = self.arcs[i];
                    kept += 1;
                }
            }
            *end = kept as u32;
        }
        self.arcs.truncate(kept);
    }

    /// Finds out what the states lead to.
    pub fn fill(&mut self, rules: &Rules, codec: &Codec, states: &States) {
        let mut state = vec![0; rules.values.len()];
        for v in self.states.clone() {
            let key = states.key(v);
            codec.decode(key, &mut state);
            let from = Here { kind: states.kind(v), key, state: &state };
            let found = match from.kind {
                Kind::Action => self.act(&from, rules, codec, states),
                Kind::Observation => self.observe(&from, rules, codec, states),
            };
            if found.is_err() || self.arcs.len() >= FRESH as usize {
                self.trouble = true;
                return;
            }
            self.ends.push(self.arcs.len() as u32);
        }
    }

    fn act(&mut self, from: &Here<'_>, rules: &Rules, codec: &Codec, states: &States) -> Result<(), Trouble> {
        for action in &rules.actions {
            if action.guard.holds(from.state)? {
                self.outcomes(from, action.label, &action.outcomes, codec, states)?;
            }
        }
        Ok(())
    }

    fn observe(
        &mut self,
        from: &Here<'_>,
        rules: &Rules,
        codec: &Codec,
        states: &States,
    ) -> Result<(), Trouble> {
        let mut some = false;
        for line in &rules.lines {
            if line.guard.holds(from.state)? {
                some = true;
                self.line(from, line, codec, states)?;
            }
        }
        let otherwise = if some { &[][..] } else { &rules.otherwise };
        otherwise.iter().try_for_each(|line| self.line(from, line, codec, states))
    }

    fn line(&mut self, from: &Here<'_>, line: &Line, codec: &Codec, states: &States) -> Result<(), Trouble> {
        match &line.offer {
            Offer::Any(labels) => {
                labels.iter().try_for_each(|&label| self.outcomes(from, label, &line.outcomes, codec, states))
            }
            Offer::By(term, table) => {
                let value = term.eval(from.state)?;
                let label = table.iter().find(|(v, _)| *v == value).map(|&(_, label)| label);
                label.map_or(Ok(()), |label| self.outcomes(from, label, &line.outcomes, codec, states))
            }
            Offer::Shown(variables, table) => {
                let values: Vec<i64> = variables.iter().map(|&v| from.state[v]).collect();
                let label = table.get(&values).copied();
                label.map_or(Ok(()), |label| self.outcomes(from, label, &line.outcomes, codec, states))
            }
        }
    }

    fn outcomes(
        &mut self,
        from: &Here<'_>,
        label: Label,
        outcomes: &[Vec<Assign>],
        codec: &Codec,
        states: &States,
    ) -> Result<(), Trouble> {
        let kind = from.kind.other();
        for outcome in outcomes {
            let mut key = from.key;
            // No variable is assigned twice.
            for assign in outcome {
                let value = assign.value.eval(from.state)?;
                if !codec.contains(assign.variable, value) {
                    return Err(Trouble);
                }
                key = codec.instead(key, assign.variable, from.state[assign.variable], value);
            }
            let code = code(kind, key);
            let to = states.find(code).unwrap_or_else(|| {
                self.fresh.push(code);
                FRESH | (self.fresh.len() as u32 - 1)
            });
            self.arcs.push(Arc { label, to: Vertex(to) });
        }
        Ok(())
    }
}

/// A state that is looked at.
struct Here<'s> {
    kind: Kind,
    key: u128,
    state: &'s [i64],
}
