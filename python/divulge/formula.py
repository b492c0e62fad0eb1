"""Stipulations as Python expressions.

A *predicate* speaks of one state, a *formula* of the observer's estimate, the set of states that it takes to be possible::

    from divulge import P, knows, possible

    hide = ~knows(P.facility == "pebble") & ~knows(P.facility == "breeder")
    learn = ~(possible(goal & (P.rad == "high")) & possible(goal & (P.rad == "low")))

Both combine with ``~``, ``&``, ``|`` and ``>>`` (implies). Python's comparisons bind more loosely than these: put them into
parentheses. Wherever a predicate is wanted, a function of a state will do, and so will a text such as ``"rad = high"``.

Formulas may speak of the moments of a run, one after each event that the observer sees, and predicates of the way to a state::

    in_order = unless(~knows(P.need), knows(P.result))
    discreet = ~knows(P.room.was("clinic"))
"""

from __future__ import annotations

import json
from typing import Any, Callable, Hashable, Iterable, List, Optional, Protocol, Tuple, TypeVar, Union, cast

from ._divulge import is_temporal
from ._text import Scalar, plain, scalar
from .errors import DivulgeError

Node = Tuple[Any, ...]
Self = TypeVar("Self", bound="Expression")

#: from the loosest to the tightest
_RANK = {"until": -1, "unless": -1, "iff": 0, "implies": 1, "or": 2, "and": 3}
_SIGN = {"until": " until ", "unless": " unless ", "iff": " <-> ", "implies": " -> ", "or": " | ", "and": " & "}
#: words of time that bind as a negation does
_TIME = ("always", "eventually", "next")


class Context(Protocol):
    """What a formula needs to know of its world to become a text."""

    def state_names(self, state: Hashable) -> List[str]: ...

    def condition(self, test: Callable[[Any], Any]) -> str: ...

    def prop_values(self, name: str) -> Optional[List[Scalar]]: ...


class Expression:
    """What predicates and formulas have in common."""

    __slots__ = ("_node",)
    _node: Node
    # Lets `numpy.int64(2) == P.x` come to the expression rather than to numpy.
    __array_ufunc__ = None

    def __bool__(self) -> bool:
        raise TypeError("a predicate or formula has no truth value of its own: combine it with & | ~ >>, not with and, or, not")

    def _join(self: Self, op: str, other: Any, swapped: bool = False) -> Self:
        kind = self._level()
        right = kind._coerce(other)
        if right is None:
            return cast(Self, NotImplemented)
        parts = [right, self] if swapped else [self, right]
        flat: List[Expression] = []
        for part in parts:
            # Chains stay flat, however long.
            flat.extend(part._node[1] if op in ("and", "or") and part._node[0] == op else [part])
        return cast(Self, kind._make((op, tuple(flat))))

    @classmethod
    def _level(cls) -> Any:
        raise NotImplementedError

    def __and__(self: Self, other: Any) -> Self:
        return self._join("and", other)

    def __rand__(self: Self, other: Any) -> Self:
        return self._join("and", other, swapped=True)

    def __or__(self: Self, other: Any) -> Self:
        return self._join("or", other)

    def __ror__(self: Self, other: Any) -> Self:
        return self._join("or", other, swapped=True)

    def __rshift__(self: Self, other: Any) -> Self:
        return self._join("implies", other)

    def __invert__(self: Self) -> Self:
        return cast(Self, self._level()._make(("not", self)))

    def iff(self: Self, other: Any) -> Self:
        """Both or neither."""
        joined = self._join("iff", other)
        if joined is NotImplemented:
            raise TypeError(f"{other!r} cannot be combined with {self!r}")
        return joined

    def __eq__(self, other: object) -> Any:
        """Whether it is written in the same way; functions in it must be the same ones."""
        return _same(self, other) if isinstance(other, Expression) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._level(), self._node[0]))

    def text(self, context: Context) -> str:
        """The expression as the core reads it, for one world."""
        return _text(self, context)

    def __repr__(self) -> str:
        return _text(self, _Plain())


def _same(one: Any, other: Any) -> bool:
    """Whether two expressions are written in the same way."""
    todo = [(one, other)]
    while todo:
        a, b = todo.pop()
        if isinstance(a, Expression) and isinstance(b, Expression):
            if a._level() is not b._level():
                return False
            a, b = a._node, b._node
        if type(a) is not type(b):
            return False
        if type(a) is tuple:
            if len(a) != len(b):
                return False
            todo.extend(zip(a, b))
        elif a != b:
            return False
    return True


