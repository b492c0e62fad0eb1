//! What is wrong with a file of another tool, and where.

use std::fmt;

/// What kind of mistake it is: whoever shows it gives each kind a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The text is not laid out as the format asks for.
    Syntax,
    /// A name that the file does not define, or defines twice.
    Name,
    /// A value of the wrong type, out of its range, or missing.
    Value,
    /// The format has it, but a world has no counterpart for it.
    Unsupported,
    /// Too many states or transitions to list.
    TooLarge,
}

/// A place in one of the texts that were read: bytes, the end exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Which text: 0 is the first.
    pub text: usize,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// What is wrong, in one sentence without a final full stop.
    pub message: String,
    /// Where, if it has a place.
    pub place: Option<Place>,
    /// A few words beside the place; may be empty.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Fault {
    /// A mistake without a place.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: None, label: String::new(), help: None }
    }

    /// Says where it is, with a few words to stand beside it.
    #[must_use]
    pub fn at(mut self, place: Place, label: impl Into<String>) -> Self {
        self.place = Some(place);
        self.label = label.into();
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Says what to do about it, if that is known.
    #[must_use]
    pub fn help_opt(mut self, text: Option<String>) -> Self {
        self.help = text;
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// The mistakes found so far; a reader goes on after one, and gives up after many.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    list: Vec<Fault>,
}

impl Faults {
    /// After so many a reader gives up.
    pub const MOST: usize = 20;

    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&mut self, fault: Fault) {
        if self.list.len() < Self::MOST {
            self.list.push(fault);
        }
    }

    /// Whether there are so many that looking for more is pointless.
    pub fn is_full(&self) -> bool {
        self.list.len() >= Self::MOST
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What was read, unless something is wrong.
    ///
    /// # Errors
    /// All mistakes, in the order of the text as far as they have a place.
    pub fn or<T>(self, read: impl FnOnce() -> T) -> Result<T, Vec<Fault>> {
        if self.list.is_empty() { Ok(read()) } else { Err(self.into_list()) }
    }

    /// The mistakes, in the order of the text as far as they have a place; those without one come last.
    pub fn into_list(mut self) -> Vec<Fault> {
        self.list.sort_by_key(|fault| fault.place.map_or((usize::MAX, 0), |place| (place.text, place.start)));
        self.list
    }
}
