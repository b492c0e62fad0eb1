"""Files of other tools: automata, PRISM models and planning problems, read as models that say ``world from``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Union

from . import _divulge
from ._text import scalar

if TYPE_CHECKING:
    from .world import World

#: how files end that are certainly of divulge's own
OWN = (".divulge", ".json")
#: formats whose files have events, and no observations
AUTOMATA = ("fsm", "gen", "aut")

Path = Union[str, "os.PathLike[str]"]


def is_foreign(path: Path, *given: Any) -> bool:
    """Whether a file is one of another tool: by its name or content, or because something is said that only such files leave open."""
    if any(one is not None for one in given):
        return True
    return not os.fspath(path).lower().endswith(OWN) and _divulge.recognised(os.fspath(path)) is not None


def is_automaton(path: Path) -> bool:
    """Whether a file is an automaton."""
    return _divulge.recognised(os.fspath(path)) in AUTOMATA


def as_automaton(world: World[str]) -> World[str]:
    """The same world, with a state of the automaton for both of its vertices: itself, and the one on the way to it."""
    waits = {name for name, observation in zip(world._names, world._observation) if observation}
    after = {source: target for source, _, target in world.edges if source in waits}
    edges = [(source, event, after[target]) for source, event, target in world.edges if source not in waits]
    known = {*world.initial, *(source for source, _, _ in edges), *(target for _, _, target in edges)}
    return world.automaton(
        edges,
        world.initial,
        observable=[event for event in dict.fromkeys(event for _, event, _ in edges) if event not in world._labels.unseen],
        marked=[state for state in world.goal if state in known],
        props={state: world.props(state) for state in known},
        name=world.name,
    )


def model(
    path: Path,
    set: Optional[Mapping[str, Any]],
    domain: Optional[Path],
    goal: Optional[str],
    initial: Optional[str],
    avoid: Optional[str],
) -> str:
    """A model whose world is the file, watched by somebody who knows it and sees what the file does not hide."""
    files = [os.path.basename(os.fspath(path))]
    if domain is not None:
        files.append(os.path.relpath(os.fspath(domain), os.path.dirname(os.fspath(path)) or os.curdir))
    lines: List[str] = [f"world from {' '.join(_quoted(file) for file in files)} {{"]
    lines += [f"  const {name} = {_value(value)}" for name, value in (set or {}).items()]
    start, ends = ("true" if initial == "all" else initial), ("false" if avoid == "none" else avoid)
    lines += [f"  {word} {text}" for word, text in (("goal", goal), ("start where", start), ("avoid", ends)) if text is not None]
    return "\n".join([*lines, "}", "observer { knows world; sees others as themselves }", ""])


def model_name(path: Path) -> str:
    """What that model is called: it stands beside the file."""
    return os.path.join(os.path.dirname(os.fspath(path)), f"<{os.path.basename(os.fspath(path))}>")


def in_python(note: str) -> str:
    """A note in the words of :func:`divulge.load`."""
    for word, name in (("`start where`", "`initial=`"), ("`goal`", "`goal=`"), ("`avoid`", "`avoid=`")):
        note = note.replace(word, name)
    return note


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _value(value: Any) -> str:
    plain = scalar(value)
    if isinstance(plain, bool):
        return str(plain).lower()
    return str(plain) if isinstance(plain, int) else _quoted(str(plain))
