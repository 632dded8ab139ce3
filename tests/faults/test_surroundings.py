"""What changes around a run: memory, clocks, folders, libraries that are loaded before all else; and very long runs.

SHIFT_CLOCK_LIBRARY names the library that is built from shift_clock.c.
"""
import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))

import gridlock_test  # noqa: E402
import report as bench  # noqa: E402
import resume_case  # noqa: E402
import spoiling  # noqa: E402
from gridlock_test import EXIT_HARNESS, EXIT_NO_DEVICE, EXIT_OK, EXIT_UNSUPPORTED, scenario_text  # noqa: E402

EXIT_SURPRISE, EXIT_WEDGED = 1, 5
CLOCK_LIBRARY = os.environ.get("SHIFT_CLOCK_LIBRARY", "")
FREEZER = pathlib.Path("/sys/fs/cgroup/freezer")
LAUNCHES = 20
MIDDLE = LAUNCHES // 2
MIB = 1 << 20
YEAR_S = 365 * 86400


@gridlock_test.needs_driver("rusticl")
@unittest.skipUnless(spoiling.LIBRARY, "needs SPOIL_ICD_LIBRARY")
class Busy(gridlock_test.Case):
    def test_a_loop_is_cut_however_long_a_launch_takes(self):
        """Mesa 22.3 does so after 65535 iterations, of which no shorter loop tells."""
        plan = spoiling.Spoiling(self.folder, gridlock_test.registered_library("rusticl")).environment(
            SPOIL_CALL="clWaitForEvents:1+:lag", RUSTICL_ENABLE="llvmpipe")
        (device,) = self.run_gridlock("devices", "--format", "json", **plan).json()["devices"]
        if device["loops_cut_at"] is None:
            self.assertGreaterEqual(device["loops_tried"], 100000)
        else:
            self.assertEqual(device["loops_cut_at"], 65535)


@gridlock_test.needs_driver("pocl")
class Case(resume_case.Case):
    def setUp(self):
        super().setUp()
        self.scenario = self.folder / "point.ini"
        self.scenario.write_text(scenario_text(groups="1, 2", sweep=f"local-size = 1\niterations = {LAUNCHES}"))
        self.command = ("run", str(self.scenario), "-d", "pocl")
        if spoiling.LIBRARY:
            self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))

    def start_in_a_launch(self, *arguments, fault="slow", **variables):
        """A run whose worker is in a call in the middle of a batch; it goes on after a while, or hangs."""
        plan = self.spoiling.environment(SPOIL_CALL=f"clEnqueueNDRangeKernel:{MIDDLE}:{fault}", SPOIL_WORK="1")
        del plan["ASAN_OPTIONS"]  # no crash is to be seen here
        process = self.start(*self.command, "-o", str(self.path), *spoiling.deadlines(fault), *arguments,
                             **{**plan, **variables})
        self.wait_until(lambda: self.spoiling.spoiled() or process.poll() is not None, "a call that is spoiled")
        self.assertEqual(len(self.spoiling.spoiled()), 1, "no call was spoiled")
        return process

    def verdicts(self):
        return {verdict for verdict,
                in self.rows("SELECT DISTINCT verdict FROM verdict JOIN trial ON trial.id = verdict.trial"
                                                  " WHERE estimator = 'work'")}


needs_spoiling = unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")


class Memory(Case):
    """A limit on memory: a verdict or a sentence, and nothing of the run is lost."""

    @needs_spoiling
    @unittest.skipIf(gridlock_test.is_sanitized(), "a sanitizer needs its address space")
    def test_worker_that_gets_no_more(self):
        self.scenario.write_text(scenario_text(groups="1", sweep=f"local-size = 1, 2\niterations = {LAUNCHES}"))
        cache = self.folder / "cache"
        cache.mkdir()
        process = self.start_in_a_launch(*spoiling.deadlines("hang"), POCL_CACHE_DIR=cache)
        worker, = self.workers()
        used = 4096 * int(pathlib.Path(f"/proc/{worker}/statm").read_text().split()[0])
        resource.prlimit(worker, resource.RLIMIT_AS, (used, used))
        result = self.finish(process)
        self.assertIn(result.code, (EXIT_OK, EXIT_SURPRISE), str(result))
        self.assert_nothing_left()
        self.assertEqual(self.unfinished(), 0)
        self.assertEqual(len(self.points()), 2)
        self.assertIn("pass", self.verdicts())
        failed = {verdict for verdict, in self.rows("SELECT verdict FROM verdict")} - {"pass"}
        self.assertTrue(failed, "the limit made no difference")
        self.assertLessEqual(failed, {"build-failed", "error", "crash", "hang"})

    @unittest.skipIf(gridlock_test.is_sanitized(), "a sanitizer needs its address space")
    def test_all_get_little(self):
        """From too little for anything to enough for some drivers: PoCL needs about 900 MB."""
        ended = set()
        for limit in (200, 400, 600, 650, 700, 750, 800, 850, 900, 1000):
            with self.subTest(limit=limit):
                result = self.run_pocl(*self.command, "-o", str(self.path), code=None,
                                       before=("prlimit", f"--as={limit * MIB}"))
                self.assertIn(result.code, (EXIT_OK, EXIT_SURPRISE, EXIT_HARNESS, EXIT_NO_DEVICE, EXIT_WEDGED,
                                            EXIT_UNSUPPORTED), str(result))
                ended.add(result.code)
                if result.code not in (EXIT_OK, EXIT_SURPRISE):
                    self.assert_sentence(result.err)
                if self.path.exists():
                    self.assertEqual(self.value("PRAGMA integrity_check"), "ok")
                    self.path.unlink()
        self.assertIn(EXIT_HARNESS, ended)
        self.assertIn(EXIT_NO_DEVICE, ended)


