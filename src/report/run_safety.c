#include "report/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void run_point_id(const struct run_point *point, char id[RUN_ID_BYTES])
{
    snprintf(id, RUN_ID_BYTES, "%s%s%s", point->line, point->rest[0] != '\0' ? "/" : "", point->rest);
}

void run_point_rest(const struct run_scenario *scenario, const struct run_point *point, char rest[RUN_ID_BYTES])
{
    const size_t length = strlen(scenario->name);
    char id[RUN_ID_BYTES];

    run_point_id(point, id);
    const bool begins = strncmp(id, scenario->name, length) == 0 && id[length] == '/';
    snprintf(rest, RUN_ID_BYTES, "%s", begins ? id + length + 1 : id);
}

bool run_point_passed(const struct run_point *point)
{
    return point->tally->launches > 0 && point->tally->counts[VERDICT_PASS] == point->tally->launches;
}

bool run_point_is_predicted(const struct run_point *point)
{
    return point->batches.expected != 0 || point->whole->some != 0 || point->whole->limited != 0;
}

bool run_point_is_known(const struct run_point *point)
{
    return point->batches.surprise ? point->known == KNOWN_AS_FLAKE
                                   : point->known == KNOWN_AS_FAILURE && point->batches.as_known;
}

bool run_point_is_surprise(const struct run_point *point)
{
    return point->batches.surprise && point->known != KNOWN_AS_FLAKE;
}

bool run_point_is_fixed(const struct run_point *point)
{
    return point->known == KNOWN_AS_FAILURE && !point->batches.as_known && !point->batches.surprise &&
           !run_point_is_void(point);
}

bool run_point_is_void(const struct run_point *point)
{
    const struct verdict_tally *tally = point->tally;
    return tally->counts[VERDICT_UNSUPPORTED] + tally->counts[VERDICT_INCOMPLETE] == tally->launches;
}

/* Groups as a share of the kernel's limit, or of what else makes lines comparable. */
static double share(const struct run_point *point)
{
    if (point == NULL)
        return 0.0;
    return point->batches.resident != 0 ? (double)point->groups / point->batches.resident : (double)point->groups;
}

/* A line that becomes unsafe is worse than one that never does; of two such, the one with the smaller share. */
static bool is_worse(const struct run_point *safe, const struct run_point *unsafe, const struct run_safety *than)
{
    if (than->safe == NULL && than->unsafe == NULL)
        return true;
    if ((unsafe == NULL) != (than->unsafe == NULL))
        return unsafe != NULL;
    return share(safe) < share(than->safe);
}

static const struct run_point *point_at(const struct run_scenario *scenario, uint32_t index)
{
    return index != RUN_NONE ? &scenario->points[index] : NULL;
}

/* The count that a point belongs to. */
static uint32_t *count_of(const struct run_point *point, struct run_safety *safety)
{
    if (run_point_is_void(point))
        return point->tally->counts[VERDICT_INCOMPLETE] > 0 ? &safety->incomplete : &safety->unsupported;
    if (run_point_is_known(point))
        return &safety->known;
    if (point->batches.surprise)
        return &safety->surprises;
    if (batches_undecided(&point->batches))
        return &safety->undecided;
    return run_point_is_predicted(point) ? &safety->right : &safety->unpredicted;
}

static void take_line(const struct run_scenario *scenario, const struct run_line *line, struct run_safety *safety)
{
    const struct run_point *safe = point_at(scenario, line->safe), *unsafe = point_at(scenario, line->unsafe);

    if (!is_worse(safe, unsafe, safety))
        return;
    safety->safe = safe;
    safety->unsafe = unsafe;
    safety->all_safe = safe != NULL && safe->groups == scenario->points[line->largest].groups;
}

void run_lines_safety(const struct run_scenario *scenario, const bool wanted[], struct run_safety *safety)
{
    uint32_t anti_patterns = 0;

    *safety = (struct run_safety){.points = 0};
    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        if (wanted != NULL && !wanted[point->line_index])
            continue;
        safety->points += 1;
        anti_patterns += point->anti_pattern;
        *count_of(point, safety) += 1;
        safety->fixed += run_point_is_fixed(point);
        if (point->form->range.dimensions == 0 && !run_point_is_void(point))
            take_line(scenario, &scenario->lines[point->line_index], safety);
    }
    safety->anti_pattern = anti_patterns > 0 && anti_patterns == safety->points;
}

