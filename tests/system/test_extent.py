"""Which shards a file has, and whether its runs came to their end: each format says so, and nothing is green that is
not."""
import json
import os
import re
import sqlite3

import gridlock_test
from gridlock_test import EXIT_OK, EXIT_USAGE
from report_case import EXIT_SURPRISE, FORMATS, NOT_RUN

EXIT_STOPPED = 75

# What names a shard.
SHARD = {
    "json": '"sharded_by": "--shard"', "jsonl": '"sharded_by": "--shard"', "junit": '<property name="shard"',
    "tap": "# shard 1/3, by --shard", "lava": "TEST_CASE_ID=gridlock.shard RESULT=pass",
    "prometheus": "gridlock_elsewhere{", "text": "shard 1/3, by --shard", "csv": "shard 1/3, by --shard",
    "markdown": "shard 1/3, by --shard",
}


class Case(gridlock_test.Case):
    def file(self, name):
        return str(self.folder / f"{name}.run")

    def run_pocl(self, *arguments, **options):
        options.setdefault("POCL_MAX_PTHREAD_COUNT", 2)
        return self.run_gridlock(*arguments, **options)

    def sweep(self, name, *arguments):
        self.kept_file(self.file(name), arguments, lambda path: self.sweep_to(path, *arguments, cwd=path.parent))

    def sweep_to(self, path, *arguments, **options):
        return self.run_pocl("run", "barrier_central", "-d", "pocl", "--iterations", "1", "-o", str(path), *arguments,
                             **options)

    def report(self, name, form="text", code=EXIT_OK):
        return self.run_gridlock("report", "--format", form, self.file(name), code=code).out

    def read(self, name, code=EXIT_OK):
        """The report's text, no matter where its lines break: devices have names of any length."""
        return " ".join(self.report(name, code=code).split())

    def points(self, name):
        """Those that were run, once each: one without a verdict, as on a busy machine, is run again."""
        return {re.sub("#.*", "", row["name"])
                for row in self.run_file(self.file(name)).rows("SELECT name FROM trial WHERE estimator = 'work'")}

    def change(self, name, *statements):
        """As if the run had been ended there."""
        with sqlite3.connect(self.file(name)) as database:
            for statement in statements:
                database.execute(statement)
        database.close()

    def cut(self, name, trials):
        self.change(name, f"DELETE FROM observation WHERE trial > {trials}",
                    f"DELETE FROM verdict WHERE trial > {trials}",
                    f"DELETE FROM trial WHERE id > {trials}", "UPDATE share SET ended = 0")


