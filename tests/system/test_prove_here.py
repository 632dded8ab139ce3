"""With how many groups kernels are safe on devices of run files: `gridlock prove --limits`."""
import hashlib
import json
import lzma
import sqlite3
import xml.etree.ElementTree

import gridlock_test
import prove_case
import schemas
from gridlock_test import EXIT_OK, EXIT_USAGE
from prove_case import EXIT_STOPPED, EXIT_SURPRISE, FOLDER, STANDARD

RESULTS = gridlock_test.ROOT / "results"
H200 = [RESULTS / "nvidia-h200" / f"{name}.run.xz" for name in ("limits", "progress-quick", "scenarios")]

BARRIER = """kernel void meet(global atomic_uint *count)
{
    atomic_fetch_add(count, 1);
    while (atomic_load(count) < get_num_groups(0))
        ;
}
"""

# Each group waits for the one before it: by its id, or by a ticket that it has drawn.
CHAIN = """kernel void chain(global atomic_uint *done, global atomic_uint *next)
{
#ifdef TICKET
    uint me = atomic_fetch_add(next, 1);
#else
    uint me = get_group_id(0);
#endif
    if (me > 0)
        while (atomic_load(&done[me - 1]) == 0)
            ;
    atomic_store(&done[me], 1);
}
"""

LOCK = """kernel void lock(global atomic_uint *taken, global uint *sum)
{
    while (atomic_exchange(taken, 1) != 0)
        ;
    sum[0] += 1;
    atomic_store(taken, 0);
}
"""

MODELS = ("model:lobe:4", "model:obe:4", "model:hsa")
SIZES = "1,64"  # of groups; scenarios have one of them


class Case(prove_case.Case):
    def file(self, text, name="a.cl"):
        path = self.folder / name
        path.write_text(text)
        return path

    def here(self, operands, runs, *options, build=STANDARD, groups="2,3,4", code=EXIT_OK):
        """What JSON says of each kernel on each device."""
        built = [f"--build-options={build}"] if any(str(operand).endswith(".cl") for operand in operands) else []
        result = self.run_gridlock("prove", *map(str, operands), *built, "--format", "json", "-q", "--groups", groups,
                                   *[word for run in runs for word in ("--limits", str(run))],
                                   *options, code=code)
        if schemas.jsonschema is not None:
            schemas.validator("prove").validate(result.json())
        return result.json()["devices"][0]["here"]

    def one(self, text, runs, *options, **variables):
        found, = self.here([self.file(text)], runs, *options, **variables)
        return found

    def model_runs(self, model):
        """Runs of limits and progress of a model device."""
        def make(command):
            return lambda path: self.run_gridlock(*command, "-d", model, "-q", "-o", str(path))
        return [self.kept_file(self.folder / f"{command[0]}.run", f"{model} {command[0]}", make(command))
                for command in (("limits", "--local-size", SIZES, "--iterations", "3"), ("progress",))]


