"""`gridlock audit`: what drivers promise, on PoCL."""
import csv
import io
import json
import lzma
import os
import pathlib
import platform
import re
import signal
import sqlite3
import time
import unittest

import gridlock_test
import schemas
from audit_case import EXIT_STOPPED, EXIT_SURPRISE, FEW, Case, broken_here, named
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE

SOURCE = gridlock_test.ROOT / "src"
DIED_OF = "group-size-assembly"  # by the compiler of PoCL 6.0
HOST_AND_DEVICE = (
    "in-order-queue", "queue-barrier", "wait-list", "wait-list-queues", "finish", "wait-for-events", "wait-flushes",
    "global-size", "global-offset", "bytes-write", "bytes-read", "bytes-fill", "bytes-copy",
    "bytes-map", "bytes-unmap", "sub-buffer", "printf-output",
    "wait-list-all", "marker-wait-list", "barrier-wait-list", "event-callback", "event-callback-sets",
    "wait-list-moves", "queue-beside-held", "blocking-read", "non-blocking-read", "user-event", "user-event-error",
    "wait-for-failed",
    "event-running", "event-times", "event-duration", "timer-resolution", "svm-coarse", "svm-fine", "svm-host-sees",
    "svm-kernel-sees", "svm-adds")
SILENT = (
    "flush-starts", "complete-results", "beside-held", "queue-after-failure", "two-kernels-one-queue",
    "two-kernels-two-queues", "two-kernels-two-contexts", "kernel-beside-full", "read-beside-read",
    "read-beside-finish",
    "groups-together")
OUTCOMES = ("kept", "broken", "exceeded", "silent", "undecided", "not-offered")


