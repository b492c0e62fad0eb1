//! `observer { … }`: what it knows, sees and remembers, and what is stipulated of it.

use super::super::ast::{
    Clause, Expr, ExprKind, File, Filter, GraphRef, Knows, Look, Observer, Scope, Stipulation, Time,
};
use super::super::format::Mark;
use super::super::lexer::Kind;
use super::{Name, Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic, Fix};

impl<'t> Parser<'t> {
    pub(super) fn observer(&mut self) -> Parsed<Observer> {
        let span = self.take().span;
        let name = if self.is("{") { None } else { Some(self.name("a name for the observer, or `{`")?) };
        let mut clauses = Vec::new();
        let open = self.peek().span;
        self.block(|p| p.clause(&mut clauses))?;
        Ok(Observer { name, span, open, clauses })
    }

    fn clause(&mut self, clauses: &mut Vec<Clause>) -> Parsed<()> {
        const WORDS: [&str; 10] =
            ["knows", "filter", "sees", "stipulate", "merge", "separate", "fixed", "unseen", "max", "min"];
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
            "unseen" => {
                self.take();
                Clause::Unseen(self.label_sets()?)
            }
            "max" => Clause::MaxImages(self.images()?),
            "min" => Clause::MinImages(self.images()?),
            word => {
                if let Some(advice) = instead(word) {
                    return self.unknown_item_but("in an observer", advice);
                }
                return self.unknown_item("in an observer", &WORDS);
            }
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
        let result = self.appearances(clauses);
        if result.is_err() {
            // The parts that follow on the line belong to it: they are not to be taken for clauses.
            while !self.peek().first && !matches!(self.peek().kind, Kind::End | Kind::Sign("}")) {
                self.take();
            }
        }
        result
    }

    fn appearances(&mut self, clauses: &mut Vec<Clause>) -> Parsed<()> {
        loop {
            clauses.push(self.appearance()?);
            if self.is(",") && !self.peek().first {
                self.comma_between_parts();
                continue;
            }
            if !self.is(";") {
                return Ok(());
            }
            let next = self.peek_nth(1);
            let after = self.peek_nth(2);
            let goes_on = match next.kind {
                Kind::Text | Kind::Sign("(") => true,
                Kind::Word => {
                    self.word_at(next) == "others"
                        || matches!(after.kind, Kind::Sign("," | "="))
                        || ["as", "not"].contains(&self.word_at(after))
                }
                _ => false,
            };
            if !goes_on {
                return Ok(());
            }
            self.take();
        }
    }

    /// `sees a as x, b as y`, which is read as it is meant.
    fn comma_between_parts(&mut self) {
        let at = self.take().span;
        self.diagnostics.push(
            Diagnostic::new(Code::Unexpected, "expected the end of the line or `;`, found `,`")
                .at(at, "expected `;`")
                .help("commas stand between events that look the same, `;` between groups of them")
                .fix(Fix::replace("write `;`", at, ";")),
        );
    }

    fn appearance(&mut self) -> Parsed<Clause> {
        let token = self.peek();
        if self.is_word("from") && self.peek_nth(1).kind == Kind::Text {
            self.take();
            let name = self.text_in_quotes("a file's name")?;
            return Ok(Clause::SeesFrom(File { name, source: None }));
        }
        if self.accept_word("others") {
            if self.is_word("as") && ["themselves", "itself"].contains(&self.word_at_nth(1)) {
                self.take();
                self.take();
                return Ok(Clause::Others(None, token.span));
            }
            let look = self.look("`themselves` or an image")?;
            return Ok(Clause::Others(Some(look), token.span));
        }
        let labels = self.label_sets()?;
        Ok(Clause::Sees(labels, self.look("an image")?))
    }

    /// `as x`, or `not at all`.
    fn look(&mut self, image: &str) -> Parsed<Look> {
        let start = self.peek().span;
        if self.accept_word("not") {
            self.expect_word("at")?;
            self.expect_word("all")?;
            return Ok(Look::Unseen(start.to(self.last)));
        }
        if !self.accept_word("as") {
            return self.unexpected("`as`, or `not at all`");
        }
        if self.accept_word("themselves") || self.accept_word("itself") {
            return Ok(Look::Themselves(start.to(self.last)));
        }
        if [self.word_at_nth(0), self.word_at_nth(1), self.word_at_nth(2)] == ["not", "at", "all"] {
            let at = start.source.span(start.start, self.peek().span.start);
            return self.fail(
                Diagnostic::new(Code::Unexpected, "no `as` stands before `not at all`")
                    .at(start, "")
                    .help("leave `as` out, as in `sees left, right not at all`")
                    .fix(Fix::replace("leave it out", at, "")),
            );
        }
        Ok(Look::As(self.name(image)?))
    }

    fn stipulation(&mut self) -> Parsed<Stipulation> {
        self.take();
        // What is reserved is a formula whose name is missing: `stipulate knows(x)`.
        let word = self.word_at_nth(0);
        if ["knows", "possible", "not", "state"].contains(&word) && self.peek_nth(1).kind != Kind::Sign(":") {
            return self.unexpected("a name for the stipulation");
        }
        let name: Name = self.name("a name for the stipulation")?;
        self.named = true;
        let colon = self.expect(":");
        self.named = false;
        colon?;
        let scope = self.scope()?;
        (self.stipulating, self.timely) = (true, true);
        let formula = self.expression().and_then(|formula| self.end_of_item().map(|()| formula));
        (self.stipulating, self.timely) = (false, false);
        Ok(Stipulation { name, scope, formula: formula? })
    }

