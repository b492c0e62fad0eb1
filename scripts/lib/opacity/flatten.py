"""Writes an automaton as numbers for observer.cpp and two_way.cpp: images, initial and secret states, and last what unseen events lead to.

    flatten.py FILE [--whole] > automaton.txt

With --whole the steps of time are events like any other.
"""
import sys

from automaton import read_all

states, arcs, initial, secret, unseen = read_all(sys.argv[1], "--whole" in sys.argv[2:])
print(states, len(arcs))
for row in arcs.values():
    for targets in row:
        print(len(targets), *targets)
for these in (initial, secret, *unseen):
    print(len(these), *these)
