"""gridlock emit: two files that work without gridlock. What each function needs is proved, and holds on a device."""
import pathlib
import re
import shutil
import struct
import subprocess
import unittest

import gridlock_test
import prove_case
from gridlock_test import EXIT_NO_DEVICE, EXIT_USAGE

SOURCE = gridlock_test.ROOT / "src" / "emit"
EXAMPLE = gridlock_test.ROOT / "examples" / "relax"
TESTS = gridlock_test.ROOT / "tests" / "emit"
PRIMITIVES = TESTS / "primitives.cl"
OPENCL_HPP = pathlib.Path("/usr/include/CL/opencl.hpp")
FILES = ["gridlock.clh", "gridlock_launch.h"]
OPTIONS = "-DGL_UNBOUNDED -DPATIENCE=0"

# What each kernel of primitives.cl needs, with three groups; of the queue with two.
NEEDS = {"bar": "FAIR", "levels": "FAIR", "ticket": "OBE", "mcs": "OBE", "chain": "HSA", "once": "OBE", "scan": "OBE",
         "queue_all": "OBE"}

# A queue of 8 places that the host has put the value 0 in.
QUEUE = [0] * 32 + [1] + [0] * 31 + [1] + [0] * 31 + [1, 0] + [0] * 14

# What goes wrong without a part of gridlock.clh: the kernel that shows it, what stands there, and what instead.
MUTANTS = {
    "nobody waits": ("bar", "if ((int)(gl_poll(word) - value) >= 0)", "if (true)"),
    "what was waited for is not acquired": ("chain", "{\n                gl_acquire();", "{"),
    "what is signalled is not released": ("chain", "        gl_tell(flag, value);", "        gl_write(flag, value);"),
    "who arrives does not release": ("bar", "memory_order_release, memory_scope_device)\n#define gl_fence",
                                     "memory_order_relaxed, memory_scope_device)\n#define gl_fence"),
    "the same round again": ("bar", "!gl_wait(grid, word, goal)", "!gl_wait(grid, word, grid->groups)"),
    "nobody arrives": ("bar", "gl_arrive(word) >=", "gl_read(word) >="),
    "nobody arrives at several words": ("levels", "gl_arrive(words + grid->mine", "gl_read(words + grid->mine"),
    "one group fewer is waited for": ("bar", "grid->groups * (grid->round + 1)",
                                      "(grid->groups - 1) * (grid->round + 1)"),
    "one group fewer arrives at several words": ("levels", "((grid->groups - i + places - 1) >> grid->shift)",
                                                 "((grid->groups - 1 - i + places - 1) >> grid->shift)"),
    "nobody tells": ("levels", "gl_tell(words + GRIDLOCK_LINE + grid->mine * GRIDLOCK_APART, grid->round);", ";"),
    "who is told does not wait": ("levels", "} else if (grid->leads && !gl_wait", "} else if (false && !gl_wait"),
    "the lock is given back to nobody": ("ticket", "gl_add_behind(grid, (lock) + GRIDLOCK_LINE, 1)", "(void)(lock)"),
    "two take the same ticket": ("ticket", "const uint ticket = gl_add(lock, 1);",
                                 "const uint ticket = gl_read(lock);\n        gl_write(lock, ticket + 1);"),
    "who asks does not say so": ("mcs", "gl_exchange(lock + before * GRIDLOCK_LINE, grid->group + 1);", ""),
    "who asked is not waited for": ("mcs", "done = gl_reach(grid, mine, 1,", "done = 1; (void)(0,"),
    "two do it once": ("once", "gl_swap(once, 0, 1) == 0", "gl_read(once) == 0"),
    "a sum that came meanwhile is not acquired": ("scan", "gl_acquire();\n    if (now", "if (now"),
    "a sum is said to be there before it is": ("scan", "gl_tell(state, now)", "gl_write(state, now)"),
    "a scan's sums are added in another order": ("scan", "GL_SCAN_PLUS(scan->seen[k].sum, scan->before)",
                                                 "GL_SCAN_PLUS(scan->before, scan->seen[k].sum)"),
    "a value is there before it is": ("queue_all", "place[1] = value;\n            gl_tell(place, 1);",
                                      "place[1] = value;\n            gl_write(place, 1);"),
    "what is not done is not counted": ("queue_all", "gl_add(queue + GRIDLOCK_OPEN, 1);", ";"),
}


