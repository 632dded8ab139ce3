"""`gridlock watch --pid`: programs that hang, each in a way of its own, and programs that must not be said to."""
import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_USAGE, needs_driver
from watch_case import CANNOT_LOOK

EXIT_SURPRISE, EXIT_STOPPED = 1, 75
SOURCE = gridlock_test.ROOT / "tests" / "system" / "watched.c"


@unittest.skipIf(CANNOT_LOOK, "this build cannot look at processes")
class Case(gridlock_test.Case):
    @staticmethod
    @functools.cache
    def program():
        path = gridlock_test.kept_folder() / "watched"
        subprocess.run(["cc", "-g", str(SOURCE), "-o", str(path), "-lOpenCL", "-pthread"], check=True)
        return str(path)

    def begin(self, *command, **variables):
        """A program that is not gridlock's; it runs until the end of the test, and has said that it is ready."""
        process = subprocess.Popen(command, env=self.environment(**variables), cwd=self.folder, stdout=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, text=True)
        self.addCleanup(self.discard, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def begin_watched(self, *arguments, threads=2, **variables):
        return self.begin(self.program(), *arguments, POCL_MAX_PTHREAD_COUNT=threads, **variables)

    def watch(self, process, *arguments, code=None):
        result = self.finish(self.start("watch", "--pid", str(process.pid), *arguments))
        if code is not None:
            self.assertEqual(result.code, code, str(result))
        self.assertEqual(result.err, "" if result.code in (EXIT_OK, EXIT_SURPRISE, EXIT_STOPPED) else result.err)
        return result

    def look(self, process):
        seen = self.watch(process, "--format", "json").json()
        self.assertEqual(seen["process"], process.pid)
        return seen

    def kernels(self, seen):
        return sorted(thread["kernel"]["name"] or "" for thread in seen["threads"] if thread["kernel"])

    def look_until(self, process, verdict, kernels):
        """What is seen once that is so: a kernel may just be being built."""
        last = {}

        def is_so():
            last["seen"] = self.look(process)
            self.assertIsNone(process.poll())
            return last["seen"]["verdict"] == verdict and self.kernels(last["seen"]) == sorted(kernels)

        self.wait_until(is_so, f"{verdict} with {kernels}")
        return last["seen"]

    def calls(self, seen):
        return sorted(thread["call"] for thread in seen["threads"] if thread["call"])


@needs_driver("pocl")
@unittest.skipUnless(shutil.which("cc"), "no compiler")
class Stalls(Case):
    def assert_deadlock(self, mode, kernels, *arguments, **variables):
        process = self.begin_watched(mode, *arguments, **variables)
        seen = self.look_until(process, "deadlock", kernels)
        self.assertEqual(seen["reason"], "closed")
        for thread in seen["threads"]:
            if thread["kernel"]:
                self.assertEqual((thread["kernel"]["course"], thread["kernel"]["shared"]), ("round", False))
                self.assertEqual(thread["kernel"]["local_size"], "16x1x1")
                self.assertIsNone(thread["call"], thread["stack"])
        self.assertEqual(self.watch(process).code, EXIT_SURPRISE)
        self.assertIsNone(process.poll(), "it goes on")
        return seen

    def test_barrier_over_capacity(self):
        seen = self.assert_deadlock("barrier_of_all", ["barrier_of_all"] * 2)
        self.assertEqual(self.calls(seen), ["clFinish"])
        frames = [frame for thread in seen["threads"] if thread["call"] for frame in thread["stack"]]
        line = next(number for number, text in enumerate(SOURCE.read_text().splitlines(), 1)
                    if "return clFinish" in text)
        self.assertIn(("main", "watched.c", line), [(frame["function"], frame["file"], frame["line"])
                                                    for frame in frames])

    def test_lock_never_given_back(self):
        self.assert_deadlock("lock", ["lock"] * 2)

    def test_flag_never_set(self):
        self.assert_deadlock("flag", ["flag"] * 4, threads=4)

    def test_circle(self):
        self.assert_deadlock("circle", ["circle"] * 2)

    def test_two_queues(self):
        seen = self.assert_deadlock("two_queues", ["lock"] * 2)
        self.assertEqual(self.calls(seen), ["clFinish"])

    def test_a_read_that_waits(self):
        self.assertEqual(self.calls(self.assert_deadlock("read", ["lock"] * 2)), ["clEnqueueReadBuffer"])

    def test_old_addresses_on_the_stack(self):
        self.assert_deadlock("lock_of_items", ["lock_of_items"] * 2)

    def test_the_first_thread_has_ended(self):
        seen = self.assert_deadlock("lock", ["lock"] * 2, WATCHED_LEAVES="1")
        self.assertEqual((seen["name"], self.calls(seen)), ("watched", ["clFinish"]))

    def test_without_optimization(self):
        self.assert_deadlock("lock", ["lock"] * 2, "-cl-opt-disable")

    def test_an_event_that_nobody_can_set(self):
        for mode, calls in (("event_never_set", ["clFinish"]),):
            with self.subTest(mode=mode):
                process = self.begin_watched(mode)
                seen = self.look_until(process, "host", [])
                self.assertEqual(self.calls(seen), calls)
                self.assertEqual(self.watch(process).code, EXIT_SURPRISE)


@needs_driver("pocl")
@unittest.skipUnless(shutil.which("cc"), "no compiler")
class RunFile(Case):
    """What is seen from outside, kept as what is seen by the door is."""

    def kept(self, mode, verdict, kernels, code):
        process = self.begin_watched(mode)
        self.look_until(process, verdict, kernels)
        path = str(self.folder / f"{mode}.gridlock")
        told = self.watch(process, "-o", path, code=code)
        self.discard(process)
        return path, told.out

    def report(self, path, form, code):
        return self.run_gridlock("report", "--format", form, path, code=code).out

    def sighting(self, path, code):
        report = json.loads(self.report(path, "json", code))
        schemas.validator("watch-run").validate(report)
        self.assertTrue(report["complete"])
        (device,) = report["devices"]
        (seen,) = device["sightings"]
        return device["name"], seen

    @unittest.skipIf(schemas.jsonschema is None, "no jsonschema")
    def test_a_deadlock(self):
        path, told = self.kept("lock", "deadlock", ["lock"] * 2, EXIT_SURPRISE)
        device, seen = self.sighting(path, EXIT_SURPRISE)
        self.assertEqual((device, seen["verdict"], seen["alarm"], seen["call"], seen["kernel"], seen["program"]),
                         ("CPU", "deadlock", True, "clFinish", "lock", "watched"))
        self.assertEqual((seen["door"], seen["launches"], len(seen["waits"])), (None, None, 3))
        for form in ("text", "csv", "junit", "tap", "markdown", "prometheus", "html", "jsonl"):
            self.assertIn("deadlock", self.report(path, form, EXIT_SURPRISE), form)
        explained = json.loads(self.run_gridlock("explain", "--format", "json", path).out)
        self.assertEqual(explained["told"].split(), told.split())
        self.assertIn("clFinish", self.run_gridlock("explain", "--format", "dot", path).out)
        self.run_gridlock("compare", path, path, code=EXIT_OK)

    @unittest.skipIf(schemas.jsonschema is None, "no jsonschema")
    def test_one_that_may_go_on(self):
        path, _ = self.kept("event_set_late", "long", [], EXIT_OK)
        _, seen = self.sighting(path, EXIT_OK)
        self.assertEqual((seen["verdict"], seen["alarm"], seen["kernel"]), ("long", False, None))
        self.assertRegex(seen["why"], r"waits for the program: thread \d+")

    def test_a_file_that_is_there(self):
        process = self.begin_watched("idle")
        path = self.folder / "text"
        path.write_text("text")
        result = self.watch(process, "-o", str(path), code=EXIT_USAGE)
        self.assert_sentence(result.err, "exists")
        self.assertEqual((result.out, path.read_text()), ("", "text"))


@needs_driver("pocl")
@unittest.skipUnless(shutil.which("cc"), "no compiler")
class OthersThatMayGoOn(Case):
    def assert_long(self, mode, kernels, reason, looks=3, **variables):
        process = self.begin_watched(mode, **variables)
        self.wait_until(lambda: self.kernels(self.look(process)) == kernels, f"{kernels} run")
        for _ in range(looks):
            seen = self.look(process)
            self.assertEqual((seen["verdict"], seen["reason"]), ("long", reason), seen)
        self.assertEqual(self.watch(process).code, EXIT_OK)
        return process

    def test_a_slow_kernel(self):
        self.assert_long("slow", ["slow"] * 2, "moves")

    def test_the_first_thread_has_ended(self):
        self.assert_long("slow", ["slow"] * 2, "moves", WATCHED_LEAVES="1")

    def test_a_slow_kernel_that_writes(self):
        self.assert_long("slow_in_memory", ["slow_in_memory"] * 2, "moves")

    def test_a_livelock_is_not_claimed(self):
        self.assert_long("livelock", ["livelock"] * 2, "moves")

    def test_a_thread_will_set_the_event(self):
        process = self.assert_long("event_set_late", [], "program")
        self.assertIn("waits for the program", " ".join(self.watch(process).out.split()))

    def test_a_thread_will_set_the_flag(self):
        self.assert_long("flag_set_late", ["flag"] * 2, "program")

    def test_a_thread_computes(self):
        self.assert_long("busy_beside", ["lock"] * 2, "program")

    def test_another_process_may_set_the_flag(self):
        self.assert_long("shared_flag", ["flag"] * 2, "shared")

    def test_nothing_to_do(self):
        self.assert_long("idle", [], "nothing")


@needs_driver("pocl")
@unittest.skipUnless(shutil.which("cc"), "no compiler")
class Manners(Case):
    def state_of(self, process):
        return pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]

    def tracers(self, process):
        return {line.split()[1] for path in pathlib.Path(f"/proc/{process.pid}/task").glob("*/status")
                for line in path.read_text().splitlines() if line.startswith("TracerPid:")}

    def test_a_stopped_program_is_not_judged_and_stays_stopped(self):
        process = self.begin_watched("lock")
        self.look_until(process, "deadlock", ["lock"] * 2)
        process.send_signal(signal.SIGSTOP)
        self.wait_until(lambda: self.state_of(process) == "T", "it is stopped")
        result = self.watch(process, code=EXIT_STOPPED)
        self.assertIn("inconclusive", result.out)
        self.assertEqual(self.state_of(process), "T")
        process.send_signal(signal.SIGCONT)
        self.look_until(process, "deadlock", ["lock"] * 2)

    def test_watch_is_killed(self):
        process = self.begin_watched("lock")
        self.look_until(process, "deadlock", ["lock"] * 2)
        for _ in range(20):
            watch = self.start("watch", "--pid", str(process.pid))
            self.wait_until(lambda: self.tracers(process) != {"0"} or watch.poll() is not None, "it is looked at")
            watch.kill()
            watch.wait()
            self.wait_until(lambda: self.tracers(process) == {"0"}, "nobody looks at it any more")
            self.assertNotIn(self.state_of(process), "tTZ")
        self.look_until(process, "deadlock", ["lock"] * 2)
        self.wait_until(lambda: set(self.processes()) == {process.pid}, "no stand-in is left")

    def test_json_is_by_its_schema(self):
        validator = schemas.validator("watch")
        for mode in ("lock", "slow", "event_never_set", "idle"):
            process = self.begin_watched(mode)
            out = self.watch(process, "--format", "json").out
            self.assertEqual(len(out.splitlines()), 1)
            self.assertEqual([error.message for error in validator.iter_errors(json.loads(out))], [])

    def test_columns(self):
        process = self.begin_watched("two_queues")
        for line in self.watch(process).out.splitlines():
            self.assertLessEqual(len(line), 80)

    def test_a_program_in_python(self):
        script = self.folder / "program.py"
        script.write_text(PYTHON)
        process = self.begin(sys.executable, str(script), POCL_MAX_PTHREAD_COUNT=2)
        seen = self.look_until(process, "deadlock", ["wait"] * 2)
        self.assertEqual(len([thread for thread in seen["threads"] if thread["role"] == "call"]), 1)


