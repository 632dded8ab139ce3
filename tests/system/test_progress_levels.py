"""`gridlock progress --level`: threads that are work-items or sub-groups of one group."""
import json
import re
import unittest

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE
from progress_case import EXIT_SURPRISE, FORMATS, LATER, LOCK, UP, Case, timeless


class Asked(Case):
    def test_bad_input(self):
        for words, said in ((("--level", "warp"), "group, sub-group, item, lane or all"),
                            (("--level", "item", "-d", "model:serial:9"), "model:serial[:down]"),
                            (("-d", "model:lockstep:weak",), "model:lockstep[:down][:fall-through]"),
                            (("--expect", "lane:pram"), "expected HSA"),
                            (("--level", "item", "--expect", "lane:obe"), "level lane, which --level leaves out"),
                            (("--level", "item", "--expect", "obe"), "level group, which --level leaves out"),
                            (("--expect", "warp:obe"), "expected HSA"),
                            (("-d", "model:serial,sub-groups=8"), "sub-groups")):
            with self.subTest(words=words):
                result = self.run_gridlock("progress", "-q", *words, "-o", str(self.path), code=EXIT_USAGE)
                self.assertIn(said, " ".join(result.err.split()))

    def test_groups_have_the_mappings_of_before(self):
        self.progress("-d", "model:fair", "--tests", self.write_tests(UP), "--no-limit")
        self.assertEqual([row for row, in self.rows("SELECT mapping FROM trial ORDER BY id")],
                         ["plain", "round-robin", "chunked", "random", "shuffled"])
        self.assertEqual(self.rows("SELECT DISTINCT level FROM trial"), [("group",)])


class Machines(Case):
    """Model devices at all levels, and machines of lanes: each comes out as itself."""

    MACHINES = ("serial:up", "serial:down", "lockstep:up:taken", "lockstep:up:fall-through", "lockstep:down:taken",
                "lockstep:down:fall-through")

    def levels(self, device, *options):
        path = self.folder / (device.replace(":", "-") + ".run")
        self.progress("-d", "model:" + device, "--level", "all", "--no-limit", *options, path=path)
        found, = json.loads(self.run_gridlock("report", str(path), "--format", "json").out)["devices"]
        return {level["level"]: level for level in found["levels"]}

    def test_each_is_like_itself_alone(self):
        for number, machine in enumerate(self.MACHINES):
            with self.subTest(machine=machine):
                levels = self.levels(machine, "--engine", "table,compiled,shared", "--seed", str(number + 1))
                self.assertEqual({name: level["like"] for name, level in levels.items()},
                                 {"lane": [machine], "item": [machine],
                                  "sub-group": [machine] if machine.startswith("serial") else []})

    def test_models_are_themselves_at_each_level(self):
        for device, strongest in (("obe:4", "OBE"), ("hsa", "HSA"), ("hsa_obe:8:weak", "HSA_OBE (weak)"),
                                  ("lobe:4", "LOBE"), ("fair:weak", "FAIR (weak)"), ("unfair", "unfair")):
            with self.subTest(device=device):
                levels = self.levels(device)
                self.assertEqual({name: level["strongest"] for name, level in levels.items()},
                                 {"lane": strongest, "item": strongest, "sub-group": strongest})
                self.assertEqual({machine for level in levels.values() for machine in level["like"]}, set())

    def test_text(self):
        out = self.progress("-d", "model:lockstep:fall-through", "--level", "lane,sub-group", "--engine",
                            "table,compiled,shared")
        self.assertRegex(out, r"(?m)^Machines of lanes with which all outcomes agree\n"
                              r"  sub-group: independent\n  lane: lockstep:up:fall-through$")

    def test_those_in_lock_step_run_no_kernels(self):
        for words in (("run", "barrier_central"), ("limits",), ("demo",), ("devices",)):
            with self.subTest(words=words):
                result = self.run_gridlock(*words, "-d", "model:lockstep", code=EXIT_USAGE)
                self.assertIn("runs litmus tests alone", " ".join(result.err.split()))


