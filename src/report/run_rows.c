#include "report/run.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* Beyond these a table of rows would be no summary. */
enum { LINES_MOST = 200, AXES_MOST = 24 };

/* A part of a line's name, "cl30", "l64" or "order=id": where it is there. */
struct value {
    uint8_t at, length;
};

struct splitting {
    const struct run_scenario *scenario;
    struct value values[LINES_MOST][AXES_MOST];
    size_t axes;
    run_row_taker *take;
    void *context;
};

/* The lines that a row is about. */
struct lines {
    uint8_t index[LINES_MOST];
    size_t count;
};

static const char *text_of(const struct splitting *splitting, size_t line, size_t axis)
{
    return splitting->scenario->lines[line].name + splitting->values[line][axis].at;
}

static bool is_same(const struct splitting *splitting, size_t one, size_t other, size_t axis)
{
    const uint8_t length = splitting->values[one][axis].length;
    return length == splitting->values[other][axis].length &&
           memcmp(text_of(splitting, one, axis), text_of(splitting, other, axis), length) == 0;
}

/* Returns how many there are; 0: it is not a name of this scenario, or there are too many. */
static size_t find_values(const struct run_scenario *scenario, const char *name, struct value values[AXES_MOST])
{
    const size_t begin = strlen(scenario->name) + 1;
    size_t count = 0;

    if (strncmp(name, scenario->name, begin - 1) != 0 || name[begin - 1] != '/' || strlen(name) > UINT8_MAX)
        return 0;
    for (const char *at = name + begin; count < AXES_MOST; ++count) {
        const size_t length = strcspn(at, "/,");
        values[count] = (struct value){(uint8_t)(at - name), (uint8_t)length};
        at += length;
        if (*at++ == '\0')
            return count + 1;
    }
    return 0;
}

/* Its lines can be compared value by value. */
static bool find_all(struct splitting *splitting)
{
    const struct run_scenario *scenario = splitting->scenario;

    if (scenario->line_count < 2 || scenario->line_count > LINES_MOST || run_scenario_has_range(scenario))
        return false;
    for (size_t i = 0; i < scenario->line_count; ++i) {
        const size_t axes = find_values(scenario, scenario->lines[i].name, splitting->values[i]);
        if (axes == 0 || (i > 0 && axes != splitting->axes))
            return false;
        splitting->axes = axes;
    }
    return true;
}

/* --- which lines give different answers --- */

/*
 * Groups as a multiple of the limit, so that lines can be compared whose kernels have different ones. One group more
 * than fits is little more for each of them.
 */
static double reach(const struct run_point *point)
{
    const uint32_t resident = point->batches.resident;
    if (resident == 0)
        return point->groups;
    return point->groups == resident + 1 ? 1.000001 : (double)point->groups / resident;
}

/* That a launch was undecided, or cut by the driver, says nothing of the option. */
static bool failed(const struct run_point *point)
{
    const verdict_set nothing = 1u << VERDICT_INCONCLUSIVE | 1u << VERDICT_CUT;
    return !verdict_is_in(point->batches.verdict, nothing);
}

/* One failed with no more groups than the other passed with. */
static bool is_unsafe_where_safe(const struct run_scenario *scenario, size_t one, size_t other)
{
    const uint32_t unsafe = scenario->lines[one].unsafe, safe = scenario->lines[other].safe;

    return unsafe != RUN_NONE && safe != RUN_NONE && failed(&scenario->points[unsafe]) &&
           reach(&scenario->points[safe]) >= reach(&scenario->points[unsafe]);
}

/* They differ in this axis alone, and in what they came to. */
static bool is_told_apart_by(const struct splitting *splitting, size_t one, size_t other, size_t axis)
{
    for (size_t i = 0; i < splitting->axes; ++i)
        if (is_same(splitting, one, other, i) != (i != axis))
            return false;
    return is_unsafe_where_safe(splitting->scenario, one, other) ||
           is_unsafe_where_safe(splitting->scenario, other, one);
}

static bool changes_answer(const struct splitting *splitting, const struct lines *lines, size_t axis)
{
    for (size_t i = 0; i < lines->count; ++i)
        for (size_t j = 0; j < i; ++j)
            if (is_told_apart_by(splitting, lines->index[i], lines->index[j], axis))
                return true;
    return false;
}

/* --- rows --- */

/* Behind what the label says already: "order=id", "dialect=cl30", "local-size=64". */
static void add_value(const struct splitting *splitting, size_t line, size_t axis, char label[RUN_ID_BYTES])
{
    const char *text = text_of(splitting, line, axis);
    const int length = splitting->values[line][axis].length;
    const char *name = memchr(text, '=', (size_t)length) != NULL ? "" : axis == 0 ? "dialect=" : "local-size=";
    const int skipped = name[0] == 'l' ? 1 : 0; /* of "l64" */

    text_list(label, RUN_ID_BYTES, " ", "%s%.*s", name, length - skipped, text + skipped);
}

static void take_row(const struct splitting *splitting, const struct lines *lines, struct run_row *row)
{
    bool wanted[LINES_MOST] = {false};

    for (size_t i = 0; i < lines->count; ++i)
        wanted[lines->index[i]] = true;
    run_lines_safety(splitting->scenario, wanted, &row->safety);
    splitting->take(splitting->context, row);
}

/* Takes a line with a value of this axis, and all others that have the same, from `left` to `chosen`. */
static void choose(const struct splitting *splitting, struct lines *left, size_t axis, struct lines *chosen)
{
    const size_t first = left->index[0];
    struct lines rest = {.count = 0};

    chosen->count = 0;
    for (size_t i = 0; i < left->count; ++i) {
        struct lines *to = is_same(splitting, first, left->index[i], axis) ? chosen : &rest;
        to->index[to->count++] = left->index[i];
    }
    *left = rest;
}

/*
 * Each value of the first axis that changes the answer has rows of its own. Each call has one axis less to choose from.
 */
static void split(const struct splitting *splitting, const struct lines *lines, const char *label)
{
    struct run_row row;
    size_t axis = 0;

    while (axis < splitting->axes && !changes_answer(splitting, lines, axis))
        ++axis;
    snprintf(row.label, sizeof row.label, "%s", label);
    if (axis == splitting->axes) {
        take_row(splitting, lines, &row);
        return;
    }
    for (struct lines left = *lines, chosen; left.count > 0;) {
        snprintf(row.label, sizeof row.label, "%s", label);
        add_value(splitting, left.index[0], axis, row.label);
        choose(splitting, &left, axis, &chosen);
        split(splitting, &chosen, row.label);
    }
}

void run_scenario_each_row(const struct run_scenario *scenario, run_row_taker *take, void *context)
{
    struct splitting splitting = {.scenario = scenario, .take = take, .context = context};
    struct lines all = {.count = scenario->line_count};
    struct run_row row = {.label = ""};

    if (!find_all(&splitting)) {
        run_scenario_safety(scenario, &row.safety);
        take(context, &row);
        return;
    }
    for (size_t i = 0; i < all.count; ++i)
        all.index[i] = (uint8_t)i;
    split(&splitting, &all, "");
}
