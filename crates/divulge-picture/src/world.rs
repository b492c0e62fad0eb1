//! The world as a picture.

use divulge::problem::Problem;

use crate::{
    figure::{Panel, Style},
    graph,
    grid::GridPicture,
    layout::Point,
    legend::legend,
    pace::{Limit, Monitor},
    scene::{Scene, SceneOptions, scene},
};

/// Room between a picture and its legend.
pub(crate) const GAP: f64 = 10.0;

/// The narrowest that a legend may be.
pub(crate) const NARROW: f64 = 250.0;

/// The world: a grid with walls, landmarks and goals, or a graph in layers.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn world(problem: &Problem, style: &Style, monitor: &dyn Monitor) -> Result<Panel, Limit> {
    let options = SceneOptions { most: style.most, ..SceneOptions::default() };
    let mut canvas = style.canvas();
    let title = problem.name.as_ref().map_or("The world".to_owned(), |name| format!("The world: {name}"));
    let sizes =
        format!("{} vertices and {} edges", problem.world.graph.len(), problem.world.graph.arc_count());
    Ok(match scene(problem, &options, monitor)? {
        Scene::Grid(grid) => {
            let picture = GridPicture::new(&grid, &[], style.most);
            picture.draw(&mut canvas);
            picture.write(&mut canvas, problem);
            let size = picture.size();
            let width = size.x.max(NARROW);
            let entries = picture.entries(problem);
            let height = legend(&mut canvas, Point::new(0.0, size.y + GAP), width, &entries);
            Panel {
                title,
                description: format!("A grid of {} by {} places; {sizes}.", grid.rows, grid.cols),
                left_out: grid_note(&picture),
                size: Point::new(width, size.y + GAP + height),
                body: canvas.out,
            }
        }
        Scene::Layered(layered) => {
            graph::draw(&mut canvas, &layered, &graph::Marks::world(problem));
            let size = layered.layout.size;
            let width = size.x.max(NARROW);
            let entries = graph::entries("goal", false);
            let height = legend(&mut canvas, Point::new(0.0, size.y + GAP), width, &entries);
            Panel {
                title,
                description: format!("A graph in layers; {sizes}."),
                left_out: graph::note(&layered, "the start"),
                size: Point::new(width, size.y + GAP + height),
                body: canvas.out,
            }
        }
    })
}

/// What is said where a part of a grid is not shown.
pub(crate) fn grid_note(picture: &GridPicture<'_>) -> Option<String> {
    let hidden = picture.hidden();
    (hidden > 0).then(|| {
        format!(
            "Only a part of the grid is drawn: {hidden} of {} places are left out.",
            picture.scene.cells.len()
        )
    })
}
