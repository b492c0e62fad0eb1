"""Observers: what they see, what they know, how they remember, and what is stipulated of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Hashable,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
    overload,
)

from ._text import plain, text
from .errors import DivulgeError
from .formula import AnyFormula, Formula, Predicate, formula
from .graph import Graph, Label
from .label_map import AnyMap, MapSpec
from .plan import Plan

if TYPE_CHECKING:
    from .problem import Problem
    from .watch import Watch


_SCOPES = ("always", "end", "run", "hindsight")


@dataclass(frozen=True)
class Stipulation:
    """What must hold of the observer's estimate, and when.

    The scope is ``"always"``, the ``"end"`` of the plan, a whole ``"run"``, whose formula speaks of several moments, or ``"hindsight"``:
    also of what the observer makes of a moment later, at most ``within`` images later if that is given.
    """

    formula: Formula
    scope: str = "always"
    name: Optional[str] = None
    within: Optional[int] = None

    def __post_init__(self) -> None:
        if self.scope not in _SCOPES:
            raise DivulgeError(f"there is no scope `{text(self.scope)}`", f"the scopes are {', '.join(_SCOPES)}")
        most = plain(self.within)
        if most is not None and self.scope != "hindsight":
            raise DivulgeError("`within` goes with hindsight alone", f"the scope is `{self.scope}`: leave `within` out")
        if most is not None and (isinstance(most, bool) or not isinstance(most, int) or not 0 <= most < 2**32):
            raise DivulgeError(f"`within` cannot be {self.within!r}", "give a number of images from 0 to 4294967295; for any number, leave `within` out")
        if self.scope != "run" and self.formula.temporal:
            raise DivulgeError(
                f"`{self.formula!r}` speaks of several moments, and the scope `{self.scope}` is about single ones",
                "stipulate it by itself: its scope is `run` then",
            )


@overload
def always(what: AnyFormula, name: None = None) -> Formula: ...
@overload
def always(what: AnyFormula, name: str) -> Stipulation: ...
def always(what: AnyFormula, name: Optional[str] = None) -> Union[Formula, Stipulation]:
    """It holds after every event, and before the first; inside another formula: now, and at all later moments.

    With a ``name``, a stipulation that has this name.
    """
    made = Formula._make(("always", formula(what)))
    return made if name is None else _stated(made, name)


def hindsight(what: AnyFormula, within: Optional[int] = None, name: Optional[str] = None) -> Stipulation:
    """A stipulation that must always hold, and still of what the observer makes of a moment later on.

    With ``within``, at most so many images later.
    """
    return Stipulation(formula(what), "hindsight", name, within)


def _stated(what: AnyFormula, name: Optional[str] = None) -> Stipulation:
    """A formula as a stipulation: one that speaks of several moments is about a run."""
    made = formula(what)
    op, *rest = made._node
    first = rest[0].split() if op == "raw" else [""]
    if first[:1] == ["hindsight"] or first[:2] == ["at", "end"]:
        called = "hindsight(…, within=…)" if first[0] == "hindsight" else "at_end(…)"
        raise DivulgeError(f"`{rest[0]}` is not a formula", f"when it must hold is said outside the text: {called}")
    if op == "always" and not rest[0].temporal:
        return Stipulation(rest[0], "always", name)
    return Stipulation(made, "run" if made.temporal else "always", name)


def at_end(what: AnyFormula, name: Optional[str] = None) -> Stipulation:
    """A stipulation that must hold where the plan terminates."""
    return Stipulation(formula(what), "end", name)


AnyStipulation = Union[Stipulation, AnyFormula]
AnyStipulations = Union[Mapping[str, AnyStipulation], Sequence[AnyStipulation], AnyStipulation]


@dataclass(frozen=True)
class MapConstraints:
    """What a sought map must respect.

    ``merge`` and ``separate`` are groups of labels that must look alike, or any two of which must look different; ``fixed``
    gives labels their images; ``max_images`` and ``min_images`` are the largest and the smallest number of images; ``merge_cost`` says
    what it costs to merge two labels: ``{("left", "right"): 3}``. ``unseen`` lists labels that the observer does not notice at all.
    """

    merge: Sequence[Iterable[Label]] = ()
    separate: Sequence[Iterable[Label]] = ()
    fixed: Mapping[Label, Hashable] = field(default_factory=dict)
    max_images: Optional[int] = None
    merge_cost: Mapping[Tuple[Label, Label], int] = field(default_factory=dict)
    min_images: Optional[int] = None
    unseen: Sequence[Label] = ()


AnyKnowledge = Union[str, Plan, Graph, Sequence[Plan]]


class Observer:
    """Somebody who watches the robot.

    - ``knows``: ``"plan"`` (the robot's plan itself), ``"goal-directed"`` (that it is some plan that solves the world),
      ``"world"`` (nothing of the plan), plans (that it is one of these), or a :class:`Graph` of executions.
    - ``map``: what events look like: a dictionary from labels to images or a function of a label; labels that a dictionary
      does not mention look like themselves, or like ``others``. ``{}``: everything looks like itself. The image ``None`` is no image:
      the observer does not notice the event at all. Without a map, one is to be sought.
    - ``merge``: a map given as groups of labels that look alike: ``merge=[("left", "right")]``.
    - ``unseen``: labels that the observer does not notice at all, beside ``map`` or ``merge``, or alone.
    - ``stipulate``: formulas, which must always hold or speak of a run, :func:`at_end` or :func:`hindsight`, in a list or in a
      dictionary by name.
    - ``filter``: ``"strongest"`` (remembers all that it sees), ``"image"``, or a :class:`Graph` over images.
    - ``constraints``: what a sought map must respect.
    """

    def __init__(
        self,
        *,
        knows: AnyKnowledge,
        map: AnyMap = None,
        merge: Optional[Iterable[Iterable[Label]]] = None,
        others: Any = None,
        unseen: Optional[Iterable[Label]] = None,
        stipulate: AnyStipulations = (),
        filter: Union[str, Graph] = "strongest",
        constraints: Optional[MapConstraints] = None,
        name: Optional[str] = None,
    ) -> None:
        if name is not None and not isinstance(name, str):
            raise DivulgeError(f"an observer cannot be called {name!r}", 'its name is a text: Observer(name="nurse", …)')
        self.name = name
        self.knows = [knows] if isinstance(knows, Plan) else knows
        self.filter = filter
        self.map = MapSpec.make(map, merge, others, unseen)
        self.constraints = constraints or MapConstraints()
        self.stipulations = _named(stipulate)
        self._problem: Optional[Problem[Any]] = None
        self._check()
        if not isinstance(self.constraints, MapConstraints):
            raise DivulgeError("constraints are not given as MapConstraints", 'for example MapConstraints(merge=[("left", "right")])')
        if self.map is not None and constraints is not None:
            raise DivulgeError(
                "the observer has both a map and constraints on a map",
                "constraints are for a map that is sought: leave one of the two out",
            )

    def _check(self) -> None:
        """Refuses what no observer can be; whoever changes one later may give anything."""
        if isinstance(self.knows, Plan):
            self.knows = [self.knows]
        if not isinstance(self.map, MapSpec):
            self.map = MapSpec.make(self.map)
        if not _can_be_known(self.knows):
            raise DivulgeError(
                f"an observer cannot know `{text(self.knows)}`",
                'an observer knows "plan", "goal-directed", "world", a list of plans or a graph',
            )
        if self.filter not in ("strongest", "image") and not isinstance(self.filter, Graph):
            raise DivulgeError(f"there is no filter `{text(self.filter)}`", 'a filter is "strongest", "image" or a graph over images')
        if not all(isinstance(one, Stipulation) for one in self.stipulations):
            raise DivulgeError("`stipulations` has something in it that is no Stipulation", "append always(…, name=…), at_end(…) or hindsight(…)")

    def _bound(self, problem: Problem[Any]) -> Observer:
        """The same observer, of one problem."""
        bound = Observer.__new__(Observer)
        bound.__dict__.update(self.__dict__, _problem=problem, stipulations=list(self.stipulations))
        return bound

    def __reduce__(self) -> Any:
        own = [] if self._problem is None else self._problem.observers
        number = next((i for i, one in enumerate(own) if one is self), None)
        if number is not None:
            return _of_problem, (self._problem, number)
        return _again, ({name: value for name, value in self.__dict__.items() if name != "_problem"},)

    def __copy__(self) -> Observer:
        other = Observer.__new__(Observer)
        other.__dict__.update(self.__dict__, stipulations=list(self.stipulations))
        return other

    def __deepcopy__(self, memo: Any) -> Observer:
        return self.__copy__()

    def watch(self, *, plan: Optional[Plan] = None, map: AnyMap = None) -> Watch[Any]:
        """Follows what this observer sees; the observer must be that of a problem: ``problem.observer.watch()``."""
        if self._problem is None:
            raise DivulgeError("this observer has nothing to watch", "ask the observer of a problem: problem.observer.watch()")
        return self._problem.watch(plan=plan, map=map, observer=None if len(self._problem.observers) == 1 else self.name)

    def graphs(self) -> List[Graph]:
        """The plans or the graph that it knows."""
        if isinstance(self.knows, Graph):
            return [self.knows]
        return [] if isinstance(self.knows, str) else list(self.knows)

    def __repr__(self) -> str:
        called = f" {self.name!r}" if self.name else ""
        what = self.knows if isinstance(self.knows, str) else type(self.knows).__name__
        sees = "no map" if self.map is None else repr(self.map)
        names = ", ".join(f"{one.name} [{_when(one)}]" for one in self.stipulations)
        return f"<Observer{called}: knows {what}, sees {sees}, stipulations: {names or 'none'}>"


def _of_problem(problem: Problem[Any], number: int) -> Observer:
    """An observer that was sent with its problem."""
    return problem.observers[number]


def _again(parts: Dict[str, Any]) -> Observer:
    """An observer that was sent alone."""
    made = Observer.__new__(Observer)
    made.__dict__.update(parts, _problem=None)
    return made


def _when(one: Stipulation) -> str:
    return one.scope if one.within is None else f"{one.scope} within {one.within}"


def _can_be_known(knows: Any) -> bool:
    if isinstance(knows, str):
        return knows in ("plan", "goal-directed", "world")
    return isinstance(knows, Graph) or (
        isinstance(knows, (list, tuple)) and all(isinstance(plan, Plan) for plan in knows)
    )


def _named(given: AnyStipulations) -> List[Stipulation]:
    if isinstance(given, (str, Predicate, Formula, Stipulation)):
        given = [given]
    if not isinstance(given, Iterable):
        raise DivulgeError(
            f"{given!r} is nothing that can be stipulated", 'give formulas in a list or by name: stipulate={"secret": ~knows(P.secret)}'
        )
    pairs: List[Tuple[Optional[str], AnyStipulation]]
    if isinstance(given, Mapping):
        pairs = [(str(name), one) for name, one in given.items()]
    else:
        pairs = [(None, one) for one in given]
    made = []
    for number, (name, one) in enumerate(pairs, 1):
        whole = one if isinstance(one, Stipulation) else _stated(one)
        made.append(Stipulation(whole.formula, whole.scope, name or whole.name or f"stipulation {number}", whole.within))
    return made
