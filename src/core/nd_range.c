#include "core/nd_range.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL_MOST = 1 << 16 };

static bool parse_driver(const char *text, struct nd_range *range)
{
    static const char prefix[] = "driver-";
    const size_t length = sizeof prefix - 1;
    if (strncmp(text, prefix, length) != 0 || text[length] < '1' || text[length] > '3' ||
        strcmp(text + length + 1, "d") != 0)
        return false;
    *range = (struct nd_range){.dimensions = (uint32_t)(text[length] - '0')};
    return true;
}

bool nd_range_parse_shape(const char *text, struct nd_range *range)
{
    struct nd_range parsed = {.local = {1, 1, 1}};
    uint64_t size = 1;

    if (parse_driver(text, range))
        return true;
    for (const char *at = text;; ++at) {
        char *end;
        /* No zero in front: 064 would be another value of a sweep and have the same id as 64. */
        if (parsed.dimensions == 3 || *at < '1' || *at > '9' || strspn(at, "0123456789") > 5)
            return false;
        const unsigned long local = strtoul(at, &end, 10);
        if (local > LOCAL_MOST || (size *= local) > LOCAL_MOST)
            return false;
        parsed.local[parsed.dimensions++] = (uint32_t)local;
        at = end;
        if (*at == '\0')
            break;
        if (*at != 'x')
            return false;
    }
    *range = parsed;
    return true;
}

void nd_range_print_shape(const struct nd_range *range, char text[SHAPE_BYTES])
{
    if (range->local[0] == 0) {
        snprintf(text, SHAPE_BYTES, "driver-%" PRIu32 "d", range->dimensions);
        return;
    }
    text[0] = '\0';
    for (uint32_t i = 0; i < range->dimensions; ++i)
        text_list(text, SHAPE_BYTES, "x", "%" PRIu32, range->local[i]);
}

uint64_t nd_range_local_size(const struct nd_range *range)
{
    uint64_t size = 1;
    for (uint32_t i = 0; i < range->dimensions && range->local[i] != 0; ++i)
        size *= range->local[i];
    return size;
}

static uint32_t in_dimension(const struct nd_range *shape, uint32_t dimension)
{
    return dimension < shape->dimensions && shape->local[dimension] != 0 ? shape->local[dimension] : 1;
}

struct nd_range nd_range_of_groups(const struct nd_range *groups, const struct nd_range *shape)
{
    struct nd_range range = {.dimensions =
                                 groups->dimensions > shape->dimensions ? groups->dimensions : shape->dimensions};

    for (uint32_t i = 0; i < 3; ++i) {
        range.local[i] = in_dimension(shape, i);
        range.global[i] = (uint64_t)in_dimension(groups, i) * range.local[i];
        range.offset[i] = groups->offset[i];
    }
    return range;
}

struct nd_range nd_range_groups(const struct nd_range *range)
{
    struct nd_range groups = {.dimensions = 1, .local = {1, 1, 1}};

    for (uint32_t i = 0; i < range->dimensions; ++i) {
        const uint32_t local = in_dimension(range, i);
        groups.local[i] = (uint32_t)(range->global[i] / local + (range->global[i] % local != 0));
        groups.offset[i] = range->offset[i];
        if (groups.local[i] > 1)
            groups.dimensions = i + 1;
    }
    return groups;
}

bool nd_range_groups_in_row(const struct nd_range *groups)
{
    return in_dimension(groups, 1) == 1 && in_dimension(groups, 2) == 1 && groups->offset[0] == 0 &&
           groups->offset[1] == 0 && groups->offset[2] == 0;
}

bool nd_range_cover(struct nd_range *range, const uint64_t extents[3], bool padded)
{
    uint64_t items = 1;

    for (uint32_t i = 0; i < 3; ++i)
        range->global[i] = 1;
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t dimension = i < range->dimensions ? i : range->dimensions - 1;
        if (__builtin_mul_overflow(range->global[dimension], extents[i], &range->global[dimension]))
            return false;
    }
    for (uint32_t i = 0; i < range->dimensions; ++i) {
        const uint64_t local = range->local[i];
        if (padded && local != 0 &&
            __builtin_mul_overflow(range->global[i] / local + (range->global[i] % local != 0), local,
                                   &range->global[i]))
            return false;
        if (__builtin_mul_overflow(items, range->global[i], &items))
            return false;
    }
    return items > 0 && items <= UINT32_MAX;
}
