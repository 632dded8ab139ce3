"""Rusticl on llvmpipe."""
import re

import gridlock_test
from gridlock_test import EXIT_UNSUPPORTED

CUT_AT = 65535


@gridlock_test.needs_driver("rusticl")
class Arguments(gridlock_test.Case):
    def measure(self, text, *arguments):
        source = self.folder / "mine.cl"
        source.write_text(text)
        result = self.run_gridlock("limits", "-d", "rusticl", "--source", str(source), "--local-size", "1", *arguments,
                                   "--format", "json", RUSTICL_ENABLE="llvmpipe")
        row, *ours = result.json()["devices"][0]["limits"]
        self.assertEqual((row["kernel"]["source"], row["measured"]), (str(source), True), row)

    def test_kernel_with_a_union(self):
        """The driver takes another size for the struct than sizeof gives."""
        self.measure("typedef union { int i; float f[4]; } either;\ntypedef struct { either e[2]; char c; } both;\n"
                     "kernel void joined(either e, both b, global both *out) { out[0] = b; }\n")

    def test_kernel_with_an_image_and_a_sampler_of_other_names(self):
        """The driver does not tell what types these are."""
        for entry in ("insert", "call"):
            with self.subTest(entry=entry):
                self.measure("typedef image2d_t picture;\ntypedef sampler_t corner;\n"
                             "kernel void sampled(picture a, corner b, global float4 *out)"
                             " { out[0] = read_imagef(a, b, (float2)(0)); }\n", "--entry", entry)


@gridlock_test.needs_driver("rusticl")
class CutLoops(gridlock_test.Case):
    """Mesa 22.3 ends a loop after 65535 iterations although it still waits: nothing may rest on such a wait."""

    def setUp(self):
        super().setUp()
        result = self.run_gridlock("devices", "-d", "rusticl", "--format", "json", RUSTICL_ENABLE="llvmpipe")
        (self.device,) = result.json()["devices"]
        if self.device["loops_cut_at"] is None and self.device["loops_tried"] > CUT_AT:
            self.skipTest("this version cuts no loops")

    def test_devices(self):
        self.assertEqual(self.device["loops_cut_at"], CUT_AT)
        self.assertIsNone(self.device["probe_failure"])

    def test_limits(self):
        device = self.limits("-d", "rusticl", "--local-size", "1", RUSTICL_ENABLE="llvmpipe")
        self.assertEqual(device["loops_cut_at"], CUT_AT)
        self.assertIsNone(device["safe_groups"])
        self.assertIn("loops", device["safe_groups_reason"])
        for limit in device["limits"]:
            self.assertTrue(limit["measured"], limit)
            self.assertIsNone(limit["barrier"]["stalls_at"])
            self.assertIsNone(limit["barrier"]["stalls"])
            self.assertIn("loops", limit["barrier"]["stalls_at_reason"])

        run = self.run_file()
        passed = run.rows("SELECT o.* FROM observation o JOIN verdict v USING (trial, launch) WHERE v.verdict = 'pass'")
        self.assertTrue(passed)
        for observation in passed:
            self.assertEqual(observation["witnesses"], observation["groups"], observation)
            self.assertEqual(observation["ended_cut"], 0, observation)
        barriers = run.one("SELECT count(*) AS stalls FROM verdict WHERE verdict IN ('starved', 'deadlock', 'stalled')")
        self.assertEqual(barriers["stalls"], 0)

    def test_a_kernel_as_it_is(self):
        """It never ends, and comes back."""
        (self.folder / "k.cl").write_text("kernel void k(global volatile int *flag)\n"
                                          "{\n    while (flag[0] == 0)\n        flag[1] = 1;\n}\n")
        result = self.run_gridlock("try", "k.cl", "-d", "rusticl", "--groups", "1,2", "-q", code=EXIT_UNSUPPORTED,
                                   RUSTICL_ENABLE="llvmpipe")
        told = re.findall(r"(?m)^ +[12]  cut +it returned, but this driver leaves a loop", result.out)
        self.assertEqual(len(told), 2)
        self.assertIn("Whether it ends cannot be told on this device.", result.out)

    def test_text(self):
        out = self.run_gridlock("limits", "-d", "rusticl", "--local-size", "1", RUSTICL_ENABLE="llvmpipe").out
        self.assertRegex(out, r"(?m)^safe_groups +none: ")
        self.assertIn(f"loops cut after {CUT_AT} iterations", out)

    def test_audit(self):
        names = ("loop-counted", "loop-while", "loop-nested")
        found = self.run_gridlock("audit", "-d", "rusticl", *(word for name in names for word in ("--promise", name)),
                                  "--format", "json", "-q", code=1, RUSTICL_ENABLE="llvmpipe").json()
        for promise in found["devices"][0]["promises"]:
            self.assertEqual((promise["outcome"], promise["promised"], promise["fails"]), ("broken", 100000, 5),
                             promise)
            self.assertLessEqual(promise["measured"], CUT_AT)

    def test_progress(self):
        """No stall can be confirmed: tests that end by themselves tell nothing of the others, nor of the device."""
        self.run_gridlock("progress", "-d", "rusticl", "-q", "--iterations", "2", "--no-limit", "-o", "a.run",
                          RUSTICL_ENABLE="llvmpipe")
        shown = self.run_gridlock("report", "a.run", "--format", "json").json()["devices"][0]
        self.assertEqual(shown["strongest"], "not known")
        self.assertEqual(shown["stalled_launches"], 0)
        self.assertFalse(any(model["broken"] or model["strongest"] for model in shown["models"]))
        self.assertIn(f"ends loops after {CUT_AT} iterations", self.run_gridlock("report", "a.run").out)


if __name__ == "__main__":
    gridlock_test.main()