class Whole(Case):
    """One audit of all promises: a copy of its run file for each test."""
    kept = None

    def setUp(self):
        super().setUp()
        if Whole.kept is None:
            printed = self.audit(code=EXIT_SURPRISE).out
            Whole.kept = pathlib.Path(self.path).read_bytes(), printed
        else:
            pathlib.Path(self.path).write_bytes(Whole.kept[0])

    def found(self):
        return self.promises(json.loads(self.report("json", code=EXIT_SURPRISE)))

    def test_sizes_of_groups_are_kept(self):
        found = self.found()
        names = {line.strip() for line in self.run_gridlock("audit", "--list").out.splitlines()
                 if line and not line.startswith(" ")}
        self.assertEqual(set(found), names)
        for name in ("group-size", "group-size-light", "item-sizes-x", "item-sizes-z"):
            promise = found[name]
            self.assertEqual(promise["outcome"], "kept", promise)
            self.assertEqual((promise["promised"], promise["measured"]), (4096, 4096))
            self.assertEqual((promise["tries"], promise["fails"]), (5, 0))
        broken = {name for name, promise in found.items() if promise["outcome"] == "broken"}
        self.assertLessEqual(broken, broken_here(self))
        self.assertIn("kernel-local-called", broken)
        for name in ("local-memory-declared", "local-memory-argument"):
            self.assertIn(found[name]["outcome"], ("kept", "exceeded"), found[name])
        for name in ("constant-size", "parameter-size"):
            self.assertEqual(found[name]["outcome"], "kept", found[name])
        self.assertIn(found["buffer-size"]["outcome"], ("kept", "undecided"),
                      found["buffer-size"])  # memory may be short
        for name in {"kernel-local-declared", "kernel-local-argument", "required-size-runs", "required-size-alone",
                     "required-size-said"} - broken_here(self):
            self.assertEqual((found[name]["outcome"], found[name]["measured"]), ("kept", 1), found[name])
        for name in ("loop-counted", "loop-while", "loop-nested"):
            self.assertEqual(found[name]["outcome"], "kept", found[name])
            self.assertGreaterEqual(found[name]["promised"], 1000)
        self.assertEqual((found["uneven-groups"]["outcome"], found["uneven-groups"]["fails"]), ("not-offered", 0))
        self.assertEqual(found["preferred-multiple"]["outcome"], "silent")
        self.assertEqual((found["kernel-time"]["outcome"], found["kernel-time"]["fails"]), ("silent", 0))

    def test_host_and_device(self):
        found = self.found()
        for name in HOST_AND_DEVICE:
            with self.subTest(promise=name):
                # On a busy machine the two may never have run at the same time.
                unseen = name == "svm-adds" and "was not seen while it ran" in (found[name]["finding"] or "")
                self.assertEqual(found[name]["outcome"], "undecided" if unseen else "kept", found[name])
        for name in SILENT:
            with self.subTest(promise=name):
                self.assertEqual(found[name]["outcome"], "silent", found[name])
        for name in ("flush-starts", "complete-results", "two-kernels-two-queues", "read-beside-finish"):
            self.assertEqual(found[name]["measured"], 1, found[name])
        self.assertEqual(found["groups-together"]["measured"], 2)

    def test_each_format(self):
        report = json.loads(self.report("json", code=EXIT_SURPRISE))
        self.assertEqual(self.report("text", code=EXIT_SURPRISE), Whole.kept[1])
        outcomes = [promise["outcome"] for promise in self.promises(report).values()]
        for form in ("jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus"):
            with self.subTest(format=form):
                out = self.report(form, code=EXIT_SURPRISE)
                for name in self.promises(report) if form != "prometheus" else ():
                    self.assertIn(name, out)
        for outcome in OUTCOMES:
            self.assertRegex(" ".join(Whole.kept[1].split()), f"{outcomes.count(outcome)} {outcome}(,| |$)")
            self.assertRegex(self.report("prometheus", code=EXIT_SURPRISE),
                             rf'gridlock_promises{{.*,outcome="{outcome}"}} {outcomes.count(outcome)}\n')

    def test_csv_has_no_numbers_of_what_is_not_offered(self):
        rows = list(csv.DictReader(io.StringIO(self.report("csv", code=EXIT_SURPRISE))))
        for row in rows:
            with self.subTest(row["promise"]):
                self.assertEqual(bool(row["promised"]), row["outcome"] != "not-offered")
                if row["outcome"] != "undecided":  # which may come before the first try
                    tried = bool(row["promised"])
                    self.assertEqual([bool(row[name]) for name in ("measured", "tries", "fails")], [tried] * 3)
        self.assertIn("not-offered", [row["outcome"] for row in rows])


