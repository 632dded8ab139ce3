#include "judge/cause.h"

#include "board_builder.h"
#include "harness.h"

/* Four groups of a scenario's kernel; as many fit. */
static struct trial new_trial(void)
{
    return (struct trial){
        .kind = TRIAL_WORK, .groups = 4, .proven_groups = 4, .confirm_ns = 1000, .work = {.kernel = "toy"}};
}

/* The cause of a launch that was confirmed to have stalled on this board, which is freed. */
static enum cause cause_of_stall(const struct trial *trial, struct builder *builder)
{
    struct observation observation = {.outcome = OUTCOME_ENDED, .judged = true, .confirmed = true};
    for (uint32_t group = 0; group < builder->board.groups; ++group)
        if (board_waiting(&builder->board, group))
            builder_set(builder, group, GL_ENDED, GL_ENDED_STOP);
    observation_read(&observation, trial, &builder->board, NULL);
    builder_fini(builder);
    return cause_judge(trial, &observation);
}

static void assert_cause(struct builder *builder, enum cause wanted)
{
    const struct trial trial = new_trial();
    ck_assert_str_eq(cause_name(cause_of_stall(&trial, builder)), cause_name(wanted));
}

/* --- starvation --- */

START_TEST(chain_to_a_group_without_a_place_is_occupancy)
{
    struct trial trial = new_trial();
    struct builder b = builder_init(4);
    trial.proven_groups = 2;
    builder_starve_barrier(&b, 2, GL_ENDED_STOP);
    builder_late(&b, 2);
    builder_late(&b, 3);
    ck_assert_int_eq(cause_of_stall(&trial, &b), CAUSE_OCCUPANCY);
}
END_TEST

START_TEST(chain_to_a_group_beside_a_free_place_is_not_occupancy)
{
    struct trial trial = new_trial();
    struct builder b = builder_init(4);
    trial.proven_groups = 2;
    builder_start_waiting(&b, 0, 1);
    builder_start(&b, 2);
    builder_done(&b, 2);
    builder_start(&b, 3);
    builder_done(&b, 3);
    builder_late(&b, 1);
    ck_assert_int_eq(cause_of_stall(&trial, &b), CAUSE_NOT_DISPATCHED);
}
END_TEST

/* --- circles --- */

START_TEST(groups_that_wait_for_each_other_are_a_circle)
{
    struct builder b = builder_init(4);
    for (uint32_t group = 0; group < 4; ++group)
        builder_start_waiting(&b, group, (group + 1) % 4);
    assert_cause(&b, CAUSE_CIRCULAR_WAIT);
}
END_TEST

START_TEST(group_that_waits_for_its_own_work_item_is_no_circle_of_groups)
{
    struct builder b = builder_init(4);
    for (uint32_t group = 0; group < 4; ++group)
        builder_start_waiting(&b, group, GL_GROUP_SELF);
    assert_cause(&b, CAUSE_WORK_ITEMS);
}
END_TEST

/* Group 0 waits for the lock at sync word 0, which bears the name of `owner`. */
static struct builder lock_of(uint32_t owner)
{
    struct builder b = builder_init_sync(4, 1);
    builder_start_all(&b);
    for (uint32_t group = 1; group < 4; ++group)
        builder_done(&b, group);
    b.words[builder_sync(&b, 0)] = owner + 1;
    builder_wait_until(&b, 0, builder_sync(&b, 0), GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    return b;
}

START_TEST(lock_taken_by_another_work_item_of_the_group_is_work_items)
{
    struct builder b = lock_of(0);
    assert_cause(&b, CAUSE_WORK_ITEMS);
}
END_TEST

START_TEST(lock_that_the_group_itself_still_holds_is_a_circle_of_one)
{
    struct builder b = lock_of(0);
    builder_set(&b, 0, GL_LOCKS_HELD, 1);
    assert_cause(&b, CAUSE_CIRCULAR_WAIT);
}
END_TEST

/* --- locks --- */

START_TEST(lock_whose_owner_has_ended_is_a_lost_unlock)
{
    struct builder b = lock_of(2);
    assert_cause(&b, CAUSE_LOST_UNLOCK);
}
END_TEST

START_TEST(lock_whose_owner_waits_elsewhere_is_no_lost_unlock)
{
    struct builder b = lock_of(2);
    builder_wait(&b, 2, GL_GROUP_HOST);
    assert_cause(&b, CAUSE_UNKNOWN);
}
END_TEST

START_TEST(queue_at_a_lock_that_nobody_holds_is_a_lost_unlock)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    builder_wait(&b, 1, GL_GROUP_HOLDER);
    builder_wait(&b, 2, GL_GROUP_HOLDER);
    builder_done(&b, 0);
    builder_done(&b, 3);
    builder_set(&b, 3, GL_LOCKS_HELD, 1); /* it ended with the lock */
    assert_cause(&b, CAUSE_LOST_UNLOCK);
}
END_TEST

