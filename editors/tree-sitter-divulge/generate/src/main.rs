//! Makes `src/parser.c` and what belongs to it from `grammar.js`, and `abi14/src/parser.c` for older editors. Node reads the grammar.

use std::{fs, path::Path, process::ExitCode};

use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The version of the format of parsers: the one that knows reserved words.
const ABI: usize = 15;

/// The version before, which editors with a tree-sitter older than 0.25 want. Its parser takes reserved words for names where nothing else fits.
const OLD_ABI: usize = 14;

fn generate(folder: &Path, out: Option<&Path>, abi: usize) -> Result<(), String> {
    let mut remarks = Vec::new();
    let (none, optimised) = (None::<&Path>, OptLevel::default());
    let made = generate_parser_in_directory(
        folder.to_owned(),
        out,
        none,
        abi,
        None,
        Some("node"),
        true,
        optimised,
        &mut remarks,
    );
    for remark in &remarks {
        eprintln!("{remark}");
    }
    made.map_err(|error| error.to_string())
}

fn all() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    generate(&folder, None, ABI)?;
    let old = folder.join("abi14/src");
    fs::create_dir_all(&old).map_err(|error| error.to_string())?;
    generate(&folder, Some(&old), OLD_ABI)?;
    // These are the same as those of the other.
    for same in ["grammar.json", "node-types.json"] {
        fs::remove_file(old.join(same)).map_err(|error| format!("{same}: {error}"))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
