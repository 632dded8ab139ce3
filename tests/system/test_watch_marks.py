#!/usr/bin/env python3
"""gridlock watch --marks: which groups of a launch have started is known, and the program does what it does without."""
import shutil
import signal
import unittest

import gridlock_test
import schemas
from gridlock_test import EXIT_USAGE, needs_driver
from watch_case import CANNOT_LOOK, DRIVERS, Case

HEAD = "volatile global int *n"
LOCK = "{ while (atomic_cmpxchg(n, 0, 1) != 0); }\n"
LATER = ("-cl-std=CL2.0", "-cl-std=CL3.0")  # drivers know one of them, or both
# What a kernel `lock` is made of, build options to choose from, and why its launch has no marks; or None, if it has.
TEXTS = {
    "as it is": (f"kernel void lock({HEAD}) {LOCK}", ("",), None),
    "declared, and called by another one": (
        f"kernel void lock({HEAD});\nkernel void other({HEAD}) {{ lock(n); }}\n__kernel void lock({HEAD}) {LOCK}",
        ("",), None),
    "in a condition": (
        f"#ifdef A\nkernel void lock({HEAD}) {LOCK}#else\nkernel void lock(int a, int b) {{ }}\n#endif\n",
        ("-DA",), None),
    "of a later standard": (f"typedef struct a {{ int b; }} c;\nconstant int d = 3;\nint e(int f);\n"
                            f"int e(int f) {{ return f; }}\nkernel void lock({HEAD}) {LOCK}", LATER, None),
    "a head by a macro": (f"#define K(name) kernel void name({HEAD})\nK(lock) {LOCK}", ("",), "head"),
    "a name that is taken": (f"kernel void lock({HEAD}) {{ int gridlock_marks; {LOCK[1:]}", ("",), "build"),
    "a name of the language": (f"#define get_group_id(i) 7\nkernel void lock({HEAD}) {LOCK}", ("",), "macro"),
    "a variable of the program": (f"global int counter;\nkernel void lock({HEAD}) {LOCK}",
                                  ("", *LATER), "variables"),
    "a variable of a function": (f"kernel void lock({HEAD}) {{ static global int counter; {LOCK[1:]}", ("", *LATER),
                                 "variables"),
}


class Marks(Case):
    source = "watched.c"
    variables = {"POCL_MAX_PTHREAD_COUNT": 2}

    def wait_for_started(self, process, started, commands=1):
        """Groups start when the driver's threads get their turns; returns the commands, once so many of theirs have."""
        told = []

        def look():
            if self.stalls():
                process.send_signal(signal.SIGUSR1)
            told[:] = [line["commands"] for line in self.stalls() if len(line["commands"]) == commands and
                       sum(command.get("started", 0) for command in line["commands"]) == started]
            return told

        self.wait_until(look, f"{started} groups have started")
        return told[-1]

    def stalled(self, *words, started=2, options=(), **variables):
        """The launch that hangs, as it was told, and what was said in the end."""
        self.log.unlink(missing_ok=True)
        process = self.begin(*words, options=["--marks", *options], **{**self.variables, **variables})
        (command,) = self.wait_for_started(process, started)
        end = self.end(process)
        for line in self.lines():
            schemas.validator("watch-program").validate(line)
        return command, end["processes"][0]


@needs_driver("pocl")
class Stalled(Marks):
    def test_more_groups_than_fit(self):
        """As many have started as the driver has threads, and each other group is in a range of those that have not."""
        for door in ("driver", "layer"):
            for local, variables in ((1, {}), (2, {"WATCHED_DIMENSIONS": 2}), (3, {"WATCHED_DIMENSIONS": 3})):
                with self.subTest(door=door, dimensions=local):
                    command, end = self.stalled("barrier_of_all", options=["--door", door], **variables)
                    self.assertEqual((command["groups"], command["started"]), (64, 2))
                    missing = [i for first, last in command["not_started"] for i in range(first, last + 1)]
                    self.assertEqual((len(missing), len(set(missing)), max(missing) < 64), (62, 62, True))
                    self.assertNotIn("not_marked", command)
                    self.assertEqual(end["marks"], {"marked": 1})

    def test_all_have_started(self):
        command, _ = self.stalled("circle")
        self.assertEqual((command["groups"], command["started"], command["not_started"]), (2, 2, []))

    def test_one_that_comes_behind_has_none(self):
        """The second launch is of another queue, and waits for the driver's threads."""
        process = self.begin("two_queues", options=["--marks"], **self.variables)
        self.wait_for_started(process, 2, commands=2)
        self.end(process)

    def test_nobody_asked(self):
        process = self.begin("lock", **self.variables)
        command = self.wait_for_stall()["commands"][0]
        self.assertFalse({"started", "not_started", "not_marked"} & set(command))
        self.assertNotIn("marks", self.end(process)["processes"][0])

    @unittest.skipIf(CANNOT_LOOK, "this build cannot look at processes")
    def test_text(self):
        run = self.folder / "seen.gridlock"
        said = self.finish(self.start("watch", "--marks", "--deadline", "0.2", "--on-stall", "end", "--summary", "-o",
                                      str(run), str(self.program), "barrier_of_all", **self.variables)).err
        self.assertRegex(said, r"    1 runs: kernel barrier_of_all, 1024 work-items in 64 groups of 16, .*; "
                               r"2 of its groups have started, and groups \d[\d, to]* have not\n")
        self.assertIn("which groups have started was marked in 1 launch\n", said)
        explained = " ".join(self.run_gridlock("explain", str(run)).out.split())
        self.assertIn("2 of its groups have started, and", explained)


