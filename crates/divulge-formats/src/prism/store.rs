//! The states met so far: the values of the variables, packed.

use super::build::Variable;
use crate::packed::Packed;

/// Where a variable is kept: the word, how far to shift, and how much to mask.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
    low: i64,
}

/// Distinct states, numbered in the order in which they were met.
pub(super) struct Store {
    fields: Vec<Field>,
    all: Packed,
    packed: Vec<u64>,
}

impl Store {
    pub fn new(variables: &[Variable]) -> Self {
        let mut fields = Vec::new();
        let (mut word, mut shift) = (0, 0);
        for variable in variables {
            let bits = 64 - variable.high.abs_diff(variable.low).leading_zeros();
            if shift + bits > 64 {
                (word, shift) = (word + 1, 0);
            }
            let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
            fields.push(Field { word, shift: shift.min(63), mask, low: variable.low });
            shift += bits;
        }
        Self { fields, all: Packed::new(word + 1), packed: vec![0; word + 1] }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The number of a state, and whether it is new. Values must be in their ranges.
    pub fn number(&mut self, state: &[i64]) -> (u32, bool) {
        self.packed.fill(0);
        for (field, &value) in self.fields.iter().zip(state) {
            self.packed[field.word] |= (value.wrapping_sub(field.low) as u64 & field.mask) << field.shift;
        }
        self.all.number(&self.packed)
    }

    /// The values of a state.
    pub fn state(&self, number: u32, into: &mut [i64]) {
        let packed = self.all.get(number);
        for (field, value) in self.fields.iter().zip(into) {
            *value = field.low.wrapping_add((packed[field.word] >> field.shift & field.mask) as i64);
        }
    }
}
