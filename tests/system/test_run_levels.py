"""`gridlock run` of what waits inside a group: predicted by the model of its level (--model LEVEL:MODEL)."""
import unittest

import gridlock_test
from gridlock_test import EXIT_UNSUPPORTED, EXIT_USAGE

EXIT_SURPRISE = 1
BRANCH = "items_branch"


class Levels(gridlock_test.Case):
    def points(self, device, *words, code=0):
        told = self.run_gridlock("run", "-q", "-d", device, "--iterations", "1", "-t", "/g1$", *words, "--format",
                                 "json", code=code).json()["devices"][0]
        return {point["id"]: ("".join(point["verdicts"]), point["expected"])
                for scenario in told["scenarios"] for point in scenario["points"]}

    def test_serial_machines_are_predicted(self):
        """A wait for what comes before ends, and one for what comes after never does."""
        for device, passing in (("model:serial,sub-groups=8", ("waits=last", "direction=up")),
                                ("model:serial:down,sub-groups=8", ("waits=first", "direction=down")),
                                ("model:hsa,sub-groups=8", ("=",))):
            points = self.points(device, "lock_items", BRANCH, "handover_sub_groups")
            self.assertGreater(len(points), 14)
            for name, (verdict, _expected) in points.items():
                with self.subTest(device=device, point=name):
                    ends = "lock_items" in name or "/l1/" in name or any(word in name for word in passing)
                    self.assertEqual(verdict, "pass" if ends else "deadlock")

    def test_what_is_said_of_a_level_predicts_it(self):
        points = self.points("model:serial", BRANCH, "--model", "fair", "--model", "item:lobe")
        self.assertEqual({" or ".join(expected) for _verdict, expected in points.values()},
                         {"pass", "pass or deadlock"})
        points = self.points("model:serial", BRANCH, "--model", "item:fair", code=EXIT_SURPRISE)
        self.assertEqual({"".join(expected) for _verdict, expected in points.values()}, {"pass"})

    def test_no_level(self):
        for word in ("warp:obe", "item:", "item:pram", "item:obe:odd"):
            with self.subTest(word=word):
                err = self.run_gridlock("run", BRANCH, "--model", word, code=EXIT_USAGE).err
                self.assert_sentence(err, "--model", "expected HSA")

    def test_without_sub_groups(self):
        out = self.run_gridlock("run", "-q", "-v", "-d", "model:fair", "handover_sub_groups",
                                code=EXIT_UNSUPPORTED).out
        self.assertIn("sub-groups are needed", " ".join(out.split()))

    @gridlock_test.needs_driver("pocl")
    def test_driver_without_sub_groups(self):
        if "3.1" not in self.run_gridlock("devices", "-d", "pocl").out:
            self.skipTest("another PoCL may have them")
        out = self.run_gridlock("run", "-q", "-v", "-d", "pocl", "handover_sub_groups", code=EXIT_UNSUPPORTED).out
        self.assertIn("offers no sub-groups", " ".join(out.split()))

    def test_schedules_are_explored_of_items_as_well(self):
        err = self.run_gridlock("prove", BRANCH, "-d", "model:serial", code=EXIT_USAGE).err
        self.assert_sentence(err, "model:serial", "of work-items")


if __name__ == "__main__":
    unittest.main()
