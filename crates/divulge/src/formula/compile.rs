//! Stipulations ready to be evaluated on estimates.
//!
//! *Background.* Every atom says whether the estimate meets some set of world vertices, a *mask*: `possible(p)` and `state(v)`
//! directly, `knows(p)` as the negation of meeting the vertices without p. So all that matters of an estimate is which masks
//! it meets: its *signature*, one bit for each mask, the union of its vertices' signatures.
//!
//! *Practical.* [`Stipulations::signature`] gives a vertex's bits; or them together over the estimate, then ask
//! [`Stipulations::hold`]. Nothing is allocated.

use rustc_hash::FxHashMap;

use crate::{
    formula::{
        Atom, Due, Formula, FormulaError, Logic, Predicate, Run, Span, Temporal, Test,
        clause::{Clause, PlainClause, clauses, violated_clause},
        resolve,
    },
    problem::{Scope, Stipulation, Vertex, World},
    sets::BitSet,
};

/// More masks than this are refused: the table of signatures would not fit in memory.
const MAX_MASKS: usize = 16_384;

/// A run that branches more than this is refused: what is left of it would not be found within any limit.
const MOST_WAYS: u64 = 4_096;

/// A node of a compiled formula; operands come before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A constant.
    Const(bool),
    /// Whether the estimate meets the mask.
    Meets(u32),
    /// Negation.
    Not(u32),
    /// Conjunction.
    And(Vec<u32>),
    /// Disjunction.
    Or(Vec<u32>),
    /// Implication of two.
    Implies(u32, u32),
    /// Equivalence of two.
    Iff(u32, u32),
}

/// One compiled stipulation.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Its name.
    pub name: String,
    /// When it must hold.
    pub scope: Scope,
    pub(crate) nodes: Vec<Node>,
    clauses: Option<Vec<Clause>>,
    run: Option<CompiledRun>,
}

/// A formula over the moments of a run, with its atoms compiled.
#[derive(Clone, Debug)]
struct CompiledRun {
    run: Run,
    atoms: Vec<Vec<Node>>,
}

impl Compiled {
    /// The paper's clausal form, unless it is very much longer than the formula.
    pub fn clauses(&self) -> Option<&[Clause]> {
        self.clauses.as_deref()
    }

    /// The masks that it speaks of, ascending.
    pub(crate) fn masks(&self) -> Vec<u32> {
        let meets = |node: &Node| if let Node::Meets(mask) = node { Some(*mask) } else { None };
        let mut all: Vec<u32> = self.nodes.iter().filter_map(meets).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The masks that it speaks of as a run.
    pub(crate) fn run_masks(&self) -> Vec<u32> {
        let meets = |node: &Node| if let Node::Meets(mask) = node { Some(*mask) } else { None };
        self.run.iter().flat_map(|run| &run.atoms).flatten().filter_map(meets).collect()
    }

    /// The formula over the moments of a run, if it is one.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref().map(|compiled| &compiled.run)
    }

    /// Which atoms of the run hold of an estimate with this signature.
    pub fn run_atoms(&self, signature: &[u64]) -> Option<Vec<bool>> {
        let compiled = self.run.as_ref()?;
        Some(compiled.atoms.iter().map(|nodes| truth(nodes, signature)[nodes.len() - 1]).collect())
    }

    /// What is asked for, and when, as far as a single estimate tells; a run is asked for otherwise.
    pub(crate) fn demand(&self) -> Option<Due> {
        match self.scope {
            Scope::Always | Scope::Hindsight { .. } => Some(Due::Throughout),
            Scope::End => Some(Due::AtEnd),
            Scope::Run => None,
        }
    }

    /// Whether the stipulation holds of an estimate with this signature. A run, which speaks of more than one, does.
    pub fn holds(&self, signature: &[u64]) -> bool {
        match &self.clauses {
            Some(clauses) => clauses.iter().all(|c| c.holds(signature)),
            None => truth(&self.nodes, signature)[self.nodes.len() - 1],
        }
    }

    /// For a signature that breaks the stipulation: a clause that the formula implies and that the signature breaks.
    pub fn broken_clause(&self, signature: &[u64]) -> Option<Clause> {
        match &self.clauses {
            Some(clauses) => clauses.iter().find(|c| !c.holds(signature)).cloned(),
            None => violated_clause(&self.nodes, &truth(&self.nodes, signature)),
        }
    }
}