class Frozen(Case):
    """A worker that the system holds, as one that waits in it: a signal does not end it."""

    @staticmethod
    def is_removed(group):
        with contextlib.suppress(OSError):  # what ended is there for a moment
            group.rmdir()
        return not group.exists()

    @needs_spoiling
    def test_worker_that_waits_in_the_system(self):
        group = FREEZER / f"gridlock-test-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            self.skipTest("processes cannot be frozen here: there is no freezer of cgroup v1, or it is not ours")
        self.addCleanup(self.wait_until, lambda: self.is_removed(group), "the end of the group")
        process = self.start_in_a_launch(fault="hang")
        worker, = self.workers()
        try:
            (group / "cgroup.procs").write_text(str(worker))
            (group / "freezer.state").write_text("FROZEN")
            self.wait_until(lambda: (group / "freezer.state").read_text() == "FROZEN\n", "that it is frozen")
            result = self.finish(process)
            self.assertIn(worker, self.processes(), "it could be ended")
        finally:
            (group / "freezer.state").write_text("THAWED")
        self.wait_until(lambda: not self.processes(), "the end of the worker")
        self.assertEqual(result.code, EXIT_WEDGED, str(result))
        self.assertIn("hang", self.verdicts())
        self.assertIn("unkillable", self.value("SELECT rungs FROM trial WHERE rungs <> ''"))


@unittest.skipIf(CLOCK_LIBRARY == "", "SHIFT_CLOCK_LIBRARY names no library")
@unittest.skipIf(gridlock_test.is_sanitized(), "a sanitizer wants to be loaded first")
class Clock(Case):
    """The time of day jumps by ten years, to and fro: only what is written as a date shows it."""

    def setUp(self):
        super().setUp()
        self.shift = {"LD_PRELOAD": CLOCK_LIBRARY, "SHIFT_CLOCK_S": 10 * YEAR_S}

    def test_no_deadline_is_early(self):
        now_ms = int(subprocess.check_output(["date", "+%s"])) * 1000
        self.run_pocl(*self.command, "-o", str(self.path), "--timeout", "600", **self.shift)
        self.assertEqual(self.verdicts(), {"pass"})
        self.assertEqual(self.rows("SELECT rungs FROM trial WHERE rungs <> ''"), [])
        began_ms = self.value("SELECT started_ms FROM run")
        self.assertGreater(abs(began_ms - now_ms), 5 * YEAR_S * 1000, "the clock was not set")

    @needs_spoiling
    def test_no_deadline_is_late(self):
        process = self.start_in_a_launch(fault="hang", **self.shift)
        self.assertEqual(self.finish(process).code, EXIT_SURPRISE)
        self.assertIn("hang", self.verdicts())
        self.resume("--retry-incomplete", **self.shift, code=None)
        self.assertEqual(self.unfinished(), 0)

    def test_wait_for_a_device_ends(self):
        holder = self.start_pocl("limits", "-d", "pocl", "--live", "--groups", "64", "--local-size", "1",
                                 "--stall-budget", "60000", "-o", str(self.folder / "holder"))
        self.wait_until(lambda: self.is_held() or holder.poll() is not None, "a run that holds the device")
        result = self.finish(self.start_pocl(*self.command, "-o", str(self.path), "--device-wait", "1", **self.shift))
        self.assertEqual(result.code, resume_case.EXIT_STOPPED, str(result))
        self.assert_sentence(result.err)

    def is_held(self):
        return (self.folder / "holder").exists() and self.workers()


