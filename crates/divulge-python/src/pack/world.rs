//! Worlds as bytes.

use divulge::{
    problem::{self as core, Alphabet, Kind, Names, PGraph, Props, Value, Vertex},
    sets::BitSet,
};
use pyo3::{prelude::*, types::PyBytes};

use super::codec::{Read, Reader, Torn, Writer};
use crate::{
    graph::{self, Parts, Spec, bytes, numbers},
    world::World,
};

const MARK: &[u8] = b"divulge-world/1\n";

/// The world as one buffer. `arcs` are its arcs in the order of the Python half, and `state_of` the number of each vertex's state there.
#[pyfunction]
pub fn pack_world<'py>(
    py: Python<'py>,
    world: &World,
    arcs: &Bound<'py, PyBytes>,
    state_of: &Bound<'py, PyBytes>,
) -> Bound<'py, PyBytes> {
    let mut w = Writer::default();
    w.out.extend_from_slice(MARK);
    let labels: Vec<_> = world.alphabet.labels().collect();
    w.each(&labels, |w, &l| {
        let observation = world.alphabet.kind(l) == Kind::Observation;
        w.out.push(u8::from(observation) | u8::from(world.labels.contains(l.index())) << 1);
        w.text(world.alphabet.name(l));
    });
    let core::World { graph, names, goal, props, .. } = &world.world;
    write_graph(&mut w, graph, names, goal);
    write_arcs(&mut w, numbers(arcs.as_bytes()));
    let mut before = 0;
    for state in numbers(state_of.as_bytes()) {
        w.signed(i64::from(state) - before);
        before = i64::from(state);
    }
    write_props(&mut w, props, graph);
    PyBytes::new(py, &w.out)
}

/// A world that was a buffer, its graph with the arcs in the order in which they were given, and the state of each vertex.
#[pyfunction]
pub fn unpack_world<'py>(
    py: Python<'py>,
    packed: &Bound<'py, PyBytes>,
) -> PyResult<(World, Spec<'py>, Bound<'py, PyBytes>)> {
    let torn = |e: Torn| e.raise(py, "world");
    let mut r = Reader::new(packed.as_bytes(), MARK).map_err(torn)?;
    let (alphabet, labels) = read_labels(&mut r).map_err(torn)?;
    let shape = read_shape(&mut r).map_err(torn)?;
    let arcs = read_arcs(&mut r).map_err(torn)?;
    let state_of = read_states(&mut r, shape.kinds.len()).map_err(torn)?;
    let count = shape.kinds.len();
    let spec = (
        shape.names,
        PyBytes::new(py, &shape.kinds),
        shape.initial,
        bytes(py, arcs.iter().flatten().copied()),
        shape.marked,
    );
    let Parts { graph, names, marked } = graph::build(&spec, alphabet.len(), "the world")?;
    let props = read_props(&mut r, count).map_err(torn)?;
    r.end().map_err(torn)?;
    let world = core::World { graph, names, goal: marked, props, past: None };
    Ok((World { alphabet, labels, world }, spec, bytes(py, state_of)))
}

fn read_labels(r: &mut Reader<'_>) -> Read<(Alphabet, BitSet)> {
    let mut alphabet = Alphabet::new();
    let own = r.each(|r| {
        let bits = r.byte()?;
        alphabet.declare(r.text()?, graph::kind(bits & 1 != 0)).map_err(|_| Torn)?;
        Ok(bits & 2 != 0)
    })?;
    let mut labels = BitSet::new(own.len());
    for (l, _) in own.iter().enumerate().filter(|(_, own)| **own) {
        labels.insert(l);
    }
    if alphabet.len() == own.len() { Ok((alphabet, labels)) } else { Err(Torn) }
}

/// Everything about a graph but its arcs.
pub struct Shape {
    pub names: Vec<String>,
    pub kinds: Vec<u8>,
    pub initial: Vec<u32>,
    pub marked: Vec<u32>,
}

/// A graph without its arcs. A name is told by how it differs from the last one of its kind.
pub fn write_graph(w: &mut Writer, graph: &PGraph, names: &Names, marked: &BitSet) {
    let vertices: Vec<Vertex> = graph.vertices().collect();
    let mut last = ["", ""];
    w.each(&vertices, |w, &v| {
        let kind = usize::from(graph.kind(v) == Kind::Observation);
        let name = names.name(v.0);
        let (head, tail) = shared(last[kind], name);
        w.number((head as u64) << 1 | kind as u64);
        w.number(tail as u64);
        w.text(&name[head..name.len() - tail]);
        last[kind] = name;
    });
    let initial: Vec<u32> = graph.initial().iter().map(|v| v.0).collect();
    ascending(w, &initial);
    let marked: Vec<u32> = marked.iter().map(|v| v as u32).collect();
    ascending(w, &marked);
}

