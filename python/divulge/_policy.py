"""Plans from functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, List, Set, Tuple

from ._text import several
from .errors import DivulgeError

if TYPE_CHECKING:
    from .plan import Plan
    from .world import World

#: a plan's vertex: a memory, or a memory and the action just taken
Vertex = Tuple[Any, ...]


def policy(
    world: World[Any],
    memory: Hashable,
    act: Callable[[Any], Any],
    update: Callable[[Any, Any, Any], Hashable],
    most: int,
) -> Plan:
    """The plan that a memory, a choice of actions and an update of the memory make in a world."""
    from .plan import Plan

    after: Dict[int, List[Tuple[int, int]]] = {}
    arcs = world._arcs
    for i in range(0, len(arcs), 3):
        after.setdefault(arcs[i], []).append((arcs[i + 1], arcs[i + 2]))
    labels = world._labels.values
    observing = world.starts_observing
    start: Vertex = ("observe", memory, None) if observing else ("act", memory)
    edges: Dict[Tuple[Vertex, Any, Vertex], None] = {}
    terminal: Dict[Vertex, None] = {}
    seen: Set[Tuple[Vertex, int]] = {(start, w) for w in world._initial}
    todo = sorted(seen, key=lambda pair: pair[1])

    def go(source: Vertex, label: Any, target: Vertex, w: int) -> None:
        edges[source, label, target] = None
        if (target, w) not in seen:
            seen.add((target, w))
            todo.append((target, w))
            if len(seen) > most:
                raise DivulgeError(f"the plan and the world have more than {most} joint vertices", "raise `limit`")

    while todo:
        vertex, w = todo.pop()
        if vertex[0] == "observe":
            for label, target in after.get(w, ()):
                go(vertex, labels[label], ("act", update(vertex[1], vertex[2], labels[label])), target)
            continue
        chosen = act(vertex[1])
        actions = several(chosen)
        if chosen is None or chosen == [None]:
            terminal[vertex] = None
        elif isinstance(chosen, list) and None in chosen:
            raise DivulgeError(
                f"`act` gives both actions and None at the memory {vertex[1]!r}", "give actions, or None alone to stop"
            )
        for action in actions:
            wait = ("observe", vertex[1], action)
            edges[vertex, action, wait] = None
            for label, target in after.get(w, ()):
                if labels[label] == action:
                    go(vertex, action, wait, target)
    return Plan(edges, [start], terminal, start="observing" if observing else "acting", vertices=terminal)
