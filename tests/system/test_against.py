"""What a run was to show: limits --at-least, and --against a stored run. Each is in the run file, and in all
formats."""
import pathlib
import re
import shutil
import sqlite3
import xml.etree.ElementTree

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_USAGE, needs_driver, scenario_text
from run_builder import Builder

EXIT_FAILED, EXIT_STOPPED = 1, 75


class Case(gridlock_test.Case):
    def measure(self, command, name, threads, *arguments, code=EXIT_OK):
        """The run file."""
        path = self.folder / f"{name}.gridlock"
        few = ("--iterations", "1") if command == "limits" else ()
        self.last = self.run_gridlock(command, "-d", "pocl", "-q", *few, "-o", str(path), *map(str, arguments),
                                      code=code,
                                      POCL_MAX_PTHREAD_COUNT=threads)
        return str(path)

    def asserted(self, path, code):
        device, = self.run_gridlock("report", path, "--format", "json", code=code).json()["devices"]
        return {(row["by"], row["name"]): row["failed"] for row in device["asserted"]}

    def junit(self, path, code):
        root = xml.etree.ElementTree.fromstring(self.run_gridlock("report", path, "--format", "junit", code=code).out)
        return {(case.get("classname"), case.get("name")): case.find("failure") is not None
                for case in root.iter("testcase") if case.get("classname") in ("at-least", "against")}

    def tap(self, path, code):
        out = self.run_gridlock("report", path, "--format", "tap", code=code).out
        plan = int(re.search(r"1\.\.(\d+)", out).group(1))
        lines = re.findall(r"(?m)^((?:not )?ok) \d+ - (.*)$", out)
        self.assertEqual(plan, len(lines))
        return {tuple(name.split("/", 1)): said == "not ok" for said, name in lines
                if name.startswith(("at-least/", "against/"))}

    def check(self, path, code, **expected):
        """In each format, by --at-least or --against: names, and whether they failed."""
        wanted = {(by.replace("_", "-"), name): failed for by, names in expected.items() for name,
                  failed in names.items()}
        for form in (self.asserted, self.junit, self.tap):
            self.assertEqual(form(path, code), wanted, form)
        failed = [name for (_, name), bad in wanted.items() if bad]
        text = self.run_gridlock("report", path, code=code).out
        self.assertIn(f"assertions: {len(failed) or 'none'} of {len(wanted)} failed\n", text)
        for name in failed:
            self.assertIn(f" {name}: ", text)


