//! Valuations as numbers, and the table of those met.

use super::super::scope::{Domain, Variable};
use divulge::problem::Kind;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// A valuation as a number: the digits are the variables' values, each counted from its first.
pub(super) struct Codec {
    digits: Vec<Digit>,
    combinations: u128,
}

struct Digit {
    size: u128,
    /// By what numbers below 2^32 are multiplied, of which 64 bits are then left out, to divide them by the size; 0 if that is 1.
    inverse: u64,
    weight: u128,
    low: i64,
    /// For enumerations: the values, and the place of each word among them (`u32::MAX`: not one of them).
    values: Vec<i64>,
    place: Vec<u32>,
}

impl Digit {
    fn inverse(size: u128) -> u64 {
        if size <= 1 { 0 } else { ((1 << 64) / size + 1) as u64 }
    }

    /// A number below 2^32 divided by how many values there are, and what is left of it. The inverse is too large by at most one, so what it gives is too
    /// large by less than 2^-32, and a fraction that is not whole is further than that below the next whole number.
    fn divide(&self, number: u64) -> (u64, u64) {
        if self.inverse == 0 {
            return (number, 0);
        }
        let quotient = ((u128::from(number) * u128::from(self.inverse)) >> 64) as u64;
        (quotient, number - quotient.wrapping_mul(self.size as u64))
    }

    /// The place of a value among the variable's.
    fn place(&self, value: i64) -> u128 {
        match self.values.is_empty() {
            true => (i128::from(value) - i128::from(self.low)) as u128,
            false => u128::from(self.place[value as usize]),
        }
    }
}

impl Codec {
    /// Nothing if there are too many combinations to number them.
    pub fn new(variables: &[Variable], words: usize) -> Option<Codec> {
        let mut combinations = 1u128;
        let mut digits = Vec::new();
        for variable in variables {
            let size = variable.domain.size();
            let (low, values) = match &variable.domain {
                Domain::Bool => (0, Vec::new()),
                Domain::Int(low, _) => (*low, Vec::new()),
                Domain::Enum(values) | Domain::SomeInts(values) => (0, values.clone()),
            };
            let mut place = Vec::new();
            if !values.is_empty() {
                place = vec![u32::MAX; words];
                for (i, &value) in values.iter().enumerate() {
                    place[value as usize] = i as u32;
                }
            }
            let inverse = Digit::inverse(size);
            digits.push(Digit { size, inverse, weight: combinations, low, values, place });
            combinations = combinations.checked_mul(size).filter(|&n| n < 1 << 127)?;
        }
        Some(Codec { digits, combinations })
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.digits.len()
    }

    pub fn combinations(&self) -> u128 {
        self.combinations
    }

    /// The n-th value of a variable.
    pub fn value(&self, v: usize, n: u64) -> i64 {
        let digit = &self.digits[v];
        if digit.values.is_empty() { digit.low.wrapping_add_unsigned(n) } else { digit.values[n as usize] }
    }

    /// Whether it is a value of the variable.
    pub fn contains(&self, v: usize, value: i64) -> bool {
        let digit = &self.digits[v];
        if !digit.values.is_empty() {
            return usize::try_from(value).is_ok_and(|w| digit.place.get(w).is_some_and(|&p| p != u32::MAX));
        }
        value >= digit.low && ((i128::from(value) - i128::from(digit.low)) as u128) < digit.size
    }

    /// The number of a valuation, every value being one of its variable's.
    pub fn encode(&self, state: &[i64]) -> u128 {
        self.digits.iter().zip(state).map(|(digit, &value)| digit.place(value) * digit.weight).sum()
    }

    /// The number of the valuation in which a variable has another value, both being its own.
    pub fn instead(&self, key: u128, v: usize, before: i64, after: i64) -> u128 {
        let digit = &self.digits[v];
        key - digit.place(before) * digit.weight + digit.place(after) * digit.weight
    }

    /// How many values a variable has.
    pub fn size(&self, v: usize) -> u128 {
        self.digits[v].size
    }

    /// The places of the values among their variables', each counted from its first.
    pub fn places(&self, key: u128, places: &mut [u64]) {
        if let Ok(rest) = u32::try_from(key) {
            let mut rest = u64::from(rest);
            for (digit, place) in self.digits.iter().zip(places) {
                (rest, *place) = digit.divide(rest);
            }
            return;
        }
        if let Ok(mut rest) = u64::try_from(key) {
            for (digit, place) in self.digits.iter().zip(places) {
                let Ok(size) = u64::try_from(digit.size) else {
                    *place = std::mem::take(&mut rest);
                    continue;
                };
                *place = rest % size;
                rest /= size;
            }
            return;
        }
        for (digit, place) in self.digits.iter().zip(places) {
            *place = (key / digit.weight % digit.size) as u64;
        }
    }

