//! SVG, written element by element. Everything is said by attributes, without styles, identifiers or markers, so that any
//! program shows it alike and several pictures fit on one page.

use crate::{
    layout::{Point, short},
    text::LINE,
    theme::{Colours, Mark, Stroke},
};

/// The fonts asked for; all are about as wide as texts are measured.
pub(crate) const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif";

/// How a shape is filled and outlined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint<'c> {
    pub fill: &'c str,
    pub stroke: &'c str,
    pub width: f64,
    pub dash: &'c str,
    pub round: f64,
}

impl<'c> Paint<'c> {
    pub fn fill(fill: &'c str) -> Self {
        Self { fill, stroke: "none", width: 0.0, dash: "", round: 0.0 }
    }

    pub fn line(stroke: &'c str, width: f64) -> Self {
        Self { fill: "none", stroke, width, dash: "", round: 0.0 }
    }

    pub fn both(fill: &'c str, stroke: &'c str, width: f64) -> Self {
        Self { fill, stroke, width, dash: "", round: 0.0 }
    }

    pub fn round(self, round: f64) -> Self {
        Self { round, ..self }
    }

    pub fn dash(self, dash: &'c str) -> Self {
        Self { dash, ..self }
    }
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letters<'c> {
    pub size: f64,
    pub colour: &'c str,
    pub anchor: Anchor,
    pub bold: bool,
    pub italic: bool,
    /// What lies behind is kept away by a rim of this colour.
    pub halo: Option<&'c str>,
}

impl<'c> Letters<'c> {
    pub fn new(size: f64, colour: &'c str, anchor: Anchor) -> Self {
        Self { size, colour, anchor, bold: false, italic: false, halo: None }
    }

    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub fn italic(self) -> Self {
        Self { italic: true, ..self }
    }

    pub fn halo(self, colour: &'c str) -> Self {
        Self { halo: Some(colour), ..self }
    }
}

