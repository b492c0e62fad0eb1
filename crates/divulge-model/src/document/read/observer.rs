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
    graph::{Labels, Role, graph},
    json::{Reader, Step, Token, span},
    map,
};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};

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
    map: Option<(Token, usize)>,
    constraints: Option<(Token, usize)>,
}

/// Reads the list of observers: the one that is meant comes first. Nothing if one of them is wrong.
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
    let Some(meant) = meant(r, &all, whom, start)? else { return Ok(Vec::new()) };
    all[..=meant].rotate_right(1);
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
        r.report(finding.help("add a \"name\" of its own"))?;
    }
    Ok(())
}

/// The number of the observer that is meant.
fn meant(r: &mut Reader<'_>, all: &[Read], whom: Whom<'_>, start: usize) -> Step<Option<usize>> {
    let name = match whom {
        Whom::Named(name) => name,
        Whom::Anybody => return Ok(Some(0)),
        Whom::Only if all.len() == 1 => return Ok(Some(0)),
        Whom::Only => {
            let finding =
                Diagnostic::new(Code::DocObservers, "there are several observers, and none is chosen")
                    .at(span(start, start + 1), format!("they are {}", called(all)))
                    .note("questions about several observers at once are not supported yet");
            let first = all.iter().find_map(|read| read.observer.name.as_deref()).unwrap_or("NAME");
            r.report(finding.help(format!("choose one: `--observer {first}`")))?;
            return Ok(None);
        }
    };
    let found = all.iter().position(|read| read.observer.name.as_deref() == Some(name));
    if found.is_none() {
        let known = all.iter().filter_map(|read| read.observer.name.as_deref());
        let advice = did_you_mean(name, known);
        let finding = Diagnostic::new(Code::DocObservers, format!("no observer is called `{name}`"));
        let finding = finding.at(span(start, start + 1), "");
        r.report(finding.help(advice.unwrap_or_else(|| match all {
            [Read { observer: Observer { name: None, .. }, .. }] => {
                "there is one observer, which has no name: leave the choice out".to_owned()
            }
            _ => format!("{} {}", if all.len() == 1 { "there is" } else { "there are" }, called(all)),
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
    let (mut map_at, mut constraints_at) = (None, None);
    let found = r.expect_object("an object that describes an observer", |r, key| {
        match fields.take(r, key)? {
            Some("name") => {
                name = r.expect_text("a name in quotes")?.map(|token| r.say(token).into_owned());
            }
            Some("filter") => filter = self::filter(r)?,
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
    Ok(Read { observer, gap })
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
    const SCOPES: &[(&str, Scope)] = &[("always", Scope::Always), ("end", Scope::End)];
    let mut fields = Fields::new(r, "a stipulation", &["name", "scope", "formula"]);
    let (mut name, mut scope, mut formula) = (None, Scope::Always, None);
    let found = r.expect_object("an object that describes a stipulation", |r, key| {
        match fields.take(r, key)? {
            Some("name") => {
                name = r.expect_text("a name in quotes")?.map(|token| r.say(token).into_owned());
            }
            Some("scope") => scope = r.expect_word("a scope", SCOPES)?.unwrap_or_default(),
            Some(_) => {
                if let Some(token) = r.expect_text("a formula in quotes")? {
                    formula = self::formula(r, token, cx.world)?;
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
    Ok(formula.map(|formula| Stipulation { name, scope, formula }))
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
