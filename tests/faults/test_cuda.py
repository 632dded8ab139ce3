"""Promises that are measured through CUDA's driver: one of a GPU that is not there (fake_cuda.c), beside PoCL's.

FAKE_CUDA_LIBRARY names it.
"""
import ctypes
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE  # noqa: E402

EXIT_SURPRISE = 1
LIBRARY = os.environ.get("FAKE_CUDA_LIBRARY", "")
SILENT = {"progress-order", "progress-streams", "example-api-2", "example-api-3", "example-stream-0",
          *(f"example-device-{number}" for number in range(1, 5))}
# What each kernel breaks that waits in vain, and what is told of it; and what nobody promises, and is then not so.
IN_VAIN = {
    "meet": ({"progress-cooperative": "Of 32 groups 31 got on, and 1 waited in vain.",
              "progress-cluster": "Of 128 groups 127 got on, and 1 waited in vain."}, set()),
    "pairs": ({"progress-group": "Of 1024 threads 1023 got on", "progress-lane": "Of 32 threads 31 got on",
               "example-device-0": "Of 2 threads 1 got on, and 1 waited in vain."}, set()),
    "lock": ({"progress-lane-lock": "Of 32 threads 31 had the lock, and 1 waited in vain; the count is 31."}, set()),
    "hello": ({"example-api-1": ""}, set()),
    "flag": ({"example-api-4": "The kernel ended, and the host did not see its word.",
              "example-stream-1": "The second kernel did not see"},
             {"progress-streams", "example-api-2", "example-api-3", "example-stream-0"}),
    "chain": ({}, {"progress-order"}),
    "loop": ({}, {f"example-device-{number}" for number in range(1, 5)}),
}


def has_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