START_TEST(queue_at_a_lock_whose_holder_waits_for_the_host_is_no_lost_unlock)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 1; group < 4; ++group)
        builder_wait(&b, group, GL_GROUP_HOLDER);
    builder_set(&b, 0, GL_LOCKS_HELD, 1);
    builder_wait(&b, 0, GL_GROUP_HOST);
    assert_cause(&b, CAUSE_UNKNOWN);
}
END_TEST

/* --- groups that have ended --- */

START_TEST(group_that_ended_before_the_round_of_a_barrier_is_unequal_trips)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 3; ++group)
        builder_arrive(&b, group, 3);
    builder_set(&b, 3, GL_ROUND, 2);
    builder_done(&b, 3);
    assert_cause(&b, CAUSE_UNEQUAL_TRIPS);
}
END_TEST

START_TEST(group_that_waits_elsewhere_for_the_host_is_no_unequal_trips)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 2; ++group)
        builder_arrive(&b, group, 3);
    builder_set(&b, 2, GL_ROUND, 2);
    builder_wait(&b, 2, GL_GROUP_HOST);
    builder_set(&b, 3, GL_ROUND, 2);
    builder_done(&b, 3);
    assert_cause(&b, CAUSE_UNKNOWN);
}
END_TEST

START_TEST(barrier_to_which_all_have_come_is_a_lost_arrival)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 4; ++group)
        builder_arrive(&b, group, 1);
    b.words[GL_ARRIVALS] = 3; /* one was overwritten */
    assert_cause(&b, CAUSE_LOST_ARRIVAL);
}
END_TEST

/* Others of the groups may come behind the work-items that wait. */
START_TEST(barrier_at_which_single_work_items_wait_is_no_lost_arrival)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 4; ++group) {
        builder_arrive(&b, group, 1);
        builder_set(&b, group, GL_PHASE, GL_PHASE_ITEMS);
    }
    b.words[GL_ARRIVALS] = 3;
    assert_cause(&b, CAUSE_UNKNOWN);
}
END_TEST

START_TEST(barrier_with_one_group_elsewhere_is_no_lost_arrival)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 3; ++group)
        builder_arrive(&b, group, 1);
    builder_wait(&b, 3, GL_GROUP_HOST);
    assert_cause(&b, CAUSE_UNKNOWN);
}
END_TEST

START_TEST(flag_of_a_group_that_has_ended_is_a_lost_signal)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    builder_wait(&b, 0, 3);
    for (uint32_t group = 1; group < 4; ++group)
        builder_done(&b, group);
    assert_cause(&b, CAUSE_LOST_SIGNAL);
}
END_TEST

START_TEST(flag_of_a_group_that_is_not_there_is_a_lost_signal)
{
    static const uint32_t whom[] = {4, GL_GROUP_NOBODY}; /* the neighbours of the last group and of the first */
    for (size_t i = 0; i < sizeof whom / sizeof *whom; ++i) {
        struct builder b = builder_init(4);
        builder_start_all(&b);
        for (uint32_t group = 0; group < 4; ++group)
            builder_wait(&b, group, whom[i]);
        assert_cause(&b, CAUSE_LOST_SIGNAL);
    }
}
END_TEST

