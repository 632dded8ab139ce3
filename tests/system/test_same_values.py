"""Functions of OpenCL C come to the same on a model device as on PoCL: bit for bit, or within the ULPs granted."""
import math
import pathlib
import random
import re
import struct
import subprocess

import gridlock_test

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = pathlib.Path(gridlock_test.PROGRAM).resolve().parent / "tests" / "same_values"
ITEMS, WORDS = 256, 8
UNSUPPORTED = 77


def inputs():
    """Words by lot, and some at the ends of their ranges."""
    lot = random.Random(37)
    ends = (0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000,
            0xff800000, 0x7fc00000, 0x00800000)
    return struct.pack(f"{ITEMS * WORDS}I", *(lot.choice(ends) if lot.random() < 0.1 else lot.getrandbits(32)
                                              for _ in range(ITEMS * WORDS)))


def apart(a, b):
    """How many ULPs two numbers of type float, given as bits, are apart."""
    first, second = (struct.unpack("f", struct.pack("I", word))[0] for word in (a, b))
    if math.isnan(first) or math.isnan(second):
        return 0 if math.isnan(first) and math.isnan(second) else math.inf
    ordered = [-(word & 0x7fffffff) if word >> 31 else word for word in (a, b)]
    return abs(ordered[0] - ordered[1])


class SameValues(gridlock_test.Case):
    def values(self, device, source, kernels):
        leaks = {"ASAN_OPTIONS": "detect_leaks=0"} if device == "pocl" else {}  # PoCL has some
        done = subprocess.run([PROGRAM, device, source, str(ITEMS), *kernels], input=inputs(), capture_output=True,
                              env=self.environment(**leaks), check=False)
        if done.returncode == UNSUPPORTED:
            self.skipTest(done.stderr.decode())
        self.assertEqual(done.returncode, 0, done.stderr)
        words = struct.unpack(f"{len(kernels) * ITEMS * WORDS}I", done.stdout)
        return [words[i * ITEMS * WORDS:(i + 1) * ITEMS * WORDS] for i in range(len(kernels))]

    def kernels_of(self, source):
        return re.findall(r"(?m)^KERNEL\((\w+)\)", source.read_text())

    def both(self, name):
        source = HERE / name
        kernels = self.kernels_of(source)
        return zip(kernels, *(self.values(device, source, kernels) for device in ("model:obe:4", "pocl")))

    def test_bit_for_bit(self):
        for kernel, ours, theirs in self.both("same_bits.cl"):
            with self.subTest(kernel):
                self.assertEqual(ours, theirs)
                self.assertGreater(len(set(ours)), 1)

    def test_within_what_is_granted(self):
        """Each of two may be off by what a function is granted, in either direction."""
        for kernel, ours, theirs in self.both("same_numbers.cl"):
            granted = 2 * int(re.match(r"f_(\d+)_", kernel)[1])
            with self.subTest(kernel):
                worst = max((apart(a, b), i) for i, (a, b) in enumerate(zip(ours, theirs)))
                self.assertLessEqual(worst[0], granted, f"result {worst[1] % WORDS} of work-item {worst[1] // WORDS}")
                self.assertGreater(len(set(ours)), 1)

    def test_they_are_many(self):
        self.assertGreaterEqual(sum(len(self.kernels_of(HERE / name)) for name in ("same_bits.cl", "same_numbers.cl")),
                                30)


if __name__ == "__main__":
    gridlock_test.main()
