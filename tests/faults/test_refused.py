"""What the system refuses: memory, threads, processes, the disk; and run files of which pages are lost.

FAIL_MALLOC_LIBRARY names the library that is built from fail_malloc.c.
"""
import os
import pathlib
import random
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import resume_case  # noqa: E402
from gridlock_test import EXIT_HARNESS, EXIT_OK, EXIT_USAGE, scenario_text  # noqa: E402

EXIT_SURPRISE = 1
LIBRARY = os.environ.get("FAIL_MALLOC_LIBRARY", "")
CORPUS = gridlock_test.ROOT / "tests" / "fuzz" / "corpus" / "store"
PAGE = 512  # of the run files there
FIRST, DRAWN = 12, 24  # allocations: the first ones fail each by itself, and so many of the others, drawn by lot
WHOLE = (EXIT_OK, EXIT_SURPRISE, 75, 77)  # what a report ends with, when all could be read


class Case(gridlock_test.Case):
    def assert_one_sentence(self, result, *words):
        self.assert_sentence(result.err, *words)
        self.assertEqual(result.err.count("\n"), 1, result.err)


@unittest.skipIf(LIBRARY == "", "FAIL_MALLOC_LIBRARY names no library")
@unittest.skipIf(gridlock_test.is_sanitized(), "a sanitizer has an allocator of its own")
class Memory(Case):
    """Each command ends as it would have, or with a sentence: whichever allocation fails."""

    def attempt(self, command, **variables):
        """`made` is what the command made, if it makes a file."""
        made = self.folder / "made"
        made.unlink(missing_ok=True)
        result = self.run_gridlock(*command, code=None, LD_PRELOAD=LIBRARY, **variables)
        return result, made.exists()

    def check(self, *command, whole_report=EXIT_OK):
        """`whole_report`: with which the report of what is made ends."""
        count = self.folder / "count"
        whole, made = self.attempt(command, FAIL_COUNT=count)
        number = int(count.read_text())
        lot = random.Random(1)
        chosen = sorted({*range(1, min(FIRST, number) + 1), *lot.choices(range(1, number + 1), k=DRAWN), number})
        ended = {whole.code: 0, EXIT_HARNESS: 0}
        for at in chosen:
            for how in ({}, {"FAIL_ON": 1}):
                with self.subTest(command=command, at=at, of=number, **how):
                    result, has_made = self.attempt(command, FAIL_AT=at, **how)
                    self.assertIn(result.code, ended, str(result))
                    ended[result.code] += 1
                    if result.code == whole.code:
                        self.assertEqual((result.out, has_made), (whole.out, made), str(result))
                    else:
                        self.assert_one_sentence(result)
                    if has_made:
                        self.run_gridlock("report", str(self.folder / "made"), code=whole_report)
        self.assertGreater(ended[EXIT_HARNESS], 0, "no allocation failed")

    def test_reports(self):
        run = str(CORPUS / "run.run")
        self.check("report", run)
        self.check("report", run, "--format", "json")
        self.check("report", run, "--format", "junit")
        self.check("explain", run)
        self.check("compare", run, run)

    def test_litmus_tests(self):
        run = str(CORPUS / "progress.run")
        self.check("report", run)
        self.check("explain", run)

    def test_merge(self):
        self.check("merge", "-o", str(self.folder / "made"), str(CORPUS / "run.run"), str(CORPUS / "limits.run"),
                   whole_report=EXIT_SURPRISE)

    def test_check(self):
        path = self.folder / "point.ini"
        path.write_text(scenario_text())
        self.check("check", str(path))
        self.check("list")


