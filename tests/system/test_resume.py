"""Runs that were interrupted, or have ended, and are resumed: what goes on, what is refused, and what is locked."""
import json
import os
import shlex
import shutil
import signal

import gridlock_test
from gridlock_test import EXIT_HARNESS, EXIT_OK, EXIT_USAGE, scenario_text
from resume_case import EXIT_INTERRUPTED, EXIT_STOPPED, SMALL, SWEEP, Case


class Interrupted(Case):
    def long_scenario(self):
        path = self.folder / "long.ini"
        path.write_text(scenario_text(groups="1, 1x resident", sweep="iterations = 1, 20000"))
        return path

    def interrupt(self, path):
        """While a long trial runs."""
        process = self.start_pocl("run", "-d", "pocl", path.name, "-o", str(self.path))
        self.wait_until(lambda: self.begun_so_far() >= 5 or process.poll() is not None, "a long trial")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_INTERRUPTED, str(result))
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "interrupted", "gridlock resume")
        self.assert_nothing_left()

    def test_what_was_cut_short_is_run_again(self):
        """It failed by nobody's fault but the user's, so it needs no --retry-incomplete."""
        self.interrupt(self.long_scenario())
        cut, = self.rows("SELECT DISTINCT trial FROM verdict WHERE verdict = 'incomplete'")
        before = {trial: rows for trial, rows in self.ended().items() if trial != cut[0]}
        result = self.resume()
        self.assertRegex(result.out, r"(?m)^long +all to 2 .* 2 of 2$")
        self.check_kept(before)
        self.assertEqual(self.rows("SELECT DISTINCT verdict FROM verdict"), [("pass",)])
        self.assertEqual(self.value("SELECT count(*) FROM trial WHERE estimator = 'work'"), 4)
        self.assertEqual(self.value("SELECT min(n) FROM (SELECT repeats - count(*) AS n FROM trial t JOIN observation"
                                    " ON trial = t.id WHERE estimator = 'work' GROUP BY t.id)"), 0)

    def test_resumed_run_can_be_interrupted_again(self):
        self.interrupt(self.long_scenario())
        process = self.start_pocl("resume", str(self.path))
        self.wait_until(lambda: self.reopened() or process.poll() is not None, "the trial again")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, EXIT_INTERRUPTED)
        self.resume()
        self.assertEqual(self.rows("SELECT DISTINCT verdict FROM verdict"), [("pass",)])

    def reopened(self):
        return self.rows("SELECT 1 FROM trial WHERE duration_ns IS NULL") != []


