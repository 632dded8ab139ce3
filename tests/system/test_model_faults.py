"""Kernels that harm whoever runs them, on a model device: each has one outcome, and leaves nothing behind."""
import os
import re
import signal

import gridlock_test
from gridlock_test import EXIT_USAGE
from test_model_device import KERNEL, SCENARIO, Case

SYSCALL = '{{ long r = {}; __asm__ volatile("syscall" : "+a"(r) : "D"((long){}), "S"((long){}), "d"(0l) ' \
          ': "rcx", "r11"); cells[0] = r; }}'
REFUSED = ("crash", "signal 31, Bad system call")
OUTSIDE = ("device-lost", "outside of what the kernel was given")
KERNELS = {
    "endless": ("if (self.leader && self.group == 0) for (;;) ;", "stalled", "this is proved"),
    "toils": ('if (self.leader && self.group == 0) __asm__ volatile("1: nop; jmp 1b");', "hang",
              "made no access of memory for the time limit"),
    "above": ("uint a[16]; for (uint i = 0; i < 16; ++i) a[i] = cells[i & 1];"
              "for (uint i = 0; i < 1u << 20; ++i) a[i + cells[0]] = i; cells[1] = a[cells[0]];", *OUTSIDE),
    "below": ("uint a[16]; for (uint i = 0; i < 16; ++i) a[i] = cells[i & 1];"
              "for (int i = 0; i > -(1 << 20); --i) a[i + (int)cells[0]] = i; cells[1] = a[cells[0]];", *OUTSIDE),
    "apart": ("if (get_local_id(0) == 0) barrier(1); else barrier(1);", "device-lost",
              "work-item (0, 0, 0) of its group at another one in line "),
    "huge": ("ulong a[1ul << 33]; a[cells[0] * 7ul] = cells[1]; a[cells[1] * 5ul] = 1; cells[1] = a[cells[0]];",
             "build-failed", "private memory"),
    "forks": (SYSCALL.format(57, 0, 0), *REFUSED),
    "executes": (SYSCALL.format(59, 0, 0), *REFUSED),
    "connects": (SYSCALL.format(41, 2, 1), *REFUSED),
    "opens": (SYSCALL.format(2, '"left"', 0x41), *REFUSED),
    "kills": (SYSCALL.format(62, os.getpid(), int(signal.SIGTERM)), *REFUSED),
    "ends": (SYSCALL.format(231, 0, 0), "crash", "with exit status 0"),
    "prints": ('for (;;) printf("%u", cells[0]);', "stalled", "this is proved"),
    "maps": ('for (;;) { long r = 9; '
             '__asm__ volatile("movq $0x22, %%r10; movq $-1, %%r8; xorl %%r9d, %%r9d; syscall" '
             ': "+a"(r) : "D"(0l), "S"(1l << 30), "d"(3l) : "rcx", "r8", "r9", "r10", "r11", "memory");'
             ' cells[0] = r; }',
             "stalled", "this is proved"),
    "writes nowhere": ("*(volatile global uint *)0 = 1;", *OUTSIDE),
}


class Faults(Case):
    def kernel(self, does, head=""):
        """The text of a kernel that does this, beside its scenario, which expects that it passes."""
        begin, rest = KERNEL.split("#if defined(DOES_TOIL)\n")
        begin = re.sub(r" \* option: .*\n", "", begin)
        end = rest.split("#endif\n", 1)[1]
        scenario = re.sub(r"does = .*\n", "", SCENARIO).split("[expect]")[0] + "[expect]\nverdict = pass\n"
        (self.folder / "own.ini").write_text(scenario)
        return begin.replace('#include "group.h"\n', f'#include "group.h"\n{head}') + does + "\n" + end

    def test_each_has_its_outcome(self):
        temporary = self.folder / "temporary"
        temporary.mkdir()
        for name, (does, verdict, said) in KERNELS.items():
            with self.subTest(name):
                (self.folder / "own.cl").write_text(self.kernel(does))
                run = f"{name}.run"
                result = self.alone("run", "own.ini", "-d", "model:obe:4", "--timeout", "2", "-o", run, "-q", code=1,
                                    TMPDIR=temporary)
                self.assertRegex(result.out, rf"(?m)^own .* 3 {verdict} ")
                self.assertIn(said, " ".join(self.alone("explain", run).out.split()))
                self.assertEqual(os.listdir(temporary), [])
                self.assertFalse((self.folder / "left").exists())

    def test_reads_of_what_nobody_has_written(self):
        """Faults, if the device is asked for them: here the barrier between them is missing."""
        writes, meets = "local uint a[2]; a[get_local_id(0)] = 1;", "barrier(CLK_LOCAL_MEM_FENCE);"
        reads = "cells[self.group] = a[1 - get_local_id(0)];"
        for run, does, part, code in (("x.run", writes + reads, "", 0),
                                      ("y.run", writes + reads, ",reads=written", 1),
                                      ("z.run", writes + meets + reads, ",reads=written", 0)):
            (self.folder / "own.cl").write_text(self.kernel(does))
            self.alone("run", "own.ini", "-d", f"model:obe:4{part}", "-o", run, "-q", code=code)
            if code == 1:
                said = " ".join(self.alone("explain", run).out.split())
                self.assertRegex(said, r"own\.cl:\d+: work-item \(0, 0, 0\) of group \d+ reads what nobody has written")

    def test_much_private_memory(self):
        """An array of 1 MiB for each work-item is no harm."""
        (self.folder / "own.cl").write_text(self.kernel(
            "uchar a[1 << 20]; for (uint i = 0; i < 1u << 20; i += 4096) a[i + cells[0] % 2] = (uchar)i;"
            "cells[self.group] = a[cells[0] % 2];"))
        self.alone("run", "own.ini", "-d", "model:obe:4", "-o", "x.run", "-q")

    def test_what_no_kernel_includes(self):
        """One sentence, and nothing is begun."""
        os.mkfifo(self.folder / "pipe")
        (self.folder / "round.h").write_text('#include "round.h"\n')
        for name, said in (("/dev/zero", "without a slash"), ("pipe", "not a regular file"), (".", "Is a directory"),
                           ("round.h", "nested too deeply")):
            (self.folder / "own.cl").write_text(self.kernel("", f'#include "{name}"\n'))
            result = self.alone("run", "own.ini", "-d", "model:obe:4", "-o", "x.run", code=EXIT_USAGE)
            self.assertEqual((result.out, result.err.count("\n")), ("", 1))
            self.assertIn(said, result.err)
            self.assertFalse((self.folder / "x.run").exists())


if __name__ == "__main__":
    gridlock_test.main()
