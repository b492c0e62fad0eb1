"""What is given by mistake is refused in words, and never taken for something else."""

import errno
import pathlib
from typing import Any, NamedTuple

import pytest
from worlds import inspector, nuclear

import divulge
from divulge import DivulgeError, MapConstraints, Observer, P, Plan, Problem, World


def line(**more: Any) -> World[Any]:
    """A line of three states."""
    given = {"actions": ["go"], "step": lambda s, a: s + 1 if s < 2 else None, "observe": lambda s: "o"}
    return World.explore([0], **{**given, "goal": lambda s: s == 2, **more})


def test_none_is_no_image() -> None:
    with pytest.raises(DivulgeError, match="None for every label.*\\n.*does the function return"):
        Problem(line(), Observer(knows="world", map=lambda label: None))
    with pytest.raises(DivulgeError, match="`o` is None\\n.*goes into `unseen`"):
        Problem(line(), Observer(knows="world", constraints=MapConstraints(fixed={"o": None})))
    assert Problem(line(), Observer(knows="world", map={})).seek_plan({"o": None}).map.unseen == ["o"]
    # Without `others`, labels that are not mentioned look like themselves.
    whole = Problem(line(), Observer(knows="world", map={"go": "x"}, others=None)).map
    assert whole == {"go": "x", "o": "o"}


@pytest.mark.parametrize("wrong", ["x", 3, ["go"]])
def test_maps_and_groups(wrong: Any) -> None:
    with pytest.raises(DivulgeError, match="is not a map"):
        Observer(knows="world", map=wrong)
    with pytest.raises(DivulgeError, match="not a group of labels"):
        Observer(knows="world", merge=["go", "o"])
    for constraints in (MapConstraints(merge=["go"]), MapConstraints(separate=("go", "o"))):
        with pytest.raises(DivulgeError, match="not a group of labels"):
            Problem(line(), Observer(knows="world", constraints=constraints))


class Turn(NamedTuple):
    way: str
    steps: int


@pytest.mark.parametrize(
    "actions, wanted",
    [
        ("go", ["go"]),
        (lambda s: "go", ["go"]),
        (lambda s: ("go", "run"), ["go", "run"]),
        (lambda s: {"go"}, ["go"]),
        (lambda s: iter(["go", None, "run"]), ["go", "run"]),
        (lambda s: Turn("left", 2), [Turn("left", 2)]),
        (lambda s: 7, [7]),
        (lambda s: None if s else "go", ["go"]),
        (lambda s: [None] if s else ["go"], ["go"]),
    ],
)
def test_actions_are_never_letters(actions: Any, wanted: Any) -> None:
    assert line(actions=actions).actions == wanted


def test_none_is_none_alone_and_in_a_list() -> None:
    assert len(line(actions=lambda s: None)) == len(line(actions=lambda s: [None])) == len(line(actions=[])) == 1
    for nothing in (lambda s, a: None, lambda s, a: [None], lambda s, a: []):
        assert len(line(step=nothing)) == 1
    for silent in (lambda s: None, lambda s: [None], lambda s: set()):
        world = line(observe=silent)
        assert world.observations == [] and len(world) == 2
    assert line(observe=lambda s: ["o", None]).observations == ["o"]
    with pytest.raises(DivulgeError, match="None cannot be a state"):
        World.explore([None], actions="a", step=lambda s, a: s, observe=lambda s: "o", goal=lambda s: True)
    with pytest.raises(DivulgeError, match="has no label"):
        World.graph([("u", [None], "y")], ["u"], ["y"])
    world = line()
    stop = world.policy(0, act=lambda n: "go" if n < 2 else [None], update=lambda n, a, o: n + 1)
    assert Problem(world, Observer(knows="world", map={})).check(stop)
    with pytest.raises(DivulgeError, match="both actions and None"):
        world.policy(0, act=lambda n: ["go", None], update=lambda n, a, o: n + 1)


def test_a_lone_text_is_one_vertex() -> None:
    world = World.graph([("start", "go", "end")], "start", "is(\"end\")", actions="stay")
    assert world.initial == ["start"] and world.goal == ["end"] and world.actions == ["stay", "go"]
    plan = Plan([("start", "go", "end")], "start", "end")
    assert plan.initial == ["start"] and plan.terminal == ["end"]
    assert Problem(world, Observer(knows="world", map={})).trace("go")[-1].event == "go"
    assert Problem(world, Observer(knows="world", map={})).audit_log("go").holds