class Finished(Case):
    """A run that is over can be resumed: nothing is run, and it prints the same."""

    def check_same(self, *command, code=EXIT_OK, **options):
        first = self.run_pocl(*command, "-o", str(self.path), code=code, **options)
        before = self.ended()
        again = self.resume(code=code, **options)
        self.assertEqual(again.out, first.out)
        self.assertEqual(self.ended(), before)
        self.assertEqual(self.unfinished(), 0)
        self.path.unlink()
        return again

    def test_text(self):
        self.check_same(*SWEEP)

    def test_each_point(self):
        self.check_same(*SMALL, "-v")

    def test_json(self):
        json.loads(self.check_same(*SMALL, "--format", "json").out)

    def test_quiet(self):
        self.assertEqual(self.check_same(*SMALL, "--quiet").err, "")

    def test_limits(self):
        for form in ("text", "json"):
            with self.subTest(form=form):
                self.check_same("limits", "-d", "pocl", "--local-size", "1,64", "--iterations", "2", "--format", form)

    def test_several_devices(self):
        """Each is told under its own heading, though the file has them all from the start."""
        self.check_same("run", "lock_ticket", "-d", "pocl", POCL_DEVICES="basic pthread")
        self.check_same("limits", "-d", "pocl", "--local-size", "1,64", "--iterations", "2",
                        POCL_DEVICES="basic pthread")

    def test_surprise_is_one_again(self):
        path = self.folder / "optimist.ini"
        path.write_text(scenario_text(groups="1x resident + 1", verdict="pass"))
        self.check_same("run", "-d", "pocl", str(path), code=1)

    def test_option_terminator_and_relative_paths(self):
        """Names are those of the folder in which the run was begun, wherever it is resumed from."""
        inner = self.folder / "in ner"
        inner.mkdir()
        (self.folder / "-it's.ini").write_text(scenario_text(groups="1"))
        first = self.run_pocl("run", "-d", "pocl", "-o", "../a.run", "--", "../-it's.ini", cwd=inner)
        before = self.ended()
        again = self.run_pocl("resume", "a.run", cwd=self.folder)
        self.assertEqual(again.out, first.out)
        self.assertEqual(self.run_pocl("resume", "../a.run", cwd=inner).out, first.out)
        self.assertEqual(self.ended(), before)

    def test_command_line_is_for_a_shell(self):
        """Its words are those that the run was begun with."""
        (self.folder / "in ner").mkdir()
        arguments = ("run", "-d", "pocl", "-t", "l1/g[123]$", "-o", "in ner/a.run", "barrier_central")
        self.run_pocl(*arguments, cwd=self.folder)
        line = self.value("SELECT command_line FROM run", self.folder / "in ner" / "a.run")
        self.assertEqual(shlex.split(line), ["gridlock", *arguments])
        self.assertTrue(line.startswith("gridlock run -d pocl "), line)


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.scenario = self.folder / "mine.ini"
        self.scenario.write_text(scenario_text(groups="1, 2"))

    def begin(self):
        self.run_pocl("run", "-d", "pocl", "mine.ini", "-o", str(self.path))

    def check_refused(self, *words, path=None):
        """Before anything is run or written."""
        before = self.ended() if path is None else None
        result = self.resume(code=EXIT_USAGE, path=path)
        self.assert_sentence(result.err, *words)
        self.assertEqual(len(result.err.splitlines()), 1, result.err)
        if path is None:
            self.assertEqual(self.ended(), before)

    def test_other_version_of_the_program(self):
        self.begin()
        self.change("UPDATE run SET tool_version = '0.0.9'")
        self.check_refused("0.0.9", "--force")
        self.resume("--force")

    def test_other_driver(self):
        self.begin()
        self.change("UPDATE device SET driver_version = '2.0 alpha'")
        result = self.resume(code=EXIT_USAGE)
        self.assert_sentence(result.err, "2.0 alpha", "--force")
        self.resume("--force")

    def test_other_number_of_compute_units(self):
        """What was measured holds for the device as it was; PoCL's has as many as its environment says."""
        self.begin()
        result = self.run_gridlock("resume", str(self.path), code=EXIT_USAGE, POCL_MAX_PTHREAD_COUNT=3)
        self.assert_sentence(result.err, "3 compute units", "had 2", "--force")

    def test_changed_scenario(self):
        self.begin()
        self.scenario.write_text(scenario_text(groups="1, 2, 3", verdict="pass or starved"))
        self.check_refused("mine.ini", "--force")
        self.resume("--force")
        self.assertEqual({groups for groups, in self.rows("SELECT groups FROM trial WHERE estimator = 'work'")},
                         {1, 2, 3})

    def test_digests_are_of_own_files_alone(self):
        """What the program carries is told by its version."""
        self.run_pocl("run", "-d", "pocl", "mine.ini", "lock_ticket", "-t", "mine/.*/g1$", "-o", str(self.path))
        self.assertEqual(self.rows("SELECT name FROM source"), [("mine.ini",)])

    def test_command_that_cannot_go_on(self):
        self.begin()
        for line, shown in (("gridlock list", "gridlock list"), ("'gridlock list'", "gridlock list"), ("", ""),
                            ("gridlock", "gridlock"), ("run mine.ini", "run mine.ini")):
            with self.subTest(line=line):
                quoted = line.replace("'", "''")
                self.change(f"UPDATE run SET command_line = '{quoted}'")
                self.check_refused(f'"{shown}", which cannot be continued')

    def test_scenario_that_is_gone(self):
        self.begin()
        self.scenario.unlink()
        self.check_refused("mine.ini")

    def test_folder_that_is_gone(self):
        inner = self.folder / "inner"
        inner.mkdir()
        self.finish(self.start_pocl(*SMALL, "-o", str(self.path), cwd=inner))
        shutil.rmtree(inner)
        self.check_refused("inner", "No such file or directory")

    def test_folder_that_is_not_said(self):
        self.begin()
        self.change("UPDATE run SET folder = ''")
        self.check_refused("does not say where it was begun", path=self.path)

    def test_merged_file(self):
        self.begin()
        other, merged = self.folder / "b.run", self.folder / "m.run"
        self.run_pocl("run", "-d", "pocl", "mine.ini", "-o", str(other))
        self.run_gridlock("merge", "-q", "-o", str(merged), str(self.path), str(other), code=None)
        self.check_refused("merged from 2", path=merged)

    def test_other_schema(self):
        self.begin()
        self.change("PRAGMA user_version = 999")
        self.check_refused("schema version 999", path=self.path)

    def test_what_is_no_run_file(self):
        self.check_refused("not a run file", path=self.scenario)
        self.check_refused("not a regular file", path=self.folder)
        self.check_refused("No such file", path=self.folder / "nosuch")

    def test_usage(self):
        for arguments in ((), ("a", "b"), ("--nosuch", "a")):
            result = self.run_gridlock("resume", *arguments, code=EXIT_USAGE)
            self.assertIn("gridlock resume", result.err)


