//! A grid in letters: where the robot is, and what each observer thinks possible, side by side.

use divulge::problem::Vertex;
use divulge_picture::scene::GridScene;

use super::screen::cut;

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

/// What one board shows.
pub struct Shown<'v> {
    pub title: String,
    pub set: &'v [Vertex],
    pub sign: &'static str,
    pub ink: Ink,
}

/// Boards side by side.
pub struct Boards {
    /// Row by row, the titles first, as pieces of text with what they show.
    pub lines: Vec<Vec<(String, Ink)>>,
    /// How many cells of the grid are not shown, and of what each board shows, how many.
    pub hidden: usize,
    pub hidden_of: Vec<usize>,
}

/// How many columns a board has if there is room for two.
fn columns(grid: &GridScene, width: usize) -> usize {
    let each = width.saturating_sub(2 + BETWEEN) / 2;
    grid.cols.min((each.saturating_sub(MARGIN) / COLUMN).max(3))
}

/// How many boards there is room for beside each other.
pub fn beside(grid: &GridScene, width: usize) -> usize {
    ((width.saturating_sub(2) + BETWEEN) / (board_width(columns(grid, width)) + BETWEEN)).max(2)
}

/// The boards of what is around the robot, in at most so many columns and lines.
pub fn boards(
    grid: &GridScene,
    robot: &[Vertex],
    shown: &[Shown<'_>],
    signs: Signs,
    (width, height): (usize, usize),
) -> Boards {
    let mut rows = grid.rows.min(height.saturating_sub(1).max(1));
    loop {
        let made = of_rows(grid, robot, shown, signs, columns(grid, width), rows);
        // Walls between rows take lines too; the titles were counted before.
        let lines = made.lines.len() - 1;
        if lines <= height || rows == 1 {
            return made;
        }
        rows -= (lines - height).div_ceil(2).min(rows - 1);
    }
}

fn of_rows(
    grid: &GridScene,
    robot: &[Vertex],
    shown: &[Shown<'_>],
    signs: Signs,
    cols: usize,
    rows: usize,
) -> Boards {
    let sets: Vec<Vec<usize>> = shown.iter().map(|one| grid.cells_of(one.set)).collect();
    let here = grid.cells_of(robot);
    let focus = here.iter().chain(sets.iter().flatten()).next().copied().unwrap_or(0);
    let (top, rows) = window(grid.place(focus).0, grid.rows, rows);
    let (left, cols) = window(grid.place(focus).1, grid.cols, cols);
    let seen = |&cell: &usize| {
        let (row, col) = grid.place(cell);
        (top..top + rows).contains(&row) && (left..left + cols).contains(&col)
    };
    let hidden_of = sets.iter().map(|set| set.iter().filter(|&cell| !seen(cell)).count()).collect();
    let hidden = grid.cells.len() - rows * cols;
    let each = shown.iter().zip(&sets);
    let boards: Vec<Board<'_>> = each
        .map(|(one, marked)| Board { grid, marked, sign: one.sign, ink: one.ink, signs, left, cols })
        .collect();
    let room = board_width(cols) + BETWEEN - 1;
    let titles = shown.iter().map(|one| vec![(cut(&one.title, room), Ink::Plain)]).collect();
    let mut lines = vec![joined(cols, titles)];
    let mut line = |of: &dyn Fn(&Board<'_>) -> Vec<(String, Ink)>| {
        lines.push(joined(cols, boards.iter().map(of).collect()));
    };
    line(&|board| board.heading());
    for row in top..top + rows {
        line(&|board| board.row(row));
        if row + 1 < top + rows && boards.first().is_some_and(|board| board.has_floor(row)) {
            line(&|board| board.floor(row));
        }
    }
    Boards { lines, hidden, hidden_of }
}

/// The lines of several boards as one.
fn joined(cols: usize, lines: Vec<Vec<(String, Ink)>>) -> Vec<(String, Ink)> {
    let mut pieces = vec![("  ".to_owned(), Ink::Plain)];
    let last = lines.len().saturating_sub(1);
    for (i, line) in lines.into_iter().enumerate() {
        let used: usize = line.iter().map(|(text, _)| text.chars().count()).sum();
        pieces.extend(line);
        if i < last {
            pieces.push((" ".repeat((board_width(cols) + BETWEEN).saturating_sub(used)), Ink::Plain));
        }
    }
    pieces
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
fn board_width(cols: usize) -> usize {
    (MARGIN + COLUMN * cols).max(16)
}

impl Board<'_> {
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
