//! Labels that can be exchanged for each other without changing the problem.
//!
//! *Background.* Exchanging two labels is a symmetry if the expanded world, walked with them exchanged, is the same world with its vertices
//! renamed, and if the stipulations say the same of the renamed vertices. A verdict under a map then holds under the map with
//! the two labels exchanged.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::{
    expansion::Expansion,
    formula::{Clause, Stipulations},
    maps::space::{
        pairs::{PairIndex, Pairs},
        partial::PartialMap,
    },
    problem::{Kind, Label, Problem, Vertex},
    sets::BitSet,
};

/// Looking for symmetries is not worth it beyond this many steps in all.
const MOST: usize = 20_000_000;

/// The exchanges of two labels that are symmetries, each as what it does to the numbers of pairs.
#[derive(Debug, Default)]
pub struct Symmetries(Vec<Vec<u32>>);

impl Symmetries {
    /// The symmetries of a problem whose divulged plan follows from the world alone, or is the plan sought; `expansion` has all its actions.
    pub fn new(
        problem: &Problem,
        expansion: &Expansion,
        stipulations: &Stipulations,
        open: &PartialMap,
    ) -> Self {
        let index = open.index();
        if index.len().saturating_mul(expansion.graph.arc_count()) > MOST {
            return Self::default();
        }
        let walk = Walk::new(problem, expansion, stipulations);
        let found = (0..index.len()).map(|pair| index.pair(pair)).filter(|&(a, b)| walk.is_symmetry(a, b));
        Self(found.map(|(a, b)| exchange(index, a, b)).collect())
    }

    /// Some pairs under each symmetry.
    pub fn images<'s>(&'s self, pairs: &'s [&'s Pairs]) -> impl Iterator<Item = Vec<Pairs>> + 's {
        self.0.iter().map(move |numbers| pairs.iter().map(|p| p.renumbered(numbers)).collect())
    }
}

/// What exchanging two labels does to the numbers of pairs.
fn exchange(index: &PairIndex, a: Label, b: Label) -> Vec<u32> {
    let other = |l: Label| {
        if l == a {
            b
        } else if l == b {
            a
        } else {
            l
        }
    };
    (0..index.len())
        .map(|pair| {
            let (x, y) = index.pair(pair);
            index.number(other(x), other(y)) as u32
        })
        .collect()
}

/// Whether an action is one that every member of the set has; observations are.
fn is_safe(problem: &Problem, expansion: &Expansion, v: Vertex, label: Label) -> bool {
    let world = &problem.world.graph;
    expansion.graph.kind(v) == Kind::Observation
        || expansion.members(v).iter().all(|w| world.bears(Vertex(w), label))
}

/// The arcs that bear an observation, or an action that every member of the set has.
struct Safe {
    /// Where the arcs of each expanded vertex begin.
    starts: Vec<u32>,
    arcs: BitSet,
    /// How many of them bear each label.
    borne: Vec<u32>,
}

impl Safe {
    fn new(problem: &Problem, expansion: &Expansion) -> Self {
        let (mut starts, mut count) = (Vec::with_capacity(expansion.graph.len()), 0);
        let (mut arcs, mut borne) =
            (BitSet::new(expansion.graph.arc_count()), vec![0; problem.alphabet.len()]);
        for v in expansion.graph.vertices() {
            starts.push(count);
            for arc in expansion.graph.arcs(v) {
                if is_safe(problem, expansion, v, arc.label) {
                    arcs.insert(count as usize);
                    borne[arc.label.index()] += 1;
                }
                count += 1;
            }
        }
        Self { starts, arcs, borne }
    }
}

struct Walk<'a> {
    problem: &'a Problem,
    expansion: &'a Expansion,
    stipulations: &'a Stipulations,
    /// How many arcs bear each label.
    borne: Vec<u32>,
    /// Which arcs are safe, once that was asked for: sets may have many members.
    safe: OnceCell<Safe>,
    /// For each mask, the expanded vertices that meet it.
    columns: Vec<BitSet>,
    index: FxHashMap<BitSet, u32>,
}

