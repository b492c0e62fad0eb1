//! One moment as a small picture: where the robot is, and what the observer holds possible.

use divulge::{
    explain::Moment,
    problem::{Problem, Vertex},
};

use super::rows::{Row, Wrong};

use crate::{
    grid::GridPicture,
    layout::Point,
    legend::{STILL, cross, robot, stop},
    pace::{Limit, Pace},
    scene::GridScene,
    svg::{Anchor, Area, Canvas, Letters, Paint},
    text,
    variables::{Variable, possible, unlisted, variables},
};

const NAME: f64 = 8.0;
const CHIP: f64 = 8.5;
const PAD: f64 = 5.0;
/// The height of a chip, and of a row of chips.
const CHIP_HEIGHT: f64 = 12.0;
const ROW: f64 = 14.0;

/// More variables than this are not shown; nor more vertices.
const MOST_VARIABLES: usize = 4;
const MOST_VERTICES: usize = 6;
/// Of those that are not shown, at most so many are named.
const MOST_NAMED: usize = 8;

/// How the cards of one strip look.
pub(super) struct Cards<'a> {
    problem: &'a Problem,
    grid: Option<GridPicture<'a>>,
    variables: Vec<Variable>,
    /// The variables that there is no room for, with how many values they have.
    unshown: Vec<(String, usize)>,
    /// Whether vertices are named, because there is nothing else to tell.
    vertices: bool,
    pub size: Point,
}

/// A value that is shown, whether the observer holds it possible, and whether it is so as far as the robot knows.
struct Chip {
    text: String,
    possible: bool,
    real: bool,
}

impl<'a> Cards<'a> {
    pub fn new(
        problem: &'a Problem,
        scene: Option<&'a GridScene>,
        rows: &[Row],
        most: usize,
        pace: &Pace<'_>,
    ) -> Result<Self, Limit> {
        let axes: Vec<&str> = scene.map_or(Vec::new(), |s| vec![s.axes.0.as_str(), s.axes.1.as_str()]);
        let mut variables = variables(problem, &axes);
        let dropped = variables.split_off(variables.len().min(MOST_VARIABLES));
        let mut unshown: Vec<(String, usize)> =
            dropped.into_iter().map(|variable| (variable.name, variable.values.len())).collect();
        unshown.extend(unlisted(problem, &axes));
        let vertices = scene.is_none() && variables.is_empty();
        let width: f64 = 94.0;
        let grid = scene.map(|scene| {
            let moments = rows.iter().flat_map(|row| &row.moments);
            let shown: Vec<Vertex> =
                moments.flat_map(|m| m.world.iter().chain(m.estimate.iter().flatten())).copied().collect();
            GridPicture::small(scene, &scene.cells_of(&shown), most, width - 2.0 * PAD)
        });
        let inner = grid.as_ref().map_or(width, |grid| grid.size().x.max(width - 2.0 * PAD) + 2.0 * PAD);
        let size = Point::new(inner.max(64.0), 0.0);
        let mut cards = Self { problem, grid, variables, unshown, vertices, size };
        let mut tallest = 0.0f64;
        for row in rows {
            for (moment, wrong) in row.moments.iter().zip(&row.wrong) {
                pace.work(moment.world.len() + moment.estimate.as_ref().map_or(0, Vec::len))?;
                tallest = tallest.max(cards.height(moment, wrong));
            }
        }
        cards.size.y = tallest;
        Ok(cards)
    }

