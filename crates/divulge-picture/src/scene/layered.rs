//! A graph in layers, with texts.

use std::collections::VecDeque;

use divulge::problem::{Alphabet, Kind, Label, Names, PGraph, Problem, Vertex};

use super::SceneOptions;
use crate::{
    layout::{self, Direction, Edge, Graph, Layout, Node, Point, Shape, Spacing},
    pace::{Limit, Monitor, Pace},
    text,
};

/// The sizes of texts at vertices and at edges.
pub const NODE_TEXT: f64 = 10.0;
/// The size of texts at edges.
pub const EDGE_TEXT: f64 = 9.0;

/// Longer texts are broken, and cut after a few lines.
const NODE_WIDTH: f64 = 92.0;
const EDGE_WIDTH: f64 = 80.0;
const LINES: usize = 3;

/// A vertex in the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneNode {
    /// The vertex.
    pub vertex: Vertex,
    /// What is written in it.
    pub lines: Vec<String>,
    /// Its size.
    pub size: Point,
    /// Its outline: a box for an action vertex, an ellipse for an observation vertex.
    pub shape: Shape,
    /// Whether edges lead from it to vertices that are left out.
    pub goes_on: bool,
}

/// An edge in the picture, with all its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneEdge {
    /// The number of the node where it begins.
    pub from: usize,
    /// The number of the node where it ends.
    pub to: usize,
    /// Its labels, ascending.
    pub labels: Vec<Label>,
    /// What is written at it.
    pub lines: Vec<String>,
    /// The size of that.
    pub size: Point,
}

/// A p-graph in layers.
#[derive(Clone, Debug, PartialEq)]
pub struct LayeredScene {
    /// The vertices that are drawn.
    pub nodes: Vec<SceneNode>,
    /// The edges between them.
    pub edges: Vec<SceneEdge>,
    /// The number of the node of each vertex of the graph, if it is drawn.
    pub node_of: Vec<Option<usize>>,
    /// How many vertices are left out.
    pub left_out: usize,
    /// Where everything is; the nodes' and edges' order is that above.
    pub layout: Layout,
    /// Which way edges lead.
    pub direction: Direction,
}

impl LayeredScene {
    /// The world of a problem.
    ///
    /// # Errors
    /// As [`graph_scene`].
    pub fn world(problem: &Problem, options: &SceneOptions, monitor: &dyn Monitor) -> Result<Self, Limit> {
        let world = &problem.world;
        graph_scene(&world.graph, &world.names, &problem.alphabet, options, monitor)
    }
}

/// Any p-graph in layers.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn graph_scene(
    graph: &PGraph,
    names: &Names,
    alphabet: &Alphabet,
    options: &SceneOptions,
    monitor: &dyn Monitor,
) -> Result<LayeredScene, Limit> {
    let pace = Pace::new(monitor);
    let kept = neighbourhood(graph, options, &pace)?;
    let mut node_of = vec![None; graph.len()];
    kept.iter().enumerate().for_each(|(i, v)| node_of[v.index()] = Some(i));
    let nodes: Vec<SceneNode> = kept
        .iter()
        .map(|&vertex| {
            let lines = text::wrap(spoken(names.name(vertex.0)), NODE_TEXT, NODE_WIDTH, LINES);
            let action = graph.kind(vertex) == Kind::Action;
            let goes_on = graph.arcs(vertex).iter().any(|arc| node_of[arc.to.index()].is_none());
            let mut size = block(&lines, NODE_TEXT);
            size = match action {
                true => Point::new(size.x + 12.0, size.y + 8.0),
                // A text in an ellipse needs room at the sides.
                false => Point::new(size.x * 1.2 + 14.0, size.y * 1.2 + 8.0),
            };
            let shape = if action { Shape::Box } else { Shape::Ellipse };
            SceneNode { vertex, lines, size: Point::new(size.x.max(22.0), size.y.max(20.0)), shape, goes_on }
        })
        .collect();
    let edges = edges(graph, alphabet, &kept, &node_of, &pace)?;
    let roots = graph.initial().iter().filter_map(|v| node_of[v.index()]).collect();
    let plain = Graph {
        nodes: nodes.iter().map(|node| Node { size: node.size, shape: node.shape }).collect(),
        edges: edges
            .iter()
            .map(|e| Edge { from: e.from, to: e.to, label: Some(Point::new(e.size.x + 4.0, e.size.y)) })
            .collect(),
        roots,
    };
    let (layout, direction) = best_shape(&plain, options.direction, monitor)?;
    Ok(LayeredScene { left_out: graph.len() - kept.len(), nodes, edges, node_of, layout, direction })
}

