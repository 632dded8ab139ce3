#include "explore/interned.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 10 };

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

uint64_t interned_hash(const void *string, size_t bytes)
{
    const unsigned char *at = string;
    uint64_t hash = bytes, word;

    for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    if (bytes > 0)
        memcpy(&word, at, bytes);
    return mix(mix(hash, word), hash >> 32);
}

static void place(struct interned *interned, uint32_t number)
{
    uint32_t slot = interned->entries[number].hash & interned->mask;

    while (interned->slots[slot] != 0)
        slot = (slot + 1) & interned->mask;
    interned->slots[slot] = number + 1;
}

static void widen(struct interned *interned)
{
    const uint32_t count = interned->slots == NULL ? FIRST_SLOTS : 2 * (interned->mask + 1);

    free(interned->slots);
    interned->slots = xcalloc(count, sizeof *interned->slots);
    interned->mask = count - 1;
    for (uint32_t i = 0; i < interned->count; ++i)
        place(interned, i);
}

static uint32_t append(struct interned *interned, const void *string, uint32_t bytes, uint32_t hash)
{
    if (interned->used + bytes > interned->room) {
        interned->room = 2 * (interned->used + bytes);
        interned->memory = xrealloc(interned->memory, interned->room);
    }
    if (interned->count == interned->entry_room) {
        interned->entry_room = interned->count == 0 ? FIRST_SLOTS : 2 * interned->count;
        interned->entries = xrealloc(interned->entries, interned->entry_room * sizeof *interned->entries);
    }
    if (bytes > 0)
        memcpy(interned->memory + interned->used, string, bytes);
    interned->entries[interned->count] = (struct interned_entry){interned->used, bytes, hash};
    interned->used += bytes;
    place(interned, interned->count);
    return interned->count++;
}

static uint32_t find(const struct interned *interned, const void *string, uint32_t bytes, uint32_t hash)
{
    for (uint32_t slot = hash & interned->mask; interned->slots[slot] != 0; slot = (slot + 1) & interned->mask) {
        const struct interned_entry *entry = &interned->entries[interned->slots[slot] - 1];
        if (entry->hash == hash && entry->bytes == bytes &&
            (bytes == 0 || memcmp(interned->memory + entry->offset, string, bytes) == 0))
            return interned->slots[slot] - 1;
    }
    return INTERNED_NONE;
}

uint32_t interned_find(const struct interned *interned, const void *string, uint32_t bytes)
{
    if (interned->slots == NULL)
        return INTERNED_NONE;
    return find(interned, string, bytes, (uint32_t)interned_hash(string, bytes));
}

uint32_t interned_add(struct interned *interned, const void *string, uint32_t bytes)
{
    const uint32_t hash = (uint32_t)interned_hash(string, bytes);

    if (interned->slots == NULL || interned->count >= interned->mask / 2)
        widen(interned);
    const uint32_t found = find(interned, string, bytes, hash);
    return found != INTERNED_NONE ? found : append(interned, string, bytes, hash);
}

void interned_clear(struct interned *interned)
{
    interned->used = 0;
    interned->count = 0;
    if (interned->slots != NULL)
        memset(interned->slots, 0, (interned->mask + (size_t)1) * sizeof *interned->slots);
}

void interned_fini(struct interned *interned)
{
    free(interned->memory);
    free(interned->entries);
    free(interned->slots);
    *interned = (struct interned){0};
}

size_t interned_size(const struct interned *interned)
{
    return interned->room + interned->entry_room * sizeof *interned->entries +
           (interned->slots == NULL ? 0 : (interned->mask + (size_t)1) * sizeof *interned->slots);
}
