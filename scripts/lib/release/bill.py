#!/usr/bin/env python3
"""The bill of materials of a release, as CycloneDX JSON on standard output: every crate that goes into the program and the Python module.

    bill.py VERSION
"""

import hashlib
import json
import subprocess
import sys
import uuid

ROOTS = ("divulge-cli", "divulge-python")


def metadata():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def shipped(found):
    """The packages that are linked into what is released: no tools of the build, no tests."""
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    left = [package["id"] for package in found["packages"] if package["name"] in ROOTS and package["source"] is None]
    reached = set()
    while left:
        node = left.pop()
        if node not in reached:
            reached.add(node)
            left += [dep["pkg"] for dep in nodes[node]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
    return reached, nodes


def checksums():
    """The checksums of the packages in the lock file, by name and version."""
    sums, package = {}, {}
    with open("Cargo.lock", encoding="utf-8") as lock:
        for line in lock:
            key, _, value = line.strip().partition(" = ")
            if line.startswith("[["):
                package = {}
            elif key in ("name", "version"):
                package[key] = value.strip('"')
            elif key == "checksum":
                sums[package["name"], package["version"]] = value.strip('"')
    return sums


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, sums):
    made = {
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "purl": reference(package),
    }
    if package["license"]:
        # Cargo still takes a slash for "or" in old packages.
        made["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    known = sums.get((package["name"], package["version"]))
    if known:
        made["hashes"] = [{"alg": "SHA-256", "content": known}]
    return made


def main():
    (version,) = sys.argv[1:]
    found = metadata()
    reached, nodes = shipped(found)
    packages = {package["id"]: package for package in found["packages"] if package["id"] in reached}
    sums = checksums()
    in_order = sorted(packages.values(), key=lambda package: (package["name"], package["version"]))
    components = [component(package, sums) for package in in_order]
    depends = [
        {
            "ref": reference(package),
            "dependsOn": sorted({reference(packages[dep["pkg"]]) for dep in nodes[package["id"]]["deps"] if dep["pkg"] in packages}),
        }
        for package in in_order
    ]
    # The same release has the same number.
    digest = hashlib.sha256(json.dumps(components).encode()).hexdigest()
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.UUID(digest[:32])}",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "divulge", "name": "divulge", "version": version}},
        "components": components,
        "dependencies": [{"ref": "divulge", "dependsOn": [reference(p) for p in in_order if p["name"] in ROOTS]}, *depends],
    }
    json.dump(bill, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
