"""What is wrong with a plan or a world, and the execution that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Hashable, List, NamedTuple, Optional, Sequence, Tuple

from . import _divulge
from ._limits import Limits, Size, Time, either, limits
from ._text import some, text
from .estimate import Estimate
from .trace import Trace, trace_of
from .graph import Label
from .label_map import Image
from .world import S

if TYPE_CHECKING:
    from ._built import Built


class Twin(NamedTuple):
    """A run that the observer takes for the execution, and so cannot rule out what it leads to."""

    #: what it leads to; in hindsight, at the moment that the violation is about
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
    #: ``"looks-different"``, ``"not-divulged"``, ``"plan-stops"`` or ``"world-stops"``; ``"given-away"`` where events are unseen, where the past counts
    #: and in hindsight, where no more is told than that the run goes on in no way that looks like the execution
    why: str
    #: the events with which it would have gone on
    instead: List[Label]


class Violation(Generic[S]):
    """What is wrong, and a shortest execution that shows it."""

    def __init__(self, built: Built[S], native: _divulge.Violation) -> None:
        self._built, self._native = built, native
        reason, execution, cycle, event, at, stipulation, estimate, observer, moment = native.parts()
        seat = self._seat = built.seats[observer or 0]
        #: ``"unsafe-action"``, ``"unforeseen-observation"``, ``"terminates-off-goal"``, ``"stuck"``, ``"unbounded"``,
        #: ``"outside-divulged"`` or ``"stipulation"``
        self.reason: str = reason
        #: the execution after which it is wrong
        self.execution: List[Label] = [built.label(label) for label in execution]
        #: what the observer sees of it; nothing if it is about none of several observers in particular
        self.image: List[Image] = []
        if seat.label_map is not None and (observer is not None or len(built.seats) == 1):
            images = (seat.label_map[label] for label in self.execution)
            self.image = [image for image in images if image is not None]
        #: events that lead back to where the execution ended, if it can go on for ever
        self.cycle: Optional[List[Label]] = None if cycle is None else [built.label(label) for label in cycle]
        #: the event that is unsafe or unforeseen
        self.event: Optional[Label] = None if event is None else built.label(event)
        #: the state, and the vertex of the plan, where it is wrong
        self.state: Optional[S] = None if at is None else built.world._state(at[1])
        self.plan_vertex: Optional[Hashable] = None
        if at is not None and built.plan is not None:
            self.plan_vertex = built.plan._vertices[at[0]]
        #: the name of the observer that it is about: whose stipulation does not hold, or who does not reckon with the execution
        self.observer: Optional[str] = None if observer is None else seat.name
        #: the name of the stipulation that does not hold, among that observer's
        self.stipulation: Optional[str] = None if stipulation is None else seat.stipulations[stipulation].name
        #: in hindsight: the number of events after which the moment was that it is broken of
        self.moment: Optional[int] = moment
        #: what the observer takes to be possible then; in hindsight, what it makes of that moment in the end
        self.estimate: Optional[Estimate[S]] = None if estimate is None else built.estimate(estimate, seat)

    def __reduce__(self) -> Any:
        return _again, (self._built, _divulge.pack_answer(self._native), self._native.limits())

    def __copy__(self) -> Violation[S]:
        return self

    def __deepcopy__(self, memo: Any) -> Violation[S]:
        return self

    def __eq__(self, other: object) -> bool:
        """Whether the same is wrong with the same problem, as the same execution shows."""
        if not isinstance(other, Violation):
            return NotImplemented
        return self is other or (self._parts() == other._parts() and self._built == other._built)

    def __hash__(self) -> int:
        return hash((self.reason, len(self.execution)))

    def _parts(self) -> Any:
        return {name: value for name, value in self.__dict__.items() if name not in ("_built", "_native", "_seat")}

    @property
    def events(self) -> List[Label]:
        """The execution without the observations that nobody sees: in an automaton, its string of events."""
        then = self._built.labels.then
        return [label for label in self.execution if then is None or label != then]

    @property
    def trace(self) -> Trace[S]:
        """The execution, moment by moment."""
        return trace_of(self._built, self._seat, self._native.trace(), True)

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

    def to_itf(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """The execution as a trace in the Informal Trace Format (ITF), for trace viewers."""
        return self._native.itf(either(limits(time_limit, memory_limit), self._native.limits()))

    def explain(self) -> str:
        """The violation in words, as on the command line."""
        return self._native.explain()

    def __repr__(self) -> str:
        what = self.reason if self.stipulation is None else f"{self.reason} {self.stipulation!r}"
        what += f" of {self.observer!r}" if self.observer is not None and len(self._built.seats) > 1 else ""
        return f"<Violation: {what} after {some([text(label) for label in self.execution], 12) or 'no event'}>"


def _again(built: Built[S], packed: bytes, asked: Limits) -> Violation[S]:
    """A violation that was sent."""
    native = _divulge.unpack_answer(built.native, packed, asked)
    assert isinstance(native, _divulge.Violation)
    return Violation(built, native)
