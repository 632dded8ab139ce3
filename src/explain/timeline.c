#include "explain/timeline.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICKET_NS = 1000 };

/* A damaged board may tell any time; this one leaves room for what is added to it. */
static const uint64_t latest_ns = UINT64_MAX / 4;

static uint64_t clock_of(const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_CLOCK_LOW) | (uint64_t)board_entry(board, group, GL_CLOCK_HIGH) << 32;
}

/* Do all groups that started tell it? */
static bool all_tell(const struct board *board, uint32_t field, uint32_t or_field)
{
    for (uint32_t group = 0; group < board->groups; ++group)
        if (board_started(board, group) && board_entry(board, group, field) == 0 &&
            board_entry(board, group, or_field) == 0)
            return false;
    return true;
}

static enum timeline_clock clock_kind(const struct evidence *evidence)
{
    const enum dialect dialect =
        evidence->trial.dialect != DIALECT_NONE ? evidence->trial.dialect : evidence->device.probe.dialect;
    if (!all_tell(&evidence->board, GL_CLOCK_LOW, GL_CLOCK_HIGH))
        return TIMELINE_TICKET;
    return dialect == DIALECT_PTX ? TIMELINE_NS : TIMELINE_TICKS;
}

/* --- times --- */

static struct timeline_slice slice_of(const struct timeline *timeline, const struct board *board, uint32_t group)
{
    const uint32_t end = board_entry(board, group, GL_CLOCK_END);
    const bool timed = timeline->clock != TIMELINE_TICKET;
    struct timeline_slice slice = {
        .group = group,
        .unit = timeline->has_units ? board_entry(board, group, GL_UNIT) - 1 : 0,
        .start_ns = timed ? clock_of(board, group) : (uint64_t)(board_entry(board, group, GL_TICKET) - 1) * TICKET_NS,
    };
    if (timed && end != 0) {
        const uint32_t lasted = end - board_entry(board, group, GL_CLOCK_LOW); /* modulo 2^32 */
        slice.ended = true;
        slice.end_ns = lasted > 0 ? lasted : 1; /* since the start, for now */
    }
    return slice;
}

/* Times begin with the first start. */
static void shift(struct timeline *timeline)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < timeline->count; ++i)
        first = timeline->slices[i].start_ns < first ? timeline->slices[i].start_ns : first;
    for (uint32_t i = 0; i < timeline->count; ++i) {
        struct timeline_slice *slice = &timeline->slices[i];
        slice->start_ns -= first;
        slice->start_ns = slice->start_ns < latest_ns ? slice->start_ns : latest_ns;
        slice->end_ns += slice->start_ns;
        timeline->end_ns = slice->end_ns > timeline->end_ns ? slice->end_ns : timeline->end_ns;
    }
}

static uint64_t launch_ns(const struct evidence *evidence)
{
    const struct observation *seen = &evidence->observation;
    const uint64_t lasted = seen->device_ns != 0 ? seen->device_ns : seen->duration_ns;
    return lasted < latest_ns ? lasted : latest_ns;
}

/* What the ticks of the clock are, so that all of them together are the launch. */
static void scale(struct timeline *timeline, uint64_t lasted_ns)
{
    const double factor = timeline->end_ns != 0 && lasted_ns != 0 ? (double)lasted_ns / (double)timeline->end_ns : 1;
    for (uint32_t i = 0; i < timeline->count; ++i) {
        struct timeline_slice *slice = &timeline->slices[i];
        slice->start_ns = (uint64_t)((double)slice->start_ns * factor);
        slice->end_ns = (uint64_t)((double)slice->end_ns * factor);
        if (slice->ended && slice->end_ns <= slice->start_ns)
            slice->end_ns = slice->start_ns + 1;
    }
    timeline->end_ns = (uint64_t)((double)timeline->end_ns * factor);
}

/* Groups that have not ended stay until the launch ends, which is after all that is known. */
static void set_ends(const struct evidence *evidence, struct timeline *timeline)
{
    bool open = false;

    for (uint32_t i = 0; i < timeline->count; ++i) {
        const struct timeline_slice *slice = &timeline->slices[i];
        const uint64_t least = slice->ended ? slice->end_ns : slice->start_ns + TICKET_NS;
        timeline->end_ns = least > timeline->end_ns ? least : timeline->end_ns;
        open = open || !slice->ended;
    }
    if (open && timeline->clock == TIMELINE_NS && launch_ns(evidence) > timeline->end_ns)
        timeline->end_ns = launch_ns(evidence);
    for (uint32_t i = 0; i < timeline->count; ++i) {
        struct timeline_slice *slice = &timeline->slices[i];
        if (slice->ended)
            continue;
        slice->end_ns = timeline->end_ns;
        slice->ended = !board_ended(&evidence->board, slice->group);
    }
}

static void add_slices(const struct evidence *evidence, struct timeline *timeline)
{
    timeline->clock = clock_kind(evidence);
    timeline->has_units = all_tell(&evidence->board, GL_UNIT, GL_UNIT);
    for (uint32_t group = 0; group < evidence->board.groups; ++group)
        if (board_started(&evidence->board, group))
            timeline->slices[timeline->count++] = slice_of(timeline, &evidence->board, group);
    shift(timeline);
    if (timeline->clock == TIMELINE_TICKS)
        scale(timeline, launch_ns(evidence));
    set_ends(evidence, timeline);
}

/* --- places --- */

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_start(const void *a, const void *b)
{
    const struct timeline_slice *first = a, *second = b;
    int order = compare(first->unit, second->unit);
    if (order == 0)
        order = compare(first->start_ns, second->start_ns);
    return order != 0 ? order : compare(first->group, second->group);
}

