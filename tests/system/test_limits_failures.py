"""Launches of limits that fail are repeated, and the row says so in each format.

A run file is made one in which a launch has crashed, as if the run had been stopped there: resume goes on from it.
"""
import sqlite3

import gridlock_test
from gridlock_test import EXIT_OK

EXIT_SURPRISE = 1

CENSUS, DISCOVERY, BARRIER = "%/census/%", "%/discovery/%", "%/barrier/%/g2"


class LimitsFailures(gridlock_test.Case):

    def setUp(self):
        super().setUp()
        self.path = self.folder / "a.run"
        self.kept_file(self.path, "limits", lambda path: self.run_pocl(
            "limits", "-d", "pocl", "--local-size", "64", "-o", str(path), cwd=path.parent))

    def run_pocl(self, *arguments, **options):
        return self.run_gridlock(*arguments, POCL_MAX_PTHREAD_COUNT=2, **options)

    def crash(self, name, launch=0, sequence=0):
        """The launch of that trial crashed, and nothing was run after it."""
        connection = sqlite3.connect(self.path)
        trial, = connection.execute("SELECT id FROM trial WHERE name LIKE ?", (f"{name}#{sequence}",)).fetchone()
        for table in ("verdict", "observation"):
            connection.execute(f"DELETE FROM {table} WHERE trial > ? OR trial = ? AND launch > ?",
                               (trial, trial, launch))
        connection.execute("DELETE FROM trial WHERE id > ?", (trial,))
        connection.execute("UPDATE observation SET outcome = 'crashed', code = 11 WHERE trial = ? AND launch = ?",
                           (trial, launch))
        connection.execute("UPDATE verdict SET verdict = 'crash' WHERE trial = ? AND launch = ?", (trial, launch))
        connection.execute("UPDATE trial SET note = 'the worker died' WHERE id = ?", (trial,))
        connection.commit()
        connection.close()

    def resume(self, code):
        self.run_pocl("resume", str(self.path), code=code)

    def report(self, code, form="json"):
        return self.run_gridlock("report", str(self.path), "--format", form, code=code)

    def row(self, code):
        limit, = self.report(code).json()["devices"][0]["limits"]
        return limit

    def check_once(self, name, estimator, launch=0):
        self.crash(name, launch)
        self.resume(EXIT_OK)
        row = self.row(EXIT_OK)
        self.assertEqual((row["resident"], row["census"], row["barrier"]["passes_at"], row["barrier"]["stalls_at"]),
                         (2, 2, 2, 3))
        failure, = row["failures"]
        self.assertEqual((failure["estimator"], failure["failed"], failure["verdict"], failure["fails_again"]),
                         (estimator, 1, "crash", False))
        self.assertEqual(row["note"], "the worker died")
        return row

    def test_none(self):
        self.assertNotIn("failures", self.row(EXIT_OK))
        text = self.report(EXIT_OK, "text").out
        self.assertNotIn(" x\n", text)
        self.assertNotIn("failed", self.report(EXIT_OK, "prometheus").out)

    def test_barrier_at_the_limit(self):
        row = self.check_once(BARRIER, "barrier", launch=13)
        self.assertEqual((row["barrier"]["passes"], row["barrier"]["launches_at_passes_at"]), (20, 21))

    def test_census(self):
        self.check_once(CENSUS, "census", launch=1)

    def test_discovery(self):
        self.check_once(DISCOVERY, "discovery")

    def test_each_format_says_so(self):
        self.check_once(BARRIER, "barrier")
        words = "crash in 1 of 21 launches of a barrier of 2 groups, in none when repeated"
        for form in ("text", "csv", "junit", "tap"):
            with self.subTest(format=form):
                self.assertIn(words, self.report(EXIT_OK, form).out)
        self.assertIn(" x\n", self.report(EXIT_OK, "text").out)
        self.assertIn(", 1 launch failed |", self.report(EXIT_OK, "markdown").out)
        self.assertRegex(self.report(EXIT_OK, "prometheus").out, r"gridlock_failed_launches\{.*\} 1\n")
        self.assertIn('"failures"', self.report(EXIT_OK, "jsonl").out)

    def check_stays(self, name, code=EXIT_SURPRISE):
        self.crash(name)
        self.resume(EXIT_OK)
        self.crash(name, sequence=1)
        self.resume(code)
        row = self.row(code)
        self.assertEqual([failure["fails_again"] for failure in row["failures"]], [True])
        return row

    def test_census_that_crashes_again(self):
        row = self.check_stays(CENSUS)
        self.assertEqual((row["measured"], row["not_measured_verdict"]), (False, "crash"))

    def test_discovery_that_crashes_again(self):
        self.check_stays(DISCOVERY)
        self.assertIn("! size 64", self.report(EXIT_SURPRISE, "text").out)

    def test_barrier_that_crashes_again(self):
        row = self.check_stays(BARRIER)
        self.assertEqual(row["barrier"]["passes_at"], 1)
        self.assertIn("<error", self.report(EXIT_SURPRISE, "junit").out)


if __name__ == "__main__":
    gridlock_test.main()
