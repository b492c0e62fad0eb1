"""The guard: between a robot, or a simulator, and everybody outside."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Generic, List, Optional, Tuple, Union

from . import _divulge
from ._given import a_plan
from ._limits import Size, Time, limits
from ._text import article, text
from .answer import Verdict
from .errors import DivulgeError, GuardHeld, LimitReached, warn
from .graph import Label
from .label_map import AnyMap, Image
from .problem import Problem
from .world import S

if TYPE_CHECKING:
    from .plan import Plan


#: why a guard may hold that it cannot find out by itself
OUTSIDE = ("no-heartbeat", "late", "output", "input-ended")


@dataclass(frozen=True)
class HeldBack:
    """Something that was held back, or would have been."""

    #: the event, by name; ``None`` where it was none
    event: Optional[str]
    #: why, in one word such as ``"unforeseen-event"``
    reason: str
    #: the same in words
    message: str


class Guard(Generic[S]):
    """Stands between a robot and its observers: events go in, images come out, and only those.

    ``event(label)`` is checked against the plan, the world and everybody's stipulations before anything of it is given out. What may not
    pass raises :class:`GuardHeld <divulge.GuardHeld>`, and so does everything after it. :attr:`do` is the action to take, chosen at random among those
    that the plan offers; where it is ``None``, :attr:`observing` and :attr:`stopping` tell what comes next::

        guard = divulge.Guard(problem, plan=found.plan)
        while not guard.stopping:
            label = guard.do if guard.do is not None else robot.observe()
            for observer, image in guard.event(label).items():
                show(observer, image)
        guard.end()

    In the mode ``"shadow"`` everything is given out, :attr:`would_hold` lists what would have been held back, and nothing is said about what
    to do. With ``journal``, a file, every event is written and synced before it is given out, and a guard that is made with the same journal
    goes on where the last one was; :attr:`again` has the images that may not have been shown then. ``seed`` makes choices predictable, for tests.
    It is the guard of ``divulge guard``, and shares its journals.
    """

    def __init__(
        self,
        problem: Problem[S],
        *,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        mode: str = "enforce",
        journal: Union[str, os.PathLike[str], None] = None,
        seed: Optional[int] = None,
        time_limit: Time = None,
        memory_limit: Size = None,
    ) -> None:
        if mode not in ("enforce", "shadow"):
            raise DivulgeError(f"there is no mode `{text(mode)}`", 'the modes are "enforce" and "shadow"')
        asked = limits(time_limit, memory_limit)
        if not isinstance(problem, Problem):
            raise DivulgeError(f"a guard needs a Problem, not {article(type(problem).__name__)}", "give Problem(world, observers), and a plan")
        built = problem._with(a_plan(plan), map)
        if built.plan is None:
            raise DivulgeError("a guard needs a plan", "give one, or seek one with `seek_plan`")
        verdict: Verdict[S] = Verdict(built, *_divulge.check(built.native, 0, asked))
        if verdict.limit is not None:
            raise LimitReached(verdict.limit)
        if verdict.verdict != "holds":
            if mode == "enforce":
                raise DivulgeError(
                    f"the plan is {verdict.verdict}, so it is not run",
                    '`check` tells why; mode="shadow" runs it all the same and says what would be held back',
                )
            warn(f"the plan is {verdict.verdict}, so not all can go well; `check` tells why")
        self._built = built
        self._names = [seat.name or "observer" for seat in built.seats]
        self.mode = mode
        #: in the shadow: what would have been held back
        self.would_hold: List[HeldBack] = []
        path = None if journal is None else os.fspath(journal)
        self._native = _divulge.Guard(built.native, mode == "shadow", path, seed)
        images = self._take(self._native.begin())
        #: after a restart: images that may not have been shown before, as observer, image and its number among those of the observer
        self.again: List[Tuple[str, Image, int]] = images

    def __reduce__(self) -> Any:
        raise TypeError(
            "a guard cannot be pickled or copied: there is one between a robot and its observers. Send its problem and its plan, and make a "
            "guard there; with the same journal it goes on where this one is"
        )

    def _take(self, said: Any) -> List[Tuple[str, Image, int]]:
        images, would_hold, told, standing, held, events = said
        self.would_hold.extend(HeldBack(*back) for back in would_hold)
        self._told: Optional[List[int]] = told
        #: ``"open"``, ``"ended"`` or ``"held"``
        self.standing: str = standing
        #: why it holds; ``None`` if it does not
        self.held: Optional[HeldBack] = None if held is None else HeldBack(*held)
        #: how many events have been accepted
        self.events: int = events
        seats = self._built.seats
        return [(self._names[number], seats[number].images[name], n) for number, name, n in images]

    @property
    def do(self) -> Optional[Label]:
        """The action to take; ``None`` where there is none to take, and in the shadow."""
        if self.standing != "open" or not self._told:
            return None
        return self._built.label(self._told[0])

    @property
    def stopping(self) -> bool:
        """Whether the robot is to stop here, or has to because the guard holds."""
        return self.standing != "open" or self._told == []

    @property
    def observing(self) -> bool:
        """Whether an observation comes next; not known in the shadow."""
        return self.mode == "enforce" and self.standing == "open" and self._told is None

    def event(self, label: Label) -> Dict[str, Image]:
        """Takes an event, and gives what each observer is to be shown of it, by name; those who see nothing are not in it."""
        self._open()
        labels = self._built.labels
        name = labels.texts[labels.index[label]] if label in labels.index else text(label)
        return self._shown(self._native.event(name))

    def line(self, line: Union[str, bytes]) -> Dict[str, Image]:
        """Takes a line as ``divulge guard`` does, such as ``{"event": "right"}``; gives what :meth:`event` gives."""
        self._open()
        return self._shown(self._native.line(line.encode() if isinstance(line, str) else line))

    def hold(self, reason: str, message: str) -> None:
        """Holds because of something that only the caller can know, and says so in the journal: ``"no-heartbeat"``, ``"late"``, ``"output"`` or
        ``"input-ended"``. Nothing passes from now on; every call raises :class:`GuardHeld <divulge.GuardHeld>`."""
        if reason not in OUTSIDE:
            raise DivulgeError(f"there is no reason `{text(reason)}` outside", "the reasons are " + ", ".join(OUTSIDE))
        self._take(self._native.hold(reason, message))

    def end(self) -> None:
        """The robot has stopped."""
        self._open()
        self._shown(self._native.end())

    def _shown(self, said: Any) -> Dict[str, Image]:
        images = self._take(said)
        self._raise()
        return {observer: image for observer, image, _ in images}

    def _open(self) -> None:
        self._raise()
        if self.standing == "ended":
            raise DivulgeError("the run has ended", "begin a new one with a new guard")

    def _raise(self) -> None:
        if self.held is not None:
            raise GuardHeld(self.held.message, self.held.reason, self.held.event)

    def __repr__(self) -> str:
        return f"<Guard: {self.mode}, {self.events} events, {self.standing}>"
