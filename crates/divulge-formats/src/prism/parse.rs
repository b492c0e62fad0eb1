//! Modules, constants and the rest.

use super::{
    ast::{Body, Command, Constant, Domain, Expr, Model, Module, Name, Outcome, Type, Variable},
    expression::joined,
    lexer::{Placed, Token, lex},
};
use crate::{Fault, FaultKind, Faults, Place};

/// What was parsed; a mistake has been recorded.
pub(super) type Parsed<T> = Result<T, Broken>;

/// A part of the text is not understood.
pub(super) struct Broken;

/// Reads tokens one after the other.
pub(super) struct Parser<'a, 'f> {
    tokens: Vec<Placed<'a>>,
    at: usize,
    pub(super) depth: usize,
    pub(super) last: Place,
    faults: &'f mut Faults,
}

/// The words that start an item, and those that end one: places to go on after a mistake.
const ITEMS: [&str; 17] = [
    "const",
    "formula",
    "label",
    "global",
    "module",
    "rewards",
    "init",
    "system",
    "observables",
    "observable",
    "player",
    "endmodule",
    "endrewards",
    "endinit",
    "endsystem",
    "endobservables",
    "endplayer",
];

/// Kinds of models that have no counterpart.
const OTHER_KINDS: [(&str, &str); 12] = [
    ("dtmc", "a Markov chain, in which nobody chooses"),
    ("probabilistic", "a Markov chain, in which nobody chooses"),
    ("ctmc", "a Markov chain in continuous time"),
    ("stochastic", "a Markov chain in continuous time"),
    ("pta", "a model with clocks"),
    ("popta", "a model with clocks"),
    ("smg", "a game of several players"),
    ("csg", "a game of several players"),
    ("tsg", "a game of several players"),
    ("idtmc", "a model with intervals of probabilities"),
    ("imdp", "a model with intervals of probabilities"),
    ("ma", "a Markov automaton, with continuous time"),
];

pub(super) fn parse<'a>(text: &'a str, faults: &mut Faults) -> Model<'a> {
    let tokens = lex(text, 0, faults);
    let mut parser = Parser { tokens, at: 0, depth: 0, last: Place::default(), faults };
    let mut model = Model::default();
    while *parser.peek() != Token::End && !parser.faults.is_full() {
        let before = parser.at;
        if parser.item(&mut model).is_err() {
            parser.depth = 0;
            parser.recover();
        }
        if parser.at == before {
            parser.take();
        }
    }
    // All modules side by side is what they are anyway.
    if let Some((mut named, place)) = model.system.take() {
        let mut all: Vec<&str> = model.modules.iter().map(|module| module.name.text).collect();
        named.sort_unstable();
        all.sort_unstable();
        if named != all {
            parser.faults.push(system(place));
        }
    }
    model
}

fn system(place: Place) -> Fault {
    let fault = Fault::new(
        FaultKind::Unsupported,
        "`system … endsystem` is read only if it puts all modules side by side, as in `a || b`",
    );
    let help = "modules run in parallel, and those that share an action take it together: write them so";
    fault.at(place, "").help(help)
}

/// The modules of `a || b || c`.
fn side_by_side<'a>(tokens: &[Placed<'a>]) -> Option<Vec<&'a str>> {
    let mut modules = Vec::new();
    for part in tokens.chunks(3) {
        match part {
            [(Token::Word(name), _)]
            | [(Token::Word(name), _), (Token::Sign("|"), _), (Token::Sign("|"), _)] => {
                modules.push(*name);
            }
            _ => return None,
        }
    }
    (tokens.len() % 3 == 1).then_some(modules)
}

/// An expression by itself, as an option gives one.
pub(super) fn parse_expression<'a>(text: &'a str, faults: &mut Faults) -> Option<Expr<'a>> {
    let tokens = lex(text, 0, faults);
    let mut parser = Parser { tokens, at: 0, depth: 0, last: Place::default(), faults };
    let found = parser.expression().ok()?;
    (*parser.peek() == Token::End).then_some(found)
}

