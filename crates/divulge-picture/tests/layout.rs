//! Layouts of random graphs: what must hold of every one.

use std::sync::atomic::{AtomicUsize, Ordering};

use divulge::{Limit, Monitor, Progress, Unlimited};
use divulge_naive::random::Rng;
use divulge_picture::layout::{self, Direction, Edge, Graph, Layout, Node, Point, Shape, Spacing};

fn layout(graph: &Graph, spacing: &Spacing) -> Layout {
    layout::layout(graph, spacing, &Unlimited).unwrap()
}

fn random(seed: u64, most: usize, labels: bool) -> Graph {
    let mut rng = Rng::new(seed);
    let n = rng.below(most + 1);
    let mut graph = Graph::default();
    for _ in 0..n {
        let size = Point::new(10.0 + rng.below(60) as f64, 10.0 + rng.below(30) as f64);
        let shape = if rng.below(2) == 0 { Shape::Box } else { Shape::Ellipse };
        graph.nodes.push(Node { size, shape });
    }
    let count = if n == 0 { 0 } else { rng.below(2 * n + 2) };
    for _ in 0..count {
        let label = (labels && rng.below(3) > 0).then(|| Point::new(8.0 + rng.below(50) as f64, 12.0));
        graph.edges.push(Edge { from: rng.below(n), to: rng.below(n), label });
    }
    if n > 0 && rng.below(2) == 0 {
        graph.roots.push(rng.below(n));
    }
    graph
}

type Area = (Point, Point);

fn boxes(graph: &Graph, drawn: &Layout) -> Vec<Area> {
    let around = |at: Point, size: Point| {
        (
            Point::new(at.x - size.x / 2.0, at.y - size.y / 2.0),
            Point::new(at.x + size.x / 2.0, at.y + size.y / 2.0),
        )
    };
    let nodes = graph.nodes.iter().zip(&drawn.nodes).map(|(node, placed)| around(placed.at, node.size));
    let labels = graph.edges.iter().zip(&drawn.edges);
    let labels = labels.filter_map(|(edge, route)| Some(around(route.label?, edge.label?)));
    nodes.chain(labels).collect()
}

fn overlap(a: Area, b: Area) -> bool {
    let slack = 1e-6;
    a.0.x + slack < b.1.x && b.0.x + slack < a.1.x && a.0.y + slack < b.1.y && b.0.y + slack < a.1.y
}

fn check(graph: &Graph, spacing: &Spacing) -> Layout {
    let drawn = layout(graph, spacing);
    assert_eq!((drawn.nodes.len(), drawn.edges.len()), (graph.nodes.len(), graph.edges.len()));
    let areas = boxes(graph, &drawn);
    for (i, &a) in areas.iter().enumerate() {
        assert!(a.0.x > -1e-6 && a.0.y > -1e-6, "{a:?} is outside");
        assert!(
            a.1.x < drawn.size.x + 1e-6 && a.1.y < drawn.size.y + 1e-6,
            "{a:?} is outside {:?}",
            drawn.size
        );
        for &b in &areas[i + 1..] {
            assert!(!overlap(a, b), "{a:?} overlaps {b:?} in {graph:?}");
        }
    }
    for (edge, route) in graph.edges.iter().zip(&drawn.edges) {
        let (from, to) = (drawn.nodes[edge.from], drawn.nodes[edge.to]);
        if edge.from != edge.to {
            let (early, late) = if route.reversed { (to, from) } else { (from, to) };
            assert!(early.layer < late.layer, "{edge:?} does not lead on");
        }
        assert_eq!(route.label.is_some(), edge.label.is_some());
        let (start, end) = (route.curves[0][0], route.curves[route.curves.len() - 1][3]);
        for (point, v) in [(start, edge.from), (end, edge.to)] {
            let (at, size) = (drawn.nodes[v].at, graph.nodes[v].size);
            let near = (point.x - at.x).abs() <= size.x / 2.0 + 1e-6
                && (point.y - at.y).abs() <= size.y / 2.0 + 1e-6;
            assert!(near, "{edge:?} does not touch its vertices");
        }
        for pair in route.curves.windows(2) {
            assert_eq!(pair[0][3], pair[1][0], "the route is broken");
        }
    }
    drawn
}

#[test]
fn random_graphs_are_laid_out_in_layers_without_overlaps() {
    for seed in 0..1500 {
        let graph = random(seed, 18, seed % 3 > 0);
        let direction = if seed % 2 == 0 { Direction::Down } else { Direction::Right };
        let spacing = Spacing { direction, ..Spacing::default() };
        let drawn = check(&graph, &spacing);
        assert_eq!(drawn, layout(&graph, &spacing), "the same graph, the same layout");
    }
    for seed in 0..12 {
        check(&random(seed + 9000, 160, seed % 2 == 0), &Spacing::default());
    }
}

