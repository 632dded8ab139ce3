"""Three nights of a farm by the recipes of the manual, with a driver that gets worse in the second, and its bisect.

The driver is PoCL's, of as many threads as a file says: all that the recipes run asks for it by a program called
gridlock.
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

import gridlock_test
from documented import commands
from gridlock_test import PROGRAM, ROOT, needs_driver

RECIPES = [command.text for command in commands(ROOT / "manual" / "recipes.rst")]


def recipes(first, last):
    """Those from one that contains `first` to one that contains `last`."""
    begin, = (place for place, text in enumerate(RECIPES) if first in text)
    end = next(place for place, text in enumerate(RECIPES) if place >= begin and last in text)
    return RECIPES[begin:end + 1]


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.work = self.folder / "work"
        self.programs = self.folder / "programs"
        for folder in (self.work, self.programs):
            folder.mkdir()
        self.install("gridlock",
                     f'POCL_MAX_PTHREAD_COUNT=$(cat {self.folder}/installed) exec {pathlib.Path(PROGRAM).resolve()} '
                     f'"$@"')

    def install(self, name, text):
        (self.programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.programs / name).chmod(0o755)

    def driver(self, threads):
        (self.folder / "installed").write_text(f"{threads}\n")

    def run_command(self, text, code=None, cwd=None):
        variables = {"PATH": f"{self.programs}:/usr/bin:/bin", "HOME": self.folder, "TMPDIR": self.folder,
                     "GIT_CONFIG_GLOBAL": "/dev/null"}
        done = subprocess.run(["bash", "-c", text], cwd=cwd or self.work, env=self.environment(**variables),
                              check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if code is not None:
            self.assertEqual(done.returncode, code, f"{text}\n{done.stdout}\n{done.stderr}")
        return done.stdout


@needs_driver("pocl")
class Nights(Case):
    def night(self, threads):
        """The exit statuses, and the cases that failed in each file of JUnit."""
        self.driver(threads)
        statuses, failed = [], {}
        for text in recipes("--against limits.gridlock", "night.gridlock --format junit"):
            out = self.run_command(text, code=None if "--format junit" in text else 0)
            statuses += map(int, re.findall(r"(?m)^exit (\d+)$", out))
        for path in sorted(self.work.glob("*.xml")):
            cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
            self.assertGreater(len(cases), 0)
            failed[path.name] = {f"{case.get('classname')}/{case.get('name')}" for case in cases
                                 if case.find("failure") is not None}
        for path in self.work.glob("night*.gridlock"):
            path.unlink()
        return statuses, failed

    def test_three_nights(self):
        self.driver(4)
        for text in recipes("-o limits.gridlock", "--format baseline"):
            self.run_command(text, 0)
        self.assertEqual(self.night(4), ([0, 0], {"limits.xml": set(), "results.xml": set()}))
        statuses, failed = self.night(1)
        self.assertEqual(statuses, [1, 1])
        self.assertEqual(failed["limits.xml"], {"against/limits/l64-m0-p0", "against/limits/l1024-m0-p0"})
        self.assertTrue({"against/barrier_central/cl30/l1", "against/barrier_central/cl30/l64"} < failed["results.xml"])
        self.assertEqual({name.partition("/")[0] for name in failed["results.xml"]}, {"against"})
        self.assertEqual(self.night(4), ([0, 0], {"limits.xml": set(), "results.xml": set()}))

    def test_a_night_alone_is_content_with_any_limit(self):
        """It is --against that makes the difference."""
        self.driver(1)
        text, = (text for text in RECIPES if "--against first.gridlock" in text)
        self.assertIn("exit 0", self.run_command(text.replace("--against first.gridlock",
                                                              "").replace("--baseline known.txt", "")))


@needs_driver("pocl")
@unittest.skipIf(shutil.which("git") is None, "git is not installed")
class Bisect(Case):
    """The fourth driver does not build, the sixth holds fewer groups, from the eighth on each launch of a group more
    fails."""

    DRIVERS = (4, 4, 4, "none", 4, 2, 2, 1, 1, 1)
    BAD = 6

    def setUp(self):
        super().setUp()
        self.repository = self.folder / "repository"
        self.repository.mkdir()
        self.git("init", "-q")
        for number, threads in enumerate(self.DRIVERS, 1):
            (self.repository / "threads").write_text(f"{threads}\n")
            (self.repository / "number").write_text(f"{number}\n")
            self.git("add", "-A")
            self.git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", f"driver {number}")
        self.install("build-driver", f"grep -q none threads && exit 1\ncp threads {self.folder}/installed")

    def git(self, *arguments):
        return self.run_command(shlex.join(("git", *arguments)), 0, cwd=self.repository)

    def bisect(self, text):
        """The first bad driver."""
        first = self.git("rev-list", "--max-parents=0", "HEAD").strip()
        self.git("bisect", "start", "HEAD", first)
        out = self.run_command(text, 0, cwd=self.repository)
        found = re.search(r"([0-9a-f]{40}) is the first bad commit", out)
        self.assertIsNotNone(found, out)
        return self.git("log", "-1", "--format=%s", found.group(1)).strip()

    def test_by_a_number(self):
        text, = (text for text in RECIPES if "git bisect" in text and "--at-least" in text)
        self.assertEqual(self.bisect(text), f"driver {self.BAD}")

    def test_by_a_good_run(self):
        good, text = recipes("-o /tmp/good.gridlock", "--against /tmp/good.gridlock")
        self.driver(4)
        path = str(self.folder / "good.gridlock")
        self.run_command(good.replace("/tmp/good.gridlock", path), 0)
        self.assertEqual(self.bisect(text.replace("/tmp/good.gridlock", path)), f"driver {self.BAD}")


if __name__ == "__main__":
    gridlock_test.main()