# Kernels of mistakes.cl with two groups, the first word of their buffer, how the launch ends, and what is said.
OK, TOO_MANY_GROUPS, GAVE_UP, BAD_SIZES, CL_FAILED = range(5)
MISTAKES = (
    ("right", 2, 0, OK, ""),
    ("right", 0, 0, BAD_SIZES, "expected 1 to 3 dimensions, a global size that is a multiple of the local size"),
    ("right", 2, 9, GAVE_UP, "group . found words that were not zero when the launch began"),
    ("waits_for_the_mistaken", 2, 9, GAVE_UP, "group 0 found words that were not zero when the launch began$"),
    ("scans", 2, 0, OK, ""),
    ("scans", 2, 9, GAVE_UP, "group . found words that were not zero when the launch began"),
    ("returns_early", 2, 0, GAVE_UP,
     "1 of 2 groups waited at a barrier; 1 had started and did not come to it, as group 0$"),
    ("keeps_the_lock", 2, 0, GAVE_UP, "group . waited for a lock that group . held$"),
    ("waits_for_itself", 2, 0, GAVE_UP, "group 0 waited for group 0"),
)

# The same of launches whose groups are counted, by a queue of these properties.
OUT_OF_ORDER = 1
COUNTED = (
    ("right", 0, OK, ""),
    ("right", OUT_OF_ORDER, CL_FAILED, "counting the groups that fit failed .* -35: the queue is out of order$"),
    ("does_not_begin", 0, TOO_MANY_GROUPS, "no group counted itself: the kernel does not begin with GL_BEGIN"),
    ("has_another_argument", 0, CL_FAILED, ".* -52: an argument was not set$"),
    ("has_no_words", 0, CL_FAILED, ".* -51: the first arguments are not as gl_launch_cooperative sets them$"),
    ("is_of_8", 0, CL_FAILED, ".* -54: the kernel or the device does not take this local size$"),
)


class Emitted(prove_case.Case):
    def emit(self, folder, *options):
        self.run_gridlock("emit", "-o", folder, *options)
        return self.folder / folder


