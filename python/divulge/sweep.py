"""Sweeps: one question of a whole family of problems, for tables and figures."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import itertools
import os
import sys
import time
from collections import deque
from typing import (
    Any,
    Callable,
    Deque,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
    overload,
)

from . import _divulge
from ._divulge import __version__
from ._farm import Failed, Farm, Lost, Parcel
from ._foreign import is_foreign
from ._limits import Size, Time, limits
from ._named import model_text, source_digest, value_name
from ._store import RESULTS, Store, canonical, digest, same_or_less
from ._text import article, did_you_mean, text
from .errors import DivulgeError, warn
from .executors import AnyExecutor, executor_of, forks
from .problem import Problem

QUESTIONS = ("check", "audit", "seek_plan", "seek_map", "seek_both", "seek_maps")
#: what makes a problem from parameters: a function, or a model whose constants they are
Make = Union[Callable[..., "Problem[Any]"], str, "os.PathLike[str]"]
Parameters = Union[Mapping[str, Any], Iterable[Mapping[str, Any]]]


class SweepProgress(NamedTuple):
    """How far a sweep has come."""

    #: points that have a result, those among them that failed, and how many there are in all
    done: int
    failed: int
    points: int
    #: seconds since the sweep began or went on, and how many more it will take; ``None`` as long as nothing is known
    seconds: float
    left: Optional[float]

    def __str__(self) -> str:
        left = "" if self.left is None else f", about {_spell(self.left)} left"
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {self.points} points{failed}, {_spell(self.seconds)}{left}"


class _Point(NamedTuple):
    name: str
    #: as a row shows them, and as the function takes them
    shown: Dict[str, Any]
    given: Dict[str, Any]


class Sweep(Sequence[Dict[str, Any]]):
    """The results: a row for each point, in the order of the parameters, as a dictionary of parameters and results.

    A row has a ``status`` (``"done"``, ``"failed"``, ``"lost"`` if its worker died each time), the ``verdict``, what it took (``seconds``,
    ``explored`` nodes, the most ``memory``), the worst case of what was found (``events``, ``cost``) and, if it failed, the ``error``.
    """

    def __init__(self, rows: List[Dict[str, Any]], parameters: Sequence[str], question: str) -> None:
        self._rows, self.question = rows, question
        #: the names of the parameters
        self.parameters = list(parameters)

    @overload
    def __getitem__(self, index: int) -> Dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> List[Dict[str, Any]]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def failed(self) -> List[Dict[str, Any]]:
        """The rows without an answer."""
        return [row for row in self._rows if row["status"] != "done"]

    def to_pandas(self) -> Any:
        """The rows as a data frame."""
        pandas: Any = importlib.import_module("pandas")
        return pandas.DataFrame(self._rows, columns=[*self.parameters, *RESULTS])

    def to_parquet(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the rows as a Parquet file; pandas does it, with pyarrow or fastparquet."""
        frame = self.to_pandas()
        for name in frame.columns:
            # Columns whose values are of several types have no type in Parquet.
            if len({type(value) for value in frame[name] if value is not None}) > 1:
                frame[name] = frame[name].map(lambda value: None if value is None else str(value))
        frame.to_parquet(path)

    def to_csv(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the rows as a table of comma-separated values."""
        import csv

        with open(path, "w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, [*self.parameters, *RESULTS])
            writer.writeheader()
            writer.writerows(self._rows)

    def plot(
        self, x: str, y: str = "seconds", *, by: Union[str, Sequence[str], None] = None, log: bool = False, path: Any = None
    ) -> Any:
        """A figure of ``y`` over ``x``, with a line for each value of the other parameters, or of ``by``.

        It is drawn by matplotlib where that is installed (and its ``Figure`` is given), else by divulge itself as an SVG picture. ``log``
        makes the axis of ``y`` logarithmic. ``path``: also write it to a file.
        """
        from ._plot import plot

        return plot(self, x, y, by, log, path)

    def __repr__(self) -> str:
        verdicts: Dict[str, int] = {}
        for row in self._rows:
            word = row["verdict"] or row["status"]
            verdicts[word] = verdicts.get(word, 0) + 1
        said = ", ".join(f"{count} {word}" for word, count in verdicts.items())
        points = "1 point" if len(self) == 1 else f"{len(self)} points"
        return f"<Sweep {self.question}: {points} over {', '.join(self.parameters)}; {said}>"


def sweep(
    make: Make,
    parameters: Parameters,
    question: str = "seek_plan",
    *,
    executor: AnyExecutor = None,
    store: Union[str, os.PathLike[str], None] = None,
    time_limit: Time = None,
    memory_limit: Size = None,
    progress: Union[Callable[[SweepProgress], object], bool, None] = None,
    version: str = "",
    again: bool = False,
    **options: Any,
) -> Sweep:
    """Asks one question of the problem that ``make`` gives for each combination of parameters.

    - ``make``: a function that takes the parameters by name and gives a :class:`Problem`, or the path of a model whose constants they are.
    - ``parameters``: ``{"rows": range(3, 20), "map": ["fine", "coarse"]}``, or a list of dictionaries, one for each point. Values
      that are no texts or numbers may be named: ``{"map": {"fine": a, "coarse": b}}``.
    - ``question``: ``"check"``, ``"audit"``, ``"seek_plan"``, ``"seek_map"``, ``"seek_both"`` or ``"seek_maps"``, with its ``options``.
    - ``executor``: who works: any ``concurrent.futures.Executor``, a Dask client, the module ``ray``, or a number of processes; without it
      there is a process for each core. A question uses one thread, unless ``threads`` is among the options.
    - ``store``: a SQLite file. Every result is written as soon as it is known, and a sweep that is begun again with the same ``make``, question
      and options goes on where it stopped. Other sweeps in the same file are kept apart. What ``make`` takes from other modules is not
      looked at: give another ``version`` when that has changed.
    - ``time_limit``, ``memory_limit``: for each point. Points that hit a limit are asked again if the limit is higher next time.
    - ``progress``: a function of a :class:`SweepProgress`; ``True`` or nothing prints a line on a terminal, ``False`` does not.
    - ``again``: ask points once more that failed before.

    What goes wrong at a point is in its row, and the others go on. Ctrl-C leaves a store that can be continued.
    """
    asked = _question(question, options)
    most = limits(time_limit, memory_limit)[:2]
    points, names = _points(parameters)
    _takes(make, points)
    about = {"question": asked, "options": _plain_options(options), **_source(make, version)}
    kept = Store(store, about, __version__)
    known = kept.rows(point.name for point in points)
    todo = [point for point in points if not _settled(known.get(point.name), most, again)]
    tell = _teller(progress)
    begin = time.monotonic()
    try:
        if todo:
            owned = executor is None or isinstance(executor, int)
            forked = owned and forks()
            path = os.path.abspath(os.fspath(make)) if isinstance(make, (str, os.PathLike)) else None
            parcel = Parcel((make if path is None else path, asked.replace(" ", "_"), options, most), "`make`", forked=forked)
            with Farm(executor_of(executor), parcel, owned=owned) as farm:
                left = _Left(todo, kept, dict(known), lambda row, new: _settled(row, most, again and not new))
                _gather(farm, left, known, points, most, tell, begin)
    finally:
        kept.close()
    if tell is not None:
        tell(_progress(known, points, begin, 0.0))
    rows = [{**point.shown, **known[point.name]} for point in points]
    failed = [row for row in rows if row["status"] != "done"]
    if failed:
        warn(f"{len(failed)} of {len(rows)} points failed; the first: {failed[0]['error'].splitlines()[0]}\n  help: look at `failed`, or at the column `error`")
    return Sweep(rows, names, asked)


class _Left:
    """The points that are left, which others may be at who share the store."""

    #: seconds between two looks at what others are at
    LOOK = 0.1

    def __init__(
        self, todo: Iterable[_Point], kept: Store, known: Dict[str, Dict[str, Any]], enough: Callable[[Mapping[str, Any], bool], bool]
    ) -> None:
        self.kept = kept
        self._todo: Deque[_Point] = deque(todo)
        self._theirs: Deque[_Point] = deque()
        self._known, self._enough = known, enough
        self._looked = time.monotonic()

    def __len__(self) -> int:
        return len(self._todo) + len(self._theirs)

    def hand_out(self, farm: Farm) -> Dict[str, Dict[str, Any]]:
        """Claims points for a farm, few enough to leave others some; gives what others have done."""
        done: Dict[str, Dict[str, Any]] = {}
        if self._theirs and time.monotonic() - self._looked > self.LOOK:
            self._looked = time.monotonic()
            self._todo.extend(self._theirs)
            self._theirs.clear()
        while self._todo and (not self.kept.shared or len(farm) < 2 * farm.workers):
            point = self._todo.popleft()
            # Whoever asks again means what was known in the beginning.
            found = self.kept.claim(point.name, lambda row: self._enough(row, row != self._known.get(point.name)))
            if found is True:
                farm.add(point, _ask, point.given)
            elif found is False:
                self._theirs.append(point)
            else:
                done[point.name] = found
        if not len(farm) and self._theirs:
            time.sleep(self.LOOK)
        return done


def _gather(
    farm: Farm,
    left: _Left,
    known: Dict[str, Dict[str, Any]],
    points: Sequence[_Point],
    most: Tuple[Optional[float], Optional[int]],
    tell: Optional[Callable[[SweepProgress], object]],
    begin: float,
) -> None:
    took: List[float] = []
    told = 0.0
    while len(left) or len(farm):
        known.update(left.hand_out(farm))
        for point, result in farm.results(timeout=0.5):
            if isinstance(result, Failed):
                result = {"status": "failed", "error": result.message}
            elif isinstance(result, Lost):
                result = {"status": "lost", "error": result.message}
            result = {**result, "time_limit": most[0], "memory_limit": most[1]}
            took.append(result.pop("took", 0.0))
            known[point.name] = left.kept.put(point.name, canonical(point.shown), result)
        if tell is not None and time.monotonic() - told > 0.2:
            told = time.monotonic()
            # Points usually grow: the last ones tell most about those to come.
            recent, more = took[-max(4, len(took) // 4) :], len(left) + len(farm)
            seconds = None if not recent else more * sum(recent) / len(recent) / max(1, min(farm.workers, more))
            tell(_progress(known, points, begin, seconds))


def _progress(known: Mapping[str, Any], points: Sequence[_Point], begin: float, left: Optional[float]) -> SweepProgress:
    done = [known[point.name] for point in points if point.name in known]
    failed = sum(row["status"] != "done" for row in done)
    return SweepProgress(len(done), failed, len(points), time.monotonic() - begin, left)


def _ask(shared: Any, given: Mapping[str, Any]) -> Dict[str, Any]:
    """Done by a worker: one point."""
    from ._read import load

    make, question, options, (seconds, memory) = shared
    begin = time.monotonic()
    with _Peak() as peak:
        problem = load(make, set=given) if isinstance(make, str) else make(**given)
        if not isinstance(problem, Problem):
            raise DivulgeError(f"`make` gave {_shown(problem)}, not a Problem", "it takes the parameters by name, and returns a Problem")
        answer = getattr(problem, question)(**{"threads": 1, **options}, time_limit=seconds, memory_limit=memory)
    row: Dict[str, Any] = {"status": "done", "verdict": answer.verdict, "limit_hit": answer.limit, "memory": peak.bytes}
    row["vertices"] = len(problem.world)
    row.update(answer.statistics._asdict())
    if question == "seek_maps":
        if answer.limit is None:
            row.update(feasible=answer.feasible, maps_in_all=answer.maps)
    elif question.startswith("seek") and answer.worst_case is not None:
        row.update(answer.worst_case._asdict())
    return {**row, "took": time.monotonic() - begin}


class _Peak:
    """The most memory that the process takes meanwhile, as far as the system tells."""

    bytes: Optional[int] = None

    def __enter__(self) -> _Peak:
        try:
            with open("/proc/self/clear_refs", "w") as reset:
                reset.write("5")
        except OSError:
            pass
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            with open("/proc/self/status") as status:
                line = next(line for line in status if line.startswith("VmHWM"))
            self.bytes = int(line.split()[1]) * 1024
        except (OSError, StopIteration, ValueError):
            pass


def _shown(given: Any) -> str:
    return "None" if given is None else article(type(given).__name__)


def _question(given: str, options: Mapping[str, Any]) -> str:
    """A question as the command line calls it."""
    name = str(given).replace(" ", "_").replace("-", "_")
    if name not in QUESTIONS:
        known = ", ".join(f'"{one}"' for one in QUESTIONS)
        raise DivulgeError(f"there is no question `{text(given)}`", did_you_mean(name, QUESTIONS) or f"the questions are {known}")
    own = ("self", "progress", "executor", "store", "time_limit", "memory_limit")
    takes = [one for one in inspect.signature(getattr(Problem, name)).parameters if one not in own]
    for option in options:
        if option not in takes:
            raise DivulgeError(f"`{name}` takes no `{option}`", did_you_mean(option, takes) or f"it takes {', '.join(takes)}")
    return name.replace("_", " ")


def _plain_options(options: Mapping[str, Any]) -> Dict[str, Any]:
    """What belongs to the question; threads do not change an answer."""
    return {name: value_name(value, name) for name, value in options.items() if name != "threads" and value not in (None, False)}


def _source(make: Make, version: str) -> Dict[str, str]:
    if isinstance(make, (str, os.PathLike)):
        path = os.fspath(make)
        found = "sha256:" + hashlib.sha256(model_text(path) + version.encode()).hexdigest()
        return {"source": os.path.basename(path), "source_digest": found}
    if not callable(make):
        raise DivulgeError(f"`make` cannot be {text(make)!r}", "give a function of the parameters that returns a Problem, or the path of a model")
    name = f"{getattr(make, '__module__', '')}.{getattr(make, '__qualname__', type(make).__name__)}"
    return {"source": name, "source_digest": digest([source_digest(make), version])}


def _takes(make: Make, points: Sequence[_Point]) -> None:
    """Refuses parameters that the function, or the model, does not have, as far as one can tell without calling it."""
    if isinstance(make, (str, os.PathLike)):
        from ._read import settings

        if not is_foreign(make):
            _divulge.settable(os.fspath(make), [settings(point.given) for point in points])
        return
    try:
        found = inspect.signature(make)
    except (TypeError, ValueError):
        return
    takes = [name for name, one in found.parameters.items() if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    for given in {tuple(point.given): point.given for point in points}.values():
        try:
            found.bind(**given)
        except TypeError as error:
            odd = next((name for name in given if name not in takes), None)
            if odd is not None:
                known = f"it takes {', '.join(takes)}" if takes else "it takes nothing by name"
                raise DivulgeError(f"`make` takes no parameter `{odd}`", did_you_mean(odd, takes) or known) from None
            raise DivulgeError(f"`make` cannot be called with the parameters {', '.join(given)}: {error}", "it takes them by name") from None


def _points(parameters: Parameters) -> Tuple[List[_Point], List[str]]:
    """Every point with its name, and the names of the parameters."""
    if isinstance(parameters, Mapping):
        grid: List[List[Tuple[Any, Any]]] = []
        for parameter, values in parameters.items():
            if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
                raise DivulgeError(f"`{text(parameter)}` has one value, {values!r}, where several are wanted", f'give a list: {{"{text(parameter)}": [{values!r}]}}')
            named = list(values.items()) if isinstance(values, Mapping) else [(value_name(one, str(parameter)), one) for one in values]
            if not named:
                raise DivulgeError(f"`{text(parameter)}` has no values, so that there is nothing to ask", "give at least one")
            grid.append(named)
        if not grid:
            raise DivulgeError("there are no parameters to sweep over", 'give some, such as {"rows": range(3, 20)}')
        names = [str(name) for name in parameters]
        each: Iterator[Dict[str, Tuple[Any, Any]]] = (dict(zip(names, point)) for point in itertools.product(*grid))
    else:
        listed = list(parameters) if isinstance(parameters, Iterable) else []
        if not listed or not all(isinstance(one, Mapping) for one in listed):
            raise DivulgeError("there are no points to ask about", 'give parameters={"rows": range(3, 20)}, or a list of dictionaries')
        names = list(dict.fromkeys(str(name) for one in listed for name in one))
        each = ({str(n): (value_name(v, str(n)), v) for n, v in one.items()} for one in listed)
    points: Dict[str, _Point] = {}
    for point in each:
        shown = {name: value[0] for name, value in point.items()}
        called = digest(shown)
        points.setdefault(called, _Point(called, shown, {name: value[1] for name, value in point.items()}))
    clash = next((name for name in names if name in RESULTS), None)
    if clash is not None:
        raise DivulgeError(f"a parameter cannot be called `{clash}`, since a result is", "give it another name")
    return list(points.values()), names


def _settled(row: Optional[Mapping[str, Any]], most: Tuple[Optional[float], Optional[int]], again: bool) -> bool:
    """Whether a point need not be asked about: it is done, or no more is allowed than when a limit was hit."""
    if row is None or row["status"] == "lost" or (again and row["status"] != "done"):
        return False
    if row["verdict"] != "unknown":
        return True
    return same_or_less(row["time_limit"], most[0]) and same_or_less(row["memory_limit"], most[1])


def _teller(progress: Any) -> Optional[Callable[[SweepProgress], object]]:
    if callable(progress):
        tell: Callable[[SweepProgress], object] = progress
        return tell
    if progress not in (None, True, False):
        raise DivulgeError(f"`progress` cannot be {progress!r}", "give a function of a SweepProgress, True or False")
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return None

    def line(now: SweepProgress) -> None:
        over = sys.stderr.isatty()
        print(f"\r\x1b[K{now}" if over else str(now), end="" if over and now.left != 0 else "\n", file=sys.stderr, flush=True)

    return line


def _spell(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
