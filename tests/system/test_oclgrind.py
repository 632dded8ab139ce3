"""Oclgrind simulates a device with as many work-groups at once as it has threads."""
import gridlock_test


@gridlock_test.needs_oclgrind()
class Oclgrind(gridlock_test.Case):
    def test_threads(self):
        for threads in (1, 3):
            with self.subTest(threads=threads):
                device = self.limits("--icd", gridlock_test.OCLGRIND, "--local-size", "64", "--local-memory", "0",
                                     OCLGRIND_NUM_THREADS=threads)
                self.assert_limit(device["limits"][0], threads)
                self.assertEqual(device["safe_groups"], threads)


if __name__ == "__main__":
    gridlock_test.main()
