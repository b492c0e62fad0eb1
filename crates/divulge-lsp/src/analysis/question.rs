//! Questions about a model, asked while it is being written.

use std::sync::Arc;

use divulge::{
    ask::{Answer, Question, Verdict, What, ask},
    problem::Problem,
    verdict::QuestionError,
};
use divulge_model::language::{Depth, Region, read};
use divulge_render::words::{self, Style};

use super::Stop;
use crate::text::Texts;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ask {
    /// Does the plan solve the world and keep the stipulations?
    Check,
    /// Do the stipulations hold whatever the robot does?
    Audit,
    /// A plan.
    Plan,
    /// A map for the plan.
    Map,
    /// A plan and a map.
    Both,
}

impl Ask {
    /// All of them.
    pub const ALL: [Ask; 5] = [Ask::Check, Ask::Audit, Ask::Plan, Ask::Map, Ask::Both];

    /// As it stands in a command.
    pub fn id(self) -> &'static str {
        match self {
            Ask::Check => "check",
            Ask::Audit => "audit",
            Ask::Plan => "plan",
            Ask::Map => "map",
            Ask::Both => "both",
        }
    }

    /// As it stands above a plan or an observer.
    pub fn title(self) -> &'static str {
        match self {
            Ask::Check => "check",
            Ask::Audit => "audit",
            Ask::Plan => "seek a plan",
            Ask::Map => "seek a map",
            Ask::Both => "seek a plan and a map",
        }
    }

    fn what(self) -> What {
        match self {
            Ask::Check => What::Check,
            Ask::Audit => What::Audit,
            Ask::Plan => What::Plan,
            Ask::Map => What::Map,
            Ask::Both => What::Both,
        }
    }
}

/// A question, and the part of a model that it stands above.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Asked {
    /// The model's name.
    pub model: String,
    /// Whether it stands above a plan, rather than above an observer.
    pub of_plan: bool,
    /// The name of the plan or of the observer, if it has one.
    pub name: Option<String>,
    /// What is asked.
    pub ask: Ask,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub struct Told {
    /// `holds`, `violated`, `found`, `none`, `unknown` or `refused`.
    pub verdict: &'static str,
    /// The answer in a line.
    pub headline: String,
    /// The answer at length.
    pub words: String,
    /// The problem with the answer filled in, to be explored.
    pub problem: Option<Arc<Problem>>,
}

impl Asked {
    /// The kind of part that it stands above.
    pub fn region(&self) -> Region {
        if self.of_plan { Region::Plan } else { Region::Observer }
    }

    /// The answer; none if it was stopped.
    pub fn answer(&self, texts: &Texts, stop: &Stop) -> Option<Told> {
        let text = texts.text(&self.model)?;
        let choice = if self.of_plan { "plan" } else { "observer" };
        let choices: Vec<(String, String)> =
            self.name.iter().map(|name| (choice.to_owned(), name.clone())).collect();
        let reading = read(&self.model, &text, texts, &choices, Depth::World, stop);
        if stop.stopped() {
            return None;
        }
        let Some(problem) = reading.problem else {
            let reason = if reading.stopped.is_some() {
                "the world is too large for the editor"
            } else {
                "the model has errors"
            };
            return Some(Told::refused(reason.to_owned()));
        };
        match ask(&problem).question(Question::new(self.ask.what())).explained(stop).within(stop) {
            Ok(answer) if !stop.stopped() => Some(told(problem, &answer)),
            Ok(_) => None,
            Err(QuestionError::Limit(_)) if stop.stopped() => None,
            Err(error) => Some(Told { problem: Some(Arc::new(problem)), ..Told::refused(error.to_string()) }),
        }
    }
}

impl Told {
    fn refused(reason: String) -> Told {
        Told { verdict: "refused", headline: reason.clone(), words: reason, problem: None }
    }
}

fn told(problem: Problem, answer: &Answer) -> Told {
    let words = words::answer(&problem, answer, Style::plain());
    let events = |n: u64| if n == 1 { "1 event".to_owned() } else { format!("{n} events") };
    let (verdict, headline) = match &answer.verdict {
        Verdict::Holds { worst_case: Some(worst) } => {
            ("holds", format!("holds, within {}", events(worst.events)))
        }
        Verdict::Holds { worst_case: None } => ("holds", "holds".to_owned()),
        Verdict::Violated { violation, .. } => {
            let plan = problem.plan.as_ref().filter(|_| answer.question.what == What::Check);
            ("violated", format!("violated: {}", words::violation(&problem, plan, violation)))
        }
        Verdict::Found { found, .. } => {
            let what = if answer.question.what == What::Plan { "a plan" } else { "a map for a plan" };
            ("found", format!("found: {what} that takes at most {}", events(found.worst_case.events)))
        }
        Verdict::Frontier { .. } => ("found", "found".to_owned()),
        Verdict::None { .. } => ("none", format!("none: no {} keeps all of this", sought(answer))),
        Verdict::Unknown { .. } => ("unknown", "unknown: it takes too much memory for the editor".to_owned()),
    };
    let problem = answer.filled_in(&problem).unwrap_or(problem);
    Told { verdict, headline, words, problem: Some(Arc::new(problem)) }
}

fn sought(answer: &Answer) -> &'static str {
    match answer.question.what {
        What::Plan => "plan",
        What::Both => "plan and map",
        _ => "map",
    }
}
