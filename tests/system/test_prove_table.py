"""gridlock prove says of kernels what tests/prove knows of them, and of litmus programs what their judge does."""
import subprocess
import sys

import gridlock_test
import prove_case


class Table(prove_case.Case):
    def test_all_rows(self):
        rows = prove_case.table()
        self.assertGreater(len(rows), 300)
        self.check_rows(rows)


class Litmus(prove_case.Case):
    """Programs as kernels, beside `gridlock litmus judge`."""

    def run_script(self, name, *arguments):
        result = subprocess.run([sys.executable, prove_case.FOLDER / name, *map(str, arguments)], capture_output=True,
                                text=True, check=False, env=self.environment(), cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-2000:])
        return result.stdout

    def test_drawn_programs(self):
        programs = self.folder / "programs"
        self.run_script("programs.py", programs, gridlock_test.PROGRAM)
        files = sorted({line.split("\t")[0] for line in (programs / "index.tsv").read_text().splitlines()
                        if line.split("\t")[3] != "-"})
        told = self.run_script("litmus.py", programs, gridlock_test.PROGRAM, files[0], files[-1])
        self.assertRegex(told.splitlines()[-1], r"[1-9]\d* verdicts, [1-9]\d* states, 0 programs differ$")


if __name__ == "__main__":
    gridlock_test.main()
