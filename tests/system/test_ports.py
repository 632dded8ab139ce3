"""Programs of examples/ports, before and after their groups wait for each other: the same results, and no hang."""
import re
import shutil
import subprocess
import unittest

import gridlock_test

PORTS = gridlock_test.ROOT / "examples" / "ports"
EMITTED = gridlock_test.ROOT / "src" / "emit"
NAMES = ("heat", "scan", "walk")
LINES_MOST = 30
MISSING = [program for program in ("gcc", "patch") if shutil.which(program) is None]


class Small(unittest.TestCase):
    def test_few_lines_are_added(self):
        for name in NAMES:
            lines = (PORTS / f"{name}.patch").read_text().splitlines()
            self.assertLessEqual(sum(re.match(r"\+(?!\+\+ )", line) is not None for line in lines), LINES_MOST, name)
            self.assertLessEqual(sum(re.match("-(?!-- )", line) is not None for line in lines), LINES_MOST, name)


@gridlock_test.needs_driver("pocl")
@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class Ported(gridlock_test.Case):
    def build(self, name, ported):
        folder = self.folder / ("after" if ported else "before")
        folder.mkdir(exist_ok=True)
        for path in (PORTS / "host.h", PORTS / f"{name}.c", PORTS / f"{name}.cl", *EMITTED.iterdir()):
            shutil.copy(path, folder)
        if ported:
            subprocess.run(["patch", "-s", "-p1", "-i", PORTS / f"{name}.patch"], cwd=folder, check=True)
        subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", f"{name}.c", "-o",
                        name, "-lOpenCL"], cwd=folder, check=True)
        return folder / name

    def run_port(self, program, *arguments, threads=2):
        environment = self.environment(POCL_MAX_PTHREAD_COUNT=threads, POCL_CPU_MAX_CU_COUNT=threads,
                                       OCL_ICD_VENDORS="pocl.icd")
        return subprocess.run([program, *arguments], cwd=program.parent, env=environment, capture_output=True,
                              text=True,
                              check=False)

    def result(self, *arguments, **options):
        done = self.run_port(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()[0]

    def test_the_results_are_equal(self):
        for name in NAMES:
            with self.subTest(name):
                self.assertEqual(self.result(self.build(name, False)), self.result(self.build(name, True)))

    def test_where_it_would_hang_it_is_refused(self):
        for name in ("heat", "walk"):
            with self.subTest(name):
                done = self.run_port(self.build(name, True), "3")
                self.assertEqual((done.returncode, done.stdout), (3, ""))
                self.assertRegex(done.stderr, "^3 groups were to be launched, and 2 fit on the device at once[^\n]*\n$")
                self.assertNotIn("error", done.stderr)

    def test_a_scan_with_a_patience_needs_no_place(self):
        program = self.build("scan", True)
        self.assertEqual(self.result(program, threads=1), self.result(program, threads=2))


if __name__ == "__main__":
    gridlock_test.main()
