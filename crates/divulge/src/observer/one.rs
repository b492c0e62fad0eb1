//! One observer: where it can be, and what it makes of that.

use crate::{
    formula::{Course, Courses, Stipulations},
    observer::{
        divulged::Tracked, filter::Table, hindsight::Hindsight, signatures::Signatures,
        successors::Successors, tracker::StateId,
    },
    problem::{Image, LabelMap, Scope, Vertex},
    sets::{BitSet, HybridStore, Members, Word},
};

/// One observer.
#[derive(Debug)]
pub(super) struct One<'a> {
    pub tracked: &'a Tracked<'a>,
    pub stipulations: &'a Stipulations,
    pub signatures: Signatures,
    /// The tracked vertices that make up estimates.
    pub sets: HybridStore,
    pub successors: Successors,
    /// The places of a filter; absent with perfect recall, where they are the sets.
    pub table: Option<Places>,
    pub courses: Courses,
    pub hindsight: Option<Hindsight>,
}

/// A filter's states: their sets, and where images lead.
#[derive(Debug)]
pub(super) struct Places {
    pub sets: Vec<u32>,
    pub next: Vec<Box<[(Image, u32)]>>,
}

impl<'a> One<'a> {
    pub fn new(tracked: &'a Tracked<'a>, stipulations: &'a Stipulations) -> Self {
        let signatures = Signatures::new(tracked, stipulations);
        let looks_back = |scope: Scope| matches!(scope, Scope::Hindsight { within } if within != Some(0));
        let hindsight = stipulations.all().iter().any(|s| looks_back(s.scope));
        Self {
            tracked,
            stipulations,
            sets: HybridStore::new(tracked.graph.len()),
            successors: Successors::default(),
            table: None,
            courses: Courses::new(stipulations),
            hindsight: hindsight.then(|| Hindsight::new(stipulations, &signatures, tracked.graph.len())),
            signatures,
        }
    }

    pub fn set(&self, place: u32) -> u32 {
        self.table.as_ref().map_or(place, |table| table.sets[place as usize])
    }

    pub fn signature(&self, place: u32) -> Vec<u64> {
        self.signatures.of(self.sets.get(self.set(place)))
    }

    /// The members of a belief from which an image leads into a set, whatever unseen events come before.
    pub fn leading_into(&self, belief: Members<'_>, map: &LabelMap, image: Image, set: &BitSet) -> BitSet {
        let graph = &self.tracked.graph;
        let (mut found, mut todo, mut unseen) = (BitSet::new(graph.len()), Vec::new(), Vec::new());
        belief.for_each(|v| {
            for arc in graph.arcs(Vertex(v)) {
                match map.image(arc.label) {
                    None => unseen.push((arc.to.0, v)),
                    Some(seen) if seen == image && set.contains(arc.to.index()) => todo.push(v),
                    Some(_) => {}
                }
            }
        });
        unseen.sort_unstable();
        while let Some(at) = todo.pop() {
            if found.insert(at as usize) {
                let first = unseen.partition_point(|&(to, _)| to < at);
                let before = unseen[first..].iter().take_while(|(to, _)| *to == at);
                todo.extend(before.map(|(_, from)| from));
            }
        }
        found
    }

    /// The world vertices that some tracked ones stand for, ascending.
    pub fn world_vertices(&self, all: impl Iterator<Item = u32>) -> Vec<Vertex> {
        let mut all: Vec<Vertex> = all.flat_map(|v| self.tracked.world_vertices(Vertex(v))).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Adds all images that may follow, with the places that they lead to.
    pub fn next_places(&mut self, place: u32, next: &mut Vec<(Image, StateId)>) {
        if let Some(table) = &self.table {
            return next.extend(table.next[place as usize].iter().map(|&(image, to)| (image, StateId(to))));
        }
        let Self { tracked, sets, successors, .. } = self;
        successors.compute(&tracked.graph, sets.get(place));
        next.extend(successors.found().map(|(image, members)| (image, StateId(sets.intern(members)))));
    }

    /// What has become of the stipulations, and what is made of earlier moments, in a place that an image leads to.
    pub fn remember(&mut self, before: Option<(Course, u32)>, image: Image, place: u32) -> (Course, u32) {
        let signature = self.signature(place);
        let course = match before {
            None => self.courses.begin(self.stipulations, &signature),
            Some((course, _)) => self.courses.after(self.stipulations, course, &signature),
        };
        let Some(hindsight) = &mut self.hindsight else { return (course, 0) };
        let before = before.map(|(_, recollections)| (recollections, image));
        let graph = &self.tracked.graph;
        let recollections = hindsight.advance(before, place, graph, &mut self.sets, &mut self.successors);
        (course.and_kept(hindsight.broken(recollections).is_none()), recollections)
    }
}

impl Places {
    /// All places of a filter, with what executions that reach each exactly stand for.
    pub fn of(table: Table, sets: &mut HybridStore) -> Self {
        let (mut stored, mut words) = (Vec::with_capacity(table.reached.len()), Vec::new());
        for group in table.reached {
            words.clear();
            group.words(&mut words);
            let members: Vec<u32> = words.iter().flat_map(|word: &Word| word.members()).collect();
            stored.push(sets.intern_list(&members));
        }
        let next = table.next.into_iter().map(|next| {
            let mut next: Vec<(Image, u32)> = next.into_iter().collect();
            next.sort_unstable();
            next.into_boxed_slice()
        });
        Self { sets: stored, next: next.collect() }
    }
}
