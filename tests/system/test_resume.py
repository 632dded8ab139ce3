"""Runs that were killed, interrupted, or stopped by a full disk go on: nothing that had ended is run again or changed.

GRIDLOCK_SOAK is the number of kills at random moments (12); if it is set, the run is also killed at each of its
writes, and not at some of them only.
"""
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import unittest

import gridlock_test
from gridlock_test import EXIT_HARNESS, EXIT_OK, EXIT_USAGE, scenario_text

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
        connection = sqlite3.connect(path or self.path, timeout=60)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def value(self, query, path=None):
        (value,), = self.rows(query, path)
        return value

    def change(self, statement):
        connection = sqlite3.connect(self.path, timeout=60)
        connection.executescript(statement)
        connection.commit()
        connection.close()

    def begun_so_far(self, which="1"):
        """Trials in the run file while another process may be writing it, or making it."""
        try:
            connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=60)
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


class Killed(Case):
    """The program is ended by SIGKILL, which it cannot see coming."""

    def start_or_resume(self, command):
        if self.path.exists():
            return self.start_pocl("resume", str(self.path))
        return self.start_pocl(*command, "-o", str(self.path))

    def strike(self, process, lot):
        """After some more trials, and a little later; half of the time, so early that there may be none."""
        wanted = self.begun_so_far() + lot.randrange(6) if lot.random() < 0.7 else 0
        self.wait_until(lambda: self.begun_so_far() >= wanted or process.poll() is not None, "some more trials")
        try:
            process.wait(lot.uniform(0, 0.05 if wanted > 0 else 0.8))
        except subprocess.TimeoutExpired:
            process.kill()

    def run_with_kills(self, command, lot, most):
        """Until it comes to its end; how often it was killed."""
        kills, before = 0, {}
        while True:
            process = self.start_or_resume(command)
            if kills < most:
                self.strike(process, lot)
            result = self.finish(process)
            self.assertNotIn(f"which process {before.get('pid')} uses", result.err, "the dead hold the device")
            if result.code != -signal.SIGKILL:
                self.assertEqual(result.code, EXIT_OK, str(result))
                self.check_kept(before.get("ended", {}))
                return kills
            kills += 1
            if self.path.exists() and not self.is_run_file():
                self.path.unlink()  # it was killed while it made the file
            if self.path.exists():
                self.check_kept(before.get("ended", {}))
                before = {"ended": self.ended(), "pid": process.pid}

    def test_at_any_moment(self):
        plan = self.plan(*SWEEP)
        lot = random.Random(1)
        kills = unfinished = runs = 0
        while kills < KILLS:
            here = self.run_with_kills(SWEEP, lot, KILLS - kills)
            unfinished += self.unfinished()
            self.check_whole(plan, here)
            self.check_nothing_left()
            kills += here
            runs += 1
            self.path.unlink()
        print(f"{kills} kills in {runs} runs, {unfinished} trials begun and not ended by the run that was killed",
              flush=True)

    LIMITS = ("limits", "-d", "pocl", "--local-size", "1,64", "--iterations", "5")

    def shown_limits(self, *arguments):
        """Of each footprint, what the measurement came to."""
        device, = self.run_pocl(*arguments, code=None).json()["devices"]
        return [(limit["local_size"], limit["resident"], limit["barrier"]["passes_at"], limit["barrier"]["stalls_at"])
                for limit in device["limits"]]

    def test_limits_come_to_the_same(self):
        whole = self.shown_limits(*self.LIMITS, "--format", "json", "-o", str(self.folder / "whole.run"))
        lot = random.Random(2)
        command = (*self.LIMITS, "--format", "json")
        kills = self.run_with_kills(command, lot, 4)
        self.assertLessEqual(self.unfinished(), kills)
        self.check_nothing_left()
        self.assertEqual(self.shown_limits("resume", str(self.path)), whole)
        before = self.ended()
        self.assertEqual(self.shown_limits("resume", "--retry-incomplete", str(self.path)), whole)
        self.assertEqual(self.unfinished(), 0)
        self.check_kept(before)

    def test_what_a_limit_hangs_on_is_run_again(self):
        """In its own row, even if --retry-incomplete is not given, and however many of them there are."""
        whole = self.shown_limits(*self.LIMITS, "--format", "json", "-o", str(self.path))
        self.change("DELETE FROM verdict WHERE trial % 2 = 1; DELETE FROM observation WHERE trial % 2 = 1;"
                    "UPDATE trial SET duration_ns = NULL, build_ns = NULL WHERE id % 2 = 1")
        before = self.ended()
        self.assertGreater(self.unfinished(), 2)
        self.assertEqual(self.shown_limits("resume", str(self.path)), whole)
        self.assertEqual(self.unfinished(), 0)
        self.check_kept(before)

    def test_row_is_printed_when_its_footprint_is_done(self):
        """And not as soon as something is known of it."""
        process = self.start_pocl(*self.LIMITS, "-o", str(self.path))
        self.wait_until(lambda: self.begun_so_far("local_size = 64") > 0 or process.poll() is not None, "the second row")
        process.kill()
        self.assertEqual(self.finish(process).code, -signal.SIGKILL)
        first = self.resume()
        self.assertEqual(len(re.findall(r"(?m)^ +(?:1|64) +0 +0 ", first.out)), 2, first.out)
        self.assertEqual(self.resume().out, first.out)

    def test_live_run_goes_on(self):
        process = self.start_pocl("run", "barrier_central", "-d", "pocl", "-t", "l1/g[123]-live$", "--live",
                                  "--stall-budget", "300", "-o", str(self.path))
        self.wait_until(lambda: self.begun_so_far() >= 3 or process.poll() is not None, "a few trials")
        process.kill()
        self.finish(process)
        before = self.ended()
        self.resume()
        self.check_kept(before)
        self.assertEqual(self.rows("SELECT DISTINCT live FROM trial WHERE estimator = 'work'"), [(1,)])
        self.check_whole(self.points(), 1)


