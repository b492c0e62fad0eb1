//! The paper's clausal form, and the dual-Horn test.

use super::{
    Predicate,
    compile::{Node, bit},
};

/// A disjunction of literals over masks: "the estimate meets this mask", or "it does not".
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Clause {
    /// Masks of which meeting any satisfies the clause; ascending.
    pub positive: Vec<u32>,
    /// Masks of which missing any satisfies the clause; ascending.
    pub negative: Vec<u32>,
}

impl Clause {
    /// Whether an estimate with this signature satisfies the clause.
    pub fn holds(&self, signature: &[u64]) -> bool {
        self.positive.iter().any(|&m| bit(signature, m)) || self.negative.iter().any(|&m| !bit(signature, m))
    }

    /// Whether at most one literal is negative. Sets of estimates kept by such clauses alone are closed under union.
    pub fn is_dual_horn(&self) -> bool {
        self.negative.len() <= 1
    }

    fn is_tautology(&self) -> bool {
        self.positive.iter().any(|m| self.negative.binary_search(m).is_ok())
    }

    fn union(&self, other: &Self) -> Self {
        Self {
            positive: merge(&self.positive, &other.positive),
            negative: merge(&self.negative, &other.negative),
        }
    }

    fn includes(&self, other: &Self) -> bool {
        let all = |a: &[u32], b: &[u32]| b.iter().all(|m| a.binary_search(m).is_ok());
        all(&self.positive, &other.positive) && all(&self.negative, &other.negative)
    }
}

/// A clause with the predicates themselves in place of the numbers of their masks: "the estimate meets this", or "it does not".
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PlainClause {
    /// Predicates of which meeting any satisfies the clause.
    pub positive: Vec<Predicate>,
    /// Predicates of which missing any satisfies the clause.
    pub negative: Vec<Predicate>,
}

impl PlainClause {
    pub(crate) fn new(clause: &Clause, masks: &[Predicate]) -> Self {
        let plain = |all: &[u32]| all.iter().map(|&mask| masks[mask as usize].clone()).collect();
        Self { positive: plain(&clause.positive), negative: plain(&clause.negative) }
    }
}

