//! Writes a problem down as a document, for the messages of tests that fail.

use std::fmt::Write;

use divulge::problem::{
    Filter, Kind, Knows, MapConstraints, Observer, PGraph, Plan, Problem, Scope, Stipulation, Value, Vertex,
};

/// The problem as a document. Filters that are graphs are named only.
pub fn document(problem: &Problem) -> String {
    let world = &problem.world;
    let names: Vec<&str> = world.graph.vertices().map(|v| world.name(v)).collect();
    let more = |v: Vertex| {
        let goal = if world.is_goal(v) { ", \"goal\": true" } else { "" };
        let props: Vec<String> =
            world.props.of(v).map(|(name, value)| format!("{name:?}: {}", json(value))).collect();
        format!("{goal}, \"props\": {{{}}}", props.join(", "))
    };
    let mut text = format!(
        "{{\"format\": \"divulge/1\",\n \"world\": {{{}}},\n",
        graph(problem, &world.graph, &names, more)
    );
    if let Some(plan) = &problem.plan {
        let _ = writeln!(text, " \"plan\": {{{}}},", plan_text(problem, plan));
    }
    let costs: Vec<String> =
        problem.costs.iter().map(|(l, c)| format!("{:?}: {c}", problem.alphabet.name(*l))).collect();
    let _ = writeln!(text, " \"costs\": {{{}}},", costs.join(", "));
    let observers: Vec<String> = problem.observers().map(|o| observer_text(problem, o)).collect();
    let _ = write!(text, " \"observers\": [\n  {}]}}", observers.join(",\n  "));
    text
}

fn json(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Text(s) => format!("{s:?}"),
    }
}

fn graph(problem: &Problem, graph: &PGraph, names: &[&str], more: impl Fn(Vertex) -> String) -> String {
    let kind = |v| if graph.kind(v) == Kind::Action { "action" } else { "observation" };
    let vertices: Vec<String> = graph
        .vertices()
        .map(|v| format!("{:?}: {{\"kind\": {:?}{}}}", names[v.index()], kind(v), more(v)))
        .collect();
    let edges: Vec<String> = graph
        .all_arcs()
        .map(|(v, arc)| {
            let label = problem.alphabet.name(arc.label);
            let (from, to) = (names[v.index()], names[arc.to.index()]);
            format!("{{\"from\": {from:?}, \"to\": {to:?}, \"labels\": [{label:?}]}}")
        })
        .collect();
    let initial: Vec<&str> = graph.initial().iter().map(|v| names[v.index()]).collect();
    format!(
        "\"vertices\": {{{}}},\n  \"initial\": {initial:?},\n  \"edges\": [{}]",
        vertices.join(", "),
        edges.join(", ")
    )
}

fn plan_text(problem: &Problem, plan: &Plan) -> String {
    let names: Vec<&str> = plan.graph.vertices().map(|v| plan.name(v)).collect();
    let more = |v| if plan.is_terminal(v) { ", \"terminal\": true".to_owned() } else { String::new() };
    graph(problem, &plan.graph, &names, more)
}

fn observer_text(problem: &Problem, observer: &Observer) -> String {
    let mut fields: Vec<String> = observer.name.iter().map(|name| format!("\"name\": {name:?}")).collect();
    if let Some(map) = &observer.map {
        let look = |l| map.look(l).map_or("null".to_owned(), |x| format!("{x:?}"));
        let all: Vec<String> = problem
            .alphabet
            .labels()
            .map(|l| format!("{:?}: {}", problem.alphabet.name(l), look(l)))
            .collect();
        fields.push(format!("\"map\": {{{}}}", all.join(", ")));
    } else {
        let unseen: Vec<&str> =
            observer.constraints.unseen.iter().map(|&l| problem.alphabet.name(l)).collect();
        fields.push(format!("\"map_constraints\": {{\"unseen\": {unseen:?}}}"));
        if observer.constraints
            != (MapConstraints { unseen: observer.constraints.unseen.clone(), ..Default::default() })
        {
            fields.push(format!("\"(more constraints)\": {:?}", format!("{:?}", observer.constraints)));
        }
    }
    fields.push(match &observer.filter {
        Filter::Strongest => "\"filter\": \"strongest\"".to_owned(),
        Filter::Image => "\"filter\": \"image\"".to_owned(),
        Filter::Graph(filter) => format!("\"filter\": {:?}", format!("{:?}", filter.graph)),
    });
    fields.push(match &observer.knows {
        Knows::Plan => "\"knows\": \"plan\"".to_owned(),
        Knows::World => "\"knows\": \"world\"".to_owned(),
        Knows::GoalDirected => "\"knows\": \"goal-directed\"".to_owned(),
        Knows::Plans(plans) => {
            let all: Vec<String> = plans.iter().map(|p| format!("{{{}}}", plan_text(problem, p))).collect();
            format!("\"knows\": {{\"plans\": [{}]}}", all.join(", "))
        }
        Knows::Graph(known) => {
            let names: Vec<&str> = known.graph.vertices().map(|v| known.name(v)).collect();
            let text = graph(problem, &known.graph, &names, |_| String::new());
            format!("\"knows\": {{\"graph\": {{{text}}}}}")
        }
    });
    let stipulation = |s: &Stipulation| {
        let within = match s.scope {
            Scope::Hindsight { within: Some(k) } => format!(", \"within\": {k}"),
            _ => String::new(),
        };
        let formula = s.formula.to_string();
        format!(
            "{{\"name\": {:?}, \"scope\": {:?}{within}, \"formula\": {formula:?}}}",
            s.name,
            s.scope.word()
        )
    };
    let all: Vec<String> = observer.stipulations.iter().map(stipulation).collect();
    fields.push(format!("\"stipulations\": [{}]", all.join(", ")));
    format!("{{{}}}", fields.join(", "))
}
