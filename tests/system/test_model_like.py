"""Model devices that are like a device that a stored run has measured."""
import lzma

import gridlock_test
from gridlock_test import EXIT_UNSUPPORTED, EXIT_USAGE
from report_case import limits_trials
from run_builder import Builder

GPU = {"name": "Toy GPU", "kind": "GPU", "compute_units": 2, "max_local_size": 256, "local_memory_bytes": 4096}
KEEPING = """kernel void keeping(global uint *a)
{
    uint kept[256];
    for (uint i = 0; i < 256; ++i)
        kept[i] = a[i];
    a[0] = kept[a[1]];
}
"""


class Case(gridlock_test.Case):
    def stored(self, *devices, path="stored.run", **run):
        """A run file of devices that hold 6 groups of 32 work-items, 4 of 64, also with local memory, and 2 of 128."""
        builder = Builder(self.folder / path, **{"command_line": "gridlock limits", **run})
        for device in devices or (GPU,):
            row = builder.device(**device)
            for local_size, groups in ((32, 6), (64, 4), (128, 2)):
                limits_trials(builder, row, local_size, groups)
            limits_trials(builder, row, 64, 4, local_memory=1024)
        builder.close()
        return f"model:like:{path}"

    def published(self, name):
        with lzma.open(gridlock_test.ROOT / "results" / f"{name}.run.xz") as packed:
            (self.folder / "published.run").write_bytes(packed.read())
        return "model:like:published.run"

    def limits(self, device, *options, path="new.run", **how):
        return self.run_gridlock("limits", "-q", "-d", device, "--estimator", "barrier", "--iterations", "1", "-o",
                                 path, *options, "--format", "json", **how).json()["devices"][0]

    def resident(self, device, *options, path="new.run"):
        """{(work-items, local memory, private memory): (most groups that passed, fewest that stalled)}"""
        return {(row["local_size"], row["local_memory_bytes"], row["private_bytes"]):
                (row["barrier"]["passes_at"], row["barrier"]["stalls_at"])
                for row in self.limits(device, *options, path=path)["limits"]}

    def name(self, device):
        return self.run_gridlock("devices", "-d", device, "--format", "json").json()["devices"][0]["name"]


class Holds(Case):
    def test_what_was_measured_and_what_follows(self):
        """A unit held 128 work-items, so that 40 of them are 3 groups, and 4 are no more groups than of 32."""
        self.assertEqual(self.resident(self.stored(), "--local-size", "4,32,40,64,128"),
                         {(4, 0, 0): (6, 7), (32, 0, 0): (6, 7), (40, 0, 0): (4, 5), (64, 0, 0): (4, 5),
                          (128, 0, 0): (2, 3)})

    def test_what_nobody_measured_is_refused(self):
        device = self.stored()
        row, = self.limits(device, "--local-size", "256", code=EXIT_UNSUPPORTED)["limits"]
        self.assertEqual(row["not_measured_verdict"], "unsupported")
        self.assertEqual(row["note"], "no group was measured on Toy GPU that occupies as much as one of this kernel: "
                         "256 work-items, 0 bytes of local memory, and 0 of private arrays each")
        (self.folder / "own.cl").write_text(KEEPING)
        for row in self.limits(device, "--source", "own.cl", path="own.run", code=EXIT_UNSUPPORTED)["limits"]:
            self.assertIn("and 1024 of private arrays each", row["note"])

    def test_each_kind_of_footprint_of_an_h200(self):
        device = self.published("nvidia-h200/limits")
        for options, footprint, groups in ((["--local-size", "1"], (1, 0, 0), 4224),
                                           (["--local-memory", "48896"], (64, 48896, 0), 528),
                                           (["--private", "768"], (64, 0, 768), 528)):
            self.assertEqual(self.resident(device, *options, path=f"{footprint}.run"),
                             {footprint: (groups, groups + 1)})

    def test_footprints_of_a_cpu(self):
        """What is asked of it without options is what was asked of that one."""
        device = self.published("pocl/limits-2-threads")
        measured = self.run_gridlock("report", "published.run", "--format", "json").json()["devices"][0]["limits"]
        held = self.resident(device, "--local-size", "1,4096", "--local-memory", "0,2097152", "--private", "0,896")
        self.assertEqual(set(held.values()), {(row["barrier"]["passes_at"], row["barrier"]["stalls_at"])
                                              for row in measured})

    def test_kernels_that_were_counted_by_themselves(self):
        """Of several builds, the one of which the device held the fewest. Of another size its footprint tells."""
        device = self.stored() + ",kernels=kernels.run"
        builder = Builder(self.folder / "kernels.run")
        row = builder.device(**GPU)
        for resident in (3, 2, 4):
            builder.trial(row, scenario="barrier_central", kernel="barrier_central", resident=resident, groups=1,
                          sequence=resident)
        builder.close()
        self.run_gridlock("run", "-q", "-d", device, "barrier_central", "-o", "new.run")
        scenario, = self.run_gridlock("report", "new.run", "--format", "json").json()["devices"][0]["scenarios"]
        points = scenario["points"]
        self.assertEqual({(point["local_size"], point["resident"]) for point in points}, {(1, 4), (64, 2)})
        self.assertIn("has no kernel that was counted on Toy GPU",
                      self.run_gridlock("devices", "-d", self.stored(path="other.run") + ",kernels=stored.run",
                                        code=EXIT_USAGE).err)

    def test_demo_has_its_cliff(self):
        out = self.run_gridlock("demo", "-d", self.stored(), "-o", "demo.run").out
        self.assertRegex(out, r"Groups launched: 5, of local size 64; 4\s+started")