START_TEST(wait_for_any_when_all_others_have_ended_is_a_lost_signal)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    builder_wait(&b, 0, GL_GROUP_ANY);
    for (uint32_t group = 1; group < 4; ++group)
        builder_done(&b, group);
    assert_cause(&b, CAUSE_LOST_SIGNAL);
}
END_TEST

/* --- publication --- */

/* Group 0 waits for a word that group 1 has written; it is `value`, and should be 1. */
static struct builder flag_is(uint32_t value)
{
    struct builder b = builder_init_sync(4, 1);
    builder_start_all(&b);
    for (uint32_t group = 1; group < 4; ++group)
        builder_done(&b, group);
    b.words[builder_sync(&b, 0)] = value;
    builder_wait_until(&b, 0, builder_sync(&b, 0), GL_UNTIL_REACHED, 1, 1);
    return b;
}

START_TEST(word_that_is_there_and_is_not_seen_is_not_published)
{
    struct builder b = flag_is(1);
    assert_cause(&b, CAUSE_NOT_PUBLISHED);
}
END_TEST

START_TEST(word_that_is_not_there_is_not_unpublished)
{
    struct builder b = flag_is(0);
    assert_cause(&b, CAUSE_LOST_SIGNAL);
}
END_TEST

START_TEST(stale_read_is_old_data)
{
    const struct trial trial = new_trial();
    const struct observation o = {.outcome = OUTCOME_ENDED,
                                  .board_read = true,
                                  .started = 4,
                                  .done = 4,
                                  .witnesses = 4,
                                  .stale = 1,
                                  .waitfor = WAITFOR_NOTHING};
    ck_assert_int_eq(cause_judge(&trial, &o), CAUSE_STALE_DATA);
}
END_TEST

/* --- launches that were not confirmed to have stalled --- */

/* Two of four groups wait; the total fuse of one blew, with changes shortly before. */
static struct observation blown(uint64_t duration_ns, uint64_t still_ns)
{
    return (struct observation){.outcome = OUTCOME_ENDED,
                                .board_read = true,
                                .started = 4,
                                .waiting = 2,
                                .ended_total = 1,
                                .busy_total = 1,
                                .duration_ns = duration_ns,
                                .still_ns = still_ns,
                                .waitfor = WAITFOR_NOTHING};
}

START_TEST(fuse_that_blew_with_progress_in_the_last_half_is_slow)
{
    const struct trial trial = new_trial();
    const struct observation o = blown(100000, 49000);
    ck_assert_int_eq(cause_judge(&trial, &o), CAUSE_SLOW);
}
END_TEST

START_TEST(fuse_that_blew_without_progress_is_a_livelock_once_it_took_long_enough)
{
    const struct trial trial = new_trial();
    const struct observation o = blown(100000, 51000), soon = blown(7000, 6000);
    ck_assert_int_eq(cause_judge(&trial, &o), CAUSE_LIVELOCK);
    ck_assert_int_eq(cause_judge(&trial, &soon), CAUSE_UNKNOWN);
}
END_TEST

START_TEST(changes_without_progress_that_the_host_saw_are_a_livelock)
{
    const struct trial trial = new_trial();
    struct observation o = blown(10, 1);
    o.churned = true;
    ck_assert_int_eq(cause_judge(&trial, &o), CAUSE_LIVELOCK);
}
END_TEST

START_TEST(loop_that_the_driver_cut_is_a_cut)
{
    const struct trial trial = new_trial();
    struct observation o = blown(100000, 49000);
    o.ended_cut = 1;
    ck_assert_int_eq(cause_judge(&trial, &o), CAUSE_LOOP_CUT);
}
END_TEST

