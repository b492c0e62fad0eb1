"""What is written as JSON and read back, and runs and watches that go on elsewhere."""

import copy
import enum
import json
import pickle
import random
import sys
from typing import Any, List, NamedTuple

import pytest
from children import finished
from conftest import EXAMPLES, ROOT
from worlds import Place, Ward, inspector, medicine, nuclear

import divulge
from divulge import Estimate, LabelMap, Observer, P, Plan, Problem, Run, Trace, Watch, World, knows


class Move(enum.Enum):
    LEFT = 1
    RIGHT = 2


class Step(NamedTuple):
    at: int
    what: str


def odd() -> Plan:
    """A plan whose vertices and labels are of many types."""
    return Plan(
        [
            (Step(0, "a"), [Move.LEFT, Move.RIGHT], (1, frozenset({"x", "y"}))),
            ((1, frozenset({"x", "y"})), (True, None, 2.5), "1"),
            ((1, frozenset({"x", "y"})), "o", 1),
            ("1", b"\x00\xff", float("inf")),
        ],
        [Step(0, "a")],
        [1, float("inf")],
    )


def test_plans_of_any_values_come_back() -> None:
    plan = odd()
    again = Plan.from_json(plan.to_json(), types=[Move, Step])
    assert again.vertices == plan.vertices and again.edges == plan.edges and again.initial == plan.initial
    assert again.terminal == plan.terminal and again.digest == plan.digest and again.to_json() == plan.to_json()
    assert [again.kind(v) for v in again] == [plan.kind(v) for v in plan]
    with pytest.raises(divulge.DivulgeError, match=r"type `Step`, which is not given\n.*types=\[Step\]"):
        Plan.from_json(plan.to_json(), types=[Move])
    with pytest.raises(divulge.DivulgeError, match="does not fit the type `Move`"):
        Plan.from_json(plan.to_json().replace('"LEFT"', '"LEAP"'), types=[Move, Step])
    with pytest.raises(divulge.DivulgeError, match="cannot be written as JSON, because it is a object"):
        Plan([(0, "a", object())], [0], []).to_json()


def test_plans_are_those_of_documents() -> None:
    problem = Problem(nuclear(), inspector())
    found = problem.seek_plan()
    again = Plan.from_json(found.plan.to_json())
    assert problem.check(again) and again.digest == found.plan.digest
    # What the command line answers is a plan, too.
    told = json.loads(found.to_json())["plan"]
    assert Plan.from_json(json.dumps(told)).digest == found.plan.digest
    written = json.loads(found.plan.to_json())
    assert written["format"] == "divulge-plan/1" and written["vertices"] == told["vertices"] and "values" not in written


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p: "{", "not JSON"),
        (lambda p: "[]", "not a plan"),
        (lambda p: p.replace("divulge-plan/1", "divulge-plan/7"), "this version of divulge reads `divulge-plan/1`"),
        (lambda p: p.replace("divulge-plan/1", "divulge-run/1"), "this is a `divulge-run/1`, not"),
        (lambda p: p.replace('"edges"', '"egdes"'), "no field `egdes`"),
        (lambda p: json.dumps({k: v for k, v in json.loads(p).items() if k != "initial"}), "`initial` of the plan is missing"),
        (lambda p: p.replace('"initial": ["u"]', '"initial": ["w"]'), "no vertex `w`"),
        (lambda p: p.replace('"initial": ["u"]', '"initial": "u"'), "`initial` of the plan is not as"),
        (lambda p: p.replace('"kind": "action"', '"kind": "axe"'), "`vertices.u` of the plan"),
        (lambda p: p.replace('"labels": ["a"]', '"labels": [3]'), "`labels` of the plan"),
        (lambda p: p.replace('"labels": ["a"]', '"labels": []'), "has no label"),
        (lambda p: p.replace('"kind": "action"', '"kind": "observation"'), "both an action vertex and an observation vertex"),
        (lambda p: 7, "not a text of JSON"),
        (lambda p: "[" * 100_000, "not JSON"),
    ],
)
def test_plans_that_are_not_as_written(change: Any, said: str) -> None:
    plan = Plan([("u", "a", "y")], ["u"], ["y"])
    with pytest.raises(divulge.DivulgeError, match=said):
        Plan.from_json(change(plan.to_json()))