def test_missing_files_have_a_number(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        divulge.load(tmp_path / "nothing.divulge")
    error = caught.value
    assert error.errno == errno.ENOENT and error.filename == str(tmp_path / "nothing.divulge")
    assert str(error) == f"[Errno 2] No such file or directory: {str(tmp_path / 'nothing.divulge')!r}"
    with pytest.raises(OSError) as directory:
        divulge.load(tmp_path)
    assert directory.value.errno == errno.EISDIR


def test_other_things_than_worlds_observers_and_plans() -> None:
    world, observer = nuclear(), inspector()
    with pytest.raises(DivulgeError, match="two observers are called `public`\\n.*different names"):
        Problem(world, [observer, observer])
    with pytest.raises(DivulgeError, match="not a dict\\n.*list of observers"):
        Problem(world, {"a": observer})  # type: ignore[arg-type]
    with pytest.raises(DivulgeError, match="the world comes first"):
        Problem(observer, world)  # type: ignore[type-var, arg-type]
    with pytest.raises(DivulgeError, match="needs an Observer, not the text 'world'"):
        Problem(world, "world")  # type: ignore[arg-type]
    problem = Problem(world, observer)
    found = problem.seek_plan()
    takers: Any = [problem.check, problem.seek_map, problem.seek_maps]
    takers += [lambda plan: problem.audit(plan=plan), lambda plan: problem.watch(plan=plan)]
    takers += [lambda plan: problem.trace([], plan=plan), lambda plan: problem.audit_log([], plan=plan)]
    takers += [lambda plan: Problem(world, observer, plan=plan), lambda plan: problem.explore(plan=plan)]
    for take in takers:
        with pytest.raises(DivulgeError, match="a Plan is needed, not the text 'plan'"):
            take("plan")
        with pytest.raises(DivulgeError, match="answer.plan"):
            take(found)
    with pytest.raises(DivulgeError, match="run.plan"):
        problem.check(found.plan.start())  # type: ignore[arg-type]


def test_other_things_than_an_observer_takes() -> None:
    for knows in ("everything", 3, [nuclear()], ["plan"], {"plan"}):
        with pytest.raises(DivulgeError, match="an observer cannot know"):
            Observer(knows=knows)  # type: ignore[arg-type]
    for filter in ("weak", 3, [1]):
        with pytest.raises(DivulgeError, match="there is no filter"):
            Observer(knows="world", filter=filter)  # type: ignore[arg-type]
    with pytest.raises(DivulgeError, match="MapConstraints"):
        Observer(knows="world", constraints={"merge": []})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="isin takes several"):
        divulge.P.guest.isin("alice")


def test_errors_survive_a_process_boundary() -> None:
    import pickle

    watch = Problem(line(), Observer(knows="world", map={})).watch()
    with pytest.raises(divulge.UnexpectedEvent) as caught:
        watch.event("o")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.deviation == caught.value.deviation


def test_properties_that_nothing_has() -> None:
    with pytest.raises(DivulgeError, match="`numeratr`, but no state has.*\\n.*did you mean `numerator`"):
        line(props=["numeratr"])
    assert line(props="numerator").props(1) == {"numerator": 1}
    with pytest.raises(DivulgeError, match="`ends`, but the world has no such.*\\n.*did you mean `end`"):
        World.graph([("start", "go", "end")], ["start"], ["end"], props={"ends": {"x": 1}})


def test_plain_automata_are_told_how() -> None:
    import networkx

    loop = [("q", "a", "q"), ("q", "b", "r")]
    chain = [("q", "a", "r"), ("r", "a", "s")]
    for edges in (loop, chain):
        with pytest.raises(DivulgeError, match="plain automaton.*World.automaton"):
            World.graph(edges, ["q"], ["r"])
        graph = networkx.MultiDiGraph()
        graph.add_node("q", initial=True)
        for source, label, target in edges:
            graph.add_edge(source, target, label=label)
        with pytest.raises(DivulgeError, match="plain automaton.*World.automaton"):
            World.from_networkx(graph)

    # Without a start, that comes first.
    graph.nodes["q"]["initial"] = False
    for make in (lambda: World.from_networkx(graph), lambda: Plan(chain, [], ["s"]), lambda: World.graph(chain, [], ["s"])):
        with pytest.raises(DivulgeError, match="no initial vertex\n.*initial=.*attribute `initial`"):
            make()

    # As the advice and the documentation say.
    world = World.automaton(loop, initial=["q"], marked=["r"])
    secret = Observer(knows="world", merge=[("a", "b")], stipulate="!knows(is(\"r\"))")
    assert len(world) == 4 and Problem(world, secret).audit()


def test_answers_in_a_sweep() -> None:
    """A row for each answer, whatever its verdict."""
    rows = []
    for merge in ([("left", "right", "up", "down"), ("blue", "dark")], [("blue", "dark")]):
        answer = Problem(nuclear(), inspector(merge=merge)).seek_plan()
        rows.append((answer.verdict, answer.worst_case, answer.merge_cost, answer.best is not None))
    assert rows == [("found", (12, 6), 0, True), ("none", None, None, False)]


def forked() -> World[str]:
    """Two observations, one of which wets the robot."""
    edges = [("s", "go", "y"), ("y", "l", "t"), ("y", "r", "u"), ("t", "go", "z"), ("u", "go", "z")]
    return World.graph(edges, initial=["s"], goal=["z"], props={"t": {"wet": True}})


