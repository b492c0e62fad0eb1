"""The vertices of a world that is being made: what they are called, which properties they have, and where a picture has them."""

from __future__ import annotations

from enum import Enum
from typing import Any, Container, Iterable, List, Mapping, Optional, Tuple, cast

from ._explore import Explored
from ._props import AnyProps
from ._text import Namer, did_you_mean, record_fields, text
from .errors import DivulgeError

#: the properties that are the row and the column, and places with names
Grid = Tuple[str, str, List[Tuple[str, int, int]]]


def stated_names(found: Explored) -> List[str]:
    """Names for the vertices of a world of states: ``u(…)`` to act at, ``y(…)`` to observe at."""
    namer = Namer()
    called = _record_texts(found.states)
    of_state = [namer.unused(one) for one in (map(text, found.states) if called is None else called)]
    return [f"{'y' if kind else 'u'}({of_state[state]})" for state, kind in zip(found.state_of, found.observation)]


def _record_texts(states: List[Any]) -> Optional[List[str]]:
    """Texts for records of one type; a word stands alone if no other field has it among its values."""
    kind = states[0].__class__
    fields = record_fields(kind)
    if not fields or any(state.__class__ is not kind for state in states):
        return None
    columns = [[getattr(state, field) for state in states] for field in fields]
    wordy = [all(isinstance(value, (str, Enum)) for value in column) for column in columns]
    texts = [[text(value) for value in column] for column in columns]
    words = [set(column) for column in texts]
    for i, field in enumerate(fields):
        alone = wordy[i] and not any(words[i] & other for j, other in enumerate(words) if i != j)
        if not alone:
            texts[i] = [f"{field}={one}" for one in texts[i]]
    return list(map(",".join, zip(*texts)))


def each_vertex(props: Any, vertices: Iterable[Any], known: Container[Any]) -> AnyProps:
    """Properties given as a dictionary for each vertex, or in any other way."""
    if not isinstance(props, Mapping) or not props or any(callable(value) for value in props.values()):
        return cast(AnyProps, props)
    table = cast(Mapping[Any, Mapping[str, Any]], props)
    for vertex in table:
        if vertex not in known:
            help = did_you_mean(text(vertex), map(text, vertices)) or "`props` gives a dictionary for each vertex"
            raise DivulgeError(f"`props` mentions `{text(vertex)}`, but the world has no such vertex", help)
    return lambda vertex: table.get(vertex, {})


def laid_out(grid: Optional[Tuple[str, str]], landmarks: Optional[Mapping[str, Tuple[int, int]]]) -> Optional[Grid]:
    """How a picture may be laid out, from what was given."""
    if grid is None:
        return None
    return (*grid, [(name, row, col) for name, (row, col) in (landmarks or {}).items()])
