"""Models of the kernels with locks and queues."""
from oracle.steps import (
    add, arrive, behind, concurrent, doubt_if, fetch, others, overlap, rounds_of, spin, store, take, Uncertain,
    up_to, Wait)


def waits_for_nobody(group, point):
    return
    yield


def correct_lock(group, point):
    """Who waits for it waits for its holder, or for those before it in a queue: these have started, and run on."""
    return
    yield


def lock_tas(group, point):
    if point["fault"] == "forgotten-unlock":
        for _ in rounds_of(point):
            yield take("lock", group)
            if (yield fetch("turns", lambda before: before > 0)):
                yield store("lock", 0)
        return
    if point["fault"] in ("early-unlock", "wrong-unlock"):
        yield from overlap(group, point)
    yield from doubt_if(point["fault"] != "none" and concurrent(point))


def lock_ticket(group, point):
    yield from doubt_if(point["fence"] != "both" and concurrent(point))


def semaphore(group, point):
    if point["fault"] != "none":
        yield from overlap(group, point)
        yield from doubt_if(concurrent(point))


def philosophers(group, point):
    """In order no circle can form; with naive the first round waits until each has its left fork."""
    if point["order"] == "try" and concurrent(point):
        raise Uncertain("forks may be given back for ever")
    if point["order"] != "naive":
        return
    left, right = ("fork", group), ("fork", (group + 1) % max(point.groups, 2))
    for round in rounds_of(point):
        yield take(left, group)
        yield arrive(group, round)
        if round == 1:
            yield add("holders")
            yield Wait("holders", point.groups, behind(1))
        yield take(right, group)
        yield store(right, 0)
        yield store(left, 0)


def queue_ring(group, point):
    """Positions are drawn; the word of a slot says whose turn it is: 2 * lap to put, 1 more to take."""
    slots, pairs = point["slots"], point.groups // 2
    if point["fault"] != "none":
        yield from overlap(group, point)
    for step in range(point.rounds * (1 if group < 2 * pairs else 2)):
        takes = takes_from_queue(group, pairs, step, point["roles"])
        position = yield fetch("head" if takes else "tail", lambda before: before)
        lap, slot = position // slots, ("slot", position % slots)
        if point["fault"] == "none":
            yield Wait(slot, 2 * lap + takes, others(group))
        else:
            needed = position + 1 - (0 if takes else slots)
            yield spin("tail" if takes else "head", lambda value: value >= needed, others(group))
        yield up_to(slot, 2 * lap + 1 + takes)
    yield from doubt_if(point["fault"] != "none" and concurrent(point))


def takes_from_queue(group, pairs, step, roles):
    if group >= 2 * pairs:
        return step % 2 == 1
    return {"alternate": group % 2 == 1, "producers-first": group >= pairs, "consumers-first": group < pairs}[roles]


def steal(group, point):
    """Who counts waits until all tasks are done, also those of groups that have not put theirs into their deque yet."""
    if point.get("fault", "none") != "none":
        yield from overlap(group, point)
        if concurrent(point):
            raise Uncertain("a task may be done twice")
    if point["termination"] == "count":
        yield add("dealt")
        yield Wait("dealt", point.groups, others(group))
