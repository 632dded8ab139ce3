#!/usr/bin/env python3
"""gridlock watch PROGRAM: a program behaves as without it, its launches are counted, and a stall is told and judged.

The program is watched_program.c, which knows nothing of gridlock. Deadlines are tiny: no test waits for one to pass.
"""
import glob
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

import gridlock_test
import schemas
from gridlock_test import EXIT_USAGE, ROOT, needs_driver
from watch_case import COMPILER, DRIVERS, FOLDERS, Case

BITS = ["-m32", "-nostdlib", "-static", "-ffreestanding", "-fno-pic", "-fno-stack-protector", "-no-pie", "-w"]
LOOKS = 20  # together they take longer than the deadline
LOOKS_OF_DEADLINE = 8  # of watch itself


class Start(Case):
    def test_no_program(self):
        result = self.run_gridlock("watch", str(self.folder / "none"), code=127)
        self.assert_sentence(result.err, "cannot run", "No such file or directory")
        self.assertEqual(result.err.count("\n"), 1)
        self.run_gridlock("watch", "no-such-program-anywhere", code=127)

    def test_no_executable(self):
        path = self.folder / "text"
        path.write_text("text")
        self.assert_sentence(self.run_gridlock("watch", str(path), code=126).err, "cannot run", "Permission denied")
        self.assert_sentence(self.run_gridlock("watch", str(self.folder), code=126).err, "cannot run")

    def test_setuid(self):
        path = shutil.copy(self.program, self.folder / "setuid")
        os.chmod(path, 0o4755)
        self.assert_sentence(self.run_gridlock("watch", str(path), code=EXIT_USAGE).err, "setuid")
        folders = {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        self.assert_sentence(self.run_gridlock("watch", "setuid", code=EXIT_USAGE, **folders).err, f"{path} is setuid")
        self.run_gridlock("watch", "true", **folders)

    def test_options(self):
        for words in ([], ["--deadline", "0", "true"], ["--deadline", "1x", "true"], ["--deadline", "nan", "true"],
                      ["--on-stall", "sing", "true"], ["--log", str(self.folder), "true"], ["--nosuch", "true"]):
            self.run_gridlock("watch", *words, code=EXIT_USAGE)

    def test_options_behind_the_program_are_its_own(self):
        for words in (["sh", "-c", "echo $0 $1", "--log", "--deadline"],
                      ["--", "sh", "-c", "echo $0 $1", "--log", "--deadline"]):
            self.assertEqual(self.run_gridlock("watch", *words).out, "--log --deadline\n")

    def test_exit_status_and_streams(self):
        process = self.start("watch", "sh", "-c", "cat; echo wrong >&2; exit 42", stdin=subprocess.PIPE)
        out, err = process.communicate("text\n")
        self.assertEqual((process.returncode, out), (42, "text\n"))
        self.assertEqual(err.splitlines()[0], "wrong")
        self.assertEqual(self.run_gridlock("watch", "sh", "-c", "kill -9 $$", code=137).out, "")

    def test_signals_are_as_they_came(self):
        """Those that gridlock handles or ignores are not so in the program."""
        script = "grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status"
        environment = self.environment()
        plain = subprocess.run(["sh", "-c", script], env=environment, capture_output=True, text=True, check=True).stdout
        self.assertEqual(self.run_gridlock("watch", "sh", "-c", script).out, plain)

    def test_closed_streams_stay_closed(self):
        script = "test ! -e /proc/self/fd/0 && test ! -e /proc/self/fd/2"
        done = subprocess.run(["sh", "-c", '"$@" <&- 2>&-', "sh", gridlock_test.PROGRAM, "watch", "sh", "-c", script],
                              env=self.environment(), check=False)
        self.assertEqual(done.returncode, 0)

    def test_no_launch(self):
        """It is said, never passed over."""
        self.assert_sentence(self.run_gridlock("watch", "true").err, "by a proxy driver", "saw no launch of true")
        self.run_gridlock("watch", "--format", "json", "--log", str(self.log), "true")
        (line,) = self.lines()
        self.assertEqual((line["kind"], line["launches"], line["processes"]), ("end", 0, []))

    def test_a_library_that_passes_by(self):
        """One that is opened without a loader."""
        library = gridlock_test.registered_library("pocl")
        if library is None:
            self.skipTest("no driver pocl")
        process = self.start("watch", "--summary", "--log", str(self.log), "python3", "-c",
                             f"import ctypes, sys; ctypes.CDLL({library!r}); print(flush=True); sys.stdin.read()",
                             stdin=subprocess.PIPE)
        process.stdout.readline()

        def is_named():
            process.send_signal(signal.SIGUSR1)
            return "libpocl" in self.log.read_text()

        self.wait_until(is_named, "the library is named")
        process.stdin.close()
        process.stdin = None
        self.finish(process)
        self.assertRegex(self.log.read_text(), r"what goes by \S*libpocl\S* passes the door")


class Bits(Case):
    """A program of 32 bits, to which the door is no library."""

    def setUp(self):
        super().setUp()
        source, self.program = ROOT / "tests" / "system" / "bits.c", self.folder / "bits"
        made = subprocess.run([COMPILER, *BITS, "-o", self.program, source], capture_output=True, check=False)
        if made.returncode != 0 or self.bare().returncode != 3:
            self.skipTest("programs of 32 bits cannot be made here, or not run")

    def test_it_runs_as_without(self):
        for words, path in ([[str(self.program)], os.environ["PATH"]], [["bits"], f"/none:{self.folder}"]):
            bare = self.bare(OCL_ICD_VENDORS="/nowhere", PATH=path).stdout
            result = self.run_gridlock("watch", *words, code=3, OCL_ICD_VENDORS="/nowhere", PATH=path)
            self.assertEqual(result.out, bare)
            self.assertIn(f"gridlock: {words[0]} is a program of 32 bits: nothing of it is seen, nor of what it "
                          "starts, and it runs as without gridlock\n", result.err)
            self.assertEqual(result.err.count("32 bits"), 1)

    def test_a_layer_does_no_harm(self):
        bare = self.bare(OCL_ICD_VENDORS="/nowhere").stdout
        result = self.run_gridlock("watch", "--door", "layer", str(self.program), code=3, OCL_ICD_VENDORS="/nowhere")
        self.assertLessEqual(set(bare.splitlines()), set(result.out.splitlines()))
        self.assertIn(f"gridlock: {self.program} is a program of 32 bits: nothing of it is seen\n", result.err)

    def test_one_that_is_started_by_another(self):
        for door, then in (("driver", ", and its OpenCL loader finds no driver: it does with --door layer"),
                           ("layer", "")):
            self.log.unlink(missing_ok=True)
            process = self.start("watch", "--door", door, "--log", str(self.log), "sh", "-c", f"{self.program}; exit 4",
                                 stdin=subprocess.PIPE)
            self.wait_until(lambda: self.log.exists() and "32 bits" in self.log.read_text(), "it is told")
            process.stdin.close()
            process.stdin = None
            self.assertEqual(self.finish(process).code, 4)
            self.assertRegex(self.log.read_text(), r"^gridlock: process \d+ is a program of 32 bits: nothing of it is "
                             rf"seen{then}\n")

    def test_of_64_bits(self):
        for door in ("driver", "layer"):
            self.assertNotIn("32 bits", self.run_gridlock("watch", "--door", door, "sh", "-c", "sleep 0.1; true").err)


@needs_driver("pocl")
class Sound(Case):
    """The program does what it does without."""

    def same(self, mode, launches, driver="pocl"):
        name, variables = DRIVERS[driver]
        bare = self.bare(mode, name, **variables)
        if bare.returncode == 77:
            self.skipTest(f"{driver} has no device")
        result = self.run_gridlock("watch", "--format", "json", "--log", str(self.log), str(self.program), mode, name,
                                   code=None, **variables)
        self.assertEqual((result.code, result.out, result.err), (bare.returncode, bare.stdout, bare.stderr))
        end = self.lines()[-1]
        self.assertEqual((end["launches"], end["status"]), (launches, bare.returncode))
        self.assertEqual(glob.glob(f"/dev/shm/gridlock-watch-*/{end['processes'][0]['process']}-*"), [])
        return end

    def test_launches(self):
        self.same("sum", 500)

    def test_calls_that_are_refused(self):
        self.same("refused", 0)

    def test_many_launches(self):
        self.same("many", 5000)

    def test_threads(self):
        self.same("threads", 800)

    def test_exit_in_a_callback(self):
        self.same("exit-in-callback", 1)

    def test_fork_and_exec(self):
        """The child that calls exec has a page of its own; the one that does not has none."""
        end = self.same("fork", 501)
        self.assertEqual(sorted(process["launches"] for process in end["processes"]), [1, 500])

    def test_rusticl(self):
        for mode, launches in (("sum", 500), ("threads", 800), ("fork", 501)):
            self.same(mode, launches, "rusticl")

    def test_it_says_nothing_without_being_asked(self):
        self.assertEqual(self.run_gridlock("watch", str(self.program), "sum").err, "")
        self.assertRegex(self.run_gridlock("watch", "--summary", str(self.program), "sum").err,
                         r"^gridlock: watch, by a proxy driver, of process \d+ "
                         rf"\({re.escape(pathlib.Path(self.program).name)}\): saw 500 launches\n$")

    def test_it_ends_while_a_kernel_runs(self):
        result = self.run_gridlock("watch", str(self.program), "leave", code=6)
        self.assertRegex(result.err, r"^gridlock: run file \S+\n"
                         r".*it ended before kernel spin, 64 work-items in 2 groups of 32, .* was complete\n$")

    def test_a_program_with_drivers_of_its_own(self):
        """It goes past the door, by an environment of its own; that is said, and by which library."""
        script = 'OCL_ICD_VENDORS=/etc/OpenCL/vendors "$0" slow'
        for options in ([], ["--format", "json"]):
            self.log.unlink(missing_ok=True)
            process = self.start("watch", *options, "--log", str(self.log), "sh", "-c", script, str(self.program),
                                 stdin=subprocess.PIPE)

            def is_named():
                process.send_signal(signal.SIGUSR1)
                return "libpocl" in self.log.read_text()

            self.watched()
            self.wait_until(is_named, "the library is named")
            process.stdin.close()
            process.stdin = None
            self.assertEqual(self.finish(process).code, 0)
            said = self.log.read_text()
            if not options:
                self.assertRegex(said, r"saw no launch of sh: no process of it asked an OpenCL loader")
                self.assertRegex(said, r"what goes by \S*/libpocl\S* passes the door, and is not seen")
                continue
            self.assertEqual({line["kind"] for line in self.lines()}, {"none", "end"})
            self.assertEqual(self.lines()[-1]["launches"], 0)
            self.assertTrue(any("libpocl" in path for path in self.lines()[-1]["passing"]))
            for line in self.lines():
                schemas.validator("watch-program").validate(line)

    def test_drivers_that_the_environment_names(self):
        library = gridlock_test.registered_library("pocl")
        icd = self.folder / "one.icd"
        icd.write_text(library + "\n")
        for vendors in (library, str(icd), str(self.folder)):
            result = self.run_gridlock("watch", "--summary", str(self.program), "sum", OCL_ICD_VENDORS=vendors)
            self.assertIn("saw 500 launches", result.err)


@needs_driver("pocl")
class Stalled(Case):
    def check_end(self, process, verdict):
        """It was ended for an alarm."""
        result = self.finish(process)
        self.assertEqual(result.code, 128 + signal.SIGTERM, str(result))
        self.assert_nothing_left()
        told = self.stalls()[-1]
        self.assertEqual((told["verdict"], told["alarm"]), (verdict, True))
        return told

    def test_a_user_event_that_is_never_set(self):
        told = self.check_end(self.begin("user-event", options=["--on-stall", "end"]), "host")
        (command,) = told["commands"]
        self.assertEqual((command["kernel"], command["groups"]), ("add", 2))
        self.assertEqual((command["global"], command["local"]), ([64], [32]))
        self.assertEqual(command["arguments"][1], {"bytes": 4, "value": "0x1", "local": False})
        self.assertEqual(command["waits_for"][0]["made_by"], told["process"])
        (thread,) = [thread for thread in told["threads"] if "call" in thread]
        self.assertEqual((thread["call"], thread["queue"], thread["thread"]), ("clFinish", 1, told["process"]))
        self.assertIn("user event", told["why"])

    def test_the_first_thread_has_ended(self):
        told = self.check_end(self.begin("user-event-alone", options=["--on-stall", "end"]), "host")
        self.assertEqual([thread["call"] for thread in told["threads"] if "call" in thread], ["clFinish"])

    def test_the_first_thread_of_a_child_has_ended(self):
        told = self.check_end(self.begin("user-event-child", options=["--on-stall", "end"]), "host")
        self.assertIn("clFinish", [thread.get("call") for thread in told["threads"]])

    def test_a_callback_that_waits_for_its_own_thread(self):
        told = self.check_end(self.begin("callback", options=["--on-stall", "end"]), "host")
        self.assertIn("clWaitForEvents", [thread.get("call") for thread in told["threads"]])

    def test_a_core_is_left(self):
        process = self.begin("user-event", options=["--on-stall", "core"])
        self.assertEqual(self.finish(process).code, 128 + signal.SIGABRT)

    def test_a_kernel_that_spins(self):
        process = self.begin("spin")
        told = self.wait_for_stall()
        self.assertFalse(told["verdict"] == "host")
        self.assertEqual([command["kernel"] for command in told["commands"]], ["spin", "add"])
        self.assertTrue(told["asked"])
        self.assertEqual(told["launches"], 3)
        self.assertTrue(all(command["flushed"] for command in told["commands"]))
        self.assertEqual(self.end(process)["launches"], 3)

    def test_text(self):
        process = self.start("watch", "--deadline", "0.2", str(self.program), "spin")
        self.assertRegex(process.stderr.readline(), r"^gridlock: run file \S+\n$")
        lines = [process.stderr.readline() for _ in range(5)]
        self.assertRegex(lines[0], r"^gridlock: watch, by a proxy driver, of process \d+ \(watched\): \w+\n$")
        self.assertRegex(lines[2], r"^  thread \d+ is in clFinish of queue 1 for \d+\.\d s, called by spin \(")
        self.assertRegex(lines[3], r"^  queue 1, .*: 2 commands open for \d+\.\d s\n$")
        self.assertRegex(lines[4], r"^    2 runs: kernel spin, 64 work-items in 2 groups of 32, "
                         r"arguments 0x\w+, "
                                   r"4294967295\n$")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 128 + signal.SIGINT)

    def test_it_is_asked(self):
        """By SIGUSR1, before any deadline."""
        process = self.start("watch", "--format", "json", "--log", str(self.log), str(self.program), "spin")
        self.wait_until(lambda: glob.glob(f"{FOLDERS}/{self.watched()}-*.page"), "the program has come to the door")
        looks = iter(range(10**9))

        def is_told():
            if next(looks) % 10 == 0:
                process.send_signal(signal.SIGUSR1)
            return any(line["launches"] == 3 for line in self.stalls())

        self.wait_until(is_told, "it is told what the program does")
        self.end(process)

    @needs_driver("rusticl")
    def test_a_queue_that_is_not_flushed(self):
        process = self.begin("unflushed", "rusticl", **DRIVERS["rusticl"][1])
        self.wait_until(lambda: self.stalls() or process.poll() is not None, "a stall is told")
        if process.poll() == 0:
            self.skipTest("the driver flushes a queue that another waits for")
        told = self.wait_for_stall()
        queues = {command["queue"]: command for command in told["commands"]}
        self.assertEqual((queues[1]["flushed"], queues[2]["flushed"]), (True, False))
        self.assertEqual(queues[1]["waits_for"], [{"queue": 2, "number": 1}])
        self.end(process)

    @unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed")
    def test_schema(self):
        self.check_end(self.begin("user-event", options=["--on-stall", "end"]), "host")
        self.run_gridlock("watch", "--format", "json", "--log", str(self.folder / "left"), str(self.program), "leave",
                          code=6)
        for line in [*self.lines(), *map(json.loads, (self.folder / "left").read_text().splitlines())]:
            schemas.validator("watch-program").validate(line)


