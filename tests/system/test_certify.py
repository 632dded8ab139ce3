"""gridlock certify: with how many groups a kernel is safe on a device, in writing; and whether that still holds."""
import hashlib
import json
import shutil

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_USAGE
from prove_case import EXIT_SURPRISE, STANDARD

EXIT_NO_DEVICE = 4
DEVICE = "model:lobe:2"

BARRIER = """#include "gridlock.clh"

kernel void meet(global uint *gl_words, global uint *out)
{
    GL_BEGIN(grid, gl_words);
    if (get_local_id(0) == 0)
        out[grid.group] = 1;
    if (!gl_barrier(&grid))
        return;
    if (get_local_id(0) == 0)
        out[grid.groups + grid.group] = out[(grid.group + 1) % grid.groups];
}
"""

# The count is reset when some may not have seen it.
WRONG = """kernel void meet(global atomic_uint *count)
{
    atomic_fetch_add(count, 1);
    while (atomic_load(count) != get_num_groups(0))
        ;
    atomic_store(count, 0);
}
"""

# With more than two groups it never ends, but two suffice for a proof.
THIRD = """kernel void meet(global atomic_uint *count)
{
    while (get_num_groups(0) > 3 && get_local_id(0) == 0)
        atomic_fetch_or(count, 0);
}
"""

RACES = """kernel void meet(global uint *sum)
{
    sum[0] += 1;
}
"""

ALONE = """kernel void meet(global uint *out)
{
    out[get_global_id(0)] = 1;
}
"""


class Case(gridlock_test.Case):
    def source(self, text=BARRIER):
        (self.folder / "a.cl").write_text(text)
        if "gridlock.clh" in text:
            shutil.copy(gridlock_test.ROOT / "src" / "emit" / "gridlock.clh", self.folder)

    def certify(self, *options, device=DEVICE, code=EXIT_OK, **variables):
        return self.run_gridlock("certify", "a.cl", "--kernel", "meet", "-d", device, "-q", "-o", "out",
                                 f"--build-options={STANDARD}", *options, code=code, **variables)

    def certificate(self):
        """Of BARRIER on DEVICE; made once."""
        def make(path):
            self.certify()
            shutil.copy(self.folder / "out" / "certificate.json", path)
            shutil.rmtree(self.folder / "out")
        self.source()
        return self.kept_file(self.folder / "kept.json", "certificate", make)

    def check(self, *options, code, **variables):
        return self.run_gridlock("certify", "--check", "kept.json", "-q", *options, code=code, **variables)

    def read(self):
        document = json.loads((self.folder / "out" / "certificate.json").read_text())
        if schemas.jsonschema is not None:
            schemas.validator("certify").validate(document)
        return document

    def refused(self, text, *options, **more):
        self.source(text)
        out = self.certify(*options, code=EXIT_SURPRISE, **more).out
        document = self.read()
        self.assertFalse(document["certified"])
        first = out.split("\n\n")[0].replace("\n   ", "")
        self.assertEqual(first, f"Not certified: {document['reason']}.")
        return document


class Certified(Case):
    def test_a_barrier(self):
        self.source()
        out = self.certify().out
        self.assertEqual(out, (self.folder / "out" / "certificate.txt").read_text())
        self.assertTrue(out.startswith("Certified.\n"))
        document = self.read()
        self.assertTrue(document["certified"])
        self.assertEqual((document["safe_up_to"], document["any_number"], document["stalls_at"], document["items"]),
                         (2, False, 3, "64"))
        self.assertEqual(document["launched"], [{"groups": 2, "launches": 20, "passed": 20, "otherwise": None},
                                                {"groups": 3, "launches": 1, "passed": 0, "otherwise": "deadlock"}])
        here, = document["here"]
        self.assertEqual((here["answer"], here["counted"], here["needed"]["model"], here["stale"]),
                         ("resident", "kernel", "FAIR", 0))
        self.assertGreater(here["published"], 0)

    def test_each_hash_is_that_of_its_file(self):
        self.source()
        out = self.certify().out
        lines = [line.split() for line in out.split("SHA-256:\n")[1].splitlines()]
        self.assertEqual({path for _, path in lines},
                         {"a.cl", "gridlock.clh", *(f"out/{name}.gridlock" for name in
                                                    ("limits", "progress", "publication", "proof", "launches",
                                                     "one-more"))})
        for digest, path in lines:
            self.assertEqual(digest, hashlib.sha256((self.folder / path).read_bytes()).hexdigest(), path)

    def test_any_number(self):
        self.source(ALONE)
        self.certify("--prove-groups", "2,3,4")
        document = self.read()
        self.assertTrue(document["certified"] and document["any_number"])
        self.assertEqual([launched["passed"] for launched in document["launched"]], [20, 1])

    def test_as_many_as_are_asked_for(self):
        self.source()
        self.certify("--groups", "1", "--iterations", "3")
        self.assertEqual([(launched["groups"], launched["launches"]) for launched in self.read()["launched"]],
                         [(1, 3), (3, 1)])


