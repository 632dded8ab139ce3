#include "core/waitfor.h"

#include "board_builder.h"
#include "harness.h"

#define NOBODY WAITFOR_NOBODY

/* Analyses the board, and frees it. */
static struct waitfor analyse(struct builder *builder)
{
    struct waitfor result;
    struct error error;
    ck_assert_int_eq(waitfor_analyse(&builder->board, NULL, &result, &error), 0);
    builder_fini(builder);
    return result;
}

static void assert_neither(struct builder *builder)
{
    struct waitfor result = analyse(builder);
    ck_assert_uint_eq(result.starved_from, NOBODY);
    ck_assert_uint_eq(result.never_started, NOBODY);
    ck_assert_uint_eq(result.circle_at, NOBODY);
}

static void assert_starved(struct builder *builder, uint32_t from, uint32_t never_started)
{
    struct waitfor result = analyse(builder);
    ck_assert_uint_eq(result.starved_from, from);
    ck_assert_uint_eq(result.never_started, never_started);
    ck_assert_uint_eq(result.circle_at, NOBODY);
}

static void assert_circle(struct builder *builder, uint32_t first, uint32_t last)
{
    struct waitfor result = analyse(builder);
    ck_assert_uint_eq(result.never_started, NOBODY);
    ck_assert_uint_ge(result.circle_at, first);
    ck_assert_uint_le(result.circle_at, last);
}

/* Each of the groups from `first` to `last` starts and waits for the next. */
static void chain(struct builder *builder, uint32_t first, uint32_t last)
{
    for (uint32_t group = first; group <= last; ++group)
        builder_start_waiting(builder, group, group + 1);
}

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
    assert_starved(&b, 0, 3);
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

START_TEST(wait_for_a_lock_that_nobody_holds_is_neither)
{
    struct builder b = builder_init(2);
    builder_start_waiting(&b, 0, GL_GROUP_HOLDER);
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
    builder_wait(&b, 2, 1); /* 2 has not arrived and waits for 1, which waits for all */
    assert_circle(&b, 0, 2);
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

/* The group takes the lock that a word is: the word holds its id plus 1. */
static void own(struct builder *builder, uint32_t word, uint32_t group)
{
    builder->words[builder_sync(builder, word)] = group + 1;
}

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
    builder_start_waiting(&b, 2, GL_GROUP_HOLDER); /* of a lock that nobody holds */
    own(&b, 0, 2);
    own(&b, 1, 3); /* which never started */
    wait_for_owner(&b, 0, 0);
    wait_for_owner(&b, 1, 1);
    assert_starved(&b, 1, 3);
}
END_TEST

/* --- any group that has not ended --- */

START_TEST(wait_for_any_with_one_running_is_neither)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    builder_wait(&b, 0, GL_GROUP_ANY);
    builder_done(&b, 1);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_any_with_all_others_done_is_neither)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    builder_wait(&b, 0, GL_GROUP_ANY);
    builder_done(&b, 1);
    builder_done(&b, 2);
    assert_neither(&b);
}
END_TEST

START_TEST(wait_for_any_with_one_that_never_started_is_starved)
{
    struct builder b = builder_init(3);
    builder_start_waiting(&b, 0, GL_GROUP_ANY);
    builder_start(&b, 1);
    builder_done(&b, 1);
    assert_starved(&b, 0, 2);
}
END_TEST

START_TEST(groups_that_all_wait_for_any_are_a_circle)
{
    for (uint32_t groups = 2; groups < 6; ++groups) {
        struct builder b = builder_init(groups);
        builder_start_all(&b);
        for (uint32_t group = 0; group < groups; ++group)
            builder_wait(&b, group, GL_GROUP_ANY);
        assert_circle(&b, 0, groups - 1);
    }
}
END_TEST

START_TEST(group_that_alone_waits_for_any_is_no_circle)
{
    struct builder b = builder_init(1);
    builder_start_waiting(&b, 0, GL_GROUP_ANY);
    assert_neither(&b);
}
END_TEST

START_TEST(circle_through_any_and_a_certain_group_is_found)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    builder_done(&b, 0);
    builder_wait(&b, 1, GL_GROUP_ANY);
    builder_wait(&b, 3, 1);
    builder_done(&b, 2);
    assert_circle(&b, 1, 3);
}
END_TEST

