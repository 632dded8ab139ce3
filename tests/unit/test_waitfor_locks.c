/* Wait-for graphs with locks that have names, and words that have owners. */
#include "waitfor_fixture.h"

/* --- locks with names --- */

/* The group holds the lock by this name, and another one waits for whoever does. */
static void take(struct builder *builder, uint32_t group, uint32_t lock)
{
    builder_set(builder, group, GL_LOCKS_HELD, board_entry(&builder->board, group, GL_LOCKS_HELD) + 1);
    builder_set(builder, group, GL_LOCK_NAMES, lock);
}

static void wait_for_lock(struct builder *builder, uint32_t group, uint32_t lock)
{
    builder_wait(builder, group, GL_GROUP_HOLDER);
    builder_set(builder, group, GL_WAIT_LOCK, lock);
}

START_TEST(two_groups_with_each_others_locks_are_a_circle)
{
    struct builder b = builder_init(3);
    builder_start_all(&b); /* 2 runs */
    take(&b, 0, 500);
    take(&b, 1, 501);
    wait_for_lock(&b, 0, 501);
    wait_for_lock(&b, 1, 500);
    assert_circle(&b, 0, 1);
}
END_TEST

START_TEST(group_that_holds_one_lock_and_waits_for_another_is_no_circle)
{
    struct builder b = builder_init(2);
    builder_start_all(&b);
    take(&b, 0, 500);
    wait_for_lock(&b, 0, 501); /* which nobody says to hold */
    builder_wait(&b, 1, GL_GROUP_HOST);
    assert_neither(&b);
}
END_TEST

START_TEST(locks_without_names_lead_nobody_into_a_circle)
{
    struct builder b = builder_init(2);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 2; ++group) {
        builder_set(&b, group, GL_LOCKS_HELD, 1);
        builder_wait(&b, group, GL_GROUP_HOLDER);
    }
    assert_neither(&b);
}
END_TEST

START_TEST(circle_that_stands_beside_a_wait_without_a_name_is_found)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    builder_set(&b, 0, GL_LOCKS_HELD, 1);
    builder_wait(&b, 0, 1);
    builder_wait(&b, 1, 2);
    builder_wait(&b, 2, 1);
    assert_circle(&b, 1, 2);
}
END_TEST

START_TEST(semaphore_with_a_holder_that_runs_is_no_circle)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    take(&b, 0, 500);
    take(&b, 1, 500);
    builder_wait(&b, 0, 2);
    wait_for_lock(&b, 2, 500); /* 1 runs */
    assert_neither(&b);
}
END_TEST

START_TEST(semaphore_of_which_all_holders_are_stuck_is_a_circle)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    take(&b, 0, 500);
    take(&b, 1, 500);
    builder_wait(&b, 0, 2);
    wait_for_lock(&b, 2, 500);
    builder_wait(&b, 1, 2);
    assert_circle(&b, 0, 2);
}
END_TEST

START_TEST(wait_for_any_beside_a_group_that_runs_is_no_circle)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    builder_wait(&b, 0, GL_GROUP_ANY);
    builder_wait(&b, 1, 0); /* 2 runs */
    assert_neither(&b);
}
END_TEST

START_TEST(several_groups_that_wait_for_all_and_for_one_laggard_are_no_circle)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    builder_arrive(&b, 0, 2);
    builder_arrive(&b, 1, 2);
    builder_wait(&b, 2, 3);
    assert_neither(&b);
}
END_TEST

START_TEST(circle_through_a_lock_is_found)
{
    struct builder b = builder_init(3);
    builder_start(&b, 0);
    builder_start_waiting(&b, 1, 2);
    take(&b, 1, 500);
    builder_start(&b, 2);
    wait_for_lock(&b, 2, 500);
    assert_circle(&b, 1, 2);
}
END_TEST

START_TEST(holder_that_waits_for_its_own_lock_is_a_circle)
{
    struct builder b = builder_init(1);
    builder_start(&b, 0);
    take(&b, 0, 500);
    wait_for_lock(&b, 0, 500);
    assert_circle(&b, 0, 0);
}
END_TEST

START_TEST(circle_through_a_barrier_and_a_lock_is_found)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    take(&b, 0, 500);
    builder_arrive(&b, 0, 1);
    builder_arrive(&b, 1, 1);
    wait_for_lock(&b, 2, 500);
    assert_circle(&b, 0, 2);
}
END_TEST

START_TEST(circle_and_starvation_of_different_groups_are_both_found)
{
    struct builder b = builder_init(4);
    builder_start_waiting(&b, 0, 1);
    builder_start_waiting(&b, 1, 0);
    builder_start_waiting(&b, 2, 3);
    struct waitfor result = analyse(&b);
    ck_assert_uint_le(result.circle_at, 1);
    ck_assert_uint_eq(result.starved_from, 2);
    ck_assert_uint_eq(result.never_started, 3);
}
END_TEST

/* --- owners of words --- */

