#include "search/limiter.h"

NAMING_DEFINE(limiter, enum limiter, LIMITER_COUNT, "unknown", "groups per compute unit", "work-items per compute unit",
              "local memory per compute unit", "registers", "CPU threads");

/* One device's sweep. */
struct sweep {
    const struct limit *limits;
    size_t count;
    uint32_t units, subgroup_width; /* of the device; at least 1 */
};

static bool is_base(const struct limit *limit)
{
    return limit->measured && limit->footprint.local_memory_bytes == 0 && limit->footprint.private_bytes == 0;
}

/* The row that was measured with the size of another one, and so much local and private memory; or NULL. */
static const struct limit *find_row(const struct sweep *sweep, const struct limit *like, uint64_t local_memory,
                                    uint32_t private_bytes)
{
    for (const struct limit *row = sweep->limits; row < sweep->limits + sweep->count; ++row)
        if (row->measured && row->footprint.local_size == like->footprint.local_size &&
            row->footprint.local_memory_bytes == local_memory && row->footprint.private_bytes == private_bytes)
            return row;
    return NULL;
}

/* All footprints, at least two of different size, have the same limit. */
static bool always_the_same(const struct sweep *sweep)
{
    const struct limit *first = NULL;
    bool varied = false;

    for (const struct limit *row = sweep->limits; row < sweep->limits + sweep->count; ++row) {
        if (!row->measured)
            continue;
        if (first == NULL)
            first = row;
        if (row->resident != first->resident)
            return false;
        varied = varied || row->footprint.local_size != first->footprint.local_size ||
                 row->footprint.local_memory_bytes != first->footprint.local_memory_bytes;
    }
    return varied;
}

/* The most groups a unit held in any row, and in how many work-group sizes. */
static uint32_t most_groups(const struct sweep *sweep, uint32_t *sizes)
{
    uint32_t most = 0;

    *sizes = 0;
    for (const struct limit *row = sweep->limits; row < sweep->limits + sweep->count; ++row) {
        if (!is_base(row))
            continue;
        const uint32_t groups = row->resident / sweep->units;
        *sizes = groups > most ? 1 : *sizes + (groups == most);
        most = groups > most ? groups : most;
    }
    return most;
}

/* What a compute unit can have of something, by the rows so far: at least `least`, and less than `most`. */
struct capacity {
    uint64_t least, most;
    uint32_t rows;
};

/* A row of which each group takes so much: a compute unit holds its groups, and not one more. */
static void narrow(struct capacity *capacity, uint64_t groups, uint64_t each)
{
    if (groups * each > capacity->least)
        capacity->least = groups * each;
    if ((groups + 1) * each < capacity->most)
        capacity->most = (groups + 1) * each;
    ++capacity->rows;
}

/*
 * Can one number of work-items on a compute unit explain the rows that the number of groups does not, at least two of
 * them? A device may count whole subgroups.
 */
static bool one_item_capacity(const struct sweep *sweep, uint32_t most_groups_held)
{
    struct capacity capacity = {.most = UINT64_MAX};
    const uint64_t width = sweep->subgroup_width;

    for (const struct limit *row = sweep->limits; row < sweep->limits + sweep->count; ++row) {
        const uint64_t groups = row->resident / sweep->units;
        if (is_base(row) && groups != most_groups_held)
            narrow(&capacity, groups, (row->footprint.local_size + width - 1) / width * width);
    }
    return capacity.rows > 1 && capacity.least < capacity.most;
}

/* The row holds fewer groups than the same size without local memory, and nothing else sets it apart. */
static bool is_memory_bound(const struct sweep *sweep, const struct limit *row)
{
    const struct limit *base = find_row(sweep, row, 0, 0);
    return row->measured && row->footprint.local_memory_bytes > 0 && row->footprint.private_bytes == 0 &&
           base != NULL && row->resident < base->resident;
}

/*
 * Can one capacity of a compute unit explain all rows that local memory may limit, if each group takes some bytes
 * beyond what it asked for, *overhead? It is at least the number returned; 0: it cannot.
 */