impl<'a> Parser<'a, '_> {
    pub(super) fn peek(&self) -> &Token<'a> {
        self.peek_nth(0)
    }

    pub(super) fn peek_nth(&self, n: usize) -> &Token<'a> {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].0
    }

    pub(super) fn place(&self) -> Place {
        self.tokens[self.at].1
    }

    pub(super) fn take(&mut self) -> Placed<'a> {
        let token = self.tokens[self.at];
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        self.last = token.1;
        token
    }

    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let here = matches!(self.peek(), Token::Sign(found) if *found == sign);
        if here {
            self.take();
        }
        here
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let here = *self.peek() == Token::Word(word);
        if here {
            self.take();
        }
        here
    }

    pub(super) fn fail<T>(&mut self, fault: Fault) -> Parsed<T> {
        self.faults.push(fault);
        Err(Broken)
    }

    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        self.expected_or(what, None)
    }

    /// What is expected is not there; what to do about it, unless the file just ends.
    fn expected_or<T>(&mut self, what: &str, help: Option<String>) -> Parsed<T> {
        let fault = Fault::new(FaultKind::Syntax, format!("expected {what}, found {}", self.peek()));
        let place = self.place();
        let cut = *self.peek() == Token::End;
        self.fail(fault.at(place, "").help_opt(if cut {
            Some("the file may be cut off".to_owned())
        } else {
            help
        }))
    }

    /// No part of a model starts like this.
    fn no_part<T>(&mut self) -> Parsed<T> {
        let near = match *self.peek() {
            Token::Word(word) => divulge::did_you_mean(word, ITEMS.iter().copied().chain(["mdp", "pomdp"])),
            _ => None,
        };
        let all = "the parts are mdp or pomdp, const, formula, label, global, module, init, rewards and observables";
        self.expected_or("a part of a PRISM model, such as `module`", near.or(Some(all.to_owned())))
    }

    pub(super) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.accept(sign) {
            Ok(())
        } else {
            self.expected_or(&format!("`{sign}`"), Some(format!("write `{sign}` before this")))
        }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) {
            Ok(())
        } else {
            self.expected_or(&format!("`{word}`"), Some(format!("write `{word}` before this")))
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<Name<'a>> {
        match *self.peek() {
            Token::Word(text) => Ok(Name { text, place: self.take().1 }),
            _ => self.expected(what),
        }
    }

    fn quoted(&mut self, what: &str) -> Parsed<Name<'a>> {
        match *self.peek() {
            Token::Text(text) => Ok(Name { text, place: self.take().1 }),
            _ => self.expected(what),
        }
    }

    /// Goes on at the next item, or after the next `;`.
    fn recover(&mut self) {
        loop {
            match *self.peek() {
                Token::End => return,
                Token::Sign(";") => {
                    self.take();
                    return;
                }
                Token::Word(word) if ITEMS.contains(&word) => return,
                _ => drop(self.take().1.start),
            }
        }
    }

    fn item(&mut self, model: &mut Model<'a>) -> Parsed<()> {
        let (token, place) = (*self.peek(), self.place());
        let Token::Word(word) = token else {
            return self.no_part();
        };
        match word {
            "pomdp" | "mdp" | "nondeterministic" => {
                self.take();
                model.kind = Some(Name { text: word, place });
            }
            "const" => model.constants.push(self.constant()?),
            "formula" => {
                self.take();
                let name = self.name("the formula's name")?;
                model.formulas.push((name, self.definition()?));
            }
            "label" => {
                self.take();
                let name = self.quoted("the label's name in quotes")?;
                model.labels.push((name, self.definition()?));
            }
            "observable" => {
                self.take();
                let name = self.quoted("the observable's name in quotes")?;
                model.observables.push((name, self.definition()?));
            }
            "observables" => self.observables(model)?,
            "global" => {
                self.take();
                let variable = self.variable()?;
                model.globals.push(variable);
            }
            "module" => {
                let module = self.module()?;
                model.modules.push(module);
            }
            "rewards" => {
                model.rewards = true;
                self.skip("rewards", "endrewards")?;
            }
            "init" => {
                self.take();
                model.init = Some(self.expression()?);
                self.expect_word("endinit")?;
            }
            "system" => {
                let from = self.at + 1;
                self.skip("system", "endsystem")?;
                match side_by_side(&self.tokens[from..self.at - 1]) {
                    Some(modules) => model.system = Some((modules, place)),
                    None => self.faults.push(system(place)),
                }
            }
            "player" => {
                self.skip("player", "endplayer")?;
                let fault = Fault::new(FaultKind::Unsupported, "games of several players are not read");
                self.faults.push(fault.at(place, "").help("write an `mdp` or a `pomdp`"));
            }
            _ => {
                let Some((_, what)) = OTHER_KINDS.iter().find(|(kind, _)| *kind == word) else {
                    return self.no_part();
                };
                self.take();
                let fault = Fault::new(FaultKind::Unsupported, format!("`{word}` is {what}"));
                self.faults.push(fault.at(place, "").help("`mdp` and `pomdp` are read"));
            }
        }
        Ok(())
    }

    fn skip(&mut self, start: &str, end: &str) -> Parsed<()> {
        let place = self.place();
        self.take();
        while *self.peek() != Token::End {
            if self.accept_word(end) {
                return Ok(());
            }
            self.take();
        }
        let fault = Fault::new(FaultKind::Syntax, format!("`{start}` does not end"));
        self.fail(fault.at(place, "it starts here").help(format!("add `{end}`; the file may be cut off")))
    }

    fn definition(&mut self) -> Parsed<Expr<'a>> {
        self.expect("=")?;
        let value = self.expression()?;
        self.expect(";")?;
        Ok(value)
    }

    fn constant(&mut self) -> Parsed<Constant<'a>> {
        self.take();
        let kind = match *self.peek() {
            // Two words of old that mean the same.
            Token::Word("double" | "prob" | "rate") if matches!(self.peek_nth(1), Token::Word(_)) => {
                Type::Double
            }
            Token::Word("bool") => Type::Bool,
            _ => Type::Int,
        };
        if matches!(self.peek_nth(1), Token::Word(_))
            && matches!(self.peek(), Token::Word("double" | "prob" | "rate" | "bool" | "int"))
        {
            self.take();
        }
        let name = self.name("the constant's name")?;
        let value = if self.accept("=") { Some(self.expression()?) } else { None };
        self.expect(";")?;
        Ok(Constant { name, kind, value })
    }

    fn observables(&mut self, model: &mut Model<'a>) -> Parsed<()> {
        self.take();
        while !self.accept_word("endobservables") {
            let name = self.name("a variable that is observed, or `endobservables`")?;
            model.observed.push(name);
            self.accept(",");
        }
        Ok(())
    }

    fn variable(&mut self) -> Parsed<Variable<'a>> {
        let name = self.name("the variable's name")?;
        self.expect(":")?;
        let place = self.place();
        let domain = match self.take().0 {
            Token::Word("bool") => Domain::Bool,
            Token::Word("int") => Domain::Int,
            Token::Word("clock") => {
                let fault = Fault::new(FaultKind::Unsupported, "clocks have no counterpart");
                return self.fail(fault.at(place, "").help("count steps in an integer instead"));
            }
            Token::Sign("[") => {
                let low = self.expression()?;
                self.expect("..")?;
                let high = self.expression()?;
                self.expect("]")?;
                Domain::Range(low, high)
            }
            other => {
                let message = format!("expected a range such as `[0..3]`, or `bool`, found {other}");
                let fault = Fault::new(FaultKind::Syntax, message).at(place, "");
                return self.fail(fault.help("a variable is declared as in `x : [0..3] init 0;`"));
            }
        };
        let init = if self.accept_word("init") { Some(self.expression()?) } else { None };
        self.expect(";")?;
        Ok(Variable { name, domain, init })
    }

    fn module(&mut self) -> Parsed<Module<'a>> {
        self.take();
        let name = self.name("the module's name")?;
        if self.accept("=") {
            return self.renamed(name);
        }
        let (mut variables, mut commands) = (Vec::new(), Vec::new());
        loop {
            let read = match *self.peek() {
                Token::Word("endmodule") => {
                    self.take();
                    return Ok(Module { name, body: Body::Written { variables, commands } });
                }
                Token::Sign("[" | "<") => self.command().map(|command| commands.push(command)),
                Token::Word("invariant") => {
                    let place = self.place();
                    let fault = Fault::new(
                        FaultKind::Unsupported,
                        "invariants belong to clocks, which have no counterpart",
                    );
                    self.fail(fault.at(place, "").help("leave it out, with the clocks"))
                }
                Token::Word(word) if !ITEMS.contains(&word) => self.variable().map(|v| variables.push(v)),
                _ => return self.expected("a variable, a command or `endmodule`"),
            };
            if read.is_err() {
                self.depth = 0;
                self.recover();
                if self.faults.is_full() || *self.peek() == Token::End {
                    return Err(Broken);
                }
            }
        }
    }

    /// `module b = a [x=y, …] endmodule`.
    fn renamed(&mut self, name: Name<'a>) -> Parsed<Module<'a>> {
        let base = self.name("the module that is renamed")?;
        self.expect("[")?;
        let mut names = Vec::new();
        while !self.accept("]") {
            let from = self.name("a name to replace")?;
            self.expect("=")?;
            names.push((from, self.name("the name that takes its place")?));
            if *self.peek() != Token::Sign("]") {
                self.expect(",")?;
            }
        }
        self.expect_word("endmodule")?;
        Ok(Module { name, body: Body::Renamed { base, names } })
    }

    fn command(&mut self) -> Parsed<Command<'a>> {
        let start = self.place();
        let close = if self.take().0 == Token::Sign("[") { "]" } else { ">" };
        let action = match *self.peek() {
            Token::Word(name) => {
                self.take();
                Some(name)
            }
            _ => None,
        };
        if matches!(self.peek(), Token::Sign("!" | "?")) {
            let place = self.place();
            let fault = Fault::new(FaultKind::Unsupported, "games of several players are not read");
            return self.fail(fault.at(place, "").help("write an `mdp` or a `pomdp`"));
        }
        self.expect(close)?;
        let guard = self.expression()?;
        self.expect("->")?;
        let mut outcomes = vec![self.outcome()?];
        while self.accept("+") {
            outcomes.push(self.outcome()?);
        }
        self.expect(";")?;
        Ok(Command { action, guard, outcomes, place: joined(start, self.last) })
    }

    fn outcome(&mut self) -> Parsed<Outcome<'a>> {
        let plain =
            self.primed() || (*self.peek() == Token::Word("true") && *self.peek_nth(1) != Token::Sign(":"));
        let probability = if plain {
            None
        } else {
            let probability = self.expression()?;
            self.expect(":")?;
            Some(probability)
        };
        let mut assigns = Vec::new();
        if self.accept_word("true") {
            return Ok(Outcome { probability, assigns });
        }
        loop {
            self.expect("(")?;
            let name = self.name("the variable to assign to")?;
            self.expect("'")?;
            self.expect("=")?;
            assigns.push((name, self.expression()?));
            self.expect(")")?;
            if !self.accept("&") {
                return Ok(Outcome { probability, assigns });
            }
        }
    }
}
