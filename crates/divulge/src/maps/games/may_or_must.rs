//! What stipulations tell between two beliefs: what may hold and what must.
//!
//! *Background.* An observer's belief that lies between two may keep the stipulations if some set between them keeps all of them at
//! once, and must keep them if each clause holds by a literal whose truth is the same all the way. That some set does is a question
//! of its own, small as a rule: members count only by the masks they meet, so sets of *kinds* of members are tried, literal by
//! literal; where that takes too long, the answer is that they may hold.

use rustc_hash::FxHashMap;

use crate::{
    formula::Clause,
    maps::games::beliefs::Beliefs,
    problem::{Scope, Vertex},
    sets::{SetId, bits::ones},
};

/// Two beliefs between which the observer's lies.
pub type Between = (SetId, SetId);

/// How many choices are tried for a set that keeps all stipulations.
const MOST_TRIED: u32 = 200;

/// What is known of some stipulations between two beliefs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    /// Whether some set between the beliefs may keep them.
    pub may: bool,
    /// Whether every set between them does.
    pub must: bool,
}

/// When stipulations are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// Anywhere: those with the scope `always`.
    Anywhere,
    /// Where the plan may stop: all of them.
    End,
}

impl When {
    fn includes(self, scope: Scope) -> bool {
        self == When::End || scope == Scope::Always
    }
}

/// What the stipulations tell between two beliefs, found once.
#[derive(Debug, Default)]
pub struct MayOrMust {
    known: FxHashMap<Between, [Holds; 2]>,
    kinds: Option<Kinds>,
}

impl MayOrMust {
    /// What is known of the stipulations that count anywhere, and of those that count where the plan may stop.
    pub fn holds(&mut self, beliefs: &mut Beliefs<'_>, between: Between) -> [Holds; 2] {
        if between.0 == between.1 {
            let course = beliefs.course(between.0);
            let both = [course.is_kept(), course.is_kept() && course.may_end()];
            return both.map(|holds| Holds { may: holds, must: holds });
        }
        let kinds = self.kinds.get_or_insert_with(|| Kinds::new(beliefs));
        let judge = || {
            let ends = [beliefs.signature(between.0), beliefs.signature(between.1)];
            [When::Anywhere, When::End].map(|moment| judge(beliefs, kinds, between.1, &ends, moment))
        };
        *self.known.entry(between).or_insert_with(judge)
    }
}

fn meets(signature: &[u64], mask: u32) -> bool {
    signature[mask as usize / 64] >> (mask % 64) & 1 == 1
}

fn judge(
    beliefs: &Beliefs<'_>,
    kinds: &Kinds,
    upper: SetId,
    [certain, possible]: &[Box<[u64]>; 2],
    moment: When,
) -> Holds {
    let mut holds = Holds { may: true, must: true };
    let mut clauses: Vec<&Clause> = Vec::new();
    for stipulation in beliefs.stipulations().all().iter().filter(|s| moment.includes(s.scope)) {
        let Some(more) = stipulation.clauses() else {
            holds.must = false;
            continue;
        };
        for clause in more {
            let either = |some: &[u64], none: &[u64]| {
                clause.positive.iter().any(|&m| meets(some, m))
                    || clause.negative.iter().any(|&m| !meets(none, m))
            };
            if either(certain, possible) {
                continue;
            }
            holds.must = false;
            holds.may &= either(possible, certain);
            clauses.push(clause);
        }
    }
    let at_an_end = |end: &[u64]| clauses.iter().all(|c| c.holds(end));
    if holds.may && !at_an_end(certain) && !at_an_end(possible) {
        let mut choice =
            Trial { clauses: &clauses, kinds, among: kinds.of(beliefs.members(upper)), tried: 0 };
        holds.may = choice.exists(certain, &vec![0; certain.len()], 0);
    }
    holds
}

/// Members by the masks they meet.
#[derive(Debug)]
struct Kinds {
    of_member: Vec<u32>,
    signatures: Vec<Vec<u64>>,
}

impl Kinds {
    fn new(beliefs: &Beliefs<'_>) -> Self {
        let tracked = beliefs.tracked();
        let (mut number, mut signatures) = (FxHashMap::default(), Vec::new());
        let of_member = (0..tracked.graph.len() as u32).map(|v| {
            let signature = beliefs.stipulations().signature_of(tracked.world_vertices(Vertex(v)));
            *number.entry(signature).or_insert_with_key(|signature| {
                signatures.push(signature.clone());
                signatures.len() as u32 - 1
            })
        });
        Self { of_member: of_member.collect(), signatures }
    }

    /// The kinds of some members, ascending.
    fn of(&self, members: &[u32]) -> Vec<u32> {
        let mut kinds = vec![0_u64; self.signatures.len().div_ceil(64)];
        for kind in members.iter().map(|&v| self.of_member[v as usize]) {
            kinds[kind as usize / 64] |= 1 << (kind % 64);
        }
        let words = (0_u32..).zip(&kinds);
        words.flat_map(|(i, &word)| ones(word).map(move |bit| i * 64 + bit as u32)).collect()
    }
}

/// The choice of a set that keeps some clauses.
struct Trial<'a> {
    clauses: &'a [&'a Clause],
    kinds: &'a Kinds,
    /// The kinds that may be in the set.
    among: Vec<u32>,
    tried: u32,
}

impl Trial<'_> {
    /// Whether members can be added to a set that meets the masks in `met`, none of which meets a mask in `shut`, so that the clauses
    /// from the given one on hold. Every choice counts, so this is no deeper than the number of choices allowed.
    fn exists(&mut self, met: &[u64], shut: &[u64], from: usize) -> bool {
        self.tried += 1;
        if self.tried > MOST_TRIED {
            return true;
        }
        let settled = |c: &Clause| {
            c.positive.iter().any(|&m| meets(met, m)) || c.negative.iter().any(|&m| meets(shut, m))
        };
        let Some(at) = (from..self.clauses.len()).find(|&i| !settled(self.clauses[i])) else { return true };
        let clause = self.clauses[at];
        for &mask in clause.negative.iter().filter(|&&m| !meets(met, m)) {
            let mut shut = shut.to_vec();
            shut[mask as usize / 64] |= 1 << (mask % 64);
            if self.exists(met, &shut, at + 1) {
                return true;
            }
        }
        for &mask in &clause.positive {
            for i in 0..self.among.len() {
                let kind = &self.kinds.signatures[self.among[i] as usize];
                if !meets(kind, mask) || kind.iter().zip(shut).any(|(a, b)| a & b != 0) {
                    continue;
                }
                let more: Vec<u64> = met.iter().zip(kind).map(|(a, b)| a | b).collect();
                if self.exists(&more, shut, at + 1) {
                    return true;
                }
            }
        }
        false
    }
}
