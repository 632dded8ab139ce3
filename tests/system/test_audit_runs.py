"""Run files of audits: merged, explained, compared."""
import json
import pathlib
import shutil

import gridlock_test
from audit_case import EXIT_STOPPED, EXIT_SURPRISE, FEW, NOT_OFFERED, Case, named
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE

class Merged(Case):
    def merge(self, *files, code=EXIT_OK):
        self.path = str(self.folder / "merged.run")
        return self.run_gridlock("merge", *files, "-o", self.path, code=code).err

    def test_shards(self):
        parts = []
        for shard in range(3):
            self.path = str(self.folder / f"{shard}.run")
            parts.append(self.path)
            result = self.run_gridlock("audit", "-d", "pocl", "-o", self.path, *named(*FEW), "--shard", f"{shard}/3",
                                       code=None, POCL_MAX_PTHREAD_COUNT=2)
            self.assertIn(result.code, (EXIT_OK, EXIT_SURPRISE, EXIT_UNSUPPORTED), result.err)
        self.merge(*parts)
        self.assertEqual(sorted(self.promises(json.loads(self.report("json", code=EXIT_SURPRISE)))), sorted(FEW))
        pathlib.Path(self.path).unlink()
        self.assertIn("shard 0/3 is missing", self.merge(*parts[1:]))
        self.assertIn("shard 0/3 is missing", " ".join(self.report("text", code=EXIT_STOPPED).split()))

    def test_audits_that_differ(self):
        """A promise that one file says is broken does not get lost in silence."""
        self.audit(*named("group-size", "item-sizes-x"), code=EXIT_OK)
        first, other = self.path, str(self.folder / "other.run")
        shutil.copy(first, other)
        self.assertNotIn("conflict", self.merge(first, other))
        self.path = other
        self.change_run_file("UPDATE trial SET fails = 2, duration_ns = duration_ns + 1 WHERE scenario = 'group-size'",
                             "UPDATE trial SET finding = 'Likewise.' WHERE scenario = 'item-sizes-x'")
        pathlib.Path(self.folder / "merged.run").unlink()
        err = self.merge(first, other, code=EXIT_SURPRISE)
        self.assertIn("conflict: audit/group-size#0: kept kept, another file has broken", err)
        self.assertEqual(err.count("conflict"), 1)

    def test_run_of_another_kind(self):
        self.audit(*named("group-size"), code=EXIT_OK)
        audit, other = self.path, str(self.folder / "points.run")
        self.run_gridlock("run", "barrier_central", "-d", "pocl", "-t", "/g1$", "-q", "-o", other,
                          POCL_MAX_PTHREAD_COUNT=2)
        for files in ((audit, other), (other, audit)):
            self.assert_sentence(self.merge(*files, code=EXIT_USAGE),
                                 f"'{audit}' is a run of promises, but '{other}' is not")


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
        names = {"kernel-time": "nothing is promised", NOT_OFFERED: "the device does not promise it"}
        self.audit(*(word for name in names for word in ("--promise", name)))
        for name, reason in names.items():
            folder = self.folder / name
            result = self.explain(f":{name}", EXIT_USAGE, "--reproducer", str(folder))
            self.assert_sentence(result.err, name, reason)
            self.assertFalse(folder.exists())

    def test_promise_that_is_not_there(self):
        self.audit("--promise", "group-size")
        self.assert_sentence(self.explain(":item-sizes-x", EXIT_USAGE).err, "item-sizes-x", "gridlock report")
        for form in ("json", "dot", "svg", "trace", "timeline"):
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
        self.assertIn("0 worse, 0 better, 0 changed, 2 same, 0 missing, 0 new\n", self.compare())

    def test_newly_broken(self):
        out = self.compare("fails = 2, measured = 1000", code=1)
        self.assertIn("Regressions\n  audit/group-size: kept -> broken", out)
        self.assertIn("The limit fell from 4096 to 1000\n  audit/group-size\n", out)

    def test_mended(self):
        self.assertIn("Fixes\n  audit/group-size: broken -> kept", self.compare("fails = 2", first=True))

    def test_undecided_is_no_fix(self):
        out = self.compare("fails = 2", code=1)
        self.assertIn("kept -> broken", out)
        shutil.copy(self.path, self.before)
        self.assertIn("Other verdicts\n  audit/group-size: broken -> undecided", self.compare("promise_undecided = 1"))

    def test_device_with_another_name(self):
        self.change_run_file("UPDATE device SET name = 'renamed-' || name, driver_version = 'next'")
        out = self.compare("fails = 2", code=1)
        self.assertIn("Regressions\n  audit/group-size: kept -> broken", out)
        for word in ("renamed", "next"):
            self.assertIn(word, out)

    def test_known_or_not_makes_no_difference(self):
        self.assertIn("2 same", self.compare("known = 'failure', known_verdicts = 'broken'"))
        out = self.compare("fails = 2", code=1)
        self.assertIn("kept -> broken", out)

    def test_run_of_another_kind(self):
        other = str(self.folder / "points.run")
        self.run_gridlock("run", "barrier_central", "-d", "pocl", "-t", "/g1$", "-q", "-o", other,
                          POCL_MAX_PTHREAD_COUNT=2)
        for files in ((other, self.path), (self.path, other)):
            err = self.run_gridlock("compare", *files, code=EXIT_USAGE).err
            self.assert_sentence(err, f"'{self.path}' is a run of promises, but '{other}' is not")


if __name__ == "__main__":
    gridlock_test.main()
