"""What was given where something else is needed, said in words."""

from __future__ import annotations

from typing import Any, List, Optional

from ._text import article, some
from .errors import DivulgeError
from .observer import Observer
from .plan import Plan
from .run import Run
from .world import World


def a_world(given: Any) -> World[Any]:
    """A world."""
    if isinstance(given, World):
        return given
    help = "make one with World.explore, World.graph or World.from_networkx"
    if isinstance(given, Observer):
        help = "the world comes first: Problem(world, observer)"
    raise DivulgeError(f"a problem needs a World, not {_shown(given)}", help)


def observers(given: Any) -> List[Observer]:
    """One observer, or several with names of their own."""
    if isinstance(given, Observer):
        return [given]
    help = 'for example Observer(knows="world", map={}), or a list of such observers'
    if isinstance(given, dict):
        help = 'give a list of observers, each with its name: [Observer(name="nurse", …), …]'
    if not isinstance(given, (list, tuple)):
        raise DivulgeError(f"a problem needs an Observer, not {_shown(given)}", help)
    if not given:
        raise DivulgeError("a problem needs an observer, and the list is empty", help)
    for one in given:
        if not isinstance(one, Observer):
            raise DivulgeError(f"a problem needs observers, not {_shown(one)}", help)
    names = [one.name for one in given]
    for number, name in enumerate(names, 1):
        if len(names) > 1 and name is None:
            raise DivulgeError(
                f"each of several observers needs a name, and number {number} has none", 'give it one: Observer(name="nurse", …)'
            )
        if name in names[: number - 1]:
            raise DivulgeError(f"two observers are called `{name}`", "give them different names")
    if sum(one.map is None for one in given) > 1:
        lacking = " and ".join(f"`{one.name}`" for one in given if one.map is None)
        raise DivulgeError(f"{lacking} have no map, and only one map can be sought", "give the others theirs")
    return list(given)


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
    return article(type(given).__name__)
