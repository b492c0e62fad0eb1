//! Reading `.fsm`.

use divulge::problem::Names;

use crate::{
    Fault, FaultKind, Faults, Format, Machine, Property, Step,
    text::{Word, count, lines, listed, words},
};

/// Reads an automaton.
///
/// # Errors
/// All that is wrong with it.
pub fn read(text: &str) -> Result<Machine, Vec<Fault>> {
    let mut reader = Reader::default();
    let mut lines = lines(text);
    let header = reader.header(lines.next(), text);
    let Some((states, initial)) = header else { return Err(reader.faults.into_list()) };
    reader.body(lines);
    reader.finish(states, initial)
}

#[derive(Default)]
struct Reader<'a> {
    faults: Faults,
    states: Names,
    declared: Vec<Word<'a>>,
    marked: Vec<bool>,
    events: Names,
    /// Whether each event is seen, as the first line says that tells.
    seen: Vec<Option<(bool, Word<'a>)>>,
    transitions: Vec<(u32, u32, Word<'a>)>,
    probabilities: bool,
    controllability: bool,
    /// How many names have blanks in them.
    blanks: usize,
}

/// A file whose names have blanks in them has many such: a few are told.
const MOST_BLANKS: usize = 3;

/// A number of the header, and where it stands.
type Count<'a> = (usize, Word<'a>);

impl<'a> Reader<'a> {
    fn syntax(&mut self, at: Word<'_>, message: impl Into<String>, help: &str) {
        self.faults.push(Fault::new(FaultKind::Syntax, message).at(at.place(), "").help(help));
    }

    fn header(&mut self, line: Option<Word<'a>>, text: &str) -> Option<(Count<'a>, Option<Count<'a>>)> {
        const HELP: &str =
            "the first line has the number of states, and perhaps the number of initial ones: `6` or `6 1`";
        let Some(line) = line else {
            let end = Word { text: "", start: text.len() };
            self.syntax(end, "the file is empty", HELP);
            return None;
        };
        let columns = words(line);
        let mut numbers = Vec::new();
        for &word in &columns {
            match word.text.parse::<u32>() {
                Ok(number) => numbers.push((number as usize, word)),
                Err(_) => {
                    self.syntax(word, format!("`{}` is not a number of states", word.text), HELP);
                    return None;
                }
            }
        }
        match numbers[..] {
            [(0, at)] | [(0, at), _] => {
                self.syntax(at, "an automaton has at least one state, and the header says 0", HELP);
                None
            }
            [states] => Some((states, None)),
            [_, (0, at)] => {
                self.syntax(at, "at least one state is initial, and the header says 0", HELP);
                None
            }
            [states, initial] if initial.0 <= states.0 => Some((states, Some(initial))),
            [states, initial] => {
                let message = format!("{} initial states of {} in all", initial.0, states.0);
                self.syntax(initial.1, message, HELP);
                None
            }
            _ => {
                self.syntax(line, "the first line has more than two numbers", HELP);
                None
            }
        }
    }

