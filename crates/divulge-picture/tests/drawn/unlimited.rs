//! Pictures without limits: what most tests draw.

use divulge::{
    Frontier, Plan, Problem, QuestionError, Unlimited,
    graph::Joint,
    problem::{Label, LabelMap},
};
use divulge_picture::{
    self as picture, Branches, Panel, Style,
    scene::{GridScene, Scene, SceneOptions},
};

pub fn world(problem: &Problem, style: &Style) -> Panel {
    picture::world(problem, style, &Unlimited).unwrap()
}

pub fn plan(problem: &Problem, of: &Plan, style: &Style) -> Vec<Panel> {
    picture::plan(problem, of, style, &Unlimited).unwrap()
}

pub fn map(problem: &Problem, of: &LabelMap, style: &Style) -> Panel {
    picture::map(problem, of, style, &Unlimited).unwrap()
}

pub fn maps(problem: &Problem, frontier: &Frontier, style: &Style) -> Panel {
    picture::maps(problem, frontier, style, &Unlimited).unwrap()
}

pub fn estimates(
    problem: &Problem,
    of: &Plan,
    map: &LabelMap,
    events: Option<&[Label]>,
    style: &Style,
) -> Result<Panel, QuestionError> {
    picture::estimates(problem, of, map, events, style, &Unlimited)
}

pub fn world_svg(problem: &Problem, style: &Style) -> String {
    picture::world_svg(problem, style, &Unlimited).unwrap()
}

pub fn plan_svg(problem: &Problem, of: &Plan, style: &Style) -> String {
    picture::plan_svg(problem, of, style, &Unlimited).unwrap()
}

pub fn map_svg(problem: &Problem, of: &LabelMap, style: &Style) -> String {
    picture::map_svg(problem, of, style, &Unlimited).unwrap()
}

pub fn maps_svg(problem: &Problem, frontier: &Frontier, style: &Style) -> String {
    picture::maps_svg(problem, frontier, style, &Unlimited).unwrap()
}

pub fn estimates_svg(
    problem: &Problem,
    of: &Plan,
    map: &LabelMap,
    events: Option<&[Label]>,
    style: &Style,
) -> Result<String, QuestionError> {
    picture::estimates_svg(problem, of, map, events, style, &Unlimited)
}

pub fn scene(problem: &Problem, options: &SceneOptions) -> Scene {
    picture::scene::scene(problem, options, &Unlimited).unwrap()
}

pub fn grid(problem: &Problem) -> Option<GridScene> {
    GridScene::new(problem, &Unlimited).unwrap()
}

pub fn branches(of: &Plan, joint: &Joint) -> Branches {
    Branches::new(of, joint, &Unlimited).unwrap()
}