class Written(Emitted):
    def test_both_files(self):
        folder = self.emit("out")
        self.assertEqual(sorted(path.name for path in folder.iterdir()), FILES)
        for name in FILES:
            self.assertEqual((folder / name).read_text(), (SOURCE / name).read_text())

    def test_a_dialect(self):
        text = (self.emit("out", "--kernel-style", "cl12") / FILES[0]).read_text()
        self.assertEqual(text.replace("#define GL_DIALECT_CL12\n", "", 1), (SOURCE / FILES[0]).read_text())

    def test_the_dialect_of_a_device(self):
        result = self.run_gridlock("emit", "-o", "out", "-d", "model:obe:4")
        self.assertTrue(result.out.startswith("dialect cl30, for model:obe:4\n"))
        text = (self.folder / "out" / FILES[0]).read_text()
        self.assertEqual(text.replace("#define GL_DIALECT_CL30\n", "", 1), (SOURCE / FILES[0]).read_text())

    def test_no_dialect_of_a_device(self):
        for code, words, *options in (
                (EXIT_USAGE, "for one device", "-d", "model:obe:4", "-d", "model:obe:8"),
                (EXIT_USAGE, "not both", "-d", "model:obe:4", "--kernel-style", "cl12"),
                (EXIT_NO_DEVICE, "no device matches", "-d", "no such device")):
            with self.subTest(words):
                self.assert_sentence(self.run_gridlock("emit", "-o", "out", *options, code=code).err, words)
                self.assertFalse((self.folder / "out").exists())

    def test_refused(self):
        self.assert_sentence(self.run_gridlock("emit", code=EXIT_USAGE).err, "expected -o DIR")
        result = self.run_gridlock("emit", "-o", "out", "--kernel-style", "metal", code=EXIT_USAGE)
        self.assert_sentence(result.err, "auto, cl30, cl12 or ptx")
        self.assertFalse((self.folder / "out").exists())
        self.assert_sentence(self.run_gridlock("emit", "-o", "no/such", code=EXIT_USAGE).err, "no/such")

    def test_no_file_is_replaced(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / FILES[1]).write_text("mine")
        self.assert_sentence(self.run_gridlock("emit", "-o", "out", code=EXIT_USAGE).err, FILES[1], "File exists")
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], [FILES[1]])
        self.assertEqual((self.folder / "out" / FILES[1]).read_text(), "mine")

    def test_the_host_compiles_it_without_a_warning(self):
        folder = self.emit("out")
        (self.folder / "it.c").write_text('#include "gridlock_launch.h"\nint main(void) { return 0; }\n')
        warnings = ["-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", f"-I{folder}"]
        for compiler in (["gcc", "-std=c99"], ["g++", "-xc++", "-std=c++11"], ["clang", "-std=c99"],
                         ["clang", "-xc++", "-std=c++11"]):
            with self.subTest(compiler):
                subprocess.run([*compiler, *warnings, "-fsyntax-only", "it.c"], cwd=self.folder, check=True)

    def test_kernels_compile_in_each_dialect(self):
        folder = self.emit("out")
        for standard, dialect in (("CL1.2", "CL12"), ("CL2.0", "CL30"), ("CL3.0", "CL12"), ("CL2.0", "CL12")):
            with self.subTest(standard=standard, dialect=dialect):
                subprocess.run(["clang", "-xcl", f"-cl-std={standard}", "-Xclang", "-finclude-default-header", "-Wall",
                                "-Wextra", "-Werror", "-Wno-unused-function", f"-DGL_DIALECT_{dialect}", "-DPATIENCE=9",
                                f"-I{folder}", "-fsyntax-only", PRIMITIVES], check=True)

    def test_a_dialect_that_cannot_be(self):
        folder = self.emit("out")
        for dialect, words in (("CL30", "needs OpenCL C 2.0 or later"), ("PTX", "NVIDIA's compiler alone")):
            result = subprocess.run(["clang", "-xcl", "-cl-std=CL1.2", f"-DGL_DIALECT_{dialect}", f"-I{folder}",
                                     "-fsyntax-only", PRIMITIVES], capture_output=True, text=True, check=False)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(words, result.stderr)


class Drivers(Emitted):
    """Every driver that is installed compiles it, as tests/drivers has those of other releases do it."""

    def compile(self, change=lambda text: text):
        """(driver, exit status, text) of each."""
        folder = self.emit("drivers")
        (folder / FILES[0]).write_text(change((folder / FILES[0]).read_text()))
        for path in TESTS.glob("*.cl"):
            shutil.copy(path, folder)
        subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{folder}", TESTS / "compiles.c", "-o",
                        folder / "compiles", "-lOpenCL"], check=True)
        drivers = sorted(path.name for path in pathlib.Path(gridlock_test.VENDORS).glob("*.icd"))
        drivers += [path for path in [gridlock_test.OCLGRIND] if pathlib.Path(path).exists()]
        for driver in drivers:
            environment = self.environment(OCL_ICD_VENDORS=driver, OCL_ICD_FILENAMES="", RUSTICL_ENABLE="llvmpipe")
            done = subprocess.run([folder / "compiles", folder], env=environment, capture_output=True, text=True,
                                  check=False)
            if not done.stdout.startswith("0 devices"):
                yield driver, done.returncode, done.stdout

    def test_without_a_warning(self):
        for driver, code, text in self.compile():
            with self.subTest(driver):
                self.assertEqual(code, 0, text)
                self.assertRegex(text, r"OpenCL C 1.2, cl12: builds without a warning")

    def test_a_warning_is_seen(self):
        warns = '\n#if defined(GL_BOUNDED)\n#warning "seen"\n#endif\n'
        for driver, code, text in self.compile(lambda text: text + warns):
            with self.subTest(driver):
                self.assertEqual(code, 1, text)
                self.assertNotIn("builds without a warning", text)


