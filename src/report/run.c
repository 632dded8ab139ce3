#include "report/run.h"

#include "report/prediction.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

struct reading {
    struct run_device *device;
    struct error *error;
};

static int no_memory(struct error *error)
{
    return error_set(error, STATUS_HARNESS, "no memory for a point of the report");
}

/* Room for one more of an array; NULL: memory is short. */
static void *grow(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    const size_t larger = *capacity == 0 ? 16 : 2 * *capacity;
    items = realloc(items, larger * size);
    if (items != NULL)
        *capacity = larger;
    return items;
}

static struct run_scenario *scenario_of(struct run_device *device, const struct store_trial *stored)
{
    const char *name = stored->trial.work.scenario;
    for (size_t i = device->count; i > 0; --i)
        if (strcmp(device->scenarios[i - 1].name, name) == 0)
            return &device->scenarios[i - 1];
    struct run_scenario *scenarios = realloc(device->scenarios, (device->count + 1) * sizeof *scenarios);
    if (scenarios == NULL)
        return NULL;
    device->scenarios = scenarios;
    struct run_scenario *scenario = &scenarios[device->count++];
    *scenario = (struct run_scenario){.position = stored->prediction.position};
    snprintf(scenario->name, sizeof scenario->name, "%s", name);
    return scenario;
}

/* ".../g3-live#7": line, the rest behind the last slash, and sequence. */
struct name {
    const char *line, *rest;
    uint32_t sequence;
};

static int split_name(struct run_device *device, const char *stored, struct name *name)
{
    char line[RUN_ID_BYTES], *rest = "";

    snprintf(line, sizeof line, "%s", stored);
    char *hash = strrchr(line, '#');
    name->sequence = hash != NULL ? (uint32_t)strtoul(hash + 1, NULL, 10) : 0;
    if (hash != NULL)
        *hash = '\0';
    char *slash = strrchr(line, '/');
    if (slash != NULL) {
        *slash = '\0';
        rest = slash + 1;
    }
    name->line = intern_text(&device->pool, line);
    name->rest = intern_text(&device->pool, rest);
    return name->line != NULL && name->rest != NULL ? 0 : -1;
}

/* The pool gives equal texts one address. */
static size_t slot_of(const struct run_scenario *scenario, const char *line, const char *rest)
{
    const uint64_t mixed = ((uint64_t)(uintptr_t)line * 31 + (uint64_t)(uintptr_t)rest) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(mixed >> 32) & (scenario->slot_count - 1);
    for (; scenario->slots[at] != 0; at = (at + 1) & (scenario->slot_count - 1)) {
        const struct run_point *point = &scenario->points[scenario->slots[at] - 1];
        if (point->line == line && point->rest == rest)
            break;
    }
    return at;
}

static int make_slots(struct run_scenario *scenario, size_t slot_count)
{
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (slots == NULL)
        return -1;
    free(scenario->slots);
    scenario->slots = slots;
    scenario->slot_count = slot_count;
    for (size_t i = 0; i < scenario->count; ++i)
        slots[slot_of(scenario, scenario->points[i].line, scenario->points[i].rest)] = (uint32_t)i + 1;
    return 0;
}

static struct run_point *point_of(struct run_scenario *scenario, const struct name *name)
{
    if (2 * scenario->count >= scenario->slot_count &&
        make_slots(scenario, scenario->slot_count == 0 ? 32 : 2 * scenario->slot_count) != 0)
        return NULL;
    const size_t slot = slot_of(scenario, name->line, name->rest);
    if (scenario->slots[slot] != 0)
        return &scenario->points[scenario->slots[slot] - 1];
    struct run_point *points = grow(scenario->points, scenario->count, &scenario->capacity, sizeof *points);
    if (points == NULL)
        return NULL;
    scenario->points = points;
    points[scenario->count] = (struct run_point){.line = name->line, .rest = name->rest};
    scenario->slots[slot] = (uint32_t)++scenario->count;
    return &points[scenario->count - 1];
}

