"""Bad input: the exit status says whose fault it is, one sentence says what is wrong, and stdout stays empty."""
import os
import pathlib
import re
import threading
import unittest

import gridlock_test
from gridlock_test import EXIT_NO_DEVICE, EXIT_USAGE


class Refusals(gridlock_test.Case):
    def refused(self, *arguments, code=EXIT_USAGE, words=(), **variables):
        result = self.run_gridlock(*arguments, code=code, **variables)
        self.assertEqual(result.out, "", str(result))
        self.assert_sentence(result.err, *words)
        return result


class Arguments(Refusals):
    # What is refused, and words that the sentence must hold.
    LIMITS = [
        (["--nosuch"], "--nosuch"),
        (["extra"], "extra"),
        (["--groups"], "--groups"),
        (["--groups", "0"], "--groups 0"),
        (["--groups", "-1"], "--groups -1"),
        (["--groups", "99999999999999999999"], "--groups 99999999999999999999"),
        (["--groups", "1048577"], "--groups 1048577"),
        (["--groups", "1048576", "--local-size", "4096"], "at most"),
        (["--groups", "1,,2"], "--groups"),
        (["--groups", ","], "--groups"),
        (["--groups", ",".join(str(n) for n in range(1, 40))], "at most"),
        (["--local-size", "0"], "--local-size 0"),
        (["--local-size", "5000"], "4096"),
        (["--local-size", "abc"], "--local-size abc"),
        (["--local-size", ""], "--local-size"),
        (["--local-size", "1x"], "--local-size 1x"),
        (["--source", "x.cl", "--local-size", "65537"], "at most 65536"),
        (["--local-size", "0x10"], "--local-size 0x10"),
        (["--local-size", " 1"], "--local-size"),
        (["--private", "3"], "multiple of 4"),
        (["--local-memory", "-1"], "--local-memory -1"),
        (["--local-memory", "4294967295"], "--local-memory 4294967295"),
        (["--grid", "--local-size", "1,2,3,4,5"], "at most 60 footprints are allowed"),
        (["--grid", "--source", "x.cl"], "--grid is not possible with --source"),
        (["--iterations", "0"], "--iterations 0"),
        (["--stall-budget", "0"], "--stall-budget 0"),
        (["--format", "xml"], "--format xml"),
        (["--channel", "foo"], "--channel foo"),
        (["--estimator", "foo"], "--estimator foo"),
        (["--estimator", "census,"], "--estimator"),
        (["--timeout", "0"], "--timeout 0"),
        (["--timeout", "1.5"], "--timeout 1.5"),
        (["--build-timeout", "0"], "--build-timeout 0"),
        (["--live=foo"], "--live=foo"),
        (["--icd", ""], "--icd"),
        (["-d"], "requires an argument"),
    ]

    def test_limits(self):
        for arguments, word in self.LIMITS:
            with self.subTest(arguments=arguments):
                before = self.run_file_paths()
                self.refused("limits", "-d", "pocl", *arguments, words=[word])
                self.assertEqual(self.run_file_paths(), before, "nothing ran, but a run file was left")

    def test_expressions(self):
        """However an expression comes in, one that would cost much is refused before it does."""
        hostile = ["k" + 27 * "+", "(((k{1,200}){1,200}){1,200})", "(a)\\1", "(" * 100000, "(a"]
        limited = ["prlimit", "--cpu=20"]
        for expression in hostile:
            path = self.folder / "list"
            path.write_text(expression[:1000] + "\n")
            for option, argument in (("-t", expression), ("-x", expression), ("--skips", path), ("--flakes", path)):
                with self.subTest(option=option, expression=expression[:40]):
                    self.refused("run", "-d", "pocl", option, str(argument), before=limited,
                                 words=["cannot parse the extended regular expression", expression[:40]])

    def test_files_that_never_end(self):
        """A pipe without a writer, and devices: refused at once, whatever the file is for."""
        pipe = self.folder / "pipe.ini"
        os.mkfifo(pipe)
        (self.folder / "kernels").mkdir()
        os.mkfifo(self.folder / "kernels" / "barrier_central.cl")
        (self.folder / "own.ini").write_text(gridlock_test.scenario_text("pipe"))
        os.mkfifo(self.folder / "pipe.cl")
        commands = [["check", "own.ini"], ["run", "own.ini"],
                    ["run", "barrier_central", "--kernel-dir", str(self.folder / "kernels")]]
        for file in (str(pipe), "/dev/zero"):
            commands += [["run", "--skips", file], ["run", "--flakes", file], ["run", "--baseline", file],
                         ["progress", "--tests", file], ["report", file], ["resume", file], ["explain", file],
                         ["compare", file, file], ["merge", "-o", "new", file]]
        commands += [["run", str(pipe)], ["check", str(pipe)]]
        for command in commands:
            with self.subTest(command=command):
                self.refused(*command, words=["not a regular file"])

    def test_devices(self):
        for arguments in (["--nosuch"], ["extra"], ["--format", "xml"], ["--channel", "foo"], ["--timeout", "0"]):
            with self.subTest(arguments=arguments):
                self.refused("devices", *arguments, words=[arguments[-1]])

    def test_options_before_the_command(self):
        """It is said where they belong, unless it is not plain which word is the command."""
        for arguments, meant in ((["--device", "pocl", "limits"], "gridlock limits --device pocl"),
                                 (["-q", "run", "lock_tas", "-d", "basic"], "gridlock run -q lock_tas -d basic"),
                                 (["--format=json", "report", "a b"], "gridlock report --format=json 'a b'")):
            with self.subTest(arguments=arguments):
                result = self.refused(*arguments, words=["expected the command first"])
                self.assertTrue(result.err.endswith(f": {meant}\n"), result.err)
        for arguments in (["--device", "pocl"], ["-o", "run", "limits"], ["--worker", "worker"]):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, words=["expected a command before option", "--help"])
        self.refused("--verison", words=["did you mean '--version'?"])

    def test_options_of_other_commands(self):
        """It is said whose they are, in one sentence; not of one that nobody has, nor where something else is wrong."""
        for arguments, said in ((["limits", "--schedule", "x"],
                                 "gridlock limits: --schedule is an option of gridlock run"),
                                (["demo", "--schedule=x"], "gridlock demo: --schedule is an option of gridlock run"),
                                (["run", "lock_tas", "--ignore", "0"],
                                 "gridlock run: --ignore is an option of gridlock prove"),
                                (["list", "--against", "x"], "gridlock list: --against is an option of gridlock "
                                                             "limits, run, progress, audit, prove, try and replay")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.refused(*arguments).err, f"{said}\n")
        for arguments in (["limits", "--nosuch"], ["run", "--schedule"], ["run", "--shorten=x"]):
            with self.subTest(arguments=arguments):
                self.assertNotIn("is an option of", self.refused(*arguments).err)

    def test_commands(self):
        self.refused("nosuch", words=["nosuch", "--help"])
        self.refused("", words=["--help"])
        self.refused("--nosuch", words=["--help"])
        self.refused("worker", words=["worker"])
        self.refused("version", "--nosuch", words=["version", "no arguments"])
        self.refused("--version", "more", words=["version", "no arguments"])
        self.assertNotIn("\033", self.refused("a\033[31mred", words=["a?[31mred"]).err)

    def test_text_alone(self):
        for arguments in (["list", "--kernels"], ["audit", "--list"], ["run", "--dry-run"]):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, "--format", "json", words=[f"{arguments[1]} prints text"])
        self.refused("list", "--kernels", "lock_tas", words=["--kernels lists all kernels"])

    def test_kernel_folder(self):
        file = self.folder / "file"
        file.write_text("")
        self.refused("run", "-d", "pocl", "--kernel-dir", str(file), words=["Not a directory"])

    def test_what_was_meant(self):
        for arguments, meant in ((["limts"], "limits"), (["comapre", "a", "b"], "compare"),
                                 (["help", "reprot"], "report"),
                                 (["run", "--devcie=pocl"], "--device"),
                                 (["compare", "a", "b", "--stirct"], "--strict"),
                                 (["resume", "--quite", "a"], "--quiet"),
                                 (["run", "barier_central"], "barrier_central"),
                                 (["list", "lock_tsa"], "lock_tas"), (["help", "stravd"], "starved")):
            with self.subTest(arguments=arguments):
                result = self.refused(*arguments, words=[f"did you mean '{meant}'?"])
                self.assertEqual(result.err.count("did you mean"), 1)

    def test_what_is_no_scenario(self):
        """A folder, a run file and any other file, unless a scenario may have been meant."""
        (self.folder / "folder").mkdir()
        (self.folder / "barrier").mkdir()
        (self.folder / "a.run").write_bytes(b"SQLite format 3\0")
        for command in ("run", "list"):
            for name, what in (("folder", "a folder"), ("a.run", "a file")):
                with self.subTest(command=command, name=name):
                    self.refused(command, name, words=[f"{name} is {what} and no scenario", "gridlock list", ".ini"])
            self.refused(command, "barrier", words=["did you mean 'barrier_*'?"])
            self.refused(command, "", words=['unknown scenario ""'])

    def test_usage_is_a_line_of_its_own(self):
        """Below what is wrong, which may hold what a user wrote."""
        for arguments in (["demo", "a\033b"], ["devices", "a"], ["compare", "a"], ["merge", "a"], ["resume"], ["check"],
                          ["report", "a", "b"], ["explain", "a", "b", "c"]):
            with self.subTest(arguments=arguments):
                lines = self.refused(*arguments).err.splitlines()
                self.assertEqual(len(lines), 2, lines)
                self.assertRegex(lines[0], f"^gridlock {arguments[0]}: ")
                self.assertRegex(lines[1], f"^Try `gridlock {arguments[0]} --help'")

    def test_options_for_the_compiler(self):
        """Where it can be given some, it is said how; elsewhere, and behind --build-options, nothing is."""
        for word in ("-DN=16", "-I.", "-cl-std=CL2.0", "-w"):
            for arguments in (["limits", word], ["limits", "--source", "a.cl", word], ["resume", word, "a.run"]):
                with self.subTest(arguments=arguments):
                    self.refused(*arguments, words=[f"--build-options='{word}'"])
        for words, whole in (("-D N=16", "-D N=16"), ("-D N=16 -I dir -cl-std=CL2.0", "-D N=16 -I dir -cl-std=CL2.0"),
                             ("-I dir a.cl", "-I dir"), ("-DNAME -q", "-DNAME"), ("-D", "-D")):
            with self.subTest(words=words):
                self.refused("limits", "--source", "a.cl", *words.split(), words=[f"--build-options='{whole}'\n"])
        for arguments in (["run", "-DN=16"], ["limits", "--build-options", "-DN=16"],
                          ["limits", "--build-options=-DN=16", "-Z"],
                          ["limits", "--nosuch"]):
            with self.subTest(arguments=arguments):
                self.assertNotIn("compiler", self.refused(*arguments).err)

    def test_a_beginning(self):
        """Of several names: a pattern where one can be given, else some of them; of one, this one."""
        for arguments, meant in ((["run", "barrier"], "'barrier_*'"), (["list", "philosophers"], "'philosophers_*'"),
                                 (["run", "mutan"], "'mutan*'"), (["run", "barrier_cen"], "'barrier_central'"),
                                 (["lim"], "'limits'"), (["repo", "x"], "'report'"),
                                 (["help", "stall"], "'stall budget' or 'stalled'"),
                                 (["audit", "--promise", "group-size-reg"], "'group-size-registers'"),
                                 (["audit", "--promise", "svm"],
                                  "'svm-coarse', 'svm-fine' or another one that begins so")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, words=[f"did you mean {meant}?"])

    def test_nothing_near_was_meant(self):
        """An abbreviation is no mistake, nor is what stands for something else."""
        for arguments in (["x"], ["worker"], [""], ["run", ""], ["run", "--zzzzzzzz"], ["run", "zzzzzzzz"],
                          ["run", "--devic=pocl", "--seed=x"],
                          ["run", "--seed=x", "--", "--devcie"]):
            with self.subTest(arguments=arguments):
                self.assertNotIn("did you mean", self.refused(*arguments).err)

    def test_no_command(self):
        result = self.run_gridlock(code=EXIT_USAGE)
        self.assertEqual(result.out, "")
        self.assertTrue(result.err.startswith("Usage: gridlock COMMAND"), result.err)

    def test_unknown_device(self):
        for command in ("limits", "devices"):
            result = self.refused(command, "-d", "nosuch", code=EXIT_NO_DEVICE, words=['"nosuch"', "available: "],
                                  POCL_DEVICES="basic")
            self.assertRegex(result.err, "basic|cpu-minimal")

    def test_lines_fit_a_terminal(self):
        for arguments in (["--help"], ["run", "--help"], ["list"], ["list", "--kernels"], ["help", "words"]):
            with self.subTest(arguments=arguments):
                lines = self.run_gridlock(*arguments).out.splitlines()
                self.assertEqual([line for line in lines if len(line) > 80], [])

    def test_help_is_no_error(self):
        for arguments in (["--help"], ["--version"], ["limits", "--help"], ["devices", "--help"], ["version"],
                          ["help", "-h"]):
            with self.subTest(arguments=arguments):
                result = self.run_gridlock(*arguments)
                self.assertEqual(result.err, "")
                self.assertIn("gridlock", result.out)
        for short, long in ((["-h"], ["--help"]), (["-V"], ["--version"]), (["run", "-h"], ["run", "--help"]),
                            (["version"], ["--version"]),
                            (["help", "run"], ["run", "--help"])):
            self.assertEqual(self.run_gridlock(*short).out, self.run_gridlock(*long).out, short)


