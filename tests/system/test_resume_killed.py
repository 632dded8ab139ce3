"""Runs that were killed, or stopped by a full disk, go on: nothing that had ended is run again or changed.

GRIDLOCK_SOAK is the number of kills at random moments (12); if it is set, the run is also killed at each of its
writes, and not at some of them only.
"""
import pathlib
import random
import re
import signal
import subprocess

import gridlock_test
from gridlock_test import EXIT_HARNESS, EXIT_OK
from resume_case import ALL_WRITES, EXIT_STOPPED, KILLS, SMALL, SWEEP, WRITES_SAMPLED, Case, inject, needs_strace


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
                left = self.value("SELECT count(*) FROM trial WHERE duration_ns IS NULL AND estimator = 'work'")
                self.assertEqual(result.code, EXIT_STOPPED if left > 0 else EXIT_OK, str(result))
                self.check_kept(before.get("ended", {}))
                return kills
            kills += 1
            if self.path.exists():
                self.assertTrue(self.is_run_file(), "it has its name before it is complete")
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
        self.wait_until(lambda: self.begun_so_far("local_size = 64") > 0 or process.poll() is not None,
                        "the second row")
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
        self.goes_on()
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
        self.assertTrue(self.is_run_file(), "it has its name before it is complete")
        before = self.ended()
        self.assertLessEqual(self.unfinished(), 1)
        self.goes_on()
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
        self.goes_on()
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


if __name__ == "__main__":
    gridlock_test.main()
