"""Problems: a world, perhaps a plan, and observers; and the questions that can be asked of them."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import Any, ContextManager, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Union

from . import _divulge
from ._built import Built, Seat
from ._crew import AnyStore, Crew, Question
from ._limits import OnProgress, Size, Time, limits
from ._options import offers as _offers
from ._options import options as _options
from ._options import thread_count as _thread_count
from .answer import Sought, Verdict
from ._given import a_plan, a_world, observers
from ._sent import Tables, sent_map
from ._posed import Posed, same
from ._text import listed
from .errors import Diagnostic, DivulgeError
from .executors import AnyExecutor
from .trace import Trace, trace_of
from .frontier import Frontier
from .graph import Label
from .label_map import AnyMap
from .notebook import Page
from .observer import Observer
from .plan import Plan
from .watch import Watch
from .world import S, World


class Problem(Posed[S]):
    """A whole question: a world, an observer or a list of several, perhaps a plan, and what events cost.

    The questions take the problem's own plan and map unless they are given others. Several observers, each with a name, count all
    together: a plan must keep what is stipulated of every one of them. ``costs`` are integers from 0; without one, an action costs 1 and
    an observation nothing.
    """

    def __init__(
        self,
        world: World[S],
        observer: Union[Observer, Sequence[Observer]],
        *,
        plan: Optional[Plan] = None,
        costs: Optional[Mapping[Label, int]] = None,
        name: Optional[str] = None,
    ) -> None:
        self.world, self.plan = a_world(world), a_plan(plan)
        self.observers = [one._bound(self) for one in observers(observer)]
        if costs is not None and not isinstance(costs, Mapping):
            raise DivulgeError(f"costs cannot be {costs!r}", 'give a dictionary: costs={"left": 2}')
        if name is not None and not isinstance(name, str):
            raise DivulgeError(f"a problem cannot be called {name!r}", "its name is a text")
        self.costs = dict(costs or {})
        self.name = name if name is not None else world.name
        self.warnings, self._warned = [], set()
        self._own, self._own_of, self._gap = None, [], None
        self._itself()

    @classmethod
    def _of(
        cls,
        built: Built[S],
        everybody: Sequence[Observer],
        costs: Dict[Label, int],
        name: Optional[str],
        found: List[Diagnostic],
    ) -> Problem[S]:
        """A problem that was read, and is in the native half already."""
        problem: Problem[S] = Problem.__new__(Problem)
        problem.world, problem.plan, problem.name, problem.costs = built.world, built.plan, name, costs
        problem.observers = [one._bound(problem) for one in everybody]
        problem.warnings, problem._own, problem._gap = found, built, built.native
        problem._warned = {one.message for one in found}
        problem._own_of = problem._parts()
        return problem

    def __reduce__(self) -> Any:
        built = self._itself()
        tables, given = Tables(self.world), []
        for one, seat in zip(self.observers, built.seats):
            parts = {name: value for name, value in one.__dict__.items() if name != "_problem"}
            parts["stipulations"] = tables.stipulations(one.stipulations)
            parts["map"] = sent_map(one.map, seat.label_map, built.labels)
            given.append(parts)
        return _again, (built, given, self.costs, self.name, self.warnings, self._warned, self._gap is not None)

    def __copy__(self) -> Problem[S]:
        other: Problem[S] = Problem.__new__(Problem)
        other.__dict__.update(self.__dict__, costs=dict(self.costs), warnings=list(self.warnings), _warned=set(self._warned))
        other.observers = [one._bound(other) for one in self.observers]
        if self._own is not None and same(self._own_of, self._parts()):
            other._own_of = other._parts()
        return other

    def __deepcopy__(self, memo: Any) -> Problem[S]:
        # Worlds and plans do not change, so both have the same ones.
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        """Whether it is about the same world, plan and costs, with observers who see, know and are told the same. Its name does not matter."""
        if not isinstance(other, Problem):
            return NotImplemented
        return self is other or self._itself() == other._itself()

    def __hash__(self) -> int:
        return hash(self.world)

    def about(self, observer: str) -> Problem[S]:
        """The same problem with one of its observers alone."""
        seat = self._itself().seats[self._number(observer)]
        return Problem(self.world, self.observers[seat.number], plan=self.plan, costs=self.costs, name=self.name)

    def check(
        self,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        *,
        threads: int = 0,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Verdict[S]:
        """Does the plan solve the world, and does every stipulation hold?"""
        number = _thread_count(threads)
        asked = limits(time_limit, memory_limit, progress)
        built = self._with(a_plan(plan), map)
        self._warn(built)
        return Verdict(built, *_divulge.check(built.native, number, asked))

    def audit(
        self,
        map: AnyMap = None,
        *,
        plan: Optional[Plan] = None,
        threads: int = 0,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Verdict[S]:
        """Do the stipulations that must hold always hold whatever the robot does?

        A plan matters only to an observer who knows the plan.
        """
        number = _thread_count(threads)
        asked = limits(time_limit, memory_limit, progress)
        built = self._with(a_plan(plan), map)
        self._warn(built, audit=True)
        return Verdict(built, *_divulge.audit(built.native, number, asked))

    def almost_surely(self, *, time_limit: Time = None, memory_limit: Size = None) -> bool:
        """Can the goal be reached with probability 1 by going on trying, if whatever can happen keeps a chance?

        That is what a strong-cyclic plan does. Plans here are bounded, so that :meth:`seek_plan` may find none all the same. Stipulations do not count.
        """
        return _divulge.almost_surely(self._with(None, None).native, limits(time_limit, memory_limit))

    def seek_plan(
        self,
        map: AnyMap = None,
        *,
        minimize: str = "events",
        shortest: bool = False,
        after: Iterable[Label] = (),
        engine: str = "native",
        permissive: bool = False,
        deterministic: bool = False,
        threads: int = 0,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Sought[S]:
        """Finds a plan for the given map: the one with the least worst case. That there is none is a proof.

        ``minimize``: ``"events"`` or ``"cost"``. ``engine``: ``"native"``, or ``"and-or"``, which finds some plan, for comparison.
        Where an observer knows the plan, it offers a choice only where one is needed; with ``permissive`` it offers all that works, and with
        ``deterministic`` it never chooses: there is none if chance is needed.
        It goes on ``after`` these events, from what the robot knows and the observers believe then; its worst case counts from there.
        """
        if engine == "and-or" and (shortest or minimize == "cost"):
            raise DivulgeError("the and-or engine finds some plan, neither the shortest nor the cheapest")
        options = _options(minimize, shortest, None, engine, threads, _offers(permissive, deterministic))
        asked = limits(time_limit, memory_limit, progress)
        built = self._with(None, map)
        self._warn(built)
        happened = built.labels.spelled(listed(after))
        numbers = [built.labels.number(event) for event in happened]
        sought = Sought(self, built, "plan", *_divulge.seek_plan(built.native, options, asked, numbers))
        sought._after = happened
        return sought

    def seek_map(
        self,
        plan: Optional[Plan] = None,
        *,
        prefer: Optional[str] = None,
        any_map: bool = False,
        shortest: bool = False,
        threads: int = 0,
        executor: AnyExecutor = None,
        store: AnyStore = None,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Sought[S]:
        """Seeks a map for the plan.

        ``prefer``: the ``"finest"``, the ``"coarsest"`` or the ``"cheapest"`` map; without it, the first that is found.
        ``any_map`` sets aside a map that the observer has. ``executor`` and ``store`` are as in :meth:`seek_maps`.
        """
        given = self.plan if plan is None else a_plan(plan)
        if given is None:
            raise DivulgeError(
                "`seek_map` needs a plan to seek a map for",
                "give a plan, or seek a plan and a map with `seek_both`",
            )
        options = _options("events", False, prefer, "native", threads)
        asked = limits(time_limit, memory_limit, progress)
        built = self._without_map(given, any_map)
        self._warn(built)
        with _crew(built, "map", True, options, executor, store) as crew:
            return Sought(self, built, "map", *_divulge.seek_map(built.native, "map", options, asked, crew), options)

    def seek_both(
        self,
        *,
        prefer: Optional[str] = None,
        shortest: bool = False,
        minimize: str = "events",
        any_map: bool = False,
        engine: str = "native",
        permissive: bool = False,
        deterministic: bool = False,
        threads: int = 0,
        executor: AnyExecutor = None,
        store: AnyStore = None,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Sought[S]:
        """Seeks a plan and a map. ``shortest`` proves the least number of events over all maps. ``executor`` and ``store`` are as in
        :meth:`seek_maps`."""
        if engine == "and-or" and (shortest or prefer is not None or minimize == "cost"):
            raise DivulgeError("the and-or engine finds some plan and some map, not the best")
        if engine == "and-or" and (executor is not None or store is not None):
            raise DivulgeError("the and-or engine works alone, and remembers nothing", "leave out `executor` and `store`, or use the native engine")
        options = _options(minimize, shortest, prefer, engine, threads, _offers(permissive, deterministic))
        asked = limits(time_limit, memory_limit, progress)
        built = self._without_map(self.plan, any_map)
        self._warn(built)
        with _crew(built, "both", True, options, executor, store) as crew:
            return Sought(self, built, "both", *_divulge.seek_map(built.native, "both", options, asked, crew), options)

    def seek_maps(
        self,
        plan: Optional[Plan] = None,
        *,
        any_plan: bool = False,
        any_map: bool = False,
        shortest: bool = False,
        threads: int = 0,
        executor: AnyExecutor = None,
        store: AnyStore = None,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Frontier[S]:
        """Every map with which the plan, or some plan if there is none, would do: how many, the finest and the coarsest.

        ``any_plan`` sets the problem's plan aside: any plan would do, another for each map. The plans listed are always the
        shortest.

        A long search is shared out. ``executor``: to others, by any ``concurrent.futures.Executor``, a Dask client, the module ``ray`` or a
        number of processes; without it, to ``threads``. The answer is the same, whoever works, and whichever workers are lost. ``store``: a SQLite file
        that remembers what was done, so that a search that was stopped goes on when the same is asked again.
        """
        options = _options("events", shortest, None, "native", threads)
        asked = limits(time_limit, memory_limit, progress)
        given = self.plan if plan is None else a_plan(plan)
        built = self._without_map(given, any_map)
        self._warn(built)
        keep = given is not None and not any_plan
        with _crew(built, "maps", keep, options, executor, store) as crew:
            return Frontier(self, built, keep, options, *_divulge.seek_maps(built.native, keep, options, asked, crew))

    def watch(
        self,
        *,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        observer: Optional[str] = None,
        time_limit: Time = None,
        memory_limit: Size = None,
    ) -> Watch[S]:
        """Follows what the observer sees, event by event or image by image; of several, the one that is named. The limits are for
        setting it up."""
        asked = limits(time_limit, memory_limit)
        number = self._number(observer)
        built = self._with(a_plan(plan), map)
        self._warn(built, audit=True)
        return Watch(built, built.seats[number], asked)

    def trace(
        self,
        execution: Iterable[Label],
        *,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        observer: Optional[str] = None,
        time_limit: Time = None,
        memory_limit: Size = None,
    ) -> Trace[S]:
        """Follows an execution: what the robot knows, what the observer sees and believes, and what holds. Of several observers, it is the
        one that is named."""
        asked = limits(time_limit, memory_limit)
        number = self._number(observer)
        built = self._with(a_plan(plan), map)
        seat: Seat = built.seats[number]
        events = built.labels.spelled(listed(execution))
        filled: Set[int] = set()
        if built.labels.gaps(events, self.world.starts_observing):
            events, filled = Watch(built, seat, asked)._spelled(events)
        planned = built.plan is not None
        numbers = [built.labels.number(label) for label in events]
        moments, admitted = _divulge.follow(built.native, number, numbers, planned, asked)
        trace = trace_of(built, seat, moments, admitted, planned, filled)
        if not trace.admitted:
            trace.deviation = Watch(built, seat, asked)._deviation(events)
        return trace

    def audit_log(
        self,
        log: Iterable[Any],
        *,
        images: bool = False,
        ended: bool = False,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        observer: Optional[str] = None,
        time_limit: Time = None,
        memory_limit: Size = None,
    ) -> Trace[S]:
        """What an observer made of a log of events: the estimate after each, and whether the stipulations held.

        The events must be possible in the world, and in the plan if there is one: ``trace.deviation`` tells which is not, where,
        and what would have been expected, and ``trace.holds`` is false then, even if the observer saw nothing odd. Between two actions
        the log may leave out an observation if it is the only one that the world has there: it is filled in, with a warning, and is among
        ``trace.filled_in``. With
        ``images=True`` the log holds what the observer saw, the events themselves being unknown. The trace stops where nothing that
        the observer expects looks like the log. ``ended``: the plan terminated after the last event, so that what must hold at the
        end counts there. Of several observers, it is the one that is named.
        """
        watch = self.watch(plan=plan, map=map, observer=observer, time_limit=time_limit, memory_limit=memory_limit)
        return watch._follow(log, images, ended)

    def explore(
        self,
        *,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        execution: Optional[Iterable[Label]] = None,
        time_limit: Time = None,
        memory_limit: Size = None,
    ) -> Page:
        """The explorer: a page in which one walks through the plan beside its observer, inline in a notebook.

        The problem needs a plan and a map; answers have them filled in: ``problem.seek_plan().explore()``. It opens after the events
        of ``execution``, if they are given.
        """
        asked = limits(time_limit, memory_limit)
        return self._with(a_plan(plan), map).explore(execution, asked=asked)

    def info(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """How large the problem is, in words."""
        return _divulge.info(self._itself().native, limits(time_limit, memory_limit))[0]

    def lint(self) -> List[Diagnostic]:
        """Probable mistakes; the questions warn of them, too."""
        return self._itself().findings(False)

    def to_json(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """The problem document, which the command line and :func:`divulge.loads` read."""
        return self._itself().native.to_json(limits(time_limit, memory_limit))

    def to_model(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """The problem as a model in the divulge language, its graphs drawn; an error if the language cannot express it."""
        return self._itself().native.to_model(limits(time_limit, memory_limit))

    def to_dot(self, part: str = "world", *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """A graph for Graphviz: the ``"world"``, the ``"plan"``, the ``"divulged"`` plans or graph, or the ``"filter"``."""
        drawn = self._itself().native.to_dot(part, limits(time_limit, memory_limit))
        if drawn is None:
            raise DivulgeError(f"the problem has no `{part}` to draw", 'the "world" is always there')
        return drawn

    def save(
        self, path: Union[str, os.PathLike[str]], *, time_limit: Time = None, memory_limit: Size = None
    ) -> None:
        """Writes the problem to a file: as a model if its name ends in ``.divulge``, else as a problem document."""
        write = self.to_model if os.fspath(path).endswith(".divulge") else self.to_json
        text = write(time_limit=time_limit, memory_limit=memory_limit)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def __repr__(self) -> str:
        called = f" {self.name!r}" if self.name else ""
        plan = "no plan" if self.plan is None else f"a plan of {len(self.plan)} vertices"
        who = ", ".join(repr(one) for one in self.observers)
        return f"<Problem{called}: a world of {len(self.world)} vertices, {plan}, {who}>"


def _again(
    built: Built[Any],
    everybody: List[Dict[str, Any]],
    costs: Dict[Label, int],
    name: Optional[str],
    found: List[Diagnostic],
    warned: Set[str],
    read: bool,
) -> Problem[Any]:
    """A problem that was sent."""
    observers = []
    for parts in everybody:
        one = Observer.__new__(Observer)
        one.__dict__.update(parts)
        observers.append(one)
    problem = Problem._of(built, observers, costs, name, found)
    problem._warned = warned
    if not read:
        problem._gap = None
    return problem


def _crew(
    built: Built[Any], what: str, keep_plan: bool, options: Dict[str, Any], executor: AnyExecutor, store: AnyStore
) -> ContextManager[Optional[Crew]]:
    """Whoever carries out the tasks of a search over maps, if that is not left to threads."""
    if executor is None and store is None:
        return nullcontext()
    return Crew(Question(built, what, keep_plan, options), executor, store)
