CREATE TABLE IF NOT EXISTS sweeps (
  sweep TEXT PRIMARY KEY,
  question TEXT NOT NULL,
  options TEXT NOT NULL,
  source TEXT NOT NULL,
  source_digest TEXT NOT NULL,
  divulge TEXT NOT NULL,
  created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
CREATE TABLE IF NOT EXISTS points (
  sweep TEXT NOT NULL REFERENCES sweeps (sweep),
  point TEXT NOT NULL,
  parameters TEXT NOT NULL,
  status TEXT NOT NULL,
  verdict TEXT,
  limit_hit TEXT,
  events INTEGER,
  cost INTEGER,
  feasible INTEGER,
  maps_in_all INTEGER,
  vertices INTEGER,
  seconds REAL,
  explored INTEGER,
  stored INTEGER,
  maps INTEGER,
  learnt INTEGER,
  memory INTEGER,
  time_limit REAL,
  memory_limit INTEGER,
  error TEXT,
  finished TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  PRIMARY KEY (sweep, point)
);
CREATE TABLE IF NOT EXISTS claims (
  sweep TEXT NOT NULL,
  point TEXT NOT NULL,
  worker TEXT NOT NULL,
  PRIMARY KEY (sweep, point)
);
CREATE TABLE IF NOT EXISTS tasks (
  search TEXT NOT NULL,
  task TEXT NOT NULL,
  done BLOB NOT NULL,
  PRIMARY KEY (search, task)
);
