"""Several devices at the same time: PoCL three times, behind a driver that says they are GPUs."""
import json
import os
import pathlib
import re
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import spoiling  # noqa: E402
from gridlock_test import EXIT_NO_DEVICE, EXIT_OK, scenario_text  # noqa: E402

EXIT_SURPRISE, EXIT_STOPPED, EXIT_INTERRUPTED = 1, 75, 143
DEVICES = 3
POINTS = 24  # of each device


def spoil_first(fault):
    """The first launch for a point, of whichever device comes to it first: others may still be probed."""
    return {"SPOIL_CALL": f"clSetKernelArgSVMPointer:1:{fault}", "SPOIL_WORK": "1"}


@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))
        self.scenario = self.write_scenario("point.ini")

    def write_scenario(self, name, **changes):
        rounds = ", ".join(str(i + 1) for i in range(POINTS))
        path = self.folder / name
        path.write_text(scenario_text(groups="1", sweep=f"local-size = 1\niterations = 2\nrounds = {rounds}",
                                      **changes))
        return path

    def environment_of(self, **plan):
        return {**self.spoiling.environment(**plan), "SPOIL_TYPE": "gpu",
                "POCL_DEVICES": " ".join(["pthread"] * DEVICES)}

    def arguments(self, *more):
        """A stall is not what is measured here, and these devices are slow for GPUs."""
        return ["run", str(self.scenario), "--stall-budget", "5000", "-o", str(self.folder / "a.run"), *more]

    def measure(self, *more, code=EXIT_OK, **plan):
        (self.folder / "a.run").unlink(missing_ok=True)
        return self.run_gridlock(*self.arguments(*more), code=code, **self.environment_of(**plan))

    def rows(self, query):
        return self.run_file(self.folder / "a.run").rows(query)

    def devices_of_trials(self):
        """Of each point's trial, as they were begun."""
        return [row["device"] for row in self.rows("SELECT device FROM trial WHERE estimator = 'work' ORDER BY id")]

    def points(self):
        """Of each device, in their order."""
        found = {}
        for row in self.rows("SELECT device, name FROM trial WHERE estimator = 'work' ORDER BY id"):
            found.setdefault(row["device"], []).append(row["name"])
        return found


class AtTheSameTime(Case):
    def test_each_device_is_measured_as_if_it_were_alone(self):
        self.measure("--jobs", "1")
        after = self.devices_of_trials()
        self.assertEqual(after, sorted(after))
        alone = self.points()
        self.assertEqual({device: len(points) for device, points in alone.items()}, {1: POINTS, 2: POINTS, 3: POINTS})
        self.measure(**spoil_first("slow"))
        beside = self.devices_of_trials()
        self.assertNotEqual(beside, sorted(beside))  # others are measured while the first is slow
        self.assertEqual(self.points(), alone)
        ordinals = self.rows("SELECT ordinal FROM device ORDER BY id")
        self.assertEqual([row["ordinal"] for row in ordinals], [0, 1, 2])
        self.assertEqual(self.rows("SELECT ended FROM share"), [{"ended": 1}] * DEVICES)
        self.assertEqual(self.rows("SELECT devices FROM run"), [{"devices": DEVICES}])

    def test_cpu_devices_are_measured_one_after_another(self):
        plan = self.environment_of()
        del plan["SPOIL_TYPE"]
        self.run_gridlock(*self.arguments(), **plan)
        devices = self.devices_of_trials()
        self.assertEqual(len(devices), DEVICES * POINTS)
        self.assertEqual(devices, sorted(devices))

    def test_limits_and_progress(self):
        for arguments in (("limits", "--local-size", "1,2", "--estimator", "barrier"),
                          ("progress", "--no-limit", "--mapping", "plain")):
            with self.subTest(command=arguments[0]):
                path = self.folder / f"{arguments[0]}.run"
                report = self.run_gridlock(*arguments, "--iterations", "1", "--stall-budget", "1000", "-o", str(path),
                                           "--format", "json", code=None, **self.environment_of())
                self.assertIn(report.code, (EXIT_OK, EXIT_SURPRISE), str(report))
                self.assertEqual(len(json.loads(report.out)["devices"]), DEVICES)
                self.assertEqual(self.run_file(path).rows("SELECT ended FROM share"), [{"ended": 1}] * DEVICES)

    def test_status_line_counts_devices(self):
        seen, _ = self.on_terminal("stderr", *self.arguments("--progress", "auto"), **self.environment_of())
        self.assertRegex(seen, r"[012]/3 devices, 0:[0-9]+, [0-9]+ done")

    def test_lists_are_read_once_for_all(self):
        """Each line is said to name no point if no device has one."""
        skips = self.folder / "skips.txt"
        skips.write_text("/rounds=3/\nother\n")
        result = self.measure("--skips", str(skips))
        self.assertEqual({device: len(points) for device, points in self.points().items()},
                         {1: POINTS - 1, 2: POINTS - 1, 3: POINTS - 1})
        self.assertEqual(re.findall(r"skips.txt.*", result.err), ["skips.txt:2: no point of this run matches 'other'"])

    def test_no_more_surprises_than_allowed(self):
        """Of those that run at the same time, each may have begun one more."""
        self.scenario = self.write_scenario("stale.ini", verdict="stale")
        result = self.measure("--max-fails", "2", code=EXIT_STOPPED)
        self.assertRegex(result.err, "stopped after [234] surprises")
        self.assertLess(len(self.devices_of_trials()), DEVICES * POINTS)


