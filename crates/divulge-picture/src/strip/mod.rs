//! What the observer believes as time goes on: a strip of small pictures, a row for each way things may turn out.

mod card;
mod runs;

use divulge::{
    explain::{Moment, replay},
    problem::{Kind, Label, LabelMap, Plan, Problem},
    setting::{Setting, unfold},
    verdict::QuestionError,
};

use crate::{
    figure::{Panel, Style},
    layout::Point,
    legend::{Entry, Sample, legend},
    pace::{Limit, Monitor, Pace},
    scene::GridScene,
    svg::{Anchor, Canvas, Letters, Paint},
    text,
    world::GAP,
};
use card::Cards;

/// How many rows are drawn.
const MOST_ROWS: usize = 8;

const EVENT: f64 = 8.5;
const ARROW: f64 = 52.0;
const BETWEEN: f64 = 12.0;
/// What the events of a step take above and below their arrow.
const EVENTS: f64 = 52.0;

/// One execution, in steps.
struct Row {
    moments: Vec<Moment>,
    steps: Vec<std::ops::Range<usize>>,
    /// How many steps it has in common with a row above, and which that is.
    common: usize,
    above: usize,
}

impl Row {
    /// The moment that a column shows.
    fn moment(&self, column: usize) -> Option<&Moment> {
        match column.checked_sub(1) {
            None => self.moments.first(),
            Some(step) => self.moments.get(self.steps.get(step)?.end),
        }
    }
}