class Predicate(Expression):
    """A condition on one state."""

    __slots__ = ()

    @classmethod
    def _make(cls, node: Node) -> Predicate:
        made = Predicate.__new__(Predicate)
        made._node = node
        return made

    @classmethod
    def _level(cls) -> Any:
        return Predicate

    @staticmethod
    def _coerce(value: Any) -> Optional[Predicate]:
        if isinstance(value, Predicate):
            return value
        value = plain(value)
        if isinstance(value, bool):
            return Predicate._make(("const", value))
        if isinstance(value, str):
            return Predicate._make(("raw", value))
        if isinstance(value, Formula):
            raise TypeError("a predicate (about one state) and a formula (about the estimate) do not mix: put the predicate into knows(…) or possible(…)")
        if callable(value):
            return Predicate._make(("call", value))
        return None


class Formula(Expression):
    """A condition on the observer's estimate, or on its estimates one after the other."""

    __slots__ = ()

    @property
    def temporal(self) -> bool:
        """Whether it speaks of other moments than the present one: ``always``, ``eventually``, ``next_``, ``until``, ``unless``."""
        todo: List[Expression] = [self]
        while todo:
            op, *rest = todo.pop()._node
            if op in _TIME or op in ("until", "unless") or (op == "raw" and is_temporal(rest[0])):
                return True
            todo.extend(rest[0] if op in _RANK else rest if op == "not" else ())
        return False

    def until(self, other: AnyFormula) -> Formula:
        """``other`` comes true at some moment, and this holds until then."""
        return until(self, other)

    def unless(self, other: AnyFormula) -> Formula:
        """This holds until ``other`` comes true, or throughout."""
        return unless(self, other)

    @classmethod
    def _make(cls, node: Node) -> Formula:
        made = Formula.__new__(Formula)
        made._node = node
        return made

    @classmethod
    def _level(cls) -> Any:
        return Formula

    @staticmethod
    def _coerce(value: Any) -> Optional[Formula]:
        if isinstance(value, Formula):
            return value
        value = plain(value)
        if isinstance(value, bool):
            return Formula._make(("const", value))
        if isinstance(value, str):
            return Formula._make(("raw", value))
        if isinstance(value, Predicate):
            raise TypeError("a predicate (about one state) and a formula (about the estimate) do not mix: put the predicate into knows(…) or possible(…)")
        return None


class Prop(Predicate):
    """A property of states: compare it, or use it bare if it is true or false."""

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        self.name = name
        self._node = ("flag", name)

    def _compare(self, sign: str, value: Any) -> Predicate:
        if isinstance(value, Expression):
            raise TypeError("a property is compared with a value; to compare two properties, use a function of the state")
        if isinstance(value, (list, set, range)) or getattr(value, "shape", ()) != ():
            raise TypeError(f"a property is compared with one value, not with several: use P.{self.name}.isin(…)")
        return Predicate._make(("compare", self.name, sign, value))

    def __eq__(self, value: object) -> Predicate:  # type: ignore[override]
        return self._compare("=", value)

    def __ne__(self, value: object) -> Predicate:  # type: ignore[override]
        return self._compare("!=", value)

    def __lt__(self, value: int) -> Predicate:
        return self._compare("<", value)

    def __le__(self, value: int) -> Predicate:
        return self._compare("<=", value)

    def __gt__(self, value: int) -> Predicate:
        return self._compare(">", value)

    def __ge__(self, value: int) -> Predicate:
        return self._compare(">=", value)

    def __hash__(self) -> int:
        return hash(("Prop", self.name))

    def was(self, value: Any = True) -> Predicate:
        """Whether it had this value at some time on the way here, or has it now."""
        return was(self == value)

    def initially(self, value: Any = True) -> Predicate:
        """Whether it had this value at the very start."""
        return initially(self == value)

    def isin(self, values: Iterable[Any]) -> Predicate:
        """Whether it has one of these values."""
        if isinstance(values, (str, bytes)):
            raise TypeError(f"isin takes several values: P.{self.name}.isin([{values!r}])")
        return Predicate._make(("or", tuple(self._compare("=", value) for value in values)))


class Props:
    """``P.facility`` is the property called ``facility``; ``P["odd name"]`` is one with an odd name."""

    def __getattr__(self, name: str) -> Prop:
        if name.startswith("__"):
            raise AttributeError(name)
        return Prop(name)

    def __getitem__(self, name: str) -> Prop:
        return Prop(name)


#: The properties of states, by name.
P = Props()
#: A state in which the robot's goal is reached.
goal: Predicate = Predicate._make(("goal",))
#: A vertex at which the robot acts next.
acting: Predicate = Predicate._make(("kind", "action"))
#: A vertex at which the robot observes next.
observing: Predicate = Predicate._make(("kind", "observation"))

AnyPredicate = Union[Predicate, Callable[[Any], Any], str]
AnyFormula = Union[Formula, str]


def prop(name: str) -> Prop:
    """The property called ``name``; the same as ``P[name]``."""
    return Prop(name)


def where(test: AnyPredicate) -> Predicate:
    """A predicate from a function of a state, or from a text such as ``"rad = high"``."""
    made = Predicate._coerce(test)
    if made is None:
        raise TypeError(f"a predicate or a function of a state is needed, not {test!r}")
    return made


