//! What a belief becomes: the successors of a set of vertices, image by image.

use std::sync::Arc;

use crate::{
    graph::{Moves, Shifts},
    problem::{Image, Label, PGraph},
    sets::{HybridStore, Members, Word, bits::ones},
};

/// What it takes to make a set of the marks, in arcs looked at.
const EACH: u64 = 16;

/// One target of an arc in a list takes as long to sort in as this many words of bits take to be cleared and looked through.
const WORDS: usize = 4;

/// Up to so many are sorted by comparing them.
const FEW_TO_SORT: usize = 32;

/// So many are listed in any case.
const FEW: usize = 16;

/// Arcs are grouped by how far they lead once each was followed so often, on average: then it pays.
const OFTEN: u64 = 1;

/// Following an arc by itself takes as long as this many words of arcs that lead equally far.
const WORDS_PER_ARC: u64 = 4;

/// The arcs of a graph as the observer sees them, and scratch room for computing the successors of one belief at a time.
#[derive(Debug, Default)]
pub struct Successors {
    bound: usize,
    image_of: Vec<Image>,
    /// Where arcs lead, of the vertices that somebody has asked for.
    moves: Moves<'static>,
    marks: Vec<Marks>,
    /// The images with marks, ascending once computed.
    used: Vec<Image>,
    /// Bits that no image needs at present, all clear.
    spare: Vec<Vec<u64>>,
    sieve: Sieve,
    /// What unseen events lead to, if there are any.
    unseen: Option<Arc<Unseen>>,
    /// The arcs by how far they lead, once that was looked at and if it helps.
    shifts: Option<Option<Arc<Shifts>>>,
    work: u64,
    /// Whether any set was kept as bits: else it does not matter how far arcs lead.
    met_bits: bool,
}

/// Where unseen arcs lead.
#[derive(Debug)]
struct Unseen {
    /// Where the targets of each vertex begin.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Unseen {
    fn new(graph: &PGraph, image_of: &[Image]) -> Option<Self> {
        let hidden = |label: Label| image_of[label.index()] == Image::UNSEEN;
        if !image_of.contains(&Image::UNSEEN) || !graph.all_arcs().any(|(_, arc)| hidden(arc.label)) {
            return None;
        }
        let (mut starts, mut targets) = (vec![0], Vec::new());
        for v in graph.vertices() {
            targets.extend(graph.arcs(v).iter().filter(|arc| hidden(arc.label)).map(|arc| arc.to.0));
            starts.push(targets.len() as u32);
        }
        Some(Self { starts, targets })
    }

    /// Adds to a list whatever unseen arcs lead to from its members; ascending, and nothing is there twice.
    fn close(&self, list: &mut Vec<u32>, sieve: &mut Sieve) -> u64 {
        let Self { starts, targets } = self;
        list.retain(|&v| sieve.insert(v));
        let (mut at, mut work) = (0, 0);
        while let Some(&v) = list.get(at) {
            let next = &targets[starts[v as usize] as usize..starts[v as usize + 1] as usize];
            work += 1 + next.len() as u64;
            list.extend(next.iter().filter(|&&to| sieve.insert(to)));
            at += 1;
        }
        sieve.empty(list);
        work
    }
}

/// Room to put vertices in order without comparing them: a bit for each, and one for each word of them that has any.
#[derive(Clone, Debug, Default)]
struct Sieve {
    bits: Vec<u64>,
    words: Vec<u64>,
}

impl Sieve {
    fn new(bound: usize) -> Self {
        let words = bound.div_ceil(64);
        Self { bits: vec![0; words], words: vec![0; words.div_ceil(64)] }
    }

    /// So many are sorted sooner by comparing them.
    fn few(&self) -> usize {
        FEW_TO_SORT.max(self.words.len() / 8)
    }

    /// Adds a vertex; tells whether it was not there.
    fn insert(&mut self, v: u32) -> bool {
        let (word, bit) = (&mut self.bits[v as usize / 64], 1 << (v % 64));
        let new = *word & bit == 0;
        *word |= bit;
        self.words[v as usize / 4096] |= 1 << (v / 64 % 64);
        new
    }

    /// Puts a list in order that has all that was added, each once; forgets them.
    fn empty(&mut self, list: &mut Vec<u32>) {
        if list.len() <= self.few() {
            list.sort_unstable();
            for &v in &*list {
                self.bits[v as usize / 64] = 0;
                self.words[v as usize / 4096] = 0;
            }
            return;
        }
        list.clear();
        for (i, own) in self.words.iter_mut().enumerate() {
            for word in ones(std::mem::take(own)).map(|w| i * 64 + w) {
                let bits = std::mem::take(&mut self.bits[word]);
                list.extend(ones(bits).map(|b| (word * 64 + b) as u32));
            }
        }
    }

