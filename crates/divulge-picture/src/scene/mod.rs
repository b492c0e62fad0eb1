//! The world as a picture: a grid of cells, or a graph in layers.
//!
//! *Practical.* [`scene`] decides which it is. A world is a [`GridScene`] if the model says so (`picture grid row col`) or if
//! all its vertices have integers `row` and `col`, or `y` and `x`; else it is a [`LayeredScene`]. Scenes are data, for anybody
//! to draw.

mod grid;
mod layered;

pub use grid::{Cell, GridScene, Wall};
pub use layered::{EDGE_TEXT, LayeredScene, NODE_TEXT, SceneEdge, SceneNode, graph_scene};

use divulge::problem::{Problem, Vertex};

use crate::{
    layout::Direction,
    pace::{Limit, Monitor},
};

/// The world as a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Scene {
    /// Cells in rows and columns.
    Grid(GridScene),
    /// Vertices in layers.
    Layered(LayeredScene),
}

/// How much of a graph is drawn, and which way.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneOptions {
    /// At most so many vertices of a graph in layers are drawn: the focus, and what is near to it and to the initial vertices.
    pub most: usize,
    /// Vertices that must not be left out, such as those that a plan passes.
    pub focus: Vec<Vertex>,
    /// Which way edges lead; without one, the way that gives the better shape.
    pub direction: Option<Direction>,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self { most: 1000, focus: Vec::new(), direction: None }
    }
}

/// The world of a problem as a picture.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn scene(problem: &Problem, options: &SceneOptions, monitor: &dyn Monitor) -> Result<Scene, Limit> {
    Ok(match GridScene::new(problem, monitor)? {
        Some(grid) => Scene::Grid(grid),
        None => Scene::Layered(LayeredScene::world(problem, options, monitor)?),
    })
}