def is_state(state: Hashable) -> Predicate:
    """To be in this state."""
    return Predicate._make(("is", state))


def was(what: AnyPredicate) -> Predicate:
    """That the predicate held at some time on the way here, or holds now."""
    return Predicate._make(("was", where(what)))


def initially(what: AnyPredicate) -> Predicate:
    """That the predicate held at the very start."""
    return Predicate._make(("initially", where(what)))


def knows(what: AnyPredicate) -> Formula:
    """The observer is certain: every state that it takes to be possible satisfies the predicate.

    A bare property that is not boolean means that its value is known, whichever it is.
    """
    return Formula._make(("knows", where(what)))


def possible(what: AnyPredicate) -> Formula:
    """The observer has not ruled it out: some state that it takes to be possible satisfies the predicate."""
    return Formula._make(("possible", where(what)))


def knows_whether(what: AnyPredicate) -> Formula:
    """The observer knows that the predicate holds, or knows that it does not."""
    test = where(what)
    return knows(test) | knows(~test)


def state(value: Hashable) -> Formula:
    """The observer takes this state to be possible."""
    return Formula._make(("possible", is_state(value)))


def formula(text: AnyFormula) -> Formula:
    """A formula from a text such as ``"!knows(facility = pebble)"``."""
    made = Formula._coerce(text)
    if made is None:
        raise TypeError(f"a formula is needed, not {text!r}")
    return made


def eventually(what: AnyFormula) -> Formula:
    """It holds now, or at some later moment of the run."""
    return Formula._make(("eventually", formula(what)))


def next_(what: AnyFormula) -> Formula:
    """There is a next moment, and it holds there: after one more event that the observer sees."""
    return Formula._make(("next", formula(what)))


def until(what: AnyFormula, other: AnyFormula) -> Formula:
    """``other`` holds now or at some later moment, and ``what`` at all moments before that."""
    return Formula._make(("until", (formula(what), formula(other))))


def unless(what: AnyFormula, other: AnyFormula) -> Formula:
    """``what`` holds until ``other`` does, or throughout."""
    return Formula._make(("unless", (formula(what), formula(other))))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _value(value: Any) -> str:
    called = scalar(value)
    if called is None:
        raise DivulgeError("a property cannot be compared with None", "a state whose value is None does not have the property")
    if isinstance(called, bool):
        return "true" if called else "false"
    return str(called) if isinstance(called, int) else _quoted(called)


def _text(expression: Expression, context: Context) -> str:
    op, *rest = expression._node
    if op in _RANK:
        parts: Tuple[Expression, ...] = rest[0]
        if not parts:
            return "true" if op == "and" else "false"
        return _SIGN[op].join(_operand(part, context, _RANK[op]) for part in parts)
    if op == "not":
        return "!" + _operand(rest[0], context, 4)
    if op in _TIME:
        return f"{op} {_operand(rest[0], context, 4)}"
    if op == "const":
        return "true" if rest[0] else "false"
    if op == "raw":
        return str(rest[0])
    if op in ("knows", "possible"):
        return _about(op, rest[0], context)
    return _test(op, rest, context)


def _about(op: str, predicate: Predicate, context: Context) -> str:
    if op == "knows" and isinstance(predicate, Prop):
        values = context.prop_values(predicate.name)
        if values and not all(isinstance(value, bool) for value in values):
            each = [f"knows({_text(predicate == value, context)})" for value in values]
            return each[0] if len(each) == 1 else "(" + " | ".join(each) + ")"
    return f"{op}({_text(predicate, context)})"


def _test(op: str, rest: List[Any], context: Context) -> str:
    if op == "compare":
        name, sign, value = rest
        return f"{_quoted(name)} {sign} {_value(value)}"
    if op == "flag":
        return _quoted(rest[0])
    if op == "goal":
        return "goal"
    if op == "kind":
        return f"kind = {rest[0]}"
    if op == "call":
        return _quoted(context.condition(rest[0]))
    if op in ("was", "initially"):
        return f"{op}({_text(rest[0], context)})"
    names = [f"is({_quoted(name)})" for name in context.state_names(rest[0])]
    return names[0] if len(names) == 1 else "(" + " | ".join(names) + ")"


def _operand(part: Expression, context: Context, above: int) -> str:
    op = part._node[0]
    tight = op not in _RANK and op != "raw"
    text = _text(part, context)
    # A negation reaches over a comparison only within parentheses.
    if tight and not (above == 4 and op == "compare"):
        return text
    return text if op in _RANK and _RANK[op] > above else f"({text})"


class _Plain:
    """Enough of a world to show a formula without one."""

    def state_names(self, state: Hashable) -> List[str]:
        return [str(state)]

    def condition(self, test: Callable[[Any], Any]) -> str:
        return getattr(test, "__name__", "condition")

    def prop_values(self, name: str) -> Optional[List[Scalar]]:
        return None