/// The truth of every node for an estimate with this signature.
fn truth(nodes: &[Node], signature: &[u64]) -> Vec<bool> {
    let mut truth: Vec<bool> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let of = |i: &u32| truth[*i as usize];
        let value = match node {
            Node::Const(b) => *b,
            Node::Meets(m) => bit(signature, *m),
            Node::Not(i) => !of(i),
            Node::And(all) => all.iter().all(of),
            Node::Or(any) => any.iter().any(of),
            Node::Implies(a, b) => !of(a) || of(b),
            Node::Iff(a, b) => of(a) == of(b),
        };
        truth.push(value);
    }
    truth
}

pub(crate) fn bit(signature: &[u64], mask: u32) -> bool {
    signature[mask as usize / 64] >> (mask % 64) & 1 == 1
}

/// All stipulations of an observer, compiled against its world.
#[derive(Clone, Debug, Default)]
pub struct Stipulations {
    words: usize,
    class_of: Vec<u32>,
    table: Vec<u64>,
    masks: Vec<Predicate>,
    sides: Vec<Side>,
    all: Vec<Compiled>,
}

/// A mask by the smaller of its two sides, so that "all but this one" takes no more room than "this one".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    /// Whether the vertices listed are those that are *not* in the mask.
    pub outside: bool,
    /// The vertices, ascending.
    pub vertices: Vec<u32>,
}

impl Side {
    fn of(mask: &BitSet, n: usize) -> Self {
        let outside = mask.count() * 2 > n;
        let vertices = if outside { members(&mask.complement()) } else { members(mask) };
        Self { outside, vertices }
    }
}

impl Stipulations {
    /// Compiles them.
    ///
    /// # Errors
    /// If one names a vertex or property that the world lacks (its index comes with the error), or if there are too many
    /// different predicates.
    pub fn compile(world: &World, stipulations: &[Stipulation]) -> Result<Self, (usize, FormulaError)> {
        let mut masks = Masks { world, index: FxHashMap::default(), all: Vec::new(), predicates: Vec::new() };
        let mut all = Vec::with_capacity(stipulations.len());
        for (i, s) in stipulations.iter().enumerate() {
            let (mut nodes, mut run) = (Vec::new(), None);
            if s.scope == Scope::Run {
                nodes.push(Node::Const(true));
                run = Some(masks.run(&s.formula).map_err(|e| (i, e))?);
            } else {
                masks.nodes(&s.formula, &mut nodes).map_err(|e| (i, e))?;
            }
            let clauses = clauses(&nodes);
            all.push(Compiled { name: s.name.clone(), scope: s.scope, nodes, clauses, run });
        }
        let words = masks.all.len().div_ceil(64).max(1);
        let (class_of, table) = classes(world.graph.len(), words, &masks.all);
        let (masks, sides) = (masks.predicates, masks.all);
        Ok(Self { words, class_of, table, masks, sides, all })
    }

    /// How many words a signature has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Which masks a vertex is in.
    pub fn signature(&self, v: Vertex) -> &[u64] {
        let class = self.class_of[v.index()] as usize;
        &self.table[class * self.words..][..self.words]
    }

    /// The classes of vertices with equal signatures: that of every vertex, and their signatures one after the other.
    pub fn classes(&self) -> (&[u32], &[u64]) {
        (&self.class_of, &self.table)
    }

    /// Adds a vertex to an estimate's signature.
    pub fn add(&self, signature: &mut [u64], v: Vertex) {
        for (word, bits) in signature.iter_mut().zip(self.signature(v)) {
            *word |= bits;
        }
    }

    /// The signature of a whole estimate.
    pub fn signature_of(&self, estimate: impl IntoIterator<Item = Vertex>) -> Vec<u64> {
        let mut signature = vec![0; self.words];
        for v in estimate {
            self.add(&mut signature, v);
        }
        signature
    }

    /// Whether every stipulation that is asked for then holds.
    pub fn hold(&self, demand: Due, signature: &[u64]) -> bool {
        self.all.iter().all(|s| s.demand() != Some(demand) || s.holds(signature))
    }

    /// The first stipulation that is asked for then and does not hold.
    pub fn broken(&self, demand: Due, signature: &[u64]) -> Option<usize> {
        self.all.iter().position(|s| s.demand() == Some(demand) && !s.holds(signature))
    }

