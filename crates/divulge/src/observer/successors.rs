//! What a belief becomes: the successors of a set of vertices, image by image.

use super::beliefs::{Beliefs, Members};
use crate::problem::{Image, PGraph, Vertex};

/// What it takes to make a set of the marks, in arcs looked at.
const EACH: u64 = 16;

/// The arcs of a graph as the observer sees them, and scratch room for computing the successors of one belief at a time.
#[derive(Debug, Default)]
pub struct Successors {
    bound: usize,
    image_of: Vec<Image>,
    /// Where the arcs of each vertex begin and end; both are 0 where nobody has asked for them yet.
    places: Vec<(u32, u32)>,
    /// After the first, which is nobody's: image and target; what looks the same and leads to the same vertex is there once.
    arcs: Vec<(Image, u32)>,
    marks: Vec<Marks>,
    /// The images with marks, ascending once computed.
    used: Vec<Image>,
    work: u64,
}

/// The vertices that one image leads to.
#[derive(Debug, Default)]
struct Marks {
    bits: Vec<u64>,
    /// The words of `bits` that are not zero.
    touched: Vec<u32>,
    list: Vec<u32>,
    count: usize,
}

impl Successors {
    /// For a graph whose label i looks like `image_of[i]`, one of `images` images.
    pub fn new(graph: &PGraph, image_of: &[Image], images: usize) -> Self {
        let mut marks = Vec::new();
        marks.resize_with(images, Marks::default);
        Self {
            bound: graph.len(),
            image_of: image_of.to_vec(),
            places: vec![(0, 0); graph.len()],
            arcs: vec![(Image(0), 0)],
            marks,
            used: Vec::new(),
            work: 0,
        }
    }

    /// How much was done: members and arcs looked at, and something for each successor.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Computes the successors of a set of vertices of the graph, the same one every time.
    pub fn compute(&mut self, graph: &PGraph, set: Members<'_>) {
        self.clear();
        let Self { bound, image_of, places, arcs, marks, used, work } = self;
        let words = bound.div_ceil(64);
        set.for_each(|v| {
            let place = &mut places[v as usize];
            if place.0 == 0 {
                *place = look(graph, image_of, Vertex(v), arcs);
            }
            *work += 1 + u64::from(place.1 - place.0);
            for &(image, to) in &arcs[place.0 as usize..place.1 as usize] {
                let marks = &mut marks[image.index()];
                if marks.touched.is_empty() {
                    used.push(image);
                    marks.bits.resize(words, 0);
                }
                let word = &mut marks.bits[to as usize / 64];
                if *word == 0 {
                    marks.touched.push(to / 64);
                }
                *word |= 1 << (to % 64);
            }
        });
        used.sort_unstable();
        *work += EACH * used.len() as u64;
        for image in used {
            marks[image.index()].finish(*bound);
        }
    }

    /// The images that may follow, ascending, each with the members of its successor.
    pub fn found(&self) -> impl Iterator<Item = (Image, Members<'_>)> {
        self.used.iter().map(|&image| {
            let marks = &self.marks[image.index()];
            let as_bits = Beliefs::as_bits(self.bound, marks.count);
            (image, if as_bits { Members::Bits(&marks.bits) } else { Members::List(&marks.list) })
        })
    }

    fn clear(&mut self) {
        for image in self.used.drain(..) {
            let marks = &mut self.marks[image.index()];
            for word in marks.touched.drain(..) {
                marks.bits[word as usize] = 0;
            }
        }
    }
}

/// Adds the arcs out of a vertex as the observer sees them.
fn look(graph: &PGraph, image_of: &[Image], v: Vertex, arcs: &mut Vec<(Image, u32)>) -> (u32, u32) {
    let first = arcs.len();
    arcs.extend(graph.arcs(v).iter().map(|arc| (image_of[arc.label.index()], arc.to.0)));
    if arcs.len() > first + 1 {
        arcs[first..].sort_unstable();
        let mut kept = first + 1;
        for i in first + 1..arcs.len() {
            if arcs[kept - 1] != arcs[i] {
                arcs[kept] = arcs[i];
                kept += 1;
            }
        }
        arcs.truncate(kept);
    }
    (first as u32, arcs.len() as u32)
}

impl Marks {
    /// Counts the members, and lists them if that is the form they are stored in.
    fn finish(&mut self, bound: usize) {
        self.count = self.touched.iter().map(|&w| self.bits[w as usize].count_ones() as usize).sum();
        self.list.clear();
        if !Beliefs::as_bits(bound, self.count) {
            self.touched.sort_unstable();
            for &w in &self.touched {
                let ones = crate::problem::bits::ones(self.bits[w as usize]);
                self.list.extend(ones.map(|b| w * 64 + b as u32));
            }
        }
    }
}