class Tells(Case):
    def test_model_and_order_by_the_groups_that_were_resident(self):
        for run, name in (("nvidia-h200/limits", "model:lobe:4224,like=NVIDIA H200"),
                          ("oclgrind/limits", "model:lobe:4,like=Oclgrind Simulator"),
                          ("pocl-6.0/limits", "model:hsa_obe:2,order=chunked,"
                           "like=cpu-skylake-avx512-Intel(R) Xeon(R) Processor"),
                          ("intel-cpu/limits", "model:hsa_obe:2,order=split,like=Intel(R) Xeon(R) Processor")):
            self.assertEqual(self.name(self.published(run)), name)
        self.assertEqual(self.name(self.stored()), "model:obe:6,like=Toy GPU")  # which has no board

    def test_model_and_order_by_choice(self):
        self.assertEqual(self.name(self.stored() + ",model=lobe,order=down,seed=3"),
                         "model:lobe:6,order=down,seed=3,like=Toy GPU")

    def test_one_of_several_devices(self):
        device = self.stored(GPU, {**GPU, "name": "Other GPU"})
        err = self.run_gridlock("devices", "-d", device, code=EXIT_USAGE).err
        self.assertIn("has limits of 2 devices: choose one, as by ,device=Other GPU", err)
        self.assertEqual(self.name(device + ",device=TOY*"), "model:obe:6,like=Toy GPU")

    def test_explain_repeats_by_the_run_file(self):
        device = self.stored()
        self.limits(device, "--local-size", "64")
        self.assertIn(f"-d {device} --local-size 64", self.run_gridlock("explain", "new.run").out)

    def test_runs_are_compared(self):
        device = self.stored()
        for path in ("old.run", "new.run"):
            self.limits(device, "--local-size", "64", path=path)
        self.assertIn("Footprints: 0 worse, 0 better, 0 changed, 1 same", self.run_gridlock("compare", "old.run",
                                                                                            "new.run").out)


class Refused(Case):
    def refused(self, device, expected):
        for command in ("devices", "limits", "run", "demo", "progress"):
            result = self.run_gridlock(command, "-d", device, code=EXIT_USAGE)
            self.assertIn(expected, result.err)
            self.assertEqual((result.out, result.err.count("\n")), ("", 1), result)

    def test_no_run(self):
        (self.folder / "text.run").write_text("no run\n")
        self.refused("model:like:nosuch.run", "nosuch.run")
        self.refused("model:like:text.run", "text.run")
        self.refused("model:like:", "expected a run file")

    def test_runs_that_do_not_tell(self):
        Builder(self.folder / "empty.run", command_line="gridlock limits").close()
        self.refused("model:like:empty.run", "'empty.run' has no limits: expected a run of gridlock limits")
        builder = Builder(self.folder / "scenarios.run")
        builder.trial(builder.device())
        builder.close()
        self.refused("model:like:scenarios.run", "'scenarios.run' has no limits")
        builder = Builder(self.folder / "tests.run", command_line="gridlock progress")
        builder.block(builder.device())
        builder.close()
        self.refused("model:like:tests.run", "'tests.run' has no limits")
        builder = Builder(self.folder / "began.run", command_line="gridlock limits")
        limits_trials(builder, builder.device(**GPU), 64, 4, ended=False)
        builder.close()
        self.refused("model:like:began.run", "'began.run' has no footprint that was measured on Toy GPU")

    def test_a_model_device(self):
        device = self.stored({**GPU, "platform": "gridlock", "name": "model:obe:6"})
        self.refused(device, "'stored.run' is of a model device")

    def test_no_such_device(self):
        self.refused(self.stored() + ",device=nosuch", "no device of 'stored.run' matches \"nosuch\"")

    def test_the_name_that_is_printed(self):
        self.refused("model:lobe:4224,like=NVIDIA H200", "name the run file: model:like:RUN")

    def test_litmus_tests(self):
        result = self.run_gridlock("progress", "-d", self.stored(), code=EXIT_USAGE)
        self.assertIn("litmus tests are led on a model device", result.err)


if __name__ == "__main__":
    gridlock_test.main()
