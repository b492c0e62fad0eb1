//! `divulge fmt`.

use divulge_model::{
    document::{self, Whom},
    language::{self, looks_like_json},
};

use crate::{
    arguments::Fmt,
    input::text,
    output::{Terminal, answer, to_file},
    status::{Failure, Status},
};

/// Prints models in canonical layout, or rewrites them, or says which are not in it.
pub fn run(asked: &Fmt, terminal: &Terminal) -> Result<Status, Failure> {
    let mut status = Status::Yes;
    for path in &asked.files {
        let (name, text) = text(path, None)?;
        let formatted = if looks_like_json(&text) {
            let document = document::read_for(&name, &text, Whom::Anybody)?;
            document.total_maps()?;
            document::to_string(&document.problem)
        } else {
            language::format(&name, &text)?
        };
        if asked.check {
            if formatted != text {
                status = Status::No;
                terminal.note(&format!("{name} is not in canonical layout\n"));
            }
        } else if !asked.write {
            answer(|out| out.write_all(formatted.as_bytes()))?;
        } else if path == "-" {
            return Err(Failure::new("standard input cannot be rewritten", "leave out --write to print it"));
        } else if formatted != text {
            to_file(path, |out| out.write_all(formatted.as_bytes()))?;
            terminal.note(&format!("{name} rewritten\n"));
        }
    }
    Ok(status)
}