/// How many bytes two texts begin with in common, and how many of the others they end with, each a whole number of characters.
fn shared(a: &str, b: &str) -> (usize, usize) {
    let head = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let head = (0..=head).rev().find(|&at| b.is_char_boundary(at)).unwrap_or(0);
    let (a, b) = (&a.as_bytes()[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.bytes().rev()).take_while(|(a, b)| **a == *b).count();
    (head, (0..=tail).rev().find(|&at| b.is_char_boundary(b.len() - at)).unwrap_or(0))
}

fn ascending(w: &mut Writer, all: &[u32]) {
    let mut before = 0;
    w.each(all, |w, &n| {
        w.signed(i64::from(n) - before);
        before = i64::from(n);
    });
}

fn read_ascending(r: &mut Reader<'_>) -> Read<Vec<u32>> {
    let mut before = 0;
    r.each(|r| {
        before = r.after(before)?;
        Ok(before)
    })
}

/// What [`write_graph`] wrote.
pub fn read_shape(r: &mut Reader<'_>) -> Read<Shape> {
    let mut kinds = Vec::new();
    let mut last = [String::new(), String::new()];
    let names = r.each(|r| {
        let head = r.number()?;
        let last = &mut last[(head & 1) as usize];
        let begin = usize::try_from(head >> 1).ok().and_then(|head| last.get(..head)).ok_or(Torn)?;
        let tail = usize::try_from(r.number()?).ok().and_then(|tail| last.len().checked_sub(tail));
        let end = tail.and_then(|from| last.get(from..)).ok_or(Torn)?;
        *last = format!("{begin}{}{end}", r.text()?);
        kinds.push((head & 1) as u8);
        Ok(last.clone())
    })?;
    Ok(Shape { names, kinds, initial: read_ascending(r)?, marked: read_ascending(r)? })
}

/// Arcs in any order: source, label, target.
pub fn write_arcs(w: &mut Writer, arcs: impl Iterator<Item = u32>) {
    let all: Vec<u32> = arcs.collect();
    w.number(all.len() as u64 / 3);
    let mut before = 0;
    for arc in all.chunks_exact(3) {
        let source = i64::from(arc[0]);
        w.signed(source - before);
        w.number(u64::from(arc[1]));
        w.signed(i64::from(arc[2]) - source);
        before = source;
    }
}

/// What [`write_arcs`] wrote.
pub fn read_arcs(r: &mut Reader<'_>) -> Read<Vec<[u32; 3]>> {
    let mut source = 0;
    r.each(|r| {
        source = r.after(source)?;
        Ok([source, r.short()?, r.after(source)?])
    })
}

fn read_states(r: &mut Reader<'_>, vertices: usize) -> Read<Vec<u32>> {
    let mut before = 0;
    let each = (0..vertices).map(|_| {
        before = r.after(before)?;
        Ok(before)
    });
    each.collect()
}

fn write_props(w: &mut Writer, props: &Props, graph: &PGraph) {
    let names: Vec<&str> = props.names().iter().collect();
    w.each(&names, |w, name| {
        w.text(name);
        let Some(column) = props.column(name) else { return w.number(0) };
        w.each(column.values(), |w, value| match value {
            Value::Bool(b) => w.out.push(u8::from(*b)),
            Value::Int(i) => {
                w.out.push(2);
                w.signed(*i);
            }
            Value::Text(text) => {
                w.out.push(3);
                w.text(text);
            }
        });
        for v in graph.vertices() {
            w.number(column.code(v).map_or(0, |code| code as u64 + 1));
        }
    });
}

fn read_props(r: &mut Reader<'_>, vertices: usize) -> Read<Props> {
    let mut props = Props::new();
    for _ in 0..r.count()? {
        let column = props.column_mut(r.text()?);
        let values = r.each(|r| {
            Ok(match r.byte()? {
                2 => Value::Int(r.signed()?),
                3 => Value::Text(r.text()?.to_owned()),
                bit @ (0 | 1) => Value::Bool(bit == 1),
                _ => return Err(Torn),
            })
        })?;
        let interned: Vec<usize> = values.into_iter().map(|value| column.intern(value)).collect();
        for v in 0..vertices {
            let code = r.short()?;
            if code > 0 {
                column.set_code(Vertex(v as u32), *interned.get(code as usize - 1).ok_or(Torn)?);
            }
        }
    }
    Ok(props)
}
