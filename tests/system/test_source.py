"""limits --source: kernels of others are measured without running a line of them."""
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess


import gridlock_test
from gridlock_test import EXIT_NO_DEVICE, EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE

EXIT_SURPRISE = 1
THREADS = 2

PART = "typedef struct { int a; double4 b; } of_part;\nint part(int a) { return a; }\n"

# Many would never end, or write where nothing is, if they ran.
KERNELS = {
    "plain.cl": ("plain", "__kernel void plain(__global int *a) { while (1) a[1 << 30] = 1; }"),
    "bare.cl": ("bare", "void kernel bare() { while (1) { } }"),
    "of_void.cl": ("of_void", "kernel void of_void(void) { volatile int i = 0; while (1) ++i; }"),
    "windows.cl": ("windows",
                   "\ufeff\ufeff// caf\u00e9 \u2013 na\u00efve\r\n#define N 4\r\n__kernel\r\nvoid\r\nwindows(__global "
                   "int *a, // one )\r\n"
                              " int b) // two {\r\n{\r\n  a[b] = N;\r\n}\r\n"),
    "alike.cl": ("limits", "#define board 3\n#define self 4\n#define entry x\n#define group y\n"
                           "struct gl_self { int a; }; static int gl_enter(int gl_load) { return gl_load; }\n"
                           "int gl_in_front(int a) { return a; }\nint gl_group(void) { return 7; }\n#define GL_STOP "
                           "99\n"
                           "#define GL_INLINE oh dear\n"
                           "kernel void limits(global int *gl_board) { struct gl_self s; s.a = gl_enter(GL_STOP);"
                           " gl_board[gl_in_front(s.a)] = gl_group(); while (1) { } }"),
    "pragma.cl": ("pragma", "#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable\n#line 77 \"other.h\"\n"
                            "kernel void pragma(global char *a) {\n#pragma unroll\n for (int i = 0; i < 4; ++i) a[i] = "
                            "__LINE__; }"),
    "includes.cl": ("includes",
                    '#include "part.h"\nkernel void includes(global int *a, of_part p) { a[0] = part(p.a); }'),
    "scope.cl": ("scope", "constant float table[4] = {1, 2, 3, 4};\n__constant int one = 1;\n"
                          "kernel void scope(global float *a, constant float *b) { a[0] = table[one] + b[0]; }"),
    "calls.cl": ("outer", "kernel void inner(global int *a, int b) { a[b] = 1; }\n"
                          "kernel void outer(global int *a) { inner(a, 1); inner(a, 2); inner(a, 3); inner(a, 4); }"),
    "attributes.cl": ("hinted",
                      "__attribute__((work_group_size_hint(16, 1, 1))) __attribute__((vec_type_hint(float4)))\n"
                                "kernel void hinted(global float4 *a) { a[0] *= 2; }"),
    "macro.cl": ("made", "#define KERNEL(name) __kernel void name\n#define ARGS global int *a, \\\n   int b\n"
                         "KERNEL(made)(ARGS) { a[b] = 1; }"),
    "whole.cl": ("whole_int",
                 "#define WHOLE(type) kernel void whole_##type(global type *a) { while (1) a[0] = 1; }\nWHOLE(int)"),
    "doubled.cl": ("doubled",
                   "#ifdef WIDE\nkernel void doubled(global float4 *a) {\n#else\nkernel void doubled(global float *a) "
                   "{\n"
                              "#endif\n a[0] = 1; }"),
    "images.cl": ("images", "kernel void images(read_only image1d_t a, read_only image2d_t b, read_only image3d_t c,"
                            " read_only image1d_array_t d, read_only image2d_array_t e, write_only image2d_t f,"
                            " read_only image1d_buffer_t g, sampler_t s, global float4 *out)\n"
                            "{ out[0] = read_imagef(b, s, (float2)(0)) + read_imagef(c, s, (float4)(0));"
                            " write_imagef(f, (int2)(0), out[0]); }"),
    "vectors.cl": ("vectors", "typedef struct { char a; float3 b[3]; } big;\nstruct small { short x; };\n"
                              "typedef struct { int a[5000]; } huge;\nenum kind { A, B };\nkernel void vectors(big p, "
                              "struct small q, float3 f, uint4 u, uchar16 c, long l,"
                              " global half *h, const global volatile ulong8 *restrict v, enum kind k, local huge *t)\n"
                              "{ vstore_half(1.0f, 0, h); }"),
    "arrays.cl": ("arrays", "kernel void arrays(global const uchar (*const a)[6], global const char2 (*b)[3][8],"
                            " local float (*c)[16], constant int (*d)[2], global float *out)\n"
                            "{ c[0][1] = a[0][1] + b[0][1][2].x; out[0] = c[0][d[0][1]]; }"),
    "in_list.cl": ("in_list", "kernel void in_list(global struct { int a; } *s) { while (1) s[0].a = 1; }"),
    "unnamed.cl": ("unnamed",
                   "kernel void unnamed(struct { int a; float4 b; } s, union { char c; } u, global int *a) { while (1) "
                   "a[s.a] = u.c; }"),
    "bodies.cl": ("of_macro", "#define BODY { while (1) a[0] = 1; }\nkernel void of_macro(global int *a) BODY\n"
                              "kernel void of_file(global int *a)\n#include \"body.h\"\n"
                              "kernel void behind(global int *a) { while (1) a[0] = 1; }"),
    "words.cl": ("words", "typedef struct { int a[5]; } five;\nkernel void words(global int *a, five b) { while (1) "
                          "a[0] = 1; }\n"
                          "#define return\n#define if(...) if (!(__VA_ARGS__))\n#define void int\n#define const oh "
                          "dear\n"
                          "#define sizeof(a) 3\n#define ulong float\n"),
    "while.cl": ("while_words",
                 "#define return\nkernel void while_words(global int *a) { while (1) a[0] = 1; }\n#undef return\n"
                                "#define return a[0]+0\nkernel void while_long(global int *a) { while (1) a[0] = 1; }\n"
                                "#undef return\n"
                                "#define if(a) if (!(a))\nkernel void while_if(global int *a) { while (1) a[0] = 1; }\n"
                                "#undef if\n"
                                "#define if if\nkernel void while_same(global int *a) { while (1) a[0] = 1; }\n"),
    "likeness.cl": ("likeness", "typedef struct { int a[3]; } image2d_t_size, event_table, queue_type, image_t, "
                                + "t" * 150 + ";\nkernel void likeness(global int *sampler_t_, image2d_t_size a, "
                                              "event_table b,"
                                " queue_type c, global image_t *d, local image_t *e, global event_table *f, local "
                                "queue_type *g, "
                                + "t" * 150 + " h) { while (1) sampler_t_[0] = 1; }"),
    "long.cl": ("k" * 100, "kernel void " + "k" * 100 + "(global int *a) { a[0] = 1; }"),
    "unended.cl": ("unended", "kernel void unended(global int *a) { a[0] = 1; } // no newline, and a backslash \\"),
}


