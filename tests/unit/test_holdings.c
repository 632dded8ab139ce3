/* What a device holds, by a sweep over its footprints. */
#include "limiter_fixture.h"

#include <stdio.h>

static struct holdings fit(const struct table *table, const struct device_info *device)
{
    struct holdings holdings;
    limiter_fit(table->rows, table->count, device, &holdings);
    return holdings;
}

static uint32_t find(const struct holdings *holdings, uint32_t local_size, uint32_t local_memory,
                     uint32_t private_bytes)
{
    return holdings_find(holdings, &(struct holdings_row){.local_size = local_size,
                                                          .local_memory_bytes = local_memory,
                                                          .private_bytes = private_bytes});
}

/* What the modelled GPU holds. */
static uint32_t held(const struct unit *unit, uint32_t local_size, uint32_t local_memory, uint32_t private_bytes)
{
    return UNITS * groups_of(unit, &(struct footprint){.local_size = local_size,
                                                       .local_memory_bytes = local_memory,
                                                       .private_bytes = private_bytes});
}

static void assert_rows(const struct table *table, const struct holdings *holdings)
{
    ck_assert_uint_eq(holdings->count, table->count);
    for (size_t i = 0; i < table->count; ++i) {
        const struct footprint *footprint = &table->rows[i].footprint;
        ck_assert_uint_eq(
            find(holdings, footprint->local_size, (uint32_t)footprint->local_memory_bytes, footprint->private_bytes),
            table->rows[i].resident);
    }
}

START_TEST(what_was_measured_is_held)
{
    const struct table gpus = gpu_table(&h200), cpus = cpu_table();
    const struct holdings on_gpu = fit(&gpus, &gpu), on_cpu = fit(&cpus, &cpu);

    assert_rows(&gpus, &on_gpu);
    assert_rows(&cpus, &on_cpu);
}
END_TEST

START_TEST(sizes_between_are_held_as_units_have_work_items)
{
    const struct table table = gpu_table(&h200);
    const struct holdings holdings = fit(&table, &gpu);

    for (uint32_t size = 1; size <= 1024; ++size)
        ck_assert_uint_eq(find(&holdings, size, 0, 0), held(&h200, size, 0, 0));
}
END_TEST

START_TEST(other_sizes_with_memory_are_held_within_the_width_of_the_ladder)
{
    const struct table table = gpu_table(&h200);
    const struct holdings holdings = fit(&table, &gpu);

    for (uint32_t size = 32; size <= 1024; size *= 2)
        for (uint32_t bytes = 100; bytes <= 48000; bytes += 700) {
            const uint32_t found = find(&holdings, size, bytes, 0);
            ck_assert_uint_ge(found, held(&h200, size, bytes * 3 / 2, 0));
            ck_assert_uint_le(found, held(&h200, size, bytes * 2 / 3, 0));
        }
}
END_TEST

START_TEST(other_private_memory_is_held_as_the_next_rung)
{
    static const uint32_t rungs[] = {32, 64, 96, 128, 192, 256, 320, 384, 512, 768};
    const struct table table = gpu_table(&h200);
    const struct holdings holdings = fit(&table, &gpu);
    size_t rung = 0;

    for (uint32_t bytes = 4; bytes <= 768; bytes += 4) {
        rung += bytes > rungs[rung];
        ck_assert_uint_eq(find(&holdings, 64, 0, bytes), held(&h200, 64, 0, rungs[rung]));
        for (uint32_t size = 32; size <= 1024; size *= 2)
            ck_assert_uint_le(find(&holdings, size, 0, bytes), held(&h200, size, 0, bytes));
    }
}
END_TEST

START_TEST(more_than_was_measured_is_not_known)
{
    const struct table table = gpu_table(&h200);
    const struct holdings holdings = fit(&table, &gpu), none = {.count = 0};

    ck_assert_uint_eq(find(&holdings, 64, 0, 772), 0);
    ck_assert_uint_eq(find(&holdings, 2048, 0, 0), UNITS);
    ck_assert_uint_eq(find(&holdings, 4096, 0, 0), 0);
    ck_assert_uint_eq(find(&none, 1, 0, 0), 0);
}
END_TEST

START_TEST(whole_subgroups_are_held)
{
    const struct table table = gpu_table(&h200);
    struct device_info device = gpu;
    device.subgroup_width = 32;
    const struct holdings holdings = fit(&table, &device);

    ck_assert_uint_eq(find(&holdings, 65, 0, 0), UNITS * (2048 / 96));
    ck_assert_uint_eq(find(&holdings, 96, 0, 0), UNITS * (2048 / 96));
}
END_TEST

START_TEST(threads_hold_any_footprint)
{
    const struct table table = cpu_table();
    const struct holdings holdings = fit(&table, &cpu);

    ck_assert_uint_eq(find(&holdings, 3, 100000, 5000), 8);
    ck_assert_uint_eq(find(&holdings, 100000, 0, 0), 8);
}
END_TEST

START_TEST(one_footprint_tells_of_lighter_ones_only)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 64, .local_memory_bytes = 1024}, 1000);
    const struct holdings holdings = fit(&table, &gpu);

    ck_assert_uint_eq(find(&holdings, 64, 1024, 0), 1000);
    ck_assert_uint_eq(find(&holdings, 32, 0, 0), 1000);
    ck_assert_uint_eq(find(&holdings, 128, 1024, 0), 0);
    ck_assert_uint_eq(find(&holdings, 64, 1028, 0), 0);
    ck_assert_uint_eq(find(&holdings, 64, 1024, 4), 0);
}
END_TEST

START_TEST(what_was_not_measured_tells_nothing)
{
    struct table table = {.count = 0};
    add(&table, (struct footprint){.local_size = 64}, 1000);
    table.rows[0].measured = false;

    ck_assert_uint_eq(fit(&table, &gpu).count, 0);
}
END_TEST

START_TEST(kernels_are_held_as_the_build_that_was_held_least)
{
    struct holdings holdings = {.count = 0};
    char name[16];

    ck_assert(holdings_add_kernel(&holdings, "one", 64, 9));
    ck_assert(holdings_add_kernel(&holdings, "one", 64, 7));
    ck_assert(holdings_add_kernel(&holdings, "one", 64, 8));
    ck_assert(holdings_add_kernel(&holdings, "one", 32, 20));
    ck_assert_uint_eq(holdings_find_kernel(&holdings, "one", 64), 7);
    ck_assert_uint_eq(holdings_find_kernel(&holdings, "one", 32), 20);
    ck_assert_uint_eq(holdings_find_kernel(&holdings, "one", 16), 0);
    ck_assert_uint_eq(holdings_find_kernel(&holdings, "on", 64), 0);
    for (int i = 2; i < HOLDINGS_KERNELS; ++i) {
        snprintf(name, sizeof name, "%d", i);
        ck_assert(holdings_add_kernel(&holdings, name, 64, 1));
    }
    ck_assert(!holdings_add_kernel(&holdings, "more", 64, 1));
    ck_assert(holdings_add_kernel(&holdings, "one", 64, 6));
}
END_TEST

HARNESS_MAIN("holdings", what_was_measured_is_held, sizes_between_are_held_as_units_have_work_items,
             other_sizes_with_memory_are_held_within_the_width_of_the_ladder,
             other_private_memory_is_held_as_the_next_rung, more_than_was_measured_is_not_known,
             whole_subgroups_are_held, threads_hold_any_footprint, one_footprint_tells_of_lighter_ones_only,
             what_was_not_measured_tells_nothing, kernels_are_held_as_the_build_that_was_held_least)
