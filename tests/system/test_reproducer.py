"""Reproducers: a program of two files that does a launch again, without anything of gridlock's."""
import contextlib
import os
import pathlib
import re
import shutil
import sqlite3
import struct
import subprocess

import gridlock_test

POCL = "Portable Computing Language"
THREADS = {"POCL_MAX_PTHREAD_COUNT": "4"}
FILES = ["stall.c", "stall.cl"]
STALLED, PASSED, HUNG, OTHER = 1, 0, 3, 4
NOT_SHOWN = "This program was written for another outcome, which did not show: {}.\n"

# For each kind of cause the point at which four threads show it.
CAUSES = {
    "circular-wait": "cause_circular_wait/cl30/l64/order=naive/g4",
    "livelock": "cause_livelock/cl30/l64/order=together/g4",
    "lost-signal": "cause_lost_signal/cl30/l64/waiters=1,late=3,fault=no-store/g4",
    "lost-unlock": "cause_lost_unlock/cl30/l64/rounds=1,fault=forgotten-unlock/g4",
    "not-dispatched": "cause_not_dispatched/cl30/l64/waiters=1,late=1/g16",
    "not-published": "cause_not_published/cl30/l64/rounds=1,fault=hoisted/g4",
    "occupancy": "cause_occupancy/cl30/l64/g5",
    "unequal-trips": "cause_unequal_trips/cl30/l64/rounds=3,fault=unequal-rounds/g4",
    "work-items": "cause_work_items/cl30/l64/g4",
}

PASSES = "cause_occupancy/cl30/l64/g4"

# A run of these points alone.
POINTS = (*sorted({point.partition("/")[0] for point in CAUSES.values()}), "-t",
          f"^({'|'.join([*CAUSES.values(), PASSES])})$")

OWN_KERNEL = """/*
 * kernel:  own
 * purpose: all groups wait for the last one
 * needs:   all groups resident
 * fails:   those inside wait for one that cannot start
 * source:  a test
 * option:  shout-it = no | yes
 * param:   first = 7 in 1..9  what the word begins with
 * words:   1
 * result:  1 = 1
 */
#include "group.h"

#if defined(SHOUT_IT_YES)
#error "this is not built"
#endif

GL_KERNEL void own(global uint *board)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    if (self.leader) {
        gl_round(&self, 1);
        gl_add(board + gl_sync(&self, 0), gl_own(&self, PARAM_FIRST));
        gl_wait(&self, gl_sync(&self, 0), gl_own(&self, PARAM_FIRST) * self.groups, GL_GROUP_ALL);
    }
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}
"""


def scatter(x):
    """splitmix64."""
    mask = 2**64 - 1
    x = (x + 0x9E3779B97F4A7C15) & mask
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return x ^ (x >> 31)