def test_maps_come_back() -> None:
    looks = LabelMap({Move.LEFT: "move", Move.RIGHT: "move", (1, 2): 3, "b": None, "3": True, "4": 1})
    again = LabelMap.from_json(looks.to_json(), types=[Move])
    assert again == looks and list(again) == list(looks) and again.groups == looks.groups
    assert again["3"] is True and again["4"] == 1 and again["4"] is not True and again.unseen == ["b"]
    problem = Problem(nuclear(), Observer(knows="world"))
    found = problem.seek_both().map
    assert LabelMap.from_json(found.to_json()) == found and json.loads(found.to_json())["format"] == "divulge-map/1"
    assert problem.seek_plan(map=LabelMap.from_json(found.to_json()))
    with pytest.raises(divulge.DivulgeError, match="`map` of the map is not as"):
        LabelMap.from_json('{"format": "divulge-map/1", "map": {"a": 3}}')


def test_estimates_come_back() -> None:
    problem = Problem(nuclear(), inspector())
    watch = problem.watch()
    estimate = watch.event("right")
    again = Estimate.from_json(estimate.to_json(), problem)
    assert again == estimate and again.states == estimate.states and again.kind == "observation"
    assert all(isinstance(state, Place) for state in again) and again.to_svg() == estimate.to_svg()
    # Another observer is the same world; another world is not.
    assert Estimate.from_json(estimate.to_json(), Problem(nuclear(), Observer(knows="world", map={}))) == estimate
    with pytest.raises(divulge.DivulgeError, match="belongs to another world"):
        Estimate.from_json(estimate.to_json(), Problem(nuclear(3, 5), inspector()))
    with pytest.raises(divulge.DivulgeError, match="no vertex `nowhere`"):
        spoilt = json.loads(estimate.to_json())
        Estimate.from_json(json.dumps({**spoilt, "vertices": ["nowhere"]}), problem)


def same(one: Trace[Any], other: Trace[Any]) -> bool:
    parts = [(t.admitted, t.unexpected, t.deviation, list(t)) for t in (one, other)]
    return parts[0] == parts[1]


def test_traces_come_back() -> None:
    problem = Problem(nuclear(), inspector())
    plan = problem.seek_plan().plan
    events = ["right", "nothing", "down", "blue"]
    for trace in (
        problem.trace(events, plan=plan),
        problem.audit_log(events, plan=plan),
        problem.audit_log(["right", "exit"], plan=plan),
        problem.audit_log(["up", "nothing"], plan=plan),
        problem.audit_log(["left|right|up|down", "no such image"], images=True, plan=plan),
    ):
        again = Trace.from_json(trace.to_json(), problem, plan=plan)
        assert same(again, trace) and repr(again) == repr(trace)
        assert again.to_json() == trace.to_json() and again._can_be_drawn() == trace._can_be_drawn()
        if trace._can_be_drawn():
            assert again.to_svg() == trace.to_svg()
        with pytest.raises(divulge.DivulgeError, match="belongs to another problem"):
            Trace.from_json(trace.to_json(), problem)
    violation = problem.check(problem.world.policy(0, act=lambda n: "right", update=lambda n, a, o: n)).violation
    assert violation.reason != "stipulation" or violation.trace
    hasty = divulge.load(EXAMPLES / "nuclear_hasty_violated.divulge")
    trace = hasty.check().violation.trace
    assert same(Trace.from_json(trace.to_json(), hasty), trace) and not trace.holds


def test_runs_go_on_elsewhere() -> None:
    problem = Problem(medicine(), Observer(knows="world", map={}))
    plan = problem.seek_plan().plan
    rng, tried = random.Random(3), 0
    for seed in range(30):
        run = plan.start(seed=seed)
        while not run.done:
            again = Run.from_json(run.to_json(), plan, seed=seed)
            assert again.history == run.history and again.at == run.at and again.actions == run.actions
            run.observe(rng.choice(run.observations)) if run.observing else run.act()
            tried += 1
        assert Run.from_json(run.to_json(), plan).done
    assert tried > 100
    with pytest.raises(divulge.DivulgeError, match="belongs to another plan: the digests differ"):
        Run.from_json(run.to_json(), odd())
    spoilt = {**json.loads(run.to_json()), "events": ["give"]}
    with pytest.raises(divulge.DivulgeError, match="takes no|has no `give`|not in the plan"):
        Run.from_json(json.dumps(spoilt), plan)
    with pytest.raises(divulge.DivulgeError, match="not in the plan"):
        Run.from_json(json.dumps({**spoilt, "events": ["fly"]}), plan)
    assert Run.from_json(odd().start(choose=lambda _: Move.LEFT).to_json(), odd()).actions == [Move.LEFT, Move.RIGHT]


