"""`gridlock audit`: what drivers promise, on PoCL."""
import json
import shutil
import sqlite3
import unittest

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE

EXIT_SURPRISE = 1
HOST_AND_DEVICE = (
    "in-order-queue", "queue-barrier", "wait-list", "wait-list-queues", "finish", "wait-for-events", "wait-flushes",
    "blocking-read", "non-blocking-read", "user-event", "user-event-error", "event-running", "event-times",
    "event-duration", "timer-resolution", "svm-coarse", "svm-fine", "svm-host-sees", "svm-kernel-sees", "svm-adds")
SILENT = (
    "flush-starts", "complete-results", "two-kernels-one-queue", "two-kernels-two-queues", "two-kernels-two-contexts",
    "kernel-beside-full", "read-beside-read", "read-beside-finish", "groups-together")
OUTCOMES = ("kept", "broken", "exceeded", "silent", "undecided", "not-offered")

# PoCL 3.1 leaves out the local memory of kernels that a kernel calls. It says that it has atomics for all devices, and its
# compiler does not know memory_scope_all_svm_devices.
BROKEN_BY_POCL = {"kernel-local-called", "atomic-relaxed-all", "atomic-acq-rel-all", "atomic-seq-cst-all"}


@gridlock_test.needs_driver("pocl")
class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = str(self.folder / "a.run")

    def audit(self, *arguments, code=None, **variables):
        """Without `code` the audit has a result: a driver may break its word."""
        variables.setdefault("POCL_MAX_PTHREAD_COUNT", 2)
        return self.with_result("audit", "-d", "pocl", "-o", self.path, *arguments, code=code, **variables)

    def with_result(self, *arguments, code=None, **variables):
        result = self.run_gridlock(*arguments, code=code, **variables)
        if code is None:
            self.assertIn(result.code, (EXIT_OK, EXIT_SURPRISE), result.err)
        return result

    def audit_all(self, *arguments):
        return self.audit(*arguments, code=EXIT_SURPRISE)

    def promises(self, form_of):
        """{name: promise} of the only device."""
        device, = form_of["devices"]
        return {promise["name"]: promise for promise in device["promises"]}

    def report(self, form, code=None):
        return self.with_result("report", "--format", form, self.path, code=code).out

    def change_run_file(self, *statements):
        with sqlite3.connect(self.path) as database:
            for statement in statements:
                database.execute(statement)
        database.close()


class Audit(Case):
    def test_sizes_of_groups_are_kept(self):
        found = self.promises(self.audit_all("--format", "json").json())
        names = {line.strip() for line in self.run_gridlock("audit", "--list").out.splitlines()
                 if line and not line.startswith(" ")}
        self.assertEqual(set(found), names)
        for name in ("group-size", "group-size-light", "item-sizes-x", "item-sizes-z"):
            promise = found[name]
            self.assertEqual(promise["outcome"], "kept", promise)
            self.assertEqual((promise["promised"], promise["measured"]), (4096, 4096))
            self.assertEqual((promise["tries"], promise["fails"]), (5, 0))
        broken = {name for name, promise in found.items() if promise["outcome"] == "broken"}
        self.assertLessEqual(broken, BROKEN_BY_POCL)
        self.assertIn("kernel-local-called", broken)
        for name in ("local-memory-declared", "local-memory-argument"):
            self.assertIn(found[name]["outcome"], ("kept", "exceeded"), found[name])
        for name in ("constant-size", "parameter-size"):
            self.assertEqual(found[name]["outcome"], "kept", found[name])
        self.assertIn(found["buffer-size"]["outcome"], ("kept", "undecided"), found["buffer-size"])  # memory may be short
        for name in ("kernel-local-declared", "kernel-local-argument", "required-size-runs", "required-size-alone",
                     "required-size-said"):
            self.assertEqual((found[name]["outcome"], found[name]["measured"]), ("kept", 1), found[name])
        for name in ("loop-counted", "loop-while", "loop-nested"):
            self.assertEqual(found[name]["outcome"], "kept", found[name])
            self.assertGreaterEqual(found[name]["promised"], 1000)
        self.assertEqual((found["uneven-groups"]["outcome"], found["uneven-groups"]["fails"]), ("not-offered", 0))
        self.assertEqual(found["preferred-multiple"]["outcome"], "silent")
        self.assertEqual((found["kernel-time"]["outcome"], found["kernel-time"]["fails"]), ("silent", 0))

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
        broken = {name for name, promise in found.items() if promise["outcome"] == "broken"}
        self.assertLessEqual(broken, BROKEN_BY_POCL)

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
            self.assertEqual((promise["outcome"], promise["fails"]), ("kept", 0), promise)
            self.assertGreaterEqual(promise["tries"], 5)
        self.assertEqual(found["mem-fence-local"]["outcome"], "silent")

    def test_device_without_sub_groups(self):
        found = self.promises(self.audit("--promise", "sub-group-progress", "--promise", "sub-group-size", "--promise",
                                         "sub-group-barrier-local", "--format", "json",
                                         code=EXIT_UNSUPPORTED).json())
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

    def test_each_format(self):
        printed = self.audit_all().out
        report = json.loads(self.report("json", code=EXIT_SURPRISE))
        self.assertEqual(self.report("text", code=EXIT_SURPRISE), printed)
        outcomes = [promise["outcome"] for promise in self.promises(report).values()]
        for form in ("jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus"):
            with self.subTest(format=form):
                out = self.report(form, code=EXIT_SURPRISE)
                for name in self.promises(report) if form != "prometheus" else ():
                    self.assertIn(name, out)
        for outcome in OUTCOMES:
            self.assertIn(f"{outcomes.count(outcome)} {outcome}", printed)
            self.assertRegex(self.report("prometheus", code=EXIT_SURPRISE),
                             rf'gridlock_promises{{.*,outcome="{outcome}"}} {outcomes.count(outcome)}\n')

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
            self.audit("--shard", f"{shard}/3")
        self.path = str(self.folder / "all.run")
        self.with_result("merge", *parts, "-o", self.path)
        merged = set(self.promises(json.loads(self.report("json"))))
        self.path = str(self.folder / "whole.run")
        self.audit_all()
        self.assertEqual(merged, set(self.promises(json.loads(self.report("json", code=EXIT_SURPRISE)))))

    def test_what_was_cut_goes_on(self):
        self.audit_all()
        whole = json.loads(self.report("json", code=EXIT_SURPRISE))
        self.change_run_file("DELETE FROM verdict WHERE trial > 2", "DELETE FROM observation WHERE trial > 2",
                             "DELETE FROM trial WHERE id > 2", "UPDATE share SET ended = 0")
        self.assertIn("promises were not run", self.report("text", code=75))
        self.run_gridlock("resume", self.path, code=EXIT_SURPRISE, POCL_MAX_PTHREAD_COUNT=2)
        self.assertEqual(set(self.promises(json.loads(self.report("json", code=EXIT_SURPRISE)))),
                         set(self.promises(whole)))
        self.with_result("resume", self.path, POCL_MAX_PTHREAD_COUNT=2)
        self.assertEqual(set(self.promises(json.loads(self.report("json")))), set(self.promises(whole)))



