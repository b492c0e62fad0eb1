//! Files of other tools: what they are, what options add to them, and answers in the words of their fields.

use std::path::Path;

use divulge::{
    Answer, Verdict,
    ask::What,
    expansion::almost_surely as almost_sure,
    formula::Predicate,
    limit::{Milestone, Monitor},
    problem::{Kind, Label, Problem, World},
};
use divulge_model::foreign::{self, Asked, Facts, Fixed, Foreign, Given, Said, Trouble, Unfit, properties};
use serde_json::Value;

use crate::{
    arguments::Source,
    input::{Input, text},
    limits::Watch,
    output::Terminal,
    status::Failure,
};

/// What a file of another tool says of itself.
#[derive(Debug)]
pub struct Origin {
    name: String,
    facts: Facts,
    fixed: Fixed,
    /// Whether it says what the goal is, even if no state is one.
    goal: bool,
}

impl Origin {
    /// The word for the format, and the sizes as people of its field count.
    pub fn counted(&self) -> (&'static str, Vec<(&'static str, usize)>) {
        let Facts { format, states, initial, transitions, events, deadlocks } = self.facts;
        let counts = vec![
            ("states", states),
            ("transitions", transitions),
            ("initial", initial),
            ("events", events),
            ("deadlocks", deadlocks),
        ];
        (format.word(), counts)
    }
}

/// Reads a file of another tool; `None` if it is none.
pub fn read(
    source: &Source,
    name: &str,
    content: &str,
    set: &[(String, String)],
    terminal: &Terminal,
    watch: &Watch,
) -> Result<Option<(Problem, Origin)>, Failure> {
    let asked = &source.foreign;
    let domain = match &asked.domain {
        Some(path) if path == "-" && source.file == "-" => {
            return Err(Failure::new(
                "standard input holds one thing",
                "give the problem or its domain as a file",
            ));
        }
        Some(path) => Some(text(path, Some(watch))?),
        None => None,
    };
    let second = domain.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let constants: Vec<_> = set.iter().filter(|(name, _)| name != "observer").cloned().collect();
    let Some(read) = foreign::read(name, content, Given { constants: &constants, second }, watch) else {
        return no_options(source, name).map(|()| None);
    };
    let mut read = read.map_err(|trouble| match trouble {
        Trouble::Findings(found) => {
            if let Some(domain) = domain_beside(source, content) {
                terminal.remarks(&[format!("a domain is beside it: --domain {domain}")]);
            }
            Failure::Input(found)
        }
        Trouble::Limit(limit) => Failure::Limit(limit),
    })?;
    if let Some((_, observer)) = set.iter().find(|(name, _)| name == "observer") {
        return Err(Failure::new(
            format!("there is no observer `{observer}`: {name} names none"),
            "leave the option out, or write a model with `world from` that has observers",
        ));
    }
    let said = Said {
        prefix: "--",
        initial: asked.initial.as_deref(),
        goal: asked.goal.as_deref(),
        avoid: asked.avoid.as_deref(),
    };
    let names = said.names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    terminal.remarks(&read.remarks(name, Asked::Options, &names));
    read.take(&said)?;
    let Foreign { problem, facts, goal, fixed, .. } = read;
    Ok(Some((problem, Origin { name: name.to_owned(), facts, fixed, goal })))
}

/// A file that may be the domain of a problem that was given without one.
fn domain_beside(source: &Source, content: &str) -> Option<String> {
    let content = content.to_lowercase();
    let lacks =
        source.foreign.domain.is_none() && content.contains("(:domain") && !content.contains("(domain ");
    let path = Path::new(&source.file);
    let stem = path.file_stem().filter(|_| lacks)?.to_str()?;
    let names = ["domain.pddl".to_owned(), "d.pddl".to_owned(), format!("{stem}-domain.pddl")];
    let found =
        names.iter().map(|name| path.with_file_name(name)).find(|file| file != path && file.is_file())?;
    Some(found.display().to_string())
}