    /// Puts a list in order and has everything in it once.
    fn sort(&mut self, list: &mut Vec<u32>) {
        if list.len() <= self.few() {
            list.sort_unstable();
            return list.dedup();
        }
        list.retain(|&v| self.insert(v));
        self.empty(list);
    }
}

/// The vertices that one image leads to: a list of the targets of arcs, or bits where there are many of them. So however many
/// images there are, they take about as much room as the arcs of one belief that bear them.
#[derive(Debug, Default)]
struct Marks {
    list: Vec<u32>,
    /// One for each vertex, or empty.
    bits: Vec<u64>,
    /// Whether they are many, once that was counted.
    many: bool,
}

impl Successors {
    /// For a graph whose label i looks like `image_of[i]`, one of `images` images.
    pub fn new(graph: &PGraph, image_of: &[Image], images: usize) -> Self {
        let mut marks = Vec::new();
        marks.resize_with(images, Marks::default);
        Self {
            bound: graph.len(),
            image_of: image_of.to_vec(),
            moves: Moves::of_states(graph.len()),
            marks,
            used: Vec::new(),
            spare: Vec::new(),
            sieve: Sieve::new(graph.len()),
            unseen: Unseen::new(graph, image_of).map(Arc::new),
            shifts: None,
            work: 0,
            met_bits: false,
        }
    }

    /// Room of somebody's own for the successors in the same graph.
    pub fn anew(&self) -> Self {
        let mut marks = Vec::new();
        marks.resize_with(self.marks.len(), Marks::default);
        Self {
            bound: self.bound,
            image_of: self.image_of.clone(),
            moves: self.moves.anew(),
            marks,
            used: Vec::new(),
            spare: Vec::new(),
            sieve: Sieve::new(self.bound),
            unseen: self.unseen.clone(),
            shifts: self.shifts.clone(),
            work: 0,
            met_bits: false,
        }
    }

    /// Adds what unseen events lead to; ascending.
    pub fn close(&mut self, set: &mut Vec<u32>) {
        if let Some(unseen) = &self.unseen {
            self.work += unseen.close(set, &mut self.sieve);
        }
    }

    /// How much was done: members and arcs looked at, and something for each successor.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Looks at where all arcs lead, before they are asked for.
    pub fn look_all(&mut self, graph: &PGraph) {
        self.moves.look_all((graph, &self.image_of));
    }

    /// Computes the successors of a set of vertices of the graph, the same one every time.
    pub fn compute(&mut self, graph: &PGraph, set: Members<'_>) {
        self.clear();
        match set {
            Members::List(list) => self.follow_list(graph, list),
            Members::Bits(bits) => {
                self.met_bits = true;
                // A set that is kept as bits has more members than twice its words.
                if self.shifts_help(graph, 2 * bits.len() as u64) {
                    self.shift(bits);
                } else {
                    self.follow_bits(graph, bits);
                }
            }
        }
        self.finish();
    }

    /// Takes over what another has found out of the same graph.
    pub fn learn(&mut self, other: &Self) {
        if let (None, Some(shifts)) = (&self.shifts, &other.shifts) {
            self.shifts = Some(shifts.clone());
        }
    }

    /// Takes note of what others have done for it, who may have met sets of bits, and looks at how far arcs lead when it is time.
    pub fn count(&mut self, graph: &PGraph, work: u64, met_bits: bool) {
        self.work += work;
        self.met_bits |= met_bits;
        if self.met_bits {
            self.shifts_help(graph, 0);
        }
    }

    /// Whether any set that was followed was kept as bits.
    pub fn met_bits(&self) -> bool {
        self.met_bits
    }

    fn finish(&mut self) {
        let Self { bound, marks, used, spare, sieve, unseen, work, .. } = self;
        used.sort_unstable();
        *work += EACH * used.len() as u64;
        for image in used {
            let marks = &mut marks[image.index()];
            if let Some(unseen) = unseen {
                marks.gather(spare);
                *work += unseen.close(&mut marks.list, sieve);
            } else if marks.bits.is_empty() {
                sieve.sort(&mut marks.list);
            }
            marks.finish(*bound, spare);
        }
    }

    /// Whether the successors of so many vertices are found sooner by how far arcs lead.
    fn shifts_help(&mut self, graph: &PGraph, members: u64) -> bool {
        if self.shifts.is_none() && self.work > OFTEN * graph.arc_count() as u64 {
            self.shifts = Some(Shifts::new(graph, &self.image_of).map(Arc::new));
        }
        matches!(&self.shifts, Some(Some(shifts)) if shifts.words() as u64 <= WORDS_PER_ARC * members)
    }

