//! What was probably meant, for slips that people make who know other languages.

use super::super::ast::Time;
use super::super::lexer::Token;
use super::Parser;
use crate::diagnostic::{Fix, Span};

/// What to do, and perhaps the change that does it.
type Hint = (String, Option<Fix>);

/// What kind of line belongs to what, for a word that starts no line where it stands.
pub(super) fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word {
        "stipulate" | "sees" | "filter" | "merge" | "separate" | "fixed" | "unseen" | "knows" => {
            "a line like this belongs to an observer: `observer NAME { … }`"
        }
        "action" | "observe" | "goal" | "picture" => "a line like this belongs to the world: `world { … }`",
        "start" => "it belongs to the world, `world { … }`, or to a vertex of a graph, as in `u0: start`",
        "model" | "include" | "const" | "let" | "type" | "def" | "cost" | "use" => {
            "a line like this stands outside of all braces"
        }
        "init" | "initial" | "initially" => {
            "a variable starts with the value after `=`, as in `x: 0..3 = 0`; for more, write `start where …`"
        }
        "var" | "variable" | "variables" | "int" | "enum" => {
            "a variable stands alone with its values: `x: 0..3 = 0`, or `who: {ann, ben}`"
        }
        "assert" | "require" | "requires" | "property" | "invariant" | "hide" | "secret" => {
            "what an observer may know is a stipulation, in that observer: `stipulate NAME: always !knows(…)`"
        }
        "import" => "another file is taken in by `include \"other.divulge\"`",
        "fn" | "function" | "define" | "macro" => "a condition or value is named by `def NAME = …`",
        "agent" | "attacker" | "intruder" | "spectator" | "watcher" => {
            "who watches is an `observer NAME { … }`"
        }
        _ => return None,
    })
}

