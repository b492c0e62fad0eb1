"""Worlds: computed from functions, drawn as graphs, or read."""

from __future__ import annotations

from array import array
from pickle import PickleBuffer
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Generic,
    Hashable,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
    TypeVar,
    Union,
    cast,
)

from . import _divulge
from ._automaton import automaton, vertex_names
from ._compile import Compiler
from ._explore import Explored, explore
from ._json import digest_of
from ._labels import Labels
from ._limits import Size, Time, limits
from ._policy import policy
from ._props import AnyProps, Column, columns, spread, value_at
from ._text import Scalar, did_you_mean, key, listed, some, text
from ._vertices import Grid, each_vertex, laid_out, stated_names
from .errors import DivulgeError, warn
from .formula import AnyPredicate, Predicate, where
from .graph import AUTOMATON, Graph, Label, Spec, numbers, observes
from .notebook import Drawn

if TYPE_CHECKING:
    from .plan import Plan

S = TypeVar("S", bound=Hashable)
T = TypeVar("T", bound=Hashable)
#: One value, or several in a list, a set or a generator, or none.
Several = Union[T, List[T], Set[T], Iterator[T], None]
AnyGoal = Union[AnyPredicate, Iterable[Any]]


class World(Drawn, Generic[S]):
    """What the robot can do, what it may observe, and where it should get to.

    Make one with :meth:`explore`, :meth:`graph`, :meth:`automaton` or :meth:`from_networkx`, or take it from a problem that was read. A world of
    states has an action vertex and an observation vertex for each state that can be reached there.
    """

    _native: _divulge.World
    _labels: Labels
    #: labels that only plans and divulged graphs bear, where a problem was read
    _foreign: Set[int]
    #: distinct states, the state of each vertex, and each state's action and observation vertex (-1: none)
    _states: List[S]
    _state_of: "array[int]"
    _observation: bytes
    _ids: Dict[S, int]
    _acting: List[int]
    _observing: List[int]
    _columns: List[Column]
    _arcs: "array[int]"
    _initial: List[int]
    _goal: Set[int]
    _names: List[str]
    #: how a picture may be laid out
    _grid: Optional[Grid]
    name: Optional[str]
    #: of a file of another tool: how large it is, what was taken for what, and what was dropped
    notes: Sequence[str] = ()
    _digest: Optional[str] = None

    def __init__(self) -> None:
        raise TypeError("make a world with World.explore, World.graph or World.from_networkx, or load a problem")

    @classmethod
    def explore(
        cls,
        initial: Iterable[S],
        *,
        actions: Union[Callable[[S], Union[Iterable[Label], Label, None]], Iterable[Label]],
        step: Callable[[S, Any], Several[S]],
        observe: Callable[[S], Any],
        goal: AnyPredicate,
        sense: Optional[Callable[[S, Any], Several[S]]] = None,
        props: AnyProps = None,
        start: str = "acting",
        goal_when: str = "acting",
        grid: Optional[Tuple[str, str]] = None,
        landmarks: Optional[Mapping[str, Tuple[int, int]]] = None,
        name: Optional[str] = None,
        limit: int = 10_000_000,
    ) -> World[S]:
        """The part of a world that can be reached from the initial states.

        The robot alternates: it acts, then it observes. States are any hashable values but ``None``. In what ``step``, ``observe``
        and ``sense`` give, a list, a set or a generator stands for several values, any of which may come about, and ``None``, alone
        or in a list, for none; anything else, also a tuple, is one value.

        - ``initial``: the states it may start in; the robot does not know which.
        - ``actions``: the actions, or a function of a state that gives those on offer there: a list, a tuple or any other
          collection. A text alone is one action, and ``None`` is none.
        - ``step(state, action)``: the state after an action, or several, or ``None`` where the action is not available.
        - ``observe(state)``: what is observed in a state, or several, any of which may be.
        - ``sense(state, observation)``: the state after an observation, if observing changes it.
        - ``goal``: a function of a state, a predicate, or a text: where the goal is reached once the robot has observed. With
          ``goal_when="observing"`` where it has acted and not yet observed, with ``"anywhere"`` both.
        - ``props``: properties for predicates: a function that gives a dictionary, a dictionary of functions, or names of
          attributes. Without it, the fields of data classes and named tuples.
        - ``start``: ``"acting"``, or ``"observing"`` for a world that begins with an observation.
        - ``grid``: the properties that are the row and the column of a picture; ``landmarks`` names places in it.
        """
        if goal_when not in ("acting", "observing", "anywhere"):
            raise DivulgeError(f"`goal_when` cannot be `{goal_when}`", 'give "acting", "observing" or "anywhere"')
        found = explore(initial, actions, step, observe, sense, observes(start), limit)
        if not found.initial:
            raise DivulgeError("the world has no initial state", "give one, or several that the robot cannot tell apart")
        world = cls._of(found, columns(found.states, props), stated_names(found), laid_out(grid, landmarks), name)
        kinds = {"acting": (0,), "observing": (1,), "anywhere": (0, 1)}[goal_when]
        world._set_goal([v for v in world._satisfying(goal) if world._observation[v] in kinds])
        return world

    @classmethod
    def graph(
        cls,
        edges: Iterable[Tuple[S, Label, S]],
        initial: Iterable[S],
        goal: AnyGoal,
        *,
        props: Union[AnyProps, Mapping[S, Mapping[str, Any]]] = None,
        start: str = "acting",
        kinds: Optional[Mapping[S, str]] = None,
        vertices: Iterable[S] = (),
        actions: Iterable[Label] = (),
        observations: Iterable[Label] = (),
        grid: Optional[Tuple[str, str]] = None,
        landmarks: Optional[Mapping[str, Tuple[int, int]]] = None,
        name: Optional[str] = None,
    ) -> World[S]:
        """A world drawn by hand; see :class:`Graph` for ``edges``, ``start`` and ``kinds``.

        ``goal`` is a predicate, a function of a vertex, or the goal vertices, of either kind. ``props`` gives the properties of
        each vertex as a dictionary of dictionaries, or as in :meth:`explore`. ``actions`` and ``observations`` may list labels
        that no edge bears.

        Actions and observations alternate. For a plain automaton, which has events and no observations, see :meth:`automaton`.
        """
        drawn = Graph(edges, initial, start=start, kinds=cast(Any, kinds), vertices=vertices)
        found = Explored(len(drawn))
        for label in listed(actions):
            found.labels.declare(label, False)
        for label in listed(observations):
            found.labels.declare(label, True)
        for vertex, observation in zip(drawn._vertices, drawn._observation):
            found.vertex(vertex, observation)
        found.initial = drawn._initial
        for a, label, b in drawn._arcs:
            found.arcs.extend((a, found.labels.declare(label, drawn._observation[a], AUTOMATON), b))
        cells = each_vertex(props, drawn._vertices, drawn)
        world = cls._of(found, columns(found.states, cells), drawn._names, laid_out(grid, landmarks), name)
        if isinstance(goal, (str, Predicate)) or callable(goal):
            world._set_goal(world._satisfying(goal))
        else:
            world._set_goal([world._vertices_of(vertex)[0] for vertex in listed(goal)])
        return world

    @classmethod
    def automaton(
        cls,
        edges: Iterable[Tuple[S, Label, S]],
        initial: Iterable[S],
        *,
        observable: Optional[Iterable[Label]] = None,
        secret: Any = None,
        marked: Any = (),
        props: Union[AnyProps, Mapping[S, Mapping[str, Any]]] = None,
        name: Optional[str] = None,
    ) -> World[S]:
        """An automaton, which has events and no observations.

        ``edges`` are triples ``(source, event, target)``; a list or a set of events in the middle stands for several. An event is an
        action, followed by an observation that nobody sees. Events that are not ``observable`` are not seen either, unless an observer's
        map gives them an image; without ``observable``, all are seen. ``secret`` says which states get the property ``secret``:
        a predicate, a function of a state, or the states; ``marked`` alike which are goals. ``props`` are as in :meth:`graph`.
        """
        drawn = automaton(edges, initial, observable)
        cells = each_vertex(props, drawn.states, drawn.ids)
        world = cls._of(drawn, columns(drawn.states, cells), vertex_names(drawn), None, name)
        if secret is not None:
            among = world._states_among(secret)
            chosen = among if among is not None else {world._state(v) for v in world._satisfying(secret)}
            if any(column[0] == "secret" for column in world._columns):
                raise DivulgeError("the states have a property `secret` already", "leave the argument `secret` out")
            codes = array("I", (2 if state in chosen else 1 for state in drawn.states))
            world = cls._of(drawn, [*world._columns, ("secret", [False, True], codes)], world._names, None, name)
        goals = world._states_among(marked)
        found = world._satisfying(marked) if goals is None else [v for v in range(len(world)) if world._state(v) in goals]
        world._set_goal([v for v in found if not world._observation[v]])
        return world

    @classmethod
    def read(
        cls,
        path: Any,
        set: Any = None,
        *,
        domain: Any = None,
        goal: Optional[str] = None,
        initial: Optional[str] = None,
        avoid: Optional[str] = None,
    ) -> World[str]:
        """The world of a model, a document or a file of another tool; :func:`divulge.load` says what the arguments mean.

        An automaton is as :meth:`automaton` makes it: its states are those of the file, and events that the file hides are not seen, unless an
        observer's map gives them an image.
        """
        from ._foreign import as_automaton, is_automaton
        from ._read import load

        world = load(path, set, domain=domain, goal=goal, initial=initial, avoid=avoid).world
        if not is_automaton(path):
            return world
        made = as_automaton(world)
        made.notes = world.notes
        return made

    def _states_among(self, given: Any) -> Optional[Set[Any]]:
        """States that were given as they are, one or several; ``None`` if it is a predicate or a function."""
        try:
            if given in self._ids:
                return {given}
        except TypeError:
            pass
        if isinstance(given, (str, Predicate)) or callable(given):
            return None
        for state in listed(given):
            self._vertices_of(state)
        return set(listed(given))

    @classmethod
    def from_networkx(cls, graph: Any, **options: Any) -> World[Any]:
        """A world from a ``networkx`` graph; nodes are the vertices.

        Their attributes ``initial`` and ``goal`` mark them, ``kind`` (``"action"`` or ``"observation"``) may say what they are,
        and all others are properties. An edge's attribute ``label`` is its label, or several in a list or a set. ``options`` are those
        of :meth:`graph`, and take the place of what the attributes say. Actions and observations alternate along its edges;
        see :meth:`automaton` for a plain automaton."""
        from ._networkx import world_from

        return world_from(graph, **options)

    @classmethod
    def _of(
        cls, found: Explored, cols: List[Column], names: List[str], grid: Optional[Grid], name: Optional[str]
    ) -> World[S]:
        world = cls.__new__(cls)
        world._labels, world._foreign = found.labels, set()
        world._states, world._ids = cast(List[S], found.states), cast(Dict[S, int], found.ids)
        world._state_of, world._observation = found.state_of, bytes(found.observation)
        world._acting, world._observing = found.acting, found.observing
        world._columns, world._arcs, world._initial = cols, found.arcs, sorted(set(found.initial))
        world._names, world._goal, world._grid, world.name = names, set(), grid, name
        spec: Spec = (names, world._observation, world._initial, world._arcs.tobytes(), [])
        native = [(col, values, spread(codes, found.state_of)) for col, values, codes in cols]
        world._native = _divulge.World(found.labels.native(), spec, native)
        return world

    @classmethod
    def _read(cls, native: _divulge.World, name: Optional[str], grid: Optional[Grid]) -> World[str]:
        """A world that was read: its states are the names of its vertices."""
        world = cast("World[str]", cls.__new__(cls))
        names, kinds, initial, arcs, goal = native.graph()
        world._labels = Labels()
        world._foreign = set()
        for label, observation, own in native.labels():
            world._labels.named(label, observation)
            if not own:
                world._foreign.add(len(world._labels) - 1)
        world._states, world._ids = names, {vertex: i for i, vertex in enumerate(names)}
        world._state_of, world._observation = array("I", range(len(names))), kinds
        world._acting = [-1 if kind else v for v, kind in enumerate(kinds)]
        world._observing = [v if kind else -1 for v, kind in enumerate(kinds)]
        world._columns = [(col, values, numbers(codes)) for col, values, codes in native.props()]
        world._arcs, world._initial, world._goal = numbers(arcs), initial, set(goal)
        world._names, world._native, world.name, world._grid = names, native, name, grid
        return world

    def __reduce_ex__(self, protocol: Any) -> Any:
        """One buffer, which goes out of band where the protocol has that, beside the user's own states and labels."""
        packed = _divulge.pack_world(self._native, self._arcs.tobytes(), self._state_of.tobytes())
        buffer = PickleBuffer(packed) if protocol >= 5 else packed
        states = None if self._states is self._names else self._states
        return _again, (buffer, states, self._labels, self._grid, self.name, self._digest)

    def __copy__(self) -> World[S]:
        return self

    def __deepcopy__(self, memo: Any) -> World[S]:
        # Worlds do not change.
        return self

    def __eq__(self, other: object) -> bool:
        """Whether both have the same states, events, properties, initial states and goals, in whatever order they were found."""
        if not isinstance(other, World):
            return NotImplemented
        return self is other or (self.digest == other.digest and self._stands_for() == other._stands_for())

    def __hash__(self) -> int:
        return hash(self.digest)

    def _stands_for(self) -> Any:
        """What the names of its vertices and labels stand for."""
        states = {name: self._state(v) for v, name in enumerate(self._names)}
        return states, {name: key(value) for name, value in zip(self._labels.texts, self._labels.values)}

    def _satisfying(self, predicate: AnyPredicate) -> List[int]:
        compiler = Compiler(self)
        text = where(predicate).text(compiler)
        found = self._native.satisfying(text, compiler.conditions())
        self._doubt(f"possible({text})")
        return found

    def _doubt(self, formula: str) -> None:
        """Warns of comparisons with values that no state has."""
        for message, help in self._native.odd_comparisons(formula):
            warn(f"this {message}\n  help: {help}")

    def _set_goal(self, vertices: List[int]) -> None:
        self._goal, self._digest = set(vertices), None
        self._native = self._native.with_goal(vertices)

    def _vertices_of(self, state: Hashable) -> List[int]:
        try:
            number = self._ids[cast(S, state)]
        except (KeyError, TypeError):
            help = did_you_mean(text(state), self._names[:100_000])
            raise DivulgeError(f"the world has no state `{text(state)}`", help) from None
        return [v for v in (self._acting[number], self._observing[number]) if v >= 0]

    def _state(self, vertex: int) -> S:
        return self._states[self._state_of[vertex]]

    @property
    def states(self) -> List[S]:
        """The states that can be reached; for worlds drawn by hand, the vertices."""
        return list(self._states)

    @property
    def initial(self) -> List[S]:
        """The states it may start in."""
        return [self._state(v) for v in self._initial]

    @property
    def goal(self) -> List[S]:
        """The states that are goals, be it before or after observing."""
        return list(dict.fromkeys(self._state(v) for v in sorted(self._goal)))

    @property
    def actions(self) -> List[Label]:
        """The actions."""
        return self._of_kind(False)

    @property
    def observations(self) -> List[Label]:
        """The observations."""
        return self._of_kind(True)

    def _of_kind(self, observation: bool) -> List[Label]:
        each = enumerate(zip(self._labels.values, self._labels.observation))
        return [value for i, (value, kind) in each if kind == observation and i not in self._foreign]

    @property
    def digest(self) -> str:
        """What tells this world from others, whatever the order in which it was explored."""
        if self._digest is None:
            names, labels, arcs = self._names, self._labels, self._arcs
            first = set(self._initial)
            vertices = (
                [name, self._observation[v], v in self._goal, v in first, type(self._state(v)).__name__, self._props_at(v)]
                for v, name in enumerate(names)
            )
            edges = ([names[arcs[i]], labels.texts[arcs[i + 1]], names[arcs[i + 2]]] for i in range(0, len(arcs), 3))
            self._digest = digest_of([*vertices, *edges])
        return self._digest

    @property
    def starts_observing(self) -> bool:
        """Whether it begins with an observation."""
        return bool(self._observation[self._initial[0]])

    def where(self, predicate: AnyPredicate) -> List[S]:
        """The states that satisfy a predicate."""
        return list(dict.fromkeys(self._state(v) for v in self._satisfying(predicate)))

    def props(self, state: S) -> Dict[str, Scalar]:
        """The properties of a state."""
        return self._props_at(self._vertices_of(state)[0])

    def _props_at(self, vertex: int) -> Dict[str, Scalar]:
        values = ((column[0], value_at(column, self._state_of[vertex])) for column in self._columns)
        return {name: value for name, value in values if value is not None}

    @property
    def edges(self) -> Iterator[Tuple[S, Label, S]]:
        """Every label of every edge: source, label, target."""
        arcs, labels = self._arcs, self._labels.values
        for i in range(0, len(arcs), 3):
            yield self._state(arcs[i]), labels[arcs[i + 1]], self._state(arcs[i + 2])

    def policy(
        self,
        memory: Hashable,
        *,
        act: Callable[[Any], Any],
        update: Callable[[Any, Any, Any], Hashable],
        limit: int = 1_000_000,
    ) -> Plan:
        """A plan from functions, explored together with the world.

        ``act(memory)`` gives the action to take, or several in a list, or ``None`` to stop; ``update(memory, action,
        observation)`` the memory after an observation (the action is ``None`` for an observation at the very start). Memories
        are any hashable values. The plan foresees exactly the observations that may come.
        """
        return policy(self, memory, act, update, limit)

    def to_svg(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """A picture of the world: a grid if there is one, else its graph."""
        return _divulge.draw_world(self._native, self.name, self._grid, limits(time_limit, memory_limit))

    def to_networkx(self) -> Any:
        """The world as a ``networkx.MultiDiGraph``, which :meth:`from_networkx` takes back.

        Nodes are the vertices of a world drawn by hand, and pairs ``(state, kind)`` in a world of states, which has two vertices
        for a state. They have the attributes ``state``, ``kind``, ``initial``, ``goal`` and the properties; edges have a ``label``.
        """
        from ._networkx import world_to

        return world_to(self)

    def __len__(self) -> int:
        """How many vertices there are."""
        return len(self._observation)

    def __contains__(self, state: object) -> bool:
        return state in self._ids

    def __repr__(self) -> str:
        called = f" {self.name!r}" if self.name else ""
        return (
            f"<World{called}: {len(self)} vertices, {len(self._arcs) // 3} arcs, "
            f"actions {some(self.actions)}; observations {some(self.observations)}>"
        )


def _again(
    packed: Any, states: Optional[List[Any]], labels: Labels, grid: Optional[Grid], name: Optional[str], digest: Optional[str]
) -> World[Any]:
    """A world that was sent."""
    native, (names, kinds, initial, arcs, goal), state_of = _divulge.unpack_world(bytes(packed))
    world: World[Any] = World.__new__(World)
    world._native, world._labels = native, labels
    world._foreign = {i for i, (_, _, own) in enumerate(native.labels()) if not own}
    world._names, world._observation = names, kinds
    world._arcs, world._initial, world._goal = numbers(arcs), initial, set(goal)
    world._states = names if states is None else states
    world._ids = {state: i for i, state in enumerate(world._states)}
    world._state_of = numbers(state_of)
    if len(world._ids) != len(world._states) or (len(names) and max(world._state_of) >= len(world._states)):
        raise DivulgeError("two states of the world that was sent are equal here", "their __eq__ and __hash__ must say the same in all processes")
    world._acting, world._observing = [-1] * len(world._states), [-1] * len(world._states)
    for v, (state, kind) in enumerate(zip(world._state_of, kinds)):
        (world._observing if kind else world._acting)[state] = v
    world._columns = []
    for column, values, codes in native.props():
        of_state = array("I", bytes(4 * len(world._states)))
        for state, code in zip(world._state_of, numbers(codes)):
            of_state[state] = code
        world._columns.append((column, values, of_state))
    world._grid, world.name, world._digest = grid, name, digest
    return world
