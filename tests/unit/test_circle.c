#include "model/circle.h"
#include "model/parking.h"

#include "harness.h"

enum { ITEMS = 5 };

static const char here[] = "here", there[] = "else";

static void begin(struct circle **circle, uint64_t epoch)
{
    circle_begin(circle, here, sizeof here, epoch);
}

START_TEST(closes_where_all_is_as_it_was)
{
    uint32_t words[2] = {1, 2};
    struct circle *circle = NULL;

    begin(&circle, 7);
    circle_note(circle, &words[0], sizeof *words);
    circle_note(circle, &words[1], sizeof *words);
    ck_assert(circle_closes(circle, here, sizeof here, 7));
    ck_assert(circle_closes(circle, here, sizeof here, 8)); /* what changed is not in it */
    ck_assert(!circle_closes(circle, there, sizeof there, 7));
    ck_assert(!circle_closes(circle, here, sizeof here - 1, 7));
    words[1] = 3;
    ck_assert(!circle_closes(circle, here, sizeof here, 9));
    words[1] = 2;
    ck_assert(circle_closes(circle, here, sizeof here, 10));
    free(circle);
}
END_TEST

/* On its way it read a word before and after it changed: it need not come that way again. */
START_TEST(does_not_close_over_two_values_of_a_word)
{
    uint32_t word = 1;
    struct circle *circle = NULL;

    begin(&circle, 1);
    circle_note(circle, &word, sizeof word);
    word = 2;
    circle_note(circle, &word, sizeof word);
    ck_assert(!circle_closes(circle, here, sizeof here, 2));
    word = 1;
    ck_assert(!circle_closes(circle, here, sizeof here, 3));
    begin(&circle, 3);
    circle_note(circle, &word, sizeof word);
    ck_assert(circle_closes(circle, here, sizeof here, 3));
    free(circle);
}
END_TEST

START_TEST(of_many_words_stands_while_nothing_changes)
{
    uint64_t words[CIRCLE_WORDS + 1] = {0};
    struct circle *circle = NULL;

    begin(&circle, 1);
    for (int turn = 0; turn < 2; ++turn)
        for (int i = 0; i < CIRCLE_WORDS; ++i)
            circle_note(circle, &words[i], sizeof *words);
    ck_assert(circle_closes(circle, here, sizeof here, 2));
    circle_note(circle, &words[CIRCLE_WORDS], sizeof *words);
    ck_assert(circle_closes(circle, here, sizeof here, 1));
    ck_assert(!circle_closes(circle, here, sizeof here, 2));
    free(circle);
}
END_TEST

struct waiting {
    struct parking parking;
    struct ready ready;
    struct circle *circle;
    uint32_t ranks[ITEMS];
};

static void set_up(struct waiting *waiting)
{
    *waiting = (struct waiting){0};
    parking_begin(&waiting->parking, ITEMS);
    ready_begin(&waiting->ready, MODEL_TURNS_ROUND, ITEMS, waiting->ranks);
}

static void tear_down(struct waiting *waiting)
{
    parking_fini(&waiting->parking);
    ready_fini(&waiting->ready);
    free(waiting->circle);
}

static void park(struct waiting *waiting, uint32_t item, const volatile void *first, size_t bytes,
                 const volatile void *second)
{
    begin(&waiting->circle, 0);
    circle_note(waiting->circle, first, bytes);
    if (second != NULL)
        circle_note(waiting->circle, second, 1);
    parking_park(&waiting->parking, item, waiting->circle);
}

static void assert_woken(struct waiting *waiting, uint32_t count, const uint32_t *items)
{
    uint64_t lots = 0;

    ck_assert_uint_eq(waiting->ready.count, count);
    for (uint32_t i = 0; i < count; ++i)
        ck_assert_uint_eq(ready_take(&waiting->ready, &lots), items[i]);
}

START_TEST(those_wake_whose_words_change)
{
    static _Alignas(64) unsigned char memory[256];
    struct waiting waiting;

    set_up(&waiting);
    park(&waiting, 3, &memory[0], 4, &memory[64]);
    park(&waiting, 1, &memory[4], 4, &memory[8]); /* two words that count as one */
    park(&waiting, 4, &memory[60], 8, NULL);      /* across a border */
    park(&waiting, 0, &memory[128], 4, NULL);
    parking_wake(&waiting.parking, &memory[200], 4, &waiting.ready);
    assert_woken(&waiting, 0, NULL);
    parking_wake(&waiting.parking, &memory[0], 4, &waiting.ready);
    assert_woken(&waiting, 2, (const uint32_t[]){3, 1});
    parking_wake(&waiting.parking, &memory[0], 64, &waiting.ready); /* 3 is no longer there */
    assert_woken(&waiting, 1, (const uint32_t[]){4});
    ck_assert(parking_has(&waiting.parking, 0));
    parking_wake_all(&waiting.parking, &waiting.ready);
    assert_woken(&waiting, 1, (const uint32_t[]){0});
    ck_assert_uint_eq(waiting.parking.count, 0);
    tear_down(&waiting);
}
END_TEST

START_TEST(who_knows_too_many_words_wakes_with_any)
{
    static uint64_t memory[64];
    struct waiting waiting;

    set_up(&waiting);
    begin(&waiting.circle, 0);
    for (int i = 0; i <= CIRCLE_WORDS; ++i)
        circle_note(waiting.circle, &memory[i], sizeof *memory);
    parking_park(&waiting.parking, 2, waiting.circle);
    parking_wake(&waiting.parking, &memory[40], 1, &waiting.ready);
    assert_woken(&waiting, 1, (const uint32_t[]){2});
    tear_down(&waiting);
}
END_TEST

HARNESS_MAIN("circle", closes_where_all_is_as_it_was, does_not_close_over_two_values_of_a_word,
             of_many_words_stands_while_nothing_changes, those_wake_whose_words_change,
             who_knows_too_many_words_wakes_with_any)
