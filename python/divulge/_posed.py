"""What a problem consists of, and how it goes to the native half with one plan and map or another."""

from __future__ import annotations

from typing import Any, Dict, Generic, List, Optional, Sequence, Set

from . import _divulge
from ._built import Built, build
from ._text import did_you_mean, some, text
from .errors import Diagnostic, DivulgeError, warn
from .graph import Graph, Label
from .label_map import AnyMap, LabelMap, MapSpec
from .observer import Observer
from .plan import Plan
from .world import S, World


class Posed(Generic[S]):
    """A world, observers, perhaps a plan, and what events cost: what the questions of :class:`Problem` are about."""

    world: World[S]
    #: everybody who watches
    observers: List[Observer]
    plan: Optional[Plan]
    costs: Dict[Label, int]
    name: Optional[str]
    #: what is probably not meant, in a problem that was read
    warnings: List[Diagnostic]
    _warned: Set[str]
    #: the problem in the native half, and what it was made of
    _own: Optional[Built[S]]
    _own_of: List[Any]
    _gap: Optional[_divulge.Problem]

    @property
    def observer(self) -> Observer:
        """The observer; an error if there are several, which are in :attr:`observers`."""
        if len(self.observers) > 1:
            raise DivulgeError(
                f"the problem has several observers: {some([one.name for one in self.observers])}",
                "they are in `observers`; about(name) is the problem with one of them alone",
            )
        return self.observers[0]

    @property
    def map(self) -> Optional[LabelMap]:
        """The observer's map, if there is one; an error if there are several observers."""
        self.observer  # noqa: B018
        return self._itself().seats[0].label_map

    @property
    def maps(self) -> Dict[Optional[str], Optional[LabelMap]]:
        """The observers' maps by name, ``None`` where there is none."""
        return {seat.name: seat.label_map for seat in self._itself().seats}

    def _number(self, observer: Optional[str]) -> int:
        """Which observer is meant; one of several must be named."""
        names = [one.name for one in self.observers]
        if observer is None and len(names) == 1:
            return 0
        if observer is None:
            raise DivulgeError("the problem has several observers, and this is about one of them", f"say which: observer={names[0]!r}")
        called = observer.name if isinstance(observer, Observer) else observer
        if called not in names or called is None:
            known = [name for name in names if name is not None]
            help = did_you_mean(text(called), known) or (f"there is {some(known)}" if known else "the observer has no name: leave it out")
            raise DivulgeError(f"no observer is called `{text(called)}`", help)
        return names.index(called)

    def _build(self, plan: Optional[Plan], specs: Sequence[Optional[MapSpec]]) -> Built[S]:
        """The problem with this plan and these maps in the native half."""
        kept = [spec is one.map for spec, one in zip(specs, self.observers)]
        own = plan is self.plan and all(kept)
        if own and self._own is not None and same(self._own_of, self._parts()):
            return self._own
        if self._gap is not None and any(same and one.map is not None for same, one in zip(kept, self.observers)):
            self._gap.check_map()
        built = build(self.world, self.observers, plan, specs, self.costs, self.name)
        if own:
            self._own, self._own_of = built, self._parts()
        return built

    def _parts(self) -> List[Any]:
        """What the problem is made of: whoever changes some of it has another problem."""
        parts: List[Any] = [self.world, self.plan, self.name, *self.costs.items(), *self.observers]
        for one in self.observers:
            known = [one.knows] if isinstance(one.knows, (str, Graph)) else one.knows
            parts += [one.name, *known, one.map, one.filter, one.constraints, *one.stipulations]
        return parts

    def _maps(self) -> List[Optional[MapSpec]]:
        for one in self.observers:
            one._check()
        return [one.map for one in self.observers]

    def _itself(self) -> Built[S]:
        return self._build(self.plan, self._maps())

    def _with(self, plan: Optional[Plan], map: AnyMap) -> Built[S]:
        specs = self._maps()
        if map is not None:
            lacking = [number for number, spec in enumerate(specs) if spec is None]
            if not lacking and len(specs) > 1:
                raise DivulgeError(
                    "it is unclear whose map is given: each of the observers has one already",
                    "give the observers of the problem their maps; `map` is for one who has none",
                )
            specs[lacking[0] if lacking else 0] = MapSpec.make(map)
        return self._build(self.plan if plan is None else plan, specs)

    def _without_map(self, plan: Optional[Plan], any_map: bool) -> Built[S]:
        specs = self._maps()
        if None not in specs and len(specs) > 1:
            raise DivulgeError(
                "this question seeks a map, but each of the observers has one already",
                "leave out the map of the one it is sought for; `check` and `seek_plan` take the maps as they are",
            )
        if None not in specs and not any_map:
            raise DivulgeError(
                "this question seeks a map, but the observer has one already",
                "leave the map out, or set it aside with any_map=True; `check` and `seek_plan` take it as it is",
            )
        return self._build(plan, specs if len(specs) > 1 else [None])

    def _warn(self, built: Built[S], audit: bool = False) -> None:
        """Warns of probable mistakes, of each once."""
        for one in built.findings(audit):
            if one.message not in self._warned:
                self._warned.add(one.message)
                warn(str(one))


def same(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether these are the same things, and not only equal ones."""
    return len(some) == len(others) and all(
        a is b or (isinstance(a, tuple) and a == b) or (isinstance(a, str) and a == b) for a, b in zip(some, others)
    )
