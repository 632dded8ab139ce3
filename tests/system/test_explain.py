"""`gridlock explain`: what it refuses, what it says of each cause, in words and as data."""
import json
import os
import re
import shutil
import sqlite3
import unittest

import gridlock_test
import schemas
from explain_case import Case, chain, dining, starved_barrier
from gridlock_test import EXIT_HARNESS, EXIT_USAGE, needs_driver
from run_builder import ABI, ON_BOARD, Board, Builder

TRIAL = "toy/cl30/l64/g64#0"

# What no format may stumble over. Each is the name of a device.
NAMES = ("plain", "a <b> & \"c\" 'd'", "%s%n%d", "caf\u00e9 \u65e5\u672c \U0001f600",
         "bell\x07 esc\x1b[31m tab\t newline\n return\r del\x7f", "x" * 255, "ufffe \ufffe", "back\\slash\\N\\",
         "&lt;&#65;")


class Refusals(Case):
    def refused(self, *arguments, code=EXIT_USAGE, words=()):
        result = self.run_gridlock("explain", *map(str, arguments), code=code)
        self.assertEqual(result.out, "", str(result))
        self.assert_sentence(result.err, *words)

    def test_arguments(self):
        self.write_starved()
        self.refused(words=["no run file in"])
        self.refused("", words=["no run file in"])
        self.refused(self.path, self.path, words=["one run file"])
        self.refused(self.path, "--format", "yaml",
                     words=["--format yaml", "text, json, dot, svg, trace, timeline or schedule"])
        self.refused(self.path, "--format", "", words=["--format"])
        self.refused(self.path, "--nosuch", words=["--nosuch"])

    def test_no_such_file(self):
        self.refused(self.folder / "none.gridlock", words=["none.gridlock'", "No such file"])
        self.refused(f"{self.folder}/none.gridlock:toy/g4", words=["none.gridlock'", "No such file"])
        self.refused(":", words=["no run file in"])
        self.refused("x" * 5000, words=["too long"])
        self.refused(self.folder, words=["not a regular file"])

    def test_no_run_file(self):
        self.path.write_text("This is no run file.")
        self.refused(self.path, words=["is not a run file"])
        self.path.write_bytes(b"")
        self.refused(self.path, words=["run file"])

    def test_no_such_trial(self):
        self.write_starved()
        for trial in ("", "nosuch", TRIAL + "1", TRIAL[:-3], "%n", "'; DROP TABLE trial; --"):
            with self.subTest(trial=trial):
                self.refused(f"{self.path}:{trial}", words=[f"unknown trial '{trial}' in this run (gridlock report "
                                                            "--verbose names all)"])

    def test_trials_as_words_of_their_own(self):
        self.write_starved()
        for trial in ("", "nosuch"):
            self.refused(self.path, trial, words=[f"unknown trial '{trial}' in this run"])
        self.refused(self.path, TRIAL, "more", words=["one trial", "more"])
        self.refused(f"{self.path}:{TRIAL}", TRIAL, words=["one trial"])
        for word in (TRIAL, TRIAL[:-2], TRIAL.partition("/")[0]):
            with self.subTest(word=word):
                self.assertIn(TRIAL, self.run_gridlock("explain", str(self.path), word).out.splitlines()[0])

    def test_reader_that_has_seen_enough(self):
        self.write_starved()
        for form in ("text", "json", "dot", "trace", "timeline", *(["svg"] if shutil.which("dot") else [])):
            with self.subTest(form=form):
                self.assertEqual(self.run_unread("explain", str(self.path), "--format", form).err, "")

    def test_strange_trial(self):
        self.write_starved()
        self.refused(f"{self.path}:a\x1b[31m\nb", words=["unknown trial"])

    def test_nothing_failed(self):
        builder = Builder(self.path)
        builder.trial(builder.device(), expected="pass")
        builder.close()
        self.assertEqual(self.explain().out, "Nothing failed in this run.\n")
        for form in ("json", "dot", "svg", "trace", "timeline"):
            self.refused(self.path, "--format", form, words=["nothing failed in this run"])

    def test_nothing_failed_in_what_was_run(self):
        """A run that was cut short says nothing of what it lacks."""
        builder = Builder(self.path)
        device = builder.device()
        builder.trial(device, expected="pass")
        builder.insert("share", device=device, planned=2, own=2, ended=0)
        builder.close()
        self.assertIn("the run did not end", self.explain().out)
        self.refused(self.path, "--format", "json", words=["nothing failed in this run, which did not end"])

    def test_crash_after_all_had_ended(self):
        """The board tells nothing of it, and what is stored beside it does."""
        builder = Builder(self.path)
        builder.trial(builder.device(), ("crash",), {"outcome": "crashed", "code": 11},
                      note="the driver crashed: signal 11")
        builder.close()
        self.assertIn("What failed: the driver crashed: signal 11.", " ".join(self.explain().out.split()))

    def test_damaged_pages(self):
        self.write_starved()
        size = os.path.getsize(self.path)
        with open(self.path, "r+b") as file:
            file.seek(size // 2)
            file.write(b"\xff" * (size - size // 2))
        self.refused(self.path, code=EXIT_HARNESS)

    def test_damaged_board(self):
        self.write_starved()
        for blob in (b"", b"\0", b"\xff\xff\xff\xff", b"\1\0\0\0no zlib"):
            with self.subTest(blob=blob):
                database = sqlite3.connect(self.path)
                database.execute("UPDATE observation SET board = ?", (blob,))
                database.commit()
                database.close()
                self.refused(self.path, code=EXIT_HARNESS)


class Choice(Case):
    def test_trial_as_a_word_of_its_own(self):
        self.write_starved()
        for trial in (TRIAL, TRIAL[:-2]):
            with self.subTest(trial=trial):
                self.assertEqual(self.run_gridlock("explain", str(self.path), trial).out, self.explain(trial=trial).out)

    def test_by_name_with_and_without_its_batch(self):
        self.write_starved()
        for trial in (None, TRIAL, TRIAL[:-2]):
            self.assertEqual(self.explain_json(trial)["trial"], TRIAL)

    def test_file_with_a_colon_in_its_name(self):
        self.write_starved()
        self.path = shutil.move(self.path, self.folder / "a:b:c.gridlock")
        for trial in (None, TRIAL):
            self.assertEqual(self.explain_json(trial)["trial"], TRIAL)

    def test_beginning_of_the_name_that_is_another_file(self):
        self.write_starved()
        self.path = shutil.move(self.path, self.folder / "run:1")
        (self.folder / "run").write_text("This is no run file.")
        self.assertEqual(self.explain_json(TRIAL)["trial"], TRIAL)

    def test_surprise_comes_before_what_was_expected(self):
        builder = Builder(self.path)
        device = builder.device()
        for groups, expected in ((2, "starved"), (3, "pass"), (4, "pass")):
            builder.trial(device, ("starved",), groups=groups, expected=expected, cause="occupancy")
        builder.close()
        shown = self.explain_json()
        self.assertEqual((shown["trial"], shown["surprise"]), ("toy/cl30/l64/g3#0", True))
        self.assertFalse(self.explain_json("toy/cl30/l64/g2")["surprise"])

    def test_batch_that_another_one_decided_is_no_surprise(self):
        """As in the report: explain and report have one notion of a surprise."""
        builder = Builder(self.path)
        device = builder.device()
        builder.trial(device, ("inconclusive",), expected="pass", position=1)
        builder.trial(device, ("pass",), expected="pass", position=1, sequence=1)
        builder.trial(device, ("starved",), groups=5, expected="starved", cause="occupancy")
        builder.close()
        self.assertIn(" 0 surprises", self.run_gridlock("report", str(self.path)).out)
        self.assertFalse(self.explain_json()["surprise"])
        self.assertIn("launch 0: inconclusive, superseded by another batch\n",
                      self.explain(trial="toy/cl30/l64/g4#0").out)

    def test_batch_that_stays_undecided_is_a_surprise(self):
        builder = Builder(self.path)
        device = builder.device()
        builder.trial(device, ("starved",), groups=5, expected="starved", cause="occupancy")
        for sequence in range(2):
            builder.trial(device, ("inconclusive",), expected="pass", position=1, sequence=sequence)
        builder.close()
        self.assertIn(" 1 surprise,", self.run_gridlock("report", str(self.path), code=1).out)
        shown = self.explain_json()
        self.assertEqual((shown["trial"], shown["surprise"]), ("toy/cl30/l64/g4#0", True))

    def test_known_flake_is_no_surprise(self):
        builder = Builder(self.path)
        builder.trial(builder.device(), ("starved",), expected="pass", cause="occupancy", known="flake")
        builder.close()
        self.assertIn(" 0 surprises", self.run_gridlock("report", str(self.path)).out)
        self.assertFalse(self.explain_json()["surprise"])
        self.assertIn("launch 0: starved, a known flake\n", self.explain().out)

    def test_pass_can_be_a_surprise(self):
        builder = Builder(self.path)
        device = builder.device()
        builder.trial(device, ("starved",), groups=5, expected="starved", cause="occupancy")
        builder.trial(device, ("pass",), expected="starved")
        builder.close()
        self.assertIn("launch 0: pass, a surprise\n  expected: starved\n", self.explain().out)

    def test_launch_that_failed_among_some_that_passed(self):
        builder = Builder(self.path)
        builder.trial(builder.device(), ("pass", "pass", "wrong", "wrong", "pass"), expected="pass")
        builder.close()
        self.assertEqual(self.explain_json()["launch"], 2)
        self.assertIn("launch 2: wrong (2 of 5 launches alike), a surprise", self.explain().out)


class Words(Case):
    def test_slow_is_not_said_where_loops_are_cut(self):
        """A fuse is short there: groups may not have started when it blew."""
        for cut_at, words in ((65535, ("cause: unknown", "ends a loop after 65535 iterations",
                                       "cannot tell whether a wait")),
                              (None, ("cause: slow but progressing",
                                      "on a less busy machine: gridlock chose the fuse"))):
            self.path = self.folder / f"{cut_at}.gridlock"
            builder = Builder(self.path)
            builder.trial(builder.device(loops_cut_at=cut_at), ("inconclusive",),
                          {"started": 1, "done": 0, "waiting": 1},
                          cause="slow")
            builder.close()
            out = self.explain().out
            for word in words:
                self.assertIn(word, " ".join(out.split()))
            self.assertEqual("slow but" in out, cut_at is None, out)
            shown = self.run_gridlock("report", str(self.path), "-v", code=None).out
            self.assertEqual("slow but" in shown, cut_at is None, shown)

    def test_locks_that_a_group_cannot_name(self):
        """With as many as it can, the waits are what says too little."""
        for held in (3, 5):
            with self.subTest(held=held):
                board = Board(2, 6)
                for group in range(2):
                    board.start(group)
                board.wait(0, 0, 1, "HOLDER", locks_held=held)
                board.wait(1, 1, 1, "HOLDER")
                names = ABI["CONTROL_WORDS"] + ABI["LOCK_NAMES"]
                board.words[names:names + 3] = [board.sync + name for name in (2, 3, 4)]
                self.path = self.folder / f"{held}.gridlock"
                builder = Builder(self.path)
                builder.trial(builder.device(), ("stalled",), {"started": 2, "done": 0, "waiting": 2}, cause="unknown",
                              board=board, groups=2)
                builder.close()
                out = " ".join(self.explain().out.split())
                self.assertEqual("group 0 holds 5 locks, and a group can name 3" in out, held == 5, out)
                self.assertEqual("Let each wait say whom it is for" in out, held == 3, out)

    def test_end_beside_a_barrier_without_rounds(self):
        """Each wait says whom it is for: it is the rounds that are not said."""
        for awaited, ended in (("ALL", True), ("ALL", False), ("HOLDER", True)):
            with self.subTest(awaited=awaited, ended=ended):
                board = Board(3, 1)
                for group in range(3):
                    board.start(group)
                    board.wait(group, 0, 1, awaited)
                if ended:
                    board.done(2)
                self.path = self.folder / f"{awaited}-{ended}.gridlock"
                builder = Builder(self.path)
                builder.trial(builder.device(), ("stalled",), {"started": 3, "done": 1, "waiting": 2}, cause="unknown",
                              board=board, groups=3)
                builder.close()
                out = " ".join(self.explain().out.split())
                beside = awaited == "ALL" and ended
                self.assertEqual("group 2 has ended. Nobody says its round" in out, beside, out)
                self.assertEqual("Let each wait say whom it is for" in out, not beside, out)

    def test_wait_for_the_host(self):
        for awaited in ("HOST", "ANY"):
            with self.subTest(awaited=awaited):
                board = Board(1, 1)
                board.start(0)
                board.wait(0, 0, 1, awaited)
                self.path = self.folder / f"{awaited}.gridlock"
                builder = Builder(self.path)
                builder.trial(builder.device(), ("inconclusive",),
                              {"started": 1, "done": 0, "waiting": 1, "overdue": 1},
                              cause="unknown", board=board, groups=1)
                builder.close()
                out = " ".join(self.explain().out.split())
                self.assertEqual("in the place of the host" in out, awaited == "HOST", out)

    def test_slow_says_what_can_be_made_longer(self):
        for name, seen, asked, advice in (
                ("fuse", {}, {"fuse": 2000000}, 'Leave the scenario\'s "fuse" of 2000000 polls to gridlock'),
                ("chosen", {}, {}, "gridlock chose the fuse"),
                ("overdue", {"overdue": 1}, {"fuse": 2000000}, "Give it more time with --timeout.")):
            with self.subTest(name=name):
                self.path = self.folder / f"{name}.gridlock"
                builder = Builder(self.path)
                builder.trial(builder.device(), ("inconclusive",), {"done": 0, "waiting": 4, **seen}, cause="slow",
                              **asked)
                builder.close()
                out = " ".join(self.explain().out.split())
                told = [words for words in ("Leave the scenario", "gridlock chose", "--timeout") if words in out]
                self.assertEqual(len(told), 1, out)
                self.assertIn(advice, out)
                self.assertEqual("in the end 4 started" in out, name == "overdue", out)

    def test_launch_beside_what_was_expected(self):
        known = {"known": "failure", "known_verdicts": "inconclusive"}
        for expected, lists, said in (("livelock", known, "inconclusive, a known failure"),
                                      ("inconclusive", {}, "inconclusive, which decides nothing, as expected"),
                                      ("pass or inconclusive", {}, "inconclusive, which decides nothing, as expected")):
            with self.subTest(said):
                self.path.unlink(missing_ok=True)
                self.write("inconclusive", starved_barrier(4, 4), "slow", expected=expected, **lists)
                self.assertRegex(" ".join(self.explain().out.split()), f"launch 0: {said} cause: ")

    def test_trial_that_passed_when_asked_for(self):
        builder = Builder(self.path)
        builder.trial(builder.device(), expected="pass")
        builder.close()
        out = self.explain(trial="toy/cl30/l64/g4").out
        self.assertIn("launch 0: pass, as expected", out)
        self.assertIn("All 4 groups ended, and 4 left a witness", out)
        self.assertEqual(self.explain_json("toy/cl30/l64/g4")["verdict"], "pass")

    def test_trial_that_has_not_ended(self):
        builder = Builder(self.path)
        builder.trial(builder.device(), ended=False)
        builder.close()
        self.assertIn("its run was interrupted", self.explain(trial="toy/cl30/l64/g4").out)
        self.assertIsNone(self.explain_json("toy/cl30/l64/g4")["launch"])

    def test_trial_without_a_board(self):
        builder = Builder(self.path)
        unread = dict.fromkeys(("started", "done", "witnesses", "waiting", *ON_BOARD))
        builder.trial(builder.device(), ("hang",), {"outcome": "killed", **unread}, note="the worker hung, %s")
        builder.close()
        out = self.explain().out
        self.assertIn("No board could be read: the worker hung, %s", out)
        self.assertNotIn("Who waits for whom", out)
        self.assertEqual(self.explain_json()["classes"], [])

    def drop_boards(self, where="1"):
        connection = sqlite3.connect(self.path)
        connection.execute(f"UPDATE observation SET board = NULL, samples = NULL WHERE {where}")
        connection.commit()
        connection.close()

    def test_board_that_was_left_out(self):
        """Nothing is advised that hangs on what the groups wait for, which only the board tells."""
        self.write_starved(expected="pass")
        self.assertIn("Reduce the number of groups", self.explain().out)
        self.drop_boards()
        told = " ".join(self.explain().out.split())
        for words in ("launch 0: starved", "56 places are missing", "The file has no board of this launch",
                      "To see that, repeat the launch.", "Repeat it"):
            self.assertIn(words, told)
        for words in ("Reduce the number", "End the kernel at the barrier", "draw a ticket", "places that do not wait",
                      "What would make it pass"):
            self.assertNotIn(words, told)

    def test_launch_that_has_a_board_tells_more(self):
        self.measure("barrier_central")
        boards = {name for name, in sqlite3.connect(self.path).execute(
            "SELECT t.name FROM trial t JOIN observation o ON o.trial = t.id WHERE o.board IS NOT NULL")}
        kept = max(boards)
        self.assertGreater(len(boards), 1)
        self.drop_boards(f"trial NOT IN (SELECT id FROM trial WHERE name = '{kept}')")
        out = self.explain().out
        self.assertIn(f"\n{kept}, launch", out)
        self.assertIn("Who waits for whom", out)

    def test_lock_that_its_group_already_holds(self):
        self.write("deadlock", dining(1), "circular-wait", observed={"circle_at": 0, "circle_groups": 1})
        told = " ".join(self.explain().out.split())
        self.assertIn("Group 0 waits for a lock that it already holds.", told)
        self.assertIn("Take no lock that the group already holds", told)
        self.assertNotIn("in the same order", told)
        shown = " ".join(self.run_gridlock("report", str(self.path), "-v", code=None).out.split())
        self.assertIn("group 0 waits for a lock that it already holds", shown)

    def test_circle_that_does_not_go_by_locks_alone(self):
        for flags in range(3):
            with self.subTest(flags=flags):
                board = dining(2)
                for group in range(flags):
                    board.wait(group, 1 - group, 1, 1 - group)
                self.path.unlink(missing_ok=True)
                self.write("deadlock", board, "circular-wait", observed={"circle_at": 0, "circle_groups": 2})
                told = " ".join(self.explain().out.split())
                self.assertEqual("Take locks in the same order" in told, flags == 0, told)
                self.assertEqual("before it waits, write the word or give back the lock" in told, flags > 0, told)

    def test_places_that_are_missing(self):
        """Those groups lack a place that never started: where many have ended they are fewer than do not fit."""
        for ended, told in ((0, "4 places are missing"), (3, "1 place is missing")):
            with self.subTest(ended=ended):
                board = Board(6, 1)
                for group in range(2 + ended):
                    board.start(group)
                    board.wait(group, 0, 1, "ANY")
                for group in range(ended):
                    board.done(group)
                self.path.unlink(missing_ok=True)
                self.write("starved", board, "occupancy", resident=2,
                           observed={"starved_from": ended, "never_started": 5})
                self.assertIn(told, " ".join(self.explain().out.split()))

    def test_work_items_that_wait_for_all(self):
        """Others of the group may come behind the one on the board, however many groups there are."""
        for verdict, cause, told in (("stalled", "unknown", "Others of its group may come only after it"),
                                     ("starved", "occupancy", "between two work-group barriers, and reduce")):
            for phase in ("WAITING", "ITEMS"):
                with self.subTest(verdict=verdict, phase=phase):
                    board = Board(2, 1)
                    board.start(0)
                    board.wait(0, 0, 128, "ALL", phase=ABI["PHASE_" + phase])
                    self.path.unlink(missing_ok=True)
                    self.write(verdict, board, cause, observed={"waiting": 1, "starved_from": 0, "never_started": 1})
                    out = " ".join(self.explain().out.split())
                    self.assertEqual(told in out, phase == "ITEMS", out)

    def test_group_that_waits_for_itself_without_a_lock(self):
        self.write("deadlock", dining(1), "work-items", observed={"circle_at": 0, "circle_groups": 1})
        shown = " ".join(self.run_gridlock("report", str(self.path), "-v", code=None).out.split())
        self.assertIn("group 0 waits for itself", shown)
        self.assertNotIn("a lock that it already holds", shown)

    def told_of(self, verdict="wrong", command="gridlock run toy", cause=None, observed=(), groups=2, **values):
        """Of a launch whose groups did not say that they ended, unless `observed` says otherwise."""
        board = Board(groups)
        for group in range(groups):
            board.start(group, round=1)
        self.path.unlink(missing_ok=True)
        self.write(verdict, board, cause, command=command, observed={"confirmed": 0, "judged": 0, **dict(observed)},
                   **{"expected": "pass", **values})
        return " ".join(self.explain().out.split())

    def test_wrong_may_be_the_driver_s_fault(self):
        lost, ours = "A driver or a compiler that loses a write", "suspect the driver first"
        own = "Call gl_leave on every way"
        told = self.told_of()
        for words in ("2 groups ended without saying so: either the kernel returned without gl_leave, or the driver or "
                      "its "
                      "compiler left out the end of it.",
                      "Where it may come from Either the kernel is wrong, or the driver",
                      lost, ours, "What to do Run it with another driver"):
            self.assertIn(words, told)
        self.assertNotIn(own, told)
        for command in ("gridlock run ./toy.ini", "gridlock run toy --kernel-dir=kernels"):
            with self.subTest(command=command):
                told = self.told_of(command=command)
                self.assertIn(lost, told)
                self.assertIn(own, told)
                self.assertNotIn(ours, told)
        done = {"done": 2, "witnesses": 2}
        self.assertIn(ours, self.told_of(observed={**done, "wrong": 1, "checked": 5}))
        self.assertIn("no other group", self.told_of(groups=1))
        told = self.told_of(observed={"started": 1, "done": 1})
        self.assertIn("The launch was complete, and 1 group never started.", told)
        self.assertIn("or the driver did not run all groups of a launch that it called complete", told)

    def test_wrong_as_expected_or_by_a_seeded_fault_is_not_the_driver_s(self):
        self.assertNotIn("suspect the driver", self.told_of(expected="wrong"))
        told = self.told_of(options="-DFAULT_NO_STORE")
        self.assertIn("made wrong on purpose", told)
        self.assertNotIn("driver first", told)
        self.assertIn("driver first", self.told_of(options="-DFAULT_NONE"))

    def test_lost_writes_may_be_the_driver_s_fault(self):
        for cause, at in (("lost-unlock", "unlock_at"), ("unequal-trips", "uneven_at"), ("lost-arrival", "lost_at"),
                          ("lost-signal", "signal_at"), ("stale-data", None)):
            with self.subTest(cause=cause):
                observed = {at: 0} if at else {"stale": 1, "checked": 1}
                verdict = "stalled" if at else "stale"
                for expected, words in (("pass", True), (verdict, False)):
                    told = self.told_of(verdict, cause=cause, observed=observed, expected=expected)
                    self.assertEqual("A driver or a compiler that loses a write" in told, words, told)

    def test_starvation(self):
        self.write_starved(expected="pass")
        out = self.explain().out
        for words in ("launch 0: starved, a surprise", "cause: starvation by occupancy", "expected: pass",
                      "groups 0-7 wait in round 1 until word 0 of the kernel reaches 64; it is 8",
                      "groups 8-63 never started", "56 places are missing", "Reduce the number of groups to 8"):
            self.assertIn(words, re.sub(r"\s+", " ", out))
        self.assertTrue(all(len(line) <= 80
                            for line in out[out.index("What happened"):out.index("Repeat it")].splitlines()), out)

    def test_thousands(self):
        self.write_starved(4224, 1056)
        self.assertIn("groups 1056-4223 never started", self.explain().out)
        self.assertEqual(self.never_started(), set(range(1056, 4224)))

    def test_names_of_devices(self):
        for name in NAMES:
            with self.subTest(name=name):
                self.path.unlink(missing_ok=True)
                self.write_starved(device={"name": name, "driver_version": name[:80]}, note=name)
                out = self.explain().out
                self.assertNotRegex(out, r"[\x00-\x09\x0b-\x1f\x7f]")
                self.assertIn("on " + re.sub(r"[\x00-\x1f\x7f]", "?", name)[:80], re.sub(r"\s+", " ", out))
                self.assertEqual(self.explain_json()["device"], name)

    def test_bytes_that_are_no_text(self):
        self.write_starved()
        database = sqlite3.connect(self.path)
        database.execute("UPDATE device SET name = CAST(x'6120ff62' AS TEXT)")
        database.commit()
        database.close()
        self.assertIn("on a ?b, driver", self.explain().out)
        self.assertEqual(self.explain_json()["device"], "a ?b")


# The largest point of each scenario, on two threads: what is said of it.
CAUSES = {
    "circular_wait": ("Group 0 waits for itself through 1 other group.", "until fork 1 is free; group 1 holds it"),
    "livelock": ("no group ended or began a round",),
    "lost_signal": ("waits for a group that has ended", "group 1 is done"),
    "lost_unlock": ("a lock that nobody is left to release", "still holds 1 lock"),
    "not_dispatched": ("places were free", "never started"),
    "not_published": ("what they wait for is true in memory", "has not seen this value yet"),
    "occupancy": ("which never started", "Reduce the number of groups to 2"),
    "slow": ("Groups were making progress when the fuse",),
    "unequal_trips": ("ended before a round in which other groups wait for it", "is done, after round 2"),
}


@needs_driver("pocl")
class Causes(Case):
    def test_each_cause(self):
        self.measure("cause_*")
        run = self.run_file(self.path)
        for cause, sentences in CAUSES.items():
            with self.subTest(cause=cause):
                row = run.one("SELECT name FROM trial WHERE scenario = ? AND estimator = 'work' ORDER BY groups DESC "
                              "LIMIT 1", "cause_" + cause)
                point = row["name"].rpartition("#")[0]  # the batch that decides, if there are several
                out = re.sub(r"\s+", " ", self.explain(trial=point).out)
                for sentence in sentences:
                    self.assertIn(sentence, out)
                self.assertEqual(self.explain_json(point)["cause"], cause.replace("_", "-"))
        tally = self.explain().out
        for title in ("starvation by occupancy", "circular wait", "lost unlock", "slow but progressing"):
            self.assertRegex(tally, rf"(?m)^{title} +\d+ +\d+  cause_")


@unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed")
class Schema(Case):
    def setUp(self):
        super().setUp()
        self.validator = schemas.validator("explain")

    def check(self, trial=None):
        shown = self.explain_json(trial)
        self.validator.validate(shown)
        groups = sorted(group for kind in shown["classes"] for group in kind["groups"])
        self.assertEqual(groups, list(range(len(groups))), "each group is in one class")
        for edge in shown["waits"]:
            self.assertLess(max(edge.values()), len(shown["classes"]))
        return shown

    def test_starved(self):
        self.write_starved()
        shown = self.check()
        self.assertEqual(shown["classes"][0]["wait"], {"word": 320 + 64 * 32, "until": "reached", "value": 64, "is": 8,
                                                       "group": None, "line": None})
        self.assertEqual(shown["waits"], [{"from": 0, "to": 1}])

    def test_circle(self):
        self.write_dining(5)
        self.assertEqual(sorted((edge["from"], edge["to"]) for edge in self.check()["waits"]),
                         [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])

    def test_groups_that_each_wait_for_another(self):
        self.write("starved", chain(200, 100), "occupancy")
        shown = self.check()
        self.assertIsNone(shown["classes"][0]["wait"])
        self.assertEqual(shown["waits"], [{"from": 0, "to": 0}, {"from": 0, "to": 1}])

    def test_word_that_is_none(self):
        board = Board(2, 1)
        board.start(0)
        board.wait(0, 10**6, 1, 10**6)
        self.write("stalled", board, "unknown")
        self.assertEqual((self.check()["classes"][0]["wait"]["is"], self.check()["waits"]), (None, []))

    def test_without_a_board(self):
        builder = Builder(self.path)
        device = builder.device(name="", driver_version="")
        builder.trial(device, ("hang",), {"outcome": "killed"})
        builder.trial(device, groups=5)
        builder.trial(device, groups=6, ended=False)
        builder.close()
        for groups in (4, 5, 6):
            self.check(f"toy/cl30/l64/g{groups}")

    def test_board_that_is_shorter_than_it_should_be(self):
        """It is no evidence of this launch."""
        self.write("starved", starved_barrier(4, 2), "occupancy")
        database = sqlite3.connect(self.path)
        database.execute("UPDATE trial SET groups = 4000")
        database.commit()
        database.close()
        self.assertEqual(self.check()["classes"], [])

    def test_schema_knows_all_causes_and_verdicts(self):
        shared = json.loads(self.run_gridlock("describe", "json").out)["$defs"]
        for name in ("cause", "verdict"):
            source = (gridlock_test.ROOT / "src" / "judge" / f"{name}.c").read_text()
            table = re.search(rf"NAMING_DEFINE\w*\({name},(.*?)\);", source, re.S)[1]
            self.assertEqual({*re.findall('"([a-z-]+)"', table)} - {"none", name}, {*shared[name]["enum"]})

    def test_schema_refuses_what_is_wrong(self):
        self.write_starved()
        shown = self.explain_json()
        for change in ({"verdict": "fine"}, {"cause": "bad luck"}, {"happened": None}, {"launch": -1}, {"more": 1}):
            self.assertFalse(self.validator.is_valid({**shown, **change}), change)


if __name__ == "__main__":
    gridlock_test.main()
