#!/usr/bin/env python3
"""The crates that are published, one a line, each after those that it needs: the order in which to publish them."""

import json
import subprocess


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--no-deps"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    # A list of registries to publish to that is empty means: not at all.
    wanted = {p["name"]: p for p in found["packages"] if p["publish"] != []}
    done = []

    def add(name):
        if name in done:
            return
        # What only tests need is left out of a package, unless it has a version.
        for need in wanted[name]["dependencies"]:
            if need["name"] in wanted and need["name"] != name and (need["kind"] != "dev" or need["req"] != "*"):
                add(need["name"])
        done.append(name)

    for name in sorted(wanted):
        add(name)
    print("\n".join(done))


if __name__ == "__main__":
    main()
