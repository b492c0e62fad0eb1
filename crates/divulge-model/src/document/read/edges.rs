//! Edges as written, a batch at a time.

use std::ops::Range;

use super::{
    expect::Fields,
    json::{Reader, Step, Token, span},
};
use crate::diagnostic::Span;

/// So many edges are looked up together.
const SIZE: usize = 256;

/// One edge; its ends stand in the batch.
pub struct Edge {
    /// Which of the batch's labels it bears.
    pub labels: Range<usize>,
    /// The place of the list of labels, where that is a list of texts.
    pub labels_at: Option<Span>,
}

/// Some edges whose fields have been read, and whose names have not been looked up.
#[derive(Default)]
pub struct Batch {
    pub edges: Vec<Edge>,
    /// Source and target of each edge in turn.
    pub ends: Vec<Token>,
    pub labels: Vec<Token>,
}

impl Batch {
    pub fn is_full(&self) -> bool {
        self.edges.len() == SIZE
    }

    pub fn clear(&mut self) {
        self.edges.clear();
        self.ends.clear();
        self.labels.clear();
    }

    /// Reads one edge; one that cannot be understood is reported and left out.
    pub fn read_edge(&mut self, r: &mut Reader<'_>) -> Step<()> {
        let (mut from, mut to, mut labels_at) = (None, None, None);
        let mut fields = Fields::new(r, "an edge", &["from", "to", "labels"]);
        let first = self.labels.len();
        let found = r.expect_object("an object that describes an edge", |r, key| {
            match fields.take(r, key)? {
                Some("from") => from = r.expect_text("a vertex's name in quotes")?,
                Some("to") => to = r.expect_text("a vertex's name in quotes")?,
                Some(_) => labels_at = self.read_labels(r)?,
                None => {}
            }
            Ok(())
        })?;
        if !found {
            return Ok(());
        }
        fields.require(
            r,
            &[
                ("from", "it names the vertex where the edge begins"),
                ("to", "it names the vertex where the edge ends"),
                ("labels", "it lists the events that the edge bears"),
            ],
        )?;
        if let (Some(from), Some(to)) = (from, to) {
            self.ends.extend([from, to]);
            self.edges.push(Edge { labels: first..self.labels.len(), labels_at });
        }
        Ok(())
    }

    fn read_labels(&mut self, r: &mut Reader<'_>) -> Step<Option<Span>> {
        r.peek();
        let start = r.at;
        let mut sound = true;
        let found = r.expect_list("a list of labels", |r| {
            match r.expect_text("a label in quotes")? {
                Some(token) => self.labels.push(token),
                None => sound = false,
            }
            Ok(())
        })?;
        Ok((found && sound).then(|| span(start, r.at)))
    }
}
