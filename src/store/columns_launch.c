#include "store/columns.h"

#define LAUNCH(column, member) COLUMN(struct launch_row, column, member)
#define SEEN(column, member) LAUNCH(column, stored.observation.member)
/* What only a board tells. */
#define ON_BOARD .known = offsetof(struct launch_row, stored.observation.board_read)
static const struct column observation_columns[] = {
    {LAUNCH("trial", trial), .refers = "trial (id)"},
    {LAUNCH("launch", launch), .says = "of the trial, from 0"},
    {NAMED(struct launch_row, "outcome", stored.observation.outcome, outcome)},
    {SEEN("groups", groups), .says = "launched"},
    {SEEN("judged", judged), .says = "1: the host saw no change for the suspicion's time and ended it"},
    {SEEN("confirmed", confirmed), .says = "1: this stall, or one like it in the batch, stood the longer time"},
    {SEEN("churned", churned), .says = "1: the host saw changes without progress for long, and ended it"},
    {SEEN("relapsed", relapsed), .says = "1: it was thought to have stalled, and went on"},
    {SEEN("overdue", overdue), .says = "1: its time was up, and the host ended it"},
    {SEEN("seed", seed), .absent = ABSENT_ZERO, .says = "of its delays, and of what its kernel drew by lot"},
    {SEEN("busy", busy), ON_BOARD, .says = "groups that were in no wait when the host ended it"},
    {SEEN("busy_at", busy_at), ON_BOARD, .says = "the first of them"},
    {SEEN("started", started), IN_JSON, ON_BOARD, .says = "groups"},
    {SEEN("waiting", waiting), IN_JSON, ON_BOARD, .says = "of these, waiting when the launch ended or was stopped"},
    {SEEN("ready", ready), ON_BOARD, .says = "of these, with what they waited for already true"},
    {SEEN("done", done), IN_JSON, ON_BOARD, .says = "reached their end with all conditions true"},
    {SEEN("late", late), ON_BOARD, .says = "started after the stop word was set"},
    {SEEN("counted", counted), ON_BOARD, .says = "by census or discovery"},
    {SEEN("witnesses", witnesses), IN_JSON, ON_BOARD,
     .says = "done, and each wait ended with a value that proves its condition"},
    {SEEN("ended_stop", ended_stop), ON_BOARD, .says = "groups whose last wait was ended by the stop word"},
    {SEEN("ended_idle", ended_idle), ON_BOARD, .says = "by their idle fuse"},
    {SEEN("ended_total", ended_total), ON_BOARD, .says = "by their total fuse"},
    {SEEN("ended_cut", ended_cut), ON_BOARD, .says = "by the driver"},
    {SEEN("busy_total", busy_total), ON_BOARD, .says = "of ended_total: those whose board had changed lately"},
    {SEEN("starved_from", waitfor.starved_from), IN_POINTS, .absent = ABSENT_NOBODY, ON_BOARD,
     .says = "group from which a chain of waits leads to never_started"},
    {SEEN("never_started", waitfor.never_started), IN_JSON, .absent = ABSENT_NOBODY, ON_BOARD, .says = "group"},
    {SEEN("circle_at", waitfor.circle_at), IN_JSON, .absent = ABSENT_NOBODY, ON_BOARD,
     .says = "group that waits, through others, for itself"},
    {SEEN("circle_groups", waitfor.circle_groups), IN_POINTS, .absent = ABSENT_ZERO, ON_BOARD,
     .says = "groups of that circle"},
    {SEEN("circle_certain", waitfor.circle_certain), IN_POINTS, ON_BOARD,
     .says = "1: each of its waits names whom it waits for; 0: rules before the fourth"},
    {SEEN("items_at", waitfor.items_at), IN_POINTS, .absent = ABSENT_NOBODY, ON_BOARD,
     .says = "group that waits for another of its own work-items"},
    {SEEN("unlock_at", waitfor.unlock_at), IN_POINTS, .absent = ABSENT_NOBODY, ON_BOARD,
     .says = "group that waits for a lock which nobody is left to drop"},
    {SEEN("uneven_at", waitfor.uneven_at), IN_POINTS, .absent = ABSENT_NOBODY, ON_BOARD,
     .says = "group that ended before a round in which others wait for it"},
    {SEEN("lost_at", waitfor.lost_at), IN_POINTS, .absent = ABSENT_NOBODY, ON_BOARD,
     .says = "group that waits for a round to which all have come"},
    {SEEN("signal_at", waitfor.signal_at), IN_POINTS, .absent = ABSENT_NOBODY, ON_BOARD,
     .says = "group that waits for one that has ended, or for itself"},
    {SEEN("checked", checked), IN_JSON, ON_BOARD, .says = "reads across groups that the kernel checked, in all groups"},
    {SEEN("stale", stale), IN_JSON, ON_BOARD, .says = "of these, with the value of an earlier round"},
    {SEEN("wrong", wrong), IN_JSON, ON_BOARD, .says = "of these, with a value that is wrong in another way"},
    {SEEN("differing", differing), IN_JSON, ON_BOARD,
     .says = "elements of the results that are not what the host computed"},
    {SEEN("bad_result", bad_result), IN_POINTS, .absent = ABSENT_ZERO,
     .says = "the first of them: which result of the kernel, from 1"},
    {SEEN("bad_at", bad_at), IN_POINTS, ON_BOARD, .says = "which element"},
    {SEEN("bad_wanted", bad_wanted), IN_POINTS, ON_BOARD, .says = "what it should be, as bits"},
    {SEEN("bad_got", bad_got), IN_POINTS, ON_BOARD},
    {SEEN("stop", stop), ON_BOARD, .says = "the stop word at the end (GL_STOP_* bits)"},
    {SEEN("shape_x", shape[0]), .absent = ABSENT_ZERO,
     .says = "of a launch over a range: work-items of the first group"},
    {SEEN("shape_y", shape[1]), .absent = ABSENT_ZERO},
    {SEEN("shape_z", shape[2]), .absent = ABSENT_ZERO},
    {SEEN("launched", launched), .absent = ABSENT_ZERO, .says = "groups that the driver divided it into"},
    {SEEN("duration_ns", duration_ns), .says = "launch to end, on the host's clock"},
    {SEEN("device_ns", device_ns), .absent = ABSENT_ZERO, .says = "by event profiling"},
    {SEEN("handover_ps", handover_ps), .absent = ABSENT_ZERO,
     .says = "the median of a hand-over from group to group, as the kernel measured it"},
    {SEEN("gap_ns", gap_ns), .absent = ABSENT_ZERO,
     .says = "the longest time without a change while changes still came"},
    {SEEN("still_ns", still_ns), .absent = ABSENT_ZERO, .says = "from when something moved last to the end"},
    {SEEN("close_ns", close_ns), .absent = ABSENT_ZERO,
     .says = "time without an arrival after which the host closed the census"},
    {SEEN("polls", polls), ON_BOARD, .says = "the most polls of one group"},
    {SEEN("code", code), .absent = ABSENT_ZERO, .says = "OpenCL error; signal of a crash, or minus its exit status"},
    {LAUNCH("board", board),
     .says = "one launch of a trial has it: its words (kernels/abi.h), packed as src/base/packed.h says"},
    {LAUNCH("board_alike", alike), .absent = ABSENT_ZERO,
     .says = "instead: a board of the same device that is alike in all but times, units and order"},
    {LAUNCH("samples", samples),
     .says = "of that launch, by --samples: how its groups came there, as words (src/judge/samples.h), packed, too"},
};
const struct table store_observation_table = {
    TABLE("observation", observation_columns),
    .says = "The facts of one launch, without opinion; of a block, whether it came to its end. Where no board was "
            "read, what it tells is NULL.",
    .keys = "PRIMARY KEY (trial, launch)\n)",
};

