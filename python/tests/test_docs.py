"""The code in docs/python.md, in docs/clusters.md, in the README and in the book runs."""

import os
import pathlib
import re
import shutil
from typing import Any, Dict

import pytest
from conftest import EXAMPLES, ROOT


@pytest.mark.parametrize(
    "name, most",
    [("docs/python.md", 8), ("docs/clusters.md", 2), ("README.md", 0), ("book/src/recipes/simulator.md", 0)],
)
def test_the_code_runs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, name: str, most: int) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = list(re.finditer(r"```python\n(.*?)```", text, re.DOTALL))
    assert len(blocks) > most
    names: Dict[str, Any] = {"__name__": "manual"}
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], name, "exec"), names)
    assert name != "docs/python.md" or os.path.exists("nuclear.json")