/// An edge that passes a layer must not run through a vertex of it.
#[test]
fn edges_keep_clear_of_vertices() {
    for seed in 0..400 {
        let graph = random(seed + 500, 14, seed % 2 == 0);
        let drawn = layout(&graph, &Spacing::default());
        for (edge, route) in graph.edges.iter().zip(&drawn.edges).filter(|(e, _)| e.from != e.to) {
            for curve in &route.curves {
                for t in 0..=8 {
                    let p = bezier(curve, f64::from(t) / 8.0);
                    for (v, node) in
                        graph.nodes.iter().enumerate().filter(|(v, _)| ![edge.from, edge.to].contains(v))
                    {
                        let at = drawn.nodes[v].at;
                        let inside = (p.x - at.x).abs() < node.size.x / 2.0 - 0.1
                            && (p.y - at.y).abs() < node.size.y / 2.0 - 0.1;
                        assert!(!inside, "{edge:?} runs through {v}, seed {seed}");
                    }
                }
            }
        }
    }
}

fn bezier([a, b, c, d]: &[Point; 4], t: f64) -> Point {
    let s = 1.0 - t;
    let mix = |a: f64, b: f64, c: f64, d: f64| {
        s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
    };
    Point::new(mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y))
}

#[test]
fn strange_input_does_no_harm() {
    let mut graph = random(3, 9, true);
    graph.nodes.push(Node { size: Point::new(f64::NAN, -3.0), shape: Shape::Ellipse });
    graph.edges.push(Edge { from: 0, to: 9999, label: None });
    graph.roots.push(12345);
    let drawn = layout(&graph, &Spacing::default());
    assert!(drawn.edges.last().is_some_and(|route| route.curves.is_empty() && route.path().is_empty()));
    assert!(drawn.nodes.iter().all(|node| node.at.x.is_finite() && node.at.y.is_finite()));
    assert_eq!(layout(&Graph::default(), &Spacing::default()), Layout::default());
}

#[test]
fn a_tree_is_symmetric_and_a_path_straight() {
    let node = Node { size: Point::new(20.0, 10.0), shape: Shape::Box };
    let edge = |from, to| Edge { from, to, label: None };
    let path =
        Graph { nodes: vec![node; 5], edges: (0..4).map(|i| edge(i, i + 1)).collect(), roots: vec![0] };
    let drawn = layout(&path, &Spacing::default());
    assert!(drawn.nodes.iter().all(|placed| placed.at.x == 10.0), "{drawn:?}");
    let tree = Graph { nodes: vec![node; 3], edges: vec![edge(0, 1), edge(0, 2)], roots: vec![0] };
    let drawn = layout(&tree, &Spacing::default());
    let [top, left, right] = [0, 1, 2].map(|v| drawn.nodes[v].at);
    assert!((top.x - (left.x + right.x) / 2.0).abs() < 1e-6 && left.y == right.y && left.x < right.x);
}

/// Long chains, wide stars, dense graphs: in time, and without a deep stack.
#[test]
fn large_graphs_do_not_hang() {
    let node = Node { size: Point::new(30.0, 16.0), shape: Shape::Box };
    let edge = |from, to| Edge { from, to, label: Some(Point::new(20.0, 10.0)) };
    let path = (0..9_999).map(|i| edge(i, i + 1)).collect();
    let star = (1..10_000).map(|i| edge(0, i)).collect();
    let mut rng = Rng::new(5);
    let tangle = (0..30_000).map(|_| edge(rng.below(10_000), rng.below(10_000))).collect();
    for edges in [path, star, tangle] {
        let drawn = layout(&Graph { nodes: vec![node; 10_000], edges, roots: vec![0] }, &Spacing::default());
        assert!(drawn.size.x.is_finite() && drawn.size.x > 0.0);
    }
}

/// Allows so many polls.
struct Polls(AtomicUsize);

impl Monitor for Polls {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        left.map(|_| ()).map_err(|_| Limit::Interrupt)
    }
}

/// Wherever a limit is hit, the layout ends with it: nothing goes on for long without a poll.
#[test]
fn layouts_end_when_they_are_told_to() {
    let node = Node { size: Point::new(30.0, 20.0), shape: Shape::Box };
    let mut rng = Rng::new(3);
    let edges = (0..3000).map(|_| Edge { from: rng.below(900), to: rng.below(900), label: None }).collect();
    let graph = Graph { nodes: vec![node; 900], edges, roots: vec![0] };
    let all = Polls(AtomicUsize::new(usize::MAX));
    layout::layout(&graph, &Spacing::default(), &all).unwrap();
    let polls = usize::MAX - all.0.into_inner();
    assert!(polls > 100, "only {polls} polls");
    for allowed in (0..polls).step_by(polls / 40) {
        let some = Polls(AtomicUsize::new(allowed));
        assert_eq!(layout::layout(&graph, &Spacing::default(), &some), Err(Limit::Interrupt));
    }
}
