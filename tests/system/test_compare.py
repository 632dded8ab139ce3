"""What compare says of two runs, of which the second is the first with something changed in it."""
import json
import shutil
import sqlite3

import gridlock_test
from run_builder import Builder

EXIT_REGRESSION, EXIT_STOPPED = 1, 75


class Compare(gridlock_test.Case):

    def setUp(self):
        super().setUp()
        self.base = self.folder / "base.gridlock"
        self.kept_file(self.base, "base", lambda path: self.run_gridlock(
            "run", "barrier_central", "publish_rounds", "-d", "pocl", "-q", "-o", str(path), POCL_MAX_PTHREAD_COUNT=2))

    def changed(self, *statements):
        path = self.folder / "new.gridlock"
        path.unlink(missing_ok=True)
        shutil.copy(self.base, path)
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        return path

    def compare(self, base, new, code):
        out = self.run_gridlock("compare", str(base), str(new), "--format", "json", code=code).out
        return json.loads(out)["devices"]

    @staticmethod
    def verdicts_of(pattern, verdict, launch=None):
        only = "" if launch is None else f" AND launch = {launch}"
        return (f"UPDATE verdict SET verdict = '{verdict}' WHERE trial IN (SELECT id FROM trial"
                f" WHERE name LIKE '{pattern}' AND estimator = 'work'){only}")

    def test_same(self):
        device, = self.compare(self.base, self.base, code=0)
        self.assertEqual((device["points"], device["limits"]), ([], []))
        self.assertGreater(device["same"], 8)

    def test_regression_and_fix(self):
        new = self.changed(self.verdicts_of("barrier_central/%/l64/g2#%", "wrong"),
                           "UPDATE device SET driver_version = 'next'")
        device, = self.compare(self.base, new, code=EXIT_REGRESSION)
        self.assertEqual(device["driver_after"], "next")
        point, = device["points"]
        self.assertEqual((point["change"], point["before"], point["after"]), ("regression", ["pass"], ["wrong"]))
        device, = self.compare(new, self.base, code=0)
        self.assertEqual([p["change"] for p in device["points"]], ["fix"])

    def test_one_launch_of_several(self):
        new = self.changed(self.verdicts_of("barrier_central/%/l64/g2#%", "stale", launch=1))
        device, = self.compare(self.base, new, code=EXIT_REGRESSION)
        self.assertEqual(device["points"][0]["after"], ["pass", "stale"])

    def test_known_failure_is_no_regression(self):
        new = self.changed(self.verdicts_of("barrier_central/%/l64/g2#%", "wrong"),
                           "UPDATE trial SET known = 'failure', known_verdicts = 'wrong' WHERE name LIKE"
                           " 'barrier_central/%/l64/g2#%'")
        device, = self.compare(new, new, code=0)
        self.assertEqual(device["points"], [])

    def test_undecided_batch_says_nothing_beside_another(self):
        new = self.changed(
            "UPDATE trial SET name = replace(name, '/g2#0', '/g1#1') WHERE name LIKE 'barrier_central/%/l64/g2#0'",
            self.verdicts_of("barrier_central/%/l64/g1#1", "inconclusive"))
        device, = self.compare(self.base, new, code=0)
        self.assertEqual([(p["change"], p["id"].rpartition("/")[2]) for p in device["points"]], [("gone", "g2")])

    def test_new_and_gone(self):
        new = self.changed("UPDATE trial SET name = replace(name, '/g2#', '/g7#') WHERE name LIKE"
                           " 'barrier_central/%/l64/g2#%'")
        device, = self.compare(self.base, new, code=0)
        self.assertEqual(sorted(p["change"] for p in device["points"]), ["gone", "new"])

    def test_run_that_did_not_end_is_not_green(self):
        """Points that are gone may be those that regressed."""
        cut = self.changed("UPDATE trial SET name = replace(name, '/g2#', '/g7#') WHERE name LIKE"
                           " 'barrier_central/%/l64/g2#%'", "UPDATE share SET ended = 0")
        for base, new, which in ((self.base, cut, "second"), (cut, self.base, "first")):
            for form in ("text", "markdown"):
                out = self.run_gridlock("compare", str(base), str(new), "--format", form, code=EXIT_STOPPED).out
                self.assertEqual(out.count("did not end"), 1, out)
                self.assertIn(f"The {which} run, ", out)
            report = self.run_gridlock("compare", str(base), str(new), "--format", "json", code=EXIT_STOPPED).json()
            self.assertEqual((report["regression"], report["complete"]), (False, False))
        self.assertNotIn("did not end", self.run_gridlock("compare", str(self.base), str(self.base)).out)
        worse = self.changed(self.verdicts_of("barrier_central/%/l64/g2#%", "wrong"), "UPDATE share SET ended = 0")
        self.assertIn("did not end", self.run_gridlock("compare", str(self.base), str(worse), code=EXIT_REGRESSION).out)

    def test_limits_that_moved(self):
        lower = self.changed("UPDATE trial SET resident = 1 WHERE name LIKE 'barrier_central/%/l64/%'")
        device, = self.compare(self.base, lower, code=EXIT_REGRESSION)
        self.assertEqual([(limit["before"], limit["after"]) for limit in device["limits"]], [(2, 1)])
        self.compare(lower, self.base, code=0)

    def test_publication_stands_apart(self):
        new = self.changed(self.verdicts_of("publish_rounds/%/g2#%", "stale"))
        device, = self.compare(self.base, new, code=EXIT_REGRESSION)
        self.assertTrue(all(point["publication"] for point in device["points"]))
        text = self.run_gridlock("compare", str(self.base), str(new), code=EXIT_REGRESSION).out
        self.assertIn("Publication: ", text)

    def test_scenario_says_itself_what_it_publishes(self):
        scenarios = gridlock_test.ROOT / "scenarios"
        own = self.folder / "old_values.ini"
        own.write_text((scenarios / "publish_rounds.ini").read_text())
        other = self.folder / "publish_nothing.ini"
        other.write_text((scenarios / "publish_rounds.ini").read_text().replace("publishes = yes\n", ""))
        self.base.unlink()
        self.run_gridlock("run", str(own), str(other), "-d", "pocl", "-q", "-o", str(self.base),
                          POCL_MAX_PTHREAD_COUNT=2)
        device, = self.compare(self.base, self.changed(self.verdicts_of("%/g2#%", "stale")), code=EXIT_REGRESSION)
        self.assertEqual({(point["id"].partition("/")[0], point["publication"]) for point in device["points"]},
                         {("old_values", True), ("publish_nothing", False)})

    def test_regression_is_red_and_fix_is_green(self):
        new = self.changed(self.verdicts_of("barrier_central/%/l64/g2#%", "wrong"),
                           "UPDATE trial SET resident = 1 WHERE name LIKE 'barrier_central/%/l64/%'")
        worse = self.run_gridlock("compare", str(self.base), str(new), "--color", "always", code=EXIT_REGRESSION).out
        self.assertIn("\n\x1b[31mRegressions\x1b[0m\n", worse)
        self.assertIn("\n\x1b[31mThe limit fell from 2 to 1\x1b[0m", worse)
        better = self.run_gridlock("compare", str(new), str(self.base), "--color", "always").out
        self.assertIn("\n\x1b[32mFixes\x1b[0m\n", better)
        self.assertIn("\n\x1b[32mThe limit rose from 1 to 2\x1b[0m", better)
        for text in (self.run_gridlock("compare", str(self.base), str(new), code=EXIT_REGRESSION).out,
                     self.run_gridlock("compare", str(self.base), str(new), "--color", "always", "--format", "markdown",
                                       code=EXIT_REGRESSION).out):
            self.assertNotIn("\x1b", text)

    def test_bad_input(self):
        for arguments in (["compare", str(self.base)], ["compare", str(self.base), "/no/such/file"],
                          ["compare", str(self.base), str(self.base), "--format", "csv"]):
            with self.subTest(arguments=arguments):
                self.run_gridlock(*arguments, code=gridlock_test.EXIT_USAGE)


