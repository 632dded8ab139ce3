"""What was known before an audit: lists of failures, the outcomes that count, and what litmus tests found."""
import os
import pathlib
import shutil
import xml.etree.ElementTree

import gridlock_test
from audit_case import EXIT_SURPRISE, FEW, NOT_OFFERED, Case, named
from gridlock_test import EXIT_OK, EXIT_USAGE

class Known(Case):
    def outcome(self, result, name):
        promise = self.promises(result.json())[name]
        return promise["outcome"], promise["known"]

    def test_baseline_of_an_audit(self):
        """An audit that is given what another one came to has nothing new, and its own baseline says the same."""
        self.audit_few()
        written = self.report("baseline", code=EXIT_SURPRISE)
        self.assertEqual([line for line in written.splitlines() if not line.startswith("#")],
                         ["audit/kernel-local-called broken"])
        self.path = str(self.folder / "b.run")
        result = self.audit_few("--baseline", self.list_of(*written.splitlines()), code=EXIT_OK)
        self.assertNotIn("no promise", result.err)
        self.assertEqual(self.report("baseline", code=EXIT_OK), written)
        self.assertIn("known failures: 1 failed again, 0 did not\n", result.out)
        junit = xml.etree.ElementTree.fromstring(self.report("junit", code=EXIT_OK))
        self.assertEqual((junit.get("failures"), junit.get("tests")), ("0", str(len(FEW))))
        self.assertIn("not ok 4 - audit/kernel-local-called # TODO known failure", self.report("tap", code=EXIT_OK))
        self.assertIn(" RESULT=pass", self.report("lava", code=EXIT_OK))
        self.assertNotIn("RESULT=fail", self.report("lava", code=EXIT_OK))
        self.assertIn("This is known.", " ".join(self.run_gridlock("explain", self.path).out.split()))

    def test_known_that_is_kept_is_named(self):
        known = self.list_of("audit/kernel-local-called broken", "audit/group-size broken")
        result = self.audit_few("--baseline", known, code=EXIT_OK)
        for shown in (result.out, self.report("text", code=EXIT_OK)):
            self.assertIn("known failures: 1 failed again, 1 did not\n    did not fail: audit/group-size\n", shown)
        result = self.run_gridlock("report", "--format", "json", self.path)
        self.assertEqual(self.outcome(result, "group-size"), ("kept", "failure"))
        self.assertEqual(self.outcome(result, "kernel-local-called"), ("broken", "failure"))
        self.assertEqual(self.outcome(result, "item-sizes-x"), ("kept", None))

    def test_what_is_not_in_the_baseline_fails(self):
        self.audit_few("--baseline", self.list_of("audit/group-size broken"), code=EXIT_SURPRISE)

    def test_flakes(self):
        result = self.audit_few("--flakes", self.list_of("local-called$"), "--format", "json", code=EXIT_OK)
        self.assertEqual(self.outcome(result, "kernel-local-called"), ("broken", "flake"))

    def test_skips(self):
        result = self.audit_few("--skips", self.list_of("^audit/kernel-local-"), "--format", "json", code=EXIT_OK)
        self.assertEqual(sorted(self.promises(result.json())), sorted(FEW[:-1]))
        self.assertTrue(result.json()["complete"])

    def test_skips_that_leave_nothing(self):
        skips = self.list_of(".")
        result = self.audit_few("--skips", skips, code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "nothing to measure", "--skips", "--allow-empty")
        self.audit_few("--skips", skips, "--allow-empty", code=EXIT_OK)

    def test_lines_that_match_no_promise_are_named(self):
        known = self.list_of("audit/kernel-local-called broken", "# a remark", "audit/group-sise broken")
        err = self.audit_few("--baseline", known, code=EXIT_OK).err
        self.assertEqual([line for line in err.splitlines() if "no promise" in line],
                         [f"gridlock: {known}:3: no promise of this run matches 'audit/group-sise'"])

    def test_bad_lists(self):
        for option, line, *words in (("--baseline", "audit/group-size kept", "'broken'"),
                                     ("--baseline", "audit/group-size", "'broken'"),
                                     ("--baseline", "audit/group-size starved", "'broken'"),
                                     ("--skips", "(", "expression"), ("--flakes", "[", "expression")):
            with self.subTest(option=option, line=line):
                err = self.audit_few(option, self.list_of("# a remark", line), code=EXIT_USAGE).err
                self.assert_sentence(err, "list:2:", *words)
        self.assert_sentence(self.audit_few("--skips", self.list_of("."), code=EXIT_USAGE).err,
                             "--skips leaves out all")
        self.assertFalse(os.path.exists(self.path))


