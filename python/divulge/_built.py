"""Problems in the native half, and how they get there."""

from __future__ import annotations

from typing import Any, Dict, Generic, Iterable, List, Mapping, Optional, Tuple, Union

from . import _divulge
from ._compile import Compiler
from ._labels import Labels
from ._limits import NONE, Limits
from ._text import key, plain, scalar, unique
from .errors import Diagnostic, DivulgeError
from .estimate import Estimate
from .formula import AnyFormula, formula
from .graph import Graph, Label, Spec
from .label_map import Image, LabelMap, MapSpec, check_group, check_image, image_names
from .notebook import Page
from .observer import MapConstraints, Observer, Stipulation
from .plan import Plan
from .world import S, World


class Built(Generic[S]):
    """A problem in the native half, with what its numbers stand for."""

    def __init__(
        self,
        native: _divulge.Problem,
        world: World[S],
        labels: Labels,
        label_map: Optional[LabelMap],
        images: Mapping[str, Image],
        plan: Optional[Plan],
        stipulations: List[Stipulation],
        fixed: Mapping[str, Image],
    ) -> None:
        self.native, self.world, self.labels = native, world, labels
        self.label_map, self.images, self.plan = label_map, images, plan
        self.stipulations = stipulations
        #: images that the constraints fix, by name
        self.fixed = fixed
        self._findings: Dict[bool, List[Diagnostic]] = {}
        if label_map is not None:
            label_map._drawn = lambda asked: _divulge.draw_map(native, asked) or ""

    def estimate(self, vertices: Iterable[int]) -> Estimate[S]:
        """Vertices as the user's states."""
        return Estimate(self, list(vertices))

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
        text = formula(what).text(compiler)
        found = self.native.holds(text, vertices, compiler.conditions(vertices))
        self.world._doubt(text)
        return found


def build(
    world: World[S],
    observer: Observer,
    plan: Optional[Plan],
    spec: Optional[MapSpec],
    costs: Mapping[Label, int],
    name: Optional[str],
) -> Built[S]:
    """A problem with this plan and this map, whatever map the observer has."""
    labels = world._labels.copy()
    for graph in observer.graphs() + ([] if plan is None else [plan]):
        graph._declare(labels)
    more = labels.native()[len(world._labels) :]
    compiler = Compiler(world)
    resolved = None if spec is None else spec.resolve(labels)
    texts, images = (None, {}) if resolved is None else image_names(resolved, labels)
    fixed: Dict[str, Image] = {}
    native = _divulge.Problem(
        world._native,
        {
            "name": observer.name,
            "map": texts,
            "constraints": _constraints(observer.constraints if spec is None else MapConstraints(), labels, fixed),
            "knows": _knows(observer, labels),
            "filter": _filter(observer.filter, images),
            "stipulations": [(s.name or "", s.scope, s.formula.text(compiler)) for s in observer.stipulations],
        },
        name=name,
        more_labels=more,
        costs=[(labels.number(label), _cost(label, cost)) for label, cost in costs.items()],
        plan=None if plan is None else plan._spec(labels),
        conditions=compiler.conditions(),
        grid=world._grid,
    )
    return Built(native, world, labels, resolved, images, plan, observer.stipulations, fixed)


def _cost(label: Label, cost: int) -> int:
    own = plain(cost)
    if isinstance(own, bool) or not isinstance(own, int) or not 0 <= own < 2**64:
        raise DivulgeError(f"the cost of {label!r} cannot be {cost!r}", "give an integer, 0 or more")
    return own


def _constraints(given: MapConstraints, labels: Labels, fixed: Dict[str, Image]) -> Dict[str, Any]:
    def groups(every: Iterable[Any], what: str) -> List[List[int]]:
        return [[labels.number(label) for label in check_group(one, what)] for one in every]

    names: Dict[Any, str] = {}
    for label, image in given.fixed.items():
        if key(check_image(label, image)) not in names:
            called = unique(str(scalar(image)), fixed)
            names[key(image)] = called
            fixed[called] = image
    return {
        "merge": groups(given.merge, "merge"),
        "separate": groups(given.separate, "separate"),
        "fixed": [(labels.number(label), names[key(image)]) for label, image in given.fixed.items()],
        "max_images": given.max_images,
        "min_images": given.min_images,
        "merge_cost": [
            (labels.number(a), labels.number(b), _cost((a, b), cost)) for (a, b), cost in given.merge_cost.items()
        ],
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
