//! A moment in words and letters.

use divulge::problem::{Problem, Vertex};
use divulge_explore::{OutcomeSeen, Seen, Snapshot, State, ValueState, Variable};
use divulge_picture::scene::GridScene;

use super::{
    board::{Ink, Shown, Signs, beside, boards},
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

/// Whoever watches, as frames call them.
pub struct Watchers {
    names: Vec<String>,
}

impl Watchers {
    pub fn of(problem: &Problem) -> Self {
        let number = 1 + problem.others.len();
        Self { names: (0..number).map(|n| clean(&problem.observer_name(n))).collect() }
    }

    /// Nobody else watches: then it is simply the observer.
    pub fn single(&self) -> bool {
        self.names.len() == 1
    }

    fn each(&self) -> impl Iterator<Item = (usize, &str)> + Clone {
        let single = self.single();
        self.names.iter().enumerate().map(move |(n, name)| (n, if single { "the observer" } else { name }))
    }

    /// The heading of what each thinks.
    fn thinks(&self) -> Vec<String> {
        match self.single() {
            true => vec!["the observer thinks".to_owned()],
            false => self.names.iter().map(|name| cut(name, 20)).collect(),
        }
    }
}

/// The whole moment, in lines; no more than there is room for.
pub fn frame(
    problem: &Problem,
    grid: Option<&GridScene>,
    moment: &Snapshot,
    look: Look,
    room: Screen,
) -> Vec<String> {
    let watchers = Watchers::of(problem);
    let mut lines = vec![String::new()];
    lines.extend(happened(moment, &watchers, look, room.cols));
    let vertices = |ids: &[u32]| ids.iter().map(|&v| Vertex(v)).collect::<Vec<Vertex>>();
    let robot = vertices(&moment.robot);
    let held: Vec<Option<Vec<Vertex>>> =
        moment.sides.iter().map(|side| side.estimate.as_deref().map(vertices)).collect();
    let variables = variables(moment, &watchers, grid, look, room.cols);
    let stipulations = stipulations(moment, &watchers, look, room.cols);
    let outcomes = outcomes(moment, &watchers, look, room.cols);
    // A heading, the rows, walls between them, and two remarks.
    let board = grid.map_or(6 + 2 * held.len(), |grid| 2 * grid.rows + 4);
    // An empty line goes before each part.
    let left = room.rows.saturating_sub(lines.len() + 4);
    let wanted = [board, variables.len(), stipulations.len(), outcomes.len()];
    let shares = shares(&wanted, left);
    lines.extend(match grid {
        Some(grid) => pictures(grid, &robot, &held, &watchers, look, (room.cols, shares[0])),
        None => places(problem, &robot, &held, &watchers, (room.cols, shares[0])),
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

/// What somebody saw, as a name in a list.
fn glimpse(seen: &Seen) -> String {
    seen.image.as_deref().map_or("-".to_owned(), clean)
}

fn happened(moment: &Snapshot, watchers: &Watchers, look: Look, cols: usize) -> Vec<String> {
    let Some(last) = moment.events.last() else {
        return vec![look.strong("Start: nothing has happened yet.")];
    };
    let does = if last.kind == "action" { "does" } else { "observes" };
    let sees =
        watchers.each().zip(&last.seen).map(|((_, who), seen)| match (&seen.image, watchers.single()) {
            (Some(image), true) => format!("; the observer sees {}", clean(image)),
            (None, true) => "; the observer does not see it".to_owned(),
            (Some(image), false) => format!("; {who}: seen as {}", clean(image)),
            (None, false) => format!("; {who}: not seen"),
        });
    let text = format!(
        "Event {}: the robot {does} {}{}.",
        moment.events.len(),
        clean(&last.label),
        sees.collect::<String>()
    );
    let wide = match watchers.single() {
        true => 6,
        false => watchers.names.iter().map(|name| name.chars().count().min(16)).max().unwrap_or(0).max(6),
    };
    // The last events, as many as fit.
    let line = |name: &str, of: &dyn Fn(&divulge_explore::Event) -> String| {
        let name = format!("  {:wide$}  ", cut(name, 16));
        let (mut told, mut used) = (Vec::new(), name.chars().count() + 4);
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
    let mut lines = wrap(&text, cols, 2);
    lines.iter_mut().for_each(|text| *text = look.strong(text));
    lines.push(line("so far", &|e| clean(&e.label)));
    for (n, name) in watchers.each() {
        let name = if watchers.single() { "seen" } else { name };
        lines.push(line(name, &|e| glimpse(&e.seen[n])));
    }
    lines
}

pub fn named(problem: &Problem, set: &[Vertex]) -> String {
    let names: Vec<String> = set.iter().take(NAMED).map(|&v| clean(problem.world.name(v))).collect();
    match set.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{}, … and {more} more", names.join(", ")),
    }
}

fn places(
    problem: &Problem,
    robot: &[Vertex],
    held: &[Option<Vec<Vertex>>],
    watchers: &Watchers,
    (cols, rows): (usize, usize),
) -> Vec<String> {
    let mut told = vec![("the robot is at".to_owned(), named(problem, robot))];
    for (title, held) in watchers.thinks().into_iter().zip(held) {
        let title = if watchers.single() { title } else { format!("possible for {title}") };
        let held = held.as_ref();
        told.push((title, held.map_or("nothing: it did not expect this".to_owned(), |h| named(problem, h))));
    }
    let wide = told.iter().map(|(title, _)| title.chars().count()).max().unwrap_or(0).max(19);
    let (mut lines, parts) = (Vec::new(), told.len());
    for (title, places) in told {
        let text = format!("  {title:wide$}   {places}");
        let all = wrap(&text, cols, wide + 5);
        match all.len() > (rows / parts).max(1) {
            true => lines.push(cut(&text, cols)),
            false => lines.extend(all),
        }
    }
    lines
}

fn pictures(
    grid: &GridScene,
    robot: &[Vertex],
    held: &[Option<Vec<Vertex>>],
    watchers: &Watchers,
    look: Look,
    (cols, rows): (usize, usize),
) -> Vec<String> {
    let signs = Signs::new(look.unicode);
    let mut all =
        vec![Shown { title: "the robot".to_owned(), set: robot, sign: signs.robot, ink: Ink::Robot }];
    for (title, held) in watchers.thinks().into_iter().zip(held) {
        let set = held.as_deref().unwrap_or(&[]);
        all.push(Shown { title, set, sign: signs.possible, ink: Ink::Possible });
    }
    // What does not fit beside the others goes below them.
    let decks = all.len().div_ceil(beside(grid, cols));
    let room = (cols, (rows / decks).saturating_sub(3));
    let (mut lines, mut hidden, mut possible) = (Vec::new(), 0, vec![0; all.len()]);
    for (deck, part) in all.chunks(beside(grid, cols)).enumerate() {
        let made = boards(grid, robot, part, signs, room);
        for line in &made.lines {
            let text: String = line.iter().map(|(text, ink)| look.ink(text, *ink)).collect();
            lines.push(text.trim_end().to_owned());
        }
        hidden = made.hidden;
        possible.splice(deck * beside(grid, cols)..deck * beside(grid, cols) + part.len(), made.hidden_of);
    }
    if hidden > 0 {
        let told: Vec<String> = watchers
            .each()
            .filter(|(n, _)| possible[n + 1] > 0)
            .map(|(n, who)| format!(", {} of them possible for {who}", possible[n + 1]))
            .collect();
        lines.push(look.faint(&cut(
            &format!("  (around the robot; {hidden} cells are not shown{})", told.concat()),
            cols,
        )));
    }
    for ((_, who), _) in watchers.each().zip(held).filter(|(_, held)| held.is_none()) {
        let who = divulge_explore::words::sentence(who);
        lines.push(format!("  {who} did not expect this: it thinks nothing possible."));
    }
    lines
}

fn variables(
    moment: &Snapshot,
    watchers: &Watchers,
    grid: Option<&GridScene>,
    look: Look,
    cols: usize,
) -> Vec<String> {
    let axes = grid.map(|grid| [&grid.axes.0, &grid.axes.1]);
    let of_robot = if watchers.single() { &moment.sides[0].variables } else { &moment.variables };
    let shown = of_robot.iter().filter(|v| axes.is_none_or(|axes| !axes.contains(&&v.name)));
    let mut rows: Vec<Vec<String>> = Vec::new();
    // The columns of values share what the names leave.
    let each = (cols.saturating_sub(24) / (1 + moment.sides.len())).max(12);
    let told = |variable: &Variable, possible: &dyn Fn(&ValueState) -> bool| {
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
    for variable in shown {
        let mut row = vec![cut(&clean(&variable.name), 18), told(variable, &|v| v.robot)];
        for side in &moment.sides {
            let own = side.variables.iter().find(|own| own.name == variable.name);
            row.push(own.map_or("-".to_owned(), |own| told(own, &|v| v.observer)));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Vec::new();
    }
    let mut head = vec![String::new(), "the robot knows".to_owned()];
    head.extend(watchers.thinks());
    let width = |c: usize| rows.iter().chain([&head]).map(|row| row[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, wide)| format!("{cell:wide$}")).collect();
        cut(format!("  {}", cells.join("   ")).trim_end(), cols)
    };
    [look.faint(&line(&head))].into_iter().chain(rows.iter().map(line)).collect()
}

/// Those that are broken come first: they must not be left out.
fn stipulations(moment: &Snapshot, watchers: &Watchers, look: Look, cols: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let of = |who: &str| if watchers.single() { String::new() } else { format!("{who}, ") };
    let each = watchers.each().zip(&moment.sides);
    let all: Vec<(String, &State)> = each
        .clone()
        .flat_map(|((_, who), side)| side.stipulations.iter().map(move |state| (of(who), state)))
        .collect();
    let (broken, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, s)| s.state == "broken");
    let mut line = |word: &str, code: &str, text: &str| {
        for (i, line) in wrap(text, cols.saturating_sub(10), 2).into_iter().enumerate() {
            let before = if i == 0 { look.paint(code, word) } else { " ".repeat(6) };
            lines.push(format!("  {before}  {line}"));
        }
    };
    for (who, state) in broken.into_iter().chain(others) {
        let (word, code) = match state.state {
            "broken" => ("BROKEN", "1;31"),
            "later" if state.run.is_some() => ("owed  ", "2"),
            "later" => ("later ", "2"),
            _ => ("holds ", "32"),
        };
        line(word, code, &format!("{who}{}: {}", clean(&state.name), clean(&state.why)));
    }
    for ((_, who), side) in each {
        for row in &side.recalled {
            let when = if row.events == 0 { "the start".to_owned() } else { format!("event {}", row.events) };
            line("known ", "1;31", &format!("{}{when}: {}", of(who), clean(&row.short)));
        }
    }
    lines
}

fn outcomes(moment: &Snapshot, watchers: &Watchers, look: Look, cols: usize) -> Vec<String> {
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
        let looks = |seen: &OutcomeSeen| {
            let like = match seen.like.is_empty() {
                true => String::new(),
                false => {
                    format!(", like {}", seen.like.iter().map(|l| clean(l)).collect::<Vec<_>>().join(", "))
                }
            };
            match &seen.image {
                Some(image) => format!("seen as {}{like}", clean(image)),
                None => format!("not seen{like}"),
            }
        };
        let seen: Vec<String> = match watchers.single() {
            true => outcome.seen.iter().map(looks).collect(),
            false => {
                let each = watchers.each().zip(&outcome.seen);
                each.map(|((_, who), seen)| format!("{who}: {}", looks(seen))).collect()
            }
        };
        let (number, label) = ((i + 1).to_string(), cut(&clean(&outcome.label), cols / 2));
        let room = cols.saturating_sub(number.len() + label.chars().count() + 7);
        let seen = cut(&seen.join("; "), room);
        lines.push(format!("  {}  {label} {}", look.strong(&number), look.faint(&format!("({seen})"))));
    }
    lines
}