class NotCertified(Case):
    def test_a_wrong_kernel(self):
        document = self.refused(WRONG)
        self.assertIn("no promise is enough", document["reason"])
        self.assertEqual(document["launched"], [])

    def test_data_races(self):
        self.assertIn("data races", self.refused(RACES)["reason"])

    def test_more_groups_than_are_safe(self):
        self.assertEqual(self.refused(BARRIER, "--groups", "3")["reason"],
                         "3 groups were asked for, and up to 2 are safe")

    def test_what_only_a_launch_shows(self):
        document = self.refused(THIRD, device="model:lobe:4")
        self.assertIn("with 4 groups the kernel as it is passed in 0 of 20 launches", document["reason"])

    def test_what_publishes_nothing(self):
        self.assertIn("in dialect cl12", self.refused(BARRIER, "--kernel-style", "cl12")["reason"])

    def test_what_does_not_build(self):
        self.source("kernel void meet(global int *a) { a[0] = b; }\n")
        result = self.certify(code=EXIT_SURPRISE)
        self.assertTrue(result.out.startswith("Not certified: "))
        self.assert_sentence(result.err, "a.cl does not build")


class Checked(Case):
    def test_it_holds(self):
        self.certificate()
        self.assertEqual(self.check(code=EXIT_OK).out, "The certificate holds.\n")

    def test_the_source_has_changed(self):
        self.certificate()
        (self.folder / "a.cl").write_text(BARRIER + "\n")
        self.assertEqual(self.check(code=EXIT_SURPRISE).out,
                         "The certificate no longer holds:\n  the source has changed\n")

    def test_what_it_includes_has_changed(self):
        self.certificate()
        with (self.folder / "gridlock.clh").open("a") as file:
            file.write("\n")
        self.assertIn("a file that the source includes has changed", self.check(code=EXIT_SURPRISE).out)

    def test_another_device(self):
        self.certificate()
        out = self.check("-d", "model:lobe:1", code=EXIT_SURPRISE).out
        self.assertIn('the device was "model:lobe:2", and is "model:lobe:1"', out)
        self.assertIn("the number of groups up to which it is safe was 2, and is 1", out)

    def test_a_limit_that_rose_does_no_harm(self):
        self.certificate()
        out = self.check("-d", "model:lobe:3", code=EXIT_SURPRISE).out
        self.assertNotIn("safe", out)
        self.assertNotIn("certified any more", out)

    def test_an_edited_one(self):
        path = self.certificate()
        path.write_text(path.read_text().replace('"safe_up_to": 2', '"safe_up_to": 9'))
        self.assert_sentence(self.check(code=EXIT_USAGE).err, "no certificate of gridlock, or was changed")

    def test_none(self):
        path = self.folder / "kept.json"
        for text in ("", "{}", "[" * 5000, '{\n  "sha256": "' + 64 * "0", '{\n  "sha256": "' + 64 * "0" + '"\n}\n'):
            path.write_text(text)
            self.assert_sentence(self.check(code=EXIT_USAGE).err, "no certificate of gridlock")
        path.unlink()
        self.assert_sentence(self.check(code=EXIT_USAGE).err, "kept.json")

    def test_one_that_certifies_nothing(self):
        self.refused(BARRIER, "--groups", "3")
        shutil.copy(self.folder / "out" / "certificate.json", self.folder / "kept.json")
        self.assert_sentence(self.check(code=EXIT_USAGE).err, "the kernel was not certified")

    def test_the_source_is_gone(self):
        self.certificate()
        (self.folder / "a.cl").unlink()
        self.assert_sentence(self.check(code=EXIT_USAGE).err, "a.cl: the certified file is not here")


class Refused(Case):
    def one(self, words, *arguments, code=EXIT_USAGE):
        self.assert_sentence(self.run_gridlock("certify", *arguments, code=code).err, words)

    def test_bad_input(self):
        self.source()
        self.one("expected a file of OpenCL C")
        self.one("whose name ends in .cl", "a.txt")
        self.one("of one file", "a.cl", "b.cl", "--kernel", "meet", "-o", "out")
        self.one("of one kernel", "a.cl", "-o", "out")
        self.one("expected -o DIR", "a.cl", "--kernel", "meet")
        self.one("for one device", "a.cl", "--kernel", "meet", "-d", "model:obe", "-d", "model:hsa", "-o", "out")
        self.one("expected no other file", "a.cl", "--check", "kept.json")
        self.one("no/such", "a.cl", "--kernel", "meet", "-d", DEVICE, "-o", "no/such")
        self.one("there are meet", "a.cl", "--kernel", "other", "-d", DEVICE, "-q", "-o", "out")
        self.one("no device matches", "a.cl", "--kernel", "meet", "-d", "nosuch", "-o", "out", code=EXIT_NO_DEVICE)

    def test_no_file_is_replaced(self):
        self.source()
        (self.folder / "out").mkdir()
        (self.folder / "out" / "proof.gridlock").write_text("mine")
        self.one("proof.gridlock", "a.cl", "--kernel", "meet", "-d", DEVICE, "-q", "-o", "out")
        self.assertEqual((self.folder / "out" / "proof.gridlock").read_text(), "mine")


@gridlock_test.needs_driver("pocl")
class OnPocl(Case):
    def test_a_limit_that_falls(self):
        """With fewer threads fewer groups fit."""
        def threads(count):
            return {"POCL_MAX_PTHREAD_COUNT": count, "POCL_CPU_MAX_CU_COUNT": count, "OCL_ICD_VENDORS": "pocl.icd"}
        self.source()
        self.certify(device="pocl", **threads(2))
        shutil.copy(self.folder / "out" / "certificate.json", self.folder / "kept.json")
        self.assertEqual(self.read()["safe_up_to"], 2)
        self.assertEqual(self.check(code=EXIT_SURPRISE, **threads(1)).out,
                         "The certificate no longer holds:\n  the number of compute units was 2, and is 1\n"
                         "  the number of groups up to which it is safe was 2, and is 1\n")


if __name__ == "__main__":
    gridlock_test.main()
