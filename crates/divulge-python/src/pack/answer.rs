//! Answers as bytes, beside their problem.

use std::sync::Arc;

use divulge::{
    Limit, Question, Verdict,
    ask::{Checked, Engine, What},
    limit::Progress,
    maps::Prefer,
    problem::{Arc as Edge, Label, LabelMap, PGraphBuilder, Plan, Problem as Core, Vertex},
    seek::{Minimize, Offers},
    sets::BitSet,
    verdict::{Choices, Classified, FoundMap, FoundPlan, Frontier, Reason, SoFar, Violation, WorstCase},
};
use pyo3::{prelude::*, types::PyBytes};

use super::{
    codec::{Read, Reader, Torn, Writer},
    world::{read_arcs, read_shape, write_arcs, write_graph},
};
use crate::{
    answer::Answered,
    graph,
    limits::{Given, Limits},
    problem::Problem,
    question::{Answer, Native, native},
};

const MARK: &[u8] = b"divulge-answer/1\n";

const WHAT: [What; 6] = [What::Check, What::Audit, What::Plan, What::Map, What::Both, What::Maps];
const PREFER: [Prefer; 4] = [Prefer::First, Prefer::Finest, Prefer::Coarsest, Prefer::Cheapest];
const OFFERS: [Offers; 3] = [Offers::Sparing, Offers::Permissive, Offers::Deterministic];
const MINIMIZE: [Minimize; 2] = [Minimize::Events, Minimize::Cost];
const ENGINE: [Engine; 2] = [Engine::Native, Engine::AndOr];
const LIMIT: [Limit; 3] = [Limit::Time, Limit::Memory, Limit::Interrupt];
const CHECKED: [Checked; 2] = [Checked::Sample, Checked::All];
const CHOICES: [Choices; 2] = [Choices::Open, Choices::Needed];
const REASON: [Reason; 7] = [
    Reason::UnsafeAction,
    Reason::UnforeseenObservation,
    Reason::TerminatesOffGoal,
    Reason::Stuck,
    Reason::Unbounded,
    Reason::OutsideDivulged,
    Reason::Stipulation,
];

/// The answer as bytes, without its problem and without what explains it.
#[pyfunction]
pub fn pack_answer<'py>(py: Python<'py>, answer: Native<'py>) -> Bound<'py, PyBytes> {
    let answered = answer.answered();
    let mut w = Writer { out: MARK.to_vec() };
    let answer = &*answered.answer;
    question(&mut w, &answer.question);
    let work = &answer.work;
    for n in [work.explored, work.stored, work.arcs, work.members, work.maps, work.learnt] {
        w.number(n);
    }
    verdict(&mut w, &answered.problem, &answer.verdict);
    PyBytes::new(py, &w.out)
}

/// The answer that was bytes; `problem` must be the one that it answers.
#[pyfunction]
pub fn unpack_answer(
    py: Python<'_>,
    problem: &Problem,
    packed: &Bound<'_, PyBytes>,
    given: Given,
) -> PyResult<Answer> {
    let core = &problem.inner;
    let answer = read(packed.as_bytes(), core).map_err(|e| e.raise(py, "answer to this problem"))?;
    native(py, Answered::new(core, answer, Limits::read(py, given)?))
}

fn read(packed: &[u8], problem: &Core) -> Read<divulge::Answer> {
    let mut r = Reader::new(packed, MARK)?;
    let question = read_question(&mut r, problem)?;
    let work = Progress {
        doing: "",
        explored: r.number()?,
        stored: r.number()?,
        arcs: r.number()?,
        members: r.number()?,
        maps: r.number()?,
        learnt: r.number()?,
        again: false,
    };
    let verdict = read_verdict(&mut r, problem)?;
    r.end()?;
    Ok(divulge::Answer { question, verdict, work, stipulations: Arc::default() })
}

/// One of a few words, by its place in their list.
fn word<T: PartialEq>(w: &mut Writer, all: &[T], one: &T) {
    w.out.push(all.iter().position(|other| other == one).unwrap_or(0) as u8);
}

fn read_word<T: Copy>(r: &mut Reader<'_>, all: &[T]) -> Read<T> {
    all.get(usize::from(r.byte()?)).copied().ok_or(Torn)
}

fn question(w: &mut Writer, question: &Question) {
    word(w, &WHAT, &question.what);
    word(w, &MINIMIZE, &question.minimize);
    word(w, &OFFERS, &question.offers);
    word(w, &PREFER, &question.prefer);
    word(w, &ENGINE, &question.engine);
    labels(w, &question.after);
    for flag in [question.shortest, question.any_map, question.any_plan] {
        w.out.push(u8::from(flag));
    }
    w.number(question.threads as u64);
}

