"""Names by content: for the functions that make problems, and for the values that they are given."""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import re
import types
from enum import Enum
from typing import Any, Callable, Dict, List, Mapping, Set

from ._text import plain, text
from .errors import DivulgeError
from .label_map import LabelMap


def value_name(value: Any, parameter: str) -> Any:
    """A parameter's value as JSON, for its row in a table."""
    value = plain(value)
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, LabelMap):
        return {text(label): None if image is None else text(image) for label, image in value.items()}
    if isinstance(value, Mapping):
        return {text(name): value_name(one, parameter) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [value_name(one, parameter) for one in value]
    if isinstance(value, (set, frozenset)):
        return sorted((value_name(one, parameter) for one in value), key=str)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if callable(value):
        return f"{getattr(value, '__qualname__', 'function')} {source_digest(value)[7:19]}"
    shown = repr(value)
    if " at 0x" in shown:
        raise DivulgeError(
            f"a value of `{parameter}` has no name that tells it from others: {shown}",
            f'name the values: {{"{parameter}": {{"one": value, "other": value}}}}',
        )
    return shown


def model_text(path: str) -> bytes:
    """The text of a model, followed by those of the files that it includes, each once."""
    text, todo, seen = b"", [os.path.realpath(path)], set()
    while todo:
        one = todo.pop(0)
        if one in seen:
            continue
        seen.add(one)
        try:
            with open(path if len(seen) == 1 else one, "rb") as model:
                own = model.read()
        except OSError:
            # Whoever reads the model says what is missing.
            if len(seen) == 1:
                raise
            continue
        text += own
        names = re.findall(rb'\binclude\s+"([^"\n]*)"', own)
        todo += [os.path.realpath(os.path.join(os.path.dirname(one), os.fsdecode(name))) for name in names]
    return text


def source_digest(function: Callable[..., Any]) -> str:
    """What tells functions apart: their code, and that of the functions and classes of the same module that they call, with the constants and
    closures that they use. It does not depend on where the code stands, nor on what other modules do."""
    found = hashlib.sha256()
    for line in _lines(function, set()):
        found.update(line.encode("utf-8", "backslashreplace") + b"\n")
    return "sha256:" + found.hexdigest()


def _lines(thing: Any, seen: Set[int]) -> List[str]:
    if id(thing) in seen:
        return []
    seen.add(id(thing))
    if isinstance(thing, functools.partial):
        given = [*thing.args, *sorted(thing.keywords.items())]
        return ["partial", *_lines(thing.func, seen), *(line for one in given for line in _lines(one, seen))]
    if isinstance(thing, types.MethodType):
        return ["method", *_lines(thing.__func__, seen), *_lines(thing.__self__, seen)]
    if isinstance(thing, types.FunctionType):
        inside = [*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values()]
        for cell in thing.__closure__ or ():
            try:
                inside.append(cell.cell_contents)
            except ValueError:
                pass
        inside += _used(thing.__code__, thing.__globals__, thing.__module__)
        return [*_code(thing.__code__), *(line for one in inside for line in _lines(one, seen))]
    if inspect.isclass(thing):
        own = sorted(vars(thing).items())
        return [thing.__qualname__, *(line for name, one in own if name not in _NOISE for line in [name, *_lines(one, seen)])]
    if isinstance(thing, (classmethod, staticmethod)):
        return _lines(thing.__func__, seen)
    shown = repr(thing)
    return [type(thing).__qualname__ if " at 0x" in shown else shown]


#: what Python adds to classes, and what may differ from one run to the next
_NOISE = ("__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__", "__static_attributes__", "__abstractmethods__", "_abc_impl")


def _used(code: types.CodeType, known: Dict[str, Any], module: str) -> List[Any]:
    """The functions and classes of the same module, and the constants, that some code mentions."""
    names = list(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            names += inner.co_names
    found: List[Any] = []
    for name in dict.fromkeys(names):
        one = known.get(name)
        if isinstance(one, (types.FunctionType, type)):
            if one.__module__ == module:
                found.append(one)
        elif isinstance(one, (bool, int, float, str, tuple, list, dict, frozenset)):
            found.append(one)
    return found


def _code(code: types.CodeType) -> List[str]:
    lines = [code.co_code.hex(), repr(code.co_names), repr(code.co_varnames), repr(code.co_freevars)]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            lines += _code(constant)
        else:
            # The order of a set of constants differs from one process to the next.
            lines.append(repr(sorted(map(repr, constant))) if isinstance(constant, frozenset) else repr(constant))
    return lines