class Stored(Case):
    """On an H200, of which there are runs of limits, litmus tests and scenarios."""

    def test_a_barrier_is_safe_with_as_many_as_fit(self):
        found = self.one(BARRIER, H200)
        self.assertEqual((found["device"], found["driver"], found["answer"], found["kept"], found["counted"]),
                         ("NVIDIA H200", "580.159.04", "resident", "kept", "own"))
        self.assertEqual(found["needed"], {"model": "FAIR", "fairness": "weak", "places": None, "uniform": True})
        tests = found["tests"]
        self.assertEqual([tests[name] for name in ("model", "fairness", "guaranteed", "ended")],
                         ["OBE", "weak", 44, 44])
        sizes = {size["local_size"]: size for size in found["sizes"]}
        wanted = {2 ** i: 4224 for i in range(7)} | {128: 2112, 256: 1056, 512: 528, 1024: 264}
        self.assertEqual({size: (row["resident"], row["safe_groups"], row["first_unsafe"])
                          for size, row in sizes.items()},
                         {str(items): (groups, groups, groups + 1) for items, groups in wanted.items()})
        self.assertGreater(found["published"], 0)
        self.assertEqual(found["stale"], 0)
        self.assertEqual(len(found["launches"]), 3)

    def test_locks_and_chains_are_safe_with_any_number(self):
        for text, options, model in ((LOCK, "", "OBE"), (CHAIN, "", "HSA"), (CHAIN, " -DTICKET", "OBE")):
            with self.subTest(model=model, options=options):
                found = self.one(text, H200, build=STANDARD + options)
                self.assertEqual((found["answer"], found["needed"]["model"], found["needed"]["places"]),
                                 ("any", model, 1))
                self.assertEqual({size["safe_groups"] for size in found["sizes"]}, {None})

    def test_strong_fairness_is_broken(self):
        """It needs HSA_OBE, strongly fair, which 34 tests broke."""
        buffers = [f"--arg={i}=buffer:4" for i in range(3)]
        found, = self.here([FOLDER / "bugs" / "writer_starves.cl"], H200, "--kernel", "wrong", *buffers,
                           code=EXIT_SURPRISE)
        self.assertEqual((found["answer"], found["kept"], found["needed"]["fairness"]), ("broken", "broken", "strong"))
        self.assertGreater(found["tests"]["stalled"], 0)
        self.assertEqual({size["safe_groups"] for size in found["sizes"]}, {0})

    def test_a_race_is_safe_nowhere(self):
        """Whatever the device keeps."""
        racing = LOCK.replace("atomic_store(taken, 0)", "atomic_store_explicit(taken, 0, memory_order_relaxed)")
        found = self.one(racing, H200, code=EXIT_SURPRISE)
        self.assertEqual((found["answer"], found["needed"], found["kept"]), ("never", None, None))

    def test_what_was_not_explored_is_not_known(self):
        found = self.one(BARRIER, H200, "--memory", "1", groups="2,12", code=EXIT_STOPPED)
        self.assertEqual((found["answer"], {size["safe_groups"] for size in found["sizes"]}), ("unproved", {0}))

    def test_each_run_says_its_part(self):
        limits, progress, scenarios = H200
        found = self.one(BARRIER, [limits])
        self.assertEqual((found["answer"], found["kept"], len(found["sizes"])), ("unmeasured", "unknown", 11))
        found = self.one(BARRIER, [progress])
        self.assertEqual((found["answer"], found["kept"], found["sizes"], found["counted"]),
                         ("resident", "kept", [], None))
        found = self.one(LOCK, [progress, scenarios])
        self.assertEqual((found["answer"], len(found["runs"])), ("any", 2))

    def test_an_audit_says_what_atomics_publish(self):
        found = self.one(LOCK, [H200[1], RESULTS / "nvidia-h200" / "audit.run.xz"])
        self.assertEqual((found["answer"], found["published"], found["stale"]), ("any", 15, 0))

    def stale(self, point):
        """A run of scenarios in which the point had old data."""
        path = self.folder / "stale.run"
        path.write_bytes(lzma.decompress(H200[2].read_bytes()))
        with sqlite3.connect(path) as database:
            changed = database.execute("UPDATE verdict SET verdict = 'stale' WHERE trial IN "
                                       "(SELECT id FROM trial WHERE name = ?)", (point,)).rowcount
        database.close()
        self.assertGreater(changed, 0)
        return path

    def test_old_data_is_safe_nowhere(self):
        """Where it should not have been: not without a fence, nor in another dialect."""
        for point, answer in (("publish_access/cl30/l256/rounds=8,access=atomic/g792#0", "stale"),
                              ("publish_fence/cl30/l64/rounds=8,access=plain,fence=acquire/g3168#0", "any"),
                              ("publish_access/ptx/l256/rounds=8,access=atomic/g1056#0", "any")):
            with self.subTest(point):
                found = self.one(LOCK, [H200[1], self.stale(point)], code=EXIT_OK if answer == "any" else EXIT_SURPRISE)
                self.assertEqual((found["answer"], found["stale"] > 0), (answer, answer == "stale"))

    def test_two_numbers_of_groups_show_nothing_of_others(self):
        found = self.one(LOCK, H200, groups="2,3")
        self.assertEqual((found["answer"], found["needed"]["uniform"]), ("resident", False))

    def test_devices_do_not_mix(self):
        """A run of another device, or of another driver, says nothing of this one."""
        found = self.here([self.file(BARRIER)], [H200[0], RESULTS / "pocl-6.0" / "progress.run.xz"])
        self.assertEqual([row["answer"] for row in found], ["unmeasured", "resident"])
        self.assertEqual([len(row["sizes"]) for row in found], [11, 0])

    def test_hashes(self):
        found = self.one(BARRIER, H200)
        self.assertEqual(found["conditions"]["source_sha256"], hashlib.sha256(BARRIER.encode()).hexdigest())
        self.assertEqual(found["conditions"]["options_sha256"], hashlib.sha256(STANDARD.encode()).hexdigest())
        self.assertEqual({run["path"]: run["sha256"] for run in found["runs"]},
                         {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in H200})

    def test_text(self):
        text = self.run_gridlock("prove", str(self.file(BARRIER)), f"--build-options={STANDARD}", "-q",
                                 *[word for run in H200[:2] for word in ("--limits", str(run))]).out
        certificate = " ".join(text[text.index("Certificate: "):].split())
        self.assertIn("a.cl:meet safe up to 4224 groups of 1 to 64, 2112 of 128, 1056 of 256, 528 of 512 and "
                      "264 of 1024 work-items, if it occupies no more than gridlock's own kernel, on NVIDIA H200, "
                      "driver 580.159.04", certificate)
        self.assertIn("Of 44 litmus tests that end under OBE (weak) 44 did.", certificate)
        self.assertIn("Proved for 2 groups of 1, 3 groups of 1. It is assumed that more groups, larger ones and other "
                      "arguments need the same, and that each work-item of a group gets turns.", certificate)
        self.assertIn(hashlib.sha256(BARRIER.encode()).hexdigest() + " ", certificate)


