"""gridlock watch --capture, and gridlock replay: programs, whose launches end or hang again as they did."""
import array
import functools
import json
import os
import pathlib
import shutil
import subprocess
import unittest

import gridlock_test
from gridlock_test import EXIT_USAGE, needs_driver

EXIT_SURPRISE, EXIT_ENDED = 1, 143
SOURCE = pathlib.Path(__file__).parent / "captured.c"
NAMES = ["fills", "scales", "meets", "passes", "stays", "climbs", "keeps_lock", "tiles", "takes", "flat"]
OBJECTS = ["looks", "turns", "shares"]
UNIFIED = "unites"
LACKING = {"borrows": ["other"]}
DIFFERING = ["twice", "parts", "leads"]
GROUPS = 4
LOCAL = "4"


def hangs(name, places):
    return name in ("stays", "keeps_lock") or (name == "meets" and places < GROUPS)


@needs_driver("pocl")
@unittest.skipUnless(shutil.which("cc"), "no compiler")
class Case(gridlock_test.Case):
    @staticmethod
    @functools.cache
    def program():
        path = gridlock_test.kept_folder() / "captured"
        subprocess.run(["cc", "-g", str(SOURCE), "-o", str(path), "-lOpenCL"], check=True)
        return str(path)

    @staticmethod
    def number(name):
        return str([*NAMES, *OBJECTS, UNIFIED, *LACKING, *DIFFERING].index(name))

    def capture(self, name, *more, threads=GROUPS, groups=GROUPS, kernel=True):
        """Runs the program; one that is proved to hang is ended. Returns the folder."""
        of_kernel = ("--capture-kernel", name) if kernel else ()
        result = self.run_gridlock("watch", "--deadline", "0.2", "--on-stall", "end", "--capture", "kept",
                                   *of_kernel, "--", self.program(), self.number(name), str(groups), *more,
                                   code=None, POCL_MAX_PTHREAD_COUNT=threads)
        self.assertEqual(result.code, EXIT_ENDED if hangs(name, threads) else 0, str(result))
        self.assertEqual(result.out, "" if hangs(name, threads) else "ended\n")
        return self.folder / "kept" / name

    def replayed(self, folder, device, code=None, command="replay", **variables):
        result = self.run_gridlock(command, str(folder), "-d", device, "-q", "--format", "json", "--deadline", "600",
                                   code=code, **variables)
        points = [point for scenario in result.json()["devices"][0]["scenarios"] for point in scenario["points"]]
        self.assertEqual(len(points), 1)
        return points[0]


class Ten(Case):
    def test_what_hung_hangs_and_what_ended_ends(self):
        for name in NAMES:
            folder = self.capture(name)
            for places in (1, 2, 4):
                expected = "deadlock" if hangs(name, places) else "pass"
                with self.subTest(name, places=places):
                    on_pocl = self.replayed(folder, "pocl", POCL_MAX_PTHREAD_COUNT=places)
                    on_model = self.replayed(folder, f"model:hsa_obe:{places}")
                    self.assertEqual((on_pocl["verdict"], on_model["verdict"]), (expected, expected))
                    self.assertEqual(on_pocl["groups"], 12 if name == "flat" else GROUPS)

    def test_limits_and_proofs_are_those_of_the_source(self):
        def same(command, folder, *arguments):
            both = []
            for given in ((str(folder),), (str(folder / "source.cl"), "--kernel", folder.name,
                                           "--build-options=-DBASE=5", "--local-size", LOCAL, *arguments)):
                option = ("--source",) if command == "limits" else ()
                device = ("-d", "pocl") if command == "limits" else ()
                found = self.run_gridlock(command, *option, *given, *device, "-q", "--format", "json", code=None,
                                          POCL_MAX_PTHREAD_COUNT=2).json()["devices"][0]
                both.append([(row["resident"] if command == "limits" else (row["needs"], row["verdict"], row["races"]))
                             for row in found["limits" if command == "limits" else "launches"]][0])
            self.assertEqual(*both)

        for name in ("meets", "tiles", "keeps_lock"):
            folder = self.capture(name, groups=2, kernel=False)
            given = {"meets": ("--arg", "1=2"), "tiles": ("--arg", "1=local:16", "--arg", "2=9"),
                     "keeps_lock": ("--arg", "1=0")}[name]
            same("prove", folder, "--groups", "2", "--arg", "0=buffer:1024", *given)
            same("limits", folder, *(("--arg", "1=local:16") if name == "tiles" else ()))

    def test_groups_in_two_dimensions_are_proved_so(self):
        def ranges(folder, *options):
            return [(launch["groups"], launch["range"], launch["verdict"]) for launch in self.run_gridlock(
                "prove", str(folder), "-q", "--format", "json", *options).json()["devices"][0]["launches"]]

        def grid(shape, *offset):
            counts = [int(count) for count in shape.split("x")]
            return {"groups": shape, "global": [counts[0] * int(LOCAL), *counts[1:]], "offset": list(offset)}

        folder = self.capture("flat", groups=1)
        self.assertEqual(ranges(folder), [(3, grid("1x3", 0, 0), "proved")])
        self.assertEqual(ranges(folder, "--groups", "1,1x2"), [(1, None, "proved"), (2, grid("1x2", 0, 0), "proved")])
        file = folder / "launch.json"
        launch = json.loads(file.read_text())
        launch["offset"][:2] = [4, 1]
        file.write_text(json.dumps(launch))
        self.assertEqual(ranges(folder), [(3, grid("1x3", 4, 1), "proved")])

    def test_a_proof_is_repeated_with_all_that_was_captured(self):
        """With its arguments, and from where it begins."""
        file = self.capture("meets", groups=2, kernel=False) / "launch.json"
        launch = json.loads(file.read_text())
        launch["offset"][0] = 4
        file.write_text(json.dumps(launch))
        self.run_gridlock("prove", str(file.parent), "-q", "--exit-zero", "-o", "proof.gridlock")
        repeat = self.run_gridlock("explain", "proof.gridlock", code=None).out.split("Repeat it")[1].split()
        self.assertEqual(repeat[:3], ["gridlock", "prove", str(file.parent)])
        told = self.run_gridlock(*repeat[1:], "-q", "--exit-zero").out
        self.assertIn("2 groups of 4 from (4, 0, 0)", told)
        self.assertNotIn("Made up", told)

