"""Real engines: process pools, Dask, Ray and MPI; workers that are killed in the middle; searches that are stopped and continued."""

import contextlib
import importlib.util
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import pytest
from children import finished, started
from conftest import run
from worlds import inspector, nuclear

import divulge
from divulge import DivulgeError, MapConstraints, Problem
from divulge._crew import Crew, Question
from divulge._farm import Failed, Farm, Lost, Parcel

TESTS = str(pathlib.Path(__file__).parent)


def installed(*names: str) -> Any:
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} is not installed")


def problem() -> "Problem[Any]":
    """All maps of a small inspection: long enough to be shared out."""
    return Problem(nuclear(3, 4), inspector(merge=None, constraints=MapConstraints()))


@pytest.fixture(scope="module")
def alone() -> str:
    """The answer of one thread."""
    return problem().seek_maps(threads=1).to_json()


def figures(given: "Problem[Any]", executor: Any, store: Any = None) -> Tuple[str, Dict[str, int]]:
    """The answer, and what was sent for it."""
    built, options = given._without_map(None, False), {**OPTIONS}
    with Crew(Question(built, "maps", False, options), executor, store) as crew:
        native, _ = divulge._divulge.seek_maps(built.native, False, options, (None, None, None), crew)
        return native.json((None, None, None)), crew.figures


OPTIONS = {"cost": False, "offers": "sparing", "shortest": False, "prefer": None, "and_or": False, "threads": 1}


@contextlib.contextmanager
def pool(method: str) -> Iterator[Any]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as made:
        yield made


def size_of_problem() -> int:
    data = Parcel(Question(problem()._itself(), "maps", False, OPTIONS), "it").data
    assert data is not None
    return len(data)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_process_pools(alone: str, method: str) -> None:
    with pool(method) as made:
        answer, sent = figures(problem(), made)
        assert answer == alone
        assert sent["tasks"] >= 12 and sent["lost"] == 0
        # The problem goes to a worker once, or a few times more: not once a task.
        assert 1 <= sent["parcels"] <= 10
        assert sent["bytes"] < 10 * size_of_problem() + 100_000 * sent["tasks"]
        again, sent = figures(problem(), made)
        assert again == alone and sent["parcels"] == 0
        assert problem().seek_maps(executor=made).to_json() == alone


@pytest.mark.parametrize("executor", [1, 3, "threads"], ids=str)
def test_any_number_of_workers(alone: str, executor: Any) -> None:
    with ThreadPoolExecutor(3) as threads:
        answer, sent = figures(problem(), threads if executor == "threads" else executor)
    assert answer == alone and sent["tasks"] >= 12
    if executor != "threads":
        # Forks have the problem already.
        assert sent["parcels"] == 0


@pytest.mark.parametrize("options", [{}, {"prefer": "finest"}, {"prefer": "coarsest"}, {"shortest": True}], ids=str)
def test_one_plan_and_one_map(options: Dict[str, Any]) -> None:
    here = problem().seek_both(threads=1, **options)
    with pool("spawn") as made:
        assert problem().seek_both(executor=made, **options).to_json() == here.to_json()
        if not options:
            given = Problem(nuclear(3, 4), problem().observer, plan=here.plan)
            assert given.seek_map(executor=made).to_json() == given.seek_map().to_json()


def processes_of(executor: ProcessPoolExecutor) -> List[int]:
    return list(executor._processes)


def killing(find: Callable[[], List[int]], after: float = 0.05) -> threading.Thread:
    """Kills one of the workers, once there are any and they have begun to work; ``name`` then says so."""

    def kill() -> None:
        end = time.monotonic() + 60
        while not find() and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(after)
        with contextlib.suppress(ProcessLookupError):
            os.kill(find()[0], signal.SIGKILL)
            made.name = "killed"

    made = threading.Thread(target=kill)
    made.start()
    return made


