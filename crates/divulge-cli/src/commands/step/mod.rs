//! `divulge step`: a walk through a plan in a terminal, or by commands from a pipe.

mod board;
mod command;
mod frame;
mod screen;
mod twins;
mod whatif;

use std::io::{self, BufRead, IsTerminal, Read, Write};

use divulge::did_you_mean;
use divulge::{
    Monitor,
    ask::Account,
    explain::Program,
    limit::Limit,
    problem::{Label, Problem},
    setting::unfold,
    verdict::QuestionError,
};
use divulge_explore::{Situation, Snapshot, Verdict, What, snapshot, verdict};
use divulge_picture::scene::GridScene;
use divulge_render::words;

use super::{attend, present::completed, watched};
use crate::{
    arguments::{Signs, Step},
    input::Input,
    limits::{Turn, Watch},
    output::Terminal,
    status::{Failure, Status},
};
use command::{Command, HELP, parse};
use frame::{Look, clean, frame};
use screen::{Screen, wrap};
use twins::comparison;

/// Reads the problem, then commands, until there are no more.
pub fn run(asked: &Step, terminal: &Terminal) -> Result<Status, Failure> {
    if asked.source.file == "-" {
        return Err(Failure::new(
            "the commands come from standard input, so the problem cannot",
            "give the name of a file",
        ));
    }
    watched(&asked.limits, false, terminal, |watch| {
        attend(&asked.source.file, watch);
        let (problem, note) = completed(Input::read(&asked.source, terminal, watch)?, watch)?;
        let look = Look { colour: terminal.colours_answer(), unicode: unicode(asked.signs) };
        let mut walk = Walk::new(problem, look, watch)?;
        let begun = note.map_or(String::new(), |(headline, text)| format!("{headline}\n{text}\n\n"));
        let text = walk.open(&begun, &asked.events, watch)?;
        watch.look()?;
        // A person may take as long as they like; each command has the limits that solving the problem had.
        watch.answered();
        watch.leave_on_interrupt();
        converse(&mut walk, &text, io::stdin().is_terminal(), watch)
            .map_err(|e| Failure::Message(format!("the walk cannot go on: {e}"), None))?;
        Ok(Status::Yes)
    })
}

/// Whether this terminal shows more than ASCII, as far as the environment tells.
fn unicode(signs: Signs) -> bool {
    match signs {
        Signs::Unicode => true,
        Signs::Ascii => false,
        Signs::Auto => {
            let set = ["LC_ALL", "LC_CTYPE", "LANG"]
                .iter()
                .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
            set.is_some_and(|value| value.to_ascii_lowercase().replace('-', "").contains("utf8"))
        }
    }
}

/// Prints, reads a line, does what it says. A reader that has left ends the walk.
fn converse(walk: &mut Walk, begin: &str, typed: bool, watch: &Watch) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut say = |text: &str| match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        done => done.map(|()| true),
    };
    if !say(begin)? {
        return Ok(());
    }
    let mut lines = io::stdin().lock();
    loop {
        if !say("\n> ")? {
            return Ok(());
        }
        let Some(line) = line(&mut lines)? else {
            say("\n")?;
            return Ok(());
        };
        // What a pipe says is not seen otherwise.
        if !typed && !say(&format!("{line}\n"))? {
            return Ok(());
        }
        let answer = match parse(&line) {
            Ok(Command::Quit) => return Ok(()),
            Ok(command) => walk.answer(&command, &Turn::new(watch)).map(|text| walk.page(&text)),
            Err(mistake) => Err(mistake),
        };
        let wrong = |mistake: String| format!("{}; ? lists the commands\n", clean(&mistake));
        if !say(&answer.unwrap_or_else(wrong))? {
            return Ok(());
        }
    }
}

/// The next line; nothing after the last. What is too long for any command is cut short.
fn line(lines: &mut impl BufRead) -> io::Result<Option<String>> {
    const LONGEST: u64 = 1 << 16;
    let mut bytes = Vec::new();
    if lines.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
        lines.skip_until(b'\n')?;
    }
    Ok(Some(clean(String::from_utf8_lossy(&bytes).trim())))
}

/// What is said where something could not be shown.
fn untold(e: QuestionError) -> String {
    match e {
        QuestionError::Limit(limit) => stopped(limit),
        e => e.to_string(),
    }
}

fn stopped(limit: Limit) -> String {
    match limit {
        Limit::Time => "this takes too long",
        Limit::Memory => "this takes more memory than the limit allows",
        Limit::Interrupt => "this was interrupted",
    }
    .to_owned()
}

/// Where somebody is on a walk.
struct Walk {
    given: Problem,
    what: What,
    situation: Situation,
    verdict: Verdict,
    grid: Option<GridScene>,
    /// The events, of which the first `at` have happened; the others can be gone through again.
    trail: Vec<Label>,
    at: usize,
    look: Look,
    screen: Screen,
    /// The lines of an answer that did not fit.
    rest: Vec<String>,
}

