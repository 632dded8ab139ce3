"""`gridlock demo`: what it shows on a device, and what it says where it cannot show it."""
import re

import gridlock_test
from gridlock_test import EXIT_NO_DEVICE, EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE, needs_driver, needs_oclgrind
from test_columns import COLUMNS, COMMAND


class Case(gridlock_test.Case):
    def demo(self, *arguments, code=EXIT_OK, **variables):
        result = self.run_gridlock("demo", *arguments, code=code, **variables)
        self.assertNotRegex(result.out + result.err, r"[\x00-\x08\x0b-\x1f\x7f]", "a control character")
        for line in result.out.splitlines():
            self.assertTrue(len(line) <= COLUMNS or COMMAND.match(line), line)
        return result

    def sections(self, text):
        """{title: what stands below it, on one line}"""
        parts = re.split(r"(?m)^(\S.*)\n(?=  \S)", text)[1:]
        return {title: " ".join(body.split()) for title, body in zip(parts[::2], parts[1::2])}

    def assert_shown(self, out, groups):
        """With so many groups the barrier passes, and with one more it starves."""
        plural = "work-groups of 64 work-items are" if groups > 1 else "work-group of 64 work-items is"
        shown = self.sections(out)
        self.assertIn(f"{groups} {plural} resident together", shown["How many groups fit"])
        self.assertIn(f"{groups} group{'s' * (groups > 1)}: pass in 3 of 3 launches.", shown["As many groups as fit"])
        self.assertIn(f"{groups + 1} groups: starved in 3 of 3 launches.", shown["One group more"])
        self.assertIn(f"{groups + 1}, of local size 64; {groups} started, 0 ended", shown["What happened"])
        self.assertIn(f"at most {groups} of these groups", shown["Why this device allows it"])
        self.assertIn(f"Reduce the number of groups to {groups},", shown["What would make it pass"])
        rows = re.findall(r"(?m)^  (place \d+|no place) +\|.{24}\| group (\d+) (waits for group (\d+)|never started)$",
                          out)
        self.assertEqual([row[0] for row in rows], [*(f"place {place}" for place in range(groups)), "no place"], out)
        self.assertEqual({int(row[1]) for row in rows}, set(range(groups + 1)), out)
        self.assertEqual({row[3] for row in rows[:-1]}, {rows[-1][1]}, out)


class Model(Case):
    def test_each_number_of_places(self):
        for places in (1, 4):
            with self.subTest(places=places):
                out = self.demo("-d", f"model:obe:{places}").out
                self.assert_shown(out, places)
                self.assertIn("this is proved", self.sections(out)["What happened"])


@needs_driver("pocl")
class Pocl(Case):
    def test_each_number_of_threads(self):
        for threads in (1, 2, 4, 8):
            with self.subTest(threads=threads):
                self.assert_shown(self.demo("-d", "pocl", POCL_MAX_PTHREAD_COUNT=threads).out, threads)

    def test_pocl_is_preferred(self):
        result = self.demo(POCL_MAX_PTHREAD_COUNT=2, RUSTICL_ENABLE="llvmpipe")
        self.assertIn("(Portable Computing Language, ", " ".join(result.out.split()))
        self.assert_shown(result.out, 2)

    def test_its_run_file_is_an_ordinary_one(self):
        result = self.demo("-d", "pocl", "-o", "a.run", POCL_MAX_PTHREAD_COUNT=2)
        self.assertEqual(result.err, "gridlock: run file a.run\n")
        self.assertIn("\n  gridlock explain a.run\n", result.out)
        self.assertIn("3 starved", self.run_gridlock("report", "a.run").out)
        self.assertIn("barrier_central/cl30/l64/g3#0, launch 0: starved", self.run_gridlock("explain", "a.run").out)
        resumed = self.run_gridlock("resume", "a.run", POCL_MAX_PTHREAD_COUNT=2)
        self.assertEqual(resumed.out.replace(str(self.folder) + "/", ""), result.out)

    def test_commands_that_it_shows(self):
        out = self.demo("-d", "pocl", "-q", "-o", "a.run", POCL_MAX_PTHREAD_COUNT=2).out
        self.assertEqual(re.findall(r"(?m)^  (gridlock .*)$", out),
                         ["gridlock explain a.run", "gridlock limits -d pocl --source FILE.cl", "gridlock run -d pocl",
                          "gridlock help words"])

    def test_a_terminal_gets_the_same(self):
        arguments = ("demo", "-d", "pocl", "-q", "-o", "a.run")
        seen, _ = self.on_terminal("stdout", *arguments, POCL_MAX_PTHREAD_COUNT=2)
        self.assertNotIn("\x1b", seen)
        self.assert_shown(seen.replace("\r\n", "\n"), 2)

    def test_it_is_not_divided(self):
        out = self.demo("-d", "pocl", POCL_MAX_PTHREAD_COUNT=2, GTEST_TOTAL_SHARDS=7, GTEST_SHARD_INDEX=3).out
        self.assert_shown(out, 2)

    def test_unknown_device(self):
        result = self.demo("-d", "nosuch", code=EXIT_NO_DEVICE)
        self.assertEqual(result.out, "")
        self.assert_sentence(result.err, 'no device matches "nosuch"')
        self.assertEqual(self.run_file_paths(), [])

    def test_the_file_must_not_exist(self):
        (self.folder / "a.run").write_text("mine")
        self.assert_sentence(self.demo("-d", "pocl", "-o", "a.run", code=EXIT_USAGE).err, "a.run")
        self.assertEqual((self.folder / "a.run").read_text(), "mine")


class Arguments(Case):
    def test_wrong_arguments(self):
        for arguments, words in ((["x"], 'expected no arguments, but found "x"'), (["--format", "json"], "--format"),
                                 (["--nosuch"], "--nosuch"), (["-o", "-"], "standard output"),
                                 (["-d"], "requires an argument"),
                                 (["--icd", ""], "--icd")):
            with self.subTest(arguments=arguments):
                result = self.demo(*arguments, code=EXIT_USAGE, OCL_ICD_VENDORS=self.folder)
                self.assertEqual(result.out, "")
                self.assertIn(words, result.err)

    def test_no_device(self):
        result = self.demo(code=EXIT_NO_DEVICE, OCL_ICD_VENDORS=self.folder)
        self.assert_sentence(result.err, "no OpenCL device")


class Others(Case):
    @needs_driver("rusticl")
    def test_where_loops_are_cut(self):
        result = self.demo("-d", "rusticl", code=None, RUSTICL_ENABLE="llvmpipe")
        shown = self.sections(result.out)
        if "3 groups: starved" in shown.get("One group more", ""):
            self.skipTest("this version of Mesa cuts no loops")
        self.assertEqual(result.code, EXIT_UNSUPPORTED)
        self.assertIn("This driver ends a loop after 65535 iterations although it still waits",
                      shown["What cannot be shown"])
        self.assertNotIn("One group more", shown)
        self.assertIn("gridlock demo --device NAME", shown["What to try next"])

    @needs_oclgrind()
    def test_a_driver_that_is_named_need_not_be_of_a_cpu(self):
        result = self.demo("--icd", gridlock_test.OCLGRIND)
        self.assertIn("3 groups: starved", result.out)
        self.assertIn(f"  gridlock run --icd {gridlock_test.OCLGRIND} -d 'Oclgrind Simulator'\n", result.out)


if __name__ == "__main__":
    gridlock_test.main()
