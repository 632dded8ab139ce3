"""All that can become of a launch on PoCL: which groups start, which wait in the end, and the verdict."""
import collections
import functools
from typing import NamedTuple

from oracle.steps import add, Change, Race, Uncertain, Wait


def deal(groups, threads):
    """The chunks of ids, [(first, behind the last)], in the order in which they are dealt to threads."""
    chunks, first = [], 0
    while first < groups:
        left = groups - first
        most = (32 if left <= 256 * threads * threads else 256) * threads
        chunks.append((first, first + min(most, -(-left // threads))))
        first = chunks[-1][1]
    return chunks


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
