//! What has been decided of a sought map: which labels look alike and which do not.
//!
//! *Background.* A map is searched as a pair of partitions. A partial map says of some pairs that they are merged and of some that
//! they are apart, closed under what follows: merging is transitive, and what is apart from a label is apart from all that look
//! like it.

use std::sync::Arc;

use crate::{
    maps::space::pairs::{PairIndex, Pairs},
    problem::{Alphabet, Kind, Label, LabelMap},
    sets::BitSet,
};

/// The pair that an engine needed to know about and could not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecided(pub Label, pub Label);

/// A partly decided label map.
#[derive(Clone, Debug)]
pub struct PartialMap {
    index: Arc<PairIndex>,
    /// The labels that are mapped, by kind.
    labels: Arc<[Vec<Label>; 2]>,
    decided: Pairs,
    merged: Pairs,
    /// The least label that looks like each.
    class: Vec<Label>,
}

impl PartialMap {
    /// Nothing is decided about the labels in `among`.
    pub fn open(alphabet: &Alphabet, among: &BitSet) -> Self {
        let index = PairIndex::new(alphabet, among);
        let of = |kind| alphabet.of_kind(kind).filter(|l| among.contains(l.index())).collect();
        let none = Pairs::new(index.len());
        Self {
            labels: Arc::new([of(Kind::Action), of(Kind::Observation)]),
            decided: none.clone(),
            merged: none,
            class: alphabet.labels().collect(),
            index: Arc::new(index),
        }
    }

    /// Everything is decided, as in `map`.
    pub fn decided_by(alphabet: &Alphabet, among: &BitSet, map: &LabelMap) -> Self {
        let mut partial = Self::open(alphabet, among);
        for number in 0..partial.index.len() {
            let (a, b) = partial.index.pair(number);
            partial.decided.insert(number);
            if map.image(a) == map.image(b) {
                partial.merged.insert(number);
                let least = partial.class[a.index()].min(partial.class[b.index()]);
                let (old_a, old_b) = (partial.class[a.index()], partial.class[b.index()]);
                for c in &mut partial.class {
                    if *c == old_a || *c == old_b {
                        *c = least;
                    }
                }
            }
        }
        partial
    }

    /// Everything is decided: these pairs are merged, which must be all that follow from each other, and no others.
    pub fn whole(&self, merged: &Pairs) -> Self {
        let mut map = self.only(std::iter::empty());
        (0..map.index.len()).for_each(|pair| map.decided.insert(pair));
        map.merged = merged.clone();
        for pair in merged.iter() {
            let (a, b) = map.index.pair(pair);
            map.class[b.index()] = map.class[b.index()].min(a);
        }
        map
    }

    /// The numbering of the pairs.
    pub fn index(&self) -> &PairIndex {
        &self.index
    }

    /// How many labels there are, mapped or not.
    pub fn alphabet_len(&self) -> usize {
        self.class.len()
    }

    /// The mapped labels of a kind, ascending.
    pub fn labels(&self, kind: Kind) -> &[Label] {
        &self.labels[kind as usize]
    }

    /// The pairs that are decided.
    pub fn decided(&self) -> &Pairs {
        &self.decided
    }

    /// The pairs that are merged.
    pub fn merged(&self) -> &Pairs {
        &self.merged
    }

    /// Whether two labels look alike, if that is decided.
    pub fn alike(&self, a: Label, b: Label) -> Result<bool, Undecided> {
        if self.class[a.index()] == self.class[b.index()] {
            return Ok(true);
        }
        let number = self.index.number(a, b);
        if self.decided.contains(number) {
            Ok(self.merged.contains(number))
        } else {
            Err(Undecided(a.min(b), a.max(b)))
        }
    }

    /// Whether two mapped labels are decided to look alike; a label looks like itself.
    pub fn looks_like(&self, a: Label, b: Label) -> bool {
        let mapped = |l: Label| self.labels.iter().any(|labels| labels.contains(&l));
        mapped(a) && mapped(b) && self.class[a.index()] == self.class[b.index()]
    }

    /// The first pair that is not decided.
    pub fn first_open(&self) -> Option<Undecided> {
        let number = (0..self.index.len()).find(|&n| !self.decided.contains(n))?;
        let (a, b) = self.index.pair(number);
        Some(Undecided(a, b))
    }

    /// The classes of labels merged so far, of one kind, each ascending, by least label.
    pub fn classes(&self, kind: Kind) -> Vec<Vec<Label>> {
        let mut classes: Vec<Vec<Label>> = Vec::new();
        for &l in self.labels(kind) {
            match classes.iter_mut().find(|c| self.class[c[0].index()] == self.class[l.index()]) {
                Some(class) => class.push(l),
                None => classes.push(vec![l]),
            }
        }
        classes
    }

