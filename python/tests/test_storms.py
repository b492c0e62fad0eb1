"""Workers that are killed again and again, at random moments: the answers are those of one core, byte for byte."""

import contextlib
import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Any, Callable, Dict, List, Optional

import pytest
from children import finished, started
from conftest import EXAMPLES, run
from test_clusters import problem, storm
from worlds import inspector, nuclear

import divulge
from divulge import DivulgeError, Problem
from divulge._farm import Farm, Lost, Parcel, work

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals"),
    pytest.mark.filterwarnings("ignore:a process of the pool died", "ignore:.* points failed"),
]
TESTS = str(pathlib.Path(__file__).parent)


def made(how: Any) -> Any:
    """An executor: a number of processes of divulge's own, or a pool that is given."""
    return how if isinstance(how, int) else ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(how))


HOW = pytest.mark.parametrize("how", [2, 3, "fork", "spawn"], ids=["two", "three", "fork", "spawn"])
QUESTIONS: Dict[str, Callable[..., Any]] = {
    "seek_maps": lambda **more: problem().seek_maps(**more),
    "seek_both": lambda **more: problem().seek_both(prefer="coarsest", **more),
    "finest": lambda **more: problem().seek_both(prefer="finest", **more),
}


@pytest.fixture(scope="module")
def alone() -> Dict[str, str]:
    return {name: ask(threads=1).to_json() for name, ask in QUESTIONS.items()}


@HOW
@pytest.mark.parametrize("question", list(QUESTIONS))
def test_searches(alone: Dict[str, str], question: str, how: Any) -> None:
    total = 0
    for seed in range(2):
        executor = made(how)
        # New processes take a second to start where they are spawned.
        with storm(seed, 1.5 if how == "spawn" else 0.25) as killed:
            assert QUESTIONS[question](executor=executor).to_json() == alone[question]
        total += len(killed)
        if isinstance(executor, Executor):
            executor.shutdown(wait=False, cancel_futures=True)
    if question == "seek_maps":
        assert total >= 1, "nobody was killed"


def make(rows: int, seconds: float = 0.05) -> "Problem[Any]":
    time.sleep(seconds)
    return Problem(nuclear(rows, 4), inspector())


@HOW
def test_sweeps(tmp_path: pathlib.Path, how: Any) -> None:
    told = ("rows", "status", "verdict", "events", "cost", "vertices", "explored")
    here = [tuple(row[name] for name in told) for row in divulge.sweep(make, {"rows": range(3, 19)}, executor=1)]
    killed: List[int] = []
    for number in range(10):
        store = tmp_path / f"runs-{number}.sqlite"
        with storm(number, 0.8 if how == "spawn" else 0.3) as killed:
            # Points that were unlucky each time are asked about by whoever begins the sweep again.
            for _ in range(20):
                executor = made(how)
                rows = divulge.sweep(make, {"rows": range(3, 19)}, executor=executor, store=store)
                if isinstance(executor, Executor):
                    executor.shutdown(wait=False, cancel_futures=True)
                assert all(row["status"] == "lost" for row in rows.failed)
                if not rows.failed:
                    break
        assert [tuple(row[name] for name in told) for row in rows] == here
        if len(killed) > 1:
            break
    assert killed, "nobody was killed"


def test_as_the_command_line_says(program: str, tmp_path: pathlib.Path) -> None:
    """The same bytes: the program on one thread, the program on several, Python, and pools whose processes are killed."""
    path = tmp_path / "inspection.json"
    assert run(program, "generate", "nuclear", "--knows", "plan", "--merge", "sought", "-o", str(path))[0] == 0
    for words, ask in [
        (["maps"], lambda **more: divulge.load(path).seek_maps(**more)),
        (["both", "--prefer", "finest"], lambda **more: divulge.load(path).seek_both(prefer="finest", **more)),
        (["both", "--prefer", "coarsest"], lambda **more: divulge.load(path).seek_both(prefer="coarsest", **more)),
    ]:
        told = [run(program, "seek", *words, str(path), "--json", "--threads", str(n))[1] for n in (1, 3)]
        assert told[0] == told[1] and json.loads(told[0])["verdict"] == "found"
        with storm(11, 0.3):
            for given in ({"threads": 1}, {"threads": 3}, {"executor": 2}, {"executor": 3}):
                assert ask(**given).to_json().encode().strip() == told[0].encode().strip(), (words, given)


