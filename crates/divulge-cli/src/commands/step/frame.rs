//! A moment in words and letters.

use divulge::problem::{Problem, Vertex};
use divulge_explore::{Comparison, Run, Snapshot};
use divulge_picture::scene::GridScene;

use super::{
    board::{Ink, Signs, board_width, boards},
    screen::{Screen, cut, shares, some, wrap},
};

/// At most so many vertices are named.
const NAMED: usize = 6;

/// How frames look.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub colour: bool,
    pub unicode: bool,
}

impl Look {
    /// The text with a terminal's code around it.
    pub fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn ink(self, text: &str, ink: Ink) -> String {
        match ink {
            Ink::Plain => text.to_owned(),
            Ink::Robot => self.paint("1;33", text),
            Ink::Possible => self.paint("1;36", text),
        }
    }
}

/// A text without what would command a terminal.
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The whole moment, in lines; no more than there is room for.
pub fn frame(
    problem: &Problem,
    grid: Option<&GridScene>,
    moment: &Snapshot,
    look: Look,
    room: Screen,
) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(happened(moment, look, room.cols));
    let vertices = |ids: &[u32]| ids.iter().map(|&v| Vertex(v)).collect::<Vec<Vertex>>();
    let (robot, held) = (vertices(&moment.robot), moment.estimate.as_deref().map(vertices));
    let variables = variables(moment, grid, look, room.cols);
    let stipulations = stipulations(moment, look, room.cols);
    let outcomes = outcomes(moment, look, room.cols);
    // A heading, the rows, walls between them, and two remarks.
    let board = grid.map_or(8, |grid| 2 * grid.rows + 4);
    // An empty line goes before each part.
    let left = room.rows.saturating_sub(lines.len() + 4);
    let wanted = [board, variables.len(), stipulations.len(), outcomes.len()];
    let shares = shares(&wanted, left);
    lines.extend(match grid {
        Some(grid) => pictures(grid, &robot, held.as_deref(), look, (room.cols, shares[0])),
        None => places(problem, &robot, held.as_deref(), (room.cols, shares[0])),
    });
    for (part, share, what) in [
        (variables, shares[1], "variables"),
        (stipulations, shares[2], "lines on stipulations"),
        (outcomes, shares[3], "outcomes"),
    ] {
        if !part.is_empty() {
            lines.push(String::new());
            lines.extend(some(part, share.max(2), what));
        }
    }
    lines
}

fn happened(moment: &Snapshot, look: Look, cols: usize) -> Vec<String> {
    let Some(last) = moment.events.last() else {
        return vec![look.strong("Start: nothing has happened yet.")];
    };
    let does = if last.kind == "action" { "does" } else { "observes" };
    let text = format!(
        "Event {}: the robot {does} {}; the observer sees {}.",
        moment.events.len(),
        clean(&last.label),
        clean(&last.image)
    );
    // The last events, as many as fit.
    let line = |name: &str, of: &dyn Fn(&divulge_explore::Event) -> String| {
        let (mut told, mut used) = (Vec::new(), name.len() + 4);
        for event in moment.events.iter().rev() {
            let text = of(event);
            used += text.chars().count() + 2;
            if !told.is_empty() && used > cols {
                told.push("…".to_owned());
                break;
            }
            told.push(text);
        }
        told.reverse();
        look.faint(&cut(&format!("{name}{}", told.join(", ").replacen("…, ", "… ", 1)), cols))
    };
    vec![
        look.strong(&cut(&text, cols)),
        line("  so far  ", &|e| clean(&e.label)),
        line("  seen    ", &|e| clean(&e.image)),
    ]
}

fn named(problem: &Problem, set: &[Vertex]) -> String {
    let names: Vec<String> = set.iter().take(NAMED).map(|&v| clean(problem.world.name(v))).collect();
    match set.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{}, … and {more} more", names.join(", ")),
    }
}

