"""Values of properties are taken as what they are, and comparisons that cannot be meant are reported."""

import json
import numbers
import warnings
from typing import Any, Callable, List, NamedTuple

import numpy
import pytest
from conftest import EXAMPLES
from worlds import inspector, nuclear

import divulge
from divulge import DivulgeWarning, MapConstraints, Observer, P, Problem, World, knows, possible


class Visit(NamedTuple):
    room: int
    guest: str


def corridor(number: Callable[[int], Any] = int, truth: Callable[[Any], Any] = bool) -> World[int]:
    return World.explore(
        [0],
        actions=["up"],
        step=lambda s, a: s + 1 if s < 3 else None,
        observe=lambda s: "o",
        goal=lambda s: truth(s == 3),
        props=lambda s: {"cell": number(s), "odd": truth(s % 2)},
    )


def visit() -> World[Visit]:
    return World.explore(
        [Visit(0, "alice"), Visit(0, "bob")],
        actions=["forward"],
        step=lambda v, a: v._replace(room=v.room + 1) if v.room < 2 else None,
        observe=lambda v: v.guest if v.room == 1 else "quiet",
        goal=lambda v: v.room == 2,
    )


class Wrapped:
    """An integer of a library that is not numpy."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __int__(self) -> int:
        return self.value

    def __eq__(self, other: object) -> bool:
        return other.value == self.value if isinstance(other, Wrapped) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)


numbers.Integral.register(Wrapped)

NUMBERS = [int, numpy.int8, numpy.int64, numpy.uint16, lambda n: numpy.array(n), Wrapped]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("asked", NUMBERS)
def test_integers_are_integers(number: Any, asked: Any) -> None:
    world = corridor(number, numpy.bool_)
    assert world.props(2) == {"cell": 2, "odd": False}
    assert all(type(value) in (int, bool) for value in world.props(2).values())
    assert world.goal == [3] and world.where(P.odd) == [1, 3] == world.where(P.odd == numpy.bool_(True))
    assert world.where(P.cell == asked(2)) == [2] == world.where(asked(2) == P.cell)  # type: ignore[arg-type]
    assert world.where(P.cell >= asked(2)) == [2, 3] == world.where(P.cell.isin([asked(2), asked(3)]))
    hidden = Observer(knows="world", map={}, stipulate={"hide": ~knows(P.cell == asked(2))})
    verdict = Problem(world, hidden).audit()
    assert not verdict and verdict.violation.execution == ["up", "o", "up"]


def test_mixed_integers_are_one_value() -> None:
    mixed = World.graph(
        [("u", "a", "y"), ("y", "o", "v"), ("v", "b", "z")],
        ["u"],
        ["z"],
        props={"u": {"x": 1}, "y": {"x": numpy.int64(1)}, "v": {"x": numpy.bool_(True)}, "z": {"x": numpy.str_("1")}},
    )
    assert mixed.where(P.x == 1) == ["u", "y"] and mixed.where(P.x == True) == ["v"]  # noqa: E712
    assert mixed.where(P.x == "1") == ["z"]
    alike = Problem(mixed, Observer(knows="world", map={"a": 1, "b": numpy.int64(1), "o": True}))
    assert alike.map is not None and alike.map.groups == [("a", "b")] and len(alike.map.images) == 2
    assert alike.watch().see(numpy.int64(1)).states == {"y"}
    assert json.loads(Problem(mixed, Observer(knows="world", map={}), costs={"a": numpy.int64(3)}).to_json())["costs"] == {"a": 3}
    fixed = MapConstraints(fixed={"a": 1, "b": numpy.int64(1)})
    assert Problem(mixed, Observer(knows="world", constraints=fixed)).seek_both().map.groups == [("a", "b")]


def test_one_value_is_compared_at_a_time() -> None:
    for several in ([1, 2], {1}, range(3), numpy.array([1, 2])):
        with pytest.raises(TypeError, match="isin"):
            P.cell == several


def asked(problem: "Problem[Any]", question: str) -> List[str]:
    """What is warned of, by one question asked twice."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            getattr(problem, question)()
    assert all(one.filename == __file__ for one in caught), "a warning points at the caller"
    return [str(one.message) for one in caught if issubclass(one.category, DivulgeWarning)]


QUESTIONS = ["check", "audit", "seek_plan", "seek_map", "seek_both", "seek_maps", "watch"]
ODD = [
    (P.guest == "alise", ["`guest`", '"alise"', "did you mean `alice`"]),
    (P.guest != "alise", ["did you mean `alice`"]),
    (P.guest == 3, ["the integer 3", "texts"]),
    (P.room == "1", ['the text "1"', "integers", "write 1 without quotes"]),
    (P.room == 7, ["a value that no vertex has", "0, 1, 2"]),
    (P.room == True, ["the boolean true"]),  # noqa: E712
    (P.guest < 3, ["by order"]),
    ("guest = alise", ["did you mean `alice`"]),
]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("predicate, said", ODD, ids=lambda value: str(value)[:20])
def test_every_question_warns_once(question: str, predicate: Any, said: List[str]) -> None:
    world = visit()
    looks: Any = None if question.startswith("seek_m") or question == "seek_both" else {}
    plan = world.policy(0, act=lambda n: "forward" if n < 2 else None, update=lambda n, a, o: n + 1)
    problem = Problem(world, Observer(knows="world", map=looks, stipulate={"hide": ~knows(predicate)}), plan=plan)
    found = [one for one in asked(problem, question) if "W0502" in one]
    assert len(found) == 1 and "`hide`" in found[0], found
    assert all(part in found[0] for part in said), found
    # Read again, it is warned of when it is read, and not again.
    with pytest.warns(DivulgeWarning, match="W0502"):
        read = divulge.loads(problem.to_json())
    assert "W0502" in [one.code for one in read.warnings] and not asked(read, question)


def test_what_may_be_meant_is_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Problem(nuclear(), inspector()).seek_plan()
        for path in sorted(EXAMPLES.glob("*.divulge")):
            problem = divulge.load(path)
            divulge.loads(problem.to_json())
        fine = ~knows((P.room <= 100) & (P.guest == "bob")) & possible(P.guest != "alice")
        assert not Problem(visit(), Observer(knows="world", map={}, stipulate=[fine])).audit()


def test_predicates_elsewhere_warn_too() -> None:
    world = visit()
    with pytest.warns(DivulgeWarning, match="did you mean `alice`"):
        assert world.where(P.guest == "alise") == []
    with pytest.warns(DivulgeWarning, match="write 2 without quotes"):
        World.graph([("u", "a", "y")], ["u"], P.x == "2", props={"y": {"x": 2}})
    watch = Problem(world, Observer(knows="world", map={})).watch()
    with pytest.warns(DivulgeWarning, match="without quotes"):
        assert not watch.knows(P.room == "0")
    with pytest.warns(DivulgeWarning, match="did you mean"):
        assert not watch.estimate.possible(P.guest == "bop")


def test_other_mistakes_of_built_problems_are_reported() -> None:
    problem = Problem(corridor(), Observer(knows="world", map={}, stipulate={"always": knows(P.odd) | ~knows(P.odd)}))
    assert any("W0103" in one for one in asked(problem, "audit"))
    stuck = World.graph([("u", ["a", "b"], "y"), ("u", "a", "z"), ("y", "o", "v")], ["u"], ["v"])
    problem = Problem(stuck, Observer(knows="world", map={}))
    # Where a plan would fail does not matter to an audit.
    assert not asked(problem, "audit") and any("W0105" in one for one in asked(problem, "seek_plan"))
