"""P-graphs drawn by hand: plans, and the graphs that an observer may know or remember with."""

from __future__ import annotations

from array import array
from typing import Any, Dict, Hashable, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from ._labels import Labels
from ._text import key, listed, names, several, some, text
from .errors import DivulgeError

Label = Any
#: vertices' names, their kinds, initial vertices, arcs, marked vertices
Spec = Tuple[List[str], bytes, List[int], bytes, List[int]]


#: advice for graphs without observations
AUTOMATON = (
    "A plain automaton, which has events and no observations, becomes a world with `World.automaton(edges, initial=…)`"
)


class Edge(NamedTuple):
    """One label of an edge."""

    source: Hashable
    label: Label
    target: Hashable


class Graph:
    """An edge-labelled graph in which actions and observations alternate.

    ``edges`` are triples ``(source, label, target)``; a list or a set of labels in the middle stands for several. Vertices are
    any hashable values. Kinds follow from the initial vertices, which are of the kind ``start`` (``"acting"``, or
    ``"observing"``); ``kinds`` gives those of vertices that cannot be reached from there.
    """

    _marked: Set[int]

    def __init__(
        self,
        edges: Iterable[Tuple[Hashable, Label, Hashable]],
        initial: Iterable[Hashable],
        *,
        start: str = "acting",
        kinds: Optional[Mapping[Hashable, str]] = None,
        vertices: Iterable[Hashable] = (),
    ) -> None:
        self._index: Dict[Hashable, int] = {}
        self._arcs: List[Tuple[int, Label, int]] = []
        for v in listed(vertices):
            self._vertex(v)
        starts = [self._vertex(v) for v in listed(initial)]
        for source, labels, target in triples(edges):
            a, b = self._vertex(source), self._vertex(target)
            borne = [(a, label, b) for label in several(labels)]
            if not borne:
                raise DivulgeError(
                    f"the edge from `{text(source)}` to `{text(target)}` has no label", "give it one, or leave it out"
                )
            self._arcs.extend(borne)
        self._initial = sorted(set(starts))
        self._vertices = list(self._index)
        given = {self._vertex(v): word for v, word in (kinds or {}).items() if v in self._index}
        self._observation = _kinds(self._vertices, self._arcs, self._initial, observes(start), given)
        self._names = names(self._vertices)
        self._marked = set()

    def _vertex(self, v: Hashable) -> int:
        return self._index.setdefault(v, len(self._index))

    @property
    def vertices(self) -> List[Hashable]:
        """The vertices, in order of mention."""
        return list(self._vertices)

    @property
    def initial(self) -> List[Hashable]:
        """Where it starts."""
        return [self._vertices[v] for v in self._initial]

    @property
    def edges(self) -> List[Edge]:
        """Every label of every edge."""
        return [Edge(self._vertices[a], label, self._vertices[b]) for a, label, b in self._arcs]

    def kind(self, vertex: Hashable) -> str:
        """``"action"`` or ``"observation"``."""
        return "observation" if self._observation[self._index[vertex]] else "action"

    def __getstate__(self) -> Dict[str, Any]:
        """What is sent: the arcs as numbers, and no more than is needed."""
        state = dict(self.__dict__)
        # What draws it over its world belongs to the answer that it comes from.
        for name in ("_index", "_drawn"):
            state.pop(name, None)
        number: Dict[Any, int] = {}
        labels: List[Label] = []
        flat = array("I")
        for a, label, b in self._arcs:
            at = number.setdefault(key(label), len(labels))
            if at == len(labels):
                labels.append(label)
            flat.extend((a, at, b))
        state["_arcs"] = labels, flat.tobytes()
        state["_observation"] = bytes(self._observation)
        if self._names == self._vertices:
            del state["_names"]
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        labels, arcs = state["_arcs"]
        flat = numbers(arcs)
        self._arcs = [(flat[i], labels[flat[i + 1]], flat[i + 2]) for i in range(0, len(flat), 3)]
        self._observation = [bool(kind) for kind in state["_observation"]]
        self._names = list(state.get("_names", self._vertices))
        self._index = {vertex: number for number, vertex in enumerate(self._vertices)}

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        # Graphs do not change.
        return self

    def __eq__(self, other: object) -> bool:
        """Whether it has the same vertices, edges and labels, in whatever order they were given."""
        if not isinstance(other, Graph):
            return NotImplemented
        return self is other or (type(self) is type(other) and self._content() == other._content())

    def __hash__(self) -> int:
        return hash((len(self._vertices), frozenset(self.initial)))

    def _content(self) -> Any:
        at = self._vertices
        kinds = dict(zip(at, self._observation))
        arcs = {(at[a], key(label), at[b]) for a, label, b in self._arcs}
        return kinds, set(self.initial), {at[v] for v in self._marked}, arcs

    def __len__(self) -> int:
        return len(self._vertices)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._vertices)

    def __contains__(self, vertex: object) -> bool:
        return vertex in self._index

    def _declare(self, labels: Labels) -> None:
        """Adds the graph's labels to those of a problem."""
        for a, label, _ in self._arcs:
            labels.declare(label, self._observation[a])

    def _spec(self, labels: Labels) -> Spec:
        return self._numbered({label: labels.number(label) for _, label, _ in self._arcs})

    def _numbered(self, number: Mapping[Label, int]) -> Spec:
        arcs = array("I")
        for a, label, b in self._arcs:
            arcs.extend((a, number[label], b))
        kinds = bytes(self._observation)
        return self._names, kinds, self._initial, arcs.tobytes(), sorted(self._marked)

    @classmethod
    def _read(cls, spec: Spec, values: Sequence[Label]) -> Any:
        """A graph out of numbers; its vertices are their names."""
        made = cls.__new__(cls)
        vertex_names, kinds, initial, arcs, marked = spec
        made._names = vertex_names
        made._vertices = list(vertex_names)
        made._index = {name: i for i, name in enumerate(vertex_names)}
        made._observation = [bool(kind) for kind in kinds]
        made._initial = initial
        flat = numbers(arcs)
        made._arcs = [(flat[i], values[flat[i + 1]], flat[i + 2]) for i in range(0, len(flat), 3)]
        made._marked = set(marked)
        return made

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} vertices, {len(self._arcs)} arcs>"


