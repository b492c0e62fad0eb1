//! `plan { right; down; if blue { up } else { left } }`, or `plan graph { … }`.

use super::super::ast::{Plan, PlanBody, Seen, Statement, StatementKind};
use super::super::format::Mark;
use super::super::lexer::Kind;
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn plan(&mut self) -> Parsed<Plan> {
        let span = self.take().span;
        let mut name = None;
        if !self.is_word("graph") && !self.is("{") {
            name = Some(self.new_name("a name for the plan, or `{`")?);
        }
        let body = if self.accept_word("graph") {
            PlanBody::Drawn(self.graph()?)
        } else {
            self.planning = true;
            let program = self.statements();
            self.planning = false;
            PlanBody::Program(program?)
        };
        Ok(Plan { name, span, body })
    }

    fn statements(&mut self) -> Parsed<Vec<Statement>> {
        let mut statements = Vec::new();
        self.block(|p| {
            statements.push(p.statement()?);
            Ok(())
        })?;
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let token = self.peek();
        let kind = match self.word_at(token) {
            "stop" => {
                self.take();
                StatementKind::Stop
            }
            "if" => self.branches()?,
            "while" => {
                self.take();
                StatementKind::While(self.seen()?, self.statements()?)
            }
            "repeat" => {
                self.take();
                StatementKind::Repeat(self.expression()?, self.statements()?)
            }
            "choose" => {
                self.take();
                let mut options = vec![self.statements()?];
                while self.accept_word("or") {
                    options.push(self.statements()?);
                }
                StatementKind::Choose(options)
            }
            _ => StatementKind::Act(
                self.list("|", |p| p.name("an action, `if`, `while`, `repeat`, `choose` or `stop`"))?,
            ),
        };
        Ok(Statement { kind, span: token.span.to(self.last) })
    }

    fn branches(&mut self) -> Parsed<StatementKind> {
        let mut tests = Vec::new();
        while self.accept_word("if") {
            let test = self.seen()?;
            tests.push((test, self.statements()?));
            if !self.accept_word("else") {
                return Ok(StatementKind::If(tests, Vec::new()));
            }
        }
        Ok(StatementKind::If(tests, self.statements()?))
    }

    /// `blue | high`, `!exit`, `!(exit | wall)`.
    fn seen(&mut self) -> Parsed<Seen> {
        let negated = self.is("!") || self.is_word("not");
        if negated {
            self.mark(Mark::Prefix);
            self.take();
        }
        let open = self.peek();
        if open.kind == Kind::Sign("(") {
            self.take();
            let labels = self.seen_labels()?;
            self.close(")", open.span)?;
            return Ok(Seen { labels, negated });
        }
        let labels = if negated { vec![self.name("an observation")?] } else { self.seen_labels()? };
        Ok(Seen { labels, negated })
    }

    fn seen_labels(&mut self) -> Parsed<Vec<super::Name>> {
        let mut labels = vec![self.name("an observation")?];
        while self.is("|") || self.is_word("or") {
            self.mark(Mark::Operator);
            self.take();
            labels.push(self.name("an observation")?);
        }
        Ok(labels)
    }
}
