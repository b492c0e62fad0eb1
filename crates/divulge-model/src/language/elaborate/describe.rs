//! Which vertices of an explored world are goals and which properties they have, found for ranges of them by several threads; and what they are called.

use super::super::scope::{Domain, Scope, Variable};
use super::super::term::Term;
use super::explore::Vertices;
use super::rules::Rules;
use super::states::{Codec, States};
use divulge::{
    limit::{threads, together},
    problem::{Column, Kind, Names, Value, Vertex},
    sets::BitSet,
};
use std::{ops::Range, sync::Arc};

/// So many vertices are worth a thread.
const MUCH: usize = 8192;

/// Integers with more values than this have no table of them.
const LARGEST_TABLE: u128 = 1 << 16;

/// A range of vertices, and what was found of them.
struct Part<'c> {
    states: Range<usize>,
    /// For each variable, what the vertices have: places of values, then codes.
    columns: Vec<&'c mut [u32]>,
    /// For each variable and value the first vertex that has it.
    first: Vec<Vec<u32>>,
    goals: Vec<u32>,
}

/// The goals, and by variable what the vertices have; `None` if a goal has no value in some state.
pub(super) fn describe(
    rules: &Rules,
    scope: &Scope<'_>,
    codec: &Codec,
    states: &States,
) -> Option<(BitSet, Vec<Column>)> {
    let n = states.len();
    let tables = tables(scope, codec, n);
    let mut codes: Vec<Vec<u32>> = tables.iter().map(|&table| vec![0; if table { n } else { 0 }]).collect();
    let ranges = ranges(n, threads(scope.within.threads, n, MUCH));
    let mut parts: Vec<Part<'_>> = ranges.into_iter().map(Part::new).collect();
    for (v, column) in codes.iter_mut().enumerate() {
        let mut rest = &mut column[..];
        for part in &mut parts {
            let (own, others) = rest.split_at_mut(part.states.len().min(rest.len()));
            part.columns.push(own);
            part.first.push(vec![u32::MAX; if tables[v] { codec.size(v) as usize } else { 0 }]);
            rest = others;
        }
    }
    together(&mut parts, |part| part.look(rules, codec, states)).ok()?;
    // Codes are given in order of first mention.
    let found: Vec<Vec<u32>> = (0..codec.len()).map(|v| in_order(&parts, v)).collect();
    let code_of: Vec<Vec<u32>> = (0..codec.len()).map(|v| numbered(codec, v, &found[v])).collect();
    let _ = together(&mut parts, |part| {
        for (column, code_of) in part.columns.iter_mut().zip(&code_of) {
            column.iter_mut().for_each(|place| *place = code_of[*place as usize]);
        }
        Ok::<(), ()>(())
    });
    let mut goal = BitSet::new(n);
    parts.iter().flat_map(|part| &part.goals).for_each(|&v| _ = goal.insert(v as usize));
    drop(parts);
    let columns = codes.into_iter().enumerate().map(|(v, codes)| match tables[v] {
        true => {
            let values = found[v].iter().map(|&place| scope.core_value(v, codec.value(v, u64::from(place))));
            Column::with_codes(values.collect(), codes)
        }
        false => one_by_one(scope, codec, states, v),
    });
    Some((goal, columns.collect()))
}

/// For each variable whether its values are listed in a table: there is no reason to list far more integers than there are vertices.
fn tables(scope: &Scope<'_>, codec: &Codec, n: usize) -> Vec<bool> {
    let table = |(v, variable): (usize, &Variable)| match variable.domain {
        Domain::Int(..) => codec.size(v) <= LARGEST_TABLE.min(n as u128),
        _ => true,
    };
    scope.variables.iter().enumerate().map(table).collect()
}

/// What the vertices are called, made when somebody asks for it: few questions do, and names take more room than all else.
pub(super) fn names(scope: &Scope<'_>, vertices: &Arc<Vertices>) -> Names {
    let n = vertices.states.len();
    let writer = Writer::new(scope, &vertices.codec, &tables(scope, &vertices.codec, n));
    let vertices = Arc::clone(vertices);
    Names::later(n, move |numbers| writer.some(&vertices, numbers))
}

/// Numbers below `n` in ranges of about the same size.
fn ranges(n: usize, count: usize) -> Vec<Range<usize>> {
    (0..count).map(|i| n * i / count..n * (i + 1) / count).collect()
}

