//! P-graphs: the one structure that worlds, plans, divulged plans and filters all are.

use std::ops::Range;

use crate::{
    limit,
    problem::alphabet::{Kind, Label},
};

/// So many arcs are worth a thread.
const MUCH: usize = 1 << 16;

/// The id of a vertex of one p-graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vertex(pub u32);

impl Vertex {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One label of one edge, seen from the edge's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arc {
    /// The event.
    pub label: Label,
    /// Where it leads.
    pub to: Vertex,
}

/// An edge-labelled graph whose vertices are of two strictly alternating kinds, with initial vertices of one kind.
///
/// An edge that bears several labels is kept as one [`Arc`] for each; the arcs of a vertex are sorted by label, then target.
/// An action vertex's arcs bear actions and lead to observation vertices, and the reverse. It may be nondeterministic:
/// several arcs of a vertex may bear one label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PGraph {
    kinds: Vec<Kind>,
    initial: Vec<Vertex>,
    offsets: Vec<u32>,
    arcs: Vec<Arc>,
}

/// Why a p-graph could not be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// There is no initial vertex.
    #[error("a p-graph needs at least one initial vertex")]
    NoInitial,
    /// Initial vertices of both kinds.
    #[error("the initial vertices must all be of one kind")]
    MixedInitial(Vertex, Vertex),
    /// An edge between two vertices of the same kind.
    #[error("an edge must lead from one kind of vertex to the other")]
    NotAlternating(Vertex, Vertex),
    /// A vertex id out of range.
    #[error("there is no such vertex")]
    NoSuchVertex(Vertex),
    /// More than 2³² − 2 arcs or vertices.
    #[error("the graph is too large: more than four thousand million arcs")]
    TooLarge,
}

impl PGraph {
    /// A graph whose arcs are in order: those of vertex v are `arcs[offsets[v]..offsets[v + 1]]`, by label and target, each once. Nothing is sorted or kept twice.
    ///
    /// # Errors
    /// As for [`PGraphBuilder::build`].
    ///
    /// # Panics
    /// If the arcs are not in order.
    pub fn in_order(
        kinds: Vec<Kind>,
        initial: Vec<Vertex>,
        offsets: Vec<u32>,
        arcs: Vec<Arc>,
    ) -> Result<Self, GraphError> {
        let whole = offsets.len() == kinds.len() + 1 && offsets[0] == 0;
        assert!(whole && offsets[kinds.len()] as usize == arcs.len(), "every vertex must have its arcs");
        let builder = PGraphBuilder { kinds, initial, edges: Vec::new() };
        for (v, own) in offsets.windows(2).enumerate() {
            let (from, own) = (Vertex(v as u32), &arcs[own[0] as usize..own[1] as usize]);
            assert!(own.windows(2).all(|pair| pair[0] < pair[1]), "arcs must be in order");
            own.iter().try_for_each(|arc| builder.alternates(from, arc.to))?;
        }
        Ok(PGraph { offsets, arcs, ..builder.build()? })
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no vertex (never, for a graph that was built).
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// How many arcs there are: an edge counts once for each of its labels.
    pub fn arc_count(&self) -> usize {
        self.arcs.len()
    }

    /// All vertices.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = Vertex> + Clone + use<> {
        (0..self.kinds.len() as u32).map(Vertex)
    }

    /// The kind of a vertex.
    pub fn kind(&self, v: Vertex) -> Kind {
        self.kinds[v.index()]
    }

    /// The initial vertices, ascending.
    pub fn initial(&self) -> &[Vertex] {
        &self.initial
    }

    /// The kind that all initial vertices are of.
    pub fn initial_kind(&self) -> Kind {
        self.kind(self.initial[0])
    }

    /// The arcs out of a vertex, by label, then target.
    pub fn arcs(&self, v: Vertex) -> &[Arc] {
        &self.arcs[self.offsets[v.index()] as usize..self.offsets[v.index() + 1] as usize]
    }

