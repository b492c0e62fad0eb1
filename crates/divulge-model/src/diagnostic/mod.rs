//! What is wrong with an input, where, and what to do about it.
//!
//! # Background
//! A reader of models never stops at the first mistake: it collects [`Diagnostic`]s into one [`Diagnostics`], which also
//! owns the [`Source`]s that their [`Span`]s point into, so that one value is enough to print everything.
//!
//! # Practical
//! ```
//! use divulge_model::diagnostic::{Code, Diagnostic, Diagnostics};
//! let mut diagnostics = Diagnostics::new();
//! let source = diagnostics.add_source("tiny.divulge", "goal at exti\n");
//! diagnostics.push(
//!     Diagnostic::new(Code::UnknownName, "`exti` is not known here")
//!         .at(source.span(8, 12), "no such name")
//!         .help("did you mean `exit`?"),
//! );
//! assert!(diagnostics.has_errors());
//! assert!(diagnostics.render(false).contains("tiny.divulge:1:9"));
//! ```
//!
//! # How to add a code
//! 1. Add a line to the table in `code.rs`: the next free number of its range, a variant name, a title.
//! 2. Write `explain/CODE.md`: what it means, a small wrong text and its remedy.
//! 3. Add a fixture that provokes it (`tests/fixtures/CODE.divulge` or `.json`); a test insists on it.

mod code;
mod decode;
mod fix;
mod list;
mod render;
mod source;

pub use code::{Code, explain};
pub use decode::decode;
pub use divulge::nearest;
pub use fix::{Advice, Edit, Fix, did_you_mean, spelt};
pub use list::listed;
pub use source::{Position, Source, SourceId, Span};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The input has a meaning, but probably not the intended one.
    Warning,
    /// The input has no meaning; no problem is produced.
    Error,
}

/// A remark below a finding, with a place of its own where that helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// One sentence without a final full stop.
    pub text: String,
    /// Another place to show, such as an earlier definition.
    pub span: Option<Span>,
}

/// One finding about an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, which fixes the severity too.
    pub code: Code,
    /// What is wrong, in one sentence without a final full stop.
    pub message: String,
    /// The place to underline; none where the finding concerns the input as a whole.
    pub span: Option<Span>,
    /// A few words printed beside the underlined place; may be empty.
    pub label: String,
    /// Background, in the order of printing.
    pub notes: Vec<Note>,
    /// What to do about it, in the order of printing.
    pub help: Vec<String>,
    /// What of that can be carried out as it is, the likeliest first.
    pub fixes: Vec<Fix>,
    /// Names to write in place of the one underlined; they become fixes once the texts are at hand.
    instead: Vec<String>,
}

impl Diagnostic {
    /// A finding without a place.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: message.into(),
            span: None,
            label: String::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
            instead: Vec::new(),
        }
    }

    /// Sets the place to underline and the words beside it (possibly none).
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Self {
        self.span = Some(span);
        self.label = label.into();
        self
    }

    /// Adds a remark.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note { text: text.into(), span: None });
        self
    }

    /// Adds a remark about another place, which is shown with it.
    pub fn note_at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.notes.push(Note { text: text.into(), span: Some(span) });
        self
    }

    /// Adds advice.
    pub fn help(mut self, advice: impl Into<Advice>) -> Self {
        let Advice { text, instead } = advice.into();
        self.help.push(text);
        self.instead.extend(instead);
        self
    }

    /// Adds advice if there is any.
    pub fn help_opt(self, advice: Option<impl Into<Advice>>) -> Self {
        match advice {
            Some(advice) => self.help(advice),
            None => self,
        }
    }

    /// Adds a way to carry the advice out.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Whether it is an error or a warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// All findings about one input, and the texts that they point into.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    sources: Vec<Source>,
    list: Vec<Diagnostic>,
    remarks: Vec<String>,
    errors: usize,
    warnings: usize,
}

impl Diagnostics {
    /// After so many errors a reader should give up: see [`Diagnostics::is_full`].
    pub const MAX_ERRORS: usize = 20;
    /// Warnings beyond this number are counted but not kept.
    pub const MAX_WARNINGS: usize = 50;

    /// No findings, no sources.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a text; spans into it are made with the returned id.
    pub fn add_source(&mut self, name: impl Into<String>, text: impl Into<std::sync::Arc<str>>) -> SourceId {
        self.sources.push(Source::new(name, text));
        SourceId(self.sources.len() as u32 - 1)
    }

    /// A registered text. Cloning it is cheap: the text is shared.
    pub fn source(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    /// The registered texts in the order of registration.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Records a finding. Beyond the limits it is only counted.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        let (count, limit) = match diagnostic.severity() {
            Severity::Error => (&mut self.errors, Self::MAX_ERRORS),
            Severity::Warning => (&mut self.warnings, Self::MAX_WARNINGS),
        };
        *count += 1;
        if *count > limit {
            return;
        }
        if let Some(span) = diagnostic.span {
            let names = std::mem::take(&mut diagnostic.instead);
            diagnostic.fixes.extend(names.iter().filter_map(|name| self.rename(span, name)));
        }
        self.list.push(diagnostic);
    }

    /// Records something that is worth saying, although nothing is wrong: a sentence without a final full stop.
    pub fn remark(&mut self, text: impl Into<String>) {
        self.remarks.push(text.into());
    }

    /// What is worth saying, although nothing is wrong: how a file of another tool was understood.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Whether so many errors were recorded that looking for more is pointless.
    pub fn is_full(&self) -> bool {
        self.errors >= Self::MAX_ERRORS
    }

    /// Whether some finding is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of errors found, including those beyond the limit.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The number of warnings found, including those beyond the limit.
    pub fn warnings(&self) -> usize {
        self.warnings
    }

    /// The findings kept, in the order in which they were recorded.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Whether nothing at all was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Everything as text for people, with ANSI colours if wanted. Empty if nothing was found.
    pub fn render(&self, colour: bool) -> String {
        render::render(self, colour)
    }

    /// The line and column where a span starts.
    pub fn position(&self, span: Span) -> Position {
        self.source(span.source).position(span.start)
    }
}
