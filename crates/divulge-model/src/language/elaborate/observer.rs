//! Observers: maps, constraints, knowledge, filters and stipulations.

use super::super::ast::{self, Clause, GraphRef, Look, Name};
use super::super::formula::Derived;
use super::super::model::twice;
use super::super::scope::{Checked, Scope};
use super::drawn::{LabelSource, Purpose, draw};
use super::labels::Labels;
use super::{Alphabetical, Plans};
use crate::diagnostic::{Code, Diagnostic, Fix, Span, did_you_mean};
use crate::fault;
use crate::lint::ObserverPlaces;
use divulge::problem::{
    Filter, FilterGraph, Kind, Knows, Label, LabelMap, MapConstraints, NamedGraph, Names, Observer,
    Stipulation, World,
};

/// What an observer needs of the model around it.
pub(super) struct Around<'a> {
    pub labels: &'a Labels,
    pub plans: &'a Plans,
    /// The world, unless it is wrong.
    pub world: Option<&'a World>,
    /// The kind of the world's initial vertices.
    pub start: Kind,
}

/// An observer with the places of its parts.
pub(super) struct Compiled {
    pub observer: Observer,
    pub places: ObserverPlaces,
}

/// Compiles an observer; the properties that its stipulations need are added to `derived`.
pub(super) fn compile(
    ast: &ast::Observer,
    around: &Around,
    derived: &mut Derived,
    scope: &mut Scope,
) -> Checked<Compiled> {
    let mut builder = Builder {
        around,
        images: vec![None; around.labels.alphabet.len()],
        image_spans: vec![None; around.labels.alphabet.len()],
        others: None,
        map_span: None,
        constraints: MapConstraints::default(),
        constraint_span: None,
        image_bounds: [None; 2],
        unseen: Vec::new(),
        filter: None,
        knows: None,
        stipulations: Vec::new(),
        stipulation_spans: Vec::new(),
        derived,
    };
    let before = scope.diagnostics.errors();
    for clause in &ast.clauses {
        // The finding is recorded; the other clauses are looked at all the same.
        let _ = builder.clause(clause, scope);
    }
    let finished = builder.finish(ast, scope);
    if scope.diagnostics.errors() > before { Err(super::super::scope::Failed) } else { finished }
}

pub(super) struct Builder<'a> {
    pub(super) around: &'a Around<'a>,
    images: Vec<Option<Seen>>,
    image_spans: Vec<Option<Span>>,
    others: Option<(Option<Look>, Span)>,
    map_span: Option<Span>,
    constraints: MapConstraints,
    constraint_span: Option<Span>,
    /// The least and the largest number of images, with their places.
    image_bounds: [Option<(usize, Span)>; 2],
    /// The labels that are to be unseen, with the places that say so.
    unseen: Vec<(Label, Span)>,
    filter: Option<(Filter, Span)>,
    knows: Option<(Knows, Span)>,
    pub(super) stipulations: Vec<Stipulation>,
    pub(super) stipulation_spans: Vec<Span>,
    pub(super) derived: &'a mut Derived,
}