class Unlucky(Executor):
    """Loses every task but those of its choice."""

    def __init__(self, spared: Callable[[int], bool]) -> None:
        self._number, self._spared, self.workers = 0, spared, 2

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: "Future[Any]" = Future()
        self._number += 1
        if self._spared(self._number):
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(BrokenExecutor("lightning"))
        return future


@pytest.mark.parametrize("spared", [lambda n: False, lambda n: n % 2 == 0, lambda n: n % 7 == 3], ids=["none", "half", "few"])
def test_tasks_that_are_lost_each_time_are_done_here(alone: Dict[str, str], spared: Callable[[int], bool]) -> None:
    assert problem().seek_maps(executor=Unlucky(spared)).to_json() == alone["seek_maps"]
    assert problem().seek_both(executor=Unlucky(spared), prefer="finest").to_json() == alone["finest"]


def test_points_that_are_lost_each_time_are_given_up() -> None:
    with pytest.warns(divulge.DivulgeWarning, match="3 of 3 points failed"):
        rows = divulge.sweep(make, {"rows": range(3, 6)}, executor=Unlucky(lambda n: False))
    assert [row["status"] for row in rows] == ["lost"] * 3 and "lightning" in rows[0]["error"]


def test_workers_that_cannot_read_are_told_at_once() -> None:
    class Bare(Executor):
        """Workers without divulge."""

        tasks = 0

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
            self.tasks += 1
            future: "Future[Any]" = Future()
            future.set_exception(ModuleNotFoundError("No module named 'divulge'"))
            return future

    bare = Bare()
    for ask in (lambda: problem().seek_maps(executor=bare), lambda: divulge.sweep(make, {"rows": range(3, 60)}, executor=bare)):
        with pytest.raises(DivulgeError, match="the workers cannot read what they are sent(.|\n)*No module named 'divulge'(.|\n)*same version"):
            ask()
    assert bare.tasks < 30


def test_workers_of_another_version_are_refused() -> None:
    parcel = Parcel([1, 2, 3], "a list")
    assert parcel.data is not None
    version, data = pickle.loads(parcel.data)
    assert version == divulge.__version__
    how, said = work("another digest", pickle.dumps(("0.0.7", data)), pickle.dumps((len, ())))
    assert how == "failed" and f"a worker has divulge {version}, and the tasks come from 0.0.7" in pickle.loads(said)[0]
    how, said = work(parcel.digest, parcel.data, pickle.dumps((len, ())))
    assert (how, pickle.loads(said)) == ("done", 3)


def test_a_large_parcel_does_not_hang_a_pool_that_breaks() -> None:
    """What is shared is longer than any pipe, and its reader is killed."""
    with Farm(ProcessPoolExecutor(2), Parcel(b"x" * (8 << 20), "a long text"), owned=True) as farm, storm(2, 0.2) as killed:
        for number in range(40):
            farm.add(number, slow_length)
        found: Dict[int, Any] = {}
        end = time.monotonic() + 60
        while len(farm) and time.monotonic() < end:
            found.update(farm.results(timeout=1))
    assert len(found) == 40 and killed and all(one == 8 << 20 or isinstance(one, Lost) for one in found.values())


def slow_length(shared: bytes) -> int:
    time.sleep(0.02)
    return len(shared)


BOTH = """
import sys
sys.path.insert(0, {tests!r})
import divulge
from test_storms import make
from test_clusters import problem, storm

if __name__ == "__main__":
    if sys.argv[1] == "maps":
        print(problem().seek_maps(store={store!r}, executor=2).to_json())
    else:
        rows = divulge.sweep(make, {{"rows": range(3, 15)}}, store={store!r}, executor=2)
        print([row["verdict"] for row in rows])
"""


