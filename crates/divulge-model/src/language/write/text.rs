//! The text of a model, line by line.

use std::fmt::Write;

use divulge::{
    formula::{Atom, Formula, Logic, Temporal},
    problem::{
        Alphabet, Filter, Image, Kind, Knows, Label, MapConstraints, NamedGraph, Names, Observer, PGraph,
        Plan, Problem, Scope, Stipulation, Value, Vertex, World,
    },
    sets::BitSet,
};

use super::names::{is_plain, name, text};

/// A model as far as it is written.
pub struct Model<'p> {
    out: String,
    problem: &'p Problem,
    alphabet: &'p Alphabet,
}

impl<'p> Model<'p> {
    /// The whole model. `quoted` tells of an observer and one of its stipulations, by number, whether its formula stands in quotes.
    pub fn of(problem: &'p Problem, quoted: &dyn Fn(usize, usize) -> bool) -> String {
        let mut model = Self { out: String::new(), problem, alphabet: &problem.alphabet };
        if let Some(title) = &problem.name {
            model.line(0, &format!("model {}\n", text(title)));
        }
        model.world();
        for &(label, cost) in &problem.costs {
            model.line(0, &format!("cost {} = {cost}", model.label(label)));
        }
        model.out.push('\n');
        model.plans();
        for (i, observer) in super::all(problem).enumerate() {
            model.observer(i, observer, quoted);
        }
        model.out
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.out, "{}{line}", "  ".repeat(depth));
    }

    fn label(&self, label: Label) -> String {
        name(self.alphabet.name(label))
    }

    fn labels(&self, all: &[Label]) -> String {
        all.iter().map(|&l| self.label(l)).collect::<Vec<_>>().join(", ")
    }

    fn world(&mut self) {
        let problem = self.problem;
        let World { graph, names, goal, props, .. } = problem.world.base();
        // A property whose values are of different types is one that only quoted formulas speak of.
        let typed = |property: &str| {
            let values = props.column(property).map(|column| column.values()).unwrap_or_default();
            let kind = |value: &Value| std::mem::discriminant(value);
            values.windows(2).all(|two| kind(&two[0]) == kind(&two[1]))
        };
        let plain: Vec<&str> =
            props.names().iter().filter(|property| is_plain(property) && typed(property)).collect();
        self.line(0, "world graph {");
        self.declared(1, &problem.world_labels);
        self.vertices(1, graph, names, |v, attributes| {
            if goal.contains(v.index()) {
                attributes.push("goal".to_owned());
            }
            for (property, value) in props.of(v) {
                let property = if plain.contains(&property) { property.to_owned() } else { text(property) };
                attributes.push(format!("{property} = {}", value_text(value)));
            }
        });
        self.edges(1, graph, names, |l| problem.alphabet.name(l));
        self.line(0, "}\n");
    }

    /// The plan, and those that observers know.
    fn plans(&mut self) {
        let problem = self.problem;
        let known = |o: &'p Observer| match &o.knows {
            Knows::Plans(plans) => plans.as_slice(),
            _ => &[],
        };
        let several = super::all(problem).any(|o| !known(o).is_empty());
        if let Some(plan) = &problem.plan {
            self.plan(if several { "plan main" } else { "plan" }, plan);
        }
        for (i, observer) in super::all(problem).enumerate() {
            for (j, plan) in known(observer).iter().enumerate() {
                self.plan(&format!("plan {}", known_name(i, j)), plan);
            }
        }
        if several {
            self.line(0, if problem.plan.is_some() { "use plan main\n" } else { "use plan none\n" });
        }
    }

    fn plan(&mut self, head: &str, plan: &Plan) {
        self.line(0, &format!("{head} graph {{"));
        self.own_labels(1, &plan.graph);
        self.vertices(1, &plan.graph, &plan.names, |v, attributes| {
            attributes.extend(plan.is_terminal(v).then(|| "terminal".to_owned()));
        });
        let alphabet = self.alphabet;
        self.edges(1, &plan.graph, &plan.names, |l| alphabet.name(l));
        self.line(0, "}\n");
    }

    fn declared(&mut self, depth: usize, labels: &BitSet) {
        for (kind, word) in [(Kind::Action, "actions"), (Kind::Observation, "observations")] {
            let own: Vec<Label> =
                self.alphabet.of_kind(kind).filter(|l| labels.contains(l.index())).collect();
            if !own.is_empty() {
                self.line(depth, &format!("{word} {}", self.labels(&own)));
            }
        }
    }

    /// The labels that a graph bears and the world does not have.
    fn own_labels(&mut self, depth: usize, graph: &PGraph) {
        let mut own = BitSet::new(self.alphabet.len());
        for (_, arc) in graph.all_arcs() {
            if !self.problem.world_labels.contains(arc.label.index()) {
                own.insert(arc.label.index());
            }
        }
        self.declared(depth, &own);
    }

    fn vertices(
        &mut self,
        depth: usize,
        graph: &PGraph,
        names: &Names,
        mut more: impl FnMut(Vertex, &mut Vec<String>),
    ) {
        for v in graph.vertices() {
            let mut attributes = vec![graph.kind(v).to_string()];
            attributes.extend(graph.initial().contains(&v).then(|| "start".to_owned()));
            more(v, &mut attributes);
            self.line(depth, &format!("{}: {}", name(names.name(v.0)), attributes.join(", ")));
        }
    }

    fn edges<'l>(&mut self, depth: usize, graph: &PGraph, names: &Names, label: impl Fn(Label) -> &'l str) {
        for v in graph.vertices() {
            let mut arcs = graph.arcs(v).to_vec();
            arcs.sort_by_key(|arc| arc.to);
            for group in arcs.chunk_by(|a, b| a.to == b.to) {
                let borne: Vec<String> = group.iter().map(|arc| name(label(arc.label))).collect();
                let (from, to) = (name(names.name(v.0)), name(names.name(group[0].to.0)));
                self.line(depth, &format!("{from} -{}-> {to}", borne.join(", ")));
            }
        }
    }

    fn drawn<'l>(&mut self, drawn: &NamedGraph, label: impl Fn(Label) -> &'l str) {
        self.vertices(2, &drawn.graph, &drawn.names, |_, _| ());
        self.edges(2, &drawn.graph, &drawn.names, label);
        self.line(1, "}");
    }

    fn observer(&mut self, i: usize, observer: &Observer, quoted: &dyn Fn(usize, usize) -> bool) {
        let alphabet = self.alphabet;
        match &observer.name {
            Some(called) => self.line(0, &format!("observer {} {{", name(called))),
            None => self.line(0, "observer {"),
        }
        match &observer.knows {
            Knows::Plan => self.line(1, "knows plan"),
            Knows::GoalDirected => self.line(1, "knows goal-directed"),
            Knows::World => self.line(1, "knows world"),
            Knows::Plans(plans) => {
                let names: Vec<String> = (0..plans.len()).map(|j| known_name(i, j)).collect();
                self.line(1, &format!("knows plans [{}]", names.join(", ")));
            }
            Knows::Graph(graph) => {
                self.line(1, "knows graph {");
                self.own_labels(2, &graph.graph);
                self.drawn(graph, |l| alphabet.name(l));
            }
        }
        match &observer.filter {
            Filter::Strongest => {}
            Filter::Image => self.line(1, "filter image"),
            Filter::Graph(filter) => {
                self.line(1, "filter graph {");
                self.drawn(&filter.graph, |l| filter.images.name(l.0));
            }
        }
        match &observer.map {
            Some(map) => {
                for image in (0..map.len() as u32).map(Image) {
                    let seen: Vec<Label> =
                        map.preimage(image).filter(|&l| alphabet.name(l) != map.name(image)).collect();
                    if !seen.is_empty() {
                        self.line(1, &format!("sees {} as {}", self.labels(&seen), name(map.name(image))));
                    }
                }
                let unseen: Vec<Label> = map.unseen().collect();
                if !unseen.is_empty() {
                    self.line(1, &format!("sees {} not at all", self.labels(&unseen)));
                }
                self.line(1, "sees others as themselves");
            }
            None => self.constraints(&observer.constraints),
        }
        for (j, s) in observer.stipulations.iter().enumerate() {
            let mut formula = s.formula.to_string();
            if quoted(i, j) {
                formula = text(&formula);
            } else if s.scope == Scope::Always
                && formula.starts_with('(')
                && !matches!(s.formula, Logic::And(_))
            {
                // Else `always` might seem to reach no further than the parentheses.
                formula = format!("({formula})");
            }
            self.line(1, &format!("stipulate {}: {}{formula}", name(&s.name), scope(s, quoted(i, j))));
        }
        self.line(0, "}\n");
    }

    fn constraints(&mut self, given: &MapConstraints) {
        for (word, groups) in [("merge", &given.merge), ("separate", &given.separate)] {
            for group in groups {
                self.line(1, &format!("{word} {}", self.labels(group)));
            }
        }
        if !given.unseen.is_empty() {
            self.line(1, &format!("unseen {}", self.labels(&given.unseen)));
        }
        for (label, image) in &given.fixed {
            self.line(1, &format!("fixed {} as {}", self.label(*label), name(image)));
        }
        if let Some(most) = given.max_images {
            self.line(1, &format!("max images {most}"));
        }
        if let Some(least) = given.min_images {
            self.line(1, &format!("min images {least}"));
        }
        for &(a, b, cost) in &given.merge_cost {
            self.line(1, &format!("merge cost {} = {cost}", self.labels(&[a, b])));
        }
    }
}

/// The words for a stipulation's scope, which stand before its formula.
fn scope(s: &Stipulation, quoted: bool) -> String {
    match s.scope {
        Scope::Always => "always ".to_owned(),
        Scope::End => "at end ".to_owned(),
        Scope::Hindsight { within: None } => "hindsight ".to_owned(),
        Scope::Hindsight { within: Some(within) } => format!("hindsight {within} "),
        Scope::Run if quoted || !tells(&s.formula) => "run ".to_owned(),
        Scope::Run => String::new(),
    }
}

/// Whether a formula tells by itself that it is about runs. One that begins with `always` may not, or may seem to mean something else.
fn tells(formula: &Formula) -> bool {
    match formula {
        Logic::Atom(Atom::Temporal(t)) => match &**t {
            Temporal::Always(inner) => inner.is_temporal(),
            _ => !formula.to_string().starts_with("always "),
        },
        _ => formula.is_temporal() && !formula.to_string().starts_with("always "),
    }
}

/// What the j-th plan that the i-th observer knows is called.
fn known_name(i: usize, j: usize) -> String {
    format!("known_{}_{}", i + 1, j + 1)
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Text(s) => text(s),
    }
}
