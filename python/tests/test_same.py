"""What arrives equals what was sent: every question with every verdict, states of any type, classes of a script, and what is not the same."""

import dataclasses
import enum
import itertools
import os
import pathlib
import pickle
import sys
from typing import Any, Callable, Dict, FrozenSet, List, Tuple

import pytest
from children import finished
from conftest import EXAMPLES
from test_limits import many_rooms
from test_sent import EACH, out_of_band
from worlds import LEARN, MOVES, inspector, medicine, nuclear

import divulge
from divulge import Graph, MapConstraints, Observer, P, Plan, Problem, World, at_end, hindsight, knows, possible, unless

TESTS = str(pathlib.Path(__file__).parent)


def drawn() -> "World[Any]":
    edges = [(0, ["go", "stay"], 1), (1, ["left", "right"], 2), (2, "go", 3), (3, ["left", "right"], 0)]
    return World.graph(edges, initial=[0], goal=[2], props={2: {"there": True}})


def plan(*edges: Any, ends: Any = (2,)) -> Plan:
    return Plan(list(edges), initial=[0], terminal=list(ends))


WHOLE = plan((0, "go", 1), (1, ["left", "right"], 2))
#: plans that go wrong, each in its own way
WRONG = {
    "unsafe-action": plan((0, ["go", "fly"], 1), (1, ["left", "right"], 2)),
    "unforeseen-observation": plan((0, "go", 1), (1, "left", 2)),
    "terminates-off-goal": plan((0, "go", 1), (1, ["left", "right"], 2), (2, "go", 3), (3, ["left", "right"], 4), ends=[4]),
    "stuck": plan((0, "go", 1), (1, "left", 2), (1, "right", 3), ends=[2]),
    "unbounded": plan((0, "go", 1), (1, "left", 2), (1, "right", 3), (3, "go", 4), (4, ["left", "right"], 0), ends=[2]),
}


def watched(**more: Any) -> Observer:
    return Observer(**{"knows": "world", "map": {}, **more})


def sought(**more: Any) -> "Problem[Any]":
    return Problem(nuclear(2, 3), inspector(merge=None, **more))


def every_answer() -> Dict[Tuple[str, str], Any]:
    """An answer for each question and verdict, and for each way in which a plan goes wrong."""
    small, endless = Problem(nuclear(), inspector()), divulge.loads(many_rooms())
    fine = Problem(drawn(), watched(stipulate=~knows(P.there)), plan=WHOLE)
    free = sought(constraints=MapConstraints(merge=[tuple(MOVES)]))
    strict = sought(stipulate={"both": LEARN, "never": knows(P.rad == "high")}, constraints=MapConstraints(merge=[tuple(MOVES)]))
    given = Problem(nuclear(2, 3), free.observer, plan=free.seek_both().plan)
    doomed = Problem(nuclear(2, 3), strict.observer, plan=given.plan)
    found: Dict[Tuple[str, str], Any] = {
        ("check", "holds"): small.seek_plan().filled_in().check(),
        ("check", "unknown"): small.seek_plan().filled_in().check(time_limit=0),
        ("check", "stipulation"): fine.check(),
        ("check", "hindsight"): Problem(drawn(), watched(stipulate=hindsight(~knows(P.there))), plan=WHOLE).check(),
        ("check", "run"): Problem(drawn(), watched(stipulate=unless(possible(P.there), knows(P.there))), plan=WHOLE).check(),
        ("audit", "holds"): Problem(drawn(), watched(stipulate=~knows(P.there) | knows(P.there))).audit(),
        ("audit", "violated"): small.audit(),
        ("audit", "unknown"): endless.audit(time_limit=0),
        ("seek_plan", "found"): small.seek_plan(),
        ("seek_plan", "none"): Problem(nuclear(), inspector(merge=None, map={})).seek_plan(),
        ("seek_plan", "deterministic"): small.seek_plan(deterministic=True),
        ("seek_plan", "unknown"): small.seek_plan(time_limit=0),
        ("seek_map", "found"): given.seek_map(),
        ("seek_map", "none"): doomed.seek_map(),
        ("seek_map", "unknown"): given.seek_map(time_limit=0),
        ("seek_both", "found"): free.seek_both(prefer="coarsest"),
        ("seek_both", "none"): strict.seek_both(),
        ("seek_both", "unknown"): free.seek_both(time_limit=0),
        ("seek_maps", "found"): free.seek_maps(),
        ("seek_maps", "none"): strict.seek_maps(),
        ("seek_maps", "unknown"): free.seek_maps(time_limit=0),
    }
    for reason, wrong in WRONG.items():
        found["check", reason] = Problem(drawn(), watched(), plan=wrong).check()
        assert found["check", reason].violation.reason == reason
    outside = Problem(drawn(), Observer(knows=Graph([("a", "stay", "b"), ("b", "left", "a")], initial=["a"]), map={}), plan=WHOLE).check()
    assert outside.violation.reason == "outside-divulged"
    found["check", "outside-divulged"] = outside
    for (question, verdict), answer in found.items():
        if verdict in ("holds", "violated", "found", "none", "unknown"):
            assert answer.verdict == verdict, (question, verdict, answer)
    return found


