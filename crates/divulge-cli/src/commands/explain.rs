//! `divulge explain`.

use divulge_model::diagnostic::{Code, nearest};

use crate::{
    output::answer,
    status::{Failure, Status},
};

/// Prints what a code means at length, or the table of all codes.
pub fn run(code: Option<&str>) -> Result<Status, Failure> {
    let Some(id) = code else {
        answer(|out| Code::ALL.iter().try_for_each(|c| writeln!(out, "{}  {}", c.id(), c.title())))?;
        return Ok(Status::Yes);
    };
    let Some(code) = Code::from_id(id) else {
        let ids = Code::ALL.iter().map(|c| c.id());
        let help = match nearest(&id.to_ascii_uppercase(), ids) {
            Some(near) => format!("did you mean {near}? `divulge explain` lists all codes"),
            None => "`divulge explain` lists all codes".to_owned(),
        };
        return Err(Failure::new(format!("there is no code `{id}`"), help));
    };
    answer(|out| write!(out, "{}: {}\n\n{}", code.id(), code.title(), code.explanation()))?;
    Ok(Status::Yes)
}
