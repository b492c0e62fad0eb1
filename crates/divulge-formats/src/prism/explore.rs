//! The reachable states, and how commands lead from one to another.

use divulge::{
    limit::{Monitor, Progress},
    problem::Names,
};
use rustc_hash::FxHashMap;

use super::{
    build::{Built, Command},
    store::Store,
};
use crate::{Failed, Fault, FaultKind, Place, Step};

/// More states than this are not listed.
pub(super) const MOST_STATES: usize = 20_000_000;

/// Starting states are tried out one by one: at most so many combinations of values.
const MOST_STARTS: u64 = 50_000_000;

/// A model may offer so many ways to take an action together, and so many outcomes of one.
const MOST_WAYS: usize = 100_000;

/// What a command without a name is called.
pub(super) const STEP: &str = "step";

/// All that was found.
pub(super) struct Explored {
    pub store: Store,
    pub initial: Vec<u32>,
    pub events: Names,
    pub steps: Vec<Step>,
    /// Whether some state offers several choices of one name.
    pub several: bool,
}

/// Explores a model.
pub(super) fn explore(built: &Built, monitor: &dyn Monitor) -> Result<Explored, Failed> {
    let mut explorer = Explorer {
        built,
        found: Explored {
            store: Store::new(&built.variables),
            initial: Vec::new(),
            events: Names::new(),
            steps: Vec::new(),
            several: false,
        },
        state: vec![0; built.variables.len()],
        next: vec![0; built.variables.len()],
        outcomes: FxHashMap::default(),
        numbers: Vec::new(),
        monitor,
    };
    explorer.start()?;
    let mut at = 0;
    while at < explorer.found.store.len() {
        if at % 1024 == 0 {
            explorer.poll(at)?;
        }
        explorer.found.store.state(at as u32, &mut explorer.state);
        explorer.expand(at as u32)?;
        at += 1;
    }
    Ok(explorer.found)
}

struct Explorer<'b> {
    built: &'b Built,
    found: Explored,
    /// The values of the variables at the state that is explored.
    state: Vec<i64>,
    next: Vec<i64>,
    /// How many choices of a name the state has offered so far.
    outcomes: FxHashMap<usize, usize>,
    /// The events of each action (the last one: of commands without a name), by how many of them there were before.
    numbers: Vec<Vec<u32>>,
    monitor: &'b dyn Monitor,
}

impl<'b> Explorer<'b> {
    fn poll(&self, states: usize) -> Result<(), Failed> {
        let progress = Progress {
            doing: "exploring the model",
            explored: states as u64,
            stored: self.found.store.len() as u64,
            arcs: self.found.steps.len() as u64,
            ..Progress::default()
        };
        Ok(self.monitor.poll(&progress)?)
    }

    fn trouble(&self, message: String, place: Option<Place>) -> Failed {
        let values: Vec<String> = self
            .built
            .variables
            .iter()
            .zip(&self.state)
            .take(20)
            .map(|(v, value)| shown(v.boolean, &v.name, *value))
            .collect();
        let fault =
            Fault::new(FaultKind::Value, message).help(format!("it happens where {}", values.join(", ")));
        match place {
            Some(place) => fault.at(place, "").into(),
            None => fault.into(),
        }
    }

    fn start(&mut self) -> Result<(), Failed> {
        let variables = &self.built.variables;
        let Some(init) = &self.built.init else {
            let state: Vec<i64> = variables.iter().map(|variable| variable.init).collect();
            let (number, _) = self.found.store.number(&state);
            self.found.initial.push(number);
            return Ok(());
        };
        let sizes = variables.iter().map(|v| v.high.abs_diff(v.low).saturating_add(1));
        if sizes.fold(1, u64::saturating_mul) > MOST_STARTS {
            let message =
                "`init … endinit` describes the starting states, and there are too many to try them all";
            return Err(Fault::new(FaultKind::TooLarge, message)
                .help("give each variable a value to start from: `x : [0..3] init 0;`")
                .into());
        }
        let mut state: Vec<i64> = variables.iter().map(|variable| variable.low).collect();
        let mut tried = 0;
        loop {
            tried += 1;
            if tried % 100_000 == 0 {
                self.poll(tried)?;
            }
            self.state.copy_from_slice(&state);
            if init.holds(&state).map_err(|e| self.trouble(e.to_owned(), None))? {
                let (number, _) = self.found.store.number(&state);
                self.found.initial.push(number);
            }
            let Some(digit) = (0..state.len()).rev().find(|&i| state[i] < variables[i].high) else { break };
            state[digit] += 1;
            for (value, variable) in state.iter_mut().zip(variables).skip(digit + 1) {
                *value = variable.low;
            }
        }
        if self.found.initial.is_empty() {
            let fault = Fault::new(
                FaultKind::Value,
                "no state is as `init … endinit` says, so there is nowhere to start",
            );
            return Err(fault.help("correct the condition").into());
        }
        Ok(())
    }

