//! Tasks and what comes of them: plain data.

use crate::maps::space::{Lesson, Pairs, PartialMap};

/// Some maps: all that agree with what is decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// The pairs of labels that are decided.
    pub decided: Pairs,
    /// Those of them that look alike.
    pub merged: Pairs,
}

impl Region {
    /// The region of all maps that complete `map`.
    pub fn of(map: &PartialMap) -> Self {
        Self { decided: map.decided().clone(), merged: map.merged().clone() }
    }

    /// Whether some maps are in both regions, as far as pairs tell.
    pub fn concerns(&self, region: &PartialMap) -> bool {
        self.merged.agree(region.merged(), &self.decided.and(region.decided()))
    }

    /// The region as a partial map of the labels of `open`; `None` if it is one of other labels, or contradicts itself.
    pub fn within(&self, open: &PartialMap) -> Option<PartialMap> {
        let words = |pairs: &Pairs| pairs.words().len() == open.decided().words().len();
        let fits = words(&self.decided) && words(&self.merged) && self.merged.is_subset(&self.decided);
        let last = self.decided.iter().last().is_none_or(|last| last < open.index().len());
        if !fits || !last {
            return None;
        }
        open.following(self.decided.iter(), &self.merged)
    }
}

/// What a task is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// To find out of every map in the region whether it will do.
    Classify,
    /// To find one map in the region that will do.
    Find,
}

/// Something to do that depends on nothing but what it says, and on the question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// What it is for.
    pub aim: Aim,
    /// The maps to look at.
    pub region: Region,
    /// The most events that plans may have, if that is limited.
    pub within: Option<u32>,
    /// The length of plans that were found under other maps; 0 if there is none.
    pub usual: u32,
    /// About how much work to do before the rest is handed back.
    pub budget: u64,
    /// What is known of these maps.
    pub lessons: Vec<Lesson>,
    /// Regions that could not be refuted as a whole, which need not be tried again.
    pub in_vain: Vec<Region>,
}

/// What came of a task. The regions in `decided` and `left` are all of the task's region, and no two of them overlap; if a
/// map was to be found, `decided` has the region where it was, and `left` what would remain to be looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Done {
    /// Regions, each with whether its maps will do.
    pub decided: Vec<(Region, bool)>,
    /// Regions that were not looked at.
    pub left: Vec<Region>,
    /// What was learnt. It holds for all maps, in the region or not.
    pub lessons: Vec<Lesson>,
    /// Regions that it was tried in vain to refute as a whole.
    pub in_vain: Vec<Region>,
    /// How many regions were decided one by one.
    pub regions: u64,
    /// How much work it was.
    pub effort: u64,
    /// The length of plans that were found last; 0 if there is none.
    pub usual: u32,
}