def children_of(parent: int) -> List[int]:
    """The processes that a process has started, as far as the system tells."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"\nPPid:\t{parent}\n" in (folder / "status").read_text():
                found.append(int(folder.name))
    return found


@contextlib.contextmanager
def storm(seed: int, pause: float, find: Optional[Callable[[], List[int]]] = None, most: int = 1000) -> Iterator[List[int]]:
    """Kills one of the processes that ``find`` gives, or that this one has started, after at most ``pause`` seconds each time, until the block
    ends; gives those killed."""
    chance, over = random.Random(seed), threading.Event()
    killed: List[int] = []

    def kill() -> None:
        while len(killed) < most and not over.wait(chance.uniform(0, pause)):
            alive = [child.pid or 0 for child in multiprocessing.active_children()] if find is None else find()
            if any(alive):
                with contextlib.suppress(ProcessLookupError):
                    pid = chance.choice([pid for pid in alive if pid])
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


@pytest.mark.filterwarnings("ignore:a process of the pool died")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_of_a_pool_is_killed(alone: str, method: str) -> None:
    made = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method))
    killer = killing(lambda: processes_of(made))
    answer, sent = figures(problem(), made)
    killer.join(60)
    assert answer == alone and sent["lost"] > 0
    made.shutdown()


def make(rows: int, slow: float = 0.0) -> "Problem[Any]":
    time.sleep(slow)
    return Problem(nuclear(rows, 4), inspector())


@installed("distributed")
def test_dask(alone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([TESTS, *sys.path]))
    distributed = pytest.importorskip("distributed")
    # Workers run the tests' own processes, so their memory is limited as ours is.
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit="1GiB", host="127.0.0.1"
    ) as cluster, distributed.Client(cluster, timeout=60) as client:
        swept = divulge.sweep(make, {"rows": range(3, 9)}, executor=client)
        assert [row["verdict"] for row in swept] == [make(rows).seek_plan().verdict for rows in range(3, 9)]
        workers = lambda: [worker.process.process.pid for worker in cluster.workers.values() if worker.process]  # noqa: E731
        killer = killing(lambda: [pid for pid in workers() if pid])
        answer, sent = figures(problem(), client)
        killer.join(60)
        assert killer.name == "killed", "no worker was killed"
        assert answer == alone and sent["parcels"] <= 20
        # Again and again, at random moments.
        with storm(3, 1.5, lambda: [pid for pid in workers() if pid], most=5) as killed:
            end = time.monotonic() + 60
            while len(killed) < 2 and time.monotonic() < end:
                assert problem().seek_maps(executor=client).to_json() == alone
            swept = divulge.sweep(make, {"rows": range(3, 9), "slow": [0.1]}, executor=client)
        assert len(killed) >= 2 and [row["verdict"] for row in swept] == [make(rows).seek_plan().verdict for rows in range(3, 9)]
        assert problem().seek_both(executor=client.get_executor()).to_json() == problem().seek_both(threads=1).to_json()


def whoami(_: Any) -> int:
    return os.getpid()


def ray_workers() -> List[int]:
    """Those that work or wait for work; other children of Ray's daemon would take it along."""
    found = []
    for daemon in children_of(os.getpid()):
        for pid in children_of(daemon):
            with contextlib.suppress(OSError):
                if pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().startswith((b"ray::work", b"ray::IDLE")):
                    found.append(pid)
    return found


