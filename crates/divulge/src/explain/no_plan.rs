//! Why there is no plan: what the world, the divulged plan or the stipulations forbid, and what would help.
//!
//! *Practical.* Everything is decided by seeking plans for changed problems, so it serves every kind of observer. How much is
//! tried is bounded: the answer says where it is not the whole story.

use crate::{
    expansion::Expansion,
    formula::{Atom, Formula, Logic, PlainClause, Predicate, Stipulations},
    limit::Limit,
    problem::{Filter, Kind, Knows, Label, LabelMap, Observer, Problem, Stipulation, Vertex},
    seek::{Offers, SeekOptions, seek_plan},
    sets::BitSet,
    setting::Setting,
    verdict::{
        Change, Conflict, NoPlan, Obstacle, Part, QuestionError, Remedy, StuckPlace, Unsolvable,
        UnsureAction, WorstCase,
    },
};

/// How many places are shown where the robot gets stuck.
const PLACES: usize = 5;

/// How many changed problems are looked at.
const SEEKS: usize = 500;

/// Explains why [`seek_plan`] found nothing in a setting. If the monitor stops it, what is known by then is said.
///
/// # Errors
/// As [`seek_plan`], except that a limit is no error once it is known what kind of reason there is.
pub fn why_no_plan(
    setting: &Setting<'_>,
    map: &LabelMap,
    options: &SeekOptions,
) -> Result<NoPlan, QuestionError> {
    if let Some(stuck) = unsolvable(setting)? {
        return Ok(NoPlan::Unsolvable(stuck));
    }
    // Only how long plans get is told, so it does not matter what they offer.
    let deterministic = options.offers == Offers::Deterministic;
    let options = SeekOptions { offers: Offers::Permissive, ..*options };
    let mut inquiry = Inquiry { setting, map, options, parts: parts(setting), seeks: 0 };
    if deterministic && let Some(found) = seek_plan(setting, map, &options)? {
        return Ok(NoPlan::OnlyByChance(found.worst_case));
    }
    if inquiry.seek(inquiry.with(&[]), map)?.is_none() {
        let tried = inquiry.otherwise_known(&[Knows::GoalDirected, Knows::World]);
        let all_tried = tried.is_ok();
        return Ok(NoPlan::NotAdmitted { remedies: tried.unwrap_or_default(), all_tried });
    }
    Ok(NoPlan::Conflict(inquiry.conflict()?))
}

/// Where the robot gets stuck, if no plan solves the world.
pub(super) fn unsolvable(setting: &Setting<'_>) -> Result<Option<Unsolvable>, Limit> {
    let expansion = setting.expansion()?;
    let rank = expansion.ranks();
    let stuck = || stuck(setting.problem(), expansion, rank);
    Ok((rank[expansion.initial().index()] == u32::MAX).then(stuck))
}

/// A part of a stipulation and the stipulation that says just that.
pub(crate) struct Clausal {
    pub(crate) part: Part,
    pub(crate) says: Stipulation,
}

pub(crate) fn parts(setting: &Setting<'_>) -> Vec<Clausal> {
    let each = setting.observers().iter().enumerate();
    each.flat_map(|(number, posed)| parts_of(number, &posed.stipulations, &posed.observer.stipulations))
        .collect()
}

fn parts_of(observer: usize, compiled: &Stipulations, stipulations: &[Stipulation]) -> Vec<Clausal> {
    let mut parts = Vec::new();
    for (stipulation, (own, whole)) in compiled.all().iter().zip(stipulations).enumerate() {
        match own.clauses().filter(|_| own.run().is_none()) {
            None => {
                let part = Part { observer, stipulation, clause: None };
                parts.push(Clausal { part, says: whole.clone() });
            }
            Some(clauses) => parts.extend(clauses.iter().map(|clause| {
                let clause = compiled.plain(clause);
                let says = Stipulation { formula: formula(&clause), ..whole.clone() };
                Clausal { part: Part { observer, stipulation, clause: Some(clause) }, says }
            })),
        }
    }
    parts
}