def test_watches_go_on_elsewhere() -> None:
    problem = Problem(nuclear(), inspector())
    plan = problem.seek_plan().plan
    watch = problem.watch(plan=plan)
    for event in ["right", "nothing", "down", "blue"]:
        watch.event(event)
        again = Watch.from_json(watch.to_json(), problem, plan=plan)
        assert again.estimate == watch.estimate and again.seen == watch.seen and again.history == watch.history
        assert again.holds == watch.holds and again.stipulations == watch.stipulations and again.expected == watch.expected
    watch.event("up")
    assert Watch.from_json(watch.to_json(), problem, plan=plan).deviation == watch.deviation is not None
    seen = problem.watch(plan=plan)
    seen.see("left|right|up|down"), seen.event("nothing")
    assert Watch.from_json(seen.to_json(), problem, plan=plan).estimate == seen.estimate
    for other in (problem, Problem(nuclear(3, 5), inspector()), Problem(nuclear(), inspector(stipulate=[]))):
        with pytest.raises(divulge.DivulgeError, match="belongs to another problem: the digests differ"):
            Watch.from_json(watch.to_json(), other, plan=None if other is problem else plan if len(other.world) == len(problem.world) else None)
    spoilt = json.loads(watch.to_json())
    spoilt["taken"][0] = {"event": "fly"}
    with pytest.raises(divulge.DivulgeError, match=r"`taken\[0\]` of the watch"):
        Watch.from_json(json.dumps(spoilt), problem, plan=plan)
    spoilt["taken"][0] = {"event": "exit"}
    with pytest.raises(divulge.DivulgeError, match=r"`taken\[0\]` of the watch"):
        Watch.from_json(json.dumps(spoilt), problem, plan=plan)


def test_every_example_is_watched_across_snapshots() -> None:
    tried = 0
    for path in sorted(EXAMPLES.rglob("*.divulge")):
        problem = divulge.load(path)
        if problem.plan is None or None in problem.maps.values():
            continue
        for observer in problem.observers:
            rng, run = random.Random(1), problem.plan.start(seed=1)
            watch, kept = observer.watch(), observer.watch()
            while not run.done and len(run.history) < 8:
                event = rng.choice(run.actions or run.observations)
                try:
                    watch.event(event)
                except divulge.UnexpectedEvent:
                    break
                run.take(event) if run.actions else run.observe(event)
                kept.event(event)
                kept = Watch.from_json(kept.to_json(), problem)
                assert kept.estimate == watch.estimate and kept.stipulations == watch.stipulations
                assert kept.deviation == watch.deviation and kept.seen == watch.seen
                tried += 1
    assert tried > 60


CHILD = """
import sys
sys.path[:0] = {path!r}
from worlds import medicine, nuclear, inspector
from divulge import Observer, Plan, Problem, Run, Watch

plan_text, run_text, watch_text = sys.stdin.read().split("\\n")
problem = Problem(nuclear(), inspector(knows="plan"))
plan = Plan.from_json(plan_text)
run, watch = Run.from_json(run_text, plan, seed=4), Watch.from_json(watch_text, problem, plan=plan)
while not run.done:
    if run.observing:
        run.observe(run.observations[0])
    else:
        run.act()
    watch.event(run.history[-1])
print(run.to_json())
print(watch.to_json())
"""


def test_another_process_goes_on() -> None:
    problem = Problem(nuclear(), inspector(knows="plan"))
    plan = problem.seek_plan().plan
    run, watch = plan.start(), problem.watch(plan=plan)
    watch.event(run.act())
    given = "\n".join([plan.to_json(), run.to_json(), watch.to_json()])
    child = CHILD.format(path=[str(ROOT / "python" / "tests"), *sys.path])
    told = finished([sys.executable, "-c", child], given=given, check=True).stdout.splitlines()
    run, watch = Run.from_json(told[0], plan), Watch.from_json(told[1], problem, plan=plan)
    assert run.done and len(run.history) > 1 and watch.history == run.history and watch.may_end


