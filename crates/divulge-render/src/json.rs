//! Answers as JSON: one object each, on one line. Plans and maps have the shape that they have in a document.

use std::io::{self, Write};

use divulge::{
    ask::{Answer, Checked, Verdict, What},
    formula::{Logic, PlainClause},
    limit::Limit,
    problem::{LabelMap, Problem, Scope, Stipulation, Vertex},
    verdict::{Choices, Classified, FoundMap, Frontier, SoFar, Violation, WorstCase},
};
use divulge_model::document::write::{self, Json, Layout};

fn line<W: Write>(out: W, fields: impl FnOnce(&mut Json<W>) -> io::Result<()>) -> io::Result<()> {
    let mut json = Json::new(out);
    json.object(Layout::Inline, fields)?;
    json.finish()?.flush()
}

/// Any answer.
///
/// # Errors
/// Those of `out`.
pub fn answer(out: impl Write, problem: &Problem, answer: &Answer) -> io::Result<()> {
    match &answer.verdict {
        Verdict::Holds { .. } => line(out, |j| j.text_field("verdict", "holds")),
        Verdict::Violated { violation, .. } => violated(out, problem, violation),
        Verdict::Found { found, checked, .. } => {
            let sought = matches!(answer.question.what, What::Plan | What::Both);
            self::found(out, problem, found, sought, *checked)
        }
        Verdict::Frontier { frontier, checked } => self::frontier(out, problem, frontier, Some(*checked)),
        Verdict::None { maps: Some(maps), .. } => {
            let none = Frontier { maps: *maps, ..Frontier::default() };
            self::frontier(out, problem, &none, None)
        }
        Verdict::None { maps: None, otherwise, .. } => line(out, |j| {
            j.text_field("verdict", "none")?;
            let word = |found: bool| if found { "found" } else { "none" };
            otherwise.map_or(Ok(()), |found| j.text_field("without_deterministic", word(found)))
        }),
        Verdict::Unknown { limit, best: None } => unknown(out, *limit),
        Verdict::Unknown { limit, best: Some(best) } => unknown_but(out, *limit, problem, best),
    }
}

fn violated(out: impl Write, problem: &Problem, v: &Violation) -> io::Result<()> {
    let name = |l: &divulge::problem::Label| problem.alphabet.name(*l);
    line(out, |j| {
        j.text_field("verdict", "violated")?;
        j.text_field("reason", v.reason.word())?;
        j.texts_field("execution", v.execution.iter().map(name))?;
        if let Some(cycle) = &v.cycle {
            j.texts_field("cycle", cycle.iter().map(name))?;
        }
        if let Some(event) = &v.event {
            j.text_field("event", name(event))?;
        }
        if let Some((plan, world)) = v.at.filter(|_| v.reason != divulge::verdict::Reason::Stipulation) {
            j.text_field("at", problem.world.name(world))?;
            if let Some(p) = &problem.plan {
                j.text_field("plan_at", p.name(plan))?;
            }
        }
        // With several observers, most reasons are nobody's in particular.
        let whose = v.is_observers() || problem.others.is_empty();
        let observer = problem.observers().nth(v.observer).filter(|_| whose);
        if let Some(map) = observer.and_then(|observer| observer.map.as_ref()) {
            j.texts_field("image", v.execution.iter().filter_map(|&l| map.look(l)))?;
        }
        if let Some(estimate) = &v.estimate {
            j.texts_field("estimate", estimate.iter().map(|&w: &Vertex| problem.world.name(w)))?;
        }
        if let Some(name) = observer.filter(|_| v.is_observers()).and_then(|observer| observer.name.as_ref())
        {
            j.text_field("observer", name)?;
        }
        if let Some((observer, i)) = observer.zip(v.stipulation) {
            j.text_field("stipulation", &observer.stipulations[i].name)?;
        }
        v.moment.map_or(Ok(()), |moment| j.plain_field("moment", moment))
    })
}

fn found(
    out: impl Write,
    problem: &Problem,
    found: &FoundMap,
    sought: bool,
    checked: Checked,
) -> io::Result<()> {
    line(out, |j| {
        j.text_field("verdict", "found")?;
        j.key("plan")?;
        write::plan(j, &found.plan, &problem.alphabet)?;
        maps(j, problem, Some(&found.map))?;
        j.key("worst_case")?;
        worst_case(j, found.worst_case)?;
        if sought {
            let places = found.plan.choosing();
            j.texts_field("must_be_unpredictable", places.iter().map(|&v| found.plan.name(v)))?;
            j.plain_field("irredundant", found.choices == Choices::Needed)?;
        }
        j.text_field("checked", checked.word())
    })
}

