//! Panels, and figures made of them.

use crate::{
    layout::{Point, short},
    svg::{Anchor, Area, Canvas, FONTS, Letters, Paint, escaped},
    text,
    theme::Theme,
};

/// How pictures are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// The colours.
    pub theme: Theme,
    /// At most so many vertices or cells are drawn one by one.
    pub most: usize,
    /// Lines of pictures are broken before they get wider than this.
    pub width: f64,
}

impl Default for Style {
    fn default() -> Self {
        Self { theme: Theme::Light, most: 1000, width: 720.0 }
    }
}

impl Style {
    pub(crate) fn canvas(&self) -> Canvas {
        Canvas::new(self.theme.colours())
    }
}

/// One picture, which a figure may hold several of.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What it shows, in a few words: its heading.
    pub title: String,
    /// The same for somebody who cannot see it.
    pub description: String,
    /// What is not drawn, if something is left out.
    pub left_out: Option<String>,
    pub(crate) size: Point,
    pub(crate) body: String,
}

/// The margin around a figure, and the room between panels.
const MARGIN: f64 = 12.0;
const BETWEEN: f64 = 22.0;
const TITLE: f64 = 12.0;
const NOTE: f64 = 9.0;

/// Panels as one SVG document: side by side as far as the width allows, else below one another. `name` is its title.
pub fn figure(name: &str, panels: &[Panel], style: &Style) -> String {
    let mut canvas = style.canvas();
    let (places, size) = arranged(panels, style);
    for (i, (panel, at)) in panels.iter().zip(places).enumerate() {
        let letter = (panels.len() > 1).then(|| format!("({})", char::from(b'a' + (i % 26) as u8)));
        place(&mut canvas, panel, letter.as_deref(), at);
    }
    let description: Vec<&str> = panels.iter().map(|panel| panel.description.as_str()).collect();
    document(name, &description.join(" "), size, canvas)
}

/// The size of the figure that these panels make, in units.
pub fn figure_size(panels: &[Panel], style: &Style) -> Point {
    arranged(panels, style).1
}

/// Where each panel goes, and the size of the whole.
fn arranged(panels: &[Panel], style: &Style) -> (Vec<Point>, Point) {
    let (mut at, mut wide, mut low) = (Point::new(MARGIN, MARGIN), 120.0f64, MARGIN);
    let mut places = Vec::with_capacity(panels.len());
    for panel in panels {
        if at.x > MARGIN && at.x + panel.width() > style.width + MARGIN {
            at = Point::new(MARGIN, low + BETWEEN);
        }
        places.push(at);
        low = low.max(at.y + panel.height());
        wide = wide.max(at.x + panel.width());
        at.x += panel.width() + BETWEEN;
    }
    (places, Point::new(wide + MARGIN, low + MARGIN))
}

impl Panel {
    /// The width, and the height with heading and note.
    fn width(&self) -> f64 {
        self.size.x.max(text::width(&self.title, TITLE) + 26.0)
    }

    fn height(&self) -> f64 {
        TITLE * text::LINE + 8.0 + self.size.y + self.note().len() as f64 * NOTE * text::LINE + 4.0
    }

    /// What is left out, in lines.
    fn note(&self) -> Vec<String> {
        self.left_out.iter().flat_map(|note| text::wrap(note, NOTE, self.width(), 4)).collect()
    }
}

/// One panel with its heading and its note.
fn place(canvas: &mut Canvas, panel: &Panel, letter: Option<&str>, at: Point) {
    let colours = canvas.colours;
    let mut x = at.x;
    let mut y = at.y + TITLE * text::LINE / 2.0;
    if let Some(letter) = letter {
        canvas.text(Point::new(x, y), letter, Letters::new(TITLE, colours.ink, Anchor::Start).bold());
        x += text::bold_width(letter, TITLE) + 6.0;
    }
    canvas.text(Point::new(x, y), &panel.title, Letters::new(TITLE, colours.ink, Anchor::Start));
    y += TITLE * text::LINE / 2.0 + 8.0;
    canvas.place(&panel.body, Point::new(at.x, y));
    y += panel.size.y;
    for line in panel.note() {
        y += NOTE * text::LINE;
        let letters = Letters::new(NOTE, colours.wrong, Anchor::Start).italic();
        canvas.text(Point::new(at.x, y), &line, letters);
    }
}

fn document(name: &str, description: &str, size: Point, canvas: Canvas) -> String {
    let [w, h] = [size.x.ceil(), size.y.ceil()].map(short);
    let mut page = Canvas::new(canvas.colours);
    page.rect(Area::new(0.0, 0.0, size.x.ceil(), size.y.ceil()), Paint::fill(canvas.colours.background));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"{FONTS}\" role=\"img\" aria-label=\"{}\">\n<title>{}</title>\n<desc>{}</desc>\n{}{}</svg>\n",
        escaped(name),
        escaped(name),
        escaped(description),
        page.out,
        canvas.out
    )
}
