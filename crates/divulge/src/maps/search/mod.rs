//! The search over partial maps.
//!
//! *Background.* An engine asked about a partial map either gives a verdict that holds for every way of completing it, together with the
//! pairs of labels it looked at, or names a pair that it would have to know about. So the search branches only on pairs that
//! matter, and every verdict is a lesson: it holds for all maps that agree on the pairs looked at. A lesson that does not depend on the
//! last decision settles the other branch as well.
//!
//! *Practical.* [`Search::exists`] finds a feasible region or a reason why there is none; [`Search::classify`] visits them all. What is not
//! looked at when the effort allowed is used up is [left](Search::left), as regions that anybody may go on with.

mod guess;
mod rules;

pub use guess::Guesses;

use crate::{
    limit::{Limit, Monitor, Progress},
    maps::{
        games::{Decided, MapGame},
        space::{ImageCount, Lesson, Lessons, Pairs, PartialMap, Symmetries, Undecided, images},
    },
    problem::{Kind, Label},
    seek::self_divulged::Stop,
};

/// A region without solutions is made larger until that failed this often, or once if there are few pairs: it pays where there are many
/// maps to be refuted at once.
const MOST_IN_VAIN: u32 = 3;

/// So many pairs of labels are few.
const FEW_PAIRS: usize = 24;

/// From this many decisions on it is tried again, now and then, to refute a region as a whole.
const DEEP: u32 = 16;

/// A search for plans of a given length is over soon, most often: only after this many regions is more than one looked at at a time.
const SHORT: u64 = 50;

/// What has been found of a region of maps.
#[derive(Clone, Debug)]
enum Region {
    Uniform(Decided),
    Mixed,
}

/// What a search for one region has come to.
#[derive(Clone, Debug)]
pub enum Existence {
    /// A region with a solution.
    Found(PartialMap),
    /// There is none, because of these pairs.
    Nowhere(Pairs),
    /// There is none in what was looked at; some regions are left.
    Left,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Regions of maps decided by the engine.
    pub decided: u64,
    /// Regions settled by an earlier lesson.
    pub recalled: u64,
    /// Lessons learnt.
    pub learnt: u64,
}

impl Statistics {
    /// What was done since it was as `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            decided: self.decided - before.decided,
            recalled: self.recalled - before.recalled,
            learnt: self.learnt - before.learnt,
        }
    }
}

/// What is done with a region of maps and whether they are feasible.
pub type Visit<'v> = dyn FnMut(&PartialMap, bool) -> Result<(), Stop> + 'v;

/// A search over maps.
pub struct Search<'a, G: MapGame + ?Sized> {
    game: &'a mut G,
    within: Option<u32>,
    images: ImageCount,
    symmetries: &'a Symmetries,
    /// Whether regions are feasible.
    lessons: Lessons<Option<bool>>,
    /// Regions with solutions.
    feasible: Vec<PartialMap>,
    /// What it was tried to refute in vain, elsewhere and here.
    unrefuted: Vec<PartialMap>,
    /// How much of that was tried elsewhere.
    elsewhere: usize,
    monitor: &'a dyn Monitor,
    until: u64,
    /// How deep a search begins that goes on with what another left.
    depth: u32,
    /// How far it has come.
    pub statistics: Statistics,
    /// The regions that were not looked at when the effort allowed was used up; no two of them overlap.
    pub left: Vec<PartialMap>,
    /// What was learnt, in order.
    pub learnt: Vec<Lesson>,
}

/// Whether the constraint on the number of images is settled.
enum Images {
    /// The number is right throughout, because of these pairs.
    Fine(Pairs),
    /// Too many or too few, because of these pairs.
    Wrong(Pairs),
    Open,
}

impl<'a, G: MapGame + ?Sized> Search<'a, G> {
    /// A search for solutions of at most `within` events, if that is given, under maps of `images` images.
    pub fn new(
        game: &'a mut G,
        within: Option<u32>,
        images: ImageCount,
        symmetries: &'a Symmetries,
        monitor: &'a dyn Monitor,
    ) -> Self {
        let statistics = Statistics::default();
        Self {
            game,
            within,
            images,
            symmetries,
            lessons: Lessons::default(),
            feasible: Vec::new(),
            unrefuted: Vec::new(),
            elsewhere: 0,
            monitor,
            until: u64::MAX,
            depth: 0,
            statistics,
            left: Vec::new(),
            learnt: Vec::new(),
        }
    }

