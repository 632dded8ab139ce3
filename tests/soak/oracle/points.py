"""Points: kernels with their models and options, what is drawn for them, and the scenario files for it."""
import collections
import functools

from oracle.barriers import (
    barrier, barrier_central, barrier_discovery, barrier_dissemination, barrier_flags, barrier_sense, barrier_tree,
    barrier_two_level, handover_latency)
from oracle.launch import Launch, possible
from oracle.locks import (
    correct_lock, lock_tas, lock_ticket, philosophers, queue_ring, semaphore, steal, waits_for_nobody)
from oracle.steps import Uncertain
from oracle.waits import (
    event, handover, ping_pong, reduce_last, reduce_levels, scan_chained, scan_lookback, spin_late)


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
    "handover_latency": Kernel(handover_latency, place=["next"], pairs=["one", "all"], units=[1000],
                               payload=[0, 16, 128], fault=["none", "none", "no-write"]),
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
    """Each kernel once, in random order, then again; those that cannot stall only every third time."""
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