def test_several_processes_on_one_store(alone: Dict[str, str], tmp_path: pathlib.Path) -> None:
    """Searches and sweeps, all at once, into a file that none of them has made yet; one is killed."""
    store, script = tmp_path / "runs.sqlite", tmp_path / "script.py"
    script.write_text(BOTH.format(tests=TESTS, store=str(store)))
    pipe = subprocess.PIPE
    with contextlib.ExitStack() as stack:
        children = [
            stack.enter_context(started([sys.executable, str(script), what], stdout=pipe, stderr=pipe))
            for what in ("maps", "maps", "sweep", "sweep", "sweep")
        ]
        time.sleep(1.5)
        children[2].kill()
        said = [child.communicate(timeout=100) for child in children]
    verdicts = str([row["verdict"] for row in divulge.sweep(make, {"rows": range(3, 15)})])
    for number, wanted in enumerate([alone["seek_maps"], alone["seek_maps"], None, verdicts, verdicts]):
        assert wanted is None or said[number][0].strip() == wanted, said[number][1][-2000:]
    with sqlite3.connect(store) as db:
        assert db.execute("SELECT count(*) FROM points").fetchone() == (12,)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


FULL = """
import resource, sys, warnings
sys.path.insert(0, {tests!r})
import divulge
from test_storms import make
from test_clusters import problem, storm

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        print(problem().seek_maps(store={store!r}, threads=2).to_json())
    print(sum("cannot be written" in str(one.message) for one in caught))
    try:
        divulge.sweep(lambda rows: make(rows, 0.0), {{"rows": range(3, 200)}}, store={store!r}, executor=1)
    except divulge.DivulgeError as error:
        print(error)
"""


def test_a_disk_that_is_full(alone: Dict[str, str], tmp_path: pathlib.Path) -> None:
    """A search goes on without its store, and says so; a sweep, whose rows would be lost, stops."""
    store, script = tmp_path / "runs.sqlite", tmp_path / "script.py"
    script.write_text(FULL.format(tests=TESTS, store=str(store), most=70_000))
    done = finished([sys.executable, str(script)])
    lines = done.stdout.splitlines()
    assert lines[0] == alone["seek_maps"], done.stderr[-2000:]
    assert lines[1] == "1" and lines[2].startswith(f"the store `{store}` cannot be used"), done.stdout
    # What was kept is whole.
    assert problem().seek_maps(store=store, threads=2).to_json() == alone["seek_maps"]


@pytest.mark.parametrize("change", ["done = substr(done, 1, length(done) - 8)", "done = zeroblob(16)", "done = 'a text'", "done = 7"])
def test_a_store_that_is_damaged(alone: Dict[str, str], tmp_path: pathlib.Path, change: str) -> None:
    store = tmp_path / "runs.sqlite"
    problem().seek_maps(store=store)
    with sqlite3.connect(store) as db:
        assert db.execute(f"UPDATE tasks SET {change} WHERE rowid % 2 = 0").rowcount > 3
    db.close()
    assert problem().seek_maps(store=store).to_json() == alone["seek_maps"]


def test_a_store_without_a_name() -> None:
    for ask in (lambda: problem().seek_maps(store=""), lambda: divulge.sweep(make, {"rows": [3]}, store="")):
        with pytest.raises(DivulgeError, match="`store` has no file"):
            ask()


def test_nothing_is_left_behind() -> None:
    """Pools of divulge's own end with the question."""

    def mine() -> List[Optional[int]]:
        return [child.pid for child in multiprocessing.active_children()]

    before = mine()
    problem().seek_maps(executor=2)
    divulge.sweep(EXAMPLES / "nuclear.divulge", {"rows": [3, 4]})
    end = time.monotonic() + 10
    while mine() != before and time.monotonic() < end:
        time.sleep(0.05)
    assert mine() == before


def test_a_pool_ends_although_a_process_was_killed_that_had_nothing_to_do() -> None:
    """The others may wait for what it held, and the pool does not notice any more."""
    for number in range(6):
        begin = time.monotonic()
        with Farm(ProcessPoolExecutor(2), Parcel(b"x", "a text"), owned=True) as farm:
            for task in range(4):
                farm.add(task, slow_length)
            while len(farm):
                list(farm.results(timeout=1))
            os.kill(list(getattr(farm._executor, "_processes"))[number % 2], signal.SIGKILL)
        assert time.monotonic() - begin < 20
