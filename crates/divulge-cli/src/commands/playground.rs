//! `divulge playground`.

use divulge::Unlimited;
use divulge_playground::page::page;

use super::explore::{openable, told};
use crate::{
    arguments::Playground,
    output::{Terminal, to_file},
    status::{Failure, Status},
};

/// Writes the page in which models are written and asked about.
pub fn run(asked: &Playground, terminal: &Terminal) -> Result<Status, Failure> {
    openable(asked.open, Some(&asked.out))?;
    let text = page(&Unlimited)?;
    to_file(&asked.out, |out| out.write_all(text.as_bytes()))?;
    told(&asked.out, asked.open, terminal);
    Ok(Status::Yes)
}
