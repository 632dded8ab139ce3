"""Scenarios on PoCL, whose CPU device runs as many groups as it has threads: each point must come out as computed."""
import collections
import re
import signal
import sqlite3

import gridlock_test
import stored_board
from gridlock_test import EXIT_USAGE, scenario_text
from run_builder import ABI

EXIT_SURPRISE, EXIT_STOPPED, EXIT_INTERRUPTED = 1, 75, 130

SCENARIOS = ("barrier_central", "lock_tas", "handover_down", "reduce_levels", "philosophers_naive",
             "mutant_unequal_rounds", "beside_second_queue", "publish_rounds")

# Pairs drawn by lot: the soak test computes them.
LEFT_OUT = ("-x", "pairing=random")

# What became of each point: its last batch of launches, as earlier ones were undecided.
POINTS = """
SELECT t.*, rtrim(rtrim(t.name, '0123456789'), '#') AS identity, group_concat(DISTINCT v.verdict) AS verdicts,
       count(*) AS launches
FROM trial t JOIN verdict v ON v.trial = t.id
WHERE t.estimator = 'work'
GROUP BY t.id ORDER BY t.id"""

TOTALS = re.compile(r"(?m)^(\d+) points? of (\d+) scenarios? in (\d+) trials?, (\d+) launch(?:es)?:\n"
                    r"(\d+) as predicted, (\d+) surprises?, (\d+) not predicted, (\d+) undecided, (\d+) unsupported$")


# --- what must come out

