/* Wait-for graphs of waits for any group, of many groups, and of boards drawn at random. */
#include "waitfor_fixture.h"

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

/*
 * It notes an earlier round; or it waits elsewhere, and the word of the barrier, or a lock, tells that it has not come.
 */
static bool has_yet_to_arrive(const struct rules *rules, uint32_t group, uint32_t other)
{
    const struct board *board = rules->board;
    const uint32_t waits_for = board_entry(board, other, GL_WAIT_GROUP);
    const uint32_t at = board_entry(board, group, GL_WAIT_WORD);
    const uint32_t word = at < GL_SYNC(board->groups) + FEW ? board->words[at] : UINT32_MAX;
    const bool may_be_its_lock = waits_for == GL_GROUP_HOLDER || waits_for == GL_GROUP_OWNER;
    uint32_t outside = 0, latest = 0, behind = 0;

    for (uint32_t each = 0; each < board->groups; ++each)
        latest = board_entry(board, each, GL_ROUND) > latest ? board_entry(board, each, GL_ROUND) : latest;
    for (uint32_t each = 0; each < board->groups; ++each) {
        const bool is_outside = !(rules->stuck[each] && board_entry(board, each, GL_WAIT_GROUP) == GL_GROUP_ALL);
        outside += is_outside;
        behind += is_outside && board_entry(board, each, GL_ROUND) < latest;
    }
    if (board_entry(board, other, GL_ROUND) > 0 &&
        board_entry(board, other, GL_ROUND) < board_entry(board, group, GL_ROUND))
        return true;
    if (!rules->stuck[other] || waits_for == GL_GROUP_ALL)
        return false;
    return word == outside || /* it is to be 0 */
           (word == behind && board_entry(board, other, GL_ROUND) < latest) ||
           (may_be_its_lock && board_entry(board, group, GL_LOCKS_HELD) != 0 && board_awaits(board, other, group));
}

static bool all_dropped(const struct board *board)
{
    uint32_t held = 0;

    for (uint32_t group = 0; group < board->groups; ++group)
        held |= board_entry(board, group, GL_LOCKS_HELD);
    return held == 0;
}

/* Could `other` end the wait of `group`? `certain`: and is that known? */
static bool is_edge(const struct rules *rules, uint32_t group, uint32_t other, bool certain)
{
    const struct board *board = rules->board;
    const uint32_t awaited = board_entry(board, group, GL_WAIT_GROUP);
    const uint32_t lock = board_entry(board, group, GL_WAIT_LOCK);
    const uint32_t word = board_entry(board, group, GL_WAIT_WORD);

    if (awaited == GL_GROUP_ALL && certain)
        return board_started(board, other) && has_yet_to_arrive(rules, group, other);
    if (awaited == GL_GROUP_ALL)
        return !board_started(board, other) ||
               board_entry(board, other, GL_ROUND) < board_entry(board, group, GL_ROUND);
    if (awaited == GL_GROUP_HOLDER && lock != 0)
        return board_holds(board, other, lock);
    if (awaited == GL_GROUP_HOLDER)
        return !certain && other != group &&
               (board_entry(board, other, GL_LOCKS_HELD) != 0 || (!board_started(board, other) && all_dropped(board)));
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

HARNESS_MAIN("waitfor: any", long_chain_is_starved, long_circle_is_found,
             many_groups_that_wait_for_all_with_one_that_never_started_are_starved,
             many_groups_of_which_half_never_started_are_starved_by_the_first_of_those,
             both_rules_find_what_there_is_on_random_boards_and_nothing_else, wait_for_any_with_one_running_is_neither,
             wait_for_any_with_all_others_done_is_neither, wait_for_any_with_one_that_never_started_is_starved,
             groups_that_all_wait_for_any_are_a_circle, group_that_alone_waits_for_any_is_no_circle,
             circle_through_any_and_a_certain_group_is_found, wait_for_any_of_which_one_waits_for_the_host_is_neither,
             several_groups_that_wait_for_any_and_one_that_starves_are_starved,
             many_groups_that_wait_for_any_are_a_circle_found_in_time)
