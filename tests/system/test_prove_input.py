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

# Options, and words of the sentence.
OPTIONS = [
    (("--groups", "0"), "--groups 0: expected a whole number from 1 to 32"),
    (("--groups", "33"), "--groups 33: expected a whole number from 1 to 32"),
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

    def test_argument_given_twice(self):
        for second in ("0", "lock"):
            with self.subTest(second=second):
                self.refused(LOCK, f"--build-options={STANDARD}", "--kernel", "mended", "--groups", "2", "--arg",
                             "0=buffer:4", "--arg", f"{second}=buffer:8", words="it is given twice")

    def test_too_many_arguments(self):
        self.refused(LOCK, *(word for i in range(21) for word in ("--arg", f"{i}=0")), words="at most 20 are allowed")

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