@pytest.fixture(scope="module")
def answers() -> Dict[Tuple[str, str], Any]:
    return every_answer()


@EACH
@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
def test_every_question_and_every_verdict(answers: Dict[Tuple[str, str], Any], way: Callable[[Any], Any]) -> None:
    for asked, answer in answers.items():
        again = way(answer)
        assert again == answer and answer == again and hash(again) == hash(answer), asked
        assert (again.verdict, again.limit, again.statistics) == (answer.verdict, answer.limit, answer.statistics)
        assert again.to_json().encode() == answer.to_json().encode() and again.explain().encode() == answer.explain().encode(), asked
        assert repr(again) == repr(answer)
        if answer.verdict == "violated":
            assert way(answer.violation) == answer.violation == again.violation
            assert way(answer.violation.trace) == answer.violation.trace == again.violation.trace
            assert again.violation.ruled_out == answer.violation.ruled_out and again.violation.twins == answer.violation.twins
        if asked[0].startswith("seek") and answer.verdict == "none" and asked[0] != "seek_maps":
            assert again.why == answer.why
        if answer.verdict == "found" and asked[0] != "seek_maps":
            assert way(answer.plan) == answer.plan == again.plan and again.map == answer.map
            assert again.worst_case == answer.worst_case and again.filled_in() == answer.filled_in()
        if answer.verdict == "found" and asked[0] == "seek_maps":
            assert again.finest == answer.finest and way(answer.coarsest) == answer.coarsest
        # Once more from there.
        assert way(again) == answer


def test_other_answers_are_others(answers: Dict[Tuple[str, str], Any]) -> None:
    # A plan that never chooses is the same plan if the other does not choose either.
    each = {asked: answer for asked, answer in answers.items() if asked[1] != "deterministic"}
    for (a, one), (b, other) in itertools.combinations(each.items(), 2):
        assert one != other, (a, b)
    free = sought(constraints=MapConstraints(merge=[tuple(MOVES)]))
    assert free.seek_both() == free.seek_both(threads=2)
    assert answers["check", "holds"] != "holds" and answers["seek_plan", "found"] not in ("found", None)


def test_values_are_equal_if_they_are_the_same() -> None:
    assert nuclear() == nuclear() != nuclear(4, 4) and len({nuclear(), nuclear(), medicine()}) == 2
    assert drawn() == drawn() != World.graph([(0, "go", 1), (1, "left", 2)], initial=[0], goal=[2])
    # 1 is not True, and a text is not a number.
    for other in (1, "True"):
        one, two = (World.graph([(0, label, 5)], initial=[0], goal=[5]) for label in (True, other))
        assert one != two
    assert WHOLE == plan((1, ["right", "left"], 2), (0, "go", 1)) and hash(WHOLE) == hash(pickle.loads(pickle.dumps(WHOLE)))
    assert WHOLE != plan((0, "go", 1), (1, ["left", "right"], 2), ends=[]) and WHOLE != Graph(WHOLE.edges, initial=[0])
    assert WHOLE != plan((0, "go", 1), (1, ["left", "right"], 3), ends=[3]) and WHOLE != 7
    problem = Problem(nuclear(), inspector())
    assert problem == Problem(nuclear(), inspector(), name="another name") and hash(problem) == hash(Problem(nuclear(), inspector()))
    for other_problem in (
        Problem(nuclear(), inspector(merge=None, map={})),
        Problem(nuclear(), inspector(knows="goal-directed")),
        Problem(nuclear(), inspector(stipulate=LEARN)),
        Problem(nuclear(), inspector(), costs={"left": 2}),
        Problem(nuclear(), inspector(), plan=problem.seek_plan().plan),
    ):
        assert problem != other_problem
    # A problem that is changed is another one.
    changed = pickle.loads(pickle.dumps(problem))
    assert changed == problem
    changed.observer.stipulations.pop()
    assert changed != problem


