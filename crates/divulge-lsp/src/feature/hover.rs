//! What a name stands for, in words.

use divulge::problem::{Label, Observer, Problem};
use divulge_explore::words::demand;
use divulge_model::language::{Facts, Mention, Region, Shape, Sort, meaning, tokens};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use crate::analysis::Names;

/// How many names are listed before the rest is counted.
const HANDFUL: usize = 12;

/// What is known of a model beside its names, as far as it has been read.
#[derive(Clone, Copy, Default)]
pub struct Known<'a> {
    /// What its names stand for.
    pub facts: Option<&'a Facts>,
    /// The world and all around it.
    pub problem: Option<&'a Problem>,
}

/// What there is to say of a place.
pub fn at(names: &Names, position: Position, known: Known<'_>) -> Option<Hover> {
    let offset = names.offset(position);
    let (text, span) = match names.at(position) {
        Some(mention) => (of_name(names, mention, known)?, mention.span),
        None => {
            let token = tokens(&names.text)
                .into_iter()
                .find(|t| t.shape == Shape::Word && t.start <= offset && offset <= t.end)?;
            let span = names.survey.root().span(token.start, token.end);
            (of_word(names.places.slice(span), known)?, span)
        }
    };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(names.places.range(span)) })
}

fn of_word(word: &str, known: Known<'_>) -> Option<String> {
    match (word, known.problem) {
        ("world", Some(problem)) => Some(size(problem)),
        ("world", None) => Some("The world. It has not been explored yet.".to_owned()),
        ("plan", _) => Some("A plan: what the robot does, as a program or drawn by hand.".to_owned()),
        ("observer", _) => {
            Some("An observer: what it knows, sees and remembers, and what is stipulated of it.".to_owned())
        }
        (word, _) => meaning(word).map(str::to_owned),
    }
}

/// How large the world is.
fn size(problem: &Problem) -> String {
    let graph = &problem.world.graph;
    let labels = &problem.world_labels;
    let of = |kind| problem.alphabet.of_kind(kind).filter(|l| labels.contains(l.index())).count();
    let (actions, observations) =
        (of(divulge::problem::Kind::Action), of(divulge::problem::Kind::Observation));
    format!(
        "The world has {} vertices and {} edges: {} to start at, {} goals; {actions} actions, {observations} observations.",
        graph.len(),
        graph.arc_count(),
        graph.initial().len(),
        problem.world.goal.iter().count()
    )
}

fn of_name(names: &Names, mention: &Mention, known: Known<'_>) -> Option<String> {
    let name = &mention.name;
    let text = match mention.sort {
        Sort::Constant => constant(names, mention, known.facts),
        Sort::Type | Sort::Definition => written(names, mention)?,
        Sort::Parameter => format!("`{name}`: a parameter of this definition."),
        Sort::Variable => variable(name, known),
        Sort::Value => value(name, known),
        Sort::Action | Sort::Observation | Sort::Label => event(name, mention.sort, known.problem),
        Sort::Image => image(name, known.problem),
        Sort::Vertex => vertex(name, known.problem),
        Sort::Plan | Sort::Graph => format!("`{name}`: {}.", mention.sort.described()),
        Sort::Observer => observer(name, known.problem),
        Sort::Stipulation => stipulation(names, mention, known.problem),
    };
    Some(text)
}

/// The line or lines that define it.
fn written(names: &Names, mention: &Mention) -> Option<String> {
    let defined = names.survey.of(mention.symbol).find(|m| m.defines)?;
    let source = names.survey.diagnostics.source(defined.span.source);
    let (start, end) = source.line_range(defined.span.start);
    Some(format!("```divulge\n{}\n```", source.text[start..end].trim()))
}

fn constant(names: &Names, mention: &Mention, facts: Option<&Facts>) -> String {
    let constants = facts.map_or(&[][..], |facts| facts.constants.as_slice());
    match constants.iter().find(|constant| constant.name == mention.name) {
        Some(constant) => format!("`{} = {}`", constant.name, constant.value),
        None => written(names, mention).unwrap_or_else(|| format!("`{}`: a constant.", mention.name)),
    }
}

fn variable(name: &str, known: Known<'_>) -> String {
    let Some(variable) = known.facts.and_then(|facts| facts.variable(name)) else {
        return format!("`{name}`: a variable of the world.");
    };
    let mut text = format!("`{name}`: {} ({} values).", variable.values, variable.count);
    let column = known.problem.and_then(|problem| problem.world.props.column(name));
    if let Some(column) = column.filter(|column| (column.values().len() as u128) < variable.count) {
        let reached: Vec<String> = column.values().iter().map(ToString::to_string).collect();
        text.push_str(&format!(" Of these the world reaches {}.", listed(&reached)));
    }
    text
}

