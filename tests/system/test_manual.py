"""The README and the manual: each command that they show is run, and prints what they show."""
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

import gridlock_test
from documented import DOCUMENTS, commands, not_run, unmarked
from gridlock_test import PROGRAM, ROOT, needs_driver

MISSING = [program for program in ("cc", "dot") if shutil.which(program) is None]
DEVICE = "pthread-skylake-avx512-AMD EPYC"  # where the outputs in the documents are from


class Documented(gridlock_test.Case):
    def test_each_command_is_run_or_listed(self):
        every = {command.name() for path in DOCUMENTS for command in commands(path)}
        self.assertGreater(len(every), 80)
        self.assertEqual(set(not_run()) - every, set(), "listed, and in no document")
        self.assertNotIn(None, not_run().values(), "listed without a reason")

    def test_each_command_is_marked(self):
        self.assertEqual([line for path in DOCUMENTS for line in unmarked(path)], [])

    def test_a_command_that_is_not_marked_is_found(self):
        path = self.folder / "text.md"
        path.write_text("Run\n\n    gridlock list\n    $ gridlock list\n    gridlock says\n\nor\n\n    A=1 "
                        "build/gridlock run x\n")
        self.assertEqual(unmarked(path), ["text.md:3: gridlock list", "text.md:9: A=1 build/gridlock run x"])
        self.assertEqual([command.name() for command in commands(path)], ["gridlock list"])

    def test_bisecting(self):
        """What git runs for each commit: it is good, bad, or says nothing."""
        folder = self.folder / "programs"
        folder.mkdir()
        for name in ("gridlock", "build-driver"):
            (folder / name).write_text(f"#!/bin/sh\nexit ${name[0]}\n")
            (folder / name).chmod(0o755)
        recipes = [command for command in commands(ROOT / "manual" / "recipes.rst") if "git bisect" in command.text]
        self.assertEqual(len(recipes), 2)
        for command in recipes:
            shell = shlex.split(command.text)[3:]
            self.assertEqual(shell[:2], ["sh", "-c"])
            for build, status, said in ((0, 0, 0), (0, 1, 1), (0, 5, 1), (0, 2, 125), (0, 3, 125), (0, 75, 125),
                                        (0, 77, 125),
                                        (1, 0, 125)):
                done = subprocess.run(shell, env={"PATH": f"{folder}:/usr/bin:/bin", "g": str(status), "b": str(build)},
                                      check=False)
                self.assertEqual(done.returncode, said, (build, status))


@needs_driver("pocl")
@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class Run(gridlock_test.Case):
    """Each document in a folder of its own, its commands one after the other."""

    def setUp(self):
        super().setUp()
        self.work = self.folder / "work"
        (self.work / "build").mkdir(parents=True)
        (self.work / "build" / "gridlock").symlink_to(pathlib.Path(PROGRAM).resolve())
        for name in ("results", "examples"):
            (self.work / name).symlink_to(ROOT / name)
        (device,) = self.run_gridlock("devices", "-d", "pocl", "--format", "json").json()["devices"]
        self.device, self.version = device["name"], device["driver_version"]

    def plain(self, text):
        """Without what differs from machine to machine, and from run to run."""
        text = " ".join(text.split()).replace(self.device, DEVICE)
        return re.sub(r"\d+ ms\b", "# ms", re.sub(r"\d+\.\d+", "#", text))

    def assert_shown(self, parts, out):
        at, out = 0, self.plain(out)
        for number, part in enumerate(map(self.plain, parts)):
            found = out.find(part, at)
            self.assertFalse(found < 0 or number == 0 and found > 0, f"{part}\n--- is not in, or too late\n{out[at:]}")
            at = found + len(part)
        if parts[-1].strip():
            self.assertEqual(out[at:], "", "more was printed")

    def run_command(self, command):
        file = re.fullmatch(r"cat (\S+)", command.text)
        if file and not (self.work / file[1]).exists():
            (self.work / file[1]).write_text("\n".join(command.output))
        environment = self.environment(PATH=f"{self.work}/build:/usr/bin:/bin", HOME=self.folder,
                                       POCL_MAX_PTHREAD_COUNT=2)
        done = subprocess.run(["bash", "-c", command.text], cwd=self.work, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)
        said = f"{command.text}\n--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}"
        self.assertEqual(done.returncode, 0, said)
        # What a driver promises, and keeps of it, is another matter in other versions than the documents'.
        if command.parts() and (not command.text.startswith("gridlock audit") or self.version.startswith("3.1")):
            self.assert_shown(command.parts(), done.stdout)

    def run_document(self, path):
        listed = not_run()
        for command in commands(path):
            if command.name() not in listed:
                with self.subTest(command.where):
                    self.run_command(command)
        self.assert_nothing_left()

    def test_what_is_not_printed_is_found(self):
        self.assert_shown(["one ", " three 1.5"], "one\ntwo\nthree 2.5\n")
        for parts in (["two"], ["one", "four"], ["one", "two"], ["one two", "one"]):
            with self.assertRaises(AssertionError):
                self.assert_shown(parts, "one\ntwo\nthree\n")


for document in DOCUMENTS:
    setattr(Run, f"test_{document.name.replace('.', '_')}", lambda self, path=document: self.run_document(path))

if __name__ == "__main__":
    gridlock_test.main()