@gridlock_test.needs_driver("pocl")
class Case(gridlock_test.Case):
    def environment(self, **changes):
        return super().environment(**{"POCL_MAX_PTHREAD_COUNT": THREADS, **changes})

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text.encode())
        return str(path)

    def measure(self, *arguments, code=EXIT_OK, sizes="4", **changes):
        # PoCL compiles during the first launch, which takes it minutes on a busy machine.
        return self.run_gridlock("limits", "-d", "pocl", "--iterations", "2", "--local-size", sizes, "--timeout", "600",
                                 *arguments, "--format", "json", code=code, **changes)

    def driver_tells_local_memory(self):
        result = self.run_gridlock("audit", "-d", "pocl", "--promise", "kernel-local-declared", "--format", "json",
                                   code=None)
        return result.json()["devices"][0]["promises"][0]["outcome"] == "kept"

    @staticmethod
    def trials(run):
        with sqlite3.connect(run) as database:
            return [name for (name,) in database.execute("SELECT name FROM trial ORDER BY id")]

    @staticmethod
    def rows(result):
        (device,) = result.json()["devices"]
        return {(row["kernel"]["name"], row["kernel"]["group"]): row for row in device["limits"]}

    def assert_measured(self, row, threads=THREADS):
        barrier = row["barrier"]
        self.assertEqual((row["resident"], barrier["passes_at"], barrier["stalls_at"]), (threads, threads, threads + 1),
                         row)


