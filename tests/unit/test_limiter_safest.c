/* The safest footprint of a table of limits. */
#include "limiter_fixture.h"

/* --- the safest footprint --- */

START_TEST(safest_footprint_passes_at_the_fewest_groups)
{
    struct table table = gpu_table(&h200);
    int safest = limiter_safest(table.rows, table.count, 0);
    ck_assert_int_ge(safest, 0);
    for (size_t i = 0; i < table.count; ++i)
        ck_assert_uint_ge(table.rows[i].passes_at, table.rows[safest].passes_at);
}
END_TEST

START_TEST(first_of_several_equally_safe_footprints_is_the_safest)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 1}, 7);
    add(&table, (struct footprint){.local_size = 2}, 9);
    add(&table, (struct footprint){.local_size = 4}, 7);
    ck_assert_int_eq(limiter_safest(table.rows, 3, 0), 0);
}
END_TEST

START_TEST(footprint_that_never_passed_is_not_the_safest)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 1}, 0);
    add(&table, (struct footprint){.local_size = 2}, 9);
    ck_assert_int_eq(limiter_safest(table.rows, 2, 0), 1);
}
END_TEST

START_TEST(footprint_that_was_not_measured_is_not_the_safest)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 1}, 5);
    add(&table, (struct footprint){.local_size = 2}, 9);
    table.rows[0].measured = false; /* the search was broken off */
    ck_assert_int_eq(limiter_safest(table.rows, 2, 0), 1);
}
END_TEST

START_TEST(nothing_is_safe_if_nothing_passed)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 1}, 0);
    ck_assert_int_eq(limiter_safest(table.rows, 1, 0), -1);
    ck_assert_int_eq(limiter_safest(table.rows, 0, 0), -1);
}
END_TEST

START_TEST(nothing_is_safe_where_loops_are_cut)
{
    struct table table = gpu_table(&h200);
    ck_assert_int_eq(limiter_safest(table.rows, table.count, 65536), -1);
}
END_TEST

START_TEST(each_limiter_has_its_name)
{
    ck_assert_str_eq(limiter_name(LIMITER_UNKNOWN), "unknown");
    ck_assert_str_eq(limiter_name(LIMITER_GROUPS), "groups per compute unit");
    ck_assert_str_eq(limiter_name(LIMITER_WORK_ITEMS), "work-items per compute unit");
    ck_assert_str_eq(limiter_name(LIMITER_LOCAL_MEMORY), "local memory per compute unit");
    ck_assert_str_eq(limiter_name(LIMITER_REGISTERS), "registers");
    ck_assert_str_eq(limiter_name(LIMITER_CPU_THREADS), "CPU threads");
}
END_TEST

/* Measured on an H200: sizes that are no powers of two, and both axes at once. */
static struct table measured_table(void)
{
    static const struct {
        uint32_t size, local, private, resident;
    } rows[] = {
        {96, 0, 0, 2772},   {96, 0, 200, 1056},   {96, 30000, 0, 924},   {96, 30000, 200, 924},   {192, 0, 0, 1320},
        {192, 0, 200, 528}, {192, 30000, 0, 924}, {384, 0, 0, 660},      {384, 0, 200, 264},      {768, 0, 0, 264},
        {1000, 0, 0, 264},  {1000, 0, 200, 132},  {1000, 30000, 0, 264}, {1000, 30000, 200, 132},
    };
    struct table table = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        add(&table,
            (struct footprint){
                .local_size = rows[i].size, .local_memory_bytes = rows[i].local, .private_bytes = rows[i].private},
            rows[i].resident);
    return table;
}

START_TEST(one_number_of_work_items_explains_sizes_that_fill_it_unevenly)
{
    struct table table = measured_table();
    for (uint32_t size = 96; size <= 768; size *= 2)
        ck_assert_int_eq(infer(&table, (struct footprint){.local_size = size}, &gpu), LIMITER_WORK_ITEMS);
}
END_TEST

START_TEST(sizes_that_no_number_of_work_items_explains_are_unknown)
{
    struct table table = {0};
    add(&table, (struct footprint){.local_size = 128}, UNITS * 16);
    add(&table, (struct footprint){.local_size = 256}, UNITS * 2);
    ck_assert_int_eq(infer(&table, (struct footprint){.local_size = 256}, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(both_axes_at_once_are_limited_by_the_one_that_allows_as_little_alone)
{
    struct table table = measured_table();
    const struct footprint by_memory = {.local_size = 96, .local_memory_bytes = 30000, .private_bytes = 200};
    const struct footprint by_registers = {.local_size = 1000, .local_memory_bytes = 30000, .private_bytes = 200};
    ck_assert_int_eq(infer(&table, by_memory, &gpu), LIMITER_LOCAL_MEMORY);
    ck_assert_int_eq(infer(&table, by_registers, &gpu), LIMITER_REGISTERS);
}
END_TEST

START_TEST(both_axes_at_once_without_a_row_of_either_are_unknown)
{
    struct table table = {0};
    const struct footprint both = {.local_size = 96, .local_memory_bytes = 30000, .private_bytes = 200};
    add(&table, (struct footprint){.local_size = 96}, UNITS * 21);
    add(&table, both, UNITS * 7);
    ck_assert_int_eq(infer(&table, both, &gpu), LIMITER_UNKNOWN);
}
END_TEST

HARNESS_MAIN("limiter: safest", one_number_of_work_items_explains_sizes_that_fill_it_unevenly,
             sizes_that_no_number_of_work_items_explains_are_unknown,
             both_axes_at_once_are_limited_by_the_one_that_allows_as_little_alone,
             both_axes_at_once_without_a_row_of_either_are_unknown, safest_footprint_passes_at_the_fewest_groups,
             footprint_that_never_passed_is_not_the_safest, nothing_is_safe_if_nothing_passed,
             nothing_is_safe_where_loops_are_cut, each_limiter_has_its_name,
             first_of_several_equally_safe_footprints_is_the_safest, footprint_that_was_not_measured_is_not_the_safest)
