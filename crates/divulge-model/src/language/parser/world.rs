//! `world { … }`: variables, actions, observations, start and goal.

use super::super::ast::{Assignment, Block, File, Files, Guard, Observation, Rule, When, World, WorldBody};
use super::super::format::Mark;
use super::super::lexer::Kind;
use super::{Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic, Fix};

/// What lines of a world start with, and no assignment or observation does.
const RULES: [&str; 3] = ["action", "goal", "observe"];

impl Parser<'_> {
    pub(super) fn world(&mut self) -> Parsed<World> {
        let span = self.take().span;
        if self.is_word("graph") {
            self.take();
            return Ok(World { span, body: WorldBody::Drawn(self.graph()?) });
        }
        if self.is_word("from") {
            self.take();
            return Ok(World { span, body: WorldBody::From(Box::new(self.files()?)) });
        }
        let mut rules = Vec::new();
        self.block(|p| p.rule(&mut rules))?;
        Ok(World { span, body: WorldBody::Rules(rules) })
    }

    /// `"domain.pddl" "p01.pddl"`, and what the files leave open.
    fn files(&mut self) -> Parsed<Files> {
        let mut files = vec![File { name: self.text_in_quotes("a file's name")?, source: None }];
        if self.peek().kind == Kind::Text && !self.peek().first {
            files.push(File { name: self.text_in_quotes("a file's name")?, source: None });
        }
        let mut from = Files { files, constants: Vec::new(), start: None, goal: None, avoid: None };
        if self.is("{") && !self.peek().first {
            self.block(|p| p.left_open(&mut from))?;
        }
        Ok(from)
    }

    fn left_open(&mut self, from: &mut Files) -> Parsed<()> {
        let token = self.peek();
        match self.word_at(token) {
            "const" => self.bindings(|binding| from.constants.push(binding))?,
            "start" => {
                self.take();
                self.accept_word("where");
                from.start = Some(self.expression()?);
            }
            "goal" => {
                self.take();
                from.goal = Some(self.expression()?);
            }
            "avoid" => {
                self.take();
                from.avoid = Some(self.expression()?);
            }
            _ => {
                let words = ["const", "start where", "goal", "avoid"];
                return self.unknown_item("in what a file leaves open", &words);
            }
        }
        Ok(())
    }

    fn rule(&mut self, rules: &mut Vec<Rule>) -> Parsed<()> {
        let token = self.peek();
        let rule = match self.word_at(token) {
            word if RULES.contains(&word) && self.peek_nth(1).kind == Kind::Sign(":") => {
                return self.no_colon(word);
            }
            _ if token.kind == Kind::Word && self.peek_nth(1).kind == Kind::Sign(":") => self.variable()?,
            "action" => self.action()?,
            "observe" => {
                self.take();
                let mut lines = Vec::new();
                self.block_within(&RULES, |p| {
                    lines.push(p.observation()?);
                    Ok(())
                })?;
                Rule::Observe(lines)
            }
            "start" => {
                let span = self.take().span;
                let when = self.when(When::Acting);
                let condition = if self.accept_word("where") { Some(self.expression()?) } else { None };
                Rule::Start { when, condition, span: span.to(self.last) }
            }
            "goal" => {
                self.take();
                Rule::Goal { when: self.when(When::Acting), condition: self.expression()? }
            }
            "picture" => {
                self.take();
                self.expect_word("grid")?;
                let row = self.name("the variable that is the row")?;
                self.accept(",");
                Rule::Picture { row, col: self.name("the variable that is the column")? }
            }
            _ => {
                let words = ["action", "observe", "start", "goal", "picture", "a variable as in `x: 0..3`"];
                return self.unknown_item("in a world", &words);
            }
        };
        rules.push(rule);
        Ok(())
    }

    /// `goal: x = 3`.
    fn no_colon<T>(&mut self, word: &str) -> Parsed<T> {
        let at = self.peek_nth(1).span;
        self.fail(
            Diagnostic::new(Code::Unexpected, format!("no `:` stands after `{word}`"))
                .at(at, "")
                .help("remove it")
                .fix(Fix::replace("remove `:`", at, "")),
        )
    }

    fn when(&mut self, default: When) -> When {
        for (word, when) in
            [("acting", When::Acting), ("observing", When::Observing), ("anywhere", When::Anywhere)]
        {
            if self.accept_word(word) {
                return when;
            }
        }
        default
    }

    fn variable(&mut self) -> Parsed<Rule> {
        let name = self.new_name("a variable")?;
        self.expect(":")?;
        let domain = self.domain()?;
        let value = if self.accept("=") { Some(self.expression()?) } else { None };
        Ok(Rule::Variable { name, domain, value })
    }

    fn action(&mut self) -> Parsed<Rule> {
        self.take();
        let name = self.name("the action's name")?;
        let mut guard = None;
        if self.is_word("when") {
            self.mark(Mark::Cell);
            self.take();
            guard = Some(self.expression()?);
        }
        Ok(Rule::Action { name, guard, outcomes: self.outcomes()? })
    }

    /// `{ … } or { … }`; nothing at all is one outcome that changes nothing.
    fn outcomes(&mut self) -> Parsed<Vec<Block>> {
        if !self.is("{") || self.peek().first {
            return Ok(vec![Vec::new()]);
        }
        self.mark(Mark::Cell);
        let mut outcomes = Vec::new();
        loop {
            let mut block = Vec::new();
            self.block_within(&RULES, |p| {
                block.push(p.assignment()?);
                while p.accept(",") {
                    block.push(p.assignment()?);
                }
                Ok(())
            })?;
            outcomes.push(block);
            if !self.accept_word("or") {
                return Ok(outcomes);
            }
        }
    }

    /// `x := e` or `(x, y) := e`.
    fn assignment(&mut self) -> Parsed<Assignment> {
        let start = self.peek().span;
        if self.is_word("when") {
            return self.unexpected("an assignment");
        }
        let targets = if self.accept("(") {
            let targets = self.list(",", |p| p.new_name("a variable"))?;
            self.close(")", start)?;
            targets
        } else {
            vec![self.new_name("a variable to assign to")?]
        };
        self.expect(":=")?;
        let value = self.expression()?;
        Ok(Assignment { targets, span: start.to(value.span), value })
    }

    /// `blue | dark by facility when at star`, or `(row, col)`, which shows the values of both, with `{ … }` for what it changes.
    fn observation(&mut self) -> Parsed<Observation> {
        let start = self.peek().span;
        let shows = self.accept("(");
        let labels = if shows {
            let variables = self.list(",", |p| p.new_name("a variable"))?;
            self.close(")", start)?;
            variables
        } else {
            self.list("|", |p| p.name("an observation"))?
        };
        let by = if !shows && self.accept_word("by") { Some(self.expression()?) } else { None };
        let token = self.peek();
        if matches!(self.word_at(token), "when" | "otherwise") && !token.first {
            self.mark(Mark::Cell);
        }
        let guard = if self.accept_word("when") {
            Guard::When(self.expression()?)
        } else if self.accept_word("otherwise") {
            Guard::Otherwise
        } else {
            Guard::Always
        };
        let outcomes = self.outcomes()?;
        Ok(Observation { labels, shows, by, guard, outcomes, span: start.to(self.last) })
    }
}
