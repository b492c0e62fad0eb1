//! The tracked graph as it is walked backwards.

use crate::{
    graph::reachable,
    observer::Tracked,
    problem::{Image, Kind, LabelMap, PGraph, Vertex},
};

/// What leads out of one vertex and looks the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    /// What it looks like.
    pub image: Image,
    /// The place of the vertex among those of its kind.
    pub source: u32,
    /// How many different vertices it leads to.
    pub targets: u32,
}

/// The reachable vertices of a tracked graph, numbered apart for each kind, with what leads to them.
#[derive(Debug)]
pub(super) struct Ground {
    /// The place of every tracked vertex among the reachable ones of its kind; unreachable ones have none.
    place: Vec<u32>,
    kinds: Vec<Kind>,
    counts: [usize; 2],
    pub bundles: Vec<Bundle>,
    /// For each kind, where the bundles into a vertex of that kind begin.
    starts: [Vec<u32>; 2],
    into: [Vec<u32>; 2],
    /// For each kind and image, the vertices of that kind that do not bear the image.
    lacking: [Vec<Vec<u64>>; 2],
}

const NOWHERE: u32 = u32::MAX;

impl Ground {
    pub fn new(tracked: &Tracked<'_>, map: &LabelMap) -> Self {
        let graph = &*tracked.graph;
        let reached = reachable(graph);
        let kinds: Vec<Kind> = graph.vertices().map(|v| graph.kind(v)).collect();
        let mut counts = [0; 2];
        let mut place = vec![NOWHERE; graph.len()];
        for v in graph.vertices().filter(|v| reached.contains(v.index())) {
            let count = &mut counts[kinds[v.index()] as usize];
            place[v.index()] = *count as u32;
            *count += 1;
        }
        let mut ground = Self {
            place,
            kinds,
            counts,
            bundles: Vec::new(),
            starts: [Vec::new(), Vec::new()],
            into: [Vec::new(), Vec::new()],
            lacking: [0, 1].map(|kind| vec![full(counts[kind]); map.len()]),
        };
        ground.bundle(graph, map);
        ground
    }

    fn bundle(&mut self, graph: &PGraph, map: &LabelMap) {
        // Target and bundle, for each kind of target.
        let mut arcs: [Vec<(u32, u32)>; 2] = [Vec::new(), Vec::new()];
        let mut out: Vec<(Image, u32)> = Vec::new();
        for v in graph.vertices().filter(|v| self.place[v.index()] != NOWHERE) {
            out.clear();
            out.extend(graph.arcs(v).iter().map(|arc| (map.image(arc.label), self.place[arc.to.index()])));
            out.sort_unstable();
            out.dedup();
            let (kind, source) = (self.kinds[v.index()], self.place[v.index()]);
            for same in out.chunk_by(|a, b| a.0 == b.0) {
                let image = same[0].0;
                self.lacking[kind as usize][image.index()][source as usize / 64] &= !(1 << (source % 64));
                let bundle = self.bundles.len() as u32;
                arcs[kind.other() as usize].extend(same.iter().map(|&(_, to)| (to, bundle)));
                self.bundles.push(Bundle { image, source, targets: same.len() as u32 });
            }
        }
        for (kind, arcs) in arcs.iter_mut().enumerate() {
            arcs.sort_unstable();
            let starts = &mut self.starts[kind];
            let mut at = 0;
            for v in 0..self.counts[kind] as u32 {
                starts.push(at as u32);
                at += arcs[at..].iter().take_while(|(to, _)| *to == v).count();
            }
            starts.push(at as u32);
            self.into[kind] = arcs.iter().map(|&(_, bundle)| bundle).collect();
        }
    }

    /// How many words a set of vertices of one kind takes.
    pub fn words(&self, kind: Kind) -> usize {
        self.counts[kind as usize].div_ceil(64)
    }

    /// The place of a reachable vertex among those of its kind.
    pub fn place(&self, v: Vertex) -> Option<u32> {
        let place = self.place[v.index()];
        (place != NOWHERE).then_some(place)
    }

    /// The kind of a tracked vertex.
    pub fn kind(&self, v: Vertex) -> Kind {
        self.kinds[v.index()]
    }

    /// The bundles into the vertex of this kind at this place.
    pub fn leading_to(&self, kind: Kind, place: usize) -> &[u32] {
        let starts = &self.starts[kind as usize];
        &self.into[kind as usize][starts[place] as usize..starts[place + 1] as usize]
    }

    /// The vertices of a kind that do not bear an image.
    pub fn lacking(&self, kind: Kind, image: Image) -> &[u64] {
        &self.lacking[kind as usize][image.index()]
    }
}

fn full(count: usize) -> Vec<u64> {
    let mut words = vec![!0; count.div_ceil(64)];
    if !count.is_multiple_of(64)
        && let Some(last) = words.last_mut()
    {
        *last = (1 << (count % 64)) - 1;
    }
    words
}