static int by_end(const void *a, const void *b)
{
    const struct timeline_slice *const *first = a, *const *second = b;
    const int order = compare((*first)->unit, (*second)->unit);
    return order != 0 ? order : compare((*first)->end_ns, (*second)->end_ns);
}

/* One unit while its groups are given places, in the order in which they started. */
struct placing {
    struct timeline *timeline;
    struct timeline_slice **ending; /* those with known ends, by end */
    uint32_t ending_count;
    uint32_t next_ending;
    struct timeline_slice **guessed; /* done, with ends that are not known, by start */
    uint32_t guessed_count;
    uint32_t next_guessed;
    uint32_t *free_lanes;
    uint32_t free_count;
    uint32_t first_lane; /* of this unit */
    uint32_t unit;
    uint32_t places; /* that a unit should need */
};

static void begin_unit(struct placing *placing, uint32_t unit)
{
    placing->unit = unit;
    placing->first_lane = placing->timeline->lane_count;
    placing->free_count = 0;
    placing->next_guessed = placing->guessed_count;
    while (placing->next_ending < placing->ending_count && placing->ending[placing->next_ending]->unit < unit)
        placing->next_ending += 1;
}

static uint32_t take_lane(struct placing *placing, const struct timeline_slice *slice)
{
    struct timeline *timeline = placing->timeline;
    const uint32_t used = timeline->lane_count - placing->first_lane;

    while (placing->next_ending < placing->ending_count && placing->ending[placing->next_ending]->unit == slice->unit &&
           placing->ending[placing->next_ending]->end_ns <= slice->start_ns)
        placing->free_lanes[placing->free_count++] = placing->ending[placing->next_ending++]->lane;
    if (placing->free_count > 0)
        return placing->free_lanes[--placing->free_count];
    if (used >= placing->places && placing->next_guessed < placing->guessed_count &&
        placing->guessed[placing->next_guessed]->start_ns < slice->start_ns) {
        struct timeline_slice *before = placing->guessed[placing->next_guessed++];
        before->end_ns = slice->start_ns;
        return before->lane;
    }
    timeline->lanes[timeline->lane_count] = (struct timeline_lane){slice->unit, used};
    return timeline->lane_count++;
}

static void place(struct placing *placing)
{
    struct timeline *timeline = placing->timeline;

    for (uint32_t i = 0; i < timeline->count; ++i) {
        struct timeline_slice *slice = &timeline->slices[i];
        if (i == 0 || slice->unit != placing->unit)
            begin_unit(placing, slice->unit);
        slice->lane = take_lane(placing, slice);
        if (!slice->ended)
            placing->guessed[placing->guessed_count++] = slice;
    }
}

/* Places of a unit: what is resident together, measured before or seen, divided among the units. */
static uint32_t places_of_unit(const struct evidence *evidence, const struct timeline *timeline)
{
    uint32_t resident = evidence->prediction.resident, units = 0, inside = 0;

    for (uint32_t i = 0; i < timeline->count; ++i) {
        units += i == 0 || timeline->slices[i].unit != timeline->slices[i - 1].unit;
        inside += !board_ended(&evidence->board, timeline->slices[i].group);
    }
    resident = resident > inside ? resident : inside;
    return units > 0 && resident > 0 ? (resident - 1) / units + 1 : 1;
}

static void place_all(const struct evidence *evidence, struct timeline *timeline)
{
    const size_t count = timeline->count + (size_t)1;
    struct placing placing = {
        .timeline = timeline,
        .ending = xcalloc(count, sizeof(struct timeline_slice *)),
        .guessed = xcalloc(count, sizeof(struct timeline_slice *)),
        .free_lanes = xcalloc(count, sizeof *placing.free_lanes),
        .places = places_of_unit(evidence, timeline),
    };

    for (uint32_t i = 0; i < timeline->count; ++i)
        if (timeline->slices[i].ended)
            placing.ending[placing.ending_count++] = &timeline->slices[i];
    qsort(placing.ending, placing.ending_count, sizeof(struct timeline_slice *), by_end);
    place(&placing);
    free(placing.free_lanes);
    free(placing.guessed);
    free(placing.ending);
}

void timeline_make(const struct evidence *evidence, struct timeline *timeline)
{
    const size_t count = evidence->board.groups + (size_t)1;

    *timeline = (struct timeline){
        .slices = xcalloc(count, sizeof *timeline->slices),
        .lanes = xcalloc(count, sizeof *timeline->lanes),
    };
    add_slices(evidence, timeline);
    qsort(timeline->slices, timeline->count, sizeof *timeline->slices, by_start);
    place_all(evidence, timeline);
}

void timeline_fini(struct timeline *timeline)
{
    free(timeline->slices);
    free(timeline->lanes);
    *timeline = (struct timeline){.slices = NULL};
}

void timeline_lane_name(const struct timeline *timeline, uint32_t lane, char name[TIMELINE_NAME])
{
    const struct timeline_lane *at = &timeline->lanes[lane];
    const bool alone = at->place == 0 && (lane + 1 == timeline->lane_count || at[1].place == 0);

    if (!timeline->has_units)
        snprintf(name, TIMELINE_NAME, "place %" PRIu32, at->place);
    else if (alone)
        snprintf(name, TIMELINE_NAME, "unit %" PRIu32, at->unit);
    else
        snprintf(name, TIMELINE_NAME, "unit %" PRIu32 ", place %" PRIu32, at->unit, at->place);
}
