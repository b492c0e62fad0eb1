"""Current-state opacity by published libraries for automata, which all have the determiniser that it takes.

    peers.py LIBRARY FILE

States that are not secret are made accepting. A state of the deterministic automaton is a set of states that cannot be told apart,
and accepting if one of them is: the secret is kept iff all reachable ones accept. Prints one JSON object: the verdict, and seconds of
the determinising and the look at the states, without the interpreter's start, reading, and building the library's own automaton.
With --version: the library's version. Exit status 3 if it is not installed.
"""
import importlib.metadata
import json
import os
import sys

from automaton import read, timed


def openfst(states, arcs, initial, secret):
    """OpenFst (C++) through the module that the package pynini brings along."""
    import pywrapfst as fst
    automaton = fst.VectorFst()
    one = fst.Weight.one(automaton.weight_type())
    automaton.add_states(states + 1)
    # It has one start only: a further state, which does what any of the initial ones does.
    automaton.set_start(states)
    for label, row in enumerate(arcs.values(), 1):
        for state, targets in enumerate(row):
            for to in targets:
                automaton.add_arc(state, fst.Arc(label, label, one, to))
        for to in sorted({to for state in initial for to in row[state]}):
            automaton.add_arc(states, fst.Arc(label, label, one, to))
    hidden = set(secret)
    for state in range(states):
        if state not in hidden:
            automaton.set_final(state)
    if not set(initial) <= hidden:
        automaton.set_final(states)

    def decide():
        observer = fst.determinize(automaton)
        zero = fst.Weight.zero(observer.weight_type())
        return all(observer.final(state) != zero for state in observer.states())
    return decide


def faudes(states, arcs, initial, secret):
    """libFAUDES (C++), a library for discrete-event systems, through its own module."""
    # It says on the standard output what else might be installed.
    saved = os.dup(1)
    os.dup2(2, 1)
    import faudes as lib
    os.dup2(saved, 1)
    automaton = lib.Generator()
    names = [str(state) for state in range(states)]
    for name in names:
        automaton.InsState(name)
    for label, row in enumerate(arcs.values()):
        event = "image%d" % label
        automaton.InsEvent(event)
        for state, targets in enumerate(row):
            for to in targets:
                automaton.SetTransition(names[state], event, names[to])
    for state in initial:
        automaton.SetInitState(names[state])
    hidden = set(secret)
    for state in range(states):
        if state not in hidden:
            automaton.SetMarkedState(names[state])
    automaton.StateNamesEnabled(False)

    def decide():
        observer = lib.Deterministic(automaton)
        return observer.MarkedStates().Size() == observer.Size()
    return decide


def automata_lib(states, arcs, initial, secret):
    """automata-lib (Python)."""
    from automata.fa.dfa import DFA
    from automata.fa.nfa import NFA
    symbols = ["%c" % (97 + i) for i in range(len(arcs))]
    transitions = {state: {} for state in range(states + 1)}
    for symbol, row in zip(symbols, arcs.values()):
        for state, targets in enumerate(row):
            if targets:
                transitions[state][symbol] = set(targets)
    # It has one start only, and arcs that are no event.
    transitions[states] = {"": set(initial)}
    hidden = set(secret)
    final = {state for state in range(states) if state not in hidden}
    automaton = NFA(states=set(range(states + 1)), input_symbols=set(symbols), transitions=transitions, initial_state=states,
                    final_states=final)

    def decide():
        observer = DFA.from_nfa(automaton, retain_names=True, minify=False)
        # Where no state has the image a set becomes empty, which no belief is.
        return all(state in observer.final_states or not state for state in observer.states)
    return decide


def pyformlang(states, arcs, initial, secret):
    """pyformlang (Python)."""
    from pyformlang.finite_automaton import NondeterministicFiniteAutomaton, State, Symbol
    automaton = NondeterministicFiniteAutomaton()
    for label, row in enumerate(arcs.values()):
        for state, targets in enumerate(row):
            for to in targets:
                automaton.add_transition(State(state), Symbol("image%d" % label), State(to))
    for state in initial:
        automaton.add_start_state(State(state))
    hidden = set(secret)
    for state in range(states):
        if state not in hidden:
            automaton.add_final_state(State(state))

    def decide():
        observer = automaton.to_deterministic()
        return observer.states == observer.final_states
    return decide


# What each is called in the table, its package, and what decides.
LIBRARIES = {
    "faudes": ("libFAUDES (C++)", "faudes", faudes),
    "openfst": ("OpenFst (C++)", "pynini", openfst),
    "automata-lib": ("automata-lib (Python)", "automata-lib", automata_lib),
    "pyformlang": ("pyformlang (Python)", "pyformlang", pyformlang),
}


def main():
    name, _, prepare = LIBRARIES[sys.argv[1]]
    package = LIBRARIES[sys.argv[1]][1]
    try:
        version = importlib.metadata.version(package)
        if sys.argv[2] == "--version":
            print("%s, package %s %s" % (name, package, version))
            return
        decide = prepare(*read(sys.argv[2]))
    except ImportError as missing:
        print(missing, file=sys.stderr)
        sys.exit(3)
    holds, seconds = timed(decide)
    print(json.dumps({"verdict": "holds" if holds else "violated", "seconds": seconds}))


if __name__ == "__main__":
    main()
