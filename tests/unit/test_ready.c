/* Which work-item of those that may go on is next. */
#include "harness.h"

#include "model/ready.h"

enum { ITEMS = 8 };

static uint64_t lots = 1;

static void set_up(struct ready *ready, enum model_turns turns)
{
    static const uint32_t ranks[ITEMS] = {10, 70, 30, 20, 60, 50, 40, 0};

    ready_begin(ready, turns, ITEMS, ranks);
}

static void assert_next(struct ready *ready, uint32_t count, const uint32_t *items)
{
    for (uint32_t i = 0; i < count; ++i)
        ck_assert_uint_eq(ready_take(ready, &lots), items[i]);
}

START_TEST(of_five_turns_one_is_of_who_is_idle_if_there_are_others)
{
    struct ready ready;

    set_up(&ready, MODEL_TURNS_ROUND);
    for (uint32_t item = 0; item < 6; ++item)
        ready_add(&ready, item);
    ready_add_idle(&ready, 7);
    ready_add_idle(&ready, 6);
    assert_next(&ready, 5, (const uint32_t[]){0, 1, 2, 3, 6});
    ck_assert_uint_eq(ready.count, 3);
    assert_next(&ready, 3, (const uint32_t[]){4, 5, 7});
    ck_assert_uint_eq(ready.count, 0);
    ready_fini(&ready);
}
END_TEST

START_TEST(of_idle_ones_every_other_has_been_so_for_longest)
{
    struct ready ready;

    set_up(&ready, MODEL_TURNS_ROUND);
    for (uint32_t item = 0; item < 6; ++item)
        ready_add_idle(&ready, item);
    assert_next(&ready, 6, (const uint32_t[]){1, 0, 4, 2, 5, 3});
    ready_fini(&ready);
}
END_TEST

START_TEST(an_idle_one_has_its_turn_whoever_else_comes_back)
{
    struct ready ready;
    uint32_t turns = 0;

    set_up(&ready, MODEL_TURNS_ROUND);
    ready_add(&ready, 2);
    ready_add_idle(&ready, 1);
    ready_add_idle(&ready, 7); /* of the lowest rank */
    for (uint32_t item = 8; item != 7 && turns < 100; ++turns) {
        item = ready_take(&ready, &lots);
        if (item == 2)
            ready_add(&ready, item);
        else
            ready_add_idle(&ready, item);
    }
    ck_assert_uint_lt(turns, 20);
    ready_fini(&ready);
}
END_TEST

START_TEST(who_is_asked_for_is_taken_wherever_it_is)
{
    struct ready ready;

    set_up(&ready, MODEL_TURNS_ROUND);
    ready_add(&ready, 3);
    ready_add(&ready, 0);
    ready_add_idle(&ready, 5);
    ready_add_idle(&ready, 4);
    ready_add_idle(&ready, 1);
    ck_assert(ready_take_this(&ready, 4));
    ck_assert(ready_take_this(&ready, 0));
    ck_assert(!ready_take_this(&ready, 4));
    ck_assert(!ready_take_this(&ready, 2));
    ck_assert_uint_eq(ready.count, 3);
    assert_next(&ready, 3, (const uint32_t[]){3, 1, 5});
    ready_fini(&ready);
}
END_TEST

START_TEST(with_priorities_the_highest_is_next_idle_or_not)
{
    struct ready ready;

    set_up(&ready, MODEL_TURNS_PCT);
    for (uint32_t item = 0; item < ITEMS; item += 2) {
        ready_add(&ready, item);
        ready_add_idle(&ready, item + 1);
    }
    ck_assert(ready_has_higher(&ready, 69));
    ck_assert(!ready_has_higher(&ready, 70));
    assert_next(&ready, ITEMS, (const uint32_t[]){1, 4, 5, 6, 2, 3, 0, 7});
    ready_fini(&ready);
}
END_TEST

START_TEST(by_lot_each_comes_once)
{
    struct ready ready;
    uint32_t seen = 0;

    set_up(&ready, MODEL_TURNS_LOT);
    for (uint32_t item = 0; item < ITEMS; item += 2) {
        ready_add(&ready, item);
        ready_add_idle(&ready, item + 1);
    }
    while (ready.count > 0)
        seen |= 1U << ready_take(&ready, &lots);
    ck_assert_uint_eq(seen, (1U << ITEMS) - 1);
    ready_fini(&ready);
}
END_TEST

START_TEST(by_lot_it_is_foreseen_who_comes_if_all_come_back)
{
    struct ready ready;

    set_up(&ready, MODEL_TURNS_LOT);
    for (uint32_t item = 0; item < 3; ++item)
        ready_add(&ready, item);
    for (uint32_t turn = 0; turn < 100; ++turn) {
        const uint32_t item = ready_take(&ready, &lots);
        const uint32_t *foreseen = ready_foresee(&ready, lots, 0);
        for (uint32_t ahead = 0; ahead < 2 * ITEMS; ++ahead) /* even where none was ever put */
            ck_assert_uint_lt(*ready_foresee(&ready, lots, ahead), ITEMS);
        ready_add(&ready, item);
        const uint32_t next = *foreseen;
        ck_assert_uint_eq(ready_take(&ready, &lots), next);
        ready_add(&ready, next);
    }
    ready_fini(&ready);
}
END_TEST

HARNESS_MAIN("ready", of_five_turns_one_is_of_who_is_idle_if_there_are_others,
             of_idle_ones_every_other_has_been_so_for_longest, an_idle_one_has_its_turn_whoever_else_comes_back,
             who_is_asked_for_is_taken_wherever_it_is, with_priorities_the_highest_is_next_idle_or_not,
             by_lot_each_comes_once, by_lot_it_is_foreseen_who_comes_if_all_come_back)
