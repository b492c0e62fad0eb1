"""Executions followed step by step."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Collection,
    Dict,
    Generic,
    Hashable,
    List,
    Optional,
    Sequence,
    Tuple,
    overload,
)

from . import _divulge
from ._limits import Limits, Size, Time, limits
from ._text import text
from .errors import DivulgeError
from .estimate import Estimate
from .graph import Label
from .label_map import AnyMap, Image
from .notebook import Drawn
from .world import S

if TYPE_CHECKING:
    from ._built import Built, Seat
    from .plan import Plan
    from .problem import Problem


@dataclass(frozen=True)
class Moment(Generic[S]):
    """How things are after some of the events."""

    #: how many events there were
    number: int
    #: the last event, and what the observer saw of it; ``None`` at the start (and the event, if only images are known; and the image, if
    #: the event is not seen at all)
    event: Optional[Label]
    image: Optional[Image]
    #: what the robot knows: the states that it cannot tell apart; ``None`` if only images are known
    robot: Optional[Estimate[S]]
    #: the vertices of the plan that it may be at
    plan: Tuple[Hashable, ...]
    #: whether the plan may have terminated
    terminates: bool
    #: what the observer takes to be possible; ``None`` if nothing that it expects looks like that
    estimate: Optional[Estimate[S]]
    #: whether each stipulation holds; ``None`` if it is not asked for here, or if a run has no verdict yet
    stipulations: Dict[str, Optional[bool]]
    #: whether the event is an observation that was not told, and the only one possible
    filled_in: bool = False

    @property
    def broken(self) -> List[str]:
        """The stipulations that do not hold."""
        return [name for name, holds in self.stipulations.items() if holds is False]


@dataclass(frozen=True)
class Deviation:
    """An event that should not have happened, though it may look like one that should."""

    #: the number of the event, from 1; for ``"end"``, how many events there were
    number: int
    #: the event, or the image if only that is known; ``None`` for ``"end"``
    event: Optional[Any]
    #: what has no such execution: the ``"world"``, the ``"plan"``, or what is ``"known"`` of it to the observer; ``"end"`` if the
    #: execution is over before the plan is
    reason: str
    #: the events that would have been expected
    expected: List[Label]
    #: whether ``event`` is an image
    seen: bool = False
    #: what is missing before the event, where actions and observations do not alternate: an ``"observation"`` or an ``"action"``
    missing: Optional[str] = None

    def __str__(self) -> str:
        names = [f"`{text(label)}`" for label in self.expected]
        rest = f", … ({len(names)} in all)" if len(names) > 8 else ""
        more = f"; expected: {', '.join(names[:8])}{rest}" if names else ""
        if self.reason == "end":
            return f"the log ends after {self.number} events, but the plan does not terminate there{more}"
        which = f"event {self.number}, " + ("which looks like " if self.seen else "") + f"`{text(self.event)}`,"
        if self.missing is not None:
            is_, due = ("an action", "an observation") if self.missing == "observation" else ("an observation", "an action")
            return f"{which} is {is_}, and {due} is due{more}"
        if self.reason == "world":
            return f"{which} is impossible in the world here{more or '; nothing can happen any more'}"
        if self.reason == "plan":
            return f"{which} is not in the plan here{more or '; the plan has terminated'}"
        return f"{which} is outside what the observer knows of the plan{more}"


class Trace(Drawn, Sequence[Moment[S]]):
    """An execution moment by moment: one before the first event, and one after each."""

    def __init__(
        self,
        moments: List[Moment[S]],
        admitted: bool = True,
        unexpected: Optional[Any] = None,
        deviation: Optional[Deviation] = None,
    ) -> None:
        self._moments = moments
        #: whether the world, the plan and what the observer knows of it have the execution
        self.admitted = admitted
        #: the event or image at which a log was left, because nothing that the observer expects looks like that
        self.unexpected = unexpected
        #: the first event that should not have happened: which, where, and what would have been expected
        self.deviation = deviation

    def __eq__(self, other: object) -> bool:
        """Whether the same happens at every moment."""
        if not isinstance(other, Trace):
            return NotImplemented
        return bool(self._parts() == other._parts())

    def __hash__(self) -> int:
        return hash((self.admitted, len(self._moments)))

    def _parts(self) -> Any:
        return self._moments, self.admitted, self.unexpected, self.deviation

    @overload
    def __getitem__(self, index: int) -> Moment[S]: ...
    @overload
    def __getitem__(self, index: slice) -> List[Moment[S]]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._moments[index]

    def __len__(self) -> int:
        return len(self._moments)

    #: draws the trace, if its events are known
    _drawn: Optional[Callable[[Limits], str]] = None
    #: the problem that it is about, and the observer
    _about: Optional[Tuple[Built[S], Seat]] = None

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if self._about is not None:
            # The observer is one of the problem's.
            state["_about"] = self._about[0], self._about[1].number
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if state.get("_about") is not None:
            built, number = state["_about"]
            self._about = built, built.seats[number]

    @property
    def filled_in(self) -> List[Moment[S]]:
        """The moments whose events are observations that the log left out; see :meth:`Problem.audit_log`."""
        return [moment for moment in self._moments if moment.filled_in]

    def to_json(self) -> str:
        """The trace by itself, moment by moment, with the names that vertices, labels and images have in the problem's document."""
        from ._trace_json import trace_to

        return trace_to(self)

    @classmethod
    def from_json(cls, given: str, problem: Problem[S], *, plan: Optional[Plan] = None, map: AnyMap = None) -> Trace[S]:
        """The trace that :meth:`to_json` wrote, beside the same problem (with the same plan and map); an error with any other."""
        from ._trace_json import trace_from

        return trace_from(given, problem, plan, map)

    def to_svg(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """A picture of the trace: what the observer holds possible, step by step."""
        if self._drawn is None:
            raise DivulgeError("a log of images cannot be drawn, because the events are not known", "print it, or use to_pandas()")
        return self._drawn(limits(time_limit, memory_limit))

    def _can_be_drawn(self) -> bool:
        return self._drawn is not None

    @property
    def broken(self) -> Optional[Moment[S]]:
        """The first moment at which a stipulation does not hold."""
        return next((moment for moment in self._moments if moment.broken), None)

    @property
    def holds(self) -> bool:
        """Whether every stipulation holds at every moment, and nothing happened that should not."""
        return self.broken is None and self.admitted and self.unexpected is None

    def to_pandas(self) -> Any:
        """A data frame with a row for each moment."""
        pandas: Any = importlib.import_module("pandas")

        return pandas.DataFrame([_row(moment) for moment in self._moments]).set_index("n")

    def __repr__(self) -> str:
        broken = self.broken
        if self.deviation is not None:
            tail = f", {self.deviation}"
        elif broken is not None:
            tail = f", {', '.join(broken.broken)} broken after {broken.number}"
        else:
            tail = "" if self.admitted else ", not admitted"
        return f"<Trace: {len(self) - 1} events{tail}>"


def _row(moment: Moment[Any]) -> Dict[str, Any]:
    estimate = moment.estimate
    return {
        "n": moment.number,
        "event": moment.event,
        "image": moment.image,
        "terminates": moment.terminates,
        "estimate": None if estimate is None else estimate.states,
        "size": 0 if estimate is None else len(estimate),
        **moment.stipulations,
    }


def trace_of(
    built: Built[S],
    seat: Seat,
    moments: Sequence[Any],
    admitted: bool,
    planned: bool = False,
    filled: Collection[int] = (),
) -> Trace[S]:
    """A trace out of numbers; ``planned``: the plan must have it; ``filled``: events that were filled in."""
    names = [one.name or "" for one in seat.stipulations]
    vertices = [] if built.plan is None else built.plan._vertices
    made = []
    for number, (event, world, plan, terminates, estimate, standing) in enumerate(moments):
        made.append(
            Moment(
                number=number,
                event=None if event is None else built.label(event[0]),
                image=None if event is None or event[1] is None else seat.images.get(event[1], event[1]),
                robot=built.estimate(world),
                plan=tuple(vertices[v] for v in plan),
                terminates=terminates,
                estimate=None if estimate is None else built.estimate(estimate, seat),
                stipulations={name: (None, True, False)[how] for name, how in zip(names, standing)},
                filled_in=number in filled,
            )
        )
    # What the world or the plan does not have is at none of its vertices.
    followed = all(moment.robot and (moment.plan or not planned) for moment in made)
    return drawn_trace(built, seat, Trace(made, admitted and followed), built.plan is not None)


def drawn_trace(built: Built[S], seat: Seat, trace: Trace[S], plan: bool, events: bool = True) -> Trace[S]:
    """The trace, with a picture of its events if they are known."""
    trace._about = built, seat
    if events:
        numbers = [built.labels.number(moment.event) for moment in trace if moment.number > 0]
        trace._drawn = _Picture(built, seat.number, numbers, plan)
    return trace


@dataclass(frozen=True)
class _Picture:
    """Draws the events of a trace."""

    built: Built[Any]
    observer: int
    events: List[int]
    plan: bool

    def __call__(self, asked: Limits) -> str:
        return _divulge.draw_trace(self.built.native, self.observer, self.events, self.plan, asked)
