"""Models of the kernels that are barriers."""
from oracle.steps import (
    add, arrive, bad, behind, concurrent, doubt_if, fetch, only, Race, rounds_of, spin, store, Uncertain, up_to,
    Wait)


def barrier(group, point, rounds=None):
    """Any barrier: nobody goes on before all have arrived."""
    for round in rounds_of(point) if rounds is None else rounds:
        yield arrive(group, round)
        yield add("arrivals")
        yield Wait("arrivals", round * point.groups, behind(round))


def handover_latency(group, point):
    """All meet once. Who is there then has its place, and so has its partner."""
    yield from barrier(group, point, [1])
    if point["fault"] == "no-write" and point["payload"] > 0 and point.rounds > 0 and group == 0 and point.groups > 1:
        yield bad("stale")


def write_cell(group, round):
    return store(("cell", round % 2, group), round)


def check_cell(group, round, point):
    """The neighbour's cell of this round should hold the round."""
    late = yield Race(("cell", round % 2, (group + 1) % point.groups), result=lambda seen: seen - round)
    if late != 0:
        yield bad("stale" if late < 0 else "wrong")


def barrier_central(group, point):
    if point["fault"] == "reset-race":
        yield from barrier_with_reset(group, point)
        return
    leaves_early = point["fault"] == "unequal-rounds" and group == point.groups - 1
    yield from barrier(group, point, range(1, point.rounds + (0 if leaves_early else 1)))
    if leaves_early and not point["silent"]:
        yield bad("wrong")  # checks of the last round are missing
    yield from doubt_if(point["fence"] != "both" and not point["silent"] and concurrent(point))


def barrier_with_reset(group, point):
    for round in rounds_of(point):
        yield arrive(group, round)
        yield Race("counter", lambda old: old + 1)
        yield spin("counter", lambda value: value == point.groups, behind(round))
        yield store("counter", 0)
    yield from doubt_if(concurrent(point))


def barrier_sense(group, point):
    if point["fault"] == "none":
        yield from barrier(group, point)
        return
    for round in rounds_of(point):
        yield write_cell(group, round)
        yield arrive(group, round)
        yield from faulty_sense(point, round)
        yield from check_cell(group, round, point)


def faulty_sense(point, round):
    sense = 1 if point["fault"] == "no-reversal" else round % 2
    changes = [store("counter", 0), store("sense", sense)]
    if (yield fetch("counter", lambda before: before + 1 != point.groups)):
        yield spin("sense", lambda value: value == sense, behind(round))
    else:
        for change in reversed(changes) if point["fault"] == "late-reset" else changes:
            yield change


def barrier_flags(group, point):
    half = point.groups // 2 if point["fault"] == "shared-flags" else 0
    first, count = (0, half) if group < half else (half, point.groups - half)
    if min(half, point.groups - half) > 1:  # both sets have members that use a flag
        yield from shared_flags(group - first, first, count, point)
    else:
        for round in rounds_of(point):
            yield arrive(group, round)
            yield from flags(group - first, first, count, round)
    yield from doubt_if(point["fence"] != "both" and concurrent(point))


def flags(member, first, count, round):
    """A round of the members of a set; the first one is their master."""
    if member > 0:
        yield up_to(("in", first + member), round)
        yield Wait(("out", first + member), round, only(first))
        return
    for other in range(1, count):
        yield Wait(("in", first + other), round, only(first + other))
    for other in range(1, count):
        yield up_to(("out", first + other), round)


def shared_flags(member, first, count, point):
    """The same with flags that another set uses, too: they no longer only grow."""
    for round in rounds_of(point):
        if member > 0:
            yield store(("in", member), round)
            yield spin(("out", member), lambda value: value >= round, only(first))
            continue
        for other in range(1, count):
            yield spin(("in", other), lambda value: value >= round, only(first + other))
        for other in range(1, count):
            yield store(("out", other), round)
    yield bad("doubt")


def barrier_tree(group, point):
    if point["fault"] == "full-tree" and not is_full(point.groups, point["fanin"]):
        yield arrive(group, 1)
        yield Wait("never", 1, behind(1))
    else:
        yield from barrier(group, point)


def is_full(members, fanin):
    """Has each node of the tree as many members as it may have?"""
    while True:
        if members % fanin:
            return False
        members //= fanin
        if members == 1:
            return True


def barrier_dissemination(group, point):
    good_rounds = {"none": point.rounds, "no-sense": 2, "no-parity": 1}[point["fault"]]
    for round in rounds_of(point):
        if round > good_rounds and point.groups > 1:
            raise Uncertain("signals of different rounds look alike")
        yield arrive(group, round)
        distance = 1
        while distance < point.groups:
            sender = (group - distance) % point.groups
            yield up_to(("signal", (group + distance) % point.groups, distance), round)
            yield Wait(("signal", group, distance), round, only(sender))
            distance *= 2


def barrier_two_level(group, point):
    if point["fault"] == "none":
        yield from barrier(group, point)
        return
    size = point["cluster"]
    cluster, clusters = group // size, -(-point.groups // size)
    members = min(size, point.groups - cluster * size)
    for round in rounds_of(point):
        yield write_cell(group, round)
        yield arrive(group, round)
        if (yield fetch(("cluster", cluster), lambda before: before % members == 0)):
            yield add("arrivals")
        yield Wait("arrivals", round * clusters, behind(round))
        yield from check_cell(group, round, point)


def barrier_discovery(group, point):
    """Who takes part has started, so the barrier among these passes. With the poll open the first has left."""
    if point["fault"] == "none":
        return
    if (yield Race("first", lambda old: old or group + 1, result=lambda old: old != 0)):
        yield Wait("never", 1, lambda end: {end.word("first") - 1})