class Ends(Case):
    def test_each_format_says_what_was_not_run(self):
        self.sweep("a")
        planned, = self.run_file(self.file("a")).one("SELECT planned FROM share").values()
        for form in NOT_RUN:
            self.assertNotRegex(self.report("a", form), NOT_RUN[form])
        self.cut("a", 4)
        there, = self.run_file(self.file("a")).one("SELECT count(*) FROM trial WHERE estimator = 'work'").values()
        self.assertLess(there, planned)
        for form in NOT_RUN:
            with self.subTest(format=form):
                out = self.report("a", form, EXIT_STOPPED)
                self.assertRegex(out, NOT_RUN[form])
                if form in ("text", "baseline", "junit", "tap", "csv", "markdown"):
                    words = " ".join(out.replace("\\", "").split())
                    self.assertIn(f"about {planned - there} of {planned} points", words)
                    self.assertIn(f"gridlock resume {self.file('a')}", words)
        self.run_pocl("resume", self.file("a"))
        self.assertNotIn("not run", self.report("a"))

    def test_a_surprise_comes_first(self):
        self.sweep("a")
        self.cut("a", 4)
        self.change("a", "UPDATE trial SET expected = 'stale' WHERE estimator = 'work'")
        self.assertIn("points were not run", self.read("a", EXIT_SURPRISE))

    def test_a_surprise_comes_first_among_several_files(self):
        for name in ("a", "b"):
            self.sweep(name)
            self.cut(name, 4)
        self.change("b", "UPDATE trial SET expected = 'stale' WHERE estimator = 'work'")
        self.report("a", code=EXIT_STOPPED)
        self.report("b", code=EXIT_SURPRISE)
        for names in (("a", "b"), ("b", "a")):
            self.run_gridlock("report", "--format", "html", *[self.file(name) for name in names], code=EXIT_SURPRISE)

    def test_a_run_that_was_killed_did_not_end(self):
        process = self.start("run", "barrier_*", "-d", "pocl", "-o", self.file("a"), POCL_MAX_PTHREAD_COUNT=2)
        self.wait_until(lambda: self.begun("a") or process.poll() is not None, "a trial")
        self.assertIsNone(process.poll())
        process.kill()
        self.finish(process)
        self.wait_until(lambda: not self.processes(), "the end of the worker")
        self.assertIn("points were not run", self.read("a", EXIT_STOPPED))

    def begun(self, name):
        try:
            return self.run_file(self.file(name)).rows("SELECT 1 FROM trial WHERE estimator = 'work'") != []
        except (AssertionError, sqlite3.Error):  # it is just being made
            return False

    def test_a_device_that_was_not_begun_is_missed(self):
        self.sweep("a")
        self.change("a", "UPDATE run SET devices = 3")
        self.assertIn("2 devices were not measured", self.read("a", EXIT_STOPPED))
        self.assertIn("2 devices were not measured", self.report("a", "junit", EXIT_STOPPED))

    def test_a_run_that_came_to_no_device_is_not_green(self):
        """It was interrupted while its first device was probed."""
        self.sweep("a")
        self.run_pocl("limits", "-d", "pocl", "--local-size", "64", "--iterations", "1", "-o", self.file("l"))
        for name in ("a", "l"):
            self.change(name, *[f"DELETE FROM {table}"
                                for table in ("observation", "verdict", "trial", "share", "device")])
            for form in ("text", "junit", "tap", "csv", "markdown", "baseline"):
                text = " ".join(self.report(name, form, code=EXIT_STOPPED).split())
                self.assertIn("1 device was not measured", text, form)
            self.assertFalse(json.loads(self.report(name, "json", code=EXIT_STOPPED))["complete"])
            self.assertIn('errors="1"', self.report(name, "junit", code=EXIT_STOPPED))
            self.assertRegex(self.report(name, "tap", code=EXIT_STOPPED), r"(?m)^1\.\.0\nBail out! ")
            self.assertIn("RESULT=fail", self.report(name, "lava", code=EXIT_STOPPED))

    def test_limits_say_how_many_footprints(self):
        self.run_pocl("limits", "-d", "pocl", "--local-size", "1,2,4", "--iterations", "1", "-o", self.file("a"))
        self.assertNotIn("not run", self.report("a"))
        footprints = len(json.loads(self.report("a", "json"))["devices"][0]["limits"])
        self.change("a", "UPDATE share SET ended = 0, planned = planned + 2, own = own + 2")
        self.assertIn(f"about 2 of {footprints + 2} footprints were not run", self.read("a", EXIT_STOPPED))

    def test_progress_that_was_interrupted_names_no_strongest_model(self):
        self.run_gridlock("progress", "-d", "model:obe:8", "--no-limit", "-o", self.file("a"))
        self.assertIn("The strongest model not broken", self.report("a"))
        self.change("a", "UPDATE share SET ended = 0")
        out = self.report("a", code=EXIT_STOPPED)
        self.assertNotIn("strongest", out)
        self.assertIn("others were not run", out)
        self.assertIn("tests were not run", out)

    def test_an_older_file_says_nothing(self):
        self.sweep("a")
        self.change("a", "DELETE FROM share", "UPDATE run SET devices = NULL")
        report = json.loads(self.report("a", "json"))
        self.assertIsNone(report["devices"][0]["extent"])
        self.assertIsNone(report["complete"])
        self.assertNotIn("gridlock_complete{", self.report("a", "prometheus"))
        self.assertNotIn("not run", self.report("a"))


