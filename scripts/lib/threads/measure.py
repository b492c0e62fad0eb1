"""How much sooner two threads answer than one.

    measure.py --product divulge [--runs 3] [--threads 2] [--only WORD ...]

Writes a table in Markdown: seconds by the clock of whole processes with one thread and with more, the least of several runs that take
turns, and the processor seconds of both. Answers are compared byte by byte. On a machine that does anything else the figures say nothing.
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

RING = pathlib.Path(__file__).with_name("ring_hospital.divulge")

# What is asked of which problem: name, question, parameters of `generate` or a model.
ROWS = [
    ("nuclear 200 × 202", "seek plan", ["nuclear", "--rows", "200", "--cols", "202"]),
    ("nuclear 200 × 200", "seek plan", ["nuclear", "--rows", "200", "--cols", "200"]),
    ("nuclear 300 × 302", "seek plan", ["nuclear", "--rows", "300", "--cols", "302"]),
    ("nuclear 140 × 142, least cost", "seek plan --minimize cost", ["nuclear", "--rows", "140", "--cols", "142"]),
    ("nuclear 100 × 102, goal-directed", "seek plan", ["nuclear", "--rows", "100", "--cols", "102", "--knows", "goal-directed"]),
    ("nuclear 200 × 202, goal-directed", "seek plan", ["nuclear", "--rows", "200", "--cols", "202", "--knows", "goal-directed"]),
    ("nuclear 60 × 62, plan divulged", "seek plan", ["nuclear", "--rows", "60", "--cols", "62", "--knows", "plan"]),
    ("nuclear 120 × 122, plan divulged", "seek plan", ["nuclear", "--rows", "120", "--cols", "122", "--knows", "plan"]),
    ("keypad 320 × 40", "seek plan", ["keypad", "--digits", "320", "--places", "40"]),
    ("rooms 140 × 3 × 2", "seek plan", ["rooms", "--rooms", "140", "--doors", "3", "--colours", "2", "--seed", "2"]),
    ("rooms 200 × 3 × 2", "seek plan", ["rooms", "--rooms", "200", "--doors", "3", "--colours", "2", "--seed", "1"]),
    ("rooms 300 × 3 × 2", "seek plan", ["rooms", "--rooms", "300", "--doors", "3", "--colours", "2", "--seed", "5"]),
    ("corridor 6400", "seek plan", ["corridor", "6400"]),
    ("ice 32 × 32", "seek plan", ["ice", "--rows", "32", "--cols", "32"]),
    ("ice 40 × 40", "seek plan", ["ice", "--rows", "40", "--cols", "40"]),
    ("wards, 120 rooms, 8 visitors", "seek plan", ["wards", "--rooms", "120", "--visitors", "8"]),
    ("wards, 16 rooms, one knows the plan", "seek plan", ["wards", "--rooms", "16", "--knows", "plan"]),
    ("relays, 8 stations, plan divulged", "seek plan", ["relays", "--stations", "8", "--knows", "plan"]),
    ("relays, 10 stations", "seek plan", ["relays", "--stations", "10"]),
    ("ring hospital 48/16, plan divulged", "seek plan --set n=48 --set k=16", RING),
    ("ring hospital 96/32, plan divulged", "seek plan --set n=96 --set k=32", RING),
    ("ring hospital 48/16, strangers", "seek plan --set n=48 --set k=16 --observer strangers", RING),
    ("ring hospital 48/16, plan divulged", "seek both --any-map --set n=48 --set k=16", RING),
    ("ring hospital 12/4, strangers", "seek both --any-map --observer strangers", RING),
    ("nuclear 3 × 4, plan divulged", "seek maps", ["nuclear", "--rows", "3", "--cols", "4", "--merge", "sought", "--knows", "plan"]),
    ("nuclear 3 × 4, world", "seek maps", ["nuclear", "--rows", "3", "--cols", "4", "--merge", "sought"]),
    ("nuclear 4 × 5, plan divulged", "seek maps", ["nuclear", "--rows", "4", "--cols", "5", "--merge", "sought", "--knows", "plan"]),
    ("nuclear 4 × 5, goal-directed", "seek maps", ["nuclear", "--rows", "4", "--cols", "5", "--merge", "sought", "--knows", "goal-directed"]),
    ("nuclear 20 × 20, world", "seek both", ["nuclear", "--rows", "20", "--cols", "20", "--merge", "sought"]),
    ("automaton of 20,000 states", "audit", ["automaton", "--states", "20000", "--events", "2", "--images", "2", "--arcs", "130", "--secrets", "200", "--starts", "20000", "--seed", "1"]),
    ("automaton of 100,000 states", "audit", ["automaton", "--states", "100000", "--events", "6", "--images", "3", "--arcs", "90", "--secrets", "50000", "--starts", "100000", "--seed", "1"]),
]


def once(product, question, path, threads, limit):
    """Seconds by the clock, processor seconds, megabytes, and what was printed."""
    command = [product, *question.split(), path, "--json", "--threads", str(threads), "--time-limit", str(limit)]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    printed = process.stdout.read()
    process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, printed


def measure(product, question, path, options):
    """The best of each number of threads, in turns; and whether all printed the same."""
    best = {}
    answers = set()
    for _ in range(options.runs):
        for threads in (1, options.threads):
            clock, processor, printed = once(product, question, path, threads, options.limit)
            answers.add(printed)
            best[threads] = min(best.get(threads, (clock, processor)), (clock, processor))
    return best[1], best[options.threads], answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--product", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--only", nargs="*", help="rows whose names contain one of these")
    options = parser.parse_args()
    print(f"| problem | question | answer | one thread | {options.threads} threads | times | processor seconds, one | {options.threads} |")
    print("|---|---|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, question, what in ROWS:
            if options.only and not any(word in name + " " + question for word in options.only):
                continue
            path = str(what)
            if isinstance(what, list):
                path = os.path.join(folder, "problem.json")
                subprocess.run([options.product, "generate", *what, "--out", path], check=True, stderr=subprocess.DEVNULL)
            one, more, answers = measure(options.product, question, path, options)
            if len(answers) > 1:
                sys.exit(f"{name}: answers differ with the number of threads")
            verdict = min(answers).split(b'"verdict":')[1].split(b'"')[1].decode()
            asked = question.split(" --set")[0].split(" --observer")[0]
            print(f"| {name} | `{asked}` | {verdict} | {one[0]:.2f} | {more[0]:.2f} | {one[0] / more[0]:.2f} | {one[1]:.2f} | {more[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
