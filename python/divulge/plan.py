"""Plans."""

from __future__ import annotations

from typing import Any, Callable, Dict, Hashable, Iterable, List, Mapping, Optional, Sequence, Tuple

from . import _divulge
from ._json import Reader, Writer, digest, malformed, opened, texts, written
from ._labels import Labels
from ._limits import Limits, Size, Time, limits
from ._text import did_you_mean, key, listed, text
from .errors import DivulgeError
from .graph import Graph, Label
from .notebook import Drawn
from .run import Choose, Run


class Plan(Drawn, Graph):
    """What the robot does: a graph of actions and observations, and where it terminates.

    ``Plan([("p0", "go", "p1"), ("p1", ["red", "green"], "p2")], initial=["p0"], terminal=["p2"])``. Plans that are easier to
    compute than to draw come from :meth:`World.policy <divulge.World.policy>`.
    """

    #: draws the plan over its world, where that is known
    _drawn: Optional[Callable[[Limits], str]] = None
    _digest: Optional[str] = None
    #: what has happened before the plan begins
    _after: Sequence[Label] = ()

    def __init__(
        self,
        edges: Iterable[Tuple[Hashable, Label, Hashable]],
        initial: Iterable[Hashable],
        terminal: Iterable[Hashable],
        *,
        start: str = "acting",
        kinds: Optional[Mapping[Hashable, str]] = None,
        vertices: Iterable[Hashable] = (),
    ) -> None:
        ends = listed(terminal)
        super().__init__(edges, initial, start=start, kinds=kinds, vertices=vertices)
        for v in ends:
            if v not in self._index:
                known = did_you_mean(text(v), self._names)
                raise DivulgeError(f"the plan has no vertex `{text(v)}` to terminate at", known)
            self._marked.add(self._index[v])

    @property
    def terminal(self) -> List[Hashable]:
        """Where it terminates."""
        return [self._vertices[v] for v in sorted(self._marked)]

    @classmethod
    def from_networkx(cls, graph: Any, **options: Any) -> Plan:
        """A plan from a directed ``networkx`` graph: the attributes ``initial`` and ``terminal`` mark nodes, and ``kind`` may say what
        they are; an edge's attribute ``label`` is its label."""
        from ._networkx import plan_from

        return plan_from(graph, **options)

    def to_networkx(self) -> Any:
        """The plan as a ``networkx.MultiDiGraph``, which :meth:`from_networkx` takes back."""
        from ._networkx import graph_to

        return graph_to(self, self.terminal)

    def to_svg(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """A picture of the plan: over its world if it was found there, else its own graph."""
        asked = limits(time_limit, memory_limit)
        if self._drawn is not None:
            return self._drawn(asked)
        labels = self._own_labels()
        return _divulge.draw_plan_alone(labels.native(), self._spec(labels), asked)

    def to_bt(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """The plan as a tree for BehaviorTree.CPP 4, in XML."""
        labels = self._own_labels()
        return _divulge.behavior_tree(labels.native(), self._spec(labels), limits(time_limit, memory_limit))

    def start(self, choose: Optional[Choose] = None, *, seed: Optional[int] = None) -> Run:
        """Begins to run the plan.

        Where the plan offers several actions, the run takes one at random, so that nobody can predict it: what the observer must not find
        out may rest on that. ``seed`` makes the choices repeatable, for tests; ``choose`` picks among the actions itself.
        """
        return Run(self, choose, seed=seed)

    def to_json(self) -> str:
        """The plan by itself: the ``plan`` of a problem document, with what the names of vertices and labels stand for."""
        graph, labels = self._document()
        writer = Writer()
        values = {
            "vertices": writer.named(self._names, self._vertices),
            "labels": writer.named(labels.texts, labels.values),
        }
        return written("plan", {**graph, **({"values": values} if any(values.values()) else {})})

    @classmethod
    def from_json(cls, given: str, *, types: Iterable[type] = ()) -> Plan:
        """The plan that :meth:`to_json` wrote, or the ``plan`` of a problem document or of an answer of the command line.

        ``types`` are the classes of vertices and labels that are members of enumerations, named tuples or data classes.
        """
        read = opened(given, "plan", ["vertices", "initial", "edges"], ["values", "after"], bare=True)
        stand = read.get("values", {})
        if not isinstance(stand, dict) or not isinstance(read["vertices"], dict) or not isinstance(read["edges"], list):
            raise malformed("plan", "vertices")
        reader = Reader(types)
        value: Dict[str, Hashable] = dict(zip(read["vertices"], reader.named(read["vertices"], stand.get("vertices", {}))))

        def vertex(name: Any) -> Hashable:
            if not isinstance(name, str) or name not in value:
                raise DivulgeError(f"the plan has no vertex `{text(name)}`", did_you_mean(text(name), value))
            return value[name]

        kinds, terminal = {}, []
        for name, about in read["vertices"].items():
            if not isinstance(about, dict) or about.get("kind") not in ("action", "observation"):
                raise malformed("plan", f"vertices.{name}")
            kinds[value[name]] = about["kind"]
            if about.get("terminal"):
                terminal.append(value[name])
        before = texts(read.get("after", []), "plan", "after")
        names: Dict[str, None] = dict.fromkeys(before)
        for edge in read["edges"]:
            if not isinstance(edge, dict) or not {"from", "to", "labels"} <= set(edge):
                raise malformed("plan", "edges")
            names.update(dict.fromkeys(texts(edge["labels"], "plan", "labels")))
        label = dict(zip(names, reader.named(names, stand.get("labels", {}))))
        edges = [
            (vertex(edge["from"]), [label[one] for one in edge["labels"]], vertex(edge["to"])) for edge in read["edges"]
        ]
        initial = [vertex(name) for name in texts(read["initial"], "plan", "initial")]
        starts = "observing" if initial and kinds[initial[0]] == "observation" else "acting"
        plan = cls(edges, initial, terminal, start=starts, kinds=kinds, vertices=list(value.values()))
        plan._after = [label[name] for name in before]
        return plan

    def _own_labels(self) -> Labels:
        labels = Labels()
        self._declare(labels)
        return labels

    def _document(self) -> Tuple[Dict[str, Any], Labels]:
        """The plan as problem documents have it, and its labels."""
        labels = self._own_labels()
        # What has happened before alternates, and ends where the plan begins.
        due = self._observation[self._initial[0]]
        for number, label in enumerate(self._after):
            labels.declare(label, due if (len(self._after) - number) % 2 == 0 else not due)
        vertices: Dict[str, Any] = {}
        for v, name in enumerate(self._names):
            kind = "observation" if self._observation[v] else "action"
            vertices[name] = {"kind": kind, "terminal": True} if v in self._marked else {"kind": kind}
        edges: List[Dict[str, Any]] = []
        before = None
        for a, label, b in self._arcs:
            called = labels.texts[labels.number(label)]
            if before == (a, b):
                edges[-1]["labels"].append(called)
            else:
                edges.append({"from": self._names[a], "to": self._names[b], "labels": [called]})
            before = (a, b)
        made = {"vertices": vertices, "initial": [self._names[v] for v in self._initial], "edges": edges}
        if self._after:
            made["after"] = [labels.texts[labels.number(label)] for label in self._after]
        return made, labels

    @property
    def digest(self) -> str:
        """What tells this plan from others: runs that are written down keep it, so that they are continued with the same plan alone."""
        if self._digest is None:
            graph, labels = self._document()
            kinds = [[name, type(value).__name__] for name, value in zip(labels.texts, labels.values)]
            # Elsewhere order does not matter, but here it does.
            before = [f"{number} {name}" for number, name in enumerate(graph.pop("after", []))]
            self._digest = digest([graph, kinds, before])
        return self._digest

    def _content(self) -> Any:
        return super()._content(), [key(label) for label in self._after]

    def __repr__(self) -> str:
        return f"<Plan: {len(self)} vertices, {len(self._arcs)} arcs, {len(self._marked)} terminal>"
