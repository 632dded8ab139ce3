#include "core/cause.h"
#include "core/verdict.h"

#include "board_builder.h"
#include "harness.h"

#include <string.h>

static const struct trial barrier = {.estimator = ESTIMATOR_BARRIER, .groups = 4, .rounds = 3};
static const struct trial census = {.estimator = ESTIMATOR_CENSUS, .groups = 4};

/* Adds what the board tells to what the host saw, frees the board and judges. */
static enum verdict judge(const struct trial *trial, struct observation seen, struct builder *builder)
{
    ck_assert_int_eq(observation_read(&seen, trial, &builder->board, NULL, NULL), 0);
    builder_fini(builder);
    return verdict_judge(trial, &seen);
}

static enum verdict judge_outcome(enum outcome outcome)
{
    return verdict_judge(&barrier, &(struct observation){.outcome = outcome, .groups = 4});
}

static const struct observation ended = {.outcome = OUTCOME_ENDED};
static const struct observation confirmed = {.outcome = OUTCOME_ENDED, .judged = true, .confirmed = true};
static const struct observation relapsed = {.outcome = OUTCOME_ENDED, .judged = true, .relapsed = true};
static const struct observation left_running = {.outcome = OUTCOME_LEFT_RUNNING, .judged = true, .confirmed = true};
static const struct observation killed = {.outcome = OUTCOME_KILLED, .judged = true, .confirmed = true};
static const struct observation killed_early = {.outcome = OUTCOME_KILLED};

static struct builder passed(void)
{
    struct builder b = builder_init(4);
    builder_pass_barrier(&b, 3);
    return b;
}

static struct builder starved(uint32_t how_waits_ended)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 3, how_waits_ended);
    return b;
}

static struct builder circle(void)
{
    struct builder b = builder_init(4);
    for (uint32_t group = 0; group < 4; ++group) {
        builder_start_waiting(&b, group, (group + 1) % 4);
        builder_end_wait(&b, group, GL_ENDED_STOP, 0);
    }
    return b;
}

/* All arrived, and yet they wait. */
static struct builder stuck(void)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 4, GL_ENDED_STOP);
    return b;
}

/* --- every group ended --- */

START_TEST(barrier_that_all_passed_is_a_pass)
{
    struct builder b = passed();
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_PASS);
}
END_TEST

START_TEST(barrier_that_all_passed_although_it_was_stopped_is_a_pass)
{
    struct builder b = passed();
    b.words[GL_STOP] = GL_STOP_HOST;
    ck_assert_int_eq(judge(&barrier, confirmed, &b), VERDICT_PASS);
}
END_TEST

START_TEST(one_wrong_witness_is_wrong)
{
    struct builder b = passed();
    builder_set(&b, 3, GL_SEEN, 13);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_WRONG);
}
END_TEST

START_TEST(group_that_never_ran_in_a_kernel_that_ended_is_wrong)
{
    struct builder b = passed();
    for (uint32_t field = GL_TICKET; field <= GL_WAIT_VALUE; ++field)
        builder_set(&b, 3, field, 0);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_WRONG);
}
END_TEST

START_TEST(group_that_ended_without_being_done_is_wrong)
{
    struct builder b = passed();
    builder_set(&b, 3, GL_PHASE, GL_PHASE_RUNNING);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_WRONG);
}
END_TEST

START_TEST(late_group_makes_an_ended_launch_inconclusive)
{
    struct builder b = passed();
    builder_set(&b, 3, GL_TICKET, 0);
    builder_late(&b, 3);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(census_that_counted_some_and_ran_all_is_a_pass)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 4; ++group)
        builder_done(&b, group);
    builder_set(&b, 0, GL_COUNTED, 1);
    builder_end_wait(&b, 0, GL_ENDED_HELD, GL_CLOSED | 1);
    ck_assert_int_eq(judge(&census, ended, &b), VERDICT_PASS);
}
END_TEST

