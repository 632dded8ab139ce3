"""Kernels with neither fuse nor stop word: a stall is seen, kept as evidence, and killed."""
import os

import gridlock_test

REPETITIONS = int(os.environ.get("GRIDLOCK_SOAK", "3"))


class Live(gridlock_test.Case):
    def check(self, path):
        result = self.run_gridlock("limits", "-d", "pocl", "--live", "--groups", "3,2", "--stall-budget", "200",
                                   "-o", str(path), POCL_MAX_PTHREAD_COUNT=2)
        run = self.run_file(path)
        trials = run.rows("SELECT t.id, t.groups, t.live, t.rungs, t.duration_ns, o.outcome, o.board, o.started,"
                          " o.never_started, v.verdict FROM trial t JOIN observation o ON o.trial = t.id"
                          " JOIN verdict v USING (trial, launch) ORDER BY t.id")
        self.assertEqual([(t["groups"], t["live"], t["verdict"]) for t in trials],
                         [(3, 1, "starved"), (2, 1, "pass")], str(result))
        stalled, passed = trials
        told = self.run_gridlock("explain", str(path)).out
        self.assertIn("--live", told[told.index("Repeat it"):])
        self.assertIn("--stall-budget 200", told[told.index("Repeat it"):])
        self.assertEqual(stalled["outcome"], "left-running", str(result))
        # On a busy machine it may not end within the time that the first signal gives it.
        self.assertIn(stalled["rungs"], ("stop-word sigterm", "stop-word sigterm sigkill"), str(result))
        self.assertIsNotNone(stalled["duration_ns"])
        self.assertEqual(stalled["started"], 2)
        tickets = gridlock_test.board_tickets(stalled["board"], 3)
        self.assertEqual(tickets[stalled["never_started"]], 0, tickets)
        self.assertEqual(sorted(tickets), [0, 1, 2])
        self.assertEqual(passed["outcome"], "ended")
        self.assertIn(passed["rungs"], (None, ""))

    def test_stall_is_killed(self):
        for repetition in range(REPETITIONS):
            with self.subTest(repetition=repetition):
                self.check(self.folder / f"{repetition}.gridlock")

    def test_search(self):
        """The search itself, each stall of which costs a worker."""
        device = self.limits("-d", "pocl", "--local-size", "64", "--live", "--stall-budget", "200",
                             POCL_MAX_PTHREAD_COUNT=2)
        self.assert_limit(device["limits"][0], 2, launches=1)

    def test_scenario_that_no_fuse_can_end(self):
        """Whatever the driver makes of barriers in divergent branches: each point has a verdict, and with one work-item
        there is nothing divergent."""
        path = self.folder / "divergent.gridlock"
        self.run_gridlock("run", "divergent_barrier", "-d", "pocl", "--live", "-t", "/l[12]/", "--stall-budget", "200",
                          "-o", str(path), POCL_MAX_PTHREAD_COUNT=2)
        rows = self.run_file(path).rows("SELECT t.local_size, t.live, v.verdict FROM trial t JOIN verdict v"
                                        " ON v.trial = t.id WHERE t.estimator = 'work'")
        self.assertEqual({row["local_size"] for row in rows}, {1, 2})
        self.assertEqual({row["live"] for row in rows}, {1})
        self.assertEqual({row["verdict"] for row in rows if row["local_size"] == 1}, {"pass"})

    def test_group_that_computes_is_no_stall(self):
        """However long the board stands still: it only shows that the others wait."""
        path = self.folder / "late.run"
        self.run_gridlock("run", str(gridlock_test.ROOT / "tests" / "truth" / "event_toil.ini"), "-d", "pocl", "--live",
                          "--stall-budget", "20", "-t", "who=100", "--iterations", "2", "-o", str(path), code=None,
                          POCL_MAX_PTHREAD_COUNT=2)
        rows = self.run_file(path).rows("SELECT v.verdict, t.live FROM trial t JOIN verdict v ON v.trial = t.id"
                                        " WHERE t.estimator = 'work'")
        self.assertTrue(rows)
        self.assertEqual({(row["verdict"], row["live"]) for row in rows}, {("pass", 1)})

    def test_refused_value(self):
        result = self.run_gridlock("limits", "-d", "pocl", "--live=foo", code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "--live=foo")
        self.assertEqual(result.out, "")


if __name__ == "__main__":
    gridlock_test.main()