class Causes(gridlock_test.Case):
    """Which points follow from a limit that moved. Each point is (groups, verdict) or (groups, verdict, expected)."""

    def write(self, name, resident, *points, scenario="toy"):
        path = self.folder / f"{name}.gridlock"
        path.unlink(missing_ok=True)
        builder = Builder(path)
        device = builder.device()
        for groups, verdict, *expected in points:
            builder.trial(device, verdicts=(verdict,), groups=groups, scenario=scenario, resident=resident,
                          expected=expected[0] if expected else None)
        builder.close()
        return str(path)

    def compare(self, old, new, code):
        device, = self.run_gridlock("compare", old, new, "--format", "json", code=code).json()["devices"]
        points = {point["id"].rpartition("/g")[2]: (point["change"], point["follows"]) for point in device["points"]}
        return points, device["counts"], [tuple(cause.values()) for cause in device["causes"]]

    FOUR = ((1, "pass"), (2, "pass"), (4, "pass"), (5, "starved"), (8, "starved"))
    TWO = ((1, "pass"), (2, "pass"), (3, "starved"), (4, "starved"), (8, "starved"))

    def test_the_limit_explains_what_is_the_same_in_multiples_of_it(self):
        four, two = self.write("four", 4, *self.FOUR), self.write("two", 2, *self.TWO)
        points, counts, causes = self.compare(four, two, EXIT_REGRESSION)
        self.assertEqual(points, {"4": ("regression", True), "5": ("gone", True), "3": ("new", True)})
        self.assertEqual(counts, {"worse": 1, "better": 0, "changed": 0, "same": 3, "missing": 1, "new": 1,
                                  "follow": 3})
        self.assertEqual(causes, [(4, 2, 1, 3)])
        text = self.run_gridlock("compare", four, two, code=EXIT_REGRESSION).out
        self.assertIn("\nThe limit fell from 4 to 2: 3 points follow\n  toy/cl30/l64\n", text)
        self.assertNotIn("toy/cl30/l64/g4", text)
        self.assertIn("| The limit fell from 4 to 2 | 3 | toy/cl30/l64 |",
                      self.run_gridlock("compare", four, two, "--format", "markdown", code=EXIT_REGRESSION).out)
        points, counts, causes = self.compare(two, four, 0)
        self.assertEqual(points["4"], ("fix", True))
        self.assertEqual(causes, [(2, 4, 1, 3)])

    def test_what_the_limit_does_not_explain_comes_first(self):
        four = self.write("four", 4, *self.FOUR)
        two = self.write("two", 2, (1, "pass"), (2, "wrong"), *self.TWO[2:])
        points, _, causes = self.compare(four, two, EXIT_REGRESSION)
        self.assertEqual(points["2"], ("regression", False))
        self.assertEqual(causes, [(4, 2, 1, 2)])  # 4 passed at its limit, where 2 groups are wrong now
        text = self.run_gridlock("compare", four, two, code=EXIT_REGRESSION).out
        self.assertIn("\nRegressions\n  toy/cl30/l64/g2: pass -> wrong\n", text)
        self.assertLess(text.index("toy/cl30/l64/g2"), text.index("The limit fell"))

    def test_what_each_limit_predicts_follows(self):
        """No number of groups above the limit was tried before."""
        four = self.write("four", 4, (1, "pass", "pass"), (4, "pass", "pass"))
        two = self.write("two", 2, (1, "pass", "pass"), (4, "starved", "starved"))
        self.assertEqual(self.compare(four, two, EXIT_REGRESSION)[0], {"4": ("regression", True)})
        two = self.write("two", 2, (1, "pass", "pass"), (4, "starved", "pass or starved"))
        four = self.write("four", 4, (1, "pass", "pass"), (4, "pass", "pass or starved"))
        self.assertEqual(self.compare(four, two, EXIT_REGRESSION)[0], {"4": ("regression", False)})

    def test_the_same_limit_explains_nothing(self):
        old = self.write("old", 4, *self.FOUR)
        new = self.write("new", 4, (1, "pass"), (2, "pass"), (4, "starved"), (5, "starved"), (8, "starved"))
        points, _, causes = self.compare(old, new, EXIT_REGRESSION)
        self.assertEqual((points, causes), ({"4": ("regression", False)}, []))

    def test_a_limit_fell_though_no_point_is_in_both(self):
        four, two = self.write("four", 4, (4, "pass"), (5, "starved")), self.write("two", 2, (2, "pass"),
                                                                                   (3, "starved"))
        self.assertEqual(self.compare(four, two, EXIT_REGRESSION)[2], [(4, 2, 1, 4)])
        self.compare(two, four, 0)

    def test_a_seeded_fault_is_to_be_caught(self):
        for scenario in ("mutant_toy", "cause_toy"):
            caught = self.write("caught", 4, (4, "wrong", "pass or wrong"), scenario=scenario)
            missed = self.write("missed", 4, (4, "pass", "pass or wrong"), scenario=scenario)
            self.assertEqual(self.compare(caught, missed, EXIT_REGRESSION)[0], {"4": ("regression", False)})
            self.assertEqual(self.compare(missed, caught, 0)[0], {"4": ("fix", False)})
        fault = self.write("fault", 4, (4, "wrong", "pass or wrong"))
        self.assertEqual(self.compare(fault, self.write("none", 4, (4, "pass", "pass or wrong")), 0)[0],
                         {"4": ("fix", False)})

    def test_a_fault_that_is_starved_out_by_a_higher_limit_is_no_loss(self):
        two = self.write("two", 2, (2, "pass"), (3, "starved"), (4, "starved"), scenario="cause_toy")
        four = self.write("four", 4, (3, "pass"), (4, "pass"), (5, "starved"), scenario="cause_toy")
        self.assertEqual(self.compare(two, four, 0)[0]["4"], ("other", True))

    def test_nothing_in_common(self):
        old, new = self.write("old", 4, (4, "pass")), self.write("new", 4, (4, "pass"), scenario="other")
        self.assert_sentence(self.run_gridlock("compare", old, new, code=gridlock_test.EXIT_USAGE).err,
                             "nothing to compare", "points", "old.gridlock", "new.gridlock")


