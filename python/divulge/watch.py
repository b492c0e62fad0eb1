"""An observer at work: what it believes after each event that it sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Generic, Iterable, List, Optional

from . import _divulge
from ._text import some, text
from .errors import DivulgeError, UnexpectedEvent
from .estimate import Estimate, Moment, Trace, drawn_trace
from .formula import AnyFormula, AnyPredicate
from .graph import Label
from .label_map import Image
from .world import S

if TYPE_CHECKING:
    from ._built import Built


class Watch(Generic[S]):
    """Follows what an observer sees and gives its estimate, and how the stipulations stand.

    ``see(image)`` takes what the observer saw; ``event(label)`` what really happened, of which it sees the image.
    """

    def __init__(self, built: Built[S]) -> None:
        self._built = built
        self._native = _divulge.Watch(built.native)
        self._names: Dict[Image, str] = {image: name for name, image in built.images.items()}
        #: what was seen so far
        self.seen: List[Image] = []

    def see(self, image: Image) -> Estimate[S]:
        """Takes an image, and gives the estimate after it. What nothing looks like that is expected is an error."""
        name = self._names.get(image)
        if name is None or not self._native.see(name):
            raise UnexpectedEvent(
                f"nothing that the observer expects looks like `{text(image)}` here",
                f"it expects {some([text(one) for one in self.expected]) or 'nothing more'}",
            )
        self.seen.append(image)
        return self.estimate

    def event(self, label: Label) -> Estimate[S]:
        """Takes an event, of which the observer sees the image, and gives the estimate after it."""
        self._built.labels.number(label)
        assert self._built.label_map is not None
        return self.see(self._built.label_map[label])

    def restart(self) -> None:
        """Back to before the first event."""
        self._native.restart()
        self.seen = []

    @property
    def expected(self) -> List[Image]:
        """What may be seen next."""
        return [self._built.images[name] for name in self._native.expected()]

    @property
    def estimate(self) -> Estimate[S]:
        """The states that the observer takes to be possible."""
        vertices = self._native.estimate()
        if vertices is None:
            raise DivulgeError("the observer expects nothing, not even the start", "no plan solves the world")
        return self._built.estimate(vertices)

    @property
    def stipulations(self) -> Dict[str, bool]:
        """Whether each stipulation holds of the estimate, also those that are asked for at the end alone."""
        names = [one.name or "" for one in self._built.stipulations]
        return dict(zip(names, self._native.standing() or []))

    @property
    def holds(self) -> bool:
        """Whether every stipulation that must hold always holds now."""
        return not self._broken(ended=False)

    @property
    def may_end(self) -> bool:
        """Whether every stipulation holds now, those that are asked for at the end included."""
        return not self._broken(ended=True)

    def _broken(self, ended: bool) -> List[str]:
        return [name for name, holds in self._standing(ended).items() if holds is False]

    def _standing(self, ended: bool) -> Dict[str, Optional[bool]]:
        scopes = {one.name or "": one.scope for one in self._built.stipulations}
        asked = self.stipulations.items()
        return {name: holds if ended or scopes[name] == "always" else None for name, holds in asked}

    def knows(self, what: AnyPredicate) -> bool:
        """Whether the observer is certain of a predicate."""
        return self.estimate.knows(what)

    def possible(self, what: AnyPredicate) -> bool:
        """Whether the observer has not ruled a predicate out."""
        return self.estimate.possible(what)

    def holds_of(self, what: AnyFormula) -> bool:
        """Whether a formula holds of the estimate."""
        return self.estimate.holds(what)

    def _follow(self, log: Iterable[Any], images: bool, ended: bool) -> Trace[S]:
        """A whole log."""
        entries = list(log)
        moments = [self._moment(0, None, ended and not entries)]
        for number, entry in enumerate(entries, 1):
            try:
                self.see(entry) if images else self.event(entry)
            except UnexpectedEvent:
                return self._drawn(Trace(moments, admitted=False, unexpected=entry), images)
            moments.append(self._moment(number, None if images else entry, ended and number == len(entries)))
        return self._drawn(Trace(moments), images)

    def _drawn(self, trace: Trace[S], images: bool) -> Trace[S]:
        return trace if images else drawn_trace(self._built, trace, False)

    def _moment(self, number: int, event: Optional[Label], ended: bool) -> Moment[S]:
        image = self.seen[-1] if self.seen else None
        return Moment(number, event, image, None, (), ended, self.estimate, self._standing(ended))

    def __repr__(self) -> str:
        return f"<Watch: {len(self.seen)} events seen, {self.estimate!r}, {self.stipulations}>"
