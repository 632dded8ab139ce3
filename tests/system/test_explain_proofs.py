"""gridlock explain of proofs: what a kernel relies on, who waits for whom, what to do, and how it is drawn."""
import json
import shlex
import unittest

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_USAGE
from prove_case import FOLDER, STANDARD
from test_explain_drawn import Graph
from test_prove_lot import LOCKS

BUGS = FOLDER / "bugs"
CHAIN = """
kernel void chain(global atomic_uint *done)
{
    uint me = get_group_id(0);
    if (me > 0)
        while (atomic_load(&done[me - 1]) == 0)
            ;
    atomic_store(&done[me], 1);
}
"""


PLANES = """
kernel void planes(global int *a, global int *b)
{
    int i = get_group_id(2) * get_local_size(2) + get_local_id(2);
    b[i + 1] = a[i] + 1;
}
"""
BUILT_IN = """
kernel void meet(volatile global int *count)
{
    atomic_inc(count);
    while (atomic_or(count, 0) < 8)
        ;
}
"""


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "proofs.gridlock"

    def prove(self, *files, groups="2", local="1"):
        self.run_gridlock("prove", *map(str, files), f"--build-options={STANDARD}", "--groups", groups, "--local-size",
                          local, "-q", "--exit-zero", "-o", str(self.path))

    def explain(self, name=None, *options, code=EXIT_OK):
        trial = [] if name is None else [name]
        return self.run_gridlock("explain", str(self.path), *trial, *options, code=code)

    def text(self, name=None):
        """With the ends of lines as spaces."""
        return " ".join(self.explain(name).out.split())

    def json(self, name=None):
        return json.loads(self.explain(name, "--format", "json").out)

    def bug(self, name, kernel, groups=2, local=1):
        return f"{BUGS / name}.cl:{kernel}, {groups} groups of {local}"


