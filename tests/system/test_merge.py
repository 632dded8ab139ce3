"""Shards and merges: the parts of a run, put together in any order, are the run."""
import pathlib
import re
import sqlite3

import gridlock_test
from explain_case import starved_barrier
from gridlock_test import EXIT_HARNESS, EXIT_OK, EXIT_USAGE
from run_builder import DEFAULTS, Builder

EXIT_CONFLICT = 1

SWEEP = ("barrier_central", "lock_ticket", "mutant_unequal_rounds", "handover_down")
SHARDS = 4

TABLES = ("run", "asked", "device", "share", "trial", "source", "observation", "verdict")

# Drawn by lot, so that nothing is certain.
LEFT_OUT = ("-x", "pairing=random")

# What each point came to; how many launches it took is no part of it.
POINTS = """
SELECT rtrim(rtrim(t.name, '0123456789'), '#') AS identity, t.expected, t.resident, v.verdict
FROM trial t JOIN verdict v ON v.trial = t.id
WHERE t.estimator = 'work' GROUP BY 1, 4 ORDER BY 1, 4"""


class Case(gridlock_test.Case):
    def run_pocl(self, *arguments, **options):
        return self.run_gridlock(*arguments, POCL_MAX_PTHREAD_COUNT=2, **options)

    def file(self, name):
        return str(self.folder / f"{name}.run")

    def sweep(self, path, *arguments):
        self.run_pocl("run", *SWEEP, *LEFT_OUT, "-d", "pocl", "-o", str(path), *arguments)

    def merge(self, output, *names, code=EXIT_OK):
        result = self.run_gridlock("merge", "-o", self.file(output), *map(self.file, names), code=code)
        self.assertEqual(result.out, "")
        return result

    def points(self, name):
        return self.run_file(self.file(name)).rows(POINTS)

    def identities(self, name):
        return {row["identity"] for row in self.points(name)}

    def contents(self, name):
        run = self.run_file(self.file(name))
        return {table: run.rows(f"SELECT * FROM {table} ORDER BY 1, 2") for table in TABLES}


class Shards(Case):
    def setUp(self):
        super().setUp()
        for index in range(SHARDS):
            shard = f"{index}/{SHARDS}"
            self.kept_file(self.file(f"s{index}"), shard, lambda path: self.sweep(path, "--shard", shard))
        self.all = [f"s{index}" for index in range(SHARDS)]

    def test_together_they_are_the_whole(self):
        self.sweep(self.file("whole"))
        parts = [self.identities(name) for name in self.all]
        self.assertEqual(sum(map(len, parts)), len(self.identities("whole")), "a point is in one shard")
        self.assertTrue(all(parts), "an empty shard")
        self.merge("merged", *self.all)
        self.assertEqual(self.points("merged"), self.points("whole"))

    def test_order_and_grouping_make_no_difference(self):
        self.merge("forth", "s0", "s1", "s2", "s3")
        self.merge("back", "s3", "s2", "s1", "s0")
        self.merge("left", "s1", "s3")
        self.merge("right", "s2", "s0", "s2")
        self.merge("nested", "left", "right")
        forth = self.contents("forth")
        self.assertEqual(self.contents("back"), forth)
        self.assertEqual(self.contents("nested"), forth)
        self.assertEqual([(row["shard"], row["shards"]) for row in sorted(forth["run"], key=lambda row: row["shard"])],
                         [(index, SHARDS) for index in range(SHARDS)])

    def test_plan_keeps_its_order(self):
        self.merge("merged", *self.all)
        rows = self.run_file(self.file("merged")).rows("SELECT scenario, position FROM trial ORDER BY id")
        self.assertEqual([row["position"] for row in rows], sorted(row["position"] for row in rows))
        self.assertEqual(list(dict.fromkeys(row["scenario"] for row in rows)), list(SWEEP))

    def test_missing_shard_is_named(self):
        err = self.merge("merged", "s0", "s3").err
        self.assert_sentence(err, "shard 1/4 is missing", "shard 2/4 is missing")
        self.assertNotIn("shard 0/4", err)
        self.assertNotIn("missing", self.merge("again", "merged", "s1", "s2").err)

    def test_one_that_was_killed_and_resumed_is_as_good(self):
        process = self.start("run", *SWEEP, *LEFT_OUT, "-d", "pocl", "-o", self.file("killed"), "--shard", "1/4",
                             POCL_MAX_PTHREAD_COUNT=2)
        self.wait_until(lambda: self.has_trials("killed") or process.poll() is not None, "a trial")
        process.kill()
        self.finish(process)
        self.wait_until(lambda: not self.processes(), "the end of the worker")
        # Which shard it is, is in the file; what the environment says now does not matter.
        self.run_pocl("resume", "--retry-incomplete", self.file("killed"), GTEST_SHARD_INDEX=0, GTEST_TOTAL_SHARDS=2)
        self.assertEqual(self.points("killed"), self.points("s1"))

    def has_trials(self, name):
        try:
            return self.run_file(self.file(name)).rows("SELECT 1 FROM trial WHERE estimator = 'work'") != []
        except (AssertionError, sqlite3.Error):  # it is just being made
            return False


