"""Writes an automaton as numbers for observer.cpp.

    flatten.py FILE > automaton.txt
"""
import sys

from automaton import read

states, arcs, initial, secret = read(sys.argv[1])
print(states, len(arcs))
for row in arcs.values():
    for targets in row:
        print(len(targets), *targets)
for these in (initial, secret):
    print(len(these), *these)