    fn enabled<'c>(&self, commands: &'c [Command]) -> Result<Vec<&'c Command>, Failed> {
        let mut found = Vec::new();
        for command in commands {
            if command
                .guard
                .holds(&self.state)
                .map_err(|e| self.trouble(e.to_owned(), Some(command.place)))?
            {
                found.push(command);
            }
        }
        Ok(found)
    }

    fn expand(&mut self, from: u32) -> Result<(), Failed> {
        self.outcomes.clear();
        let built: &'b Built = self.built;
        for command in self.enabled(&built.alone)? {
            self.choice(from, built.shared.len(), &[command])?;
        }
        'actions: for (number, (_, modules)) in built.shared.iter().enumerate() {
            let mut ways: Vec<Vec<&Command>> = vec![Vec::new()];
            for commands in modules {
                let enabled = self.enabled(commands)?;
                if enabled.is_empty() {
                    continue 'actions;
                }
                ways = ways
                    .iter()
                    .flat_map(|way| enabled.iter().map(move |&command| [&way[..], &[command]].concat()))
                    .collect();
                if ways.len() > MOST_WAYS {
                    let message = format!("there are more than {MOST_WAYS} ways to take an action together");
                    return Err(self.trouble(message, enabled.first().map(|command| command.place)));
                }
            }
            for way in &ways {
                self.choice(from, number, way)?;
            }
        }
        Ok(())
    }

    /// One choice: commands that are taken together.
    fn choice(&mut self, from: u32, action: usize, commands: &[&Command]) -> Result<(), Failed> {
        let event = self.event(action);
        let mut chosen = vec![0; commands.len()];
        let mut possible: Vec<Vec<usize>> = Vec::with_capacity(commands.len());
        let mut product: usize = 1;
        for command in commands {
            let outcomes = self.possible(command)?;
            product = product.saturating_mul(outcomes.len());
            possible.push(outcomes);
        }
        if product > MOST_WAYS {
            let message = format!("an action has more than {MOST_WAYS} outcomes");
            return Err(self.trouble(message, Some(commands[0].place)));
        }
        let first = self.found.steps.len();
        loop {
            let outcome = |i: usize| &commands[i].outcomes[possible[i][chosen[i]]];
            self.next.copy_from_slice(&self.state);
            for (i, command) in commands.iter().enumerate() {
                for (variable, code) in &outcome(i).assigns {
                    let clash = (0..i).any(|j| outcome(j).assigns.iter().any(|(other, _)| other == variable));
                    let variable = *variable as usize;
                    let about = &self.built.variables[variable];
                    if clash {
                        let message = format!("two modules assign to `{}` in one action", about.name);
                        return Err(self.trouble(message, Some(command.place)));
                    }
                    let value = code
                        .value(&self.state)
                        .map_err(|e| self.trouble(e.to_owned(), Some(command.place)))?;
                    let value = value.int().unwrap_or(i64::MAX);
                    if !(about.low..=about.high).contains(&value) {
                        let message = format!(
                            "`{}` becomes {value}, outside its range [{}..{}]",
                            about.name, about.low, about.high
                        );
                        return Err(self.trouble(message, Some(command.place)));
                    }
                    self.next[variable] = value;
                }
            }
            let (to, new) = self.found.store.number(&self.next);
            if new && self.found.store.len() > MOST_STATES {
                let message = format!("the model has more than {MOST_STATES} states");
                return Err(Fault::new(FaultKind::TooLarge, message).help("take smaller constants").into());
            }
            if !self.found.steps[first..].iter().any(|step| step.to == to) {
                self.found.steps.push(Step { from, event, to, seen: 0 });
            }
            let Some(digit) = (0..chosen.len()).rev().find(|&i| chosen[i] + 1 < possible[i].len()) else {
                break;
            };
            chosen[digit] += 1;
            chosen[digit + 1..].fill(0);
        }
        Ok(())
    }

    /// The outcomes of a command that have a chance.
    fn possible(&self, command: &Command) -> Result<Vec<usize>, Failed> {
        if let [only] = &command.outcomes[..]
            && only.probability.is_none()
        {
            return Ok(vec![0]);
        }
        let mut found = Vec::new();
        let mut sum = 0.0;
        for (i, outcome) in command.outcomes.iter().enumerate() {
            let chance = match &outcome.probability {
                None => 1.0,
                Some(code) => code
                    .value(&self.state)
                    .map_err(|e| self.trouble(e.to_owned(), Some(command.place)))?
                    .double(),
            };
            if !(0.0..=1.0 + 1e-9).contains(&chance) {
                return Err(self.trouble(format!("{chance} is no probability"), Some(command.place)));
            }
            sum += chance;
            if chance > 0.0 {
                found.push(i);
            }
        }
        if (sum - 1.0f64).abs() > 1e-5 {
            return Err(
                self.trouble(format!("the probabilities add up to {sum}, not to 1"), Some(command.place))
            );
        }
        Ok(found)
    }

    /// The event of a choice: the second choice of one name at a state is another event, since it is for the robot to choose.
    fn event(&mut self, action: usize) -> u32 {
        let before = self.outcomes.entry(action).or_insert(0);
        let rank = *before;
        *before += 1;
        if self.numbers.is_empty() {
            self.numbers = vec![Vec::new(); self.built.shared.len() + 1];
        }
        if let Some(&event) = self.numbers[action].get(rank) {
            return event;
        }
        let mut name = self.built.shared.get(action).map_or(STEP.to_owned(), |(name, _)| name.clone());
        if rank > 0 {
            self.found.several = true;
            name = format!("{name}#{}", rank + 1);
        }
        while !self.found.events.intern(&name).1 {
            name.push('\'');
        }
        let event = self.found.events.len() as u32 - 1;
        self.numbers[action].push(event);
        event
    }
}

/// A value with its name: `x=3`, `wet`, `!wet`.
pub(super) fn shown(boolean: bool, name: &str, value: i64) -> String {
    match (boolean, value) {
        (false, value) => format!("{name}={value}"),
        (true, 0) => format!("!{name}"),
        (true, _) => name.to_owned(),
    }
}
