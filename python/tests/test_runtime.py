"""Plans that are run, observers that watch, and logs."""

import itertools
import random
from typing import Any, List

import pytest
from conftest import EXAMPLES
from worlds import inspector, nuclear

import divulge
from divulge import Graph, Observer, P, Plan, Problem, World, at_end, knows


def simulate(world: World[Any], plan: Plan, rng: random.Random) -> List[Any]:
    """Drives a plan through the world, along randomly chosen edges."""
    edges = list(world.edges)
    state, run = rng.choice(world.initial), plan.start(choose=rng.choice)
    while not run.done:
        label = run.act() if not run.observing else None
        if label is None:
            label = rng.choice(sorted({l for s, l, _ in edges if s == state and l in world.observations}))
            run.observe(label)
        state = rng.choice([t for s, l, t in edges if s == state and l == label])
    assert state in world.goal
    return run.history


def test_a_found_plan_drives_a_simulation() -> None:
    problem = Problem(nuclear(), inspector(knows="plan"))
    plan = problem.seek_plan().plan
    seen = set()
    for seed in range(40):
        events = simulate(problem.world, plan, random.Random(seed))
        trace = problem.audit_log(events, plan=plan, ended=True)
        assert trace.holds and len(trace) == len(events) + 1
        assert trace[-1].estimate is not None and trace[-1].estimate.knows(P.rad)
        assert not trace[-1].estimate.knows(P.facility)
        seen.add(tuple(events))
    assert len(seen) > 3


def test_watch_agrees_with_the_replay() -> None:
    for path in sorted(EXAMPLES.glob("*.divulge")):
        problem = divulge.load(path)
        if problem.plan is None or None in problem.maps.values():
            continue
        for seed, observer in itertools.product(range(5), problem.observers):
            rng, run, events = random.Random(seed), problem.plan.start(choose=random.Random(seed).choice), []
            while not run.done and len(events) < 12:
                options = run.actions or run.observations
                possible = [o for o in options if problem.trace([*events, o], observer=observer.name)[-1].robot]
                if not possible:
                    break
                event = rng.choice(possible)
                run.take(event) if run.actions else run.observe(event)
                events.append(event)
            trace, watch = problem.trace(events, observer=observer.name), observer.watch()
            for moment in trace:
                if moment.event is not None and moment.estimate is not None:
                    assert watch.event(moment.event) == moment.estimate
                if moment.estimate is not None:
                    assert {k: v for k, v in watch.stipulations.items()} == {
                        k: watch.stipulations[k] if v is None else v for k, v in moment.stipulations.items()
                    }


def test_filters_remember_less() -> None:
    strongest = divulge.load(EXAMPLES / "remembering.divulge")
    image = divulge.loads(strongest.to_json().replace('"strongest"', '"image"'), name="image")
    if '"filter"' not in strongest.to_json():
        image.observer.filter = "image"
        image = Problem(image.world, image.observer, plan=image.plan)
    for problem in (strongest, image):
        verdict = problem.audit()
        if not verdict:
            watch = problem.watch()
            for event in verdict.violation.execution:
                watch.event(event)
            assert watch.estimate == verdict.violation.estimate and not watch.holds


def test_run_refuses_what_cannot_be() -> None:
    plan = Plan([("p", ["a", "b"], "q"), ("q", "o", "r")], ["p"], ["r"])
    run = plan.start(choose=lambda offered: offered[0])
    assert run.actions == ["a", "b"] and not run.observing and not run.done
    with pytest.raises(divulge.UnexpectedEvent, match="cannot observe"):
        run.observe("o")
    with pytest.raises(divulge.UnexpectedEvent, match="takes no `c`"):
        run.take("c")
    assert run.act() == "a"
    with pytest.raises(divulge.UnexpectedEvent, match="cannot act"):
        run.act()
    with pytest.raises(divulge.UnexpectedEvent, match="foresees no `x`"):
        run.observe("x")
    run.observe("o")
    assert run.done and run.at == ["r"] and run.history == ["a", "o"]
    with pytest.raises(divulge.UnexpectedEvent, match="terminated"):
        run.act()
    assert plan.start(choose=lambda offered: offered[-1]).act() == "b"


def test_nondeterministic_plans() -> None:
    plan = Plan([(0, "a", 1), (0, "a", 2), (1, "o", 3), (2, "p", 4), (4, "b", 5)], [0], [3, 5])
    run = plan.start()
    run.act()
    assert run.at == [1, 2] and set(run.observations) == {"o", "p"}
    run.observe("p")
    assert run.at == [4] and run.act() == "b" and run.done


