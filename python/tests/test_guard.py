"""The guard: what passes, what is held back, and where a journal goes on."""

import gc
import json
import os
import pickle
import random
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

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


class Robot:
    """Goes through the world of a problem as it is told."""

    def __init__(self, problem: Problem[Any], rng: random.Random) -> None:
        self.problem, self.rng = problem, rng
        self.edges = list(problem.world.edges)
        self.state = rng.choice(sorted(problem.world.initial, key=str))

    def next(self, guard: Guard[Any]) -> Optional[Any]:
        """What it does or observes next; ``None`` if it is to stop."""
        if guard.stopping:
            return None
        label = guard.do
        if label is None:
            seen = {l for s, l, _ in self.edges if s == self.state and l in self.problem.world.observations}
            label = self.rng.choice(sorted(seen))
        self.state = self.rng.choice([t for s, l, t in self.edges if s == self.state and l == label])
        return label


def holding(folder: Path) -> List[Tuple[Path, Problem[Any]]]:
    """Random problems whose plans hold: several observers, unseen events, runs, hindsight, the past."""
    found = []
    for path in sorted(folder.glob("*check-*.json")):
        if not path.stem.rsplit("-", 1)[1].isdigit():
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            problem = divulge.load(path)
            try:
                if problem.check():
                    found.append((path, problem))
            except DivulgeError:
                pass
    return found


FAULTS = ["unknown", "other", "unreadable", "end", "outside", "digest"]


# Random problems are odd in every way that there is a warning for.
@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
def test_whatever_goes_wrong_nothing_but_images_comes_out(folder: Path, tmp_path: Path) -> None:
    thrown: "Counter[str]" = Counter()
    for number, (_, problem) in enumerate(holding(folder)[:40]):
        for fault in FAULTS:
            rng = random.Random(f"{number} {fault}")
            journal = tmp_path / f"journal-{number}-{fault}"
            guard = Guard(problem, journal=journal, seed=3)
            robot, at = Robot(problem, rng), rng.randrange(5)
            did: List[Any] = []
            shown: List[Dict[str, Any]] = []
            label = None
            while len(did) < at:
                label = robot.next(guard)
                if label is None:
                    break
                shown.append(guard.event(label))
                did.append(label)
            looks = problem.maps.items()
            for each, event in zip(shown, did):
                expected = {name or "observer": look[event] for name, look in looks if look and look[event] is not None}
                assert each == expected
            if label is None and at:
                guard.end()
                assert guard.standing == "ended"
                continue
            if fault == "digest":
                # Nobody else gets at the journal meanwhile, and nobody with another question afterwards.
                with pytest.raises(DivulgeError, match="another guard"):
                    Guard(problem, journal=journal, seed=3)
                del guard
                gc.collect()
                with pytest.raises(DivulgeError, match="belongs to"):
                    Guard(problem, journal=journal, mode="shadow")
                thrown[fault] += 1
            elif throw(guard, fault, problem, rng):
                thrown[fault] += 1
                assert guard.standing == "held"
                for event in did + sorted(problem.world.actions):
                    with pytest.raises(GuardHeld):
                        guard.event(event)
                assert guard.events == len(did)
                held = guard.held
                del guard
                gc.collect()  # what was raised knows where, and so holds on to the guard
                again = Guard(problem, journal=journal, seed=3)
                assert again.standing == "held" and again.again == []
                assert held is not None and again.held is not None and again.held.reason == held.reason
    assert all(thrown[fault] > 3 for fault in FAULTS), thrown


def throw(guard: Guard[Any], fault: str, problem: Problem[Any], rng: random.Random) -> bool:
    """Throws a fault in; whether the guard is to hold then."""
    labels = sorted([*problem.world.actions, *problem.world.observations])
    if fault == "unknown":
        with pytest.raises(GuardHeld, match="there is no event"):
            guard.event("no such event")
    elif fault == "other":
        before = guard.events
        try:
            guard.event(rng.choice([label for label in labels if label != guard.do] or labels))
        except GuardHeld as held:
            assert held.reason in {"unforeseen-event", "impossible-event", "not-told", "stipulation", "outside-divulged"}
            assert guard.events == before
        else:
            return False
    elif fault == "unreadable":
        with pytest.raises(GuardHeld) as unreadable:
            guard.line(rng.choice(["", "{", '{"event": 1}', b"\xff", '{"end": true} x', "x" * 70_000]))
        assert unreadable.value.reason == "unreadable"
    elif fault == "end":
        if guard.stopping:
            return False
        with pytest.raises(GuardHeld):
            guard.end()
    elif fault == "outside":
        guard.hold(rng.choice(["no-heartbeat", "late", "output", "input-ended"]), "as told")
    else:
        raise AssertionError(fault)
    return True


def test_a_disk_that_is_full_or_a_kill_shows_nothing_that_was_not_written(tmp_path: Path) -> None:
    script = """
import json, os, resource, signal, sys
import divulge
path, journal, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
if most >= 0:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
guard = divulge.Guard(divulge.load(path), journal=journal)
print(json.dumps({"events": guard.events, "held": guard.held and guard.held.reason}), flush=True)
for label in sys.argv[4:][guard.events :]:
    try:
        print(json.dumps(guard.event(label)), flush=True)
    except divulge.GuardHeld as held:
        print(json.dumps({"held": held.reason}), flush=True)
        break
    if most == -2:
        os.kill(os.getpid(), signal.SIGKILL)
"""
    path = str(EXAMPLES / "observers" / "hospital.divulge")

    def run(journal: Path, most: int) -> List[Dict[str, Any]]:
        command = [sys.executable, "-c", script, path, str(journal), str(most), *RUN]
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=300, check=False)
        return [json.loads(line) for line in done.stdout.splitlines()]

    for most in (0, 300, 420):
        journal = tmp_path / f"full-{most}"
        said = run(journal, most)
        assert said[-1] == {"held": "journal"} or said[-1].get("held") == "journal", said
        # Whatever was shown was written: the rest follows, and nothing is missing.
        whole = [*said[1:-1], *run(journal, -1)[1:]]
        assert images(whole, "visitors") == VISITORS and images(whole, "nurse") == ["lamp"]
    journal, whole = tmp_path / "killed", []
    while True:
        said = run(journal, -2)
        whole += said[1:]
        if said[0]["events"] == len(RUN):
            break
        assert len(said) == 2
    assert images(whole, "visitors") == VISITORS and os.path.exists(journal)


@pytest.mark.parametrize("letter", ["left", "right"])
def test_the_robot_of_the_manual_runs(program: str, tmp_path: Path, letter: str) -> None:
    found = subprocess.run(
        [program, "seek", "plan", str(EXAMPLES / "robot" / "letters.divulge"), "--out", "run.json"],
        cwd=tmp_path, stdout=subprocess.PIPE, timeout=300, check=True,
    )  # fmt: skip
    assert b"A plan of" in found.stdout
    robot = [sys.executable, str(EXAMPLES / "robot" / "robot.py"), "run.json", letter]
    environment = {**os.environ, "DIVULGE": program}
    done = subprocess.run(robot, cwd=tmp_path, stdout=subprocess.PIPE, timeout=300, env=environment, check=True)
    assert f"the robot does to_{letter}".encode() in done.stdout and b"ended" in done.stdout
    seen = [json.loads(line)["image"] for line in (tmp_path / "neighbour.jsonl").read_text().splitlines()]
    assert seen == ["door", "door", "door"]