@needs_driver("pocl")
class AtLeast(Case):
    def test_held_and_not(self):
        path = self.measure("limits", "run", 2, "--local-size", "1,64", "--at-least", "64=3", "--at-least", "1=2",
                            code=1)
        self.assertIn("assertions: 1 of 2 failed\n  at-least 64=3: 2 groups are resident\n", self.last.out)
        self.check(path, EXIT_FAILED, at_least={"64=3": True, "1=2": False})
        path = self.measure("limits", "held", 2, "--local-size", 64, "--at-least", "64=2", "--at-least", "64=1")
        self.check(path, EXIT_OK, at_least={"64=2": False, "64=1": False})

    def test_names(self):
        sizes = ("--local-size", 64, "--local-memory", "0,4096", "--private", "0,16")
        names = ("64", "64/0/0", "64/4096", "64/4096/0", "64/0/16", "64/4096/16", "l64-m4096-p16", "limits/l64-m0-p16")
        path = self.measure("limits", "run", 1, *sizes, *(f"--at-least={name}=1" for name in names))
        self.check(path, EXIT_OK, at_least=dict.fromkeys(("64=1", "64/4096=1", "64/0/16=1", "64/4096/16=1"), False))

    def test_wrong_names(self):
        for wrong, said in (("64", "FOOTPRINT=N"), ("=1", "FOOTPRINT=N"), ("64=", "whole number"),
                            ("64=0", "whole number"),
                            ("64=x", "whole number"), ("32=1", "expected one of 64"), ("64/=1", "expected one of 64"),
                            ("64/1=1", "expected one of 64"), ("x=1", "expected one of 64"),
                            ("64/0/0/0=1", "expected one of 64"),
                            ("-64=1", "expected one of 64"), (" 64=1", "expected one of 64"),
                            ("064/+0=1", "expected one of 64")):
            with self.subTest(wrong=wrong):
                path = self.measure("limits", "wrong", 1, "--local-size", 64, f"--at-least={wrong}", code=EXIT_USAGE)
                self.assert_sentence(self.last.err, "--at-least", said)
                self.assertFalse(pathlib.Path(path).exists())

    def test_kernels(self):
        (self.folder / "a.cl").write_text("kernel void blur(global int *a) { a[0] = 1; }\nkernel void sharp(global int "
                                          "*a) { a[1] = 1; }\n")
        source = ("--local-size", "64,8x8", "--source", self.folder / "a.cl")
        path = self.measure("limits", "run", 2, *source, "--at-least", "blur=2", "--at-least", "a.cl:sharp/8x8=3",
                            code=1)
        self.check(path, EXIT_FAILED,
                   at_least={"a.cl:blur/64=2": False, "a.cl:blur/8x8=2": False, "a.cl:sharp/8x8=3": True})
        self.measure("limits", "none", 2, *source, "--at-least", "none=2", code=EXIT_USAGE)
        self.assert_sentence(self.last.err, "none", "a.cl:blur/64", "a.cl:sharp/8x8")

    def test_a_kernel_that_does_not_build_fails(self):
        (self.folder / "a.cl").write_text("kernel void blur(\n")
        path = self.measure("limits", "run", 2, "--source", self.folder / "a.cl", "--at-least", "blur=2", code=1)
        self.check(path, EXIT_FAILED, at_least={"blur=2": True})

    def test_a_shard_speaks_of_its_footprints(self):
        wanted = [f"--at-least={size}={3 if size == 64 else 2}" for size in (1, 64)]
        parts = []
        for shard, code in ((0, None), (1, None)):
            parts.append(self.measure("limits", f"part{shard}", 2, "--local-size", "1,64", *wanted, "--shard",
                                      f"{shard}/2",
                                      code=code))
        merged = str(self.folder / "merged.gridlock")
        self.run_gridlock("merge", *parts, "-o", merged)
        self.check(merged, EXIT_FAILED, at_least={"1=2": False, "64=3": True})


