"""Automata, and opacity by name; every verdict was derived by hand."""

import collections
import json
import pathlib
import random
import warnings
from typing import Any, Counter, FrozenSet, List, Optional, Set, Tuple

import pytest
from conftest import EXAMPLES, run

import divulge
from divulge import P, Problem, Observer, World, knows, opacity

#: after `a` it is 1 or 2, and the next event tells which it was
TELLS: List[Tuple[int, str, int]] = [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 3)]
#: the same, one event later
LATER: List[Tuple[int, str, int]] = [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "b", 4), (3, "c", 5), (4, "d", 5)]
#: it may go from 0 to 1 unseen
SILENT: List[Tuple[int, str, int]] = [(0, "u", 1), (0, "a", 2), (1, "a", 3), (2, "b", 2), (3, "c", 3)]


def automaton(edges: Any, secret: Any, **options: Any) -> "World[int]":
    return World.automaton(edges, initial=options.pop("initial", [0]), secret=secret, **options)


def test_current_state() -> None:
    held = automaton([(0, "a", 1), (0, "a", 2), (1, "b", 1), (2, "b", 2)], [1])
    assert opacity.current(held)
    # b is possible in 1 alone.
    told = opacity.current(automaton([(0, "a", 1), (0, "a", 2), (1, "b", 1), (2, "c", 2)], [1]))
    assert not told and told.violation.events == ["a", "b"] and told.violation.image == ["a", "b"]
    assert told.violation.estimate is not None and told.violation.estimate.states == {1}
    assert opacity.current(automaton(TELLS, [1]))
    assert not opacity.current(automaton(TELLS, [1, 2]))
    assert not opacity.current(automaton(TELLS, [0])), "it is known where it starts"


def test_k_step_and_infinite_step() -> None:
    world = automaton(TELLS, [1])
    assert opacity.k_step(world, None, 0)
    for told in (opacity.k_step(world, None, 1), opacity.k_step(world, [1], 7), opacity.infinite(world)):
        assert not told
        violation = told.violation
        assert violation.events == ["a", "b"] and violation.estimate is not None and violation.estimate.states == {1}
        assert violation.moment in (1, 2), "after `a`, before or after the observation that nobody sees"
    later = automaton(LATER, [1])
    assert opacity.current(later) and opacity.k_step(later, None, 1)
    assert not opacity.k_step(later, None, 2) and not opacity.infinite(later)
    assert opacity.infinite(later, [3, 5]) is not None and not opacity.current(later, [3, 5, 4])


@pytest.mark.filterwarnings("ignore:.*never happens")
def test_initial_state() -> None:
    edges = [(0, "a", 2), (1, "a", 3), (2, "b", 2), (3, "c", 3)]
    told = opacity.initial(automaton(edges, [0], initial=[0, 1]))
    assert not told and told.violation.events == ["a", "b"]
    assert opacity.initial(automaton([*edges, (3, "b", 3)], [0], initial=[0, 1])), "c tells that it was 1, which is no secret"
    assert not opacity.initial(automaton([*edges, (3, "b", 3)], [1], initial=[0, 1]))
    assert not opacity.initial(automaton(edges, [0])), "there is one initial state"


def test_what_is_not_observable_is_not_seen() -> None:
    seen = ["a", "b", "c"]
    world = automaton(SILENT, [1], observable=seen)
    # At the start it may be in 0 or 1 already, and what follows may always have gone through 1 later than that.
    assert opacity.current(world) and opacity.infinite(world) and opacity.k_step(world, None, 3)
    assert not opacity.current(automaton(SILENT, [1])), "u is seen"
    told = opacity.current(automaton(SILENT, [3], observable=seen))
    assert not told and told.violation.image == ["a", "c"] and told.violation.events == ["u", "a", "c"]
    # The same said of the question rather than of the automaton.
    plain = automaton(SILENT, None)
    assert opacity.current(plain, [1], observable=seen) and not opacity.current(plain, [1])
    # Unseen are u and the observation that follows each event.
    problem = Problem(world, Observer(knows="world", map={}))
    assert problem.map is not None and problem.map.unseen == ["u", "then"] and problem.map.images == ["a", "b", "c"]


