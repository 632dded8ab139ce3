"""`gridlock report --format html`: what the page carries, what it allows, and that no name can change it."""
import json
import lzma
import re

import gridlock_test
from gridlock_test import EXIT_HARNESS, EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE
from page_case import PAGE_BYTES, Page, PageCase
from report_case import EXIT_SURPRISE, NAMES

class Numbers(PageCase):
    def test_stored_runs(self):
        """The page of each stored run carries what its JSON says."""
        stored = sorted((gridlock_test.ROOT / "results").glob("*/*.run.xz"))
        self.assertGreater(len(stored), 0)
        for packed in stored:
            with self.subTest(packed=packed.name):
                self.path.write_bytes(lzma.decompress(packed.read_bytes()))
                told = self.run_gridlock("report", str(self.path), "--format", "json", code=None)
                page = self.page(code=told.code)
                self.assertEqual(page.data(), [json.loads(told.out)])
                self.assert_safe(page)
                text = self.run_gridlock("report", str(self.path), code=told.code).out
                self.assertEqual(page.texts, [text])

    def test_several_runs(self):
        self.write_mixed()
        other = self.folder / "limits.gridlock"
        mixed, self.path = self.path, other
        self.write_limits()
        page = self.page(mixed, other, code=EXIT_SURPRISE)
        self.assertEqual([run["data-of"] for run in page.runs], ["run", "limits"])
        self.assertEqual([run["data-run"] for run in page.runs], [str(mixed), str(other)])
        self.assertEqual([list(data["devices"][0])[-1] for data in page.data()], ["scenarios", "limits"])
        self.assert_safe(page, runs=2)

    def test_run_without_devices(self):
        self.builder().close()
        page = self.page(code=EXIT_UNSUPPORTED)
        self.assertEqual(page.data()[0]["devices"], [])
        self.assert_safe(page)


class Names(PageCase):
    def test_hostile_names(self):
        names = NAMES + ("</script><script>alert(1)</script>", "<!-- <script>", "</noscript></pre><b>", "</ScRiPt >")
        builder = self.builder()
        for name in names:
            builder.trial(builder.device(name=name[:255], platform=name[:127]), ("crash",), note=name)
        builder.close()
        page = self.page(code=EXIT_SURPRISE)
        self.assert_safe(page)
        told = json.loads(self.report("json", code=EXIT_SURPRISE))
        self.assertEqual(page.data(), [told])
        self.assertIn("</script><script>alert(1)</script>", [device["name"] for device in told["devices"]])

    def test_long_note(self):
        builder = self.builder()
        builder.trial(builder.device(), ("crash",), expected="pass", note="<script>" * (1 << 17))
        builder.close()
        page = self.page(code=EXIT_SURPRISE)
        self.assert_safe(page)
        self.assertEqual(page.data(), [json.loads(self.report("json", code=EXIT_SURPRISE))])

    def test_name_of_the_file(self):
        self.path = self.folder / "a\"><script>b<\n.gridlock"
        self.write_mixed()
        page = self.page(code=EXIT_SURPRISE)
        self.assert_safe(page)
        self.assertEqual(page.runs[0]["data-run"], str(self.path).replace("\n", "?"))


class Size(PageCase):
    def write_points(self, count):
        builder = self.builder()
        device = builder.device()
        for groups in range(1, count + 1):
            builder.trial(device, ("pass",) if groups != 7 else ("crash",), groups=groups, expected="pass")
        builder.close()

    def check(self, count, left_out):
        self.write_points(count)
        out = self.run_gridlock("report", str(self.path), "--format", "html", code=EXIT_SURPRISE).out
        self.assertLess(len(out.encode()), PAGE_BYTES)
        page = Page(out)
        self.assertEqual(page.runs[0]["data-left-out"], left_out)
        return page.data()[0]["devices"][0]["scenarios"][0], json.loads(self.report("json", code=EXIT_SURPRISE))

    def test_small_page_has_all(self):
        scenario, told = self.check(50, "nothing")
        self.assertEqual(scenario, told["devices"][0]["scenarios"][0])

    def test_details_of_what_was_expected_go_first(self):
        scenario, told = self.check(8000, "details")
        points = told["devices"][0]["scenarios"][0]["points"]
        self.assertEqual([point["id"] for point in scenario["points"]], [point["id"] for point in points])
        self.assertEqual(scenario["points"][6], points[6])
        for brief, whole in zip(scenario["points"], points):
            self.assertEqual(brief, {key: whole[key] for key in brief})
        self.assertNotIn("seen", scenario["points"][0])

    def test_then_the_points(self):
        scenario, told = self.check(40000, "points")
        whole = told["devices"][0]["scenarios"][0]
        self.assertEqual(scenario, {**whole, "points": [whole["points"][6]]})