/// Everybody in a setting with these parts of their stipulations.
pub(crate) fn stipulating<'c>(
    setting: &Setting<'_>,
    parts: impl Iterator<Item = &'c Clausal>,
) -> Vec<Observer> {
    let mut observers: Vec<Observer> =
        setting.observers().iter().map(|posed| posed.observer.clone().into_owned()).collect();
    observers.iter_mut().for_each(|observer| observer.stipulations.clear());
    for Clausal { part, says } in parts {
        observers[part.observer].stipulations.push(says.clone());
    }
    observers
}

fn formula(clause: &PlainClause) -> Formula {
    let meets = |mask: &Predicate| Logic::Atom(Atom::Possible(mask.clone()));
    let misses = |mask: &Predicate| Logic::Not(Box::new(meets(mask)));
    let mut literals: Vec<Formula> =
        clause.positive.iter().map(meets).chain(clause.negative.iter().map(misses)).collect();
    match (literals.pop(), literals.is_empty()) {
        (None, _) => Logic::Const(false),
        (Some(only), true) => only,
        (Some(last), false) => {
            literals.push(last);
            Logic::Or(literals)
        }
    }
}

/// The effort allowed is spent.
struct Spent;

struct Inquiry<'a, 'p> {
    setting: &'a Setting<'p>,
    map: &'a LabelMap,
    options: SeekOptions,
    parts: Vec<Clausal>,
    seeks: usize,
}

impl Inquiry<'_, '_> {
    /// Everybody with these parts of their stipulations.
    fn with(&self, parts: &[usize]) -> Vec<Observer> {
        stipulating(self.setting, parts.iter().map(|&i| &self.parts[i]))
    }

    /// Everybody as they are, but for the observer that is looked at.
    fn with_another(&self, observer: Observer) -> Vec<Observer> {
        let each = self.setting.observers().iter().map(|posed| posed.observer.clone().into_owned());
        let mut observers: Vec<Observer> = each.collect();
        observers[self.setting.focus()] = observer;
        observers
    }

    fn seek(&self, observers: Vec<Observer>, map: &LabelMap) -> Result<Option<WorstCase>, QuestionError> {
        let changed = self.setting.observed_by_all(observers)?;
        Ok(seek_plan(&changed, map, &self.options)?.map(|found| found.worst_case))
    }

    /// The same, as long as effort is left. A change may make a question that cannot be asked: that is no remedy.
    fn attempt(&mut self, observers: Vec<Observer>, map: &LabelMap) -> Result<Option<WorstCase>, Spent> {
        self.seeks += 1;
        if self.seeks > SEEKS {
            return Err(Spent);
        }
        match self.seek(observers, map) {
            Ok(found) => Ok(found),
            Err(QuestionError::Limit(_)) => Err(Spent),
            Err(_) => Ok(None),
        }
    }

    fn conflict(&mut self) -> Result<Conflict, QuestionError> {
        let mut kept: Vec<usize> = (0..self.parts.len()).collect();
        let minimal = self.shrink(&mut kept).is_ok();
        let mut conflict = Conflict { minimal, ..Conflict::default() };
        conflict.parts = kept.iter().map(|&i| self.parts[i].part.clone()).collect();
        conflict.all_tried = self.remedies(&kept, &mut conflict.remedies).is_ok();
        Ok(conflict)
    }

