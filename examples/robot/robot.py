"""A robot that does as the guard tells it: python3 robot.py RUN.json [left|right]

It starts `divulge guard` (or $DIVULGE), says what it does and observes, and stops when it is told to.
"""

import json
import os
import subprocess
import sys

problem, letter = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "left"
options = ["--journal", "run.journal", "--to", "neighbour=neighbour.jsonl", "--heartbeat", "10s"]
guard = subprocess.Popen(
    [os.environ.get("DIVULGE", "divulge"), "guard", problem, *options],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    universal_newlines=True,
)


def say(line):
    guard.stdin.write(json.dumps(line) + "\n")
    guard.stdin.flush()


def act(action):
    print("the robot does", action)  # move the motors here
    return "quiet"  # read the sensors here


for line in map(json.loads, guard.stdout):
    if "guard" in line:
        if line["events"] == 0:
            say({"event": letter})  # what it observes first
    elif line.get("do") == []:
        say({"end": True})
    elif "do" in line:
        action = line["do"][0]
        observed = act(action)
        say({"event": action})
        say({"event": observed})
    else:  # held, or ended as planned
        print("the guard says", line)
sys.exit(guard.wait())
