"""Texts for values of any type: the same value always gives the same text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable as AnyIterable
from collections.abc import Iterator
from enum import Enum
from numbers import Integral
from typing import Any, Dict, Hashable, Iterable, List, Optional, Sequence, Tuple, Union, cast

from . import _divulge

Scalar = Union[str, int, bool]

_LEAST, _MOST = -(2**63), 2**63 - 1


def plain(value: Any) -> Any:
    """The value as Python's own type, if it is an integer, a boolean, a float or a text of another library's type.

    So ``numpy.int64(2)`` and 2 are one value, and so are ``numpy.bool_(True)`` and ``True``.
    """
    kind = value.__class__
    if kind in (bool, int, str, float) or value is None or isinstance(value, Enum):
        return value
    if isinstance(value, Integral):
        return int(value)
    # Scalars of numpy and its kin know their own Python value.
    if getattr(value, "shape", None) == () and hasattr(value, "dtype") and callable(getattr(value, "item", None)):
        inside = value.item()
        return inside if isinstance(inside, (bool, int, str, float)) else value
    return value


def key(value: Any) -> Tuple[type, Any]:
    """What tells values apart: ``True`` and 1 are one key of a dictionary, but not one value."""
    own = plain(value)
    return own.__class__, own


def scalar(value: Any) -> Optional[Scalar]:
    """A property's value: booleans, integers and texts as they are, enumerations by name, anything else as a text.

    ``None`` stands for having no such property.
    """
    value = plain(value)
    if value is None or isinstance(value, (bool, str, int)):
        if isinstance(value, Enum):
            value = plain(value.value)
        if isinstance(value, int) and not isinstance(value, bool):
            return int(value) if _LEAST <= value <= _MOST else str(value)
        return str(value) if isinstance(value, str) else cast(Optional[Scalar], value)
    return value.name if isinstance(value, Enum) else text(value)


def text(value: Any) -> str:
    """What a value is called."""
    value = plain(value)
    if isinstance(value, Enum):
        return value.name if not isinstance(value, str) else str(value.value)
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool):
        return str(value).lower()
    fields = record_fields(type(value))
    if fields:
        return ",".join(_field(name, getattr(value, name)) for name in fields)
    if isinstance(value, (frozenset, set)):
        return "{" + ",".join(sorted(text(one) for one in value)) + "}"
    if isinstance(value, (tuple, list)):
        return "(" + ",".join(text(one) for one in value) + ")"
    if isinstance(value, dict):
        return "{" + ",".join(f"{text(k)}:{text(v)}" for k, v in value.items()) + "}"
    return str(value)


def _field(name: str, value: Any) -> str:
    # A word says which field it belongs to; a number or a truth value does not.
    return text(value) if isinstance(value, (str, Enum)) else f"{name}={text(value)}"


#: the fields of types that were met
_fields: Dict[type, Tuple[str, ...]] = {}


def record_fields(kind: type) -> Tuple[str, ...]:
    """The names of the fields of a data class or a named tuple; none for other types."""
    found = _fields.get(kind)
    if found is None:
        found = _fields[kind] = _record_fields(kind)
    return found


def _record_fields(kind: type) -> Tuple[str, ...]:
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    fields = getattr(kind, "_fields", ())
    return tuple(fields) if issubclass(kind, tuple) else ()


def unique(name: str, used: Dict[str, Any]) -> str:
    """``name``, with as many primes as are needed to be none of those used."""
    while name in used:
        name += "'"
    return name


#: whether values of a type stand for several
_many: Dict[type, bool] = {}


def several(value: Any) -> Sequence[Any]:
    """What a callable gave: a list, a set or an iterator holds several values, ``None`` none, anything else is one.

    ``None`` stands for none within a list, too.
    """
    kind = value.__class__
    many = _many.get(kind)
    if many is None:
        many = _many[kind] = issubclass(kind, (list, set, Iterator))
    if many:
        return [one for one in value if one is not None]
    return () if value is None else (value,)


def listed(value: Any) -> Sequence[Any]:
    """Labels or vertices, given in any collection; a lone text, record or other value is one, and ``None`` is none."""
    if value is None:
        return ()
    alone = isinstance(value, (str, bytes)) or not isinstance(value, AnyIterable) or bool(record_fields(value.__class__))
    return (value,) if alone else list(value)


def did_you_mean(name: str, known: Iterable[str]) -> Optional[str]:
    """Advice for a name that is not known, if one is near."""
    return _divulge.did_you_mean(name, list(known))


def article(noun: str) -> str:
    """A noun after ``a`` or ``an``."""
    return f"{'an' if noun[:1] in 'AEIOUaeiou' else 'a'} {noun}"


def some(values: Sequence[Any], most: int = 5) -> str:
    """The first few of many, for a line of text."""
    shown = ", ".join(repr(value) if isinstance(value, str) else str(value) for value in values[:most])
    return shown if len(values) <= most else f"{shown}, … ({len(values)} in all)"


class Namer:
    """Gives values texts, different texts to different values."""

    def __init__(self) -> None:
        self.used: Dict[str, Hashable] = {}

    def name(self, value: Hashable) -> str:
        """A text for a value, that no other has."""
        made = self.unused(text(value))
        self.used[made] = value
        return made

    def unused(self, wanted: str) -> str:
        """``wanted``, with as many primes as are needed to be none of those used."""
        made = unique(wanted, self.used)
        self.used[made] = None
        return made


def names(values: Iterable[Hashable]) -> List[str]:
    """A different text for each value."""
    namer = Namer()
    return [namer.name(value) for value in values]
