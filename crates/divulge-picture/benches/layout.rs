//! How long layouts take: `cargo bench -p divulge-picture --bench layout`. Each row is the best of three.

use std::time::Instant;

use divulge::Unlimited;
use divulge_naive::random::Rng;
use divulge_picture::layout::{Edge, Graph, Node, Point, Shape, Spacing, layout};

/// Random edges anywhere: as hard as can be.
fn tangle(n: usize) -> Vec<(usize, usize)> {
    let mut rng = Rng::new(7);
    (0..2 * n).map(|_| (rng.below(n), rng.below(n))).collect()
}

/// Moves between neighbouring cells of a square.
fn grid(n: usize) -> Vec<(usize, usize)> {
    let side = (n as f64).sqrt() as usize;
    let right = (0..n).filter(move |v| v % side + 1 < side).map(|v| (v, v + 1));
    let down = (0..n.saturating_sub(side)).map(move |v| (v, v + side));
    right.chain(down).filter(|&(_, to)| to < n).collect()
}

fn tree(n: usize) -> Vec<(usize, usize)> {
    (1..n).map(|v| ((v - 1) / 3, v)).collect()
}

fn main() {
    println!("| graph | vertices | edges | milliseconds |\n|---|---:|---:|---:|");
    type Edges = fn(usize) -> Vec<(usize, usize)>;
    let kinds: [(&str, Edges); 3] = [("tree", tree), ("grid", grid), ("random", tangle)];
    for (name, edges) in kinds {
        for n in [100, 1_000, 10_000] {
            let label = Some(Point::new(30.0, 11.0));
            let edges: Vec<Edge> = edges(n).into_iter().map(|(from, to)| Edge { from, to, label }).collect();
            let node = Node { size: Point::new(60.0, 20.0), shape: Shape::Box };
            let graph = Graph { nodes: vec![node; n], edges, roots: vec![0] };
            let best = (0..3)
                .map(|_| {
                    let begin = Instant::now();
                    let drawn = layout(std::hint::black_box(&graph), &Spacing::default(), &Unlimited);
                    assert!(std::hint::black_box(drawn).is_ok());
                    begin.elapsed()
                })
                .min()
                .unwrap_or_default();
            println!("| {name} | {n} | {} | {:.1} |", graph.edges.len(), best.as_secs_f64() * 1e3);
        }
    }
}
