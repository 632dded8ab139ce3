"""Shapes of work-groups on PoCL: a kernel that is launched over a range gets the shapes that were asked for, and its
results are right in each of them."""
import math
import re

import gridlock_test
from gridlock_test import EXIT_USAGE

# A small box that few shapes divide, and what a launch in one, two or three dimensions sees of it.
WIDTH, HEIGHT, DEPTH = 30, 11, 7
EXTENTS = {1: [WIDTH * HEIGHT * DEPTH], 2: [WIDTH, HEIGHT * DEPTH], 3: [WIDTH, HEIGHT, DEPTH]}

POINTS = """
SELECT rtrim(rtrim(t.name, '0123456789'), '#') AS identity, t.*, o.*
FROM trial t JOIN observation o ON o.trial = t.id AND o.launch = 0
WHERE t.estimator = 'work' ORDER BY t.id"""

SHAPES_HEAD = r"(?m)^WORK-GROUP SHAPES: time of the fastest shape, and times of others as multiples of it$"


def box_text(**sweep):
    """A scenario of that small box."""
    axes = {"width": WIDTH, "height": HEIGHT, "depth": DEPTH, "dialect": "cl30", **sweep}
    lines = "".join(f"{name} = {value}\n" for name, value in axes.items())
    return ("[scenario]\nkernel = work_group_size\npurpose = a test\nteaches = Nothing.\n\n"
            f"[sweep]\n{lines}\n[expect]\nverdict = pass\n")


def sizes(shape):
    return [int(size) for size in shape.split("x")]


def groups_of(extents, shape):
    return [math.ceil(extent / size) for extent, size in zip(extents, shape)]


class Case(gridlock_test.Case):
    def run_scenarios(self, *arguments, **options):
        return self.run_gridlock("run", "-d", "pocl", *arguments, POCL_MAX_PTHREAD_COUNT=2, **options)

    def box(self, **sweep):
        path = self.folder / "box.ini"
        path.write_text(box_text(**sweep))
        return str(path)

    def points(self, *arguments):
        """The points of the one scenario that is run, as JSON has them."""
        device, = self.run_scenarios(*arguments, "--format", "json").json()["devices"]
        scenario, = device["scenarios"]
        self.assertEqual((scenario["safe_groups"], scenario["unsafe_groups"]), (None, None))
        return scenario["points"]

    def assert_launched(self, point, shape, extents, padded=True):
        """All of its launches passed, and were divided as was asked for."""
        groups = groups_of(extents, shape)
        launched = [count * size for count, size in zip(groups, shape)] if padded else extents
        self.assertEqual(point["verdicts"], {"pass": point["launches"]}, point)
        self.assertEqual(point["range"]["global"], launched, point)
        self.assertEqual(point["range"]["first_group"], shape, point)
        self.assertEqual(point["range"]["launched_groups"], math.prod(groups), point)
        self.assertEqual(point["local_size"], math.prod(shape), point)


class Launches(Case):
    def test_shape_is_that_which_was_asked_for(self):
        """In the scenario that the binary carries, whose box is 500 x 200 x 20."""
        extents = {1: [2000000], 2: [500, 4000], 3: [500, 200, 20]}
        points = self.points("work_group_size", "-t", "mapping=row,barrier=no/(33|16x16|4x8x16)$")
        self.assertEqual([point["id"].split("/")[-1] for point in points], ["33", "16x16", "4x8x16"])
        for point in points:
            shape = sizes(point["range"]["shape"])
            self.assertEqual(point["id"], f"work_group_size/cl30/mapping=row,barrier=no/{point['range']['shape']}")
            self.assert_launched(point, shape, extents[len(shape)])
            self.assertEqual((point["groups"], point["resident"], point["expected"]), (1, None, ["pass"]), point)
            self.assertGreaterEqual(point["kernel_max_local_size"], math.prod(shape), point)
            self.assertGreater(point["fastest_ns"], 0, point)
            self.assertGreaterEqual(point["fastest_host_ns"], point["fastest_ns"], point)

    def test_driver_divides_the_range_in_some_way(self):
        for point in self.points(self.box(shape="driver-1d, driver-2d, driver-3d")):
            with self.subTest(shape=point["range"]["shape"]):
                dimensions = int(re.fullmatch("driver-([123])d", point["range"]["shape"])[1])
                extents, first = EXTENTS[dimensions], point["range"]["first_group"]
                self.assertEqual(point["verdicts"], {"pass": point["launches"]})
                self.assertEqual(point["range"]["global"], extents)
                self.assertEqual(len(first), dimensions)
                for size, extent in zip(first, extents):
                    self.assertIn(size, range(1, extent + 1))
                self.assertEqual(point["range"]["launched_groups"], math.prod(groups_of(extents, first)))

    def test_run_file_has_what_json_has(self):
        points = self.points(self.box(shape="16x4, driver-3d"))
        rows = {row["identity"]: row for row in self.run_file().rows(POINTS)}
        self.assertEqual(set(rows), {"box/cl30/width=30,height=11,depth=7/16x4",
                                     "box/cl30/width=30,height=11,depth=7/driver-3d"})
        for point in points:
            row, shown = rows[point["id"]], point["range"]
            dimensions = row["dimensions"]
            self.assertEqual([row["global_x"], row["global_y"], row["global_z"]][:dimensions], shown["global"])
            self.assertEqual([row["shape_x"], row["shape_y"], row["shape_z"]][:dimensions], shown["first_group"])
            self.assertEqual(row["launched"], shown["launched_groups"])
            self.assertEqual((row["kernel_max_local_size"], row["kernel_preferred_multiple"]),
                             (point["kernel_max_local_size"], point["kernel_preferred_multiple"]))
        asked = [[row["local_x"], row["local_y"], row["local_z"]] for row in rows.values()]
        self.assertEqual(asked, [[16, 4, 1], [0, 0, 0]])
        self.assertEqual(self.run_file().one("SELECT count(*) AS n FROM trial WHERE estimator = 'census'")["n"], 0,
                         "no group waits, so that no limit is needed")

    def test_groups_have_no_range(self):
        device, = self.run_scenarios("barrier_central", "-t", "l64/g1$", "--format", "json").json()["devices"]
        self.assertEqual([point["range"] for point in device["scenarios"][0]["points"]], [None])


