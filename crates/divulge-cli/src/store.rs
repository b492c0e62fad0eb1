//! What was done of a long search over maps, in a store, so that it is not lost when the search is interrupted.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use divulge::{
    ask::Question,
    maps::{Done, Keep, Task},
    problem::Problem,
};
use divulge_host::store;
use rusqlite::{Connection, params};

use crate::{
    database::{cannot, database},
    status::Failure,
};

/// The tasks of one search, in a database.
pub struct Store {
    path: String,
    search: String,
    known: HashMap<String, Vec<u8>>,
    /// The database, and what went wrong when it was last written.
    db: Mutex<(Connection, Option<rusqlite::Error>)>,
}

impl Store {
    /// Opens the store for a question about a problem, or makes it where there is no file.
    pub fn open(path: &str, problem: &Problem, question: &Question) -> Result<Self, Failure> {
        let db = database(path)?;
        let search = store::search(problem, question);
        let known = known(&db, &search).map_err(|e| cannot(path, &e))?;
        Ok(Self { path: path.to_owned(), search, known, db: Mutex::new((db, None)) })
    }

    fn db(&self) -> MutexGuard<'_, (Connection, Option<rusqlite::Error>)> {
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many tasks it has.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// What went wrong when it was written, in a sentence.
    pub fn trouble(&self) -> Option<String> {
        let trouble = self.db().1.take()?;
        Some(format!("warning: the store {} could not be written: {trouble}\n", self.path))
    }
}

/// What came of the tasks of a search, by name.
fn known(db: &Connection, search: &str) -> rusqlite::Result<HashMap<String, Vec<u8>>> {
    let mut statement = db.prepare("SELECT task, done FROM tasks WHERE search = ?")?;
    statement.query_map([search], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

impl Keep for Store {
    fn recall(&self, task: &Task) -> Option<Done> {
        // What cannot be read is done again.
        Done::from_bytes(self.known.get(&store::task(&task.to_bytes()))?).ok()
    }

    fn note(&self, task: &Task, done: &Done) {
        let row = params![self.search, store::task(&task.to_bytes()), done.to_bytes()];
        let mut db = self.db();
        let written = db.0.execute("INSERT OR REPLACE INTO tasks (search, task, done) VALUES (?, ?, ?)", row);
        db.1 = written.err().or(db.1.take());
    }
}
