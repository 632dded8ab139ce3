"""Run files that xz has packed: they are read as the files in them are, and what is none is refused."""
import lzma

import gridlock_test
from gridlock_test import EXIT_HARNESS, EXIT_OK, EXIT_USAGE
from report_case import EXIT_SURPRISE, Case

MOST_MIB = 512


class Packed(Case):
    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.write_mixed()
        self.packed = self.folder / "packed"  # whatever its name is
        self.packed.write_bytes(lzma.compress(self.path.read_bytes(), preset=9))

    def gridlock(self, *arguments, code):
        """Nothing is left where it was unpacked."""
        result = self.run_gridlock(*map(str, arguments), code=code, TMPDIR=self.temporary)
        self.assertEqual(list(self.temporary.iterdir()), [])
        return result

    def assert_refused(self, text, *words, code=EXIT_USAGE):
        """By each command that reads run files, in one sentence."""
        self.packed.write_bytes(text)
        for arguments in (("report", self.packed), ("explain", self.packed), ("compare", self.path, self.packed),
                          ("merge", self.packed, "-o", self.folder / "merged")):
            result = self.gridlock(*arguments, code=code)
            self.assert_sentence(result.err, str(self.packed), *words)
            self.assertEqual((result.out, result.err.count("\n")), ("", 1), arguments)
        self.assertFalse((self.folder / "merged").exists())

    def test_it_is_read_as_it_would_be_unpacked(self):
        for form in ("text", "json", "junit"):
            said = self.gridlock("report", self.packed, "--format", form, code=EXIT_SURPRISE).out
            self.assertEqual(said.replace(str(self.packed), str(self.path)), self.report(form, code=EXIT_SURPRISE))
        self.assertEqual(self.gridlock("explain", f"{self.packed}:toy/cl30/l64/g3#0", code=EXIT_OK).out,
                         self.gridlock("explain", f"{self.path}:toy/cl30/l64/g3#0", code=EXIT_OK).out)
        self.assertEqual(self.gridlock("compare", self.packed, self.path, code=EXIT_OK).out,
                         self.gridlock("compare", self.path, self.path, code=EXIT_OK).out)

    def test_it_is_merged(self):
        for name, file in (("of-packed", self.packed), ("of-plain", self.path)):
            self.gridlock("merge", file, "-o", self.folder / name, code=EXIT_OK)
        self.assertEqual(*(self.run_file(self.folder / name).rows("SELECT * FROM trial ORDER BY name")
                           for name in ("of-packed", "of-plain")))

    def test_of_an_older_schema_and_of_several_streams(self):
        results = gridlock_test.ROOT / "results" / "pocl"
        older = results / "scenarios-1-threads.run.xz"
        text = lzma.decompress(older.read_bytes())
        (self.folder / "older").write_bytes(text)
        self.packed.write_bytes(lzma.compress(text[:99]) + lzma.compress(text[99:]))
        said = [self.gridlock("report", path, code=None).out for path in (older, self.folder / "older", self.packed)]
        self.assertEqual(said[0], said[1])
        self.assertEqual(said[0], said[2])

    def test_it_cannot_be_continued(self):
        text = self.packed.read_bytes()
        self.assert_sentence(self.gridlock("resume", self.packed, code=EXIT_USAGE).err, "unpack it first")
        self.assertEqual(self.packed.read_bytes(), text)

    def test_what_is_damaged_or_ends_early(self):
        text = self.packed.read_bytes()
        for size in (6, 7, 12, len(text) // 2, len(text) - 1):
            with self.subTest(size=size):
                self.assert_refused(text[:size], "its end is missing")
        for place in (7, len(text) // 2, len(text) - 4):
            with self.subTest(place=place):
                self.assert_refused(text[:place] + bytes([text[place] ^ 0x55]) + text[place + 1:], "it is damaged")
        self.assert_refused(text + b"what follows", "it is damaged")

    def test_what_holds_no_run_file(self):
        for held in (b"", b"SQLite", b"a text that is long enough\n" * 9, bytes(1 << 20), self.packed.read_bytes()):
            self.assert_refused(lzma.compress(held), "it holds no run file")

    def test_what_holds_too_much(self):
        """A few kilobytes: many streams that are alike."""
        part = lzma.compress(bytes(MOST_MIB << 14))
        self.packed.write_bytes(lzma.compress(self.path.read_bytes()) + 64 * part)
        result = self.gridlock("report", self.packed, code=EXIT_USAGE)
        self.assert_sentence(result.err, str(self.packed), f"more than {MOST_MIB} MiB")

    def test_where_it_cannot_be_unpacked(self):
        result = self.run_gridlock("report", str(self.packed), code=EXIT_HARNESS, TMPDIR=self.folder / "nosuch")
        self.assert_sentence(result.err, str(self.packed), "temporary file", "No such file or directory")


if __name__ == "__main__":
    gridlock_test.main()
