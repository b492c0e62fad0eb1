"""Automata as worlds: each event is an action, followed by an observation that nobody sees."""

from __future__ import annotations

from typing import Hashable, Iterable, List, Optional, Tuple

from ._explore import Explored
from ._text import Namer, did_you_mean, listed, names, several, text
from .errors import DivulgeError
from .graph import Label, triples

#: what the observation is called that nobody sees
THEN = "then"


def automaton(
    edges: Iterable[Tuple[Hashable, Label, Hashable]], initial: Iterable[Hashable], observable: Optional[Iterable[Label]]
) -> Explored:
    """The states and edges as vertices of both kinds."""
    drawn = [(source, list(several(events)), target) for source, events, target in triples(edges)]
    found = Explored(2**32)
    found.initial = [found.vertex(state, False) for state in listed(initial)]
    if not found.initial:
        raise DivulgeError("the automaton has no initial state", "say where it starts: initial=[…]")
    for source, events, target in drawn:
        if not events:
            raise DivulgeError(f"the edge from `{text(source)}` to `{text(target)}` has no event", "give it one, or leave it out")
        found.vertex(source, False)
        found.vertex(target, False)
        for event in events:
            found.labels.declare(event, False)
    then = THEN
    while then in found.labels.index or then in found.labels.texts:
        then += "'"
    _hide(found, observable)
    found.labels.unseen.add(then)
    found.labels.then = then
    for source, events, target in drawn:
        after = found.vertex(target, True)
        for event in events:
            found.arcs.extend((found.vertex(source, False), found.labels.number(event), after))
    label = found.labels.declare(then, True)
    for number, after in enumerate(found.observing):
        if after >= 0:
            found.arcs.extend((after, label, found.acting[number]))
    return found


def vertex_names(found: Explored) -> List[str]:
    """Names for the vertices: that of the state, and ``to`` it where an event has led there and its observation is due."""
    of_state = names(found.states)
    namer = Namer()
    namer.used.update(dict.fromkeys(of_state))
    each = zip(found.state_of, found.observation)
    return [namer.unused(f"to {of_state[state]}") if observation else of_state[state] for state, observation in each]


def _hide(found: Explored, observable: Optional[Iterable[Label]]) -> None:
    """What is not observable is not seen."""
    if observable is None:
        return
    seen = listed(observable)
    for event in seen:
        if event not in found.labels.index:
            help = did_you_mean(text(event), found.labels.texts) or "`observable` lists events of the automaton"
            raise DivulgeError(f"`observable` mentions `{text(event)}`, but no edge has this event", help)
    found.labels.unseen.update(event for event in found.labels.values if event not in seen)