def test_watch_is_surprised() -> None:
    problem = Problem(nuclear(), inspector())
    watch = problem.observer.watch()
    assert watch.expected == ["left|right|up|down"] and watch.holds and not watch.knows(P.rad)
    with pytest.raises(divulge.UnexpectedEvent, match="nothing that the observer expects"):
        watch.see("exit")
    assert len(watch.event("right")) == 8 and watch.seen == ["left|right|up|down"]
    with pytest.raises(divulge.DivulgeError, match="no label"):
        watch.event("rihgt")
    log = problem.audit_log(["right", "nothing", "right", "high"])
    assert not log.holds and log.broken is not None and log.broken.number == 4 and log.broken.broken == ["hide"]
    odd = problem.audit_log(["right", "exit"])
    assert odd.unexpected == "exit" and len(odd) == 2 and not odd.holds
    assert problem.audit_log(["left|right|up|down", "nothing"], images=True).holds
    with pytest.raises(divulge.DivulgeError, match="nothing to watch"):
        Observer(knows="world", map={}).watch()


def test_what_must_hold_at_the_end() -> None:
    world = World.graph([("u", "a", "y"), ("y", ["o", "p"], "v")], ["u"], ["v"], props={"v": {"there": True}})
    problem = Problem(world, Observer(knows="world", map={}, stipulate={"late": at_end(knows(P.there))}))
    assert problem.audit_log(["a"]).holds and not problem.audit_log(["a"], ended=True).holds
    assert problem.audit_log(["a", "o"], ended=True).holds
    watch = problem.watch()
    assert watch.holds and not watch.may_end
    watch.event("a"), watch.event("p")
    assert watch.may_end


def test_graphs_known_and_remembered() -> None:
    world = World.graph([("u", ["a", "b"], "y"), ("y", "o", "u")], ["u"], ["u"])
    known = Graph([("d", "a", "e"), ("e", "o", "d")], ["d"])
    problem = Problem(world, Observer(knows=known, map={}))
    with pytest.raises(divulge.UnexpectedEvent):
        problem.watch().event("b")
    memory = Graph([("i", ["a", "b"], "j"), ("j", "o", "i")], ["i"])
    assert Problem(world, Observer(knows="world", map={}, filter=memory)).audit()
    with pytest.raises(divulge.DivulgeError, match="cannot trace"):
        Problem(world, Observer(knows="world", map={}, filter=known)).audit()


def test_a_run_goes_on_with_another_plan() -> None:
    problem = Problem(nuclear(), inspector(knows="world"))
    found = problem.seek_plan()
    assert found.worst_case is not None
    run = found.plan.start(seed=1)
    run.act()
    again = run.replan(problem)
    assert again.worst_case is not None and again.worst_case.events == found.worst_case.events - 1
    later = again.plan.start()
    assert later.observing and not run.done
    later.observe(later.observations[0])
    assert later.replan(problem).worst_case is not None
    with pytest.raises(divulge.DivulgeError, match="from the start"):
        again.filled_in()
    with pytest.raises(divulge.DivulgeError, match="event 1"):
        problem.seek_plan(after=list(problem.world.observations)[:1])
    with pytest.raises(divulge.DivulgeError, match="knows the plan"):
        Problem(nuclear(), inspector(knows="plan")).seek_plan(after=run.history)


def test_plans_offer_no_choice_without_need() -> None:
    problem = divulge.load(str(EXAMPLES / "theory" / "chance.divulge"))
    assert problem.seek_plan().must_be_unpredictable == []
    assert problem.seek_plan(permissive=True).must_be_unpredictable and not problem.seek_plan(permissive=True).irredundant
    needed = divulge.load(str(EXAMPLES / "theory" / "chance.divulge"), set={"observer": "suspicious"})
    found = needed.seek_plan()
    assert len(found.must_be_unpredictable) == 1 and found.irredundant
    none = needed.seek_plan(deterministic=True)
    assert none.verdict == "none" and none.why.reason == "chance" and none.without_deterministic == "found"
    assert found.without_deterministic is None
    assert problem.seek_plan(deterministic=True)
    with pytest.raises(divulge.DivulgeError):
        problem.seek_plan(deterministic=True, permissive=True)
