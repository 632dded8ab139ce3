#include "base/tally.h"

#include <stdlib.h>
#include <string.h>

struct tally_entry {
    char *name; /* NULL: free */
    uint32_t count;
};

uint64_t tally_hash_bytes(const char *bytes, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

uint64_t tally_hash(const char *name)
{
    return tally_hash_bytes(name, strlen(name));
}

static struct tally_entry *find(const struct tally *tally, const char *name)
{
    size_t at = (size_t)tally_hash(name) & (tally->capacity - 1);
    while (tally->entries[at].name != NULL && strcmp(tally->entries[at].name, name) != 0)
        at = (at + 1) & (tally->capacity - 1);
    return &tally->entries[at];
}

static int grow(struct tally *tally)
{
    struct tally larger = {.capacity = tally->capacity == 0 ? 256 : 2 * tally->capacity, .used = tally->used};

    larger.entries = calloc(larger.capacity, sizeof *larger.entries);
    if (larger.entries == NULL)
        return -1;
    for (size_t i = 0; i < tally->capacity; ++i)
        if (tally->entries[i].name != NULL)
            *find(&larger, tally->entries[i].name) = tally->entries[i];
    free(tally->entries);
    *tally = larger;
    return 0;
}

int tally_count(struct tally *tally, const char *name, uint32_t *before)
{
    if (2 * tally->used >= tally->capacity && grow(tally) != 0)
        return -1;
    struct tally_entry *entry = find(tally, name);
    if (entry->name == NULL) {
        entry->name = strdup(name);
        if (entry->name == NULL)
            return -1;
        tally->used += 1;
    }
    *before = entry->count++;
    return 0;
}

void tally_fini(struct tally *tally)
{
    for (size_t i = 0; i < tally->capacity; ++i)
        free(tally->entries[i].name);
    free(tally->entries);
    *tally = (struct tally){0};
}
