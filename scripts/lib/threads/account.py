"""What several threads do together, and what one of them does alone, counted: what more processors than there are would bring.

    account.py --bench PROGRAM --product divulge [--threads 2 16] [--only WORD ...]

PROGRAM is the benchmark `threads` of the library. Times are processor time of each thread, which does not depend on how many processors there are to run
them: however many threads there are, a round takes as long as its longest piece, and what one does alone comes on top of that. Writes a table in
Markdown.
"""

import argparse
import os
import re
import subprocess
import tempfile

from measure import ROWS

ASKED = {"seek plan": "plan", "seek plan --minimize cost": "cost", "audit": "audit"}


def counted(bench, threads, asked, path, values):
    """Seconds alone, of all pieces and of the longest of each round; how many rounds and pieces there were."""
    printed = subprocess.run([bench, str(threads), asked, path, *values], check=True, capture_output=True, text=True).stdout
    sums = [0.0] * 5
    for line in printed.splitlines():
        _, alone, rounds, pieces, together, longest, _ = line.split("\t")
        sums = [sum + float(more) for sum, more in zip(sums, (alone, together, longest, rounds, pieces))]
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", required=True)
    parser.add_argument("--product", required=True)
    parser.add_argument("--threads", type=int, nargs="*", default=[2, 16])
    parser.add_argument("--only", nargs="*", help="rows whose names contain one of these")
    options = parser.parse_args()
    for_each = "".join(f" {n}: alone | pieces | longest | rounds | pieces of a round | times |" for n in options.threads)
    print(f"| problem | one thread |{for_each}")
    print("|---|---:|" + "---:|---:|---:|---:|---:|---:|" * len(options.threads))
    with tempfile.TemporaryDirectory() as folder:
        for name, question, what in ROWS:
            asked, *rest = re.split(" --set | --observer ", question)
            rest = [value if "=" in value else f"observer={value}" for value in rest]
            if asked not in ASKED or (options.only and not any(word in name for word in options.only)):
                continue
            path = str(what)
            if isinstance(what, list):
                path = os.path.join(folder, "problem.json")
                subprocess.run([options.product, "generate", *what, "--out", path], check=True, stderr=subprocess.DEVNULL)
            one = min(counted(options.bench, 1, ASKED[asked], path, rest)[0] for _ in range(2))
            cells = ""
            for threads in options.threads:
                alone, together, longest, rounds, pieces = counted(options.bench, threads, ASKED[asked], path, rest)
                each = pieces / rounds if rounds else 1
                times = one / (alone + longest)
                cells += f" {alone:.2f} | {together:.2f} | {longest:.2f} | {rounds:.0f} | {each:.1f} | {times:.1f} |"
            print(f"| {name} | {one:.2f} |{cells}", flush=True)


if __name__ == "__main__":
    main()
