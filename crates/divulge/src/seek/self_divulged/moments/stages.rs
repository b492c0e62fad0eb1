//! The field as far as plans of so many events can use it, which may be little of it.
//!
//! *Background.* Let a node be *within* k events if the events that it takes to get there and those that the robot needs from there on, whoever watches, are
//! no more than k together. Where a plan of at most k events may be, everything is within k, and so is everything that such a plan may visit until it ends. So on these nodes alone, whatever is
//! asked of k events or fewer has the same answer: a node has the same rank there, if that is not too large to count. What was found out about nodes with what
//! may still be spent there stays true when more nodes become known.

use std::cell::OnceCell;

use super::field::{Explorer, Field};
use crate::limit::Limit;

/// A field of so few nodes is found as a whole at once.
pub(super) const FEW: usize = 1 << 15;

/// How many stages there may be; each has many more nodes than the one before.
pub(super) const STAGES: usize = 16;

/// How many times as many nodes the next stage has, at least.
const TIMES: usize = 8;

/// A field that grows.
pub(super) struct Stages<'f, 'e, 'a> {
    /// What is known of it.
    pub field: &'f Field,
    /// Plans of more events may use more than that.
    pub most: u32,
    rest: Option<Rest<'f, 'e, 'a>>,
}

/// Where more of it comes from.
struct Rest<'f, 'e, 'a> {
    explorer: &'e mut Explorer<'a>,
    fields: &'f [OnceCell<Field>],
}

impl<'f, 'e, 'a> Stages<'f, 'e, 'a> {
    /// A field that is known.
    pub fn of(field: &'f Field) -> Self {
        Self { field, most: u32::MAX, rest: None }
    }

    /// The first of these fields, which are not known yet.
    pub fn new(explorer: &'e mut Explorer<'a>, fields: &'f [OnceCell<Field>]) -> Result<Self, Limit> {
        let (most, enough) = (explorer.least(), 2 * explorer.len());
        let most = further(explorer, most, enough)?;
        let field = explorer.field();
        let (field, fields) = (fields[0].get_or_init(|| field), &fields[1..]);
        let rest = (!explorer.is_done()).then_some(Rest { explorer, fields });
        Ok(Self { field, most, rest })
    }

    /// No plan has fewer events, of those that have at least so many.
    pub fn least(&self, events: u32) -> u32 {
        events.max(self.field.rank[0].min(self.most.saturating_add(1)))
    }

    /// Whether there is no plan of any length, as far as single nodes tell.
    pub fn is_hopeless(&self) -> bool {
        self.rest.is_none() && self.field.rank[0] == u32::MAX
    }

    /// Goes on to plans of more events.
    pub fn further(&mut self) -> Result<(), Limit> {
        let Some(Rest { explorer, fields }) = &mut self.rest else { return Ok(()) };
        let more = self.most.saturating_add((self.most / 4).max(2));
        let enough = match fields.len() {
            0 | 1 => usize::MAX,
            _ => TIMES * explorer.len(),
        };
        self.most = further(explorer, more, enough)?;
        self.next();
        Ok(())
    }

    /// Where more of it comes from, unless it is all known.
    pub fn explorer(&mut self) -> Option<&mut Explorer<'a>> {
        self.rest.as_mut().map(|rest| &mut *rest.explorer)
    }

    /// Goes on to all of the field.
    pub fn complete(&mut self, field: Field) {
        if let Some(Rest { fields, .. }) = self.rest.take() {
            self.most = u32::MAX;
            self.field = fields[0].get_or_init(|| field);
        }
    }

    /// Makes a field of what was found.
    fn next(&mut self) {
        let Some(Rest { explorer, fields }) = self.rest.take() else { return };
        let field = explorer.field();
        self.field = fields[0].get_or_init(|| field);
        if !explorer.is_done() {
            self.rest = Some(Rest { explorer, fields: &fields[1..] });
        }
    }
}

/// Finds what plans of so many events can use, or of as many more as it takes for enough nodes; tells of how many.
fn further(explorer: &mut Explorer<'_>, mut most: u32, enough: usize) -> Result<u32, Limit> {
    loop {
        explorer.explore_within(most)?;
        if explorer.is_done() {
            return Ok(u32::MAX);
        }
        if explorer.len() >= enough {
            return Ok(most);
        }
        most = most.saturating_add((most / 8).max(2));
    }
}