    /// Leaves out what is not needed for the conflict: first whole stipulations, then clauses.
    fn shrink(&mut self, kept: &mut Vec<usize>) -> Result<(), Spent> {
        let mut whole: Vec<(usize, usize)> =
            self.parts.iter().map(|p| (p.part.observer, p.part.stipulation)).collect();
        whole.dedup();
        for (observer, stipulation) in whole.into_iter().rev() {
            let other = |i: &usize| {
                let part = &self.parts[*i].part;
                (part.observer, part.stipulation) != (observer, stipulation)
            };
            let without: Vec<usize> = kept.iter().copied().filter(other).collect();
            if without.len() < kept.len() && self.attempt(self.with(&without), self.map)?.is_none() {
                *kept = without;
            }
        }
        for at in (0..kept.len()).rev() {
            let mut without = kept.clone();
            without.remove(at);
            if self.attempt(self.with(&without), self.map)?.is_none() {
                *kept = without;
            }
        }
        Ok(())
    }

    /// The single changes that make a plan possible. Only leaving out a part of the conflict can help among leaving
    /// out parts.
    fn remedies(&mut self, kept: &[usize], remedies: &mut Vec<Remedy>) -> Result<(), Spent> {
        for (at, &part) in kept.iter().enumerate() {
            let rest: Vec<usize> = (0..self.parts.len()).filter(|&i| i != part).collect();
            if let Some(worst_case) = self.attempt(self.with(&rest), self.map)? {
                remedies.push(Remedy { change: Change::Drop(at), worst_case });
            }
        }
        remedies.extend(self.less_known()?);
        // A filter that is a graph names images, so it matters which of two images is left.
        let both_ways = matches!(self.setting.observer().filter, Filter::Graph(_));
        let turned = |&(a, b): &(Label, Label)| [(a, b), (b, a)].into_iter().take(1 + usize::from(both_ways));
        let problem = self.setting.problem();
        for (a, b) in pairs(problem, self.map).iter().flat_map(turned) {
            let merged = merged(problem, self.map, a, b);
            if let Some(worst_case) =
                self.attempt(self.with_another(self.setting.observer().clone()), &merged)?
            {
                remedies.push(Remedy { change: Change::Merge(a, b), worst_case });
            }
        }
        Ok(())
    }

    /// What the observer may know less, if that helps.
    fn less_known(&mut self) -> Result<Vec<Remedy>, Spent> {
        let less: &[Knows] = match self.setting.observer().knows {
            Knows::Plan => &[Knows::GoalDirected, Knows::World],
            Knows::World => &[],
            Knows::Plans(_) | Knows::GoalDirected | Knows::Graph(_) => &[Knows::World],
        };
        self.otherwise_known(less)
    }

    /// What else the observer may know that helps.
    fn otherwise_known(&mut self, instead: &[Knows]) -> Result<Vec<Remedy>, Spent> {
        let mut remedies = Vec::new();
        for knows in instead {
            let changed = Observer { knows: knows.clone(), ..self.setting.observer().clone() };
            if let Some(worst_case) = self.attempt(self.with_another(changed), self.map)? {
                remedies.push(Remedy { change: Change::Know(knows.clone()), worst_case });
            }
        }
        Ok(remedies)
    }
}

