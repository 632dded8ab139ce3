#include "report/run_points.h"

#include "base/alloc.h"

#include <stdlib.h>

/* The line of a point; lines of other scenarios may have taken the number that the pool keeps. */
static struct run_line *line_of(struct run_scenario *scenario, const struct run_point *point)
{
    uint32_t *number = intern_number(point->line);

    if (*number < scenario->line_count && scenario->lines[*number].name == point->line)
        return &scenario->lines[*number];
    for (size_t i = 0; *number != 0 && i < scenario->line_count; ++i)
        if (scenario->lines[i].name == point->line)
            return &scenario->lines[i];
    GROW(scenario->lines, scenario->line_count);
    *number = (uint32_t)scenario->line_count++;
    scenario->lines[*number] = (struct run_line){point->line, RUN_NONE, RUN_NONE, RUN_NONE};
    return &scenario->lines[*number];
}

static void take_faster(const struct run_scenario *scenario, uint32_t *fastest, uint32_t index)
{
    if (*fastest == RUN_NONE || scenario->points[index].fastest_ns < scenario->points[*fastest].fastest_ns)
        *fastest = index;
}

static void compare_shape(const struct run_scenario *scenario, struct run_line_best *best, uint32_t index)
{
    const struct run_point *point = &scenario->points[index];
    const struct run_form *form = point->form;

    if (point->fastest_ns == 0)
        return;
    take_faster(scenario, &best->fastest, index);
    if (best->slowest == RUN_NONE || point->fastest_ns > scenario->points[best->slowest].fastest_ns)
        best->slowest = index;
    if (form->range.local[0] == 0)
        take_faster(scenario, &best->chosen, index);
    else if (form->facts.multiple_items != 0 && point->local_size % form->facts.multiple_items == 0)
        take_faster(scenario, &best->preferred, index);
    if (form->range.local[0] != 0 && point->local_size == form->facts.most_items)
        take_faster(scenario, &best->largest, index);
}

/* The line's first unsafe point, and its largest one. */
static void take_unsafe(const struct run_scenario *scenario, struct run_line *line, uint32_t index)
{
    const struct run_point *point = &scenario->points[index];
    if (line->largest == RUN_NONE || point->groups > scenario->points[line->largest].groups)
        line->largest = index;
    if (!run_point_is_void(point) && !run_point_passed(point) &&
        (line->unsafe == RUN_NONE || point->groups < scenario->points[line->unsafe].groups))
        line->unsafe = index;
}

/* The last safe one below it. */
static void take_safe(const struct run_scenario *scenario, struct run_line *line, uint32_t index)
{
    const struct run_point *point = &scenario->points[index];
    if (run_point_passed(point) &&
        (line->unsafe == RUN_NONE || point->groups < scenario->points[line->unsafe].groups) &&
        (line->safe == RUN_NONE || point->groups > scenario->points[line->safe].groups))
        line->safe = index;
}

static void compare_shapes(struct run_scenario *scenario)
{
    const struct run_line_best none = {RUN_NONE, RUN_NONE, RUN_NONE, RUN_NONE, RUN_NONE};

    if (!run_scenario_has_range(scenario) || scenario->line_count == 0)
        return;
    struct run_line_best *best = scenario->best = xrealloc(scenario->best, scenario->line_count * sizeof *best);
    for (size_t i = 0; i < scenario->line_count; ++i)
        best[i] = none;
    for (size_t i = 0; i < scenario->count; ++i)
        compare_shape(scenario, &best[scenario->points[i].line_index], (uint32_t)i);
}

void run_lines_judge(struct run_scenario *scenario)
{
    for (size_t i = 0; i < scenario->line_count; ++i)
        *intern_number(scenario->lines[i].name) = 0;
    scenario->line_count = 0;
    for (size_t i = 0; i < scenario->count; ++i) {
        struct run_line *line = line_of(scenario, &scenario->points[i]);
        scenario->points[i].line_index = (uint32_t)(line - scenario->lines);
        take_unsafe(scenario, line, (uint32_t)i);
    }
    for (size_t i = 0; i < scenario->count; ++i)
        take_safe(scenario, &scenario->lines[scenario->points[i].line_index], (uint32_t)i);
    compare_shapes(scenario);
}
