"""Events that should not have happened, though they look like events that should."""

import copy
import random
from typing import Any, List

import pytest
from conftest import EXAMPLES
from worlds import inspector, nuclear

import divulge
from divulge import Graph, Observer, Plan, Problem, World


def rooms() -> World[int]:
    """A corridor of three rooms; going up is possible in the middle one alone."""
    return World.graph(
        [("a", ["right"], "b?"), ("b?", "quiet", "b"), ("b", ["right", "up"], "c?"), ("c?", ["quiet", "bell"], "c")],
        ["a"],
        ["c"],
    )


MOVES = dict.fromkeys(["right", "up"], "move")


def straight() -> Plan:
    return Plan(
        [(0, "right", 1), (1, "quiet", 2), (2, "right", 3), (3, ["quiet", "bell"], 4)], [0], [4]
    )


def problem(**more: Any) -> "Problem[int]":
    return Problem(rooms(), Observer(**{"knows": "world", "map": MOVES, **more}))


def test_the_impossible_is_noticed() -> None:
    log = problem().audit_log(["up", "quiet", "right"])
    assert not log.holds and not log.admitted and log.unexpected is None and len(log) == 4
    left = log.deviation
    assert left is not None and (left.number, left.event, left.reason, left.expected) == (1, "up", "world", ["right"])
    assert str(left) == "event 1, `up`, is impossible in the world here; expected: `right`" and str(left) in repr(log)
    trace = problem().trace(["up", "quiet", "right"])
    assert not trace.admitted and not trace.holds and trace.deviation == left
    watch = problem().watch()
    assert watch.holds and watch.admitted and watch.deviation is None
    # The observer sees a move, and believes as much.
    assert watch.event("up").states == {"b?"} and watch.seen == ["move"]
    assert not watch.holds and not watch.admitted and not watch.may_end and watch.deviation == left
    assert "impossible" in repr(watch)
    watch.event("quiet")
    assert not watch.holds and watch.deviation == left
    watch.restart()
    assert watch.holds and watch.deviation is None


def test_what_the_plan_does_not_do_is_noticed() -> None:
    log = problem().audit_log(["right", "quiet", "up", "quiet"], plan=straight())
    left = log.deviation
    assert not log.holds and not log.admitted and left is not None
    assert (left.number, left.event, left.reason, left.expected) == (3, "up", "plan", ["right"])
    assert "event 3, `up`, is not in the plan here" in str(left) and "`right`" in str(left)
    assert not problem().trace(["right", "quiet", "up", "quiet"], plan=straight()).admitted
    assert problem().audit_log(["right", "quiet", "right", "bell"], plan=straight(), ended=True).holds
    # Without the plan it is as good as any.
    assert problem().audit_log(["right", "quiet", "up", "quiet"]).holds
    watch = problem().watch(plan=straight())
    for event in ["right", "quiet", "up"]:
        watch.event(event)
    assert not watch.holds and watch.deviation is not None and watch.deviation.number == 3


def test_logs_that_end_too_early_or_too_late() -> None:
    early = problem().audit_log(["right", "quiet"], plan=straight(), ended=True)
    assert not early.holds and early.deviation is not None and early.deviation.reason == "end"
    assert "does not terminate there; expected: `right`" in str(early.deviation)
    assert problem().audit_log(["right", "quiet"], plan=straight()).holds
    short = Plan([(0, "right", 1), (1, "quiet", 2), (2, "right", 3)], [0], [1])
    late = problem().audit_log(["right", "quiet"], plan=short)
    assert not late.holds and late.deviation is not None and "the plan has terminated" in str(late.deviation)


def test_what_the_observer_knows_is_left() -> None:
    known = Graph([("d", "right", "e"), ("e", "quiet", "f"), ("f", "right", "g"), ("g", "bell", "h")], ["d"])
    log = problem(knows=known).audit_log(["right", "quiet", "up"])
    assert not log.holds and log.deviation is not None and log.deviation.reason == "known"
    assert log.deviation.expected == ["right"] and "outside what the observer knows" in str(log.deviation)
    strange = problem(knows=known).audit_log(["right", "quiet", "right", "quiet"])
    assert strange.unexpected == "quiet" and len(strange) == 4 and strange.deviation is not None
    assert strange.deviation.number == 4 and strange.deviation.expected == ["bell"]
    watch = problem(knows=known).watch()
    with pytest.raises(divulge.UnexpectedEvent, match="event 1") as caught:
        watch.event("bell")
    assert caught.value.deviation.reason == "world" and "is an observation, and an action is due" in str(caught.value)
    assert watch.holds and watch.seen == []


