"""An observer at work: what it believes after each event that it sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Generic, Iterable, List, Optional, Sequence, Tuple

from . import _divulge
from ._limits import NONE, Limits
from ._text import key, some, text
from .errors import DivulgeError, UnexpectedEvent
from .estimate import Deviation, Estimate, Moment, Trace, drawn_trace
from .formula import AnyFormula, AnyPredicate
from .graph import Label
from .label_map import Image
from .world import S

if TYPE_CHECKING:
    from ._built import Built, Seat


class Watch(Generic[S]):
    """Follows what an observer sees and gives its estimate, and how the stipulations stand.

    ``event(label)`` takes what really happened: the observer sees its image, and :attr:`deviation` tells if the world or the plan
    has no such event, however much it looks like one that they have. ``see(image)`` takes what the observer saw where the event
    itself is not known.
    """

    def __init__(self, built: Built[S], seat: Seat, asked: Limits = NONE) -> None:
        self._built, self._seat = built, seat
        self._native = _divulge.Watch(built.native, seat.number, asked)
        self._names: Dict[Any, str] = {key(image): name for name, image in seat.images.items()}
        self._events = 0
        #: whether the observation after an automaton's event is due
        self._due = False
        #: what was seen of the last event
        self._last: Optional[Image] = None
        #: what was seen so far
        self.seen: List[Image] = []
        #: the first event that the world, the plan or the observer's knowledge of it does not have; ``None`` if all is well
        self.deviation: Optional[Deviation] = None

    def see(self, image: Image) -> Estimate[S]:
        """Takes an image, and gives the estimate after it. An image that the observer does not expect is an error."""
        name = self._names.get(key(image))
        expected, left = (False, None) if name is None else self._native.see(name)
        return self._took(image, image, expected, left, is_image=True)

    def event(self, label: Label) -> Estimate[S]:
        """Takes an event, of which the observer sees the image, and gives the estimate after it. An event that it does not see at all
        changes nothing for it.

        An event whose image the observer does not expect is an error, and nothing changes. Look at :attr:`deviation`, or at
        :attr:`holds`, for events that only look right.
        """
        labels = self._built.labels
        number = labels.number(label)
        assert self._seat.label_map is not None
        if self._due and label != labels.then:
            # An automaton's events may come without the observations between them.
            self._native.event(labels.number(labels.then))
            self._due = False
        expected, left = self._native.event(number)
        estimate = self._took(label, self._seat.label_map[label], expected, left, is_image=False)
        # Who sees the observation must be told of it.
        self._due = labels.then is not None and label != labels.then and self._seat.label_map[labels.then] is None
        return estimate

    def _took(
        self, what: Any, image: Image, expected: bool, left: Optional[Tuple[str, Sequence[int]]], is_image: bool
    ) -> Estimate[S]:
        number = self._events + 1
        deviation = None if left is None else self._left(number, what, is_image, *left)
        if not expected:
            images = some([text(one) for one in self.expected]) or "nothing more"
            looks = "happens unseen" if image is None else f"looks like `{text(image)}`"
            raise UnexpectedEvent(
                f"nothing that the observer expects {looks} here (event {number})",
                f"it expects {images}" if deviation is None else f"{deviation}; the observer expects to see {images}",
                deviation=deviation or self._left(number, what, is_image, "known", []),
            )
        self.deviation = self.deviation or deviation
        self._events += 1
        self._last = image
        if image is not None:
            self.seen.append(image)
        return self.estimate

    def _left(self, number: int, what: Any, is_image: bool, reason: str, labels: Sequence[int]) -> Deviation:
        return Deviation(number, what, reason, [self._built.label(label) for label in labels], is_image)

    def restart(self) -> None:
        """Back to before the first event."""
        self._native.restart()
        self.seen, self._events, self._last, self._due = [], 0, None, False
        self.deviation = None

    def __copy__(self) -> Watch[S]:
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__, _native=self._native.copy(), seen=list(self.seen))
        return other

    def __deepcopy__(self, memo: Any) -> Watch[S]:
        return self.__copy__()

    @property
    def expected(self) -> List[Image]:
        """What may be seen next."""
        return [self._seat.images[name] for name in self._native.expected()]

    @property
    def estimate(self) -> Estimate[S]:
        """The states that the observer takes to be possible."""
        vertices = self._native.estimate()
        if vertices is None:
            raise DivulgeError("the observer expects nothing, not even the start", "no plan solves the world")
        return self._built.estimate(vertices, self._seat)

    @property
    def stipulations(self) -> Dict[str, bool]:
        """Whether each stipulation holds now, also those that are asked for at the end alone.

        One about a run holds if it would hold should the run end now. One in hindsight holds if it does of all that the observer makes now
        of the moments that count.
        """
        return {name: holds for name, (holds, _) in self._stands().items()}

    def _stands(self) -> Dict[str, Tuple[bool, bool]]:
        """Of each stipulation, whether it holds now, and whether nothing can mend it."""
        return dict(zip([one.name or "" for one in self._seat.stipulations], self._native.standing() or []))

    @property
    def admitted(self) -> bool:
        """Whether the world, the plan and what the observer knows of it have all that happened."""
        return self.deviation is None

    @property
    def holds(self) -> bool:
        """Whether every stipulation that must hold always holds now, those about runs can still be kept, and there was no deviation."""
        return self.admitted and not self._broken(ended=False)

    @property
    def may_end(self) -> bool:
        """Whether every stipulation holds now, those that are asked for at the end included, and there was no deviation."""
        return self.admitted and not self._broken(ended=True)

    def _broken(self, ended: bool) -> List[str]:
        return [name for name, holds in self._standing(ended).items() if holds is False]

    def _standing(self, ended: bool) -> Dict[str, Optional[bool]]:
        scopes = {one.name or "": one.scope for one in self._seat.stipulations}

        def told(scope: str, holds: bool, broken: bool) -> Optional[bool]:
            if ended or scope in ("always", "hindsight"):
                return holds
            # A run that may still be kept has no verdict yet.
            return (False if broken else True if holds else None) if scope == "run" else None

        return {name: told(scopes[name], *stands) for name, stands in self._stands().items()}

    def knows(self, what: AnyPredicate) -> bool:
        """Whether the observer is certain of a predicate."""
        return self.estimate.knows(what)

    def possible(self, what: AnyPredicate) -> bool:
        """Whether the observer has not ruled a predicate out."""
        return self.estimate.possible(what)

    def satisfies(self, what: AnyFormula) -> bool:
        """Whether the estimate satisfies a formula."""
        return self.estimate.satisfies(what)

    def _follow(self, log: Iterable[Any], images: bool, ended: bool) -> Trace[S]:
        """A whole log."""
        entries = [log] if isinstance(log, str) else list(log)
        entries = entries if images else self._built.labels.spelled(entries, ended)
        moments = [self._moment(0, None, ended and not entries)]
        for number, entry in enumerate(entries, 1):
            try:
                self.see(entry) if images else self.event(entry)
            except UnexpectedEvent as error:
                self.deviation = self.deviation or error.deviation
                return self._drawn(Trace(moments, False, unexpected=entry, deviation=self.deviation), images)
            moments.append(self._moment(number, None if images else entry, ended and number == len(entries)))
        if ended and self.deviation is None:
            more = self._native.unfinished(images)
            self.deviation = None if more is None else self._left(len(entries), None, images, "end", more)
        return self._drawn(Trace(moments, self.admitted, deviation=self.deviation), images)

    def _deviation(self, events: Iterable[Label]) -> Optional[Deviation]:
        """Where an execution leaves its course, if it does."""
        for label in events:
            try:
                self.event(label)
            except UnexpectedEvent as error:
                self.deviation = self.deviation or error.deviation
            if self.deviation is not None:
                break
        return self.deviation

    def _drawn(self, trace: Trace[S], images: bool) -> Trace[S]:
        return trace if images else drawn_trace(self._built, self._seat, trace, False)

    def _moment(self, number: int, event: Optional[Label], ended: bool) -> Moment[S]:
        image = self._last
        return Moment(number, event, image, None, (), ended, self.estimate, self._standing(ended))

    def __repr__(self) -> str:
        left = "" if self.deviation is None else f", {self.deviation}"
        whose = "" if len(self._built.seats) == 1 else f" {self._seat.name!r}"
        return f"<Watch{whose}: {len(self.seen)} events seen, {self.estimate!r}, {self.stipulations}{left}>"
