//! Observers: maps, constraints, knowledge, filters and stipulations.

use super::super::ast::{self, Clause, GraphRef, Name};
use super::super::check::Env;
use super::super::formula::Derived;
use super::super::model::twice;
use super::super::scope::{Checked, Scope};
use super::drawn::{LabelSource, Purpose, draw};
use super::labels::Labels;
use super::{Alphabetical, Plans};
use crate::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use divulge::formula::{Formula, FormulaError, resolve};
use divulge::problem::{
    Filter, FilterGraph, Kind, Knows, Label, LabelMap, MapConstraints, NamedGraph, Names, Observer,
    Stipulation, World,
};

/// Deeper formulas could not be read back from a document.
const MAX_FORMULA_DEPTH: usize = 200;

/// What an observer needs of the model around it.
pub(super) struct Around<'a> {
    pub labels: &'a Labels,
    pub plans: &'a Plans,
    /// The world, unless it is wrong.
    pub world: Option<&'a World>,
    /// The kind of the world's initial vertices.
    pub start: Kind,
}

/// An observer with the places of its stipulations and of its map.
pub(super) struct Compiled {
    pub observer: Observer,
    pub stipulation_spans: Vec<Span>,
    pub map_span: Option<Span>,
    /// In the order of the labels.
    pub image_spans: Vec<Option<Span>>,
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

struct Builder<'a> {
    around: &'a Around<'a>,
    images: Vec<Option<Name>>,
    image_spans: Vec<Option<Span>>,
    others: Option<(Option<Name>, Span)>,
    map_span: Option<Span>,
    constraints: MapConstraints,
    constraint_span: Option<Span>,
    /// The least and the largest number of images, with their places.
    image_bounds: [Option<(usize, Span)>; 2],
    filter: Option<(Filter, Span)>,
    knows: Option<(Knows, Span)>,
    stipulations: Vec<Stipulation>,
    stipulation_spans: Vec<Span>,
    derived: &'a mut Derived,
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
            Clause::Sees(listed, image) => {
                for name in &labels.named(listed, scope)? {
                    let _ = self.image(name, image, scope);
                }
            }
            Clause::Others(image, span) => {
                if let Some((_, first)) = self.others {
                    return scope.fail(twice(
                        "this is a second `others`".to_owned(),
                        *span,
                        first,
                        "keep one of them",
                    ));
                }
                self.map_span.get_or_insert(*span);
                self.others = Some((image.clone(), *span));
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

    fn natural(&self, n: i64, span: Span, scope: &mut Scope) -> Checked<u64> {
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
            .note("the observer always knows whether an event is an action or an observation, so this has no effect")
            .help("list actions with actions, and observations with observations"),
        )
    }

    fn image(&mut self, name: &Name, image: &Name, scope: &mut Scope) -> Checked<()> {
        self.map_span.get_or_insert(name.span);
        let label = self.around.labels.find(name, None, scope)?;
        if let Some(first) = &self.images[label.index()] {
            let message = format!("`{}` is already seen as `{}`", name.text, first.text);
            let first = first.span;
            return scope.fail(twice(message, name.span, first, "a label has one image: remove one of them"));
        }
        self.images[label.index()] = Some(Name { text: image.text.clone(), span: name.span });
        self.image_spans[label.index()] = Some(image.span);
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

    fn stipulation(&mut self, ast: &ast::Stipulation, scope: &mut Scope) -> Checked<()> {
        if let Some(i) = self.stipulations.iter().position(|s| s.name == ast.name.text) {
            let message = format!("the stipulation `{}` is defined twice", ast.name.text);
            let first = self.stipulation_spans[i];
            return scope.fail(twice(message, ast.name.span, first, "rename one of them"));
        }
        let formula = match &ast.formula.kind {
            ast::ExprKind::Text(text) => self.quoted(text, ast.formula.span, scope)?,
            _ => scope.formula(&ast.formula, Env::VERTEX, self.derived)?,
        };
        if super::super::formula::depth(&formula) > MAX_FORMULA_DEPTH {
            return scope.fail(
                Diagnostic::new(
                    Code::TooDeep,
                    "the formula is nested too deeply once definitions are expanded",
                )
                .at(ast.formula.span, "")
                .help("simplify the definitions that are used here"),
            );
        }
        self.stipulations.push(Stipulation { name: ast.name.text.clone(), scope: ast.scope, formula });
        self.stipulation_spans.push(ast.name.span);
        Ok(())
    }

    /// A formula in quotes is one of a problem document's, and means what it means there.
    fn quoted(&self, text: &str, span: Span, scope: &mut Scope) -> Checked<Formula> {
        let wrong = |code, e: FormulaError| {
            let message = format!("the formula in quotes: {}", e.message);
            Diagnostic::new(code, message).at(span, "").help_opt(e.help)
        };
        let formula = match text.parse::<Formula>() {
            Ok(formula) => formula,
            Err(e) => return scope.fail(wrong(Code::DocFormula, e)),
        };
        match self.around.world.map(|world| resolve::check(world, &formula)) {
            Some(Err(e)) => scope.fail(wrong(Code::DocFormulaWorld, e)),
            _ => Ok(formula),
        }
    }

    fn finish(self, ast: &ast::Observer, scope: &mut Scope) -> Checked<Compiled> {
        let at = ast.name.as_ref().map_or(ast.span, |n| n.span);
        let Some((knows, _)) = self.knows else {
            let said = ast.clauses.iter().any(|c| matches!(c, Clause::Knows(..)));
            if said {
                return Err(super::super::scope::Failed);
            }
            return scope.fail(
                Diagnostic::new(Code::MissingKnows, "this observer has no `knows`")
                    .at(at, "")
                    .help("say what it knows of the plan: `knows plan`, `knows plans [...]`, `knows goal-directed`, `knows world` or `knows graph`"),
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
            let missing = alphabet.labels().find(|l| self.images[l.index()].is_none());
            if let (Some(label), None) = (missing, &self.others) {
                let name = alphabet.name(label);
                scope.diagnostics.push(
                    Diagnostic::new(
                        Code::MapMissesLabel,
                        format!("`sees` does not mention `{name}`"),
                    )
                    .at(span, "")
                    .note(format!(
                        "the observer is taken to see `{name}`, and any other label not mentioned, as itself"
                    ))
                    .help("if that is what you mean, add `others as themselves`"),
                );
            }
            let others = self.others.as_ref().and_then(|(image, _)| image.as_ref());
            map = Some(LabelMap::from_fn(alphabet, |label| {
                let image = self.images[label.index()].as_ref().or(others);
                image.map_or_else(|| alphabet.name(label).to_owned(), |image| image.text.clone())
            }));
        }
        let observer = Observer {
            name: ast.name.as_ref().map(|n| n.text.clone()),
            map,
            constraints: self.constraints,
            filter: self.filter.map_or(Filter::Strongest, |(filter, _)| filter),
            knows,
            stipulations: self.stipulations,
        };
        let others = self.others.and_then(|(image, _)| image).map(|image| image.span);
        Ok(Compiled {
            observer,
            stipulation_spans: self.stipulation_spans,
            map_span: self.map_span,
            image_spans: self.image_spans.into_iter().map(|span| span.or(others)).collect(),
        })
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
                finding.help(advice.unwrap_or_else(|| format!("draw it: `graph {} {{ ... }}`", name.text))),
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