class Shards(Case):
    def test_each_format_says_which_shard_it_is(self):
        self.sweep("whole")
        self.sweep("a", "--shard", "1/3")
        planned, own = self.run_file(self.file("a")).one("SELECT planned, own FROM share").values()
        there = len(json.loads(self.report("a", "json"))["devices"][0]["scenarios"][0]["points"])
        self.assertEqual(there, own)
        for form in FORMATS:
            with self.subTest(format=form):
                self.assertNotIn(SHARD[form] if form != "prometheus" else "nothing", self.report("whole", form))
                self.assertIn(SHARD[form], self.report("a", form))
        self.assertIn(f"{own} of {planned} points; {planned - own} are in other shards",
                      " ".join(self.report("a").split()))

    def test_a_missing_shard_is_missed_until_it_is_there(self):
        for index in range(3):
            self.sweep(f"s{index}", "--shard", f"{index}/3")
        self.run_gridlock("merge", "-o", self.file("two"), self.file("s0"), self.file("s2"))
        planned, own = self.run_file(self.file("s1")).one("SELECT planned, own FROM share").values()
        out = self.report("two", code=EXIT_STOPPED)
        self.assertIn(f"about {own} of {planned} points were not run: shard 1/3 is missing", " ".join(out.split()))
        self.run_gridlock("merge", "-o", self.file("all"), self.file("two"), self.file("s1"))
        self.assertIn(f"3 of 3 shards: {planned} points", self.report("all"))

    def test_a_shard_that_did_not_end_is_missed_in_the_merge(self):
        for index in range(2):
            self.sweep(f"s{index}", "--shard", f"{index}/2")
        self.cut("s1", 3)
        self.run_gridlock("merge", "-o", self.file("all"), self.file("s0"), self.file("s1"))
        self.assertIn("resume it, and merge again", self.read("all", EXIT_STOPPED))

    def test_safe_up_to_speaks_of_points_that_were_run(self):
        """Where the only point of the shard stalls, nothing is known of fewer groups."""
        self.sweep("a")
        self.change("a", "UPDATE trial SET name = replace(name, '/g2#', '/g3#') WHERE name LIKE '%/g2#%'",
                    "DELETE FROM observation WHERE trial IN (SELECT id FROM trial WHERE name LIKE '%/g1#%')",
                    "DELETE FROM verdict WHERE trial IN (SELECT id FROM trial WHERE name LIKE '%/g1#%')",
                    "DELETE FROM trial WHERE name LIKE '%/g1#%' AND estimator = 'work'",
                    "DELETE FROM observation WHERE trial IN (SELECT id FROM trial WHERE groups = 2 AND estimator = "
                    "'work')",
                    "DELETE FROM verdict WHERE trial IN (SELECT id FROM trial WHERE groups = 2 AND estimator = 'work')",
                    "DELETE FROM trial WHERE groups = 2 AND estimator = 'work'")
        line, = (line for line in self.report("a").splitlines() if line.startswith("barrier_central"))
        self.assertEqual(line.split()[1], "-")


class Environment(Case):
    VARIABLES = {
        "slurm": {"SLURM_ARRAY_TASK_ID": 1, "SLURM_ARRAY_TASK_COUNT": 2},
        "gitlab": {"CI_NODE_INDEX": 2, "CI_NODE_TOTAL": 2},
        "openmpi": {"OMPI_COMM_WORLD_RANK": 1, "OMPI_COMM_WORLD_SIZE": 2},
    }

    def shard(self, name, *arguments, **variables):
        self.sweep_to(self.file(name), *arguments, **variables)
        return tuple(self.run_file(self.file(name)).one("SELECT shard, shards, shard_by FROM run").values())

    def test_nothing_but_googletest_shards_by_itself(self):
        for name, variables in self.VARIABLES.items():
            self.assertEqual(self.shard(name, **variables), (None, None, None), name)
        self.assertEqual(self.shard("g", GTEST_SHARD_INDEX=1, GTEST_TOTAL_SHARDS=2), (1, 2, "GTEST_SHARD_INDEX"))

    def test_the_others_when_asked(self):
        for name, variables in self.VARIABLES.items():
            self.assertEqual(self.shard(name, "--shard", "env", **variables), (1, 2, next(iter(variables))))

    def test_resume_needs_them_no_more(self):
        """They are gone in the shell in which somebody resumes, or are those of another job."""
        self.sweep_to(self.file("a"), "--shard", "env", **self.VARIABLES["slurm"])
        before = self.points("a")
        self.cut("a", 3)
        self.report("a", code=EXIT_STOPPED)
        self.assertLess(self.points("a"), before)
        for others in {}, {"SLURM_ARRAY_TASK_ID": 0, "SLURM_ARRAY_TASK_COUNT": 5, "CI_NODE_INDEX": "x",
                           "CI_NODE_TOTAL": 2}:
            self.run_pocl("resume", self.file("a"), **others)
            self.report("a")
            self.assertEqual(self.points("a"), before)

    def test_an_environment_without_a_shard_or_with_two_is_refused(self):
        for variables, words in (({}, ("--shard env", "names no shard")),
                                 ({"CI_NODE_INDEX": 2, "CI_NODE_TOTAL": 2, "OMPI_COMM_WORLD_RANK": 0,
                                   "OMPI_COMM_WORLD_SIZE": 2}, ("CI_NODE_INDEX", "OMPI_COMM_WORLD_RANK"))):
            result = self.sweep_to(self.file("a"), "--shard", "env", code=EXIT_USAGE, **variables)
            self.assert_sentence(result.err, *words)
            self.assertFalse(os.path.exists(self.file("a")))


if __name__ == "__main__":
    gridlock_test.main()
