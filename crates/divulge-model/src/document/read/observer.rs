//! Observers: what they see, know and remember, and what is stipulated of them.

use divulge::{
    formula::{Formula, FormulaError, resolve},
    problem::{
        Alphabet, Filter, FilterGraph, Knows, MapConstraints, NamedGraph, Names, Observer, Plan, Scope,
        Stipulation, World,
    },
    sets::BitSet,
};

use super::super::Whom;
use super::{
    expect::Fields,
    graph::{Labels, graph},
    json::{Reader, Step, Token, span},
    map,
    vertices::Role,
};
use crate::{
    diagnostic::{Code, Diagnostic, did_you_mean},
    fault,
};

/// A formula longer than this is refused: nobody wrote it, and its tokens would take much more memory than its text.
const LONGEST_FORMULA: usize = 4 << 20;

/// The parts of the problem that an observer refers to.
pub struct Context<'a> {
    pub alphabet: &'a mut Alphabet,
    pub world_labels: &'a BitSet,
    /// `None` if the world was wrong: then formulas are read, but not compared with it.
    pub world: Option<&'a World>,
    /// False once a graph was wrong: then not all labels are known.
    pub complete: bool,
}

impl Context<'_> {
    fn known(&self) -> map::Known<'_> {
        map::Known { alphabet: self.alphabet, world: self.world_labels, complete: self.complete }
    }
}

/// An observer as read, and the finding that its map is partial, if it is.
pub struct Read {
    pub observer: Observer,
    pub gap: Option<Diagnostic>,
}

/// An observer whose map, or what it must respect, is still to be read.
struct Begun {
    observer: Observer,
    filter: Option<Token>,
    map: Option<(Token, usize)>,
    constraints: Option<(Token, usize)>,
}

/// Reads the list of observers; one that is chosen comes first. Nothing if one of them is wrong.
pub fn observers(r: &mut Reader<'_>, cx: &mut Context<'_>, whom: Whom<'_>) -> Step<Vec<Read>> {
    r.peek();
    let start = r.at;
    let mut begun = Vec::new();
    let mut places = Vec::new();
    let found = r.expect_list("a list of observers", |r| {
        r.peek();
        places.push(r.at);
        begun.push(observer(r, cx)?);
        Ok(())
    })?;
    let end = r.at;
    if found && begun.is_empty() {
        r.report(
            Diagnostic::new(Code::DocObservers, "the list of observers is empty")
                .at(span(start, r.at), "")
                .help(
                    "add at least {\"knows\": \"world\", \"stipulations\": []}, and a \"map\" unless one is sought",
                ),
        )?;
    }
    // Maps may name labels that only the divulged graphs bear, so they are read last.
    let mut all = Vec::new();
    for begun in begun.iter().flatten() {
        all.push(finish(r, cx, begun)?);
    }
    r.at = end;
    if all.len() < begun.len() || all.is_empty() {
        return Ok(Vec::new());
    }
    let before = r.found.errors();
    named(r, &all, &places)?;
    if r.found.errors() > before {
        return Ok(Vec::new());
    }
    match whom {
        Whom::Anybody => {}
        Whom::Everybody => one_map_sought(r, &all, &places)?,
        Whom::Named(name) => {
            let Some(meant) = meant(r, &all, name, start)? else { return Ok(Vec::new()) };
            all[..=meant].rotate_right(1);
        }
    }
    Ok(all)
}

/// Whoever is one of several needs a name of its own.
fn named(r: &mut Reader<'_>, all: &[Read], places: &[usize]) -> Step<()> {
    if all.len() == 1 {
        return Ok(());
    }
    for (i, (read, &at)) in all.iter().zip(places).enumerate() {
        let wrong = match &read.observer.name {
            None => "each of several observers needs a name, and this one has none".to_owned(),
            name if all[..i].iter().any(|other| other.observer.name == *name) => {
                format!("two observers are called `{}`", name.as_deref().unwrap_or_default())
            }
            _ => continue,
        };
        let finding = Diagnostic::new(Code::DocObservers, wrong).at(span(at, at + 1), "this observer");
        let help = match read.observer.name {
            None => "add a \"name\" of its own",
            Some(_) => "give one of them another \"name\"",
        };
        r.report(finding.help(help))?;
    }
    Ok(())
}