fn read_question(r: &mut Reader<'_>, problem: &Core) -> Read<Question> {
    let question = Question::new(read_word(r, &WHAT)?);
    Ok(Question {
        minimize: read_word(r, &MINIMIZE)?,
        offers: read_word(r, &OFFERS)?,
        prefer: read_word(r, &PREFER)?,
        engine: read_word(r, &ENGINE)?,
        after: read_labels(r, problem)?,
        shortest: r.flag()?,
        any_map: r.flag()?,
        any_plan: r.flag()?,
        threads: r.short()? as usize,
        ..question
    })
}

fn verdict(w: &mut Writer, problem: &Core, verdict: &Verdict) {
    match verdict {
        Verdict::Holds { worst_case } => {
            w.out.push(0);
            w.maybe(*worst_case, worst);
        }
        Verdict::Violated { violation: found, .. } => {
            w.out.push(1);
            violation(w, found);
        }
        Verdict::Found { found, checked, .. } => {
            w.out.push(2);
            word(w, &CHECKED, checked);
            found_map(w, problem, found);
        }
        Verdict::Frontier { frontier, checked } => {
            w.out.push(3);
            word(w, &CHECKED, checked);
            w.wide(frontier.feasible);
            w.wide(frontier.maps);
            w.number(frontier.regions);
            for all in [&frontier.finest, &frontier.coarsest] {
                w.each(all, |w, found| found_map(w, problem, found));
            }
        }
        Verdict::None { maps, otherwise, .. } => {
            w.out.push(4);
            w.maybe(*maps, Writer::wide);
            w.maybe(*otherwise, |w, otherwise| w.out.push(u8::from(otherwise)));
        }
        Verdict::Unknown { limit, best } => {
            w.out.push(5);
            word(w, &LIMIT, limit);
            w.maybe(best.as_deref(), |w, best| so_far(w, problem, best));
        }
    }
}

fn read_verdict(r: &mut Reader<'_>, problem: &Core) -> Read<Verdict> {
    Ok(match r.byte()? {
        0 => Verdict::Holds { worst_case: r.maybe(read_worst)? },
        1 => Verdict::Violated { violation: Box::new(read_violation(r, problem)?), explanation: None },
        2 => {
            let checked = read_word(r, &CHECKED)?;
            Verdict::Found { found: Box::new(read_found_map(r, problem)?), checked, account: None }
        }
        3 => {
            let checked = read_word(r, &CHECKED)?;
            let (feasible, maps, regions) = (r.wide()?, r.wide()?, r.number()?);
            let finest = r.each(|r| read_found_map(r, problem))?;
            let coarsest = r.each(|r| read_found_map(r, problem))?;
            let frontier = Frontier { feasible, maps, finest, coarsest, regions };
            Verdict::Frontier { frontier: Box::new(frontier), checked }
        }
        4 => Verdict::None { why: None, maps: r.maybe(Reader::wide)?, otherwise: r.maybe(Reader::flag)? },
        5 => Verdict::Unknown {
            limit: read_word(r, &LIMIT)?,
            best: r.maybe(|r| read_so_far(r, problem))?.map(Box::new),
        },
        _ => return Err(Torn),
    })
}

fn so_far(w: &mut Writer, problem: &Core, best: &SoFar) {
    match best {
        SoFar::Plan(found) => {
            w.out.push(0);
            plan(w, &found.plan);
            worst(w, found.worst_case);
            word(w, &CHOICES, &found.choices);
        }
        SoFar::Map(found) => {
            w.out.push(1);
            found_map(w, problem, found);
        }
        SoFar::Maps(Classified { feasible, infeasible, maps }) => {
            w.out.push(2);
            [feasible, infeasible, maps].into_iter().for_each(|n| w.wide(*n));
        }
    }
}

fn read_so_far(r: &mut Reader<'_>, problem: &Core) -> Read<SoFar> {
    Ok(match r.byte()? {
        0 => SoFar::Plan(FoundPlan {
            plan: read_plan(r, problem)?,
            worst_case: read_worst(r)?,
            choices: read_word(r, &CHOICES)?,
        }),
        1 => SoFar::Map(read_found_map(r, problem)?),
        2 => SoFar::Maps(Classified { feasible: r.wide()?, infeasible: r.wide()?, maps: r.wide()? }),
        _ => return Err(Torn),
    })
}

fn worst(w: &mut Writer, WorstCase { events, cost }: WorstCase) {
    w.number(events);
    w.number(cost);
}

fn read_worst(r: &mut Reader<'_>) -> Read<WorstCase> {
    Ok(WorstCase { events: r.number()?, cost: r.number()? })
}

