"""Reads a document that `divulge generate automaton` wrote as the automaton it was made from: states, images, arcs.

The steps of time between the events, which an observer sees and which say nothing, are contracted, so that other programs get
half as many states and half as long strings as divulge itself.
"""
import json
import time


def timed(decide):
    """What `decide` says and the processor seconds it takes: short ones are made many times, or the clock is too coarse for them."""
    began, runs, seconds = time.process_time(), 0, 0
    while not runs or seconds < 0.2:
        said, runs, seconds = decide(), runs + 1, time.process_time() - began
    return said, seconds / runs


def read(path):
    """(number of states, arcs as {image: [sorted targets of state 0, of state 1, ...]}, initial, secret), where every event is seen."""
    states, arcs, initial, secret, unseen = read_all(path)
    if any(unseen):
        raise ValueError("some events are unseen")
    return states, arcs, initial, secret


def read_all(path, whole=False):
    """The same, and the sorted targets of the events of each state that are not seen; with `whole`, nothing is contracted."""
    with open(path) as f:
        doc = json.load(f)
    world, image = doc["world"], doc["observers"][0]["map"]
    vertices = world["vertices"]
    names = [v for v, about in vertices.items() if whole or about["kind"] == "action"]
    number = {v: i for i, v in enumerate(names)}
    entered = number if whole else {e["from"]: number[e["to"]] for e in world["edges"] if e["labels"] == ["time"]}
    arcs, unseen = {}, [set() for _ in names]
    for e in world["edges"]:
        for label in e["labels"]:
            if whole or label != "time":
                row = unseen if image[label] is None else arcs.setdefault(image[label], [set() for _ in names])
                row[number[e["from"]]].add(entered[e["to"]])
    arcs = {x: [sorted(targets) for targets in row] for x, row in sorted(arcs.items())}
    initial = sorted(number[v] for v in world["initial"])
    secret = sorted(number[v] for v in names if vertices[v]["props"]["secret"])
    return len(names), arcs, initial, secret, [sorted(targets) for targets in unseen]