def test_images_alone() -> None:
    log = problem().audit_log(["move", "quiet", "move", "bell"], images=True)
    assert log.holds and log.admitted and log.deviation is None
    assert problem().audit_log(["move", "quiet", "move", "bell"], images=True, plan=straight(), ended=True).holds
    silent = Plan([(0, "right", 1), (1, "quiet", 2), (2, "right", 3), (3, "bell", 4)], [0], [4])
    log = problem().audit_log(["move", "quiet", "move", "quiet"], images=True, plan=silent)
    assert not log.holds and log.deviation is not None and log.deviation.reason == "plan"
    assert "which looks like `quiet`" in str(log.deviation) and log.deviation.expected == ["bell"]
    # What was seen leaves open what happened, and what happens then must fit some of it.
    watch = problem().watch(plan=straight())
    watch.see("move")
    assert watch.event("quiet").states == {"b"} and watch.holds
    watch.see("move")
    assert watch.holds and watch.event("bell") and watch.holds
    with pytest.raises(divulge.UnexpectedEvent) as caught:
        problem().watch().see("no such image")
    assert caught.value.deviation.seen


@pytest.mark.parametrize("how", ["strongest", "image"])
@pytest.mark.parametrize("knows", ["world", "goal-directed", "plan"])
def test_watching_agrees_with_the_replay(knows: str, how: str) -> None:
    """On random executions, possible and impossible: admitted by the one exactly if admitted by the other."""
    asked = Problem(nuclear(), inspector(knows=knows, filter=how))
    plan = Problem(nuclear(), inspector()).seek_plan().plan
    rng, verdicts = random.Random(1), set()
    for _ in range(300):
        run, events = plan.start(), []
        while not run.done and len(events) < 8:
            options = run.actions or run.observations
            event = rng.choice(list(options))
            run.take(event) if run.actions else run.observe(event)
            if rng.random() < 0.1:
                event = rng.choice(asked.world.observations if event in asked.world.observations else asked.world.actions)
            events.append(event)
        log, trace = asked.audit_log(events, plan=plan), asked.trace(events, plan=plan)
        assert log.admitted == trace.admitted and log.deviation == trace.deviation, (events, log, trace)
        if not log.admitted:
            assert log.deviation is not None
            prefix = asked.trace(events[: log.deviation.number - 1], plan=plan)
            assert prefix.admitted and not asked.trace(events[: log.deviation.number], plan=plan).admitted
            good = [*events[: log.deviation.number - 1]]
            assert all(asked.trace([*good, label], plan=plan).admitted for label in log.deviation.expected)
        verdicts.add((log.admitted, None if log.deviation is None else log.deviation.reason))
    assert {(True, None), (False, "world")} <= verdicts and len(verdicts) >= 3, verdicts


def test_copies_share_nothing_that_changes() -> None:
    watch = problem().watch(plan=straight())
    watch.event("right")
    for made in (copy.copy(watch), copy.deepcopy(watch)):
        made.event("quiet")
        made.event("up")
        assert made.seen == ["move", "quiet", "move"] and made.deviation is not None
    assert watch.seen == ["move"] and watch.deviation is None and watch.estimate.states == {"b?"}
    run = straight().start()
    run.act()
    for other in (copy.copy(run), copy.deepcopy(run)):
        other.observe("quiet")
        assert other.history == ["right", "quiet"] and other.at == [2]
    assert run.history == ["right"] and run.at == [1]
    run.observe("quiet")
    assert run.history == ["right", "quiet"]


def test_examples_never_leave_their_course() -> None:
    tried = 0
    for path in sorted(EXAMPLES.glob("*.divulge")):
        read = divulge.load(path)
        if read.plan is None or None in read.maps.values() or not read.check():
            continue
        rng = random.Random(5)
        for _ in range(10):
            events = walk(read, rng)
            for observer in read.observers:
                log = read.audit_log(events, ended=True, observer=observer.name)
                assert log.holds and log.deviation is None, (path, events, log)
            tried += 1
    assert tried > 20


def walk(read: "Problem[str]", rng: random.Random) -> List[Any]:
    """A random execution of the plan in the world, to its end."""
    assert read.plan is not None
    edges, state, run = list(read.world.edges), rng.choice(read.world.initial), read.plan.start(choose=rng.choice)
    while not run.done:
        if run.observing:
            label = rng.choice(sorted({label for source, label, _ in edges if source == state}))
            run.observe(label)
        else:
            label = run.act()
        state = rng.choice([target for source, one, target in edges if source == state and one == label])
    return run.history
