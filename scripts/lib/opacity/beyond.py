"""Random automata of 1,000 states with a third of their events unseen, and in hindsight, audited by divulge and by two_way.cpp, as two Markdown tables.

    beyond.py --product PROGRAM [--search BENCH] [--observer PROGRAM] [--limit SECONDS]

PROGRAM is divulge; BENCH the benchmark `growth`, which measures its search alone (without it, its seconds are those of whole processes, the best
of five); --observer the compiled two_way.cpp, which has sixty times as long as divulge took, and at least a second. Seconds are processor time; those of
searches and of two_way.cpp leave out reading.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

from measure import HERE, LETTERS, ROWS, run

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

    def divulge(self, doc):
        """What divulge says and the seconds of its search; no seconds if that takes too long."""
        with open(self.document, "w") as f:
            json.dump(doc, f)
        if self.args.search:
            line, _ = run([self.args.search, "--document", self.document, "audit"], self.args.limit)
            cells = (line or "").strip().split("\t")
            return (cells[0], float(cells[4])) if line else ("unknown", None)
        command = [self.args.product, "audit", self.document, "--json"]
        out, least = run(command, self.args.limit)
        if not out:
            return "unknown", None
        said = json.loads(out)
        after = " after %d" % len(said["execution"]) if "execution" in said else ""
        return said["verdict"] + after, min([least] + [run(command, 4 * self.args.limit)[1] for _ in range(4)])

    def observer(self, within, verdict, seconds, whole=False):
        """Seconds of the two-way observer as text, and how many times those of divulge that is."""
        if not self.args.observer:
            return "", ""
        with open(self.flat, "w") as f:
            command = [sys.executable, os.path.join(HERE, "flatten.py"), self.document] + (["--whole"] if whole else [])
            subprocess.run(command, stdout=f, check=True)
        limit = self.args.limit if seconds is None else int(60 * seconds) + 1
        with open(self.flat) as f:
            out, _ = run([self.args.observer, "infinite" if within is EVER else str(within)], limit, f)
        if not out:
            return "> %d" % limit, "> %d" % (limit / seconds) if seconds else ""
        said = json.loads(out)
        if seconds and said["verdict"] != verdict.split()[0]:
            sys.exit("two_way.cpp says %s, divulge says %s" % (said["verdict"], verdict))
        return "%.6f" % said["seconds"], times(said["seconds"] / seconds) if seconds else ""


def times(ratio):
    return "%.0f" % ratio if ratio >= 10 else "%.2g" % ratio


def shown(seconds, limit):
    return "> %d" % limit if seconds is None else "%.6f" % seconds


def unseen(doc, measured, limit):
    """One row of the first table: nothing unseen, then a third with the steps of time unseen too, then with these seen."""
    _, plain = measured.divulge(variant(doc, NOW, False, True))
    cells = [shown(plain, limit)]
    for steps_seen in (False, True):
        verdict, seconds = measured.divulge(variant(doc, NOW, True, steps_seen))
        ratio = times(seconds / plain) if seconds else ""
        cells += [verdict, shown(seconds, limit), ratio, measured.observer(NOW, verdict, seconds, whole=steps_seen)[0]]
    return cells


def hindsight(doc, measured, limit):
    """One row of the second table: within five events, and ever."""
    cells = []
    for within in (FIVE, EVER):
        verdict, seconds = measured.divulge(variant(doc, within, False, False))
        cells += [verdict, shown(seconds, limit), *measured.observer(within, verdict, seconds)]
    return cells


# For each table, its columns; numbers are set to the right.
TABLES = {
    unseen: ["none unseen:", "a third unseen", "seconds:", "times:", "C++:", "time seen", "seconds:", "times:", "C++:"],
    hindsight: ["K = 5", "seconds:", "C++:", "times:", "infinite", "seconds:", "C++:", "times:"],
}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--product", required=True)
    ap.add_argument("--search")
    ap.add_argument("--observer")
    ap.add_argument("--limit", type=int, default=5)
    args = ap.parse_args()
    for table, columns in TABLES.items():
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
