//! `divulge info`.

use divulge::{
    expansion::Expansion,
    formula::{Clause, Stipulations},
    problem::{Kind, Problem},
    setting::Setting,
    verdict::QuestionError,
};
use divulge_render::{
    json::{self, Clauses, Info},
    words,
};

use super::reading;
use crate::{
    arguments::{self, Over},
    output::{Terminal, answer},
    status::{Failure, Status},
};

/// Says how large the problem is.
pub fn run(asked: &arguments::Info, terminal: &Terminal) -> Result<Status, Failure> {
    reading(&asked.asking, terminal, |input, watch| {
        let problem = &input.problem;
        let setting = Setting::pose(problem, None, watch)?;
        let expanded = setting.whole_expansion().map_err(QuestionError::from)?;
        let stipulations = setting.stipulations();
        if asked.asking.json {
            let info = measure(problem, expanded, asked.clauses.map(|_| stipulations));
            watch.answered();
            answer(|out| json::info(out, &info))?;
            return Ok(Status::Yes);
        }
        let style = terminal.style();
        let mut text = words::info(problem, expanded, style);
        if let Some(over) = asked.clauses {
            let over = match over {
                Over::Predicates => words::Over::Predicates,
                Over::Vertices => words::Over::Vertices,
            };
            text.push('\n');
            text += &words::clauses(problem, stipulations, over, style)?;
        }
        watch.answered();
        answer(|out| out.write_all(text.as_bytes()))?;
        Ok(Status::Yes)
    })
}

fn measure(problem: &Problem, expanded: &Expansion, clauses: Option<&Stipulations>) -> Info {
    let world = &problem.world;
    let labels =
        |kind| problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index())).count();
    Info {
        world: [world.graph.len(), world.graph.arc_count(), world.graph.initial().len(), world.goal.count()],
        labels: [labels(Kind::Action), labels(Kind::Observation)],
        expanded: [expanded.graph.len(), expanded.graph.arc_count()],
        state_determined: world.graph.is_state_determined(),
        clauses: clauses.map(clausal),
    }
}

fn clausal(all: &Stipulations) -> Vec<Clauses> {
    let one = |c: &Clause| (json::clause(&all.plain(c)), c.is_dual_horn());
    all.all()
        .iter()
        .map(|s| Clauses {
            name: s.name.clone(),
            scope: s.scope.word(),
            clauses: s.clauses().map(|clauses| clauses.iter().map(one).collect()),
        })
        .collect()
}
