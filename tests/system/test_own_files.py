"""Own scenarios and kernels: what a kernel's header says and its code does is what gridlock judges by."""
import os
import re
import subprocess
import textwrap

import gridlock_test
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE, ROOT, scenario_text

EXIT_SURPRISE = 1

# Each fault breaks one promise of the header.
KERNEL = """\
/*
 * kernel:  own
 * purpose: each group waits for the one before it, and leaves a result
 * needs:   lower ids first
 * fails:   never
 * source:  a test
 * option:  fault = none | result | skipped | twice | stale | wrong | forgotten
 * option:  build = fine | lacking | syntax
 * param:   factor = 7 in 1..1000  what the rounds are multiplied by
 * words:   line
 * data:    cells uint groups zero
 * checks:  groups
 * result:  each(cells) = factor*rounds
 */
#include "group.h"
#if defined(BUILD_LACKING)
#error unsupported: a device with wings
#elif defined(BUILD_SYNTAX)
this is no kernel;
#endif

GL_KERNEL void own(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint chain = gl_sync(&self, 0);
    gl_gather(&self);
    if (self.leader && gl_wait(&self, chain, self.group, self.group - 1)) {
        cells[self.group] = gl_own(&self, PARAM_FACTOR) * gl_load(board + GL_ROUNDS);
#if defined(FAULT_RESULT)
        if (self.group == self.groups - 1)
            cells[self.group] += 1;
#endif
#if defined(FAULT_STALE)
        gl_check(&self, self.group, 4, 5, 4);
#elif defined(FAULT_WRONG)
        gl_check(&self, self.group, 6, 5, 4);
#elif defined(FAULT_SKIPPED)
        if (self.group != 0)
            gl_check(&self, self.group, 5, 5, 4);
#else
        gl_check(&self, self.group, 5, 5, 4);
#endif
#if defined(FAULT_TWICE)
        gl_check(&self, self.group, 5, 5, 4);
#endif
#if defined(FAULT_FORGOTTEN)
        if (self.group != 0)
#endif
            gl_release(self.board + chain, self.group + 1);
    }
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}
"""

POINTS = """
SELECT t.groups, t.options, t.kernel, t.scenario, t.note, group_concat(DISTINCT v.verdict) AS verdicts
FROM trial t JOIN verdict v ON v.trial = t.id
WHERE t.estimator = 'work' GROUP BY t.id ORDER BY t.id"""


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.own = self.folder / "own folder"
        self.own.mkdir()
        (self.own / "own.cl").write_text(KERNEL)

    def write(self, name="mine.ini", fault="none", verdict="pass", groups="1, 2", kernel="own", more=""):
        path = self.own / name
        path.write_text(scenario_text(kernel, groups, verdict, f"local-size = 4\nfault = {fault}\n{more}"))
        return path

    def run_own(self, path, *arguments, code=EXIT_OK):
        result = self.run_gridlock("run", "-d", "pocl", str(path), *arguments, code=code, POCL_MAX_PTHREAD_COUNT=2)
        paths = self.run_file_paths()
        rows = self.run_file(paths[-1]).rows(POINTS)
        for file in paths:
            file.unlink()
        return result, rows


