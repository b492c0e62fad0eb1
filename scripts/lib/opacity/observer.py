"""Current-state opacity as the literature has it, in plain Python: build the observer automaton (sets of states, from the initial set
on, one set for each image) and look for a reachable state of it that is not empty and all secret.

    observer.py FILE

Prints one JSON object: the verdict, the observer's states, and seconds without the interpreter's start and reading.
"""
import json
import sys
from collections import deque

from automaton import read, timed


def opaque(arcs, initial, secret):
    start, secret = frozenset(initial), frozenset(secret)
    if start <= secret:
        return False, 1
    seen, queue = {start}, deque([start])
    while queue:
        belief = queue.popleft()
        for row in arcs.values():
            after = frozenset(t for s in belief for t in row[s])
            if after and after not in seen:
                if after <= secret:
                    return False, len(seen)
                seen.add(after)
                queue.append(after)
    return True, len(seen)


def main():
    _, arcs, initial, secret = read(sys.argv[1])
    (holds, states), seconds = timed(lambda: opaque(arcs, initial, secret))
    print(json.dumps({"verdict": "holds" if holds else "violated", "seconds": seconds, "states": states}))


if __name__ == "__main__":
    main()
