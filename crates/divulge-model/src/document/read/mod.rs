//! Text to problem.

mod edges;
mod expect;
mod graph;
mod index;
mod json;
mod map;
mod observer;
mod shares;
mod vertices;

use divulge::{
    problem::{Alphabet, Plan, Problem, World},
    sets::BitSet,
};

use self::{
    expect::Fields,
    graph::{Labels, graph},
    json::{Reader, Step, span},
    observer::{Context, observers},
    vertices::Role,
};
use super::{Document, FORMAT, Whom};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, nearest};

/// Reads a problem document. `name` is what people call the text, usually a path.
///
/// # Errors
/// Everything found wrong, up to a limit, with its places. Depth and memory are bounded whatever the text.
pub fn read(name: &str, text: &str) -> Result<Document, Diagnostics> {
    read_for(name, text, Whom::Everybody)
}

/// Reads a problem document in which the question is about `whom`; the other observers are put aside.
///
/// # Errors
/// As [`read`].
pub fn read_for(name: &str, text: &str, whom: Whom<'_>) -> Result<Document, Diagnostics> {
    read_with(name, text, whom, 1)
}

/// As [`read_for`], on so many threads; 0 stands for as many as there are processors. What is read does not depend on it.
///
/// # Errors
/// As [`read`].
pub fn read_with(name: &str, text: &str, whom: Whom<'_>, threads: usize) -> Result<Document, Diagnostics> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut r = Reader { threads, ..Reader::new(text) };
    let read = document(&mut r, whom);
    let mut found = r.found;
    // The text is kept only where something is to be shown of it: it may be very large.
    match read {
        Ok(Some((problem, gaps))) if !found.has_errors() => {
            if !found.is_empty() || gaps.iter().any(Option::is_some) {
                found.add_source(name, text);
            }
            Ok(Document { problem, warnings: found, gaps })
        }
        _ => {
            debug_assert!(found.has_errors());
            found.add_source(name, text);
            Err(found)
        }
    }
}

const FIELDS: &[&str] = &["format", "name", "world", "costs", "plan", "observers"];

type Whole = (Problem, Vec<Option<Diagnostic>>);

fn document(r: &mut Reader<'_>, whom: Whom<'_>) -> Step<Option<Whole>> {
    let mut d = Sections::default();
    let mut fields = Fields::new(r, "a problem document", FIELDS);
    let found = r.object(|r, key| match fields.take(r, key)? {
        Some("format") => format(r),
        Some("name") => {
            d.name = r.expect_text("a title in quotes")?.map(|token| r.say(token).into_owned());
            Ok(())
        }
        // The largest part is read where it stands. The others refer to it and to one another.
        Some("world") => d.world(r),
        Some("plan") => later(r, &mut d.plan),
        Some("observers") => later(r, &mut d.observers),
        Some(_) => later(r, &mut d.costs),
        None => Ok(()),
    })?;
    if !found {
        return Err(not_a_document(r));
    }
    if !r.at_end() {
        return Err(r.syntax("the end of the document"));
    }
    fields.require(
        r,
        &[
            ("format", "it says what this is: \"format\": \"divulge/1\""),
            ("world", "it describes where the robot acts"),
            ("observers", "it is a list of observers, one or more"),
        ],
    )?;
    d.rest(r, whom)
}

fn later(r: &mut Reader<'_>, place: &mut Option<usize>) -> Step<()> {
    *place = Some(r.at);
    r.skip()
}

fn not_a_document(r: &mut Reader<'_>) -> json::Stop {
    if r.at_end() {
        return r.syntax("an object");
    }
    let start = r.at;
    r.fatal(
        Diagnostic::new(Code::DocSyntax, "a problem document must be a JSON object")
            .at(span(start, start + 1), "expected `{`"),
    )
}

fn format(r: &mut Reader<'_>) -> Step<()> {
    let Some(token) = r.expect_text("the name of the format in quotes")? else { return Ok(()) };
    let text = r.say(token);
    if text == FORMAT {
        return Ok(());
    }
    let newer = text.starts_with("divulge/") && nearest(&text, [FORMAT]).is_some();
    let help =
        if newer { "was it written by a later version?" } else { "was it written by another program?" };
    // What else is wrong under another format says nothing.
    Err(r.fatal(
        Diagnostic::new(
            Code::DocFormat,
            format!("the format is \"{text}\", but this program reads \"{FORMAT}\""),
        )
        .at(token.span(), "")
        .help(help),
    ))
}

/// The document's parts, and where those stand that must wait for others.
#[derive(Default)]
struct Sections {
    name: Option<String>,
    alphabet: Alphabet,
    world: Option<World>,
    plan: Option<usize>,
    observers: Option<usize>,
    costs: Option<usize>,
}

impl Sections {
    fn world(&mut self, r: &mut Reader<'_>) -> Step<()> {
        let parts = graph(r, Role::World, Labels::Events(&mut self.alphabet))?;
        self.world = parts.map(|p| World {
            graph: p.graph,
            names: p.names,
            goal: p.marked,
            props: p.props,
            past: None,
        });
        Ok(())
    }

    fn rest(mut self, r: &mut Reader<'_>, whom: Whom<'_>) -> Step<Option<Whole>> {
        // Nothing but the world has declared labels so far.
        let mut world_labels = BitSet::full(self.alphabet.len());
        let mut complete = self.world.is_some();
        let mut plan = None;
        if let Some(at) = self.plan {
            r.at = at;
            plan = graph(r, Role::Plan, Labels::Events(&mut self.alphabet))?.map(|p| Plan {
                graph: p.graph,
                names: p.names,
                terminal: p.marked,
            });
        }
        let mut read = Vec::new();
        if let Some(at) = self.observers {
            r.at = at;
            let mut cx = Context {
                alphabet: &mut self.alphabet,
                world_labels: &world_labels,
                world: self.world.as_ref(),
                complete,
            };
            read = observers(r, &mut cx, whom)?;
            complete = cx.complete;
        }
        let mut costs = Vec::new();
        if let Some(at) = self.costs {
            r.at = at;
            costs = map::costs(r, map::Known { alphabet: &self.alphabet, world: &world_labels, complete })?;
        }
        world_labels.grow(self.alphabet.len());
        let (mut observers, gaps): (Vec<_>, Vec<_>) = read.into_iter().map(|r| (r.observer, r.gap)).unzip();
        let (Some(world), false) = (self.world, observers.is_empty()) else { return Ok(None) };
        let observer = observers.remove(0);
        let (others, aside) = match whom {
            Whom::Named(_) => (Vec::new(), observers),
            Whom::Everybody | Whom::Anybody => (observers, Vec::new()),
        };
        let problem = Problem {
            name: self.name,
            alphabet: self.alphabet,
            world_labels,
            world,
            plan,
            costs,
            observer,
            others,
            aside,
            grid: None,
        };
        Ok(Some((problem, gaps)))
    }
}