static void take_launch(const struct run_device *device, struct run_point *point, struct run_tally *tally,
                        const struct expected *expected, const struct store_launch *launch,
                        const struct store_launch **counts)
{
    const enum verdict verdict = launch->verdict;
    const bool surprise =
        expected_is_surprise(expected, verdict, launch->cause, device->stored.probe.loops_cut_at != 0);
    const uint64_t host_ns = launch->observation.duration_ns;
    const uint64_t device_ns = launch->observation.device_ns;
    /* Events that say that a launch took longer than from its begin to its end are not believed. */
    const uint64_t lasted_ns = device_ns != 0 && device_ns <= host_ns ? device_ns : host_ns;

    if (tally->launches == 0 || (point->verdict == VERDICT_PASS && verdict != VERDICT_PASS) ||
        (surprise && !point->surprise)) {
        point->verdict = verdict;
        *counts = launch;
    }
    point->surprise = point->surprise || surprise;
    point->surprise_decided = point->surprise_decided || (surprise && verdict != VERDICT_INCONCLUSIVE);
    point->as_known = point->as_known || verdict_is_in(verdict, expected->tolerated);
    tally->launches += 1;
    tally->counts[verdict] += 1;
    if (verdict == VERDICT_PASS && (point->fastest_ns == 0 || lasted_ns < point->fastest_ns))
        point->fastest_ns = lasted_ns;
    if (verdict == VERDICT_PASS && (point->fastest_host_ns == 0 || host_ns < point->fastest_host_ns))
        point->fastest_host_ns = host_ns;
}

/* Equal structs must have equal bytes, those between their members included. */
static void fill_seen(struct run_seen *seen, const struct store_trial *stored, cause_set causes,
                      const struct store_launch *launch)
{
    memset(seen, 0, sizeof *seen);
    seen->checks = stored->trial.work.checks;
    seen->expected_causes = causes;
    seen->waitfor = (struct waitfor)WAITFOR_NOTHING;
    if (launch == NULL)
        return;
    const struct observation *observation = &launch->observation;
    seen->cause = launch->cause;
    seen->board_read = observation->board_read;
    seen->started = observation->started;
    seen->waiting = observation->waiting;
    seen->done = observation->done;
    seen->witnesses = observation->witnesses;
    seen->checked = observation->checked;
    seen->stale = observation->stale;
    seen->wrong = observation->wrong;
    seen->differing = observation->differing;
    seen->bad_result = observation->bad_result;
    seen->bad_at = observation->bad_at;
    seen->bad_wanted = observation->bad_wanted;
    seen->bad_got = observation->bad_got;
    seen->waitfor = observation->waitfor;
}

static void fill_form(struct run_form *form, const struct store_trial *stored, const struct observation *observation)
{
    memset(form, 0, sizeof *form);
    form->range = stored->trial.work.range;
    form->most_items = stored->most_items;
    form->multiple_items = stored->multiple_items;
    if (observation == NULL)
        return;
    memcpy(form->took, observation->shape, sizeof form->took);
    form->launched = observation->launched;
}

/* Makes the point what this trial says of it. */
static int fill_point(struct run_device *device, struct run_point *point, const struct store_trial *stored,
                      struct error *error)
{
    const struct store_launch *counts = NULL;
    struct expected expected;
    struct run_tally tally = {0};
    struct run_seen seen;
    struct run_form form;

    if (prediction_read(stored, &expected, error) != 0)
        return -1;
    point->expected = expected.verdicts;
    for (uint32_t i = 0; i < stored->count; ++i)
        take_launch(device, point, &tally, &expected, &stored->launches[i], &counts);
    if (!stored->ended) {
        point->verdict = VERDICT_INCOMPLETE;
        tally.launches = tally.counts[VERDICT_INCOMPLETE] = 1;
    }
    fill_seen(&seen, stored, expected.causes, counts);
    fill_form(&form, stored, counts != NULL ? &counts->observation : NULL);
    point->tally = intern_bytes(&device->pool, &tally, sizeof tally);
    point->seen = intern_bytes(&device->pool, &seen, sizeof seen);
    point->form = intern_bytes(&device->pool, &form, sizeof form);
    point->note = intern_text(&device->pool, stored->note);
    return point->tally != NULL && point->seen != NULL && point->form != NULL && point->note != NULL ? 0
                                                                                                     : no_memory(error);
}

static bool is_undecided(const struct run_point *batch)
{
    return batch->surprise && !batch->surprise_decided;
}

/* How many batches surprised; that one was undecided says nothing beside one that was not. */
static uint32_t surprising_batches(const struct run_point *point, const struct run_point *batch)
{
    if (is_undecided(point) && !is_undecided(batch))
        return batch->surprise;
    if (!is_undecided(point) && is_undecided(batch))
        return point->surprising_batches;
    return point->surprising_batches + batch->surprise;
}

/*
 * Of several batches the last one counts, unless another one surprised: that is not undone by a better one. In a merged
 * file the last batch need not be the last that is read.
 */