def test_formulas_are_equal_if_they_are_written_in_the_same_way() -> None:
    def test(state: Any) -> bool:
        return True

    written: List[Callable[[], Any]] = [
        lambda: ~knows(P.rad == "high") & possible(P.row > 1),
        lambda: ~knows(P.rad == "high") & possible(P.row > 2),
        lambda: unless(knows(P.rad), knows(P["odd name"].was("x"))),
        lambda: knows(test),
        lambda: knows(divulge.is_state((1, "a"))),
        lambda: knows(divulge.is_state((True, "a"))),
        lambda: at_end(knows(P.x), "name"),
        lambda: at_end(knows(P.x), "other"),
        lambda: hindsight(knows(P.x), within=2),
        lambda: (P.a == 1) | P.b,
        lambda: (P.a == True) | P.b,  # noqa: E712
    ]
    for (i, one), (j, other) in itertools.product(enumerate(written), repeat=2):
        assert (one() == other()) is (i == j), (one(), other())
    for one in written:
        made = one()
        assert hash(made) == hash(one())
        if "test" not in repr(made):
            assert pickle.loads(pickle.dumps(made)) == made and out_of_band(made) == made
    deep, same = knows(P.x), knows(P.x)
    for number in range(5000):
        deep, same = ~(deep & possible(P.y == number)), ~(same & possible(P.y == number))
    assert deep == same != ~same


@dataclasses.dataclass(frozen=True)
class Cell:
    at: Tuple[int, int]
    holds: FrozenSet[str] = frozenset()


class Colour(enum.Enum):
    RED = 1
    BLUE = "blue"


class Handmade:
    """A class with slots, equality and a text of its own."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Handmade) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Handmade({self.name!r})"


STATES: List[List[Any]] = [
    [(0, "x"), (0, "y"), (1, ("deep", 2))],
    [Cell((0, 0)), Cell((0, 1), frozenset(["key"])), Cell((1, 1), frozenset(["key", "map"]))],
    [frozenset(), frozenset([1, 2]), frozenset([frozenset([3])])],
    [Colour.RED, Colour.BLUE, (Colour.RED, Colour.BLUE)],
    [Handmade("a"), Handmade("b"), (Handmade("a"), 1)],
    [0, True + 1, 2.5],
    ["", "naïve", "日本"],
    [b"bytes", 1 + 2j, 10**30],
]


@EACH
@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
@pytest.mark.parametrize("states", STATES, ids=lambda states: type(states[0]).__name__ + str(len(str(states))))
def test_states_and_labels_of_any_type(states: List[Any], way: Callable[[Any], Any]) -> None:
    a, b, c = states
    label = (a, "label")
    world = World.explore(
        [a, b],
        actions=[label, Colour.RED],
        step=lambda state, action: c if action == label else [a, b],
        observe=lambda state: Colour.BLUE if state == c else frozenset(["seen"]),
        goal=lambda state: state == c,
        props={"last": lambda state: state == c},
    )
    problem = Problem(world, Observer(knows="world", map={}, stipulate=~knows(divulge.is_state(b)) | possible(lambda state: state == a)))
    again = way(problem)
    assert way(world) == world and again == problem and [type(one) for one in again.world.states] == [type(one) for one in states]
    found, there = problem.seek_plan(), again.seek_plan()
    assert found and there == found == way(found) and there.plan.edges == found.plan.edges == way(found.plan).edges
    verdict = problem.audit()
    assert again.audit() == verdict == way(verdict)
    frontier = problem.seek_maps(any_map=True)
    assert again.seek_maps(any_map=True) == frontier == way(frontier)


MAIN = """
import concurrent.futures, dataclasses, enum, multiprocessing, pickle, sys
sys.path.insert(0, {tests!r})
import divulge
from divulge import Observer, P, Problem, World, knows

