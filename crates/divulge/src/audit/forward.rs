//! From the start: beliefs, breadth first.

use crate::{
    audit::{POLL, demands::Demands},
    limit::{Limit, Monitor, Progress},
    observer::{StateId, Tracked, Tracker},
    problem::{Image, Label, LabelMap, Vertex},
};

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
    lengths: Vec<usize>,
    level: usize,
    /// How many beliefs were not compared with those of each level, because they had been followed before, from the first level on.
    levels: Vec<usize>,
    /// Work that the tracker does not know of.
    compared: u64,
    tracked: u64,
    members: Vec<u32>,
}

impl Forward {
    /// Nothing but the initial belief.
    pub fn new(tracker: &Tracker<'_>) -> Self {
        let tracked = tracker.work();
        Self {
            came: vec![None],
            at: 0,
            further: 0,
            lengths: Vec::new(),
            level: 0,
            levels: Vec::new(),
            compared: 0,
            tracked,
            members: Vec::new(),
        }
    }

    /// From the initial belief once more, with another tracker; what was done counts on.
    pub fn again(&self, tracker: &Tracker<'_>) -> Self {
        let done = self.work() - tracker.work().min(self.work());
        Self { compared: done, ..Self::new(tracker) }
    }

    /// How much was done: arcs and words of beliefs looked at.
    pub fn work(&self) -> u64 {
        self.tracked + self.compared
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
        let before = self.came.len();
        for &(image, next) in tracker.successors(state) {
            if next.index() == self.came.len() {
                self.came.push(Some((state, image)));
            }
        }
        self.tracked = tracker.work();
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
        self.compared += 1 + count as u64 / 64;
        if count > demands.largest(level) && demands.are_whole() {
            return None;
        }
        self.members.clear();
        belief.for_each(|v| self.members.push(v));
        let kind = demands.counting(self.came[state.index()].map(|(_, image)| image), &mut self.members)?;
        if self.members.len() > demands.largest(level) {
            return None;
        }
        let mut level = demands.level(level)?;
        self.compared += (level.len() + self.members.len()) as u64;
        let met = level.find(|&demand| demands.meets(demand, kind, &self.members))?;
        let mut images = self.images(state);
        images.extend(demands.images(met));
        Some(images)
    }

    /// What breaks a clause in hindsight after the fewest images, if that is fewer than `known`, which was found last. When the demands of strings of some length
    /// were first compared, that was with the beliefs of one length; and nothing that those before them meet in hindsight shows in those after them.
    pub fn sooner(
        &mut self,
        tracker: &Tracker<'_>,
        demands: &mut Demands,
        mut known: Vec<Image>,
        monitor: &dyn Monitor,
    ) -> Result<Vec<Image>, Limit> {
        demands.be_exact();
        let mut later = 1;
        while later < known.len() {
            let strings = demands.of_length(later);
            // So many beliefs were not compared with these, or may be near enough to the start.
            let beliefs = self.levels.get(later - 1).copied().unwrap_or(self.came.len());
            let near = self.lengths.get(known.len() - later).copied().unwrap_or(self.came.len());
            let found = self.given_away(tracker, demands, &strings, beliefs.min(near), monitor)?;
            if let Some((state, string)) = found {
                let mut images = self.images(state);
                images.extend(string);
                known = if images.len() < known.len() { images } else { known };
            }
            later += 1;
        }
        Ok(known)
    }

    /// The first of so many beliefs that meets one of these demands, and the string that belongs to that.
    fn given_away<'s>(
        &mut self,
        tracker: &Tracker<'_>,
        demands: &Demands,
        strings: &'s [(u32, Vec<Image>)],
        beliefs: usize,
        monitor: &dyn Monitor,
    ) -> Result<Option<(StateId, &'s [Image])>, Limit> {
        let Some(largest) = strings.iter().map(|&(demand, _)| demands.size(demand)).max() else {
            return Ok(None);
        };
        for number in 0..beliefs {
            if number.is_multiple_of(POLL) {
                let (doing, explored) = ("looking back", number as u64);
                let stored = (self.came.len() + demands.len()) as u64;
                monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
            }
            let state = StateId(number as u32);
            self.members.clear();
            tracker.members(state).for_each(|v| self.members.push(v));
            let kind = demands.counting(self.came[number].map(|(_, image)| image), &mut self.members);
            let Some(kind) = kind.filter(|_| self.members.len() <= largest) else { continue };
            let mut all = strings.iter();
            let met = all.find(|(demand, _)| demands.meets(*demand as usize, kind, &self.members));
            if let Some((_, string)) = met {
                return Ok(Some((state, string)));
            }
        }
        Ok(None)
    }

    /// The images that lead to a belief.
    fn images(&self, state: StateId) -> Vec<Image> {
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