class Kernels(Case):
    def test_each_is_measured_and_none_runs(self):
        self.write("part.h", PART)
        self.write("body.h", "{ while (1) a[0] = 1; }")
        files = [self.write(name, text) for name, (_, text) in KERNELS.items()]
        found = self.rows(self.measure("--source", *files))
        wanted = {name for name, _ in KERNELS.values()} | {"inner", "of_file", "behind", "while_long", "while_if",
                                                           "while_same"}
        self.assertEqual({name for name, _ in found}, wanted)
        for (name, _), row in found.items():
            with self.subTest(kernel=name):
                self.assert_measured(row)
                self.assertEqual(row["kernel"]["bound"], "exact")

    def test_text_is_put_into_kernels_whose_head_a_macro_makes(self):
        """In the file, in another one, or by an option; where the macro makes the body as well, a caller is
        launched."""
        self.write("vendor.h", "#define KERNEL_FQ __kernel\n#define ARGUMENTS() global int *a\n"
                               "#define HEAD(name) kernel void name\n")
        path = self.write("heads.cl",
                          "#include NAME_OF(FOLDER/vendor.h)\n#define KERNEL __kernel\n"
                          "#define REQD_WG_SIZE(X, Y, Z) __attribute__((reqd_work_group_size(X, Y, Z)))\n"
                          "KERNEL_FQ void of_file (ARGUMENTS ()) { while (1) a[0] = 1; }\n"
                          "KERNEL\nREQD_WG_SIZE(4, 1, 1)\nvoid sized(global int *a)\n{ while (1) a[0] = 1; }\n"
                          "BY_OPTION void of_option(global int *a) { while (1) of_file(a); }\n"
                          "HEAD(named)(ARGUMENTS (), int b) { while (1) a[b] = 1; }\n"
                          "#define WHOLE(type) HEAD(whole_##type)(global type *a) { while (1) a[0] = 1; }\n"
                          "WHOLE(int) WHOLE(float)\n")
        options = f"-D STRING(x)=#x -D NAME_OF(x)=STRING(x) -D FOLDER={self.folder} -D BY_OPTION=KERNEL_FQ"
        found = self.rows(self.measure("--source", path, "--build-options", options))
        self.assertEqual({name: row["kernel"]["entry"] for (name, _), row in found.items()},
                         {"of_file": "insert", "sized": "insert", "of_option": "insert", "named": "insert",
                          "whole_int": "call", "whole_float": "call"})
        for row in found.values():
            self.assert_measured(row)
            self.assertEqual(row["kernel"]["bound"], "exact")

    def test_as_many_as_threads(self):
        path = self.write("plain.cl", KERNELS["plain.cl"][1])
        for threads in (1, 3, 8):
            with self.subTest(threads=threads):
                found = self.rows(self.measure("--source", path, POCL_MAX_PTHREAD_COUNT=threads))
                self.assert_measured(found["plain", "4"], threads)

    def test_shapes(self):
        path = self.write("shapes.cl", "kernel void free_one(global int *a) { a[0] = 1; }\n"
                                       "kernel __attribute__((reqd_work_group_size(4, 2, 1)))\n"
                                       "void required(global int *a) { a[0] = 1; }")
        found = self.rows(self.measure("--source", path, sizes="8,4x4,2x3x2"))
        self.assertEqual(set(found),
                         {("free_one", "8"), ("free_one", "4x4"), ("free_one", "2x3x2"), ("required", "4x2")})
        for row in found.values():
            self.assert_measured(row)

    def test_local_memory_of_a_kernel_is_that_of_what_is_launched(self):
        path = self.write("tile.cl",
                          "kernel void tile(global float *a) { local float t[300]; t[get_local_id(0)] = a[0];\n"
                                     " barrier(CLK_LOCAL_MEM_FENCE); a[1] = t[3]; }")
        (row,) = self.rows(self.measure("--source", path)).values()
        self.assert_measured(row)
        kernel = row["kernel"]
        self.assertEqual(kernel["original"]["local_memory_bytes"], 1200 if self.driver_tells_local_memory() else 0)
        self.assertEqual((kernel["launched"], kernel["bound"]), (kernel["original"], "exact"))

    def test_local_arguments(self):
        path = self.write("args.cl", "typedef struct { int a, b; } pair;\n"
                                     "kernel void one(global int *a, local pair *tile, local float *sums) { }\n"
                                     "kernel void two(local float *sums) { }")
        found = self.rows(self.measure("--source", path, "--arg", "one:tile=local:96", "--arg", "sums=local:32"))
        self.assertEqual(found["one", "4"]["kernel"]["local_arguments"], "1=96,2=32")
        self.assertEqual(found["two", "4"]["kernel"]["local_arguments"], "0=32")
        self.assertIsNone(found["one", "4"]["kernel"]["local_arguments_taken"])
        found = self.rows(self.measure("--source", path, "--arg", "2=local:32"))
        self.assertEqual(found["one", "4"]["kernel"]["local_arguments_taken"], "argument 1 (tile): 32 bytes")
        self.assertIsNone(found["one", "4"]["kernel"]["remark"])
        # More than there is: that footprint is refused, and the others are measured.
        found = self.rows(self.measure("--source", path, "--arg", "tile=local:1000000000"))
        self.assertRegex(found["one", "4"]["note"], "^1000000016 bytes of local memory: the device has only [0-9]+$")
        self.assert_measured(found["two", "4"])
        self.measure("--source", path, "--kernel", "one", "--arg", "tile=local:1000000000", code=EXIT_UNSUPPORTED)

    def test_chosen_kernels_and_options(self):
        path = self.write("calls.cl", KERNELS["calls.cl"][1].replace("inner(a, 2)", "inner(a, N)"))
        found = self.rows(self.measure("--source", path, "--kernel", "outer", "--build-options", "-DN=16 -DM -Werror"))
        self.assertEqual(set(found), {("outer", "4")})
        self.assertEqual(found["outer", "4"]["kernel"]["build_options"], "-DN=16 -DM -Werror")

    def test_long_texts_are_taken_whole(self):
        """Options, paths and lists of local arguments: what is at their ends counts, and comes back from the run
        file."""
        folder = self.folder
        for letter in "abcd":
            folder = folder / (letter * 90)
        folder.mkdir(parents=True)
        path, run = folder / "long.cl", str(self.folder / "long.run")
        count = 20
        path.write_text("kernel void many(global int *a, " + ", ".join(f"local int *tile_of_{i}" for i in range(count))
                        + ") { a[0] = LAST + " + " + ".join(f"tile_of_{i}[0]" for i in range(count)) + "; }")
        for length in (820, 16383):
            options = "-DLAST=7"
            options = "-DN=1 " * ((length - len(options)) // 6) + options
            options = " " * (length - len(options)) + options
            with self.subTest(bytes=length):
                result = self.measure("--source", str(path), "--build-options", options, "--arg", "tile_of_19=local:64",
                                      "-o", run)
                (row,) = self.rows(result).values()
                self.assert_measured(row)
                self.assertEqual((row["kernel"]["source"], row["kernel"]["build_options"]), (str(path), options))
                self.assertEqual(row["kernel"]["local_arguments"], "20=64")
                self.assertEqual(row["kernel"]["local_arguments_taken"],
                                 ", ".join(f"argument {i + 1} (tile_of_{i}): 16 bytes" for i in range(count - 1)))
                self.assertEqual(self.run_gridlock("report", run, "--format", "json").json(), result.json())
                self.assertEqual(self.run_gridlock("resume", run).json(), result.json())
                os.remove(run)

    def test_folder_whose_name_no_compiler_takes(self):
        folder = self.folder / "my ker'nels \"#1\""
        folder.mkdir()
        (folder / "part.h").write_text(PART)
        (folder / "two words.cl").write_text(KERNELS["includes.cl"][1])
        found = self.rows(self.measure("--source", str(folder / "two words.cl")))
        self.assert_measured(found["includes", "4"])

    def test_what_is_beside_the_file_is_included(self):
        """Before what has that name in the current folder, or in one that an option names, as C has it."""
        wrong = "#error not this one\n"
        for folder, texts in (("beside", {"part.h": '#include "deep.h"\n', "deep.h": "#define DEEP 1\n"}),
                              (".", {"part.h": wrong, "deep.h": wrong, "here.h": "#define HERE 2\n"}),
                              ("named", {"part.h": wrong, "beside.cl": wrong, "there.h": "#define THERE 3\n"})):
            (self.folder / folder).mkdir(exist_ok=True)
            for name, text in texts.items():
                (self.folder / folder / name).write_text(text)
        (self.folder / "beside" / "beside.cl").write_text(
            '#include "part.h"\n # include "here.h" // or "part.h"\n#include <there.h>\n'
            "kernel void beside(global int *a) { a[get_global_id(0)] = DEEP + HERE + THERE; }\n")
        options = ("beside/beside.cl", "--build-options", "-I named")
        self.assert_measured(self.rows(self.measure("--source", *options))["beside", "4"])
        for command in (["try", *options, "-d", "model:obe:2"], ["prove", *options, "--groups", "2"]):
            with self.subTest(command[0]):
                self.run_gridlock(*command, "--local-size", "4")
        # One that is not beside it is looked for where it was.
        (self.folder / "beside" / "part.h").unlink()
        self.assertIn("not this one", self.measure("--source", *options, code=EXIT_SURPRISE).err)

    def test_macros_of_the_command_line(self):
        """They are those of the user's text, and of no other."""
        path = self.write("plain.cl", "kernel void plain(global int *a) { a[self] = board + entry; }")
        names = ("self", "board", "entry", "value", "word", "round", "group", "leader", "seen", "polls")

        def measure(names, **options):
            return self.measure("--source", path, "--build-options",
                                " ".join(f"-D{name}={i}" for i, name in enumerate(names)) + " -D fuse", **options)

        result = measure(names, code=None)
        if "opencl-c.h" in result.err:  # the driver's own header has these names, and does not build with such macros
            result = measure([name for name in names if name not in ("value", "round", "group")])
        self.assertEqual(result.code, EXIT_OK, str(result))
        self.assert_measured(self.rows(result)["plain", "4"])

    def test_versions_of_the_language(self):
        path = self.write("plain.cl", KERNELS["plain.cl"][1])
        for version in ("CL1.1", "CL1.2", "CL3.0"):
            with self.subTest(version=version):
                (row,) = self.rows(self.measure("--source", path, "--build-options", f"-cl-std={version}")).values()
                self.assert_measured(row)

    def test_standard_input(self):
        process = self.start("limits", "-d", "pocl", "--iterations", "1", "--source", "-", "--local-size", "4",
                             "--format",
                             "json", stdin=subprocess.PIPE)
        process.stdin.write(KERNELS["plain.cl"][1])
        process.stdin.close()
        process.stdin = None
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_OK, str(result))
        (row,) = self.rows(result).values()
        self.assertEqual(row["kernel"]["source"], "-")
        self.assert_measured(row)

    def test_how_many_fit_is_not_said_to_be_safe(self):
        """Not of a kernel that hangs with one group, of one that crashes, nor of one that no number of groups harms."""
        path = self.write("strangers.cl", "kernel void hangs(volatile global int *a) { while (a[0] == 0) { } }\n"
                                          "kernel void crashes(global int *a) { *(global int *)1 = a[0]; }\n"
                                          "kernel void waits_for_nobody(global int *a) { a[get_global_id(0)] = 1; }\n")
        run, header = str(self.folder / "a.run"), self.folder / "limits.h"
        result = self.measure("--source", path, "-o", run, "--emit-header", str(header))
        (device,) = result.json()["devices"]
        self.assertEqual((device["safe_groups"], device["safe_groups_footprint"]), (None, None))
        self.assertIn("whether", device["safe_groups_reason"])
        for row in device["limits"]:
            self.assert_measured(row)
        for form in ("text", "markdown", "prometheus"):
            out = self.run_gridlock("report", run, "--format", form).out
            with self.subTest(format=form):
                self.assertNotRegex(out.replace("gridlock_barrier_stalls", ""), "(?i)safe|stalls at")
        text = " ".join(self.run_gridlock("report", run).out.split())
        self.assertIn("fit do not fit", text)
        self.assertIn("whether its groups may wait for each other is another question", text)
        self.assertIn("whether they may wait", " ".join(header.read_text().split()))
        story = " ".join(self.run_gridlock("explain", run).out.split())
        self.assertIn("this is no fault of the kernel", story)
        self.assertNotIn("End the kernel at the barrier", story)

    def test_nothing_is_said_of_what_was_not_measured(self):
        result = self.run_gridlock("limits", "-d", "pocl", "--source",
                                   self.write("broken.cl", "kernel void broken(global int *a"),
                                   "--local-size", "4", code=None)
        self.assertNotRegex(result.out, "(?m)^(fit|bound|safe_groups|resident ids) ")

    def test_many_have_a_line_each(self):
        """Sizes are columns, and what cannot be measured has its reason below its kernel."""
        names = [f"filter_{i}" for i in range(12)]
        first = self.write("first.cl",
                           "".join(f"kernel void {name}(global int *a) {{ a[0] = 1; }}\n" for name in names))
        last = self.write("last.cl",
                          "kernel __attribute__((reqd_work_group_size(2, 2, 1))) void shaped(global int *a) { a[0] = "
                          "1; }\n"
                                     "kernel void " + "n" * 60 + "(global int *a) { a[0] = 1; }\n"
                                     "kernel void " + "m" * 1024 + "(global int *a) { a[0] = 1; }\n"
                                     "kernel void tiled(global int *a, local int *tile) { a[0] = tile[0]; }\n")
        run = str(self.folder / "many.run")
        printed = self.run_gridlock("limits", "-d", "pocl", "--iterations", "1", "--timeout", "600", "--source", first,
                                    last,
                                    "--local-size", "4,8", "-o", run).out
        self.assertEqual(self.run_gridlock("report", run).out, printed)
        lines = printed.splitlines()
        self.assertLessEqual(max(len(line) for line in lines if "m" * 100 not in line), 80, printed)
        heading = next(line.split() for line in lines if line.startswith("resident groups"))
        self.assertEqual(set(heading[-3:]), {"4", "8", "2x2"})
        for name in names:
            self.assertIn([name, str(THREADS), str(THREADS)], [line.split() for line in lines])
        self.assertEqual([line.split() for line in lines].count([first]), 1)
        self.assertTrue(any(line.split() == ["shaped", str(THREADS)] for line in lines), printed)
        at = next(i for i, line in enumerate(lines) if line.split() == ["tiled", str(THREADS), str(THREADS)])
        self.assertEqual(lines[at + 1:at + 3],
                         [f"    {size}  taken, because --arg does not say: argument 1 (tile): {4 * size} bytes"
                                                for size in (4, 8)])
        self.assertTrue(any(line.startswith("    4  unsupported: its name has 1024 bytes") for line in lines), printed)

    def test_ladder(self):
        path = self.write("plain.cl", KERNELS["plain.cl"][1])
        result = self.run_gridlock("limits", "-d", "pocl", "--iterations", "1", "--source", path, "--format", "json")
        self.assertEqual([group for _, group in self.rows(result)], ["64", "256", "1024"])


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.path = self.write("mine.cl", "kernel void mine(global int *a, local int *b, int c) { }")

    def refused(self, *arguments, words=(), code=EXIT_USAGE):
        result = self.run_gridlock("limits", "-d", "pocl", *arguments, code=code)
        self.assertEqual(result.out, "")
        for word in words:
            self.assertIn(word, result.err)

    def test_usage(self):
        source = ("--source", self.path)
        self.refused("--kernel", "a", words=["--kernel needs --source"])
        self.refused("--build-options", "-w", words=["--build-options needs --source"])
        self.refused("--emit-header", "x.h", words=["--emit-header needs --source"])
        self.refused("mine.cl", words=["--source measures the kernels of a file"])
        for arguments in (("--private", "4"), ("--local-memory", "4"), ("--groups", "2"), ("--estimator", "discovery")):
            self.refused(*source, *arguments, words=[arguments[0], "is not possible with --source"])
        self.refused(*source, "--kernel", "mine,yours", words=["no kernel 'yours'", "mine"])
        self.refused(*source, "--arg", "mine:0=local:4", words=["has no such local argument; it has 1 (b)"])
        self.refused(*source, "--arg", "0=local:4", words=["no kernel that is measured has such a local argument"])
        for text in ("1", "1=local", "1=local:", "1=local:0", "=local:4", ":1=local:4", "1=global:4", "1=local:4x"):
            self.refused(*source, "--arg", text, words=["--arg"])
        for text in ("0", "4x", "4x4x4x4", "x4", "driver-1d", "4,,4", ""):
            self.refused(*source, "--local-size", text, words=["--local-size", "as 64, 16x16 or 8x8x4"])
        self.refused(*source, "--local-size", "64x1024", words=["--local-size 64x1024:", "allows 1 to 4096 work-items"])
        self.refused(*source, "--build-options", "--no-such-option",
                     words=['refuses the --build-options "--no-such-option": Invalid build option: --no-such-option'])

    def test_texts_that_are_too_long(self):
        """One sentence says what is, and what is possible."""
        source = ("--source", self.path)
        self.refused(*source, "--build-options", "-w " * 6000,
                     words=["--build-options: 18000 bytes were given, and at most 16383 are"])
        self.refused("--source", "a" * 5000, words=["expected a path of 1 to 4095 bytes"])
        self.refused("--source", "a" * 3000, words=["cannot open source aaa", "aaa ... aaa", "File name too long"])
        self.refused(*source, "--kernel", "k" * 1024, words=["expected names of 1 to 1023 bytes"])
        self.refused(*source, "--arg", "b" * 128 + "=local:4",
                     words=["names of at most 127 bytes", "by its number from 0"])
        self.refused(*source, "--emit-header", "h" * 5000, words=["File name too long"])
        many = self.write("many.cl",
                          "kernel void many(" + ", ".join(f"local int *a{i}" for i in range(33)) + ") { a0[0] = 1; }\n")
        found = self.rows(self.measure("--source", many, self.path))
        self.assertEqual(found["many", "4"]["note"], "it has 33 local arguments: at most 32 are possible")
        self.assert_measured(found["mine", "4"])

    def test_other_commands_point_to_it(self):
        for command in (("run", self.path), ("run", "./mine.cl"), ("check", self.path), ("run", "nosuch.cl")):
            with self.subTest(command=command):
                self.assertIn("gridlock limits --source", self.run_gridlock(*command, code=EXIT_USAGE).err)

    def test_files(self):
        self.refused("--source", "nosuch.cl", words=["nosuch.cl"])
        self.refused("--source", str(self.folder),
                     words=[str(self.folder), "expected a file of OpenCL C, or the folder"])
        for number in (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03"):
            (self.folder / "binary.spv").write_bytes(number + b"\x00\x00\x01\x00")
            self.refused("--source", str(self.folder / "binary.spv"),
                         words=["binary.spv is SPIR-V: expected OpenCL C text",
                                "Give the OpenCL C that it was made from", "spirv-dis"])
        (self.folder / "other.bin").write_bytes(b"\x7fELF\x00\x00")
        self.refused("--source", str(self.folder / "other.bin"),
                     words=["other.bin is a binary: expected OpenCL C text"])
        self.refused("--source", self.write("nothing.cl", ""), words=["the file is empty"])
        self.refused("--source", self.write("functions.cl", "int f(int a) { return a; }\n"),
                     words=["there is no kernel in"])
        guarded = self.write("guarded.cl", "#ifdef ASKED\n__kernel void mine(void) { }\n#endif\n")
        self.refused("--source", guarded, words=["guarded.cl as it is built", "#if", "--build-options -DNAME"])
        self.assertEqual(set(self.rows(self.measure("--source", guarded, "--build-options=-DASKED"))), {("mine", "4")})
        measured = self.measure("--source", self.write("functions.cl", "int f(int a) { return a; }\n"), self.path)
        self.assertEqual(measured.err.count("there is no kernel in"), 1, str(measured))
        found = self.rows(measured)
        self.assertEqual(set(found), {("mine", "4")})
        other = self.write("other.h", "important\n")
        self.refused("--source", self.path, "--emit-header", other, words=["is no header that gridlock wrote"])
        self.assertEqual(pathlib.Path(other).read_text(), "important\n")
        before = self.run_file_paths()
        self.refused("--source", self.path, "--emit-header", "nosuch/limits.h", words=["cannot write nosuch/limits.h"])
        self.assertEqual(self.run_file_paths(), before)

    def test_source_that_does_not_build(self):
        """The driver's log has the user's own file name and line numbers; the other files are measured."""
        broken = self.write("broken.cl", "\n\nkernel void broken(global int *a)\n{\n  a[0] = nothing;\n}\n")
        result = self.measure("--source", broken, self.path, code=EXIT_SURPRISE)
        self.assertRegex(result.err,
                         rf"broken.cl does not build; the driver says:\n.*{re.escape(broken)}:5:\d+: .*nothing")
        found = self.rows(result)
        self.assertEqual(found[None, None]["not_measured_verdict"], "build-failed")
        self.assertIn("as it is does not build: the driver's compiler says CL_", found[None, None]["note"])
        self.assertNotIn("going on without", result.err)
        self.assert_measured(found["mine", "4"])

    def test_nothing_is_said_of_what_was_not_built(self):
        """Neither a size of groups, nor a launch, nor causes."""
        broken = self.write("broken.cl", "kernel void broken(global int *a) { a[0] = nothing; }\n")
        self.measure("--source", broken, "-o", "broken.gridlock", code=EXIT_SURPRISE)
        self.assertRegex(self.run_gridlock("report", "broken.gridlock", code=EXIT_SURPRISE).out, r"\n +build-failed: ")
        for format in "csv", "markdown", "prometheus":
            self.run_gridlock("report", "broken.gridlock", "--format", format, code=EXIT_SURPRISE)
        head = self.run_gridlock("explain", "broken.gridlock").out.split("\n")[0]
        self.assertRegex(head, r"^limits/\S+: build-failed$")

    def test_explain_of_what_was_not_measured(self):
        """Kernels are made to stall on purpose: what failed is told first, and a kernel is asked for by its name."""
        broken = self.write("broken.cl", "kernel void broken(global int *a) { a[0] = nothing; }\n")
        self.measure("--source", self.path, broken, "-o", "broken.gridlock", code=EXIT_SURPRISE)
        self.assertRegex(self.run_gridlock("explain", "broken.gridlock").out, r"\nlimits/\S+: build-failed\n")
        shown = self.run_gridlock("report", "broken.gridlock", "-v", code=EXIT_SURPRISE).out
        name = re.search(r"(?m)^(\S+:mine/\S+):  \d", shown)[1]  # as it is shown there
        for asked in ("mine", name, name.partition(":")[2], name.rpartition("/")[0]):
            self.assertRegex(self.run_gridlock("explain", "broken.gridlock", asked).out, r"^limits/\S+:mine/")

    def test_hints(self):
        """Each costs its own file alone, and the message says what may help, as far as that is certain."""
        uses = self.write("uses.cl", "kernel void uses(global float *a) { a[0] = gauss(a[1]); }\n")
        has = self.write("has.cl",
                         "float gauss(float x) { return x * x; }\nkernel void has(global float *a) { a[0] = "
                         "gauss(a[1]); }\n")
        calls = self.write("calls.cl", "kernel void calls(global float *a) { a[0] = nowhere(a[1]); }\n")
        other = self.write("other.cl", "#define nowhere_else 1\nkernel void other(global float *a)\n"
                                       "{ float b = a[0]; if (b > 0) a[0] = b; else nowhere: a[1] = b; }\n")
        includes = self.write("includes.cl", '#include "nosuch.h"\nkernel void includes(global float *a) { }\n')
        version = self.write("version.cl",
                             "kernel void version(global int *a) {\n#if __OPENCL_C_VERSION__ != 120\n nosuch(a);\n"
                                           "#endif\n a[0] = 1; }\n")
        hosts = {self.write(f"host{i}.cl", f"#include <{name}>\nkernel void host{i}(global float *a) {{ }}\n"): name
                 for i, name in enumerate(("vector", "stdio.h", "CL/cl.h"))}
        template = self.write("template.cl", "#include <{name}>\nkernel void templated(global float *a) { }\n")
        result = self.measure("--source", uses, has, calls, other, includes, version, template, *hosts, "--kernel",
                              "has,other,uses",
                              code=EXIT_SURPRISE)
        found = self.rows(result)
        self.assertEqual({name for name, _ in found}, {None, "has", "other"})
        self.assertIn(f"{uses}: 'gauss' is declared in {has}:", result.err)
        self.assertIn(f"cat {has} {uses} | gridlock limits --source -", result.err)
        self.assertIn(f'{includes}: it includes \'nosuch.h\', which is not beside it: name the folder by '
                      f'--build-options "-I', result.err)
        self.assertIn(f"{template}: it includes '{{name}}', which is not beside it", result.err)
        for path, name in hosts.items():
            self.assertIn(f"{path}: it includes '{name}', a header for host programs, which OpenCL C does not have",
                          result.err)
        self.assertIn(f"{version}: it builds with --build-options=-cl-std=CL1.2\n", result.err)
        self.assertNotIn(f"{calls}: ", result.err.replace("error: " + calls, ""))
        self.measure("--source", version, "--build-options=-cl-std=CL1.2")

    def build_hint(self, path, options):
        """Without what the driver says."""
        result = self.measure("--source", path, "--build-options", options, code=EXIT_SURPRISE)
        return [line for line in result.err.splitlines() if line.startswith(f"gridlock: {path}: ")]

    def test_hints_of_folders(self):
        """A file that is where --build-options say is not missed for want of a folder there."""
        path = self.write("needs.cl", '#include "far.h"\nkernel void needs(global int *a) { a[0] = FAR; }\n')
        for name in ("a b", "it's", "par(en)", "\u00fcn\u00ef"):
            folder = self.folder / name
            folder.mkdir()
            (folder / "far.h").write_text("#define FAR 1\n")
            with self.subTest(name=name):
                (hint,) = self.build_hint(path, f'-DX=1 -I "{folder}" -w')
                self.assertIn(f"'far.h' is in the folder '{folder}', but this driver takes no -I with quotation marks",
                              hint)
                if " " not in name:
                    self.measure("--source", path, "--build-options", f"-I {folder}")
        for options in ("-I nosuch", '-I "nosuch"', "-Inosuch"):
            with self.subTest(options=options):
                self.assertEqual([line for line in self.build_hint(path, options) if "beside it, nor in a folder that "
                                  "--build-options name" not in line], [])
        (hint,) = self.build_hint(path, "-w")
        self.assertNotIn("nor in", hint)

    def test_hints_of_who_includes(self):
        """Which may be a file of the user's, or of the driver's."""
        self.write("between.h", "#include <stdio.h>\n")
        self.write("other.h", "#include <gone.h>\n")
        for name, words in (("between.h", "between.h includes 'stdio.h', a header for host programs"),
                            ("other.h", "other.h includes 'gone.h', which is not beside it: name the folder")):
            path = self.write("who.cl", f'#include "{name}"\nkernel void who(global int *a) {{ }}\n')
            with self.subTest(name=name):
                (hint,) = self.build_hint(path, "-w")
                self.assertIn(words, hint)

    def test_hints_of_languages(self):
        for text, language in (("__global__ void add(int *a) { a[threadIdx.x] = 1; }\n", "CUDA"),
                               (".version 7.0\n.target sm_70\n.address_size 64\n", "PTX"),
                               ("; SPIR-V\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n", "SPIR-V"),
                               ("#version 450\nvoid main() { uint i = gl_GlobalInvocationID.x; }\n", "GLSL"),
                               ('source_filename = "a"\ntarget triple = "spir64"\n', "LLVM")):
            path = self.write("foreign.cl", text)
            with self.subTest(language=language):
                (hint,) = self.build_hint(path, "-w")
                self.assertRegex(hint, f"it has '.*' in it, as {language}.* has: expected OpenCL C$")

    def test_lines_fit_a_terminal(self):
        """Also of what was not measured, and of what was taken for arguments."""
        path = self.write("wide.cl", "kernel void wide(" + ", ".join(f"local int *argument_{i}" for i in range(9))
                          + ") { argument_0[0] = 1; }\nkernel void big(local int *a) { local int b[1 << 20]; b[a[0]] = "
                            "1; barrier(1); a[0] = b[1]; }\n")
        self.measure("--source", path, self.path, "-o", self.folder / "wide.run", code=None)
        out = self.run_gridlock("report", self.folder / "wide.run", code=None).out
        self.assertIn("argument 8 (argument_8): 16 bytes", " ".join(out.split()))
        self.assertRegex(" ".join(out.split()), "unsupported: [0-9]+ bytes of local memory")
        self.assertEqual([line for line in out.splitlines() if len(line) > 80], [])

    def test_what_cannot_be_made_up(self):
        """Where the driver knows pipes or event_t as arguments at all."""
        path = self.write("pipes.cl", "kernel void piped(read_only pipe int p, global int *a) { }\n"
                                      "kernel void plain(global int *a) { }")
        result = self.measure("--source", path, "--build-options", "-cl-std=CL2.0", code=None)
        if "does not build" in result.err:
            self.skipTest("this driver knows no pipes")
        found = self.rows(result)
        self.assertEqual(found["piped", "4"]["note"], "argument 0 (p) is a pipe, which cannot be made up")
        self.assert_measured(found["plain", "4"])

    def test_images_that_the_driver_lacks(self):
        path = self.write("depth.cl", "#pragma OPENCL EXTENSION cl_khr_depth_images : enable\n"
                                      "kernel void deep(read_only image2d_depth_t a, global int *b) { }\n"
                                      "kernel void plain(global int *a) { }")
        result = self.measure("--source", path, code=None)
        found = self.rows(result)
        if result.code != EXIT_OK or found["deep", "4"]["resident"] is not None:
            self.skipTest("this driver builds no kernels with depth images, or has them")
        self.assertEqual(found["deep", "4"]["not_measured_verdict"], "unsupported")
        self.assertRegex(found["deep", "4"]["note"], "^argument 0 .a. is image2d_depth_t, which the driver lacks: CL_")
        self.measure("--source", path, "--kernel", "deep", code=EXIT_UNSUPPORTED)

    def test_way_that_is_none(self):
        """The driver was given nothing, and so nothing is said of it, nor of what it may do without."""
        path, run = self.write("whole.cl", KERNELS["whole.cl"][1]), str(self.folder / "a.run")
        result = self.measure("--source", path, self.path, "--entry", "insert", "-o", run)
        row = self.rows(result)["whole_int", "4"]
        self.assertEqual(row["not_measured_verdict"], "unsupported")
        self.assertRegex(row["note"],
                         "^the driver was given nothing to build: .*head is not found.*; --entry call does without$")
        self.assertNotIn("going on without", result.err)
        self.assertNotIn("left out", self.run_gridlock("report", run).out)
        (trial,) = [name for name in self.trials(run) if ":whole_int/" in name]
        story = " ".join(self.run_gridlock("explain", f"{run}:{trial}").out.split())
        self.assertIn("Nothing was launched: the driver was given nothing to build", story)
        self.assertRegex(story, "Repeat it .*--entry insert.* --kernel whole_int ")
        self.assert_measured(self.rows(result)["mine", "4"])
        self.measure("--source", path, "--entry", "insert", code=EXIT_UNSUPPORTED)
        self.assert_measured(self.rows(self.measure("--source", path, "--entry", "call"))["whole_int", "4"])

    def test_long_names(self):
        """What a driver makes of it is the driver's: PoCL makes it the name of a file."""
        names = ["k" * 200 + end for end in ("", "a", "b")]
        path = self.write("long.cl", "".join(f"kernel void {name}(global int *a) {{ }}\n"
                                             for name in [*names, "k" * 1024]))
        found = self.rows(self.measure("--source", path))
        for name in names:
            self.assert_measured(found.pop((name, "4")))
        (row,) = found.values()
        self.assertEqual(row["note"], "its name has 1024 bytes: at most 1023 are possible")

    def test_no_such_device(self):
        self.run_gridlock("limits", "-d", "nosuch", "--source", self.path, code=EXIT_NO_DEVICE)


class RunFile(Case):
    def setUp(self):
        super().setUp()
        self.path = self.write("mine.cl", "kernel void mine(global int *a, local int *b) { a[0] = b[0]; }\n"
                                          "kernel void other(global int *a) { a[0] = 1; }")
        self.run = str(self.folder / "a.run")
        self.first = self.measure("--source", self.path, "--arg", "mine:b=local:64", "-o", self.run)

    def test_reports_have_each_kernel(self):
        self.assertEqual(self.run_gridlock("report", self.run, "--format", "json").json(), self.first.json())
        for form in ("text", "csv", "junit", "tap", "markdown", "prometheus", "lava", "jsonl"):
            with self.subTest(format=form):
                out = self.run_gridlock("report", self.run, "--format", form).out
                self.assertIn("mine", out)
                self.assertIn("other", out)

    def test_files_of_one_name_are_told_apart(self):
        """In the formats that show no path, and whatever the folders are called."""
        folders = ["a|b", 'one, "two" *']
        text = "kernel void alike(global int *a) { }"
        for folder in folders:
            (self.folder / folder).mkdir(parents=True)
        files = [self.write(f"{folder}/same.cl", text) for folder in folders]
        run, header = str(self.folder / "same.run"), str(self.folder / "same.h")
        self.measure("--source", *files, "-o", run, "--emit-header", header)
        for form in ("junit", "tap", "markdown", "lava", "prometheus"):
            with self.subTest(format=form):
                lines = [line for line in self.run_gridlock("report", run, "--format", form).out.splitlines()
                         if "alike" in line]
                self.assertEqual(len(set(line.split("time=")[0] for line in lines)), len(lines), lines)
        labels = r'[a-z_]+="(\\.|[^"\\])*"'
        for line in self.run_gridlock("report", run, "--format", "prometheus").out.splitlines():
            self.assertRegex(line, rf"^(#.*|[a-z_]+\{{{labels}(,{labels})*\}} [0-9.]+)$")
        self.assertIn(f"GRIDLOCK_SAME_ALIKE_4_NO2 {THREADS} /* {files[1].replace('*/', '?/')}: alike */\n",
                      pathlib.Path(header).read_text())

    def test_resume_knows_the_source(self):
        self.assertEqual(self.run_gridlock("resume", self.run).json(), self.first.json())
        self.write("mine.cl", "kernel void mine(global int *a, local int *b) { a[0] = 2; }")
        self.assertIn("has changed since this run began", self.run_gridlock("resume", self.run, code=EXIT_USAGE).err)

    def test_run_of_another_machine(self):
        """Its sources, and what they are built with, are named again."""
        run = str(self.folder / "b.run")
        self.measure("--source", self.path, "--kernel", "other", "--build-options", "-DN=1", "-o", run)
        connection = sqlite3.connect(run)
        connection.execute("UPDATE run SET origin = '0123456789abcdef'")
        connection.commit()
        connection.close()
        result = self.run_gridlock("resume", run, code=EXIT_USAGE)
        self.assertIn(f"gridlock resume RUN {self.path} --build-options=-DN=1", result.err)
        self.run_gridlock("resume", run, self.path, code=EXIT_USAGE)
        self.run_gridlock("resume", run, self.path, "--build-options=-DN=2", code=EXIT_USAGE)
        self.run_gridlock("resume", run, self.path, "--build-options=-DN=1")

    def test_compare_and_explain(self):
        second = str(self.folder / "b.run")
        self.measure("--source", self.path, "--arg", "mine:b=local:64", "-o", second, POCL_MAX_PTHREAD_COUNT=3)
        result = self.run_gridlock("compare", self.run, second, code=None)
        self.assertIn("mine.cl:mine/l4", result.out)
        out = self.run_gridlock("explain", self.run).out
        self.assertIn("--source " + self.path, " ".join(out.split()))
        self.assertIn("--kernel mine --local-size 4 --entry insert --arg 1=local:64", " ".join(out.split()))


class Header(Case):
    PROGRAM = r"""#include "HEADER"
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **arguments)
{
    static char text[65536];
    const char *source = text;
    cl_platform_id platform;
    cl_device_id device;
    cl_int code = 0;
    FILE *file = fopen(arguments[1], "r");
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    clBuildProgram(program, 1, &device, arguments[2], NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, arguments[3], &code);
    if (count > 7)
        clSetKernelArg(kernel, 1, (size_t)atoi(arguments[7]), NULL);
    for (size_t groups = 1; groups <= 3; ++groups)
        printf("%d", gridlock_groups_fit(kernel, device, (size_t)atoi(arguments[4]), (size_t)atoi(arguments[5]),
                                         (size_t)atoi(arguments[6]), groups));
    return 0;
}
"""

    def compiled(self, header, plus_plus=False):
        """Without a warning as C, and as C++ if there is a compiler for that."""
        program = str(self.folder / "program")
        source = self.write("program.c", self.PROGRAM.replace("HEADER", header))
        strict = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic"]
        subprocess.run(["cc", "-std=c99", *strict, "-o", program, source, "-lOpenCL"], check=True)
        if plus_plus and shutil.which("c++") is not None:
            subprocess.run(["c++", "-x", "c++", "-std=c++11", *strict, "-fsyntax-only", source], check=True)
        return program

    def ask(self, program, path, options, kernel, *size, processors=None, **variables):
        """Whether 1, 2 and 3 groups fit."""
        affinity = None if processors is None else lambda: os.sched_setaffinity(0, processors)
        return subprocess.run([program, path, options, kernel, *size], check=True, capture_output=True, text=True,
                              preexec_fn=affinity,
                              env=self.environment(**{"POCL_MAX_PTHREAD_COUNT": THREADS, **variables})).stdout

    def test_constants_have_different_names(self):
        """Also where a kernel's name looks like another's with a number behind it."""
        header = str(self.folder / "alike.h")
        path = self.write("h.cl", "".join(f"kernel void {name}(global int *a) {{ }}\n" for name in ("a", "A", "a_4")))
        self.measure("--source", path, "--emit-header", header, sizes="4,2")
        names = re.findall(r"#define (GRIDLOCK_H_\w+)", pathlib.Path(header).read_text())
        self.assertEqual(len(set(names)), 6, names)

    def test_header(self):
        header = str(self.folder / "limits.h")
        path = self.write("my-file.cl", "kernel void mine(global int *a) { }\nkernel void other(global int *a) { }")
        self.measure("--source", path, "--emit-header", header, sizes="4,2x2")
        text = pathlib.Path(header).read_text()
        for name in ("MINE_4", "OTHER_2X2"):
            self.assertIn(f"#define GRIDLOCK_MY_FILE_{name} {THREADS}\n", text)
        program = self.compiled(header, plus_plus=True)
        for kernel, size, answer in (("mine", "4 1 1", "110"), ("mine", "2 2 1", "110"), ("other", "2 2 1", "110"),
                                     ("mine", "8 1 1", "000"), ("mine", "2 1 2", "000")):
            self.assertEqual(self.ask(program, path, "", kernel, *size.split()), answer, (kernel, size))
        # A header of its own is replaced.
        self.measure("--source", path, "--kernel", "mine", "--emit-header", header, POCL_MAX_PTHREAD_COUNT=1)
        self.assertIn("#define GRIDLOCK_MY_FILE_MINE_4 1\n", pathlib.Path(header).read_text())

    def test_header_says_no_under_other_conditions(self):
        header = str(self.folder / "limits.h")
        path = self.write("h.cl", "kernel void mine(global int *a, local int *b) { a[0] = b[X]; }")
        other = self.write("other.cl", "kernel void mine(global int *a, local int *b) { a[0] = b[X]; } ")
        options = "-cl-std=CL1.2 -DX=0"
        result = self.measure("--source", path, "--build-options", options, "--emit-header", header)
        asked, size = self.compiled(header), ("4", "1", "1", "16")
        if not self.driver_tells_local_memory():
            self.assertEqual(self.ask(asked, path, options, "mine", *size), "000")
            self.skipTest("this driver does not tell the local memory of kernels, so that all is in doubt")
        self.assertEqual(self.ask(asked, path, options, "mine", *size), "110")
        self.assertEqual(self.ask(asked, path, " -cl-std=CL1.2   -DX=0 ", "mine", *size), "110")
        self.assertEqual(self.ask(asked, path, options, "mine", *size, POCL_MAX_PTHREAD_COUNT=1), "000")
        self.assertEqual(self.ask(asked, path, options, "mine", *size, LP_NUM_THREADS=1), "000")
        self.assertEqual(self.ask(asked, path, "-DX=0", "mine", *size), "000")
        self.assertEqual(self.ask(asked, other, options, "mine", *size), "000")
        self.assertEqual(self.ask(asked, path, options, "mine", "4", "1", "1", "4096"), "000")
        own = os.sched_getaffinity(0)
        if len(own) > 1:
            self.assertEqual(self.ask(asked, path, options, "mine", *size, processors={min(own)}), "000")
        text = pathlib.Path(header).read_text()
        device, = result.json()["devices"]
        row, = re.findall(r"\d+, \d+, \d+, \d+\},\n    \};\n    char owner", text)
        for number in range(3):  # compute units, the largest group, local memory
            numbers = row.split(",")
            numbers[number] = f" {int(numbers[number]) + 1}"
            pathlib.Path(header).write_text(text.replace(row, ",".join(numbers)))
            self.assertEqual(self.ask(self.compiled(header), path, options, "mine", *size), "000", number)
        for said in (device["name"], device["platform"], device["driver_version"]):
            self.assertIn(f'"{said}"', text)
            pathlib.Path(header).write_text(text.replace(f'"{said}"', f'"{said}."'))
            self.assertEqual(self.ask(self.compiled(header), path, options, "mine", *size), "000", said)


if __name__ == "__main__":
    gridlock_test.main()
