"""Answers, with the user's own states and labels in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Generic, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

from . import _divulge
from ._limits import Size, Time, either, limits
from .errors import DivulgeError, NoAnswer
from .label_map import LabelMap, MapSpec, named_map
from .notebook import Drawn, Page
from .plan import Plan
from .violation import Violation
from .world import S

if TYPE_CHECKING:
    from ._built import Built
    from .problem import Problem


A = TypeVar("A", bound="Answer")
#: seconds, nodes explored, beliefs stored, maps decided, lessons learnt
Figures = Tuple[float, int, int, int, int]


def smaller_search(options: Optional[Mapping[str, Any]]) -> str:
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

    def __getstate__(self) -> Dict[str, Any]:
        """What is sent: all but what explains it, which is found again when it is asked for."""
        state = dict(self.__dict__)
        state["_native"] = _divulge.pack_answer(state["_native"]), state["_native"].limits()
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__dict__["_native"] = _divulge.unpack_answer(state["_built"].native, *state["_native"])

    def __copy__(self: A) -> A:
        return self

    def __deepcopy__(self: A, memo: Any) -> A:
        # Answers do not change.
        return self

    def __bool__(self) -> bool:
        if self.limit is not None:
            raise NoAnswer(
                f"there is no answer: the {self.limit} limit was hit first", "look at `verdict`, or raise the limit"
            )
        return self.verdict in ("holds", "found")

    def __eq__(self, other: object) -> bool:
        """Whether it says the same of the same problem. What it took does not matter."""
        if not isinstance(other, Answer):
            return NotImplemented
        return self is other or (type(self) is type(other) and self._says() == other._says())

    def __hash__(self) -> int:
        return hash((self.verdict, self.limit))

    def _says(self) -> Any:
        """What tells it from other answers of its kind."""
        about = self.__dict__
        return self.verdict, self.limit, self.to_json(), about["_built"], [about.get(name) for name in ("_what", "_given", "_after")]

    def explain(self) -> str:
        """The answer in words, as on the command line."""
        raise NotImplementedError

    def to_json(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """The answer as a JSON object, as ``divulge --json`` prints it."""
        raise NotImplementedError

    def _unknown(self, native: _divulge.Unknown) -> str:
        so_far = native.explain().partition("\n")[2].strip("\n")
        parts = [f"unknown: stopped by the {self.limit} limit", so_far, self._advice]
        return "\n\n".join(part for part in parts if part) + "\n"


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

    def __getstate__(self) -> Dict[str, Any]:
        # The violation is the same answer.
        return {**super().__getstate__(), "_violation": None}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        super().__setstate__(state)
        if isinstance(self._native, _divulge.Violation):
            self._violation = Violation(self._built, self._native)

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

    def explore(self, *, time_limit: Time = None, memory_limit: Size = None) -> Page:
        """The explorer: a page in which one walks through the plan beside its observer; it opens at a violation.

        Without limits of its own, it keeps to those of the question.
        """
        asked = either(limits(time_limit, memory_limit), self._native.limits())
        return self._built.explore(None if self._violation is None else self._violation.execution, asked=asked)

    def to_json(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """The answer as a JSON object, as ``divulge --json`` prints it."""
        if isinstance(self._native, _divulge.Holds):
            return '{"verdict": "holds"}'
        return self._native.json(limits(time_limit, memory_limit))

    def __repr__(self) -> str:
        if self._violation is not None:
            return f"<Verdict: violated, {self._violation!r}>"
        return f"<Verdict: {self.verdict}{f' ({self.limit} limit)' if self.limit else ''}>"


@dataclass(frozen=True)
class Why:
    """Why there is none."""

    #: ``"unsolvable"``, ``"plan-fails"``, ``"not-admitted"``, ``"conflict"``, ``"chance"`` (plans that choose unpredictably would do);
    #: ``"unknown"`` if that was not found in time
    reason: str
    #: parts of stipulations that cannot be had together: the stipulation's name (of several observers, with whose it is), and what it asks
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
        #: what has happened before the plan begins
        self._after: Sequence[Any] = ()
        self._took(native, figures, smaller_search(options))
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
        if not self._after:
            plan._drawn = lambda asked: _divulge.draw_plan(found.filled_in(), either(asked, found.limits())) or ""
        plan._after = self._after
        return plan

    @property
    def map(self) -> LabelMap:
        """The map, found or given; an error if nothing was found. Of several observers, it is the map that was sought."""
        found, seat = self._found(), self._built.sought
        if self._what == "plan" and len(self._built.seats) > 1:
            raise DivulgeError("each of the observers has a map", "they are in `maps`, by the observers' names")
        if self._what == "plan" and seat.label_map is not None:
            return seat.label_map
        made = named_map(found.images(), self._built.labels, seat.fixed)
        made._drawn = lambda asked: _divulge.draw_map(found.filled_in(), seat.number, either(asked, found.limits())) or ""
        return made

    @property
    def maps(self) -> Dict[Optional[str], LabelMap]:
        """The observers' maps by name, found or given; an error if nothing was found."""
        self._found()
        return {seat.name: self.map if seat.label_map is None else seat.label_map for seat in self._built.seats}

    @property
    def worst_case(self) -> Optional[WorstCase]:
        """The number of events and the cost in the worst case; ``None`` unless a plan was found."""
        return WorstCase(*self._native.worst_case()[:2]) if isinstance(self._native, _divulge.Found) else None

    @property
    def must_be_unpredictable(self) -> List[str]:
        """The vertices at which the plan that was sought offers several actions, and the robot must choose unpredictably; an error if
        nothing was found."""
        return self._found().choices()[0]

    @property
    def irredundant(self) -> bool:
        """Whether each of these choices is proven to be needed: without any one of the actions something would break."""
        return self._found().choices()[1]

    @property
    def without_deterministic(self) -> Optional[str]:
        """Where there is no plan that never chooses (``deterministic=True``): ``"found"`` or ``"none"``, the verdict without that option; ``None``
        if that was not asked, or not found out in time."""
        found = self._native.otherwise() if isinstance(self._native, _divulge.Nothing) else None
        return None if found is None else "found" if found else "none"

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
            self._why = Why(reason, [(self._called(whose, i), part) for whose, i, part in parts], told)
        return self._why

    def _called(self, observer: int, stipulation: int) -> str:
        seat = self._built.seats[observer]
        name = seat.stipulations[stipulation].name or ""
        return name if len(self._built.seats) == 1 else f"{seat.name}: {name}"

    def to_svg(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """A picture of what was found: the plan over its world, or the map. Without limits of its own, it keeps to those of the question."""
        drawn = self.map if self._what == "map" else self.plan
        return drawn.to_svg(time_limit=time_limit, memory_limit=memory_limit)

    def _can_be_drawn(self) -> bool:
        return self.verdict == "found"

    def filled_in(self) -> Problem[S]:
        """The problem with the answer filled in: its plan, and its map instead of constraints on one."""
        if self._after:
            raise DivulgeError(
                "a plan that goes on after some events is no answer to the question from the start", "`plan` has it"
            )
        from .observer import MapConstraints
        from .problem import Problem

        everybody = [one._bound(self._problem) for one in self._problem.observers]
        for one, label_map in zip(everybody, self.maps.values()):
            one.map, one.constraints = MapSpec.make(label_map), MapConstraints()
        return Problem(
            self._problem.world, everybody, plan=self.plan, costs=self._problem.costs, name=self._problem.name
        )

    def explore(self, *, time_limit: Time = None, memory_limit: Size = None) -> Page:
        """The explorer: a page in which one walks through the plan beside its observer; if there is none, it says why.

        Without limits of its own, it keeps to those of the question.
        """
        asked = either(limits(time_limit, memory_limit), self._native.limits())
        if isinstance(self._native, _divulge.Nothing):
            what = "map under which all of this is kept" if self._what == "map" else "plan that keeps all of this"
            return self._built.explore(None, (f"There is no {what}", self.why.text[len("none") :].strip()), asked)
        return self.filled_in()._itself().explore(asked=asked)

    def explain(self) -> str:
        """The answer in words, as on the command line."""
        if isinstance(self._native, _divulge.Nothing):
            return self.why.text
        return self._native.explain() if isinstance(self._native, _divulge.Found) else self._unknown(self._native)

    def to_json(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """The answer as a JSON object, as ``divulge --json`` prints it."""
        if isinstance(self._native, _divulge.Nothing):
            return '{"verdict": "none"}'
        return self._native.json(limits(time_limit, memory_limit))

    def __repr__(self) -> str:
        what = "plan and map" if self._what == "both" else self._what
        if self.worst_case is not None:
            events, cost = self.worst_case
            alike = f", {self.map!r}" if self._what != "plan" else ""
            return f"<Sought {what}: found, {self.plan!r}{alike}, at most {events} events, cost at most {cost}>"
        best = self.best
        so_far = "" if best is None else f", best so far {best!r}"
        return f"<Sought {what}: {self.verdict}{f' ({self.limit} limit)' if self.limit else ''}{so_far}>"
