#include "base/intern.h"

#include "base/alloc.h"

#include <search.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct intern_entry {
    uint32_t size;
    uint32_t number;
    alignas(8) char bytes[];
};

static int by_bytes(const void *a, const void *b)
{
    const struct intern_entry *left = a, *right = b;

    return left->size != right->size ? (left->size > right->size) - (left->size < right->size)
                                     : memcmp(left->bytes, right->bytes, left->size);
}

const void *intern_bytes(struct intern *pool, const void *bytes, size_t size)
{
    if (size > UINT32_MAX)
        out_of_memory(size);
    struct intern_entry *entry = xmalloc(sizeof *entry + size);
    *entry = (struct intern_entry){.size = (uint32_t)size};
    memcpy(entry->bytes, bytes, size);
    struct intern_entry **kept = tsearch(entry, &pool->entries, by_bytes);
    if (kept == NULL)
        out_of_memory(size);
    if (*kept == entry)
        pool->used += 1;
    else
        free(entry);
    return (*kept)->bytes;
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
    tdestroy(pool->entries, free);
    *pool = (struct intern){0};
}