class Reports(Case):
    """`gridlock report --limits` says of stored proofs what `prove --limits` says."""

    def setUp(self):
        super().setUp()
        self.path, self.proofs = self.file(LOCK), str(self.folder / "proofs.run")
        self.run_gridlock("prove", str(self.path), f"--build-options={STANDARD}", "-q", "--groups", "2,3,4", "-o",
                          self.proofs)

    def report(self, form, runs, code=EXIT_OK):
        return self.run_gridlock("report", self.proofs, "--format", form,
                                 *[word for run in runs for word in ("--limits", str(run))], code=code)

    def test_the_same(self):
        told = self.one(LOCK, H200)
        again, = self.report("json", H200).json()["devices"][0]["here"]
        self.assertEqual(again, told)
        self.assertNotIn("here", self.report("json", []).json()["devices"][0])

    def test_json_lines(self):
        lines = [json.loads(line) for line in self.report("jsonl", H200).out.splitlines()]
        if schemas.jsonschema is not None:
            for line in lines:
                schemas.validator("jsonl").validate(line)
        self.assertEqual([row["answer"] for line in lines if line["type"] == "device" for row in line["here"]], ["any"])

    def test_junit_fails_a_kernel_that_is_not_safe(self):
        for runs, code, types in ((H200, EXIT_OK, []), (self.model_runs("model:hsa"), EXIT_SURPRISE, ["unsafe"] * 3)):
            text = self.report("junit", runs, code=code).out
            found = xml.etree.ElementTree.fromstring(text).findall(".//failure")
            self.assertEqual([failure.get("type") for failure in found], types)

    def test_a_source_that_has_changed_has_no_hash(self):
        self.path.write_text(LOCK + "// changed\n")
        found, = self.report("json", H200).json()["devices"][0]["here"]
        self.assertEqual((found["answer"], found["conditions"]["source_sha256"]), ("any", None))

    def test_only_of_proofs(self):
        result = self.run_gridlock("report", str(H200[0]), "--limits", str(H200[1]), code=EXIT_USAGE)
        self.assert_sentence(result.err, "expected a run of gridlock prove")