START_TEST(census_that_a_counted_group_left_while_it_was_open_is_wrong)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 4; ++group)
        builder_done(&b, group);
    builder_set(&b, 0, GL_COUNTED, 1);
    builder_end_wait(&b, 0, GL_ENDED_HELD, 1);
    ck_assert_int_eq(judge(&census, ended, &b), VERDICT_WRONG);
}
END_TEST

/* --- stalls --- */

START_TEST(confirmed_stall_with_a_group_that_never_started_is_starved)
{
    struct builder b = starved(GL_ENDED_STOP);
    ck_assert_int_eq(judge(&barrier, confirmed, &b), VERDICT_STARVED);
}
END_TEST

START_TEST(confirmed_stall_with_a_late_group_is_starved)
{
    struct builder b = starved(GL_ENDED_STOP);
    builder_late(&b, 3);
    ck_assert_int_eq(judge(&barrier, confirmed, &b), VERDICT_STARVED);
}
END_TEST

START_TEST(confirmed_stall_in_a_circle_is_a_deadlock)
{
    struct builder b = circle();
    ck_assert_int_eq(judge(&barrier, confirmed, &b), VERDICT_DEADLOCK);
}
END_TEST

START_TEST(confirmed_stall_of_another_kind_is_stalled)
{
    struct builder b = stuck();
    ck_assert_int_eq(judge(&barrier, confirmed, &b), VERDICT_STALLED);
}
END_TEST

START_TEST(circle_outranks_starvation)
{
    struct builder b = builder_init(4);
    builder_start_waiting(&b, 0, 1);
    builder_start_waiting(&b, 1, 0);
    builder_start_waiting(&b, 2, 3);
    for (uint32_t group = 0; group < 3; ++group)
        builder_end_wait(&b, group, GL_ENDED_STOP, 0);
    ck_assert_int_eq(judge(&barrier, confirmed, &b), VERDICT_DEADLOCK);
}
END_TEST

