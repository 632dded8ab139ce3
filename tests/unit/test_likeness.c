/* Boards that are alike in all but times, units and order, and those that are not. */
#include "core/likeness.h"

#include "board_builder.h"
#include "harness.h"

enum { GROUPS = 8 };

/* A barrier over 8 groups, 6 of which wait, as it is on a device that started them in this order. */
static struct builder stalled(const uint32_t *starts)
{
    struct builder b = builder_init(GROUPS);

    for (uint32_t i = 0; i < 6; ++i) {
        const uint32_t group = starts[i];
        builder_start(&b, group);
        builder_set(&b, group, GL_PHASE, GL_PHASE_WAITING);
        builder_set(&b, group, GL_WAIT_WORD, GL_ARRIVALS);
        builder_set(&b, group, GL_WAIT_VALUE, GROUPS);
        builder_set(&b, group, GL_POLLS, 1000 + 7 * i);
        builder_set(&b, group, GL_UNIT, 1 + i % 3);
        builder_set(&b, group, GL_CLOCK_LOW, 50 + i);
    }
    return b;
}

static uint64_t code_of(struct builder *b)
{
    const uint64_t code = board_likeness(&b->board);
    ck_assert(code != 0);
    return code;
}

static const uint32_t mixed[] = {3, 0, 1, 5, 2, 4}, mixed_too[] = {0, 2, 1, 5, 4, 3}, ascending[] = {0, 1, 2, 3, 4, 5};

START_TEST(times_units_and_order_do_not_count)
{
    struct builder a = stalled(mixed), b = stalled(mixed_too);

    for (uint32_t group = 0; group < 6; ++group) {
        builder_set(&b, group, GL_POLLS, 90000 + group);
        builder_set(&b, group, GL_UNIT, 7);
        builder_set(&b, group, GL_CLOCK_LOW, 12345 * group + 1);
    }
    ck_assert_uint_eq(code_of(&a), code_of(&b));
    builder_fini(&a);
    builder_fini(&b);
}
END_TEST

START_TEST(what_groups_say_counts)
{
    static const uint32_t fields[] = {GL_PHASE, GL_ROUND,  GL_WAIT_WORD, GL_WAIT_VALUE, GL_WAIT_GROUP, GL_LATE,
                                      GL_ENDED, GL_TICKET, GL_COUNTED,   GL_STEPS,      GL_SEEN,       GL_CLOCK_LOW};

    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        struct builder a = stalled(mixed), b = stalled(mixed);
        const bool is_zero = board_entry(&b.board, 2, fields[i]) == 0;
        builder_set(&b, 2, fields[i], is_zero ? 1 : 0);
        ck_assert_msg(code_of(&a) != code_of(&b), "field %u", fields[i]);
        builder_fini(&a);
        builder_fini(&b);
    }
}
END_TEST

START_TEST(whether_groups_started_by_their_ids_counts)
{
    struct builder a = stalled(mixed), b = stalled(ascending);

    ck_assert_uint_ne(code_of(&a), code_of(&b));
    builder_fini(&a);
    builder_fini(&b);
}
END_TEST

START_TEST(census_may_have_grown_when_groups_saw_it_closed)
{
    for (uint32_t mode = GL_MODE_CENSUS; mode <= GL_MODE_BARRIER; ++mode) {
        struct builder a = stalled(mixed), b = stalled(mixed);
        a.words[GL_MODE] = b.words[GL_MODE] = mode;
        builder_set(&a, 1, GL_SEEN, GL_CLOSED | 6);
        builder_set(&b, 1, GL_SEEN, GL_CLOSED | 7);
        ck_assert_int_eq(code_of(&a) == code_of(&b), mode == GL_MODE_CENSUS);
        builder_fini(&a);
        builder_fini(&b);
    }
}
END_TEST

HARNESS_MAIN("likeness", times_units_and_order_do_not_count, what_groups_say_counts,
             whether_groups_started_by_their_ids_counts, census_may_have_grown_when_groups_saw_it_closed)
