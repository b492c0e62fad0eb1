//! Edges as curves, once everything has its place.

use super::{
    Edge, Layout, Node, Placed, Point, Route, Shape, Spacing,
    levels::{LOOP, Levels},
};

/// Layers are further apart where edges lead far to the side: by this share of how far, and at most so many times.
const SLOPE: f64 = 0.4;
const FURTHEST: f64 = 2.2;

/// Ports of a vertex are at most so far apart.
const PORT: f64 = 12.0;

/// The layout of one connected graph, given where in its layer each item is.
pub(super) fn route(nodes: &[Node], edges: &[Edge], levels: &Levels, x: &[f64], spacing: &Spacing) -> Layout {
    let bands = bands(levels, x, spacing);
    let middle = |item: u32| {
        let (top, bottom) = bands[levels.items[item as usize].layer];
        Point::new(x[item as usize], (top + bottom) / 2.0)
    };
    let placed: Vec<Placed> =
        (0..nodes.len()).map(|v| Placed { at: middle(v as u32), layer: levels.items[v].layer }).collect();
    let ports = Ports::new(nodes, levels, &placed, x);
    let mut routes = Vec::with_capacity(edges.len());
    let mut loops = vec![0.0; nodes.len()];
    for (i, (edge, chain)) in edges.iter().zip(&levels.chains).enumerate() {
        let mut route = match chain.items.len() {
            0 => around(edge, nodes[edge.from], placed[edge.from].at, &mut loops[edge.from], spacing),
            _ => through(levels, i, x, &bands, &ports),
        };
        route.reversed = chain.reversed && edge.from != edge.to;
        if let Some(label) = chain.label {
            route.label = Some(middle(chain.items[label]));
        }
        routes.push(route);
    }
    let right = levels.items.iter().zip(x).map(|(item, x)| x + item.right).fold(0.0, f64::max);
    let bottom = bands.last().map_or(0.0, |band| band.1);
    Layout { size: Point::new(right, bottom), nodes: placed, edges: routes }
}

/// Where each layer begins and ends.
fn bands(levels: &Levels, x: &[f64], spacing: &Spacing) -> Vec<(f64, f64)> {
    let mut bands = Vec::with_capacity(levels.layers.len());
    let mut top = 0.0;
    for layer in &levels.layers {
        let height = layer.iter().map(|&i| levels.items[i as usize].height).fold(0.0, f64::max);
        bands.push((top, top + height));
        let aside = layer.iter().flat_map(|&i| {
            levels.down[i as usize].iter().map(move |&j| (x[i as usize] - x[j as usize]).abs())
        });
        let furthest = aside.fold(0.0, f64::max);
        // A layer of labels halves the way between two layers of vertices.
        let labels = layer.iter().all(|&i| !levels.items[i as usize].node);
        let next = bands.len();
        let to_labels =
            levels.layers.get(next).is_some_and(|l| l.iter().all(|&i| !levels.items[i as usize].node));
        let gap = if labels || to_labels { spacing.layer_gap / 2.0 } else { spacing.layer_gap };
        top += height + (furthest * SLOPE).clamp(gap, gap * FURTHEST);
    }
    bands
}

/// Where the edges of each vertex touch it.
struct Ports {
    /// For each chain, where it leaves its earlier end and where it comes to its later one.
    ends: Vec<(Point, Point)>,
}

