"""What a group does with shared words, as steps of a model, and what models share."""
from typing import Callable, NamedTuple


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

# --- what models share ---


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
