//! A plan over its world, in the colours of its branches.

mod over_grid;

use divulge::{
    graph::Joint,
    problem::{Kind, Knows, Label, PGraph, PGraphBuilder, Plan, Problem, Vertex},
};

use crate::{
    branches::{Branches, taken},
    figure::{Panel, Style},
    graph::{self, Marks},
    layout::Point,
    legend::{Entry, Sample, legend},
    pace::{Limit, Monitor, Pace},
    scene::{LayeredScene, Scene, SceneOptions, graph_scene, scene},
    svg::Canvas,
    theme::Stroke,
    world::{GAP, NARROW},
};

/// More branches than this are not listed.
const MOST_LISTED: usize = 14;

/// A plan over its world: arrows through a grid, or the world's graph with the plan's edges and then the plan's own graph.
/// The plan's own graph alone if plan and world start with different kinds of vertices.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn plan(
    problem: &Problem,
    plan: &Plan,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Vec<Panel>, Limit> {
    if plan.graph.initial_kind() != problem.world.graph.initial_kind() {
        return Ok(vec![plan_graph(problem, plan, None, style, monitor)?]);
    }
    let joint = Joint::new(plan, &problem.world, monitor)?;
    let branches = Branches::new(plan, &joint, monitor)?;
    let mut focus: Vec<Vertex> = joint.pairs.iter().map(|pair| pair.1).collect();
    focus.sort_unstable();
    focus.dedup();
    let options = SceneOptions { most: style.most, focus, ..SceneOptions::default() };
    let pace = Pace::new(monitor);
    Ok(match scene(problem, &options, monitor)? {
        Scene::Grid(grid) => vec![over_grid::panel(problem, plan, &grid, &joint, &branches, style, &pace)?],
        Scene::Layered(layered) => vec![
            over_graph(problem, &layered, &joint, &branches, style, &pace)?,
            plan_graph(problem, plan, Some((&joint, &branches)), style, monitor)?,
        ],
    })
}

/// Where the robot chooses between actions although somebody knows the plan.
fn chance(problem: &Problem, plan: &Plan) -> Vec<Vertex> {
    let known = problem.observers().any(|observer| observer.knows == Knows::Plan);
    if known { plan.choosing() } else { Vec::new() }
}

/// What that means.
const CHANCE: &str = "here the robot must choose unpredictably between several actions";

/// The branches of a plan in words, with their lines.
fn entries(problem: &Problem, branches: &Branches, canvas: &Canvas) -> Vec<Entry> {
    let name = |l: &Label| problem.alphabet.name(*l);
    let mut order: Vec<usize> = Vec::new();
    let mut todo = vec![0];
    while let Some(branch) = todo.pop() {
        order.push(branch);
        let children = (0..branches.all.len()).filter(|&b| branches.all[b].parent == Some(branch));
        todo.extend(children.collect::<Vec<_>>().into_iter().rev());
    }
    let mut entries = Vec::new();
    for &b in order.iter().take(MOST_LISTED) {
        let branch = &branches.all[b];
        let told = |actions: &[Label], stops: bool| {
            let names = actions.iter().map(name).chain(stops.then_some("stop"));
            names.collect::<Vec<_>>().join(", ")
        };
        let mut does = match &branch.actions {
            Some(actions) => told(actions, branch.stops),
            None => "in one of several ways".to_owned(),
        };
        if let Some((actions, stops)) = &branch.after {
            does = format!("{does}; finally, in every case: {}", told(actions, *stops));
        }
        let labels: Vec<&str> = branch.labels.iter().map(name).collect();
        let when = match (branch.parent, branches.all.len()) {
            (None, 1) => "the plan".to_owned(),
            (None, _) => "first".to_owned(),
            (Some(_), _) => format!("if {}", labels.join(" or ")),
        };
        let text = if does.is_empty() { when } else { format!("{when}: {does}") };
        let indent = branch.depth.min(6);
        entries.push(Entry { sample: Sample::Line(canvas.colours.stroke(b)), text, indent });
    }
    if order.len() > MOST_LISTED {
        let text = format!("… and {} more branches", order.len() - MOST_LISTED);
        entries.push(Entry::new(Sample::Words, text));
    }
    entries
}

