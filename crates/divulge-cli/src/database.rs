//! Stores: databases of divulge's, which Python's half reads and writes too (docs/clusters.md).

use std::{
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use divulge_host::store::{APPLICATION, TABLES, VERSION};
use rusqlite::{Connection, ErrorCode};

use crate::status::Failure;

/// How long to wait for others who use a store.
const PATIENCE: Duration = Duration::from_secs(60);

/// A store, opened or made.
pub fn database(path: &str) -> Result<Connection, Failure> {
    // SQLite would take this for a database that is gone in the end.
    if path.is_empty() {
        return Err(Failure::new("--store has no file", "give it a name, such as runs.sqlite"));
    }
    if Path::new(path).is_dir() {
        return Err(Failure::new(
            format!("the store {path} is a folder"),
            "give --store a file in it, such as runs.sqlite",
        ));
    }
    let db = Connection::open(path).map_err(|e| cannot(path, &e))?;
    let wrong = |e: rusqlite::Error| cannot(path, &e);
    db.busy_timeout(PATIENCE).map_err(wrong)?;
    let number = |sql: &str| patiently(|| db.query_row(sql, [], |row| row.get::<_, i64>(0))).map_err(wrong);
    // In this order: somebody else may be making it just now, who writes the id before the tables.
    let tables = number("SELECT count(*) FROM sqlite_master")?;
    let (application, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    if application != APPLICATION && tables > 0 {
        return Err(Failure::new(
            format!("{path} is a database, but not one of divulge's"),
            "give another file to --store",
        ));
    }
    if application == APPLICATION && version > VERSION {
        return Err(Failure::new(
            format!("{path} was written by a newer divulge"),
            "use that one, or give another file to --store",
        ));
    }
    let _ = number("PRAGMA synchronous = NORMAL");
    patiently(|| db.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))).map_err(wrong)?;
    let make = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; {TABLES}");
    patiently(|| db.execute_batch(&make)).map_err(wrong)?;
    Ok(db)
}

/// Tries again while others are at the store. SQLite itself waits for them, except where somebody else makes the store just now.
fn patiently<T>(act: impl Fn() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let began = Instant::now();
    loop {
        match act() {
            Err(rusqlite::Error::SqliteFailure(e, _))
                if matches!(e.code, ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
                    && began.elapsed() < PATIENCE =>
            {
                sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

/// Why a store cannot be used.
pub fn cannot(path: &str, e: &rusqlite::Error) -> Failure {
    let said = e.to_string();
    if said.contains("not a database") {
        return Failure::new(
            format!("{path} is not a database"),
            "give --store a file of divulge's, or one that does not exist yet",
        );
    }
    let help = if said.contains("full") {
        "make room on its disk, and begin again: what is in the store is kept"
    } else {
        "is its folder there, and may it be written?"
    };
    Failure::new(format!("the store {path} cannot be used: {said}"), help)
}