/// What the prompt and the line that is typed take.
const PROMPT: usize = 2;

impl Walk {
    fn new(given: Problem, look: Look, monitor: &dyn Monitor) -> Result<Self, Failure> {
        // What the way was like is shown as if it were a property. What does not fit the world is said when something is asked.
        let given = match unfold(&given, monitor) {
            Ok(unfolded) => unfolded.unwrap_or(given),
            Err(QuestionError::Limit(limit)) => return Err(Failure::Limit(limit)),
            Err(_) => given,
        };
        let what = What::default();
        let situation = Situation::new(&given, &what, monitor).map_err(|e| Failure::Message(e, None))?;
        let verdict = verdict(&situation, monitor);
        let grid = GridScene::new(&given, monitor)?;
        let screen = Screen::found();
        let (trail, rest) = (Vec::new(), Vec::new());
        Ok(Self { given, what, situation, verdict, grid, trail, at: 0, look, screen, rest })
    }

    /// What is said first: `begun`, what this is, whether it holds, and the first moment, or the one after `events`.
    fn open(&mut self, begun: &str, events: &[String], watch: &Watch) -> Result<String, Failure> {
        let title = self.given.name.as_deref().unwrap_or("a walk");
        let mut out = String::new();
        for line in begun.lines() {
            out += &(wrap(&clean(line), self.screen.cols, 2).join("\n") + "\n");
        }
        out += &(self.look.strong(&clean(title)) + "\n" + &self.told());
        for name in events {
            self.take(name, watch).map_err(|mistake| match watch.look() {
                Ok(()) => Failure::new(mistake, "--events lists what happens, in order"),
                Err(limit) => Failure::Limit(limit),
            })?;
        }
        let signs = board::Signs::new(self.look.unicode);
        let key = match self.grid {
            Some(_) => format!(
                "{} the robot, {} possible for {}, {} a goal; ",
                signs.robot,
                signs.possible,
                if self.given.others.is_empty() { "the observer" } else { "an observer" },
                signs.goal
            ),
            None => String::new(),
        };
        let key = self.look.faint(&format!("\n{key}? lists the commands\n"));
        // The moment comes whole; of what stands before it, as much as fits.
        let frame = self
            .frame(self.screen.rows / 3, watch)
            .map_err(|e| watch.look().err().map_or(Failure::Message(e, None), Failure::Limit))?;
        let room = self.screen.rows.saturating_sub(frame.lines().count() + 2);
        let (before, rest) = self.split(&out, room);
        self.rest = rest;
        Ok(before + &frame + &key)
    }

    /// As much of an answer as fits; the rest can be asked for.
    fn page(&mut self, text: &str) -> String {
        let (shown, rest) = self.split(text, self.screen.rows);
        if !rest.is_empty() {
            self.rest = rest;
        }
        shown
    }

    /// As much of a text as fits into so many rows, and the lines that do not.
    fn split(&self, text: &str, rows: usize) -> (String, Vec<String>) {
        // What was painted has been made to fit already.
        let fitted = |line: &str| match line.contains('\x1b') || line.chars().count() <= self.screen.cols {
            true => vec![line.to_owned()],
            false => wrap(line, self.screen.cols, 4),
        };
        let mut lines: Vec<String> = text.lines().flat_map(fitted).collect();
        let room = rows.saturating_sub(PROMPT).max(2);
        let mut rest = Vec::new();
        if lines.len() > room {
            rest = lines.split_off(room - 1);
            lines.push(self.look.faint(&format!("… {} more lines; + shows them", rest.len())));
        }
        (lines.join("\n") + "\n", rest)
    }

    /// The verdict.
    fn told(&self) -> String {
        let verdict = format!("{}. {}", clean(&self.verdict.short), clean(&self.verdict.words));
        let mut lines = wrap(&verdict, self.screen.cols, 0);
        if let Some(note) = &self.situation.note {
            lines.extend(wrap(&clean(note), self.screen.cols, 0));
        }
        if !self.verdict.execution.is_empty() {
            let why = if self.verdict.twins.is_empty() { "" } else { "; t shows the runs that tell why" };
            lines.push(format!("v goes there{why}"));
        }
        lines.join("\n") + "\n"
    }

    fn moment(&self, monitor: &dyn Monitor) -> Result<Snapshot, String> {
        snapshot(&self.situation, &self.trail[..self.at], monitor).map_err(untold)
    }

    /// The moment, on a screen of which some lines are taken.
    fn frame(&self, taken: usize, monitor: &dyn Monitor) -> Result<String, String> {
        Ok(self.framed(&self.moment(monitor)?, self.screen.rows.saturating_sub(PROMPT + taken)))
    }

    fn framed(&self, moment: &Snapshot, rows: usize) -> String {
        let screen = Screen { rows, ..self.screen };
        frame(&self.situation.problem, self.grid.as_ref(), moment, self.look, screen).join("\n") + "\n"
    }

