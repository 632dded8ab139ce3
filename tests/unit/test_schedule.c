/* Schedules of launches on model devices: how turns become one, and which of their cuts are left out. */
#include "core/schedule.h"

#include "harness.h"
#include "search/shorten.h"

#include <stdio.h>
#include <string.h>

static void add(struct schedule *schedule, uint32_t group, uint32_t item, uint32_t steps)
{
    schedule_add(schedule, &(struct schedule_turn){group, item, steps});
}

START_TEST(turn_goes_on_with_one_that_was_cut)
{
    struct schedule schedule = {.turns = NULL};

    add(&schedule, 1, 0, 1 | SCHEDULE_CUT);
    add(&schedule, 1, 0, 2 | SCHEDULE_CUT);
    add(&schedule, 1, 0, 3);
    ck_assert_uint_eq(schedule.count, 1);
    ck_assert_uint_eq(schedule.turns[0].steps, 6);
    add(&schedule, 1, 0, 1); /* it waited, and was woken */
    add(&schedule, 1, 1, 1 | SCHEDULE_CUT);
    add(&schedule, 2, 1, 1 | SCHEDULE_CUT);
    ck_assert_uint_eq(schedule.count, 4);
    ck_assert_uint_eq(schedule_cuts(&schedule), 2);
    schedule_fini(&schedule);
}
END_TEST

START_TEST(stillness_ends_a_turn)
{
    struct schedule schedule = {.turns = NULL};

    add(&schedule, 0, 0, 1 | SCHEDULE_CUT);
    ck_assert_uint_eq(schedule_until_still(&schedule).count, 1);
    add(&schedule, 0, 0, 0);
    add(&schedule, 0, 0, 1 | SCHEDULE_CUT);
    ck_assert_uint_eq(schedule.count, 3);
    ck_assert_uint_eq(schedule_until_still(&schedule).count, 1);
    schedule_fini(&schedule);
}
END_TEST

START_TEST(too_long_a_schedule_is_not_kept)
{
    struct schedule schedule = {.turns = NULL};

    for (uint32_t i = 0; i < SCHEDULE_TURNS; ++i)
        add(&schedule, i, 0, 1);
    ck_assert_uint_eq(schedule.count, SCHEDULE_TURNS);
    ck_assert(!schedule.too_long);
    add(&schedule, 0, 0, 1);
    ck_assert_uint_eq(schedule.count, 0);
    ck_assert(schedule.too_long);
    add(&schedule, 0, 0, 1);
    ck_assert_uint_eq(schedule.count, 0);
}
END_TEST

START_TEST(schedules_differ_in_a_turn_or_in_length)
{
    struct schedule_turn turns[] = {{0, 0, 1}, {1, 0, 1}, {0, 0, 2}}, other[] = {{0, 0, 1}, {1, 0, 2}, {0, 0, 2}};
    const struct schedule a = {.turns = turns, .count = 3}, b = {.turns = other, .count = 3};
    const struct schedule shorter = {.turns = turns, .count = 2};

    ck_assert_uint_eq(schedule_differs(&a, &a), SCHEDULE_TURNS);
    ck_assert_uint_eq(schedule_differs(&a, &b), 1);
    ck_assert_uint_eq(schedule_differs(&a, &shorter), 2);
    ck_assert_uint_eq(schedule_differs(&shorter, &a), 2);
}
END_TEST

/* Of more cuts than are told only the last ones have a line, and some of these an empty one. */
START_TEST(cuts_have_lines)
{
    char stops[SCHEDULE_TOLD * 8] = "", text[SCHEDULE_STOP];
    const struct schedule_kept kept = {.stops = stops};

    for (int i = 0; i < SCHEDULE_TOLD; ++i)
        snprintf(stops + strlen(stops), sizeof stops - strlen(stops), i == 3 ? "\n" : "a:%d\n", i);
    schedule_stop(kept.stops, 0, SCHEDULE_TOLD, text);
    ck_assert_str_eq(text, "a:0");
    schedule_stop(kept.stops, 3, SCHEDULE_TOLD, text);
    ck_assert_str_eq(text, "");
    schedule_stop(kept.stops, 4, SCHEDULE_TOLD, text);
    ck_assert_str_eq(text, "a:4");
    schedule_stop(kept.stops, 99, 100, text);
    ck_assert_str_eq(text, "a:39");
    schedule_stop(kept.stops, 59, 100, text);
    ck_assert_str_eq(text, "");
    schedule_stop(kept.stops, 100, 100, text);
    ck_assert_str_eq(text, "");
}
END_TEST