    /// Goes on where another search left something; `lessons` is what was learnt elsewhere, `in_vain` what was not refuted there, `open` any partial
    /// map of the labels in question.
    pub fn go_on(&mut self, lessons: &[Lesson], in_vain: Vec<PartialMap>, open: &PartialMap) {
        self.elsewhere = in_vain.len();
        self.unrefuted = in_vain;
        // It was tried to refute all at once. With many labels it pays to try that again for each part.
        self.depth = u32::from(open.index().len() <= FEW_PAIRS);
        for Lesson { feasible, looked, merged } in lessons {
            if *feasible {
                self.feasible.extend(open.following(looked.iter(), merged));
            }
            *self.lessons.entry_for(looked.clone(), merged.clone(), looked) = Some(*feasible);
        }
    }

    /// What it was tried to refute in vain, apart from what was tried elsewhere.
    pub fn in_vain(&self) -> &[PartialMap] {
        &self.unrefuted[self.elsewhere..]
    }

    /// Leaves what is not looked at after about this much more work.
    pub fn give_up_after(&mut self, effort: u64) {
        self.until = self.game.effort().saturating_add(effort);
    }

    /// A region of `map` under which there is a solution, or the pairs that tell why there is none.
    ///
    /// # Errors
    /// A limit.
    pub fn exists(&mut self, map: &PartialMap) -> Result<Existence, Stop> {
        let found = self.exists_below(map, self.depth);
        self.tell().ok();
        found
    }

    /// Tells how far it is.
    fn tell(&self) -> Result<(), Limit> {
        let Statistics { decided: maps, learnt, .. } = self.statistics;
        let (doing, explored, stored) = ("searching maps", self.game.effort(), self.game.stored() as u64);
        self.monitor.poll(&Progress { doing, explored, stored, maps, learnt, ..Progress::default() })
    }

    fn exists_below(&mut self, map: &PartialMap, depth: u32) -> Result<Existence, Stop> {
        let Undecided(a, b) = match self.look(map, depth) {
            Ok(Ok(Decided { feasible: true, .. })) => return Ok(Existence::Found(map.clone())),
            Ok(Ok(Decided { feasible: false, looked })) => return Ok(Existence::Nowhere(looked)),
            Ok(Err(undecided)) if !self.is_over() => undecided,
            Ok(Err(_)) | Err(Stop::Effort) => {
                self.left.push(map.clone());
                return Ok(Existence::Left);
            }
            Err(stop) => return Err(stop),
        };
        let mut reason = Some(Pairs::new(map.index().len()));
        for alike in [false, true] {
            let Some(child) = map.with(a, b, alike) else { continue };
            match self.exists_below(&child, depth + 1)? {
                Existence::Nowhere(looked) if looked.is_subset(map.decided()) => {
                    return Ok(Existence::Nowhere(looked));
                }
                Existence::Nowhere(looked) => {
                    let more = because(&looked, map, a, b);
                    reason.iter_mut().for_each(|reason| reason.add(&more));
                }
                Existence::Left => reason = None,
                found => return Ok(found),
            }
        }
        let Some(looked) = reason else { return Ok(Existence::Left) };
        self.learn(map, &Decided { feasible: false, looked: looked.clone() });
        Ok(Existence::Nowhere(looked))
    }

    fn is_over(&self) -> bool {
        self.game.effort() >= self.until
    }

    /// Visits regions that together are all the maps in `map`, no two of which overlap, each with whether there is a solution under
    /// its maps; but for what is left.
    ///
    /// # Errors
    /// A limit, and what `visit` returns.
    pub fn classify(&mut self, map: &PartialMap, visit: &mut Visit<'_>) -> Result<(), Stop> {
        let region = self.region(map, self.depth, visit);
        self.tell().ok();
        if let Region::Uniform(Decided { feasible, .. }) = region? {
            visit(map, feasible)?;
        }
        Ok(())
    }

