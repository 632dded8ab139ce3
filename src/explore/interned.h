/* Strings of bytes, each kept once and known by its number. Pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct interned_entry {
    uint64_t offset;
    uint32_t bytes, hash;
};

/* All zero is empty. */
struct interned {
    unsigned char *memory;
    size_t used, room;
    struct interned_entry *entries;
    uint32_t count, entry_room;
    uint32_t *slots; /* 1 + the number of an entry, or 0 */
    uint32_t mask;
};

/* Returns the number of this string, from 0 in the order in which strings were first added. */
uint32_t interned_add(struct interned *interned, const void *string, uint32_t bytes);

/* The number that it has, or INTERNED_NONE. */
#define INTERNED_NONE UINT32_MAX
uint32_t interned_find(const struct interned *interned, const void *string, uint32_t bytes);

static inline const void *interned_at(const struct interned *interned, uint32_t number, uint32_t *bytes)
{
    *bytes = interned->entries[number].bytes;
    return interned->memory + interned->entries[number].offset;
}

/* Forgets all strings, and keeps the room. */
void interned_clear(struct interned *interned);
void interned_fini(struct interned *interned);

/* Returns how many bytes the strings take. */
size_t interned_size(const struct interned *interned);

uint64_t interned_hash(const void *string, size_t bytes);
