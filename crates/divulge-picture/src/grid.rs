//! A grid on a canvas: cells, walls, names; the ground that plans are drawn on.

use divulge::problem::Problem;

use crate::{
    layout::Point,
    legend::{Entry, Sample},
    scene::{Cell, GridScene},
    svg::{Anchor, Area, Canvas, Letters, Paint},
    text,
};

/// The side of a cell, at most; the smallest in which names are legible; and the smallest at all.
const LARGEST: f64 = 72.0;
const LEGIBLE: f64 = 44.0;
const SMALLEST: f64 = 9.0;

/// The width that a grid should not exceed.
const WIDTH: f64 = 620.0;

const NAME: f64 = 8.5;
const AXIS: f64 = 8.5;

/// A grid with places for its cells.
pub(crate) struct GridPicture<'s> {
    pub scene: &'s GridScene,
    pub side: f64,
    /// The first row and column shown, and how many.
    window: (usize, usize, usize, usize),
    /// Where the first cell is.
    origin: Point,
}

impl<'s> GridPicture<'s> {
    /// The whole grid, or if it has more cells than `most` the part around `focus`.
    pub fn new(scene: &'s GridScene, focus: &[usize], most: usize) -> Self {
        let window = window(scene, focus, most);
        let side = (WIDTH / window.3 as f64).clamp(SMALLEST, LARGEST);
        let digits =
            [scene.first.0, scene.first.0 + scene.rows as i64].map(|n| text::width(&n.to_string(), AXIS));
        Self { scene, side, window, origin: Point::new(digits[0].max(digits[1]) + 7.0, AXIS + 7.0) }
    }

    /// The same grid with small cells, without names.
    pub fn small(scene: &'s GridScene, focus: &[usize], most: usize, width: f64) -> Self {
        let window = window(scene, focus, most);
        let side = (width / window.3 as f64).clamp(2.0, 17.0);
        Self { scene, side, window, origin: Point::default() }
    }

    pub fn size(&self) -> Point {
        let (_, _, rows, cols) = self.window;
        Point::new(
            self.origin.x + cols as f64 * self.side + 1.0,
            self.origin.y + rows as f64 * self.side + 1.0,
        )
    }

    /// How many cells are not shown.
    pub fn hidden(&self) -> usize {
        self.scene.cells.len() - self.window.2 * self.window.3
    }

    /// Where a cell is, if it is shown.
    pub fn area(&self, cell: usize) -> Option<Area> {
        let (r, c) = self.scene.place(cell);
        let (top, left, rows, cols) = self.window;
        let (r, c) = (r.checked_sub(top).filter(|&r| r < rows)?, c.checked_sub(left).filter(|&c| c < cols)?);
        let (x, y) = (self.origin.x + c as f64 * self.side, self.origin.y + r as f64 * self.side);
        Some(Area::new(x, y, self.side, self.side))
    }