class Words(Refusals):
    """"help WORD": of the page of words what explains it."""

    def told(self, *words):
        return self.run_gridlock("help", *words).out

    def test_each_term(self):
        page = self.told("words")
        terms = re.findall(r"(?m)^([a-z].*)\n((?: {4}.*\n)+)", page)
        self.assertGreater(len(terms), 40)
        for line, meaning in terms:
            for term in line.split(", "):
                with self.subTest(term=term):
                    told = self.told(term)
                    self.assertIn(f"{line}\n{meaning}", told)
                    self.assertEqual(told, self.told(term.upper().replace(" ", "-")))
                    self.assertEqual(told, self.told(*term.split()))

    def test_under_its_heading(self):
        self.assertEqual(self.told("starved"),
                         "VERDICTS\n\nstarved\n    It stalled: a chain of waits ends in a group that "
                         "never started.\n")
        self.assertEqual(re.findall(r"(?m)^\S.*", self.told("livelock")),
                         ["VERDICTS", "livelock", "CAUSES", "loop-cut, livelock"])

    def test_names_that_an_entry_explains(self):
        for word, term in (("cl12", "dialect"), ("queue", "channel"), ("OBE", "progress model"),
                           ("hsa_obe", "progress model"),
                           ("round-robin", "mapping"), ("census", "estimator")):
            with self.subTest(word=word):
                self.assertEqual(re.findall(r"(?m)^[a-z].*", self.told(word)), [term])

    def test_commands_come_first(self):
        self.assertEqual(self.told("run"), self.run_gridlock("run", "--help").out)

    def test_page_and_more(self):
        self.refused("help", "words", "nosuch", words=['no help on "words nosuch"'])

    def test_unknown(self):
        for word in ("nosuch", "the", "GROUPS THAT", "a\033[31mred"):
            with self.subTest(word=word):
                self.assertNotIn("\033", self.refused("help", word, words=["no help on", '"gridlock help words"']).err)


