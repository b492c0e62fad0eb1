//! Interned names: each distinct text is stored once and referred to by a dense number.

use std::{
    hash::BuildHasher,
    ops::Range,
    sync::{Arc, OnceLock},
};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::sets::{short, spread};

/// A table of distinct names numbered from 0 in order of first mention.
#[derive(Clone, Default)]
pub struct Names {
    /// Made when it is first needed, if it is made later.
    texts: OnceLock<Texts>,
    later: Option<Arc<Later>>,
    /// The names' numbers with part of their hashes, so that the table grows without looking at names; made when it is first needed.
    table: OnceLock<HashTable<(u32, u32)>>,
}

/// The names one after the other, and where each ends.
#[derive(Clone, Default, PartialEq, Eq)]
struct Texts {
    text: String,
    ends: Vec<usize>,
}

/// Names that are made when somebody asks for one of them, together with those next to it.
struct Later {
    count: usize,
    make: Box<Make>,
    /// So many names each.
    blocks: Vec<OnceLock<Texts>>,
}

/// Makes the names with these numbers, as for [`Names::distinct`].
type Make = dyn Fn(Range<usize>) -> (String, Vec<usize>) + Send + Sync;

/// How many names are made together.
const BLOCK: usize = 64;

impl Later {
    fn make(&self, numbers: Range<usize>) -> Texts {
        let count = numbers.len();
        let (text, ends) = (self.make)(numbers);
        assert_eq!(ends.len(), count, "as many names are made as were asked for");
        Texts { text, ends }
    }

    fn get(&self, id: u32) -> &str {
        let (block, place) = (id as usize / BLOCK, id as usize % BLOCK);
        let numbers = block * BLOCK..self.count.min((block + 1) * BLOCK);
        self.blocks[block].get_or_init(|| self.make(numbers)).get(place as u32)
    }
}

impl Names {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty table with room for `names` names of about `bytes` bytes in all.
    pub fn with_capacity(names: usize, bytes: usize) -> Self {
        let texts = Texts { text: String::with_capacity(bytes), ends: Vec::with_capacity(names) };
        Self { texts: texts.into(), later: None, table: HashTable::with_capacity(names).into() }
    }

    /// Names that differ, one after the other, and where each ends.
    pub fn distinct(text: String, ends: Vec<usize>) -> Self {
        Self { texts: Texts { text, ends }.into(), later: None, table: OnceLock::new() }
    }

    /// So many names that differ. Those with certain numbers are made, as for [`distinct`](Self::distinct), when somebody asks for one of them.
    pub fn later(
        count: usize,
        make: impl Fn(Range<usize>) -> (String, Vec<usize>) + Send + Sync + 'static,
    ) -> Self {
        let blocks = (0..count.div_ceil(BLOCK)).map(|_| OnceLock::new()).collect();
        let later = Later { count, make: Box::new(make), blocks };
        Self { texts: OnceLock::new(), later: Some(Arc::new(later)), table: OnceLock::new() }
    }

    /// All of them.
    fn texts(&self) -> &Texts {
        let later = || self.later.as_ref().map_or_else(Texts::default, |later| later.make(0..later.count));
        self.texts.get_or_init(later)
    }

    fn table(&self) -> &HashTable<(u32, u32)> {
        self.table.get_or_init(|| {
            let mut table = HashTable::with_capacity(self.len());
            for (id, name) in (0..).zip(self.iter()) {
                let hash = hash(name);
                table.insert_unique(spread(hash), (id, hash), |&(_, hash)| spread(hash));
            }
            table
        })
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        let later = || self.later.as_ref().map_or(0, |later| later.count);
        self.texts.get().map_or_else(later, |texts| texts.ends.len())
    }

