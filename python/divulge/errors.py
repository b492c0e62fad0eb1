"""What can go wrong, and where.

Whatever divulge refuses is a :class:`DivulgeError`; where a text is at fault, its ``diagnostics`` say where, with the same
codes as on the command line (``divulge.explain_code("E0201")`` explains one).
"""

from __future__ import annotations

import os
import sys
import warnings
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple


@dataclass(frozen=True)
class Span:
    """A place in a text: its source, the line and column where it starts (from 1), and its bytes."""

    source: str
    line: int
    column: int
    start: int
    end: int


@dataclass(frozen=True)
class Diagnostic:
    """One finding about an input."""

    code: str
    #: ``"error"`` or ``"warning"``
    severity: str
    message: str
    span: Optional[Span]
    label: str
    notes: Tuple[str, ...]
    help: Tuple[str, ...]
    #: the finding for people, with the line of the source
    rendered: str

    def __str__(self) -> str:
        return self.rendered.rstrip()


class DivulgeError(Exception):
    """Input or usage that divulge refuses: what is wrong, where, and what to do."""

    def __init__(self, message: str, help: Optional[str] = None, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message, help, list(diagnostics))
        self.message: str = message
        self.help: Optional[str] = help
        self.diagnostics: List[Diagnostic] = list(diagnostics)

    def __str__(self) -> str:
        return self.message if self.help is None else f"{self.message}\n  help: {self.help}"


class UnexpectedEvent(DivulgeError):
    """An event that a plan does not foresee, or that no expected execution looks like."""

    def __init__(
        self,
        message: str,
        help: Optional[str] = None,
        diagnostics: Sequence[Diagnostic] = (),
        deviation: Optional[Any] = None,
        *,
        event: Optional[Any] = None,
        expected: Sequence[Any] = (),
        after: Sequence[Any] = (),
    ) -> None:
        super().__init__(message, help, diagnostics)
        #: where an execution that is watched left its course: a :class:`Deviation <divulge.Deviation>`
        self.deviation = deviation
        #: the event that came, or the image if only that is known; ``None`` where a plan was asked for an action and has none
        self.event: Optional[Any] = event
        #: what would have been expected instead: events, or images if the event is one
        self.expected: List[Any] = list(expected)
        #: the events before it, or the images where only those are known
        self.after: List[Any] = list(after)


class GuardHeld(DivulgeError):
    """A guard holds: nothing of the event was shown, and nothing more will be."""

    def __init__(self, message: str, reason: str = "", event: Optional[Any] = None) -> None:
        super().__init__(message, "nothing more is shown; begin a new run with a new guard")
        #: why, in the word that journals and the command line use, such as ``"unforeseen-event"``
        self.reason: str = reason
        #: the event that was not shown; ``None`` where it was none
        self.event: Optional[Any] = event

    def __reduce__(self) -> Any:
        return self.__class__, (self.message, self.reason, self.event)


class NoAnswer(DivulgeError):
    """Something was taken from an answer that does not have it: there is none, or a limit was hit first."""


class LimitReached(DivulgeError):
    """A limit was hit before something was finished that is no answer: a picture, a page, a trace, a problem being read."""

    def __init__(self, limit: str) -> None:
        super().__init__(f"this was stopped by the {limit} limit", f"allow more with {limit}_limit=…")
        #: ``"time"`` or ``"memory"``
        self.limit: str = limit

    def __reduce__(self) -> Any:
        return self.__class__, (self.limit,)


class DivulgeWarning(UserWarning):
    """Input that has a meaning, but probably not the intended one."""


_HERE = os.path.dirname(os.path.abspath(__file__))


def warn(message: str) -> None:
    """Warns, and points to the line of the caller's own code."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _HERE:
        frame, level = frame.f_back, level + 1
    warnings.warn(DivulgeWarning(message), stacklevel=level)


def _diagnostic(
    *,
    code: str,
    severity: str,
    message: str,
    span: Optional[Tuple[str, int, int, int, int]],
    label: str,
    notes: Sequence[str],
    help: Sequence[str],
    rendered: str,
) -> Diagnostic:
    place = None if span is None else Span(*span)
    return Diagnostic(code, severity, message, place, label, tuple(notes), tuple(help), rendered)
