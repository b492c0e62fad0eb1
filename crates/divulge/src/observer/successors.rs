//! What a belief becomes: the successors of a set of vertices, image by image.

use crate::problem::{Image, PGraph, Vertex, bits::ones};

/// Scratch room for computing the successors of one belief at a time.
#[derive(Debug, Default)]
pub struct Successors {
    image_of: Vec<Image>,
    vertices: usize,
    /// One bit for each vertex, for each image in use; cleared after use.
    marks: Vec<Vec<u64>>,
    pairs: Vec<(Image, u32)>,
    members: Vec<u32>,
    groups: Vec<(Image, usize, usize)>,
}

impl Successors {
    /// For a graph of `vertices` vertices whose label i looks like `image_of[i]`, one of `images` images.
    pub fn new(image_of: Vec<Image>, images: usize, vertices: usize) -> Self {
        Self { image_of, vertices, marks: vec![Vec::new(); images], ..Self::default() }
    }

    /// Computes the successors of the vertices in `set`.
    pub fn compute(&mut self, graph: &PGraph, set: &[u32]) {
        self.members.clear();
        self.groups.clear();
        let arcs: usize = set.iter().map(|&v| graph.arcs(Vertex(v)).len()).sum();
        // Sorting few pairs is cheaper than walking over the bits of all vertices.
        if arcs * 16 < self.vertices { self.by_sorting(graph, set) } else { self.by_marking(graph, set) }
    }

    /// The images that may follow, ascending, each with the members of its successor, ascending.
    pub fn found(&self) -> impl Iterator<Item = (Image, &[u32])> {
        self.groups.iter().map(|&(image, start, end)| (image, &self.members[start..end]))
    }

    fn by_sorting(&mut self, graph: &PGraph, set: &[u32]) {
        self.pairs.clear();
        for &v in set {
            let arcs = graph.arcs(Vertex(v));
            self.pairs.extend(arcs.iter().map(|arc| (self.image_of[arc.label.index()], arc.to.0)));
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
        for group in self.pairs.chunk_by(|a, b| a.0 == b.0) {
            let start = self.members.len();
            self.members.extend(group.iter().map(|(_, v)| v));
            self.groups.push((group[0].0, start, self.members.len()));
        }
    }

    fn by_marking(&mut self, graph: &PGraph, set: &[u32]) {
        let words = self.vertices.div_ceil(64);
        let mut used: Vec<Image> = Vec::new();
        for &v in set {
            for arc in graph.arcs(Vertex(v)) {
                let image = self.image_of[arc.label.index()];
                let marks = &mut self.marks[image.index()];
                if marks.is_empty() {
                    marks.resize(words, 0);
                }
                if !used.contains(&image) {
                    used.push(image);
                }
                marks[arc.to.index() / 64] |= 1 << (arc.to.0 % 64);
            }
        }
        used.sort_unstable();
        for image in used {
            let start = self.members.len();
            for (i, word) in self.marks[image.index()].iter_mut().enumerate() {
                self.members.extend(ones(*word).map(|b| (i * 64 + b) as u32));
                *word = 0;
            }
            self.groups.push((image, start, self.members.len()));
        }
    }
}
