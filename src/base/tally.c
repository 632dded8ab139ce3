#include "base/tally.h"

#include <string.h>

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

uint32_t tally_count(struct tally *tally, const char *name)
{
    return (*intern_number(intern_text(&tally->names, name)))++;
}

void tally_fini(struct tally *tally)
{
    intern_fini(&tally->names);
}
