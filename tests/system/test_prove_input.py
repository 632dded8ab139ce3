"""gridlock prove refuses what it cannot explore: a sentence says why, and the exit status whose fault it is."""
import gridlock_test
import prove_case
from gridlock_test import EXIT_UNSUPPORTED, EXIT_USAGE
from prove_case import FOLDER, STANDARD

LOCK = str(FOLDER / "bugs" / "lock_relaxed.cl")
FORM = "ARGUMENT=buffer:BYTES"
BYTES = "BYTES %s: expected a whole number from 1 to 4294967295"

# What is given with --arg, and words of the sentence.
ARGUMENTS = [
    ("", FORM), ("0", FORM), ("=1", FORM), ("0=", FORM), ("0=buffer", FORM), ("0=abc", FORM), ("0=1.5x", FORM),
    ("0=buffer:4=", FORM), ("0=buffer:4=one", FORM), ("0=buffer:4=file:", FORM), ("0=buffer:4=zero=seq", FORM),
    ("0=buffer:", BYTES % '""'), ("0=buffer:0", BYTES % 0), ("0=buffer:-1", BYTES % -1), ("0=buffer:4x", BYTES % "4x"),
    ("0=buffer:99999999999", BYTES % 99999999999), ("0=local:0", BYTES % 0), ("0=local:", BYTES % '""'),
    ("0=buffer:4=file:nosuch", "nosuch: No such file"),
    ("0=local:4", "argument 0 (lock) of mended is a buffer, not local memory"),
    ("lock=1", "argument 0 (lock) of mended is a buffer, not a number"),
    ("9=buffer:4", "--arg 9: mended has 2 arguments"), ("-1=buffer:4", "--arg -1: mended has 2 arguments"),
    ("nosuch=buffer:4", "--arg nosuch: mended has 2 arguments; none is called so"),
]

# Numbers of a kernel, and what is said of those that its types do not have.
NUMBERS = """typedef int mine;
kernel void numbers(global int *a, int i, uchar u, float f, double d, long2 l, mine m, unsigned int w)
{
    a[get_group_id(0)] = i + u + f + d + l.x + m + w;
}
"""
NONE_OF_THEM = [
    ("i=1.5", "argument 1 (i) of numbers is int, not 1.5"), ("i=2147483648", "is int, not 2147483648"),
    ("i=-2147483649", "is int, not -2147483649"), ("i=1e3", "is int, not 1e3"), ("u=256", "is uchar, not 256"),
    ("u=-1", "is uchar, not -1"), ("f=1e39", "is float, not 1e39"), ("d=1e309", "is double, not 1e309"),
    ("l=9223372036854775808", "is long2, not 9223372036854775808"), ("i=99999999999999999999", "is int, not 999"),
    ("m=4294967296", "is mine, not 4294967296"), ("m=-2147483649", "is mine, not -2147483649"), ("w=-1", "not -1"),
    ("w=0x100000000", "not 0x100000000"),
]
SOME_OF_THEM = [
    "i=2147483647", "i=-2147483648", "i=0x7f", "u=255", "f=1e38", "f=1e-50", "f=-inf", "f=3", "d=1e308", "l=-1",
    "l=9223372036854775807", "l=-9223372036854775808", "m=4294967295", "m=-2147483648", "w=4294967295",
]

# Options, and words of the sentence.
OPTIONS = [
    (("--groups", "0"), "--groups 0: expected a number of work-groups from 1 to 32"),
    (("--groups", "33"), "--groups 33: expected a number of work-groups from 1 to 32"),
    (("--groups", "8x5"), "--groups 8x5: expected"), (("--groups", "2x"), "--groups 2x: expected"),
    (("--groups", "driver-2d"), "--groups driver-2d: expected"),
    (("--groups", "2,,3"), "--groups"), (("--groups", ""), "--groups"), (("--groups", "x"), "--groups x"),
    (("--local-size", "0"), "--local-size '0'"), (("--local-size", "2x"), "--local-size '2x'"),
    (("--kernel", "nosuch"), "no kernel 'nosuch'"), (("--kernel", ""), "--kernel"),
    (("--budget", "0"), "--budget 0"), (("--budget", "86401"), "--budget 86401"), (("--memory", "0"), "--memory 0"),
    (("-d", "pocl"), "--device pocl: all schedules are explored on a model device"),
    (("-d", "model:nosuch"), "model:nosuch"), (("--fail-on", "starved"), "--fail-on starved: expected"),
    (("--format", "csv"), "--format csv: expected text or json"), (("--shard", "2/2"), "--shard"),
    (("extra",), "unknown scenario extra"),
]