    /// Whether all there is to know of a course is the present estimate: every stipulation is of scope `always` or `end`.
    pub fn are_momentary(&self) -> bool {
        self.all.iter().all(|s| matches!(s.scope, Scope::Always | Scope::End))
    }

    /// The stipulations, in their order.
    pub fn all(&self) -> &[Compiled] {
        &self.all
    }

    /// The masks, in order, each by its smaller side.
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// A clause with its predicates.
    pub fn plain(&self, clause: &Clause) -> PlainClause {
        PlainClause::new(clause, &self.masks)
    }

    /// The predicates whose vertices the masks are, in order; equal sets have one mask.
    pub fn masks(&self) -> &[Predicate] {
        &self.masks
    }
}

/// Vertices in exactly the same masks share a class, so a signature is stored once for each class. Found mask by mask: those of a
/// class that are on the listed side leave it for a new one, or all of the class is on that side.
fn classes(n: usize, words: usize, masks: &[Side]) -> (Vec<u32>, Vec<u64>) {
    let mut class_of = vec![0_u32; n];
    // Nobody is on a listed side at first.
    let mut table = vec![0; words];
    for (mask, _) in masks.iter().enumerate().filter(|(_, side)| side.outside) {
        table[mask / 64] |= 1 << (mask % 64);
    }
    let mut sizes = vec![n];
    // For each class, how many of it are on the side at hand, then where these go.
    let mut inside: Vec<usize> = vec![0];
    let mut touched: Vec<u32> = Vec::new();
    for (mask, Side { vertices, .. }) in masks.iter().enumerate() {
        for &v in vertices {
            let class = class_of[v as usize];
            if inside[class as usize] == 0 {
                touched.push(class);
            }
            inside[class as usize] += 1;
        }
        for class in touched.iter().map(|&class| class as usize) {
            let count = inside[class];
            let mut to = class;
            if count < sizes[class] {
                to = sizes.len();
                sizes[class] -= count;
                sizes.push(count);
                inside.push(0);
                table.extend_from_within(class * words..(class + 1) * words);
            }
            table[to * words + mask / 64] ^= 1 << (mask % 64);
            inside[class] = to;
        }
        for &v in vertices {
            let class = &mut class_of[v as usize];
            *class = inside[*class as usize] as u32;
        }
        touched.drain(..).for_each(|class| inside[class as usize] = 0);
    }
    (class_of, table)
}

struct Masks<'w> {
    world: &'w World,
    index: FxHashMap<Side, u32>,
    all: Vec<Side>,
    predicates: Vec<Predicate>,
}

