"""What the tests share."""

import os
import pathlib
from typing import List, Tuple

import pytest
from children import finished, limit_memory

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
#: how many random problems there are for each kind of question
COUNT = 200


def pytest_configure() -> None:
    """A test that goes wrong must not take the machine's memory."""
    limit_memory()
    # Arrow's own allocator sets aside a gigabyte at once, which would count as taken.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


@pytest.fixture(scope="session")
def program() -> str:
    """The command-line program."""
    return the_program()


def the_program() -> str:
    """The command-line program: $DIVULGE, or the one that cargo built."""
    given = os.environ.get("DIVULGE", str(ROOT / "target" / "debug" / "divulge"))
    assert os.access(given, os.X_OK), f"{given} is missing: cargo build -p divulge-cli"
    return given


def run(program: str, *arguments: str) -> Tuple[int, str, str]:
    """Runs the program: exit status, standard output, standard error."""
    done = finished([program, *arguments])
    return done.returncode, done.stdout, done.stderr


def examples() -> List[pathlib.Path]:
    return sorted(EXAMPLES.rglob("*.divulge"))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    made = tmp_path_factory.mktemp("random")
    example = ["cargo", "run", "--quiet", "--locked", "-p", "divulge-render", "--example", "random_problems", "--"]
    finished([*example, str(made), str(COUNT), "7"], check=True, cwd=ROOT, seconds=500)
    return made
