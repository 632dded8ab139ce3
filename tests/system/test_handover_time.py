"""How long a hand-over from group to group takes, as its kernel measures it on PoCL: what a run stores and shows of
it."""
import csv
import re

import gridlock_test
from gridlock_test import EXIT_UNSUPPORTED, scenario_text

SECTION = "HAND-OVER FROM GROUP TO GROUP: half of the median round trip\n"
ROUNDS, PAYLOAD = 20, 64
ITEMS = PAYLOAD // 16  # work-items that write, and check, a vector each

FORETOLD = """/*
 * kernel:  foretold
 * purpose: many short waits for one word
 * needs:   both groups
 * fails:   if the last value is not written
 * source:  this test
 * option:  last = written | missing
 * words:   line
 */
#include "group.h"

GL_KERNEL void foretold(global uint *board)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint word = gl_sync(&self, 0);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
#if defined(LAST_MISSING)
    const uint last = rounds - 1;
#else
    const uint last = rounds;
#endif
    if (self.leader && self.group == 0) {
        gl_foretell(&self, word, 1);
        for (uint round = 1; round <= rounds && gl_wait_foretold(&self, word, round, 1); ++round)
            ;
    }
    for (uint round = 1; round <= last && self.leader && self.group == 1; ++round)
        gl_release(board + word, round);
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}
"""


class Case(gridlock_test.Case):
    def write(self, kernel="handover_latency", **sweep):
        axes = {"local-size": 8, "rounds": ROUNDS, **sweep}
        groups = axes.pop("groups", "2")
        path = self.folder / "own.ini"
        path.write_text(scenario_text(kernel, groups, "pass", "".join(f"{name} = {axes[name]}\n" for name in axes)))
        return str(path)

    def run_own(self, *arguments, code=0, **sweep):
        return self.run_gridlock("run", "-d", "pocl", self.write(**sweep), *arguments, code=code,
                                 POCL_MAX_PTHREAD_COUNT=2)

    def points(self, code=0, **sweep):
        device, = self.run_own("--format", "json", code=code, **sweep).json()["devices"]
        return device["scenarios"][0]["points"]


class Times(Case):
    def test_pair_is_measured_and_its_payload_is_checked(self):
        for point in self.points(payload=PAYLOAD, place="next, far", pairs="one, all", units=2, dialect="cl30, cl12"):
            with self.subTest(point["id"]):
                self.assertEqual(point["verdict"], "pass")
                self.assertGreater(point["handover_ps"], 0)
                self.assertEqual(point["seen"]["checked"], 2 * ROUNDS * ITEMS)

    def test_lone_work_item_hands_over_all_vectors(self):
        """It moves four at a time, and what is left over one by one."""
        for point in self.points(payload="0, 16, 64, 80, 4096", **{"local-size": 1}):
            with self.subTest(point["id"]):
                self.assertEqual((point["verdict"], point["seen"]["checked"]),
                                 ("pass", 0 if "payload=0" in point["id"] else 2 * ROUNDS))

    def test_time_is_within_that_of_the_launch(self):
        """Half of the trips took at least the median: as long as half of the rounds."""
        for point in self.points(payload="0, 4096", pairs="all", units=2, iterations=1):
            self.assertLess(point["handover_ps"] * ROUNDS, point["fastest_host_ns"] * 1000, point)

    def test_alone_or_without_a_partner_there_is_no_time(self):
        for sweep in ({"groups": "1"}, {"place": "far", "units": 1000}):
            for point in self.points(**sweep):
                self.assertEqual((point["verdict"], point["handover_ps"]), ("pass", None))

    def test_other_kernels_have_no_time(self):
        point, = self.points(kernel="ping_pong")
        self.assertEqual((point["verdict"], point["handover_ps"]), ("pass", None))

    def test_same_unit_is_unsupported_where_no_unit_is_known(self):
        point, = self.points(place="same", code=EXIT_UNSUPPORTED)
        self.assertEqual((point["verdict"], point["handover_ps"]), ("unsupported", None))

    def test_payload_that_was_not_written_is_found(self):
        for size in (1, 8):
            for point in self.points(payload="16, 64, 80", fault="no-write", code=1, **{"local-size": size}):
                self.assertEqual((point["verdict"], point["handover_ps"]), ("stale", None))
                self.assertGreater(point["seen"]["stale"], 0)


class Waits(Case):
    def test_foretold_wait_that_never_ends_is_a_stall(self):
        """It comes after many that ended, and its word will not change any more."""
        (self.folder / "foretold.cl").write_text(FORETOLD)
        written, missing = self.points(kernel="foretold", last="written, missing", rounds=1000, code=1)
        self.assertEqual((written["verdict"], missing["verdict"]), ("pass", "stalled"))


class Reports(Case):
    def test_text_and_csv_show_what_json_does(self):
        out = self.run_own("-o", "own.gridlock", payload="0, 128").out
        device, = self.run_gridlock("report", "own.gridlock", "--format", "json").json()["devices"]
        points = device["scenarios"][0]["points"]
        lines = re.findall(r"(?m)^ +([\d.]+) ns  (\S+)$", out.partition(SECTION)[2])
        self.assertEqual(lines, [(f"{point['handover_ps'] / 1e3:.1f}", point["id"]) for point in points])
        rows = csv.DictReader(self.run_gridlock("report", "own.gridlock", "--format", "csv").out.splitlines())
        self.assertEqual([row["handover_ps"] for row in rows], [str(point["handover_ps"]) for point in points])

    def test_text_has_no_section_without_times(self):
        self.assertNotIn(SECTION, self.run_own(kernel="ping_pong").out)


if __name__ == "__main__":
    gridlock_test.main()