    /// With one more decision and all that follows from it; `None` if it contradicts what is decided.
    pub fn with(&self, a: Label, b: Label, alike: bool) -> Option<Self> {
        if let Ok(known) = self.alike(a, b) {
            return (known == alike).then(|| self.clone());
        }
        let mut next = self.clone();
        let side = |l: Label| -> Vec<Label> {
            let kind = usize::from(!self.labels[0].contains(&l));
            self.labels[kind]
                .iter()
                .copied()
                .filter(|m| self.class[m.index()] == self.class[l.index()])
                .collect()
        };
        let (left, right) = (side(a), side(b));
        for &l in &left {
            for &m in &right {
                next.decide(l, m, alike);
            }
        }
        if alike {
            let least = left[0].min(right[0]);
            for &l in left.iter().chain(&right) {
                next.class[l.index()] = least;
            }
            // Whatever was apart from one side is now apart from the other.
            let kind = usize::from(!self.labels[0].contains(&a));
            for &other in &self.labels[kind] {
                if left.contains(&other) || right.contains(&other) {
                    continue;
                }
                let apart = |l: Label| self.alike(l, other) == Ok(false);
                if apart(left[0]) || apart(right[0]) {
                    for &l in left.iter().chain(&right) {
                        next.decide(l, other, false);
                    }
                }
            }
        }
        Some(next)
    }

    /// What follows from these decisions alone.
    pub fn only(&self, pairs: impl Iterator<Item = usize>) -> Self {
        self.following(pairs, &self.merged).expect("decisions do not contradict each other")
    }

    /// What follows from deciding `pairs`, those in `merged` as merged; `None` if that is contradictory.
    pub fn following(&self, pairs: impl Iterator<Item = usize>, merged: &Pairs) -> Option<Self> {
        let none = Pairs::new(self.index.len());
        let mut map = Self {
            decided: none.clone(),
            merged: none,
            class: (0..self.class.len() as u32).map(Label).collect(),
            index: self.index.clone(),
            labels: self.labels.clone(),
        };
        for pair in pairs {
            let (a, b) = self.index.pair(pair);
            map = map.with(a, b, merged.contains(pair))?;
        }
        Some(map)
    }

    /// Whether some map completes both.
    pub fn meets(&self, other: &Self) -> bool {
        let both = self.decided.and(&other.decided);
        if !self.merged.agree(&other.merged, &both) {
            return false;
        }
        let mut map = self.clone();
        for pair in other.decided.iter().filter(|&pair| !self.decided.contains(pair)) {
            let (a, b) = self.index.pair(pair);
            match map.with(a, b, other.merged.contains(pair)) {
                Some(next) => map = next,
                None => return false,
            }
        }
        true
    }

    fn decide(&mut self, a: Label, b: Label, alike: bool) {
        let number = self.index.number(a, b);
        self.decided.insert(number);
        if alike {
            self.merged.insert(number);
        }
    }

    /// The map in which labels look alike only where that is decided. Images are named after the labels that look like them.
    pub fn finest(&self, alphabet: &Alphabet) -> LabelMap {
        LabelMap::from_fn(alphabet, |l| {
            let kind = alphabet.kind(l);
            let class: Vec<&str> = self
                .labels(kind)
                .iter()
                .filter(|m| self.class[m.index()] == self.class[l.index()])
                .map(|&m| alphabet.name(m))
                .collect();
            if class.is_empty() { alphabet.name(l).to_owned() } else { class.join("|") }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_closed() {
        let mut alphabet = Alphabet::new();
        let l: Vec<Label> =
            ["a", "b", "c", "d"].iter().map(|n| alphabet.declare(n, Kind::Action).unwrap()).collect();
        let all = BitSet::full(4);
        let map = PartialMap::open(&alphabet, &all);
        let map = map
            .with(l[0], l[1], true)
            .unwrap()
            .with(l[2], l[3], false)
            .unwrap()
            .with(l[1], l[2], true)
            .unwrap();
        assert_eq!(map.alike(l[0], l[2]), Ok(true));
        assert_eq!(map.alike(l[0], l[3]), Ok(false));
        assert!(map.with(l[0], l[3], true).is_none() && map.first_open().is_none());
        assert_eq!(map.classes(Kind::Action), [vec![l[0], l[1], l[2]], vec![l[3]]]);
        let whole = PartialMap::decided_by(&alphabet, &all, &map.finest(&alphabet));
        assert_eq!((whole.merged(), whole.decided()), (map.merged(), map.decided()));
    }
}
