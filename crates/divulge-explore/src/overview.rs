//! What the observer can never find out, and what it always does: over all that may happen.

use std::collections::BTreeSet;

use divulge::{
    limit::{Both, Monitor, Progress},
    observer::{Outcome, StateId, Walk},
    problem::{Problem, Value, Vertex},
    verdict::QuestionError,
};

use crate::{
    observer::Posed,
    situation::{Situation, brief},
    words::{asked_by, listed, sentence},
};

/// How many vertices of estimates are looked at between two looks at the effort.
const ESTIMATE: usize = 4096;

/// What can be said of one variable over all that may happen with the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The variable.
    pub name: String,
    /// Whether its value is known at some moment.
    pub known_once: bool,
    /// Whether its value is known whenever the plan stops.
    pub known_at_end: bool,
    /// The values that it may be known to have when the plan stops.
    pub told: BTreeSet<Value>,
    /// The values that seem possible at every moment.
    pub always_possible: BTreeSet<Value>,
    /// All values.
    pub values: BTreeSet<Value>,
}

/// The facts about the variables that an observer's stipulations speak of; nothing without a plan, or if it takes too long, or if
/// the plan does something that the observer does not expect.
///
/// # Errors
/// As [`divulge::check::check`], and if it takes too long.
pub fn facts(
    situation: &Situation,
    observer: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<Fact>, QuestionError> {
    let problem = &situation.problem;
    let Some(plan) = &problem.plan else { return Ok(Vec::new()) };
    let brief = brief();
    let effort = Both(&brief, monitor);
    let posed = Posed::new(situation, &effort)?;
    let (map, joint) = (situation.map(observer), posed.setting.joint()?);
    let Some(mut tracker) = posed.setting.tracker_of(observer, map)? else { return Ok(Vec::new()) };
    let mut states: BTreeSet<(StateId, bool)> = BTreeSet::new();
    let (_, outcome) = Walk::until(&joint.graph, &mut tracker, map, (1, &effort), |_, met| {
        states.insert((met.state, plan.is_terminal(joint.pairs[met.at.index()].0)));
        false
    })?;
    if outcome == Outcome::Unexpected {
        return Ok(Vec::new());
    }
    let asked = asked_by(problem, situation.observer(observer));
    let mut facts: Vec<Fact> = asked.into_iter().filter_map(|name| Fact::new(problem, name)).collect();
    for (state, ends) in states {
        let estimate = tracker.estimate(state);
        for _ in 0..=estimate.len() / ESTIMATE {
            effort.poll(&Progress::default())?;
        }
        facts.iter_mut().for_each(|fact| fact.look(problem, &estimate, ends));
    }
    Ok(facts)
}

impl Fact {
    /// What would be so if nothing ever happened.
    fn new(problem: &Problem, name: &str) -> Option<Self> {
        let column = problem.world.props.column(name)?;
        let values: BTreeSet<Value> = column.values().iter().cloned().collect();
        Some(Self {
            name: name.to_owned(),
            known_once: false,
            known_at_end: true,
            told: BTreeSet::new(),
            always_possible: values.clone(),
            values,
        })
    }

    /// Takes another estimate into account; `ends` says whether the plan may stop then.
    fn look(&mut self, problem: &Problem, estimate: &[Vertex], ends: bool) {
        let Some(column) = problem.world.props.column(&self.name) else { return };
        let held: BTreeSet<Option<usize>> = estimate.iter().map(|&v| column.code(v)).collect();
        let known = held.len() == 1;
        self.known_once |= known;
        self.known_at_end &= known || !ends;
        if let (true, true, Some(&Some(code))) = (known, ends, held.first()) {
            self.told.insert(column.values()[code].clone());
        }
        let holds = |value: &Value| held.iter().flatten().any(|&code| &column.values()[code] == value);
        self.always_possible.retain(holds);
    }
}

/// The facts that are worth a sentence: what is never found out, what always is. `who` is what the observer is called.
pub fn sentences(facts: &[Fact], who: &str) -> Vec<String> {
    let mut out = Vec::new();
    let begin = sentence(who);
    for fact in facts.iter().filter(|fact| fact.values.len() > 1) {
        let Fact { name, known_once, known_at_end, told, always_possible, values } = fact;
        let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
        if always_possible == values {
            let both = if texts.len() == 2 { "both " } else { "" };
            out.push(format!(
                "{begin} can never find out {name}: whatever happens, it thinks {both}{} possible after every step.",
                listed(&texts, "and")
            ));
        } else if !known_once {
            out.push(format!(
                "{begin} can never find out {name}: whatever happens, it thinks more than one value possible after every step."
            ));
        } else if *known_at_end && !told.is_empty() {
            let told: Vec<String> = told.iter().map(ToString::to_string).collect();
            out.push(match &told[..] {
                [one] => format!("When the robot stops, {who} always knows that {name} is {one}."),
                _ => format!(
                    "When the robot stops, {who} always knows whether {name} is {}.",
                    listed(&told, "or")
                ),
            });
        }
    }
    out
}