fn merge(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Give up the clausal form beyond this many clauses: equivalences can make it exponential.
const MAX_CLAUSES: usize = 2_000;

/// The clauses of a compiled formula, none of them implied by another or always true; `None` if there are too many.
pub(crate) fn clauses(nodes: &[Node]) -> Option<Vec<Clause>> {
    let root = nodes.len() - 1;
    let mut wanted = vec![[false; 2]; nodes.len()];
    wanted[root][1] = true;
    for i in (0..nodes.len()).rev() {
        for sense in [false, true] {
            if wanted[i][usize::from(sense)] {
                for (child, senses) in operands(&nodes[i], sense) {
                    for s in senses {
                        wanted[child as usize][usize::from(*s)] = true;
                    }
                }
            }
        }
    }
    let mut form: Vec<[Vec<Clause>; 2]> = Vec::with_capacity(nodes.len());
    for (i, node) in nodes.iter().enumerate() {
        let mut both = [Vec::new(), Vec::new()];
        for sense in [false, true] {
            if wanted[i][usize::from(sense)] {
                both[usize::from(sense)] = one(node, sense, &form)?;
            }
        }
        form.push(both);
    }
    Some(std::mem::take(&mut form[root][1]))
}

/// The operands of a node whose clauses are needed for its own in this sense, and in which senses.
fn operands(node: &Node, sense: bool) -> Vec<(u32, &'static [bool])> {
    let same: &'static [bool] = if sense { &[true] } else { &[false] };
    let opposite: &'static [bool] = if sense { &[false] } else { &[true] };
    match node {
        Node::Const(_) | Node::Meets(_) => Vec::new(),
        Node::Not(i) => vec![(*i, opposite)],
        Node::And(all) | Node::Or(all) => all.iter().map(|&i| (i, same)).collect(),
        Node::Implies(a, b) => vec![(*a, opposite), (*b, same)],
        Node::Iff(a, b) => vec![(*a, &[false, true]), (*b, &[false, true])],
    }
}

fn one(node: &Node, sense: bool, form: &[[Vec<Clause>; 2]]) -> Option<Vec<Clause>> {
    let of = |i: u32, sense: bool| form[i as usize][usize::from(sense)].as_slice();
    let both = |parts: Vec<&[Clause]>| reduce(parts.concat());
    Some(match node {
        Node::Const(b) => {
            if *b == sense {
                Vec::new()
            } else {
                vec![Clause::default()]
            }
        }
        Node::Meets(m) if sense => vec![Clause { positive: vec![*m], negative: Vec::new() }],
        Node::Meets(m) => vec![Clause { positive: Vec::new(), negative: vec![*m] }],
        Node::Not(i) => of(*i, !sense).to_vec(),
        Node::And(parts) | Node::Or(parts) => {
            let parts = parts.iter().map(|&i| of(i, sense)).collect();
            if matches!(node, Node::And(_)) == sense { both(parts)? } else { either(parts)? }
        }
        Node::Implies(a, b) if sense => either(vec![of(*a, false), of(*b, true)])?,
        Node::Implies(a, b) => both(vec![of(*a, true), of(*b, false)])?,
        Node::Iff(a, b) => {
            let one_way = either(vec![of(*a, !sense), of(*b, true)])?;
            let other_way = either(vec![of(*a, sense), of(*b, false)])?;
            both(vec![&one_way, &other_way])?
        }
    })
}

/// Clauses of a disjunction: one from each part, joined.
fn either(parts: Vec<&[Clause]>) -> Option<Vec<Clause>> {
    let mut joined = vec![Clause::default()];
    for part in parts {
        if joined.len().checked_mul(part.len())? > 20 * MAX_CLAUSES {
            return None;
        }
        joined = reduce(joined.iter().flat_map(|a| part.iter().map(move |b| a.union(b))).collect())?;
    }
    Some(joined)
}

/// Without tautologies and clauses that others imply; sorted.
fn reduce(mut all: Vec<Clause>) -> Option<Vec<Clause>> {
    all.retain(|c| !c.is_tautology());
    all.sort_by_cached_key(|c| (c.positive.len() + c.negative.len(), c.clone()));
    all.dedup();
    if all.len() > 20 * MAX_CLAUSES {
        return None;
    }
    let mut kept: Vec<Clause> = Vec::new();
    for c in all {
        if !kept.iter().any(|k| c.includes(k)) {
            kept.push(c);
        }
        if kept.len() > MAX_CLAUSES {
            return None;
        }
    }
    Some(kept)
}

/// Given the truth of every node, a clause implied by the root that is false, or `None` if the root is true.
///
/// Walks the formula once: a false conjunction has a false operand, whose clause will do; a false disjunction's clause
/// joins those of all operands.
pub(crate) fn violated_clause(nodes: &[Node], truth: &[bool]) -> Option<Clause> {
    let root = nodes.len() - 1;
    if truth[root] {
        return None;
    }
    let mut clause = Clause::default();
    let mut seen = vec![false; nodes.len()];
    let mut todo = vec![root as u32];
    while let Some(i) = todo.pop() {
        if std::mem::replace(&mut seen[i as usize], true) {
            continue;
        }
        // Each node on the list has a wrong value: it must change for the root to become true.
        let is = truth[i as usize];
        match &nodes[i as usize] {
            Node::Const(_) => {}
            Node::Meets(m) if is => clause.negative.push(*m),
            Node::Meets(m) => clause.positive.push(*m),
            Node::Not(j) => todo.push(*j),
            Node::And(parts) if is => todo.extend(parts),
            Node::And(parts) => todo.extend(parts.iter().find(|&&j| !truth[j as usize])),
            Node::Or(parts) if is => todo.extend(parts.iter().find(|&&j| truth[j as usize])),
            Node::Or(parts) => todo.extend(parts),
            Node::Implies(a, b) if is => todo.push(if truth[*b as usize] { *b } else { *a }),
            Node::Implies(a, b) | Node::Iff(a, b) => todo.extend([*a, *b]),
        }
    }
    clause.positive.sort_unstable();
    clause.negative.sort_unstable();
    clause.positive.dedup();
    clause.negative.dedup();
    Some(clause)
}