START_TEST(wait_for_any_of_which_one_waits_for_the_host_is_neither)
{
    struct builder b = builder_init(2);
    builder_start_waiting(&b, 0, GL_GROUP_ANY);
    builder_start_waiting(&b, 1, GL_GROUP_HOST);
    assert_neither(&b);
}
END_TEST

START_TEST(several_groups_that_wait_for_any_and_one_that_starves_are_starved)
{
    struct builder b = builder_init(5);
    for (uint32_t group = 0; group < 3; ++group)
        builder_start_waiting(&b, group, GL_GROUP_ANY);
    builder_start_waiting(&b, 3, 4);
    struct waitfor result = analyse(&b);
    ck_assert_uint_eq(result.never_started, 4);
}
END_TEST

START_TEST(many_groups_that_wait_for_any_are_a_circle_found_in_time)
{
    enum { GROUPS = 4096 };
    struct builder b = builder_init(GROUPS);
    builder_start_all(&b);
    for (uint32_t group = 0; group < GROUPS; ++group)
        builder_wait(&b, group, GL_GROUP_ANY);
    assert_circle(&b, 0, GROUPS - 1);
}
END_TEST

/* --- many groups --- */

enum { MANY = 4096 };

START_TEST(long_chain_is_starved)
{
    struct builder b = builder_init(MANY);
    chain(&b, 0, MANY - 2);
    assert_starved(&b, 0, MANY - 1);
}
END_TEST

START_TEST(long_circle_is_found)
{
    struct builder b = builder_init(MANY);
    chain(&b, 0, MANY - 2);
    builder_start_waiting(&b, MANY - 1, 0);
    assert_circle(&b, 0, MANY - 1);
}
END_TEST

START_TEST(many_groups_that_wait_for_all_with_one_that_never_started_are_starved)
{
    struct builder b = builder_init(MANY);
    builder_starve_barrier(&b, MANY - 1, GL_ENDED_STOP);
    assert_starved(&b, 0, MANY - 1);
}
END_TEST

START_TEST(many_groups_of_which_half_never_started_are_starved_by_the_first_of_those)
{
    struct builder b = builder_init(MANY);
    builder_starve_barrier(&b, MANY / 2, GL_ENDED_STOP);
    assert_starved(&b, 0, MANY / 2);
}
END_TEST

/* --- any board --- */

enum { FEW = 7, BOARDS = 20000 };