void run_scenario_safety(const struct run_scenario *scenario, struct run_safety *safety)
{
    run_lines_safety(scenario, NULL, safety);
}

bool run_scenario_has_range(const struct run_scenario *scenario)
{
    return scenario->count > 0 && scenario->points[0].form->range.dimensions != 0;
}

void run_line_shapes(const struct run_scenario *scenario, const struct run_line *line, struct run_shapes *shapes)
{
    *shapes = (struct run_shapes){.fastest = NULL};
    if (scenario->best == NULL)
        return;
    const struct run_line_best *best = &scenario->best[line - scenario->lines];
    *shapes = (struct run_shapes){
        .fastest = point_at(scenario, best->fastest),
        .slowest = point_at(scenario, best->slowest),
        .chosen = point_at(scenario, best->chosen),
        .preferred = point_at(scenario, best->preferred),
        .largest = point_at(scenario, best->largest),
    };
}

/* What shows a fault, in a launch with no more groups than are resident. */
static const verdict_set catches = 1u << VERDICT_STALE | 1u << VERDICT_WRONG | 1u << VERDICT_STARVED |
                                   1u << VERDICT_DEADLOCK | 1u << VERDICT_STALLED | 1u << VERDICT_LIVELOCK;

enum run_mutant run_scenario_mutant(const struct run_scenario *scenario)
{
    static const char prefix[] = "mutant_";
    enum run_mutant found = MUTANT_NOT_TO_BE_SEEN;

    if (strncmp(scenario->name, prefix, sizeof prefix - 1) != 0)
        return MUTANT_NONE;
    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        if (point->batches.resident == 0 || point->groups > point->batches.resident)
            continue;
        if ((point->batches.verdicts & catches) != 0)
            return MUTANT_CAUGHT;
        if (!run_point_is_void(point) && ((point->batches.expected | point->whole->some) & catches) != 0)
            found = MUTANT_MISSED;
    }
    return found;
}

/* A loop that the driver has cut says nothing of the kernel, unless that was what was asked. */
static bool was_measured(const struct run_point *point)
{
    const bool asked = (point->batches.expected & 1u << VERDICT_CUT) != 0;
    return !run_point_is_void(point) && (point->batches.verdict != VERDICT_CUT || asked);
}

enum status run_report_status(const struct run_report *report, verdict_set *verdicts)
{
    bool wedged = false, surprise = false, measured = false;

    *verdicts = 0;
    for (size_t i = 0; i < report->count; ++i) {
        const struct run_device *device = &report->devices[i];
        wedged = wedged || device->stored.wedged;
        for (size_t j = 0; j < device->count; ++j) {
            struct run_safety safety;
            run_scenario_safety(&device->scenarios[j], &safety);
            surprise = surprise || safety.surprises > 0;
            for (size_t k = 0; k < device->scenarios[j].count; ++k) {
                measured = measured || was_measured(&device->scenarios[j].points[k]);
                *verdicts |= device->scenarios[j].points[k].batches.verdicts;
            }
        }
    }
    return wedged ? STATUS_WEDGED : surprise ? STATUS_SURPRISE : measured ? STATUS_OK : STATUS_UNSUPPORTED;
}

void run_print_shortfall(FILE *out, const struct run_point *point, const char *before)
{
    const struct whole *whole = point->whole;
    const uint32_t *counts = point->all->counts;
    char names[256];

    if ((point->batches.shortfall & WHOLE_NONE_CAME) != 0) {
        verdict_set_print(whole->some, names, sizeof names);
        fprintf(out, "%snone of the %" PRIu64 " launches had verdict %s, but at least one should", before,
                whole_launches(counts, whole->some), names);
    }
    if ((point->batches.shortfall & WHOLE_TOO_MANY) != 0) {
        verdict_set_print(whole->limited, names, sizeof names);
        fprintf(out,
                "%s%" PRIu64 " of the %" PRIu64 " launches had verdict %s, but at most %" PRIu32 "/%" PRIu32 " may",
                before, whole_hits(counts, whole->limited), whole_launches(counts, whole->limited), names, whole->most,
                whole->of);
    }
}