static void add_batch(struct run_point *point, struct run_point *batch)
{
    const bool later = batch->surprise_decided != point->surprise_decided ? batch->surprise_decided
                                                                          : batch->sequence >= point->sequence;
    const bool first = point->tally == NULL;
    struct run_point *counts = first || later ? batch : point;
    const uint32_t surprising = first ? batch->surprise : surprising_batches(point, batch);

    counts->duration_ns = point->duration_ns + batch->duration_ns;
    counts->batches = point->batches + 1;
    counts->surprising_batches = surprising;
    *point = *counts;
}

static int take_batch(struct run_device *device, struct run_scenario *scenario, const struct store_trial *stored,
                      struct error *error)
{
    struct name name;

    if (split_name(device, stored->name, &name) != 0)
        return no_memory(error);
    struct run_point batch = {
        .line = name.line,
        .rest = name.rest,
        .duration_ns = stored->duration_ns,
        .position = stored->prediction.position,
        .sequence = name.sequence,
        .groups = stored->trial.groups,
        .local_size = stored->trial.footprint.local_size,
        .resident = stored->prediction.resident,
        .verdict = VERDICT_NOT_RUN,
        .known_failure = strcmp(stored->prediction.known, "failure") == 0,
        .known_flake = strcmp(stored->prediction.known, "flake") == 0,
    };
    if (fill_point(device, &batch, stored, error) != 0)
        return -1;
    struct run_point *point = point_of(scenario, &name);
    if (point == NULL)
        return no_memory(error);
    add_batch(point, &batch);
    scenario->changed = true;
    return 0;
}

static int take_trial(void *context, const struct store_trial *stored)
{
    struct reading *reading = context;
    struct run_device *device = reading->device;

    if (stored->trial.estimator == ESTIMATOR_PROGRESS) {
        device->last_trial = stored->id;
        return 0;
    }
    struct run_scenario *scenario = scenario_of(device, stored);
    if (scenario == NULL)
        return no_memory(reading->error);
    if (stored->trial.estimator == ESTIMATOR_WORK && take_batch(device, scenario, stored, reading->error) != 0)
        return -1;
    if (stored->prediction.position < scenario->position)
        scenario->position = stored->prediction.position;
    scenario->duration_ns += stored->duration_ns;
    device->last_trial = stored->id;
    device->trials += 1;
    device->launches += stored->count;
    return 0;
}

/* What devices are added to. */
struct list_reading {
    struct run_report *report;
    struct error *error;
};

static int take_device(void *context, const struct store_device *stored)
{
    struct list_reading *reading = context;
    struct run_report *report = reading->report;

    for (size_t i = 0; i < report->count; ++i)
        if (report->devices[i].stored.id == stored->id) {
            report->devices[i].stored.wedged = stored->wedged;
            return 0;
        }
    struct run_device *devices = realloc(report->devices, (report->count + 1) * sizeof *devices);
    if (devices == NULL)
        return error_set(reading->error, STATUS_HARNESS, "no memory for a device of the report");
    report->devices = devices;
    devices[report->count++] = (struct run_device){.stored = *stored};
    return 0;
}

/* --- order --- */

static int compare_points(const struct run_point *a, const struct run_point *b)
{
    char one[RUN_ID_BYTES], other[RUN_ID_BYTES];

    if (a->position != b->position)
        return a->position < b->position ? -1 : 1;
    run_point_id(a, one);
    run_point_id(b, other);
    return strcmp(one, other);
}

static int compare_indexes(const void *a, const void *b, void *context)
{
    const struct run_point *points = context;
    return compare_points(&points[*(const uint32_t *)a], &points[*(const uint32_t *)b]);
}

/* Moves each point to its place; order[i] says which one belongs at i. */
static void permute(struct run_point *points, uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const struct run_point first = points[i];
        size_t at = i;
        while (order[at] != i) {
            const size_t from = order[at];
            points[at] = points[from];
            order[at] = (uint32_t)at;
            at = from;
        }
        points[at] = first;
        order[at] = (uint32_t)at;
    }
}

/* The rows of a run that went on are seldom out of order, so this is for few. */
static int sort_points(struct run_scenario *scenario)
{
    size_t sorted = 1;

    while (sorted < scenario->count && compare_points(&scenario->points[sorted - 1], &scenario->points[sorted]) <= 0)
        ++sorted;
    if (sorted >= scenario->count)
        return 0;
    uint32_t *order = malloc(scenario->count * sizeof *order);
    if (order == NULL)
        return -1;
    for (size_t i = 0; i < scenario->count; ++i)
        order[i] = (uint32_t)i;
    qsort_r(order, scenario->count, sizeof *order, compare_indexes, scenario->points);
    permute(scenario->points, order, scenario->count);
    free(order);
    return make_slots(scenario, scenario->slot_count);
}

