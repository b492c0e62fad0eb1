"""What a task of a sweep and of a search over maps takes: bytes, processor seconds, lessons. Prints the rows of the table in docs/clusters.md.

Run by ``scripts/bench-tasks``, with the package installed; Ray and Dask are measured where they are.
"""

import contextlib
import importlib.util
import os
import pickle
import resource
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any, Callable, Iterator, List

import divulge
from divulge import _crew, _farm

MODEL = os.path.join(os.path.dirname(__file__), "..", "..", "..", "examples", "nuclear.divulge")


def problem(rows: int, cols: int, knows: str) -> "divulge.Problem[Any]":
    """The inspection with this many rows and columns; its observer's map is sought."""
    program = os.path.join(os.path.dirname(sys.executable), "divulge")
    size = ["--rows", str(rows), "--cols", str(cols), "--knows", knows, "--merge", "sought"]
    return divulge.loads(subprocess.run([program, "generate", "nuclear", *size], check=True, stdout=subprocess.PIPE, text=True).stdout)


class Counting(Executor):
    """Does tasks at once, and takes note of what goes there and back."""

    workers = 1

    def __init__(self) -> None:
        self.there: List[int] = []
        self.back: List[int] = []
        self.seconds: List[float] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        digest, parcel, task = args
        future: "Future[Any]" = Future()
        begin = time.process_time()
        how, done = fn(digest, parcel, task)
        if how == "done":
            # What all tasks share goes to a worker once.
            self.there.append(len(pickle.dumps((digest, None, task), protocol=5)))
            self.back.append(len(done))
            self.seconds.append(time.process_time() - begin)
        future.set_result((how, done))
        return future


def least(work: Callable[[], Any]) -> float:
    """Processor seconds, the least of some times."""
    took = []
    for _ in range(5):
        begin = time.process_time()
        work()
        took.append(time.process_time() - begin)
    return min(took)


def mean(given: List[Any]) -> float:
    return sum(given) / len(given)


def row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def sizes() -> None:
    made = divulge.load(MODEL, set={"rows": 60, "cols": 62})
    buffers: List[pickle.PickleBuffer] = []
    rest = pickle.dumps(made, protocol=5, buffer_callback=buffers.append)
    inside = sum(buffer.raw().nbytes for buffer in buffers)
    assert pickle.loads(rest, buffers=buffers) == made
    packed = least(lambda: pickle.dumps(made, protocol=5, buffer_callback=lambda _: None))
    read = least(lambda: pickle.loads(rest, buffers=buffers))
    vertices, arcs = (f"{count:,}".replace(",", " ") for count in (len(made.world), len(list(made.world.edges))))
    row(
        f"a problem whose world has {vertices} vertices and {arcs} arcs (nuclear 60 × 62), pickled",
        f"{inside / 1e3:.0f} kB in the buffer, {len(rest) / 1e3:.0f} kB beside it, and your own states if it has any",
        f"{packed:.3f} to pickle, {read:.3f} to unpickle",
    )
    row("the same as a JSON document", f"{len(made.to_json()) / 1e6:.1f} MB", "")


def sweeping() -> None:
    counting = Counting()
    divulge.sweep(MODEL, {"rows": range(3, 9)}, executor=counting)
    bare = len(pickle.dumps({"rows": 3}, protocol=5))
    row("a task of a sweep", f"{mean(counting.there) - bare:.0f} and the parameters", "as long as its question")


def searching(knows: str) -> None:
    counting = Counting()
    given = problem(4, 5, knows)
    frontier = given.seek_maps(executor=counting)
    there, back, count = counting.there, counting.back, len(counting.there)
    said = f"{mean(there):.0f} (at most {max(there)}); what comes of it {mean(back):.0f} (at most {max(back)})"
    row(f"a task of `seek_maps`, nuclear 4 × 5, {knows} ({count} tasks)", said, f"{mean(counting.seconds):.3f}")
    learnt = frontier.statistics.learnt if frontier.statistics else 0
    row("lessons of these tasks", f"about {learnt / count:.0f} a task", f"some {learnt / sum(counting.seconds):.0f} a second on one core")


def nothing(_: Any) -> None:
    pass


def handing_out(executor: Any, count: int) -> float:
    """Seconds for a task that does nothing."""
    with _farm.Farm(_crew.executor_of(executor), _farm.Parcel(None, "nothing")) as farm:
        for number in range(count):
            farm.add(number, nothing)
        begin = time.monotonic()
        while len(farm):
            for _ in farm.results(timeout=5):
                pass
        return (time.monotonic() - begin) / count


@contextlib.contextmanager
def engines() -> Iterator[List[Any]]:
    found: List[Any] = []
    with contextlib.ExitStack() as stack:
        found.append(("a pool", stack.enter_context(ProcessPoolExecutor(2)), 3000))
        if importlib.util.find_spec("ray"):
            import ray

            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False, object_store_memory=100 << 20)
            stack.callback(ray.shutdown)
            found.append(("Ray", ray, 1000))
        if importlib.util.find_spec("distributed"):
            import distributed

            cluster = stack.enter_context(distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"))
            found.append(("Dask", stack.enter_context(distributed.Client(cluster)), 1000))
        yield found


def main() -> None:
    row("", "bytes", "seconds")
    row("---", "---", "---")
    sizes()
    sweeping()
    for knows in ("world", "goal-directed"):
        searching(knows)
    told = []
    with engines() as found:
        for name, executor, count in found:
            handing_out(executor, 50)
            told.append(f"{handing_out(executor, count):.4f} with {name}")
    row("to hand out a task that does nothing", "", ", ".join(told))
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB; load {os.getloadavg()[0]:.1f}", file=sys.stderr)


if __name__ == "__main__":
    main()
