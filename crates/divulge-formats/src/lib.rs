//! The files of neighbouring fields, read as worlds and written again.
//!
//! # Background
//! Automata ([`fsm`], [`faudes`], [`aut`]) have events, some of which nobody sees; a [`prism`] model and a planning problem
//! ([`pddl`]) have states that a robot may or may not tell apart. Every reader makes a [`Machine`]: states, events and what a
//! robot observes on the way; [`Machine::problem`] turns it into a world.
//!
//! # Practical
//! [`recognise`] tells from name and content what a file is; [`read()`] reads it. What is wrong comes as [`Fault`]s with places, several at once.
//! The crate reads no files itself, and never panics whatever the text.
//!
//! # How to add a format
//! 1. A folder with `read.rs`, which makes a [`Machine`], and says in its notes what was taken for what and what was dropped.
//! 2. A variant of [`Format`], and how it is recognised, in `recognise.rs`.
//! 3. Small files of its own in the tests, truncated and mutated ones by `tests/hostile.rs`; `docs/formats.md`.

pub mod aut;
mod automaton;
pub mod faudes;
mod fault;
pub mod fsm;
mod machine;
mod packed;
pub mod pddl;
pub mod prism;
mod recognise;
mod text;
pub mod tokens;

pub use automaton::{Automaton, Unwritable};
pub use fault::{Fault, FaultKind, Faults, Place};
pub use machine::{Facts, Fixed, Machine, Property, Step, THEN};
pub use recognise::{Format, Recognised, recognise};

use divulge::limit::{Limit, Monitor};

/// Why there is nothing to show for a file.
#[derive(Debug)]
pub enum Failed {
    /// It cannot be read: what is wrong.
    Faults(Vec<Fault>),
    /// A limit was hit.
    Limit(Limit),
}

impl Failed {
    /// The same, of a text that has so many bytes more before it.
    fn later(mut self, bytes: usize) -> Self {
        if let Failed::Faults(faults) = &mut self {
            for place in faults.iter_mut().filter_map(|fault| fault.place.as_mut()).filter(|p| p.text == 0) {
                (place.start, place.end) = (place.start + bytes, place.end + bytes);
            }
        }
        self
    }
}

impl From<Vec<Fault>> for Failed {
    fn from(faults: Vec<Fault>) -> Self {
        Failed::Faults(faults)
    }
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Failed::Faults(vec![fault])
    }
}

impl From<Limit> for Failed {
    fn from(limit: Limit) -> Self {
        Failed::Limit(limit)
    }
}

/// What a file needs besides its own text.
#[derive(Clone, Copy, Default)]
pub struct Beside<'a> {
    /// Values of constants that the file leaves open, or gives.
    pub constants: &'a [(String, String)],
    /// The text of the domain that a planning problem belongs to.
    pub domain: Option<&'a str>,
}

/// Reads a text of a format that was [recognised](recognise).
///
/// # Errors
/// All that is wrong with it, as far as that can be told at once; or the limit that was hit.
pub fn read(
    format: Format,
    text: &str,
    beside: Beside<'_>,
    monitor: &dyn Monitor,
) -> Result<Machine, Failed> {
    if let (false, Some((name, _))) = (format == Format::Prism, beside.constants.first()) {
        let message = format!("`{name}` cannot be set: {} has no constants", format.title());
        return Err(Fault::new(FaultKind::Value, message).help("leave it out").into());
    }
    if format != Format::Pddl && beside.domain.is_some() {
        let message = format!("{} has no domain", format.title());
        return Err(Fault::new(FaultKind::Value, message)
            .help("leave out --domain, which is for PDDL")
            .into());
    }
    // Some editors put a mark before the first character.
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        return read(format, rest, beside, monitor).map_err(|failed| failed.later(text.len() - rest.len()));
    }
    match format {
        Format::Fsm => Ok(fsm::read(text)?),
        Format::Faudes => Ok(faudes::read(text)?),
        Format::Aut => Ok(aut::read(text)?),
        Format::Prism => prism::read(text, beside.constants, monitor),
        Format::Pddl => pddl::read(text, beside.domain, monitor),
    }
}
