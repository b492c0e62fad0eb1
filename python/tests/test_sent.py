"""Everything can be sent to other processes: worlds, problems, plans, maps, observers, answers, and what is at work."""

import concurrent.futures
import copy
import json
import multiprocessing
import pathlib
import pickle
import random
import warnings
from typing import Any, Callable, List, Tuple

import pytest
from conftest import COUNT
from test_random import QUESTIONS
from worlds import MOVES, Place, inspector, medicine, nuclear

import divulge
from divulge import Graph, MapConstraints, Observer, P, Plan, Problem, World, at_end, knows, possible

cloudpickle = pytest.importorskip("cloudpickle")


def out_of_band(thing: Any) -> Any:
    buffers: List[pickle.PickleBuffer] = []
    data = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=buffers)


WAYS: List[Tuple[str, Callable[[Any], Any]]] = [
    *((f"protocol {n}", lambda thing, n=n: pickle.loads(pickle.dumps(thing, n))) for n in range(2, 6)),
    ("out of band", out_of_band),
    ("cloudpickle", lambda thing: pickle.loads(cloudpickle.dumps(thing))),
    ("copy", copy.copy),
    ("deepcopy", copy.deepcopy),
]
EACH = pytest.mark.parametrize("way", [way for _, way in WAYS], ids=[name for name, _ in WAYS])


def same_world(a: "World[Any]", b: "World[Any]") -> None:
    assert a.digest == b.digest and a.states == b.states and list(a.edges) == list(b.edges)
    assert (a.initial, a.goal, a.actions, a.observations) == (b.initial, b.goal, b.actions, b.observations)
    assert [a.props(state) for state in a.states] == [b.props(state) for state in b.states]
    assert (a.name, repr(a), a._names, a._grid, a._columns) == (b.name, repr(b), b._names, b._grid, b._columns)
    assert a.to_svg() == b.to_svg()


@EACH
@pytest.mark.parametrize("make", [nuclear, medicine], ids=["nuclear", "medicine"])
def test_worlds(way: Callable[[Any], Any], make: Callable[[], "World[Any]"]) -> None:
    world = make()
    again = way(world)
    same_world(world, again)
    same_world(world, way(again))
    assert again.where(lambda state: True) == world.states


@EACH
def test_automata(way: Callable[[Any], Any]) -> None:
    edges = [(0, "u", 2), (2, "a", 3), (3, "b", 5), (5, "a", 7), (1, "a", 4), (4, "b", 6), (6, "c", 8)]
    world = World.automaton(edges, initial=[0, 1], observable=["a", "b", "c"], secret=[3])
    again = way(world)
    same_world(world, again)
    for notion in (divulge.opacity.current, divulge.opacity.infinite):
        assert bool(notion(again)) == bool(notion(world))
    watch = Problem(world, Observer(knows="world", map={}, unseen=["u"])).watch()
    watch.event("u")
    other = way(watch)
    assert watch.event("a") == other.event("a") and watch.history == other.history


def test_a_large_world_is_one_buffer() -> None:
    world = nuclear(12, 14)
    buffers: List[pickle.PickleBuffer] = []
    rest = pickle.dumps(world, protocol=5, buffer_callback=buffers.append)
    assert len(buffers) == 1
    arcs = len(world._arcs) // 3
    # Arcs, names, properties and states together take less than the numbers of the arcs alone would.
    assert buffers[0].raw().nbytes < 12 * arcs, (buffers[0].raw().nbytes, arcs)
    assert len(rest) < 40 * len(world.states)
    # Any buffer will do where it arrives.
    same_world(world, pickle.loads(rest, buffers=[memoryview(bytearray(buffers[0].raw()))]))
    # A problem, its plan and its answer have one world between them.
    problem = Problem(world, inspector())
    found = problem.seek_plan()
    buffers.clear()
    pickle.dumps([problem, found, found.filled_in()], protocol=5, buffer_callback=buffers.append)
    assert len(buffers) == 1


def test_torn_bytes_are_refused() -> None:
    world = nuclear()
    packed = divulge._divulge.pack_world(world._native, world._arcs.tobytes(), world._state_of.tobytes())
    chance = random.Random(3)
    for cut in [0, 5, *range(16, len(packed), 37)]:
        with pytest.raises(divulge.DivulgeError):
            divulge._divulge.unpack_world(packed[:cut])
    for _ in range(2000):
        torn = bytearray(packed)
        torn[chance.randrange(16, len(torn))] = chance.randrange(256)
        try:
            divulge._divulge.unpack_world(bytes(torn))
        except divulge.DivulgeError:
            pass
    problem = Problem(world, inspector())
    found = problem.seek_plan()
    packed = divulge._divulge.pack_answer(found._native)
    for _ in range(2000):
        torn = bytearray(packed)
        torn[chance.randrange(len(torn))] = chance.randrange(256)
        try:
            divulge._divulge.unpack_answer(found._built.native, bytes(torn[: chance.randrange(len(torn) + 1)]), (None, None, None))
        except divulge.DivulgeError:
            pass


