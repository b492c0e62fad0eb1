//! Reading formulas.
//!
//! Binding, tightest first: `!` and the temporal words `always`, `eventually`, `next`; `&`, `|`, `->` (to the right), `<->` (to the
//! left); `until` and `unless`, which do not chain. The words `not`, `and`, `or`, `implies`, `iff` mean the same as the signs. Nesting
//! is bounded, so no text can exhaust the stack.

use super::{
    Atom, Comparison, Formula, Logic, Predicate, Span, Temporal, Test,
    lex::{Sign, Token, lex},
};
use crate::problem::{Kind, Value};

/// How deeply parentheses and negations may nest.
pub const MAX_DEPTH: usize = 256;

/// Why a text is not a formula, or does not fit its world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormulaError {
    /// What is wrong.
    pub message: String,
    /// Where in the formula's text.
    pub span: Span,
    /// What to do about it, where that can be told.
    pub help: Option<String>,
}

impl FormulaError {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl std::str::FromStr for Formula {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        parse(text, Parser::formula)
    }
}

impl std::str::FromStr for Predicate {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        parse(text, |p| p.chain(0, Parser::test))
    }
}

type Parsed<T> = Result<T, FormulaError>;

fn parse<T>(text: &str, whole: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
    let mut p = Parser { tokens: lex(text)?, at: 0, depth: 0 };
    let found = whole(&mut p)?;
    match p.peek() {
        Token::End => Ok(found),
        other => {
            let advice = if let Token::Word(word) = other { time_advice(word) } else { None };
            Err(FormulaError::new(p.span(), format!("expected the end of the formula, found {other}"))
                .help(advice.unwrap_or("join two formulas with `&` or `|`")))
        }
    }
}

/// What to write in place of a word of time that formulas do not have, or not there.
pub fn time_advice(word: &str) -> Option<&'static str> {
    Some(match word {
        "never" => "write `always !(…)`",
        "globally" | "G" => "write `always …`",
        "finally" | "F" => "write `eventually …`",
        "X" => "write `next …`",
        "U" => "write `… until …`",
        "W" | "R" => "write `… unless …`",
        "before" => "for \"p comes before q\", write `!q unless p`",
        "after" => "for \"p always holds after q\", write `always (q -> always p)`",
        "until" | "unless" => "put parentheses around `… until …` and `… unless …` inside a formula",
        "K" => "write `knows(…)`",
        "once" | "previously" => "for what was so earlier, write `was(…)` inside `knows(…)`",
        "within" => "give it as a field: \"scope\": \"hindsight\", \"within\": 3",
        "hindsight" => "give the scope as a field: \"scope\": \"hindsight\"",
        "end" | "at" => "give the scope as a field: \"scope\": \"end\"",
        _ => return None,
    })
}

/// What stands in parentheses, and by itself.
trait Whole: Sized {
    fn whole(p: &mut Parser) -> Parsed<Logic<Self>>;
}

impl Whole for Atom {
    fn whole(p: &mut Parser) -> Parsed<Formula> {
        p.formula()
    }
}

impl Whole for Test {
    fn whole(p: &mut Parser) -> Parsed<Predicate> {
        p.chain(0, Parser::test)
    }
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
}

