"""Drivers that crash, hang, end the process or talk nonsense: the program goes on, or ends with a sentence.

FAKE_ICD_LIBRARY names the driver that is built from fake_icd.c; its FAKE_ICD says how it misbehaves.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
from gridlock_test import EXIT_NO_DEVICE, EXIT_OK, EXIT_UNSUPPORTED  # noqa: E402

LIBRARY = os.environ.get("FAKE_ICD_LIBRARY", "")
COMMANDS = ("devices", "limits")

# How a driver dies while it is loaded or lists its devices, and how that is told.
LOADING = {
    "load-abort": "signal 6",
    "load-segv": "signal 11",
    "load-exit": "exit status 0",
    "list-segv": "signal 11",
}
NO_DEVICE = ("no-platform", "no-device", "load-flood")
OPENING = {
    "open-segv": "signal 11",
    "open-fails": "CL_OUT_OF_HOST_MEMORY",
}
BUILDING = {
    "build-segv": "signal 11",
    "build-exit": "exit status 7",
    "build-fails": "CL_BUILD_PROGRAM_FAILURE",
    "write-socket": "",
}
# A program that says what is in the table of a driver.
TABLE = """
import ctypes
platform = ctypes.c_void_p()
if ctypes.CDLL("libOpenCL.so.1").clGetPlatformIDs(1, ctypes.byref(platform), None) == 0:
    table = ctypes.cast(platform, ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)))[0]
    print(*(hex(table[i]) for i in range(64)))
