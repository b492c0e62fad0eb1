"""Worlds, plans, maps, traces, estimates and frontiers draw themselves."""

import xml.etree.ElementTree as ElementTree
from typing import Any, List

import pytest
from conftest import EXAMPLES
from worlds import inspector, medicine, nuclear

import divulge
from divulge import LabelMap, MapConstraints, Observer, Plan, Problem

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawn: Any) -> str:
    """All that is written in a picture, which must be well formed and not empty."""
    picture = drawn._repr_svg_()
    assert picture is not None and picture == drawn.to_svg()
    root = ElementTree.fromstring(picture)
    assert root.tag == SVG + "svg" and float(root.attrib["width"].rstrip("px")) > 50
    found: List[str] = ["".join(text.itertext()) for text in root.iter(SVG + "text")]
    assert found
    return " ".join(found)


def test_everything_draws_itself() -> None:
    world = nuclear()
    problem = Problem(world, inspector())
    found = problem.seek_plan()
    assert "start" in texts(world) and "goal" in texts(world)
    assert "down" in texts(found.plan) and texts(found) == texts(found.plan)
    assert problem.map is not None and "blue" in texts(problem.map)
    estimate = problem.watch().estimate
    assert "pebble" in texts(estimate) and "high" in texts(estimate)
    assert "right" in texts(problem.audit_log(["right", "nothing"]))
    assert "hide" in texts(problem.trace(["right", "nothing", "right", "high"]))
    constraints = MapConstraints(max_images=6, merge=[("left", "right", "up", "down")])
    frontier = Problem(world, inspector(merge=None, constraints=constraints)).seek_maps()
    assert "coarsest" in texts(frontier) and "left" in texts(frontier.finest[0].map)


def test_what_is_drawn_by_hand_draws_itself_too() -> None:
    plan = Plan([("p", ["a", "b"], "q"), ("q", "o", "r")], ["p"], ["r"])
    assert {"a", "b", "o"} <= set(texts(plan).replace(",", " ").split())
    assert texts(medicine()) and texts(divulge.load(EXAMPLES / "pentagon.divulge").world)
    assert texts(Problem(medicine(), Observer(knows="world", map={})).watch().estimate)
    assert texts(Plan([("q", "o", "r")], ["q"], ["r"], start="observing"))


def test_what_cannot_be_drawn_says_so() -> None:
    problem = Problem(nuclear(), inspector())
    seen = problem.audit_log(["left|right|up|down"], images=True)
    assert seen._repr_svg_() is None and LabelMap({"a": "x"})._repr_svg_() is None
    for odd in (seen, LabelMap({"a": "x"})):
        with pytest.raises(divulge.DivulgeError, match="drawn"):
            odd.to_svg()
    none = Problem(nuclear(), inspector(merge=[("blue", "dark")])).seek_plan()
    assert none._repr_svg_() is None
    with pytest.raises(divulge.NoAnswer):
        none.to_svg()


def test_large_worlds_are_drawn_in_part() -> None:
    picture = nuclear(60, 60).to_svg()
    assert len(picture) < 2_000_000
    ElementTree.fromstring(picture)
