"""Models and problem documents to problems."""

from __future__ import annotations

import os
from typing import Any, Callable, List, Mapping, Optional, Tuple, Union

from . import _divulge
from ._built import Built, Seat
from ._foreign import in_python, is_foreign, model, model_name
from ._labels import Labels
from ._limits import Size, Time, limits
from ._text import scalar
from .errors import Diagnostic, DivulgeError, warn
from .formula import formula
from .graph import Graph
from .label_map import LabelMap, image_names
from .observer import MapConstraints, Observer, Stipulation
from .plan import Plan
from .problem import Problem
from .world import World

#: a problem, warnings about it, and how a file of another tool was understood
Read = Tuple[_divulge.Problem, List[Diagnostic], List[str]]


def load(
    path: Union[str, os.PathLike[str]],
    set: Optional[Mapping[str, Any]] = None,
    *,
    observer: Optional[str] = None,
    domain: Union[str, os.PathLike[str], None] = None,
    goal: Optional[str] = None,
    initial: Optional[str] = None,
    avoid: Optional[str] = None,
    time_limit: Time = None,
    memory_limit: Size = None,
) -> Problem[str]:
    """Reads a model (``*.divulge``), a problem document (JSON), or a file of another tool (``.fsm``, ``.gen``, ``.aut``, PRISM, PDDL).

    ``set`` gives constants of a model other values, and chooses among several plans:
    ``load("nuclear.divulge", set={"rows": 10, "plan": "hasty"})``. Several observers count all together; ``observer`` (or
    ``set={"observer": name}``) chooses one, and the problem is about that one alone. States and labels are then texts.

    A planning problem needs its ``domain``. ``goal``, ``initial`` and ``avoid`` are conditions for files of other tools, written as in a model:
    where to get to, where to start (``"all"`` for anywhere), and which states have no way out (``"none"`` for all that have one). Somebody watches
    who knows the world and sees what the file does not hide. ``problem.world.notes`` says what was taken for what, and what was dropped.
    """
    if is_foreign(path, domain, goal, initial, avoid):
        with open(path, "rb"):
            pass  # Python's own error for a file that is not there
        made = loads(
            model(path, set, domain, goal, initial, avoid),
            None,
            model_name(path),
            observer=observer,
            time_limit=time_limit,
            memory_limit=memory_limit,
        )
        made.world.notes = [in_python(note) for note in made.world.notes]
        labels, watched = made.world._labels, made.observers[0].map
        hidden = {} if watched is None else watched.resolve(labels)
        labels.unseen.update(label for label in labels.values if hidden and hidden[label] is None)
        return made
    asked = limits(time_limit, memory_limit)
    return _warn(_reading(lambda: _divulge.load(os.fspath(path), settings(set, observer), asked)))


def loads(
    text: str,
    set: Optional[Mapping[str, Any]] = None,
    name: str = "<text>",
    *,
    observer: Optional[str] = None,
    time_limit: Time = None,
    memory_limit: Size = None,
) -> Problem[str]:
    """Reads a model or a problem document from a text, which is called ``name`` in messages."""
    asked = limits(time_limit, memory_limit)
    return _warn(_reading(lambda: _divulge.loads(text, name, settings(set, observer), asked)))


def _reading(read: Callable[[], Read]) -> Read:
    """Reads; where an observer may be chosen, says how that is done here."""
    try:
        return read()
    except DivulgeError as error:
        if any(one.code in ("E0408", "E0516") for one in error.diagnostics) and error.help is None:
            error.help = 'in Python, choose one with observer="its name"'
        raise


def _warn(read: Read) -> Problem[str]:
    native, found, notes = read
    for one in found:
        warn(str(one))
    problem = _problem(native, found)
    problem.world.notes = notes
    return problem


def settings(given: Optional[Mapping[str, Any]], observer: Optional[str] = None) -> List[Tuple[str, str]]:
    """Values of constants as the native half takes them."""

    def written(value: Any) -> str:
        plain = scalar(value)
        return str(plain).lower() if isinstance(plain, bool) else str(plain)

    chosen = {} if observer is None else {"observer": observer}
    return [(name, written(value)) for name, value in {**(given or {}), **chosen}.items()]


def _problem(native: _divulge.Problem, found: List[Diagnostic]) -> Problem[str]:
    name, costs, grid = native.rest()
    world = World._read(native.world(), name, grid)
    labels = world._labels
    observers = [_observer(one, labels) for one in native.observers()]
    spec = native.plan()
    plan: Optional[Plan] = None if spec is None else Plan._read(spec, labels.values)
    seats = [_seat(number, one, labels) for number, one in enumerate(observers)]
    built = Built(native, world, labels, plan, seats)
    # Its reader has looked for mistakes, and knows more about where they are.
    built._findings = {False: found, True: found}
    return Problem._of(built, observers, {labels.values[label]: cost for label, cost in costs}, name, found)


def _seat(number: int, observer: Observer, labels: Labels) -> Seat:
    resolved = None if observer.map is None else observer.map.resolve(labels)
    images = {} if resolved is None else image_names(resolved, labels)[1]
    fixed = {str(image): image for image in observer.constraints.fixed.values()}
    return Seat(number, observer.name, resolved, images, list(observer.stipulations), fixed)


def _observer(given: Mapping[str, Any], labels: Labels) -> Observer:
    """An observer that was read."""
    values = labels.values
    texts = given["map"]
    limits_ = given["constraints"]
    word, graphs = given["knows"]
    how, filters, images = given["filter"]
    names = {label: called for label, called in zip(values, texts or ()) if called is not None}
    plans = [Plan._read(spec, values) for spec in graphs] if word == "plans" else []
    read = Observer(
        name=given["name"],
        knows=Graph._read(graphs[0], values) if word == "graph" else plans if word == "plans" else word,
        map=None if texts is None else LabelMap(dict(zip(values, texts)), names),
        filter=Graph._read(filters[0], images) if how == "graph" else how,
        stipulate=[Stipulation(formula(text), scope, name, most) for name, scope, most, text in given["stipulations"]],
    )
    read.constraints = MapConstraints(
        merge=[tuple(values[label] for label in group) for group in limits_["merge"]],
        separate=[tuple(values[label] for label in group) for group in limits_["separate"]],
        fixed={values[label]: image for label, image in limits_["fixed"]},
        max_images=limits_["max_images"],
        min_images=limits_["min_images"],
        merge_cost={(values[a], values[b]): cost for a, b, cost in limits_["merge_cost"]},
        unseen=[values[label] for label in limits_["unseen"]],
    )
    return read
