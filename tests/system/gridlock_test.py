"""What the system tests share: running the program, reading what it leaves, finding what it left behind.

GRIDLOCK names the program (default: build/gridlock of this checkout). Each run has its own state
folder and a mark in its environment, by which its processes are found in /proc. Compiled kernels are
kept in GRIDLOCK_TEST_CACHE, or in one temporary folder for all tests of a process.
"""
import atexit
import contextlib
import functools
import glob
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

import stored_board

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("GRIDLOCK", str(ROOT / "build" / "gridlock"))

# No test depends on time: however slow a machine is, what works takes some of its time.
IDLE_S = 600  # what has used no time of a processor for so long hangs
FOR_EVER_S = 1e6  # for those who want a number

VENDORS = pathlib.Path("/etc/OpenCL/vendors")
OCLGRIND = "/usr/lib/oclgrind/liboclgrind-rt-icd.so"

EXIT_OK, EXIT_USAGE, EXIT_HARNESS, EXIT_NO_DEVICE, EXIT_UNSUPPORTED = 0, 2, 3, 4, 77
EXIT_SKIPPED = 77  # of a test program of which every test was skipped

# Variables that change what a device is or does, or what is printed: none of the caller's may reach a test.
DEVICE_VARIABLES = re.compile(r"^(OCL|OPENCL|POCL|OCLGRIND|RUSTICL|LP_|GALLIUM|LIBGL|MESA|CUDA|"
                              r"FAKE_ICD|GRIDLOCK|NO_COLOR|CLICOLOR)")

MARK = "GRIDLOCK_TEST_MARK"

# The board's layout, as kernels/abi.h has it.
BOARD_CONTROL_WORDS = 320
BOARD_ENTRY_WORDS = 32
ENTRY_TICKET = 0


def cache_folder():
    folder = os.environ.get("GRIDLOCK_TEST_CACHE")
    if folder is None:
        folder = tempfile.mkdtemp(prefix="gridlock-test-cache-")
        os.environ["GRIDLOCK_TEST_CACHE"] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


KEPT = {}  # files that are made once for several tests, by their keys


@functools.cache
def kept_folder():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gridlock-test-kept-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def board_bytes(groups):
    return 4 * (BOARD_CONTROL_WORDS + BOARD_ENTRY_WORDS * groups)



def board_tickets(blob, groups):
    """The start ticket of each group; 0: it never started."""
    words = stored_board.board_words(blob)
    return [words[BOARD_CONTROL_WORDS + group * BOARD_ENTRY_WORDS + ENTRY_TICKET] for group in range(groups)]


@functools.cache
def is_sanitized():
    return b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()


def registered_library(name):
    """The driver library that /etc/OpenCL/vendors/NAME.icd names, or None."""
    try:
        return (VENDORS / f"{name}.icd").read_text().split("\n")[0].strip() or None
    except OSError:
        return None


def needs_driver(name):
    return unittest.skipIf(registered_library(name) is None, f"no driver {name} is registered in {VENDORS}")


def needs_oclgrind():
    return unittest.skipUnless(os.path.exists(OCLGRIND), f"Oclgrind's driver {OCLGRIND} is not installed")


def scenario_text(kernel="barrier_central", groups="1, 1x resident", verdict="pass", sweep="local-size = 1"):
    """A scenario file that is right, unless an argument makes it wrong."""
    return (f"[scenario]\nkernel = {kernel}\npurpose = a test\nteaches = Nothing.\n\n"
            f"[sweep]\ngroups = {groups}\n{sweep}\n\n[expect]\nverdict = {verdict}\n")


def command_line(folder):
    """Of a process, by its folder in /proc; nothing once it has ended."""
    try:
        return pathlib.Path(folder, "cmdline").read_bytes()
    except OSError:
        return b""


def living_thread(folder):
    """The folder of a thread that has not ended, as the first one may have, of which nothing can be read then."""
    for thread in sorted(glob.glob(f"{folder}/task/*"), key=lambda path: int(os.path.basename(path))):
        if command_line(thread):
            return thread
    return folder


class Result:
    def __init__(self, arguments, code, out, err):
        self.arguments = arguments
        self.code = code
        self.out = out or ""  # None: it went elsewhere
        self.err = err or ""

    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return (f"{' '.join(self.arguments)}\nexit status {self.code}\n"
                f"--- stdout\n{self.out[-4000:]}\n--- stderr\n{self.err[-4000:]}")


class RunFile:
    """A run file, opened for reading; rows are dictionaries."""

    def __init__(self, path):
        self.connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.connection.row_factory = sqlite3.Row

    def rows(self, query, *values):
        return [dict(row) for row in self.connection.execute(query, values)]

    def one(self, query, *values):
        rows = self.rows(query, *values)
        assert len(rows) == 1, f"{query}: {len(rows)} rows"
        return rows[0]

    def close(self):
        self.connection.close()


