"""Whoever works: process pools, Dask, Ray, MPI, and anything else that is a ``concurrent.futures.Executor``."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any, Callable, Optional, Union, cast

from ._text import text
from .errors import DivulgeError

#: an executor, a Dask client, the module ``ray``, how many processes, or nothing: a process for each core
AnyExecutor = Union[Executor, int, Any, None]


class RayExecutor(Executor):
    """Tasks on a Ray cluster that ``ray.init()`` has joined. ``options`` are those of ``ray.remote``, such as ``num_cpus=1``."""

    def __init__(self, **options: Any) -> None:
        import importlib

        self._ray: Any = importlib.import_module("ray")
        if not self._ray.is_initialized():
            raise DivulgeError("there is no Ray cluster to work on", "call ray.init() first")
        # Which tasks are done again is decided by whoever submits them.
        self._options = {"max_retries": 0, **options}
        self._remote: Any = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Sends a task."""
        if self._remote is None or self._remote[0] is not fn:
            self._remote = fn, self._ray.remote(**self._options)(fn)
        found: Future[Any] = self._remote[1].remote(*args, **kwargs).future()
        return found

    @property
    def workers(self) -> int:
        """How many tasks the cluster works on at a time."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))


def cores() -> int:
    """How many cores this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return os.cpu_count() or 1


def pool(workers: Optional[int] = None, like: Optional[ProcessPoolExecutor] = None) -> ProcessPoolExecutor:
    """A pool of processes on this machine; ``like``: one to take the place of another."""
    if like is None:
        return ProcessPoolExecutor(workers or cores(), initializer=_belong)
    given: Any = like
    return ProcessPoolExecutor(
        given._max_workers, mp_context=given._mp_context, initializer=given._initializer, initargs=given._initargs
    )


def _belong() -> None:
    """A worker of our own pool ends with the process that it works for, and not before."""
    # Ctrl-C reaches the whole group of processes, and it is for the first one to decide.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()


def forks() -> bool:
    """Whether new processes are forks of this one, and have all that it has."""
    return multiprocessing.get_start_method() == "fork"


def executor_of(given: AnyExecutor) -> Executor:
    """What was given, as an executor."""
    if given is None or (isinstance(given, int) and not isinstance(given, bool) and given > 0):
        return pool(given)
    if isinstance(given, Executor):
        return given
    if getattr(given, "__name__", None) == "ray" and hasattr(given, "remote"):
        return RayExecutor()
    if hasattr(given, "get_executor"):
        # A Dask client: tasks are told apart even if they are the same.
        client: Any = given
        found: Executor = client.get_executor(pure=False)
        return found
    if callable(getattr(given, "submit", None)):
        return cast(Executor, given)
    raise DivulgeError(
        f"`executor` cannot be {text(given)!r}",
        "give a concurrent.futures.Executor, a Dask client, the module ray, or a number of processes",
    )


def workers_of(executor: Executor) -> int:
    """How many tasks it works on at a time, as far as one can tell."""
    found: Any = getattr(executor, "workers", None) or getattr(executor, "_max_workers", None)
    client: Any = getattr(executor, "_client", None)
    if found is None and hasattr(client, "ncores"):
        found = sum(client.ncores().values())
    return found if isinstance(found, int) and found > 0 else cores()
