"""Runs scenarios by gridlock on PoCL, beside busy loops."""
import contextlib
import json
import os
import re
import subprocess
import sys
import time
from typing import NamedTuple

# Ends with its parent, whatever becomes of that.
BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]):\n    sum(range(100000))\n"

DEVICE_VARIABLES = re.compile(r"^(OCL|OPENCL|POCL|GRIDLOCK)")


@contextlib.contextmanager
def busy_loops(count):
    processes = [subprocess.Popen([sys.executable, "-c", BUSY, str(os.getpid())]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def environment(folder, device):
    """`device`: a number of threads, or basic."""
    variables = {name: value for name, value in os.environ.items() if not DEVICE_VARIABLES.match(name)}
    cache = folder / "cache"
    cache.mkdir(exist_ok=True)
    variables.update(POCL_CACHE_DIR=str(cache), XDG_CACHE_HOME=str(cache), XDG_STATE_HOME=str(folder / "state"))
    variables.update({"POCL_DEVICES": "basic"} if device == "basic" else {"POCL_MAX_PTHREAD_COUNT": device})
    return variables


class Failure(Exception):
    """gridlock did not run."""


class Batch(NamedTuple):
    """Scenarios that are run by one command."""
    device: str
    number: int
    scenarios: list
    busy: int  # loops beside it

    def run(self, program, folder):
        """Returns the run file, the exit status, and the seconds that it took."""
        home = folder / f"{self.device}-{self.number}"
        home.mkdir()
        files = []
        for scenario in self.scenarios:
            files.append(home / f"{scenario.name}.ini")
            files[-1].write_text(scenario.text(), encoding="ascii")
        run_file = home / "run.gridlock"
        command = [program, "run", *map(str, files), "-d", "pocl", "-o", str(run_file), "--format", "json", "-q"]
        began = time.monotonic()
        with busy_loops(self.busy):
            result = subprocess.run(command, env=environment(folder, self.device), stdin=subprocess.DEVNULL,
                                    capture_output=True, text=True, check=False)
        if result.returncode not in (0, 1):
            raise Failure(f"{program} run ended with {result.returncode} in {home}:\n{result.stderr[-2000:]}")
        json.loads(result.stdout)  # ValueError: it printed none
        return run_file, result.returncode, time.monotonic() - began
