"""What compare says of two runs, of which the second is the first with something changed in it."""
import json
import re
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

    def test_of_an_older_file_names_say_it(self):
        undo, _, _ = (gridlock_test.ROOT / "tests/unit/store_fixture.h").read_text().partition("UNDO_LAST_MIGRATION")
        added = [("trial", "publication"), *re.findall(r"ALTER TABLE (\w+) DROP COLUMN (\w+)", undo)]
        self.assertIn(("run", "shard_by"), added)
        new = self.changed(self.verdicts_of("%/g2#%", "stale"),
                           *(f"ALTER TABLE {table} DROP COLUMN {column}" for table, column in added),
                           "DROP TABLE share", "PRAGMA user_version = 7")
        device, = self.compare(self.base, new, code=EXIT_REGRESSION)
        self.assertEqual({(point["id"].partition("/")[0], point["publication"]) for point in device["points"]},
                         {("barrier_central", False), ("publish_rounds", True)})

    def test_regression_is_red_and_fix_is_green(self):
        new = self.changed(self.verdicts_of("barrier_central/%/l64/g2#%", "wrong"),
                           "UPDATE trial SET resident = 1 WHERE name LIKE 'barrier_central/%/l64/%'")
        worse = self.run_gridlock("compare", str(self.base), str(new), "--color", "always", code=EXIT_REGRESSION).out
        self.assertIn("\n\x1b[31mRegressions\x1b[0m\n", worse)
        self.assertIn(": 2 -> \x1b[31m1\x1b[0m\n", worse)
        better = self.run_gridlock("compare", str(new), str(self.base), "--color", "always").out
        self.assertIn("\n\x1b[32mFixes\x1b[0m\n", better)
        self.assertIn(": 1 -> 2\n", better)
        for text in (self.run_gridlock("compare", str(self.base), str(new), code=EXIT_REGRESSION).out,
                     self.run_gridlock("compare", str(self.base), str(new), "--color", "always", "--format", "markdown",
                                       code=EXIT_REGRESSION).out):
            self.assertNotIn("\x1b", text)

    def test_bad_input(self):
        for arguments in (["compare", str(self.base)], ["compare", str(self.base), "/no/such/file"],
                          ["compare", str(self.base), str(self.base), "--format", "junit"]):
            with self.subTest(arguments=arguments):
                self.run_gridlock(*arguments, code=gridlock_test.EXIT_USAGE)


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
        first, second = {"name": "old A", "uuid": "0a" * 16}, {"name": "old B", "pci": "0000:01:00.0"}
        third = {"name": "C", "platform": "one"}
        old = self.write("old", first, second, third)
        new = self.write("new", {**third, "platform": "other"}, {**second, "name": "new B"}, {**first, "name": "new A"})
        self.assertEqual(self.pairs(old, new), [("old A", "new A", "uuid"), ("old B", "new B", "pci"), ("C", "C", "name")])
        self.assertEqual(self.pairs(old, old), [(name, name, "same") for name in ("old A", "old B", "C")])

    def test_what_says_nothing_pairs_none(self):
        """A UUID of zeros, and an address of another machine."""
        devices = ({"name": "A", "uuid": "0" * 32}, {"name": "B", "pci": "0000:01:00.0"})
        old = self.write("old", *devices)
        new = self.write("new", *({**device, "name": f"new {device['name']}"} for device in devices), host="Linux 5 arm")
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
        old = self.write("old", {"name": "other"}, *({"name": "A", "ordinal": place} for place in range(3)))
        new = self.write("new", *({"name": "B", "ordinal": place} for place in range(3)), {"name": "other"})
        self.assertEqual(self.pairs(old, new), [("other", "other", "same"), *3 * [("A", "B", "left")]])
        err = self.run_gridlock("compare", old, new, "--strict", code=gridlock_test.EXIT_USAGE).err
        self.assert_sentence(err, "'A #1', 'A #2', 'A #3' in the first run", "'B #1', 'B #2', 'B #3' in the second")

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
        old = self.write("old", {"name": "A"}, {"name": "A=B"}, {"name": "A, larger"})
        new = self.write("new", {"name": "A"}, {"name": "C"}, {"name": "D", "uuid": "12" * 16})
        self.assertEqual(self.pairs(old, new, "--match", "A=uuid:" + "12" * 16, "--match", "A=B=A"),
                         [("A", "D", "match"), ("A=B", "A", "match"), ("A, larger", "C", "left")])
        for wrong in ("A", "A=", "=A", "nobody=A", "A=nobody", "some platform=C"):
            with self.subTest(wrong=wrong):
                err = self.run_gridlock("compare", old, new, "--match", wrong, code=gridlock_test.EXIT_USAGE).err
                self.assert_sentence(err, f"--match {wrong}", "'A'", "'C'")
        self.run_gridlock("compare", old, new, "--match", "A=A", "--match", "A=C", code=gridlock_test.EXIT_USAGE)

    def test_no_device_at_all(self):
        self.assert_sentence(self.run_gridlock("compare", self.write("old"), self.write("new", {"name": "A"}),
                                               code=gridlock_test.EXIT_USAGE).err, "nothing", "'A'")

    def test_many_devices_with_long_names(self):
        old = self.write("old", *({"name": f"{i} {'x' * 200}"} for i in range(40)))
        new = self.write("new", *({"name": f"{i} {'y' * 200}"} for i in range(40)))
        self.assert_sentence(self.run_gridlock("compare", old, new, code=gridlock_test.EXIT_USAGE).err, "--match")


if __name__ == "__main__":
    gridlock_test.main()
