"""Kernels that harm whoever runs them, on a model device: each has one outcome, and leaves nothing behind."""
import os
import re
import signal

import gridlock_test
from test_model_device import KERNEL, SCENARIO, Case

SYSCALL = '{{ long r = {}; __asm__ volatile("syscall" : "+a"(r) : "D"((long){}), "S"((long){}), "d"(0l) ' \
          ': "rcx", "r11"); cells[0] = r; }}'
REFUSED = ("crash", "signal 31, Bad system call")
OUTSIDE = ("device-lost", "outside of what the kernel was given")
KERNELS = {
    "endless": ("if (self.leader && self.group == 0) for (;;) ;", "hang",
                "made no access of memory for the time limit"),
    "above": ("uint a[16]; for (uint i = 0; i < 16; ++i) a[i] = cells[i & 1];"
              "for (uint i = 0; i < 1u << 20; ++i) a[i + cells[0]] = i; cells[1] = a[cells[0]];", *OUTSIDE),
    "below": ("uint a[16]; for (uint i = 0; i < 16; ++i) a[i] = cells[i & 1];"
              "for (int i = 0; i > -(1 << 20); --i) a[i + (int)cells[0]] = i; cells[1] = a[cells[0]];", *OUTSIDE),
    "huge": ("ulong a[1ul << 33]; a[cells[0] * 7ul] = cells[1]; a[cells[1] * 5ul] = 1; cells[1] = a[cells[0]];",
             "build-failed", "private memory"),
    "forks": (SYSCALL.format(57, 0, 0), *REFUSED),
    "executes": (SYSCALL.format(59, 0, 0), *REFUSED),
    "connects": (SYSCALL.format(41, 2, 1), *REFUSED),
    "opens": (SYSCALL.format(2, '"left"', 0x41), *REFUSED),
    "kills": (SYSCALL.format(62, os.getpid(), int(signal.SIGTERM)), *REFUSED),
    "ends": (SYSCALL.format(231, 0, 0), "crash", "with exit status 0"),
    "prints": ('for (;;) printf("%u", cells[0]);', "stalled", "this is proved"),
    "writes nowhere": ("*(volatile global uint *)0 = 1;", *OUTSIDE),
}


class Faults(Case):
    def test_each_has_its_outcome(self):
        begin, rest = KERNEL.split("#if defined(DOES_TOIL)\n")
        begin = re.sub(r" \* option: .*\n", "", begin)
        end = rest.split("#endif\n", 1)[1]
        scenario = re.sub(r"does = .*\n", "", SCENARIO).split("[expect]")[0] + "[expect]\nverdict = pass\n"
        (self.folder / "own.ini").write_text(scenario)
        temporary = self.folder / "temporary"
        temporary.mkdir()
        for name, (does, verdict, said) in KERNELS.items():
            with self.subTest(name):
                (self.folder / "own.cl").write_text(begin + does + "\n" + end)
                run = f"{name}.run"
                result = self.alone("run", "own.ini", "-d", "model:obe:4", "--timeout", "2", "-o", run, "-q", code=1,
                                    TMPDIR=temporary)
                self.assertRegex(result.out, rf"(?m)^own .* 3 {verdict} ")
                self.assertIn(said, " ".join(self.alone("explain", run).out.split()))
                self.assertEqual(os.listdir(temporary), [])
                self.assertFalse((self.folder / "left").exists())


if __name__ == "__main__":
    gridlock_test.main()
