//! One way in, one way out: a [`Question`] about a problem becomes an [`Answer`].
//!
//! *Practical.* [`ask`] begins a question, methods say what is asked and how, and [`Asking::within`] asks it within limits:
//! `ask(&problem).seek_plan().minimize(Minimize::Cost).within(&limits)`. A limit that is hit is an answer too ([`Verdict::Unknown`]), with
//! the best that was found by then. What was found is checked before it is given ([`Checked`]). [`Asking::explained`] also asks why: all that is ever said
//! of an answer is then in it, and nothing has to be searched again.

mod answer;
mod folded;
mod question;
mod verify;

pub use answer::{Account, Answer, Checked, Verdict, Why};
pub use question::{Engine, Question, What};

use crate::{
    and_or,
    audit::audit,
    check::check_worst_case,
    explain::{Program, explain, why_no_map, why_no_plan},
    limit::{Milestone, Monitor, Tally},
    maps::{Crew, Hands, Helpers, Keep, Prefer, seek_all, seek_one, with_hands},
    problem::{Knows, Label, Problem},
    seek::{Minimize, Offers, seek_plan_after},
    setting::{Setting, unfold},
    verdict::{FoundMap, FoundPlan, Frontier, QuestionError, SoFar, Violation},
};

/// Begins a question about a problem.
pub fn ask(problem: &Problem) -> Ask<'_> {
    Ask { problem }
}

/// A problem that is about to be asked about.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    problem: &'a Problem,
}

impl<'a> Ask<'a> {
    /// Does the problem's plan, with the problem's map, solve the world and keep the stipulations?
    pub fn check(self) -> Asking<'a> {
        self.question(Question::new(What::Check))
    }

    /// Do the stipulations of scope `always` hold whatever the robot does?
    pub fn audit(self) -> Asking<'a> {
        self.question(Question::new(What::Audit))
    }

    /// A plan; the map is given.
    pub fn seek_plan(self) -> Asking<'a> {
        self.question(Question::new(What::Plan))
    }

    /// A map; the plan is given.
    pub fn seek_map(self) -> Asking<'a> {
        self.question(Question::new(What::Map))
    }

    /// A plan and a map.
    pub fn seek_both(self) -> Asking<'a> {
        self.question(Question::new(What::Both))
    }

    /// Every map that would do: how many there are, the finest and the coarsest.
    pub fn seek_maps(self) -> Asking<'a> {
        self.question(Question::new(What::Maps))
    }

    /// Any question.
    pub fn question(self, question: Question) -> Asking<'a> {
        Asking { problem: self.problem, question, patience: None, helpers: Helpers::default() }
    }
}

/// A question that is about to be asked.
#[derive(Clone)]
pub struct Asking<'a> {
    problem: &'a Problem,
    question: Question,
    patience: Option<&'a dyn Monitor>,
    helpers: Helpers<'a>,
}

impl<'a> Asking<'a> {
    /// What a plan makes least in the worst case.
    pub fn minimize(mut self, what: Minimize) -> Self {
        self.question.minimize = what;
        self
    }

    /// Which actions a plan offers that an observer knows.
    pub fn offers(mut self, which: Offers) -> Self {
        self.question.offers = which;
        self
    }

    /// A plan that is sought goes on after these events.
    pub fn after(mut self, events: Vec<Label>) -> Self {
        self.question.after = events;
        self
    }

    /// The least number of events is to be proven, over all maps too.
    pub fn shortest(mut self) -> Self {
        self.question.shortest = true;
        self
    }

    /// Which map is wanted, if there are several.
    pub fn prefer(mut self, which: Prefer) -> Self {
        self.question.prefer = which;
        self
    }

    /// How it is sought.
    pub fn engine(mut self, engine: Engine) -> Self {
        self.question.engine = engine;
        self
    }

    /// A map that is given is set aside.
    pub fn any_map(mut self) -> Self {
        self.question.any_map = true;
        self
    }

    /// A plan that is given is set aside.
    pub fn any_plan(mut self) -> Self {
        self.question.any_plan = true;
        self
    }

    /// How many threads may be used, 0 for as many as there are processors.
    pub fn threads(mut self, threads: usize) -> Self {
        self.question.threads = threads;
        self
    }

    /// Who carries out the tasks of a long search over maps, in place of threads. They must be asked the same question
    /// ([`Question::with_hands`]).
    pub fn crew(mut self, crew: &'a dyn Crew) -> Self {
        self.helpers.crew = Some(crew);
        self
    }

    /// What remembers the tasks that threads have carried out in a long search over maps, so that it can be continued.
    pub fn keep(mut self, keep: &'a dyn Keep) -> Self {
        self.helpers.keep = Some(keep);
        self
    }

    /// Whatever explains the answer is found out too, as far as `patience` allows.
    pub fn explained(mut self, patience: &'a dyn Monitor) -> Self {
        self.patience = Some(patience);
        self
    }

