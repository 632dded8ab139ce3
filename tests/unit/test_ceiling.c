/* Upper bounds of the limits of others' kernels, by kernels of ours that occupy no more. */
#include "search/ceiling.h"

#include "harness.h"

#include <string.h>

enum { WIDTH = 32, UNITS = 132, MOST_ITEMS = 1024 };

/* A row and what belongs to it. */
struct measured {
    struct footprint footprint;
    struct subject_facts facts;
    struct limit limit;
};

static struct kernel_facts occupying(uint32_t registers)
{
    return (struct kernel_facts){.most_items = MOST_ITEMS, .registers = registers};
}

/* A limit of which each launch was as it should be. */
static struct limit sure(uint32_t groups)
{
    return (struct limit){.resident = groups,
                          .measured = true,
                          .agree = true,
                          .monotone = true,
                          .passes_at = groups,
                          .passes = 20,
                          .pass_launches = 20,
                          .stalls_at = groups + 1,
                          .stalls = 20,
                          .stall_launches = 20};
}

/* A kernel of the user's, of 64 work-items: what it has, and what was launched in its place. */
static struct measured theirs(uint32_t registers, uint32_t launched, uint64_t bytes, uint32_t groups)
{
    struct measured row = {
        .footprint = {.local_size = 64}, .facts = {.way = ENTRY_INSERT, .group_bytes = bytes}, .limit = sure(groups)};
    strcpy(row.footprint.subject.file, "a.cl");
    strcpy(row.footprint.subject.kernel, "k");
    row.footprint.subject.shape = (struct nd_range){.dimensions = 2, .local = {16, 4, 1}};
    row.facts.original = occupying(registers);
    row.facts.measured = occupying(launched);
    return row;
}

static struct ceiling_row row_of(const struct measured *measured)
{
    return (struct ceiling_row){&measured->footprint, &measured->facts, &measured->limit};
}

/* What was asked for, measured. */
static struct measured ours(const struct footprint *asked, uint32_t registers, uint64_t bytes, uint32_t groups)
{
    struct measured row = {
        .footprint = *asked, .facts = {.way = ENTRY_INSERT, .group_bytes = bytes}, .limit = sure(groups)};
    row.facts.original = row.facts.measured = occupying(registers);
    return row;
}

static bool next_of(const struct measured *row, const struct measured *known, size_t count, struct footprint *next)
{
    struct ceiling_row rows[4];
    const struct ceiling_row asked = row_of(row);

    for (size_t i = 0; i < count; ++i)
        rows[i] = row_of(&known[i]);
    return ceiling_next(&(struct ceiling){rows, count, WIDTH, UNITS}, &asked, next);
}

static uint32_t most_of(const struct measured *row, const struct measured *known, size_t count)
{
    struct ceiling_row rows[4];
    const struct ceiling_row asked = row_of(row);

    for (size_t i = 0; i < count; ++i)
        rows[i] = row_of(&known[i]);
    return ceiling_find(&(struct ceiling){rows, count, WIDTH, UNITS}, &asked);
}

static enum subject_bound bound_of(const struct measured *row, uint32_t most)
{
    const struct ceiling_row asked = row_of(row);
    return ceiling_bound(&asked, most);
}

/* --- what is asked for --- */

START_TEST(ours_have_the_size_and_the_local_memory)
{
    const struct measured plain = theirs(19, 32, 0, 4224), tile = theirs(19, 32, 4096, 1716);
    struct footprint next;

    ck_assert(next_of(&plain, NULL, 0, &next));
    ck_assert(ceiling_is_ours(&next));
    ck_assert_uint_eq(next.local_size, 64);
    ck_assert_mem_eq(&next.subject.shape, &plain.footprint.subject.shape, sizeof next.subject.shape);
    ck_assert_str_eq(next.subject.kernel, "empty");
    ck_assert_str_eq(next.subject.locals, "");
    ck_assert(next_of(&tile, NULL, 0, &next));
    ck_assert_str_eq(next.subject.kernel, "empty_local");
    ck_assert_str_eq(next.subject.locals, "0=4096");
}
END_TEST

