"""The house is in order, and scripts/house says where it is not."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL = "#include \"core/text.h\"\n\nint one(int a, int b, int c, int d, int e)\n{\n    return a + b + c + d + e;\n}\n"


def check(folder):
    done = subprocess.run([ROOT / "scripts" / "house", "--check", folder], stdout=subprocess.PIPE, text=True,
                          check=False)
    return done.returncode, done.stdout


class House(unittest.TestCase):
    def test_it_is_in_order(self):
        self.assertEqual(check(ROOT), (0, "the house is in order\n"))


class Seeded(unittest.TestCase):
    """Of a small house: in order, and with one fault."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gridlock-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("core/text.h", "/* Texts. */\n")
        self.write("store/small.c", SMALL)

    def write(self, name, text):
        path = self.folder / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def refused(self, said):
        code, output = check(self.folder)
        self.assertEqual((code, output.count("\n")), (1, 1), output)
        self.assertIn(said, output)

    def test_a_small_house(self):
        self.assertEqual(check(self.folder)[0], 0)

    def test_the_longest_that_is_allowed(self):
        self.write("core/text.c", "void text(void)\n{\n" + "    ;\n" * 77 + "}\n" + "\n" * 320)
        self.assertEqual(check(self.folder)[0], 0)

    def test_a_long_function(self):
        self.write("core/text.c", "void text(void)\n{\n" + "    ;\n" * 79 + "}\n")
        self.refused("core/text.c: text() has 81 lines; 80 are allowed")

    def test_a_long_file(self):
        self.write("core/text.c", "\n" * 401)
        self.refused("core/text.c has 401 lines; 400 are allowed")

    def test_a_long_line(self):
        self.write("core/text.h", f"/* {'a' * 116} */\n")
        self.refused("core/text.h:1 has 122 columns; 120 are allowed")

    def test_many_functions_with_many_parameters(self):
        def functions(count):
            return "".join(f"int f{i}(int a, int (*b)(int, int), int c, int d, int e, int f)\n{{\n}}\n"
                           for i in range(count))
        self.write("core/text.c", functions(41))
        self.assertEqual(check(self.folder)[0], 0)
        self.write("core/text.c", functions(42))
        self.refused("42 functions have more than 5 parameters, 41 may: f0() of core/text.c")

    def test_rooms_that_include_each_other(self):
        self.write("core/text.c", '#include "judge/judge.h"\n')
        self.write("judge/judge.h", '#include "store/store.h"\n')
        self.refused("rooms include each other: core, judge, store")


if __name__ == "__main__":
    unittest.main()
