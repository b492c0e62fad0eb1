//! A grid in letters: where the robot is, and what the observer holds possible, side by side.

use divulge::problem::Vertex;
use divulge_picture::scene::GridScene;

/// The signs that a board is made of.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    pub robot: &'static str,
    pub possible: &'static str,
    pub goal: &'static str,
    pub empty: &'static str,
    pub wall: &'static str,
    pub floor: &'static str,
}

impl Signs {
    /// For terminals that show more than ASCII, and for others.
    pub fn new(unicode: bool) -> Self {
        match unicode {
            true => {
                Self { robot: "●", possible: "▒", goal: "◎", empty: "·", wall: "│", floor: "─" }
            }
            false => Self { robot: "@", possible: "#", goal: "G", empty: ".", wall: "|", floor: "-" },
        }
    }
}

/// What a board shows in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    Plain,
    Robot,
    Possible,
}

/// Both boards, side by side.
pub struct Boards {
    /// Row by row, as pieces of text with what they show.
    pub lines: Vec<Vec<(String, Ink)>>,
    /// How many columns are shown.
    pub cols: usize,
    /// How many cells of the grid are not, and how many of those that the observer holds possible.
    pub hidden: usize,
    pub hidden_possible: usize,
}

/// How many columns there is room for.
pub fn columns(grid: &GridScene, width: usize) -> usize {
    let each = width.saturating_sub(2 + BETWEEN) / 2;
    grid.cols.min((each.saturating_sub(MARGIN) / COLUMN).max(3))
}

/// The boards of what is around the robot, in at most so many columns and lines.
pub fn boards(
    grid: &GridScene,
    (robot, estimate): (&[Vertex], &[Vertex]),
    signs: Signs,
    (width, height): (usize, usize),
) -> Boards {
    let mut rows = grid.rows.min(height.saturating_sub(1).max(1));
    loop {
        let made = of_rows(grid, (robot, estimate), signs, columns(grid, width), rows);
        // Walls between rows take lines too.
        if made.lines.len() <= height || rows == 1 {
            return made;
        }
        rows -= (made.lines.len() - height).div_ceil(2).min(rows - 1);
    }
}

fn of_rows(
    grid: &GridScene,
    (robot, estimate): (&[Vertex], &[Vertex]),
    signs: Signs,
    cols: usize,
    rows: usize,
) -> Boards {
    let (robot, held) = (grid.cells_of(robot), grid.cells_of(estimate));
    let focus = robot.first().or(held.first()).copied().unwrap_or(0);
    let (top, rows) = window(grid.place(focus).0, grid.rows, rows);
    let (left, cols) = window(grid.place(focus).1, grid.cols, cols);
    let shown = |&cell: &usize| {
        let (row, col) = grid.place(cell);
        (top..top + rows).contains(&row) && (left..left + cols).contains(&col)
    };
    let hidden_possible = held.iter().filter(|&cell| !shown(cell)).count();
    let hidden = grid.cells.len() - rows * cols;
    let own = Board { grid, marked: &robot, sign: signs.robot, ink: Ink::Robot, signs, left, cols };
    let other = Board { grid, marked: &held, sign: signs.possible, ink: Ink::Possible, signs, left, cols };
    let mut lines = vec![own.beside(&other, |board| board.heading())];
    for row in top..top + rows {
        lines.push(own.beside(&other, |board| board.row(row)));
        if row + 1 < top + rows && own.has_floor(row) {
            lines.push(own.beside(&other, |board| board.floor(row)));
        }
    }
    Boards { lines, cols, hidden, hidden_possible }
}

/// From where, and how many: at most `most` around `focus`.
fn window(focus: usize, all: usize, most: usize) -> (usize, usize) {
    let count = all.min(most);
    (focus.saturating_sub(count / 2).min(all - count), count)
}

struct Board<'a> {
    grid: &'a GridScene,
    marked: &'a [usize],
    sign: &'static str,
    ink: Ink,
    signs: Signs,
    left: usize,
    cols: usize,
}

/// The widths of a column, of what stands before the first, and of what is between the boards.
const COLUMN: usize = 3;
const MARGIN: usize = 4;
const BETWEEN: usize = 4;

/// How wide a board is.
pub fn board_width(cols: usize) -> usize {
    (MARGIN + COLUMN * cols).max(16)
}

impl Board<'_> {
    fn beside(&self, other: &Self, row: impl Fn(&Self) -> Vec<(String, Ink)>) -> Vec<(String, Ink)> {
        let mut pieces = vec![("  ".to_owned(), Ink::Plain)];
        let own = row(self);
        let used: usize = own.iter().map(|(text, _)| text.chars().count()).sum();
        pieces.extend(own);
        pieces.push((" ".repeat(board_width(self.cols).saturating_sub(used) + BETWEEN), Ink::Plain));
        pieces.extend(row(other));
        pieces
    }

    fn heading(&self) -> Vec<(String, Ink)> {
        let mut text = " ".repeat(MARGIN);
        for col in self.left..self.left + self.cols {
            let number = (self.grid.first.1 + col as i64).to_string();
            text.push_str(&format!("{:<COLUMN$}", &number[number.len().saturating_sub(COLUMN - 1)..]));
        }
        vec![(text.trim_end().to_owned(), Ink::Plain)]
    }

    fn row(&self, row: usize) -> Vec<(String, Ink)> {
        let number = (self.grid.first.0 + row as i64).to_string();
        let mut pieces = vec![(format!("{number:>2}  "), Ink::Plain)];
        for col in self.left..self.left + self.cols {
            let cell = row * self.grid.cols + col;
            let here = &self.grid.cells[cell];
            let marked = self.marked.binary_search(&cell).is_ok();
            let (sign, ink) = match (marked, here.vertices.is_empty(), here.goal) {
                (true, ..) => (self.sign, self.ink),
                (_, true, _) => (" ", Ink::Plain),
                (_, _, true) => (self.signs.goal, Ink::Plain),
                _ => (self.signs.empty, Ink::Plain),
            };
            pieces.push((sign.to_owned(), ink));
            let walled = self.grid.walls.iter().any(|w| (w.one, w.other) == (cell, cell + 1));
            pieces.push((format!("{} ", if walled { self.signs.wall } else { " " }), Ink::Plain));
        }
        pieces
    }

    fn has_floor(&self, row: usize) -> bool {
        let columns = self.left..self.left + self.cols;
        columns.into_iter().any(|col| self.floor_at(row, col))
    }

    fn floor_at(&self, row: usize, col: usize) -> bool {
        let cell = row * self.grid.cols + col;
        self.grid.walls.iter().any(|w| (w.one, w.other) == (cell, cell + self.grid.cols))
    }

    fn floor(&self, row: usize) -> Vec<(String, Ink)> {
        let mut text = " ".repeat(MARGIN);
        for col in self.left..self.left + self.cols {
            let sign = if self.floor_at(row, col) { self.signs.floor } else { " " };
            text.push_str(&format!("{sign}  "));
        }
        vec![(text.trim_end().to_owned(), Ink::Plain)]
    }
}
