#!/usr/bin/env python3
"""gridlock watch --marks on a device that is no CPU, or says so: its marks are read by another queue."""
import pathlib
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import spoiling  # noqa: E402
import watch_case  # noqa: E402


@gridlock_test.needs_driver("pocl")
@unittest.skipIf(gridlock_test.is_sanitized(), "the driver cannot be loaded into a program that is not sanitized")
@unittest.skipIf(not spoiling.LIBRARY, "no driver that spoils calls")
class Case(watch_case.Case):
    source = "watched.c"

    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))

    def told(self, *words, wanted, **variables):
        """The command of the launch, once the driver was asked and it is told as is wanted."""
        self.log.unlink(missing_ok=True)
        process = self.begin(*words, options=["--marks"],
                             **self.spoiling.environment(SPOIL_TYPE="gpu", POCL_MAX_PTHREAD_COUNT=4, **variables))

        def look():
            if self.stalls():
                process.send_signal(signal.SIGUSR1)
            return [line for line in self.stalls()
                    if line["asked"] and line["commands"] and wanted(line["commands"][0])]

        self.wait_until(look, "it is told so")
        (command,) = look()[-1]["commands"]
        return command, self.end(process)["processes"][0]

    def test_a_device_that_reads_while_a_kernel_runs(self):
        """Two of four threads are left for the queue that reads."""
        command, end = self.told("circle", wanted=lambda command: command.get("started", 0) == 2)
        self.assertEqual((command["groups"], command["not_started"]), (2, []))
        self.assertNotIn("not_marked", command)
        self.assertEqual(end["marks"], {"marked": 1})

    def test_one_that_does_not(self):
        """No thread is left: what was read before says nothing of now."""
        command, end = self.told("barrier_of_all", wanted=lambda command: "not_marked" in command)
        self.assertEqual(command["not_marked"], "unread")
        self.assertNotIn("started", command)
        self.assertEqual(end["marks"], {"marked": 1})

    def test_a_queue_that_is_out_of_order(self):
        command, end = self.told("circle", wanted=lambda command: "not_marked" in command, WATCHED_ORDER=1)
        self.assertEqual((command["not_marked"], end["marks"]), ("device", {"device": 1}))


if __name__ == "__main__":
    gridlock_test.main()
