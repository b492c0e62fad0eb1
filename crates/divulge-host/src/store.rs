//! What a store is: the tables of a SQLite database, and what searches are called in it. The program and the Python package open it, each with its
//! own SQLite, and go on with what the other began. docs/clusters.md describes the tables.

use divulge::{
    ask::{Question, What},
    problem::Problem,
};
use divulge_model::document;
use sha2::{Digest, Sha256};

/// The application id of a store, "dvlg".
pub const APPLICATION: i64 = 0x6476_6c67;

/// The version of its tables.
pub const VERSION: i64 = 1;

/// The statements that make its tables where they are missing.
pub const TABLES: &str = include_str!("store.sql");

/// The columns of a sweep's point beside its parameters, in their order.
pub fn results() -> Vec<&'static str> {
    let points = TABLES.split("TABLE IF NOT EXISTS ").find(|table| table.starts_with("points "));
    let columns = points.into_iter().flat_map(str::lines).filter_map(|line| line.trim().split(' ').next());
    columns.skip_while(|&name| name != "status").take_while(|&name| name != "PRIMARY").collect()
}

/// What a search over maps is called: the same for the same question about the same problem, and for no other. What does not change
/// its tasks, such as threads or a map that is set aside, is left out.
pub fn search(problem: &Problem, question: &Question) -> String {
    let mut asked = problem.clone();
    (asked.name, asked.grid) = (None, None);
    asked.aside.clear();
    if asked.others.is_empty() {
        asked.observer.map = None;
    }
    let &Question { what, offers, shortest, prefer, minimize, any_plan, patience, sharing, .. } = question;
    if what == What::Both || (what == What::Maps && any_plan) {
        asked.plan = None;
    }
    let how = match what {
        What::Maps => String::new(),
        _ => format!(" {prefer:?} {minimize:?} shortest={shortest} patience={patience}"),
    };
    let version = env!("CARGO_PKG_VERSION");
    let problem = hex(document::to_string(&asked).as_bytes());
    format!("{what:?} {offers:?}{how} {sharing:?}, divulge {version}, {problem}")
}

/// What a task of a search is called, given its bytes.
pub fn task(bytes: &[u8]) -> String {
    hex(bytes)
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_the_columns_after_the_parameters() {
        let all = results();
        assert_eq!((all.len(), all[0], all[1], all[17]), (18, "status", "verdict", "finished"));
    }
}