/* The group waits until nobody owns the word. */
static void wait_for_owner(struct builder *builder, uint32_t group, uint32_t word)
{
    builder_wait_until(builder, group, builder_sync(builder, word), GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
}

START_TEST(two_groups_that_wait_for_each_others_words_are_a_circle)
{
    struct builder b = builder_init_sync(3, 2);
    builder_start_all(&b);
    own(&b, 0, 0);
    own(&b, 1, 2);
    wait_for_owner(&b, 0, 1);
    wait_for_owner(&b, 2, 0);
    struct waitfor result = analyse(&b);
    ck_assert(result.circle_at == 0 || result.circle_at == 2);
    ck_assert_uint_eq(result.never_started, NOBODY);
}
END_TEST

START_TEST(groups_around_a_table_that_each_own_a_word_are_a_circle)
{
    enum { TABLE = 5 };
    struct builder b = builder_init_sync(TABLE, TABLE);
    builder_start_all(&b);
    for (uint32_t group = 0; group < TABLE; ++group) {
        own(&b, group, group);
        wait_for_owner(&b, group, (group + 1) % TABLE);
    }
    assert_circle(&b, 0, TABLE - 1);
}
END_TEST

START_TEST(group_that_waits_for_a_word_that_it_owns_is_a_circle)
{
    struct builder b = builder_init_sync(2, 1);
    builder_start_all(&b);
    own(&b, 0, 1);
    wait_for_owner(&b, 1, 0);
    assert_circle(&b, 1, 1);
}
END_TEST

START_TEST(chain_of_owners_that_ends_in_a_running_group_is_neither)
{
    struct builder b = builder_init_sync(3, 2);
    builder_start_all(&b);
    own(&b, 0, 1);
    own(&b, 1, 2);
    wait_for_owner(&b, 0, 0);
    wait_for_owner(&b, 1, 1);
    assert_neither(&b);
}
END_TEST

START_TEST(owner_that_waits_for_a_group_that_never_started_starves_others)
{
    struct builder b = builder_init_sync(4, 1);
    builder_start(&b, 0);
    builder_start_waiting(&b, 2, 3);
    own(&b, 0, 2);
    wait_for_owner(&b, 0, 0);
    assert_starved(&b, 0, 3);
}
END_TEST

START_TEST(wait_for_a_word_that_nobody_owns_is_neither)
{
    struct builder b = builder_init_sync(2, 1);
    builder_start(&b, 0);
    wait_for_owner(&b, 0, 0);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_an_owner_beyond_the_board_is_neither)
{
    struct builder b = builder_init_sync(2, 1);
    builder_start(&b, 0);
    own(&b, 0, 2);
    wait_for_owner(&b, 0, 0);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_the_owner_of_a_word_beyond_the_board_is_neither)
{
    struct builder b = builder_init_sync(2, 1);
    builder_start(&b, 0);
    wait_for_owner(&b, 0, 1);
    assert_neither(&b);
}
END_TEST

START_TEST(owners_of_different_words_are_told_apart)
{
    struct builder b = builder_init_sync(4, 2);
    builder_start(&b, 0);
    builder_start(&b, 1);
    builder_start(&b, 2);
    wait_for_lock(&b, 2, 500); /* which nobody holds */
    own(&b, 0, 2);
    own(&b, 1, 3); /* which never started */
    wait_for_owner(&b, 0, 0);
    wait_for_owner(&b, 1, 1);
    assert_starved(&b, 1, 3);
}
END_TEST

START_TEST(lock_without_a_name_that_all_have_dropped_may_wait_for_a_group_that_never_started)
{
    struct builder none = builder_init(2);
    builder_start_waiting(&none, 0, GL_GROUP_HOLDER);
    assert_starved(&none, 0, 1);
    for (int dropped = 0; dropped < 2; ++dropped) {
        struct builder b = builder_init(3);
        builder_start(&b, 0);
        builder_done(&b, 0);
        builder_set(&b, 0, GL_LOCKS_HELD, dropped ? 0 : 1);
        builder_start_waiting(&b, 2, GL_GROUP_HOLDER);
        if (dropped) {
            assert_starved(&b, 2, 1);
            continue;
        }
        const struct waitfor result = analyse(&b);
        ck_assert_uint_eq(result.never_started, NOBODY);
        ck_assert_uint_eq(result.unlock_at, 2);
    }
}
END_TEST

HARNESS_MAIN(
    "waitfor: locks", several_groups_that_wait_for_all_and_for_one_laggard_are_no_circle,
    circle_through_a_lock_is_found, holder_that_waits_for_its_own_lock_is_a_circle,
    circle_through_a_barrier_and_a_lock_is_found, circle_and_starvation_of_different_groups_are_both_found,
    two_groups_that_wait_for_each_others_words_are_a_circle, groups_around_a_table_that_each_own_a_word_are_a_circle,
    group_that_waits_for_a_word_that_it_owns_is_a_circle, chain_of_owners_that_ends_in_a_running_group_is_neither,
    owner_that_waits_for_a_group_that_never_started_starves_others, wait_for_a_word_that_nobody_owns_is_neither,
    wait_for_an_owner_beyond_the_board_is_neither, wait_for_the_owner_of_a_word_beyond_the_board_is_neither,
    owners_of_different_words_are_told_apart, two_groups_with_each_others_locks_are_a_circle,
    group_that_holds_one_lock_and_waits_for_another_is_no_circle, locks_without_names_lead_nobody_into_a_circle,
    circle_that_stands_beside_a_wait_without_a_name_is_found, semaphore_with_a_holder_that_runs_is_no_circle,
    semaphore_of_which_all_holders_are_stuck_is_a_circle, wait_for_any_beside_a_group_that_runs_is_no_circle,
    lock_without_a_name_that_all_have_dropped_may_wait_for_a_group_that_never_started)