static int compare_scenarios(const void *a, const void *b)
{
    const struct run_scenario *one = a, *other = b;
    if (one->position != other->position)
        return one->position < other->position ? -1 : 1;
    return strcmp(one->name, other->name);
}

/* --- lines --- */

/* The line of a point; lines of other scenarios may have taken the number that the pool keeps. */
static struct run_line *line_of(struct run_scenario *scenario, const struct run_point *point)
{
    uint32_t *number = intern_number(point->line);

    if (*number < scenario->line_count && scenario->lines[*number].name == point->line)
        return &scenario->lines[*number];
    for (size_t i = 0; *number != 0 && i < scenario->line_count; ++i)
        if (scenario->lines[i].name == point->line)
            return &scenario->lines[i];
    struct run_line *lines = grow(scenario->lines, scenario->line_count, &scenario->line_capacity, sizeof *lines);
    if (lines == NULL)
        return NULL;
    scenario->lines = lines;
    *number = (uint32_t)scenario->line_count++;
    lines[*number] = (struct run_line){point->line, RUN_NONE, RUN_NONE};
    return &lines[*number];
}

/* Neither safe nor unsafe: nothing was found out. */
static bool is_void(const struct run_point *point)
{
    const struct run_tally *tally = point->tally;
    return tally->counts[VERDICT_UNSUPPORTED] + tally->counts[VERDICT_INCOMPLETE] == tally->launches;
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
    else if (form->multiple_items != 0 && point->local_size % form->multiple_items == 0)
        take_faster(scenario, &best->preferred, index);
    if (form->range.local[0] != 0 && point->local_size == form->most_items)
        take_faster(scenario, &best->largest, index);
}