impl Ports {
    fn new(nodes: &[Node], levels: &Levels, placed: &[Placed], x: &[f64]) -> Self {
        let mut ends = vec![(Point::default(), Point::default()); levels.chains.len()];
        let (mut below, mut above) = (vec![Vec::new(); nodes.len()], vec![Vec::new(); nodes.len()]);
        for (i, chain) in levels.chains.iter().enumerate() {
            if let [first, second, ..] = chain.items[..] {
                below[first as usize].push((x[second as usize], i));
            }
            if let [.., before, last] = chain.items[..] {
                above[last as usize].push((x[before as usize], i));
            }
        }
        for (v, node) in nodes.iter().enumerate() {
            for (list, side) in [(&mut below[v], 1.0), (&mut above[v], -1.0)] {
                list.sort_by(|a, b| a.0.total_cmp(&b.0));
                let count = list.len() as f64;
                let step = (node.size.x * 0.6 / count).min(PORT);
                for (k, &(_, chain)) in list.iter().enumerate() {
                    let dx = (k as f64 - (count - 1.0) / 2.0) * step;
                    let at = placed[v].at;
                    let port = Point::new(at.x + dx, at.y + side * border(node, dx));
                    if side > 0.0 { ends[chain].0 = port } else { ends[chain].1 = port }
                }
            }
        }
        Self { ends }
    }
}

/// How far below its middle a vertex ends, so far from its middle.
fn border(node: &Node, dx: f64) -> f64 {
    let (a, b) = (node.size.x / 2.0, node.size.y / 2.0);
    match node.shape {
        Shape::Ellipse if a > 0.0 => b * (1.0 - (dx / a).powi(2)).max(0.0).sqrt(),
        Shape::Box | Shape::Ellipse => b,
    }
}

/// An edge from layer to layer: straight through layers, curved between them.
fn through(levels: &Levels, number: usize, x: &[f64], bands: &[(f64, f64)], ports: &Ports) -> Route {
    let chain = &levels.chains[number];
    let band = |item: u32| bands[levels.items[item as usize].layer];
    let (first, last) = (chain.items[0], chain.items[chain.items.len() - 1]);
    let (start, end) = ports.ends[number];
    let mut at = start;
    let mut curves = Vec::new();
    straight(&mut curves, &mut at, band(first).1);
    for &item in &chain.items[1..] {
        let (top, bottom) = band(item);
        let to = Point::new(if item == last { end.x } else { x[item as usize] }, top);
        let half = (at.y + to.y) / 2.0;
        curves.push([at, Point::new(at.x, half), Point::new(to.x, half), to]);
        at = to;
        straight(&mut curves, &mut at, if item == last { end.y } else { bottom });
    }
    if chain.reversed {
        curves.reverse();
        curves.iter_mut().for_each(|curve| curve.reverse());
    }
    Route { curves, label: None, reversed: chain.reversed }
}

fn straight(curves: &mut Vec<[Point; 4]>, at: &mut Point, y: f64) {
    if (at.y - y).abs() > 1e-9 {
        let to = Point::new(at.x, y);
        let third = (to.y - at.y) / 3.0;
        curves.push([*at, Point::new(at.x, at.y + third), Point::new(at.x, to.y - third), to]);
        *at = to;
    }
}

/// An edge from a vertex to itself, at its right. `taken` is how much room there others have taken.
fn around(edge: &Edge, node: Node, at: Point, taken: &mut f64, spacing: &Spacing) -> Route {
    let right = at.x + node.size.x / 2.0;
    // Each loop lies around those before it.
    let reach = right + *taken + LOOP;
    let half = node.size.y / 4.0;
    let side = |dy: f64| match node.shape {
        Shape::Box => Point::new(right, at.y + dy),
        Shape::Ellipse => Point::new(at.x + node.size.x / 2.0 * 0.75f64.sqrt(), at.y + dy),
    };
    let (start, end) = (side(-half), side(half));
    // A cubic reaches three quarters of the way to its handles.
    let handle = |p: Point| Point::new(p.x + (reach - p.x) / 0.75, p.y + (p.y - at.y) * 0.4);
    let label = edge.label.unwrap_or_default();
    let middle = Point::new(reach + label.x / 2.0 + spacing.edge_gap / 2.0, at.y);
    *taken += LOOP + label.x + if label.x > 0.0 { spacing.edge_gap } else { 0.0 };
    let curves = vec![[start, handle(start), handle(end), end]];
    Route { curves, label: edge.label.map(|_| middle), reversed: false }
}
