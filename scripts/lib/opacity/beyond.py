"""Random automata of 1,000 states with a third of their events unseen, and in hindsight, audited by divulge and by two_way.cpp, as two Markdown tables.

    beyond.py --product PROGRAM [--search BENCH] [--observer PROGRAM] [--limit SECONDS]

PROGRAM is divulge; BENCH the benchmark `growth`, which measures its search alone (without it, that is what a process takes longer than one that is asked for
nothing, the best of fifteen each); --observer the compiled two_way.cpp, which has sixty times as long as
divulge took, and at least a second. Seconds are processor time on one thread. Those of the first table are of divulge's whole processes, the best of five, and of
the search of two_way.cpp; the second table has both for both. In the second table, two_way.cpp is asked for a shortest violation, as divulge is; the search for any is in
parentheses beside it where they differ by more than a half.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

from measure import HERE, LETTERS, ROWS, run

# Differences of processes that are smaller than this say nothing.
COARSE = 0.001

# What is asked: how many images later the secret must still be kept, or nothing for ever.
NOW, FIVE, EVER = 0, 5, None


def third(events):
    """The last third of the events, at least one."""
    return events[-max(1, round(len(events) / 3)):]


def variant(doc, within, hide, steps_seen):
    """The document with another question, some events unseen, and the steps of time seen or not."""
    doc = json.loads(doc)
    observer = doc["observers"][0]
    events = [label for label in observer["map"] if label != "time"]
    observer["map"].update({label: None for label in (third(events) if hide else [])})
    if not steps_seen:
        observer["map"]["time"] = None
    if within != NOW:
        scope = {"scope": "hindsight"} if within is EVER else {"scope": "hindsight", "within": within}
        observer["stipulations"] = [dict(stipulation, **scope) for stipulation in observer["stipulations"]]
    return doc


class Measured:
    """Documents measured one by one."""

    def __init__(self, args, folder):
        self.args, self.document, self.flat = args, os.path.join(folder, "automaton.json"), os.path.join(folder, "automaton.txt")

    def take(self, doc, whole=False):
        """Has another document measured from now on."""
        with open(self.document, "w") as f:
            json.dump(doc, f)
        if self.args.observer:
            with open(self.flat, "w") as f:
                command = [sys.executable, os.path.join(HERE, "flatten.py"), self.document] + (["--whole"] if whole else [])
                subprocess.run(command, stdout=f, check=True)

    def command(self, path):
        return [self.args.product, "audit", path, "--json", "--threads", "1"]

    def divulge(self):
        """What divulge says and the seconds of its process; no seconds if that takes too long."""
        command = self.command(self.document)
        out, least = run(command, self.args.limit)
        if not out:
            return "unknown", None
        said = json.loads(out)
        after = " after %d" % len(said["execution"]) if "execution" in said else ""
        return said["verdict"] + after, min([least] + [run(command, 4 * self.args.limit)[1] for _ in range(4)])

    def search(self, verdict):
        """The seconds of divulge's search: without BENCH, what its process takes longer than one that is asked for nothing."""
        if not self.args.search:
            with open(self.document) as f:
                doc = json.load(f)
            for stipulation in doc["observers"][0]["stipulations"]:
                stipulation["formula"] = "true"
            with open(self.document + ".read", "w") as f:
                json.dump(doc, f)
            least = [min(run(self.command(path), 60)[1] for _ in range(15)) for path in (self.document, self.document + ".read")]
            return max(least[0] - least[1], COARSE)
        line, _ = run([self.args.search, "--document", self.document, "audit"], 4 * self.args.limit)
        cells = line.strip().split("\t")
        if cells[0] != verdict:
            sys.exit("the search says %s, the program says %s" % (cells[0], verdict))
        return float(cells[4])

    def observer(self, within, verdict, seconds, *more):
        """Seconds of the two-way observer's search and process; the limit, and nothing, if it takes too long."""
        limit = self.args.limit if seconds is None else int(60 * seconds) + 1
        command = [self.args.observer, "infinite" if within is EVER else str(within), *more]
        with open(self.flat) as f:
            out, _ = run(command, limit, f)
        if not out:
            return limit, None
        said = json.loads(out)
        if seconds and said["verdict"] != verdict.split()[0]:
            sys.exit("two_way.cpp says %s, divulge says %s" % (said["verdict"], verdict))
        return said["seconds"], min(self.process(command, limit) for _ in range(3))

    def process(self, command, limit):
        with open(self.flat) as f:
            return run(command + ["once"], 2 * limit + 2, f)[1]