class Trouble(Case):
    def test_one_that_hangs_costs_the_others_nothing(self):
        self.measure(*spoiling.deadlines("hang"), code=EXIT_SURPRISE, **spoil_first("hang"))
        self.assertEqual(len(self.spoiling.spoiled()), 1)
        self.assertEqual(self.rows("SELECT count(*) AS count FROM verdict WHERE verdict = 'hang'"), [{"count": 1}])
        self.assert_whole()

    def assert_whole(self):
        """Whichever rows the devices have: one that was ended before it was begun comes after the others."""
        self.assertEqual([len(points) for points in self.points().values()], DEVICES * [POINTS])

    def jobs(self):
        """The processes of the devices."""
        return [pid for pid, line in self.processes().items() if line.startswith(f"{gridlock_test.PROGRAM} run")]

    def start_measuring(self, *more):
        """Once each device has been begun, and a worker of one of them is slow."""
        plan = self.environment_of(**spoil_first("slow"))
        process = self.start(*self.arguments(*more), **plan)
        self.wait_until(lambda: self.spoiling.spoiled() or process.poll() is not None, "a call that is slow")
        self.assertEqual(len(self.jobs()), 1 + DEVICES)
        return process

    def test_process_that_is_killed_is_said(self):
        process = self.start_measuring()
        victim = next(pid for pid in self.jobs() if pid != process.pid)
        os.kill(victim, signal.SIGKILL)
        result = self.finish(process)
        self.assertEqual(result.code, gridlock_test.EXIT_HARNESS, str(result))
        self.assertIn("signal 9", result.err)
        self.assert_nothing_left()
        full = [points for points in self.points().values() if len(points) == POINTS]
        self.assertEqual(len(full), DEVICES - 1)
        self.run_gridlock("resume", "--retry-incomplete", str(self.folder / "a.run"), **self.environment_of())
        self.assert_whole()

    def test_signal_ends_all_in_order(self):
        process = self.start_measuring()
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_INTERRUPTED, str(result))
        self.assert_nothing_left()
        self.assertLess(len(self.devices_of_trials()), DEVICES * POINTS)
        self.run_gridlock("resume", str(self.folder / "a.run"), **self.environment_of())
        self.assert_whole()

    def test_nothing_outlives_the_run(self):
        process = self.start_measuring()
        process.kill()
        self.finish(process)
        self.wait_until(lambda: not self.processes(), "the end of all processes")


class Demonstration(Case):
    def test_no_gpu_is_stalled_unless_it_is_named(self):
        result = self.run_gridlock("demo", code=EXIT_NO_DEVICE, **self.environment_of())
        self.assertEqual(result.out, "")
        self.assert_sentence(result.err, "no CPU device; --device takes another one: ", " #1", " #3")
        self.assertIn("3 groups: starved", self.run_gridlock("demo", "-d", "*#2", **self.environment_of()).out)


if __name__ == "__main__":
    gridlock_test.main()
