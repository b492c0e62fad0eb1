//! Tasks and what comes of them as bytes, to be sent or kept.
//!
//! Everything is a number of eight bytes, the least significant first: a mark of what follows, the contents, and a sum by which bytes that
//! were cut off or changed are noticed.

use std::fmt;

use crate::maps::{
    space::{Lesson, Pairs},
    tasks::data::{Aim, Done, Region, Task},
};

const TASK: u64 = u64::from_le_bytes(*b"dvtask02");
const DONE: u64 = u64::from_le_bytes(*b"dvdone02");

/// Bytes that are no task, or not what came of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "these bytes are no task, nor what came of one: they are cut off, damaged or of another version",
        )
    }
}

impl std::error::Error for Malformed {}

impl Task {
    /// The task as bytes; equal tasks have equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { aim, region, within, usual, budget, lessons, in_vain } = self;
        let mut out = Writer::new(TASK, region.decided.words().len());
        out.put(u64::from(*aim == Aim::Find));
        out.put(within.map_or(u64::MAX, u64::from));
        out.put(u64::from(*usual));
        out.put(*budget);
        out.region(region);
        out.lessons(lessons);
        out.regions(in_vain);
        out.finish()
    }

    /// The task that these bytes are.
    ///
    /// # Errors
    /// If they are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut from = Reader::new(TASK, bytes)?;
        let aim = if from.flag()? { Aim::Find } else { Aim::Classify };
        let within = match from.take()? {
            u64::MAX => None,
            events => Some(u32::try_from(events).map_err(|_| Malformed)?),
        };
        let usual = from.small()?;
        let budget = from.take()?;
        let (region, lessons, in_vain) = (from.region()?, from.lessons()?, from.regions()?);
        from.finish()?;
        Ok(Self { aim, region, within, usual, budget, lessons, in_vain })
    }
}

impl Done {
    /// What came of a task, as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { decided, left, lessons, in_vain, regions, effort, usual } = self;
        let all = decided.iter().map(|(region, _)| region).chain(left).chain(in_vain);
        let mut words =
            all.map(|region| region.decided.words()).chain(lessons.iter().map(|l| l.looked.words()));
        let mut out = Writer::new(DONE, words.next().map_or(0, <[u64]>::len));
        out.put(*regions);
        out.put(*effort);
        out.put(u64::from(*usual));
        out.put(decided.len() as u64);
        for (region, feasible) in decided {
            out.put(u64::from(*feasible));
            out.region(region);
        }
        out.regions(left);
        out.lessons(lessons);
        out.regions(in_vain);
        out.finish()
    }

    /// What came of a task, from bytes.
    ///
    /// # Errors
    /// If the bytes are something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut from = Reader::new(DONE, bytes)?;
        let (regions, effort, usual) = (from.take()?, from.take()?, from.small()?);
        let mut decided = Vec::new();
        for _ in 0..from.count()? {
            let feasible = from.flag()?;
            decided.push((from.region()?, feasible));
        }
        let (left, lessons, in_vain) = (from.regions()?, from.lessons()?, from.regions()?);
        from.finish()?;
        Ok(Self { decided, left, lessons, in_vain, regions, effort, usual })
    }
}

