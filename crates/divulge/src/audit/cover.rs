//! Which of the demands found so far may ask no more than a new one.
//!
//! *Background.* What asks no more contains the first set to be met, so it is found among the demands that contain a member of
//! it: the member that the fewest of them contain. Large sets would be listed under too many members; few demands have any,
//! and the largest of those are looked through one by one.

use crate::problem::Kind;

/// How many members a set has that is listed under each of them.
const SMALL: usize = 64;

/// How many demands with larger sets are kept in mind.
const LARGEST: usize = 64;

/// How many demands are looked at before a new one is taken to be needed, for good or ill: where that many are alike, looking
/// through all costs more than it saves.
const ENOUGH: usize = 64;

/// One look in so many must find something, or else only one demand in as many is looked at: on some problems hardly anything is
/// covered.
const SELDOM: u64 = 8;

/// How many looks are taken before that is judged.
const FIRST: u64 = 512;

/// The demands that others are compared with.
pub(crate) struct Cover {
    /// For each kind and place, the demands whose first set to be met is small and contains it, ascending, with their prints.
    containing: [Vec<Vec<(u32, u64)>>; 2],
    /// For each kind, how large the first sets of the others are, most first.
    large: [Vec<(u32, u32)>; 2],
    asked: u64,
    looks: u64,
    found: u64,
}

impl Cover {
    /// For so many vertices of each kind.
    pub fn new(counts: [usize; 2]) -> Self {
        Self {
            containing: counts.map(|count| vec![Vec::new(); count]),
            large: Default::default(),
            asked: 0,
            looks: 0,
            found: 0,
        }
    }

    /// Adds the demand with this number, higher than all before, and these members of its first set to be met.
    pub fn insert(&mut self, demand: u32, kind: Kind, print: u64, members: &[u32]) {
        if members.len() <= SMALL {
            for &v in members {
                self.containing[kind as usize][v as usize].push((demand, print));
            }
            return;
        }
        let (large, size) = (&mut self.large[kind as usize], members.len() as u32);
        let at = large.partition_point(|&(other, _)| other >= size);
        if at < LARGEST {
            large.insert(at, (size, demand));
            large.truncate(LARGEST);
        }
    }

    /// Whether it pays to look for what covers one more demand.
    pub fn pays(&mut self) -> bool {
        self.asked += 1;
        let pays =
            self.looks < FIRST || self.found * SELDOM >= self.looks || self.asked.is_multiple_of(SELDOM);
        self.looks += u64::from(pays);
        pays
    }

    /// Whether one of the demands with these numbers covers another one that has this print and these members; and how many were
    /// looked at. Nothing is covered by what lacks some bits of its print.
    pub fn any(
        &mut self,
        numbers: std::ops::Range<u32>,
        kind: Kind,
        print: u64,
        members: &[u32],
        covers: impl Fn(u32) -> bool,
    ) -> (bool, u64) {
        let (mut seen, size) = (0, members.len() as u32);
        let mut large = self.large[kind as usize].iter().take_while(|&&(other, _)| other >= size);
        let mut found = large.any(|&(_, demand)| {
            seen += 1;
            numbers.contains(&demand) && covers(demand)
        });
        if !found && members.len() <= SMALL {
            let lists = members.iter().map(|&v| &self.containing[kind as usize][v as usize]);
            let rarest = lists.min_by_key(|list| list.len()).map_or(&[][..], |list| list);
            let from = rarest.partition_point(|&(demand, _)| demand < numbers.start);
            let mut some = rarest[from..].iter().take(ENOUGH);
            found = some.any(|&(demand, theirs)| {
                seen += 1;
                print & !theirs == 0 && numbers.contains(&demand) && covers(demand)
            });
        }
        self.found += u64::from(found);
        (found, seen)
    }
}