impl Builder<'_> {
    fn clause(&mut self, clause: &Clause, scope: &mut Scope) -> Checked<()> {
        let labels = self.around.labels;
        match clause {
            Clause::Knows(knows, span) => {
                if let Some((_, first)) = self.knows {
                    return scope.fail(twice(
                        "this is a second `knows`".to_owned(),
                        *span,
                        first,
                        "keep one of them",
                    ));
                }
                self.knows = Some((self.knowledge(knows, scope)?, *span));
            }
            Clause::Filter(filter, span) => {
                if let Some((_, first)) = self.filter {
                    return scope.fail(twice(
                        "this is a second `filter`".to_owned(),
                        *span,
                        first,
                        "keep one of them",
                    ));
                }
                self.filter = Some((self.memory(filter, scope)?, *span));
            }
            Clause::Sees(listed, look) => {
                for name in &labels.named(listed, scope)? {
                    let look = match look {
                        Look::Themselves(_) => &Look::As(name.clone()),
                        look => look,
                    };
                    let _ = self.look(name, look, scope);
                }
            }
            Clause::SeesFrom(file) => self.sees_from(file, scope)?,
            Clause::Others(look, span) => {
                if let Some((_, first)) = self.others {
                    return scope.fail(twice(
                        "this is a second `others`".to_owned(),
                        *span,
                        first,
                        "keep one of them",
                    ));
                }
                self.map_span.get_or_insert(*span);
                self.others = Some((look.clone(), *span));
            }
            Clause::Merge(listed) => {
                let names = &self.constrained(listed, scope)?;
                let group = labels.find_all(names, None, scope)?;
                self.group(&group, names, scope)?;
                self.constraints.merge.push(group);
            }
            Clause::Separate(listed) => {
                let names = &self.constrained(listed, scope)?;
                let group = labels.find_all(names, None, scope)?;
                self.group(&group, names, scope)?;
                self.constraints.separate.push(group);
            }
            Clause::Fixed(listed, image) => {
                let names = &self.constrained(listed, scope)?;
                for label in labels.find_all(names, None, scope)? {
                    self.constraints.fixed.push((label, image.text.clone()));
                }
            }
            Clause::Unseen(listed) => {
                let names = &self.constrained(listed, scope)?;
                for (label, name) in labels.find_all(names, None, scope)?.into_iter().zip(names) {
                    if let Some((_, first)) = self.unseen.iter().find(|(l, _)| *l == label) {
                        let message = format!("`{}` is said to be unseen twice", name.text);
                        return scope.fail(twice(message, name.span, *first, "list each label once"));
                    }
                    self.unseen.push((label, name.span));
                }
            }
            Clause::MaxImages(count) => {
                self.constraints.max_images = Some(self.images(count, 1, scope)?);
            }
            Clause::MinImages(count) => {
                self.constraints.min_images = Some(self.images(count, 0, scope)?);
            }
            Clause::MergeCost(listed, cost) => {
                let names = &self.constrained(listed, scope)?;
                let group = labels.find_all(names, None, scope)?;
                self.group(&group, names, scope)?;
                let n = scope.constant_int(cost, "the cost")?;
                let n = self.natural(n, cost.span, scope)?;
                for (i, &a) in group.iter().enumerate() {
                    self.constraints.merge_cost.extend(group[i + 1..].iter().map(|&b| (a, b, n)));
                }
            }
            Clause::Stipulate(stipulation) => self.stipulation(stipulation, scope)?,
        }
        Ok(())
    }

    /// The labels that a constraint is about.
    fn constrained(&mut self, listed: &[ast::Labels], scope: &mut Scope) -> Checked<Vec<Name>> {
        let names = self.around.labels.named(listed, scope)?;
        if let Some(first) = names.first() {
            self.constraint_span.get_or_insert(first.span);
        }
        Ok(names)
    }

    /// The number of images in `min images` or `max images`, the first or the second of the two bounds.
    fn images(&mut self, count: &ast::Expr, bound: usize, scope: &mut Scope) -> Checked<usize> {
        self.constraint_span.get_or_insert(count.span);
        if let Some((_, first)) = self.image_bounds[bound] {
            let message = format!("this is a second `{} images`", ["min", "max"][bound]);
            return scope.fail(twice(message, count.span, first, "keep one of them"));
        }
        let n = scope.constant_int(count, "the number of images")?;
        let n = self.natural(n, count.span, scope)? as usize;
        self.image_bounds[bound] = Some((n, count.span));
        if let [Some((least, at)), Some((most, allowed))] = self.image_bounds
            && least > most
        {
            return scope.fail(
                Diagnostic::new(
                    Code::ImageBounds,
                    format!("no map has at least {least} and at most {most} images"),
                )
                .at(at, format!("at least {least}"))
                .note_at(allowed, format!("at most {most}"))
                .help("lower the one or raise the other"),
            );
        }
        Ok(n)
    }

    pub(super) fn natural(&self, n: i64, span: Span, scope: &mut Scope) -> Checked<u64> {
        match u64::try_from(n) {
            Ok(n) => Ok(n),
            Err(_) => {
                let finding = Diagnostic::new(Code::BadCount, format!("{n} is negative")).at(span, "");
                scope.fail(finding.help("give a number from 0 up"))
            }
        }
    }

    /// Labels that are merged, separated or priced: at least two, all different, all of one kind.
    fn group(&self, group: &[Label], names: &[Name], scope: &mut Scope) -> Checked<()> {
        let repeated = (0..group.len()).find(|&i| group[..i].contains(&group[i]));
        if let Some(i) = repeated {
            let finding = Diagnostic::new(Code::BadGroup, format!("`{}` is listed twice", names[i].text));
            return scope.fail(finding.at(names[i].span, "").help("list each label once"));
        }
        if group.len() < 2 {
            let finding = Diagnostic::new(Code::BadGroup, "this needs at least two labels");
            return scope
                .fail(finding.at(names[0].span, "").help("list the labels with commas between them"));
        }
        let kind = |i: usize| self.around.labels.alphabet.kind(group[i]);
        let Some(other) = (1..group.len()).find(|&i| kind(i) != kind(0)) else { return Ok(()) };
        scope.fail(
            Diagnostic::new(
                Code::DocGroup,
                format!(
                    "`{}` is an {}, but `{}` is an {}",
                    names[0].text,
                    kind(0),
                    names[other].text,
                    kind(other)
                ),
            )
            .at(names[other].span, format!("an {}", kind(other)))
            .note_at(names[0].span, format!("`{}` is an {}", names[0].text, kind(0)))
            .note("a map that is sought never makes an action look like an observation")
            .help("list actions with actions, and observations with observations"),
        )
    }

    pub(super) fn look(&mut self, name: &Name, look: &Look, scope: &mut Scope) -> Checked<()> {
        self.map_span.get_or_insert(name.span);
        let label = self.around.labels.find(name, None, scope)?;
        if let Some(first) = &self.images[label.index()] {
            let message = match &first.image {
                Some(image) => format!("`{}` is already seen as `{image}`", name.text),
                None => format!("`{}` is already said to be not seen at all", name.text),
            };
            return scope.fail(twice(
                message,
                name.span,
                first.span,
                "a label looks one way: remove one of them",
            ));
        }
        self.images[label.index()] = Some(Seen { image: image_of(look).map(str::to_owned), span: name.span });
        self.image_spans[label.index()] = Some(place_of(look));
        Ok(())
    }

    fn knowledge(&mut self, knows: &ast::Knows, scope: &mut Scope) -> Checked<Knows> {
        Ok(match knows {
            ast::Knows::Plan => Knows::Plan,
            ast::Knows::GoalDirected => Knows::GoalDirected,
            ast::Knows::World => Knows::World,
            ast::Knows::Plans(names) => {
                let plans: Vec<_> =
                    names.iter().map(|name| self.around.plans.find(name, scope).cloned()).collect();
                Knows::Plans(plans.into_iter().collect::<Checked<_>>()?)
            }
            ast::Knows::Graph(graph) => {
                let graph = graph_of(graph, scope)?;
                let mut source = Alphabetical(self.around.labels);
                let drawn = draw(graph, Purpose::Divulged, self.around.start, &mut source, scope)?;
                Knows::Graph(NamedGraph { graph: drawn.graph, names: drawn.names })
            }
        })
    }

    fn memory(&mut self, filter: &ast::Filter, scope: &mut Scope) -> Checked<Filter> {
        Ok(match filter {
            ast::Filter::Strongest => Filter::Strongest,
            ast::Filter::Image => Filter::Image,
            ast::Filter::Graph(graph) => {
                let graph = graph_of(graph, scope)?;
                let mut images = Images::default();
                let drawn = draw(graph, Purpose::Filter, self.around.start, &mut images, scope)?;
                let graph = NamedGraph { graph: drawn.graph, names: drawn.names };
                Filter::Graph(Box::new(FilterGraph { graph, images: images.names }))
            }
        })
    }

    fn finish(self, ast: &ast::Observer, scope: &mut Scope) -> Checked<Compiled> {
        let at = ast.name.as_ref().map_or(ast.span, |n| n.span);
        let Some((knows, _)) = self.knows else {
            let said = ast.clauses.iter().any(|c| matches!(c, Clause::Knows(..)));
            if said {
                return Err(super::super::scope::Failed);
            }
            let text = &scope.diagnostics.source(ast.open.source).text;
            let alone = text[ast.open.end..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
            let add = |what: &str| {
                let text = if alone { format!("\n  knows {what}") } else { format!(" knows {what};") };
                Fix::insert_after(format!("add `knows {what}`"), ast.open, text)
            };
            return scope.fail(
                Diagnostic::new(Code::MissingKnows, "this observer has no `knows`")
                    .at(at, "")
                    .help("say what it knows of the plan: `knows plan`, `knows plans [...]`, `knows goal-directed`, `knows world` or `knows graph`")
                    .fix(add("plan"))
                    .fix(add("goal-directed"))
                    .fix(add("world")),
            );
        };
        let mut map = None;
        if let Some(span) = self.map_span {
            if let Some(constraint) = self.constraint_span {
                return scope.fail(
                    Diagnostic::new(
                        Code::MapAndConstraints,
                        "the map is given, so there is nothing to constrain",
                    )
                    .at(constraint, "constraints only apply to a map that is sought")
                    .note_at(span, "the map is given here")
                    .help("keep either `sees` or the constraints"),
                );
            }
            let alphabet = &self.around.labels.alphabet;
            let hidden = |label: Label| self.around.labels.hidden.get(label.index()) == Some(&true);
            let missing = alphabet.labels().find(|&l| self.images[l.index()].is_none() && !hidden(l));
            if let (Some(label), None) = (missing, &self.others) {
                let name = alphabet.name(label);
                let last = ast.clauses.iter().rev().find_map(|clause| match clause {
                    Clause::Sees(_, Look::As(name)) => Some(name.span),
                    Clause::Sees(_, Look::Themselves(span) | Look::Unseen(span)) => Some(*span),
                    _ => None,
                });
                let title = "add `others as themselves`";
                let mut finding = Diagnostic::new(
                    Code::MapMissesLabel,
                    format!("`sees` does not mention `{name}`"),
                )
                .at(span, "")
                .note(format!(
                    "the observer is taken to see `{name}`, and any other label not mentioned, as itself"
                ))
                .help("if that is what you mean, add `others as themselves`");
                if let Some(last) = last {
                    finding = finding.fix(Fix::insert_after(title, last, "; others as themselves"));
                }
                scope.diagnostics.push(finding);
            }
            let others = self.others.as_ref().and_then(|(look, _)| look.as_ref());
            map = Some(LabelMap::seen_from_fn(alphabet, |label| match &self.images[label.index()] {
                Some(seen) => seen.image.as_deref(),
                None if hidden(label) => None,
                None => others.map_or(Some(alphabet.name(label)), image_of),
            }));
        }
        let mut constraints = self.constraints;
        constraints.unseen = self.unseen.iter().map(|(label, _)| *label).collect();
        constraints.unseen.sort_unstable();
        for &(label, span) in &self.unseen {
            if let Some(finding) = fault::of_unseen(&constraints, label, &self.around.labels.alphabet) {
                return scope.fail(finding.at(span, "unseen"));
            }
        }
        let filter_span = self.filter.as_ref().map(|(_, span)| *span);
        let observer = Observer {
            name: ast.name.as_ref().map(|n| n.text.clone()),
            map,
            constraints,
            filter: self.filter.map_or(Filter::Strongest, |(filter, _)| filter),
            knows,
            stipulations: self.stipulations,
        };
        if let Some(finding) = fault::of_filter(&observer) {
            return scope.fail(finding.at(filter_span.unwrap_or(at), "this filter"));
        }
        let others = self.others.and_then(|(look, _)| look).map(|look| place_of(&look));
        let places = ObserverPlaces {
            map: self.map_span,
            images: self.image_spans.into_iter().map(|span| span.or(others)).collect(),
            stipulations: self.stipulation_spans,
        };
        Ok(Compiled { observer, places })
    }
}

