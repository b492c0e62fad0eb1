"""Traces as JSON, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from ._built import Built, Seat
from ._given import a_plan
from ._json import SAME, Reader, Writer, fits, malformed, opened, texts, written
from ._text import key
from .errors import DivulgeError
from .label_map import AnyMap
from .trace import Deviation, Moment, Trace, drawn_trace
from .world import S

if TYPE_CHECKING:
    from .plan import Plan
    from .problem import Problem

_MOMENT = ["event", "image", "robot", "plan", "terminates", "estimate", "stipulations", "filled_in"]
_DEVIATION = ["number", "event", "reason", "expected", "seen", "missing"]


class _Names:
    """What labels, images and vertices are called in a problem."""

    def __init__(self, built: Built[Any], seat: Seat) -> None:
        self.built, self.labels = built, built.labels
        self.images = {key(image): name for name, image in seat.images.items()}
        self.image_of = dict(seat.images)
        self.label_of = dict(zip(built.labels.texts, built.labels.values))
        self.plan_names = [] if built.plan is None else built.plan._names
        self.plan_vertices = [] if built.plan is None else built.plan._vertices

    def label(self, label: Any) -> Optional[str]:
        return None if label is None else self.labels.texts[self.labels.number(label)]

    def any(self, what: Any, seen: bool) -> Any:
        """An event, or an image, which may be one that nobody knows."""
        if what is None:
            return None
        if not seen:
            return {"event": self.label(what)}
        return {"image": self.images[key(what)]} if key(what) in self.images else {"unknown": Writer().value(what)}

    def read_label(self, name: Any) -> Any:
        if name is None:
            return None
        if not isinstance(name, str) or name not in self.label_of:
            raise malformed("trace", "event")
        return self.label_of[name]

    def read_image(self, name: Any) -> Any:
        if name is None:
            return None
        if not isinstance(name, str) or name not in self.image_of:
            raise malformed("trace", "image")
        return self.image_of[name]

    def read_any(self, given: Any) -> Any:
        if given is None:
            return None
        if not isinstance(given, dict) or len(given) != 1:
            raise malformed("trace", "unexpected")
        ((how, what),) = given.items()
        if how == "event":
            return self.read_label(what)
        return self.read_image(what) if how == "image" else Reader().value(what)


def trace_to(trace: Trace[Any]) -> str:
    """A trace as JSON."""
    if trace._about is None:
        raise DivulgeError("this trace is about no problem", "write a trace that a problem gave")
    built, seat = trace._about
    names = _Names(built, seat)
    vertices = built.world._names

    def estimate(one: Any) -> Optional[List[str]]:
        return None if one is None else [vertices[v] for v in one._vertices]

    at = {} if built.plan is None else built.plan._index
    moments = [
        {
            "event": names.label(moment.event),
            "image": None if moment.image is None else names.images[key(moment.image)],
            "robot": estimate(moment.robot),
            "plan": [names.plan_names[at[v]] for v in moment.plan],
            "terminates": moment.terminates,
            "estimate": estimate(moment.estimate),
            "stipulations": moment.stipulations,
            "filled_in": moment.filled_in,
        }
        for moment in trace
    ]
    left = trace.deviation
    return written(
        "trace",
        {
            "problem": built.digest,
            "observer": seat.name,
            "events_known": trace._drawn is not None,
            "admitted": trace.admitted,
            "unexpected": names.any(trace.unexpected, trace._drawn is None),
            "deviation": None if left is None else _deviation(left, names),
            "moments": moments,
        },
    )


def _deviation(left: Deviation, names: _Names) -> Dict[str, Any]:
    return {
        "number": left.number,
        "event": names.any(left.event, left.seen),
        "reason": left.reason,
        "expected": [names.label(label) for label in left.expected],
        "seen": left.seen,
        "missing": left.missing,
    }


def trace_from(given: str, problem: Problem[S], plan: Optional[Plan], map: AnyMap) -> Trace[S]:
    """A trace from JSON, beside the problem that it was written beside."""
    parts = ["problem", "observer", "events_known", "admitted", "unexpected", "deviation", "moments"]
    read = opened(given, "trace", parts)
    built = problem._with(a_plan(plan), map)
    fits(read["problem"], built.digest, "trace", "problem", SAME)
    seat = built.seats[problem._number(read["observer"])]
    names = _Names(built, seat)
    if not isinstance(read["moments"], list) or not all(_has(one, _MOMENT) for one in read["moments"]):
        raise malformed("trace", "moments")
    moments = [_moment(number, one, built, seat, names) for number, one in enumerate(read["moments"])]
    left = read["deviation"]
    if left is not None and not _has(left, _DEVIATION):
        raise malformed("trace", "deviation")
    deviation = None
    if left is not None:
        expected = [names.read_label(name) for name in texts(left["expected"], "trace", "expected")]
        event = names.read_any(left["event"])
        deviation = Deviation(left["number"], event, left["reason"], expected, left["seen"], left["missing"])
    trace = Trace(moments, read["admitted"] is True, names.read_any(read["unexpected"]), deviation)
    return drawn_trace(built, seat, trace, built.plan is not None, read["events_known"] is True)


def _has(given: Any, fields: List[str]) -> bool:
    return isinstance(given, dict) and sorted(given) == sorted(fields)


def _moment(number: int, one: Dict[str, Any], built: Built[S], seat: Seat, names: _Names) -> Moment[S]:
    def estimate(called: Any, whose: Optional[Seat]) -> Any:
        return None if called is None else built.estimate(built.vertices(called, "trace"), whose)

    at: Dict[str, Any] = dict(zip(names.plan_names, names.plan_vertices))
    try:
        plan: Tuple[Any, ...] = tuple(at[name] for name in texts(one["plan"], "trace", "plan"))
    except KeyError:
        raise malformed("trace", "plan") from None
    stands = one["stipulations"]
    if not isinstance(stands, dict) or not all(holds in (None, True, False) for holds in stands.values()):
        raise malformed("trace", "stipulations")
    return Moment(
        number=number,
        event=names.read_label(one["event"]),
        image=names.read_image(one["image"]),
        robot=estimate(one["robot"], None),
        plan=plan,
        terminates=one["terminates"] is True,
        estimate=estimate(one["estimate"], seat),
        stipulations=stands,
        filled_in=one["filled_in"] is True,
    )
