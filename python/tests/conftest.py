"""What the tests share."""

import os
import pathlib
import subprocess
from typing import List, Tuple

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
#: how many random problems there are for each kind of question
COUNT = 200


@pytest.fixture(scope="session")
def program() -> str:
    """The command-line program: $DIVULGE, or the one that cargo built."""
    given = os.environ.get("DIVULGE", str(ROOT / "target" / "debug" / "divulge"))
    assert os.access(given, os.X_OK), f"{given} is missing: cargo build -p divulge-cli"
    return given


def run(program: str, *arguments: str) -> Tuple[int, str, str]:
    """Runs the program: exit status, standard output, standard error."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def examples() -> List[pathlib.Path]:
    return sorted(EXAMPLES.rglob("*.divulge"))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    made = tmp_path_factory.mktemp("random")
    example = ["cargo", "run", "--quiet", "--locked", "-p", "divulge-render", "--example", "random_problems", "--"]
    subprocess.run([*example, str(made), str(COUNT), "7"], check=True, cwd=ROOT)
    return made