    /// The arcs out of `v` that bear `label`.
    pub fn step(&self, v: Vertex, label: Label) -> &[Arc] {
        let arcs = self.arcs(v);
        let start = arcs.partition_point(|a| a.label < label);
        let end = start + arcs[start..].partition_point(|a| a.label == label);
        &arcs[start..end]
    }

    /// Whether some edge out of `v` bears `label`.
    pub fn bears(&self, v: Vertex, label: Label) -> bool {
        self.arcs(v).binary_search_by_key(&label, |a| a.label).is_ok()
    }

    /// The distinct labels borne at `v`, ascending.
    pub fn labels(&self, v: Vertex) -> impl Iterator<Item = Label> + '_ {
        self.arcs(v).chunk_by(|a, b| a.label == b.label).map(|group| group[0].label)
    }

    /// All arcs with their sources, in order.
    pub fn all_arcs(&self) -> impl Iterator<Item = (Vertex, Arc)> + Clone + '_ {
        self.vertices().flat_map(|v| self.arcs(v).iter().map(move |&a| (v, a)))
    }

    /// All vertices in so many shares, in order, with about as many arcs each.
    pub(crate) fn shares(&self, count: usize) -> impl Iterator<Item = Range<u32>> + '_ {
        let first = move |share: usize| match share {
            0 => 0,
            _ if share == count => self.len() as u32,
            _ => self.offsets[..self.len()]
                .partition_point(|&start| (start as usize) < self.arcs.len() / count * share)
                as u32,
        };
        (0..count).map(move |share| first(share)..first(share + 1))
    }

    /// The same graph without the arcs of some vertices.
    pub(crate) fn ending_at(&self, ends: impl Fn(Vertex) -> bool) -> Self {
        self.keeping(|v| !ends(v), |_| true)
    }

    /// The same graph with some of the arcs of some vertices alone.
    pub(crate) fn keeping(&self, goes_on: impl Fn(Vertex) -> bool, keeps: impl Fn(&Arc) -> bool) -> Self {
        let (mut offsets, mut arcs) =
            (Vec::with_capacity(self.len() + 1), Vec::with_capacity(self.arcs.len()));
        offsets.push(0);
        for v in self.vertices() {
            if goes_on(v) {
                arcs.extend(self.arcs(v).iter().filter(|arc| keeps(arc)));
            }
            offsets.push(arcs.len() as u32);
        }
        Self { kinds: self.kinds.clone(), initial: self.initial.clone(), offsets, arcs }
    }

    /// Whether every execution reaches exactly one vertex, as far as structure tells: one initial vertex, and no
    /// reachable vertex bears a label twice.
    pub fn is_state_determined(&self) -> bool {
        let reach = crate::problem::reachable(self);
        self.initial.len() == 1
            && reach
                .iter()
                .all(|v| self.arcs(Vertex(v as u32)).windows(2).all(|pair| pair[0].label != pair[1].label))
    }
}

/// Collects vertices and edges, then checks them once.
#[derive(Clone, Debug, Default)]
pub struct PGraphBuilder {
    kinds: Vec<Kind>,
    initial: Vec<Vertex>,
    /// In parts, the last of which grows.
    edges: Vec<Vec<(Vertex, Arc)>>,
}

impl PGraphBuilder {
    /// A graph with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a vertex; ids are given in order from 0.
    pub fn vertex(&mut self, kind: Kind) -> Vertex {
        self.kinds.push(kind);
        Vertex(self.kinds.len() as u32 - 1)
    }

    /// Adds many vertices at once.
    pub fn vertices(&mut self, kinds: Vec<Kind>) {
        if self.kinds.is_empty() {
            self.kinds = kinds;
        } else {
            self.kinds.extend(kinds);
        }
    }

    /// How many vertices were added.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether no vertex was added.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The kind of a vertex that was added.
    pub fn kind(&self, v: Vertex) -> Kind {
        self.kinds[v.index()]
    }

    /// Makes a vertex initial.
    pub fn initial(&mut self, v: Vertex) {
        self.initial.push(v);
    }