@needs_strace
class KilledWhileWriting(Case):
    """At each call that changes the run file: what the call would have done is not done, and nothing after it."""

    def strike(self, call, number):
        """True if the run was killed, and did not end before."""
        process = self.start_pocl(*SMALL, "-o", str(self.path), before=inject(f"{call}:signal=KILL:when={number}"))
        result = self.finish(process)
        if result.code == EXIT_OK:
            return False
        self.assertEqual(result.code, -signal.SIGKILL, str(result))
        return True

    def check_goes_on(self, plan):
        if not self.path.exists():
            return  # the call was made for something else, before
        if not self.is_run_file():
            result = self.resume(code=EXIT_USAGE)
            self.assert_sentence(result.err, "not a run file")
            return
        before = self.ended()
        self.assertLessEqual(self.unfinished(), 1)
        self.resume()
        self.check_kept(before)
        self.check_whole(plan, 1)

    def numbers_of_calls(self, call):
        """How many the run makes varies a little, with what is measured again: the last ones are past its end."""
        log = self.folder / "calls"
        self.finish(self.start_pocl(*SMALL, "-o", str(self.path),
                                    before=("strace", "-qq", "-o", str(log), "-e", f"trace={call}")))
        count = log.read_text().count(f"{call}(")
        self.path.unlink()
        self.assertGreater(count, 5)
        step = 1 if ALL_WRITES else max(1, count // WRITES_SAMPLED)
        return range(1 if ALL_WRITES else random.Random(call).randint(1, step), count + 1, step)

    def check(self, call):
        plan = self.plan(*SMALL)
        kills = 0
        for number in self.numbers_of_calls(call):
            with self.subTest(call=call, number=number):
                if self.strike(call, number):
                    kills += 1
                    self.check_nothing_left_after_strace()
                    self.check_goes_on(plan)
                self.path.unlink(missing_ok=True)
                pathlib.Path(f"{self.path}-journal").unlink(missing_ok=True)
        print(f"{kills} kills at {call}", flush=True)
        self.assertGreater(kills, 0)

    def check_nothing_left_after_strace(self):
        self.wait_until(lambda: not self.processes(), "the end of the workers")

    def test_at_a_write(self):
        self.check("pwrite64")

    def test_at_a_sync(self):
        self.check("fdatasync")

    def test_at_the_end_of_a_journal(self):
        self.check("ftruncate")


@needs_strace
class FullDisk(Case):
    def check(self, error, number, *words):
        """From this write on, none succeeds."""
        process = self.start_pocl(*SMALL, "-o", str(self.path),
                                  before=inject(f"pwrite64:error={error}:when={number}+"))
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_HARNESS, str(result))
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "cannot write to", str(self.path), *words)
        self.check_nothing_left()
        before = self.ended()
        self.resume()
        self.check_kept(before)
        self.check_whole(self.points(), 1)

    def test_run_ends_with_a_sentence_and_goes_on(self):
        plan = self.plan(*SMALL)
        for number in (90, 141):
            with self.subTest(number=number):
                self.check("ENOSPC", number, "full")
                self.assertEqual(self.points(), plan)
                self.path.unlink()

    def test_no_file_is_left_where_none_can_be_made(self):
        process = self.start_pocl(*SMALL, "-o", str(self.path), before=inject("pwrite64:error=ENOSPC:when=1+"))
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_HARNESS, str(result))
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "full")
        self.assertEqual(list(self.folder.glob("a.run*")), [])


