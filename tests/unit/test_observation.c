#include "observation_fixture.h"

/* --- counts --- */

START_TEST(groups_of_a_passed_barrier_are_started_and_done)
{
    struct builder b = four_passed();
    struct observation o = observe(&barrier, &b);
    ck_assert_uint_eq(o.groups, 4);
    ck_assert(o.board_read);
    ck_assert_uint_eq(o.started, 4);
    ck_assert_uint_eq(o.done, 4);
    ck_assert_uint_eq(o.waiting, 0);
    ck_assert_uint_eq(o.late, 0);
}
END_TEST

START_TEST(groups_of_a_starved_barrier_are_waiting_and_not_done)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 3, GL_ENDED_STOP);
    struct observation o = observe(&barrier, &b);
    ck_assert_uint_eq(o.started, 3);
    ck_assert_uint_eq(o.waiting, 3);
    ck_assert_uint_eq(o.done, 0);
}
END_TEST

START_TEST(running_group_is_started_and_neither_waiting_nor_done)
{
    struct builder b = builder_init(4);
    builder_start(&b, 2);
    struct observation o = observe(&barrier, &b);
    ck_assert_uint_eq(o.started, 1);
    ck_assert_uint_eq(o.waiting, 0);
    ck_assert_uint_eq(o.done, 0);
}
END_TEST

START_TEST(late_group_is_late_and_not_started)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 3, GL_ENDED_STOP);
    builder_late(&b, 3);
    struct observation o = observe(&barrier, &b);
    ck_assert_uint_eq(o.late, 1);
    ck_assert_uint_eq(o.started, 3);
}
END_TEST

START_TEST(counted_groups_are_counted)
{
    struct builder b = four_counted();
    builder_set(&b, 3, GL_COUNTED, 0);
    ck_assert_uint_eq(observe(&census, &b).counted, 3);
}
END_TEST

START_TEST(each_end_of_a_wait_is_counted_by_its_kind)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    builder_end_wait(&b, 0, GL_ENDED_STOP, 0);
    builder_end_wait(&b, 1, GL_ENDED_IDLE, 0);
    builder_end_wait(&b, 2, GL_ENDED_TOTAL, 0);
    builder_end_wait(&b, 3, GL_ENDED_CUT, 0);
    struct observation o = observe(&barrier, &b);
    ck_assert_uint_eq(o.ended_stop, 1);
    ck_assert_uint_eq(o.ended_idle, 1);
    ck_assert_uint_eq(o.ended_total, 1);
    ck_assert_uint_eq(o.ended_cut, 1);
}
END_TEST

START_TEST(wait_that_ended_because_its_condition_held_is_of_no_other_kind)
{
    struct builder b = four_passed();
    struct observation o = observe(&barrier, &b);
    ck_assert_uint_eq(o.ended_stop + o.ended_idle + o.ended_total + o.ended_cut, 0);
}
END_TEST

START_TEST(most_polls_of_one_group_are_kept)
{
    struct builder b = four_passed();
    builder_set(&b, 1, GL_POLLS, 700);
    builder_set(&b, 2, GL_POLLS, 300);
    ck_assert_uint_eq(observe(&barrier, &b).polls, 700);
}
END_TEST

START_TEST(stop_word_is_kept)
{
    struct builder b = builder_init(4);
    b.words[GL_STOP] = GL_STOP_HOST | GL_STOP_IDLE;
    ck_assert_uint_eq(observe(&barrier, &b).stop, GL_STOP_HOST | GL_STOP_IDLE);
}
END_TEST

START_TEST(wait_for_graph_is_analysed)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 3, GL_ENDED_STOP);
    struct observation o = observe(&barrier, &b);
    ck_assert_uint_eq(o.waitfor.never_started, 3);
    ck_assert_uint_eq(o.waitfor.circle_at, WAITFOR_NOBODY);
}
END_TEST

START_TEST(what_only_the_host_knows_is_left_alone)
{
    struct builder b = four_passed();
    struct observation o = {.outcome = OUTCOME_KILLED, .judged = true, .confirmed = true, .relapsed = true};
    o.duration_ns = 1;
    o.device_ns = 2;
    o.gap_ns = 3;
    o.close_ns = 4;
    o.code = -5;
    observation_read(&o, &barrier, &b.board, NULL);
    ck_assert(o.outcome == OUTCOME_KILLED && o.judged && o.confirmed && o.relapsed);
    ck_assert(o.duration_ns == 1 && o.device_ns == 2 && o.gap_ns == 3 && o.close_ns == 4 && o.code == -5);
    builder_fini(&b);
}
END_TEST

START_TEST(how_a_range_was_divided_is_told_by_the_first_group)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 4; ++group) {
        builder_set(&b, group, GL_SHAPE, 10 * group + 16);
        builder_set(&b, group, GL_SHAPE + 1, 10 * group + 8);
        builder_set(&b, group, GL_SHAPE + 2, 10 * group + 4);
        builder_set(&b, group, GL_LAUNCHED, 10 * group + 4000);
    }
    struct observation o = observe(&barrier, &b);
    ck_assert_uint_eq(o.shape[0], 16);
    ck_assert_uint_eq(o.shape[1], 8);
    ck_assert_uint_eq(o.shape[2], 4);
    ck_assert_uint_eq(o.launched, 4000);
}
END_TEST