@installed("ray")
def test_ray(alone: str, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([TESTS, *sys.path]))
    for name, value in {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}.items():
        monkeypatch.setenv(name, value)
    ray = pytest.importorskip("ray")
    with pytest.raises(DivulgeError, match="call ray.init"):
        divulge.sweep(make, {"rows": [3]}, executor=ray)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False, object_store_memory=100 << 20)
    try:
        swept = divulge.sweep(make, {"rows": range(3, 9)}, executor=ray)
        assert [row["verdict"] for row in swept] == [make(rows).seek_plan().verdict for rows in range(3, 9)]
        pids: List[int] = []
        with Farm(divulge.RayExecutor(), Parcel(None, "nothing")) as farm:
            for number in range(4):
                farm.add(number, whoami)
            while len(farm):
                pids += [pid for _, pid in farm.results(timeout=1)]
        killer = killing(lambda: pids)
        answer, sent = figures(problem(), ray)
        killer.join(60)
        assert killer.name == "killed", "no worker was killed"
        assert answer == alone and sent["parcels"] <= 20
        # Again and again, at random moments. The daemon that this process started has started the workers.
        with storm(4, 1.5, ray_workers, most=5) as killed:
            end = time.monotonic() + 60
            while len(killed) < 2 and time.monotonic() < end:
                assert problem().seek_maps(executor=ray).to_json() == alone
            swept = divulge.sweep(make, {"rows": range(3, 9), "slow": [0.1]}, executor=ray)
        assert len(killed) >= 2 and [row["verdict"] for row in swept] == [make(rows).seek_plan().verdict for rows in range(3, 9)]
        assert problem().seek_both(executor=divulge.RayExecutor(num_cpus=1)).to_json() == problem().seek_both(threads=1).to_json()
    finally:
        ray.shutdown()


MPI = """
import sys
sys.path.insert(0, {tests!r})
from mpi4py.futures import MPIPoolExecutor
from test_clusters import make, problem
import divulge

if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        print(len(divulge.sweep(make, {{"rows": range(3, 6)}}, executor=pool)))
        print(problem().seek_maps(executor=pool).to_json())
"""


#: beside the interpreter, or anywhere else
MPIEXEC = shutil.which("mpiexec", path=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]))