START_TEST(pass_and_crash_have_no_cause)
{
    const struct trial trial = new_trial();
    const struct observation crash = {.outcome = OUTCOME_CRASHED, .waitfor = WAITFOR_NOTHING};
    const struct observation pass = {.outcome = OUTCOME_ENDED,
                                     .board_read = true,
                                     .started = 4,
                                     .done = 4,
                                     .witnesses = 4,
                                     .waitfor = WAITFOR_NOTHING};
    ck_assert_int_eq(cause_judge(&trial, &crash), CAUSE_NONE);
    ck_assert_int_eq(cause_judge(&trial, &pass), CAUSE_NONE);
}
END_TEST

/* --- names and surprises --- */

START_TEST(each_cause_has_a_name_of_its_own)
{
    for (int i = 0; i < CAUSE_COUNT; ++i)
        ck_assert_int_eq(naming_find(&cause_naming, cause_name((enum cause)i)), i);
    ck_assert_int_eq(naming_find(&cause_naming, "bad luck"), -1);
}
END_TEST

START_TEST(right_verdict_for_another_reason_is_a_surprise)
{
    const struct expected expected = {.verdicts = 1U << VERDICT_STALLED, .causes = 1U << CAUSE_LOST_UNLOCK};
    ck_assert(!expected_is_surprise(&expected, VERDICT_STALLED, CAUSE_LOST_UNLOCK, false));
    ck_assert(expected_is_surprise(&expected, VERDICT_STALLED, CAUSE_LOST_SIGNAL, false));
    ck_assert(expected_is_surprise(&expected, VERDICT_DEADLOCK, CAUSE_LOST_UNLOCK, false));
}
END_TEST

START_TEST(cause_of_a_known_failure_and_of_a_pass_is_no_surprise)
{
    const struct expected known = {
        .verdicts = 1U << VERDICT_PASS, .causes = 1U << CAUSE_LOST_UNLOCK, .tolerated = 1U << VERDICT_STALLED};
    ck_assert(!expected_is_surprise(&known, VERDICT_STALLED, CAUSE_LOST_SIGNAL, false));
    ck_assert(!expected_is_surprise(&known, VERDICT_PASS, CAUSE_NONE, false));
}
END_TEST

HARNESS_MAIN("cause", chain_to_a_group_without_a_place_is_occupancy,
             chain_to_a_group_beside_a_free_place_is_not_occupancy, groups_that_wait_for_each_other_are_a_circle,
             group_that_waits_for_its_own_work_item_is_no_circle_of_groups,
             lock_taken_by_another_work_item_of_the_group_is_work_items,
             lock_that_the_group_itself_still_holds_is_a_circle_of_one, lock_whose_owner_has_ended_is_a_lost_unlock,
             lock_whose_owner_waits_elsewhere_is_no_lost_unlock, queue_at_a_lock_that_nobody_holds_is_a_lost_unlock,
             queue_at_a_lock_whose_holder_waits_for_the_host_is_no_lost_unlock,
             group_that_ended_before_the_round_of_a_barrier_is_unequal_trips,
             group_that_waits_elsewhere_for_the_host_is_no_unequal_trips,
             flag_of_a_group_that_has_ended_is_a_lost_signal, flag_of_a_group_that_is_not_there_is_a_lost_signal,
             wait_for_any_when_all_others_have_ended_is_a_lost_signal,
             word_that_is_there_and_is_not_seen_is_not_published, word_that_is_not_there_is_not_unpublished,
             stale_read_is_old_data, barrier_to_which_all_have_come_is_a_lost_arrival,
             barrier_at_which_single_work_items_wait_is_no_lost_arrival,
             barrier_with_one_group_elsewhere_is_no_lost_arrival, fuse_that_blew_with_progress_in_the_last_half_is_slow,
             fuse_that_blew_without_progress_is_a_livelock_once_it_took_long_enough,
             changes_without_progress_that_the_host_saw_are_a_livelock, loop_that_the_driver_cut_is_a_cut,
             pass_and_crash_have_no_cause, each_cause_has_a_name_of_its_own,
             right_verdict_for_another_reason_is_a_surprise, cause_of_a_known_failure_and_of_a_pass_is_no_surprise)
