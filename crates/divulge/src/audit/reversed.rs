//! The tracked graph as it is walked backwards.

use crate::{
    audit::unseen::{Closed, Unseen},
    graph::reachable,
    observer::Tracked,
    problem::{Image, Kind, LabelMap, PGraph, Vertex},
    sets::{BitSet, Members},
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
/// What unseen events make of it, if there are any, is told by [`Hidden`].
#[derive(Debug)]
pub(crate) struct Reversed {
    pub hidden: Hidden,
    /// The place of every tracked vertex among the reachable ones of its kind; unreachable ones have none.
    place: Vec<u32>,
    kinds: Vec<Kind>,
    /// How many reachable vertices there are of each kind.
    pub counts: [usize; 2],
    /// All of them, for each kind.
    pub all: [Vec<u64>; 2],
    /// For each kind, the images that lead to vertices of that kind, ascending.
    pub images: [Vec<Image>; 2],
    pub bundles: Vec<Bundle>,
    /// For each kind, where the bundles into a vertex of that kind begin.
    starts: [Vec<u32>; 2],
    into: [Vec<u32>; 2],
    /// For each kind and image, the vertices of that kind that do not bear the image, and how many they are.
    lacking: [Vec<(Vec<u64>, u32)>; 2],
}

/// What becomes of the events that are not seen.
#[derive(Debug)]
pub(crate) enum Hidden {
    /// There are none: events at one kind of vertices lead to the other.
    Nothing,
    /// Demands are on whole beliefs, which hold vertices of both kinds: all are taken to be of one, the bundles are of what is seen, and demands are settled.
    Mixed(Unseen),
    /// Demands are on what the last image has led to, all of one kind; bundles are of all that is seen next, whatever unseen events come before. An image
    /// counts as two, one for each kind of vertices that it is seen after.
    Apart(Apart),
}

#[derive(Debug)]
pub(crate) struct Apart {
    /// The unseen arcs between places, those of observation vertices following those of action vertices in words of their own.
    pub unseen: Unseen,
    /// How many images there are really, and to which kind of vertices each leads.
    images: usize,
    leads_to: Vec<Kind>,
}

const NOWHERE: u32 = u32::MAX;

impl Reversed {
    /// For demands on whole beliefs, or on whatever is best.
    pub fn new(tracked: &Tracked<'_>, map: &LabelMap, whole: bool) -> Self {
        let graph = &*tracked.graph;
        let reached = reachable(graph);
        if !map.hides() {
            return Self::of(graph, map, &reached, None, false);
        }
        let closed = if whole { None } else { Closed::new(graph, map, &reached) };
        Self::of(graph, map, &reached, closed.as_ref(), closed.is_none())
    }

    fn of(graph: &PGraph, map: &LabelMap, reached: &BitSet, closed: Option<&Closed>, mixed: bool) -> Self {
        let kinds: Vec<Kind> =
            graph.vertices().map(|v| if mixed { Kind::Action } else { graph.kind(v) }).collect();
        let mut counts = [0; 2];
        let mut place = vec![NOWHERE; graph.len()];
        for v in reached.iter() {
            let count = &mut counts[kinds[v] as usize];
            place[v] = *count as u32;
            *count += 1;
        }
        let words = counts.map(|count: usize| count.div_ceil(64));
        let unseen = || {
            let first = [0, 64 * words[0] as u32];
            let at = |v: Vertex| first[kinds[v.index()] as usize] + place[v.index()];
            Unseen::new(graph, map, reached, at, 64 * (words[0] + words[1]))
        };
        let hidden = match closed {
            None if mixed => Hidden::Mixed(unseen()),
            None => Hidden::Nothing,
            Some(Closed { leads_to, .. }) => {
                Hidden::Apart(Apart { unseen: unseen(), images: map.len(), leads_to: leads_to.clone() })
            }
        };
        let images = if closed.is_some() { 2 * map.len() } else { map.len() };
        let mut reversed = Self {
            hidden,
            place,
            kinds,
            counts,
            all: counts.map(full),
            images: [Vec::new(), Vec::new()],
            bundles: Vec::new(),
            starts: [Vec::new(), Vec::new()],
            into: [Vec::new(), Vec::new()],
            lacking: [0, 1].map(|kind| vec![(full(counts[kind]), counts[kind] as u32); images]),
        };
        reversed.bundle(graph, map, reached.iter(), closed);
        for kind in [Kind::Action, Kind::Observation] {
            let borne: Vec<Image> = reversed.borne(kind).collect();
            for image in borne {
                let target = reversed.target(kind, image);
                reversed.images[target as usize].push(image);
            }
        }
        reversed.images.iter_mut().for_each(|images| images.sort_unstable());
        reversed
    }

    fn bundle(
        &mut self,
        graph: &PGraph,
        map: &LabelMap,
        reached: impl Iterator<Item = usize>,
        closed: Option<&Closed>,
    ) {
        // Target and bundle, for each kind of target, by bundle; how many lead to each target comes one place too late.
        let mut arcs: [Vec<(u32, u32)>; 2] = [Vec::new(), Vec::new()];
        self.bundles.reserve(graph.arc_count());
        arcs.iter_mut().for_each(|arcs| arcs.reserve(graph.arc_count() / 2));
        let mut starts = self.counts.map(|count| vec![0_u32; count + 2]);
        // Image and target in one number, which is put in order sooner than two.
        let mut out: Vec<u64> = Vec::new();
        for v in reached {
            out.clear();
            let leading = graph.arcs(Vertex(v as u32)).iter();
            let seen = leading.map(|arc| (map.images()[arc.label.index()], self.place[arc.to.index()]));
            match (&self.hidden, closed) {
                (Hidden::Nothing, _) => out.extend(seen.map(packed)),
                (Hidden::Apart(apart), Some(closed)) => {
                    let after = |image: Image| apart.after(self.kinds[v], image);
                    let later = closed.seen_from(v).iter();
                    out.extend(later.map(|&(image, to)| packed((after(image), self.place[to as usize]))));
                }
                _ => out.extend(seen.filter(|(image, _)| *image != Image::UNSEEN).map(packed)),
            }
            if out.len() > 1 {
                out.sort_unstable();
                out.dedup();
            }
            let (kind, source) = (self.kinds[v], self.place[v]);
            for same in out.chunk_by(|a, b| a >> 32 == b >> 32) {
                let image = Image((same[0] >> 32) as u32);
                let to_kind = self.target(kind, image) as usize;
                let (lacking, count) = &mut self.lacking[kind as usize][image.index()];
                lacking[source as usize / 64] &= !(1 << (source % 64));
                *count -= 1;
                let bundle = self.bundles.len() as u32;
                for to in same.iter().map(|&to| to as u32) {
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

    /// The kind of the vertices that an image leads to from those of this kind.
    fn target(&self, kind: Kind, image: Image) -> Kind {
        match &self.hidden {
            Hidden::Nothing => kind.other(),
            Hidden::Mixed(_) => kind,
            Hidden::Apart(apart) => apart.leads_to[apart.real(image).index()],
        }
    }

    /// The kind of the vertices from which an image leads to those of this kind.
    pub fn source(&self, kind: Kind, image: Image) -> Kind {
        match &self.hidden {
            Hidden::Nothing => kind.other(),
            Hidden::Mixed(_) => kind,
            Hidden::Apart(apart) if image.index() < apart.images => Kind::Action,
            Hidden::Apart(_) => Kind::Observation,
        }
    }

    /// What is really seen.
    pub fn real(&self, image: Image) -> Image {
        match &self.hidden {
            Hidden::Apart(apart) => apart.real(image),
            _ => image,
        }
    }

    /// How many images there are, those that count as two twice.
    pub fn image_count(&self) -> usize {
        self.lacking[0].len()
    }

    /// The kind of what an image leads to, or of the initial vertices, where demands are on that alone.
    pub fn entered(&self, image: Option<Image>, initial: Kind) -> Option<Kind> {
        match &self.hidden {
            Hidden::Apart(apart) => Some(image.map_or(initial, |image| apart.leads_to[image.index()])),
            _ => None,
        }
    }

    /// How many words a set of vertices of one kind takes.
    pub fn words(&self, kind: Kind) -> usize {
        self.counts[kind as usize].div_ceil(64)
    }

    /// How many words a set of vertices of a kind takes, or of both.
    pub fn words_of_kind(&self, kind: Option<Kind>) -> usize {
        kind.map_or_else(|| self.words(Kind::Action) + self.words(Kind::Observation), |kind| self.words(kind))
    }

    /// The places of some reachable vertices as bits, those of observation vertices following those of action vertices in words of their own.
    pub fn words_of(&self, vertices: Members<'_>) -> Vec<u64> {
        let first = [0, self.words(Kind::Action)];
        let mut words = vec![0; first[1] + self.words(Kind::Observation)];
        vertices.for_each(|v| {
            let (kind, place) = (self.kinds[v as usize], self.place[v as usize]);
            words[first[kind as usize] + place as usize / 64] |= 1 << (place % 64);
        });
        words
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

    /// The images that some vertex of this kind bears, ascending.
    pub fn borne(&self, kind: Kind) -> impl Iterator<Item = Image> + '_ {
        let (all, lacking) = (self.counts[kind as usize], &self.lacking[kind as usize]);
        let borne = lacking.iter().enumerate().filter(move |(_, (_, lacking))| (*lacking as usize) < all);
        borne.map(|(image, _)| Image(image as u32))
    }

    /// The vertices of a kind that do not bear an image, and how many they are.
    pub fn lacking(&self, kind: Kind, image: Image) -> (&[u64], u32) {
        let (words, count) = &self.lacking[kind as usize][image.index()];
        (words, *count)
    }
}

impl Apart {
    /// An image, seen after vertices of this kind.
    fn after(&self, kind: Kind, image: Image) -> Image {
        Image(if kind == Kind::Action { image.0 } else { image.0 + self.images as u32 })
    }

    fn real(&self, image: Image) -> Image {
        Image(if image.index() < self.images { image.0 } else { image.0 - self.images as u32 })
    }
}

/// An image and the place that it leads to in one number.
fn packed((image, place): (Image, u32)) -> u64 {
    u64::from(image.0) << 32 | u64::from(place)
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