class Results(Case):
    def test_each_mapping_copies_the_whole_box(self):
        shapes = "7, 4x4, 3x2x5"
        points = self.points(self.box(shape=shapes, mapping="row, column", barrier="no, yes"))
        self.assertEqual(len(points), 12)
        for point in points:
            shape = sizes(point["range"]["shape"])
            self.assert_launched(point, shape, EXTENTS[len(shape)])
            self.assertEqual((point["seen"]["checked"], point["seen"]["wrong"], point["seen"]["differing"]), (3, 0, 0))

    def test_ragged_edges_pass_or_are_unsupported(self):
        """The third shape has no ragged edge."""
        points = self.points(self.box(shape="64, 16x4, 10x11", edge="ragged", barrier="yes"))
        self.assertEqual(len(points), 3)
        for point in points:
            shape = sizes(point["range"]["shape"])
            self.assertIn(point["verdict"], ("pass", "unsupported") if shape != [10, 11] else ("pass",), point)
            self.assertFalse(point["surprise"], point)
            self.assertEqual(point["range"]["global"], EXTENTS[len(shape)])
            if point["verdict"] == "pass":
                self.assert_launched(point, shape, EXTENTS[len(shape)], padded=False)

    def test_attribute_needs_a_shape(self):
        points = self.points(self.box(shape="16x4, driver-2d", attribute="hint, reqd"))
        verdicts = {re.search(r"attribute=(\w+).*/(.*)", point["id"]).groups(): point["verdict"] for point in points}
        self.assertEqual(verdicts, {("hint", "16x4"): "pass", ("reqd", "16x4"): "pass",
                                    ("hint", "driver-2d"): "unsupported", ("reqd", "driver-2d"): "unsupported"})
        for point in points:
            if point["verdict"] == "unsupported":
                self.assertIn("an attribute needs a shape", point["note"])

    def test_group_that_is_too_large_is_unsupported(self):
        points = self.points(self.box(shape="64, 65536"))
        self.assertEqual([point["verdict"] for point in points], ["pass", "unsupported"])


class Text(Case):
    def test_table_of_shapes(self):
        out = self.run_scenarios("work_group_size", "-t", "mapping=row,barrier=no/(64|16x16|driver-2d)$").out
        self.assertRegex(out, r"(?m)^work_group_size +no group waits; times are below +3 of 3$")
        self.assertEqual(len(re.findall(SHAPES_HEAD, out)), 1, out)
        times = r" *[\d.]+ ms +[\d.]+ ms"
        shape, or_none = r" +\d+(x\d+)* \d+\.\d\dx", r" +(\d+(x\d+)* \d+\.\d\dx|-)"
        fastest, driver = r" +\d+(x\d+)* 1\.00x", r" +\d+x\d+ \d+\.\d\dx"
        self.assertRegex(out, r"(?m)^work_group_size/cl30/mapping=row,barrier=no\n"
                              rf"{times}{fastest}{shape}{driver}{or_none}{or_none}  \(\d+, \d+\)$")

    def test_each_line_is_there_once(self):
        """Shapes are compared with each other, and not from one width to the next."""
        out = self.run_scenarios(self.box(shape="64, 4x4", width="30, 31")).out
        table = re.split(SHAPES_HEAD, out)[1]
        self.assertEqual(re.findall(r"(?m)^box/.*$", table),
                         [f"box/cl30/width={width},height={HEIGHT},depth={DEPTH}" for width in (30, 31)])

    def test_scenario_without_a_range_has_no_table(self):
        self.assertNotIn("SHAPES", self.run_scenarios("barrier_central", "-t", "l64/g1$").out)


class Refusals(Case):
    def refused(self, line, *words, **sweep):
        path = self.box(**sweep)
        for command in (("check",), ("run", "-d", "pocl")):
            result = self.run_gridlock(*command, path, code=EXIT_USAGE)
            self.assert_sentence(result.err, f"box.ini:{line}: ", *words)
        self.assertEqual(self.run_file_paths(), [])

    def test_groups(self):
        self.refused(12, "groups does not apply: kernel work_group_size is launched over a range of work-items",
                     shape="64", groups="4")

    def test_no_shape(self):
        self.refused(1, "[sweep] lacks shape: work-items in a group")

    def test_shape_that_is_none(self):
        self.refused(11, "shape = 300x300: expected a shape such as 64, 16x16 or 8x8x4 (1 to 65536 work-items)",
                     shape="300x300")


if __name__ == "__main__":
    gridlock_test.main()
