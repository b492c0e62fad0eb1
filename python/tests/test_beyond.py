"""Several observers, unseen events, runs, hindsight and the past."""

import copy
import json
from typing import Any, NamedTuple

import pytest

import divulge
from divulge import (
    MapConstraints,
    Observer,
    P,
    Problem,
    World,
    always,
    at_end,
    eventually,
    formula,
    goal,
    hindsight,
    initially,
    knows,
    knows_whether,
    next_,
    possible,
    unless,
    until,
    was,
)


# In the wrong room the robot is stuck.
pytestmark = pytest.mark.filterwarnings("ignore:.*the world gets stuck")


class Ward(NamedTuple):
    """A delivery: where the robot is, and for whom it is."""

    room: str
    due: str


ROOMS = {"store": ["hall"], "hall": ["store", "clinic", "ward"], "clinic": [], "ward": []}


def ward(back: bool = False) -> "World[Ward]":
    """``back``: the robot can leave the clinic again."""
    rooms = {**ROOMS, "clinic": ["hall"]} if back else ROOMS
    return World.explore(
        [Ward("store", "ann"), Ward("store", "bob")],
        actions=["store", "hall", "clinic", "ward"],
        step=lambda at, to: at._replace(room=to) if to in rooms[at.room] else None,
        observe=lambda at: f"note {at.due}" if at.room == "hall" else "quiet",
        goal=lambda at: at.room == ("ward" if at.due == "ann" else "clinic"),
    )


HIDDEN = {"note ann": None, "note bob": None}


def visitor(**options: Any) -> Observer:
    """Sees neither the note nor which room is entered from the hall."""
    given = {"name": "visitor", "knows": "world", "map": {**HIDDEN, "clinic": "door", "ward": "door"}}
    return Observer(**{**given, "stipulate": {"discreet": ~knows(P.due == "ann")}, **options})


def nurse(**options: Any) -> Observer:
    given = {"name": "nurse", "knows": "world", "map": {}, "stipulate": {"told": at_end(knows_whether(P.due == "ann"))}}
    return Observer(**{**given, **options})


def test_everybody_counts() -> None:
    problem = Problem(ward(), [visitor(knows="plan"), nurse()])
    found = problem.seek_plan()
    assert found and found.worst_case is not None and found.worst_case.events == 4
    assert list(found.maps) == ["visitor", "nurse"] and found.maps["visitor"]["clinic"] == "door"
    assert found.filled_in().check() and "nurse" in found.filled_in().to_json()
    with pytest.raises(divulge.DivulgeError, match="`maps`"):
        found.map
    # A visitor who sees which room is entered knows for whom it is.
    nosy = Problem(ward(), [visitor(knows="plan", map=HIDDEN), nurse()])
    assert nosy.seek_plan().verdict == "none" and Problem(ward(), nurse()).seek_plan()
    violation = nosy.check(found.plan).violation
    assert violation.observer == "visitor" and violation.stipulation == "discreet"
    assert violation.image == ["hall", "ward"] or violation.image == ["hall", "ward", "quiet"]
    assert "visitor" in violation.explain() and "of 'visitor'" in repr(violation)
    assert json.loads(nosy.check(found.plan).to_json())["observer"] == "visitor"
    why = nosy.seek_plan().why
    assert why.reason == "conflict" and any(name.startswith("visitor: ") for name, _ in why.conflict)


def test_one_of_several() -> None:
    problem = Problem(ward(), [visitor(), nurse()])
    with pytest.raises(divulge.DivulgeError, match="several observers"):
        problem.observer
    assert [one.name for one in problem.observers] == ["visitor", "nurse"]
    assert problem.about("nurse").observer.name == "nurse" and set(problem.maps) == {"visitor", "nurse"}
    with pytest.raises(divulge.DivulgeError, match="(?s)called `nurs`.*did you mean `nurse`"):
        problem.about("nurs")
    with pytest.raises(divulge.DivulgeError, match="(?s)about one of them.*observer='visitor'"):
        problem.watch()
    watch = problem.watch(observer="nurse")
    for event in ["hall", "note ann"]:
        watch.event(event)
    assert watch.knows(P.due == "ann") and watch.may_end and "'nurse'" in repr(watch)
    assert problem.observers[1].watch().stipulations == {"told": False}
    log = problem.audit_log(["hall", "note ann"], observer="visitor")
    assert log.holds and log[2].image is None and log[2].estimate == log[1].estimate
    assert problem.trace(["hall", "note ann"], observer="nurse")[2].image == "note ann"
    assert problem.trace(["hall"], observer="visitor").to_svg() and watch.estimate.to_svg()