class Verdicts(Case):
    def verdicts(self, fault, code, **settings):
        """As (groups, verdict)."""
        result, rows = self.run_own(self.write(fault=fault, **settings), code=code)
        return result, [(row["groups"], row["verdicts"]) for row in rows]

    def check_caught(self, fault, verdict, groups="1, 2", counts=(1, 2)):
        """It is seen when a pass was expected, and when it was expected itself, it is no surprise."""
        for expected, code in (("pass", EXIT_SURPRISE), (verdict, EXIT_OK)):
            _, found = self.verdicts(fault, code, groups=groups, verdict=expected)
            # A point that surprises is run again.
            self.assertEqual(list(dict.fromkeys(found)), [(count, verdict) for count in counts])

    def test_right_kernel_passes(self):
        self.assertEqual(self.verdicts("none", EXIT_OK)[1], [(1, "pass"), (2, "pass")])

    def test_wrong_result(self):
        self.check_caught("result", "wrong")

    def test_wrong_result_is_named(self):
        """Which one, what it is, and what it should be, computed from the values of the point."""
        result, found = self.verdicts("result", EXIT_SURPRISE, groups="2", more="factor = 11")
        self.assertEqual(list(dict.fromkeys(found)), [(2, "wrong")])
        self.assertIn("result 1, element 1: 0x22, not 0x21 (1 differ)", result.out)  # 11 times 3 rounds are 0x21

    def test_parameter_arrives(self):
        self.assertEqual(self.verdicts("none", EXIT_OK, more="factor = 1, 1000\nrounds = 0, 5")[1],
                         [(1, "pass"), (2, "pass")] * 4)

    def test_check_that_was_not_made(self):
        self.check_caught("skipped", "wrong")

    def test_check_too_many(self):
        self.check_caught("twice", "wrong")

    def test_old_value(self):
        self.check_caught("stale", "stale")

    def test_value_that_never_was(self):
        self.check_caught("wrong", "wrong")

    def test_release_that_never_comes(self):
        """A group alone has nobody to forget; of two the second waits for one that has ended."""
        self.check_caught("forgotten", "stalled", groups="2", counts=(2,))
        self.assertEqual(self.verdicts("forgotten", EXIT_OK, groups="1")[1], [(1, "pass")])

    def test_what_the_device_lacks(self):
        """No surprise, whatever was expected; but nothing was measured."""
        for expected in ("pass", "starved"):
            result, found = self.verdicts("none", EXIT_UNSUPPORTED, verdict=expected, more="build = lacking")
            self.assertEqual({verdict for _, verdict in found}, {"unsupported"})
            self.assertRegex(result.out, r"(?m)^mine +unsupported$")
            self.assertNotIn("SURPRISE", result.out)

    def test_lacking_beside_what_was_measured(self):
        _, found = self.verdicts("none", EXIT_OK, more="build = lacking, fine")
        self.assertEqual(sorted({verdict for _, verdict in found}), ["pass", "unsupported"])

    def test_syntax_error(self):
        result, found = self.verdicts("none", EXIT_SURPRISE, more="build = syntax")
        self.assertEqual({verdict for _, verdict in found}, {"build-failed"})
        line = KERNEL.splitlines().index("this is no kernel;") + 1
        self.assertIn(f"own.cl:{line}:1: unknown type name 'this'", result.out)

    def test_syntax_error_leaves_other_builds_alone(self):
        _, found = self.verdicts("none", EXIT_SURPRISE, groups="1", more="build = syntax, fine")
        self.assertEqual(found, [(1, "build-failed"), (1, "pass")])


