"""Sweeps: rows, stores that are continued, workers that die, and what is refused."""

import functools
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Dict, List

import pytest
from children import finished, started
from conftest import EXAMPLES, ROOT, run
from worlds import inspector, nuclear

import divulge
from divulge import DivulgeError, Problem
from divulge._named import source_digest

NUCLEAR = EXAMPLES / "nuclear.divulge"


def make(rows: int, cols: int = 4) -> "Problem[Any]":
    return Problem(nuclear(rows, cols), inspector())


def fails_at_five(rows: int) -> Any:
    if rows == 5:
        raise ValueError("five is right out")
    return None if rows == 6 else make(rows)


def deadly(rows: int, folder: str, always: bool = False) -> "Problem[Any]":
    """Takes its process down at five rows: the first time, or always."""
    mark = pathlib.Path(folder) / "died"
    if rows == 5 and (always or not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return make(rows)


def verdicts(sweep: divulge.Sweep) -> List[Any]:
    return [row["verdict"] for row in sweep]


HERE = [make(rows).seek_plan().verdict for rows in range(3, 8)]


@pytest.mark.parametrize("executor", [None, 1, "threads"], ids=str)
def test_rows(executor: Any) -> None:
    told: List[divulge.SweepProgress] = []
    with ThreadPoolExecutor(2) as threads:
        given = threads if executor == "threads" else executor
        sweep = divulge.sweep(make, {"rows": range(3, 8), "cols": [4, 5]}, executor=given, progress=told.append)
    assert [(row["rows"], row["cols"]) for row in sweep] == [(rows, cols) for rows in range(3, 8) for cols in (4, 5)]
    assert [row["verdict"] for row in sweep if row["cols"] == 4] == HERE
    for row in sweep:
        answer = make(row["rows"], row["cols"]).seek_plan()
        assert row["status"] == "done" and row["error"] is None and row["vertices"] == len(nuclear(row["rows"], row["cols"]))
        assert (row["events"], row["cost"]) == (answer.worst_case or (None, None))
        assert answer.statistics is not None
        assert (row["explored"], row["stored"]) == (answer.statistics.explored, answer.statistics.stored)
        assert row["seconds"] > 0 and 1e6 < row["memory"] < 2**31
    assert told[-1].done == told[-1].points == 10 and told[-1].left == 0 and "10 of 10 points" in str(told[-1])
    assert repr(sweep).startswith("<Sweep seek plan: 10 points over rows, cols;")


def test_lambdas_partials_points_and_named_values() -> None:
    calls = divulge.sweep(lambda rows: make(rows), [{"rows": 3}, {"rows": 4}, {"rows": 3}])
    assert [row["rows"] for row in calls] == [3, 4]
    kinds = {"fine": {}, "coarse": {"left": "x", "right": "x", "up": "x", "down": "x", "blue": "y", "dark": "y"}}

    def seen(kind: Dict[str, str]) -> "Problem[Any]":
        return Problem(nuclear(), inspector(merge=None, map=kind))

    assert verdicts(divulge.sweep(seen, {"kind": kinds})) == ["none", "found"]
    assert [row["kind"] for row in divulge.sweep(seen, {"kind": kinds}, "check" if False else "audit")] == ["fine", "coarse"]
    assert len(divulge.sweep(functools.partial(make, cols=5), {"rows": [3]})) == 1
    maps = divulge.sweep(lambda merge: make(2, 3), {"merge": [1]}, "seek_maps", any_map=True)
    assert maps[0]["feasible"] is not None and maps[0]["maps_in_all"] > 0


def test_failures_are_rows() -> None:
    with pytest.warns(divulge.DivulgeWarning, match="2 of 5 points failed"):
        sweep = divulge.sweep(fails_at_five, {"rows": range(3, 8)})
    assert [row["status"] for row in sweep] == ["done", "done", "failed", "failed", "done"]
    assert [row["error"].splitlines()[0] for row in sweep.failed] == [
        "ValueError: five is right out",
        "`make` gave None, not a Problem",
    ]


def test_a_store_is_continued(tmp_path: pathlib.Path) -> None:
    store, log = tmp_path / "runs.sqlite", tmp_path / "log"

    def noted(rows: int, log: pathlib.Path = log) -> "Problem[Any]":
        with open(log, "a") as out:
            out.write(f"{rows}\n")
        return make(rows)

    first = divulge.sweep(noted, {"rows": range(3, 6)}, store=store)
    second = divulge.sweep(noted, {"rows": range(3, 8)}, store=store)
    assert sorted(map(int, log.read_text().split())) == [3, 4, 5, 6, 7]
    assert list(second)[:3] == list(first) and verdicts(second) == HERE
    # Another question, other options and another function are kept apart.
    audited = divulge.sweep(noted, {"rows": [3]}, "audit", store=store)
    cheap = divulge.sweep(noted, {"rows": [3]}, store=store, minimize="cost")
    other = divulge.sweep(make, {"rows": [3]}, store=store)
    again = divulge.sweep(noted, {"rows": [3]}, store=store, version="2")
    assert verdicts(audited) == ["violated"] and verdicts(cheap) == verdicts(other) == verdicts(again) == HERE[:1]
    assert len(log.read_text().split()) == 8
    # Threads change no answer.
    divulge.sweep(noted, {"rows": [3]}, store=store, threads=2)
    assert len(log.read_text().split()) == 8
    with sqlite3.connect(store) as db:
        assert db.execute("SELECT count(*) FROM sweeps").fetchone() == (5,)
        assert db.execute("SELECT count(*) FROM points").fetchone() == (9,)
        (parameters,) = db.execute("SELECT parameters FROM points LIMIT 1").fetchone()
        assert set(json.loads(parameters)) == {"rows"}
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_limits_are_for_each_point_and_may_be_raised(tmp_path: pathlib.Path) -> None:
    store = tmp_path / "runs.sqlite"
    for limit, wanted in [(0, "unknown"), (0, "unknown"), (60, "found"), (0, "found")]:
        (row,) = divulge.sweep(make, {"rows": [3]}, store=store, time_limit=limit)
        assert row["verdict"] == wanted and row["limit_hit"] == ("time" if wanted == "unknown" else None)
    with pytest.warns(divulge.DivulgeWarning):
        divulge.sweep(fails_at_five, {"rows": [5]}, store=store)
    with pytest.warns(divulge.DivulgeWarning):
        (row,) = divulge.sweep(fails_at_five, {"rows": [5]}, store=store, again=True)
    assert row["status"] == "failed"


@pytest.mark.filterwarnings("ignore:a process of the pool died")
@pytest.mark.parametrize("given", [False, True], ids=["own", "given"])
def test_workers_that_die(tmp_path: pathlib.Path, given: bool) -> None:
    """A worker that dies takes nothing along: its points are asked again, and one that always kills is found out."""
    points = {"rows": range(3, 8), "folder": [str(tmp_path)], "always": [False]}
    pool = ProcessPoolExecutor(2) if given else None
    assert verdicts(divulge.sweep(deadly, points, executor=pool)) == HERE
    assert (tmp_path / "died").exists()
    with pytest.warns(divulge.DivulgeWarning, match="1 of 5 points failed"):
        sweep = divulge.sweep(deadly, {**points, "always": [True]}, executor=pool, store=tmp_path / "runs.sqlite")
    assert [row["status"] for row in sweep] == ["done", "done", "lost", "done", "done"]
    assert "its worker died" in sweep[2]["error"]
    if pool is not None:
        pool.shutdown()


SCRIPT = """
import os, sys, time
sys.path.insert(0, {tests!r})
import divulge
from worlds import inspector, nuclear

def make(rows):
    with open({log!r}, "a") as out:
        out.write(f"{{rows}}\\n")
    time.sleep(0.15)
    return divulge.Problem(nuclear(rows, 4), inspector())

if __name__ == "__main__":
    sweep = divulge.sweep(make, {{"rows": range(3, 19)}}, store={store!r}, executor=2)
    print(sum(row["status"] == "done" for row in sweep))
"""


def rows_in(store: pathlib.Path) -> int:
    try:
        with sqlite3.connect(store) as db:
            return int(db.execute("SELECT count(*) FROM points").fetchone()[0])
    except sqlite3.Error:
        return 0


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_stopped_twice_and_continued(tmp_path: pathlib.Path, how: signal.Signals) -> None:
    store, log, script = tmp_path / "runs.sqlite", tmp_path / "log", tmp_path / "script.py"
    script.write_text(SCRIPT.format(tests=str(ROOT / "python" / "tests"), log=str(log), store=str(store)))
    for stop in (4, 9):
        with started([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            end = time.monotonic() + 60
            while rows_in(store) < stop and child.poll() is None and time.monotonic() < end:
                time.sleep(0.02)
            assert child.poll() is None
            child.send_signal(how)
            # Its workers, who have the same streams, end with it.
            err = child.communicate(timeout=60)[1]
        assert how is signal.SIGKILL or err.strip().endswith("KeyboardInterrupt"), err
        assert stop <= rows_in(store) < 16
    had = rows_in(store)
    before = len(log.read_text().split())
    done = finished([sys.executable, str(script)], check=True)
    assert done.stdout == "16\n" and rows_in(store) == 16
    assert len(log.read_text().split()) == before + 16 - had


@pytest.mark.parametrize("killed", [False, True], ids=["both", "killed"])
def test_processes_that_share_a_store_share_its_points(tmp_path: pathlib.Path, killed: bool) -> None:
    store, log, script = tmp_path / "runs.sqlite", tmp_path / "log", tmp_path / "script.py"
    script.write_text(SCRIPT.format(tests=str(ROOT / "python" / "tests"), log=str(log), store=str(store)))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started([sys.executable, str(script)], **pipes) as one, started([sys.executable, str(script)], **pipes) as two:
        if killed:
            end = time.monotonic() + 60
            while rows_in(store) < 3 and time.monotonic() < end:
                time.sleep(0.02)
            one.kill()
        said = [child.communicate(timeout=120) for child in (one, two)]
    assert all(out == "16\n" for out, _ in said[killed:]), said
    assert rows_in(store) == 16
    computed = sorted(map(int, log.read_text().split()))
    assert sorted(set(computed)) == list(range(3, 19))
    # A point is computed twice only if whoever was at it died: the two processes of a pool, with one more point each.
    assert len(computed) == 16 or (killed and len(computed) <= 20)
    with sqlite3.connect(store) as db:
        assert db.execute("SELECT count(*) FROM claims").fetchone() == (0,)
    assert not list(tmp_path.glob("*-worker-*"))


def test_the_command_line_and_python_share_points(program: str, tmp_path: pathlib.Path) -> None:
    store = tmp_path / "runs.sqlite"
    divulge.sweep(NUCLEAR, {"rows": [3], "cols": [4]}, store=store)
    with sqlite3.connect(store) as db:
        db.execute("CREATE TABLE puts (point)")
        db.execute("CREATE TRIGGER put AFTER INSERT ON points BEGIN INSERT INTO puts VALUES (new.point); END")
    arguments = ["sweep", str(NUCLEAR), "--store", str(store), "--set", "rows=20..31", "--set", "cols=32", "--threads", "1"]
    with started([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as theirs:
        ours = divulge.sweep(NUCLEAR, {"rows": range(20, 32), "cols": [32]}, store=store, executor=1)
        err = theirs.communicate(timeout=120)[1]
        assert theirs.returncode == 0, err
    assert [row["status"] for row in ours] == ["done"] * 12
    with sqlite3.connect(store) as db:
        assert db.execute("SELECT count(*), count(DISTINCT point) FROM puts").fetchone() == (12, 12)
        assert db.execute("SELECT count(*) FROM claims").fetchone() == (0,)


def test_the_command_line_continues_what_python_began(program: str, tmp_path: pathlib.Path) -> None:
    store = tmp_path / "runs.sqlite"
    mine = divulge.sweep(NUCLEAR, {"rows": range(3, 6), "cols": [4]}, store=store)
    arguments = ["sweep", str(NUCLEAR), "--store", str(store), "--question", "seek plan", "--csv", "-"]
    status, out, err = run(program, *arguments, "--set", "rows=3..7", "--set", "cols=4")
    assert status == 0, err
    ours = divulge.sweep(NUCLEAR, {"rows": range(3, 8), "cols": [4]}, store=store)
    assert list(ours)[:3] == list(mine) and rows_in(store) == 5
    lines = [line.split(",") for line in out.splitlines()]
    verdict, finished = lines[0].index("verdict"), lines[0].index("finished")
    assert [line[verdict] for line in lines[1:]] == verdicts(ours)
    assert [line[finished] for line in lines[1:]] == [row["finished"] for row in ours]
    # Options are the same ones, too.
    divulge.sweep(NUCLEAR, {"rows": [3], "cols": [3]}, "seek_both", store=store, prefer="coarsest", any_map=True)
    run(program, *arguments[:4], "--question", "seek both --prefer coarsest --any-map", "--set", "cols=3", "--set", "rows=3")
    assert rows_in(store) == 6


def test_what_a_model_includes_counts(program: str, tmp_path: pathlib.Path) -> None:
    store, model, inner = tmp_path / "runs.sqlite", tmp_path / "model.divulge", tmp_path / "inner.divulge"
    inner.write_text(NUCLEAR.read_text())
    model.write_text('include "inner.divulge"\n')
    for count in (1, 2):
        divulge.sweep(model, {"rows": [3]}, store=store)
        assert rows_in(store) == count
        status, _, err = run(program, "sweep", str(model), "--set", "rows=3", "--store", str(store))
        assert status == 0 and rows_in(store) == count, err
        inner.write_text(NUCLEAR.read_text() + "\n\n")


def test_tables_and_figures(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    sweep = divulge.sweep(make, {"rows": range(3, 6), "cols": [4, 5]})
    frame = sweep.to_pandas()
    assert list(frame["rows"]) == [3, 3, 4, 4, 5, 5] and list(frame["verdict"]) == verdicts(sweep)
    pytest.importorskip("pyarrow")
    sweep.to_parquet(tmp_path / "runs.parquet")
    assert list(pandas.read_parquet(tmp_path / "runs.parquet")["explored"]) == [row["explored"] for row in sweep]
    sweep.to_csv(tmp_path / "runs.csv")
    assert len(pandas.read_csv(tmp_path / "runs.csv")) == 6
    pytest.importorskip("matplotlib")
    figure = sweep.plot(x="rows", y="explored", log=True, path=tmp_path / "runs.png")
    (axes,) = figure.axes
    assert len(axes.lines) == 2 and axes.get_xlabel() == "rows" and (tmp_path / "runs.png").stat().st_size > 1000
    # Without matplotlib the picture is our own.
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    picture = sweep.plot("rows", "explored", path=tmp_path / "runs.svg")
    assert picture.svg.count("<polyline") == 2 and picture.svg.count("<circle") == 6 and (tmp_path / "runs.svg").exists()
    with pytest.raises(DivulgeError, match="no column `explord`(.|\n)*explored"):
        sweep.plot("rows", "explord")
    with pytest.raises(DivulgeError, match="no row has a number"):
        sweep.plot("rows", "verdict")


def test_functions_are_told_apart_by_what_they_do() -> None:
    def one(rows: int) -> int:
        return rows + 1

    def same(rows: int) -> int:
        return rows + 1

    def two(rows: int) -> int:
        return rows + 2

    assert source_digest(one) == source_digest(same) != source_digest(two)
    assert source_digest(functools.partial(one, 1)) != source_digest(functools.partial(one, 2))
    closures = [lambda rows, n=n: rows + n for n in (1, 2)]
    assert source_digest(closures[0]) != source_digest(closures[1])
    # What it calls counts, and so do the constants that it uses.
    text = "N = {n}\ndef inner(x):\n    return x * {m}\ndef outer(x):\n    return inner(x) + N\n"
    found = []
    for n, m in [(1, 2), (1, 3), (2, 2), (1, 2)]:
        space: Dict[str, Any] = {"__name__": "somewhere"}
        exec(text.format(n=n, m=m), space)
        found.append(source_digest(space["outer"]))
    assert len(set(found)) == 3 and found[0] == found[3]


class Odd:
    pass


WRONG: List[Any] = [
    ({"question": "seek_plam"}, "there is no question `seek_plam`(.|\n)*seek_plan"),
    ({"parameters": {"rows": range(0)}}, "`rows` has no values"),
    ({"parameters": {"rows": 3}}, "`rows` has one value, 3"),
    ({"parameters": {"rows": "ab"}}, "`rows` has one value, 'ab'"),
    ({"parameters": []}, "there are no points"),
    ({"parameters": {}}, "there are no parameters"),
    ({"parameters": {"rows": [3], "colour": ["red"]}}, "`make` takes no parameter `colour`\n  help: it takes rows, cols"),
    ({"parameters": {"rws": [3]}}, "`make` takes no parameter `rws`\n  help: did you mean `rows`?"),
    ({"parameters": [{"rows": 3}, {"rows": 4, "clos": 3}]}, "`make` takes no parameter `clos`\n  help: did you mean `cols`?"),
    ({"parameters": {"cols": [3]}}, "`make` cannot be called with the parameters cols: missing a required argument: 'rows'"),
    ({"make": NUCLEAR, "parameters": {"rws": [3, 4]}}, "the model has no constant `rws` to set"),
    ({"make": NUCLEAR, "parameters": {"rows": [3, "nonsense"]}}, "`nonsense` is not known here"),
    ({"make": NUCLEAR, "parameters": {"rows": [3, True]}}, "this must be an integer, but it is a condition"),
    ({"make": EXAMPLES / "opacity" / "automaton.json", "parameters": {"rows": [3]}}, "is a problem document"),
    ({"make": lambda seconds: None, "parameters": {"seconds": [3]}}, "a parameter cannot be called `seconds`"),
    ({"parameters": {"rows": [Odd()]}}, "has no name that tells it from others(.|\n)*name the values"),
    ({"make": 7}, "`make` cannot be '7'"),
    ({"executor": "many"}, "`executor` cannot be 'many'"),
    ({"store": __file__}, "is not a database"),
    ({"store": EXAMPLES}, "is a folder(.|\n)*give a file in it"),
    ({"store": "/nowhere/at/all.sqlite"}, "the store `/nowhere/at/all.sqlite` cannot be used"),
    ({"prefer": "finest"}, "`seek_plan` takes no `prefer`"),
    ({"progress": 3}, "`progress` cannot be 3"),
    ({"time_limit": "soon"}, "the time limit cannot be 'soon'"),
]


@pytest.mark.parametrize("given, message", WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_mistakes(given: Dict[str, Any], message: str) -> None:
    with pytest.raises(DivulgeError, match=message):
        divulge.sweep(**{"make": make, "parameters": {"rows": [3]}, **given})


def test_other_databases_are_left_alone(tmp_path: pathlib.Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE precious (x)")
    with pytest.raises(DivulgeError, match="not one of divulge's"):
        divulge.sweep(make, {"rows": [3]}, store=other)
    newer = tmp_path / "newer.sqlite"
    divulge.sweep(make, {"rows": [3]}, store=newer)
    with sqlite3.connect(newer) as db:
        db.execute("UPDATE sweeps SET divulge = '0.0.7'")
    with pytest.warns(divulge.DivulgeWarning, match="was begun by divulge 0.0.7"):
        divulge.sweep(make, {"rows": [3]}, store=newer)
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(DivulgeError, match="newer divulge"):
        divulge.sweep(make, {"rows": [3]}, store=newer)
    with pytest.raises(FileNotFoundError):
        divulge.sweep("no-such-model.divulge", {"rows": [3]})


def test_what_cannot_be_sent_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    lock = threading.Lock()
    with ProcessPoolExecutor(1) as pool, pytest.raises(DivulgeError, match="`make` cannot be sent to other processes"):
        divulge.sweep(lambda rows: (lock, make(rows))[1], {"rows": [3]}, executor=pool)
