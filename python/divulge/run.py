"""Running plans."""

from __future__ import annotations

import random
import secrets
from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, List, Optional, Sequence, Set

from ._json import fits, opened, texts, written
from ._text import some, text
from .errors import DivulgeError, UnexpectedEvent
from .graph import Label

if TYPE_CHECKING:
    from .answer import Sought
    from .plan import Plan
    from .problem import Problem

#: picks one of several actions
Choose = Callable[[Sequence[Label]], Label]


class Run:
    """A plan being carried out, event by event.

    ``act()`` gives the action to take, ``observe(o)`` takes what was observed, until ``done``. A nondeterministic plan may be
    at several of its vertices at once; it stops as soon as one of them is terminal.
    """

    def __init__(self, plan: Plan, choose: Optional[Choose] = None, *, seed: Optional[int] = None) -> None:
        if choose is not None and seed is not None:
            raise DivulgeError("both `choose` and `seed` are given", "`seed` is for choices at random: leave one of the two out")
        self.plan = plan
        # Nobody may foresee what is chosen, unless a test asks for it.
        chance = secrets.SystemRandom() if seed is None else random.Random(seed)
        self._chance: Optional[random.Random] = chance if choose is None else None
        self._choose: Choose = chance.choice if choose is None else choose
        self._next: Dict[int, Dict[Label, List[int]]] = {}
        for a, label, b in plan._arcs:
            self._next.setdefault(a, {}).setdefault(label, []).append(b)
        self._at: Set[int] = set(plan._initial)
        #: the events so far
        self.history: List[Label] = []

    def __copy__(self) -> Run:
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__, _at=set(self._at), history=list(self.history))
        return other

    def __getstate__(self) -> Dict[str, Any]:
        """What is sent: choices that can be repeated go on as they would have here."""
        state = dict(self.__dict__)
        if self._chance is not None:
            del state["_choose"]
        if isinstance(self._chance, random.SystemRandom):
            state["_chance"] = None
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_choose" not in state:
            chance: random.Random = state["_chance"] or secrets.SystemRandom()
            self._chance, self._choose = chance, chance.choice

    def __deepcopy__(self, memo: Any) -> Run:
        # Plans do not change, so both run the same one.
        return self.__copy__()

    def to_json(self) -> str:
        """Where the run is: the events so far, and which plan it runs. How it chooses is not written."""
        labels = self.plan._own_labels()
        events = [labels.texts[labels.number(label)] for label in self.history]
        return written("run", {"plan": self.plan.digest, "events": events})

    @classmethod
    def from_json(cls, given: str, plan: Plan, choose: Optional[Choose] = None, *, seed: Optional[int] = None) -> Run:
        """Goes on where :meth:`to_json` was asked, perhaps in another process, with the same plan; an error with any other."""
        read = opened(given, "run", ["plan", "events"])
        fits(read["plan"], plan.digest, "run", "plan")
        labels = plan._own_labels()
        value = dict(zip(labels.texts, labels.values))
        run = cls(plan, choose, seed=seed)
        for number, name in enumerate(texts(read["events"], "run", "events"), 1):
            if run.done or name not in value:
                raise DivulgeError(f"event {number} of the run, `{name}`, is not in the plan", "give what `to_json()` wrote, unchanged")
            run._go(value[name], "has")
        return run

    def replan(self, problem: Problem[Any], **options: Any) -> Sought[Any]:
        """Seeks a plan that goes on from here, after what has happened: ``problem.seek_plan(after=…)`` with these options."""
        return problem.seek_plan(after=[*self.plan._after, *self.history], **options)

    @property
    def at(self) -> List[Hashable]:
        """The vertices of the plan that it may be at."""
        return [self.plan._vertices[v] for v in sorted(self._at)]

    @property
    def done(self) -> bool:
        """Whether the plan terminates here."""
        return any(v in self.plan._marked for v in self._at)

    @property
    def observing(self) -> bool:
        """Whether an observation is due."""
        return any(self.plan._observation[v] for v in self._at)

    @property
    def actions(self) -> List[Label]:
        """The actions on offer; none where it terminates or must observe."""
        return [] if self.observing else self._offered()

    @property
    def observations(self) -> List[Label]:
        """The observations that the plan foresees; none where it terminates or must act."""
        return self._offered() if self.observing else []

    def _offered(self) -> List[Label]:
        found: Dict[Label, None] = {}
        for v in [] if self.done else sorted(self._at):
            found.update(dict.fromkeys(self._next.get(v, {})))
        return list(found)

    def act(self) -> Label:
        """The action to take, which counts as taken. Of several, one is chosen at random, unless the run was told how to choose."""
        offered = self.actions
        if not offered:
            self._refuse("act", None)
        return self.take(offered[0] if len(offered) == 1 else self._choose(offered))

    def take(self, action: Label) -> Label:
        """Takes one of the actions on offer."""
        if self.observing or self.done:
            self._refuse("act", action)
        self._go(action, "takes")
        return action

    def observe(self, observation: Label) -> None:
        """Tells what was observed."""
        if not self.observing or self.done:
            self._refuse("observe", observation)
        self._go(observation, "foresees")

    def _go(self, label: Label, verb: str) -> None:
        after = {w for v in self._at for w in self._next.get(v, {}).get(label, ())}
        if not after:
            offered = self._offered()
            raise self._unexpected(f"the plan {verb} no `{text(label)}` here", f"it {verb} {some(offered) or 'nothing'}", label)
        self._at = after
        self.history.append(label)

    def _refuse(self, verb: str, event: Optional[Label]) -> None:
        if self.done:
            raise self._unexpected(f"the plan has terminated: there is nothing to {verb}", "look at `done` first", event)
        offered = self._offered()
        if not offered:
            raise self._unexpected(f"the plan is stuck: there is nothing to {verb}", "check the plan first", event)
        if self.observing:
            one = f": if nothing is to be seen there, run.observe({offered[0]!r})" if len(offered) == 1 else f": {some(offered)}"
            raise self._unexpected(f"the plan cannot {verb} now", f"`observe` comes next{one}", event)
        raise self._unexpected(f"the plan cannot {verb} now", "`act` comes next", event)

    def _unexpected(self, message: str, help: str, event: Optional[Label]) -> UnexpectedEvent:
        return UnexpectedEvent(message, help, event=event, expected=self._offered(), after=self.history)

    def __repr__(self) -> str:
        where = "done" if self.done else "observing" if self.observing else "acting"
        return f"<Run: {len(self.history)} events, {where}>"
