#include "search/search_points.h"

static bool passed(const struct search *search, const struct point *point)
{
    if (search->device.loops_cut_at != 0)
        return point->passes > 0; /* a failure refutes nothing there: the wait may have been cut */
    return point->passes > 0 && point->passes + point->failures.failed == point->launches &&
           point->failures.in_a_row == 0;
}

const struct point *search_smallest_failure(const struct search *search)
{
    const struct point *found = NULL;
    for (uint32_t i = 0; i < search->point_count; ++i) {
        const struct point *point = &search->points[i];
        if (!passed(search, point) && (found == NULL || point->groups < found->groups))
            found = point;
    }
    return found;
}

const struct point *search_largest_pass(const struct search *search, const struct point *failure)
{
    const struct point *found = NULL;
    for (uint32_t i = 0; i < search->point_count; ++i) {
        const struct point *point = &search->points[i];
        if (passed(search, point) && (failure == NULL || point->groups < failure->groups) &&
            (found == NULL || point->groups > found->groups))
            found = point;
    }
    return found;
}

uint32_t search_proven(const struct trial *trial, const struct observation *observation)
{
    const enum verdict verdict = verdict_judge(trial, observation);
    if (verdict == VERDICT_PASS && trial->act == ACT_BARRIER)
        return trial->groups;
    return verdict_is_stall(verdict) ? observation->waiting : 0;
}

uint32_t search_most_proven(const struct search *search)
{
    return search->counted > search->proven ? search->counted : search->proven;
}