    /// Whether there is no name yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of `name`, which is added if it is new; the flag tells whether it was.
    pub fn intern(&mut self, name: &str) -> (u32, bool) {
        _ = (self.texts(), self.table());
        let made = "it was made just now";
        let texts = self.texts.get_mut().expect(made);
        let table = self.table.get_mut().expect(made);
        let hash = hash(name);
        let same = |&(id, other): &(u32, u32)| other == hash && texts.get(id) == name;
        if let Some(&(id, _)) = table.find(spread(hash), same) {
            return (id, false);
        }
        let id = u32::try_from(texts.ends.len()).expect("more than four thousand million names");
        texts.text.push_str(name);
        texts.ends.push(texts.text.len());
        table.insert_unique(spread(hash), (id, hash), |&(_, hash)| spread(hash));
        (id, true)
    }

    /// The number of `name`, if it is in the table.
    pub fn get(&self, name: &str) -> Option<u32> {
        let (hash, texts) = (hash(name), self.texts());
        let same = |&(id, other): &(u32, u32)| other == hash && texts.get(id) == name;
        self.table().find(spread(hash), same).map(|&(id, _)| id)
    }

    /// The name with this number.
    ///
    /// # Panics
    /// If no name has it.
    pub fn name(&self, id: u32) -> &str {
        match (self.texts.get(), &self.later) {
            (None, Some(later)) => later.get(id),
            _ => self.texts().get(id),
        }
    }

    /// Every name, in the order of the numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        let texts = self.texts();
        (0..texts.ends.len()).map(|i| texts.get(i as u32))
    }
}

fn hash(name: &str) -> u32 {
    short(FxBuildHasher.hash_one(name))
}

impl Texts {
    fn get(&self, id: u32) -> &str {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.text[start..self.ends[id]]
    }
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.texts() == other.texts()
    }
}

impl Eq for Names {}

impl<'a> FromIterator<&'a str> for Names {
    fn from_iter<T: IntoIterator<Item = &'a str>>(iter: T) -> Self {
        let mut names = Self::new();
        for name in iter {
            names.intern(name);
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let mut names = Names::new();
        assert_eq!(names.intern("a"), (0, true));
        assert_eq!(names.intern(""), (1, true));
        assert_eq!(names.intern("a"), (0, false));
        assert_eq!(names.get("b"), None);
        assert_eq!(names.iter().collect::<Vec<_>>(), ["a", ""]);
    }

    #[test]
    fn a_table_that_is_made_later_is_the_same() {
        let made = |numbers: Range<usize>| {
            assert_eq!(numbers, 0..4);
            ("onetwothree".to_owned(), vec![3, 6, 6, 11])
        };
        let (text, ends) = made(0..4);
        for mut names in [Names::distinct(text, ends), Names::later(4, made)] {
            assert_eq!(names.len(), 4);
            let copy = names.clone();
            assert_eq!(names.get("three"), Some(3));
            assert_eq!(names.intern(""), (2, false));
            assert_eq!(names.intern("four"), (4, true));
            let again: Names = ["one", "two", "", "three", "four"].into_iter().collect();
            assert_eq!(names, again);
            assert!(copy != names && copy.len() == 4 && copy.name(1) == "two");
        }
    }

    #[test]
    fn only_what_is_asked_for_is_made() {
        let made = Arc::new(std::sync::Mutex::new(0));
        let count = Arc::clone(&made);
        let names = Names::later(1000, move |numbers| {
            *count.lock().unwrap() += numbers.len();
            let (mut text, mut ends) = (String::new(), Vec::new());
            for n in numbers {
                text += &n.to_string();
                ends.push(text.len());
            }
            (text, ends)
        });
        assert_eq!([0, 63, 64, 999].map(|n| names.name(n)), ["0", "63", "64", "999"]);
        assert_eq!(*made.lock().unwrap(), 64 + 64 + 1000 % 64);
        assert_eq!((names.get("500"), names.get("1000"), names.len()), (Some(500), None, 1000));
        assert!((0..1000).all(|n| names.name(n) == n.to_string()));
        assert_eq!(
            names,
            (0..1000).map(|n| n.to_string()).collect::<Vec<_>>().iter().map(String::as_str).collect()
        );
    }
}
