"""gridlock prove, where a launch is too large to be explored: launches by lot look for what is wrong."""
import gridlock_test
import prove_case
from gridlock_test import EXIT_OK
from prove_case import EXIT_STOPPED, EXIT_SURPRISE

# One group of twelve takes the locks in the other order.
LOCKS = """
void take(global atomic_uint *lock)
{
    while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) == 1)
        ;
}
kernel void inverted(global atomic_uint *locks)
{
    uint first = get_group_id(0) == ODD;
    take(&locks[first]);
    take(&locks[1 - first]);
    atomic_store_explicit(&locks[1 - first], 0, memory_order_release, memory_scope_device);
    atomic_store_explicit(&locks[first], 0, memory_order_release, memory_scope_device);
}
"""
ADD = "atomic_fetch_add(sum, 1)"
LOSE = "atomic_store(sum, atomic_load(sum) + 1)"
SUM = """
kernel void count(global atomic_uint *sum, global atomic_uint *others)
{
    atomic_exchange(&others[0], get_group_id(0) + 1);
    atomic_fetch_add(&others[1], 1);
    STEP;
}
"""
# The last ticket of twelve is beyond the end.
TICKETS = """
kernel void tickets(global atomic_uint *next, global uint *out)
{
    atomic_fetch_add(&next[1], 1);
    out[atomic_fetch_add(next, 1)] = 1;
}
"""
# Those with the last tickets write what they drew.
LATE = """
kernel void late(global atomic_uint *next, global uint *out)
{
    atomic_fetch_add(&next[1], 1);
    uint ticket = atomic_fetch_add(next, 1);
    if (ticket >= FIRST)
        out[0] = ticket;
}
"""
# Both work-items of a group wait for a flag that nobody sets, and meet at a barrier in between.
MEETING = """
kernel void meeting(global atomic_uint *words)
{
    local uint seen;
    atomic_exchange(&words[1], get_global_id(0));
    atomic_fetch_add(&words[2], 1);
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            seen = atomic_load(&words[0]) < LEAST;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (seen);
}
"""
# Two that give way to each other: in lock step for ever, but some turns let one pass. Before they meet one counts for
# longer than turns go by lot, so that both try in turn.
POLITE = """
kernel void polite(global atomic_uint *locks, global atomic_uint *here, global uint *sum)
{
    uint me = get_group_id(0), other = 1 - me, seen = 0;
    for (uint i = 0; me == 0 && i < 4500; ++i)
        seen += atomic_load(&here[1]) + i;
    atomic_fetch_add(&here[0], 1);
    while (atomic_load(&here[0]) < 2)
        ;
    for (;;)
        if (atomic_exchange(&locks[me], 1) == 0) {
            if (atomic_exchange(&locks[other], 1) == 0)
                break;
            STEP;
        }
    atomic_store(&locks[other], 0);
    atomic_store(&locks[me], 0);
    sum[me] = seen;
    atomic_store(&here[1], 1);
}
"""
GIVE_WAY = "atomic_store(&locks[me], 0)"
HOLD_ON = "while (atomic_load(&locks[other]) == 1)"


