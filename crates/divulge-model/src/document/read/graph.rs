//! P-graphs: the part that worlds, plans, divulged graphs and filters have in common.
//!
//! Vertices are read before edges and initial vertices whatever the order in the text: what comes too early is passed over and
//! read again once the vertices are known.

use divulge::{
    limit::together,
    problem::{Alphabet, Kind, Label, Names, PGraph, PGraphBuilder, Props, Vertex},
    sets::BitSet,
};

use super::{
    edges::Batch,
    expect::Fields,
    index::{Index, Lookup},
    json::{Reader, Step, Token, span},
    shares::{
        self,
        edges::{Share, Words},
        vertices::Named,
    },
    vertices::{Role, Vertices},
};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};

/// Where labels on edges come from.
pub enum Labels<'a> {
    /// Actions and observations, of the kind of the edge's source.
    Events(&'a mut Alphabet),
    /// Images, which may stand on edges of both kinds.
    Images(&'a mut Names),
}

impl Labels<'_> {
    /// Takes over the labels that were met in a share, each with its number here; `None` if some kind is another here.
    fn adopt(&mut self, words: &Words) -> Option<Vec<Label>> {
        match (self, words) {
            (Labels::Events(alphabet), Words::Events(met)) => {
                met.labels().map(|label| alphabet.declare(met.name(label), met.kind(label)).ok()).collect()
            }
            (Labels::Images(names), Words::Images(met)) => {
                Some(met.iter().map(|name| Label(names.intern(name).0)).collect())
            }
            _ => None,
        }
    }

    fn get(&mut self, r: &mut Reader<'_>, token: Token, kind: Option<Kind>) -> Step<Option<Label>> {
        let name = r.say(token);
        match (self, kind) {
            (Labels::Images(names), _) => Ok(Some(Label(names.intern(&name).0))),
            (Labels::Events(_), None) => Ok(None),
            (Labels::Events(alphabet), Some(kind)) => match alphabet.declare(&name, kind) {
                Ok(label) => Ok(Some(label)),
                Err(conflict) => {
                    let message = format!(
                        "`{name}` is an {} here, but an {} elsewhere",
                        conflict.wanted.word(),
                        conflict.was.word()
                    );
                    r.report(
                        Diagnostic::new(Code::DocKindConflict, message)
                            .at(token.span(), format!("used as an {}", conflict.wanted.word()))
                            .note("the kind of a label is that of the vertices whose edges bear it, or of the list `actions` or `observations` that names it")
                            .help("give the two events different names"),
                    )?;
                    Ok(None)
                }
            },
        }
    }
}

/// A graph as read.
pub struct Parts {
    pub graph: PGraph,
    pub names: Names,
    /// Goal vertices of a world, terminal vertices of a plan.
    pub marked: BitSet,
    pub props: Props,
}

/// Reads a p-graph; `None` if something in it was wrong, which has been reported.
pub fn graph(r: &mut Reader<'_>, role: Role, labels: Labels<'_>) -> Step<Option<Parts>> {
    let before = r.found.errors();
    let mut g = Graph {
        role,
        labels,
        builder: PGraphBuilder::new(),
        names: Names::new(),
        index: None,
        vertices: Vertices::new(role),
    };
    g.read(r)?;
    if r.found.errors() > before {
        return Ok(None);
    }
    match g.builder.build_on(r.threads) {
        Ok(graph) => {
            let mut marked = BitSet::new(graph.len());
            for v in g.vertices.marked {
                marked.insert(v.index());
            }
            Ok(Some(Parts { graph, names: g.names, marked, props: g.vertices.props }))
        }
        Err(e) => {
            // All but the size has been checked where it stands.
            r.report(
                Diagnostic::new(Code::DocValue, e.to_string()).at(span(r.at.saturating_sub(1), r.at), ""),
            )?;
            Ok(None)
        }
    }
}

struct Graph<'a> {
    role: Role,
    labels: Labels<'a>,
    builder: PGraphBuilder,
    names: Names,
    /// The vertices by name, once many of them were looked for.
    index: Option<Index>,
    /// All but their kinds, which the builder has.
    vertices: Vertices,
}