/// The connectives, loosest first; the level above the last one is negation and parentheses.
const LEVELS: [Sign; 4] = [Sign::Iff, Sign::Implies, Sign::Or, Sign::And];

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn next(&mut self) -> (Token, Span) {
        let found = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        found
    }

    fn take(&mut self, sign: Sign) -> bool {
        let here = *self.peek() == Token::Sign(sign);
        if here {
            self.next();
        }
        here
    }

    fn need(&mut self, sign: Sign) -> Parsed<()> {
        if self.take(sign) {
            return Ok(());
        }
        Err(FormulaError::new(self.span(), format!("expected `{}`, found {}", sign.text(), self.peek())))
    }

    fn chain<A: Whole>(&mut self, level: usize, leaf: fn(&mut Self) -> Parsed<Logic<A>>) -> Parsed<Logic<A>> {
        let Some(&sign) = LEVELS.get(level) else { return self.unary(leaf) };
        let first = self.chain(level + 1, leaf)?;
        if *self.peek() != Token::Sign(sign) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take(sign) {
            parts.push(self.chain(level + 1, leaf)?);
        }
        Ok(match sign {
            Sign::Iff => Logic::Iff(parts),
            Sign::Implies => Logic::Implies(parts),
            Sign::Or => Logic::Or(parts),
            _ => Logic::And(parts),
        })
    }

    /// A formula with or without `until` or `unless`, which bind most loosely.
    fn formula(&mut self) -> Parsed<Formula> {
        let first = self.chain(0, Self::atom)?;
        let Some(make) = self.binary() else { return Ok(first) };
        let second = self.chain(0, Self::atom)?;
        let span = self.span();
        if self.binary().is_some() {
            return Err(FormulaError::new(span, "`until` and `unless` do not chain")
                .help("put parentheses around one of them"));
        }
        Ok(Logic::Atom(Atom::Temporal(Box::new(make(first, second)))))
    }

    fn binary(&mut self) -> Option<fn(Formula, Formula) -> Temporal> {
        let Token::Word(word) = self.peek() else { return None };
        let make = match word.as_str() {
            "until" => Temporal::Until,
            "unless" => Temporal::Unless,
            _ => return None,
        };
        self.next();
        Some(make)
    }

    /// `always`, `eventually` or `next` with what it is about.
    fn temporal(&mut self, span: Span, make: fn(Formula) -> Temporal) -> Parsed<Formula> {
        let operand = self.nested(span, |p| p.unary(Self::atom))?;
        Ok(Logic::Atom(Atom::Temporal(Box::new(make(operand)))))
    }

    fn unary<A: Whole>(&mut self, leaf: fn(&mut Self) -> Parsed<Logic<A>>) -> Parsed<Logic<A>> {
        let start = self.span();
        if self.take(Sign::Not) {
            return self.nested(start, |p| Ok(Logic::Not(Box::new(p.unary(leaf)?))));
        }
        if self.take(Sign::Open) {
            return self.nested(start, |p| {
                let inner = A::whole(p)?;
                p.need(Sign::Close)?;
                Ok(inner)
            });
        }
        leaf(self)
    }

    fn nested<T>(&mut self, start: Span, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return Err(FormulaError::new(
                start,
                format!("the formula is nested more than {MAX_DEPTH} levels deep"),
            )
            .help("chains of `&` and `|` need no parentheses"));
        }
        self.depth += 1;
        let found = inner(self)?;
        self.depth -= 1;
        Ok(found)
    }

    fn atom(&mut self) -> Parsed<Formula> {
        let (token, span) = self.next();
        let Token::Word(word) = token else {
            return Err(FormulaError::new(span, format!("expected a formula, found {token}"))
                .help("a formula is made of state(\"v\"), possible(p), knows(p), true and false"));
        };
        match word.as_str() {
            "true" => Ok(Logic::Const(true)),
            "false" => Ok(Logic::Const(false)),
            "state" => self.vertex().map(|(v, span)| Logic::Atom(Atom::State(v, span))),
            "possible" => self.inside(span).map(|p| Logic::Atom(Atom::Possible(p))),
            "knows" => self.inside(span).map(|p| Logic::Atom(Atom::Knows(p))),
            "always" => self.temporal(span, Temporal::Always),
            "eventually" => self.temporal(span, Temporal::Eventually),
            "next" => self.temporal(span, Temporal::Next),
            _ => Err(FormulaError::new(span, format!("`{word}` cannot stand in a formula by itself")).help(
                time_advice(&word).unwrap_or(
                    "put properties inside knows(…) or possible(…), and vertices inside state(\"…\")",
                ),
            )),
        }
    }

    fn inside(&mut self, start: Span) -> Parsed<Predicate> {
        self.need(Sign::Open)?;
        let p = self.nested(start, |p| p.chain(0, Self::test))?;
        if let Token::Word(word) = self.peek()
            && let Some(advice) = time_advice(word)
        {
            let message = format!("`{word}` is about the moments of a run, not about one vertex");
            let help = match word.as_str() {
                "until" | "unless" => format!(
                    "write it outside: knows(…) {word} knows(…); for what was so earlier, write was(…) or initially(…)"
                ),
                _ => advice.to_owned(),
            };
            return Err(FormulaError::new(self.span(), message).help(help));
        }
        self.need(Sign::Close)?;
        Ok(p)
    }

    fn vertex(&mut self) -> Parsed<(String, Span)> {
        self.need(Sign::Open)?;
        let (token, span) = self.next();
        let name = match token {
            Token::Text(name) | Token::Word(name) => name,
            other => return Err(FormulaError::new(span, format!("expected a vertex's name, found {other}"))),
        };
        self.need(Sign::Close)?;
        Ok((name, span))
    }

    fn test(&mut self) -> Parsed<Predicate> {
        let (token, span) = self.next();
        let (name, quoted) = match token {
            Token::Word(name) => (name, false),
            Token::Text(name) => (name, true),
            other => {
                return Err(FormulaError::new(
                    span,
                    format!("expected a condition on a vertex, found {other}"),
                )
                .help("for example: room = lab, x >= 3, wet, is(\"v\"), goal, kind = action"));
            }
        };
        if !quoted {
            match name.as_str() {
                "true" => return Ok(Logic::Const(true)),
                "false" => return Ok(Logic::Const(false)),
                "goal" => return Ok(Logic::Atom(Test::Goal)),
                "is" => return self.vertex().map(|(v, span)| Logic::Atom(Test::Is(v, span))),
                "kind" => return self.kind(span),
                "initially" if *self.peek() == Token::Sign(Sign::Open) => {
                    return self.inside(span).map(|p| Logic::Atom(Test::Initially(Box::new(p))));
                }
                "was" if *self.peek() == Token::Sign(Sign::Open) => {
                    return self.inside(span).map(|p| Logic::Atom(Test::Was(Box::new(p))));
                }
                "initially" | "was" if !self.ends_test() => {
                    return Err(FormulaError::new(
                        span,
                        format!("`{name}` takes a condition in parentheses"),
                    )
                    .help(format!("for example: {name}(room = lab)")));
                }
                "always" | "eventually" | "next" if !self.ends_test() => {
                    return Err(FormulaError::new(span, format!("`{name}` is about the moments of a run, not about one vertex"))
                        .help(format!("write it outside: {name} knows(…); for what was so earlier, write was(…) or initially(…)")));
                }
                "state" | "possible" | "knows" if *self.peek() == Token::Sign(Sign::Open) => {
                    return Err(FormulaError::new(span, format!("`{name}` is about what the observer knows, not about one vertex"))
                        .help("possible(…) and knows(…) take conditions on one vertex, and cannot be nested; write is(\"v\") for a vertex"));
                }
                _ if !self.ends_test() => {
                    let advice = match name.as_str() {
                        "initial" | "init" | "start" | "started" => {
                            Some("for how the world began, write initially(…)")
                        }
                        word => time_advice(word),
                    };
                    if let Some(advice) = advice {
                        let message = format!("`{name}` cannot stand before a condition on a vertex");
                        return Err(FormulaError::new(span, message).help(advice));
                    }
                }
                _ => {}
            }
        }
        let Some(op) = self.comparison() else { return Ok(Logic::Atom(Test::Flag(name, span))) };
        let (token, at) = self.next();
        let value = match token {
            Token::Word(w) if w == "true" || w == "false" => Value::Bool(w == "true"),
            Token::Word(w) | Token::Text(w) => Value::Text(w),
            Token::Int(i) => Value::Int(i),
            other => return Err(FormulaError::new(at, format!("expected a value, found {other}"))),
        };
        if !matches!((op, &value), (Comparison::Eq | Comparison::Ne, _) | (_, Value::Int(_))) {
            return Err(FormulaError::new(
                at,
                format!("`{}` compares integers, but `{value}` is not one", op.sign()),
            ));
        }
        Ok(Logic::Atom(Test::Compare(name, op, value, span)))
    }

    /// Whether a test may end, or go on with a comparison, here: then the word before is a property's name.
    fn ends_test(&self) -> bool {
        !matches!(
            self.peek(),
            Token::Word(_) | Token::Text(_) | Token::Int(_) | Token::Sign(Sign::Open | Sign::Not)
        )
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let op = match self.peek() {
            Token::Sign(Sign::Eq) => Comparison::Eq,
            Token::Sign(Sign::Ne) => Comparison::Ne,
            Token::Sign(Sign::Lt) => Comparison::Lt,
            Token::Sign(Sign::Le) => Comparison::Le,
            Token::Sign(Sign::Gt) => Comparison::Gt,
            Token::Sign(Sign::Ge) => Comparison::Ge,
            _ => return None,
        };
        self.next();
        Some(op)
    }

    fn kind(&mut self, span: Span) -> Parsed<Predicate> {
        let same = match self.comparison() {
            Some(Comparison::Eq) => true,
            Some(Comparison::Ne) => false,
            _ => return Err(FormulaError::new(span, "compare `kind` with `=` or `!=`")),
        };
        let (token, at) = self.next();
        let kind = match &token {
            Token::Word(w) | Token::Text(w) if w == "action" => Kind::Action,
            Token::Word(w) | Token::Text(w) if w == "observation" => Kind::Observation,
            _ => {
                return Err(FormulaError::new(
                    at,
                    format!("expected `action` or `observation`, found {token}"),
                ));
            }
        };
        Ok(Logic::Atom(Test::Kind(kind, same)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads_back(text: &str, printed: &str) {
        let f: Formula = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(f.to_string(), printed);
        assert_eq!(printed.parse::<Formula>().as_ref(), Ok(&f));
    }

    #[test]
    fn formulas_read_back_as_printed() {
        reads_back("!knows(room = \"lab\") | state(\"u0\")", "!knows(room = lab) | state(\"u0\")");
        reads_back(
            "not (possible(x>=3 and not wet) implies knows(goal)) iff true",
            "!(possible(x >= 3 & !wet) -> knows(goal)) <-> true",
        );
        reads_back("(true -> false) -> true -> false", "(true -> false) -> true -> false");
        reads_back(
            "possible(a = -3 | b != \"or\" | is(v.1) | kind != action)",
            "possible(a = -3 | b != \"or\" | is(\"v.1\") | kind != action)",
        );
        reads_back("!(!(true)) & (true & false)", "!!true & (true & false)");
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, start, part) in [
            ("knows(x <", 9, "value"),
            ("knows(x < red)", 10, "integers"),
            ("wet", 0, "by itself"),
            ("knows(state(\"u\"))", 6, "what the observer knows"),
            ("true true", 5, "expected the end"),
            ("state(\"u", 6, "does not end"),
            ("knows(x = 99999999999999999999)", 10, "too large"),
            ("a # b", 2, "no meaning"),
            ("", 0, "expected"),
        ] {
            let e = text.parse::<Formula>().expect_err(text);
            assert_eq!(e.span.start, start, "{text}: {e}");
            assert!(e.message.contains(part), "{text}: {e}");
        }
    }

    #[test]
    fn words_of_time_bind_as_they_should() {
        reads_back("always eventually knows(a) & true", "always eventually knows(a) & true");
        reads_back("(always eventually knows(a)) & true", "always eventually knows(a) & true");
        reads_back("always (knows(a) -> next knows(a))", "always (knows(a) -> next knows(a))");
        reads_back("!knows(a) | true unless knows(b) <-> true", "!knows(a) | true unless knows(b) <-> true");
        reads_back(
            "(true until false) until (false unless true)",
            "(true until false) until (false unless true)",
        );
        reads_back(
            "! (true until false) & always (true unless true)",
            "!(true until false) & always (true unless true)",
        );
        reads_back("next !next not true", "next !next !true");
        reads_back(
            "!knows(was(room = clinic) & initially(x = 1 | !wet))",
            "!knows(was(room = clinic) & initially(x = 1 | !wet))",
        );
        reads_back(
            "knows(was) & possible(initially = 3 & next)",
            "knows(was) & possible(initially = 3 & next)",
        );
        let f: Formula = "eventually knows(a) & knows(b)".parse().expect("a formula");
        assert!(matches!(&f, Logic::And(parts) if parts.len() == 2), "it binds like a negation");
        assert!(f.is_temporal() && f.predicates().len() == 2);
    }

    #[test]
    fn words_of_time_are_explained() {
        for (text, start, part) in [
            ("never knows(wet)", 0, "always !"),
            ("G knows(wet)", 0, "`always"),
            ("F knows(wet)", 0, "`eventually"),
            ("knows(wet) U true", 11, "until"),
            ("knows(wet) before true", 11, "unless"),
            ("knows(wet) at end", 11, "\"scope\": \"end\""),
            ("true until true until true", 16, "parentheses"),
            ("true & true until true | true unless false", 30, "parentheses"),
            ("knows(always wet)", 6, "outside"),
            ("knows(eventually (wet))", 6, "outside"),
            ("knows(was room = lab)", 6, "was(room = lab)"),
            ("K(wet)", 0, "knows"),
            ("knows(wet) within 3", 11, "\"within\": 3"),
            ("knows(wet until dry)", 10, "knows(…) until knows(…)"),
            ("knows(wet U dry)", 10, "until"),
            ("!knows(once(wet))", 7, "was(…)"),
            ("!knows(initial(wet))", 7, "initially(…)"),
            ("knows(F wet)", 6, "eventually"),
        ] {
            let e = text.parse::<Formula>().expect_err(text);
            assert_eq!(e.span.start, start, "{text}: {e}");
            assert!(e.help.as_ref().is_some_and(|help| help.contains(part)), "{text}: {:?}", e.help);
        }
    }

    #[test]
    fn deep_nesting_is_an_error_and_long_chains_are_not() {
        for unit in ["(", "!", "knows(", "always ", "knows(was("] {
            let e = unit.repeat(100_000).parse::<Formula>().expect_err("too deep");
            assert!(!e.message.is_empty());
        }
        let long = vec!["true"; 100_000].join(" -> ");
        assert!(long.parse::<Formula>().is_ok());
    }
}
