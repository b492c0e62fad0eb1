//! Problems as models: graphs drawn by hand, an observer, stipulations.

use std::fmt::Write;

use divulge::{
    formula::{Atom, Formula, Logic, Predicate, Test},
    problem::{
        Alphabet, Filter, Kind, Knows, Label, MapConstraints, NamedGraph, Names, Observer, PGraph, Plan,
        Problem, Scope, Value, Vertex, World,
    },
    sets::BitSet,
};

use super::{load, parser::RESERVED};

/// Why a problem cannot be written as a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the problem cannot be written as a model: {0}; write it as a problem document")]
pub struct Unwritable(String);

/// A problem as a model that [`load`] reads, up to the numbering of labels. Its world and plans are drawn, not given by rules, and how
/// a picture may be laid out is left out.
///
/// ```
/// use divulge_model::language::{NoIncludes, load, write};
/// let model = "world graph { u: start; u -a, b-> y; y: goal, room = lab }\nobserver { knows world; stipulate s: !knows(room = lab) }";
/// let (problem, _) = load("small", model, &NoIncludes, &[]);
/// let problem = problem.expect("a model");
/// let written = write(&problem)?;
/// assert_eq!(load("again", &written, &NoIncludes, &[]).0, Some(problem));
/// # Ok::<(), divulge_model::language::Unwritable>(())
/// ```
///
/// # Errors
/// If it has a name that the language cannot express, as documents may have: a property called `odd name`, say.
pub fn write(problem: &Problem) -> Result<String, Unwritable> {
    let mut out = Model(String::new());
    if let Some(name) = &problem.name {
        out.line(0, &format!("model {}", text(name)?));
        out.0.push('\n');
    }
    out.world(problem)?;
    for &(label, cost) in &problem.costs {
        out.line(0, &format!("cost {} = {cost}", name(problem.alphabet.name(label))?));
    }
    out.0.push('\n');
    let several = matches!(problem.observer.knows, Knows::Plans(_));
    if let Some(plan) = &problem.plan {
        out.plan(if several { "plan main" } else { "plan" }, plan, &problem.alphabet)?;
    }
    if let Knows::Plans(plans) = &problem.observer.knows {
        for (i, plan) in plans.iter().enumerate() {
            out.plan(&format!("plan known_{}", i + 1), plan, &problem.alphabet)?;
        }
        out.line(0, if problem.plan.is_some() { "use plan main\n" } else { "use plan none\n" });
    }
    out.observer(&problem.observer, &problem.alphabet, &problem.world_labels)?;
    // Whatever else the language does not take is found out by reading.
    let (read, found) = load("written", &out.0, &super::NoIncludes, &[]);
    match (read, found.iter().find(|d| d.severity() == crate::diagnostic::Severity::Error)) {
        (Some(_), None) => Ok(out.0),
        (_, finding) => Err(Unwritable(finding.map_or_else(String::new, |d| d.message.clone()))),
    }
}

struct Model(String);

