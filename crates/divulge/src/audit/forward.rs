//! From the start: beliefs, breadth first.

use std::ops::Range;

use crate::{
    audit::{abreast::Abreast, demands::Demands},
    limit::worth,
    observer::{Ahead, StateId, Tracked, Tracker},
    problem::{Image, Label, LabelMap, PGraph, Vertex},
};

/// What it takes to find one successor of a belief, besides following arcs.
const EACH: u64 = 16;

/// So much work is looked ahead at most, and one in so many of what was done.
const MOST: u64 = 1 << 22;
const PART: u64 = 4;

/// Beliefs are compared with the demands of a level if there are no more of them than this: looking through them costs about as
/// much as computing a belief's successors.
const FEW: usize = 512;

/// What a step has shown.
pub(crate) enum Seen {
    /// After these images a stipulation is broken, and after fewer none is.
    Broken(Vec<Image>),
    /// All beliefs, and all is well.
    Everything,
    /// Nothing yet.
    More,
}

/// The walk through the beliefs. No belief that was found meets a demand of the levels up to `level`.
pub(crate) struct Forward {
    /// States are numbered as they are found, which is breadth first.
    came: Vec<Option<(StateId, Image)>>,
    at: usize,
    /// Where the beliefs begin that are one image further on.
    further: usize,
    /// Where those of each length begin, up to there.
    pub lengths: Vec<usize>,
    level: usize,
    /// How many beliefs were not compared with those of each level, because they had been followed before, from the first level on.
    pub levels: Vec<usize>,
    /// How much was done: arcs and words of beliefs looked at.
    work: u64,
    /// What a member of a belief counts for.
    member: u64,
    /// Up to where beliefs were looked ahead.
    ahead: usize,
    /// Whether the tracker tells how much was done.
    measured: bool,
    members: Vec<u32>,
    abreast: Abreast,
}

/// Beliefs that somebody follows, and what was found.
#[derive(Default)]
pub(crate) struct Beliefs {
    next: Range<u32>,
    ahead: Ahead,
}

impl Beliefs {
    /// The same room for other beliefs.
    pub fn with(self, next: Range<u32>) -> Self {
        Self { next, ..self }
    }

    /// Finds where the beliefs lead.
    pub fn go(&mut self, tracker: &Tracker<'_>) {
        let next: Vec<StateId> = self.next.clone().map(StateId).collect();
        tracker.look_ahead(&tracker.unknown(&next), &mut self.ahead);
    }

    /// Writes down what was found.
    pub fn write_down(&mut self, tracker: &mut Tracker<'_>) {
        self.ahead.write_down(tracker);
    }
}

impl Forward {
    /// Nothing but the initial belief.
    pub fn new(graph: &PGraph) -> Self {
        Self {
            came: vec![None],
            at: 0,
            further: 0,
            lengths: Vec::new(),
            level: 0,
            levels: Vec::new(),
            work: 0,
            member: 1 + graph.arc_count().div_ceil(graph.len().max(1)) as u64,
            ahead: 0,
            measured: false,
            members: Vec::new(),
            abreast: Abreast::default(),
        }
    }

    /// From the initial belief once more, with another tracker, which tells how much it does; what was done counts on.
    pub fn again(&self) -> Self {
        let Self { work, member, .. } = *self;
        let (came, lengths, levels, members) = (vec![None], Vec::new(), Vec::new(), Vec::new());
        Self {
            came,
            at: 0,
            further: 0,
            lengths,
            level: 0,
            levels,
            work,
            member,
            ahead: 0,
            measured: true,
            members,
            abreast: Abreast::default(),
        }
    }

    /// How many beliefs were found.
    pub fn len(&self) -> usize {
        self.came.len()
    }

    /// How much was done. That does not depend on who did it.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The beliefs that are followed next, shared out to as many as `count` tells for so much work, if that is more than one.
    pub fn next(&mut self, tracker: &Tracker<'_>, count: impl Fn(usize) -> usize) -> Option<Vec<Range<u32>>> {
        if self.at < self.ahead {
            return None;
        }
        let most = MOST.min(self.work / worth(PART as usize) as u64);
        let (mut ends, mut work) = (Vec::new(), 0);
        while self.at + ends.len() < self.came.len() && work < most {
            work += self.following(tracker, StateId((self.at + ends.len()) as u32));
            ends.push(work);
        }
        let count = count(work as usize).min(ends.len());
        if count < 2 {
            return None;
        }
        self.ahead = self.at + ends.len();
        let end = |i: usize| {
            let share = work * i as u64 / count as u64;
            (self.at + ends.partition_point(|&done| done <= share)) as u32
        };
        Some((0..count).map(|i| end(i)..end(i + 1)).collect())
    }