@gridlock_test.needs_driver("pocl")
class Reproducer(gridlock_test.Case):
    def environment(self, **changes):
        return super().environment(**{**THREADS, **changes})

    def run_trial(self, *arguments, command="run"):
        """The file of such a run, for this test to do with as it likes."""
        def make(path):
            self.run_gridlock(command, "-d", "pocl", *arguments, "-o", str(path), "-q", code=None)
            self.assertTrue(path.exists(), arguments)
        return self.kept_file(self.folder / "run.gridlock", (command, *arguments), make)

    def reproduce(self, run, trial=None, folder="reproducer", code=gridlock_test.EXIT_OK):
        folder = self.folder / folder
        result = self.run_gridlock("explain", f"{run}:{trial}" if trial else str(run), "--reproducer", str(folder),
                                   code=code)
        return folder, result

    def compile(self, folder, *flags, compiler="gcc"):
        """In a folder that has nothing but the two files."""
        self.assertEqual(sorted(os.listdir(folder)), FILES)
        alone = pathlib.Path(folder.parent / f"{folder.name}-{compiler}{''.join(flags)}")
        shutil.copytree(folder, alone)
        build = subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", *flags, "stall.c", "-lOpenCL", "-o", "stall"],
                               cwd=alone, capture_output=True, text=True)
        self.assertEqual((build.returncode, build.stderr), (0, ""))
        return alone

    def execute(self, folder, *arguments, code, **variables):
        arguments = arguments or (POCL,)
        done = subprocess.run(["./stall", *arguments], cwd=folder, env=self.environment(**variables),
                              capture_output=True, text=True)
        result = gridlock_test.Result(done.args, done.returncode, done.stdout, done.stderr)
        self.assertEqual(result.code, code, str(result))
        return result

    def counts(self, result):
        found = re.search(r"(\d+) groups of \d+ work-items were launched: (\d+) started, (\d+) done, (\d+) waiting",
                          result.out)
        self.assertIsNotNone(found, str(result))
        return tuple(int(count) for count in found.groups())

    def stored_counts(self, run, trial):
        rows = self.run_file(run).rows(
            "SELECT o.groups, started, done, waiting FROM observation o JOIN trial t ON t.id = o.trial"
            " WHERE name = ? AND board IS NOT NULL", f"{trial}#0")
        return tuple(rows[0].values())

    # --- what it does

    def test_it_fails_in_the_same_way(self):
        run = self.run_trial(*POINTS)
        for cause, point in CAUSES.items():
            with self.subTest(cause=cause):
                folder, _ = self.reproduce(run, point, folder=cause)
                result = self.execute(self.compile(folder), code=STALLED)
                self.assertEqual(self.counts(result), self.stored_counts(run, point), str(result))
                groups, started, _, _ = self.counts(result)
                self.assertEqual("never started: groups" in result.out, started < groups, str(result))
                self.assertTrue(result.out.endswith("It stalled.\n"), str(result))

    def test_it_says_who_waits_for_whom(self):
        run = self.run_trial(*POINTS)
        folder, _ = self.reproduce(run, CAUSES["occupancy"], "occupancy")
        out = self.execute(self.compile(folder), code=STALLED).out
        missing = re.search(r"never started: groups (\d+)\n", out).group(1)
        self.assertRegex(out, r": waiting in round 1 until word 0 of the kernel's has reached 5; it is 4\n")
        self.assertIn("\n * The kernel's words in such a launch: counter = 0.\n", (folder / "stall.c").read_text())
        self.assertIn(f"    for all groups that have not arrived at this round: {missing}\n", out)
        folder, _ = self.reproduce(run, CAUSES["lost-unlock"], "unlock")
        out = self.execute(self.compile(folder), code=STALLED).out
        self.assertRegex(out, r"groups \d: done, after round 1, and still holding a lock\n")
        folder, _ = self.reproduce(run, CAUSES["work-items"], "items")
        self.assertIn("for another work-item of the same group: 0\n",
                      self.execute(self.compile(folder), code=STALLED).out)

    def test_what_passed_passes(self):
        run = self.run_trial(*POINTS)
        folder, result = self.reproduce(run, PASSES)
        self.assertIn("cc stall.c -lOpenCL -o stall && ./stall\n", result.out)
        result = self.execute(self.compile(folder), code=PASSED)
        self.assertEqual(self.counts(result), (4, 4, 4, 0))
        self.assertTrue(result.out.endswith("It passed.\n"), str(result))
        self.assertIn("It passes on the device above", (folder / "stall.c").read_text())

    def test_what_starved_and_passes_is_launched_with_more_groups(self):
        run = self.run_trial(*POINTS)
        for point, threads, code, launched in (("g5", "8", STALLED, [("5", "5"), ("10", "8")]),
                                               ("g5", "32", PASSED, [("5", "5"), ("10", "10"), ("20", "20")]),
                                               ("g4", "8", PASSED, [("4", "4")])):
            with self.subTest(point=point, threads=threads):
                folder, _ = self.reproduce(run, f"cause_occupancy/cl30/l64/{point}", f"{point}-{threads}")
                result = self.execute(self.compile(folder), code=code, POCL_MAX_PTHREAD_COUNT=threads)
                self.assertEqual(re.findall(r"(\d+) groups of 64 work-items were launched: (\d+) started", result.out),
                                 launched)
                self.assertEqual(result.out.count("Starved before, so once more"), len(launched) - 1)
                self.assertEqual(result.out.endswith(NOT_SHOWN.format("starved")), (point, code) == ("g5", PASSED))

    def test_it_says_that_it_shows_something_else(self):
        """What was wrong, or starved, and is a deadlock here."""
        for outcome in ("wrong", "starved"):
            with self.subTest(outcome=outcome):
                run = self.run_trial(*POINTS)
                with contextlib.closing(sqlite3.connect(run)) as database, database:
                    database.execute("UPDATE verdict SET verdict = ?", (outcome,))
                folder, _ = self.reproduce(run, CAUSES["lost-unlock"], outcome)
                head = (folder / "stall.c").read_text().partition(" */\n")[0]
                self.assertIn("4 they did not, but in another way than there",
                              " ".join(head.replace(" * ", "").split()))
                self.assertEqual("in a short form here" in " ".join(head.replace(" * ", "").split()),
                                 outcome == "wrong")
                result = self.execute(self.compile(folder), code=OTHER)
                self.assertTrue(result.out.endswith("It stalled.\n" + NOT_SHOWN.format(outcome)), str(result))

    def test_group_that_ends_without_saying_so_is_no_stall(self):
        kernel = OWN_KERNEL.replace("    gl_leave(&self);\n", "").replace("gl_wait(", "gl_wait_until(").replace(
            "0), gl_own(&self, PARAM_FIRST) * self", "0), GL_UNTIL_EQUAL, gl_own(&self, PARAM_FIRST) * self")
        _, run = self.own(kernel, groups="4", verdict="wrong")
        result = self.execute(self.compile(self.reproduce(run)[0]), code=STALLED)
        self.assertIn("  groups 0-3: ended without saying so, in round 1\n", result.out)
        self.assertTrue(result.out.endswith("It failed.\n"), str(result))

    def test_each_way_to_poll(self):
        path = self.folder / "polls.ini"
        path.write_text(gridlock_test.scenario_text("barrier_central", "1x resident + 1", "starved",
                                                    "local-size = 1\npoll = load, pause, rmw, volatile\n"))
        run = self.run_trial(str(path))
        names = [row["name"] for row in self.run_file(run).rows("SELECT name FROM trial WHERE estimator = 'work'")]
        self.assertEqual(len(names), 4)
        for i, name in enumerate(names):
            with self.subTest(name=name):
                folder, _ = self.reproduce(run, name, folder=f"poll-{i}")
                self.execute(self.compile(folder), code=STALLED)

    def test_limits(self):
        for private, local_memory in ((0, 0), (256, 1024)):
            run = self.run_trial("--local-size=64", f"--private={private}", f"--local-memory={local_memory}",
                                 "--groups=3,5", command="limits")
            name = f"limits/barrier/l64-m{local_memory}-p{private}/g"
            for groups, code in ((3, PASSED), (5, STALLED)):
                with self.subTest(private=private, groups=groups):
                    folder, _ = self.reproduce(run, f"{name}{groups}", folder=f"limits{private}-{groups}")
                    result = self.execute(self.compile(folder), code=code)
                    self.assertEqual(self.counts(result)[1], min(groups, 4))

    def test_old_data_are_told(self):
        run = self.run_trial("mutant_first_arriver")
        rows = self.run_file(run).rows("SELECT name FROM trial t JOIN verdict v ON v.trial = t.id WHERE verdict = "
                                       "'stale'")
        if not rows:
            self.skipTest("this fault does not show here")
        folder, _ = self.reproduce(run, rows[0]["name"])
        done = subprocess.run(["./stall", POCL], cwd=self.compile(folder), env=self.environment(), text=True,
                              capture_output=True)
        if done.returncode == PASSED:
            self.skipTest("this fault does not show each time")
        self.assertEqual(done.returncode, STALLED, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\d+ reads of what other groups wrote: [1-9]\d* returned a stale value")
        self.assertTrue(done.stdout.endswith("It failed.\n"), done.stdout)

    # --- what it is made of

    def test_both_compilers_and_standards(self):
        run = self.run_trial(*POINTS)
        folder, _ = self.reproduce(run, CAUSES["lost-unlock"])
        self.compile(folder, "-std=c11", "-pedantic")
        if shutil.which("clang"):
            self.compile(folder, compiler="clang")

    def test_text_is_short(self):
        run = self.run_trial(*POINTS)
        folder, _ = self.reproduce(run, CAUSES["lost-unlock"])
        kernel, program = ((folder / name).read_text() for name in ("stall.cl", "stall.c"))
        for left_out in ("GL_DIALECT", "#include", "#line", "asm volatile(\"ld", "gl_enter_range", "census",
                         "GL_JITTER)"):
            self.assertNotIn(left_out, kernel)
        # The kernel's own text is as it was, and of its options those that it asks for are defined.
        own = (gridlock_test.ROOT / "kernels" / "lock_tas.cl").read_text().split("\n")
        own = "\n".join(line for line in own
                        if not re.match(r'#include| \* (option|words|names|data|checks|result|  ).*', line))
        self.assertIn(own[:own.index(" */\n")], kernel)
        self.assertIn(own[own.index("#if defined(BACKOFF_YES)"):], kernel)
        self.assertIn("#define FAULT_FORGOTTEN_UNLOCK 1\n", kernel)
        self.assertNotIn("#define BOARD_ON", kernel)
        self.assertLess(len(kernel.splitlines()), 380)
        self.assertLess(len(program.splitlines()), 410)
        self.assertRegex(program, r'\A/\*\n \* lost unlock: kernel lock_tas, \d work-groups of 64 work-items')
        for word in ("Who waits for whom:", "POCL_MAX_PTHREAD_COUNT=4", "cc stall.c -lOpenCL -o stall", "driver"):
            self.assertIn(word, program)
        self.assertNotIn("POCL_MAX_PTHREAD_COUNT=4?", program)
        self.assertIn("WARNING", "".join(program.splitlines()[:8]))
        self.assertEqual(set(re.findall(r'#include ["<](.*)[">]', program)) - {"CL/cl.h"},
                         {"signal.h", "stdbool.h", "stdio.h", "stdlib.h", "string.h", "time.h", "unistd.h"})

    def test_live_has_no_fuse(self):
        run = self.run_trial(*POINTS)
        folder, _ = self.reproduce(run, PASSES)
        self.execute(self.compile(folder, "-DLIVE"), code=PASSED)
        for live, fuses in ((["-DGL_LIVE"], 0), ([], 1)):
            kernel = subprocess.run(["gcc", "-E", "-P", "-x", "c", *live, str(folder / "stall.cl")],
                                    capture_output=True, text=True, check=True).stdout
            loop = kernel[kernel.index("static bool gl_spin_goes_on"):]
            loop = loop[:loop.index("\n}\n")]
            self.assertEqual((loop.count("[GL_FUSE]"), "GL_STOP" in loop), (fuses, fuses > 0), loop)

    # --- devices

    def test_devices(self):
        run = self.run_trial(*POINTS)
        alone = self.compile(self.reproduce(run, PASSES)[0])
        kind = self.execute(alone, "pocl", code=PASSED).out.split("-")[0]  # "pthread", or "cpu" of later versions
        for name in ("PORTABLE comp", kind, POCL):
            result = self.execute(alone, name, code=PASSED)
            self.assertRegex(result.out, rf"\A.*\({POCL}, .*, driver .*\)\n4 groups")
        for arguments, code in ((["--list"], 0), (["-h"], 0), (["--help"], 0), (["no such device"], 2),
                                (["one", "two"], 2)):
            result = self.execute(alone, *arguments, code=code)
            self.assertIn(f" ({POCL}, ", result.out)
            self.assertIn("usage: ./stall [PART OF THE NAME OF A DEVICE OR PLATFORM]", result.err)
            self.assertNotIn("groups", result.out)

    def test_live_stall_is_left_at_the_deadline(self):
        run = self.run_trial(*POINTS)
        folder, _ = self.reproduce(run, CAUSES["lost-unlock"])
        program = (folder / "stall.c").read_text()
        self.assertEqual(program.count("LAUNCH_DEADLINE_S = 15"), 1)
        (folder / "stall.c").write_text(program.replace("LAUNCH_DEADLINE_S = 15", "LAUNCH_DEADLINE_S = 2"))
        result = self.execute(self.compile(folder, "-DLIVE"), code=HUNG)
        self.assertIn("No end was seen before the deadline: undecided", result.err)

    def data(self, folder):
        """The bytes of each buffer as the program fills them."""
        text = (folder / "stall.c").read_text()
        counts = re.findall(r"\{(\d+), [48], '(.)', '(.)'\}", text)
        (folder / "print.c").write_text(
            '#define main unused_main\n#include "stall.c"\n#undef main\n'
            "int main(void) { for (unsigned i = 0; buffers[i].count > 0; ++i) { size_t bytes = buffers[i].count * "
            "buffers[i].bytes; unsigned char *data = calloc(1, bytes); FILL(&buffers[i], i, data); "
            "for (size_t j = 0; j < bytes; ++j) printf(\"%02x\", data[j]); putchar('\\n'); } return 0; }\n")
        subprocess.run(["gcc", "print.c", "-lOpenCL", "-o", "print"], cwd=folder, check=True)
        lines = subprocess.run(["./print"], cwd=folder, check=True, capture_output=True, text=True).stdout.split("\n")
        return [(*count, bytes.fromhex(line)) for count, line in zip(counts, lines)]

    def test_data_are_the_same(self):
        scenario = self.folder / "data.ini"
        scenario.write_text(gridlock_test.scenario_text(
            kernel="reduce_levels", groups="2", sweep="local-size = 8\nseed = 5\ntype = int, long, float\n"
            "op = sum, product\nitems = 200"))
        run = self.run_trial(str(scenario))
        for kind, code in (("int", "i"), ("long", "q"), ("float", "f")):
            for operation in ("sum", "product"):
                with self.subTest(type=kind, op=operation):
                    name = self.run_file(run).one("SELECT name FROM trial WHERE sequence = 0 AND estimator = 'work' AND"
                                                  f" point LIKE '%type={kind}%op={operation}%'")["name"]
                    folder, _ = self.reproduce(run, name[:-2], folder=f"{kind}-{operation}")
                    self.execute(self.compile(folder), code=PASSED)
                    seeded = [(index, data) for index, data in enumerate(self.data(folder)) if data[2] in "+*"]
                    self.assertNotEqual(seeded, [])
                    for index, (count, _, _, found) in seeded:
                        stream = scatter((5 << 8) + index)
                        lots = [scatter((stream + i) % 2**64) for i in range(int(count))]
                        values = [lot % 17 - 8 for lot in lots]
                        if operation == "product" and kind != "float":
                            values = [2 * value + 1 for value in values]
                        elif operation == "product":
                            every = int(count) // 64 + 1
                            values = [1.0 if i % every else 0.5 if lot % 2 else 2.0 for i, lot in enumerate(lots)]
                        self.assertEqual(found, struct.pack(f"<{len(values)}{code}", *values))

    def test_seed_is_the_launch_s(self):
        """Data are those of the trial, which all of its launches share."""
        scenario = self.folder / "data.ini"
        scenario.write_text(gridlock_test.scenario_text(kernel="reduce_levels", groups="2", sweep="seed = 5"))
        run = self.run_trial(str(scenario))
        with contextlib.closing(sqlite3.connect(run)) as database, database:
            database.execute("UPDATE observation SET seed = 99")
        text = (self.reproduce(run, self.run_file(run).one(
            "SELECT name FROM trial WHERE estimator = 'work'")["name"])[0] / "stall.c").read_text()
        self.assertEqual(re.findall(r"\bDATA_SEED (\d+)u|\[GL_SEED\] = (\d+)", text), [("5", ""), ("", "99")])

    # --- own kernels

    def own(self, kernel=OWN_KERNEL, groups="5", verdict="starved", **headers):
        folder = self.folder / "own"
        folder.mkdir()
        (folder / "own.cl").write_text(kernel)
        for name, text in headers.items():
            (folder / f"{name}.h").write_text(text)
        (folder / "mine.ini").write_text(gridlock_test.scenario_text(kernel="own", groups=groups, verdict=verdict))
        path = self.folder / "run.gridlock"
        process = self.start("run", "-d", "pocl", "mine.ini", "-o", str(path), cwd=folder)
        self.assertEqual(self.finish(process).code, gridlock_test.EXIT_OK)
        return folder, path

    def test_own_kernel_is_found_where_it_was(self):
        _, run = self.own()
        folder, _ = self.reproduce(run)
        kernel = (folder / "stall.cl").read_text()
        self.assertIn(" * kernel:  own\n", kernel)
        self.assertIn("#define PARAM_FIRST 0\n", kernel)
        self.assertIn('#error "this is not built"', kernel) # as it was written
        self.assertEqual(self.counts(self.execute(self.compile(folder), code=STALLED)), (5, 4, 0, 4))

    def test_own_headers_stay_as_they_are(self):
        header = ('/* all of it */\n#include "publish.h"\n#define UNUSED 1\n\nstatic uint first(struct gl_self *self)\n'
                  '{\n'
                  "    return gl_own(self, PARAM_FIRST) + publish_value(0, 0);\n}\n\nstatic void unused(void)\n{\n}\n")
        text = OWN_KERNEL.replace('"group.h"\n', '"first.h"\n').replace("gl_own(&self, PARAM_FIRST)", "first(&self)")
        _, run = self.own(text, first=header)
        folder, _ = self.reproduce(run)
        kernel = (folder / "stall.cl").read_text()
        self.assertIn(header.partition('"publish.h"\n')[2], kernel)
        self.assertIn("#define publish_value", kernel)
        self.assertNotIn("publish_check", kernel)
        self.assertEqual(self.counts(self.execute(self.compile(folder), code=STALLED)), (5, 4, 0, 4))

    def test_names_that_reproducers_lack(self):
        _, run = self.own(OWN_KERNEL.replace("gl_round(&self, 1);", "gl_round(&self, min(1u, gl_digest(&self) | 1));"))
        folder, result = self.reproduce(run, code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "kernel own uses gl_digest, which is not available in reproducers")
        self.assertFalse(folder.exists())

    def test_abbreviated_options(self):
        """What a run was asked is known by whole names, whatever its command line says."""
        own, run = self.own()
        run.unlink()
        (own / "mine.ini").rename(self.folder / "mine.ini")
        process = self.start("run", "-d", "pocl", "--kernel-d", "own", "--iter=2", "mine.ini", "-o", str(run),
                             cwd=self.folder)
        self.assertEqual(self.finish(process).code, gridlock_test.EXIT_OK)
        told = " ".join(self.run_gridlock("explain", str(run)).out.split())
        self.assertIn("gridlock run --kernel-dir own --iterations 2 mine.ini -d ", told)
        folder, _ = self.reproduce(run)
        self.assertIn(" * kernel:  own\n", (folder / "stall.cl").read_text())
        head = (folder / "stall.c").read_text().partition(" */\n")[0]
        self.assertIn("Its environment had: POCL_MAX_PTHREAD_COUNT=4, POCL_", head)

    def test_own_kernel_that_is_gone_or_another_one(self):
        own, run = self.own()
        (own / "own.cl").write_text(OWN_KERNEL.replace("a test", "another"))
        _, result = self.reproduce(run, code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "mine.ini", "has changed since the run")
        (own / "own.cl").unlink()
        folder, result = self.reproduce(run, code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "own")
        (own / "mine.ini").unlink()
        folder, result = self.reproduce(run, code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "cannot open scenario file", "mine.ini")
        self.assertFalse(folder.exists())

    # --- what is refused

    def assert_refused(self, run, trial, *words, folder="refused"):
        folder, result = self.reproduce(run, trial, folder=folder, code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, *words)
        self.assertEqual(result.out, "")
        return folder

    def test_folders(self):
        run = self.run_trial(*POINTS)
        (self.folder / "file").write_text("")
        self.assert_refused(run, None, "file", folder="file")
        self.assert_refused(run, None, "file/below", folder="file/below")
        self.assert_refused(run, None, "a/b", "No such file or directory", folder="a/b")
        real = self.folder / "real"
        real.mkdir()
        (self.folder / "link").symlink_to(real)
        self.assert_refused(run, None, "link", folder="link")
        self.assertEqual(os.listdir(real), [])

    def test_files_that_are_there_stay(self):
        run = self.run_trial(*POINTS)
        for name in FILES:
            with self.subTest(name=name):
                folder = self.folder / f"there-{name}"
                folder.mkdir()
                (folder / name).write_text("mine")
                self.assert_refused(run, None, f"cannot create {folder}/{name}: File exists", folder=folder.name)
                self.assertEqual(os.listdir(folder), [name])
                self.assertEqual((folder / name).read_text(), "mine")
                (folder / name).unlink()
                (folder / name).symlink_to(self.folder / "elsewhere")
                self.assert_refused(run, None, name, "File exists", folder=folder.name)
                self.assertFalse((self.folder / "elsewhere").exists())

    def test_trials(self):
        run = self.run_trial("cause_occupancy", "--exclude=/g[5-9]", "--exclude=/g1[0-9]")
        self.assert_refused(run, None, "nothing failed in this run")
        self.assert_refused(run, "cause_occupancy/cl30/l64/g99", "unknown trial")
        census = self.run_file(run).rows("SELECT name FROM trial WHERE estimator = 'census'")[0]["name"]
        self.assert_refused(run, census, "counts groups")
        scenario = self.folder / "shape.ini"
        scenario.write_text("[scenario]\nkernel = work_group_size\npurpose = a test\nteaches = Nothing.\n\n"
                            "[sweep]\nshape = 8\nwidth = 64\nheight = 1\n\n[expect]\nverdict = pass\n")
        run = self.run_trial(str(scenario))
        name = self.run_file(run).rows("SELECT name FROM trial WHERE dimensions IS NOT NULL")[0]["name"]
        self.assert_refused(run, name, "launched over a range")
        run = self.run_trial("beside_second_queue", "--iterations=1")
        name = self.run_file(run).rows("SELECT name FROM trial WHERE held > 0")[0]["name"]
        self.assert_refused(run, name, "second queue")
        self.assertFalse((self.folder / "refused").exists())

    def test_what_a_driver_says_stays_in_the_comment(self):
        run = self.run_trial(*POINTS)
        nasty = "*/ #error x /* ??/\n\\\n\x1b[31m\\ */int main;??/"
        with sqlite3.connect(run) as connection:
            connection.execute("UPDATE device SET name = ?, platform = ?, driver_version = ?",
                               (nasty, nasty, "/*/" * 9))
            connection.execute("UPDATE run SET environment = ?, tool_version = ?", (f"A={nasty}", nasty))
        connection.close()
        folder, _ = self.reproduce(run)
        self.compile(folder, "-std=c11", "-Wtrigraphs")
        head = (folder / "stall.c").read_text().partition(" */\n")[0]
        self.assertNotRegex(head[2:], r"\*/|/\*|\x1b|\\\n")

    def test_what_a_run_file_says_is_not_built(self):
        run = self.run_trial(*POINTS)
        for column in ("options", "kernel"):
            with self.subTest(column=column):
                with sqlite3.connect(run) as connection:
                    connection.execute(f"UPDATE trial SET {column} = '-DX=\"\n#error'")
                connection.close()
                self.assert_refused(run, None, "are not gridlock's")


if __name__ == "__main__":
    gridlock_test.main()