class Room(enum.Enum):
    HALL, LAB, EXIT = range(3)

@dataclasses.dataclass(frozen=True)
class State:
    room: Room
    secret: bool

class Move:
    def __init__(self, to):
        self.to = to
    def __eq__(self, other):
        return isinstance(other, Move) and self.to == other.to
    def __hash__(self):
        return hash(("move", self.to))
    def __str__(self):
        return f"to {{self.to.name.lower()}}"

def make(rooms=3):
    return Problem(
        World.explore(
            [State(Room.HALL, False), State(Room.HALL, True)],
            actions=[Move(room) for room in Room],
            step=lambda s, move: State(move.to, s.secret) if s.room is not Room.EXIT else None,
            observe=lambda s: "light" if s.room is Room.LAB and s.secret else "dark",
            goal=lambda s: s.room is Room.EXIT,
        ),
        Observer(knows="world", stipulate=~knows(lambda s: s.secret)),
    )

def ask(problem):
    return problem, problem.seek_both()

if __name__ == "__main__":
    problem = make()
    here, maps = problem.seek_both(), problem.seek_maps()
    for method in ("fork", "spawn"):
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
            for sent, there in pool.map(ask, [problem] * 3, timeout=100):
                assert sent == problem and there == here and there.plan == here.plan and there.map == here.map
            assert problem.seek_maps(executor=pool) == maps
            rows = divulge.sweep(make, {{"rooms": [3, 4]}}, "seek_both", executor=pool)
            assert [row["verdict"] for row in rows] == ["found", "found"], list(rows)
    print("the same")
"""


def test_classes_of_a_script(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(MAIN.format(tests=TESTS))
    done = finished([sys.executable, str(script)])
    assert done.stdout == "the same\n", done.stderr


READ = """
import pickle, sys
with open(sys.argv[1], "rb") as file:
    for number in range(int(sys.argv[2])):
        answer = pickle.load(file)
        sys.stdout.write(answer.to_json() + answer.explain())
