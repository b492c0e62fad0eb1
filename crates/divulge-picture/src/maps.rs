//! Label maps as groups of look-alike labels, and the frontier of maps as a lattice.

use std::collections::BTreeMap;

use divulge::{
    problem::{Image, Kind, Label, LabelMap, Observer, Problem},
    verdict::{FoundMap, Frontier},
};

use crate::{
    figure::{Panel, Style},
    layout::{self, Direction, Edge, Graph, Node, Point, Shape, Spacing},
    legend::{Entry, STILL, Sample, legend},
    pace::{Limit, Monitor, Pace},
    svg::{Anchor, Area, Canvas, Letters, Paint},
    text,
    world::GAP,
};

const LABEL: f64 = 9.5;
const SMALL: f64 = 9.0;
const PAD: f64 = 5.0;
/// The height of a group, and the room that its labels take side by side.
const HEIGHT: f64 = 17.0;
const WIDEST: f64 = 250.0;

/// At most so many of the finest and of the coarsest maps are drawn.
const MOST_MAPS: usize = 10;

/// The world's labels that look alike, by kind and image, in the order of their first labels.
fn groups(problem: &Problem, map: &LabelMap) -> Vec<(Kind, Option<Image>, Vec<Label>)> {
    let alphabet = &problem.alphabet;
    let mut groups: BTreeMap<(Kind, Option<Image>), Vec<Label>> = BTreeMap::new();
    for label in alphabet.labels().filter(|l| problem.world_labels.contains(l.index())) {
        groups.entry((alphabet.kind(label), map.image(label))).or_default().push(label);
    }
    let mut all: Vec<_> = groups.into_iter().map(|((kind, image), labels)| (kind, image, labels)).collect();
    all.sort_by_key(|(kind, _, labels)| (*kind, labels[0]));
    all
}

/// A group as a frame around its labels.
struct Frame {
    lines: Vec<String>,
    size: Point,
    image: Option<String>,
    several: bool,
    /// Whether these are not seen at all, rather than looking alike.
    unseen: bool,
    /// Whether some labels are not written.
    cut: bool,
}

impl Frame {
    fn new(problem: &Problem, labels: &[Label], image: Option<String>) -> Self {
        let names: Vec<&str> = labels.iter().map(|&l| problem.alphabet.name(l)).collect();
        let lines = text::wrap(&names.join(", "), LABEL, WIDEST - 2.0 * PAD, 4);
        let wide = lines.iter().map(|line| text::width(line, LABEL)).fold(0.0, f64::max);
        let high = (lines.len().max(1) - 1) as f64 * LABEL * text::LINE + HEIGHT;
        let cut = lines.last().is_some_and(|line| line.ends_with('…'));
        Self {
            lines,
            size: Point::new(wide + 2.0 * PAD, high),
            image,
            several: labels.len() > 1,
            unseen: false,
            cut,
        }
    }

    fn draw(&self, canvas: &mut Canvas, at: Point) {
        let colours = canvas.colours;
        let area = Area::new(at.x, at.y, self.size.x, self.size.y);
        let paint = match self.several {
            _ if self.unseen => Paint::both(colours.background, colours.soft, 0.8).dash(STILL),
            true => Paint::both(colours.shade, colours.shade_line, 1.2),
            false => Paint::both(colours.background, colours.line, 0.8),
        };
        canvas.rect(area, paint.round(5.0));
        canvas.block(area.middle(), &self.lines, Letters::new(LABEL, colours.ink, Anchor::Middle));
        if let Some(image) = &self.image {
            let x = at.x + self.size.x;
            let y = area.middle().y;
            canvas.line(Point::new(x + 4.0, y), Point::new(x + 16.0, y), Paint::line(colours.soft, 1.0));
            canvas.head(Point::new(x + 20.0, y), Point::new(x, y), 6.0, colours.soft);
            let letters = Letters::new(LABEL, colours.soft, Anchor::Start).italic();
            canvas.text(Point::new(x + 24.0, y), image, letters);
        }
    }
}

/// A label map: labels that look alike share a frame; beside it what they look like.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn map(problem: &Problem, map: &LabelMap, style: &Style, monitor: &dyn Monitor) -> Result<Panel, Limit> {
    map_of(problem, &problem.observer, map, style, monitor)
}