    /// Adds one label of an edge. Whether the label's kind fits is the caller's to check.
    pub fn arc(&mut self, from: Vertex, label: Label, to: Vertex) {
        match self.edges.last_mut() {
            Some(part) => part.push((from, Arc { label, to })),
            None => self.edges.push(vec![(from, Arc { label, to })]),
        }
    }

    /// Adds many arcs at once.
    pub fn arcs(&mut self, arcs: Vec<(Vertex, Arc)>) {
        self.edges.push(arcs);
    }

    /// Refuses an arc between vertices that there are not, or that are of one kind.
    fn alternates(&self, from: Vertex, to: Vertex) -> Result<(), GraphError> {
        if let Some(v) = [from, to].into_iter().find(|v| v.index() >= self.kinds.len()) {
            return Err(GraphError::NoSuchVertex(v));
        }
        if self.kinds[from.index()] == self.kinds[to.index()] {
            return Err(GraphError::NotAlternating(from, to));
        }
        Ok(())
    }

    /// The graph: arcs sorted by source, label and target, each kept once.
    ///
    /// # Errors
    /// If there is no initial vertex, if kinds are mixed or do not alternate, or if an id is out of range.
    pub fn build(self) -> Result<PGraph, GraphError> {
        self.build_on(1)
    }

    /// The same, on so many threads, 0 for as many as there are processors.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_on(mut self, threads: usize) -> Result<PGraph, GraphError> {
        let n = self.kinds.len();
        let arcs = self.edges.iter().map(Vec::len).sum::<usize>();
        if u32::try_from(arcs).is_err() || u32::try_from(n).is_err() {
            return Err(GraphError::TooLarge);
        }
        let count = limit::threads(threads, arcs, MUCH);
        let mut parts: Vec<_> = self.edges.iter().map(|part| (part, false)).collect();
        some_at_a_time(&mut parts, count, |(part, in_order)| {
            *in_order = part.is_sorted_by_key(|&(from, _)| from);
            part.iter().try_for_each(|&(from, arc)| self.alternates(from, arc.to))
        })?;
        // Edges are often listed by where they begin.
        let in_order = parts.iter().all(|&(_, in_order)| in_order)
            && self
                .edges
                .iter()
                .flat_map(|part| [part.first(), part.last()])
                .flatten()
                .is_sorted_by_key(|edge| edge.0);
        if let Some(&v) = self.initial.iter().find(|v| v.index() >= n) {
            return Err(GraphError::NoSuchVertex(v));
        }
        self.initial.sort_unstable();
        self.initial.dedup();
        let &first = self.initial.first().ok_or(GraphError::NoInitial)?;
        if let Some(&v) = self.initial.iter().find(|v| self.kinds[v.index()] != self.kinds[first.index()]) {
            return Err(GraphError::MixedInitial(first, v));
        }
        let (offsets, arcs) = pack(n, self.edges, in_order, count);
        Ok(PGraph { kinds: self.kinds, initial: self.initial, offsets, arcs })
    }
}

/// A graph whose arcs are found in order: vertex by vertex, each once. Hardly anything is sorted, and nothing
/// kept twice, so it takes half the room of a [`PGraphBuilder`].
#[derive(Debug)]
pub(crate) struct InOrder {
    kinds: Vec<Kind>,
    initial: Vec<Vertex>,
    offsets: Vec<u32>,
    arcs: Vec<Arc>,
}

impl InOrder {
    /// A graph that starts with so many initial vertices.
    pub fn new(initial: Kind, count: usize) -> Self {
        let all = (0..count as u32).map(Vertex).collect();
        Self { kinds: vec![initial; count], initial: all, offsets: vec![0], arcs: Vec::new() }
    }

    /// All of a graph whose first vertices are initial: those of vertex v are `arcs[offsets[v]..offsets[v + 1]]`, in order.
    pub fn whole(kinds: Vec<Kind>, initial: usize, offsets: Vec<u32>, arcs: Vec<Arc>) -> Self {
        Self { kinds, initial: (0..initial as u32).map(Vertex).collect(), offsets, arcs }
    }

