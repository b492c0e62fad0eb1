//! Reading `.gen`.

use divulge::problem::Names;

use super::token::{Token, tokens};
use crate::{
    Fault, FaultKind, Faults, Format, Machine, Property, Step,
    text::{Word, listed, place},
};

/// A range of states may have so many.
const MOST_STATES: u64 = 50_000_000;

/// Reads a generator.
///
/// # Errors
/// All that is wrong with it.
pub fn read(text: &str) -> Result<Machine, Vec<Fault>> {
    let mut faults = Faults::new();
    let tokens = tokens(text, &mut faults);
    let mut reader = Reader { faults, tokens, at: 0, ..Reader::default() };
    reader.generator(text.len());
    reader.finish(text.len())
}

#[derive(Default)]
struct Reader<'a> {
    faults: Faults,
    tokens: Vec<Token<'a>>,
    at: usize,
    name: Option<&'a str>,
    states: Names,
    events: Names,
    unseen: Vec<bool>,
    steps: Vec<Step>,
    initial: Vec<u32>,
    marked: Vec<u32>,
    /// Attributes of events that mean something to other plug-ins.
    foreign: Names,
    skipped: Names,
    met: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.tokens.get(self.at).copied();
        self.at += 1;
        token
    }

    fn generator(&mut self, end: usize) {
        const HELP: &str =
            "a generator is `<Generator> NAME <Alphabet> … </Alphabet> <States> … </Generator>`";
        let outer = match self.next() {
            Some(Token::Open(word)) => word,
            other => {
                let at = other.map_or(place(end, end), |token| word(token).place());
                self.faults.push(
                    Fault::new(FaultKind::Syntax, "a generator starts with `<Generator>`")
                        .at(at, "")
                        .help(HELP),
                );
                return;
            }
        };
        while let Some(token) = self.next() {
            if self.faults.is_full() {
                return;
            }
            match token {
                Token::Open(section) => self.section(section),
                Token::Close(tag) if tag.text == outer.text => return,
                Token::Name(title) if self.name.is_none() => self.name = Some(title.text),
                other => {
                    let at = word(other);
                    let message = format!("`{}` does not belong between sections", at.text);
                    self.faults.push(Fault::new(FaultKind::Syntax, message).at(at.place(), "").help(HELP));
                }
            }
        }
        let message = format!("`</{}>` is missing", outer.text);
        let fault = Fault::new(FaultKind::Syntax, message).at(place(end, end), "the file ends here");
        self.faults.push(fault.help("the file may be cut off"));
    }

    fn section(&mut self, tag: Word<'a>) {
        self.met.push(tag.text);
        match tag.text {
            "Alphabet" => self.alphabet(tag),
            "States" => self.each_state(tag, |reader, state, at| {
                if !reader.states.intern(state).1 {
                    let message = format!("the state `{state}` is listed twice");
                    reader.faults.push(Fault::new(FaultKind::Name, message).at(at.place(), "here again"));
                }
            }),
            "InitStates" => self.each_state(tag, |reader, state, at| {
                if let Some(state) = reader.state(state, at) {
                    reader.initial.push(state);
                }
            }),
            "MarkedStates" => self.each_state(tag, |reader, state, at| {
                if let Some(state) = reader.state(state, at) {
                    reader.marked.push(state);
                }
            }),
            "TransRel" => self.transitions(tag),
            _ => {
                self.skipped.intern(tag.text);
                while let Some(token) = self.next() {
                    if matches!(token, Token::Close(end) if end.text == tag.text) {
                        return;
                    }
                }
                self.open(tag);
            }
        }
    }

    /// The section was not closed.
    fn open(&mut self, tag: Word<'_>) {
        let message = format!("the section `<{}>` does not end", tag.text);
        let help = format!("add `</{}>`; the file may be cut off", tag.text);
        self.faults.push(Fault::new(FaultKind::Syntax, message).at(tag.place(), "it starts here").help(help));
    }

    /// The next name of a section with its attributes; `None` at its end.
    fn entry(&mut self, tag: Word<'_>) -> Option<Word<'a>> {
        loop {
            match self.next() {
                Some(Token::Name(name)) => return Some(name),
                Some(Token::Flags(_)) => {}
                Some(Token::Close(end)) if end.text == tag.text => return None,
                Some(other) => {
                    let at = word(other);
                    let message = format!("`{}` cannot stand in the section `<{}>`", at.text, tag.text);
                    let help = format!("`</{}>` ends the section", tag.text);
                    self.faults.push(Fault::new(FaultKind::Syntax, message).at(at.place(), "").help(help));
                    return None;
                }
                None => {
                    self.open(tag);
                    return None;
                }
            }
        }
    }

    fn alphabet(&mut self, tag: Word<'_>) {
        while let Some(name) = self.entry(tag) {
            let (event, new) = self.events.intern(name.text);
            if !new {
                let message = format!("the event `{}` is listed twice", name.text);
                self.faults.push(Fault::new(FaultKind::Name, message).at(name.place(), "here again"));
                continue;
            }
            self.unseen.push(false);
            if let Some(&Token::Flags(flags)) = self.tokens.get(self.at) {
                self.at += 1;
                // Only the attributes of the main library are known: other plug-ins use the same letters for other things.
                if flags.text.chars().all(|c| matches!(c, 'C' | 'c' | 'O' | 'o' | 'F' | 'f' | 'A' | 'a')) {
                    self.unseen[event as usize] = flags.text.contains('o');
                } else {
                    self.foreign.intern(flags.text);
                }
            }
        }
    }

    fn each_state(&mut self, tag: Word<'_>, mut act: impl FnMut(&mut Self, &str, Word<'_>)) {
        loop {
            if let Some(&Token::Open(range)) = self.tokens.get(self.at)
                && range.text == "Consecutive"
            {
                self.at += 1;
                self.range(range, &mut act);
                continue;
            }
            let Some(name) = self.entry(tag) else { return };
            act(self, name.text, name);
        }
    }

    /// `<Consecutive> FIRST LAST </Consecutive>`, perhaps several pairs.
    fn range(&mut self, tag: Word<'_>, act: &mut impl FnMut(&mut Self, &str, Word<'_>)) {
        while let Some(first) = self.entry(tag) {
            let Some(last) = self.entry(tag) else {
                let fault = Fault::new(FaultKind::Syntax, "a range of states has a first and a last one");
                return self.faults.push(fault.at(first.place(), "the first one"));
            };
            let ends = first.text.parse::<u64>().ok().zip(last.text.parse::<u64>().ok());
            match ends {
                Some((from, to)) if from <= to && to - from < MOST_STATES => {
                    (from..=to).for_each(|state| act(self, &state.to_string(), first));
                }
                _ => {
                    let message = format!("`{}` to `{}` is no range of states", first.text, last.text);
                    let fault = Fault::new(FaultKind::Value, message).at(first.place(), "");
                    self.faults.push(fault.help("a range goes from a number to one that is not smaller"));
                }
            }
        }
    }

    fn state(&mut self, name: &str, at: Word<'_>) -> Option<u32> {
        let found = self.states.get(name);
        if found.is_none() && !self.faults.is_full() {
            let fault = Fault::new(FaultKind::Name, format!("there is no state called `{name}`"));
            let near = divulge::did_you_mean(name, self.states.iter());
            let help = near.unwrap_or_else(|| "`<States>` lists the states, before they are used".to_owned());
            self.faults.push(fault.at(at.place(), "").help(help));
        }
        found
    }

    fn transitions(&mut self, tag: Word<'_>) {
        while let Some(from) = self.entry(tag) {
            let rest = self.entry(tag).and_then(|event| Some((event, self.entry(tag)?)));
            let Some((event, to)) = rest else {
                let fault = Fault::new(FaultKind::Syntax, "a transition is a state, an event and a state");
                return self
                    .faults
                    .push(fault.at(from.place(), "it starts here").help("one of them is missing"));
            };
            if self.faults.is_full() {
                return;
            }
            let number = self.events.get(event.text);
            if number.is_none() {
                let fault = Fault::new(FaultKind::Name, format!("there is no event called `{}`", event.text));
                let near = divulge::did_you_mean(event.text, self.events.iter());
                let help =
                    near.unwrap_or_else(|| "`<Alphabet>` lists the events, before they are used".to_owned());
                self.faults.push(fault.at(event.place(), "").help(help));
            }
            let ends = [self.state(from.text, from), self.state(to.text, to)];
            if let ([Some(from), Some(to)], Some(event)) = (ends, number) {
                self.steps.push(Step { from, event, to, seen: 0 });
            }
        }
    }

    fn finish(mut self, end: usize) -> Result<Machine, Vec<Fault>> {
        for (section, empty) in [("States", self.states.is_empty()), ("InitStates", self.initial.is_empty())]
        {
            if empty && self.faults.is_empty() {
                let message = match self.met.contains(&section) {
                    true => format!("`<{section}>` lists no state"),
                    false => format!("the section `<{section}>` is missing"),
                };
                let fault = Fault::new(FaultKind::Syntax, message).at(place(end, end), "");
                self.faults.push(fault.help("a generator has states, and at least one of them is initial"));
            }
        }
        let Self { faults, name, states, events, unseen, steps, initial, marked, foreign, skipped, .. } =
            self;
        faults.or(|| {
            let mut machine = Machine::new(Format::Faudes);
            machine.name = name.filter(|name| *name != "Generator").map(str::to_owned);
            let mut is_marked = vec![false; states.len()];
            marked.iter().for_each(|&state| is_marked[state as usize] = true);
            machine.properties =
                vec![Property::names("state", &states), Property::flag("marked", is_marked.iter().copied())];
            let hidden: Vec<&str> =
                events.iter().zip(&unseen).filter(|(_, unseen)| **unseen).map(|(name, _)| name).collect();
            machine.notes.push(match hidden.is_empty() {
                true => "every event is seen: none is `+o+`".to_owned(),
                false => format!("not seen (`+o+`): {}", listed(hidden)),
            });
            if !foreign.is_empty() {
                let flags = listed(foreign.iter());
                machine.notes.push(format!("attributes of events that another plug-in gives are dropped: {flags}"));
            }
            if !skipped.is_empty() {
                machine.notes.push(format!("sections that are not read: {}", listed(skipped.iter())));
            }
            let all = is_marked.iter().filter(|&&is| is).count();
            if all > 0 && all < is_marked.len() {
                machine.notes.push(format!(
                    "{all} of {} states {} the mark (`marked`); marking says nothing about secrets or goals here (--goal marked, --secret '!marked')",
                    is_marked.len(),
                    if all == 1 { "has" } else { "have" }
                ));
            }
            machine.transitions = steps.len();
            (machine.states, machine.initial, machine.events) = (states, initial, events);
            (machine.unseen, machine.steps) = (unseen, steps);
            machine
        })
    }
}

fn word(token: Token<'_>) -> Word<'_> {
    match token {
        Token::Open(word) | Token::Close(word) | Token::Name(word) | Token::Flags(word) => word,
    }
}
