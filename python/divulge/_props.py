"""Properties of states, as columns."""

from __future__ import annotations

from array import array
from typing import Any, Callable, Dict, Hashable, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._text import Scalar, did_you_mean, listed, plain, record_fields, scalar
from .errors import DivulgeError

#: name, values, the number of each state's value (from 1; 0 where there is none)
Column = Tuple[str, List[Scalar], "array[int]"]
#: a function that gives a dictionary, a dictionary of functions, or names of attributes; ``None``: the state's own fields
AnyProps = Union[
    Callable[[Any], Mapping[str, Any]], Mapping[str, Callable[[Any], Any]], Sequence[str], None
]


class _Building:
    """One column being built."""

    def __init__(self, name: str, states: int) -> None:
        self.name = name
        self.values: List[Scalar] = []
        self.codes = array("I", bytes(4 * states))
        self._known: Dict[Tuple[type, Hashable], int] = {}
        self._of_scalar: Dict[Tuple[type, Scalar], Tuple[int, Any]] = {}

    def put(self, state: int, value: Any) -> None:
        if value is None:
            return
        # True and 1 are one key of a dictionary, but not one value.
        key = (value.__class__, value)
        try:
            code = self._known.get(key)
        except TypeError:
            code = self._code(value)
        else:
            if code is None:
                code = self._known[key] = self._code(value)
        self.codes[state] = code

    def _code(self, value: Any) -> int:
        value = plain(value)
        called = scalar(value)
        if called is None:
            return 0
        code, original = self._of_scalar.setdefault((called.__class__, called), (len(self.values) + 1, value))
        if code > len(self.values):
            self.values.append(called)
        elif original.__class__ is not value.__class__ or original != value:
            raise DivulgeError(
                f"the property `{self.name}` has the values {original!r} and {value!r}, and both would be called `{called}`",
                "give the property values of one kind: booleans, integers, texts or members of one enumeration",
            )
        return code

    def column(self) -> Column:
        return self.name, self.values, self.codes


def columns(states: Sequence[Any], given: AnyProps) -> List[Column]:
    """The properties of all states."""
    found: Dict[str, _Building] = {}
    count = len(states)

    def column(name: str) -> _Building:
        if name not in found:
            if not isinstance(name, str):
                raise DivulgeError(f"a property cannot be called {name!r}", "its name is a text")
            found[name] = _Building(name, count)
        return found[name]

    if given is None:
        _own(states, column)
    elif isinstance(given, Mapping):
        for name, function in given.items():
            put = column(name).put
            for i, state in enumerate(states):
                put(i, function(state))
    elif callable(given):
        for i, state in enumerate(states):
            own = given(state)
            if not isinstance(own, Mapping):
                raise DivulgeError(f"`props` gives {own!r} for {state!r}", "give a dictionary of the state's properties, {} if it has none")
            for name, value in own.items():
                column(name).put(i, value)
    else:
        for name in listed(given):
            put = column(name).put
            had = False
            for i, state in enumerate(states):
                if hasattr(state, name):
                    had = True
                    put(i, getattr(state, name))
            if not had:
                _no_attribute(name, states)
    return [one.column() for one in found.values() if one.values]


def _no_attribute(name: Any, states: Sequence[Any]) -> None:
    kinds = dict.fromkeys(state.__class__ for state in states)
    known = [one for kind in kinds for one in (*record_fields(kind), *dir(kind)) if not one.startswith("_")]
    help = did_you_mean(str(name), known) or f'a property may be computed: props={{"{name}": lambda state: …}}'
    raise DivulgeError(f"`props` names `{name}`, but no state has an attribute of that name", help)


def _own(states: Sequence[Any], column: Callable[[str], _Building]) -> None:
    """The fields of data classes and named tuples."""
    fields_of: Dict[type, Tuple[str, ...]] = {}
    for i, state in enumerate(states):
        kind = state.__class__
        fields = fields_of.get(kind)
        if fields is None:
            fields = fields_of[kind] = record_fields(kind)
        for name in fields:
            column(name).put(i, getattr(state, name))


def spread(codes: "array[int]", state_of: Iterable[int]) -> bytes:
    """A number for each vertex, from a number for each state."""
    return array("I", [codes[state] for state in state_of]).tobytes()


def value_at(column: Column, state: int) -> Optional[Scalar]:
    """A state's value, if it has one."""
    code = column[2][state]
    return column[1][code - 1] if code else None
