#include "explain/timeline.h"

#include "board_builder.h"
#include "harness.h"

static struct timeline make(const struct builder *builder, enum dialect dialect, uint32_t resident)
{
    const struct evidence evidence = {
        .trial = {.groups = builder->board.groups, .dialect = dialect},
        .prediction = {.resident = resident},
        .observation = {.duration_ns = 50000},
        .words = builder->words,
        .board = builder->board,
    };
    struct timeline timeline;
    timeline_make(&evidence, &timeline);
    return timeline;
}

static void end(struct timeline *timeline, struct builder *builder)
{
    timeline_fini(timeline);
    builder_fini(builder);
}

static const struct timeline_slice *slice_of(const struct timeline *timeline, uint32_t group)
{
    for (uint32_t i = 0; i < timeline->count; ++i)
        if (timeline->slices[i].group == group)
            return &timeline->slices[i];
    ck_abort_msg("group %u has no slice", group);
    return NULL;
}

static void assert_slice(const struct timeline *timeline, uint32_t group, uint64_t start_ns, uint64_t end_ns,
                         uint32_t lane)
{
    const struct timeline_slice *slice = slice_of(timeline, group);
    ck_assert_uint_eq(slice->start_ns, start_ns);
    ck_assert_uint_eq(slice->end_ns, end_ns);
    ck_assert_uint_eq(slice->lane, lane);
}

/* What every timeline promises: slices last, lie within the launch and on a lane of their unit, and do not overlap. */
static void assert_sound(const struct timeline *timeline)
{
    uint64_t *busy = calloc(timeline->lane_count + (size_t)1, sizeof *busy);
    ck_assert_ptr_nonnull(busy);
    for (uint32_t i = 0; i < timeline->count; ++i) {
        const struct timeline_slice *slice = &timeline->slices[i];
        ck_assert_uint_lt(slice->start_ns, slice->end_ns);
        ck_assert_uint_le(slice->end_ns, timeline->end_ns);
        ck_assert_uint_lt(slice->lane, timeline->lane_count);
        ck_assert_uint_eq(timeline->lanes[slice->lane].unit, slice->unit);
        ck_assert_uint_le(busy[slice->lane], slice->start_ns);
        busy[slice->lane] = slice->end_ns;
    }
    free(busy);
}

/* The group starts on a unit at a time of the device, and is done some time later; 0: nobody knows when. */
static void run_on(struct builder *b, uint32_t group, uint32_t unit, uint64_t start, uint32_t lasted)
{
    builder_start(b, group);
    builder_set(b, group, GL_UNIT, unit + 1);
    builder_set(b, group, GL_CLOCK_LOW, (uint32_t)start);
    builder_set(b, group, GL_CLOCK_HIGH, (uint32_t)(start >> 32));
    builder_set(b, group, GL_CLOCK_END, lasted > 0 ? (uint32_t)(start + lasted) : 0);
    builder_done(b, group);
}

/* --- without a clock --- */

START_TEST(tickets_are_a_microsecond_each)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 3, GL_ENDED_STOP);
    struct timeline timeline = make(&b, DIALECT_CL30, 3);
    ck_assert_int_eq(timeline.clock, TIMELINE_TICKET);
    ck_assert(!timeline.has_units);
    ck_assert_uint_eq(timeline.count, 3);
    ck_assert_uint_eq(timeline.lane_count, 3);
    for (uint32_t group = 0; group < 3; ++group)
        assert_slice(&timeline, group, group * 1000, 3000, group);
    assert_sound(&timeline);
    end(&timeline, &b);
}
END_TEST

START_TEST(who_finds_no_place_gets_that_of_a_group_that_is_done)
{
    struct builder b = builder_init(5);
    builder_start_all(&b);
    builder_wait(&b, 0, 4);
    for (uint32_t group = 1; group < 5; ++group)
        builder_done(&b, group);
    struct timeline timeline = make(&b, DIALECT_CL30, 2);
    ck_assert_uint_eq(timeline.lane_count, 2);
    assert_slice(&timeline, 0, 0, 5000, 0);
    assert_slice(&timeline, 1, 1000, 2000, 1);
    assert_slice(&timeline, 2, 2000, 3000, 1);
    assert_slice(&timeline, 4, 4000, 5000, 1);
    assert_sound(&timeline);
    end(&timeline, &b);
}
END_TEST

START_TEST(who_waited_to_the_end_kept_its_place_whatever_was_measured)
{
    struct builder b = builder_init(6);
    builder_starve_barrier(&b, 5, GL_ENDED_STOP);
    struct timeline timeline = make(&b, DIALECT_CL30, 2);
    ck_assert_uint_eq(timeline.lane_count, 5);
    assert_sound(&timeline);
    end(&timeline, &b);
}
END_TEST

START_TEST(nobody_started)
{
    struct builder b = builder_init(3);
    struct timeline timeline = make(&b, DIALECT_CL30, 0);
    ck_assert_uint_eq(timeline.count, 0);
    ck_assert_uint_eq(timeline.lane_count, 0);
    end(&timeline, &b);
}
END_TEST

/* --- with a clock --- */

