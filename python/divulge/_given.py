"""What was given where something else is needed, said in words."""

from __future__ import annotations

from typing import Any, Optional

from ._text import some
from .errors import DivulgeError
from .observer import Observer
from .plan import Plan, Run
from .world import World


def a_world(given: Any) -> World[Any]:
    """A world."""
    if isinstance(given, World):
        return given
    help = "make one with World.explore, World.graph or World.from_networkx"
    if isinstance(given, Observer):
        help = "the world comes first: Problem(world, observer)"
    raise DivulgeError(f"a problem needs a World, not {_shown(given)}", help)


def an_observer(given: Any) -> Observer:
    """One observer."""
    if isinstance(given, Observer):
        return given
    if isinstance(given, (list, tuple, set, dict)):
        raise DivulgeError(
            "a problem has one observer; several observers are not supported yet",
            "make a problem for each of them: [Problem(world, one) for one in observers]",
        )
    raise DivulgeError(f"a problem needs an Observer, not {_shown(given)}", 'for example Observer(knows="world", map={})')


def a_plan(given: Any) -> Optional[Plan]:
    """A plan, or nothing."""
    if given is None or isinstance(given, Plan):
        return given
    help = "a plan comes from `seek_plan().plan`, from `world.policy(…)` or from `Plan(edges, initial, terminal)`"
    if isinstance(given, Run):
        help = "give the plan that is being run: run.plan"
    elif hasattr(given, "plan"):
        help = "give the plan in it: answer.plan"
    elif isinstance(given, str):
        help += "; what the observer knows of the plan is said by Observer(knows=…)"
    raise DivulgeError(f"a Plan is needed, not {_shown(given)}", help)


def _shown(given: Any) -> str:
    if isinstance(given, str):
        return f"the text {given!r}"
    if isinstance(given, (list, tuple)):
        return f"a {type(given).__name__} ({some(list(given), 3)})"
    kind = type(given).__name__
    return f"{'an' if kind[:1] in 'AEIOUaeiou' else 'a'} {kind}"
