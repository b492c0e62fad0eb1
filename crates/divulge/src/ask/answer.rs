//! What can be answered, as plain data.

use std::sync::Arc;

use super::Question;
use crate::{
    explain::{Ending, Explanation, Program, ending_anywhere, endings},
    formula::Stipulations,
    limit::{Limit, Progress},
    problem::{LabelMap, MapConstraints, Problem},
    setting::Setting,
    verdict::{FoundMap, Frontier, NoMap, NoPlan, SoFar, Violation, WorstCase},
};

/// An answer to a question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question.
    pub question: Question,
    /// What was found out.
    pub verdict: Verdict,
    /// How much was done: nodes explored, beliefs stored and so on.
    pub work: Progress,
    /// The observer's stipulations, compiled.
    pub stipulations: Arc<Stipulations>,
}

/// What was found out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Everything holds.
    Holds {
        /// How long and how dear the plan can get, if there is one.
        worst_case: Option<WorstCase>,
    },
    /// Something does not.
    Violated {
        /// What, and a shortest execution that shows it.
        violation: Box<Violation>,
        /// Why, if that was asked for and found out in time.
        explanation: Option<Box<Explanation>>,
    },
    /// A plan and a map that hold, one or both of them found.
    Found {
        /// The plan and the map.
        found: Box<FoundMap>,
        /// How it was checked.
        checked: Checked,
        /// What there is to tell of the plan, if that was asked for and found out in time.
        account: Option<Box<Account>>,
    },
    /// Every map that would do; there is at least one.
    Frontier {
        /// How many there are, and the extremes.
        frontier: Box<Frontier>,
        /// How the extremes were checked.
        checked: Checked,
    },
    /// There is none: a proof.
    None {
        /// Why, if that was asked for and found out in time.
        why: Option<Box<Why>>,
        /// How many maps there are that respect the constraints, if every one was sought.
        maps: Option<u128>,
        /// Where a plan was sought that never chooses: whether there is one that may choose, if that was found out in time.
        otherwise: Option<bool>,
    },
    /// A limit was hit.
    Unknown {
        /// Which.
        limit: Limit,
        /// What had been found by then. It holds, but it is not proven to be the best or all there is.
        best: Option<Box<SoFar>>,
    },
}

/// How what was found was checked, by code that had no part in finding it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Checked {
    /// Some executions were replayed, since checking all of them would have taken more work than the search.
    Sample,
    /// All executions were.
    All,
}

impl Checked {
    /// The word for it in answers.
    pub fn word(self) -> &'static str {
        match self {
            Checked::Sample => "sample",
            Checked::All => "all",
        }
    }
}

/// What there is to tell of a plan.
#[derive(Clone, Debug)]
pub struct Account {
    /// The plan as a program.
    pub program: Program,
    /// What the observer can tell at each `stop` of the program, if that was found out in time.
    pub endings: Option<Vec<Ending>>,
    /// What each of several observers can tell in the end, over all stops, as far as that was found out; by the observer's number.
    pub each: Vec<(usize, Ending)>,
}

impl Account {
    /// What there is to tell of a setting's plan, seen through a map. What the observer can tell is left out if a limit is hit first, or if
    /// the plan does something that it does not expect.
    ///
    /// # Errors
    /// The limit that was hit before the program was written.
    ///
    /// # Panics
    /// If the setting has no plan.
    pub fn of(setting: &Setting<'_>, map: &LabelMap) -> Result<Self, Limit> {
        let program = Program::of(setting.plan().expect("there is a plan in question"), setting.monitor())?;
        let Some(spelled) = &program.plan else {
            return Ok(Self { program, endings: None, each: Vec::new() });
        };
        let Ok(setting) = setting.with_plan(spelled) else {
            return Ok(Self { program, endings: None, each: Vec::new() });
        };
        // What several observers can tell is too much to say at every stop.
        let all = setting.observers().len();
        if all > 1 {
            let ending = |number| {
                let looking = setting.looking_at(number);
                let ending = ending_anywhere(&looking, looking.map().unwrap_or(map)).ok()??;
                Some((number, ending))
            };
            return Ok(Self { each: (0..all).filter_map(ending).collect(), endings: None, program });
        }
        let endings = endings(&setting, map).ok().flatten();
        Ok(Self { endings, each: Vec::new(), program })
    }
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// No plan, with the map that is given.
    Plan(NoPlan),
    /// No map.
    Map(NoMap),
}

impl Answer {
    /// That a limit was hit before the question was even posed.
    pub(super) fn unknown(limit: Limit, question: Question) -> Self {
        let verdict = Verdict::Unknown { limit, best: None };
        Self { question, verdict, work: Progress::default(), stipulations: Arc::default() }
    }

    /// The problem with what was found filled in: the question as `check` can be asked of it. `None` if nothing was found.
    pub fn filled_in(&self, problem: &Problem) -> Option<Problem> {
        let (plan, map) = match &self.verdict {
            Verdict::Found { found, .. } => (&found.plan, Some(&found.map)),
            Verdict::Unknown { best: Some(best), .. } => match &**best {
                SoFar::Plan(found) => (&found.plan, None),
                SoFar::Map(found) => (&found.plan, Some(&found.map)),
                SoFar::Maps(_) => return None,
            },
            _ => return None,
        };
        let mut problem = problem.clone();
        problem.plan = Some(plan.clone());
        if let Some(map) = map {
            let sought = problem.sought();
            let observer = problem.observer_mut(sought);
            observer.map = Some(map.clone());
            // A map that is given leaves nothing to constrain.
            observer.constraints = MapConstraints::default();
        }
        Some(problem)
    }

    /// The violation, if there is one.
    pub fn violation(&self) -> Option<&Violation> {
        match &self.verdict {
            Verdict::Violated { violation, .. } => Some(violation),
            _ => None,
        }
    }

    /// What was found, if it was.
    pub fn found(&self) -> Option<&FoundMap> {
        match &self.verdict {
            Verdict::Found { found, .. } => Some(found),
            _ => None,
        }
    }
}
