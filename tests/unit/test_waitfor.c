#include "waitfor_fixture.h"

/* --- rule 1: a chain of waits ends in a group that never started --- */

START_TEST(chain_that_ends_in_a_group_that_never_started_is_starved)
{
    struct builder b = builder_init(4);
    chain(&b, 0, 2);
    assert_starved(&b, 0, 3);
}
END_TEST

START_TEST(chain_that_ends_in_a_running_group_is_neither)
{
    struct builder b = builder_init(4);
    chain(&b, 0, 2);
    builder_start(&b, 3);
    assert_neither(&b);
}
END_TEST

START_TEST(chain_that_ends_in_a_done_group_is_neither)
{
    struct builder b = builder_init(4);
    chain(&b, 0, 2);
    builder_start(&b, 3);
    builder_done(&b, 3);
    assert_neither(&b);
}
END_TEST

START_TEST(chain_against_the_order_of_the_groups_is_starved)
{
    struct builder b = builder_init(4);
    builder_start_waiting(&b, 3, 2);
    builder_start_waiting(&b, 2, 1);
    builder_start_waiting(&b, 1, 0);
    struct waitfor result = analyse(&b);
    ck_assert_uint_eq(result.never_started, 0);
    ck_assert_uint_ge(result.starved_from, 1);
    ck_assert_uint_le(result.starved_from, 3);
}
END_TEST

START_TEST(group_that_never_started_starves_nobody_if_nobody_waits_for_it)
{
    struct builder b = builder_init(3);
    builder_start(&b, 0);
    builder_start_waiting(&b, 1, 0);
    assert_neither(&b);
}
END_TEST

START_TEST(late_group_counts_as_never_started)
{
    struct builder b = builder_init(2);
    builder_start_waiting(&b, 0, 1);
    builder_late(&b, 1);
    assert_starved(&b, 0, 1);
}
END_TEST

START_TEST(old_wait_of_a_group_that_runs_again_is_no_edge)
{
    struct builder b = builder_init(3);
    builder_start_waiting(&b, 0, 2);
    builder_set(&b, 0, GL_PHASE, GL_PHASE_RUNNING);
    builder_start_waiting(&b, 1, GL_GROUP_HOST);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_all_with_one_that_never_started_is_starved)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 3, GL_ENDED_STOP);
    assert_starved(&b, 0, 3);
}
END_TEST

START_TEST(wait_for_all_behind_another_wait_is_starved)
{
    struct builder b = builder_init(4);
    builder_start_waiting(&b, 0, 1);
    builder_set(&b, 0, GL_ROUND, 1);
    for (uint32_t group = 1; group < 3; ++group) {
        builder_start(&b, group);
        builder_arrive(&b, group, 1);
    }
    b.words[GL_ARRIVALS] += 1; /* of group 0, which waits for another thing now */
    assert_starved(&b, 0, 3);
}
END_TEST

/* The word of the barrier lacks the arrivals of all that wait elsewhere. */
START_TEST(group_that_waits_before_it_arrives_is_in_a_circle_with_the_barrier)
{
    for (uint32_t groups = 2; groups < 6; ++groups)
        for (uint32_t noted = 0; noted < 2; ++noted)
            for (uint32_t started = 2; started <= groups; ++started) {
                struct builder b = builder_init(groups);
                builder_start(&b, 0);
                builder_arrive(&b, 0, 1);
                builder_set(&b, 0, GL_ROUND, noted);
                for (uint32_t group = 1; group < started; ++group) {
                    builder_start_waiting(&b, group, 0);
                    builder_set(&b, group, GL_ROUND, noted);
                }
                const struct waitfor result = analyse(&b);
                ck_assert_uint_ne(result.circle_at, NOBODY);
                ck_assert_uint_eq(result.circle_groups, 2);
                ck_assert_uint_eq(result.lost_at, NOBODY);
            }
}
END_TEST