def test_the_automaton_of_the_manual(program: str, tmp_path: pathlib.Path) -> None:
    edges = [(0, "u", 2), (2, "a", 3), (3, "b", 5), (5, "a", 7), (1, "a", 4), (4, "b", 6), (6, "c", 8)]
    world = World.automaton(edges, initial=[0, 1], observable=["a", "b", "c"], secret=[3])
    notions = {
        "current": opacity.current(world),
        "initial": opacity.initial(world),
        "1-step": opacity.k_step(world, None, 1),
        "2-step": opacity.k_step(world, None, 2),
        "infinite-step": opacity.infinite(world),
    }
    assert [bool(verdict) for verdict in notions.values()] == [True, True, True, False, False]
    for name, verdict in notions.items():
        _, out, _ = run(program, "audit", str(EXAMPLES / "opacity" / "automaton.json"), "--observer", name, "--json", "--quiet")
        wanted, got = json.loads(out), json.loads(verdict.to_json())
        assert {key: value for key, value in wanted.items() if key not in ("observer", "stipulation")} == {
            key: value for key, value in got.items() if key != "stipulation"
        }
    # That it started in 0 comes out, but never when it was there.
    assert not opacity.initial(world, [0]) and opacity.infinite(world, [0])
    # The same by the options of the command line.
    path = tmp_path / "automaton.json"
    Problem(world, Observer(knows="world", map={})).save(path)
    for notion, verdict in [("current", notions["current"]), ("k-step=2", notions["2-step"]), ("infinite", notions["infinite-step"])]:
        _, out, _ = run(program, "audit", str(path), "--opacity", notion, "--secret", "secret", "--json", "--quiet")
        wanted, got = json.loads(out), json.loads(verdict.to_json())
        assert wanted.get("execution") == got.get("execution") and wanted["verdict"] == verdict.verdict


def test_secrets_and_marks_in_any_form() -> None:
    for secret in ([1], {1}, (1,), 1, lambda state: state == 1):
        world = automaton(TELLS, secret)
        assert world.where(P.secret) == [1], secret
        assert opacity.current(world, secret) and not opacity.infinite(world, secret)
    named = World.automaton([("q0", "a", "q1")], initial="q0", secret="q1", marked="q1")
    assert named.where(P.secret) == ["q1"] and named.goal == ["q1"] and not opacity.current(named)
    assert not opacity.current(named, "q1") and not opacity.current(named, P.secret)
    colours = World.automaton([("q0", "a", "q1")], initial=["q0"], props={"q1": {"colour": "red"}}, marked="colour = red")
    assert colours.goal == ["q1"] and not opacity.current(colours, "colour = red")
    several = World.automaton([("q0", ["a", "b"], "q1"), ("q1", "then", "q0")], initial=["q0"])
    assert several.actions == ["a", "b", "then"] and several.observations == ["then'"]


def test_mistakes_are_explained() -> None:
    def refused(match: str, make: Any) -> None:
        with pytest.raises(divulge.DivulgeError, match=match):
            make()

    refused("`observable` mentions `z`", lambda: automaton(TELLS, [1], observable=["z"]))
    refused("no state `9`", lambda: automaton(TELLS, [9]))
    refused("not said which states are secret", lambda: opacity.current(automaton(TELLS, None)))
    refused("no state `9`", lambda: opacity.current(automaton(TELLS, [1]), [9]))
    refused("no label `z`", lambda: opacity.current(automaton(TELLS, [1]), observable=["z"]))
    refused("no initial state", lambda: automaton(TELLS, [1], initial=[]))
    refused("has a property|have a property", lambda: automaton(TELLS, [1], props={1: {"secret": True}}))
    refused("`within` cannot be -1", lambda: opacity.k_step(automaton(TELLS, [1]), None, -1))
    refused("World.automaton", lambda: World.graph(SILENT, [0], [3]))


def test_logs_of_events_alone() -> None:
    world = automaton(TELLS, [1], marked=[3])
    problem = Problem(world, Observer(knows="world", map={}, stipulate={"late": divulge.hindsight(~knows(P.secret))}))
    for log in (["a", "b"], ["a", "then", "b"]):
        told = problem.audit_log(log)
        assert told.deviation is None and [moment.event for moment in told] == [None, "a", "then", "b"]
        assert told.broken is not None and told.broken.number == 3 and told.to_svg()
        assert problem.trace(log).admitted and problem.trace(log)[-1].broken == ["late"]
        watch = problem.watch()
        for event in log:
            watch.event(event)
        assert watch.deviation is None and watch.seen == ["a", "b"] and not watch.holds
    # What is refused changes nothing.
    watch = problem.watch()
    watch.event("a")
    with pytest.raises(divulge.UnexpectedEvent):
        watch.event("a")
    watch.event("c")
    assert watch.holds and watch.seen == ["a", "c"]
    assert problem.audit_log(["a", "c"]).holds and problem.audit_log(["a", "b"], images=True).broken is not None
    wrong = problem.audit_log(["a", "a"])
    assert not wrong.holds and wrong.deviation is not None and wrong.deviation.expected == ["b", "c"]
    line = Problem(automaton([(0, "a", 1), (1, "b", 3)], None, marked=[3]), Observer(knows="world", map={}))
    plan = line.seek_plan().plan
    assert line.audit_log(["a", "b"], plan=plan, ended=True).holds
    assert line.audit_log(["a"], plan=plan, ended=True).deviation is not None
    assert line.audit_log(["a", "b"], plan=plan, ended=True, images=True).holds