@needs_driver("pocl")
class Slow(Case):
    """Nothing of these is an alarm, however long it takes, and although the program is stopped in between."""

    def check(self, mode, out):
        process = self.begin(mode, options=["--on-stall", "end"], stdin=subprocess.PIPE)
        self.wait_for_stall()
        self.stop(self.watched())
        self.ask(process, LOOKS)
        os.kill(self.watched(), signal.SIGCONT)
        self.ask(process, LOOKS)
        process.stdin.close()
        process.stdin = None
        result = self.finish(process)
        self.assertEqual((result.code, result.out), (0, out), str(result))
        self.assertEqual({line["verdict"] for line in self.stalls()}, {"long"})
        self.assertFalse(any(line["alarm"] for line in self.stalls()))

    def test_a_kernel(self):
        self.check("slow", "ended\n")

    def test_a_user_event_that_a_thread_sets_later(self):
        self.check("later", "")

    def test_an_event_with_the_handle_of_one_that_was_never_set(self):
        """Nothing waits for the user event that had it."""
        process = self.begin("stale", stdin=subprocess.PIPE)
        self.wait_until(lambda: self.stalls() or process.poll() is not None, "a stall is told")
        if process.poll() == 77:
            self.skipTest("the driver has given no handle again")
        (command,) = self.stalls()[-1]["commands"]
        self.assertEqual((command["kernel"], command["waits_for"]), ("slow", []))
        process.stdin.close()
        process.stdin = None
        self.assertEqual(self.finish(process).code, 0)
        self.assertEqual({line["verdict"] for line in self.stalls()}, {"long"})

    def looks(self, process, times):
        """Has watch look so often: in between it sleeps, as it does when it keeps what it tells."""
        status = pathlib.Path(f"/proc/{process.pid}/status")

        def slept():
            return int(re.search(r"\nvoluntary_ctxt_switches:\s*(\d+)", status.read_text())[1])

        enough = slept() + times
        self.wait_until(lambda: slept() >= enough, f"watch has looked {times} times")

    def is_looked_at(self):
        return any("look" in line or "not_looked" in line for line in self.stalls())

    def test_nothing_is_judged_while_it_is_stopped(self):
        """It has launched, and is stopped before the deadline, after which it would be looked at."""
        process = self.begin("slow", options=["--deadline", "0.5"], stdin=subprocess.PIPE)
        program = self.watched()

        def has_launched():
            process.send_signal(signal.SIGUSR1)
            return self.stalls() and self.stalls()[-1]["commands"]

        self.wait_until(has_launched, "the kernel is launched")
        self.stop(program)
        self.ask(process, 2)  # what was being told before is told
        if self.is_looked_at():
            self.skipTest("the deadline was over before it was stopped")
        self.looks(process, 4 * LOOKS_OF_DEADLINE)
        self.ask(process, 1)
        self.assertFalse(self.is_looked_at())
        os.kill(program, signal.SIGCONT)
        self.wait_until(self.is_looked_at, "it is looked at")
        process.stdin.close()
        process.stdin = None
        self.assertEqual(self.finish(process).code, 0)

    def test_it_goes_on_if_watch_is_killed(self):
        process = self.begin("slow", stdin=subprocess.PIPE)
        self.wait_for_stall()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdin.close()
        self.assertEqual(process.stdout.read(), "ended\n")
        self.wait_until(lambda: not self.processes(), "the program has ended")


class Door(unittest.TestCase):
    def test_it_needs_the_c_library_alone(self):
        door = pathlib.Path(gridlock_test.PROGRAM).resolve().parent / "libgridlock-door.so"
        if shutil.which("objdump") is None or not door.exists():
            self.skipTest("objdump, or the build, is missing")
        said = subprocess.run(["objdump", "-p", door], capture_output=True, text=True, check=True).stdout
        needed = [line.split()[1] for line in said.splitlines() if line.split()[:1] == ["NEEDED"]]
        self.assertLessEqual({name.split(".so")[0] for name in needed}, 
                             {"libc", "libdl", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64"})
        (flags,) = [int(line.split()[1], 16) for line in said.splitlines() if line.split()[:1] == ["FLAGS_1"]]
        self.assertTrue(flags & 8, "DF_1_NODELETE: a loader may close it, but drivers go on calling it")


if __name__ == "__main__":
    gridlock_test.main()