@needs_driver("pocl")
class Against(Case):
    def test_limits(self):
        two = self.measure("limits", "two", 2, "--local-size", "1,64")
        one = self.measure("limits", "one", 1, "--local-size", "1,64", "--against", two, code=EXIT_FAILED)
        self.check(one, EXIT_FAILED, against={"limits/l1-m0-p0": True, "limits/l64-m0-p0": True})
        self.assertIn("the limit fell from 2 to 1", self.run_gridlock("report", one, "--format", "junit", code=1).out)
        again = self.measure("limits", "again", 2, "--local-size", "1,64,128", "--against", two)
        self.check(again, EXIT_OK, against={"limits/l1-m0-p0": False, "limits/l64-m0-p0": False})
        self.measure("limits", "more", 2, "--local-size", "1,64", "--against", one)
        less = self.measure("limits", "less", 2, "--local-size", 64, "--against", two, code=EXIT_FAILED)
        self.check(less, EXIT_FAILED, against={"limits/l1-m0-p0": True, "limits/l64-m0-p0": False})

    def test_scenarios(self):
        two = self.measure("run", "two", 2, "barrier_central", "lock_tas")
        one = self.measure("run", "one", 1, "barrier_central", "lock_tas", "--against", two, code=EXIT_FAILED)
        self.assertEqual(set(self.asserted(one, EXIT_FAILED).values()), {True})
        self.assertEqual(self.junit(one, EXIT_FAILED), self.tap(one, EXIT_FAILED))
        same = self.measure("run", "same", 2, "barrier_central", "--against", two)
        self.check(same, EXIT_OK, against={"barrier_central/cl30/l1": False, "barrier_central/cl30/l64": False})
        self.measure("run", "zero", 1, "barrier_central", "--against", two, "--exit-zero")

    def test_promises(self):
        base = self.measure("audit", "base", 2, "--promise", "group-size")
        same = self.measure("audit", "same", 2, "--promise", "group-size", "--against", base)
        self.check(same, EXIT_OK, against={"audit/group-size": False})

    def test_models(self):
        base, new = (str(self.folder / name) for name in ("base", "new"))
        self.run_gridlock("progress", "-q", "-d", "model:obe:4", "-o", base)
        self.run_gridlock("progress", "-q", "-d", "model:obe:4", "-o", new, "--against", base)
        self.assertEqual({failed for (by, _), failed in self.asserted(new, EXIT_OK).items()}, {False})

    def test_a_run_that_cannot_be_the_measure(self):
        limits = self.measure("limits", "limits", 1, "--local-size", 64)
        stopped = self.folder / "stopped.gridlock"
        shutil.copy(limits, stopped)
        self.change_run_file("UPDATE share SET ended = 0", path=stopped)
        other = self.folder / "other.gridlock"
        builder = Builder(other, command_line="gridlock limits")
        builder.device(name="NVIDIA H100", kind="GPU")
        builder.close()
        text = self.folder / "text"
        text.write_text("no run file")
        for against, command, words in ((limits, "run", ("gridlock limits", "gridlock run")),
                                        (stopped, "limits", ("did not end",)),
                                        (other, "limits", ("NVIDIA H100",)), (text, "limits", ()),
                                        (self.folder / "none", "limits", ())):
            with self.subTest(against=against):
                path = self.measure(command, "new", 1, "--against", against, code=EXIT_USAGE)
                self.assert_sentence(self.last.err, "--against", *words)
                self.assertFalse(pathlib.Path(path).exists())

    def change_run_file(self, statement, path):
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.commit()
        connection.close()

    def test_nothing_in_common(self):
        limits = self.measure("run", "old", 1, "lock_tas")
        self.measure("run", "new", 1, "barrier_central", "--against", limits, code=EXIT_USAGE)
        self.assert_sentence(self.last.err, "nothing to compare")

    def test_a_stopped_run_asserts_when_it_goes_on(self):
        scenario = self.folder / "optimist.ini"
        scenario.write_text(scenario_text(groups="1, 2, 3, 4, 5", sweep="local-size = 1\niterations = 1"))
        two = self.measure("run", "two", 2, scenario, code=EXIT_FAILED)
        part = self.measure("run", "part", 1, scenario, "--against", two, "--max-fails", "1", code=EXIT_STOPPED)
        self.assertEqual(self.asserted(part, EXIT_FAILED), {})
        for _ in range(5):  # each stops after a surprise
            code = self.run_gridlock("resume", part, "-q", code=None, POCL_MAX_PTHREAD_COUNT=1).code
        self.assertEqual(code, EXIT_FAILED)
        self.check(part, EXIT_FAILED, against={"optimist/cl30/l1": True})

    def test_a_device_that_is_gone(self):
        several = {"POCL_DEVICES": "pthread pthread", "POCL_MAX_PTHREAD_COUNT": 1}
        both, one, chosen = (str(self.folder / name) for name in ("both", "one", "chosen"))
        arguments = ("limits", "-q", "--local-size", "64", "--iterations", "1")
        self.run_gridlock(*arguments, "-d", "pocl", "-o", both, **several)
        self.run_gridlock(*arguments, "-d", "pocl", "-o", one, "--against", both, POCL_MAX_PTHREAD_COUNT=1,
                          code=EXIT_FAILED)
        self.assertEqual(sorted(self.asserted(one, EXIT_FAILED).values()), [False, True])
        name = self.run_gridlock("devices", "-d", "pocl", "--format", "json", **several).json()["devices"][0]["name"]
        self.run_gridlock(*arguments, "-d", f"{name}#1", "-o", chosen, "--against", both, **several)


