"""Limits on time and memory, and how far a question has come."""

from __future__ import annotations

import re
from typing import Callable, NamedTuple, Optional, Tuple, Union

from .errors import DivulgeError

#: bytes, or a text such as ``"512M"`` or ``"2G"``
Size = Union[int, str, None]
#: seconds, as a number or as a text such as ``"5s"``
Time = Union[float, str, None]
#: some hundred years
_LONGEST = 1e10
Limits = Tuple[Optional[float], Optional[int], Optional[Callable[..., object]]]

_UNITS = {"": 0, "b": 0, "k": 1, "m": 2, "g": 3, "t": 4}


class Progress(NamedTuple):
    """How far a question has come."""

    doing: str
    explored: int
    stored: int
    maps: int
    learnt: int
    seconds: float


OnProgress = Optional[Callable[[Progress], object]]


def limits(seconds: Time, memory: Size, progress: OnProgress = None) -> Limits:
    """Limits as the native half takes them."""
    return _seconds(seconds), _bytes(memory), _tell(progress)


#: no limits but Ctrl-C
NONE: Limits = (None, None, None)


def either(asked: Limits, own: Limits) -> Limits:
    """The limits that something was asked with; without any, those of the question that it belongs to."""
    return own if asked[:2] == (None, None) else asked


def _seconds(given: Time) -> Optional[float]:
    if given is None:
        return None
    try:
        if isinstance(given, str):
            found = re.fullmatch(r"\s*([0-9.]+)\s*s?\s*", given)
            seconds = float(found[1]) if found else -1.0
        else:
            seconds = -1.0 if isinstance(given, bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        seconds = -1.0
    if not 0 <= seconds <= _LONGEST:
        raise DivulgeError(f"the time limit cannot be {given!r}", "give a number of seconds, such as 10, 0.5 or \"5s\"")
    return seconds


def _tell(progress: OnProgress) -> Optional[Callable[..., object]]:
    if progress is None:
        return None
    if not callable(progress):
        raise DivulgeError(f"`progress` cannot be {progress!r}", "give a function of a Progress, such as print")
    tell = progress
    return lambda *figures: tell(Progress(*figures))


def _bytes(size: Size) -> Optional[int]:
    if size is None:
        return None
    found = re.fullmatch(r"\s*([0-9.]+)\s*([a-z]?)(?:i?b)?\s*", str(size).lower())
    try:
        if found and found[2] in _UNITS:
            wanted = int(float(found[1]) * 1024 ** _UNITS[found[2]])
            if wanted < 2**64:
                return wanted
    except (ValueError, OverflowError):
        pass
    raise DivulgeError(f"the memory limit cannot be {size!r}", "give bytes, or a text such as 512M or 2G")
