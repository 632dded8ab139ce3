/* Tables of limits, as hardware of a known kind would give them. */
#pragma once

#include "search/footprints.h"
#include "search/limiter.h"

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

static inline uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Registers of a work-item: the kernel's own 24, and the private words, in steps of 8. */
static inline uint32_t registers_of(const struct footprint *footprint)
{
    return least((24 + footprint->private_bytes / 4 + 7) / 8 * 8, 256);
}

static inline uint32_t by_memory(const struct unit *unit, const struct footprint *footprint)
{
    return footprint->local_memory_bytes == 0
               ? unit->groups
               : unit->memory_bytes / ((uint32_t)footprint->local_memory_bytes + unit->memory_overhead);
}

static inline uint32_t groups_of(const struct unit *unit, const struct footprint *footprint)
{
    uint32_t groups = least(unit->groups, unit->work_items / footprint->local_size);
    groups = least(groups, unit->registers / (footprint->local_size * registers_of(footprint)));
    return least(groups, by_memory(unit, footprint));
}

static inline void add(struct table *table, struct footprint footprint, uint32_t resident)
{
    ck_assert_uint_lt(table->count, ROWS);
    table->rows[table->count++] =
        (struct limit){.footprint = footprint, .resident = resident, .passes_at = resident, .measured = true};
}

/* The table of the whole sweep of the modelled GPU. */
static inline struct table gpu_table(const struct unit *unit)
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

static inline struct table cpu_table(void)
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

static inline size_t row_of(const struct table *table, struct footprint footprint)
{
    for (size_t i = 0; i < table->count; ++i)
        if (table->rows[i].footprint.local_size == footprint.local_size &&
            table->rows[i].footprint.local_memory_bytes == footprint.local_memory_bytes &&
            table->rows[i].footprint.private_bytes == footprint.private_bytes)
            return i;
    ck_abort_msg("no row l%u", footprint.local_size);
    return 0;
}

static inline enum limiter infer(const struct table *table, struct footprint footprint,
                                 const struct device_info *device)
{
    return limiter_infer(table->rows, table->count, row_of(table, footprint), device);
}

/* Each row with local memory that holds fewer groups than its base holds them for want of local memory. */
static inline void assert_memory_rows(const struct unit *unit, uint64_t least_bytes)
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
