//! P-graphs as Graphviz DOT: action vertices are boxes, observation vertices ellipses; goals and terminal vertices have a
//! double outline; the labels of parallel edges are joined.

use std::io::{self, Write};

use divulge::problem::{
    Alphabet, Arc, Filter, Kind, Knows, Label, Names, PGraph, Plan, Problem, Value, Vertex,
};

/// More labels than this on one edge are counted instead of listed.
const MOST_LABELS: usize = 6;

/// Writes the world.
///
/// # Errors
/// Those of `out`.
pub fn world(out: impl Write, problem: &Problem) -> io::Result<()> {
    let world = &problem.world;
    Picture {
        title: problem.name.as_deref().unwrap_or("world"),
        graph: &world.graph,
        names: &world.names,
        marked: &|v| world.is_goal(v),
        label: &|l| problem.alphabet.name(l),
        hint: &|v| {
            let shown = |value: &Value| value.to_string();
            let all: Vec<String> =
                world.props.of(v).map(|(name, value)| format!("{name} = {}", shown(value))).collect();
            all.join("\n")
        },
    }
    .write(out)
}

/// Writes a plan.
///
/// # Errors
/// Those of `out`.
pub fn plan(out: impl Write, plan: &Plan, alphabet: &Alphabet) -> io::Result<()> {
    Picture {
        title: "plan",
        graph: &plan.graph,
        names: &plan.names,
        marked: &|v| plan.is_terminal(v),
        label: &|l| alphabet.name(l),
        hint: &|_| String::new(),
    }
    .write(out)
}

/// Writes the graph that the observer knows, or its plans one after another; `false` if it knows none.
///
/// # Errors
/// Those of `out`.
pub fn divulged(mut out: impl Write, problem: &Problem) -> io::Result<bool> {
    match &problem.observer.knows {
        Knows::Plans(plans) => {
            for p in plans {
                plan(&mut out, p, &problem.alphabet)?;
            }
        }
        Knows::Graph(g) => Picture {
            title: "divulged",
            graph: &g.graph,
            names: &g.names,
            marked: &|_| false,
            label: &|l| problem.alphabet.name(l),
            hint: &|_| String::new(),
        }
        .write(out)?,
        Knows::Plan | Knows::GoalDirected | Knows::World => return Ok(false),
    }
    Ok(true)
}

/// Writes the filter's graph; `false` if the filter has none.
///
/// # Errors
/// Those of `out`.
pub fn filter(out: impl Write, problem: &Problem) -> io::Result<bool> {
    let Filter::Graph(filter) = &problem.observer.filter else { return Ok(false) };
    Picture {
        title: "filter",
        graph: &filter.graph.graph,
        names: &filter.graph.names,
        marked: &|_| false,
        label: &|l| filter.images.name(l.0),
        hint: &|_| String::new(),
    }
    .write(out)?;
    Ok(true)
}

struct Picture<'a> {
    title: &'a str,
    graph: &'a PGraph,
    names: &'a Names,
    marked: &'a dyn Fn(Vertex) -> bool,
    label: &'a dyn Fn(Label) -> &'a str,
    hint: &'a dyn Fn(Vertex) -> String,
}

impl Picture<'_> {
    fn write(&self, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "digraph {} {{", quoted(self.title))?;
        writeln!(out, "  rankdir=LR;")?;
        for v in self.graph.vertices() {
            let shape = if self.graph.kind(v) == Kind::Action { "box" } else { "ellipse" };
            let outline = if (self.marked)(v) { ", peripheries=2" } else { "" };
            let hint = (self.hint)(v);
            let hint = if hint.is_empty() { String::new() } else { format!(", tooltip={}", quoted(&hint)) };
            let name = quoted(self.names.name(v.0));
            writeln!(out, "  v{} [label={name}, shape={shape}{outline}{hint}];", v.0)?;
        }
        for (i, &v) in self.graph.initial().iter().enumerate() {
            // A dot of its own for each, so that the arrows come from outside.
            writeln!(out, "  start{i} [shape=point, label=\"\"];")?;
            writeln!(out, "  start{i} -> v{};", v.0)?;
        }
        for v in self.graph.vertices() {
            self.edges(&mut out, v)?;
        }
        writeln!(out, "}}")?;
        out.flush()
    }

    fn edges(&self, out: &mut impl Write, v: Vertex) -> io::Result<()> {
        let mut arcs: Vec<Arc> = self.graph.arcs(v).to_vec();
        arcs.sort_unstable_by_key(|a| (a.to, a.label));
        for edge in arcs.chunk_by(|a, b| a.to == b.to) {
            let mut labels: Vec<String> =
                edge.iter().take(MOST_LABELS).map(|a| (self.label)(a.label).to_owned()).collect();
            if edge.len() > MOST_LABELS {
                labels.push(format!("… ({} in all)", edge.len()));
            }
            let labels = quoted(&labels.join(", "));
            writeln!(out, "  v{} -> v{} [label={labels}];", v.0, edge[0].to.0)?;
        }
        Ok(())
    }
}

/// A text in DOT's quotes: a backslash stands for itself, a line break for a line break.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use divulge::problem::Builder;

    #[test]
    fn parallel_edges_are_one_arrow_and_names_are_quoted() {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["a \"b\"\\"]).observations(["y"]).initial("a \"b\"\\").mark("y");
        b.edge("a \"b\"\\", ["l", "m"], "y").edge("y", ["o"], "a \"b\"\\");
        let p = b.plan().unwrap();
        let mut out = Vec::new();
        plan(&mut out, &p, &alphabet).unwrap();
        let expected = r#"digraph "plan" {
  rankdir=LR;
  v0 [label="a \"b\"\\", shape=box];
  v1 [label="y", shape=ellipse, peripheries=2];
  start0 [shape=point, label=""];
  start0 -> v0;
  v0 -> v1 [label="l, m"];
  v1 -> v0 [label="o"];
}
"#;
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
