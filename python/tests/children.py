"""Processes that the tests start: none outlives its time or takes the machine's memory, however the tests were started."""

import contextlib
import os
import signal
import subprocess
import threading
from typing import Any, Iterator, List, Optional

try:
    import resource
except ImportError:  # not a POSIX system
    resource = None  # type: ignore[assignment]

#: bytes that the tests, and any process that they start, may take
MEMORY = 2 << 30
#: seconds that a process may take unless a test says otherwise
SECONDS = 120.0


def limit_memory(most: int = MEMORY) -> None:
    """From now on this process and its children can have no more than so many bytes of data of their own."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _prepare() -> None:
    limit_memory()
    # Tests that were started in the background ignore interrupts, and so would their children.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end(child: "subprocess.Popen[Any]") -> None:
    """Ends a child and all that it has started."""
    with contextlib.suppress(OSError):
        os.killpg(child.pid, signal.SIGKILL) if os.name == "posix" else child.kill()


@contextlib.contextmanager
def started(command: List[str], *, seconds: float = SECONDS, **options: Any) -> Iterator["subprocess.Popen[str]"]:
    """A child that is ended when its time is over, or at the end of the block."""
    if os.name == "posix":
        options.update(preexec_fn=_prepare, start_new_session=True)
    child = subprocess.Popen(command, text=True, **options)
    timer = threading.Timer(seconds, _end, [child])
    timer.daemon = True
    timer.start()
    try:
        yield child
    finally:
        timer.cancel()
        # Whatever it has started ends with it.
        _end(child)
        child.wait(timeout=20)
        for pipe in (child.stdin, child.stdout, child.stderr):
            if pipe is not None:
                pipe.close()


def finished(
    command: List[str], *, seconds: float = SECONDS, check: bool = False, given: Optional[str] = None, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Runs a child to its end; an error if it takes too long."""
    pipe = subprocess.PIPE
    stdin = subprocess.DEVNULL if given is None else pipe
    with started(command, seconds=seconds, stdin=stdin, stdout=pipe, stderr=pipe, **options) as child:
        out, err = child.communicate(given)
    done = subprocess.CompletedProcess(command, child.returncode, out, err)
    assert done.returncode != -signal.SIGKILL, f"{command[:3]} was ended after {seconds} s\n{err}"
    assert not check or done.returncode == 0, f"{command[:3]} failed\n{err}"
    return done
