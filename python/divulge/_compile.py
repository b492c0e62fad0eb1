"""Formulas made to fit a world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, Iterable, List, Optional, Tuple

from ._text import Scalar, unique

if TYPE_CHECKING:
    from .world import World


class Compiler:
    """Names the states and functions that formulas speak of; a function becomes a boolean property of the vertices."""

    def __init__(self, world: World[Any]) -> None:
        self._world = world
        self._used: Dict[str, Any] = {column[0]: None for column in world._columns}
        self._tests: List[Tuple[str, Callable[[Any], Any]]] = []

    def state_names(self, state: Hashable) -> List[str]:
        """The names of a state's vertices."""
        return [self._world._names[v] for v in self._world._vertices_of(state)]

    def prop_values(self, name: str) -> Optional[List[Scalar]]:
        """The values that a property has, if there is such a property."""
        return next((values for column, values, _ in self._world._columns if column == name), None)

    def condition(self, test: Callable[[Any], Any]) -> str:
        """The name of the property that says where a function of a state is true."""
        for name, known in self._tests:
            if known is test:
                return name
        called = getattr(test, "__name__", "")
        fresh = called if called.isidentifier() else f"condition_{len(self._tests) + 1}"
        name = unique(fresh, self._used)
        self._used[name] = test
        self._tests.append((name, test))
        return name

    def conditions(self, vertices: Optional[Iterable[int]] = None) -> List[Tuple[str, bytes]]:
        """Each such property, a byte for each vertex; only ``vertices`` are looked at, if they are given."""
        return [(name, self._truth(test, vertices)) for name, test in self._tests]

    def _truth(self, test: Callable[[Any], Any], vertices: Optional[Iterable[int]]) -> bytes:
        world = self._world
        truth = bytearray(len(world))
        if vertices is None:
            of_state = [bool(test(state)) for state in world._states]
            return bytes(of_state[state] for state in world._state_of)
        for v in vertices:
            truth[v] = bool(test(world._state(v)))
        return bytes(truth)
