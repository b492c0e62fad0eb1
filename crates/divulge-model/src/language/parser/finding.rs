//! What is wrong where the parser cannot go on.

use super::super::lexer::{Kind, Token};
use super::super::temporal;
use super::{Failed, Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic, Fix, Span, did_you_mean};

impl Parser<'_> {
    pub(super) fn fail<T>(&mut self, finding: Diagnostic) -> Parsed<T> {
        self.diagnostics.push(finding);
        Err(Failed)
    }

    pub(super) fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let token = self.peek();
        if token.span.start < self.lexer.unreadable {
            return Err(Failed);
        }
        if let Some(finding) = self.word_of_time(token) {
            return self.fail(finding);
        }
        let (found, at) = self.found(token);
        let mut finding = Diagnostic::new(Code::Unexpected, format!("expected {wanted}, found {found}"))
            .at(at, format!("expected {wanted}"));
        if let Some((help, fix)) = self.hint(token, wanted) {
            finding = finding.help(help);
            if let Some(fix) = fix {
                finding = finding.fix(fix);
            }
        }
        self.fail(finding)
    }

    /// What was probably meant, for slips that people make who know other languages.
    fn hint(&self, token: Token, wanted: &str) -> Option<(String, Option<Fix>)> {
        let here = self.slice(token.span);
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
            ("=", wanted) if wanted.starts_with("`as`") => {
                ("`as` says what events look like".to_owned(), write("as"))
            }
            ("=", "`{`") if self.planning => {
                let help =
                    "a plan asks what was observed last: write the observation alone, as in `if red { … }`";
                (help.to_owned(), None)
            }
            (":", "`{`") => ("what belongs to it stands in braces: `{ … }`".to_owned(), None),
            (_, "`..`") => ("a range is written `0..3`, a list of values `{red, green}`".to_owned(), None),
            _ => return None,
        })
    }

    /// What is wrong in a stipulation that cannot be read on at `token`, if a word of time is: this one, as in
    /// `p until q`, or the one before, as in `never p`.
    pub(super) fn word_of_time(&mut self, token: Token) -> Option<Diagnostic> {
        if !self.stipulating || token.first {
            return None;
        }
        let (here, before) = (self.word_at(token), self.slice(self.last));
        let next = self.peek_nth(1);
        if here == "at" && matches!(self.word_at(next), "end" | "the") {
            return Some(
                Diagnostic::new(Code::TemporalWord, "the scope stands before the formula")
                    .at(token.span, "")
                    .help("write `stipulate name: at end ...`"),
            );
        }
        if let Some(advice) = temporal::advice(here) {
            return Some(temporal::finding(here, token.span, advice));
        }
        let formula = token.kind == Kind::Sign("!") || ["knows", "possible", "state", "not"].contains(&here);
        if temporal::is_letter(before) && !formula {
            return None;
        }
        temporal::advice(before).map(|advice| temporal::finding(before, self.last, advice))
    }

    /// Whether the next item begins here, so that what is still wanted is missing from the line before.
    pub(super) fn next_item(&mut self) -> bool {
        const WORDS: [&str; 16] = [
            "cost",
            "filter",
            "fixed",
            "graph",
            "max",
            "merge",
            "min",
            "model",
            "picture",
            "sees",
            "separate",
            "start",
            "stipulate",
            "type",
            "unseen",
            "use",
        ];
        let token = self.peek();
        if !token.first || token.span.start == self.item || !WORDS.contains(&self.word_at(token)) {
            return false;
        }
        let next = self.peek_nth(1);
        let joins = ["as", "by", "otherwise", "when"].contains(&self.word_at(next));
        !next.first && matches!(next.kind, Kind::Word | Kind::Text) && !joins
    }

    /// What stands where something else was expected. If it is on a line after the item's, the place is where that line
    /// ends.
    pub(super) fn found(&self, token: Token) -> (String, Span) {
        let after = Span { start: self.last.end, ..self.last };
        match token.kind {
            Kind::End => (self.describe(token), after),
            _ if token.first && token.span.start != self.item => ("the end of the line".to_owned(), after),
            _ => (self.describe(token), token.span),
        }
    }

    pub(super) fn describe(&self, token: Token) -> String {
        match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ if token.span.end - token.span.start > 60 => "something very long".to_owned(),
            _ => format!("`{}`", self.slice(token.span)),
        }
    }

    pub(super) fn unclosed(&mut self, open: Span, sign: &str) {
        // If reading was given up, the end is not the model's.
        if self.lexer.gave_up || self.diagnostics.is_full() {
            return;
        }
        let at = self.peek().span;
        let line = if self.text.ends_with('\n') { format!("{sign}\n") } else { format!("\n{sign}\n") };
        self.diagnostics.push(
            Diagnostic::new(Code::Unclosed, format!("`{sign}` is missing"))
                .at(open, "opened here, never closed")
                .note_at(at, "the file ends here")
                .help(format!("add the closing `{sign}`"))
                .fix(Fix::replace(format!("add `{sign}` at the end"), at, line)),
        );
    }

    /// A line that starts with no known word.
    pub(super) fn unknown_item<T>(&mut self, place: &str, words: &[&str]) -> Parsed<T> {
        let token = self.peek();
        if token.span.start < self.lexer.unreadable {
            return Err(Failed);
        }
        let found = self.describe(token);
        let advice = match self.word_at(token) {
            "" => None,
            word => did_you_mean(word, words.iter().copied()),
        };
        let quoted = |w: &&str| if w.contains('`') { (*w).to_owned() } else { format!("`{w}`") };
        let known = words.iter().map(quoted).collect::<Vec<_>>().join(", ");
        let mut finding = Diagnostic::new(Code::UnknownItem, format!("no line {place} starts with {found}"))
            .at(token.span, "");
        finding = match advice {
            Some(advice) => finding.help(advice),
            None => finding.help(format!("a line here starts with {known}")),
        };
        self.fail(finding)
    }
}
