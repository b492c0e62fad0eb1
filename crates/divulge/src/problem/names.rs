//! Interned names: each distinct text is stored once and referred to by a dense number.

use std::{hash::BuildHasher, sync::OnceLock};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::sets::{short, spread};

/// A table of distinct names numbered from 0 in order of first mention.
#[derive(Clone, Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
    /// The names' numbers with part of their hashes, so that the table grows without looking at names; made when it is first needed.
    table: OnceLock<HashTable<(u32, u32)>>,
}

impl Names {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty table with room for `names` names of about `bytes` bytes in all.
    pub fn with_capacity(names: usize, bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            ends: Vec::with_capacity(names),
            table: HashTable::with_capacity(names).into(),
        }
    }

    /// Names that differ, one after the other, and where each ends.
    pub fn distinct(text: String, ends: Vec<usize>) -> Self {
        Self { text, ends, table: OnceLock::new() }
    }

    fn table(&self) -> &HashTable<(u32, u32)> {
        self.table.get_or_init(|| {
            let mut table = HashTable::with_capacity(self.ends.len());
            for (id, name) in (0..).zip(self.iter()) {
                let hash = hash(name);
                table.insert_unique(spread(hash), (id, hash), |&(_, hash)| spread(hash));
            }
            table
        })
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of `name`, which is added if it is new; the flag tells whether it was.
    pub fn intern(&mut self, name: &str) -> (u32, bool) {
        self.table();
        let Self { text, ends, table } = self;
        let table = table.get_mut().expect("it was made just now");
        let hash = hash(name);
        let same = |&(id, other): &(u32, u32)| other == hash && slice(text, ends, id) == name;
        if let Some(&(id, _)) = table.find(spread(hash), same) {
            return (id, false);
        }
        let id = u32::try_from(ends.len()).expect("more than four thousand million names");
        text.push_str(name);
        ends.push(text.len());
        table.insert_unique(spread(hash), (id, hash), |&(_, hash)| spread(hash));
        (id, true)
    }

    /// The number of `name`, if it is in the table.
    pub fn get(&self, name: &str) -> Option<u32> {
        let hash = hash(name);
        let same = |&(id, other): &(u32, u32)| other == hash && slice(&self.text, &self.ends, id) == name;
        self.table().find(spread(hash), same).map(|&(id, _)| id)
    }

    /// The name with this number.
    ///
    /// # Panics
    /// If no name has it.
    pub fn name(&self, id: u32) -> &str {
        slice(&self.text, &self.ends, id)
    }

    /// Every name, in the order of the numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        (0..self.ends.len()).map(|i| slice(&self.text, &self.ends, i as u32))
    }
}

fn hash(name: &str) -> u32 {
    short(FxBuildHasher.hash_one(name))
}

fn slice<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a str {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &text[start..ends[id]]
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.ends == other.ends
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
        let mut names = Names::distinct("onetwothree".to_owned(), vec![3, 6, 6, 11]);
        assert_eq!(names.get("three"), Some(3));
        assert_eq!(names.intern(""), (2, false));
        assert_eq!(names.intern("four"), (4, true));
        let again: Names = ["one", "two", "", "three", "four"].into_iter().collect();
        assert_eq!(names, again);
    }
}
