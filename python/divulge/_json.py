"""What the package writes as JSON and reads back: headings, values of any type, digests."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from enum import Enum
from typing import Any, Collection, Dict, Iterable, List, Mapping, Optional, Sequence

from ._text import article, did_you_mean, key, plain, record_fields, some, text
from .errors import DivulgeError

VERSION = 1
#: what to do where the problem is another one
SAME = "read it beside the problem that it was written beside, with the same plan= and map="


def written(what: str, parts: Mapping[str, Any]) -> str:
    """One object that says what it is."""
    return json.dumps({"format": f"divulge-{what}/{VERSION}", **parts}, ensure_ascii=False)


def opened(
    given: str, what: str, needed: Collection[str], others: Collection[str] = (), *, bare: bool = False
) -> Dict[str, Any]:
    """The parts of what :func:`written` wrote: all that are needed, and none that is unknown. ``bare``: it need not say what it is."""
    try:
        read = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise DivulgeError(f"this is not JSON: {error}", "give what `to_json()` wrote") from None
    except TypeError:
        raise DivulgeError(f"{type(given).__name__} is not a text of JSON", "give what `to_json()` wrote") from None
    if not isinstance(read, dict):
        raise DivulgeError(f"this is JSON, but not {article(what)}", "give what `to_json()` wrote")
    if not bare or "format" in read:
        heading(read.pop("format", None), what)
    for name in read:
        if name not in needed and name not in others:
            raise DivulgeError(f"{article(what)} has no field `{name}`", did_you_mean(name, [*needed, *others]))
    for name in needed:
        if name not in read:
            raise DivulgeError(f"the field `{name}` of the {what} is missing", "give what `to_json()` wrote, unchanged")
    return read


def heading(given: Any, what: str) -> None:
    """Whether this is what it should be, in a version that can be read."""
    wanted = f"divulge-{what}/{VERSION}"
    if given == wanted:
        return
    if given is None:
        raise DivulgeError(f"it is not said what this is: `format` is missing, and should be `{wanted}`")
    if isinstance(given, str) and given.startswith(f"divulge-{what}/"):
        raise DivulgeError(f"this is written as `{given}`, and this version of divulge reads `{wanted}`", "use a newer divulge")
    raise DivulgeError(f"this is a `{text(given)}`, not a `{wanted}`")


def malformed(what: str, where: str) -> DivulgeError:
    """Something that is not as it was written."""
    return DivulgeError(f"`{where}` of the {what} is not as `to_json()` writes it", "give what `to_json()` wrote, unchanged")


def texts(given: Any, what: str, where: str) -> List[str]:
    """A list of texts."""
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise malformed(what, where)
    return given


def digest(given: Any) -> str:
    """What tells documents apart, whatever the order of what they list."""
    return digest_of([_sorted(given)])


def digest_of(parts: Iterable[Any]) -> str:
    """What tells collections apart, whatever their order."""
    found = hashlib.sha256()
    for line in sorted(json.dumps(part, sort_keys=True) for part in parts):
        found.update(line.encode("ascii") + b"\n")
    return "sha256:" + found.hexdigest()


def _sorted(given: Any) -> Any:
    if isinstance(given, dict):
        return {name: _sorted(value) for name, value in given.items()}
    if isinstance(given, (list, tuple)):
        return sorted((_sorted(one) for one in given), key=lambda one: json.dumps(one, sort_keys=True))
    return given


class Writer:
    """Writes values: texts, numbers, tuples, frozen sets, members of enumerations, named tuples and data classes."""

    def __init__(self) -> None:
        self._types: Dict[str, type] = {}

    def value(self, value: Any) -> Any:
        """A value as JSON."""
        value = plain(value)
        kind = value.__class__
        if isinstance(value, Enum):
            return {"type": self._called(kind), "member": value.name}
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        fields = record_fields(kind)
        if fields:
            return {"type": self._called(kind), "fields": {name: self.value(getattr(value, name)) for name in _given(kind, fields)}}
        if kind is tuple:
            return {"tuple": [self.value(one) for one in value]}
        if kind is frozenset:
            return {"set": sorted((self.value(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))}
        if kind is bytes:
            return {"bytes": value.hex()}
        raise DivulgeError(
            f"{value!r} cannot be written as JSON, because it is a {kind.__name__}",
            "texts, numbers, tuples, frozen sets, members of enumerations, named tuples and data classes can",
        )

    def _called(self, kind: type) -> str:
        known = self._types.setdefault(kind.__name__, kind)
        if known is not kind:
            raise DivulgeError(f"two types are called `{kind.__name__}`, and JSON could not tell them apart", "rename one of them")
        return kind.__name__

    def named(self, names: Iterable[str], values: Iterable[Any]) -> Dict[str, Any]:
        """The values whose names are not the values themselves."""
        return {name: self.value(value) for name, value in zip(names, values) if value != name or value.__class__ is not str}


def _given(kind: type, fields: Sequence[str]) -> Sequence[str]:
    """The fields that a record is made from."""
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind) if field.init]
    return fields


class Reader:
    """Reads what :class:`Writer` wrote. ``types`` are the enumerations, named tuples and data classes that may occur: nothing is
    imported because a text names it."""

    def __init__(self, types: Iterable[type] = ()) -> None:
        self._types: Dict[str, type] = {}
        for kind in types:
            if not isinstance(kind, type):
                raise DivulgeError(f"{kind!r} is not a type", "types=[…] lists the classes of your states and labels")
            if self._types.setdefault(kind.__name__, kind) is not kind:
                raise DivulgeError(f"two of the types are called `{kind.__name__}`", "rename one of them")

    def value(self, given: Any) -> Any:
        """A value."""
        if given is None or isinstance(given, (bool, int, float, str)):
            return given
        if isinstance(given, dict) and len(given) == 1:
            ((how, inside),) = given.items()
            if how == "tuple" and isinstance(inside, list):
                return tuple(self.value(one) for one in inside)
            if how == "set" and isinstance(inside, list):
                return frozenset(self.value(one) for one in inside)
            if how == "float" and inside in ("inf", "-inf", "nan"):
                return float(inside)
            if how == "bytes" and isinstance(inside, str):
                try:
                    return bytes.fromhex(inside)
                except ValueError:
                    pass
        if isinstance(given, dict) and isinstance(given.get("type"), str) and len(given) == 2:
            return self._typed(given["type"], given)
        raise DivulgeError(f"{some([given])} does not stand for a value", "give what `to_json()` wrote, unchanged")

    def _typed(self, name: str, given: Dict[str, Any]) -> Any:
        kind = self._types.get(name)
        if kind is None:
            raise DivulgeError(f"a value is of the type `{name}`, which is not given", f"give it: from_json(…, types=[{name}])")
        try:
            if issubclass(kind, Enum) and isinstance(given.get("member"), str):
                return kind[given["member"]]
            if isinstance(given.get("fields"), dict):
                return kind(**{field: self.value(one) for field, one in given["fields"].items()})
        except (KeyError, TypeError, ValueError) as error:
            raise DivulgeError(f"{some([given])} does not fit the type `{name}`: {error}", "has the type changed meanwhile?") from None
        raise DivulgeError(f"{some([given])} does not stand for a value", "give what `to_json()` wrote, unchanged")

    def named(self, names: Iterable[str], values: Any) -> List[Any]:
        """What names stand for: the values given for them, else themselves."""
        if not isinstance(values, dict):
            raise malformed("document", "values")
        found = [self.value(values[name]) if name in values else name for name in names]
        try:
            different = {key(value) for value in found}
        except TypeError:
            raise DivulgeError("a value that stands for a state or a label is not hashable", "make its type a frozen one") from None
        if len(different) < len(found):
            raise DivulgeError("two names stand for one value", "give what `to_json()` wrote, unchanged")
        return found


def fits(given: Any, own: str, what: str, whose: str, advice: Optional[str] = None) -> None:
    """Whether something was written beside the same thing as it is read beside."""
    if given != own:
        raise DivulgeError(f"this {what} belongs to another {whose}: the digests differ", advice or f"read it beside the {whose} that it was written beside")
