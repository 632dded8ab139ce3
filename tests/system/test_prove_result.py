"""gridlock prove --result: each end of a launch is held against what the user says is right."""
import struct

import gridlock_test
import prove_case
import schemas
from gridlock_test import EXIT_OK, EXIT_USAGE
from prove_case import EXIT_SURPRISE

# Who comes first takes the first number; and with ids it does not matter who does.
KERNELS = """
uint twice(uint x) { return FACTOR * x; }
kernel void by_ticket(global uint *out, global atomic_uint *next)
{
    out[get_group_id(0)] = 2 * atomic_fetch_add(next, 1);
}
kernel void by_id(global uint *out, global atomic_uint *next)
{
    atomic_fetch_add(next, 1);
    out[get_group_id(0)] = 2 * get_group_id(0);
}
kernel void others(global float *real, global int2 *pairs, global char *bytes)
{
    real[0] = 0.5f;
    pairs[get_group_id(0)] = (int2)(-(int)get_group_id(0), 7);
    bytes[get_group_id(0)] = (char)-3;
}
"""
TEXT = """  It ends with a wrong result: out[0] is 2, and 0 is right.
      group 1 updates next[0] at tickets.cl:5: 0 becomes 1
      group 0 updates next[0] at tickets.cl:5: 1 becomes 2
"""


class Results(prove_case.Case):
    BUFFERS = ("--arg=out=buffer:8", "--arg=next=buffer:4")
    OTHERS = ("--arg=real=buffer:4", "--arg=pairs=buffer:16", "--arg=bytes=buffer:2")

    def setUp(self):
        super().setUp()
        self.file = self.folder / "tickets.cl"
        self.file.write_text(KERNELS)
        (self.folder / "right").write_bytes(struct.pack("2I", 0, 2))

    def launch(self, kernel, *options, code=EXIT_OK, buffers=BUFFERS):
        launch, = self.prove(self.file, "--kernel", kernel, "--groups", "2", *buffers,
                             *(f"--result={option}" for option in options), code=code,
                             build=f"{prove_case.STANDARD} -DFACTOR=2")
        return launch

    def refusal(self, *options):
        result = self.run_gridlock("prove", str(self.file), "--kernel", "by_id", "-q", *self.BUFFERS,
                                   f"--build-options={prove_case.STANDARD} -DFACTOR=2", *options, code=EXIT_USAGE)
        self.assertEqual(result.err.count("\n"), 1, result.err)
        return result.err

    def test_right_in_each_way_to_say_it(self):
        for right in ("out=0,2", "0=0,2", "out=i * 2", "out=twice(i)", "out=i * 4 / groups / items", "out=file:right"):
            with self.subTest(right):
                launch = self.launch("by_id", right, "next=groups")
                self.assertEqual((launch["verdict"], launch["wrong_ends"], launch["wrong_end"]), ("proved", 0, None))

    def test_wrong_in_each_way_to_say_it(self):
        for right in ("out=0,2", "out=i * 2", "out=twice(i)", "out=file:right"):
            with self.subTest(right):
                launch = self.launch("by_ticket", right, code=EXIT_SURPRISE)
                self.assertEqual((launch["verdict"], launch["ends"], launch["wrong_ends"]), ("wrong-result", 2, 1))
                wrong = launch["wrong_end"]
                self.assertEqual([wrong[name] for name in ("object", "offset", "bytes", "is", "right")],
                                 ["out", 0, 4, "2", "0"])
                self.assertEqual([step["group"] for step in wrong["steps"]], [1, 0])

    def test_nobody_said_what_is_right(self):
        launch = self.launch("by_ticket")
        self.assertEqual((launch["verdict"], launch["wrong_ends"], launch["wrong_end"]), ("proved", None, None))

    def test_each_buffer_has_to_be_right(self):
        launch = self.launch("by_id", "out=0,2", "next=(3)", code=EXIT_SURPRISE)
        self.assertEqual((launch["wrong_end"]["object"], launch["wrong_end"]["is"]), ("next", "2"))

    def test_numbers_of_all_kinds(self):
        right = ("real=(0.5f)", "pairs=(int2)(0,7),(int2)(-1,7)", "bytes=-3,-3")
        self.assertEqual(self.launch("others", *right, buffers=self.OTHERS, code=None)["wrong_ends"], 0)
        for other, told in (("real=0.25", ("real", 0, 4, "0.5", "0.25")),
                            ("pairs=(int2)(0,7),(int2)(-9,7)", ("pairs", 8, 4, "-1", "-9")),
                            ("bytes=-3,4", ("bytes", 1, 1, "-3", "4"))):
            with self.subTest(other):
                wrong = self.launch("others", other, buffers=self.OTHERS, code=EXIT_SURPRISE)["wrong_end"]
                self.assertEqual(tuple(wrong[name] for name in ("object", "offset", "bytes", "is", "right")), told)

    def test_told_and_kept(self):
        path = str(self.folder / "a.run")
        told = self.run_gridlock("prove", str(self.file), f"--build-options={prove_case.STANDARD} -DFACTOR=2",
                                 "--kernel", "by_ticket", "--groups", "2", "-q", *self.BUFFERS, "--result", "out=i * 2",
                                 "-o", path, code=EXIT_SURPRISE).out
        self.assertIn(TEXT, told)
        self.assertIn("ends on every device; 1 of 2 results are wrong\n", told)
        self.assertIn(TEXT, self.run_gridlock("report", path, code=EXIT_SURPRISE).out)
        document = self.run_gridlock("report", path, "--format", "json", code=EXIT_SURPRISE).json()
        if schemas.jsonschema is not None:
            schemas.validator("prove").validate(document)

    def test_what_does_not_fit_is_refused_in_a_sentence(self):
        (self.folder / "long").write_bytes(bytes(9))
        for right, words in (("nothing=1,2", "by_id has no buffer that is called so"),
                             ("2=1,2", "by_id has no buffer that is called so"),
                             ("out=1,2,3", "3 values, and the buffer has 2: --arg out=buffer:BYTES"),
                             ("out=1", "1 values, and the buffer has 2"),
                             ("out=file:long", "9 bytes in the file, and the buffer has 8"),
                             ("out=file:none", "No such file"),
                             ("out=other(i)", "'other(i)' does not build: error: "),
                             ("out", "expected ARGUMENT=VALUE,VALUE,..."),
                             ("out=", "expected ARGUMENT=VALUE,VALUE,...")):
            with self.subTest(right):
                self.assertIn(words, self.refusal("--result", right))
        self.assertIn("at most 4", self.refusal(*["--result=out=0,2"] * 5))
        self.assertIn("for kernels of a FILE.cl", self.refusal("lock_tas", "--result=out=0,2"))


if __name__ == "__main__":
    gridlock_test.main()
