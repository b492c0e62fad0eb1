"""Worlds made from functions, compared with the same worlds in the modelling language and with a plain exploration."""

import random
from typing import Any, Dict, Set, Tuple

import pytest
from conftest import EXAMPLES
from worlds import Need, Ward, inspector, medicine, nuclear

import divulge
from divulge import Observer, P, Problem, World, at_end, is_state, knows, possible, where


def sizes(world: World[Any]) -> Tuple[int, int, int, int]:
    return len(world), len(list(world.edges)), len(world.initial), len(world.goal)


def test_nuclear_is_the_example() -> None:
    built, read = nuclear(), divulge.load(EXAMPLES / "nuclear.divulge")
    assert sizes(built) == sizes(read.world)
    assert set(built.actions) == set(read.world.actions) and set(built.observations) == set(read.world.observations)
    problem = Problem(built, inspector())
    found, wanted = problem.seek_plan(), read.seek_plan()
    assert found.worst_case == wanted.worst_case == (12, 6)
    assert problem.check(found.plan) and found.filled_in().check()
    # The plans of the one are plans of the other: labels have the same names.
    assert read.check(found.plan).verdict == problem.check(wanted.plan).verdict == "holds"


def test_medicine_is_the_example() -> None:
    read = divulge.load(EXAMPLES / "medicine.divulge")
    family = Observer(
        knows="plan",
        merge=[("left", "right", "wait"), ("asks_insulin", "asks_pills")],
        stipulate={"discreet": ~knows(P.need), "informed": at_end(knows(P.result))},
    )
    problem = Problem(medicine(), family)
    assert sizes(problem.world) == sizes(read.world)
    assert problem.check(read.plan) and not problem.check(divulge.load(EXAMPLES / "medicine_prompt_violated.divulge").plan)
    assert problem.seek_plan().worst_case == read.seek_plan().worst_case


def test_states_of_every_kind() -> None:
    for states in ([(0, "x"), (1, "x")], [frozenset({1}), frozenset({2, 3})], [Need.INSULIN, Need.PILLS], ["a", "b"], [1.5, 7]):
        first, second = states
        world = World.explore(
            [first], actions=["go"], step=lambda s, a: second, observe=lambda s: ("seen", s), goal=lambda s: s == second
        )
        assert world.states == [first, second] and world.initial == [first] and world.goal == [second]
        found = Problem(world, Observer(knows="world", map={})).seek_plan()
        assert found.plan.start().act() == "go"
        observer = Observer(knows="world", map={}, stipulate=~possible(is_state(second)))
        violation = Problem(world, observer).check(found.plan).violation
        assert violation.estimate is not None and violation.estimate.states == {second}
        assert violation.execution == ["go"] and violation.estimate.kind == "observation"


def test_properties() -> None:
    world = medicine()
    ward = Ward(1, Need.PILLS)
    assert world.props(ward) == {"room": 1, "need": "PILLS", "loaded": False, "result": "PENDING"}
    assert set(world.where(P.need == Need.PILLS)) == {s for s in world.states if s.need is Need.PILLS}
    assert set(world.where((P.room >= 2) & P.loaded)) == {s for s in world.states if s.room >= 2 and s.loaded}
    assert set(world.where("room != 1 | !loaded")) == {s for s in world.states if s.room != 1 or not s.loaded}
    assert set(world.where(lambda s: s.room == s.loaded)) == {s for s in world.states if s.room == s.loaded}
    assert set(world.where(P.room.isin([0, 3]) & ~where(lambda s: s.loaded))) == {
        s for s in world.states if s.room in (0, 3) and not s.loaded
    }
    assert world.where(P.result.isin([])) == [] and world.where(is_state(ward)) == [ward]
    with pytest.raises(divulge.DivulgeError, match="rooom"):
        world.where(P.rooom == 1)


