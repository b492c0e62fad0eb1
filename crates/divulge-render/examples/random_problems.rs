//! Writes random problems as documents, for tests of other programs that answer questions about them.
//!
//! `random_problems FOLDER COUNT SEED` writes COUNT problems for each question, as `QUESTION-NUMBER.json`, and as many with several
//! observers, unseen events, runs, hindsight and the past, as `beyond_QUESTION-NUMBER.json`.

use std::{error::Error, fs, path::Path};

use divulge::problem::Problem;
use divulge_model::document;
use divulge_naive::random::{Features, Profile, Rng, beyond, problem};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("usage: random_problems FOLDER COUNT SEED");
    let (folder, count, seed) = (next()?, next()?.parse::<usize>()?, next()?.parse::<u64>()?);
    fs::create_dir_all(&folder)?;
    let kinds = [
        ("check", Profile::default()),
        ("seek_plan", Profile::seek_fixed()),
        ("seek_plan_divulged", Profile::seek_divulged()),
        ("seek_map", Profile::maps(true)),
        ("seek_both", Profile::maps(false)),
    ];
    for (question, profile) in &kinds {
        let mut rng = Rng::new(seed);
        for number in 0..count {
            let path = Path::new(&folder).join(format!("{question}-{number:04}.json"));
            fs::write(path, readable(|| problem(&mut rng, profile)))?;
        }
        for (number, (_, features)) in Features::each().into_iter().cycle().take(count).enumerate() {
            let path = Path::new(&folder).join(format!("beyond_{question}-{number:04}.json"));
            fs::write(path, readable(|| beyond(&mut rng, profile, features)))?;
        }
    }
    Ok(())
}

/// A problem that a document can hold: a cost of a label that nothing bears, for example, cannot be read again.
fn readable(mut make: impl FnMut() -> Problem) -> String {
    loop {
        let text = document::to_string(&make());
        if document::read("random", &text).is_ok() {
            return text;
        }
    }
}