class Terminal(Case):
    """The end of the terminal ends a run in order, and not one under nohup."""

    @needs_spoiling
    def test_hangup(self):
        process = self.start_in_a_launch()
        process.send_signal(signal.SIGHUP)
        result = self.finish(process)
        self.assertEqual(result.code, 128 + signal.SIGHUP, str(result))
        self.assertIn("the run did not end; gridlock resume", " ".join(result.out.split()))
        self.assert_nothing_left()
        self.resume()
        self.assertEqual((self.unfinished(), len(self.points()), self.verdicts()), (0, 2, {"pass"}))

    @needs_spoiling
    def test_hangup_under_nohup(self):
        process = self.start_in_a_launch(before=("nohup",))
        process.send_signal(signal.SIGHUP)
        result = self.finish(process)
        self.assertEqual((result.code, self.verdicts()), (EXIT_OK, {"pass"}), str(result))


@needs_spoiling
class Process(Case):
    """A driver that changes what belongs to the whole process."""

    def test_handlers_for_all_signals(self):
        result = self.finish(self.start_in_a_launch(fault="handlers"))
        self.assertEqual((result.code, self.verdicts()), (EXIT_OK, {"pass"}), str(result))

    def test_worker_that_hangs_and_handles_all_signals(self):
        process = self.start_in_a_launch(fault="deaf")
        self.assertEqual(self.finish(process).code, EXIT_SURPRISE)
        self.assertEqual(self.verdicts(), {"pass", "hang"})
        self.assertIn("sigkill", self.value("SELECT rungs FROM trial WHERE rungs <> ''"))
        self.assert_nothing_left()

    def test_floats_that_are_rounded_up(self):
        """Those of the launches and those that they are compared with are exact in any case."""
        self.scenario.write_text(scenario_text(kernel="reduce_atomic", groups="1, 2",
                                               sweep="local-size = 1\nitems = 1000\n"
                                               f"type = float\niterations = {LAUNCHES}"))
        for device in ("basic", "pthread"):
            with self.subTest(device=device):
                result = self.finish(self.start_in_a_launch(fault="state", POCL_DEVICES=device))
                self.assertEqual((result.code, self.verdicts()), (EXIT_OK, {"pass"}), str(result))
                self.path.unlink()


@needs_spoiling
class SharedPage(Case):
    """A driver that writes to the page by which the worker says what it does: one trial at most is lost."""

    def check(self, fault, verdicts, code):
        result = self.finish(self.start_in_a_launch(fault=fault))
        self.assert_nothing_left()
        self.assertEqual((result.code, self.verdicts(), self.unfinished()), (code, verdicts, 0), str(result))
        self.assertEqual(len(self.points()), 2)
        self.path.unlink()

    def test_damaged_shared_page(self):
        for byte, verdicts, code in ((0, {"pass"}, EXIT_OK), (255, {"pass"}, EXIT_OK)):
            with self.subTest(byte=byte):
                self.check(f"page={byte}", verdicts, code)

    def test_damaged_shared_page_and_a_hang(self):
        for byte in (0, 255):
            with self.subTest(byte=byte):
                self.check(f"page={byte}-hang", {"pass", "hang"}, EXIT_SURPRISE)


class Folders(Case):
    """Folders that change places meanwhile."""

    @needs_spoiling
    def test_folder_of_the_run_file(self):
        """The run ends with a sentence, and goes on from where the file is now."""
        old, new = self.folder / "old", self.folder / "new"
        for decoy in (False, True):
            with self.subTest(decoy=decoy):
                old.mkdir()
                self.path = old / "a.run"
                process = self.start_in_a_launch()
                old.rename(new)
                if decoy:
                    old.mkdir()
                result = self.finish(process)
                self.assertEqual(result.code, EXIT_HARNESS, str(result))
                self.assert_sentence(result.err.splitlines(keepends=True)[-1], "cannot write to", str(self.path),
                                     "moved")
                self.assert_nothing_left()
                self.assertEqual(list(old.iterdir()) if decoy else [], [], "it was written anew")
                self.path = new / "a.run"
                before = self.ended()
                self.resume("--retry-incomplete")
                self.check_kept(before)
                self.assertEqual((self.unfinished(), len(self.points())), (0, 2))
                self.path.unlink()
                for folder in (new, old) if decoy else (new,):
                    folder.rmdir()

    @needs_spoiling
    def test_folders_of_the_cache_and_of_kernels(self):
        """What was read before is not read again, or the driver makes it again: the run goes on."""
        kernels, cache = self.folder / "kernels", self.folder / "cache"
        kernels.mkdir()
        for source in (gridlock_test.ROOT / "kernels").iterdir():
            (kernels / source.name).write_bytes(source.read_bytes())
        for folder in (kernels, cache):
            with self.subTest(folder=folder.name):
                cache.mkdir(exist_ok=True)
                process = self.start_in_a_launch("--kernel-dir", str(kernels), POCL_CACHE_DIR=cache)
                folder.rename(self.folder / "elsewhere")
                result = self.finish(process)
                self.assertEqual(self.value("PRAGMA integrity_check"), "ok")
                self.assertEqual((self.unfinished(), len(self.points())), (0, 2), str(result))
                self.assertEqual((result.code, self.verdicts()), (EXIT_OK, {"pass"}), str(result))
                (self.folder / "elsewhere").rename(self.folder / f"old {folder.name}")
                if not folder.exists():
                    (self.folder / f"old {folder.name}").rename(folder)
                self.path.unlink()


