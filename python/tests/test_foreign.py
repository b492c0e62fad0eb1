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
