//! Everything that is needed to follow executions in one situation.

use divulge::{
    formula::Stipulations,
    limit::Monitor,
    observer::{Divulged, Tracker},
    problem::{Label, PGraph, Plan, Vertex},
    verdict::QuestionError,
};

use crate::situation::Situation;

/// What does not change as executions are followed.
pub(crate) struct Ground<'a> {
    pub situation: &'a Situation,
    pub stipulations: Stipulations,
    pub divulged: Divulged<'a>,
    /// The plan's graph up to where it terminates.
    pub plan: Option<PGraph>,
}

impl<'a> Ground<'a> {
    pub fn new(situation: &'a Situation) -> Result<Self, QuestionError> {
        let problem = &situation.problem;
        let kind = problem.world.graph.initial_kind();
        if problem.plan.as_ref().is_some_and(|plan| plan.graph.initial_kind() != kind) {
            return Err(QuestionError::OtherKind("the plan"));
        }
        let stipulations = Stipulations::compile(&problem.world, &problem.observer.stipulations)
            .map_err(|(i, e)| QuestionError::Formula(i, e))?;
        let divulged = Divulged::new(problem, problem.plan.as_ref())?;
        let plan = problem.plan.as_ref().map(Plan::effective);
        Ok(Self { situation, stipulations, divulged, plan })
    }

    /// The observer, who has seen nothing yet; none if nothing whatever is expected.
    pub fn tracker(&self, monitor: &dyn Monitor) -> Result<Option<Tracker<'_>>, QuestionError> {
        let problem = &self.situation.problem;
        let Some(tracked) = &self.divulged.tracked else { return Ok(None) };
        Tracker::within(problem, self.situation.map(), tracked, &self.stipulations, monitor).map(Some)
    }
}

/// The vertices that one more event reaches from a set, ascending.
pub(crate) fn follow(graph: &PGraph, set: &[Vertex], label: Label) -> Vec<Vertex> {
    let mut next: Vec<Vertex> = set.iter().flat_map(|&v| graph.step(v, label)).map(|arc| arc.to).collect();
    next.sort_unstable();
    next.dedup();
    next
}