    /// Adds a vertex.
    pub fn vertex(&mut self, kind: Kind) {
        self.kinds.push(kind);
    }

    /// Adds an arc to the first vertex whose arcs have not been [ended](Self::end).
    pub fn arc(&mut self, label: Label, to: Vertex) {
        self.arcs.push(Arc { label, to });
    }

    /// All arcs of that vertex are there.
    ///
    /// # Errors
    /// If there are too many arcs or vertices.
    pub fn end(&mut self) -> Result<(), GraphError> {
        let arcs = u32::try_from(self.arcs.len()).map_err(|_| GraphError::TooLarge)?;
        u32::try_from(self.kinds.len()).map_err(|_| GraphError::TooLarge)?;
        let first = self.first_own();
        debug_assert!(self.arcs[first..].is_sorted_by(|a, b| a < b), "arcs must be in order");
        self.offsets.push(arcs);
        Ok(())
    }

    /// The same, where they have come in any order, but each once.
    ///
    /// # Errors
    /// As [`end`](Self::end).
    pub fn end_sorted(&mut self) -> Result<(), GraphError> {
        let first = self.first_own();
        let own = &mut self.arcs[first..];
        if !own.is_sorted() {
            own.sort_unstable();
        }
        self.end()
    }

    /// Where the arcs begin that have not been ended.
    fn first_own(&self) -> usize {
        self.offsets.last().map_or(0, |&start| start as usize)
    }

    /// The graph, when the arcs of all its vertices have been ended.
    pub fn build(self) -> PGraph {
        let Self { kinds, initial, offsets, arcs } = self;
        debug_assert_eq!(offsets.len(), kinds.len() + 1, "every vertex must be ended");
        let graph = PGraph { kinds, initial, offsets, arcs };
        debug_assert!(graph.all_arcs().all(|(v, arc)| graph.kind(v) != graph.kind(arc.to)));
        graph
    }
}