class Tried(Case):
    """What `gridlock run` saw of scenarios is the truth that certificates are held against."""

    @staticmethod
    def values_of(text):
        """But for how often a kernel repeats what it does."""
        return frozenset(value for value in text.split(",") if value and not value.startswith("rounds="))

    def tried(self, device):
        """{(scenario, its values): {work-items of a group: {groups: verdicts}}}"""
        found = {}
        for scenario in device["scenarios"]:
            for point in scenario["points"]:
                parts = point["id"].split("/")
                sizes = found.setdefault((scenario["name"], self.values_of(parts[3] if len(parts) > 4 else "")), {})
                points = sizes.setdefault(parts[2].removeprefix("l"), {})
                points.setdefault(point["groups"], set()).add(point["verdict"])
        return found

    def tried_of(self, found, tried):
        name, _, values = found["kernel"].partition(" ")
        return tried.get((name, self.values_of(values)), {})


class OfStoredRuns(Tried):
    def test_no_launch_failed_that_is_certified(self):
        """On any of the devices of the stored runs."""
        proofs, certified = str(self.folder / "proofs.run"), {}
        self.run_gridlock("prove", "barrier_central", "lock_tas", "lock_ticket", "handover_up", "handover_down", "-q",
                          "-o", proofs)
        for run in sorted(RESULTS.glob("*/scenarios*.run.xz")):
            beside = [run.with_name(run.name.replace("scenarios", name))
                      for name in ("limits", "progress", "progress-quick")]
            runs = [run, *(path for path in beside if path.exists())]
            result = self.run_gridlock("report", proofs, "--format", "json",
                                       *[word for path in runs for word in ("--limits", str(path))], code=None)
            device, = self.run_gridlock("report", str(run), "--format", "json", code=None).json()["devices"]
            tried = self.tried(device)
            for found in result.json()["devices"][0]["here"]:
                if (found["device"], found["driver"]) == (device["name"], device["driver_version"]):
                    certified.setdefault(found["answer"], []).append(self.check(run, found, tried))
        self.assertGreater(len(certified["resident"]), 40)
        self.assertGreater(sum(certified["resident"]), 100)
        self.assertEqual(sum(certified["unmeasured"]), 0)

    def check(self, run, found, tried):
        """Returns how many points were tried that are certified."""
        safe = {size["local_size"]: size["safe_groups"] for size in found["sizes"]}
        points = 0
        for size, groups in self.tried_of(found, tried).items():
            most = {"resident": safe.get(size, 0), "any": max(groups)}.get(found["answer"], 0)
            certified = {number: verdicts for number, verdicts in groups.items() if number <= most}
            with self.subTest(run=str(run), kernel=found["kernel"], size=size, most=most):
                self.assertLessEqual(set().union(*certified.values()), {"pass"})
            points += len(certified)
        return points


class Truth(Tried):
    """Of model devices it is known with how many groups a scenario passes."""

    def check(self, model, found, sizes):
        """All that it is said to be safe with passes."""
        limits = {size["safe_groups"] for size in found["sizes"]}
        self.assertLessEqual(len(limits), 1, found)
        for size, points in sizes.items():
            safe = {"any": max(points), "resident": max(limits, default=0) if found["answer"] == "resident" else 0}
            most = safe.get(found["answer"], 0)
            with self.subTest(model=model, kernel=found["kernel"], size=size, most=most):
                passed = [verdicts for groups, verdicts in points.items() if groups <= most]
                self.assertLessEqual(set().union(*passed), {"pass"})
                if found["kernel"] == "barrier_central" and most > 0:
                    self.assertEqual((points[most], points[most + 1]), ({"pass"}, {"starved"}))

    def test_what_is_certified_passes(self):
        names = ("barrier_central", "lock_tas", "handover_up", "handover_down")
        answers = {}
        for model in MODELS:
            device, = self.run_gridlock("run", "-d", model, *names, "-q", "--format", "json").json()["devices"]
            tried = self.tried(device)
            for found in self.here(names, self.model_runs(model), groups="2,3", code=None):
                self.check(model, found, self.tried_of(found, tried))
                answers.setdefault(found["kernel"].split()[0], {}).setdefault(model, set()).add(found["answer"])
        self.assertEqual({name: [answer for model in MODELS for answer in found[model]]
                          for name, found in answers.items()},
                         {"barrier_central": ["resident", "resident", "broken"],
                          "lock_tas": ["resident", "resident", "broken"],
                          "handover_up": ["resident", "resident", "resident"],
                          "handover_down": ["resident", "resident", "broken"]})


