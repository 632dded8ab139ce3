#!/usr/bin/env python3
"""gridlock watch PROGRAM: what is said of a library of OpenCL by which nothing comes to the door is so.

The program is ways.c. What it is linked to, loads and calls decides what is true; it waits while it is looked at.
"""
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

import gridlock_test
import schemas
from gridlock_test import ROOT, needs_driver
from watch_case import COMPILER, Case

INTERPOSER = """
#define _GNU_SOURCE
#include <dlfcn.h>
void *clGetExtensionFunctionAddress(const char *name)
{
    return ((void *(*)(const char *))dlsym(RTLD_NEXT, "clGetExtensionFunctionAddress"))(name);
}
"""


INSIDE = """
const char *inside(void)
{
    return "clIcdGetPlatformIDsKHR";
}
"""


LOOK = """
import ctypes, sys
place = ctypes.cast(ctypes.CDLL(sys.argv[1]).clGetExtensionFunctionAddress, ctypes.c_void_p).value
for line in open("/proc/self/maps"):
    begin, end = (int(word, 16) for word in line.split()[0].split("-"))
    if begin <= place < end:
        print(line.split()[-1])
"""


def path_of(library):
    """Of a loader or a driver, as maps have it."""
    found = subprocess.run(["python3", "-c", LOOK, library or ""], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


LOADER = path_of("libOpenCL.so.1")
DRIVER = path_of(gridlock_test.registered_library("pocl"))


@needs_driver("pocl")
@unittest.skipIf(LOADER is None or DRIVER is None, "where the loader or the driver is, is not known")
class Ways(Case):
    def setUp(self):
        super().setUp()
        self.program = self.build("ways")
        self.plain = self.build("plain", "-DPLAIN")
        self.vendors = self.folder / "vendors"
        self.vendors.mkdir()
        (self.vendors / "pocl.icd").write_text(f"{DRIVER}\n")

    def build(self, name, *options):
        path = self.kept_file(self.folder / name, (name, options), lambda path: subprocess.run(
            [COMPILER, "-std=gnu11", "-O1", "-w", "-o", path, ROOT / "tests" / "system" / "ways.c", *options, "-ldl"],
            check=True))
        path.chmod(0o755)
        return path

    def watch(self, door, *words, program=None, **variables):
        """What the program printed, the last line of watch's before it ended, and that after."""
        self.log.unlink(missing_ok=True)
        variables["OCL_ICD_VENDORS"] = str(self.vendors)
        process = self.start("watch", "--door", door, "--deadline", "100", "--format", "json", "--log", str(self.log),
                             str(program or self.program), *words, stdin=subprocess.PIPE, **variables)
        printed = []
        while "ready\n" not in printed:
            printed.append(process.stdout.readline())
            self.assertNotEqual(printed[-1], "", "it ended")
        process.send_signal(signal.SIGUSR1)
        self.wait_until(lambda: [line for line in self.lines() if line["kind"] != "note"], "what it does is told")
        told = self.lines()[-1]
        process.stdin.close()
        process.stdin = None
        self.assertEqual(self.finish(process).code, 0)
        for line in self.lines():
            schemas.validator("watch-program").validate(line)
        end = self.lines()[-1]
        self.assertEqual((told["passing"], told["absent"]), (end["passing"], end["absent"]))
        return "".join(printed), end

    def check(self, words, launches, passing=(), absent=(), door="driver", program=None, **variables):
        printed, end = self.watch(door, *words, program=program, **variables)
        self.assertEqual(printed.split()[:-1], [count for count in words[2::3] if count != "0"])
        self.assertEqual((end["launches"], end["passing"], [each["library"] for each in end["absent"]]),
                         (launches, list(passing), list(absent)))

    def text(self, *words, door="driver", program=None, **variables):
        """The same in words, told at SIGUSR1."""
        self.log.unlink(missing_ok=True)
        variables["OCL_ICD_VENDORS"] = str(self.vendors)
        process = self.start("watch", "--door", door, "--deadline", "100", "--log", str(self.log),
                             str(program or self.program), *words, stdin=subprocess.PIPE, **variables)
        while process.stdout.readline() != "ready\n":
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGUSR1)
        self.wait_until(self.log.read_text, "what it does is told")
        process.stdin.close()
        process.stdin = None
        self.assertEqual(self.finish(process).code, 0)
        return self.log.read_text()

    def doors(self):
        """Those that this loader goes by."""
        return ("driver", "layer") if b"OPENCL_LAYERS" in pathlib.Path(LOADER).read_bytes() else ("driver",)

    def test_it_is_linked_and_does_not_call(self):
        program = self.build("linked", "-DLINKED", "-DPLAIN", "-Wl,--no-as-needed", "-lOpenCL")
        for door in self.doors():
            self.check(["wait"], 0, absent=[LOADER], door=door, program=program)
            said = self.text("wait", door=door, program=program)
            self.assertRegex(said, r"gridlock: process \d+ has loaded "
                             rf"{re.escape(LOADER)}, and launched nothing by it\n")
            self.assertNotIn("passes the door", said)

    def test_a_loader_that_is_called(self):
        for door in self.doors():
            self.check(["open", LOADER, "5", "wait"], 5, door=door, program=self.plain)

    def test_a_loader_by_another_name(self):
        other = shutil.copy(LOADER, self.folder / "libother.so")
        for door in self.doors():
            self.check(["open", str(other), "5", "wait"], 5, door=door, program=self.plain)
            self.check(["open", str(other), "0", "wait"], 0, absent=[str(other)], door=door, program=self.plain)

    def test_a_loader_of_its_own(self):
        """One that goes by the variable is seen, one that does not is not; of layers they know nothing."""
        self.check(["heed", "-", "5", "wait"], 5)
        self.check(["heed", "-", "5", "wait"], 0, passing=[DRIVER], door="layer")
        self.check(["deaf", DRIVER, "5", "wait"], 0, passing=[DRIVER])

    def test_a_loader_inside_of_something_beside_another(self):
        """None of its functions shows, and it knows nothing of layers."""
        if "layer" not in self.doors():
            self.skipTest("the OpenCL loader takes no layers")
        source, inside = self.folder / "inside.c", self.folder / "libinside.so"
        source.write_text(INSIDE)
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", inside, source], check=True)
        words = ["open", LOADER, "5", "open", str(inside), "0", "wait"]
        self.check(words, 5, passing=[str(inside)], door="layer", program=self.plain)
        self.check(words, 5, program=self.plain)
        words = ["open", LOADER, "5", "deaf", DRIVER, "7", "wait"]
        self.check(words, 5, passing=[str(self.program)], door="layer")
        self.assertIn(f"what goes from {self.program} to drivers past the loader is not seen\n",
                      self.text(*words, door="layer"))

    def test_a_driver_by_another_name(self):
        other = shutil.copy(DRIVER, self.folder / "libother.so")
        self.check(["deaf", str(other), "0", "wait"], 0, passing=[str(other)])

    def test_two_loaders(self):
        """Both come to one driver's table of functions, in which the door stands."""
        self.check(["open", LOADER, "5", "deaf", DRIVER, "7", "wait"], 12)
        words = ["deaf", DRIVER, "7", "open", LOADER, "5", "wait"]
        self.check(words, 5, passing=[DRIVER])
        self.assertRegex(self.text(*words), rf"\ngridlock: {re.escape(DRIVER)} was loaded before a loader asked for "
                         r"it: what went by it until then, or goes by it without a loader, is not seen\n")
        other = shutil.copy(LOADER, self.folder / "libother.so")
        self.check(["open", LOADER, "5", "open", str(other), "0", "wait"], 5, absent=[str(other)])
        self.check(["open", LOADER, "5", "open", str(other), "7", "wait"], 12)

    def test_it_is_linked_to_a_driver(self):
        program = self.build("direct", "-DDIRECT", DRIVER)
        self.check(["wait"], 0, passing=[DRIVER], program=program)
        self.check(["direct", "-", "5", "wait"], 0, passing=[DRIVER], program=program)
        for door in self.doors():
            passing = [DRIVER] + [str(program)] * (door == "layer")
            self.check(["open", LOADER, "5", "wait"], 5, passing=passing, door=door, program=program)
        self.assertIn(f"what goes to {DRIVER} without a loader is not seen, and linked to it is {program}\n",
                      self.text("open", LOADER, "5", "wait", program=program))

    @unittest.skipIf(gridlock_test.is_sanitized(), "AddressSanitizer has to be the first library")
    def test_a_library_that_hands_on(self):
        """Nobody knows whether it does."""
        source, other = self.folder / "other.c", self.folder / "libother.so"
        source.write_text(INTERPOSER)
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", other, source, "-ldl"], check=True)
        self.check(["open", LOADER, "5", "wait"], 5, passing=[str(other)], LD_PRELOAD=str(other))
        self.assertIn(f"what goes by {other} passes the door, and is not seen, unless it is handed on to a loader\n",
                      self.text("open", LOADER, "5", "wait", LD_PRELOAD=str(other)))

    def test_a_child_that_calls_nothing(self):
        """It has all of its parent's libraries."""
        self.check(["open", LOADER, "5", "child"], 5)


if __name__ == "__main__":
    gridlock_test.main()
