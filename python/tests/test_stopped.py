"""Pictures, pages, watches, traces and reading keep to limits and can be interrupted, as questions do."""

import json
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import time
from typing import Any, Callable, Dict

import pytest
from children import started
from conftest import EXAMPLES
from test_limits import many_rooms
from worlds import inspector, medicine, nuclear

import divulge
from divulge import LimitReached, Observer, Plan, Problem
from divulge._limits import NONE, either


def forgetful_rooms() -> str:
    """An observer with a memory of its own, of which there are more states than anybody can wait for."""
    document = json.loads(many_rooms())
    document["observers"][0].update(knows="goal-directed", filter="image")
    return json.dumps(document)


@pytest.fixture(scope="module")
def forgetful() -> "Problem[Any]":
    return divulge.loads(forgetful_rooms())


def stopped(work: Callable[[], object], limit: str = "time") -> None:
    begin = time.monotonic()
    with pytest.raises(LimitReached, match=f"stopped by the {limit} limit\n.*{limit}_limit=") as caught:
        work()
    assert caught.value.limit == limit
    # It takes a fraction of a second; the bound is for a busy machine.
    assert time.monotonic() - begin < 20


def test_what_has_no_end_is_stopped(forgetful: "Problem[Any]") -> None:
    action = forgetful.world.actions[0]
    stopped(lambda: forgetful.watch(time_limit=0.3))
    stopped(lambda: forgetful.audit_log([action], time_limit=0.3))
    stopped(lambda: forgetful.trace([action], time_limit=0.3))
    stopped(lambda: forgetful.watch(memory_limit="20M", time_limit=60), "memory")


def test_drawing_is_stopped() -> None:
    any_number = random.Random(1)
    edges = []
    for _ in range(3000):
        p, q = any_number.randrange(1000), any_number.randrange(1000)
        edges += [(("p", p), "a", ("q", q)), (("q", q), "o", ("p", any_number.randrange(1000)))]
    plan = Plan(edges, [edges[0][0]], [edges[0][2]])
    stopped(lambda: plan.to_svg(time_limit=0.001))
    assert plan.to_svg(time_limit=60, memory_limit="1G") == plan.to_svg()
    problem = Problem(nuclear(40, 40), inspector())
    stopped(lambda: problem.explore(time_limit=0.02))
    stopped(lambda: problem.seek_plan().explore(time_limit=0.02))


def test_nothing_begins_when_time_is_over(tmp_path: pathlib.Path) -> None:
    problem = Problem(nuclear(), inspector())
    found, checked = problem.seek_plan(), divulge.load(EXAMPLES / "nuclear.divulge").check()
    frontier = Problem(medicine(), Observer(knows="world")).seek_maps()
    assert problem.map is not None
    drawn = {
        "world": problem.world,
        "map": problem.map,
        "plan": found.plan,
        "found": found,
        "estimate": problem.watch().estimate,
        "trace": problem.trace(["right", "nothing"]),
        "log": problem.audit_log(["right"]),
        "frontier": frontier,
        "by hand": Plan([("p", "a", "q")], ["p"], ["q"]),
    }
    given: Dict[str, Any] = {"time_limit": 0}
    for name, one in drawn.items():
        stopped(lambda: one.to_svg(**given))
        picture = one.to_svg(time_limit=60)
        assert picture.startswith("<svg") and picture == one._repr_svg_(), name
    for make in (found.explore, checked.explore, problem.explore, problem.watch, problem.info):
        stopped(lambda: make(**given))
        assert make(time_limit=60, memory_limit="1G")
    for write in (problem.to_json, problem.to_model, found.to_json, frontier.to_json):
        stopped(lambda: write(**given))
        assert write(time_limit=60) == write()
    saved = tmp_path / "saved.json"
    stopped(lambda: problem.save(saved, **given))
    assert not saved.exists()
    stopped(lambda: problem.trace([], **given))
    stopped(lambda: problem.audit_log([], **given))
    stopped(lambda: divulge.load(EXAMPLES / "nuclear.divulge", **given))
    stopped(lambda: divulge.loads(problem.to_json(), **given))
    with pytest.raises(divulge.DivulgeError, match="time limit cannot be"):
        problem.world.to_svg(time_limit="soon")


def test_what_is_made_of_an_answer_keeps_to_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Problem(nuclear(), inspector()).seek_plan(time_limit=60, memory_limit="1G", progress=lambda _: None)
    own = (60.0, 1 << 30, None)
    assert found._found().limits() == own
    assert either(NONE, own) == own and either((5.0, None, None), own) == (5.0, None, None)
    asked = []
    drawing = divulge._divulge.draw_plan
    monkeypatch.setattr("divulge.answer._divulge.draw_plan", lambda p, given: asked.append(given) or drawing(p, given))
    assert found.to_svg() and found.plan.to_svg(time_limit=5)
    assert asked == [own, (5.0, None, None)]
    # Its text can be had, whatever the question's limits.
    unknown = Problem(nuclear(), inspector()).seek_plan(time_limit=0)
    assert json.loads(unknown.to_json())["verdict"] == "unknown" and unknown.explain()
    # A notebook shows words instead of a picture that takes too long.
    monkeypatch.setattr("divulge.answer._divulge.draw_plan", lambda p, given: drawing(p, (0.0, None, None)))
    assert found._repr_svg_() is None and "found" in repr(found)


def test_the_exception_can_be_sent_elsewhere() -> None:
    again = pickle.loads(pickle.dumps(LimitReached("memory")))
    assert isinstance(again, LimitReached) and again.limit == "memory" and "memory limit" in str(again)


SCRIPT = """
import sys, divulge
problem = divulge.loads(sys.stdin.read())
print("ready", flush=True)
try:
    # Should the interrupt be lost, it ends all the same.
    problem.watch(time_limit=60, memory_limit="500M")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_keyboard_interrupt_of_a_watch() -> None:
    pipe = subprocess.PIPE
    with started([sys.executable, "-c", SCRIPT], stdin=pipe, stdout=pipe, seconds=90) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(forgetful_rooms())
        child.stdin.close()
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        begin = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        assert time.monotonic() - begin < 20
        assert child.wait(timeout=20) == 0