/* Nor has one that waits for a lock of a group at the barrier, where a flag does not count arrivals. */
START_TEST(barrier_inside_a_lock_is_a_circle)
{
    struct builder b = builder_init_sync(4, 2);
    for (uint32_t group = 0; group < 4; ++group)
        builder_start(&b, group);
    own(&b, 0, 2);
    builder_set(&b, 2, GL_LOCKS_HELD, 1);
    builder_wait_until(&b, 2, builder_sync(&b, 1), GL_UNTIL_EQUAL, 1, GL_GROUP_ALL);
    for (uint32_t group = 0; group < 4; ++group)
        if (group != 2)
            builder_wait_until(&b, group, builder_sync(&b, 0), GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    assert_circle(&b, 0, 3);
}
END_TEST

/* A collector that notes no round: group 1 has come to the safepoint, and holds the lock that the others want. */
static struct builder safepoint(uint32_t groups, uint32_t arrived)
{
    struct builder b = builder_init_sync(groups, 2);
    for (uint32_t group = 0; group < groups; ++group)
        builder_start(&b, group);
    b.words[builder_sync(&b, 0)] = arrived;
    builder_wait_until(&b, 0, builder_sync(&b, 0), GL_UNTIL_REACHED, groups - 1, GL_GROUP_ALL);
    builder_start_waiting(&b, 1, 0);
    builder_set(&b, 1, GL_ROUND, 1);
    own(&b, 1, 1);
    for (uint32_t group = 2; group < groups; ++group)
        builder_wait_until(&b, group, builder_sync(&b, 1), GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    return b;
}

START_TEST(group_that_waits_for_one_at_a_safepoint_has_not_come_to_it)
{
    for (uint32_t groups = 3; groups < 6; ++groups) {
        struct builder b = safepoint(groups, 1);
        assert_circle(&b, 0, groups - 1);
    }
}
END_TEST

/* Then one that has not noted its round has arrived, and who is missing is not known. */
START_TEST(nothing_is_known_of_a_safepoint_that_more_have_come_to_than_say_so)
{
    struct builder b = safepoint(4, 2);
    assert_neither(&b);
}
END_TEST

/* The members of a party have told their leader, who waits for the others: the word lacks none of theirs. */
START_TEST(members_that_wait_for_their_leader_have_arrived)
{
    struct builder b = builder_init(6);
    for (uint32_t leader = 0; leader < 4; leader += 2) {
        builder_start(&b, leader);
        builder_arrive(&b, leader, 1);
        builder_set(&b, leader, GL_WAIT_VALUE, 3);
        builder_start_waiting(&b, leader + 1, leader);
        builder_set(&b, leader + 1, GL_ROUND, leader == 0); /* or it notes none */
    }
    assert_starved(&b, 0, 4);
}
END_TEST

/* That would be a circle if it were sure that the one that waits elsewhere has not arrived. */
START_TEST(nothing_is_known_of_a_barrier_beside_another_wait)
{
    struct builder b = builder_init(4);
    for (uint32_t group = 0; group < 3; ++group) {
        builder_start(&b, group);
        builder_arrive(&b, group, 1);
    }
    b.words[GL_ARRIVALS] -= 1;
    builder_start_waiting(&b, 3, 0);
    builder_set(&b, 3, GL_ROUND, 1);
    const struct waitfor result = analyse(&b);
    ck_assert_uint_eq(result.circle_at, NOBODY);
    ck_assert_uint_eq(result.lost_at, NOBODY);
}
END_TEST

/* Group 0 has come to one barrier first, and the others that have started to the other one. */
static struct builder crossed(uint32_t groups, uint32_t started, uint32_t round)
{
    struct builder b = builder_init_sync(groups, 2);
    for (uint32_t group = 0; group < started; ++group) {
        const uint32_t word = builder_sync(&b, group == 0 ? 0 : 1);
        builder_start(&b, group);
        b.words[word] += 1;
        builder_set(&b, group, GL_ROUND, round);
        builder_wait_until(&b, group, word, GL_UNTIL_REACHED, groups, GL_GROUP_ALL);
    }
    return b;
}

START_TEST(crossed_barriers_are_a_circle_however_many_groups_have_started)
{
    for (uint32_t groups = 2; groups < 6; ++groups)
        for (uint32_t round = groups == 2; round < 2; ++round)
            for (uint32_t started = 2; started <= groups; ++started) {
                struct builder b = crossed(groups, started, round);
                const struct waitfor result = analyse(&b);
                ck_assert_uint_ne(result.circle_at, NOBODY);
                ck_assert_uint_eq(result.lost_at, NOBODY);
            }
}
END_TEST

/* Without rounds these words may be the flags of a tree. */
START_TEST(nothing_is_known_of_two_groups_at_two_barriers_without_rounds)
{
    struct builder b = crossed(2, 2, 0);
    const struct waitfor result = analyse(&b);
    ck_assert_uint_eq(result.circle_at, NOBODY);
    ck_assert_uint_eq(result.lost_at, NOBODY);
}
END_TEST

/* The flags of a tree, each of which lacks one arrival. */
START_TEST(groups_at_the_flags_of_a_barrier_are_no_circle)
{
    for (uint32_t groups = 2; groups < 6; ++groups) {
        struct builder b = builder_init_sync(groups, groups);
        for (uint32_t group = 0; group < groups; ++group) {
            builder_start(&b, group);
            builder_set(&b, group, GL_ROUND, groups);
            b.words[builder_sync(&b, group)] = groups - 1;
            builder_wait_until(&b, group, builder_sync(&b, group), GL_UNTIL_REACHED, groups, GL_GROUP_ALL);
        }
        assert_neither(&b);
    }
}
END_TEST

START_TEST(wait_for_all_with_all_arrived_is_neither)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 4, GL_ENDED_STOP);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_all_with_one_still_running_is_neither)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 3, GL_ENDED_STOP);
    builder_start(&b, 3);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_all_with_one_in_an_earlier_round_that_waits_for_all_is_neither)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 3; ++group)
        builder_arrive(&b, group, 2);
    builder_arrive(&b, 3, 1); /* all arrived at its round: nothing keeps it */
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_all_with_one_in_an_earlier_round_that_is_starved_is_starved)
{
    struct builder b = builder_init(4);
    for (uint32_t group = 0; group < 3; ++group)
        builder_start(&b, group);
    builder_arrive(&b, 0, 2);
    builder_arrive(&b, 1, 2);
    builder_arrive(&b, 2, 1);
    assert_starved(&b, 0, 3);
}
END_TEST

