"""Documents: each file that they name is there, and the picture is what its run file gives."""
import pathlib
import re
import subprocess
import sys
import unittest

from gridlock_test import PROGRAM, SAFETY_S

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ("src/README.md", "src/ADDING.md", "tests/README.md", "tests/truth/README.md", "tests/soak/README.md",
             "tests/faults/README.md", "tests/bench/scenarios/README.md", "scenarios/README.md")
LAYERS = "base|core|search|scenario|litmus|device|host|store|engine|report|format|explain|reproducer|cli"
PATH = re.compile(rf"`((?:\w[\w.-]*/)+[\w.*-]*)`|\(((?:{LAYERS})/[\w.]+)\)")


def is_there(document, name):
    """From the top, from src, or from the document's own folder."""
    for folder in (ROOT, ROOT / "src", (ROOT / document).parent):
        path = folder / name
        if path.exists() or any(path.parent.glob(path.name or "*")):
            return True
    return False


class Documents(unittest.TestCase):
    def test_files_that_are_named_exist(self):
        for document in DOCUMENTS:
            names = {a or b for a, b in PATH.findall((ROOT / document).read_text())}
            # What the build makes, and what is still to be named.
            missing = sorted(name for name in names if not re.match(r"build/|/", name) and not re.search(r"[A-Z]{4}", name)
                             and not is_there(document, name))
            self.assertEqual(missing, [], document)

    def test_a_file_that_is_not_there_is_missed(self):
        self.assertTrue(is_there("src/README.md", "search/search.c"))
        self.assertFalse(is_there("src/README.md", "core/no_such_file.c"))

    def test_picture_is_that_of_its_run_file(self):
        made = subprocess.run([sys.executable, ROOT / "results" / "cliff.py", PROGRAM], stdout=subprocess.PIPE, check=True,
                              timeout=SAFETY_S)
        self.assertEqual(made.stdout, (ROOT / "results" / "cliff.svg").read_bytes())


if __name__ == "__main__":
    unittest.main()