@unittest.skipIf(LIBRARY == "", "FAKE_CUDA_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Case(gridlock_test.Case):
    def audit(self, *arguments, code=EXIT_OK, **variables):
        if "FAKE_CUDA_NAME" not in variables:
            (device,) = self.run_gridlock("devices", "-d", "pocl", "--format", "json").json()["devices"]
            variables["FAKE_CUDA_NAME"] = device["name"]
        return self.run_gridlock("audit", "-d", "pocl", "--via", "cuda", *arguments, code=code,
                                 LD_LIBRARY_PATH=str(pathlib.Path(LIBRARY).parent), **variables)

    def promises(self, *arguments, code=EXIT_OK, **variables):
        """{name: promise}"""
        device, = self.audit("-q", "--format", "json", *arguments, code=code, **variables).json()["devices"]
        return {promise["name"]: promise for promise in device["promises"]}


class Cuda(Case):
    def assert_outcomes(self, found, **others):
        for name, promise in found.items():
            with self.subTest(promise=name):
                self.assertEqual(promise["outcome"], others.get(name, "silent" if name in SILENT else "kept"), promise)

    def test_kept(self):
        found = self.promises()
        self.assert_outcomes(found)
        self.assertLessEqual(SILENT, set(found))
        for name in SILENT:
            self.assertEqual(found[name]["measured"], 1, found[name])
        self.assertIn("32 groups were taken before, and 33 were refused.",
                      found["progress-cooperative-more"]["finding"])
        self.assertIn("In 5 of 5 tries each group saw the one below.", found["progress-order"]["finding"])
        self.assertIn("took 7 thousand cycles", found["example-device-1"]["finding"])

    def test_waits_in_vain(self):
        for kernel, (broken, not_so) in IN_VAIN.items():
            with self.subTest(kernel=kernel):
                found = self.promises(code=EXIT_SURPRISE if broken else EXIT_OK, FAKE_CUDA_WAITS=kernel)
                self.assert_outcomes(found, **dict.fromkeys(broken, "broken"))
                for name, told in broken.items():
                    self.assertIn(told, found[name]["finding"] or "")
                    self.assertEqual((found[name]["tries"], found[name]["fails"]), (5, 5))
                self.assertEqual({name for name in SILENT if found[name]["measured"] == 0}, not_so)
                self.assertEqual("The loop was left out" in found["example-device-4"]["finding"], kernel == "loop")

    def test_a_grid_that_cannot_meet_is_taken(self):
        found = self.promises(code=EXIT_SURPRISE, FAKE_CUDA_TAKES="1")
        self.assert_outcomes(found, **{"progress-cooperative-more": "broken"})
        self.assertIn("33 groups were taken; 32 of them met all others, and 1 waited in vain.",
                      found["progress-cooperative-more"]["finding"])

    def test_what_the_gpu_lacks(self):
        found = self.promises(FAKE_CUDA_LACKS="1")
        self.assert_outcomes(found, **dict.fromkeys(
            ("progress-cooperative", "progress-cooperative-more", "progress-cluster"), "not-offered"))
        self.assertIn("no cooperative launches", found["progress-cooperative"]["finding"])

    def test_a_call_that_fails(self):
        for call in ("cuLaunchKernel", "cuModuleLoadData", "cuMemsetD32_v2"):
            with self.subTest(call=call):
                found = self.promises("--promise", "progress-lane", code=None, FAKE_CUDA_FAILS=call)
                self.assertEqual(found["progress-lane"]["outcome"], "undecided", found)
                self.assertIn(f"{call}: CUDA_ERROR_UNKNOWN", found["progress-lane"]["note"])

    def test_a_kernel_that_does_not_end(self):
        found = self.promises("--promise", "progress-lane-lock", code=None, FAKE_CUDA_HANGS="lock")
        self.assertEqual(found["progress-lane-lock"]["outcome"], "undecided", found)
        self.assertIn("did not end", found["progress-lane-lock"]["finding"])

    def test_explained(self):
        path = str(self.folder / "a.run")
        self.audit("-o", path, "-q", code=EXIT_SURPRISE, FAKE_CUDA_WAITS="pairs")
        told = " ".join(self.run_gridlock("explain", f"{path}:progress-lane").out.split())
        for words in ('Execution model, "Device threads"', "March 2025", "--via cuda", "5 of 5 times it was not as"):
            self.assertIn(words, told)
        for name in ("progress-lane", "progress-order"):
            refused = self.run_gridlock("explain", f"{path}:{name}", "--reproducer", str(self.folder / "program"),
                                        code=EXIT_USAGE)
            self.assert_sentence(refused.err, name, "through CUDA's driver")


class NotOffered(Case):
    def assert_not_offered(self, result, *words):
        device, = result.json()["devices"]
        self.assertEqual({promise["outcome"] for promise in device["promises"]}, {"not-offered"})
        self.assert_sentence(result.err, "nothing is offered through CUDA's driver", *words)

    def test_another_gpu(self):
        self.assert_not_offered(self.audit("-q", "--format", "json", code=EXIT_UNSUPPORTED, FAKE_CUDA_NAME="another"),
                                "none of the 1")

    def test_no_gpu(self):
        self.assert_not_offered(self.audit("-q", "--format", "json", code=EXIT_UNSUPPORTED, FAKE_CUDA_FAILS="cuInit"),
                                "finds no GPU")

    @unittest.skipIf(has_driver(), "this machine has CUDA's driver")
    def test_no_driver(self):
        result = self.run_gridlock("audit", "-d", "pocl", "--via", "cuda", "-q", "--format", "json",
                                   code=EXIT_UNSUPPORTED)
        self.assert_not_offered(result, "There is no CUDA driver here", "libcuda.so.1")

    def test_bad_input(self):
        for arguments, words in (((), ("progress-lane", "--via cuda")), (("--via", "cuda"), ("finish", "leave out")),
                                 (("--via", "vulkan"), ("vulkan",))):
            with self.subTest(arguments=arguments):
                promise = "finish" if "cuda" in arguments else "progress-lane"
                result = self.run_gridlock("audit", "-d", "pocl", "--promise", promise, *arguments, code=EXIT_USAGE)
                self.assert_sentence(result.err, *words)

    def test_the_list(self):
        names = [line for line in self.run_gridlock("audit", "--via", "cuda", "--list").out.splitlines()
                 if line and not line.startswith(" ")]
        self.assertEqual(len(names), 19)
        self.assertLessEqual(SILENT, set(names))


if __name__ == "__main__":
    unittest.main()
