"""What an observer takes to be possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, FrozenSet, Generic, Iterator, List, Optional, Tuple

from . import _divulge
from ._json import fits, opened, written
from ._limits import Size, Time, limits
from ._props import value_at
from ._text import Scalar, some, text
from .formula import AnyFormula, AnyPredicate, knows, possible
from .notebook import Drawn
from .world import S

if TYPE_CHECKING:
    from ._built import Built
    from .problem import Problem


class Estimate(Drawn, Generic[S]):
    """A set of states: those that the observer takes to be possible, or that the robot cannot tell apart."""

    def __init__(self, built: Built[S], vertices: List[int], observer: int = 0) -> None:
        self._built, self._vertices, self._observer = built, vertices, observer

    @property
    def states(self) -> FrozenSet[S]:
        """The states."""
        return frozenset(self)

    @property
    def kind(self) -> str:
        """Whether the robot acts next (``"action"``) or observes (``"observation"``) in these states; ``"both"`` where events that the
        observer does not see leave it open."""
        kinds = {self._built.world._observation[v] for v in self._vertices}
        return "both" if len(kinds) > 1 else "observation" if 1 in kinds else "action"

    def values(self, prop: str) -> List[Optional[Scalar]]:
        """The values that a property has here, in the order of the states; ``None`` if a state lacks it."""
        world = self._built.world
        column = next((one for one in world._columns if one[0] == prop), None)
        if column is None:
            return [None] if self._vertices else []
        return list(dict.fromkeys(value_at(column, world._state_of[v]) for v in self._vertices))

    def knows(self, what: AnyPredicate) -> bool:
        """Whether all of these states satisfy a predicate."""
        return self.satisfies(knows(what))

    def possible(self, what: AnyPredicate) -> bool:
        """Whether some of these states satisfies a predicate."""
        return self.satisfies(possible(what))

    def satisfies(self, what: AnyFormula) -> bool:
        """Whether a formula holds of these states."""
        return self._built.holds(what, self._vertices)

    def to_json(self) -> str:
        """The estimate by itself: the names that the world's vertices have in its document, and which world it is."""
        world = self._built.world
        return written("estimate", {"world": world.digest, "vertices": [world._names[v] for v in self._vertices]})

    @classmethod
    def from_json(cls, given: str, problem: Problem[S]) -> Estimate[S]:
        """The estimate that :meth:`to_json` wrote, in a problem with the same world; an error with any other."""
        read = opened(given, "estimate", ["world", "vertices"])
        built = problem._itself()
        fits(read["world"], built.world.digest, "estimate", "world")
        return cls(built, built.vertices(read["vertices"], "estimate"))

    def to_svg(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """A picture of the estimate: the cells that it holds possible, and the values of properties."""
        return _divulge.draw_estimate(self._built.native, self._observer, self._vertices, limits(time_limit, memory_limit))

    def __iter__(self) -> Iterator[S]:
        world = self._built.world
        return (world._states[state] for state in dict.fromkeys(world._state_of[v] for v in self._vertices))

    def __len__(self) -> int:
        world = self._built.world
        return len({world._state_of[v] for v in self._vertices})

    def __contains__(self, state: object) -> bool:
        return any(state == one for one in self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Estimate):
            return self._pairs() == other._pairs()
        return isinstance(other, (set, frozenset)) and self.states == other

    def __hash__(self) -> int:
        return hash(self.states)

    def _pairs(self) -> FrozenSet[Tuple[S, int]]:
        world = self._built.world
        return frozenset((world._state(v), world._observation[v]) for v in self._vertices)

    def _said(self) -> str:
        """The states if they are few, else their properties."""
        world = self._built.world
        if len(self) <= 3:
            return some([text(state) for state in self]).replace("'", "")
        told = []
        for name, _, _ in world._columns:
            values = sorted(self.values(name), key=lambda value: (str(type(value)), str(value)))
            told.append(f"{name} ∈ {{{some(values).replace(chr(39), '')}}}" if len(values) > 1 else f"{name} = {values[0]}")
        return f"{len(self)} states" + (": " + ", ".join(told) if told else "")

    def __repr__(self) -> str:
        return f"<Estimate: {self._said()}>"
