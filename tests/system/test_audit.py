"""`gridlock audit`: what drivers promise, on PoCL."""
import json
import sqlite3
import unittest

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_USAGE

HOST_AND_DEVICE = (
    "in-order-queue", "queue-barrier", "wait-list", "wait-list-queues", "finish", "wait-for-events", "wait-flushes",
    "blocking-read", "non-blocking-read", "user-event", "user-event-error", "event-running", "event-times",
    "event-duration", "timer-resolution", "svm-coarse", "svm-fine", "svm-host-sees", "svm-kernel-sees", "svm-adds")
SILENT = (
    "flush-starts", "complete-results", "two-kernels-one-queue", "two-kernels-two-queues", "two-kernels-two-contexts",
    "kernel-beside-full", "read-beside-read", "read-beside-finish", "groups-together")
OUTCOMES = ("kept", "broken", "exceeded", "silent", "undecided", "not-offered")


@gridlock_test.needs_driver("pocl")
class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = str(self.folder / "a.run")

    def audit(self, *arguments, code=EXIT_OK, **variables):
        variables.setdefault("POCL_MAX_PTHREAD_COUNT", 2)
        return self.run_gridlock("audit", "-d", "pocl", "-o", self.path, *arguments, code=code, **variables)

    def promises(self, form_of):
        """{name: promise} of the only device."""
        device, = form_of["devices"]
        return {promise["name"]: promise for promise in device["promises"]}

    def report(self, form, code=EXIT_OK):
        return self.run_gridlock("report", "--format", form, self.path, code=code).out


class Audit(Case):
    def test_sizes_of_groups_are_kept(self):
        found = self.promises(self.audit("--format", "json").json())
        names = {line.strip() for line in self.run_gridlock("audit", "--list").out.splitlines()
                 if line and not line.startswith(" ")}
        self.assertEqual(set(found), names)
        for name in ("group-size", "group-size-light", "item-sizes-x", "item-sizes-z"):
            promise = found[name]
            self.assertEqual(promise["outcome"], "kept", promise)
            self.assertEqual((promise["promised"], promise["measured"]), (4096, 4096))
            self.assertEqual((promise["tries"], promise["fails"]), (5, 0))
        self.assertNotIn("broken", {promise["outcome"] for promise in found.values()})

    def test_host_and_device(self):
        found = self.promises(self.audit("--format", "json").json())
        for name in HOST_AND_DEVICE:
            with self.subTest(promise=name):
                self.assertEqual(found[name]["outcome"], "kept", found[name])
        for name in SILENT:
            with self.subTest(promise=name):
                self.assertEqual(found[name]["outcome"], "silent", found[name])
        for name in ("flush-starts", "complete-results", "two-kernels-two-queues", "read-beside-finish"):
            self.assertEqual(found[name]["measured"], 1, found[name])
        self.assertEqual(found["groups-together"]["measured"], 2)

    def test_what_one_thread_cannot_do(self):
        names = [word for name in SILENT for word in ("--promise", name)]
        found = self.promises(self.audit(*names, "--format", "json", POCL_MAX_PTHREAD_COUNT=1).json())
        for name in ("two-kernels-one-queue", "two-kernels-two-queues", "kernel-beside-full", "read-beside-read"):
            with self.subTest(promise=name):
                self.assertEqual((found[name]["outcome"], found[name]["measured"]), ("silent", 0), found[name])
        self.assertEqual(found["groups-together"]["measured"], 1)

    def test_each_format(self):
        printed = self.audit().out
        report = json.loads(self.report("json"))
        self.assertEqual(self.report("text"), printed)
        outcomes = [promise["outcome"] for promise in self.promises(report).values()]
        for form in ("jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus"):
            with self.subTest(format=form):
                out = self.report(form)
                for name in self.promises(report) if form != "prometheus" else ():
                    self.assertIn(name, out)
        for outcome in OUTCOMES:
            self.assertIn(f"{outcomes.count(outcome)} {outcome}", printed)
            self.assertRegex(self.report("prometheus"), rf'gridlock_promises{{.*,outcome="{outcome}"}} '
                                                        rf'{outcomes.count(outcome)}\n')

    @unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed")
    def test_json_is_as_its_schema_says(self):
        self.audit("--promise", "group-size", "--promise", "item-sizes-x")
        schemas.validator("audit").validate(json.loads(self.report("json")))
        for line in self.report("jsonl").splitlines():
            schemas.validator("jsonl").validate(json.loads(line))

    def test_some_promises(self):
        found = self.promises(self.audit("--promise", "item-sizes-y", "--promise", "group-size", "--promise", "group-size",
                                         "--format", "json").json())
        self.assertEqual(list(found), ["group-size", "item-sizes-y"])

    def test_shards_and_merge(self):
        parts = []
        for shard in range(3):
            self.path = str(self.folder / f"{shard}.run")
            parts.append(self.path)
            self.audit("--shard", f"{shard}/3", code=None)
        self.path = str(self.folder / "all.run")
        self.run_gridlock("merge", *parts, "-o", self.path)
        merged = set(self.promises(json.loads(self.report("json"))))
        self.path = str(self.folder / "whole.run")
        self.audit()
        self.assertEqual(merged, set(self.promises(json.loads(self.report("json")))))

    def test_what_was_cut_goes_on(self):
        self.audit()
        whole = json.loads(self.report("json"))
        self.change_run_file("DELETE FROM verdict WHERE trial > 2", "DELETE FROM observation WHERE trial > 2",
                             "DELETE FROM trial WHERE id > 2", "UPDATE share SET ended = 0")
        self.assertIn("promises were not run", self.report("text", code=75))
        self.run_gridlock("resume", self.path, POCL_MAX_PTHREAD_COUNT=2)
        self.assertEqual(set(self.promises(json.loads(self.report("json")))), set(self.promises(whole)))

    def change_run_file(self, *statements):
        with sqlite3.connect(self.path) as database:
            for statement in statements:
                database.execute(statement)
        database.close()


class BadInput(Case):
    def test_unknown_promise(self):
        result = self.audit("--promise", "group-sizes", code=EXIT_USAGE)
        self.assert_sentence(result.err, "group-sizes", "group-size'", "--list")

    def test_operand(self):
        self.audit("group-size", code=EXIT_USAGE)


if __name__ == "__main__":
    gridlock_test.main()