static uint32_t next_random(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static void act_at_random(struct builder *builder, uint32_t group, uint32_t *random)
{
    static const uint32_t awaited[] = {GL_GROUP_ALL,    GL_GROUP_ALL,    GL_GROUP_HOLDER, GL_GROUP_HOLDER,
                                       GL_GROUP_HOLDER, GL_GROUP_ANY,    GL_GROUP_OWNER,  GL_GROUP_OWNER,
                                       GL_GROUP_OWNER,  GL_GROUP_NOBODY, GL_GROUP_HOST};
    const uint32_t act = next_random(random, 20);
    if (act == 0 && next_random(random, 2) == 0)
        return;
    builder_start(builder, group);
    builder_set(builder, group, GL_ROUND, next_random(random, 3));
    builder_set(builder, group, GL_LOCKS_HELD, next_random(random, 3));
    builder_set(builder, group, GL_LOCK_NAMES + 1, next_random(random, 3));
    builder_set(builder, group, GL_WAIT_LOCK, next_random(random, 3));
    own(builder, group, next_random(random, builder->board.groups + 2) - 1); /* of nobody, or beyond the board, too */
    if (act < 11)
        builder_wait_until(builder, group, builder_sync(builder, next_random(random, FEW + 1)), GL_UNTIL_EQUAL, 0,
                           awaited[act]);
    else if (act < 18)
        builder_wait(builder, group, next_random(random, builder->board.groups));
    else if (act < 19)
        builder_done(builder, group);
}

/* As the rules say it, without any thought of time. */
struct rules {
    const struct board *board;
    bool stuck[FEW];
    bool all_started;
};

static bool is_free(const struct rules *rules, uint32_t group)
{
    return board_started(rules->board, group) && !board_ended(rules->board, group) && !rules->stuck[group];
}

/* Could `other` end the wait of `group`? `certain`: and is that known? */
static bool is_edge(const struct rules *rules, uint32_t group, uint32_t other, bool certain)
{
    const struct board *board = rules->board;
    const uint32_t awaited = board_entry(board, group, GL_WAIT_GROUP);
    const uint32_t lock = board_entry(board, group, GL_WAIT_LOCK);
    const uint32_t word = board_entry(board, group, GL_WAIT_WORD);

    if (awaited == GL_GROUP_ALL)
        return !board_started(board, other) ||
               board_entry(board, other, GL_ROUND) < board_entry(board, group, GL_ROUND);
    if (awaited == GL_GROUP_HOLDER && lock != 0)
        return board_holds(board, other, lock);
    if (awaited == GL_GROUP_HOLDER)
        return !certain && other != group && board_entry(board, other, GL_LOCKS_HELD) != 0;
    if (awaited == GL_GROUP_ANY)
        return (!certain || rules->all_started) && other != group && !board_ended(board, other);
    if (awaited == GL_GROUP_OWNER)
        return word < GL_SYNC(board->groups) + FEW && board->words[word] == other + 1;
    return awaited == other;
}

static bool is_named(const struct rules *rules, uint32_t group)
{
    for (uint32_t other = 0; other < rules->board->groups; ++other) {
        const uint32_t awaited = board_entry(rules->board, group, GL_WAIT_GROUP);
        const bool holder = awaited == GL_GROUP_HOLDER;
        if (is_edge(rules, group, other, false) && (!holder || (other != group && !board_ended(rules->board, other))))
            return true;
    }
    return false;
}

static bool leads_out(const struct rules *rules, uint32_t group)
{
    const struct board *board = rules->board;
    const uint32_t awaited = board_entry(board, group, GL_WAIT_GROUP);
    const bool named = is_named(rules, group);
    bool some_free = false;

    for (uint32_t other = 0; other < board->groups; ++other)
        some_free = some_free || is_free(rules, other);
    if (awaited == GL_GROUP_ALL)
        return some_free;
    for (uint32_t other = 0; other < board->groups; ++other) {
        const bool holds_some = board_holds_unnamed(board, other) && awaited == GL_GROUP_HOLDER;
        const bool may = other != group && (is_edge(rules, group, other, false) || (named && holds_some));
        if (may && (is_free(rules, other) || (some_free && !board_started(board, other))))
            return true;
    }
    if (awaited == GL_GROUP_HOST)
        return true;
    return awaited >= board->groups && !named && some_free;
}

static struct rules find_stuck(const struct board *board)
{
    struct rules rules = {.board = board, .all_started = true};
    bool changed = true;

    for (uint32_t group = 0; group < board->groups; ++group) {
        rules.stuck[group] = board_started(board, group) && board_waiting(board, group) && !board_ready(board, group);
        rules.all_started = rules.all_started && board_started(board, group);
    }
    while (changed) {
        changed = false;
        for (uint32_t group = 0; group < board->groups; ++group) {
            if (!rules.stuck[group] || !leads_out(&rules, group))
                continue;
            rules.stuck[group] = false;
            changed = true;
        }
    }
    return rules;
}

static void find_chains(const struct rules *rules, bool certain, bool chains[FEW][FEW])
{
    const uint32_t groups = rules->board->groups;
    for (uint32_t from = 0; from < groups; ++from)
        for (uint32_t to = 0; to < groups; ++to)
            chains[from][to] = rules->stuck[from] && is_edge(rules, from, to, certain);
    for (uint32_t by = 0; by < groups; ++by)
        for (uint32_t from = 0; from < groups; ++from)
            for (uint32_t to = 0; to < groups; ++to)
                chains[from][to] = chains[from][to] || (chains[from][by] && chains[by][to]);
}

static void assert_as_the_rules_say(struct builder *b)
{
    const struct rules rules = find_stuck(&b->board);
    const uint32_t groups = b->board.groups;
    bool chains[FEW][FEW], certain[FEW][FEW];
    bool starved = false, circle = false;

    find_chains(&rules, false, chains);
    find_chains(&rules, true, certain);
    for (uint32_t to = 0; to < groups; ++to) {
        circle = circle || certain[to][to];
        for (uint32_t from = 0; from < groups; ++from)
            starved = starved || (chains[from][to] && !board_started(&b->board, to));
    }
    const struct waitfor result = analyse(b);
    ck_assert_int_eq(result.never_started != NOBODY, starved);
    ck_assert(!starved || chains[result.starved_from][result.never_started]);
    ck_assert_int_eq(result.circle_at != NOBODY, circle);
    ck_assert(!circle || certain[result.circle_at][result.circle_at]);
}

START_TEST(both_rules_find_what_there_is_on_random_boards_and_nothing_else)
{
    uint32_t random = 1;
    for (int i = 0; i < BOARDS; ++i) {
        struct builder b = builder_init_sync(1 + next_random(&random, FEW), FEW);
        for (uint32_t group = 0; group < b.board.groups; ++group)
            act_at_random(&b, group, &random);
        assert_as_the_rules_say(&b);
    }
}
END_TEST

HARNESS_MAIN(
    "waitfor", chain_that_ends_in_a_group_that_never_started_is_starved, chain_that_ends_in_a_running_group_is_neither,
    chain_that_ends_in_a_done_group_is_neither, chain_against_the_order_of_the_groups_is_starved,
    group_that_never_started_starves_nobody_if_nobody_waits_for_it, late_group_counts_as_never_started,
    old_wait_of_a_group_that_runs_again_is_no_edge, wait_for_all_with_one_that_never_started_is_starved,
    wait_for_all_behind_another_wait_is_starved, wait_for_all_with_all_arrived_is_neither,
    wait_for_all_with_one_still_running_is_neither,
    wait_for_all_with_one_in_an_earlier_round_that_waits_for_all_is_neither,
    wait_for_all_with_one_in_an_earlier_round_that_is_starved_is_starved,
    wait_for_a_lock_whose_holder_is_starved_is_starved, wait_for_a_lock_whose_holder_runs_is_neither,
    wait_for_a_lock_that_nobody_holds_is_neither, wait_for_the_host_is_neither, wait_for_nobody_is_neither,
    wait_for_a_group_beyond_the_board_is_neither, board_without_groups_is_neither, circle_of_three_is_found,
    group_that_waits_for_itself_is_a_circle, circle_is_named_by_a_member_and_not_by_the_way_into_it,
    two_chains_that_meet_are_no_circle, circle_through_a_barrier_is_found,
    several_groups_that_wait_for_all_and_for_one_laggard_are_no_circle, circle_through_a_lock_is_found,
    holder_that_waits_for_its_own_lock_is_a_circle, circle_through_a_barrier_and_a_lock_is_found,
    circle_and_starvation_of_different_groups_are_both_found, long_chain_is_starved, long_circle_is_found,
    many_groups_that_wait_for_all_with_one_that_never_started_are_starved,
    many_groups_of_which_half_never_started_are_starved_by_the_first_of_those,
    circle_through_any_of_several_laggards_is_found, both_rules_find_what_there_is_on_random_boards_and_nothing_else,
    two_groups_that_wait_for_each_others_words_are_a_circle, groups_around_a_table_that_each_own_a_word_are_a_circle,
    group_that_waits_for_a_word_that_it_owns_is_a_circle, chain_of_owners_that_ends_in_a_running_group_is_neither,
    owner_that_waits_for_a_group_that_never_started_starves_others, wait_for_a_word_that_nobody_owns_is_neither,
    wait_for_an_owner_beyond_the_board_is_neither, wait_for_the_owner_of_a_word_beyond_the_board_is_neither,
    owners_of_different_words_are_told_apart, wait_for_any_with_one_running_is_neither,
    wait_for_any_with_all_others_done_is_neither, wait_for_any_with_one_that_never_started_is_starved,
    groups_that_all_wait_for_any_are_a_circle, group_that_alone_waits_for_any_is_no_circle,
    circle_through_any_and_a_certain_group_is_found, wait_for_any_of_which_one_waits_for_the_host_is_neither,
    several_groups_that_wait_for_any_and_one_that_starves_are_starved,
    many_groups_that_wait_for_any_are_a_circle_found_in_time, wait_for_all_of_whom_one_may_still_come_is_no_circle,
    two_groups_with_each_others_locks_are_a_circle, group_that_holds_one_lock_and_waits_for_another_is_no_circle,
    locks_without_names_lead_nobody_into_a_circle, circle_that_stands_beside_a_wait_without_a_name_is_found,
    semaphore_with_a_holder_that_runs_is_no_circle, semaphore_of_which_all_holders_are_stuck_is_a_circle,
    wait_for_any_beside_a_group_that_runs_is_no_circle)