    /// `at end`, `run`, `hindsight` or `hindsight 3`; `always` is a part of the formula.
    fn scope(&mut self) -> Parsed<Scope> {
        let start = self.peek().span;
        let scope = if self.is_word("at") && self.word_at_nth(1) == "end" {
            self.take();
            self.take();
            Scope::End
        } else if self.scope_word("run") {
            self.take();
            Scope::Run
        } else if self.is_word("hindsight")
            && self.peek_nth(1).kind == Kind::Sign("(")
            && self.peek_nth(2).kind == Kind::Int
            && self.peek_nth(3).kind == Kind::Sign(")")
        {
            self.take();
            let (open, number, close) = (self.take().span, self.take().span, self.take().span);
            let (at, number) = (open.to(close), self.slice(number).to_owned());
            return self.fail(
                Diagnostic::new(Code::Unexpected, "the number of images stands without parentheses")
                    .at(at, "")
                    .help(format!("write `hindsight {number} ...`"))
                    .fix(Fix::replace(format!("write `{number}`"), at, format!(" {number}"))),
            );
        } else if self.scope_word("hindsight") {
            self.take();
            let bound = self.bound()?;
            if self.is(":") {
                let at = self.peek().span;
                return self.fail(
                    Diagnostic::new(Code::Unexpected, "expected a formula, found `:`")
                        .at(at, "a formula comes here")
                        .help("leave the `:` out, as in `hindsight 3 !knows(secret)`")
                        .fix(Fix::replace("leave it out", at, "")),
                );
            }
            Scope::Hindsight(bound)
        } else if self.is_word("hindsight") && self.peek_nth(1).kind == Kind::Sign("-") {
            self.take();
            let start = self.take().span;
            let at = if self.peek().kind == Kind::Int { start.to(self.take().span) } else { start };
            return self.fail(
                Diagnostic::new(Code::BadNumber, "the number of images cannot be negative").at(at, "").help(
                    "write how many images later at most, `hindsight 3 ...`, or no number for any later time",
                ),
            );
        } else {
            Scope::Open
        };
        let words = [self.word_at_nth(0), self.word_at_nth(1), self.word_at_nth(2)];
        let (count, message) = match words {
            ["at" | "in", "the", "end"] => (3, "this scope is written `at end`"),
            ["in" | "by", "end", _] => (2, "this scope is written `at end`"),
            ["end", "knows" | "knows_whether" | "possible" | "state" | "not", _] => {
                (1, "this scope is written `at end`")
            }
            ["at", "end", ..]
            | ["hindsight", "knows" | "knows_whether" | "possible" | "state" | "not", _] => {
                (1, "a stipulation has one scope")
            }
            ["always", "at", "end"] => (3, "a stipulation has one scope"),
            _ => return Ok(scope),
        };
        for _ in 0..count {
            self.take();
        }
        let at = start.to(self.last);
        let mut finding = Diagnostic::new(Code::TemporalWord, message)
            .at(at, "")
            .help("write `always ...` if it must hold at every moment, `at end ...` if it must hold where the plan stops");
        if message.contains("at end") {
            finding = finding.fix(Fix::replace("write `at end`", at, "at end"));
        }
        self.fail(finding)
    }

    /// Whether a word stands here as a scope: a formula comes after it, and it is not a definition with its arguments.
    fn scope_word(&mut self, word: &str) -> bool {
        let (token, next) = (self.peek(), self.peek_nth(1));
        let call = word == "run" && next.kind == Kind::Sign("(") && next.span.start == token.span.end;
        self.word_at(token) == word && !call && self.formula_at(1)
    }

    /// The number of images after which hindsight ends: a number, or the name of a constant.
    fn bound(&mut self) -> Parsed<Option<Expr>> {
        let (token, next) = (self.peek(), self.peek_nth(1));
        if token.kind == Kind::Int {
            return Ok(Some(Expr { kind: ExprKind::Int(self.integer()?), span: token.span }));
        }
        let formula = next.kind == Kind::Sign("!")
            || ["knows", "knows_whether", "possible", "state", "not"].contains(&self.word_at(next));
        let word = self.word_at(token);
        let name = token.kind == Kind::Word && word != "not" && Time::before(word).is_none();
        if !name || !formula || next.first {
            return Ok(None);
        }
        if word == "within" {
            return self.unexpected("a formula");
        }
        let name = self.new_name("a constant")?;
        Ok(Some(Expr { kind: ExprKind::Name(name.text), span: name.span }))
    }
}

/// What to write in place of a word that starts no line of an observer.
fn instead(word: &str) -> Option<&'static str> {
    Some(match word {
        "does" | "cannot" | "ignores" | "misses" | "hides" | "blind" | "unobservable" | "hidden"
        | "invisible" => "what it does not notice is written `sees a, b not at all`",
        "observes" | "hears" | "watches" | "notices" | "looks" | "observable" => {
            "what it sees is written `sees a, b as x; others as themselves`"
        }
        "must" | "should" | "shall" | "may" | "learns" | "never" | "always" | "eventually" | "hindsight"
        | "possible" | "requires" | "ensure" => {
            "what it must or must not know is written `stipulate NAME: ...`"
        }
        "remembers" | "forgets" => {
            "what it remembers is written `filter strongest`, `filter image` or `filter graph NAME`"
        }
        _ => return None,
    })
}
