#!/usr/bin/env python3
"""Shows that gridlock gives no false verdict on PoCL, whose scheduling is simple enough to know every verdict before.

What it proves. PoCL's CPU device runs as many work-groups at a time as it has worker threads, and deals the
groups' ids out by a fixed rule. So for each launch it can be computed, from that rule and from what the kernel's
groups wait for, whether it passes, and if not, which groups never start, which wait, and whether that is
`starved`, `deadlock` or `stalled`. This program draws points by lot (kernels, options, faults, group counts, local
sizes, rounds, seeds, delays, burners), computes their verdicts, lets gridlock run them for several numbers of
threads, half of them beside busy loops, and compares each launch in the run files. Nothing here depends on time.

How a verdict is computed.

  - PoCL (pthread, 3.1): `deal` has the rule. Chunks of consecutive ids are dealt in order; a thread runs the
    groups of its chunk one after another, each to its end, and then takes the next chunk. So a group that waits
    keeps its thread, and the rest of its chunk. POCL_DEVICES=basic is one thread. Of each launch the numbers of
    groups that started and that wait are compared, too, and of a stalled one, by its board, which ones: that tests the
    rule. So is the resident limit that gridlock measured of each kernel: it must be the number of threads.
  - Kernels: each has a model, a generator that yields what one group does with shared words, as steps: Change
    and Wait, for words that only grow, and Race, for all else. Models say what an algorithm promises, not how the
    kernel does it: a barrier is a count of arrivals; a correct lock is no step at all, because whoever holds it has
    started and runs on, so each of those that have started gets it in the end.
  - Steps other than Race lead to the same end in any order: what they can do, they can still do later, and
    chunks are dealt in order. So one order stands for all. Where groups race, all orders are tried
    (`Launch.explore`). A point whose orders end with different verdicts, or are too many, is left out, counted and
    listed. So is one whose fault only spoils data: whether that shows depends on time. With --several points with
    more than one possible verdict are run, too, and each launch must be as one of the possible ends.
  - At the end each group that waits is awaiting some others: starved if a chain of such waits leads to a group that
    never started; else deadlock if one leads back; else stalled.

The verdicts are written into the scenario files as their expectations, so gridlock's exit status is tested as well.
A launch that is `inconclusive` is neither right nor false: it is counted.

Exit status: 0 no false verdict; 1 there were some; 2 it could not be run.
"""
import argparse
import collections
import contextlib
import functools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from typing import Callable, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]

# --- PoCL ---


