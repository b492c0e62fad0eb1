//! Worlds whose places are the cells of a grid.

use divulge::{
    Limit, Monitor,
    problem::{Problem, Vertex},
};
use divulge_picture::scene as picture;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::View;

/// How many rows and columns are drawn to each side of the centre, if not all are.
const REACH: usize = 10;

/// How near to the edge of the picture the robot may come before the picture moves.
const MARGIN: usize = 3;

/// The grid of a world; its places are the cells that have vertices.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub grid: picture::GridScene,
    /// The cell of each place.
    cells: Vec<usize>,
}

/// A grid, or a part of one.
#[derive(Clone, Debug, Serialize)]
pub struct GridScene {
    /// The first row and the first column that are drawn.
    pub origin: (usize, usize),
    /// How many rows and columns.
    pub size: (usize, usize),
    /// The cells, in the order of their numbers.
    pub cells: Vec<Cell>,
    /// Neighbours that no event leads between, as numbers of cells.
    pub walls: Vec<(usize, usize)>,
    /// What is said if this is not all.
    pub partial: Option<String>,
}

/// One cell.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// Its row and column, counted from 0.
    pub at: (usize, usize),
    /// What the model calls it.
    pub names: Vec<String>,
    /// What is observed here and in few other places.
    pub seen: Vec<String>,
    /// Whether the robot may start here.
    pub start: bool,
    /// Whether this is a goal.
    pub goal: bool,
    /// The cell in words.
    pub words: String,
}

impl Grid {
    /// The grid of a problem, if it has one, with the place of each vertex.
    pub fn find(problem: &Problem, monitor: &dyn Monitor) -> Result<Option<(Vec<u32>, Grid)>, Limit> {
        let Some(grid) = picture::GridScene::new(problem, monitor)? else { return Ok(None) };
        let cells: Vec<usize> =
            (0..grid.cells.len()).filter(|&i| !grid.cells[i].vertices.is_empty()).collect();
        let number: FxHashMap<usize, u32> = cells.iter().copied().zip(0..).collect();
        let of_vertex = grid.cell_of.iter().map(|cell| number[cell]).collect();
        Ok(Some((of_vertex, Grid { grid, cells })))
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn members(&self, place: u32) -> &[Vertex] {
        &self.grid.cells[self.cells[place as usize]].vertices
    }

    pub fn name(&self, place: u32) -> String {
        let cell = self.cells[place as usize];
        let ((r, c), (row, col)) = (self.grid.place(cell), &self.grid.axes);
        let at = format!("{row} {}, {col} {}", self.grid.first.0 + r as i64, self.grid.first.1 + c as i64);
        match &self.grid.cells[cell].names[..] {
            [] => at,
            names => format!("{} ({at})", names.join(", ")),
        }
    }

    fn at(&self, place: u32) -> Option<(usize, usize)> {
        self.cells.get(place as usize).map(|&cell| self.grid.place(cell))
    }

    fn within(&self, centre: u32, place: u32, reach: usize) -> bool {
        let (Some((r, c)), Some((row, col))) = (self.at(centre), self.at(place)) else { return false };
        r.abs_diff(row) <= reach && c.abs_diff(col) <= reach
    }

    /// Whether a picture around `centre` still shows `here` well.
    pub fn near(&self, centre: &[u32], here: u32) -> bool {
        centre.first().is_some_and(|&centre| self.within(centre, here, REACH - MARGIN))
    }

    /// The places around the first of these.
    pub fn window(&self, centre: &[u32]) -> Vec<u32> {
        let Some(&centre) = centre.first() else { return Vec::new() };
        (0..self.cells.len() as u32).filter(|&place| self.within(centre, place, REACH)).collect()
    }

    pub fn scene(&self, problem: &Problem, view: &View) -> GridScene {
        let shown: Vec<u32> = match view {
            View::Whole => (0..self.cells.len() as u32).collect(),
            View::Around(centre) => self.window(centre),
        };
        let cells: Vec<usize> = shown.iter().map(|&place| self.cells[place as usize]).collect();
        let number: FxHashMap<usize, usize> = cells.iter().enumerate().map(|(n, &cell)| (cell, n)).collect();
        let places = || cells.iter().map(|&cell| self.grid.place(cell));
        let first = (places().map(|p| p.0).min().unwrap_or(0), places().map(|p| p.1).min().unwrap_or(0));
        let last = (places().map(|p| p.0).max().unwrap_or(0), places().map(|p| p.1).max().unwrap_or(0));
        let walls = self.grid.walls.iter();
        GridScene {
            origin: first,
            size: (last.0 - first.0 + 1, last.1 - first.1 + 1),
            cells: shown.iter().map(|&place| self.cell(problem, place)).collect(),
            walls: walls.filter_map(|w| Some((*number.get(&w.one)?, *number.get(&w.other)?))).collect(),
            partial: (shown.len() < self.cells.len()).then(|| {
                format!("{} of {} cells are drawn, around the robot.", shown.len(), self.cells.len())
            }),
        }
    }

    fn cell(&self, problem: &Problem, place: u32) -> Cell {
        let cell = self.cells[place as usize];
        let drawn = &self.grid.cells[cell];
        Cell {
            at: self.grid.place(cell),
            names: drawn.names.clone(),
            seen: drawn.seen.iter().map(|&l| problem.alphabet.name(l).to_owned()).collect(),
            start: drawn.start,
            goal: drawn.goal,
            words: self.name(place),
        }
    }
}
