#include "search/footprints.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    LADDER_LOCAL_SIZE = 64, /* work-items at which the memory and register ladders are measured */
    LADDER_MEMORY_FIRST = 512,
    LADDER_MEMORY_RUNGS_CPU = 4,
    LADDER_MEMORY_RESERVE = 256, /* drivers keep some bytes of the maximum for themselves */
};

/* Private words on the register ladder: dense where a GPU's register file runs out first. */
static const struct axis private_ladder_gpu = {.values = {8, 16, 24, 32, 48, 64, 80, 96, 128, 192}, .count = 10};
/* A CPU keeps them on the stack: a few are enough to show that they do not matter. */
static const struct axis private_ladder_cpu = {.values = {16, 64, 128, 224}, .count = 4};

struct list {
    struct footprint *items;
    size_t count;
};

static void append(struct list *list, uint64_t local_size, uint64_t local_memory, uint64_t private_bytes)
{
    GROW(list->items, list->count);
    list->items[list->count++] = (struct footprint){
        .local_size = (uint32_t)local_size,
        .local_memory_bytes = local_memory,
        .private_bytes = (uint32_t)private_bytes,
    };
}

static uint64_t ladder_size(const struct device_info *device)
{
    return LADDER_LOCAL_SIZE < device->max_local_size ? LADDER_LOCAL_SIZE : device->max_local_size;
}

static void append_memory_ladder(struct list *list, const struct device_info *device, uint64_t local_size)
{
    const uint64_t memory = device->local_memory_bytes, most = memory - LADDER_MEMORY_RESERVE;

    if (memory <= LADDER_MEMORY_RESERVE)
        return;
    if (device->kind == DEVICE_CPU) {
        uint64_t bytes = memory >> (2 * (LADDER_MEMORY_RUNGS_CPU - 1));
        for (int i = 0; i < LADDER_MEMORY_RUNGS_CPU; ++i, bytes *= 4)
            append(list, local_size, bytes, 0);
        return;
    }
    for (uint64_t bytes = LADDER_MEMORY_FIRST; bytes < most; bytes *= 2) {
        append(list, local_size, bytes, 0);
        if (bytes / 2 * 3 < most)
            append(list, local_size, bytes / 2 * 3, 0);
    }
    append(list, local_size, most, 0);
}

static void sweep(struct list *list, const struct device_info *device)
{
    const struct axis *ladder = device->kind == DEVICE_CPU ? &private_ladder_cpu : &private_ladder_gpu;
    const uint64_t size = ladder_size(device);

    for (uint64_t local_size = 1; local_size <= device->max_local_size; local_size *= 2)
        append(list, local_size, 0, 0);
    append_memory_ladder(list, device, size);
    for (uint32_t i = 0; i < ladder->count; ++i)
        append(list, size, 0, 4 * ladder->values[i]);
}

static int check_axes(const struct footprint_axes *axes, const struct device_info *device, struct error *error)
{
    const struct {
        const struct axis *axis;
        const char *option, *unit;
        uint64_t least, most, multiple;
    } rules[] = {
        {&axes->local_size, "--local-size", "work-items", 1, device->max_local_size, 1},
        {&axes->local_memory, "--local-memory", "bytes", 0, device->local_memory_bytes, 1},
        {&axes->private_bytes, "--private", "bytes", 0, FOOTPRINT_PRIVATE_MAX, 4},
    };

    for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r)
        for (uint32_t i = 0; i < rules[r].axis->count; ++i) {
            const uint64_t value = rules[r].axis->values[i];
            if (value < rules[r].least || value > rules[r].most || value % rules[r].multiple != 0)
                return error_set(error, STATUS_USAGE, "%s %" PRIu64 ": %s allows %" PRIu64 " to %" PRIu64 " %s%s",
                                 rules[r].option, value, DEVICE_LABEL_OF(device), rules[r].least, rules[r].most,
                                 rules[r].unit, rules[r].multiple > 1 ? ", a multiple of 4" : "");
        }
    return 0;
}

/* Goes up: a value that is no more than the last one is left out. */
static void add_value(struct axis *axis, uint64_t value)
{
    if (value > 0 && (axis->count == 0 || axis->values[axis->count - 1] < value))
        axis->values[axis->count++] = value;
}

/* Gives each axis that has no values a few that are far apart. */
static void complete_grid(struct footprint_axes *axes, const struct device_info *device)
{
    const uint64_t size = device->max_local_size, memory = device->local_memory_bytes;
    const uint64_t most = memory > LADDER_MEMORY_RESERVE ? memory - LADDER_MEMORY_RESERVE : 0;
    const uint64_t sizes[] = {size / 32, size / 16, size / 4, size};
    const uint64_t memories[] = {memory / 16, memory / 4, memory / 2, most};
    const bool has_sizes = axes->local_size.count > 0, has_memories = axes->local_memory.count > 0;

    if (!has_memories)
        axes->local_memory.count = 1; /* none */
    for (int i = 0; i < 4; ++i) {
        if (!has_sizes)
            add_value(&axes->local_size, sizes[i]);
        if (!has_memories)
            add_value(&axes->local_memory, memories[i]);
    }
    if (axes->private_bytes.count == 0)
        axes->private_bytes = (struct axis){.values = {0, 256, 512}, .count = 3};
}

static int check_grid(const struct footprint_axes *axes, struct error *error)
{
    const uint32_t sizes = axes->local_size.count, memories = axes->local_memory.count,
                   privates = axes->private_bytes.count;

    if (sizes * memories * privates <= FOOTPRINTS_GRID)
        return 0;
    return error_set(error, STATUS_USAGE,
                     "--grid: %" PRIu32 " work-group sizes x %" PRIu32 " amounts of local memory x %" PRIu32
                     " of private memory: at most %d footprints are allowed",
                     sizes, memories, privates, FOOTPRINTS_GRID);
}

static void combine(struct list *list, const struct footprint_axes *axes, const struct device_info *device)
{
    static const struct axis zero = {.values = {0}, .count = 1};
    const struct axis usual = {.values = {ladder_size(device)}, .count = 1};
    const struct axis *sizes = axes->local_size.count > 0 ? &axes->local_size : &usual;
    const struct axis *memories = axes->local_memory.count > 0 ? &axes->local_memory : &zero;
    const struct axis *privates = axes->private_bytes.count > 0 ? &axes->private_bytes : &zero;

    for (uint32_t s = 0; s < sizes->count; ++s)
        for (uint32_t m = 0; m < memories->count; ++m)
            for (uint32_t p = 0; p < privates->count; ++p)
                append(list, sizes->values[s], memories->values[m], privates->values[p]);
}

int footprints_plan(const struct footprint_axes *given, const struct device_info *device, struct footprint **footprints,
                    size_t *count, struct error *error)
{
    struct footprint_axes axes = *given;
    struct list list = {0};

    if (check_axes(&axes, device, error) != 0)
        return -1;
    if (axes.grid)
        complete_grid(&axes, device);
    if (axes.grid && check_grid(&axes, error) != 0)
        return -1;
    if (axes.single || axes.local_size.count + axes.local_memory.count + axes.private_bytes.count > 0)
        combine(&list, &axes, device);
    else
        sweep(&list, device);
    *footprints = list.items;
    *count = list.count;
    return 0;
}