class Files(Refusals):
    def limits_refused(self, *arguments, **options):
        return self.refused("limits", "-d", "pocl", "--local-size", "1", *arguments, **options)

    def test_existing_run_file(self):
        path = self.folder / "existing"
        path.write_text("mine\n")
        self.limits_refused("-o", str(path), words=[str(path), "exists"])
        self.assertEqual(path.read_text(), "mine\n")

    def test_run_file_in_missing_folder(self):
        path = self.folder / "missing" / "run"
        self.limits_refused("-o", str(path), words=[str(path), "No such file"])
        self.assertFalse(path.parent.exists())

    def test_run_file_that_is_a_folder(self):
        self.limits_refused("-o", str(self.folder), words=[str(self.folder)])

    def test_run_file_without_a_name(self):
        self.limits_refused("-o", "")

    def test_run_file_is_not_standard_output(self):
        for arguments in (("limits",), ("run",), ("progress",), ("merge", str(self.folder / "run"))):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, "-o", "-", words=["-o -", "standard output", "./-"])
                self.assertFalse((self.folder / "-").exists())
        self.run_gridlock("progress", "-d", "model:fair", "--iterations", "1", "-o", "./-")
        self.assertTrue((self.folder / "-").exists())

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_run_file_in_read_only_folder(self):
        folder = self.folder / "read-only"
        folder.mkdir(mode=0o500)
        self.limits_refused("-o", str(folder / "run"), words=[str(folder), "Permission denied"])

    def test_state_folder_that_is_a_file(self):
        self.state.write_text("mine\n")
        self.limits_refused(words=[str(self.state)])

    def test_missing_kernel_folder(self):
        path = self.folder / "missing"
        result = self.run_gridlock("limits", "-d", "pocl", "--kernel-dir", str(path), code=None)
        self.assertNotEqual(result.code, 0, str(result))
        self.assert_sentence(result.err, str(path))
        self.assertEqual(result.out, "")
        sentences = [line for line in result.err.splitlines() if str(path) in line]
        self.assertEqual(len(sentences), 1, f"it is said more than once: {result.err}")