START_TEST(wait_for_a_lock_whose_holder_is_starved_is_starved)
{
    struct builder b = builder_init(3);
    builder_start_waiting(&b, 0, GL_GROUP_HOLDER);
    builder_start_waiting(&b, 1, 2);
    builder_set(&b, 1, GL_LOCKS_HELD, 1);
    assert_starved(&b, 0, 2);
}
END_TEST

START_TEST(wait_for_a_lock_whose_holder_runs_is_neither)
{
    struct builder b = builder_init(3);
    builder_start_waiting(&b, 0, GL_GROUP_HOLDER);
    builder_start(&b, 1);
    builder_set(&b, 1, GL_LOCKS_HELD, 1);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_the_host_is_neither)
{
    struct builder b = builder_init(2);
    builder_start_waiting(&b, 0, GL_GROUP_HOST);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_nobody_is_neither)
{
    struct builder b = builder_init(2);
    builder_start_waiting(&b, 0, GL_GROUP_NOBODY);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_a_group_beyond_the_board_is_neither)
{
    struct builder b = builder_init(2);
    builder_start_waiting(&b, 0, 2);
    assert_neither(&b);
}
END_TEST

START_TEST(board_without_groups_is_neither)
{
    struct builder b = builder_init(0);
    assert_neither(&b);
}
END_TEST

/* --- rule 2: a circle of started groups --- */

START_TEST(circle_of_three_is_found)
{
    struct builder b = builder_init(4);
    chain(&b, 0, 1);
    builder_start_waiting(&b, 2, 0);
    builder_start(&b, 3);
    assert_circle(&b, 0, 2);
}
END_TEST

START_TEST(group_that_waits_for_itself_is_a_circle)
{
    struct builder b = builder_init(2);
    builder_start(&b, 0);
    builder_start_waiting(&b, 1, 1);
    assert_circle(&b, 1, 1);
}
END_TEST

