"""Problems written as models in the divulge language, and read again."""

import json
import pathlib
import warnings
from typing import Any, Dict, List

import pytest
from conftest import COUNT, examples
from worlds import inspector, medicine, nuclear

import divulge
from divulge import MapConstraints, Observer, P, Problem, World, at_end, knows


def plain(problem: "Problem[Any]") -> Dict[str, Any]:
    """The document without what depends on the numbering of labels, and without formulas."""

    def graph(given: Any) -> None:
        if isinstance(given, dict) and "edges" in given:
            given["edges"] = sorted(
                [edge["from"], edge["to"], sorted(edge["labels"])] for edge in given["edges"]
            )
            for listed in ("actions", "observations", "initial"):
                if listed in given:
                    given[listed] = sorted(given[listed])

    document = json.loads(problem.to_json())
    graph(document["world"])
    graph(document.get("plan"))
    observer = document["observers"][0]
    for one in observer["stipulations"]:
        one["formula"] = ""
    graph(observer.get("filter"))
    if isinstance(observer["knows"], dict):
        graph(observer["knows"].get("graph"))
        for plan in observer["knows"].get("plans", []):
            graph(plan)
    return document


def read(text: str) -> "Problem[str]":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return divulge.loads(text)


def verdicts(problem: "Problem[Any]") -> List[Any]:
    """What is answered, and how long a shortest witness is; that formulas mean the same shows here."""
    found: List[Any] = []
    for question in (problem.check, problem.audit, problem.seek_plan):
        try:
            answer: Any = question()
            found.append(answer.worst_case if answer.verdict == "found" else answer.verdict)
            if answer.verdict == "violated":
                found.append((answer.violation.reason, len(answer.violation.execution)))
        except divulge.DivulgeError as error:
            found.append(type(error))
    return found


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_examples(path: pathlib.Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem = divulge.load(path)
    again = read(problem.to_model())
    assert plain(again) == plain(problem) and verdicts(again) == verdicts(problem)


def test_worlds_of_functions(tmp_path: pathlib.Path) -> None:
    for problem in (
        Problem(nuclear(), inspector(), name='odd "name"\n'),
        Problem(medicine(), Observer(knows="plan", stipulate={"s": at_end(knows(P.result)), "t t": ~knows(lambda s: s.loaded)})),
        Problem(nuclear(), inspector(merge=None, constraints=MapConstraints([("left", "up")], [("high", "low")], {"exit": "out"}, 5))),
    ):
        problem.save(tmp_path / "written.divulge")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = divulge.load(tmp_path / "written.divulge")
        assert plain(again) == plain(problem)
    odd = World.graph([("u", "a", "y")], ["u"], ["y"], props={"u": {"odd name": 1}})
    quoted = Problem(odd, Observer(knows="world", map={}))
    quoted.save(tmp_path / "odd.divulge")
    assert plain(divulge.load(tmp_path / "odd.divulge")) == plain(quoted)


@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
def test_random(folder: pathlib.Path) -> None:
    # The language is stricter than documents: a property has values of one type, labels are the world's.
    refused = 0
    for path in sorted(folder.glob("*.json")):
        problem = read(path.read_text(encoding="utf-8"))
        try:
            again = read(problem.to_model())
        except divulge.DivulgeError as error:
            assert "cannot be written as a model" in error.message
            refused += 1
            continue
        assert plain(again) == plain(problem) and verdicts(again) == verdicts(problem), path
    assert refused < COUNT * 5 // 2
