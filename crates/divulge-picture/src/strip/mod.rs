//! What the observer believes as time goes on: a strip of small pictures, a row for each way things may turn out.

mod card;
mod rows;
mod runs;

use divulge::{
    explain::Moment,
    problem::{Kind, Label, LabelMap, Plan, Problem, Scope},
    setting::{Setting, unfold},
    verdict::QuestionError,
};

use crate::{
    figure::{Panel, Style},
    layout::Point,
    legend::{Entry, STILL, Sample, legend},
    pace::{Limit, Monitor, Pace},
    scene::GridScene,
    svg::{Anchor, Canvas, Letters, Paint},
    text,
    world::GAP,
};
use card::Cards;
use rows::{How, Row, rows};

/// How many rows are drawn.
const MOST_ROWS: usize = 8;

const EVENT: f64 = 8.5;
const ARROW: f64 = 52.0;
const BETWEEN: f64 = 12.0;
/// What the events of a step take above and below their arrow.
const EVENTS: f64 = 52.0;
/// Where a line passes behind another.
const GAP_OF_LINES: f64 = 4.0;
/// What the name of a lane takes.
const NAME: f64 = 13.0;

/// Whoever watches.
struct Lanes<'a> {
    problem: &'a Problem,
    maps: Vec<&'a LabelMap>,
}

impl Lanes<'_> {
    fn several(&self) -> bool {
        self.maps.len() > 1
    }

    fn name(&self, lane: usize) -> String {
        self.problem.observer_name(lane)
    }

    /// Whether something is stipulated in hindsight.
    fn look_back(&self) -> bool {
        let all = self.problem.observers().take(self.maps.len()).flat_map(|o| &o.stipulations);
        all.into_iter().any(|s| matches!(s.scope, Scope::Hindsight { .. }))
    }
}

/// What observers believe of a plan's executions, step by step, with a lane for each of several: of `events` if they are given, else of one
/// execution for each way in which observations may turn out (up to a number of rows; of several actions the first is taken). `map` is that of
/// the observer whose map is sought, or of the first; the others see through their own.
///
/// # Errors
/// As [`replay`](divulge::explain::replay): the problem's parts must fit together, and everybody must have a map. The limit that `monitor` says
/// was hit.
pub fn estimates(
    problem: &Problem,
    plan: &Plan,
    map: &LabelMap,
    events: Option<&[Label]>,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Panel, QuestionError> {
    drawn(problem, plan, map, (events, &[]), style, monitor)
}

/// Something that is wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// After how many events.
    pub after: usize,
    /// The name of a stipulation that does not hold then, or in a few words what the robot did.
    pub words: String,
    /// Whether it is a stipulation.
    pub stipulation: bool,
}

