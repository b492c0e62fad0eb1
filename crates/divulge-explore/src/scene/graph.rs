//! Worlds and plans as graphs in layers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use divulge::{
    Limit, Monitor,
    graph::Joint,
    problem::{Alphabet, Kind, Label, Plan, Problem, Vertex},
};
use divulge_picture::layout::{Direction, Edge, Graph, Node, Point, Shape, Spacing, layout};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::{View, places::Places};

/// How many places a picture of a part has.
const PART: usize = 150;

/// Longer texts are cut; more labels than this on an edge are counted.
const LONG: usize = 32;
const MOST_LABELS: usize = 4;

/// About the size of a letter, and of a line.
const LETTER: f64 = 6.6;
const LINE: f64 = 16.0;

/// A graph, drawn.
#[derive(Clone, Debug, Serialize)]
pub struct Drawing {
    /// Its width and height.
    pub size: (f64, f64),
    /// Its nodes.
    pub nodes: Vec<DrawnNode>,
    /// Its edges.
    pub edges: Vec<DrawnEdge>,
    /// What is said if this is not all.
    pub partial: Option<String>,
}

/// A node, drawn.
#[derive(Clone, Debug, Serialize)]
pub struct DrawnNode {
    /// The number of what it stands for: a plan vertex, or a place.
    pub id: u32,
    /// Its middle.
    pub at: (f64, f64),
    /// Its width and height.
    pub size: (f64, f64),
    /// Its text.
    pub text: String,
    /// All of it, in words.
    pub words: String,
    /// Whether it is round: the robot observes there.
    pub round: bool,
    /// Whether it begins there.
    pub start: bool,
    /// Whether it is a goal, or the plan ends there.
    pub marked: bool,
}

/// An edge, drawn.
#[derive(Clone, Debug, Serialize)]
pub struct DrawnEdge {
    /// The numbers of the nodes that it joins.
    pub ends: (usize, usize),
    /// The `d` of its path.
    pub path: String,
    /// Its label.
    pub text: String,
    /// The middle of its label.
    pub at: (f64, f64),
}

/// What is to be drawn.
struct Sketch {
    nodes: Vec<DrawnNode>,
    /// The labels of the edges, by the nodes that they join.
    edges: BTreeMap<(usize, usize), Vec<Label>>,
    partial: Option<String>,
}

impl Sketch {
    fn draw(self, alphabet: &Alphabet, monitor: &dyn Monitor) -> Result<Drawing, Limit> {
        let Sketch { mut nodes, edges, partial } = self;
        let texts: Vec<String> = edges.values().map(|labels| labels_text(alphabet, labels)).collect();
        let graph = Graph {
            nodes: nodes
                .iter()
                .map(|n| Node {
                    size: Point::new(n.size.0, n.size.1),
                    shape: if n.round { Shape::Ellipse } else { Shape::Box },
                })
                .collect(),
            edges: edges
                .keys()
                .zip(&texts)
                .map(|(&(from, to), text)| Edge { from, to, label: Some(Point::new(width(text), LINE)) })
                .collect(),
            roots: (0..nodes.len()).filter(|&i| nodes[i].start).collect(),
        };
        let placed = layout(&graph, &Spacing { direction: Direction::Down, ..Spacing::default() }, monitor)?;
        for (node, at) in nodes.iter_mut().zip(&placed.nodes) {
            node.at = (round(at.at.x), round(at.at.y));
        }
        let edges = edges
            .into_keys()
            .zip(texts)
            .zip(&placed.edges)
            .map(|((ends, text), route)| {
                let at = route.label.unwrap_or_default();
                DrawnEdge { ends, path: route.path(), text, at: (round(at.x), round(at.y)) }
            })
            .collect();
        Ok(Drawing { size: (placed.size.x.ceil(), placed.size.y.ceil()), nodes, edges, partial })
    }
}

fn labels_text(alphabet: &Alphabet, labels: &[Label]) -> String {
    let mut names: Vec<String> =
        labels.iter().take(MOST_LABELS).map(|&l| alphabet.name(l).to_owned()).collect();
    if labels.len() > MOST_LABELS {
        names.push(format!("… ({})", labels.len()));
    }
    names.join(", ")
}

fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

fn width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER + 6.0
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONG {
        return text.to_owned();
    }
    text.chars().take(LONG - 1).chain(['…']).collect()
}

fn node(id: u32, words: String, round: bool, start: bool, marked: bool) -> DrawnNode {
    let text = cut(&words);
    let size = ((width(&text) + 12.0).max(30.0), LINE + 12.0);
    DrawnNode { id, at: (0.0, 0.0), size, text, words, round, start, marked }
}

