"""PoCL behind a driver that spoils calls (spoil_icd.c): its environment, what it counted, and what it logged."""
import collections
import os
import struct

LIBRARY = os.environ.get("SPOIL_ICD_LIBRARY", "")
COUNTER = struct.Struct("=56sQ")  # of struct state, which has one word more

Spoiled = collections.namedtuple("Spoiled", "pid call number fault seed")

# What ends the worker, with the verdict of a launch in which it comes.
DEADLY = {"crash": "crash", "abort": "crash", "exit": "crash", "kill": "crash", "hang": "hang", "spin": "hang",
          "socket": "crash"}
ENDLESS = tuple(fault for fault, verdict in DEADLY.items() if verdict == "hang")
# What spoils nothing that a verdict tells.
HARMLESS = ("slow", "flood", "orphans", "state")
# A launch that does not run, or not all of it.
MISSING = ("skip", "half")
CODES = ("code=-5", "code=-6", "code=-36")
FAULTS = (*DEADLY, *HARMLESS, *MISSING, *CODES)

# How long what never ends is waited for, and anything else: a busy machine makes no test fail.
SOON_S, LATE_S = 5, 600

LAUNCH = "launch"  # in place of a fault: a launch begins

# Between the first word of a launch on its board and its end: what is spoiled there is spoiled of that launch.
OF_LAUNCH = ("clEnqueueNDRangeKernel", "clFlush", "clWaitForEvents", "clGetEventInfo", "clGetEventProfilingInfo",
             "clReleaseEvent")


def concerns(fault, call):
    """Whether the driver can spoil a call of this function in this way."""
    if fault == "half":
        return call == "clEnqueueNDRangeKernel"
    if fault == "lie":
        return call.endswith("Info") or call in ("clCreateProgramWithSource", "clEnqueueNDRangeKernel")
    return True


def deadlines(plan):
    """Options of a command whose driver is spoiled in this way, None or the value of a SPOIL_ variable."""
    limit = SOON_S if {*ENDLESS, "deaf"}.intersection(str(plan).replace("-", ":").split(":")) else LATE_S
    return "--timeout", str(limit), "--build-timeout", str(4 * limit)


class Spoiling:
    """One way to spoil a run; its files are in `folder`."""

    def __init__(self, folder, driver):
        self.state = folder / "calls"
        self.log = folder / "spoiled"
        self.vendors = folder / "vendors"
        self.vendors.mkdir(exist_ok=True)
        (self.vendors / "0.icd").write_text(f"{LIBRARY}\n")
        self.driver = driver

    def environment(self, **plan):
        """`plan`: SPOIL_CALL or SPOIL_RANDOM, SPOIL_WORK; nothing is counted or logged yet."""
        for file in (self.state, self.log):
            file.unlink(missing_ok=True)
        return {"OCL_ICD_VENDORS": self.vendors, "SPOIL_DRIVER": self.driver, "SPOIL_STATE": self.state,
                "SPOIL_LOG": self.log, "POCL_MAX_PTHREAD_COUNT": 2,
                "ASAN_OPTIONS": "handle_segv=0:handle_abort=0:detect_leaks=0", **plan}

    def counts(self):
        """{function: calls of all processes}, of those that were called."""
        counters = COUNTER.iter_unpack(self.state.read_bytes()[:-8])
        return {name.rstrip(b"\0").decode(): calls for name, calls in counters if calls > 0}

    def lines(self):
        """Of calls that were spoiled, and of launches, in the order in which they came."""
        if not self.log.exists():
            return []
        lines = (line.split() for line in self.log.read_text().splitlines())
        return [Spoiled(int(pid), call, int(number), fault, int(seed)) for pid, call, number, fault, seed in lines]

    def spoiled(self):
        return [line for line in self.lines() if line.fault != LAUNCH]
