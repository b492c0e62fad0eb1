"""Formulas built with operators."""

import itertools
from typing import Any

import pytest
from worlds import Need, medicine

import divulge
from divulge import Observer, P, Problem, World, acting, formula, goal, is_state, knows, knows_whether, possible, prop, state


def test_they_read_as_they_are_written() -> None:
    assert repr(~knows(P.facility == "pebble") & possible(goal)) == '!knows("facility" = "pebble") & possible(goal)'
    assert repr(knows((P.x > 3) | ~(P.y == 2)) >> knows(P.wet)) == 'knows("x" > 3 | !("y" = 2)) -> knows("wet")'
    assert repr((knows(P.a) | knows(P.b)) & knows(P.c)) == '(knows("a") | knows("b")) & knows("c")'
    assert repr(knows(P.a).iff(possible(acting))) == 'knows("a") <-> possible(kind = action)'
    assert repr(prop("odd name") != "x") == '"odd name" != "x"'
    assert repr("knows(a) | knows(b)" & knows(P.c)) == '(knows(a) | knows(b)) & knows("c")'  # type: ignore[operator]


def test_mistakes_are_caught() -> None:
    with pytest.raises(TypeError, match="& |"):
        bool(P.a == 1)
    with pytest.raises(TypeError, match="do not mix"):
        knows(P.a) & (P.b == 1)  # type: ignore[operator]
    with pytest.raises(TypeError, match="do not mix"):
        knows(knows(P.a))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        P.a == P.b
    with pytest.raises(TypeError):
        knows(P.a) & 3  # type: ignore[operator]
    with pytest.raises(divulge.DivulgeError, match="None"):
        medicine().where(P.need == None)  # noqa: E711


@pytest.fixture(scope="module")
def estimate() -> Any:
    return Problem(medicine(), Observer(knows="world", map={})).watch().estimate


def test_they_mean_what_they_say(estimate: Any) -> None:
    assert estimate.states == set(medicine().initial)
    assert estimate.knows(P.room == 1) and not estimate.knows(P.need == Need.PILLS)
    assert estimate.possible(P.need == Need.PILLS) and estimate.possible(lambda s: s.need is Need.PILLS)
    assert estimate.knows(P.room) and not estimate.knows(P.need) and not estimate.knows(P.loaded)
    assert estimate.satisfies(knows_whether(P.loaded)) and not estimate.satisfies(knows_whether(P.need == "PILLS"))
    assert estimate.satisfies(state(next(iter(estimate)))) and not estimate.possible(goal)
    assert estimate.satisfies("knows(room = 1) & !knows(need = PILLS)")


def test_connectives(estimate: Any) -> None:
    true, false = knows(P.room == 1), knows(P.room == 2)
    named = {True: true, False: false}
    for a, b in itertools.product([True, False], repeat=2):
        x, y = named[a], named[b]
        assert estimate.satisfies(x & y) == (a and b) and estimate.satisfies(x | y) == (a or b)
        assert estimate.satisfies(x >> y) == (not a or b) and estimate.satisfies(x.iff(y)) == (a == b)
        assert estimate.satisfies(~(x & y) | (y & ~x)) == (not (a and b) or (b and not a))
        assert estimate.satisfies(x & a) == a and estimate.satisfies(True & x) == a
    assert estimate.satisfies(true & true & true & ~false & true)


def test_long_chains_and_odd_values() -> None:
    world = World.graph(
        [("u", "a", "y")], ["u"], ["y"], props={"u": {"x y": 'quo"te', "n": -5, "on": True}, "y": {"n": 2**70}}
    )
    assert world.where(P["x y"] == 'quo"te') == ["u"] and world.where(P.n == -5) == ["u"] and world.where(P.on) == ["u"]
    assert world.where(P.n == 2**70) == ["y"]
    chain = formula("true")
    for _ in range(2000):
        chain = chain & ~knows(P.n == 7)
    assert Problem(world, Observer(knows="world", map={}, stipulate=[chain])).audit()


def test_errors_point_at_the_place() -> None:
    world = medicine()
    with pytest.raises(divulge.DivulgeError) as caught:
        Problem(world, Observer(knows="world", map={}, stipulate={"s": "!knows(room = 1"}))
    found = caught.value.diagnostics[0]
    assert found.code == "E0522" and found.severity == "error" and found.span is not None and found.span.column == 16
    with pytest.raises(divulge.DivulgeError, match="did you mean `room`"):
        Problem(world, Observer(knows="world", map={}, stipulate={"s": knows(P.rom == 1)}))
    with pytest.raises(divulge.DivulgeError, match="no state"):
        Problem(world, Observer(knows="world", map={}, stipulate={"s": knows(is_state("nowhere"))}))