START_TEST(launch_over_groups_has_no_shape)
{
    struct builder b = four_passed();
    struct observation o = observe(&barrier, &b);
    ck_assert_uint_eq(o.shape[0] + o.shape[1] + o.shape[2] + o.launched, 0);
}
END_TEST

/* --- witnesses --- */

START_TEST(group_that_saw_all_arrivals_is_a_witness)
{
    struct builder b = four_passed();
    ck_assert_uint_eq(observe(&barrier, &b).witnesses, 4);
}
END_TEST

START_TEST(group_that_saw_too_few_arrivals_is_no_witness)
{
    struct builder b = four_passed();
    builder_set(&b, 1, GL_SEEN, 11);
    ck_assert_uint_eq(observe(&barrier, &b).witnesses, 3);
}
END_TEST

START_TEST(group_that_saw_more_arrivals_than_there_can_be_is_no_witness)
{
    struct builder b = four_passed();
    builder_set(&b, 1, GL_SEEN, 13);
    ck_assert_uint_eq(observe(&barrier, &b).witnesses, 3);
}
END_TEST

START_TEST(group_that_left_before_the_last_round_is_no_witness)
{
    struct builder b = four_passed();
    builder_set(&b, 1, GL_ROUND, 2);
    ck_assert_uint_eq(observe(&barrier, &b).witnesses, 3);
}
END_TEST

START_TEST(group_whose_wait_did_not_hold_is_no_witness)
{
    struct builder b = four_passed();
    builder_set(&b, 1, GL_ENDED, GL_ENDED_STOP);
    ck_assert_uint_eq(observe(&barrier, &b).witnesses, 3);
}
END_TEST

START_TEST(group_that_is_not_done_is_no_witness)
{
    struct builder b = four_passed();
    builder_set(&b, 1, GL_PHASE, GL_PHASE_RUNNING);
    ck_assert_uint_eq(observe(&barrier, &b).witnesses, 3);
}
END_TEST

START_TEST(counted_group_that_saw_the_census_closed_is_a_witness)
{
    struct builder b = four_counted();
    ck_assert_uint_eq(observe(&census, &b).witnesses, 4);
}
END_TEST

START_TEST(counted_group_that_left_an_open_census_is_no_witness)
{
    struct builder b = four_counted();
    builder_set(&b, 2, GL_SEEN, 4);
    ck_assert_uint_eq(observe(&census, &b).witnesses, 3);
}
END_TEST

START_TEST(group_that_came_after_the_census_was_closed_is_a_witness)
{
    struct builder b = four_counted();
    builder_set(&b, 2, GL_COUNTED, 0);
    builder_end_wait(&b, 2, GL_ENDED_NONE, 0);
    ck_assert_uint_eq(observe(&census, &b).witnesses, 4);
}
END_TEST

START_TEST(group_that_got_the_lock_of_the_discovery_is_a_witness)
{
    struct builder b = four_counted();
    ck_assert_uint_eq(observe(&discovery, &b).witnesses, 4);
}
END_TEST

START_TEST(group_that_did_not_get_the_lock_of_the_discovery_is_no_witness)
{
    struct builder b = four_counted();
    builder_set(&b, 0, GL_ENDED, GL_ENDED_STOP);
    ck_assert_uint_eq(observe(&discovery, &b).witnesses, 3);
}
END_TEST

START_TEST(group_that_came_after_the_discovery_was_closed_is_a_witness)
{
    struct builder b = four_counted();
    builder_set(&b, 0, GL_COUNTED, 0);
    builder_end_wait(&b, 0, GL_ENDED_NONE, 0);
    ck_assert_uint_eq(observe(&discovery, &b).witnesses, 4);
}
END_TEST

HARNESS_MAIN("observation", groups_of_a_passed_barrier_are_started_and_done,
             groups_of_a_starved_barrier_are_waiting_and_not_done,
             running_group_is_started_and_neither_waiting_nor_done, late_group_is_late_and_not_started,
             counted_groups_are_counted, each_end_of_a_wait_is_counted_by_its_kind,
             wait_that_ended_because_its_condition_held_is_of_no_other_kind, most_polls_of_one_group_are_kept,
             stop_word_is_kept, wait_for_graph_is_analysed, what_only_the_host_knows_is_left_alone,
             how_a_range_was_divided_is_told_by_the_first_group, launch_over_groups_has_no_shape,
             group_that_saw_all_arrivals_is_a_witness, group_that_saw_too_few_arrivals_is_no_witness,
             group_that_saw_more_arrivals_than_there_can_be_is_no_witness,
             group_that_left_before_the_last_round_is_no_witness, group_whose_wait_did_not_hold_is_no_witness,
             group_that_is_not_done_is_no_witness, counted_group_that_saw_the_census_closed_is_a_witness,
             counted_group_that_left_an_open_census_is_no_witness,
             group_that_came_after_the_census_was_closed_is_a_witness,
             group_that_got_the_lock_of_the_discovery_is_a_witness,
             group_that_did_not_get_the_lock_of_the_discovery_is_no_witness,
             group_that_came_after_the_discovery_was_closed_is_a_witness)