/* The line's first unsafe point. */
static void take_unsafe(const struct run_scenario *scenario, struct run_line *line, uint32_t index)
{
    const struct run_point *point = &scenario->points[index];
    if (!is_void(point) && !run_point_passed(point) &&
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

static int compare_shapes(struct run_scenario *scenario)
{
    const struct run_line_best none = {RUN_NONE, RUN_NONE, RUN_NONE, RUN_NONE, RUN_NONE};

    if (!run_scenario_has_range(scenario))
        return 0;
    struct run_line_best *best = realloc(scenario->best, scenario->line_count * sizeof *best);
    if (best == NULL)
        return -1;
    scenario->best = best;
    for (size_t i = 0; i < scenario->line_count; ++i)
        best[i] = none;
    for (size_t i = 0; i < scenario->count; ++i)
        compare_shape(scenario, &best[scenario->points[i].line_index], (uint32_t)i);
    return 0;
}

static int judge_lines(struct run_scenario *scenario)
{
    for (size_t i = 0; i < scenario->line_count; ++i)
        *intern_number(scenario->lines[i].name) = 0;
    scenario->line_count = 0;
    for (size_t i = 0; i < scenario->count; ++i) {
        struct run_line *line = line_of(scenario, &scenario->points[i]);
        if (line == NULL)
            return -1;
        scenario->points[i].line_index = (uint32_t)(line - scenario->lines);
        take_unsafe(scenario, line, (uint32_t)i);
    }
    for (size_t i = 0; i < scenario->count; ++i)
        take_safe(scenario, &scenario->lines[scenario->points[i].line_index], (uint32_t)i);
    return compare_shapes(scenario);
}

/* What was read is put in order and judged. */
static int finish(struct run_device *device, struct error *error)
{
    for (size_t i = 0; i < device->count; ++i) {
        struct run_scenario *scenario = &device->scenarios[i];
        if (scenario->changed && (sort_points(scenario) != 0 || judge_lines(scenario) != 0))
            return no_memory(error);
        scenario->changed = false;
    }
    if (device->count > 0)
        qsort(device->scenarios, device->count, sizeof *device->scenarios, compare_scenarios);
    return 0;
}

int run_report_update(struct run_report *report, struct store *store, struct error *error)
{
    struct list_reading list = {report, error};

    if (store_each_device(store, take_device, &list, error) != 0)
        return -1;
    for (size_t i = 0; i < report->count; ++i) {
        struct run_device *device = &report->devices[i];
        struct reading reading = {device, error};
        const int read = store_scan_trials(store, device->stored.id, device->last_trial, take_trial, &reading, error);
        if (finish(device, read == 0 ? error : NULL) != 0)
            return -1;
        if (read != 0)
            return error_context(error, "reading ended behind trial %" PRId64 " of device %" PRId64, device->last_trial,
                                 device->stored.id);
    }
    return 0;
}

void run_report_fini(struct run_report *report)
{
    for (size_t i = 0; i < report->count; ++i) {
        struct run_device *device = &report->devices[i];
        for (size_t j = 0; j < device->count; ++j) {
            free(device->scenarios[j].points);
            free(device->scenarios[j].slots);
            free(device->scenarios[j].lines);
            free(device->scenarios[j].best);
        }
        free(device->scenarios);
        intern_fini(&device->pool);
    }
    free(report->devices);
    *report = (struct run_report){0};
}

/* --- what it means --- */

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

/* Groups as a share of the kernel's limit, or of what else makes lines comparable. */
static double share(const struct run_point *point)
{
    if (point == NULL)
        return 0.0;
    return point->resident != 0 ? (double)point->groups / point->resident : (double)point->groups;
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

void run_scenario_safety(const struct run_scenario *scenario, struct run_safety *safety)
{
    *safety = (struct run_safety){.points = (uint32_t)scenario->count};
    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        const struct run_line *line = &scenario->lines[point->line_index];
        const struct run_point *safe = point_at(scenario, line->safe), *unsafe = point_at(scenario, line->unsafe);
        safety->surprises += point->surprise && !point->known_flake;
        safety->known += (point->surprise && point->known_flake) || (point->known_failure && point->as_known);
        safety->fixed += point->known_failure && !point->as_known && !point->surprise && !is_void(point);
        safety->predicted += point->expected != 0 && !is_void(point);
        safety->unpredicted += point->expected == 0;
        safety->incomplete += is_void(point) && point->tally->counts[VERDICT_INCOMPLETE] > 0;
        safety->unsupported += is_void(point) && point->tally->counts[VERDICT_INCOMPLETE] == 0;
        safety->undecided +=
            point->tally->counts[VERDICT_INCONCLUSIVE] > 0 && !verdict_is_in(VERDICT_INCONCLUSIVE, point->expected);
        if (point->form->range.dimensions == 0 && !is_void(point) && is_worse(safe, unsafe, safety)) {
            safety->safe = safe;
            safety->unsafe = unsafe;
        }
    }
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

bool run_scenario_is_mutant(const struct run_scenario *scenario)
{
    static const char prefix[] = "mutant_";
    return strncmp(scenario->name, prefix, sizeof prefix - 1) == 0;
}

bool run_scenario_is_caught(const struct run_scenario *scenario)
{
    static const enum verdict catches[] = {VERDICT_STALE,    VERDICT_WRONG,   VERDICT_STARVED,
                                           VERDICT_DEADLOCK, VERDICT_STALLED, VERDICT_LIVELOCK};

    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        if (point->resident == 0 || point->groups > point->resident)
            continue;
        for (size_t j = 0; j < sizeof catches / sizeof *catches; ++j)
            if (point->tally->counts[catches[j]] > 0)
                return true;
    }
    return false;
}

static verdict_set point_verdicts(const struct run_point *point)
{
    verdict_set set = 0;
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        if (point->tally->counts[verdict] > 0)
            set |= UINT32_C(1) << verdict;
    return set;
}

static verdict_set device_verdicts(const struct run_device *device)
{
    verdict_set set = 0;
    for (size_t i = 0; i < device->count; ++i)
        for (size_t j = 0; j < device->scenarios[i].count; ++j)
            set |= point_verdicts(&device->scenarios[i].points[j]);
    return set;
}

verdict_set run_report_verdicts(const struct run_report *report)
{
    verdict_set set = 0;
    for (size_t i = 0; i < report->count; ++i)
        set |= device_verdicts(&report->devices[i]);
    return set;
}

enum status run_report_status(const struct run_report *report)
{
    bool wedged = false, surprise = false, measured = false;

    for (size_t i = 0; i < report->count; ++i) {
        wedged = wedged || report->devices[i].stored.wedged;
        for (size_t j = 0; j < report->devices[i].count; ++j) {
            struct run_safety safety;
            run_scenario_safety(&report->devices[i].scenarios[j], &safety);
            surprise = surprise || safety.surprises > 0;
            measured = measured || safety.unsupported + safety.incomplete < safety.points;
        }
    }
    if (wedged)
        return STATUS_WEDGED;
    if (surprise)
        return STATUS_SURPRISE;
    return measured ? STATUS_OK : STATUS_UNSUPPORTED;
}
