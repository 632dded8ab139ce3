"""Documents for those who work on the source: each file that they name is there."""
import pathlib
import re
import unittest

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


if __name__ == "__main__":
    unittest.main()
