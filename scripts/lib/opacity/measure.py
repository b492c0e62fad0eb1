"""Random automata of 1,000 states, audited by divulge and by whatever else there is, as one Markdown table.

    measure.py --product PROGRAM [--search BENCH] [--observer PROGRAM] [--peers PYTHON] [--limit SECONDS]

PROGRAM is divulge; BENCH the benchmark `growth`, which measures its search alone; --observer the compiled observer.cpp; --peers an
interpreter in which some of the packages that peers.py uses are installed. Seconds are processor time. Those of the others leave
out reading and the interpreter's start; divulge's are given both ways.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

from peers import LIBRARIES

HERE = os.path.dirname(os.path.abspath(__file__))
# Events, images, arcs in hundredths, secret states, initial states, number.
ROWS = [
    (2, 1, 100, 10, 1, 1), (4, 2, 100, 20, 1, 1), (4, 2, 100, 200, 1, 2), (5, 2, 100, 100, 1, 3), (6, 3, 100, 50, 1, 1),
    (10, 5, 100, 100, 1, 1), (4, 2, 150, 100, 1, 1), (6, 3, 90, 50, 1, 1), (3, 2, 100, 20, 10, 4), (2, 2, 130, 10, 1000, 1),
    (5, 3, 100, 50, 1000, 1), (6, 3, 90, 500, 1000, 1), (3, 2, 100, 5, 1, 1), (5, 3, 100, 20, 1, 1), (6, 3, 50, 100, 1, 1),
    (8, 6, 50, 50, 1000, 1),
]
LETTERS = ("events", "images", "arcs", "secrets", "starts", "seed")


def run(command, limit, stdin=None):
    """What it prints, and the processor seconds of the whole process; nothing if it takes longer than the limit."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    r = subprocess.run(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, preexec_fn=bound)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if r.returncode < 0:
        return None, None
    return r.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(command, limit, times):
    runs = [run(command, limit) for _ in range(times)]
    return runs[0][0], min(seconds for _, seconds in runs)


def cell(command, limit, verdict, stdin=None):
    out, _ = run(command, limit, stdin)
    if out is None:
        return "> %d" % limit
    said = json.loads(out)
    if said["verdict"] != verdict:
        sys.exit("%s says %s, divulge says %s" % (command, said["verdict"], verdict))
    return "%.6f" % said["seconds"] if said["seconds"] < 1 else "%.3f" % said["seconds"]


def libraries(python):
    """The libraries of peers.py that this interpreter has, as {name: what it is called}."""
    script = os.path.join(HERE, "peers.py")
    found = {}
    for name, (called, package, _) in LIBRARIES.items():
        r = subprocess.run([python, script, name, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True)
        if r.returncode == 0:
            found[name] = called
            print(r.stdout.strip(), file=sys.stderr)
        else:
            print("%s left out: the package %s is not installed" % (called, package), file=sys.stderr)
    return found


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--product", required=True)
    ap.add_argument("--search")
    ap.add_argument("--observer")
    ap.add_argument("--peers")
    ap.add_argument("--limit", type=int, default=20)
    args = ap.parse_args()
    peers = libraries(args.peers) if args.peers else {}
    columns = ["divulge, whole process"] + (["divulge, search"] if args.search else [])
    columns += (["C++, bits", "C++, lists"] if args.observer else []) + ["Python"] + list(peers.values())
    print("| " + " | ".join(LETTERS[:5]) + " | answer | " + " | ".join(columns) + " |")
    print("|" + "---:|" * 5 + "---|" + "---:|" * len(columns), flush=True)
    for row in ROWS:
        with tempfile.TemporaryDirectory() as folder:
            document, flat = os.path.join(folder, "automaton.json"), os.path.join(folder, "automaton.txt")
            options = [word for name, value in zip(LETTERS, row) for word in ("--" + name, str(value))]
            subprocess.run([args.product, "generate", "automaton", "--states", "1000", "-o", document] + options, check=True)
            out, seconds = best([args.product, "audit", document, "--json"], args.limit, 5)
            said = json.loads(out)
            verdict = said["verdict"]
            cells = ["%.4f" % seconds]
            if args.search:
                line, _ = run([args.search, "--row", "audit", "1000"] + [str(n) for n in row], 4 * args.limit)
                cells.append("%.6f" % float(line.strip().split("\t")[4]))
            if args.observer:
                with open(flat, "w") as f:
                    subprocess.run([sys.executable, os.path.join(HERE, "flatten.py"), document], stdout=f, check=True)
                for how in ("bits", "sets"):
                    with open(flat) as f:
                        cells.append(cell([args.observer, how], args.limit, verdict, f))
            cells.append(cell([sys.executable, os.path.join(HERE, "observer.py"), document], args.limit, verdict))
            for name in peers:
                cells.append(cell([args.peers, os.path.join(HERE, "peers.py"), name, document], args.limit, verdict))
        answer = "holds" if verdict == "holds" else "violated after %d" % ((len(said["execution"]) + 1) // 2)
        print("| %s | %s | %s |" % (" | ".join(map(str, row[:5])), answer, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