def test_observers_are_checked() -> None:
    def refused(match: str, observers: Any) -> None:
        with pytest.raises(divulge.DivulgeError, match=match):
            Problem(ward(), observers)

    refused("two observers are called `nurse`", [nurse(), nurse()])
    refused("needs a name, and number 2 has none", [nurse(), visitor(name=None)])
    refused("list is empty", [])
    refused("not the text 'nurse'", [nurse(), "nurse"])
    refused("list of observers", {"nurse": nurse()})
    refused("`visitor` and `nurse` have no map", [visitor(map=None), nurse(map=None)])


def test_one_map_is_sought_beside_the_others() -> None:
    sought = visitor(knows="plan", map=None, constraints=MapConstraints(unseen=["note ann", "note bob"]))
    problem = Problem(ward(), [nurse(), sought])
    found = problem.seek_both(prefer="finest")
    assert found and found.map.unseen == ["note ann", "note bob"]
    assert found.maps["visitor"] == found.map and found.maps["nurse"]["hall"] == "hall"
    assert found.map.groups, "with everything apart there is no plan"
    assert found.filled_in().check() and problem.seek_map(found.plan)
    frontier = problem.seek_maps()
    assert frontier and all(one.filled_in().check() for one in frontier.finest + frontier.coarsest)
    with pytest.raises(divulge.DivulgeError, match="each of the observers has one already"):
        Problem(ward(), [nurse(), visitor()]).seek_both(any_map=True)
    # The map of a question is for whoever has none.
    assert problem.check(found.plan, found.map)
    with pytest.raises(divulge.DivulgeError, match="unclear whose map"):
        Problem(ward(), [nurse(), visitor()]).check(found.plan, {})


def test_documents_and_models_keep_everybody() -> None:
    problem = Problem(
        ward(),
        [
            visitor(
                stipulate={
                    "late": hindsight(~knows(P.due == "ann"), within=2),
                    "past": ~knows(P.room.was("clinic")),
                    "order": unless(~knows(P.room == "clinic"), knows(P.due)),
                }
            ),
            nurse(),
        ],
    )
    document = json.loads(problem.to_json())
    assert [one["name"] for one in document["observers"]] == ["visitor", "nurse"]
    first = document["observers"][0]
    assert first["map"]["note ann"] is None
    assert [(one.get("scope"), one.get("within")) for one in first["stipulations"]] == [
        ("hindsight", 2),
        (None, None),
        ("run", None),
    ]
    for text in (problem.to_json(), problem.to_model()):
        again = divulge.loads(text)
        assert [one.name for one in again.observers] == ["visitor", "nurse"]
        assert [(s.name, s.scope, s.within) for s in again.observers[0].stipulations] == [
            (s.name, s.scope, s.within) for s in problem.observers[0].stipulations
        ]
        assert again.maps["visitor"] == problem.maps["visitor"]
        assert divulge.loads(text, observer="nurse").observer.name == "nurse"
        assert divulge.loads(text, set={"observer": "nurse"}).observer.name == "nurse"
    again = divulge.loads(problem.to_json())
    assert Problem(again.world, again.observers).to_json() == problem.to_json()


def test_unseen_in_every_form() -> None:
    def unseen(**options: Any) -> Any:
        problem = Problem(ward(), Observer(knows="world", **options))
        assert problem.map is not None
        return problem.map.unseen

    assert unseen(map=HIDDEN) == unseen(unseen=["note ann", "note bob"]) == ["note ann", "note bob"]
    assert unseen(map=lambda label: None if label.startswith("note") else label) == ["note ann", "note bob"]
    assert unseen(merge=[("clinic", "ward")], unseen="hall") == ["hall"]
    assert unseen(map={"hall": "x"}, unseen=["quiet"]) == ["quiet"]
    assert "note ann, note bob unseen" in repr(Problem(ward(), visitor()).map)
    with pytest.raises(divulge.DivulgeError, match="None for every label"):
        unseen(map=lambda label: None)
    with pytest.raises(divulge.DivulgeError, match="both merged with others and unseen"):
        unseen(merge=[("clinic", "ward")], unseen=["ward"])
    with pytest.raises(divulge.DivulgeError, match="goes into `unseen`"):
        Problem(ward(), Observer(knows="world", constraints=MapConstraints(fixed={"hall": None})))
    with pytest.raises(divulge.DivulgeError, match="no label `hal`"):
        unseen(unseen=["hal"])


