#include "core/mapping.h"

#include "core/lots.h"

NAMING_DEFINE(mapping, enum mapping_kind, MAPPING_KINDS, "plain", "round-robin", "chunked", "hybrid", "random",
              "shuffled", "reversed", "gaps");

bool mapping_has_seed(enum mapping_kind kind)
{
    return kind == MAPPING_RANDOM || kind == MAPPING_SHUFFLED;
}

uint32_t mapping_groups(const struct mapping *mapping, unsigned threads, uint32_t most)
{
    const uint32_t instances = mapping->kind == MAPPING_PLAIN || most < threads ? 1 : most / threads;
    return instances * threads;
}

uint32_t mapping_stride(const struct mapping *mapping)
{
    return mapping->kind == MAPPING_GAPS ? MAPPING_STRIDE : 1;
}

/* --- orders --- */

bool mapping_order(const struct mapping *mapping, unsigned threads, uint8_t order[MAPPING_THREADS])
{
    uint64_t state = mapping->seed;
    bool moved = false;

    for (unsigned i = 0; i < threads; ++i)
        order[i] = (uint8_t)(mapping->kind == MAPPING_REVERSED ? threads - 1 - i : i);
    while (mapping->kind == MAPPING_SHUFFLED && threads > 1 && !moved) {
        for (unsigned i = threads - 1; i > 0; --i) {
            const unsigned other = lots_draw_below(&state, i + 1);
            const uint8_t thread = order[i];
            order[i] = order[other];
            order[other] = thread;
        }
        for (unsigned i = 0; i < threads; ++i)
            moved = moved || order[i] != i;
    }
    return !moved && (mapping->kind != MAPPING_REVERSED || threads < 2);
}

enum { DEALT_SHIFT = 27 }; /* groups and instances are below 2^27; above stands what an instance has got so far */

/*
 * Deals the groups to the instances by lot, as many to each. The first group that an instance gets is its first
 * thread in that order. How many an instance has got is counted in the upper bits of the entry with its number.
 */
static void deal(const struct mapping *mapping, unsigned threads, uint32_t groups, uint32_t *slots)
{
    const uint32_t instances = groups / threads, low = (1u << DEALT_SHIFT) - 1;
    uint64_t state = ~(uint64_t)mapping->seed;
    uint8_t order[MAPPING_THREADS];

    mapping_order(mapping, threads, order);
    for (uint32_t group = 0; group < groups; ++group)
        slots[group] = group % instances;
    for (uint32_t group = groups - 1; group > 0; --group) {
        const uint32_t other = lots_draw_below(&state, group + 1);
        const uint32_t instance = slots[group];
        slots[group] = slots[other];
        slots[other] = instance;
    }
    for (uint32_t group = 0; group < groups; ++group) {
        const uint32_t instance = slots[group] & low;
        const uint32_t got = slots[instance] >> DEALT_SHIFT;
        slots[instance] += 1u << DEALT_SHIFT;
        slots[group] = (slots[group] & ~low) | (instance * threads + order[got]);
    }
    for (uint32_t group = 0; group < groups; ++group)
        slots[group] &= low;
}

void mapping_fill(const struct mapping *mapping, unsigned threads, uint32_t groups, uint32_t *slots)
{
    const uint32_t instances = groups / threads;

    if (mapping_has_seed(mapping->kind)) {
        deal(mapping, threads, groups, slots);
        return;
    }
    for (uint32_t group = 0; group < groups; ++group) {
        const uint32_t adjacent = threads - 1;
        if (mapping->kind == MAPPING_CHUNKED)
            slots[group] = group % instances * threads + group / instances;
        else if (mapping->kind == MAPPING_HYBRID && group < instances * adjacent)
            slots[group] = group / adjacent * threads + group % adjacent;
        else if (mapping->kind == MAPPING_HYBRID)
            slots[group] = (group - instances * adjacent) * threads + adjacent;
        else if (mapping->kind == MAPPING_REVERSED)
            slots[group] = group + threads - 1 - 2 * (group % threads);
        else
            slots[group] = group;
    }
}
