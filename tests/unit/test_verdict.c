#include "verdict_fixture.h"

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

START_TEST(group_that_left_when_it_was_stopped_although_it_shows_no_wait_is_inconclusive)
{
    static const uint32_t ends[] = {GL_ENDED_STOP, GL_ENDED_IDLE, GL_ENDED_TOTAL};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        struct builder b = passed();
        builder_end_wait(&b, 3, ends[i], 3);
        builder_set(&b, 3, GL_PHASE, GL_PHASE_RUNNING);
        ck_assert_int_eq(judge(&barrier, ended, &b), VERDICT_INCONCLUSIVE);
    }
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

START_TEST(confirmed_stall_of_a_launch_that_ended_without_one_of_its_groups_is_wrong)
{
    struct builder b = starved(GL_ENDED_STOP);
    ck_assert_int_eq(judge(&barrier, confirmed, &b), VERDICT_WRONG);
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

START_TEST(proved_stall_with_nobody_waiting_is_stalled)
{
    struct builder b = passed();
    b.words[GL_STOP] = GL_STOP_HOST | GL_STOP_PROVED;
    ck_assert_int_eq(judge(&barrier, left_running, &b), VERDICT_STALLED);
    struct observation changing = left_running;
    changing.churned = true;
    b = passed();
    b.words[GL_STOP] = GL_STOP_HOST | GL_STOP_PROVED;
    ck_assert_int_eq(judge(&barrier, changing, &b), VERDICT_LIVELOCK);
    b = passed();
    b.words[GL_STOP] = GL_STOP_HOST;
    ck_assert_int_eq(judge(&barrier, left_running, &b), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(proved_stall_whose_other_groups_were_left_is_starved)
{
    struct builder b = starved(GL_ENDED_STOP);
    b.words[GL_STOP] = GL_STOP_HOST | GL_STOP_PROVED;
    ck_assert_int_eq(judge(&barrier, confirmed, &b), VERDICT_STARVED);
}
END_TEST

START_TEST(killed_worker_with_a_confirmed_stall_is_starved)
{
    struct builder b = starved(GL_ENDED_NONE);
    ck_assert_int_eq(judge(&barrier, killed, &b), VERDICT_STARVED);
}
END_TEST

START_TEST(killed_worker_with_a_confirmed_stall_beside_a_busy_group_is_a_hang)
{
    struct builder b = starved(GL_ENDED_NONE);
    struct observation beside = killed;

    beside.busy = 1; /* it may have ended the stall meanwhile */
    ck_assert_int_eq(judge(&barrier, beside, &b), VERDICT_HANG);
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
    const struct trial block = {.kind = TRIAL_PROGRESS, .groups = 4};
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
        [OUTCOME_STOOD] = VERDICT_DEADLOCK,
    };
    const struct trial block = {.kind = TRIAL_PROGRESS, .groups = 4};

    for (int outcome = 1; outcome < OUTCOME_COUNT; ++outcome) {
        const struct observation seen = {.outcome = (enum outcome)outcome, .groups = 4};
        ck_assert_int_eq(verdict_judge(&block, &seen), verdicts[outcome]);
    }
}
END_TEST

START_TEST(a_kernel_that_is_tried_is_no_deadlock_before_that_is_proved)
{
    const struct trial tried = {.kind = TRIAL_TRY, .groups = 4};
    const struct observation late = {.outcome = OUTCOME_KILLED, .groups = 4};
    const struct observation stood = {.outcome = OUTCOME_STOOD, .groups = 4};
    const struct observation came_back = {.outcome = OUTCOME_ENDED, .groups = 4};

    ck_assert_int_eq(verdict_judge(&tried, &late), VERDICT_INCONCLUSIVE);
    ck_assert_int_eq(verdict_judge(&tried, &stood), VERDICT_DEADLOCK);
    ck_assert_int_eq(verdict_judge(&tried, &came_back), VERDICT_PASS);
}
END_TEST

HARNESS_MAIN("verdict", a_kernel_that_is_tried_is_no_deadlock_before_that_is_proved, barrier_that_all_passed_is_a_pass,
             barrier_that_all_passed_although_it_was_stopped_is_a_pass, one_wrong_witness_is_wrong,
             group_that_never_ran_in_a_kernel_that_ended_is_wrong, group_that_ended_without_being_done_is_wrong,
             group_that_left_when_it_was_stopped_although_it_shows_no_wait_is_inconclusive,
             late_group_makes_an_ended_launch_inconclusive, census_that_counted_some_and_ran_all_is_a_pass,
             census_that_a_counted_group_left_while_it_was_open_is_wrong,
             confirmed_stall_of_a_launch_that_ended_without_one_of_its_groups_is_wrong,
             confirmed_stall_with_a_late_group_is_starved, confirmed_stall_in_a_circle_is_a_deadlock,
             confirmed_stall_of_another_kind_is_stalled, circle_outranks_starvation, unconfirmed_stall_is_inconclusive,
             unconfirmed_circle_is_inconclusive, suspicion_that_went_away_is_inconclusive,
             idle_fuse_alone_is_inconclusive, total_fuse_on_a_changing_board_is_a_livelock,
             total_fuse_on_a_quiet_board_is_no_livelock,
             total_fuse_that_blew_too_soon_on_a_changing_board_is_no_livelock, one_cut_loop_is_a_cut,
             cut_outranks_a_confirmed_stall, cut_outranks_a_livelock, confirmed_stall_that_was_left_running_is_starved,
             launch_that_was_left_running_with_nobody_waiting_is_inconclusive,
             killed_worker_with_a_confirmed_stall_is_starved,
             killed_worker_with_a_confirmed_stall_beside_a_busy_group_is_a_hang,
             killed_worker_with_an_unconfirmed_stall_is_a_hang, killed_worker_without_a_board_is_a_hang,
             killed_worker_whose_groups_were_all_done_is_a_hang,
             killed_worker_with_nobody_waiting_and_some_not_started_is_a_hang,
             proved_stall_with_nobody_waiting_is_stalled, proved_stall_whose_other_groups_were_left_is_starved,
             each_outcome_without_a_board_has_its_verdict, crash_is_a_crash_even_with_a_confirmed_stall_on_the_board,
             a_block_that_came_to_its_end_is_a_pass, a_block_that_did_not_is_what_ended_it)