class Proved(Emitted):
    """No race, no other result, and the promise that is stated beside the function."""

    def launches(self, kernel, text=None, groups="3", items="1", options=OPTIONS, words=None):
        folder = self.folder / "proved"
        shutil.rmtree(folder, ignore_errors=True)
        self.emit("proved")
        shutil.copy(PRIMITIVES, folder)
        if text is not None:
            (folder / FILES[0]).write_text(text)
        (folder / "queue").write_bytes(struct.pack(f"{len(QUEUE)}I", *QUEUE))
        given = [f"--arg=queue=buffer:{4 * len(QUEUE)}=file:{folder / 'queue'}"] if kernel == "queue_all" else []
        if words is not None:
            (folder / "words").write_bytes(struct.pack(f"{len(words)}I", *words))
            given.append(f"--arg=gl_words=buffer:{4 * len(words)}=file:{folder / 'words'}")
        return self.prove(folder / PRIMITIVES.name, "--kernel", kernel, "--groups", groups, "--local-size", items,
                          *given, build=f"{prove_case.STANDARD} {options}", code=None)

    def assert_needs(self, launch, need):
        self.assertEqual((launch["verdict"], launch["explored"], launch["races"], launch["fault"]),
                         ("proved", "all", 0, None))
        self.assertEqual(prove_case.needs_of(launch)[0], need)

    def test_what_each_needs(self):
        for kernel, need in NEEDS.items():
            for items in ("1", "2"):
                with self.subTest(kernel, items=items):
                    groups = "2" if kernel == "queue_all" else "3"
                    launch, = self.launches(kernel, groups=groups, items=items)
                    self.assert_needs(launch, need)

    def test_a_barrier_of_several_words(self):
        """As it is with more than 300 groups, and in two levels with more tellers than one."""
        text = (SOURCE / FILES[0]).read_text()
        there = "#define GRIDLOCK_FEW 300 "
        self.assertEqual(text.count(there), 1)
        text = text.replace(there, "#define GRIDLOCK_FEW 1 ")
        for kernel, groups in (("bar", "2"), ("bar", "3"), ("levels", "3")):
            with self.subTest(kernel, groups=groups):
                launch, = self.launches(kernel, text, groups=groups, items="2")
                self.assert_needs(launch, "FAIR")

    def test_a_scan_with_a_patience_needs_nothing(self):
        launch, = self.launches("scan", options="-DGL_UNBOUNDED -DPATIENCE=2")
        self.assert_needs(launch, "any")

    def test_with_a_bound_each_ends(self):
        words = [0, 1] + [0] * 190
        for kernel in ("bar", "ticket", "chain"):
            with self.subTest(kernel):
                launch, = self.launches(kernel, options="-DPATIENCE=0", groups="2", words=words)
                self.assert_needs(launch, "any")

    def test_a_count_ends_without_a_bound(self):
        """Two groups are counted, and one that waits in vain for a third: both end, whatever the order."""
        for most in (2, 3):
            with self.subTest(most=most):
                launch, = self.launches("bar", groups="2", words=[0, 0, most, 1] + [0] * 188)
                self.assert_needs(launch, "any")

    def test_work_items_that_skip_the_barrier(self):
        folder = self.emit("skipped")
        shutil.copy(TESTS / "skips.cl", folder)
        launch, = self.prove(folder / "skips.cl", "--groups", "2", "--local-size", "2",
                             build=f"{prove_case.STANDARD} {OPTIONS}", code=None)
        self.assertIn("waits at a barrier that others of its group never reach: they have ended", str(launch["fault"]))

    def test_mutants_are_refuted(self):
        text = (SOURCE / FILES[0]).read_text()
        for name, (kernel, there, instead) in MUTANTS.items():
            with self.subTest(name):
                self.assertEqual(text.count(there), 1)
                groups = "2" if kernel == "queue_all" else "3"
                launch, = self.launches(kernel, text.replace(there, instead), groups=groups)
                self.assertTrue(launch["races"] > 0 or launch["verdict"] in ("wrong", "fault") or launch["ends"] != 1,
                                launch)


