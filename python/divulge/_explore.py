"""A world's reachable part, worked out from functions."""

from __future__ import annotations

from array import array
from enum import EnumMeta
from typing import Any, Callable, Dict, Hashable, Iterable, List, Optional, Union

from ._labels import Labels
from ._text import listed, several
from .errors import DivulgeError

Outcome = Any


class Explored:
    """States and vertices as they are found: a state has an action vertex, an observation vertex, or both."""

    def __init__(self, most: int) -> None:
        self.states: List[Hashable] = []
        self.ids: Dict[Hashable, int] = {}
        #: the vertices of each state, -1 where there is none
        self.acting: List[int] = []
        self.observing: List[int] = []
        #: the state of each vertex, and whether it is an observation vertex
        self.state_of = array("I")
        self.observation = bytearray()
        self.arcs = array("I")
        self.initial: List[int] = []
        self.labels = Labels()
        self._most = most

    def state(self, state: Hashable) -> int:
        """The number of a state, which is added if it is new."""
        if state is None:
            raise DivulgeError("None cannot be a state: it stands for there being none", "give every initial state a value")
        try:
            number = self.ids.setdefault(state, len(self.states))
        except TypeError:
            raise DivulgeError(
                f"{state!r} cannot be a state: states must be hashable",
                "use tuples, named tuples, frozen data classes or enumerations; a list, a set or a generator stands for several",
            ) from None
        if number == len(self.states):
            self.states.append(state)
            self.acting.append(-1)
            self.observing.append(-1)
        return number

    def vertex(self, state: Hashable, observation: bool) -> int:
        """The vertex of a state, which is added if it is new."""
        number = self.state(state)
        of_kind = self.observing if observation else self.acting
        found = of_kind[number]
        if found < 0:
            found = of_kind[number] = len(self.observation)
            if found >= self._most:
                raise DivulgeError(f"the world has more than {self._most} vertices", "if that is intended, raise `limit`")
            self.state_of.append(number)
            self.observation.append(observation)
        return found


def explore(
    initial: Iterable[Hashable],
    actions: Union[Callable[[Any], Any], Iterable[Hashable]],
    step: Callable[[Any, Any], Outcome],
    observe: Callable[[Any], Outcome],
    sense: Optional[Callable[[Any, Any], Outcome]],
    starts_observing: bool,
    most: int,
) -> Explored:
    """Breadth first from the initial states."""
    found = Explored(most)
    declare, vertex = found.labels.declare, found.vertex
    # A class of enumeration members is callable, and a collection of actions.
    offered = actions if callable(actions) and not isinstance(actions, EnumMeta) else None
    fixed = () if offered is not None else listed(actions)
    for action in fixed:
        if action is not None:
            declare(action, False)
    found.initial = [vertex(state, starts_observing) for state in listed(initial)]
    states, state_of, observation, extend = found.states, found.state_of, found.observation, found.arcs.extend
    here = 0
    while here < len(observation):
        state = states[state_of[here]]
        if observation[here]:
            for seen in several(observe(state)):
                label = declare(seen, True)
                if sense is None:
                    extend((here, label, vertex(state, False)))
                else:
                    for after in several(sense(state, seen)):
                        extend((here, label, vertex(after, False)))
        else:
            for action in fixed if offered is None else listed(offered(state)):
                if action is None:
                    continue
                outcome = several(step(state, action))
                if not outcome:
                    continue
                label = declare(action, False)
                for after in outcome:
                    extend((here, label, vertex(after, True)))
        here += 1
    return found