class Told(Case):
    def test_order(self):
        """Each waits for the one before it, which need not start where started groups alone get turns."""
        file = self.folder / "chain.cl"
        file.write_text(CHAIN)
        self.prove(file, groups="3")
        told = self.text()
        for words in ("chain, 3 groups of 1: proved needs: the lowest group gets turns (HSA)",
                      "groups that have started get turns (OBE)", "groups wait for one that need not start",
                      "groups 0, 2 never started, which is not promised to them",
                      "group 1 waits at chain.cl:6 for done[0], which is 0; group 0 would change it at chain.cl:8",
                      "draw a ticket", "Or run it only where this is kept: the lowest group gets turns (HSA)."):
            self.assertIn(words, told)
        self.assertIn(f"gridlock prove {file} --kernel chain --groups 3", told)

    def test_places(self):
        self.prove(BUGS / "grid_not_resident.cl", groups="3")
        told = self.text(self.bug("grid_not_resident", "wrong", 3))
        self.assertIn("groups 0, 1 wait at grid_not_resident.cl:14 for count[0], which is 2; group 2 would change it",
                      told)
        self.assertIn("group 2 never started: groups 0, 1 hold the only places there are", told)
        self.assertIn(f"gridlock limits --source {BUGS}/grid_not_resident.cl --kernel wrong measures", told)

    def test_circle(self):
        self.prove(BUGS / "philosophers.cl", groups="3")
        told = self.text(self.bug("philosophers", "wrong", 3))
        self.assertIn("groups wait for each other in a circle", told)
        for group in range(3):
            fork = (group + 1) % 3
            self.assertIn(f"group {group} waits at philosophers.cl:6 for forks[{fork}], which is 1; group {fork} made "
                          "it 1", told)
        self.assertIn("in the same order", told)
        self.assertNotIn("Or run it only where this is kept", told)

    def test_lost(self):
        self.prove(BUGS / "notify_lost.cl")
        told = self.json(self.bug("notify_lost", "wrong"))
        self.assertEqual(told["reason"], "lost")
        ended, waits = sorted(told["classes"], key=lambda kind: kind["state"])
        self.assertEqual((ended["state"], waits["state"]), ("ended", "waiting"))
        self.assertEqual(waits["waits"][0]["writers"], [])
        self.assertIn("nobody ever changes it from here on", waits["says"])

    def test_turns(self):
        """The lowest group spins for a lock whose holder is owed nothing."""
        self.prove(BUGS / "lock_relaxed.cl")
        told = self.text(self.bug("lock_relaxed", "mended"))
        self.assertIn("group 1 could go on, but is owed no turns", told)
        self.assertIn("Run it only where this is kept: started groups get turns (OBE).", told)

    def test_other_stalls(self):
        """Each promise that is not enough is told of, with who waits then."""
        self.prove(BUGS / "writer_starves.cl", groups="3")
        name = self.bug("writer_starves", "mended", groups=3)
        told = self.text(name)
        self.assertRegex(told, r"How else it need not end If only .* \(HSA\), fairly, .* group 1 could go on, "
                         r"but is owed")
        other, = self.json(name)["others"]
        self.assertEqual((other["reason"], other["promise"]["model"]), ("turns", "HSA"))

    def test_race_and_fault(self):
        self.prove(BUGS / "lock_relaxed.cl", BUGS / "flag_bounds.cl", BUGS / "lock_over_barrier.cl", local="2")
        race = self.text(self.bug("lock_relaxed", "wrong", local=2))
        self.assertIn("Two accesses race: group 0, work-item ", race)
        self.assertIn("Have a release behind the first access", race)
        fault = self.json(self.bug("lock_over_barrier", "wrong", local=2))
        self.assertEqual((fault["verdict"], fault["tells"], fault["classes"]), ("fault", "fault", []))
        self.assertGreater(len(fault["way"]["steps"]), 0)

    def test_wrong_result(self):
        self.run_gridlock("prove", "mutant_semaphore", "--groups", "2", "-q", "--exit-zero", "-o", str(self.path))
        told = self.json()
        self.assertEqual((told["verdict"], told["tells"]), ("wrong-result", "wrong-result"))
        self.assertIn("results are wrong", told["happened"])
        self.assertIn("gridlock prove mutant_semaphore --groups 2", told["repeat"])

    def test_launch_that_was_made_up(self):
        """The command that repeats it gives the groups and work-items that there were."""
        for name, text, launch, words in (
                ("planes", PLANES, "2 groups of 2", "--groups 1x1x2 --local-size 1x1x2"),
                ("meet", BUILT_IN, "3 groups of 1", "--groups 8 --local-size 1")):
            with self.subTest(name):
                file = self.folder / f"{name}.cl"
                file.write_text(text)
                self.path.unlink(missing_ok=True)
                self.run_gridlock("prove", str(file), "-q", "-o", str(self.path))
                told = self.json(f"{file}:{name}, {launch}")
                self.assertIn(words, told["repeat"])
                again = self.run_gridlock(*shlex.split(told["repeat"])[1:], "-q", "--format", "json")
                repeated, = json.loads(again.out)["devices"][0]["launches"]
                self.assertEqual((repeated["verdict"], repeated["answer"]), (told["verdict"], told["answer"]))

    def test_result_that_the_user_knows(self):
        """What is wrong is told, and the command that repeats it says again what is right."""
        (self.folder / "lose.cl").write_text("kernel void lose(global atomic_uint *sum)\n"
                                             "{ atomic_store(sum, atomic_load(sum) + 1); }\n")
        self.run_gridlock("prove", "lose.cl", f"--build-options={STANDARD}", "--groups", "2", "--result", "sum=groups",
                          "--arg", "sum=buffer:4", "-q", "--exit-zero", "-o", str(self.path))
        told = self.json()
        self.assertTrue(told["happened"].endswith(" In one of them sum[0] is 1, and 2 is right."), told["happened"])
        self.assertIn(" --result sum=groups", told["repeat"])

    def test_stall_that_a_launch_by_lot_found(self):
        """It is told before those of what was explored; who waits for whom as of any other."""
        (self.folder / "lot.cl").write_text(LOCKS)
        self.run_gridlock("prove", "lot.cl", f"--build-options={STANDARD} -DODD=7", "--groups", "12", "--memory", "4",
                          "--arg", "locks=buffer:8", "-q", "--exit-zero", "-o", str(self.path))
        told = self.json()
        self.assertEqual((told["verdict"], told["reason"], told["promise"]["model"]), ("wrong", "circle", "FAIR"))

    def test_what_ends_everywhere_takes_two_lines(self):
        self.prove(BUGS / "grid_not_resident.cl")
        name = self.bug("grid_not_resident", "mended")
        lines = self.explain(name).out.splitlines()
        self.assertEqual(lines[-1], "  ends on every device")
        self.assertEqual(" ".join(" ".join(lines[:-1]).split()), f"{name}: proved")

    def test_loop_that_nobody_else_sees(self):
        """What it looks at nobody ever writes; the other work-item of its group waits at a barrier."""
        file = self.folder / "gate.cl"
        file.write_text("""
kernel void gate(global atomic_uint *open)
{
    if (get_local_id(0) == 0 && get_group_id(0) == 1)
        while (atomic_load(open) == 0)
            ;
    barrier(CLK_GLOBAL_MEM_FENCE);
}
""")
        self.prove(file, local="2")
        told = self.json()
        self.assertEqual((told["reason"], told["verdict"]), ("lost", "wrong"))
        alone, = (kind for kind in told["classes"] if kind["state"] == "going round alone")
        self.assertEqual((alone["groups"], alone["waits"]), ([1], []))
        self.assertIn("accesses nothing that others see", alone["says"])