START_TEST(unconfirmed_stall_is_inconclusive)
{
    struct builder b = starved(GL_ENDED_STOP);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(unconfirmed_circle_is_inconclusive)
{
    struct builder b = circle();
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(suspicion_that_went_away_is_inconclusive)
{
    struct builder b = starved(GL_ENDED_STOP);
    ck_assert_int_eq(judge(&barrier, relapsed, &b), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(idle_fuse_alone_is_inconclusive)
{
    struct builder b = starved(GL_ENDED_IDLE);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_INCONCLUSIVE);
}
END_TEST

/* --- livelock and cut --- */

START_TEST(total_fuse_on_a_changing_board_is_a_livelock)
{
    struct builder b = starved(GL_ENDED_STOP);
    builder_end_wait(&b, 0, GL_ENDED_TOTAL, 3);
    builder_set(&b, 0, GL_POLLS, 1000);
    builder_set(&b, 0, GL_IDLE, 10);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_LIVELOCK);
}
END_TEST

START_TEST(total_fuse_on_a_quiet_board_is_no_livelock)
{
    struct builder b = starved(GL_ENDED_STOP);
    builder_end_wait(&b, 0, GL_ENDED_TOTAL, 3);
    builder_set(&b, 0, GL_POLLS, 1000);
    builder_set(&b, 0, GL_IDLE, 990);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(one_cut_loop_is_a_cut)
{
    struct builder b = starved(GL_ENDED_STOP);
    builder_end_wait(&b, 2, GL_ENDED_CUT, 3);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_CUT);
}
END_TEST

START_TEST(cut_outranks_a_confirmed_stall)
{
    struct builder b = starved(GL_ENDED_CUT);
    ck_assert_int_eq(judge(&barrier, confirmed, &b), VERDICT_CUT);
}
END_TEST

START_TEST(total_fuse_that_blew_too_soon_on_a_changing_board_is_no_livelock)
{
    struct builder b = starved(GL_ENDED_STOP);
    struct trial patient = barrier;
    patient.confirm_ns = 50000000; /* the observation's duration is less */
    builder_end_wait(&b, 0, GL_ENDED_TOTAL, 3);
    builder_set(&b, 0, GL_POLLS, 1000);
    builder_set(&b, 0, GL_IDLE, 10);
    ck_assert_int_eq(judge(&patient, ended, &b), VERDICT_INCONCLUSIVE);
}
END_TEST
START_TEST(cut_outranks_a_livelock)
{
    struct builder b = starved(GL_ENDED_CUT);
    builder_end_wait(&b, 0, GL_ENDED_TOTAL, 3);
    builder_set(&b, 0, GL_POLLS, 1000);
    ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_CUT);
}
END_TEST

/* --- launches that did not end --- */

START_TEST(confirmed_stall_that_was_left_running_is_starved)
{
    struct builder b = starved(GL_ENDED_NONE);
    ck_assert_int_eq(judge(&barrier, left_running, &b), VERDICT_STARVED);
}
END_TEST

START_TEST(launch_that_was_left_running_with_nobody_waiting_is_inconclusive)
{
    struct builder b = passed();
    ck_assert_int_eq(judge(&barrier, left_running, &b), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(killed_worker_with_a_confirmed_stall_is_starved)
{
    struct builder b = starved(GL_ENDED_NONE);
    ck_assert_int_eq(judge(&barrier, killed, &b), VERDICT_STARVED);
}
END_TEST

START_TEST(killed_worker_with_an_unconfirmed_stall_is_a_hang)
{
    struct builder b = starved(GL_ENDED_NONE);
    ck_assert_int_eq(judge(&barrier, killed_early, &b), VERDICT_HANG);
}
END_TEST

START_TEST(killed_worker_without_a_board_is_a_hang)
{
    ck_assert_int_eq(verdict_judge(&barrier, &killed), VERDICT_HANG);
}
END_TEST

START_TEST(killed_worker_whose_groups_were_all_done_is_a_hang)
{
    struct builder b = passed(); /* the kernel never ended, so its result was never there */
    ck_assert_int_eq(judge(&barrier, killed, &b), VERDICT_HANG);
}
END_TEST

START_TEST(killed_worker_with_nobody_waiting_and_some_not_started_is_a_hang)
{
    struct builder b = builder_init(4);
    builder_start(&b, 0);
    ck_assert_int_eq(judge(&barrier, killed, &b), VERDICT_HANG);
}
END_TEST

START_TEST(each_outcome_without_a_board_has_its_verdict)
{
    ck_assert_int_eq(judge_outcome(OUTCOME_CRASHED), VERDICT_CRASH);
    ck_assert_int_eq(judge_outcome(OUTCOME_DEVICE_LOST), VERDICT_DEVICE_LOST);
    ck_assert_int_eq(judge_outcome(OUTCOME_BUILD_FAILED), VERDICT_BUILD_FAILED);
    ck_assert_int_eq(judge_outcome(OUTCOME_UNSUPPORTED), VERDICT_UNSUPPORTED);
    ck_assert_int_eq(judge_outcome(OUTCOME_CL_ERROR), VERDICT_ERROR);
    ck_assert_int_eq(judge_outcome(OUTCOME_INTERRUPTED), VERDICT_INCOMPLETE);
}
END_TEST

START_TEST(crash_is_a_crash_even_with_a_confirmed_stall_on_the_board)
{
    struct builder b = starved(GL_ENDED_NONE);
    struct observation crashed = confirmed;
    crashed.outcome = OUTCOME_CRASHED;
    ck_assert_int_eq(judge(&barrier, crashed, &b), VERDICT_CRASH);
}
END_TEST

/* --- blocks of litmus tests --- */

START_TEST(a_block_that_came_to_its_end_is_a_pass)
{
    const struct trial block = {.estimator = ESTIMATOR_PROGRESS, .groups = 4};
    const struct observation seen = {.outcome = OUTCOME_ENDED, .groups = 4};
    ck_assert_int_eq(verdict_judge(&block, &seen), VERDICT_PASS);
    ck_assert_int_eq(cause_judge(&block, &seen), CAUSE_NONE);
}
END_TEST

START_TEST(a_block_that_did_not_is_what_ended_it)
{
    static const enum verdict verdicts[OUTCOME_COUNT] = {
        [OUTCOME_LEFT_RUNNING] = VERDICT_INCONCLUSIVE,
        [OUTCOME_KILLED] = VERDICT_HANG,
        [OUTCOME_CRASHED] = VERDICT_CRASH,
        [OUTCOME_DEVICE_LOST] = VERDICT_DEVICE_LOST,
        [OUTCOME_BUILD_FAILED] = VERDICT_BUILD_FAILED,
        [OUTCOME_UNSUPPORTED] = VERDICT_UNSUPPORTED,
        [OUTCOME_CL_ERROR] = VERDICT_ERROR,
        [OUTCOME_INTERRUPTED] = VERDICT_INCOMPLETE,
    };
    const struct trial block = {.estimator = ESTIMATOR_PROGRESS, .groups = 4};

    for (int outcome = 1; outcome < OUTCOME_COUNT; ++outcome) {
        const struct observation seen = {.outcome = (enum outcome)outcome, .groups = 4};
        ck_assert_int_eq(verdict_judge(&block, &seen), verdicts[outcome]);
    }
}
END_TEST

/* --- results of a scenario's kernel --- */

static const struct trial work = {
    .estimator = ESTIMATOR_WORK, .groups = 4, .work = {.kernel = "toy", .checks_counted = true, .checks = 40}};

/* Every wait came true, and all checks were made. */
static struct observation worked(void)
{
    return (struct observation){
        .outcome = OUTCOME_ENDED,
        .groups = 4,
        .board_read = true,
        .started = 4,
        .done = 4,
        .witnesses = 4,
        .checked = 40,
        .waitfor = WAITFOR_NOTHING,
    };
}

START_TEST(work_with_right_reads_and_results_is_a_pass)
{
    struct observation o = worked();
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_PASS);
}
END_TEST

START_TEST(one_stale_read_is_stale)
{
    struct observation o = worked();
    o.stale = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_STALE);
}
END_TEST

START_TEST(one_wrong_read_is_wrong)
{
    struct observation o = worked();
    o.wrong = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(one_wrong_result_is_wrong)
{
    struct observation o = worked();
    o.differing = 1;
    o.bad_result = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(stale_outranks_wrong)
{
    struct observation o = worked();
    o.stale = 1;
    o.wrong = 5;
    o.differing = 5;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_STALE);
    o.checked = 0;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_STALE);
}
END_TEST

START_TEST(checks_that_were_not_made_are_wrong)
{
    struct observation o = worked();
    o.checked = 39;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
    o.checked = 0;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
    o.checked = 41;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(checks_of_a_kernel_that_cannot_say_how_many_there_are_may_be_any)
{
    struct trial uncounted = work;
    struct observation o = worked();
    uncounted.work.checks_counted = false;
    uncounted.work.checks = 0;
    for (o.checked = 0; o.checked < 50; o.checked += 10)
        ck_assert_int_eq(verdict_judge(&uncounted, &o), VERDICT_PASS);
    o.wrong = 1;
    ck_assert_int_eq(verdict_judge(&uncounted, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(work_with_a_wait_that_is_not_proven_is_wrong_before_it_is_stale)
{
    struct observation o = worked();
    o.witnesses = 3;
    o.stale = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(work_whose_groups_did_not_all_run_is_wrong)
{
    struct observation o = worked();
    o.started = 3;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
    o = worked();
    o.done = 3;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(stale_reads_before_a_stall_or_a_cut_do_not_hide_it)
{
    struct observation o = worked();
    o.stale = 1;
    o.done = 3;
    o.waiting = 1;
    o.confirmed = true;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_STALLED);
    o.ended_cut = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_CUT);
}
END_TEST

/* The total fuse blew while locks were still taken and dropped; for so long nothing came of it. */
static struct observation spent(uint64_t still_ns)
{
    struct observation o = worked();
    o.done = 3;
    o.waiting = 1;
    o.ended_total = o.busy_total = 1;
    o.duration_ns = 1000;
    o.still_ns = still_ns;
    return o;
}

START_TEST(changes_without_progress_for_half_the_time_are_a_livelock)
{
    struct observation o = spent(500);
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_LIVELOCK);
    o = spent(1000);
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_LIVELOCK);
}
END_TEST

START_TEST(changes_with_late_progress_are_no_livelock)
{
    struct observation o = spent(499);
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_INCONCLUSIVE);
    o = spent(0);
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(changes_without_progress_for_a_short_launch_are_no_livelock)
{
    struct observation o = spent(1000);
    struct trial patient = work;
    patient.confirm_ns = 1000;
    ck_assert_int_eq(verdict_judge(&patient, &o), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(results_of_a_limits_kernel_are_not_asked_for)
{
    struct observation o = worked();
    o.checked = 0;
    o.stale = o.wrong = o.differing = 1;
    ck_assert_int_eq(verdict_judge(&barrier, &o), VERDICT_PASS);
}
END_TEST

/* --- sets --- */

static verdict_set set_of(enum verdict verdict)
{
    return (verdict_set)1 << verdict;
}

static void assert_print(verdict_set set, const char *wanted)
{
    char text[512];
    verdict_set_print(set, text, sizeof text);
    ck_assert_str_eq(text, wanted);
}

START_TEST(set_is_printed_in_the_order_of_the_verdicts)
{
    assert_print(set_of(VERDICT_PASS), "pass");
    assert_print(set_of(VERDICT_STALE) | set_of(VERDICT_PASS), "pass or stale");
    assert_print(set_of(VERDICT_NOT_RUN) | set_of(VERDICT_STARVED) | set_of(VERDICT_DEVICE_LOST),
                 "starved or device-lost or not-run");
}
END_TEST

START_TEST(empty_set_is_printed_as_nothing)
{
    assert_print(0, "");
}
END_TEST

START_TEST(print_of_a_set_is_cut_to_fit)
{
    const verdict_set all = (1u << VERDICT_COUNT) - 1;
    char whole[512];
    verdict_set_print(all, whole, sizeof whole);
    for (size_t size = 1; size < 100; ++size) {
        char text[101];
        memset(text, '#', sizeof text);
        verdict_set_print(all, text, size);
        ck_assert_uint_eq(strlen(text), size - 1);
        ck_assert_int_eq(strncmp(text, whole, size - 1), 0);
        ck_assert_int_eq(text[size], '#');
    }
}
END_TEST

START_TEST(each_set_of_two_is_parsed_as_it_was_printed)
{
    for (int a = 0; a < VERDICT_COUNT; ++a)
        for (int b = 0; b < VERDICT_COUNT; ++b) {
            const verdict_set set = set_of((enum verdict)a) | set_of((enum verdict)b);
            char text[64];
            verdict_set parsed = 0;
            verdict_set_print(set, text, sizeof text);
            ck_assert_int_eq(verdict_set_parse(text, &parsed, NULL), 0);
            ck_assert_uint_eq(parsed, set);
        }
}
END_TEST

START_TEST(set_is_parsed_in_any_order)
{
    verdict_set set;
    ck_assert_int_eq(verdict_set_parse("stalled or pass or pass", &set, NULL), 0);
    ck_assert_uint_eq(set, set_of(VERDICT_PASS) | set_of(VERDICT_STALLED));
}
END_TEST

START_TEST(what_is_no_set_is_refused_with_the_verdicts)
{
    static const char *const texts[] = {"",
                                        "maybe",
                                        "pass or ",
                                        "pass or",
                                        " or pass",
                                        "pass  or stale",
                                        "pass or maybe",
                                        "pass,stale",
                                        "pass starved",
                                        "PASS",
                                        " pass",
                                        "pass ",
                                        "or",
                                        "pass or or stale",
                                        "a name that is longer than any verdict has, and than any buffer"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        struct error error;
        verdict_set set;
        ck_assert_msg(verdict_set_parse(texts[i], &set, &error) == -1, "'%s'", texts[i]);
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_ptr_nonnull(strstr(error.text, "is no verdict: pass, stale, wrong, starved, deadlock"));
    }
}
END_TEST

START_TEST(surprise_is_what_is_neither_expected_nor_tolerated)
{
    const verdict_set pass = set_of(VERDICT_PASS), stale = set_of(VERDICT_STALE);

    ck_assert(!verdict_is_surprise(VERDICT_PASS, pass, 0, false));
    ck_assert(verdict_is_surprise(VERDICT_STALE, pass, 0, false));
    ck_assert(!verdict_is_surprise(VERDICT_STALE, pass, stale, false));
    ck_assert(verdict_is_surprise(VERDICT_WRONG, pass, stale, false));
    ck_assert(verdict_is_surprise(VERDICT_INCONCLUSIVE, pass, 0, false));
    ck_assert(verdict_is_surprise(VERDICT_CRASH, pass, 0, true));
}
END_TEST

START_TEST(surprise_needs_an_expectation_and_a_launch)
{
    const verdict_set pass = set_of(VERDICT_PASS);

    ck_assert(!verdict_is_surprise(VERDICT_STALE, 0, 0, false));
    ck_assert(!verdict_is_surprise(VERDICT_UNSUPPORTED, pass, 0, false));
    ck_assert(!verdict_is_surprise(VERDICT_INCOMPLETE, pass, 0, false));
}
END_TEST

START_TEST(loop_that_is_cut_surprises_only_where_loops_are_not_cut)
{
    const verdict_set pass = set_of(VERDICT_PASS);

    ck_assert(verdict_is_surprise(VERDICT_CUT, pass, 0, false));
    ck_assert(!verdict_is_surprise(VERDICT_CUT, pass, 0, true));
    ck_assert(!verdict_is_surprise(VERDICT_INCONCLUSIVE, pass, 0, true));
    ck_assert(verdict_is_surprise(VERDICT_STALE, pass, 0, true));
}
END_TEST

START_TEST(verdict_is_in_the_sets_that_have_it)
{
    for (int a = 0; a < VERDICT_COUNT; ++a)
        for (int b = 0; b < VERDICT_COUNT; ++b)
            ck_assert_int_eq(verdict_is_in((enum verdict)a, set_of((enum verdict)b)), a == b);
    ck_assert(!verdict_is_in(VERDICT_PASS, 0));
}
END_TEST

/* --- names --- */

START_TEST(only_starved_deadlock_and_stalled_are_stalls)
{
    for (int i = 0; i < VERDICT_COUNT; ++i)
        ck_assert_int_eq(verdict_is_stall((enum verdict)i),
                         i == VERDICT_STARVED || i == VERDICT_DEADLOCK || i == VERDICT_STALLED);
}
END_TEST

START_TEST(each_verdict_is_found_by_its_name)
{
    for (int i = 0; i < VERDICT_COUNT; ++i)
        ck_assert_int_eq(verdict_find(verdict_name((enum verdict)i)), i);
}
END_TEST

START_TEST(names_of_verdicts_are_in_the_order_of_the_verdicts)
{
    ck_assert_str_eq(verdict_name(VERDICT_PASS), "pass");
    ck_assert_str_eq(verdict_name(VERDICT_STARVED), "starved");
    ck_assert_str_eq(verdict_name(VERDICT_LIVELOCK), "livelock");
    ck_assert_str_eq(verdict_name(VERDICT_DEVICE_LOST), "device-lost");
    ck_assert_str_eq(verdict_name(VERDICT_NOT_RUN), "not-run");
}
END_TEST

START_TEST(unknown_verdict_is_not_found)
{
    ck_assert_int_eq(verdict_find("passed"), -1);
    ck_assert_int_eq(verdict_find(""), -1);
}
END_TEST

HARNESS_MAIN(
    "verdict", barrier_that_all_passed_is_a_pass, barrier_that_all_passed_although_it_was_stopped_is_a_pass,
    one_wrong_witness_is_wrong, group_that_never_ran_in_a_kernel_that_ended_is_wrong,
    group_that_ended_without_being_done_is_wrong, late_group_makes_an_ended_launch_inconclusive,
    census_that_counted_some_and_ran_all_is_a_pass, census_that_a_counted_group_left_while_it_was_open_is_wrong,
    confirmed_stall_with_a_group_that_never_started_is_starved, confirmed_stall_with_a_late_group_is_starved,
    confirmed_stall_in_a_circle_is_a_deadlock, confirmed_stall_of_another_kind_is_stalled, circle_outranks_starvation,
    unconfirmed_stall_is_inconclusive, unconfirmed_circle_is_inconclusive, suspicion_that_went_away_is_inconclusive,
    idle_fuse_alone_is_inconclusive, total_fuse_on_a_changing_board_is_a_livelock,
    total_fuse_on_a_quiet_board_is_no_livelock, total_fuse_that_blew_too_soon_on_a_changing_board_is_no_livelock,
    one_cut_loop_is_a_cut, cut_outranks_a_confirmed_stall, cut_outranks_a_livelock,
    confirmed_stall_that_was_left_running_is_starved, launch_that_was_left_running_with_nobody_waiting_is_inconclusive,
    killed_worker_with_a_confirmed_stall_is_starved, killed_worker_with_an_unconfirmed_stall_is_a_hang,
    killed_worker_without_a_board_is_a_hang, killed_worker_whose_groups_were_all_done_is_a_hang,
    killed_worker_with_nobody_waiting_and_some_not_started_is_a_hang, each_outcome_without_a_board_has_its_verdict,
    crash_is_a_crash_even_with_a_confirmed_stall_on_the_board, only_starved_deadlock_and_stalled_are_stalls,
    each_verdict_is_found_by_its_name, names_of_verdicts_are_in_the_order_of_the_verdicts, unknown_verdict_is_not_found,
    work_with_right_reads_and_results_is_a_pass, one_stale_read_is_stale, one_wrong_read_is_wrong,
    one_wrong_result_is_wrong, stale_outranks_wrong, checks_that_were_not_made_are_wrong,
    checks_of_a_kernel_that_cannot_say_how_many_there_are_may_be_any,
    work_with_a_wait_that_is_not_proven_is_wrong_before_it_is_stale, work_whose_groups_did_not_all_run_is_wrong,
    stale_reads_before_a_stall_or_a_cut_do_not_hide_it, a_block_that_came_to_its_end_is_a_pass,
    a_block_that_did_not_is_what_ended_it, results_of_a_limits_kernel_are_not_asked_for,
    set_is_printed_in_the_order_of_the_verdicts, empty_set_is_printed_as_nothing, print_of_a_set_is_cut_to_fit,
    each_set_of_two_is_parsed_as_it_was_printed, set_is_parsed_in_any_order,
    what_is_no_set_is_refused_with_the_verdicts, surprise_is_what_is_neither_expected_nor_tolerated,
    surprise_needs_an_expectation_and_a_launch, loop_that_is_cut_surprises_only_where_loops_are_not_cut,
    verdict_is_in_the_sets_that_have_it, changes_without_progress_for_half_the_time_are_a_livelock,
    changes_with_late_progress_are_no_livelock, changes_without_progress_for_a_short_launch_are_no_livelock)