PYTHON = """
import ctypes
cl = ctypes.CDLL("libOpenCL.so.1")
for name in ("clCreateContext", "clCreateCommandQueue", "clCreateProgramWithSource", "clCreateKernel",
             "clCreateBuffer"):
    getattr(cl, name).restype = ctypes.c_void_p
P = ctypes.c_void_p
platforms, count, device = (P * 16)(), ctypes.c_uint(), P()
cl.clGetPlatformIDs(16, platforms, ctypes.byref(count))
for platform in platforms[:count.value]:
    name = ctypes.create_string_buffer(200)
    cl.clGetPlatformInfo(P(platform), 0x902, ctypes.c_size_t(200), name, None)
    if b"Portable" in name.value:
        cl.clGetDeviceIDs(P(platform), ctypes.c_ulong(0xffffffff), 1, ctypes.byref(device), None)
context = P(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, None))
queue = P(cl.clCreateCommandQueue(context, device, ctypes.c_ulong(0), None))
text = ctypes.c_char_p(b"kernel void wait(volatile global int *n) { while (n[0] != 3); }")
program = P(cl.clCreateProgramWithSource(context, 1, ctypes.byref(text), None, None))
assert cl.clBuildProgram(program, 1, ctypes.byref(device), b"", None, None) == 0
kernel = P(cl.clCreateKernel(program, b"wait", None))
memory = P(cl.clCreateBuffer(context, ctypes.c_ulong(1), ctypes.c_size_t(4096), None, None))
cl.clSetKernelArg(kernel, 0, ctypes.c_size_t(8), ctypes.byref(memory))
size, local = ctypes.c_size_t(4096), ctypes.c_size_t(64)
assert cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, ctypes.byref(size), ctypes.byref(local), 0, None, None) == 0
cl.clFlush(queue)
print("ready", flush=True)
cl.clFinish(queue)
"""


