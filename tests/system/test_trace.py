"""GRIDLOCK_TRACE: what a worker is asked to do, and what it does, on standard error while it happens."""
import re

import gridlock_test
from gridlock_test import needs_driver, scenario_text

LINE = re.compile(r"gridlock\[(\d+)\] (\d+\.\d{6}): (.*)")


@needs_driver("pocl")
class Trace(gridlock_test.Case):
    def trace(self, value):
        """[process, seconds, text] of each line, and what else was said."""
        path = self.folder / "stall.ini"
        path.write_text(scenario_text("barrier_central", groups="1x resident + 1", verdict="starved"))
        result = self.run_gridlock("run", "-d", "pocl", "--iterations", "2", str(path), code=None,
                                   POCL_MAX_PTHREAD_COUNT=2,
                                   GRIDLOCK_TRACE=value)
        lines = result.err.splitlines()
        return [found.groups() for found in map(LINE.fullmatch, lines) if found], result

    def test_says_what_a_worker_does(self):
        lines, result = self.trace("1")
        texts = [text for _, _, text in lines]
        worker = next(re.fullmatch(r"started worker (\d+)", text).group(1) for text in texts if "started" in text)
        for wanted in ("request: open the device", "request: trial",
                       "trial of barrier_central: 3 groups of 1 work-items, 2 launches", "while running a kernel",
                       "launch 1: starved, 2 of 3 groups started, 0 done, .* ms", "answer: ended"):
            with self.subTest(wanted=wanted):
                self.assertTrue(any(process == worker and re.fullmatch(wanted, text) for process, _, text in lines),
                                texts)
        stalls = [text for text in texts if text.startswith("stall: 2 groups started, 2 wait, 0 done; ")]
        self.assertEqual(len(stalls), 2)
        times = [float(time) for process, time, _ in lines if process == worker]
        self.assertEqual(times, sorted(times))
        self.assertNotIn("gridlock[", result.out)

    def test_says_nothing_unasked(self):
        for value in ("", "0"):
            with self.subTest(value=value):
                self.assertEqual(self.trace(value)[0], [])


if __name__ == "__main__":
    gridlock_test.main()