class Formats(Case):
    def write(self, *rows):
        path = self.folder / "run.gridlock"
        path.unlink(missing_ok=True)
        builder = Builder(path)
        device = builder.device()
        builder.trial(device, expected="pass")
        for by, name, failed, said in rows:
            builder.insert("asserted", device=device, kind=by, name=name, failed=failed, said=said)
        builder.close()
        return str(path)

    def test_all_formats(self):
        path = self.write(("against", "a,\"<b>\n|*", 1, "was <1> & is, \"2\""), ("against", "c", 0, "as before"))
        for form in ("text", "json", "jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus", "html",
                     "baseline"):
            with self.subTest(form=form):
                out = self.run_gridlock("report", path, "--format", form, code=EXIT_FAILED).out
                self.assertEqual("was <1>" in out or "was &lt;1&gt;" in out or "was &lt;1\\>" in out,
                                 form not in ("lava", "prometheus", "baseline"), out)
        self.assertIn("TEST_CASE_ID=against.c RESULT=pass",
                      self.run_gridlock("report", path, "--format", "lava", code=1).out)
        document = self.run_gridlock("report", path, "--format", "json", code=1).json()
        schemas.validator("run").validate(document)
        self.run_gridlock("report", path, "--exit-zero")

    def test_undecided_is_neither(self):
        path = self.write(("at-least", "64=4", None, "not measured: inconclusive"),
                          ("at-least", "1=4", 0, "4 groups are resident"))
        text = self.run_gridlock("report", path, code=EXIT_STOPPED).out
        self.assertIn("assertions: none of 2 failed, 1 undecided\n  at-least 64=4: undecided: not measured", text)
        self.assertEqual(self.asserted(path, EXIT_STOPPED), {("at-least", "64=4"): None, ("at-least", "1=4"): False})
        self.assertIn("ok 3 - at-least/64=4 # SKIP undecided",
                      self.run_gridlock("report", path, "--format", "tap", code=EXIT_STOPPED).out)
        self.assertIn('<skipped type="undecided"',
                      self.run_gridlock("report", path, "--format", "junit", code=EXIT_STOPPED).out)
        path = self.write(("at-least", "2=4", 1, "2 groups are resident"))
        self.run_gridlock("report", path, code=EXIT_FAILED)

    def test_many(self):
        path = self.write(*(("against", f"line{place:02}", 1, "worse") for place in range(30)))
        out = self.run_gridlock("report", path, code=EXIT_FAILED).out
        self.assertIn("assertions: 30 of 30 failed\n", out)
        self.assertIn("\n  and 10 more\n", out)

    def test_compare_has_cases(self):
        base = self.write()
        new = self.folder / "new.gridlock"
        shutil.copy(base, new)
        connection = sqlite3.connect(new)
        connection.execute("UPDATE verdict SET verdict = 'wrong'")
        connection.commit()
        connection.close()
        for one, other, code in ((base, str(new), EXIT_FAILED), (base, base, EXIT_OK)):
            junit = self.run_gridlock("compare", one, other, "--format", "junit", code=code).out
            case, = xml.etree.ElementTree.fromstring(junit).iter("testcase")
            self.assertEqual((case.get("classname"), case.get("name"), case.find("failure") is not None),
                             ("against", "toy/cl30/l64", code == EXIT_FAILED))
            tap = self.run_gridlock("compare", one, other, "--format", "tap", code=code).out
            self.assertIn("\nok 1 - against/toy/cl30/l64" if code == EXIT_OK else "\nnot ok 1 - against/toy/cl30/l64",
                          tap)


if __name__ == "__main__":
    gridlock_test.main()