class Odd(str):
    """A label of one's own."""


def problems() -> List["Problem[Any]"]:
    left = Odd("left")
    plan = Plan([(0, "go", 1), (1, [left, True], (2, frozenset([3])))], initial=[0], terminal=[(2, frozenset([3]))])
    drawn = World.graph([(0, "go", 1), (1, [left, True], 2)], initial=[0], goal=[2], props={2: {"done": True}})
    filtered = Graph([("f", "go", "g"), ("g", ["left", True], "f")], initial=["f"])
    return [
        Problem(nuclear(), inspector()),
        Problem(nuclear(), inspector(merge=None, constraints=MapConstraints(merge=[tuple(MOVES)], separate=[("high", "low")]))),
        # Functions, which plain pickle could not send.
        Problem(
            nuclear(),
            Observer(
                knows="world",
                map=lambda label: "move" if label in MOVES else label,
                stipulate={"far": ~knows(lambda place: place.col > 2) | possible(P.rad == "low"), "end": at_end(possible(lambda p: p.row == 2))},
            ),
        ),
        Problem(medicine(), Observer(knows="goal-directed", map={}, stipulate=~knows(P.need))),
        Problem(drawn, Observer(knows=[plan], map={}, stipulate=possible(P.done)), plan=plan, costs={left: 3}),
        Problem(drawn, [Observer(name="a", knows="world", map={}, filter="image"), Observer(name="b", knows="plan", map={})], plan=plan),
        Problem(drawn, Observer(knows="world", map={left: "left"}, filter=filtered), plan=plan),
    ]


def asked(problem: "Problem[Any]") -> List[str]:
    """What the questions say, whichever can be asked."""
    said = []
    for question in ("check", "audit", "seek_plan", "seek_map", "seek_both", "seek_maps"):
        options = {"any_map": True} if question in ("seek_map", "seek_both", "seek_maps") else {}
        if options and len(problem.world._labels) > 12 and problem.observers[0].map is not None:
            continue
        try:
            answer = getattr(problem, question)(**options)
        except divulge.DivulgeError as error:
            said.append(str(error))
        else:
            said += [answer.to_json(), answer.explain(), answer.verdict]
    return said


@EACH
@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
def test_problems(way: Callable[[Any], Any]) -> None:
    for problem in problems():
        again = way(problem)
        assert repr(again) == repr(problem) or "0x" in repr(problem) or "a function" in repr(problem)
        assert again.to_json() == problem.to_json() and again._itself().digest == problem._itself().digest
        assert again.costs == problem.costs and again.maps == problem.maps
        assert all(one._problem is again for one in again.observers)
        if way is out_of_band:
            assert asked(again) == asked(problem)
        # An observer that is sent comes with its problem.
        observer = way(problem.observers[0])
        assert [(one.name, one.scope) for one in observer.stipulations] == [
            (one.name, one.scope) for one in problem.observers[0].stipulations
        ]


def test_functions_that_were_sent_know_one_world_only() -> None:
    problem = pickle.loads(pickle.dumps(problems()[2]))
    with pytest.raises(divulge.DivulgeError, match="only its values for one world were sent"):
        Problem(nuclear(4, 5), problem.observer)
    stranger = Plan([(0, "fly", 1)], initial=[0], terminal=[1])
    with pytest.raises(divulge.DivulgeError, match="`fly` looks like is not known here"):
        problem.check(stranger)


@EACH
@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
def test_answers_and_what_is_in_them(way: Callable[[Any], Any]) -> None:
    for problem in problems():
        for question in ("check", "audit", "seek_plan"):
            try:
                answer = getattr(problem, question)()
            except divulge.DivulgeError:
                continue
            again = way(answer)
            assert repr(again) == repr(answer) and again.statistics == answer.statistics
            assert again.to_json() == answer.to_json() and again.explain() == answer.explain()
            if answer.verdict == "violated":
                violation, other = answer.violation, way(answer.violation)
                for one in (again.violation, other):
                    assert (one.execution, one.estimate, one.state) == (violation.execution, violation.estimate, violation.state)
                    assert one.explain() == violation.explain() and one.twins == violation.twins
                    assert one.trace._moments == violation.trace._moments and one.to_itf() == violation.to_itf()
                trace = way(violation.trace)
                assert trace._moments == violation.trace._moments and trace.to_svg() == violation.trace.to_svg()
                assert way(violation.trace[-1]) == violation.trace[-1] and trace.to_json() == violation.trace.to_json()
            if answer.verdict == "found":
                assert way(answer.plan).edges == answer.plan.edges and way(answer.plan).digest == answer.plan.digest
                assert again.plan.edges == answer.plan.edges and again.to_svg() == answer.to_svg()
                assert again.maps == answer.maps and all(way(one) == one for one in answer.maps.values())
                assert again.filled_in().check() and again.filled_in().to_json() == answer.filled_in().to_json()


