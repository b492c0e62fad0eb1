"""Plans for a robot that somebody watches, and what the watcher comes to know.

A *world* says what a robot can do and what it may observe, a *plan* what it does. An *observer* sees the robot's events
through a *label map*, under which different events may look alike, knows something of the plan beforehand, and forms an *estimate*:
the set of states that are possible for all it has seen. *Stipulations* say what must hold of that estimate. divulge answers,
exactly, whether a plan keeps them, and which plans and maps do::

    import divulge
    from divulge import P, knows

    problem = divulge.load("nuclear.divulge", set={"rows": 4})
    print(problem.check().explain())
    found = problem.seek_plan()
    if found:
        run = found.plan.start()

Worlds that are computed rather than written are built with :meth:`World.explore`. The manual is ``docs/python.md``.
"""

from . import opacity
from ._divulge import __version__, explain_code
from ._limits import Progress
from ._read import load, loads
from .answer import Answer, Sought, Statistics, Verdict, Why, WorstCase
from .errors import Diagnostic, DivulgeError, DivulgeWarning, GuardHeld, LimitReached, NoAnswer, Span, UnexpectedEvent
from .estimate import Estimate
from .executors import RayExecutor
from .formula import (
    Formula,
    P,
    Predicate,
    Prop,
    acting,
    eventually,
    formula,
    goal,
    initially,
    is_state,
    knows,
    knows_whether,
    next_,
    observing,
    possible,
    prop,
    state,
    unless,
    until,
    was,
    where,
)
from .frontier import Frontier, MapCounts
from .graph import Edge, Graph
from .guard import Guard, HeldBack
from .label_map import LabelMap
from .notebook import Page
from .observer import MapConstraints, Observer, Stipulation, always, at_end, hindsight
from .plan import Plan
from .problem import Problem
from .run import Run
from .sweep import Sweep, SweepProgress, sweep
from .trace import Deviation, Moment, Trace
from .violation import RuledOut, Twin, Violation
from .watch import Watch
from .world import World

__all__ = [
    "Answer",
    "Deviation",
    "Diagnostic",
    "DivulgeError",
    "DivulgeWarning",
    "Edge",
    "Estimate",
    "Formula",
    "Frontier",
    "Graph",
    "Guard",
    "GuardHeld",
    "HeldBack",
    "LabelMap",
    "LimitReached",
    "MapConstraints",
    "MapCounts",
    "Moment",
    "NoAnswer",
    "Observer",
    "P",
    "Page",
    "Plan",
    "Predicate",
    "Problem",
    "Progress",
    "Prop",
    "RayExecutor",
    "RuledOut",
    "Run",
    "Sought",
    "Span",
    "Statistics",
    "Stipulation",
    "Sweep",
    "SweepProgress",
    "Trace",
    "Twin",
    "UnexpectedEvent",
    "Verdict",
    "Violation",
    "Watch",
    "Why",
    "World",
    "WorstCase",
    "__version__",
    "acting",
    "always",
    "at_end",
    "eventually",
    "explain_code",
    "formula",
    "goal",
    "hindsight",
    "initially",
    "is_state",
    "knows",
    "knows_whether",
    "load",
    "loads",
    "next_",
    "observing",
    "opacity",
    "possible",
    "prop",
    "state",
    "sweep",
    "unless",
    "until",
    "was",
    "where",
]
