"""How questions are asked, as the native half takes it."""

from __future__ import annotations

from typing import Any, Dict, Optional

from ._text import plain
from .errors import DivulgeError


def offers(permissive: bool, deterministic: bool) -> str:
    """Which actions a plan offers, in a word."""
    if permissive and deterministic:
        raise DivulgeError("permissive=True and deterministic=True ask for different plans", "leave one of them out")
    return "permissive" if permissive else "deterministic" if deterministic else "sparing"


def thread_count(threads: int) -> int:
    """How many threads to use; 0 stands for one on each core."""
    number = plain(threads)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 1024:
        raise DivulgeError(f"`threads` cannot be {threads!r}", "give a number from 1 to 1024, or 0 for one on each core")
    return number


def options(
    minimize: str, shortest: bool, prefer: Optional[str], engine: str, threads: int, offering: str = "sparing"
) -> Dict[str, Any]:
    """Options that do not contradict each other."""
    if minimize not in ("events", "cost"):
        raise DivulgeError(f"there is no way to minimize `{minimize}`", 'minimize "events" or "cost"')
    if minimize == "cost" and shortest:
        raise DivulgeError('shortest=True and minimize="cost" ask for different plans', "leave one of them out")
    if engine not in ("native", "and-or"):
        raise DivulgeError(f"there is no engine `{engine}`", 'the engines are "native" and "and-or"')
    if prefer is not None and prefer not in ("finest", "coarsest", "cheapest"):
        raise DivulgeError(f"there is no preference `{prefer}`", 'prefer the "finest", "coarsest" or "cheapest" map')
    return {
        "cost": minimize == "cost",
        "offers": offering,
        "shortest": shortest,
        "prefer": prefer,
        "and_or": engine == "and-or",
        "threads": thread_count(threads),
    }