class Drivers(Refusals):
    def no_device(self, *arguments, words=(), **variables):
        for command in ("limits", "devices"):
            with self.subTest(command=command):
                self.refused(command, *arguments, code=EXIT_NO_DEVICE, words=["no OpenCL device", *words], **variables)
                self.assertEqual(self.run_file_paths(), [])

    def vendors(self, **files):
        folder = self.folder / "vendors"
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.icd").write_text(text)
        return folder

    def test_no_driver(self):
        folder = self.vendors()
        self.no_device(words=[str(folder), "install a driver"], OCL_ICD_VENDORS=folder)

    def test_missing_library(self):
        folder = self.vendors(missing="/nonexistent/libmissing.so\n")
        self.no_device(words=["missing.icd", "/nonexistent/libmissing.so", "No such file"], OCL_ICD_VENDORS=folder)

    def test_empty_icd_file(self):
        folder = self.vendors(empty="")
        self.no_device(words=["empty.icd", "does not name a library"], OCL_ICD_VENDORS=folder)

    def test_library_that_is_no_driver(self):
        folder = self.vendors(other="libm.so.6\n")
        self.no_device(words=["other.icd", "not an OpenCL driver"], OCL_ICD_VENDORS=folder)

    def test_missing_icd(self):
        self.no_device("--icd", "/nonexistent.so", words=["/nonexistent.so", "No such file"])

    def test_icd_that_is_here(self):
        """Without a slash it is looked for among the system's libraries alone."""
        (self.folder / "here.so").write_text("")
        self.no_device("--icd", "here.so",
                       words=["here.so", "No such file", "(the file that is here is named by ./here.so)"])

    def test_icd_that_is_a_text_file(self):
        path = self.folder / "text.so"
        path.write_text("no library\n")
        self.no_device("--icd", str(path), words=[str(path)])

    def check_unopened(self, run):
        """Calls run(PIPE): nobody opens the pipe, since that would wait for ever."""
        pipe = self.folder / "pipe.icd"
        os.mkfifo(pipe)
        opened = []
        writer = threading.Thread(target=lambda: opened.append(os.open(pipe, os.O_WRONLY)))
        writer.start()
        try:
            run(pipe)
            self.assertEqual(opened, [])
        finally:
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            writer.join()
            for descriptor in (reader, *opened):
                os.close(descriptor)
            pipe.unlink()

    def test_pipe_is_no_driver(self):
        words = ["it is not a regular file"]
        def no_driver(*arguments, **variables):
            for command in ("limits", "devices"):
                result = self.refused(command, *arguments, code=EXIT_NO_DEVICE, words=words, **variables)
                self.assertEqual(result.err.count("\n"), 1, result.err)
        self.check_unopened(lambda pipe: no_driver("--icd", str(pipe)))
        self.check_unopened(lambda pipe: no_driver(OCL_ICD_VENDORS=pipe))

    @gridlock_test.needs_driver("pocl")
    def test_driver_beside_what_is_none(self):
        """A pipe, a device, a folder or a huge file among the .icd files, or named by one, is told of; the others
        load."""
        folder = self.vendors(good=gridlock_test.registered_library("pocl") + "\n", named=f"{self.folder}/pipe.icd\n")
        (folder / "pipe.icd").symlink_to(self.folder / "pipe.icd")
        (folder / "device.icd").symlink_to("/dev/zero")
        (folder / "folder.icd").mkdir()
        with (folder / "huge.icd").open("wb") as file:
            file.truncate(1 << 40)
        def listed(_):
            report = self.run_gridlock("devices", "--format", "json", OCL_ICD_VENDORS=folder, code=0).json()
            self.assertEqual(len(report["devices"]), 1)
            self.assertEqual({pathlib.Path(driver["file"]).name: "regular" in driver["reason"]
                              for driver in report["drivers_not_loaded"]},
                             {"device.icd": True, "folder.icd": False, "huge.icd": False, "named.icd": True,
                              "pipe.icd": True})
        self.check_unopened(listed)

    @gridlock_test.needs_driver("rusticl")
    def test_rusticl_that_is_not_enabled(self):
        icd = gridlock_test.VENDORS / "rusticl.icd"
        self.no_device(words=["platforms without a device: rusticl", "RUSTICL_ENABLE="], OCL_ICD_VENDORS=icd)
        err = self.refused("limits", "-d", "rusticl", code=EXIT_NO_DEVICE, words=["without a device", "rusticl"]).err
        self.assertIn("RUSTICL_ENABLE=", err)
        shown = self.run_gridlock("devices").out
        self.assertRegex(shown, r"(?m)^platforms without a device: .*rusticl")
        self.assertIn("rusticl", self.run_gridlock("devices", "--format", "json").json()["platforms_without_devices"])

    @gridlock_test.needs_driver("pocl")
    def test_pocl_without_a_cache(self):
        icd = gridlock_test.VENDORS / "pocl.icd"
        self.no_device(words=["Portable Computing Language", "/proc/nowhere", "POCL_CACHE_DIR"], OCL_ICD_VENDORS=icd,
                       POCL_CACHE_DIR="/proc/nowhere")

    def test_platforms_with_devices_are_not_named(self):
        icd = gridlock_test.VENDORS / "pocl.icd"
        self.assertNotIn("without", self.run_gridlock("devices", OCL_ICD_VENDORS=icd).out)

    def test_reason_names_the_file_once(self):
        result = self.run_gridlock("limits", "--icd", "/nonexistent.so", code=EXIT_NO_DEVICE)
        self.assertEqual(result.err.count("/nonexistent.so"), 1, result.err)


if __name__ == "__main__":
    gridlock_test.main()