impl Model {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.0, "{}{line}", "  ".repeat(depth));
    }

    fn world(&mut self, problem: &Problem) -> Result<(), Unwritable> {
        let World { graph, names, goal, props } = &problem.world;
        self.line(0, "world graph {");
        for (kind, word) in [(Kind::Action, "actions"), (Kind::Observation, "observations")] {
            let own = problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index()));
            let own: Vec<Label> = own.collect();
            if !own.is_empty() {
                self.line(1, &format!("{word} {}", labels(&own, &problem.alphabet)?));
            }
        }
        self.vertices(graph, names, |v, attributes| {
            if goal.contains(v.index()) {
                attributes.push("goal".to_owned());
            }
            for (property, value) in props.of(v) {
                attributes.push(format!("{} = {}", word(property)?, value_text(value)?));
            }
            Ok(())
        })?;
        self.edges(graph, names, |l| problem.alphabet.name(l))?;
        self.line(0, "}\n");
        Ok(())
    }

    fn plan(&mut self, head: &str, plan: &Plan, alphabet: &Alphabet) -> Result<(), Unwritable> {
        self.line(0, &format!("{head} graph {{"));
        self.declared(&plan.graph, alphabet)?;
        self.vertices(&plan.graph, &plan.names, |v, attributes| {
            attributes.extend(plan.is_terminal(v).then(|| "terminal".to_owned()));
            Ok(())
        })?;
        self.edges(&plan.graph, &plan.names, |l| alphabet.name(l))?;
        self.line(0, "}\n");
        Ok(())
    }

    /// The labels that a graph bears, with their kinds: it may bear some that the world does not have.
    fn declared(&mut self, graph: &PGraph, alphabet: &Alphabet) -> Result<(), Unwritable> {
        let mut borne = BitSet::new(alphabet.len());
        for (_, arc) in graph.all_arcs() {
            borne.insert(arc.label.index());
        }
        for (kind, word) in [(Kind::Action, "actions"), (Kind::Observation, "observations")] {
            let own: Vec<Label> = alphabet.of_kind(kind).filter(|l| borne.contains(l.index())).collect();
            if !own.is_empty() {
                self.line(1, &format!("{word} {}", labels(&own, alphabet)?));
            }
        }
        Ok(())
    }

    fn vertices(
        &mut self,
        graph: &PGraph,
        names: &Names,
        mut more: impl FnMut(Vertex, &mut Vec<String>) -> Result<(), Unwritable>,
    ) -> Result<(), Unwritable> {
        for v in graph.vertices() {
            let mut attributes = vec![graph.kind(v).to_string()];
            attributes.extend(graph.initial().contains(&v).then(|| "start".to_owned()));
            more(v, &mut attributes)?;
            self.line(1, &format!("{}: {}", name(names.name(v.0))?, attributes.join(", ")));
        }
        Ok(())
    }

    fn edges<'l>(
        &mut self,
        graph: &PGraph,
        names: &Names,
        label: impl Fn(Label) -> &'l str,
    ) -> Result<(), Unwritable> {
        for v in graph.vertices() {
            let mut arcs = graph.arcs(v).to_vec();
            arcs.sort_by_key(|arc| arc.to);
            for group in arcs.chunk_by(|a, b| a.to == b.to) {
                let borne: Result<Vec<String>, Unwritable> =
                    group.iter().map(|arc| name(label(arc.label))).collect();
                let (from, to) = (name(names.name(v.0))?, name(names.name(group[0].to.0))?);
                self.line(1, &format!("{from} -{}-> {to}", borne?.join(", ")));
            }
        }
        Ok(())
    }

    fn drawn<'l>(
        &mut self,
        head: &str,
        drawn: &NamedGraph,
        label: impl Fn(Label) -> &'l str,
    ) -> Result<(), Unwritable> {
        self.line(1, &format!("{head} graph {{"));
        self.vertices(&drawn.graph, &drawn.names, |_, _| Ok(()))?;
        self.edges(&drawn.graph, &drawn.names, label)?;
        self.line(1, "}");
        Ok(())
    }

    fn observer(&mut self, observer: &Observer, alphabet: &Alphabet, own: &BitSet) -> Result<(), Unwritable> {
        match &observer.name {
            Some(called) => self.line(0, &format!("observer {} {{", word(called)?)),
            None => self.line(0, "observer {"),
        }
        match &observer.knows {
            Knows::Plan => self.line(1, "knows plan"),
            Knows::GoalDirected => self.line(1, "knows goal-directed"),
            Knows::World => self.line(1, "knows world"),
            Knows::Plans(plans) => {
                let names: Vec<String> = (1..=plans.len()).map(|i| format!("known_{i}")).collect();
                self.line(1, &format!("knows plans [{}]", names.join(", ")));
            }
            Knows::Graph(graph) => self.drawn("knows", graph, |l| alphabet.name(l))?,
        }
        if let Some(map) = &observer.map {
            for l in alphabet.labels().filter(|l| own.contains(l.index())) {
                self.line(
                    1,
                    &format!("sees {} as {}", name(alphabet.name(l))?, name(map.name(map.image(l)))?),
                );
            }
            self.line(1, "sees others as themselves");
        }
        match &observer.filter {
            Filter::Strongest => {}
            Filter::Image => self.line(1, "filter image"),
            Filter::Graph(filter) => self.drawn("filter", &filter.graph, |l| filter.images.name(l.0))?,
        }
        self.constraints(&observer.constraints, alphabet)?;
        for s in &observer.stipulations {
            let scope = if s.scope == Scope::End { "at end" } else { "always" };
            self.line(1, &format!("stipulate {}: {scope} {}", name(&s.name)?, formula(&s.formula)?));
        }
        self.line(0, "}");
        Ok(())
    }

    fn constraints(&mut self, given: &MapConstraints, alphabet: &Alphabet) -> Result<(), Unwritable> {
        for (word, groups) in [("merge", &given.merge), ("separate", &given.separate)] {
            for group in groups {
                self.line(1, &format!("{word} {}", labels(group, alphabet)?));
            }
        }
        for (label, image) in &given.fixed {
            self.line(1, &format!("fixed {} as {}", name(alphabet.name(*label))?, name(image)?));
        }
        if let Some(most) = given.max_images {
            self.line(1, &format!("max images {most}"));
        }
        if let Some(least) = given.min_images {
            self.line(1, &format!("min images {least}"));
        }
        for &(a, b, cost) in &given.merge_cost {
            self.line(1, &format!("merge cost {} = {cost}", labels(&[a, b], alphabet)?));
        }
        Ok(())
    }
}