def test_watching_what_is_not_seen() -> None:
    problem = Problem(ward(), visitor())
    watch = problem.watch()
    watch.event("hall")
    before = watch.estimate
    # The note goes unnoticed: acting and observing in the hall are both possible, before it and after it.
    assert before.kind == "both" and before.states == {Ward("hall", "ann"), Ward("hall", "bob")} and len(before) == 2
    assert watch.event("note ann") == before and watch.seen == ["hall"] and watch.holds
    twin = copy.copy(watch)
    watch.event("ward")
    assert watch.seen == ["hall", "door"] and twin.seen == ["hall"] and watch.deviation is None
    # An unseen event that cannot happen deviates, though nobody sees it.
    twin.event("note bob")
    assert twin.deviation is not None and twin.deviation.number == 3 and twin.deviation.reason == "world" and not twin.holds
    # Where only images are known, unseen events may have happened in between.
    log = problem.audit_log(["hall", "door", "quiet"], images=True)
    assert log.holds and log.deviation is None and len(log) == 4
    assert log[2].estimate is not None and {at.room for at in log[2].estimate} == {"clinic", "ward"}
    found = Problem(ward(), [visitor(), nurse()]).seek_plan()
    ended = problem.audit_log(["hall", "door"], images=True, plan=found.plan, ended=True)
    assert ended.deviation is not None or ended.holds
    events = ["hall", "note bob", "clinic", "quiet"]
    assert problem.audit_log(events, plan=found.plan, ended=True).holds


def moments(problem: "Problem[Any]", events: Any, name: str, **options: Any) -> Any:
    return [moment.stipulations[name] for moment in problem.audit_log(events, **options)]


def test_runs() -> None:
    learns = nurse(stipulate={"learns": eventually(knows(P.due == "ann"))})
    found = Problem(ward(), learns).seek_plan()
    assert found.verdict == "none", "bob's nurse never learns that it is for ann"
    either = nurse(stipulate={"learns": eventually(knows_whether(P.due == "ann"))})
    problem = Problem(ward(), either)
    assert problem.seek_plan() and problem.audit(), "an audit has no ends"
    # No verdict before the note, none the worse after it.
    assert moments(problem, ["hall", "note ann", "ward"], "learns") == [None, None, True, True]
    assert moments(problem, ["hall"], "learns", ended=True) == [None, False]
    # Somebody who knows the room before the note breaks the order.
    order = nurse(stipulate={"order": unless(~knows(P.room == "hall"), knows_whether(P.due == "ann"))})
    violation = Problem(ward(), order).audit().violation
    assert violation.execution == ["hall"] and violation.moment is None and violation.stipulation == "order"
    assert violation.trace[-1].broken == ["order"]
    log = Problem(ward(), order).audit_log(["hall", "note ann"])
    assert not log.holds and log.broken is not None and log.broken.number == 1
    watch = Problem(ward(), order).watch()
    watch.event("hall")
    assert not watch.holds and watch.stipulations == {"order": False}


def test_temporal_formulas() -> None:
    a, b = knows(P.due == "ann"), possible(goal)
    assert repr(always(a >> next_(a))) == 'always (knows("due" = "ann") -> next knows("due" = "ann"))'
    assert repr(until(~a, b)) == '!knows("due" = "ann") until possible(goal)' == repr((~a).until(b))
    assert repr(unless(until(a, b), a | b)).startswith('(knows("due" = "ann") until possible(goal)) unless knows')
    assert repr(~eventually(a) & always(b)) == '!eventually knows("due" = "ann") & always possible(goal)'
    assert repr(eventually("true until false")) == "eventually (true until false)"
    assert repr(knows(was(P.due == "ann") & P.room.initially("store"))) == 'knows(was("due" = "ann") & initially("room" = "store"))'
    assert [f.temporal for f in (a, a & eventually(b), ~next_(a), formula("eventually knows(due = ann)"), formula("!knows(x)"))] == [
        False,
        True,
        True,
        True,
        False,
    ]
    # However they are written, they mean the same.
    ways = [
        always(~a),
        "always !knows(due = ann)",
        always("!knows(due = ann)"),
        always(~a, "named"),
        ~eventually(a),
        ~a,
        "!eventually knows(due = ann)",
    ]
    for way in ways:
        violation = Problem(ward(), nurse(stipulate=way)).audit().violation
        assert violation.execution == ["hall", "note ann"], way


