#include "core/footprints.h"
#include "core/limiter.h"

#include "harness.h"

enum { ROWS = 64 };

/* What a compute unit of the modelled GPU has. */
struct unit {
    uint32_t groups;
    uint32_t work_items;
    uint32_t registers;
    uint32_t memory_bytes;
    uint32_t memory_overhead; /* of each group that uses any */
};

enum {
    UNITS = 132,
    MEMORY_PER_UNIT = 227 * 1024,
    MEMORY_OVERHEAD = 1024,
};

static const struct unit h200 = {32, 2048, 65536, MEMORY_PER_UNIT, MEMORY_OVERHEAD};
static const struct unit without_overhead = {32, 2048, 65536, MEMORY_PER_UNIT, 0};

static const struct device_info gpu = {
    .kind = DEVICE_GPU, .compute_units = UNITS, .max_local_size = 1024, .local_memory_bytes = 49152};
static const struct device_info cpu = {
    .kind = DEVICE_CPU, .compute_units = 8, .max_local_size = 4096, .local_memory_bytes = 524288};

struct table {
    struct limit rows[ROWS];
    size_t count;
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Registers of a work-item: the kernel's own 24, and the private words, in steps of 8. */
static uint32_t registers_of(const struct footprint *footprint)
{
    return least((24 + footprint->private_bytes / 4 + 7) / 8 * 8, 256);
}

static uint32_t by_memory(const struct unit *unit, const struct footprint *footprint)
{
    return footprint->local_memory_bytes == 0
               ? unit->groups
               : unit->memory_bytes / ((uint32_t)footprint->local_memory_bytes + unit->memory_overhead);
}

static uint32_t groups_of(const struct unit *unit, const struct footprint *footprint)
{
    uint32_t groups = least(unit->groups, unit->work_items / footprint->local_size);
    groups = least(groups, unit->registers / (footprint->local_size * registers_of(footprint)));
    return least(groups, by_memory(unit, footprint));
}

static void add(struct table *table, struct footprint footprint, uint32_t resident)
{
    ck_assert_uint_lt(table->count, ROWS);
    table->rows[table->count++] =
        (struct limit){.footprint = footprint, .resident = resident, .passes_at = resident, .measured = true};
}

/* The table of the whole sweep of the modelled GPU. */
static struct table gpu_table(const struct unit *unit)
{
    static const struct footprint_axes no_axes;
    struct table table = {.count = 0};
    struct footprint *footprints;
    size_t count;
    ck_assert_int_eq(footprints_plan(&no_axes, &gpu, &footprints, &count, NULL), 0);
    for (size_t i = 0; i < count; ++i)
        add(&table, footprints[i], UNITS * groups_of(unit, &footprints[i]));
    free(footprints);
    return table;
}

static struct table cpu_table(void)
{
    static const struct footprint_axes no_axes;
    struct table table = {.count = 0};
    struct footprint *footprints;
    size_t count;
    ck_assert_int_eq(footprints_plan(&no_axes, &cpu, &footprints, &count, NULL), 0);
    for (size_t i = 0; i < count; ++i)
        add(&table, footprints[i], 8);
    free(footprints);
    return table;
}

static size_t row_of(const struct table *table, struct footprint footprint)
{
    for (size_t i = 0; i < table->count; ++i)
        if (table->rows[i].footprint.local_size == footprint.local_size &&
            table->rows[i].footprint.local_memory_bytes == footprint.local_memory_bytes &&
            table->rows[i].footprint.private_bytes == footprint.private_bytes)
            return i;
    ck_abort_msg("no row l%u", footprint.local_size);
    return 0;
}

static enum limiter infer(const struct table *table, struct footprint footprint, const struct device_info *device)
{
    return limiter_infer(table->rows, table->count, row_of(table, footprint), device);
}

/* Each row with local memory that holds fewer groups than its base holds them for want of local memory. */
static void assert_memory_rows(const struct unit *unit, uint64_t least_bytes)
{
    struct table table = gpu_table(unit);
    const uint32_t base = UNITS * groups_of(unit, &(struct footprint){.local_size = 64});
    for (size_t i = 0; i < table.count; ++i) {
        const struct limit *row = &table.rows[i];
        if (row->footprint.local_memory_bytes < least_bytes)
            continue;
        ck_assert_msg(limiter_infer(table.rows, table.count, i, &gpu) ==
                          (row->resident < base ? LIMITER_LOCAL_MEMORY : LIMITER_GROUPS),
                      "%u bytes: %u groups", (unsigned)row->footprint.local_memory_bytes, row->resident);
    }
}

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

HARNESS_MAIN("limiter", one_number_of_work_items_explains_sizes_that_fill_it_unevenly,
             sizes_that_no_number_of_work_items_explains_are_unknown,
             both_axes_at_once_are_limited_by_the_one_that_allows_as_little_alone,
             both_axes_at_once_without_a_row_of_either_are_unknown, small_groups_are_limited_by_groups,
             large_groups_are_limited_by_work_items, much_local_memory_limits_by_local_memory,
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
             same_limits_of_a_gpu_are_not_limited_by_cpu_threads, safest_footprint_passes_at_the_fewest_groups,
             footprint_that_never_passed_is_not_the_safest, nothing_is_safe_if_nothing_passed,
             nothing_is_safe_where_loops_are_cut, each_limiter_has_its_name,
             few_groups_more_on_some_compute_units_do_not_hide_the_limit,
             row_below_its_base_that_was_not_measured_is_unknown, row_that_held_no_group_is_unknown,
             device_that_holds_less_than_a_group_in_a_compute_unit_is_unknown,
             cpu_with_two_sizes_or_two_amounts_of_local_memory_is_limited_by_its_threads,
             first_of_several_equally_safe_footprints_is_the_safest, footprint_that_was_not_measured_is_not_the_safest,
             local_memory_that_no_one_capacity_explains_is_unknown)