class Programs(Case):
    def check_program(self, folder):
        self.run_gridlock("replay", str(folder), "--reproducer", str(folder))
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations", "replay.c", "-o", "replay",
                        "-lOpenCL"], cwd=folder, check=True)
        ended = subprocess.run(["./replay", ".", "Portable"], cwd=folder, env=self.environment(), check=True,
                               capture_output=True, text=True)
        self.assertEqual(ended.stdout, "it ended\n")
        result = self.run_gridlock("replay", str(folder), "--reproducer", str(folder), code=EXIT_USAGE)
        self.assertIn("replay.c: File exists", result.err)

    def test_a_program_repeats_it(self):
        for name in ("passes", "looks", "turns", "shares"):
            with self.subTest(name):
                self.check_program(self.capture(name))


class Kept(Case):
    def test_what_a_folder_has(self):
        folder = self.capture("scales")
        launch = json.loads((folder / "launch.json").read_text())
        self.assertEqual(launch, {"schema_version": "1", "kernel": "scales", "dimensions": 1, "offset": [0],
                                  "global": [16], "local": [4], "arguments": [
                                      {"kind": "buffer", "bytes": 1024, "contents": True},
                                      {"kind": "value", "bytes": 16, "contents": False}]})
        self.assertEqual((folder / "options").read_text(), "-DBASE=5")
        self.assertIn("kernel void scales", (folder / "source.cl").read_text())
        self.assertEqual((folder / "arg-0.bin").read_bytes()[:4], (7).to_bytes(4, "little"))
        self.assertEqual(len((folder / "arg-1.bin").read_bytes()), 16)

    def test_options_of_the_driver_are_not_the_programs(self):
        """PoCL adds its own to those that it tells."""
        self.run_gridlock("watch", "--capture", "kept", "--", self.program(), "0", POCL_EXTRA_BUILD_FLAGS="-g")
        self.assertEqual((self.folder / "kept" / "fills" / "options").read_text(), "-DBASE=5")

    def test_a_queue_out_of_order(self):
        folder = self.capture("passes", "any")
        self.assertEqual((folder / "arg-0.bin").read_bytes()[:4], (7).to_bytes(4, "little"))

    def test_without_contents_buffers_are_zero(self):
        folder = self.capture("passes", kernel=False)
        self.assertFalse((folder / "arg-0.bin").exists())
        self.assertEqual(self.replayed(folder, "model:obe:4")["verdict"], "deadlock")

    def test_images_samplers_and_shared_memory(self):
        pixels = array.array("f", [0] * 32)
        pixels[4 * 7] = 5
        folder = self.capture("looks")
        launch = json.loads((folder / "launch.json").read_text())
        self.assertEqual(launch["arguments"][1:], [
            {"kind": "image", "bytes": 128, "contents": True, "shape": [0x10F1, 0x10B5, 0x10DE, 4, 2, 0, 0]},
            {"kind": "sampler", "bytes": 0, "contents": False, "shape": [0, 0x1131, 0x1140]}])
        self.assertEqual((folder / "arg-1.bin").read_bytes(), pixels.tobytes())
        folder = self.capture("shares")
        self.assertEqual((folder / "arg-1.bin").read_bytes(), bytes([0, 0, 0, 0, 5] + [0] * 51))

    def test_what_images_and_shared_memory_held(self):
        """None of them is made up, but they are zeros without it."""
        for name in OBJECTS:
            for kernel, verdict, proof in ((True, "pass", "proved"), (False, "deadlock", "wrong")):
                with self.subTest(name, kernel=kernel):
                    folder = self.capture(name, groups=1, kernel=kernel).rename(self.folder / f"{name}-{kernel}")
                    for device in ("pocl", "model:obe:1"):
                        self.assertEqual(self.replayed(folder, device)["verdict"], verdict)
                    proved = self.run_gridlock("prove", str(folder), "-q", "--format", "json", code=None).json()
                    self.assertEqual(proved["devices"][0]["launches"][0]["verdict"], proof)

    def check_unified(self, driver, library, **variables):
        """Memory that an extension function has made is kept as shared virtual memory is: of its argument, the end."""
        vendors = self.folder / "vendors"
        vendors.mkdir(exist_ok=True)
        (vendors / "one.icd").write_text(f"{library}\n")
        for door in ("driver", "layer"):
            with self.subTest(driver, door=door):
                shutil.rmtree(self.folder / "kept", ignore_errors=True)
                result = self.run_gridlock("watch", "--door", door, "--deadline", "100", "--marks", "--summary",
                                           "--capture", "kept", "--capture-kernel", UNIFIED, "--", self.program(),
                                           self.number(UNIFIED), "1", code=None, OCL_ICD_VENDORS=str(vendors),
                                           CAPTURED_DRIVER=driver, **variables)
                if result.code == 77:
                    self.skipTest("its driver has no unified shared memory")
                self.assertEqual((result.code, result.out), (0, "ended\n"), str(result))
                self.assertNotIn("passes the door", result.err)
                self.assertIn("was marked in 1 launch\n", result.err)
                folder = self.folder / "kept" / UNIFIED
                launch = json.loads((folder / "launch.json").read_text())
                self.assertEqual(launch["arguments"][1], {"kind": "svm", "bytes": 56, "contents": True})
                self.assertEqual((folder / "arg-1.bin").read_bytes(), bytes([0, 0, 0, 0, 5] + [0] * 51))
                self.assertEqual(self.replayed(folder, "pocl")["verdict"], "pass")

    def test_unified_shared_memory(self):
        shim = self.folder / "libunified.so"
        subprocess.run(["cc", "-shared", "-fPIC", str(SOURCE.with_name("unified_icd.c")), "-o", str(shim), "-ldl"],
                       check=True)
        self.check_unified("Portable", shim, UNIFIED_POCL=gridlock_test.registered_library("pocl"))

    def test_unified_shared_memory_of_a_driver(self):
        """Of Intel's, where it is registered, or GRIDLOCK_INTEL_DRIVER names its library."""
        libraries = [gridlock_test.registered_library(path.stem) for path in gridlock_test.VENDORS.glob("*.icd")]
        library = os.environ.get("GRIDLOCK_INTEL_DRIVER",
                                 next((each for each in libraries if each and "libintelocl" in each), None))
        if library is None:
            self.skipTest("no driver of Intel's for CPUs")
        self.check_unified("Intel", library)

    def test_a_launch_of_the_same_size_is_kept_once(self):
        self.capture("fills")
        self.capture("fills")
        self.assertEqual(sorted(path.name for path in (self.folder / "kept").iterdir()), ["fills", "fills-2"])

    def test_what_is_not_kept_is_named(self):
        """Memory of which nobody knows how large it is becomes no value."""
        for name, kinds in LACKING.items():
            with self.subTest(name):
                folder = self.capture(name, kernel=False)
                launch = json.loads((folder / "launch.json").read_text())
                self.assertEqual([argument["kind"] for argument in launch["arguments"]], ["buffer", *kinds])
                self.assertEqual(sorted(path.name for path in folder.iterdir()),
                                 ["launch.json", "options", "source.cl"])
                result = self.run_gridlock("replay", str(folder), "-d", "pocl", "-q")
                named = ", ".join(f"{index} ({kind})" for index, kind in enumerate(kinds, 1))
                self.assertEqual(result.err,
                                 f"gridlock: {name} lacks what it was given as argument {named}: that is made up\n")
                refused = self.run_gridlock("replay", str(folder), "--reproducer", str(folder), code=EXIT_USAGE)
                self.assertIn("not kept", refused.err)

    def test_what_is_not_as_it_was_is_said(self):
        shares = "arguments 0 and 1 shared memory, and each has its own now"
        reaches = "it could reach memory that was no argument of it, and is not kept"
        leads = "argument 1 has addresses of the program's memory, which lead nowhere now"
        for name, kernel, says in (("twice", False, shares), ("parts", True, shares), ("leads", False, reaches),
                                   ("leads", True, f"{reaches}; {leads}")):
            with self.subTest(name, kernel=kernel):
                folder = self.capture(name, kernel=kernel).rename(self.folder / f"{name}-{kernel}")
                for words in (["replay", str(folder), "-d", "model:obe:4"], ["prove", str(folder)]):
                    result = self.run_gridlock(*words, "-q", code=None)
                    self.assertEqual(result.err.splitlines()[0], f"gridlock: {name} is not as it was: {says}")
                refused = self.run_gridlock("replay", str(folder), "--reproducer", str(folder), code=EXIT_USAGE)
                self.assertIn(f"--reproducer: {says}", refused.err)
        for name in ("fills", "shares", "looks"):
            folder = self.capture(name)
            self.assertNotIn("not as it was", self.run_gridlock("replay", str(folder), "-d", "pocl", "-q").err)

    def test_the_end_says_how_many_lack_something(self):
        lacks = "kept 1 launch, of which 1 lacks something that cannot be kept"
        for name, says in (("borrows", lacks), ("twice", lacks), ("leads", lacks), ("fills", ""), ("shares", "")):
            result = self.run_gridlock("watch", "--capture", "kept", "--", self.program(),
                                       self.number(name), POCL_MAX_PTHREAD_COUNT=2)
            self.assertIn(says, result.err)
            self.assertEqual(result.err == "", says == "", result.err)

    def test_a_program_that_was_linked(self):
        """Of one it is repeated as that; of two nobody knows the source."""
        result = self.run_gridlock("watch", "--capture", "kept", "--capture-kernel", "fills", "--", self.program(), "0",
                                   CAPTURED_LINKED=1)
        self.assertEqual((result.out, result.err), ("ended\n", ""))
        self.assertEqual(self.replayed(self.folder / "kept" / "fills", "model:obe:2")["verdict"], "pass")
        result = self.run_gridlock("watch", "--capture", "kept", "--", self.program(), "0", CAPTURED_LINKED=2)
        self.assertEqual(result.out, "ended\n")
        self.assertIn("kept 0 launches, and left out 1: of 1 the program was linked of several, or", result.err)

    def test_the_program_goes_on_if_nothing_can_be_written(self):
        result = self.run_gridlock("watch", "--capture", "kept", "--", "sh", "-c",
                                   f"rmdir kept; exec {self.program()} 0", POCL_MAX_PTHREAD_COUNT=2)
        self.assertIn("kept 0 launches, and left out 1: 1 could not be written", result.err)
        self.assertEqual(result.out, "ended\n")

    def test_wrong_input(self):
        (self.folder / "file").write_text("")
        (self.folder / "empty").mkdir()
        folder = self.capture("fills")

        def refused(words, *arguments):
            result = self.run_gridlock(*arguments, code=EXIT_USAGE)
            self.assertIn(words, result.err)
            self.assertEqual(result.err.count("\n"), 1)

        model = ("-d", "model:obe:2", "-q")
        refused("--capture file: no folder that can be written", "watch", "--capture", "file", "true")
        refused("--capture no/such: no folder", "watch", "--capture", "no/such", "true")
        refused("--capture-kernel is for --capture", "watch", "--capture-kernel", "k", "true")
        refused("expected the folder of a captured launch", "replay", *model)
        refused("nosuch is no folder", "replay", "nosuch", *model)
        refused("file is no folder", "replay", "file", *model)
        for command in (("replay",), ("try",), ("prove",), ("limits", "--source")):
            device = () if command == ("prove",) else model
            refused("empty is no captured launch: it has no launch.json", *command, "empty", *device)
        for name in ("launch.json", "arg-0.bin", "arg-1.bin", "options", "source.cl"):
            broken = self.folder / "broken"
            shutil.rmtree(broken, ignore_errors=True)
            shutil.copytree(folder, broken)
            whole = (broken / name).read_bytes()
            (broken / name).unlink()
            refused(name, "replay", "broken", *model)
            if name in ("launch.json", "arg-0.bin", "arg-1.bin"):
                (broken / name).write_bytes(whole[:len(whole) // 2])
                refused(name, "replay", "broken", *model)


if __name__ == "__main__":
    gridlock_test.main()