@gridlock_test.needs_driver("pocl")
class Launched(Emitted):
    """On PoCL."""

    def build(self, source, name):
        folder = self.emit("built")
        for path in source.iterdir():
            shutil.copy(path, folder)
        subprocess.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", f"{name}.c", "-o", name, "-lOpenCL"],
                       cwd=folder, check=True)
        return folder

    def run_built(self, folder, threads, *command):
        environment = self.environment(POCL_MAX_PTHREAD_COUNT=threads, POCL_CPU_MAX_CU_COUNT=threads,
                                       OCL_ICD_VENDORS="pocl.icd")
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    def relax(self, folder, threads, *arguments):
        return self.run_built(folder, threads, "./relax", *arguments)

    def test_as_many_as_fit_and_one_more(self):
        folder = self.build(EXAMPLE, "relax")
        for threads in (1, 2, 3):
            with self.subTest(threads=threads):
                result = self.relax(folder, threads)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertEqual(result.stdout, f"{threads} groups of 64 work-items fit at once\n"
                                 f"{threads} groups, 1000 steps: right\n")
                result = self.relax(folder, threads, str(threads + 1))
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stderr,
                                 f"relax: {threads + 1} groups were to be launched, and {threads} fit on the device at "
                                 "once: launch at most so many, and let each do more\n")
                result = self.relax(folder, threads, str(threads + 1), "phases")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertTrue(result.stdout.endswith(f"{threads + 1} groups, 1000 steps: right\n"))

    def test_who_was_missing_is_told(self):
        result = self.relax(self.build(EXAMPLE, "relax"), 2, "5", "force")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^relax: 2 of 5 groups waited at a barrier; 3 had not started, as group \d: "
                         "more groups than fit at once\n$")

    def test_the_same_in_cpp(self):
        if not OPENCL_HPP.exists():
            self.skipTest(f"no {OPENCL_HPP} (Debian: opencl-clhpp-headers)")
        folder = self.emit("built")
        for path in EXAMPLE.iterdir():
            shutil.copy(path, folder)
        for compiler in ("g++", "clang++"):
            if shutil.which(compiler):
                subprocess.run([compiler, "-std=c++11", "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror",
                                "relax.cpp",
                                "-o", "relax", "-lOpenCL"], cwd=folder, check=True)
        result = self.relax(folder, 2)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "2 groups of 64 work-items fit at once\n"
                         "2 groups, 1000 steps: cell 1 has 0.974775\n")
        self.assertIn("3 groups were to be launched, and 2 fit", self.relax(folder, 2, "3").stderr)

    def test_places_where_functions_are_right(self):
        """Some drivers lose barriers of a group that stand elsewhere."""
        folder = self.build(TESTS, "launch")
        for kernel in ("takes", "scans", "meets", "does_once"):
            with self.subTest(kernel):
                result = self.run_built(folder, 2, "./launch", "shapes.cl", kernel, "1", "0")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertEqual(result.stdout, f"{OK} \n3 10\n")

    def test_mistakes_are_told(self):
        folder = self.build(TESTS, "launch")
        for kernel, groups, first, status, words in MISTAKES:
            with self.subTest(kernel, first=first):
                result = self.run_built(folder, 2, "./launch", "mistakes.cl", kernel, str(groups), str(first))
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertRegex(result.stdout, f"(?m)^{status} {words}")

    def test_mistakes_are_told_when_groups_are_counted(self):
        folder = self.build(TESTS, "launch")
        for kernel, properties, status, words in COUNTED:
            with self.subTest(kernel, properties=properties):
                result = self.run_built(folder, 2, "./launch", "mistakes.cl", kernel, "2", "0", "0", "0",
                                        str(properties))
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertRegex(result.stdout, f"(?m)^{status} {words}")

    def test_a_kernel_that_does_not_count_is_begun_by_one_group(self):
        """Its whole body runs, so that more groups might write beyond what they were given."""
        folder = self.build(TESTS, "launch")
        result = self.run_built(folder, 2, "./launch", "mistakes.cl", "does_not_begin", "2", "0", "0", "0")
        self.assertEqual(result.stdout.splitlines()[-1], "1 0")

    def test_groups_are_counted_without_a_bound(self):
        folder = self.build(TESTS, "launch")
        kernels = folder / "mistakes.cl"
        kernels.write_text("#define GL_UNBOUNDED\n" + kernels.read_text())
        for groups, status, words in ((2, OK, "$"), (3, TOO_MANY_GROUPS, "3 groups were to be launched, and 2 fit")):
            with self.subTest(groups=groups):
                result = self.run_built(folder, 2, "./launch", "mistakes.cl", "right", str(groups), "0", "0", "0")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertRegex(result.stdout, f"(?m)^{status} {words}")

    def test_words_that_are_kept(self):
        """The second of two launches with the same buffer for them ends as the first; one too small is refused."""
        folder = self.build(TESTS, "launch")
        for kernel, size, status, words in (
                ("right", 1 << 16, OK, ""), ("returns_early", 1 << 16, GAVE_UP, "1 of 2 groups waited at a barrier"),
                ("right", 1404, BAD_SIZES, "the buffer of words has 1404 bytes, and 2 groups take 1408")):
            with self.subTest(kernel, size=size):
                result = self.run_built(folder, 2, "./launch", "mistakes.cl", kernel, "2", "0", str(size))
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertRegex(result.stdout, f"(?m)^{status} {words}")


