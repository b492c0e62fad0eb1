//! The picture of the world: where its places are drawn, and what is marked on them.
//!
//! A *place* is what one spot of the picture stands for: a cell of a grid, or a state of the world in a graph. Large worlds
//! are drawn in part, around where the robot is; a [`View`] says which part.

mod graph;
mod grid;
mod places;

use std::fmt;

use divulge::{
    Limit, Monitor,
    problem::{Problem, Vertex},
};
use serde::Serialize;

pub use graph::{Drawing, DrawnEdge, DrawnNode, plan};
pub use grid::{Cell, GridScene};
use places::Places;

/// How many places of the robot, and of the estimate, a part is drawn around.
const SOME: usize = 8;

/// Worlds with more places than this are drawn in part.
pub const WHOLE: usize = 1_000;

/// Which part of the world is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// All of it.
    #[default]
    Whole,
    /// What is around these places; of a grid, around the first.
    Around(Vec<u32>),
}

impl View {
    /// Reads what was written; whatever cannot be read is the whole.
    pub fn parse(text: &str) -> Self {
        let Some(places) = text.strip_prefix("around-") else { return View::Whole };
        places.split('-').map(|n| n.parse().ok()).collect::<Option<_>>().map_or(View::Whole, View::Around)
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = match self {
            View::Whole => return f.write_str("whole"),
            View::Around(places) => places,
        };
        f.write_str("around")?;
        places.iter().try_for_each(|place| write!(f, "-{place}"))
    }
}

/// A picture of the world, or of a part of it.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Scene {
    /// A grid.
    Grid(GridScene),
    /// A graph in layers.
    Graph(Drawing),
}

/// What is marked on one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// The number of the place in the picture.
    pub place: usize,
    /// How many vertices of the set are there.
    pub count: usize,
    /// For each variable of interest, the values there: `["breeder", "pebble"]`.
    pub values: Vec<Vec<String>>,
    /// The place in words.
    pub words: String,
}

/// A set of vertices on the picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Marks {
    /// The marked places that are drawn.
    pub marks: Vec<Mark>,
    /// How many more are marked but not drawn.
    pub outside: usize,
    /// The variables whose values the marks tell.
    pub variables: Vec<String>,
}

/// Where everything of a world is drawn.
#[derive(Clone, Debug)]
pub struct Atlas {
    places: Places,
}

impl Atlas {
    /// The places of a problem's world.
    ///
    /// # Errors
    /// The limit that `monitor` says was hit.
    pub fn new(problem: &Problem, monitor: &dyn Monitor) -> Result<Self, Limit> {
        Ok(Self { places: Places::new(problem, monitor)? })
    }

    /// The part of the world that should be seen when the robot may be at the one set of vertices and the observer thinks
    /// the other possible. A grid moves only when the robot comes near to the edge of `now`.
    pub fn view(&self, robot: &[Vertex], estimate: &[Vertex], now: View) -> View {
        if self.places.len() <= WHOLE {
            return View::Whole;
        }
        let Some(&first) = robot.first() else { return now };
        let here = self.places.of(first);
        match (&now, &self.places.grid) {
            (View::Around(centre), Some(grid)) if grid.near(centre, here) => now,
            (_, Some(_)) => View::Around(vec![here]),
            (_, None) => {
                let mut around: Vec<u32> = Vec::new();
                for place in
                    robot.iter().take(SOME).chain(estimate.iter().take(SOME)).map(|&v| self.places.of(v))
                {
                    if !around.contains(&place) {
                        around.push(place);
                    }
                }
                View::Around(around)
            }
        }
    }

    /// The picture.
    ///
    /// # Errors
    /// The limit that `monitor` says was hit.
    pub fn scene(&self, problem: &Problem, view: &View, monitor: &dyn Monitor) -> Result<Scene, Limit> {
        Ok(match &self.places.grid {
            Some(grid) => Scene::Grid(grid.scene(problem, view)),
            None => Scene::Graph(graph::world(problem, &self.places, view, monitor)?),
        })
    }

    /// The part of the world on which a set of vertices can be seen, and the set on it: `now` if it shows all of them.
    pub fn look(&self, problem: &Problem, now: View, set: &[Vertex]) -> (View, Marks) {
        let marks = self.marks(problem, &now, set);
        if marks.outside == 0 {
            return (now, marks);
        }
        let view = self.view(set, &[], now);
        let marks = self.marks(problem, &view, set);
        (view, marks)
    }

    /// The vertices of a set, on the picture with this view.
    pub fn marks(&self, problem: &Problem, view: &View, set: &[Vertex]) -> Marks {
        let shown = self.shown(problem, view);
        self.places.marks(problem, &shown, set)
    }

    /// The places that are drawn, in the order of their numbers in the picture.
    fn shown(&self, problem: &Problem, view: &View) -> Vec<u32> {
        match (&self.places.grid, view) {
            (_, View::Whole) => (0..self.places.len() as u32).collect(),
            (Some(grid), View::Around(centre)) => grid.window(centre),
            (None, View::Around(centres)) => graph::neighbourhood(problem, &self.places, centres),
        }
    }
}