/// The observer's map, or everybody's by name; `sought` is that of the observer whose map is sought.
fn maps<W: Write>(j: &mut Json<W>, problem: &Problem, sought: Option<&LabelMap>) -> io::Result<()> {
    let map = |number: usize, given: &Option<LabelMap>| match sought {
        Some(map) if number == problem.sought() => Some(map.clone()),
        _ => given.clone(),
    };
    if problem.others.is_empty() {
        let Some(map) = map(0, &problem.observer.map) else { return Ok(()) };
        j.key("map")?;
        return write::map(j, &map, &problem.alphabet);
    }
    j.key("maps")?;
    j.object(Layout::Inline, |j| {
        for (number, observer) in problem.observers().enumerate() {
            if let Some(map) = map(number, &observer.map) {
                j.key(&problem.observer_name(number))?;
                write::map(j, &map, &problem.alphabet)?;
            }
        }
        Ok(())
    })
}

/// Writes how bad it can get.
///
/// # Errors
/// Those of the output.
pub fn worst_case<W: Write>(j: &mut Json<W>, worst: WorstCase) -> io::Result<()> {
    j.object(Layout::Inline, |j| {
        j.plain_field("events", worst.events)?;
        j.plain_field("cost", worst.cost)
    })
}

/// The answer to SEEK every map, whether there is one or not.
fn frontier(
    out: impl Write,
    problem: &Problem,
    frontier: &Frontier,
    checked: Option<Checked>,
) -> io::Result<()> {
    let Frontier { feasible, maps, finest, coarsest, .. } = frontier;
    line(out, |j| {
        j.text_field("verdict", if *feasible == 0 { "none" } else { "found" })?;
        j.plain_field("feasible", *feasible)?;
        j.plain_field("maps", *maps)?;
        for (key, list) in [("finest", finest), ("coarsest", coarsest)] {
            j.key(key)?;
            j.list(Layout::Inline, |j| list.iter().try_for_each(|found| one_map(j, problem, found)))?;
        }
        checked.map_or(Ok(()), |checked| j.text_field("checked", checked.word()))
    })
}

fn one_map<W: Write>(j: &mut Json<W>, problem: &Problem, found: &FoundMap) -> io::Result<()> {
    j.object(Layout::Inline, |j| {
        j.key("map")?;
        write::map(j, &found.map, &problem.alphabet)?;
        j.key("worst_case")?;
        worst_case(j, found.worst_case)
    })
}

/// The answer that a limit was hit first.
///
/// # Errors
/// Those of `out`.
pub fn unknown(out: impl Write, limit: Limit) -> io::Result<()> {
    line(out, |j| {
        j.text_field("verdict", "unknown")?;
        j.text_field("limit", limit_word(limit))
    })
}

/// The answer that a limit was hit, with what had been found by then. Nothing of that is proven to be the best or all there is.
fn unknown_but(out: impl Write, limit: Limit, problem: &Problem, so_far: &SoFar) -> io::Result<()> {
    line(out, |j| {
        j.text_field("verdict", "unknown")?;
        j.text_field("limit", limit_word(limit))?;
        let (plan, map, worst) = match so_far {
            SoFar::Plan(found) => (&found.plan, None, found.worst_case),
            SoFar::Map(found) => (&found.plan, Some(&found.map), found.worst_case),
            SoFar::Maps(Classified { feasible, infeasible, maps }) => {
                j.plain_field("feasible_at_least", *feasible)?;
                j.plain_field("infeasible_at_least", *infeasible)?;
                j.plain_field("undecided", maps.saturating_sub(feasible.saturating_add(*infeasible)))?;
                return j.plain_field("maps", *maps);
            }
        };
        j.key("best")?;
        j.object(Layout::Inline, |j| {
            j.key("plan")?;
            write::plan(j, plan, &problem.alphabet)?;
            maps(j, problem, map)?;
            j.key("worst_case")?;
            worst_case(j, worst)?;
            j.plain_field("proven", false)
        })
    })
}

/// The word for a limit in answers.
pub fn limit_word(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "time",
        Limit::Memory => "memory",
        Limit::Interrupt => "interrupt",
    }
}

/// How large a problem is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Vertices, arcs, initial vertices and goal vertices of the world.
    pub world: [usize; 4],
    /// Actions and observations of the world.
    pub labels: [usize; 2],
    /// Vertices and arcs of the expanded world; or more vertices than this, which were not counted further.
    pub expanded: Result<[usize; 2], usize>,
    /// Whether every execution of the world reaches one vertex.
    pub state_determined: bool,
    /// For a file of another tool: what it is, and its sizes as people of its field count.
    pub source: Option<(&'static str, Vec<(&'static str, usize)>)>,
    /// The stipulations' clauses, where they are wanted.
    pub clauses: Option<Vec<Clauses>>,
    /// The observers, where there are several.
    pub observers: Vec<Watcher>,
}