@gridlock_test.needs_driver("pocl")
class OftenLaunched(Emitted):
    """tests/soak/emitted.c: what is right, and what it must find."""

    def launches(self, seeded, count):
        folder = self.emit("soak")
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{folder}",
                        gridlock_test.ROOT / "tests" / "soak" / "emitted.c", "-o", folder / "soak", "-lOpenCL"],
                       check=True)
        environment = self.environment(POCL_MAX_PTHREAD_COUNT=2, POCL_CPU_MAX_CU_COUNT=2, OCL_ICD_VENDORS="pocl.icd")
        fuse = ["64", "0", str(1 << 20)] if seeded == 3 else []
        done = subprocess.run([folder / "soak", f"-cl-std=CL3.0 -I {folder} -DSEEDED={seeded}", str(count), *fuse],
                              env=environment, capture_output=True, text=True, check=False)
        shutil.rmtree(folder)
        return done.returncode, [int(word) for word in re.findall(r"(\d+) (?:groups did|reads|additions|results)",
                                                                  done.stdout)]

    def test_nothing_stalls_or_is_old(self):
        self.assertEqual(self.launches(0, 300), (0, [0, 0, 0, 0]))

    def test_what_is_wrong_is_found(self):
        for seeded, place in {1: 1, 2: 2, 3: 0, 4: 3, 5: 3}.items():
            with self.subTest(seeded=seeded):
                code, found = self.launches(seeded, 20)
                self.assertEqual(code, 1)
                self.assertEqual([what > 0 for what in found], [place == other for other in range(4)])


class Small(unittest.TestCase):
    def test_it_has_600_lines_at_most(self):
        self.assertLessEqual(len((SOURCE / FILES[0]).read_text().splitlines()), 600)


# Waits that nobody ends: of a group more than fit, or for a queue of which one value is never done.
STUCK = {
    "barrier": "    gl_barrier(&grid);\n",
    "queue": "    uint value;\n    if (grid.leads)\n        data[GRIDLOCK_OPEN] = 1;\n"
             "    gl_take(&grid, data, &value);\n",
}


class GoesRound(gridlock_test.Case):
    def test_waits_without_a_fuse(self):
        """They count nothing: a state comes again, and that is a proof."""
        for name, text in STUCK.items():
            with self.subTest(name):
                (self.folder / "stuck.cl").write_text(
                    '#include "gridlock.clh"\n'
                    "kernel void stuck(global uint *gl_words, global uint *data)\n"
                    f"{{\n    GL_BEGIN(grid, gl_words);\n{text}}}\n")
                (self.folder / "gridlock.clh").write_text(
                    (gridlock_test.ROOT / "src" / "emit" / "gridlock.clh").read_text())
                told = self.run_gridlock("try", "stuck.cl", "-d", "model:obe:2", "--groups", "3", "--local-size", "1",
                                         "--deadline", "600", "--build-options=-cl-std=CL3.0", "-q", code=1)
                self.assertRegex(told.out, r"\n +3  deadlock ")


if __name__ == "__main__":
    gridlock_test.main()
