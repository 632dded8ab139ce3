"""Scenario files and kernels that are no such: one sentence says where the fault is, before any device is opened."""
import os
import unittest

import gridlock_test
from gridlock_test import EXIT_NO_DEVICE, EXIT_USAGE, scenario_text

LINE_MOST, FILE_MOST = 198, 1 << 20

GOOD = scenario_text()
KERNEL_LINE, GROUPS_LINE, SIZE_LINE, VERDICT_LINE, LAST_LINE = 2, 7, 8, 11, 11

HEADER = [
    "kernel:  own",
    "purpose: a test",
    "needs:   nothing",
    "fails:   never",
    "source:  a test",
    "option:  fault = none | lost",
    "param:   items = 4 in 1..64  how many",
    "words:   groups",
    "names:   flag {i} = i, i < groups",
    "data:    cells uint groups zero",
    "checks:  groups",
    "result:  each(cells) = items",
    "handover: cells",
    "launches: 2",
]


def with_header(lines):
    return "/*\n" + "".join(f" * {line}\n" for line in lines) + " */\nkernel void own(global uint *board) {}\n"


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.empty = self.folder / "no drivers"
        self.empty.mkdir()

    def run_without_driver(self, command, *arguments, code):
        result = self.run_gridlock(command, *arguments, code=code, OCL_ICD_VENDORS=self.empty)
        self.assertEqual(result.out, "", str(result))
        self.assertEqual(self.run_file_paths(), [], "nothing ran, but a run file was left")
        self.assertEqual(result.err.count("\n"), 1, str(result))
        self.assert_sentence(result.err)
        return result.err

    def refused(self, name, line, *words):
        """Neither command takes the file; `line` is where the fault is, or None for one of the file as a whole."""
        place = f"gridlock: {name}:{line}: " if line is not None else "gridlock: "
        errors = {self.run_without_driver(command, name, code=EXIT_USAGE) for command in ("check", "run")}
        self.assertEqual(len(errors), 1, errors)
        error = errors.pop()
        self.assertTrue(error.startswith(place), f"{place!r} is not where this begins: {error}")
        self.assertLess(len(error), 600)
        for word in (name, *words):
            self.assertIn(word, error)

    def accepted(self, name):
        """Both take it: `run` gets as far as to look for a device, of which there is none."""
        self.assertEqual(self.run_gridlock("check", name).out, f"{name}: ok\n")
        self.assertNotIn(name, self.run_without_driver("run", name, code=EXIT_NO_DEVICE))

    def write(self, content, name="t.ini"):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def refuse(self, content, line, *words):
        with self.subTest(content=content[-300:], line=line):
            self.refused(self.write(content), line, *words)

    def refuse_instead_of(self, old, new, line, *words):
        self.assertEqual(GOOD.count(old), 1)
        self.refuse(GOOD.replace(old, new), line, *words)


