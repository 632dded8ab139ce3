#include "search/residency.h"

#include "base/alloc.h"

#include <stdlib.h>

NAMING_DEFINE(pattern, enum pattern, PATTERN_COUNT, "unknown", "prefix", "strided", "chunked", "scattered");
NAMING_DEFINE(start_order, enum start_order, START_ORDERS, "unknown", "ascending", "descending", "mixed");

struct arrival {
    uint32_t ticket;
    uint32_t group;
};

static int compare_arrivals(const void *left, const void *right)
{
    uint32_t a = ((const struct arrival *)left)->ticket;
    uint32_t b = ((const struct arrival *)right)->ticket;
    return (a > b) - (a < b);
}

/* `ids` ascend. */
static enum pattern classify(const uint32_t *ids, uint32_t count)
{
    bool equal = true, shrinking = true;

    if (count == 0)
        return PATTERN_UNKNOWN;
    if (ids[count - 1] == count - 1)
        return PATTERN_PREFIX;
    if (ids[0] != 0 || count == 1)
        return PATTERN_SCATTERED;
    for (uint32_t i = 2; i < count; ++i) {
        uint32_t distance = ids[i] - ids[i - 1];
        uint32_t before = ids[i - 1] - ids[i - 2];
        equal = equal && distance == before;
        shrinking = shrinking && distance <= before;
    }
    if (equal)
        return PATTERN_STRIDED;
    return shrinking ? PATTERN_CHUNKED : PATTERN_SCATTERED;
}

static enum start_order order_of(const uint32_t *ids, uint32_t count)
{
    uint32_t rises = 0;

    if (count == 0)
        return START_UNKNOWN;
    for (uint32_t i = 1; i < count; ++i)
        rises += ids[i] > ids[i - 1];
    if (rises == count - 1)
        return START_ASCENDING;
    return rises == 0 ? START_DESCENDING : START_MIXED;
}

/* `ids` ascend. */
static void take_ranges(struct residency *residency)
{
    for (uint32_t i = 0; i < residency->count; ++i) {
        const uint32_t id = residency->ids[i];
        if (i > 0 && residency->ids[i - 1] + 1 == id)
            residency->ranges[residency->range_count - 1].last = id;
        else
            residency->ranges[residency->range_count++] = (struct id_range){id, id};
    }
}

void residency_read(const struct board *board, struct residency *residency)
{
    uint32_t count = 0;
    struct arrival *arrivals = xcalloc(board->groups + (size_t)1, sizeof *arrivals);
    uint32_t *ids = xcalloc(board->groups + (size_t)1, sizeof *ids);
    struct id_range *ranges = xcalloc(board->groups + (size_t)1, sizeof *ranges);

    *residency = (struct residency){.ids = ids, .ranges = ranges};
    for (uint32_t group = 0; group < board->groups; ++group)
        if (board_entry(board, group, GL_COUNTED)) {
            ids[count] = group;
            arrivals[count++] = (struct arrival){board_entry(board, group, GL_TICKET), group};
        }
    residency->count = count;
    residency->pattern = classify(ids, count);
    take_ranges(residency);
    qsort(arrivals, count, sizeof *arrivals, compare_arrivals);
    for (uint32_t i = 0; i < count; ++i)
        ids[i] = arrivals[i].group;
    residency->order = order_of(ids, count);
    free(arrivals);
}

void residency_fini(struct residency *residency)
{
    free(residency->ids);
    free(residency->ranges);
    residency->ids = NULL;
    residency->ranges = NULL;
}
