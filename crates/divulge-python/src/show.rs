//! Pictures and pages, all of which can be stopped.

use std::sync::Arc;

use divulge::{
    Limit, Monitor,
    explain::Moment,
    problem::{
        self as core, Alphabet, Grid, Knows, Label, LabelMap, Names, Observer, PGraphBuilder, Props, Vertex,
    },
    sets::BitSet,
};
use divulge_explore::page::{NoPage, Opening, page};
use divulge_picture::{Style, figure, map_svg, maps_svg, moments, plan_svg, world_svg};
use divulge_render::{
    bt::{BehaviorTree, NoTree},
    look::replayed,
};
use pyo3::prelude::*;

use crate::{
    answer::{Frontier, frontier, text},
    error::plain,
    graph::{self, Spec},
    limits::{Given, Limits, compute, make},
    problem::{GridSpec, Problem},
    world::{World, declare},
};

/// The world as SVG.
#[pyfunction]
pub fn draw_world(
    py: Python<'_>,
    world: &World,
    name: Option<String>,
    grid: Option<GridSpec>,
    given: Given,
) -> PyResult<String> {
    let (alphabet, world) = (world.alphabet.clone(), world.world.clone());
    make(py, &Limits::read(py, given)?, move |monitor| {
        let mut problem = core::Problem::new(alphabet, world, Observer::new(Knows::World));
        problem.name = name;
        problem.grid = grid.map(|(row, col, landmarks)| Grid { row, col, landmarks });
        world_svg(&problem, &Style::default(), monitor)
    })
}

/// The problem's plan over its world, as SVG; `None` without a plan.
#[pyfunction]
pub fn draw_plan(py: Python<'_>, problem: &Problem, given: Given) -> PyResult<Option<String>> {
    let problem = Arc::clone(&problem.inner);
    make(py, &Limits::read(py, given)?, move |monitor| {
        let svg = problem.plan.as_ref().map(|plan| plan_svg(&problem, plan, &Style::default(), monitor));
        svg.transpose()
    })
}

/// A plan of no known world, and its labels.
fn plan_alone(
    py: Python<'_>,
    labels: &[(String, bool)],
    plan: &Spec<'_>,
) -> PyResult<(Alphabet, core::Plan)> {
    let mut alphabet = Alphabet::new();
    declare(py, &mut alphabet, labels)?;
    let plan = graph::plan(plan, alphabet.len())?;
    Ok((alphabet, plan))
}

/// A plan of no known world, as SVG.
#[pyfunction]
pub fn draw_plan_alone(
    py: Python<'_>,
    labels: Vec<(String, bool)>,
    plan: Spec<'_>,
    given: Given,
) -> PyResult<String> {
    let (alphabet, plan) = plan_alone(py, &labels, &plan)?;
    // A world that starts with the other kind: then the plan's own graph is all that can be drawn.
    let mut b = PGraphBuilder::new();
    let only = b.vertex(plan.graph.initial_kind().other());
    b.initial(only);
    let graph = b.build().map_err(|e| plain(py, &e.to_string(), None))?;
    let world = core::World {
        graph,
        names: Names::from_iter(["none"]),
        goal: BitSet::new(1),
        props: Props::new(),
        past: None,
    };
    let mut problem = core::Problem::new(alphabet, world, Observer::new(Knows::World));
    problem.name = Some("plan".to_owned());
    make(py, &Limits::read(py, given)?, move |monitor| plan_svg(&problem, &plan, &Style::default(), monitor))
}

/// A plan as a tree for BehaviorTree.CPP 4.
#[pyfunction]
pub fn behavior_tree(
    py: Python<'_>,
    labels: Vec<(String, bool)>,
    plan: Spec<'_>,
    given: Given,
) -> PyResult<String> {
    let (alphabet, plan) = plan_alone(py, &labels, &plan)?;
    let written = make(py, &Limits::read(py, given)?, move |monitor| {
        match BehaviorTree::new(&plan, &alphabet, monitor) {
            Ok(tree) => Ok(Ok(text(|out| tree.write(out)))),
            Err(NoTree::Limit(limit)) => Err(limit),
            Err(why) => Ok(Err(why.to_string())),
        }
    })?;
    Ok(written.map_err(|why| plain(py, &why, None))??)
}