/// The world's graph with the edges that the plan takes.
fn over_graph(
    problem: &Problem,
    layered: &LayeredScene,
    joint: &Joint,
    branches: &Branches,
    style: &Style,
    pace: &Pace<'_>,
) -> Result<Panel, Limit> {
    let mut canvas = style.canvas();
    let colours = canvas.colours;
    let mut taken: Vec<Vec<usize>> = vec![Vec::new(); layered.edges.len()];
    let mut passed: Vec<Option<usize>> = vec![None; problem.world.graph.len()];
    let mut edge_of: std::collections::BTreeMap<(usize, usize), usize> = std::collections::BTreeMap::new();
    for (i, edge) in layered.edges.iter().enumerate() {
        edge_of.insert((edge.from, edge.to), i);
    }
    for (pair, arc) in joint.graph.all_arcs() {
        pace.work(1)?;
        let ((p, w), (q, x)) = (joint.pairs[pair.index()], joint.pairs[arc.to.index()]);
        // An observation that begins a branch belongs to it.
        let branch = match joint.graph.kind(pair) {
            Kind::Observation => Some(branches.entered(p, q)),
            Kind::Action => branches.of[p.index()],
        };
        let Some(branch) = branch else { continue };
        for v in [w, x] {
            let first = passed[v.index()].get_or_insert(branch);
            *first = (*first).min(branch);
        }
        if let (Some(from), Some(to)) = (layered.node_of[w.index()], layered.node_of[x.index()])
            && let Some(&edge) = edge_of.get(&(from, to))
            && !taken[edge].contains(&branch)
        {
            taken[edge].push(branch);
        }
    }
    for &(_, w) in joint.graph.initial().iter().map(|pair| &joint.pairs[pair.index()]) {
        passed[w.index()].get_or_insert(0);
    }
    let strokes = |branch: &usize| -> Stroke { colours.stroke(*branch) };
    let marks = Marks {
        edges: Box::new(|i| taken[i].iter().take(3).map(strokes).collect()),
        nodes: Box::new(|v| passed[v.index()].map(|branch| colours.stroke(branch))),
        faint: true,
        ..Marks::world(problem)
    };
    graph::draw(&mut canvas, layered, &marks);
    let size = layered.layout.size;
    let width = size.x.max(NARROW);
    let mut list = entries(problem, branches, &canvas);
    list.extend(graph::entries("goal", true));
    let height = legend(&mut canvas, Point::new(0.0, size.y + GAP), width, &list);
    Ok(Panel {
        title: "The plan over the world".to_owned(),
        description: format!("The world as a graph; {} are highlighted.", counted(branches)),
        left_out: graph::note(layered, "the plan"),
        size: Point::new(width, size.y + GAP + height),
        body: canvas.out,
    })
}

fn counted(branches: &Branches) -> String {
    match branches.all.len() {
        1 => "the plan's edges, in one branch,".to_owned(),
        n => format!("the plan's edges, in {n} branches,"),
    }
}

/// The plan with the labels that joint executions take alone: a program accepts more than can happen.
fn possible(plan: &Plan, joint: &Joint) -> PGraph {
    let mut builder = PGraphBuilder::new();
    plan.graph.vertices().for_each(|v| _ = builder.vertex(plan.graph.kind(v)));
    plan.graph.initial().iter().for_each(|&v| builder.initial(v));
    for (from, targets) in taken(joint) {
        for (to, labels) in targets {
            labels.into_iter().for_each(|label| builder.arc(from, label, to));
        }
    }
    builder.build().unwrap_or_else(|_| plan.effective())
}

/// The plan's own graph.
fn plan_graph(
    problem: &Problem,
    plan: &Plan,
    known: Option<(&Joint, &Branches)>,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Panel, Limit> {
    let branches = known.map(|known| known.1);
    let mut canvas = style.canvas();
    let colours = canvas.colours;
    let options = SceneOptions { most: style.most, ..SceneOptions::default() };
    let graph = known.map_or_else(|| plan.effective(), |(joint, _)| possible(plan, joint));
    let layered = graph_scene(&graph, &plan.names, &problem.alphabet, &options, monitor)?;
    let chance = chance(problem, plan);
    let of = |v: Vertex| branches.and_then(|b| b.of[v.index()]);
    let marks = Marks {
        edges: Box::new(|i| {
            let edge = &layered.edges[i];
            let (from, to) = (layered.nodes[edge.from].vertex, layered.nodes[edge.to].vertex);
            let (Some(a), Some(b)) = (of(from), of(to)) else { return Vec::new() };
            let into = branches.map_or(b, |known| known.entered(from, to));
            let branch = if plan.graph.kind(from) == Kind::Observation { into } else { a };
            vec![colours.stroke(branch)]
        }),
        nodes: Box::new(|v| of(v).map(|branch| colours.stroke(branch))),
        faint: branches.is_some(),
        chance: &chance,
        ..Marks::plan(plan)
    };
    graph::draw(&mut canvas, &layered, &marks);
    let size = layered.layout.size;
    let width = size.x.max(NARROW);
    let mut list = branches.map(|b| entries(problem, b, &canvas)).unwrap_or_default();
    list.extend(graph::entries("the plan terminates", branches.is_some()));
    if !chance.is_empty() {
        list.push(Entry::new(Sample::Chance, CHANCE));
    }
    let height = legend(&mut canvas, Point::new(0.0, size.y + GAP), width, &list);
    Ok(Panel {
        title: "The plan".to_owned(),
        description: format!("The plan as a graph of {} vertices.", plan.graph.len()),
        left_out: graph::note(&layered, "the plan's start"),
        size: Point::new(width, size.y + GAP + height),
        body: canvas.out,
    })
}