    /// Does what a command says, within its limits. Where a limit is hit, everything stays as it was.
    fn answer(&mut self, command: &Command, monitor: &dyn Monitor) -> Result<String, String> {
        let before = (self.trail.clone(), self.at);
        let answer = self.obey(command, monitor);
        if answer.is_err() {
            (self.trail, self.at) = before;
        }
        answer
    }

    fn obey(&mut self, command: &Command, monitor: &dyn Monitor) -> Result<String, String> {
        let rest = std::mem::take(&mut self.rest);
        match command {
            Command::Next => {
                let moment = self.moment(monitor)?;
                match &moment.outcomes[..] {
                    [one] => {
                        let label = one.label.clone();
                        self.take(&label, monitor)?;
                    }
                    [] => return Err("nothing more can happen here".to_owned()),
                    all => {
                        return Err(format!(
                            "there are {} outcomes: type the number or the label of one",
                            all.len()
                        ));
                    }
                }
            }
            Command::Take(which) => self.take(which, monitor)?,
            Command::Go => self.go(monitor)?,
            Command::Back(n) => self.at = self.at.saturating_sub(*n),
            Command::Forward if self.at == self.trail.len() => {
                return Err("this is the last event: there is no further one to go forward to".to_owned());
            }
            Command::Forward => self.at += 1,
            Command::Jump(n) if *n > self.trail.len() => {
                return Err(format!("only {} events have happened", self.trail.len()));
            }
            Command::Jump(n) => self.at = *n,
            Command::Violation => self.visit_violation()?,
            Command::Twins => return self.twins(),
            Command::Map => {
                return Ok(self.maps());
            }
            Command::Plan => return self.plan(monitor),
            Command::WhatIf(change) => return self.change(change, monitor),
            Command::Show => {}
            Command::All => return Ok(self.framed(&self.moment(monitor)?, usize::MAX / 2)),
            Command::More if rest.is_empty() => return Err("there is nothing more to show".to_owned()),
            Command::More => return Ok(rest.join("\n")),
            Command::Help => {
                let lines = HELP.lines().flat_map(|line| wrap(line, self.screen.cols, 22));
                return Ok(lines.collect::<Vec<_>>().join("\n"));
            }
            Command::Quit => return Ok(String::new()),
        }
        self.frame(0, monitor)
    }

    fn style(&self) -> words::Style {
        if self.look.colour { words::Style::coloured() } else { words::Style::plain() }
    }

    /// Takes the outcome of this number or label.
    fn take(&mut self, which: &str, monitor: &dyn Monitor) -> Result<(), String> {
        let moment = self.moment(monitor)?;
        let number = which.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let found = moment.outcomes.iter().find(|o| o.label == which);
        let Some(outcome) = found.or(number.and_then(|n| moment.outcomes.get(n))) else {
            let names = moment.outcomes.iter().map(|o| o.label.as_str());
            let hint = did_you_mean(which, names).map_or(String::new(), |hint| format!(" ({hint})"));
            return Err(format!("`{which}` cannot happen here{hint}"));
        };
        let label = self.situation.problem.alphabet.get(&outcome.label).ok_or("there is no such event")?;
        if self.trail.get(self.at) != Some(&label) {
            self.trail.truncate(self.at);
            self.trail.push(label);
        }
        self.at += 1;
        Ok(())
    }

    /// Goes on as long as there is one way.
    fn go(&mut self, monitor: &dyn Monitor) -> Result<(), String> {
        const FAR: usize = 1000;
        for n in 0..FAR {
            let moment = self.moment(monitor)?;
            match &moment.outcomes[..] {
                [one] if !moment.stops || n == 0 => {
                    let label = one.label.clone();
                    self.take(&label, monitor)?;
                }
                [] if n == 0 => return Err("nothing more can happen here".to_owned()),
                _ if n == 0 => return Err("there is a choice here".to_owned()),
                _ => break,
            }
        }
        Ok(())
    }

    fn visit_violation(&mut self) -> Result<(), String> {
        if self.verdict.verdict != "violated" {
            return Err(format!("no stipulation is broken: {}", self.verdict.short));
        }
        let alphabet = &self.situation.problem.alphabet;
        self.trail = self.verdict.execution.iter().filter_map(|name| alphabet.get(name)).collect();
        self.at = self.trail.len();
        Ok(())
    }

    fn twins(&self) -> Result<String, String> {
        if self.verdict.twins.is_empty() {
            return Err("there are no runs to compare".to_owned());
        }
        let problem = &self.situation.problem;
        let each = self.verdict.twins.iter();
        let lines = each.flat_map(|told| comparison(problem, told, self.look, self.screen.cols));
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    fn plan(&self, monitor: &dyn Monitor) -> Result<String, String> {
        let problem = &self.situation.problem;
        let plan = problem.plan.as_ref().ok_or("there is no plan")?;
        let program = Program::of(plan, monitor).map_err(stopped)?;
        let account = Account { program, endings: None, each: Vec::new() };
        Ok(words::plan(problem, plan, None, Some(&account), self.style()))
    }
}

#[cfg(test)]
mod tests;
