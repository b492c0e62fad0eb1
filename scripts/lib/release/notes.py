#!/usr/bin/env python3
"""What CHANGELOG.md says of a version, on standard output; an error if it says nothing.

    notes.py VERSION
"""

import sys


def notes(text, version):
    taken, lines = False, []
    for line in text.splitlines():
        if line.startswith("## "):
            taken = line.startswith(f"## [{version}]")
        elif taken:
            lines.append(line)
    return "\n".join(lines).strip()


def main():
    (version,) = sys.argv[1:]
    with open("CHANGELOG.md", encoding="utf-8") as changelog:
        found = notes(changelog.read(), version)
    if not found:
        sys.exit(f"error: CHANGELOG.md says nothing of {version}; add a section `## [{version}]`")
    print(f"# divulge {version}\n\n{found}")


if __name__ == "__main__":
    main()