@needs_driver("pocl")
class Texts(Marks):
    """Where it cannot be done the program's own kernel is launched, and that is said."""

    def check(self, why, *words, **variables):
        command, end = self.stalled("lock", *words, started=0 if why else 2, **variables)
        self.assertEqual(command.get("not_marked"), why)
        self.assertEqual(command.get("started"), None if why else 2)
        self.assertEqual(end["marks"], {why or "marked": 1})

    def test_texts(self):
        for name, (text, choice, why) in TEXTS.items():
            built = [options for options in choice if self.bare("build", options, WATCHED_SOURCE=text).returncode == 0]
            for options in built:
                with self.subTest(name, options=options):
                    self.check(why, options, WATCHED_SOURCE=text)
            if not built:
                with self.subTest(name):
                    self.skipTest("the driver does not build it")

    def test_a_program_without_source(self):
        self.check("source", WATCHED_BINARY=1)

    def test_launches(self):
        self.check("local", WATCHED_LOCAL=1)

    def test_a_queue_that_is_out_of_order(self):
        self.check(None, WATCHED_ORDER=1)

    def test_it_is_said(self):
        said = self.finish(self.start("watch", "--marks", "--deadline", "0.2", "--on-stall", "end", "--summary",
                                      str(self.program), "lock", WATCHED_BINARY=1, **self.variables)).err
        self.assertIn("; which of its groups have started is not known: the source is not known\n", said)
        self.assertIn("was marked in 0 launches; of others it is not known: the source is not known (1)\n", said)

    def test_pid(self):
        said = self.run_gridlock("watch", "--marks", "--pid", "1", code=EXIT_USAGE).err
        self.assert_sentence(said, "--marks", "--pid")


@needs_driver("pocl")
class Sound(Case):
    """The program does what it does without."""

    def same(self, mode, driver="pocl", door="driver", **changes):
        name, variables = DRIVERS[driver]
        variables = {**variables, **changes}
        bare = self.bare(mode, name, **variables)
        if bare.returncode == 77:
            self.skipTest(f"{driver} has no device")
        result = self.run_gridlock("watch", "--marks", "--door", door, "--format", "json", "--log", str(self.log),
                                   str(self.program), mode, name, code=None, **variables)
        self.assertEqual((result.code, result.out, result.err), (bare.returncode, bare.stdout, bare.stderr))
        marks = [process.get("marks", {}) for process in self.lines()[-1]["processes"]]
        self.assertEqual(sum(count for each in marks for count in each.values()), self.lines()[-1]["launches"])
        return {name: count for each in marks for name, count in each.items()}

    def test_launches(self):
        for door in ("driver", "layer"):
            self.assertEqual(self.same("sum", door=door), {"marked": 500})
            self.assertEqual(self.same("refused", door=door), {})
            self.same("threads", door=door)
            self.assertEqual(self.same("apart", door=door, POCL_MAX_PTHREAD_COUNT=4), {"marked": 64, "room": 38})
            self.same("exit-in-callback", door=door)

    def test_many_launches(self):
        """More than there is room for."""
        self.assertLessEqual(set(self.same("many")), {"marked", "room"})

    def test_fork_and_exec(self):
        self.same("fork")

    def test_rusticl(self):
        self.assertEqual(self.same("sum", "rusticl"), {"marked": 500})

    @unittest.skipIf(shutil.which("prlimit") is None, "no prlimit")
    def test_limited_files(self):
        """A process that may write no files of that size goes on without marks."""
        result = self.run_gridlock("watch", "--marks", "--summary", "prlimit", "--fsize=4000000", str(self.program),
                                   "sum")
        self.assertEqual(result.out, "124750\n")
        self.assertIn("of others it is not known: too many groups, queues, or launches that are open (500)", result.err)


if __name__ == "__main__":
    gridlock_test.main()
