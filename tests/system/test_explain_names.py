"""`gridlock explain`: words that the header of a kernel names are called so, in each format; all others as before."""
import pathlib
import re

import gridlock_test
from explain_case import Case, dining
from gridlock_test import EXIT_USAGE, needs_driver, scenario_text
from run_builder import Board

KERNELS = pathlib.Path(__file__).parents[2] / "kernels"

FORKS = "fork {i} = 0+1*i, i < 5"


def queue_at_lock(word, value, lock=0, groups=3):
    """Group 0 holds the lock of this name; the others wait for a word, in which there is a 1."""
    board = Board(groups, 2)
    board.words[board.sync + word] = 1
    for group in range(groups):
        board.start(group, round=1)
    board.set(0, locks_held=1, lock_names=board.sync + lock)
    for group in range(1, groups):
        board.wait(group, word, value, "HOLDER", "EQUAL", wait_lock=board.sync + lock)
    return board


class Names(Case):
    def says(self):
        return [kind["says"] for kind in self.explain_json()["classes"]]

    def one_line(self, form="text"):
        return re.sub(r"\s+", " ", self.explain(form).out)

    def test_word(self):
        self.write_starved(names="counter = 0")
        says = "wait in round 1 until counter reaches 64; it is 8; waiting for all groups to arrive"
        self.assertEqual(self.says(), [says, "never started"])
        for form in ("text", "timeline"):
            self.assertIn(f"groups 0-7 {says}", self.one_line(form))
        self.assertIn('label="counter\\nis 8\\nmust reach 64"', self.explain("dot").out)
        self.assertIn('"word_name": "counter"', self.explain("trace").out)

    def test_owner_of_a_lock(self):
        self.write_dining(5, names=FORKS)
        self.assertEqual(self.says(), [f"waits in round 1, holding 1 lock, until fork {(group + 1) % 5} is free; "
                                       f"group {(group + 1) % 5} holds it" for group in range(5)])
        self.assertIn("group 4 waits in round 1, holding 1 lock, until fork 0 is free; group 0 holds it",
                      self.one_line())
        self.assertIn('label="fork 1\\nis 2\\nmust be 0\\nheld by group 1"', self.explain("dot").out)

    def test_owner_that_is_no_group(self):
        board = dining(5)
        board.words[board.sync + 1] = 77
        self.write("stalled", board, "unknown", names=FORKS)
        self.assertEqual(self.says()[0], "waits in round 1, holding 1 lock, until fork 1 is 0; it is 77; waiting for "
                                         "the owner of the lock")

    def test_free_lock_that_is_not_seen(self):
        board = dining(5)
        board.words[board.sync + 1] = 0
        self.write("stalled", board, "unknown", names=FORKS)
        self.assertEqual(self.says()[0], "waits in round 1, holding 1 lock, until fork 1 is 0; it is 0; waiting for "
                                         "the owner of the lock; has not seen this value yet")

    def test_holder_of_a_lock(self):
        self.write("stalled", queue_at_lock(0, 0), "unknown", names="lock = 0")
        self.assertEqual(self.says()[1], "wait in round 1 until lock is free; group 0 holds it")

    def test_holder_of_a_lock_that_groups_wait_for_by_another_value(self):
        self.write("stalled", queue_at_lock(0, 5), "unknown", names="now serving = 0")
        self.assertEqual(self.says()[1], "wait in round 1 until now serving is 5; it is 1; waiting for the holder of "
                                         "the lock, group 0")

    def test_holder_of_a_lock_of_another_name(self):
        self.write("stalled", queue_at_lock(1, 0, lock=0), "unknown", names="tail = 0; blocked = 1")
        self.assertEqual(self.says()[1], "wait in round 1 until blocked is 0; it is 1; waiting for the holder of the "
                                         "lock, group 0")

    def test_several_indexes(self):
        board = Board(2, 200)
        board.start(0, round=1)
        board.wait(0, 64 + 32 + 2, 1, 1)
        self.write("starved", board, "occupancy",
                   names="flag {s} of group {i} in parity {p} = 0+1*s+32*p+64*i, s < 3, p < 2, i < 3")
        self.assertEqual(self.says()[0], "waits in round 1 until flag 2 of group 1 in parity 1 reaches 1; it is 0; "
                                         "group 1 must write it")

    def test_without_a_name(self):
        """Kernels without names, older run files, words that have none, and what is no list of names."""
        for names in (None, "", "counter = 1", "nonsense", "counter\x1b[31m = 0", "fork {i} = 0+1*i", "x" * 1000):
            with self.subTest(names=names):
                self.path.unlink(missing_ok=True)
                self.write_starved(names=names)
                self.assertEqual(self.says()[0], "wait in round 1 until word 0 of the kernel reaches 64; it is 8; "
                                                 "waiting for all groups to arrive")

    def test_lock_without_a_name(self):
        self.write_dining(5)
        self.assertEqual(self.says()[0], "waits in round 1, holding 1 lock, until word 1 of the kernel is 0; it is 2; "
                                         "waiting for the owner of the lock, group 1")


