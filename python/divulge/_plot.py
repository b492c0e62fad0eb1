"""Figures of sweeps."""

from __future__ import annotations

import html
import importlib
import math
import os
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple, Union

from ._text import did_you_mean
from .errors import DivulgeError

if TYPE_CHECKING:
    from .sweep import Sweep

Line = Tuple[str, List[Tuple[Any, float]]]
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666", "#a6761d")


class Picture:
    """A picture that notebooks show."""

    def __init__(self, svg: str) -> None:
        #: the picture as an SVG document
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.svg)


def plot(sweep: Sweep, x: str, y: str, by: Any, log: bool, path: Any) -> Any:
    """A figure by matplotlib, if it is installed, else one of our own."""
    lines = _lines(sweep, x, y, by)
    try:
        Figure: Any = importlib.import_module("matplotlib.figure").Figure
    except ImportError:
        picture = Picture(_svg(lines, x, y, log))
        if path is not None:
            picture.save(path)
        return picture
    # Without pyplot nothing has to be closed, and no window opens.
    figure = Figure(layout="constrained")
    axes = figure.subplots()
    for name, points in lines:
        axes.plot([at for at, _ in points], [value for _, value in points], marker="o", label=name or None)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if log:
        axes.set_yscale("log")
    if any(name for name, _ in lines):
        axes.legend()
    if path is not None:
        figure.savefig(path)
    return figure


def _lines(sweep: Sweep, x: str, y: str, by: Union[str, Sequence[str], None]) -> List[Line]:
    known = [*sweep.parameters, *(sweep[0] if len(sweep) else ())]
    parts = [name for name in sweep.parameters if name not in (x, y)] if by is None else [by] if isinstance(by, str) else list(by)
    for name in (x, y, *parts):
        if name not in known:
            raise DivulgeError(f"the sweep has no column `{name}`", did_you_mean(name, known) or f"it has {', '.join(dict.fromkeys(known))}")
    lines: Dict[str, List[Tuple[Any, float]]] = {}
    for row in sweep:
        value = row[y]
        if isinstance(value, str) and value.isdigit():
            value = int(value)
        if isinstance(value, (int, float)) and row[x] is not None:
            lines.setdefault(", ".join(f"{name} {row[name]}" for name in parts), []).append((row[x], float(value)))
    if not lines:
        raise DivulgeError(f"no row has a number in the column `{y}`", "look at the rows: did all points fail, or hit a limit?")
    numbers = all(isinstance(at, (int, float)) for points in lines.values() for at, _ in points)
    return [(name, sorted(points) if numbers else points) for name, points in lines.items()]


def _svg(lines: List[Line], x: str, y: str, log: bool) -> str:
    width, height, left, top, right, bottom = 640, 400, 70, 20, 20, 50
    places = list(dict.fromkeys(at for _, points in lines for at, _ in points))
    numbers = all(isinstance(at, (int, float)) for at in places)
    where = {at: float(at) if numbers else float(i) for i, at in enumerate(places)}
    values = [value for _, points in lines for _, value in points if value > 0 or not log]
    scale = (lambda value: math.log10(value)) if log else (lambda value: value)
    low, high = (scale(min(values)), scale(max(values))) if values else (0.0, 1.0)
    low = low if log else min(0.0, low)
    first, last = min(where.values()), max(where.values())

    def across(at: float) -> float:
        return left + (at - first) / ((last - first) or 1) * (width - left - right)

    def up(value: float) -> float:
        return height - bottom - (value - low) / ((high - low) or 1) * (height - top - bottom)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<path d="M{left} {top}V{height - bottom}H{width - right}" fill="none" stroke="#333"/>',
        f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">{html.escape(x)}</text>',
        f'<text x="16" y="{(top + height - bottom) / 2}" text-anchor="middle" transform="rotate(-90 16 {(top + height - bottom) / 2})">{html.escape(y)}</text>',
    ]
    for at in places[:: max(1, math.ceil(len(places) / 10))]:
        parts.append(f'<text x="{across(where[at]):.1f}" y="{height - bottom + 18}" text-anchor="middle">{html.escape(str(at))}</text>')
    for step in range(5):
        value = low + (high - low) * step / 4
        told = 10**value if log else value
        parts.append(f'<text x="{left - 6}" y="{up(value) + 4:.1f}" text-anchor="end">{told:.3g}</text>')
    for number, (name, points) in enumerate(lines):
        colour = _COLOURS[number % len(_COLOURS)]
        drawn = [(across(where[at]), up(scale(value))) for at, value in points if value > 0 or not log]
        parts.append(f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in drawn)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in drawn]
        if name:
            parts.append(f'<text x="{left + 10}" y="{top + 14 + 16 * number}" fill="{colour}">{html.escape(name)}</text>')
    return "\n".join([*parts, "</svg>"])
