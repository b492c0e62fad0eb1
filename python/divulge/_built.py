"""Problems in the native half, and how they get there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Dict, Generic, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _divulge
from ._compile import Compiler
from ._json import digest, texts
from ._labels import Labels
from ._limits import NONE, Limits
from ._sent import Tables
from ._text import key, listed, plain, scalar, some, text, unique
from .errors import Diagnostic, DivulgeError
from .estimate import Estimate
from .formula import AnyFormula, formula
from .graph import Graph, Label, Spec
from .label_map import Image, LabelMap, MapSpec, check_group, image_names
from .notebook import Page
from .observer import MapConstraints, Observer, Stipulation
from .plan import Plan
from .world import S, World


@dataclass(frozen=True)
class Seat:
    """One observer of a problem in the native half, with what its numbers stand for."""

    number: int
    name: Optional[str]
    label_map: Optional[LabelMap]
    #: the images of the map by name
    images: Mapping[str, Image]
    stipulations: List[Stipulation]
    #: images that the constraints fix, by name
    fixed: Mapping[str, Image]


class Built(Generic[S]):
    """A problem in the native half, with what its numbers stand for."""

    def __init__(
        self, native: _divulge.Problem, world: World[S], labels: Labels, plan: Optional[Plan], seats: Sequence[Seat]
    ) -> None:
        self.native, self.world, self.labels, self.plan = native, world, labels, plan
        self.seats = list(seats)
        self._findings: Dict[bool, List[Diagnostic]] = {}
        self._digest: Optional[str] = None
        self._numbers: Optional[Dict[str, int]] = None
        for seat in self.seats:
            if seat.label_map is not None:
                seat.label_map._drawn = self._drawn(seat.number)

    def __reduce__(self) -> Any:
        name, costs, grid = self.native.rest()
        tables = Tables(self.world)
        seats = [replace(seat, stipulations=tables.stipulations(seat.stipulations)) for seat in self.seats]
        parts: Dict[str, Any] = {"name": name, "costs": costs, "grid": grid, "gap": None}
        parts["conditions"] = self.native.conditions(self.world._native)
        try:
            self.native.check_map()
        except DivulgeError as error:
            parts["gap"] = error.with_traceback(None)
        labels = None if self.labels is self.world._labels else self.labels
        return _again, (self.world, labels, self.plan, seats, self.native.observers(), parts, self._findings)

    def __copy__(self) -> Built[S]:
        return self

    def __deepcopy__(self, memo: Any) -> Built[S]:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Built):
            return NotImplemented
        return self is other or (self.digest == other.digest and self.world == other.world)

    def __hash__(self) -> int:
        return hash(self.digest)

    def _drawn(self, number: int) -> Any:
        return lambda asked: _divulge.draw_map(self.native, number, asked) or ""

    @property
    def digest(self) -> str:
        """What tells this problem from others: its world, its plan, and its observers with all that is stipulated."""
        if self._digest is None:
            document = json.loads(self.native.to_json(NONE))
            document.pop("name", None)
            labels = [[name, type(value).__name__] for name, value in zip(self.labels.texts, self.labels.values)]
            self._digest = digest([document, labels, self.world.digest])
        return self._digest

    def vertices(self, names: Any, what: str) -> List[int]:
        """The vertices of the world that are called so."""
        if self._numbers is None:
            self._numbers = {name: v for v, name in enumerate(self.world._names)}
        try:
            return [self._numbers[name] for name in texts(names, what, "vertices")]
        except KeyError as error:
            raise DivulgeError(f"the world has no vertex `{error.args[0]}`", "give what `to_json()` wrote, unchanged") from None

    @property
    def sought(self) -> Seat:
        """The observer whose map is sought: the first that has none, else the first of all."""
        return next((seat for seat in self.seats if seat.label_map is None), self.seats[0])

    def estimate(self, vertices: Iterable[int], seat: Optional[Seat] = None) -> Estimate[S]:
        """Vertices as the user's states."""
        return Estimate(self, list(vertices), 0 if seat is None else seat.number)

    def label(self, number: int) -> Label:
        """A label's own value."""
        return self.labels.values[number]

    def findings(self, audit: bool) -> List[Diagnostic]:
        """Probable mistakes, looked for once."""
        if audit not in self._findings:
            self._findings[audit] = self.native.lint(audit)
        return self._findings[audit]

    def explore(
        self,
        execution: Optional[Iterable[Label]] = None,
        note: Optional[Tuple[str, str]] = None,
        asked: Limits = NONE,
    ) -> Page:
        """The explorer for this problem."""
        events = None if execution is None else [self.labels.texts[self.labels.number(label)] for label in execution]
        return Page(_divulge.explore(self.native, events, note, asked))

    def holds(self, what: AnyFormula, vertices: List[int]) -> bool:
        """Whether a formula holds of a set of vertices."""
        compiler = Compiler(self.world)
        made = formula(what)
        asked = made.text(compiler)
        about = "speaks of several moments" if made.temporal else "asks about the way to a state" if _past(asked) else None
        if about is not None:
            raise DivulgeError(
                f"`{asked}` {about}, and an estimate holds only the states of one moment",
                "stipulate it of the observer, by a name: watch.stipulations[name] and moment.stipulations[name] then say whether it holds",
            )
        found = self.native.holds(asked, vertices, compiler.conditions(vertices))
        self.world._doubt(asked)
        return found


