//! Everything that is needed to follow executions in one situation.

use divulge::{
    limit::Monitor,
    observer::Tracked,
    problem::{PGraph, Plan},
    setting::Setting,
    verdict::QuestionError,
};

use crate::situation::Situation;

/// What does not change as executions are followed.
pub(crate) struct Posed<'a> {
    pub situation: &'a Situation,
    pub setting: Setting<'a>,
    /// The plan's graph up to where it terminates.
    pub plan: Option<PGraph>,
}

impl<'a> Posed<'a> {
    pub fn new(situation: &'a Situation, monitor: &'a dyn Monitor) -> Result<Self, QuestionError> {
        let plan = situation.problem.plan.as_ref();
        let setting = Setting::pose(&situation.problem, plan, monitor)?;
        (0..situation.observers()).try_for_each(|number| setting.divulged_to(number).map(|_| ()))?;
        Ok(Self { situation, setting, plan: plan.map(Plan::effective) })
    }

    /// What an observer reckons with; nothing if it expects nothing whatever.
    pub fn tracked(&self, observer: usize) -> Option<&Tracked<'a>> {
        self.setting.divulged_to(observer).ok()?.tracked.as_ref()
    }
}
