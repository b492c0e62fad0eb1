"""Plans, and running them."""

from __future__ import annotations

from typing import Any, Callable, Dict, Hashable, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

from . import _divulge
from ._labels import Labels
from ._limits import Limits, Size, Time, limits
from ._text import did_you_mean, listed, some, text
from .errors import DivulgeError, UnexpectedEvent
from .graph import Graph, Label
from .notebook import Drawn


class Plan(Drawn, Graph):
    """What the robot does: a graph of actions and observations, and where it terminates.

    ``Plan([("p0", "go", "p1"), ("p1", ["red", "green"], "p2")], initial=["p0"], terminal=["p2"])``. Plans that are easier to
    compute than to draw come from :meth:`World.policy <divulge.World.policy>`.
    """

    #: draws the plan over its world, where that is known
    _drawn: Optional[Callable[[Limits], str]] = None

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
        labels = Labels()
        self._declare(labels)
        return _divulge.draw_plan_alone(labels.native(), self._spec(labels), asked)

    def start(self, choose: Optional[Callable[[Sequence[Label]], Label]] = None) -> Run:
        """Begins to run the plan.

        Where the plan offers several actions, ``choose`` picks one, for example ``random.choice``; else the first is taken.
        """
        return Run(self, choose)

    def __repr__(self) -> str:
        return f"<Plan: {len(self)} vertices, {len(self._arcs)} arcs, {len(self._marked)} terminal>"


class Run:
    """A plan being carried out, event by event.

    ``act()`` gives the action to take, ``observe(o)`` takes what was observed, until ``done``. A nondeterministic plan may be
    at several of its vertices at once; it stops as soon as one of them is terminal.
    """

    def __init__(self, plan: Plan, choose: Optional[Callable[[Sequence[Label]], Label]] = None) -> None:
        self.plan = plan
        self._choose = choose
        self._next: Dict[int, Dict[Label, List[int]]] = {}
        for a, label, b in plan._arcs:
            self._next.setdefault(a, {}).setdefault(label, []).append(b)
        self._at: Set[int] = set(plan._initial)
        #: the events so far
        self.history: List[Label] = []

    def __copy__(self) -> Run:
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__, _at=set(self._at), history=list(self.history))
        return other

    def __deepcopy__(self, memo: Any) -> Run:
        # Plans do not change, so both run the same one.
        return self.__copy__()

    @property
    def at(self) -> List[Hashable]:
        """The vertices of the plan that it may be at."""
        return [self.plan._vertices[v] for v in sorted(self._at)]

    @property
    def done(self) -> bool:
        """Whether the plan terminates here."""
        return any(v in self.plan._marked for v in self._at)

    @property
    def observing(self) -> bool:
        """Whether an observation is due."""
        return any(self.plan._observation[v] for v in self._at)

    @property
    def actions(self) -> List[Label]:
        """The actions on offer; none where it terminates or must observe."""
        return [] if self.observing or self.done else self._labels()

    @property
    def observations(self) -> List[Label]:
        """The observations that the plan foresees; none where it terminates or must act."""
        return self._labels() if self.observing and not self.done else []

    def _labels(self) -> List[Label]:
        found: Dict[Label, None] = {}
        for v in sorted(self._at):
            found.update(dict.fromkeys(self._next.get(v, {})))
        return list(found)

    def act(self) -> Label:
        """The action to take, which counts as taken."""
        offered = self.actions
        if not offered:
            self._refuse("act")
        action = offered[0] if self._choose is None else self._choose(offered)
        return self.take(action)

    def take(self, action: Label) -> Label:
        """Takes one of the actions on offer."""
        if self.observing or self.done:
            self._refuse("act")
        self._go(action, "takes", self.actions)
        return action

    def observe(self, observation: Label) -> None:
        """Tells what was observed."""
        if not self.observing or self.done:
            self._refuse("observe")
        self._go(observation, "foresees", self.observations)

    def _go(self, label: Label, verb: str, offered: Sequence[Label]) -> None:
        after = {w for v in self._at for w in self._next.get(v, {}).get(label, ())}
        if not after:
            raise UnexpectedEvent(f"the plan {verb} no `{text(label)}` here", f"it {verb} {some(list(offered))}")
        self._at = after
        self.history.append(label)

    def _refuse(self, verb: str) -> None:
        if self.done:
            raise UnexpectedEvent(f"the plan has terminated: there is nothing to {verb}", "look at `done` first")
        if not self._labels():
            raise UnexpectedEvent(f"the plan is stuck: there is nothing to {verb}", "check the plan first")
        due = "observe" if self.observing else "act"
        raise UnexpectedEvent(f"the plan cannot {verb} now", f"`{due}` comes next")

    def __repr__(self) -> str:
        where = "done" if self.done else "observing" if self.observing else "acting"
        return f"<Run: {len(self.history)} events, {where}>"
