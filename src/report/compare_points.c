#include "report/compare_points.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- what changed --- */

static bool is_one(verdict_set set)
{
    return set != 0 && (set & (set - 1)) == 0;
}

static const verdict_set passes = UINT32_C(1) << VERDICT_PASS;

static enum change change_of_promise(const struct seen_point *before, const struct seen_point *after)
{
    const verdict_set holds = UINT32_C(1) << KEEPING_KEPT | UINT32_C(1) << KEEPING_EXCEEDED;

    if (after->surprise)
        return CHANGE_REGRESSION;
    return before->surprise && (after->seen & holds) != 0 ? CHANGE_FIX : CHANGE_OTHER;
}

/* A fault that was put there is to be noticed: it is a loss that all launches pass. */
static enum change change_of_seeded(const struct seen_point *before, const struct seen_point *after)
{
    if ((before->seen == passes) == (after->seen == passes))
        return CHANGE_OTHER;
    return after->seen == passes ? CHANGE_REGRESSION : CHANGE_FIX;
}

static enum change change_of(const struct seen_point *before, const struct seen_point *after)
{
    if (after->naming == &keeping_naming)
        return change_of_promise(before, after);
    if (before->surprise != after->surprise)
        return after->surprise ? CHANGE_REGRESSION : CHANGE_FIX;
    if (after->seeded)
        return change_of_seeded(before, after);
    if (before->seen == passes && (after->seen & passes) == 0)
        return CHANGE_REGRESSION;
    if (after->seen == passes && (before->seen & passes) == 0)
        return CHANGE_FIX;
    return is_one(before->seen) && !is_one(after->seen) ? CHANGE_FLAKY : CHANGE_OTHER;
}

static bool same_outcome(const struct seen_point *a, const struct seen_point *b)
{
    return a->seen == b->seen && a->surprise == b->surprise;
}

/* --- what follows from a limit --- */

/* Are `a` groups fewer multiples of the one limit than `b` are of the other (-1), as many (0), or more? */
static int compare_multiples(uint32_t a, uint32_t of_a, uint32_t b, uint32_t of_b)
{
    const uint64_t one = (uint64_t)a * of_b, other = (uint64_t)b * of_a;
    return one < other ? -1 : one > other;
}

/*
 * In multiples of the limit the other run came to the same: at this one, or at the next ones below and above of those
 * that fit likewise.
 */
static bool same_in_multiples(const struct seen_point *point, uint32_t resident, const struct seen_line *other)
{
    const struct seen_point *below = NULL, *above = NULL;

    assert(other->points != NULL || other->count == 0);
    for (size_t i = 0; i < other->count; ++i) {
        const struct seen_point *at = &other->points[i];
        if ((at->groups <= other->resident) != (point->groups <= resident))
            continue;
        const int order = compare_multiples(at->groups, other->resident, point->groups, resident);
        if (order <= 0 && (below == NULL || at->groups > below->groups))
            below = at;
        if (order >= 0 && (above == NULL || at->groups < above->groups))
            above = at;
    }
    return (below != NULL || above != NULL) && (below == NULL || same_outcome(below, point)) &&
           (above == NULL || same_outcome(above, point));
}

/* Each came as its own limit predicts, which is not the same. */
static bool both_as_predicted(const struct seen_point *before, const struct seen_point *after)
{
    return before->predicted && after->predicted && !before->surprise && !after->surprise &&
           before->expected != after->expected;
}

/*
 * Points of a line whose limit moved; one of the two may be NULL. The limit says which numbers of groups are tried,
 * too, so one that is in one run alone and came as predicted there is explained.
 */
static bool follows(const struct seen_line *old, const struct seen_line *new, const struct seen_point *before,
                    const struct seen_point *after)
{
    const struct seen_point *only = before == NULL ? after : after == NULL ? before : NULL;

    if (only != NULL ? only->predicted && !only->surprise : both_as_predicted(before, after))
        return true;
    return (after == NULL || same_in_multiples(after, new->resident, old)) &&
           (before == NULL || same_in_multiples(before, old->resident, new));
}

/* Limits that moved in the same way have one place. */
static size_t find_cause(struct compare_device *device, uint32_t before, uint32_t after)
{
    for (size_t i = 0; i < device->cause_count; ++i)
        if (device->causes[i].before == before && device->causes[i].after == after)
            return i;
    GROW(device->causes, device->cause_count);
    device->causes[device->cause_count] = (struct compare_cause){.before = before, .after = after};
    return device->cause_count++;
}

static size_t add_limit(struct compare_device *device, const struct seen_line *old, const struct seen_line *new)
{
    const struct seen_point *point = new->points;
    const size_t cause = find_cause(device, old->resident, new->resident);

    device->causes[cause].limits += 1;
    GROW(device->limits, device->limit_count);
    device->limits[device->limit_count++] = (struct compare_limit){
        .line = xstrdup(seen_line_of(point)),
        .before = old->resident,
        .after = new->resident,
        .cause = cause,
        .alone = point->line == NULL &&same_outcome(old->points, point),
    };
    return cause;
}

/* --- points --- */

static void add_point(struct compare_device *device, const struct seen_point *before, const struct seen_point *after,
                      enum change change, size_t cause)
{
    const struct seen_point *point = after != NULL ? after : before;

