"""`gridlock progress` on PoCL: a worker that dies, and launches that only seem to have stalled."""
import csv
import io
import json
import os
import pathlib
import shutil
import signal
import sqlite3

import gridlock_test
from gridlock_test import EXIT_OK
from progress_case import CASES, EARLIER, EXIT_SURPRISE, LATER, LOCK, Case


@gridlock_test.needs_driver("pocl")
class Pocl(Case):
    def change_kernel(self, text, instead):
        """A folder of kernels, in which one place of litmus.h is another."""
        kernels = self.folder / "kernels"
        shutil.copytree(gridlock_test.ROOT / "kernels", kernels)
        path = kernels / "litmus.h"
        self.assertEqual(path.read_text().count(text), 1)
        path.write_text(path.read_text().replace(text, instead))
        return kernels

    def test_report_is_what_was_printed(self):
        tests = self.write_tests(LATER, EARLIER)
        printed = self.progress("-d", "pocl", "--tests", tests, "--mapping", "chunked,plain", "--iterations", "2",
                                "--no-limit", code=None, POCL_MAX_PTHREAD_COUNT=2)
        self.assertIn("4 tests, ", printed)
        code = self.run_gridlock("report", str(self.path), code=None).code
        self.assertEqual(self.report(code=code), printed)
        self.assertEqual(len(list(csv.DictReader(io.StringIO(self.report("csv", code=code))))), len(CASES))
        self.run_gridlock("explain", str(self.path))

    def test_a_worker_that_dies_loses_no_other_test(self):
        """The rest of its block is run test by test, and the run goes on."""
        programs = [LATER, EARLIER, LOCK] * 6
        process = self.start("progress", "-q", "-d", "pocl", "--tests", self.write_tests(*programs), "--mapping",
                             "plain,chunked", "--iterations", "50", "--no-limit", "-o", str(self.path),
                             POCL_MAX_PTHREAD_COUNT=2)

        def is_running():
            try:
                return self.rows("SELECT 1 FROM trial WHERE estimator = 'progress' AND duration_ns IS NULL")
            except sqlite3.Error:
                return []
        self.wait_until(lambda: is_running() or process.poll() is not None, "a block")
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
        worker, = children.split()
        os.kill(int(worker), signal.SIGKILL)
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_SURPRISE, str(result))
        self.assertRegex(result.out, r"did not finish: .*killed .*not by gridlock")
        notes = self.rows("SELECT mapping, note FROM trial WHERE estimator = 'progress' AND note <> ''")
        self.assertEqual(len(notes), 1, notes)
        for mapping in ("plain", "chunked"):
            ran = self.rows("SELECT program FROM litmus JOIN trial ON trial.id = litmus.trial "
                            f"WHERE mapping = '{mapping}'")
            self.assertEqual(sorted(program for program, in ran), sorted(programs), mapping)
        each = self.rows("SELECT count(*) FROM (SELECT trial FROM litmus JOIN trial ON trial.id = litmus.trial "
                         f"WHERE mapping = '{notes[0][0]}' GROUP BY trial HAVING count(*) = 1)")
        self.assertGreater(each[0][0], 1)

    def test_who_gets_no_turns_has_not_stalled(self):
        """A group that stands for long between two instructions, as if others had all processors, breaks no model."""
        after = "    gl_fence_total();\n    return value;"
        stands = ("    if (exchange == 1 && value == 0)\n"
                  "        for (volatile uint i = 0; i < 600000000u; ++i)\n            ;\n")
        kernels = self.change_kernel(after, stands + after)
        shown = json.loads(self.progress(
            "-d", "pocl", "--tests", self.write_tests(LOCK), "--mapping", "round-robin", "--groups", "8",
            "--iterations",
            "1", "--no-limit", "--kernel-dir", str(kernels), "--format", "json", "--expect", "OBE", code=EXIT_OK,
            POCL_MAX_PTHREAD_COUNT=4))
        device, = shown["devices"]
        self.assertEqual(device["stalled_launches"], 0)
        self.assertFalse(any(model["broken"] for model in device["models"]), device["models"])

    def test_what_still_moves_has_not_stalled(self):
        """Of launches that nobody watches, those that a total fuse ends, while groups go on starting or ending."""
        counted = "    self->idle = moves != self->moves ? 0 : self->idle + 1;\n"
        moving = self.change_kernel(counted, "    self->idle = 0;\n")
        for kernels, stalled in ((gridlock_test.ROOT / "kernels", 2), (moving, 0)):
            shown = json.loads(self.progress(
                "-d", "pocl", "--tests", self.write_tests(LATER), "--mapping", "chunked", "--iterations", "2",
                "--channel", "none", "--no-limit", "--kernel-dir", str(kernels), "--format", "json", code=EXIT_OK,
                POCL_MAX_PTHREAD_COUNT=1))
            device, = shown["devices"]
            self.assertEqual(device["stalled_launches"], stalled, device)
            self.assertEqual(device["undecided_launches"], 2 - stalled, device)
            self.path.unlink()


if __name__ == "__main__":
    gridlock_test.main()