def deal(groups, threads):
    """The chunks of ids, [(first, behind the last)], in the order in which they are dealt to threads."""
    chunks, first = [], 0
    while first < groups:
        left = groups - first
        most = (32 if left <= 256 * threads * threads else 256) * threads
        chunks.append((first, first + min(most, -(-left // threads))))
        first = chunks[-1][1]
    return chunks


# --- what groups do ---


class Change(NamedTuple):
    """Changes a word that only grows, and does not look at it."""
    word: object
    new: Callable  # of the old value


class Wait(NamedTuple):
    """Waits until a word that only grows has reached a value; `awaited` tells from the end who could bring it about."""
    word: object
    value: int
    awaited: Callable


class Race(NamedTuple):
    """Reads and writes a word at once, as soon as it is `ready`; the order matters. The result is what the group makes
    of the old value: the less that is, the fewer states there are."""
    word: object
    new: Callable = lambda old: old
    ready: Callable = lambda old: True
    awaited: Callable = None
    result: Callable = lambda old: None


class Uncertain(Exception):
    """Says why a point has no certain verdict."""


def add(word):
    return Change(word, lambda old: old + 1)


def up_to(word, value):
    return Change(word, lambda old: max(old, value))


def arrive(group, round):
    """The group has come to this round, for those who wait for all."""
    return up_to(("round", group), round)


def bad(verdict):
    """What this launch is if it ends; `doubt`: that depends on time."""
    return up_to(("bad", verdict), 1)


def fetch(word, result):
    """Adds 1; `result` of the old value."""
    return Race(word, lambda old: old + 1, result=result)


def store(word, value):
    return Race(word, lambda old: value)


def spin(word, ready, awaited):
    return Race(word, lambda old: old, ready, awaited)


def take(lock, group):
    return Race(lock, lambda old: group + 1, lambda old: old == 0, lambda end: {end.word(lock) - 1})


def only(group):
    return lambda end: {group}


def behind(round):
    """All groups that have not arrived at this round."""
    return lambda end: {group for group in range(end.groups) if end.word(("round", group)) < round}


def others(group):
    """All others that have not ended."""
    return lambda end: set(range(end.groups)) - end.ended() - {group}


# --- all that can become of a launch ---


class State:
    """Of a launch between two steps: words, and of each chunk that was dealt and has not ended the present group."""

    def __init__(self, groups, chunks, threads):
        self.groups = groups
        self.chunks = chunks
        self.dealt = min(threads, len(chunks))
        self.present = {chunk: chunks[chunk][0] for chunk in range(self.dealt)}
        self.words = {}
        self.past = collections.defaultdict(lambda: (0, ()))  # of present groups: steps made, results of their races

    def copy(self):
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other.present, other.words, other.past = dict(self.present), dict(self.words), self.past.copy()
        return other

    def key(self):
        present = tuple(sorted(self.present.items()))
        return present, tuple(self.past[group] for _, group in present), frozenset(self.words.items())

    def word(self, word):
        return self.words.get(word, 0)

    def ended(self):
        running = [range(group, self.chunks[chunk][1]) for chunk, group in self.present.items()]
        return set(range(self.chunks[self.dealt - 1][1])).difference(*running)

    def end_group(self, chunk):
        """The thread goes on in its chunk, or takes the next one."""
        del self.past[self.present[chunk]]
        self.present[chunk] += 1
        if self.present[chunk] < self.chunks[chunk][1]:
            return
        del self.present[chunk]
        if self.dealt < len(self.chunks):
            self.present[self.dealt] = self.chunks[self.dealt][0]
            self.dealt += 1


class End(NamedTuple):
    verdict: str
    started: frozenset  # groups
    waiting: frozenset


class Launch:
    """A kernel's model, and the groups and threads that it runs with."""
    STATES_MOST = 2000

    def __init__(self, model, point):
        self.model = model
        self.point = point
        self.calm, self.raced = set(), set()  # words
        self.step = functools.lru_cache(maxsize=None)(self.find_step)

    def program(self, group):
        yield add("started")
        yield from self.model(group, self.point)

    def find_step(self, group, past):
        """What a group does next, given what it did; None: it ends."""
        steps, results = past
        program, results = self.program(group), iter(results)
        try:
            step = next(program)
            for _ in range(steps):
                step = program.send(next(results) if isinstance(step, Race) else None)
            return step
        except StopIteration:
            return None

    def go(self, state, chunk):
        """Makes the one step of a chunk's present group that needs no choice; False: there is none."""
        group = state.present[chunk]
        step = self.step(group, state.past[group])
        if step is None:
            state.end_group(chunk)
            return True
        if isinstance(step, Race) or (isinstance(step, Wait) and state.word(step.word) < step.value):
            return False
        self.calm.add(step.word)
        if isinstance(step, Change):
            state.words[step.word] = step.new(state.word(step.word))
        steps, results = state.past[group]
        state.past[group] = steps + 1, results
        return True

    def settle(self, state):
        moved = True
        while moved:
            moved = False
            for chunk in list(state.present):
                while chunk in state.present and self.go(state, chunk):
                    moved = True
        return state

    def race(self, state, chunk):
        """The state after a race is won by this chunk's present group, or None."""
        group = state.present[chunk]
        step = self.step(group, state.past[group])
        if not isinstance(step, Race):
            return None
        self.raced.add(step.word)
        old = state.word(step.word)
        if not step.ready(old):
            return None
        after = state.copy()
        after.words[step.word] = step.new(old)
        steps, results = state.past[group]
        after.past[group] = steps + 1, results + (step.result(old),)
        return self.settle(after)

    def races(self, state):
        """All states that may come next."""
        return [after for chunk in state.present if (after := self.race(state, chunk))]

    def explore(self):
        """All ends that there can be."""
        point = self.point
        first = self.settle(State(point.groups, deal(point.groups, point.threads), point.threads))
        ends, seen, ahead = set(), {first.key()}, [first]
        while ahead:
            state = ahead.pop()
            following = self.races(state)
            if not following:
                ends.add(self.end(state))
            for after in following:
                if (key := after.key()) not in seen:
                    seen.add(key)
                    ahead.append(after)
            if len(seen) > self.STATES_MOST:
                raise Uncertain("too many orders to try them all")
        assert self.calm.isdisjoint(self.raced), "a model treats a word both ways"
        return ends

    def end(self, state):
        waiting = set(state.present.values())
        started = state.ended() | waiting
        awaited = {group: self.step(group, state.past[group]).awaited(state) for group in waiting}
        verdict = judge(state, started, awaited) if waiting else judge_data(state)
        return End(verdict, frozenset(started), frozenset(waiting))


DATA = {"pass", "stale", "wrong"}  # verdicts of launches that end


def possible(ends):
    """Their verdicts. Models see a group's checks as one: where some may fail, any may."""
    verdicts = {end.verdict for end in ends}
    if "doubt" in verdicts or len(verdicts & DATA) > 1:
        return verdicts - {"doubt"} | DATA
    return verdicts


def judge_data(state):
    for verdict in ("doubt", "stale", "wrong"):
        if state.word(("bad", verdict)):
            return verdict
    return "pass"


def judge(state, started, awaited):
    """Where do chains of waits lead? `awaited`: of each group that waits, for whom."""
    deadlock = False
    for first in awaited:
        reached, ahead = set(), list(awaited[first])
        while ahead:
            group = ahead.pop()
            if group not in reached:
                reached.add(group)
                ahead.extend(awaited.get(group, ()))
        if not reached <= started:
            return "starved"
        deadlock = deadlock or first in reached
    return "deadlock" if deadlock else "stalled"


# --- models: barriers ---


def rounds_of(point):
    return range(1, point.rounds + 1)


def concurrent(point):
    """Two groups may run at a time."""
    return min(point.groups, point.threads) > 1


def doubt_if(condition):
    if condition:
        yield bad("doubt")


def overlap(group, point):
    """Faults that are races first wait until a second group has started."""
    yield Wait("started", min(point.groups, 2), others(group))


def barrier(group, point, rounds=None):
    """Any barrier: nobody goes on before all have arrived."""
    for round in rounds_of(point) if rounds is None else rounds:
        yield arrive(group, round)
        yield add("arrivals")
        yield Wait("arrivals", round * point.groups, behind(round))


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


# --- models: who waits for whom ---


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


# --- models: locks and queues ---


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


def reduce_last(group, point):
    if point["fault"] == "no-reset":
        yield bad("wrong")  # in the second pass nobody is the last
    yield from doubt_if(point["fault"] == "no-fence" and concurrent(point))


# --- points ---


class Kernel:
    """A model, and what is drawn for it: its options and parameters, and what it does not share with all kernels. Each
    is a list of values (what stands there more often is drawn more often), or a function of the generator and the
    number of threads. `large`: it is also tried with many more groups than threads."""

    def __init__(self, model, large=True, **axes):
        self.model = model
        self.large = large
        self.axes = axes


ACCESS = ["plain", "volatile", "atomic"]
FENCE = ["both", "both", "both", "both", "acquire", "release", "none"]
ITEMS = [1, 63, 1000, 5000]
TYPE = ["int", "long", "float"]
OP = ["sum", "product", "min", "max"]
PAIRING = ["adjacent", "chunked", "random"]


def any_group(lots, threads):
    return lots.randint(0, 4 * threads)


def some_waiters(lots, threads):
    return lots.choice([1, 1, threads, threads + 1, any_group(lots, threads)])


def barrier_faults(*faults):
    return ["none"] * (len(faults) + 1) + list(faults)


KERNELS = {
    "barrier_central": Kernel(barrier_central, access=ACCESS, fence=FENCE, silent=[0, 0, 0, 1],
                              fault=barrier_faults("reset-race", "unequal-rounds", "unequal-rounds")),
    "barrier_sense": Kernel(barrier_sense, access=ACCESS, fault=barrier_faults("no-reversal", "late-reset")),
    "barrier_flags": Kernel(barrier_flags, access=ACCESS, fence=FENCE, fault=barrier_faults("shared-flags")),
    "barrier_tree": Kernel(barrier_tree, access=ACCESS, fanin=[2, 3, 4, 8], fault=["none", "none", "full-tree"]),
    "barrier_dissemination": Kernel(barrier_dissemination, access=ACCESS,
                                    fault=barrier_faults("no-sense", "no-parity")),
    "barrier_two_level": Kernel(barrier_two_level, access=ACCESS, cluster=[1, 2, 3, 4, 100],
                                fault=["none", "none", "first-arriver"]),
    "barrier_discovery": Kernel(barrier_discovery, access=ACCESS, fault=["none", "open-poll"]),
    "barrier_units": Kernel(barrier, access=ACCESS, units=[1, 2, 3, 5], silent=[0, 0, 1]),
    "barrier_kernels": Kernel(waits_for_nobody, access=ACCESS),
    "spin_late": Kernel(spin_late, large=False, order=["id", "id", "start"], waiters=some_waiters,
                        late=any_group, lot=[0, 0, 1], fault=["none", "no-store"]),
    "event": Kernel(event, access=ACCESS, setter=[0, 0, 30, 50, 100]),
    "handover": Kernel(handover, direction=["up", "down"], pairing=PAIRING, access=ACCESS),
    "ping_pong": Kernel(ping_pong, pairing=PAIRING, access=ACCESS),
    "scan_chained": Kernel(scan_chained, type=TYPE, order=["id", "ticket", "reverse"], items=ITEMS,
                           fault=["none", "none", "none", "publish-early"]),
    "scan_lookback": Kernel(scan_lookback, large=False, type=TYPE, order=["id", "ticket", "reverse"],
                            fallback=["no", "no", "yes"], patience=[1, 100], items=ITEMS),
    "scan_group": Kernel(waits_for_nobody, type=TYPE, algorithm=["naive", "blelloch"]),
    "reduce_levels": Kernel(reduce_levels, type=TYPE, op=OP, parent=["low", "high"], finish=["device", "host"],
                            unlock=["every", "every", "last"], fan=[2, 3, 8], items=ITEMS),
    "reduce_atomic": Kernel(waits_for_nobody, type=TYPE, op=OP, items=ITEMS),
    "reduce_last": Kernel(reduce_last, type=TYPE, op=OP, items=ITEMS,
                          fault=["none", "none", "no-fence", "no-reset"]),
    "reduce_partials": Kernel(waits_for_nobody, type=TYPE, op=OP, items=ITEMS),
    "reduce_stages": Kernel(waits_for_nobody, type=TYPE, op=OP, items=ITEMS),
    "dot_product": Kernel(waits_for_nobody, type=TYPE, finish=["host", "local"], items=ITEMS),
    "lock_tas": Kernel(lock_tas, large=False, test=["no", "yes"], backoff=["no", "yes"], access=ACCESS,
                       fault=["none"] * 3 + ["forgotten-unlock"] * 3 + ["no-fence", "early-unlock", "wrong-unlock"]),
    "lock_ticket": Kernel(lock_ticket, large=False, access=ACCESS, fence=FENCE),
    "lock_array": Kernel(correct_lock, large=False, access=ACCESS),
    "lock_mcs": Kernel(correct_lock, large=False, access=ACCESS),
    "lock_items": Kernel(correct_lock, large=False, form=["loop-exit", "inside"], access=ACCESS,
                         sharing=[1, 2, 100], rounds=[1], jitter=[0], uneven=[0]),  # each work-item hands it on
    "semaphore": Kernel(semaphore, large=False, permits=[1, 2, 3, 100], fault=["none", "none", "torn-take"]),
    "philosophers": Kernel(philosophers, large=False, order=["ordered", "naive", "naive", "try"], access=ACCESS),
    "queue_ring": Kernel(queue_ring, large=False, roles=["alternate", "producers-first", "consumers-first"],
                         access=ACCESS, slots=[1, 2, 4, 64], fault=["none", "none", "none", "no-sequence"]),
    "steal_locked": Kernel(steal, large=False, termination=["empty", "count"], access=ACCESS, children=[0, 1, 2],
                           batch=[1, 2, 3]),
    "steal_chase_lev": Kernel(steal, large=False, termination=["empty", "count"], access=ACCESS, children=[0, 1, 2],
                              batch=[1, 2, 3], fault=["none", "none", "no-last-exchange"]),
}

# Options that decide who waits for whom.
DECISIVE = ["order", "direction", "pairing", "parent", "unlock", "fallback", "roles", "termination", "fault"]


class Point:
    """What the verdict of a launch depends on. `own`: the kernel's own options and parameters."""

    def __init__(self, kernel, groups, threads, rounds, seed, own):
        self.kernel, self.groups, self.threads, self.rounds, self.seed, self.own = (
            kernel, groups, threads, rounds, seed, dict(own))

    def __getitem__(self, name):
        return self.own[name]

    def get(self, name, default):
        return self.own.get(name, default)


@functools.lru_cache(maxsize=None)
def predict(kernel, groups, threads, rounds, seed, own):
    """The ends that a launch may have, and None; or None, and why they are not known."""
    point = Point(kernel, groups, threads, rounds, seed, own)
    try:
        return Launch(KERNELS[kernel].model, point).explore(), None
    except Uncertain as reason:
        return None, str(reason)


class Scenario:
    """One file: a kernel, one value for each axis, and several group counts."""

    def __init__(self, name, kernel, threads, own, build, run):
        self.name, self.kernel, self.threads = name, kernel, threads
        self.axes = {name: own.get(name, value) for name, value in {**build, **run}.items()}
        self.own = {name: value for name, value in own.items() if name not in self.axes}  # options and parameters
        self.ends = {}      # of each group count that is run
        self.left_out = {}  # of each other one: why
        self.drawn = self.own.get("pairing") == "random" or bool(self.own.get("lot"))
        if self.drawn:
            self.axes["iterations"] = 1  # a further launch would have another seed, and perhaps another verdict

    def predict_one(self, groups, seed):
        return predict(self.kernel, groups, self.threads, self.axes["rounds"], seed if self.drawn else 0,
                       tuple(self.own.items()))

    def ends_of(self, launch):
        """Of a launch in a run file, which in a later batch has a seed of its own."""
        if self.drawn and launch["sequence"] > 0:
            return self.predict_one(launch["groups"], launch["launch_seed"])[0]
        return self.ends[launch["groups"]]

    def predict(self, counts, several):
        """`several`: points that may have more than one verdict are run, too."""
        for groups in counts:
            ends, reason = self.predict_one(groups, self.axes["seed"])
            if ends is not None and len(possible(ends)) > 1 and not several:
                reason = "depends on time: " + " or ".join(sorted(possible(ends)))
            if reason is None:
                self.ends[groups] = ends
            else:
                self.left_out[groups] = reason

    def expected(self, groups):
        return " or ".join(sorted(possible(self.ends[groups])))

    def rule(self):
        """What is expected, as short as it can be said."""
        expected = {groups: self.expected(groups) for groups in self.ends}
        usual = collections.Counter(expected.values()).most_common(1)[0][0]
        clauses = [f"{verdicts} when groups = {groups}" for groups, verdicts in expected.items() if verdicts != usual]
        return ";\n    ".join(clauses + [f"{usual} otherwise"])

    def text(self):
        axes = {"groups": ", ".join(map(str, self.ends)), **self.axes, **self.own}
        return (f"[scenario]\nkernel = {self.kernel}\npurpose = soak\nteaches = soak\n\n[sweep]\n"
                + "".join(f"{name} = {value}\n" for name, value in axes.items())
                + f"\n[expect]\nverdict = {self.rule()}\n")

    def variant(self):
        """The kernel, and those of its options that decide who waits for whom."""
        return " ".join([self.kernel] + [f"{name}={self.own[name]}" for name in DECISIVE
                                         if self.own.get(name, "none") != "none"])

    def __str__(self):
        own = " ".join(f"{name}={value}" for name, value in self.own.items())
        return f"{self.kernel} {own} rounds={self.axes['rounds']}"


def draw_own(lots, kernel, threads):
    return {name: lots.choice(values) if isinstance(values, list) else values(lots, threads)
            for name, values in kernel.axes.items()}


def draw_build(lots):
    return {"local-size": lots.choice([1, 3, 16, 64]), "dialect": lots.choice(["cl30", "cl30", "cl12"]),
            "poll": lots.choice(["load", "load", "rmw", "volatile"])}


def draw_run(lots, local_size):
    """Delays are in polls of each work-item, which all run on one thread."""
    return {"rounds": lots.choice([1, 2, 3, 5]), "iterations": lots.choice([1, 2, 3]),
            "seed": lots.randrange(1 << 32), "jitter": lots.choice([0, 0, 200, 5000]) // local_size,
            "uneven": lots.choice([0, 0, 0, 300]) // local_size, "burners": lots.choice([0, 0, 0, 1, 2])}


def draw_groups(lots, threads, large):
    """Counts around the limit, some up to four times as many, and perhaps one where chunks have their largest size."""
    edges = {1, threads - 1, threads, threads + 1, 2 * threads, 2 * threads + 1}
    counts = set(lots.sample(sorted(edges), 3)) | {lots.randint(1, max(6, 4 * threads)) for _ in range(5)}
    if large and lots.random() < 0.2:
        counts.add(lots.choice([33, 65, 257]) * threads + lots.randint(0, threads))
    return sorted(counts - {0})


def draw_kernels(lots, names):
    """Each kernel once, in an order drawn by lot, then again; those that cannot stall only every third time."""
    while True:
        for turn in range(3):
            deck = [name for name in names if turn == 2 or KERNELS[name].model is not waits_for_nobody]
            yield from lots.sample(deck, len(deck))


def draw_scenarios(lots, threads, trials, names, several):
    """Scenarios until they have so many points; two for each build, which takes longer than a launch."""
    scenarios, points, kernels = [], 0, draw_kernels(lots, names)
    while points < trials:
        name = next(kernels)
        kernel = KERNELS[name]
        build, own = draw_build(lots), draw_own(lots, kernel, threads)
        for _ in range(2):
            scenario = Scenario(f"s{len(scenarios):05}", name, threads, own, build,
                                draw_run(lots, build["local-size"]))
            scenario.predict(draw_groups(lots, threads, kernel.large)[:trials - points], several)
            scenarios.append(scenario)
            points += len(scenario.ends)
    return scenarios


# --- running ---

# Ends with its parent, whatever becomes of that.
BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]):\n    sum(range(100000))\n"

DEVICE_VARIABLES = re.compile(r"^(OCL|OPENCL|POCL|GRIDLOCK)")


@contextlib.contextmanager
def busy_loops(count):
    processes = [subprocess.Popen([sys.executable, "-c", BUSY, str(os.getpid())]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def environment(folder, device):
    """`device`: a number of threads, or basic."""
    variables = {name: value for name, value in os.environ.items() if not DEVICE_VARIABLES.match(name)}
    cache = folder / "cache"
    cache.mkdir(exist_ok=True)
    variables.update(POCL_CACHE_DIR=str(cache), XDG_CACHE_HOME=str(cache), XDG_STATE_HOME=str(folder / "state"))
    variables.update({"POCL_DEVICES": "basic"} if device == "basic" else {"POCL_MAX_PTHREAD_COUNT": device})
    return variables


class Failure(Exception):
    """gridlock did not run."""


class Batch(NamedTuple):
    """Scenarios that are run by one command."""
    device: str
    number: int
    scenarios: list
    busy: int  # loops beside it

    def run(self, program, folder):
        """Returns the run file, the exit status, and the seconds that it took."""
        home = folder / f"{self.device}-{self.number}"
        home.mkdir()
        files = []
        for scenario in self.scenarios:
            files.append(home / f"{scenario.name}.ini")
            files[-1].write_text(scenario.text(), encoding="ascii")
        run_file = home / "run.gridlock"
        command = [program, "run", *map(str, files), "-d", "pocl", "-o", str(run_file), "--format", "json", "-q"]
        began = time.monotonic()
        with busy_loops(self.busy):
            result = subprocess.run(command, env=environment(folder, self.device), stdin=subprocess.DEVNULL,
                                    capture_output=True, text=True, check=False)
        if result.returncode not in (0, 1):
            raise Failure(f"{program} run ended with {result.returncode} in {home}:\n{result.stderr[-2000:]}")
        json.loads(result.stdout)  # ValueError: it printed none
        return run_file, result.returncode, time.monotonic() - began


# --- comparing ---

# The board's layout, as kernels/abi.h has it.
CONTROL_WORDS, ENTRY_WORDS, TICKET, PHASE, WAITING = 320, 32, 0, 1, 2

QUERY = """SELECT t.*, o.*, o.seed AS launch_seed, v.verdict FROM trial t JOIN observation o ON o.trial = t.id
    JOIN verdict v ON v.trial = o.trial AND v.launch = o.launch WHERE t.estimator = 'work' ORDER BY t.id, o.launch"""


class Tally:
    """What came of the trials of one row of the table."""

    def __init__(self):
        self.trials = self.launches = self.inconclusive = self.boards = self.retries = 0
        self.seconds = 0.0
        self.verdicts = collections.Counter()
        self.false = collections.Counter()  # sentences: of how many launches

    def add(self, other):
        for name, value in vars(other).items():
            if isinstance(value, collections.Counter):
                getattr(self, name).update(value)
            else:
                setattr(self, name, getattr(self, name) + value)


def board_groups(blob, groups):
    """Which groups had started, and which of them waited, as a stored board says."""
    count, = struct.unpack_from("<I", blob)
    words = struct.unpack(f"<{count}I", zlib.decompress(blob[4:]))
    started = {g for g in range(groups) if words[CONTROL_WORDS + g * ENTRY_WORDS + TICKET]}
    return started, {g for g in started if words[CONTROL_WORDS + g * ENTRY_WORDS + PHASE] == WAITING}


def wrong_evidence(launch, ends):
    """Why the facts of a launch with the right verdict fit none of its possible ends, or None."""
    if (launch["started"], launch["waiting"]) not in {(len(end.started), len(end.waiting)) for end in ends}:
        return f"{launch['started']} started and {launch['waiting']} waiting"
    if launch["board"] is not None and launch["verdict"] in ("starved", "deadlock", "stalled"):
        started, waiting = board_groups(launch["board"], launch["groups"])
        if not any(end.started == started and end.waiting == waiting for end in ends):
            return f"groups {sorted(started)} started and {sorted(waiting)} wait"
    never = launch["never_started"]
    if never is not None and all(never in end.started for end in ends):
        return f"group {never} as one that never started"
    return None


def wrong_point(launch, scenario):
    """What was run is what was asked for?"""
    columns = {"rounds": "rounds", "local-size": "local_size", "dialect": "dialect", "iterations": "repeats",
               "seed": "seed", "jitter": "jitter", "uneven": "uneven", "burners": "burners"}
    if launch["sequence"] > 0:
        del columns["seed"]
    for axis, column in columns.items():
        if launch[column] != scenario.axes[axis]:
            return f"{column} {launch[column]} for {axis} = {scenario.axes[axis]}"
    if launch["resident"] != scenario.threads:
        return f"a resident limit of {launch['resident']} on {scenario.threads} threads"
    return None


def compare_launch(launch, scenario, tally):
    groups, got = launch["groups"], launch["verdict"]
    all_ends = scenario.ends_of(launch)
    ends = [end for end in all_ends if got == end.verdict or {got, end.verdict} <= DATA | {"doubt"}]
    tally.launches += 1
    tally.verdicts[got] += 1
    wrong = wrong_point(launch, scenario)
    if got == "inconclusive":
        tally.inconclusive += 1
    elif got not in possible(all_ends):
        wrong = wrong or got
    else:
        tally.boards += launch["board"] is not None
        wrong = wrong or wrong_evidence(launch, ends)
    if wrong:
        tally.false[f"{launch['name']} ({scenario}): expected {scenario.expected(groups)}, got {wrong}"] += 1


def compare(batch, run_file, status):
    """Each launch of a run file with what was predicted for it."""
    tally = Tally()
    scenarios = {scenario.name: scenario for scenario in batch.scenarios}
    missing_points = {(s.name, groups) for s in batch.scenarios for groups in s.ends}
    trials = set()
    with contextlib.closing(sqlite3.connect(f"file:{run_file}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        for launch in connection.execute(QUERY):
            compare_launch(launch, scenarios[launch["scenario"]], tally)
            missing_points.discard((launch["scenario"], launch["groups"]))
            trials.add((launch["scenario"], launch["groups"], launch["trial"]))
    points = len({trial[:2] for trial in trials})
    tally.trials, tally.retries = points, len(trials) - points
    tally.false.update(f"{name} groups={groups} ({scenarios[name]}): was not run" for name, groups in missing_points)
    if status != 0 and not tally.false and not tally.inconclusive:
        tally.false[f"exit status {status} of {run_file.parent.name}, although each verdict is as predicted"] += 1
    return tally


# --- reporting ---

HEADING = "threads    load  trials  launches  boards  false  inconclusive  retries  trials/s"


def print_row(device, load, tally):
    rate = tally.trials / tally.seconds if tally.seconds else 0
    print(f"{device:>7} {load:>7} {tally.trials:7} {tally.launches:9} {tally.boards:7} {sum(tally.false.values()):6} "
          f"{tally.inconclusive:13} {tally.retries:8} {rate:9.1f}", flush=True)


def print_kernels(scenarios):
    """What was covered: expected launches of each variant of a kernel."""
    counts = collections.defaultdict(collections.Counter)
    for scenario in scenarios:
        for groups in scenario.ends:
            counts[scenario.variant()][scenario.expected(groups)] += scenario.axes["iterations"]
    print("\nlaunches expected, by variant")
    for variant, verdicts in sorted(counts.items()):
        print(f"  {variant:58}  " + "  ".join(f"{verdict} {count}" for verdict, count in sorted(verdicts.items())))


def print_left_out(scenarios, verbose):
    """How many points of each variant have no certain verdict, and why; with --verbose each of them."""
    counts = collections.Counter()
    for scenario in scenarios:
        for groups, reason in scenario.left_out.items():
            counts[scenario.variant(), reason] += 1
            if verbose:
                print(f"left out: {scenario} groups={groups} threads={scenario.threads}: {reason}")
    print(f"\nleft out: {sum(counts.values())} points")
    for (variant, reason), count in sorted(counts.items()):
        print(f"  {variant:58}  {count:5}  {reason}")


# --- main ---


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gridlock", default=str(ROOT / "build" / "gridlock"), metavar="PATH")
    parser.add_argument("--trials", type=int, default=1000,
                        help="points to run, all thread counts together (%(default)s)")
    parser.add_argument("--threads", default="1,2,3,4,8,basic", metavar="LIST",
                        help="PoCL's worker threads, and basic for its device with one (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn by lot (%(default)s)")
    parser.add_argument("--kernels", default=",".join(KERNELS), metavar="LIST", help="(default: all that have a model)")
    parser.add_argument("--several", action="store_true",
                        help="also run points that may have several verdicts: each launch must be one of these")
    parser.add_argument("--keep", action="store_true", help="keep scenario and run files also if nothing is false")
    parser.add_argument("--verbose", action="store_true", help="list each point that is left out")
    arguments = parser.parse_args()
    for name in arguments.kernels.split(","):
        if name not in KERNELS:
            parser.error(f"no model of a kernel {name}")
    return arguments


def make_batches(lots, device, scenarios, size=50):
    """Every second one runs beside busy loops."""
    scenarios = [scenario for scenario in scenarios if scenario.ends]
    size = max(1, min(size, -(-len(scenarios) // 2)))
    starts = range(0, len(scenarios), size)
    return [Batch(device, number, scenarios[start:start + size], lots.randint(2, 4) if number % 2 else 0)
            for number, start in enumerate(starts)]


def run_device(lots, device, trials, arguments, folder, total):
    """All points for one number of threads: prints two rows, and returns the scenarios."""
    threads = 1 if device == "basic" else int(device)
    scenarios = draw_scenarios(lots, threads, trials, arguments.kernels.split(","), arguments.several)
    rows = {"idle": Tally(), "busy": Tally()}
    for batch in make_batches(lots, device, scenarios):
        run_file, status, seconds = batch.run(arguments.gridlock, folder)
        tally = compare(batch, run_file, status)
        tally.seconds = seconds
        rows["busy" if batch.busy else "idle"].add(tally)
        for sentence, launches in tally.false.items():
            print(f"FALSE threads={device} busy={batch.busy} batch={batch.number}, {launches} launches: {sentence}")
    for load, tally in rows.items():
        print_row(device, load, tally)
        total.add(tally)
    return scenarios


def soak(arguments, folder):
    lots = random.Random(arguments.seed)
    devices = arguments.threads.split(",")
    total, scenarios = Tally(), []
    print(HEADING)
    for number, device in enumerate(devices):
        trials = (arguments.trials * (number + 1)) // len(devices) - (arguments.trials * number) // len(devices)
        scenarios += run_device(lots, device, trials, arguments, folder, total)
    print_row("all", "", total)
    print("\nverdicts: " + ", ".join(f"{count} {verdict}" for verdict, count in total.verdicts.most_common()))
    print_kernels(scenarios)
    print_left_out(scenarios, arguments.verbose)
    return sum(total.false.values())


def main():
    arguments = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gridlock-soak-"))
    status = 2
    try:
        status = 1 if soak(arguments, folder) else 0
    except (Failure, OSError, ValueError) as failure:
        print(f"pocl_oracle: {failure}", file=sys.stderr)
    finally:
        if status == 0 and not arguments.keep:
            shutil.rmtree(folder)
        else:
            print(f"pocl_oracle: scenario and run files are in {folder}", file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main()
