//! The store: the same tables as `divulge.sweep` in Python has (docs/clusters.md).

use std::{collections::HashMap, path::Path};

use divulge_host::{Worker, is_alive, store::results};
use rusqlite::{
    Connection, OptionalExtension, Transaction, TransactionBehavior, params_from_iter, types::Value as Cell,
};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{Asked, grid::Point};
use crate::{
    arguments::Limits,
    database::{cannot, database},
    status::Failure,
};

/// JSON that is the same for the same value: keys sorted, nothing between its parts.
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(all) => {
            let mut names: Vec<&String> = all.keys().collect();
            names.sort();
            let each = names
                .into_iter()
                .map(|name| format!("{}:{}", Value::from(name.as_str()), canonical(&all[name])));
            format!("{{{}}}", each.collect::<Vec<_>>().join(","))
        }
        Value::Array(all) => format!("[{}]", all.iter().map(canonical).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// What tells JSON values apart.
pub fn digest(value: &Value) -> String {
    hex(canonical(value).as_bytes())
}

fn hex(bytes: &[u8]) -> String {
    let found = Sha256::digest(bytes);
    found.iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

/// What is asked, and of what.
pub struct About {
    sweep: String,
    question: String,
    options: String,
    source: String,
    source_digest: String,
}

impl About {
    /// A question about a model with this text.
    pub fn new(asked: &Asked, file: &str, text: &[u8]) -> Self {
        let source_digest = hex(text);
        let mut key = Map::new();
        key.insert("question".to_owned(), asked.question.clone().into());
        key.insert("options".to_owned(), Value::Object(asked.options.clone()));
        key.insert("source_digest".to_owned(), source_digest.clone().into());
        let name = std::path::Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
        Self {
            sweep: digest(&Value::Object(key)),
            question: asked.question.clone(),
            options: canonical(&Value::Object(asked.options.clone())),
            source: name.unwrap_or_else(|| file.to_owned()),
            source_digest,
        }
    }
}

/// What is known of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// `done`, `failed` or `lost`.
    pub status: String,
    cells: HashMap<&'static str, Value>,
}

impl Row {
    /// A point without an answer.
    pub fn failed(status: &str, error: String, limits: &Limits) -> Self {
        let mut read = Map::new();
        read.insert("status".to_owned(), status.into());
        read.insert("error".to_owned(), error.into());
        Self::read(&Value::Object(read), limits)
    }

    /// What a point's process said.
    pub fn read(said: &Value, limits: &Limits) -> Self {
        let mut cells: HashMap<&'static str, Value> = HashMap::new();
        for name in results() {
            if let Some(value) = said.get(name).filter(|value| !value.is_null()) {
                cells.insert(name, value.clone());
            }
        }
        if let Some(time) = limits.time_limit {
            cells.insert("time_limit", time.as_secs_f64().into());
        }
        if let Some(memory) = limits.memory_limit {
            cells.insert("memory_limit", memory.into());
        }
        let status = said.get("status").and_then(Value::as_str).unwrap_or("done").to_owned();
        cells.insert("status", status.clone().into());
        Self { status, cells }
    }

    /// One of the results, if there is one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.cells.get(name)
    }

    /// Whether the point need not be asked about: it is done, or no more is allowed than when a limit was hit.
    pub fn settled(&self, limits: &Limits, again: bool) -> bool {
        if self.status == "lost" || (again && self.status != "done") {
            return false;
        }
        if self.get("verdict").and_then(Value::as_str) != Some("unknown") {
            return true;
        }
        let no_more =
            |had: Option<f64>, now: Option<f64>| had.is_none_or(|had| now.is_some_and(|now| now <= had));
        let had = |name| self.get(name).and_then(Value::as_f64);
        no_more(had("time_limit"), limits.time_limit.map(|time| time.as_secs_f64()))
            && no_more(had("memory_limit"), limits.memory_limit.map(|bytes| bytes as f64))
    }
}

/// A database that results go to, each as soon as it is known.
pub struct Store {
    path: String,
    sweep: String,
    db: Connection,
    /// Who this is among those who share the database; `None` if it is shared with nobody.
    worker: Option<Worker>,
}

/// Whose turn it is to ask about a point.
pub enum Turn {
    /// This process's, which has claimed it.
    Mine,
    /// Another process's, which is at it.
    Theirs,
    /// Nobody's: this is known of it.
    Known(Row),
}

impl Store {
    /// Opens it, or makes it; without a path, one in memory.
    pub fn open(path: Option<&str>, about: &About) -> Result<Self, Failure> {
        let name = path.unwrap_or(":memory:");
        let db = database(name)?;
        let insert = "INSERT OR IGNORE INTO sweeps (sweep, question, options, source, source_digest, divulge) VALUES (?, ?, ?, ?, ?, ?)";
        let About { sweep, question, options, source, source_digest } = about;
        db.execute(insert, [sweep, question, options, source, source_digest, env!("CARGO_PKG_VERSION")])
            .map_err(|e| cannot(name, &e))?;
        let worker = path.map_or(Ok(None), |path| begin(path, &db))?;
        Ok(Self { path: name.to_owned(), sweep: sweep.clone(), db, worker })
    }

    /// The version that began this sweep, if it was another one.
    pub fn begun_by(&self) -> Result<Option<String>, Failure> {
        let sql = "SELECT divulge FROM sweeps WHERE sweep = ?";
        let began: String =
            self.db.query_row(sql, [&self.sweep], |row| row.get(0)).map_err(|e| cannot(&self.path, &e))?;
        Ok((began != env!("CARGO_PKG_VERSION")).then_some(began))
    }

