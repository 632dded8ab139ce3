#include "model/ready.h"

#include "base/alloc.h"
#include "core/lots.h"

#include <stdlib.h>

void ready_begin(struct ready *ready, enum model_turns turns, uint32_t room, const uint32_t *ranks)
{
    uint32_t size = 1;

    while (size < room)
        size *= 2;
    *ready = (struct ready){.turns = turns, .ranks = ranks, .mask = size - 1};
    ready->items = xmalloc(size * sizeof *ready->items);
    ready->places = xcalloc(room, sizeof *ready->places);
}

void ready_fini(struct ready *ready)
{
    free(ready->items);
    free(ready->places);
    ready->items = ready->places = NULL;
}

static uint32_t rank_at(const struct ready *ready, uint32_t place)
{
    return ready->ranks[ready->items[place]];
}

static void put(struct ready *ready, uint32_t place, uint32_t item)
{
    ready->items[place] = item;
    ready->places[item] = place;
}

static void swap(struct ready *ready, uint32_t a, uint32_t b)
{
    const uint32_t item = ready->items[a];
    put(ready, a, ready->items[b]);
    put(ready, b, item);
}

void ready_add(struct ready *ready, uint32_t item)
{
    uint32_t at = (ready->first + ready->count++) & ready->mask;

    put(ready, at, item);
    if (ready->turns != MODEL_TURNS_PCT)
        return;
    for (; at > 0 && rank_at(ready, at) > rank_at(ready, (at - 1) / 2); at = (at - 1) / 2)
        swap(ready, at, (at - 1) / 2);
}

static uint32_t take_highest(struct ready *ready)
{
    const uint32_t item = ready->items[0];

    ready->items[0] = ready->items[--ready->count];
    for (uint32_t at = 0, child; (child = 2 * at + 1) < ready->count; at = child) {
        child += child + 1 < ready->count && rank_at(ready, child + 1) > rank_at(ready, child);
        if (rank_at(ready, at) >= rank_at(ready, child))
            break;
        swap(ready, at, child);
    }
    return item;
}

uint32_t ready_take(struct ready *ready, uint64_t *lots)
{
    if (ready->turns == MODEL_TURNS_PCT)
        return take_highest(ready);
    if (ready->turns == MODEL_TURNS_LOT)
        swap(ready, ready->first & ready->mask, (ready->first + lots_draw_below(lots, ready->count)) & ready->mask);
    --ready->count;
    return ready->items[ready->first++ & ready->mask];
}

bool ready_take_this(struct ready *ready, uint32_t item)
{
    const uint32_t place = ready->places[item];

    if (((place - ready->first) & ready->mask) >= ready->count || ready->items[place] != item)
        return false;
    swap(ready, ready->first & ready->mask, place);
    --ready->count;
    ++ready->first;
    return true;
}

bool ready_has_higher(const struct ready *ready, uint32_t rank)
{
    return ready->count > 0 && rank_at(ready, 0) > rank;
}