class Footprints(gridlock_test.Case):

    def measure(self, name, threads, *sizes):
        path = self.folder / f"{name}.gridlock"
        self.run_gridlock("limits", "-d", "pocl", "-q", "--iterations", "1", "--local-size", ",".join(map(str, sizes)),
                          "-o", str(path), POCL_MAX_PTHREAD_COUNT=threads)
        return str(path)

    def test_limits(self):
        two, one, less = self.measure("two", 2, 1, 64), self.measure("one", 1, 1, 64), self.measure("less", 2, 64)
        text = self.run_gridlock("compare", two, one, code=EXIT_REGRESSION).out
        self.assertIn("Footprints: 2 worse, 0 better, 0 changed, 0 same, 0 missing, 0 new", text)
        self.assertIn("\nThe limit fell from 2 to 1\n  limits/l1-m0-p0, limits/l64-m0-p0\n", text)
        self.assertIn("0 worse, 2 better", self.run_gridlock("compare", one, two).out)
        self.assertIn("0 worse, 0 better, 0 changed, 2 same", self.run_gridlock("compare", two, two).out)
        text = self.run_gridlock("compare", two, less, code=EXIT_REGRESSION).out
        self.assertIn("1 same, 1 missing", text)
        self.assertIn("Regressions\n  limits/l1-m0-p0: ", text)
        self.run_gridlock("compare", less, two)

    def test_limits_and_scenarios_are_unlike(self):
        limits, points = self.measure("limits", 1, 64), self.folder / "points.gridlock"
        self.run_gridlock("run", "-d", "pocl", "-q", "barrier_central", "-o", str(points), POCL_MAX_PTHREAD_COUNT=1)
        for arguments in ((limits, str(points)), (str(points), limits)):
            err = self.run_gridlock("compare", *arguments, code=gridlock_test.EXIT_USAGE).err
            self.assert_sentence(err, "limits.gridlock' is a run of limits", "points.gridlock' is of scenarios")


