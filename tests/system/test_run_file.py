"""The run file: complete, consistent in itself, and enough to derive what was printed."""
import collections

import gridlock_test
import stored_board

STALLS = ("starved", "deadlock", "stalled")


class RunFile(gridlock_test.Case):
    def measure(self, *arguments, **variables):
        path = self.folder / "a.gridlock"
        result = self.run_gridlock("limits", "-d", "pocl", "-o", str(path), "--format", "json", *arguments,
                                   POCL_MAX_PTHREAD_COUNT=2, **variables)
        self.assertEqual(self.run_file_paths(), [], "-o was given")
        return result.json()["devices"][0], self.run_file(path)

    def check_consistency(self, run):
        self.assertEqual(run.rows("PRAGMA foreign_key_check"), [])
        trials = run.rows("SELECT * FROM trial")
        self.assertTrue(trials)
        for trial in trials:
            self.assertIsNotNone(trial["duration_ns"], f"trial {trial['id']} was begun and never ended")
            self.assertGreater(trial["repeats"], 0)
        ids = {trial["id"]: trial for trial in trials}
        self.assertEqual(len({(t["device"], t["sequence"], t["name"]) for t in trials}), len(trials))

        launches = collections.Counter()
        for observation in run.rows("SELECT o.*, v.verdict, v.rules FROM observation o"
                                    " LEFT JOIN verdict v USING (trial, launch)"):
            trial = ids[observation["trial"]]
            launches[trial["id"]] += 1
            self.check_observation(trial, observation)
        self.assertEqual(set(launches), set(ids), "a trial without an observation")
        for trial in trials:
            numbers = [row["launch"] for row in run.rows("SELECT launch FROM observation WHERE trial = ?"
                                                         " ORDER BY launch", trial["id"])]
            self.assertEqual(numbers, list(range(len(numbers))))
            self.assertLessEqual(run.one("SELECT count(board) AS n FROM observation WHERE trial = ?",
                                         trial["id"])["n"], 1)

    def check_observation(self, trial, observation):
        shown = str({name: value for name, value in observation.items() if name != "board"})
        self.assertEqual(observation["groups"], trial["groups"], shown)
        self.assertIsNotNone(observation["verdict"], shown)
        self.assertGreater(observation["rules"], 0, shown)
        if observation["verdict"] == "pass" and trial["estimator"] == "barrier":
            self.assertEqual(observation["witnesses"], observation["groups"], shown)
            self.assertEqual(observation["done"], observation["groups"], shown)
        if observation["board"] is not None:
            self.assertEqual(4 * len(stored_board.board_words(observation["board"])),
                             gridlock_test.board_bytes(trial["groups"]), shown)
            tickets = gridlock_test.board_tickets(observation["board"], trial["groups"])
            self.assertEqual(sum(ticket != 0 for ticket in tickets), observation["started"], shown)
        if observation["verdict"] == "starved":
            self.assertIsNotNone(observation["never_started"], shown)
            self.assertLess(observation["started"], observation["groups"], shown)

    def check_evidence(self, run):
        """The first stall of each trial has its board."""
        firsts = run.rows(f"SELECT trial, min(launch) AS launch FROM verdict WHERE verdict IN {STALLS} GROUP BY trial")
        self.assertTrue(firsts)
        for first in firsts:
            row = run.one("SELECT t.groups, o.board, o.never_started FROM observation o JOIN trial t ON t.id = o.trial"
                          " WHERE o.trial = ? AND o.launch = ?", first["trial"], first["launch"])
            self.assertIsNotNone(row["board"], first)
            tickets = gridlock_test.board_tickets(row["board"], row["groups"])
            self.assertEqual(tickets[row["never_started"]], 0, first)

    def check_points(self, run, limit):
        """The points of a footprint in JSON are sums over the launches in the run file."""
        footprint = (limit["local_size"], limit["private_bytes"], limit["local_memory_bytes"])
        counted = collections.defaultdict(collections.Counter)
        for row in run.rows("SELECT t.groups, v.verdict FROM trial t JOIN verdict v ON v.trial = t.id"
                            " WHERE t.estimator = 'barrier' AND t.local_size = ? AND t.private_bytes = ?"
                            " AND t.local_memory_bytes = ?", *footprint):
            counted[row["groups"]][row["verdict"]] += 1
        points = {point["groups"]: point for point in limit["points"]}
        self.assertEqual(set(points), set(counted))
        for groups, verdicts in counted.items():
            point = points[groups]
            decided = sum(verdicts.values()) - verdicts["inconclusive"]
            self.assertEqual(point["passes"], verdicts["pass"], point)
            self.assertEqual(point["stalls"], sum(verdicts[name] for name in STALLS), point)
            self.assertIn(point["launches"], (decided, sum(verdicts.values())), point)

        barrier = limit["barrier"]
        self.assertEqual(barrier["passes_at"], max(n for n, point in points.items() if point["passes"] > 0))
        self.assertEqual(barrier["stalls_at"], min(n for n, point in points.items() if point["stalls"] > 0))
        self.assertEqual(barrier["passes"], counted[barrier["passes_at"]]["pass"])
        census = run.rows("SELECT max(o.counted) AS n FROM observation o JOIN trial t ON t.id = o.trial"
                          " WHERE t.estimator = 'census' AND t.local_size = ? AND t.private_bytes = ?"
                          " AND t.local_memory_bytes = ?", *footprint)
        self.assertEqual(limit["census"], census[0]["n"])

    def check_head(self, run, device):
        head = run.one("SELECT * FROM run")
        version = self.run_gridlock("--version").out.split()[1]
        self.assertEqual(head["tool_version"], version)
        self.assertIn("limits", head["command_line"])
        self.assertIn("-d pocl", head["command_line"])
        self.assertIn("POCL_MAX_PTHREAD_COUNT=2", head["environment"].splitlines())
        self.assertRegex(head["host"], "^Linux ")
        self.assertGreater(head["started_ms"], 0)
        stored = run.one("SELECT * FROM device")
        for column, name in (("platform", "platform"), ("name", "name"), ("driver_version", "driver_version"),
                             ("compute_units", "compute_units"), ("dialect", "dialect"), ("channel", "channel"),
                             ("loops_cut_at", "loops_cut_at"), ("loops_tried", "loops_tried")):
            self.assertEqual(stored[column], device[name], column)
        self.assertEqual(stored["wedged"], 0)

    def test_sweep(self):
        device, run = self.measure("--local-size", "1,64,4096", "--local-memory", "0,1024")
        self.check_head(run, device)
        self.check_consistency(run)
        self.check_evidence(run)
        self.assertEqual(len(device["limits"]), 6)
        for limit in device["limits"]:
            self.check_points(run, limit)

    def test_given_groups(self):
        device, run = self.measure("--groups", "1,3,300,1000")
        self.check_head(run, device)
        self.check_consistency(run)
        self.check_evidence(run)
        self.assertEqual([row["groups"] for row in run.rows("SELECT DISTINCT groups FROM trial ORDER BY groups")],
                         [1, 3, 300, 1000])
        self.assertEqual(run.one("SELECT search_given FROM device")["search_given"], "1,3,300,1000")

    def test_no_channel(self):
        _, run = self.measure("--local-size", "64", "--local-memory", "0", "--channel", "none")
        self.check_consistency(run)
        self.check_evidence(run)

    def test_live(self):
        _, run = self.measure("--live", "--groups", "3,2", "--stall-budget", "200")
        self.check_consistency(run)
        self.check_evidence(run)

    def test_schema_has_its_comments(self):
        _, run = self.measure("--groups", "1", "--iterations", "1")
        tables = {row["name"]: row["sql"] for row in run.rows("SELECT name, sql FROM sqlite_schema"
                                                              " WHERE type = 'table'")}
        self.assertEqual(set(tables), {"run", "source", "device", "share", "trial", "observation", "verdict",
                                       "litmus", "board", "asserted", "asked", "schedule", "proof", "sighting",
                                       "sighted"})
        for sql in tables.values():
            self.assertIn("--", sql)


if __name__ == "__main__":
    gridlock_test.main()