/* NVIDIA says 1 of a kernel without local memory; so it does of ours. */
START_TEST(a_byte_of_local_memory_is_none)
{
    struct measured row = theirs(19, 32, 1, 4224);
    struct footprint next;

    row.facts.original.local_bytes = row.facts.measured.local_bytes = 1;
    ck_assert(next_of(&row, NULL, 0, &next));
    ck_assert_str_eq(next.subject.kernel, "empty");
    struct measured known = ours(&next, 24, 1, 4224);
    known.facts.original.local_bytes = known.facts.measured.local_bytes = 1;
    ck_assert_uint_eq(most_of(&row, &known, 1), 4224);
    row.facts.group_bytes = 1024;
    row.facts.original.local_bytes = 0;
    ck_assert(next_of(&row, &known, 1, &next));
    ck_assert_str_eq(next.subject.locals, "0=1024");
}
END_TEST

START_TEST(nothing_is_asked_for_twice)
{
    const struct measured row = theirs(19, 32, 0, 4224);
    struct footprint next;

    ck_assert(next_of(&row, NULL, 0, &next));
    const struct measured known = ours(&next, 16, 0, 4224);
    ck_assert(!next_of(&row, &known, 1, &next));
}
END_TEST

/* In lots of 256 for a sub-group: 24 and 19 of a work-item are as many, 16 are fewer. */
START_TEST(with_more_registers_few_are_asked_for)
{
    const struct measured row = theirs(19, 32, 0, 4224);
    struct footprint next;
    struct measured known[2];

    ck_assert(next_of(&row, NULL, 0, &next));
    ck_assert_str_eq(next.subject.options, "");
    known[0] = ours(&next, 32, 0, 4224);
    ck_assert_uint_eq(most_of(&row, known, 1), 0);
    ck_assert(next_of(&row, known, 1, &next));
    ck_assert_uint_eq(next.local_size, 64);
    ck_assert_str_eq(next.subject.options, "-cl-nv-maxrregcount=24");
    known[1] = ours(&next, 24, 0, 4224);
    known[1].facts.measured.private_bytes = 8; /* what does not fit into registers takes no place of a unit */
    ck_assert(!next_of(&row, known, 2, &next));
    ck_assert_uint_eq(most_of(&row, known, 2), 4224);
}
END_TEST

START_TEST(with_more_registers_a_single_work_item_is_asked_for)
{
    const struct measured row = theirs(10, 32, 0, 4224);
    struct footprint next;
    struct measured known[3];

    ck_assert(next_of(&row, NULL, 0, &next));
    known[0] = ours(&next, 32, 0, 4224);
    ck_assert(next_of(&row, known, 1, &next));
    known[1] = ours(&next, 32, 0, 4224); /* the compiler took no heed */
    ck_assert(next_of(&row, known, 2, &next));
    ck_assert_uint_eq(next.local_size, 1);
    known[2] = ours(&next, 32, 0, 4224); /* one sub-group of 32 registers against two of 16 */
    ck_assert(!next_of(&row, known, 3, &next));
    ck_assert_uint_eq(most_of(&row, known, 3), 4224);
    known[2].facts.measured.registers = 33;
    ck_assert_uint_eq(most_of(&row, known, 3), 0);
}
END_TEST

/*
 * Where as many groups fit with more registers, it is not of these that no more fit with few, which bounds all kernels.
 */
