#include "model/heap.h"

#include "base/alloc.h"

#include <stdlib.h>

void heap_begin(struct heap *heap, uint32_t room, const uint32_t *ranks)
{
    *heap = (struct heap){.ranks = ranks};
    heap->items = xcalloc(room, sizeof *heap->items);
    heap->places = xcalloc(room, sizeof *heap->places);
}

void heap_fini(struct heap *heap)
{
    free(heap->items);
    free(heap->places);
    *heap = (struct heap){0};
}

static uint32_t rank_at(const struct heap *heap, uint32_t place)
{
    return heap->ranks[heap->items[place]];
}

static void put(struct heap *heap, uint32_t place, uint32_t item)
{
    heap->items[place] = item;
    heap->places[item] = place;
}

static void swap(struct heap *heap, uint32_t a, uint32_t b)
{
    const uint32_t item = heap->items[a];
    put(heap, a, heap->items[b]);
    put(heap, b, item);
}

static void rise(struct heap *heap, uint32_t at)
{
    for (; at > 0 && rank_at(heap, at) > rank_at(heap, (at - 1) / 2); at = (at - 1) / 2)
        swap(heap, at, (at - 1) / 2);
}

static void sink(struct heap *heap, uint32_t at)
{
    for (uint32_t child; (child = 2 * at + 1) < heap->count; at = child) {
        child += child + 1 < heap->count && rank_at(heap, child + 1) > rank_at(heap, child);
        if (rank_at(heap, at) >= rank_at(heap, child))
            return;
        swap(heap, at, child);
    }
}

void heap_add(struct heap *heap, uint32_t item)
{
    put(heap, heap->count++, item);
    rise(heap, heap->count - 1);
}

bool heap_take(struct heap *heap, uint32_t item)
{
    const uint32_t at = heap->places[item];

    if (at >= heap->count || heap->items[at] != item)
        return false;
    swap(heap, at, --heap->count);
    rise(heap, at);
    sink(heap, at);
    return true;
}
