"""Tasks for any executor: what they share is sent to a worker once, and what a lost worker had to do is done again.

A task names what it shares with the others by its digest. A worker keeps the last few things that it was sent. One that lacks what
a task needs says so, and the task comes again with all of it. So nothing has to be set up on workers before, they may come and go, and what is shared
travels about as often as there are workers.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import pickle
import secrets
import sys
import time
import traceback
from collections import OrderedDict, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from typing import Any, Callable, Deque, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._divulge import __version__
from ._text import text
from .errors import DivulgeError, warn
from .executors import pool, workers_of

#: how many shared things a worker keeps
_KEPT = 4
#: how often a task may be there when a worker dies before it is done alone, and how often then before it is given up
_DEATHS, _ALONE = 2, 3

#: seconds that the processes of a pool have to end by themselves
_PATIENCE = 3.0

#: what was sent to this process, the latest last; and what forks of it, and its own threads, have without being sent it
_here: "OrderedDict[str, Any]" = OrderedDict()
_own: Dict[str, Any] = {}


def dumps(thing: Any, what: str) -> bytes:
    """What is sent: by cloudpickle, if it is installed, which also sends what is defined in a script or a notebook, and lambdas."""
    dump, advice = _dumper()
    try:
        made: bytes = dump(thing, protocol=5)
        return made
    except Exception as error:
        culprit = _culprit(thing)
        named = "" if culprit is None else f", because of {culprit}"
        raise DivulgeError(f"{what} cannot be sent to other processes{named}: {error}", advice) from None


def _dumper() -> Tuple[Callable[..., bytes], str]:
    # Ray brings its own.
    for name in ("cloudpickle", "ray.cloudpickle"):
        if name == "cloudpickle" or "ray" in sys.modules:
            try:
                found: Any = importlib.import_module(name)
            except ImportError:
                continue
            return found.dumps, "leave out what belongs to this process alone: open files, locks, connections"
    return pickle.dumps, "what is defined at the top of a module can be sent; install cloudpickle for lambdas and what is defined elsewhere"


def _culprit(thing: Any) -> Optional[str]:
    """The state or label that cannot be sent, if it is one."""
    from .world import World

    about = getattr(thing, "built", thing)
    world = getattr(about, "world", about)
    if not isinstance(world, World):
        return None
    for kind, values in (("state", world._states), ("label", world._labels.values)):
        for value in values:
            try:
                pickle.Pickler(io.BytesIO(), 5).dump(value)
            except Exception:
                return f"the {kind} `{text(value)}`"
    return None


class Parcel:
    """Something that all tasks share, ready to be sent. ``forked``: workers are forks of this process, and have it already."""

    def __init__(self, thing: Any, what: str, *, forked: bool = False) -> None:
        self.thing = thing if forked else None
        self.data = None if forked else pickle.dumps((__version__, dumps(thing, what)), protocol=5)
        self.digest = secrets.token_hex(16) if self.data is None else hashlib.sha256(self.data).hexdigest()


class Failed(NamedTuple):
    """A task that went wrong: why, in a line, and where."""

    message: str
    where: str


class Lost(NamedTuple):
    """A task whose worker died each time."""

    message: str


def work(digest: str, parcel: Optional[bytes], task: bytes) -> Tuple[str, bytes]:
    """Done by a worker: ``"done"`` with the result, ``"failed"``, or ``"need"`` if it lacks what is shared."""
    try:
        if digest in _own:
            shared = _own[digest]
        elif digest in _here:
            _here.move_to_end(digest)
            shared = _here[digest]
        elif parcel is None:
            return "need", b""
        else:
            version, data = pickle.loads(parcel)
            if version != __version__:
                raise DivulgeError(
                    f"a worker has divulge {__version__}, and the tasks come from {version}", "install the same version everywhere"
                )
            shared = _here[digest] = pickle.loads(data)
            while len(_here) > _KEPT:
                _here.popitem(last=False)
        function, arguments = pickle.loads(task)
        return "done", pickle.dumps(function(shared, *arguments), protocol=5)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        message = str(error) if isinstance(error, DivulgeError) else f"{type(error).__name__}: {error}"
        return "failed", pickle.dumps((message, traceback.format_exc()), protocol=5)


class _Task:
    def __init__(self, name: Any, data: bytes) -> None:
        self.name, self.data = name, data
        #: whether it carries what is shared, and how often its worker died
        self.whole = False
        self.lost = 0
        self.alone = 0


class Farm:
    """Hands out tasks, and gathers results in the order in which they come.

    ``sent`` counts tasks, those that had to carry what is shared, bytes, and tasks that were lost. ``stubborn``: a task whose worker dies each
    time is done by this process itself, not given up.
    """

    def __init__(self, executor: Executor, parcel: Parcel, *, owned: bool = False, stubborn: bool = False) -> None:
        self._executor, self._parcel, self._owned = executor, parcel, owned
        self._myself = ThreadPoolExecutor(1) if stubborn else None
        self._given = executor
        self.workers = workers_of(executor)
        self._waiting: Deque[_Task] = deque()
        self._suspects: Deque[_Task] = deque()
        self._running: Dict["Future[Tuple[str, bytes]]", _Task] = {}
        self.sent = {"tasks": 0, "parcels": 0, "bytes": 0, "lost": 0}
        if parcel.thing is not None:
            _own[parcel.digest] = parcel.thing

    def add(self, name: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """One more task: ``function(shared, *arguments)``, a function of a module."""
        self._waiting.append(_Task(name, dumps((function, arguments), "a task")))

    def __len__(self) -> int:
        """How many tasks have no result yet."""
        return len(self._waiting) + len(self._suspects) + len(self._running)

    def __enter__(self) -> Farm:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        _own.pop(self._parcel.digest, None)
        for future in list(self._running):
            future.cancel()
        if self._myself is not None:
            self._myself.shutdown(wait=False)
        if self._owned or self._executor is not self._given:
            _close(self._executor, hard=kind is not None or bool(self._running))

    def results(self, timeout: Optional[float] = None) -> Iterator[Tuple[Any, Any]]:
        """Names and results (or :class:`Failed`, :class:`Lost`) of the tasks that end next; waits for one, at most ``timeout`` seconds."""
        self.hand_out()
        if not self._running:
            return
        ended, _ = wait(list(self._running), timeout, return_when=FIRST_COMPLETED)
        if not ended:
            _wake(self._executor)
        died: List[Tuple[_Task, BaseException]] = []
        for future in ended:
            task = self._running.pop(future)
            try:
                how, data = future.result()
            except (Exception, CancelledError) as error:
                died.append((task, error))
                continue
            if how == "need" and self._parcel.data is None:
                yield task.name, Failed("a worker is no fork of the process that it works for", "")
            elif how == "need":
                task.whole = True
                self._waiting.appendleft(task)
            elif how == "failed":
                yield task.name, Failed(*pickle.loads(data))
            else:
                yield task.name, pickle.loads(data)
        yield from self._bury(died)

    def hand_out(self) -> None:
        """Sends tasks to workers, as many as keep them busy."""
        # Who was there when a worker died runs alone, so that it is clear whose fault it is if it happens again.
        if self._suspects:
            if not self._running:
                self._submit(self._suspects.popleft())
            return
        while self._waiting and len(self._running) < 3 * self.workers + 4 and not self._suspects:
            self._submit(self._waiting.popleft())

    def _submit(self, task: _Task) -> None:
        parcel = self._parcel.data if task.whole else None
        try:
            future = self._executor.submit(work, self._parcel.digest, parcel, task.data)
        except RuntimeError as error:
            # The pool broke, or was shut down, meanwhile.
            self._replace(error)
            future = self._executor.submit(work, self._parcel.digest, parcel, task.data)
        self.sent["tasks"] += 1
        self.sent["parcels"] += task.whole
        self.sent["bytes"] += len(task.data) + (len(parcel) if parcel else 0)
        self._running[future] = task

    def _bury(self, died: List[Tuple[_Task, BaseException]]) -> Iterator[Tuple[Any, Any]]:
        for task, error in died:
            self.sent["lost"] += 1
            task.lost += 1
            # A new worker lacks what is shared; the task says so if it is needed.
            if len(died) == 1 and not self._running:
                task.alone += 1
            if isinstance(error, (ImportError, AttributeError, pickle.PickleError)):
                raise DivulgeError(
                    f"the workers cannot read what they are sent: {type(error).__name__}: {error}",
                    "they need the same version of divulge, and the modules that your own functions and states are in",
                ) from error
            if task.alone >= _ALONE and self._myself is not None:
                self._running[self._myself.submit(work, self._parcel.digest, self._parcel.data, task.data)] = task
            elif task.alone >= _ALONE:
                yield task.name, Lost(f"its worker died {task.lost} times: {type(error).__name__}: {error}")
            elif task.lost >= _DEATHS:
                self._suspects.append(task)
            else:
                self._waiting.appendleft(task)

    def _replace(self, error: BaseException) -> None:
        """Takes another pool where one broke."""
        if not isinstance(error, BrokenExecutor) or not isinstance(self._executor, ProcessPoolExecutor):
            raise DivulgeError(
                f"the executor takes no more tasks: {error}", "give one that is open; what is in a store is not lost"
            ) from error
        if self._executor is self._given and not self._owned:
            warn("a process of the pool died; its tasks go on in another pool of the same size")
        # It is of no use to anybody, whoever made it.
        _close(self._executor, hard=True)
        self._executor = pool(like=self._executor)


def _processes_of(executor: Executor) -> List[Any]:
    """The processes of a pool of them."""
    return list((getattr(executor, "_processes", None) or {}).values())


def _wake(executor: Executor) -> None:
    """Ends a pool that does not notice that one of its processes has died: the others may wait for ever for what that one held."""
    processes = _processes_of(executor)
    if any(not process.is_alive() for process in processes):
        for process in processes:
            process.kill()


def _close(executor: Executor, hard: bool) -> None:
    processes = _processes_of(executor)
    if not processes:
        executor.shutdown(wait=not hard, cancel_futures=hard)
        return
    # Nothing is left to do. A pool that is asked to wait does so for ever if a process was killed while it held what the others need in order to end.
    manager = getattr(executor, "_executor_manager_thread", None)
    executor.shutdown(wait=False, cancel_futures=hard)
    end = time.monotonic() + (0 if hard else _PATIENCE)
    while any(process.is_alive() for process in processes) and time.monotonic() < end:
        time.sleep(0.005)
    for process in processes:
        process.kill()
    # The threads of a pool that has ended are better gone before another one forks.
    if manager is not None:
        manager.join(_PATIENCE)
