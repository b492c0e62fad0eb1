//! A layered layout of directed graphs: edges lead from layer to layer, mostly in one direction.
//!
//! *Background.* The steps are Sugiyama's: edges that close a cycle are turned round (`cycles.rs`), vertices are put into
//! layers so that every edge leads to a later one (`ranks.rs`), long edges and labels get places of their own in the layers
//! between, the order within the layers is improved until few edges cross (`order.rs`), and then everything is moved to where its
//! neighbours are, as far as there is room (`place.rs`). Parts that are not connected are laid out one by one and packed (`pack.rs`).
//!
//! *Practical.* [`layout`] takes the sizes of vertices and labels and gives their places, and the edges as curves. No two
//! vertices or labels overlap. The same graph always gives the same layout. Long work polls a monitor.

use crate::pace::{Limit, Monitor, Pace};

mod cycles;
mod levels;
mod order;
mod pack;
mod place;
mod ranks;
mod route;

/// A point, or a size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// The point at these coordinates.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    fn swapped(self) -> Self {
        Self { x: self.y, y: self.x }
    }
}

/// The outline of a vertex, which edges end at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A rectangle.
    #[default]
    Box,
    /// An ellipse.
    Ellipse,
}

/// A vertex to be laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    /// Its size.
    pub size: Point,
    /// Its outline.
    pub shape: Shape,
}

/// An edge to be laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Edge {
    /// The number of the vertex where it begins.
    pub from: usize,
    /// The number of the vertex where it ends.
    pub to: usize,
    /// The size of its label, if it has one.
    pub label: Option<Point>,
}

/// A graph to be laid out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The vertices.
    pub nodes: Vec<Node>,
    /// The edges; those that name a vertex that is not there get an empty route.
    pub edges: Vec<Edge>,
    /// The vertices that should come first, such as initial ones.
    pub roots: Vec<usize>,
}

/// Which way edges lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the top to the bottom.
    #[default]
    Down,
    /// From the left to the right.
    Right,
}

/// How far apart things are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spacing {
    /// Which way edges lead.
    pub direction: Direction,
    /// Between vertices of a layer.
    pub node_gap: f64,
    /// Between edges, and between an edge and a vertex.
    pub edge_gap: f64,
    /// Between layers; more where edges lead far to the side.
    pub layer_gap: f64,
}

impl Default for Spacing {
    fn default() -> Self {
        Self { direction: Direction::Down, node_gap: 18.0, edge_gap: 10.0, layer_gap: 26.0 }
    }
}

/// Where a vertex is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placed {
    /// Its middle.
    pub at: Point,
    /// Its layer within its connected part: every edge that is not [reversed](Route::reversed) leads to a later one.
    pub layer: usize,
}

/// How an edge runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Cubic Bézier curves from the outline of the first vertex to that of the second, each one's end the next one's start.
    pub curves: Vec<[Point; 4]>,
    /// The middle of its label.
    pub label: Option<Point>,
    /// Whether it leads to an earlier layer, against the direction of the others.
    pub reversed: bool,
}

impl Route {
    /// The route as the `d` of an SVG path.
    pub fn path(&self) -> String {
        let mut d = String::new();
        for (i, [a, b, c, e]) in self.curves.iter().enumerate() {
            if i == 0 {
                d += &format!("M{} {}", short(a.x), short(a.y));
            }
            // A straight piece needs no handles.
            if a.x == b.x && b.x == c.x && c.x == e.x {
                d += &format!("V{}", short(e.y));
            } else if a.y == b.y && b.y == c.y && c.y == e.y {
                d += &format!("H{}", short(e.x));
            } else {
                let all = [b.x, b.y, c.x, c.y, e.x, e.y].map(short);
                d += &format!("C{}", all.join(" "));
            }
        }
        d
    }
}

/// A number with at most one digit after the point.
pub(crate) fn short(n: f64) -> String {
    let tenths = (n * 10.0).round() as i64;
    match tenths % 10 {
        0 => format!("{}", tenths / 10),
        rest => format!("{}{}.{}", if tenths < 0 { "-" } else { "" }, (tenths / 10).abs(), rest.abs()),
    }
}

/// A graph, laid out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The size of the whole; everything lies between the origin and this.
    pub size: Point,
    /// The vertices, in the order of the graph's.
    pub nodes: Vec<Placed>,
    /// The edges, in the order of the graph's.
    pub edges: Vec<Route>,
}

/// Lays a graph out. Sizes that are not finite or negative count as nothing.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn layout(graph: &Graph, spacing: &Spacing, monitor: &dyn Monitor) -> Result<Layout, Limit> {
    let turned = spacing.direction == Direction::Right;
    let turn = |p: Point| if turned { p.swapped() } else { p };
    let clean = |p: Point| {
        let one = |n: f64| if n.is_finite() { n.clamp(0.0, 1e6) } else { 0.0 };
        turn(Point::new(one(p.x), one(p.y)))
    };
    let nodes: Vec<Node> = graph.nodes.iter().map(|node| Node { size: clean(node.size), ..*node }).collect();
    let edges: Vec<Edge> =
        graph.edges.iter().map(|edge| Edge { label: edge.label.map(clean), ..*edge }).collect();
    let mut all = pack::layout(&nodes, &edges, &graph.roots, spacing, &Pace::new(monitor))?;
    if turned {
        all.size = all.size.swapped();
        all.nodes.iter_mut().for_each(|node| node.at = node.at.swapped());
        for route in &mut all.edges {
            route.curves.iter_mut().flatten().for_each(|p| *p = p.swapped());
            route.label = route.label.map(Point::swapped);
        }
    }
    Ok(all)
}
