"""Limits, interrupts, progress, and the lock that other threads need."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Callable, List

import numpy
import pytest
from children import MEMORY, finished, started
from conftest import EXAMPLES, the_program
from worlds import inspector, nuclear

import divulge
from divulge import Problem


@pytest.fixture(scope="module")
def hard() -> "Problem[Any]":
    """Takes far longer than any test waits."""
    return divulge.loads(many_rooms())


def many_rooms() -> str:
    rooms = ["generate", "rooms", "--rooms", "6000", "--doors", "2", "--colours", "2"]
    return finished([the_program(), *rooms], check=True).stdout


def test_time_limit(hard: "Problem[Any]") -> None:
    begin = time.monotonic()
    found = hard.seek_plan(time_limit=0.3)
    assert found.verdict == "unknown" and found.limit == "time"
    assert time.monotonic() - begin < 20
    with pytest.raises(divulge.NoAnswer, match="time limit"):
        bool(found)
    with pytest.raises(divulge.NoAnswer):
        found.plan
    assert found.to_json() == '{"verdict": "unknown", "limit": "time"}'
    assert "time limit" in found.explain() and "time limit" in repr(found)
    assert hard.seek_plan(time_limit=0).verdict == "unknown"


def test_memory_limit(hard: "Problem[Any]") -> None:
    found = hard.seek_plan(memory_limit="40M", time_limit=60)
    assert (found.verdict, found.limit) == ("unknown", "memory")
    for wrong in ("much", "12Q", -1):
        with pytest.raises(divulge.DivulgeError, match="memory limit"):
            hard.seek_plan(memory_limit=wrong)
    with pytest.raises(divulge.DivulgeError, match="time limit"):
        hard.seek_plan(time_limit=-1)


def test_amounts() -> None:
    problem = Problem(nuclear(), inspector())
    for right in (60, 60.5, "60", "60s", "60.25", "60 s", numpy.int64(60)):
        assert problem.seek_plan(time_limit=right)  # type: ignore[arg-type]
    for wrong in ("soon", "5 minutes", "-1", "1e9", -1, float("nan"), float("inf"), True, [5]):
        with pytest.raises(divulge.DivulgeError, match="time limit cannot be .*\n.*seconds"):
            problem.seek_plan(time_limit=wrong)  # type: ignore[arg-type]
    for threads in (-1, 1.5, True, "two", 10**9):
        with pytest.raises(divulge.DivulgeError, match="`threads` cannot be .*\n.*number from 1"):
            problem.seek_plan(threads=threads)  # type: ignore[arg-type]
        with pytest.raises(divulge.DivulgeError, match="`threads` cannot be .*\n.*number from 1"):
            problem.audit(threads=threads)  # type: ignore[arg-type]
    assert problem.seek_plan(threads=numpy.int64(2))  # type: ignore[arg-type]
    with pytest.raises(divulge.DivulgeError, match="`progress` cannot be 5"):
        problem.seek_plan(progress=5)  # type: ignore[arg-type]


def test_statistics(hard: "Problem[Any]") -> None:
    found = Problem(nuclear(), inspector()).seek_plan()
    assert found.statistics is not None and 0 < found.statistics.seconds < 60
    assert found.statistics.explored > 0 and found.statistics.stored > 0
    maps = Problem(nuclear(), inspector(merge=None)).seek_maps()
    assert maps.statistics is not None and maps.statistics.maps > 0 and maps.statistics.learnt > 0
    assert maps.finest[0].statistics is None
    stopped = until(lambda t: hard.seek_plan(time_limit=t), lambda a: a.statistics.explored > 1000)
    assert stopped.statistics is not None and stopped.statistics.explored > 1000
    assert 0.5 <= stopped.statistics.seconds < 20
    for question in ("check", "audit"):
        verdict = getattr(divulge.load(EXAMPLES / "nuclear.divulge"), question)()
        assert verdict.statistics is not None and verdict.statistics.seconds > 0


def until(ask: Callable[[float], Any], enough: Callable[[Any], bool]) -> Any:
    """An answer that is cut short, but not before enough was found; how long that takes depends on the machine."""
    seconds = 0.5
    while seconds < 60:
        answer = ask(seconds)
        if answer.verdict != "unknown" or enough(answer):
            return answer
        seconds *= 1.3
    raise AssertionError("nothing was found in time")


def test_the_best_so_far_is_kept() -> None:
    problem = Problem(nuclear(16, 18), inspector(merge=None))
    answer = until(lambda t: problem.seek_both(prefer="finest", time_limit=t), lambda a: a.best is not None)
    assert (answer.verdict, answer.limit) == ("unknown", "time")
    best = answer.best
    assert best.verdict == "found" and best and best.worst_case.events > 0
    filled = best.filled_in()
    assert filled.check() and filled.map == best.map
    with pytest.raises(divulge.NoAnswer, match="`best` has what was found"):
        answer.plan
    with pytest.raises(divulge.NoAnswer):
        bool(answer)
    assert answer.worst_case is None and "best so far" in repr(answer)
    document = json.loads(answer.to_json())
    assert document["verdict"] == "unknown" and document["best"]["proven"] is False
    assert document["best"]["worst_case"]["events"] == best.worst_case.events
    told = answer.explain()
    assert told.startswith("unknown: stopped by the time limit") and "not* proven" in told
    assert "time_limit=" in told and "leave out `prefer`" in told and "fewer labels" in told


def test_counts_so_far_are_kept() -> None:
    problem = Problem(nuclear(7, 8), inspector(merge=None))
    answer = until(lambda t: problem.seek_maps(time_limit=t), lambda a: a.so_far is not None and a.so_far.feasible > 0)
    assert (answer.verdict, answer.limit) == ("unknown", "time")
    so_far = answer.so_far
    assert so_far.maps == 3045 and so_far.undecided == 3045 - so_far.feasible - so_far.infeasible > 0
    with pytest.raises(divulge.NoAnswer, match="`so_far` has the counts"):
        answer.feasible
    document = json.loads(answer.to_json())
    assert document["feasible_at_least"] == so_far.feasible and document["maps"] == 3045
    told = answer.explain()
    assert f"at least {so_far.feasible} would do" in told and "fewer labels" in told and "prefer" not in told
    assert f"at least {so_far.feasible} of 3045" in repr(answer)
    whole = Problem(nuclear(), inspector(merge=None)).seek_maps()
    assert whole.so_far == (whole.feasible, whole.maps - whole.feasible, whole.maps) and whole.so_far.undecided == 0


def test_nothing_found_so_far(hard: "Problem[Any]") -> None:
    found = hard.seek_plan(time_limit=0.3)
    assert found.best is None and found.worst_case is None and found.merge_cost is None
    assert found.explain() == "unknown: stopped by the time limit\n\nAllow more with time_limit=….\n"
    answer = Problem(nuclear(7, 8), inspector(merge=None)).seek_maps(time_limit=0)
    assert answer.verdict == "unknown" and answer.so_far is None


def test_enough_is_no_limit() -> None:
    problem = Problem(nuclear(), inspector())
    assert problem.seek_plan(time_limit=60, memory_limit="2G").worst_case.events == 12


def test_progress_and_exceptions_in_it(hard: "Problem[Any]") -> None:
    heard: List[divulge.Progress] = []
    assert hard.seek_plan(time_limit=2, memory_limit=MEMORY // 2, progress=heard.append).verdict == "unknown"
    assert len(heard) >= 3 and heard[-1].explored >= heard[0].explored and heard[-1].seconds > heard[0].seconds

    def stop(progress: divulge.Progress) -> None:
        raise LookupError(progress.doing)

    begin = time.monotonic()
    with pytest.raises(LookupError):
        hard.seek_plan(time_limit=60, progress=stop)
    assert time.monotonic() - begin < 20


def test_other_threads_go_on(hard: "Problem[Any]") -> None:
    count, stop = [0], threading.Event()

    def work() -> None:
        while not stop.is_set():
            count[0] += 1
            time.sleep(0.001)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        before = count[0]
        hard.seek_plan(time_limit=1)
        during = count[0] - before
    finally:
        stop.set()
        worker.join()
    assert during > 20


def test_questions_on_several_threads() -> None:
    problem, found = Problem(nuclear(), inspector()), []

    def ask() -> None:
        found.append(problem.seek_plan().worst_case)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [(12, 6)] * 8


SCRIPT = """
import sys, divulge
problem = divulge.loads(sys.stdin.read())
print("ready", flush=True)
try:
    # Should the interrupt be lost, it ends all the same.
    print(problem.seek_plan(time_limit=60, memory_limit="500M").verdict, flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
# The interpreter is as before.
print(len(problem.world), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_keyboard_interrupt() -> None:
    pipe = subprocess.PIPE
    with started([sys.executable, "-c", SCRIPT], stdin=pipe, stdout=pipe, seconds=90) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(many_rooms())
        child.stdin.close()
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        begin = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        # It takes a few hundredths of a second; the bound is for a busy machine.
        assert time.monotonic() - begin < 20
        assert child.stdout.readline().strip().isdigit()
        assert child.wait(timeout=20) == 0


@pytest.mark.skipif(os.name != "posix", reason="limits of processes")
def test_children_are_limited() -> None:
    """Whatever a test starts ends in time, hears interrupts, and has no more memory than it should."""
    begin = time.monotonic()
    with pytest.raises(AssertionError, match="was ended"):
        finished(["sh", "-c", "sleep 60 & sleep 60"], seconds=0.5)
    assert time.monotonic() - begin < 20
    greedy = finished([sys.executable, "-c", f"bytearray({MEMORY} + 1)"])
    assert greedy.returncode == 1 and "MemoryError" in greedy.stderr
    ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        heard = finished([sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGINT)"])
    finally:
        signal.signal(signal.SIGINT, ignored)
    assert "KeyboardInterrupt" in heard.stderr
    with pytest.raises(MemoryError):
        bytearray(MEMORY + 1)
