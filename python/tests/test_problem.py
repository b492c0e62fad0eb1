"""Problems in and out: files, documents, Graphviz, networkx, errors."""

import json
import pathlib
import warnings
from typing import Any

import pytest
from conftest import EXAMPLES, examples, run
from worlds import inspector, nuclear

import divulge
from divulge import Graph, LabelMap, MapConstraints, Observer, P, Plan, Problem, World, knows


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_documents_are_those_of_the_command_line(program: str, path: pathlib.Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem = divulge.load(path)
        status, out, _ = run(program, "convert", str(path))
        whole = json.loads(out)
        # The program also writes observers that no question is about.
        about = [observer.name for observer in problem.observers]
        whole["observers"] = [one for one in whole["observers"] if one.get("name") in about]
        assert status == 0 and json.loads(problem.to_json()) == whole
        out = problem.to_json()
        again = divulge.loads(out)
    # Labels may be numbered anew.
    assert json.loads(again.to_json()) == json.loads(out)
    # Built anew from its parts, it is the same problem.
    copy = Problem(problem.world, problem.observers, plan=problem.plan, costs=problem.costs, name=problem.name)
    assert json.loads(copy.to_json()) == json.loads(out)
    assert problem.to_dot() == run(program, "convert", "--to", "dot", str(path))[1]


def test_save_and_set(tmp_path: pathlib.Path) -> None:
    problem = divulge.load(EXAMPLES / "nuclear.divulge", set={"rows": 4, "plan": "hasty"})
    problem.save(tmp_path / "question.json")
    again = divulge.load(str(tmp_path / "question.json"))
    assert len(again.world) == len(problem.world) > 96
    assert again.check().violation.stipulation == problem.check().violation.stipulation
    with pytest.raises(divulge.DivulgeError, match="constant of a model"):
        divulge.load(tmp_path / "question.json", set={"rows": 3})


def test_documents_with_several_observers() -> None:
    document = json.loads(divulge.load(EXAMPLES / "nuclear.divulge").to_json())
    public = document["observers"][0]
    spy = {**public, "name": "spy", "map": {**public["map"], "blue": "blue"}}
    document["observers"].append(spy)
    text = json.dumps(document)
    both = divulge.loads(text)
    assert [one.name for one in both.observers] == [public["name"], "spy"]
    assert both.check().violation.observer == "spy"
    one, two = (divulge.loads(text, set={"observer": name}) for name in (public["name"], "spy"))
    assert one.check() and not two.check() and two.observer.name == "spy"
    # A problem is about one observer, and what is written of it can be read again.
    assert divulge.loads(two.to_json()).observer.name == "spy"
    # A plan for the one is checked for the other.
    assert two.check(one.seek_plan().plan).violation.stipulation == "hide"
    del spy["map"]["left"]
    partial = json.dumps(document)
    assert divulge.loads(partial, set={"observer": public["name"]}).check()
    with pytest.raises(divulge.DivulgeError, match="E0517"):
        divulge.loads(partial, set={"observer": "spy"}).check()
    with pytest.raises(divulge.DivulgeError, match="nobody"):
        divulge.loads(text, set={"observer": "nobody"})


def test_bad_files(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        divulge.load(tmp_path / "nothing.divulge")
    bad = tmp_path / "bad.divulge"
    bad.write_text("world {\n  x: 0..2 = 0\n  action go { x := y }\n  goal x = 2\n}\n")
    with pytest.raises(divulge.DivulgeError) as caught:
        divulge.load(bad)
    error = caught.value
    assert error.diagnostics[0].code == "E0201" and error.diagnostics[0].span is not None
    assert (error.diagnostics[0].span.line, error.diagnostics[0].span.source) == (3, str(bad))
    assert "bad.divulge:3" in str(error) and "`y`" in error.diagnostics[0].message
    assert divulge.explain_code("E0201") and divulge.explain_code("E9999") is None
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(divulge.DivulgeError, match="UTF-8"):
        divulge.load(bad)
    with pytest.raises(divulge.DivulgeError) as caught:
        divulge.loads('{"format": "divulge/1", "wrold": {}}')
    assert any("world" in help for one in caught.value.diagnostics for help in one.help)


def test_warnings() -> None:
    with pytest.warns(divulge.DivulgeWarning, match="W0101"):
        problem = divulge.loads("world { x: 0..1 = 0\n action go\n observe { o }\n goal x = 1 }")
    assert "W0101" in [one.code for one in problem.warnings]
    assert "W0101" in [one.code for one in problem.lint()]


def test_a_partial_map_is_refused() -> None:
    document = json.loads(divulge.load(EXAMPLES / "nuclear.divulge").to_json())
    del document["observers"][0]["map"]["left"]
    problem = divulge.loads(json.dumps(document))
    for question in (problem.check, problem.audit, problem.seek_plan, problem.watch, problem.to_json):
        with pytest.raises(divulge.DivulgeError, match="E0517"):
            question()
    with pytest.raises(divulge.DivulgeError, match="E0517"):
        problem.check(problem.plan)
    looks = {"left": "m", "right": "m", "up": "m", "down": "m", "blue": "light", "dark": "light"}
    assert problem.check(map=looks).verdict == "holds"
    assert problem.seek_both(any_map=True)


def test_questions_that_cannot_be_asked() -> None:
    bare = Problem(nuclear(), inspector(merge=None))
    with pytest.raises(divulge.DivulgeError, match="no map"):
        bare.seek_plan()
    with pytest.raises(divulge.DivulgeError, match="needs a plan"):
        bare.seek_map()
    with pytest.raises(divulge.DivulgeError, match="no plan"):
        Problem(nuclear(), inspector()).check()
    with pytest.raises(divulge.DivulgeError, match="any_map"):
        Problem(nuclear(), inspector()).seek_both()
    with pytest.raises(divulge.DivulgeError, match="filter"):
        Problem(nuclear(), inspector(knows="plan", filter="image")).seek_plan()
    for options in ({"minimize": "time"}, {"engine": "magic"}, {"minimize": "cost", "shortest": True}):
        with pytest.raises(divulge.DivulgeError):
            Problem(nuclear(), inspector()).seek_plan(**options)  # type: ignore[arg-type]
    with pytest.raises(divulge.DivulgeError, match="cannot know"):
        Observer(knows="everything")
    with pytest.raises(divulge.DivulgeError, match="did you mean `left`"):
        Problem(nuclear(), inspector(merge=None, map={"lfet": "x"}))
    with pytest.raises(divulge.DivulgeError, match="a map and constraints"):
        Observer(knows="plan", map={}, constraints=MapConstraints())
    with pytest.raises(divulge.DivulgeError, match="cost"):
        Problem(nuclear(), inspector(), costs={"left": -1})


def test_maps_in_every_form() -> None:
    moves, lights = ("left", "right", "up", "down"), ("blue", "dark")
    forms: Any = [
        {"merge": [moves, lights]},
        {"map": {**dict.fromkeys(moves, "move"), **dict.fromkeys(lights, "light")}},
        {"map": lambda label: "move" if label in moves else "light" if label in lights else label},
        {"map": dict(zip(("high", "low", "exit", "nothing"), range(4))), "others": "hidden"},
    ]
    for form in forms:
        problem = Problem(nuclear(), inspector(**{"merge": None, **form}))
        assert problem.map is not None and set(problem.map) == {*moves, *lights, "high", "low", "exit", "nothing"}
        assert problem.seek_plan().worst_case.events == 12
    assert isinstance(problem.map, LabelMap) and problem.map["left"] == "hidden" and problem.map["low"] == 1
    assert Problem(nuclear(), inspector()).check(
        Problem(nuclear(), inspector()).seek_plan().plan, map={}
    ).violation.stipulation == "hide"


def test_maps_sought() -> None:
    constraints = MapConstraints(
        merge=[("left", "right")], separate=[("high", "low")], fixed={"exit": ("way", "out")}, max_images=6,
        merge_cost={("blue", "dark"): 3, ("up", "down"): 2},
    )
    problem = Problem(nuclear(), inspector(merge=None, constraints=constraints))
    found = problem.seek_both(prefer="finest")
    assert found and found.map["left"] == found.map["right"] and found.map["high"] != found.map["low"]
    assert found.map["exit"] == ("way", "out") and len(found.map.images) <= 6
    filled = found.filled_in()
    assert filled.check() and filled.plan is not None and divulge.loads(filled.to_json()).check()
    assert problem.seek_map(found.plan, prefer="cheapest").merge_cost <= found.merge_cost
    frontier = problem.seek_maps()
    assert 0 < frontier.feasible <= frontier.maps
    assert all(one.filled_in().check() for one in frontier.finest + frontier.coarsest)
    table = frontier.to_pandas()
    assert len(table) == len(frontier.finest) + len(frontier.coarsest) and set(table.extreme) <= {"finest", "coarsest"}
    none = Problem(nuclear(), inspector(knows="world", merge=None, constraints=MapConstraints(max_images=2)))
    answer = none.seek_both()
    assert not answer and answer.why.reason == "conflict" and {name for name, _ in answer.why.conflict} == {"learn"}
    assert "none" in answer.explain() and none.seek_maps().feasible == 0 and "none" in none.seek_maps().explain()


def test_why_there_is_no_plan() -> None:
    problem = Problem(nuclear(), inspector(merge=[("blue", "dark")]))
    answer = problem.seek_plan()
    assert answer.verdict == "none" and answer.why.reason == "conflict"
    assert {name for name, _ in answer.why.conflict} == {"learn", "hide"}
    with pytest.raises(divulge.NoAnswer):
        answer.plan
    world = World.graph([("u", "a", "y")], ["u"], ["nowhere"], vertices=["nowhere"], kinds={"nowhere": "action"})
    assert Problem(world, Observer(knows="world", map={})).seek_plan().why.reason == "unsolvable"


def test_networkx() -> None:
    import networkx

    for world in (nuclear(), divulge.load(EXAMPLES / "pentagon.divulge").world):
        graph = world.to_networkx()
        assert isinstance(graph, networkx.MultiDiGraph) and len(graph) == len(world)
        again = World.from_networkx(graph)
        assert (len(again), len(list(again.edges))) == (len(world), len(list(world.edges)))
        assert len(again.goal) == len(world.goal) and set(again.actions) == set(world.actions)
        left, right = (Problem(w, Observer(knows="world", map={})).seek_plan() for w in (world, again))
        assert left.worst_case == right.worst_case
        plan = left.plan
        assert Problem(again, Observer(knows="world", map={})).check(Plan.from_networkx(plan.to_networkx()))
    graph = networkx.MultiDiGraph()
    graph.add_node("u", initial=True)
    graph.add_node("y", goal=True, wet=True)
    graph.add_edge("u", "y", label=["a", "b"])
    world = World.from_networkx(graph)
    assert world.where(P.wet) == ["y"] and world.actions == ["a", "b"]
    with pytest.raises(divulge.DivulgeError, match="label"):
        graph.add_edge("u", "y")
        World.from_networkx(graph)
    with pytest.raises(divulge.DivulgeError, match="directed"):
        World.from_networkx(networkx.Graph())


def test_plans_known_and_foreign_labels() -> None:
    problem = divulge.load(EXAMPLES / "medicine.divulge")
    assert problem.plan is not None
    prompt = divulge.load(EXAMPLES / "medicine.divulge", set={"plan": "prompt"}).plan
    assert prompt is not None
    stipulate = {"discreet": ~knows(P.need)}
    both = Observer(knows=[problem.plan, prompt], map=problem.map, stipulate=stipulate)
    assert Problem(problem.world, both).check(problem.plan).verdict in ("holds", "violated")
    odd = Plan([("p", "fly", "q"), ("q", "o", "p")], ["p"], [], vertices=[])
    violation = Problem(problem.world, both).check(odd).violation
    assert violation.reason == "unsafe-action" and violation.event == "fly" and violation.plan_vertex == "p"
    assert violation.state in problem.world.initial


def test_violations_of_every_kind() -> None:
    world = World.graph([(0, "a", 1), (1, ["o", "p"], 2), (2, "a", 3), (3, "o", 0)], [0], [2])
    problem = Problem(world, Observer(knows="world", map={}))
    cases = {
        "unforeseen-observation": Plan([(0, "a", 1), (1, "o", 2)], [0], [2]),
        "terminates-off-goal": Plan([(0, "a", 1)], [0], [1]),
        "stuck": Plan([(0, "a", 1), (1, ["o", "p"], 2)], [0], []),
        "unbounded": Plan([(0, "a", 1), (1, ["o", "p"], 0)], [0], []),
        "unsafe-action": Plan([(0, "b", 1)], [0], [1]),
    }
    for reason, plan in cases.items():
        verdict = problem.check(plan)
        assert not verdict and verdict.violation.reason == reason and reason in repr(verdict)
        assert verdict.explain().startswith("violated") and json.loads(verdict.to_json())["reason"] == reason
        assert len(verdict.violation.trace) == len(verdict.violation.execution) + 1
    assert problem.check(cases["unbounded"]).violation.cycle
    known = Observer(knows=Graph([(0, "a", 1), (1, "o", 2)], [0]), map={})
    whole = Plan([(0, "a", 1), (1, ["o", "p"], 2)], [0], [2])
    assert Problem(world, known).check(whole).violation.reason == "outside-divulged"
    assert problem.check(whole) and problem.check(whole).explain().startswith("holds")
    with pytest.raises(divulge.NoAnswer):
        problem.check(whole).violation


def test_traces_as_tables() -> None:
    problem = divulge.load(EXAMPLES / "nuclear_hasty_violated.divulge")
    trace = problem.check().violation.trace
    table = trace.to_pandas()
    assert list(table.event[1:]) == ["right", "nothing", "right", "high"] and list(table.index) == [0, 1, 2, 3, 4]
    assert list(table.hide) == [True, True, True, True, False] and list(table["size"]) == [4, 8, 8, 16, 1]
    assert trace[0].robot is not None and len(trace[0].robot) == 4


def test_graphs_that_cannot_be() -> None:
    with pytest.raises(divulge.DivulgeError, match="action vertex and an observation vertex"):
        World.graph([("u", "a", "u")], ["u"], ["u"])
    with pytest.raises(divulge.DivulgeError, match="it is unclear"):
        World.graph([("u", "a", "y"), ("v", "b", "z")], ["u"], ["u"])
    with pytest.raises(divulge.DivulgeError, match="no vertex `q`"):
        Plan([("p", "a", "r")], ["p"], ["q"])
    for nothing in (None, [], set()):
        with pytest.raises(divulge.DivulgeError, match="has no label"):
            World.graph([("u", nothing, "y")], ["u"], ["y"])
    with pytest.raises(divulge.DivulgeError, match="start"):
        Graph([("u", "a", "y")], ["u"], start="late")
    with pytest.raises(TypeError):
        World()


def test_reprs_read_well() -> None:
    problem = Problem(nuclear(), inspector())
    assert "96 vertices" in repr(problem.world) and "merge" in repr(problem) and "hide [always]" in repr(problem)
    assert repr(problem.map) == "<LabelMap: 6 images; left, right, up, down alike; blue, dark alike>"
    assert "at most 12 events" in repr(problem.seek_plan())
    assert "4 states" in repr(problem.watch().estimate) and "rad ∈ {high, low}" in repr(problem.watch().estimate)
