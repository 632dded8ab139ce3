/* Observations of a scenario's kernel, of livelocks, and the names of outcomes. */
#include "observation_fixture.h"

/* --- a scenario's kernel --- */

static const struct trial work = {.kind = TRIAL_WORK, .groups = 4, .rounds = 3};

/* All four ended three waits each, with values that prove them. */
static struct builder four_worked(void)
{
    struct builder b = builder_init_sync(4, 8);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 4; ++group) {
        builder_set(&b, group, GL_WAITS, 3);
        builder_set(&b, group, GL_PROVEN, 3);
        builder_wait_until(&b, group, builder_sync(&b, group), GL_UNTIL_EQUAL, 5, GL_GROUP_ALL);
        builder_end_wait(&b, group, GL_ENDED_HELD, 5);
        builder_done(&b, group);
    }
    return b;
}

START_TEST(group_whose_waits_are_all_proven_is_a_witness)
{
    struct builder b = four_worked();
    struct observation o = observe(&work, &b);
    ck_assert_uint_eq(o.witnesses, 4);
    ck_assert_uint_eq(o.ended_cut, 0);
}
END_TEST

START_TEST(group_that_never_had_to_wait_is_a_witness)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 4; ++group)
        builder_done(&b, group);
    ck_assert_uint_eq(observe(&work, &b).witnesses, 4);
}
END_TEST

START_TEST(group_with_a_wait_that_is_not_proven_is_no_witness)
{
    struct builder b = four_worked();
    builder_set(&b, 1, GL_PROVEN, 2);
    builder_set(&b, 3, GL_PROVEN, 0);
    ck_assert_uint_eq(observe(&work, &b).witnesses, 2);
}
END_TEST

START_TEST(group_that_proved_more_waits_than_it_had_is_no_witness)
{
    struct builder b = four_worked();
    builder_set(&b, 1, GL_PROVEN, 4);
    ck_assert_uint_eq(observe(&work, &b).witnesses, 3);
}
END_TEST

START_TEST(group_whose_waits_are_proven_and_that_is_not_done_is_no_witness)
{
    struct builder b = four_worked();
    builder_set(&b, 0, GL_PHASE, GL_PHASE_RUNNING);
    builder_set(&b, 1, GL_PHASE, GL_PHASE_WAITING);
    ck_assert_uint_eq(observe(&work, &b).witnesses, 2);
}
END_TEST

START_TEST(witness_of_a_scenarios_kernel_needs_no_round_of_a_barrier)
{
    struct builder b = four_worked();
    builder_set(&b, 2, GL_ROUND, 77);
    ck_assert_uint_eq(observe(&work, &b).witnesses, 4);
}
END_TEST

START_TEST(checks_of_all_groups_are_added_up)
{
    struct builder b = four_worked();
    for (uint32_t group = 0; group < 4; ++group) {
        builder_set(&b, group, GL_CHECKED, UINT32_MAX);
        builder_set(&b, group, GL_STALE, 1000000000);
        builder_set(&b, group, GL_WRONG, 1 + group);
    }
    struct observation o = observe(&work, &b);
    ck_assert_uint_eq(o.checked, 4 * (uint64_t)UINT32_MAX);
    ck_assert_uint_eq(o.stale, 4000000000u);
    ck_assert_uint_eq(o.wrong, 10);
}
END_TEST

START_TEST(checks_of_a_group_that_never_started_are_not_counted)
{
    struct builder b = four_worked();
    builder_set(&b, 3, GL_TICKET, 0);
    for (uint32_t group = 0; group < 4; ++group)
        builder_set(&b, group, GL_CHECKED, 10);
    ck_assert_uint_eq(observe(&work, &b).checked, 30);
}
END_TEST

START_TEST(results_that_the_host_verified_are_left_alone)
{
    struct builder b = four_worked();
    struct observation o = {.outcome = OUTCOME_ENDED, .differing = 1, .bad_result = 2, .bad_at = 3};
    o.bad_wanted = 4;
    o.bad_got = 5;
    observation_read(&o, &work, &b.board, NULL);
    ck_assert(o.differing == 1 && o.bad_result == 2 && o.bad_at == 3 && o.bad_wanted == 4 && o.bad_got == 5);
    builder_fini(&b);
}
END_TEST

START_TEST(group_that_waits_for_a_word_behind_the_entries_is_ready_when_it_is_so)
{
    struct builder b = four_worked();
    const uint32_t word = builder_sync(&b, 7);
    for (uint32_t group = 0; group < 2; ++group) {
        builder_wait_until(&b, group, word, GL_UNTIL_DIFFERENT, group, GL_GROUP_ANY);
        builder_set(&b, group, GL_ENDED, GL_ENDED_STOP);
    }
    b.words[word] = 1;
    struct observation o = observe(&work, &b);
    ck_assert_uint_eq(o.waiting, 2);
    ck_assert_uint_eq(o.ready, 1); /* the word is no longer 0, and still 1 */
}
END_TEST

START_TEST(group_that_went_on_without_the_value_that_it_waited_for_was_cut)
{
    for (uint32_t kind = GL_UNTIL_REACHED; kind <= GL_UNTIL_DIFFERENT; ++kind) {
        struct builder b = four_worked();
        builder_set(&b, 2, GL_WAIT_HOW, kind);
        builder_set(&b, 2, GL_SEEN, kind == GL_UNTIL_DIFFERENT ? 5 : 4);
        ck_assert_uint_eq(observe(&work, &b).ended_cut, 1);
    }
}
END_TEST