/* The last turns before it stood still. */
START_TEST(what_is_shown_is_the_end)
{
    static struct schedule_turn turns[SCHEDULE_SHOWN + 3];
    const struct schedule_kept kept = {.turns = turns, .count = SCHEDULE_SHOWN + 3, .cuts = 9, .stops = ""};

    ck_assert_ptr_null(schedule_view(&(struct schedule_kept){.turns = NULL}).last);
    for (uint32_t i = 0; i < SCHEDULE_SHOWN + 2; ++i)
        turns[i] = (struct schedule_turn){.group = i, .steps = i % 2 == 0 ? 1 | SCHEDULE_CUT : 1};
    const struct schedule_view view = schedule_view(&kept); /* nobody can go on in the last turn */
    ck_assert_uint_eq(view.turns, SCHEDULE_SHOWN + 2);
    ck_assert_uint_eq(view.cuts, SCHEDULE_SHOWN / 2 + 1);
    ck_assert_uint_eq(view.cuts_before, 9);
    ck_assert_uint_eq(view.count, SCHEDULE_SHOWN);
    ck_assert_uint_eq(view.last[0].group, 2);
}
END_TEST

/* A launch that fails if these work-items' turns are cut, whatever becomes of the others. */
struct fake {
    const uint32_t *needed;
    uint32_t count;
    uint32_t launches, most;
};

static bool fake_fails(void *context, const struct schedule *asked, struct schedule *made)
{
    struct fake *fake = context;
    bool fails = true;

    ++fake->launches;
    for (uint32_t i = 0; i < fake->count; ++i)
        fails = fails && schedule_is_cut(&asked->turns[fake->needed[i]]);
    schedule_copy(made, asked->turns, asked->count);
    return fails;
}

static bool fake_enough(void *context)
{
    const struct fake *fake = context;
    return fake->most != 0 && fake->launches >= fake->most;
}

enum { FAKE_TURNS = 1000 };

static uint32_t shorten(struct fake *fake, struct schedule *schedule)
{
    const struct shortening shortening = {fake_fails, fake_enough, fake};

    *schedule = (struct schedule){.turns = NULL};
    for (uint32_t i = 0; i < FAKE_TURNS; ++i)
        add(schedule, i, 0, i % 3 == 2 ? 4 : 4 | SCHEDULE_CUT); /* every third could not have gone on */
    schedule_shorten(schedule, &shortening);
    return schedule_cuts(schedule);
}

START_TEST(cuts_that_are_needed_are_found)
{
    static const uint32_t needed[] = {0, 1, 331, 600, 997};

    for (uint32_t count = 0; count <= 5; ++count) {
        struct fake fake = {needed, count, 0, 0};
        struct schedule schedule;
        ck_assert_uint_eq(shorten(&fake, &schedule), count);
        for (uint32_t i = 0; i < count; ++i)
            ck_assert(schedule_is_cut(&schedule.turns[needed[i]]));
        ck_assert_uint_le(fake.launches, 200); /* of 667 cuts */
        schedule_fini(&schedule);
    }
}
END_TEST

START_TEST(enough_is_enough)
{
    static const uint32_t needed[] = {0, 331, 997};
    struct fake fake = {needed, 3, 0, 5};
    struct schedule schedule;

    ck_assert_uint_gt(shorten(&fake, &schedule), 3);
    ck_assert_uint_eq(fake.launches, 5);
    for (uint32_t i = 0; i < 3; ++i)
        ck_assert(schedule_is_cut(&schedule.turns[needed[i]]));
    schedule_fini(&schedule);
}
END_TEST

HARNESS_MAIN("schedule", turn_goes_on_with_one_that_was_cut, stillness_ends_a_turn, too_long_a_schedule_is_not_kept,
             schedules_differ_in_a_turn_or_in_length, cuts_have_lines, what_is_shown_is_the_end,
             cuts_that_are_needed_are_found, enough_is_enough)
