//! What an observer makes of earlier moments, as it watches on: for stipulations in hindsight.
//!
//! Straight from the definition: of each moment that still counts, the classes of vertices that stipulations tell apart, each with the
//! present vertices that executions reach from it which look like what was seen since.

use std::collections::{BTreeMap, BTreeSet};

use divulge::{
    formula::Compiled,
    problem::{Image, LabelMap, PGraph, Scope, Vertex},
    setting::Setting,
    verdict::QuestionError,
};

/// The stipulations in hindsight, and the executions that the observer reckons with.
pub struct Recall {
    graph: PGraph,
    map: LabelMap,
    /// What stipulations can tell of each vertex of the graph.
    signatures: Vec<Vec<u64>>,
    each: Vec<(usize, Option<u32>, Compiled)>,
}

/// For each class of vertices at an earlier moment, the present vertices that are reached from it.
type Recollection = BTreeMap<Vec<u64>, BTreeSet<u32>>;

/// What is made of the moments so far: each with how many images ago it was.
#[derive(Clone, Default)]
pub struct Recollections(BTreeMap<Recollection, u32>);

impl Recall {
    /// For the observer that a setting looks at; `None` if nothing is stipulated in hindsight, or if nothing is expected.
    pub fn new(setting: &Setting<'_>, map: &LabelMap) -> Result<Option<Self>, QuestionError> {
        let stipulations = setting.shared_stipulations();
        let all = stipulations.all().iter().enumerate();
        let each: Vec<_> = all
            .filter_map(|(number, one)| match one.scope {
                Scope::Hindsight { within } => Some((number, within, one.clone())),
                _ => None,
            })
            .collect();
        let tracked = if each.is_empty() { None } else { setting.divulged()?.tracked.as_ref() };
        Ok(tracked.map(|tracked| Self {
            signatures: tracked
                .graph
                .vertices()
                .map(|v| stipulations.signature_of(tracked.world_vertices(v)))
                .collect(),
            graph: tracked.graph.clone().into_owned(),
            map: map.clone(),
            each,
        }))
    }

    /// Before the first event.
    pub fn start(&self) -> Recollections {
        let belief = self.closed(self.graph.initial().iter().map(|v| v.0));
        Recollections([(self.present(&belief), 0)].into())
    }

    /// After an image; `None` if no execution that the observer reckons with looks like that.
    pub fn after(&self, before: &Recollections, image: Image) -> Option<Recollections> {
        let mut next = BTreeMap::new();
        // The present moment is recollected too, and what is reached from it is what is believed now.
        let (present, _) = before.0.iter().find(|(_, age)| **age == 0)?;
        let now: BTreeSet<u32> =
            self.seen(present.values().flatten().copied().collect::<BTreeSet<_>>(), image);
        if now.is_empty() {
            return None;
        }
        for (recollection, age) in &before.0 {
            if self.each.iter().any(|(_, within, _)| within.is_none_or(|most| *age < most)) {
                let parts =
                    recollection.iter().map(|(class, at)| (class.clone(), self.seen(at.clone(), image)));
                let kept = parts.filter(|(_, at)| !at.is_empty()).collect();
                let youngest = next.entry(kept).or_insert(age + 1);
                *youngest = (*youngest).min(age + 1);
            }
        }
        next.insert(self.present(&now), 0);
        Some(Recollections(next))
    }

    /// The numbers of the stipulations that do not hold of what is made of some moment.
    pub fn broken(&self, now: &Recollections) -> Vec<usize> {
        let breaks = |within: &Option<u32>, one: &Compiled| {
            now.0.iter().filter(|(_, age)| within.is_none_or(|most| **age <= most)).any(
                |(recollection, _)| {
                    let mut signature = Vec::new();
                    for class in recollection.keys() {
                        signature.resize(class.len(), 0);
                        signature.iter_mut().zip(class).for_each(|(word, bits)| *word |= bits);
                    }
                    !one.holds(&signature)
                },
            )
        };
        self.each.iter().filter(|(_, within, one)| breaks(within, one)).map(|(number, ..)| *number).collect()
    }

    fn present(&self, belief: &BTreeSet<u32>) -> Recollection {
        let mut made = Recollection::new();
        for &v in belief {
            let reached = made.entry(self.signatures[v as usize].clone()).or_default();
            reached.extend(self.closed([v]));
        }
        made
    }

    /// Where events that look like `image` lead from vertices that unseen events add nothing to.
    fn seen(&self, at: BTreeSet<u32>, image: Image) -> BTreeSet<u32> {
        let arcs = at.iter().flat_map(|&v| self.graph.arcs(Vertex(v)));
        self.closed(arcs.filter(|arc| self.map.image(arc.label) == Some(image)).map(|arc| arc.to.0))
    }

    /// Adds what unseen events lead to.
    fn closed(&self, from: impl IntoIterator<Item = u32>) -> BTreeSet<u32> {
        let mut todo: Vec<u32> = from.into_iter().collect();
        let mut all: BTreeSet<u32> = todo.iter().copied().collect();
        while let Some(v) = todo.pop() {
            let arcs = self.graph.arcs(Vertex(v)).iter();
            let unseen = arcs.filter(|arc| self.map.image(arc.label).is_none()).map(|arc| arc.to.0);
            todo.extend(unseen.filter(|&to| all.insert(to)));
        }
        all
    }
}
