//! `observer { … }`: what it knows, sees and remembers, and what is stipulated of it.

use super::super::ast::{Clause, Expr, Filter, GraphRef, Knows, Observer, Stipulation};
use super::super::format::Mark;
use super::super::lexer::Kind;
use super::{Name, Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic};
use divulge::problem::Scope;

impl<'t> Parser<'t> {
    pub(super) fn observer(&mut self) -> Parsed<Observer> {
        let span = self.take().span;
        let name = if self.is("{") { None } else { Some(self.name("a name for the observer, or `{`")?) };
        let mut clauses = Vec::new();
        self.block(|p| p.clause(&mut clauses))?;
        Ok(Observer { name, span, clauses })
    }

    fn clause(&mut self, clauses: &mut Vec<Clause>) -> Parsed<()> {
        const WORDS: [&str; 9] =
            ["knows", "filter", "sees", "stipulate", "merge", "separate", "fixed", "max", "min"];
        let token = self.peek();
        let clause = match self.word_at(token) {
            "knows" => {
                self.take();
                let knows = self.knowledge()?;
                Clause::Knows(knows, token.span.to(self.last))
            }
            "filter" => {
                self.take();
                let filter = self.filter()?;
                Clause::Filter(filter, token.span.to(self.last))
            }
            "sees" => return self.sees(clauses),
            "stipulate" => Clause::Stipulate(self.stipulation()?),
            "merge" if self.word_at_nth(1) == "cost" => {
                self.take();
                self.take();
                let labels = self.label_sets()?;
                self.expect("=")?;
                Clause::MergeCost(labels, self.expression()?)
            }
            "merge" => {
                self.take();
                Clause::Merge(self.label_sets()?)
            }
            "separate" => {
                self.take();
                Clause::Separate(self.label_sets()?)
            }
            "fixed" => {
                self.take();
                let labels = self.label_sets()?;
                self.expect_word("as")?;
                Clause::Fixed(labels, self.name("an image")?)
            }
            "max" => Clause::MaxImages(self.images()?),
            "min" => Clause::MinImages(self.images()?),
            _ => return self.unknown_item("in an observer", &WORDS),
        };
        clauses.push(clause);
        Ok(())
    }

    /// `max images 5`: the number.
    fn images(&mut self) -> Parsed<Expr> {
        self.take();
        self.expect_word("images")?;
        if self.peek().first { self.unexpected("a number of images") } else { self.expression() }
    }

    fn word_at_nth(&mut self, n: usize) -> &'t str {
        let token = self.peek_nth(n);
        self.word_at(token)
    }

    fn knowledge(&mut self) -> Parsed<Knows> {
        let token = self.peek();
        match self.word_at(token) {
            "plan" => self.take(),
            "world" => {
                self.take();
                return Ok(Knows::World);
            }
            "goal" => {
                self.take();
                self.mark(Mark::Join);
                self.expect("-")?;
                self.expect_word("directed")?;
                return Ok(Knows::GoalDirected);
            }
            "plans" => {
                self.take();
                let open = self.expect("[")?.span;
                let names = self.list(",", |p| p.name("the name of a plan"))?;
                self.close("]", open)?;
                return Ok(Knows::Plans(names));
            }
            "graph" => {
                self.take();
                return Ok(Knows::Graph(self.graph_ref()?));
            }
            _ => return self.unexpected("`plan`, `plans [...]`, `goal-directed`, `world` or `graph`"),
        };
        Ok(Knows::Plan)
    }

    fn filter(&mut self) -> Parsed<Filter> {
        let token = self.peek();
        let filter = match self.word_at(token) {
            "strongest" => Filter::Strongest,
            "image" => Filter::Image,
            "graph" => {
                self.take();
                return Ok(Filter::Graph(self.graph_ref()?));
            }
            _ => return self.unexpected("`strongest`, `image` or `graph`"),
        };
        self.take();
        Ok(filter)
    }

    fn graph_ref(&mut self) -> Parsed<GraphRef> {
        if self.is("{") {
            return Ok(GraphRef::Drawn(self.graph()?));
        }
        Ok(GraphRef::Named(self.name("the name of a graph, or `{`")?))
    }

    /// `sees a, b as x; c as y; others as themselves`: a part goes on after `;` where no other clause begins.
    fn sees(&mut self, clauses: &mut Vec<Clause>) -> Parsed<()> {
        self.take();
        loop {
            clauses.push(self.appearance()?);
            if !self.is(";") {
                return Ok(());
            }
            let next = self.peek_nth(1);
            let after = self.peek_nth(2);
            let goes_on = match next.kind {
                Kind::Text | Kind::Sign("(") => true,
                Kind::Word => matches!(after.kind, Kind::Sign("," | "=")) || self.word_at(after) == "as",
                _ => false,
            };
            if !goes_on {
                return Ok(());
            }
            self.take();
        }
    }

    fn appearance(&mut self) -> Parsed<Clause> {
        let token = self.peek();
        if self.accept_word("others") {
            self.expect_word("as")?;
            if self.accept_word("themselves") {
                return Ok(Clause::Others(None, token.span));
            }
            let image = self.name("`themselves` or an image")?;
            return Ok(Clause::Others(Some(image), token.span));
        }
        let labels = self.label_sets()?;
        self.expect_word("as")?;
        Ok(Clause::Sees(labels, self.name("an image")?))
    }

    fn stipulation(&mut self) -> Parsed<Stipulation> {
        self.take();
        let name: Name = self.name("a name for the stipulation")?;
        self.expect(":")?;
        let scope = self.scope()?;
        self.stipulating = true;
        let formula = self.expression().and_then(|formula| self.end_of_item().map(|()| formula));
        self.stipulating = false;
        Ok(Stipulation { name, scope, formula: formula? })
    }

    /// `always`, which may be left out, or `at end`.
    fn scope(&mut self) -> Parsed<Scope> {
        let start = self.peek().span;
        let scope = if self.accept_word("always") {
            Scope::Always
        } else if self.is_word("at") && self.word_at_nth(1) == "end" {
            self.take();
            self.take();
            Scope::End
        } else {
            Scope::Always
        };
        let words = [self.word_at_nth(0), self.word_at_nth(1), self.word_at_nth(2)];
        let (count, message) = match words {
            ["at" | "in", "the", "end"] => (3, "this scope is written `at end`"),
            ["in" | "by", "end", _] => (2, "this scope is written `at end`"),
            ["end", "knows" | "knows_whether" | "possible" | "state" | "not", _] => {
                (1, "this scope is written `at end`")
            }
            ["at", "end", "knows" | "knows_whether" | "possible" | "state" | "not"] | ["always", ..] => {
                (1, "a stipulation has one scope")
            }
            _ => return Ok(scope),
        };
        for _ in 0..count {
            self.take();
        }
        self.fail(
            Diagnostic::new(Code::TemporalWord, message)
                .at(start.to(self.last), "")
                .help("write `always ...` if it must hold at every moment, `at end ...` if it must hold where the plan stops"),
        )
    }
}