class ByLot(prove_case.Case):
    def launch(self, text, *options, groups=12, memory=4, macros="", code=EXIT_SURPRISE):
        file = self.folder / "lot.cl"
        file.write_text(text)
        launch, = self.prove(file, "--groups", str(groups), "--memory", str(memory), *options,
                             build=f"{prove_case.STANDARD} {macros}", code=code)
        if code != EXIT_OK:
            self.assertEqual(launch["explored"], "memory")
            self.assertGreater(launch["launches_by_lot"], 0)
        return launch

    def not_refuted(self, *arguments, **options):
        launch = self.launch(*arguments, **options, code=EXIT_STOPPED)
        self.assertEqual((launch["verdict"], launch["found_by_lot"]), ("not-refuted", False))
        self.assertGreater(launch["launches_by_lot"], 100)

    def test_stall(self):
        """Two groups hold a lock each for ever, and all that have not ended go round in front of one."""
        launch = self.launch(LOCKS, "--arg=locks=buffer:8", macros="-DODD=7")
        self.assertEqual((launch["verdict"], launch["found_by_lot"], launch["promises"]), ("wrong", True, []))
        stall = launch["stalls"][0]
        self.assertEqual([stall[name] for name in ("model", "fairness", "places")], ["FAIR", "strong", 12])
        way, circle = stall["steps"][:-stall["circle"]], stall["steps"][-stall["circle"]:]
        held = {}
        for step in way:
            self.assertEqual(held.get(step["offset"], 0), step["before"])
            held[step["offset"]] = step["after"]
        self.assertEqual(held, {0: 1, 4: 1})
        self.assertEqual({(step["before"], step["after"]) for step in circle}, {(1, 1)})
        self.assertIn(7, {step["group"] for step in circle})
        self.assertEqual({step["offset"] for step in circle}, {0, 4})

    def test_no_stall(self):
        self.not_refuted(LOCKS, "--arg=locks=buffer:8", macros="-DODD=99")

    def test_same_again(self):
        stalls = [self.launch(LOCKS, "--arg=locks=buffer:8", macros="-DODD=7")["stalls"] for _ in range(2)]
        self.assertEqual(*stalls)

    def test_stall_at_a_barrier(self):
        launch = self.launch(MEETING, "--local-size", "2", "--arg=words=buffer:12", groups=6, macros="-DLEAST=1")
        self.assertEqual((launch["verdict"], launch["found_by_lot"]), ("wrong", True))
        self.not_refuted(MEETING, "--local-size", "2", "--arg=words=buffer:12", groups=6, macros="-DLEAST=0")

    def test_circle_out_of_which_other_turns_lead(self):
        """It is no proof against strong fairness. One in which memory stands is."""
        buffers = ("--arg=locks=buffer:8", "--arg=here=buffer:8", "--arg=sum=buffer:8")
        self.not_refuted(POLITE.replace("STEP", GIVE_WAY), *buffers, groups=2, memory=3)
        launch = self.launch(POLITE.replace("STEP", HOLD_ON), *buffers, groups=2, memory=3)
        self.assertEqual((launch["verdict"], launch["found_by_lot"]), ("wrong", True))

    def test_wrong_result(self):
        buffers = ("--arg=sum=buffer:4", "--arg=others=buffer:8", "--result=sum=groups")
        launch = self.launch(SUM.replace("STEP", LOSE), *buffers)
        self.assertEqual((launch["verdict"], launch["found_by_lot"]), ("wrong-result", True))
        wrong = launch["wrong_end"]
        written = [step["after"] for step in wrong["steps"] if step["object"] == "sum" and step["access"] == "store"]
        self.assertEqual((wrong["object"], wrong["right"], str(written[-1])), ("sum", "12", wrong["is"]))
        self.assertEqual(len(written), 12)
        self.not_refuted(SUM.replace("STEP", ADD), *buffers)

    def test_fault(self):
        launch = self.launch(TICKETS, "--arg=next=buffer:8", "--arg=out=buffer:44", memory=2)
        self.assertEqual((launch["verdict"], launch["found_by_lot"]), ("fault", True))
        self.assertIn("writes outside of what the kernel was given", launch["fault"])
        self.assertEqual(len({step["group"] for step in launch["steps"]}), 12)
        self.not_refuted(TICKETS, "--arg=next=buffer:8", "--arg=out=buffer:48", memory=2)

    def test_race(self):
        """Of two, or more, that write; and of one there is none."""
        buffers = ("--arg=next=buffer:8", "--arg=out=buffer:4")
        launch = self.launch(LATE, *buffers, memory=2, macros="-DFIRST=10")
        self.assertEqual((launch["verdict"], launch["found_by_lot"], launch["races"]), ("race", True, 1))
        race = launch["raced"][0]
        self.assertEqual({race[access]["line"] for access in ("first", "second")}, {"lot.cl:7"})
        self.assertNotEqual(race["first"]["group"], race["second"]["group"])
        self.assertGreaterEqual(len(race["steps"]), 23)
        self.not_refuted(LATE, *buffers, memory=2, macros="-DFIRST=11")

    def test_none_where_all_is_explored(self):
        launch = self.launch(LOCKS, "--arg=locks=buffer:8", groups=2, macros="-DODD=7", code=EXIT_OK)
        self.assertEqual((launch["verdict"], launch["launches_by_lot"]), ("proved", 0))

    def test_told(self):
        (self.folder / "lot.cl").write_text(LOCKS)
        told = self.run_gridlock("prove", "lot.cl", f"--build-options={prove_case.STANDARD} -DODD=7", "--groups", "12",
                                 "--memory", "4", "-q", code=EXIT_SURPRISE).out
        self.assertRegex(told, r"  Of what was left \d+ launches by lot took \d+ steps: the last one went wrong\.\n")


if __name__ == "__main__":
    gridlock_test.main()
