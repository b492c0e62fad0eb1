"""What becomes of functions that are sent to other processes.

A problem may have functions in it: predicates of states, and maps of labels. Lambdas and local functions cannot be pickled. But all that
a problem needs of them are their values for its own states and labels, so these are sent in their place, as tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, List, Mapping, Optional, Sequence, Tuple

from ._text import text
from .errors import DivulgeError
from .formula import Expression, Predicate
from .label_map import LabelMap, MapSpec
from .observer import Stipulation

if TYPE_CHECKING:
    from ._labels import Labels
    from .world import World

Test = Callable[[Any], Any]


class StateTable:
    """A function of a state, by its values for the states of one world."""

    def __init__(self, name: str, world: World[Any], truth: bytes) -> None:
        self.__name__, self._world, self._truth = name, world, truth

    def __call__(self, state: Hashable) -> bool:
        number = self._world._ids.get(state)
        if number is None:
            raise DivulgeError(
                f"what `{self.__name__}` says of `{text(state)}` is not known here: only its values for one world were sent",
                "make the function where it is needed, or use a property instead of a function",
            )
        return bool(self._truth[number])


class LabelTable:
    """A function of a label, by its values for the labels of one problem."""

    def __init__(self, images: Mapping[Any, Any]) -> None:
        self._images = dict(images)

    def __call__(self, label: Hashable) -> Any:
        if label not in self._images:
            raise DivulgeError(
                f"what `{text(label)}` looks like is not known here: only the map's values for the labels of one problem were sent",
                "give the map as a dictionary",
            )
        return self._images[label]


class Tables:
    """The functions of one world, each as one table."""

    def __init__(self, world: World[Any]) -> None:
        self._world = world
        self._known: Dict[int, Tuple[Test, StateTable]] = {}

    def table(self, test: Test) -> Test:
        """The function as a table; it is one already if it was sent before."""
        if isinstance(test, StateTable) and test._world is self._world:
            return test
        if id(test) not in self._known:
            truth = bytes(bool(test(state)) for state in self._world._states)
            self._known[id(test)] = test, StateTable(getattr(test, "__name__", ""), self._world, truth)
        return self._known[id(test)][1]

    def expression(self, given: Any) -> Any:
        """A formula or a predicate, its functions as tables; the same one if it has none."""
        op, *rest = given._node
        made: List[Any] = []
        for part in rest:
            if op == "call":
                made.append(self.table(part))
            elif isinstance(part, Expression):
                made.append(self.expression(part))
            elif isinstance(part, tuple) and part and all(isinstance(one, Expression) for one in part):
                each = tuple(self.expression(one) for one in part)
                made.append(part if all(a is b for a, b in zip(part, each)) else each)
            else:
                made.append(part)
        if all(a is b for a, b in zip(rest, made)):
            return given
        kind: Any = Predicate if isinstance(given, Predicate) else type(given)
        return kind._make((op, *made))

    def stipulations(self, given: Sequence[Stipulation]) -> List[Stipulation]:
        """Stipulations, their functions as tables."""
        made = []
        for one in given:
            formula = self.expression(one.formula)
            made.append(one if formula is one.formula else Stipulation(formula, one.scope, one.name, one.within))
        return made


def sent_map(spec: Optional[MapSpec], found: Optional[LabelMap], labels: Labels) -> Optional[MapSpec]:
    """A map as it was given; a function of a label by its values, which ``found`` has."""
    if spec is None or found is None or isinstance(spec._given, (Mapping, LabelTable)):
        return spec
    # What groups and `unseen` say is said again where it arrives.
    images = {label: None if label in labels.unseen else spec._given(label) for label in labels.values}
    return MapSpec(LabelTable(images), spec._groups, spec._others, spec._unseen)
