"""gridlock_cl, the Python module for pyopencl: installed from its wheel, without an index."""
import hashlib
import os
import re
import subprocess
import sys
import zipfile

import gridlock_test
from test_emit import EXAMPLE, MISTAKES, SOURCE, TESTS

MAKE = gridlock_test.ROOT / "python" / "wheel.py"
PYTHON = os.environ.get("GRIDLOCK_PYOPENCL", sys.executable)  # one that has pyopencl, and pip


def missing():
    """What keeps the module from being tried."""
    for module in ("pyopencl", "pip"):
        if subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True, check=False).returncode != 0:
            return f"{PYTHON} has no {module}; GRIDLOCK_PYOPENCL can name another Python"
    return None


class Case(gridlock_test.Case):
    def wheel(self):
        subprocess.run([sys.executable, MAKE, "1.2.3", self.folder], check=True, capture_output=True)
        return self.folder / "gridlock_cl-1.2.3-py3-none-any.whl"


class Wheel(Case):
    def test_its_parts(self):
        with zipfile.ZipFile(self.wheel()) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.read("gridlock_cl/gridlock.clh"), (SOURCE / "gridlock.clh").read_bytes())
            record = archive.read("gridlock_cl-1.2.3.dist-info/RECORD").decode().splitlines()
            self.assertEqual({line.split(",")[0] for line in record}, set(archive.namelist()))

    def test_it_is_the_same_each_time(self):
        digests = {hashlib.sha256(self.wheel().read_bytes()).hexdigest() for _ in range(2)}
        self.assertEqual(len(digests), 1)

    def test_bad_arguments(self):
        result = subprocess.run([sys.executable, MAKE], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (1, "wheel.py VERSION FOLDER\n"))


@gridlock_test.needs_driver("pocl")
class Installed(Case):
    def setUp(self):
        super().setUp()
        reason = missing()
        if reason is not None:
            self.skipTest(reason)
        self.wheel()
        subprocess.run([PYTHON, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--find-links", self.folder,
                        "--target", self.folder / "site", "gridlock_cl"], check=True, env=self.environment())

    def python(self, threads, script, *arguments):
        environment = self.environment(POCL_MAX_PTHREAD_COUNT=threads, POCL_CPU_MAX_CU_COUNT=threads,
                                       OCL_ICD_VENDORS="pocl.icd", PYTHONPATH=self.folder / "site")
        result = subprocess.run([PYTHON, "-W", "ignore", TESTS / script, *map(str, arguments)], env=environment,
                                capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_as_many_as_fit_and_one_more(self):
        for threads in (1, 2, 3):
            with self.subTest(threads=threads):
                self.assertEqual(self.python(threads, "relax.py", EXAMPLE / "relax.cl"),
                                 f"{threads} groups: right\n{threads + 1} groups were to be launched, and "
                                 f"{threads} fit "
                                 "on the device at once: launch at most so many, and let each do more\n")

    def test_mistakes_are_told_as_by_the_header(self):
        for kernel, groups, first, status, words in MISTAKES:
            with self.subTest(kernel, first=first):
                said = self.python(2, "launch.py", TESTS / "mistakes.cl", kernel, groups, first)
                self.assertRegex(said, f"^{status} {words}")

    def test_it_names_what_the_header_names(self):
        """A sentence that only one of them has would be missing here."""
        header = (SOURCE / "gridlock_launch.h").read_text()
        kinds = re.findall(r'"((?:waited|found) [a-z -]+)"', header)
        module = (gridlock_test.ROOT / "python" / "gridlock_cl.py").read_text()
        self.assertGreater(len(kinds), 4)
        for kind in kinds:
            self.assertIn(f'"{kind}"', module)


if __name__ == "__main__":
    gridlock_test.main()