    fn body(&mut self, lines: impl Iterator<Item = Word<'a>>) {
        // How many transitions of the present state are still to come.
        let mut due: Option<(u32, usize, Word<'a>)> = None;
        for line in lines {
            if self.faults.is_full() {
                return;
            }
            match &mut due {
                Some((state, left, _)) if *left > 0 => {
                    *left -= 1;
                    let state = *state;
                    self.transition(state, line);
                }
                _ => match self.state(line) {
                    // Which of the next lines is a state's can no longer be told.
                    None => return,
                    state => due = state,
                },
            }
        }
        if let Some((state, left, at)) = due.filter(|&(_, left, _)| left > 0) {
            let message = format!(
                "the file ends, but `{}` has {} more",
                self.states.name(state),
                count(left, "transition")
            );
            self.syntax(
                at,
                message,
                "the file may be cut off; the last column of a state's line is the number of its transitions",
            );
        }
    }

    /// The columns of a line. Where tabs show that a name has blanks in it, that is a mistake, since other readers would take its parts for columns.
    fn columns(&mut self, line: Word<'a>) -> Vec<Word<'a>> {
        let columns = words(line);
        if !line.text.contains('\t') {
            return columns;
        }
        let base = line.text.as_ptr() as usize;
        let cells = line.text.split('\t').map(str::trim).filter(|cell| !cell.is_empty());
        let cells: Vec<Word<'a>> =
            cells.map(|text| Word { text, start: line.start + (text.as_ptr() as usize - base) }).collect();
        let Some(name) = cells.iter().take(2).find(|cell| cell.text.contains(char::is_whitespace)) else {
            return columns;
        };
        self.blanks += 1;
        if self.blanks > MOST_BLANKS {
            return cells;
        }
        self.syntax(
            *name,
            format!("the name `{}` has blanks in it, and blanks separate columns", name.text),
            "write something else in place of the blanks, such as `_`",
        );
        cells
    }

    fn state(&mut self, line: Word<'a>) -> Option<(u32, usize, Word<'a>)> {
        const HELP: &str = "a state's line has three columns: its name, whether it is marked (1 or 0), the number of its transitions; \
             tabs and blanks separate columns, so names cannot have blanks in them";
        let columns = self.columns(line);
        let [name, marked, number] = columns[..] else {
            self.syntax(
                line,
                format!("a state's line is due, which has 3 columns, not {}", columns.len()),
                HELP,
            );
            return None;
        };
        let marked = match marked.text {
            "0" => false,
            "1" => true,
            other => {
                self.syntax(
                    marked,
                    format!("`{other}` does not say whether the state `{}` is marked", name.text),
                    HELP,
                );
                return None;
            }
        };
        let Ok(transitions) = number.text.parse::<u32>() else {
            self.syntax(number, format!("`{}` is not a number of transitions", number.text), HELP);
            return None;
        };
        let (state, new) = self.states.intern(name.text);
        if !new {
            let fault = Fault::new(FaultKind::Name, format!("there are two states called `{}`", name.text));
            self.faults.push(fault.at(name.place(), "here again").help("rename one of them"));
            return Some((state, transitions as usize, number));
        }
        self.declared.push(name);
        self.marked.push(marked);
        Some((state, transitions as usize, number))
    }

    fn transition(&mut self, from: u32, line: Word<'a>) {
        const HELP: &str = "a transition's line has an event and the next state, then perhaps `c` or `uc`, `o` or `uo`, and a \
             probability; tabs and blanks separate columns, so names cannot have blanks in them";
        let columns = self.columns(line);
        let [event, next, ref rest @ ..] = columns[..] else {
            let state = self.states.name(from).to_owned();
            return self.syntax(
                line,
                format!("a transition of `{state}` is due, with an event and the next state"),
                HELP,
            );
        };
        let (mut control, mut seen, mut probability) = (None, None, None);
        for &word in rest {
            let twice = match word.text {
                // What has no chance would not be listed: it is a slip of the pen.
                zero if zero.parse() == Ok(0.0) => {
                    let message = format!("`{zero}` stands where `o`, `uo` or a probability above 0 is due");
                    return self.syntax(word, message, "write the letter `o` if the event is observable; leave the transition out if it cannot happen");
                }
                "c" | "uc" => control.replace(word).is_some(),
                "o" | "uo" => seen.replace(word).is_some(),
                other if other.parse::<f64>().is_ok_and(|p| p.is_finite()) => {
                    probability.replace(word).is_some()
                }
                _ => true,
            };
            if twice {
                let message = format!(
                    "`{}` cannot stand here, in a transition of `{}`",
                    word.text,
                    self.states.name(from)
                );
                return self.syntax(word, message, HELP);
            }
        }
        let (number, new) = self.events.intern(event.text);
        if new {
            self.seen.push(None);
        }
        self.probabilities |= probability.is_some();
        self.controllability |= control.is_some_and(|word| word.text == "uc");
        if let Some(word) = seen {
            self.observable(number, word.text == "o", word);
        }
        self.transitions.push((from, number, next));
    }

    fn observable(&mut self, event: u32, seen: bool, word: Word<'a>) {
        match self.seen[event as usize] {
            None => self.seen[event as usize] = Some((seen, word)),
            Some((was, _)) if was == seen => {}
            Some(_) => {
                let fault = Fault::new(
                    FaultKind::Value,
                    format!(
                        "`{}` is observable in one place and unobservable in another",
                        self.events.name(event)
                    ),
                );
                let label =
                    format!("{} here, otherwise earlier", if seen { "observable" } else { "unobservable" });
                self.faults.push(
                    fault.at(word.place(), label).help("an event is `o` everywhere or `uo` everywhere"),
                );
            }
        }
    }

    fn finish(mut self, states: Count<'_>, initial: Option<Count<'_>>) -> Result<Machine, Vec<Fault>> {
        let found = self.declared.len();
        if found != states.0 && self.faults.is_empty() {
            let message = format!("the header says {}, but there are {found}", count(states.0, "state"));
            let help = if found < states.0 { "the file may be cut off" } else { "correct the header" };
            self.syntax(states.1, message, help);
        }
        let mut steps = Vec::with_capacity(self.transitions.len());
        for (from, event, next) in std::mem::take(&mut self.transitions) {
            match self.states.get(next.text) {
                Some(to) => steps.push(Step { from, event, to, seen: 0 }),
                None if self.faults.is_full() => break,
                None => {
                    let fault =
                        Fault::new(FaultKind::Name, format!("there is no state called `{}`", next.text));
                    let near = divulge::did_you_mean(next.text, self.states.iter());
                    let help = near.unwrap_or_else(|| {
                        "every state has a line of its own, with its name first".to_owned()
                    });
                    self.faults.push(fault.at(next.place(), "the transition leads here").help(help));
                }
            }
        }
        let initial = initial.map(|(number, _)| number);
        let Self { faults, states, marked, events, seen, probabilities, controllability, .. } = self;
        faults.or(|| {
            let mut machine = Machine::new(Format::Fsm);
            machine.transitions = steps.len();
            machine.initial = (0..initial.unwrap_or(1) as u32).collect();
            machine.unseen = seen.iter().map(|seen| matches!(seen, Some((false, _)))).collect();
            machine.properties =
                vec![Property::names("state", &states), Property::flag("marked", marked.iter().copied())];
            machine.notes = notes(&states, initial, &marked, &events, &machine.unseen);
            if probabilities {
                machine.notes.push("probabilities are dropped: what can happen is kept".to_owned());
            }
            if controllability {
                machine.notes.push("which events are controllable is dropped".to_owned());
            }
            (machine.states, machine.events, machine.steps) = (states, events, steps);
            machine
        })
    }
}

fn notes(
    states: &Names,
    initial: Option<usize>,
    marked: &[bool],
    events: &Names,
    unseen: &[bool],
) -> Vec<String> {
    let start = listed(states.iter().take(initial.unwrap_or(1)));
    let mut notes = vec![match initial {
        Some(_) => format!("initial, as the header says (`--initial` says otherwise): {start}"),
        None => format!("{start} is initial, because it comes first; `--initial` says otherwise"),
    }];
    let mut hidden =
        events.iter().zip(unseen).filter(|(_, unseen)| **unseen).map(|(name, _)| name).peekable();
    notes.push(match hidden.peek() {
        None => "every event is seen".to_owned(),
        Some(_) => format!("not seen (`uo`): {}", listed(hidden)),
    });
    let flags = marked.iter().filter(|&&is| is).count();
    if flags > 0 && flags < marked.len() {
        notes.push(format!(
            "{flags} of {} {} the mark (`marked`); marking says nothing about secrets or goals here (VEiP marks what is not secret: --secret '!marked')",
            count(marked.len(), "state"),
            if flags == 1 { "has" } else { "have" }
        ));
    }
    notes
}
