//! `divulge info`.

use std::io::{self, Write};

use divulge::{
    expansion::{Actions, expand},
    formula::{Clause, Logic, Predicate, Stipulations},
    problem::{Kind, Problem},
    question::QuestionError,
};
use divulge_render::json::{self, Clauses, Info};

use super::ask;
use crate::{
    arguments,
    output::{Terminal, answer},
    status::{Failure, Status},
};

/// Says how large the problem is.
pub fn run(asked: &arguments::Info, terminal: &Terminal) -> Result<Status, Failure> {
    ask(&asked.asking, terminal, |input, watch| {
        let info = measure(&input.problem, asked.clauses)?;
        watch.answered();
        answer(
            |out| if asked.asking.json { json::info(out, &info) } else { print(out, &input.problem, &info) },
        )?;
        Ok(Status::Yes)
    })
}

fn measure(problem: &Problem, clauses: bool) -> Result<Info, Failure> {
    let world = &problem.world;
    let labels =
        |kind| problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index())).count();
    let clauses = if clauses { Some(clausal(problem)?) } else { None };
    let expanded = expand(world, Actions::Some).graph;
    Ok(Info {
        world: [world.graph.len(), world.graph.arc_count(), world.graph.initial().len(), world.goal.count()],
        labels: [labels(Kind::Action), labels(Kind::Observation)],
        expanded: [expanded.len(), expanded.arc_count()],
        state_determined: world.graph.is_state_determined(),
        clauses,
    })
}

fn clausal(problem: &Problem) -> Result<Vec<Clauses>, QuestionError> {
    let all = Stipulations::compile(&problem.world, &problem.observer.stipulations)
        .map_err(|(i, e)| QuestionError::Formula(i, e))?;
    let one = |c: &Clause| (text(c, all.masks()), c.is_dual_horn());
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

/// A clause as a formula: the estimate meets some mask, or it is known not to.
fn text(clause: &Clause, masks: &[Predicate]) -> String {
    let mask = |m: &u32| &masks[*m as usize];
    let negative = clause.negative.iter().map(|m| match mask(m) {
        Logic::Not(p) => format!("knows({p})"),
        p => format!("!possible({p})"),
    });
    let positive = clause.positive.iter().map(|m| format!("possible({})", mask(m)));
    let literals: Vec<String> = negative.chain(positive).collect();
    if literals.is_empty() { "false".to_owned() } else { literals.join(" | ") }
}

fn print(out: &mut dyn Write, problem: &Problem, info: &Info) -> io::Result<()> {
    let [vertices, edges, initial, goal] = info.world;
    let [actions, observations] = info.labels;
    let [sets, set_edges] = info.expanded;
    if let Some(name) = &problem.name {
        writeln!(out, "{name}")?;
    }
    writeln!(out, "world:    {vertices} vertices ({initial} initial, {goal} goal), {edges} edges")?;
    writeln!(out, "          {actions} actions, {observations} observations")?;
    let determined = if info.state_determined { " (the world is state-determined)" } else { "" };
    writeln!(out, "expanded: {sets} vertices, {set_edges} edges{determined}")?;
    for s in info.clauses.iter().flatten() {
        writeln!(out, "stipulation `{}`, {}:", s.name, s.scope)?;
        let Some(clauses) = &s.clauses else {
            writeln!(out, "  too many clauses to list")?;
            continue;
        };
        if clauses.is_empty() {
            writeln!(out, "  no clauses: it always holds")?;
        }
        for (clause, dual_horn) in clauses {
            writeln!(out, "  {clause}{}", if *dual_horn { "    [dual-Horn]" } else { "" })?;
        }
    }
    Ok(())
}