class Idle:
    """Tells whether the processes of a test hang."""

    def __init__(self, case):
        self.case, self.used, self.since = case, None, 0

    @staticmethod
    def ticks(process):
        """What it has used of a processor, with those of its children that have ended."""
        try:
            return sum(map(int, pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]))
        except OSError:
            return 0  # it ended meanwhile

    def hangs(self):
        now, used = time.monotonic(), {process: self.ticks(process) for process in self.case.processes()}
        if used != self.used:
            self.used, self.since = used, now
        return now - self.since > IDLE_S


class Case(unittest.TestCase):
    def setUp(self):
        self.mark = uuid.uuid4().hex
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gridlock-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.state = self.folder / "state"
        self.icd_folders = set(glob.glob("/tmp/gridlock-icd-*-*"))
        self.started = []
        # Last in, first out: whatever a failed test left is ended before its folder goes.
        self.addCleanup(self.end_processes)

    # --- running

    def environment(self, **changes):
        cache = cache_folder()
        environment = {name: value for name, value in os.environ.items() if not DEVICE_VARIABLES.match(name)}
        environment.update({
            MARK: self.mark,
            "XDG_STATE_HOME": str(self.state),
            "GRIDLOCK_LOCK_DIR": str(self.folder),  # other programs may test at the same time
            "XDG_CACHE_HOME": cache,
            "POCL_CACHE_DIR": os.path.join(cache, "pocl"),
            "LC_ALL": "C",
        })
        os.makedirs(environment["POCL_CACHE_DIR"], exist_ok=True)
        environment.update({name: str(value) for name, value in changes.items()})
        return environment

    def start(self, *arguments, before=(), cwd=None, stdin=subprocess.DEVNULL, **variables):
        """The program, running in the background; it is killed if the test ends before it. `before`: the command that
        runs it."""
        process = subprocess.Popen([*before, PROGRAM, *arguments], env=self.environment(**variables),
                                   cwd=cwd or self.folder, stdin=stdin,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   encoding="utf-8", errors="surrogateescape")
        self.addCleanup(self.discard, process)
        self.started.append(process)
        return process

    def finish(self, process):
        """What became of a process that start() began."""
        idle = Idle(self)
        while True:
            try:
                out, err = process.communicate(timeout=IDLE_S / 10)
                return Result(process.args, process.returncode, out, err)
            except subprocess.TimeoutExpired:
                if idle.hangs():
                    process.kill()
                    self.fail(f"it hangs: {Result(process.args, None, *process.communicate())}")

    def run_gridlock(self, *arguments, code=EXIT_OK, **variables):
        """Runs the program to its end; fails unless it ends with `code` (None: any) and leaves nothing behind."""
        result = self.finish(self.start(*arguments, **variables))
        if code is not None:
            self.assertEqual(result.code, code, str(result))
        self.assert_nothing_left()
        return result

    def run_unread(self, *arguments, code=EXIT_OK, **variables):
        """As run_gridlock, but nobody reads its stdout any more."""
        reading, writing = os.pipe()
        os.close(reading)
        process = subprocess.Popen([PROGRAM, *arguments], env=self.environment(**variables), cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.discard, process)
        os.close(writing)
        result = self.finish(process)
        self.assertEqual(result.code, code, str(result))
        self.assert_nothing_left()
        return result

    def on_terminal(self, stream, *arguments, code=EXIT_OK, **variables):
        """What a terminal at stdout or stderr (`stream`) gets, and what a file at the other one does."""
        parent, child = pty.openpty()
        other = self.folder / "other"
        with other.open("wb") as file:
            streams = {"stdout": file, "stderr": file, stream: child}
            process = subprocess.Popen([PROGRAM, *arguments], env=self.environment(**variables), cwd=self.folder,
                                       stdin=subprocess.DEVNULL, **streams)
        os.close(child)
        seen = b""
        with contextlib.suppress(OSError):  # the other side is closed
            while part := os.read(parent, 65536):
                seen += part
        os.close(parent)
        self.assertEqual(process.wait(), code, seen)
        return seen.decode(), other.read_text(encoding="utf-8")

    def install_program(self, name, script):
        """A PATH with a program of our own, a shell script, before all others."""
        program = self.folder / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n" + script)
        program.chmod(0o755)
        return f"{program.parent}:{os.environ['PATH']}"

    def limits(self, *arguments, **variables):
        """The one device object of limits in JSON."""
        result = self.run_gridlock("limits", *arguments, "--format", "json", **variables)
        devices = result.json()["devices"]
        self.assertEqual(len(devices), 1, str(result))
        return devices[0]

    @staticmethod
    def discard(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    # --- what is left

    def processes(self):
        """{process id: command line} of everything that carries this test's mark and still runs."""
        found = {}
        mark = f"{MARK}={self.mark}".encode()
        for folder in glob.glob("/proc/[0-9]*"):
            try:
                living = living_thread(folder)
                if mark in pathlib.Path(living, "environ").read_bytes().split(b"\0"):
                    line = command_line(living).replace(b"\0", b" ").decode(errors="replace")
                    found[int(os.path.basename(folder))] = line
            except OSError:
                continue  # it ended meanwhile, or is somebody else's
        return found

    def workers(self):
        return [pid for pid, line in self.processes().items() if line.startswith("gridlock worker ")]

    def end_processes(self):
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def left_icd_folders(self):
        """Those that nobody will remove: the supervisor has ended, by whose id each is called, and no worker has it."""
        folders = [folder for folder in set(glob.glob("/tmp/gridlock-icd-*-*")) - self.icd_folders
                   if not os.path.exists(f"/proc/{folder.split('-')[2]}")]
        lines = b"\0".join(map(command_line, glob.glob("/proc/[0-9]*")))
        return [folder for folder in folders if folder.encode() not in lines and os.path.exists(folder)]

    def assert_nothing_left(self):
        self.assertEqual(self.processes(), {}, "processes are left")
        self.assertEqual(self.left_icd_folders(), [], "folders of .icd files are left")

    def wait_until(self, condition, what):
        """Fails once nothing runs any more that could make it come true, or what runs hangs."""
        idle, looks, gone = Idle(self), 0, 0
        while not condition():
            self.assertLess(gone, 2, f"never came true: {what}; all have ended: "
                            f"{[(process.args, process.poll()) for process in self.started]}")
            looks += 1
            if looks % 25 == 0:  # twice, since a process that calls exec has no environment for a moment
                gone = gone + 1 if self.started and not self.processes() else 0
            self.assertFalse(looks % 500 == 0 and idle.hangs(), f"never came true: {what}")
            time.sleep(0.02)

    # --- run files

    def kept_file(self, path, key, make):
        """At `path`, for this test to do with as it likes: a file that make(path) writes once for all of this key."""
        if key not in KEPT:
            kept = kept_folder() / f"{len(KEPT)}.run"
            make(kept)
            KEPT[key] = kept
        return pathlib.Path(shutil.copy(KEPT[key], path))

    def run_file_paths(self):
        return sorted(self.state.glob("gridlock/*.gridlock"))

    def run_file(self, path=None):
        """A run file by its path, or the only one of this test."""
        if path is None:
            paths = self.run_file_paths()
            self.assertEqual(len(paths), 1, paths)
            path = paths[0]
        run = RunFile(path)
        self.addCleanup(run.close)
        self.assertEqual(run.one("PRAGMA integrity_check"), {"integrity_check": "ok"})
        return run

    # --- sentences

    def assert_sentence(self, err, *words):
        """stderr speaks to the user, in the program's own words, and holds `words`."""
        self.assertTrue(err.startswith("gridlock"), err)
        self.assertTrue(err.endswith("\n"), err)
        self.assertNotRegex(err, r"\(null\)|AddressSanitizer|runtime error|Assertion|core dumped|[%][sdzul]")
        self.assertNotRegex(err, r"[\x00-\x08\x0b-\x1f\x7f]", "a control character")
        self.assertNotRegex(err, "[\udc80-\udcff]", "no UTF-8")
        self.assertNotRegex(err, "[^\n]Try `", "the end of a line is missing")
        for word in words:
            self.assertIn(word, err)

    # --- limits

    def assert_limit(self, limit, groups, launches=20):
        """A footprint that holds exactly `groups` groups. On a busy machine a launch may be undecided, and is repeated;
        none may come otherwise."""
        barrier = limit["barrier"]
        shown = json.dumps(limit)
        self.assertTrue(limit["measured"], shown)
        self.assertEqual(limit["resident"], groups, shown)
        self.assertEqual(barrier["passes_at"], groups, shown)
        self.assertEqual(barrier["stalls_at"], groups + 1, shown)
        points = {point["groups"]: (point["passes"], point["stalls"]) for point in limit["points"]}
        self.assertEqual((points[groups], points[groups + 1]), ((launches, 0), (0, launches)), shown)
        self.assertLessEqual({failure["verdict"] for failure in limit.get("failures", [])}, {"inconclusive"}, shown)
        self.assertTrue(limit["estimators_agree"], shown)
        self.assertTrue(barrier["monotone"], shown)


def main():
    """Like unittest.main, but the exit status tells if all tests were skipped."""
    program = unittest.main(module="__main__", exit=False, verbosity=2)
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    # A skipped class has not run its tests, a skipped test has.
    sys.exit(EXIT_SKIPPED if result.skipped and result.testsRun <= len(result.skipped) else 0)
