"""Run files that tests of reports write."""
import os
import shutil
import subprocess

import gridlock_test
from gridlock_test import EXIT_OK
from run_builder import Builder

EXIT_SURPRISE, EXIT_WEDGED = 1, 5

FORMATS = ("text", "json", "jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus")
# What says that a run did not end, in each format, and in a list of known failures.
NOT_RUN = {
    "baseline": "# .*(points were not run|devices were not measured)",
    "json": '"complete": false', "jsonl": '"ended": false', "junit": '<error type="not-run"', "tap": "Bail out! ",
    "lava": "TEST_CASE_ID=gridlock.run RESULT=fail", "prometheus": r"gridlock_complete\{.*\} 0\n",
    "text": r"points\s+were\s+not\s+run", "csv": "points were not run", "markdown": "points were not run",
}
# What no format may stumble over. Each is the name of a device.
NAMES = ("plain", "a <b> & \"c\" 'd'", "%s%n%d", "=cmd|' /C calc'!A0", "caf\u00e9 \u65e5\u672c \U0001f600",
         "bell\x07 esc\x1b[31m tab\t newline\n return\r del\x7f", "x" * 255, "a|b`c*d_e", "# SKIP \\ # TODO", "@a,b;c",
         "ufffe \ufffe", "]]> -->")


def limits_trials(builder, device, local_size, groups, ended=True, local_memory=0):
    """A footprint whose search is over: one census, and the barrier at its count and one above."""
    footprint = {"scenario": None, "kernel": None, "local_size": local_size, "local_memory_bytes": local_memory,
                 **dict.fromkeys(("seed", "jitter", "uneven", "burners", "held", "traffic", "sync_words"))}
    for estimator, count, verdict, repeats in (("census", 1000, "pass", 3), ("barrier", groups, "pass", 20),
                                               ("barrier", groups + 1, "starved", 20)):
        seen = {"counted": groups if estimator == "census" else 0, "started": count if verdict == "pass" else groups,
                "witnesses": count if verdict == "pass" else 0, "confirmed": 1 if verdict != "pass" else 0,
                "waiting": 0 if verdict == "pass" else groups, "done": count if verdict == "pass" else 0}
        if verdict == "starved":
            seen.update(never_started=groups, starved_from=0, late=count - groups)
        builder.trial(device, (verdict,) * repeats, seen, ended=ended, estimator=estimator, groups=count,
                      repeats=repeats, name=f"limits/{estimator}/l{local_size}-m{local_memory}-p0/g{count}#0",
                      **footprint)


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "run.gridlock"

    def builder(self, **run):
        return Builder(self.path, **run)

    def report(self, form, *options, code=EXIT_OK, **variables):
        return self.run_gridlock("report", str(self.path), "--format", form, *options, code=code, **variables).out

    def write_mixed(self, name="some device", wedged=0):
        """All results that a point can come to."""
        builder = self.builder()
        device = builder.device(name=name, wedged=wedged)
        builder.trial(device, groups=2, resident=2, expected="pass", estimator="census",
                      name="toy/cl30/l64/g9-census#0")
        builder.trial(device, ("pass", "pass"), groups=2, resident=2, expected="pass")
        stalled = {"started": 2, "waiting": 2, "done": 0, "witnesses": 0, "never_started": 2, "starved_from": 0}
        builder.trial(device, ("starved",), stalled, groups=3, resident=2, expected="starved")
        builder.trial(device, ("pass", "stale"), {"checked": 9, "stale": 4}, groups=4, resident=2, expected="pass")
        builder.trial(device, ("unsupported",), groups=5, expected="pass", note="needs wings, | and \"more\"")
        builder.trial(device, groups=6, expected="pass", ended=False)
        builder.trial(device, ("crash",), {"outcome": "crashed", "code": 11}, groups=7, expected="pass")
        builder.trial(device, ("inconclusive",), groups=8)
        builder.trial(device, ("hang",), {"outcome": "killed"}, groups=9, expected="hang or crash")
        builder.trial(device, scenario="other", groups=2, expected="pass")
        builder.close()

    def write_unpredicted(self):
        """Points of which nothing was predicted, and the verdicts that were left open; not of the last two."""
        builder = self.builder()
        device = builder.device()
        for groups, verdict, allowed in ((1, "starved", "pass or starved"), (2, "wrong", "pass or wrong"),
                                         (3, "hang", "pass or hang"), (4, "inconclusive", "pass"),
                                         (5, "wrong", "pass or starved"), (6, "hang", "pass"), (7, "cut", "pass"),
                                         (8, "wrong", None), (9, "hang", None)):
            builder.trial(device, (verdict,), groups=groups, allowed=allowed)
        builder.close()

    def write_limits(self):
        builder = self.builder(command_line="gridlock limits")
        device = builder.device(search_estimators="census,barrier", search_repeats=20, search_max_groups=100000,
                                search_compute_units=2)
        limits_trials(builder, device, 64, 4)
        limits_trials(builder, device, 128, 2)
        builder.close()

    def write_names(self):
        builder = self.builder()
        for name in NAMES:
            device = builder.device(name=name, driver_version=name[:127], platform=name[:127])
            builder.trial(device, ("wrong",), expected="pass", note=name, scenario=name[:60],
                          name=f"{name[:60]}/cl30/l64/point={name[:60]}/g4#0")
        builder.close()

    def locale(self):
        """Variables that choose German, with a decimal comma. The locale is made in the test's folder if the machine
        can; otherwise it is one that is installed."""
        source = "/usr/share/i18n/locales/de_DE"
        if shutil.which("localedef") and os.path.exists(source):
            folder = self.folder / "locales"
            folder.mkdir()
            subprocess.run(["localedef", "-c", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return {"LC_ALL": "de_DE.UTF-8", "LOCPATH": folder}
        installed = subprocess.run(["locale", "-a"], check=True, capture_output=True, text=True).stdout.split()
        german = [name for name in installed if name.lower().startswith("de_de")]
        if not german:
            self.skipTest("no German locale is installed, and none can be made")
        return {"LC_ALL": german[0]}