/// The places of those values of a variable that some vertex has, in order of first mention.
fn in_order(parts: &[Part<'_>], v: usize) -> Vec<u32> {
    let size = parts.first().map_or(0, |part| part.first[v].len());
    let first = |place: &u32| parts.iter().map(|part| part.first[v][*place as usize]).min();
    let mut places: Vec<u32> = (0..size as u32).filter(|place| first(place) != Some(u32::MAX)).collect();
    places.sort_by_key(first);
    places
}

/// The code of each value of a variable by its place.
fn numbered(codec: &Codec, v: usize, found: &[u32]) -> Vec<u32> {
    let mut code_of = vec![0; if found.is_empty() { 0 } else { codec.size(v) as usize }];
    for (code, &place) in (1..).zip(found) {
        code_of[place as usize] = code;
    }
    code_of
}

/// A column of a variable with so many values that they have no table.
fn one_by_one(scope: &Scope<'_>, codec: &Codec, states: &States, v: usize) -> Column {
    let mut column = Column::default();
    // Those that are met may be few: each is looked up once and its code is kept.
    let mut codes = super::states::Codes::default();
    for vertex in 0..states.len() {
        let value = codec.decode_one(states.key(vertex), v);
        let code = codes.get(value, || column.intern(scope.core_value(v, value)));
        column.set_code(Vertex(vertex as u32), code);
    }
    column
}

impl Part<'_> {
    fn new(states: Range<usize>) -> Self {
        Part { states, columns: Vec::new(), first: Vec::new(), goals: Vec::new() }
    }

    /// Looks at every vertex once.
    fn look(&mut self, rules: &Rules, codec: &Codec, states: &States) -> Result<(), ()> {
        let (mut state, mut places) = (vec![0; codec.len()], vec![0; codec.len()]);
        for (i, vertex) in self.states.clone().enumerate() {
            let kind = states.kind(vertex);
            codec.places(states.key(vertex), &mut places);
            for (v, &place) in places.iter().enumerate() {
                state[v] = codec.value(v, place);
                if let Some(slot) = self.columns[v].get_mut(i) {
                    *slot = place as u32;
                    let first = &mut self.first[v][place as usize];
                    *first = (*first).min(vertex as u32);
                }
            }
            for (when, term) in &rules.goals {
                if when.is_at(kind) && term.holds(&state).map_err(drop)? {
                    self.goals.push(vertex as u32);
                }
            }
        }
        Ok(())
    }
}

/// Whether a term holds at each vertex, as a column; `None` if it has no value in some state.
pub(super) fn truth(term: &Term, codec: &Codec, states: &States, allowed: usize) -> Option<Column> {
    let n = states.len();
    let mut codes = vec![0u32; n];
    let mut parts = Vec::new();
    let mut rest = &mut codes[..];
    for range in ranges(n, threads(allowed, n, MUCH)) {
        let (own, others) = rest.split_at_mut(range.len());
        parts.push((range.start, own));
        rest = others;
    }
    together(&mut parts, |(start, own)| {
        let mut state = vec![0; codec.len()];
        for (i, code) in own.iter_mut().enumerate() {
            codec.decode(states.key(*start + i), &mut state);
            *code = 1 + u32::from(term.holds(&state).map_err(drop)?);
        }
        Ok::<(), ()>(())
    })
    .ok()?;
    Some(Column::with_codes(vec![Value::Bool(false), Value::Bool(true)], codes))
}

/// Writes vertex names: `u(row=0,col=1,pebble,high)` for an action vertex, `y(…)` for an observation vertex.
struct Writer {
    variables: Vec<Spelled>,
}

/// How the values of a variable are written.
struct Spelled {
    /// What comes before a value.
    before: String,
    /// Each value with what comes before it, if they have a table.
    values: Vec<String>,
}

impl Writer {
    fn new(scope: &Scope<'_>, codec: &Codec, tables: &[bool]) -> Self {
        // Whether a variable's value tells by itself which variable it is.
        let telling = |i: usize| match &scope.variables[i].domain {
            Domain::Enum(values) => scope.variables.iter().enumerate().all(|(j, w)| match &w.domain {
                Domain::Enum(others) => i == j || others.iter().all(|o| !values.contains(o)),
                _ => true,
            }),
            _ => false,
        };
        let spelled = |(i, variable): (usize, &Variable)| {
            let mut before = if i == 0 { "(" } else { "," }.to_owned();
            if !telling(i) {
                before += &variable.name;
                before.push('=');
            }
            let count = if tables[i] { codec.size(i) as u64 } else { 0 };
            let value = |place| match scope.core_value(i, codec.value(i, place)) {
                // Else two vertices might have one name.
                Value::Text(text) if text.contains([',', '"']) => format!("{before}{text:?}"),
                value => format!("{before}{value}"),
            };
            Spelled { values: (0..count).map(value).collect(), before }
        };
        Writer { variables: scope.variables.iter().enumerate().map(spelled).collect() }
    }

    /// Some names one after the other, and where each ends.
    fn some(&self, Vertices { states, codec }: &Vertices, numbers: Range<usize>) -> (String, Vec<usize>) {
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(numbers.len()));
        let (mut state, mut places) = (vec![0; codec.len()], vec![0; codec.len()]);
        for v in numbers {
            codec.decode(states.key(v), &mut state);
            codec.places(states.key(v), &mut places);
            self.write(states.kind(v), &places, &state, &mut text);
            ends.push(text.len());
        }
        (text, ends)
    }

    fn write(&self, kind: Kind, places: &[u64], state: &[i64], text: &mut String) {
        text.push(if kind == Kind::Action { 'u' } else { 'y' });
        for (v, Spelled { before, values }) in self.variables.iter().enumerate() {
            match values.get(places[v] as usize) {
                Some(value) => text.push_str(value),
                None => {
                    text.push_str(before);
                    push_int(text, state[v]);
                }
            }
        }
        if !self.variables.is_empty() {
            text.push(')');
        }
    }
}

/// Formatting machinery costs more than everything else about a name.
fn push_int(text: &mut String, value: i64) {
    if value < 0 {
        text.push('-');
    }
    let mut rest = value.unsigned_abs();
    let mut digits = [0u8; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    text.extend(digits[first..].iter().map(|&d| char::from(d)));
}

#[cfg(test)]
mod tests {
    #[test]
    fn integers_are_written_as_usual() {
        for value in [0, 7, -1, 10, 1234567890, i64::MIN, i64::MAX] {
            let mut text = String::new();
            super::push_int(&mut text, value);
            assert_eq!(text, value.to_string());
        }
    }
}