/// Options for files of other tools mean nothing for a document or a model.
fn no_options(source: &Source, name: &str) -> Result<(), Failure> {
    let asked = &source.foreign;
    let given = [
        ("--domain", &asked.domain),
        ("--goal", &asked.goal),
        ("--avoid", &asked.avoid),
        ("--initial", &asked.initial),
    ];
    match given.into_iter().find(|(_, value)| value.is_some()) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::new(
            format!("`{option}` is for files of other tools, and {name} is a problem of divulge's own"),
            "say it in the file itself",
        )),
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// What must stay secret must be possible to find out about.
pub fn secret(input: &Input, secret: &Predicate) -> Result<(), Failure> {
    let Some(origin) = &input.origin else { return Ok(()) };
    Ok(foreign::secret(&input.problem, &origin.fixed, &origin.name, "--secret", secret)?)
}

impl From<Unfit> for Failure {
    fn from(unfit: Unfit) -> Self {
        Failure::Message(unfit.message, unfit.help)
    }
}

/// An audit needs something that must not be found out.
pub fn needs_secret(input: &Input) -> Result<(), Failure> {
    match &input.origin {
        Some(origin) if input.problem.observer.stipulations.is_empty() => Err(Failure::new(
            format!("{} does not say what must stay secret", origin.name),
            format!("say it: --opacity current --secret CONDITION; {}", properties(&input.problem)),
        )),
        _ => Ok(()),
    }
}

/// A plan needs a goal.
pub fn needs_goal(input: &Input) -> Result<(), Failure> {
    match &input.origin {
        Some(origin) if input.problem.world.goal.is_empty() && !origin.goal => Err(Failure::new(
            format!("{} does not say what the goal is", origin.name),
            format!("give a condition: --goal CONDITION; {}", properties(&input.problem)),
        )),
        _ => Ok(()),
    }
}

/// Whether going on trying reaches the goal, where no plan is sure to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// It is another question.
    NotAsked,
    /// With probability 1, or not.
    Known(bool),
    /// A limit was hit before that was found out.
    Open,
}

impl Chance {
    /// As JSON has it.
    pub fn json(self) -> Option<&'static str> {
        match self {
            Chance::NotAsked => None,
            Chance::Known(true) => Some("true"),
            Chance::Known(false) => Some("false"),
            Chance::Open => Some("null"),
        }
    }
}

/// Where there is no plan, whether going on trying would do: the first thing that people ask who know chance.
pub fn almost_surely(input: &Input, found: &Answer, watch: &Watch) -> Chance {
    let asked = input.from_file
        && found.question.what == What::Plan
        && found.question.after.is_empty()
        && matches!(found.verdict, Verdict::None { .. })
        && input.problem.observers().all(|observer| observer.stipulations.is_empty());
    if !asked {
        return Chance::NotAsked;
    }
    // That there is no plan stays true, whatever limit is hit now.
    watch.reached(Milestone::Decided("there is none"));
    chance(&input.problem.world, watch)
}

/// Whatever limit is hit, it is no reason to say nothing.
fn chance(world: &World, monitor: &dyn Monitor) -> Chance {
    almost_sure(world, monitor).map_or(Chance::Open, Chance::Known)
}

/// An answer in the words of the field: what chance can do comes first, strings of events and the depth of a plan last.
pub fn told(input: &Input, found: &Answer, reached: Chance, answer: String) -> String {
    let chance = match reached {
        Chance::NotAsked => "",
        Chance::Known(true) => {
            "The goal can only be reached almost surely: there is no bounded plan, but going on trying reaches it with\n\
             probability 1 (a strong-cyclic plan), if whatever can happen keeps a chance.\n\n"
        }
        Chance::Open => {
            "Whether going on trying would reach the goal with probability 1 was not found out within the limit.\n\n"
        }
        Chance::Known(false) => {
            "The goal cannot even be reached almost surely: whatever the robot does, there is a chance that it never gets there.\n\n"
        }
    };
    let answer = match answer.split_once("\n\n") {
        Some((verdict, rest)) if !chance.is_empty() => format!("{verdict}\n\n{chance}{rest}"),
        _ => answer,
    };
    answer + &strings(input, found) + &depth(input, found)
}

