//! A world whose vertices have rows and columns.

use divulge::problem::{Column, Kind, Label, Problem, Value, Vertex};
use rustc_hash::FxHashSet;

use crate::pace::{Limit, Monitor, Pace};

/// Larger grids than this are not drawn as grids.
const MOST_CELLS: usize = 1_000_000;

/// A place of the grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The vertices there; none where the world has no such place.
    pub vertices: Vec<Vertex>,
    /// What the model calls it.
    pub names: Vec<String>,
    /// Observations that are made here and in few other places.
    pub seen: Vec<Label>,
    /// Whether a goal vertex is there.
    pub goal: bool,
    /// Whether the world can start there.
    pub start: bool,
}

/// Two neighbouring cells between which no event leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wall {
    /// The upper or left cell.
    pub one: usize,
    /// The lower or right cell.
    pub other: usize,
}

/// A world as a grid. Cells are numbered row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridScene {
    /// How many rows there are.
    pub rows: usize,
    /// How many columns there are.
    pub cols: usize,
    /// The values of row and column that the first cell has.
    pub first: (i64, i64),
    /// The names of the properties that are row and column.
    pub axes: (String, String),
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The cell of each vertex of the world.
    pub cell_of: Vec<usize>,
    /// The walls, ascending.
    pub walls: Vec<Wall>,
    /// The other properties: what vertices of one cell may differ in.
    pub others: Vec<String>,
}

impl GridScene {
    /// The grid that the problem names, or one by `row` and `col` or by `y` and `x`; `None` if there is none.
    ///
    /// # Errors
    /// The limit that `monitor` says was hit.
    pub fn new(problem: &Problem, monitor: &dyn Monitor) -> Result<Option<Self>, Limit> {
        let pace = Pace::new(monitor);
        let named = problem.grid.as_ref().map(|grid| (grid.row.as_str(), grid.col.as_str()));
        let mut tried = named.into_iter().chain([("row", "col"), ("y", "x")]);
        let Some(mut grid) = tried.find_map(|(row, col)| Self::with_axes(problem, row, col)) else {
            return Ok(None);
        };
        grid.fill(problem, &pace)?;
        grid.find_walls(problem, &pace)?;
        grid.name_cells(problem, &pace)?;
        Ok(Some(grid))
    }

    fn with_axes(problem: &Problem, row: &str, col: &str) -> Option<Self> {
        let world = &problem.world;
        let (rows, cols) = (values(world.props.column(row)?)?, values(world.props.column(col)?)?);
        let (first, last) =
            ((*rows.iter().min()?, *cols.iter().min()?), (*rows.iter().max()?, *cols.iter().max()?));
        let span = |low: i64, high: i64| usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok();
        let (high, wide) = (span(first.0, last.0)?, span(first.1, last.1)?);
        if high.checked_mul(wide).is_none_or(|cells| cells > MOST_CELLS) {
            return None;
        }
        let (row_of, col_of) = (world.props.column(row)?, world.props.column(col)?);
        let cell = |v: Vertex| {
            let (r, c) = (rows[row_of.code(v)?], cols[col_of.code(v)?]);
            Some((r - first.0) as usize * wide + (c - first.1) as usize)
        };
        let cell_of = world.graph.vertices().map(cell).collect::<Option<Vec<usize>>>()?;
        let axes = [row, col];
        let others =
            world.props.names().iter().filter(|name| !axes.contains(name)).map(str::to_owned).collect();
        Some(Self {
            rows: high,
            cols: wide,
            first,
            axes: (row.to_owned(), col.to_owned()),
            cells: vec![Cell::default(); high * wide],
            cell_of,
            walls: Vec::new(),
            others,
        })
    }

    /// The cell at these values of row and column, if it lies in the grid.
    pub fn cell_at(&self, row: i64, col: i64) -> Option<usize> {
        let r = usize::try_from(row.checked_sub(self.first.0)?).ok().filter(|&r| r < self.rows)?;
        let c = usize::try_from(col.checked_sub(self.first.1)?).ok().filter(|&c| c < self.cols)?;
        Some(r * self.cols + c)
    }

    /// The row and the column of a cell, counted from 0.
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.cols, cell % self.cols)
    }

    /// The cells of some vertices, each once, ascending.
    pub fn cells_of(&self, vertices: &[Vertex]) -> Vec<usize> {
        let mut cells: Vec<usize> = vertices.iter().map(|v| self.cell_of[v.index()]).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    fn fill(&mut self, problem: &Problem, pace: &Pace<'_>) -> Result<(), Limit> {
        let world = &problem.world;
        for v in world.graph.vertices() {
            pace.work(1)?;
            let cell = &mut self.cells[self.cell_of[v.index()]];
            cell.vertices.push(v);
            cell.goal |= world.is_goal(v);
            cell.start |= world.graph.initial().binary_search(&v).is_ok();
        }
        Ok(())
    }

    fn find_walls(&mut self, problem: &Problem, pace: &Pace<'_>) -> Result<(), Limit> {
        let mut crossed: FxHashSet<(usize, usize)> = FxHashSet::default();
        for (v, arc) in problem.world.graph.all_arcs() {
            pace.work(1)?;
            let (a, b) = (self.cell_of[v.index()], self.cell_of[arc.to.index()]);
            crossed.insert((a.min(b), a.max(b)));
        }
        let inside = |cell: usize| !self.cells[cell].vertices.is_empty();
        let mut walls = Vec::new();
        let mut open = false;
        for one in (0..self.cells.len()).filter(|&cell| inside(cell)) {
            let (r, c) = self.place(one);
            let right = (c + 1 < self.cols).then_some(one + 1);
            let below = (r + 1 < self.rows).then_some(one + self.cols);
            for other in right.into_iter().chain(below).filter(|&cell| inside(cell)) {
                match crossed.contains(&(one, other)) {
                    true => open = true,
                    false => walls.push(Wall { one, other }),
                }
            }
        }
        // Where nothing ever leads to a neighbour, moves are of another kind, and walls would say nothing.
        if open {
            self.walls = walls;
        }
        Ok(())
    }

    fn name_cells(&mut self, problem: &Problem, pace: &Pace<'_>) -> Result<(), Limit> {
        for (name, row, col) in problem.grid.iter().flat_map(|grid| &grid.landmarks) {
            if let Some(cell) = self.cell_at(*row, *col).filter(|&cell| !self.cells[cell].vertices.is_empty())
            {
                self.cells[cell].names.push(name.clone());
            }
        }
        let graph = &problem.world.graph;
        pace.work(graph.arc_count())?;
        let mut at: Vec<(Label, usize)> = graph
            .all_arcs()
            .filter(|(v, _)| graph.kind(*v) == Kind::Observation)
            .map(|(v, arc)| (arc.label, self.cell_of[v.index()]))
            .collect();
        at.sort_unstable();
        at.dedup();
        let few = (self.cells.iter().filter(|cell| !cell.vertices.is_empty()).count() / 4).max(1);
        for group in at.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() <= few) {
            for &(label, cell) in group {
                self.cells[cell].seen.push(label);
            }
        }
        Ok(())
    }
}

/// The integers of a column, in the order of their codes; `None` if some value is none.
fn values(column: &Column) -> Option<Vec<i64>> {
    let int = |value: &Value| if let Value::Int(i) = value { Some(*i) } else { None };
    column.values().iter().map(int).collect()
}