class Interrupted(Case):
    def long_scenario(self):
        path = self.folder / "long.ini"
        path.write_text(scenario_text(groups="1, 1x resident", sweep="iterations = 1, 20000"))
        return path

    def interrupt(self, path):
        """While a long trial runs."""
        process = self.start_pocl("run", "-d", "pocl", path.name, "-o", str(self.path))
        self.wait_until(lambda: self.begun_so_far() >= 5 or process.poll() is not None, "a long trial")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_INTERRUPTED, str(result))
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "interrupted", "gridlock resume")
        self.assert_nothing_left()

    def test_what_was_cut_short_is_run_again(self):
        """It failed by nobody's fault but the user's, so it needs no --retry-incomplete."""
        self.interrupt(self.long_scenario())
        cut, = self.rows("SELECT DISTINCT trial FROM verdict WHERE verdict = 'incomplete'")
        before = {trial: rows for trial, rows in self.ended().items() if trial != cut[0]}
        result = self.resume()
        self.assertRegex(result.out, r"(?m)^long +all to 2 .* 2 of 2$")
        self.check_kept(before)
        self.assertEqual(self.rows("SELECT DISTINCT verdict FROM verdict"), [("pass",)])
        self.assertEqual(self.value("SELECT count(*) FROM trial WHERE estimator = 'work'"), 4)
        self.assertEqual(self.value("SELECT min(n) FROM (SELECT repeats - count(*) AS n FROM trial t JOIN observation"
                                    " ON trial = t.id WHERE estimator = 'work' GROUP BY t.id)"), 0)

    def test_resumed_run_can_be_interrupted_again(self):
        self.interrupt(self.long_scenario())
        process = self.start_pocl("resume", str(self.path))
        self.wait_until(lambda: self.reopened() or process.poll() is not None, "the trial again")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, EXIT_INTERRUPTED)
        self.resume()
        self.assertEqual(self.rows("SELECT DISTINCT verdict FROM verdict"), [("pass",)])

    def reopened(self):
        return self.rows("SELECT 1 FROM trial WHERE duration_ns IS NULL") != []


