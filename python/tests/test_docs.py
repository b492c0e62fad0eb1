"""The code in docs/python.md runs."""

import os
import pathlib
import re
import shutil
from typing import Any, Dict

import pytest
from conftest import EXAMPLES, ROOT


def test_the_manual(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = list(re.finditer(r"```python\n(.*?)```", text, re.DOTALL))
    assert len(blocks) > 8
    names: Dict[str, Any] = {"__name__": "manual"}
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], "docs/python.md", "exec"), names)
    assert os.path.exists("nuclear.json")
