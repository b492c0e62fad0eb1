//! Layers filled with vertices, and with bends of the edges that pass through.

use super::{Edge, Node, Point, Spacing, cycles, ranks};
use crate::pace::{Limit, Pace};

/// Beyond so many bends, in all and for each vertex, the longest edges lead straight to their ends.
const MOST_BENDS: usize = 120_000;
const BENDS_EACH: usize = 20;

/// Something that has a place in a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub layer: usize,
    /// How far it reaches from its position to the left and to the right.
    pub left: f64,
    pub right: f64,
    pub height: f64,
    /// Whether it is a vertex; else it is a bend or a label of an edge.
    pub node: bool,
}

/// One edge through the layers.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// The items that it passes, from the earlier end to the later. An edge that was given no bends has its ends alone.
    pub items: Vec<u32>,
    /// Which of them bears the label.
    pub label: Option<usize>,
    /// Whether it was turned round.
    pub reversed: bool,
}

/// The layers of one connected graph.
#[derive(Debug, Default)]
pub(super) struct Levels {
    /// Vertices first, in their order, then bends.
    pub items: Vec<Item>,
    /// The items of each layer, in their order.
    pub layers: Vec<Vec<u32>>,
    /// The neighbours in the layer before and in the layer after.
    pub up: Vec<Vec<u32>>,
    pub down: Vec<Vec<u32>>,
    /// One for each edge; those of loops are empty.
    pub chains: Vec<Chain>,
}

/// How far a loop bulges out of its vertex.
pub(super) const LOOP: f64 = 16.0;

/// The layers of a graph whose edges all have two ends.
pub(super) fn levels(
    nodes: &[Node],
    edges: &[Edge],
    roots: &[usize],
    spacing: &Spacing,
    pace: &Pace<'_>,
) -> Result<Levels, Limit> {
    let n = nodes.len();
    pace.work(n + edges.len())?;
    let pairs: Vec<(usize, usize)> = edges.iter().map(|e| (e.from, e.to)).collect();
    let back = cycles::leading_back(n, &pairs, roots);
    let forward = |i: usize| if back[i] { (pairs[i].1, pairs[i].0) } else { pairs[i] };
    let straight: Vec<(usize, usize)> =
        (0..edges.len()).filter(|&i| pairs[i].0 != pairs[i].1).map(forward).collect();
    // A label needs a layer between its vertices, and so do edges that would run in each other's way.
    let mut parallel = straight.clone();
    parallel.sort_unstable();
    let twice = parallel.windows(2).any(|pair| pair[0] == pair[1]);
    let least = if twice || edges.iter().any(|e| e.label.is_some()) { 2 } else { 1 };
    let mut first = vec![false; n];
    roots.iter().for_each(|&v| first[v] = true);
    let rank = ranks::ranks(n, &straight, least, &first);

    let mut levels = Levels::default();
    for (v, node) in nodes.iter().enumerate() {
        let half = node.size.x / 2.0;
        let item = Item { layer: rank[v], left: half, right: half, height: node.size.y, node: true };
        levels.add(item);
    }
    for edge in edges.iter().filter(|e| e.from == e.to) {
        let label = edge.label.unwrap_or_default();
        levels.items[edge.from].right += LOOP + label.x + if label.x > 0.0 { spacing.edge_gap } else { 0.0 };
        let room = &mut levels.items[edge.from].height;
        *room = room.max(label.y);
    }
    let longest = longest_with_bends(&straight, &rank);
    for (i, edge) in edges.iter().enumerate() {
        pace.work(levels.chains.last().map_or(1, |chain: &Chain| chain.items.len()))?;
        let chain = match edge.from == edge.to {
            true => Chain::default(),
            false => levels.chain(forward(i), edge.label, back[i], longest),
        };
        levels.chains.push(chain);
    }
    Ok(levels)
}

/// Edges over more layers than this get no bends, so that there are not too many.
fn longest_with_bends(edges: &[(usize, usize)], rank: &[usize]) -> usize {
    let mut spans: Vec<usize> = edges.iter().map(|&(from, to)| rank[to] - rank[from]).collect();
    spans.sort_unstable();
    let most = (rank.len() * BENDS_EACH + 5_000).min(MOST_BENDS);
    let mut bends = 0;
    for span in spans {
        bends += span - 1;
        if bends > most {
            return (span - 1).max(2);
        }
    }
    usize::MAX
}

impl Levels {
    fn add(&mut self, item: Item) -> u32 {
        if self.layers.len() <= item.layer {
            self.layers.resize(item.layer + 1, Vec::new());
        }
        let id = self.items.len() as u32;
        self.layers[item.layer].push(id);
        self.items.push(item);
        self.up.push(Vec::new());
        self.down.push(Vec::new());
        id
    }

    fn chain(
        &mut self,
        (from, to): (usize, usize),
        label: Option<Point>,
        reversed: bool,
        longest: usize,
    ) -> Chain {
        let (start, end) = (self.items[from].layer, self.items[to].layer);
        let mut chain = Chain { items: vec![from as u32], label: None, reversed };
        // Labels stand in the layers between those of vertices, near where the edge begins.
        let middle = match label {
            Some(_) if reversed => end - 1,
            Some(_) => start + 1,
            None => usize::MAX,
        };
        let all = end - start <= longest;
        for layer in start + 1..end {
            if !all && layer != middle {
                continue;
            }
            let size = if layer == middle { label.unwrap_or_default() } else { Point::default() };
            let (half, height) = (size.x / 2.0, size.y);
            let id = self.add(Item { layer, left: half, right: half, height, node: false });
            if layer == middle {
                chain.label = Some(chain.items.len());
            }
            chain.items.push(id);
        }
        chain.items.push(to as u32);
        for pair in chain.items.windows(2) {
            if self.items[pair[0] as usize].layer + 1 == self.items[pair[1] as usize].layer {
                self.down[pair[0] as usize].push(pair[1]);
                self.up[pair[1] as usize].push(pair[0]);
            }
        }
        chain
    }

    /// How far apart two neighbours of a layer must be.
    pub fn apart(&self, a: u32, b: u32, spacing: &Spacing) -> f64 {
        let (a, b) = (&self.items[a as usize], &self.items[b as usize]);
        let gap = if a.node && b.node { spacing.node_gap } else { spacing.edge_gap };
        a.right + gap + b.left
    }
}