class Finished(Case):
    """A run that is over can be resumed: nothing is run, and it prints the same."""

    def check_same(self, *command, code=EXIT_OK, **options):
        first = self.run_pocl(*command, "-o", str(self.path), code=code, **options)
        before = self.ended()
        again = self.resume(code=code, **options)
        self.assertEqual(again.out, first.out)
        self.assertEqual(self.ended(), before)
        self.assertEqual(self.unfinished(), 0)
        self.path.unlink()
        return again

    def test_text(self):
        self.check_same(*SWEEP)

    def test_each_point(self):
        self.check_same(*SMALL, "-v")

    def test_json(self):
        json.loads(self.check_same(*SMALL, "--format", "json").out)

    def test_quiet(self):
        self.assertEqual(self.check_same(*SMALL, "--quiet").err, "")

    def test_limits(self):
        for form in ("text", "json"):
            with self.subTest(form=form):
                self.check_same("limits", "-d", "pocl", "--local-size", "1,64", "--iterations", "2", "--format", form)

    def test_several_devices(self):
        """Each is told under its own heading, though the file has them all from the start."""
        self.check_same("run", "lock_ticket", "-d", "pocl", POCL_DEVICES="basic pthread")
        self.check_same("limits", "-d", "pocl", "--local-size", "1,64", "--iterations", "2",
                        POCL_DEVICES="basic pthread")

    def test_surprise_is_one_again(self):
        path = self.folder / "optimist.ini"
        path.write_text(scenario_text(groups="1x resident + 1", verdict="pass"))
        self.check_same("run", "-d", "pocl", str(path), code=1)

    def test_option_terminator_and_relative_paths(self):
        """Names are those of the folder in which the run was begun, wherever it is resumed from."""
        inner = self.folder / "in ner"
        inner.mkdir()
        (self.folder / "-it's.ini").write_text(scenario_text(groups="1"))
        first = self.run_pocl("run", "-d", "pocl", "-o", "../a.run", "--", "../-it's.ini", cwd=inner)
        before = self.ended()
        again = self.run_pocl("resume", "a.run", cwd=self.folder)
        self.assertEqual(again.out, first.out)
        self.assertEqual(self.run_pocl("resume", "../a.run", cwd=inner).out, first.out)
        self.assertEqual(self.ended(), before)

    def test_command_line_is_for_a_shell(self):
        """Its words are those that the run was begun with."""
        (self.folder / "in ner").mkdir()
        arguments = ("run", "-d", "pocl", "-t", "l1/g[123]$", "-o", "in ner/a.run", "barrier_central")
        self.run_pocl(*arguments, cwd=self.folder)
        line = self.value("SELECT command_line FROM run", self.folder / "in ner" / "a.run")
        self.assertEqual(shlex.split(line), ["gridlock", *arguments])
        self.assertTrue(line.startswith("gridlock run -d pocl "), line)

    def test_older_command_line(self):
        """The command's name was one word once."""
        for command in (SMALL, ("limits", "-d", "pocl", "--local-size", "1", "--iterations", "2")):
            with self.subTest(command=command):
                first = self.run_pocl(*command, "-o", str(self.path))
                name = f"gridlock {command[0]}"
                self.change(f"UPDATE run SET command_line = replace(command_line, '{name}', '''{name}''')")
                self.assertTrue(self.value("SELECT command_line FROM run").startswith(f"'{name}' "))
                self.assertEqual(self.resume().out, first.out)
                self.path.unlink()


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.scenario = self.folder / "mine.ini"
        self.scenario.write_text(scenario_text(groups="1, 2"))

    def begin(self):
        self.run_pocl("run", "-d", "pocl", "mine.ini", "-o", str(self.path))

    def check_refused(self, *words, path=None):
        """Before anything is run or written."""
        before = self.ended() if path is None else None
        result = self.resume(code=EXIT_USAGE, path=path)
        self.assert_sentence(result.err, *words)
        self.assertEqual(len(result.err.splitlines()), 1, result.err)
        if path is None:
            self.assertEqual(self.ended(), before)

    def test_other_version_of_the_program(self):
        self.begin()
        self.change("UPDATE run SET tool_version = '0.0.9'")
        self.check_refused("0.0.9", "--force")
        self.resume("--force")

    def test_other_driver(self):
        self.begin()
        self.change("UPDATE device SET driver_version = '2.0 alpha'")
        result = self.resume(code=EXIT_USAGE)
        self.assert_sentence(result.err, "2.0 alpha", "--force")
        self.resume("--force")

    def test_other_number_of_compute_units(self):
        """What was measured holds for the device as it was; PoCL's has as many as its environment says."""
        self.begin()
        result = self.run_gridlock("resume", str(self.path), code=EXIT_USAGE, POCL_MAX_PTHREAD_COUNT=3)
        self.assert_sentence(result.err, "3 compute units", "had 2", "--force")

    def test_changed_scenario(self):
        self.begin()
        self.scenario.write_text(scenario_text(groups="1, 2, 3", verdict="pass or starved"))
        self.check_refused("mine.ini", "--force")
        self.resume("--force")
        self.assertEqual({groups for groups, in self.rows("SELECT groups FROM trial WHERE estimator = 'work'")},
                         {1, 2, 3})

    def test_digests_are_of_own_files_alone(self):
        """What the program carries is told by its version."""
        self.run_pocl("run", "-d", "pocl", "mine.ini", "lock_ticket", "-t", "mine/.*/g1$", "-o", str(self.path))
        self.assertEqual(self.rows("SELECT name FROM source"), [("mine.ini",)])

    def test_command_that_cannot_go_on(self):
        self.begin()
        for line, shown in (("gridlock list", "gridlock list"), ("'gridlock list'", "gridlock list"), ("", ""),
                            ("gridlock", "gridlock"), ("run mine.ini", "run mine.ini")):
            with self.subTest(line=line):
                quoted = line.replace("'", "''")
                self.change(f"UPDATE run SET command_line = '{quoted}'")
                self.check_refused(f'"{shown}", which cannot go on')

    def test_scenario_that_is_gone(self):
        self.begin()
        self.scenario.unlink()
        self.check_refused("mine.ini")

    def test_folder_that_is_gone(self):
        inner = self.folder / "inner"
        inner.mkdir()
        self.finish(self.start_pocl(*SMALL, "-o", str(self.path), cwd=inner))
        shutil.rmtree(inner)
        self.check_refused("inner", "No such file or directory")

    def test_merged_file(self):
        self.begin()
        other, merged = self.folder / "b.run", self.folder / "m.run"
        self.run_pocl("run", "-d", "pocl", "mine.ini", "-o", str(other))
        self.run_gridlock("merge", "-q", "-o", str(merged), str(self.path), str(other), code=None)
        self.check_refused("merged from 2", path=merged)

    def test_older_schema(self):
        self.begin()
        self.change("PRAGMA user_version = 3")
        self.check_refused("schema version 3", path=self.path)

    def test_what_is_no_run_file(self):
        self.check_refused("not a run file", path=self.scenario)
        self.check_refused("not a regular file", path=self.folder)
        self.check_refused("No such file", path=self.folder / "nosuch")

    def test_usage(self):
        for arguments in ((), ("a", "b"), ("--nosuch", "a")):
            result = self.run_gridlock("resume", *arguments, code=EXIT_USAGE)
            self.assertIn("gridlock resume", result.err)