"""
TAG = hex(int.from_bytes(b"OPENCL31", "big"))


@unittest.skipIf(LIBRARY == "", "FAKE_ICD_LIBRARY names no library")
class Faults(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.assertTrue(os.path.exists(LIBRARY), LIBRARY)
        self.bad = self.vendors("bad", LIBRARY)
        self.mixed = self.vendors("mixed", LIBRARY, gridlock_test.registered_library("pocl") or "libpocl.so.2")

    def vendors(self, name, *libraries):
        folder = self.folder / name
        folder.mkdir()
        for index, library in enumerate(libraries):
            (folder / f"{index}.icd").write_text(f"{library}\n")
        return folder

    def environment(self, **changes):
        # With a sanitizer, a crash is to stay a crash.
        return super().environment(ASAN_OPTIONS="handle_segv=0:handle_abort=0:detect_leaks=0",
                                   POCL_MAX_PTHREAD_COUNT=2, **changes)

    def run_bad(self, mode, *arguments, icd=False, **options):
        """With the bad driver alone, registered or named by --icd."""
        if icd:
            return self.run_gridlock(*arguments, "--icd", LIBRARY, FAKE_ICD=mode, **options)
        return self.run_gridlock(*arguments, FAKE_ICD=mode, OCL_ICD_VENDORS=self.bad, **options)

    def run_mixed(self, mode, *arguments, **options):
        """With the bad driver and PoCL in one folder."""
        return self.run_gridlock(*arguments, FAKE_ICD=mode, OCL_ICD_VENDORS=self.mixed, **options)

    def every_way(self, modes, check):
        """check(mode, result) for each command, with the bad driver registered and named by --icd: all end with 4."""
        for mode in modes:
            for command in COMMANDS:
                for icd in (False, True):
                    with self.subTest(mode=mode, command=command, icd=icd):
                        result = self.run_bad(mode, command, icd=icd, code=EXIT_NO_DEVICE)
                        self.assertEqual(result.out, "")
                        check(mode, result)
        self.assertEqual(self.run_file_paths(), [], "nothing ran, but a run file was left")

    def assert_said_once(self, result, words):
        lines = [line for line in result.err.splitlines() if words in line]
        self.assertEqual(len(lines), 1, str(result))

    # --- alone

    def test_one_that_dies_while_loaded_is_named(self):
        self.every_way(LOADING, lambda mode, result: self.assert_sentence(result.err, LOADING[mode],
                                                                          os.path.basename(LIBRARY)))

    def test_has_no_device(self):
        self.every_way(NO_DEVICE, lambda _, result: self.assert_sentence(result.err, "no OpenCL device"))

    def test_more_devices_than_are_listed(self):
        result = self.run_bad("many", "limits", "-d", "nothing", code=EXIT_NO_DEVICE)
        self.assert_said_once(result, "44 devices of Fake skipped: no more than 256 are listed")
        self.assert_said_once(result, "fake device #10 (Fake) and 246 more")

    def test_dies_when_opened(self):
        for mode, words in OPENING.items():
            with self.subTest(mode=mode):
                result = self.run_bad(mode, "limits", code=EXIT_NO_DEVICE)
                self.assertEqual(result.out, "")
                self.assert_sentence(result.err, "fake device", words)
                self.assert_said_once(result, words)

    def test_dies_when_it_builds(self):
        for mode, words in BUILDING.items():
            with self.subTest(mode=mode):
                result = self.run_bad(mode, "limits", code=EXIT_UNSUPPORTED)
                self.assertEqual(result.out, "")
                self.assert_sentence(result.err, "fake device", words)
                self.assert_said_once(result, "fake device")

    def test_devices_shows_the_failure(self):
        for mode, words in {**OPENING, **BUILDING}.items():
            with self.subTest(mode=mode):
                devices = self.run_bad(mode, "devices", "--format", "json").json()["devices"]
                self.assertEqual([device["name"] for device in devices], ["fake device"])
                self.assertIn(words, devices[0]["probe_failure"])
                text = self.run_bad(mode, "devices").out
                self.assertIn(words, text)
                self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f]", "a control character")
                self.assertNotRegex(text, "[\udc80-\udcff]", "no UTF-8")

    # --- several of one name

    def test_devices_of_one_name_are_told_apart(self):
        labels = ["fake device #2 (pci 0000:8a:00.0)", "fake device #1 (pci 0000:4f:00.0)",
                  "fake device #3 (pci 0000:9c:00.0)"]
        text = self.run_bad("cards", "devices").out
        self.assertEqual(re.findall(r"(?m)^0:\d  (.*)", text), labels)
        devices = self.run_bad("cards", "devices", "--format", "json").json()["devices"]
        self.assertEqual([device["number"] for device in devices], [2, 1, 3])
        err = self.run_bad("cards", "limits", code=EXIT_UNSUPPORTED).err
        self.assertEqual(re.findall(r"(?m)^gridlock: (fake device .*?): no dialect", err), labels)
        for command in COMMANDS:
            err = self.run_bad("cards", command, "-d", "other", code=EXIT_NO_DEVICE).err
            self.assertIn(f"available: {' (Fake), '.join(labels)} (Fake)", err)

    def test_selectors_choose_one_of_several(self):
        for selector in ("fake device#1", "fake device #1", "pci:0000:4f:00.0", "uuid:0a" + 30 * "0", "0:1"):
            with self.subTest(selector=selector):
                device, = self.run_bad("cards", "devices", "-d", selector, "--format", "json").json()["devices"]
                self.assertEqual((device["pci"], device.get("number")), ("0000:4f:00.0", None))

    # --- beside a good driver

    def check_good_is_measured(self, mode):
        result = self.run_mixed(mode, "limits", "-d", "pocl", "--groups", "2,3", "--format", "json", code=EXIT_OK)
        points = result.json()["devices"][0]["limits"][0]["points"]
        self.assertEqual([(point["groups"], point["verdict"]) for point in points], [(2, "pass"), (3, "starved")])

    def test_good_driver_beside_one_that_dies_while_loaded(self):
        for mode in LOADING:
            with self.subTest(mode=mode):
                self.check_good_is_measured(mode)
                report = self.run_mixed(mode, "devices", "--format", "json", code=EXIT_OK).json()
                self.assertEqual([device["platform"] for device in report["devices"]], ["Portable Computing Language"])
                self.assertIn(LOADING[mode], json.dumps(report["drivers_not_loaded"]))

    def test_good_driver_beside_one_without_device(self):
        for mode in NO_DEVICE:
            with self.subTest(mode=mode):
                self.check_good_is_measured(mode)

    def test_good_driver_beside_one_that_dies_later(self):
        """All devices are asked for: the bad one is told of, and the good one is measured."""
        for mode, words in {**OPENING, **BUILDING}.items():
            with self.subTest(mode=mode):
                result = self.run_mixed(mode, "limits", "--groups", "2", "--format", "json", code=EXIT_OK)
                self.assertEqual([device["platform"] for device in result.json()["devices"]],
                                 ["Portable Computing Language"])
                self.assert_sentence(result.err, "fake device", words)

    @unittest.skipIf(gridlock_test.is_sanitized(), "a sanitizer wants to be loaded first")
    def test_functions_that_are_asked_for_by_name(self):
        """watch stands in the table of a driver, and has loaders go by that."""
        plain = subprocess.run([sys.executable, "-c", TABLE], capture_output=True, text=True, check=True,
                               env=self.environment(FAKE_ICD="tagged", OCL_ICD_VENDORS=self.bad)).stdout.split()
        if plain:  # a loader that knows the tag finds no function, and leaves the driver out
            self.assertEqual(plain.count(TAG), 2)
        words = self.run_bad("tagged", "watch", sys.executable, "-c", TABLE).out.split()
        self.assertEqual((len(words), words.count(TAG)), (64, 0))

    # --- hanging

    def test_never_loaded(self):
        """The budget for loading ends it."""
        result = self.run_bad("load-sleep", "limits", code=EXIT_NO_DEVICE)
        self.assertEqual(result.out, "")
        self.assert_sentence(result.err, "loading drivers", "killed")

    def check_interrupted(self, mode, command, ready):
        process = self.start(command, FAKE_ICD=mode, OCL_ICD_VENDORS=self.bad)
        self.wait_until(lambda: ready() or process.poll() is not None, "a worker that hangs")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, 130, str(result))
        self.assert_nothing_left()
        self.assertNotIn("overran", result.err + result.out, "the user ended it, not the watchdog")

    def worker_pauses(self):
        """The worker has the bad driver loaded and sleeps."""
        for worker in self.workers():
            try:
                maps = pathlib.Path(f"/proc/{worker}/maps").read_text()
                state = pathlib.Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if LIBRARY in maps and state == "S":
                return True
        return False

    def test_sigint_while_it_hangs(self):
        for mode in ("load-sleep", "build-sleep"):
            for command in COMMANDS:
                with self.subTest(mode=mode, command=command):
                    self.check_interrupted(mode, command, self.worker_pauses)


if __name__ == "__main__":
    gridlock_test.main()