class BadInput(Case):
    def refuse(self, pid, *words, code=EXIT_USAGE):
        result = self.run_gridlock("watch", "--pid", str(pid), code=code)
        self.assertEqual(result.out, "")
        self.assertEqual(len(result.err.splitlines()), 1)
        self.assert_sentence(result.err, *words)

    def test_arguments(self):
        for arguments, words in (((), "expected --pid"), (("--pid", "x"), "--pid"), (("--pid", "0"), "--pid"),
                                 (("--pid", "-1"), "--pid"), (("--pid", "1", "--format", "xml"), "--format")):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.run_gridlock("watch", *arguments, code=EXIT_USAGE).err)

    def test_no_such_process(self):
        process = subprocess.Popen(["true"])
        process.wait()
        self.refuse(process.pid, f"there is no process {process.pid}")

    def test_no_opencl(self):
        process = subprocess.Popen(["sleep", "1000000"])
        self.addCleanup(self.discard, process)
        self.wait_until(lambda: b"sleep" in pathlib.Path(f"/proc/{process.pid}/cmdline").read_bytes(), "it runs")
        self.refuse(process.pid, "uses no OpenCL")

    def test_a_process_that_has_ended(self):
        process = subprocess.Popen(["true"])
        self.addCleanup(process.wait)
        self.wait_until(lambda: " Z " in pathlib.Path(f"/proc/{process.pid}/stat").read_text(), "it has ended")
        self.refuse(process.pid, "has ended")

    def test_itself(self):
        script = 'exec "$1" watch --pid $$'
        result = subprocess.run(["sh", "-c", script, "sh", gridlock_test.PROGRAM], capture_output=True, text=True)
        self.assertEqual(result.returncode, EXIT_USAGE)
        self.assert_sentence(result.stderr, "is gridlock watch itself")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root and setpriv")
    def test_a_process_of_another_user(self):
        process = subprocess.Popen(["sleep", "1000000"])
        self.addCleanup(self.discard, process)
        program = shutil.copy(gridlock_test.PROGRAM, self.folder / "gridlock")
        os.chmod(self.folder, 0o755)
        result = subprocess.run(["setpriv", "--reuid", "65534", "--clear-groups", program, "watch", "--pid",
                                 str(process.pid)], capture_output=True, text=True)
        self.assertEqual(result.returncode, EXIT_USAGE)
        self.assert_sentence(result.stderr, "is of another user, 0")

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_another_looks_at_it(self):
        process = subprocess.Popen(["strace", "-o", "/dev/null", "sleep", "1000000"])
        self.addCleanup(self.discard, process)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")

        # strace has other children before, which try what it may do.
        def looked_at():
            return [child for child in children.read_text().split()
                    if gridlock_test.command_line(f"/proc/{child}").startswith(b"sleep\0")]

        self.wait_until(looked_at, "strace has begun")
        child = int(looked_at()[0])
        self.addCleanup(os.kill, child, signal.SIGKILL)
        self.refuse(child, "is looked at by another one already")


if __name__ == "__main__":
    gridlock_test.main()