class Kernels(Case):
    """Limits of the very kernel count before those of others."""

    def setUp(self):
        super().setUp()
        self.path = self.file(BARRIER)
        self.source = str(self.folder / "source.run")
        self.run_gridlock("limits", "-d", "model:lobe:4", "--source", str(self.path), f"--build-options={STANDARD}",
                          "--local-size", "4,2x8", "--iterations", "3", "-q", "-o", self.source)
        self.runs = [*self.model_runs("model:lobe:4"), self.source]

    def counted(self, **variables):
        found, = self.here([self.path], self.runs, **variables)
        return found["counted"], [(size["local_size"], size["safe_groups"]) for size in found["sizes"]]

    def test_of_the_same_text_and_options(self):
        self.assertEqual(self.counted(), ("kernel", [("4", 4), ("2x8", 4)]))
        self.assertEqual(self.counted(build=f"  {STANDARD} ")[0], "kernel")

    def test_not_of_other_options(self):
        self.assertEqual(self.counted(build=f"{STANDARD} -DX"), ("own", [("1", 4), ("64", 4)]))

    def test_not_of_another_text(self):
        self.path.write_text(BARRIER + "// changed\n")
        self.assertEqual(self.counted(), ("own", [("1", 4), ("64", 4)]))

    def test_of_the_same_text_by_another_name(self):
        self.path = self.file(BARRIER, "b.cl")
        self.assertEqual(self.counted()[0], "kernel")


@gridlock_test.needs_driver("pocl")
class Pocl(Case):
    def test_the_kernel_is_counted_on_two_threads(self):
        path, run = self.file(BARRIER), str(self.folder / "pocl.run")
        self.run_gridlock("limits", "-d", "pocl", "--source", str(path), f"--build-options={STANDARD}", "--local-size",
                          "4", "--iterations", "2", "--timeout", "600", "-q", "-o", run, POCL_MAX_PTHREAD_COUNT="2")
        found, = self.here([path], [run])
        self.assertEqual((found["answer"], found["counted"], [size["resident"] for size in found["sizes"]]),
                         ("unmeasured", "kernel", [2]))


class Refusals(Case):
    def refused(self, path, *words):
        result = self.run_gridlock("prove", str(self.file(BARRIER)), "--limits", str(path), code=EXIT_USAGE)
        self.assert_sentence(result.err, "--limits", *words)

    def test_no_run_file(self):
        self.refused(self.folder / "none.run", "none.run")
        self.refused(self.file("no run", "text.run"), "text.run")

    def test_a_run_that_says_nothing_of_it(self):
        proofs = str(self.folder / "proofs.run")
        self.run_gridlock("prove", str(self.file(BARRIER)), f"--build-options={STANDARD}", "-q", "-o", proofs)
        self.refused(proofs, "gridlock prove", "expected a run of limits, progress, run or audit")

    def test_too_many(self):
        result = self.run_gridlock("prove", str(self.file(BARRIER)), *["--limits", str(H200[1])] * 33, code=EXIT_USAGE)
        self.assert_sentence(result.err, "at most 32 run files")


if __name__ == "__main__":
    gridlock_test.main()
