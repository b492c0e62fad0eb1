//! The tracked graph as it is walked backwards.

use crate::{
    audit::unseen::{self, Unseen},
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
    /// How many vertices it leads to, counting one as often as it is listed to lead there.
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

/// With more arcs than so many times those of the graph, what is seen next after unseen events is not listed.
const MANY: usize = 4;

/// What leads to vertices, from bundle to bundle.
struct Arcs {
    /// The last bundle of each image.
    bundle: Vec<u32>,
    /// For each kind and target, the last bundle that leads there.
    last: [Vec<u32>; 2],
    /// Target and bundle, for each kind of target, by bundle.
    all: [Vec<(u32, u32)>; 2],
    /// How many lead to each target, two places too late.
    starts: [Vec<u32>; 2],
    /// The vertex that is left: its kind and place, and where its bundles begin.
    left: (Kind, u32),
    begin: u32,
    /// How many more the images are that are seen after it than those of a map.
    more: u32,
}

impl Arcs {
    fn new(reversed: &Reversed, count: usize) -> Self {
        Self {
            bundle: vec![NOWHERE; reversed.image_count()],
            last: reversed.counts.map(|count| vec![NOWHERE; count]),
            all: [0, 1].map(|_| Vec::with_capacity(count)),
            starts: reversed.counts.map(|count| vec![0_u32; count + 2]),
            left: (Kind::Action, 0),
            begin: 0,
            more: 0,
        }
    }

    /// Begins with what leads out of a vertex.
    fn leave(&mut self, reversed: &Reversed, v: usize) {
        let kind = reversed.kinds[v];
        self.left = (kind, reversed.place[v]);
        self.begin = reversed.bundles.len() as u32;
        if let Hidden::Apart(apart) = &reversed.hidden {
            self.more = apart.after(kind, Image(0)).0;
        }
    }

    /// Adds where an image leads.
    fn add(&mut self, reversed: &mut Reversed, image: Image, to: usize) {
        let image = Image(image.0 + self.more);
        let last = &mut self.bundle[image.index()];
        if *last < self.begin || *last == NOWHERE {
            *last = reversed.bundles.len() as u32;
            let (kind, source) = self.left;
            reversed.bundles.push(Bundle { image, source, targets: 0 });
            let (lacking, count) = &mut reversed.lacking[kind as usize][image.index()];
            lacking[source as usize / 64] &= !(1 << (source % 64));
            *count -= 1;
        }
        let (bundle, kind, to) = (*last, reversed.kinds[to] as usize, reversed.place[to]);
        if std::mem::replace(&mut self.last[kind][to as usize], bundle) != bundle {
            reversed.bundles[bundle as usize].targets += 1;
            self.all[kind].push((to, bundle));
            self.starts[kind][to as usize + 2] += 1;
        }
    }

    /// Lists the bundles by target.
    fn turn_round(self, reversed: &mut Reversed) {
        for (kind, (arcs, mut starts)) in self.all.into_iter().zip(self.starts).enumerate() {
            for v in 1..starts.len() {
                starts[v] += starts[v - 1];
            }
            let mut into = vec![0; arcs.len()];
            for (to, bundle) in arcs {
                let at = &mut starts[to as usize + 1];
                into[*at as usize] = bundle;
                *at += 1;
            }
            (reversed.into[kind], reversed.starts[kind]) = (into, starts);
        }
    }
}

impl Reversed {
    /// For demands on whole beliefs, or on whatever is best.
    pub fn new(tracked: &Tracked<'_>, map: &LabelMap, whole: bool) -> Self {
        let graph = &*tracked.graph;
        let reached = reachable(graph);
        if !map.hides() {
            return Self::unbundled(graph, map, &reached, None, false)
                .bundled(graph, map, &reached, usize::MAX)
                .0;
        }
        if !whole && let Some(leads_to) = unseen::leads_to(graph, map) {
            let most = MANY * graph.arc_count() + graph.len();
            let reversed = Self::unbundled(graph, map, &reached, Some(leads_to), false);
            if let (reversed, true) = reversed.bundled(graph, map, &reached, most) {
                return reversed;
            }
        }
        Self::unbundled(graph, map, &reached, None, true).bundled(graph, map, &reached, usize::MAX).0
    }

    /// All but the bundles.
    fn unbundled(
        graph: &PGraph,
        map: &LabelMap,
        reached: &BitSet,
        leads_to: Option<Vec<Kind>>,
        mixed: bool,
    ) -> Self {
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
        let images = if leads_to.is_some() { 2 * map.len() } else { map.len() };
        let hidden = match leads_to {
            None if mixed => Hidden::Mixed(unseen()),
            None => Hidden::Nothing,
            Some(leads_to) => Hidden::Apart(Apart { unseen: unseen(), images: map.len(), leads_to }),
        };
        Self {
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
        }
    }

    /// The same with the bundles; whether they were found by looking at so many arcs.
    fn bundled(mut self, graph: &PGraph, map: &LabelMap, reached: &BitSet, most: usize) -> (Self, bool) {
        let mut arcs = Arcs::new(&self, graph.arc_count());
        self.bundles.reserve(graph.arc_count());
        let (mut met, mut todo, mut steps) = (vec![NOWHERE; graph.len()], Vec::new(), 0);
        let apart = matches!(self.hidden, Hidden::Apart(_));
        for v in reached.iter() {
            arcs.leave(&self, v);
            todo.push(Vertex(v as u32));
            met[v] = v as u32;
            while let Some(at) = todo.pop() {
                for arc in graph.arcs(at) {
                    let (image, to) = (map.images()[arc.label.index()], arc.to.index());
                    if image != Image::UNSEEN {
                        arcs.add(&mut self, image, to);
                    } else if apart && std::mem::replace(&mut met[to], v as u32) != v as u32 {
                        todo.push(arc.to);
                    }
                }
                steps += graph.arcs(at).len();
            }
            if steps > most {
                return (self, false);
            }
        }
        arcs.turn_round(&mut self);
        for kind in [Kind::Action, Kind::Observation] {
            let borne: Vec<Image> = self.borne(kind).collect();
            for image in borne {
                let target = self.target(kind, image);
                self.images[target as usize].push(image);
            }
        }
        self.images.iter_mut().for_each(|images| images.sort_unstable());
        (self, true)
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

    /// Where the words of the vertices of a kind begin, or of both, in sets of both.
    pub fn first_word(&self, kind: Option<Kind>) -> usize {
        if kind == Some(Kind::Observation) { self.words(Kind::Action) } else { 0 }
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

    /// The same, where those of observation vertices follow those of action vertices in words of their own.
    pub fn place_of_both(&self, v: Vertex) -> Option<usize> {
        Some(64 * self.first_word(Some(self.kind(v))) + self.place(v)? as usize)
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

    /// All bundles into vertices of this kind, each as often as it leads to one.
    pub fn leading_to_all(&self, kind: Kind) -> &[u32] {
        &self.into[kind as usize]
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
