#!/usr/bin/env python3
"""The run file of gridlock watch PROGRAM: what was told is in it, whoever is killed; report and explain read it."""
import csv
import io
import json
import os
import pathlib
import signal
import unittest

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_USAGE, needs_driver
from watch_case import Case

EXIT_SURPRISE = 1


@needs_driver("pocl")
class RunFile(Case):
    def setUp(self):
        super().setUp()
        self.run_file = str(self.folder / "seen.gridlock")

    def stalled(self):
        """The run file of a program that waits for a user event, and was ended for that."""
        self.run_gridlock("watch", "--deadline", "0.2", "--on-stall", "end", "-o", self.run_file, str(self.program),
                          "user-event", code=143)
        return self.run_file

    def report(self, form, code=EXIT_SURPRISE, run=None):
        return self.run_gridlock("report", "--format", form, run or self.run_file, code=code).out

    def sightings(self, code=EXIT_SURPRISE):
        (device,) = json.loads(self.report("json", code))["devices"]
        return device["sightings"]

    def test_a_stall(self):
        self.stalled()
        stall, end = self.sightings()
        self.assertEqual((stall["verdict"], stall["alarm"], stall["call"]), ("host", True, "clFinish"))
        self.assertRegex(stall["why"], "user event that nobody can set")
        self.assertEqual((end["verdict"], end["launches"]), ("nothing", 1))
        thread, command, event = stall["waits"]
        self.assertEqual([thread["waits_for"], command["waits_for"], event["waits_for"]],
                         ["command 1 of queue 1", event["name"], thread["name"]])
        self.assertIn("kernel add, 64 work-items in 2 groups of 32", command["says"])

    @unittest.skipIf(schemas.jsonschema is None, "no jsonschema")
    def test_by_the_schemas(self):
        self.stalled()
        schemas.validator("watch-run").validate(json.loads(self.report("json")))
        lines = schemas.validator("jsonl")
        for line in self.report("jsonl").splitlines():
            lines.validate(json.loads(line))

    def test_each_format(self):
        self.stalled()
        self.assertRegex(self.report("text"), r"host +- +- +1 +watched\n")
        rows = list(csv.DictReader(io.StringIO(self.report("csv"))))
        self.assertEqual([(row["program"], row["verdict"]) for row in rows],
                         [("watched", "host"), ("watched", "nothing")])
        self.assertIn('<failure', self.report("junit"))
        self.assertIn("not ok 1", self.report("tap"))
        self.assertIn("| watched | host |", self.report("markdown"))
        self.assertIn('verdict="host"} 1', self.report("prometheus"))
        self.assertIn('data-of="watch"', self.report("html"))

    def test_explain(self):
        self.stalled()
        text = self.run_gridlock("explain", self.run_file).out
        self.assertRegex(text, r"thread \d+ waits for command 1 of queue 1\n")
        self.assertRegex(text, r"user event 0x[0-9a-f]+ waits for thread \d+\n")
        dot = self.run_gridlock("explain", "--format", "dot", self.run_file).out
        self.assertEqual((dot.count(" -> "), dot.count("ellipse")), (3, 1))
        explained = json.loads(self.run_gridlock("explain", "--format", "json", self.run_file).out)
        self.assertEqual(explained["verdict"], "host")
        self.assert_sentence(self.run_gridlock("explain", "--format", "trace", self.run_file, code=EXIT_USAGE).err,
                             "text, json, dot and svg")
        self.assert_sentence(self.run_gridlock("explain", self.run_file, "none", code=EXIT_USAGE).err, "none")

    def test_one_that_ends_as_it_should(self):
        """Nobody asked for a run file, so there is none; if one is asked for, it says so."""
        self.run_gridlock("watch", str(self.program), "sum")
        self.assertEqual(self.run_gridlock("runs", code=None).out.count("watch-"), 0)
        self.run_gridlock("watch", "--run", self.run_file, str(self.program), "sum")
        (seen,) = self.sightings(EXIT_OK)
        self.assertEqual((seen["verdict"], seen["launches"], seen["waits"]), ("nothing", 500, []))

    def test_by_itself_only_if_there_is_something_to_tell(self):
        result = self.run_gridlock("watch", "--deadline", "0.2", "--on-stall", "end", str(self.program), "user-event",
                                   code=143)
        path = next(line.split(" ")[-1] for line in result.err.splitlines() if "run file" in line)
        self.assertIn("host", self.report("text", run=path))

    def test_watch_is_killed(self):
        """What was told is there, and the program goes on."""
        process = self.begin("user-event", options=("--run", self.run_file))
        self.wait_for_stall()
        watched = self.watched()
        process.kill()
        process.wait()
        os.kill(watched, 0)
        os.kill(watched, signal.SIGKILL)
        self.wait_until(lambda: not self.processes(), "the program is gone")
        self.assertEqual([seen["verdict"] for seen in self.sightings()], ["host"])
        self.assertFalse(json.loads(self.report("json"))["complete"])

    def test_the_program_is_killed(self):
        process = self.begin("user-event", options=("--run", self.run_file))
        self.wait_for_stall()
        os.kill(self.watched(), signal.SIGKILL)
        self.assertEqual(self.finish(process).code, 137)
        self.assertEqual([seen["verdict"] for seen in self.sightings()], ["host", "nothing"])
        self.assertTrue(json.loads(self.report("json"))["complete"])

    def test_two_files(self):
        """They merge, and are compared with each other alone."""
        self.stalled()
        other = str(self.folder / "other.gridlock")
        self.run_gridlock("watch", "--run", other, str(self.program), "sum")
        both = str(self.folder / "both.gridlock")
        self.run_gridlock("merge", "-o", both, self.run_file, other)
        seen = json.loads(self.report("json", run=both))["devices"][0]["sightings"]
        self.assertEqual(sorted((row["verdict"], len(row["waits"])) for row in seen),
                         [("host", 3), ("nothing", 0), ("nothing", 0)])
        self.run_gridlock("compare", self.run_file, self.run_file, code=EXIT_OK)

    def test_a_file_that_is_there(self):
        pathlib.Path(self.run_file).write_text("text")
        self.assert_sentence(self.run_gridlock("watch", "--run", self.run_file, "true", code=EXIT_USAGE).err, "exists")
        self.assertEqual(pathlib.Path(self.run_file).read_text(), "text")

    def test_it_is_not_resumed(self):
        self.stalled()
        self.run_gridlock("resume", self.run_file, code=EXIT_USAGE)

    def test_a_disk_that_is_full(self):
        """One sentence, and all is told as without."""
        process = self.begin("user-event", options=("--on-stall", "end"), XDG_STATE_HOME="/proc/none")
        self.assertEqual(self.finish(process).code, 143)
        notes = [line for line in self.lines() if line["kind"] == "note"]
        self.assertEqual(len(notes), 1)
        self.assertRegex(notes[0]["says"], "told, but not kept")
        self.assertEqual(self.stalls()[-1]["verdict"], "host")


if __name__ == "__main__":
    gridlock_test.main()
