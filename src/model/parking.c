#include "model/parking.h"

#include "base/alloc.h"

#include <stdlib.h>

enum {
    NODES = 2 * CIRCLE_WORDS, /* a word may lie across a border */
    GRAIN = 16,               /* bytes that count as one word */
    HEADS_LEAST = 64,
};
#define KEY_ALL 0u /* memory does not begin at 0 */

void parking_begin(struct parking *parking, uint32_t items)
{
    *parking = (struct parking){.items = items, .heads = HEADS_LEAST};
    while (parking->heads < items)
        parking->heads *= 2;
    parking->used = xcalloc(items, sizeof *parking->used);
    parking->nodes = xcalloc((size_t)items * NODES + parking->heads + 1, sizeof *parking->nodes);
    for (uint32_t i = 0; i <= parking->heads; ++i) {
        struct parking_node *head = &parking->nodes[items * NODES + i];
        head->before = head->after = items * NODES + i;
    }
}

void parking_fini(struct parking *parking)
{
    free(parking->used);
    free(parking->nodes);
    *parking = (struct parking){0};
}

static uint32_t head_of(const struct parking *parking, uint64_t key)
{
    const uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;

    return parking->items * NODES + (key == KEY_ALL ? parking->heads : (uint32_t)mixed & (parking->heads - 1));
}

static void append(struct parking *parking, uint32_t item, uint64_t key)
{
    const uint32_t head = head_of(parking, key);
    const uint32_t at = item * NODES + parking->used[item]++;
    const uint32_t last = parking->nodes[head].before;

    parking->nodes[at] = (struct parking_node){key, last, head};
    parking->nodes[last].after = parking->nodes[head].before = at;
}

void parking_park(struct parking *parking, uint32_t item, const struct circle *circle)
{
    ++parking->count;
    if (circle->words > CIRCLE_WORDS || circle->words == 0) {
        append(parking, item, KEY_ALL);
        return;
    }
    for (uint32_t i = 0; i < circle->words; ++i) {
        const uintptr_t from = (uintptr_t)circle->word[i].at;
        const uint64_t first = from / GRAIN, last = (from + circle->word[i].bytes - 1) / GRAIN;
        append(parking, item, first);
        if (last != first)
            append(parking, item, last);
    }
}

static void release(struct parking *parking, uint32_t item, struct ready *ready)
{
    for (uint32_t i = 0; i < parking->used[item]; ++i) {
        const struct parking_node *node = &parking->nodes[item * NODES + i];
        parking->nodes[node->before].after = node->after;
        parking->nodes[node->after].before = node->before;
    }
    parking->used[item] = 0;
    --parking->count;
    ready_add_idle(ready, item);
}

static void wake_list(struct parking *parking, uint64_t key, struct ready *ready)
{
    const uint32_t head = head_of(parking, key);
    uint32_t at = parking->nodes[head].after;

    while (at != head) {
        const struct parking_node *node = &parking->nodes[at];
        const uint32_t item = at / NODES;
        const bool wakes = node->key == key;
        at = node->after;
        while (wakes && at != head && at / NODES == item) /* it leaves all its lists at once */
            at = parking->nodes[at].after;
        if (wakes)
            release(parking, item, ready);
    }
}

void parking_wake(struct parking *parking, const volatile void *at, size_t bytes, struct ready *ready)
{
    const uint64_t first = (uintptr_t)at / GRAIN, last = ((uintptr_t)at + bytes - 1) / GRAIN;

    for (uint64_t key = first; parking->count > 0 && key <= last; ++key)
        wake_list(parking, key, ready);
    if (parking->count > 0)
        wake_list(parking, KEY_ALL, ready);
}

void parking_wake_all(struct parking *parking, struct ready *ready)
{
    for (uint32_t i = 0; i < parking->items && parking->count > 0; ++i)
        if (parking->used[i] > 0)
            release(parking, i, ready);
}
