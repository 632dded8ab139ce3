"""Run files of gridlock prove: reported in each format, resumed, merged, compared."""
import csv
import io
import sqlite3
import xml.etree.ElementTree

import gridlock_test
import prove_case
from gridlock_test import EXIT_OK, EXIT_USAGE
from prove_case import EXIT_SURPRISE, FOLDER, STANDARD
from report_case import FORMATS

PHILOSOPHERS, LOCK = (str(FOLDER / "bugs" / f"{name}.cl") for name in ("philosophers", "lock_relaxed"))


class Case(prove_case.Case):
    def setUp(self):
        super().setUp()
        self.path = str(self.folder / "a.run")

    def write(self, *arguments, path=None, code=EXIT_SURPRISE):
        return self.run_gridlock("prove", *arguments, f"--build-options={STANDARD}", "-q", "-o", path or self.path,
                                 code=code)

    def report(self, form, *options, path=None, code=EXIT_SURPRISE):
        return self.run_gridlock("report", path or self.path, "--format", form, *options, code=code).out

    def verdicts(self, **options):
        """{(kernel, groups): verdict}, from the table for spreadsheets."""
        rows = [row for row in csv.DictReader(io.StringIO(self.report("csv", **options), newline=""), strict=True)
                if row["verdict"]]  # others tell of the device
        found = {(row["kernel"], row["groups"]): row["verdict"] for row in rows}
        self.assertEqual(len(found), len(rows), "a launch is there twice")
        return found


class Formats(Case):
    def setUp(self):
        super().setUp()

        def make(path):
            self.write(PHILOSOPHERS, LOCK, "--groups", "2", path=str(path))
        self.kept_file(self.path, "philosophers and lock", make)

    def test_each(self):
        for form in FORMATS:
            with self.subTest(form):
                self.assertIn("philosophers" if form != "prometheus" else "gridlock_proofs", self.report(form))

    def test_text_is_what_prove_prints(self):
        told = self.run_gridlock("prove", LOCK, "--kernel", "mended", "--groups", "2", f"--build-options={STANDARD}",
                                 "-q", "-o", str(self.folder / "b.run")).out
        again = self.report("text", path=str(self.folder / "b.run"), code=EXIT_OK)
        self.assertIn(told.strip(), again)

    def test_csv(self):
        rows = {tuple(row["kernel"].rpartition("/")[2].split(":")): row
                for row in csv.DictReader(io.StringIO(self.report("csv"), newline=""), strict=True)}
        told = {name: (row["verdict"], row["needs"], row["races"], row["ends"]) for name, row in rows.items()}
        self.assertEqual(told, {
            ("philosophers.cl", "wrong"): ("wrong", "wrong on every device", "0", "1"),
            ("philosophers.cl", "mended"): ("proved", "needs: started groups get turns (OBE)", "0", "1"),
            ("lock_relaxed.cl", "wrong"): ("race", "needs: started groups get turns (OBE)", "2", "1"),
            ("lock_relaxed.cl", "mended"): ("proved", "needs: started groups get turns (OBE)", "0", "1"),
        })
        for row in rows.values():
            self.assertGreater(int(row["states"]), 1)

    def test_junit(self):
        root = xml.etree.ElementTree.fromstring(self.report("junit"))
        found = {case.get("name"): [(child.tag, child.get("type")) for child in case][0]
                 for case in root.iter("testcase")}
        self.assertEqual([root.get(name) for name in ("tests", "failures", "errors", "skipped")], ["4", "2", "0", "0"])
        self.assertEqual(sorted(found.values(), key=str), [("failure", "race"), ("failure", "wrong"),
                                                           ("system-out", None), ("system-out", None)])

    def test_prometheus(self):
        lines = [line for line in self.report("prometheus").splitlines() if line.startswith("gridlock_proofs{")]
        counts = {line.split('verdict="')[1].split('"')[0]: line.rpartition(" ")[2] for line in lines}
        self.assertEqual(counts, {"proved": "2", "race": "1", "wrong-result": "0", "wrong": "1", "not-refuted": "0",
                                  "fault": "0", "none": "0"})

    def test_fails_on(self):
        """Some names are of verdicts as well."""
        self.report("text", "--fail-on", "stale", code=EXIT_USAGE)
        self.report("text", "--fail-on", "wrong,starved", code=EXIT_USAGE)
        self.report("text", "--fail-on", "wrong,fault")
        self.report("text", "--exit-zero", code=EXIT_OK)