static const struct column verdict_columns[] = {
    {LAUNCH("trial", trial)},
    {LAUNCH("launch", launch)},
    {LAUNCH("rules", rules), .says = "their version"},
    {NAMED(struct launch_row, "verdict", stored.verdict, verdict)},
    {NAMED(struct launch_row, "cause", stored.cause, cause), IN_JSON, .absent = ABSENT_ZERO,
     .says = "why; NULL: it passed, or no board explains it"},
};
const struct table store_verdict_table = {
    TABLE("verdict", verdict_columns),
    .says = "What a launch means by one version of the rules. It follows from trial and observation alone, so that "
            "newer rules can replace it.",
    .keys = "PRIMARY KEY (trial, launch),\n  FOREIGN KEY (trial, launch) REFERENCES observation (trial, launch)\n"
            ") WITHOUT ROWID",
};

#define TURNS(column, member) COLUMN(struct schedule_row, column, member)
static const struct column schedule_columns[] = {
    {TURNS("trial", trial), .refers = "trial (id)"},
    {TURNS("launch", kept.launch), .says = "of the trial: one that failed"},
    {TURNS("cuts", kept.cuts), .absent = ABSENT_ZERO,
     .says = "turns that were cut before it was shortened; NULL: it was not"},
    {TURNS("turns", turns),
     .says =
         "three words each, packed as a board is: group, work-item of it, and steps, with 2^31 added if it was cut; "
         "no steps: all stood still"},
    {TURNS("stops", kept.stops), .absent = ABSENT_ZERO,
     .says = "lines of the source at which the last turns before that were cut, one a line, empty if not known"},
};
const struct table store_schedule_table = {
    TABLE("schedule", schedule_columns),
    .says = "Who had the next turn in a launch on a model device, and for how many steps, which end before an access, "
            "at a barrier or with the work-item.",
    .keys = "PRIMARY KEY (trial)\n)",
};