class Refused(prove_case.Case):
    def refused(self, *arguments, words, code=EXIT_USAGE):
        result = self.run_gridlock("prove", *map(str, arguments), code=code)
        self.assertEqual(result.out, "", str(result))
        self.assert_sentence("".join(line for line in result.err.splitlines(keepends=True)
                                     if "gridlock: run file " not in line), words)

    def test_arguments(self):
        for argument, words in ARGUMENTS:
            with self.subTest(argument=argument):
                self.refused(LOCK, f"--build-options={STANDARD}", "--kernel", "mended", "--groups", "2", "--arg",
                             argument, words=words)

    def test_numbers_that_the_type_does_not_have(self):
        (self.folder / "numbers.cl").write_text(NUMBERS)
        for argument, words in NONE_OF_THEM:
            with self.subTest(argument=argument):
                self.refused("numbers.cl", "--groups", "1", "--arg", argument, words=words)
        for argument in SOME_OF_THEM:
            with self.subTest(argument=argument):
                self.run_gridlock("prove", "numbers.cl", "--groups", "1", "--arg", argument)

    def test_options_without_what_they_are_for(self):
        for option in ("--arg=0=1", "--kernel=mended", "--build-options=-DN=1"):
            with self.subTest(option):
                self.refused("barrier_central", option,
                             words=f"{option.split('=')[0]} is for a file of OpenCL C, and none is given")
        self.refused(LOCK, "--rounds", "3", words="--rounds is for a scenario, and none is given")

    def test_argument_given_twice(self):
        for second in ("0", "lock"):
            with self.subTest(second=second):
                self.refused(LOCK, f"--build-options={STANDARD}", "--kernel", "mended", "--groups", "2", "--arg",
                             "0=buffer:4", "--arg", f"{second}=buffer:8", words="it is given twice")

    def test_operands_are_named_as_they_are_given(self):
        self.refused(f"{'x' * 4094}.cl", words=f"gridlock: '{'x' * 40}...': expected a path of 1 to 4095 bytes")
        self.refused(*(f"{i}.cl" for i in range(1025)), words=".cl: at most ")

    def test_too_many_arguments(self):
        self.refused(LOCK, *(word for i in range(49) for word in ("--arg", f"{i}=0")), words="at most 48 are allowed")

    def test_options(self):
        for options, words in OPTIONS:
            with self.subTest(options=options):
                self.refused(LOCK, f"--build-options={STANDARD}", *options, words=words)

    def test_files(self):
        (self.folder / "empty.cl").touch()
        (self.folder / "binary.cl").write_bytes(bytes(range(256)))
        (self.folder / "folder.cl").mkdir()
        for files, words in (((), "expected a file of OpenCL C"), (("nosuch.cl",), "nosuch.cl: No such file"),
                             (("empty.cl",), "the file is empty"), (("binary.cl",), "is a binary: expected OpenCL C"),
                             (("folder.cl",), "folder.cl"), (("barrier_centre",), "unknown scenario barrier_centre")):
            with self.subTest(files=files):
                self.refused(*files, words=words)


class NotExplored(prove_case.Case):
    def refused(self, path, words, *options, build=""):
        launch, = self.prove(path, "--groups", "2", *options, build=build, code=EXIT_UNSUPPORTED)
        self.assertEqual(launch["verdict"], "none")
        self.assertIn(words, launch["note"])
        self.assertNotIn("needs", launch)

    def test_file_that_does_not_build(self):
        path = self.folder / "broken.cl"
        path.write_text("kernel void broken(global int *a) { a[0] = ; }\n")
        self.refused(path, "does not build")
        text = self.run_gridlock("prove", "broken.cl", "--groups", "2", code=EXIT_UNSUPPORTED)
        self.assertIn("broken.cl:1:44: error: expected expression", text.err)
        self.assertIn("broken.cl, 2 groups of 1\n  not explored: ", text.out)

    def test_standard_that_would_do_is_said(self):
        err = self.run_gridlock("prove", LOCK, "--groups", "2", "-q", code=EXIT_UNSUPPORTED).err
        self.assertIn(f"it builds with --build-options={STANDARD}", err)

    def test_buffer_that_is_too_large(self):
        self.refused(LOCK, "argument 0 (lock) of mended cannot be set", "--kernel", "mended", "--arg",
                     "0=buffer:4294967295", build=STANDARD)

    def test_too_many_work_items(self):
        self.refused(LOCK, "2 groups of 33 work-items are too many: all schedules are explored of at most 64",
                     "--kernel", "mended", "--local-size", "33", build=STANDARD)


if __name__ == "__main__":
    gridlock_test.main()