    pub fn decode(&self, key: u128, state: &mut [i64]) {
        // Almost always 32 or 64 bits are enough, and their division is much faster.
        if let Ok(rest) = u32::try_from(key) {
            let mut rest = u64::from(rest);
            for (v, digit) in self.digits.iter().enumerate() {
                let (quotient, place) = digit.divide(rest);
                rest = quotient;
                state[v] = self.value(v, place);
            }
            return;
        }
        if let Ok(mut rest) = u64::try_from(key) {
            for (v, digit) in self.digits.iter().enumerate() {
                let Ok(size) = u64::try_from(digit.size) else {
                    state[v] = self.value(v, rest);
                    rest = 0;
                    continue;
                };
                state[v] = self.value(v, rest % size);
                rest /= size;
            }
            return;
        }
        for (v, value) in state.iter_mut().enumerate() {
            *value = self.decode_one(key, v);
        }
    }

    pub fn decode_one(&self, key: u128, v: usize) -> i64 {
        let digit = &self.digits[v];
        let place = key / digit.weight % digit.size;
        if digit.values.is_empty() {
            (i128::from(digit.low) + place as i128) as i64
        } else {
            digit.values[place as usize]
        }
    }
}

/// A vertex as a number: its valuation's, and its kind.
pub(super) fn code(kind: Kind, key: u128) -> u128 {
    key << 1 | u128::from(kind == Kind::Observation)
}

/// The vertices met: each is a kind and a valuation.
pub(super) struct States {
    codes: Vec<u128>,
    index: Index,
}

/// Small spaces are tables of numbers counted from 1, with nothing where a vertex was not met; large ones are hashed. The codes themselves are kept
/// only once, or millions of them would take most of the memory.
enum Index {
    Table(Vec<u32>),
    Hash(HashTable<u32>),
}

/// A table of all vertices with room for as many more, filled in their order: to move them as they lie would mean to look for each code.
fn larger(codes: &[u128]) -> HashTable<u32> {
    let mut all = HashTable::with_capacity(2 * codes.len());
    for (v, &code) in (0..).zip(codes) {
        all.insert_unique(hash(code), v, |&v: &u32| hash(codes[v as usize]));
    }
    all
}

fn hash(code: u128) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(code as u64);
    // Few have more than 64 bits.
    if code >> 64 != 0 {
        hasher.write_u64((code >> 64) as u64);
    }
    hasher.finish()
}

const LARGEST_TABLE: u128 = 1 << 23;

impl States {
    pub fn new(combinations: u128) -> Self {
        let index = if combinations <= LARGEST_TABLE {
            Index::Table(vec![0; 2 * combinations as usize])
        } else {
            Index::Hash(HashTable::new())
        };
        States { codes: Vec::new(), index }
    }

    pub fn len(&self) -> usize {
        self.codes.len()
    }

    pub fn key(&self, v: usize) -> u128 {
        self.codes[v] >> 1
    }

    pub fn kind(&self, v: usize) -> Kind {
        if self.codes[v] & 1 == 0 { Kind::Action } else { Kind::Observation }
    }

    /// The number of a vertex, if it was met.
    pub fn find(&self, code: u128) -> Option<u32> {
        match &self.index {
            Index::Table(table) => table[code as usize].checked_sub(1),
            Index::Hash(all) => all.find(hash(code), |&v| self.codes[v as usize] == code).copied(),
        }
    }

    /// The number of a vertex, which may be new.
    pub fn intern(&mut self, code: u128) -> u32 {
        let new = self.codes.len() as u32;
        let found = match &mut self.index {
            Index::Table(table) => {
                let slot = &mut table[code as usize];
                if *slot == 0 {
                    *slot = new + 1;
                }
                *slot - 1
            }
            Index::Hash(all) => {
                let codes = &self.codes;
                if all.len() == all.capacity() {
                    *all = larger(codes);
                }
                let same = |&v: &u32| codes[v as usize] == code;
                *all.entry(hash(code), same, |&v| hash(codes[v as usize])).or_insert(new).get()
            }
        };
        if found == new {
            self.codes.push(code);
        }
        found
    }

    /// All vertices, when no more are looked for.
    pub fn without_index(&mut self) {
        self.index = Index::Table(Vec::new());
    }
}