    GROW(device->points, device->point_count);
    device->points[device->point_count++] = (struct compare_point){
        .id = xstrdup(point->id),
        .naming = point->naming,
        .before = before != NULL ? before->seen : 0,
        .after = after != NULL ? after->seen : 0,
        .expected = point->expected,
        .change = change,
        .surprise = after != NULL && after->surprise,
        .publication = point->publication,
        .cause = cause,
    };
    if (cause != COMPARE_NO_CAUSE)
        device->causes[cause].points += 1;
}

/* A footprint that was measured and is not any more is a loss: what the driver allows no longer is not tried. */
static enum change change_of_gone(const struct compare_device *device, const struct seen_point *before)
{
    const bool measured = before->line == NULL && before->naming == &verdict_naming && before->seen == passes;
    return measured && device->whole ? CHANGE_REGRESSION : CHANGE_GONE;
}

/* `cause`: by which the line's limit moved. One of the points may be NULL. */
static void compare_point(struct compare_device *device, const struct seen_line *old, const struct seen_line *new,
                          const struct seen_point *before, const struct seen_point *after, size_t cause)
{
    assert(before != NULL || after != NULL);
    if (before != NULL && after != NULL && same_outcome(before, after)) {
        device->same += before->line != NULL || cause == COMPARE_NO_CAUSE;
        return;
    }
    if (cause != COMPARE_NO_CAUSE && !follows(old, new, before, after))
        cause = COMPARE_NO_CAUSE;
    enum change change = after == NULL    ? change_of_gone(device, before)
                         : before == NULL ? CHANGE_NEW
                                          : change_of(before, after);
    const bool fell = cause != COMPARE_NO_CAUSE && new->resident < old->resident;
    if (change == CHANGE_REGRESSION && cause != COMPARE_NO_CAUSE && !fell)
        change = CHANGE_OTHER;
    add_point(device, before, after, change, cause);
}

/* What is undecided of a promise has no amount. */
static bool has_moved(const struct seen_line *old, const struct seen_line *new)
{
    const bool promise = new->count > 0 && new->points->naming == &keeping_naming;

    return old->count > 0 && new->count > 0 && old->resident != new->resident &&
           !(promise && (old->resident == 0 || new->resident == 0));
}

/* Its points are those from `begun` on. */
static void add_line(struct compare_device *device, const struct seen_line *old, const struct seen_line *new,
                     size_t begun)
{
    struct compare_line line = {.before = old->resident, .after = has_moved(old, new) ? new->resident : old->resident};

    for (size_t i = device->point_count; i > begun; --i)
        if (device->points[i - 1].change == CHANGE_REGRESSION) {
            line.worse += 1;
            line.first = i - 1;
        }
    if ((old->count == 0 || new->count == 0) && line.worse == 0)
        return;
    GROW(device->lines, device->line_count);
    line.name = xstrdup(seen_line_of(old->points));
    device->lines[device->line_count++] = line;
}

static void compare_lines(struct compare_device *device, const struct seen_line *old, const struct seen_line *new)
{
    size_t before = 0, after = 0;
    const size_t cause = has_moved(old, new) ? add_limit(device, old, new) : COMPARE_NO_CAUSE;
    const size_t begun = device->point_count;

    while (before < old->count || after < new->count) {
        const struct seen_point *then = before < old->count ? &old->points[before] : NULL;
        const struct seen_point *now = after < new->count ? &new->points[after] : NULL;
        const int order = then == NULL ? 1 : now == NULL ? -1 : strcmp(then->id, now->id);
        compare_point(device, old, new, order <= 0 ? then : NULL, order >= 0 ? now : NULL, cause);
        before += order <= 0;
        after += order >= 0;
    }
    add_line(device, old, new, begun);
}

void compare_points(struct compare_device *device, const struct seen_device *before, const struct seen_device *after)
{
    size_t at_old = 0, at_new = 0;

    while (at_old < before->count || at_new < after->count) {
        struct seen_line old = {.count = 0}, new = {.count = 0};
        if (at_old < before->count)
            old = seen_line_at(before, at_old);
        if (at_new < after->count)
            new = seen_line_at(after, at_new);
        const int order = old.count == 0   ? 1
                          : new.count == 0 ? -1
                                           : strcmp(seen_line_of(old.points), seen_line_of(new.points));
        if (order < 0)
            new = (struct seen_line){.count = 0};
        if (order > 0)
            old = (struct seen_line){.count = 0};
        compare_lines(device, &old, &new);
        at_old += old.count;
        at_new += new.count;
    }
}

/* --- what it comes to --- */

struct compare_counts compare_count(const struct compare_device *device)
{
    struct compare_counts counts = {.same = device->same};

    for (size_t i = 0; i < device->point_count; ++i) {
        const struct compare_point *point = &device->points[i];
        counts.follow += point->cause != COMPARE_NO_CAUSE;
        if (point->after == 0)
            counts.missing += 1;
        else if (point->before == 0)
            counts.new += 1;
        else if (point->change == CHANGE_REGRESSION)
            counts.worse += 1;
        else if (point->change == CHANGE_FIX)
            counts.better += 1;
        else
            counts.changed += 1;
    }
    for (size_t i = 0; i < device->limit_count; ++i)
        if (device->limits[i].alone && device->limits[i].after < device->limits[i].before)
            counts.worse += 1;
        else if (device->limits[i].alone)
            counts.better += 1;
    return counts;
}
