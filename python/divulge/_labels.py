"""The labels of a world or a problem: the user's own values, their texts, and their numbers."""

from __future__ import annotations

from typing import Any, Dict, Hashable, Iterable, List, Optional, Set, Tuple

from ._text import Namer, did_you_mean, text
from .errors import DivulgeError


class Labels:
    """Actions and observations, numbered in the order in which they were declared."""

    def __init__(self) -> None:
        self.values: List[Hashable] = []
        self.texts: List[str] = []
        self.observation: List[bool] = []
        self.index: Dict[Hashable, int] = {}
        #: what nobody sees, unless an observer's map says otherwise
        self.unseen: Set[Hashable] = set()
        #: the observation that follows every event of an automaton
        self.then: Optional[Hashable] = None
        self._namer = Namer()

    def copy(self) -> Labels:
        """Another one, to which more may be added."""
        other = Labels()
        for value, observation, name in zip(self.values, self.observation, self.texts):
            other._add(value, observation, name)
        other.unseen, other.then = set(self.unseen), self.then
        return other

    def __reduce__(self) -> Any:
        parts = self.values, self.texts, bytes(self.observation), self.unseen, self.then
        return _again, parts

    def declare(self, value: Hashable, observation: bool, advice: str = "") -> int:
        """The number of a label, which is added if it is new. ``advice``: what else may help if it is of the other kind."""
        number = self.index.get(value)
        if number is None:
            return self._add(value, observation, self._namer.name(value))
        if self.observation[number] != observation:
            raise DivulgeError(
                f"`{self.texts[number]}` is both an action and an observation",
                "give the action and the observation different names" + (f". {advice}" if advice else ""),
            )
        return number

    def named(self, name: str, observation: bool) -> int:
        """Declares a label that is a text already."""
        self._namer.used[name] = name
        return self._add(name, observation, name)

    def _add(self, value: Hashable, observation: bool, name: str) -> int:
        self._namer.used[name] = value
        number = len(self.values)
        self.values.append(value)
        self.texts.append(name)
        self.observation.append(observation)
        self.index[value] = number
        return number

    def number(self, value: Hashable) -> int:
        """The number of a label that is known."""
        try:
            return self.index[value]
        except KeyError:
            raise DivulgeError(f"there is no label `{text(value)}`", self.near(value)) from None
        except TypeError:
            raise DivulgeError(f"{value!r} cannot be a label: labels must be hashable", "give one label, not a list of them") from None

    def near(self, value: Hashable) -> str:
        """Advice where a label is not known: those that are."""
        known = ", ".join(f"`{name}`" for name in self.texts[:20])
        return did_you_mean(text(value), self.texts) or f"the labels are {known}"

    def spelled(self, events: Iterable[Hashable], ended: bool = False) -> List[Hashable]:
        """Events with the observations between them that an automaton's log leaves out, and at the end if it has ``ended``."""
        if self.then is None:
            return list(events)
        made: List[Hashable] = []
        for event in events:
            if made and made[-1] != self.then and event != self.then:
                made.append(self.then)
            made.append(event)
        return [*made, self.then] if ended and made and made[-1] != self.then else made

    def gaps(self, events: Iterable[Hashable], observation: bool) -> bool:
        """Whether actions and observations do not alternate; ``observation``: whether one comes first."""
        for event in events:
            if self.observation[self.number(event)] != observation:
                return True
            observation = not observation
        return False

    def native(self) -> List[Tuple[str, bool]]:
        """Texts and kinds, as the native half takes them."""
        return list(zip(self.texts, self.observation))

    def __len__(self) -> int:
        return len(self.values)


def _again(
    values: List[Hashable], texts: List[str], observation: bytes, unseen: Set[Hashable], then: Optional[Hashable]
) -> Labels:
    """Labels that were sent."""
    made = Labels()
    for value, kind, name in zip(values, observation, texts):
        made._add(value, bool(kind), name)
    made.unseen, made.then = unseen, then
    return made