/// The same of a log, where the robot may have done something that it should not have, with marks at what is wrong.
///
/// # Errors
/// As [`estimates`].
pub fn log(
    problem: &Problem,
    plan: &Plan,
    map: &LabelMap,
    events: &[Label],
    marks: &[Mark],
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Panel, QuestionError> {
    drawn(problem, plan, map, (Some(events), marks), style, monitor)
}

fn drawn(
    problem: &Problem,
    plan: &Plan,
    map: &LabelMap,
    (events, marks): (Option<&[Label]>, &[Mark]),
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Panel, QuestionError> {
    let unfolded = unfold(problem, monitor)?;
    let problem = unfolded.as_ref().unwrap_or(problem);
    let setting = Setting::pose(problem, Some(plan), monitor)?;
    let pace = Pace::new(monitor);
    let lanes = Lanes { problem, maps: setting.maps(map)? };
    // Lanes take the room of rows.
    let most = (MOST_ROWS / lanes.maps.len()).max(1);
    let found = match events {
        Some(events) => runs::Runs { all: vec![events.to_vec()], ..runs::Runs::default() },
        None => runs::runs(setting.joint()?, plan, most, &pace)?,
    };
    let rows = rows(&setting, plan, &lanes.maps, &found.all, marks, &pace)?;
    let more =
        found.more.then(|| format!("Only {} of the ways things may turn out are drawn.", found.all.len()));
    let cut = found.cut.then(|| format!("Executions are cut after {} events.", runs::LONGEST));
    let notes = more.into_iter().chain(cut).collect();
    Ok(panel(&lanes, &rows, notes, style, &pace)?)
}

/// Moments that follow one another, as a strip: an execution that was replayed, part of one, or a single moment. Where the robot is
/// is drawn as far as a moment says it.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn moments(
    problem: &Problem,
    map: &LabelMap,
    of: &[Moment],
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Panel, Limit> {
    let execution: Vec<Label> = of.iter().skip(1).filter_map(|m| m.event).map(|(label, _)| label).collect();
    let begins = match execution.first() {
        Some(&label) => problem.alphabet.kind(label),
        None => problem.world.graph.initial_kind(),
    };
    let steps = runs::steps(&execution, begins);
    let row = Row::alone(&problem.observer, of.to_vec(), steps);
    panel(&Lanes { problem, maps: vec![map] }, &[row], Vec::new(), style, &Pace::new(monitor))
}

/// `notes`: what is not drawn.
fn panel(
    lanes: &Lanes<'_>,
    rows: &[Row],
    mut notes: Vec<String>,
    style: &Style,
    pace: &Pace<'_>,
) -> Result<Panel, Limit> {
    let problem = lanes.problem;
    let scene = GridScene::new(problem, pace.monitor)?;
    let cards = Cards::new(problem, scene.as_ref(), rows, style.most, pace)?;
    notes.extend(cards.left_out());
    let mut canvas = style.canvas();
    let columns = rows.iter().map(|row| row.steps.len() + 1).max().unwrap_or(1);
    let named = if lanes.several() { NAME } else { 0.0 };
    let pitch = Point::new(cards.size.x + ARROW, cards.size.y.max(EVENTS) + BETWEEN + named);
    // Lines of about the same length.
    let per_line = ((style.width / pitch.x).floor() as usize).max(2);
    let per_block = columns.div_ceil(columns.div_ceil(per_line));
    let strip = Strip { lanes, rows, cards: &cards, pitch, named };
    let (mut y, mut wide) = (4.0, 0.0f64);
    for first in (0..columns).step_by(per_block) {
        pace.work(per_block * cards.work())?;
        let (height, width) = strip.block(&mut canvas, first, (first + per_block).min(columns), y);
        y += height;
        wide = wide.max(width);
    }
    let wide = wide.max(360.0);
    let entries = entries(lanes, rows);
    let height = legend(&mut canvas, Point::new(0.0, y + GAP - BETWEEN), wide, &entries);
    let name = match &problem.observer.name {
        _ if lanes.several() => "each observer".to_owned(),
        Some(name) => format!("“{name}”"),
        None => "the observer".to_owned(),
    };
    let moments: usize = rows.iter().map(|row| row.moments.len()).sum();
    Ok(Panel {
        title: format!("What {name} thinks possible"),
        description: format!(
            "Small pictures of {moments} moments in {} rows: {}",
            rows.len(),
            told(lanes, rows)
        ),
        left_out: (!notes.is_empty()).then(|| notes.join(" ")),
        size: Point::new(wide, y + GAP - BETWEEN + height),
        body: canvas.out,
    })
}

/// The rows in words.
fn told(lanes: &Lanes<'_>, rows: &[Row]) -> String {
    let (problem, mut all) = (lanes.problem, String::new());
    for row in rows {
        let map = lanes.maps[row.lane];
        if lanes.several() {
            all += &format!("{}, ", lanes.name(row.lane));
        }
        let events = row.moments.iter().filter_map(|m| m.event);
        let names: Vec<String> = events
            .map(|(label, _)| match map.look(label) {
                Some(image) => format!("{} seen as {image}", problem.alphabet.name(label)),
                None => format!("{} unseen", problem.alphabet.name(label)),
            })
            .collect();
        let left = row.moments.last().and_then(|m| m.estimate.as_ref()).map_or(0, Vec::len);
        let end = match left {
            1 => "one vertex is possible".to_owned(),
            n => format!("{n} vertices are possible"),
        };
        all += &format!(
            "{}: in the end {end}. ",
            if names.is_empty() { "at the start".to_owned() } else { names.join(", ") }
        );
    }
    all.trim_end().to_owned()
}

fn entries(lanes: &Lanes<'_>, rows: &[Row]) -> Vec<Entry> {
    let moments: Vec<&Moment> = rows.iter().flat_map(|row| &row.moments).collect();
    let who = if lanes.several() { "an observer" } else { "the observer" };
    let mut all =
        vec![Entry::new(Sample::Shade, format!("what {who} thinks possible; a value shaded alone is known"))];
    if moments.iter().any(|m| !m.world.is_empty()) {
        all.push(Entry::new(Sample::Robot, "where the robot is, as far as it knows"));
    }
    if moments.iter().any(|m| m.terminates) {
        all.push(Entry::new(Sample::Stop, "the plan terminates"));
    }
    if rows.iter().any(|row| (1..=row.steps.len()).any(|column| row.is_still(column))) {
        all.push(Entry::new(
            Sample::Still,
            format!("{who} saw nothing: what it thinks possible is as before, unseen events included"),
        ));
    }
    let wrong = || rows.iter().flat_map(|row| &row.wrong).flatten();
    for (how, words) in [
        (How::Here, "this stipulation does not hold here"),
        (How::Before, "“before”: it did not hold between the events that lead here"),
        (How::Later, "“later”: what is seen later gives this moment away"),
        (How::Deviates, "“off the plan” and the like: what led here is not what it should have been"),
    ] {
        if wrong().any(|wrong| wrong.how == how) {
            all.push(Entry::new(Sample::Wrong, words));
        }
    }
    // Moments on their own do not tell what is made of them later.
    let known = !lanes.look_back() || rows.iter().all(|row| row.whole);
    if wrong().all(|wrong| wrong.how == How::Deviates)
        && known
        && moments.iter().any(|m| !m.stipulations.is_empty())
    {
        all.push(Entry::new(Sample::Words, "Every stipulation holds at every moment drawn here."));
    }
    if moments.len() < 2 {
        return all;
    }
    all.push(Entry::new(
        Sample::Words,
        format!("Above an arrow: what happens. Below, in italics: what {who} sees of it."),
    ));
    all
}

struct Strip<'a> {
    lanes: &'a Lanes<'a>,
    rows: &'a [Row],
    cards: &'a Cards<'a>,
    pitch: Point,
    /// What the name of a lane takes above its cards.
    named: f64,
}

impl Strip<'_> {
    /// Draws some columns; gives the height and the width that they take.
    fn block(&self, canvas: &mut Canvas, first: usize, end: usize, top: f64) -> (f64, f64) {
        // A row that begins later, or has ended, takes no room here.
        let own = |row: &Row| if row.common == 0 { 0 } else { row.common + 1 };
        let first_rows = self.lanes.maps.len();
        let begins = |i: usize| if i < first_rows { 0 } else { own(&self.rows[i]).max(1) };
        let shown: Vec<usize> = (0..self.rows.len())
            .filter(|&i| begins(i) < end && self.rows[i].steps.len() + 1 > first)
            .collect();
        let lead = if first == 0 { 0.0 } else { ARROW };
        let mut widest = 0.0f64;
        // A card that is lower than what stands at its arrow lies in the middle of its row.
        let inset = (self.pitch.y - self.named - BETWEEN - self.cards.size.y) / 2.0 + self.named;
        let height_of =
            |i: usize| shown.iter().position(|&s| s == i).map(|n| top + inset + n as f64 * self.pitch.y);
        for &i in &shown {
            let row = &self.rows[i];
            let y = height_of(i).unwrap_or(top);
            for column in first.max(begins(i))..end.min(row.steps.len() + 1) {
                let Some(number) = row.moment(column) else { continue };
                let x = lead + (column - first) as f64 * self.pitch.x;
                if column == first.max(begins(i)) && self.lanes.several() {
                    self.name(canvas, row, Point::new(x, y));
                }
                let ends = column == row.steps.len() && row.moments[number].terminates;
                self.cards.draw(canvas, Point::new(x, y), (row, number), ends, row.is_still(column));
                widest = widest.max(x + self.cards.size.x + 5.0);
                if column > 0 {
                    let from = if column == begins(i) { height_of(row.above) } else { None };
                    // What comes from above passes behind the lanes of others.
                    let others = |j: &&usize| {
                        (row.above..i).contains(*j)
                            && self.rows[**j].lane != row.lane
                            && begins(**j) <= column
                    };
                    let passed: Vec<f64> =
                        shown.iter().filter(others).filter_map(|&j| height_of(j)).collect();
                    self.arrow(canvas, row, column, Point::new(x, y), from.map(|from| (from, &passed[..])));
                }
            }
        }
        (shown.len() as f64 * self.pitch.y + 6.0, widest)
    }

    /// Whose lane this is, above its first card.
    fn name(&self, canvas: &mut Canvas, row: &Row, at: Point) {
        let name = text::fit(&self.lanes.name(row.lane), EVENT, self.cards.size.x);
        let letters = Letters::new(EVENT, canvas.colours.ink, Anchor::Start).bold();
        canvas.text(Point::new(at.x, at.y - self.named / 2.0), &name, letters);
    }

    /// The arrow to the card at `to`, from the card before it or from one above.
    fn arrow(&self, canvas: &mut Canvas, row: &Row, column: usize, to: Point, above: Option<(f64, &[f64])>) {
        let colours = canvas.colours;
        let middle = self.cards.size.y / 2.0;
        let (left, right) = (to.x - ARROW, to.x);
        let still = row.is_still(column);
        let (y, paint) = (to.y + middle, Paint::line(colours.ink, 1.3).dash(if still { STILL } else { "" }));
        let tip = Point::new(right - 2.0, y);
        if let Some((from, passed)) = above.filter(|(from, _)| *from < to.y) {
            let x = left + 5.0 + 4.0 * row.lane as f64;
            let mut start = from + middle;
            for &other in passed {
                canvas.line(Point::new(x, start), Point::new(x, other + middle - GAP_OF_LINES), paint);
                start = other + middle + GAP_OF_LINES;
            }
            canvas.line(Point::new(x, start), Point::new(x, y), paint);
            canvas.line(Point::new(x, y), Point::new(tip.x - 4.0, y), paint);
        } else {
            canvas.line(Point::new(left + 1.0, y), Point::new(tip.x - 4.0, y), paint);
        }
        canvas.head(tip, Point::new(left, y), 7.0, colours.ink);
        let (alphabet, map) = (&self.lanes.problem.alphabet, self.lanes.maps[row.lane]);
        let events: Vec<(Label, &str)> = row.steps[column - 1]
            .clone()
            .filter_map(|event| row.moments[event + 1].event)
            .map(|(label, _)| (label, map.look(label).unwrap_or("not seen")))
            .collect();
        let x = (left + right) / 2.0 + 1.0;
        let room = ARROW - 8.0;
        for (k, (label, image)) in events.iter().enumerate() {
            let name = text::fit(alphabet.name(*label), EVENT, room);
            let up = (events.len() - k) as f64 * EVENT * text::LINE - 2.0;
            let act = alphabet.kind(*label) == Kind::Action;
            let letters = Letters::new(EVENT, colours.ink, Anchor::Middle).halo(colours.background);
            let letters = if act { letters.bold() } else { letters };
            canvas.text(Point::new(x, y - up), &name, letters);
            let down = k as f64 * EVENT * text::LINE + 9.5;
            let seen = Letters::new(EVENT, colours.soft, Anchor::Middle).italic().halo(colours.background);
            canvas.text(Point::new(x, y + down), &text::fit(image, EVENT, room), seen);
        }
    }
}