class Devices(gridlock_test.Case):
    """Which device of one run is compared with which of the other."""

    def write(self, name, *devices, host="Linux 6 x86_64", block=False):
        path = self.folder / f"{name}.gridlock"
        builder = Builder(path, host=host, command_line="gridlock progress" if block else "gridlock run")
        for values in devices:
            device = builder.device(**values)
            if block:
                builder.block(device)
            else:
                builder.trial(device, expected="pass")
        builder.close()
        return str(path)

    def pairs(self, *arguments, code=gridlock_test.EXIT_OK):
        devices = self.run_gridlock("compare", *arguments, "--format", "json", code=code).json()["devices"]
        return [(device["name_before"], device["name"], device["paired_by"]) for device in devices]

    def test_what_is_the_same_pairs_them(self):
        first, second = {"name": "old A", "uuid": "0a" * 16}, {"name": "B (old)", "pci": "0000:01:00.0"}
        third = {"name": "C", "platform": "one"}
        old = self.write("old", first, second, third)
        new = self.write("new", {**third, "platform": "other"}, {**second, "name": "B (new)"},
                         {**first, "name": "new A"})
        self.assertEqual(self.pairs(old, new),
                         [("old A", "new A", "uuid"), ("B (old)", "B (new)", "pci"), ("C", "C", "name")])
        self.assertEqual(self.pairs(old, old), [(name, name, "same") for name in ("old A", "B (old)", "C")])

    def test_what_says_nothing_pairs_none(self):
        """A UUID of zeros, and an address of another machine."""
        devices = ({"name": "A", "uuid": "0" * 32}, {"name": "B", "pci": "0000:01:00.0"})
        old = self.write("old", *devices)
        new = self.write("new", *({**device, "name": f"new {device['name']}"} for device in devices),
                         host="Linux 5 arm")
        err = self.run_gridlock("compare", old, new, code=gridlock_test.EXIT_USAGE).err
        self.assert_sentence(err, "'A', 'B'", "'new A', 'new B'", "--match OLD=NEW")

    def test_the_only_ones_left(self):
        for block in (False, True):
            with self.subTest(block=block):
                old = self.write(f"old{block}", {"name": "llvmpipe (LLVM 15)"}, {"name": "other"}, block=block)
                new = self.write(f"new{block}", {"name": "other"}, {"name": "llvmpipe (LLVM 19)"}, block=block)
                self.assertEqual(self.pairs(old, new), [("llvmpipe (LLVM 15)", "llvmpipe (LLVM 19)", "left"),
                                                        ("other", "other", "same")])
                out = self.run_gridlock("compare", old, new).out
                self.assertEqual(out.count("no other is left"), 1, out)
                self.assertIn("llvmpipe (LLVM 15)", out)
                self.assertIn("no other is left", self.run_gridlock("compare", old, new, "--format", "markdown").out)
                err = self.run_gridlock("compare", old, new, "--strict", code=gridlock_test.EXIT_USAGE).err
                self.assert_sentence(err, "'llvmpipe (LLVM 15)'", "'llvmpipe (LLVM 19)'", "--match")

    def test_as_many_of_one_name_are_left(self):
        """As where a driver gives another name to all devices of one kind."""
        old = self.write("old", {"name": "other"}, *({"name": "A (1)", "ordinal": place} for place in range(3)))
        new = self.write("new", *({"name": "A (2)", "ordinal": place} for place in range(3)), {"name": "other"})
        self.assertEqual(self.pairs(old, new), [("other", "other", "same"), *3 * [("A (1)", "A (2)", "left")]])
        err = self.run_gridlock("compare", old, new, "--strict", code=gridlock_test.EXIT_USAGE).err
        self.assert_sentence(err, "'A (1) #1', 'A (1) #2', 'A (1) #3' in the first run",
                             "'A (2) #1', 'A (2) #2', 'A (2) #3' in the second")

    def test_some_in_one_run_only(self):
        old = self.write("old", {"name": "A"}, {"name": "B | *"})
        new = self.write("new", {"name": "A"}, {"name": "C"}, {"name": "D"})
        self.assertEqual(self.pairs(old, new), [("A", "A", "same"), ("B | *", "B | *", "none"), (None, "C", "none"),
                                                (None, "D", "none")])
        self.assertIn(r"## B \| \*", self.run_gridlock("compare", old, new, "--format", "markdown").out)
        self.assertIn("only in the second run", self.run_gridlock("compare", old, new).out)

    def test_not_as_many_or_of_several_names_are_not_paired(self):
        old = self.write("old", {"name": "A"}, *3 * [{"name": "B"}])
        for names in ("ACC", "ACDC"):
            new = self.write(names, *({"name": name} for name in names))
            self.assertEqual({how for _, _, how in self.pairs(old, new)}, {"same", "none"}, names)

    def test_match(self):
        old = self.write("old", {"name": "A"}, {"name": "A=B"}, {"name": "C [1]"})
        new = self.write("new", {"name": "A"}, {"name": "C"}, {"name": "D", "uuid": "12" * 16})
        self.assertEqual(self.pairs(old, new, "--match", "A=uuid:" + "12" * 16, "--match", "A=B=A"),
                         [("A", "D", "match"), ("A=B", "A", "match"), ("C [1]", "C", "left")])
        for wrong in ("A", "A=", "=A", "nobody=A", "A=nobody", "some platform=C"):
            with self.subTest(wrong=wrong):
                err = self.run_gridlock("compare", old, new, "--match", wrong, code=gridlock_test.EXIT_USAGE).err
                self.assert_sentence(err, f"--match {wrong}", "'A'", "'C'")
        self.run_gridlock("compare", old, new, "--match", "A=A", "--match", "A=C", code=gridlock_test.EXIT_USAGE)

    def test_other_devices_are_refused(self):
        """What differs is not the driver's part of the name."""
        cpu, gpu = {"name": "pthread-skylake-Intel i7"}, {"name": "NVIDIA H100", "kind": "GPU"}
        pairs = {"cpu": (cpu, {"name": "pthread-skylake-AMD EPYC"}), "gpu": (gpu, {**gpu, "name": "NVIDIA H200"}),
                 "kind": (gpu, {**gpu, "name": "NVIDIA H100 (2)", "kind": "CPU"}),
                 "platform": ({**cpu, "name": "a-Intel i7"}, {**cpu, "platform": "other"}),
                 "pci": ({**gpu, "pci": "0000:01:00.0"}, {**gpu, "name": "NVIDIA H200", "pci": "0000:01:00.0"})}
        for what, (one, other) in pairs.items():
            with self.subTest(what=what):
                old, new = self.write(f"{what}1", one), self.write(f"{what}2", other)
                for arguments in ((old, new), (new, old)):
                    err = self.run_gridlock("compare", *arguments, code=gridlock_test.EXIT_USAGE).err
                    self.assert_sentence(err, one["name"], other["name"], "--other-device")
                self.assertEqual(self.pairs(old, new, "--other-device"), [(one["name"], other["name"], "left")])

    def test_driver_in_the_name_makes_no_other_device(self):
        for one, other in (("pthread-skylake-avx512-AMD EPYC", "cpu-znver4-AMD EPYC"), ("AMD EPYC", "cpu-AMD EPYC"),
                           ("llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe (LLVM 19.1.7, 512 bits)")):
            old, new = self.write(f"{one} old", {"name": one}), self.write(f"{one} new", {"name": other})
            self.assertEqual(self.pairs(old, new), [(one, other, "left")])

    def test_no_device_at_all(self):
        self.assert_sentence(self.run_gridlock("compare", self.write("old"), self.write("new", {"name": "A"}),
                                               code=gridlock_test.EXIT_USAGE).err, "nothing", "'A'")

    def test_many_devices_with_long_names(self):
        old = self.write("old", *({"name": f"{i} {'x' * 200}"} for i in range(40)))
        new = self.write("new", *({"name": f"{i} {'y' * 200}"} for i in range(40)))
        self.assert_sentence(self.run_gridlock("compare", old, new, code=gridlock_test.EXIT_USAGE).err, "--match")


if __name__ == "__main__":
    gridlock_test.main()