/// The world, or what is around a place.
pub(super) fn world(
    problem: &Problem,
    places: &Places,
    view: &View,
    monitor: &dyn Monitor,
) -> Result<Drawing, Limit> {
    let graph = &problem.world.graph;
    let shown: Vec<u32> = match view {
        View::Whole => (0..places.len() as u32).collect(),
        View::Around(centre) => neighbourhood(problem, places, centre),
    };
    let number: FxHashMap<u32, usize> = shown.iter().enumerate().map(|(i, &place)| (place, i)).collect();
    let initial: FxHashSet<u32> = graph.initial().iter().map(|&v| places.of(v)).collect();
    let nodes = shown.iter().map(|&place| {
        let members = places.members(place);
        let observes = members.iter().all(|&v| graph.kind(v) == Kind::Observation);
        let goal = members.iter().any(|&v| problem.world.is_goal(v));
        node(place, places.name(problem, place), observes, initial.contains(&place), goal)
    });
    let nodes: Vec<DrawnNode> = nodes.collect();
    let mut edges: BTreeMap<(usize, usize), Vec<Label>> = BTreeMap::new();
    for (from, &place) in shown.iter().enumerate() {
        for arc in places.members(place).iter().flat_map(|&v| graph.arcs(v)) {
            // What is observed without moving would be a loop at every place.
            if let Some(&to) = number.get(&places.of(arc.to)).filter(|&&to| to != from) {
                edges.entry((from, to)).or_default().push(arc.label);
            }
        }
    }
    tidy(&mut edges);
    let partial = (shown.len() < places.len())
        .then(|| format!("{} of {} places are drawn, around the robot.", shown.len(), places.len()));
    Sketch { nodes, edges, partial }.draw(&problem.alphabet, monitor)
}

fn tidy(edges: &mut BTreeMap<(usize, usize), Vec<Label>>) {
    for labels in edges.values_mut() {
        labels.sort_unstable();
        labels.dedup();
    }
}

/// Places around some, ascending.
pub(super) fn neighbourhood(problem: &Problem, places: &Places, centres: &[u32]) -> Vec<u32> {
    let graph = &problem.world.graph;
    let next = |place: u32| -> Vec<u32> {
        places.members(place).iter().flat_map(|&v| graph.arcs(v)).map(|arc| places.of(arc.to)).collect()
    };
    around(places.len(), centres, next)
}

/// The nearest nodes, whichever way edges lead.
fn around(count: usize, centres: &[u32], next: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
    for from in 0..count as u32 {
        next(from).into_iter().for_each(|to| before[to as usize].push(from));
    }
    let mut queue: VecDeque<u32> = centres.iter().copied().filter(|&i| (i as usize) < count).collect();
    let mut seen: FxHashSet<u32> = queue.iter().copied().collect();
    while let Some(at) = queue.pop_front() {
        for other in next(at).into_iter().chain(before[at as usize].iter().copied()) {
            if seen.len() < PART && seen.insert(other) {
                queue.push_back(other);
            }
        }
    }
    let mut all: Vec<u32> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// The plan as far as it can come in its world, or what is around one of its vertices if it is large.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn plan(
    problem: &Problem,
    plan: &Plan,
    here: Option<Vertex>,
    monitor: &dyn Monitor,
) -> Result<Drawing, Limit> {
    let arcs = happening(problem, plan, monitor)?;
    let reached: Vec<u32> = arcs.keys().copied().collect();
    let next = |v: u32| arcs.get(&v).map_or(Vec::new(), |out| out.iter().map(|&(_, to)| to).collect());
    let shown: Vec<u32> = match reached.len() > super::WHOLE {
        true => around(plan.graph.len(), &[here.map_or(plan.graph.initial()[0].0, |v| v.0)], next),
        false => reached.clone(),
    };
    let number: FxHashMap<u32, usize> = shown.iter().enumerate().map(|(i, &v)| (v, i)).collect();
    let nodes = shown.iter().map(|&v| {
        let at = Vertex(v);
        let (observes, ends) = (plan.graph.kind(at) == Kind::Observation, plan.is_terminal(at));
        let words = match (observes, ends) {
            (_, true) => "stop",
            (true, _) => "look",
            (false, _) => "act",
        };
        let mut node = node(v, words.to_owned(), observes, plan.graph.initial().contains(&at), ends);
        node.words = format!("{}: {words}", plan.name(at));
        node
    });
    let nodes: Vec<DrawnNode> = nodes.collect();
    let mut edges: BTreeMap<(usize, usize), Vec<Label>> = BTreeMap::new();
    for (from, v) in shown.iter().enumerate() {
        for &(label, to) in arcs.get(v).into_iter().flatten() {
            if let Some(&to) = number.get(&to) {
                edges.entry((from, to)).or_default().push(label);
            }
        }
    }
    tidy(&mut edges);
    let partial = (shown.len() < reached.len()).then(|| {
        format!("{} of {} steps of the plan are drawn, around this one.", shown.len(), reached.len())
    });
    Sketch { nodes, edges, partial }.draw(&problem.alphabet, monitor)
}

/// The vertices of a plan that joint executions reach, with what can happen there.
fn happening(
    problem: &Problem,
    plan: &Plan,
    monitor: &dyn Monitor,
) -> Result<BTreeMap<u32, BTreeSet<(Label, u32)>>, Limit> {
    let mut arcs: BTreeMap<u32, BTreeSet<(Label, u32)>> = BTreeMap::new();
    if plan.graph.initial_kind() != problem.world.graph.initial_kind() {
        return Ok(arcs);
    }
    let joint = Joint::new(plan, &problem.world, monitor)?;
    for pair in joint.graph.vertices() {
        let (v, _) = joint.pairs[pair.index()];
        let out = arcs.entry(v.0).or_default();
        out.extend(joint.graph.arcs(pair).iter().map(|arc| (arc.label, joint.pairs[arc.to.index()].0.0)));
    }
    Ok(arcs)
}
