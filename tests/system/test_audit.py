"""`gridlock audit`: what drivers promise, on PoCL."""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import time
import unittest
import xml.etree.ElementTree

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE

EXIT_SURPRISE, EXIT_STOPPED = 1, 75
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


FEW = ("group-size", "item-sizes-x", "kernel-local-declared", "kernel-local-called")  # quick ones; PoCL breaks the last


def named(*names):
    """The options that choose these promises."""
    return [word for name in names for word in ("--promise", name)]


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

    def audit_few(self, *arguments, code=EXIT_SURPRISE, **variables):
        return self.audit(*named(*FEW), *arguments, code=code, **variables)

    def list_of(self, *lines):
        path = self.folder / "list"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return str(path)

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
        found = self.found()
        for name in HOST_AND_DEVICE:
            with self.subTest(promise=name):
                self.assertEqual(found[name]["outcome"], "kept", found[name])
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
            self.assertIn(f"{outcomes.count(outcome)} {outcome}", Whole.kept[1])
            self.assertRegex(self.report("prometheus", code=EXIT_SURPRISE),
                             rf'gridlock_promises{{.*,outcome="{outcome}"}} {outcomes.count(outcome)}\n')


class Audit(Case):
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


class Continued(Case):
    def test_what_was_cut_goes_on(self):
        self.audit_few()
        whole = json.loads(self.report("json", code=EXIT_SURPRISE))
        self.change_run_file("DELETE FROM verdict WHERE trial > 2", "DELETE FROM observation WHERE trial > 2",
                             "DELETE FROM trial WHERE id > 2", "UPDATE share SET ended = 0")
        self.assertIn("promises were not run", self.report("text", code=EXIT_STOPPED))
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
        self.assertEqual(self.begun(), {"group-size": True, "kernel-time": False})
        self.assertIn("It was begun, and did not end.", self.report("text", code=EXIT_STOPPED))
        err = self.run_gridlock("resume", self.path, code=EXIT_STOPPED, POCL_MAX_PTHREAD_COUNT=2).err
        self.assert_sentence(err.splitlines(keepends=True)[-1], "--retry-incomplete", self.path)
        self.assertEqual(list(self.begun().items()), list(zip(names, (True, False, True))))
        self.run_gridlock("resume", "--retry-incomplete", self.path, POCL_MAX_PTHREAD_COUNT=2)
        found = self.promises(json.loads(self.report("json", code=EXIT_OK)))
        self.assertEqual({name: found[name]["outcome"] for name in names},
                         {"group-size": "kept", "kernel-time": "silent", "item-sizes-x": "kept"})


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
        self.run_gridlock("run", "barrier_central", "-d", "pocl", "-t", "/g1$", "-q", "-o", other, POCL_MAX_PTHREAD_COUNT=2)
        for files in ((audit, other), (other, audit)):
            self.assert_sentence(self.merge(*files, code=EXIT_USAGE), f"'{audit}' is a run of promises, but '{other}' is not")


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
        self.assertEqual(sorted(self.promises(result.json())), ["group-size", "item-sizes-x"])
        self.assertTrue(result.json()["complete"])

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
        self.assert_sentence(self.audit_few("--skips", self.list_of("."), code=EXIT_USAGE).err, "--skips leaves out all")
        self.assertFalse(os.path.exists(self.path))


class FailOn(Case):
    def test_of_an_audit(self):
        names = named("group-size", "sub-group-size")  # kept, not offered
        for outcomes, code in (("broken,undecided", EXIT_OK), ("undecided,not-offered", EXIT_SURPRISE),
                               ("kept", EXIT_SURPRISE), ("kept,blue", EXIT_USAGE), ("stale", EXIT_USAGE), ("", EXIT_USAGE)):
            with self.subTest(outcomes=outcomes):
                pathlib.Path(self.path).unlink(missing_ok=True)
                err = self.audit(*names, "-q", "--fail-on", outcomes, code=code).err
                if code == EXIT_USAGE:
                    self.assert_sentence(err, outcomes.rpartition(",")[2], "outcomes of promises")

    def test_of_a_report(self):
        self.audit(*named("group-size"), code=EXIT_OK)
        for options, code in ((("kept",), EXIT_SURPRISE), (("silent,exceeded",), EXIT_OK),
                              (("kept", "--exit-zero"), EXIT_OK), (("stale",), EXIT_USAGE), (("kept,stale",), EXIT_USAGE),
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
        result = self.audit(*named(*self.names), "--model-from", self.progress, "--format", "json", *arguments, **options)
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
        self.assertIn("progress.run, with driver older: its tests do not show which model", self.quote()["groups-together"])

    def test_bad_input(self):
        self.audit(*named("group-size"))
        audit, self.path = self.path, str(self.folder / "b.run")
        shutil.copy(self.progress, self.folder / "renamed.run")
        self.progress = str(self.folder / "renamed.run")
        self.change_progress("UPDATE device SET name = 'renamed'")
        for path, words in ((audit, "of gridlock audit"), (self.progress, "has no litmus tests of"),
                            ("nowhere", "No such file"), (__file__, "is not a run file"), (str(self.folder), "regular")):
            with self.subTest(path=path):
                self.progress = path
                result = self.audit(*named(*self.names), "--model-from", path, code=EXIT_USAGE)
                self.assert_sentence(result.err, "--model-from", os.path.basename(path), words)
                self.assertFalse(os.path.exists(self.path))


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

    def test_device_with_another_name(self):
        self.change_run_file("UPDATE device SET name = 'renamed', driver_version = 'next'")
        out = self.compare("fails = 2", code=1)
        self.assertIn("Regressions\n  audit/group-size: kept -> broken", out)
        for word in ("renamed", "next"):
            self.assertIn(word, out)

    def test_known_or_not_makes_no_difference(self):
        self.assertIn("2 unchanged", self.compare("known = 'failure', known_verdicts = 'broken'"))
        out = self.compare("fails = 2", code=1)
        self.assertIn("kept -> broken", out)

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

    def test_promise_without_a_name(self):
        self.assert_sentence(self.audit("--promise", "", code=EXIT_USAGE).err, "--list")
        self.audit("--promise", code=EXIT_USAGE)


if __name__ == "__main__":
    gridlock_test.main()