def _past(asked: str) -> bool:
    """Whether a formula's text asks about the past; what stands in quotes is a name or a value."""
    return any(word[1] for word in re.finditer(r'"(?:[^"\\]|\\.)*"|\b(was|initially)\b', asked))


def _again(
    world: World[S],
    labels: Optional[Labels],
    plan: Optional[Plan],
    seats: List[Seat],
    observers: List[Dict[str, Any]],
    parts: Dict[str, Any],
    findings: Dict[bool, List[Diagnostic]],
) -> Built[S]:
    """A problem in the native half that was sent."""
    labels = world._labels if labels is None else labels
    more = labels.native()[len(world._labels) :]
    spec = None if plan is None else plan._spec(labels)
    native = _divulge.Problem(world._native, observers, more_labels=more, plan=spec, **parts)
    built = Built(native, world, labels, plan, seats)
    built._findings = findings
    return built


def build(
    world: World[S],
    observers: Sequence[Observer],
    plan: Optional[Plan],
    specs: Sequence[Optional[MapSpec]],
    costs: Mapping[Label, int],
    name: Optional[str],
) -> Built[S]:
    """A problem with this plan and these maps, whatever maps the observers have."""
    labels = world._labels.copy()
    graphs = [graph for observer in observers for graph in observer.graphs()]
    for graph in graphs + ([] if plan is None else [plan]):
        graph._declare(labels)
    more = labels.native()[len(world._labels) :]
    compiler = Compiler(world)
    seats: List[Seat] = []
    given: List[Dict[str, Any]] = []
    for number, (observer, spec) in enumerate(zip(observers, specs)):
        seat, parts = _seat(number, observer, spec, labels, compiler)
        seats.append(seat)
        given.append(parts)
    native = _divulge.Problem(
        world._native,
        given,
        name=name,
        more_labels=more,
        costs=[(labels.number(label), _cost(label, cost)) for label, cost in costs.items()],
        plan=None if plan is None else plan._spec(labels),
        conditions=compiler.conditions(),
        grid=world._grid,
    )
    return Built(native, world, labels, plan, seats)


def _seat(
    number: int, observer: Observer, spec: Optional[MapSpec], labels: Labels, compiler: Compiler
) -> Tuple[Seat, Dict[str, Any]]:
    """An observer with a map, or without one, and what the native half is given."""
    resolved = None if spec is None else spec.resolve(labels)
    texts: Optional[List[Optional[str]]] = None
    images: Dict[str, Image] = {}
    if resolved is not None:
        texts, images = image_names(resolved, labels)
    fixed: Dict[str, Image] = {}
    constraints = _constraints(observer.constraints, labels, fixed) if spec is None else _constraints(None, labels, fixed)
    parts = {
        "name": observer.name,
        "map": texts,
        "constraints": constraints,
        "knows": _knows(observer, labels),
        "filter": _filter(observer.filter, images),
        "stipulations": [(s.name or "", s.scope, s.within, s.formula.text(compiler)) for s in observer.stipulations],
    }
    return Seat(number, observer.name, resolved, images, list(observer.stipulations), fixed), parts


