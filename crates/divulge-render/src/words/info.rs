//! `info`: how large a problem is, and its stipulations as clauses.

use std::collections::BTreeSet;

use divulge::{
    formula::{Clause, Compiled, Stipulations, resolve},
    problem::{Kind, Label, Observer, Problem, Stipulation, Vertex},
    verdict::QuestionError,
};

use super::{
    clause::{formula, over_vertices},
    layout::{beside, clean, columns, count, glue, heading, paragraph},
    map::{label_map, sought_map},
    observer::{one, scoped},
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

/// The problem's size, its observers and their stipulations. Of the expanded world, the vertices and the arcs; or more vertices than so many, which were
/// not counted further.
pub fn info(problem: &Problem, expanded: Result<[usize; 2], usize>, alone: &str, style: Style) -> String {
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
                "{}{}",
                match expanded {
                    Ok([vertices, edges]) =>
                        format!("{}, {}", count(vertices, "vertex"), count(edges, "edge")),
                    Err(more) => format!("more than {}, not counted further", count(more, "vertex")),
                },
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
    let several = !problem.others.is_empty();
    let table = if several { looks(problem, style) } else { None };
    for observer in problem.observers() {
        out += "\n";
        out += &paragraph(&one(observer), 0, 0, style);
        match &observer.map {
            Some(_) if table.is_some() => {}
            Some(map) => out += &label_map(problem, map, style),
            None => out += &sought_map(problem, observer, style),
        }
        for stipulation in &observer.stipulations {
            out += &paragraph(&scoped(stipulation), 2, 6, style);
        }
    }
    if let Some(table) = table {
        out += &heading("What they see", style);
        out += &table;
    }
    if several {
        out +=
            &format!("\nA plan must keep what is stipulated of all of them; {alone} asks about one alone.\n");
    }
    if !problem.aside.is_empty() {
        let names: Vec<&str> = problem.aside.iter().filter_map(|o| o.name.as_deref()).collect();
        out += "\n";
        out += &paragraph(&format!("Not in question: {}.", names.join(", ")), 0, 0, style);
    }
    out
}

/// More lines than this are no longer looked at side by side.
const ROWS: usize = 60;

/// What each observer sees of each event, side by side; nothing if that is too wide or too long.
fn looks(problem: &Problem, style: Style) -> Option<String> {
    let observers: Vec<&Observer> = problem.observers().collect();
    let look = |o: &&Observer, l: Label| match &o.map {
        Some(map) => clean(map.shown(l)).into_owned(),
        None if o.constraints.unseen.contains(&l) => "(unseen)".to_owned(),
        None => "?".to_owned(),
    };
    let mut rows: Vec<(Kind, Vec<String>, Vec<String>)> = Vec::new();
    let own = problem.alphabet.labels().filter(|l| problem.world_labels.contains(l.index()));
    for label in own {
        let (kind, name) = (problem.alphabet.kind(label), clean(problem.alphabet.name(label)).into_owned());
        let seen: Vec<String> = observers.iter().map(|o| look(o, label)).collect();
        // Events that look the same to everybody share a line, unless all see them as they are.
        match rows.iter_mut().find(|(k, _, other)| *k == kind && *other == seen) {
            Some((_, names, _)) => names.push(name),
            None => rows.push((kind, vec![name], seen)),
        }
        if rows.len() > ROWS {
            return None;
        }
    }
    rows.sort_by_key(|(kind, ..)| *kind);
    let names = observers.iter().map(|o| clean(o.name.as_deref().unwrap_or_default()).into_owned());
    let mut lines = vec![std::iter::once("event".to_owned()).chain(names).collect::<Vec<String>>()];
    lines.extend(
        rows.into_iter().map(|(_, names, seen)| std::iter::once(names.join(", ")).chain(seen).collect()),
    );
    let widest = |i: usize| lines.iter().map(|line| columns(&line[i])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=observers.len()).map(widest).collect();
    if widths.iter().map(|w| w + 3).sum::<usize>() > style.width {
        return None;
    }
    let line = |cells: &Vec<String>| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("  {}", padded.collect::<Vec<_>>().join("   ")).trim_end().to_owned() + "\n"
    };
    Some(lines.iter().map(line).collect())
}

/// Whether a stipulation is about one estimate, and no way there, so that it has clauses.
pub fn has_clauses(stipulation: &Stipulation) -> bool {
    let formula = &stipulation.formula;
    !formula.is_temporal() && !formula.predicates().iter().any(|p| p.is_past())
}

/// An observer's stipulations in clausal form, each clause with whether it is dual-Horn. Those that [have clauses](has_clauses) are compiled.
///
/// # Errors
/// If a stipulation does not fit the world.
pub fn clauses(
    problem: &Problem,
    observer: &Observer,
    compiled: &Stipulations,
    over: Over,
    style: Style,
) -> Result<String, QuestionError> {
    let mut out = String::new();
    let mut all = compiled.all().iter();
    for stipulation in &observer.stipulations {
        out += &paragraph(&scoped(stipulation), 0, 4, style);
        let one = if has_clauses(stipulation) { all.next() } else { None };
        out += &match (one, over) {
            (None, _) => paragraph("(no clauses: it is about more than one estimate)", 2, 2, style),
            (Some(one), Over::Predicates) => by_predicates(compiled, one, style),
            (Some(one), Over::Vertices) => by_vertices(problem, compiled, one, style)?,
        };
    }
    if observer.stipulations.is_empty() {
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
