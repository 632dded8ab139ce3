"""`gridlock audit`: what drivers promise, on PoCL."""
import json
import sqlite3
import unittest

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE

EXIT_SURPRISE = 1
OUTCOMES = ("kept", "broken", "exceeded", "silent", "undecided", "not-offered")

# PoCL 3.1 says that it has atomics for all devices, and its compiler does not know memory_scope_all_svm_devices.
BROKEN_BY_POCL = {"atomic-relaxed-all", "atomic-acq-rel-all", "atomic-seq-cst-all"}


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

    def promises(self, form_of):
        """{name: promise} of the only device."""
        device, = form_of["devices"]
        return {promise["name"]: promise for promise in device["promises"]}

    def report(self, form, code=None):
        return self.with_result("report", "--format", form, self.path, code=code).out


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
            self.audit("--shard", f"{shard}/3")
        self.path = str(self.folder / "all.run")
        self.with_result("merge", *parts, "-o", self.path)
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
        self.with_result("resume", self.path, POCL_MAX_PTHREAD_COUNT=2)
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
