"""Runs of litmus tests, and their run files."""
import re
import sqlite3

import gridlock_test
from gridlock_test import EXIT_OK

EXIT_SURPRISE, EXIT_WEDGED = 1, 5

FORMATS = ("text", "json", "jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus")
MODELS = ("HSA", "OBE", "HSA_OBE", "LOBE", "FAIR")
CASES = [f"{model}-{fairness}" for model in MODELS for fairness in ("weak", "strong")]
# What depends on the time that a run took, on when it was, or on how busy the machine was.
TIMES = re.compile(r'\sin\s\d+\.\d\ss;|\sof\s\d+\.\d\d\sms|"(?:duration|stall)_ns": (?:\d+|null)| time="[\d.]+"| '
                   r'timestamp="\S+"'
                   r'|duration_s: [\d.]+|"machine": (?:null|\{(?:[^{}]|\{[^{}]*\})*\})'
                   r'|(?m:^.*: the machine was busy: .*\n(?:  .*\n)*)|(?m:^gridlock_run_started\S+ .*\n)'
                   r'|(?m:^\{"schema_version": "1", "type": "run",.*\n)')
# 0 waits for 1: whichever of them starts later, only a device on which all are sure of turns ends it under each
# mapping.
LATER, EARLIER = "0,0,-,0|0,0,1,1", "0,0,1,1|0,0,-,0"
# 1 waits for 0.
UP = "0,0,1,1|0,0,-,0"
# Each takes a lock and releases it.
LOCK = "0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2"


def timeless(report):
    """Without times, and without the line breaks, which depend on how long these are."""
    return re.sub(r"\s+", " ", TIMES.sub("", report))


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "a.run"

    def progress(self, *arguments, path=None, code=EXIT_OK, **variables):
        return self.run_gridlock("progress", "-q", *arguments, "-o", str(path or self.path), code=code, **variables).out

    def report(self, form="text", *options, path=None, code=EXIT_OK):
        return self.run_gridlock("report", str(path or self.path), "--format", form, *options, code=code).out

    def write_tests(self, *programs):
        path = self.folder / "tests.txt"
        path.write_text("".join(f"{program}\n" for program in programs))
        return str(path)

    def rows(self, query, path=None):
        connection = sqlite3.connect(f"file:{path or self.path}?mode=ro", uri=True, timeout=gridlock_test.FOR_EVER_S)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def change(self, path, statement):
        connection = sqlite3.connect(path)
        connection.executescript(statement)
        connection.commit()
        connection.close()
