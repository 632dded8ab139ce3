"""A limit that was counted too low is counted again, once a launch has shown that it was, and predictions are made
anew.

A run file is made one whose census counted too few, as if the run had been stopped there: resume goes on from it.
"""
import sqlite3

import gridlock_test
from gridlock_test import EXIT_OK, scenario_text

EXIT_SURPRISE = 1


class Recount(gridlock_test.Case):

    def setUp(self):
        super().setUp()
        self.path = self.folder / "a.run"

    def run_pocl(self, *arguments, **options):
        return self.run_gridlock(*arguments, POCL_MAX_PTHREAD_COUNT=4, **options)

    def execute(self, *statements):
        connection = sqlite3.connect(self.path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    def rows(self, query):
        connection = sqlite3.connect(self.path)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def run_hasty(self, verdict="pass when groups <= resident; starved otherwise", kernel="barrier_central",
                  groups="1, 1x resident, 1x resident + 1, 2x resident", counted=2, code=EXIT_OK):
        """A run on a device of four places, of which the first census counts fewer; returns its points."""
        scenario = self.folder / "toy.ini"
        scenario.write_text(scenario_text(kernel=kernel, groups=groups, verdict=verdict))
        self.run_pocl("run", str(scenario), "-d", "pocl", "-o", str(self.path), code=None)
        self.execute("DELETE FROM verdict WHERE trial > 1", "DELETE FROM observation WHERE trial > 1",
                     "DELETE FROM trial WHERE id > 1", f"UPDATE observation SET counted = {counted}")
        # Fewer than there are units are counted twice.
        for table, changed in (("trial", "id = 2, sequence = 1, name = replace(name, '#0', '#1')"),
                               ("observation", "trial = 2"), ("verdict", "trial = 2")):
            self.execute(f"CREATE TABLE copy AS SELECT * FROM {table}", f"UPDATE copy SET {changed}",
                         f"INSERT INTO {table} SELECT * FROM copy", "DROP TABLE copy")
        self.run_pocl("resume", str(self.path), code=code)
        return {point["groups"]: point for point in self.points(code)}

    def points(self, code):
        report = self.run_gridlock("report", str(self.path), "--format", "json", code=code).json()
        return report["devices"][0]["scenarios"][0]["points"]

    def test_pass_above_the_count_is_no_surprise(self):
        points = self.run_hasty()
        self.assertEqual(sorted(points), [1, 2, 3, 4, 5, 8])
        self.assertEqual({point["resident"] for groups, point in points.items() if groups != 2}, {4})
        self.assertEqual({groups: point["verdict"] for groups, point in points.items()},
                         {1: "pass", 2: "pass", 3: "pass", 4: "pass", 5: "starved", 8: "starved"})
        self.assertEqual([point["id"] for point in points.values() if point["surprise"]], [])

    def test_run_and_resume_find_the_same_way(self):
        before = self.run_hasty()
        trials = self.rows("SELECT count(*) FROM trial")
        self.run_pocl("resume", str(self.path))
        self.assertEqual(self.rows("SELECT count(*) FROM trial"), trials)
        self.assertEqual({point["groups"]: point for point in self.points(EXIT_OK)}, before)

    def test_count_that_is_right_is_believed(self):
        """What passes although it should starve is a surprise if nothing is wrong with the count."""
        points = self.run_hasty(verdict="starved", groups="8", kernel="lock_tas", counted=4, code=EXIT_SURPRISE)
        self.assertTrue(points[8]["surprise"])
        self.assertEqual((points[8]["resident"], points[8]["surprising_batches"]), (4, 3))

    def test_stall_with_more_inside_than_were_counted(self):
        points = self.run_hasty(groups="8")
        self.assertEqual((points[8]["resident"], points[8]["verdict"]), (4, "starved"))

    def test_compare_knows_the_better_limit(self):
        self.run_hasty()
        new = self.folder / "new.run"
        self.run_pocl("run", str(self.folder / "toy.ini"), "-d", "pocl", "-o", str(new))
        device, = self.run_gridlock("compare", str(self.path), str(new), "--format", "json").json()["devices"]
        self.assertEqual([point for point in device["points"] if point["change"] != "gone"], [])


if __name__ == "__main__":
    gridlock_test.main()
