//! The reachable states, and how commands lead from one to another.

use divulge::{
    limit::{Monitor, Progress},
    problem::Names,
};

use super::{
    build::{Built, Command},
    code::Code,
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
        offered: vec![0; built.shared.len() + 1],
        numbers: vec![Vec::new(); built.shared.len() + 1],
        met: Vec::new(),
        choices: 0,
        some: Vec::new(),
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
    /// How many choices of each action (the last one: of commands without a name) the state has offered so far.
    offered: Vec<u32>,
    /// The events of each action, by how many of them there were before.
    numbers: Vec<Vec<u32>>,
    /// For each state the last choice that may lead there, counted from 1: what two outcomes lead to is one transition.
    met: Vec<u32>,
    choices: u32,
    /// Room for the outcomes of a command.
    some: Vec<usize>,
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
            self.met.push(0);
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
                self.met.push(0);
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

    fn enabled(&self, command: &Command) -> Result<bool, Failed> {
        command.guard.holds(&self.state).map_err(|e| self.trouble(e.to_owned(), Some(command.place)))
    }

    fn expand(&mut self, from: u32) -> Result<(), Failed> {
        self.offered.fill(0);
        let built: &'b Built = self.built;
        for command in &built.alone {
            if self.enabled(command)? {
                self.choice(from, built.shared.len(), &[command])?;
            }
        }
        for (number, (_, modules)) in built.shared.iter().enumerate() {
            match &modules[..] {
                [only] => {
                    for command in only {
                        if self.enabled(command)? {
                            self.choice(from, number, &[command])?;
                        }
                    }
                }
                several => self.together(from, number, several)?,
            }
        }
        Ok(())
    }

    /// An action that several modules take together: each of them with one of its commands.
    fn together(&mut self, from: u32, number: usize, modules: &'b [Vec<Command>]) -> Result<(), Failed> {
        let mut enabled: Vec<Vec<&Command>> = Vec::with_capacity(modules.len());
        let mut ways: usize = 1;
        for commands in modules {
            let mut own = Vec::new();
            for command in commands {
                if self.enabled(command)? {
                    own.push(command);
                }
            }
            let Some(first) = own.first() else { return Ok(()) };
            ways = ways.saturating_mul(own.len());
            if ways > MOST_WAYS {
                let message = format!("there are more than {MOST_WAYS} ways to take an action together");
                return Err(self.trouble(message, Some(first.place)));
            }
            enabled.push(own);
        }
        let sizes: Vec<usize> = enabled.iter().map(Vec::len).collect();
        let mut chosen = vec![0; modules.len()];
        let mut way: Vec<&Command> = enabled.iter().map(|own| own[0]).collect();
        loop {
            self.choice(from, number, &way)?;
            if !advance(&mut chosen, &sizes) {
                return Ok(());
            }
            for ((command, own), &i) in way.iter_mut().zip(&enabled).zip(&chosen) {
                *command = own[i];
            }
        }
    }

    /// One choice: commands that are taken together.
    fn choice(&mut self, from: u32, action: usize, commands: &[&Command]) -> Result<(), Failed> {
        let event = self.event(action);
        self.choices += 1;
        if let [command] = commands {
            return self.alone(from, event, command);
        }
        let mut possible: Vec<Vec<usize>> = Vec::with_capacity(commands.len());
        let mut product: usize = 1;
        for command in commands {
            let mut own = Vec::new();
            self.possible(command, &mut own)?;
            product = product.saturating_mul(own.len());
            possible.push(own);
        }
        if product > MOST_WAYS {
            let message = format!("an action has more than {MOST_WAYS} outcomes");
            return Err(self.trouble(message, Some(commands[0].place)));
        }
        let sizes: Vec<usize> = possible.iter().map(Vec::len).collect();
        let mut chosen = vec![0; commands.len()];
        loop {
            let outcome = |i: usize| &commands[i].outcomes[possible[i][chosen[i]]];
            self.next.copy_from_slice(&self.state);
            for (i, command) in commands.iter().enumerate() {
                let assigns = &outcome(i).assigns;
                let clash = |(variable, _): &&(u32, Code)| {
                    (0..i).any(|j| outcome(j).assigns.iter().any(|(other, _)| other == variable))
                };
                if let Some((variable, _)) = assigns.iter().find(clash) {
                    let name = &self.built.variables[*variable as usize].name;
                    let message = format!("two modules assign to `{name}` in one action");
                    return Err(self.trouble(message, Some(command.place)));
                }
                self.assign(assigns, command.place)?;
            }
            self.arrive(from, event)?;
            if !advance(&mut chosen, &sizes) {
                return Ok(());
            }
        }
    }

    /// The choice of one command, which is what most are.
    fn alone(&mut self, from: u32, event: u32, command: &Command) -> Result<(), Failed> {
        if let [only] = &command.outcomes[..]
            && only.probability.is_none()
        {
            self.next.copy_from_slice(&self.state);
            self.assign(&only.assigns, command.place)?;
            return self.arrive(from, event);
        }
        let mut some = std::mem::take(&mut self.some);
        some.clear();
        self.possible(command, &mut some)?;
        for &i in &some {
            self.next.copy_from_slice(&self.state);
            self.assign(&command.outcomes[i].assigns, command.place)?;
            self.arrive(from, event)?;
        }
        self.some = some;
        Ok(())
    }

    /// Works out what an outcome assigns, at the state that is explored, into the next one.
    fn assign(&mut self, assigns: &[(u32, Code)], place: Place) -> Result<(), Failed> {
        for (variable, code) in assigns {
            let variable = *variable as usize;
            let about = &self.built.variables[variable];
            let value = code.value(&self.state).map_err(|e| self.trouble(e.to_owned(), Some(place)))?;
            let value = value.int().unwrap_or(i64::MAX);
            if !(about.low..=about.high).contains(&value) {
                let message = format!(
                    "`{}` becomes {value}, outside its range [{}..{}]",
                    about.name, about.low, about.high
                );
                return Err(self.trouble(message, Some(place)));
            }
            self.next[variable] = value;
        }
        Ok(())
    }

    /// The next state is reached: a transition, unless the same choice leads there already.
    fn arrive(&mut self, from: u32, event: u32) -> Result<(), Failed> {
        let (to, new) = self.found.store.number(&self.next);
        if new {
            self.met.push(0);
            if self.found.store.len() > MOST_STATES {
                let message = format!("the model has more than {MOST_STATES} states");
                return Err(Fault::new(FaultKind::TooLarge, message).help("take smaller constants").into());
            }
        }
        let last = std::mem::replace(&mut self.met[to as usize], self.choices);
        if last != self.choices {
            self.found.steps.push(Step { from, event, to, seen: 0 });
        }
        Ok(())
    }

    /// Adds the outcomes of a command that have a chance.
    fn possible(&self, command: &Command, found: &mut Vec<usize>) -> Result<(), Failed> {
        if let [only] = &command.outcomes[..]
            && only.probability.is_none()
        {
            found.push(0);
            return Ok(());
        }
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
        Ok(())
    }

    /// The event of a choice: the second choice of one name at a state is another event, since it is for the robot to choose.
    fn event(&mut self, action: usize) -> u32 {
        let rank = self.offered[action] as usize;
        self.offered[action] += 1;
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

/// The next combination of numbers, each below its size; whether there is one.
fn advance(chosen: &mut [usize], sizes: &[usize]) -> bool {
    let Some(digit) = (0..chosen.len()).rev().find(|&i| chosen[i] + 1 < sizes[i]) else { return false };
    chosen[digit] += 1;
    chosen[digit + 1..].fill(0);
    true
}

/// A value with its name: `x=3`, `wet`, `!wet`.
pub(super) fn shown(boolean: bool, name: &str, value: i64) -> String {
    match (boolean, value) {
        (false, value) => format!("{name}={value}"),
        (true, 0) => format!("!{name}"),
        (true, _) => name.to_owned(),
    }
}