class Environment(Case):
    def test_option_wins(self):
        result = self.run_pocl("run", "barrier_central", "-d", "pocl", "-o", self.file("a"), "--shard", "0/1",
                               GTEST_SHARD_INDEX=5, GTEST_TOTAL_SHARDS=7)
        self.assertNotIn("GTEST", result.err)
        self.assertEqual(self.run_file(self.file("a")).one("SELECT shard, shards FROM run"), {"shard": 0, "shards": 1})

    def test_what_names_no_shard_is_refused(self):
        for arguments, variables, word in ((("--shard", "2/2"), {}, "--shard 2/2"),
                                           (("--shard", "half"), {}, "--shard half"),
                                           ((), {"GTEST_SHARD_INDEX": 2, "GTEST_TOTAL_SHARDS": 2}, "GTEST_SHARD_INDEX"),
                                           (("--shard", "env"), {"CI_NODE_INDEX": "x", "CI_NODE_TOTAL": 2},
                                            "CI_NODE_INDEX")):
            with self.subTest(word=word):
                result = self.run_pocl("run", "barrier_central", "-d", "pocl", "-o", self.file("a"), *arguments,
                                       code=EXIT_USAGE, **variables)
                self.assert_sentence(result.err, word)
                self.assertFalse((self.folder / "a.run").exists())

    def test_limits_are_divided_by_footprints(self):
        footprints = set()
        for index in range(2):
            self.run_pocl("limits", "-d", "pocl", "--local-size", "1,2,4,8", "--iterations", "2", "--shard",
                          f"{index}/2", "-o", self.file(f"l{index}"), code=None)
            here = {row["local_size"] for row in self.run_file(self.file(f"l{index}")).rows(
                "SELECT DISTINCT local_size FROM trial")}
            self.assertFalse(here & footprints)
            footprints |= here
        self.assertEqual(footprints, {1, 2, 4, 8})
        self.merge("ab", "l0", "l1")
        self.merge("ba", "l1", "l0")
        self.assertEqual(self.contents("ab"), self.contents("ba"))


class Conflicts(Case):
    def setUp(self):
        super().setUp()
        for name in ("a", "b"):
            self.kept_file(self.file(name), name, lambda path: self.run_pocl(
                "run", "barrier_central", "-d", "pocl", "-t", "l1/g[12]$", "-o", str(path)))

    def change(self, name, statement):
        with sqlite3.connect(self.file(name)) as connection:
            connection.execute(statement)
        connection.close()

    def test_two_runs_of_the_same_agree(self):
        err = self.merge("m", "a", "b").err
        self.assert_sentence(err, "m.run", "of 2 runs")
        self.assertNotIn("conflict", err)
        self.assertEqual(self.identities("m"), self.identities("a"))

    def test_conflict_is_named_and_told_by_the_exit_status(self):
        self.change("b", "UPDATE verdict SET verdict = 'starved' WHERE trial ="
                         " (SELECT id FROM trial WHERE name LIKE '%/l1/g2#0')")
        err = self.merge("m", "a", "b", code=EXIT_CONFLICT).err
        self.assertRegex(err, r"(?m)^gridlock: conflict: barrier_central/cl30/l1/g2#0: (kept pass, another file has "
                              r"starved|kept starved, another file has pass)$")
        self.assertEqual(self.merge("n", "b", "a", code=EXIT_CONFLICT).err.replace("n.run", "m.run"), err)
        self.assertEqual(self.contents("m"), self.contents("n"))

    def test_scenario_files_that_differ_are_named(self):
        """Points of the same names are then not the same points."""
        path = self.folder / "mine.ini"
        for name, groups in (("c", "1"), ("d", "1, 2")):
            path.write_text(gridlock_test.scenario_text(groups=groups))
            self.run_pocl("run", "mine.ini", "-d", "pocl", "-t", "/g1$", "-o", self.file(name))
        err = self.merge("m", "c", "d", code=EXIT_CONFLICT).err
        self.assertRegex(err, r"(?m)^gridlock: conflict: digest of mine\.ini: kept ([0-9a-f]{16}), another file has "
                              r"(?!\1)[0-9a-f]{16}$")
        self.assertEqual(self.merge("n", "d", "c", code=EXIT_CONFLICT).err.replace("n.run", "m.run"), err)
        self.assertNotIn("conflict", self.merge("o", "c", "c", "a").err)

    def test_drivers_stay_apart(self):
        self.change("b", "UPDATE device SET driver_version = 'another'")
        self.merge("m", "a", "b")
        run = self.run_file(self.file("m"))
        self.assertEqual(run.one("SELECT count(*) AS n FROM device")["n"], 2)
        self.assertEqual(run.one("SELECT count(*) AS n FROM trial WHERE estimator = 'work'")["n"], 4)


