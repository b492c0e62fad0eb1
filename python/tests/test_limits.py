"""Limits, interrupts, progress, and the lock that other threads need."""

import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any, List

import pytest
from worlds import inspector, nuclear

import divulge
from divulge import Problem


@pytest.fixture(scope="module")
def hard() -> "Problem[Any]":
    """Takes far longer than any test waits."""
    text = subprocess_json("generate", "rooms", "--rooms", "6000", "--doors", "2", "--colours", "2")
    return divulge.loads(text)


def subprocess_json(*arguments: str) -> str:
    from conftest import ROOT

    program = os.environ.get("DIVULGE", str(ROOT / "target" / "debug" / "divulge"))
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def test_time_limit(hard: "Problem[Any]") -> None:
    begin = time.monotonic()
    found = hard.seek_plan(time_limit=0.3)
    assert found.verdict == "unknown" and found.limit == "time"
    assert time.monotonic() - begin < 3
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


def test_enough_is_no_limit() -> None:
    problem = Problem(nuclear(), inspector())
    assert problem.seek_plan(time_limit=60, memory_limit="2G").worst_case.events == 12


def test_progress_and_exceptions_in_it(hard: "Problem[Any]") -> None:
    heard: List[divulge.Progress] = []
    assert hard.seek_plan(time_limit=0.8, progress=heard.append).verdict == "unknown"
    assert len(heard) >= 3 and heard[-1].explored >= heard[0].explored and heard[-1].seconds > heard[0].seconds

    def stop(progress: divulge.Progress) -> None:
        raise LookupError(progress.doing)

    begin = time.monotonic()
    with pytest.raises(LookupError):
        hard.seek_plan(time_limit=60, progress=stop)
    assert time.monotonic() - begin < 5


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
    assert during > 50


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
import sys, time, divulge
problem = divulge.loads(sys.stdin.read())
print("ready", flush=True)
begin = time.monotonic()
try:
    getattr(problem, sys.argv[1])(**eval(sys.argv[2]))
except KeyboardInterrupt:
    print("interrupted", flush=True)
# The interpreter is as before.
print(len(problem.world), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_keyboard_interrupt() -> None:
    text = subprocess_json("generate", "rooms", "--rooms", "6000", "--doors", "2", "--colours", "2")
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "seek_plan", "{}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(text)
    child.stdin.close()
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n"
    # It takes a few hundredths of a second; the bound is for a busy machine.
    assert time.monotonic() - begin < 2
    assert child.stdout.readline().strip().isdigit()
    assert child.wait(timeout=20) == 0