def test_scopes() -> None:
    a = knows(P.due == "ann")

    def scopes(*given: Any) -> Any:
        return [(one.scope, one.within) for one in Observer(knows="world", map={}, stipulate=list(given)).stipulations]

    assert scopes(~a, always(~a), always(~a, "s")) == [("always", None)] * 3
    assert scopes(eventually(a), always(eventually(a)), "true until false") == [("run", None)] * 3
    assert scopes(at_end(a), hindsight(a), hindsight(a, 3)) == [("end", None), ("hindsight", None), ("hindsight", 3)]
    for make, match in [
        (lambda: hindsight(eventually(a)), "speaks of several moments"),
        (lambda: at_end("eventually knows(due = ann)"), "speaks of several moments"),
        (lambda: hindsight(a, -1), "`within` cannot be -1"),
        (lambda: hindsight(a, True), "`within` cannot be True"),
        (lambda: divulge.Stipulation(a, "always", within=2), "hindsight alone"),
        (lambda: divulge.Stipulation(a, "sometimes"), "no scope `sometimes`"),
        (lambda: nurse(stipulate="hindsight 3 !knows(due = ann)"), r"(?s)not a formula.*hindsight\(…, within=…\)"),
        (lambda: nurse(stipulate="at end knows(due = ann)"), r"(?s)not a formula.*at_end\(…\)"),
    ]:
        with pytest.raises(divulge.DivulgeError, match=match):
            make()
    with pytest.raises(divulge.DivulgeError, match="eventually"):
        Problem(ward(), nurse(stipulate="F knows(due = ann)"))
    with pytest.raises(divulge.DivulgeError, match="moments of a run"):
        Problem(ward(), nurse(stipulate="knows(eventually due = ann)"))
    with pytest.raises(TypeError, match="do not mix"):
        knows(eventually(a))  # type: ignore[arg-type]


def test_hindsight() -> None:
    # A nurse who sees only which room is entered learns from the door for whom it was all along.
    late = {"late": hindsight(~knows(P.due == "ann"))}
    blind = World.explore(
        [Ward("store", "ann"), Ward("store", "bob")],
        actions=["hall", "clinic", "ward"],
        step=lambda at, to: at._replace(room=to, due="?" if to != "hall" else at.due)
        if to in ROOMS[at.room] and (to == "hall" or to == ("ward" if at.due == "ann" else "clinic"))
        else None,
        observe=lambda at: "quiet",
        goal=lambda at: at.due == "?",
    )
    now = Problem(blind, nurse(stipulate={"now": ~knows(P.due == "ann")}))
    assert now.audit()
    problem = Problem(blind, nurse(stipulate=late))
    violation = problem.audit().violation
    assert violation.execution == ["hall", "quiet", "ward"] and violation.moment in (0, 1, 2)
    assert violation.estimate is not None and {at.due for at in violation.estimate} == {"ann"}
    # What could have been instead, until the door gave it away.
    (gone,) = violation.ruled_out
    assert (gone.predicate, gone.event, gone.execution, gone.why) == ("!due = ann", 3, ["hall", "quiet"], "given-away")
    assert {at.due for at in gone.states} == {"bob"} and violation.twins == []
    log = problem.audit_log(violation.execution)
    assert [moment.stipulations["late"] for moment in log] == [True, True, True, False]
    assert [moment.stipulations["late"] for moment in violation.trace] == [True, True, True, False]
    assert [moment.stipulations["late"] for moment in problem.trace(["hall", "quiet", "clinic"])] == [True] * 4
    # Looking back not at all is what always is.
    assert Problem(blind, nurse(stipulate=hindsight(~knows(P.due == "ann"), within=0))).audit()
    assert not Problem(blind, nurse(stipulate=hindsight(~knows(P.due == "ann"), within=1))).audit()
    # Too late: the moment of the start is three images ago.
    start = knows((P.room == "store") & (P.due == "ann"))
    assert Problem(blind, nurse(stipulate=hindsight(~start, within=2))).audit()
    short = Problem(blind, nurse(stipulate={"s": hindsight(~start, within=3)}))
    assert not short.audit() and not short.audit_log(["hall", "quiet", "ward"]).holds