impl Parser<'_> {
    /// What to do about `token`, which stands where something else is wanted.
    pub(super) fn hint(&mut self, token: Token, wanted: &str) -> Option<Hint> {
        let (here, last) = (self.slice(token.span), self.slice(self.last));
        if token.first && !matches!(wanted, "`..`" | "`:`") && !wanted.starts_with("`as`") {
            return None;
        }
        let write = |new: &str| Some(Fix::replace(format!("write `{new}`"), token.span, new));
        let line_ends = wanted.contains("end of the line");
        Some(match (here, wanted) {
            ("when", "an assignment") => (
                "the condition stands before the braces: `action NAME when CONDITION { … }`".to_owned(),
                None,
            ),
            ("when", _) if line_ends => ("join a second condition with `&`".to_owned(), None),
            ("if", _) if line_ends && !self.planning => {
                ("a condition stands after `when`".to_owned(), write("when"))
            }
            ("else", _) if line_ends && !self.planning => {
                ("the line for all other cases ends with `otherwise`".to_owned(), write("otherwise"))
            }
            ("=", "`:=`") => {
                ("`:=` gives a variable a value; `=` asks for the value that it has".to_owned(), write(":="))
            }
            ("+" | "-", "`:=`") => {
                let name = self.slice(self.last);
                (format!("write the whole new value: `{name} := {name} {here} 1`"), None)
            }
            ("and", wanted) if wanted.starts_with("`as`") => {
                let joined = Span { start: self.last.end, ..token.span };
                (
                    "events are parted by commas: `a, b as x`".to_owned(),
                    Some(Fix::replace("write `,`", joined, ",")),
                )
            }
            ("=" | "->" | ":" | ":=", wanted) if wanted.starts_with("`as`") => {
                ("`as` says what events look like".to_owned(), write("as"))
            }
            ("unseen" | "hidden" | "invisible" | "unobserved" | "unobservable" | "never", wanted)
                if wanted.starts_with("`as`") =>
            {
                ("what is not noticed is seen `not at all`".to_owned(), write("not at all"))
            }
            (_, wanted) if wanted.starts_with("`as`") => self.bare(token),
            ("directed", "`-`") => ("write `knows goal-directed`".to_owned(), write("-directed")),
            ("=", "`{`") if self.planning => {
                let help =
                    "a plan asks what was observed last: write the observation alone, as in `if red { … }`";
                (help.to_owned(), None)
            }
            (",", "`{`") => ("write a block in braces for each of them".to_owned(), None),
            (":", "`{`") => ("what belongs to it stands in braces: `{ … }`".to_owned(), None),
            (_, "`..`") => ("a range is written `0..3`, a list of values `{red, green}`".to_owned(), None),
            ("[" | "(", "a value or a condition") if last == ":" => (
                "a range is written `0..3`, without brackets; a list of values `{red, green}`".to_owned(),
                None,
            ),
            ("[", "a value or a condition") => ("conditions are grouped by `(` and `)`".to_owned(), None),
            ("{", _) if line_ends && matches!(last, "enum" | "set" | "oneof" | "one_of" | "values") => {
                let word = Span { end: token.span.start, ..self.last };
                let fix = Fix::replace(format!("remove `{last}`"), word, "");
                ("a list of values needs no word before it: `{red, green}`".to_owned(), Some(fix))
            }
            (":=", _) if line_ends => {
                ("the value at the start stands after `=`: `x: 0..3 = 0`".to_owned(), write("="))
            }
            ("," | "->", _) if line_ends && self.planning => {
                let parted = Span { start: self.last.end, ..token.span };
                let fix = Fix::replace("write `;`", parted, ";");
                (
                    "the steps of a plan are parted by `;`, or stand on lines of their own".to_owned(),
                    Some(fix),
                )
            }
            ("then", "`{`") => {
                let word = Span { start: self.last.end, ..token.span };
                (
                    "no `then` stands before the braces".to_owned(),
                    Some(Fix::replace("remove `then`", word, "")),
                )
            }
            ("(", _) if line_ends => self.parameters(token)?,
            (_, "a name for the stipulation") => (NAMED.to_owned(), None),
            (_, "`:`") if self.named => self.unnamed(token),
            ("goal_directed" | "goaldirected", wanted) if wanted.contains("`goal-directed`") => {
                ("write `knows goal-directed`".to_owned(), write("goal-directed"))
            }
            (_, wanted) if wanted.ends_with("`goal-directed`, `world` or `graph`") => {
                self.unknown_knowledge(token)
            }
            _ => return None,
        })
    }

    /// `sees everything`, or `sees lamp`: events without what they look like.
    fn bare(&mut self, token: Token) -> Hint {
        let last = self.last;
        let write = |new: &str| Some(Fix::replace(format!("write `{new}`"), last, new));
        match self.slice(last) {
            "everything" | "all" | "anything" => (
                "to see all events as they are, write `sees others as themselves`".to_owned(),
                write("others as themselves"),
            ),
            "nothing" => (
                "to see nothing at all, write `sees others not at all`".to_owned(),
                write("others not at all"),
            ),
            _ if !token.first && !matches!(self.slice(token.span), ";" | "}") => {
                ("events are parted by commas: `a, b as x`".to_owned(), None)
            }
            label => (
                format!("to see it as it is, write `{label} as itself`"),
                Some(Fix::insert_after("write `as itself`", last, " as itself")),
            ),
        }
    }

    /// `action left()`.
    fn parameters(&mut self, token: Token) -> Option<Hint> {
        let close = self.peek_nth(1);
        let help =
            "nothing stands in parentheses here; an action is `action NAME when CONDITION { … }`".to_owned();
        let both = token.span.to(close.span);
        let fix = (self.slice(close.span) == ")").then(|| Fix::replace("remove `()`", both, ""));
        (!self.planning).then_some((help, fix))
    }

    /// `stipulate always p`, or `stipulate secret always p`.
    fn unnamed(&mut self, token: Token) -> Hint {
        let last = self.slice(self.last);
        let named = Time::before(last).is_none() && !matches!(last, "at" | "never" | "hindsight" | "run");
        let fix = (named && !token.first).then(|| Fix::insert_after("write `:`", self.last, ":"));
        (NAMED.to_owned(), fix)
    }

    fn unknown_knowledge(&mut self, token: Token) -> Hint {
        let here = self.slice(token.span);
        let lower = here.to_lowercase();
        if here != lower && matches!(lower.as_str(), "plan" | "world" | "graph" | "plans") {
            return (
                format!("write `{lower}`"),
                Some(Fix::replace(format!("write `{lower}`"), token.span, lower)),
            );
        }
        if here == "the" {
            return ("leave `the` out".to_owned(), None);
        }
        let help =
            "it says what the observer knows of the plan: `knows plan`, or `knows world` for the world alone";
        (help.to_owned(), None)
    }
}

const NAMED: &str = "a stipulation has a name, then `:`, as in `stipulate secret: always !knows(x = 3)`";
