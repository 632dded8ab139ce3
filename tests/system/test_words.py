"""Kernels that use more words of the board than their header asks for are errors: nothing is believed of them."""
import gridlock_test
from gridlock_test import EXIT_OK, scenario_text

# Two groups raise a flag each, where WRITES says, and wait for the other's, which is at DISTANCE.
KERNEL = """\
/*
 * kernel:  flags
 * purpose: a test
 * needs:   two groups
 * fails:   never
 * source:  a test
 * option:  distance = line | hundred
 * option:  waits = yes | no
 * words:   line+1
 */
#include "group.h"

#if defined(DISTANCE_LINE)
#define DISTANCE GL_LINE
#else
#define DISTANCE (100 * GL_LINE)
#endif

GL_KERNEL void flags(global uint *board)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader) {
#if defined(WRITES)
        gl_release(board + gl_sync(&self, WRITES * self.group), 1);
#endif
#if defined(WAITS_YES)
        gl_wait(&self, gl_sync(&self, DISTANCE * (1 - self.group)), 1, 1 - self.group);
#endif
    }
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}
"""
EXIT_SURPRISE = 1

SAID = "the kernel uses word {} of those by which its groups synchronize, and its header asks for 33 ('words')"


class Words(gridlock_test.Case):
    def run_flags(self, writes, distance, waits, code):
        defined = f"#define WRITES ({writes})\n" if writes else ""
        (self.folder / "flags.cl").write_text(KERNEL.replace("#include", defined + "#include"))
        (self.folder / "flags.ini").write_text(
            scenario_text(kernel="flags", groups="2",
                          sweep=f"local-size = 1\ndistance = {distance}\nwaits = {waits}\niterations = 1"))
        path = self.folder / "a.run"
        self.run_gridlock("run", str(self.folder / "flags.ini"), "-d", "pocl", "-o", str(path), code=code,
                          POCL_MAX_PTHREAD_COUNT=2)
        run = self.run_gridlock("report", str(path), "--format", "json", code=code).json()
        point, = run["devices"][0]["scenarios"][0]["points"]
        return point["verdict"], " ".join(self.run_gridlock("explain", str(path)).out.split())

    def test_enough(self):
        verdict, _ = self.run_flags("GL_LINE", "line", "yes", EXIT_OK)
        self.assertEqual(verdict, "pass")

    def test_written_behind_them(self):
        verdict, told = self.run_flags("2 * GL_LINE", "line", "no", EXIT_SURPRISE)
        self.assertEqual(verdict, "error")
        self.assertIn(SAID.format(64), told)

    def test_awaited_behind_them(self):
        """Whatever is there, be it true or false."""
        verdict, told = self.run_flags(None, "hundred", "yes", EXIT_SURPRISE)
        self.assertEqual(verdict, "error")
        self.assertIn(SAID.format(3200), told)


if __name__ == "__main__":
    gridlock_test.main()