def test_twins_where_events_are_unseen_or_the_past_counts() -> None:
    world = World.graph(
        [("u", "a", "y"), ("u", "b", "z"), ("y", "o", "v"), ("z", "o", "w"), ("v", "c", "y2"), ("y2", "o", "w")],
        ["u"],
        ["w"],
        props={"u": {"wet": False}, "v": {"wet": True}, "w": {"wet": False}, "y": {"wet": True}, "z": {"wet": False}, "y2": {"wet": False}},
    )
    # Nobody can rule out that it is wet after `b`, since `a` looks the same; of what is hidden nothing need have happened at all.
    sees = {"a": "step", "b": "step", "c": "step", "o": None}
    dry = Problem(world, Observer(knows="world", map=sees, stipulate={"dry": ~possible(P.wet == True)}))  # noqa: E712
    violation = dry.audit().violation
    assert violation is not None and violation.execution in (["a"], ["b"])
    (twin,) = violation.twins
    assert twin.execution == ["a"] and twin.looks_the_same and twin.states[0] == "u" and "wet" in twin.predicate
    was_wet = {"past": ~possible(was(P.wet == True))}  # noqa: E712
    for others in ([], [Observer(name="other", knows="world", map={})]):
        me = Observer(name="me", knows="world", map=sees, stipulate=was_wet)
        violation = Problem(world, [*others, me]).audit().violation
        assert violation is not None and violation.observer == "me"
        assert [(one.execution, one.predicate) for one in violation.twins] == [(["a"], "was(wet = true)")]


def test_refusals_say_what_to_do_in_a_line_of_their_own() -> None:
    world = World.graph([("u", "a", "y"), ("y", "o", "v")], ["u"], ["v"])
    looks_back = {"s": hindsight(~knows(goal))}
    with pytest.raises(divulge.DivulgeError) as caught:
        Problem(world, Observer(knows="plan", map={}, stipulate=looks_back)).seek_plan()
    assert caught.value.help and caught.value.help not in caught.value.message and "; " not in caught.value.message


def test_the_past() -> None:
    nobody = visitor(stipulate={"past": ~knows(P.room.was("clinic"))})
    problem = Problem(ward(), nobody)
    assert problem.audit() and problem.seek_plan()
    apart = Problem(ward(back=True), nurse(stipulate={"past": ~knows(was(lambda at: at.room == "clinic"))}))
    violation = apart.audit().violation
    assert violation.execution == ["hall", "note ann", "clinic"] or violation.execution == ["hall", "note bob", "clinic"]
    assert violation.estimate is not None and len(violation.trace) == 4 and violation.trace[-1].broken == ["past"]
    # It was in the clinic, and is back in the hall: the estimate has the states, the stipulation their past.
    watch = apart.watch()
    for event in ["hall", "note bob", "clinic", "quiet", "hall", "note bob"]:
        watch.event(event)
    assert watch.estimate.states == {Ward("hall", "bob")} and watch.stipulations == {"past": False} and watch.deviation is None
    assert apart.trace(["hall", "note bob"]).holds
    started = nurse(stipulate={"start": knows(initially(P.room == "store"))})
    assert Problem(ward(), started).audit()
    with pytest.raises(divulge.DivulgeError, match="the way to a state"):
        watch.knows(P.room.was("clinic"))


def test_the_past_is_not_asked_of_an_estimate() -> None:
    world = World.graph([("u", "a", "y"), ("y", "o", "v")], ["u"], ["v"], props={"u": {"r": 1}, "v": {"r": 2}, "y": {"r": 3}})
    watch = Problem(world, Observer(knows="world", map={}, stipulate={"past": knows(was(P.r == 1))})).watch()
    with pytest.raises(divulge.DivulgeError, match="asks about the way to a state, and an estimate holds only the states") as caught:
        watch.knows(was(P.r == 1))
    assert "watch.stipulations[name]" in str(caught.value) and watch.stipulations == {"past": True}


def test_info_and_warnings_name_observers_as_python_does() -> None:
    world = World.graph([("u", "a", "y"), ("y", "o", "v")], ["u"], ["v"])
    looks = {"a": "nothing"}
    both = Problem(world, [Observer(name="ann", knows="world", map=looks), Observer(name="ben", knows="world", map=looks)])
    assert "problem.about(name) asks about one alone" in both.info() and "--observer" not in both.info()
    found = [one.message for one in both.lint() if one.code == "W0112"]
    assert len(found) == 2 and "by `ann`" in found[0] and "by `ben`" in found[1]