class Continued(Case):
    def test_what_was_cut_goes_on(self):
        self.write(PHILOSOPHERS)
        whole = self.verdicts()
        self.assertEqual(len(whole), 4)
        with sqlite3.connect(self.path) as database:
            for table in ("verdict", "observation", "proof"):
                database.execute(f"DELETE FROM {table} WHERE trial > 1")
            database.execute("DELETE FROM trial WHERE id > 1")
            database.execute("UPDATE share SET ended = 0")
        database.close()
        self.assertEqual(len(self.verdicts()), 1)
        for _ in range(2):  # at last there is nothing left to explore
            self.run_gridlock("resume", self.path, "-q", code=EXIT_SURPRISE)
            self.assertEqual(self.verdicts(), whole)

    def test_shards_are_merged(self):
        self.write(PHILOSOPHERS)
        whole, parts = self.verdicts(), []
        for shard in range(3):
            parts.append(str(self.folder / f"{shard}.run"))
            self.write(PHILOSOPHERS, "--shard", f"{shard}/3", path=parts[-1], code=None)
        self.run_gridlock("merge", *parts, "-o", str(self.folder / "merged.run"), code=EXIT_OK)
        self.assertEqual(self.verdicts(path=str(self.folder / "merged.run")), whole)
        less = str(self.folder / "less.run")
        self.assertIn("shard 0/3 is missing", self.run_gridlock("merge", *parts[1:], "-o", less,
                                                                code=EXIT_OK).err)


class Compared(Case):
    def kernel(self, order):
        path = self.folder / "mine.cl"
        path.write_text(f"kernel void mine(global atomic_uint *flag, global uint *data)\n{{\n"
                        f"    if (get_group_id(0) == 0) {{\n        data[0] = 1;\n"
                        f"        atomic_store_explicit(flag, 1, {order}, memory_scope_device);\n    }} else {{\n"
                        f"        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0)\n"
                        f"            ;\n        data[1] = data[0];\n    }}\n}}\n")
        return str(path)

    def test_two_versions_of_a_kernel(self):
        before, after = (str(self.folder / f"{name}.run") for name in ("before", "after"))
        self.write(self.kernel("memory_order_release"), "--groups", "2", path=before, code=EXIT_OK)
        self.write(self.kernel("memory_order_relaxed"), "--groups", "2", path=after)
        worse = self.run_gridlock("compare", before, after, code=EXIT_SURPRISE).out
        self.assertIn("race", worse)
        self.assertIn("proved", worse)
        self.run_gridlock("compare", after, before)
        self.run_gridlock("compare", before, before)
        self.write(self.kernel("memory_order_relaxed"), "--groups", "2", "--against", before,
                   path=str(self.folder / "third.run"))

    def test_run_of_another_kind(self):
        self.write(LOCK, "--kernel", "mended", "--groups", "2", code=EXIT_OK)
        other = str(self.folder / "other.run")
        self.run_gridlock("run", "barrier_central", "-d", "model:obe:2", "-t", "/g1$", "-q", "-o", other)
        for command in (("compare", self.path, other), ("merge", self.path, other, "-o", "c.run")):
            self.assert_sentence(self.run_gridlock(*command, code=EXIT_USAGE).err, "a run of proofs")


if __name__ == "__main__":
    gridlock_test.main()
