"""The random problems of the engines' own tests: the same verdicts, lengths and maps through Python and on the command line."""

import collections
import json
import pathlib
import warnings
from typing import Any, Counter, Dict, List, Tuple

import pytest
from conftest import COUNT, run

import divulge
from divulge import Problem

#: the file's name, the question, options of the command line, options of the method
QUESTIONS: List[Tuple[str, str, List[str], Dict[str, Any]]] = [
    ("check", "check", [], {}),
    ("check", "audit", [], {}),
    ("seek_plan", "seek plan", [], {}),
    ("seek_plan", "seek plan", ["--minimize", "cost"], {"minimize": "cost"}),
    ("seek_plan_divulged", "seek plan", [], {}),
    ("seek_map", "seek map", ["--prefer", "coarsest"], {"prefer": "coarsest"}),
    ("seek_map", "seek maps", [], {}),
    ("seek_both", "seek both", ["--shortest"], {"shortest": True}),
    ("seek_both", "seek both", ["--prefer", "finest"], {"prefer": "finest"}),
    ("seek_both", "seek maps", [], {}),
    # Several observers, unseen events, runs, hindsight and the past.
    ("beyond_check", "check", [], {}),
    ("beyond_check", "audit", [], {}),
    ("beyond_seek_plan", "seek plan", [], {}),
    ("beyond_seek_plan_divulged", "seek plan", [], {}),
    ("beyond_seek_map", "seek map", ["--prefer", "coarsest"], {"prefer": "coarsest"}),
    ("beyond_seek_both", "seek both", ["--shortest"], {"shortest": True}),
    ("beyond_seek_both", "seek maps", [], {}),
]


# Random problems are odd in every way that there is a warning for.
@pytest.mark.filterwarnings("ignore::divulge.DivulgeWarning")
@pytest.mark.parametrize("kind, question, flags, options", QUESTIONS, ids=lambda value: str(value))
def test_the_same_answers(
    program: str, folder: pathlib.Path, kind: str, question: str, flags: List[str], options: Dict[str, Any]
) -> None:
    verdicts: Counter[str] = collections.Counter()
    for path in sorted(folder.glob(f"{kind}-*.json")):
        if not path.stem[len(kind) + 1 :].isdigit():
            continue
        status, out, err = run(program, *question.split(), str(path), "--json", "--quiet", *flags)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = divulge.load(path)
        # As it was read, and built anew from its parts.
        built = Problem(read.world, read.observers, plan=read.plan, costs=read.costs, name=read.name)
        for problem in (read, built):
            ask = getattr(problem, question.replace(" ", "_"))
            if status == 2:
                with pytest.raises(divulge.DivulgeError) as caught:
                    ask(**options)
                assert caught.value.message.split("\n")[0] in err or "stipulation" in caught.value.message
                verdicts["refused"] += 1
                continue
            answer = ask(**options)
            wanted, got = json.loads(out), json.loads(answer.to_json())
            verdicts[answer.verdict] += 1
            if problem is read:
                assert got == wanted
            same = ("verdict", "reason", "worst_case", "feasible", "maps")[: 4 if isinstance(wanted.get("maps"), dict) else 5]
            assert {key: got.get(key) for key in same} == {key: wanted.get(key) for key in same}
            assert len(got.get("execution", [])) == len(wanted.get("execution", []))
            confirm(problem, question, answer)
    assert sum(verdicts.values()) == 2 * COUNT and len(verdicts) >= 2, verdicts


def test_everything_occurs(folder: pathlib.Path) -> None:
    """The random problems have several observers, unseen events, every scope and both questions about the past."""
    found: Counter[str] = collections.Counter()
    for path in folder.glob("beyond_check-*.json"):
        observers = json.loads(path.read_text())["observers"]
        found["several"] += len(observers) > 1
        for observer in observers:
            found["unseen"] += None in observer["map"].values()
            for stipulation in observer["stipulations"]:
                found[stipulation.get("scope", "always")] += 1
                found.update(word for word in ("was(", "initially(", "until", "next") if word in stipulation["formula"])
    kinds = ("several", "unseen", "always", "end", "run", "hindsight", "was(", "initially(", "until", "next")
    assert all(found[kind] >= 5 for kind in kinds), found


def confirm(problem: "Problem[str]", question: str, answer: Any) -> None:
    """Whatever was found holds, and whatever is wrong is seen by who watches."""
    if question.startswith("seek") and question != "seek maps" and answer:
        assert answer.filled_in().check()
    if question == "seek maps" and answer:
        for one in answer.finest + answer.coarsest:
            assert one.filled_in().check()
    if question in ("check", "audit") and not answer and answer.violation.reason == "stipulation":
        violation = answer.violation
        watch = problem.watch(observer=violation.observer)
        for event in violation.execution:
            watch.event(event)
        # In hindsight, the estimate is of an earlier moment.
        assert violation.moment is not None or watch.estimate == violation.estimate
        assert watch.stipulations[violation.stipulation] is False
        last = violation.trace[-1]
        assert last.estimate == watch.estimate and violation.stipulation in last.broken
        assert watch.seen == violation.image