/// The label map of one of several observers; see [`map`].
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn map_of(
    problem: &Problem,
    observer: &Observer,
    map: &LabelMap,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Panel, Limit> {
    let mut canvas = style.canvas();
    let colours = canvas.colours;
    let (mut y, mut wide) = (0.0, 200.0f64);
    let pace = Pace::new(monitor);
    pace.work(problem.alphabet.len())?;
    let all = groups(problem, map);
    let shown = &all[..all.len().min(style.most)];
    let (mut last, mut cut) = (None, 0);
    for (kind, image, labels) in shown {
        pace.work(labels.len())?;
        if last != Some(*kind) {
            let heading = if *kind == Kind::Action { "actions" } else { "observations" };
            y += if last.is_some() { 6.0 } else { 0.0 };
            canvas.text(Point::new(0.0, y + 6.0), heading, Letters::new(SMALL, colours.soft, Anchor::Start));
            y += SMALL * text::LINE + 3.0;
            last = Some(*kind);
        }
        let seen = text::fit(image.map_or("not seen", |image| map.name(image)), LABEL, 140.0);
        let mut frame = Frame::new(problem, labels, Some(seen));
        frame.unseen = image.is_none();
        cut += usize::from(frame.cut);
        frame.draw(&mut canvas, Point::new(1.0, y + 1.0));
        let image = frame.image.as_deref().map_or(0.0, |image| text::width(image, LABEL) + 28.0);
        wide = wide.max(frame.size.x + image);
        y += frame.size.y + 4.0;
    }
    let name = observer.name.as_deref().map_or("the observer".to_owned(), |name| format!("“{name}”"));
    let told: Vec<String> = shown
        .iter()
        .map(|(_, image, labels)| {
            let names: Vec<&str> = labels.iter().map(|&l| problem.alphabet.name(l)).collect();
            match image {
                Some(image) => format!("{} look like {}", names.join(", "), map.name(*image)),
                None => format!("{} are not seen", names.join(", ")),
            }
        })
        .collect();
    Ok(Panel {
        title: title(&name, &all),
        description: format!("The label map. {}.", told.join("; ")),
        left_out: left_out(all.len() - shown.len(), cut),
        size: Point::new(wide, y),
        body: canvas.out,
    })
}

/// Who sees how much.
fn title(name: &str, groups: &[(Kind, Option<Image>, Vec<Label>)]) -> String {
    let count =
        |seen: bool| groups.iter().filter(|g| g.1.is_some() == seen).map(|g| g.2.len()).sum::<usize>();
    let several = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let images = several(groups.iter().filter(|g| g.1.is_some()).count(), "image");
    let seen = several(count(true), "event");
    match (count(true), count(false)) {
        (_, 0) => format!("What {name} sees: {seen} as {images}"),
        (0, _) => format!("What {name} sees: nothing at all"),
        (_, unseen) => format!("What {name} sees: {seen} as {images}, {unseen} not at all"),
    }
}

/// What is said where groups are not drawn, or not with all their labels.
fn left_out(groups: usize, cut: usize) -> Option<String> {
    let groups = match groups {
        0 => String::new(),
        1 => "One more image is not drawn. ".to_owned(),
        n => format!("{n} more images are not drawn. "),
    };
    let cut = match cut {
        0 => String::new(),
        1 => "One list of labels is cut short (…).".to_owned(),
        n => format!("{n} lists of labels are cut short (…)."),
    };
    let both = groups + &cut;
    (!both.is_empty()).then(|| both.trim_end().to_owned())
}

/// A map in the lattice.
struct Card {
    frames: Vec<Frame>,
    alone: Vec<String>,
    heading: String,
    note: String,
    size: Point,
}

impl Card {
    fn new(problem: &Problem, found: &FoundMap, heading: &str) -> Self {
        let all = groups(problem, &found.map);
        let (several, alone): (Vec<_>, Vec<_>) = all.iter().partition(|(_, _, labels)| labels.len() > 1);
        let frames: Vec<Frame> =
            several.iter().map(|(_, _, labels)| Frame::new(problem, labels, None)).collect();
        let alone: Vec<&str> = alone.iter().map(|(_, _, labels)| problem.alphabet.name(labels[0])).collect();
        let alone = match (alone.is_empty(), frames.is_empty()) {
            (true, _) => Vec::new(),
            (false, true) => text::wrap("nothing looks alike", LABEL, WIDEST, 1),
            (false, false) => text::wrap(&format!("apart: {}", alone.join(", ")), SMALL, WIDEST, 3),
        };
        let note = format!("at most {} events", found.worst_case.events);
        let texts = [(heading, LABEL), (&note, SMALL)].map(|(t, size)| text::bold_width(t, size));
        let widths = frames.iter().map(|frame| frame.size.x).chain(texts);
        let wide = widths.chain(alone.iter().map(|line| text::width(line, SMALL))).fold(0.0, f64::max);
        let high = frames.iter().map(|frame| frame.size.y + 3.0).sum::<f64>()
            + (alone.len() as f64 + 2.0) * LABEL * text::LINE
            + 8.0;
        let size = Point::new(wide + 2.0 * PAD + 4.0, high + 2.0 * PAD);
        Self { frames, alone, heading: heading.to_owned(), note, size }
    }

    fn draw(&self, canvas: &mut Canvas, at: Point) {
        let colours = canvas.colours;
        let area = Area::new(at.x, at.y, self.size.x, self.size.y);
        canvas.rect(area, Paint::both(colours.background, colours.ink, 1.0).round(4.0));
        let (x, mut y) = (at.x + PAD + 2.0, at.y + PAD);
        let line = LABEL * text::LINE;
        let letters = Letters::new(LABEL, colours.ink, Anchor::Start).bold();
        canvas.text(Point::new(x, y + line / 2.0), &self.heading, letters);
        y += line + 3.0;
        for frame in &self.frames {
            frame.draw(canvas, Point::new(x, y));
            y += frame.size.y + 3.0;
        }
        for text in &self.alone {
            canvas.text(
                Point::new(x, y + line / 2.0),
                text,
                Letters::new(SMALL, colours.soft, Anchor::Start),
            );
            y += line;
        }
        let letters = Letters::new(SMALL, colours.ink, Anchor::Start);
        canvas.text(Point::new(x, y + line / 2.0 + 2.0), &self.note, letters);
    }
}

/// Whether everything that looks alike through `fine` looks alike through `coarse`.
fn refines(problem: &Problem, fine: &LabelMap, coarse: &LabelMap) -> bool {
    groups(problem, fine)
        .iter()
        .all(|(_, _, labels)| labels.iter().all(|&l| coarse.image(l) == coarse.image(labels[0])))
}

/// Whether two maps make the same labels look alike.
fn alike(problem: &Problem, a: &LabelMap, b: &LabelMap) -> bool {
    let labels = |map: &LabelMap| groups(problem, map).into_iter().map(|group| group.2).collect::<Vec<_>>();
    labels(a) == labels(b)
}

/// The frontier of maps: the coarsest above, the finest below, and lines from each to those that it refines.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn maps(
    problem: &Problem,
    frontier: &Frontier,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Panel, Limit> {
    let mut canvas = style.canvas();
    let colours = canvas.colours;
    let coarsest: Vec<&FoundMap> = frontier.coarsest.iter().take(MOST_MAPS).collect();
    let finest: Vec<&FoundMap> = frontier.finest.iter().take(MOST_MAPS).collect();
    let both =
        |found: &FoundMap, others: &[&FoundMap]| others.iter().any(|o| alike(problem, &found.map, &o.map));
    let mut maps: Vec<(&FoundMap, Card)> = Vec::new();
    for &found in &coarsest {
        let heading = if both(found, &finest) { "finest and coarsest" } else { "coarsest" };
        maps.push((found, Card::new(problem, found, heading)));
    }
    let above = maps.len();
    for &found in finest.iter().filter(|found| !both(found, &coarsest)) {
        maps.push((found, Card::new(problem, found, "finest")));
    }
    let mut edges = Vec::new();
    for from in 0..above {
        for to in above..maps.len() {
            if refines(problem, &maps[to].0.map, &maps[from].0.map) {
                edges.push(Edge { from, to, label: None });
            }
        }
    }
    let nodes = maps.iter().map(|(_, card)| Node { size: card.size, shape: Shape::Box }).collect();
    let graph = Graph { nodes, edges, roots: (0..above).collect() };
    let spacing = Spacing { direction: Direction::Down, node_gap: 16.0, edge_gap: 10.0, layer_gap: 44.0 };
    let mut drawn = layout::layout(&graph, &spacing, monitor)?;
    // Many maps have more room one below the other, the coarsest at the left.
    let sideways = drawn.size.x > style.width;
    if sideways {
        drawn = layout::layout(&graph, &Spacing { direction: Direction::Right, ..spacing }, monitor)?;
    }
    for route in &drawn.edges {
        canvas.path(&route.path(), Paint::line(colours.ink, 1.2));
    }
    for ((_, card), placed) in maps.iter().zip(&drawn.nodes) {
        let corner = Area::around(placed.at, card.size);
        card.draw(&mut canvas, Point::new(corner.x, corner.y));
    }
    let mut entries = vec![Entry::new(
        Sample::Words,
        format!("{} of {} label maps work.", frontier.feasible, frontier.maps),
    )];
    if !maps.is_empty() {
        let text = match sideways {
            true => {
                "What shares a frame looks alike. A line joins a coarsest map, at the left, to a finest one that refines it."
            }
            false => {
                "What shares a frame looks alike. A line joins a coarsest map, above, to a finest one that refines it."
            }
        };
        entries.push(Entry::new(Sample::Words, text));
        let text = "Every map that works lies between a finest and a coarsest one. The number of events is the worst case of the shortest plan.";
        entries.push(Entry::new(Sample::Words, text));
    }
    let wide = drawn.size.x.max(320.0);
    let height = legend(&mut canvas, Point::new(0.0, drawn.size.y + GAP), wide, &entries);
    let hidden =
        frontier.coarsest.len().saturating_sub(MOST_MAPS) + frontier.finest.len().saturating_sub(MOST_MAPS);
    Ok(Panel {
        title: "The label maps that work: the coarsest and the finest".to_owned(),
        description: format!(
            "{} of {} label maps work; {} are coarsest and {} are finest.",
            frontier.feasible,
            frontier.maps,
            frontier.coarsest.len(),
            frontier.finest.len()
        ),
        left_out: match hidden {
            0 => None,
            1 => Some("One more map of the frontier is not drawn.".to_owned()),
            _ => Some(format!("{hidden} more maps of the frontier are not drawn.")),
        },
        size: Point::new(wide, drawn.size.y + GAP + height),
        body: canvas.out,
    })
}