class Audit(Case):
    def test_what_was_not_measured_is_no_number(self):
        """Neither where nothing is promised, nor where the driver dies before there is an amount; a no is an answer."""
        with lzma.open(gridlock_test.ROOT / "results" / "pocl-6.0" / "audit.run.xz") as stored:
            pathlib.Path(self.path).write_bytes(stored.read())
        found = self.promises(json.loads(self.report("json", code=EXIT_SURPRISE)))
        self.assertIsNone(found[DIED_OF]["measured"])
        self.assertEqual(found["kernel-local-declared"]["measured"], 0)
        self.assertIsNone(found["concurrent-valid"]["measured"])
        told = " ".join(self.run_gridlock("explain", f"{self.path}:{DIED_OF}").out.split())
        self.assertRegex(told, r"Promised: 4096 work-items; measured: nothing\. The driver died in cl\w+\. "
                               "What failed: the driver crashed")
        row = next(row for row in csv.DictReader(io.StringIO(self.report("csv", code=EXIT_SURPRISE)))
                   if row["promise"] == DIED_OF)
        self.assertEqual((row["promised"], row["measured"]), ("4096", ""))

    def test_what_one_thread_cannot_do(self):
        names = [word for name in SILENT for word in ("--promise", name)]
        found = self.promises(self.audit(*names, "--format", "json", POCL_MAX_PTHREAD_COUNT=1).json())
        for name in ("two-kernels-one-queue", "two-kernels-two-queues", "kernel-beside-full", "read-beside-read"):
            with self.subTest(promise=name):
                self.assertEqual((found[name]["outcome"], found[name]["measured"]), ("silent", 0), found[name])
        self.assertEqual(found["groups-together"]["measured"], 1)
        broken = {name for name, promise in found.items() if promise["outcome"] == "broken"}
        self.assertLessEqual(broken, broken_here(self))

    def test_atomics_and_barriers_are_kept(self):
        names = ["functions-32-global", "functions-32-local", "functions-64-global", "functions-64-more-local",
                 "barrier-global", "barrier-local"]
        for order in ("relaxed", "acq-rel", "seq-cst"):
            names += [f"atomic-{order}-group", f"atomic-{order}-device"]
            names += [f"fence-{order}-group", f"fence-{order}-device"] if order != "relaxed" else []
        options = [word for name in names + ["mem-fence-local"] for word in ("--promise", name)]
        found = self.promises(self.audit(*options, "--format", "json", code=EXIT_OK).json())
        for name in names:
            promise = found[name]
            ordered = "acq-rel" in name or "seq-cst" in name
            hidden = ordered and "without any order" in promise["finding"]  # an x86 keeps most of them by itself
            self.assertEqual((promise["outcome"], promise["fails"]), ("undecided" if hidden else "kept", 0), promise)
            self.assertTrue(hidden or "acq-rel" not in name or platform.machine() != "x86_64", promise)
            self.assertGreaterEqual(promise["tries"], 5)
        self.assertEqual(found["mem-fence-local"]["outcome"], "silent")

    def test_launch_that_returns_at_its_end_shows_nothing_of_memory(self):
        """PoCL's device "basic" runs a kernel in the call that launches it: the host has no moment to look."""
        names = ("svm-host-sees", "svm-kernel-sees", "svm-adds")
        for device in ("basic", "pthread"):
            with self.subTest(device=device):
                result = self.audit(*named(*names), "--format", "json", POCL_DEVICES=device)
                found = self.promises(result.json())
                os.unlink(self.path)
                outcomes = {found[name]["outcome"] for name in names}
                self.assertLessEqual(outcomes, {"undecided", "not-offered"} if device == "basic" else
                                     {"kept", "undecided", "not-offered"})

    def test_device_without_sub_groups(self):
        names = named("sub-group-progress", "sub-group-size", "sub-group-barrier-local")
        result = self.run_gridlock("audit", "-d", "pocl", *names, "--format", "json", code=None)
        found = self.promises(result.json())
        if found["sub-group-size"]["outcome"] != "not-offered":
            self.skipTest("this version of PoCL has sub-groups")
        self.assertEqual(result.code, EXIT_UNSUPPORTED)
        for promise in found.values():
            self.assertEqual((promise["outcome"], promise["tries"]), ("not-offered", 0))
            self.assertIn("no sub-groups", promise["finding"])

    def test_one_group_at_a_time_shows_nothing_of_two(self):
        names = ("atomic-acq-rel-device", "fence-seq-cst-device", "mem-fence-global")
        options = [word for name in names for word in ("--promise", name)]
        found = self.promises(self.audit(*options, "--format", "json", POCL_MAX_PTHREAD_COUNT=1).json())
        for name in names:
            self.assertEqual(found[name]["outcome"], "undecided", found[name])
            self.assertIn("hardly run at the same time", found[name]["finding"])

    @unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed")
    def test_json_is_as_its_schema_says(self):
        self.audit("--promise", "group-size", "--promise", "item-sizes-x")
        schemas.validator("audit").validate(json.loads(self.report("json")))
        for line in self.report("jsonl").splitlines():
            schemas.validator("jsonl").validate(json.loads(line))

    def test_some_promises(self):
        found = self.promises(self.audit("--promise", "item-sizes-y", "--promise", "group-size", "--promise",
                                         "group-size",
                                         "--format", "json").json())
        self.assertEqual(list(found), ["group-size", "item-sizes-y"])


