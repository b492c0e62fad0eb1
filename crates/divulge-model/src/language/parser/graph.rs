//! Graphs drawn by hand: `{ u0: start; u0 -a-> y0 -o-> u1; u1: goal }`.

use super::super::ast::{Attribute, Graph, GraphItem};
use super::super::format::Mark;
use super::super::lexer::Kind;
use super::{Parsed, Parser};
use divulge::problem::Kind as VertexKind;

impl Parser<'_> {
    pub(super) fn graph(&mut self) -> Parsed<Graph> {
        let span = self.peek().span;
        let mut items = Vec::new();
        self.block(|p| {
            items.push(p.graph_item()?);
            Ok(())
        })?;
        Ok(Graph { span, items })
    }

    fn graph_item(&mut self) -> Parsed<GraphItem> {
        let token = self.peek();
        let next = self.peek_nth(1);
        // `actions a, b` declares labels; `actions: start` would be a vertex of that name.
        if matches!(next.kind, Kind::Word | Kind::Text) {
            let kind = match self.word_at(token) {
                "actions" => Some(VertexKind::Action),
                "observations" => Some(VertexKind::Observation),
                _ => None,
            };
            if let Some(kind) = kind {
                self.take();
                return Ok(GraphItem::Labels(kind, self.labels()?));
            }
        }
        let mut names = self.list(",", |p| p.name("a vertex"))?;
        if self.accept(":") {
            return Ok(GraphItem::Vertices(names, self.list(",", |p| p.attribute())?));
        }
        if names.len() > 1 || !self.is("-") {
            return self.unexpected("`:` and what the vertex is, or an edge such as `-a->`");
        }
        let mut edges = Vec::new();
        while self.is("-") {
            self.mark(Mark::Prefix);
            self.take();
            let labels = self.labels()?;
            self.mark(Mark::Arrow);
            self.expect("->")?;
            edges.push((labels, self.name("a vertex")?));
        }
        match names.pop() {
            Some(first) => Ok(GraphItem::Edges(first, edges)),
            None => self.unexpected("a vertex"),
        }
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let token = self.peek();
        let attribute = match self.word_at(token) {
            "action" => Attribute::Kind(VertexKind::Action, token.span),
            "observation" => Attribute::Kind(VertexKind::Observation, token.span),
            "start" => Attribute::Start,
            "goal" => Attribute::Goal(token.span),
            "terminal" => Attribute::Terminal(token.span),
            _ if token.kind == Kind::Text => {
                let name = self.text_in_quotes("a property")?;
                let value = if self.accept("=") { Some(self.expression()?) } else { None };
                return Ok(Attribute::Quoted(name, value));
            }
            _ => {
                let name =
                    self.new_name("`action`, `observation`, `start`, `goal`, `terminal` or a property")?;
                let value = if self.accept("=") { Some(self.expression()?) } else { None };
                return Ok(Attribute::Prop(name, value));
            }
        };
        self.take();
        Ok(attribute)
    }
}
