#!/usr/bin/env python3
"""gridlock watch --door layer: the program is seen as by the proxy driver, by a layer of its OpenCL loader."""
import os
import pathlib
import re
import signal
import subprocess
import shutil
import unittest

import gridlock_test
from gridlock_test import EXIT_USAGE, needs_driver
from watch_case import Case

DOOR = pathlib.Path(gridlock_test.PROGRAM).resolve().parent / "libgridlock-door.so"


class Layer(Case):
    def begin(self, *words, options=(), **variables):
        return super().begin(*words, options=["--door", "layer", *options], **variables)

    def setUp(self):
        super().setUp()
        if not self.loader_takes_layers():
            self.skipTest("the OpenCL loader takes no layers")

    def loader_takes_layers(self):
        """It says so of itself: it looks for OPENCL_LAYERS."""
        loader = subprocess.run(["ldd", str(self.program)], capture_output=True, text=True, check=True).stdout
        path = re.search(r"libOpenCL\S* => (\S+)", loader)
        return path is not None and b"OPENCL_LAYERS" in pathlib.Path(path[1]).read_bytes()

    @needs_driver("pocl")
    def test_launches(self):
        for mode, launches, code in (("sum", 500, 0), ("refused", 0, 0), ("threads", 800, 3), ("fork", 501, 0)):
            with self.subTest(mode=mode):
                bare = self.bare(mode, "Portable")
                result = self.run_gridlock("watch", "--door", "layer", "--format", "json", "--log", str(self.log),
                                           str(self.program), mode, "Portable", code=None)
                self.assertEqual((result.code, result.out, result.err), (code, bare.stdout, bare.stderr))
                end = self.lines()[-1]
                self.assertEqual((end["door"], end["launches"], end["passing"]), ("layer", launches, []))

    @needs_driver("pocl")
    def test_another_layer_stays(self):
        """One that is there before is called, too: here it is the door again, under another name."""
        other = shutil.copy(DOOR, self.folder / "libother.so")
        result = self.run_gridlock("watch", "--door", "layer", "--summary", str(self.program), "sum",
                                   OPENCL_LAYERS=str(other))
        self.assertIn("saw 500 launches", result.err)
        self.assertIn("by a layer of the loader", result.err)

    @needs_driver("pocl")
    def test_a_stall(self):
        process = self.begin("user-event", options=["--on-stall", "end"])
        self.assertEqual(self.finish(process).code, 128 + signal.SIGTERM)
        told = self.stalls()[-1]
        self.assertEqual((told["door"], told["verdict"], told["commands"][0]["kernel"]), ("layer", "host", "add"))
        (thread,) = [thread for thread in told["threads"] if "call" in thread]
        self.assertEqual(thread["call"], "clFinish")
        if "look" in told:
            self.assertIn("clFinish", [thread["call"] for thread in told["look"]["threads"]])

    def test_no_launch(self):
        self.assert_sentence(self.run_gridlock("watch", "--door", "layer", "true").err, "by a layer of the loader",
                             "saw no launch of true", "takes layers")


class Library(gridlock_test.Case):
    def test_options(self):
        self.run_gridlock("watch", "--door", "window", "true", code=EXIT_USAGE)
        self.run_gridlock("watch", "--pid", str(os.getpid()), "--door", "layer", code=EXIT_USAGE)

    @unittest.skipUnless(shutil.which("nm"), "nm is missing")
    def test_loaders_of_both_kinds_find_their_function(self):
        names = subprocess.run(["nm", "-D", "--defined-only", DOOR], capture_output=True, text=True, check=True).stdout
        self.assertLessEqual({"clGetLayerInfo", "clInitLayer", "clInitLayerWithProperties", "clDeinitLayer",
                              "clIcdGetPlatformIDsKHR"}, {line.split()[-1] for line in names.splitlines()})


if __name__ == "__main__":
    gridlock_test.main()
