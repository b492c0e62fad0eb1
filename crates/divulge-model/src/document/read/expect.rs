//! Values of the types that the document asks for, and objects with known fields.

use std::borrow::Cow;

use super::json::{Reader, Step, Token, span};
use crate::diagnostic::{Code, Diagnostic, did_you_mean, nearest};

/// The most fields that an object of the document has.
const MOST: usize = 8;

/// The fields of one object: which are known, and where each was given.
pub struct Fields {
    what: &'static str,
    known: &'static [&'static str],
    given: [Option<Token>; MOST],
    /// Fields that an unknown one was probably meant to be: that they are missing needs no second report.
    meant: [bool; MOST],
    start: usize,
}

impl Fields {
    /// `what` is the object in words, such as "an edge"; the reader stands before it.
    pub fn new(reader: &mut Reader<'_>, what: &'static str, known: &'static [&'static str]) -> Self {
        debug_assert!(known.len() <= MOST);
        reader.peek();
        Self { what, known, given: [None; MOST], meant: [false; MOST], start: reader.at }
    }

    /// The field that `key` names. Unknown and repeated ones are reported and their values passed over: then `None`.
    pub fn take(&mut self, r: &mut Reader<'_>, key: Token) -> Step<Option<&'static str>> {
        let name = r.say(key);
        let Some(i) = self.known.iter().position(|k| *k == name) else {
            self.unknown(r, key, &name)?;
            r.skip()?;
            return Ok(None);
        };
        if let Some(first) = self.given[i].replace(key) {
            repeated(r, key, first, &format!("`{name}`"))?;
            r.skip()?;
            return Ok(None);
        }
        Ok(Some(self.known[i]))
    }

    fn unknown(&mut self, r: &mut Reader<'_>, key: Token, name: &str) -> Step<()> {
        let known = self.known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ");
        let near = nearest(name, self.known.iter().copied());
        if let Some(i) = near.and_then(|near| self.known.iter().position(|k| *k == near)) {
            self.meant[i] = true;
        }
        let help = match near {
            _ if self.what == "an observer" && matches!(name, "unseen" | "hidden" | "unobservable" | "invisible") => {
                "for an event that is not seen at all, let its image in `map` be null; in `map_constraints`, `unseen` lists such labels".to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the fields of {} are {known}", self.what),
        };
        r.report(
            Diagnostic::new(Code::DocUnknownField, format!("{} has no field `{name}`", self.what))
                .at(key.span(), "unknown field")
                .help(help),
        )
    }

    /// Whether the field was given, or probably meant.
    pub fn has(&self, name: &str) -> bool {
        self.known.iter().position(|k| *k == name).is_some_and(|i| self.given[i].is_some() || self.meant[i])
    }

    /// Reports those of `needed` that were not given; the reader stands after the object.
    pub fn require(&self, r: &mut Reader<'_>, needed: &[(&'static str, &'static str)]) -> Step<()> {
        if self.given[..self.known.len()].iter().all(Option::is_some) {
            return Ok(());
        }
        for (name, help) in needed {
            if !self.has(name) {
                // The object's end is where the field can be added.
                let d = Diagnostic::new(Code::DocMissing, format!("{} needs a field `{name}`", self.what))
                    .at(span(r.at.saturating_sub(1), r.at), format!("`{name}` is missing"))
                    .help(*help);
                let far = r.at - self.start > 1000 || r.text[self.start..r.at].contains('\n');
                let d = if far {
                    d.note_at(span(self.start, self.start + 1), "the object begins here")
                } else {
                    d
                };
                r.report(d)?;
            }
        }
        Ok(())
    }
}

/// Reports a key given twice in one object.
pub fn repeated(r: &mut Reader<'_>, key: Token, first: Token, name: &str) -> Step<()> {
    r.report(
        Diagnostic::new(Code::DocRepeated, format!("{name} is given twice in one object"))
            .at(key.span(), "the second")
            .note_at(first.span(), "the first")
            .help("keep one of them"),
    )
}

impl<'t> Reader<'t> {
    /// What stands here, in words.
    pub fn found_here(&mut self) -> &'static str {
        match self.peek() {
            b'{' => "an object",
            b'[' => "a list",
            b'"' => "a string",
            b'-' | b'0'..=b'9' => "a number",
            b't' | b'f' => "a boolean",
            b'n' => "null",
            _ => "something else",
        }
    }

    /// Reports that a value is not of the type that is needed, and passes over it.
    pub fn wrong(&mut self, needed: &str, help: Option<&str>) -> Step<()> {
        let found = self.found_here();
        let start = self.at;
        self.skip()?;
        // A long value is marked at its beginning.
        let end = self.text[start..self.at].find('\n').map_or(self.at, |n| start + n);
        self.report(
            Diagnostic::new(Code::DocType, format!("expected {needed}, found {found}"))
                .at(span(start, end), format!("expected {needed}"))
                .help_opt(help.map(str::to_owned)),
        )
    }

    /// A text; `needed` says what it is for. Anything else is reported, and `None`.
    pub fn expect_text(&mut self, needed: &str) -> Step<Option<Token>> {
        if self.peek() == b'"' {
            return self.token().map(Some);
        }
        self.wrong(needed, None).map(|()| None)
    }

    /// An object; anything else is reported, and `false`.
    pub fn expect_object(
        &mut self,
        needed: &str,
        each: impl FnMut(&mut Self, Token) -> Step<()>,
    ) -> Step<bool> {
        let found = self.object(each)?;
        if !found {
            self.wrong(needed, None)?;
        }
        Ok(found)
    }

    /// A list; anything else is reported, and `false`.
    pub fn expect_list(&mut self, needed: &str, each: impl FnMut(&mut Self) -> Step<()>) -> Step<bool> {
        let found = self.list(each)?;
        if !found {
            self.wrong(needed, None)?;
        }
        Ok(found)
    }

    /// `true` or `false`; anything else is reported, and `None`.
    pub fn expect_bool(&mut self, needed: &str) -> Step<Option<bool>> {
        if matches!(self.peek(), b't' | b'f') {
            return self.word().map(|w| Some(w == "true"));
        }
        self.wrong(needed, None).map(|()| None)
    }

    /// An integer of the given type; anything else is reported, and `None`.
    pub fn expect_integer<N: std::str::FromStr>(&mut self, needed: &str) -> Step<Option<N>> {
        if !matches!(self.peek(), b'-' | b'0'..=b'9') {
            return self.wrong(needed, None).map(|()| None);
        }
        let start = self.at;
        let text = self.number()?;
        // JSON's minus zero is zero.
        let plain = if text == "-0" { "0" } else { text };
        if let Ok(n) = plain.parse() {
            return Ok(Some(n));
        }
        let message = if text.contains(['.', 'e', 'E']) {
            format!("expected {needed}, found a fraction")
        } else {
            format!("expected {needed}, but this number is out of range")
        };
        self.report(
            Diagnostic::new(Code::DocType, message).at(span(start, self.at), format!("expected {needed}")),
        )?;
        Ok(None)
    }

    /// One of a few words; anything else is reported, and `None`.
    pub fn expect_word<T: Copy>(
        &mut self,
        needed: &str,
        words: &'static [(&'static str, T)],
    ) -> Step<Option<T>> {
        let Some(token) = self.expect_text(needed)? else { return Ok(None) };
        let text: Cow<'_, str> = self.say(token);
        if let Some((_, value)) = words.iter().find(|(w, _)| *w == text) {
            return Ok(Some(*value));
        }
        let known: Vec<String> = words.iter().map(|(w, _)| format!("\"{w}\"")).collect();
        let known = match known.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        };
        let help = elsewhere(needed, &text).map(Into::into);
        let help = help.or_else(|| did_you_mean(&text, words.iter().map(|(w, _)| *w)));
        self.report(
            Diagnostic::new(Code::DocValue, format!("{needed} must be {known}, not \"{text}\""))
                .at(token.span(), "")
                .help_opt(help),
        )?;
        Ok(None)
    }
}

/// What to write where a word stands that means something, but is no scope.
fn elsewhere(needed: &str, word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    Some(match word.as_str() {
        _ if needed != "a scope" => return None,
        "eventually" | "next" | "until" | "unless" | "finally" => {
            "write it in the formula, as in \"eventually knows(done)\", and give that \"scope\": \"run\""
        }
        "k-step" | "kstep" | "within" | "later" | "infinite-step" | "infinite" => {
            "for what is worked out later of an earlier moment, write \"scope\": \"hindsight\", perhaps with \"within\": 3"
        }
        "initial" | "initially" | "was" | "past" => {
            "write it in the formula: \"!knows(initially(secret))\", \"!knows(was(secret))\""
        }
        _ => return None,
    })
}
