"""How long an editor waits for `divulge lsp`: from a key to the diagnostics, and for other answers while a question runs.

Usage: measure.py PROGRAM, which prints a table. A real client and a real server, over pipes.
"""

import json
import subprocess
import sys
import time

URI = "untitled:model.divulge"
KEYS = 60


class Client:
    def __init__(self, program):
        self.server = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.version = self.id = 0
        self.answer(self.ask("initialize", {"capabilities": {}}))
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        return self.id

    def until(self, wanted):
        while True:
            length = 0
            while (line := self.server.stdout.readline().strip()) or not length:
                if line.lower().startswith(b"content-length"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.server.stdout.read(length))
            if wanted(message):
                return message

    def answer(self, number):
        return self.until(lambda m: m.get("id") == number and "method" not in m)

    def open(self, text):
        document = {"uri": URI, "languageId": "divulge", "version": 0, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        self.told()

    def told(self):
        """Waits for the diagnostics of the text as it is now."""
        told = "textDocument/publishDiagnostics"
        self.until(lambda m: m.get("method") == told and m["params"].get("version") == self.version)

    def key(self, line, erase, text):
        self.version += 1
        place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": erase}}
        document = {"uri": URI, "version": self.version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"range": place, "text": text}]})

    def close(self):
        self.answer(self.ask("shutdown", None))
        self.notify("exit", None)
        self.server.wait(20)


def long():
    """Some 2,000 lines: many actions, observations, definitions and stipulations, a long plan."""
    lines = ["world {", "  x: 0..30 = 0", "  y: 0..30 = 0", "  who: {ann, bob}"]
    lines += [f"  action a{i} when x < 30 & near(x, y, {i}) {{ x := x + 1 }}" for i in range(600)]
    lines += ["  observe {"] + [f"    o{i} when x = {i % 30} & y = {i // 30}" for i in range(300)]
    lines += ["    quiet otherwise", "  }", "  goal x = 30", "}", "", "def near(p, q, n) = abs(p - q) <= n | p > n"]
    lines += [f"def d{i}(p) = near(p, x, {i}) & y < {i}" for i in range(400)]
    lines += ["", "observer spy {", "  knows world", "  sees others as themselves"]
    lines += [f"  stipulate s{i}: !knows(who = ann & d{i}(x))" for i in range(200)] + ["}", "", "plan {", "  a0"]
    lines += [f"  if o{i % 300} {{ a{i} }} else {{ a0 }}" for i in range(480)] + ["}"]
    return "\n".join(lines) + "\n"


def large(values):
    """A short model with a large world: two variables of so many values."""
    rules = [f"  {v}: 0..{values - 1} = 0\n  action {v}_up when {v} < {values - 1} {{ {v} := {v} + 1 }}" for v in "ab"]
    observe = f"  observe {{ far when a = {values - 1}; near otherwise }}\n  goal a = {values - 1}\n"
    observer = "observer spy { knows world; sees others as themselves; stipulate s: !knows(b = 1) }\n"
    return "world {\n" + "\n".join(rules) + "\n" + observe + "}\n\n" + observer


def typing(program, text):
    """A mistake and its removal in turns, at the beginning, in the middle and at the end."""
    client = Client(program)
    client.open(text)
    lines = text.count("\n")
    times = []
    for turn in range(KEYS):
        line = [0, lines // 2, lines - 1][turn // 2 % 3]
        begin = time.perf_counter()
        client.key(line, turn % 2, "" if turn % 2 else "\u00e9")
        client.told()
        times.append(time.perf_counter() - begin)
    client.close()
    return times


def asking(program, text):
    """What may be written somewhere, and what a name means, while a plan is sought that takes long."""
    client = Client(program)
    client.open(text)
    argument = {"uri": URI, "of": "observer", "name": "spy", "ask": "plan"}
    client.ask("workspace/executeCommand", {"command": "divulge.ask", "arguments": [argument]})
    time.sleep(1)
    times = []
    for turn in range(KEYS):
        method = ["completion", "hover"][turn % 2]
        begin = time.perf_counter()
        place = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 2}}
        client.answer(client.ask(f"textDocument/{method}", place))
        times.append(time.perf_counter() - begin)
    client.close()
    return times


def row(what, times):
    times = sorted(times)
    best, median, late = times[0], times[len(times) // 2], times[len(times) * 9 // 10]
    print(f"| {what} | {best * 1e3:.1f} | {median * 1e3:.1f} | {late * 1e3:.1f} |", flush=True)


def main():
    program = sys.argv[1]
    print("| | best, ms | median, ms | nine of ten within, ms |\n|---|---|---|---|")
    text = long()
    row(f"a key to its diagnostics, {text.count(chr(10)):,} lines", typing(program, text))
    row("a key to its diagnostics, a world of 490,000 states", typing(program, large(700)))
    row("completion and hover while a plan is sought in a world of 100 million states", asking(program, large(10_000)))


main()