/* Where one work-item waits for its group, its own id is no other work-item; where each waits, it may be. */
START_TEST(own_id_is_another_work_item_only_where_each_waits)
{
    static const struct {
        uint32_t phase, awaited, items_at;
    } cases[] = {{GL_PHASE_WAITING, 0, NOBODY},
                 {GL_PHASE_ITEMS, 0, 0},
                 {GL_PHASE_WAITING, GL_GROUP_SELF, 0},
                 {GL_PHASE_ITEMS, GL_GROUP_SELF, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct builder b = builder_init(1);
        builder_start_waiting(&b, 0, cases[i].awaited);
        builder_set(&b, 0, GL_PHASE, cases[i].phase);
        const struct waitfor result = analyse(&b);
        ck_assert_uint_eq(result.items_at, cases[i].items_at);
        ck_assert_int_eq(waitfor_is_own_id(&result), cases[i].items_at == NOBODY);
    }
}
END_TEST

START_TEST(circle_is_named_by_a_member_and_not_by_the_way_into_it)
{
    struct builder b = builder_init(4);
    chain(&b, 0, 2);
    builder_start_waiting(&b, 3, 2);
    assert_circle(&b, 2, 3);
}
END_TEST

START_TEST(two_chains_that_meet_are_no_circle)
{
    struct builder b = builder_init(4);
    builder_start_waiting(&b, 0, 2);
    builder_start_waiting(&b, 1, 2);
    builder_start_waiting(&b, 2, 3);
    builder_start(&b, 3);
    assert_neither(&b);
}
END_TEST

START_TEST(circle_through_a_barrier_is_found)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    builder_arrive(&b, 0, 2);
    builder_arrive(&b, 1, 2);
    builder_set(&b, 2, GL_ROUND, 1);
    builder_wait(&b, 2, 1); /* 2 has not arrived and waits for 1, which waits for all */
    assert_circle(&b, 0, 2);
}
END_TEST

START_TEST(group_that_notes_no_rounds_may_have_arrived)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 3; ++group)
        builder_arrive(&b, group, 1);
    b.words[GL_ARRIVALS] -= 1;
    builder_wait(&b, 3, 0);
    assert_neither(&b);
}
END_TEST

START_TEST(circle_through_any_of_several_laggards_is_found)
{
    for (uint32_t laggard = 1; laggard < 5; ++laggard) {
        struct builder b = builder_init(5);
        builder_start_all(&b);
        builder_arrive(&b, 0, 1);
        for (uint32_t group = 1; group < 5; ++group)
            builder_done(&b, group);
        builder_wait(&b, laggard, 0);
        assert_circle(&b, 0, laggard);
    }
}
END_TEST

START_TEST(wait_for_all_of_whom_one_may_still_come_is_no_circle)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    builder_arrive(&b, 0, 1);
    builder_wait(&b, 1, 0); /* 2 runs */
    assert_neither(&b);
}
END_TEST

HARNESS_MAIN(
    "waitfor", chain_that_ends_in_a_group_that_never_started_is_starved, chain_that_ends_in_a_running_group_is_neither,
    chain_that_ends_in_a_done_group_is_neither, chain_against_the_order_of_the_groups_is_starved,
    group_that_never_started_starves_nobody_if_nobody_waits_for_it, late_group_counts_as_never_started,
    old_wait_of_a_group_that_runs_again_is_no_edge, wait_for_all_with_one_that_never_started_is_starved,
    wait_for_all_behind_another_wait_is_starved, group_that_waits_before_it_arrives_is_in_a_circle_with_the_barrier,
    barrier_inside_a_lock_is_a_circle, group_that_waits_for_one_at_a_safepoint_has_not_come_to_it,
    nothing_is_known_of_a_safepoint_that_more_have_come_to_than_say_so,
    crossed_barriers_are_a_circle_however_many_groups_have_started,
    nothing_is_known_of_two_groups_at_two_barriers_without_rounds, groups_at_the_flags_of_a_barrier_are_no_circle,
    members_that_wait_for_their_leader_have_arrived, nothing_is_known_of_a_barrier_beside_another_wait,
    wait_for_all_with_all_arrived_is_neither, wait_for_all_with_one_still_running_is_neither,
    wait_for_all_with_one_in_an_earlier_round_that_waits_for_all_is_neither,
    wait_for_all_with_one_in_an_earlier_round_that_is_starved_is_starved,
    wait_for_a_lock_whose_holder_is_starved_is_starved, wait_for_a_lock_whose_holder_runs_is_neither,
    wait_for_the_host_is_neither, wait_for_nobody_is_neither, wait_for_a_group_beyond_the_board_is_neither,
    board_without_groups_is_neither, circle_of_three_is_found, group_that_waits_for_itself_is_a_circle,
    own_id_is_another_work_item_only_where_each_waits, circle_is_named_by_a_member_and_not_by_the_way_into_it,
    two_chains_that_meet_are_no_circle, circle_through_a_barrier_is_found, group_that_notes_no_rounds_may_have_arrived,
    circle_through_any_of_several_laggards_is_found, wait_for_all_of_whom_one_may_still_come_is_no_circle)