impl<'a> Walk<'a> {
    fn new(problem: &'a Problem, expansion: &'a Expansion, stipulations: &'a Stipulations) -> Self {
        let n = expansion.graph.len();
        let mut columns = vec![BitSet::new(n); stipulations.masks().len()];
        for v in expansion.graph.vertices() {
            let signature = stipulations.signature_of(expansion.members(v).iter().map(Vertex));
            for (mask, column) in columns.iter_mut().enumerate() {
                if signature[mask / 64] >> (mask % 64) & 1 == 1 {
                    column.insert(v.index());
                }
            }
        }
        let index = columns.iter().enumerate().map(|(i, c)| (c.clone(), i as u32)).collect();
        let mut borne = vec![0; problem.alphabet.len()];
        expansion.graph.all_arcs().for_each(|(_, arc)| borne[arc.label.index()] += 1);
        Self { problem, expansion, stipulations, borne, safe: OnceCell::new(), columns, index }
    }

    fn is_symmetry(&self, a: Label, b: Label) -> bool {
        self.problem.cost(a) == self.problem.cost(b)
            && self.borne[a.index()] == self.borne[b.index()]
            && self.safe().borne[a.index()] == self.safe().borne[b.index()]
            && self.renaming(a, b).is_some_and(|renamed| self.keeps_stipulations(&renamed))
    }

    fn safe(&self) -> &Safe {
        self.safe.get_or_init(|| Safe::new(self.problem, self.expansion))
    }

    /// What each expanded vertex becomes when the labels are exchanged, if the world stays the same.
    fn renaming(&self, a: Label, b: Label) -> Option<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let graph = &self.expansion.graph;
        let other = |l: Label| {
            if l == a {
                b
            } else if l == b {
                a
            } else {
                l
            }
        };
        let start = self.expansion.initial();
        let (mut renamed, mut taken) = (vec![NEW; graph.len()], BitSet::new(graph.len()));
        renamed[start.index()] = start.0;
        taken.insert(start.index());
        let mut todo = vec![start];
        while let Some(v) = todo.pop() {
            let twin = Vertex(renamed[v.index()]);
            let alike = graph.arcs(v).len() == graph.arcs(twin).len()
                && self.expansion.goal.contains(v.index()) == self.expansion.goal.contains(twin.index())
                && self.expansion.stuck.contains(v.index()) == self.expansion.stuck.contains(twin.index());
            if !alike {
                return None;
            }
            let twins = graph.arcs(twin);
            for (at, arc) in graph.arcs(v).iter().enumerate() {
                let twin_at = twins.binary_search_by_key(&other(arc.label), |arc| arc.label).ok()?;
                let to = twins[twin_at].to;
                if self.is_safe(v, at) != self.is_safe(twin, twin_at) {
                    return None;
                }
                match renamed[arc.to.index()] {
                    NEW if taken.insert(to.index()) => {
                        renamed[arc.to.index()] = to.0;
                        todo.push(arc.to);
                    }
                    NEW => return None,
                    known if known != to.0 => return None,
                    _ => {}
                }
            }
        }
        Some(renamed)
    }

    /// Whether an arc of a vertex bears an action that every member of the set has, or an observation.
    fn is_safe(&self, v: Vertex, arc: usize) -> bool {
        let Safe { starts, arcs, .. } = self.safe();
        arcs.contains(starts[v.index()] as usize + arc)
    }

    fn keeps_stipulations(&self, renamed: &[u32]) -> bool {
        let image = |column: &BitSet| {
            let mut image = BitSet::new(column.bound());
            column.iter().for_each(|v| {
                image.insert(renamed[v] as usize);
            });
            self.index.get(&image).copied()
        };
        let Some(masks) = self.columns.iter().map(image).collect::<Option<Vec<u32>>>() else { return false };
        let rename = |list: &[u32]| {
            let mut list: Vec<u32> = list.iter().map(|&m| masks[m as usize]).collect();
            list.sort_unstable();
            list
        };
        [crate::problem::Scope::Always, crate::problem::Scope::End].into_iter().all(|scope| {
            let scoped: Vec<_> = self.stipulations.all().iter().filter(|s| s.scope == scope).collect();
            let Some(clauses) = scoped.iter().map(|s| s.clauses()).collect::<Option<Vec<_>>>() else {
                return false;
            };
            let all: Vec<&Clause> = clauses.into_iter().flatten().collect();
            all.iter().all(|c| {
                let twin = Clause { positive: rename(&c.positive), negative: rename(&c.negative) };
                all.contains(&&twin)
            })
        })
    }
}
