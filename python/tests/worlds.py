"""Worlds that several tests use."""

import dataclasses
import enum
from typing import List, NamedTuple, Optional, Union

from divulge import Observer, P, World, goal, knows, possible


class Place(NamedTuple):
    row: int
    col: int
    facility: str
    rad: str


MOVES = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


def nuclear(rows: int = 3, cols: int = 4) -> World[Place]:
    star, out = (rows // 2, max(1, cols // 2 - 1)), (rows - 1, cols // 2)
    spots = {"pebble": (0, cols // 2), "breeder": (rows // 2, cols - 1)}

    def step(place: Place, move: str) -> Optional[Place]:
        row, col = place.row + MOVES[move][0], place.col + MOVES[move][1]
        if (place.row, place.col) == out or not (0 <= row < rows and 0 <= col < cols):
            return None
        return Place(row, col, place.facility, place.rad)

    def observe(place: Place) -> str:
        at = (place.row, place.col)
        if at == star:
            return "blue" if place.facility == "pebble" else "dark"
        if at == spots[place.facility]:
            return place.rad
        return "exit" if at == out else "nothing"

    return World.explore(
        [Place(0, 0, facility, rad) for facility in ("pebble", "breeder") for rad in ("high", "low")],
        actions=MOVES,
        step=step,
        observe=observe,
        goal=lambda place: (place.row, place.col) == out,
        name="nuclear inspection",
        grid=("row", "col"),
    )


LEARN = ~(possible(goal & (P.rad == "high")) & possible(goal & (P.rad == "low")))
HIDE = ~knows(P.facility)


def inspector(**more: object) -> Observer:
    given = {"knows": "world", "merge": [tuple(MOVES), ("blue", "dark")], "stipulate": {"learn": LEARN, "hide": HIDE}}
    return Observer(name="public", **{**given, **more})  # type: ignore[arg-type]


class Need(enum.Enum):
    INSULIN = "insulin"
    PILLS = "pills"


class Result(enum.Enum):
    PENDING = enum.auto()
    TAKEN = enum.auto()
    REFUSED = enum.auto()


@dataclasses.dataclass(frozen=True)
class Ward:
    room: int
    need: Need
    loaded: bool = False
    result: Result = Result.PENDING


def medicine() -> World[Ward]:
    """The care robot of examples/medicine.divulge."""
    kitchen, hall, bedroom, bathroom = range(4)

    def step(s: Ward, action: str) -> Union[Ward, List[Ward], None]:
        if s.result is not Result.PENDING:
            return None
        if action == "left":
            return dataclasses.replace(s, room=s.room - 1) if s.room > kitchen else None
        if action == "right":
            return dataclasses.replace(s, room=s.room + 1) if s.room < bathroom else None
        if action == "wait":
            return s
        if action == "fetch":
            store = kitchen if s.need is Need.INSULIN else bathroom
            return dataclasses.replace(s, loaded=True) if not s.loaded and s.room == store else None
        if s.loaded and s.room == bedroom:
            return [dataclasses.replace(s, result=result) for result in (Result.TAKEN, Result.REFUSED)]
        return None

    def observe(s: Ward) -> str:
        if s.result is not Result.PENDING:
            return s.result.name.lower()
        if s.room == bedroom and not s.loaded:
            return f"asks_{s.need.value}"
        return "nothing"

    return World.explore(
        [Ward(hall, need) for need in Need],
        actions=["left", "right", "wait", "fetch", "give"],
        step=step,
        observe=observe,
        goal=lambda s: s.result is not Result.PENDING,
    )
