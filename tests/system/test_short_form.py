"""The short form of the headers has what kernels use; a kernel that uses more would have no reproducer."""
import re
import unittest

import gridlock_test


class ShortForm(unittest.TestCase):
    # What the short form stands for; and what the build defines.
    HEADERS = ("abi.h", "sync.h", "self.h", "wait.h", "group.h", "publish.h")
    BUILT = {"GL_LOCAL", "GL_PRIVATE_WORDS", "GL_PROVED", "GL_REQUIRED_SIZE"}

    @staticmethod
    def code(path):
        return re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.S)

    def names(self, text):
        return set(re.findall(r"\b(?:GL_|gl_)\w+", text))

    def test_each_kernel_of_a_scenario(self):
        folder = gridlock_test.ROOT / "src" / "reproducer" / "template"
        have = self.names("".join(self.code(folder / name) for name in ("kernel.inc", "layout.inc", "publish.inc")))
        kernels = gridlock_test.ROOT / "kernels"
        used = {re.search(r"(?m)^kernel = (\w+)", path.read_text())[1]
                for path in (gridlock_test.ROOT / "scenarios").glob("*.ini")}
        self.assertGreater(len(used), 30)
        for kernel in sorted(used | {"limits"}):
            text = (kernels / f"{kernel}.cl").read_text()
            if re.search(r"(?m)^ \* range:", text):
                continue  # none of its groups waits
            paths = [kernels / f"{kernel}.cl", *(kernels / name for name in re.findall(r'#include "([\w.]+)"', text)
                                                 if name not in self.HEADERS)]
            code = "".join(map(self.code, paths))
            own = set(re.findall(r"#define\s+(\w+)|\bstatic \w+ (?=gl_)(\w+)\(", code))
            own = {name for names in own for name in names}
            self.assertEqual(self.names(code) - have - own - self.BUILT, set(), kernel)


if __name__ == "__main__":
    gridlock_test.main()