    /// Asks.
    ///
    /// # Errors
    /// If the question cannot be asked of this problem. A limit that is hit is no error.
    pub fn within(self, monitor: &dyn Monitor) -> Result<Answer, QuestionError> {
        let Self { problem, question, patience, helpers } = self;
        question.consistent()?;
        let tally = Tally::new(monitor);
        let unfolded = match unfold(problem, &tally) {
            Err(QuestionError::Limit(limit)) => return Ok(Answer::unknown(limit, question)),
            unfolded => unfolded?,
        };
        let problem = unfolded.as_ref().unwrap_or(problem);
        let setting = Setting::pose(problem, question.plan(problem)?, &tally)?.on_threads(question.threads);
        let asked = Asked { setting: &setting, question: &question, tally: &tally, helpers };
        let verdict = match asked.verdict() {
            Err(QuestionError::Limit(limit)) => {
                Verdict::Unknown { limit, best: setting.best().map(Box::new) }
            }
            verdict => verdict?,
        };
        let work = tally.sum();
        let verdict = match patience {
            None => verdict,
            Some(patience) => Telling { setting: setting.under(patience), question: &question }.tell(verdict),
        };
        let verdict = if unfolded.is_some() { verdict.folded(&problem.world) } else { verdict };
        Ok(Answer { verdict, work, stipulations: setting.shared_stipulations(), question })
    }
}

impl Question {
    /// Hands that carry out tasks of this question about maps, wherever it is asked. The problem must be the same there.
    ///
    /// # Errors
    /// If the question cannot be asked of this problem or is not about maps, a limit, and those of `work`.
    pub fn with_hands<T>(
        &self,
        problem: &Problem,
        monitor: &dyn Monitor,
        work: impl FnOnce(&Hands<'_, '_>) -> Result<T, QuestionError>,
    ) -> Result<T, QuestionError> {
        self.consistent()?;
        if !matches!(self.what, What::Map | What::Both | What::Maps) || self.engine != Engine::Native {
            return Err(QuestionError::Options(
                "only searches over maps are shared out",
                "ask for a map, for a plan and a map, or for all maps, with the native engine",
            ));
        }
        let unfolded = unfold(problem, monitor)?;
        let problem = unfolded.as_ref().unwrap_or(problem);
        self.seeks_map(problem)?;
        let setting = Setting::pose(problem, self.plan(problem)?, monitor)?;
        with_hands(&setting, &self.map_options(), work)
    }
}

impl Answer {
    /// The same answer, explained as far as `patience` allows: for those who ask why later. `problem` must be the one that was asked about.
    pub fn explained(self, problem: &Problem, patience: &dyn Monitor) -> Self {
        let Ok(unfolded) = unfold(problem, patience) else { return self };
        let problem = unfolded.as_ref().unwrap_or(problem);
        let posed = self.question.plan(problem).and_then(|plan| Setting::pose(problem, plan, patience));
        match posed {
            Ok(setting) => {
                let verdict = Telling { setting, question: &self.question }.tell(self.verdict);
                let verdict = match unfolded {
                    Some(_) => verdict.with_explanation_folded(&problem.world),
                    None => verdict,
                };
                Self { verdict, ..self }
            }
            Err(_) => self,
        }
    }
}

/// A question being answered.
struct Asked<'a, 'p> {
    setting: &'a Setting<'p>,
    question: &'a Question,
    tally: &'a Tally<'a>,
    helpers: Helpers<'a>,
}

impl Asked<'_, '_> {
    fn verdict(&self) -> Result<Verdict, QuestionError> {
        let Self { setting, question, .. } = self;
        match (question.what, question.engine) {
            (What::Check, _) => {
                let (violation, worst_case) = check_worst_case(setting, setting.map()?)?;
                Ok(violated(violation).unwrap_or(Verdict::Holds { worst_case }))
            }
            (What::Audit, _) => {
                let violation = audit(setting, setting.map()?, &question.audit)?;
                Ok(violated(violation).unwrap_or(Verdict::Holds { worst_case: None }))
            }
            (What::Plan, engine) => {
                let map = setting.map()?;
                let found = match engine {
                    Engine::Native => {
                        seek_plan_after(setting, map, &question.seek_options(), &question.after)?
                    }
                    Engine::AndOr => and_or::seek_plan(setting, map)?,
                };
                self.found(found.map(|found| FoundMap {
                    map: map.clone(),
                    plan: found.plan,
                    worst_case: found.worst_case,
                    choices: found.choices,
                    merge_cost: 0,
                }))
            }
            (What::Both, Engine::AndOr) => {
                question.seeks_map(setting.problem())?;
                self.found(and_or::seek_both(setting)?)
            }
            (What::Map | What::Both, _) => {
                question.seeks_map(setting.problem())?;
                self.found(seek_one(setting, &question.map_options(), self.helpers)?)
            }
            (What::Maps, _) => {
                question.seeks_map(setting.problem())?;
                self.frontier(seek_all(setting, &question.map_options(), self.helpers)?)
            }
        }
    }

