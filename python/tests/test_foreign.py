"""Files of other tools."""

from pathlib import Path

import pytest

import divulge
from divulge import World

FORMATS = Path(__file__).parents[2] / "examples" / "formats"


def test_an_automaton_is_audited() -> None:
    problem = divulge.load(FORMATS / "lab.fsm")
    assert len(problem.world) == 8
    world = World.read(FORMATS / "lab.fsm")
    secret = "state = lab | state = vault"
    assert not divulge.opacity.current(world, secret).holds
    assert not divulge.opacity.current(world, ["lab", "vault"]).holds, "a state is what the file calls one"
    assert divulge.opacity.current(world, ["store"]).holds
    # Here the unseen step to a state is a vertex of its own, and a secret without it could never be known.
    with pytest.raises(divulge.DivulgeError, match="to vault.*nobody sees"):
        divulge.opacity.current(problem.world, ["vault"])
    both = ["lab", "vault", "to lab", "to vault"]
    assert not divulge.opacity.current(problem.world, both).holds
    # Waiting is not seen, and neither is the dummy after each event.
    violation = divulge.opacity.current(world, secret).violation
    assert list(violation.image) == ["open", "open"]


def test_a_model_takes_constants_and_a_goal() -> None:
    problem = divulge.load(FORMATS / "lamps.prism", set={"N": 3, "fail": 0.0})
    found = problem.seek_plan()
    assert found.worst_case is not None and found.worst_case.cost == 3
    assert divulge.load(FORMATS / "lamps.prism", set={"N": 3, "fail": 0.0}, goal="a = 1").seek_plan().worst_case.cost == 2
    with pytest.raises(divulge.DivulgeError, match="has no value"):
        divulge.load(FORMATS / "lamps.prism")


def test_a_planning_problem_has_a_domain() -> None:
    problem = divulge.load(FORMATS / "parcels.pddl", domain=FORMATS / "parcels-domain.pddl")
    assert problem.seek_plan().worst_case.cost == 5
    with pytest.raises(divulge.DivulgeError, match="domain of this problem is missing"):
        divulge.load(FORMATS / "parcels.pddl")
    with pytest.raises(FileNotFoundError):
        divulge.load(FORMATS / "nowhere.pddl")


def test_notes_say_how_a_file_was_understood() -> None:
    world = World.read(FORMATS / "lab.fsm")
    assert "is read as a UMDES automaton: 4 states, 7 transitions, 3 events" in world.notes[0]
    assert any("`initial=` says otherwise" in note for note in world.notes)
    everywhere = divulge.load(FORMATS / "lab.fsm", initial="all")
    assert len(everywhere.world.initial) == 4
    assert not any("initial" in note for note in everywhere.world.notes), "that has been said"
    assert World.graph([("u", "a", "y"), ("y", "o", "u")], ["u"], ["u"]).notes == ()


def test_files_are_recognised_by_content(tmp_path: Path) -> None:
    odd = tmp_path / "lab.txt"
    odd.write_text((FORMATS / "lab.fsm").read_text())
    assert len(World.read(odd)) == len(World.read(FORMATS / "lab.fsm"))
    export = tmp_path / "maze.tra"
    export.write_text("12 21 30\n0 0 1 0.5\n")
    with pytest.raises(divulge.DivulgeError, match="state by state"):
        divulge.load(export)


def test_going_on_trying_may_reach_the_goal() -> None:
    dice = Path(__file__).parents[2] / "crates" / "divulge-formats" / "tests" / "files" / "dice.pddl"
    problem = divulge.load(dice)
    assert problem.seek_plan().worst_case is None
    assert problem.almost_surely()
    parcels = divulge.load(FORMATS / "parcels.pddl", domain=FORMATS / "parcels-domain.pddl", goal='"at cellar"')
    assert parcels.seek_plan().worst_case.cost == 1
    assert parcels.almost_surely()
    assert any("`locked`" in note for note in parcels.world.notes)