    /// About how much it takes to follow a belief.
    fn following(&self, tracker: &Tracker<'_>, state: StateId) -> u64 {
        self.member * tracker.members(state).count() as u64
    }

    /// Follows one more belief. `demands` must be the same from when they are first there.
    pub fn advance(&mut self, tracker: &mut Tracker<'_>, demands: Option<&Demands>) -> Seen {
        if self.at == self.further {
            if self.at == self.came.len() {
                return Seen::Everything;
            }
            self.lengths.push(self.at);
            self.further = self.came.len();
            if let Some(broken) = demands.and_then(|demands| self.look_back(tracker, demands)) {
                return Seen::Broken(broken);
            }
        }
        let state = StateId(self.at as u32);
        if self.at == 0 && !tracker.course(state).is_kept() {
            return Seen::Broken(Vec::new());
        }
        let (before, worked) = (self.came.len(), tracker.work());
        let next = tracker.successors(state);
        let mut work = EACH * next.len() as u64;
        for &(image, next) in next {
            if next.index() == self.came.len() {
                self.came.push(Some((state, image)));
            }
        }
        work += if self.measured { tracker.work() - worked } else { self.following(tracker, state) };
        self.work += work;
        self.at += 1;
        for new in before..self.came.len() {
            let new = StateId(new as u32);
            if !tracker.course(new).is_kept() {
                return Seen::Broken(self.images(new));
            }
            if let Some(broken) = demands.and_then(|demands| self.compare(tracker, demands, new, self.level))
            {
                return Seen::Broken(broken);
            }
        }
        Seen::More
    }

    /// Compares the beliefs of the last length with the demands of levels that have become complete meanwhile.
    fn look_back(&mut self, tracker: &Tracker<'_>, demands: &Demands) -> Option<Vec<Image>> {
        while demands.level(self.level + 1).is_some_and(|level| level.len() <= FEW) {
            self.level += 1;
            self.levels.push(self.at);
            for state in self.at..self.further {
                let broken = self.compare(tracker, demands, StateId(state as u32), self.level);
                if broken.is_some() {
                    return broken;
                }
            }
        }
        None
    }

    /// The images to the belief, and those after which a demand of this level that it meets is a violation.
    fn compare(
        &mut self,
        tracker: &Tracker<'_>,
        demands: &Demands,
        state: StateId,
        level: usize,
    ) -> Option<Vec<Image>> {
        if level == 0 && !demands.looks_back() {
            return None;
        }
        let belief = tracker.members(state);
        let count = belief.count();
        self.work += 1 + count as u64 / 64;
        if count > demands.largest(level) && demands.are_whole() {
            return None;
        }
        self.members.clear();
        belief.for_each(|v| self.members.push(v));
        let kind = demands.counting(self.came[state.index()].map(|(_, image)| image), &mut self.members)?;
        if self.members.len() > demands.largest(level) {
            return None;
        }
        self.work += (demands.level(level)?.len() + self.members.len()) as u64;
        let met = self.abreast.met(demands, level, kind, &self.members)?;
        let mut images = self.images(state);
        images.extend(demands.images(met));
        Some(images)
    }

    /// The images that lead to a belief.
    pub fn images(&self, state: StateId) -> Vec<Image> {
        let mut images = Vec::new();
        let mut back = state;
        while let Some((from, image)) = self.came[back.index()] {
            images.push(image);
            back = from;
        }
        images.reverse();
        images
    }
}

/// Some execution of the tracked graph that looks like `images`; `states` are those that the images lead
/// through, the initial one included.
pub(crate) fn some_execution(
    tracker: &Tracker<'_>,
    tracked: &Tracked<'_>,
    map: &LabelMap,
    images: &[Image],
    states: &[StateId],
) -> Vec<Label> {
    let last = states.last().and_then(|&state| tracker.members(state).iter().next());
    let mut at = Vertex(last.expect("a belief is never empty"));
    let mut back = Vec::with_capacity(images.len());
    for (&image, &state) in images.iter().zip(states).rev() {
        let (from, label) = tracker
            .members(state)
            .iter()
            .find_map(|v| {
                let mut arcs = tracked.graph.arcs(Vertex(v)).iter();
                let arc = arcs.find(|arc| arc.to == at && map.image(arc.label) == Some(image))?;
                Some((Vertex(v), arc.label))
            })
            .expect("every member of a belief comes from one of the belief before");
        back.push(label);
        at = from;
    }
    back.reverse();
    back
}