    /// What is known of the points of this sweep, by name.
    pub fn rows(&self) -> Result<HashMap<String, Row>, Failure> {
        self.select(None).map_err(|e| cannot(&self.path, &e))
    }

    /// All rows, or that of one point.
    fn select(&self, point: Option<&str>) -> rusqlite::Result<HashMap<String, Row>> {
        let one = if point.is_some() { " AND point = ?" } else { "" };
        let sql = format!("SELECT point, {} FROM points WHERE sweep = ?{one}", results().join(", "));
        let mut statement = self.db.prepare(&sql)?;
        let all =
            statement.query_map(params_from_iter([self.sweep.as_str()].into_iter().chain(point)), |row| {
                let mut cells = HashMap::new();
                for (number, name) in results().into_iter().enumerate() {
                    if let Some(value) = json(row.get(number + 1)?) {
                        cells.insert(name, value);
                    }
                }
                let status = cells.get("status").and_then(Value::as_str).unwrap_or_default().to_owned();
                Ok((row.get(0)?, Row { status, cells }))
            });
        all?.collect()
    }

    /// Claims a point for this process, unless another one is at it or what is known by now is `enough`. Claims of the dead count for nothing.
    pub fn claim(&self, point: &Point, enough: impl Fn(&Row) -> bool) -> Result<Turn, Failure> {
        let Some(worker) = &self.worker else { return Ok(Turn::Mine) };
        let claimed = || -> rusqlite::Result<Turn> {
            // Looked at first without keeping others from writing: those who wait look often.
            if let Some(turn) = self.others(point, worker.name(), &enough)? {
                return Ok(turn);
            }
            let alone = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?;
            let turn = match self.others(point, worker.name(), &enough)? {
                Some(turn) => turn,
                None => {
                    let insert = "INSERT OR REPLACE INTO claims (sweep, point, worker) VALUES (?, ?, ?)";
                    alone.execute(insert, [&self.sweep, &point.name, worker.name()])?;
                    Turn::Mine
                }
            };
            alone.commit()?;
            Ok(turn)
        };
        claimed().map_err(|e| cannot(&self.path, &e))
    }

    /// Whether others have done a point, or are at it.
    fn others(
        &self,
        point: &Point,
        worker: &str,
        enough: impl Fn(&Row) -> bool,
    ) -> rusqlite::Result<Option<Turn>> {
        if let Some(row) = self.select(Some(&point.name))?.remove(&point.name).filter(enough) {
            return Ok(Some(Turn::Known(row)));
        }
        let sql = "SELECT worker FROM claims WHERE sweep = ? AND point = ?";
        let mut statement = self.db.prepare(sql)?;
        let who: Option<String> =
            statement.query_row([&self.sweep, &point.name], |row| row.get(0)).optional()?;
        let theirs = who.is_some_and(|who: String| who != worker && is_alive(Path::new(&self.path), &who));
        Ok(theirs.then_some(Turn::Theirs))
    }

    /// Writes what is known of a point.
    pub fn put(&self, point: &Point, row: &Row) -> Result<(), Failure> {
        let names: Vec<&str> = results().into_iter().filter(|name| row.cells.contains_key(name)).collect();
        let marks = vec!["?"; names.len() + 3].join(", ");
        let sql = format!(
            "INSERT OR REPLACE INTO points (sweep, point, parameters, {}) VALUES ({marks})",
            names.join(", ")
        );
        let parameters = canonical(&Value::Object(point.parameters.clone()));
        let head = [self.sweep.clone(), point.name.clone(), parameters].map(Cell::Text);
        let cells = head.into_iter().chain(names.iter().map(|name| cell(&row.cells[name])));
        let both = || -> rusqlite::Result<()> {
            let together = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?;
            together.execute(&sql, params_from_iter(cells))?;
            if let Some(worker) = &self.worker {
                let mine = [&self.sweep, &point.name, worker.name()];
                together.execute("DELETE FROM claims WHERE sweep = ? AND point = ? AND worker = ?", mine)?;
            }
            together.commit()
        };
        both().map_err(|e| cannot(&self.path, &e))
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Some(worker) = &self.worker {
            // If this fails, nobody holds the lock that goes with what is left.
            let _ = self.db.execute("DELETE FROM claims WHERE worker = ?", [worker.name()]);
        }
    }
}

/// Joins those who work on a store.
fn begin(path: &str, db: &Connection) -> Result<Option<Worker>, Failure> {
    let worker = Worker::begin(Path::new(path)).map_err(|e| {
        Failure::new(
            format!("the store {path} cannot be shared: {e}"),
            "the folder that it is in must be one that can be written",
        )
    })?;
    if let Some(worker) = &worker {
        // Somebody of this name died.
        db.execute("DELETE FROM claims WHERE worker = ?", [worker.name()]).map_err(|e| cannot(path, &e))?;
    }
    Ok(worker)
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(b) => Cell::Integer(i64::from(*b)),
        Value::Number(n) => n.as_i64().map_or_else(|| Cell::Real(n.as_f64().unwrap_or(0.0)), Cell::Integer),
        Value::String(text) => Cell::Text(text.clone()),
        other => Cell::Text(other.to_string()),
    }
}

fn json(cell: Cell) -> Option<Value> {
    match cell {
        Cell::Null | Cell::Blob(_) => None,
        Cell::Integer(n) => Some(n.into()),
        Cell::Real(x) => Some(x.into()),
        Cell::Text(text) => Some(text.into()),
    }
}
