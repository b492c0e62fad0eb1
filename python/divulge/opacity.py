"""Opacity by name: whether somebody who sees some of the events ever finds out a secret.

The observer knows the world, or the automaton, and nothing of what is done in it. Each notion is a stipulation that is audited:

============================  ==========================================
:func:`current`               ``~knows(secret)``
:func:`initial`               ``~knows(initially(secret))``
:func:`k_step`                ``hindsight(~knows(secret), within=k)``
:func:`infinite`              ``hindsight(~knows(secret))``
============================  ==========================================

An answer that holds is opaque; a violation has a shortest execution after which the secret is out::

    automaton = World.automaton(edges, initial=[0], observable=["a", "b"], secret=[3])
    verdict = opacity.current(automaton)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, Optional, TypedDict, cast

from ._given import a_world
from ._limits import OnProgress, Size, Time
from ._text import did_you_mean, listed, some, text
from .answer import Verdict
from .errors import DivulgeError
from .formula import P, Predicate, initially, knows, where
from .graph import Label
from .observer import AnyStipulation, Observer, hindsight
from .problem import Problem
from .world import S, World

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Options", "current", "infinite", "initial", "k_step"]


class Options(TypedDict, total=False):
    """What each of the notions may be given besides: which labels are seen (without it, those that the automaton says, or all), how many
    threads there may be, limits, and a function that is told how far it is."""

    observable: Optional[Iterable[Label]]
    threads: int
    time_limit: Time
    memory_limit: Size
    progress: OnProgress


def current(world: World[S], secret: Any = None, **options: Unpack[Options]) -> Verdict[S]:
    """Current-state opacity: the observer is never certain that the state is secret.

    ``secret`` is a predicate, a function of a state, or the secret states; without it, the property ``secret`` of the states, which
    :meth:`World.automaton <divulge.World.automaton>` gives them. ``options`` are those of :class:`Options`: ``observable``, the labels that
    are seen, ``time_limit``, ``memory_limit``, ``progress``.
    """
    asked = ~knows(_secret(world, secret))
    return _audit(world, "current-state opacity", asked, options)


def initial(world: World[S], secret: Any = None, **options: Unpack[Options]) -> Verdict[S]:
    """Initial-state opacity: the observer is never certain that the initial state was secret. Arguments as for :func:`current`."""
    asked = ~knows(initially(_secret(world, secret)))
    return _audit(world, "initial-state opacity", asked, options)


def k_step(world: World[S], secret: Any, k: int, **options: Unpack[Options]) -> Verdict[S]:
    """K-step opacity: with at most ``k`` more events seen, the observer never becomes certain that the state was secret before them.

    ``k = 0`` is current-state opacity. Arguments as for :func:`current`; ``secret`` may be ``None``.
    """
    if k is None:
        raise DivulgeError("K-step opacity needs a number of steps", "give it: k_step(world, secret, 2); for any number, ask `infinite`")
    asked = hindsight(~knows(_secret(world, secret)), within=k)
    return _audit(world, f"{k}-step opacity", asked, options)


def infinite(world: World[S], secret: Any = None, **options: Unpack[Options]) -> Verdict[S]:
    """Infinite-step opacity: whatever is seen later, the observer never becomes certain that the state was secret at some time.

    Arguments as for :func:`current`.
    """
    asked = hindsight(~knows(_secret(world, secret)))
    return _audit(world, "infinite-step opacity", asked, options)


def _secret(world: World[Any], given: Any) -> Predicate:
    """The predicate that says which states are secret."""
    a_world(world)
    if given is None:
        if not any(column[0] == "secret" for column in world._columns):
            raise DivulgeError("it is not said which states are secret", "give them: secret=[…], or a predicate")
        return P.secret
    states = world._states_among(given)
    if states is None:
        return where(given)
    silent = world._labels.unseen.intersection(world.observations)
    for source, label, target in world.edges:
        # Whoever cannot tell the two apart would never be certain of the secret.
        if label in silent and target in states and source not in states:
            raise DivulgeError(
                f"`{text(target)}` is secret, but `{text(source)}`, the step to it that nobody sees, is not",
                "name both, or read the automaton with `World.read`, which takes them for one state",
            )

    def secret(state: Any) -> bool:
        return state in states

    return where(secret)


def _audit(
    world: World[S],
    name: str,
    asked: AnyStipulation,
    options: Options,
) -> Verdict[S]:
    limits = dict(options)
    observable = limits.pop("observable", None)
    for option in limits:
        if option not in Options.__annotations__:
            help = did_you_mean(option, Options.__annotations__) or f"there is {some(list(Options.__annotations__))}"
            raise DivulgeError(f"there is no option `{option}`", help)
    looks: Dict[Label, Any] = {}
    if observable is not None:
        seen = listed(observable)
        for label in seen:
            world._labels.number(label)
        looks = {label: label if label in seen else None for label in world._labels.values}
    stipulations: Dict[str, AnyStipulation] = {name: asked}
    problem = Problem(world, Observer(knows="world", map=looks, stipulate=stipulations))
    return problem.audit(**cast(Any, limits))