class Repeated(Case):
    def test_trial_is_repeated_as_its_own_run_was_asked(self):
        for name, uuid, groups in (("a", "9", 4), ("b", "1", 8)):
            builder = Builder(self.file(name),
                              command_line=f"gridlock run toy --kernel-dir={name} --iterations={groups}",
                              uuid=DEFAULTS["run"]["uuid"][:-1] + uuid, environment=f"POCL_DEVICES={name}\n")
            builder.trial(builder.device(), ("starved",), cause="occupancy", groups=groups, expected="pass",
                          board=starved_barrier(groups, 2))
            builder.close()
        self.merge("merged", "a", "b")
        for name, groups in (("a", 4), ("b", 8)):
            told = " ".join(self.run_gridlock("explain", f"{self.file('merged')}:toy/cl30/l64/g{groups}").out.split())
            self.assertIn(f"env POCL_DEVICES={name} gridlock run --kernel-dir {name} --iterations {groups} toy", told)


class Refused(Case):
    def test_usage(self):
        for arguments, word in (((), "expected run files"), (("a.run",), "-o FILE"), (("-o", "m.run"), "run files")):
            result = self.run_gridlock("merge", *arguments, code=EXIT_USAGE)
            self.assertIn(word, result.err)
        self.assertEqual(list(self.folder.glob("*.run*")), [])

    def test_what_is_no_run_file(self):
        (self.folder / "text.run").write_text("no run file\n" * 100)
        for name in ("text", "nosuch"):
            err = self.merge("m", name, code=EXIT_USAGE).err
            self.assert_sentence(err, self.file(name))
            self.assertEqual(list(self.folder.glob("m.run*")), [])

    def test_damage_is_in_what_was_read(self):
        """Pages that are not those of a table, and an end that is missing."""
        builder = Builder(self.file("a"))
        device = builder.device()
        for groups in range(1, 101):
            builder.trial(device, groups=groups, expected="pass")
        builder.close()
        whole = pathlib.Path(self.file("a")).read_bytes()
        for damaged in (whole[:len(whole) // 2] + b"\xff" * (len(whole) - len(whole) // 2), whole[:-4096]):
            pathlib.Path(self.file("a")).write_bytes(damaged)
            self.assert_sentence(self.merge("m", "a", code=EXIT_HARNESS).err, self.file("a"), "cannot read")
            self.assertEqual(list(self.folder.glob("m.run*")), [])

    def test_existing_output(self):
        (self.folder / "m.run").write_text("precious")
        (self.folder / "a.run").write_text("")
        self.assert_sentence(self.merge("m", "a", code=EXIT_USAGE).err, "m.run", "exists")
        self.assertEqual((self.folder / "m.run").read_text(), "precious")


class Boards(Case):
    def test_one_of_a_class_stays(self):
        """What a launch came to stays as it was; who waited for whom is still there for each kernel and cause."""
        def rows(name, text):
            connection = sqlite3.connect(self.file(name))
            found = connection.execute(text).fetchall()
            connection.close()
            return found

        joined = ("FROM observation o JOIN trial t ON t.id = o.trial "
                  "JOIN verdict v ON v.trial = t.id AND v.launch = o.launch")
        classes = f"SELECT DISTINCT t.device, t.scenario, t.kernel, v.verdict, v.cause {joined} " \
                  "WHERE o.board IS NOT NULL " \
                  "AND v.verdict != 'pass'"
        boards = "SELECT count(*) FROM observation WHERE board IS NOT NULL"
        self.run_pocl("run", "barrier_central", "handover_down", "-d", "pocl", "-o", self.file("all"), code=None)
        self.merge("same", "all")
        self.run_gridlock("merge", self.file("all"), "-o", self.file("few"), "--boards", "class")
        self.assertEqual(rows("same", boards), rows("all", boards))
        self.assertEqual(sorted(map(str, rows("few", classes))), sorted(map(str, rows("all", classes))))
        self.assertEqual(rows("few", boards), [(len(rows("all", classes)),)])
        self.assertLess(rows("few", boards), rows("all", boards))
        reports = [self.run_gridlock("report", self.file(name), "--format", "csv", code=None).out
                   for name in ("all", "few")]
        self.assertEqual(reports[0], reports[1])
        self.assertIn("Who waits for whom", self.run_gridlock("explain", self.file("few")).out)
        without = "SELECT t.name FROM trial t WHERE EXISTS " \
                  "(SELECT 1 FROM verdict v WHERE v.trial = t.id AND v.verdict = " \
                  f"'starved') AND t.scenario = 'barrier_central' AND NOT EXISTS (SELECT 1 FROM observation o " \
                  "WHERE o.trial = t.id AND o.board IS NOT NULL) LIMIT 1"
        (name,), = rows("few", without)
        told = re.sub(r"\s+", " ", self.run_gridlock("explain", f"{self.file('few')}:{name}").out)
        other = re.search(r"or explain (\S+), which came to the same", told)[1]
        self.assertIn("Who waits for whom", self.run_gridlock("explain", f"{self.file('few')}:{other}").out)

    def test_other_kinds(self):
        self.assertIn("all or class",
                      self.run_gridlock("merge", "a", "-o", "b", "--boards", "none", code=EXIT_USAGE).err)


if __name__ == "__main__":
    gridlock_test.main()
