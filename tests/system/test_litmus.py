"""gridlock litmus: programs that tell models of progress apart. No device is needed, and none is looked for."""
import os
import re
import shutil
import signal
import subprocess
import unittest

import gridlock_test
from gridlock_test import EXIT_HARNESS, EXIT_OK, EXIT_USAGE

MUTEX = "0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2"
SPIN = "0,0,-,0|0,0,1,1"  # thread 0 waits for thread 1
TUG = "0,0,1,0|0,1,0,0"  # each undoes what the other does
VERDICTS = {
    MUTEX: "HSA=FF OBE=PP HSA_OBE=PP LOBE=PP FAIR=PP",
    SPIN: "HSA=FF OBE=FF HSA_OBE=FF LOBE=FF FAIR=PP",
    TUG: "HSA=FP OBE=FP HSA_OBE=FP LOBE=FP FAIR=FP",
}
LINE = re.compile(r"[\d,;|-]+\tHSA=[PF]{2}\tOBE=[PF]{2}\tHSA_OBE=[PF]{2}\tLOBE=[PF]{2}\tFAIR=[PF]{2}")
LISTING = """thread 0 {
    L0: if (exchange(x, 1) == 1) goto L0;
    L1: x = 0;
}
thread 1 {
    L0: if (exchange(x, 1) == 1) goto L0;
    L1: x = 0;
}
"""


def line(program):
    return "\t".join([program, *VERDICTS[program].split()]) + "\n"


class Case(gridlock_test.Case):
    def litmus(self, *arguments, programs=None, code=EXIT_OK):
        """Runs it with these programs on its standard input, a text or bytes."""
        if isinstance(programs, str):
            programs = programs.encode()
        path = self.folder / "programs"
        path.write_bytes(programs or b"")
        with open(path, "rb") as stdin:
            return self.run_gridlock("litmus", *arguments, stdin=stdin, code=code, OCL_ICD_VENDORS=self.folder)

    def refuse(self, *arguments, programs=None, words=()):
        result = self.litmus(*arguments, programs=programs, code=EXIT_USAGE)
        self.assert_sentence(result.err, *words)
        self.assertEqual(result.err.count("\n"), 1, result.err)
        return result

    def enumerate(self, threads, instructions, *arguments):
        return self.litmus("enumerate", "--threads", str(threads), "--instructions", str(instructions), *arguments).out