START_TEST(group_that_went_on_with_the_value_that_it_waited_for_was_not_cut)
{
    for (uint32_t kind = GL_UNTIL_REACHED; kind <= GL_UNTIL_DIFFERENT; ++kind) {
        struct builder b = four_worked();
        builder_set(&b, 2, GL_WAIT_HOW, kind);
        builder_set(&b, 2, GL_SEEN, kind == GL_UNTIL_EQUAL ? 5 : 6);
        ck_assert_uint_eq(observe(&work, &b).ended_cut, 0);
    }
}
END_TEST

/* --- livelock --- */

static uint32_t busy(uint32_t ended, uint32_t polls, uint32_t idle)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 1, ended);
    builder_set(&b, 0, GL_POLLS, polls);
    builder_set(&b, 0, GL_IDLE, idle);
    return observe(&barrier, &b).busy_total;
}

START_TEST(total_fuse_on_a_board_that_changed_lately_is_busy)
{
    ck_assert_uint_eq(busy(GL_ENDED_TOTAL, 1000, 499), 1);
}
END_TEST

START_TEST(total_fuse_on_a_board_that_was_quiet_for_half_the_time_is_not_busy)
{
    ck_assert_uint_eq(busy(GL_ENDED_TOTAL, 1000, 500), 0);
}
END_TEST

START_TEST(idle_fuse_is_not_busy)
{
    ck_assert_uint_eq(busy(GL_ENDED_IDLE, 1000, 100), 0);
}
END_TEST

/* --- names --- */

START_TEST(each_outcome_is_found_by_its_name)
{
    for (int i = 0; i < OUTCOME_COUNT; ++i)
        ck_assert_int_eq(naming_find(&outcome_naming, outcome_name((enum outcome)i)), i);
}
END_TEST

START_TEST(unknown_outcome_is_not_found)
{
    ck_assert_int_eq(naming_find(&outcome_naming, "finished"), -1);
    ck_assert_int_eq(naming_find(&outcome_naming, ""), -1);
}
END_TEST

START_TEST(group_that_still_waits_when_its_kernel_has_ended_was_cut)
{
    struct builder b = builder_init(2);
    struct observation observation = {.outcome = OUTCOME_ENDED};
    const struct trial trial = {.kind = TRIAL_BARRIER, .groups = 2, .rounds = 1};
    builder_start(&b, 0);
    builder_arrive(&b, 0, 1);
    observation_read(&observation, &trial, &b.board, NULL);
    ck_assert_uint_eq(observation.ended_cut, 1);
    builder_fini(&b);
}
END_TEST

START_TEST(group_that_still_waits_in_a_running_kernel_was_not_cut)
{
    struct builder b = builder_init(2);
    struct observation observation = {.outcome = OUTCOME_LEFT_RUNNING};
    const struct trial trial = {.kind = TRIAL_BARRIER, .groups = 2, .rounds = 1};
    builder_start(&b, 0);
    builder_arrive(&b, 0, 1);
    observation_read(&observation, &trial, &b.board, NULL);
    ck_assert_uint_eq(observation.ended_cut, 0);
    builder_fini(&b);
}
END_TEST

START_TEST(group_that_went_on_before_its_word_had_reached_the_value_was_cut)
{
    struct builder b = builder_init(2);
    struct observation observation = {.outcome = OUTCOME_ENDED};
    const struct trial trial = {.kind = TRIAL_BARRIER, .groups = 2, .rounds = 1};
    builder_start(&b, 0);
    builder_arrive(&b, 0, 1);
    builder_end_wait(&b, 0, GL_ENDED_HELD, 1); /* of 2 */
    builder_done(&b, 0);
    observation_read(&observation, &trial, &b.board, NULL);
    ck_assert_uint_eq(observation.ended_cut, 1);
    builder_fini(&b);
}
END_TEST

START_TEST(groups_that_passed_a_barrier_were_not_cut)
{
    struct builder b = builder_init(3);
    struct observation observation = {.outcome = OUTCOME_ENDED};
    const struct trial trial = {.kind = TRIAL_BARRIER, .groups = 3, .rounds = 2};
    builder_pass_barrier(&b, 2);
    observation_read(&observation, &trial, &b.board, NULL);
    ck_assert_uint_eq(observation.ended_cut, 0);
    builder_fini(&b);
}
END_TEST

HARNESS_MAIN("observation: work", group_that_still_waits_when_its_kernel_has_ended_was_cut,
             group_that_still_waits_in_a_running_kernel_was_not_cut,
             group_that_went_on_before_its_word_had_reached_the_value_was_cut,
             groups_that_passed_a_barrier_were_not_cut, total_fuse_on_a_board_that_changed_lately_is_busy,
             total_fuse_on_a_board_that_was_quiet_for_half_the_time_is_not_busy, idle_fuse_is_not_busy,
             each_outcome_is_found_by_its_name, unknown_outcome_is_not_found,
             group_whose_waits_are_all_proven_is_a_witness, group_that_never_had_to_wait_is_a_witness,
             group_with_a_wait_that_is_not_proven_is_no_witness, group_that_proved_more_waits_than_it_had_is_no_witness,
             group_whose_waits_are_proven_and_that_is_not_done_is_no_witness,
             witness_of_a_scenarios_kernel_needs_no_round_of_a_barrier, checks_of_all_groups_are_added_up,
             checks_of_a_group_that_never_started_are_not_counted, results_that_the_host_verified_are_left_alone,
             group_that_waits_for_a_word_behind_the_entries_is_ready_when_it_is_so,
             group_that_went_on_without_the_value_that_it_waited_for_was_cut,
             group_that_went_on_with_the_value_that_it_waited_for_was_not_cut)