    /// As [`classify`](Self::classify), but a region that is the same throughout is left for the caller to visit.
    fn region(&mut self, map: &PartialMap, depth: u32, visit: &mut Visit<'_>) -> Result<Region, Stop> {
        let Undecided(a, b) = match self.look(map, depth) {
            Ok(Ok(decided)) => return Ok(Region::Uniform(decided)),
            Ok(Err(undecided)) if !self.is_over() => undecided,
            Ok(Err(_)) | Err(Stop::Effort) => {
                self.left.push(map.clone());
                return Ok(Region::Mixed);
            }
            Err(stop) => return Err(stop),
        };
        let mut before: Option<(PartialMap, Region)> = None;
        for alike in [false, true] {
            let Some(child) = map.with(a, b, alike) else { continue };
            let region = self.region(&child, depth + 1, visit)?;
            if let Region::Uniform(decided) = &region
                && decided.looked.is_subset(map.decided())
                && before.is_none()
            {
                return Ok(region);
            }
            let Some((other, first)) = before.take() else {
                before = Some((child, region));
                continue;
            };
            if let (Region::Uniform(one), Region::Uniform(two)) = (&first, &region)
                && one.feasible == two.feasible
            {
                let mut looked = because(&one.looked, map, a, b);
                looked.add(&because(&two.looked, map, a, b));
                let decided = Decided { feasible: one.feasible, looked };
                self.learn(map, &decided);
                return Ok(Region::Uniform(decided));
            }
            for (map, region) in [(&other, &first), (&child, &region)] {
                if let Region::Uniform(Decided { feasible, .. }) = region {
                    visit(map, *feasible)?;
                }
            }
        }
        Ok(Region::Mixed)
    }

    /// The verdict for a region, from a lesson or from the engine; or the pair to decide next.
    fn look(&mut self, map: &PartialMap, depth: u32) -> Result<Result<Decided, Undecided>, Stop> {
        if let Some((looked, &Some(feasible))) = self.lessons.find(map, Option::is_some) {
            self.statistics.recalled += 1;
            return Ok(Ok(Decided { feasible, looked: looked.clone() }));
        }
        let images = self.images(map);
        if let Images::Wrong(looked) = images {
            return Ok(Ok(Decided { feasible: false, looked }));
        }
        self.tell()?;
        let left = self.until.saturating_sub(self.game.effort());
        if left == 0 {
            return Err(Stop::Effort);
        }
        match self.game.decide(map, self.within, left) {
            Ok(Decided { feasible: false, looked }) => self.refuted(map, looked).map(Ok),
            Ok(mut decided) => {
                self.statistics.decided += 1;
                if decided.feasible {
                    match &images {
                        Images::Fine(looked) => decided.looked.add(looked),
                        _ => return Ok(Err(map.first_open().expect("the number of images is open"))),
                    }
                }
                self.learn(map, &decided);
                Ok(Ok(decided))
            }
            Err(Stop::Undecided(pair)) => {
                // Most regions cannot be refuted as a whole, so that is tried at the start, and again where much is decided.
                if self.is_long()
                    && (depth == 0 || (depth >= DEEP && depth.is_power_of_two()))
                    && let Some(looked) = self.refute(map)?
                {
                    return self.refuted(map, looked).map(Ok);
                }
                Ok(Err(pair))
            }
            Err(stop) => Err(stop),
        }
    }

    /// The pairs because of which no map in a region is feasible, unless that takes too long to find out.
    fn refute(&mut self, map: &PartialMap) -> Result<Option<Pairs>, Stop> {
        // Where more was decided and that did not suffice, less will not.
        let in_vain = |tried: &PartialMap| {
            map.decided().is_subset(tried.decided()) && map.merged().agree(tried.merged(), map.decided())
        };
        if self.feasible.iter().any(|region| region.meets(map)) || self.unrefuted.iter().any(in_vain) {
            return Ok(None);
        }
        let refuted = self.game.refute(map, self.within)?;
        if refuted.is_none() {
            self.unrefuted.push(map.clone());
        }
        Ok(refuted)
    }

    /// Whether the search is long enough for more than one region at a time to be looked at.
    fn is_long(&self) -> bool {
        self.within.is_none() || self.statistics.decided > SHORT
    }

