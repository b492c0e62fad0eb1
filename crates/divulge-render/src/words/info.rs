//! `info`: how large a problem is, and its stipulations as clauses.

use std::collections::BTreeSet;

use divulge::{
    expansion::Expansion,
    formula::{Clause, Compiled, Stipulations, resolve},
    problem::{Kind, Problem, Vertex},
    verdict::QuestionError,
};

use super::{
    clause::{formula, over_vertices},
    layout::{beside, clean, count, glue, paragraph},
    map::{label_map, sought_map},
    observer::{observer, scoped},
    style::Style,
};

/// What clauses are written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Over {
    /// Predicates of vertices, as in the stipulations.
    #[default]
    Predicates,
    /// Single vertices, as in the paper.
    Vertices,
}

/// More clauses than this are not written out.
const CLAUSES: u128 = 500;

/// The problem's size, its observer and its stipulations.
pub fn info(problem: &Problem, expansion: &Expansion, style: Style) -> String {
    let world = &problem.world;
    let kinds = |kind| world.graph.vertices().filter(|&v| world.graph.kind(v) == kind).count();
    let labels =
        |kind| problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index())).count();
    let mut out = String::new();
    if let Some(name) = &problem.name {
        out += &format!("{}\n", style.strong(&clean(name)));
    }
    let facts = [
        (
            "world",
            format!(
                "{} ({} of actions, {} of observations), {}, {} initial, {} goal",
                count(world.graph.len(), "vertex"),
                kinds(Kind::Action),
                kinds(Kind::Observation),
                count(world.graph.arc_count(), "edge"),
                world.graph.initial().len(),
                world.goal.count(),
            ),
        ),
        (
            "labels",
            format!(
                "{}, {}",
                count(labels(Kind::Action), "action"),
                count(labels(Kind::Observation), "observation")
            ),
        ),
        (
            "expanded",
            format!(
                "{}, {}{}",
                count(expansion.graph.len(), "vertex"),
                count(expansion.graph.arc_count(), "edge"),
                if world.graph.is_state_determined() { "; the robot always knows where it is" } else { "" },
            ),
        ),
    ];
    for (what, fact) in facts {
        out += &beside(what, 10, &fact, style);
    }
    if let Some(plan) = &problem.plan {
        let (size, edges) = (count(plan.graph.len(), "vertex"), count(plan.graph.arc_count(), "edge"));
        out += &format!("{:10}{size}, {edges}, {} terminal\n", "plan", plan.terminal.count());
    }
    out += "\n";
    out += &paragraph(&observer(problem), 0, 0, style);
    match &problem.observer.map {
        Some(map) => out += &label_map(problem, map, style),
        None => out += &sought_map(problem, style),
    }
    for stipulation in &problem.observer.stipulations {
        out += &paragraph(&scoped(stipulation), 2, 6, style);
    }
    out
}

/// The stipulations in clausal form, each clause with whether it is dual-Horn.
///
/// # Errors
/// If a stipulation does not fit the world.
pub fn clauses(
    problem: &Problem,
    compiled: &Stipulations,
    over: Over,
    style: Style,
) -> Result<String, QuestionError> {
    let mut out = String::new();
    for (stipulation, one) in problem.observer.stipulations.iter().zip(compiled.all()) {
        out += &paragraph(&scoped(stipulation), 0, 4, style);
        out += &match over {
            Over::Predicates => by_predicates(compiled, one, style),
            Over::Vertices => by_vertices(problem, compiled, one, style)?,
        };
    }
    if compiled.all().is_empty() {
        out += "Nothing is stipulated.\n";
    }
    Ok(out)
}

fn by_predicates(compiled: &Stipulations, one: &Compiled, style: Style) -> String {
    let Some(clauses) = one.clauses() else { return too_many(style) };
    if clauses.is_empty() {
        return none(style);
    }
    let numbered = clauses.iter().enumerate();
    numbered
        .map(|(i, clause)| line(i, &formula(&compiled.plain(clause)), clause.negative.len(), style))
        .collect()
}

fn by_vertices(
    problem: &Problem,
    compiled: &Stipulations,
    one: &Compiled,
    style: Style,
) -> Result<String, QuestionError> {
    let Some(clauses) = one.clauses() else { return Ok(too_many(style)) };
    let world = &problem.world;
    let mut members: Vec<Vec<Vertex>> = Vec::new();
    for predicate in compiled.masks() {
        let set = resolve::vertices(world, predicate).map_err(|e| QuestionError::Formula {
            observer: 0,
            number: 0,
            e,
        })?;
        members.push(set.iter().map(|v| Vertex(v as u32)).collect());
    }
    // A negative literal over a set says that every one of its vertices is absent: one clause for each choice.
    let choices = |clause: &Clause| -> u128 {
        clause.negative.iter().fold(1, |all, &m| all.saturating_mul(members[m as usize].len() as u128))
    };
    if clauses.iter().fold(0u128, |all, clause| all.saturating_add(choices(clause))) > CLAUSES {
        return Ok(too_many(style));
    }
    let mut found: BTreeSet<(Vec<Vertex>, Vec<Vertex>)> = BTreeSet::new();
    for clause in clauses {
        let mut positive: Vec<Vertex> =
            clause.positive.iter().flat_map(|&m| members[m as usize].iter().copied()).collect();
        positive.sort_unstable();
        positive.dedup();
        let mut negatives: Vec<Vec<Vertex>> = vec![Vec::new()];
        for &mask in &clause.negative {
            let with = |v: Vertex| negatives.iter().map(move |before| [&before[..], &[v]].concat());
            negatives = members[mask as usize].iter().flat_map(|&v| with(v)).collect();
        }
        for mut negative in negatives {
            negative.sort_unstable();
            negative.dedup();
            if negative.iter().all(|v| positive.binary_search(v).is_err()) {
                found.insert((positive.clone(), negative));
            }
        }
    }
    if found.is_empty() {
        return Ok(none(style));
    }
    let text = |(positive, negative): &(Vec<Vertex>, Vec<Vertex>)| {
        (over_vertices(positive, negative, |v| world.name(v).to_owned()), negative.len())
    };
    let each = found.iter().map(text).enumerate();
    Ok(each.map(|(i, (text, negative))| line(i, &text, negative, style)).collect())
}

fn none(style: Style) -> String {
    paragraph("(no clause: it always holds)", 2, 2, style)
}

/// A clause with this many negative literals: at most one makes it dual-Horn.
fn line(number: usize, text: &str, negative: usize, style: Style) -> String {
    let flag = match negative {
        0 | 1 => "[dual-Horn]".to_owned(),
        several => format!("[not dual-Horn: {several} negative literals]"),
    };
    paragraph(&format!("{}. {text}  {}", number + 1, glue(&flag)), 2, 6, style)
}

fn too_many(style: Style) -> String {
    paragraph("(too many clauses to write out; the formula is used as it stands)", 2, 2, style)
}