def test_unknown_keeps_its_best() -> None:
    problem = Problem(nuclear(40, 42), inspector())
    unknown = problem.seek_plan(time_limit=0.05)
    again = pickle.loads(pickle.dumps(unknown))
    assert again.verdict == unknown.verdict and again.to_json() == unknown.to_json() and again.explain() == unknown.explain()
    assert (again.best is None) == (unknown.best is None)
    if again.limit is not None:
        with pytest.raises(divulge.NoAnswer):
            bool(again)


@EACH
def test_frontiers(way: Callable[[Any], Any]) -> None:
    problem = Problem(nuclear(2, 3), inspector(merge=None, constraints=MapConstraints(merge=[tuple(MOVES)])))
    frontier = problem.seek_maps()
    again = way(frontier)
    assert again.to_json() == frontier.to_json() and again.so_far == frontier.so_far and again.to_svg() == frontier.to_svg()
    assert [one.map for one in again.finest] == [one.map for one in frontier.finest]
    one = way(frontier.coarsest[0])
    assert one.map == frontier.coarsest[0].map and one.filled_in().check()


def test_what_is_at_work_goes_on() -> None:
    problem = Problem(nuclear(), inspector())
    plan = problem.seek_plan().plan
    run, watch = plan.start(seed=7), problem.watch(plan=plan)
    watch.event(run.act())
    for way in (out_of_band, lambda thing: pickle.loads(cloudpickle.dumps(thing))):
        other, seer = way(run), way(watch)
        assert other.history == run.history and other.at == run.at and other.plan.digest == plan.digest
        assert seer.estimate == watch.estimate and seer.history == watch.history and seer.to_json() == watch.to_json()
        seen = other.observations[0]
        other.observe(seen)
        seer.event(seen)
        assert other.history == seer.history and run.history == watch.history and len(run.history) == 1
    # Choices that can be repeated are the same ones there, those that nobody may foresee are not.
    for name in "ab":
        choice = Plan([(0, [name, "b", "c", "d"], 1), (1, "x", 0)], initial=[0], terminal=[])
        mine = choice.start(seed=3)
        theirs = pickle.loads(pickle.dumps(mine))
        for one in (mine, theirs):
            for _ in range(20):
                one.act()
                one.observe("x")
        assert mine.history == theirs.history
    secret = pickle.loads(pickle.dumps(plan.start()))
    assert secret.actions == plan.start().actions and secret._chance is not None


def test_formulas_and_small_things() -> None:
    formula = divulge.unless(~knows(P.rad == "high"), possible(P.row > 1)) & ~possible(divulge.is_state(Place(0, 0, "pebble", "low")))
    assert repr(pickle.loads(pickle.dumps(formula))) == repr(formula)
    problem = Problem(nuclear(), inspector())
    small = [divulge.WorstCase(1, 2), divulge.MapConstraints(merge=[("a", "b")]), problem.lint(), problem.seek_plan().statistics]
    assert pickle.loads(pickle.dumps(small)) == small
    page = problem.seek_plan().explore()
    assert pickle.loads(pickle.dumps(page)).html == page.html
    error = divulge.UnexpectedEvent("no", "help", event="x", expected=["y"], after=[1])
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.event, again.expected, again.after) == (str(error), "x", ["y"], [1])


def test_a_guard_stays_where_it_is() -> None:
    problem = Problem(nuclear(), inspector())
    guard = divulge.Guard(problem, plan=problem.seek_plan().plan)
    for way in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="a guard cannot be pickled or copied"):
            way(guard)


