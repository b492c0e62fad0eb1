//! Observers who forget: what filters make of what they see.

use rustc_hash::FxHashMap;

use crate::{
    graph,
    limit::{Limit, Monitor, Progress},
    problem::{Filter, FilterGraph, Image, Label, LabelMap, PGraph, PGraphBuilder, Vertex},
    sets::{BitSet, NodeSet, SetId, SetStore, Word},
    verdict::QuestionError,
};

/// How many pairs are followed between two looks at the monitor.
const POLL: u64 = 4096;

/// Whether a filter traces all that the world may show, L(I) ⊇ h[L(W)], whatever else there is to know.
///
/// # Errors
/// With a shortest image string that it cannot trace, or the limit that was hit.
pub fn check_filter(
    world: &PGraph,
    filter: &Filter,
    map: &LabelMap,
    monitor: &dyn Monitor,
) -> Result<(), QuestionError> {
    let Filter::Graph(filter) = filter else { return Ok(()) };
    let own = own_images(&filter.graph.graph, filter, map);
    if traces_everything(&own, world, map) {
        return Ok(());
    }
    match untraceable(&graph::image(world, map), &own, monitor)? {
        None => Ok(()),
        // Nothing that begins otherwise can trace an event, and that is what there is to mend.
        Some(_) if filter.graph.graph.initial_kind() != world.initial_kind() => {
            Err(QuestionError::OtherKind("the filter"))
        }
        Some(string) => {
            let names = string.iter().map(|l| map.name(Image(l.0)).to_owned()).collect();
            Err(QuestionError::FilterCannotTrace(names))
        }
    }
}

/// Whether every vertex of the filter goes on with every image that its kind of event may have: then there is nothing that it
/// cannot trace, and no need to look for it.
fn traces_everything(filter: &PGraph, world: &PGraph, map: &LabelMap) -> bool {
    let mut seen = [(); 2].map(|()| BitSet::new(map.len()));
    for (v, arc) in world.all_arcs() {
        if let Some(image) = map.image(arc.label) {
            seen[world.kind(v) as usize].insert(image.index());
        }
    }
    let images = seen.each_ref().map(BitSet::count);
    let complete = |v: Vertex| {
        let known = filter.labels(v).filter(|l| seen[filter.kind(v) as usize].contains(l.index()));
        known.count() == images[filter.kind(v) as usize]
    };
    filter.initial_kind() == world.initial_kind() && filter.vertices().all(complete)
}

/// A shortest string of images that the filter cannot trace. Kinds count too: an image may stand for an action and for an
/// observation, and a filter that starts with the other kind of vertex traces nothing but the empty string.
fn untraceable(seen: &PGraph, filter: &PGraph, monitor: &dyn Monitor) -> Result<Option<Vec<Label>>, Limit> {
    if seen.initial_kind() == filter.initial_kind() {
        return graph::separating_execution(seen, filter, monitor);
    }
    Ok(seen.initial().iter().find_map(|&v| seen.labels(v).next()).map(|label| vec![label]))
}

/// The filter's graph with the map's numbers of the images; what the map never shows is left out.
pub(super) fn own_images(graph: &PGraph, filter: &FilterGraph, map: &LabelMap) -> PGraph {
    let mut builder = PGraphBuilder::new();
    for v in graph.vertices() {
        builder.vertex(graph.kind(v));
    }
    for &v in graph.initial() {
        builder.initial(v);
    }
    for (v, arc) in graph.all_arcs() {
        if let Some(image) = map.get(filter.images.name(arc.label.0)) {
            builder.arc(v, Label(image.0), arc.to);
        }
    }
    builder.build().expect("a part of a p-graph with the same vertices is a p-graph")
}

/// A filter's graph, whose arcs bear images, and where it goes by itself.
pub(super) struct Silent {
    graph: PGraph,
    /// Where arcs that are not seen lead, for each vertex; nothing at all if every event is seen.
    silent: Vec<Vec<u32>>,
}

impl Silent {
    /// A filter that never goes by itself.
    pub fn none(graph: PGraph) -> Self {
        Self { graph, silent: Vec::new() }
    }

    /// h⟨W⟩, where unseen events are silent.
    pub fn image(world: &PGraph, map: &LabelMap) -> Self {
        let unseen = |v: Vertex| {
            let arcs = world.arcs(v).iter().filter(|arc| map.image(arc.label).is_none());
            arcs.map(|arc| arc.to.0).collect()
        };
        let silent = if map.hides() { world.vertices().map(unseen).collect() } else { Vec::new() };
        Self { graph: graph::image(world, map), silent }
    }

    /// Adds what is reached silently; ascending.
    fn close(&self, set: &mut Vec<u32>) {
        if self.silent.is_empty() {
            return;
        }
        let mut at = 0;
        while let Some(&v) = set.get(at) {
            for &to in &self.silent[v as usize] {
                if !set.contains(&to) {
                    set.push(to);
                }
            }
            at += 1;
        }
        set.sort_unstable();
    }
}

/// The pairs (tracked vertex, set of I-states) that executions reach.
pub(super) struct Table {
    /// For each set of I-states, the tracked vertices that executions reaching exactly it reach.
    pub reached: Vec<NodeSet>,
    pub next: Vec<FxHashMap<Image, u32>>,
}

impl Table {
    pub fn explore(
        tracked: &PGraph,
        filter: &Silent,
        map: &LabelMap,
        monitor: &dyn Monitor,
    ) -> Result<Self, Limit> {
        let mut sets = SetStore::new();
        let mut table = Self { reached: vec![NodeSet::default()], next: vec![FxHashMap::default()] };
        let mut start = filter.graph.initial().iter().map(|v| v.0).collect::<Vec<_>>();
        filter.close(&mut start);
        sets.intern(&start);
        for v in tracked.initial() {
            table.reached[0].insert(v.0);
        }
        let (mut todo, mut fresh, mut post) = (vec![0u32], Vec::new(), Vec::new());
        let (mut explored, mut since) = (0, 0);
        while let Some(set) = todo.pop() {
            fresh.clear();
            table.reached[set as usize].take_fresh(&mut fresh);
            let count: u64 = fresh.iter().map(|word: &Word| u64::from(word.bits.count_ones())).sum();
            explored += count;
            since += 1 + count;
            if since >= POLL {
                since = 0;
                let (doing, stored) = ("following the filter", sets.len() as u64);
                monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
            }
            for arc in fresh.iter().flat_map(|word| word.members()).flat_map(|v| tracked.arcs(Vertex(v))) {
                let to = match map.image(arc.label) {
                    None => set,
                    Some(image) => *table.next[set as usize].entry(image).or_insert_with(|| {
                        graph::post(&filter.graph, sets.get(SetId(set)), Label(image.0), &mut post);
                        filter.close(&mut post);
                        sets.intern(&post).0
                    }),
                };
                if to as usize == table.reached.len() {
                    table.reached.push(NodeSet::default());
                    table.next.push(FxHashMap::default());
                }
                let group = &mut table.reached[to as usize];
                let waits = group.has_fresh();
                group.insert(arc.to.0);
                if !waits && group.has_fresh() {
                    todo.push(to);
                }
            }
        }
        Ok(table)
    }
}