@pytest.mark.parametrize(
    "given, says",
    [
        ({"map": {"gone": None}}, "mentions `gone`.*\\n.*the labels are `go`, `l`, `r`"),
        ({"map": {"go": ["x"]}}, "images must be hashable"),
        ({"map": {"l": "x"}, "unseen": ["l"]}, "`l` has an image in `map`, and is unseen"),
        ({"merge": [("l", "r"), ("r", "go")]}, "`r` is in two groups"),
        ({"map": {}, "name": 3}, "cannot be called 3"),
        ({"map": {}, "stipulate": None}, "None is nothing that can be stipulated\\n.*in a list or by name"),
    ],
)
def test_observers_that_contradict_themselves(given: Any, says: str) -> None:
    with pytest.raises(DivulgeError, match=says):
        Problem(forked(), Observer(knows="world", **given))


@pytest.mark.parametrize(
    "given, says",
    [
        ({"unseen": ["l"], "fixed": {"l": "x"}}, "`l` is to be unseen, but it is also in `fixed`"),
        ({"unseen": ["l"], "merge": [("l", "r")]}, "`l` is to be unseen, but it is also in `merge`"),
        ({"unseen": ["l"], "merge_cost": {("l", "r"): 1}}, "`l` is to be unseen, but it is also in `merge_cost`"),
        ({"merge": [("go", "l")]}, "actions and observations in one group: 'go', 'l'"),
        ({"separate": [("go", "l")]}, "actions and observations in one group"),
        ({"max_images": -1}, "`max_images` cannot be -1"),
        ({"min_images": True}, "`min_images` cannot be True"),
        ({"max_images": 2**80}, "`max_images` cannot be"),
        ({"merge_cost": {("l",): 1}}, "about two labels"),
        ({"merge_cost": 3}, "`merge_cost` cannot be 3"),
        ({"fixed": 3}, "`fixed` cannot be 3"),
    ],
)
def test_constraints_that_nothing_meets(given: Any, says: str) -> None:
    with pytest.raises(DivulgeError, match=says):
        Problem(forked(), Observer(knows="world", constraints=MapConstraints(**given)))


def test_what_an_estimate_is_asked() -> None:
    estimate = Problem(forked(), Observer(knows="world", map={})).watch().estimate
    for asked in (P.wett, "wett = 1"):
        with pytest.raises(DivulgeError, match="no vertex has a property called `wett`"):
            estimate.knows(asked)
    with pytest.raises(DivulgeError, match="asks about the way to a state"):
        estimate.knows(divulge.was(P.wet))
    with pytest.raises(DivulgeError, match="speaks of several moments"):
        estimate.satisfies(divulge.eventually(divulge.knows(P.wet)))
    with pytest.warns(divulge.DivulgeWarning, match="its values are booleans"):
        assert not estimate.knows(P.wet == "was (initially)"), "what stands in quotes is a value"


@pytest.mark.parametrize("wrong", [None, 3, "abc", [("s", "go")], [3], ["abc"]])
def test_edges(wrong: Any) -> None:
    for make in (World.automaton, lambda edges, initial: World.graph(edges, initial, []), lambda e, initial: Plan(e, initial, [])):
        with pytest.raises(DivulgeError, match="is not (a list of edges|an edge)\\n.*triple"):
            make(wrong, initial=["s"])


def test_wrong_types_are_refused_in_words() -> None:
    problem = Problem(forked(), Observer(knows="world", map={}))
    wrong: Any = None
    with pytest.raises(DivulgeError, match="a guard needs a Problem, not a NoneType"):
        divulge.Guard(wrong)
    with pytest.raises(DivulgeError, match="no log to follow"):
        problem.audit_log(wrong)
    with pytest.raises(DivulgeError, match="no points to ask about"):
        divulge.sweep(lambda a: problem, wrong)
    with pytest.raises(DivulgeError, match="labels must be hashable"):
        problem.watch().event(["go"])
    with pytest.raises(DivulgeError, match="the memory limit cannot be"):
        problem.seek_plan(memory_limit=2**70)
    with pytest.raises(DivulgeError, match="the time limit cannot be"):
        problem.seek_plan(time_limit=10**400)
    with pytest.raises(DivulgeError, match="not an estimate"):
        divulge.Estimate.from_json("[]", problem)
    for costs in (3, ["go"]):
        wrong = costs
        with pytest.raises(DivulgeError, match="costs cannot be"):
            Problem(forked(), Observer(knows="world", map={}), costs=wrong)
    for props in ({"s": {3: 2}}, 3):
        wrong = props
        with pytest.raises(DivulgeError, match="a property cannot be called 3"):
            World.graph([("s", "go", "y")], ["s"], [], props=wrong)
    with pytest.raises(DivulgeError, match="`props` gives None for 0"):
        line(props=lambda state: None)