/// One label of each pair of the world's labels of one kind that look different, one pair for each two images.
fn pairs(problem: &Problem, map: &LabelMap) -> Vec<(Label, Label)> {
    let mut pairs = Vec::new();
    for kind in [Kind::Action, Kind::Observation] {
        let mut first: Vec<Label> = Vec::new();
        for label in problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index())) {
            if first.iter().all(|&other| map.image(other) != map.image(label)) {
                // Of an unseen event and one that is seen, the other is hidden too.
                let hidden = map.image(label).is_none();
                pairs.extend(first.iter().map(|&other| if hidden { (label, other) } else { (other, label) }));
                first.push(label);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The map that makes `b`, and what looks like it and is of its kind, look like `a`.
fn merged(problem: &Problem, map: &LabelMap, a: Label, b: Label) -> LabelMap {
    let kind = problem.alphabet.kind(b);
    LabelMap::seen_from_fn(&problem.alphabet, |label| {
        let joins = problem.alphabet.kind(label) == kind && map.image(label) == map.image(b);
        map.look(if joins { a } else { label })
    })
}

/// What the robot cannot get past, found by following all that it may do among vertices from which the goal cannot be forced.
fn stuck(problem: &Problem, expansion: &Expansion, rank: &[u32]) -> Unsolvable {
    let graph = &expansion.graph;
    let mut came: Vec<Option<(Vertex, Label)>> = vec![None; graph.len()];
    let mut seen = vec![false; graph.len()];
    let mut queue = vec![expansion.initial()];
    seen[expansion.initial().index()] = true;
    let mut found = Unsolvable::default();
    let mut at = 0;
    while let Some(&v) = queue.get(at) {
        at += 1;
        if let Some(obstacle) = obstacle(problem, expansion, v)
            && found.places.len() < PLACES
        {
            let mut execution = Vec::new();
            let mut back = v;
            while let Some((from, label)) = came[back.index()] {
                execution.push(label);
                back = from;
            }
            execution.reverse();
            let vertices = expansion.members(v).iter().map(Vertex).collect();
            found.places.push(StuckPlace { execution, vertices, obstacle });
        }
        for arc in graph.arcs(v).iter().filter(|arc| rank[arc.to.index()] == u32::MAX) {
            if !std::mem::replace(&mut seen[arc.to.index()], true) {
                came[arc.to.index()] = Some((v, arc.label));
                queue.push(arc.to);
            }
        }
    }
    found.circling = circles(expansion, &queue, rank);
    found.unsure = unsure(problem, expansion, &queue);
    found
}

/// The actions that some vertices have at places among `lost`, and nowhere all of them.
fn unsure(problem: &Problem, expansion: &Expansion, lost: &[Vertex]) -> Vec<UnsureAction> {
    let mut sure = BitSet::new(problem.alphabet.len());
    let mut met = BitSet::new(problem.alphabet.len());
    let mut found = Vec::new();
    for &v in lost.iter().filter(|v| expansion.graph.kind(**v) == Kind::Action) {
        expansion.graph.arcs(v).iter().for_each(|arc| {
            sure.insert(arc.label.index());
        });
        for arc in expansion.members(v).iter().flat_map(|w| problem.world.graph.arcs(Vertex(w))) {
            if met.insert(arc.label.index()) {
                let vertices = expansion.members(v).iter().map(Vertex).collect();
                found.push(UnsureAction { action: arc.label, vertices });
            }
        }
    }
    found.retain(|unsure| !sure.contains(unsure.action.index()));
    found
}

fn obstacle(problem: &Problem, expansion: &Expansion, v: Vertex) -> Option<Obstacle> {
    if expansion.stuck.contains(v.index()) {
        return Some(Obstacle::Silence);
    }
    if !expansion.graph.arcs(v).is_empty() {
        return None;
    }
    let bears = |w| !problem.world.graph.arcs(Vertex(w)).is_empty();
    Some(if expansion.members(v).iter().any(bears) { Obstacle::NoSafeAction } else { Obstacle::DeadEnd })
}

/// Whether what is found among lost vertices has a cycle: peeling off those that lead nowhere leaves something.
fn circles(expansion: &Expansion, lost: &[Vertex], rank: &[u32]) -> bool {
    let graph = &expansion.graph;
    let mut before: Vec<Vec<Vertex>> = vec![Vec::new(); graph.len()];
    let mut open = vec![0; graph.len()];
    for &v in lost {
        for arc in graph.arcs(v).iter().filter(|arc| rank[arc.to.index()] == u32::MAX) {
            before[arc.to.index()].push(v);
            open[v.index()] += 1;
        }
    }
    let mut peeled: Vec<Vertex> = lost.iter().copied().filter(|v| open[v.index()] == 0).collect();
    let mut at = 0;
    while let Some(&v) = peeled.get(at) {
        at += 1;
        for &u in &before[v.index()] {
            open[u.index()] -= 1;
            if open[u.index()] == 0 {
                peeled.push(u);
            }
        }
    }
    peeled.len() < lost.len()
}