class FailOn(Case):
    def test_of_an_audit(self):
        names = named("group-size", NOT_OFFERED)  # kept, not offered
        for outcomes, code in (("broken,undecided", EXIT_OK), ("undecided,not-offered", EXIT_SURPRISE),
                               ("kept", EXIT_SURPRISE), ("kept,blue", EXIT_USAGE), ("stale", EXIT_USAGE),
                               ("", EXIT_USAGE)):
            with self.subTest(outcomes=outcomes):
                pathlib.Path(self.path).unlink(missing_ok=True)
                err = self.audit(*names, "-q", "--fail-on", outcomes, code=code).err
                if code == EXIT_USAGE:
                    self.assert_sentence(err, outcomes.rpartition(",")[2], "outcomes of promises")

    def test_of_a_report(self):
        self.audit(*named("group-size"), code=EXIT_OK)
        for options, code in ((("kept",), EXIT_SURPRISE), (("silent,exceeded",), EXIT_OK),
                              (("kept", "--exit-zero"), EXIT_OK), (("stale",), EXIT_USAGE),
                              (("kept,stale",), EXIT_USAGE),
                              (("stale", "--fail-on", "kept"), EXIT_USAGE)):
            with self.subTest(options=options):
                result = self.run_gridlock("report", self.path, "--fail-on", *options, code=code)
                self.assertEqual(bool(result.out), code != EXIT_USAGE)

    def test_known_fails_all_the_same(self):
        known = self.list_of("audit/kernel-local-called broken")
        self.audit_few("--baseline", known, "--fail-on", "broken", code=EXIT_SURPRISE)

    def test_exit_zero(self):
        self.audit_few("--exit-zero", code=EXIT_OK)


class ModelFrom(Case):
    """What litmus tests found is quoted where promises are about who may wait for whom."""
    names = ("group-size", "groups-together", "sub-group-progress")

    def setUp(self):
        super().setUp()
        self.progress = str(self.folder / "progress.run")
        self.run_gridlock("progress", "-d", "pocl", "-q", "-o", self.progress, "--mapping", "round-robin", "--no-limit",
                          "--iterations", "1", POCL_MAX_PTHREAD_COUNT=2)

    def quote(self, *arguments, **options):
        """{promise: its quote}"""
        result = self.audit(*named(*self.names), "--model-from", self.progress, "--format", "json", *arguments,
                            **options)
        return {name: promise["quoted"] for name, promise in self.promises(result.json()).items()}

    def change_progress(self, *statements):
        audit, self.path = self.path, self.progress
        self.change_run_file(*statements)
        self.path = audit

    def test_quoted(self):
        device, = self.run_gridlock("report", "--format", "json", self.progress).json()["devices"]
        quote = ("gridlock progress, in progress.run: the strongest model that work-groups did not break is "
                 f"{device['strongest']}.")
        quoted = self.quote(code=EXIT_OK)
        self.assertEqual(quoted, {"group-size": None, "groups-together": quote, "sub-group-progress": quote})
        for shown in (self.report("text", code=EXIT_OK), self.report("junit", code=EXIT_OK),
                      self.run_gridlock("explain", f"{self.path}:sub-group-progress").out):
            self.assertIn(quote, " ".join(shown.split()))
        self.change_run_file("DELETE FROM verdict WHERE trial > 1", "DELETE FROM observation WHERE trial > 1",
                             "DELETE FROM trial WHERE id > 1", "UPDATE share SET ended = 0")
        result = self.run_gridlock("resume", self.path, POCL_MAX_PTHREAD_COUNT=2).json()
        self.assertEqual({name: promise["quoted"] for name, promise in self.promises(result).items()}, quoted)

    def test_run_that_does_not_tell(self):
        self.change_progress("UPDATE share SET ended = 0", "UPDATE device SET driver_version = 'older'")
        self.assertIn("progress.run, with driver older: its tests do not show which model",
                      self.quote()["groups-together"])

    def test_bad_input(self):
        self.audit(*named("group-size"))
        audit, self.path = self.path, str(self.folder / "b.run")
        shutil.copy(self.progress, self.folder / "renamed.run")
        self.progress = str(self.folder / "renamed.run")
        self.change_progress("UPDATE device SET name = 'renamed'")
        for path, words in ((audit, "of gridlock audit"), (self.progress, "has no litmus tests of"),
                            ("nowhere", "No such file"), (__file__, "is not a run file"),
                            (str(self.folder), "regular")):
            with self.subTest(path=path):
                self.progress = path
                result = self.audit(*named(*self.names), "--model-from", path, code=EXIT_USAGE)
                self.assert_sentence(result.err, "--model-from", os.path.basename(path), words)
                self.assertFalse(os.path.exists(self.path))


if __name__ == "__main__":
    gridlock_test.main()
