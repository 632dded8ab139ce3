"""gridlock explain --reproducer of proofs: programs that force a stall on a real device."""
import shutil
import subprocess

import gridlock_test
from gridlock_test import EXIT_OK, EXIT_USAGE, needs_driver
from prove_case import EXIT_STOPPED
from prove_case import FOLDER, STANDARD

BUGS = FOLDER / "bugs"
ENDED, NO_END, USAGE, UNDECIDED = range(4)
LATE = "600"  # seconds: an end that comes is seen, be the machine ever so busy

# Each waits before it signals: a deadlock in all schedules. Mended, each signals first.
SIGNALS = """
static void await(volatile global int *flag)
{
    while (atomic_add(flag, 0) == 0)
        ;
}
kernel void wrong(volatile global int *flags)
{
    await(flags + 1 - get_group_id(0));
    atomic_xchg(flags + get_group_id(0), 1);
}
kernel void mended(volatile global int *flags)
{
    atomic_xchg(flags + get_group_id(0), 1);
    await(flags + 1 - get_group_id(0));
}
"""
# It ends at once unless its arguments are those that are given.
ARGUMENTS = """
kernel void wrong(global const uint *numbers, short small, float real, local uint *own, volatile global int *never)
{
    own[get_local_id(0)] = numbers[3];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own[1 - get_local_id(0)] == 3 && small == -7 && real == 1.5f) {
        if (get_group_id(0) == 1)
            atomic_xchg(never, 1);
        while (atomic_add(never, 0) != 2)
            ;
    }
}
"""


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "proofs.gridlock"

    def prove(self, file, *options, build="-cl-std=CL1.2", groups=("--groups=2",), code=EXIT_OK):
        self.path.unlink(missing_ok=True)
        self.run_gridlock("prove", str(file), f"--build-options={build}", *groups, "-q", "--exit-zero", "-o",
                          str(self.path), *options, code=code)

    def prove_text(self, text, *options, **more):
        file = self.folder / "kernel.cl"
        file.write_text(text)
        self.prove(file, *options, **more)
        return file

    def write(self, *name, code=EXIT_OK):
        """Writes the program into a new folder."""
        folder = self.folder / "program"
        shutil.rmtree(folder, ignore_errors=True)
        result = self.run_gridlock("explain", str(self.path), *name, "--reproducer", str(folder), code=code)
        return folder if code == EXIT_OK else result.err

    def compile(self, folder, compiler="gcc"):
        command = [compiler, "-Wall", "-Wextra", "-Werror", "proof.c", "-lOpenCL", "-o", "proof"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def run_program(self, folder, *options, code):
        environment = self.environment(POCL_MAX_PTHREAD_COUNT=2)
        done = subprocess.run(["./proof", "-d", "pocl", *options], cwd=folder, env=environment, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout


@needs_driver("pocl")
class Forced(Case):
    def test_certain_deadlock(self):
        self.prove_text(SIGNALS, "--kernel", "wrong")
        folder = self.write()
        self.compile(folder)
        self.assertIn("It did not end within 2 s", self.run_program(folder, "-s", "2", code=NO_END))
        self.assertIn("It ended right", self.run_program(folder, "-s", LATE, "-k", "mended", code=ENDED))

    def test_arguments(self):
        given = ("numbers=buffer:16=seq", "1=-7", "real=1.5", "own=local:8", "never=buffer:4=zero")
        self.prove_text(ARGUMENTS, "--local-size", "2", *(word for value in given for word in ("--arg", value)))
        folder = self.write()
        self.compile(folder)
        self.assertIn("2 groups of 2", self.run_program(folder, "-s", "2", code=NO_END))
        text = (folder / "proof.c").read_text()
        for argument in ('{"numbers", \'s\', 16, ""}', '{"1", \'n\', 0, "-7"}', '{"real", \'n\', 0, "1.5"}'):
            self.assertIn(argument, text)
        (folder / "proof.c").write_text(text.replace('"-7"', '"7"'))
        self.compile(folder)
        self.run_program(folder, "-s", LATE, code=ENDED)

    def test_what_was_made_up(self):
        """A number of rounds without which nothing happens, and more groups than were asked for."""
        self.prove_text("""
kernel void both(volatile global int *locks, int rounds)
{
    const int first = get_group_id(0) & 1;
    for (int i = 0; i < rounds; ++i) {
        while (atomic_cmpxchg(&locks[first], 0, 1) != 0)
            ;
        while (atomic_cmpxchg(&locks[1 - first], 0, 1) != 0)
            ;
        atomic_xchg(&locks[1 - first], 0);
        atomic_xchg(&locks[first], 0);
    }
}
""", code=EXIT_STOPPED)
        folder = self.write()
        self.compile(folder)
        self.assertIn("It did not end within 2 s", self.run_program(folder, "-s", "2", code=NO_END))
        self.assertIn("NUMBER = 16, ", (folder / "proof.c").read_text())
        self.prove_text("""
kernel void meet(volatile global int *count)
{
    atomic_inc(count);
    while (atomic_add(count, 0) < 4)
        ;
}
""", groups=())
        self.assertIn("GROUPS = 4, ", (self.write() / "proof.c").read_text())

    def test_more_groups_than_fit(self):
        """A barrier of all groups; without a place for each it does not end, and with one it does."""
        self.prove_text("""
kernel void meet(volatile global uint *count)
{
    atomic_inc(count);
    while (atomic_add(count, 0) < get_num_groups(0))
        ;
}
""")
        folder = self.write()
        self.compile(folder)
        self.assertIn("It did not end", self.run_program(folder, "-s", "2", code=NO_END))
        self.assertIn("It ended.", self.run_program(folder, "-s", LATE, "-g", "2", code=ENDED))

    def test_bad_input(self):
        self.prove_text(SIGNALS, "--kernel", "wrong")
        folder = self.write()
        self.compile(folder)
        self.run_program(folder, "-k", "missing", code=UNDECIDED)
        for options in (("more",), ("-s", "0"), ("-x",), ("-d", "no such device")):
            self.run_program(folder, *options, code=USAGE)
        for options in (("-h",), ("--help",), ("-s", "2", "--list")):
            self.assertIn("OpenCL", self.run_program(folder, *options, code=ENDED))


class Written(Case):
    def test_compiles_without_a_warning(self):
        for name, kernel in (("philosophers", "wrong"), ("grid_not_resident", "wrong"), ("barrier_reset", "wrong"),
                             ("notify_lost", "wrong"), ("scan_reverse", "wrong")):
            self.path.unlink(missing_ok=True)
            self.prove(BUGS / f"{name}.cl", "--kernel", kernel, build=STANDARD)
            folder = self.write()
            for compiler in filter(shutil.which, ("gcc", "clang", "clang-14")):
                with self.subTest(name, compiler=compiler):
                    self.compile(folder, compiler)

    def test_order_of_the_way(self):
        """Both take their first fork before either tries the other one."""
        self.prove(BUGS / "philosophers.cl", "--kernel", "wrong", build=STANDARD)
        text = (self.write() / "proof.c").read_text()
        for item in range(2):
            self.assertIn(f"if (line == 6 && item == {item}) parts = 2;", text)
        self.assertIn("while (REPRODUCER_DELAYED(6, atomic_exchange_explicit, fork, 1,", text)

    def test_polls_are_not_ordered(self):
        self.prove(BUGS / "signal_wiped.cl", "--kernel", "wrong", build=STANDARD)
        text = (self.write() / "proof.c").read_text()
        self.assertEqual(text.count("parts = "), 2)
        self.assertIn("if (line == 8 && item == 0) parts = 1;", text)

    def test_what_cannot_be_forced(self):
        for name, kernel, words in (("scan_by_id", "wrong", "start a group before a lower one"),
                                    ("lock_relaxed", "mended", "withhold turns"),
                                    ("lock_relaxed", "wrong", "only a launch that does not end"),
                                    ("grid_not_resident", "mended", "only a launch that does not end")):
            with self.subTest(name, kernel=kernel):
                self.path.unlink(missing_ok=True)
                self.prove(BUGS / f"{name}.cl", "--kernel", kernel, build=STANDARD)
                self.assertIn(words, self.write(code=EXIT_USAGE))

    def test_scenario(self):
        self.run_gridlock("prove", "barrier_central", "--groups", "2", "-q", "--exit-zero", "-o", str(self.path))
        self.assertIn("which gridlock run launches on a real device", self.write(code=EXIT_USAGE))

    def test_file_that_changed(self):
        file = self.prove_text(SIGNALS, "--kernel", "wrong")
        file.write_text(SIGNALS + "\n")
        self.assertIn("has changed since the run", self.write(code=EXIT_USAGE))
        file.unlink()
        self.assertIn("kernel.cl", self.write(code=EXIT_USAGE))

    def test_argument_of_a_file(self):
        data = self.folder / "data"
        data.write_bytes(bytes(8))
        self.prove_text(SIGNALS, "--kernel", "wrong", "--arg", f"flags=buffer:8=file:{data}")
        self.assertIn("an argument comes from a file", self.write(code=EXIT_USAGE))

    def test_files_that_are_there_stay(self):
        self.prove_text(SIGNALS, "--kernel", "wrong")
        folder = self.write()
        before = (folder / "proof.c").read_text()
        self.run_gridlock("explain", str(self.path), "--reproducer", str(folder), code=EXIT_USAGE)
        self.assertEqual((folder / "proof.c").read_text(), before)


if __name__ == "__main__":
    gridlock_test.main()
