//! What can be asked, as plain data.

use crate::{
    audit::AuditOptions,
    maps::{MapOptions, Prefer, Sharing},
    problem::{Knows, Label, Plan, Problem},
    seek::{Minimize, Offers, SeekOptions},
    verdict::QuestionError,
};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// Does the problem's plan, with the problem's map, solve the world and keep the stipulations?
    Check,
    /// Do the stipulations of scope `always` hold whatever the robot does?
    Audit,
    /// A plan; the map is given.
    Plan,
    /// A map; the plan is given.
    Map,
    /// A plan and a map.
    Both,
    /// Every map, with the plan that is given or with some plan for each.
    Maps,
}

/// How something is sought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// This library's own: the plan has the least worst case.
    #[default]
    Native,
    /// The paper's AND–OR search: any plan that holds.
    AndOr,
}

/// A question and its options; those that do not belong to what is asked have no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub what: What,
    /// What a plan that is sought makes least in the worst case.
    pub minimize: Minimize,
    /// Which actions a plan that is sought offers.
    pub offers: Offers,
    /// What has happened already, where a plan is sought that goes on from there.
    pub after: Vec<Label>,
    /// Whether the least number of events is to be proven, over all maps too.
    pub shortest: bool,
    /// Which map is wanted, if there are several.
    pub prefer: Prefer,
    /// How it is sought.
    pub engine: Engine,
    /// Whether a map that is given is set aside where one is sought.
    pub any_map: bool,
    /// Whether a plan that is given is set aside where every map is sought.
    pub any_plan: bool,
    /// How many threads may be used, 0 for as many as there are processors. The answer does not depend on it.
    pub threads: usize,
    /// For comparisons: how an audit looks for violations.
    pub audit: AuditOptions,
    /// For comparisons: [`SeekOptions::look_ahead`].
    pub look_ahead: usize,
    /// For comparisons: [`MapOptions::patience`].
    pub patience: u64,
    /// For comparisons: [`MapOptions::sharing`].
    pub sharing: Sharing,
}

impl Question {
    /// The question with the default options.
    pub fn new(what: What) -> Self {
        Self {
            what,
            minimize: Minimize::default(),
            offers: Offers::default(),
            after: Vec::new(),
            shortest: false,
            prefer: Prefer::default(),
            engine: Engine::default(),
            any_map: false,
            any_plan: false,
            threads: 1,
            audit: AuditOptions::default(),
            look_ahead: SeekOptions::default().look_ahead,
            patience: MapOptions::default().patience,
            sharing: Sharing::default(),
        }
    }

    /// Refuses options that contradict each other.
    ///
    /// # Errors
    /// If they do.
    pub fn consistent(&self) -> Result<(), QuestionError> {
        let seeks_plan = matches!(self.what, What::Plan | What::Both);
        if seeks_plan && self.shortest && self.minimize == Minimize::Cost {
            return Err(QuestionError::Options(
                "the shortest plan and the cheapest are different questions",
                "ask for one of them",
            ));
        }
        if seeks_plan && self.offers != Offers::Sparing && self.engine == Engine::AndOr {
            return Err(QuestionError::Options(
                "the engine and-or does not choose which actions a plan offers",
                "use the native engine",
            ));
        }
        if self.engine == Engine::AndOr && !self.after.is_empty() {
            return Err(QuestionError::Options(
                "the engine and-or begins at the start",
                "use the native engine to go on after what has happened",
            ));
        }
        let best = self.shortest || self.minimize == Minimize::Cost || self.prefer != Prefer::First;
        if seeks_plan && self.engine == Engine::AndOr && best {
            return Err(QuestionError::Options(
                "the engine and-or finds some plan, not the shortest or the cheapest, and some map, not the best",
                "use the native engine, or ask for any plan and any map",
            ));
        }
        Ok(())
    }

    /// The plan that the question is about, if there is one.
    ///
    /// # Errors
    /// If one is needed and there is none.
    pub(super) fn plan<'p>(&self, problem: &'p Problem) -> Result<Option<&'p Plan>, QuestionError> {
        let given = problem.plan.as_ref();
        match (self.what, given) {
            (What::Check, None) => Err(QuestionError::NeedsPlan("`check` needs one")),
            (What::Map, None) => Err(QuestionError::NeedsPlan("`seek map` needs one to find a map for")),
            (What::Audit, None) => match problem.observers().position(|o| o.knows == Knows::Plan) {
                None => Ok(None),
                Some(_) if problem.others.is_empty() => Err(QuestionError::Options(
                    "the observer knows the plan, but no plan is given",
                    "`audit` asks about whatever the robot may do: use `knows world`, or add a plan",
                )),
                Some(number) => Err(QuestionError::Refused(format!(
                    "{} knows the plan, but no plan is given; `audit` asks about whatever the robot may do: use `knows world`, add a plan, \
                     or ask about another observer alone (`--observer NAME`)",
                    problem.called(number)
                ))),
            },
            (What::Check | What::Map | What::Audit, given) => Ok(given),
            (What::Plan | What::Both, _) => Ok(None),
            (What::Maps, given) => Ok(given.filter(|_| !self.any_plan)),
        }
    }

    /// Refuses to seek a map where one is given, unless it is to be set aside.
    pub(super) fn seeks_map(&self, problem: &Problem) -> Result<(), QuestionError> {
        let given = problem.observers().all(|observer| observer.map.is_some());
        if given && !problem.others.is_empty() {
            return Err(QuestionError::Options(
                "every observer has a map, and this question seeks one",
                "remove the map of the observer it is sought for; `check` and `seek plan` take them as they are",
            ));
        }
        if given && !self.any_map {
            return Err(QuestionError::Options(
                "the observer has a map, and this question seeks one",
                "remove the map, or set it aside (--any-map); `check` and `seek plan` take it as it is",
            ));
        }
        Ok(())
    }

    pub(super) fn seek_options(&self) -> SeekOptions {
        let &Self { minimize, offers, threads, look_ahead, .. } = self;
        SeekOptions { minimize, offers, threads, look_ahead }
    }

    pub(super) fn map_options(&self) -> MapOptions {
        let plan = self.seek_options();
        let &Self { prefer, shortest, patience, sharing, .. } = self;
        MapOptions { prefer, shortest, patience, sharing, plan }
    }
}
