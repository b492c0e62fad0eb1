"""Answers, with the user's own states and labels in them."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Generic, Hashable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _divulge
from ._text import some, text
from .errors import NoAnswer
from .estimate import Estimate, Trace, trace_of
from .graph import Label
from .label_map import Image, LabelMap, named_map
from .notebook import Drawn, Page
from .plan import Plan
from .world import S

if TYPE_CHECKING:
    from ._built import Built
    from .problem import Problem


#: seconds, nodes explored, beliefs stored, maps decided, lessons learnt
Figures = Tuple[float, int, int, int, int]



def _advice(options: Optional[Mapping[str, Any]]) -> str:
    """What makes a search for maps smaller; ``options`` are those that it was asked with, ``None`` if no map was sought."""
    if options is None:
        return ""
    dear = [name for name in ("prefer", "shortest", "cost") if options.get(name)]
    less = "".join(f", leave out `{'minimize' if name == 'cost' else name}`" for name in dear)
    return (
        f"{less}, or make the search smaller: use fewer labels, or give MapConstraints (merge what may look alike, separate what "
        "must not, max_images)"
    )



class WorstCase(NamedTuple):
    """How bad it can get before a plan terminates: the number of events, and the cost."""

    events: int
    cost: int


class Statistics(NamedTuple):
    """What an answer took: counts are the most that the engines reported, and 0 where they report none."""

    #: how long it took
    seconds: float
    #: nodes of the search explored
    explored: int
    #: beliefs or estimates stored
    stored: int
    #: regions of maps decided, when maps are sought
    maps: int
    #: lessons learnt about maps that would not do
    learnt: int


class Answer:
    """An answer: a verdict, and whatever shows that it is right.

    An answer is true if it holds or was found, false if it is violated or there is none. If a limit was hit first, it is neither: to
    ask for its truth is an error, so that ``unknown`` is never taken for a verdict. Look at ``verdict`` where limits are set.
    """

    #: ``"holds"``, ``"violated"``, ``"found"``, ``"none"`` or ``"unknown"``
    verdict: str
    #: what was hit, if the verdict is ``"unknown"``: ``"time"`` or ``"memory"``
    limit: Optional[str] = None
    #: what it took; ``None`` for answers that are part of another
    statistics: Optional[Statistics] = None
    #: what else to try, if a limit was hit
    _advice: str = ""

    def _took(self, native: Any, figures: Optional[Figures], advice: str) -> None:
        """Takes down what every answer has."""
        self.statistics = None if figures is None else Statistics(*figures)
        if isinstance(native, _divulge.Unknown):
            self.verdict, self.limit = "unknown", native.limit()
            self._advice = f"Allow more with {self.limit}_limit=…{advice}."

    def __bool__(self) -> bool:
        if self.limit is not None:
            raise NoAnswer(
                f"there is no answer: the {self.limit} limit was hit first", "look at `verdict`, or raise the limit"
            )
        return self.verdict in ("holds", "found")

    def explain(self) -> str:
        """The answer in words, as on the command line."""
        raise NotImplementedError

    def to_json(self) -> str:
        """The answer as a JSON object, as ``divulge --json`` prints it."""
        raise NotImplementedError

    def _unknown(self, native: _divulge.Unknown) -> str:
        so_far = native.explain().partition("\n")[2].strip("\n")
        parts = [f"unknown: stopped by the {self.limit} limit", so_far, self._advice]
        return "\n\n".join(part for part in parts if part) + "\n"


class Twin(NamedTuple):
    """A run that the observer takes for the execution, and so cannot rule out what it leads to."""

    #: what it leads to
    predicate: str
    execution: List[Label]
    states: List[Any]
    #: whether it looks exactly like the execution; if not, the observer has forgotten the difference
    looks_the_same: bool


class RuledOut(NamedTuple):
    """Runs that an event ruled out, so that the observer knows more."""

    #: what the observer does not hold possible any more
    predicate: str
    #: the number of the event, from 1
    event: int
    #: where the runs were before
    states: List[Any]
    #: one of them
    execution: List[Label]
    #: ``"looks-different"``, ``"not-divulged"``, ``"plan-stops"`` or ``"world-stops"``
    why: str
    #: the events with which it would have gone on
    instead: List[Label]


class Violation(Generic[S]):
    """What is wrong, and a shortest execution that shows it."""

    def __init__(self, built: Built[S], native: _divulge.Violation) -> None:
        self._built, self._native = built, native
        reason, execution, cycle, event, at, stipulation, estimate = native.parts()
        #: ``"unsafe-action"``, ``"unforeseen-observation"``, ``"terminates-off-goal"``, ``"stuck"``, ``"unbounded"``,
        #: ``"outside-divulged"`` or ``"stipulation"``
        self.reason: str = reason
        #: the execution after which it is wrong
        self.execution: List[Label] = [built.label(label) for label in execution]
        #: what the observer sees of it
        self.image: List[Image] = [built.label_map[label] for label in self.execution] if built.label_map else []
        #: events that lead back to where the execution ended, if it can go on for ever
        self.cycle: Optional[List[Label]] = None if cycle is None else [built.label(label) for label in cycle]
        #: the event that is unsafe or unforeseen
        self.event: Optional[Label] = None if event is None else built.label(event)
        #: the state, and the vertex of the plan, where it is wrong
        self.state: Optional[S] = None if at is None else built.world._state(at[1])
        self.plan_vertex: Optional[Hashable] = None
        if at is not None and built.plan is not None:
            self.plan_vertex = built.plan._vertices[at[0]]
        #: the name of the stipulation that does not hold
        self.stipulation: Optional[str] = None if stipulation is None else built.stipulations[stipulation].name
        #: what the observer takes to be possible then
        self.estimate: Optional[Estimate[S]] = None if estimate is None else built.estimate(estimate)

    @property
    def trace(self) -> Trace[S]:
        """The execution, moment by moment."""
        return trace_of(self._built, self._native.trace(), True)

    def _run(self, run: Tuple[Sequence[int], Sequence[int]]) -> Tuple[List[Label], List[S]]:
        events, path = run
        return [self._built.label(label) for label in events], [self._built.world._state(v) for v in path]

    @property
    def twins(self) -> List[Twin]:
        """Runs that look like the execution, for what the observer should be able to rule out."""
        alike, _ = self._native.twins()
        return [Twin(predicate, *self._run(run), same) for predicate, run, same in alike]

    @property
    def ruled_out(self) -> List[RuledOut]:
        """Events that told the observer what it should not know."""
        _, gone = self._native.twins()
        made = []
        for predicate, event, vertices, run, (why, labels) in gone:
            states = [self._built.world._state(v) for v in vertices]
            instead = [self._built.label(label) for label in labels]
            made.append(RuledOut(predicate, event, states, self._run(run)[0], why, instead))
        return made

    def explain(self) -> str:
        """The violation in words, as on the command line."""
        return self._native.explain()

    def __repr__(self) -> str:
        what = self.reason if self.stipulation is None else f"{self.reason} {self.stipulation!r}"
        return f"<Violation: {what} after {some([text(label) for label in self.execution], 12) or 'no event'}>"


class Verdict(Answer, Generic[S]):
    """Whether a plan, or the world whatever the robot does, keeps to what is asked."""

    def __init__(
        self,
        built: Built[S],
        native: Union[_divulge.Holds, _divulge.Violation, _divulge.Unknown],
        figures: Optional[Figures] = None,
    ) -> None:
        self._native, self._built = native, built
        self._violation: Optional[Violation[S]] = None
        self._took(native, figures, "")
        if isinstance(native, _divulge.Holds):
            self.verdict = "holds"
        elif isinstance(native, _divulge.Violation):
            self.verdict, self._violation = "violated", Violation(built, native)

    @property
    def holds(self) -> bool:
        """Whether it holds; an error if a limit was hit first."""
        return bool(self)

    @property
    def violation(self) -> Violation[S]:
        """What is wrong; an error if nothing is."""
        if self._violation is None:
            raise NoAnswer(f"there is no violation: the verdict is `{self.verdict}`", "look at `verdict` first")
        return self._violation

    def explain(self) -> str:
        """The answer in words, as on the command line."""
        return self._unknown(self._native) if isinstance(self._native, _divulge.Unknown) else self._native.explain()

    def explore(self) -> Page:
        """The explorer: a page in which one walks through the plan beside its observer; it opens at a violation."""
        return self._built.explore(None if self._violation is None else self._violation.execution)

    def to_json(self) -> str:
        """The answer as a JSON object, as ``divulge --json`` prints it."""
        return '{"verdict": "holds"}' if isinstance(self._native, _divulge.Holds) else self._native.json()

    def __repr__(self) -> str:
        if self._violation is not None:
            return f"<Verdict: violated, {self._violation!r}>"
        return f"<Verdict: {self.verdict}{f' ({self.limit} limit)' if self.limit else ''}>"


@dataclass(frozen=True)
class Why:
    """Why there is none."""

    #: ``"unsolvable"``, ``"plan-fails"``, ``"not-admitted"``, ``"conflict"``; ``"unknown"`` if that was not found in time
    reason: str
    #: parts of stipulations that cannot be had together: the stipulation's name, and what it asks
    conflict: List[Tuple[str, str]]
    #: the whole in words
    text: str


class Sought(Answer, Drawn, Generic[S]):
    """A plan, a map or both that were sought: found, or the proof that there is none."""

    def __init__(
        self,
        problem: Problem[S],
        built: Built[S],
        what: str,
        native: Union[_divulge.Found, _divulge.Nothing, _divulge.Unknown],
        figures: Optional[Figures] = None,
        options: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._problem, self._built, self._native, self._what = problem, built, native, what
        self._why: Optional[Why] = None
        self._took(native, figures, _advice(options))
        if not isinstance(native, _divulge.Unknown):
            self.verdict = "found" if isinstance(native, _divulge.Found) else "none"

    @property
    def best(self) -> Optional[Sought[S]]:
        """The best that was found: this answer, or what a search that hit a limit had found by then; ``None`` if nothing was.

        What was found before a limit was hit keeps the stipulations, but is not proven to be the shortest, finest, coarsest or
        cheapest.
        """
        if not isinstance(self._native, _divulge.Unknown):
            return self if self.verdict == "found" else None
        found = self._native.best()
        return None if found is None else Sought(self._problem, self._built, self._what, found)

    def _found(self) -> _divulge.Found:
        if not isinstance(self._native, _divulge.Found):
            what = "plan and map" if self._what == "both" else self._what
            if self.limit is None:
                raise NoAnswer(f"no {what} was found: there is none", "look at `verdict` first; `explain()` says more")
            some_found = self.best is not None
            help = "`best` has what was found by then" if some_found else "look at `verdict` first; `explain()` says more"
            raise NoAnswer(f"the search for a {what} is not finished: the {self.limit} limit was hit first", help)
        return self._native

    @property
    def plan(self) -> Plan:
        """The plan, found or given; an error if nothing was found."""
        found = self._found()
        if self._what == "map" and self._built.plan is not None:
            return self._built.plan
        plan: Plan = Plan._read(found.plan(), self._built.labels.values)
        plan._drawn = lambda: _divulge.draw_plan(found.filled_in()) or ""
        return plan

    @property
    def map(self) -> LabelMap:
        """The map, found or given; an error if nothing was found."""
        found = self._found()
        if self._what == "plan" and self._built.label_map is not None:
            return self._built.label_map
        made = named_map(found.images(), self._built.labels, self._built.fixed)
        made._drawn = lambda: _divulge.draw_map(found.filled_in()) or ""
        return made

    @property
    def worst_case(self) -> Optional[WorstCase]:
        """The number of events and the cost in the worst case; ``None`` unless a plan was found."""
        return WorstCase(*self._native.worst_case()[:2]) if isinstance(self._native, _divulge.Found) else None

    @property
    def merge_cost(self) -> Optional[int]:
        """What the merges of a found map cost, as the constraints say; ``None`` unless a map was found."""
        return self._native.worst_case()[2] if isinstance(self._native, _divulge.Found) else None

    @property
    def why(self) -> Why:
        """Why there is none; an error unless that is the verdict."""
        if not isinstance(self._native, _divulge.Nothing):
            raise NoAnswer(f"the verdict is `{self.verdict}`", "`why` is for the verdict `none`")
        if self._why is None:
            reason, parts, told = self._native.why()
            self._why = Why(reason, [(self._built.stipulations[i].name or "", part) for i, part in parts], told)
        return self._why

    def to_svg(self) -> str:
        """A picture of what was found: the plan over its world, or the map."""
        return self.map.to_svg() if self._what == "map" else self.plan.to_svg()

    def _repr_svg_(self) -> Optional[str]:
        return self.to_svg() if self.verdict == "found" else None

    def filled_in(self) -> Problem[S]:
        """The problem with the answer filled in: its plan, and its map instead of constraints on one."""
        from .observer import MapConstraints
        from .problem import Problem

        observer = self._problem.observer._bound(self._problem)
        observer.map, observer.constraints = _spec(self.map), MapConstraints()
        return Problem(
            self._problem.world, observer, plan=self.plan, costs=self._problem.costs, name=self._problem.name
        )

    def explore(self) -> Page:
        """The explorer: a page in which one walks through the plan beside its observer; if there is none, it says why."""
        if isinstance(self._native, _divulge.Nothing):
            what = "map under which all of this is kept" if self._what == "map" else "plan that keeps all of this"
            return self._built.explore(None, (f"There is no {what}", self.why.text[len("none") :].strip()))
        return self.filled_in().explore()

    def explain(self) -> str:
        """The answer in words, as on the command line."""
        if isinstance(self._native, _divulge.Nothing):
            return self.why.text
        return self._native.explain() if isinstance(self._native, _divulge.Found) else self._unknown(self._native)

    def to_json(self) -> str:
        """The answer as a JSON object, as ``divulge --json`` prints it."""
        return '{"verdict": "none"}' if isinstance(self._native, _divulge.Nothing) else self._native.json()

    def __repr__(self) -> str:
        what = "plan and map" if self._what == "both" else self._what
        if self.worst_case is not None:
            events, cost = self.worst_case
            alike = f", {self.map!r}" if self._what != "plan" else ""
            return f"<Sought {what}: found, {self.plan!r}{alike}, at most {events} events, cost at most {cost}>"
        best = self.best
        so_far = "" if best is None else f", best so far {best!r}"
        return f"<Sought {what}: {self.verdict}{f' ({self.limit} limit)' if self.limit else ''}{so_far}>"


def _spec(label_map: LabelMap) -> Any:
    from .label_map import MapSpec

    return MapSpec.make(label_map, None, None)


class MapCounts(NamedTuple):
    """How many maps are decided."""

    #: maps that would do, at least
    feasible: int
    #: maps that would not, at least
    infeasible: int
    #: how many maps there are that respect the constraints
    maps: int

    @property
    def undecided(self) -> int:
        """How many are not decided yet, at most."""
        return max(0, self.maps - self.feasible - self.infeasible)


class Frontier(Answer, Drawn, Generic[S]):
    """Every map that would do, by its extremes."""

    def __init__(
        self,
        problem: Problem[S],
        built: Built[S],
        given: bool,
        options: Mapping[str, Any],
        native: Union[_divulge.Frontier, _divulge.Unknown],
        figures: Optional[Figures] = None,
    ) -> None:
        self._problem, self._built, self._given, self._options, self._native = problem, built, given, options, native
        self._took(native, figures, _advice(options))
        if isinstance(native, _divulge.Frontier):
            self.verdict = "found" if native.counts()[0] else "none"

    def _known(self) -> _divulge.Frontier:
        if isinstance(self._native, _divulge.Unknown):
            raise NoAnswer(
                f"not all maps are decided: the {self.limit} limit was hit first",
                "look at `verdict` first; `so_far` has the counts until then",
            )
        return self._native

    @property
    def so_far(self) -> Optional[MapCounts]:
        """How many maps are decided, also where a limit was hit; ``None`` if it was hit before any map was decided."""
        if isinstance(self._native, _divulge.Unknown):
            counts = self._native.counts()
            return None if counts is None else MapCounts(*counts)
        return MapCounts(self.feasible, self.maps - self.feasible, self.maps)

    @property
    def feasible(self) -> int:
        """How many maps would do."""
        return self._known().counts()[0]

    @property
    def maps(self) -> int:
        """How many maps there are that respect the constraints."""
        return self._known().counts()[1]

    def to_svg(self) -> str:
        """A picture of the frontier: the finest and the coarsest maps."""
        return _divulge.draw_frontier(self._known())

    def _repr_svg_(self) -> Optional[str]:
        return None if isinstance(self._native, _divulge.Unknown) else self.to_svg()

    def _extremes(self, finest: bool) -> List[Sought[S]]:
        what = "map" if self._given else "both"
        return [Sought(self._problem, self._built, what, one) for one in self._known().extremes(finest)]

    @property
    def finest(self) -> List[Sought[S]]:
        """The maps that would do of which no finer one would, each with a shortest plan."""
        return self._extremes(True)

    @property
    def coarsest(self) -> List[Sought[S]]:
        """The maps that would do of which no coarser one would, each with a shortest plan."""
        return self._extremes(False)

    def to_pandas(self) -> Any:
        """A data frame with a row for each of the finest and the coarsest maps: what looks alike, and the worst case."""
        pandas: Any = importlib.import_module("pandas")

        columns = ["extreme", "images", "alike", "events", "cost"]
        return pandas.DataFrame(list(self._rows()), columns=columns)

    def _rows(self) -> List[Tuple[str, int, List[Tuple[Label, ...]], int, int]]:
        rows = []
        for extreme, every in (("finest", self.finest), ("coarsest", self.coarsest)):
            for one in every:
                events, cost = one._found().worst_case()[:2]
                rows.append((extreme, len(one.map.images), one.map.groups, events, cost))
        return rows

    def explain(self) -> str:
        """The answer in words, as on the command line."""
        if isinstance(self._native, _divulge.Unknown):
            return self._unknown(self._native)
        return self._native.explain()

    def to_json(self) -> str:
        """The answer as a JSON object, as ``divulge --json`` prints it."""
        return self._native.json()

    def __repr__(self) -> str:
        if isinstance(self._native, _divulge.Unknown):
            told = self.so_far
            counts = "" if told is None else f", at least {told.feasible} of {told.maps} maps would do"
            return f"<Frontier: unknown ({self.limit} limit){counts}>"
        return (
            f"<Frontier: {self.feasible} of {self.maps} maps would do; "
            f"{len(self.finest)} finest, {len(self.coarsest)} coarsest>"
        )
