//! What each crate offers, as a list: a change of it is seen as a change of `public-api.txt`.
//!
//! The sources are read, not compiled, so what a macro makes is not in the lists. Each item stands where it can be
//! reached by the longest path; other paths to it are listed as `pub use`.
//!
//! After a change that is meant: `UPDATE=1 cargo test -p divulge --test public_api`.

mod listing;
mod syntax;
mod tree;

use std::{fs, path::Path};

/// The libraries that are published.
const CRATES: [&str; 10] = [
    "divulge",
    "divulge-explore",
    "divulge-formats",
    "divulge-guard",
    "divulge-host",
    "divulge-lsp",
    "divulge-model",
    "divulge-picture",
    "divulge-playground",
    "divulge-render",
];

#[test]
fn the_lists_are_those_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut stale = Vec::new();
    for name in CRATES {
        let file = folder.join(name).join("tests/public-api.txt");
        let now = listing::of(&tree::Crate::read(name, &folder.join(name).join("src")));
        if std::env::var_os("UPDATE").is_some() {
            fs::create_dir_all(file.parent().expect("it is in a folder")).expect("the folder can be made");
            fs::write(&file, &now).expect("the list can be written");
            continue;
        }
        let before = fs::read_to_string(&file).unwrap_or_default();
        let only = |these: &str, those: &str, sign: &str| {
            let those: std::collections::BTreeSet<_> = those.lines().collect();
            let lines = these.lines().filter(|line| !those.contains(line));
            lines.map(|line| format!("{sign} {line}\n")).collect::<String>()
        };
        if before != now {
            stale.push(only(&before, &now, "-") + &only(&now, &before, "+"));
        }
    }
    assert!(
        stale.is_empty(),
        "what the crates offer has changed:\n{}If that is meant: UPDATE=1 cargo test -p divulge --test public_api",
        stale.concat()
    );
}

/// A crate that has what is hard to follow: paths, private modules, two things of one name.
#[test]
fn a_small_crate() {
    let listed = listing::of(&tree::Crate::of("small", include_str!("small.rs")));
    assert_eq!(listed, include_str!("small.txt"));
}