/// The map of one observer can be sought, given those of the others.
fn one_map_sought(r: &mut Reader<'_>, all: &[Read], places: &[usize]) -> Step<()> {
    let mut without = all.iter().zip(places).filter(|(read, _)| read.observer.map.is_none());
    let (Some((first, &at)), Some((second, &here))) = (without.next(), without.next()) else { return Ok(()) };
    let name = |read: &Read| read.observer.name.clone().unwrap_or_default();
    r.report(
        Diagnostic::new(
            Code::DocObservers,
            format!("two observers have no map: `{}` and `{}`", name(first), name(second)),
        )
        .at(span(here, here + 1), "this one has none")
        .note_at(span(at, at + 1), "and neither has this one")
        .note("the map of only one observer at a time can be sought")
        .help(format!(
            "give one of them a \"map\", or ask about one of them alone: `--observer {}`",
            name(first)
        )),
    )
}

/// The number of the observer that is meant.
fn meant(r: &mut Reader<'_>, all: &[Read], name: &str, start: usize) -> Step<Option<usize>> {
    let found = all.iter().position(|read| read.observer.name.as_deref() == Some(name));
    if found.is_none() {
        let known = all.iter().filter_map(|read| read.observer.name.as_deref());
        let advice = did_you_mean(name, known);
        let finding = Diagnostic::new(Code::DocObservers, format!("no observer is called `{name}`"));
        let finding = finding.at(span(start, start + 1), "");
        r.report(finding.help(advice.unwrap_or_else(|| match all {
            [Read { observer: Observer { name: None, .. }, .. }] => {
                "there is one observer, which has no name: leave the choice out".into()
            }
            _ => format!("{} {}", if all.len() == 1 { "there is" } else { "there are" }, called(all)).into(),
        })))?;
    }
    Ok(found)
}

fn called(all: &[Read]) -> String {
    let names = all.iter().map(|read| match &read.observer.name {
        Some(name) => format!("`{name}`"),
        None => "one without a name".to_owned(),
    });
    names.collect::<Vec<_>>().join(", ")
}

fn observer(r: &mut Reader<'_>, cx: &mut Context<'_>) -> Step<Option<Begun>> {
    const FIELDS: &[&str] = &["name", "map", "map_constraints", "filter", "knows", "stipulations"];
    let mut fields = Fields::new(r, "an observer", FIELDS);
    let (mut name, mut filter, mut knows, mut stipulations) = (None, Filter::Strongest, None, Vec::new());
    let (mut filter_at, mut map_at, mut constraints_at) = (None, None, None);
    let found = r.expect_object("an object that describes an observer", |r, key| {
        match fields.take(r, key)? {
            Some("name") => {
                name = r.expect_text("a name in quotes")?.map(|token| r.say(token).into_owned());
            }
            Some("filter") => {
                filter = self::filter(r)?;
                filter_at = Some(key);
            }
            Some("knows") => {
                knows = self::knows(r, cx)?;
                cx.complete &= knows.is_some();
            }
            Some("stipulations") => stipulations = self::stipulations(r, cx)?,
            Some(later) => {
                let place = if later == "map" { &mut map_at } else { &mut constraints_at };
                *place = Some((key, r.at));
                r.skip()?;
            }
            None => {}
        }
        Ok(())
    })?;
    if !found {
        return Ok(None);
    }
    fields.require(
        r,
        &[
            (
                "knows",
                "it is \"plan\", \"goal-directed\", \"world\", {\"plans\": [...]} or {\"graph\": {...}}",
            ),
            ("stipulations", "it is a list, empty if nothing is stipulated"),
        ],
    )?;
    let constraints = MapConstraints::default();
    Ok(knows.map(|knows| Begun {
        observer: Observer { name, map: None, constraints, filter, knows, stipulations },
        filter: filter_at,
        map: map_at,
        constraints: constraints_at,
    }))
}