@pytest.mark.skipif(MPIEXEC is None, reason="MPI is not installed")
@installed("mpi4py")
def test_mpi(alone: str, tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(MPI.format(tests=TESTS))
    assert MPIEXEC is not None
    command = [MPIEXEC, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(script)]
    more = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    done = finished(command, env={**os.environ, **more})
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["3", alone]


def test_a_search_is_continued(alone: str, tmp_path: pathlib.Path) -> None:
    store = tmp_path / "search.sqlite"
    stopped = problem().seek_maps(store=store, time_limit=0.4, threads=2)
    assert stopped.verdict in ("unknown", "found")
    with sqlite3.connect(store) as db:
        (had,) = db.execute("SELECT count(*) FROM tasks").fetchone()
    answer, sent = figures(problem(), 2, store)
    assert answer == alone and sent["recalled"] >= had - 1
    answer, sent = figures(problem(), 2, store)
    assert answer == alone and sent["tasks"] == 0 and sent["recalled"] >= 12
    # Another problem does not take these for its own.
    other = Problem(nuclear(2, 4), problem().observer)
    assert other.seek_maps(store=store).to_json() == other.seek_maps().to_json()


def test_the_program_and_python_continue_each_other(program: str, tmp_path: pathlib.Path) -> None:
    model = tmp_path / "inspection.json"
    status, _, err = run(program, "generate", "nuclear", "--knows", "plan", "--merge", "sought", "-o", str(model))
    assert status == 0, err
    asked = ["seek", "maps", str(model), "--json", "--store"]
    began = {"program": tmp_path / "program.sqlite", "python": tmp_path / "python.sqlite"}
    status, out, err = run(program, *asked, str(began["program"]))
    assert status == 0, err
    answer, sent = figures(divulge.load(model), 2, began["program"])
    assert json.loads(answer) == json.loads(out)
    assert sent["tasks"] == 0 and sent["recalled"] >= 5
    _, sent = figures(divulge.load(model), 2, began["python"])
    assert sent["recalled"] == 0
    status, again, err = run(program, *asked, str(began["python"]))
    assert (status, again) == (0, out) and f"{sent['tasks']} tasks were done before" in err


SEARCH = """
import sys
sys.path.insert(0, {tests!r})
from test_clusters import problem

if __name__ == "__main__":
    print(problem().seek_maps(store={store!r}, executor=2).to_json())
"""


def test_a_search_that_is_killed_twice(alone: str, tmp_path: pathlib.Path) -> None:
    store, script = tmp_path / "search.sqlite", tmp_path / "script.py"
    script.write_text(SEARCH.format(tests=TESTS, store=str(store)))

    def known() -> int:
        try:
            with sqlite3.connect(store) as db:
                return int(db.execute("SELECT count(*) FROM tasks").fetchone()[0])
        except sqlite3.Error:
            return 0

    for stop in (3, 8):
        with started([sys.executable, str(script)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            end = time.monotonic() + 60
            while known() < stop and child.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            child.kill()
            child.wait(60)
        assert known() >= stop
    done = finished([sys.executable, str(script)])
    assert done.stdout.strip() == alone, done.stderr


def test_limits_and_interrupts_hold(tmp_path: pathlib.Path) -> None:
    begin = time.monotonic()
    answer = problem().seek_maps(executor=2, time_limit=0.2)
    assert time.monotonic() - begin < 30
    assert answer.verdict in ("unknown", "found")
    script = tmp_path / "script.py"
    script.write_text(SEARCH.format(tests=TESTS, store=str(tmp_path / "search.sqlite")))
    with started([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        time.sleep(1.5)
        if child.poll() is None:
            child.send_signal(signal.SIGINT)
            assert child.communicate(timeout=60)[1].strip().endswith("KeyboardInterrupt")


def test_what_is_refused() -> None:
    with pytest.raises(DivulgeError, match="`executor` cannot be 'many'"):
        problem().seek_maps(executor="many")
    with pytest.raises(DivulgeError, match="the and-or engine works alone"):
        problem().seek_both(executor=2, engine="and-or")
    with pytest.raises(DivulgeError, match="is not a database"):
        problem().seek_maps(store=__file__)
    closed = ProcessPoolExecutor(1)
    closed.shutdown()
    with pytest.raises(DivulgeError, match="the executor takes no more tasks"):
        problem().seek_maps(executor=closed)


class Stubborn:
    """A state that belongs to one process."""

    def __init__(self, name: str) -> None:
        self.name, self.lock = name, threading.Lock()

    def __str__(self) -> str:
        return self.name


def test_a_state_that_cannot_be_sent_is_named() -> None:
    good, bad = "here", Stubborn("the lock")
    world = divulge.World.graph([(good, "go", bad)], initial=[good], goal=[bad])
    stuck = Problem(world, divulge.Observer(knows="world"))
    with pool("spawn") as made, pytest.raises(DivulgeError, match="the problem cannot be sent(.|\n)*the state `the lock`"):
        stuck.seek_maps(executor=made)


def fails(shared: int, number: int) -> int:
    if number == 3:
        raise ValueError("three")
    if number == 4:
        os._exit(7)
    return shared + number


def test_tasks_that_fail_and_tasks_that_kill() -> None:
    with Farm(ProcessPoolExecutor(2), Parcel(10, "ten"), owned=True) as farm:
        for number in range(6):
            farm.add(number, fails, number)
        found: Dict[int, Any] = {}
        while len(farm):
            found.update(farm.results(timeout=1))
    assert {n: found[n] for n in (0, 1, 2, 5)} == {0: 10, 1: 11, 2: 12, 5: 15}
    assert isinstance(found[3], Failed) and found[3].message == "ValueError: three"
    assert isinstance(found[4], Lost) and "its worker died" in found[4].message


def test_what_is_shared_travels_once() -> None:
    """A worker that lacks what is shared says so: with two workers, a hundred tasks carry it a handful of times."""
    with Farm(ProcessPoolExecutor(2), Parcel(list(range(100_000)), "a list"), owned=True) as farm:
        for number in range(100):
            farm.add(number, length)
        while len(farm):
            assert all(result == 100_000 for _, result in farm.results(timeout=1))
        assert 1 <= farm.sent["parcels"] <= 10 and farm.sent["tasks"] >= 100


def length(shared: List[int]) -> int:
    return len(shared)


