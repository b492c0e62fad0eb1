//! `divulge info`.

use divulge::{
    expansion::{Actions, Expansion, expand_within},
    formula::{Clause, Stipulations},
    problem::{Kind, Problem},
    verdict::QuestionError,
};
use divulge_render::{
    json::{self, Clauses, Info},
    words,
};

use super::ask;
use crate::{
    arguments::{self, Over},
    output::{Terminal, answer},
    say,
    status::{Failure, Status},
};

/// Says how large the problem is.
pub fn run(asked: &arguments::Info, terminal: &Terminal) -> Result<Status, Failure> {
    ask(&asked.asking, terminal, |input, watch| {
        let problem = &input.problem;
        let expanded = expand_within(&problem.world, Actions::Some, watch).map_err(QuestionError::from)?;
        watch.answered();
        let form = terminal.form(asked.asking.json);
        if !form.json {
            let over = asked.clauses.map(|over| match over {
                Over::Predicates => words::Over::Predicates,
                Over::Vertices => words::Over::Vertices,
            });
            return say::info(form.style, problem, &expanded, over);
        }
        let info = measure(problem, &expanded, asked.clauses.is_some())?;
        answer(|out| json::info(out, &info))?;
        Ok(Status::Yes)
    })
}

fn measure(problem: &Problem, expanded: &Expansion, clauses: bool) -> Result<Info, Failure> {
    let world = &problem.world;
    let labels =
        |kind| problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index())).count();
    Ok(Info {
        world: [world.graph.len(), world.graph.arc_count(), world.graph.initial().len(), world.goal.count()],
        labels: [labels(Kind::Action), labels(Kind::Observation)],
        expanded: [expanded.graph.len(), expanded.graph.arc_count()],
        state_determined: world.graph.is_state_determined(),
        clauses: if clauses { Some(clausal(problem)?) } else { None },
    })
}

fn clausal(problem: &Problem) -> Result<Vec<Clauses>, QuestionError> {
    let all = Stipulations::compile(&problem.world, &problem.observer.stipulations)
        .map_err(|(i, e)| QuestionError::Formula(i, e))?;
    let one = |c: &Clause| (json::clause(c, all.masks()), c.is_dual_horn());
    Ok(all
        .all()
        .iter()
        .map(|s| Clauses {
            name: s.name.clone(),
            scope: s.scope.word(),
            clauses: s.clauses().map(|clauses| clauses.iter().map(one).collect()),
        })
        .collect())
}