/// For a plan, how deep it is as a tree.
fn depth(input: &Input, found: &Answer) -> String {
    let plans = input.origin.as_ref().is_some_and(|origin| !origin.facts.format.is_automaton());
    match found.found().filter(|_| plans) {
        Some(plan) => format!(
            "\nAs a tree, the plan has depth {}: {} at most.\n",
            plan.worst_case.cost,
            count(plan.worst_case.cost as usize, "action")
        ),
        None => String::new(),
    }
}

/// A violation as a pair of strings of events: what happened, and what was seen of it.
struct Strings<'a> {
    happened: Vec<&'a str>,
    seen: Vec<&'a str>,
    /// In hindsight: how many of the events had happened at the moment that is given away.
    moment: Option<usize>,
}

impl<'a> Strings<'a> {
    /// Of an automaton, whose events are all that happens.
    fn of(input: &'a Input, found: &Answer) -> Option<Self> {
        let violation = found.violation()?;
        input.origin.as_ref().filter(|origin| origin.facts.format.is_automaton())?;
        let problem = &input.problem;
        let map = problem.observers().nth(violation.observer)?.map.as_ref()?;
        let is_event = |label: &&Label| problem.alphabet.kind(**label) == Kind::Action;
        let events = violation.execution.iter().filter(is_event);
        Some(Self {
            happened: events.map(|&label| problem.alphabet.name(label)).collect(),
            seen: violation.execution.iter().filter_map(|&label| map.look(label)).collect(),
            moment: violation
                .moment
                .map(|until| violation.execution[..until].iter().filter(is_event).count()),
        })
    }
}

fn strings(input: &Input, found: &Answer) -> String {
    let Some(Strings { happened, seen, moment }) = Strings::of(input, found) else { return String::new() };
    let string = |labels: &[&str]| if labels.is_empty() { "(nothing)".to_owned() } else { labels.join(" ") };
    let mut out =
        format!("\nAs strings of events\n  happened  {}\n  seen      {}\n", string(&happened), string(&seen));
    if let Some(moment) = moment {
        out += &format!("  given away: where it was after  {}\n", string(&happened[..moment]));
    }
    out
}

/// What an answer in JSON has besides, for a file of another tool: a comma before each part.
pub fn besides(input: &Input, found: &Answer, reached: Chance) -> String {
    let mut out = String::new();
    if let Some(reached) = reached.json() {
        out += &format!(", \"almost_surely\": {reached}");
    }
    if let Some(Strings { happened, seen, moment }) = Strings::of(input, found) {
        let list = |labels: &[&str]| {
            labels.iter().map(|label| Value::from(*label).to_string()).collect::<Vec<_>>().join(", ")
        };
        out += &format!(", \"strings\": {{\"happened\": [{}], \"seen\": [{}]", list(&happened), list(&seen));
        if let Some(moment) = moment {
            out += &format!(", \"given_away_after\": {moment}");
        }
        out.push('}');
    }
    out
}

#[cfg(test)]
mod tests {
    use divulge::{
        Unlimited,
        limit::{Limit, Progress},
    };

    use super::*;

    /// No patience at all.
    struct Never;

    impl Monitor for Never {
        fn poll(&self, _: &Progress) -> Result<(), Limit> {
            Err(Limit::Time)
        }
    }

    #[test]
    fn a_limit_leaves_open_what_chance_can_do() {
        let dice = "(define (domain dice) (:predicates (won))
            (:action throw :precondition (not (won)) :effect (oneof (and) (won))))
            (define (problem try) (:domain dice) (:init) (:goal (won)))";
        let read = foreign::read("dice.pddl", dice, Given::default(), &Unlimited).expect("it is one");
        let world = read.expect("a problem").problem.world;
        assert_eq!(chance(&world, &Unlimited).json(), Some("true"));
        assert_eq!(chance(&world, &Never).json(), Some("null"));
        assert_eq!(Chance::NotAsked.json(), None);
    }
}