class Unfinished(Case):
    def test_point_without_a_verdict(self):
        """It is not run again unless that is asked for, but the run is no success."""
        self.run_pocl(*SMALL, "-o", str(self.path))
        cut = self.value("SELECT max(id) FROM trial WHERE estimator = 'work'")
        self.change(f"DELETE FROM verdict WHERE trial = {cut}; DELETE FROM observation WHERE trial = {cut};"
                    f"UPDATE trial SET duration_ns = NULL, build_ns = NULL WHERE id = {cut}")
        result = self.resume(code=EXIT_STOPPED)
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "--retry-incomplete", str(self.path))
        self.resume("--retry-incomplete")
        self.resume()


class Foreign(Case):
    """A run that was begun on another machine or by another user loads only what is named again."""

    def setUp(self):
        super().setUp()
        self.kernels = self.folder / "kernels"
        self.kernels.mkdir()
        self.own = self.folder / "own.ini"
        self.own.write_text(scenario_text(groups="1"))
        self.driver = gridlock_test.registered_library("pocl")

    def begin(self, *more):
        self.run_pocl("run", "-d", "pocl", "own.ini", "--kernel-dir", "kernels", "--icd", self.driver, *more, "-q",
                      "-o",
                      str(self.path))

    def loads(self):
        return ["--icd", self.driver, "--kernel-dir", str(self.kernels), str(self.own)]

    def refused(self, *words, named=()):
        result = self.run_pocl("resume", str(self.path), *named, code=EXIT_USAGE)
        self.assert_sentence(result.err, "another machine or by another user", *words)
        self.assertEqual(result.out, "")
        return result.err

    def test_own_run_loads_what_it_names(self):
        self.begin()
        self.resume()

    def test_run_of_another_machine(self):
        self.begin()
        self.change("UPDATE run SET origin = '0123456789abcdef'")
        told = shlex.split(self.refused("gridlock resume RUN").partition("gridlock resume RUN ")[2])
        self.assertEqual(told, self.loads())
        self.run_pocl("resume", str(self.path), *told)

    def test_what_it_does_not_load(self):
        """It may have been meant as a second run, and is not passed over; what the run loads may always be named."""
        self.begin()
        other = self.folder / "other.run"
        other.write_text("")
        unused = ([str(other)], ["--icd", "libnosuch.so"], ["--kernel-dir", str(self.folder)],
                  ["--build-options", "-DN=1"])
        for origin in (None, "0123456789abcdef"):
            if origin:
                self.change(f"UPDATE run SET origin = '{origin}'")
            for named in unused:
                with self.subTest(named=named, origin=origin):
                    result = self.run_pocl("resume", str(self.path), *self.loads(), *named, code=EXIT_USAGE)
                    self.assert_sentence(result.err, "unexpected argument", named[-1], "one run")
            self.run_pocl("resume", str(self.path), *self.loads())

    def test_each_file_is_asked_for(self):
        self.begin()
        self.change("UPDATE run SET origin = ''")
        driver, kernels, scenario = self.loads()[:2], self.loads()[2:4], self.loads()[4:]
        self.refused(self.driver, named=[*kernels, *scenario])
        self.refused("--kernel-dir", named=[*driver, *scenario])
        self.refused("own.ini", named=[*driver, *kernels])

    def test_lists_are_not_read(self):
        """What was found in one would be printed, so that the file's author could choose what."""
        lists = {option: self.folder / option for option in ("skips", "flakes", "baseline")}
        for path in lists.values():
            path.write_text("")
        self.begin(*(word for option, path in lists.items() for word in (f"--{option}", str(path))))
        self.change("UPDATE run SET origin = ''")
        for path in lists.values():
            path.write_text("secret (\n")
        err = self.refused(*map(str, lists.values()), named=self.loads())
        self.assertNotIn("secret", err)
        for path in lists.values():
            path.write_text("")
        self.run_pocl("resume", str(self.path), *self.loads(), *map(str, lists.values()))

    def test_name_is_that_of_a_file_here(self):
        """A relative name in the run file means another file than the same name on the command line."""
        self.begin()
        other = self.folder / "other"
        other.mkdir()
        (other / "own.ini").write_text(scenario_text(groups="1"))
        self.change(f"UPDATE run SET folder = '{other}'")
        result = self.run_pocl("resume", str(self.path), *self.loads(), code=EXIT_USAGE)
        self.assert_sentence(result.err, str(other / "own.ini"))

    def test_command_that_was_changed(self):
        """Whoever knows an own file cannot make another one of it."""
        self.run_pocl(*SMALL, "-o", str(self.path))
        self.change("UPDATE run SET command_line = command_line || ' --icd ./evil.so'")
        self.refused("evil.so")

    def test_file_of_another_user(self):
        self.begin()
        try:
            os.chown(self.path, 12345, -1)
        except PermissionError:
            self.skipTest("only root may give files away")
        self.refused(self.driver)

    def test_run_that_loads_nothing(self):
        self.run_pocl(*SMALL, "-o", str(self.path))
        self.change("UPDATE run SET origin = ''")
        self.resume()

    def test_tests_of_another_machine(self):
        tests = self.folder / "tests"
        tests.write_text("0,0,1,1|0,0,-,0\n")
        self.run_gridlock("progress", "-d", "model:fair", "--tests", "tests", "-o", str(self.path), code=None)
        self.change("UPDATE run SET origin = ''")
        self.refused(str(tests))
        self.run_gridlock("resume", str(self.path), str(tests), code=None)

    def test_options_of_resume_are_no_words_of_a_run(self):
        """A stored command cannot go on with another file."""
        self.run_pocl(*SMALL, "-o", str(self.path))
        self.change(f"UPDATE run SET command_line = command_line || ' --continue {self.folder}/other.run'")
        self.assert_sentence(self.run_pocl("resume", str(self.path), code=EXIT_USAGE).err, "--continue")


