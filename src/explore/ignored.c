#include "explore/ignored.h"

static bool is_of(const struct explore_ignored *ignored, const struct explored_object *object)
{
    return ignored->argument == EXPLORE_VARIABLES
               ? object->kind == OBJECT_VARIABLES
               : object->kind == OBJECT_ARGUMENT && object->number == ignored->argument;
}

size_t ignored_find(const struct explore_bounds *bounds, const struct explored *explored,
                    struct machine_region regions[EXPLORE_IGNORED])
{
    size_t count = 0;

    for (uint32_t i = 0; i < bounds->ignored_count; ++i)
        for (uint32_t object = 0; object < explored->object_count; ++object) {
            const struct explored_object *found = &explored->objects[object];
            const struct explore_ignored *ignored = &bounds->ignored[i];
            const uint64_t bytes = ignored->bytes == UINT64_MAX ? found->bytes : ignored->bytes;
            if (!is_of(ignored, found) || ignored->offset > found->bytes || bytes > found->bytes - ignored->offset)
                continue;
            regions[count++] = (struct machine_region){
                .base = (void *)(uintptr_t)(found->base + ignored->offset), // NOLINT(performance-no-int-to-ptr)
                .bytes = bytes};
            break;
        }
    return count;
}

struct machine_region ignored_find_notes(const struct explored *explored)
{
    for (uint32_t i = 0; i < explored->object_count; ++i)
        if (explored->objects[i].kind == OBJECT_ARGUMENT && explored->objects[i].number == 0)
            return (struct machine_region){
                .base = (void *)(uintptr_t)explored->objects[i].base, // NOLINT(performance-no-int-to-ptr)
                .bytes = explored->objects[i].bytes};
    return (struct machine_region){.bytes = 0};
}
