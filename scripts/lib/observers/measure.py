"""Several observers, unseen events and runs, side by side with problems that have none.

    measure.py --product divulge [--runs 5]

Writes a table in Markdown. All seconds are processor time of whole processes, the least of several runs; what stands side by side is run in turns.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile


def generated(product, *parameters):
    return json.loads(subprocess.run([product, "generate", *parameters], check=True, capture_output=True).stdout)


def two(document, first, second):
    """The observer of a document as two: the first must learn, the second must not; each knows as much of the plan as it is told."""
    (one,) = document["observers"]
    learn, hide = one["stipulations"]
    inspector = {**one, "name": "inspector", "knows": first, "stipulations": [learn]}
    spy = {**one, "name": "spy", "knows": second, "stipulations": [hide]}
    return {**document, "observers": [inspector, spy]}


def apart(document):
    """Two observers of whom the first sees every event for what it is."""
    inspector, spy = document["observers"]
    return {**document, "observers": [{**inspector, "map": {label: label for label in inspector["map"]}}, spy]}


def rows(product):
    """Yields names, documents, and the name of what each is compared with, if anything."""
    for size in ((20, 22), (60, 60), (60, 62)):
        one = generated(product, "nuclear", "--rows", str(size[0]), "--cols", str(size[1]))
        name = "nuclear {} × {}".format(*size)
        yield f"{name}, one observer who knows the world", one, None
        both = two(one, "world", "world")
        yield f"{name}, two who know the world", both, f"{name}, one observer who knows the world"
        yield f"{name}, two who see differently", apart(both), f"{name}, one observer who knows the world"
    one = generated(product, "nuclear", "--rows", "20", "--cols", "22", "--knows", "plan")
    alone = "nuclear 20 × 22, one observer who knows the plan"
    yield alone, one, None
    for first, second in (("plan", "world"), ("world", "plan"), ("plan", "goal-directed")):
        yield f"nuclear 20 × 22, {first} beside {second}", two(one, first, second), alone
    for rooms, visitors in ((10, 2), (20, 4), (40, 4), (60, 8), (120, 8)):
        parameters = ("--rooms", str(rooms), "--visitors", str(visitors))
        yield f"wards, {rooms} rooms, {visitors} visitors", generated(product, "wards", *parameters), None
    for rooms in (6, 8, 10, 12):
        parameters = ("--rooms", str(rooms), "--knows", "plan")
        yield f"wards, {rooms} rooms, 2 visitors, one knows the plan", generated(product, "wards", *parameters), None
    for junctions, length in ((40, 8), (160, 16), (320, 32)):
        for knows in ("world", "plan"):
            parameters = ("--junctions", str(junctions), "--length", str(length), "--knows", knows)
            yield f"tunnels, {junctions} junctions, up to {length} steps, {knows}", generated(product, "tunnels", *parameters), None
    for stations in (4, 6, 8):
        for knows in ("world", "plan"):
            document = generated(product, "relays", "--stations", str(stations), "--knows", knows)
            yield f"relays, {stations} stations, {knows}", document, None


def once(product, path, limit):
    """The seconds that one run takes, and what it answers."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [product, "seek", "plan", path, "--json", "--time-limit", str(limit)]
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answer = json.loads(done.stdout)
    events = answer.get("worst_case", {}).get("events")
    return seconds, answer["verdict"] + (f", {events} events" if events is not None else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--product", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=int, default=60)
    asked = parser.parse_args()
    product = os.path.abspath(asked.product)
    with tempfile.TemporaryDirectory() as folder:
        files, compared = {}, {}
        for number, (name, document, beside) in enumerate(rows(product)):
            files[name] = os.path.join(folder, f"{number}.json")
            compared[name] = beside
            with open(files[name], "w") as out:
                json.dump(document, out)
        best, said = {}, {}
        for _ in range(asked.runs):
            for name, path in files.items():
                seconds, said[name] = once(product, path, asked.limit)
                best[name] = min(best.get(name, seconds), seconds)
                print(f"{name}: {seconds:.3f} s", file=sys.stderr)
    print("| problem | answer | seconds | times the one above |")
    print("|---|---|---:|---:|")
    for name, seconds in best.items():
        ratio = f"{seconds / best[compared[name]]:.2f}" if compared[name] else ""
        print(f"| {name} | {said[name]} | {seconds:.3f} | {ratio} |")


if __name__ == "__main__":
    main()
