"""Current-state opacity as inclusion of languages, by the automata library MATA (C++; PyPI: libmata): every string of images that some
run to a secret state looks like must be one that some run to another state looks like. MATA's inclusion uses antichains.

    mata.py FILE [antichains|naive]
"""
import json
import sys
import time

import libmata.alphabets as alphabets
import libmata.nfa.nfa as nfa

from automaton import read


def machine(states, arcs, initial, final):
    a = nfa.Nfa(states)
    for i, row in enumerate(arcs.values()):
        for s, targets in enumerate(row):
            for t in targets:
                a.add_transition(s, i, t)
    a.make_initial_states(list(initial))
    a.make_final_states(list(final))
    return a


def main():
    states, arcs, initial, secret = read(sys.argv[1])
    how = sys.argv[2] if len(sys.argv) > 2 else "antichains"
    others = sorted(set(range(states)) - set(secret))
    alphabet = alphabets.IntAlphabet()
    hidden, plain = machine(states, arcs, initial, secret), machine(states, arcs, initial, others)
    began = time.process_time()
    holds = nfa.is_included(hidden, plain, alphabet, {"algorithm": how})
    if isinstance(holds, tuple):
        holds = holds[0]
    seconds = time.process_time() - began
    print(json.dumps({"verdict": "holds" if holds else "violated", "seconds": seconds}))


if __name__ == "__main__":
    main()