/// A sum over numbers that changes if any of them does.
fn sum(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0xcbf2_9ce4_8422_2325, |sum, word| {
        (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

struct Writer {
    words: Vec<u64>,
}

impl Writer {
    /// All sets of pairs that follow have as many words.
    fn new(mark: u64, each: usize) -> Self {
        Self { words: vec![mark, each as u64] }
    }

    fn put(&mut self, word: u64) {
        self.words.push(word);
    }

    fn region(&mut self, Region { decided, merged }: &Region) {
        self.words.extend(decided.words());
        self.words.extend(merged.words());
    }

    fn regions(&mut self, regions: &[Region]) {
        self.put(regions.len() as u64);
        regions.iter().for_each(|region| self.region(region));
    }

    fn lessons(&mut self, lessons: &[Lesson]) {
        self.put(lessons.len() as u64);
        for Lesson { feasible, looked, merged } in lessons {
            self.put(u64::from(*feasible));
            self.words.extend(looked.words());
            self.words.extend(merged.words());
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.put(sum(self.words.iter().copied()));
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

struct Reader {
    words: std::vec::IntoIter<u64>,
    /// How many words a set of pairs has.
    each: usize,
}

impl Reader {
    fn new(mark: u64, bytes: &[u8]) -> Result<Self, Malformed> {
        let (eights, rest) = bytes.as_chunks::<8>();
        let mut words: Vec<u64> = eights.iter().map(|eight| u64::from_le_bytes(*eight)).collect();
        let expected = words.pop();
        if !rest.is_empty() || expected != Some(sum(words.iter().copied())) || words.first() != Some(&mark) {
            return Err(Malformed);
        }
        let mut from = Self { words: words.into_iter(), each: 0 };
        from.take()?;
        from.each = usize::try_from(from.take()?).map_err(|_| Malformed)?;
        Ok(from)
    }

    fn take(&mut self) -> Result<u64, Malformed> {
        self.words.next().ok_or(Malformed)
    }

    fn small(&mut self) -> Result<u32, Malformed> {
        u32::try_from(self.take()?).map_err(|_| Malformed)
    }

    /// How many of something follow. A region of no labels takes no words, and there is but one.
    fn count(&mut self) -> Result<u64, Malformed> {
        let count = self.take()?;
        if count <= self.words.len() as u64 + 1 { Ok(count) } else { Err(Malformed) }
    }

    fn flag(&mut self) -> Result<bool, Malformed> {
        match self.take()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed),
        }
    }

    fn pairs(&mut self) -> Result<Pairs, Malformed> {
        let words = self.words.as_slice().get(..self.each).ok_or(Malformed)?;
        let pairs = Pairs::from_words(self.each.saturating_mul(64), words).ok_or(Malformed)?;
        self.words.by_ref().take(self.each).for_each(drop);
        Ok(pairs)
    }

    fn region(&mut self) -> Result<Region, Malformed> {
        Ok(Region { decided: self.pairs()?, merged: self.pairs()? })
    }

    fn regions(&mut self) -> Result<Vec<Region>, Malformed> {
        (0..self.count()?).map(|_| self.region()).collect()
    }

    fn lessons(&mut self) -> Result<Vec<Lesson>, Malformed> {
        let mut lessons = Vec::new();
        for _ in 0..self.count()? {
            let (feasible, looked, merged) = (self.flag()?, self.pairs()?, self.pairs()?);
            lessons.push(Lesson { feasible, looked, merged });
        }
        Ok(lessons)
    }

    fn finish(mut self) -> Result<(), Malformed> {
        match self.words.next() {
            None => Ok(()),
            Some(_) => Err(Malformed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(bits: &[u64]) -> Pairs {
        Pairs::from_words(128, bits).unwrap()
    }

    fn some() -> (Task, Done) {
        let region = Region { decided: pairs(&[7, 1]), merged: pairs(&[2, 0]) };
        let lesson = Lesson { feasible: true, looked: pairs(&[5, 9]), merged: pairs(&[4, 8]) };
        let task = Task {
            aim: Aim::Find,
            region: region.clone(),
            within: Some(12),
            usual: 3,
            budget: 1 << 40,
            lessons: vec![lesson.clone(), Lesson { feasible: false, ..lesson.clone() }],
            in_vain: vec![region.clone()],
        };
        let done = Done {
            decided: vec![(region.clone(), true), (region.clone(), false)],
            left: vec![region.clone()],
            lessons: vec![lesson],
            in_vain: vec![region.clone(), region],
            regions: 4,
            effort: 5,
            usual: 6,
        };
        (task, done)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (task, done) = some();
        assert_eq!(Task::from_bytes(&task.to_bytes()), Ok(task.clone()));
        assert_eq!(Task::from_bytes(&Task { within: None, ..task.clone() }.to_bytes()).unwrap().within, None);
        assert_eq!(Done::from_bytes(&done.to_bytes()), Ok(done));
        let nothing = Done::default();
        assert_eq!(Done::from_bytes(&nothing.to_bytes()), Ok(nothing));
    }

    #[test]
    fn what_is_cut_off_or_changed_is_noticed() {
        let (task, done) = some();
        let (task, done) = (task.to_bytes(), done.to_bytes());
        assert_eq!((Task::from_bytes(&done), Done::from_bytes(&task)), (Err(Malformed), Err(Malformed)));
        for end in 0..done.len() {
            assert_eq!(Done::from_bytes(&done[..end]), Err(Malformed));
        }
        for at in 0..task.len() {
            let mut changed = task.clone();
            changed[at] ^= 16;
            assert_eq!(Task::from_bytes(&changed), Err(Malformed));
        }
    }
}
