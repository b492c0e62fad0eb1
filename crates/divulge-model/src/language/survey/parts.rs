//! What a model consists of, for an outline.

use super::super::ast::{Clause, Item, Name, Observer, Rule, World, WorldBody};
use crate::diagnostic::{SourceId, Span};

/// What a part of a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// A `const` or `let`.
    Constant,
    /// A `type`.
    Type,
    /// A `def`.
    Definition,
    /// The world.
    World,
    /// A variable of the world.
    Variable,
    /// An action of the world.
    Action,
    /// What is observed.
    Observe,
    /// Where the world starts.
    Start,
    /// The goal.
    Goal,
    /// A graph with a name.
    Graph,
    /// A plan.
    Plan,
    /// An observer.
    Observer,
    /// A stipulation.
    Stipulation,
}

/// A part of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub region: Region,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its name or, without one, the word that it begins with.
    pub head: Span,
    /// All of it.
    pub span: Span,
    /// Of an observer: whether it says what events look like.
    pub sees: bool,
    /// Its own parts.
    pub parts: Vec<Part>,
}

/// The parts of the text `root`.
pub(super) fn parts(items: &[Item], root: SourceId, mut regions: Vec<Span>) -> Vec<Part> {
    regions.retain(|region| region.source == root);
    regions.sort_unstable();
    let finder = Finder { root, regions };
    items.iter().filter_map(|item| finder.item(item)).collect()
}

struct Finder {
    root: SourceId,
    regions: Vec<Span>,
}

impl Finder {
    /// The smallest item around a place.
    fn around(&self, head: Span) -> Span {
        let after = self.regions.partition_point(|region| region.start <= head.start);
        let holds = |region: &&Span| region.end >= head.end;
        self.regions[..after].iter().rev().find(holds).copied().unwrap_or(head)
    }

    fn part(&self, region: Region, name: Option<&Name>, head: Span) -> Option<Part> {
        if head.source != self.root {
            return None;
        }
        let name = name.map(|name| name.text.clone());
        Some(Part { region, name, head, span: self.around(head), sees: false, parts: Vec::new() })
    }

    fn named(&self, region: Region, name: &Name) -> Option<Part> {
        self.part(region, Some(name), name.span)
    }

    fn item(&self, item: &Item) -> Option<Part> {
        match item {
            Item::Const(binding) | Item::Let(binding) => self.named(Region::Constant, &binding.name),
            Item::Type(name, _) => self.named(Region::Type, name),
            Item::Def(def) => self.named(Region::Definition, &def.name),
            Item::Graph(name, _) => self.named(Region::Graph, name),
            Item::World(world) => self.world(world),
            Item::Plan(plan) => {
                let head = plan.name.as_ref().map_or(plan.span, |name| name.span);
                self.part(Region::Plan, plan.name.as_ref(), head)
            }
            Item::Observer(observer) => self.observer(observer),
            Item::Title(_) | Item::Include(_) | Item::Cost(..) | Item::Use(..) => None,
        }
    }

    fn world(&self, world: &World) -> Option<Part> {
        let mut part = self.part(Region::World, None, world.span)?;
        if let WorldBody::Rules(rules) = &world.body {
            part.parts = rules.iter().filter_map(|rule| self.rule(rule)).collect();
        }
        Some(part)
    }

    fn rule(&self, rule: &Rule) -> Option<Part> {
        match rule {
            Rule::Variable { name, .. } => self.named(Region::Variable, name),
            Rule::Action { name, .. } => self.named(Region::Action, name),
            Rule::Observe(lines) => {
                let first = lines.first()?.span;
                // The line itself is an item; the block around it is meant.
                let around = self
                    .regions
                    .iter()
                    .rev()
                    .find(|region| region.start < first.start && region.end >= first.end)?;
                self.part(Region::Observe, None, Span { end: around.start + "observe".len(), ..*around })
            }
            Rule::Start { span, .. } => self.part(Region::Start, None, *span),
            Rule::Goal { condition, .. } => self.part(Region::Goal, None, self.around(condition.span)),
            Rule::Picture { .. } => None,
        }
    }

    fn observer(&self, observer: &Observer) -> Option<Part> {
        let head = observer.name.as_ref().map_or(observer.span, |name| name.span);
        let mut part = self.part(Region::Observer, observer.name.as_ref(), head)?;
        part.sees = observer
            .clauses
            .iter()
            .any(|clause| matches!(clause, Clause::Sees(..) | Clause::Others(..) | Clause::SeesFrom(_)));
        part.parts = observer
            .clauses
            .iter()
            .filter_map(|clause| match clause {
                Clause::Stipulate(stipulation) => self.named(Region::Stipulation, &stipulation.name),
                _ => None,
            })
            .collect();
        Some(part)
    }
}