def test_a_plan_for_an_automaton() -> None:
    # Marked states are goals: a plan reaches 3, and nobody who cannot tell b from c knows that it went through 1.
    world = automaton(TELLS, [1], marked=[3])
    observer = Observer(knows="world", merge=[("b", "c")], stipulate=divulge.hindsight(~knows(P.secret)))
    assert Problem(world, observer).audit()
    # The robot does not know whether it is in 1 or 2, so neither b nor c is safe.
    assert Problem(world, observer).seek_plan().verdict == "none"
    safe = automaton([(0, "a", 1), (1, "b", 3)], None, marked=[3])
    found = Problem(safe, Observer(knows="world", map={})).seek_plan()
    assert found and found.worst_case is not None and found.worst_case.events == 4


Edges = List[Tuple[int, str, int]]
Relation = FrozenSet[Tuple[int, int]]


def after(edges: Edges, pairs: Relation, event: Optional[str]) -> Relation:
    """Pairs of an earlier state and the present one after an event that is seen, and after those that are not."""
    now = set(pairs) if event is None else {(p, t) for p, q in pairs for s, e, t in edges if (s, e) == (q, event)}
    todo = list(now)
    while todo:
        p, q = todo.pop()
        new = {(p, t) for s, e, t in edges if s == q and e == "u"} - now
        now |= new
        todo.extend(new)
    return frozenset(now)


def reached(edges: Edges, start: Relation, steps: Optional[int] = None) -> Set[Relation]:
    """All that may be thought after at most so many events that are seen."""
    found, last = {start}, {start}
    while last and steps != 0:
        last = {after(edges, pairs, event) for pairs in last for event in "ab"} - found - {frozenset()}
        found |= last
        steps = None if steps is None else steps - 1
    return found


def certain(relations: Set[Relation], secret: Set[int], which: int) -> bool:
    return any(all(pair[which] in secret for pair in pairs) for pairs in relations)


def test_random_automata_by_the_definitions() -> None:
    rng = random.Random(4)
    seen: Counter[Tuple[bool, ...]] = collections.Counter()
    for _ in range(300):
        states = range(rng.randint(2, 5))
        edges = [(rng.choice(states), rng.choice("aabbu"), rng.choice(states)) for _ in range(rng.randint(3, 10))]
        starts = sorted(set(rng.choices(states, k=2)))
        known = {state for source, _, target in edges for state in (source, target)}.union(starts)
        secret = {state for state in sorted(known) if rng.random() < 0.4}
        events = sorted({event for _, event, _ in edges})
        first = after(edges, frozenset((q, q) for q in starts), None)
        thought = reached(edges, first)
        wanted = [not certain(thought, secret, 1), not certain(thought, secret, 0)]
        for k in (1, 2, None):
            moments = {frozenset((q, q) for _, q in pairs) for pairs in thought}
            later = {r for now in moments for r in reached(edges, after(edges, now, None), k)}
            wanted.append(not certain(later, secret, 0))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            world = World.automaton(edges, initial=starts, observable=[e for e in events if e != "u"], secret=sorted(secret))
            got = [opacity.current(world), opacity.initial(world), opacity.k_step(world, None, 1)]
            got += [opacity.k_step(world, None, 2), opacity.infinite(world)]
        assert [bool(verdict) for verdict in got] == wanted, (edges, starts, secret)
        seen[tuple(wanted)] += 1
    assert all(sum(n for verdicts, n in seen.items() if verdicts[i] == said) > 30 for i in range(5) for said in (True, False)), seen
    assert any(v[0] and not v[2] for v in seen) and any(v[2] and not v[3] for v in seen), seen


def test_options_are_those_that_there_are() -> None:
    automaton = World.automaton([(0, "a", 1)], initial=[0], secret=[1])
    assert not opacity.current(automaton, observable=["a"], time_limit=60)
    with pytest.raises(divulge.DivulgeError, match="there is no option `observabel`"):
        opacity.current(automaton, observabel=["a"])  # type: ignore[call-arg]


def test_options_do_not_rename_the_question() -> None:
    told = opacity.current(automaton(TELLS, [1, 2]), time_limit=60, progress=lambda seen: None)
    assert told.violation.stipulation == "current-state opacity"
    steps: Any = None
    with pytest.raises(divulge.DivulgeError, match="needs a number of steps\\n.*`infinite`"):
        opacity.k_step(automaton(TELLS, [1]), None, steps)


def test_any_number_of_threads_gives_the_same_answer() -> None:
    rng = random.Random(7)
    edges = [(state, rng.choice("abcu"), rng.randrange(3000)) for state in range(3000) for _ in range(4)]
    world = automaton(edges, range(0, 3000, 7), observable=["a", "b", "c"])
    for notion in (opacity.current, opacity.initial, opacity.infinite):
        answers = [notion(world, threads=count) for count in (1, 3, 0)]
        one, *others = [answer.verdict if answer else answer.violation.events for answer in answers]
        assert others == [one, one]