def test_a_map_with_gaps_is_refused_there_too(tmp_path: pathlib.Path) -> None:
    document = json.loads(Problem(nuclear(2, 3), inspector()).to_json())
    del document["observers"][0]["map"]["left"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem = divulge.loads(json.dumps(document))
    again = pickle.loads(pickle.dumps(problem))
    for one in (problem, again, pickle.loads(pickle.dumps(again))):
        with pytest.raises(divulge.DivulgeError) as caught:
            one.seek_plan()
        assert "left" in str(caught.value) and caught.value.diagnostics


@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
@pytest.mark.parametrize("kind, question, flags, options", QUESTIONS, ids=lambda value: str(value))
def test_random_problems(folder: pathlib.Path, kind: str, question: str, flags: List[str], options: Any) -> None:
    """Questions about problems that were sent have the same answers, byte for byte, and so do answers that were sent."""
    looked = 0
    for path in sorted(folder.glob(f"{kind}-*.json"))[: COUNT // 8]:
        if not path.stem[len(kind) + 1 :].isdigit():
            continue
        problem = divulge.load(path)
        again = out_of_band(problem)
        assert again.to_json() == problem.to_json()
        same_world(problem.world, again.world)
        name = question.replace(" ", "_")
        try:
            answer = getattr(problem, name)(**options)
        except divulge.DivulgeError as error:
            with pytest.raises(divulge.DivulgeError) as caught:
                getattr(again, name)(**options)
            assert str(caught.value) == str(error)
            continue
        there, sent = getattr(again, name)(**options), out_of_band(answer)
        assert there.to_json() == sent.to_json() == answer.to_json()
        # Why there is no map may take longer to find out than anybody waits.
        if question in ("check", "audit"):
            assert sent.explain() == answer.explain()
        looked += 1
    assert looked > 5


def seek(problem: "Problem[Any]") -> Tuple[str, "Problem[Any]", Any]:
    found = problem.seek_plan(threads=1)
    return found.to_json(), problem, found


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_through_processes(method: str) -> None:
    problem = Problem(nuclear(), inspector())
    here = problem.seek_plan()
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        for text, sent, found in pool.map(seek, [problem] * 4, timeout=120):
            assert text == found.to_json() == here.to_json()
            assert sent.to_json() == problem.to_json() and found.plan.edges == here.plan.edges
        assert pool.submit(problem.seek_plan, threads=1).result(120).to_json() == here.to_json()


def drawn_by_chance(chance: random.Random) -> "Problem[Any]":
    """A random problem over states and labels of many types, with functions in it."""
    size = chance.randint(2, 5)
    kinds: List[Callable[[int], Any]] = [lambda i: i, lambda i: (i, "x"), lambda i: frozenset([i]), lambda i: f"s{i}", lambda i: i + 0.5]
    states = [chance.choice(kinds)(i) for i in range(size)]
    number = {state: i for i, state in enumerate(states)}
    seen = [chance.choice(["o", "p", 3, True, (1, 2)]) for _ in states]
    after = {
        (i, action): [chance.choice(states) for _ in range(chance.randint(1, 2))]
        for i in range(size)
        for action in ("a", "b", 7)
        if chance.random() < 0.7
    }
    goal = chance.randrange(size)
    world = World.explore(
        states[: chance.randint(1, 2)],
        actions=["a", "b", 7],
        step=lambda state, action: after.get((number[state], action)),
        observe=lambda state: seen[number[state]],
        goal=lambda state: number[state] == goal,
        props={"even": lambda s: number[s] % 2 == 0, "n": lambda s: number[s], "t": lambda s: f"v{number[s] // 2}"},
    )
    asks: List[Any] = [
        ~knows(lambda state: number[state] == goal),
        ~knows(P.even),
        knows(P.n == 1) >> possible(P.t == "v0"),
        ~knows(divulge.is_state(states[0])),
        at_end(knows(P.n)),
    ]
    sees: List[Any] = [{"map": {}}, {"map": lambda label: str(label)[:1]}, {}, {"merge": [("a", "b")]}]
    return Problem(world, Observer(knows=chance.choice(["world", "plan", "goal-directed"]), stipulate=chance.choice(asks), **chance.choice(sees)))


@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
def test_random_problems_over_any_states() -> None:
    said = []
    for seed in range(80):
        try:
            problem = drawn_by_chance(random.Random(seed))
        except divulge.DivulgeError:
            continue
        ways = [problem, out_of_band(problem), pickle.loads(cloudpickle.dumps(problem))]
        for question in ("check", "audit", "seek_plan", "seek_both", "seek_maps"):
            options = {"any_map": True} if question in ("seek_both", "seek_maps") else {}
            try:
                answers = [getattr(one, question)(**options) for one in ways]
            except divulge.DivulgeError as error:
                with pytest.raises(divulge.DivulgeError) as caught:
                    getattr(ways[1], question)(**options)
                assert str(caught.value) == str(error)
                continue
            answer, sent = answers[0], out_of_band(answers[0])
            assert len({one.to_json() for one in [*answers, sent]}) == 1
            said.append(answer.verdict)
            if question == "seek_plan" and answer.verdict == "found":
                assert sent.plan.edges == answer.plan.edges and sent.map == answer.map
            if answer.verdict == "violated":
                mine, theirs = answer.violation, sent.violation
                assert (mine.execution, mine.estimate, mine.state) == (theirs.execution, theirs.estimate, theirs.state)
    assert all(said.count(verdict) >= 5 for verdict in ("holds", "violated", "found", "none")), said