/// A rectangle by its upper left corner and its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Area {
    pub fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    pub fn around(middle: Point, size: Point) -> Self {
        Self::new(middle.x - size.x / 2.0, middle.y - size.y / 2.0, size.x, size.y)
    }

    pub fn middle(&self) -> Point {
        Point::new(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    pub fn grown(&self, by: f64) -> Self {
        Self::new(self.x - by, self.y - by, self.w + 2.0 * by, self.h + 2.0 * by)
    }
}

/// Elements, as text.
#[derive(Debug)]
pub(crate) struct Canvas {
    pub out: String,
    pub colours: Colours,
}

impl Canvas {
    pub fn new(colours: Colours) -> Self {
        Self { out: String::new(), colours }
    }

    pub fn rect(&mut self, area: Area, paint: Paint<'_>) {
        let [x, y, w, h] = [area.x, area.y, area.w, area.h].map(short);
        let round = if paint.round > 0.0 { format!(" rx=\"{}\"", short(paint.round)) } else { String::new() };
        self.element("rect", &format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{round}"), paint);
    }

    pub fn ellipse(&mut self, area: Area, paint: Paint<'_>) {
        let at = area.middle();
        let [cx, cy, rx, ry] = [at.x, at.y, area.w / 2.0, area.h / 2.0].map(short);
        self.element("ellipse", &format!("cx=\"{cx}\" cy=\"{cy}\" rx=\"{rx}\" ry=\"{ry}\""), paint);
    }

    pub fn circle(&mut self, at: Point, radius: f64, paint: Paint<'_>) {
        let [cx, cy, r] = [at.x, at.y, radius].map(short);
        self.element("circle", &format!("cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\""), paint);
    }

    pub fn path(&mut self, d: &str, paint: Paint<'_>) {
        self.element("path", &format!("d=\"{d}\""), paint);
    }

    pub fn line(&mut self, a: Point, b: Point, paint: Paint<'_>) {
        let [ax, ay, bx, by] = [a.x, a.y, b.x, b.y].map(short);
        self.path(&format!("M{ax} {ay}L{bx} {by}"), paint);
    }

    fn element(&mut self, tag: &str, geometry: &str, paint: Paint<'_>) {
        self.out += &format!("<{tag} {geometry} fill=\"{}\"", paint.fill);
        if paint.stroke != "none" {
            self.out += &format!(" stroke=\"{}\" stroke-width=\"{}\"", paint.stroke, short(paint.width));
            if !paint.dash.is_empty() {
                self.out += &format!(" stroke-dasharray=\"{}\"", paint.dash);
            }
            if tag == "path" {
                self.out += " stroke-linecap=\"round\" stroke-linejoin=\"round\"";
            }
        }
        self.out += "/>\n";
    }

    /// A line of text whose middle height is at the point.
    pub fn text(&mut self, at: Point, text: &str, letters: Letters<'_>) {
        if text.is_empty() {
            return;
        }
        let anchor = match letters.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let bold = if letters.bold { " font-weight=\"bold\"" } else { "" };
        let italic = if letters.italic { " font-style=\"italic\"" } else { "" };
        let [x, y, size] = [at.x, at.y + letters.size * 0.35, letters.size].map(short);
        let text = escaped(text);
        let rim = |colour: &str| {
            format!(
                " stroke=\"{colour}\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\""
            )
        };
        let halo = letters.halo.map(rim).unwrap_or_default();
        self.out += &format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\"{anchor}{bold}{italic}{halo}>{text}</text>\n",
            letters.colour
        );
    }

    /// Lines of text around a middle.
    pub fn block(&mut self, middle: Point, lines: &[String], letters: Letters<'_>) {
        let step = letters.size * LINE;
        let top = middle.y - (lines.len() as f64 - 1.0) / 2.0 * step;
        for (i, line) in lines.iter().enumerate() {
            self.text(Point::new(middle.x, top + i as f64 * step), line, letters);
        }
    }

    /// An arrow's head with its point here, coming from there.
    pub fn head(&mut self, tip: Point, from: Point, size: f64, colour: &str) {
        let (dx, dy) = (tip.x - from.x, tip.y - from.y);
        let length = dx.hypot(dy).max(1e-9);
        let (ux, uy) = (dx / length * size, dy / length * size);
        let back = Point::new(tip.x - ux, tip.y - uy);
        let points =
            [tip.x, tip.y, back.x - uy * 0.45, back.y + ux * 0.45, back.x + uy * 0.45, back.y - ux * 0.45];
        let [a, b, c, d, e, f] = points.map(short);
        self.path(&format!("M{a} {b}L{c} {d}L{e} {f}Z"), Paint::fill(colour));
    }

    /// The mark of a branch.
    pub fn mark(&mut self, at: Point, radius: f64, stroke: Stroke) {
        let background = self.colours.background;
        let (x, y, r) = (at.x, at.y, radius);
        let polygon = |points: &[(f64, f64)]| {
            let each = points.iter().map(|(dx, dy)| format!("{} {}", short(x + dx * r), short(y + dy * r)));
            format!("M{}Z", each.collect::<Vec<_>>().join("L"))
        };
        let solid = Paint::both(stroke.colour, background, 1.0);
        match stroke.mark {
            Mark::Disc => self.circle(at, r, solid),
            Mark::Ring => self.circle(at, r * 0.9, Paint::both(background, stroke.colour, 1.6)),
            Mark::Square => self.rect(Area::around(at, Point::new(1.8 * r, 1.8 * r)), solid),
            Mark::Triangle => self.path(&polygon(&[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)]), solid),
            Mark::Diamond => {
                self.path(&polygon(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]), solid)
            }
            Mark::Cross => {
                let d = [(-1.0, -1.0, 1.0, 1.0), (-1.0, 1.0, 1.0, -1.0)].map(|(a, b, c, d)| {
                    format!(
                        "M{} {}L{} {}",
                        short(x + a * r),
                        short(y + b * r),
                        short(x + c * r),
                        short(y + d * r)
                    )
                });
                self.path(&d.concat(), Paint::line(background, 3.6));
                self.path(&d.concat(), Paint::line(stroke.colour, 1.8));
            }
        }
    }

    /// What is drawn elsewhere, moved to here.
    pub fn place(&mut self, body: &str, at: Point) {
        let [x, y] = [at.x, at.y].map(short);
        self.out += &format!("<g transform=\"translate({x} {y})\">\n{body}</g>\n");
    }
}

/// A text without what means something in XML or is not allowed there.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