    /// Marks what arcs lead to from a set, by how far they lead.
    fn shift(&mut self, set: &[u64]) {
        let Self { bound, marks, used, spare, shifts, work, .. } = self;
        let Some(Some(shifts)) = shifts else { return };
        let words = bound.div_ceil(64);
        for image in shifts.images(set) {
            let marks = &mut marks[image.index()];
            used.push(image);
            marks.spread(words, spare);
            shifts.follow(image, set, &mut marks.bits);
        }
        *work += shifts.words() as u64 / WORDS_PER_ARC;
    }

    /// Marks what arcs lead to from vertices, one by one.
    fn follow_list(&mut self, graph: &PGraph, set: &[u32]) {
        let Self { bound, image_of, moves, marks, used, spare, work, .. } = self;
        let mut room = Room { words: bound.div_ceil(64), marks, used, spare };
        for &v in set {
            moves.look((graph, image_of), v);
            *work += 1 + room.mark_ends(moves.ends(v));
        }
    }

    /// Marks what arcs lead to from a set: those together that lead equally far from one word, where they are few.
    fn follow_bits(&mut self, graph: &PGraph, set: &[u64]) {
        let Self { bound, image_of, moves, marks, used, spare, work, .. } = self;
        let mut room = Room { words: bound.div_ceil(64), marks, used, spare };
        let words = (0..).zip(set).map(|(number, &bits)| Word { number, bits });
        for word in words.filter(|word| word.bits != 0) {
            moves.prepare_in(Some((graph, image_of)), word);
            if moves.together(word) {
                moves.follow(word, |piece| {
                    *work += 1;
                    room.mark(piece.image, piece.to);
                });
            } else {
                word.members().for_each(|v| *work += 1 + room.mark_ends(moves.ends(v)));
            }
        }
    }

    /// The images that may follow, ascending, each with the members of its successor.
    pub fn found(&self) -> impl Iterator<Item = (Image, Members<'_>)> {
        self.used.iter().map(|&image| {
            let marks = &self.marks[image.index()];
            (image, if marks.many { Members::Bits(&marks.bits) } else { Members::List(&marks.list) })
        })
    }

    fn clear(&mut self) {
        for image in self.used.drain(..) {
            let marks = &mut self.marks[image.index()];
            marks.list.clear();
            if !marks.bits.is_empty() {
                let mut bits = std::mem::take(&mut marks.bits);
                bits.fill(0);
                self.spare.push(bits);
            }
        }
    }
}

/// Where what arcs lead to is marked.
struct Room<'s> {
    words: usize,
    marks: &'s mut [Marks],
    used: &'s mut Vec<Image>,
    spare: &'s mut Vec<Vec<u64>>,
}

impl Room<'_> {
    /// Marks what arcs lead to that are seen; tells how many arcs there are.
    fn mark_ends(&mut self, ends: &[(Image, u32)]) -> u64 {
        for &(image, to) in ends.iter().filter(|(image, _)| *image != Image::UNSEEN) {
            // Where there are bits, there is one for each vertex.
            match self.marks[image.index()].bits.get_mut(to as usize / 64) {
                Some(word) => *word |= 1 << (to % 64),
                None => self.list(image, [to].into_iter()),
            }
        }
        ends.len() as u64
    }

    /// Marks some vertices of a word.
    fn mark(&mut self, image: Image, to: Word) {
        if image == Image::UNSEEN {
            return;
        }
        match self.marks[image.index()].bits.get_mut(to.number as usize) {
            Some(word) => *word |= to.bits,
            None => self.list(image, to.members()),
        }
    }

    /// Adds vertices to the list of an image, which becomes bits if it is long.
    fn list(&mut self, image: Image, vertices: impl Iterator<Item = u32>) {
        let marks = &mut self.marks[image.index()];
        if marks.list.is_empty() {
            self.used.push(image);
        }
        marks.list.extend(vertices);
        if marks.list.len() > FEW + self.words / WORDS {
            marks.spread(self.words, self.spare);
        }
    }
}

impl Marks {
    /// Goes over from the list to bits.
    fn spread(&mut self, words: usize, spare: &mut Vec<Vec<u64>>) {
        self.bits = spare.pop().unwrap_or_else(|| vec![0; words]);
        for to in self.list.drain(..) {
            self.bits[to as usize / 64] |= 1 << (to % 64);
        }
    }

    /// Goes back from bits to the list.
    fn gather(&mut self, spare: &mut Vec<Vec<u64>>) {
        if self.bits.is_empty() {
            return;
        }
        let mut bits = std::mem::take(&mut self.bits);
        let words = bits.iter().enumerate();
        self.list.extend(words.flat_map(|(w, &word)| ones(word).map(move |b| (w * 64 + b) as u32)));
        bits.fill(0);
        spare.push(bits);
    }

