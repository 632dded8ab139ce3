"""Models of the kernels whose groups wait for certain other ones: events, hand-overs, scans, reductions."""
from oracle.steps import (
    add, arrive, bad, concurrent, doubt_if, fetch, only, others, Race, rounds_of, spin, store, up_to, Wait)


def uint(value):
    return value & 0xffffffff


def scatter_bits(x):
    """The kernels' hash (gl_hash), by which they draw lots."""
    x = uint((x ^ x >> 16) * 0x7feb352d)
    x = uint((x ^ x >> 15) * 0x846ca68b)
    return x ^ x >> 16


def spin_late(group, point):
    waiters, last = point["waiters"], point.groups - 1
    late = min(point["late"], last)
    if point["lot"] and waiters <= last:
        late = waiters + scatter_bits(point.seed) % (point.groups - waiters)

    def role(number):
        return "late" if number == late else "waiter" if number < waiters else "other"

    by_start = point["order"] == "start"
    part = (yield fetch("ticket", role)) if by_start else role(group)
    if part == "late" and point["fault"] == "none":
        yield up_to("flag", 1)
    elif part == "waiter":
        yield Wait("flag", 1, others(group) if by_start else only(late))


def event(group, point):
    setter = (point.groups - 1) * point["setter"] // 100
    for round in rounds_of(point):
        yield up_to("event", round) if group == setter else Wait("event", round, only(setter))


def feistel(x, bits, keys):
    left, right = x >> bits, x & ((1 << bits) - 1)
    for key in keys:
        left, right = right, left ^ (scatter_bits(uint(right + scatter_bits(uint(key)))) & ((1 << bits) - 1))
    return right << bits | left


def shuffled(place, point, undo):
    """Who is at this place after the shuffle by the seed, or (undo) at which place this group is."""
    keys = [4 * point.seed + i for i in range(4)]
    bits = 0
    while 1 << 2 * bits < point.groups:
        bits += 1
    while True:
        place = feistel(place, bits, keys[::-1] if undo else keys)
        if place < point.groups:
            return place


def partner_of(group, point):
    """The other one of its pair, or None."""
    pairs = point.groups // 2
    if point["pairing"] == "chunked":
        return None if group >= 2 * pairs else group + pairs if group < pairs else group - pairs
    if point["pairing"] == "adjacent":
        return group ^ 1 if group ^ 1 < point.groups else None
    place = shuffled(group, point, undo=True) ^ 1
    return shuffled(place, point, undo=False) if place < point.groups else None


def handover(group, point):
    partner = partner_of(group, point)
    if partner is None:
        return
    produces = group < partner if point["direction"] == "up" else group > partner
    for round in rounds_of(point):
        yield up_to(("flag", group), round) if produces else Wait(("flag", partner), round, only(partner))


def ping_pong(group, point):
    partner = partner_of(group, point)
    if partner is None:
        return
    ball = ("ball", min(group, partner))
    for turn in range(group > partner, 2 * point.rounds, 2):
        yield Wait(ball, turn, only(partner))
        yield up_to(ball, turn + 1)


def block_owner(block, point):
    return point.groups - 1 - block if point["order"] == "reverse" else block


def scan_chained(group, point):
    yield from doubt_if(point["fault"] != "none" and concurrent(point))
    if point["order"] == "ticket":
        return  # the blocks before belong to groups that have started
    block = block_owner(group, point)  # it undoes itself
    if block > 0:
        yield Wait(("block", block - 1), 1, only(block_owner(block - 1, point)))
    yield up_to(("block", block), 1)


def scan_lookback(group, point):
    """Who finds a whole prefix looks back no further; but then all blocks before it have published, too."""
    if point["order"] == "ticket" or point["fallback"] == "yes":
        return
    block = block_owner(group, point)
    yield up_to(("block", block), 1)
    for before in range(block - 1, -1, -1):
        yield Wait(("block", before), 1, only(block_owner(before, point)))


def reduce_levels(group, point):
    """A parent waits for its children; its own child, which only node 0 has, is itself."""
    def turned(node):
        return point.groups - 1 - node if point["parent"] == "high" else node
    fan, node, nodes, level = point["fan"], turned(group), point.groups, 1
    most = fan if point["finish"] == "host" else 1
    while True:
        yield arrive(group, level)
        parents = -(-nodes // fan)
        children = [child for child in range(node * fan, min(node * fan + fan, nodes)) if child != node]
        if nodes <= most:
            return
        if point["unlock"] == "every":
            yield from unlock_parent(node, fan, level)
            if node < parents:
                yield Wait(("lock", level, node), len(children), missing(level, [turned(i) for i in children]))
        else:
            yield from unlock_by_last(node, nodes, parents, point, level, turned, children)
        if node >= parents:
            return
        nodes, level = parents, level + 1


def missing(level, groups):
    return lambda end: {group for group in groups if end.word(("round", group)) < level}


def unlock_parent(node, fan, level):
    if node // fan != node:
        yield add(("lock", level, node // fan))


def unlock_by_last(node, nodes, parents, point, level, turned, children):
    """The fault: the last child alone unlocks, and the parent locks before it waits."""
    parent, fan = node // point["fan"], point["fan"]
    if node == min((parent + 1) * fan, nodes) - 1 and parent != node:
        yield Race(("lock", level, parent), lambda old: old + 1)
    if node < parents:
        lock = ("lock", level, node)
        yield store(lock, 0)
        yield spin(lock, lambda value: value >= 1, only(turned(children[-1])))
        if len(children) != 1:
            yield bad("wrong")  # one unlock vouches for one child


def reduce_last(group, point):
    if point["fault"] == "no-reset":
        yield bad("wrong")  # in the second pass nobody is the last
    yield from doubt_if(point["fault"] == "no-fence" and concurrent(point))
