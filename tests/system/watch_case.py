"""What tests of `gridlock watch PROGRAM` have in common: the program that is watched, and what is said of it."""
import glob
import json
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

import gridlock_test
from gridlock_test import EXIT_UNSUPPORTED, ROOT

COMPILER = shutil.which("cc")
SELF = subprocess.run([gridlock_test.PROGRAM, "watch", "--pid", "1"], capture_output=True, text=True, check=False)
CANNOT_LOOK = SELF.returncode == EXIT_UNSUPPORTED and "built" in SELF.stderr
FOLDERS = "/dev/shm/gridlock-watch-*"
DRIVERS = {"pocl": ("Portable", {}), "rusticl": ("rusticl", {"RUSTICL_ENABLE": "llvmpipe"})}


def compile_program(name, path):
    subprocess.run([COMPILER, "-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-o", path, ROOT / "tests" / "system" / name,
                    "-lOpenCL", "-lpthread"], check=True)


@unittest.skipIf(COMPILER is None, "no C compiler")
class Case(gridlock_test.Case):
    source = "watched_program.c"

    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"
        self.program = self.kept_file(self.folder / "watched", self.source,
                                      lambda path: compile_program(self.source, path))
        self.program.chmod(0o755)
        self.addCleanup(self.remove_folders)

    @staticmethod
    def remove_folders():
        """Those of watches that were killed; other tests have some, too."""
        for folder in glob.glob(FOLDERS):
            if not os.path.exists(f"/proc/{folder.split('-')[2]}"):
                shutil.rmtree(folder, ignore_errors=True)

    def bare(self, *words, **variables):
        return subprocess.run([self.program, *words], env=self.environment(**variables), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def begin(self, *words, options=(), stdin=subprocess.DEVNULL, **variables):
        return self.start("watch", "--deadline", "0.2", "--format", "json", "--log", str(self.log), *options,
                          str(self.program), *words, stdin=stdin, **variables)

    def lines(self):
        """What was said so far."""
        return [json.loads(line) for line in self.log.read_text().split("\n")[:-1]] if self.log.exists() else []

    def stalls(self):
        return [line for line in self.lines() if line["kind"] == "stall"]

    def wait_for_stall(self):
        self.wait_until(self.stalls, "a stall is told")
        return self.stalls()[-1]

    def ask(self, process, times):
        """Has it told what the program does, so often; meanwhile watch looks as it always does."""
        for _ in range(times):
            before = len(self.stalls())
            process.send_signal(signal.SIGUSR1)
            self.wait_until(lambda before=before: len(self.stalls()) > before, "it is told what the program does")

    def stop(self, pid):
        os.kill(pid, signal.SIGSTOP)
        state = pathlib.Path(f"/proc/{pid}/stat")
        self.wait_until(lambda: state.read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] == "T", "it is stopped")

    def watched(self):
        """The process that was started."""
        found = []

        def look():
            found[:] = [pid for pid, line in self.processes().items() if line.startswith(str(self.program))]
            return found

        self.wait_until(look, "the program is started")
        return found[0]

    def end(self, process, number=signal.SIGTERM):
        """Ends the program through watch; says what watch said in the end."""
        process.send_signal(number)
        result = self.finish(process)
        self.assertEqual(result.code, 128 + number, str(result))
        self.wait_until(lambda: not self.processes(), "a worker that was at work ends, too")
        self.assert_nothing_left()
        return self.lines()[-1]