fn labels(all: &[Label], alphabet: &Alphabet) -> Result<String, Unwritable> {
    let names: Result<Vec<String>, Unwritable> = all.iter().map(|&l| name(alphabet.name(l))).collect();
    Ok(names?.join(", "))
}

fn is_word(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && !RESERVED.contains(&text)
}

/// A name that must be a word.
fn word(text: &str) -> Result<&str, Unwritable> {
    const ATTRIBUTES: [&str; 3] = ["start", "terminal", "observation"];
    match is_word(text) && !ATTRIBUTES.contains(&text) {
        true => Ok(text),
        false => Err(Unwritable(format!("`{text}` cannot be a name in the language"))),
    }
}

/// Words that begin a clause or an item, and so are quoted where they are names.
const LEADING: [&str; 15] = [
    "actions",
    "observations",
    "filter",
    "sees",
    "stipulate",
    "merge",
    "separate",
    "fixed",
    "max",
    "min",
    "use",
    "cost",
    "model",
    "themselves",
    "graph",
];

/// A label, a vertex, an image: a word, or a text in quotes.
fn name(of: &str) -> Result<String, Unwritable> {
    if is_word(of) && !LEADING.contains(&of) { Ok(of.to_owned()) } else { text(of) }
}

fn text(of: &str) -> Result<String, Unwritable> {
    let mut quoted = String::from("\"");
    for c in of.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    Ok(quoted)
}

fn value_text(value: &Value) -> Result<String, Unwritable> {
    match value {
        Value::Bool(b) => Ok(b.to_string()),
        Value::Int(i) => Ok(i.to_string()),
        Value::Text(s) => text(s),
    }
}

fn formula(f: &Formula) -> Result<String, Unwritable> {
    logic(f, &|atom| {
        Ok(match atom {
            Atom::State(v, _) => format!("state({})", text(v)?),
            Atom::Possible(p) => format!("possible({})", predicate(p)?),
            Atom::Knows(p) => format!("knows({})", predicate(p)?),
        })
    })
}

fn predicate(p: &Predicate) -> Result<String, Unwritable> {
    logic(p, &|test| {
        Ok(match test {
            Test::Compare(property, op, value, _) => {
                format!("{} {} {}", word(property)?, op.sign(), value_text(value)?)
            }
            // A bare name would mean something else of a property that is not always a truth value.
            Test::Flag(property, _) => format!("{} = true", word(property)?),
            Test::Is(v, _) => format!("is({})", text(v)?),
            Test::Goal => "goal".to_owned(),
            Test::Kind(kind, true) => format!("kind = {kind}"),
            Test::Kind(kind, false) => format!("kind != {kind}"),
        })
    })
}

/// Everything but atoms in parentheses: formulas nest no deeper than they were written.
fn logic<A>(f: &Logic<A>, atom: &dyn Fn(&A) -> Result<String, Unwritable>) -> Result<String, Unwritable> {
    let chain = |parts: &[Logic<A>], sign: &str, empty: &str| {
        let each: Result<Vec<String>, Unwritable> = parts.iter().map(|part| logic(part, atom)).collect();
        let each = each?;
        Ok(if each.is_empty() { empty.to_owned() } else { format!("({})", each.join(sign)) })
    };
    match f {
        Logic::Const(b) => Ok(b.to_string()),
        Logic::Atom(a) => atom(a),
        Logic::Not(inner) => Ok(format!("!({})", logic(inner, atom)?)),
        Logic::And(parts) => chain(parts, " & ", "true"),
        Logic::Or(parts) => chain(parts, " | ", "false"),
        Logic::Implies(parts) => chain(parts, " -> ", "true"),
        Logic::Iff(parts) => chain(parts, " <-> ", "true"),
    }
}