/// Reads the map, or what it must respect.
fn finish(r: &mut Reader<'_>, cx: &Context<'_>, begun: &Begun) -> Step<Read> {
    let mut observer = begun.observer.clone();
    let mut gap = None;
    if let Some((key, at)) = begun.map {
        r.at = at;
        if let Some(given) = map::map(r, cx.known(), key)? {
            (observer.map, gap) = (Some(given.map), given.gap);
        }
    }
    if let Some((key, at)) = begun.constraints {
        r.at = at;
        observer.constraints = map::constraints(r, cx.known())?;
        if let Some((map, _)) = begun.map {
            both_given(r, key, map)?;
        }
    }
    if let Some(filter) = begun.filter {
        remembers(r, &observer, filter)?;
    }
    Ok(Read { observer, gap })
}

/// Whether the filter goes with what is unseen and with hindsight.
fn remembers(r: &mut Reader<'_>, observer: &Observer, filter: Token) -> Step<()> {
    match fault::of_filter(observer) {
        Some(finding) => r.report(finding.at(filter.span(), "this filter")),
        None => Ok(()),
    }
}

fn both_given(r: &mut Reader<'_>, constraints: Token, map: Token) -> Step<()> {
    r.report(
        Diagnostic::new(Code::DocMapAndConstraints, "a map is given, so there is nothing to constrain")
            .at(constraints.span(), "")
            .note_at(map.span(), "the map")
            .help("keep `map` to check it or to seek a plan, or `map_constraints` to seek a map"),
    )
}

fn knows(r: &mut Reader<'_>, cx: &mut Context<'_>) -> Step<Option<Knows>> {
    const NEEDED: &str = "what the observer knows (a string or an object)";
    const WORDS: &[(&str, u8)] = &[("plan", 0), ("goal-directed", 1), ("world", 2)];
    if r.peek() == b'"' {
        return Ok(r.expect_word("what the observer knows", WORDS)?.map(|which| match which {
            0 => Knows::Plan,
            1 => Knows::GoalDirected,
            _ => Knows::World,
        }));
    }
    let mut fields = Fields::new(r, "what the observer knows", &["plans", "graph"]);
    let mut known = None;
    let start = r.at;
    let found = r.expect_object(NEEDED, |r, key| {
        match fields.take(r, key)? {
            Some("plans") => known = plans(r, cx)?.map(Knows::Plans),
            Some(_) => {
                known = graph(r, Role::Unmarked, Labels::Events(cx.alphabet))?
                    .map(|p| Knows::Graph(NamedGraph { graph: p.graph, names: p.names }));
            }
            None => {}
        }
        Ok(())
    })?;
    if found && fields.has("plans") == fields.has("graph") {
        r.report(
            Diagnostic::new(Code::DocValue, "what the observer knows must be either `plans` or a `graph`")
                .at(span(start, start + 1), "")
                .help("give one of them"),
        )?;
    }
    Ok(known)
}

fn plans(r: &mut Reader<'_>, cx: &mut Context<'_>) -> Step<Option<Vec<Plan>>> {
    r.peek();
    let start = r.at;
    let mut all = Vec::new();
    let mut count = 0;
    let found = r.expect_list("a list of plans", |r| {
        count += 1;
        let parts = graph(r, Role::Plan, Labels::Events(cx.alphabet))?;
        all.extend(parts.map(|p| Plan { graph: p.graph, names: p.names, terminal: p.marked }));
        Ok(())
    })?;
    if found && count == 0 {
        r.report(
            Diagnostic::new(Code::DocValue, "the list of plans that the observer knows is empty")
                .at(span(start, r.at), "an empty list")
                .help("list the plans that it takes to be possible"),
        )?;
    }
    Ok((found && count > 0 && all.len() == count).then_some(all))
}

fn filter(r: &mut Reader<'_>) -> Step<Filter> {
    const WORDS: &[(&str, bool)] = &[("strongest", true), ("image", false)];
    match r.peek() {
        b'"' => Ok(match r.expect_word("a filter", WORDS)? {
            Some(false) => Filter::Image,
            _ => Filter::Strongest,
        }),
        b'{' => {
            let mut images = Names::new();
            let parts = graph(r, Role::Unmarked, Labels::Images(&mut images))?;
            Ok(parts.map_or(Filter::Strongest, |p| {
                let graph = NamedGraph { graph: p.graph, names: p.names };
                Filter::Graph(Box::new(FilterGraph { graph, images }))
            }))
        }
        _ => {
            r.wrong("a filter (\"strongest\", \"image\" or a graph over images)", None)?;
            Ok(Filter::Strongest)
        }
    }
}