fn places(
    problem: &Problem,
    robot: &[Vertex],
    held: Option<&[Vertex]>,
    (cols, rows): (usize, usize),
) -> Vec<String> {
    let held = held.map_or("nothing: it did not expect this".to_owned(), |held| named(problem, held));
    let mut lines = Vec::new();
    for text in [
        format!("  the robot is at       {}", named(problem, robot)),
        format!("  the observer thinks   {held}"),
    ] {
        let all = wrap(&text, cols, 24);
        match all.len() > (rows / 2).max(1) {
            true => lines.push(cut(&text, cols)),
            false => lines.extend(all),
        }
    }
    lines
}

fn pictures(
    grid: &GridScene,
    robot: &[Vertex],
    held: Option<&[Vertex]>,
    look: Look,
    (cols, rows): (usize, usize),
) -> Vec<String> {
    let room = (cols, rows.saturating_sub(3));
    let made = boards(grid, (robot, held.unwrap_or(&[])), Signs::new(look.unicode), room);
    let width = board_width(made.cols);
    let mut lines = vec![format!("  {:width$}    the observer thinks", "the robot")];
    for line in &made.lines {
        let text: String = line.iter().map(|(text, ink)| look.ink(text, *ink)).collect();
        lines.push(text.trim_end().to_owned());
    }
    if made.hidden > 0 {
        let possible = match made.hidden_possible {
            0 => String::new(),
            n => format!(", {n} of them possible for the observer"),
        };
        lines.push(look.faint(&cut(
            &format!("  (around the robot; {} cells are not shown{possible})", made.hidden),
            cols,
        )));
    }
    if held.is_none() {
        lines.push("  The observer did not expect this: it thinks nothing possible.".to_owned());
    }
    lines
}

