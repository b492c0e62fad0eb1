//! P-graphs as plain maps, and what an execution reaches in them.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Label, PGraph, Plan};

/// A set of vertices.
pub type Set = BTreeSet<usize>;

/// A labelled graph. Unlike a p-graph it may lack initial vertices: then no string, not even the empty one, is an
/// execution of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph<L> {
    /// The initial vertices.
    pub initial: Set,
    /// For each vertex its arcs.
    pub arcs: BTreeMap<usize, BTreeSet<(L, usize)>>,
}

impl<L: Ord + Clone> Graph<L> {
    /// A graph without vertices.
    pub fn empty() -> Self {
        Self { initial: Set::new(), arcs: BTreeMap::new() }
    }

    /// Adds an arc.
    pub fn arc(&mut self, from: usize, label: L, to: usize) {
        self.arcs.entry(from).or_default().insert((label, to));
    }

    /// The arcs out of a vertex.
    pub fn out(&self, v: usize) -> impl Iterator<Item = (&L, usize)> + '_ {
        self.arcs.get(&v).into_iter().flatten().map(|(l, to)| (l, *to))
    }

    /// The labels borne at a vertex.
    pub fn labels(&self, v: usize) -> BTreeSet<L> {
        self.out(v).map(|(l, _)| l.clone()).collect()
    }

    /// Where one event leads from one vertex.
    pub fn step(&self, v: usize, label: &L) -> Set {
        self.out(v).filter(|(l, _)| *l == label).map(|(_, to)| to).collect()
    }

    /// Where one event leads from any of `from`.
    pub fn after(&self, from: &Set, label: &L) -> Set {
        from.iter().flat_map(|&v| self.step(v, label)).collect()
    }

    /// The vertices that an execution reaches: none if it is not an execution of this graph.
    pub fn reached<'l>(&self, execution: impl IntoIterator<Item = &'l L>) -> Set
    where
        L: 'l,
    {
        execution.into_iter().fold(self.initial.clone(), |at, label| self.after(&at, label))
    }

    /// The graph with every label replaced by its image.
    pub fn map<M: Ord + Clone>(&self, image: impl Fn(&L) -> M) -> Graph<M> {
        let mut mapped = Graph { initial: self.initial.clone(), arcs: BTreeMap::new() };
        for (&v, arcs) in &self.arcs {
            for (label, to) in arcs {
                mapped.arc(v, image(label), *to);
            }
        }
        mapped
    }

    /// The graph whose executions are those of either.
    pub fn union(&self, other: &Self) -> Self {
        let largest =
            self.arcs.values().flatten().map(|(_, to)| to).chain(self.arcs.keys()).chain(&self.initial);
        let shift = largest.max().map_or(0, |v| v + 1);
        let mut both = self.clone();
        both.initial.extend(other.initial.iter().map(|v| v + shift));
        for (&v, arcs) in &other.arcs {
            for (label, to) in arcs {
                both.arc(v + shift, label.clone(), to + shift);
            }
        }
        both
    }
}

/// A p-graph as it stands.
pub fn plain(graph: &PGraph) -> Graph<Label> {
    let mut plain = Graph::empty();
    plain.initial = graph.initial().iter().map(|v| v.index()).collect();
    for (from, arc) in graph.all_arcs() {
        plain.arc(from.index(), arc.label, arc.to.index());
    }
    plain
}

/// A plan's graph without the edges out of terminal vertices, which never count.
pub fn trimmed(plan: &Plan) -> Graph<Label> {
    let mut graph = plain(&plan.graph);
    graph.arcs.retain(|&v, _| !plan.terminal.contains(v));
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn union_keeps_the_two_apart() {
        let mut a = Graph::empty();
        a.initial.insert(0);
        a.arc(0, 'x', 1);
        let mut b = Graph::empty();
        b.initial.insert(0);
        b.arc(0, 'x', 1);
        b.arc(1, 'y', 0);
        let both = a.union(&b);
        assert_eq!(both.reached(&['x']), Set::from([1, 3]));
        assert_eq!(both.reached(&['x', 'y']), Set::from([2]));
        assert_eq!(both.reached(&['y']), Set::new());
    }
}