def triples(edges: Any) -> Iterator[Tuple[Any, Any, Any]]:
    """The edges that were given, each with its source, its labels and its target."""
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise DivulgeError(f"{edges!r} is not a list of edges", "give triples in a list: [(source, label, target), …]")
    for edge in edges:
        if isinstance(edge, str) or not isinstance(edge, Iterable):
            parts: List[Any] = []
        else:
            parts = list(edge)
        if len(parts) != 3:
            raise DivulgeError(f"{edge!r} is not an edge", "an edge is a triple: (source, label, target)")
        yield parts[0], parts[1], parts[2]


def numbers(data: bytes) -> array[int]:
    """Numbers out of bytes."""
    flat = array("I")
    flat.frombytes(data)
    return flat


def observes(start: str) -> bool:
    """Whether something begins with an observation."""
    if start not in ("acting", "observing"):
        raise DivulgeError(f"`start` cannot be `{start}`", 'give "acting" or "observing"')
    return start == "observing"


def _kinds(
    vertices: Sequence[Hashable],
    arcs: Sequence[Tuple[int, Label, int]],
    initial: Sequence[int],
    starts_observing: bool,
    given: Mapping[int, str],
) -> List[bool]:
    """The kinds of all vertices: they alternate along edges."""
    beside: List[List[int]] = [[] for _ in vertices]
    for a, _, b in arcs:
        beside[a].append(b)
        beside[b].append(a)
    kind: List[Optional[bool]] = [None] * len(vertices)
    known = {v: word in ("observation", "observing") for v, word in given.items()}
    todo = [(v, observation) for v, observation in known.items()]
    todo += [(v, known.get(v, starts_observing)) for v in initial]
    while todo:
        v, observation = todo.pop()
        if kind[v] is None:
            kind[v] = observation
            todo.extend((w, not observation) for w in beside[v])
        elif kind[v] != observation:
            raise DivulgeError(
                f"`{text(vertices[v])}` would be both an action vertex and an observation vertex",
                f"actions and observations must alternate along the edges, and all initial vertices must be of one kind. {AUTOMATON}",
            )
    if not initial:
        raise DivulgeError(
            "there is no initial vertex",
            "say where it starts with initial=[…]; a node of a networkx graph is initial if its attribute `initial` is true",
        )
    loose = [vertices[v] for v, found in enumerate(kind) if found is None]
    if loose:
        raise DivulgeError(
            f"it is unclear whether these are action or observation vertices: {some(loose)}",
            'connect them to the others, or give their kinds: kinds={vertex: "action"}',
        )
    return [bool(found) for found in kind]
