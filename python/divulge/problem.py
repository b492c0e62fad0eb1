"""Problems: a world, perhaps a plan, and an observer; and the questions that can be asked of them."""

from __future__ import annotations

import os
from typing import Any, Dict, Generic, Iterable, List, Mapping, Optional, Set, Union

from . import _divulge
from ._built import Built, build
from ._limits import OnProgress, Size, Time, limits
from .answer import Sought, Verdict
from ._given import a_plan, a_world, an_observer
from ._text import listed, plain
from .errors import Diagnostic, DivulgeError, warn
from .estimate import Trace, trace_of
from .frontier import Frontier
from .graph import Label
from .label_map import AnyMap, LabelMap, MapSpec
from .notebook import Page
from .observer import Observer
from .plan import Plan
from .watch import Watch
from .world import S, World


class Problem(Generic[S]):
    """A whole question: a world, an observer, perhaps a plan, and what events cost.

    The questions take the problem's own plan and map unless they are given others. ``costs`` are integers from 0; without one,
    an action costs 1 and an observation nothing.
    """

    def __init__(
        self,
        world: World[S],
        observer: Observer,
        *,
        plan: Optional[Plan] = None,
        costs: Optional[Mapping[Label, int]] = None,
        name: Optional[str] = None,
    ) -> None:
        self.world: World[S] = a_world(world)
        self.observer: Observer = an_observer(observer)._bound(self)
        self.plan: Optional[Plan] = a_plan(plan)
        self.costs: Dict[Label, int] = dict(costs or {})
        self.name: Optional[str] = name if name is not None else world.name
        #: what is probably not meant, in a problem that was read
        self.warnings: List[Diagnostic] = []
        self._warned: Set[str] = set()
        self._own: Optional[Built[S]] = None
        self._gap: Optional[_divulge.Problem] = None
        self._itself()

    @classmethod
    def _of(
        cls, built: Built[S], observer: Observer, costs: Dict[Label, int], name: Optional[str], found: List[Diagnostic]
    ) -> Problem[S]:
        """A problem that was read, and is in the native half already."""
        problem: Problem[S] = Problem.__new__(Problem)
        problem.world, problem.plan, problem.name, problem.costs = built.world, built.plan, name, costs
        problem.observer = observer._bound(problem)
        problem.warnings, problem._own, problem._gap = found, built, built.native
        problem._warned = {one.message for one in found}
        return problem

    def _build(self, plan: Optional[Plan], spec: Optional[MapSpec]) -> Built[S]:
        """The problem with this plan and this map in the native half."""
        own = plan is self.plan and spec is self.observer.map
        if own and self._own is not None:
            return self._own
        if spec is self.observer.map and self._gap is not None and spec is not None:
            self._gap.check_map()
        built = build(self.world, self.observer, plan, spec, self.costs, self.name)
        if own:
            self._own = built
        return built

    def _itself(self) -> Built[S]:
        return self._build(self.plan, self.observer.map)

    def _with(self, plan: Optional[Plan], map: AnyMap) -> Built[S]:
        spec = self.observer.map if map is None else MapSpec.make(map, None, None)
        return self._build(self.plan if plan is None else plan, spec)

    def _without_map(self, plan: Optional[Plan], any_map: bool) -> Built[S]:
        if self.observer.map is not None and not any_map:
            raise DivulgeError(
                "this question seeks a map, but the observer has one already",
                "leave the map out, or set it aside with any_map=True; `check` and `seek_plan` take it as it is",
            )
        return self._build(plan, None)

    def _warn(self, built: Built[S], audit: bool = False) -> None:
        """Warns of probable mistakes, of each once."""
        for one in built.findings(audit):
            if one.message not in self._warned:
                self._warned.add(one.message)
                warn(str(one))

    @property
    def map(self) -> Optional[LabelMap]:
        """The observer's map, if there is one."""
        return self._itself().label_map

    def check(
        self,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        *,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Verdict[S]:
        """Does the plan solve the world, and does every stipulation hold?"""
        asked = limits(time_limit, memory_limit, progress)
        built = self._with(a_plan(plan), map)
        self._warn(built)
        return Verdict(built, *_divulge.check(built.native, asked))

    def audit(
        self,
        map: AnyMap = None,
        *,
        plan: Optional[Plan] = None,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Verdict[S]:
        """Do the stipulations that must hold always hold whatever the robot does?

        A plan matters only to an observer who knows the plan.
        """
        asked = limits(time_limit, memory_limit, progress)
        built = self._with(a_plan(plan), map)
        self._warn(built, audit=True)
        return Verdict(built, *_divulge.audit(built.native, asked))

    def seek_plan(
        self,
        map: AnyMap = None,
        *,
        minimize: str = "events",
        shortest: bool = False,
        engine: str = "native",
        threads: int = 0,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Sought[S]:
        """Finds a plan for the given map: the one with the least worst case. That there is none is a proof.

        ``minimize``: ``"events"`` or ``"cost"``. ``engine``: ``"native"``, or ``"and-or"``, which finds some plan, for comparison.
        """
        if engine == "and-or" and (shortest or minimize == "cost"):
            raise DivulgeError("the and-or engine finds some plan, neither the shortest nor the cheapest")
        options = _options(minimize, shortest, None, engine, threads)
        asked = limits(time_limit, memory_limit, progress)
        built = self._with(None, map)
        self._warn(built)
        return Sought(self, built, "plan", *_divulge.seek_plan(built.native, options, asked))

    def seek_map(
        self,
        plan: Optional[Plan] = None,
        *,
        prefer: Optional[str] = None,
        any_map: bool = False,
        shortest: bool = False,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Sought[S]:
        """Seeks a map for the plan.

        ``prefer``: the ``"finest"``, the ``"coarsest"`` or the ``"cheapest"`` map; without it, the first that is found.
        ``any_map`` sets aside a map that the observer has.
        """
        given = self.plan if plan is None else a_plan(plan)
        if given is None:
            raise DivulgeError(
                "`seek_map` needs a plan to seek a map for",
                "give a plan, or seek a plan and a map with `seek_both`",
            )
        options = _options("events", False, prefer, "native", 0)
        asked = limits(time_limit, memory_limit, progress)
        built = self._without_map(given, any_map)
        self._warn(built)
        return Sought(self, built, "map", *_divulge.seek_map(built.native, options, asked), options)

    def seek_both(
        self,
        *,
        prefer: Optional[str] = None,
        shortest: bool = False,
        minimize: str = "events",
        any_map: bool = False,
        engine: str = "native",
        threads: int = 0,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Sought[S]:
        """Seeks a plan and a map. ``shortest`` proves the least number of events over all maps."""
        if engine == "and-or" and (shortest or prefer is not None or minimize == "cost"):
            raise DivulgeError("the and-or engine finds some plan and some map, not the best")
        options = _options(minimize, shortest, prefer, engine, threads)
        asked = limits(time_limit, memory_limit, progress)
        built = self._without_map(self.plan, any_map)
        self._warn(built)
        return Sought(self, built, "both", *_divulge.seek_both(built.native, options, asked), options)

    def seek_maps(
        self,
        plan: Optional[Plan] = None,
        *,
        any_plan: bool = False,
        any_map: bool = False,
        shortest: bool = False,
        threads: int = 0,
        time_limit: Time = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Frontier[S]:
        """Every map with which the plan, or some plan if there is none, would do: how many, the finest and the coarsest.

        ``any_plan`` sets the problem's plan aside: any plan would do, another for each map. The plans listed are always the
        shortest.
        """
        options = _options("events", shortest, None, "native", threads)
        asked = limits(time_limit, memory_limit, progress)
        given = self.plan if plan is None else a_plan(plan)
        built = self._without_map(given, any_map)
        self._warn(built)
        keep = given is not None and not any_plan
        return Frontier(self, built, keep, options, *_divulge.seek_maps(built.native, keep, options, asked))

    def watch(
        self,
        *,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        time_limit: Time = None,
        memory_limit: Size = None,
    ) -> Watch[S]:
        """Follows what the observer sees, event by event or image by image. The limits are for setting it up."""
        asked = limits(time_limit, memory_limit)
        built = self._with(a_plan(plan), map)
        self._warn(built, audit=True)
        return Watch(built, asked)

    def trace(
        self,
        execution: Iterable[Label],
        *,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        time_limit: Time = None,
        memory_limit: Size = None,
    ) -> Trace[S]:
        """Follows an execution: what the robot knows, what the observer sees and believes, and what holds."""
        asked = limits(time_limit, memory_limit)
        built = self._with(a_plan(plan), map)
        events = listed(execution)
        planned = built.plan is not None
        numbers = [built.labels.number(label) for label in events]
        moments, admitted = _divulge.follow(built.native, numbers, planned, asked)
        trace = trace_of(built, moments, admitted, planned)
        if not trace.admitted:
            trace.deviation = Watch(built, asked)._deviation(events)
        return trace

    def audit_log(
        self,
        log: Iterable[Any],
        *,
        images: bool = False,
        ended: bool = False,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        time_limit: Time = None,
        memory_limit: Size = None,
    ) -> Trace[S]:
        """What an observer made of a log of events: the estimate after each, and whether the stipulations held.

        The events must be possible in the world, and in the plan if there is one: ``trace.deviation`` tells which is not, where,
        and what would have been expected, and ``trace.holds`` is false then, even if the observer saw nothing odd. With
        ``images=True`` the log holds what the observer saw, the events themselves being unknown. The trace stops where nothing that
        the observer expects looks like the log. ``ended``: the plan terminated after the last event, so that what must hold at the
        end counts there.
        """
        watch = self.watch(plan=plan, map=map, time_limit=time_limit, memory_limit=memory_limit)
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

    def to_dot(self, part: str = "world") -> str:
        """A graph for Graphviz: the ``"world"``, the ``"plan"``, the ``"divulged"`` plans or graph, or the ``"filter"``."""
        drawn = self._itself().native.to_dot(part)
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
        return f"<Problem{called}: a world of {len(self.world)} vertices, {plan}, {self.observer!r}>"


def _options(minimize: str, shortest: bool, prefer: Optional[str], engine: str, threads: int) -> Dict[str, Any]:
    if minimize not in ("events", "cost"):
        raise DivulgeError(f"there is no way to minimize `{minimize}`", 'minimize "events" or "cost"')
    if minimize == "cost" and shortest:
        raise DivulgeError('shortest=True and minimize="cost" ask for different plans', "leave one of them out")
    if engine not in ("native", "and-or"):
        raise DivulgeError(f"there is no engine `{engine}`", 'the engines are "native" and "and-or"')
    number = plain(threads)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 1024:
        raise DivulgeError(f"`threads` cannot be {threads!r}", "give a number from 1 to 1024, or 0 for one on each core")
    if prefer is not None and prefer not in ("finest", "coarsest", "cheapest"):
        raise DivulgeError(f"there is no preference `{prefer}`", 'prefer the "finest", "coarsest" or "cheapest" map')
    return {
        "cost": minimize == "cost",
        "shortest": shortest,
        "prefer": prefer,
        "and_or": engine == "and-or",
        "threads": number,
    }