class Structure(Case):
    def test_good_file(self):
        self.accepted(self.write(GOOD))

    def test_unknown_key(self):
        self.refuse(GOOD + "colour = red\n", LAST_LINE + 1, "colour", "[expect]", "gridlock check --reference")
        self.refuse_instead_of("groups =", "colour = red\ngroups =", GROUPS_LINE, "colour", "has access")
        self.refuse_instead_of("purpose", "Purpose", KERNEL_LINE + 1, "Purpose")

    def test_expectation_of_the_whole_point(self):
        self.refuse(GOOD + "some = starving\n", LAST_LINE + 1, "unknown verdict 'starving'")
        self.refuse(GOOD + "some = starved when\n    grups > 1\n", LAST_LINE + 1, "grups")
        self.refuse(GOOD + "rate = stale\n", LAST_LINE + 1, "cannot parse the rate 'stale'", "stale <= 1/200")
        self.refuse(GOOD + "some = stale\nrate = stale <= 5 %\n", LAST_LINE + 2, "cannot parse the share '5 %'")

    def test_unknown_section(self):
        self.refuse(GOOD + "[limits]\nwait = 3\n", LAST_LINE + 2, "limits", "[scenario], [sweep] or [expect]")

    def test_key_before_all_sections(self):
        self.refuse("kernel = barrier_central\n" + GOOD, 1, "[scenario]")

    def test_duplicate_section(self):
        self.refuse(GOOD + "[sweep]\nrounds = 1\n", LAST_LINE + 1, "twice")

    def test_duplicate_key(self):
        self.refuse(GOOD + "verdict = pass\n", LAST_LINE + 1, f"line {VERDICT_LINE}", "twice")
        self.refuse_instead_of("groups =", "groups = 1\ngroups =", GROUPS_LINE + 1, f"line {GROUPS_LINE}", "twice")

    def test_key_without_value(self):
        for line, text in ((KERNEL_LINE + 1, "purpose = a test"), (KERNEL_LINE + 2, "teaches = Nothing."),
                           (VERDICT_LINE, "verdict = pass")):
            key = text.split()[0]
            self.refuse_instead_of(text, f"{key} =", line, f"{key} has no value")

    def test_value_in_the_next_line(self):
        self.accepted(self.write(GOOD.replace("verdict = ", "verdict =\n    ")))

    def test_missing_key(self):
        for key in ("kernel", "purpose", "teaches", "groups", "verdict"):
            self.refuse("".join(line for line in GOOD.splitlines(True) if not line.startswith(key)), 1, f"lacks {key}")

    def test_no_assignment(self):
        for line in ("groups", "[", "[]", "[sweep", "]", "=", "= 1", "<xml/>"):
            self.refuse(f"{line}\n{GOOD}", 1)

    def test_sections_without_end(self):
        self.refuse("".join(f"[s{i}]\n" for i in range(10000)), 17, "too many sections")

    def test_keys_without_end(self):
        keys = "".join(f"k{i} = 1\n" for i in range(10000))
        name = self.write(GOOD.replace("groups =", keys + "groups ="))
        for command in ("check", "run"):
            error = self.run_without_driver(command, name, code=EXIT_USAGE)
            self.assertRegex(error, r"^gridlock: t\.ini:\d+: k\d+: .*too many keys")