fn variables(moment: &Snapshot, grid: Option<&GridScene>, look: Look, cols: usize) -> Vec<String> {
    let axes = grid.map(|grid| [&grid.axes.0, &grid.axes.1]);
    let shown = moment.variables.iter().filter(|v| axes.is_none_or(|axes| !axes.contains(&&v.name)));
    let mut rows: Vec<[String; 3]> = Vec::new();
    // Two columns of values share what the names leave.
    let each = cols.saturating_sub(24) / 2;
    for variable in shown {
        let told = |possible: &dyn Fn(&divulge_explore::ValueState) -> bool| {
            let all: Vec<String> =
                variable.values.iter().filter(|v| possible(v)).map(|v| clean(&v.value)).collect();
            let listed = all.join(" | ");
            match all.len() {
                0 => "-".to_owned(),
                1 => cut(&listed, each),
                2..=8 if listed.chars().count() <= each => listed,
                n => format!("{n} values"),
            }
        };
        rows.push([cut(&clean(&variable.name), 18), told(&|v| v.robot), told(&|v| v.observer)]);
    }
    if rows.is_empty() {
        return Vec::new();
    }
    let head = ["", "the robot knows", "the observer thinks"].map(str::to_owned);
    let width = |c: usize| rows.iter().chain([&head]).map(|row| row[c].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let line = |row: &[String; 3]| {
        format!("  {:first$}   {:second$}   {}", row[0], row[1], row[2]).trim_end().to_owned()
    };
    [look.faint(&line(&head))].into_iter().chain(rows.iter().map(line)).collect()
}

/// Those that are broken come first: they must not be left out.
fn stipulations(moment: &Snapshot, look: Look, cols: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (broken, others): (Vec<_>, Vec<_>) = moment.stipulations.iter().partition(|s| s.state == "broken");
    for state in broken.into_iter().chain(others) {
        let (word, code) = match state.state {
            "broken" => ("BROKEN", "1;31"),
            "later" => ("later ", "2"),
            _ => ("holds ", "32"),
        };
        let text = format!("{}: {}", clean(&state.name), clean(&state.why));
        for (i, line) in wrap(&text, cols.saturating_sub(10), 2).into_iter().enumerate() {
            let before = if i == 0 { look.paint(code, word) } else { " ".repeat(6) };
            lines.push(format!("  {before}  {line}"));
        }
    }
    lines
}

fn outcomes(moment: &Snapshot, look: Look, cols: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if moment.stops {
        let goal = if moment.goal { ", at a goal" } else { "" };
        lines.push(look.strong(&format!("The plan stops here{goal}.")));
    }
    let Some(first) = moment.outcomes.first() else {
        if !moment.stops {
            lines.push("Nothing more can happen.".to_owned());
        }
        return lines;
    };
    let heading = match (first.kind, moment.outcomes.len()) {
        ("action", 1) => "Next, the robot does:",
        ("action", _) => "Next, the robot does one of these:",
        (_, 1) => "Next, the robot observes:",
        (_, _) => "Next, the robot observes one of these:",
    };
    lines.push(heading.to_owned());
    for (i, outcome) in moment.outcomes.iter().enumerate() {
        let like = match outcome.like.is_empty() {
            true => String::new(),
            false => {
                format!(", like {}", outcome.like.iter().map(|l| clean(l)).collect::<Vec<_>>().join(", "))
            }
        };
        let (number, label) = ((i + 1).to_string(), cut(&clean(&outcome.label), cols / 2));
        let room = cols.saturating_sub(number.len() + label.chars().count() + 7);
        let seen = cut(&format!("seen as {}{like}", clean(&outcome.image)), room);
        lines.push(format!("  {}  {label} {}", look.strong(&number), look.faint(&format!("({seen})"))));
    }
    lines
}

/// Rows of two runs that are shown before and after each that matters.
const AROUND: usize = 3;

/// Two runs side by side. Long stretches in which both do the same are left out.
pub fn comparison(problem: &Problem, told: &Comparison, look: Look, cols: usize) -> Vec<String> {
    let each = cols.saturating_sub(10) / 2;
    let place = |run: &Run, n: usize| {
        let at: Vec<Vertex> = run.places.get(n).into_iter().flatten().map(|&v| Vertex(v)).collect();
        match at.len() {
            0 => String::new(),
            1 => named(problem, &at),
            many => format!("one of {many} vertices"),
        }
    };
    let cell = |run: &Run, n: usize| {
        let at = place(run, n);
        let Some(event) = n.checked_sub(1) else { return cut(&format!("(start) {at}"), each) };
        let (Some(label), Some(image)) = (run.events.get(event), run.images.get(event)) else {
            return String::new();
        };
        let seen = if label == image { String::new() } else { format!(" (seen as {})", clean(image)) };
        let at = if at.is_empty() { at } else { format!(" -> {at}") };
        cut(&format!("{}{seen}{at}", clean(label)), each)
    };
    let rows = told.run.places.len().max(told.other.places.len()).max(told.other.events.len() + 1);
    let matters = |n: &usize| {
        let differ = *n > 0 && told.run.events.get(n - 1) != told.other.events.get(n - 1);
        differ || told.parts_at == Some(*n) || *n == 0 || n + 1 == rows
    };
    let mut shown = vec![false; rows];
    for n in (0..rows).filter(matters) {
        shown[n.saturating_sub(AROUND)..(n + AROUND + 1).min(rows)].fill(true);
    }
    let kept = (0..rows).filter(|&n| shown[n]);
    let wide = kept.map(|n| cell(&told.run, n).chars().count()).max().unwrap_or(0).max(13);
    let mut lines = vec![String::new(), look.strong(&cut(&clean(&told.title), cols))];
    lines.push(look.faint(&format!("      {:wide$}   another run", "what happened")));
    let mut left_out = 0;
    for n in 0..rows {
        if !shown[n] {
            left_out += 1;
            if shown[n + 1] {
                lines.push(look.faint(&format!("      … {left_out} events, the same in both")));
                left_out = 0;
            }
            continue;
        }
        let mark = if told.parts_at == Some(n) && n > 0 { "!" } else { " " };
        let line = format!("  {n:>2}{mark} {:wide$}   {}", cell(&told.run, n), cell(&told.other, n));
        lines.push(line.trim_end().to_owned());
    }
    lines.extend(wrap(&format!("  {}", clean(&told.why)), cols, 2));
    lines
}
