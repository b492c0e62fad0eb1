"""The notebooks run from beginning to end, and type checkers accept their code and the package."""

import json
import pathlib
import sys
from typing import List

import pytest
from children import finished
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["care_robot", "nuclear_inspection", "two_observers"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    assert sum(bool(cell.outputs) for cell in code) >= 6


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> List[str]:
    """The notebooks' code as programs; what a cell shows at its end is a statement there."""
    folder = tmp_path_factory.mktemp("code")
    made = []
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        script = folder / f"{path.stem}.py"
        script.write_text(code + "\n", encoding="utf-8")
        made.append(str(script))
    return made


def accepts(*command: str) -> None:
    done = finished([sys.executable, "-m", *command], cwd=ROOT, seconds=300)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(sys.version_info < (3, 10), reason="mypy needs a newer interpreter")
def test_mypy(scripts: List[str]) -> None:
    accepts("mypy", "--strict", "--cache-dir", str(pathlib.Path(scripts[0]).parent / "cache"), *scripts)
    accepts("mypy", "--cache-dir", str(pathlib.Path(scripts[0]).parent / "cache"))


def test_pyright(scripts: List[str]) -> None:
    accepts("pyright", "--pythonpath", sys.executable, *scripts)
    accepts("pyright", "--pythonpath", sys.executable)


def test_the_explorer_is_a_page(tmp_path: pathlib.Path) -> None:
    import divulge

    problem = divulge.load(ROOT / "examples" / "nuclear.divulge")
    hasty = divulge.load(ROOT / "examples" / "nuclear_hasty_violated.divulge")
    none = divulge.load(ROOT / "examples" / "nuclear.divulge", set={"rows": 4})
    for page in (problem.seek_plan().explore(), hasty.check().explore(), none.seek_plan().explore(), problem.explore(execution=["right"])):
        page.save(tmp_path / "page.html")
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert text == page.html and text.lower().startswith("<!doctype html>") and "</html>" in text
        inline = page._repr_html_()
        assert inline.startswith("<iframe srcdoc=") and inline.count("<") == 2
    assert "There is no plan" in none.seek_plan().explore().html
    with pytest.raises(divulge.DivulgeError, match="no label"):
        problem.explore(execution=["fly"])