impl Masks<'_> {
    /// Appends the nodes of `f`; the last one is its root, whose index is returned.
    fn nodes(&mut self, f: &Formula, out: &mut Vec<Node>) -> Result<u32, FormulaError> {
        let node = match f {
            Logic::Const(b) => Node::Const(*b),
            Logic::Atom(Atom::State(name, span)) => {
                let set = resolve::called(self.world, name, *span)?;
                self.meets(&set, &Logic::Atom(Test::Is(name.clone(), *span)))?
            }
            Logic::Atom(Atom::Possible(p)) => {
                let set = resolve::vertices(self.world, p)?;
                self.meets(&set, p)?
            }
            Logic::Atom(Atom::Knows(p)) => {
                let set = resolve::vertices(self.world, p)?.complement();
                let meets = self.meets(&set, &negated(p))?;
                out.push(meets);
                Node::Not(out.len() as u32 - 1)
            }
            Logic::Atom(Atom::Temporal(t)) => return Err(not_of_one_moment(t)),
            Logic::Not(f) => Node::Not(self.nodes(f, out)?),
            Logic::And(fs) => Node::And(self.each(fs, out)?),
            Logic::Or(fs) => Node::Or(self.each(fs, out)?),
            Logic::Implies(fs) => {
                let parts = self.each(fs, out)?;
                let mut parts = parts.into_iter().rev();
                let mut right = parts.next().unwrap_or_else(|| push(out, Node::Const(true)));
                for left in parts {
                    out.push(Node::Implies(left, right));
                    right = out.len() as u32 - 1;
                }
                return Ok(right);
            }
            Logic::Iff(fs) => {
                let mut parts = self.each(fs, out)?.into_iter();
                let mut left = parts.next().unwrap_or_else(|| push(out, Node::Const(true)));
                for right in parts {
                    out.push(Node::Iff(left, right));
                    left = out.len() as u32 - 1;
                }
                return Ok(left);
            }
        };
        out.push(node);
        Ok(out.len() as u32 - 1)
    }

    /// A formula over the moments of a run.
    fn run(&mut self, f: &Formula) -> Result<CompiledRun, FormulaError> {
        let run = Run::new(f);
        if run.ways() > MOST_WAYS {
            let message = format!(
                "the formula can be fulfilled in more than {MOST_WAYS} ways, too many to follow along a run"
            );
            return Err(FormulaError::new(Span::default(), message)
                .help("split what is joined by `&` into several stipulations: each is followed by itself"));
        }
        let mut atoms = Vec::with_capacity(run.atoms().len());
        for atom in run.atoms() {
            let mut nodes = Vec::new();
            self.nodes(&Logic::Atom(atom.clone()), &mut nodes)?;
            atoms.push(nodes);
        }
        Ok(CompiledRun { run, atoms })
    }

    fn each(&mut self, fs: &[Formula], out: &mut Vec<Node>) -> Result<Vec<u32>, FormulaError> {
        fs.iter().map(|f| self.nodes(f, out)).collect()
    }

    fn meets(&mut self, mask: &BitSet, predicate: &Predicate) -> Result<Node, FormulaError> {
        let side = Side::of(mask, self.world.graph.len());
        if side.vertices.is_empty() && !side.outside {
            return Ok(Node::Const(false));
        }
        if let Some(&mask) = self.index.get(&side) {
            return Ok(Node::Meets(mask));
        }
        if self.all.len() == MAX_MASKS {
            return Err(FormulaError::new(
                Default::default(),
                format!("the stipulations speak of more than {MAX_MASKS} different sets of vertices"),
            )
            .help("give the vertices a common property and speak of that"));
        }
        self.all.push(side.clone());
        self.predicates.push(predicate.clone());
        self.index.insert(side, self.all.len() as u32 - 1);
        Ok(Node::Meets(self.all.len() as u32 - 1))
    }
}

fn push(out: &mut Vec<Node>, node: Node) -> u32 {
    out.push(node);
    out.len() as u32 - 1
}

fn not_of_one_moment(t: &Temporal) -> FormulaError {
    let message = format!("`{}` speaks of several moments, and this scope of one at a time", t.word());
    FormulaError::new(Span::default(), message).help("give the stipulation the scope \"run\"")
}

fn negated(p: &Predicate) -> Predicate {
    match p {
        Logic::Not(inner) => (**inner).clone(),
        other => Logic::Not(Box::new(other.clone())),
    }
}

fn members(set: &BitSet) -> Vec<u32> {
    set.iter().map(|v| v as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Alphabet, Builder};

    #[test]
    fn connectives_without_operands_have_a_meaning() {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u"]).initial("u");
        let world = b.world().expect("a world");
        for (formula, holds) in [
            (Logic::And(Vec::new()), true),
            (Logic::Or(Vec::new()), false),
            (Logic::Implies(Vec::new()), true),
            (Logic::Iff(Vec::new()), true),
        ] {
            assert_eq!(formula.to_string(), holds.to_string());
            let mut asked = Stipulation::new("asked", Scope::Always, "true").expect("a formula");
            asked.formula = formula.clone();
            let compiled = Stipulations::compile(&world, &[asked]).expect("it fits");
            let signature = compiled.signature_of([Vertex(0)]);
            assert_eq!(compiled.hold(Due::Throughout, &signature), holds);
            let mut run = Stipulation::new("run", Scope::Run, "true").expect("a formula");
            run.formula = formula;
            assert!(Stipulations::compile(&world, &[run]).is_ok());
        }
    }

    #[test]
    fn runs_that_branch_too_much_are_refused_at_once() {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u"]).initial("u");
        let world = b.world().expect("a world");
        let compiled = |clauses: usize| {
            let each = (0..clauses).map(|_| "(eventually possible(goal) | next knows(goal))");
            let text = each.collect::<Vec<_>>().join(" & ");
            Stipulations::compile(&world, &[Stipulation::new("run", Scope::Run, &text).expect("a formula")])
        };
        assert!(compiled(7).is_ok());
        let (_, e) = compiled(200).expect_err("too many ways");
        assert!(e.help.is_some_and(|help| help.contains("several stipulations")));
    }
}