static uint64_t memory_capacity(const struct sweep *sweep, uint32_t *overhead)
{
    enum { OVERHEAD_MOST = 4096, OVERHEAD_STEP = 16 };

    for (*overhead = 0; *overhead <= OVERHEAD_MOST; *overhead += OVERHEAD_STEP) {
        struct capacity capacity = {.most = UINT64_MAX};
        for (const struct limit *row = sweep->limits; row < sweep->limits + sweep->count; ++row)
            if (is_memory_bound(sweep, row))
                narrow(&capacity, row->resident / sweep->units, row->footprint.local_memory_bytes + *overhead);
        if (capacity.rows > 0 && capacity.least < capacity.most)
            return capacity.least;
    }
    return 0;
}

static enum limiter infer_base(const struct sweep *sweep, const struct limit *row)
{
    uint32_t sizes;
    const uint32_t groups = row->resident / sweep->units;
    const uint32_t most = most_groups(sweep, &sizes);

    if (groups == 0)
        return LIMITER_UNKNOWN;
    if (groups == most && sizes > 1)
        return LIMITER_GROUPS;
    /* The most groups of a single size may be what work-items allow: that row must fit, too. */
    return one_item_capacity(sweep, sizes > 1 ? most : 0) ? LIMITER_WORK_ITEMS : LIMITER_UNKNOWN;
}

static enum limiter infer(const struct sweep *sweep, const struct limit *row)
{
    const uint64_t local_memory = row->footprint.local_memory_bytes;
    const uint32_t private_bytes = row->footprint.private_bytes;
    const struct limit *base = find_row(sweep, row, 0, 0);
    uint32_t overhead;

    if (base == NULL)
        return LIMITER_UNKNOWN;
    if (row->resident >= base->resident)
        return infer_base(sweep, base);
    if (private_bytes == 0)
        return memory_capacity(sweep, &overhead) > 0 ? LIMITER_LOCAL_MEMORY : LIMITER_UNKNOWN;
    if (local_memory == 0)
        return LIMITER_REGISTERS;
    /* Both axes at once: the one that allows as little by itself. */
    const struct limit *singles[] = {find_row(sweep, row, 0, private_bytes), find_row(sweep, row, local_memory, 0)};
    for (int i = 0; i < 2; ++i)
        if (singles[i] != NULL && singles[i]->resident == row->resident)
            return infer(sweep, singles[i]);
    return LIMITER_UNKNOWN;
}

static struct sweep sweep_of(const struct limit *limits, size_t count, const struct device_info *device)
{
    return (struct sweep){
        .limits = limits,
        .count = count,
        .units = device->compute_units > 0 ? device->compute_units : 1,
        .subgroup_width = device->subgroup_width > 0 ? device->subgroup_width : 1,
    };
}

enum limiter limiter_infer(const struct limit *limits, size_t count, size_t row, const struct device_info *device)
{
    const struct sweep sweep = sweep_of(limits, count, device);

    if (!limits[row].measured || limits[row].resident == 0)
        return LIMITER_UNKNOWN;
    if (device->kind == DEVICE_CPU)
        return always_the_same(&sweep) ? LIMITER_CPU_THREADS : LIMITER_UNKNOWN;
    return infer(&sweep, &limits[row]);
}

static void add_holding(struct holdings *holdings, const struct sweep *sweep, const struct limit *row)
{
    const struct footprint *footprint = &row->footprint;
    const uint32_t groups = row->resident / sweep->units;

    if (!row->measured || row->resident == 0 || holdings->count == HOLDINGS_MOST)
        return;
    holdings->rows[holdings->count++] = (struct holdings_row){footprint->local_size, footprint->private_bytes,
                                                              footprint->local_memory_bytes, row->resident};
    if (!is_base(row) || infer_base(sweep, row) == LIMITER_UNKNOWN)
        return;
    const uint64_t items = holdings_items(holdings, footprint->local_size, groups);
    holdings->groups = groups > holdings->groups ? groups : holdings->groups;
    holdings->work_items = items > holdings->work_items ? items : holdings->work_items;
}

void limiter_fit(const struct limit *limits, size_t count, const struct device_info *device, struct holdings *holdings)
{
    const struct sweep sweep = sweep_of(limits, count, device);

    *holdings = (struct holdings){.units = sweep.units, .subgroup_width = sweep.subgroup_width};
    for (size_t i = 0; i < count; ++i)
        add_holding(holdings, &sweep, &limits[i]);
    holdings->local_memory = memory_capacity(&sweep, &holdings->memory_overhead);
    holdings->alike = device->kind == DEVICE_CPU && always_the_same(&sweep);
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
