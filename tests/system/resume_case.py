"""Runs that are resumed, and whether what had ended stayed as it was."""
import os
import sqlite3
import subprocess
import unittest

import gridlock_test

EXIT_STOPPED, EXIT_INTERRUPTED = 75, 130

KILLS = int(os.environ.get("GRIDLOCK_SOAK", "12"))
ALL_WRITES = "GRIDLOCK_SOAK" in os.environ
WRITES_SAMPLED = 5  # of each kind of call

SWEEP = ("run", "barrier_central", "lock_ticket", "mutant_no_sense", "-d", "pocl")
SMALL = ("run", "barrier_central", "-d", "pocl", "-t", "l1/g[123]$")
# Calls with which a run file comes to its disk.
CALLS = ("pwrite64", "fdatasync", "ftruncate")

IDENTITY = "rtrim(rtrim(name, '0123456789'), '#')"


def strace_works():
    try:
        return subprocess.run(["strace", "-qq", "-o", "/dev/null", "-e", "inject=fdatasync:error=EIO", "true"],
                              check=False, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


needs_strace = unittest.skipUnless(strace_works(), "strace is not installed, or may not trace")


def inject(what):
    """Of the program's own main thread alone, which is the one that writes the run file."""
    return ("strace", "-qq", "-o", "/dev/null", "-e", f"inject={what}")


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "a.run"

    def environment(self, **changes):
        """LeakSanitizer does not work under strace."""
        return super().environment(ASAN_OPTIONS="detect_leaks=0", **changes)

    def run_pocl(self, *arguments, **options):
        return self.run_gridlock(*arguments, POCL_MAX_PTHREAD_COUNT=2, **options)

    def start_pocl(self, *arguments, **options):
        return self.start(*arguments, POCL_MAX_PTHREAD_COUNT=2, **options)

    def resume(self, *arguments, path=None, **options):
        return self.run_pocl("resume", *arguments, str(path or self.path), **options)

    def rows(self, query, path=None):
        """As this program's own reader does, one that may undo what a killed writer has left."""
        connection = sqlite3.connect(path or self.path, timeout=gridlock_test.FOR_EVER_S)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def value(self, query, path=None):
        (value,), = self.rows(query, path)
        return value

    def change(self, statement):
        connection = sqlite3.connect(self.path, timeout=gridlock_test.FOR_EVER_S)
        connection.executescript(statement)
        connection.commit()
        connection.close()

    def begun_so_far(self, which="1"):
        """Trials in the run file while another process may be writing it, or making it."""
        try:
            connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=gridlock_test.FOR_EVER_S)
        except sqlite3.Error:
            return 0
        try:
            return connection.execute(f"SELECT count(*) FROM trial WHERE {which}").fetchone()[0]
        except sqlite3.Error:
            return 0
        finally:
            connection.close()

    def plan(self, *command):
        """The ids of the points that an undisturbed run has."""
        path = self.folder / "plan.run"
        self.run_pocl(*command, "-o", str(path), code=None)
        found = {name for name, in self.rows(f"SELECT {IDENTITY} FROM trial WHERE estimator = 'work'", path)}
        self.assertTrue(found)
        path.unlink()
        return found

    def points(self):
        return {name for name, in self.rows(f"SELECT {IDENTITY} FROM trial WHERE estimator = 'work'")}

    def unfinished(self):
        return self.value("SELECT count(*) FROM trial WHERE duration_ns IS NULL")

    def goes_on(self):
        """Without what had begun and not ended; the exit status says whether a point is left without a verdict for
        that."""
        unfinished = self.value("SELECT count(*) FROM trial WHERE duration_ns IS NULL AND estimator = 'work'")
        return self.resume(code=EXIT_STOPPED if unfinished > 0 else gridlock_test.EXIT_OK)

    def is_run_file(self):
        return self.path.exists() and self.value("PRAGMA application_id") != 0

    def ended(self):
        """{trial: all that is stored of it}, of those that have ended."""
        ended = {row[0]: [row] for row in self.rows("SELECT * FROM trial WHERE duration_ns IS NOT NULL")}
        for table in ("observation", "verdict"):
            for row in self.rows(f"SELECT * FROM {table} ORDER BY trial, launch"):
                ended[row[0]].append((table, row))
        return ended

    def check_kept(self, before):
        after = self.ended()
        for trial, rows in before.items():
            self.assertEqual(after.get(trial), rows, f"trial {trial} had ended, and was changed")

    def check_nothing_left(self):
        """A worker whose supervisor was killed notices by itself."""
        self.wait_until(lambda: not self.processes(), "the end of the workers")
        self.assert_nothing_left()

    def check_whole(self, plan, kills):
        """All points are there, and those that did not end are no more than the kills; at last they can end, too."""
        self.assertEqual(self.value("PRAGMA integrity_check"), "ok")
        self.assertEqual(self.rows("PRAGMA foreign_key_check"), [])
        self.assertEqual(self.points(), plan)
        self.assertLessEqual(self.unfinished(), kills)
        before = self.ended()
        self.resume("--retry-incomplete")
        self.assertEqual(self.unfinished(), 0)
        self.assertEqual(self.points(), plan)
        self.check_kept(before)