/// Does something to each of the parts, on so many threads at most.
fn some_at_a_time<T: Send, E: Send>(
    parts: &mut [T],
    threads: usize,
    each: impl Fn(&mut T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let mut shares: Vec<&mut [T]> = parts.chunks_mut(parts.len().div_ceil(threads).max(1)).collect();
    limit::together(&mut shares, |share| share.iter_mut().try_for_each(&each))
}

/// Edges as one array sorted by source, with the offset at which each source's arcs begin; on so many threads. `in_order` tells whether
/// they are listed by where they begin.
fn pack(n: usize, edges: Vec<Vec<(Vertex, Arc)>>, in_order: bool, threads: usize) -> (Vec<u32>, Vec<Arc>) {
    let mut at = vec![0u32; n + 1];
    for (from, _) in edges.iter().flatten() {
        at[from.index() + 1] += 1;
    }
    for v in 0..n {
        at[v + 1] += at[v];
    }
    let nothing = Arc { label: Label(0), to: Vertex(0) };
    let mut sorted = vec![nothing; at[n] as usize];
    if in_order {
        let (mut parts, mut rest) = (Vec::with_capacity(edges.len()), &mut sorted[..]);
        for part in edges {
            let (own, others) = rest.split_at_mut(part.len());
            parts.push((part, own));
            rest = others;
        }
        let done: Result<(), ()> = some_at_a_time(&mut parts, threads, |(part, own)| {
            own.iter_mut().zip(std::mem::take(part)).for_each(|(to, (_, arc))| *to = arc);
            Ok(())
        });
        debug_assert!(done.is_ok(), "nothing goes wrong");
    } else {
        let mut next = at.clone();
        for (from, arc) in edges.into_iter().flatten() {
            sorted[next[from.index()] as usize] = arc;
            next[from.index()] += 1;
        }
    }
    if sort(&at, &mut sorted, threads) {
        return (at, sorted);
    }
    let mut offsets = Vec::with_capacity(n + 1);
    let mut kept = 0;
    offsets.push(0);
    for v in 0..n {
        let (start, end) = (at[v] as usize, at[v + 1] as usize);
        let first = kept;
        for i in start..end {
            if kept == first || sorted[kept - 1] != sorted[i] {
                sorted[kept] = sorted[i];
                kept += 1;
            }
        }
        offsets.push(kept as u32);
    }
    sorted.truncate(kept);
    (offsets, sorted)
}

/// Sorts the arcs of each vertex: those of vertex v stand from `at[v]` on. So many threads take some vertices each. Tells whether no arc is there
/// twice.
fn sort(at: &[u32], arcs: &mut [Arc], count: usize) -> bool {
    let vertices = at.len() - 1;
    let (mut shares, mut rest, mut begin) = (Vec::with_capacity(count), &mut *arcs, 0);
    for share in 1..=count {
        let end = match share {
            _ if share == count => vertices,
            _ => at
                .partition_point(|&start| (start as usize) < at[vertices] as usize / count * share)
                .max(begin),
        };
        let (own, others) = rest.split_at_mut((at[end] - at[begin]) as usize);
        shares.push((begin..end, own, true));
        (rest, begin) = (others, end);
    }
    let done: Result<(), ()> = limit::together(&mut shares, |(vertices, own, differ)| {
        let first = at[vertices.start];
        for v in vertices.clone() {
            let own = &mut own[(at[v] - first) as usize..(at[v + 1] - first) as usize];
            own.sort_unstable();
            *differ &= own.is_sorted_by(|one, next| one < next);
        }
        Ok(())
    });
    debug_assert!(done.is_ok());
    shares.iter().all(|&(.., differ)| differ)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> (PGraphBuilder, Vertex, Vertex) {
        let mut b = PGraphBuilder::new();
        let (u, y) = (b.vertex(Kind::Action), b.vertex(Kind::Observation));
        (b, u, y)
    }

    #[test]
    fn arcs_are_sorted_and_kept_once() {
        let (mut b, u, y) = two();
        b.initial(u);
        for l in [2, 0, 2, 1] {
            b.arc(u, Label(l), y);
        }
        let g = b.build().unwrap();
        assert_eq!(g.labels(u).collect::<Vec<_>>(), [Label(0), Label(1), Label(2)]);
        assert_eq!(g.arc_count(), 3);
        assert!(g.bears(u, Label(1)) && !g.bears(y, Label(1)) && g.step(u, Label(2)).len() == 1);
    }

    #[test]
    fn it_does_not_matter_how_many_build() {
        let mut b = PGraphBuilder::new();
        let (n, count) = (1000_u64, 5 * MUCH as u64);
        (0..n).for_each(|v| _ = b.vertex(if v % 2 == 0 { Kind::Action } else { Kind::Observation }));
        b.initial(Vertex(0));
        for i in 0..count {
            // The last vertices have most of the arcs, many of which are there twice.
            let from = n - 1 - (i * i % n) * (i % 97) / 97;
            let to = (i * 7919 % n) | 1;
            b.arc(Vertex(from as u32), Label((i % 13) as u32), Vertex((to - (from & 1)) as u32));
        }
        let alone = b.clone().build_on(1).unwrap();
        for threads in [2, 3, 8] {
            assert_eq!(b.clone().build_on(threads).unwrap(), alone);
        }
    }

    #[test]
    fn bad_graphs_are_refused() {
        let (b, _, _) = two();
        assert_eq!(b.build(), Err(GraphError::NoInitial));
        let (mut b, u, y) = two();
        b.initial(u);
        b.initial(y);
        assert_eq!(b.build(), Err(GraphError::MixedInitial(u, y)));
        let (mut b, u, _) = two();
        b.initial(u);
        b.arc(u, Label(0), u);
        assert_eq!(b.build(), Err(GraphError::NotAlternating(u, u)));
        let (mut b, u, _) = two();
        b.initial(u);
        b.arc(u, Label(0), Vertex(9));
        assert_eq!(b.build(), Err(GraphError::NoSuchVertex(Vertex(9))));
    }
}
