"""Where results are kept: one SQLite database for as many sweeps and searches as one likes. ``docs/clusters.md`` describes its tables."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import weakref
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Union

from . import _divulge
from .errors import DivulgeError, warn

#: "dvlg", the version of the tables, what makes them, and what is kept of a point beside its parameters: as the program has them
APPLICATION, VERSION, _TABLES, RESULTS = _divulge.STORE

#: how many seconds to wait for others who use a store
_PATIENCE = 60


def canonical(value: Any) -> str:
    """JSON that is the same for the same value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(value: Any) -> str:
    """What tells JSON values apart."""
    return "sha256:" + hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()


def whole(number: Any) -> Any:
    """A number as the database takes it: those beyond 64 bits as texts."""
    return str(number) if isinstance(number, int) and not -(2**63) <= number < 2**63 else number


class Database:
    """A database of divulge's. What is written is there for good."""

    def __init__(self, path: Union[str, os.PathLike[str], None]) -> None:
        self._path = ":memory:" if path is None else os.fspath(path)
        # SQLite would take this for a database that is gone in the end.
        if not self._path:
            raise DivulgeError("`store` has no file", "give it a name, such as runs.sqlite")
        if os.path.isdir(self._path):
            raise DivulgeError(f"the store `{self._path}` is a folder", "give a file in it, such as runs.sqlite")
        try:
            self._open_patiently()
        except sqlite3.Error as error:
            raise self._cannot(error) from None

    def _open_patiently(self) -> None:
        """Tries again while others are at the store. SQLite itself waits for them, except where somebody else makes the store just now."""
        began = time.monotonic()
        while True:
            try:
                return self._open()
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() - began >= _PATIENCE:
                    raise
                self._db.close()
                time.sleep(0.005)

    def _open(self) -> None:
        # Every statement is a transaction of its own.
        self._db = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        # In this order: somebody else may be making it just now, who writes the id before the tables.
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION and tables:
            raise DivulgeError(f"`{self._path}` is a database, but not one of divulge's", "give another file as `store`")
        if application == APPLICATION and version > VERSION:
            raise DivulgeError(f"`{self._path}` was written by a newer divulge", "use that one, or another file as `store`")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(f"PRAGMA application_id = {APPLICATION}")
        self._db.execute(f"PRAGMA user_version = {VERSION}")
        self._db.executescript(_TABLES)

    def _cannot(self, error: sqlite3.Error) -> DivulgeError:
        if "not a database" in str(error):
            return DivulgeError(f"`{self._path}` is not a database", "give a file of divulge's, or one that does not exist yet, as `store`")
        full = "make room on its disk, and begin again: what is in the store is kept"
        help = full if "full" in str(error) else "is its folder there, and may it be written?"
        return DivulgeError(f"the store `{self._path}` cannot be used: {error}", help)

    def close(self) -> None:
        """Leaves one file, without what SQLite keeps beside it while it is open."""
        self._db.close()


