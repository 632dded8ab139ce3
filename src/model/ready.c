#include "model/ready.h"

#include "base/alloc.h"
#include "core/lots.h"

#include <stdlib.h>

enum { OTHERS_MOST = 4 }; /* that have a turn before one that is idle has */

void ready_begin(struct ready *ready, enum model_turns turns, uint32_t room, const uint32_t *ranks)
{
    uint32_t size = 1;

    while (size < room)
        size *= 2;
    *ready = (struct ready){.turns = turns, .mask = size - 1, .head = room};
    ready->items = xcalloc_scattered(size, sizeof *ready->items); /* one that is foreseen may never have been put */
    ready->places = xcalloc(room, sizeof *ready->places);
    ready->before = xcalloc((size_t)room + 1, sizeof *ready->before);
    ready->after = xcalloc((size_t)room + 1, sizeof *ready->after);
    ready->before[room] = ready->after[room] = room;
    heap_begin(&ready->heap, room, ranks);
}

void ready_fini(struct ready *ready)
{
    free(ready->items);
    free(ready->places);
    free(ready->before);
    free(ready->after);
    heap_fini(&ready->heap);
    *ready = (struct ready){0};
}

/* --- the ring --- */

static void put(struct ready *ready, uint32_t place, uint32_t item)
{
    ready->items[place] = item;
    if (ready->turns == MODEL_TURNS_ROUND)
        ready->places[item] = place;
}

static void swap(struct ready *ready, uint32_t a, uint32_t b)
{
    const uint32_t item = ready->items[a];
    put(ready, a, ready->items[b]);
    put(ready, b, item);
}

static uint32_t take_first(struct ready *ready)
{
    --ready->in_ring;
    return ready->items[ready->first++ & ready->mask];
}

static bool take_from_ring(struct ready *ready, uint32_t item)
{
    const uint32_t place = ready->places[item];

    if (((place - ready->first) & ready->mask) >= ready->in_ring || ready->items[place] != item)
        return false;
    swap(ready, ready->first & ready->mask, place);
    take_first(ready);
    return true;
}

/* --- those that are idle --- */

static bool take_idle(struct ready *ready, uint32_t item)
{
    if (!heap_take(&ready->heap, item))
        return false;
    ready->after[ready->before[item]] = ready->after[item];
    ready->before[ready->after[item]] = ready->before[item];
    return true;
}

static uint32_t next_in_turn(struct ready *ready)
{
    if (ready->heap.count == 0 || (ready->in_ring > 0 && ready->since++ < OTHERS_MOST))
        return take_first(ready);
    const uint32_t item = ready->idlers++ % 2 == 0 ? heap_first(&ready->heap) : ready->after[ready->head];
    ready->since = 0;
    take_idle(ready, item);
    return item;
}

/* --- all --- */

void ready_add(struct ready *ready, uint32_t item)
{
    ++ready->count;
    if (ready->turns == MODEL_TURNS_PCT)
        heap_add(&ready->heap, item);
    else
        put(ready, (ready->first + ready->in_ring++) & ready->mask, item);
}

void ready_add_idle(struct ready *ready, uint32_t item)
{
    if (ready->turns != MODEL_TURNS_ROUND) {
        ready_add(ready, item);
        return;
    }
    ++ready->count;
    heap_add(&ready->heap, item);
    ready->before[item] = ready->before[ready->head];
    ready->after[item] = ready->head;
    ready->after[ready->before[item]] = ready->before[ready->head] = item;
}

uint32_t ready_take(struct ready *ready, uint64_t *lots)
{
    --ready->count;
    if (ready->turns == MODEL_TURNS_ROUND)
        return next_in_turn(ready);
    if (ready->turns == MODEL_TURNS_LOT) {
        swap(ready, ready->first & ready->mask, (ready->first + lots_draw_below(lots, ready->in_ring)) & ready->mask);
        return take_first(ready);
    }
    const uint32_t item = heap_first(&ready->heap);
    heap_take(&ready->heap, item);
    return item;
}

bool ready_take_this(struct ready *ready, uint32_t item)
{
    if (!take_from_ring(ready, item) && !take_idle(ready, item))
        return false;
    --ready->count;
    return true;
}

bool ready_has_higher(const struct ready *ready, uint32_t rank)
{
    return ready->count > 0 && ready->heap.ranks[heap_first(&ready->heap)] > rank;
}