/// Remembers the code of each value seen.
#[derive(Default)]
pub(super) struct Codes {
    known: FxHashMap<i64, usize>,
    last: Option<(i64, usize)>,
}

impl Codes {
    pub fn get(&mut self, value: i64, make: impl FnOnce() -> usize) -> usize {
        if let Some((last, code)) = self.last
            && last == value
        {
            return code;
        }
        let code = *self.known.entry(value).or_insert_with(make);
        self.last = Some((value, code));
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(domain: Domain) -> Variable {
        Variable { name: String::new(), span: Default::default(), domain, property: false }
    }

    #[test]
    fn division_is_exact() {
        let edges =
            [1_u128, 2, 3, 5, 7, 641, 65_535, 65_536, 65_537, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32];
        for size in edges.into_iter().chain([(1 << 32) + 1, 1 << 63, 1 << 64, (1 << 64) + 1, 1 << 100]) {
            let digit = Digit {
                size,
                inverse: Digit::inverse(size),
                weight: 1,
                low: 0,
                values: Vec::new(),
                place: Vec::new(),
            };
            let near = edges.into_iter().flat_map(|edge| {
                let multiple = (u128::from(u32::MAX) / size * size).max(1);
                [edge - 1, edge, edge + 1, multiple - 1, multiple]
            });
            for number in near.filter(|&number| number <= u128::from(u32::MAX)) {
                let (quotient, left) = digit.divide(number as u64);
                assert_eq!((u128::from(quotient), u128::from(left)), (number / size, number % size));
            }
        }
    }

    #[test]
    fn valuations_and_numbers_correspond() {
        let variables =
            [Domain::Int(-2, 3), Domain::Bool, Domain::Enum(vec![4, 1, 7]), Domain::Int(5, 5)].map(variable);
        let codec = Codec::new(&variables, 9).unwrap();
        assert_eq!(codec.combinations(), 36);
        let mut state = [0; 4];
        for key in 0..36 {
            codec.decode(key, &mut state);
            assert_eq!(codec.encode(&state), key);
            let mut places = [0; 4];
            codec.places(key, &mut places);
            for (v, &value) in state.iter().enumerate() {
                assert_eq!(codec.decode_one(key, v), value);
                assert_eq!(codec.value(v, places[v]), value);
                assert!(codec.contains(v, value));
                for other in 0..codec.size(v) as u64 {
                    let mut changed = state;
                    changed[v] = codec.value(v, other);
                    assert_eq!(codec.instead(key, v, value, changed[v]), codec.encode(&changed));
                }
            }
        }
        assert!(
            !codec.contains(0, 4)
                && !codec.contains(2, 0)
                && !codec.contains(2, -1)
                && !codec.contains(2, 99)
        );
    }

    /// Vertices get the numbers of their first mention, in a table and hashed, also while the latter grows.
    #[test]
    fn vertices_are_numbered_as_they_are_mentioned() {
        for combinations in [1000, LARGEST_TABLE + 1, 1 << 100] {
            let mut states = States::new(combinations);
            let (mut known, mut first) = (FxHashMap::default(), Vec::new());
            for i in 0..20_000_u128 {
                let code = i * i * 7919 % 1999 * (combinations / 1000);
                assert_eq!(states.find(code), known.get(&code).copied());
                let number = *known.entry(code).or_insert_with(|| {
                    first.push(code);
                    first.len() as u32 - 1
                });
                assert_eq!((states.intern(code), states.find(code)), (number, Some(number)));
            }
            assert_eq!(states.len(), first.len());
            assert!(first.len() > 900 && first.iter().zip(0..).all(|(&code, v)| states.key(v) == code >> 1));
        }
    }

    #[test]
    fn huge_spaces_are_numbered_or_refused() {
        let wide = || variable(Domain::Int(i64::MIN, i64::MAX));
        let codec = Codec::new(&[wide(), variable(Domain::Bool)], 0).unwrap();
        let mut state = [0; 2];
        for value in [i64::MIN, -1, 0, i64::MAX] {
            for flag in [0, 1] {
                let (key, mut places) = (codec.encode(&[value, flag]), [0; 2]);
                codec.decode(key, &mut state);
                assert_eq!(state, [value, flag]);
                codec.places(key, &mut places);
                assert_eq!([codec.value(0, places[0]), codec.value(1, places[1])], state);
            }
        }
        assert!(Codec::new(&[wide(), wide()], 0).is_none());
    }
}