class Explained(Case):
    def explain(self, name="", code=EXIT_OK, *arguments):
        return self.run_gridlock("explain", self.path + name, *arguments, code=code)

    def test_promise_that_is_kept(self):
        self.audit("--promise", "group-size")
        out = self.explain(":group-size").out
        for words in ("group-size: kept", "CL_DEVICE_MAX_WORK_GROUP_SIZE", "Promised: 4096 work-items; measured: 4096"):
            self.assertIn(words, out)
        self.assertNotIn("What to do", out)
        self.assertEqual(self.explain(":audit/group-size#0").out, out)
        self.assertIn("No promise is broken", self.explain().out)

    def test_command_repeats_it(self):
        self.audit("--promise", "group-size")
        command = self.explain(":group-size").out.splitlines()[-1].strip()
        self.assertRegex(command, "gridlock audit -d .* --promise group-size$")

    def test_reproducer_that_there_is_not(self):
        """Of what nobody promises, and of what this device does not."""
        names = {"kernel-time": "nothing is promised", "sub-group-size": "the device does not promise it"}
        self.audit(*(word for name in names for word in ("--promise", name)))
        for name, reason in names.items():
            folder = self.folder / name
            result = self.explain(f":{name}", EXIT_USAGE, "--reproducer", str(folder))
            self.assert_sentence(result.err, name, reason)
            self.assertFalse(folder.exists())

    def test_promise_that_is_not_there(self):
        self.audit("--promise", "group-size")
        self.assert_sentence(self.explain(":item-sizes-x", EXIT_USAGE).err, "item-sizes-x", "gridlock report")
        for form in ("json", "dot", "svg", "trace"):
            self.assert_sentence(self.explain("", EXIT_USAGE, "--format", form).err, "only be explained as text")


class Compared(Case):
    """With another driver, whose run is this one but for what is changed."""

    def setUp(self):
        super().setUp()
        self.audit("--promise", "group-size", "--promise", "item-sizes-x")
        self.before = self.path
        self.path = str(self.folder / "b.run")
        shutil.copy(self.before, self.path)

    def compare(self, *changes, code=EXIT_OK, first=None):
        self.change_run_file(*(f"UPDATE trial SET {change} WHERE name = 'audit/group-size#0'" for change in changes))
        return self.run_gridlock("compare", *([self.path, self.before] if first else [self.before, self.path]),
                                 code=code).out

    def test_same(self):
        self.assertIn("2 unchanged, 0 changed; limits: 0 moved", self.compare())

    def test_newly_broken(self):
        out = self.compare("fails = 2, measured = 1000", code=1)
        self.assertIn("Regressions\n  audit/group-size: kept -> broken", out)
        self.assertIn("audit/group-size: 4096 -> 1000", out)

    def test_mended(self):
        self.assertIn("Fixes\n  audit/group-size: broken -> kept", self.compare("fails = 2", first=True))

    def test_undecided_is_no_fix(self):
        out = self.compare("fails = 2", code=1)
        self.assertIn("kept -> broken", out)
        shutil.copy(self.path, self.before)
        self.assertIn("Other verdicts\n  audit/group-size: broken -> undecided", self.compare("promise_undecided = 1"))

    def test_run_of_another_kind(self):
        other = str(self.folder / "points.run")
        self.run_gridlock("run", "barrier_central", "-d", "pocl", "-t", "/g1$", "-q", "-o", other, POCL_MAX_PTHREAD_COUNT=2)
        for files in ((other, self.path), (self.path, other)):
            err = self.run_gridlock("compare", *files, code=EXIT_USAGE).err
            self.assert_sentence(err, f"'{self.path}' is a run of promises, but '{other}' is not")


class BadInput(Case):
    def test_unknown_promise(self):
        result = self.audit("--promise", "group-sizes", code=EXIT_USAGE)
        self.assert_sentence(result.err, "group-sizes", "group-size'", "--list")

    def test_operand(self):
        self.audit("group-size", code=EXIT_USAGE)


if __name__ == "__main__":
    gridlock_test.main()