class Locked(Case):
    """Two runs on one device would spoil each other's figures."""

    def start_first(self):
        path = self.folder / "long.ini"
        path.write_text(scenario_text(groups="1", sweep="iterations = 1000000"))
        process = self.start_pocl("run", "-d", "pocl", str(path), "-o", str(self.path))
        self.wait_until(lambda: self.begun_so_far("estimator = 'work'") > 0 or process.poll() is not None, "a trial")
        self.assertIsNone(process.poll())
        return process

    def end(self, process):
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, EXIT_INTERRUPTED)

    def test_second_may_refuse_to_wait(self):
        first = self.start_first()
        result = self.finish(self.start_pocl(*SMALL, "-o", str(self.folder / "b.run"), "-q", "--device-wait", "0"))
        self.assertEqual(result.code, EXIT_STOPPED, str(result))
        self.assert_sentence(result.err, f"process {first.pid}", "--device-wait")
        self.assertEqual(len(result.err.splitlines()), 1, result.err)
        self.assertEqual(result.out, "")
        self.end(first)

    def test_second_waits(self):
        first = self.start_first()
        second = self.start_pocl(*SMALL, "-o", str(self.folder / "b.run"))
        lines = [second.stderr.readline(), second.stderr.readline()]
        self.assertIn(f"which process {first.pid} is using, for up to 3600 s (--device-wait)", lines[1])
        self.assertEqual(self.value("SELECT count(*) FROM trial", self.folder / "b.run"), 0)
        self.end(first)
        result = self.finish(second)
        self.assertEqual(result.code, EXIT_OK, str(result))

    def test_who_sits_before_a_terminal_is_told(self):
        """By -q, too; a log is not (test_second_may_refuse_to_wait)."""
        first = self.start_first()
        variables = {"POCL_MAX_PTHREAD_COUNT": 2}
        seen, _ = self.on_terminal("stderr", *SMALL, "-o", str(self.folder / "b.run"), "-q", "--device-wait", "1",
                                   code=EXIT_STOPPED, **variables)
        self.assertIn(f"which process {first.pid} is using, for up to 1 s", seen)
        self.end(first)

    def test_waiting_can_be_interrupted(self):
        first = self.start_first()
        second = self.start_pocl(*SMALL, "-o", str(self.folder / "b.run"))
        second.stderr.readline()
        second.stderr.readline()
        self.end(second)
        self.end(first)
        self.resume(path=self.folder / "b.run")

    def test_folder_where_no_file_can_be_made(self):
        result = self.run_pocl(*SMALL, "-o", str(self.path), code=EXIT_HARNESS,
                               GRIDLOCK_LOCK_DIR=self.folder / "nosuch")
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "cannot lock", "GRIDLOCK_LOCK_DIR",
                             "No such file or directory")
        self.assertEqual(result.err.count("nosuch"), 1, result.err)

    def test_what_another_user_puts_in_its_place(self):
        """No lock can be made of it, and it cannot be removed: the run goes on without."""
        self.run_pocl(*SMALL, "-o", str(self.path))
        lock, = self.folder.glob("gridlock-*.lock")

        def remove():
            lock.rmdir() if lock.is_dir() and not lock.is_symlink() else lock.unlink()

        for number, make in enumerate((lock.mkdir, lambda: lock.symlink_to("nowhere"), lambda: os.mkfifo(lock))):
            remove()
            make()
            own = self.run_pocl(*SMALL, "-q", "-o", str(self.folder / f"own{number}.run"), code=EXIT_HARNESS)
            self.assert_sentence(own.err, "cannot lock")
            try:
                os.lchown(lock, 12345, -1)
            except PermissionError:
                self.skipTest("only root may give files away")
            other = self.run_pocl(*SMALL, "-q", "-o", str(self.folder / f"other{number}.run"))
            self.assert_sentence(other.err, str(lock), "user 12345", "without")

    def test_dead_holder_holds_nothing(self):
        """Nor does its worker, which may live a moment longer."""
        first = self.start_first()
        first.kill()
        result = self.finish(self.start_pocl(*SMALL, "-o", str(self.folder / "b.run")))
        self.assertEqual(result.code, EXIT_OK, str(result))
        self.assertNotIn(f"process {first.pid} ", result.err)


if __name__ == "__main__":
    gridlock_test.main()
