"""An observer at work: what it believes after each event that it sees."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Dict, Generic, Iterable, List, Optional, Sequence, Set, Tuple

from . import _divulge
from ._json import SAME, fits, malformed, opened, written
from ._limits import NONE, Limits, Size, Time, limits
from ._text import key, listed, some, text
from .errors import DivulgeError, UnexpectedEvent, warn
from .estimate import Estimate
from .formula import AnyFormula, AnyPredicate
from .graph import Label
from .label_map import AnyMap, Image, LabelMap
from .trace import Deviation, Moment, Trace, drawn_trace
from .world import S

if TYPE_CHECKING:
    from ._built import Built, Seat
    from .plan import Plan
    from .problem import Problem

#: advice for events without observations between them
_GAP = (
    "Tell what was observed in between. If there was nothing to observe, the world may have one observation there, such as `nothing`, which is "
    "then filled in; a world of events alone is made with World.automaton"
)


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
        self._label_names = built.labels.texts
        self._begin()

    def _begin(self) -> None:
        self._events = 0
        #: whether the observation after an automaton's event is due
        self._due = False
        #: what was seen of the last event
        self._last: Optional[Image] = None
        #: what was told or filled in, in order: the name of an event, or of an image
        self._taken: List[Tuple[str, str]] = []
        #: what was seen so far
        self.seen: List[Image] = []
        #: the events so far, images where only those were told; and the numbers (from 1) of those that were filled in
        self.history: List[Any] = []
        self.filled_in: List[int] = []
        #: the first event that the world, the plan or the observer's knowledge of it does not have; ``None`` if all is well
        self.deviation: Optional[Deviation] = None

    def see(self, image: Image, *, time_limit: Time = None, memory_limit: Size = None) -> Estimate[S]:
        """Takes an image, and gives the estimate after it. An image that the observer does not expect is an error."""
        name = self._names.get(key(image))
        asked = limits(time_limit, memory_limit)
        expected, left = (False, None) if name is None else self._native.see(name, asked)
        estimate = self._took(image, image, expected, left, is_image=True)
        self._taken.append(("image", name or ""))
        return estimate

    def event(self, label: Label, *, time_limit: Time = None, memory_limit: Size = None) -> Estimate[S]:
        """Takes an event, of which the observer sees the image, and gives the estimate after it. An event that it does not see at all
        changes nothing for it.

        Between two actions, an observation may be left out if it is the only one that the world has there. It is filled in with a warning,
        and :attr:`filled_in` has its number. An event whose image the observer does not expect is an error, and nothing changes. Look at
        :attr:`deviation`, or at :attr:`holds`, for events that only look right.
        """
        labels = self._built.labels
        number = labels.number(label)
        asked = limits(time_limit, memory_limit)
        if labels.then is None:
            self._fill(number, asked)
        elif self._due and label != labels.then:
            # An automaton's events may come without the observations between them.
            self._native.event(labels.number(labels.then), asked)
            self._due = False
        estimate = self._happened(number, asked)
        # Who sees the observation must be told of it.
        looks = self._looks()
        self._due = labels.then is not None and label != labels.then and looks[labels.then] is None
        return estimate

    def _looks(self) -> LabelMap:
        assert self._seat.label_map is not None
        return self._seat.label_map

    def _happened(self, number: int, asked: Limits) -> Estimate[S]:
        label = self._built.label(number)
        expected, left = self._native.event(number, asked)
        estimate = self._took(label, self._looks()[label], expected, left, is_image=False)
        self._taken.append(("event", self._label_names[number]))
        return estimate

    def _fill(self, number: int, asked: Limits) -> None:
        """Fills in the observation before an action, if there is only one that it can have been."""
        observation = self._built.labels.observation
        if observation[number]:
            return
        due = self._native.possible()
        if due is None or len(due) != 1 or not observation[due[0]]:
            return
        label, before = self._built.label(due[0]), copy.copy(self)
        try:
            self._happened(due[0], asked)
        except UnexpectedEvent:
            # The observer does not reckon with it: what came is what is unexpected.
            self.__dict__.update(before.__dict__)
            return
        self.filled_in.append(self._events)
        self._taken[-1] = ("filled_in", self._label_names[due[0]])
        if len(self.filled_in) == 1:
            warn(
                f"no observation was told before event {self._events + 1}, `{self._label_names[number]}`: `{text(label)}`, the only one that "
                "the world has there, is filled in\n  help: tell every observation, if observations are made"
            )

    def _took(
        self, what: Any, image: Image, expected: bool, left: Optional[Tuple[str, Sequence[int]]], is_image: bool
    ) -> Estimate[S]:
        number = self._events + 1
        deviation = None if left is None else self._left(number, what, is_image, *left)
        if not expected:
            raise self._unexpected(number, what, image, is_image, deviation)
        self.deviation = self.deviation or deviation
        self._events += 1
        self._last = image
        self.history.append(what)
        if image is not None:
            self.seen.append(image)
        return self.estimate

    def _unexpected(
        self, number: int, what: Any, image: Image, is_image: bool, deviation: Optional[Deviation]
    ) -> UnexpectedEvent:
        images = self.expected
        seen = some([text(one) for one in images]) or "nothing more"
        looks = "happens unseen" if image is None else f"looks like `{text(image)}`"
        message = f"nothing that the observer expects {looks} here (event {number})"
        help = f"it expects {seen}" if deviation is None else f"{deviation}; the observer expects to see {seen}"
        if deviation is not None and deviation.missing is not None:
            message = str(deviation)
            help = _GAP if deviation.missing == "observation" else "what the robot does is never filled in: tell the action first"
        expected = images
        if not is_image:
            known = {key(one) for one in images}
            alike = [label for label, look in self._looks().items() if look is not None and key(look) in known]
            expected = deviation.expected if deviation is not None and deviation.expected else alike
        return UnexpectedEvent(
            message,
            help,
            deviation=deviation or self._left(number, what, is_image, "known", []),
            event=what,
            expected=expected,
            after=self.history,
        )

    def _left(self, number: int, what: Any, is_image: bool, reason: str, labels: Sequence[int]) -> Deviation:
        kinds = {self._built.labels.observation[label] for label in labels}
        missing: Optional[str] = None
        if reason == "world" and not is_image and len(kinds) == 1 and self._built.labels.then is None:
            (due,) = kinds
            if due != self._built.labels.observation[self._built.labels.number(what)]:
                missing = "observation" if due else "action"
        return Deviation(number, what, reason, [self._built.label(label) for label in labels], is_image, missing)

    def to_json(self) -> str:
        """Where the watch is: what it was told so far, of which problem, and which observer it follows."""
        taken = [{how: name} for how, name in self._taken]
        return written("watch", {"problem": self._built.digest, "observer": self._seat.name, "taken": taken})

    @classmethod
    def from_json(
        cls,
        given: str,
        problem: Problem[S],
        *,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        time_limit: Time = None,
        memory_limit: Size = None,
    ) -> Watch[S]:
        """Goes on where :meth:`to_json` was asked, perhaps in another process, beside the same problem (with the same plan and map); an error
        with any other. The limits are for setting it up."""
        read = opened(given, "watch", ["problem", "observer", "taken"])
        watch = problem.watch(plan=plan, map=map, observer=read["observer"], time_limit=time_limit, memory_limit=memory_limit)
        fits(read["problem"], watch._built.digest, "watch", "problem", SAME)
        if not isinstance(read["taken"], list):
            raise malformed("watch", "taken")
        for number, one in enumerate(read["taken"]):
            ((how, name),) = one.items() if isinstance(one, dict) and len(one) == 1 else (("", None),)
            if not watch._again(how, name):
                raise malformed("watch", f"taken[{number}]")
        return watch

    def _again(self, how: str, name: Any) -> bool:
        """Takes what was taken before; whether that is possible."""
        labels = self._built.labels
        known = isinstance(name, str)
        try:
            if how in ("event", "filled_in") and known and name in self._label_names:
                self.event(labels.values[self._label_names.index(name)])
                if how == "filled_in":
                    self.filled_in.append(self._events)
                    self._taken[-1] = (how, name)
            elif how == "image" and known and name in self._seat.images:
                self.see(self._seat.images[name])
            else:
                return False
        except UnexpectedEvent:
            return False
        return True

    def __reduce__(self) -> Any:
        return _sent, (self._built, self._seat.number, self._taken, self.deviation)

    def restart(self) -> None:
        """Back to before the first event."""
        self._native.restart()
        self._begin()

    def __copy__(self) -> Watch[S]:
        other = self.__class__.__new__(self.__class__)
        lists = {name: list(value) for name, value in self.__dict__.items() if isinstance(value, list)}
        other.__dict__.update(self.__dict__, **lists, _native=self._native.copy())
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
        if log is None:
            raise DivulgeError("there is no log to follow", "give its events in a list, [] if there are none")
        entries = list(listed(log))
        entries = entries if images else self._built.labels.spelled(entries, ended)
        moments = [self._moment(0, None, ended and not entries)]
        for number, entry in enumerate(entries, 1):
            last = ended and number == len(entries)
            try:
                if images:
                    self.see(entry)
                else:
                    if self._built.labels.then is None:
                        self._fill(self._built.labels.number(entry), NONE)
                        if self._events == len(moments):
                            moments.append(self._moment(self._events, self.history[-1], False))
                    self.event(entry)
            except UnexpectedEvent as error:
                self.deviation = self.deviation or error.deviation
                return self._drawn(Trace(moments, False, unexpected=entry, deviation=self.deviation), images)
            moments.append(self._moment(len(moments), None if images else entry, last))
        if ended and self.deviation is None:
            more = self._native.unfinished(images)
            self.deviation = None if more is None else self._left(self._events, None, images, "end", more)
        return self._drawn(Trace(moments, self.admitted, deviation=self.deviation), images)

    def _spelled(self, events: Sequence[Label]) -> Tuple[List[Label], Set[int]]:
        """Events with the observations that were left out between them, and the numbers of those."""
        rest = list(events)
        while rest:
            try:
                self.event(rest[0])
            except UnexpectedEvent:
                break
            rest.pop(0)
        return [*self.history, *rest], set(self.filled_in)

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
        return drawn_trace(self._built, self._seat, trace, False, events=not images)

    def _moment(self, number: int, event: Optional[Label], ended: bool) -> Moment[S]:
        image = self._last
        filled = bool(self.filled_in) and self.filled_in[-1] == number
        return Moment(number, event, image, None, (), ended, self.estimate, self._standing(ended), filled)

    def __repr__(self) -> str:
        left = "" if self.deviation is None else f", {self.deviation}"
        whose = "" if len(self._built.seats) == 1 else f" {self._seat.name!r}"
        return f"<Watch{whose}: {len(self.seen)} events seen, {self.estimate!r}, {self.stipulations}{left}>"


def _sent(built: Built[S], number: int, taken: List[Tuple[str, str]], deviation: Optional[Deviation]) -> Watch[S]:
    """A watch that was sent goes on where it was."""
    watch = Watch(built, built.seats[number])
    if not all(watch._again(how, name) for how, name in taken):
        raise malformed("watch", "taken")
    watch.deviation = deviation
    return watch