START_TEST(times_and_units_are_those_of_the_board)
{
    struct builder b = builder_init(4);
    run_on(&b, 0, 1, 1000000, 500);
    run_on(&b, 1, 0, 1000100, 300);
    run_on(&b, 2, 1, 1000200, 700);
    run_on(&b, 3, 1, 1000500, 100); /* when group 0 leaves its place */
    struct timeline timeline = make(&b, DIALECT_PTX, 8);
    ck_assert_int_eq(timeline.clock, TIMELINE_NS);
    ck_assert(timeline.has_units);
    ck_assert_uint_eq(timeline.lane_count, 3);
    assert_slice(&timeline, 1, 100, 400, 0);
    assert_slice(&timeline, 0, 0, 500, 1);
    assert_slice(&timeline, 2, 200, 900, 2);
    assert_slice(&timeline, 3, 500, 600, 1);
    ck_assert_uint_eq(timeline.end_ns, 900);
    ck_assert_uint_eq(timeline.lanes[2].unit, 1);
    ck_assert_uint_eq(timeline.lanes[2].place, 1);
    assert_sound(&timeline);
    end(&timeline, &b);
}
END_TEST

START_TEST(the_low_word_of_an_end_may_have_gone_round)
{
    struct builder b = builder_init(2);
    run_on(&b, 0, 0, 0x5fffffff0u, 100);
    run_on(&b, 1, 0, 0x600000020u, 0);
    struct timeline timeline = make(&b, DIALECT_PTX, 1);
    assert_slice(&timeline, 0, 0, 100, 0);
    assert_sound(&timeline);
    end(&timeline, &b);
}
END_TEST

START_TEST(who_has_no_end_stays_until_the_launch_ends)
{
    struct builder b = builder_init(2);
    run_on(&b, 0, 0, 1000, 500);
    run_on(&b, 1, 0, 1200, 0);
    builder_wait(&b, 1, 0);
    struct timeline timeline = make(&b, DIALECT_PTX, 2);
    ck_assert_uint_eq(timeline.end_ns, 50000);
    assert_slice(&timeline, 1, 200, 50000, 1);
    assert_sound(&timeline);
    end(&timeline, &b);
}
END_TEST

START_TEST(ticks_of_no_known_length_are_scaled_to_the_launch)
{
    struct builder b = builder_init(2);
    run_on(&b, 0, 0, 1000, 100);
    run_on(&b, 1, 0, 1050, 150);
    struct timeline timeline = make(&b, DIALECT_CL30, 2);
    ck_assert_int_eq(timeline.clock, TIMELINE_TICKS);
    assert_slice(&timeline, 0, 0, 25000, 0);
    assert_slice(&timeline, 1, 12500, 50000, 1);
    assert_sound(&timeline);
    end(&timeline, &b);
}
END_TEST

START_TEST(one_group_without_a_clock_is_enough_for_tickets)
{
    struct builder b = builder_init(2);
    run_on(&b, 0, 0, 1000, 500);
    builder_start(&b, 1);
    struct timeline timeline = make(&b, DIALECT_PTX, 2);
    ck_assert_int_eq(timeline.clock, TIMELINE_TICKET);
    ck_assert(!timeline.has_units);
    assert_sound(&timeline);
    end(&timeline, &b);
}
END_TEST

START_TEST(groups_that_start_at_the_same_time_have_places_of_their_own)
{
    struct builder b = builder_init(6);
    for (uint32_t group = 0; group < 6; ++group)
        run_on(&b, group, 0, 1000, group % 2);
    struct timeline timeline = make(&b, DIALECT_PTX, 1);
    ck_assert_uint_eq(timeline.lane_count, 6);
    assert_sound(&timeline);
    end(&timeline, &b);
}
END_TEST

/* --- thousands --- */

static uint32_t draw(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

START_TEST(thousands_on_many_units_are_sound)
{
    uint32_t lot = 7;
    for (int round = 0; round < 20; ++round) {
        struct builder b = builder_init(4224);
        for (uint32_t group = 0; group < 4224; ++group)
            if (draw(&lot) >> 28 != 0)
                run_on(&b, group, (draw(&lot) >> 20) % 132, 1000000 + (draw(&lot) >> 14),
                       round % 2 == 0 || draw(&lot) >> 31 != 0 ? 1 + (draw(&lot) >> 16) : 0);
        struct timeline timeline = make(&b, DIALECT_PTX, 1056);
        assert_sound(&timeline);
        end(&timeline, &b);
    }
}
END_TEST

START_TEST(a_damaged_board_is_sound)
{
    uint32_t lot = 1;
    for (int round = 0; round < 40; ++round) {
        struct builder b = builder_init(300);
        for (uint32_t group = 0; group < 300; ++group)
            for (uint32_t field = 0; field < GL_ENTRY_WORDS; ++field)
                builder_set(&b, group, field, draw(&lot) >> (round % 4 * 8));
        struct timeline timeline = make(&b, round % 2 == 0 ? DIALECT_PTX : DIALECT_CL30, lot);
        assert_sound(&timeline);
        end(&timeline, &b);
    }
}
END_TEST

HARNESS_MAIN("timeline", tickets_are_a_microsecond_each, who_finds_no_place_gets_that_of_a_group_that_is_done,
             who_waited_to_the_end_kept_its_place_whatever_was_measured, nobody_started,
             times_and_units_are_those_of_the_board, the_low_word_of_an_end_may_have_gone_round,
             who_has_no_end_stays_until_the_launch_ends, ticks_of_no_known_length_are_scaled_to_the_launch,
             one_group_without_a_clock_is_enough_for_tickets,
             groups_that_start_at_the_same_time_have_places_of_their_own, thousands_on_many_units_are_sound,
             a_damaged_board_is_sound)
