//! A moment in words and letters.

use divulge::problem::{Problem, Vertex};
use divulge_explore::{Comparison, Moment, Run};
use divulge_picture::scene::GridScene;

use super::board::{Ink, Signs, boards};

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

/// The whole moment.
pub fn frame(problem: &Problem, grid: Option<&GridScene>, moment: &Moment, look: Look) -> String {
    let mut out = String::from("\n");
    out += &happened(moment, look);
    let vertices = |ids: &[u32]| ids.iter().map(|&v| Vertex(v)).collect::<Vec<Vertex>>();
    let (robot, held) = (vertices(&moment.robot), moment.estimate.as_deref().map(vertices));
    match grid {
        Some(grid) => out += &pictures(grid, &robot, held.as_deref(), look),
        None => {
            out += &format!("  the robot is at       {}\n", named(problem, &robot));
            let held =
                held.as_deref().map_or("nothing: it did not expect this".to_owned(), |h| named(problem, h));
            out += &format!("  the observer thinks   {held}\n");
        }
    }
    out += &variables(moment, grid, look);
    out += &stipulations(moment, look);
    out + &outcomes(moment, look)
}

fn happened(moment: &Moment, look: Look) -> String {
    let Some(last) = moment.events.last() else {
        return look.strong("Start: nothing has happened yet.") + "\n";
    };
    let count = moment.events.len();
    let text = match last.kind {
        "action" => format!(
            "Event {count}: the robot does {}; the observer sees {}.",
            clean(&last.label),
            clean(&last.image)
        ),
        _ => format!(
            "Event {count}: the robot observes {}; the observer sees {}.",
            clean(&last.label),
            clean(&last.image)
        ),
    };
    let mut out = look.strong(&text) + "\n";
    let line = |of: &dyn Fn(&divulge_explore::Event) -> String| {
        let all: Vec<String> = moment.events.iter().map(of).collect();
        let from = all.len().saturating_sub(10);
        format!("{}{}", if from > 0 { "… " } else { "" }, all[from..].join(", "))
    };
    out += &look.faint(&format!("  so far  {}\n", line(&|e| clean(&e.label))));
    out += &look.faint(&format!("  seen    {}\n", line(&|e| clean(&e.image))));
    out
}

fn named(problem: &Problem, set: &[Vertex]) -> String {
    let names: Vec<String> = set.iter().take(NAMED).map(|&v| clean(problem.world.name(v))).collect();
    match set.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{}, … and {more} more", names.join(", ")),
    }
}

fn pictures(grid: &GridScene, robot: &[Vertex], held: Option<&[Vertex]>, look: Look) -> String {
    let (lines, part) = boards(grid, robot, held.unwrap_or(&[]), Signs::new(look.unicode));
    let width = (4 + 3 * grid.cols.min(18)).max(16);
    let mut out = format!("  {:width$}    {}\n", "the robot", "the observer thinks");
    for line in lines {
        let text: String = line.iter().map(|(text, ink)| look.ink(text, *ink)).collect();
        out += text.trim_end();
        out.push('\n');
    }
    if part {
        out += &look.faint("  (a part of the grid, around the robot)\n");
    }
    if held.is_none() {
        out += "  The observer did not expect this: it holds nothing possible.\n";
    }
    out
}

fn variables(moment: &Moment, grid: Option<&GridScene>, look: Look) -> String {
    let axes = grid.map(|grid| [&grid.axes.0, &grid.axes.1]);
    let shown = moment.variables.iter().filter(|v| axes.is_none_or(|axes| !axes.contains(&&v.name)));
    let mut rows: Vec<[String; 3]> = Vec::new();
    for variable in shown {
        let told = |possible: &dyn Fn(&divulge_explore::ValueState) -> bool| {
            let all: Vec<String> =
                variable.values.iter().filter(|v| possible(v)).map(|v| clean(&v.value)).collect();
            match all.len() {
                0 => "-".to_owned(),
                1..=8 => all.join(" | "),
                n => format!("{n} values"),
            }
        };
        let robot = told(&|v| v.robot);
        rows.push([clean(&variable.name), robot, told(&|v| v.observer)]);
    }
    if rows.is_empty() {
        return String::new();
    }
    let head = ["", "the robot knows", "the observer thinks"].map(str::to_owned);
    let width = |c: usize| rows.iter().chain([&head]).map(|row| row[c].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let mut out = String::from("\n");
    for (i, row) in [&head].into_iter().chain(&rows).enumerate() {
        let line = format!("  {:first$}   {:second$}   {}", row[0], row[1], row[2]);
        let line = line.trim_end().to_owned() + "\n";
        out += &if i == 0 { look.faint(&line) } else { line };
    }
    out
}

fn stipulations(moment: &Moment, look: Look) -> String {
    let mut out = String::from("\n");
    for state in &moment.stipulations {
        let (word, code) = match state.state {
            "broken" => ("BROKEN", "1;31"),
            "later" => ("later ", "2"),
            _ => ("holds ", "32"),
        };
        out += &format!("  {}  {}: {}\n", look.paint(code, word), clean(&state.name), clean(&state.why));
    }
    if moment.stipulations.is_empty() { String::new() } else { out }
}

fn outcomes(moment: &Moment, look: Look) -> String {
    let mut out = String::from("\n");
    if moment.stops {
        let goal = if moment.goal { ", at a goal" } else { "" };
        out += &look.strong(&format!("The plan stops here{goal}.\n"));
    }
    let Some(first) = moment.outcomes.first() else {
        return if moment.stops { out } else { out + "Nothing more can happen.\n" };
    };
    out += match (first.kind, moment.outcomes.len()) {
        ("action", 1) => "Next the robot does:\n",
        ("action", _) => "Next the robot does one of these:\n",
        (_, 1) => "Next the robot observes:\n",
        (_, _) => "Next the robot observes one of these:\n",
    };
    for (i, outcome) in moment.outcomes.iter().enumerate() {
        let like = match outcome.like.is_empty() {
            true => String::new(),
            false => {
                format!(", like {}", outcome.like.iter().map(|l| clean(l)).collect::<Vec<_>>().join(", "))
            }
        };
        let seen = look.faint(&format!("(seen as {}{like})", clean(&outcome.image)));
        out += &format!("  {}  {} {seen}\n", look.strong(&(i + 1).to_string()), clean(&outcome.label));
    }
    out
}

/// Two runs side by side.
pub fn comparison(problem: &Problem, told: &Comparison, look: Look) -> String {
    let mut out = format!("\n{}\n", look.strong(&clean(&told.title)));
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
        let Some(event) = n.checked_sub(1) else { return format!("(start) {at}") };
        let (Some(label), Some(image)) = (run.events.get(event), run.images.get(event)) else {
            return String::new();
        };
        let seen = if label == image { String::new() } else { format!(" (seen as {})", clean(image)) };
        let at = if at.is_empty() { at } else { format!(" -> {at}") };
        format!("{}{seen}{at}", clean(label))
    };
    let rows = told.run.places.len().max(told.other.places.len());
    let wide = (0..rows).map(|n| cell(&told.run, n).chars().count()).max().unwrap_or(0).max(13);
    out += &look.faint(&format!("      {:wide$}   another run\n", "what happened"));
    for n in 0..rows {
        let mark = if told.parts_at == Some(n) && n > 0 { "!" } else { " " };
        let line = format!("  {n:>2}{mark} {:wide$}   {}", cell(&told.run, n), cell(&told.other, n));
        out += line.trim_end();
        out.push('\n');
    }
    let why = clean(&told.why);
    out + "  " + &why + "\n"
}