static const struct column proof_columns[] = {
    {COLUMN(struct proof_row, "trial", trial), .refers = "trial (id)"},
    {COLUMN(struct proof_row, "result", result),
     .says = "words of a struct proof_result (src/proof/result.h), packed as a board is"},
};
const struct table store_proof_table = {
    TABLE("proof", proof_columns),
    .says = "What was proved of a launch of which all schedules were explored.",
    .keys = "PRIMARY KEY (trial)\n)",
};

#define TEST(column, member) COLUMN(struct test_row, column, member)
#define TOLD(column, member) TEST(column, stored.outcome.member)
#define STATE(column, member) TOLD(column, state.member), .known = offsetof(struct test_row, stopped)
static const struct column litmus_columns[] = {
    {TEST("trial", trial), .refers = "trial (id)"},
    {TOLD("test", test), .says = "its place in the block, from 0"},
    {TEST("program", stored.program), .says = "as `gridlock litmus` reads it: location,check,exchange,jump, ..."},
    {TOLD("ran", ran), .says = "launches that ended or stalled, and are decided"},
    {TOLD("stalled", stalled), .says = "of these"},
    {TOLD("undecided", undecided), .says = "beside these: stalls that did not come back with more time"},
    {TOLD("confirmed", confirmed), .says = "1: of the stalls, at least one stood for much longer"},
    {TOLD("cut", cut), .says = "1: the driver ended a loop, and nothing is known of the test"},
    {TOLD("duration_ns", duration_ns), .says = "of all its launches"},
    {TOLD("stall_ns", stall_ns), .absent = ABSENT_ZERO,
     .says = "the shortest time in which a launch was seen to have stalled"},
    {STATE("groups", groups),
     .part = "Where it stood in the confirmed stall, or else in the last one; NULL if it always ended.",
     .says = "of the launch"},
    {STATE("started", started), .says = "of these, before it was stopped"},
    {STATE("ended", ended), .says = "of these"},
    {STATE("stuck", stuck), .says = "instances with a thread that had started and not ended"},
    {STATE("instance", instance), .says = "one of them, which the rest is about"},
    {STATE("threads_started", threads_started), .says = "a bit for each thread"},
    {STATE("threads_ended", threads_ended), .says = "a bit for each thread"},
    {STATE("memory", memory), .says = "a bit for each location"},
    {TEST("positions", positions), .known = offsetof(struct test_row, stopped),
     .says = "each thread's next instruction, separated by spaces; -: it had not started"},
    {STATE("starved", starved), .says = "1: whatever its started threads do, none ends: another must start"},
};
const struct table store_litmus_table = {
    TABLE("litmus", litmus_columns),
    .says = "What a test of a block came to. A test that was not run may have no row.",
    .keys = "PRIMARY KEY (trial, test)\n) WITHOUT ROWID",
};