/// One of several observers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watcher {
    /// Its name.
    pub name: String,
    /// What it knows of the plan.
    pub knows: &'static str,
    /// How it remembers.
    pub filter: &'static str,
    /// How many images it tells apart; `None` if its map is sought.
    pub images: Option<usize>,
    /// The labels that it does not see at all.
    pub unseen: Vec<String>,
    /// Its stipulations.
    pub stipulations: Vec<Stipulation>,
}

/// One stipulation in clausal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clauses {
    /// Whose stipulation it is, where there are several observers.
    pub observer: Option<String>,
    /// The stipulation's name.
    pub name: String,
    /// When it must hold.
    pub scope: &'static str,
    /// Each clause as text and whether it is dual-Horn; `None` if there are too many, or none since it is about more than one estimate.
    pub clauses: Option<Vec<(String, bool)>>,
}

/// A clause as a formula: the estimate meets some of its predicates, or it is known not to.
pub fn clause(clause: &PlainClause) -> String {
    let negative = clause.negative.iter().map(|mask| match mask {
        Logic::Not(p) => format!("knows({p})"),
        p => format!("!possible({p})"),
    });
    let positive = clause.positive.iter().map(|mask| format!("possible({mask})"));
    let literals: Vec<String> = negative.chain(positive).collect();
    if literals.is_empty() { "false".to_owned() } else { literals.join(" | ") }
}

/// How large a problem is, as an answer.
///
/// # Errors
/// Those of `out`.
pub fn info(out: impl Write, info: &Info) -> io::Result<()> {
    line(out, |j| {
        j.key("world")?;
        j.object(Layout::Inline, |j| {
            for (key, n) in ["vertices", "edges", "initial", "goal"].into_iter().zip(info.world) {
                j.plain_field(key, n)?;
            }
            j.plain_field("actions", info.labels[0])?;
            j.plain_field("observations", info.labels[1])
        })?;
        j.key("expanded")?;
        j.object(Layout::Inline, |j| match info.expanded {
            Ok([vertices, edges]) => {
                j.plain_field("vertices", vertices)?;
                j.plain_field("edges", edges)
            }
            Err(more) => j.plain_field("more_than", more),
        })?;
        j.plain_field("state_determined", info.state_determined)?;
        if let Some((format, counts)) = &info.source {
            j.key("source")?;
            j.object(Layout::Inline, |j| {
                j.text_field("format", format)?;
                counts.iter().try_for_each(|&(key, n)| j.plain_field(key, n))
            })?;
        }
        if !info.observers.is_empty() {
            j.key("observers")?;
            j.list(Layout::Inline, |j| info.observers.iter().try_for_each(|o| watcher(j, o)))?;
        }
        let Some(all) = &info.clauses else { return Ok(()) };
        j.key("clauses")?;
        j.list(Layout::Inline, |j| all.iter().try_for_each(|s| stipulation(j, s)))
    })
}

fn watcher<W: Write>(j: &mut Json<W>, o: &Watcher) -> io::Result<()> {
    j.object(Layout::Inline, |j| {
        j.text_field("name", &o.name)?;
        j.text_field("knows", o.knows)?;
        j.text_field("filter", o.filter)?;
        if let Some(images) = o.images {
            j.plain_field("images", images)?;
        }
        j.texts_field("unseen", o.unseen.iter().map(String::as_str))?;
        j.key("stipulations")?;
        j.list(Layout::Inline, |j| {
            o.stipulations.iter().try_for_each(|s| {
                j.object(Layout::Inline, |j| {
                    j.text_field("name", &s.name)?;
                    j.text_field("scope", s.scope.word())?;
                    if let Scope::Hindsight { within: Some(within) } = s.scope {
                        j.plain_field("within", u64::from(within))?;
                    }
                    j.text_field("formula", &s.formula.to_string())
                })
            })
        })
    })
}

fn stipulation<W: Write>(j: &mut Json<W>, s: &Clauses) -> io::Result<()> {
    j.object(Layout::Inline, |j| {
        if let Some(observer) = &s.observer {
            j.text_field("observer", observer)?;
        }
        j.text_field("stipulation", &s.name)?;
        j.text_field("scope", s.scope)?;
        let Some(clauses) = &s.clauses else { return j.plain_field("too_many", true) };
        j.key("clauses")?;
        j.list(Layout::Inline, |j| {
            clauses.iter().try_for_each(|(text, dual_horn)| {
                j.object(Layout::Inline, |j| {
                    j.text_field("clause", text)?;
                    j.plain_field("dual_horn", *dual_horn)
                })
            })
        })
    })
}