"""


@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
@pytest.mark.parametrize("dump", ["pickle", "cloudpickle"])
def test_a_process_that_knows_nothing_says_the_same(answers: Dict[Tuple[str, str], Any], tmp_path: pathlib.Path, dump: str) -> None:
    """The bytes of every answer, read from a file by a process that has done nothing else."""
    dumps = pytest.importorskip(dump).dumps
    path = tmp_path / "answers"
    path.write_bytes(b"".join(dumps(answer, protocol=5) for answer in answers.values()))
    done = finished(
        [sys.executable, "-c", READ, str(path), str(len(answers))],
        env={**os.environ, "PYTHONPATH": TESTS, "PYTHONHASHSEED": "7", "PYTHONIOENCODING": "utf-8"},
        encoding="utf-8",
    )
    said = "".join(answer.to_json() + answer.explain() for answer in answers.values())
    assert done.stdout == said, done.stderr[-2000:]


def one_of_each(answers: Dict[Tuple[str, str], Any]) -> Dict[type, Any]:
    """Something of every class that users meet."""
    problem = Problem(nuclear(), inspector())
    found, violated = answers["seek_plan", "found"], answers["audit", "violated"]
    swept = divulge.sweep(EXAMPLES / "nuclear.divulge", {"rows": [3, 4]}, executor=1)
    told: List[Any] = [
        *answers.values(),
        *(problem, problem.world, found.plan, found.map, Graph([(0, "a", 1)], initial=[0]), found.plan.edges[0]),
        *(knows(P.rad), P.rad, P.rad == "high", at_end(knows(P.rad)), MapConstraints(merge=[("a", "b")])),
        *(problem.observer, found.statistics, found.worst_case, answers["seek_plan", "none"].why, answers["seek_maps", "found"].so_far),
        *(violated.violation, violated.violation.trace, violated.violation.trace[0], violated.violation.estimate),
        *(divulge.Twin("p", ["a"], [1], True), divulge.RuledOut("p", 1, [1], ["a"], "plan-stops", [])),
        divulge.Deviation(1, "x", "world", ["y"]),
        *(problem.watch(), found.plan.start(seed=1), found.explore(), swept, divulge.SweepProgress(1, 0, 2, 3.0, None)),
        divulge.Progress(*(0 for _ in divulge.Progress._fields)),
        divulge.Span("text", 1, 1, 0, 1),
        divulge.Diagnostic("E0101", "error", "no", divulge.Span("text", 1, 1, 0, 1), "", (), ("help",), "no"),
        divulge.HeldBack("left", "late", "too late"),
        *(divulge.DivulgeError("no", "help"), divulge.NoAnswer("no", "help"), divulge.LimitReached("time"), divulge.DivulgeWarning("no")),
        divulge.UnexpectedEvent("no", "help", event="x", expected=["y"], after=[1]),
        divulge.GuardHeld("no", "late", "left"),
    ]
    return {type(one): one for one in told}


#: what belongs to one process, and says so
STAYS = (divulge.Guard, divulge.RayExecutor)


@EACH
@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
def test_every_class(answers: Dict[Tuple[str, str], Any], way: Callable[[Any], Any]) -> None:
    each = one_of_each(answers)
    public = [getattr(divulge, name) for name in divulge.__all__]
    missing = [one for one in public if isinstance(one, type) and not issubclass(one, STAYS) and one not in each]
    assert missing == [divulge.Answer], "give an example of each"
    for kind, one in each.items():
        again = way(one)
        assert type(again) is kind and repr(again) == repr(one)
        if kind not in (Observer, divulge.Watch, divulge.Run, divulge.Page, divulge.Sweep, divulge.Prop) and not isinstance(one, Exception):
            assert again == one, kind
    assert list(way(each[divulge.Sweep])) == list(each[divulge.Sweep])


def test_a_problem_that_is_changed_is_another_one() -> None:
    """What is said of a problem is true of what it shows, also if somebody has changed it."""
    plan = Problem(nuclear(), inspector()).seek_plan().plan

    def fresh(**more: Any) -> "Problem[Any]":
        return Problem(nuclear(), inspector(**more))

    changes: List[Tuple[Callable[["Problem[Any]"], object], "Problem[Any]"]] = [
        (lambda it: setattr(it.observer, "knows", "goal-directed"), fresh(knows="goal-directed")),
        (lambda it: setattr(it.observer, "map", {}), fresh(merge=None, map={})),
        (lambda it: setattr(it.observer, "filter", "image"), fresh(filter="image")),
        (lambda it: it.observer.stipulations.pop(), fresh(stipulate={"learn": LEARN})),
        (lambda it: setattr(it, "plan", plan), Problem(nuclear(), inspector(), plan=plan)),
        (lambda it: it.costs.update(left=100), Problem(nuclear(), inspector(), costs={"left": 100})),
        (lambda it: setattr(it, "world", nuclear(4, 4)), Problem(nuclear(4, 4), inspector())),
    ]
    for change, wanted in changes:
        for problem in (fresh(), pickle.loads(pickle.dumps(fresh())), fresh().__copy__()):
            before = problem.audit()
            change(problem)
            assert problem == wanted and problem != fresh() and problem.to_json() == wanted.to_json()
            assert problem.audit() == wanted.audit() and problem.seek_plan() == wanted.seek_plan()
            if wanted.plan is not None:
                assert problem.check() == wanted.check()
            # What was said before is as it was.
            assert before == fresh().audit() and before.explain() == fresh().audit().explain()
    for attribute, value, message in [("knows", "nothing", "cannot know"), ("filter", "odd", "no filter"), ("stipulations", [knows(P.rad)], "no Stipulation")]:
        problem = fresh()
        setattr(problem.observer, attribute, value)
        with pytest.raises(divulge.DivulgeError, match=message):
            problem.audit()