class Bytes(Case):
    def test_empty_file(self):
        self.refuse("", 1, "lacks kernel")
        self.refuse("\n\n# nothing\n", 1, "lacks kernel")

    def test_binary(self):
        self.refuse(bytes(range(256)) * 8, 1, "not text")
        self.refuse(b"\x7fELF\x02\x01\x01" + bytes(100), 1, "not text")
        self.refuse(GOOD.encode() + b"\x00", LAST_LINE + 1, "not text")
        self.refuse(GOOD.replace("a test", "a\x1b[31mtest"), KERNEL_LINE + 1, "not text")

    def test_bytes_that_are_no_utf8_in_a_refusal(self):
        """The sentence that repeats them stays readable."""
        self.refuse(GOOD.encode().replace(b"barrier_central", b"barrier\xff\xfe"), KERNEL_LINE, "barrier??")

    def test_byte_order_marks(self):
        self.refuse(b"\xef\xbb\xbf" + GOOD.encode(), 1, "byte order mark")
        self.refuse(GOOD.encode("utf-16"), 1)

    def test_carriage_returns_work(self):
        """All that a file from another system has: it is read like the one without them."""
        name = self.write(GOOD.replace("\n", "\r\n"))
        self.accepted(name)
        plan = self.run_gridlock("run", "--dry-run", name).out
        self.assertEqual(plan, self.run_gridlock("run", "--dry-run", self.write(GOOD)).out)

    def test_carriage_returns_alone_are_refused(self):
        self.refuse(GOOD.replace("\n", "\r"), 1, "not text")

    def test_no_newline_at_the_end(self):
        self.accepted(self.write(GOOD.rstrip("\n")))

    def test_longest_line(self):
        start = "teaches = "
        for length, good in ((LINE_MOST, True), (LINE_MOST + 1, False)):
            content = GOOD.replace("teaches = Nothing.", start + "x" * (length - len(start)))
            if good:
                self.accepted(self.write(content))
            else:
                self.refuse(content, KERNEL_LINE + 2, f"longer than {LINE_MOST} bytes")

    def test_line_of_a_megabyte(self):
        for line in ("x" * 1000000, "# " + "x" * 1000000, "rounds = " + "1" * 1000000, "[" * 1000000, " " * 1000000):
            self.refuse(GOOD + line, LAST_LINE + 1, f"longer than {LINE_MOST} bytes")

    def test_largest_file(self):
        comment = "#" * 100 + "\n"
        fitting = GOOD + comment * ((FILE_MOST - len(GOOD)) // len(comment))
        fitting += "#" * (FILE_MOST - len(fitting))
        self.accepted(self.write(fitting))
        self.refuse(fitting + "#", 1, "larger than 1 MiB")
        self.refuse(fitting + fitting, 1, "larger than 1 MiB")


class Files(Case):
    def test_missing(self):
        self.refused("missing.ini", None, "No such file")

    def test_folder(self):
        (self.folder / "folder.ini").mkdir()
        self.refused("folder.ini", None, "Is a directory")

    def test_file_as_a_folder(self):
        self.write(GOOD)
        self.refused("t.ini/t.ini", None, "Not a directory")

    def test_links_in_a_circle(self):
        (self.folder / "a.ini").symlink_to("b.ini")
        (self.folder / "b.ini").symlink_to("a.ini")
        self.refused("a.ini", None, "symbolic links")

    @unittest.skipIf(os.geteuid() == 0, "nothing is forbidden to root")
    def test_no_permission(self):
        self.write(GOOD)
        (self.folder / "t.ini").chmod(0)
        self.refused("t.ini", None, "Permission denied")

    def test_long_path(self):
        folder = "/".join(["f" * 200] * 10)
        (self.folder / folder).mkdir(parents=True)
        self.accepted(self.write(GOOD, f"{folder}/t.ini"))

    def test_path_too_long(self):
        name = "./" * 2100 + self.write(GOOD)
        error = self.run_without_driver("run", name, code=EXIT_USAGE)
        self.assertIn("too long", error)

    def test_no_name(self):
        for name in ("", ".", "/", "..ini"):
            with self.subTest(name=name):
                self.run_without_driver("run", name, code=EXIT_USAGE)

    def test_name_with_control_characters(self):
        error = self.run_without_driver("run", "a\nb\x1b.ini", code=EXIT_USAGE)
        self.assertIn("a?b?.ini", error)

    def test_one_sentence_for_each_bad_file(self):
        names = [self.write(content, f"{i}.ini") for i, content in enumerate(["", GOOD, GOOD + "x = 1\n", "[s]\n"])]
        result = self.run_gridlock("check", *names, code=EXIT_USAGE, OCL_ICD_VENDORS=self.empty)
        self.assertEqual(result.out, "1.ini: ok\n")
        self.assertEqual([line.split(":")[1:3] for line in result.err.splitlines()],
                         [[" 0.ini", "1"], [" 2.ini", str(LAST_LINE + 1)], [" 3.ini", "1"]], result.err)

    def test_one_bad_file_keeps_the_others_from_being_run(self):
        good, bad = self.write(GOOD, "good.ini"), self.write("", "bad.ini")
        self.assertTrue(self.run_without_driver("run", good, bad, code=EXIT_USAGE).startswith("gridlock: bad.ini:1: "))


class KernelNames(Case):
    def refuse_kernel(self, name, *words, line=KERNEL_LINE):
        self.refuse_instead_of("barrier_central", name, line, *words)

    def test_path_traversal(self):
        for name in ("../../etc/passwd", "/etc/passwd", "..", ".", "./own", "a/b", "own.cl", "..\\own", "%2e%2e", "~",
                     "$HOME", "own;ls", "own own", "own\tx", "-DX", "o\u0308wn", "*"):
            self.refuse_kernel(name)

    def test_existing_file_elsewhere_is_not_reached(self):
        self.write(with_header(HEADER), "own.cl")
        (self.folder / "below").mkdir()
        self.refused(self.write(GOOD.replace("barrier_central", "../own"), "below/t.ini"), KERNEL_LINE, "'../own'")

    def test_nul(self):
        self.refuse_kernel("barrier\0_central", "not text")

    def test_newline(self):
        self.refuse_kernel("barrier\n_central", line=KERNEL_LINE + 1)
        self.refuse_kernel("barrier_central\n    limits", "one line", line=KERNEL_LINE + 1)

    def test_length(self):
        self.refuse_kernel("")
        self.refuse_kernel("x" * 48, "1 to 47 characters")
        self.refuse_kernel("x" * 47, "not found")

    def test_unknown(self):
        self.refuse_kernel("nosuch", "nosuch.cl")


class Values(Case):
    def refuse_sweep(self, line, *words):
        self.refuse_instead_of("local-size = 1", line, SIZE_LINE, *words)

    def refuse_groups(self, value, *words):
        self.refuse_instead_of("1, 1x resident", value, GROUPS_LINE, *words)

    def test_out_of_range(self):
        for line, allowed in (
                ("local-size = 0", "1 to 65536"), ("local-size = 65537", "1 to 65536"),
                ("rounds = 1000001", "0 to 1000000"), ("rounds = 0 - 1", "0 to 1000000"),
                ("rounds = -1", "0 to 1000000"),
                ("iterations = 0", "1 to 1000000"), ("iterations = 1000001", "1 to 1000000"),
                ("seed = 4294967296", "0 to 4294967295"), ("jitter = 16777217", "0 to 16777216"),
                ("uneven = 16777217", "0 to 16777216"), ("burners = 65", "0 to 64"), ("held = 65537", "0 to 65536"),
                ("traffic = 1025", "0 to 1024"), ("silent = 2", "0 to 1")):
            self.refuse_sweep(line, line.split(" = ")[0], allowed)
        self.refuse_groups("0", "1 to 1048576")
        self.refuse_groups("1048577", "1 to 1048576")

    def test_overflow(self):
        for value in ("9223372036854775808", "18446744073709551617", "1" * 47, "9223372036854775807 + 1",
                      "4611686018427387904 * 2", "0 - 9223372036854775807 - 2", "9223372036854775807x 2"):
            self.refuse_groups(value)
            self.refuse_sweep(f"rounds = {value}", "rounds")

    def test_division_by_zero(self):
        for value in ("1/0", "1%0", "ceil(1,0)", "1/(2-2)", "log2(0)", "log2(-1)",
                      "(0 - 9223372036854775807 - 1) / -1", "(0 - 9223372036854775807 - 1) % -1"):
            self.refuse_groups(value)

    def test_no_number(self):
        for value in ("many", "3 3", "1.5", "0x10", "1e3", "3x", "groups", "min(1)", "min(1,2", "1 +", "nan", "'1'"):
            self.refuse_groups(value)

    def test_brackets(self):
        for depth in (20, 40):
            self.refuse_groups("(" * depth)
        self.refuse_groups(")")
        self.refuse_groups("(" * 180)
        self.refuse_groups("(" * 90 + "1" + ")" * 90)

    def test_very_deep_brackets_in_a_rule(self):
        """A rule may be longer than a value."""
        for end in ("", "1" + ")" * 150):
            rule = "pass when groups <= " + "(" * 150 + "\n    " + end
            self.refuse_instead_of("verdict = pass", f"verdict = {rule}", VERDICT_LINE)

    def test_empty_item(self):
        for value in ("1,,2", ",1", "1,,", ",", "1, ,2", ""):
            self.refuse_groups(value, "groups", "empty value")

    def test_ten_thousand_values(self):
        # As many as fit in a line, and so on: the line in which it was too much is named.
        lines = [", ".join(str(10 * i + j) for j in range(10)) + "," for i in range(1000)]
        self.refuse_instead_of("1, 1x resident", "\n    ".join(lines), GROUPS_LINE + 4, "at most 40 values")

    def test_unknown_word(self):
        for line in ("poll = never", "dialect = cl20", "dialect = all, cl12", "fence = half", "fence = both none",
                     "access = Plain", "fault ="):
            self.refuse_sweep(line, line.split(" = ")[0].removesuffix(" ="))


class Rules(Case):
    def test_rule(self):
        for rule in ("maybe", "Pass", "pass or", "pass, stale", "otherwise", "pass when", "pass if groups = 1",
                     "pass when groups", "pass when groups <= 4 and", "pass when groups ! 4", "pass when groups <",
                     "pass when <= 4", "pass when nonsense <= 4", "pass when groups <= nonsense", "pass when 1/0 = 1",
                     "pass when dialect < cl12", "pass when groups <= 9223372036854775808", "pass when when",
                     "pass when groups <= resident; maybe otherwise", "pass starved", "", ";"):
            self.refuse_instead_of("verdict = pass", f"verdict = {rule}", VERDICT_LINE)

    def test_unreadable_behind_what_always_applies(self):
        self.refuse_instead_of("verdict = pass", "verdict = pass otherwise; starved when (", VERDICT_LINE)

    def test_comment_behind_a_value(self):
        self.refuse_instead_of("verdict = pass", "verdict = pass ; starved otherwise", VERDICT_LINE, "comment")


class Headers(Case):
    """The kernel's own header: the sentence has the scenario's line that names it, and the kernel's, if it has one."""

    def refuse_header(self, lines, place, *words):
        changed = lines[:100] if isinstance(lines, str) else [line[:100] for line in lines if line not in HEADER]
        with self.subTest(changed=changed):
            self.write(lines if isinstance(lines, (str, bytes)) else with_header(lines), "own.cl")
            name = self.write(scenario_text("own"))
            self.refused(name, KERNEL_LINE, f" own.cl:{place}: " if place is not None else "own", *words)

    def refuse_field(self, field, *values, line=True, words=()):
        """Each value instead of the right one; `line`: the fault is told by line."""
        index = next(i for i, text in enumerate(HEADER) if text.startswith(field + ":"))
        for value in values:
            self.refuse_header(HEADER[:index] + [f"{field}: {value}"] + HEADER[index + 1:],
                               index + 2 if line else None, *words)

    def test_good_header(self):
        self.write(with_header(HEADER), "own.cl")
        self.accepted(self.write(scenario_text("own", sweep="local-size = 1\nfault = lost\nitems = 5")))

    def test_missing_field(self):
        for index in range(5):
            self.refuse_header(HEADER[:index] + HEADER[index + 1:], 1, HEADER[index].split(":")[0])

    def test_field_that_comes_twice(self):
        """Whatever it says: one of the two would be lost. Results alone may be the same."""
        for index, line in enumerate(HEADER):
            if not line.startswith("result"):
                self.refuse_header(HEADER[:index + 1] + HEADER[index:], index + 3)

    def test_unknown_field(self):
        self.refuse_header(HEADER + ["colour:  red"], len(HEADER) + 2, "colour")

    def test_kernel(self):
        self.refuse_field("kernel", "other", "", "own own", "own.cl", "../own", "ow", "x" * 2000)

    def test_texts(self):
        for field in ("purpose", "needs", "fails", "source"):
            self.refuse_field(field, "x" * 400, "x" * 2000, words=["characters"])
            self.refuse_header([f"{field}:" if line.startswith(field) else line for line in HEADER], 1, field)

    def test_option(self):
        self.refuse_field("option", "", "fault", "fault =", "= none", "fault = none |", "fault = | none", "fault = a b",
                          "fault = $x", "fault! = a", "fault = " + " | ".join("abcdefghi"), "f" * 30 + " = a",
                          "fault = " + "v" * 30, "fault = a\u00e4")
        self.refuse_header(HEADER + [f"option: o{i} = a" for i in range(8)], len(HEADER) + 9)

    def test_names_that_have_a_meaning(self):
        """A kernel's own names would hide them."""
        for name in ("groups", "local-size", "dialect", "rounds", "held", "resident", "compute-units", "line",
                     "progress"):
            self.refuse_header(HEADER + [f"option:  {name} = a"], None, name, "this name has a meaning")
            self.refuse_header(HEADER + [f"param:   {name} = 1 in 1..2  x"], None, name, "this name has a meaning")

    def test_one_name_for_two(self):
        last = len(HEADER) + 2
        self.refuse_header(HEADER + ["option:  items = a"], last, "expected a new name")
        self.refuse_header(HEADER + ["param:   fault = 1 in 1..2  x"], last, "expected a new name")
        self.refuse_header(HEADER + ["data:    cells int 1 zero"], last, "expected a new name")

    def test_param(self):
        self.refuse_field("param", "", "items", "items = 4", "items = in 1..2", "items = 4 in 1",
                          "items = 4 in 64..1  x", "items = 4 in -1..64  x", "items = 4 in 1..4294967296  x",
                          "items = 4 in 1..",
                          "items = 4 in 1..99999999999999999999  x", "it$ms = 4 in 1..64  x", "= 4 in 1..64  x",
                          "items = 4 in 1..64  " + "x" * 200)
        self.refuse_field("param", "items = 4 in 5..64  x", "items = 65 in 1..64  x", "items = foo in 1..64  x",
                          "items = 1/0 in 1..64  x", "items = ( in 1..64  x", line=False)
        self.refuse_header(HEADER + [f"param:   p{i} = 1 in 1..2  x" for i in range(16)], len(HEADER) + 17)

    def test_words_and_checks(self):
        for field in ("words", "checks"):
            self.refuse_field(field, "", "1+" * 100 + "1")
            self.refuse_field(field, "foo", "groups-5", "1/0", "((", "9223372036854775808",
                              "9223372036854775807+groups", line=False)
        self.refuse_field("words", "67108865", line=False)
        self.refuse_field("checks", "9223372036854775807*2", line=False)

    def test_names(self):
        self.refuse_field("names", "", "flag", "flag =", "= 0", "flag {i} = i", "flag = i, i < 2", "flag{i} = i, i < 2",
                          "flag {i} {i} = i, i < 2", "{i} = i, i < 2", "2nd = 0", "flag; = 0", "flag {i} = i, i <",
                          "x" * 40 + " = 0", "flag = " + "1+" * 100 + "1",
                          words=["expected NAME = EXPRESSION, i < COUNT"])
        self.refuse_field("names", "flag = foo", "flag = 1/0", "flag = ((", "flag {i} = i*i, i < 2",
                          "flag {i} = i/2, i < 2",
                          "flag = resident-resident", "flag = groups", "flag = 0-1", "flag {i} = i, i <= groups",
                          "flag {i} = i, i < groups+1", "flag {i} = i, i < 0-1", "flag {i} = 0, i < 2",
                          "flag {i} = 9223372036854775807*i, i < groups")
        self.refuse_header(HEADER + ["names:   other = 3"], len(HEADER) + 2, "names other: word 3 is already 'flag 3'")
        self.refuse_header(HEADER + ["names:   flag {k} = k, k < 1"], len(HEADER) + 2, "a new name")
        self.refuse_header(HEADER + [f"names:   {name} = 0" for name in "abcdefgh"], len(HEADER) + 9, "at most 8 names")

    def test_data(self):
        self.refuse_field("data", "", "cells", "cells uint", "cells uint groups", "cells foo groups zero",
                          "cells uint groups foo", "cells uint groups zero zero", "c$lls uint groups zero",
                          "cells uint " + "1+" * 100 + "1 zero")
        self.refuse_field("data", "cells item groups zero", "cells uint foo zero", "cells uint groups-5 zero",
                          "cells uint 1/0 zero", "cells uint 9223372036854775807 zero", "other uint groups zero",
                          line=False)
        self.refuse_header(HEADER + [f"data:    r{i} uint 1 zero" for i in range(8)], len(HEADER) + 9)

    def test_result(self):
        self.refuse_field("result", "", "each(cells)", "x" * 500 + " = 1")
        self.refuse_field("result", "each(foo) = items", "each(cells) =", "= items", "cells[groups] = 1", "cells[0 = 1",
                          "each(cells = 1", "dot(cells) = 1", "items = cells[0-1]", "1/0 = 1", "each(cells) = foo",
                          "each() = 1", "scan(cells,cells) = cells", line=False)
        self.refuse_header(HEADER + ["result:  1 = 1"] * 8, len(HEADER) + 9)

    def test_result_that_compares_what_is_not_alike(self):
        self.refuse_field("result", "cells = items", "items = cells", "each(cells) = cells", "items = each(cells)",
                          "permutation(cells) = cells", "groups = permutation(cells)", "scan(cells) = 1", line=False,
                          words=["compares"])

    def test_handover(self):
        self.refuse_field("handover", "", "x" * 30)
        self.refuse_field("handover", "foo", "cells,cells", line=False)
        self.refuse_field("data", "cells float groups zero", "cells uint groups index", line=False, words=["handover"])

    def test_launches(self):
        self.refuse_field("launches", "", "0", "65", "x", "1 2", "-1", "1.5", "99999999999999999999")

    def test_no_header(self):
        for text in ("", "kernel void own(global uint *board) {}\n", "// kernel: own\n", "\n" + with_header(HEADER),
                     with_header(HEADER).replace("\n", "\r\n"), "\x01\x02\x03"):
            self.refuse_header(text, 1, "comment")

    def test_header_that_is_cut_short(self):
        text = with_header(HEADER)
        for length in (3, 4, 20, 40, text.index("source")):
            self.refuse_header(text[:length], 1)
        self.refuse_header(text.replace("purpose", "\0purpose"), 1, "purpose")

    def test_what_it_includes(self):
        """Is looked for where a run looks, and by what is included, too."""
        lines = with_header(HEADER).count("\n") + 1
        for included, words in (("missing.h", "missing.h not found"), ("own.cl", "too deeply"),
                                ("a/b.h", "without a slash"),
                                ("between.h", "between.h:2: kernel file far.h not found")):
            (self.folder / "between.h").write_text('#include "group.h"\n#include "far.h"\n')
            self.refuse_header(with_header(HEADER) + f'\n#include "{included}"\n', lines + 1, words)
        (self.folder / "far.h").write_text("")
        self.accepted(self.write(scenario_text("own")))

    def test_file_that_is_no_kernel(self):
        self.refuse_header(with_header(HEADER) + "/" * FILE_MOST, None, "larger than 1 MiB")
        (self.folder / "own.cl").unlink()
        (self.folder / "own.cl").mkdir()
        self.refused(self.write(scenario_text("own")), KERNEL_LINE, "own.cl", "Is a directory")


if __name__ == "__main__":
    gridlock_test.main()
