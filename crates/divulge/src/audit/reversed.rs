//! The tracked graph as it is walked backwards.

use crate::{
    audit::unseen::Unseen,
    graph::reachable,
    observer::Tracked,
    problem::{Image, Kind, LabelMap, PGraph, Vertex},
};

/// What leads out of one vertex and looks the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bundle {
    /// What it looks like.
    pub image: Image,
    /// The place of the vertex among those of its kind.
    pub source: u32,
    /// How many different vertices it leads to.
    pub targets: u32,
}

/// The reachable vertices of a tracked graph, numbered apart for each kind, with what leads to them.
///
/// Where some events are unseen, beliefs hold vertices of both kinds, so all are taken to be of one; the bundles are of what is seen.
#[derive(Debug)]
pub(crate) struct Reversed {
    /// The events that are not seen, if there are any.
    pub unseen: Option<Unseen>,
    /// The place of every tracked vertex among the reachable ones of its kind; unreachable ones have none.
    place: Vec<u32>,
    kinds: Vec<Kind>,
    /// How many reachable vertices there are of each kind.
    pub counts: [usize; 2],
    /// All of them, for each kind.
    pub all: [Vec<u64>; 2],
    /// For each kind, the images that some vertex of that kind bears, ascending.
    pub images: [Vec<Image>; 2],
    pub bundles: Vec<Bundle>,
    /// For each kind, where the bundles into a vertex of that kind begin.
    starts: [Vec<u32>; 2],
    into: [Vec<u32>; 2],
    /// For each kind and image, the vertices of that kind that do not bear the image, and how many they are.
    lacking: [Vec<(Vec<u64>, u32)>; 2],
}

const NOWHERE: u32 = u32::MAX;

impl Reversed {
    pub fn new(tracked: &Tracked<'_>, map: &LabelMap) -> Self {
        let graph = &*tracked.graph;
        let reached = reachable(graph);
        let mixed = map.hides();
        let kinds: Vec<Kind> =
            graph.vertices().map(|v| if mixed { Kind::Action } else { graph.kind(v) }).collect();
        let mut counts = [0; 2];
        let mut place = vec![NOWHERE; graph.len()];
        for v in reached.iter() {
            let count = &mut counts[kinds[v] as usize];
            place[v] = *count as u32;
            *count += 1;
        }
        let mut reversed = Self {
            unseen: mixed.then(|| Unseen::new(graph, map, &reached, &place, counts[Kind::Action as usize])),
            place,
            kinds,
            counts,
            all: counts.map(full),
            images: [Vec::new(), Vec::new()],
            bundles: Vec::new(),
            starts: [Vec::new(), Vec::new()],
            into: [Vec::new(), Vec::new()],
            lacking: [0, 1].map(|kind| vec![(full(counts[kind]), counts[kind] as u32); map.len()]),
        };
        reversed.bundle(graph, map, reached.iter());
        for kind in [0, 1] {
            let borne = reversed.lacking[kind].iter().enumerate();
            let borne = borne.filter(|(_, (_, lacking))| (*lacking as usize) < counts[kind]);
            reversed.images[kind] = borne.map(|(image, _)| Image(image as u32)).collect();
        }
        reversed
    }

    fn bundle(&mut self, graph: &PGraph, map: &LabelMap, reached: impl Iterator<Item = usize>) {
        // Target and bundle, for each kind of target, by bundle; how many lead to each target comes one place too late.
        let mut arcs: [Vec<(u32, u32)>; 2] = [Vec::new(), Vec::new()];
        self.bundles.reserve(graph.arc_count());
        arcs.iter_mut().for_each(|arcs| arcs.reserve(graph.arc_count() / 2));
        let mut starts = self.counts.map(|count| vec![0_u32; count + 2]);
        let mut out: Vec<(Image, u32)> = Vec::new();
        for v in reached {
            out.clear();
            let leading = graph.arcs(Vertex(v as u32)).iter();
            let seen = leading.map(|arc| (map.images()[arc.label.index()], self.place[arc.to.index()]));
            if self.unseen.is_some() {
                out.extend(seen.filter(|(image, _)| *image != Image::UNSEEN));
            } else {
                out.extend(seen);
            }
            if out.len() > 1 {
                out.sort_unstable();
                out.dedup();
            }
            let (kind, source) = (self.kinds[v], self.place[v]);
            let to_kind = self.other(kind) as usize;
            for same in out.chunk_by(|a, b| a.0 == b.0) {
                let image = same[0].0;
                let (lacking, count) = &mut self.lacking[kind as usize][image.index()];
                lacking[source as usize / 64] &= !(1 << (source % 64));
                *count -= 1;
                let bundle = self.bundles.len() as u32;
                for &(_, to) in same {
                    arcs[to_kind].push((to, bundle));
                    starts[to_kind][to as usize + 2] += 1;
                }
                self.bundles.push(Bundle { image, source, targets: same.len() as u32 });
            }
        }
        for (kind, mut starts) in starts.into_iter().enumerate() {
            for v in 1..starts.len() {
                starts[v] += starts[v - 1];
            }
            let mut into = vec![0; arcs[kind].len()];
            for &(to, bundle) in &arcs[kind] {
                let at = &mut starts[to as usize + 1];
                into[*at as usize] = bundle;
                *at += 1;
            }
            (self.into[kind], self.starts[kind]) = (into, starts);
        }
    }

    /// The kind of the vertices that events at this kind lead to.
    pub fn other(&self, kind: Kind) -> Kind {
        if self.unseen.is_some() { kind } else { kind.other() }
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

    /// The vertices of a kind that do not bear an image, and how many they are.
    pub fn lacking(&self, kind: Kind, image: Image) -> (&[u64], u32) {
        let (words, count) = &self.lacking[kind as usize][image.index()];
        (words, *count)
    }
}

/// The set of all numbers below `count`.
fn full(count: usize) -> Vec<u64> {
    let mut words = vec![!0; count.div_ceil(64)];
    if !count.is_multiple_of(64)
        && let Some(last) = words.last_mut()
    {
        *last = (1 << (count % 64)) - 1;
    }
    words
}
