"""SIMT-Step's base tests as kernels: model devices with sub-groups keep what the paper calls SSO."""
import pathlib

import gridlock_test

SOURCE = pathlib.Path(__file__).with_name("simt_step.cl")
TESTS = ["cm_wr", *(f"{model}_{race}" for model in ("sm", "scf", "sso") for race in ("ww", "rw", "wr"))]
SEEDS = range(1, 9)


class Sso(gridlock_test.Case):
    def verdicts(self, device):
        result = self.run_gridlock("try", str(SOURCE), "-d", f"{device},sub-groups=2", "--groups", "1", "--local-size",
                                   "2", "--build-options=-cl-std=CL3.0", "-q", "--format", "json", code=None)
        found = {scenario["name"].rpartition(":")[2]: scenario["points"][0]["verdict"]
                 for scenario in result.json()["devices"][0]["scenarios"]}
        self.assertEqual(list(found), TESTS)
        return found

    def test_one_lane_behind_the_other(self):
        """Only what an operation of the sub-group orders holds: the others fail wherever SSO lets them."""
        for device in ("model:serial", "model:serial:down"):
            with self.subTest(device):
                self.assertEqual(self.verdicts(device),
                                 {test: "pass" if test.startswith("sso") else "deadlock" for test in TESTS})

    def test_turns_by_lot(self):
        """What SSO guarantees holds with each seed, and all others with some and not with others."""
        found = [self.verdicts(f"model:fair,turns=lot,seed={seed}") for seed in SEEDS]
        for test in TESTS:
            with self.subTest(test):
                self.assertEqual({verdicts[test] for verdicts in found},
                                 {"pass"} if test.startswith("sso") else {"pass", "deadlock"})


if __name__ == "__main__":
    gridlock_test.main()