class Continued(Case):
    def test_what_was_cut_goes_on(self):
        self.audit_few()
        whole = json.loads(self.report("json", code=EXIT_SURPRISE))
        self.change_run_file("DELETE FROM verdict WHERE trial > 2", "DELETE FROM observation WHERE trial > 2",
                             "DELETE FROM trial WHERE id > 2", "UPDATE share SET ended = 0")
        self.assertRegex(self.report("text", code=EXIT_STOPPED), r"promises\s+were\s+not\s+run")
        for _ in range(2):  # at last there is nothing left to measure
            self.run_gridlock("resume", self.path, code=EXIT_SURPRISE, POCL_MAX_PTHREAD_COUNT=2)
            self.assertEqual(list(self.begun().values()), [True] * len(FEW))
            self.assertEqual(set(self.promises(json.loads(self.report("json", code=EXIT_SURPRISE)))),
                             set(self.promises(whole)))

    def begun(self):
        """{promise: whether it has ended}, in the order in which they were begun."""
        try:
            with sqlite3.connect(f"file:{self.path}?mode=ro", uri=True) as database:
                rows = database.execute("SELECT scenario, duration_ns IS NOT NULL FROM trial ORDER BY id").fetchall()
            database.close()
            self.assertEqual(len(dict(rows)), len(rows), "a promise is there twice")
            return dict(rows)
        except sqlite3.OperationalError:
            return {}  # it is not there yet, or just being written

    def test_killed_in_the_middle(self):
        """Each promise is there once; the one that was being measured is measured again only if that is asked for."""
        names = ("group-size", "kernel-time", "item-sizes-x")
        process = self.start("audit", "-d", "pocl", "-o", self.path, *named(*names), POCL_MAX_PTHREAD_COUNT=2)
        while process.poll() is None and self.begun().get("kernel-time") is None:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        self.finish(process)
        self.wait_until(lambda: not self.processes(), "its worker ends with it")
        self.assertEqual(self.begun(), {"group-size": True, "kernel-time": False})
        self.assertIn("It was begun, and did not end.", self.report("text", code=EXIT_STOPPED))
        err = self.run_gridlock("resume", self.path, code=EXIT_STOPPED, POCL_MAX_PTHREAD_COUNT=2).err
        self.assert_sentence(err.splitlines(keepends=True)[-1], "--retry-incomplete", self.path)
        self.assertEqual(list(self.begun().items()), list(zip(names, (True, False, True))))
        self.run_gridlock("resume", "--retry-incomplete", self.path, POCL_MAX_PTHREAD_COUNT=2)
        found = self.promises(json.loads(self.report("json", code=EXIT_OK)))
        self.assertEqual({name: found[name]["outcome"] for name in names},
                         {"group-size": "kept", "kernel-time": "silent", "item-sizes-x": "kept"})


class Source(unittest.TestCase):
    def test_each_call_of_opencl_is_told_while_it_has_not_returned(self):
        told = set(re.findall(r"(?m)^#define (cl[A-Z]\w+)\(", (SOURCE / "device/calls.h").read_text()))
        made = {call for layer in ("device", "act", "worker") for file in (SOURCE / layer).glob("*.[ci]*")
                for call in re.findall(r"\b(cl[A-Z]\w+)\(", file.read_text())}
        self.assertGreater(len(made), 40)
        self.assertEqual(made - told, set())


class BadInput(Case):
    def test_unknown_promise(self):
        result = self.audit("--promise", "group-sizes", code=EXIT_USAGE)
        self.assert_sentence(result.err, "group-sizes", "group-size'", "--list")

    def test_operand(self):
        self.audit("group-size", code=EXIT_USAGE)

    def test_promise_without_a_name(self):
        self.assert_sentence(self.audit("--promise", "", code=EXIT_USAGE).err, "--list")
        self.audit("--promise", code=EXIT_USAGE)


if __name__ == "__main__":
    gridlock_test.main()
