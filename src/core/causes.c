#include "core/causes.h"

const char *limiter_name(enum limiter limiter)
{
    static const char *const names[] = {
        "unknown",
        "groups per compute unit",
        "work-items per compute unit",
        "local memory per compute unit",
        "registers",
        "CPU threads",
    };
    return names[limiter];
}

static bool is_base(const struct limit *limit)
{
    return limit->measured && limit->footprint.local_memory_bytes == 0 && limit->footprint.private_bytes == 0;
}

/* All footprints, at least two of different size, have the same limit. */
static bool always_the_same(const struct limit *limits, size_t count)
{
    const struct limit *first = NULL;
    bool varied = false;
    for (size_t i = 0; i < count; ++i) {
        if (!limits[i].measured)
            continue;
        if (first == NULL)
            first = &limits[i];
        if (limits[i].resident != first->resident)
            return false;
        varied = varied || limits[i].footprint.local_size != first->footprint.local_size ||
                 limits[i].footprint.local_memory_bytes != first->footprint.local_memory_bytes;
    }
    return varied;
}

/* The most groups a unit held in any row, and in how many work-group sizes. */
static uint32_t most_groups(const struct limit *limits, size_t count, uint32_t units, uint32_t *sizes)
{
    uint32_t most = 0;
    *sizes = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!is_base(&limits[i]))
            continue;
        uint32_t groups = limits[i].resident / units;
        *sizes = groups > most ? 1 : *sizes + (groups == most);
        most = groups > most ? groups : most;
    }
    return most;
}

static uint64_t most_work_items(const struct limit *limits, size_t count, uint32_t units, uint32_t *sizes)
{
    uint64_t most = 0;
    *sizes = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!is_base(&limits[i]))
            continue;
        uint64_t items = (uint64_t)(limits[i].resident / units) * limits[i].footprint.local_size;
        *sizes = items > most ? 1 : *sizes + (items == most);
        most = items > most ? items : most;
    }
    return most;
}

/* The row with the same work-group size and neither local nor private memory, or NULL. */
static const struct limit *base_of(const struct limit *limits, size_t count, const struct limit *row)
{
    for (size_t i = 0; i < count; ++i)
        if (is_base(&limits[i]) && limits[i].footprint.local_size == row->footprint.local_size)
            return &limits[i];
    return NULL;
}

/* The row holds fewer groups than the same size without local memory, and nothing else sets it apart. */
static bool is_memory_bound(const struct limit *limits, size_t count, const struct limit *row)
{
    const struct limit *base = base_of(limits, count, row);
    return row->measured && row->footprint.local_memory_bytes > 0 && row->footprint.private_bytes == 0 &&
           base != NULL && row->resident < base->resident;
}

/*
 * Can one capacity of a compute unit explain all rows that local memory may limit, if each group
 * takes `overhead` bytes beyond what it asked for? It must hold the groups of each row, and not one more.
 */
static bool one_capacity(const struct limit *limits, size_t count, uint32_t units, uint64_t overhead)
{
    uint64_t least = 0, most = UINT64_MAX;
    for (size_t i = 0; i < count; ++i) {
        if (!is_memory_bound(limits, count, &limits[i]))
            continue;
        const uint64_t groups = limits[i].resident / units;
        const uint64_t bytes = limits[i].footprint.local_memory_bytes + overhead;
        least = groups * bytes > least ? groups * bytes : least;
        most = (groups + 1) * bytes < most ? (groups + 1) * bytes : most;
    }
    return least < most;
}

static bool explained_by_memory(const struct limit *limits, size_t count, uint32_t units)
{
    enum { OVERHEAD_MOST = 4096, OVERHEAD_STEP = 16 };
    for (uint64_t overhead = 0; overhead <= OVERHEAD_MOST; overhead += OVERHEAD_STEP)
        if (one_capacity(limits, count, units, overhead))
            return true;
    return false;
}

static enum limiter infer_base(const struct limit *limits, size_t count, const struct limit *row, uint32_t units)
{
    uint32_t sizes;
    uint32_t groups = row->resident / units;

    if (groups == 0)
        return LIMITER_UNKNOWN;
    if (groups == most_groups(limits, count, units, &sizes) && sizes > 1)
        return LIMITER_GROUPS;
    uint64_t items = most_work_items(limits, count, units, &sizes);
    if (sizes > 1 && groups == items / row->footprint.local_size)
        return LIMITER_WORK_ITEMS;
    return LIMITER_UNKNOWN;
}

enum limiter causes_infer(const struct limit *limits, size_t count, size_t row, const struct device_info *device)
{
    const struct limit *limit = &limits[row];
    const uint32_t units = device->compute_units > 0 ? device->compute_units : 1;
    const struct limit *base = base_of(limits, count, limit);

    if (!limit->measured || limit->resident == 0)
        return LIMITER_UNKNOWN;
    if (device->kind == DEVICE_CPU)
        return always_the_same(limits, count) ? LIMITER_CPU_THREADS : LIMITER_UNKNOWN;
    if (base == NULL)
        return LIMITER_UNKNOWN;
    if (limit->resident >= base->resident)
        return infer_base(limits, count, base, units);
    if (is_memory_bound(limits, count, limit))
        return explained_by_memory(limits, count, units) ? LIMITER_LOCAL_MEMORY : LIMITER_UNKNOWN;
    if (limit->footprint.private_bytes > 0 && limit->footprint.local_memory_bytes == 0)
        return LIMITER_REGISTERS;
    return LIMITER_UNKNOWN;
}

int causes_safest(const struct limit *limits, size_t count, uint64_t loops_cut_at)
{
    int safest = -1;
    for (size_t i = 0; loops_cut_at == 0 && i < count; ++i)
        if (limits[i].measured && limits[i].passes_at > 0 &&
            (safest < 0 || limits[i].passes_at < limits[safest].passes_at))
            safest = (int)i;
    return safest;
}