class Locked(Case):
    """Two runs on one device would spoil each other's figures."""

    def start_first(self):
        path = self.folder / "long.ini"
        path.write_text(scenario_text(groups="1", sweep="iterations = 1000000"))
        process = self.start_pocl("run", "-d", "pocl", str(path), "-o", str(self.path))
        self.wait_until(lambda: self.begun_so_far("estimator = 'work'") > 0 or process.poll() is not None, "a trial")
        self.assertIsNone(process.poll())
        return process

    def end(self, process):
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, EXIT_INTERRUPTED)

    def test_second_may_refuse_to_wait(self):
        first = self.start_first()
        result = self.finish(self.start_pocl(*SMALL, "-o", str(self.folder / "b.run"), "-q", "--device-wait", "0"))
        self.assertEqual(result.code, EXIT_STOPPED, str(result))
        self.assert_sentence(result.err, f"process {first.pid}", "--device-wait")
        self.assertEqual(len(result.err.splitlines()), 1, result.err)
        self.assertEqual(result.out, "")
        self.end(first)

    def test_second_waits(self):
        first = self.start_first()
        second = self.start_pocl(*SMALL, "-o", str(self.folder / "b.run"))
        lines = [second.stderr.readline(), second.stderr.readline()]
        self.assertIn(f"which process {first.pid} uses", lines[1])
        self.assertEqual(self.value("SELECT count(*) FROM trial", self.folder / "b.run"), 0)
        self.end(first)
        result = self.finish(second)
        self.assertEqual(result.code, EXIT_OK, str(result))

    def test_waiting_can_be_interrupted(self):
        first = self.start_first()
        second = self.start_pocl(*SMALL, "-o", str(self.folder / "b.run"))
        second.stderr.readline()
        second.stderr.readline()
        self.end(second)
        self.end(first)
        self.resume(path=self.folder / "b.run")

    def test_folder_where_no_file_can_be_made(self):
        result = self.run_pocl(*SMALL, "-o", str(self.path), code=EXIT_HARNESS,
                               GRIDLOCK_LOCK_DIR=self.folder / "nosuch")
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "cannot lock", "No such file or directory")
        self.assertEqual(result.err.count("nosuch"), 1, result.err)

    def test_dead_holder_holds_nothing(self):
        """Nor does its worker, which may live a moment longer."""
        first = self.start_first()
        first.kill()
        result = self.finish(self.start_pocl(*SMALL, "-o", str(self.folder / "b.run")))
        self.assertEqual(result.code, EXIT_OK, str(result))
        self.assertNotIn(f"process {first.pid} ", result.err)


if __name__ == "__main__":
    gridlock_test.main()
