"""Puts the sources of the book together: pages of docs/ beside those of book/, examples, pictures, and the help of every command."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def main(program: str, src: Path) -> None:
    shutil.copytree(ROOT / "docs", src / "docs")
    shutil.copytree(ROOT / "examples", src / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    # Programs that the tests run.
    shutil.copytree(ROOT / "crates" / "divulge" / "examples", src / "rust")
    for page in (src / "docs").glob("*.md"):
        page.write_text(within(page.read_text(), src, page))
    listed = (src / "SUMMARY.md").read_text()
    missing = [page.name for page in sorted((src / "docs").glob("*.md")) if f"(docs/{page.name})" not in listed]
    if missing:
        sys.exit(f"book: error: book/src/SUMMARY.md does not list {', '.join(missing)} of docs/")
    pictures(program, src / "pictures")
    (src / "reference").mkdir(exist_ok=True)
    (src / "reference" / "commands.md").write_text(commands(program))
    subprocess.run([program, "--quiet", "playground", "-o", str(src.parent / "playground.html")], check=True)


def within(text: str, src: Path, page: Path) -> str:
    """The text of a page of docs/, with links out of the book turned into plain text."""

    def link(match: re.Match) -> str:
        words, to = match[1], match[2]
        path = to.split("#")[0]
        if re.match(r"[a-z]+:", to) or not path:
            return match[0]
        if path == "../README.md":
            return f"[{words}](../introduction.md)"
        # What is in the book stays a link; what is in the repository alone is named.
        return match[0] if (page.parent / path).is_file() and src in (page.parent / path).resolve().parents else words

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^()\s]+)\)", link, text)


def pictures(program: str, folder: Path) -> None:
    """Every picture of the list, drawn as the list says."""
    folder.mkdir()
    for line in (ROOT / "book" / "pictures.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, *options = shlex.split(line)
            drawn = [program, "--quiet", "draw", *options, "-o", str(folder / f"{name}.svg")]
            subprocess.run(drawn, cwd=ROOT, check=True, timeout=120)


def helped(program: str, *names: str) -> str:
    return subprocess.run([program, *names, "--help"], check=True, capture_output=True, text=True).stdout.strip()


def commands(program: str) -> str:
    """What every command says of itself."""
    first = helped(program)
    page = ["# The command line", "", "What `divulge --help` and the help of every command print.", "", "```text", first, "```"]
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", first, re.M)
    names = [line.split()[0] for line in listed[1].splitlines() if re.match(r"  [a-z]", line)]
    for name in names:
        if name == "help":
            continue
        text = helped(program, name)
        page += ["", f"## divulge {name}", "", "```text", text, "```"]
        more = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.M)
        for second in [line.split()[0] for line in more[1].splitlines() if re.match(r"  [a-z]", line)] if more else []:
            if second != "help" and name == "seek":
                page += ["", f"### divulge {name} {second}", "", "```text", helped(program, name, second), "```"]
    return "\n".join(page) + "\n"


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve())