fn stipulations(r: &mut Reader<'_>, cx: &Context<'_>) -> Step<Vec<Stipulation>> {
    let mut all = Vec::new();
    let mut count = 0;
    r.expect_list("a list of stipulations", |r| {
        count += 1;
        all.extend(stipulation(r, cx, count)?);
        Ok(())
    })?;
    Ok(all)
}

fn stipulation(r: &mut Reader<'_>, cx: &Context<'_>, number: usize) -> Step<Option<Stipulation>> {
    const SCOPES: &[(&str, Scope)] = &[
        ("always", Scope::Always),
        ("end", Scope::End),
        ("run", Scope::Run),
        ("hindsight", Scope::Hindsight { within: None }),
    ];
    let mut fields = Fields::new(r, "a stipulation", &["name", "scope", "within", "formula"]);
    let (mut name, mut scope, mut within, mut formula) = (None, Some(Scope::Always), None, None);
    let found = r.expect_object("an object that describes a stipulation", |r, key| {
        match fields.take(r, key)? {
            Some("name") => {
                name = r.expect_text("a name in quotes")?.map(|token| r.say(token).into_owned());
            }
            Some("scope") => scope = r.expect_word("a scope", SCOPES)?,
            Some("within") => {
                within = Some((key, r.expect_integer("a number of images (an integer from 0 up)")?));
            }
            Some(_) => {
                if let Some(token) = r.expect_text("a formula in quotes")? {
                    formula = self::formula(r, token, cx.world)?.map(|formula| (formula, token));
                }
            }
            None => {}
        }
        Ok(())
    })?;
    if found {
        fields.require(r, &[("formula", "for example \"!knows(room = lab)\"")])?;
    }
    let name = name.unwrap_or_else(|| format!("stipulation {number}"));
    // A scope that cannot be read has been reported.
    let Some(scope) = scope else { return Ok(None) };
    let scope = match (scope, within) {
        (Scope::Hindsight { .. }, Some((_, within))) => Scope::Hindsight { within },
        (_, Some((key, _))) => {
            r.report(
                Diagnostic::new(Code::DocScope, "`within` goes with hindsight alone")
                    .at(key.span(), format!("the scope is \"{}\"", scope.word()))
                    .help("add \"scope\": \"hindsight\", or leave `within` out"),
            )?;
            scope
        }
        (_, None) => scope,
    };
    let Some((formula, token)) = formula else { return Ok(None) };
    if formula.is_temporal() && scope != Scope::Run {
        r.report(
            Diagnostic::new(
                Code::DocScope,
                format!("the formula is about a run, but its scope is \"{}\"", scope.word()),
            )
            .at(token.span(), "")
            .note("`always`, `eventually`, `next`, `until` and `unless` speak of other moments too")
            .help("give it \"scope\": \"run\""),
        )?;
    }
    Ok(Some(Stipulation { name, scope, formula }))
}

fn formula(r: &mut Reader<'_>, token: Token, world: Option<&World>) -> Step<Option<Formula>> {
    let text = r.say(token);
    if text.len() > LONGEST_FORMULA {
        r.report(
            Diagnostic::new(Code::DocFormula, format!("the formula is longer than {LONGEST_FORMULA} bytes"))
                .at(span(token.start - 1, token.start), "")
                .help("give the vertices a common property, and use that"),
        )?;
        return Ok(None);
    }
    let wrong = |r: &mut Reader<'_>, code, e: FormulaError| {
        let place = r.inside(token, e.span.start, e.span.end);
        r.report(Diagnostic::new(code, e.message).at(place, "").help_opt(e.help))
    };
    match text.parse::<Formula>() {
        Err(e) => wrong(r, Code::DocFormula, e).map(|()| None),
        Ok(formula) => {
            if let Some(Err(e)) = world.map(|w| resolve::check(w, &formula)) {
                wrong(r, Code::DocFormulaWorld, e)?;
            }
            Ok(Some(formula))
        }
    }
}