def test_properties_given() -> None:
    def make(props: Any) -> World[int]:
        return World.explore(
            [0], actions=["up"], step=lambda s, a: s + 1 if s < 3 else None, observe=lambda s: "o", goal=lambda s: s == 3, props=props
        )

    assert make({"odd": lambda s: s % 2 == 1}).where(P.odd) == [1, 3]
    assert make(lambda s: {"half": s // 2} if s else {}).props(0) == {}
    assert make(lambda s: {"half": s // 2} if s else {}).where(P.half == 0) == [1]
    assert make(["numerator"]).where(P.numerator > 1) == [2, 3]
    with pytest.raises(divulge.DivulgeError, match="both would be called"):
        make(lambda s: {"mixed": Need.PILLS if s else "PILLS"})
    # True and 1 are different values of a property.
    assert make(lambda s: {"x": True if s else 1}).where(P.x == 1) == [0]


def test_observations_that_change_the_state_and_worlds_that_begin_with_one() -> None:
    world = World.explore(
        ["?"],
        actions=lambda s: ["stay"],
        step=lambda s, a: None if s == "?" else s,
        observe=lambda s: {"left", "right"} if s == "?" else "nothing",
        sense=lambda s, o: o if s == "?" else s,
        goal=lambda s: s != "?",
        start="observing",
    )
    assert world.starts_observing and set(world.states) == {"?", "left", "right"}
    found = Problem(world, Observer(knows="world", map={})).seek_plan()
    run = found.plan.start()
    assert run.observing and set(run.observations) == {"left", "right"}
    run.observe("left")
    assert run.done and found.worst_case.events == 1


def test_unhashable_and_confused() -> None:
    with pytest.raises(divulge.DivulgeError, match="hashable"):
        World.explore([{}], actions=["a"], step=lambda s, a: s, observe=lambda s: "o", goal=lambda s: True)  # type: ignore[type-var]
    with pytest.raises(divulge.DivulgeError, match="both an action and an observation"):
        World.explore([0], actions=["a"], step=lambda s, a: s, observe=lambda s: "a", goal=lambda s: True)
    with pytest.raises(divulge.DivulgeError, match="no initial"):
        World.explore([], actions=["a"], step=lambda s, a: s, observe=lambda s: "o", goal=lambda s: True)
    with pytest.raises(divulge.DivulgeError, match="more than 10 vertices"):
        World.explore([0], actions=["a"], step=lambda s, a: s + 1, observe=lambda s: "o", goal=lambda s: False, limit=10)
    with pytest.raises(ZeroDivisionError):
        World.explore([0], actions=["a"], step=lambda s, a: s // 0, observe=lambda s: "o", goal=lambda s: False)


def test_labels_of_any_type_with_one_text() -> None:
    world = World.graph([(0, "1", 1), (0, 1, 2), (1, ("a", 2), 3), (2, 2.5, 3)], [0], [3])
    assert set(world.actions) == {"1", 1} and set(world.observations) == {("a", 2), 2.5}
    problem = Problem(world, Observer(knows="world", map={"1": "x", 1: "y"}))
    assert problem.map is not None and problem.map["1"] == "x" and problem.map[("a", 2)] == ("a", 2)
    again = divulge.loads(problem.to_json())
    assert len(set(again.world.actions)) == 2


class Plain:
    """The reachable part of a world, from the definition: pairs of a state and a kind."""

    def __init__(self, table: Dict[Tuple[int, str], Set[int]], seen: Dict[int, Set[str]], initial: Set[int]) -> None:
        self.edges: Set[Tuple[int, str, int, str]] = set()
        todo: Set[Tuple[int, bool]] = {(s, False) for s in initial}
        self.vertices: Set[Tuple[int, bool]] = set()
        while todo:
            s, observing = todo.pop()
            self.vertices.add((s, observing))
            following: Set[Tuple[int, bool]] = set()
            if observing:
                for o in seen[s]:
                    self.edges.add((s, o, s, "observation"))
                    following.add((s, False))
            else:
                for (t, a), after in table.items():
                    if t == s:
                        self.edges |= {(s, a, w, "action") for w in after}
                        following |= {(w, True) for w in after}
            todo |= following - self.vertices


@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
@pytest.mark.parametrize("seed", range(60))
def test_random_worlds(seed: int) -> None:
    rng = random.Random(seed)
    states, actions, observations = range(rng.randint(1, 7)), ["a", "b", "c"], ["o", "p"]
    table = {(s, a): set(rng.sample(states, rng.randint(0, min(2, len(states))))) for s in states for a in actions}
    seen = {s: set(rng.sample(observations, rng.randint(0, 2))) for s in states}
    initial = set(rng.sample(states, rng.randint(1, len(states))))
    goal = {s for s in states if rng.random() < 0.4}
    odd = {s: rng.choice([True, False, None]) for s in states}
    wanted = Plain(table, seen, initial)
    world = World.explore(
        sorted(initial),
        actions=lambda s: [a for a in actions if table[s, a]],
        step=lambda s, a: iter(table[s, a]),
        observe=lambda s: set(seen[s]),
        goal=lambda s: s in goal,
        props=lambda s: {} if odd[s] is None else {"odd": odd[s]},
    )
    got = {(s, label, t, "observation" if label in observations else "action") for s, label, t in world.edges}
    assert got == wanted.edges and len(world) == len(wanted.vertices) and set(world.initial) == initial
    assert set(world.goal) == {s for s, observing in wanted.vertices if not observing and s in goal}
    # The same as an explicit graph of pairs.
    drawn = World.graph(
        [((s, kind == "observation"), label, (t, kind == "action")) for s, label, t, kind in sorted(got)],
        [(s, False) for s in initial],
        lambda pair: pair[0] in goal and not pair[1],
        vertices=sorted(wanted.vertices),
        kinds={pair: "observation" if pair[1] else "action" for pair in wanted.vertices},
    )
    merge = [("a", "b"), ("o", "p")]
    test = lambda s: s in (0, 1)  # noqa: E731
    for one, two in [(~knows(test), ~knows(lambda pair: test(pair[0]))), (~possible(is_state(0)), ~possible(lambda pair: pair[0] == 0))]:
        try:
            left = Problem(world, Observer(knows="world", merge=merge, stipulate=[one]))
        except divulge.DivulgeError:
            assert 0 not in world or "a" not in world.actions or "b" not in world.actions or len(world.observations) < 2
            continue
        right = Problem(drawn, Observer(knows="world", merge=merge, stipulate=[two]))
        assert left.audit().verdict == right.audit().verdict
        first, second = left.seek_plan(), right.seek_plan()
        assert first.verdict == second.verdict
        if first:
            assert first.worst_case == second.worst_case


def test_policy() -> None:
    problem = Problem(nuclear(), inspector())
    ways = {"blue": ["up", "right", "down", "down"], "dark": ["right", "right", "down", "left"]}

    def act(memory: Tuple[str, ...]) -> Any:
        return memory[0] if memory else None

    def update(memory: Tuple[str, ...], action: Any, seen: Any) -> Tuple[str, ...]:
        return tuple(ways[seen]) if seen in ways and len(memory) == 1 else memory[1:]

    careful = problem.world.policy(("right", "down"), act=act, update=update)
    assert problem.check(careful)
    hasty = problem.world.policy(("right", "right", "down", "down"), act=act, update=lambda m, a, o: m[1:])
    assert problem.check(hasty).violation.stipulation == "hide"
    assert problem.check(hasty).violation.trace.broken.number == 4  # type: ignore[union-attr]


def test_many_states_in_seconds() -> None:
    import time

    begin = time.process_time()
    world = nuclear(160, 160)
    assert len(world) == 204_800 and len(world.states) == 102_400
    # About 2 s on a machine of 2020; the bound leaves room for a slow one.
    assert time.process_time() - begin < 20
    assert len(set(world.states)) == 102_400
