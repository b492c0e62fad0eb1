//! Makes `src/parser.c` and what belongs to it from `grammar.js`. Node reads the grammar.

use std::{path::Path, process::ExitCode};

use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The version of the format of parsers: the one that knows reserved words.
const ABI: usize = 15;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut remarks = Vec::new();
    let (none, nowhere): (Option<&Path>, Option<&Path>) = (None, None);
    let made = generate_parser_in_directory(
        folder.clone(),
        nowhere,
        none,
        ABI,
        None,
        Some("node"),
        true,
        OptLevel::default(),
        &mut remarks,
    );
    for remark in &remarks {
        eprintln!("{remark}");
    }
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
