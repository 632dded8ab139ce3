"""gridlock prove --ignore: states are compared without what only counts, and that is said."""
import gridlock_test
import prove_case
from gridlock_test import EXIT_OK, EXIT_USAGE
from prove_case import EXIT_STOPPED, EXIT_SURPRISE

# Groups wait for the first one, and count how often they look.
POLLS = """
kernel void poll(global atomic_uint *flag, global atomic_uint *polls)
{
    if (get_group_id(0) == 0)
        atomic_store(&flag[0], LAST);
    else
        while (atomic_load(&flag[0]) == 0)
            atomic_fetch_add(&polls[1], 1);
}
"""
# Nobody reads what they write.
NOTES = """
kernel void note(global atomic_uint *next, global uint *notes)
{
    atomic_store((global atomic_uint *)&notes[0], 1 + get_group_id(0));
    atomic_fetch_add(next, 1);
}
"""


class Ignored(prove_case.Case):
    def launch(self, text, *options, macros="-DLAST=1", code=EXIT_OK):
        (self.folder / "polls.cl").write_text(text)
        launch, = self.prove("polls.cl", "--groups", "3", "--memory", "4", *options,
                             build=f"{prove_case.STANDARD} {macros}", code=code)
        return launch

    def test_without_it_states_never_repeat(self):
        launch = self.launch(POLLS, code=EXIT_STOPPED)
        self.assertEqual((launch["explored"], launch["ignored"]), ("memory", None))

    def test_counter_is_proposed(self):
        launch = self.launch(POLLS, code=EXIT_STOPPED)
        self.assertEqual(launch["grows"], "polls[1]")
        said = self.run_gridlock("prove", "polls.cl", f"--build-options={prove_case.STANDARD} -DLAST=1",
                                 "--groups", "3",
                                 "--memory", "4", "-q", code=EXIT_STOPPED).out
        self.assertIn("polls[1] only grew: try --ignore 'polls[1]'", said)
        self.assertIsNone(self.launch(POLLS, "--ignore", "polls[1]", code=EXIT_STOPPED)["grows"])

    def test_what_also_falls_is_not_proposed(self):
        drawn = POLLS.replace("atomic_fetch_add(&polls[1], 1)",
                              "atomic_store(&polls[1], atomic_load(&polls[1]) * 1664525 + 1013904223)")
        launch = self.launch(drawn, code=EXIT_STOPPED)
        self.assertEqual((launch["explored"], launch["grows"]), ("memory", None))

    def test_variables_of_the_program(self):
        own = POLLS.replace(", global atomic_uint *polls", "")
        own = own.replace("\nkernel", "\nglobal atomic_uint polls[2];\nkernel")
        launch = self.launch(own, code=EXIT_STOPPED)
        self.assertEqual((launch["explored"], launch["grows"]), ("memory", "variables[1]"))
        launch = self.launch(own, "--ignore", "variables[1]", code=EXIT_STOPPED)
        self.assertEqual((launch["explored"], launch["ignored"]), ("all", "variables[1]"))
        self.run_gridlock("prove", "polls.cl", f"--build-options={prove_case.STANDARD} -DLAST=1", "--groups", "3",
                          "--ignore", "variables[2]", "-q", code=EXIT_USAGE)

    def test_all_is_explored_and_nothing_is_proved(self):
        for ignored in ("polls[1]", "1[1]", "polls", "polls[0-1]"):
            with self.subTest(ignored):
                launch = self.launch(POLLS, "--ignore", ignored, code=EXIT_STOPPED)
                self.assertEqual((launch["verdict"], launch["explored"], launch["ignored"], launch["ignored_read"]),
                                 ("not-refuted", "all", ignored, True))
                self.assertEqual(prove_case.needs_of(launch)[0], "HSA")

    def test_another_word_does_not_help(self):
        self.assertEqual(self.launch(POLLS, "--ignore", "polls[0]", code=EXIT_STOPPED)["explored"], "memory")

    def test_what_is_wrong_is_found(self):
        launch = self.launch(POLLS, "--ignore", "polls", macros="-DLAST=0", code=EXIT_SURPRISE)
        self.assertEqual((launch["verdict"], launch["explored"]), ("wrong", "all"))

    def test_what_nobody_reads_proves(self):
        all_of_it, less = self.launch(NOTES), self.launch(NOTES, "--ignore", "notes[0]")
        self.assertEqual([(launch["verdict"], launch["ignored_read"]) for launch in (all_of_it, less)],
                         [("proved", False)] * 2)
        self.assertLess(less["states"], all_of_it["states"])

    def test_told(self):
        for text, words in ((POLLS, "States are compared without 1, as if it never changed: all of this holds if "
                                    "nothing but how often depends on it."),
                            (NOTES, "States are compared without 1, which nobody reads.")):
            (self.folder / "polls.cl").write_text(text)
            told = self.run_gridlock("prove", "polls.cl", "--ignore", "1", "--groups", "2", "-q",
                                     f"--build-options={prove_case.STANDARD} -DLAST=1", code=None).out
            self.assertIn(words, " ".join(told.split()))

    def test_what_does_not_fit_is_refused_in_a_sentence(self):
        (self.folder / "polls.cl").write_text(POLLS)
        for options, words in ((["--ignore=none"], "poll has no buffer that is called so"),
                               (["--ignore=polls[2]"], "the buffer has no element 2"),
                               (["--ignore=polls[1-2]"], "the buffer has no element 2"),
                               (["--ignore=polls[1-0]"], "expected ARGUMENT"),
                               (["--ignore=polls[1]x"], "expected ARGUMENT"),
                               (["--ignore=polls"] * 5, "at most 4"),
                               (["--ignore=polls", "lock_tas"], "for kernels of a FILE.cl"),
                               (["--ignore=polls[0]", "--result=polls=0,0"], "that --ignore leaves out")):
            with self.subTest(options):
                result = self.run_gridlock("prove", "polls.cl", "-q", "--arg=polls=buffer:8", *options,
                                           f"--build-options={prove_case.STANDARD} -DLAST=1", code=EXIT_USAGE)
                self.assertEqual(result.err.count("\n"), 1, result.err)
                self.assertIn(words, result.err)


if __name__ == "__main__":
    gridlock_test.main()
