#include "core/holdings.h"

#include <stdio.h>
#include <string.h>

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t holdings_items(const struct holdings *holdings, uint32_t local_size, uint32_t groups)
{
    const uint64_t width = holdings->subgroup_width;
    return (local_size + width - 1) / width * width * groups;
}

/* It occupies as much of everything, or more. */
static bool covers(const struct holdings_row *row, const struct holdings_row *other)
{
    return row->local_size >= other->local_size && row->local_memory_bytes >= other->local_memory_bytes &&
           row->private_bytes >= other->private_bytes;
}

/* By what the units have room for. What held more private, or local, memory has room for as much of it. */
static uint64_t by_units(const struct holdings *holdings, const struct holdings_row *asked)
{
    const uint64_t memory = asked->local_memory_bytes;
    uint64_t items = asked->private_bytes == 0 ? holdings->work_items : 0;
    uint64_t groups = memory == 0 ? holdings->groups : holdings->local_memory / (memory + holdings->memory_overhead);

    for (uint32_t i = 0; i < holdings->count; ++i) {
        const struct holdings_row *row = &holdings->rows[i];
        const uint32_t held = row->resident / holdings->units;
        if (row->private_bytes >= asked->private_bytes && asked->private_bytes > 0)
            items = most(items, holdings_items(holdings, row->local_size, held));
        if (row->local_memory_bytes >= memory && memory > 0)
            groups = most(groups, held);
    }
    groups = least(groups, holdings->groups);
    items = least(items, holdings->work_items);
    return least(groups, items / holdings_items(holdings, asked->local_size, 1)) * holdings->units;
}

uint32_t holdings_find(const struct holdings *holdings, const struct holdings_row *asked)
{
    uint64_t found, bound = UINT32_MAX;

    if (holdings->count == 0)
        return 0;
    found = holdings->alike ? holdings->rows[0].resident : by_units(holdings, asked);
    for (uint32_t i = 0; i < holdings->count; ++i) {
        const struct holdings_row *row = &holdings->rows[i];
        const bool heavier = covers(row, asked), lighter = covers(asked, row);
        if (heavier && lighter)
            return row->resident;
        if (heavier)
            found = most(found, row->resident);
        if (lighter)
            bound = least(bound, row->resident);
    }
    return (uint32_t)least(found, bound);
}

/* -1: it was not measured. */
static int kernel_at(const struct holdings *holdings, const char *name, uint32_t local_size)
{
    for (uint32_t i = 0; i < holdings->kernel_count; ++i)
        if (holdings->kernels[i].local_size == local_size && strcmp(holdings->kernels[i].name, name) == 0)
            return (int)i;
    return -1;
}

uint32_t holdings_find_kernel(const struct holdings *holdings, const char *name, uint32_t local_size)
{
    const int at = kernel_at(holdings, name, local_size);
    return at < 0 ? 0 : holdings->kernels[at].resident;
}

bool holdings_add_kernel(struct holdings *holdings, const char *name, uint32_t local_size, uint32_t resident)
{
    const int at = kernel_at(holdings, name, local_size);

    if (at >= 0) {
        uint32_t *fewest = &holdings->kernels[at].resident;
        *fewest = resident < *fewest ? resident : *fewest;
        return true;
    }
    if (holdings->kernel_count == HOLDINGS_KERNELS)
        return false;
    struct holdings_kernel *kernel = &holdings->kernels[holdings->kernel_count++];
    *kernel = (struct holdings_kernel){.local_size = local_size, .resident = resident};
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    return true;
}
