"""Every map that would do: how many, the finest and the coarsest."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Generic, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _divulge
from ._limits import Size, Time, either, limits
from .answer import Answer, Figures, Sought, smaller_search
from .errors import NoAnswer
from .graph import Label
from .notebook import Drawn
from .world import S

if TYPE_CHECKING:
    from ._built import Built
    from .problem import Problem


class MapCounts(NamedTuple):
    """How many maps are decided."""

    #: maps that would do, at least
    feasible: int
    #: maps that would not, at least
    infeasible: int
    #: how many maps there are that respect the constraints
    maps: int

    @property
    def undecided(self) -> int:
        """How many are not decided yet, at most."""
        return max(0, self.maps - self.feasible - self.infeasible)


class Frontier(Answer, Drawn, Generic[S]):
    """Every map that would do, by its extremes."""

    def __init__(
        self,
        problem: Problem[S],
        built: Built[S],
        given: bool,
        options: Mapping[str, Any],
        native: Union[_divulge.Frontier, _divulge.Unknown],
        figures: Optional[Figures] = None,
    ) -> None:
        self._problem, self._built, self._given, self._options, self._native = problem, built, given, options, native
        self._took(native, figures, smaller_search(options))
        if isinstance(native, _divulge.Frontier):
            self.verdict = "found" if native.counts()[0] else "none"

    def _known(self) -> _divulge.Frontier:
        if isinstance(self._native, _divulge.Unknown):
            raise NoAnswer(
                f"not all maps are decided: the {self.limit} limit was hit first",
                "look at `verdict` first; `so_far` has the counts until then",
            )
        return self._native

    @property
    def so_far(self) -> Optional[MapCounts]:
        """How many maps are decided, also where a limit was hit; ``None`` if it was hit before any map was decided."""
        if isinstance(self._native, _divulge.Unknown):
            counts = self._native.counts()
            return None if counts is None else MapCounts(*counts)
        return MapCounts(self.feasible, self.maps - self.feasible, self.maps)

    @property
    def feasible(self) -> int:
        """How many maps would do."""
        return self._known().counts()[0]

    @property
    def maps(self) -> int:
        """How many maps there are that respect the constraints."""
        return self._known().counts()[1]

    def to_svg(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """A picture of the frontier: the finest and the coarsest maps. Without limits of its own, it keeps to those of the question."""
        known = self._known()
        return _divulge.draw_frontier(known, either(limits(time_limit, memory_limit), known.limits()))

    def _can_be_drawn(self) -> bool:
        return not isinstance(self._native, _divulge.Unknown)

    def _extremes(self, finest: bool) -> List[Sought[S]]:
        what = "map" if self._given else "both"
        return [Sought(self._problem, self._built, what, one) for one in self._known().extremes(finest)]

    @property
    def finest(self) -> List[Sought[S]]:
        """The maps that would do of which no finer one would, each with a shortest plan."""
        return self._extremes(True)

    @property
    def coarsest(self) -> List[Sought[S]]:
        """The maps that would do of which no coarser one would, each with a shortest plan."""
        return self._extremes(False)

    def to_pandas(self) -> Any:
        """A data frame with a row for each of the finest and the coarsest maps: what looks alike, and the worst case."""
        pandas: Any = importlib.import_module("pandas")

        columns = ["extreme", "images", "alike", "events", "cost"]
        return pandas.DataFrame(list(self._rows()), columns=columns)

    def _rows(self) -> List[Tuple[str, int, List[Tuple[Label, ...]], int, int]]:
        rows = []
        for extreme, every in (("finest", self.finest), ("coarsest", self.coarsest)):
            for one in every:
                events, cost = one._found().worst_case()[:2]
                rows.append((extreme, len(one.map.images), one.map.groups, events, cost))
        return rows

    def explain(self) -> str:
        """The answer in words, as on the command line."""
        if isinstance(self._native, _divulge.Unknown):
            return self._unknown(self._native)
        return self._native.explain()

    def to_json(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """The answer as a JSON object, as ``divulge --json`` prints it."""
        return self._native.json(limits(time_limit, memory_limit))

    def __repr__(self) -> str:
        if isinstance(self._native, _divulge.Unknown):
            told = self.so_far
            counts = "" if told is None else f", at least {told.feasible} of {told.maps} maps would do"
            return f"<Frontier: unknown ({self.limit} limit){counts}>"
        return (
            f"<Frontier: {self.feasible} of {self.maps} maps would do; "
            f"{len(self.finest)} finest, {len(self.coarsest)} coarsest>"
        )
