#include "search/limiter.h"

NAMING_DEFINE(limiter, enum limiter, "unknown", "groups per compute unit", "work-items per compute unit",
              "local memory per compute unit", "registers", "CPU threads");

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

/*
 * Can one number of work-items on a compute unit explain the rows that the number of groups does not:
 * at least two of them, each as many groups as it holds, and not one more? A device may count whole
 * subgroups.
 */
static bool one_item_capacity(const struct limit *limits, size_t count, uint32_t units, uint32_t most_groups_held,
                              uint32_t subgroup_width)
{
    const uint64_t width = subgroup_width > 0 ? subgroup_width : 1;
    uint64_t least = 0, most = UINT64_MAX;
    uint32_t rows = 0;

    for (size_t i = 0; i < count; ++i) {
        const uint64_t groups = limits[i].resident / units;
        if (!is_base(&limits[i]) || groups == most_groups_held)
            continue;
        const uint64_t items = (limits[i].footprint.local_size + width - 1) / width * width;
        least = groups * items > least ? groups * items : least;
        most = (groups + 1) * items < most ? (groups + 1) * items : most;
        ++rows;
    }
    return rows > 1 && least < most;
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

static enum limiter infer_base(const struct limit *limits, size_t count, const struct limit *row,
                               const struct device_info *device, uint32_t units)
{
    uint32_t sizes;
    const uint32_t groups = row->resident / units;
    const uint32_t most = most_groups(limits, count, units, &sizes);

    if (groups == 0)
        return LIMITER_UNKNOWN;
    if (groups == most && sizes > 1)
        return LIMITER_GROUPS;
    /* The most groups of a single size may be what work-items allow: that row must fit, too. */
    const uint32_t set_aside = sizes > 1 ? most : 0;
    if (one_item_capacity(limits, count, units, set_aside, device->subgroup_width))
        return LIMITER_WORK_ITEMS;
    return LIMITER_UNKNOWN;
}

/* The row of the same size with the same local memory, or the same private memory, and without the other. */
static const struct limit *single_axis(const struct limit *limits, size_t count, const struct limit *row, bool local)
{
    for (size_t i = 0; i < count; ++i) {
        const struct footprint *footprint = &limits[i].footprint;
        if (limits[i].measured && footprint->local_size == row->footprint.local_size &&
            footprint->local_memory_bytes == (local ? row->footprint.local_memory_bytes : 0) &&
            footprint->private_bytes == (local ? 0 : row->footprint.private_bytes))
            return &limits[i];
    }
    return NULL;
}

static enum limiter infer(const struct limit *limits, size_t count, const struct limit *limit,
                          const struct device_info *device, uint32_t units)
{
    const struct limit *base = base_of(limits, count, limit);

    if (base == NULL)
        return LIMITER_UNKNOWN;
    if (limit->resident >= base->resident)
        return infer_base(limits, count, base, device, units);
    if (limit->footprint.private_bytes == 0)
        return explained_by_memory(limits, count, units) ? LIMITER_LOCAL_MEMORY : LIMITER_UNKNOWN;
    if (limit->footprint.local_memory_bytes == 0)
        return LIMITER_REGISTERS;
    /* Both axes at once: the one that allows as little by itself. */
    for (int local = 0; local < 2; ++local) {
        const struct limit *single = single_axis(limits, count, limit, local != 0);
        if (single != NULL && single->resident == limit->resident)
            return infer(limits, count, single, device, units);
    }
    return LIMITER_UNKNOWN;
}

enum limiter limiter_infer(const struct limit *limits, size_t count, size_t row, const struct device_info *device)
{
    const struct limit *limit = &limits[row];
    const uint32_t units = device->compute_units > 0 ? device->compute_units : 1;

    if (!limit->measured || limit->resident == 0)
        return LIMITER_UNKNOWN;
    if (device->kind == DEVICE_CPU)
        return always_the_same(limits, count) ? LIMITER_CPU_THREADS : LIMITER_UNKNOWN;
    return infer(limits, count, limit, device, units);
}

int limiter_safest(const struct limit *limits, size_t count, uint64_t loops_cut_at)
{
    int safest = -1;
    for (size_t i = 0; loops_cut_at == 0 && i < count; ++i)
        if (limits[i].measured && limits[i].passes_at > 0 &&
            (safest < 0 || limits[i].passes_at < limits[safest].passes_at))
            safest = (int)i;
    return safest;
}
