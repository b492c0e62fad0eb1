"""The same questions through Python and on the command line: the same answers."""

import json
import pathlib
import sys
import warnings

import pytest
from conftest import examples, run

import divulge


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
@pytest.mark.parametrize("question", ["check", "audit", "seek plan", "seek both", "seek maps"])
def test_examples(program: str, path: pathlib.Path, question: str) -> None:
    if question in ("seek both", "seek maps") and path.stem.endswith("_violated"):
        pytest.skip("the question of the example itself, since its plan is set aside")
    flags = {"seek both": ["--any-map"], "seek maps": ["--any-map", "--any-plan"]}.get(question, [])
    status, out, err = run(program, *question.split(), str(path), "--json", *flags)
    options = {flag.strip("-").replace("-", "_"): True for flag in flags}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem = divulge.load(path)
    ask = getattr(problem, question.replace(" ", "_"))
    if status == 2:
        with pytest.raises(divulge.DivulgeError):
            ask(**options)
        return
    answer = ask(**options)
    assert json.loads(answer.to_json()) == json.loads(out)
    assert bool(answer) == (status == 0)
    _, words, _ = run(program, *question.split(), str(path), *flags)
    assert answer.explain() == words


def test_the_package_brings_the_program() -> None:
    installed = pathlib.Path(sys.executable).with_name("divulge")
    assert run(str(installed), "--version") == (0, f"divulge {divulge.__version__}\n", "")


def test_options(program: str) -> None:
    path = "examples/nuclear.divulge"
    from conftest import ROOT

    _, out, _ = run(program, "seek", "plan", str(ROOT / path), "--json", "--set", "rows=4", "--minimize", "cost")
    found = divulge.load(ROOT / path, set={"rows": 4}).seek_plan(minimize="cost")
    assert json.loads(found.to_json()) == json.loads(out)
