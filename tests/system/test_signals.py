"""Signals and closed pipes: what was measured stays readable, and no worker outlives the program."""
import fcntl
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import unittest

import gridlock_test
import resume_case

ROW = re.compile(r"(?m)^ +\d+ +\d+ +\d+ +\d+ .*\n")
PAGE = 4096
TICKS = os.sysconf("SC_CLK_TCK")


class Signals(gridlock_test.Case):
    def start_sweep(self, *arguments, **variables):
        """A sweep whose stdout goes to a file, so that it can be looked at on the way."""
        self.output = self.folder / "stdout"
        with open(self.output, "w", encoding="utf-8") as stdout:
            process = subprocess.Popen([gridlock_test.PROGRAM, "limits", "-d", "pocl", *arguments],
                                       env=self.environment(POCL_MAX_PTHREAD_COUNT=2, **variables), cwd=self.folder,
                                       stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.discard, process)
        return process

    def await_rows(self, process, count=1):
        self.wait_until(lambda: len(ROW.findall(self.output.read_text())) >= count or process.poll() is not None,
                        "a row on stdout")
        self.assertIsNone(process.poll(), "it ended before it could be disturbed")

    def finish_sweep(self, process):
        result = self.finish(process)
        return gridlock_test.Result(result.arguments, result.code, self.output.read_text(), result.err)

    def check_begun_and_ended(self, run):
        for trial in run.rows("SELECT id, duration_ns FROM trial"):
            self.assertIsNotNone(trial["duration_ns"], f"trial {trial['id']} was begun and never ended")

    def check_interrupted(self, number, code):
        process = self.start_sweep()
        self.await_rows(process)
        process.send_signal(number)
        result = self.finish_sweep(process)
        self.assertEqual(result.code, code, str(result))
        self.assert_nothing_left()
        self.assertRegex(result.out, r"(?m)^safe_groups +2 ", str(result))
        self.assertRegex(result.out, r"(?m)^bound ", str(result))
        self.assertNotIn("overran", result.out + result.err, "the user ended it, not the watchdog")

        run = self.run_file()
        self.check_begun_and_ended(run)
        self.assertGreaterEqual(run.one("SELECT count(*) AS n FROM verdict WHERE verdict = 'pass'")["n"], 20)
        rows = [row for row in ROW.findall(result.out) if "20/20" in row]
        footprints = run.one("SELECT count(*) AS n FROM (SELECT DISTINCT local_size, private_bytes,"
                             " local_memory_bytes FROM trial)")["n"]
        self.assertIn(footprints - len(rows), (0, 1), str(result))

    def test_sigint(self):
        self.check_interrupted(signal.SIGINT, 130)

    def test_sigterm(self):
        self.check_interrupted(signal.SIGTERM, 143)

    def test_sigint_with_json(self):
        process = self.start("limits", "-d", "pocl", "--format", "json", POCL_MAX_PTHREAD_COUNT=2)
        self.wait_until(lambda: self.trials() > 10 or process.poll() is not None, "some trials in the run file")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, 130, str(result))
        self.assert_nothing_left()
        self.assertTrue(result.json()["devices"][0]["limits"])
        self.check_begun_and_ended(self.run_file())

    def test_sigint_at_the_start(self):
        """Wherever it strikes, while drivers load or are probed, it ends the program without a trace."""
        for command in ("limits", "devices"):
            with self.subTest(command=command):
                process = self.start(command, "-d", "pocl")
                self.wait_until(lambda: self.workers() or process.poll() is not None, "a worker")
                process.send_signal(signal.SIGINT)
                result = self.finish(process)
                self.assertEqual(result.code, 130, str(result))
                self.assert_nothing_left()

    def test_worker_has_a_session_of_its_own(self):
        """Busy programs that were started from the same terminal leave it half of a processor."""
        process = self.start_sweep()
        self.await_rows(process)
        for worker in self.workers():
            self.assertEqual(os.getsid(worker), worker)
        self.assertTrue(self.workers())
        process.send_signal(signal.SIGTERM)
        self.finish_sweep(process)
        self.assert_nothing_left()

    def start_on_full_pipe(self, *arguments):
        """The program, which can write no more: nobody reads its stdout. Waits until that is so."""
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, PAGE)
        os.write(writer, PAGE * b"x")
        process = subprocess.Popen([gridlock_test.PROGRAM, *arguments], env=self.environment(), cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.discard, process)
        self.addCleanup(os.close, reader)
        os.close(writer)
        stack = pathlib.Path(f"/proc/{process.pid}/syscall")
        self.wait_until(lambda: stack.read_text().split()[:2] == ["1", "0x1"] or process.poll() is not None, "a write")
        return process

    def test_sigint_while_results_are_printed(self):
        process = self.start_on_full_pipe("list", "--format", "json")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)

    @unittest.skipIf("TSAN_OPTIONS" in os.environ,
                     "ThreadSanitizer makes one of signals that come soon after each other")
    def test_third_signal_ends_it_at_once(self):
        """Although there is something to end in order, and that cannot be done."""
        process = self.start_on_full_pipe("progress", "-d", "model:obe:8", "--format", "json")
        for _ in range(3):
            self.wait_until(lambda: not self.is_pending(process), "the signal's arrival")
            process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process).code, 143)

    @staticmethod
    def is_pending(process):
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        return int(re.search(r"ShdPnd:\s*(\w+)", status).group(1), 16) != 0

    def test_file_that_may_not_grow(self):
        """RLIMIT_FSIZE is an error of writing like any other, which the message names."""
        result = self.run_gridlock("progress", "-d", "model:obe:8", before=("prlimit", "--fsize=40000"),
                                   code=gridlock_test.EXIT_HARNESS)
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "cannot write to", "File too large")

    def test_few_descriptors(self):
        result = self.run_gridlock("limits", "-d", "pocl", "--groups", "1", before=("prlimit", "--nofile=16"),
                                   code=None)
        if result.code != 0:
            self.assert_sentence(result.err.splitlines(keepends=True)[-1], "Too many open files")
        result = self.run_gridlock("progress", "-d", "model:obe:8", before=("prlimit", "--nofile=4"),
                                   code=gridlock_test.EXIT_HARNESS)
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "Too many open files")

    @resume_case.needs_strace
    def test_killed_while_the_run_file_is_made(self):
        """Wherever that is, the name is free afterwards, or is that of a run file."""
        path = self.folder / "own.gridlock"
        command = ("progress", "-d", "model:obe:8", "--no-limit", "-o", str(path))
        for call in ("renameat2", "fdatasync", "pwrite64", "unlink"):
            for time in range(1, 4):
                with self.subTest(call=call, time=time):
                    self.finish(self.start(*command, before=resume_case.inject(f"{call}:signal=KILL:when={time}")))
                    if path.exists():
                        with sqlite3.connect(path) as connection:
                            self.assertEqual(connection.execute("SELECT count(*) FROM run").fetchone()[0], 1)
                    else:
                        self.finish(self.start(*command))
                        self.assertTrue(path.exists())
                    for file in self.folder.glob("own.gridlock*"):
                        file.unlink()

    def test_sigkill(self):
        """The supervisor dies at once: its worker must notice, and the run file must say what was running."""
        process = self.start_sweep()
        self.await_rows(process)
        self.assertTrue(self.workers())
        process.kill()
        self.finish_sweep(process)
        self.wait_until(lambda: not self.processes(), "the end of the worker")
        run = self.open_after_crash()
        self.assertGreater(run.execute("SELECT count(*) FROM verdict").fetchone()[0], 0)
        self.assertLessEqual(run.execute("SELECT count(*) FROM trial WHERE duration_ns IS NULL").fetchone()[0], 1)

    def open_after_crash(self):
        """With write access: SQLite rolls back what was half written."""
        paths = self.run_file_paths() or list(self.folder.glob("*.gridlock"))
        self.assertEqual(len(paths), 1)
        connection = sqlite3.connect(paths[0])
        self.addCleanup(connection.close)
        self.assertEqual(connection.execute("PRAGMA integrity_check").fetchone()[0], "ok")
        return connection

    # --- a kernel that never ends

    def start_spin(self):
        """Three groups on two threads, without fuse and stop word, and a stall budget of an hour."""
        process = self.start("limits", "-d", "pocl", "--live", "--groups", "3", "--stall-budget", "3600000",
                             "--timeout", "7200", POCL_MAX_PTHREAD_COUNT=2)
        self.wait_until(lambda: self.trials() > 0 or process.poll() is not None, "a trial in the run file")
        self.wait_until(lambda: self.spinning() or process.poll() is not None, "a kernel that spins")
        self.assertIsNone(process.poll(), "it ended before it could be disturbed")
        return process

    def spinning(self):
        """One of the worker's threads has used more than a second: no build does here, but a spin will."""
        for worker in self.workers():
            for stat in pathlib.Path(f"/proc/{worker}/task").glob("*/stat"):
                try:
                    fields = stat.read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                if int(fields[11]) + int(fields[12]) > 2 * TICKS:
                    return True
        return False

    def trials(self):
        """Trials in the run file, while it is being written."""
        for path in self.run_file_paths():
            try:
                with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=gridlock_test.FOR_EVER_S) as connection:
                    return connection.execute("SELECT count(*) FROM trial").fetchone()[0]
            except sqlite3.Error:
                return 0
        return 0

    def check_spin_interrupted(self, *numbers):
        process = self.start_spin()
        for number in numbers:
            process.send_signal(number)
        result = self.finish(process)
        self.assertEqual(result.code, 128 + numbers[0], str(result))
        self.assert_nothing_left()
        run = self.run_file()
        self.check_begun_and_ended(run)
        observation = run.one("SELECT o.outcome, v.verdict, t.note FROM observation o"
                              " JOIN verdict v USING (trial, launch) JOIN trial t ON t.id = o.trial")
        self.assertEqual((observation["outcome"], observation["verdict"]), ("interrupted", "incomplete"))
        self.assertNotIn("overran", observation["note"] or "", "the user ended it, not the watchdog")

    def test_sigint_in_a_spin(self):
        self.check_spin_interrupted(signal.SIGINT)

    def test_sigterm_in_a_spin(self):
        self.check_spin_interrupted(signal.SIGTERM)

    def test_sigint_twice_in_a_spin(self):
        self.check_spin_interrupted(signal.SIGINT, signal.SIGINT)

    def test_sigkill_in_a_spin(self):
        process = self.start_spin()
        process.kill()
        self.finish(process)
        self.wait_until(lambda: not self.processes(), "the end of the worker")
        run = self.open_after_crash()
        self.assertEqual(run.execute("SELECT count(*) FROM trial WHERE duration_ns IS NULL").fetchone()[0], 1)

    # --- stdout

    def check_unwritable(self, process, code=gridlock_test.EXIT_HARNESS):
        """The results cannot be printed, which is a failure unless nobody wants them; but the run file has them all."""
        result = self.finish(process)
        self.assertEqual(result.code, code, str(result))
        self.assert_nothing_left()
        self.assertEqual(len(re.findall("cannot write", result.err)), int(code != 0), result.err)
        run = self.run_file()
        self.check_begun_and_ended(run)
        footprints = run.one("SELECT count(*) AS n FROM (SELECT DISTINCT local_size, private_bytes,"
                             " local_memory_bytes FROM trial WHERE estimator = 'barrier')")["n"]
        self.assertEqual(footprints, 3)
        return result

    SHORT = ("limits", "-d", "pocl", "--local-size", "1,2,4", "--iterations", "3")

    def test_reader_that_has_seen_enough(self):
        """As "| head" has: what a command prints at once, or much later than its buffer is full."""
        for arguments in (["list"], ["help", "words"], ["check", "--reference"],
                          ["litmus", "enumerate", "--threads", "2", "--instructions", "6"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_unread(*arguments).err, "")

    def test_reader_that_goes_away(self):
        for form in ("text", "json"):
            with self.subTest(form=form):
                process = self.start(*self.SHORT, "--format", form)
                if form == "text":
                    process.stdout.readline()
                process.stdout.close()
                process.stdout = None
                result = self.check_unwritable(process, code=0)
                self.assertNotIn("cannot write", result.err)
                for path in self.run_file_paths():
                    path.unlink()

    def test_full_device(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = subprocess.Popen([gridlock_test.PROGRAM, *self.SHORT], env=self.environment(), cwd=self.folder,
                                       stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.discard, process)
        result = self.check_unwritable(process)
        self.assertIn("No space left on device", result.err)

    def test_no_stdout(self):
        """Closed by who started it: that is no place to write to, either."""
        process = subprocess.Popen(["sh", "-c", 'exec "$0" "$@" >&-', gridlock_test.PROGRAM, *self.SHORT],
                                   env=self.environment(), cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.discard, process)
        result = self.check_unwritable(process)
        self.assertIn("Bad file descriptor", result.err)


if __name__ == "__main__":
    gridlock_test.main()
