"""scripts/setup and scripts/test: what they install, say and run, on programs that only say that they were called."""
import re
import shutil
import subprocess

import gridlock_test
from gridlock_test import EXIT_USAGE, ROOT


class Case(gridlock_test.Case):
    """A checkout with nothing else in it, on programs that are not the system's."""

    def setUp(self):
        super().setUp()
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        for name in ("cat", "chmod", "cp", "cut", "date", "df", "dirname", "env", "find", "grep", "head", "ls", "mkdir",
                     "mktemp", "nproc", "rm", "sh", "tail", "tr", "xargs"):
            (self.programs / name).symlink_to(shutil.which(name))
        shutil.copytree(ROOT / "scripts", self.folder / "scripts")

    def program(self, name, text):
        (self.programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.programs / name).chmod(0o755)

    def script(self, name, *arguments, user=0, code=0):
        self.program("id", f"echo {user}")
        result = subprocess.run(["/bin/sh", self.folder / "scripts" / name, *arguments], capture_output=True, text=True,
                                check=False, env={"PATH": str(self.programs), "TMPDIR": str(self.folder)})
        self.assertEqual(result.returncode, code, result)
        return result

    def offer(self, *packages):
        """Nothing is installed; this release has these packages, and the others that are always needed."""
        self.program("dpkg-query", "exit 1")
        self.program("apt-get", 'echo "apt-get $*"; echo "$*" >>installed')
        self.program("apt-cache", f"""case $2 in
            {"|".join(packages)}) echo "  Candidate: 1.0" ;;
            *) echo "  Candidate: (none)" ;;
            esac""")
        self.program("cmake", 'echo "cmake $*"')
        self.program("pkg-config", "exit 0")


class Setup(Case):
    def test_without_root_says_the_whole_command(self):
        """Nothing is installed here, and there is no sudo."""
        self.offer("none")
        result = self.script("setup", user=1000, code=EXIT_USAGE)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"as root, run: apt-get update && apt-get install -q -y --no-install-recommends"
                                        r" --no-remove cmake .* pocl-opencl-icd .*file\n\Z")

    def test_each_step_is_a_line(self):
        self.offer("none")
        result = self.script("setup")
        self.assertEqual(result.stderr, "")
        lines = result.stdout.splitlines()
        self.assertEqual(len(lines), 5, lines)
        self.assertTrue(all(line.startswith("scripts/setup: ") for line in lines), lines)
        self.assertIn("--target gridlock described", (self.folder / "build/setup/build.log").read_text())

    def test_a_step_that_fails_is_shown(self):
        self.offer("none")
        for name, said in (("cmake", "CMake Error at line 1"), ("apt-get", "E: Unable to fetch")):
            self.program(name, f'echo "{said}"; exit 100')
            result = self.script("setup", code=1)
            self.assertIn(said, result.stderr)
            self.assertRegex(result.stderr, r"\nscripts/setup: this step failed: .*\n\Z")
            self.assertNotIn("built", result.stdout)

    def test_what_a_release_does_not_have_is_left_out(self):
        for packages in (("clang-format-14", "clang-tidy-14", "oclgrind"), ("oclgrind",), ("none",)):
            (self.folder / "installed").unlink(missing_ok=True)
            self.offer(*packages)
            self.script("setup", "--tests")
            installed = (self.folder / "installed").read_text().split()
            for package in ("clang-format-14", "clang-tidy-14", "oclgrind"):
                self.assertEqual(package in installed, package in packages, package)
            for package in ("check", "libclang-rt-dev", "chromium-driver", "cmake"):
                self.assertIn(package, installed)

    def test_nothing_is_downloaded_when_all_is_installed(self):
        self.offer("none")
        self.program("dpkg-query", "printf installed")
        self.script("setup", "--tests", user=1000)
        self.assertFalse((self.folder / "installed").exists())


class Lanes(Case):
    def setUp(self):
        super().setUp()
        self.offer("none")
        self.program("ctest", 'echo "ctest $*"')
        for folder in ("src", "tests", "kernels"):
            (self.folder / folder).mkdir()

    def lanes(self, *arguments, code=0):
        """What was said before the summary, and the summary."""
        said, _, summary = self.script("test", *arguments, code=code).stdout.rpartition("== summary ==\n")
        return said, summary

    def test_what_fails_keeps_nothing_from_being_run(self):
        self.program("ctest", 'case $2 in sanitize|threads) echo "FAIL: of $2" >build/lanes/tests.log; exit 8 ;; '
                              '*) echo "ctest $2" ;; esac')
        said, summary = self.lanes("--all", code=1)
        self.assertEqual(re.findall(r"(?m)^ctest (\w+)", said), ["gcc", "fuzz", "long", "long"])
        self.assertEqual([line.split()[0] for line in summary.splitlines()],
                         ["left", "passed", "passed", "left", "passed", "FAILED", "passed", "FAILED", "FAILED",
                          "FAILED", "passed", "passed", "scripts/test:"])
        self.assertIn("4 of these failed", summary)
        self.assertIn("== what failed in tests ==\nof sanitize:\nFAIL: of sanitize\n", said)

    def test_nothing_starts_after_its_time(self):
        said, summary = self.lanes("--all", "--until", "1")
        self.assertNotIn("ctest", said)
        self.assertIn("not run: no time is left", said)
        self.assertEqual({line.split()[0] for line in summary.splitlines()}, {"left"})
        said, _ = self.lanes("--all", "--until", "9999999999")
        self.assertIn("ctest --preset long", said)
        for wrong in (("--until",), ("--until", "noon"), ("--until", "1", "2"), ("1",)):
            self.assertIn("--until SECONDS", self.script("test", "--all", *wrong, code=2).stderr)

    def test_a_build_that_fails_fails_its_lane(self):
        self.program("cmake", 'case "$*" in "--build --preset gcc"*) echo "an error" >&2; exit 1 ;; esac')
        said, summary = self.lanes("--all", code=1)
        self.assertEqual(re.findall(r"(?m)^ctest --preset (\w+)", said),
                         ["sanitize", "fuzz", "sanitize", "sanitize", "threads"])
        self.assertEqual(re.findall(r"(?m)^FAILED +(.*)", summary), [
            "warnings of gcc", "tests of the usual build, but the long ones", "long system tests of the usual build",
            "long fault tests of the usual build"])

    def test_reports_of_threads_fail_their_lane(self):
        self.program("ctest", 'mkdir -p build/threads; [ $2 != threads ] || echo race >build/threads/report.1')
        said, summary = self.lanes("--all", code=1)
        self.assertIn("race", said)
        self.assertEqual(re.findall(r"(?m)^FAILED +(.*)", summary), ["tests with ThreadSanitizer"])

    def test_all_passed(self):
        for program in ("clang-format-14", "clang-tidy-14"):
            self.program(program, ":")
        for arguments, lanes in (((), 2), (("--all",), 12), (("--checks",), 6)):
            _, summary = self.lanes(*arguments)
            self.assertEqual(re.findall(r"(?m)^\w+", summary), ["passed"] * lanes)


if __name__ == "__main__":
    gridlock_test.main()