class Refusals(Case):
    def test_options(self):
        for arguments, words in (
                ((), "expected enumerate, judge, print or choose"),
                (("nosuch",), "nosuch"),
                (("judge", "judge"), "cannot open judge"),
                (("judge", "/"), "cannot open /: Is a directory"),
                (("enumerate",), "--threads and --instructions are required"),
                (("enumerate", "--threads", "2"), "--instructions"),
                (("enumerate", "--threads", "0", "--instructions", "2"), "--threads 0"),
                (("enumerate", "--threads", "9", "--instructions", "9"), "from 1 to 8"),
                (("enumerate", "--threads", "-1", "--instructions", "2"), "--threads -1"),
                (("enumerate", "--threads", "2", "--instructions", "9"), "from 1 to 8"),
                (("enumerate", "--threads", "2", "--instructions", "x"), "--instructions x"),
                (("enumerate", "--threads", "3", "--instructions", "2"), "at least"),
                (("enumerate", "--threads", "2", "--instructions", "2", "--jobs", "0"), "--jobs 0"),
                (("enumerate", "--threads", "2", "--instructions", "2", "--jobs", "257"), "from 1 to 256"),
                (("enumerate", "--threads", "2", "--instructions", "2", "--shard", "2/2"), "--shard 2/2"),
                (("enumerate", "--threads", "2", "--instructions", "2", "--witness"), "judge"),
                (("enumerate", "--threads", "2", "--instructions", "2", "--format", "c"), "judge"),
                (("judge", "--format", "json"), "--format json"),
                (("judge", "--threads", "2"), "enumerate"),
                (("judge", "--shard", "0/2"), "enumerate"),
                (("print", "--jobs", "2"), "enumerate"),
                (("print", "--witness"), "judge"),
                (("print", "--format", "dot"), "judge")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.refuse(*arguments, words=(words,)).out, "")

    def test_malformed_programs(self):
        """Line and column of the first one are named, and what stands before it is judged."""
        for programs, place in (
                ("0", "line 1, column 2"),
                (",", "line 1, column 1"),
                ("hello", "line 1, column 1"),
                ("0,0,-,0|", "line 1, column 9"),
                ("0,0,-,2", "line 1, column 7"),
                ("\n# all of this\n\n  0,0,2,0\n", "line 4, column 7"),
                ("thread 0 {\n  L0: x = 3;\n}\n", "line 2, column 11"),
                ("thread 0 {\n  L0: x = 1;\n", "line 3, column 1"),
                (b"0,0,\x00,0", "line 1, column 5"),
                (b"\x7fELF\x02\x01\xff", "line 1, column 1"),
                (b"\xef\xbb\xbf0,0,-,0", "line 1, column 1"),
                ("0,0,-,0|" * 16 + "0,0,-,0", "line 1, column 129"),
                ("0,0,-,0;" * 64 + "0,0,-,0", "line 1, column 513"),
                ("0" * 100000, "line 1, column"),
                (" " * 100000, "line 1, column")):
            for mode in ("judge", "print"):
                with self.subTest(programs=programs[:40], mode=mode):
                    self.assertEqual(self.refuse(mode, programs=programs, words=(place,)).out, "")
        result = self.refuse("judge", programs=f"{MUTEX}\n0,0,-,9\n{SPIN}\n", words=("line 2, column 7",))
        self.assertEqual(result.out, line(MUTEX))

    def test_large_programs(self):
        """They are judged or refused; the number of states is bounded."""
        straight = "|".join(";".join(f"0,0,-,{i + 1}" for i in range(4)) for _ in range(16))
        result = self.refuse("judge", programs=f"{MUTEX}\n{straight}\n{SPIN}\n", words=("line 2", "524288 states"))
        self.assertEqual(result.out, line(MUTEX))
        long = ";".join(f"0,0,-,{i + 1}" for i in range(64))
        self.assertRegex(self.litmus("judge", programs=long).out, "HSA=PP\t")
        wide = "|".join(["0,0,-,0"] * 16)
        self.assertRegex(self.litmus("judge", "--witness", programs=wide).out, "HSA=FF\t.*\tFAIR=FF")

    def test_files(self):
        """Instead of the standard input, one after the other; of a fault it is said in which of them."""
        (self.folder / "a").write_text(f"# one\n{MUTEX}\n")
        (self.folder / "b").write_text(SPIN)
        self.assertEqual(self.run_gridlock("litmus", "judge", "a", "b").out, line(MUTEX) + line(SPIN))
        self.assertEqual(self.litmus("judge", "a", "-", programs=SPIN).out, line(MUTEX) + line(SPIN))
        self.assertEqual(self.run_gridlock("litmus", "print", "b", "--format", "text").out, SPIN + "\n")
        (self.folder / "c").write_text("\n0,0,-,9\n")
        result = self.run_gridlock("litmus", "judge", "a", "c", "b", code=EXIT_USAGE)
        self.assertEqual(result.out, line(MUTEX))
        self.assert_sentence(result.err, "c: line 2, column 7")
        os.mkfifo(self.folder / "pipe")
        for name, words in (("nosuch", "No such file"), (MUTEX, "No such file"), ("pipe", "not a regular file")):
            with self.subTest(name=name):
                self.assert_sentence(self.run_gridlock("litmus", "judge", name, code=EXIT_USAGE).err, name, words)
        for mode in ("enumerate", "choose"):
            self.assert_sentence(self.run_gridlock("litmus", mode, "a", code=EXIT_USAGE).err, "unexpected argument: a")

    def test_closed_output(self):
        """As of any command: what could not be written is a failure of the tool."""
        with open("/dev/full", "w", encoding="ascii") as full:
            for arguments in (("enumerate", "--threads", "2", "--instructions", "4"), ("judge",)):
                process = subprocess.run([gridlock_test.PROGRAM, "litmus", *arguments], input=f"{MUTEX}\n" * 1000,
                                         stdout=full, stderr=subprocess.PIPE, text=True, env=self.environment(),
                                         check=False)
                self.assertEqual(process.returncode, EXIT_HARNESS)
                self.assert_sentence(process.stderr, "cannot write")

    def test_closed_input(self):
        """A folder can be opened, and not be read."""
        descriptor = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        result = self.run_gridlock("litmus", "judge", stdin=descriptor, code=EXIT_HARNESS)
        self.assert_sentence(result.err, "cannot read")


