//! Pictures and pages.

use divulge::{
    Limit, Unlimited,
    explain::{Moment, replay},
    problem::{
        self as core, Alphabet, Grid, Knows, Label, LabelMap, Names, Observer, PGraphBuilder, Props, Vertex,
    },
    sets::BitSet,
    setting::Setting,
    verdict::QuestionError,
};
use divulge_explore::page::{Opening, page};
use divulge_picture::{Style, figure, map_svg, maps_svg, moments, plan_svg, world_svg};
use pyo3::prelude::*;

use crate::{
    answer::Frontier,
    error::{self, plain},
    graph::{self, Spec},
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
) -> PyResult<String> {
    let svg = py.detach(|| {
        let observer = Observer::new(Knows::World);
        let mut problem = core::Problem::new(world.alphabet.clone(), world.world.clone(), observer);
        problem.name = name;
        problem.grid = grid.map(|(row, col, landmarks)| Grid { row, col, landmarks });
        world_svg(&problem, &Style::default(), &Unlimited)
    });
    drawn(py, svg)
}

/// The picture; nothing limits it yet.
fn drawn(py: Python<'_>, svg: Result<String, Limit>) -> PyResult<String> {
    svg.map_err(|_| plain(py, "drawing was stopped", None))
}

/// The problem's plan over its world, as SVG; `None` without a plan.
#[pyfunction]
pub fn draw_plan(py: Python<'_>, problem: &Problem) -> PyResult<Option<String>> {
    let Some(plan) = problem.inner.plan.as_ref() else { return Ok(None) };
    let svg = py.detach(|| plan_svg(&problem.inner, plan, &Style::default(), &Unlimited));
    drawn(py, svg).map(Some)
}

/// A plan of no known world, as SVG.
#[pyfunction]
pub fn draw_plan_alone(py: Python<'_>, labels: Vec<(String, bool)>, plan: Spec<'_>) -> PyResult<String> {
    let mut alphabet = Alphabet::new();
    declare(py, &mut alphabet, &labels)?;
    let plan = graph::plan(&plan, alphabet.len())?;
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
    let svg = py.detach(|| plan_svg(&problem, &plan, &Style::default(), &Unlimited));
    drawn(py, svg)
}

/// The observer's map, as SVG; `None` without one.
#[pyfunction]
pub fn draw_map(py: Python<'_>, problem: &Problem) -> PyResult<Option<String>> {
    let Some(map) = problem.inner.observer.map.as_ref() else { return Ok(None) };
    let svg = py.detach(|| map_svg(&problem.inner, map, &Style::default(), &Unlimited));
    drawn(py, svg).map(Some)
}

/// The frontier of maps, as SVG.
#[pyfunction]
pub fn draw_frontier(py: Python<'_>, frontier: &Frontier) -> PyResult<String> {
    let svg =
        py.detach(|| maps_svg(&frontier.answered.problem, &frontier.inner(), &Style::default(), &Unlimited));
    drawn(py, svg)
}

fn strip(problem: &core::Problem, of: &[Moment]) -> Result<String, Limit> {
    let own;
    let map = match &problem.observer.map {
        Some(map) => map,
        None => {
            own = LabelMap::identity(&problem.alphabet);
            &own
        }
    };
    let style = Style::default();
    let name = problem.name.as_deref().unwrap_or("divulge");
    Ok(figure(name, &[moments(problem, map, of, &style, &Unlimited)?], &style))
}

/// An execution moment by moment, as SVG; `plan`: the problem's plan is followed too.
#[pyfunction]
pub fn draw_trace(py: Python<'_>, problem: &Problem, execution: Vec<u32>, plan: bool) -> PyResult<String> {
    let inner = &problem.inner;
    let known = inner.alphabet.len();
    let execution: Vec<Label> = execution.into_iter().filter(|l| (*l as usize) < known).map(Label).collect();
    let drawn = py.detach(|| {
        let setting = Setting::pose(inner, inner.plan.as_ref(), &Unlimited)?;
        let map = setting.map()?;
        let replayed = replay(&setting, map, inner.plan.as_ref().filter(|_| plan), &execution)?;
        Ok(strip(inner, &replayed.moments)?)
    });
    drawn.map_err(|e: QuestionError| error::question(py, inner, &e))
}

/// A set of world vertices that the observer holds possible, as SVG.
#[pyfunction]
pub fn draw_estimate(py: Python<'_>, problem: &Problem, vertices: Vec<u32>) -> PyResult<String> {
    let known = problem.inner.world.graph.len();
    let estimate = vertices.into_iter().filter(|v| (*v as usize) < known).map(Vertex).collect();
    let moment = Moment {
        event: None,
        world: Vec::new(),
        plan: Vec::new(),
        terminates: false,
        estimate: Some(estimate),
        stipulations: Vec::new(),
    };
    let svg = py.detach(|| strip(&problem.inner, &[moment]));
    drawn(py, svg)
}

/// The explorer for a problem with a plan and a map filled in, as one HTML page. `note`: a headline and a text to begin with.
#[pyfunction]
pub fn explore(
    py: Python<'_>,
    problem: &Problem,
    events: Option<Vec<String>>,
    note: Option<(String, String)>,
) -> PyResult<String> {
    if problem.inner.observer.map.is_some() {
        problem.total_map(py)?;
    }
    let opening = Opening { events, note };
    py.detach(|| page(&problem.inner, &opening, &Unlimited))
        .map_err(|e| plain(py, &e.to_string(), Some("explore a smaller one of its kind")))
}