class Preloaded(Case):
    """Libraries that are loaded before all else change devices, and are stored as what else does."""

    def stored(self):
        return self.value("SELECT environment FROM run").splitlines()

    @unittest.skipIf(gridlock_test.is_sanitized(), "a sanitizer wants to be loaded first")
    def test_it_is_stored_and_repeated(self):
        self.scenario.write_text(scenario_text(groups="3", verdict="pass", sweep="local-size = 1"))
        library = CLOCK_LIBRARY or "libm.so.6"
        self.run_pocl(*self.command, "-o", str(self.path), LD_PRELOAD=library, code=EXIT_SURPRISE)
        self.assertIn(f"LD_PRELOAD={library}", self.stored())
        self.assertIn(f" LD_PRELOAD={library} ", self.run_gridlock("explain", str(self.path)).out)

    def test_none_is_stored_where_there_was_none(self):
        self.run_pocl(*self.command, "-o", str(self.path))
        self.assertNotIn("LD_PRELOAD", " ".join(self.stored()))

    @unittest.skipIf(CLOCK_LIBRARY == "", "SHIFT_CLOCK_LIBRARY names no library")
    def test_library_that_a_run_file_names_is_not_loaded(self):
        """Whatever is stored: neither resume nor a report has its own environment from there."""
        self.run_pocl(*resume_case.SMALL, "-o", str(self.path))
        self.change(f"UPDATE run SET environment = environment || 'LD_PRELOAD={CLOCK_LIBRARY}' || char(10);"
                    " DELETE FROM verdict; DELETE FROM observation; DELETE FROM trial;")
        process = self.start_pocl("resume", str(self.path))
        loaded = set()
        while process.poll() is None:
            for pid in self.processes():
                with contextlib.suppress(OSError):
                    loaded.update(line.split()[-1]
                                  for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines())
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_OK, str(result))
        self.assertTrue(any("libc.so" in name for name in loaded))
        self.assertNotIn(CLOCK_LIBRARY, loaded)
        for command in ("report", "explain"):
            result = self.run_gridlock(command, str(self.path),
                                       before=("strace", "-f", "-qq", "-e", "openat,execve", "-o",
                                                                        str(self.folder / "calls")), code=None)
            self.assertNotIn(CLOCK_LIBRARY, (self.folder / "calls").read_text())


@unittest.skipIf(gridlock_test.is_sanitized(), "a sanitizer has an allocator of its own")
class ManyTrials(gridlock_test.Case):
    """A report holds a few bytes of each point that it may have to name, and not its trials."""

    TRIALS = (20000, 100000)
    MOST_BYTES = 200  # a trial: half of what it has in the file

    def peak(self, path, shown):
        """The most memory that the report took, in bytes."""
        name, *options = shown.split()
        arguments = [gridlock_test.PROGRAM, "report", str(path), "--format", name, *options]
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, env=self.environment()) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, EXIT_SURPRISE)
        return usage.ru_maxrss * 1024

    def test_memory_for_each_trial(self):
        paths = [self.folder / f"{count}.run" for count in self.TRIALS]
        for path, count in zip(paths, self.TRIALS):
            bench.write_trials(path, count, 100)
        for shown in bench.FORMATS:
            with self.subTest(format=shown):
                few, many = (self.peak(path, shown) for path in paths)
                self.assertLess(many - few, self.MOST_BYTES * (self.TRIALS[1] - self.TRIALS[0]))


if __name__ == "__main__":
    gridlock_test.main()
