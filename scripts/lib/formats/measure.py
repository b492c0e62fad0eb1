#!/usr/bin/env python3
"""Measures how long files of other tools take to read: a table for docs/benchmarks.md.

    measure.py --product PROGRAM

The files are made here, as large as those that people have. Each line is one run of the whole program: processor seconds and the most memory that it had.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

GRID = """pomdp
observables x endobservables
const int N = 1000;
module robot
  x : [0..N-1] init 0;
  y : [0..N-1] init 0;
  [right] x<N-1 -> 0.9:(x'=x+1) + 0.1:(x'=x);
  [left] x>0 -> 0.9:(x'=x-1) + 0.1:(x'=x);
  [up] y<N-1 -> (y'=y+1);
  [down] y>0 -> (y'=y-1);
endmodule
label "goal" = x=N-1 & y=N-1;
"""


def modules() -> str:
    """Six counters that move one at a time: a million states, sixteen million transitions."""
    first = "module m1\n x1 : [0..9];\n [a1] x1<9 -> 0.5:(x1'=x1+1)+0.5:(x1'=0);\n [b1] x1>0 -> (x1'=x1-1);\nendmodule\n"
    others = "".join(f"module m{i} = m1 [x1=x{i}, a1=a{i}, b1=b{i}] endmodule\n" for i in range(2, 7))
    goal = " & ".join(f"x{i}=9" for i in range(1, 7))
    return f"mdp\n{first}{others}label \"goal\" = {goal};\n"


def switches() -> str:
    """Twenty switches: two to the twentieth states, twenty-one million transitions."""
    variables = "".join(f" b{i} : bool;\n" for i in range(20))
    commands = "".join(f" [f{i}] true -> (b{i}'=!b{i});\n" for i in range(20))
    goal = " & ".join(f"b{i}" for i in range(20))
    return f"pomdp\nobservables b0 endobservables\nmodule m\n{variables}{commands}endmodule\nlabel \"goal\" = {goal};\n"


def system(states: int, transitions: int) -> str:
    """A transition system at random, with internal steps."""
    chosen = random.Random(1)
    label = lambda: "i" if chosen.random() < 0.2 else f'"send_{chosen.randrange(70)}"'  # noqa: E731
    lines = [f"({chosen.randrange(states)}, {label()}, {chosen.randrange(states)})" for _ in range(transitions)]
    return "\n".join([f"des (0, {transitions}, {states})", *lines, ""])


def automaton(states: int) -> str:
    """The same as a .fsm file, four transitions a state."""
    chosen = random.Random(2)
    lines = [str(states)]
    for state in range(states):
        lines.append(f"\n{state}\t{chosen.randrange(2)}\t4")
        lines += [f"e{event}\t{chosen.randrange(states)}\tc\t{'uo' if event == 9 else 'o'}" for event in chosen.sample(range(10), 4)]
    return "\n".join([*lines, ""])


DOORS = """(define (domain doors)
  (:types pos)
  (:predicates (adj ?i ?j - pos) (at ?i - pos) (opened ?i - pos))
  (:action sense :parameters (?i ?j - pos) :precondition (and (at ?i) (adj ?i ?j)) :observe (opened ?j))
  (:action move :parameters (?i ?j - pos) :precondition (and (adj ?i ?j) (at ?i) (opened ?j)) :effect (and (not (at ?i)) (at ?j))))
"""


def doors(size: int) -> str:
    """Rows of which every second has one open door, nobody knows where."""
    cells = [(r, c) for r in range(size) for c in range(size)]
    name = "p{}-{}".format
    near = [(a, b) for a in cells for b in cells if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    init = [f"(at {name(0, size // 2)})", *(f"(adj {name(*a)} {name(*b)})" for a, b in near)]
    for row in range(size):
        row_cells = " ".join(f"(opened {name(row, c)})" for c in range(size))
        init.append(f"(oneof {row_cells})" if row % 2 else row_cells)
    objects = " ".join(name(*cell) for cell in cells)
    goal = f"(at {name(size - 1, size // 2)})"
    return f"{DOORS}(define (problem p) (:domain doors) (:objects {objects} - pos) (:init {' '.join(init)}) (:goal {goal}))\n"


WUMPUS = """(define (domain wumpus)
  (:types pos)
  (:predicates (adj ?i ?j - pos) (at ?i - pos) (safe ?i - pos) (wumpus-at ?x - pos) (pit-at ?x - pos) (alive)
               (stench ?i - pos) (breeze ?i - pos) (gold-at ?i - pos) (got-the-treasure))
  (:action move :parameters (?i ?j - pos) :precondition (and (adj ?i ?j) (at ?i) (alive))
    :effect (and (not (at ?i)) (at ?j) (when (not (safe ?j)) (not (alive)))))
  (:action smell :parameters (?i - pos) :precondition (and (alive) (at ?i)) :observe (stench ?i))
  (:action feel :parameters (?i - pos) :precondition (and (alive) (at ?i)) :observe (breeze ?i))
  (:action grab :parameters (?i - pos) :precondition (and (at ?i) (gold-at ?i) (alive)) :effect (and (got-the-treasure) (not (gold-at ?i)))))
"""


def wumpus(size: int) -> str:
    """Along the diagonal one of two cells is safe; in the other is a wumpus, a pit or both, which smells and blows nearby."""
    cells = [(i, j) for i in range(1, size + 1) for j in range(1, size + 1)]
    name = "p{}-{}".format
    near = lambda a, b: abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1  # noqa: E731
    pairs = [((k, k + 1), (k + 1, k)) for k in range(2, size)]
    doubtful = [cell for pair in pairs for cell in pair]
    init = ["(at p1-1)", "(alive)", f"(gold-at {name(size, size)})"]
    init += [f"(adj {name(*a)} {name(*b)})" for a in cells for b in cells if near(a, b)]
    init += [f"(safe {name(*cell)})" for cell in cells if cell not in doubtful]
    init += [f"(oneof (safe {name(*a)}) (safe {name(*b)}))" for a, b in pairs]
    for cell in map(lambda cell: name(*cell), doubtful):
        init += [f"(or (not (safe {cell})) (not ({what} {cell})))" for what in ("wumpus-at", "pit-at")]
        init.append(f"(or (safe {cell}) (wumpus-at {cell}) (pit-at {cell}))")
    for sign, what in (("stench", "wumpus-at"), ("breeze", "pit-at")):
        for cell in cells:
            causes = [f"({what} {name(*other)})" for other in doubtful if near(cell, other)]
            if causes:
                init.append(f"(or (not ({sign} {name(*cell)})) {' '.join(causes)})")
                init += [f"(or ({sign} {name(*cell)}) (not {cause}))" for cause in causes]
    objects = " ".join(name(*cell) for cell in cells)
    return f"{WUMPUS}(define (problem p) (:domain wumpus) (:objects {objects} - pos) (:init {' '.join(init)}) (:goal (and (got-the-treasure) (alive))))\n"


def run(words: list) -> tuple:
    """What the program says, its processor seconds and its megabytes."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(words, stdout=out, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return out.read().decode(), err.read().decode(), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def answer(out: str, err: str) -> str:
    """The answer in a few words."""
    if not out.strip():
        return err.splitlines()[0].split("]: ")[-1] if err else "nothing"
    said = json.loads(out)
    source = said.get("source")
    if source:
        return f"{source['states']:,} states, {source['transitions']:,} transitions"
    worst = said.get("worst_case")
    return f"{said['verdict']}, {worst['cost']} actions" if worst else said["verdict"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--product", required=True)
    program = parser.parse_args().product
    secret = ["--secret", "state in {3, 5, 8}", "--opacity", "current"]
    table = [
        ("grid.prism", GRID, "info", ["info"]),
        ("grid.prism", GRID, "seek plan", ["seek", "plan"]),
        ("grid.prism", GRID, "audit", ["audit", "--secret", "y = 999", "--opacity", "current"]),
        ("modules.prism", modules(), "info", ["info"]),
        ("modules.prism", modules(), "seek plan", ["seek", "plan"]),
        ("modules.prism", modules(), "audit", ["audit", "--secret", "x1 = 9 & x2 = 9", "--opacity", "current"]),
        ("switches.prism", switches(), "info", ["info"]),
        ("switches.prism", switches(), "seek plan", ["seek", "plan"]),
        ("system.aut", system(25_217, 25_216), "info", ["info"]),
        ("system.aut", system(25_217, 25_216), "audit", ["audit", *secret]),
        ("automaton.fsm", automaton(25_000), "info", ["info"]),
        ("automaton.fsm", automaton(25_000), "audit", ["audit", *secret]),
        ("doors5.pddl", doors(5), "seek plan", ["seek", "plan"]),
        ("doors7.pddl", doors(7), "seek plan", ["seek", "plan"]),
        ("doors15.pddl", doors(15), "seek plan", ["seek", "plan"]),
        ("wumpus05.pddl", wumpus(5), "seek plan", ["seek", "plan"]),
        ("wumpus07.pddl", wumpus(7), "info", ["info"]),
        ("wumpus10.pddl", wumpus(10), "seek plan", ["seek", "plan"]),
    ]
    print("| file | bytes | question | answer | seconds | MB |")
    print("|---|---:|---|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, text, question, words in table:
            path = Path(folder, name)
            path.write_text(text)
            command = [program, *words[: 2 if words[0] == "seek" else 1], str(path), *words[2 if words[0] == "seek" else 1 :]]
            out, err, seconds, memory = run([*command, "--json", "--quiet", "--time-limit", "600"])
            print(f"| `{name}` | {len(text):,} | `{question}` | {answer(out, err)} | {seconds:.2f} | {memory:.0f} |")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
