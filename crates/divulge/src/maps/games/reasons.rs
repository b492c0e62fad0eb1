//! Why a stipulation is broken after some events under a map: the pairs that must look alike, and those that must not.
//!
//! *Background.* A clause is broken because of runs and of missing runs. For each mask that it forbids there is a run which looks like the
//! events and ends in the mask: the pairs merged on its way are part of the reason. For each mask that it asks for there is no such run: the
//! reason is enough pairs that are apart to cut off every run that ends there.

use std::convert::Infallible;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    formula::{Clause, Due},
    maps::{
        games::beliefs::Beliefs,
        space::{Pairs, PartialMap},
    },
    problem::{Kind, Label, PGraph, Vertex},
};

/// Pairs decided in the whole map `map` because of which a stipulation that is asked for then is broken after `events`, whatever else is
/// decided; those that `known` has decided come for nothing. `None` if no stipulation is broken there.
pub fn reason(
    beliefs: &Beliefs<'_>,
    events: &[Label],
    demand: Due,
    map: &PartialMap,
    known: &PartialMap,
) -> Option<Pairs> {
    let search = Search { beliefs, graph: &beliefs.tracked().graph, events, map };
    let last = search.last(&|event, label| map.alike(event, label) == Ok(true));
    let vertices = last.iter().flat_map(|&v| beliefs.tracked().world_vertices(Vertex(v)));
    let stipulations = beliefs.stipulations();
    let signature = stipulations.signature_of(vertices);
    let clause = stipulations.all()[stipulations.broken(demand, &signature)?].broken_clause(&signature)?;
    let mut pairs = Pairs::new(map.index().len());
    for &mask in &clause.negative {
        search.run_to(mask, known, &mut pairs);
    }
    search.cut(&clause, known, &mut pairs);
    known.decided().iter().for_each(|pair| pairs.remove(pair));
    Some(pairs)
}

struct Search<'a> {
    beliefs: &'a Beliefs<'a>,
    graph: &'a PGraph,
    events: &'a [Label],
    map: &'a PartialMap,
}

/// How a vertex is reached with the fewest pairs: how many, from where, and by which label.
type Way = (u32, u32, Label);

impl Search<'_> {
    /// Where runs can end whose labels look like the events, as `like` has it.
    fn last(&self, like: &dyn Fn(Label, Label) -> bool) -> Vec<u32> {
        let mut now: Vec<u32> = self.graph.initial().iter().map(|v| v.0).collect();
        for &event in self.events {
            let arcs = now.iter().flat_map(|&v| self.graph.arcs(Vertex(v)));
            let mut next: Vec<u32> =
                arcs.filter(|arc| arc.label == event || like(event, arc.label)).map(|arc| arc.to.0).collect();
            next.sort_unstable();
            next.dedup();
            now = next;
        }
        now
    }

    fn meets(&self, v: u32, mask: u32) -> bool {
        let stipulations = self.beliefs.stipulations();
        self.beliefs
            .tracked()
            .world_vertices(Vertex(v))
            .any(|w| stipulations.signature(w)[mask as usize / 64] >> (mask % 64) & 1 == 1)
    }

    /// Adds the pairs merged on a run that looks like the events and ends in a mask, with few that are not known or taken already.
    fn run_to(&self, mask: u32, known: &PartialMap, pairs: &mut Pairs) {
        let index = self.map.index();
        let mut layers: Vec<FxHashMap<u32, Way>> =
            vec![self.graph.initial().iter().map(|v| (v.0, (0, u32::MAX, Label(u32::MAX)))).collect()];
        for &event in self.events {
            let mut next: FxHashMap<u32, Way> = FxHashMap::default();
            for (&v, &(spent, ..)) in layers.last().into_iter().flatten() {
                for arc in self.graph.arcs(Vertex(v)) {
                    if arc.label != event && self.map.alike(event, arc.label) != Ok(true) {
                        continue;
                    }
                    let free = arc.label == event
                        || known.alike(event, arc.label) == Ok(true)
                        || pairs.contains(index.number(event, arc.label));
                    let way = (spent + u32::from(!free), v, arc.label);
                    let best = next.entry(arc.to.0).or_insert(way);
                    *best = way.min(*best);
                }
            }
            layers.push(next);
        }
        let ends = layers.last().into_iter().flatten().filter(|&(&v, _)| self.meets(v, mask));
        let Some((_, mut at)) = ends.map(|(&v, &(spent, ..))| (spent, v)).min() else { return };
        for (layer, &event) in layers.iter().skip(1).zip(self.events).rev() {
            let (_, from, label) = layer[&at];
            if label != event {
                pairs.insert(index.number(event, label));
            }
            at = from;
        }
    }

    /// Adds pairs that are apart so that no run ends in a mask that the clause asks for.
    fn cut(&self, clause: &Clause, known: &PartialMap, pairs: &mut Pairs) {
        if clause.positive.is_empty() {
            return;
        }
        let index = self.map.index();
        let open = |cuts: &Pairs| {
            let last = self.last(&|event, label| !cuts.contains(index.number(event, label)));
            last.iter().any(|&v| clause.positive.iter().any(|&mask| self.meets(v, mask)))
        };
        let free = self.apart(&|event, label| known.alike(event, label) == Ok(false));
        let mut cuts = self.apart(&|event, label| self.map.alike(event, label) == Ok(false));
        free.iter().for_each(|pair| cuts.remove(pair));
        let cuts = cuts.fewer(|kept, _| {
            let mut all = kept.clone();
            all.add(&free);
            Ok::<_, Infallible>((!open(&all)).then_some(kept))
        });
        let Ok(cuts) = cuts;
        pairs.add(&cuts);
    }

    /// The pairs of an event and a label that are apart.
    fn apart(&self, apart: &dyn Fn(Label, Label) -> bool) -> Pairs {
        let mut pairs = Pairs::new(self.map.index().len());
        let events: FxHashSet<Label> = self.events.iter().copied().collect();
        for kind in [Kind::Action, Kind::Observation] {
            let labels = self.map.labels(kind);
            for &event in labels.iter().filter(|l| events.contains(l)) {
                for &label in labels.iter().filter(|&&l| l != event && apart(event, l)) {
                    pairs.insert(self.map.index().number(event, label));
                }
            }
        }
        pairs
    }
}