fn value(name: &str, known: Known<'_>) -> String {
    let variables = known.facts.map_or(&[][..], |facts| facts.variables.as_slice());
    let has = variables.iter().filter(|v| v.listed.iter().any(|value| value.to_string() == name));
    let has: Vec<String> = has.map(|v| format!("`{}`", v.name)).collect();
    let mut text = match has.as_slice() {
        [] => format!("`{name}`: a value."),
        has => format!("`{name}`: a value of {}.", listed(has)),
    };
    if known.problem.is_some_and(|problem| problem.alphabet.get(name).is_some()) {
        text.push_str(&format!("\n\n{}", event(name, Sort::Observation, known.problem)));
    }
    text
}

/// What an event looks like to everybody.
fn event(name: &str, sort: Sort, problem: Option<&Problem>) -> String {
    let label = problem.and_then(|problem| Some((problem, problem.alphabet.get(name)?)));
    let Some((problem, label)) = label else { return format!("`{name}`: {}.", sort.described()) };
    let kind = problem.alphabet.kind(label);
    let mut text = format!("`{name}`: an {kind} that costs {}.", problem.cost(label));
    for observer in everybody(problem) {
        text.push_str(&format!("\n\n{}", look(problem, observer, label)));
    }
    text
}

fn everybody(problem: &Problem) -> impl Iterator<Item = &Observer> {
    problem.observers().chain(&problem.aside)
}

fn called(observer: &Observer) -> String {
    observer.name.as_ref().map_or("the observer".to_owned(), |name| format!("`{name}`"))
}

fn look(problem: &Problem, observer: &Observer, label: Label) -> String {
    let who = called(observer);
    let Some(map) = &observer.map else { return format!("What {who} sees is to be sought.") };
    let Some(image) = map.image(label) else { return format!("To {who}: not seen at all.") };
    let alike = map.preimage(image).filter(|other| *other != label);
    let alike: Vec<String> = alike.map(|other| format!("`{}`", problem.alphabet.name(other))).collect();
    match alike.as_slice() {
        [] => format!("To {who}: looks like `{}`, and like no other event.", map.name(image)),
        alike => format!("To {who}: looks like `{}`, just as {}.", map.name(image), listed(alike)),
    }
}

fn image(name: &str, problem: Option<&Problem>) -> String {
    let mut text = format!("`{name}`: what events look like to an observer.");
    for (problem, observer) in problem.iter().flat_map(|p| everybody(p).map(move |o| (p, o))) {
        let Some(map) = &observer.map else { continue };
        let Some(image) = map.get(name) else { continue };
        let alike: Vec<String> =
            map.preimage(image).map(|label| format!("`{}`", problem.alphabet.name(label))).collect();
        text.push_str(&format!("\n\nTo {}: {}.", called(observer), listed(&alike)));
    }
    text
}

fn vertex(name: &str, problem: Option<&Problem>) -> String {
    let found = problem.and_then(|problem| Some((problem, problem.world.vertex(name)?)));
    let Some((problem, v)) = found else { return format!("`{name}`: a vertex.") };
    let props: Vec<String> =
        problem.world.props.of(v).map(|(name, value)| format!("{name} = {value}")).collect();
    let goal = if problem.world.goal.contains(v.index()) { ", a goal" } else { "" };
    let kind = problem.world.graph.kind(v);
    match props.as_slice() {
        [] => format!("`{name}`: an {kind} vertex{goal}."),
        props => format!("`{name}`: an {kind} vertex{goal}, with {}.", listed(props)),
    }
}

fn observer(name: &str, problem: Option<&Problem>) -> String {
    let found = problem.and_then(|p| Some((p, everybody(p).find(|o| o.name.as_deref() == Some(name))?)));
    let Some((problem, observer)) = found else { return format!("`{name}`: an observer.") };
    let mut text = format!("`{name}`: an observer.");
    if let Some(map) = &observer.map {
        text.push_str(&format!(" It tells {} images apart.", map.len()));
    }
    for stipulation in &observer.stipulations {
        text.push_str(&format!("\n\n`{}`: {}", stipulation.name, demand(&problem.world, stipulation)));
    }
    text
}

fn stipulation(names: &Names, mention: &Mention, problem: Option<&Problem>) -> String {
    // The same name may stand in several observers: the one around the place is meant.
    let around = names.survey.parts.iter().find(|part| {
        part.region == Region::Observer
            && part.span.source == mention.span.source
            && (part.span.start..part.span.end).contains(&mention.span.start)
    });
    let whose = around.and_then(|part| part.name.as_deref());
    let found = problem.and_then(|problem| {
        let observer = everybody(problem).find(|o| o.name.as_deref() == whose)?;
        let stipulation = observer.stipulations.iter().find(|s| s.name == mention.name)?;
        Some(demand(&problem.world, stipulation))
    });
    match found {
        Some(words) => format!("`{}`: {words}", mention.name),
        None => format!("`{}`: a stipulation.", mention.name),
    }
}

fn listed(items: &[String]) -> String {
    let more = items.len().saturating_sub(HANDFUL);
    let some = items.iter().take(HANDFUL).cloned().collect::<Vec<_>>().join(", ");
    if more == 0 { some } else { format!("{some} and {more} more") }
}