OWN = """/*
 * kernel:  own
 * purpose: a barrier
 * needs:   all groups resident together
 * fails:   otherwise
 * source:  nobody
 * words:   2*line
 * names:   {names}
 */
#include "group.h"

GL_KERNEL void own(global uint *board)
{{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader) {{
        gl_add(board + gl_sync(&self, GL_LINE), 1);
        gl_round(&self, 1);
        gl_wait(&self, gl_sync(&self, GL_LINE), self.groups, GL_GROUP_ALL);
    }}
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}}
"""


class Own(Case):
    def write_kernel(self, names):
        (self.folder / "own.cl").write_text(OWN.format(names=names))
        path = self.folder / "own.ini"
        path.write_text(scenario_text("own", groups="1x resident + 1", verdict="starved"))
        return path

    @needs_driver("pocl")
    def test_name_is_in_the_run_file(self):
        """It is known where neither the kernel nor the scenario is."""
        path = self.write_kernel("arrivals at {i} = i*line, i < 2")
        self.measure(path)
        path.unlink()
        (self.folder / "own.cl").unlink()
        trial = self.run_file(self.path).one("SELECT name FROM trial WHERE estimator = 'work'")["name"]
        shown = self.explain_json(trial)
        line = next(i for i, text in enumerate(OWN.splitlines(), 1) if "gl_wait(" in text)
        self.assertEqual(shown["classes"][0]["says"],
                         f"wait in round 1 at own.cl:{line} until arrivals at 1 reaches 3; "
                                                      "it is 2; waiting for all groups to arrive")
        self.assertEqual(shown["classes"][0]["wait"]["line"], line)

    @needs_driver("pocl")
    def test_wait_in_a_header_has_no_line(self):
        """A line of which it could not be said in what file it is."""
        path = self.write_kernel("arrivals at {i} = i*line, i < 2")
        kernel = self.folder / "own.cl"
        text = kernel.read_text()
        wait = next(line for line in text.splitlines() if "gl_wait(" in line)
        (self.folder / "waits.h").write_text(f"static void own_wait(struct gl_self *self)\n{{\n"
                                             f"{wait.replace('&self', 'self').replace('self.', 'self->')}\n}}\n")
        kernel.write_text(text.replace('#include "group.h"\n', '#include "group.h"\n#include "waits.h"\n')
                          .replace(wait, "        own_wait(&self);"))
        self.measure(path)
        shown = self.explain_json(self.run_file(self.path).one("SELECT name FROM trial WHERE estimator = "
                                                               "'work'")["name"])
        self.assertIsNone(shown["classes"][0]["wait"]["line"])
        self.assertTrue(shown["classes"][0]["says"].startswith("wait in round 1 until arrivals at 1 reaches 3"))

    def test_name_of_no_word_is_refused(self):
        result = self.run_gridlock("check", str(self.write_kernel("counter = 2*line")), code=EXIT_USAGE)
        self.assertIn("own.ini:2: own.cl:8: names counter: word 64 is none of the 64 that 'words' gives, which count "
                      "from 0\n", result.err)


@needs_driver("pocl")
class Shipped(Case):
    """No kernel of ours waits for a word that has no name, or in a line that does not wait."""

    def test_each_stall(self):
        self.run_gridlock("run", "-d", "pocl", "-q", "--run", str(self.path), "--iterations", "1", "-t", "/g[23]$",
                          "-x", "pairing=random", code=None, POCL_MAX_PTHREAD_COUNT=2)
        rows = self.run_file(self.path).rows("SELECT DISTINCT t.name, t.kernel FROM trial t JOIN verdict v ON "
                                             "v.trial = t.id WHERE v.verdict IN ('starved', 'deadlock', 'stalled')")
        self.assertGreater(len({row["kernel"] for row in rows}), 15)
        lines = 0
        for row in rows:
            for form in ("text", "dot", "trace"):
                self.assertNotIn("of the kernel", self.explain(form, row["name"]).out, row["name"])
            text = (KERNELS / f"{row['kernel']}.cl").read_text().splitlines()
            for kind in self.explain_json(row["name"])["classes"]:
                if kind["wait"] and kind["wait"]["line"]:
                    lines += 1
                    self.assertRegex(text[kind["wait"]["line"] - 1], "gl_(wait|spin_begin|foretell)", row["name"])
        self.assertGreater(lines, 15)


if __name__ == "__main__":
    gridlock_test.main()