def deal(groups, threads):
    """PoCL deals its threads chunks of consecutive ids, and a thread runs its chunk in order. (So few groups that no
    chunk reaches PoCL's bound, and no thread comes to a second one.)"""
    chunks, first = [], 0
    while first < groups:
        chunks.append(range(first, first + -(-(groups - first) // threads)))
        first = chunks[-1].stop
    return chunks


def comes_through(groups, threads, steps):
    """Do all groups end? Each makes its steps in order. A step is a list of (group, how many steps it must have made).
    A group whose step cannot be made keeps its thread, and those behind it in its chunk never start."""
    made = [-1] * groups  # -1: not started
    moved = True
    while moved:
        moved = False
        for chunk in deal(groups, threads):
            for group in chunk:
                before = made[group]
                made[group] = max(0, before)
                while made[group] < len(steps[group]) and all(made[other] >= count
                                                              for other, count in steps[group][made[group]]):
                    made[group] += 1
                moved = moved or made[group] != before
                if made[group] < len(steps[group]):
                    break
    return made == [len(own) for own in steps]


def passes_or_starves(*case):
    return "pass" if comes_through(*case) else "starved"


def handover_steps(groups, pairing):
    """The lower id of a pair waits until the higher one has started, which then goes on."""
    steps = [[] for _ in range(groups)]
    for first in range(groups // 2):
        low, high = (2 * first, 2 * first + 1) if pairing == "adjacent" else (first, first + groups // 2)
        steps[low] = [[(high, 0)]]
    return steps


def tree_steps(groups, finish):
    """Node p of a level waits for nodes 2p and 2p + 1 of the level below; group p makes all nodes p."""
    steps = [[] for _ in range(groups)]
    nodes, level = groups, 0
    while nodes > (2 if finish == "host" else 1):
        below, nodes = nodes, -(-nodes // 2)
        for node in range(nodes):
            steps[node].append([(child, level) for child in (2 * node, 2 * node + 1) if node != child < below])
        level += 1
    return steps


def counts(threads, *more):
    """Groups from 1 to just above the limit, and `more`."""
    return sorted({1, threads, threads + 1, *more} - {0})


def verdict_of_mutant(groups, threads):
    return "wrong" if groups == 1 else "stalled" if groups <= threads else "starved"


def verdict_of_philosophers(groups, threads):
    return "pass" if groups == 1 else "deadlock" if groups <= threads else "starved"


def expected_points(threads):
    """{id: verdict} of all points of SCENARIOS on a device of so many threads, but those LEFT_OUT."""
    points = {}
    barrier = {groups: "pass" if groups <= threads else "starved" for groups in range(1, 2 * threads + 1)}
    for groups in counts(threads, threads - 1, 2 * threads):
        for size in (1, 64):
            points[f"barrier_central/cl30/l{size}/g{groups}"] = barrier[groups]
        for finish in ("device", "host"):
            points[f"reduce_levels/cl30/l64/items=100003,fan=2,finish={finish}/g{groups}"] = passes_or_starves(
                groups, threads, tree_steps(groups, finish))
    for groups in counts(threads, 2 * threads):
        for test in ("no", "yes"):
            points[f"lock_tas/cl30/l64/rounds=3,test={test}/g{groups}"] = "pass"
        for pairing in ("adjacent", "chunked"):
            points[f"handover_down/cl30/l64/rounds=3,direction=down,pairing={pairing}/g{groups}"] = passes_or_starves(
                groups, threads, handover_steps(groups, pairing))
        points[f"philosophers_naive/cl30/l64/rounds=3,order=naive/g{groups}"] = verdict_of_philosophers(groups, threads)
    for groups in counts(threads):
        for size in (1, 64):
            points[f"mutant_unequal_rounds/cl30/l{size}/rounds=3,fault=unequal-rounds/g{groups}"] = verdict_of_mutant(
                groups, threads)
        for rounds in (2, 3, 8, 64):
            points[f"publish_rounds/cl12/l64/rounds={rounds},access=plain/g{groups}"] = barrier[groups]
    for groups in counts(threads, threads - 1):
        for held in {0, min(1, threads - 1)}:  # with one thread nothing would be left
            points[f"beside_second_queue/cl30/l64/held={held}/g{groups}"] = barrier[min(groups + held, threads + 1)]
    return points


class Case(gridlock_test.Case):
    def run_scenarios(self, *arguments, threads=2, **options):
        return self.run_gridlock("run", "-d", "pocl", *arguments, POCL_MAX_PTHREAD_COUNT=threads, **options)

    def points(self, path=None):
        """{id: row} of the points in a run file."""
        return {row["identity"]: row for row in self.run_file(path).rows(POINTS)}

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)


class Points(Case):
    def check_against_run_file(self, device, run):
        points = {row["identity"]: row for row in run.rows(POINTS)}
        shown = {point["id"]: point for scenario in device["scenarios"] for point in scenario["points"]}
        self.assertEqual(set(shown), set(points))
        for identity, point in shown.items():
            row = points[identity]
            self.assertEqual(set(point["verdicts"]), set(row["verdicts"].split(",")), identity)
            self.assertEqual(sum(point["verdicts"].values()), row["launches"], identity)
            self.assertEqual((point["groups"], point["local_size"], point["resident"], point["launches"]),
                             (row["groups"], row["local_size"], row["resident"], row["launches"]), identity)
            self.assertEqual(" or ".join(point["expected"] or []), row["expected"] or "", identity)
        self.assertEqual(device["trials"], run.one("SELECT count(*) AS n FROM trial")["n"])
        self.assertEqual(device["launches"], run.one("SELECT count(*) AS n FROM observation")["n"])

    def check(self, threads):
        result = self.run_scenarios(*SCENARIOS, *LEFT_OUT, "--format", "json", threads=threads)
        run = self.run_file()
        rows = {row["identity"]: row for row in run.rows(POINTS)}
        self.assertEqual({identity: row["verdicts"] for identity, row in rows.items()}, expected_points(threads))
        for identity, row in rows.items():
            self.assertEqual(row["resident"], threads, identity)
            self.assertIsNotNone(row["duration_ns"], identity)
        device, = result.json()["devices"]
        self.check_against_run_file(device, run)
        self.assertEqual([scenario["name"] for scenario in device["scenarios"]], list(SCENARIOS))
        self.assertEqual([scenario["surprises"] for scenario in device["scenarios"]], [0] * len(SCENARIOS))

    def test_one_thread(self):
        self.check(1)

    def test_two_threads(self):
        self.check(2)

    def test_four_threads(self):
        self.check(4)

    def test_text_has_the_totals_of_the_run_file(self):
        out = self.run_scenarios("lock_tas", "mutant_unequal_rounds").out
        run = self.run_file()
        rows = run.rows(POINTS)
        points = {row["identity"]: row for row in rows}
        trials = run.one("SELECT count(*) AS n FROM trial")["n"]
        launches = run.one("SELECT count(*) AS n FROM observation")["n"]
        unpredicted = sum(row["expected"] is None for row in points.values())
        self.assertEqual(unpredicted, 4, "the lock above the limit, 2 counts in 2 variants")
        self.assertEqual(len(TOTALS.findall(out)), 1, out)
        self.assertEqual(tuple(map(int, TOTALS.search(out).groups())),
                         (len(points), 2, trials, launches, len(points) - unpredicted, 0, unpredicted, 0, 0), out)
        self.assertRegex(out, r"(?m)^lock_tas +all to 4 +2 +2 +- +4 of 4\n +4 not predicted$")
        self.assertRegex(out, r"(?m)^mutant_unequal_rounds +0 +- +- +1 wrong +6 of 6$")
        self.assertNotIn("SURPRISE", out)

    def test_verbose_prints_each_point(self):
        out = self.run_scenarios("barrier_central", "-v").out
        verdicts = dict(re.findall(r"(?m)^  (\S+): (\w+) \(", out))
        wanted = {identity: verdict for identity, verdict in expected_points(2).items()
                  if identity.startswith("barrier_central/")}
        self.assertEqual(verdicts, wanted)


class Choice(Case):
    def chosen(self, *arguments):
        self.run_scenarios("barrier_central", *arguments, "-o", str(self.folder / "chosen.gridlock"))
        points = set(self.points(self.folder / "chosen.gridlock"))
        (self.folder / "chosen.gridlock").unlink()
        return points

    def test_include_and_exclude(self):
        self.assertEqual(self.chosen("-t", "/l1/"), {f"barrier_central/cl30/l1/g{n}" for n in (1, 2, 3, 4)})
        self.assertEqual(self.chosen("-t", "/g1$", "-t", "l64/g3$"),
                         {"barrier_central/cl30/l1/g1", "barrier_central/cl30/l64/g1", "barrier_central/cl30/l64/g3"})
        self.assertEqual(self.chosen("-t", "/g[12]$", "-x", "l64"),
                         {"barrier_central/cl30/l1/g1", "barrier_central/cl30/l1/g2"})

    def test_expression_that_is_none(self):
        for option in ("-t", "-x"):
            result = self.run_scenarios("barrier_central", option, "(", code=EXIT_USAGE)
            self.assert_sentence(result.err, "regular expression")
            self.assertEqual(self.run_file_paths(), [])

    def test_what_leaves_nothing_is_an_error(self):
        """Before anything is measured, where no device can have such a point."""
        for options in (("-t", "nosuch"), ("-t", "/l48/"), ("-x", "."), ("-t", "/g1$", "-x", "barrier"),
                        ("-t", "nosuch", "--dry-run"), ("-t", "nosuch", "--shard", "1/3")):
            with self.subTest(options=options):
                result = self.run_scenarios("barrier_central", *options, code=EXIT_USAGE)
                self.assert_sentence(result.err, "nothing to run", "barrier_central/cl30/l1/", "--allow-empty")
                self.assertEqual((result.out, self.run_file_paths()), ("", []))

    def test_what_leaves_nothing_on_this_device_is_an_error(self):
        for number, expression in enumerate(("/g999$", "/ptx/")):
            file = str(self.folder / f"{number}.gridlock")
            result = self.run_scenarios("barrier_central", "-t", expression, "-o", file, code=EXIT_USAGE)
            self.assert_sentence(result.err.splitlines(keepends=True)[-1], "nothing to run", "--allow-empty")
            self.run_gridlock("report", file, code=EXIT_USAGE)

    def test_nothing_may_be_left_where_that_is_allowed(self):
        file = str(self.folder / "none.gridlock")
        result = self.run_scenarios("barrier_central", "-t", "nosuch", "--allow-empty", "-o", file)
        self.assertEqual(TOTALS.search(result.out).group(1, 3), ("0", "0"), "no limit is counted for it")
        self.run_gridlock("report", file)
        self.run_gridlock("resume", file)

    def test_limits_of_what_is_not_wanted_are_not_counted(self):
        self.run_scenarios("barrier_central", "lock_tas", "-t", "tas.*/l64")
        self.assertEqual(self.run_file().rows("SELECT DISTINCT scenario, local_size FROM trial"),
                         [{"scenario": "lock_tas", "local_size": 64}])

    def test_a_shard_without_a_part_has_done_it(self):
        """That the hash leaves it nothing is no error; the others have the points."""
        name = "cause_circular_wait"
        files = [str(self.folder / f"{shard}.gridlock") for shard in range(4)]
        for shard, file in enumerate(files):
            self.run_scenarios(name, "--shard", f"{shard}/4", "-o", file)
            self.run_gridlock("report", file)
        counts = [len(self.points(file)) for file in files]
        self.assertEqual(sorted(counts), [0, 0, 0, 1])

    def test_unknown_name(self):
        result = self.run_scenarios("nosuch", code=EXIT_USAGE)
        self.assert_sentence(result.err, "nosuch", "gridlock list")
        self.assertEqual((result.out, self.run_file_paths()), ("", []))

    def test_iterations_and_seed_arrive(self):
        self.run_scenarios("barrier_central", "-t", "l1/g[12]$", "--iterations", "7", "--seed", "4294967295")
        rows = self.points().values()
        self.assertEqual([(row["repeats"], row["launches"], row["seed"]) for row in rows], [(7, 7, 4294967295)] * 2)

    def test_each_launch_has_a_seed_of_its_own(self):
        """The first one has what was given, and a further batch of a point goes on behind the one before."""
        path = self.write("pessimist.ini",
                          scenario_text(groups="1", verdict="starved", sweep="local-size = 1\njitter = 9"))
        self.run_scenarios(path, "--seed", "7", "--iterations", "4", code=EXIT_SURPRISE)
        rows = self.run_file().rows("SELECT o.seed, t.seed AS first, sequence, launch FROM observation o JOIN trial t"
                                    " ON t.id = o.trial WHERE estimator = 'work' ORDER BY sequence, launch")
        self.assertEqual(len(rows), 12, "three batches, as each of them surprises")
        self.assertEqual(rows[0]["seed"], 7)
        self.assertEqual(len({row["seed"] for row in rows}), 12, rows)
        self.assertEqual([row["seed"] for row in rows if row["launch"] == 0],
                         [row["first"] for row in rows if row["launch"] == 0])
        other = self.folder / "again.gridlock"
        self.run_scenarios(path, "--seed", str(rows[4]["first"]), "--iterations", "4", "-o", str(other),
                           code=EXIT_SURPRISE)
        again = self.run_file(other).rows("SELECT o.seed FROM observation o JOIN trial t ON t.id = o.trial"
                                          " WHERE estimator = 'work' ORDER BY sequence, launch")
        self.assertEqual([row["seed"] for row in again[:8]], [row["seed"] for row in rows[4:]])
        out = self.run_gridlock("explain", f"{self.run_file_paths()[0]}:pessimist/cl30/l1/jitter=9/g1#1").out
        self.assertRegex(out, rf", seed\s+{rows[4]['seed']}\n", "on one line or, where a device's name is long, on two")
        self.assertRegex(out, f" --iterations 4 --seed {rows[4]['first']} ")

    def test_shuffle_runs_the_same_points(self):
        names = ("barrier_central", "lock_tas", "philosophers_naive", "mutant_unequal_rounds")
        self.run_scenarios(*names, "-t", "/g1$", "--shuffle", "--seed", "3")
        wanted = {identity for identity in expected_points(2)
                  if identity.split("/")[0] in names and identity.endswith("/g1")}
        self.assertEqual(set(self.points()), wanted)


def read_samples(words):
    """Of each sample its time in microseconds, and what groups do then: (phase, round)."""
    samples, at = [], 0
    while at < len(words):
        end = at + 2 + 2 * words[at + 1]
        changes = dict(zip(words[at + 2:end:2], words[at + 3:end:2]))
        samples.append((words[at], {group: (state & 7, state >> 3) for group, state in changes.items()}))
        at = end
    return samples


class Samples(Case):
    NAMES = ("cause_circular_wait", "barrier_central", "philosophers_naive")

    def check_samples(self, path):
        """Each stall has some, and in the end each group stands as on the board."""
        rows = self.run_file(path).rows("SELECT name, t.groups, board, samples FROM observation o JOIN trial t"
                                        " ON t.id = o.trial WHERE estimator = 'work' AND board IS NOT NULL")
        self.assertGreater(len(rows), 4)
        for row in rows:
            with self.subTest(point=row["name"]):
                samples = read_samples(stored_board.board_words(row["samples"]))
                self.assertLessEqual(4 * len(stored_board.board_words(row["samples"])), 64 << 10)
                times = [at for at, _ in samples]
                self.assertEqual(times, sorted(set(times)))
                last = {}
                for _, changes in samples:
                    last.update(changes)
                board = stored_board.board_words(row["board"])
                entries = [board[ABI["CONTROL_WORDS"] + group * ABI["ENTRY_WORDS"]:] for group in range(row["groups"])]
                self.assertEqual(last, {group: (entry[ABI["PHASE"]], entry[ABI["ROUND"]])
                                        for group, entry in enumerate(entries) if entry[ABI["TICKET"]] != 0})

    def test_samples_of_stalls(self):
        path = self.folder / "samples.gridlock"
        self.run_scenarios(*self.NAMES, "--samples", "-o", str(path))
        self.check_samples(path)
        merged = self.folder / "merged.gridlock"
        self.run_gridlock("merge", str(path), "-o", str(merged))
        self.check_samples(merged)

    def test_none_without_the_option(self):
        path = self.folder / "none.gridlock"
        self.run_scenarios(*self.NAMES, "-o", str(path))
        rows = self.run_file(path).rows("SELECT count(board) AS boards, count(samples) AS samples FROM observation")
        self.assertEqual(rows[0]["samples"], 0)
        self.assertGreater(rows[0]["boards"], 4)


class Plan(Case):
    """No device is needed to say what would be run."""

    def plan(self, *arguments):
        """{scenario: {axis: values}} of a dry run."""
        result = self.run_scenarios("--dry-run", *arguments, OCL_ICD_VENDORS=self.folder)
        self.assertEqual((result.err, self.run_file_paths()), ("", []))
        plan = {}
        for line in result.out.splitlines():
            if line.startswith(" "):
                name, values = line.split(maxsplit=1)
                axes[name] = values.split(", ")
            else:
                axes = plan[line] = {}
        return plan

    def test_dry_run_prints_the_axes(self):
        self.assertEqual(self.plan("lock_tas", "mutant_unequal_rounds"), {
            "lock_tas": {"groups": ["1", "1x resident", "1x resident + 1", "2x resident"], "local-size": ["64"],
                         "rounds": ["3"], "test": ["no", "yes"]},
            "mutant_unequal_rounds": {"groups": ["1", "1x resident", "1x resident + 1"], "local-size": ["1", "64"],
                                      "rounds": ["3"], "fault": ["unequal-rounds"]},
        })

    def test_pattern(self):
        names = list(self.plan("mutant_lock_*", "lock_tas", "mutant_lock_no_fence"))
        self.assertEqual(names, ["mutant_lock_early_unlock", "mutant_lock_forgotten_unlock", "mutant_lock_no_fence",
                                 "mutant_lock_wrong_unlock", "lock_tas"])

    def test_shuffle(self):
        """The same scenarios, in an order that the seed alone decides."""
        given = self.plan()
        orders = [tuple(self.plan("--shuffle", "--seed", seed)) for seed in ("1", "2", "1")]
        for order in orders:
            self.assertEqual(sorted(order), sorted(given))
        self.assertEqual(orders[0], orders[2])
        self.assertEqual(len({*orders, tuple(given)}), 3)

    def test_live_only(self):
        listed = self.run_gridlock("list", "--format", "json").json()["scenarios"]
        live_only = {scenario["name"] for scenario in listed if scenario["live_only"]}
        self.assertEqual(live_only, {"divergent_barrier"})
        everything = {scenario["name"] for scenario in listed}
        self.assertEqual(set(self.plan()), everything - live_only)
        self.assertEqual(set(self.plan("--live")), everything)

    def test_live_only_alone(self):
        result = self.run_scenarios("divergent_barrier", code=EXIT_USAGE)
        self.assert_sentence(result.err, "--live")
        self.assertEqual((result.out, self.run_file_paths()), ("", []))


class Surprises(Case):
    def test_surprise(self):
        path = self.write("optimist.ini", scenario_text(groups="1x resident, 1x resident + 1", verdict="pass"))
        result = self.run_scenarios(path, "lock_tas", code=EXIT_SURPRISE)
        self.assertRegex(result.out, r"(?m)^optimist +2 +1 +1 +3 starved +1 of 2\n +1 SURPRISE$")
        self.assertEqual(len(re.findall(r"(?m)^SURPRISES$", result.out)), 1, result.out)
        head, _, tail = result.out.partition("\nSURPRISES\n")
        self.assertEqual(len(TOTALS.findall(head)), 1, "the totals come before")
        self.assertEqual(TOTALS.search(head).group(5, 6), ("5", "1"))
        lines = tail.split("\n\n")[0].splitlines()  # a busy machine is told of behind
        self.assertEqual(lines[:2], ["optimist/cl30/l1/g3", "    starved, expected pass; in 3 of 3 batches"])
        self.assertRegex("\n".join(lines[2:4]), r"^    starvation by occupancy: a chain of waits from group \d ends in"
                         r" group \d,\n      which never started$")
        self.assertEqual([line.startswith("    ") and "gridlock " in line for line in lines[4:]], [True, True], tail)

    def test_surprise_in_json(self):
        path = self.write("optimist.ini", scenario_text(groups="1x resident, 1x resident + 1", verdict="pass"))
        result = self.run_scenarios(path, "--format", "json", code=EXIT_SURPRISE)
        device, = result.json()["devices"]
        scenario, = device["scenarios"]
        self.assertEqual({point["groups"]: (point["verdict"], point["surprise"]) for point in scenario["points"]},
                         {2: ("pass", False), 3: ("starved", True)})
        self.assertEqual((scenario["surprises"], scenario["safe_groups"], scenario["unsafe_groups"]), (1, 2, 3))

    def test_pass_can_be_a_surprise(self):
        path = self.write("pessimist.ini", scenario_text(groups="1", verdict="starved or deadlock"))
        result = self.run_scenarios(path, code=EXIT_SURPRISE)
        self.assertIn("\nSURPRISES\npessimist/cl30/l1/g1\n    pass, expected starved or deadlock; in 3 of 3 batches\n",
                      result.out)

    def run_of(self, name, code, rules):
        """The run file of a point that passes, in every format of which the exit status says whether it is a
        surprise."""
        path = self.write(f"{name}.ini",
                          scenario_text(groups="1", verdict="pass or stale", sweep="local-size = 1") + rules)
        file = self.folder / f"{name}.gridlock"
        result = self.run_scenarios(path, "-o", str(file), code=code)
        for form in ("text", "json", "jsonl", "csv", "junit", "tap", "markdown", "lava", "prometheus"):
            self.run_gridlock("report", str(file), "--format", form, code=code)
        return file, result

    def test_point_as_a_whole(self):
        good, result = self.run_of("same", 0, "some = pass; stale otherwise\nrate = stale or wrong <= 1/200\n")
        self.assertNotIn("SURPRISE", result.out)
        bad, result = self.run_of("other", EXIT_SURPRISE, "some = stale when groups = 1\nrate = pass <= 1/2\n")
        self.assertEqual(result.out.partition("\nSURPRISES\n")[2].splitlines()[:4], [
            "other/cl30/l1/g1", "    pass, expected pass or stale; some stale; pass <= 1/2",
            "    none of the 9 launches had verdict stale, but at least one should",
            "    9 of the 9 launches had verdict pass, but at most 1/2 may"])
        self.assertEqual(self.run_file(bad).one("SELECT DISTINCT expected_some || ', ' || expected_rate AS rules FROM "
                                                "trial"
                                                " WHERE estimator = 'work'"), {"rules": "stale, pass <= 1/2"})
        point, = self.run_gridlock("report", str(bad), "--format", "json", code=EXIT_SURPRISE).json()["devices"][0][
            "scenarios"][0]["points"]
        self.assertEqual((point["shortfall"], point["verdicts_of_batches"], point["surprising_batches"]),
                         (["some", "rate"], {"pass": 9}, 0))
        out = self.run_gridlock("explain", str(bad)).out
        self.assertIn("#0, launch 0: pass (3 of 3 launches alike), a surprise\n", out)
        self.assertIn("  expected: pass or stale; some stale; pass <= 1/2\n"
                      "  none of the 9 launches had verdict stale", out)
        self.assertIn("Nothing failed", self.run_gridlock("explain", str(good)).out)

    def test_compare_sees_the_point_as_a_whole(self):
        good, _ = self.run_of("point", 0, "some = pass\n")
        before = good.rename(self.folder / "before.gridlock")
        bad, _ = self.run_of("point", EXIT_SURPRISE, "some = stale\n")
        self.assertIn("point/cl30/l1/g1", self.run_gridlock("compare", str(before), str(bad), code=EXIT_SURPRISE).out)
        self.run_gridlock("compare", str(bad), str(before))

    def test_unpredicted_is_none(self):
        """Neither a condition that cannot be decided, nor a rule of which no clause applies."""
        for name, verdict in (("model", "pass when progress >= fair"), ("gap", "pass when groups = 77")):
            with self.subTest(verdict=verdict):
                path = self.write(f"{name}.ini", scenario_text(groups="1, 1x resident + 1", verdict=verdict))
                file = self.folder / f"{name}.gridlock"
                result = self.run_scenarios(path, "-o", str(file))
                self.assertNotIn("SURPRISE", result.out)
                self.assertEqual(TOTALS.search(result.out).group(1, 5, 6, 7), ("2", "0", "0", "2"))
                found = {(row["groups"], row["verdicts"], row["expected"]) for row in self.points(file).values()}
                self.assertEqual(found, {(1, "pass", None), (3, "starved", None)})

    def unpredicted(self, name, verdict, code, kernel="reduce_last", sweep="items = 1000\nfault = no-reset",
                    options=()):
        """The report of a point that no clause surely predicts; this fault of this kernel always shows."""
        path = self.write(f"{name}.ini", scenario_text(kernel, "1x resident", verdict, f"local-size = 64\n{sweep}"))
        file = self.folder / f"{name}.gridlock"
        return file, self.run_scenarios(path, "-o", str(file), *options, code=code)

    def test_what_no_clause_allows_is_a_surprise(self):
        """Whether nobody knows if the one clause applies, or it certainly does not."""
        for name, verdict in (("model", "pass when progress >= fair"), ("gap", "pass when groups = 77")):
            with self.subTest(verdict=verdict):
                file, result = self.unpredicted(name, verdict, EXIT_SURPRISE)
                self.assertEqual(TOTALS.search(result.out).group(1, 5, 6, 7), ("1", "0", "1", "0"))
                self.assertRegex(result.out,
                                 r"\n    wrong( \d/3, .*)?, not predicted, allowed pass or starved; in 3 of 3 "
                                 r"batches\n")
                self.assertIn("  not predicted, allowed pass or starved\n", self.run_gridlock("explain", str(file)).out)
                for form in ("text", "json", "jsonl", "csv", "junit", "tap", "markdown", "lava", "prometheus"):
                    self.run_gridlock("report", str(file), "--format", form, code=EXIT_SURPRISE)

    def test_deadlock_that_no_clause_allows_is_a_surprise(self):
        _, result = self.unpredicted("forks", "pass when progress >= obe", EXIT_SURPRISE, "philosophers",
                                     "order = naive")
        self.assertIn("    deadlock, not predicted, allowed pass or starved; in 3 of 3 batches\n", result.out)

    def test_what_a_clause_allows_that_may_apply_is_none(self):
        for name, verdict in (("first", "wrong when progress >= fair; starved otherwise"),
                              ("second", "pass when progress >= fair; pass or wrong otherwise")):
            with self.subTest(verdict=verdict):
                _, result = self.unpredicted(name, verdict, 0)
                self.assertEqual(TOTALS.search(result.out).group(1, 5, 6, 7), ("1", "0", "0", "1"))

    def test_what_a_clause_allows_that_does_not_apply_is_a_surprise(self):
        _, result = self.unpredicted("never", "wrong when groups = 77; pass when progress >= fair", EXIT_SURPRISE)
        self.assertIn(", not predicted, allowed pass or starved; ", result.out)

    def test_surprise_that_was_not_predicted_counts_and_is_known(self):
        """It stops a run as any other, and a list of known failures takes it."""
        rule = "pass when progress >= fair"
        path = self.write("both.ini", scenario_text("reduce_last", "1, 1x resident", rule,
                                                    "local-size = 64\nitems = 1000\nfault = no-reset"))
        file = self.folder / "both.gridlock"
        result = self.run_scenarios(path, "--max-fails", "1", "-o", str(file), code=EXIT_STOPPED)
        self.assertEqual(len(self.points(file)), 1, result)
        known = self.run_gridlock("report", str(file), "--format", "baseline", code=EXIT_SURPRISE).out
        listed = self.write("known.txt", known)
        self.assertRegex(known, r"(?m)^both/.*/g1 wrong$")
        self.run_scenarios(path, "-t", "/g1$", "--baseline", listed)


class Interrupted(Case):
    def test_sigint(self):
        """What was measured before is in the run file and in the report; the trial that was cut short is ended."""
        # A million launches, of which the first ones alone are waited for.
        path = self.write("long.ini", scenario_text(groups="1, 1x resident", sweep="iterations = 1, 1000000"))
        process = self.start("run", "-d", "pocl", path, "--format", "json", POCL_MAX_PTHREAD_COUNT=2)
        self.wait_until(lambda: self.has_begun() or process.poll() is not None, "the long trial in the run file")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_INTERRUPTED, str(result))
        self.assert_nothing_left()
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "interrupted", str(self.run_file_paths()[0]))
        device, = result.json()["devices"]
        self.assertEqual([scenario["name"] for scenario in device["scenarios"]], ["long"])
        run = self.run_file()
        for trial in run.rows("SELECT id, duration_ns FROM trial"):
            self.assertIsNotNone(trial["duration_ns"], f"trial {trial['id']} was begun and never ended")
        found = collections.Counter(row["verdict"] for row in run.rows(
            "SELECT verdict FROM verdict v JOIN trial t ON t.id = v.trial WHERE t.estimator = 'work'"))
        self.assertGreater(found["pass"], 0)
        self.assertLessEqual(set(found), {"pass", "incomplete"})

    def has_begun(self):
        if not self.run_file_paths():
            return False
        try:
            return self.run_file().rows("SELECT id FROM trial WHERE repeats = 1000000 AND estimator = 'work'") != []
        except (AssertionError, sqlite3.Error):
            return False  # it is just being made


if __name__ == "__main__":
    gridlock_test.main()