@unittest.skipIf(LIBRARY == "", "FAIL_MALLOC_LIBRARY names no library")
@unittest.skipIf(gridlock_test.is_sanitized(), "a sanitizer has an allocator of its own")
@gridlock_test.needs_driver("pocl")
class MemoryOfRuns(resume_case.Case):
    """An allocation of our own code fails, in a worker or in the program that has one."""
    WORKERS = (1, 10, *range(20, 200, 20))  # which allocations

    def attempt(self, process, **variables):
        self.path.unlink(missing_ok=True)
        return self.finish(self.start_pocl(*resume_case.SMALL, "-o", str(self.path), LD_PRELOAD=LIBRARY, FAIL_OURS=1,
                                           FAIL_IN=process, **variables))

    def test_worker_costs_a_trial(self):
        """Another worker goes on; what was lost is told, and nothing else differs."""
        verdicts = ("SELECT trial.name, verdict, note FROM verdict JOIN trial ON trial = trial.id"
                    " ORDER BY trial.id, launch")
        once, costs = self.folder / "once", 0
        self.assertEqual(self.attempt("worker").code, EXIT_OK)
        points = {name.partition("#")[0] for name, _, _ in self.rows(verdicts)}
        for at in self.WORKERS:
            with self.subTest(at=at):
                once.unlink(missing_ok=True)
                result = self.attempt("worker", FAIL_AT=at, FAIL_ONCE=once)
                self.assertTrue(once.exists() or at > self.WORKERS[4], "no allocation failed")
                lost = [row for row in self.rows(verdicts) if row[1] == "error"]
                self.assertLessEqual(len(lost), 1, str(lost))
                self.assertTrue(all("the worker ran out of memory while " in note for _, _, note in lost), str(lost))
                self.assertEqual({name.partition("#")[0] for name, _, _ in self.rows(verdicts)}, points, str(result))
                self.assertIn(result.code, (EXIT_OK, EXIT_SURPRISE) if lost else (EXIT_OK,), str(result))
                self.assert_nothing_left()
                costs += len(lost)
        self.assertGreater(costs, 0, "no trial was lost")

    def test_program_keeps_what_was_settled(self):
        """It ends with a sentence, without its worker; the run file is whole, and goes on."""
        count = self.folder / "count"
        self.assertEqual(self.attempt("run", FAIL_COUNT=count).code, EXIT_OK)
        number, lot = int(count.read_text()), random.Random(1)
        for at in sorted({*lot.choices(range(1, number + 1), k=DRAWN // 3), number}):
            with self.subTest(at=at, of=number):
                result = self.attempt("run", FAIL_AT=at)
                self.assertEqual(result.code, EXIT_HARNESS, str(result))
                self.assert_sentence(result.err.splitlines(keepends=True)[-1], "gridlock: out of memory")
                self.wait_until(lambda: not self.processes(), "no process is left")
                self.assertLessEqual({path.name for path in self.folder.glob("a.run*")}, {"a.run", "a.run-journal"})
                if self.path.exists():
                    settled = self.ended()
                    self.resume("--retry-incomplete")
                    self.assertEqual(self.unfinished(), 0)
                    self.check_kept(settled)


class Threads(Case):
    @resume_case.needs_strace
    def test_no_thread_and_no_process(self):
        """The first is the watchdog, the second the worker."""
        for number, words in ((1, "watchdog"), (2, "worker")):
            with self.subTest(words=words):
                calls = f"clone,clone3,vfork:error=EAGAIN:when={number}+"
                result = self.run_gridlock("limits", "--groups", "1", before=resume_case.inject(calls),
                                           code=EXIT_HARNESS, ASAN_OPTIONS="detect_leaks=0")
                self.assert_one_sentence(result, words, "Resource temporarily unavailable")
                self.assertEqual(self.run_file_paths(), [])


@gridlock_test.needs_driver("pocl")
class Disk(resume_case.Case):
    @resume_case.needs_strace
    def test_each_reason_is_named(self):
        for error, words in (("EIO", "Input/output error"), ("EDQUOT", "quota")):
            with self.subTest(error=error):
                calls = f"pwrite64:error={error}:when=90+"
                result = self.finish(self.start_pocl(*resume_case.SMALL, "-o", str(self.path),
                                                     before=resume_case.inject(calls)))
                self.assertEqual(result.code, EXIT_HARNESS, str(result))
                self.assert_sentence(result.err.splitlines(keepends=True)[-1], "cannot write to", str(self.path), words)
                self.check_nothing_left()
                self.resume()
                self.assertEqual(self.unfinished(), 0)
                self.path.unlink()


class Pages(Case):
    """A run file that is cut anywhere, or has lost any page, is read as far as that goes."""

    def check(self, path, whole):
        result = self.run_gridlock("report", str(path), "--format", "jsonl", code=None)
        if result.code in WHOLE:
            self.assertEqual(result.err, "")
            return
        self.assertIn(result.code, (EXIT_USAGE, EXIT_HARNESS), str(result))
        self.assert_one_sentence(result, str(path))
        self.assertLessEqual(result.out.count("\n"), whole.out.count("\n"))

    def test_any_page(self):
        for name in ("run.run", "limits.run"):
            content = (CORPUS / name).read_bytes()
            self.assertEqual(len(content) % PAGE, 0)
            path = self.folder / name
            whole = self.run_gridlock("report", str(CORPUS / name), "--format", "jsonl", code=None)
            for begin in range(0, len(content), PAGE):
                for text in (content[:begin], content[:begin + PAGE // 2],
                             content[:begin] + bytes(PAGE) + content[begin + PAGE:],
                             content[:begin] + b"\xff" * PAGE + content[begin + PAGE:]):
                    with self.subTest(name=name, page=begin // PAGE, size=len(text)):
                        path.write_bytes(text)
                        self.check(path, whole)

    def test_untouched_file_is_whole(self):
        for path in sorted(CORPUS.glob("*.run")):
            shutil.copy(path, self.folder)
            result = self.run_gridlock("report", str(self.folder / path.name), "--format", "jsonl", code=None)
            self.assertIn(result.code, WHOLE, str(result))


if __name__ == "__main__":
    gridlock_test.main()