    /// Takes note of a region without solutions, and of as large a one around it as can be found.
    fn refuted(&mut self, map: &PartialMap, mut looked: Pairs) -> Result<Decided, Stop> {
        self.statistics.decided += 1;
        let mut patience = if map.index().len() > FEW_PAIRS { MOST_IN_VAIN } else { 1 };
        if self.is_long() {
            looked = looked.fewer(|kept, looked| -> Result<_, Stop> {
                if patience == 0 || kept.is_empty() {
                    return Ok(None);
                }
                let fewer = map.only(kept.iter());
                // What follows from the rest need not be said.
                if looked.is_subset(fewer.decided()) {
                    return Ok(Some(kept));
                }
                let refuted = self.refute(&fewer)?;
                patience -= u32::from(refuted.is_none());
                Ok(refuted.map(|less| if less.len() < kept.len() { less } else { kept }))
            })?;
        }
        let decided = Decided { feasible: false, looked };
        self.learn(map, &decided);
        Ok(decided)
    }

    fn learn(&mut self, map: &PartialMap, decided: &Decided) {
        self.statistics.learnt += 1;
        let Decided { feasible, looked } = decided;
        let merged = map.merged().and(looked);
        self.learnt.push(Lesson { feasible: *feasible, looked: looked.clone(), merged: merged.clone() });
        if *feasible {
            let region = map.only(looked.iter());
            for images in self.symmetries.images(&[looked, &merged]) {
                self.feasible.extend(region.following(images[0].iter(), &images[1]));
            }
            self.feasible.push(region);
        }
        for images in self.symmetries.images(&[looked, &merged]) {
            *self.lessons.entry_for(images[0].clone(), images[1].clone(), &images[0]) = Some(*feasible);
        }
        *self.lessons.entry_for(looked.clone(), merged, looked) = Some(*feasible);
    }

    fn images(&self, map: &PartialMap) -> Images {
        let ImageCount { least, most } = self.images;
        let mut looked = Pairs::new(map.index().len());
        if least == 0 && most == usize::MAX {
            return Images::Fine(looked);
        }
        // Merging more makes fewer; labels that are apart from each other stay so many images.
        let at_most = images(map);
        if at_most < least {
            return Images::Wrong(map.merged().clone());
        }
        if most < usize::MAX && at_most <= most {
            looked.add(map.merged());
        }
        if least == 0 && at_most <= most {
            return Images::Fine(looked);
        }
        let (at_least, apart) = apart(map);
        if at_least > most {
            return Images::Wrong(apart);
        }
        if at_least < least || at_most > most {
            return Images::Open;
        }
        looked.add(&apart);
        Images::Fine(looked)
    }
}

/// How many images there are at least, and the pairs that are apart and show it.
fn apart(map: &PartialMap) -> (usize, Pairs) {
    let (mut images, mut looked) = (0, Pairs::new(map.index().len()));
    for kind in [Kind::Action, Kind::Observation] {
        let mut apart: Vec<Label> = Vec::new();
        for class in map.classes(kind) {
            if apart.iter().all(|&other| map.alike(class[0], other) == Ok(false)) {
                apart.iter().for_each(|&other| looked.insert(map.index().number(class[0], other)));
                apart.push(class[0]);
            }
        }
        images += apart.len();
    }
    (images, looked)
}

/// The pairs decided in `map` from which, with the decision about a and b, the pairs in `looked` follow.
fn because(looked: &Pairs, map: &PartialMap, a: Label, b: Label) -> Pairs {
    let mut reason = looked.and(map.decided());
    let mut need = |x: Label, y: Label| {
        if x != y {
            reason.insert(map.index().number(x, y));
        }
    };
    let with = |x: Label, y: Label| map.alike(x, y) == Ok(true);
    for pair in looked.iter().filter(|&pair| !map.decided().contains(pair)) {
        let (x, y) = map.index().pair(pair);
        for (x, y) in [(x, y), (y, x)] {
            if with(x, a) && with(y, b) {
                need(x, a);
                need(y, b);
            } else if (with(x, a) || with(x, b)) && !with(y, a) && !with(y, b) {
                // y is apart from the class on the other side, and x was only now joined to that class.
                let (near, far) = if with(x, a) { (a, b) } else { (b, a) };
                need(x, near);
                need(y, far);
            }
        }
    }
    reason
}