def compared(own, limited, theirs):
    """Their seconds, and how many times ours that is, as text."""
    return ["> %d" % limited, "> " + times(limited / own)] if theirs is None else ["%.6f" % theirs, times(theirs / own)]


def times(ratio):
    return "%.0f" % ratio if ratio >= 10 else "%.2g" % ratio


def shown(seconds, limit):
    return "> %d" % limit if seconds is None else "%.6f" % seconds


def unseen(doc, measured, limit):
    """One row of the first table: nothing unseen, then a third with the steps of time unseen too, then with these seen."""
    measured.take(variant(doc, NOW, False, True))
    _, plain = measured.divulge()
    cells = [shown(plain, limit)]
    for steps_seen in (False, True):
        measured.take(variant(doc, NOW, True, steps_seen), whole=steps_seen)
        verdict, seconds = measured.divulge()
        cells += [verdict, shown(seconds, limit), times(seconds / plain) if seconds else ""]
        if measured.args.observer:
            search, process = measured.observer(NOW, verdict, seconds)
            cells.append("%.6f" % search if process else "> %d" % search)
    return cells


def hindsight(doc, measured, limit):
    """One row of the second table: within five events, and ever; whole processes, then searches."""
    cells = []
    for within in (FIVE, EVER):
        measured.take(variant(doc, within, False, False))
        verdict, seconds = measured.divulge()
        search, process = measured.observer(within, verdict, seconds, "shortest")
        anyhow, ended = measured.observer(within, verdict, seconds)
        own = measured.search(verdict)
        cells += [verdict, shown(seconds, limit), *compared(seconds, search, process)]
        searches = ["%.6f" % own, *compared(own, search, process and search)]
        if own == COARSE:
            searches = ["< %.3f" % own, searches[1], "> " + searches[2].lstrip("> ")]
        if ended and anyhow < search / 1.5:
            searches[1] += " (%.6f)" % anyhow
        cells += searches
    return cells


# For each table, its columns; numbers are set to the right.
TABLES = {
    unseen: ["none unseen:", "a third unseen", "seconds:", "times:", "C++:", "time seen", "seconds:", "times:", "C++:"],
    hindsight: ["K = 5", "process:", "C++:", "times:", "search:", "C++:", "times:", "infinite", "process:", "C++:", "times:", "search:", "C++:", "times:"],
}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--product", required=True)
    ap.add_argument("--search")
    ap.add_argument("--observer")
    ap.add_argument("--limit", type=int, default=5)
    ap.add_argument("--only", choices=[table.__name__ for table in TABLES])
    args = ap.parse_args()
    for table, columns in TABLES.items():
        if args.only not in (None, table.__name__) or (table is hindsight and not args.observer):
            continue
        columns = [name + ":" for name in LETTERS[:5]] + columns
        print("\n| " + " | ".join(name.rstrip(":") for name in columns) + " |")
        print("|" + "".join("---:|" if name.endswith(":") else "---|" for name in columns), flush=True)
        for row in ROWS:
            options = [word for name, value in zip(LETTERS, row) for word in ("--" + name, str(value))]
            made = [args.product, "generate", "automaton", "--states", "1000"] + options
            doc = subprocess.run(made, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
            with tempfile.TemporaryDirectory() as folder:
                cells = table(doc, Measured(args, folder), args.limit)
            print("| %s | %s |" % (" | ".join(map(str, row[:5])), " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