/// An observer's map, as SVG; `None` without one.
#[pyfunction]
pub fn draw_map(
    py: Python<'_>,
    problem: &Problem,
    observer: usize,
    given: Given,
) -> PyResult<Option<String>> {
    let problem = Arc::clone(&problem.inner);
    make(py, &Limits::read(py, given)?, move |monitor| {
        let map = problem.observers().nth(observer).and_then(|observer| observer.map.as_ref());
        map.map(|map| map_svg(&problem, map, &Style::default(), monitor)).transpose()
    })
}

/// The frontier of maps, as SVG.
#[pyfunction]
pub fn draw_frontier(py: Python<'_>, all: &Frontier, given: Given) -> PyResult<String> {
    let (problem, answer) = (Arc::clone(&all.answered.problem), Arc::clone(&all.answered.answer));
    make(py, &Limits::read(py, given)?, move |monitor| {
        maps_svg(&problem, &frontier(&answer), &Style::default(), monitor)
    })
}

fn strip(
    problem: &core::Problem,
    observer: usize,
    of: &[Moment],
    monitor: &dyn Monitor,
) -> Result<String, Limit> {
    let own;
    let map = match problem.observers().nth(observer).and_then(|observer| observer.map.as_ref()) {
        Some(map) => map,
        None => {
            own = LabelMap::identity(&problem.alphabet);
            &own
        }
    };
    let style = Style::default();
    let name = problem.name.as_deref().unwrap_or("divulge");
    Ok(figure(name, &[moments(problem, map, of, &style, monitor)?], &style))
}

/// An execution moment by moment, as SVG; `plan`: the problem's plan is followed too.
#[pyfunction]
pub fn draw_trace(
    py: Python<'_>,
    problem: &Problem,
    observer: usize,
    execution: Vec<u32>,
    plan: bool,
    given: Given,
) -> PyResult<String> {
    problem.observer(py, observer)?;
    let inner = Arc::clone(&problem.inner);
    let known = inner.alphabet.len();
    let execution: Vec<Label> = execution.into_iter().filter(|l| (*l as usize) < known).map(Label).collect();
    compute(py, &problem.inner, &Limits::read(py, given)?, move |monitor| {
        let replayed = replayed(&inner, observer, plan, &execution, monitor)?;
        Ok(strip(&inner, observer, &replayed.moments, monitor)?)
    })
}

/// A set of world vertices that the observer holds possible, as SVG.
#[pyfunction]
pub fn draw_estimate(
    py: Python<'_>,
    problem: &Problem,
    observer: usize,
    vertices: Vec<u32>,
    given: Given,
) -> PyResult<String> {
    let problem = Arc::clone(&problem.inner);
    let known = problem.world.graph.len();
    let estimate = vertices.into_iter().filter(|v| (*v as usize) < known).map(Vertex).collect();
    let moment = Moment {
        event: None,
        world: Vec::new(),
        plan: Vec::new(),
        terminates: false,
        estimate: Some(estimate),
        stipulations: Vec::new(),
    };
    make(py, &Limits::read(py, given)?, move |monitor| strip(&problem, observer, &[moment], monitor))
}

/// The explorer for a problem with a plan and a map filled in, as one HTML page. `note`: a headline and a text to begin with.
#[pyfunction]
pub fn explore(
    py: Python<'_>,
    problem: &Problem,
    events: Option<Vec<String>>,
    note: Option<(String, String)>,
    given: Given,
) -> PyResult<String> {
    if problem.inner.observers().all(|observer| observer.map.is_some()) {
        problem.total_map(py)?;
    }
    let problem = Arc::clone(&problem.inner);
    let opening = Opening { events, note };
    let made = make(py, &Limits::read(py, given)?, move |monitor| match page(&problem, &opening, monitor) {
        Err(NoPage::Limit(limit)) => Err(limit),
        made => Ok(made.map_err(|e| e.to_string())),
    })?;
    made.map_err(|e| plain(py, &e, Some("explore a smaller one of its kind")))
}