    /// What is said where variables are not shown.
    pub fn left_out(&self) -> Option<String> {
        let told = |(name, values): &(String, usize)| match values {
            0..=8 => name.clone(),
            n => format!("{name} ({n} values)"),
        };
        let names: Vec<String> = self.unshown.iter().take(MOST_NAMED).map(told).collect();
        let more = self.unshown.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!names.is_empty()).then(|| format!("Variables not shown: {}{more}.", names.join(", ")))
    }

    /// About how much work a card is.
    pub fn work(&self) -> usize {
        self.grid.as_ref().map_or(8, |grid| grid.scene.cells.len())
    }

    fn rows(&self, moment: &Moment) -> Vec<(String, Vec<Vec<Chip>>)> {
        let none: &[Vertex] = &[];
        let estimate = moment.estimate.as_deref().unwrap_or(none);
        let mut rows = Vec::new();
        for variable in &self.variables {
            let held = possible(self.problem, variable, estimate);
            let real = possible(self.problem, variable, &moment.world);
            let chips = variable.values.iter().map(|value| Chip {
                text: value.to_string(),
                possible: held.contains(value),
                real: real.len() == 1 && real.contains(value),
            });
            rows.push((variable.name.clone(), self.flow(chips)));
        }
        if self.vertices {
            let mut chips: Vec<Chip> = Vec::new();
            for &v in estimate.iter().take(MOST_VERTICES) {
                let real = moment.world == [v];
                chips.push(Chip { text: self.problem.world.name(v).to_owned(), possible: true, real });
            }
            if estimate.len() > MOST_VERTICES {
                let text = format!("… {} more", estimate.len() - MOST_VERTICES);
                chips.push(Chip { text, possible: false, real: false });
            }
            rows.push((String::new(), self.flow(chips)));
        }
        rows
    }

    /// Chips in rows that are not too wide.
    fn flow(&self, chips: impl IntoIterator<Item = Chip>) -> Vec<Vec<Chip>> {
        let room = self.size.x - 2.0 * PAD;
        let mut rows: Vec<Vec<Chip>> = Vec::new();
        let (mut row, mut used) = (Vec::new(), 0.0);
        for mut chip in chips {
            chip.text = text::fit(&chip.text, CHIP, room - 10.0);
            let width = chip_width(&chip) + 2.0;
            if used + width > room + 2.0 && used > 0.0 {
                rows.push(std::mem::take(&mut row));
                used = 0.0;
            }
            used += width;
            row.push(chip);
        }
        rows.push(row);
        rows
    }

    fn broken(&self, wrong: &[Wrong]) -> Vec<String> {
        wrong.iter().map(|wrong| text::fit(&wrong.words(), CHIP, self.size.x - 22.0)).collect()
    }

    fn height(&self, moment: &Moment, wrong: &[Wrong]) -> f64 {
        let grid = self.grid.as_ref().map_or(0.0, |grid| grid.size().y + 5.0);
        let rows = self.rows(moment);
        let names =
            rows.iter().filter(|(name, _)| !name.is_empty()).count() as f64 * (NAME * text::LINE + 1.0);
        let chips = rows.iter().map(|(_, lines)| lines.len()).sum::<usize>() as f64 * ROW;
        let broken = self.broken(wrong).len() as f64 * (CHIP * text::LINE + 1.0);
        2.0 * PAD + grid + names + chips + broken
    }

    /// Draws a moment of a row. `ends`: the plan terminates then; `still`: nothing was seen of what led there.
    pub fn draw(
        &self,
        canvas: &mut Canvas,
        at: Point,
        (row, number): (&Row, usize),
        ends: bool,
        still: bool,
    ) {
        let colours = canvas.colours;
        let (moment, broken) = (&row.moments[number], self.broken(&row.wrong[number]));
        let (line, width) = if broken.is_empty() { (colours.soft, 0.8) } else { (colours.wrong, 1.8) };
        let area = Area::new(at.x, at.y, self.size.x, self.size.y);
        let paint = Paint::both(colours.background, line, width).round(4.0);
        canvas.rect(area, paint.dash(if still { STILL } else { "" }));
        let mut y = at.y + PAD;
        if let Some(grid) = &self.grid {
            let mut body = Canvas::new(colours);
            self.draw_grid(&mut body, grid, moment);
            canvas.place(&body.out, Point::new(at.x + (self.size.x - grid.size().x) / 2.0, y));
            y += grid.size().y + 5.0;
        }
        for (name, lines) in self.rows(moment) {
            if !name.is_empty() {
                let name = text::fit(&name, NAME, self.size.x - 2.0 * PAD);
                let letters = Letters::new(NAME, colours.soft, Anchor::Start);
                canvas.text(Point::new(at.x + PAD, y + NAME * 0.6), &name, letters);
                y += NAME * text::LINE + 1.0;
            }
            for chips in lines {
                let mut x = at.x + PAD;
                for chip in chips {
                    draw_chip(canvas, Point::new(x, y), &chip);
                    x += chip_width(&chip) + 2.0;
                }
                y += ROW;
            }
        }
        for name in broken {
            cross(canvas, Point::new(at.x + PAD + 4.0, y + 5.0), 3.0, colours.wrong);
            let letters = Letters::new(CHIP, colours.wrong, Anchor::Start).bold();
            canvas.text(Point::new(at.x + PAD + 11.0, y + 5.0), &name, letters);
            y += CHIP * text::LINE + 1.0;
        }
        if ends {
            stop(canvas, Point::new(at.x + self.size.x, at.y + self.size.y), 4.4, colours.ink);
        }
    }

    fn draw_grid(&self, canvas: &mut Canvas, grid: &GridPicture<'_>, moment: &Moment) {
        let held = grid.scene.cells_of(moment.estimate.as_deref().unwrap_or(&[]));
        grid.cells(canvas, |cell| held.binary_search(&cell).is_ok());
        for cell in grid.scene.cells_of(&moment.world) {
            if let Some(area) = grid.area(cell) {
                robot(canvas, area.middle(), (grid.side * 0.27).min(4.4));
            }
        }
    }
}

fn chip_width(chip: &Chip) -> f64 {
    text::width(&chip.text, CHIP) + 5.0 + if chip.real { 6.0 } else { 0.0 }
}

fn draw_chip(canvas: &mut Canvas, at: Point, chip: &Chip) {
    let colours = canvas.colours;
    let area = Area::new(at.x, at.y, chip_width(chip), CHIP_HEIGHT);
    let paint = match chip.possible {
        true => Paint::both(colours.shade, colours.shade_line, 0.8),
        false => Paint::both(colours.background, colours.line, 0.8),
    };
    canvas.rect(area, paint.round(2.0));
    let mut x = at.x + 2.5;
    if chip.real {
        canvas.circle(Point::new(x + 2.6, at.y + CHIP_HEIGHT / 2.0), 2.0, Paint::fill(colours.ink));
        x += 6.0;
    }
    let colour = if chip.possible { colours.ink } else { colours.soft };
    canvas.text(
        Point::new(x, at.y + CHIP_HEIGHT / 2.0),
        &chip.text,
        Letters::new(CHIP, colour, Anchor::Start),
    );
}