class Judge(Case):
    def test_verdicts(self):
        for program in VERDICTS:
            self.assertEqual(self.litmus("judge", programs=program).out, line(program))

    def test_nothing(self):
        for programs in ("", "\n\n", "# nothing\n\n  # at all"):
            self.assertEqual(self.litmus("judge", programs=programs).out, "")

    def test_forms_can_be_mixed(self):
        programs = f"# a comment\r\n{SPIN}\r\n\n{LISTING}\n{TUG}\tHSA=FP\n{LISTING}{LISTING}"
        self.assertEqual(self.litmus("judge", programs=programs).out,
                         line(SPIN) + line(MUTEX) + line(TUG) + line(MUTEX) + line(MUTEX))

    def test_order_and_number_are_kept(self):
        programs = [MUTEX, SPIN, TUG] * 2000
        self.assertEqual(self.litmus("judge", programs="\n".join(programs)).out, "".join(map(line, programs)))

    def test_witness(self):
        out = self.litmus("judge", "--witness", programs=f"{MUTEX}\n{TUG}\n").out
        self.assertEqual(re.findall(r"(?m)^# (\w+), (weak(?: and strong)?): ", out),
                         [("HSA", "weak and strong"), ("HSA", "weak"), ("OBE", "weak"), ("HSA_OBE", "weak"),
                          ("LOBE", "weak"), ("FAIR", "weak")])
        self.assertEqual(out.count("repeated forever:\n"), 6)
        self.assertEqual(self.litmus("judge", programs=out).out, line(MUTEX) + line(TUG), "it can be read again")

    def test_no_witness_without_failure(self):
        self.assertEqual(self.litmus("judge", "--witness", programs="0,0,1,1").out.count("\n"), 1)

    def test_dot(self):
        out = self.litmus("judge", "--format", "dot", programs=f"{MUTEX}\n{TUG}\n0,0,1,1\n").out
        self.assertEqual(re.findall(r"cluster_(\w+)", out), ["HSA", "HSA", "OBE", "HSA_OBE", "LOBE", "FAIR"])
        self.assertEqual(out.count("digraph"), 3)
        self.assertEqual(out.count("{"), out.count("}"))
        self.assertIn("style = bold", out)

    @unittest.skipIf(shutil.which("dot") is None, "Graphviz is not installed")
    def test_dot_is_dot(self):
        out = self.litmus("judge", "--format", "dot", programs=f"{MUTEX}\n{TUG}\n").out
        drawn = subprocess.run(["dot", "-Tsvg"], input=out, capture_output=True, text=True, check=False)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        self.assertEqual(drawn.stdout.count("<svg"), 2)

    def test_listing(self):
        out = self.litmus("judge", "--format", "c", programs=MUTEX).out
        self.assertEqual(out, f"# {line(MUTEX)}{LISTING}\n")
        self.assertEqual(self.litmus("judge", "--format", "c", programs=out * 2).out, out * 2)


class Print(Case):
    def test_both_ways(self):
        """Each enumerated program as a listing and back."""
        programs = re.findall(r"(?m)^\S+", self.enumerate(2, 3) + self.enumerate(3, 3))
        listings = self.litmus("print", programs="\n".join(programs)).out
        self.assertEqual(self.litmus("print", "--format", "text", programs=listings).out.split(), programs)
        self.assertEqual(self.litmus("print", programs=listings).out, listings)

    def test_mutex(self):
        self.assertEqual(self.litmus("print", programs=MUTEX).out, f"# {MUTEX}\n{LISTING}\n")


class Enumerate(Case):
    def test_counts(self):
        for (threads, instructions), count in {(1, 1): 0, (1, 8): 0, (2, 2): 8, (2, 3): 162, (3, 3): 60}.items():
            lines = self.enumerate(threads, instructions).splitlines()
            self.assertEqual(len(set(lines)), count)
            self.assertEqual(len(lines), count)
            for text in lines:
                self.assertRegex(text, LINE)

    def test_is_judged_as_judge_does(self):
        out = self.enumerate(2, 3)
        self.assertEqual(self.litmus("judge", programs=out).out, out)

    def test_jobs(self):
        out = self.enumerate(3, 4)
        for jobs in ("1", "2", "3", "16"):
            self.assertEqual(self.enumerate(3, 4, "--jobs", jobs), out)

    def test_shards(self):
        whole = self.enumerate(2, 4).splitlines()
        parts = [self.enumerate(2, 4, "--shard", f"{index}/3").splitlines() for index in range(3)]
        self.assertTrue(all(parts), "an empty shard")
        self.assertEqual(sorted(sum(parts, [])), sorted(whole))
        for part in parts:
            self.assertEqual(part, [text for text in whole if text in set(part)], "a shard keeps the order")

    @unittest.skipIf("TSAN_OPTIONS" in os.environ,
                     "ThreadSanitizer delivers no signal to a thread that joins another one")
    def test_interrupted(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.start("litmus", "enumerate", "--threads", "2", "--instructions", "8")
            process.stdout.readline()
            process.send_signal(number)
            result = self.finish(process)
            self.assertEqual(result.code, code, result.err)
            self.assert_sentence(result.err, "interrupted")
            self.assertTrue(result.out.endswith("\n"), "half a line")


if __name__ == "__main__":
    gridlock_test.main()