START_TEST(limits_that_are_not_of_registers_bound_all_kernels)
{
    const struct measured row = theirs(10, 32, 0, 4224);
    struct footprint next;
    struct measured known[2];

    ck_assert(next_of(&row, NULL, 0, &next));
    known[0] = ours(&next, 32, 0, 4224);
    ck_assert(next_of(&row, known, 1, &next));
    known[1] = ours(&next, 24, 0, 4224);
    ck_assert(!next_of(&row, known, 2, &next));
    ck_assert_uint_eq(most_of(&row, known, 2), 4224);
    known[0].limit = sure(4092); /* of 32 registers no more fit */
    ck_assert_uint_eq(most_of(&row, known, 2), 0);
    known[0] = ours(&known[0].footprint, 25, 0, 4224); /* a lot more */
    ck_assert_uint_eq(most_of(&row, known, 2), 4224);
    known[1].limit = known[0].limit = sure(4225); /* units that differ */
    ck_assert_uint_eq(most_of(&row, known, 2), 0);
}
END_TEST

/*
 * Two of 32 sub-groups on each unit: with a third of 24 registers a part of it needs 24 lots more than eight times 32.
 */
START_TEST(few_large_groups_may_be_bound_by_registers)
{
    struct measured row = theirs(10, 32, 0, 264);
    struct footprint next;
    struct measured known[2];

    row.footprint.local_size = 1024;
    ck_assert(next_of(&row, NULL, 0, &next));
    known[0] = ours(&next, 32, 0, 264);
    ck_assert(next_of(&row, known, 1, &next));
    known[1] = ours(&next, 24, 0, 264);
    ck_assert_uint_eq(most_of(&row, known, 2), 0);
    row.footprint.local_size = known[0].footprint.local_size = known[1].footprint.local_size = 256;
    row.limit = known[0].limit = known[1].limit = sure(1056);
    ck_assert_uint_eq(most_of(&row, known, 2), 1056);
}
END_TEST

START_TEST(nothing_is_asked_for_where_it_tells_nothing)
{
    struct measured rows[5];
    struct footprint next;

    for (int i = 0; i < 5; ++i)
        rows[i] = theirs(19, 32, 0, 4224);
    rows[0].facts.measured = rows[0].facts.original; /* exact */
    rows[1].facts.measured.registers = 8;            /* at most */
    rows[2].limit.agree = false;
    rows[3].limit.measured = false;
    rows[4].facts.way = ENTRY_NONE;
    for (int i = 0; i < 5; ++i)
        ck_assert_msg(!next_of(&rows[i], NULL, 0, &next), "row %d", i);
}
END_TEST

/* --- what is found --- */

START_TEST(bounds_that_meet_are_exact)
{
    const struct measured row = theirs(19, 32, 0, 4224);
    struct footprint next;

    ck_assert(next_of(&row, NULL, 0, &next));
    const struct measured known = ours(&next, 16, 0, 4224);
    const uint32_t most = most_of(&row, &known, 1);
    ck_assert_uint_eq(most, 4224);
    ck_assert_int_eq(bound_of(&row, most), BOUND_EXACT);
}
END_TEST

/* So many were seen together, whatever the two occupy; whether more fit was not found out. */
START_TEST(what_did_not_come_back_is_no_exact_limit)
{
    struct measured rows[6];

    for (int i = 0; i < 6; ++i) {
        rows[i] = theirs(19, 19, 0, 4);
        rows[i].limit.census_exact = true;
        ck_assert_int_eq(bound_of(&rows[i], 0), BOUND_EXACT);
    }
    rows[0].limit.fails = true; /* a launch of it crashes each time */
    rows[1].limit.agree = false;
    rows[2].limit.monotone = false;
    rows[3].limit.census_exact = false;
    rows[3].limit.passes_at = rows[3].limit.stalls_at = 0; /* a census alone, that did not settle */
    rows[4].limit.census_exact = false;
    rows[4].limit.stalls_at = 0; /* all that were tried passed */
    rows[5].limit.census_exact = false;
    rows[5].limit.stalls_at = 8; /* as --groups 4,8 leaves it */
    for (int i = 0; i < 6; ++i)
        ck_assert_msg(bound_of(&rows[i], 0) == BOUND_AT_LEAST, "row %d", i);
    rows[0].facts.measured.registers = 8; /* less than the kernel */
    ck_assert_int_eq(bound_of(&rows[0], 0), BOUND_UNLIKE);
}
END_TEST

