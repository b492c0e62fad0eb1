//! What is wrong where the parser cannot go on.

use super::super::lexer::{Kind, Token};
use super::super::temporal;
use super::{Failed, Parsed, Parser, hint};
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

    /// Whether an item begins here that belongs to a block around the one that is being read: one of the model, or one that starts
    /// with one of `outer`.
    pub(super) fn outer_item(&mut self, outer: &[&str]) -> bool {
        const TOP: [&str; 6] = ["def", "include", "let", "observer", "plan", "world"];
        let (token, next) = (self.peek(), self.peek_nth(1));
        let word = self.word_at(token);
        let assigned = matches!(next.kind, Kind::Sign(":=" | ":" | "=" | "," | "-"));
        token.first && !assigned && (TOP.contains(&word) || outer.contains(&word))
    }

    /// Whether the brace is missing that opens the block of a world, an observer or a plan, whose first item stands on the next line. It
    /// is reported then, and the block is read as if it were there.
    pub(super) fn unopened(&mut self) -> bool {
        let token = self.peek();
        if self.depth > 0 || !token.first || token.kind != Kind::Word || self.outer_item(&[]) {
            return false;
        }
        let (_, at) = self.found(token);
        self.diagnostics.push(
            Diagnostic::new(Code::Unexpected, "expected `{`, found the end of the line")
                .at(at, "expected `{`")
                .help("what belongs to it stands in braces: `{ … }`")
                .fix(Fix::insert_after("add `{`", self.last, " {")),
        );
        true
    }

    /// A brace that is missing before an item that cannot stand in its block.
    pub(super) fn unclosed_before(&mut self, open: Span, token: Token) {
        let line = self.text[..open.start].rfind('\n').map_or(0, |i| i + 1);
        let indent: String = self.text[line..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
        let brace = match self.text[open.start..self.last.end].contains('\n') {
            true => format!("\n{indent}}}"),
            false => " }".to_owned(),
        };
        let found = self.describe(token);
        self.diagnostics.push(
            Diagnostic::new(Code::Unclosed, format!("`}}` is missing before {found}"))
                .at(Span { start: self.last.end, ..self.last }, "expected `}`")
                .note_at(open, "opened here, never closed")
                .help("add the closing `}`")
                .fix(Fix::insert_after("add `}`", self.last, brace)),
        );
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

    fn closes_nothing<T>(&mut self, token: Token) -> Parsed<T> {
        self.fail(
            Diagnostic::new(Code::UnknownItem, "this `}` closes nothing")
                .at(token.span, "")
                .help("remove it, or look for a `}` above that closes too early")
                .fix(Fix::replace("remove `}`", token.span, "")),
        )
    }

    /// A line that starts with a word for which another is written.
    pub(super) fn unknown_item_but<T>(&mut self, place: &str, advice: &str) -> Parsed<T> {
        let token = self.peek();
        let message = format!("no line {place} starts with {}", self.describe(token));
        let failed = self.fail(Diagnostic::new(Code::UnknownItem, message).at(token.span, "").help(advice));
        // The rest of the line belongs to it.
        while !self.peek().first && !matches!(self.peek().kind, Kind::End | Kind::Sign("}" | ";")) {
            self.take();
        }
        failed
    }

    /// A line that starts with no known word.
    pub(super) fn unknown_item<T>(&mut self, place: &str, words: &[&str]) -> Parsed<T> {
        let token = self.peek();
        if token.span.start < self.lexer.unreadable {
            return Err(Failed);
        }
        if token.kind == Kind::Sign("}") {
            return self.closes_nothing(token);
        }
        let found = self.describe(token);
        let assigned = token.kind == Kind::Word && self.peek_nth(1).kind == Kind::Sign(":=");
        let advice = match self.word_at(token) {
            "" => None,
            _ if assigned => Some("a variable changes in an action: `action NAME { x := 1 }`".into()),
            word => {
                did_you_mean(word, words.iter().copied()).or_else(|| hint::elsewhere(word).map(Into::into))
            }
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
