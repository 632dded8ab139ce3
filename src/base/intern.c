#include "base/intern.h"

#include "base/alloc.h"
#include "base/tally.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 16 };

struct intern_entry {
    uint64_t hash;
    uint32_t size;
    uint32_t number;
    alignas(8) char bytes[];
};

struct intern_chunk {
    struct intern_chunk *next;
    size_t used, size;
    alignas(8) char bytes[];
};

static void enlarge(struct intern *pool)
{
    const size_t capacity = pool->capacity == 0 ? 256 : 2 * pool->capacity;
    struct intern_entry **slots = xcalloc(capacity, sizeof(struct intern_entry *));

    for (size_t i = 0; i < pool->capacity; ++i) {
        if (pool->slots[i] == NULL)
            continue;
        size_t at = (size_t)pool->slots[i]->hash & (capacity - 1);
        while (slots[at] != NULL)
            at = (at + 1) & (capacity - 1);
        slots[at] = pool->slots[i];
    }
    free(pool->slots);
    pool->slots = slots;
    pool->capacity = capacity;
}

static struct intern_entry *allocate(struct intern *pool, size_t size)
{
    const size_t need = (sizeof(struct intern_entry) + size + 7) & ~(size_t)7;

    if (pool->chunks == NULL || pool->chunks->size - pool->chunks->used < need) {
        const size_t room = need > CHUNK_BYTES ? need : CHUNK_BYTES;
        struct intern_chunk *chunk = xmalloc(sizeof *chunk + room);
        *chunk = (struct intern_chunk){.next = pool->chunks, .size = room};
        pool->chunks = chunk;
    }
    void *entry = pool->chunks->bytes + pool->chunks->used;
    pool->chunks->used += need;
    return entry;
}

const void *intern_bytes(struct intern *pool, const void *bytes, size_t size)
{
    const uint64_t hash = tally_hash_bytes(bytes, size);

    if (size > UINT32_MAX)
        out_of_memory(size);
    if (2 * pool->used >= pool->capacity)
        enlarge(pool);
    size_t at = (size_t)hash & (pool->capacity - 1);
    for (; pool->slots[at] != NULL; at = (at + 1) & (pool->capacity - 1)) {
        const struct intern_entry *known = pool->slots[at];
        if (known->hash == hash && known->size == size && memcmp(known->bytes, bytes, size) == 0)
            return known->bytes;
    }
    struct intern_entry *entry = allocate(pool, size);
    *entry = (struct intern_entry){.hash = hash, .size = (uint32_t)size};
    memcpy(entry->bytes, bytes, size);
    pool->slots[at] = entry;
    pool->used += 1;
    return entry->bytes;
}

const char *intern_text(struct intern *pool, const char *text)
{
    return intern_bytes(pool, text, strlen(text) + 1);
}

uint32_t *intern_number(const void *value)
{
    char *bytes = (char *)value;
    struct intern_entry *entry = (void *)(bytes - offsetof(struct intern_entry, bytes));
    return &entry->number;
}

void intern_fini(struct intern *pool)
{
    while (pool->chunks != NULL) {
        struct intern_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
    free(pool->slots);
    *pool = (struct intern){0};
}
