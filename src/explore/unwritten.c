#include "explore/unwritten.h"

#include <string.h>

bool unwritten_is_read(struct memory *memory, const struct run_item *item, const struct memory_access *access,
                       uint32_t how)
{
    const struct space_place *parts = &run.places[item->place].parts;
    const uintptr_t from = (uintptr_t)access->at - (uintptr_t)parts->local;

    if (from >= run.space.local_bytes || access->bytes > run.space.local_bytes - from)
        return false;
    if (access->writes && memchr(parts->written + from, 0, access->bytes) != NULL)
        memory_touch(memory, parts->written + from, access->bytes);
    return !space_has_value(&run.space, parts, access->at, access->bytes, how);
}
