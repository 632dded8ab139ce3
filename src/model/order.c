#include "model/order.h"

#include "base/alloc.h"
#include "core/lots.h"

#include <stdlib.h>

enum { WAITS, STARTED, ENDED };

/*
 * Of how many groups, from the lowest on, the order decides who comes first; the others follow by id. HSA gives turns
 * to the lowest alone. LOBE does to all that are lower than one that has started: so these need places, and the groups
 * for which there are places at first take them in any order, while then each that ends makes room for the next one.
 */
static uint32_t reach_of(const struct model_device *device, uint32_t places, uint32_t groups)
{
    if (device->unfair)
        return groups;
    return device->model == LITMUS_HSA ? 1 : device->model == LITMUS_LOBE && places < groups ? places : groups;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* About the golden section of the groups, so that neighbours are far from each other, and each comes once. */
static uint32_t step_of(uint32_t groups)
{
    uint32_t step = (uint32_t)((uint64_t)groups * 618034 / 1000000) | 1;

    while (common_divisor(step, groups) != 1)
        ++step;
    return step;
}

static uint32_t *draw_lots(uint32_t groups, uint64_t seed)
{
    uint32_t *lots = xmalloc(groups * sizeof *lots);

    for (uint32_t i = 0; i < groups; ++i) {
        const uint32_t other = lots_draw_below(&seed, i + 1);
        lots[i] = lots[other];
        lots[other] = i;
    }
    return lots;
}

void order_begin(struct order *order, const struct model_device *device, uint32_t groups, uint64_t seed)
{
    *order = (struct order){.device = device, .groups = groups, .places = model_device_places(device, groups)};
    order->state = xcalloc(groups, sizeof *order->state);
    order->reach = reach_of(device, order->places, groups);
    order->step = step_of(order->reach);
    if (device->order == MODEL_ORDER_LOT)
        order->lots = draw_lots(order->reach, seed);
    if (device->order == MODEL_ORDER_CHUNKED || device->order == MODEL_ORDER_SPLIT)
        order->chunk = xcalloc(order->places, 2 * sizeof *order->chunk);
}

void order_fini(struct order *order)
{
    free(order->state);
    free(order->lots);
    free(order->chunk);
    *order = (struct order){0};
}

/* A place goes through a chunk of neighbours, and then takes the next: its share of the groups that are left. */
static uint32_t next_of_chunk(struct order *order, uint32_t place)
{
    uint32_t *chunk = order->chunk + 2 * place;
    const uint32_t left = order->reach - order->chunk_next;
    const bool up = order->device->order == MODEL_ORDER_CHUNKED || left < order->places;

    if (chunk[0] == chunk[1]) {
        chunk[0] = order->chunk_next;
        chunk[1] = chunk[0] + (left + (up ? order->places - 1 : 0)) / order->places;
        order->chunk_next = chunk[1];
    }
    return chunk[0] < chunk[1] ? chunk[0]++ : order->groups;
}

static uint32_t next_of(struct order *order, uint32_t place)
{
    const uint32_t at = order->taken;

    if (at >= order->reach)
        return at;
    switch (order->device->order) {
    case MODEL_ORDER_UP:
        return at;
    case MODEL_ORDER_DOWN:
        return order->reach - 1 - at;
    case MODEL_ORDER_CHUNKED:
    case MODEL_ORDER_SPLIT:
        return next_of_chunk(order, place);
    case MODEL_ORDER_LOT:
        return order->lots[at];
    case MODEL_ORDER_MIXED:
    case MODEL_ORDERS:
        break;
    }
    return (uint32_t)((uint64_t)at * order->step % order->reach);
}

/* HSA_OBE: the lowest group has turns at any time, so one place is kept for it. */
static bool is_kept(const struct order *order)
{
    const struct model_device *device = order->device;
    return !device->unfair && device->model == LITMUS_HSA_OBE && order->held + 1 == order->places &&
           order->lowest < order->groups && order->state[order->lowest] == WAITS;
}

static bool give(struct order *order, uint32_t group)
{
    order->state[group] = STARTED;
    ++order->held;
    return true;
}

bool order_take(struct order *order, uint32_t place, uint32_t *group)
{
    if (is_kept(order)) {
        *group = order->lowest;
        return give(order, *group);
    }
    while (order->taken < order->groups) {
        *group = next_of(order, place);
        if (*group == order->groups)
            return false;
        ++order->taken;
        if (order->state[*group] == WAITS)
            return give(order, *group);
    }
    return false;
}

void order_end(struct order *order, uint32_t group)
{
    order->state[group] = ENDED;
    --order->held;
    while (order->lowest < order->groups && order->state[order->lowest] == ENDED)
        ++order->lowest;
}
