"""The guard: what passes, what is held back, and where a journal goes on."""

import pickle
import random
from pathlib import Path
from typing import Any, Dict, List

import pytest
from conftest import EXAMPLES
from worlds import inspector, nuclear

import divulge
from divulge import DivulgeError, Guard, GuardHeld, Plan, Problem

RUN = "ann go quiet to_ann quiet give quiet leave quiet to_sink quiet wash quiet leave quiet return quiet".split()
VISITORS = ["door", "door", "door", "water", "door", "back"]


def hospital() -> Problem[Any]:
    return divulge.load(EXAMPLES / "observers" / "hospital.divulge")


def images(shown: List[Dict[str, Any]], observer: str) -> List[Any]:
    return [each[observer] for each in shown if observer in each]


def test_a_robot_that_obeys_gets_to_the_end() -> None:
    problem = Problem(nuclear(), inspector(knows="plan"))
    plan = problem.seek_plan().plan
    edges = list(problem.world.edges)
    for seed in range(20):
        rng, guard = random.Random(seed), Guard(problem, plan=plan)
        state = rng.choice(problem.world.initial)
        shown: List[Dict[str, Any]] = []
        events: List[Any] = []
        while not guard.stopping:
            assert (guard.do is None) == guard.observing
            label = guard.do
            if label is None:
                label = rng.choice(sorted({l for s, l, _ in edges if s == state and l in problem.world.observations}))
            state = rng.choice([t for s, l, t in edges if s == state and l == label])
            shown.append(guard.event(label))
            events.append(label)
        guard.end()
        assert guard.standing == "ended" and guard.events == len(events) and guard.held is None
        look = next(iter(problem.maps.values()))
        assert look is not None
        name = next(iter(shown[0]))
        assert images(shown, name) == [look[label] for label in events]
        with pytest.raises(DivulgeError, match="has ended"):
            guard.event(events[0])


def test_several_observers_see_their_own_images() -> None:
    guard = Guard(hospital())
    shown = [guard.event(label) for label in RUN]
    assert images(shown, "visitors") == VISITORS and images(shown, "nurse") == ["lamp"]
    assert guard.stopping
    guard.end()
    assert "ended" in repr(guard)


@pytest.mark.parametrize(
    "event, reason", [("dance", "unknown-event"), ("return", "unforeseen-event"), (("a", 1), "unknown-event")]
)
def test_once_held_it_stays_so(event: Any, reason: str) -> None:
    guard = Guard(hospital())
    for label in RUN[:9]:
        guard.event(label)
    with pytest.raises(GuardHeld) as held:
        guard.event(event)
    assert held.value.reason == reason
    assert guard.standing == "held" and guard.stopping and guard.do is None
    for label in RUN[9:]:
        with pytest.raises(GuardHeld):
            guard.event(label)
    with pytest.raises(GuardHeld):
        guard.end()
    assert guard.events == 9
    again = pickle.loads(pickle.dumps(held.value))
    assert (again.reason, again.message) == (reason, held.value.message)


def test_an_early_end_is_held() -> None:
    guard = Guard(hospital())
    with pytest.raises(GuardHeld, match="does not stop here"):
        guard.end()


def test_the_shadow_shows_everything() -> None:
    guard = Guard(hospital(), mode="shadow")
    shown = [guard.event(label) for label in [*RUN[:9], "return", "quiet"]]
    assert images(shown, "visitors") == ["door", "door", "back"]
    assert [back.reason for back in guard.would_hold][:1] == ["unforeseen-event"]
    assert guard.do is None and not guard.observing and guard.held is None


def test_a_journal_goes_on(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    shown: List[Dict[str, Any]] = []
    for n, label in enumerate(RUN):
        guard = Guard(hospital(), journal=journal)
        assert guard.events == n
        shown.append(guard.event(label))
        del guard
    guard = Guard(hospital(), journal=journal)
    assert images(shown, "visitors") == VISITORS and guard.stopping
    guard.end()
    del guard
    assert Guard(hospital(), journal=journal).standing == "ended"
    with pytest.raises(DivulgeError, match="belongs to"):
        Guard(hospital(), journal=journal, mode="shadow")
    text = journal.read_text()
    journal.write_text(text.replace("quiet", "loud", 1))
    with pytest.raises(DivulgeError, match="damaged"):
        Guard(hospital(), journal=journal)


def test_choices_are_chances_and_a_seed_repeats_them() -> None:
    world = divulge.World.graph([("u", "a", "y"), ("u", "b", "y")], initial=["u"], goal=["y"])
    problem = Problem(world, divulge.Observer(map={"a": "x", "b": "x"}, knows="world"))
    plan = Plan([("p", ["a", "b"], "q")], initial=["p"], terminal=["q"])
    chosen = {Guard(problem, plan=plan).do for _ in range(60)}
    assert chosen == {"a", "b"}
    assert len({Guard(problem, plan=plan, seed=3).do for _ in range(10)}) == 1
    guard = Guard(problem, plan=plan)
    other = "a" if guard.do == "b" else "b"
    with pytest.raises(GuardHeld) as held:
        guard.event(other)
    assert held.value.reason == "not-told"


def test_what_cannot_be_guarded_is_refused() -> None:
    with pytest.raises(DivulgeError, match="needs a plan"):
        Guard(Problem(nuclear(), inspector(knows="world")))
    with pytest.raises(DivulgeError, match="no mode"):
        Guard(hospital(), mode="loose")
    violated = divulge.load(EXAMPLES / "observers" / "hospital_hasty_violated.divulge")
    with pytest.raises(DivulgeError, match="violated"):
        Guard(violated)
    with pytest.warns(divulge.DivulgeWarning, match="violated"):
        Guard(violated, mode="shadow")