class Explanations(PageCase):
    def test_what_failed_is_explained_as_by_explain(self):
        self.write_mixed()
        explained = self.page(code=EXIT_SURPRISE).explained()
        points = json.loads(self.report("json", code=EXIT_SURPRISE))["devices"][0]["scenarios"][0]["points"]
        failed = {point["id"]: point for point in points if point["verdict"] not in ("pass", "incomplete")}
        self.assertEqual({name.split("#")[0] for name in explained}, set(failed))
        for name, entry in explained.items():
            self.assertEqual(entry["surprise"], failed[name.split("#")[0]]["surprise"])
            self.assertEqual(entry["says"], self.run_gridlock("explain", f"{self.path}:{name}").out)

    def test_devices_are_told_apart(self):
        builder = self.builder()
        for verdict in ("pass", "crash", "starved"):
            builder.trial(builder.device(name=verdict), (verdict,), expected="pass")
        builder.close()
        page = self.page(code=EXIT_SURPRISE)
        self.assertEqual([(entry["device"], re.search(r": (\w+), a surprise", entry["says"])[1])
                          for entry in json.loads(page.explanations[0])], [(1, "crash"), (2, "starved")])

    def test_surprises_are_explained_first(self):
        builder = self.builder()
        device = builder.device()
        for groups in range(1, 4001):
            builder.trial(device, ("crash",), groups=groups, expected="pass" if groups == 4000 else "crash")
        builder.close()
        out = self.run_gridlock("report", str(self.path), "--format", "html", code=EXIT_SURPRISE).out
        self.assertLess(len(out.encode()), PAGE_BYTES)
        entries = json.loads(Page(out).explanations[0])
        self.assertLess(len(entries), 4000)
        self.assertEqual([entry["trial"].split("/")[-1] for entry in entries[:2]], ["g4000#0", "g1#0"])


class Status(PageCase):
    def test_several_runs_in_another_format(self):
        self.write_mixed()
        for form in ("text", "json", "csv"):
            result = self.run_gridlock("report", str(self.path), str(self.path), "--format", form, code=EXIT_USAGE)
            self.assertEqual(result.out, "")
            self.assertIn("merge them first", result.err)

    def test_what_is_no_run_file(self):
        self.write_mixed()
        other = self.folder / "other"
        other.write_text("no run file\n" * 100)
        for paths in ((other,), (self.path, other), (other, self.path)):
            result = self.run_gridlock("report", *map(str, paths), "--format", "html", code=EXIT_USAGE)
            self.assertEqual(result.out, "")
            self.assert_sentence(result.err, "other")

    def test_damaged_file_beside_another(self):
        self.write_mixed()
        mixed, self.path = self.path, self.folder / "damaged.gridlock"
        builder = self.builder()
        device = builder.device()
        for groups in range(1, 101):
            builder.trial(device, ("pass" if groups != 71 else "splendid",), groups=groups, expected="pass")
        builder.close()
        page = self.page(self.path, mixed, code=EXIT_HARNESS)
        damaged, whole = page.data()
        self.assertEqual(len(damaged["devices"][0]["scenarios"][0]["points"]), 70)
        self.assertEqual(len(whole["devices"][0]["scenarios"]), 2)
        self.assert_safe(page, runs=2)

    def test_worst_status(self):
        limits = self.folder / "limits.gridlock"
        self.write_mixed()
        mixed, self.path = self.path, limits
        self.write_limits()
        self.page(limits, limits, code=EXIT_OK)
        self.page(limits, mixed, code=EXIT_SURPRISE)
        self.page(mixed, limits, code=EXIT_SURPRISE)


if __name__ == "__main__":
    gridlock_test.main()