/// What the observer believes of a plan's executions, step by step: of `events` if they are given, else of one execution
/// for each way in which observations may turn out (up to a number of rows; of several actions the first is taken).
///
/// # Errors
/// As [`replay`]: the problem's parts must fit together. The limit that `monitor` says was hit.
pub fn estimates(
    problem: &Problem,
    plan: &Plan,
    map: &LabelMap,
    events: Option<&[Label]>,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Panel, QuestionError> {
    let unfolded = unfold(problem, monitor)?;
    let problem = unfolded.as_ref().unwrap_or(problem);
    let setting = Setting::pose(problem, Some(plan), monitor)?;
    let pace = Pace::new(monitor);
    let found = match events {
        Some(events) => runs::Runs { all: vec![events.to_vec()], ..runs::Runs::default() },
        None => runs::runs(setting.joint()?, plan, MOST_ROWS, &pace)?,
    };
    let executions = &found.all;
    let mut rows: Vec<Row> = Vec::new();
    for (i, execution) in executions.iter().enumerate() {
        pace.work(execution.len())?;
        let moments = replay(&setting, map, Some(plan), execution)?.moments;
        let steps = runs::steps(execution, problem.world.graph.initial_kind());
        let same = |other: &Vec<Label>| execution.iter().zip(other).take_while(|(a, b)| a == b).count();
        let before = executions[..i].iter().map(same).enumerate().max_by_key(|&(j, n)| (n, j));
        let (above, events) = before.unwrap_or((0, 0));
        let common = steps.iter().take_while(|step| step.end <= events).count();
        let mut row = Row { moments, steps, common: if i == 0 { 0 } else { common }, above };
        // What it has in common may itself be drawn further up.
        while row.above > 0 && rows[row.above].common >= row.common {
            row.above = rows[row.above].above;
        }
        rows.push(row);
    }
    let more = found.more.then(|| format!("Only {} of the ways things may turn out are drawn.", rows.len()));
    let cut = found.cut.then(|| format!("Executions are cut after {} events.", runs::LONGEST));
    let notes = more.into_iter().chain(cut).collect();
    Ok(panel(problem, map, &rows, notes, style, &pace)?)
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
    let row = Row { moments: of.to_vec(), steps, common: 0, above: 0 };
    panel(problem, map, &[row], Vec::new(), style, &Pace::new(monitor))
}

/// `notes`: what is not drawn.
fn panel(
    problem: &Problem,
    map: &LabelMap,
    rows: &[Row],
    mut notes: Vec<String>,
    style: &Style,
    pace: &Pace<'_>,
) -> Result<Panel, Limit> {
    let scene = GridScene::new(problem, pace.monitor)?;
    let all: Vec<&Moment> = rows.iter().flat_map(|row| &row.moments).collect();
    let cards = Cards::new(problem, scene.as_ref(), &all, style.most, pace)?;
    notes.extend(cards.left_out());
    let mut canvas = style.canvas();
    let columns = rows.iter().map(|row| row.steps.len() + 1).max().unwrap_or(1);
    let pitch = Point::new(cards.size.x + ARROW, cards.size.y.max(EVENTS) + BETWEEN);
    // Lines of about the same length.
    let per_line = ((style.width / pitch.x).floor() as usize).max(2);
    let per_block = columns.div_ceil(columns.div_ceil(per_line));
    let strip = Strip { problem, map, rows, cards: &cards, pitch };
    let (mut y, mut wide) = (4.0, 0.0f64);
    for first in (0..columns).step_by(per_block) {
        pace.work(per_block * cards.work())?;
        let (height, width) = strip.block(&mut canvas, first, (first + per_block).min(columns), y);
        y += height;
        wide = wide.max(width);
    }
    let wide = wide.max(360.0);
    let entries = entries(&all);
    let height = legend(&mut canvas, Point::new(0.0, y + GAP - BETWEEN), wide, &entries);
    let name = problem.observer.name.as_deref().map_or("the observer".to_owned(), |name| format!("“{name}”"));
    Ok(Panel {
        title: format!("What {name} thinks possible"),
        description: format!(
            "Small pictures of {} moments in {} rows: {}",
            all.len(),
            rows.len(),
            told(problem, map, rows)
        ),
        left_out: (!notes.is_empty()).then(|| notes.join(" ")),
        size: Point::new(wide, y + GAP - BETWEEN + height),
        body: canvas.out,
    })
}

/// The rows in words.
fn told(problem: &Problem, map: &LabelMap, rows: &[Row]) -> String {
    let mut all = String::new();
    for row in rows {
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

fn entries(moments: &[&Moment]) -> Vec<Entry> {
    let mut all =
        vec![Entry::new(Sample::Shade, "what the observer thinks possible; a value shaded alone is known")];
    if moments.iter().any(|m| !m.world.is_empty()) {
        all.push(Entry::new(Sample::Robot, "where the robot is, as far as it knows"));
    }
    if moments.iter().any(|m| m.terminates) {
        all.push(Entry::new(Sample::Stop, "the plan terminates"));
    }
    let broken = |m: &&Moment| m.stipulations.iter().any(|s| s.is_broken(m.terminates));
    if moments.iter().copied().any(|m| broken(&m)) {
        all.push(Entry::new(Sample::Wrong, "this stipulation does not hold here"));
    } else if moments.iter().any(|m| !m.stipulations.is_empty()) {
        all.push(Entry::new(Sample::Words, "Every stipulation holds at every moment drawn here."));
    }
    if moments.len() < 2 {
        return all;
    }
    all.push(Entry::new(
        Sample::Words,
        "Above an arrow: what happens. Below, in italics: what the observer sees of it.",
    ));
    all
}

struct Strip<'a> {
    problem: &'a Problem,
    map: &'a LabelMap,
    rows: &'a [Row],
    cards: &'a Cards<'a>,
    pitch: Point,
}

impl Strip<'_> {
    /// Draws some columns; gives the height and the width that they take.
    fn block(&self, canvas: &mut Canvas, first: usize, end: usize, top: f64) -> (f64, f64) {
        // A row that begins later, or has ended, takes no room here.
        let own = |row: &Row| if row.common == 0 { 0 } else { row.common + 1 };
        let begins = |i: usize| if i == 0 { 0 } else { own(&self.rows[i]).max(1) };
        let shown: Vec<usize> = (0..self.rows.len())
            .filter(|&i| begins(i) < end && self.rows[i].steps.len() + 1 > first)
            .collect();
        let lead = if first == 0 { 0.0 } else { ARROW };
        let mut widest = 0.0f64;
        // A card that is lower than what stands at its arrow lies in the middle of its row.
        let inset = (self.pitch.y - BETWEEN - self.cards.size.y) / 2.0;
        let height_of =
            |i: usize| shown.iter().position(|&s| s == i).map(|n| top + inset + n as f64 * self.pitch.y);
        for &i in &shown {
            let row = &self.rows[i];
            let y = height_of(i).unwrap_or(top);
            for column in first.max(begins(i))..end.min(row.steps.len() + 1) {
                let Some(moment) = row.moment(column) else { continue };
                let x = lead + (column - first) as f64 * self.pitch.x;
                let last = column == row.steps.len();
                self.cards.draw(canvas, Point::new(x, y), moment, last && moment.terminates);
                widest = widest.max(x + self.cards.size.x + 5.0);
                if column > 0 {
                    let from = if column == begins(i) { height_of(row.above) } else { None };
                    self.arrow(canvas, row, column, Point::new(x, y), from);
                }
            }
        }
        (shown.len() as f64 * self.pitch.y + 6.0, widest)
    }

    /// The arrow to the card at `to`, from the card before it or from one above.
    fn arrow(&self, canvas: &mut Canvas, row: &Row, column: usize, to: Point, above: Option<f64>) {
        let colours = canvas.colours;
        let middle = self.cards.size.y / 2.0;
        let (left, right) = (to.x - ARROW, to.x);
        let (y, paint) = (to.y + middle, Paint::line(colours.ink, 1.3));
        let tip = Point::new(right - 2.0, y);
        if let Some(from) = above.filter(|&from| from < to.y) {
            let x = left + 5.0;
            canvas.line(Point::new(x, from + middle), Point::new(x, y), paint);
            canvas.line(Point::new(x, y), Point::new(tip.x - 4.0, y), paint);
        } else {
            canvas.line(Point::new(left + 1.0, y), Point::new(tip.x - 4.0, y), paint);
        }
        canvas.head(tip, Point::new(left, y), 7.0, colours.ink);
        let events: Vec<(Label, &str)> = row.steps[column - 1]
            .clone()
            .filter_map(|event| row.moments[event + 1].event)
            .map(|(label, _)| (label, self.map.shown(label)))
            .collect();
        let x = (left + right) / 2.0 + 1.0;
        let room = ARROW - 8.0;
        for (k, (label, image)) in events.iter().enumerate() {
            let name = text::fit(self.problem.alphabet.name(*label), EVENT, room);
            let up = (events.len() - k) as f64 * EVENT * text::LINE - 2.0;
            let act = self.problem.alphabet.kind(*label) == Kind::Action;
            let letters = Letters::new(EVENT, colours.ink, Anchor::Middle).halo(colours.background);
            let letters = if act { letters.bold() } else { letters };
            canvas.text(Point::new(x, y - up), &name, letters);
            let down = k as f64 * EVENT * text::LINE + 9.5;
            let seen = Letters::new(EVENT, colours.soft, Anchor::Middle).italic().halo(colours.background);
            canvas.text(Point::new(x, y + down), &text::fit(image, EVENT, room), seen);
        }
    }
}