/// The name of a vertex without what its outline says already: a world by rules names its vertices `u(…)` and `y(…)`.
fn spoken(name: &str) -> &str {
    let inner = name.strip_prefix("u(").or_else(|| name.strip_prefix("y("));
    inner.and_then(|inner| inner.strip_suffix(')')).unwrap_or(name)
}

/// The size of a block of lines.
pub(crate) fn block(lines: &[String], size: f64) -> Point {
    let widest = lines.iter().map(|line| text::width(line, size)).fold(0.0, f64::max);
    Point::new(widest, lines.len() as f64 * size * text::LINE)
}

fn best_shape(
    graph: &Graph,
    wanted: Option<Direction>,
    monitor: &dyn Monitor,
) -> Result<(Layout, Direction), Limit> {
    let drawn = |direction| {
        let spacing = Spacing { direction, ..Spacing::default() };
        Ok((layout::layout(graph, &spacing, monitor)?, direction))
    };
    match wanted {
        Some(direction) => drawn(direction),
        None => {
            let right = drawn(Direction::Right)?;
            // A page takes a picture that is somewhat wider than high.
            let aspect = |size: Point| (size.x.max(1.0) / size.y.max(1.0) / 1.5).ln().abs();
            if aspect(right.0.size) < 0.5 {
                return Ok(right);
            }
            let down = drawn(Direction::Down)?;
            Ok(if aspect(down.0.size) < aspect(right.0.size) { down } else { right })
        }
    }
}

/// The vertices to draw, ascending: all, or those nearest to the focus and to the initial vertices.
fn neighbourhood(graph: &PGraph, options: &SceneOptions, pace: &Pace<'_>) -> Result<Vec<Vertex>, Limit> {
    if graph.len() <= options.most {
        return Ok(graph.vertices().collect());
    }
    let mut seen = vec![false; graph.len()];
    let mut kept: Vec<Vertex> = Vec::new();
    let focus = options.focus.iter().filter(|v| v.index() < graph.len());
    let mut todo: VecDeque<Vertex> = focus.chain(graph.initial()).copied().collect();
    while let Some(v) = todo.pop_front() {
        if kept.len() >= options.most.max(1) {
            break;
        }
        if !std::mem::replace(&mut seen[v.index()], true) {
            kept.push(v);
            pace.work(graph.arcs(v).len())?;
            todo.extend(graph.arcs(v).iter().map(|arc| arc.to));
        }
    }
    kept.sort_unstable();
    Ok(kept)
}

fn edges(
    graph: &PGraph,
    alphabet: &Alphabet,
    kept: &[Vertex],
    node_of: &[Option<usize>],
    pace: &Pace<'_>,
) -> Result<Vec<SceneEdge>, Limit> {
    let mut all = Vec::new();
    for (from, &v) in kept.iter().enumerate() {
        let mut arcs = graph.arcs(v).to_vec();
        pace.work(arcs.len())?;
        arcs.sort_unstable_by_key(|arc| (arc.to, arc.label));
        for group in arcs.chunk_by(|a, b| a.to == b.to) {
            let Some(to) = node_of[group[0].to.index()] else { continue };
            let labels: Vec<Label> = group.iter().map(|arc| arc.label).collect();
            let names: Vec<&str> = labels.iter().map(|&l| alphabet.name(l)).collect();
            let lines = text::wrap(&names.join(", "), EDGE_TEXT, EDGE_WIDTH, LINES);
            let size = block(&lines, EDGE_TEXT);
            all.push(SceneEdge { from, to, labels, lines, size });
        }
    }
    Ok(all)
}
