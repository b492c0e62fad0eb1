"""Problems: a world, perhaps a plan, and an observer; and the questions that can be asked of them."""

from __future__ import annotations

import os
import warnings
from typing import Any, Callable, Dict, Generic, Hashable, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _divulge
from ._compile import Compiler
from ._labels import Labels
from ._limits import Size, limits
from ._text import scalar
from .answer import Frontier, Sought, Verdict, frontier_of, sought_of, verdict_of
from .errors import Diagnostic, DivulgeError, DivulgeWarning
from .estimate import Estimate, Trace, trace_of
from .formula import AnyFormula, formula
from .graph import Graph, Label, Spec
from .label_map import AnyMap, Image, LabelMap, MapSpec, image_names
from .notebook import Page
from .observer import MapConstraints, Observer, Stipulation
from .plan import Plan
from .watch import Watch
from .world import S, World


class Progress(NamedTuple):
    """How far a question has come."""

    doing: str
    explored: int
    stored: int
    maps: int
    learnt: int
    seconds: float


OnProgress = Optional[Callable[[Progress], object]]


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
    ) -> None:
        self.native, self.world, self.labels = native, world, labels
        self.label_map, self.images, self.plan = label_map, images, plan
        self.stipulations = stipulations
        if label_map is not None:
            label_map._drawn = lambda: _divulge.draw_map(native) or ""
        #: images that the constraints fix, by name
        self.fixed: Dict[str, Image] = {}

    def estimate(self, vertices: Iterable[int]) -> Estimate[S]:
        """Vertices as the user's states."""
        return Estimate(self, list(vertices))

    def label(self, number: int) -> Label:
        """A label's own value."""
        return self.labels.values[number]

    def explore(self, execution: Optional[Iterable[Label]] = None, note: Optional[Tuple[str, str]] = None) -> Page:
        """The explorer for this problem."""
        events = None if execution is None else [self.labels.texts[self.labels.number(label)] for label in execution]
        return Page(_divulge.explore(self.native, events, note))

    def holds(self, what: AnyFormula, vertices: List[int]) -> bool:
        """Whether a formula holds of a set of vertices."""
        compiler = Compiler(self.world)
        text = formula(what).text(compiler)
        return self.native.holds(text, vertices, compiler.conditions(vertices))