fn found_map(w: &mut Writer, problem: &Core, found: &FoundMap) {
    for label in problem.alphabet.labels() {
        w.maybe(found.map.look(label), Writer::text);
    }
    plan(w, &found.plan);
    worst(w, found.worst_case);
    word(w, &CHOICES, &found.choices);
    w.number(found.merge_cost);
}

fn read_found_map(r: &mut Reader<'_>, problem: &Core) -> Read<FoundMap> {
    let looks = problem.alphabet.labels().map(|_| r.maybe(Reader::text)).collect::<Read<Vec<_>>>()?;
    Ok(FoundMap {
        map: LabelMap::seen_from_fn(&problem.alphabet, |label| looks[label.index()]),
        plan: read_plan(r, problem)?,
        worst_case: read_worst(r)?,
        choices: read_word(r, &CHOICES)?,
        merge_cost: r.number()?,
    })
}

fn plan(w: &mut Writer, plan: &Plan) {
    write_graph(w, &plan.graph, &plan.names, &plan.terminal);
    write_arcs(w, plan.graph.all_arcs().flat_map(|(v, Edge { label, to })| [v.0, label.0, to.0]));
}

fn read_plan(r: &mut Reader<'_>, problem: &Core) -> Read<Plan> {
    let shape = read_shape(r)?;
    let mut b = PGraphBuilder::new();
    for &kind in &shape.kinds {
        b.vertex(graph::kind(kind != 0));
    }
    for &v in &shape.initial {
        b.initial(Vertex(v));
    }
    for [from, label, to] in read_arcs(r)? {
        if label as usize >= problem.alphabet.len() {
            return Err(Torn);
        }
        b.arc(Vertex(from), Label(label), Vertex(to));
    }
    let graph = b.build().map_err(|_| Torn)?;
    let mut terminal = BitSet::new(graph.len());
    for &v in &shape.marked {
        if v as usize >= graph.len() {
            return Err(Torn);
        }
        terminal.insert(v as usize);
    }
    Ok(Plan { graph, names: shape.names.iter().map(String::as_str).collect(), terminal })
}

fn labels(w: &mut Writer, all: &[Label]) {
    w.each(all, |w, label| w.number(u64::from(label.0)));
}

fn read_labels(r: &mut Reader<'_>, problem: &Core) -> Read<Vec<Label>> {
    r.each(|r| read_label(r, problem))
}

fn read_label(r: &mut Reader<'_>, problem: &Core) -> Read<Label> {
    let label = Label(r.short()?);
    if label.index() < problem.alphabet.len() { Ok(label) } else { Err(Torn) }
}

fn violation(w: &mut Writer, v: &Violation) {
    word(w, &REASON, &v.reason);
    labels(w, &v.execution);
    w.maybe(v.cycle.as_deref(), labels);
    w.maybe(v.event, |w, label| w.number(u64::from(label.0)));
    w.maybe(v.at, |w, (a, b)| [a, b].into_iter().for_each(|v| w.number(u64::from(v.0))));
    w.number(v.observer as u64);
    w.maybe(v.stipulation, |w, n| w.number(n as u64));
    w.maybe(v.moment, |w, n| w.number(n as u64));
    w.maybe(v.estimate.as_deref(), |w, all| w.each(all, |w, v| w.number(u64::from(v.0))));
}

fn read_violation(r: &mut Reader<'_>, problem: &Core) -> Read<Violation> {
    let vertex = |r: &mut Reader<'_>, count: usize| {
        let v = Vertex(r.short()?);
        if v.index() < count { Ok(v) } else { Err(Torn) }
    };
    let (vertices, planned) =
        (problem.world.graph.len(), problem.plan.as_ref().map_or(usize::MAX, |p| p.graph.len()));
    let found = Violation {
        reason: read_word(r, &REASON)?,
        execution: read_labels(r, problem)?,
        cycle: r.maybe(|r| read_labels(r, problem))?,
        event: r.maybe(|r| read_label(r, problem))?,
        at: r.maybe(|r| Ok((vertex(r, planned)?, vertex(r, vertices)?)))?,
        observer: r.short()? as usize,
        stipulation: r.maybe(|r| Ok(r.short()? as usize))?,
        moment: r.maybe(|r| Ok(r.short()? as usize))?,
        estimate: r.maybe(|r| r.each(|r| vertex(r, vertices)))?,
    };
    let observer = problem.observers().nth(found.observer).ok_or(Torn)?;
    if found.stipulation.is_some_and(|n| n >= observer.stipulations.len()) {
        return Err(Torn);
    }
    Ok(found)
}