    fn shown(&self) -> impl Iterator<Item = (usize, Area, &'s Cell)> + '_ {
        let cells = self.scene.cells.iter().enumerate();
        cells.filter_map(|(i, cell)| Some((i, self.area(i)?, cell)))
    }

    /// The ground: cells without anything that belongs to a moment.
    pub fn draw(&self, canvas: &mut Canvas) {
        self.cells(canvas, |_| false);
        self.axes(canvas);
    }

    /// What is written in the cells; drawn last, it stays legible.
    pub fn write(&self, canvas: &mut Canvas, problem: &Problem) {
        for (_, area, cell) in self.shown().filter(|_| self.side >= LEGIBLE) {
            self.names(canvas, problem, area, cell);
        }
    }

    /// The cells, some of them shaded, with walls.
    pub fn cells(&self, canvas: &mut Canvas, shaded: impl Fn(usize) -> bool) {
        let colours = canvas.colours;
        let thin = (self.side / 40.0).clamp(0.4, 1.0);
        for (i, area, cell) in self.shown() {
            let fill = match (cell.vertices.is_empty(), shaded(i), cell.goal) {
                (true, ..) => colours.void,
                (_, true, _) => colours.shade,
                (_, _, true) => colours.goal,
                _ => colours.background,
            };
            canvas.rect(area, Paint::both(fill, colours.line, thin));
        }
        // Outlines after all cells, so that no neighbour covers them.
        for (i, area, cell) in self.shown() {
            if cell.goal {
                let inset = (self.side / 20.0).clamp(1.0, 3.0);
                canvas.rect(area.grown(-inset), Paint::line(colours.ink, thin));
            }
            if shaded(i) {
                canvas.rect(area.grown(-thin / 2.0), Paint::line(colours.shade_line, thin));
            }
        }
        let thick = (self.side / 14.0).clamp(1.2, 4.0);
        for wall in &self.scene.walls {
            if let (Some(_), Some(area)) = (self.area(wall.one), self.area(wall.other)) {
                let corner = Point::new(area.x, area.y);
                let end = match wall.other == wall.one + 1 {
                    true => Point::new(area.x, area.y + area.h),
                    false => Point::new(area.x + area.w, area.y),
                };
                canvas.line(corner, end, Paint::line(colours.ink, thick));
            }
        }
    }

    fn names(&self, canvas: &mut Canvas, problem: &Problem, area: Area, cell: &Cell) {
        let colours = canvas.colours;
        let ground = if cell.goal { colours.goal } else { colours.background };
        let room = self.side - 9.0;
        let x = area.x + 5.0;
        let lines: Vec<String> = cell
            .names
            .iter()
            .take(2)
            .map(|name| text::fit(&name.replace('_', " "), NAME, room / 1.08))
            .collect();
        for (i, line) in lines.iter().enumerate() {
            let at = Point::new(x, area.y + 9.5 + i as f64 * NAME * text::LINE);
            canvas.text(at, line, Letters::new(NAME, colours.ink, Anchor::Start).bold().halo(ground));
        }
        let role = match (cell.start, cell.goal) {
            (true, true) => "start, goal",
            (true, false) => "start",
            (false, true) => "goal",
            (false, false) => "",
        };
        let at = Point::new(x, area.y + 9.5 + lines.len() as f64 * NAME * text::LINE);
        canvas.text(at, role, Letters::new(NAME, colours.ink, Anchor::Start).halo(ground));
        let seen: Vec<&str> = cell.seen.iter().map(|&l| problem.alphabet.name(l)).collect();
        let lines = text::wrap(&seen.join(" | "), NAME, room, 2);
        for (i, line) in lines.iter().enumerate() {
            let up = (lines.len() - 1 - i) as f64 * NAME * text::LINE;
            let at = Point::new(x, area.y + self.side - 8.5 - up);
            canvas.text(at, line, Letters::new(NAME, colours.soft, Anchor::Start).italic().halo(ground));
        }
    }

    fn axes(&self, canvas: &mut Canvas) {
        let letters = Letters::new(AXIS, canvas.colours.soft, Anchor::Middle);
        let (top, left, rows, cols) = self.window;
        // Small cells do not have room for all numbers.
        let every = |room: f64| (room / self.side).ceil().max(1.0) as usize;
        for c in (0..cols).step_by(every(22.0)) {
            let at = Point::new(self.origin.x + (c as f64 + 0.5) * self.side, self.origin.y - AXIS * 0.8);
            canvas.text(at, &(self.scene.first.1 + (left + c) as i64).to_string(), letters);
        }
        let letters = Letters { anchor: Anchor::End, ..letters };
        for r in (0..rows).step_by(every(12.0)) {
            let at = Point::new(self.origin.x - 5.0, self.origin.y + (r as f64 + 0.5) * self.side);
            canvas.text(at, &(self.scene.first.0 + (top + r) as i64).to_string(), letters);
        }
    }

    /// What the signs of the ground mean, as far as they are there.
    pub fn entries(&self, problem: &Problem) -> Vec<Entry> {
        let scene = self.scene;
        let mut entries = Vec::new();
        if self.side < LEGIBLE && scene.cells.iter().any(|cell| cell.goal) {
            entries.push(Entry::new(Sample::Goal, "goal"));
        }
        if !scene.walls.is_empty() {
            entries.push(Entry::new(Sample::Wall, "wall: no event leads across"));
        }
        if scene.cells.iter().any(|cell| cell.vertices.is_empty()) {
            entries.push(Entry::new(Sample::Void, "no place"));
        }
        if self.side >= LEGIBLE && scene.cells.iter().any(|cell| !cell.seen.is_empty()) {
            let text = "In italics: what can be observed there and in few other places.";
            entries.push(Entry::new(Sample::Words, text));
        }
        entries.extend(hidden_variables(problem, scene).map(|text| Entry::new(Sample::Words, text)));
        entries
    }
}

/// The variables that the picture does not show, with their values.
fn hidden_variables(problem: &Problem, scene: &GridScene) -> Option<String> {
    let told = |name: &String| {
        let column = problem.world.props.column(name)?;
        let mut values: Vec<String> = column.values().iter().take(7).map(ToString::to_string).collect();
        values.sort();
        if column.values().len() > 6 {
            values.truncate(5);
            values.push("…".to_owned());
        }
        Some(format!("{name}\u{a0}({})", values.join(",\u{a0}")))
    };
    let all: Vec<String> = scene.others.iter().filter_map(told).collect();
    (!all.is_empty()).then(|| format!("Not shown in the picture: {}.", all.join("; ")))
}

/// The part of a grid that is shown: rows and columns from where, and how many.
fn window(scene: &GridScene, focus: &[usize], most: usize) -> (usize, usize, usize, usize) {
    let all = (0, 0, scene.rows, scene.cols);
    if scene.rows * scene.cols <= most.max(1) {
        return all;
    }
    let starts = || (0..scene.cells.len()).filter(|&cell| scene.cells[cell].start);
    let near: Vec<usize> = if focus.is_empty() { starts().collect() } else { focus.to_vec() };
    let span = |of: &dyn Fn(usize) -> usize, end: usize, side: usize| {
        let low = near.iter().map(|&cell| of(cell)).min().unwrap_or(0).saturating_sub(1);
        let high = near.iter().map(|&cell| of(cell)).max().unwrap_or(0) + 1;
        let count = (high + 1 - low).max(side).min(end);
        (low.min(end - count), count)
    };
    // About square, and wider than that where the focus is.
    let side = (most as f64).sqrt().floor().max(3.0) as usize;
    let least = side.min(8);
    let (top, rows) = span(&|cell| scene.place(cell).0, scene.rows, least);
    let (left, cols) = span(&|cell| scene.place(cell).1, scene.cols, least);
    let rows = rows.min((most / cols.min(side * 2).max(1)).max(1));
    let cols = cols.min((most / rows).max(1));
    (top, left, rows, cols)
}