class Problem(Generic[S]):
    """A whole question: a world, an observer, perhaps a plan, and what events cost.

    The questions take the problem's own plan and map unless they are given others. ``costs`` are integers from 0; without one,
    an action costs 1 and an observation nothing.
    """

    def __init__(
        self,
        world: World[S],
        observer: Observer,
        *,
        plan: Optional[Plan] = None,
        costs: Optional[Mapping[Label, int]] = None,
        name: Optional[str] = None,
    ) -> None:
        self.world: World[S] = world
        self.observer: Observer = observer._bound(self)
        self.plan: Optional[Plan] = plan
        self.costs: Dict[Label, int] = dict(costs or {})
        self.name: Optional[str] = name if name is not None else world.name
        #: what is probably not meant, in a problem that was read
        self.warnings: List[Diagnostic] = []
        self._own: Optional[Built[S]] = None
        self._gap: Optional[_divulge.Problem] = None
        self._build(plan, self.observer.map)

    @classmethod
    def _read(cls, native: _divulge.Problem, found: List[Diagnostic]) -> Problem[str]:
        name, costs, grid = native.rest()
        world = World._read(native.world(), name, grid)
        labels = world._labels
        observer = _observer(native.observer(), labels)
        spec = native.plan()
        plan: Optional[Plan] = None if spec is None else Plan._read(spec, labels.values)
        problem: Problem[str] = Problem.__new__(Problem)
        problem.world, problem.plan, problem.name = world, plan, name
        problem.observer = observer._bound(problem)
        problem.costs = {labels.values[label]: cost for label, cost in costs}
        problem.warnings, problem._gap = found, native
        resolved = None if observer.map is None else observer.map.resolve(labels)
        images = {} if resolved is None else image_names(resolved, labels)[1]
        problem._own = Built(native, world, labels, resolved, images, plan, observer.stipulations)
        problem._own.fixed = {str(image): image for image in observer.constraints.fixed.values()}
        return problem

    def _build(self, plan: Optional[Plan], spec: Optional[MapSpec]) -> Built[S]:
        """The problem with this plan and this map in the native half."""
        own = plan is self.plan and spec is self.observer.map
        if own and self._own is not None:
            return self._own
        if spec is self.observer.map and self._gap is not None and spec is not None:
            self._gap.check_map()
        labels = self.world._labels.copy()
        given = self.observer.graphs() + ([] if plan is None else [plan])
        for graph in given:
            graph._declare(labels)
        more = labels.native()[len(self.world._labels) :]
        compiler = Compiler(self.world)
        resolved = None if spec is None else spec.resolve(labels)
        texts, images = (None, {}) if resolved is None else image_names(resolved, labels)
        fixed: Dict[str, Image] = {}
        native = _divulge.Problem(
            self.world._native,
            {
                "name": self.observer.name,
                "map": texts,
                "constraints": _constraints(self.observer.constraints if spec is None else MapConstraints(), labels, fixed),
                "knows": _knows(self.observer, labels),
                "filter": _filter(self.observer.filter, images),
                "stipulations": [(s.name or "", s.scope, s.formula.text(compiler)) for s in self.observer.stipulations],
            },
            name=self.name,
            more_labels=more,
            costs=[(labels.number(label), _cost(label, cost)) for label, cost in self.costs.items()],
            plan=None if plan is None else plan._spec(labels),
            conditions=compiler.conditions(),
            grid=self.world._grid,
        )
        built = Built(native, self.world, labels, resolved, images, plan, self.observer.stipulations)
        built.fixed = fixed
        if own:
            self._own = built
        return built

    def _with(self, plan: Optional[Plan], map: AnyMap) -> Built[S]:
        spec = self.observer.map if map is None else MapSpec.make(map, None, None)
        return self._build(self.plan if plan is None else plan, spec)

    def _without_map(self, plan: Optional[Plan], any_map: bool) -> Built[S]:
        if self.observer.map is not None and not any_map:
            raise DivulgeError(
                "the observer has a map, and this question seeks one",
                "leave the map out, or set it aside with any_map=True; `check` and `seek_plan` take it as it is",
            )
        return self._build(plan, None)

    @property
    def map(self) -> Optional[LabelMap]:
        """The observer's map, if there is one."""
        return self._build(self.plan, self.observer.map).label_map

    def check(
        self,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
        *,
        time_limit: Optional[float] = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Verdict[S]:
        """Does the plan solve the world, and does every stipulation hold?"""
        built = self._with(plan, map)
        return verdict_of(built, _divulge.check(built.native, limits(time_limit, memory_limit, _tell(progress))))

    def audit(
        self,
        map: AnyMap = None,
        *,
        plan: Optional[Plan] = None,
        time_limit: Optional[float] = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Verdict[S]:
        """Do the stipulations that must hold always hold whatever the robot does?

        A plan matters only to an observer who knows the plan.
        """
        built = self._with(plan, map)
        return verdict_of(built, _divulge.audit(built.native, limits(time_limit, memory_limit, _tell(progress))))

    def seek_plan(
        self,
        map: AnyMap = None,
        *,
        minimize: str = "events",
        shortest: bool = False,
        engine: str = "native",
        threads: int = 0,
        time_limit: Optional[float] = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Sought[S]:
        """Seeks a plan, the map being given: the one with the least worst case. That there is none is a proof.

        ``minimize``: ``"events"`` or ``"cost"``. ``engine``: ``"native"``, or ``"and-or"``, which finds some plan, for comparison.
        """
        if engine == "and-or" and (shortest or minimize == "cost"):
            raise DivulgeError("the and-or engine finds some plan, neither the shortest nor the cheapest")
        options = _options(minimize, shortest, None, engine, threads)
        built = self._with(None, map)
        asked = limits(time_limit, memory_limit, _tell(progress))
        return sought_of(self, built, "plan", _divulge.seek_plan(built.native, options, asked))

    def seek_map(
        self,
        plan: Optional[Plan] = None,
        *,
        prefer: Optional[str] = None,
        any_map: bool = False,
        shortest: bool = False,
        time_limit: Optional[float] = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Sought[S]:
        """Seeks a map for the plan.

        ``prefer``: the ``"finest"``, the ``"coarsest"`` or the ``"cheapest"`` map; without it, the first that is found.
        ``any_map`` sets aside a map that the observer has.
        """
        given = self.plan if plan is None else plan
        if given is None:
            raise DivulgeError(
                "there is no plan, and `seek_map` seeks a map for one",
                "give a plan, or seek a plan and a map with `seek_both`",
            )
        options = _options("events", False, prefer, "native", 0)
        built = self._without_map(given, any_map)
        asked = limits(time_limit, memory_limit, _tell(progress))
        return sought_of(self, built, "map", _divulge.seek_map(built.native, options, asked))

    def seek_both(
        self,
        *,
        prefer: Optional[str] = None,
        shortest: bool = False,
        minimize: str = "events",
        any_map: bool = False,
        engine: str = "native",
        threads: int = 0,
        time_limit: Optional[float] = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Sought[S]:
        """Seeks a plan and a map. ``shortest`` proves the least number of events over all maps."""
        if engine == "and-or" and (shortest or prefer is not None or minimize == "cost"):
            raise DivulgeError("the and-or engine finds some plan and some map, not the best")
        options = _options(minimize, shortest, prefer, engine, threads)
        built = self._without_map(self.plan, any_map)
        asked = limits(time_limit, memory_limit, _tell(progress))
        return sought_of(self, built, "both", _divulge.seek_both(built.native, options, asked))

    def seek_maps(
        self,
        plan: Optional[Plan] = None,
        *,
        any_plan: bool = False,
        any_map: bool = False,
        shortest: bool = False,
        threads: int = 0,
        time_limit: Optional[float] = None,
        memory_limit: Size = None,
        progress: OnProgress = None,
    ) -> Frontier[S]:
        """Every map with which the plan, or some plan if there is none, would do: how many, the finest and the coarsest.

        ``any_plan`` sets the problem's plan aside: any plan would do, another for each map. The plans listed are always the
        shortest.
        """
        options = _options("events", shortest, None, "native", threads)
        given = self.plan if plan is None else plan
        built = self._without_map(given, any_map)
        asked = limits(time_limit, memory_limit, _tell(progress))
        keep = given is not None and not any_plan
        return frontier_of(self, built, keep, options, _divulge.seek_maps(built.native, keep, options, asked))

    def watch(self, *, plan: Optional[Plan] = None, map: AnyMap = None) -> Watch[S]:
        """Follows what the observer sees, event by event or image by image."""
        return Watch(self._with(plan, map))

    def trace(self, execution: Iterable[Label], *, plan: Optional[Plan] = None, map: AnyMap = None) -> Trace[S]:
        """Follows an execution: what the robot knows, what the observer sees and believes, and what holds."""
        built = self._with(plan, map)
        events = [built.labels.number(label) for label in execution]
        moments, admitted = _divulge.follow(built.native, events, built.plan is not None)
        return trace_of(built, moments, admitted)

    def audit_log(
        self,
        log: Iterable[Any],
        *,
        images: bool = False,
        ended: bool = False,
        plan: Optional[Plan] = None,
        map: AnyMap = None,
    ) -> Trace[S]:
        """What an observer made of a log of events, or of images: the estimate after each, and whether the stipulations held.

        The trace stops where nothing that the observer expects looks like the log. ``ended``: the plan terminated after the
        last event, so that what must hold at the end counts there.
        """
        watch = self.watch(plan=plan, map=map)
        return watch._follow(log, images, ended)

    def explore(
        self, *, plan: Optional[Plan] = None, map: AnyMap = None, execution: Optional[Iterable[Label]] = None
    ) -> Page:
        """The explorer: a page in which one walks through the plan beside its observer, inline in a notebook.

        The problem needs a plan and a map; answers have them filled in: ``problem.seek_plan().explore()``. It opens after the events
        of ``execution``, if they are given.
        """
        return self._with(plan, map).explore(execution)

    def info(self) -> str:
        """How large the problem is, in words."""
        return _divulge.info(self._build(self.plan, self.observer.map).native)[0]

    def lint(self) -> List[Diagnostic]:
        """Probable mistakes."""
        return self._build(self.plan, self.observer.map).native.lint()

    def to_json(self) -> str:
        """The problem document, which the command line and :func:`divulge.loads` read."""
        return self._build(self.plan, self.observer.map).native.to_json()

    def to_model(self) -> str:
        """The problem as a model in the divulge language, its graphs drawn; an error if the language cannot express it."""
        return self._build(self.plan, self.observer.map).native.to_model()

    def to_dot(self, part: str = "world") -> str:
        """A graph for Graphviz: the ``"world"``, the ``"plan"``, the ``"divulged"`` plans or graph, or the ``"filter"``."""
        drawn = self._build(self.plan, self.observer.map).native.to_dot(part)
        if drawn is None:
            raise DivulgeError("the problem has no such graph to draw", 'the "world" is always there')
        return drawn

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the problem to a file: as a model if its name ends in ``.divulge``, else as a problem document."""
        text = self.to_model() if os.fspath(path).endswith(".divulge") else self.to_json()
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def __repr__(self) -> str:
        called = f" {self.name!r}" if self.name else ""
        plan = "no plan" if self.plan is None else f"a plan of {len(self.plan)} vertices"
        return f"<Problem{called}: a world of {len(self.world)} vertices, {plan}, {self.observer!r}>"


def load(path: Union[str, os.PathLike[str]], set: Optional[Mapping[str, Any]] = None) -> Problem[str]:
    """Reads a model (``*.divulge``) or a problem document (JSON).

    ``set`` gives constants of a model other values, and chooses among several plans and observers:
    ``load("nuclear.divulge", set={"rows": 10, "plan": "hasty"})``. States and labels are then texts.
    """
    return _warn(_divulge.load(os.fspath(path), _settings(set)))


def loads(text: str, set: Optional[Mapping[str, Any]] = None, name: str = "<text>") -> Problem[str]:
    """Reads a model or a problem document from a text, which is called ``name`` in messages."""
    return _warn(_divulge.loads(text, name, _settings(set)))


def _warn(read: Tuple[_divulge.Problem, List[Diagnostic]]) -> Problem[str]:
    native, found = read
    for one in found:
        warnings.warn(DivulgeWarning(str(one)), stacklevel=3)
    return Problem._read(native, found)


def _settings(given: Optional[Mapping[str, Any]]) -> List[Tuple[str, str]]:
    def written(value: Any) -> str:
        plain = scalar(value)
        return str(plain).lower() if isinstance(plain, bool) else str(plain)

    return [(name, written(value)) for name, value in (given or {}).items()]


def _tell(progress: OnProgress) -> Optional[Callable[..., object]]:
    if progress is None:
        return None
    tell = progress
    return lambda *figures: tell(Progress(*figures))


def _options(minimize: str, shortest: bool, prefer: Optional[str], engine: str, threads: int) -> Dict[str, Any]:
    if minimize not in ("events", "cost"):
        raise DivulgeError(f"there is no way to minimize `{minimize}`", 'minimize "events" or "cost"')
    if minimize == "cost" and shortest:
        raise DivulgeError('shortest=True and minimize="cost" ask for different plans', "leave one of them out")
    if engine not in ("native", "and-or"):
        raise DivulgeError(f"there is no engine `{engine}`", 'the engines are "native" and "and-or"')
    return {
        "cost": minimize == "cost",
        "shortest": shortest,
        "prefer": prefer,
        "and_or": engine == "and-or",
        "threads": threads,
    }


def _cost(label: Label, cost: int) -> int:
    if isinstance(cost, bool) or not isinstance(cost, int) or not 0 <= cost < 2**64:
        raise DivulgeError(f"the cost of {label!r} is {cost!r}", "a cost is an integer from 0")
    return cost


def _constraints(given: MapConstraints, labels: Labels, fixed: Dict[str, Image]) -> Dict[str, Any]:
    def group(one: Iterable[Label]) -> List[int]:
        return [labels.number(label) for label in one]

    names: Dict[Hashable, str] = {}
    for image in given.fixed.values():
        if image not in names:
            called = str(scalar(image))
            while called in fixed:
                called += "'"
            names[image] = called
            fixed[called] = image
    return {
        "merge": [group(one) for one in given.merge],
        "separate": [group(one) for one in given.separate],
        "fixed": [(labels.number(label), names[image]) for label, image in given.fixed.items()],
        "max_images": given.max_images,
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
    named: Dict[Any, str] = {image: name for name, image in images.items()}
    number: Dict[Any, int] = {}
    texts: List[str] = []
    for _, image, _ in given._arcs:
        if image not in number:
            called = named.get(image, str(scalar(image)))
            while image not in named and (called in images or called in texts):
                called += "'"
            number[image] = len(texts)
            texts.append(called)
    return "graph", [given._numbered(number)], texts


def _observer(given: Mapping[str, Any], labels: Labels) -> Observer:
    """An observer that was read."""
    values = labels.values
    texts = given["map"]
    limits_ = given["constraints"]
    word, graphs = given["knows"]
    how, filters, images = given["filter"]
    plans = [Plan._read(spec, values) for spec in graphs] if word == "plans" else []
    read = Observer(
        name=given["name"],
        knows=Graph._read(graphs[0], values) if word == "graph" else plans if word == "plans" else word,
        map=None if texts is None else LabelMap(dict(zip(values, texts)), dict(zip(values, texts))),
        filter=Graph._read(filters[0], images) if how == "graph" else how,
        stipulate=[Stipulation(formula(text), scope, name) for name, scope, text in given["stipulations"]],
    )
    read.constraints = MapConstraints(
        merge=[tuple(values[label] for label in group) for group in limits_["merge"]],
        separate=[tuple(values[label] for label in group) for group in limits_["separate"]],
        fixed={values[label]: image for label, image in limits_["fixed"]},
        max_images=limits_["max_images"],
        merge_cost={(values[a], values[b]): cost for a, b, cost in limits_["merge_cost"]},
    )
    return read