class Store(Database):
    """The results of one sweep in a database. Each is there for good as soon as it is written."""

    def __init__(self, path: Union[str, os.PathLike[str], None], about: Mapping[str, Any], divulge: str) -> None:
        super().__init__(path)
        try:
            #: what is asked, and of what: others in the same database are kept apart
            self.sweep = digest({name: about[name] for name in ("question", "options", "source_digest")})
            self._db.execute(
                "INSERT OR IGNORE INTO sweeps (sweep, question, options, source, source_digest, divulge) VALUES (?, ?, ?, ?, ?, ?)",
                (self.sweep, about["question"], canonical(about["options"]), about["source"], about["source_digest"], divulge),
            )
            (began,) = self._db.execute("SELECT divulge FROM sweeps WHERE sweep = ?", (self.sweep,)).fetchone()
            #: who this is among those who share the database
            self._worker = None if path is None else _divulge.Worker(self._path)
            _at_work.add(self)
            self._let_go()
        except sqlite3.Error as error:
            raise self._cannot(error) from None
        if began != divulge:
            warn(
                f"this sweep was begun by divulge {began}, and this is {divulge}: what its rows took cannot be compared\n"
                "  help: give another file as `store` to ask everything again"
            )

    @property
    def shared(self) -> bool:
        """Whether others can work on it, too."""
        return self._worker is not None and self._worker.name is not None

    def rows(self, points: Iterable[str]) -> Dict[str, Dict[str, Any]]:
        """What is known of these points, by name."""
        wanted = set(points)
        which, given = ("", ()) if len(wanted) != 1 else (" AND point = ?", tuple(wanted))
        found: Dict[str, Dict[str, Any]] = {}
        try:
            for row in self._db.execute(f"SELECT * FROM points WHERE sweep = ?{which}", (self.sweep, *given)):
                if row["point"] in wanted:
                    found[row["point"]] = {name: row[name] for name in RESULTS}
        except sqlite3.Error as error:
            raise self._cannot(error) from None
        return found

    def claim(self, point: str, enough: Callable[[Mapping[str, Any]], bool]) -> Union[bool, Dict[str, Any]]:
        """Claims a point: ``True`` if it is this process's now, ``False`` if another one is at it, or what is known of it by now if that is ``enough``.

        Claims of processes that have died count for nothing.
        """
        me = None if self._worker is None else self._worker.name
        if me is None:
            return True
        try:
            # Looked at first without keeping others from writing: those who wait look often.
            found = self._others(point, me, enough)
            if found is not None:
                return found
            self._db.execute("BEGIN IMMEDIATE")
            try:
                found = self._others(point, me, enough)
                if found is None:
                    self._db.execute("INSERT OR REPLACE INTO claims (sweep, point, worker) VALUES (?, ?, ?)", (self.sweep, point, me))
            finally:
                self._db.execute("COMMIT")
            return True if found is None else found
        except sqlite3.Error as error:
            raise self._cannot(error) from None

    def _others(self, point: str, me: str, enough: Callable[[Mapping[str, Any]], bool]) -> Union[None, bool, Dict[str, Any]]:
        """What others have done: a row, or ``False`` if one is at it."""
        row = self.rows([point]).get(point)
        if row is not None and enough(row):
            return row
        found = self._db.execute("SELECT worker FROM claims WHERE sweep = ? AND point = ?", (self.sweep, point)).fetchone()
        return False if found is not None and found[0] != me and _divulge.is_alive(self._path, found[0]) else None

    def _let_go(self) -> None:
        """Leaves what this process has claimed to others; in the beginning, what somebody of the same name had who died."""
        if self._worker is not None and self._worker.name is not None:
            self._db.execute("DELETE FROM claims WHERE worker = ?", (self._worker.name,))

    def close(self) -> None:
        """Leaves one file, without what SQLite keeps beside it while it is open."""
        try:
            self._let_go()
        except sqlite3.Error:
            pass  # Nobody holds the lock that goes with what is left.
        super().close()
        if self._worker is not None:
            self._worker.end()

    def put(self, point: str, parameters: str, result: Mapping[str, Any]) -> Dict[str, Any]:
        """Writes the result of a point, and gives it as it was written."""
        names = [name for name in RESULTS if name in result]
        columns: List[str] = ["sweep", "point", "parameters", *names]
        values = [self.sweep, point, parameters, *(whole(result[name]) for name in names)]
        marks = ", ".join("?" * len(columns))
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.execute(f"INSERT OR REPLACE INTO points ({', '.join(columns)}) VALUES ({marks})", values)
                self._db.execute("DELETE FROM claims WHERE sweep = ? AND point = ?", (self.sweep, point))
                self._db.execute("COMMIT")
            except sqlite3.Error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._cannot(error) from None
        return self.rows([point])[point]


#: those that are open in this process
_at_work: "weakref.WeakSet[Store]" = weakref.WeakSet()


def _forked() -> None:
    """A fork of this process is not the one at work, and must not keep its locks when that has died."""
    for store in list(_at_work):
        if store._worker is not None:
            store._worker.forget()
    _at_work.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class Tasks(Database):
    """What came of the tasks of one search, for when it is asked again, here or by the program."""

    def __init__(self, path: Union[str, os.PathLike[str]], search: str) -> None:
        super().__init__(path)
        self._search, self._full = search, False

    def recall(self, task: bytes) -> Optional[bytes]:
        """What came of a task before."""
        named = self._search, hashlib.sha256(task).hexdigest()
        try:
            found = self._db.execute("SELECT done FROM tasks WHERE search = ? AND task = ?", named).fetchone()
        except sqlite3.Error as error:
            raise self._cannot(error) from None
        # What cannot be read is done again.
        done = None if found is None else found[0]
        return done if isinstance(done, bytes) and _divulge.readable(done) else None

    def note(self, task: bytes, done: bytes) -> None:
        """Takes note of what came of a task. If that cannot be written, the search goes on all the same."""
        row = self._search, hashlib.sha256(task).hexdigest(), done
        try:
            self._db.execute("INSERT OR REPLACE INTO tasks (search, task, done) VALUES (?, ?, ?)", row)
        except sqlite3.Error as error:
            if not self._full:
                warn(f"the store `{self._path}` cannot be written: {error}\n  help: the search goes on; what it does from now on is not kept")
            self._full = True


def same_or_less(had: Optional[float], now: Optional[float]) -> bool:
    """Whether a limit is no higher than the one before; ``None`` is no limit."""
    return had is None or (now is not None and now <= had)
