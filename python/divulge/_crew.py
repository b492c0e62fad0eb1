"""Searches over maps that are carried out by others: any executor, and a store that remembers what was done."""

from __future__ import annotations

import os
import threading
import weakref
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Union

from . import _divulge
from ._farm import Failed, Farm, Lost, Parcel
from ._store import Tasks
from .errors import DivulgeError
from .executors import AnyExecutor, cores, executor_of, forks

if TYPE_CHECKING:
    from ._built import Built

AnyStore = Union[str, "os.PathLike[str]", None]


class Question:
    """A question about maps, and its problem: what all tasks share."""

    def __init__(self, built: Built[Any], what: str, keep_plan: bool, options: Mapping[str, Any]) -> None:
        self.built, self.what, self.keep_plan, self.options = built, what, keep_plan, dict(options)

    def name(self) -> str:
        """What tells it from others, in a store."""
        return _divulge.search_name(self.built.native, self.what, self.keep_plan, self.options)


_at_hand = threading.local()


def carry_out(question: Question, task: bytes) -> bytes:
    """Done by a worker: one task. The question is posed once for each worker."""
    known: Optional["weakref.WeakKeyDictionary[Question, Any]"] = getattr(_at_hand, "hands", None)
    if known is None:
        known = _at_hand.hands = weakref.WeakKeyDictionary()
    process, hands = known.get(question, (None, None))
    # A fork has what its parent knew, but not its threads.
    if process != os.getpid():
        hands = _divulge.Hands(question.built.native, question.what, question.keep_plan, question.options)
        known[question] = os.getpid(), hands
    done: bytes = hands.one(task)
    return done


class Crew:
    """Has the tasks of a search carried out. The native half calls :meth:`begin`, :meth:`wait` and :meth:`forget`."""

    def __init__(self, question: Question, executor: AnyExecutor, store: AnyStore) -> None:
        self._kept = None if store is None else Tasks(store, question.name())
        if executor is None:
            # Threads of this process, so that what they do can be remembered.
            workers: Executor = ThreadPoolExecutor(question.options.get("threads") or cores())
            owned, parcel = True, Parcel(question, "the problem", forked=True)
        else:
            workers, owned = executor_of(executor), isinstance(executor, int)
            parcel = Parcel(question, "the problem", forked=owned and forks())
        self._farm = Farm(workers, parcel, owned=owned, stubborn=True)
        #: by number, the tasks that nobody has done, and what came of others
        self._tasks: Dict[int, bytes] = {}
        self._done: Dict[int, bytes] = {}
        #: how many were begun, and the first whose result was not given
        self._begun = self._next = 0
        self._open = True
        #: what was sent and done: tasks, those that carried the problem, bytes, tasks that were lost; and tasks that the store knew
        self.figures = self._farm.sent
        self.figures.update(recalled=0)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *error: Any) -> None:
        self._open = False
        self._farm.__exit__(*error)
        if self._kept is not None:
            self._kept.close()

    def begin(self, tasks: List[bytes]) -> None:
        """Some more tasks, none of which depends on another that is under way."""
        for number, task in enumerate(tasks, self._begun):
            known = None if self._kept is None else self._kept.recall(task)
            if known is None:
                self._tasks[number] = task
                self._farm.add(number, carry_out, task)
            else:
                self.figures["recalled"] += 1
                self._done[number] = known
        self._begun += len(tasks)
        self._farm.hand_out()

    def wait(self, seconds: float) -> Optional[bytes]:
        """What came of the first task whose result was not given yet; ``None`` if it is not done after so many seconds."""
        if not self._open:
            raise DivulgeError("the search was stopped")
        if self._next not in self._done:
            for number, result in self._farm.results(timeout=seconds):
                if isinstance(result, (Failed, Lost)):
                    raise DivulgeError(f"a task of the search could not be carried out: {result.message}")
                task = self._tasks.pop(number)
                if self._kept is not None:
                    self._kept.note(task, result)
                if number >= self._next:
                    self._done[number] = result
        done = self._done.pop(self._next, None)
        self._next += done is not None
        return done

    def forget(self) -> None:
        """The tasks that are under way are not needed."""
        self._next, self._done = self._begun, {}
