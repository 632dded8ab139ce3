#include "limiter_fixture.h"

/* --- a GPU --- */

START_TEST(small_groups_are_limited_by_groups)
{
    struct table table = gpu_table(&h200);
    for (uint32_t size = 1; size <= 64; size *= 2)
        ck_assert_int_eq(infer(&table, (struct footprint){.local_size = size}, &gpu), LIMITER_GROUPS);
}
END_TEST

START_TEST(large_groups_are_limited_by_work_items)
{
    struct table table = gpu_table(&h200);
    for (uint32_t size = 128; size <= 1024; size *= 2)
        ck_assert_int_eq(infer(&table, (struct footprint){.local_size = size}, &gpu), LIMITER_WORK_ITEMS);
}
END_TEST

START_TEST(much_local_memory_limits_by_local_memory)
{
    assert_memory_rows(&h200, 16384);
}
END_TEST

START_TEST(local_memory_limits_by_local_memory_even_where_the_overhead_of_each_group_weighs_most)
{
    assert_memory_rows(&h200, 512);
}
END_TEST

START_TEST(local_memory_without_overhead_limits_by_local_memory)
{
    assert_memory_rows(&without_overhead, 512);
}
END_TEST

START_TEST(local_memory_that_no_one_capacity_explains_is_unknown)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 64}, UNITS * 32);
    add(&table, (struct footprint){.local_size = 64, .local_memory_bytes = 49152}, UNITS * 4);
    add(&table, (struct footprint){.local_size = 64, .local_memory_bytes = 16384}, UNITS * 5); /* 12 would fit */
    ck_assert_int_eq(limiter_infer(table.rows, 3, 1, &gpu), LIMITER_UNKNOWN);
    ck_assert_int_eq(limiter_infer(table.rows, 3, 2, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(little_local_memory_does_not_limit)
{
    struct table table = gpu_table(&h200);
    ck_assert_int_eq(infer(&table, (struct footprint){.local_size = 64, .local_memory_bytes = 512}, &gpu),
                     LIMITER_GROUPS);
}
END_TEST

START_TEST(many_private_words_limit_by_registers)
{
    struct table table = gpu_table(&h200);
    for (uint32_t words = 128; words <= 192; words += 64)
        ck_assert_int_eq(infer(&table, (struct footprint){.local_size = 64, .private_bytes = 4 * words}, &gpu),
                         LIMITER_REGISTERS);
}
END_TEST

START_TEST(few_private_words_do_not_limit)
{
    struct table table = gpu_table(&h200);
    ck_assert_int_eq(infer(&table, (struct footprint){.local_size = 64, .private_bytes = 32}, &gpu), LIMITER_GROUPS);
}
END_TEST

START_TEST(limit_of_a_row_that_its_axis_does_not_change_is_that_of_its_base)
{
    struct table table = gpu_table(&h200);
    add(&table, (struct footprint){.local_size = 256, .local_memory_bytes = 1024}, UNITS * 8);
    ck_assert_int_eq(limiter_infer(table.rows, table.count, table.count - 1, &gpu), LIMITER_WORK_ITEMS);
}
END_TEST

START_TEST(row_with_local_and_private_memory_that_is_lower_is_unknown)
{
    struct table table = gpu_table(&h200);
    add(&table, (struct footprint){.local_size = 64, .local_memory_bytes = 49152, .private_bytes = 512}, UNITS * 3);
    ck_assert_int_eq(limiter_infer(table.rows, table.count, table.count - 1, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(single_footprint_is_unknown)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 64}, UNITS * 32);
    ck_assert_int_eq(limiter_infer(table.rows, 1, 0, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(size_that_no_rule_explains_is_unknown)
{
    struct table table = gpu_table(&h200);
    add(&table, (struct footprint){.local_size = 512 + 64}, UNITS * 1); /* 3 would fit by work-items */
    ck_assert_int_eq(limiter_infer(table.rows, table.count, table.count - 1, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(most_groups_in_one_size_only_are_no_limit_of_groups)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 64}, UNITS * 20);
    add(&table, (struct footprint){.local_size = 128}, UNITS * 9);
    ck_assert_int_eq(limiter_infer(table.rows, 2, 0, &gpu), LIMITER_UNKNOWN);
    ck_assert_int_eq(limiter_infer(table.rows, 2, 1, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(row_without_a_base_is_unknown)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 64}, UNITS * 32);
    add(&table, (struct footprint){.local_size = 128, .private_bytes = 512}, UNITS * 4);
    ck_assert_int_eq(limiter_infer(table.rows, 2, 1, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(row_that_was_not_measured_is_unknown)
{
    struct table table = gpu_table(&h200);
    size_t row = row_of(&table, (struct footprint){.local_size = 32});
    table.rows[row].measured = false;
    ck_assert_int_eq(limiter_infer(table.rows, table.count, row, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(base_that_was_not_measured_is_no_base)
{
    struct table table = gpu_table(&h200);
    table.rows[row_of(&table, (struct footprint){.local_size = 64})].measured = false;
    ck_assert_int_eq(infer(&table, (struct footprint){.local_size = 64, .private_bytes = 768}, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(few_groups_more_on_some_compute_units_do_not_hide_the_limit)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 1}, UNITS * 32);
    add(&table, (struct footprint){.local_size = 2}, UNITS * 32 + 5);
    ck_assert_int_eq(limiter_infer(table.rows, 2, 0, &gpu), LIMITER_GROUPS);
    ck_assert_int_eq(limiter_infer(table.rows, 2, 1, &gpu), LIMITER_GROUPS);
}
END_TEST

START_TEST(row_below_its_base_that_was_not_measured_is_unknown)
{
    struct table table = gpu_table(&h200);
    size_t row = row_of(&table, (struct footprint){.local_size = 64, .private_bytes = 768});
    table.rows[row].measured = false;
    ck_assert_int_eq(limiter_infer(table.rows, table.count, row, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(row_that_held_no_group_is_unknown)
{
    struct table table = gpu_table(&h200);
    size_t row = row_of(&table, (struct footprint){.local_size = 64, .private_bytes = 768});
    table.rows[row].resident = 0;
    ck_assert_int_eq(limiter_infer(table.rows, table.count, row, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(device_that_holds_less_than_a_group_in_a_compute_unit_is_unknown)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 1}, 8);
    add(&table, (struct footprint){.local_size = 2}, 40);
    ck_assert_int_eq(limiter_infer(table.rows, 2, 0, &gpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(device_that_does_not_know_its_compute_units_counts_as_one)
{
    struct device_info device = gpu;
    struct table table = {.count = 0};
    device.compute_units = 0;
    add(&table, (struct footprint){.local_size = 1}, 32);
    add(&table, (struct footprint){.local_size = 2}, 32);
    ck_assert_int_eq(limiter_infer(table.rows, 2, 0, &device), LIMITER_GROUPS);
}
END_TEST

/* --- a CPU --- */

START_TEST(each_row_of_a_cpu_is_limited_by_its_threads)
{
    struct table table = cpu_table();
    for (size_t i = 0; i < table.count; ++i)
        ck_assert_int_eq(limiter_infer(table.rows, table.count, i, &cpu), LIMITER_CPU_THREADS);
}
END_TEST

START_TEST(cpu_whose_footprints_differ_in_their_limits_is_unknown)
{
    for (size_t i = 0; i < 4; ++i) {
        struct table table = cpu_table();
        table.rows[i].resident = 7;
        ck_assert_int_eq(limiter_infer(table.rows, table.count, 5, &cpu), LIMITER_UNKNOWN);
    }
}
END_TEST

START_TEST(cpu_with_one_size_only_is_unknown)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 64}, 8);
    add(&table, (struct footprint){.local_size = 64, .private_bytes = 64}, 8);
    ck_assert_int_eq(limiter_infer(table.rows, 2, 0, &cpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(cpu_with_two_sizes_or_two_amounts_of_local_memory_is_limited_by_its_threads)
{
    struct table sizes = {.count = 0}, memories = {.count = 0};
    add(&sizes, (struct footprint){.local_size = 1}, 8);
    add(&sizes, (struct footprint){.local_size = 64}, 8);
    add(&memories, (struct footprint){.local_size = 64}, 8);
    add(&memories, (struct footprint){.local_size = 64, .local_memory_bytes = 4096}, 8);
    ck_assert_int_eq(limiter_infer(sizes.rows, 2, 0, &cpu), LIMITER_CPU_THREADS);
    ck_assert_int_eq(limiter_infer(memories.rows, 2, 1, &cpu), LIMITER_CPU_THREADS);
}
END_TEST

START_TEST(row_of_a_cpu_that_was_not_measured_does_not_spoil_the_others)
{
    struct table table = cpu_table();
    table.rows[3].resident = 0;
    table.rows[3].measured = false;
    ck_assert_int_eq(limiter_infer(table.rows, table.count, 0, &cpu), LIMITER_CPU_THREADS);
    ck_assert_int_eq(limiter_infer(table.rows, table.count, 3, &cpu), LIMITER_UNKNOWN);
}
END_TEST

START_TEST(same_limits_of_a_gpu_are_not_limited_by_cpu_threads)
{
    struct table table = cpu_table();
    ck_assert_int_ne(limiter_infer(table.rows, table.count, 0, &gpu), LIMITER_CPU_THREADS);
}
END_TEST

HARNESS_MAIN("limiter", small_groups_are_limited_by_groups, large_groups_are_limited_by_work_items,
             much_local_memory_limits_by_local_memory,
             local_memory_limits_by_local_memory_even_where_the_overhead_of_each_group_weighs_most,
             local_memory_without_overhead_limits_by_local_memory, little_local_memory_does_not_limit,
             many_private_words_limit_by_registers, few_private_words_do_not_limit,
             limit_of_a_row_that_its_axis_does_not_change_is_that_of_its_base,
             row_with_local_and_private_memory_that_is_lower_is_unknown, single_footprint_is_unknown,
             size_that_no_rule_explains_is_unknown, most_groups_in_one_size_only_are_no_limit_of_groups,
             row_without_a_base_is_unknown, row_that_was_not_measured_is_unknown, base_that_was_not_measured_is_no_base,
             device_that_does_not_know_its_compute_units_counts_as_one, each_row_of_a_cpu_is_limited_by_its_threads,
             cpu_whose_footprints_differ_in_their_limits_is_unknown, cpu_with_one_size_only_is_unknown,
             row_of_a_cpu_that_was_not_measured_does_not_spoil_the_others,
             same_limits_of_a_gpu_are_not_limited_by_cpu_threads,
             few_groups_more_on_some_compute_units_do_not_hide_the_limit,
             row_below_its_base_that_was_not_measured_is_unknown, row_that_held_no_group_is_unknown,
             device_that_holds_less_than_a_group_in_a_compute_unit_is_unknown,
             cpu_with_two_sizes_or_two_amounts_of_local_memory_is_limited_by_its_threads,
             local_memory_that_no_one_capacity_explains_is_unknown)