START_TEST(bounds_that_do_not_meet_are_a_range)
{
    const struct measured row = theirs(24, 40, 0, 792);
    struct footprint next;

    ck_assert(next_of(&row, NULL, 0, &next));
    const struct measured known = ours(&next, 16, 0, 1056);
    const uint32_t most = most_of(&row, &known, 1);
    ck_assert_uint_eq(most, 1056);
    ck_assert_int_eq(bound_of(&row, most), BOUND_AT_LEAST);
}
END_TEST

START_TEST(what_occupies_more_bounds_nothing)
{
    const struct measured row = theirs(19, 32, 1024, 4224);
    struct footprint next;
    struct measured known[4];

    ck_assert(next_of(&row, NULL, 0, &next));
    for (int i = 0; i < 4; ++i)
        known[i] = ours(&next, 16, 1024, 4224);
    known[0].facts.measured.registers = 25;
    known[1].facts.group_bytes = 1028;
    known[2].facts.measured.most_items = 512;
    known[3].footprint.local_size = 128;
    for (int i = 0; i < 4; ++i)
        ck_assert_msg(most_of(&row, &known[i], 1) == 0, "row %d", i);
}
END_TEST

START_TEST(what_is_not_sure_bounds_nothing)
{
    const struct measured row = theirs(19, 32, 0, 4224);
    struct footprint next;
    struct measured known[4];

    ck_assert(next_of(&row, NULL, 0, &next));
    for (int i = 0; i < 4; ++i)
        known[i] = ours(&next, 16, 0, 4224);
    known[0].limit.agree = false;
    known[1].limit.passes = 19;
    known[2].limit.stalls_at = 0; /* no stall was seen */
    known[3].limit.fails = true;
    for (int i = 0; i < 4; ++i)
        ck_assert_msg(most_of(&row, &known[i], 1) == 0, "row %d", i);
}
END_TEST

START_TEST(bounds_that_contradict_each_other_are_not_believed)
{
    const struct measured row = theirs(19, 32, 0, 4224);
    struct footprint next;

    ck_assert(next_of(&row, NULL, 0, &next));
    const struct measured known = ours(&next, 16, 0, 4000);
    ck_assert_uint_eq(most_of(&row, &known, 1), 0);
    ck_assert_int_eq(bound_of(&row, 0), BOUND_AT_LEAST);
}
END_TEST

START_TEST(registers_that_only_one_of_them_tells_do_not_compare)
{
    struct measured row = theirs(19, 32, 0, 4224);
    struct footprint next;

    ck_assert(next_of(&row, NULL, 0, &next));
    const struct measured known = ours(&next, 0, 0, 4224);
    ck_assert_uint_eq(most_of(&row, &known, 1), 0);
    row.facts.original.registers = row.facts.measured.registers = 0;
    row.facts.measured.private_bytes = 8;
    ck_assert_uint_eq(most_of(&row, &known, 1), 4224);
    struct measured spilling = known;
    spilling.facts.measured.private_bytes = 8;
    ck_assert_uint_eq(most_of(&row, &spilling, 1), 0);
}
END_TEST

HARNESS_MAIN("ceiling", ours_have_the_size_and_the_local_memory, a_byte_of_local_memory_is_none,
             nothing_is_asked_for_twice, with_more_registers_few_are_asked_for,
             with_more_registers_a_single_work_item_is_asked_for, limits_that_are_not_of_registers_bound_all_kernels,
             few_large_groups_may_be_bound_by_registers, nothing_is_asked_for_where_it_tells_nothing,
             bounds_that_meet_are_exact, what_did_not_come_back_is_no_exact_limit, bounds_that_do_not_meet_are_a_range,
             what_occupies_more_bounds_nothing, what_is_not_sure_bounds_nothing,
             bounds_that_contradict_each_other_are_not_believed, registers_that_only_one_of_them_tells_do_not_compare)