/// What a label looks like, nothing if it is unseen, and the place that says so.
#[derive(Clone)]
struct Seen {
    image: Option<String>,
    span: Span,
}

fn image_of(look: &Look) -> Option<&str> {
    match look {
        Look::As(image) => Some(&image.text),
        Look::Themselves(_) | Look::Unseen(_) => None,
    }
}

fn place_of(look: &Look) -> Span {
    match look {
        Look::As(image) => image.span,
        Look::Themselves(span) | Look::Unseen(span) => *span,
    }
}

fn graph_of<'g, 'm: 'g>(graph: &'g GraphRef, scope: &mut Scope<'m>) -> Checked<&'g ast::Graph> {
    match graph {
        GraphRef::Drawn(graph) => Ok(graph),
        GraphRef::Named(name) => {
            let model = scope.model;
            if let Some((_, graph)) = model.graphs.iter().find(|(n, _)| n.text == name.text) {
                scope.used.insert(format!("graph {}", name.text));
                return Ok(graph);
            }
            let advice = did_you_mean(&name.text, model.graphs.iter().map(|(n, _)| n.text.as_str()));
            let message = format!("no graph is called `{}`", name.text);
            let finding = Diagnostic::new(Code::UnknownReference, message).at(name.span, "");
            scope.fail(
                finding.help(
                    advice.unwrap_or_else(|| format!("draw it: `graph {} {{ ... }}`", name.text).into()),
                ),
            )
        }
    }
}

/// The labels of a filter are images, which may be anything.
#[derive(Default)]
struct Images {
    names: Names,
}

impl LabelSource for Images {
    fn kind(&self, _name: &str) -> Option<Kind> {
        None
    }

    fn label(&mut self, name: &Name, _kind: Kind, _scope: &mut Scope) -> Checked<Label> {
        Ok(Label(self.names.intern(&name.text).0))
    }
}