    fn found(&self, found: Option<FoundMap>) -> Result<Verdict, QuestionError> {
        let Some(found) = found else {
            return Ok(Verdict::None { why: None, maps: None, otherwise: self.otherwise() });
        };
        self.setting.monitor().reached(Milestone::Found { events: found.worst_case.events });
        let checked = match &self.question.after[..] {
            [] => verify::verify(self.setting, &found, self.tally.sum().explored),
            after => verify::verify_after(self.setting, &found, after),
        };
        if let Err(QuestionError::Limit(limit)) = checked {
            // There is no time left to check it: it is the best found so far, and no more is claimed.
            self.setting.keep(match self.question.what {
                What::Plan => SoFar::Plan(FoundPlan {
                    plan: found.plan,
                    worst_case: found.worst_case,
                    choices: found.choices,
                }),
                _ => SoFar::Map(found),
            });
            return Err(limit.into());
        }
        let checked = checked?;
        Ok(Verdict::Found { found: Box::new(found), checked, account: None })
    }

    /// Where no plan does that never chooses: whether another does, unless that was not asked or a limit is hit first.
    fn otherwise(&self) -> Option<bool> {
        let Self { setting, question, .. } = self;
        if question.offers != Offers::Deterministic {
            return None;
        }
        // Where nobody knows the plan, one action is always enough.
        if setting.observers().iter().all(|posed| posed.observer.knows != Knows::Plan) {
            return Some(false);
        }
        let choosing = Question { offers: Offers::Permissive, ..(*question).clone() };
        let found = match question.what {
            What::Plan => {
                seek_plan_after(setting, setting.map().ok()?, &choosing.seek_options(), &question.after)
                    .map(|found| found.is_some())
            }
            // Helpers were asked the question as it is, and what they did answers that one alone.
            _ => seek_one(setting, &choosing.map_options(), Helpers::default()).map(|found| found.is_some()),
        };
        found.ok()
    }

    fn frontier(&self, frontier: Frontier) -> Result<Verdict, QuestionError> {
        if frontier.feasible == 0 {
            return Ok(Verdict::None { why: None, maps: Some(frontier.maps), otherwise: None });
        }
        let explored = self.tally.sum().explored;
        let mut checked = Checked::All;
        for found in frontier.finest.iter().chain(&frontier.coarsest) {
            checked = checked.min(verify::verify(self.setting, found, explored)?);
        }
        Ok(Verdict::Frontier { frontier: Box::new(frontier), checked })
    }
}

fn violated(violation: Option<Violation>) -> Option<Verdict> {
    violation.map(|violation| Verdict::Violated { violation: Box::new(violation), explanation: None })
}

/// Finds out what explains an answer.
struct Telling<'a, 'p> {
    setting: Setting<'p>,
    question: &'a Question,
}

impl Telling<'_, '_> {
    fn tell(&self, verdict: Verdict) -> Verdict {
        let Self { setting, question } = self;
        let reached = |what| setting.monitor().reached(Milestone::Decided(what));
        match verdict {
            Verdict::Violated { violation, .. } => {
                reached("violated; finding out why");
                let plan = setting.plan().filter(|_| question.what == What::Check);
                let looking = setting.looking_at(violation.observer);
                let told = looking.map().and_then(|map| explain(&looking, map, plan, &violation));
                Verdict::Violated { violation, explanation: told.ok().map(Box::new) }
            }
            Verdict::Found { found, checked, .. } => {
                reached("found; what the observer knows at each stop");
                let account = match question.after.is_empty() {
                    true => {
                        setting.with_plan(&found.plan).ok().and_then(|s| Account::of(&s, &found.map).ok())
                    }
                    // What the observer can tell is found out from the start only.
                    false => Program::of(&found.plan, setting.monitor()).ok().map(|program| Account {
                        program,
                        endings: None,
                        each: Vec::new(),
                    }),
                };
                Verdict::Found { found, checked, account: account.map(Box::new) }
            }
            Verdict::None { maps, otherwise, .. } => {
                reached("there is none; finding out why");
                Verdict::None { why: self.why().map(Box::new), maps, otherwise }
            }
            other => other,
        }
    }

    fn why(&self) -> Option<Why> {
        let options = self.question.seek_options();
        match self.question.what {
            What::Plan if !self.question.after.is_empty() => None,
            What::Plan => why_no_plan(&self.setting, self.setting.map().ok()?, &options).ok().map(Why::Plan),
            _ => why_no_map(&self.setting, &options).ok().map(Why::Map),
        }
    }
}