    /// Tells whether there are many members, and lists them if there are not. If there is a list, it must be in order.
    fn finish(&mut self, bound: usize, spare: &mut Vec<Vec<u64>>) {
        if self.bits.is_empty() {
            self.many = HybridStore::as_bits(bound, self.list.len());
            if self.many {
                self.spread(bound.div_ceil(64), spare);
            }
            return;
        }
        let mut count = 0;
        self.many = self.bits.chunks(64).any(|words| {
            count += words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
            HybridStore::as_bits(bound, count)
        });
        if !self.many {
            let words = self.bits.iter().enumerate();
            self.list.extend(words.flat_map(|(w, &word)| ones(word).map(move |b| (w * 64 + b) as u32)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::problem::{Kind, PGraphBuilder, Vertex};

    /// A graph of `n` vertices of alternating kinds, with these labels and targets of each.
    fn graph(n: u32, arcs: impl Fn(u32) -> Vec<(u32, u32)>) -> PGraph {
        let mut b = PGraphBuilder::new();
        for v in 0..n {
            b.vertex(if v % 2 == 0 { Kind::Action } else { Kind::Observation });
        }
        b.initial(Vertex(0));
        for v in 0..n {
            for (label, to) in arcs(v) {
                b.arc(Vertex(v), Label(label), Vertex(to));
            }
        }
        b.build().expect("a p-graph")
    }

    /// The successors of sets, one after the other, are what following every arc gives.
    fn compare(graph: &PGraph, successors: &mut Successors, sets: impl Iterator<Item = BTreeSet<u32>>) {
        for set in sets {
            let set: Vec<u32> = set.into_iter().collect();
            let mut model = BTreeMap::<Image, BTreeSet<u32>>::new();
            let look = |v: u32| {
                graph.arcs(Vertex(v)).iter().map(|arc| (successors.image_of[arc.label.index()], arc.to.0))
            };
            for (image, to) in set.iter().flat_map(|&v| look(v)).filter(|(image, _)| *image != Image::UNSEEN)
            {
                let (reached, mut todo) = (model.entry(image).or_default(), vec![to]);
                while let Some(v) = todo.pop() {
                    if reached.insert(v) {
                        todo.extend(look(v).filter(|(image, _)| *image == Image::UNSEEN).map(|(_, to)| to));
                    }
                }
            }
            let mut store = HybridStore::new(graph.len());
            let set = store.intern_list(&set);
            successors.compute(graph, store.get(set));
            let found: Vec<(Image, Vec<u32>)> =
                successors.found().map(|(image, to)| (image, to.iter().collect())).collect();
            let expected: Vec<(Image, Vec<u32>)> =
                model.into_iter().map(|(image, to)| (image, to.into_iter().collect())).collect();
            assert_eq!(found, expected);
            for (_, to) in successors.found() {
                assert_eq!(matches!(to, Members::Bits(_)), HybridStore::as_bits(graph.len(), to.count()));
            }
        }
    }

    /// Many images and few, small sets and large ones.
    #[test]
    fn successors_are_what_the_arcs_lead_to() {
        let (n, labels) = (3000_u32, 60);
        let graph = graph(n, |v| {
            let to = |i| (v * v + i * 97) % n;
            (0..v % 7).map(|i| ((v * 31 + i * i) % labels, to(i) - to(i) % 2 + 1 - v % 2)).collect()
        });
        for images in [1, 3, 60] {
            let image_of: Vec<Image> = (0..labels).map(|l| Image(l % images)).collect();
            let mut successors = Successors::new(&graph, &image_of, images as usize);
            let sets = [(1, 2000), (7, 5), (2, 1500), (3, 40), (5, 600), (1, 1)];
            let sets = sets.map(|(step, count)| (0..count).map(|i| i * step % n).collect());
            compare(&graph, &mut successors, sets.into_iter().cycle().take(90));
            assert!(matches!(successors.shifts, Some(None)), "its arcs lead every which way");
        }
    }

    /// Rows of rooms, where arcs lead a few distances forth and back, to the first vertex and to the last.
    #[test]
    fn arcs_that_lead_equally_far_are_followed_together() {
        for n in [640_u32, 999, 1024] {
            let distances = [1, -1, 33, -63, 65, -127, 191, -321];
            let graph = graph(n, |v| {
                let to = distances.map(|d| v.checked_add_signed(d).filter(|&to| to < n && (v + to) % 5 > 0));
                (0..).zip(to).filter_map(|(label, to)| Some((label, to?))).collect()
            });
            for images in [1, 3, 8] {
                let mut image_of: Vec<Image> = (0..8).map(|l| Image(l % images)).collect();
                if images == 3 {
                    image_of[4] = Image::UNSEEN;
                }
                let mut successors = Successors::new(&graph, &image_of, images as usize);
                let every = |step: u32| (0..n).filter(|v| v * v % step < 2).collect();
                compare(&graph, &mut successors, (1..12).cycle().take(60).map(every));
                assert!(matches!(successors.shifts, Some(Some(_))), "its arcs lead few distances");
            }
        }
    }
}
