"""Worlds and plans as ``networkx`` graphs."""

from __future__ import annotations

import importlib
from typing import Any, Dict, Hashable, Iterable, List, Optional, Tuple

from .errors import DivulgeError
from .graph import Graph, Label
from .plan import Plan
from .world import World

#: attributes of nodes that are no properties
_OWN = ("kind", "initial", "goal", "terminal", "state")


def world_from(graph: Any, *, label: str = "label", **options: Any) -> World[Any]:
    """A world from a directed ``networkx`` graph, best a ``MultiDiGraph``.

    Nodes are the vertices. Their attributes ``initial`` and ``goal`` mark them, ``kind`` (``"action"`` or ``"observation"``) may say
    what they are, and all others are properties. An edge's attribute ``label`` is its label, or several in a list or a set.
    ``options`` are those of :meth:`World.graph`, and take the place of what the attributes say.
    """
    nodes = dict(graph.nodes(data=True))
    given: Dict[str, Any] = {
        "initial": [node for node, data in nodes.items() if data.get("initial")],
        "goal": [node for node, data in nodes.items() if data.get("goal")],
        "kinds": {node: data["kind"] for node, data in nodes.items() if "kind" in data},
        "props": {node: {k: v for k, v in data.items() if k not in _OWN} for node, data in nodes.items()},
        "vertices": list(nodes),
    }
    return World.graph(_edges(graph, label), **{**given, **options})


def plan_from(graph: Any, *, label: str = "label", **options: Any) -> Plan:
    """A plan from a directed ``networkx`` graph; the attributes ``initial`` and ``terminal`` mark nodes."""
    nodes = dict(graph.nodes(data=True))
    given: Dict[str, Any] = {
        "initial": [node for node, data in nodes.items() if data.get("initial")],
        "terminal": [node for node, data in nodes.items() if data.get("terminal")],
        "kinds": {node: data["kind"] for node, data in nodes.items() if "kind" in data},
        "vertices": list(nodes),
    }
    return Plan(_edges(graph, label), **{**given, **options})


def _edges(graph: Any, label: str) -> List[Tuple[Hashable, Label, Hashable]]:
    if not graph.is_directed():
        raise DivulgeError("the graph is not directed", "use a networkx.MultiDiGraph")
    edges = []
    for source, target, data in graph.edges(data=True):
        if label not in data:
            raise DivulgeError(f"the edge from {source!r} to {target!r} has no `{label}`", "give every edge a label")
        edges.append((source, data[label], target))
    return edges


def world_to(world: World[Any]) -> Any:
    """The world as a ``MultiDiGraph``.

    Nodes are the vertices of a world drawn by hand, and pairs ``(state, kind)`` in a world of states, which has two vertices for a
    state. They have the attributes ``state``, ``kind``, ``initial``, ``goal`` and the properties; edges have a ``label``.
    """
    kind = ["observation" if observation else "action" for observation in world._observation]
    paired = any(a >= 0 and y >= 0 for a, y in zip(world._acting, world._observing))
    nodes: List[Hashable] = [(world._state(v), kind[v]) if paired else world._state(v) for v in range(len(world))]
    graph = importlib.import_module("networkx").MultiDiGraph(name=world.name or "world")
    for v, node in enumerate(nodes):
        state = world._state(v)
        own = {"state": state, "kind": kind[v], "initial": v in world._initial, "goal": v in world._goal}
        graph.add_node(node, **{**world.props(state), **own})
    arcs = world._arcs
    for i in range(0, len(arcs), 3):
        graph.add_edge(nodes[arcs[i]], nodes[arcs[i + 2]], label=world._labels.values[arcs[i + 1]])
    return graph


def graph_to(graph: Graph, terminal: Optional[Iterable[Hashable]] = None) -> Any:
    """A plan or another graph as a ``MultiDiGraph`` with the attributes ``kind``, ``initial`` and ``terminal``."""
    made = importlib.import_module("networkx").MultiDiGraph()
    initial, ends = set(graph.initial), None if terminal is None else set(terminal)
    for vertex in graph:
        marks = {} if ends is None else {"terminal": vertex in ends}
        made.add_node(vertex, kind=graph.kind(vertex), initial=vertex in initial, **marks)
    for source, label, target in graph.edges:
        made.add_edge(source, target, label=label)
    return made