@gridlock_test.needs_driver("pocl")
class Items(Case):
    """PoCL runs the work-items of a group one after the other, in ascending order."""

    def test_lower_ones_may_be_waited_for(self):
        tests = self.write_tests(LATER, UP, LOCK)
        out = self.progress("-d", "pocl", "--level", "item", "--tests", tests, "--expect", "item:LOBE")
        self.assertIn("Level item: threads are work-items of one group", out)
        self.assertRegex(out, r"(?m)^HSA_OBE +weak .* not broken$")
        self.assertNotRegex(out, r"(?m)^(HSA|OBE|HSA_OBE|LOBE) .* broken by")
        self.assertRegex(out, r"(?m)^FAIR +weak .* broken$")
        self.assertRegex(out, r"(?m)^item +broken +not broken +not broken +nothing ")
        self.assertIn("1 of 2 work-items had started", " ".join(out.split()))
        self.assertIn("  item: serial:up\n", out)
        outcomes = self.rows("SELECT mapping, program, stalled > 0 FROM litmus JOIN trial ON trial.id = litmus.trial "
                             "WHERE engine = 'table'")
        for mapping, program, stalled in outcomes:
            backwards = mapping in ("reversed", "shuffled")
            with self.subTest(mapping=mapping, program=program):
                self.assertEqual(stalled, program == (UP if backwards else LATER))
        self.assertEqual({mapping for mapping, _, _ in outcomes} >= {"gaps", "reversed", "chunked", "plain"}, True)

    def test_each_form_and_a_barrier_before(self):
        tests = self.write_tests(LATER, LOCK)
        self.progress("-d", "pocl", "--level", "item", "--tests", tests, "--engine", "table,compiled,shared",
                      "--guard", "off,on", "--mapping", "plain", "--iterations", "1")
        found = self.rows("SELECT engine, guarded, program, stalled FROM litmus JOIN trial ON trial.id = litmus.trial")
        self.assertEqual(len(found), 10)  # what has no threads of equal text is not run as shared
        for engine, guarded, program, stalled in found:
            with self.subTest(engine=engine, guarded=guarded, program=program):
                self.assertEqual(stalled, program == LATER)

    def test_reports(self):
        printed = self.progress("-d", "pocl", "--level", "group,item", "--tests", self.write_tests(LATER, UP),
                                "--mapping", "plain", "--expect", "item:FAIR:weak", "--no-limit", code=EXIT_SURPRISE)
        self.assertEqual(self.report(code=EXIT_SURPRISE), printed)
        failed = re.findall(r"(?m)^not ok \d+ - progress/(\S+)", self.report("tap", code=EXIT_SURPRISE))
        self.assertEqual(failed, ["item-FAIR-weak"])
        device, = json.loads(self.report("json", code=EXIT_SURPRISE))["devices"]
        self.assertEqual([level["level"] for level in device["levels"]], ["item"])
        self.assertEqual([model["level"] for model in device["models"]], 10 * ["group"] + 10 * ["item"])
        self.assertIn(',level="item",model="FAIR",fairness="weak"} 1', self.report("prometheus", code=EXIT_SURPRISE))
        told = self.run_gridlock("explain", str(self.path)).out
        self.assertIn("Level item", told)
        for form in FORMATS:
            self.report(form, code=EXIT_SURPRISE)

    @unittest.skipIf(schemas.jsonschema is None, "needs jsonschema")
    def test_json_is_as_described(self):
        self.progress("-d", "pocl", "--level", "item,lane", "--tests", self.write_tests(LATER), "--mapping", "plain")
        schemas.validator("progress").validate(json.loads(self.report("json")))

    def test_levels_are_compared_apart(self):
        both, groups = self.folder / "both.run", self.folder / "groups.run"
        common = ("-d", "pocl", "--tests", self.write_tests(LATER, UP), "--mapping", "plain", "--no-limit")
        self.progress(*common, "--level", "item")
        self.progress(*common, "--level", "item,group", path=both, code=None)
        self.progress(*common, path=groups, code=None)
        out = self.run_gridlock("compare", str(self.path), str(both), code=None).out
        self.assertRegex(out, r"(?m)^Level item\nTests: 2 unchanged, 0 changed")
        self.assertRegex(out, r"2 only in the\s+second")
        result = self.run_gridlock("compare", str(self.path), str(groups), code=EXIT_USAGE)
        self.assertIn("nothing to compare", result.err)

    def test_resumed_run_is_the_same(self):
        arguments = ("-d", "pocl", "--level", "item", "--tests", self.write_tests(LATER, UP), "--mapping", "plain,gaps")
        whole = self.progress(*arguments)
        self.change(self.path, "DELETE FROM litmus WHERE trial = (SELECT max(id) FROM trial); "
                               "UPDATE trial SET duration_ns = NULL WHERE id = (SELECT max(id) FROM trial);"
                               "UPDATE share SET ended = 0")
        again = self.run_gridlock("resume", str(self.path), "-q", code=None).out
        self.assertEqual(timeless(again).split("Level")[0], timeless(whole).split("Level")[0])

    def test_without_sub_groups(self):
        """PoCL 3.1 has none; later versions do."""
        result = self.run_gridlock("progress", "-q", "-d", "pocl", "--level", "lane,sub-group", "--tests",
                                   self.write_tests(UP), "--mapping", "plain", "-o", str(self.path), code=None)
        if "not offered" in result.out:
            self.assertEqual(result.code, EXIT_UNSUPPORTED)
            self.assertEqual(result.out.count("not offered: the device has no sub-groups"), 2)
            self.assertRegex(self.report("tap", code=EXIT_UNSUPPORTED), r"lane-blocks # SKIP")
        else:
            self.assertEqual(result.code, EXIT_OK)


if __name__ == "__main__":
    unittest.main()
