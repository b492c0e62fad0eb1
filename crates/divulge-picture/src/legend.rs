//! What the signs in a picture mean.

use crate::{
    layout::Point,
    svg::{Anchor, Area, Canvas, Letters, Paint},
    text,
    theme::Stroke,
};

/// The dashes of whatever stands still because nothing was seen.
pub(crate) const STILL: &str = "3 2";

const SIZE: f64 = 9.5;
const SAMPLE: f64 = 30.0;
const INDENT: f64 = 12.0;

/// A sign.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sample {
    /// The line of a branch.
    Line(Stroke),
    /// A cell or value that is held possible.
    Shade,
    /// Where the robot is.
    Robot,
    /// Where a plan terminates.
    Stop,
    /// Where the robot starts.
    Start,
    /// A goal.
    Goal,
    /// A wall.
    Wall,
    /// No place.
    Void,
    /// Where the robot chooses.
    Chance,
    /// A broken stipulation.
    Wrong,
    /// Nothing was seen.
    Still,
    /// No sign: just words.
    Words,
}

/// A sign and what it means.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub sample: Sample,
    pub text: String,
    pub indent: usize,
}

impl Entry {
    pub fn new(sample: Sample, text: impl Into<String>) -> Self {
        Self { sample, text: text.into(), indent: 0 }
    }
}

/// Draws the entries one below the other, no wider than `width`; gives how much height they take.
pub(crate) fn legend(canvas: &mut Canvas, at: Point, width: f64, entries: &[Entry]) -> f64 {
    let colours = canvas.colours;
    let line = SIZE * text::LINE;
    let mut y = at.y;
    for entry in entries {
        let x = at.x + entry.indent as f64 * INDENT;
        let words = matches!(entry.sample, Sample::Words);
        let left = if words { x } else { x + SAMPLE + 6.0 };
        let lines = text::wrap(&entry.text, SIZE, (at.x + width - left).max(60.0), 4);
        if !words {
            sample(canvas, entry.sample, Point::new(x, y + line / 2.0));
        }
        for (i, text) in lines.iter().enumerate() {
            let at = Point::new(left, y + line * (i as f64 + 0.5));
            let colour = if words { colours.soft } else { colours.ink };
            canvas.text(at, text, Letters::new(SIZE, colour, Anchor::Start));
        }
        y += line * lines.len().max(1) as f64 + 3.0;
    }
    y - at.y
}

/// A sign, `SAMPLE` wide, at the right of the point.
fn sample(canvas: &mut Canvas, sample: Sample, at: Point) {
    let colours = canvas.colours;
    let middle = Point::new(at.x + SAMPLE / 2.0, at.y);
    let cell = Area::around(middle, Point::new(16.0, 11.0));
    match sample {
        Sample::Line(stroke) => {
            let end = Point::new(at.x + SAMPLE, at.y);
            canvas.line(
                at,
                Point::new(end.x - 4.0, end.y),
                Paint::line(stroke.colour, 2.0).dash(stroke.dash),
            );
            canvas.head(end, at, 7.0, stroke.colour);
            canvas.mark(Point::new(at.x + 8.0, at.y), 3.2, stroke);
        }
        Sample::Shade => canvas.rect(cell, Paint::both(colours.shade, colours.shade_line, 0.8)),
        Sample::Robot => robot(canvas, middle, 4.0),
        Sample::Stop => stop(canvas, middle, 4.2, colours.ink),
        Sample::Start => start(canvas, middle, 3.6, colours.ink),
        Sample::Goal => {
            canvas.rect(cell, Paint::both(colours.goal, colours.ink, 0.8));
            canvas.rect(cell.grown(-2.0), Paint::line(colours.ink, 0.6));
        }
        Sample::Wall => {
            let (a, b) = (Point::new(middle.x, at.y - 6.0), Point::new(middle.x, at.y + 6.0));
            canvas.line(a, b, Paint::line(colours.ink, 3.0));
        }
        Sample::Void => canvas.rect(cell, Paint::both(colours.void, colours.line, 0.8)),
        Sample::Chance => die(canvas, middle),
        Sample::Wrong => cross(canvas, middle, 4.0, colours.wrong),
        Sample::Still => canvas.rect(cell, Paint::line(colours.soft, 0.8).round(2.0).dash(STILL)),
        Sample::Words => {}
    }
}

/// The robot.
pub(crate) fn robot(canvas: &mut Canvas, at: Point, radius: f64) {
    let colours = canvas.colours;
    canvas.circle(at, radius, Paint::both(colours.ink, colours.background, 1.0));
}

/// The sign for where a plan terminates.
pub(crate) fn stop(canvas: &mut Canvas, at: Point, radius: f64, colour: &str) {
    let background = canvas.colours.background;
    canvas.circle(at, radius, Paint::both(background, colour, 1.6));
    canvas.circle(at, radius * 0.45, Paint::fill(colour));
}

/// The sign for where the robot starts.
pub(crate) fn start(canvas: &mut Canvas, at: Point, radius: f64, colour: &str) {
    canvas.circle(at, radius, Paint::both(colour, canvas.colours.background, 1.0));
}

/// The sign for where the robot chooses: a die that shows a two.
pub(crate) fn die(canvas: &mut Canvas, at: Point) {
    let colours = canvas.colours;
    let area = Area::around(at, Point::new(9.0, 9.0));
    canvas.rect(area, Paint::both(colours.background, colours.ink, 1.0).round(2.0));
    for side in [-2.0, 2.0] {
        canvas.circle(Point::new(at.x + side, at.y + side), 1.2, Paint::fill(colours.ink));
    }
}

/// The sign for what is wrong.
pub(crate) fn cross(canvas: &mut Canvas, at: Point, radius: f64, colour: &str) {
    let corner = |dx: f64, dy: f64| Point::new(at.x + dx * radius, at.y + dy * radius);
    canvas.line(corner(-1.0, -1.0), corner(1.0, 1.0), Paint::line(colour, 2.0));
    canvas.line(corner(-1.0, 1.0), corner(1.0, -1.0), Paint::line(colour, 2.0));
}
