//! Connected parts, laid out one by one and put side by side.

use super::{Edge, Layout, Node, Placed, Point, Route, Spacing, levels, order, place, route};
use crate::pace::{Limit, Pace};

/// How much wider than high a picture of many parts should be.
const ASPECT: f64 = 1.6;

/// Lays out every connected part and packs them in rows, in the order of their first vertices.
pub(super) fn layout(
    nodes: &[Node],
    edges: &[Edge],
    roots: &[usize],
    spacing: &Spacing,
    pace: &Pace<'_>,
) -> Result<Layout, Limit> {
    pace.work(nodes.len() + edges.len())?;
    let parts = parts(nodes.len(), edges, roots);
    let mut drawn: Vec<Layout> = Vec::with_capacity(parts.len());
    for part in &parts {
        let own: Vec<Node> = part.nodes.iter().map(|&v| nodes[v]).collect();
        let mut levels = levels::levels(&own, &part.local(edges), &part.roots, spacing, pace)?;
        order::order(&mut levels, pace)?;
        let x = place::place(&levels, spacing, pace)?;
        pace.work(levels.items.len())?;
        drawn.push(route::route(&own, &part.local(edges), &levels, &x, spacing));
    }
    let gap = spacing.node_gap.max(spacing.layer_gap);
    let area: f64 = drawn.iter().map(|d| (d.size.x + gap) * (d.size.y + gap)).sum();
    let widest = drawn.iter().map(|d| d.size.x).fold((area * ASPECT).sqrt(), f64::max);
    let mut all = Layout {
        size: Point::default(),
        nodes: vec![Placed::default(); nodes.len()],
        edges: vec![Route::default(); edges.len()],
    };
    let (mut at, mut row) = (Point::default(), 0.0f64);
    for (part, mut own) in parts.iter().zip(drawn) {
        if at.x > 0.0 && at.x + own.size.x > widest {
            at = Point::new(0.0, at.y + row + gap);
            row = 0.0;
        }
        shift(&mut own, at);
        row = row.max(own.size.y);
        all.size = Point::new(all.size.x.max(at.x + own.size.x), all.size.y.max(at.y + own.size.y));
        at.x += own.size.x + gap;
        for (&v, placed) in part.nodes.iter().zip(own.nodes) {
            all.nodes[v] = placed;
        }
        for (&e, route) in part.edges.iter().zip(own.edges) {
            all.edges[e] = route;
        }
    }
    Ok(all)
}

fn shift(layout: &mut Layout, by: Point) {
    let move_by = |p: &mut Point| *p = Point::new(p.x + by.x, p.y + by.y);
    layout.nodes.iter_mut().for_each(|node| move_by(&mut node.at));
    for route in &mut layout.edges {
        route.curves.iter_mut().flatten().for_each(move_by);
        route.label.iter_mut().for_each(move_by);
    }
}

/// A connected part.
#[derive(Default)]
struct Part {
    nodes: Vec<usize>,
    edges: Vec<usize>,
    /// By their numbers within the part.
    roots: Vec<usize>,
    /// Where each edge begins and ends, by the numbers within the part.
    ends: Vec<(usize, usize)>,
}

impl Part {
    fn local(&self, edges: &[Edge]) -> Vec<Edge> {
        let each = self.edges.iter().zip(&self.ends);
        each.map(|(&e, &(from, to))| Edge { from, to, ..edges[e] }).collect()
    }
}

/// The connected parts. Edges that name no vertex belong to none.
fn parts(n: usize, edges: &[Edge], roots: &[usize]) -> Vec<Part> {
    let there = |edge: &Edge| edge.from < n && edge.to < n;
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); n];
    for edge in edges.iter().filter(|e| there(e)) {
        near[edge.from].push(edge.to);
        near[edge.to].push(edge.from);
    }
    let mut part_of = vec![usize::MAX; n];
    let mut parts: Vec<Part> = Vec::new();
    for start in 0..n {
        let mut todo = vec![start];
        while let Some(v) = todo.pop() {
            if part_of[v] == usize::MAX {
                part_of[v] = parts.len();
                todo.extend(&near[v]);
            }
        }
        if part_of[start] == parts.len() {
            parts.push(Part::default());
        }
    }
    let mut local = vec![0; n];
    for v in 0..n {
        local[v] = parts[part_of[v]].nodes.len();
        parts[part_of[v]].nodes.push(v);
    }
    for (i, edge) in edges.iter().enumerate().filter(|(_, e)| there(e)) {
        let part = &mut parts[part_of[edge.from]];
        part.edges.push(i);
        part.ends.push((local[edge.from], local[edge.to]));
    }
    for &root in roots.iter().filter(|&&v| v < n) {
        parts[part_of[root]].roots.push(local[root]);
    }
    parts
}