class Places(Case):
    def check(self, path):
        _, rows = self.run_own(path)
        self.assertEqual([(row["scenario"], row["kernel"], row["verdicts"]) for row in rows],
                         [("mine", "own", "pass")] * 2)

    def test_absolute_path(self):
        self.check(self.write())

    def test_relative_path(self):
        """Relative to the folder that gridlock was started in, and so is the kernel beside it."""
        self.write()
        for path in ("own folder/mine.ini", "./own folder/../own folder/mine.ini"):
            self.check(path)

    def test_in_the_present_folder(self):
        for name in ("own.cl", "mine.ini"):
            self.write()
            os.rename(self.own / name, self.folder / name)
        self.check("mine.ini")
        self.check("./mine.ini")

    def test_link_to_a_scenario_keeps_its_own_folder(self):
        """The kernel stands beside the name that was given."""
        (self.folder / "mine.ini").symlink_to(self.write())
        result = self.run_gridlock("check", "mine.ini", code=EXIT_USAGE)
        self.assert_sentence(result.err, "mine.ini:2: ", "own.cl")

    def test_check_agrees(self):
        path = self.write()
        self.assertEqual(self.run_gridlock("check", str(path)).out, f"{path}: ok\n")
        (self.own / "own.cl").unlink()
        self.assert_sentence(self.run_gridlock("check", str(path), code=EXIT_USAGE).err, f"{path}:2: ", "own.cl")

    def test_kernel_that_gridlock_carries(self):
        """A scenario alone in its folder; its kernel need not be there."""
        path = self.own / "central.ini"
        path.write_text(scenario_text())
        _, rows = self.run_own(path)
        self.assertEqual([(row["kernel"], row["verdicts"]) for row in rows], [("barrier_central", "pass")] * 2)

    def test_kernel_beside_goes_before_the_one_carried(self):
        (self.own / "barrier_central.cl").write_text(
            KERNEL.replace("kernel:  own", "kernel:  barrier_central").replace("void own(", "void barrier_central("))
        _, rows = self.run_own(self.write(kernel="barrier_central", fault="skipped", verdict="wrong"))
        self.assertEqual([row["verdicts"] for row in rows], ["wrong", "wrong"])

    def test_kernel_folder_goes_before_the_ones_carried(self):
        """What is not beside the scenario is looked for there: kernels, and the headers that they include."""
        kernels = self.folder / "kernels"
        kernels.mkdir()
        (self.own / "own.cl").rename(kernels / "own.cl")
        result, _ = self.run_own(self.write(fault="stale", verdict="stale"), "--kernel-dir", str(kernels))
        self.assertEqual(result.code, EXIT_OK)
        carried = (ROOT / "kernels" / "group.h").read_text()
        (kernels / "group.h").write_text(carried + "#if defined(PARAM_FACTOR)\n#error another one\n#endif\n")
        _, rows = self.run_own(self.write(groups="1"), "--kernel-dir", str(kernels), code=EXIT_SURPRISE)
        self.assertIn("another one", rows[0]["note"])

    def test_header_beside_goes_before_the_one_carried(self):
        (self.own / "own.h").write_text("#define GREETING 5\n")
        kernel = KERNEL.replace('#include "group.h"\n', '#include "group.h"\n#include "own.h"\n')
        (self.own / "own.cl").write_text(kernel.replace("self.group, 5,", "self.group, GREETING,"))
        self.check(self.write())

    def test_include_that_is_missing(self):
        """It is found before anything is run."""
        (self.own / "own.cl").write_text(KERNEL.replace('"group.h"', '"nosuch.h"'))
        path = self.write(groups="1")
        result = self.run_gridlock("run", "-d", "pocl", str(path), code=EXIT_USAGE)
        self.assert_sentence(result.err, f"{path}:2: own.cl:", "nosuch.h not found")
        self.assertEqual(self.run_file_paths(), [])

    def test_own_beside_one_that_is_carried(self):
        path = self.write()
        _, rows = self.run_own(path, "barrier_central", "-t", "/g1$")
        self.assertEqual([row["scenario"] for row in rows], ["mine", "barrier_central", "barrier_central"])

    def test_two_of_one_name(self):
        """Their points could not be told apart."""
        path = self.write()
        other = self.folder / "mine.ini"
        other.write_text(scenario_text())
        result = self.run_gridlock("run", "-d", "pocl", str(path), str(other), code=EXIT_USAGE)
        self.assert_sentence(result.err, str(other), "another scenario is already named mine")
        self.assertEqual((result.out, self.run_file_paths()), ("", []))


class Page(Case):
    """The page on one's own kernel: what it shows does what it says, without a check."""

    def blocks(self):
        text = (gridlock_test.ROOT / "scenarios" / "README.md").read_text()
        section = text.partition("## Your own kernel\n")[2].partition("\n## ")[0]
        return [textwrap.dedent(block) for block in re.findall(r"(?m)(?:^(?: {4}.*)?\n)+", section) if block.strip()]

    def write_page(self, change=lambda text: text):
        kernel, = [block for block in self.blocks() if "* kernel:" in block]
        scenario, = [block for block in self.blocks() if "[scenario]" in block]
        (self.own / "relax.cl").write_text(change(kernel.strip("\n") + "\n"))
        (self.own / "relax.ini").write_text(scenario.strip("\n") + "\n")
        return self.own / "relax.ini"

    def test_it_passes_and_starves(self):
        _, rows = self.run_own(self.write_page())
        self.assertEqual({(row["groups"], row["verdicts"]) for row in rows}, {(1, "pass"), (2, "pass"), (3, "starved")})

    def test_wait_that_ends_early_is_seen(self):
        """It is no pass although nothing is checked: a group leaves out its last arrival, and the others stall."""
        path = self.write_page(lambda text: text.replace("round <= gl_parameter(board, GL_ROUNDS)",
                                                         "round <= gl_parameter(board, GL_ROUNDS) - (self.group == 1)"))
        _, rows = self.run_own(path, "-t", "jitter=0/g2", code=EXIT_SURPRISE)
        self.assertEqual({row["verdicts"] for row in rows}, {"stalled"})

    def test_it_has_a_reproducer(self):
        file = self.folder / "run.gridlock"
        self.run_gridlock("run", "-d", "pocl", str(self.write_page()), "-t", "jitter=0/g3", "-o", str(file),
                          POCL_MAX_PTHREAD_COUNT=2)
        folder = self.folder / "reproducer"
        self.run_gridlock("explain", str(file), "--reproducer", str(folder))
        subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "stall.c", "-lOpenCL", "-o", "stall"], cwd=folder,
                       check=True)


if __name__ == "__main__":
    gridlock_test.main()