def _cost(label: Label, cost: int) -> int:
    own = plain(cost)
    if isinstance(own, bool) or not isinstance(own, int) or not 0 <= own < 2**64:
        raise DivulgeError(f"the cost of {label!r} cannot be {cost!r}", "give an integer, 0 or more")
    return own


def _images(what: str, most: Optional[int]) -> Optional[int]:
    own = plain(most)
    if own is not None and (isinstance(own, bool) or not isinstance(own, int) or not 0 <= own < 2**63):
        raise DivulgeError(f"`{what}` cannot be {most!r}", "give a number of images, 0 or more")
    return None if own is None else int(own)


def _merging(pair: Any, numbers: List[int], cost: int) -> Tuple[int, int, int]:
    if len(numbers) != 2:
        raise DivulgeError(f"`merge_cost` is about two labels, not about {pair!r}", 'for example merge_cost={("left", "right"): 3}')
    return numbers[0], numbers[1], _cost(pair, cost)


def _constraints(constraints: Optional[MapConstraints], labels: Labels, fixed: Dict[str, Image]) -> Dict[str, Any]:
    """Constraints on a map that is sought, or none."""
    given = constraints or MapConstraints()
    for what, every in (("fixed", given.fixed), ("merge_cost", given.merge_cost)):
        if not isinstance(every, Mapping):
            raise DivulgeError(f"`{what}` cannot be {every!r}", "give a dictionary")
    # What nobody sees by itself is unseen in every map.
    unseen = [] if constraints is None else [labels.number(label) for label in dict.fromkeys([*listed(given.unseen), *labels.unseen])]
    hidden = {labels.number(label) for label in listed(given.unseen)}

    def number(label: Label, what: str) -> int:
        found = labels.number(label)
        if found in hidden:
            raise DivulgeError(
                f"`{text(label)}` is to be unseen, but it is also in `{what}`",
                "an event that is not seen at all cannot look like anything: leave it out of one of the two",
            )
        return found

    def group(given: Any, what: str) -> List[int]:
        found = [number(label, what) for label in check_group(given, what)]
        if len({labels.observation[one] for one in found}) > 1:
            raise DivulgeError(
                f"`{what}` has actions and observations in one group: {some([labels.texts[one] for one in found])}",
                "a map that is sought never makes an action look like an observation: list each kind by itself",
            )
        return found

    def groups(every: Iterable[Any], what: str) -> List[List[int]]:
        return [group(one, what) for one in listed(every)]

    names: Dict[Any, str] = {}
    for label, image in given.fixed.items():
        if image is None:
            raise DivulgeError(
                f"the image that `fixed` gives `{text(label)}` is None", "an event that is not seen at all goes into `unseen`"
            )
        if key(image) not in names:
            called = unique(str(scalar(image)), fixed)
            names[key(image)] = called
            fixed[called] = image
    return {
        "merge": groups(given.merge, "merge"),
        "separate": groups(given.separate, "separate"),
        "fixed": [(number(label, "fixed"), names[key(image)]) for label, image in given.fixed.items()],
        "max_images": _images("max_images", given.max_images),
        "min_images": _images("min_images", given.min_images),
        "merge_cost": [_merging(pair, group(pair, "merge_cost"), cost) for pair, cost in given.merge_cost.items()],
        "unseen": sorted(unseen),
    }


def _knows(observer: Observer, labels: Labels) -> Tuple[str, List[Spec]]:
    knows = observer.knows
    if isinstance(knows, str):
        return knows, []
    word = "graph" if isinstance(knows, Graph) else "plans"
    return word, [graph._spec(labels) for graph in observer.graphs()]


def _filter(given: Union[str, Graph], images: Mapping[str, Image]) -> Tuple[str, List[Spec], List[str]]:
    if isinstance(given, str):
        return given, [], []
    # The filter's labels are images: those of the map by their names, others by names of their own.
    named: Dict[Any, str] = {key(image): name for name, image in images.items()}
    number: Dict[Any, int] = {}
    texts: List[str] = []
    for _, image, _ in given._arcs:
        if image not in number:
            called = named.get(key(image), str(scalar(image)))
            while key(image) not in named and (called in images or called in texts):
                called += "'"
            number[image] = len(texts)
            texts.append(called)
    return "graph", [given._numbered(number)], texts