def test_digests_do_not_depend_on_the_order_of_sets() -> None:
    """States come in sets, whose order is another in each process."""
    program = (
        "from divulge import *\n"
        "w = World.explore(['s'], actions=['go'], step=lambda s, a: {s + x for x in 'abcdef'} if len(s) < 3 else None,"
        " observe=lambda s: {s[-1], 'o'}, goal=lambda s: len(s) == 3)\n"
        "print(w.digest, Problem(w, Observer(knows='world', map={}))._itself().digest, w.states)\n"
    )
    told = set()
    for seed in "12345":
        done = finished([sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}"], env={"PYTHONHASHSEED": seed}, check=True)
        told.add(tuple(done.stdout.split(maxsplit=2)))
    assert len({one[:2] for one in told}) == 1 and len({one[2] for one in told}) > 1


def test_events_that_were_not_expected_say_so_in_fields() -> None:
    plan = Plan([("p", ["a", "b"], "q"), ("q", "o", "r")], ["p"], ["r"])
    run = plan.start(choose=lambda offered: offered[0])
    run.act()
    with pytest.raises(divulge.UnexpectedEvent) as caught:
        run.observe("x")
    assert (caught.value.event, caught.value.expected, caught.value.after) == ("x", ["o"], ["a"])
    with pytest.raises(divulge.UnexpectedEvent, match=r"run.observe\('o'\)") as caught:
        run.act()
    assert (caught.value.event, caught.value.expected, caught.value.after) == (None, ["o"], ["a"])
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.expected == ["o"] and str(again) == str(caught.value)
    problem = Problem(nuclear(), inspector())
    watch = problem.watch()
    watch.event("right")
    with pytest.raises(divulge.UnexpectedEvent) as caught:
        watch.event("exit")
    assert caught.value.event == "exit" and caught.value.expected == ["nothing"] and caught.value.after == ["right"]
    with pytest.raises(divulge.UnexpectedEvent) as caught:
        watch.see("exit")
    assert caught.value.event == "exit" and caught.value.expected == ["nothing"] == watch.expected


def test_choices_are_left_to_chance() -> None:
    plan = Plan([("p", ["a", "b", "c"], "q")], ["p"], ["q"])
    assert {plan.start().act() for _ in range(200)} == {"a", "b", "c"}
    assert len({plan.start(seed=9).act() for _ in range(20)}) == 1
    assert {plan.start(seed=seed).act() for seed in range(100)} == {"a", "b", "c"}
    assert plan.start(choose=max).act() == "c"
    with pytest.raises(divulge.DivulgeError, match="both `choose` and `seed`"):
        plan.start(choose=max, seed=3)
    # Restored, it chooses afresh.
    kept = plan.start(seed=1).to_json()
    assert {Run.from_json(kept, plan).act() for _ in range(200)} == {"a", "b", "c"}


def corridor(seen: List[str]) -> Problem[str]:
    """Two steps; after the first there is something to observe, or several things."""
    world = World.graph([("u", "go", "y"), ("y", seen, "v"), ("v", ["go", "jump"], "z"), ("z", ["o", "p"], "end")], ["u"], ["end"])
    return Problem(world, Observer(knows="world", map={}))


def test_an_observation_that_tells_nothing_may_be_left_out() -> None:
    problem = corridor(["nothing"])
    watch = problem.watch()
    with pytest.warns(divulge.DivulgeWarning, match=r"no observation was told before event 3, `jump`: `nothing`") as warned:
        watch.event("go"), watch.event("jump")
    assert len(warned) == 1
    assert watch.history == ["go", "nothing", "jump"] and watch.filled_in == [2] and watch.holds
    assert watch.estimate.states == {"z"} and watch.seen == ["go", "nothing", "jump"]
    again = Watch.from_json(watch.to_json(), problem)
    assert again.filled_in == [2] and again.estimate == watch.estimate and again.to_json() == watch.to_json()
    with pytest.warns(divulge.DivulgeWarning, match="filled in"):
        log = problem.audit_log(["go", "jump", "o"])
    assert log.holds and [m.event for m in log] == [None, "go", "nothing", "jump", "o"]
    assert [m.number for m in log.filled_in] == [2] and [m.number for m in log] == [0, 1, 2, 3, 4]
    with pytest.warns(divulge.DivulgeWarning, match="filled in"):
        trace = problem.trace(["go", "jump", "o"])
    assert trace.admitted and [m.event for m in trace.filled_in] == ["nothing"]
    assert same(Trace.from_json(trace.to_json(), problem), trace)


def test_gaps_that_could_be_anything_are_refused() -> None:
    problem = corridor(["bright", "dark"])
    watch = problem.watch()
    watch.event("go")
    with pytest.raises(divulge.UnexpectedEvent, match="is an action, and an observation is due; expected: `bright`, `dark`") as caught:
        watch.event("jump")
    assert "World.automaton" in str(caught.value) and caught.value.deviation.missing == "observation"
    assert caught.value.expected == ["bright", "dark"] and watch.history == ["go"] and watch.filled_in == []
    log = problem.audit_log(["go", "jump"])
    assert not log.holds and log.unexpected == "jump" and log.deviation is not None and log.deviation.missing == "observation"
    assert not problem.trace(["go", "jump"]).admitted
    # A missing action is the robot's choice, and is never filled in.
    watch = corridor(["nothing"]).watch()
    with pytest.raises(divulge.UnexpectedEvent, match="is an observation, and an action is due"):
        watch.event("nothing")


def test_steps_take_limits() -> None:
    problem = Problem(nuclear(), inspector())
    watch, plain = problem.watch(), problem.watch()
    for event in ["right", "nothing", "down", "blue"]:
        assert watch.event(event, time_limit=60, memory_limit="1G") == plain.event(event)
    before = watch.to_json()
    with pytest.raises(divulge.LimitReached):
        watch.event("up", time_limit=0)
    assert watch.to_json() == before and watch.event("up") == plain.event("up")
    with pytest.raises(divulge.LimitReached):
        problem.to_dot(time_limit=0)
    assert problem.to_dot(time_limit=60).startswith("digraph")
    assert copy.copy(watch).to_json() == watch.to_json()


def test_states_stay_the_users_own() -> None:
    problem = Problem(medicine(), Observer(knows="world", map={}))
    watch = problem.watch()
    watch.event("right")
    again = Watch.from_json(watch.to_json(), problem)
    assert all(isinstance(state, Ward) for state in again.estimate) and again.estimate == watch.estimate


def test_plans_as_behavior_trees() -> None:
    plan = Plan([((0, 0), ["a", "b"], "?"), ("?", ["red", "green"], (0, 1))], [(0, 0)], [(0, 1)])
    tree = plan.to_bt()
    assert tree.startswith("<?xml") and 'BTCPP_format="4"' in tree and '<Control ID="ChooseAtRandom">' in tree
    assert plan.to_bt(time_limit=60) == tree
    with pytest.raises(divulge.DivulgeError, match="cannot stand in a tree"):
        Plan([(0, frozenset({"x"}), 1)], [0], [1]).to_bt()


def test_violations_as_traces() -> None:
    problem = divulge.load(EXAMPLES / "nuclear_hasty_violated.divulge")
    violation = problem.check().violation
    trace = json.loads(violation.to_itf())
    assert trace["#meta"]["format"] == "ITF" and trace["#meta"]["stipulation"] == violation.stipulation
    assert [state["event"] for state in trace["states"]] == ["", *violation.execution]
    assert set(trace["states"][-1]["estimate"]["#set"]) == set(violation.estimate.states)


def test_plans_that_go_on_keep_what_was_before() -> None:
    problem = Problem(nuclear(), inspector())
    plan = problem.seek_plan(after=["right", "nothing"]).plan
    again = Plan.from_json(plan.to_json())
    assert list(again._after) == ["right", "nothing"] and again.digest == plan.digest
    run = again.start()
    assert run.replan(problem).plan.digest == run.replan(problem).plan.digest
    assert Run.from_json(run.to_json(), plan).history == []
    # The same graph from the start is another plan.
    fresh = json.loads(plan.to_json())
    del fresh["after"]
    assert Plan.from_json(json.dumps(fresh)).digest != plan.digest