class Chosen(Case):
    def test_worst_is_taken(self):
        self.prove(BUGS / "lock_relaxed.cl", BUGS / "philosophers.cl", BUGS / "grid_not_resident.cl")
        told = self.json()
        self.assertEqual((told["kernel"], told["verdict"]), (f"{BUGS}/lock_relaxed.cl:wrong", "race"))

    def test_by_id(self):
        self.prove(BUGS / "philosophers.cl")
        report = json.loads(self.run_gridlock("report", str(self.path), "--format", "json", code=1).out)
        for launch in report["devices"][0]["launches"]:
            told = self.json(launch["id"])
            self.assertEqual((told["launch"], told["verdict"]), (launch["id"], launch["verdict"]))

    def test_bad_input(self):
        self.prove(BUGS / "grid_not_resident.cl")
        self.assertIn("this run has no launch 'nothing'", self.explain("nothing", code=EXIT_USAGE).err)
        for form in ("trace", "schedule"):
            self.assertIn(f"not as {form}", self.explain(None, "--format", form, code=EXIT_USAGE).err)
        for form in ("dot", "timeline"):
            self.assertIn("nothing goes wrong" if form == "timeline" else "nobody waits for ever",
                          self.explain(self.bug("grid_not_resident", "mended"), "--format", form, code=EXIT_USAGE).err)
        self.assertIn("no device of this run", self.explain(None, "-d", "nosuch", code=EXIT_USAGE).err)


class Drawn(Case):
    def graph(self, name):
        return Graph(self.explain(name, "--format", "dot").out)

    def test_circle_is_marked(self):
        self.prove(BUGS / "philosophers.cl")
        graph = self.graph(self.bug("philosophers", "wrong"))
        self.assertEqual({name: label.splitlines()[0] for name, label in graph.nodes.items()},
                         {"g0": "group 0", "g1": "group 1", "w0": "forks[1]", "w1": "forks[0]"})
        self.assertEqual(set(graph.edges), {("g0", "w0"), ("w0", "g1"), ("g1", "w1"), ("w1", "g0")})
        self.assertEqual(graph.circle, {"g0", "g1", *(f"{a} -> {b}" for a, b in graph.edges)})

    def test_no_circle(self):
        self.prove(BUGS / "grid_not_resident.cl")
        graph = self.graph(self.bug("grid_not_resident", "wrong"))
        self.assertEqual(set(graph.edges), {("g0", "w0"), ("w0", "g1")})
        self.assertIn("which never started", graph.edges["w0", "g1"])
        self.assertEqual(graph.circle, set())

    def test_timeline(self):
        self.prove(BUGS / "philosophers.cl")
        told = self.explain(self.bug("philosophers", "wrong"), "--format", "timeline").out
        steps = self.json(self.bug("philosophers", "wrong"))["way"]
        rows = [line.split("|")[1] for line in told.splitlines() if "|" in line]
        bars = [row.split(":") for row in rows]
        self.assertEqual([len(bar[0]) for bar in bars], 2 * [len(steps["steps"]) - steps["circle"]])
        self.assertEqual([len(bar[1]) for bar in bars], 2 * [steps["circle"]])
        for group, bar in enumerate(bars):
            signs = bar[0] + bar[1]
            self.assertEqual([sign != "." for sign in signs], [step["group"] == group for step in steps["steps"]])
        self.assertIn("again and again", told)


@unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed")
class Schema(Case):
    def test_valid(self):
        validator = schemas.validator("explain-prove")
        self.prove(BUGS / "philosophers.cl", BUGS / "lock_relaxed.cl", BUGS / "grid_not_resident.cl",
                   BUGS / "lock_over_barrier.cl", BUGS / "notify_lost.cl", local="1,2")
        report = json.loads(self.run_gridlock("report", str(self.path), "--format", "json", code=1).out)
        told = [self.json(launch["id"]) for launch in report["devices"][0]["launches"]]
        for one in told:
            validator.validate(one)
        self.assertEqual({one["tells"] for one in told}, {"stall", "race", "fault", None})
        self.assertFalse(validator.is_valid({**told[0], "reason": "whatever"}))


if __name__ == "__main__":
    gridlock_test.main()
