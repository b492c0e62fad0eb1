//! Properties of world vertices, stored by column.

use rustc_hash::FxHashMap;

use crate::{
    problem::{by_value::ByValue, names::Names, pgraph::Vertex},
    sets::BitSet,
};

/// A property's value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A text.
    Text(String),
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Self {
        Value::Int(i)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Value::Text(s.to_owned())
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::Text(s) => f.write_str(s),
        }
    }
}

/// One property: its distinct values, and a code for each vertex (0: the vertex lacks it).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    codes: Vec<u32>,
    values: Vec<Value>,
    index: FxHashMap<Value, u32>,
    by_value: ByValue,
}

impl Column {
    /// A column with these values, all different, and for each vertex the number of its own, from 1 on; 0 if it has none.
    ///
    /// # Panics
    /// If a vertex has a value that there is not.
    pub fn with_codes(values: Vec<Value>, codes: Vec<u32>) -> Self {
        assert!(
            codes.iter().all(|&code| code as usize <= values.len()),
            "a vertex has a value that there is not"
        );
        let index = values.iter().cloned().zip(0..).collect();
        Self { codes, values, index, by_value: ByValue::default() }
    }

    /// The value at a vertex, if it has the property.
    pub fn get(&self, v: Vertex) -> Option<&Value> {
        match self.codes.get(v.index()) {
            None | Some(0) => None,
            Some(&code) => Some(&self.values[code as usize - 1]),
        }
    }

    /// The distinct values, in order of first mention.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The index into [`values`](Self::values) of a vertex's value.
    pub fn code(&self, v: Vertex) -> Option<usize> {
        self.codes.get(v.index()).and_then(|&c| (c as usize).checked_sub(1))
    }

    /// The vertices below `n` that have one of these values, given as a flag for each of [`values`](Self::values).
    pub(crate) fn mask(&self, n: usize, wanted: &[bool]) -> BitSet {
        if let Some(few) = self.by_value.mask(&self.codes, n, wanted) {
            return few;
        }
        let by_code: Vec<u64> = [false].iter().chain(wanted).map(|&wanted| u64::from(wanted)).collect();
        let word =
            |codes: &[u32]| codes.iter().rev().fold(0, |word, &code| word << 1 | by_code[code as usize]);
        BitSet::from_words(self.codes[..n.min(self.codes.len())].chunks(64).map(word).collect(), n)
    }

    /// The code of a value, for [`set_code`](Self::set_code).
    pub fn intern(&mut self, value: Value) -> usize {
        if let Some(&code) = self.index.get(&value) {
            return code as usize;
        }
        self.values.push(value.clone());
        self.index.insert(value, self.values.len() as u32 - 1);
        self.values.len() - 1
    }

    /// Gives a vertex the value with this code.
    pub fn set_code(&mut self, v: Vertex, code: usize) {
        self.by_value.forget();
        if self.codes.len() <= v.index() {
            self.codes.resize(v.index() + 1, 0);
        }
        self.codes[v.index()] = code as u32 + 1;
    }
}

/// The properties of all vertices of a world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Props {
    names: Names,
    columns: Vec<Column>,
}

impl Props {
    /// No properties.
    pub fn new() -> Self {
        Self::default()
    }

    /// The names of the properties, in order of first mention.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The column of a property, if any vertex has it.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.names.get(name).map(|i| &self.columns[i as usize])
    }

    /// The column of a property, made if it is new.
    pub fn column_mut(&mut self, name: &str) -> &mut Column {
        let (i, new) = self.names.intern(name);
        if new {
            self.columns.push(Column::default());
        }
        &mut self.columns[i as usize]
    }

    /// Sets one property of one vertex.
    pub fn set(&mut self, v: Vertex, name: &str, value: impl Into<Value>) {
        let column = self.column_mut(name);
        let code = column.intern(value.into());
        column.set_code(v, code);
    }

    /// Adds those of vertices that come after these many.
    pub fn append(&mut self, later: Props, after: usize) {
        for (name, column) in later.names.iter().zip(later.columns) {
            let own = self.column_mut(name);
            let codes: Vec<usize> = column.values.into_iter().map(|value| own.intern(value)).collect();
            own.by_value.forget();
            own.codes.resize(after, 0);
            let code = |&code: &u32| code.checked_sub(1).map_or(0, |code| codes[code as usize] as u32 + 1);
            own.codes.extend(column.codes.iter().map(code));
        }
    }

    /// The properties of one vertex, in order of first mention.
    pub fn of(&self, v: Vertex) -> impl Iterator<Item = (&str, &Value)> + '_ {
        self.names.iter().zip(&self.columns).filter_map(move |(name, column)| Some((name, column.get(v)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_has_those_that_have_a_value() {
        for n in [0, 1, 63, 64, 65, 200] {
            let mut column = Column::default();
            let codes: Vec<usize> = [3, 1, 4, 1, 5].map(|value: i64| column.intern(value.into())).to_vec();
            // Every third vertex lacks the property, and so do the last ones.
            let has = |v: usize| (v % 3 != 2 && v + 7 < n).then(|| codes[v % 5]);
            (0..n).for_each(|v| _ = has(v).map(|code| column.set_code(Vertex(v as u32), code)));
            let wanted = [false, true, true, false];
            let mask = column.mask(n, &wanted);
            assert_eq!(mask, BitSet::from_fn(n, |v| has(v).is_some_and(|code| wanted[code])));
            // One value of many, before and after something changes.
            (6..20).for_each(|value: i64| _ = column.intern(value.into()));
            for value in [1, 3, 12] {
                let one: Vec<bool> = column.values().iter().map(|have| *have == Value::Int(value)).collect();
                let holds = |column: &Column, v: usize| column.get(Vertex(v as u32)) == Some(&value.into());
                assert_eq!(column.mask(n, &one), BitSet::from_fn(n, |v| holds(&column, v)));
                if n > 9 {
                    column.set_code(Vertex(8), codes[0]);
                    column.set_code(Vertex(9), one.iter().position(|&is| is).expect("it is there"));
                }
                assert_eq!(column.mask(n, &one), BitSet::from_fn(n, |v| holds(&column, v)));
            }
            let values: Vec<Value> = column.values().to_vec();
            assert_eq!(Column::with_codes(values, column.codes.clone()), column);
        }
    }
}