impl Graph<'_> {
    fn read(&mut self, r: &mut Reader<'_>) -> Step<()> {
        let mut fields = Fields::new(r, self.role.what(), self.role.fields());
        let mut late: [Option<usize>; 2] = [None; 2];
        let mut vertices = false;
        let found = r.expect_object(self.role.what(), |r, key| {
            match fields.take(r, key)? {
                Some("vertices") => vertices = self.vertices(r)?,
                Some("edges") if vertices => self.edges(r)?,
                Some("initial") if vertices => self.initial(r)?,
                Some("actions") => self.listed(r, Kind::Action)?,
                Some("observations") => self.listed(r, Kind::Observation)?,
                Some(early) => {
                    late[usize::from(early == "edges")] = Some(r.at);
                    r.skip()?;
                }
                None => {}
            }
            Ok(())
        })?;
        if !found {
            return Ok(());
        }
        let end = r.at;
        if vertices {
            for (i, start) in late.into_iter().enumerate() {
                let Some(start) = start else { continue };
                r.at = start;
                if i == 0 { self.initial(r)? } else { self.edges(r)? }
            }
            r.at = end;
        }
        fields.require(
            r,
            &[
                ("vertices", "it is an object of vertices, each with its name and kind"),
                ("initial", "it is the list of the vertices where executions may begin"),
                ("edges", "it is a list, empty if there are none"),
            ],
        )
    }

    /// The labels that a world lists.
    fn listed(&mut self, r: &mut Reader<'_>, kind: Kind) -> Step<()> {
        r.expect_list("a list of labels", |r| {
            if let Some(token) = r.expect_text("a label in quotes")? {
                self.labels.get(r, token, Some(kind))?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn vertices(&mut self, r: &mut Reader<'_>) -> Step<bool> {
        let found = match shares::vertices::read(r, self.role) {
            Some(Named { vertices, names, index, end }) => {
                (self.vertices, self.names, self.index) = (vertices, names, Some(index));
                r.at = end;
                true
            }
            None => self.vertices_alone(r)?,
        };
        self.builder.vertices(std::mem::take(&mut self.vertices.kinds));
        Ok(found)
    }

    fn vertices_alone(&mut self, r: &mut Reader<'_>) -> Step<bool> {
        r.expect_object("an object of vertices", |r, key| {
            let name = r.say(key);
            let (_, new) = self.names.intern(&name);
            if !new {
                r.report(
                    Diagnostic::new(Code::DocRepeated, format!("there are two vertices called `{name}`"))
                        .at(key.span(), "the second")
                        .help("give one of them another name"),
                )?;
                return r.skip();
            }
            self.vertices.vertex(r, key)
        })
    }

    fn named(&self, r: &Reader<'_>, token: Token) -> Option<Vertex> {
        match &self.index {
            Some(index) => index.get(r, token),
            None => self.names.get(&r.say(token)).map(Vertex),
        }
    }

    fn initial(&mut self, r: &mut Reader<'_>) -> Step<()> {
        r.peek();
        let start = r.at;
        let mut first: Option<(Kind, Token)> = None;
        let mut any = false;
        let found = r.expect_list("a list of vertices", |r| {
            any = true;
            let Some(token) = r.expect_text("a vertex's name in quotes")? else { return Ok(()) };
            let Some(v) = self.named(r, token) else { return self.missing(r, token) };
            let kind = self.builder.kind(v);
            match first {
                Some((other, place)) if other != kind && self.vertices.kinds_known => {
                    r.report(
                        Diagnostic::new(Code::DocInitial, "the initial vertices must all be of one kind")
                            .at(token.span(), format!("an {kind} vertex"))
                            .note_at(place.span(), format!("an {other} vertex"))
                            .help("list vertices of one kind: an observer always knows whether the next event is an action"),
                    )?;
                }
                Some(_) => {}
                None => first = Some((kind, token)),
            }
            self.builder.initial(v);
            Ok(())
        })?;
        if found && !any {
            r.report(
                Diagnostic::new(Code::DocInitial, "there is no initial vertex")
                    .at(span(start, r.at), "an empty list")
                    .help("list the vertices where executions may begin"),
            )?;
        }
        Ok(())
    }

    fn missing(&mut self, r: &mut Reader<'_>, token: Token) -> Step<()> {
        let name = r.say(token);
        let near = did_you_mean(&name, self.names.iter());
        r.report(
            Diagnostic::new(Code::DocUnknownVertex, format!("there is no vertex called `{name}`"))
                .at(token.span(), "no such vertex")
                .help(near.unwrap_or_else(|| "add it to `vertices`, or correct the name".into())),
        )
    }

    fn edges(&mut self, r: &mut Reader<'_>) -> Step<()> {
        let keys = std::mem::take(&mut self.vertices.keys);
        let index = self.index.take().unwrap_or_else(|| Index::new(r, keys));
        let (mut batch, mut lookup) = (Batch::default(), Lookup::default());
        let mut each = |graph: &mut Self, r: &mut Reader<'_>| {
            batch.read_edge(r)?;
            if batch.is_full() { graph.take(r, &mut batch, &index, &mut lookup) } else { Ok(()) }
        };
        match self.edges_together(r, &index) {
            Some(true) => {}
            Some(false) => r.items(|r| each(self, r))?,
            None => {
                r.expect_list("a list of edges", |r| each(self, r))?;
            }
        }
        self.take(r, &mut batch, &index, &mut lookup)?;
        self.index = Some(index);
        Ok(())
    }

    /// Reads a long list of edges on several threads, as far as nothing in it needs a word; `None` if it is not for them. Tells whether that was
    /// all; if not, the reader stands before the first edge that is left.
    fn edges_together(&mut self, r: &mut Reader<'_>, index: &Index) -> Option<bool> {
        if r.peek() != b'[' || !self.vertices.kinds_known || !self.vertices.bearers.is_empty() {
            return None;
        }
        // A list without edges is over at once, however much follows it.
        let first = r.text.as_bytes()[r.at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
        let mut starts = shares::edges::starts(r);
        if starts.len() < 2 || first == Some(&b']') {
            return None;
        }
        let words = match self.labels {
            Labels::Events(_) => Words::Events(Alphabet::new()),
            Labels::Images(_) => Words::Images(Names::new()),
        };
        let builder = &self.builder;
        let read = shares::edges::read(r, &starts, index, |v| builder.kind(v), &words);
        starts.push(usize::MAX);
        r.at = starts[0];
        let (mut parts, mut all) = (Vec::new(), false);
        for (share, &start) in read.into_iter().zip(&starts) {
            let Some(Share { arcs, words, end, over }) = share.filter(|_| r.at == start) else { break };
            let Some(labels) = self.labels.adopt(&words) else { break };
            parts.push((arcs, labels));
            (r.at, all) = (end, over);
            if over {
                break;
            }
        }
        let done: Result<(), ()> = together(&mut parts, |(arcs, labels)| {
            if (0..).zip(&*labels).any(|(here, there)| *there != Label(here)) {
                arcs.iter_mut().for_each(|(_, arc)| arc.label = labels[arc.label.index()]);
            }
            Ok(())
        });
        debug_assert!(done.is_ok());
        parts.into_iter().for_each(|(arcs, _)| self.builder.arcs(arcs));
        Some(all)
    }

    /// Adds the edges of a batch and empties it.
    fn take(
        &mut self,
        r: &mut Reader<'_>,
        batch: &mut Batch,
        index: &Index,
        lookup: &mut Lookup,
    ) -> Step<()> {
        index.find(r, &batch.ends, lookup);
        for (i, edge) in batch.edges.iter().enumerate() {
            let (from, to) = (batch.ends[2 * i], batch.ends[2 * i + 1]);
            let found = (lookup.found[2 * i], lookup.found[2 * i + 1]);
            let labels = &batch.labels[edge.labels.clone()];
            if let (Some(source), Some(target)) = found {
                self.edge(r, (source, from), (target, to), labels)?;
            } else {
                for (v, token) in [(found.0, from), (found.1, to)] {
                    if v.is_none() {
                        self.missing(r, token)?;
                    }
                }
            }
            if let Some(place) = edge.labels_at.filter(|_| labels.is_empty()) {
                r.report(
                    Diagnostic::new(Code::DocNoLabels, "an edge must bear at least one label")
                        .at(place, "an empty list")
                        .help("list the events that lead along it, or remove the edge"),
                )?;
            }
        }
        batch.clear();
        Ok(())
    }

    fn edge(
        &mut self,
        r: &mut Reader<'_>,
        (source, from): (Vertex, Token),
        (target, to): (Vertex, Token),
        labels: &[Token],
    ) -> Step<()> {
        let kind = self.builder.kind(source);
        if self.vertices.kinds_known && kind == self.builder.kind(target) {
            let message =
                format!("this edge leads from `{}` to `{}`, both {kind} vertices", r.say(from), r.say(to));
            r.report(
                Diagnostic::new(Code::DocAlternation, message)
                    .at(to.span(), format!("expected an {} vertex", kind.other()))
                    .help("actions lead from action vertices to observation vertices, and observations lead back"),
            )?;
            return Ok(());
        }
        for &token in labels {
            if let Some(label) = self.labels.get(r, token, self.vertices.kinds_known.then_some(kind))? {
                self.builder.arc(source, label, target);
            }
        }
        self.note_bearer(r, source)
    }

    /// An edge leaves `source`: it must not be called terminal in a graph that has no terminal vertices.
    fn note_bearer(&mut self, r: &mut Reader<'_>, source: Vertex) -> Step<()> {
        if self.vertices.bearers.is_empty() {
            return Ok(());
        }
        let Some(key) = self.vertices.bearers.remove(&source) else { return Ok(()) };
        r.report(
            Diagnostic::new(
                Code::DocMark,
                format!("`{}` is marked terminal, but edges lead out of it", self.names.name(source.0)),
            )
            .at(key.span(), "")
            .note("the graph of an observer has no terminal vertices: every edge counts")
            .help("remove the edges or the field"),
        )
    }
}
